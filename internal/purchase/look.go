package purchase

import (
	"context"
	"fmt"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	lookBatch = 100 // orders that are asked for in one call
	mostAlone = 8   // orders that one look asks for by themselves
)

// Look asks the service now for the orders of a purchase, also for those that have come to their end, and settles
// what it shows. An *api.Error tells that the service shows nothing; store.ErrNotFound that the purchase, or the
// account that it was made under, is not there.
func (e *Engine) Look(ctx context.Context, id string) error {
	p, err := e.cfg.Store.Purchase(ctx, id)
	if err != nil {
		return err
	}
	orders, err := e.cfg.Store.OrdersOf(ctx, p)
	if err != nil || len(orders) == 0 {
		return err
	}
	a, err := e.cfg.Store.Account(ctx, p.Account)
	if err != nil {
		return err
	}
	l := look{service: e.cfg.Service(a), batch: lookBatch, seen: map[string]api.Order{}}
	// The service has once refused a larger batch: the account remembers how large one may be.
	if a.Batch > 0 {
		l.batch = min(l.batch, a.Batch)
	}
	// The cheap call goes first: each step asks only for what those before it left unknown.
	l.askTogether(ctx, orders)
	l.alone(ctx, orders)
	l.inList(ctx, e, orders)
	e.log(p).Info("looked at a purchase for somebody", "orders", len(orders), "shown", len(l.seen), "err", l.err)
	// What was shown counts, whatever failed beside it. An error is for the person only where nothing was shown at all.
	if len(l.seen) == 0 {
		return l.err
	}
	var seen []api.Order
	for _, o := range l.seen {
		seen = append(seen, o)
	}
	if err := e.Settle(context.WithoutCancel(ctx), a.ID, seen, time.Now()); err != nil {
		return fmt.Errorf("settle what a look has shown: %w", err)
	}
	return nil
}

// look is what one look at the orders of a purchase shows. Its steps (a batch, each by itself, the list) are those of the poller
// (notify/poll_apart.go), without its pauses: what changes here mostly has to change there.
type look struct {
	service Service
	batch   int
	seen    map[string]api.Order // by the id that we know it by
	err     error                // the first call that failed
}

// askTogether asks for all orders that the endpoint for many orders may show.
func (l *look) askTogether(ctx context.Context, orders []store.Order) {
	ours := map[string]string{}
	var ids []string
	for _, o := range orders {
		if origin := api.Origin(o.Origin); origin.Batched() || origin.Twice() {
			ours[o.ServiceID()] = o.ID
			ids = append(ids, o.ServiceID())
		}
	}
	for len(ids) > 0 {
		n := min(l.batch, len(ids))
		found, err := l.service.Orders(ctx, ids[:n])
		if ids = ids[n:]; err != nil {
			l.failed(err)
			return
		}
		for _, o := range found {
			// The service answers by its own ids, and may answer more than was asked.
			if id, ok := ours[o.ID]; ok {
				o.ID = id
				l.seen[id] = o
			}
		}
	}
}

// isKnown reports whether enough is shown of an order: what a batch calls done without its code is not, and neither is
// one of a family with an endpoint of its own, until its code shows.
func (l *look) isKnown(o store.Order) bool {
	shown, ok := l.seen[o.ID]
	if !ok || !api.Origin(o.Origin).Batched() {
		return ok && !shown.Code.IsZero()
	}
	return shown.Clear(o.Topup)
}

// alone asks for orders by themselves of which too little is known: as many as fit into a moment's patience. One that
// gets no answer hides no other; a second one does, for it is the service then.
func (l *look) alone(ctx context.Context, orders []store.Order) {
	asked, silent := 0, 0
	for _, o := range orders {
		// A ready order that nobody follows any more, or that is only looked at to see that it stays, is not worth a call here.
		if l.isKnown(o) || asked == mostAlone || silent > 1 || o.State == store.Ready && (o.Due.IsZero() || o.Rechecked) || ctx.Err() != nil {
			continue
		}
		asked++
		found, err := l.service.Order(ctx, api.OrderRef{Origin: api.Origin(o.Origin), ID: o.ServiceID(), Transaction: o.Other})
		switch class := api.ClassOf(err); {
		case err == nil:
			found.ID = o.ID
			// A batch's status is kept where the single answer tells less.
			if was := l.seen[o.ID]; was.Status == "" || found.Clear(o.Topup) {
				l.seen[o.ID] = found
			}
		case class == api.NotFound, class == api.Invalid, class == api.NotOffered:
			l.failed(err)
		case class == api.Upstream:
			l.failed(err)
			silent++
		default: // it is about no order
			l.failed(err)
			return
		}
	}
}

func (l *look) failed(err error) {
	if l.err == nil {
		l.err = err
	}
}
