package purchase

import (
	"cmp"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// priceMatch is a change that is explained with purchases which are known to have been bought, at another price than was shown for them.
type priceMatch struct {
	places []int       // of the purchases in Wallet.Expected: one, or several that only do so together
	price  dzd.Amount  // of the first of them
	rest   explanation // of what is left of the change
	unsure bool        // others explain it as well, and it makes a difference which of them it is
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
				all = append(all, priceMatch{places: []int{i}, price: named, rest: rest})
			}
		}
	}
	return all
}

// matchTogether is priceMatches for purchases of which none explains the change by itself: all of them, those that no reading has shown, or those
// whose difference goes now; false where none of these do.
func matchTogether(w store.Wallet, change dzd.Amount, causes []cause) (m priceMatch, so bool) {
	for _, among := range []func(store.Expected) bool{
		func(store.Expected) bool { return true }, isUnshown, func(x store.Expected) bool { return !isUnshown(x) },
	} {
		m = priceMatch{}
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
			if m.places = append(m.places, i); len(m.places) == 1 {
				m.price = *x.Instead
			}
		}
		if m.rest = likeliest(rest, others); len(m.places) > 1 && m.rest.ways > 0 {
			return m, true
		}
	}
	return m, false
}

// matchOtherPrice finds what is likeliest of all other prices that explain a change; sure is false where none does, or several do equally
// well that are not alike. Of two prices of one purchase it is the one beside which more of what is due has shown: isEitherPrice tells
// whether that can be waited for.
func matchOtherPrice(w store.Wallet, change dzd.Amount, causes []cause) (best priceMatch, sure bool) {
	all := priceMatches(w, change, causes)
	if m, so := matchTogether(w, change, causes); so {
		all = append(all, m)
	}
	for i, m := range all {
		switch by := m.weight(w).compare(best.weight(w)); {
		case i == 0, by < 0:
			best = m
		case by == 0 && !isAlike(w, m, best):
			best.unsure = true
		}
	}
	return best, len(all) > 0 && !best.unsure
}

// isAlike reports whether it makes no difference which of two purchases a change is explained with: they were to cost the same, and may have cost
// the same.
func isAlike(w store.Wallet, a, b priceMatch) bool {
	x, y := w.Expected[a.places[0]], w.Expected[b.places[0]]
	return len(a.places) == len(b.places) && a.price.Equal(b.price) && x.Amount.Equal(y.Amount) && isUnshown(x) == isUnshown(y)
}

// isEitherPrice reports whether a purchase explains a change at more than one price, and at one of them only with the price of another that was
// accepted lately: no reading has to show that one yet (takesRecent).
//
// Example: the orders of a purchase name 150, or 300 if all of it was sold. 150 are due for another, bought a minute ago. A reading that
// lacks 300 may be either; one that lacks 450 tells.
func isEitherPrice(a store.Account, change dzd.Amount, causes []cause, at time.Time) bool {
	all := priceMatches(a.Wallet, change, causes)
	return slices.ContainsFunc(all, func(m priceMatch) bool {
		other := func(n priceMatch) bool { return n.places[0] == m.places[0] && !n.price.Equal(m.price) }
		return takesRecent(a, m.rest, at) && slices.ContainsFunc(all, other)
	})
}

// takesRecent reports whether an explanation takes the price of a purchase that was accepted so lately that no reading has to show it yet.
func takesRecent(a store.Account, x explanation, at time.Time) bool {
	return slices.ContainsFunc(x.chosen, func(c cause) bool { return c.kind == due && isRecent(a, c.place, at) })
}

// isRecent reports whether no reading has to show the price of a purchase yet. It has to a little before memoryOf is over: then it is taken to
// have shown (forget), or called untaken where the purchase has failed (endUntaken).
func isRecent(a store.Account, place int, at time.Time) bool {
	return at.Sub(a.Wallet.Expected[place].At) < memoryOf(a)*15/16
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

// contested finds the other price of a purchase that is known to have been bought, where a change is explained as well with one of which that is
// not known, or with the price that was shown and with less that is known.
func contested(w store.Wallet, x explanation, change dzd.Amount, causes []cause) (m priceMatch, so bool) {
	if change.IsZero() || x.ways != 1 {
		return m, false
	}
	m, _ = matchOtherPrice(w, change, causes)
	if len(m.places) > 0 && (m.weight(w).compare(weigh(w, x)) < 0 || x.only() && x.has(doubted, denied)) {
		return m, true
	}
	return priceMatch{}, false
}

// isEarly reports whether a later reading may still tell: a price of the purchases, or of another that is due beside them, does not have to
// show yet.
func (m priceMatch) isEarly(a store.Account, at time.Time) bool {
	recent := func(place int) bool { return isRecent(a, place, at) }
	return slices.ContainsFunc(m.places, recent) || takesRecent(a, m.rest, at)
}

// isLikelier reports whether the other price explains a change with less that is not known than an explanation without it, and it is certain which
// purchase's it is.
//
// Example: 200 were shown for two units, and the one order that is known names 100. Two purchases of 100 are uncertain, and 300 are gone: either
// both units were sold and one of those two was bought, or one unit was sold and both were. The second is not likelier.
func (m priceMatch) isLikelier(w store.Wallet, x explanation) bool {
	return !m.unsure && m.weight(w).compare(weigh(w, x)) < 0
}

// weight is what is known of all that explains a change at the other price. Of a purchase that a reading has shown at another price already, nothing
// more shows by it. Where what is left has more than one explanation, or too many to tell, or needs an older reading, nothing is known of it: it is
// likelier than none that has one.
func (m priceMatch) weight(w store.Wallet) weight {
	out := weigh(w, m.rest)
	out.open = !m.rest.only()
	for _, place := range m.places {
		if isUnshown(w.Expected[place]) {
			out.known++
		}
	}
	return out
}

// weight is what is known of the causes in an explanation.
type weight struct {
	open    bool // it is not one explanation
	denied  int  // purchases that were said not to have happened
	unknown int  // those that may not have happened, refunds that nobody has seen come, and what only a reading from before would show
	known   int  // prices that are known to go, or that a person says did
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

// compare tells which of two explanations is likelier: less than zero where the first is. It is one explanation, needs less that is not known, or
// shows more that is.
func (a weight) compare(b weight) int {
	switch {
	case a.open && !b.open:
		return 1
	case b.open && !a.open:
		return -1
	}
	return cmp.Or(cmp.Compare(a.denied, b.denied), cmp.Compare(a.unknown, b.unknown), cmp.Compare(b.known, a.known))
}

// deniedInstead names the purchases that were said not to have happened, and that explain a change beside the other price, where an uncertain
// purchase alone does so as well. That is likelier; and they are asked about.
func (m priceMatch) deniedInstead(w store.Wallet, x explanation) (ids []string) {
	if m.unsure || x.has(denied) {
		return nil
	}
	for _, cause := range m.rest.chosen {
		if cause.kind == denied {
			ids = append(ids, w.Expected[cause.place].Purchase)
		}
	}
	return ids
}
