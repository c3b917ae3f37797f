package store

import (
	"strings"

	"resellerbot/internal/api/dzd"
)

// What a purchase has cost, and what is missing of what was paid.

// PaidFor is what an order of the purchase cost: what was charged for it, where that is not what was shown. An order may be of
// several units: then its own price is known to be theirs.
func (p Purchase) PaidFor(o Order) dzd.Amount {
	switch {
	case p.Charged == nil && p.HoldsSeveral() && !o.Price.IsZero():
		return o.Price
	case p.Charged == nil && p.HoldsSeveral() && len(p.OrderIDs) == 1:
		return p.Total
	case p.Charged == nil:
		return p.Price
	case len(p.OrderIDs) == 1 && !p.PaidAll:
		return *p.Charged
	}
	return o.Price // what was charged is the sum of these
}

// Cost is what all of the purchase is known to have cost: what was charged for it, else what was shown.
func (p Purchase) Cost() dzd.Amount {
	if p.Charged != nil {
		return *p.Charged
	}
	return p.Total
}

// HoldsSeveral reports whether an order of the purchase is of several units: it has fewer orders than units, and none is missing.
func (p Purchase) HoldsSeveral() bool {
	return p.Missing == 0 && len(p.OrderIDs) > 0 && len(p.OrderIDs) < p.Quantity
}

// UnitsCharged is how many units the service has charged for, where it has charged less than the total and orders are missing: an order
// may be of several units. It is 0 where what was charged is no multiple of the price that could be.
func (p Purchase) UnitsCharged() int {
	if p.Charged == nil || p.PaidAll || p.Price.IsZero() {
		return 0
	}
	for n := len(p.OrderIDs); n < p.Quantity; n++ {
		if cost, err := p.Price.Mul(n); err == nil && cost.Equal(*p.Charged) {
			return n
		}
	}
	return 0
}

// SeeksMissing reports whether orders that its answer left out are still looked for.
func (p Purchase) SeeksMissing() bool {
	return p.Phase == Accepted && p.Seeks > 0 && p.MissesPaid()
}

// MissesPaid reports whether orders are missing of units that were paid: the total was, as far as is known, or another price for all of them.
func (p Purchase) MissesPaid() bool { return p.Missing > 0 && (p.Charged == nil || p.PaidAll) }

// LacksLines reports whether orders of several units have all come, and their codes have fewer lines than there are units.
func (p Purchase) LacksLines(orders []Order) bool {
	return p.HoldsSeveral() && showFewer(orders, p.Quantity)
}

// LacksCharged reports whether orders have all come, one of them at least is of several units by what was charged, and their codes have
// fewer lines than units were charged.
func (p Purchase) LacksCharged(orders []Order) bool {
	charged := p.UnitsCharged()
	return charged > len(orders) && showFewer(orders, charged)
}

// showFewer reports whether orders have all come, and show the codes of fewer units than that.
func showFewer(orders []Order, units int) bool {
	shown := 0
	for _, o := range orders {
		if o.State != Ready {
			return false
		}
		for _, code := range o.Codes() {
			shown += unitsIn(code.Reveal())
		}
	}
	return len(orders) > 0 && shown < units
}

// unitsIn is how many units a code may be of: one for each line, or for what stands together under names, as a code and its PIN do.
func unitsIn(code string) (n int) {
	for unit := range strings.SplitSeq(code, "\n\n") {
		names, lines := map[string]bool{}, 0
		for line := range strings.Lines(unit) {
			if line = strings.TrimSpace(line); line != "" {
				lines++
				if name, _, ok := strings.Cut(line, ": "); ok {
					names[name] = true
				}
			}
		}
		if lines > 0 && len(names) == lines {
			lines = 1
		}
		n += lines
	}
	return n
}
