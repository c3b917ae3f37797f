package store

import (
	"resellerbot/internal/ledger"
)

// Trades is what a shop makes of several purchases, by their id: of what a list has bought.
type Trades map[string]Trade

// InStock is how many units can be sold, and what they are sold for together by the shop's rules; false where there are none, or
// the rules say nothing of one of them.
func (all Trades) InStock(bought map[string]Purchase) (units int, total ledger.Money, ok bool) {
	for id, t := range all {
		for _, u := range t.InStock() {
			q, priced := t.Price(bought[id], u)
			if !priced {
				return 0, 0, false
			}
			units, total = units+1, total+q.Price
		}
	}
	return units, total, units > 0
}

// Sold is how many units are sold, and for how much.
func (all Trades) Sold() (units int, total ledger.Money) {
	for _, t := range all {
		for _, u := range t.Sold() {
			units, total = units+1, total+u.Price
		}
	}
	return units, total
}

// Turn is how often units of them were sold: it names the card that shows them, as that of one purchase does.
func (all Trades) Turn() (n int) {
	for _, t := range all {
		n += t.Turn()
	}
	return n
}

// Debtor is the one customer who has bought all that is sold, on credit; false where there is none, or more than one.
func (all Trades) Debtor() (c Customer, ok bool) {
	for _, t := range all {
		_, total := Trades{"": t}.Sold()
		switch {
		case len(t.Sold()) == 0:
		case len(t.Debts) != 1 || t.Debts[0].Owed < total || t.Debts[0].Customer.ID == "" || ok && t.Debts[0].Customer.ID != c.ID:
			return Customer{}, false
		default:
			c, ok = t.Debts[0].Customer, true
		}
	}
	return c, ok
}

// Sales are the entries by which what is sold of some purchases was sold, each once.
func (all Trades) Sales() (entries []uint64) {
	seen := map[uint64]bool{}
	for _, t := range all {
		for _, u := range t.Sold() {
			if !seen[u.Sale] {
				seen[u.Sale], entries = true, append(entries, u.Sale)
			}
		}
	}
	return entries
}
