package bolt

import (
	"bytes"
	"context"

	"go.etcd.io/bbolt"

	"resellerbot/internal/store"
)

// Snapshot implements store.Snapshotter.
func (e *Engine) Snapshot(ctx context.Context, visit func(store.Record) error) error {
	return e.view(ctx, func(btx *bbolt.Tx) error {
		return btx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			kind, ours := bytes.CutPrefix(name, records(""))
			if !ours {
				return nil
			}
			return b.ForEach(func(key, value []byte) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				// The id is of this file. What the records are copied or moved to has one of its own.
				if isID(store.Kind(kind), key) {
					return nil
				}
				r, err := decode(store.Kind(kind), key, value)
				if err != nil {
					return err
				}
				return visit(r)
			})
		})
	})
}
