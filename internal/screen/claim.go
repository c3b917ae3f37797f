package screen

import (
	"strings"
	"time"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Claim is all that the service's support has to know of a purchase to find it, in one block that is copied. No code stands in it
// whole, for nobody: it leaves the shop, and support finds the order by its number. The end of a code tells which one is meant.
func (p Purchases) Claim(pu store.Purchase, orders []store.Order, account string) Message {
	block := p.claimed(pu, account)
	shown := orders[:min(len(orders), mostInText)]
	for _, o := range shown {
		block = append(block, p.claimedOrder(o)...)
	}
	if more := len(orders) - len(shown); more > 0 {
		block = append(block, p.fact("field.more", id(more)))
	}
	text := strings.Join(block, "\n")
	m := Message{
		HTML:     lines(p.t("claim.title", locales.Args{"Ref": reference(pu)}), "<pre>"+escape(text)+"</pre>"),
		Keyboard: [][]Button{row(p.button("button.order", act(VerbOrder, pu.ID).fresh()), p.button("button.home", act(VerbHome).fresh()))},
	}
	if copied := unisolated(text); len([]rune(copied)) <= mostCopied {
		m.Keyboard = append([][]Button{row(Button{Text: p.plain("button.copy_all", nil), Copy: copied})}, m.Keyboard...)
	}
	return m
}

// claimed are the facts of a purchase as a whole.
func (p Purchases) claimed(pu store.Purchase, account string) []string {
	block := []string{p.fact("field.ref", "#"+store.Ref(pu.ID))}
	block = append(block, p.accountFact(account)...)
	block = append(block, p.fact("field.item", clean(pu.Product, 80), clean(pu.Variant, 80)))
	if p.hidesCost(pu) {
		block = append(block, p.fact("field.units", id(pu.Quantity)))
	} else {
		block = append(block, p.line("field.paid", p.paid(pu)))
	}
	if !pu.SentAt.IsZero() {
		// Support reads another clock than the shop: the moment stands in both.
		block = append(block, p.fact("field.bought", pu.SentAt.In(p.zone).Format(time.DateTime)+" "+zoneName(pu.SentAt.In(p.zone))),
			p.fact("field.bought_utc", pu.SentAt.UTC().Format(time.DateTime)))
	}
	if pu.Player != nil {
		if who := clean(Bought{Purchase: pu}.playerName(), 80); who != "" {
			block = append(block, p.fact("field.player", who))
		}
	}
	return block
}

// zoneName is how far a time's zone is from UTC, as its clock showed it.
func zoneName(t time.Time) string { return "UTC" + t.Format("-07:00") }

// claimedOrder are the facts of one order.
func (p Purchases) claimedOrder(o store.Order) []string {
	var block []string
	if number := clean(o.ServiceID(), 80); number != "" {
		block = append(block, p.fact("field.order", number))
	}
	if o.Other != "" {
		block = append(block, p.fact("field.transaction", clean(o.Other, 80)))
	}
	if status := clean(o.Status, 80); status != "" {
		block = append(block, p.fact("field.status", status))
	}
	for _, code := range o.Codes() {
		block = append(block, p.fact("field.code", masked(code.Reveal())))
	}
	return block
}
