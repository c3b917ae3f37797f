package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"resellerbot/internal/notify/pollplan"
	"resellerbot/internal/store"
)

// lessons is what was learned of how long the orders of each item take.
type lessons struct {
	store *store.Store
	log   *slog.Logger

	mu    sync.Mutex
	known map[string]pollplan.Learned // by item
}

// took is how long an order took: it was not ready at one age, and was at the other.
type took struct {
	item          string
	kind          pollplan.Kind
	before, after time.Duration
}

func newLessons(s *store.Store, log *slog.Logger) lessons {
	return lessons{store: s, log: log, known: map[string]pollplan.Learned{}}
}

// load reads what was learned of the items of orders. What cannot be read is learned anew.
func (l *lessons) load(ctx context.Context, orders []store.Order) {
	for _, item := range l.unread(orders) {
		t, err := l.store.Times(ctx, item)
		switch {
		case err == nil || errors.Is(err, store.ErrNotFound):
			l.add(item, pollplan.Learned{Orders: t.Orders, Mean: t.Mean, Squares: t.Squares})
		case ctx.Err() == nil: // at a stop nothing is wrong
			l.log.Error("read how long orders take", "item", item, "err", err)
		}
	}
}

// unread lists items of which nothing was read yet.
func (l *lessons) unread(orders []store.Order) (items []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range orders {
		if _, ok := l.known[o.Item]; !ok && o.Item != "" && !slices.Contains(items, o.Item) {
			items = append(items, o.Item)
		}
	}
	return items
}

// add enters what was read of an item, unless something was learned meanwhile.
func (l *lessons) add(item string, v pollplan.Learned) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.known[item]; !ok {
		l.known[item] = v
	}
}

// belief is what is thought of how long an order takes.
func (l *lessons) belief(o store.Order) pollplan.Belief {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[o.Item].Belief(kindOf(o))
}

// kindOf is what is known of an order before any like it was seen.
func kindOf(o store.Order) pollplan.Kind {
	switch {
	case o.Manual:
		return pollplan.ByHand
	case o.Topup:
		return pollplan.Topup
	}
	return pollplan.Goods
}

// saw adds orders to what is known, and returns what has changed by it.
func (l *lessons) saw(done []took) map[string]pollplan.Learned {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed := map[string]pollplan.Learned{}
	for _, d := range done {
		if d.item == "" {
			continue // of an earlier version
		}
		if next := l.known[d.item].Saw(d.kind, d.before, d.after); next != l.known[d.item] {
			l.known[d.item], changed[d.item] = next, next
		}
	}
	return changed
}

// learn keeps how long orders took.
func (l *lessons) learn(ctx context.Context, done []took) error {
	changed := l.saw(done)
	if len(changed) == 0 {
		return nil
	}
	err := l.store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		for item, v := range changed {
			t, err := tx.Times(item)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			// t is read for its version alone.
			t.Item, t.Orders, t.Mean, t.Squares = item, v.Orders, v.Mean, v.Squares
			if err := tx.PutTimes(&t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		// Nothing is taken back in memory: what is written next of the item holds this lesson too.
		return fmt.Errorf("keep how long orders take: %w", err)
	}
	return nil
}
