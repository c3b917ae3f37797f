package screen

import (
	"cmp"
	"strings"
	"unicode"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// What can be done with a customer. They stand in the data of buttons.
const (
	CustomerShow   = "show"
	CustomerName   = "name"
	CustomerNote   = "note"
	CustomerBuy    = "buy"
	CustomerAdd    = "add"
	CustomerPlays  = "plays"  // whom they play as, to take one away
	CustomerUnplay = "unplay" // the place of one, and the end of its ID
	CustomerUsual  = "usual"  // what they usually take, to set it
	CustomerTakes  = "takes"  // the end of the id of a purchase of it; "" for nothing
	CustomerEnd    = "end"
	CustomerEndYes = "endyes"
)

const (
	playersShown = 6  // of one customer
	typedLength  = 20 // code points of what was typed, on a button
)

// List is a page of a shop's customers: all, or those that hold some words.
func (p Customers) List(list []store.Customer, page int, words string) Message {
	home, more := row(p.button("button.home", act(VerbHome))), p.button("button.customer_new", act(VerbCustomer, "0", CustomerAdd))
	if len(list) == 0 {
		if words != "" {
			return Message{HTML: p.t("customers.none_found", locales.Args{"Words": name(words)}), Keyboard: [][]Button{row(more), row(p.button("button.customers", act(VerbCustomer, "0"))), home}}
		}
		return Message{HTML: lines(p.t("customers.none", nil), p.t("customers.how", nil)), Keyboard: [][]Button{row(more), home}}
	}
	first, last, page, pages := pageOf(len(list), page)
	title := p.t("customers.title", locales.Args{"Count": number(len(list))})
	var keys [][]Button
	for _, c := range list[first:last] {
		keys = append(keys, row(Button{Text: p.led("👤 " + label(c.Name.Reveal(), "?")), Data: act(VerbCustomer, c.ID, CustomerShow).Data()}))
	}
	// The words that were looked for have no room on a button beside a page: what they find has one page.
	if pages > 1 && words == "" {
		title += " · " + p.t("catalogue.page", locales.Args{"Page": number(page + 1), "Pages": number(pages)})
		keys = append(keys, p.pager(page, pages, func(n int) Action { return act(VerbCustomer, id(n)) }))
	}
	return Message{HTML: title, Keyboard: append(keys, row(more), home)}
}

// NamesakesView is a name that can be read in several ways.
type NamesakesView struct {
	Words     string
	Customers []store.Customer // who are called so
	Short     *store.Goods     // what it is the shop's short word for
	Sold      bool             // products are called so too
}

// Namesakes asks who, or what, is meant by a name.
func (p Customers) Namesakes(v NamesakesView) Message {
	var keys [][]Button
	for _, c := range v.Customers {
		text := "👤 " + label(c.Name.Reveal(), "?")
		if more := cmp.Or(c.Phone.Reveal(), firstPlayer(c)); more != "" && len(v.Customers) > 1 { // it tells them apart
			text = "👤 " + clean(c.Name.Reveal(), typedLength) + " · " + isolate(clean(more, typedLength))
		}
		keys = append(keys, row(Button{Text: p.led(text), Data: act(VerbCustomer, c.ID, CustomerShow).Data()}))
	}
	if v.Short != nil {
		keys = append(keys, row(Button{Text: p.led("⌨️ " + label(v.Short.Name, id(v.Short.Variant))), Data: act(VerbVariant, id(v.Short.Product), id(v.Short.Variant)).Data()}))
	}
	if v.Sold {
		keys = append(keys, row(Button{Text: p.led(p.plain("button.products_named", locales.Args{"Words": p.typed(v.Words)})), Data: pageOfSearch(0, v.Words).Data()}))
	}
	return Message{HTML: p.t("meant.ask", locales.Args{"Line": name(v.Words)}), Keyboard: append(keys, row(p.button("button.home", act(VerbHome))))}
}

// firstPlayer is the player that a customer was topped up as last.
func firstPlayer(c store.Customer) string {
	if len(c.Players) == 0 {
		return ""
	}
	return c.Players[0].ID
}

// typed is what somebody has typed, on a button.
func (p Printer) typed(words string) locales.HTML {
	return locales.HTML(isolate(clean(words, typedLength)))
}

// Card is a customer with everything that is kept about them, what they owe, which is less than nothing where they have paid ahead, and
// what was bought for them last.
func (p Customers) Card(c store.Customer, owed ledger.Money, latest []Bought) Message {
	out := []string{p.direct("👤 <b>" + string(name(c.Name.Reveal())) + "</b>")}
	if !c.Phone.IsZero() {
		out = append(out, p.direct("📞 "+string(name(c.Phone.Reveal()))))
	}
	for _, pl := range c.Players[:min(len(c.Players), playersShown)] {
		out = append(out, p.direct("🎮 "+string(name(pl.Name))+" · "+string(name(pl.ID))))
	}
	if !c.Note.IsZero() {
		out = append(out, p.direct("📝 "+isolate(escape(clean(c.Note.Reveal(), 300)))))
	}
	var keys [][]Button
	if c.Usual != nil {
		out = append(out, p.t("customers.usual", locales.Args{"Item": name(c.Usual.Name)}))
		keys = append(keys, row(Button{Text: p.led("🔁 " + p.Shelf().goodsLabel(c.Usual.Name, c.Usual.Quantity, "")), Data: act(VerbCustomer, c.ID, CustomerBuy).Data(), Style: Primary}))
	}
	if owed != 0 {
		out = append(out, p.Kridi().owes(Debt{Owed: owed}))
		keys = append(keys, row(p.button("button.kridi", act(VerbKridi, c.ID))))
	}
	for _, b := range latest {
		text := b.outcome().mark + " " + isolate(b.OrderedAt().In(p.zone).Format("02/01")) + " · " + p.Shelf().goodsLabel(b.Product+" · "+b.Variant, b.Quantity, "")
		keys = append(keys, row(Button{Text: p.led(text), Data: act(VerbOrder, b.ID).Data()}))
	}
	if len(latest) > 0 {
		keys = append(keys, row(p.button("button.orders", act(VerbTheirs, c.ID, "0"))))
	}
	keys = append(keys, p.habits(c, latest)...)
	keys = append(keys,
		row(p.button("button.customer_name", act(VerbCustomer, c.ID, CustomerName)), p.button("button.customer_note", act(VerbCustomer, c.ID, CustomerNote))),
	)
	if owed == 0 || p.reader == ForOwner { // with what they owe, or have paid ahead, an owner alone ends them
		keys = append(keys, row(p.button("button.customer_end", act(VerbCustomer, c.ID, CustomerEnd))))
	}
	keys = append(keys, row(p.button("button.customers", act(VerbCustomer, "0")), p.button("button.home", act(VerbHome))))
	return Message{HTML: lines(out...), Keyboard: keys}
}

// habits are the ways to change whom a customer plays as, and what they usually take.
func (p Customers) habits(c store.Customer, latest []Bought) [][]Button {
	var keys []Button
	if len(c.Players) > 0 {
		keys = append(keys, p.button("button.customer_players", act(VerbCustomer, c.ID, CustomerPlays)))
	}
	if c.Usual != nil || len(latest) > 0 {
		keys = append(keys, p.button("button.customer_usual", act(VerbCustomer, c.ID, CustomerUsual)))
	}
	if len(keys) == 0 {
		return nil
	}
	return [][]Button{keys}
}

// tailLength is how much of an ID stands in the data of a button, to know it by.
const tailLength = 8

// Tail is the end of an ID, as a button carries it.
func Tail(id string) string {
	r := []rune(strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, id))
	return string(r[max(0, len(r)-tailLength):])
}

// Players asks which of the players that a customer plays as is none of theirs any more.
func (p Customers) Players(c store.Customer) Message {
	var keys [][]Button
	for i, pl := range c.Players {
		text := "🗑 " + label(cmp.Or(pl.Name, pl.ID), "?")
		if pl.Name != "" {
			text = "🗑 " + clean(pl.Name, typedLength) + " · " + isolate(clean(pl.ID, typedLength))
		}
		keys = append(keys, row(Button{Text: p.led(text), Data: act(VerbCustomer, c.ID, CustomerUnplay, id(i), Tail(pl.ID)).Data()}))
	}
	return Message{
		HTML:     p.t("customers.players_ask", locales.Args{"Name": name(c.Name.Reveal())}),
		Keyboard: append(keys, row(p.button("button.back", act(VerbCustomer, c.ID, CustomerShow)))),
	}
}

// Usual asks what a customer usually takes: one of what they bought last, or nothing.
func (p Customers) Usual(c store.Customer, latest []Bought) Message {
	var keys [][]Button
	for _, b := range latest {
		text := p.Shelf().goodsLabel(b.Product+" · "+b.Variant, b.Quantity, "")
		keys = append(keys, row(Button{Text: p.led("🔁 " + text), Data: act(VerbCustomer, c.ID, CustomerTakes, Tail(b.ID)).Data()}))
	}
	now := ""
	if c.Usual != nil {
		now = p.t("customers.usual", locales.Args{"Item": name(c.Usual.Name)})
		keys = append(keys, row(p.button("button.customer_takes_nothing", act(VerbCustomer, c.ID, CustomerTakes, ""))))
	}
	return Message{
		HTML:     lines(p.t("customers.usual_ask", locales.Args{"Name": name(c.Name.Reveal())}), now),
		Keyboard: append(keys, row(p.button("button.back", act(VerbCustomer, c.ID, CustomerShow)))),
	}
}

// NewAsk asks for the name of a new customer, and the number if there is one; bad: what was sent is none.
func (p Customers) NewAsk(bad bool) Message {
	wrong := ""
	if bad {
		wrong = p.t("customers.name_bad", nil)
	}
	return p.Keys().withCancel(lines(wrong, p.t("customers.new_ask", nil)))
}

// NameAsk asks what a customer is called; offered is the player's name, where there is one. bad: what was sent is none.
func (p Customers) NameAsk(offered string, bad bool) Message {
	wrong := ""
	if bad {
		wrong = p.t("customers.name_bad", nil)
	}
	m := p.Keys().withCancel(lines(wrong, p.t("customers.name_ask", nil)))
	if text := clean(offered, buttonName); text != "" {
		m.Keyboard = append([][]Button{row(Button{Text: p.led("👤 " + label(text, "?")), Data: act(VerbCustomerName).Data()})}, m.Keyboard...)
	}
	return m
}

// NoteAsk asks for a note about a customer; long: what was sent is too long.
func (p Customers) NoteAsk(c store.Customer, long bool) Message {
	wrong := ""
	if long {
		wrong = p.t("customers.note_long", nil)
	}
	return p.Keys().withCancel(lines(wrong, p.t("customers.note_ask", locales.Args{"Name": name(c.Name.Reveal())})))
}

// EndAsk asks whether a customer is really to be forgotten, who owes what net is, or has paid ahead where it is less than nothing.
func (p Customers) EndAsk(c store.Customer, net ledger.Money) Message {
	open := ""
	if net > 0 {
		open = p.t("customers.end_owes", locales.Args{"Owed": p.booked(net)})
	} else if net < 0 {
		open = p.t("customers.end_ahead", locales.Args{"Ahead": p.booked(-net)})
	}
	return Message{
		HTML: lines(p.t("customers.end_ask", locales.Args{"Name": name(c.Name.Reveal())}), open),
		Keyboard: [][]Button{row(p.button("button.customer_end_yes", act(VerbCustomer, c.ID, CustomerEndYes))),
			row(p.button("button.back", act(VerbCustomer, c.ID, CustomerShow)))},
	}
}

// Full tells that there is no room for one more customer.
func (p Customers) Full() Message {
	return Message{HTML: p.t("customers.full", nil), Keyboard: [][]Button{row(p.button("button.customers", act(VerbCustomer, "0")), p.button("button.home", act(VerbHome)))}}
}
