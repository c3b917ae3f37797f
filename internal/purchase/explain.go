package purchase

import (
	"cmp"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// cause is something that may have moved a balance between two readings of it.
type cause struct {
	kind   causeKind
	amount dzd.Amount // what it does to the balance
	place  int        // in the wallet, of an expected change
	order  string     // id of the order, of a refund
}

// causeKind is how much is known about a cause.
type causeKind uint8

const (
	due            causeKind = iota // it happened: sooner or later a reading shows it, and from then on each
	refund                          // the service gives it back by itself: it comes, and it is not known when
	doubted                         // an uncertain purchase
	possibleRefund                  // the refund of an order that may have failed since anybody looked
	olderReading                    // it was shown before, and this reading is older
	denied                          // a purchase that was said not to have happened
)

// mostSums is how many different sums are looked at before causes count as too many to tell.
const mostSums = 4096

// explanation is how causes make a change. ways is 0 where none do, 1 where they do in one way, 2 where in several
// or where there are too many to tell. chosen is the one way.
type explanation struct {
	ways   int
	chosen []cause
}

// group is causes that cannot be told apart: those of a kind and an amount, oldest first.
type group struct {
	causes []cause
}

// sum is one sum that causes make: in how many ways (2 for more than one), and the last step of one of them.
type sum struct {
	amount dzd.Amount
	ways   int
	taken  []cause
	before *sum
}

// explain tells how some of the causes make a change. Which of several alike they are makes no difference: the
// oldest are taken.
//
// Example: the change is -300. With two purchases of 300 that are due there is one way, the older of them: they are one group. With one
// of 300 that is due and an uncertain one of 300 there are two ways, and nothing is concluded. A change of zero is always explained,
// by no cause at all.
//
// It walks the sums that subsets of the causes make, group by group, and keeps one way to each: with groups of alike
// causes there are far fewer sums than subsets. Sums are keyed by their text, in which equal amounts are equal.
func explain(change dzd.Amount, causes []cause) explanation {
	sums, ok := sumsOf(causes)
	// Too many causes to tell is the same as several ways: nothing is concluded from it, and nobody is accused.
	if !ok {
		return explanation{ways: 2}
	}
	found := sums[change.String()]
	if found == nil {
		return explanation{}
	}
	e := explanation{ways: found.ways}
	for s := found; s != nil; s = s.before {
		e.chosen = append(e.chosen, s.taken...)
	}
	return e
}

// sumsOf is what subsets of causes add up to, by its text. ok is false where there are too many of them.
func sumsOf(causes []cause) (sums map[string]*sum, ok bool) {
	nothing := &sum{ways: 1}
	sums, walked := map[string]*sum{"0": nothing}, []*sum{nothing}
	for _, g := range grouped(causes) {
		next, reached := make(map[string]*sum, 2*len(sums)), make([]*sum, 0, 2*len(sums))
		// In the order in which they were reached: of two ways to a sum, the same one is kept each time.
		for _, s := range walked {
			amount := s.amount
			for n := 0; n <= len(g.causes); n++ {
				if n > 0 {
					amount = amount.Add(g.causes[n-1].amount)
				}
				key := amount.String()
				// Two ways lead to one sum; that is all that matters of them, so the first one is kept.
				if old := next[key]; old != nil {
					old.ways = 2
					continue
				}
				// A sum that could be reached in two ways stays ambiguous in whatever is built on it: ways is handed on.
				next[key] = &sum{amount: amount, ways: s.ways, taken: g.causes[:n], before: s}
				reached = append(reached, next[key])
			}
		}
		if sums, walked = next, reached; len(sums) > mostSums {
			return nil, false
		}
	}
	return sums, true
}

// grouped puts causes together that cannot be told apart.
func grouped(causes []cause) []group {
	var groups []group
	for _, c := range causes {
		i := slices.IndexFunc(groups, func(g group) bool { return g.causes[0].kind == c.kind && g.causes[0].amount.Equal(c.amount) })
		if i < 0 {
			groups = append(groups, group{})
			i = len(groups) - 1
		}
		groups[i].causes = append(groups[i].causes, c)
	}
	return groups
}

// likeliest explains a change with as little as does it: what is sure to come before what may have come, readings
// that are older than the last before anything that was denied, and either of the two before both.
//
// An uncertain purchase stands in the first round, with what is sure. Its price is what the reading is asked for, so money that fits it
// must not be taken for an older reading. The rounds are tried one after the other and are not added up: a change that what is sure
// explains in one way is not ambiguous because a denied purchase explains it too.
func likeliest(change dzd.Amount, causes []cause) explanation {
	for _, some := range byLikelihood(causes) {
		if e := explain(change, some); e.ways > 0 {
			return e
		}
	}
	return explanation{}
}

// byLikelihood is which of the causes are tried one after the other.
func byLikelihood(causes []cause) (tried [][]cause) {
	for _, kinds := range [][]causeKind{
		{due, refund, doubted},
		{due, refund, doubted, possibleRefund},
		{due, refund, doubted, possibleRefund, olderReading},
		{due, refund, doubted, possibleRefund, denied},
		{due, refund, doubted, possibleRefund, denied, olderReading},
	} {
		tried = append(tried, slices.DeleteFunc(slices.Clone(causes), func(c cause) bool { return !slices.Contains(kinds, c.kind) }))
	}
	return tried
}

// only reports whether there is one explanation, and that it is what has happened since the last reading.
func (e explanation) only() bool { return e.ways == 1 && !e.has(olderReading) }

// has reports whether an explanation takes a cause of a kind.
func (e explanation) has(kinds ...causeKind) bool {
	return slices.ContainsFunc(e.chosen, func(c cause) bool { return slices.Contains(kinds, c.kind) })
}

// isOnly reports whether an explanation takes causes of one kind alone.
func (e explanation) isOnly(kind causeKind) bool {
	return len(e.chosen) > 0 && !slices.ContainsFunc(e.chosen, func(c cause) bool { return c.kind != kind })
}

// charge is what the wallet says about an uncertain purchase.
type charge uint8

const (
	unclear   charge = iota // not readable, or explained in more than one way
	charged                 // its price is gone
	uncharged               // everything is there
	returned                // its price was gone, and as much is back
)

// chargeOf tells what a change of what can be spent says about an uncertain purchase of a total, beside the other
// causes that there are: it is charged only if nothing else explains the change, and not charged only if it could
// not explain it.
func chargeOf(change, total dzd.Amount, others []cause) charge {
	kept, gone := explain(change, others), explain(change.Add(total), others)
	switch {
	case kept.ways > 0 && gone.ways == 0:
		return uncharged
	case gone.ways > 0 && kept.ways == 0:
		return charged
	}
	return unclear
}

// spendable is what can be spent by the last explained reading, without what is sure to come and has not shown.
//
// Available has all prices of accepted purchases taken out, whether or not a reading shows them. spendable is what the next reading shows
// if nothing happens. level is that and what is not explained. Example: 1000 could be spent, a
// purchase of 300 was accepted and has not shown, and 50 went that nothing explains. Available is 700, spendable 1000, level 950.
func spendable(w store.Wallet) dzd.Amount { return w.Available.Sub(unshown(w)) }

// unshown is what purchases have taken, or refunds brought, that no reading has shown: less than nothing for prices.
func unshown(w store.Wallet) (sum dzd.Amount) {
	for _, x := range w.Expected {
		if isUnshown(x) {
			sum = sum.Add(x.Amount)
		}
	}
	return sum
}

// level is what can be spent by the last readings, also what of it nothing explains: a change of them is counted from here. What more than one
// thing may explain is not in it.
func level(w store.Wallet) dzd.Amount {
	if w.Unexplained == nil {
		return spendable(w)
	}
	return spendable(w).Add(w.Unexplained.Amount)
}

// Lacks tells by how much, in DZD, a reading of what can be spent may be too high, for it may be older than purchases made here: zero
// where the prices of the latest do not add up to that, by themselves or beside what had stood without an explanation before they were made.
func Lacks(w store.Wallet, available dzd.Amount, at time.Time) dzd.Amount {
	if !w.Read {
		return dzd.Amount{}
	}
	var bought []cause
	for _, x := range w.Expected {
		certain := isAccepted(x) && !x.Before
		if certain && (x.Seen.IsZero() || at.Sub(x.Seen) < recall) {
			bought = append(bought, cause{amount: dzd.Amount{}.Sub(x.Amount)})
		}
	}
	above := available.Sub(w.Available) // all that was accepted is taken out of it
	for _, beside := range stoodBefore(w) {
		if lacks := above.Sub(beside); lacks.Sign() > 0 && len(explain(lacks, bought).chosen) > 0 {
			return lacks
		}
	}
	return dzd.Amount{}
}

// stoodBefore is nothing, and money that has come and stands without an explanation since before all purchases were made that no reading has
// shown: it most likely stands on. What began to stand later, or has gone, may hold their prices.
func stoodBefore(w store.Wallet) []dzd.Amount {
	s, none := w.Unexplained, dzd.Amount{}
	if s == nil || s.Amount.Sign() < 0 || slices.ContainsFunc(w.Expected, func(x store.Expected) bool { return isUnshown(x) && !x.At.After(s.Since) }) {
		return []dzd.Amount{none}
	}
	return []dzd.Amount{none, s.Amount}
}

// Resume goes on with an account that was left by everybody, and is linked again, and returns by how much, in DZD, what can be spent has
// moved beside purchases made here, where that is certain: it is told with the link, and the balance is explained anew from there.
//
// It is zero where purchases made here explain the balance, and where nobody can tell yet: the account was left so lately that the
// reading may be older, an order is open, or a refund awaited. Then the explaining goes on from where it was, and what it does not find
// is told as it always is.
func Resume(a *store.Account, available dzd.Amount, at time.Time) dzd.Amount {
	w := a.Wallet
	lately := a.Former != nil && at.Sub(a.Former.At) < max(recall, memoryOf(*a))
	if lately || !w.Read || a.Open > 0 || len(a.Refunds) > 0 || explain(available.Sub(spendable(w)), causesOf(w, "", at, recall)).ways > 0 {
		return dzd.Amount{}
	}
	a.Wallet.Read = false
	return available.Sub(w.Available) // what was accepted is taken out of it, whether it has shown or not
}

// isExplained reports whether what can be spent is what it has to be at a moment, but for which of our purchases show already.
func isExplained(w store.Wallet, available dzd.Amount, at time.Time) bool {
	change := available.Sub(level(w))
	return w.Read && (change.IsZero() || isOurs(w, change, causesOf(w, "", at, recall)))
}

// kindOf is how much is known about an expected change at a moment; false where it does not matter any more.
// memory is how long a reading may go back to before it.
func kindOf(x store.Expected, now time.Time, memory time.Duration) (causeKind, bool) {
	switch {
	case x.MayGo != "":
		return 0, false
	case !x.Seen.IsZero():
		return olderReading, now.Sub(x.Seen) < memory
	case x.Denied:
		return denied, !isOver(x, now)
	case x.Doubtful, x.Before:
		return doubted, true
	}
	return due, true
}

// causesOf lists what may have moved a wallet, beside the price of one purchase.
func causesOf(w store.Wallet, but string, now time.Time, memory time.Duration) []cause {
	var out []cause
	for i, x := range w.Expected {
		kind, counts := kindOf(x, now, memory)
		if !counts || but != "" && x.Purchase == but {
			continue
		}
		amount := x.Amount
		if kind == olderReading {
			amount = dzd.Amount{}.Sub(amount)
		}
		out = append(out, cause{kind: kind, amount: amount, place: i})
	}
	// place is an index into Expected as it is now: it is good until the next append or delete there.
	//
	// By kind, and within a kind the oldest first: of alike causes explain takes the first ones.
	slices.SortStableFunc(out, func(a, b cause) int { return cmp.Compare(a.kind, b.kind) })
	return out
}

// priceDifferences lists by how much more or less than was shown purchases may have cost that the balance does not show yet.
func priceDifferences(w store.Wallet, but string) (out []cause) {
	for i, x := range w.Expected {
		if x.Purchase == but || !isUnshown(x) {
			continue
		}
		for _, price := range namedPrices(x) {
			out = append(out, cause{kind: due, amount: price.Sub(x.Amount), place: i})
		}
	}
	return out
}
