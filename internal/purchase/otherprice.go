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
// or several do equally well that are not alike. Where several do together, it is the first. Of two prices of one purchase it is the one
// beside which more of what is due has shown: isEitherPrice tells whether that can be waited for.
func matchOtherPrice(w store.Wallet, change dzd.Amount, causes []cause) (found int, price dzd.Amount) {
	var best contest
	var several bool
	for i, c := range contests(w, change, causes) {
		switch by := c.weight(w).compare(best.weight(w)); {
		case i == 0, by < 0:
			best, several = c, false
		case by == 0 && !isAlike(w, c.priceMatch, best.priceMatch): // neither is taken
			several = true
		}
	}
	if several || best.rest.ways == 0 {
		return -1, dzd.Amount{}
	}
	return best.place, best.price
}

// isAlike reports whether it makes no difference which of two purchases a change is explained with: they were to cost the same, and may have cost
// the same.
func isAlike(w store.Wallet, a, b priceMatch) bool {
	x, y := w.Expected[a.place], w.Expected[b.place]
	return a.price.Equal(b.price) && x.Amount.Equal(y.Amount) && isUnshown(x) == isUnshown(y)
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

// matchTogether is priceMatches for purchases of which none explains the change by itself: all of them, those that no reading has shown, or those
// whose difference goes now. It is told as one of the first, and how many of them no reading has shown; the place is -1 where they do not explain
// it either.
func matchTogether(w store.Wallet, change dzd.Amount, causes []cause) (m priceMatch, unshown int) {
	for _, among := range []func(store.Expected) bool{
		func(store.Expected) bool { return true }, isUnshown, func(x store.Expected) bool { return !isUnshown(x) },
	} {
		m, unshown = priceMatch{place: -1}, 0
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
			if m.place < 0 {
				m.place, m.price = i, *x.Instead
			}
			if isUnshown(x) {
				unshown++
			}
		}
		if m.rest = likeliest(rest, others); m.place >= 0 && m.rest.ways > 0 {
			return m, unshown
		}
	}
	return priceMatch{place: -1}, 0
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

	known int // purchases of which this is the first price that a reading shows
}

// contested finds the other price of a purchase that is known to have been bought, where a change is explained as well with one of which that is
// not known, or with the price that was shown and with less that is known.
func contested(w store.Wallet, x explanation, change dzd.Amount, causes []cause) (c contest, so bool) {
	if change.IsZero() || x.ways != 1 {
		return c, false
	}
	best := weigh(w, x)
	for _, other := range contests(w, change, causes) {
		if weight := other.weight(w); other.rest.only() && weight.compare(best) < 0 {
			c, best, so = other, weight, true
		}
	}
	if so || !x.only() || !x.has(doubted, denied) {
		return c, so
	}
	place, price := matchOtherPrice(w, change, causes)
	if place < 0 {
		return c, false
	}
	for _, c := range contests(w, change, causes) {
		if c.place == place && c.price.Equal(price) {
			return c, true
		}
	}
	return c, false
}

// contests lists the other prices that explain a change: of each purchase by itself, and of all together.
func contests(w store.Wallet, change dzd.Amount, causes []cause) (all []contest) {
	for _, m := range priceMatches(w, change, causes) {
		c := contest{priceMatch: m}
		if isUnshown(w.Expected[m.place]) {
			c.known = 1
		}
		all = append(all, c)
	}
	if m, unshown := matchTogether(w, change, causes); m.place >= 0 {
		all = append(all, contest{m, unshown})
	}
	return all
}

// isEarly reports whether a later reading may still tell: a price of the purchase, or of another that is due beside it, does not have to show
// yet.
func (c contest) isEarly(a store.Account, at time.Time) bool {
	return isRecent(a, a.Wallet.Expected[c.place], at) || takesRecent(a, c.rest, at)
}

// isLikelier reports whether the other price explains a change with less that is not known than an explanation without it.
//
// Example: 200 were shown for two units, and the one order that is known names 100. Two purchases of 100 are uncertain, and 300 are gone: either
// both units were sold and one of those two was bought, or one unit was sold and both were. The second is not likelier.
func (c contest) isLikelier(w store.Wallet, x explanation) bool {
	return c.weight(w).compare(weigh(w, x)) < 0
}

// weight is what is known of all that explains a change at the other price.
func (c contest) weight(w store.Wallet) weight {
	out := weigh(w, c.rest)
	out.known += c.known
	return out
}

// weight is what is known of the causes in an explanation.
type weight struct {
	denied  int // purchases that were said not to have happened
	unknown int // those that may not have happened, refunds that nobody has seen come, and what only a reading from before would show
	known   int // prices that are known to go, or that a person says did
}

// weigh counts what is known of the causes in an explanation.
func weigh(w store.Wallet, x explanation) (out weight) {
	for _, c := range x.chosen {
		switch {
		case c.kind == due, c.kind == doubted && w.Expected[c.place].Said:
			out.known++
		case c.kind == denied:
			out.denied++
		default:
			out.unknown++
		}
	}
	return out
}

// compare tells which of two explanations is likelier: less than zero where the first is. It needs less that is not known, or shows more that
// is.
func (a weight) compare(b weight) int {
	return cmp.Or(cmp.Compare(a.denied, b.denied), cmp.Compare(a.unknown, b.unknown), cmp.Compare(b.known, a.known))
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
