package notify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// claimAll takes all orders into hand that are due, or will be soon.
func (p *Poller) claimAll(ctx context.Context, soon time.Duration) {
	until := time.Now().Add(soon)
	for more := true; more; {
		more = p.claim(ctx, until) == dueOrders
	}
}

// claimDue takes all orders into hand that are due, and with them those that will be within moments: each claim is a commit, and
// of ten thousand orders one is due every few milliseconds.
func (p *Poller) claimDue(ctx context.Context) {
	// What is due has to be claimed in any case, and what cannot be read may be: claim logs the error, and pauses.
	if due, some, err := p.cfg.Store.NextDue(ctx, store.KindOrder); err != nil || some && !due.After(time.Now()) {
		p.claimAll(ctx, claimAhead)
	}
}

// claim takes the orders that are due at now into hand.
func (p *Poller) claim(ctx context.Context, now time.Time) (claimed int) {
	due, err := p.cfg.Store.ClaimOrders(ctx, now, leaseFrom(now), dueOrders)
	if err != nil {
		if ctx.Err() == nil {
			p.cfg.Log.Error("claim due orders", "err", err)
			backoff.Sleep(ctx, beat)
		}
		return 0
	}
	fresh := map[string][]store.Order{}
	for _, o := range due {
		fresh[o.Account] = append(fresh[o.Account], o)
	}
	for account, orders := range fresh {
		err := p.enlist(ctx, account, orders)
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.Is(err, store.ErrNotFound):
			p.cfg.Log.Warn("orders of an account that is not linked wait", "account", account, "orders", len(orders))
			p.putBack(ctx, orders, orphanWait)
		default:
			p.cfg.Log.Error("take orders into hand", "account", account, "err", err)
			p.putBack(ctx, orders, refusedWait)
		}
	}
	return len(due)
}

// enlist enters claimed orders into the schedule of their account.
func (p *Poller) enlist(ctx context.Context, account string, orders []store.Order) error {
	a, err := p.cfg.Store.Account(ctx, account)
	if err != nil {
		return err
	}
	if a.Retired && a.Key.IsZero() { // nothing is awaited of them, and nobody can ask
		return p.cfg.Settler.Settle(ctx, account, unseen(orders), time.Now())
	}
	riding, err := p.riding(ctx, account, orders)
	if err != nil {
		return err
	}
	// Before the lock: it reads the disk.
	p.lessons.load(ctx, append(riding, orders...))
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.scheduleOf(a)
	s.underKey(p.cfg.Session(a), a)
	for _, o := range orders {
		s.add(o, p.lessons.belief(o))
	}
	// Those that ride along are not claimed: a look at them is settled, and their own due time stays as it is. One that a batch
	// was refused for would have this one refused.
	for _, o := range riding {
		if len(s.orders) < batchSize && s.inBatches(o) {
			s.add(o, p.lessons.belief(o))
		}
	}
	s.plan(now)
	p.calls.sort(s)
	return nil
}

// scheduleOf is the schedule of an account; p.mu is held.
func (p *Poller) scheduleOf(a store.Account) *schedule {
	s, ok := p.schedules[a.ID]
	if !ok {
		p.sweep(time.Now())
		s = newSchedule(a.ID)
		s.batch.kept = a.Batch
		p.schedules[a.ID] = s
	}
	return s
}

// sweep forgets the schedules that nothing was asked for by for long. It runs when their number has doubled, so that a claim costs the same
// on average whatever their number. p.mu is held.
func (p *Poller) sweep(now time.Time) {
	if len(p.schedules) < p.sweepAt {
		return
	}
	maps.DeleteFunc(p.schedules, func(_ string, s *schedule) bool {
		return len(s.orders) == 0 && !s.asking && now.Sub(s.used) > orphanWait
	})
	p.sweepAt = max(2*len(p.schedules), followed)
}

// gone is a look by which the service shows some orders nowhere.
func gone(orders []store.Order) []api.Order {
	list := unseen(orders)
	for i := range list {
		list[i].Gone = true
	}
	return list
}

// unseen is a look that shows nothing of some orders: their time alone passes.
func unseen(orders []store.Order) (list []api.Order) {
	for _, o := range orders {
		list = append(list, api.Order{ID: o.ID})
	}
	return list
}

// riding lists orders of an account that are not among those that were claimed, and fit into the call for these: it costs
// the same with them. Those that are looked at by a schedule of their own wait for it.
func (p *Poller) riding(ctx context.Context, account string, claimed []store.Order) ([]store.Order, error) {
	// More than fit into a call, for those that do not ride along are left out below.
	list, err := p.cfg.Store.PendingBeside(ctx, account, claimed, 2*batchSize)
	if err != nil {
		return nil, fmt.Errorf("list pending orders: %w", err)
	}
	list = slices.DeleteFunc(list, func(o store.Order) bool { return !api.Origin(o.Origin).Batched() || o.OnlyWhenDue() })
	slices.SortFunc(list, func(a, b store.Order) int { return a.Due.Compare(b.Due) })
	return list, nil
}

// putBack sets the next look at orders that are no longer in hand. One that has moved on meanwhile is left.
func (p *Poller) putBack(ctx context.Context, orders []store.Order, wait time.Duration) {
	now := time.Now()
	err := p.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		for _, left := range orders {
			if err := p.postpone(tx, left, now.Add(spread(wait, p.cfg.Random()))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		p.cfg.Log.Error("put orders back", "err", err)
	}
}

// postpone writes when an order is looked at next, and how often and when it was looked at.
func (p *Poller) postpone(tx *store.Tx, left store.Order, due time.Time) error {
	o, err := tx.Order(left.Account, left.ID)
	// Due is zero once nothing more is awaited of it. More Looks than are known here are of somebody else, who has set the next one.
	if errors.Is(err, store.ErrNotFound) || err == nil && (o.Due.IsZero() || o.Looks > left.Looks) {
		return nil
	}
	if err != nil {
		return err
	}
	o.SeenAt, o.Looks, o.Due = left.SeenAt, left.Looks, due
	return tx.Postpone(&o)
}
