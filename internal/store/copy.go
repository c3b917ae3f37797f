package store

import (
	"context"
	"fmt"
)

// copyPage is how many records go into one transaction of a copy.
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
		// 0 is a record that must not be there yet: a copy into a database that has records fails, and overwrites none.
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

// want has an engine read records together that a transaction is about to put or delete.
func want(tx RecordTx, page []Record) error {
	places := make([]RecordKey, len(page))
	for i, r := range page {
		places[i] = RecordKey{r.Kind, r.Key}
	}
	return wantAll(tx, places...)
}

// wantAll does so with records that the transaction is about to read too. An engine that is near reads each when it is asked for.
func wantAll(tx RecordTx, places ...RecordKey) error {
	w, ok := tx.(Wanter)
	if !ok {
		return nil
	}
	if err := w.Want(places...); err != nil {
		return fmt.Errorf("read together: %w", err)
	}
	return nil
}

// putNew writes records that are not there yet.
func putNew(tx RecordTx, page []Record) error {
	if err := want(tx, page); err != nil {
		return err
	}
	for _, r := range page {
		if _, err := tx.Put(r); err != nil {
			return fmt.Errorf("%s %q: %w", r.Kind, r.Key, err)
		}
	}
	return nil
}
