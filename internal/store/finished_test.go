package store_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// finish notes updates as handled, with nothing else to be written.
func (h *harness) finish(ids ...int64) {
	h.Helper()
	for _, id := range ids {
		if err := h.store.FinishUpdate(context.Background(), id); err != nil {
			h.Fatal(err)
		}
	}
}

// counting is an engine whose transactions are counted.
type counting struct {
	store.Engine

	transactions *atomic.Int32
}

// Update implements store.Engine.
func (c counting) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	c.transactions.Add(1)
	return c.Engine.Update(ctx, fn)
}

// Batch implements store.Engine.
func (c counting) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	c.transactions.Add(1)
	return c.Engine.Batch(ctx, fn)
}

// inFinished plays in virtual time with a store whose transactions are counted.
func inFinished(t *testing.T, play func(h *harness, transactions *atomic.Int32)) {
	t.Helper()
	storetest.NeedsFile(t) // on a server nothing waits: others may write there
	synctest.Test(t, func(t *testing.T) {
		h, transactions := newHarness(t), &atomic.Int32{}
		var err error
		if h.store, err = store.Open(t.Context(), counting{h.engine, transactions}, storetest.Keyring(t)); err != nil {
			t.Fatal(err)
		}
		transactions.Store(0)
		play(h, transactions)
		h.close()
	})
}

// TestFinishedUpdatesShareACommit: what is handled is ended with the commit that takes the next updates, or soon by one of its
// own, and at the latest when the store is closed.
func TestFinishedUpdatesShareACommit(t *testing.T) {
	inFinished(t, func(h *harness, transactions *atomic.Int32) {
		for id := int64(1); id <= 20; id++ {
			h.take(id)
			h.finish(id)
		}
		h.expect("with the next one", h.left(), 20)
		if transactions.Load() != 20 {
			t.Errorf("%d transactions for 20 updates", transactions.Load())
		}
		<-time.After(time.Second)
		h.expect("a second later", h.left())
		if transactions.Load() != 21 {
			t.Errorf("%d transactions for 20 updates and a second", transactions.Load())
		}
		h.expect("again", h.take(20, 21), 21)
		h.finish(21)
		h.reopen()
		h.expect("at the end", h.left())
		h.expect("again, to the next process", h.take(21))
	})
}

// TestFinishedUpdatesAreNotOvertaken: no update is ended before one that was finished earlier, so that a process that is killed
// handles none of them behind a later one.
func TestFinishedUpdatesAreNotOvertaken(t *testing.T) {
	inFinished(t, func(h *harness, _ *atomic.Int32) {
		h.take(1, 2, 3)
		h.finish(1)
		h.do(func(tx *store.Tx) error { return tx.UpdateDone(2) })
		h.expect("ended with a later one", h.left(), 3)
	})
}

// TestFinishedUpdatesOutliveAFailedTransaction: those that a transaction was to end wait for the next.
func TestFinishedUpdatesOutliveAFailedTransaction(t *testing.T) {
	inFinished(t, func(h *harness, _ *atomic.Int32) {
		h.take(1, 2)
		h.finish(1)
		err := h.store.Update(t.Context(), func(tx *store.Tx) error {
			if err := tx.UpdateDone(2); err != nil {
				return err
			}
			return store.ErrConflict
		})
		if err == nil {
			t.Fatal("the transaction did not fail")
		}
		h.expect("after the failed transaction", h.left(), 1, 2)
		<-time.After(time.Second)
		h.expect("a second later", h.left(), 2)
	})
}
