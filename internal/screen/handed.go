package screen

import (
	"slices"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// mostHanded is how many words about what was given to a customer are shown: the last ones.
const mostHanded = 4

// HasToGive reports whether a purchase has brought something that is given to a customer: a top-up is with its player.
func HasToGive(orders []store.Order) bool { return slices.ContainsFunc(orders, hasCode) }

// handed tells who gave the codes of a purchase to its customer, and when, as people have said.
func (p Purchases) handed(pu store.Purchase) string {
	var out []string
	// The last ones, for the last word is what holds (store.Purchase.LastHanded).
	for _, h := range pu.Handed[max(0, len(pu.Handed)-mostHanded):] {
		out = append(out, p.handedLine(h))
	}
	return lines(out...)
}

func (p Purchases) handedLine(h store.Handed) string {
	args := locales.Args{"Name": name(h.Name), "Time": p.since(h.At)}
	if h.Back {
		return p.t("handed.back", args)
	}
	return p.t("handed.given", args)
}

// storyKeys are what somebody does with a purchase whose customer has come back: to say that it was given, and to claim.
func (p Purchases) storyKeys(pu store.Purchase, orders []store.Order) [][]Button {
	var keys []Button
	if HasToGive(orders) && (p.reader == ForOwner || !p.isElsewhere(pu)) { // the record is its shop's
		keys = append(keys, p.handKey(pu))
	}
	if len(orders) > 0 {
		keys = append(keys, p.button("button.claim", act(VerbClaim, pu.ID).fresh()))
	}
	if len(keys) == 0 {
		return nil
	}
	return [][]Button{keys}
}

// Handed tells that the codes of a purchase were given to its customer, or were not after all: beside a file, which cannot be
// brought up to date.
func (p Purchases) Handed(pu store.Purchase) Message {
	last, _ := pu.LastHanded()
	return Message{
		HTML:     lines(p.handedLine(last), p.item(pu.Product, pu.Variant), p.reference(pu)),
		Keyboard: [][]Button{row(p.handKey(pu), p.button("button.order", act(VerbOrder, pu.ID).fresh()))},
	}
}

// handKey says that the codes of a purchase were given to its customer, or, after that, that they were not.
func (p Purchases) handKey(pu store.Purchase) Button {
	if pu.IsHanded() {
		return p.button("button.hand_back", act(VerbHand, pu.ID, HandBack))
	}
	return p.button("button.hand", act(VerbHand, pu.ID, Yes))
}
