package screen

import (
	"cmp"
	"slices"

	"resellerbot/internal/ledger"
)

// Group is what was sold of one product, or by one seller.
type Group struct {
	Name       string // hostile text
	Units      int
	Sold, Cost ledger.Money
}

// grouped are the rows of a report under names, the largest first.
func (v ReportView) grouped(nameOf func(ledger.Row) (key, name string)) (all []Group) {
	at := map[string]int{}
	for _, r := range v.Flows.Rows {
		if v.Seller != 0 && r.Seller != v.Seller {
			continue
		}
		// Groups are told apart by the key, and called by the text of the first row: two sellers may have one name, and a product another
		// one than before.
		key, text := nameOf(r)
		i, known := at[key]
		if !known {
			i = len(all)
			at[key], all = i, append(all, Group{Name: text})
		}
		all[i].Units, all[i].Sold, all[i].Cost = all[i].Units+r.Units, all[i].Sold+r.Sold, all[i].Cost+r.Cost
	}
	all = slices.DeleteFunc(all, func(g Group) bool { return g.Units == 0 && g.Sold == 0 && g.Cost == 0 }) // all of it was undone
	slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(b.Sold, a.Sold) })
	return all
}

// products are what was sold of each product.
func (v ReportView) products() []Group {
	return v.grouped(func(r ledger.Row) (string, string) { return r.Product, r.Name })
}

// sellers are what each seller has sold.
func (v ReportView) sellers() []Group {
	return v.grouped(func(r ledger.Row) (string, string) { return id(r.Seller), cmp.Or(v.Sellers[r.Seller], id(r.Seller)) })
}

// sums are units and money of a seller, or of the whole shop.
func (v ReportView) sums() (units int, sold, cost ledger.Money) {
	for _, g := range v.products() {
		units, sold, cost = units+g.Units, sold+g.Sold, cost+g.Cost
	}
	// Of the whole shop they are read off the accounts, as all other lines of the report are; of one seller only the rows are known.
	if v.Seller == 0 {
		sold, cost = v.Flows.Sold(), v.Flows.Cost()
	}
	return units, sold, cost
}
