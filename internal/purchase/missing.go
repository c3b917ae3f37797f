package purchase

import (
	"context"
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// An answer may name fewer orders than units were bought, and all of the price may be gone. The orders that it names are
// delivered at once. The others are looked for in the list, as orders of which no endpoint tells are, and until that has ended
// nobody is told that they are missing.

const (
	// missingEvery is how often, and missingFor for how long at least, orders are looked for that an answer left out.
	missingEvery = time.Minute
	missingFor   = 30 * time.Minute
)

// seekMissing looks once for the orders of an accepted purchase that its answer left out.
func (e *Engine) seekMissing(ctx context.Context, a store.Account, p store.Purchase) error {
	v := e.evidence(a, p)
	found, sought, err := v.missing(ctx)
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	ended := false
	err = e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		ended = false // the unit may run again
		p, a, err := load(tx, v.of.ID)
		// What it was read for has changed meanwhile: the next look takes it as it is now.
		if err != nil || p.Phase != store.Accepted || len(p.OrderIDs) != len(v.of.OrderIDs) {
			return err
		}
		if sought && p.Missing > 0 && p.Charged == nil && len(found.orders) == 0 {
			p.LookAt = later(v.now.Add(missingEvery), p.AnsweredAt.Add(v.listedAfter()))
			return tx.PutPurchase(&p)
		}
		p.LookAt, ended = time.Time{}, true
		if err := e.takeMissing(tx, &p, a, found); err != nil {
			return err
		}
		return e.endSeeking(tx, &p, &a)
	})
	if err == nil && ended {
		e.unseen(v.of.ID)
	}
	return err
}

// missing looks for the orders that an answer left out. sought is false once it has been looked for long enough, and where no
// list could ever tell which they are.
func (v *evidence) missing(ctx context.Context) (found named, sought bool, err error) {
	from := v.listedAfter()
	age := v.now.Sub(v.of.AnsweredAt)
	if v.of.Missing <= 0 || v.of.Charged != nil || !v.of.Before.Listed || age > max(missingFor, 2*from) {
		return found, false, nil
	}
	list, err := v.service.History(ctx, listOf(v.of), listedAge)
	switch {
	case api.ClassOf(err) == api.NotOffered:
		return found, false, nil
	case err != nil, age < from:
		return found, true, nil //nolint:nilerr // what cannot be read now may be read at the next look
	}
	alone, err := v.alone(ctx, list, v.of.Missing)
	if err != nil || !alone {
		return found, true, err
	}
	return v.listedOrders(v.found.candidates), true, nil
}

// alone reports whether a list shows just as many orders that fit as are missing, which nobody else can have bought.
func (v *evidence) alone(ctx context.Context, list []api.Order, missing int) (bool, error) {
	orders, err := v.engine.cfg.Store.OrdersOf(ctx, v.of)
	if err != nil {
		return false, err
	}
	shown, byName := indexOf(list), native(v.account, v.of)
	unseen := func(o store.Order) bool {
		_, found := shown.find(o, byName)
		return !found // an entry may be that unit's, which tells nothing of itself yet
	}
	if slices.ContainsFunc(orders, unseen) || !v.paidAlone(ctx) {
		return false, nil
	}
	if err := v.gatherRows(ctx, list); err != nil {
		return false, err
	}
	f := v.found
	if len(f.candidates) != missing || len(f.late)+f.others+f.own+f.rivals > 0 || f.renamed || f.shared {
		return false, nil
	}
	contested, err := v.engine.contested(ctx, v.account, v.of)
	return !contested, err
}

// takeMissing makes orders that were found a purchase's own, beside those that its answer named. Where one of them is somebody's by
// now, none is taken.
func (e *Engine) takeMissing(tx *store.Tx, p *store.Purchase, a store.Account, n named) error {
	if len(n.orders) == 0 || len(n.orders) != p.Missing || p.Charged != nil { // it was told otherwise since the list was read
		return nil
	}
	for _, o := range n.orders {
		if free, err := e.free(tx, *p, o, false); err != nil || !free {
			return err
		}
	}
	if err := putOrders(tx, *p, a, n.orders); err != nil {
		return err
	}
	p.OrderIDs, p.Missing = append(slices.Clone(p.OrderIDs), n.keys()...), p.Missing-len(n.orders)
	tx.Then(func() { e.log(*p).Info("orders that an answer left out were found", "orders", len(n.orders)) })
	return nil
}

// endSeeking goes on with a purchase for which no orders are looked for any more: what is still missing is told, and what has come
// to its end is settled.
func (e *Engine) endSeeking(tx *store.Tx, p *store.Purchase, a *store.Account) error {
	if err := errors.Join(tx.PutPurchase(p), e.tellMissing(tx, p, *a)); err != nil {
		return err
	}
	count, err := countUnits(tx, *p)
	if err != nil {
		return err
	}
	if settled, err := e.completes(tx, p, a, count); settled || err != nil {
		return err
	}
	return showAnew(tx, *p)
}
