package screen

import (
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// tally is what became of the lines that are bought.
type tally struct{ all, done, came, waiting, failed, uncertain int }

// tallyOf counts the lines of a list.
func tallyOf(v ListView) (t tally) {
	for i := range v.Lines {
		line := &v.Lines[i]
		if !v.Buys(line) {
			continue
		}
		t.all++
		b, bought := v.of(*line)
		ready, failed := count(b.Orders)
		switch {
		// Neither bought nor left out: its turn is still to come.
		case !bought && line.Left == "":
			continue
		case !bought, b.Phase == store.Rejected, b.Phase == store.Dropped, b.Phase == store.NotCreated:
			t.failed++
		case b.Phase == store.Unknown, b.Phase == store.Undecided:
			t.uncertain++
		// One unit that failed is enough: what came is no whole line, and somebody has to look at it.
		case failed > 0 && ready+failed == len(b.Orders):
			t.failed++
		case line.Done:
			t.came++
		default:
			t.waiting++
			continue
		}
		t.done++
	}
	return t
}

// bought is the card of a list that was confirmed.
func (p Lists) bought(v ListView) Message {
	t := tallyOf(v)
	sum, _ := p.listTotal(v.List)
	filled := 0
	if t.all > 0 {
		filled = t.done * barCells / t.all
	}
	bar := p.direct(isolate("📋 " + strings.Repeat("▓", filled) + strings.Repeat("░", barCells-filled) + " " + id(t.done) + "/" + id(t.all)))
	counts := p.direct(strings.Join([]string{"🎉 " + string(number(t.came)), "⏳ " + string(number(t.all-t.came-t.failed-t.uncertain)), "❌ " + string(number(t.failed)), "❓ " + string(number(t.uncertain))}, " · "))
	if v.Phase == store.ListBuying {
		about := ""
		if v.Why != "" {
			about = p.stopped(v.List)
		}
		waits := p.noAnswer(v)
		about = lines(about, waits)
		var keys [][]Button
		if v.Next() != nil || waits != "" {
			var behind string
			behind, keys = p.behind(v.Behind)
			about, keys = lines(about, behind), append(keys, row(p.button("button.list_stop", act(VerbListStop, v.ID))))
		}
		return Message{HTML: lines(bar, counts, about, p.sums(v.List), sum, p.rows(v)), Keyboard: keys}
	}
	head := p.t("list.ended", locales.Args{"Came": number(t.came), "All": number(t.all)})
	about := ""
	if v.Why != "" {
		about = p.stopped(v.List)
	}
	if t.uncertain > 0 {
		about = lines(about, p.t("list.uncertain", nil))
	}
	if p.hides() && v.hasCodes() { // no file brings them here
		about = lines(about, p.t("list.hidden", nil))
	}
	return Message{HTML: lines(head, counts, about, p.approval(v.List), p.sums(v.List), p.spent(v), p.traded(v), p.rows(v)), Keyboard: append(p.tradeKeys(v), p.againKeys(v)...)}
}

// hasCodes reports whether codes have come for a list.
func (v ListView) hasCodes() bool {
	for _, b := range v.Bought {
		if store.CountCodes(b.Orders) > 0 {
			return true
		}
	}
	return false
}

// noAnswer tells that a line waits for a service that does not answer, and until when; "" where none does.
func (p Lists) noAnswer(v ListView) string {
	for _, line := range v.Lines {
		if b, ok := v.of(line); ok && b.Phase == store.Queued && b.Reason == store.ReasonOutage {
			return p.t("list.no_answer", locales.Args{"Time": locales.HTML(isolate(p.Time(b.TurnBy)))})
		}
	}
	return ""
}

// behind names the uncertain purchase that the next line waits for, until when it is looked for, and an owner's way past it.
func (p Lists) behind(first *store.Purchase) (string, [][]Button) {
	if first == nil {
		return "", nil
	}
	help, keys := p.Purchases().letGo(*first)
	return lines(p.Purchases().behind(*first, "list.behind"), help), keys
}

// approval tells which owner has decided on a list.
func (p Lists) approval(l store.List) string {
	return p.Approvals().approval(store.Purchase{Ask: l.Ask})
}

// spent is what was paid for what was bought by a list, without what came back.
func (p Lists) spent(v ListView) string {
	if _, _, own := p.askedList(v.List); own {
		return "" // what was paid is not for the reader
	}
	var sum dzd.Amount
	for _, line := range v.Lines {
		b, ok := v.of(line)
		// Of an uncertain line nobody knows whether it was paid: it counts once that is decided.
		if !ok || b.Phase != store.Settled && b.Phase != store.Accepted {
			continue
		}
		cost := b.Total
		if b.Charged != nil {
			cost = *b.Charged
		}
		sum = sum.Add(cost).Sub(paidFor(b.Purchase, b.back()))
	}
	return p.t("list.paid", locales.Args{"Total": p.money(sum)})
}

// stopped is why nothing more of a list is sent.
func (p Lists) stopped(l store.List) string {
	return p.t("list.stopped", locales.Args{"Why": locales.HTML(p.left(l.Why))})
}

// Held tells that none of the lines which the service refused is offered again yet: their money does not show to be there. from is when that
// may be seen, by is when it is known at the latest; both are zero where nobody can tell.
func (p Lists) Held(id string, n int, from, by time.Time) Message {
	return Message{
		HTML:     lines(p.texts.N("list.held", n, nil), p.heldUntil(from, by)),
		Keyboard: [][]Button{row(p.button("button.again", act(VerbListAgain, id))), row(p.button("button.home", act(VerbHome)))},
	}
}

// againKeys are the way on from a list that is over.
func (p Lists) againKeys(v ListView) [][]Button {
	on := row(p.button("button.home", act(VerbHome).fresh()))
	if p.hides() && v.hasCodes() {
		on = row(p.button("button.orders", act(VerbOrders, "").fresh()), on[0])
	}
	if n := len(v.Again()); n > 0 && p.buys() {
		return [][]Button{row(p.buttonWith("button.list_again", locales.Args{"Lines": locales.HTML(id(n))}, act(VerbListAgain, v.ID).fresh())), on}
	}
	return [][]Button{on}
}
