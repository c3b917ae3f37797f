package store

import (
	"context"
	"fmt"
)

// copyPage is how many records go into one unit of a copy.
const copyPage = 500

// CopyRecords writes all records of one database into another, which has none of them. Versions are given anew.
func CopyRecords(ctx context.Context, from Snapshotter, to Engine) error {
	var page []Record
	flush := func() error {
		err := to.Update(ctx, func(tx RecordTx) error { return putNew(tx, page) })
		page = page[:0]
		return err
	}
	err := from.Snapshot(ctx, func(r Record) error {
		r.Version = 0
		if page = append(page, r); len(page) < copyPage {
			return nil
		}
		return flush()
	})
	if err != nil {
		return fmt.Errorf("copy records: %w", err)
	}
	if err := flush(); err != nil {
		return fmt.Errorf("copy records: %w", err)
	}
	return nil
}

// putNew writes records that are not there yet.
func putNew(tx RecordTx, page []Record) error {
	if w, ok := tx.(Wanter); ok {
		keys := map[Kind][]string{}
		for _, r := range page {
			keys[r.Kind] = append(keys[r.Kind], r.Key)
		}
		for k, of := range keys {
			if err := w.Want(k, of...); err != nil {
				return err
			}
		}
	}
	for _, r := range page {
		if _, err := tx.Put(r); err != nil {
			return fmt.Errorf("%s %q: %w", r.Kind, r.Key, err)
		}
	}
	return nil
}
