package notify

import (
	"context"
	"sync"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

const (
	// gatherFor is how long orders whose next look is far wait for others to be put back on disk with.
	gatherFor = time.Second
	// slowLook is from which wait on an order is one of the slow ones, which people deliver: looks at these are spread so that
	// no more than one comes in each slowEvery, however many there are. Example: 10,000 that come back at once are spread over 20 s.
	slowLook  = time.Minute
	slowEvery = 2 * time.Millisecond
)

// farOrders are orders that are no longer in hand and not yet back on disk. They are claimed there until their lease ends, so
// whoever loses them finds them again.
type farOrders struct {
	some chan struct{} // has something in it where there are any; buffered 1

	mu   sync.Mutex
	list []farOrder
	slow time.Time // when the last look at a slow one is due
}

// farOrder is an order, and when its next look is due.
type farOrder struct {
	store.Order

	due time.Time
}

func newFarOrders() farOrders { return farOrders{some: make(chan struct{}, 1)} }

// add has orders put back, each with a wait that is spread by random.
func (f *farOrders) add(orders []store.Order, wait time.Duration, now time.Time, random func() float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, o := range orders {
		f.list = append(f.list, farOrder{o, f.next(now, wait, random())})
	}
	select {
	case f.some <- struct{}{}:
	default: // there were some already
	}
}

// next is when an order is looked at again that can wait so long; f.mu is held.
func (f *farOrders) next(now time.Time, wait time.Duration, random float64) time.Time {
	due := now.Add(spread(wait, random))
	if wait < slowLook {
		return due
	}
	// Each takes a place of its own behind the one before, and there are places from a slow look on.
	// spread with 0 is the earliest moment that a slow look may have: 54 s from now.
	f.slow = laterOf(f.slow, now.Add(spread(slowLook, 0))).Add(slowEvery)
	return laterOf(due, f.slow)
}

// drain takes all of them.
func (f *farOrders) drain() []farOrder {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := f.list
	f.list = nil
	return list
}

// run has them put back as they come, some at once, until ctx is done. Then the last ones are.
func (f *farOrders) run(ctx context.Context, put func(context.Context, []farOrder)) {
	for {
		select {
		case <-ctx.Done():
			put(ctx, f.drain())
			return
		case <-f.some:
		}
		backoff.Sleep(ctx, gatherFor)
		put(ctx, f.drain())
	}
}

// putAway puts far orders back on disk.
func (p *Poller) putAway(ctx context.Context, far []farOrder) {
	for len(far) > 0 {
		page := far[:min(len(far), dueOrders)]
		far = far[len(page):]
		err := p.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
			for _, o := range page {
				if err := p.postpone(tx, o.Order, o.due); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			p.cfg.Log.Error("put orders back", "err", err)
		}
	}
}
