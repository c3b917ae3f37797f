package purchase

import (
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// A service may show a balance in whole dinars although prices have fractions. How it rounds is not known, so a reading may be off by
// less than its finest unit, in either direction, and what is left over then is no money that moved.

// absorbRounding has the wallet begin with what the reading before has shown, where that was off by less than its finest unit: else this
// would add up from one purchase to the next.
//
// Example: the wallet has 900.50, and the reading before has shown 901. It has 901 from here on, so that a later price is held against
// what the service shows.
func absorbRounding(w *store.Wallet, before *dzd.Amount) {
	if before == nil || isUnaccounted(*w) {
		return
	}
	if base := spendable(*w); distance(*before, base).Less(finestUnit(nil, *before)) {
		w.Available = w.Available.Add(before.Sub(base))
	}
}

// unrounded is a reading as it would be if it had not been rounded: as what is known of the wallet and the likeliest of the causes make
// it. One that they explain as it is, or that is off by a whole unit or more, is left as it came; so is one that could be
// two: certain is false then. before is the reading before it.
//
// Example: the wallet has 1000, a price of 99.50 is due, and balances are shown in whole dinars. A reading of 900 or of 901 is taken for
// 900.50. With a second purchase of 99.80, either could be meant, and certain is false.
func unrounded(w store.Wallet, before *dzd.Amount, r reading, causes []cause) (_ reading, certain bool) {
	shown, unit, base := r.available, finestUnit(before, r.available), spendable(w)
	change := shown.Sub(base)
	// A price that orders name and that the reading shows just so was charged, whatever could be rounded to it. Behind this, causes are
	// never too many to tell: that would have explained it.
	if _, named := matchOtherPrice(w, change, causes); named || likeliest(change, causes).ways > 0 {
		return r, true
	}
	for _, some := range byLikelihood(causes) {
		sums, _ := sumsOf(some)
		var near []dzd.Amount
		for _, s := range sums {
			// What is so many of the unit would have been shown as it is, by a reading that is.
			if exact := base.Add(s.amount); distance(shown, exact).Less(unit) && (!isWholly(exact, unit) || !isWholly(shown, unit)) {
				near = append(near, exact)
			}
		}
		switch len(near) {
		case 0:
			continue
		case 1:
			r.available = near[0]
		}
		return r, len(near) == 1
	}
	return r, true
}

// finestUnit is the smallest amount, in DZD, in which balances are shown, by a reading and the one before it. What is less than a centime is no money
// that moved, however fine a reading is: a price with more decimals than an Amount has is rounded here, and may not be there.
//
// Example: a service charges 10 × 1267.01925 as 12670.1925, of which 10 × 1267.0192 is known.
func finestUnit(before *dzd.Amount, shown dzd.Amount) dzd.Amount {
	for _, unit := range []dzd.Amount{dzd.Int(1), dzd.Must("0.1")} {
		if isWholly(shown, unit) && (before == nil || isWholly(*before, unit)) {
			return unit
		}
	}
	return dzd.Must("0.01")
}

// tooFine reports whether two amounts lie closer together than the balance shows.
func tooFine(w store.Wallet, a, b dzd.Amount) bool {
	return w.Shown != nil && distance(a, b).Less(finestUnit(nil, *w.Shown))
}

// isWholly reports whether an amount is so many of a unit.
func isWholly(amount, unit dzd.Amount) bool {
	return amount.TenThousandths()%unit.TenThousandths() == 0
}

// distance is how far two amounts are apart.
func distance(a, b dzd.Amount) dzd.Amount { return size(a.Sub(b)) }

// size is an amount without its sign.
func size(a dzd.Amount) dzd.Amount {
	if a.Sign() < 0 {
		return dzd.Amount{}.Sub(a)
	}
	return a
}
