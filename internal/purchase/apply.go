package purchase

import (
	"slices"
	"time"

	"resellerbot/internal/store"
)

// apply writes down what explains a change.
func (e *Engine) apply(tx *store.Tx, a *store.Account, x explanation, waiting []store.Order, r reading) error {
	// Expected changes go first: a cause knows its own by its place in the wallet, and a refund adds to the list there, which
	// drops its oldest where it is full. Then every place is another one's.
	late, err := applyExpected(tx, a, x, r)
	if err != nil {
		return err
	}
	refunds := map[string]bool{} // by purchase: nobody has to take them up with the service
	for _, c := range x.chosen {
		if c.kind != refund {
			continue
		}
		o := waiting[slices.IndexFunc(waiting, func(o store.Order) bool { return o.ID == c.order })]
		a.Wallet.Available = a.Wallet.Available.Add(c.amount)
		if err := e.refunded(tx, a, o, c.amount, r); err != nil {
			return err
		}
		refunds[o.Purchase] = false
	}
	// Behind the loop: it reads the purchases with all of their orders, of which each has to be written by then.
	if err := e.settlePurchases(tx, a, refunds, r.at); err != nil {
		return err
	}
	// Last, for contradict moves purchases, and a move writes the account: it has to hold everything by then.
	return e.contradictAll(tx, a, late)
}

// contradictAll is contradict for several purchases.
func (e *Engine) contradictAll(tx *store.Tx, a *store.Account, ids []string) error {
	for _, id := range ids {
		if err := e.contradict(tx, a, id); err != nil {
			return err
		}
	}
	return nil
}

// applyExpected writes down which expected changes a reading shows, and names the purchases that this casts doubt on.
func applyExpected(tx *store.Tx, a *store.Account, x explanation, r reading) (late []string, err error) {
	var doubtful []cause
	for _, c := range x.chosen {
		if c.kind == refund || c.kind == possibleRefund { // what may be the refund of an order under way is found again once its order is known to have failed
			continue
		}
		// Said and Doubtful are asked before recordSaid, which clears both.
		said := a.Wallet.Expected[c.place].Said
		if a.Wallet.Expected[c.place].Doubtful {
			doubtful = append(doubtful, c)
		}
		late = append(late, showExpected(a, c.place, r)...)
		if err := showWhole(tx, a, c.place); err != nil {
			return nil, err
		}
		if !said {
			continue
		}
		if err := recordSaid(tx, a, c.place, r.at); err != nil {
			return nil, err
		}
	}
	return append(late, deniedOfSeveral(a.Wallet, doubtful, r.at.Add(-memoryOf(*a)))...), nil
}

// deniedOfSeveral names the purchases since a moment that were said not to have happened, and cost as much as several uncertain
// ones together that one reading shows: it may as well be any of them.
func deniedOfSeveral(w store.Wallet, doubtful []cause, since time.Time) (ids []string) {
	if len(doubtful) < 2 { // alikeDenied has asked for one
		return nil
	}
	for _, x := range w.Expected {
		if x.Denied && !x.At.Before(since) && x.Seen.IsZero() && explain(x.Amount, doubtful).ways > 0 {
			ids = append(ids, x.Purchase)
		}
	}
	return ids
}

// showWhole ends the wait for another price where a reading shows all that a purchase was to cost, and its orders name less since some
// of them are missing. Those were paid as well: what comes back of it later is their refund, and not another price.
func showWhole(tx *store.Tx, a *store.Account, i int) error {
	x := &a.Wallet.Expected[i]
	if x.Instead == nil || x.Seen.IsZero() {
		return nil
	}
	p, err := tx.Purchase(x.Purchase)
	if err != nil || !p.MissesPaid() {
		return err
	}
	x.Instead, x.Earlier = nil, nil
	return nil
}

// showExpected notes that a reading shows an expected change, and names the purchases that it casts doubt on.
//
// Where it is the price of a denied purchase, that one and all denied ones of the same price are named, however old: one of them was
// executed. Where it is that of an uncertain one, only those denied lately are: the money is most likely its own. So are those denied just before it
// showed, where it had to show long before by how late prices of the account ever were.
//
// Example: prices show within seconds. One of 100 has not for eleven minutes, since as much was added to the balance. Now 100 are gone, moments
// behind a purchase of 100 that the service has refused.
func showExpected(a *store.Account, i int, r reading) (late []string) {
	x := a.Wallet.Expected[i]
	had, known := hadToShow(*a, x)
	switch {
	case show(a, i, r):
		return append([]string{a.Wallet.Expected[i].Purchase}, alikeDenied(a.Wallet, i, time.Time{})...)
	case x.Doubtful:
		return alikeDenied(a.Wallet, i, r.at.Add(-memoryOf(*a)))
	case known:
		if just := r.firstAt().Add(-mostBetween); had.Before(just) {
			had = just
		}
		return alikeDenied(a.Wallet, i, had)
	}
	return nil
}

// hadToShow is when the price of an accepted purchase had to show by how late prices of the account ever did; false where that is not known.
func hadToShow(a store.Account, x store.Expected) (at time.Time, known bool) {
	lag := a.Lags[balanceLag]
	return x.At.Add(max(time.Minute, lagFactor*lag.Longest)), isAccepted(x) && lag.Seen >= lagSamples
}

// alikeDenied names the purchases since a moment that were said not to have happened, and cost as much as one that the
// money shows: it may as well be any of them.
func alikeDenied(w store.Wallet, shown int, since time.Time) (ids []string) {
	for i, x := range w.Expected {
		if i != shown && x.Denied && !x.At.Before(since) && x.Seen.IsZero() && x.Amount.Equal(w.Expected[shown].Amount) {
			ids = append(ids, x.Purchase)
		}
	}
	return ids
}

// show notes that a reading shows an expected change. late tells that it was said not to have happened.
func show(a *store.Account, i int, r reading) (late bool) {
	x := &a.Wallet.Expected[i]
	// Amount is negative for a price.
	if x.Doubtful || x.Denied || x.Before { // the others are in it already
		a.Wallet.Available = a.Wallet.Available.Add(x.Amount)
	}
	// How late it is, is known only where a look shortly before has not shown it.
	if x.Learn && isTimely(x.At, r.before, r.at) {
		learn(a, balanceLag, r.at.Sub(x.At), r.at)
	}
	// Doubtful and Denied stay: that money went says that as much was taken, and not yet for what.
	late = x.Denied
	x.Seen, x.Learn, x.Before = r.at, false, false
	return late
}
