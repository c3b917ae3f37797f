package screen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Reader is who looks at a screen, as far as that changes what it may show. The zero Reader is an owner in
// private.
type Reader uint8

// The readers.
const (
	ForOwner      Reader = iota
	ForSeller            // a seller in private: nothing of the wallet, and no decision
	ForShop              // whoever stands by, in a group or at the counter: codes are shown to those who ask for them
	ForShopInFull        // the same where an owner wants codes to be seen
)

// ReaderOf is who looks at a private chat by their role.
func ReaderOf(r store.Role) Reader {
	switch r {
	case store.Seller:
		return ForSeller
	case store.Counter:
		return ForShop
	}
	return ForOwner
}

// As is the printer for another reader.
func (p Printer) As(r Reader) Printer {
	p.reader = r
	return p
}

// For is the printer for one person, who is told what they did as theirs; in a group it is for nobody in particular.
func (p Printer) For(chat int64) Printer {
	p.user = max(chat, 0)
	return p
}

// WithoutBuying is the printer for somebody who may buy nothing, whoever they read as: what they would be refused is not
// offered.
func (p Printer) WithoutBuying() Printer {
	p.barred = true
	return p
}

// hides reports whether codes are only shown to who asks for them.
func (p Printer) hides() bool { return p.reader == ForShop }

// hidden tells how many codes are there to be asked for.
func (p Purchases) hidden(orders []store.Order) string {
	if n := len(only(orders, hasCode)); n > 0 {
		return p.direct(p.texts.N("status.hidden", n, nil))
	}
	return ""
}

// buys reports whether the reader may buy: whoever is at the counter, in private, may not.
func (p Printer) buys() bool { return !p.barred && (p.reader != ForShop || p.user == 0) }

// RevealPrivate asks for the codes in the person's private chat.
const RevealPrivate = "private"

// revealKeys are the buttons that ask for the codes: over the chat, or, from a group, in the person's private chat, where
// they can be copied.
func (p Codes) revealKeys(pu store.Purchase, orders []store.Order) [][]Button {
	if !slices.ContainsFunc(orders, hasCode) {
		return nil
	}
	keys := row(p.button("button.reveal", act(VerbReveal, pu.ID)))
	if p.user == 0 {
		keys = append(keys, p.button("button.reveal_private", act(VerbReveal, pu.ID, RevealPrivate)))
	}
	return [][]Button{keys}
}

// maxAlert is what an answer to a tap can hold.
const maxAlert = 200

// Reveal is the codes of a purchase as a text for one person alone, over the chat; ok is false where they do not
// fit there.
func (p Codes) Reveal(pu store.Purchase, orders []store.Order) (text string, ok bool) {
	parts := []string{clean(pu.Product, 30) + " · " + clean(pu.Variant, 30)}
	for _, o := range orders {
		for _, c := range o.Codes() {
			parts = append(parts, c.Reveal())
		}
		if hasCode(o) && !o.Serial.IsZero() {
			parts = append(parts, "serial: "+o.Serial.Reveal())
		}
	}
	text = strings.Join(parts, "\n")
	return text, utf8.RuneCountInString(text) <= maxAlert && !pu.InDocument(orders)
}

// revealed tells who was shown the codes where they are hidden.
func (p Purchases) revealed(pu store.Purchase) string {
	if p.reader != ForOwner {
		return ""
	}
	var out []string
	for _, r := range pu.Reveals[:min(len(pu.Reveals), mostInText)] {
		out = append(out, p.t("team.revealed", locales.Args{"Name": name(r.Name), "Time": p.since(r.At)}))
	}
	return lines(out...)
}

// buyer is who has bought something, where others read of it.
func (p Approvals) buyer(pu store.Purchase) string {
	if clean(pu.Buyer, nameLength) == "" {
		return ""
	}
	return p.t("team.buyer", locales.Args{"Name": name(pu.Buyer)})
}

// approval tells which owner has decided on a purchase.
func (p Approvals) approval(pu store.Purchase) string {
	if pu.Ask == nil || pu.Ask.By == 0 {
		return ""
	}
	args := locales.Args{"Name": name(pu.Ask.Name), "Time": locales.HTML(isolate(p.Time(pu.Ask.Done)))}
	if pu.Ask.Granted {
		return p.t("ask.granted", args)
	}
	return p.t("ask.refused", args)
}

// asked is the status of a purchase for which an owner is asked, and the way out of it.
func (p Approvals) asked(pu store.Purchase) (string, [][]Button) {
	return p.t("status.asked", locales.Args{"Time": locales.HTML(isolate(p.Time(pu.ExpiresAt)))}),
		[][]Button{row(p.button("button.take_back", act(VerbDrop, pu.ID)))}
}

// Copy is what became of a purchase, for others of the team.
func (p Purchases) Copy(pu store.Purchase, orders []store.Order) Message {
	if pu.InDocument(orders) {
		p.reader = ForShop // a file is asked for
	}
	status, _ := p.status(pu, orders, store.QueuePlace{})
	m := Message{
		HTML: lines(p.Approvals().buyer(pu), status, p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.reference(pu),
			p.corrections(orders), p.Codes().codes(pu, orders), p.missing(pu), p.notes(orders), p.Refunds().refund(pu, orders, BalanceView{})),
		Keyboard: p.codeKeys(pu, orders),
	}
	return m
}

// codeKeys are the buttons for the codes of a purchase: to copy them, or to ask for them.
func (p Purchases) codeKeys(pu store.Purchase, orders []store.Order) [][]Button {
	if p.hides() {
		return p.Codes().revealKeys(pu, orders)
	}
	return copyKeys(p.Printer, pu, orders)
}

// Request asks an owner for a purchase above its buyer's limit, and tells later what was decided.
func (p Approvals) Request(pu store.Purchase, b BalanceView) Message {
	facts := lines(p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.Catalogue().told(pu))
	if pu.Phase != store.Asked {
		return Message{HTML: lines(p.buyer(pu), p.decided(pu), facts, p.reference(pu))}
	}
	money := ""
	switch {
	case b.Known && b.Available.Less(pu.Total):
		money = p.shortfall(b.Available, pu.Total)
	case b.Known:
		money = p.t("summary.balance", locales.Args{"Before": p.money(b.Available), "After": p.money(b.Available.Sub(pu.Total))})
	}
	approve := p.buttonWith("button.approve", locales.Args{"Total": locales.HTML(p.Amount(pu.Total))}, act(VerbApprove, pu.ID, pu.Ask.Nonce))
	return Message{
		HTML: lines(p.t("ask.title", locales.Args{"Name": name(pu.Buyer)}), "", facts, money,
			p.t("ask.until", locales.Args{"Time": locales.HTML(isolate(p.Time(pu.ExpiresAt)))})),
		Keyboard: [][]Button{row(approve), row(p.button("button.refuse", act(VerbRefuse, pu.ID, pu.Ask.Nonce)))},
	}
}

// decided is what became of a question to the owners.
func (p Approvals) decided(pu store.Purchase) string {
	if text := p.approval(pu); text != "" {
		return text
	}
	switch pu.Reason {
	case "cancelled":
		return p.t("ask.taken_back", nil)
	case "expired":
		return p.t("ask.expired", nil)
	}
	return p.t("ask.over", nil)
}

// Decision asks an owner what became of a purchase of somebody else, or, where others wait for it, whether these are
// to go first; and it tells later what is known.
func (p Approvals) Decision(pu store.Purchase, orders []store.Order, at store.QueuePlace) Message {
	status, keys := p.Purchases().status(pu, orders, at)
	if pu.Phase != store.Undecided && pu.Phase != store.Unknown {
		keys = nil
	}
	facts := lines(p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.reference(pu))
	return Message{HTML: lines(p.buyer(pu), status, facts), Keyboard: keys}
}
