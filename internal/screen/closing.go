package screen

import (
	"slices"
	"strconv"

	"resellerbot/internal/ledger"
	"resellerbot/locales"
)

// What can be done with a till. They stand in the data of buttons, behind the counter.
const (
	TillCount   = "count"   // shift, what was counted
	TillLeave   = "leave"   // shift, what was counted, what stays
	TillAgain   = "again"   // shift: an owner has it counted once more by whoever has counted it
	TillConfirm = "confirm" // shift, what was counted, what stays, CountedTo: an owner takes that count of somebody else
	TillOut     = "out"     // cash is taken out; head of the book, amount, and TillOwner or TillExpense
	TillOwner   = "owner"
	TillExpense = "expense"
	TillUndo    = "undo" // entry
	DayClose    = "day"  // in the place of a counter; the day, where it was asked whether it is meant
)

// TillView is a drawer with cash.
type TillView struct {
	Counter  string
	Name     string // hostile text
	Shift    uint64 // that a count would end
	Expected ledger.Money
	Since    ledger.Money  // of Expected: what has come since it was counted by somebody who waits for an owner
	Open     bool          // something was sold or paid since it was counted last
	Counted  *ledger.Money // by somebody who waits for an owner
	Leave    ledger.Money
	By       string // who has counted; hostile text
	To       uint64 // the last entry before they did
	Last     ledger.Money
}

// counted is the drawer as it was when it was counted by somebody who waits for an owner.
func (v TillView) counted() TillView {
	// v is a copy. What was sold after the count is no part of what had to be there then.
	v.Expected -= v.Since
	return v
}

// difference is what was counted less what had to be there.
func (v TillView) difference(counted ledger.Money) ledger.Money { return counted - v.Expected }

// ClosingView is the tills of a shop before its day is closed.
type ClosingView struct {
	Tills []TillView
	Day   ledger.Day
	Done  bool // the day is closed
}

// Tills lists the drawers of a shop, for owners.
func (p Closing) Tills(v ClosingView) Message {
	out := []string{p.t("close.title", nil)}
	var keys [][]Button
	for _, t := range v.Tills {
		out = append(out, p.t("close.till", locales.Args{"Name": name(t.Name), "Expected": p.booked(t.Expected)}))
		if t.Counted != nil {
			out = append(out, p.waiting(t))
		}
		keys = append(keys, row(p.tillButton(t)))
	}
	if len(v.Tills) == 0 {
		out = append(out, p.t("close.no_cash", nil))
	}
	end := row(p.button("button.home", act(VerbHome)))
	if v.Done {
		out = append(out, p.t("close.day_done", locales.Args{"Day": p.day(v.Day)}))
	} else {
		keys = append(keys, row(p.button("button.close_day", act(VerbClose, DayClose))))
	}
	return Message{HTML: lines(out...), Keyboard: append(keys, end)}
}

// Waits reports whether a count waits for an owner.
func (v ClosingView) Waits() bool {
	return slices.ContainsFunc(v.Tills, func(t TillView) bool { return t.Counted != nil })
}

// tillButton leads to a drawer.
func (p Printer) tillButton(t TillView) Button {
	return Button{Text: p.led("💵 " + label(t.Name, t.Counter)), Data: act(VerbClose, t.Counter).Data()}
}

// counted is what somebody has counted, and how far that is from what had to be there.
func (p Closing) counted(v TillView, counted ledger.Money) string {
	text := p.t("close.counted", locales.Args{"Counted": p.booked(counted)})
	switch d := v.difference(counted); {
	case d < 0:
		text += " · " + p.t("close.short", locales.Args{"Difference": p.booked(-d)})
	case d > 0:
		text += " · " + p.t("close.over", locales.Args{"Difference": p.booked(d)})
	default:
		text += " · " + p.t("close.exact", nil)
	}
	return text
}

// waiting is a count that waits for an owner, judged by what had to be there at its moment, and what has come since.
func (p Closing) waiting(v TillView) string {
	return lines(p.counted(v.counted(), *v.Counted), p.since(v))
}

// since is what has come into a drawer since it was counted.
func (p Closing) since(v TillView) string {
	if v.Since == 0 {
		return ""
	}
	return p.t("close.since", locales.Args{"Sum": p.gain(v.Since)})
}

// head is whose drawer it is.
func (p Closing) head(v TillView) string {
	return p.t("close.of", locales.Args{"Name": name(v.Name)})
}

// Count asks how much cash is there. Only owners are told how much has to be.
func (p Closing) Count(v TillView, problem PayProblem, likely, typed ledger.Money) Message {
	wrong := map[PayProblem]string{PayBad: p.t("sale.bad", nil), PayRange: p.t("sale.range", nil), PayUnsure: p.t("offer.unsure", nil), PayMuch: p.t("close.odd", nil),
		PayOver: p.t("close.over_by_now", nil), PayOther: p.t("close.other", nil)}[problem]
	expected := ""
	var keys [][]Button
	// What may be meant stands before what was typed, which looks odd: the first button is the one that is tapped in a hurry.
	for _, m := range []ledger.Money{likely, typed} {
		if m > 0 {
			keys = append(keys, row(p.countButton(v, m)))
		}
	}
	if p.reader == ForOwner {
		expected = p.t("close.expected", locales.Args{"Expected": p.booked(v.Expected)})
		if slices.Contains([]PayProblem{PayFine, PayOver, PayOther}, problem) && v.Expected >= 0 && v.Expected%ledger.Centime == 0 {
			keys = append(keys, row(p.countButton(v, v.Expected)))
		}
		if v.Counted != nil {
			expected = lines(expected, p.t("close.by", locales.Args{"Name": name(v.By)}), p.waiting(v), p.t("close.left", locales.Args{"Left": p.booked(v.Leave)}))
			keys = append(p.decideCount(v), keys...)
		}
	}
	keys = append(keys, row(p.button("button.close_out", act(VerbClose, v.Counter, TillOut))), row(p.button("button.cancel", act(VerbCancel)), p.button("button.home", act(VerbHome))))
	return Message{HTML: lines(p.head(v), wrong, expected, p.t("close.ask", nil)), Keyboard: keys}
}

// CountedTo is how the last entry before a count stands in the data of buttons, which are short.
func CountedTo(entry uint64) string { return strconv.FormatUint(entry, 36) }

// decideCount lets an owner take a count of somebody else, the one that is shown and no later one, or have another one made.
func (p Closing) decideCount(v TillView) [][]Button {
	// All that the owner has read goes with the button: a count that was made anew since differs in one of them, and is asked about
	// itself.
	shift := strconv.FormatUint(v.Shift, 10)
	return [][]Button{
		row(p.button("button.close_confirm", act(VerbClose, v.Counter, TillConfirm, shift, id(int64(*v.Counted/ledger.Centime)), id(int64(v.Leave/ledger.Centime)), CountedTo(v.To)))),
		row(p.button("button.close_recount", act(VerbClose, v.Counter, TillAgain, shift))),
	}
}

// countButton says that so much is there.
func (p Closing) countButton(v TillView, m ledger.Money) Button {
	return p.buttonWith("button.close_is", locales.Args{"Amount": p.booked(m)}, act(VerbClose, v.Counter, TillCount, strconv.FormatUint(v.Shift, 10), id(int64(m/ledger.Centime))))
}

// Leave asks how much of what was counted stays in the drawer.
func (p Closing) Leave(v TillView, counted ledger.Money, problem PayProblem) Message {
	wrong := map[PayProblem]string{PayBad: p.t("sale.bad", nil), PayRange: p.t("close.leave_much", nil), PayUnsure: p.t("kridi.unsure", nil)}[problem]
	what := p.t("close.counted", locales.Args{"Counted": p.booked(counted)})
	if p.reader == ForOwner {
		what = p.counted(v, counted)
	}
	leave := func(m ledger.Money) Action {
		return act(VerbClose, v.Counter, TillLeave, strconv.FormatUint(v.Shift, 10), id(int64(counted/ledger.Centime)), id(int64(m/ledger.Centime)))
	}
	keys := [][]Button{row(p.button("button.close_leave_all", leave(counted)), p.button("button.close_leave_none", leave(0)))}
	if v.Last > 0 && v.Last < counted {
		keys = append(keys, row(p.buttonWith("button.close_leave", locales.Args{"Amount": p.booked(v.Last)}, leave(v.Last))))
	}
	return Message{
		HTML:     lines(p.head(v), wrong, what, p.t("close.leave_ask", nil)),
		Keyboard: append(keys, row(p.button("button.close_again", act(VerbClose, v.Counter)), p.button("button.cancel", act(VerbCancel)))),
	}
}

// NotKept tells that what was counted is not kept: something else came before it was said how much of it stays.
func (p Closing) NotKept(counter string, counted ledger.Money) Message {
	return Message{
		HTML:     p.t("close.not_kept", locales.Args{"Counted": p.booked(counted)}),
		Keyboard: [][]Button{row(p.button("button.close_again", act(VerbClose, counter)))},
	}
}

// Sent tells who has counted that an owner is to confirm it. Nothing that had to be there is in it.
func (p Closing) Sent(v TillView, counted ledger.Money) Message {
	return Message{
		HTML:     lines(p.head(v), p.t("close.counted", locales.Args{"Counted": p.booked(counted)}), p.t("close.sent", nil)),
		Keyboard: [][]Button{row(p.button("button.close_again", act(VerbClose, v.Counter)), p.button("button.home", act(VerbHome)))},
	}
}

// Sealed tells that a shift is closed.
func (p Closing) Sealed(v TillView, s ledger.Shift) Message {
	v.Expected = s.Expected
	taken := ""
	if s.Taken > 0 {
		taken = p.t("close.taken", locales.Args{"Taken": p.booked(s.Taken)})
	}
	return Message{
		HTML: lines(p.head(v), p.t("close.done", nil), p.t("close.expected", locales.Args{"Expected": p.booked(s.Expected)}), p.counted(v, s.Counted), taken,
			p.t("close.left", locales.Args{"Left": p.booked(s.Counted - s.Taken)}), p.since(v)),
		Keyboard: [][]Button{row(p.button("button.close", act(VerbClose)), p.button("button.home", act(VerbHome)))},
	}
}

// OutAsk asks how much cash is taken out of a drawer.
func (p Closing) OutAsk(v TillView, problem PayProblem) Message {
	wrong := map[PayProblem]string{PayBad: p.t("sale.bad", nil), PayRange: p.t("sale.range", nil), PayUnsure: p.t("kridi.unsure", nil), PayMuch: p.t("sale.refused_much", nil)}[problem]
	return Message{HTML: lines(p.head(v), wrong, p.t("close.out_ask", nil)), Keyboard: [][]Button{row(p.button("button.back", act(VerbClose, v.Counter)), p.button("button.cancel", act(VerbCancel)))}}
}

// OutWhy asks what cash was taken out for. head names the card.
func (p Closing) OutWhy(v TillView, head uint64, amount ledger.Money) Message {
	out := func(why string) Action {
		return act(VerbClose, v.Counter, TillOut, strconv.FormatUint(head, 10), id(int64(amount/ledger.Centime)), why)
	}
	return Message{
		HTML: lines(p.head(v), p.t("close.out_of", locales.Args{"Amount": p.booked(amount)}), p.t("close.out_why", nil)),
		Keyboard: [][]Button{row(p.button("button.close_owner", out(TillOwner)), p.button("button.close_expense", out(TillExpense))),
			row(p.button("button.cancel", act(VerbCancel)))},
	}
}

// Out tells that cash was taken out.
func (p Closing) Out(v TillView, amount ledger.Money, entry uint64) Message {
	return Message{
		HTML: lines(p.head(v), p.t("close.out_done", locales.Args{"Amount": p.booked(amount)})),
		Keyboard: [][]Button{row(p.button("button.kridi_undo", act(VerbClose, v.Counter, TillUndo, strconv.FormatUint(entry, 10)))),
			row(p.button("button.close", act(VerbClose)), p.button("button.home", act(VerbHome)))},
	}
}

// PutBack says that cash which was taken out is in the till again.
func (p Closing) PutBack(amount ledger.Money) string {
	return p.plain("close.put_back", locales.Args{"Amount": p.booked(amount)})
}

// DayAsk asks whether the day is to be closed, with what is still open. A count that waits is decided first: the day would be
// sealed without it.
func (p Closing) DayAsk(v ClosingView, r ReportView) Message {
	if v.Waits() {
		return p.countsFirst(v)
	}
	uncounted := 0
	for _, t := range v.Tills {
		if t.Open && t.Expected != 0 {
			uncounted++
		}
	}
	out := []string{p.t("close.day_ask", locales.Args{"Day": p.day(v.Day)}), p.t("report.sold", locales.Args{"Sold": p.booked(r.Flows.Sold()), "Units": number(unitsOf(r))})}
	if uncounted > 0 {
		out = append(out, p.t("close.day_uncounted", locales.Args{"Count": number(uncounted)}))
	}
	if r.End.OnHand > 0 {
		out = append(out, p.t("report.on_hand", locales.Args{"Count": number(r.End.OnHand), "Cost": p.booked(r.End.Totals[ledger.Stock])}))
	}
	if r.Uncertain > 0 {
		out = append(out, p.t("report.uncertain", locales.Args{"Count": number(r.Uncertain), "Sum": p.booked(r.Unsure)}))
	}
	return Message{HTML: lines(out...), Keyboard: [][]Button{
		row(p.button("button.close_day_yes", act(VerbClose, DayClose, string(v.Day)))), row(p.button("button.back", act(VerbClose)), p.button("button.home", act(VerbHome))),
	}}
}

// countsFirst leads an owner who closes the day to the counts that wait.
func (p Closing) countsFirst(v ClosingView) Message {
	out := []string{p.t("close.day_waits", locales.Args{"Day": p.day(v.Day)})}
	var keys [][]Button
	for _, t := range v.Tills {
		if t.Counted != nil {
			out = append(out, p.t("close.till", locales.Args{"Name": name(t.Name), "Expected": p.booked(t.Expected)}), p.waiting(t))
			keys = append(keys, row(p.tillButton(t)))
		}
	}
	return Message{HTML: lines(out...), Keyboard: append(keys, row(p.button("button.back", act(VerbClose)), p.button("button.home", act(VerbHome))))}
}

// unitsOf is how many units a report counts.
func unitsOf(r ReportView) int {
	n, _, _ := r.sums()
	return n
}

// Refused says why nothing was written about a till; by is who was first, where somebody was.
func (p Closing) Refused(why ledger.Reason, by string) string {
	switch why { //nolint:exhaustive // the others read as they do of a sale
	case ledger.AlreadySold, ledger.OtherContent, ledger.NotSold, ledger.AlreadyDone:
		return p.plain("close.refused_done", nil)
	}
	return p.Sales().Refused(why, by)
}

// NoCount tells that a count does not wait for an owner any more.
func (p Closing) NoCount() string { return p.plain("close.no_count", nil) }

// NotDay tells that the day cannot be closed, since something waits to be written.
func (p Closing) NotDay() string { return p.plain("close.day_due", nil) }

// countedNote tells owners that somebody has counted a till.
func (p Notes) countedNote(args map[string]string) Message {
	n, err := strconv.ParseInt(args["amount"], 10, 64)
	if err != nil {
		return p.someNote()
	}
	return Message{
		HTML:     p.t("close.note", locales.Args{"Name": name(args["person"]), "Counted": p.booked(ledger.Money(n))}),
		Keyboard: [][]Button{row(p.button("button.close_look", act(VerbClose, clean(args["counter"], 20)).fresh()))},
	}
}

// countLeftNote tells whoever has counted a till that an owner has counted it as well, and what was taken.
func (p Notes) countLeftNote(args map[string]string) Message {
	n, err := strconv.ParseInt(args["amount"], 10, 64)
	other, otherErr := strconv.ParseInt(args["other"], 10, 64)
	if err != nil || otherErr != nil {
		return p.someNote()
	}
	return Message{
		HTML: p.t("close.note_left", locales.Args{
			"Name": name(args["person"]), "Counted": p.booked(ledger.Money(n)), "Other": p.booked(ledger.Money(other)),
		}),
		Keyboard: [][]Button{row(p.button("button.home", act(VerbHome).fresh()))},
	}
}

// countTakenNote tells whoever has counted a till that an owner has confirmed it.
func (p Notes) countTakenNote(args map[string]string) Message {
	n, err := strconv.ParseInt(args["amount"], 10, 64)
	if err != nil {
		return p.someNote()
	}
	return Message{
		HTML:     p.t("close.note_taken", locales.Args{"Name": name(args["person"]), "Counted": p.booked(ledger.Money(n))}),
		Keyboard: [][]Button{row(p.button("button.home", act(VerbHome).fresh()))},
	}
}

// recountNote asks whoever has counted a till to count it again.
func (p Notes) recountNote(args map[string]string) Message {
	return Message{
		HTML:     p.t("close.note_again", locales.Args{"Name": name(args["person"])}),
		Keyboard: [][]Button{row(p.button("button.close_again", act(VerbClose, clean(args["counter"], 20)).fresh()))},
	}
}

// saleUndoneNote tells whose till it was that somebody else has undone sales, whose cash is to leave it.
func (p Notes) saleUndoneNote(args map[string]string) Message {
	n, err := strconv.ParseInt(args["amount"], 10, 64)
	units, unitsErr := strconv.Atoi(args["units"])
	more, moreErr := strconv.Atoi(args["more"])
	if err != nil || unitsErr != nil || moreErr != nil {
		return p.someNote()
	}
	besides := locales.HTML("")
	if more > 0 {
		besides = " · +" + number(more)
	}
	return Message{
		HTML: p.t("close.note_undone", locales.Args{
			"Name": name(args["person"]), "Amount": p.booked(ledger.Money(n)), "Units": number(units), "Item": name(args["item"]), "Besides": besides,
		}),
		Keyboard: [][]Button{row(p.button("button.close", act(VerbClose, clean(args["counter"], 20)).fresh()))},
	}
}

// tillTakenNote tells whose till it is that somebody else has taken cash out of it.
func (p Notes) tillTakenNote(args map[string]string) Message {
	n, err := strconv.ParseInt(args["amount"], 10, 64)
	if err != nil {
		return p.someNote()
	}
	return Message{
		HTML:     p.t("close.note_out", locales.Args{"Name": name(args["person"]), "Amount": p.booked(ledger.Money(n))}),
		Keyboard: [][]Button{row(p.button("button.close", act(VerbClose, clean(args["counter"], 20)).fresh()))},
	}
}

// tillBelowNote tells an owner that somebody has taken more out of a till than it held.
func (p Notes) tillBelowNote(args map[string]string) Message {
	n, err := strconv.ParseInt(args["amount"], 10, 64)
	held, heldErr := strconv.ParseInt(args["held"], 10, 64)
	if err != nil || heldErr != nil {
		return p.someNote()
	}
	return Message{
		HTML:     p.t("close.note_below", locales.Args{"Name": name(args["person"]), "Amount": p.booked(ledger.Money(n)), "Held": p.booked(ledger.Money(held))}),
		Keyboard: [][]Button{row(p.button("button.close", act(VerbClose, clean(args["counter"], 20)).fresh()))},
	}
}
