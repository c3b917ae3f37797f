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
	place  int // of the purchase in Wallet.Expected
	price  dzd.Amount
	beside []cause // what is due of others, and has shown then
}

// priceMatches lists the prices at which a purchase explains a change by itself: what its orders name instead of what was shown, or the
// difference, where that goes now.
func priceMatches(w store.Wallet, change dzd.Amount, causes []cause) (all []priceMatch) {
	for i, x := range w.Expected {
		for _, named := range namedPrices(x) {
			moved, others, may := movedAt(x, i, named, causes)
			if !may {
				continue
			}
			if rest := likeliest(change.Sub(moved), others); rest.ways > 0 {
				all = append(all, priceMatch{i, named, rest.dues()})
			}
		}
	}
	return all
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
		case m.place != best.place, len(m.beside) == len(best.beside): // both explain it equally well: neither is taken
			return -1, dzd.Amount{}
		case len(m.beside) > len(best.beside):
			best = m
		}
	}
	return best.place, best.price
}

// isEitherPrice reports whether a purchase explains a change at more than one price, and at one of them only with the price of another that was
// accepted lately: no reading has to show that one yet. It has to after half of memoryOf, and is called untaken after all of it.
//
// Example: the orders of a purchase name 150, or 300 if all of it was sold. 150 are due for another, bought a minute ago. A reading that
// lacks 300 may be either; one that lacks 450 tells.
func isEitherPrice(a store.Account, change dzd.Amount, causes []cause, at time.Time) bool {
	since := at.Add(-memoryOf(a) / 2)
	recent := func(c cause) bool { return a.Wallet.Expected[c.place].At.After(since) }
	all := priceMatches(a.Wallet, change, causes)
	return slices.ContainsFunc(all, func(m priceMatch) bool {
		other := func(n priceMatch) bool { return n.place == m.place && !n.price.Equal(m.price) }
		return slices.ContainsFunc(m.beside, recent) && slices.ContainsFunc(all, other)
	})
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

// contest is another price of a purchase that is known to have been bought, where a change is explained with one of which that is not known.
type contest struct {
	known int         // the purchase's place in Wallet.Expected; -1 where none has a price that explains the change just as well
	price dzd.Amount  // the other one that it may have cost
	rest  explanation // of what is left of the change at that price
}

// contested reports whether a change is explained with a purchase of which it is not known whether it was bought, and just as well by another
// price of one that is known to have been.
func contested(w store.Wallet, x explanation, change dzd.Amount, causes []cause) (c contest, so bool) {
	if !x.only() || !x.has(doubted, denied) {
		return contest{known: -1}, false
	}
	if c.known, c.price = matchOtherPrice(w, change, causes); c.known < 0 {
		return c, false
	}
	moved, others, _ := movedAt(w.Expected[c.known], c.known, c.price, causes)
	c.rest = likeliest(change.Sub(moved), others)
	return c, true
}

// isLikelier reports whether the other price needs less that is not known than an explanation without it: fewer purchases that were said not to
// have happened, or as many and fewer uncertain ones.
//
// Example: 200 were shown for two units, and the one order that is known names 100. Two purchases of 100 are uncertain, and 300 are gone: either
// both units were sold and one of those two was bought, or one unit was sold and both were. The second is not likelier.
func (c contest) isLikelier(x explanation) bool {
	return cmp.Or(cmp.Compare(c.rest.count(denied), x.count(denied)), cmp.Compare(c.rest.count(doubted), x.count(doubted))) < 0
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
