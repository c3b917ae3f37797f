package screen

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Bought is a purchase with its orders, as a list shows it.
type Bought struct {
	store.Purchase

	Orders []store.Order
	Shop   string // what its account is called, in a list of several; hostile text, empty for none
}

// Filter is which purchases a list shows.
type Filter string

// The filters. They stand in the data of buttons.
const (
	Unfiltered     Filter = ""
	FilterToday    Filter = "today"
	FilterWaiting  Filter = "open"    // something is still to come
	FilterProblems Filter = "problem" // something is not as it should be
)

// OrdersView is a page of a list of purchases, newest first.
type OrdersView struct {
	List   []Bought
	Scope  string // OrdersAll for those of the whole team, "" for somebody's own
	Filter Filter
	Words  string          // what was looked for; such a list has one page
	Older  string          // the purchase after which the next page begins; "" on the last one
	Newer  bool            // this is not the first page
	Before string          // the purchase after which the page before begins; "" on the second one
	Above  int             // how many rows are on the pages before
	More   bool            // there are more that hold the words
	Newest int             // how many of the newest were looked through for the words; 0 for all
	Linked bool            // the chat has an account
	Left   bool            // it has none any more
	Of     *store.Customer // whom it was bought for: such a list has pages of its own; Words are what others hold then
	Page   int             // of such a list
	Card   bool            // the customer may be looked at
	Team   bool            // there are others in the team, whose purchases an owner may list
	Other  bool            // all that is listed is of an account that is not the one at hand
}

// to is the way to a page of the list, under a filter.
func (v OrdersView) to(after string, f Filter) Action {
	args := []string{after, v.Scope, string(f)}
	for len(args) > 1 && args[len(args)-1] == "" {
		// Arg reads what is missing as empty: nothing is lost, and the data of a button are short.
		args = args[:len(args)-1]
	}
	return act(VerbOrders, args...)
}

// Shows reports whether a filter lets a purchase through; today is when the shop's day has begun.
func (p Orders) Shows(f Filter, b Bought, today time.Time) bool {
	switch f {
	case FilterToday:
		return !b.OrderedAt().Before(today)
	case FilterWaiting:
		return !b.Phase.Final() || b.outcome().waits
	case FilterProblems:
		return b.outcome().problem
	case Unfiltered:
	}
	return true
}

// Today is when the calendar's day of now began where the shop is.
func (p Printer) Today(now time.Time) time.Time {
	// The day is that of the shop's zone, and no span of 24 hours: a clock that is set forward or back makes it shorter or longer.
	y, m, d := now.In(p.zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, p.zone)
}

// List is a page of a list of purchases.
func (p Orders) List(v OrdersView) Message {
	if len(v.List) == 0 {
		return Message{HTML: p.noOrders(v), Keyboard: p.ordersFoot(v)}
	}
	title := p.t("orders.title", nil)
	switch {
	case v.Of != nil:
		title = p.t("orders.of", locales.Args{"Name": name(v.Of.Name.Reveal())})
	case v.Words != "":
		title = p.t("orders.found", locales.Args{"Words": name(v.Words)})
	case v.Scope == OrdersAll:
		title = p.t("orders.team", nil)
	}
	out := []string{title}
	var numbers []Button
	for i, b := range v.List {
		n := v.Above + i + 1
		out = append(out, "", p.boughtRow(n, b, v.Scope == OrdersAll))
		numbers = append(numbers, Button{Text: b.outcome().mark + " " + isolate(strconv.Itoa(n)), Data: act(VerbOrder, b.ID).Data()})
	}
	if v.More && v.Of == nil {
		out = append(out, "", p.t("orders.more_found", nil))
	}
	return Message{HTML: spaced(out), Keyboard: append(slices.Collect(slices.Chunk(numbers, inRow)), p.ordersFoot(v)...)}
}

// noOrders says that a list is empty.
func (p Orders) noOrders(v OrdersView) string {
	switch {
	case v.Of != nil:
		return p.t("orders.none_of", locales.Args{"Name": name(v.Of.Name.Reveal())})
	case v.Words != "" && v.Newest > 0:
		return p.t("orders.not_found_newest", locales.Args{"Words": name(v.Words), "Newest": number(v.Newest)})
	// What was found has neither pages nor filters: its words have no room on their buttons.
	case v.Words != "":
		return p.t("orders.not_found", locales.Args{"Words": name(v.Words)})
	case v.Filter == FilterProblems:
		return p.t("orders.no_problems", nil)
	case v.Filter != Unfiltered:
		return p.t("orders.none_filtered", nil)
	}
	if v.Left {
		return p.t("orders.none_left", nil)
	}
	return p.t("orders.none", nil)
}

// ordersFoot is what stands under a list of purchases: its pages, its filters, and the ways out of it.
func (p Orders) ordersFoot(v OrdersView) (keys [][]Button) {
	if v.Of != nil {
		return p.theirsFoot(v)
	}
	var pager []Button
	if v.Newer {
		pager = append(pager, p.button("button.newer", v.to(v.Before, v.Filter)))
	}
	if v.Older != "" {
		pager = append(pager, p.button("button.older", v.to(v.Older, v.Filter)))
	}
	if pager != nil {
		keys = append(keys, pager)
	}
	switch {
	case len(v.List) == 0 && !v.Linked:
		return append(keys, row(p.button("button.key", act(VerbKey)), p.button("button.home", act(VerbHome))))
	case v.Words != "":
		return append(keys, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.home", act(VerbHome))))
	// An empty list without a filter has nothing to filter; one that a filter has emptied needs the way out of it.
	case len(v.List) > 0 || v.Filter != Unfiltered:
		keys = append(keys, row(p.filterButton(v, "button.orders_today", FilterToday), p.filterButton(v, "button.orders_waiting", FilterWaiting),
			p.filterButton(v, "button.orders_problems", FilterProblems)))
	}
	if p.reader == ForOwner && v.Team {
		other, key := OrdersView{Scope: OrdersAll}, "button.orders_all"
		if v.Scope == OrdersAll {
			other, key = OrdersView{}, "button.orders_own"
		}
		keys = append(keys, row(p.button(key, other.to("", v.Filter))))
	}
	if p.reader == ForOwner && v.Linked && !v.Other {
		keys = append(keys, row(p.button("button.history", act(VerbHistory, ""))))
	}
	return append(keys, row(p.button("button.home", act(VerbHome))))
}

// theirsFoot is what stands under a customer's orders: their pages, others that hold the name, and the ways out.
func (p Orders) theirsFoot(v OrdersView) (keys [][]Button) {
	var pager []Button
	if v.Page > 0 {
		pager = append(pager, p.button("button.newer", act(VerbTheirs, v.Of.ID, id(v.Page-1))))
	}
	if v.More {
		pager = append(pager, p.button("button.older", act(VerbTheirs, v.Of.ID, id(v.Page+1))))
	}
	if pager != nil {
		keys = append(keys, pager)
	}
	// A colon parts arguments, and long words have no room on a button: those are looked for by what is typed.
	if a := act(VerbOrders, "", "", "", v.Words); v.Words != "" && !strings.Contains(v.Words, ":") && len(a.encoded()) <= maxData {
		keys = append(keys, row(Button{Text: p.led(p.plain("button.orders_other", locales.Args{"Words": p.typed(v.Words)})), Data: a.Data()}))
	}
	if v.Card {
		return append(keys, row(p.button("button.customer", act(VerbCustomer, v.Of.ID, CustomerShow)), p.button("button.home", act(VerbHome))))
	}
	return append(keys, row(p.button("button.orders", act(VerbOrders, "")), p.button("button.home", act(VerbHome))))
}

// filterButton sets a filter, or takes it away where it is set.
func (p Orders) filterButton(v OrdersView, key string, f Filter) Button {
	if v.Filter == f {
		return Button{Text: "• " + p.plain(key, nil), Data: v.to("", Unfiltered).Data()}
	}
	return p.button(key, v.to("", f))
}

// OrdersKept tells somebody that what they have bought is listed to the team that they were taken out of alone.
func (p Orders) OrdersKept() Message {
	return Message{HTML: p.t("orders.kept", nil), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}

// boughtRow is a purchase in a list: when, what and for how much, and where there is more to say of it, who bought it, for
// whom, and what became of it.
func (p Orders) boughtRow(n int, b Bought, buyers bool) string {
	what, paid := b.outcome(), b.Total
	// What was charged is what was paid; the total is what was agreed to.
	if b.Charged != nil {
		paid = *b.Charged
	}
	facts := []string{isolate(p.compactTime(b.OrderedAt())), string(name(b.Product)), string(name(b.Variant)) + " × " + string(number(b.Quantity))}
	if each, ok := p.askedFor(b.Purchase, b.Price); ok {
		facts = append(facts, "🏷 "+string(p.booked(each*ledger.Money(b.Quantity))))
	} else if !p.costless {
		facts = append(facts, string(p.money(paid)))
	}
	head := isolate(strconv.Itoa(n)) + ". " + what.mark + " " + strings.Join(facts, " · ")
	var more []string
	if b.Shop != "" {
		more = append(more, "🏪 "+string(name(b.Shop)))
	}
	if buyers && clean(b.Buyer, nameLength) != "" {
		more = append(more, "🛒 "+string(name(b.Buyer)))
	}
	if player := b.playerName(); player != "" {
		more = append(more, "🎮 "+string(name(player)))
	}
	if _, failed := count(b.Orders); failed > 0 && failed < len(b.Orders) {
		more = append(more, p.t("orders.part_failed", locales.Args{"Failed": number(failed), "All": number(len(b.Orders))}))
	}
	if what.key != "" {
		more = append(more, p.became(b, what.key))
	}
	return p.direct(lines(head, strings.Join(more, " · ")))
}

// became is what has become of a purchase, in the words of a text. That the balance rose is told with by how much: what stands above it is
// the price of all, and may be more.
func (p Orders) became(b Bought, words string) string {
	if words != balanceRose || p.hidesCost(b.Purchase) {
		return p.t(words, nil)
	}
	seen := only(b.Orders, func(o store.Order) bool { return o.Refund == store.RefundSeen })
	return p.t("orders.balance_rose_by", locales.Args{"Paid": p.money(paidFor(b.Purchase, seen))})
}

// playerName is who a top-up was for, by id, and by name where that is known.
func (b Bought) playerName() string {
	if b.Player == nil {
		return ""
	}
	return strings.TrimSpace(b.Player.ID + " " + b.Player.Name)
}

// balanceRose is what is said where money was seen to come back: money that people have added in just that amount looks the same.
const balanceRose = "orders.balance_rose"

// outcome is what has become of a purchase, as far as it is known, in a sign and a few words.
type outcome struct {
	mark    string
	key     string // of the words; empty where all is well
	waits   bool   // something is still to come
	problem bool   // something is not as it should be: money that is to come back is a problem until it does
}

// outcome tells what has become of a purchase.
func (b Bought) outcome() outcome {
	switch b.Phase {
	case store.Asked:
		return outcome{mark: "⏳", key: "orders.asked"}
	case store.Accepted, store.Settled:
		what := b.ordered()
		what.problem = what.problem || slices.ContainsFunc(b.Orders, func(o store.Order) bool { return o.State == store.Failed && o.Refund.Awaited() })
		return what
	case store.Rejected:
		if b.Refused { // and it is watched whether it is true that it was not bought
			watched := !b.LookAt.IsZero()
			return outcome{mark: "❌", key: "orders.refused", waits: watched, problem: watched}
		}
		return outcome{mark: "❌", key: "orders.not_bought"}
	case store.Unknown:
		return outcome{mark: "❓", key: "orders.unknown", problem: true}
	case store.Undecided:
		return outcome{mark: "❓", key: "orders.undecided", problem: true}
	case store.NotCreated, store.Dropped:
		if b.Phase == store.NotCreated && b.Dismissed() {
			return outcome{mark: "☑️", key: "orders.said_not_bought"}
		}
		return outcome{mark: "☑️", key: "orders.not_bought"}
	case store.Submitting:
		return outcome{mark: "⏳", key: "orders.submitting"}
	case store.Drafted, store.Queued:
	}
	return outcome{mark: "⏳", key: "orders.queued"}
}

// ordered tells what has become of the orders of a purchase.
func (b Bought) ordered() outcome {
	ready, failed := count(b.Orders)
	open := ready+failed < len(b.Orders)
	// The first case that fits is told: while something is open, what is wrong with that; then what is wrong with what has come.
	switch {
	case isClosed(b.Purchase):
		return outcome{mark: "☑️", key: "orders.closed"}
	case slices.ContainsFunc(b.Orders, isWithheld):
		return outcome{mark: "⚠️", key: "orders.withheld", waits: open, problem: true}
	case open && slices.ContainsFunc(b.Orders, isGone):
		return outcome{mark: "❓", key: "orders.gone", waits: true, problem: true}
	case open && slices.ContainsFunc(b.Orders, func(o store.Order) bool { return o.State == store.Waiting && o.Late }):
		return outcome{mark: "🕓", key: "orders.late", waits: true, problem: true}
	// An accepted purchase whose orders are not named yet has none.
	case open || len(b.Orders) == 0:
		return outcome{mark: "🕓", key: "orders.accepted", waits: true}
	case failed > 0:
		return failedOf(b.Orders, ready)
	case codeless(b.Orders):
		return outcome{mark: "⚠️", key: "orders.no_code", problem: true}
	case b.SeeksMissing():
		return outcome{mark: "🕓", key: "orders.accepted", waits: true}
	case b.Missing > 0:
		return outcome{mark: "⚠️", key: "orders.fewer", problem: b.Charged == nil}
	case slices.ContainsFunc(b.Orders, func(o store.Order) bool { return len(o.Later) > 0 }):
		return outcome{mark: "⚠️", key: "orders.two_codes", problem: true}
	case showsOneCode(b.Orders):
		return outcome{mark: "⚠️", key: "orders.same_code", problem: true}
	case slices.ContainsFunc(b.Orders, func(o store.Order) bool { return o.Back }):
		return outcome{mark: "⚠️", key: "orders.unfinished", waits: true, problem: true}
	}
	return outcome{mark: "🎉"}
}

// isWithheld reports whether the service has sent another purchase's code for an order, and none of its own.
func isWithheld(o store.Order) bool { return o.Clash && o.Code.IsZero() && o.State != store.Failed }

// showsOneCode reports whether units show a code that another one shows as well, by itself or in one of its lines. Lines that two units
// have in common are none: they may be a date, or who signs in.
func showsOneCode(orders []store.Order) bool {
	shown := store.Spellings{}
	for _, o := range orders {
		if store.Telling(o.Code) && shown.Has(o.Code) {
			return true
		}
		shown.Add(o.Code)
	}
	for _, o := range orders {
		whole := strings.TrimSpace(o.Code.Reveal())
		for line := range strings.Lines(whole) {
			if line = strings.TrimSpace(line); line != whole && store.Telling(secret.New(line)) && shown.Has(secret.New(line)) {
				return true
			}
		}
	}
	return false
}

// failedOf tells what has become of the money of orders that failed. ready is how many did not.
func failedOf(orders []store.Order, ready int) outcome {
	is := func(states ...store.RefundState) bool {
		for _, o := range orders {
			for _, state := range states {
				if o.State == store.Failed && o.Refund == state {
					return true
				}
			}
		}
		return false
	}
	what := outcome{mark: "❌", key: "orders.failed"}
	// The worst of them is told for all: money that is not back is what has to be asked for.
	switch {
	case is(store.RefundMissing, store.RefundUnseen, store.RefundUnread):
		what = outcome{mark: "⚠️", key: "orders.no_refund", problem: true}
	case is(store.RefundWaiting):
		what = outcome{mark: "↩️", key: "orders.refunding", waits: true}
	case is(store.RefundSeen):
		what = outcome{mark: "↩️", key: balanceRose}
	case is(store.RefundUntaken):
		what = outcome{mark: "☑️", key: "orders.not_charged"}
	case is(store.RefundLikely, store.NoRefund): // whether its money is back nobody can say: that it failed is sure
	}
	// Not all of it failed: a cross would be read as nothing delivered.
	if ready > 0 {
		what.mark = "⚠️"
	}
	return what
}
