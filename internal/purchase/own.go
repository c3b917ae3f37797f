package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/orderid"
	"resellerbot/internal/store"
)

// A list may call an order otherwise than the answer to its purchase did. Such an order is known by its code alone, so
// until that shows it may be the order of any purchase of the same item. Purchases that were accepted are read from
// the store for that: the wallet forgets them as soon as their price has shown.

// mostPending is how many orders of an account that are still looked at are remembered beside those of late.
const mostPending = 1000

// gatherOwn counts other purchases of ours whose orders this list may show: accepted ones that it has not been seen
// to show, and uncertain ones.
func (v *evidence) gatherOwn(ctx context.Context, list []api.Order) error {
	ids, err := v.besides(ctx)
	if err != nil {
		return err
	}
	// In this order: countOlder and countFailed compare what is left of the list with the counts that countOwn has made.
	shown := indexOf(list)
	for _, id := range ids {
		p, err := v.engine.cfg.Store.Purchase(ctx, id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if listOf(p) != listOf(v.of) {
			continue
		}
		if err := v.countOwn(ctx, shown, p); err != nil {
			return err
		}
	}
	if err := v.countOlder(ctx, list); err != nil {
		return err
	}
	return v.countFailed(ctx, list)
}

// besides names the other purchases of ours that may have orders in a list: those that the wallet still knows of,
// those accepted since a list may have been read that was as old as one can be, and older ones whose orders are still looked at.
func (v *evidence) besides(ctx context.Context) (ids []string, err error) {
	for _, x := range v.account.Wallet.Expected {
		if x.MayGo == "" {
			ids = append(ids, x.Purchase)
		}
	}
	moved, err := v.movements(ctx, v.listedFrom())
	if err != nil {
		return nil, err
	}
	// Oldest first, as the wallet has them.
	for _, m := range slices.Backward(moved) {
		if m.Kind == store.Bought {
			ids = append(ids, m.Purchase)
		}
	}
	pending, err := v.engine.cfg.Store.PendingOrders(ctx, v.account.ID, "", mostPending)
	if err != nil {
		return nil, err
	}
	for _, o := range pending {
		ids = append(ids, o.Purchase)
	}
	seen := map[string]bool{"": true, v.of.ID: true}
	return slices.DeleteFunc(ids, func(id string) bool {
		known := seen[id]
		seen[id] = true
		return known
	}), nil
}

// listedFrom is since when orders may have been made that the list did not show yet before the purchase.
func (v *evidence) listedFrom() time.Time { return v.of.Before.At.Add(-recall) }

// movements lists what has moved the account's balance since a moment, newest first.
func (v *evidence) movements(ctx context.Context, since time.Time) ([]store.Movement, error) {
	return v.engine.movements(ctx, v.account.ID, since)
}

// movements lists what has moved the balance of an account since a moment, newest first.
func (e *Engine) movements(ctx context.Context, account string, since time.Time) ([]store.Movement, error) {
	// The list has no cursor by time, so it is read anew, longer, until it reaches back far enough: the cost is at most twice that of the
	// longest read.
	for limit := mostExpected; ; limit *= 2 {
		list, err := e.cfg.Store.Movements(ctx, account, limit)
		if err != nil {
			return nil, fmt.Errorf("read the movements of an account: %w", err)
		}
		before := slices.IndexFunc(list, func(m store.Movement) bool { return !m.At.After(since) })
		switch {
		case before >= 0:
			return list[:before], nil
		case len(list) < limit:
			return list, nil
		}
	}
}

// countOwn counts another purchase of ours.
func (v *evidence) countOwn(ctx context.Context, shown listIndex, p store.Purchase) error {
	// All of them become unresolved, accepted ones by countAccepted: they explain orders of their items that nobody has claimed. Only those
	// of the same item become rivals, which keep this one from being found.
	alike := store.ItemOf(p) == store.ItemOf(v.of)
	switch {
	case p.Phase == store.Settled && len(p.OrderIDs) == 0: // a person has closed it: which orders are its is not known
	case p.Phase == store.Accepted, p.Phase == store.Settled:
		return v.countAccepted(ctx, shown, p, alike)
	case p.Phase == store.Unknown, p.Phase == store.Undecided:
		v.countRetry(p, alike)
	case p.Phase == store.Submitting:
		v.countRetry(p, alike)
		alike = false // whether it comes to be uncertain is not known
	case p.Phase == store.NotCreated, p.Phase == store.Rejected:
		alike = alike && v.of.SentAt.Sub(v.sentAt(p)) < executedLate+memoryOf(v.account)
	default:
		return nil // it was not sent
	}
	v.unresolved = append(v.unresolved, p)
	if alike {
		v.found.rivals++
	}
	return nil
}

// countRetry counts what an undecided purchase may have made of the same, where it was sent after the one that is looked for.
func (v *evidence) countRetry(p store.Purchase, alike bool) {
	if alike && p.SentAt.After(v.of.SentAt) {
		v.found.retried += p.Quantity * attemptsOf(p)
	}
}

// attemptsOf is how often a purchase may have been executed. Programs of before sent one again after a 429.
func attemptsOf(p store.Purchase) int { return max(1, p.Attempts) }

// sentAt is when another purchase of ours was sent, or was last said not to have happened.
func (v *evidence) sentAt(p store.Purchase) time.Time {
	if i := expected(v.account.Wallet, p.ID); i >= 0 {
		return v.account.Wallet.Expected[i].At
	}
	return p.SentAt
}

// countAccepted counts the orders of an accepted purchase that the list is not seen to show.
func (v *evidence) countAccepted(ctx context.Context, shown listIndex, p store.Purchase, alike bool) error {
	orders, err := v.engine.cfg.Store.OrdersOf(ctx, p)
	if err != nil {
		return err
	}
	// p is a copy: Quantity is how many orders of the list it may still explain (explains counts it down).
	p.Quantity = p.Quantity*attemptsOf(p) - len(p.OrderIDs)
	v.unresolved = append(v.unresolved, p)
	// Missing ones are not seen either: an answer that left them out does not say that they were not made.
	unseen, older := max(p.Missing, 0), !p.AnsweredAt.IsZero() && p.AnsweredAt.Before(v.listedFrom())
	for _, o := range orders {
		if !shown.has(p, o) {
			unseen++
			v.unshown = append(v.unshown, o)
			if alike && !older && o.State == store.Failed {
				v.failed++
			}
		}
	}
	if unseen > 0 {
		v.bought = append(v.bought, itemOf(p))
	}
	switch {
	// Older ones were accepted so long ago that the list has to have shown them before this purchase, if under another name: countOlder
	// takes those off that it finds there. Newer ones may come to show at any look.
	case unseen == 0:
	case older:
		v.waiting = true
		if alike {
			v.older += unseen
		}
	default:
		v.unseen = true
		if alike {
			v.found.own += unseen
			if p.Missing > 0 && !p.MissesPaid() {
				v.unsold += p.Missing
			}
		}
	}
	return nil
}

// countFailed counts the orders of the list that our failed ones are which it cannot be seen to show, for they never get
// a code: failed ones of nobody that it held before the purchase.
func (v *evidence) countFailed(ctx context.Context, list []api.Order) error {
	for _, o := range list {
		if v.failed == v.found.accounted || o.Stage() != api.Broken || !v.wasThereAlike(o) {
			continue
		}
		whose, err := v.owner(ctx, o)
		if err != nil {
			return err
		}
		if whose == nobody {
			v.found.accounted++
		}
	}
	return nil
}

// wasThereAlike reports whether the list held an order of the same item before the purchase.
func (v *evidence) wasThereAlike(o api.Order) bool {
	return o.ID != "" && wasThere(v.of, o) && itemIn(v.of, o).alike(itemOf(v.of))
}

// countOlder counts the older orders of ours that are not among those which the list held before the purchase.
func (v *evidence) countOlder(ctx context.Context, list []api.Order) error {
	for _, o := range list {
		if v.older == 0 || !v.wasThereAlike(o) {
			continue
		}
		whose, err := v.owner(ctx, o)
		if err != nil {
			return err
		}
		if whose == nobody {
			v.older--
		}
	}
	v.found.own += v.older
	return nil
}

// listIndex is what a list shows: which of its entries have a name, and a code.
type listIndex struct {
	names, codes map[string]int
}

// indexOf is what a list shows, to be looked up.
func indexOf(list []api.Order) listIndex {
	l := listIndex{names: map[string]int{}, codes: map[string]int{}}
	// Backward, so that of two entries with one name the first of the list stands.
	for i, o := range slices.Backward(list) {
		for _, name := range []string{o.ID, o.Transaction} {
			if name != "" {
				l.names[orderid.Fold(name)] = i
			}
		}
		if store.Telling(o.Code) {
			l.codes[o.Code.Reveal()] = i
		}
	}
	return l
}

// find finds an order of ours in a list: by its names where the list has it under them (listedByName), by its code else. Where neither
// tells, it is not known to be there.
func (l listIndex) find(o store.Order, byName bool) (at int, shown bool) {
	if !byName {
		at, shown = l.codes[o.Code.Reveal()]
		return at, shown
	}
	if at, shown = l.names[orderid.Fold(o.ServiceID())]; shown || o.Other == "" {
		return at, shown
	}
	at, shown = l.names[orderid.Fold(o.Other)]
	return at, shown
}

// has reports whether the list is seen to show an order of a purchase of ours.
func (l listIndex) has(p store.Purchase, o store.Order) bool {
	_, shown := l.find(o, listedByName(p, o))
	return shown
}

// shows reports whether the list is seen to show an order of ours by its code.
func (l listIndex) shows(o store.Order) bool {
	_, shown := l.find(o, false)
	return shown
}
