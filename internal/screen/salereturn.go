package screen

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

const (
	returnPage = 16 // units of a sale that are offered at once: as many as a Pick has room for
	returnRow  = 2  // of them beside each other
)

// Pick is which units of a sale come back, by their places in it. It stands in the data of buttons.
type Pick struct {
	All   bool
	Count int    // with All: how many there were when the button was made; 0 on buttons of before, which mean the whole sale
	Page  int    // else: of these sixteen
	Units uint16 // a bit for each
}

// ParsePick reads a Pick as Data writes it. What is none means no unit at all.
func ParsePick(data string) Pick {
	page, units, some := strings.Cut(data, ".")
	n, err := strconv.Atoi(page)
	mask, wrong := strconv.ParseUint(units, 16, 16)
	switch {
	case data == "":
		return Pick{All: true}
	case page == SaleAll:
		count, _ := strconv.Atoi(units) // what is no number is no number of units that there could be
		return Pick{All: true, Count: count}
	case !some || err != nil || wrong != nil || n < 0:
		return Pick{}
	}
	return Pick{Page: n, Units: uint16(mask)}
}

// Data is the Pick for a button.
func (k Pick) Data() string {
	if k.All {
		return SaleAll + "." + id(k.Count)
	}
	return fmt.Sprintf("%d.%x", k.Page, k.Units)
}

// Places are the places that are picked one by one.
func (k Pick) Places() (places []int) {
	for left := k.Units; left != 0; left &= left - 1 {
		places = append(places, k.Page*returnPage+bits.TrailingZeros16(left))
	}
	return places
}

// with is the Pick with one place turned on or off.
func (k Pick) with(place int) Pick {
	// A Pick has bits for the units of one page: who turns the page begins anew (turns).
	k.Units ^= 1 << (place % returnPage)
	return k
}

// ReturnUnit is a unit that may come back.
type ReturnUnit struct {
	Place  int    // in the sale
	Number int    // as its code is numbered where the purchase shows it
	Code   string // hostile text; "" where there is none
}

// ReturnView is a sale of which units come back.
type ReturnView struct {
	Purchase store.Purchase
	Entry    uint64
	Units    []ReturnUnit // that are still sold
	Pick     Pick
	Price    ledger.Money   // of those that are picked
	Left     ledger.Money   // of all that are still sold
	Customer store.Customer // who owes for them; zero where it was paid
	Owed     ledger.Money   // what they owe now, of whatever; less than nothing where they have paid ahead
	Over     bool           // its day is
	Day      ledger.Day     // for which what comes back counts
	Counted  bool           // its day is not, and its cash was counted
	Mistake  bool           // it may be corrected without any money
}

// to goes on with what comes back.
func (v ReturnView) to(how string, args ...string) Action {
	return act(VerbSell, append([]string{v.Purchase.ID, how, strconv.FormatUint(v.Entry, 10)}, args...)...)
}

// Which asks which units of a sale come back.
func (p Sales) Which(v ReturnView) Message {
	keys := [][]Button{row(p.buttonWith("button.sale_return_all", locales.Args{"Count": number(len(v.Units)), "Price": p.booked(v.Left)}, v.to(SaleUndo, SaleAll)))}
	page := slices.DeleteFunc(slices.Clone(v.Units), func(u ReturnUnit) bool { return u.Place/returnPage != v.Pick.Page })
	picked := v.Pick.Places()
	var marks []Button
	for _, u := range page {
		sign := "◻️ "
		if slices.Contains(picked, u.Place) {
			sign = "☑️ "
		}
		marks = append(marks, Button{Text: sign + isolate(u.label()), Data: v.to(SalePick, v.Pick.with(u.Place).Data()).Data()})
	}
	keys = slices.AppendSeq(keys, slices.Chunk(marks, returnRow))
	if len(picked) > 0 {
		keys = append(keys, row(p.buttonWith("button.sale_return", locales.Args{"Count": number(len(picked)), "Price": p.booked(v.Price)}, v.to(SalePick, v.Pick.Data(), Yes))))
	}
	if turn := v.turns(); len(turn) > 0 {
		keys = append(keys, turn)
	}
	return Message{HTML: lines(p.title(v.Purchase), p.t("sale.which", nil)), Keyboard: append(keys, row(p.button("button.cancel", act(VerbCancel))))}
}

// label is a unit on a button: its number, and the end of its code.
func (u ReturnUnit) label() string {
	if u.Code == "" {
		return id(u.Number)
	}
	return id(u.Number) + " · " + clean(masked(u.Code), buttonName)
}

// turns lead to the units of a large sale that are not on the page.
func (v ReturnView) turns() (keys []Button) {
	// There is one: of a sale of which nothing is left, nothing is asked.
	last := v.Units[len(v.Units)-1].Place / returnPage
	if page := v.Pick.Page; page > 0 {
		keys = append(keys, Button{Text: "◀", Data: v.to(SalePick, Pick{Page: page - 1}.Data()).Data()})
	}
	if page := v.Pick.Page; page < last {
		keys = append(keys, Button{Text: "▶", Data: v.to(SalePick, Pick{Page: page + 1}.Data()).Data()})
	}
	return keys
}

// Return asks what comes back with the money of the units that are picked.
func (p Sales) Return(v ReturnView) Message {
	how := p.t("sale.return_cash", locales.Args{"Price": p.booked(v.Price)})
	if v.Customer.ID != "" {
		how = lines(p.Kridi().owes(Debt{Owed: v.Owed}), p.offDebt(v.Customer, v.Price, v.Owed))
	}
	sealed := ""
	switch {
	case v.Over:
		sealed = p.t("sale.return", locales.Args{"Day": p.day(v.Day)})
	case v.Counted:
		sealed = p.t("sale.return_counted", nil)
	}
	keys := [][]Button{
		row(p.button("button.sale_usable", v.to(SaleBack, SaleUsable, v.Pick.Data()))),
		row(p.button("button.sale_used", v.to(SaleBack, SaleUsed, v.Pick.Data()))),
	}
	if v.Mistake {
		keys = append(keys, row(p.button("button.sale_mistake", v.to(SaleUndo, Yes))))
	}
	return Message{HTML: lines(p.title(v.Purchase), sealed, p.comesBack(v), how, p.asksUsed(v)), Keyboard: append(keys, row(p.button("button.cancel", act(VerbCancel))))}
}

// asksUsed asks whether what comes back is unused.
func (p Sales) asksUsed(v ReturnView) string {
	if n := len(v.Pick.Places()); n > 1 || v.Pick.All && len(v.Units) > 1 {
		return p.t("sale.return_used_all", nil)
	}
	return p.t("sale.return_used", nil)
}

// offDebt is what becomes of the price of what comes back: it is taken off what the customer owes, and what is more than that is kept as
// paid ahead. No cash moves.
func (p Sales) offDebt(c store.Customer, price, owed ledger.Money) string {
	off := min(price, max(owed, 0))
	args := locales.Args{"Name": p.customer(c), "Price": p.booked(price), "Off": p.booked(off), "Rest": p.booked(price - off)}
	switch off {
	case price:
		return p.t("sale.off_debt", args)
	case 0:
		return p.t("sale.off_ahead", args)
	}
	return p.t("sale.off_part", args)
}

// comesBack names the units that are picked one by one, as they are marked.
func (p Sales) comesBack(v ReturnView) string {
	picked := v.Pick.Places()
	if v.Pick.All || len(picked) == 0 {
		return ""
	}
	var out []string
	for _, u := range v.Units {
		if slices.Contains(picked, u.Place) {
			out = append(out, p.direct("↩️ "+isolate(escape(u.label()))))
		}
	}
	return lines(out...)
}

// Returned tells that a customer has got money back, or owes less where there is a debtor, and how they stand then; of how many units
// where that could be in question.
func (p Sales) Returned(pu store.Purchase, price ledger.Money, debtor Debt, units int, several bool) Message {
	said, count := p.t("sale.returned", locales.Args{"Price": p.booked(price)}), ""
	if debtor.Customer.ID != "" {
		said = lines(p.direct("↩️ <b>"+p.offDebt(debtor.Customer, price, debtor.Owed+price)+"</b>"), p.Kridi().owes(debtor))
	}
	if several {
		count = p.t("sale.returned_units", locales.Args{"Count": number(units)})
	}
	return Message{HTML: lines(p.title(pu), said, count), Keyboard: p.after(debtor)}
}

// UndoneAhead tells that a sale was undone of which more was paid than is owed now: it is kept as paid ahead, and can be given back.
// price is what the customer had come to owe by it.
func (p Sales) UndoneAhead(pu store.Purchase, price ledger.Money, debtor Debt) Message {
	return p.undoneAhead(p.title(pu), price, debtor)
}

// ListUndoneAhead is UndoneAhead for the sale of a list.
func (p Sales) ListUndoneAhead(l store.List, price ledger.Money, debtor Debt) Message {
	return p.undoneAhead(p.listTitle(l), price, debtor)
}

func (p Sales) undoneAhead(title string, price ledger.Money, debtor Debt) Message {
	return Message{
		HTML:     lines(title, p.direct("↩️ <b>"+p.t("sale.toast_undone", locales.Args{"Price": p.booked(price)})+"</b>"), p.offDebt(debtor.Customer, price, debtor.Owed+price), p.Kridi().owes(debtor)),
		Keyboard: p.after(debtor),
	}
}

// after are the buttons below what has come back: what a customer has paid ahead can be given back.
func (p Sales) after(debtor Debt) (keys [][]Button) {
	if debtor.Customer.ID != "" && debtor.Owed < 0 {
		keys = append(keys, p.Kridi().backKey(debtor))
	}
	return append(keys, row(p.button("button.home", act(VerbHome))))
}
