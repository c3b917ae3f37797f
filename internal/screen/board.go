package screen

import (
	"encoding/json"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Where the board of a day is shown. They stand in the data of buttons.
const (
	BoardHere  = "here"  // in the chat with the owner
	BoardGroup = "group" // where deliveries go
	BoardOff   = "off"
)

// BoardView is the day of a shop as its board shows it. There is no room in it for what anything has cost.
type BoardView struct {
	Day       ledger.Day
	At        time.Time    `json:",omitzero"`  // when it was so
	Closed    bool         `json:",omitempty"` // the day was closed before its end: what stands there is of then
	After     ledger.Money // what was sold since, which counts for the next day
	Units     int
	Sold      ledger.Money
	Received  ledger.Money
	Credit    ledger.Money // sold on credit
	Till      ledger.Money // in all tills, for owners
	OnHand    int          // bought and not sold
	Open      int          // purchases in progress
	Uncertain int
	Uncounted int
}

// BoardOf is what a board shows of a day's report. open is how many purchases are in progress, uncertain ones among them.
func BoardOf(v ReportView, open int) BoardView {
	units, sold, _ := v.sums()
	return BoardView{
		Day: v.To, Units: units, Sold: sold, Received: v.Flows.Received(), Credit: v.Flows.NewCredit(), Till: v.End.Totals[ledger.Till],
		OnHand: v.End.OnHand, Open: max(0, open-v.Uncertain), Uncertain: v.Uncertain, Uncounted: v.Uncounted, Closed: v.Closed, After: v.After,
	}
}

// boardNote is the board of a day, of a BoardView as JSON. Who counts a till in a group does so without knowing what is to be in it.
func (p Notes) boardNote(args map[string]string) Message {
	var v BoardView
	if json.Unmarshal([]byte(args["board"]), &v) != nil { // of a version after this one
		return p.someNote()
	}
	head := p.t("board.title", locales.Args{"Day": p.day(v.Day)})
	if v.Closed {
		head += " " + p.t("report.closed", nil)
	}
	return p.boardOf(head, v)
}

// boardOf is the day of a shop in a few lines, under a heading.
func (p Notes) boardOf(head string, v BoardView) Message {
	out := []string{
		head, p.t("report.sold", locales.Args{"Sold": p.booked(v.Sold), "Units": number(v.Units)}),
		p.t("board.received", locales.Args{"Sum": p.booked(v.Received)}),
	}
	if v.Credit > 0 {
		out = append(out, p.t("board.credit", locales.Args{"Sum": p.booked(v.Credit)}))
	}
	if p.reader == ForOwner {
		out = append(out, p.t("report.till", locales.Args{"Till": p.booked(v.Till)}))
	}
	if v.After != 0 {
		out = append(out, p.t("report.after", locales.Args{"Sold": p.booked(v.After)}))
	}
	if v.OnHand > 0 {
		out = append(out, p.t("board.on_hand", locales.Args{"Count": number(v.OnHand)}))
	}
	if v.Open > 0 {
		out = append(out, p.texts.N("welcome.waiting", v.Open, nil))
	}
	if v.Uncertain > 0 {
		out = append(out, p.texts.N("welcome.uncertain", v.Uncertain, nil))
	}
	if v.Uncounted > 0 && p.reader == ForOwner {
		out = append(out, p.t("report.uncounted", locales.Args{"Count": number(v.Uncounted)}))
	}
	if !v.At.IsZero() {
		out = append(out, p.t("welcome.at", locales.Args{"Time": locales.HTML(isolate(v.At.In(p.zone).Format(clock)))}))
	}
	return Message{HTML: lines(out...)}
}

// BoardEnded is what stands in the place of a board that is one no more; moved: there is another one elsewhere.
func (p Notes) BoardEnded(moved bool) Message {
	if moved {
		return Message{HTML: p.t("board.moved", nil)}
	}
	return Message{HTML: p.t("board.ended", nil)}
}

// BoardPage is where the board of the day is, and how to change that; out is that the bot is not in the group any more.
func (p Home) BoardPage(at *store.Board, place *store.Place, out bool) Message {
	now := p.t("board.off", nil)
	switch {
	case at == nil:
	case at.Chat > 0:
		now = p.t("board.here", nil)
	case place != nil:
		now = p.t("board.group", locales.Args{"Group": name(place.Title)})
	}
	switch {
	case at == nil:
	case at.Chat < 0 && place != nil && out:
		now = lines(now, p.t("board.out", locales.Args{"Group": name(place.Title)}))
	case at.Message == 0:
		now = lines(now, p.t("board.soon", nil))
	case !at.Pinned:
		now = lines(now, p.t("board.not_pinned", nil))
	}
	var keys [][]Button
	if place != nil && !out && (at == nil || at.Chat != place.Chat) {
		keys = append(keys, row(p.button("button.board_group", act(VerbBoard, BoardGroup))))
	}
	if at == nil || at.Chat < 0 {
		keys = append(keys, row(p.button("button.board_here", act(VerbBoard, BoardHere))))
	}
	if at != nil {
		keys = append(keys, row(p.button("button.board_off", act(VerbBoard, BoardOff))))
	}
	return Message{
		HTML:     lines(p.t("board.about", nil), p.t("board.help", nil), now),
		Keyboard: append(keys, row(p.button("button.back", act(VerbBooks)), p.button("button.home", act(VerbHome)))),
	}
}
