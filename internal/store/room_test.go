package store_test

import (
	"errors"
	"testing"

	"resellerbot/internal/store"
)

// TestRoom: nothing stays of what was written to see whether there is room, also where a process was killed before it was
// taken away.
func TestRoom(t *testing.T) {
	h := newHarness(t)
	before := len(h.records(store.KindMeta))
	left := store.Record{Kind: store.KindMeta, Key: "room", Value: []byte("of a process that was killed")}
	for _, killed := range []bool{false, true} {
		if killed {
			h.plant(func(tx store.RecordTx) error { _, err := tx.Put(left); return err })
		}
		if err := h.store.Room(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := h.engine.Get(t.Context(), store.KindMeta, "room"); !errors.Is(err, store.ErrNotFound) || len(h.records(store.KindMeta)) != before {
			t.Errorf("killed before: %v; something is left: %v", killed, err)
		}
	}
}
