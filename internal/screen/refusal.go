package screen

import (
	"time"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Held tells that a purchase which the service refused is not bought again yet: its money does not show to be there.
// from is when that may be seen, by is when it is known at the latest; both are zero where nobody can tell.
func (p Purchases) Held(pu store.Purchase, from, by time.Time) Message {
	money := ""
	if p.reader == ForOwner && pu.Evidence != nil && pu.Evidence.Looks > 0 {
		money = p.Uncertain().moneyClue(pu)
	}
	return Message{
		HTML:     lines(p.t("again.held", locales.Args{"Ref": reference(pu)}), p.item(pu.Product, pu.Variant), money, p.heldUntil(from, by)),
		Keyboard: [][]Button{row(p.button("button.again", act(VerbAgain, pu.ID)), p.button("button.home", act(VerbHome)))},
	}
}

// heldUntil tells how long a refused purchase is held; empty where nobody can tell.
func (p Printer) heldUntil(from, by time.Time) string {
	key, at := "again.until", from
	if from.IsZero() {
		key, at = "again.by", by
	}
	if at.IsZero() {
		return ""
	}
	return p.t(key, locales.Args{"Time": locales.HTML(isolate(p.shortTime(roundedUp(at))))})
}
