package screen

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/locales"
)

// The ranges of reports. They stand in the data of buttons.
const (
	ReportDay   = "day"
	ReportWeek  = "week"
	ReportMonth = "month"
	ReportRange = "range"
)

// How a report is shown. They stand in the data of buttons, behind its range.
const (
	ReportChart = "chart"
	ReportXLSX  = "xlsx"
	ReportCSV   = "csv"
	ReportAuto  = "auto" // asks when it is to come by itself; an hour behind it sets that, ReportOff ends it
	ReportOff   = "off"
)

const mostReportRows = 12 // products, sellers or customers under a report

// ReportView is what happened in a range of days.
type ReportView struct {
	Kind      string
	From, To  ledger.Day
	Seller    int64 // whose it is; 0 for the whole shop's
	ShowCost  bool  // the seller may see what was earned
	Closed    bool  // its last day is
	Flows     ledger.Flows
	Before    *ledger.Flows // of as many days before; of yesterday until now, for today; nil where there was no book
	UntilNow  bool
	Since     ledger.Money // what later days have corrected of what was sold, of one closed day
	End       ledger.End
	Uncertain int
	Unsure    ledger.Money
	Sellers   map[int64]string  // hostile text
	Customers map[string]string // hostile text
	Payday    []string          // customers who are to be reminded on its last day; hostile text
	Uncounted int               // counts that wait for an owner
	After     ledger.Money      // what was sold since its last day was closed before its time: it is the next day's
	// BoughtAfter is what was bought since then, of the whole shop's report.
	BoughtAfter ledger.Money
	Begun       time.Time // when the books began, where that is within the range; zero else
}

// to is the way to the report of a range, shown in some way.
func (v ReportView) to(how string) Action {
	args := []string{v.Kind, string(v.From), string(v.To)}
	if how != "" {
		args = append(args, how)
	}
	return act(VerbReport, args...)
}

// Report is what happened in a range of days, in a message that fits a phone.
func (p Reports) Report(v ReportView) Message {
	units, sold, cost := v.sums()
	out := []string{p.title(v), p.t("report.sold", locales.Args{"Sold": p.booked(sold), "Units": number(units)})}
	if v.Seller != 0 && v.ShowCost {
		out = append(out, p.earned(sold, cost))
	}
	if v.Seller == 0 {
		out = append(out, lines(p.earned(sold, cost), p.compared(v)), "", lines(p.received(v), p.kridiLine(v), p.stockLine(v), p.otherLines(v)))
	}
	if v.Since != 0 {
		out = append(out, p.t("report.since", locales.Args{"Change": p.gain(v.Since)}))
	}
	switch {
	case v.BoughtAfter != 0:
		out = append(out, p.t("report.after_bought", locales.Args{"Sold": p.booked(v.After), "Bought": p.booked(v.BoughtAfter)}))
	case v.After != 0:
		out = append(out, p.t("report.after", locales.Args{"Sold": p.booked(v.After)}))
	}
	if !v.Begun.IsZero() {
		out = append(out, p.t("report.begun", locales.Args{"Time": locales.HTML(isolate(p.Time(v.Begun)))}))
	}
	return Message{HTML: spaced(out) + p.tables(v) + p.open(v), Keyboard: p.keys(v)}
}

// title says what a report is of.
func (p Reports) title(v ReportView) string {
	span := string(p.day(v.From))
	if v.From != v.To {
		span += " – " + string(p.day(v.To))
	}
	text := map[string]string{
		ReportDay: p.t("report.day", nil), ReportWeek: p.t("report.week", nil), ReportMonth: p.t("report.month", nil), ReportRange: p.t("report.range", nil),
	}[v.Kind]
	if v.Seller != 0 {
		text = p.t("report.own", nil)
	}
	closed := ""
	if v.Closed {
		closed = " " + p.t("report.closed", nil)
	}
	return p.direct("📊 <b>" + text + "</b> · " + span + closed)
}

// earned is the profit, of what was paid for exactly what was sold.
func (p Reports) earned(sold, cost ledger.Money) string {
	profit := sold - cost
	margin := ""
	if sold > 0 {
		margin = " · " + isolate(p.percentOf(profit, sold))
	}
	return lines(p.t("report.profit", locales.Args{"Profit": p.booked(profit)})+margin, p.t("report.cost", locales.Args{"Cost": p.booked(cost)}))
}

// percentOf is a part of a whole, in percent.
func (p Reports) percentOf(part, whole ledger.Money) string {
	// A float will do for a figure that is shown and never reckoned with; amounts are whole numbers everywhere.
	n, sign := int64(math.Round(float64(part)/float64(whole)*100)), ""
	if n < 0 {
		n, sign = -n, "−"
	}
	if p.texts.Lang() == "fr" {
		return sign + id(n) + nbsp + "%"
	}
	return sign + id(n) + "%"
}

// compared is the range before.
func (p Reports) compared(v ReportView) string {
	if v.Before == nil || v.Before.Entries == 0 {
		return ""
	}
	args := locales.Args{"Sold": p.booked(v.Before.Sold()), "Profit": p.booked(v.Before.Profit())}
	if v.UntilNow {
		return p.t("report.yesterday", args)
	}
	return p.t("report.before", args)
}

// received is the money that came in, and what is in the tills.
func (p Reports) received(v ReportView) string {
	f := v.Flows
	return lines(
		p.t("report.received", locales.Args{"All": p.booked(f.Received()), "Sales": p.booked(f.PaidSales), "Debts": p.booked(f.DebtsPaid)}),
		p.t("report.till", locales.Args{"Till": p.booked(v.End.Totals[ledger.Till])}))
}

// kridiLine is what was sold on credit, what was paid of debts, and what is owed. What has come back, or was forgiven, is no payment:
// it has lines of its own.
func (p Reports) kridiLine(v ReportView) string {
	f := v.Flows
	if f.NewCredit() == 0 && f.PaidBack() == 0 && v.End.Owed == 0 {
		return ""
	}
	return p.t("report.kridi", locales.Args{"New": p.booked(f.NewCredit()), "Paid": p.booked(f.DebtsPaid), "Owed": p.booked(v.End.Owed)})
}

// stockLine is what was bought and not sold.
func (p Reports) stockLine(v ReportView) string {
	out := []string{p.t("report.bought", locales.Args{"Bought": p.booked(v.Flows.Bought)})}
	if v.End.OnHand > 0 {
		out = append(out, p.t("report.on_hand", locales.Args{"Count": number(v.End.OnHand), "Cost": p.booked(v.End.Totals[ledger.Stock])}))
	}
	if m := v.End.Totals[ledger.Transit]; m > 0 {
		out = append(out, p.t("report.transit", locales.Args{"Cost": p.booked(m)}))
	}
	return lines(out...)
}

// otherLines are what is rarely there: refunds, expenses, differences, and the result after them.
func (p Reports) otherLines(v ReportView) string {
	var out []string
	f := v.Flows
	if m := f.Of(ledger.Returns); m != 0 {
		out = append(out, p.t("report.returns", locales.Args{"Returns": p.booked(m)}))
	}
	if awaited := v.End.Totals[ledger.Claim]; f.Refunds != 0 || awaited != 0 {
		out = append(out, p.t("report.refunds", locales.Args{"Seen": p.booked(f.Refunds), "Awaited": p.booked(awaited)}))
	}
	if m := f.Of(ledger.Over); m != 0 {
		out = append(out, p.t("report.over", locales.Args{"Difference": p.gain(-m)}))
	}
	if m := f.Of(ledger.BadDebt) + f.Of(ledger.Loss) + f.Of(ledger.Expense); m != 0 {
		out = append(out, p.t("report.losses", locales.Args{"Losses": p.booked(m)}))
	}
	if f.Result() != f.Profit() {
		out = append(out, p.t("report.result", locales.Args{"Result": p.booked(f.Result())}))
	}
	return lines(out...)
}

// open is what needs a hand.
func (p Reports) open(v ReportView) string {
	var out []string
	if v.Uncertain > 0 {
		out = append(out, p.t("report.uncertain", locales.Args{"Count": number(v.Uncertain), "Sum": p.booked(v.Unsure)}))
	}
	if v.Uncounted > 0 {
		out = append(out, p.t("report.uncounted", locales.Args{"Count": number(v.Uncounted)}))
	}
	if len(v.Payday) > 0 && v.Seller == 0 {
		var names []string
		for _, n := range v.Payday[:min(len(v.Payday), mostReportRows)] {
			names = append(names, string(name(n)))
		}
		out = append(out, p.t("report.payday", locales.Args{"Names": locales.HTML(strings.Join(names, " · "))}))
	}
	if len(out) == 0 {
		return ""
	}
	return "\n\n" + lines(out...)
}

// keys are the buttons under a report: other ranges, and other forms of this one.
func (p Reports) keys(v ReportView) [][]Button {
	// Two beside each other: three are too wide for a phone in French.
	days := row(p.button("button.report_day", act(VerbReport, ReportDay)), p.button("button.report_week", act(VerbReport, ReportWeek)))
	month, home := p.button("button.report_month", act(VerbReport, ReportMonth)), p.button("button.home", act(VerbHome))
	if v.Seller != 0 {
		return [][]Button{days, row(month, home)}
	}
	return [][]Button{
		days, row(month, p.button("button.report_chart", v.to(ReportChart).fresh())),
		row(p.button("button.report_xlsx", v.to(ReportXLSX).fresh()), p.button("button.report_csv", v.to(ReportCSV).fresh())),
		row(p.button("button.report_auto", v.to(ReportAuto)), home),
	}
}

// None tells that there is nothing to report: no book is open.
func (p Reports) None() Message {
	keys := row(p.button("button.home", act(VerbHome)))
	if p.reader == ForOwner {
		keys = append(row(p.button("button.prices", act(VerbPrices))), keys...)
	}
	return Message{HTML: p.t("report.none", nil), Keyboard: [][]Button{keys}}
}

// NotYet tells that a day that was asked for has not come yet.
func (p Reports) NotYet() Message {
	m := p.BadRange()
	m.HTML = lines(p.t("report.not_yet", nil), m.HTML)
	return m
}

// BadRange tells how a range is typed.
func (p Reports) BadRange() Message {
	return Message{HTML: p.t("report.bad_range", nil), Keyboard: [][]Button{row(p.button("button.report_day", act(VerbReport, ReportDay)), p.button("button.home", act(VerbHome)))}}
}

// TooLong tells that a file would be too large.
func (p Reports) TooLong() string { return p.plain("report.too_long", nil) }

// AutoAsk asks at which hour the report is to come by itself; at is the minute of the day that is set, 0 for none.
func (p Reports) AutoAsk(at int) Message {
	var hours []Button
	for _, h := range []int{18, 20, 21, 22, 23} {
		hours = append(hours, Button{Text: isolate(time.Date(2000, 1, 1, h, 0, 0, 0, time.UTC).Format(clock)), Data: act(VerbReport, ReportAuto, id(h)).Data()})
	}
	now := p.t("report.auto_off", nil)
	keys := [][]Button{hours}
	if at > 0 {
		now = p.t("report.auto_on", locales.Args{"Time": hourOf(at)})
		keys = append(keys, row(p.button("button.report_auto_off", act(VerbReport, ReportAuto, ReportOff))))
	}
	return Message{HTML: lines(now, p.t("report.auto_ask", nil)), Keyboard: append(keys, row(p.button("button.back", act(VerbReport, ReportDay)), p.button("button.home", act(VerbHome))))}
}

// reportNote is a report that comes by itself.
func (p Notes) reportNote(args map[string]string) Message {
	var v ReportView
	if json.Unmarshal([]byte(args["figures"]), &v) != nil {
		return p.someNote()
	}
	if p.reader != ForOwner { // in a group others read along: what anything has cost stays with the owners
		return p.boardOf(p.Reports().title(v), BoardOf(v, v.Uncertain))
	}
	return p.Reports().Report(v)
}
