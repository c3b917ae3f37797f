package purchase

import (
	"cmp"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// priceMatch is a price at which a purchase explains a change, which is not the one that was shown.
type priceMatch struct {
	place int // of the purchase in Wallet.Expected
	price dzd.Amount
	rest  explanation // of what is left of the change at that price
}

// priceMatches lists the prices at which a purchase explains a change by itself: what its orders name instead of what was shown, or the
// difference, where that goes now.
func priceMatches(w store.Wallet, change dzd.Amount, causes []cause) (all []priceMatch) {
	for i, x := range w.Expected {
		for _, named := range namedPrices(x) {
			if m, so := matchAt(x, i, named, change, causes); so {
				all = append(all, m)
			}
		}
	}
	return all
}

// matchAt reports whether a purchase explains a change at a price.
func matchAt(x store.Expected, place int, price, change dzd.Amount, causes []cause) (m priceMatch, so bool) {
	moved, others, may := movedAt(x, place, price, causes)
	if !may {
		return m, false
	}
	m = priceMatch{place, price, likeliest(change.Sub(moved), others)}
	return m, m.rest.ways > 0
}

// matchOtherPrice finds the purchase that explains a change at another price than was shown, and which price that is; -1 where none does,
// or several do. Where several do together, it is the first. Of two prices of one purchase it is the one beside which more of what is due
// has shown: isEitherPrice tells whether that can be waited for.
func matchOtherPrice(w store.Wallet, change dzd.Amount, causes []cause) (found int, price dzd.Amount) {
	all := priceMatches(w, change, causes)
	if len(all) == 0 {
		return matchTogether(w, change, causes)
	}
	best := all[0]
	for _, m := range all[1:] {
		switch {
		case m.place != best.place, m.rest.count(due) == best.rest.count(due): // both explain it equally well: neither is taken
			return -1, dzd.Amount{}
		case m.rest.count(due) > best.rest.count(due):
			best = m
		}
	}
	return best.place, best.price
}

// isEitherPrice reports whether a purchase explains a change at more than one price, and at one of them only with the price of another that was
// accepted lately: no reading has to show that one yet (takesRecent).
//
// Example: the orders of a purchase name 150, or 300 if all of it was sold. 150 are due for another, bought a minute ago. A reading that
// lacks 300 may be either; one that lacks 450 tells.
func isEitherPrice(a store.Account, change dzd.Amount, causes []cause, at time.Time) bool {
	all := priceMatches(a.Wallet, change, causes)
	return slices.ContainsFunc(all, func(m priceMatch) bool {
		other := func(n priceMatch) bool { return n.place == m.place && !n.price.Equal(m.price) }
		return takesRecent(a, m.rest, at) && slices.ContainsFunc(all, other)
	})
}

// takesRecent reports whether an explanation takes the price of a purchase that was accepted so lately that no reading has to show it yet.
func takesRecent(a store.Account, x explanation, at time.Time) bool {
	return slices.ContainsFunc(x.chosen, func(c cause) bool { return c.kind == due && isRecent(a, a.Wallet.Expected[c.place], at) })
}

// isRecent reports whether no reading has to show a price yet. It has to a little before memoryOf is over: then it is taken to have shown
// (forget), or called untaken where the purchase has failed (endUntaken).
func isRecent(a store.Account, x store.Expected, at time.Time) bool {
	return at.Sub(x.At) < memoryOf(a)*15/16
}

// matchSurePrice is matchOtherPrice where it is certain which of its prices it is.
func matchSurePrice(a store.Account, change dzd.Amount, causes []cause, at time.Time) (found int, price dzd.Amount) {
	if isEitherPrice(a, change, causes, at) {
		return -1, dzd.Amount{}
	}
	return matchOtherPrice(a.Wallet, change, causes)
}

// matchTogether is matchOtherPrice for purchases of which none explains the change by itself: all of them, those that no reading has
// shown, or those whose difference goes now.
func matchTogether(w store.Wallet, change dzd.Amount, causes []cause) (first int, price dzd.Amount) {
	for _, among := range []func(store.Expected) bool{
		func(store.Expected) bool { return true }, isUnshown, func(x store.Expected) bool { return !isUnshown(x) },
	} {
		first = -1
		rest, others := change, causes
		for i, x := range w.Expected {
			if x.Instead == nil || !among(x) {
				continue
			}
			moved, left, may := movedAt(x, i, *x.Instead, others)
			if !may {
				continue
			}
			rest, others = rest.Sub(moved), left
			if first < 0 {
				first, price = i, *x.Instead
			}
		}
		if first >= 0 && likeliest(rest, others).ways > 0 {
			return first, price
		}
	}
	return -1, dzd.Amount{}
}

// movedAt is what a purchase moves if it cost a price that its orders name, and the causes that are left beside it; may is false
// where it is not known to have been bought.
//
// Example: 300 was shown, and its orders name 250. Where no reading has shown it, 250 go, and the 300 that are due do not. Where the 300
// have gone, 50 come back.
func movedAt(x store.Expected, place int, price dzd.Amount, causes []cause) (moved dzd.Amount, others []cause, may bool) {
	switch {
	case isUnshown(x):
		return price, slices.DeleteFunc(slices.Clone(causes), func(c cause) bool { return c.kind == due && c.place == place }), true
	case !x.Seen.IsZero() && !x.Doubtful && !x.Denied:
		return price.Sub(x.Amount), causes, true
	}
	return dzd.Amount{}, nil, false
}

// contest is another price of a purchase that is known to have been bought, which explains a change as well as what is likeliest does.
type contest struct {
	priceMatch
	unshown bool // no reading has shown a price of the purchase
}

// contested finds the other price of a purchase that is known to have been bought, where a change is explained as well with one of which that is
// not known, or with the price that was shown and less of what is due.
func contested(w store.Wallet, x explanation, change dzd.Amount, causes []cause) (c contest, so bool) {
	switch {
	case !x.only():
		return c, false
	case !x.has(doubted, denied):
		c.priceMatch, so = besideMore(w, x, change, causes)
		return contest{c.priceMatch, true}, so
	}
	place, price := matchOtherPrice(w, change, causes)
	if place < 0 {
		return c, false
	}
	known := w.Expected[place]
	moved, others, _ := movedAt(known, place, price, causes)
	return contest{priceMatch{place, price, likeliest(change.Sub(moved), others)}, isUnshown(known)}, true
}

// besideMore finds the other price of a purchase by which more of what is due has shown than by the one that was shown, with which a change is
// explained.
//
// Example: 200 were shown for two units, and the one order that is known names 100. Another purchase of 100 is due. Where 200 are gone,
// these are the two units, or one of them and the other purchase.
func besideMore(w store.Wallet, x explanation, change dzd.Amount, causes []cause) (m priceMatch, so bool) {
	for _, c := range x.dues() {
		for _, named := range namedPrices(w.Expected[c.place]) {
			m, so = matchAt(w.Expected[c.place], c.place, named, change, causes)
			if so && m.rest.only() && m.rest.isOnly(due) && m.rest.count(due) >= x.count(due) {
				return m, true
			}
		}
	}
	return m, false
}

// isEarly reports whether a later reading may still tell: a price of the purchase, or of another that is due beside it, does not have to show
// yet.
func (c contest) isEarly(a store.Account, at time.Time) bool {
	return isRecent(a, a.Wallet.Expected[c.place], at) || takesRecent(a, c.rest, at)
}

// isLikelier reports whether the other price needs less that is not known than an explanation without it: fewer purchases that were said not to
// have happened, or as many and fewer uncertain ones, or as many of these and more that are known to have been bought, or are said to.
//
// Example: 200 were shown for two units, and the one order that is known names 100. Two purchases of 100 are uncertain, and 300 are gone: either
// both units were sold and one of those two was bought, or one unit was sold and both were. The second is not likelier.
func (c contest) isLikelier(w store.Wallet, x explanation) bool {
	uncertain, known := weighed(w, c.rest)
	if c.unshown {
		known++
	}
	without, knownWithout := weighed(w, x)
	return cmp.Or(cmp.Compare(c.rest.count(denied), x.count(denied)), cmp.Compare(uncertain, without), cmp.Compare(knownWithout, known)) < 0
}

// weighed counts the purchases in an explanation: those of which it is not known whether they were bought, and those that are known to have been,
// or of which a person says so.
func weighed(w store.Wallet, x explanation) (uncertain, known int) {
	for _, c := range x.chosen {
		switch {
		case c.kind == due, c.kind == doubted && w.Expected[c.place].Said:
			known++
		case c.kind == doubted:
			uncertain++
		}
	}
	return uncertain, known
}

// deniedInstead names the purchases that were said not to have happened, and that explain a change beside the other price, where an uncertain
// purchase alone does so as well. That is likelier; and they are asked about.
func (c contest) deniedInstead(w store.Wallet, x explanation) (ids []string) {
	if x.has(denied) {
		return nil
	}
	for _, cause := range c.rest.chosen {
		if cause.kind == denied {
			ids = append(ids, w.Expected[cause.place].Purchase)
		}
	}
	return ids
}
