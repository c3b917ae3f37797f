package store

import (
	"context"
	"errors"
	"fmt"
)

const (
	roomKey  = "room" // of kind meta
	roomSize = 256 << 10
)

// Room has more written than any step of a purchase writes, and takes it away again: a disk without room is found out by
// this, and not by the next step. In a file, what was taken away is room for the steps after it.
func (s *Store) Room(ctx context.Context) error {
	// Two transactions, since what one transaction writes and deletes never reaches the disk.
	for _, do := range []func(RecordTx, Record) error{
		func(tx RecordTx, r Record) error {
			r.Value = make([]byte, roomSize)
			_, err := tx.Put(r)
			return err
		},
		func(tx RecordTx, r Record) error { return tx.Delete(r) },
	} {
		err := s.engine.Update(ctx, func(tx RecordTx) error {
			r, err := tx.Get(KindMeta, roomKey) // a process that was killed in between has left it
			if errors.Is(err, ErrNotFound) {
				r, err = Record{Kind: KindMeta, Key: roomKey}, nil
			}
			if err != nil {
				return err
			}
			return do(tx, r)
		})
		if err != nil {
			return fmt.Errorf("see whether there is room: %w", err)
		}
	}
	return nil
}
