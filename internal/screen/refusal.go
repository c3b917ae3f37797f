package screen

import (
	"time"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Held tells that a purchase which the service refused is not bought again yet: its money does not show to be there.
// until is when that may be seen, zero where nobody can tell.
func (p Purchases) Held(pu store.Purchase, until time.Time) Message {
	money, when := "", ""
	if p.reader == ForOwner && pu.Evidence != nil && pu.Evidence.Looks > 0 {
		money = p.Uncertain().moneyClue(pu)
	}
	// The minute is rounded up: at the one that is named it is over.
	if !until.IsZero() {
		when = p.t("again.until", locales.Args{"Time": locales.HTML(isolate(p.Time(until.Add(time.Minute - 1).Truncate(time.Minute))))})
	}
	return Message{
		HTML:     lines(p.t("again.held", locales.Args{"Ref": reference(pu)}), p.item(pu.Product, pu.Variant), money, when),
		Keyboard: [][]Button{row(p.button("button.again", act(VerbAgain, pu.ID)), p.button("button.home", act(VerbHome)))},
	}
}
