package screen

import (
	"slices"
	"strconv"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Trading is the part for a purchase that a shop makes something of.
func (p Purchases) Trading(t store.Trade) Purchases {
	p.trade = &t
	return p
}

// Traded is Status with what the shop makes of the purchase.
func (p Purchases) Traded(pu store.Purchase, orders []store.Order, b BalanceView, at store.QueuePlace, t store.Trade) Message {
	return p.Trading(t).Status(pu, orders, b, at)
}

// trades are the lines about what the shop makes of a purchase: its own price, or for how much it was sold.
func (p Purchases) trades(pu store.Purchase) string {
	if p.trade == nil {
		return ""
	}
	own := p.ownLine(pu, *p.trade)
	if own == p.total(pu) { // it stands above, in the place of the cost
		own = ""
	}
	text := lines(p.soldLine(*p.trade), own)
	if text == "" {
		return ""
	}
	return "\n" + text // an empty line between the codes and what is made of them
}

// cost is the total of a purchase. What the shop asks by now, which may be another price, says nothing of what is sold.
func (p Purchases) cost(pu store.Purchase) string {
	if _, asked := p.askedFor(pu, pu.Price); asked && p.trade != nil && len(p.trade.Sold()) > 0 && len(p.trade.InStock()) == 0 {
		return p.t("summary.units", locales.Args{"Quantity": number(pu.Quantity)})
	}
	return p.total(pu)
}

// soldLine is for how much units were sold, and who owes for them.
func (p Purchases) soldLine(t store.Trade) string {
	sold := t.Sold()
	if len(sold) == 0 {
		return ""
	}
	total := ledger.Money(0)
	for _, u := range sold {
		total += u.Price
	}
	line := p.t("sale.sold", locales.Args{"Price": p.booked(total)})
	// One customer owes all of it: one sentence says both. Else a part was paid, or several owe, and each debt is told beside the sum.
	if len(t.Debts) == 1 && t.Debts[0].Owed >= total {
		line = p.t("sale.credit", locales.Args{"Price": p.booked(total), "Name": p.customer(t.Debts[0].Customer)})
	} else {
		for _, d := range t.Debts {
			line = lines(line, p.t("sale.owes_part", locales.Args{"Name": p.customer(d.Customer), "Owed": p.booked(d.Owed)}))
		}
	}
	if left := len(t.Units) - len(sold); left > 0 {
		line = lines(line, p.t("sale.part", locales.Args{"Sold": number(len(sold)), "All": number(len(t.Units))}))
	}
	return line
}

// customer is who has bought; who was forgotten has no name.
func (p Printer) customer(c store.Customer) locales.HTML {
	if c.Forgot || c.Name.IsZero() {
		return locales.HTML(p.plain("customers.gone", nil))
	}
	return name(c.Name.Reveal())
}

// ownLine is what the shop asks for what is not sold.
func (p Purchases) ownLine(pu store.Purchase, t store.Trade) string {
	list, total, below := p.list(pu, t)
	switch {
	case len(list) == 0:
		return ""
	case below && p.asksFor(pu) == nil:
		return p.t("prices.own_below", locales.Args{"Price": p.booked(total)})
	case len(list) == 1, !allAlike(list):
		return p.t("prices.own", locales.Args{"Price": p.booked(total)})
	}
	return p.t("sale.own_all", locales.Args{"Count": number(len(list)), "Price": p.booked(list[0]), "Total": p.booked(total)})
}

// allAlike reports whether all prices of some are the same.
func allAlike(prices []ledger.Money) bool { return len(slices.Compact(slices.Clone(prices))) == 1 }

// list is the shop's prices of the units that are not sold, their sum, and whether that is less than they have cost; none
// where a unit has no price.
func (p Purchases) list(pu store.Purchase, t store.Trade) (all []ledger.Money, total ledger.Money, below bool) {
	var cost ledger.Money
	for _, u := range t.InStock() {
		q, ok := t.Price(pu, u)
		if !ok {
			return nil, 0, false
		}
		all, total, cost = append(all, q.Price), total+q.Price, cost+u.Cost
	}
	return all, total, total < cost
}

// withTrade is the keyboard of a purchase, above what can be bought next, with the buttons to sell what has come, and to take that back.
// One that has come to its end leaves two rows: what sells stands beside the codes, the rest beside what can be bought next.
func (p Purchases) withTrade(pu store.Purchase, upper, next [][]Button) [][]Button {
	now, later := p.tradeKeys(pu)
	switch {
	case len(now)+len(later) == 0:
		return slices.Concat(upper, next)
	case pu.Phase != store.Settled:
		for _, keys := range [][]Button{now, later} {
			if len(keys) > 0 {
				upper = append(upper, keys)
			}
		}
		return slices.Concat(upper, next)
	case len(now) == 0:
		return slices.Concat([][]Button{slices.Concat(append(upper, later)...)}, next)
	}
	last := slices.DeleteFunc(slices.Concat(next...), func(k Button) bool { // home is a tap away, and leads to all that can be bought
		a, _ := ParseAction(k.Data)
		return a.Verb == VerbBuy
	})
	first := slices.Concat(upper...)
	if len(first) > 1 { // a row has room for few words
		return [][]Button{slices.Concat(first, last), slices.Concat(now, later)}
	}
	rows := [][]Button{slices.Concat(first, now)}
	if last = slices.Concat(later, last); len(last) > 0 {
		rows = append(rows, last)
	}
	return rows
}

// tradeKeys are the buttons that sell what has come with a tap, and those that do more: at another price, with a receipt, or taken back.
func (p Purchases) tradeKeys(pu store.Purchase) (now, later []Button) {
	if p.trade == nil {
		return nil, nil
	}
	t := *p.trade
	if stock := t.InStock(); len(stock) > 0 && t.Rules.Any() {
		now, later = p.sellKeys(pu, t, len(stock))
	}
	if p.HasReceipt(pu, t) {
		later = append(later, p.button("button.receipt", act(VerbReceipt, pu.ID).fresh()))
	}
	if sold := t.Sold(); len(sold) > 0 {
		// The newest sale is undone. Once it is, the button is about the one before it.
		last := sold[0].Sale
		for _, u := range sold {
			last = max(last, u.Sale)
		}
		later = append(later, p.button("button.sale_undo", act(VerbSell, pu.ID, SaleUndo, strconv.FormatUint(last, 10))))
	}
	return now, later
}

// sellKeys sell all that is in stock: at the shop's price with one tap, where it has one, or at another.
func (p Purchases) sellKeys(pu store.Purchase, t store.Trade, n int) (now, later []Button) {
	v := SaleView{Purchase: pu, Turn: t.Turn(), Units: n}
	typed := row(p.button("button.sale_price", v.to(SalePrice, 0).fresh()))
	list, total, _ := p.list(pu, t)
	// A sale has one price for each of its units: where those differ, no button sells them for their sum.
	if len(list) == 0 || !allAlike(list) {
		return typed, nil
	}
	return row(p.buttonWith("button.sale_cash", locales.Args{"Price": p.booked(total)}, v.to(SaleCash, list[0])),
		p.button("button.sale_credit", v.to(SaleCredit, list[0]).fresh())), typed
}
