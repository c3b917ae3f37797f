package screen

import (
	"cmp"
	"slices"
	"strings"

	"resellerbot/internal/api"
	"resellerbot/locales"
)

// HistoryView is what the service remembers of a family's orders.
type HistoryView struct {
	Family  api.Family
	List    []api.Order // in any order
	Page    int
	Offered bool // it keeps such a list
}

// History is a page of what the service remembers, newest first. What has no time comes last.
func (p Orders) History(v HistoryView) Message {
	list := slices.Clone(v.List)
	// No order is promised by the service; those of the same time stay as they came.
	slices.SortStableFunc(list, func(a, b api.Order) int { return b.CreatedAt.Compare(a.CreatedAt) })
	first, last, page, pages := pageOf(len(list), v.Page)

	out := []string{p.t("history.title", nil)}
	switch {
	case !v.Offered:
		out = append(out, p.t("history.not_offered", nil))
	case first == last:
		out = append(out, p.t("history.none", nil))
	}
	var numbers []Button
	for i, o := range list[first:last] {
		n := id(first + i + 1)
		out = append(out, "", p.entry(n, o))
		// An id is the service's, of any form: one that a button cannot carry is listed without one.
		if opens := act(VerbPastOrder, string(v.Family), o.ID); !strings.Contains(o.ID, ":") && len(opens.encoded()) <= maxData {
			numbers = append(numbers, Button{Text: isolate(n), Data: opens.Data()})
		}
	}
	var keys [][]Button
	keys = slices.AppendSeq(keys, slices.Chunk(numbers, inRow))
	if pages > 1 {
		keys = append(keys, p.pager(page, pages, func(n int) Action { return act(VerbHistory, string(v.Family), id(n)) }))
	}
	keys = append(keys, p.historyTabs(v.Family)...)
	return Message{HTML: spaced(out), Keyboard: append(keys, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.home", act(VerbHome))))}
}

// historyTabs are the families that may have a history.
func (p Orders) historyTabs(open api.Family) (tabs [][]Button) {
	for _, tab := range [...]struct {
		family api.Family
		text   string
	}{
		{api.Goods, p.plain("button.history_goods", nil)}, {api.Arena, p.plain("button.history_arena", p.family(api.Arena))},
		{api.BattleRoyale, p.plain("button.history_battleroyale", p.family(api.BattleRoyale))},
	} {
		if tab.family == open {
			tab.text = "• " + tab.text
		}
		tabs = append(tabs, row(Button{Text: tab.text, Data: act(VerbHistory, string(tab.family)).Data()}))
	}
	return tabs
}

// entry is one order of a history. No code of it is shown: it may be another chat's.
func (p Orders) entry(number string, o api.Order) string {
	head := "<b>" + isolate("#"+escape(clean(o.ID, nameLength))) + "</b>"
	if !o.CreatedAt.IsZero() {
		head += " · " + string(p.serviceTime(o.CreatedAt, o.Zoneless, Printer.Time))
	}
	if number != "" {
		head = isolate(number) + ". " + head
	}
	var what []string
	for _, part := range [...]string{o.ProductName, o.VariantName, cmp.Or(o.Player, o.PlayerID)} {
		if clean(part, nameLength) != "" {
			what = append(what, string(name(part)))
		}
	}
	var tail []string
	if !o.Price.IsZero() { // a list need not show it
		tail = append(tail, string(p.money(o.Price)))
	}
	if status := p.serviceStatus(o); status != "" {
		tail = append(tail, status)
	}
	return p.direct(lines(head, strings.Join(what, " · "), strings.Join(tail, " · ")))
}

// serviceStatus is the status of an order in the service's history, in words where we know it, and else as it came.
func (p Orders) serviceStatus(o api.Order) string {
	if clean(o.Status, nameLength) == "" {
		return ""
	}
	switch o.Stage() {
	case api.Done:
		return p.t("history.done", nil)
	case api.Underway:
		return p.t("orders.accepted", nil)
	case api.Broken:
		return p.t("orders.failed", nil)
	case api.Unrecognized:
	}
	return string(name(o.Status))
}

// pastCode is the code of an order of the service's history, with what came beside it.
func (p Orders) pastCode(o api.Order) string {
	parts := p.Codes().delivered(o.Code)
	if len(parts) == 1 {
		parts = append([]string{p.t("past.code", nil)}, parts...)
	}
	return lines(append(parts, p.Codes().serial(o.Serial)...)...)
}

// mostPastCode is how long a code is, in bytes, that stands in a message: a longer one is a file.
const mostPastCode = 2000

// PastOrder shows an order of the service's history for which no purchase of the bot is known; with what was bought,
// where that may be read. It need not be from elsewhere: a purchase that is uncertain has no order yet.
func (p Orders) PastOrder(o api.Order, f api.Family, codes bool) Message {
	what, notes := p.t("past.no_code", nil), ""
	var file *File
	switch {
	// An order of the account may be another chat's: who may not read all of them learns that it is private.
	// Before it is asked whether there is a code: who may not read it does not learn that either.
	case !codes:
		what = p.t("past.private", nil)
	case len(o.Code.Reveal()) > mostPastCode: // a message has no room for it
		what = p.t("status.file", nil)
		words := slices.DeleteFunc([]string{fileWord(o.ProductName), fileWord(o.VariantName), fileWord(o.ID)}, func(s string) bool { return s == "" })
		file = &File{Name: strings.Join(words, "-") + ".txt", Body: []byte(o.Code.Reveal())}
	case !o.Code.IsZero():
		what = p.pastCode(o)
	}
	if text := clean(o.Notes.Reveal(), mostNotes); codes && text != "" {
		notes = p.t("status.notes", locales.Args{"Notes": locales.HTML(isolate(escape(text)))})
	}
	return Message{
		File:     file,
		HTML:     lines(p.t("past.title", nil), p.entry("", o), what, notes),
		Keyboard: [][]Button{row(p.button("button.back", act(VerbHistory, string(f))), p.button("button.home", act(VerbHome)))},
	}
}
