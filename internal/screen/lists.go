package screen

import (
	"slices"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

const (
	listText   = 3000 // characters of the lines of a list on its card
	listGroups = 8    // items that are summed up
	listName   = 40   // characters of the name of one
	barCells   = 10
)

// ListView is a list with what was bought by it.
type ListView struct {
	store.List

	Bought map[string]Bought // by the id of the purchase
	// Brings is the units whose codes a file of it holds, by the id of the purchase.
	Brings map[string]store.Units
	Trades store.Trades    // what the shop makes of that; none where it makes nothing of it, or the list is not over
	Locked *store.Lock     // all spending of its account is stopped
	Behind *store.Purchase // the uncertain one that the next line waits for; nil where none is
}

// Again are the lines, by their place, that can be tried once more: they cost nothing, or their money is back. What is
// uncertain is decided first. Of a list from a copy nobody knows what was bought since.
func (v ListView) Again() (places []int) {
	// One that time or its buyer has ended is good to be tried again as it was read. One that owners have refused, or whose buyer is of
	// the team no more, is not.
	voided := v.Phase == store.ListDropped && (v.Why == store.ReasonExpired || v.Why == store.ReasonCancelled)
	if v.Why == store.Restored || v.Phase != store.ListEnded && !voided {
		return nil
	}
	for i, line := range v.Lines {
		b, bought := v.of(line)
		switch {
		case line.Quantity == 0, line.Problem != "" && line.Problem != store.ProblemUnasked, line.Mark != "" && !v.Marked:
		case !bought:
			places = append(places, i)
		case b.Phase == store.Rejected, b.Phase == store.NotCreated, b.Phase == store.Dropped, b.Phase == store.Settled && b.hasFailed():
			places = append(places, i)
		}
	}
	return places
}

// of is what was bought by a line; false where nothing was.
func (v ListView) of(line store.ListLine) (Bought, bool) {
	b, ok := v.Bought[line.Purchase]
	return b, ok && line.Purchase != ""
}

// mayBeBought reports whether a line may have been bought since a copy was made of its list.
func (v ListView) mayBeBought(line store.ListLine) bool {
	return v.Why == store.Restored && line.Purchase == "" && line.Problem == ""
}

// hasFailed reports whether nothing of a purchase came, and its money is back.
func (b Bought) hasFailed() bool {
	return len(b.Orders) > 0 && len(b.back()) == len(b.Orders)
}

// back are the orders of a purchase that have failed and whose money is back, or was never taken.
func (b Bought) back() []store.Order {
	return only(b.Orders, func(o store.Order) bool {
		return o.State == store.Failed && o.Refund.Returned()
	})
}

// Card is a list: what was read, and, once it was confirmed, how far it is and what came.
func (p Lists) Card(v ListView) Message {
	if v.Why == store.Restored {
		return Message{HTML: lines(p.title(v.List), p.t("list.restored", nil), p.rows(v)), Keyboard: p.againKeys(v)}
	}
	switch v.Phase {
	case store.ListChecking:
		return Message{HTML: lines(p.title(v.List), p.checked(v.List), p.rows(v)), Keyboard: [][]Button{row(p.button("button.cancel", act(VerbListDrop, v.ID)))}}
	case store.ListShown:
		return p.shown(v)
	case store.ListAsked:
		sum, _ := p.listTotal(v.List)
		return Message{
			HTML:     lines(p.title(v.List), p.t("status.asked", locales.Args{"Time": locales.HTML(isolate(p.Time(v.ExpiresAt)))}), p.sums(v.List), sum, p.rows(v)),
			Keyboard: [][]Button{row(p.button("button.take_back", act(VerbListDrop, v.ID)))},
		}
	case store.ListDropped:
		return Message{HTML: lines(p.title(v.List), p.dropped(v.List), p.rows(v)), Keyboard: p.againKeys(v)}
	}
	return p.bought(v)
}

// Left is the card of a list that goes on without whoever reads it: they are of the team no more. What it shows is as it
// stays, and no button is under it.
func (p Lists) Left(v ListView) Message {
	return Message{HTML: lines(p.title(v.List), p.t("list.left_behind", nil))}
}

// title is how many lines a list has.
func (p Lists) title(l store.List) string {
	return p.t("list.title", locales.Args{"Lines": number(len(l.Lines))})
}

// checked is how many players are known, and by when all will be.
func (p Lists) checked(l store.List) string {
	all, done := 0, 0
	for _, line := range l.Lines {
		if line.Check || line.Player != nil || line.Problem == store.ProblemNobody {
			all++
		}
		if !line.Check && (line.Player != nil || line.Problem == store.ProblemNobody) {
			done++
		}
	}
	return p.t("list.checking", locales.Args{
		"Done": number(done), "All": number(all), "Time": locales.HTML(isolate(l.CheckedBy.In(p.zone).Format("15:04:05"))),
	})
}

// shown is the card with its ✅.
func (p Lists) shown(v ListView) Message {
	total, n := v.Total()
	sum, confirm := p.listTotal(v.List)
	head := lines(p.title(v.List), p.sums(v.List), p.Team().lockLine(v.Locked))
	cancel := p.button("button.cancel", act(VerbListDrop, v.ID))
	var keys [][]Button
	switch {
	case n == 0:
		head = lines(head, p.t("list.nothing", nil))
	case v.Above:
		keys = append(keys, row(p.button("button.ask_owner", act(VerbListAsk, v.ID, v.Nonce))))
	default:
		keys = append(keys, row(confirm))
	}
	if n > 0 {
		head = lines(head, sum, p.after(v.List, total))
	}
	switch marked := p.marked(v.List); {
	case marked == 0:
	case v.Marked:
		keys = append(keys, row(p.buttonWith("button.list_unmark", locales.Args{"Lines": locales.HTML(id(marked))}, act(VerbListMarked, v.ID, v.Nonce))))
	default:
		keys = append(keys, row(p.buttonWith("button.list_mark", locales.Args{"Lines": locales.HTML(id(marked))}, act(VerbListMarked, v.ID, v.Nonce, Yes))))
	}
	tail := ""
	if v.Above {
		tail = p.t("ask.above", nil)
	}
	if n > 0 {
		tail = lines(tail, p.t("summary.valid", nil))
	}
	return Message{HTML: lines(head, p.rows(v), p.blank(tail)), Keyboard: append(keys, row(cancel))}
}

// blank is a text behind an empty line, where there is one.
func (p Lists) blank(text string) string {
	if text == "" {
		return ""
	}
	return "\n" + text
}

// marked is how many lines somebody has to look at twice, and may buy all the same.
func (p Lists) marked(l store.List) (n int) {
	for _, line := range l.Lines {
		if line.Problem == "" && line.Mark != "" {
			n++
		}
	}
	return n
}

// after is what is left of the balance, for an owner.
func (p Lists) after(l store.List, total dzd.Amount) string {
	if l.Available == nil || p.reader != ForOwner {
		return ""
	}
	return p.leaves(BalanceView{Available: *l.Available}, total)
}

// sums are the items that are bought, with how many of each.
func (p Lists) sums(l store.List) string {
	type group struct {
		name  string
		units int
		price dzd.Amount
		total dzd.Amount
		own   ledger.Money // what the shop asks for a unit, in the place of the price; 0 where that is shown
	}
	var all []*group
	for i := range l.Lines {
		line := &l.Lines[i]
		if !l.Buys(line) {
			continue
		}
		item := line.Product + " · " + line.Variant
		k := slices.IndexFunc(all, func(g *group) bool { return g.name == item && g.price.Equal(line.Price) })
		if k < 0 {
			own, _ := p.askedInLine(line)
			k, all = len(all), append(all, &group{name: item, price: line.Price, own: own})
		}
		all[k].units, all[k].total = all[k].units+line.Quantity, all[k].total.Add(line.Total)
	}
	var out []string
	for i, g := range all {
		if i == listGroups {
			out = append(out, p.t("list.more_items", locales.Args{"Items": number(len(all) - i)}))
			break
		}
		total := p.t("summary.total", locales.Args{"Quantity": number(g.units), "Price": p.money(g.price), "Total": p.money(g.total)})
		if g.own > 0 {
			total = p.askedTotal(g.units, g.own)
		}
		out = append(out, p.direct(lines(isolate(escape(clean(g.name, listName))), total)))
	}
	return lines(out...)
}

// dropped is why a list was not bought.
func (p Lists) dropped(l store.List) string {
	switch l.Why {
	case store.ReasonExpired:
		if l.Ask != nil {
			return p.t("ask.expired", nil)
		}
		return p.t("status.expired", nil)
	case store.ReasonRefused:
		return p.t("status.refused", nil)
	case store.ReasonRemoved:
		return p.t("status.removed", nil)
	}
	return p.t("status.cancelled", nil)
}

// Request asks an owner for a list above its buyer's limit, and tells later what was decided, and what came of it.
func (p Lists) Request(v ListView) Message {
	if v.Phase != store.ListAsked {
		shown := v
		shown.Ask = nil // who has answered is told above it
		m := p.Card(shown)
		who := p.Approvals().buyer(store.Purchase{Buyer: v.Buyer})
		decided := p.Approvals().decided(store.Purchase{Ask: v.Ask, Reason: v.Why})
		return Message{HTML: lines(who, decided, m.HTML)}
	}
	total, n := v.Total()
	money := ""
	if v.Available != nil {
		money = p.after(v.List, total)
	}
	// The nonce is that of the question, as of a purchase (Approvals.Request): the buyer has had the card's on a button.
	approve := p.buttonWith("button.approve", locales.Args{"Total": locales.HTML(p.Amount(total))}, act(VerbListApprove, v.ID, v.Ask.Nonce))
	return Message{
		HTML: lines(p.t("ask.title", locales.Args{"Name": name(v.Buyer)}), p.title(v.List), p.sums(v.List), p.t("list.total", locales.Args{"Lines": number(n), "Total": p.money(total)}), money,
			p.t("ask.until", locales.Args{"Time": locales.HTML(isolate(p.Time(v.ExpiresAt)))}), p.rows(v)),
		Keyboard: [][]Button{row(approve), row(p.button("button.refuse", act(VerbListRefuse, v.ID, v.Ask.Nonce)))},
	}
}

// Ping is the word that makes the phone ring at the end of a list.
func (p Lists) Ping(v ListView) Message {
	t := tallyOf(v)
	key := "list.ping"
	if t.failed+t.uncertain > 0 {
		key = "list.ping_partly"
	}
	return Message{HTML: p.t(key, locales.Args{"Came": number(t.came), "All": number(t.all)})}
}

// TooMany answers a list that is too long.
func (p Lists) TooMany(n, most int) Message {
	return p.refused("list.too_many", locales.Args{"Lines": number(n), "Most": number(most)})
}

// NoText answers a file that holds no lines of text.
func (p Lists) NoText() Message { return p.refused("list.no_text", nil) }

// TooBig answers a file that is too big to be a list.
func (p Lists) TooBig() Message { return p.refused("list.too_big", nil) }

// NotFetched answers a file that Telegram did not hand over.
func (p Lists) NotFetched() Message { return p.refused("list.not_fetched", nil) }

// Nothing answers a list in which there is nothing to buy.
func (p Lists) Nothing() Message { return p.refused("list.none", nil) }

// refused is why something is no list, and how to write one.
func (p Lists) refused(key string, args locales.Args) Message {
	return Message{HTML: lines(p.t(key, args), p.t("list.how", nil)), Keyboard: [][]Button{row(p.button("button.home", act(VerbHome)))}}
}
