package store_test

import (
	"errors"
	"testing"

	"resellerbot/internal/store"
)

// TestTopicsTurnedOff: topics that are turned off are kept, also one that was still being made, and serve when they are turned on; one
// that was gone by then is not given out a second time.
func TestTopicsTurnedOff(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	const chat = int64(-100)
	a := store.Account{ID: "u1", Place: &store.Place{Chat: chat}}
	change := func(fn func(*store.Tx, *store.Account) error) {
		t.Helper()
		h.do(func(tx *store.Tx) error {
			var err error
			if a, err = tx.Account("u1"); err != nil {
				return err
			}
			return errors.Join(fn(tx, &a), tx.PutAccount(&a))
		})
	}
	topic := func() store.Topic {
		h.do(func(tx *store.Tx) (err error) {
			a, err = tx.Account("u1")
			return err
		})
		return a.Place.Topics[store.AlertSubject]
	}
	made := func(thread int) {
		t.Helper()
		h.do(func(tx *store.Tx) error { return tx.TopicMade("u1", chat, store.AlertSubject, thread) })
	}
	on := func() { t.Helper(); change((*store.Tx).MakeTopics) }
	off := func() { t.Helper(); change((*store.Tx).EndTopics) }
	h.do(func(tx *store.Tx) error { return tx.PutAccount(&a) })

	on()
	off()
	made(7) // which had begun before
	on()
	if now := topic(); now.Thread != 7 {
		t.Fatalf("a topic that was made while they were turned off: %+v", now)
	}
	h.do(func(tx *store.Tx) error {
		_, err := tx.TopicLost("u1", chat, 7)
		return err
	})
	off()
	on()
	if now := topic(); now.Thread != 0 {
		t.Fatalf("a topic that is gone serves again: %+v", now)
	}
	made(8)
	if now := topic(); now.Thread != 8 || now.Refused {
		t.Errorf("the topic that was made in its place: %+v", now)
	}
	off()
	made(0)
	on()
	if now := topic(); now.Thread != 8 {
		t.Errorf("turned off and on: %+v", now)
	}
}
