package screen

import (
	"crypto/sha256"
	"encoding/hex"
	"math/bits"
	"strconv"
	"strings"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

const (
	mostOffered     = 40  // orders that are offered by themselves
	allMarked       = "*" // Marks of all
	markLength      = 12  // characters of a Mark
	orderNameLength = 24  // characters of what a list calls an order, on a button
)

// ChoiceView is what a person may pick from who says that an undecided purchase was bought.
type ChoiceView struct {
	Purchase store.Purchase
	Orders   []api.Order
	Named    bool // they are those of the service's answer: no list shows any
	Renamed  int  // of them, the last ones: the list calls them otherwise than what was bought
	Rivals   bool // another purchase of the shop may have one of them
	Taken    bool // none is offered, since those that fit may be other purchases' of the shop
	Marks    Marks
}

// Marks is which of some orders are marked.
type Marks struct {
	of   int
	all  bool
	bits uint64 // of the first mostOffered
}

// FirstMarks is what is marked before anybody has marked anything: all, where they are not more than were bought.
func FirstMarks(orders, bought int) Marks {
	// Which of them are its is for a person to say: a guess that is already marked would be taken.
	if orders > bought {
		return Marks{of: orders}
	}
	if orders > mostOffered {
		return Marks{of: orders, all: true}
	}
	return Marks{of: orders, bits: 1<<orders - 1}
}

// Among is the same marks among more orders, of which the others are not marked.
func (m Marks) Among(orders int) Marks {
	if m.of == orders {
		return m
	}
	if m.all { // no mark stands for a part of so many
		return Marks{of: orders}
	}
	return Marks{of: orders, bits: m.bits}
}

// ParseMarks reads marks of so many orders; ok is false where they are none.
func ParseMarks(text string, orders int) (m Marks, ok bool) {
	if text == allMarked {
		return Marks{of: orders, all: true}, true
	}
	set, err := strconv.ParseUint(text, 16, 64)
	// A mark beyond the orders is of another list, or forged.
	return Marks{of: orders, bits: set}, err == nil && bits.Len64(set) <= min(orders, mostOffered)
}

// String writes marks for an action.
func (m Marks) String() string {
	if m.all {
		return allMarked
	}
	return strconv.FormatUint(m.bits, 16)
}

// Count is how many orders are marked.
func (m Marks) Count() int {
	if m.all {
		return m.of
	}
	return bits.OnesCount64(m.bits)
}

// Of picks what is marked of the orders' ids.
func (m Marks) Of(ids []string) (marked []string) {
	for i, id := range ids {
		if m.has(i) {
			marked = append(marked, id)
		}
	}
	return marked
}

func (m Marks) has(i int) bool { return m.all || i < mostOffered && m.bits&(1<<i) != 0 }

// turned is the marks with one more, or one less.
// Only of a place below mostOffered: no other has a button (orderKeys).
func (m Marks) turned(i int) Marks { return Marks{of: m.of, bits: m.bits ^ 1<<i} }

// Mark stands for some of the service's orders in an action, which has no room for their ids.
func Mark(ids []string) string {
	// 48 bits are enough to tell two lists of the same account apart; what is taken is checked against the list of now.
	sum := sha256.Sum256([]byte(strings.Join(ids, "\x00")))
	return hex.EncodeToString(sum[:])[:markLength]
}

// Choose offers the orders that may be an undecided purchase's, each as a button.
func (p Uncertain) Choose(v ChoiceView) Message {
	pu := v.Purchase
	facts := lines(p.item(pu.Product, pu.Variant), p.answers(pu.Inputs), p.player(pu.Player), p.total(pu), p.reference(pu), p.sent(pu))
	if len(v.Orders) == 0 {
		why := p.t("choose.none", nil)
		if v.Taken {
			why = p.t("choose.taken", nil)
		}
		return Message{HTML: lines(why, facts), Keyboard: p.chooseKeys(pu, "button.close_anyway", true)}
	}
	title, rivals, renamed, help := p.texts.N("choose.title", len(v.Orders), nil), "", "", p.t("choose.help", nil)
	if v.Named {
		title = p.texts.N("choose.title_named", len(v.Orders), nil)
	}
	if v.Renamed > 0 {
		renamed = p.t("choose.renamed", nil)
	}
	if v.Rivals {
		rivals = p.t("choose.rivals", nil)
	}
	if pu.Quantity > 1 {
		help = p.t("choose.help_some", locales.Args{"Quantity": number(pu.Quantity)})
	}
	return Message{
		HTML:     lines(p.direct(title), facts, rivals, renamed, help),
		Keyboard: append(p.orderKeys(v), p.chooseKeys(pu, "button.none_of_these", true)...),
	}
}

// ChooseUnread tells that the list of orders cannot be read; again tells that it may be there later.
func (p Uncertain) ChooseUnread(pu store.Purchase, again bool) Message {
	text := p.t("choose.no_list", nil)
	if again {
		text = p.t("choose.unread", nil)
	}
	return Message{HTML: lines(text, p.item(pu.Product, pu.Variant), p.total(pu), p.reference(pu)), Keyboard: p.chooseKeys(pu, "button.close_anyway", again)}
}

// Decided is what stands in the place of a choice, or of a copy of a question, once the purchase is decided about and
// its orders are on their way: they are told of in its own message.
func (p Uncertain) Decided(pu store.Purchase) Message {
	return Message{
		HTML:     lines(p.t("choose.done", locales.Args{"Ref": reference(pu)}), p.item(pu.Product, pu.Variant)),
		Keyboard: [][]Button{row(p.button("button.order", act(VerbOrder, pu.ID)))},
	}
}

// sent is when a purchase went out.
func (p Uncertain) sent(pu store.Purchase) string {
	if pu.SentAt.IsZero() {
		return ""
	}
	return p.t("choose.sent", locales.Args{"Time": locales.HTML(isolate(p.Time(pu.SentAt)))})
}

// chooseKeys are the ways on from a choice in which nothing was picked.
func (p Uncertain) chooseKeys(pu store.Purchase, none string, again bool) (keys [][]Button) {
	if again {
		keys = append(keys, row(p.button("button.look", act(VerbDecide, pu.ID, DecideBought))))
	}
	decided := DecideClose
	// Where orders were shown, a person is asked once more: money may have gone for none of them.
	if none == "button.none_of_these" {
		decided = DecideNone
	}
	return append(keys, row(p.button(none, act(VerbDecide, pu.ID, decided))))
}

// NoneOfThese asks whether a purchase was bought that none of the orders is of.
func (p Uncertain) NoneOfThese(pu store.Purchase) Message {
	return Message{
		HTML: lines(p.t("choose.none_of_these", nil), p.item(pu.Product, pu.Variant), p.total(pu), p.reference(pu), p.sent(pu), p.clues(pu)),
		Keyboard: [][]Button{
			row(p.button("button.close_anyway", act(VerbDecide, pu.ID, DecideClose))),
			row(p.button(notBought(pu), act(VerbDecide, pu.ID, DecideSure))),
			row(p.button("button.back", act(VerbDecide, pu.ID, DecideBought))),
		},
	}
}

// SureNot asks whether a purchase was truly not bought, where its price or an order says otherwise; ok is false where
// nothing does.
func (p Uncertain) SureNot(pu store.Purchase) (m Message, ok bool) {
	ask, keys := "choose.sure_gone", [][]Button{row(p.button("button.sure_not_bought", act(VerbDecide, pu.ID, DecideSure)))}
	shown := ""
	// Whoever says that it is none of them has seen which they are.
	if pu.Evidence != nil && len(pu.Evidence.Rows) > 0 {
		shown, keys = p.t("choose.sure_shown", locales.Args{"Rows": names(pu.Evidence.Rows)}), append(keys, row(p.button("button.bought", act(VerbDecide, pu.ID, DecideBought))))
	}
	switch {
	case pu.SeemsPaid():
	case shown != "":
		ask = "choose.sure_rows"
	case pu.Evidence != nil && len(pu.Evidence.Beside) > 0:
		ask = "choose.sure_beside"
	case pu.LacksPrice():
		ask = "choose.sure_lacks"
	default:
		return Message{}, false
	}
	return Message{
		HTML:     lines(p.t(ask, nil), shown, p.item(pu.Product, pu.Variant), p.total(pu), p.reference(pu), p.sent(pu)),
		Keyboard: append(keys, row(p.button("button.back", act(VerbOrder, pu.ID)))),
	}, true
}

// said is a text about what a person has decided, of the orders that it is about: own for themselves, other with who it
// was.
func (p Uncertain) said(own, other string, w store.Word) string {
	rows := names(w.Rows)
	if w.By == p.user && p.user != 0 {
		return p.t(own, locales.Args{"Rows": rows})
	}
	who := p.t("word.owner", nil)
	if clean(w.Name, nameLength) != "" {
		who = string(name(w.Name))
	}
	return p.t(other, locales.Args{"Name": locales.HTML(who), "Rows": rows})
}

// dismissed is that a person said that a purchase was not bought, and what of its money.
func (p Uncertain) dismissed(pu store.Purchase) string {
	if pu.Word == nil { // it was decided before it was kept by whom
		return lines(p.t("status.dismissed", nil), p.t("status.dismissed_told", nil))
	}
	head := p.said("status.dismissed", "status.dismissed_by", *pu.Word)
	switch {
	case !pu.Word.Gone:
		return lines(head, p.t("status.dismissed_told", nil))
	case p.reader == ForOwner:
		return lines(head, p.t("status.dismissed_gone", nil))
	}
	return head
}

// doubtful is the head of a question about a purchase that was said not to have happened, for whoever decides or not.
func (p Uncertain) doubtful(pu store.Purchase) string {
	refused, plain, own, other := "status.doubted_refused", "status.doubted", "status.doubted_said", "status.doubted_said_by"
	if p.reader != ForOwner {
		refused, plain, own, other = "status.doubted_refused_owner", "status.doubted_owner", "status.doubted_said_owner", "status.doubted_said_owner_by"
	}
	switch {
	case pu.Refused:
		return p.t(refused, nil)
	case pu.Word == nil:
		return p.t(plain, nil)
	}
	return p.said(own, other, *pu.Word)
}

// orderKeys are the buttons of orders: of a purchase of one unit each is taken with a tap, of several those are that
// were marked.
func (p Uncertain) orderKeys(v ChoiceView) (keys [][]Button) {
	ids := make([]string, len(v.Orders))
	for i, o := range v.Orders {
		ids[i] = o.ID
	}
	for i, o := range v.Orders[:min(len(ids), mostOffered)] {
		label := p.orderLabel(o)
		if i >= len(ids)-v.Renamed {
			label = orderNumber(o) + " · " + isolate(orderName(o)) // all of them cost the same
		}
		if v.Purchase.Quantity == 1 {
			keys = append(keys, row(Button{Text: label, Data: act(VerbTake, v.Purchase.ID, Mark(ids[i:i+1])).Data()}))
			continue
		}
		// Of so many, all are taken or none: a mark has no bit for those that no button shows.
		if v.Marks.all && len(ids) > mostOffered {
			break
		}
		box := "▫️ "
		if v.Marks.has(i) {
			box = "☑️ "
		}
		keys = append(keys, row(Button{Text: box + label, Data: act(VerbMark, v.Purchase.ID, Mark(ids), v.Marks.turned(i).String()).Data()}))
	}
	// More than were bought cannot be taken; fewer can.
	if n := v.Marks.Count(); v.Purchase.Quantity > 1 && n > 0 && n <= v.Purchase.Quantity {
		text := p.plain("button.take_marked", locales.Args{"Marked": locales.HTML(id(n)), "All": locales.HTML(id(v.Purchase.Quantity))})
		keys = append(keys, row(Button{Text: text, Data: act(VerbTake, v.Purchase.ID, Mark(v.Marks.Of(ids)), v.Marks.String()).Data()}))
	}
	return keys
}

// orderName is what the service's list calls an order.
func orderName(o api.Order) string {
	return clean(strings.TrimSpace(o.ProductName+" "+o.VariantName), orderNameLength)
}

// orderNumber is the number of an order of the service on a button.
func orderNumber(o api.Order) string { return isolate("#" + clean(o.ID, 16)) }

// orderLabel is an order of the service on a button: its number, when, how much, and how it stands.
func (p Uncertain) orderLabel(o api.Order) string {
	// Telegram cuts a label off at its end: what tells orders apart that cost the same stands before that.
	parts := []string{orderNumber(o)}
	if !o.CreatedAt.IsZero() {
		parts = append(parts, string(p.serviceTime(o.CreatedAt, o.Zoneless, Printer.compactTime)))
	}
	if !o.Price.IsZero() {
		parts = append(parts, isolate(p.Amount(o.Price)))
	}
	switch o.Stage() {
	case api.Underway:
		parts = append(parts, p.plain("order.underway", nil))
	case api.Done:
		parts = append(parts, p.plain("order.done", nil))
	case api.Broken:
		parts = append(parts, p.plain("order.failed", nil))
	case api.Unrecognized:
		parts = append(parts, isolate(clean(o.Status, 16)))
	}
	return strings.Join(parts, " · ")
}

// decideHelp explains the buttons under a question.
func (p Purchases) decideHelp(pu store.Purchase) string {
	if pu.SeemsPaid() {
		return p.t("status.decide_help_paid", nil)
	}
	return p.t("status.decide_help", nil)
}

// question is what people are asked, or that others are asked, about an undecided purchase.
func (p Purchases) question(pu store.Purchase) string {
	switch {
	case pu.More != "":
		return p.more(pu)
	case !pu.DoubtedAt().IsZero():
		return p.Uncertain().doubtful(pu)
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
func (p Purchases) more(pu store.Purchase) string {
	key, asked := "status.twice", "status.twice_owner"
	if pu.More == store.Rest {
		key, asked = "status.rest", "status.rest_owner"
	}
	if p.reader != ForOwner {
		key = asked
	}
	return p.t(key, locales.Args{"Ref": locales.HTML(isolate("#" + store.Ref(pu.Of)))})
}
