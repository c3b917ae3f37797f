package screen

import (
	"slices"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Status is a purchase's own message, in whatever phase it is. at is where it stands in its account's queue.
func (p Purchases) Status(pu store.Purchase, orders []store.Order, b BalanceView, at store.QueuePlace) Message {
	status, keys := p.status(pu, orders, at)
	// What became of it comes first; the codes come late, above the buttons that copy them.
	return Message{
		HTML: lines(status, p.Refunds().refund(pu, orders, b), p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.cost(pu), p.reference(pu),
			p.Approvals().approval(pu), p.Refunds().reason(pu, b), p.corrections(orders), p.doubts(orders), p.Codes().codes(pu, orders), p.instead(orders), p.missing(pu, orders), p.notes(orders), p.trades(pu)),
		Keyboard: p.withTrade(pu, p.upper(pu, orders), keys),
	}
}

// upper is what can be done with a purchase as it is: of one that has come to its end in a single row, above what can be
// bought next.
func (p Purchases) upper(pu store.Purchase, orders []store.Order) [][]Button {
	rows := slices.Concat(p.codeKeys(pu, orders), p.lookKeys(pu, orders), p.saveKeys(pu))
	if pu.Phase == store.Settled && len(rows) > 0 {
		return [][]Button{slices.Concat(rows...)}
	}
	return rows
}

// saveKeys is the button that makes a customer of whom a purchase was for, once it has come.
func (p Purchases) saveKeys(pu store.Purchase) [][]Button {
	if pu.Phase != store.Settled || pu.Player == nil || clean(pu.Player.ID, nameLength) == "" || !p.buys() || p.isElsewhere(pu) {
		return nil
	}
	return [][]Button{row(p.button("button.customer_save", act(VerbCustomerSave, pu.ID).fresh()))}
}

// Again is a purchase shown to somebody who asks for it: codes that may have been shown before are said to be
// delivered again. A list is mostly where they come from, and where they go on.
func (p Purchases) Again(pu store.Purchase, orders []store.Order, at store.QueuePlace) Message {
	// pu is a copy: what is kept of the purchase does not change by looking at it.
	pu.Told.MaybeSent = pu.Told.MaybeSent || pu.Told.Codes > 0 || pu.Told.Document
	m := p.Status(pu, orders, BalanceView{}, at)
	m.HTML = lines(m.HTML, p.opened(pu), p.revealed(pu), p.handed(pu))
	if p.reader == ForOwner && pu.Evidence != nil && pu.Phase != store.Undecided && pu.Phase != store.NotCreated { // those have the button anyway
		m.Keyboard = p.withWhy(m.Keyboard, pu)
	}
	m.Keyboard = withBack(m.Keyboard, p.button("button.orders", act(VerbOrders, "").fresh())) // beside it: its codes stay
	m.Keyboard = append(m.Keyboard, p.storyKeys(pu, orders)...)
	if pu.InDocument(orders) && !p.hides() && slices.ContainsFunc(orders, hasCode) {
		file := p.Codes().Document(pu, orders)
		file.Keyboard = m.Keyboard
		return file
	}
	return m
}

// withWhy adds the way to the evidence of a purchase: where two rows are there, to the first of them.
func (p Purchases) withWhy(rows [][]Button, pu store.Purchase) [][]Button {
	why := p.button("button.why", act(VerbWhy, pu.ID).fresh())
	if len(rows) < 2 {
		return append(rows, row(why))
	}
	rows[0] = append(rows[0], why)
	return rows
}

// withBack is a keyboard with the way back to a list: in the place of the one to the catalogue, beside a button that stands
// alone at the end, or in a row of its own.
func withBack(keys [][]Button, back Button) [][]Button {
	for i, keyRow := range keys {
		for j, k := range keyRow {
			if a, _ := ParseAction(k.Data); a.Verb == VerbBuy {
				keys[i] = slices.Replace(slices.Clone(keyRow), j, j+1, back)
				return keys
			}
		}
	}
	if last := len(keys) - 1; last >= 0 && len(keys[last]) == 1 {
		keys[last] = append(slices.Clone(keys[last]), back)
		return keys
	}
	return append(keys, row(back))
}

// Unasked is a screen of what is known, where the service could not be asked for more.
func (p Purchases) Unasked(m Message) Message {
	m.HTML = lines(m.HTML, p.t("status.unasked", nil))
	return m
}

// MayChange reports whether the service may still change what became of an order: then it is worth a look.
func MayChange(o store.Order) bool {
	switch o.State {
	// A refund that was seen is the end of it, unless it is looked at once more at a time that is set.
	case store.Failed:
		return o.Refund != store.RefundSeen || !o.Due.IsZero()
	case store.Completed:
		return o.Late || o.Back || o.Personal && !o.Due.IsZero()
	case store.Ready:
		return o.Back || o.Pending()
	}
	return true
}

// lookKeys is the button that has the service asked now, where it may have something new.
func (p Purchases) lookKeys(pu store.Purchase, orders []store.Order) [][]Button {
	// Of any other phase there are no orders to ask for.
	if pu.Phase != store.Accepted && pu.Phase != store.Settled || !slices.ContainsFunc(orders, MayChange) {
		return nil
	}
	return [][]Button{row(p.button("button.look", act(VerbLook, pu.ID)))}
}

// status is the first line of a purchase, and what can be done about it.
func (p Purchases) status(pu store.Purchase, orders []store.Order, at store.QueuePlace) (string, [][]Button) {
	again := p.buying(p.button("button.again", act(VerbAgain, pu.ID).fresh()), p.button("button.home", act(VerbHome).fresh()))
	more := p.buying(p.button("button.once_again", act(VerbAgain, pu.ID).fresh()), p.button("button.more", act(VerbBuy, "0").fresh()))
	switch pu.Phase {
	case store.Asked:
		return p.Approvals().asked(pu)
	case store.Queued:
		return p.waiting(pu, at)
	// Whether it is sent already, or about to be, is the matter of a second: both read the same.
	case store.Submitting:
		return p.t("status.queued", nil), nil
	case store.Accepted:
		return lines(p.accepted(pu, orders), p.progress(pu, orders), p.unrecognized(orders)), nil
	case store.Settled:
		return p.settled(pu, orders), more
	case store.Rejected:
		// Another try is refused too, as long as the key is: what leads on first is another one.
		if pu.Reason == api.Unauthorized.String() && p.reader == ForOwner {
			again = append([][]Button{row(p.button("button.key", act(VerbKey).fresh()))}, again...)
		}
		if pu.Refused {
			return p.t("status.rejected_sent", nil), again
		}
		return p.t("status.rejected", nil), again
	case store.Unknown:
		return p.uncertain(pu, at)
	case store.Undecided:
		if p.reader != ForOwner {
			return p.question(pu), nil
		}
		keys := [][]Button{
			row(p.button("button.bought", act(VerbDecide, pu.ID, DecideBought))),
			row(p.button(notBought(pu), act(VerbDecide, pu.ID, DecideNot))),
		}
		if pu.Evidence != nil { // an owner may have let others go first before anybody looked
			keys = append(keys, row(p.button("button.why", act(VerbWhy, pu.ID).fresh())))
		}
		return lines(p.question(pu), p.Uncertain().clues(pu), p.decideHelp(pu)), keys
	case store.NotCreated:
		if p.reader == ForOwner && pu.Evidence != nil {
			again = append(again, row(p.button("button.why", act(VerbWhy, pu.ID).fresh())))
		}
		if pu.Dismissed() {
			return p.Uncertain().dismissed(pu), again
		}
		return p.t("status.not_created", nil), again
	}
	return p.dropped(pu, again)
}

// buying is a row of buttons, without those that lead to a purchase where the reader may not buy.
func (p Purchases) buying(keys ...Button) [][]Button {
	if !p.buys() {
		keys = slices.DeleteFunc(keys, func(k Button) bool {
			a, _ := ParseAction(k.Data)
			return a.Verb == VerbAgain || a.Verb == VerbBuy
		})
	}
	if len(keys) == 0 {
		return nil
	}
	return [][]Button{keys}
}

// accepted is the status of a purchase whose orders are on their way, or whose money is.
func (p Purchases) accepted(pu store.Purchase, orders []store.Order) string {
	ready, failed := count(orders)
	missing := slices.ContainsFunc(orders, func(o store.Order) bool { return o.Refund.Awaited() && o.Refund != store.RefundWaiting })
	// What has gone wrong is told before what is on its way.
	switch {
	case failed > 0 && failed == len(orders) && missing:
		return p.t("status.failed", nil)
	case failed > 0 && failed == len(orders):
		return p.t("status.refunding", nil)
	case slices.ContainsFunc(orders, isGone):
		return p.t("status.gone", nil)
	case slices.ContainsFunc(orders, awaitsCode):
		return p.t("status.code_late", nil)
	case failed > 0 && ready+failed == len(orders):
		return p.t("status.partly", nil)
	case pu.Topup:
		return p.t("status.topup_accepted", nil)
	case len(pu.Inputs) > 0: // whether it brings a code is not known
		return lines(p.t("status.personal_accepted", nil), p.manual(pu))
	}
	codes := "status.accepted"
	if pu.Quantity == 1 {
		codes = "status.accepted_one"
	}
	return lines(p.t(codes, nil), p.manual(pu))
}

// progress is how many of several units are there.
func (p Purchases) progress(pu store.Purchase, orders []store.Order) string {
	ready, _ := count(orders)
	switch {
	case len(orders) < 2 || ready == 0:
		return ""
	case credited(pu, orders):
		return p.t("status.topup_units", locales.Args{"Ready": number(ready), "All": number(len(orders))})
	}
	all := len(orders)
	if pu.SeeksMissing() {
		all += pu.Missing
	}
	return p.t("status.progress", locales.Args{"Ready": number(ready), "All": number(all)})
}

// settled is the status of a purchase whose orders all came to their end.
func (p Purchases) settled(pu store.Purchase, orders []store.Order) string {
	switch ready, failed := count(orders); {
	case len(orders) == 0:
		if pu.Word != nil {
			return p.Uncertain().said("status.closed", "status.closed_by", *pu.Word)
		}
		return p.t("status.closed", nil)
	case ready+failed < len(orders): // one that had come to its end has not after all
		return lines(p.accepted(pu, orders), p.progress(pu, orders))
	case failed == 0 && codeless(orders):
		return p.t("status.no_code", nil)
	case failed == 0 && credited(pu, orders):
		return lines(p.toppedUp(pu), p.progress(pu, orders))
	case failed == 0 && !isShort(pu, orders):
		return p.t("status.settled", nil)
	case ready == 0:
		return p.t("status.failed", nil)
	}
	return p.t("status.partly", nil)
}

// toppedUp says that all of a top-up is there: on the account of a player, or on a number. Of anything else that is for somebody
// it is known that the service calls it done.
func (p Purchases) toppedUp(pu store.Purchase) string {
	if api.Family(pu.Family) == api.Internet {
		return p.t("status.topup_done_number", nil)
	}
	if !pu.Topup {
		return p.t("status.personal_done", nil)
	}
	return p.t("status.topup_done", nil)
}

// dropped is the status of a purchase that was never sent.
func (p Purchases) dropped(pu store.Purchase, again [][]Button) (string, [][]Button) {
	// What has no sentence of its own here was cancelled by its buyer.
	switch pu.Reason {
	case store.ReasonExpired:
		return p.t("status.expired", nil), again
	case store.ReasonWaited:
		return p.t("status.waited", nil), p.today(pu)
	case store.ReasonHeld:
		return p.t("status.held", nil), p.today(pu)
	case store.ReasonOutage:
		return p.t("status.outage", nil), p.today(pu)
	case store.ReasonRenamed:
		return p.t("status.renamed", nil), p.buying(p.button("button.see_again", act(VerbAgain, pu.ID).fresh()))
	case store.ReasonPrice:
		if pu.NewPrice == nil || p.hidesCost(pu) {
			return p.t("status.price_changed_unknown", nil), again
		}
		now := *pu.NewPrice
		look := p.buying(p.button("button.see_again", act(VerbAgain, pu.ID).fresh()))
		return p.t("status.price_changed", locales.Args{"Was": p.money(pu.Price), "Now": p.money(now)}), look
	case store.ReasonFrozen:
		return p.t("status.frozen", nil), again
	case store.Restored:
		return p.t("status.restored", nil), nil
	case store.ReasonUnlinked:
		return p.t("status.unlinked", nil), nil
	case store.ReasonRefused:
		return p.t("status.refused", nil), nil
	case store.ReasonRemoved:
		if p.user != 0 && pu.User == p.user {
			return p.t("status.removed_own", nil), nil
		}
		return p.t("status.removed", nil), nil
	case store.ReasonLocked:
		return p.t("status.locked", nil), again
	}
	return p.t("status.cancelled", nil), nil
}

// today is the way back to a purchase at today's price.
func (p Purchases) today(pu store.Purchase) [][]Button {
	return p.buying(p.button("button.today", act(VerbAgain, pu.ID).fresh()))
}

// count is how many orders are ready, and how many failed.
func count(orders []store.Order) (ready, failed int) {
	for _, o := range orders {
		switch o.State {
		case store.Ready, store.Completed:
			ready++
		case store.Failed:
			failed++
		}
	}
	return ready, failed
}

// isClosed reports whether a purchase has come to its end by a person's word, without any order.
func isClosed(pu store.Purchase) bool { return pu.Phase == store.Settled && len(pu.OrderIDs) == 0 }

// hidden tells how many codes are there to be asked for: by the team, in a group, and in private by whoever reads.
func (p Purchases) hidden(orders []store.Order) string {
	n, key := len(only(orders, hasCode)), "status.hidden"
	if n == 0 {
		return ""
	}
	if p.user != 0 {
		key = "status.hidden_yours"
	}
	return p.direct(p.texts.N(key, n, nil))
}

// opened is when something was bought, and by whom, where that is said to somebody who opens it later.
func (p Purchases) opened(pu store.Purchase) string {
	if pu.QueuedAt.IsZero() {
		return ""
	}
	by := ""
	if pu.User != p.user {
		by = p.Approvals().buyer(pu)
	}
	return lines(p.t("status.at", locales.Args{"Time": locales.HTML(isolate(p.Time(pu.QueuedAt)))}), by)
}

// revealed tells who was shown the codes beside their delivery.
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

// Copy is what became of a purchase, for others of the team.
func (p Purchases) Copy(pu store.Purchase, orders []store.Order) Message {
	if pu.InDocument(orders) {
		p.reader = ForShop // a file is asked for
	}
	status, _ := p.status(pu, orders, store.QueuePlace{})
	m := Message{
		HTML: lines(p.Approvals().buyer(pu), status, p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.reference(pu),
			p.corrections(orders), p.Codes().codes(pu, orders), p.missing(pu, orders), p.notes(orders), p.Refunds().refund(pu, orders, BalanceView{})),
		Keyboard: p.codeKeys(pu, orders),
	}
	return m
}

// codeKeys are the buttons for the codes of a purchase: to copy them, or to ask for them.
func (p Purchases) codeKeys(pu store.Purchase, orders []store.Order) [][]Button {
	if p.hides() {
		return p.Codes().revealKeys(pu, orders)
	}
	return p.Codes().copyKeys(pu, orders)
}
