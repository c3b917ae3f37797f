package screen

import (
	"html"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

const (
	mostInText = 10  // entries of a list in a message that holds much else
	mostNotes  = 600 // characters of what was written about the orders of a purchase
	mostCopied = 256 // characters that a copy button takes
	mostCopies = 2   // such buttons under a purchase
)

func escape(s string) string { return html.EscapeString(s) }

// For is the part for a purchase that is for a customer of a name.
func (p Purchases) For(customer string) Purchases {
	p.boughtFor = customer
	return p
}

// isFor is the customer whom a purchase is for, where one is named.
func (p Purchases) isFor() string {
	if clean(p.boughtFor, nameLength) == "" {
		return ""
	}
	return p.t("summary.for", locales.Args{"Name": bold(p.boughtFor)})
}

// Summary is a drafted purchase, whole, with the only button that spends money. was is the price of a
// unit that was shown before, where it has changed. Without the money for it there is no such button.
func (p Purchases) Summary(pu store.Purchase, b BalanceView, was *dzd.Amount) Message {
	return p.summary(pu, b, was, p.confirmKey(pu), "")
}

// Above is the summary of a purchase above its buyer's limit: the owners can be asked for it.
func (p Purchases) Above(pu store.Purchase, b BalanceView, was *dzd.Amount) Message {
	return p.summary(pu, b, was, p.button("button.ask_owner", act(VerbAsk, pu.ID, pu.Nonce)), p.t("ask.above", nil))
}

// summary is a drafted purchase with the button that takes it further, and a word about that.
func (p Purchases) summary(pu store.Purchase, b BalanceView, was *dzd.Amount, further Button, about string) Message {
	head := lines(p.t("summary.title", nil), p.changed(pu, was), p.item(pu.Product, pu.Variant), p.isFor(), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.paysCost(pu), p.Catalogue().told(pu))
	leave := row(p.button("button.back", act(VerbBack)), p.button("button.cancel", act(VerbDrop, pu.ID)))
	// The button is left out: the service would refuse the purchase, after it has waited for its turn.
	if b.Known && b.Available.Less(pu.Total) {
		short := p.shortfall(b.Available, pu.Total)
		if p.reader != ForOwner {
			short = p.t("summary.short", nil)
		}
		return Message{HTML: lines(head, short), Keyboard: [][]Button{leave}}
	}
	balance := ""
	// Where the balance is not known the button is there all the same: the service has the last word.
	if b.Known && p.reader == ForOwner {
		balance = p.leaves(b, pu.Total)
	}
	return Message{
		HTML:     lines(head, balance, p.manual(pu), p.Catalogue().doubt(pu.Player), about, p.Team().lockLine(p.locked), p.t("summary.valid", nil)),
		Keyboard: [][]Button{row(further), leave},
	}
}

// manual says that people deliver it, where they do.
func (p Purchases) manual(pu store.Purchase) string {
	if !pu.Manual {
		return ""
	}
	return p.t("summary.manual", nil)
}

// total is the price of a purchase, or the shop's own for who does not see that.
func (p Printer) total(pu store.Purchase) string {
	if each, ok := p.askedFor(pu, pu.Price); ok {
		return p.askedTotal(pu.Quantity, each)
	}
	if p.costless {
		return p.t("summary.units", locales.Args{"Quantity": number(pu.Quantity)})
	}
	return p.t("summary.total", locales.Args{"Quantity": number(pu.Quantity), "Price": p.money(pu.Price), "Total": p.money(pu.Total)})
}

// shortfall is what is there, what is needed, and what is missing.
func (p Printer) shortfall(have, need dzd.Amount) string {
	return lines(p.t("summary.have", locales.Args{"Have": p.money(have)}), p.t("summary.need", locales.Args{"Need": p.money(need)}),
		p.t("summary.missing", locales.Args{"Missing": p.money(need.Sub(have))}))
}

// Hides reports whether codes are only shown to who asks for them.
func (p Printer) Hides() bool { return p.hides() }

// reference is the number under which a purchase is spoken of, once it was confirmed.
func (p Printer) reference(pu store.Purchase) string {
	// A summary that was left was never an order: a number would suggest one.
	if pu.Phase == store.Dropped && pu.QueuedAt.IsZero() {
		return ""
	}
	return p.t("status.order", locales.Args{"Ref": locales.HTML(isolate("#" + store.Ref(pu.ID)))})
}
