package screen

import (
	"fmt"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// What a button of an alert sets, beside a number.
const (
	AlertOff    = "off"
	AlertOn     = "on"
	AlertSilent = "silent"
	alertQuiet  = "quiet"
)

// alertKinds are the alerts in the order in which they are listed.
func alertKinds() []store.AlertKind {
	return []store.AlertKind{store.LowBalance, store.DaysLeft, store.LowStock, store.Expiry, store.Debit}
}

// List lists what a chat is told without asking.
func (p Alerts) List(al store.Alerts) Message {
	out := []string{p.t("alerts.title", nil)}
	var keys [][]Button
	for _, kind := range alertKinds() {
		out = append(out, p.alertLine(kind, al.Thresholds[kind]))
		keys = append(keys, row(Button{Text: p.alertName(kind), Data: act(VerbAlert, string(kind)).Data()}))
	}
	for i, w := range al.Products {
		out = append(out, p.direct("🔔 "+string(name(w.Name))+p.watches(w, al.Few())))
		// All of them are named, and some have a button: the others are reached from the product.
		if i < pageSize {
			keys = append(keys, row(Button{Text: p.led("🔔 " + label(w.Name, id(w.Product))), Data: act(VerbWatch, id(w.Product)).Data()}))
		}
	}
	out = append(out, "", p.quiet(al.Quiet))
	keys = append(keys, row(p.button("button.quiet", act(VerbAlert, alertQuiet)), p.button("button.sounds", act(VerbHear))), row(p.button("button.home", act(VerbHome))))
	return Message{HTML: spaced(out), Keyboard: keys}
}

// watches is what is told of a product, in signs, and below how many units it is low.
func (p Alerts) watches(w store.Watched, few store.Threshold) string {
	text := ""
	if w.Back {
		text += " ✨"
	}
	if w.Price {
		text += " 🏷"
	}
	if w.Low {
		text += " 📦 " + isolate("&lt; "+id(few.Number))
	}
	return text
}

// alertName is an alert on a button.
func (p Alerts) alertName(kind store.AlertKind) string {
	switch kind {
	case store.LowBalance:
		return p.plain("button.alert_balance", nil)
	case store.DaysLeft:
		return p.plain("button.alert_days", nil)
	case store.LowStock:
		return p.plain("button.alert_stock", nil)
	case store.Expiry:
		return p.plain("button.alert_expiry", nil)
	}
	return p.plain("button.alert_debit", nil)
}

// alertLine is an alert as it is set.
func (p Alerts) alertLine(kind store.AlertKind, threshold store.Threshold) string {
	if threshold.Mode == store.AlertOff {
		return p.t("alerts.off", locales.Args{"Name": locales.HTML(p.alertName(kind))})
	}
	var text string
	switch kind {
	case store.LowBalance:
		text = p.t("alerts.balance", locales.Args{"Amount": p.money(threshold.Amount)})
	case store.DaysLeft:
		text = p.t("alerts.days", locales.Args{"Days": number(threshold.Number)})
	case store.LowStock:
		text = p.t("alerts.stock", locales.Args{"Units": number(threshold.Number)})
	case store.Expiry:
		text = p.t("alerts.expiry", locales.Args{"Days": number(threshold.Number)})
	default:
		text = p.t("alerts.debit", nil)
	}
	if threshold.Mode == store.AlertSilent {
		text += " 🔕"
	}
	return text
}

// quiet is the hours in which alerts wait.
func (p Alerts) quiet(h store.Hours) string {
	// Hours without a length are how silence is turned off: the zero value is no silence at all.
	if h.From == h.To {
		return p.t("alerts.quiet_off", nil)
	}
	return p.t("alerts.quiet", hours(h))
}

// hours fills a text with two hours of a day, each whole: a part of one would move where text runs from right to left.
func hours(h store.Hours) locales.Args {
	at := func(hour int) locales.HTML { return locales.HTML(isolate(fmt.Sprintf("%02d:00", hour))) }
	return locales.Args{"From": at(h.From), "To": at(h.To)}
}

// Alert asks for one alert's threshold. problem is what was wrong with the answer.
func (p Alerts) Alert(kind store.AlertKind, threshold store.Threshold, problem Problem) Message {
	var presets []Button
	for _, n := range alertPresets(kind) {
		presets = append(presets, Button{Text: p.preset(kind, n), Data: act(VerbAlertSet, string(kind), id(n)).Data()})
	}
	var keys [][]Button
	if len(presets) > 0 {
		keys = append(keys, presets)
	}
	if modes := p.alertModes(kind, threshold); modes != nil {
		keys = append(keys, modes)
	}
	keys = append(keys, row(p.button("button.back", act(VerbAlerts))))
	ask := ""
	if len(presets) > 0 {
		ask = p.t("alerts.ask", nil)
	}
	wrong, about := "", ""
	if problem != NoProblem {
		wrong = p.t("alerts.not_a_number", nil)
	}
	if kind == store.LowStock {
		about = p.t("alerts.stock_about", nil)
	}
	return Message{HTML: lines("<b>"+p.direct(p.alertName(kind))+"</b>", p.alertLine(kind, threshold), about, wrong, ask), Keyboard: keys}
}

// alertModes are the ways in which an alert can speak, but for the one in which it does. One that was never set is set by a
// number.
func (p Alerts) alertModes(kind store.AlertKind, threshold store.Threshold) []Button {
	to := func(key, mode string) Button { return p.button(key, act(VerbAlertSet, string(kind), mode)) }
	off := to("button.alert_off", AlertOff)
	switch {
	case threshold.Mode == store.AlertOn:
		return row(to("button.alert_silent", AlertSilent), off)
	case threshold.Mode == store.AlertSilent:
		return row(to("button.alert_on", AlertOn), off)
	// One that is off can be turned on where it has a threshold from before, or needs none.
	case kind == store.Debit || threshold.Number != 0 || !threshold.Amount.IsZero():
		return row(to("button.alert_turn_on", AlertOn))
	}
	return nil
}

// preset is a number that an alert can be set to, with what it counts.
func (p Alerts) preset(kind store.AlertKind, n int) string {
	switch kind {
	case store.LowBalance:
		return isolate(p.Amount(dzd.Int(int64(n))))
	case store.LowStock:
		return p.counted("button.units", n)
	}
	return p.counted("button.days", n)
}

// AlertMeant asks whether an amount is where an alert is to begin: what was typed can be read in two ways.
func (p Alerts) AlertMeant(kind store.AlertKind, amount dzd.Amount) Message {
	return Message{HTML: lines("<b>"+p.direct(p.alertName(kind))+"</b>", p.t("amount.meant", locales.Args{"Amount": p.money(amount)})), Keyboard: [][]Button{
		row(p.amountButton(amount, act(VerbAlertSet, string(kind), amount.String()))), row(p.button("button.back", act(VerbAlerts))),
	}}
}

// amountButton does something with the amount that it shows.
func (p Printer) amountButton(amount dzd.Amount, a Action) Button {
	return Button{Text: isolate(p.Amount(amount)), Data: a.Data()}
}

// alertPresets are numbers that are often wanted.
func alertPresets(kind store.AlertKind) []int {
	switch kind {
	case store.LowBalance:
		return []int{1000, 5000, 20000}
	case store.DaysLeft:
		return []int{1, 2, 3, 7}
	case store.LowStock:
		return []int{1, 3, 5, 10}
	case store.Expiry:
		return []int{3, 7, 14, 30}
	}
	return nil
}

// nights are the hours that are often wanted quiet.
func nights() []store.Hours {
	return []store.Hours{{From: 22, To: 7}, {From: 23, To: 8}, {From: 0, To: 6}}
}

// Quiet asks for the hours in which alerts wait.
func (p Alerts) Quiet(h store.Hours) Message {
	var keys [][]Button
	for _, span := range nights() {
		keys = append(keys, row(Button{Text: p.plain("button.hours", hours(span)), Data: act(VerbAlertSet, alertQuiet, id(span.From), id(span.To)).Data()}))
	}
	return Message{HTML: lines(p.quiet(h), p.t("alerts.quiet_help", nil)), Keyboard: append(keys,
		row(p.button("button.alert_off", act(VerbAlertSet, alertQuiet, "0", "0"))), row(p.button("button.back", act(VerbAlerts))),
	)}
}

// Watch asks what a chat wants to be told of a product; few is where it is low.
func (p Alerts) Watch(w store.Watched, few store.Threshold) Message {
	toggle := func(key string, on bool, what string) []Button {
		text := p.plain(key, nil)
		if on {
			text = "• " + text
		}
		return row(Button{Text: text, Data: act(VerbWatchSet, id(w.Product), what).Data()})
	}
	low := p.t("watch.low", locales.Args{"Units": number(few.Number)})
	return Message{HTML: lines(p.direct("<b>"+string(name(w.Name))+"</b>"), p.t("watch.ask", nil), low), Keyboard: [][]Button{
		toggle("button.watch_back", w.Back, WatchBack), toggle("button.watch_price", w.Price, WatchPrice),
		toggle("button.watch_low", w.Low, WatchLow),
		row(p.button("button.back", act(VerbProduct, id(w.Product), "0")), p.button("button.home", act(VerbHome))),
	}}
}

// What is watched of a product.
const (
	WatchBack  = "back"
	WatchPrice = "price"
	WatchLow   = "low"
)

// alert is one thing that happened, as package notify writes it.
// Its keys stand in rows of the outbox, which may be older than this version: none may get another meaning.
type alert struct {
	Kind      string `json:"k"`
	Product   string `json:"p"`
	Variant   string `json:"v"`
	Amount    string `json:"a"`
	Reference string `json:"l"`
	Number    int    `json:"n"`
	ID        int64  `json:"i"`
	Zoneless  bool   `json:"c"`

	// What the shop asks and earns with the price before, and now; "" where it has no price of its own.
	Asked  string `json:"w"`
	Asks   string `json:"o"`
	Earned string `json:"f"`
	Earns  string `json:"g"`
}

// margin is what another price of the service does to what the shop earns. From the margin the buying price follows, which
// this tells anyway; but what the shop makes of it is for owners alone.
func (p Notes) margin(a alert) string {
	if a.Asks == "" || p.reader != ForOwner {
		return ""
	}
	args := locales.Args{"Before": p.exact(a.Asked), "Price": p.exact(a.Asks), "Was": p.exact(a.Earned), "Now": p.exact(a.Earns)}
	text := p.t("alert.margin_price", args)
	if a.Asked == a.Asks {
		delete(args, "Before")
		text = p.t("alert.margin", args)
	}
	if earns, err := dzd.Parse(a.Earns); err == nil && earns.Sign() < 0 {
		text = lines(text, p.t("alert.margin_below", nil))
	}
	return text
}

// mostLeads is how many products an alert leads to.
const mostLeads = 3

// exact is an amount that travelled as exact text.
func (p Printer) exact(text string) locales.HTML {
	a, err := dzd.Parse(text)
	if err != nil {
		return ""
	}
	return p.money(a)
}

// watchButton opens what a chat wants to be told of a product of the catalogue.
func (p Alerts) watchButton(product api.Product) []Button {
	// Its plans are read apart from the catalogue (api.ArenaProduct), and have no product in it that could be watched.
	if product.Family == api.Arena {
		return nil
	}
	return row(p.button("button.watch", act(VerbWatch, id(product.ID))))
}
