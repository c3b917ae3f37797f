package notify

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"resellerbot/internal/notify/worth"
	"resellerbot/internal/store"
)

// lessons is what was learned of how long the orders of each item take.
type lessons struct {
	store *store.Store

	mu    sync.Mutex
	known map[string]worth.Learned // by item
}

// took is how long an order took: it was not ready at one age, and was at the other.
type took struct {
	item          string
	before, after time.Duration
}

func newLessons(s *store.Store) lessons { return lessons{store: s, known: map[string]worth.Learned{}} }

// load reads what was learned of the items of orders. What cannot be read is learned anew.
func (l *lessons) load(ctx context.Context, orders []store.Order) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range orders {
		if _, ok := l.known[o.Item]; ok || o.Item == "" {
			continue
		}
		t, err := l.store.Times(ctx, o.Item)
		if err == nil || errors.Is(err, store.ErrNotFound) {
			l.known[o.Item] = worth.Learned{Orders: t.Orders, Mean: t.Mean, Squares: t.Squares}
		}
	}
}

// belief is what is thought of how long an order takes.
func (l *lessons) belief(o store.Order) worth.Belief {
	l.mu.Lock()
	defer l.mu.Unlock()
	kind := worth.Goods
	switch {
	case o.Manual:
		kind = worth.ByHand
	case o.Topup:
		kind = worth.Topup
	}
	return l.known[o.Item].Belief(kind)
}

// learn keeps how long orders took.
func (l *lessons) learn(ctx context.Context, done []took) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := map[string]worth.Learned{}
	for _, d := range done {
		if d.item == "" {
			continue // of an earlier version
		}
		if next := l.known[d.item].Saw(d.before, d.after); next != l.known[d.item] {
			l.known[d.item], changed[d.item] = next, next
		}
	}
	if len(changed) == 0 {
		return nil
	}
	err := l.store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		for item, v := range changed {
			t, err := tx.Times(item)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			t.Item, t.Orders, t.Mean, t.Squares = item, v.Orders, v.Mean, v.Squares
			if err := tx.PutTimes(&t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep how long orders take: %w", err)
	}
	return nil
}
