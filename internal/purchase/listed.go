package purchase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/orderid"
	"resellerbot/internal/store"
)

const (
	// listedAge is how old a list may be that is read for an order which no endpoint shows: one reading is for all of them.
	listedAge = time.Minute
	// listedSoonest is how long after its purchase an order of other ids is looked for in a list, at least.
	listedSoonest = 2 * time.Minute
)

// Listed looks for an order in the service's list of what was bought, where the endpoints for orders do not show what came
// of it. ok is false where it cannot be told from others there.
//
// In a list of other ids it is found as an uncertain purchase's is: as many entries fit in everything as units are looked
// for, all with their codes, and nobody else can have bought them, as the balance says too.
func (e *Engine) Listed(ctx context.Context, o store.Order) (found api.Order, ok bool, err error) {
	p, err := e.cfg.Store.Purchase(ctx, o.Purchase)
	if err != nil {
		return found, false, fmt.Errorf("read the purchase of order %s: %w", o.ID, err)
	}
	a, err := e.cfg.Store.Account(ctx, o.Account)
	if err != nil {
		return found, false, fmt.Errorf("read the account of order %s: %w", o.ID, err)
	}
	if api.Family(p.Family) == api.SportsTV {
		return found, false, nil // no list is known to show these
	}
	v := e.evidenceAt(a, p, time.Now(), 0) // it is no look for the purchase, and adds nothing to how long that was looked for
	list, err := v.service.History(ctx, listOf(p), listedAge)
	switch {
	case api.ClassOf(err) == api.NotOffered:
		return found, false, nil
	case err != nil:
		return found, false, fmt.Errorf("read the list for order %s: %w", o.ID, err)
	case listedByName(p, o):
		found, ok = byName(list, o, p)
	default:
		found, ok, err = v.byAllElse(ctx, list, o)
	}
	// Whatever the list calls it, the caller knows the order by our id.
	found.ID = o.ID
	return found, ok, err
}

// inList looks in the list for orders of which too little is known by all else. A list that tells nothing is no failure.
func (l *look) inList(ctx context.Context, e *Engine, orders []store.Order) {
	for _, o := range orders {
		if l.isKnown(o) || !o.Code.IsZero() || o.State == store.Completed || ctx.Err() != nil {
			continue
		}
		found, ok, err := e.Listed(ctx, o)
		if err != nil {
			e.cfg.Log.Info("the list could not be looked at for an order", "order", o.ID, "err", err)
			return
		}
		shown, known := l.seen[o.ID]
		switch {
		case !ok:
		case !known:
			l.seen[o.ID] = found
		default:
			l.seen[o.ID] = shown.WithCodeOf(found)
		}
	}
}

// byName finds an order in a list of its own ids. One that is said to be another item is another one, and so is one that is earlier than
// the purchase: the list may number what it shows by itself, and nothing says that it does not.
func byName(list []api.Order, o store.Order, p store.Purchase) (api.Order, bool) {
	bought := itemOf(p)
	i := slices.IndexFunc(list, func(r api.Order) bool {
		named := orderid.Same(r.ID, o.ServiceID()) || orderid.Same(r.ID, o.Other) || orderid.Same(r.Transaction, o.Other)
		shown := itemIn(p, r)
		return named && !isEarlier(p, r) && (shown.product == "" || same(shown.product, bought.product)) && (shown.variant == "" || same(shown.variant, bought.variant))
	})
	if i < 0 {
		return api.Order{}, false
	}
	return list[i], true
}

// byAllElse finds an order in a list of other ids.
func (v *evidence) byAllElse(ctx context.Context, list []api.Order, o store.Order) (found api.Order, ok bool, err error) {
	if !v.of.Before.Listed || v.now.Sub(v.of.AnsweredAt) < v.listedAfter() {
		return found, false, nil
	}
	orders, err := v.engine.cfg.Store.OrdersOf(ctx, v.of)
	if err != nil {
		return found, false, err
	}
	shown := indexOf(list)
	if slices.ContainsFunc(orders, func(o store.Order) bool { return !o.Code.IsZero() && !shown.shows(o) }) {
		return found, false, nil // an entry may be that unit's, with its code written otherwise
	}
	// Units with their codes are out of the race, and so is one whose entry was another purchase's (Clash).
	orders = slices.DeleteFunc(orders, func(o store.Order) bool { return !o.Code.IsZero() || o.Clash })
	at := slices.IndexFunc(orders, func(other store.Order) bool { return other.ID == o.ID })
	if at < 0 {
		return found, false, nil
	}
	// Each entry is ours then, whichever is whose. Units are alike, so they are given out in their order.
	ids, err := v.onlyOurs(ctx, list, len(orders))
	if err != nil {
		return found, false, err
	}
	var rows []api.Order
	for _, r := range list {
		if slices.Contains(ids, r.ID) && store.Telling(r.Code) {
			rows = append(rows, r)
		}
	}
	if len(rows) != len(orders) {
		return found, false, nil
	}
	return rows[at], true, nil
}

// onlyOurs names the entries of a list of other ids that can be nobody's but the purchase's: as many fit as units are looked for, and
// nothing beside them might, the balance says that nobody else has bought, and no purchase with another key of the wallet is waited
// for that would fit as well. None where any of that is not so.
func (v *evidence) onlyOurs(ctx context.Context, list []api.Order, units int) (ids []string, err error) {
	if err := v.gatherRows(ctx, list); err != nil {
		return nil, err
	}
	// The money is asked late: it may cost a call, and what is before it costs none.
	if !v.found.only(units) || v.found.renamed || !v.nobodyElsePaid(ctx) {
		return nil, nil
	}
	if contested, err := v.mayBeOtherKeys(ctx, list); contested || err != nil {
		return nil, err
	}
	return v.found.candidates, nil
}

// listedAfter is how long after its purchase an order is found in a list of other ids: by then readings that are not older
// than listedAge show whatever else was bought at that moment.
func (v *evidence) listedAfter() time.Duration {
	if !lagsKnown(v.account, v.of) {
		return listedAge + quietOf(v.account, v.of)
	}
	return listedAge + max(listedSoonest, lagFactor*longestLag(v.account, v.of))
}

// nobodyElsePaid reports whether the balance says that nobody else has bought since the purchase: its price has shown to be gone,
// and nothing has moved that is not explained.
func (v *evidence) nobodyElsePaid(ctx context.Context) bool {
	w := v.account.Wallet
	// A price that may still go is not seen either: that the balance is as expected says nothing of it then.
	unseen := func(x store.Expected) bool {
		return x.Purchase == v.of.ID && (x.Seen.IsZero() || x.MayGo == store.Overdue)
	}
	if isUnaccounted(w) || v.account.OutsideAt.After(v.of.SentAt) || slices.ContainsFunc(w.Expected, unseen) {
		return false
	}
	b, err := v.service.Balance(ctx, listedAge)
	return err == nil && !b.Lacks && b.Available.Equal(spendable(w))
}
