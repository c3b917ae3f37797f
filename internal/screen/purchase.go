package screen

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"resellerbot/internal/api"
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

// Summary is a drafted purchase, whole, with the only button that spends money. was is the price of a
// unit that was shown before, where it has changed. Without the money for it there is no such button.
func (p Printer) Summary(pu store.Purchase, b BalanceView, was *dzd.Amount) Message {
	confirm := p.buttonWith("button.confirm", locales.Args{"Total": locales.HTML(p.Amount(pu.Total))}, act(VerbConfirm, pu.ID, pu.Nonce))
	return p.summary(pu, b, was, confirm, "")
}

// Above is the summary of a purchase above its buyer's limit: the owners can be asked for it.
func (p Printer) Above(pu store.Purchase, b BalanceView, was *dzd.Amount) Message {
	return p.summary(pu, b, was, p.button("button.ask_owner", act(VerbAsk, pu.ID, pu.Nonce)), p.t("ask.above", nil))
}

// summary is a drafted purchase with the button that takes it further, and a word about that.
func (p Printer) summary(pu store.Purchase, b BalanceView, was *dzd.Amount, further Button, about string) Message {
	changed := ""
	if was != nil && !was.Equal(pu.Price) {
		changed = p.t("summary.changed", locales.Args{"Was": p.money(*was)})
	}
	head := lines(p.t("summary.title", nil), changed, p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.told(pu))
	leave := row(p.button("button.back", act(VerbBack)), p.button("button.cancel", act(VerbDrop, pu.ID)))
	if b.Known && b.Available.Less(pu.Total) {
		short := p.shortfall(b.Available, pu.Total)
		if p.reader != ForOwner {
			short = p.t("summary.short", nil)
		}
		return Message{HTML: lines(head, short), Keyboard: [][]Button{leave}}
	}
	balance := ""
	if b.Known && p.reader == ForOwner {
		balance = p.t("summary.balance", locales.Args{"Before": p.money(b.Available), "After": p.money(b.Available.Sub(pu.Total))})
	}
	return Message{
		HTML:     lines(head, balance, p.manual(pu), p.doubt(pu.Player), about, p.t("summary.valid", nil)),
		Keyboard: [][]Button{row(further), leave},
	}
}

// manual says that people deliver it, where they do.
func (p Printer) manual(pu store.Purchase) string {
	if !pu.Manual {
		return ""
	}
	return p.t("summary.manual", nil)
}

// total is the price of a purchase.
func (p Printer) total(pu store.Purchase) string {
	return p.t("summary.total", locales.Args{"Quantity": number(pu.Quantity), "Price": p.money(pu.Price), "Total": p.money(pu.Total)})
}

// shortfall is what is there, what is needed, and what is missing.
func (p Printer) shortfall(have, need dzd.Amount) string {
	return lines(p.t("summary.have", locales.Args{"Have": p.money(have)}), p.t("summary.need", locales.Args{"Need": p.money(need)}),
		p.t("summary.missing", locales.Args{"Missing": p.money(need.Sub(have))}))
}

// Status is a purchase's own message, in whatever phase it is. at is where it stands in its account's line.
func (p Printer) Status(pu store.Purchase, orders []store.Order, b BalanceView, at store.QueuePlace) Message {
	status, keys := p.status(pu, orders, at)
	return Message{
		HTML: lines(status, p.refund(pu, orders, b), p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.reference(pu),
			p.approval(pu), p.reason(pu, b), p.corrections(orders), p.doubts(orders), p.codes(pu, orders), p.instead(orders), p.missing(pu), p.notes(orders)),
		Keyboard: slices.Concat(p.upper(pu, orders), keys),
	}
}

// upper is what can be done with a purchase as it is: of one that has come to its end in a single row, above what can be
// bought next.
func (p Printer) upper(pu store.Purchase, orders []store.Order) [][]Button {
	rows := append(p.codeKeys(pu, orders), p.lookKeys(pu, orders)...)
	if pu.Phase == store.Settled && len(rows) > 0 {
		return [][]Button{slices.Concat(rows...)}
	}
	return rows
}

// Again is a purchase shown to somebody who asks for it: codes that may have been shown before are said to be
// delivered again. A list is mostly where they come from, and where they go on.
func (p Printer) Again(pu store.Purchase, orders []store.Order, at store.QueuePlace) Message {
	pu.Told.MaybeSent = pu.Told.MaybeSent || pu.Told.Codes > 0 || pu.Told.Document
	m := p.Status(pu, orders, BalanceView{}, at)
	m.HTML = lines(m.HTML, p.opened(pu), p.revealed(pu))
	if p.reader == ForOwner && pu.Evidence != nil && pu.Phase != store.Undecided && pu.Phase != store.NotCreated { // those have the button anyway
		m.Keyboard = p.withWhy(m.Keyboard, pu)
	}
	m.Keyboard = withBack(m.Keyboard, p.button("button.orders", act(VerbOrders, "").fresh())) // beside it: its codes stay
	if pu.InDocument(orders) && !p.hides() && slices.ContainsFunc(orders, hasCode) {
		file := p.Codes(pu, orders)
		file.Keyboard = m.Keyboard
		return file
	}
	return m
}

// opened is when something was bought, and by whom, where that is said to somebody who opens it later.
func (p Printer) opened(pu store.Purchase) string {
	if pu.QueuedAt.IsZero() {
		return ""
	}
	by := ""
	if pu.User != p.user {
		by = p.buyer(pu)
	}
	return lines(p.t("status.at", locales.Args{"Time": locales.HTML(isolate(p.Time(pu.QueuedAt)))}), by)
}

// withWhy adds the way to the evidence of a purchase: where two rows are there, to the first of them.
func (p Printer) withWhy(rows [][]Button, pu store.Purchase) [][]Button {
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
func (p Printer) Unasked(m Message) Message {
	m.HTML = lines(m.HTML, p.t("status.unasked", nil))
	return m
}

// Hides reports whether codes are only shown to who asks for them.
func (p Printer) Hides() bool { return p.hides() }

// MayChange reports whether the service may still change what became of an order: then it is worth a look.
func MayChange(o store.Order) bool {
	switch o.State {
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
func (p Printer) lookKeys(pu store.Purchase, orders []store.Order) [][]Button {
	if pu.Phase != store.Accepted && pu.Phase != store.Settled || !slices.ContainsFunc(orders, MayChange) {
		return nil
	}
	return [][]Button{row(p.button("button.look", act(VerbLook, pu.ID)))}
}

// corrections say what has turned out otherwise than people were told.
func (p Printer) corrections(orders []store.Order) string {
	var recovered, undone, back string
	for _, o := range orders {
		switch {
		case o.Was == store.Failed && o.State != store.Failed:
			recovered = p.t("status.recovered", nil)
		case o.Was != "" && o.Was != store.Failed && o.State == store.Failed:
			undone = p.t("status.undone", nil)
		}
		if o.Back {
			back = p.t("status.back", locales.Args{"Status": name(o.Status)})
		}
	}
	return lines(recovered, undone, back)
}

// doubts say what speaks against codes that are shown: the service calls their orders failed, or shows one for several
// units.
func (p Printer) doubts(orders []store.Order) string {
	var failed, same string
	for _, o := range orders {
		if o.State == store.Failed && o.Was != store.Ready && hasCode(o) {
			failed = p.t("status.failed_code", nil)
		}
	}
	if showsOneCode(orders) {
		same = p.t("status.same_code", nil)
	}
	return lines(failed, same)
}

// instead is what the service writes where a code should be: words to people, and, where that takes too long, whatever it
// is, for it may be one after all.
func (p Printer) instead(orders []store.Order) string {
	if p.hides() {
		return ""
	}
	var out []string
	room := mostNotes
	for _, o := range orders {
		words := api.Sentence(o.Instead.Reveal())
		if hasCode(o) || !words && !overdue(o) || o.Instead.IsZero() || room <= 1 {
			continue
		}
		key := "status.words"
		if overdue(o) {
			key = "status.instead"
		}
		text := clean(o.Instead.Reveal(), min(mostCopied, room))
		line := p.t(key, locales.Args{"Text": locales.HTML(isolate(escape(text)))})
		if !slices.Contains(out, line) {
			out, room = append(out, line), room-utf8.RuneCountInString(text)
		}
	}
	return lines(out...)
}

// overdue reports whether the service has called an order done for long without sending its code, or for as long as that
// was looked for.
func overdue(o store.Order) bool {
	return awaitsCode(o) || o.State == store.Completed && o.Late && !o.DoneAt.IsZero()
}

// awaitsCode reports whether the service has called an order done for long without sending its code.
func awaitsCode(o store.Order) bool { return o.State == store.Waiting && o.Late && !o.DoneAt.IsZero() }

// isGone reports whether the service does not show an order any more that is waited for.
func isGone(o store.Order) bool { return o.State == store.Waiting && o.Gone }

// status is the first line of a purchase, and what can be done about it.
func (p Printer) status(pu store.Purchase, orders []store.Order, at store.QueuePlace) (string, [][]Button) {
	again := p.buying(p.button("button.again", act(VerbAgain, pu.ID).fresh()), p.button("button.home", act(VerbHome).fresh()))
	more := p.buying(p.button("button.once_again", act(VerbAgain, pu.ID).fresh()), p.button("button.more", act(VerbBuy, "0").fresh()))
	switch pu.Phase {
	case store.Asked:
		return p.asked(pu)
	case store.Queued:
		return p.waiting(pu, at)
	case store.Submitting:
		return p.t("status.queued", nil), nil
	case store.Accepted:
		return lines(p.accepted(pu, orders), p.progress(pu, orders), p.strange(orders)), nil
	case store.Settled:
		return p.settled(pu, orders), more
	case store.Rejected:
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
		return lines(p.question(pu), p.clues(pu), p.t("status.decide_help", nil)), keys
	case store.NotCreated:
		if p.reader == ForOwner && pu.Evidence != nil {
			again = append(again, row(p.button("button.why", act(VerbWhy, pu.ID).fresh())))
		}
		if pu.Dismissed() {
			return p.dismissed(pu), again
		}
		return p.t("status.not_created", nil), again
	}
	return p.dropped(pu, again)
}

// buying is a row of buttons, without those that lead to a purchase where the reader may not buy.
func (p Printer) buying(keys ...Button) [][]Button {
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

// question is what people are asked, or that others are asked, about an undecided purchase.
func (p Printer) question(pu store.Purchase) string {
	switch {
	case pu.More != "":
		return p.more(pu)
	case !pu.DoubtedAt().IsZero():
		return p.doubtful(pu)
	case p.reader != ForOwner:
		return p.t("status.owner_asked", nil)
	}
	return p.t("status.undecided", nil)
}

// notBought is the button that says that a purchase was not bought, in the light of what its question says.
func notBought(pu store.Purchase) string {
	if pu.SeemsPaid() {
		return "button.not_there"
	}
	return "button.not_bought"
}

// more is the head of a question about what may have been made beside another purchase.
func (p Printer) more(pu store.Purchase) string {
	key, asked := "status.twice", "status.twice_owner"
	if pu.More == store.Rest {
		key, asked = "status.rest", "status.rest_owner"
	}
	if p.reader != ForOwner {
		key = asked
	}
	return p.t(key, locales.Args{"Ref": locales.HTML(isolate("#" + store.Ref(pu.Of)))})
}

// accepted is the status of a purchase whose orders are on their way, or whose money is.
func (p Printer) accepted(pu store.Purchase, orders []store.Order) string {
	ready, failed := count(orders)
	missing := slices.ContainsFunc(orders, func(o store.Order) bool { return o.Refund.Awaited() && o.Refund != store.RefundWaiting })
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
	return lines(p.t("status.accepted", nil), p.manual(pu))
}

// strange shows a status that we do not know as it came.
func (p Printer) strange(orders []store.Order) string {
	for _, o := range orders {
		if o.State == store.Waiting && o.Strange {
			return p.t("status.service_says", locales.Args{"Status": name(o.Status)})
		}
	}
	return ""
}

// missing says that some orders of a purchase were not found, or that only those were charged which were.
func (p Printer) missing(pu store.Purchase) string {
	if pu.Missing <= 0 || len(pu.OrderIDs) == 0 || !pu.Phase.Final() && pu.Phase != store.Accepted {
		return ""
	}
	if pu.Charged != nil {
		return p.t("status.fewer", locales.Args{"Made": number(len(pu.OrderIDs)), "All": number(pu.Quantity), "Charged": p.money(*pu.Charged)})
	}
	return p.direct(p.texts.N("status.missing", pu.Missing, nil))
}

// credited reports whether a purchase goes to somebody instead of bringing codes: it is a top-up, or all of it that has
// succeeded has brought nothing but a success.
func credited(pu store.Purchase, orders []store.Order) bool {
	ready, _ := count(orders)
	bare := func(o store.Order) bool { return o.State == store.Completed && o.Personal && !o.Late }
	if store.CountCodes(orders) > 0 { // whatever it is called, it has brought one
		return false
	}
	return pu.Topup || ready > 0 && !slices.ContainsFunc(orders, func(o store.Order) bool { return o.State != store.Failed && !bare(o) })
}

// codeless reports whether an order is called done and its code never came.
func codeless(orders []store.Order) bool {
	return slices.ContainsFunc(orders, func(o store.Order) bool { return o.State == store.Completed && o.Late })
}

// notes is what whoever delivered an order wrote.
func (p Printer) notes(orders []store.Order) string {
	if p.hides() {
		return "" // a code may stand in them
	}
	var out []string
	room := mostNotes
	for _, o := range orders {
		if !o.Notes.IsZero() && room > 1 {
			text := clean(o.Notes.Reveal(), min(300, room))
			room -= utf8.RuneCountInString(text)
			out = append(out, p.t("status.notes", locales.Args{"Notes": locales.HTML(isolate(escape(text)))}))
		}
	}
	return lines(out...)
}

// progress is how many of several units are there.
func (p Printer) progress(pu store.Purchase, orders []store.Order) string {
	ready, _ := count(orders)
	switch {
	case len(orders) < 2 || ready == 0:
		return ""
	case credited(pu, orders):
		return p.t("status.topup_units", locales.Args{"Ready": number(ready), "All": number(len(orders))})
	}
	return p.t("status.progress", locales.Args{"Ready": number(ready), "All": number(len(orders))})
}

// settled is the status of a purchase whose orders all came to their end.
func (p Printer) settled(pu store.Purchase, orders []store.Order) string {
	switch ready, failed := count(orders); {
	case len(orders) == 0:
		if pu.Word != nil {
			return p.said("status.closed", "status.closed_by", *pu.Word)
		}
		return p.t("status.closed", nil)
	case ready+failed < len(orders): // one that had come to its end has not after all
		return lines(p.accepted(pu, orders), p.progress(pu, orders))
	case failed == 0 && codeless(orders):
		return p.t("status.no_code", nil)
	case failed == 0 && credited(pu, orders):
		return lines(p.toppedUp(pu), p.progress(pu, orders))
	case failed == 0:
		return p.t("status.settled", nil)
	case ready == 0:
		return p.t("status.failed", nil)
	}
	return p.t("status.partly", nil)
}

// toppedUp says that all of a top-up is there: on the account of a player, or on a number. Of anything else that is for somebody
// it is known that the service calls it done.
func (p Printer) toppedUp(pu store.Purchase) string {
	if api.Family(pu.Family) == api.Internet {
		return p.t("status.topup_done_number", nil)
	}
	if !pu.Topup {
		return p.t("status.personal_done", nil)
	}
	return p.t("status.topup_done", nil)
}

// dropped is the status of a purchase that was never sent.
func (p Printer) dropped(pu store.Purchase, again [][]Button) (string, [][]Button) {
	switch pu.Reason {
	case "expired":
		return p.t("status.expired", nil), again
	case "waited":
		return p.t("status.waited", nil), p.today(pu)
	case "held":
		return p.t("status.held", nil), p.today(pu)
	case "renamed":
		return p.t("status.renamed", nil), p.buying(p.button("button.see_again", act(VerbAgain, pu.ID).fresh()))
	case "price_changed":
		if pu.NewPrice == nil {
			return p.t("status.price_changed_unknown", nil), again
		}
		now := *pu.NewPrice
		look := p.buying(p.button("button.see_again", act(VerbAgain, pu.ID).fresh()))
		return p.t("status.price_changed", locales.Args{"Was": p.money(pu.Price), "Now": p.money(now)}), look
	case "frozen":
		return p.t("status.frozen", nil), again
	case store.Restored:
		return p.t("status.restored", nil), nil
	case "unlinked":
		return p.t("status.unlinked", nil), nil
	case "refused":
		return p.t("status.refused", nil), nil
	case "removed":
		return p.t("status.removed", nil), nil
	case "locked":
		return p.t("status.locked", nil), again
	}
	return p.t("status.cancelled", nil), nil
}

// today is the way back to a purchase at today's price.
func (p Printer) today(pu store.Purchase) [][]Button {
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

// reference is the number under which a purchase is spoken of, once it was confirmed.
func (p Printer) reference(pu store.Purchase) string {
	if pu.Phase == store.Dropped && pu.QueuedAt.IsZero() {
		return ""
	}
	return p.t("status.order", locales.Args{"Ref": locales.HTML(isolate("#" + store.Ref(pu.ID)))})
}

// reason is why a purchase was refused.
func (p Printer) reason(pu store.Purchase, b BalanceView) string {
	if pu.Phase != store.Rejected {
		return ""
	}
	class := classNamed(pu.Reason)
	switch {
	case class == api.Funds && b.Known && b.Available.Less(pu.Total):
		return lines(p.why(class, 0), p.shortfall(b.Available, pu.Total))
	case class == api.Invalid:
		if fields := p.fields(pu.Fields, pu.Inputs); fields != "" {
			return p.t("why.invalid_fields", locales.Args{"Fields": fields})
		}
		if len(pu.Inputs) == 0 {
			return p.t("why.invalid_order", nil)
		}
	}
	return p.why(class, 0)
}

// classNamed is the class of a stored reason.
func classNamed(reason string) api.Class {
	for c := api.Internal; c <= api.NotOffered; c++ {
		if c.String() == reason {
			return c
		}
	}
	return api.Internal
}

func hasCode(o store.Order) bool { return !o.Code.IsZero() }

// codes is what was delivered: each code on a line of its own under its unit's number. Many codes come as
// a file instead.
func (p Printer) codes(pu store.Purchase, orders []store.Order) string {
	if p.hides() {
		return p.hidden(orders)
	}
	if pu.InDocument(orders) {
		if pu.Told.Document {
			return p.t("status.file", nil)
		}
		return p.t("status.file_coming", nil)
	}
	var out []string
	shown := false
	_, failed := count(orders)
	for _, o := range orders {
		out = append(out, p.unit(pu, o)...)
		shown = shown || len(o.Codes()) > 0
	}
	if failed > 0 && pu.Quantity > mostInText {
		out = append(out, p.t("status.units_failed", locales.Args{"Failed": number(failed), "All": number(pu.Quantity)}))
	}
	if shown && pu.Told.MaybeSent {
		again := "status.again"
		if had := pu.Told.Codes; had > 0 && had < store.CountCodes(orders) {
			again = "status.again_more"
		}
		out = append([]string{p.t(again, nil)}, out...)
	}
	if len(out) == 0 {
		return ""
	}
	return "\n" + lines(out...) // an empty line between the facts and the codes
}

// unit is what came of one order: its codes under its number, where there are several, or that it failed.
func (p Printer) unit(pu store.Purchase, o store.Order) (out []string) {
	unit := locales.Args{"Unit": number(o.Unit), "All": number(pu.Quantity)}
	if hasCode(o) && pu.Quantity > 1 {
		out = append(out, p.t("status.unit", unit))
	}
	for i, c := range o.Codes() {
		if i == 1 {
			out = append(out, p.t("status.code_later", nil))
		}
		out = append(out, p.delivered(c)...)
		if i == 0 {
			out = append(out, p.serial(o.Serial)...)
		}
	}
	if o.State == store.Failed && pu.Quantity > 1 && pu.Quantity <= mostInText {
		out = append(out, p.t("status.unit_failed", unit))
	}
	return out
}

// refund tells of the units that failed: what was paid for them, and whether the money is back.
func (p Printer) refund(pu store.Purchase, orders []store.Order, b BalanceView) string {
	var out []string
	for _, state := range [...]store.RefundState{
		store.RefundWaiting, store.RefundSeen, store.RefundUnread, store.RefundMissing, store.RefundUnseen, store.RefundLikely, store.RefundUntaken,
	} {
		if failed := only(orders, func(o store.Order) bool { return o.Refund == state && !inSum(o) }); len(failed) > 0 {
			paid := locales.Args{"Paid": p.money(paidFor(pu, failed))}
			if len(failed) < len(orders) {
				paid["Units"], paid["All"] = number(len(failed)), number(len(orders))
			}
			out = append(out, p.refundState(state, paid))
		}
	}
	for _, sum := range []string{p.refundInSum(pu, orders), p.refundInPart(pu, orders)} {
		if sum != "" {
			out = append(out, sum)
		}
	}
	if len(out) > 0 && b.Known {
		out = append(out, p.t("status.balance", locales.Args{"Balance": p.money(b.Available)}))
	}
	return lines(out...)
}

// inSum reports whether the refund of an order is likely to be in what came from outside.
func inSum(o store.Order) bool { return o.Refund == store.RefundLikely && !o.Came.Sum.IsZero() }

// refundInSum tells of refunds that are likely to be in what came from outside: how much that was, and what was paid.
func (p Printer) refundInSum(pu store.Purchase, orders []store.Order) string {
	some := only(orders, inSum)
	if len(some) == 0 {
		return ""
	}
	most := slices.MaxFunc(some, func(a, b store.Order) int { return a.Came.Sum.Cmp(b.Came.Sum) })
	return p.t("status.refund_in_sum", locales.Args{"Came": p.money(most.Came.Sum), "Paid": p.money(paidFor(pu, some))})
}

// refundInPart tells of refunds that were not seen, while less than they are came from outside.
func (p Printer) refundInPart(pu store.Purchase, orders []store.Order) string {
	some := only(orders, func(o store.Order) bool { return isUnrefunded(o) && o.Came.Left.Sign() > 0 })
	if len(some) == 0 {
		return ""
	}
	most := slices.MaxFunc(some, func(a, b store.Order) int { return a.Came.Left.Cmp(b.Came.Left) })
	return p.t("status.refund_in_part", locales.Args{"Came": p.money(most.Came.Left), "Paid": p.money(paidFor(pu, some))})
}

// isUnrefunded reports whether the refund of an order should have been seen, and was not.
func isUnrefunded(o store.Order) bool {
	return o.Refund == store.RefundMissing || o.Refund == store.RefundUnseen
}

// refundState is what became of some money: of what the whole purchase cost, or, where units are named, of what these did.
func (p Printer) refundState(state store.RefundState, paid locales.Args) string {
	_, part := paid["Units"]
	switch {
	case part && state == store.RefundSeen:
		return p.t("status.refund_seen_part", paid)
	case part && state == store.RefundLikely:
		return p.t("status.refund_likely_part", paid)
	}
	switch state {
	case store.RefundSeen:
		return p.t("status.refund_seen", paid)
	case store.RefundLikely:
		return p.t("status.refund_likely", paid)
	case store.RefundUntaken:
		return p.t("status.refund_untaken", paid)
	case store.RefundUnread:
		return p.t("status.refund_unread", paid)
	case store.RefundMissing:
		return p.t("status.refund_missing", paid)
	case store.RefundUnseen:
		return p.t("status.refund_unseen", paid)
	}
	return p.t("status.refund", paid)
}

// copyKeys are the buttons that copy codes, for few of them: one for all where they fit into it, else two at most.
func copyKeys(p Printer, pu store.Purchase, orders []store.Order) [][]Button {
	if pu.InDocument(orders) {
		return nil
	}
	parts, all := copies(orders)
	if len(parts) == 0 || len(parts) > mostCopies {
		return nil
	}
	var keys []Button
	for _, c := range parts {
		keys = append(keys, Button{Text: p.copyLabel(pu, c, all), Copy: c.text})
	}
	return [][]Button{keys}
}

// copied is what one button copies: the codes of units in a row, a code a line.
type copied struct {
	text        string
	first, last int // the units
	codes       int
}

// copies puts codes together, in order, as many as a button takes; all tells that one holds them all. A code that no
// button takes is left out: it stands in the message.
func copies(orders []store.Order) (parts []copied, all bool) {
	left, joins := 0, false
	for _, o := range orders {
		text := o.Code.Reveal()
		n := len(parts) - 1
		switch {
		case text == "":
		case utf8.RuneCountInString(text) > mostCopied:
			left, joins = left+1, false
		case joins && utf8.RuneCountInString(parts[n].text)+1+utf8.RuneCountInString(text) <= mostCopied:
			parts[n] = copied{parts[n].text + "\n" + text, parts[n].first, o.Unit, parts[n].codes + 1}
		default:
			parts, joins = append(parts, copied{text, o.Unit, o.Unit, 1}), true
		}
	}
	return parts, left == 0 && len(parts) == 1
}

// copyLabel is what stands on a button that copies codes; all tells that it copies all there are.
func (p Printer) copyLabel(pu store.Purchase, c copied, all bool) string {
	switch {
	case c.codes > 1 && all:
		return p.plain("button.copy_codes", nil)
	case c.codes > 1:
		return p.plain("button.copy_units", locales.Args{"From": locales.HTML(id(c.first)), "To": locales.HTML(id(c.last))})
	case pu.Quantity > 1:
		return p.plain("button.copy_unit", locales.Args{"Unit": locales.HTML(id(c.first))})
	}
	return p.plain("button.copy", nil)
}

// Ping is the short message that makes the phone ring. It holds no code: it may show on a lock screen.
func (p Printer) Ping(pu store.Purchase, orders []store.Order) Message {
	ref := locales.Args{"Ref": locales.HTML(isolate("#" + store.Ref(pu.ID)))}
	refunds := len(only(orders, func(o store.Order) bool { return o.Refund == store.RefundSeen }))
	switch ready, failed := count(orders); {
	case pu.Phase == store.NotCreated:
		return Message{HTML: p.t("ping.not_created", ref)}
	case !pu.DoubtedAt().IsZero():
		return Message{HTML: p.t("ping.doubted", ref)}
	case pu.Phase == store.Undecided && p.reader != ForOwner:
		return Message{HTML: p.t("ping.owner_asked", ref)}
	case pu.Phase == store.Undecided:
		return Message{HTML: p.t("ping.undecided", ref)}
	case pu.Phase == store.Dropped && (pu.Reason == "waited" || pu.Reason == "held"):
		return Message{HTML: p.t("ping.not_created", ref)}
	case pu.Phase == store.Dropped && pu.Reason == "refused":
		return Message{HTML: p.t("ping.refused", ref)}
	case pu.Phase == store.Dropped:
		return Message{HTML: p.t("ping.no_answer", ref)}
	case p.corrections(orders) != "":
		return Message{HTML: p.t("ping.changed", ref)}
	case failed > 0 && failed < len(orders):
		return Message{HTML: p.t(partPing(ready, failed, refunds, len(orders)), ref)}
	case failed > 0 && refunds == failed:
		return Message{HTML: p.t("ping.refunded", ref)}
	case failed == 0 && codeless(orders):
		return Message{HTML: p.t("ping.no_code", ref)}
	case failed > 0 && !slices.ContainsFunc(orders, func(o store.Order) bool { return o.Refund == store.RefundWaiting }):
		return Message{HTML: p.t("ping.failed_money", ref)}
	case failed > 0:
		return Message{HTML: p.t("ping.failed", ref)}
	case ready < len(orders):
		return Message{HTML: p.t("ping.progress", ref)}
	case !credited(pu, orders):
	case api.Family(pu.Family) == api.Internet:
		return Message{HTML: p.t("ping.topup_number", ref)}
	case !pu.Topup:
		return Message{HTML: p.t("ping.done", ref)}
	default:
		return Message{HTML: p.t("ping.topup", ref)}
	}
	return Message{HTML: p.t("ping.delivered", ref)}
}

// partPing is the text that makes the phone ring for a purchase of which some units failed, and not all: neither is the
// whole of it called failed, nor delivered.
func partPing(ready, failed, refunds, all int) string {
	switch {
	case refunds == failed:
		return "ping.part_refunded"
	case ready+failed == all:
		return "ping.partly"
	case ready > 0:
		return "ping.progress"
	}
	return "ping.part_failed"
}

// Codes is the codes of a big purchase as a file, a code a line, in the order of the units.
func (p Printer) Codes(pu store.Purchase, orders []store.Order) Message {
	var body strings.Builder
	for _, o := range orders {
		for _, c := range o.Codes() {
			fmt.Fprintln(&body, c.Reveal())
		}
		if hasCode(o) && !o.Serial.IsZero() {
			fmt.Fprintln(&body, "serial: "+o.Serial.Reveal())
		}
	}
	again := ""
	if pu.Told.MaybeSent {
		again = p.t("status.again", nil)
	}
	ready, _ := count(orders)
	return Message{
		HTML: lines(p.item(pu.Product, pu.Variant), p.reference(pu), p.when(pu),
			p.t("status.progress", locales.Args{"Ready": number(ready), "All": number(pu.Quantity)}), p.corrections(orders), p.doubts(orders), again),
		File: &File{Name: p.fileName(pu), Body: []byte(body.String())},
	}
}

// when is the day and time at which a purchase was confirmed.
func (p Printer) when(pu store.Purchase) string {
	return p.t("status.bought_at", locales.Args{"Time": locales.HTML(isolate(p.Time(boughtAt(pu))))})
}

// boughtAt is when a purchase was confirmed, or drafted where that was not written down.
func boughtAt(pu store.Purchase) time.Time {
	if pu.QueuedAt.IsZero() {
		return pu.CreatedAt
	}
	return pu.QueuedAt
}

// fileName says what is in a file of codes: product, variant, purchase and day.
func (p Printer) fileName(pu store.Purchase) string {
	const room = 32 // characters of a name
	parts := []string{fileWord(pu.Product, room), fileWord(pu.Variant, room), store.Ref(pu.ID), boughtAt(pu).In(p.zone).Format(time.DateOnly)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "-") + ".txt"
}

// fileWord is a name from outside as a part of a file's: of any script, but letters and digits alone.
func fileWord(s string, most int) string {
	words := strings.FieldsFunc(clean(s, nameLength), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	runes := []rune(strings.Join(words, "-"))
	return strings.Trim(string(runes[:min(len(runes), most)]), "-")
}

// Bell is the button that brings somebody to a purchase which their phone rings for together with others.
func (p Printer) Bell(pu store.Purchase, orders []store.Order) Button {
	return Button{Text: Bought{pu, orders}.outcome().mark + " " + isolate("#"+store.Ref(pu.ID)), Data: act(VerbOrder, pu.ID).fresh().Data()}
}

// isClosed reports whether a purchase has come to its end by a person's word, without any order.
func isClosed(pu store.Purchase) bool { return pu.Phase == store.Settled && len(pu.OrderIDs) == 0 }
