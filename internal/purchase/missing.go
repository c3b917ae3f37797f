package purchase

import (
	"context"
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/orderid"
	"resellerbot/internal/store"
)

// An answer may name fewer orders than units were bought, and all of the price may be gone. Such an answer proves nothing by itself,
// so the purchase is unknown first. Once the orders that it names were found they are delivered; the others are looked for in the
// list, as orders of which no endpoint tells are, and until that has ended nobody is told that they are missing.

const (
	// missingLooks is how often orders are looked for that an answer left out, missingEvery apart. Looks are counted, and not the time:
	// the clock on the wall may step.
	missingLooks = 15
	missingEvery = time.Minute
	// missingLife is for how long a look is made again that could not read the list.
	missingLife = time.Hour
	// earlyEvery is how often the wait for a list that is too early is written down: a process that is killed loses what was waited for since.
	earlyEvery = 10 * time.Second
	// earlyLife is for how long that wait is no look that counts. Processes that are down, or killed often, wait little of it.
	earlyLife = 24 * time.Hour
)

// search is what a look for the orders that an answer left out has come to.
type search uint8

const (
	searched search = iota
	blind           // nothing could be told now: it does not count
	tooEarly        // a list is too early to tell, and was not read: it does not count either
	hopeless        // no list could ever tell which they are
)

// seekMissing looks once for the orders of an accepted purchase that its answer left out.
func (e *Engine) seekMissing(ctx context.Context, a store.Account, p store.Purchase) error {
	v := e.newEvidence(a, p)
	left, how, err := v.searchLeftOut(ctx)
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	ended := false
	err = e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		ended = false // the transaction may run again
		p, a, err := load(tx, v.of.ID)
		// Another look came first, or its orders were let go of.
		if err != nil || p.Phase != store.Accepted || p.Seeks != v.of.Seeks {
			return err
		}
		noteWait(&p, v)
		// Seeks stays as it is: what could not tell does not count.
		if p.SeeksMissing() && v.mayLookAgain(how) {
			p.LookAt = v.now.Add(v.nextSeek(how, false))
			return tx.PutPurchase(&p)
		}
		if err := e.takeMissing(tx, &p, a, v, left); err != nil {
			return err
		}
		if p.Seeks--; how != hopeless && p.SeeksMissing() {
			p.LookAt = v.now.Add(v.nextSeek(how, true))
			return tx.PutPurchase(&p)
		}
		ended = true
		return e.endSeeking(tx, &p, &a)
	})
	if err == nil && ended {
		e.unseen(v.of.ID)
	}
	return err
}

// nextSeek is how long after a look the next one comes. Behind the first look, which has only seen whether there is a list, the list
// is too early to tell as well. Where the wait for it counts, the next look comes when it is not: the looks would be used up before.
func (v *evidence) nextSeek(how search, counts bool) time.Duration {
	switch {
	case how == tooEarly && counts:
		return max(missingEvery, v.listedAfter()-v.found.waited)
	case how == tooEarly, how == searched && v.of.Seeks == missingLooks:
		return earlyEvery
	}
	return missingEvery
}

// noteWait keeps for how long a purchase has been looked for by the clocks of the processes that looked.
func noteWait(p *store.Purchase, v *evidence) {
	if p.Evidence == nil {
		return
	}
	kept := *p.Evidence
	kept.Waited, kept.At = v.kept.Waited, v.now
	p.Evidence = &kept
}

// mayLookAgain reports whether a look that could not tell is made once more without being counted. Where the clock was set back so
// far that it does not say for how long that goes on, the look counts.
func (v *evidence) mayLookAgain(how search) bool {
	switch how {
	case blind:
		return v.found.age >= 0 && max(v.found.age, v.found.waited) < missingLife
	case tooEarly:
		return v.found.age >= 0 && v.found.age < earlyLife
	}
	return false
}

// searchLeftOut looks for the orders that an answer left out.
func (v *evidence) searchLeftOut(ctx context.Context) (found named, how search, err error) {
	if !v.of.SeeksMissing() || !v.of.Before.Listed || api.Family(v.of.Family) == api.SportsTV { // no list is known to show these
		return found, hopeless, nil
	}
	// The first look comes right behind the answer and only finds out whether there is a list at all: where there is none, people need not
	// wait for fifteen looks to be told.
	first := v.of.Seeks == missingLooks
	// The clock on the wall may have been set ahead: by the processes' own, the list is too early still.
	if !first && v.found.waited < v.listedAfter() {
		return found, tooEarly, nil
	}
	list, err := v.service.History(ctx, listOf(v.of), listedAge)
	switch {
	case api.ClassOf(err) == api.NotOffered:
		return found, hopeless, nil
	case err != nil:
		return found, blind, nil //nolint:nilerr // what cannot be read now may be read at the next look
	case first:
		return found, searched, nil
	}
	rows, err := v.leftOut(ctx, list)
	return v.listedOrders(rows), searched, err
}

// leftOut names the orders of a list that an answer left out. None where it cannot be told which they are.
func (v *evidence) leftOut(ctx context.Context, list []api.Order) (rows []string, err error) {
	orders, err := v.engine.cfg.Store.OrdersOf(ctx, v.of)
	if err != nil {
		return nil, err
	}
	shown := indexOf(list)
	if slices.ContainsFunc(orders, func(o store.Order) bool { return !shown.has(v.of, o) }) {
		return nil, nil // an entry may be that unit's, which tells nothing of itself yet
	}
	rows, err = v.onlyOurs(ctx, list, v.of.Missing)
	// Whatever a claim says, one of its own orders under another name is none that it lacks.
	for _, o := range orders {
		if slices.ContainsFunc(rows, func(id string) bool { return orderid.Same(id, o.ServiceID()) || orderid.Same(id, o.Other) }) {
			return nil, err
		}
	}
	return rows, err
}

// takeMissing makes orders that were found a purchase's own, beside those that its answer named. None is taken where that may not
// be any more: one of them is somebody's by now, another price was named, or the wallet has moved since the list was read.
func (e *Engine) takeMissing(tx *store.Tx, p *store.Purchase, a store.Account, v *evidence, n named) error {
	was := v.account
	moved := a.Spends != was.Spends || !a.OutsideAt.Equal(was.OutsideAt) || a.Wallet.UnexplainedChanges != was.Wallet.UnexplainedChanges
	if len(n.orders) == 0 || len(n.orders) != p.Missing || !p.MissesPaid() || moved {
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
	// Nothing is debited: the price of the whole was taken with the answer.
	p.OrderIDs, p.Missing = append(slices.Clone(p.OrderIDs), n.keys()...), 0
	tx.Then(func() { e.log(*p).Info("orders that an answer left out were found", "orders", len(n.orders)) })
	return nil
}

// endSeeking goes on with a purchase for which no orders are looked for any more: what is still missing is told, and what has come
// to its end is settled.
func (e *Engine) endSeeking(tx *store.Tx, p *store.Purchase, a *store.Account) error {
	p.LookAt, p.Seeks = time.Time{}, 0
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
