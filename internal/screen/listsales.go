package screen

import (
	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// purchases are those that a list has made, by their id.
func (v ListView) purchases() map[string]store.Purchase {
	all := map[string]store.Purchase{}
	for id, b := range v.Bought {
		all[id] = b.Purchase
	}
	return all
}

// sells is the action that sells a list, or takes that back.
func (v ListView) sells(how string, total ledger.Money) Action {
	// The turn names the card, as of a purchase: one card is good for one sale, whoever taps.
	args := []string{v.ID, how, id(v.Trades.Turn())}
	if total > 0 {
		args = append(args, id(int64(total/ledger.Centime)))
	}
	return act(VerbListSell, args...)
}

// traded is what the shop asks for what a list has brought, and for how much of it was sold.
func (p Lists) traded(v ListView) string {
	own, sold := "", ""
	units, total, ok := v.Trades.InStock(v.purchases())
	if ok {
		own = p.t("list.own", locales.Args{"Units": number(units), "Total": p.booked(total)})
	}
	if n, sum := v.Trades.Sold(); n > 0 {
		sold = p.t("sale.sold", locales.Args{"Price": p.booked(sum)})
		if c, one := v.Trades.Debtor(); one {
			sold = p.t("sale.credit", locales.Args{"Price": p.booked(sum), "Name": p.customer(c)})
		}
		if units > 0 {
			sold = lines(sold, p.t("sale.part", locales.Args{"Sold": number(n), "All": number(n + units)}))
		}
	}
	return lines(sold, own)
}

// tradeKeys sell all that a list has brought and is not sold, at the shop's prices, and take the sales back.
func (p Lists) tradeKeys(v ListView) (keys [][]Button) {
	if _, total, ok := v.Trades.InStock(v.purchases()); ok {
		keys = append(keys, row(p.buttonWith("button.sale_cash", locales.Args{"Price": p.booked(total)}, v.sells(SaleCash, total)), p.button("button.sale_credit", v.sells(SaleCredit, total))))
	}
	if n, _ := v.Trades.Sold(); n > 0 {
		keys = append(keys, row(p.button("button.sale_undo", v.sells(SaleUndo, 0))))
	}
	return keys
}

// listTitle is which list is sold.
func (p Sales) listTitle(l store.List) string {
	return lines(p.t("sale.title", nil), p.Lists().title(l))
}

// ListTo asks who has bought a list on credit, as To does for a purchase.
func (p Sales) ListTo(l store.List, total ledger.Money, list []store.Customer, words string, bad bool) Message {
	return p.buyers(lines(p.listTitle(l), p.t("sale.credit_of", locales.Args{"Price": p.booked(total)})), p.t("sale.who", nil), list, words, bad)
}

// ListOnCredit tells that a list was sold on credit, with what the customer owes by now.
func (p Sales) ListOnCredit(l store.List, v SoldView) Message {
	return Message{
		HTML: lines(p.listTitle(l), p.t("sale.credit", locales.Args{"Price": p.booked(v.Price), "Name": p.customer(v.Customer)}),
			p.Kridi().change(v.Before, v.After), p.laterDay(v.Day)),
		Keyboard: [][]Button{row(Button{Text: p.led("👤 " + label(v.Customer.Name.Reveal(), "?")), Data: act(VerbKridi, v.Customer.ID).Data()}, p.button("button.home", act(VerbHome)))},
	}
}

// OtherTotal says that a list is sold for another total than its card has shown.
func (p Sales) OtherTotal() string { return p.plain("list.other_total", nil) }

// ListTooLate says that the sales of a list are taken back one by one, where their day is over.
func (p Sales) ListTooLate() string { return p.plain("list.too_late", nil) }
