package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/store"
)

// inHarness plays in a harness in virtual time.
func inHarness(t *testing.T, play func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { play(newHarness(t)) })
}

// note is a message as others queue it.
func note(id, text string) store.Outgoing {
	return store.Outgoing{Chat: group, ID: id, Kind: store.Note, Args: map[string]string{"text": text}}
}

// enqueue queues messages in one transaction.
func (h *harness) enqueue(list ...store.Outgoing) {
	h.Helper()
	h.do(func(tx *store.Tx) error {
		for _, o := range list {
			if err := tx.Enqueue(&o); err != nil {
				return err
			}
		}
		return nil
	})
}

// waiting lists what waits for the group.
func (h *harness) waiting() []store.Outgoing {
	h.Helper()
	list, err := h.store.ChatOutbox(context.Background(), group, 99)
	if err != nil {
		h.Fatal(err)
	}
	return list
}

// claimOne takes the one message that is due.
func (h *harness) claimOne() store.Outgoing {
	h.Helper()
	o, err := only(h.store.ClaimOutbox(context.Background(), time.Now(), time.Minute, 9))
	if err != nil {
		h.Fatal(err)
	}
	return o
}

func TestOutboxIsInOrder(t *testing.T) {
	inHarness(t, func(h *harness) {
		h.enqueue(note("3", ""), note("1", ""), note("2", ""), store.Outgoing{Chat: group + 1, ID: "0"}, store.Outgoing{Chat: -1, ID: "0"})
		h.reopen()
		list := h.waiting()
		if got := ids(list, outgoingID); !slices.Equal(got, []string{"1", "2", "3"}) {
			h.Errorf("the group is sent %v", got)
		}
		for _, o := range list {
			if !o.Due.Equal(time.Now()) || !o.Created.Equal(time.Now()) {
				h.Errorf("%s was made %v and is due %v", o.ID, o.Created, o.Due)
			}
		}
	})
}

// TestEnqueueAgain: one message, with the newest content; what is known of tries at it stays.
func TestEnqueueAgain(t *testing.T) {
	inHarness(t, func(h *harness) {
		begin := time.Now()
		h.enqueue(note("1", "old"))
		o := h.claimOne()
		o.Tries, o.Sent, o.Due = 2, true, begin.Add(time.Hour)
		h.do(func(tx *store.Tx) error { return tx.Retry(o) })
		pass(time.Minute)
		h.enqueue(note("1", "new"))
		got, err := only(h.waiting(), nil)
		if err != nil || got.Args["text"] != "new" || got.Tries != 2 || !got.Sent || !got.Created.Equal(begin) || !got.Due.Equal(begin.Add(time.Hour)) {
			h.Errorf("the message is %+v, %v", got, err)
		}
		later := note("1", "newest")
		later.Due = begin.Add(2 * time.Hour)
		h.enqueue(later)
		if got := h.waiting()[0]; !got.Due.Equal(later.Due) {
			h.Errorf("put off, it is due at %v", got.Due)
		}
	})
}

// TestEnqueueAgainBeforeATry: what was not tried yet observes no rest, so it goes at once.
func TestEnqueueAgainBeforeATry(t *testing.T) {
	inHarness(t, func(h *harness) {
		put := note("1", "old")
		put.Due = time.Now().Add(time.Hour)
		h.enqueue(put)
		h.enqueue(note("1", "new"))
		if o := h.claimOne(); o.Args["text"] != "new" {
			h.Errorf("claimed %+v", o)
		}
	})
}

// TestEnqueueWhileItIsSent: what has become true meanwhile is still to be told.
func TestEnqueueWhileItIsSent(t *testing.T) {
	inHarness(t, func(h *harness) {
		h.enqueue(note("1", "old"))
		sending := h.claimOne()
		h.enqueue(note("1", "new"))
		err := h.store.Update(context.Background(), func(tx *store.Tx) error { return tx.Sent(sending) })
		if !errors.Is(err, store.ErrConflict) {
			h.Errorf("the new message went with the old one: %v", err)
		}
		sending.Tries, sending.Due = 1, time.Now().Add(time.Second)
		h.do(func(tx *store.Tx) error { return tx.Retry(sending) })
		if got := h.waiting()[0]; got.Args["text"] != "new" || got.Tries != 1 || !got.Due.Equal(sending.Due) {
			h.Errorf("to be sent again is %+v", got)
		}
		pass(time.Second)
		last := h.claimOne()
		h.do(func(tx *store.Tx) error { return tx.Sent(last) })
		if left := h.waiting(); len(left) > 0 {
			h.Errorf("left is %+v", left)
		}
		// A second report of the same does nothing, and brings nothing back.
		h.do(func(tx *store.Tx) error { return errors.Join(tx.Sent(last), tx.Retry(last)) })
		if left := h.waiting(); len(left) > 0 {
			h.Errorf("back is %+v", left)
		}
	})
}

// TestSentStays: once a message may have arrived, no later report makes that unknown.
func TestSentStays(t *testing.T) {
	inHarness(t, func(h *harness) {
		h.enqueue(note("1", ""))
		o := h.claimOne()
		for i, sent := range []bool{false, true, false} {
			o.Sent, o.Tries = sent, i+1
			h.do(func(tx *store.Tx) error { return tx.Retry(o) })
			if got := h.waiting()[0]; got.Sent != (i > 0) || got.Tries != i+1 {
				h.Errorf("after try %d: %+v", i+1, got)
			}
		}
	})
}

// TestWake: who waits for a kind is told once that something was queued, whatever the number.
func TestWake(t *testing.T) {
	inHarness(t, func(h *harness) {
		ctx := context.Background()
		hinted := func(k store.Kind) bool {
			select {
			case <-h.store.Wake(k):
				return true
			default:
				return false
			}
		}
		for name, run := range map[string]func(context.Context, func(*store.Tx) error) error{"Update": h.store.Update, "Batch": h.store.Batch} {
			for i := range 3 {
				err := run(ctx, func(tx *store.Tx) error {
					o := note(fmt.Sprint(name, i), "")
					return tx.Enqueue(&o)
				})
				if err != nil {
					h.Fatal(err)
				}
			}
			if !hinted(store.KindOutbox) || hinted(store.KindOutbox) || hinted(store.KindOrder) {
				h.Errorf("%s: not one hint, for the outbox", name)
			}
		}
		h.do(func(tx *store.Tx) error { return tx.PutOrder(&store.Order{Account: "u1", ID: "1"}) })
		if hinted(store.KindOrder) {
			h.Error("an order that is not looked at gives a hint")
		}
		h.do(func(tx *store.Tx) error { return tx.PutOrder(&store.Order{Account: "u1", ID: "2", Due: time.Now()}) })
		if !hinted(store.KindOrder) {
			h.Error("an order that is due gives no hint")
		}
	})
}

// pass lets virtual time go by.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}
