package screen

import (
	"slices"
	"strconv"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// What can be done with what a purchase has brought. They stand in the data of buttons.
const (
	SaleCash   = "cash"   // turn, units, price of each: sold, and paid
	SaleCredit = "credit" // the same: sold to a customer who pays later
	SaleNamed  = "named"  // the same: sold and paid, to a customer who is named
	SalePrice  = "price"  // turn, units: another price is typed
	SaleUndo   = "undo"   // entry, SaleAll where the whole sale is meant, Yes where it was a mistake of a day that is over
	SaleBack   = "back"   // entry, SaleUsable or SaleUsed, and the Pick of the units: the customer gets the money back
	SalePick   = "pick"   // entry, and the Pick of the units that come back; Yes once that is all
	SaleUsable = "stock"
	SaleUsed   = "lost"
	SaleAll    = "all"
)

// CustomerNew takes the name that was typed for that of a new customer. It stands in the data of a button.
const CustomerNew = "new"

// saleAsked is the last argument of a sale that is made under a question of its own, and not under the codes.
const saleAsked = "q"

// InQuestion reports whether the button of an action stands under a question about a sale: what becomes of that is said there, and the
// codes stay where they are.
func InQuestion(a Action) bool {
	switch how := a.Arg(1); {
	case a.Verb == VerbSellTo:
		return true
	case a.Verb != VerbSell:
		return false
	// The places of the arguments differ: an undo has the entry, SaleAll or Yes, and the mark; a sale has the turn, the units, the price,
	// and the mark.
	case how == SaleUndo:
		return a.Arg(3) != "" || a.Arg(4) == saleAsked
	case how == SaleBack, how == SalePick:
		return true
	}
	return a.Arg(5) == saleAsked
}

// SaleProblem is why the price of a sale is asked for once more.
type SaleProblem string

// The problems.
const (
	SaleFine   SaleProblem = ""
	SaleBad    SaleProblem = "bad"    // no amount
	SaleRange  SaleProblem = "range"  // nothing, or more than anything costs
	SaleUnsure SaleProblem = "unsure" // it can be read in two ways
	SaleOdd    SaleProblem = "odd"    // it may be in centimes, or have a zero too many or too few
	SaleBelow  SaleProblem = "below"  // less than was paid
)

// SaleView is a sale in the making.
type SaleView struct {
	Purchase store.Purchase
	Turn     int // of the card that it was begun from
	Units    int
	InStock  int
	Price    ledger.Money // of each; 0 while it is not known
	Likely   ledger.Money // what may be meant instead of it; 0 for nothing
	Problem  SaleProblem
	Paid     bool // in cash, by a customer who is named
}

// to goes on with a sale.
func (v SaleView) to(how string, price ledger.Money) Action {
	args := []string{v.Purchase.ID, how, id(v.Turn), id(v.Units)}
	if price > 0 {
		// In centimes: no price is finer (pricing.CheckPrice), and the data of a button are short.
		args = append(args, id(int64(price/ledger.Centime)))
	}
	return act(VerbSell, args...)
}

// inQuestion is to for a button under a question.
func (v SaleView) inQuestion(how string, price ledger.Money) Action {
	// The price is there even where it is 0: the mark is known by its place (InQuestion).
	return act(VerbSell, v.Purchase.ID, how, id(v.Turn), id(v.Units), id(int64(price/ledger.Centime)), saleAsked)
}

// Ask asks what each unit is sold for.
func (p Sales) Ask(v SaleView) Message {
	var keys [][]Button
	wrong := map[SaleProblem]string{
		SaleBad: p.t("sale.bad", nil), SaleRange: p.t("sale.range", nil), SaleUnsure: p.t("offer.unsure", nil),
		SaleOdd: p.t("sale.odd", nil), SaleBelow: p.t("sale.below", nil),
	}[v.Problem]
	for _, price := range []ledger.Money{v.Likely, v.Price} {
		if price > 0 {
			keys = append(keys, p.ways(v, price))
		}
	}
	if v.InStock > 1 && v.Problem == SaleFine {
		keys = append(keys, p.counts(v))
	}
	ask := p.t("sale.ask", nil)
	if v.Units > 1 {
		ask = p.t("sale.ask_each", locales.Args{"Count": number(v.Units)})
	}
	return Message{HTML: lines(p.titleOf(v.Purchase, v.Units), wrong, ask), Keyboard: append(keys, row(p.button("button.cancel", act(VerbCancel))))}
}

// Priced is a sale at a price that was typed: how it is paid is asked.
func (p Sales) Priced(v SaleView) Message {
	return Message{
		HTML:     lines(p.titleOf(v.Purchase, v.Units), p.t("sale.priced", locales.Args{"Count": number(v.Units), "Price": p.booked(v.Price), "Total": p.booked(v.total())})),
		Keyboard: [][]Button{p.ways(v, v.Price), row(p.button("button.back", v.inQuestion(SalePrice, 0)), p.button("button.cancel", act(VerbCancel)))},
	}
}

// total is the price of all units.
func (v SaleView) total() ledger.Money { return v.Price * ledger.Money(v.Units) }

// title is what is sold.
func (p Sales) title(pu store.Purchase) string { return p.titleOf(pu, 1) }

// titleOf is what is sold, and how many of it.
func (p Sales) titleOf(pu store.Purchase, units int) string {
	item := p.item(pu.Product, pu.Variant)
	if units > 1 {
		item += " × " + string(number(units))
	}
	return lines(p.t("sale.title", nil), item)
}

// ways are the buttons that end a sale at a price.
func (p Sales) ways(v SaleView, price ledger.Money) []Button {
	v.Price = price
	total := locales.Args{"Price": p.booked(v.total())}
	return row(p.buttonWith("button.sale_cash", total, v.inQuestion(SaleCash, price)), p.buttonWith("button.sale_credit_at", total, v.inQuestion(SaleCredit, price)))
}

// counts are how many units may be sold.
func (p Sales) counts(v SaleView) (keys []Button) {
	some := []int{1, 2, 3, 5}
	if !slices.Contains(some, v.InStock) {
		some = append(some, v.InStock)
	}
	for _, n := range some {
		if n > v.InStock || n == v.Units {
			continue
		}
		to := v
		to.Units = n
		keys = append(keys, Button{Text: isolate("× " + id(n)), Data: to.inQuestion(SalePrice, 0).Data()})
	}
	return keys
}

// To asks who has bought on credit, or, where it is paid, in cash. list are the customers that are offered; words are what was typed, which may be the name of
// a new one; bad: what was typed is no name.
func (p Sales) To(v SaleView, list []store.Customer, words string, bad bool) Message {
	price := locales.Args{"Price": p.booked(v.total())}
	if v.Paid {
		return p.buyers(lines(p.titleOf(v.Purchase, v.Units), p.t("sale.paid_of", price)), p.t("sale.who_paid", nil), list, words, bad)
	}
	m := p.buyers(lines(p.titleOf(v.Purchase, v.Units), p.t("sale.credit_of", price)), p.t("sale.who", nil), list, words, bad)
	last := len(m.Keyboard) - 1
	m.Keyboard[last] = append(row(p.button("button.sale_named", v.inQuestion(SaleNamed, v.Price))), m.Keyboard[last]...)
	return m
}

// buyers asks who has bought what a head names.
func (p Sales) buyers(head, ask string, list []store.Customer, words string, bad bool) Message {
	var keys [][]Button
	for _, c := range list {
		keys = append(keys, row(Button{Text: p.led("👤 " + label(c.Name.Reveal(), "?")), Data: act(VerbSellTo, c.ID).Data()}))
	}
	if bad {
		ask = lines(p.t("customers.name_bad", nil), ask)
	}
	if text := clean(words, buttonName); text != "" {
		if len(list) == 0 {
			ask = p.t("sale.who_new", locales.Args{"Name": name(words)})
		}
		keys = append(keys, row(Button{Text: p.led("➕ " + label(text, "?")), Data: act(VerbSellTo, CustomerNew).Data()}))
	}
	return Message{HTML: lines(head, ask), Keyboard: append(keys, row(p.button("button.cancel", act(VerbCancel))))}
}

// SoldView is a sale that was made.
type SoldView struct {
	Purchase      store.Purchase
	Units         int // that were sold
	Customer      store.Customer
	Before, After ledger.Money // what the customer owes
	Price         ledger.Money // of all units
	Entry         uint64
	Day           ledger.Day // that it counts for, where that is a later one than today; else empty
}

// OnCredit tells that a sale on credit is written down, with what the customer owes by now.
func (p Sales) OnCredit(v SoldView) Message {
	entry := strconv.FormatUint(v.Entry, 10)
	return Message{
		HTML: lines(p.titleOf(v.Purchase, v.Units), p.t("sale.credit", locales.Args{"Price": p.booked(v.Price), "Name": p.customer(v.Customer)}),
			p.Kridi().change(v.Before, v.After), p.laterDay(v.Day)),
		Keyboard: [][]Button{row(p.button("button.sale_undo", act(VerbSell, v.Purchase.ID, SaleUndo, entry, "", saleAsked))),
			row(Button{Text: p.led("👤 " + label(v.Customer.Name.Reveal(), "?")), Data: act(VerbKridi, v.Customer.ID).Data()}, p.button("button.home", act(VerbHome)))},
	}
}

// Paid tells that a sale is written down, in the place of the question that it was made from.
func (p Sales) Paid(v SoldView) Message {
	entry := strconv.FormatUint(v.Entry, 10)
	return Message{
		HTML: lines(p.titleOf(v.Purchase, v.Units), p.t("sale.sold", locales.Args{"Price": p.booked(v.Price)}), p.paidBy(v.Customer), p.laterDay(v.Day)),
		Keyboard: [][]Button{row(p.button("button.sale_undo", act(VerbSell, v.Purchase.ID, SaleUndo, entry, "", saleAsked)), p.button("button.order", act(VerbOrder, v.Purchase.ID).fresh())),
			row(p.button("button.home", act(VerbHome)))},
	}
}

// paidBy is who has bought in cash, where a name was given.
func (p Sales) paidBy(c store.Customer) string {
	if c.ID == "" {
		return ""
	}
	return p.direct("👤 " + string(p.customer(c)))
}

// Ended tells what has become of a question about a sale that led to nothing new, in its place.
func (p Sales) Ended(pu store.Purchase, text string) Message {
	return Message{
		HTML:     lines(p.title(pu), p.direct(escape(text))),
		Keyboard: [][]Button{row(p.button("button.order", act(VerbOrder, pu.ID).fresh()), p.button("button.home", act(VerbHome)))},
	}
}

// laterDay says that something counts for a day that has not begun, since today is closed.
func (p Printer) laterDay(d ledger.Day) string {
	if d == "" {
		return ""
	}
	return p.t("sale.later_day", locales.Args{"Day": p.day(d)})
}

// OverLimit tells that a customer may not owe that much.
func (p Sales) OverLimit(c store.Customer, owes ledger.Money) Message {
	return Message{
		HTML:     lines(p.t("sale.over_limit", locales.Args{"Name": p.customer(c), "Limit": p.booked(c.Limit)}), p.t("kridi.owes", locales.Args{"Owed": p.booked(owes)})),
		Keyboard: [][]Button{row(Button{Text: p.led("👤 " + label(c.Name.Reveal(), "?")), Data: act(VerbKridi, c.ID).Data()}, p.button("button.home", act(VerbHome)))},
	}
}

// SoldToast says that something was sold, for the one who tapped.
func (p Sales) SoldToast(price ledger.Money) string {
	return p.plain("sale.toast", locales.Args{"Price": locales.HTML(p.bookedText(price))})
}

// UndoneToast says that a sale was taken back, and what it was of: a purchase may have several.
func (p Sales) UndoneToast(price ledger.Money) string {
	return p.plain("sale.toast_undone", locales.Args{"Price": p.booked(price)})
}

// Refused says why something was not written into the books; by is who was first, where somebody was.
func (p Sales) Refused(why ledger.Reason, by string) string {
	who := locales.Args{"Name": name(by)}
	switch why {
	case ledger.OtherContent:
		return p.plain("sale.refused_changed", nil)
	case ledger.AlreadySold:
		if by != "" {
			return p.plain("sale.refused_sold_by", who)
		}
		return p.plain("sale.refused_sold", nil)
	case ledger.NotInStock:
		return p.plain("sale.refused_stock", nil)
	case ledger.NotSold, ledger.AlreadyDone:
		return p.plain("sale.refused_unsold", nil)
	case ledger.TooLate:
		return p.plain("sale.refused_late", nil)
	case ledger.NotTheirs:
		if by != "" {
			return p.plain("sale.refused_theirs", who)
		}
		return p.plain("sale.refused_other", nil)
	case ledger.TooMuch:
		return p.plain("sale.refused_much", nil)
	case ledger.NoMoney, ledger.NoCustomer, ledger.OverLimit, ledger.StillDue:
	}
	return p.plain("sale.refused", nil)
}

// BelowCost says that only an owner sells for less than was paid.
func (p Sales) BelowCost() string { return p.plain("sale.refused_below", nil) }
