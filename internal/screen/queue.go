package screen

import (
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// waiting is the status of a purchase in its account's queue: what goes first, and until when it waits.
func (p Purchases) waiting(pu store.Purchase, at store.QueuePlace) (string, [][]Button) {
	leave := row(p.button("button.leave_queue", act(VerbLeave, pu.ID)))
	if pu.Reason == store.ReasonOutage {
		return p.t("status.no_answer", locales.Args{"Time": locales.HTML(isolate(p.Time(pu.TurnBy)))}), [][]Button{leave}
	}
	status := p.t("status.next", nil)
	if at.Ahead > 0 {
		status = p.texts.N("status.line", at.Ahead, nil)
	}
	turn := ""
	if !pu.TurnBy.IsZero() {
		turn = p.t("status.turn_by", locales.Args{"Time": locales.HTML(isolate(p.Time(pu.TurnBy)))})
	}
	// Its turn has come: it may go out before a tap is handled, so that leaving is not offered any more.
	if at.Behind == nil && at.Ahead == 0 {
		return lines(status, turn), nil
	}
	if at.Behind == nil {
		return lines(status, turn), [][]Button{leave}
	}
	help, keys := p.letGo(*at.Behind)
	return lines(status, p.behind(*at.Behind, "status.behind"), turn, help), append(keys, leave)
}

// behind names the uncertain purchase that others wait for, in the words of a text, and until when it is looked for.
func (p Purchases) behind(first store.Purchase, words string) string {
	until := ""
	if !first.DecideBy.IsZero() {
		until = p.t("status.behind_until", locales.Args{"Time": locales.HTML(isolate(p.deadline(first.DecideBy)))})
	}
	return lines(p.t(words, locales.Args{"Ref": reference(first), "Item": name(first.Product) + " · " + name(first.Variant)}), until)
}

// uncertain is the status of a purchase that is looked for, and how many wait for it.
func (p Purchases) uncertain(pu store.Purchase, at store.QueuePlace) (string, [][]Button) {
	status := lines(p.t("status.unknown", nil), p.Uncertain().until(pu))
	if at.Waiting == 0 {
		return status, nil
	}
	help, keys := p.letGo(pu)
	return lines(status, p.direct(p.texts.N("status.holding", at.Waiting, nil)), help), keys
}

// letGo is an owner's way to let the others go before an uncertain purchase.
func (p Purchases) letGo(first store.Purchase) (help string, keys [][]Button) {
	// The order of the account's money is its owners' to change.
	if p.reader != ForOwner {
		return "", nil
	}
	return p.t("status.let_go_help", locales.Args{"Ref": reference(first)}), [][]Button{row(p.button("button.let_go", act(VerbLetGo, first.ID)))}
}

// reference is how a purchase is named in a sentence.
func reference(pu store.Purchase) locales.HTML { return locales.HTML(isolate("#" + store.Ref(pu.ID))) }
