package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/store"
)

// update is an update as the poller takes it.
func update(id int64) store.Incoming {
	return store.Incoming{ID: id, Chat: group, Raw: fmt.Appendf(nil, `{"update_id":%d}`, id), State: store.New, At: noon()}
}

// take puts updates on disk and lists the ids of those that were not known.
func (h *harness) take(ids ...int64) []int64 {
	h.Helper()
	var batch []store.Incoming
	for _, id := range ids {
		batch = append(batch, update(id))
	}
	fresh, err := h.store.AddUpdates(context.Background(), batch)
	if err != nil {
		h.Fatal(err)
	}
	return idsOf(fresh)
}

// idsOf lists the ids of updates.
func idsOf(list []store.Incoming) []int64 {
	got := []int64{}
	for _, in := range list {
		got = append(got, in.ID)
	}
	return got
}

// left lists the ids of the updates that are not handled, as a new process reads them.
func (h *harness) left() []int64 {
	h.Helper()
	got := []int64{}
	for after := int64(0); len(got) < 1000; after = got[len(got)-1] {
		page, err := h.store.PendingUpdates(context.Background(), after, 3)
		if err != nil {
			h.Fatal(err)
		}
		if len(page) == 0 {
			return got
		}
		got = append(got, idsOf(page)...)
	}
	h.Fatalf("the list of updates does not end: %v…", got[:20])
	return nil
}

// expect compares lists of update ids.
func (h *harness) expect(what string, got []int64, want ...int64) {
	h.Helper()
	if !slices.Equal(got, want) {
		h.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestUpdatesAreKeptUntilHandled: whatever was acknowledged is found by the next process, in the order of
// Telegram, until it is handled; and is handed on once, however often Telegram repeats it.
func TestUpdatesAreKeptUntilHandled(t *testing.T) {
	inHarness(t, func(h *harness) {
		h.expect("the first batch", h.take(7, 8, 9), 7, 8, 9)
		h.expect("again, with others", h.take(9, 10, 8, 11, 7), 10, 11)
		h.expect("twice in a batch", h.take(12, 12), 12)
		h.expect("late, out of order", h.take(6), 6)
		h.expect("after the first batches", h.left(), 6, 7, 8, 9, 10, 11, 12)
		h.reopen() // the process was killed before it handled any
		h.expect("after a restart", h.left(), 6, 7, 8, 9, 10, 11, 12)
		for _, id := range []int64{8, 6, 8} { // 8 is reported twice
			h.do(func(tx *store.Tx) error { return tx.UpdateDone(id) })
		}
		h.expect("after two are handled", h.left(), 7, 9, 10, 11, 12)
		h.reopen()
		h.expect("known ones, handled or not", h.take(6, 7, 8, 9))
		h.expect("after all that", h.left(), 7, 9, 10, 11, 12)
		in := must(h.store.PendingUpdates(context.Background(), 0, 1))(h)[0]
		if !bytes.Equal(in.Raw, update(7).Raw) || in.Chat != group || !in.At.Equal(noon()) {
			h.Errorf("update 7 comes back as %+v", in)
		}
	})
}

// TestHandledInAFailedTransaction: an update is done with what it caused, or not at all.
func TestHandledInAFailedTransaction(t *testing.T) {
	inHarness(t, func(h *harness) {
		h.take(1)
		errStop := errors.New("stop")
		err := h.store.Update(context.Background(), func(tx *store.Tx) error { return errors.Join(tx.UpdateDone(1), errStop) })
		if !errors.Is(err, errStop) {
			h.Error(err)
		}
		h.expect("after the transaction failed", h.left(), 1)
	})
}

// TestHandledUpdatesAreForgotten: the text at once, the id two days after it came, when Telegram repeats it no more.
func TestHandledUpdatesAreForgotten(t *testing.T) {
	inHarness(t, func(h *harness) {
		var first time.Time
		for id := int64(1); id <= 3; id++ {
			h.take(id)
			if id == 1 {
				first = time.Now()
			}
			pass(time.Second)
			h.do(func(tx *store.Tx) error { return tx.UpdateDone(id) })
		}
		h.take(4)
		if rows, seen := h.keys(store.KindInbox), h.keys(store.KindSeen); len(rows) != 1 || len(seen) != 4 {
			h.Errorf("rows %v, ids %v", rows, seen)
		}
		prune := func(limit, want int) {
			h.Helper()
			if n, err := h.store.PruneUpdates(context.Background(), time.Now(), limit); n != want || err != nil {
				h.Errorf("%d ids are forgotten, %v; want %d", n, err, want)
			}
		}
		pass(time.Until(first) + 48*time.Hour - time.Millisecond)
		prune(9, 0)
		h.expect("after almost two days", h.take(1, 2, 3))
		pass(time.Millisecond)
		prune(9, 1)
		pass(2*time.Second + 10*time.Millisecond) // a batch waits a millisecond for others
		prune(1, 1)
		prune(9, 1)
		prune(9, 0)
		pass(time.Second)
		prune(9, 1)
		if seen := h.keys(store.KindSeen); len(seen) != 0 {
			h.Errorf("left are %v", seen)
		}
		h.expect("one that waits is not forgotten", h.left(), 4)
		h.expect("nor taken once more", h.take(4))
	})
}

// TestParkedUpdates: an update that nobody can handle is kept, but handed on no more; nor do many of them
// hide those that come after.
func TestParkedUpdates(t *testing.T) {
	inHarness(t, func(h *harness) {
		ctx := context.Background()
		var want []int64
		for id := int64(1); id <= 20; id++ {
			h.take(id)
			if id%10 == 0 {
				want = append(want, id)
				continue
			}
			if err := h.store.Batch(ctx, func(tx *store.Tx) error { _, _, err := tx.ParkUpdate(id); return err }); err != nil {
				h.Fatal(err)
			}
		}
		odd := update(21) // one that was parked as it came
		odd.State = store.Parked
		if _, err := h.store.AddUpdates(ctx, []store.Incoming{odd}); err != nil {
			h.Fatal(err)
		}
		h.reopen()
		h.expect("not parked", h.left(), want...)
		h.expect("parked ones that come again", h.take(1, 2, 21))
		if rows := h.keys(store.KindInbox); len(rows) != 21 {
			h.Errorf("%d rows are kept, want 21", len(rows))
		}
	})
}

// TestAttempts are counted on disk, so that the third process knows of the first; and a late count brings
// nothing back.
func TestAttempts(t *testing.T) {
	inHarness(t, func(h *harness) {
		ctx := context.Background()
		h.take(1, 2)
		for want := 1; want <= 3; want++ {
			if n, err := h.store.CountTry(ctx, 1); n != want || err != nil {
				h.Errorf("attempt %d, %v; want %d", n, err, want)
			}
			h.reopen()
		}
		if in := must(h.store.PendingUpdates(ctx, 0, 9))(h); len(in) != 2 || in[0].Tries != 3 || in[1].Tries != 0 {
			h.Errorf("updates %+v", in)
		}
		h.do(func(tx *store.Tx) error { return tx.UpdateDone(1) })
		n, err := h.store.CountTry(ctx, 1)
		if err = errors.Join(err, h.store.Batch(ctx, func(tx *store.Tx) error { _, _, err := tx.ParkUpdate(1); return err })); n != 0 || err != nil {
			h.Errorf("attempt %d at what is done, %v", n, err)
		}
		h.expect("after one is done", h.left(), 2)
		if rows := h.keys(store.KindInbox); len(rows) != 1 {
			h.Errorf("rows %v", rows)
		}
	})
}

// TestManyHandsTakeEachUpdateOnce: webhooks come side by side, and the same one may come twice; transactions that
// fail share their commits, so that some run again.
func TestManyHandsTakeEachUpdateOnce(t *testing.T) {
	const hands, updates = 8, 120
	inHarness(t, func(h *harness) {
		var mu sync.Mutex
		taken := map[int64]int{}
		var wg sync.WaitGroup
		errStop := errors.New("stop")
		for range updates {
			wg.Go(func() {
				if err := h.store.Batch(context.Background(), func(*store.Tx) error { return errStop }); !errors.Is(err, errStop) {
					h.Errorf("the failing transaction: %v", err)
				}
			})
		}
		for hand := range hands {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(hand), 1))
				for _, i := range r.Perm(updates) {
					fresh, err := h.store.AddUpdates(context.Background(), []store.Incoming{update(int64(i + 1))})
					if err != nil {
						h.Error(err)
						return
					}
					mu.Lock()
					for _, in := range fresh {
						taken[in.ID]++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for id, n := range taken {
			if n != 1 {
				h.Errorf("update %d was taken %d times", id, n)
			}
		}
		if left := h.left(); len(taken) != updates || len(left) != updates || !slices.IsSorted(left) {
			h.Errorf("%d updates were taken, %d wait; want %d", len(taken), len(left), updates)
		}
	})
}
