package screen

import (
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// buyer is who has bought something, where others read of it.
func (p Approvals) buyer(pu store.Purchase) string {
	if clean(pu.Buyer, nameLength) == "" {
		return ""
	}
	return p.t("team.buyer", locales.Args{"Name": name(pu.Buyer)})
}

// approval tells which owner has decided on a purchase.
func (p Approvals) approval(pu store.Purchase) string {
	// Nobody was asked, or nobody has answered yet.
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

// Request asks an owner for a purchase above its buyer's limit, and tells later what was decided, and what came of it.
func (p Approvals) Request(pu store.Purchase, orders []store.Order, b BalanceView) Message {
	facts := lines(p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.Catalogue().told(pu))
	// It is over without having been bought: nothing of it can be opened, so there is no button.
	if pu.Phase != store.Asked && (pu.Ask == nil || !pu.Ask.Granted) {
		return Message{HTML: lines(p.buyer(pu), p.decided(pu), facts, p.reference(pu))}
	}
	// It was granted: what came of it is told to the owner who has to answer for it, in the place of the question.
	if pu.Phase != store.Asked {
		status, _ := p.Purchases().status(pu, orders, store.QueuePlace{})
		if pu.Phase == store.Undecided { // the buttons of the question, and what they mean, stand in a message of their own
			status = lines(p.Purchases().question(pu), p.Uncertain().clues(pu))
		}
		return Message{
			HTML:     lines(p.buyer(pu), p.decided(pu), status, p.Refunds().refund(pu, orders, b), facts, p.reference(pu)),
			Keyboard: [][]Button{row(p.button("button.order", act(VerbOrder, pu.ID).fresh()))},
		}
	}
	money := ""
	switch {
	case b.Known && b.Available.Less(pu.Total):
		money = p.shortfall(b.Available, pu.Total)
	case b.Known:
		money = p.leaves(b, pu.Total)
	}
	// The nonce is that of the question, and not that of the summary, which the buyer has had on a button.
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
	case store.ReasonCancelled:
		return p.t("ask.taken_back", nil)
	case store.ReasonExpired:
		return p.t("ask.expired", nil)
	case store.ReasonRemoved:
		return p.t("ask.removed", nil)
	}
	return p.t("ask.over", nil)
}

// Pending tells a group that its owners are asked about a purchase, and later what is known. Nothing is decided there, and what the
// shop has paid stays with the owners.
func (p Approvals) Pending(pu store.Purchase, orders []store.Order, at store.QueuePlace) Message {
	status, _ := p.Purchases().status(pu, orders, at)
	if pu.Ask != nil && pu.Ask.By != 0 {
		status = lines(p.decided(pu), status)
	}
	return Message{HTML: lines(p.buyer(pu), status, p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.reference(pu))}
}

// Decision asks an owner what became of a purchase of somebody else, or, where others wait for it, whether these are
// to go first; and it tells later what is known.
func (p Approvals) Decision(pu store.Purchase, orders []store.Order, at store.QueuePlace) Message {
	status, keys := p.Purchases().status(pu, orders, at)
	// Of anything else, an owner who did not buy it has nothing to decide.
	if pu.Phase != store.Undecided && pu.Phase != store.Unknown {
		keys = nil
	}
	facts := lines(p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.reference(pu))
	return Message{HTML: lines(p.buyer(pu), status, facts), Keyboard: keys}
}
