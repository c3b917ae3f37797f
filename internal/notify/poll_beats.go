package notify

import (
	"context"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// Where the beats of the schedule alone decide when orders are looked at, nothing is in hand between them: a beat takes
// what is due from the disk, asks for it in batches as far as the budget goes, and puts back what still waits, due when
// it is worth a look by its age.

// runByBeats polls at each beat and at no other time. A beat that comes while the last one is being worked on is worked
// on after it, and further ones are left out.
func (p *Poller) runByBeats(ctx context.Context) error {
	// Only with the first beat: from then on whatever is claimed is of this process.
	soon := lease // what an earlier process had claimed is nobody's now
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-p.beats:
		}
		p.claimAll(ctx, soon)
		soon = 0
		var g errgroup.Group
		g.SetLimit(followed)
		for _, s := range p.inHand() {
			g.Go(func() error { p.beatFor(ctx, s); return nil })
		}
		if err := g.Wait(); err != nil || !backoff.Sleep(ctx, breath) {
			return err
		}
	}
}

// inHand lists the schedules that have something in hand.
func (p *Poller) inHand() (list []*schedule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.schedules {
		if len(s.orders) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// beatFor looks once at each order of an account that is in hand, and puts back those that still wait.
func (p *Poller) beatFor(ctx context.Context, s *schedule) {
	// Within a beat each order is asked for once, also where it told nothing: the next beat is another chance.
	tried := map[string]bool{}
	for ctx.Err() == nil {
		q, ok := p.takeForBeat(s, tried)
		if !ok {
			break
		}
		for _, o := range q.orders {
			tried[o.ID] = true
		}
		p.follow(ctx, s, q)
	}
	p.mu.Lock()
	left := s.drain()
	p.mu.Unlock()
	if ctx.Err() != nil {
		return // they stay claimed, and the next start inherits them
	}
	now := time.Now()
	for wait, orders := range byWait(left, now) {
		p.putBack(ctx, orders, wait)
	}
}

// byWait groups orders by how long they go without a look. What is looked at by a schedule of its own, and was not due
// yet or could not be asked for, stays due as it was.
func byWait(orders []store.Order, now time.Time) map[time.Duration][]store.Order {
	groups := map[time.Duration][]store.Order{}
	for _, o := range orders {
		// Not spread here: those with the same wait share a commit, and putBack spreads each of them by itself.
		wait := NextLook(now.Sub(o.CreatedAt))
		if o.OnlyWhenDue() {
			wait = max(o.Due.Sub(now), 0)
		}
		groups[wait] = append(groups[wait], o)
	}
	return groups
}

// takeForBeat chooses the next call of a beat among the orders that it has not tried yet: a batch, or one that is asked
// for by itself. There is none where the budget is spent, or the service has to be left alone.
func (p *Poller) takeForBeat(s *schedule, tried map[string]bool) (q query, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if lets, _ := p.outage.lets(s.account, now); !lets || s.rest.After(now) {
		return query{}, false
	}
	var together, single, alone []*pending
	batches := !s.batchRest.After(now) && s.affords(http.MethodPost, 1, now)
	for _, o := range s.orders {
		switch {
		case tried[o.ID]:
		case batches && s.inBatches(o.Order):
			together = append(together, o)
		case batches && s.inBatchOfOne(o.Order):
			single = append(single, o)
		case s.affords(http.MethodGet, callsFor(o.Order), now):
			alone = append(alone, o)
		}
	}
	// The longest unseen first: where the budget does not reach, the others come first in the next beat.
	unseen := func(x, y *pending) int {
		return laterOf(x.CreatedAt, x.SeenAt).Compare(laterOf(y.CreatedAt, y.SeenAt))
	}
	slices.SortFunc(together, unseen)
	slices.SortFunc(single, unseen)
	slices.SortFunc(alone, unseen)
	switch {
	case len(together) > 0:
		q = s.call(now, false, together[:min(len(together), s.batch.most(now))]...)
	case len(single) > 0:
		q = s.call(now, false, single[0])
	case len(alone) > 0:
		q = s.call(now, true, alone[0])
	default:
		return query{}, false
	}
	s.asking = true
	p.outage.called(s.account)
	p.slots--
	return q, true
}

// callsFor is what a look at an order by itself spends.
func callsFor(o store.Order) float64 {
	if api.Origin(o.Origin).Twice() {
		return 2
	}
	return 1
}

// affords reports whether so many calls may be made now.
func (s *schedule) affords(method string, calls float64, now time.Time) bool {
	a := s.service.Allowance(method)
	return a.Left >= calls && !a.NotBefore.After(now)
}
