package screen

import (
	"slices"
	"strconv"

	"resellerbot/internal/ledger"
	"resellerbot/locales"
)

// PayProblem is why a payment is asked for once more.
type PayProblem string

// The problems.
const (
	PayFine   PayProblem = ""
	PayBad    PayProblem = "bad"
	PayRange  PayProblem = "range"
	PayUnsure PayProblem = "unsure"
	PayMuch   PayProblem = "much"  // more than is owed
	PayOdd    PayProblem = "odd"   // it may be in centimes, or have a zero too many or too few
	PayOver   PayProblem = "over"  // the till was closed while it was counted
	PayOther  PayProblem = "other" // another count waits than the one that was decided about
)

// PayAsk asks how much a customer pays. typed is the amount to be confirmed where there is a problem with it, likely what may be
// meant instead.
func (p Kridi) PayAsk(d Debt, typed, likely ledger.Money, problem PayProblem) Message {
	wrong := map[PayProblem]string{
		PayBad: p.t("sale.bad", nil), PayRange: p.t("sale.range", nil), PayUnsure: p.t("offer.unsure", nil), PayMuch: p.t("kridi.too_much", nil),
	}[problem]
	pay := func(how string, m ledger.Money) Button { return p.paysKey(d, how, m) }
	var keys [][]Button
	if likely > 0 && likely <= d.Owed && (likely < d.Owed || typed <= d.Owed) { // all that is owed is offered below
		keys = append(keys, row(pay(KridiPay, likely)))
	}
	switch {
	case typed > 0 && typed <= d.Owed:
		keys = append(keys, row(pay(KridiPay, typed)))
	// More than is owed: either the debt alone, or all of it, with the rest kept for the customer. Who owes nothing is offered neither.
	case typed > 0 && d.Owed > 0:
		keys = append(keys, row(pay(KridiPay, d.Owed)), row(pay(KridiAhead, typed)))
	}
	return Message{
		HTML:     lines(p.direct("📒 <b>"+string(p.customer(d.Customer))+"</b>"), wrong, p.owes(d), p.t("kridi.pay_ask", nil)),
		Keyboard: append(keys, row(p.button("button.back", act(VerbKridi, d.Customer.ID)), p.button("button.cancel", act(VerbCancel)))),
	}
}

// TakenView is a payment that was written down since a card was shown.
type TakenView struct {
	Amount ledger.Money
	By     string // who has taken it, where it was another one; hostile text
	Undone bool   // it was taken back since
}

// PaidMeanwhile asks whether an amount is paid besides one that was written down since the card was shown. Whoever owes nothing by now has it kept.
func (p Kridi) PaidMeanwhile(d Debt, amount ledger.Money, taken TakenView) Message {
	args := locales.Args{"Amount": p.booked(taken.Amount)}
	told := p.t("kridi.meanwhile", args)
	switch {
	case taken.Undone:
		told = p.t("kridi.meanwhile_undone", args)
	case taken.By != "":
		told = p.t("kridi.meanwhile_by", locales.Args{"Name": name(taken.By), "Amount": p.booked(taken.Amount)})
	}
	m := p.PayAsk(d, amount, 0, PayFine)
	if d.Owed <= 0 {
		m.Keyboard = slices.Insert(m.Keyboard, 0, row(p.paysKey(d, KridiAhead, amount)))
	}
	m.HTML = lines(told, m.HTML)
	return m
}

// paysKey is the button that writes a payment down.
func (p Kridi) paysKey(d Debt, how string, m ledger.Money) Button {
	key := "button.kridi_pays"
	if how == KridiAhead {
		key = "button.kridi_ahead"
	}
	return p.buttonWith(key, locales.Args{"Amount": p.booked(m)}, act(VerbKridi, d.Customer.ID, how, strconv.FormatUint(d.Last, 10), id(int64(m/ledger.Centime))))
}

// change is what a customer owes by now, and has owed before. Less than nothing is paid ahead.
func (p Kridi) change(before, after ledger.Money) string {
	switch was, is := p.booked(max(before, -before)), p.booked(max(after, -after)); {
	case before < 0 && after <= 0, before <= 0 && after < 0:
		return p.t("kridi.change_ahead", locales.Args{"Before": was, "After": is})
	case before < 0:
		return p.t("kridi.change_to_debt", locales.Args{"Before": was, "After": is})
	case after < 0:
		return p.t("kridi.change_to_ahead", locales.Args{"Before": was, "After": is})
	default:
		return p.t("kridi.change", locales.Args{"Before": was, "After": is})
	}
}

// Paid tells that a payment is written down, with what was owed before and is after it.
func (p Kridi) Paid(d Debt, amount ledger.Money, entry uint64) Message {
	text := p.PaidText(d, amount)
	keys := [][]Button{
		row(p.button("button.kridi_undo", act(VerbKridi, d.Customer.ID, KridiUndo, strconv.FormatUint(entry, 10))), Button{Text: p.plain("button.kridi_copy", nil), Copy: text}),
		row(Button{Text: p.led("👤 " + p.customerLabel(d.Customer)), Data: act(VerbKridi, d.Customer.ID).fresh().Data()}, p.button("button.kridi", act(VerbKridi).fresh())),
	}
	return Message{HTML: lines(
		p.t("kridi.paid", locales.Args{"Name": p.customer(d.Customer), "Amount": p.booked(amount)}),
		p.change(d.Owed+amount, d.Owed),
	), Keyboard: keys}
}

// GivenBack tells that a customer got back what was paid ahead, and how they stand then.
func (p Kridi) GivenBack(d Debt, amount ledger.Money, entry uint64) Message {
	keys := [][]Button{
		row(p.button("button.kridi_undo", act(VerbKridi, d.Customer.ID, KridiUndo, strconv.FormatUint(entry, 10)))),
		row(Button{Text: p.led("👤 " + p.customerLabel(d.Customer)), Data: act(VerbKridi, d.Customer.ID).fresh().Data()}, p.button("button.kridi", act(VerbKridi).fresh())),
	}
	return Message{HTML: lines(p.t("kridi.given_back", locales.Args{"Name": p.customer(d.Customer), "Amount": p.booked(amount)}), p.owes(d)), Keyboard: keys}
}

// backKey gives a customer back what was paid ahead.
func (p Kridi) backKey(d Debt) []Button {
	return row(p.buttonWith("button.kridi_back", locales.Args{"Ahead": p.booked(-d.Owed)},
		act(VerbKridi, d.Customer.ID, KridiBack, strconv.FormatUint(d.Last, 10), id(int64(-d.Owed/ledger.Centime)))))
}

// AlreadyPaid says that a card has taken its payment; by is who was first, where that was another one.
func (p Kridi) AlreadyPaid(by string) string {
	if by == "" {
		return p.plain("kridi.already", nil)
	}
	return p.plain("kridi.already_by", locales.Args{"Name": name(by)})
}

// PaidAndGivenBack says that a payment stays whose money was given back.
func (p Kridi) PaidAndGivenBack() string { return p.plain("kridi.refused_given_back", nil) }

// UndoneToast says that a payment was taken back, or what else was written on a customer's account; and where its cash was counted, or
// its day is over, what that changes now.
func (p Kridi) UndoneToast(e, back ledger.Entry) string {
	said := p.plain("kridi.toast_undone_other", nil)
	if e.Kind == ledger.KindPayment {
		said = p.plain("kridi.toast_undone", nil)
	}
	till := ledger.In(ledger.Till, e.Counter)
	switch {
	case e.On(till) != 0 && back.On(till) == 0:
		return lines(said, p.plain("kridi.undone_counted", nil))
	case back.Corrects != "":
		return lines(said, p.plain("kridi.undone_later", locales.Args{"Day": p.day(back.Corrects), "Now": p.day(back.Day)}))
	}
	return said
}

// PaidText is a receipt for a payment, to be copied for the customer.
func (p Kridi) PaidText(d Debt, amount ledger.Money) string {
	return short(p.plain("kridi.paid_text", locales.Args{"Amount": locales.HTML(p.bookedText(amount)), "After": locales.HTML(p.bookedText(max(d.Owed, 0)))}), mostCopied)
}
