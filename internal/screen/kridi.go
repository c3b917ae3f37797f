package screen

import (
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// What can be done with what a customer owes. They stand in the data of buttons, behind the customer.
const (
	KridiPay     = "pay"     // the last entry that was shown, and an amount where it is not to be typed
	KridiAhead   = "ahead"   // the same: more than is owed, kept for the customer
	KridiBack    = "back"    // the same: what was paid ahead goes back
	KridiUndo    = "undo"    // entry
	KridiHistory = "past"    // page
	KridiRemind  = "remind"  // a language; none for the customer's
	KridiLimit   = "limit"   //
	KridiDay     = "day"     // of the month, 0 for none; nothing to be asked
	KridiForgive = "forgive" // the last entry that was shown, where it was asked whether it is meant
	KridiPage    = "page"    // in the place of a customer: page
)

const historyPage = 8 // lines of a statement

// Debt is what a customer owes.
type Debt struct {
	Customer store.Customer
	Owed     ledger.Money
	Last     uint64    // the last entry on the account
	Since    time.Time // of the oldest that is not paid; zero where nothing is owed
	Older    bool      // it is older than that: the books have more lines of it than are read
}

// KridiView is all debts, the oldest first.
type KridiView struct {
	Debts       []Debt
	Page        int
	Owed, Ahead ledger.Money // in all; owners see them
}

// List is a page of who owes, the oldest debt first.
func (p Kridi) List(v KridiView) Message {
	home := row(p.button("button.home", act(VerbHome)))
	if len(v.Debts) == 0 {
		return Message{HTML: lines(p.t("kridi.title", nil), p.t("kridi.none", nil)), Keyboard: [][]Button{home}}
	}
	first, last, page, pages := pageOf(len(v.Debts), v.Page)
	out := []string{p.t("kridi.title", nil)}
	if p.reader == ForOwner {
		// Debts holds those who have paid ahead as well: they are listed, and not counted with those who owe.
		owing := slices.DeleteFunc(slices.Clone(v.Debts), func(d Debt) bool { return d.Owed <= 0 })
		out = append(out, p.t("kridi.total", locales.Args{"Owed": p.booked(v.Owed), "Count": number(len(owing))}))
		if v.Ahead > 0 {
			out = append(out, p.t("kridi.ahead_total", locales.Args{"Ahead": p.booked(v.Ahead)}))
		}
	}
	var keys [][]Button
	for _, d := range v.Debts[first:last] {
		if d.Owed < 0 {
			out = append(out, p.t("kridi.row_ahead", locales.Args{"Name": p.customer(d.Customer), "Ahead": p.booked(-d.Owed)}))
		} else {
			out = append(out, p.t("kridi.row", locales.Args{"Name": p.customer(d.Customer), "Owed": p.booked(d.Owed), "Age": p.age(d)}))
		}
		keys = append(keys, row(Button{Text: p.led("👤 " + p.customerLabel(d.Customer)), Data: act(VerbKridi, d.Customer.ID).Data()}))
	}
	if pages > 1 {
		out[0] += " · " + p.t("catalogue.page", locales.Args{"Page": number(page + 1), "Pages": number(pages)})
		keys = append(keys, p.pager(page, pages, func(n int) Action { return act(VerbKridi, KridiPage, id(n)) }))
	}
	return Message{HTML: lines(out...), Keyboard: append(keys, home)}
}

// Found is the customers that hold some words, each with the way to what they owe.
func (p Kridi) Found(list []store.Customer, words string) Message {
	back := row(p.button("button.kridi", act(VerbKridi)), p.button("button.home", act(VerbHome)))
	if len(list) == 0 {
		return Message{HTML: p.t("customers.none_found", locales.Args{"Words": name(words)}), Keyboard: [][]Button{back}}
	}
	first, last, _, _ := pageOf(len(list), 0) // as of customers: the words have no room on a button beside a page
	var keys [][]Button
	for _, c := range list[first:last] {
		keys = append(keys, row(Button{Text: p.led("👤 " + p.customerLabel(c)), Data: act(VerbKridi, c.ID).Data()}))
	}
	return Message{HTML: p.t("customers.title", locales.Args{"Count": number(len(list))}), Keyboard: append(keys, back)}
}

// customerLabel is a customer on a button.
func (p Printer) customerLabel(c store.Customer) string {
	if c.Forgot || c.Name.IsZero() {
		return p.plain("customers.gone", nil)
	}
	return label(c.Name.Reveal(), "?")
}

// age is for how long something is owed, in days.
func (p Kridi) age(d Debt) string {
	days := 0
	if !d.Since.IsZero() && !p.now.IsZero() {
		// Spans of 24 hours, and no dates. A clock that was set back makes a debt no younger than today.
		days = max(int(p.now.Sub(d.Since).Hours()/24), 0)
	}
	if days == 0 {
		return p.t("kridi.today", nil)
	}
	return p.texts.N("kridi.days", days, nil)
}

// Card is what one customer owes, since when, and the last lines of it.
func (p Kridi) Card(d Debt, last []ledger.StatementLine) Message {
	c := d.Customer
	out := []string{p.direct("📒 <b>" + string(p.customer(c)) + "</b>"), p.owes(d)}
	if c.Limit > 0 {
		out = append(out, p.t("kridi.limit", locales.Args{"Limit": p.booked(c.Limit)}))
	}
	if c.Remind > 0 {
		out = append(out, p.t("kridi.payday", locales.Args{"Day": number(c.Remind)}))
	}
	if !c.Reminded.IsZero() && d.Owed > 0 {
		out = append(out, p.t("kridi.reminded", locales.Args{"Time": p.since(c.Reminded)}))
	}
	if len(last) > 0 {
		out = append(out, "", p.statement(last))
	}
	return Message{HTML: spaced(out), Keyboard: p.cardKeys(d, len(last) > 0)}
}

// NotOwed is the card of a customer who has paid since an amount was asked for, with the word that what was typed is not written down.
func (p Kridi) NotOwed(d Debt, last []ledger.StatementLine) Message {
	m := p.Card(d, last)
	m.HTML = lines(p.t("kridi.not_owed", nil), m.HTML)
	return m
}

// owes is the sum that a customer owes, or has paid ahead.
func (p Kridi) owes(d Debt) string {
	switch {
	case d.Owed < 0:
		return p.t("kridi.ahead", locales.Args{"Ahead": p.booked(-d.Owed)})
	case d.Owed == 0:
		return p.t("kridi.settled", nil)
	case d.Since.IsZero():
		return p.t("kridi.owes", locales.Args{"Owed": p.booked(d.Owed)})
	}
	key := "kridi.owes_since"
	if d.Older {
		key = "kridi.owes_before"
	}
	return p.t(key, locales.Args{"Owed": p.booked(d.Owed), "Day": p.date(d.Since)})
}

// cardKeys are the buttons of a customer's account.
func (p Kridi) cardKeys(d Debt, lines bool) (keys [][]Button) {
	// The last entry names the card: what was paid since it was shown is met with a question, and is not written twice in silence.
	c, last := d.Customer.ID, strconv.FormatUint(d.Last, 10)
	if d.Owed > 0 {
		keys = append(keys, row(
			p.buttonWith("button.kridi_all", locales.Args{"Owed": p.booked(d.Owed)}, act(VerbKridi, c, KridiPay, last, id(int64(d.Owed/ledger.Centime)))),
			p.button("button.kridi_part", act(VerbKridi, c, KridiPay, last))))
		if !d.Customer.Forgot {
			keys = append(keys, row(p.button("button.kridi_remind", act(VerbKridi, c, KridiRemind).fresh())))
		}
	}
	if d.Owed < 0 {
		keys = append(keys, p.backKey(d))
	}
	var more []Button
	if lines {
		more = append(more, p.button("button.kridi_history", act(VerbKridi, c, KridiHistory, "0")))
	}
	if p.reader == ForOwner {
		if !d.Customer.Forgot {
			keys = append(keys, row(p.button("button.kridi_limit", act(VerbKridi, c, KridiLimit)), p.button("button.kridi_day", act(VerbKridi, c, KridiDay))))
		}
		if d.Owed > 0 {
			more = append(more, p.button("button.kridi_forgive", act(VerbKridi, c, KridiForgive)))
		}
	}
	if len(more) > 0 {
		keys = append(keys, more)
	}
	return append(keys, row(p.button("button.kridi", act(VerbKridi)), p.button("button.home", act(VerbHome))))
}

// statement are lines of a customer's account: what happened, and what was owed before and after it.
func (p Kridi) statement(all []ledger.StatementLine) string {
	var out []string
	for _, l := range all {
		what := p.entryName(l.Entry)
		out = append(out, p.t("kridi.line", locales.Args{
			"Day": p.date(l.Entry.At), "What": locales.HTML(what), "Amount": p.gain(l.Amount),
			"Before": p.booked(l.After - l.Amount), "After": p.booked(l.After),
		}))
	}
	return lines(out...)
}

// entryName says what an entry on a customer's account was, with the item of a sale, and how many of it.
func (p Kridi) entryName(e ledger.Entry) string {
	switch e.Kind {
	case ledger.KindSale:
		if len(e.Items) > 0 {
			return soldItems(e.Items)
		}
	case ledger.KindPayment:
		return p.plain("kridi.what_payment", nil)
	case ledger.KindReverse:
		return p.plain("kridi.what_reverse", nil)
	case ledger.KindReturn:
		return p.plain("kridi.what_return", nil)
	case ledger.KindForgiven:
		return p.plain("kridi.what_forgiven", nil)
	case ledger.KindGiveBack:
		return p.plain("kridi.what_back", nil)
	case ledger.KindMerge:
		return p.plain("kridi.what_merge", nil)
	case ledger.KindOpening:
		return p.plain("kridi.what_opening", nil)
	default: // nothing else is on a customer's account
	}
	return p.plain("kridi.what_other", nil)
}

// soldItems names the first of the items that were sold, with how many there are of it, and of others.
func soldItems(items []ledger.Item) string {
	first, alike := items[0], 0
	for _, i := range items {
		if i.Product == first.Product {
			alike++
		}
	}
	text := string(name(first.Name))
	if alike > 1 {
		text += " × " + string(number(alike))
	}
	if others := len(items) - alike; others > 0 {
		text += " +" + string(number(others))
	}
	return text
}

// History is a page of a customer's account; more: there are older lines.
func (p Kridi) History(d Debt, page int, all []ledger.StatementLine, more bool) Message {
	var pager []Button
	if page > 0 {
		pager = append(pager, p.button("button.newer", act(VerbKridi, d.Customer.ID, KridiHistory, id(page-1))))
	}
	if more {
		pager = append(pager, p.button("button.older", act(VerbKridi, d.Customer.ID, KridiHistory, id(page+1))))
	}
	keys := [][]Button{row(p.button("button.back", act(VerbKridi, d.Customer.ID)), p.button("button.home", act(VerbHome)))}
	if pager != nil {
		keys = append([][]Button{pager}, keys...)
	}
	return Message{HTML: spaced([]string{p.direct("📒 <b>" + string(p.customer(d.Customer)) + "</b>"), p.owes(d), "", p.statement(all)}), Keyboard: keys}
}

// HistoryPage is how many lines of an account a page has.
func (p Kridi) HistoryPage() int { return historyPage }

// short is a text of so many characters at most.
func short(s string, most int) string {
	r := []rune(s)
	return string(r[:min(len(r), most)])
}

// ReminderView is a reminder for a customer.
type ReminderView struct {
	Debt     Debt
	Shop     string // hostile text
	Language string // that it is written in
}

// Reminder is a text to be forwarded to a customer who owes, as it is: in their language, by the printer of that. The buttons
// stay behind where it is forwarded, and speak to whoever forwards it.
func (p Kridi) Reminder(v ReminderView, words Printer) Message {
	d := v.Debt
	key := "kridi.reminder"
	if d.Since.IsZero() || d.Older { // a day that is not known is not told to a customer
		key = "kridi.reminder_short"
	}
	args := locales.Args{"Name": p.customer(d.Customer), "Shop": name(v.Shop), "Owed": words.booked(d.Owed), "Day": words.date(d.Since)}
	bare := locales.Args{
		"Name": locales.HTML(clean(d.Customer.Name.Reveal(), nameLength)), "Shop": locales.HTML(clean(v.Shop, nameLength)),
		"Owed": locales.HTML(words.bookedText(d.Owed)), "Day": locales.HTML(words.dateText(d.Since)),
	}
	var tongues []Button
	for _, l := range tongueNames() {
		if l.code != v.Language {
			tongues = append(tongues, Button{Text: l.name, Data: act(VerbKridi, d.Customer.ID, KridiRemind, l.code).Data()})
		}
	}
	return Message{HTML: words.t(key, args), AsIs: true, Keyboard: [][]Button{
		row(Button{Text: p.plain("button.kridi_copy", nil), Copy: short(words.plain(key, bare), mostCopied)}), tongues,
		row(p.button("button.back", act(VerbKridi, d.Customer.ID)), p.button("button.home", act(VerbHome))),
	}}
}

// RemindToast tells what to do with a reminder; soon: there was one a few days ago.
func (p Kridi) RemindToast(soon bool) string {
	if soon {
		return p.plain("kridi.reminded_soon", nil)
	}
	return p.plain("kridi.forward", nil)
}

// LimitAsk asks how much a customer may owe. typed is the amount to be confirmed where it looks odd, likely what may be meant instead.
func (p Kridi) LimitAsk(d Debt, typed, likely ledger.Money, problem PayProblem) Message {
	wrong := map[PayProblem]string{PayBad: p.t("sale.bad", nil), PayRange: p.t("sale.range", nil), PayUnsure: p.t("kridi.unsure", nil), PayOdd: p.t("kridi.limit_odd", nil)}[problem]
	var keys [][]Button
	for _, m := range []ledger.Money{likely, typed} {
		if m > 0 {
			keys = append(keys, row(Button{Text: string(p.booked(m)), Data: act(VerbKridi, d.Customer.ID, KridiLimit, id(int64(m/ledger.Centime))).Data()}))
		}
	}
	return Message{
		HTML:     lines(p.direct("📒 <b>"+string(p.customer(d.Customer))+"</b>"), wrong, p.t("kridi.limit_ask", nil)),
		Keyboard: append(keys, row(p.button("button.back", act(VerbKridi, d.Customer.ID)), p.button("button.cancel", act(VerbCancel)))),
	}
}

// DayAsk asks on which day of the month a customer is to be reminded.
func (p Kridi) DayAsk(d Debt) Message {
	var days []Button
	for _, n := range []int{1, 5, 10, 15, 20, 25, 28, 30} {
		days = append(days, Button{Text: isolate(id(n)), Data: act(VerbKridi, d.Customer.ID, KridiDay, id(n)).Data()})
	}
	return Message{
		HTML: lines(p.direct("📒 <b>"+string(p.customer(d.Customer))+"</b>"), p.t("kridi.day_ask", nil)),
		Keyboard: [][]Button{days[:4], days[4:], row(p.button("button.kridi_no_day", act(VerbKridi, d.Customer.ID, KridiDay, "0"))),
			row(p.button("button.back", act(VerbKridi, d.Customer.ID)))},
	}
}

// ForgiveAsk asks whether a debt is really not to be paid.
func (p Kridi) ForgiveAsk(d Debt) Message {
	return Message{
		HTML: p.t("kridi.forgive_ask", locales.Args{"Name": p.customer(d.Customer), "Owed": p.booked(d.Owed)}),
		Keyboard: [][]Button{row(p.button("button.kridi_forgive_yes", act(VerbKridi, d.Customer.ID, KridiForgive, strconv.FormatUint(d.Last, 10)))),
			row(p.button("button.back", act(VerbKridi, d.Customer.ID)))},
	}
}
