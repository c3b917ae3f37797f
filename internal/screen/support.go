package screen

import (
	"strings"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Support is what people have to take up with the service about a purchase: its facts in one block that is
// copied, or that there is nothing any more. It holds no code.
func (p Purchases) Support(pu store.Purchase, orders []store.Order, account string) Message {
	ref := reference(pu)
	if !pu.NeedsSupport(orders) {
		return Message{
			HTML:     lines(p.t("support.done", locales.Args{"Ref": ref}), p.Refunds().refund(pu, orders, BalanceView{})),
			Keyboard: [][]Button{row(p.button("button.order", act(VerbOrder, pu.ID).fresh()))},
		}
	}
	c := p.concernOf(pu, orders)
	text := strings.Join(p.facts(pu, account, c), "\n")
	m := Message{HTML: lines(c.head, p.Refunds().refundInPart(pu, orders), "<pre>"+escape(text)+"</pre>")}
	if copied := unisolated(text); len([]rune(copied)) <= mostCopied {
		m.Keyboard = [][]Button{row(Button{Text: p.plain("button.copy_all", nil), Copy: copied})}
	}
	return m
}

// concern is what the service has to look at.
type concern struct {
	head       string
	orders     []store.Order
	unrefunded []store.Order // whose refund was not seen
	unread     []store.Order // of whose refund nothing could be read
}

// concernOf is what the service has to look at about a purchase: of all that there is, the gravest kind alone.
func (p Purchases) concernOf(pu store.Purchase, orders []store.Order) concern {
	ref := reference(pu)
	c := concern{
		head: p.t("support.late", locales.Args{"Ref": ref}), orders: orders,
		unrefunded: only(orders, isUnrefunded), unread: only(orders, func(o store.Order) bool { return o.Refund == store.RefundUnread }),
	}
	// What follows writes over it: money that is not back is graver than an order that was not found.
	if pu.Missing > 0 && len(orders) > 0 {
		c.head = p.missing(pu, orders)
	}
	if len(c.unrefunded) > 0 {
		c.orders = c.unrefunded
		c.head = p.t("support.refund", locales.Args{"Ref": ref, "Paid": p.money(paidFor(pu, c.unrefunded))})
	} else if len(c.unread) > 0 {
		c.orders = c.unread
		c.head = p.t("support.refund_unread", locales.Args{"Ref": ref, "Paid": p.money(paidFor(pu, c.unread))})
	} else if waiting := only(orders, func(o store.Order) bool { return o.State == store.Waiting || o.Late }); len(waiting) > 0 {
		c.orders = waiting
	}
	if p.hidesCost(pu) {
		c.head = p.headUnpriced(ref, c.head, c.unrefunded, c.unread)
	}
	return c
}

// facts are the lines of the block that is copied to the service.
func (p Purchases) facts(pu store.Purchase, account string, c concern) []string {
	block := append(p.accountFact(account), p.fact("field.item", strings.Split(clean(pu.Product+" · "+pu.Variant, 80), " · ")...), p.fact("field.bought", p.Time(pu.SentAt)))
	if p.hidesCost(pu) {
		block = append(block, p.fact("field.units", id(pu.Quantity)))
	} else {
		block = append(block, p.costFacts(pu, c)...)
	}
	if pu.Missing > 0 {
		block = append(block, p.fact("field.not_found", p.plain("field.some", locales.Args{"Some": locales.HTML(id(pu.Missing)), "All": locales.HTML(id(pu.Quantity))})))
	}
	// The block has to fit into a message.
	for _, o := range c.orders[:min(len(c.orders), mostInText)] {
		block = append(block, p.fact("field.order", clean(o.ServiceID(), 80)))
		if o.Other != "" {
			block = append(block, p.fact("field.transaction", clean(o.Other, 80)))
		}
		if status := clean(o.Status, 80); status != "" {
			block = append(block, p.fact("field.status", status))
		}
	}
	return block
}

// costFacts are the lines about money: what a purchase cost, and how much of that has not come back.
func (p Purchases) costFacts(pu store.Purchase, c concern) []string {
	paid := "field.paid"
	if pu.MissesPaid() && !pu.PaidAll {
		paid = "field.ordered" // how much of it was charged is not known
	}
	block := []string{p.line(paid, p.paid(pu))}
	switch {
	case len(c.unrefunded) > 0:
		return append(block, p.fact("field.not_refunded", p.Amount(paidFor(pu, c.unrefunded))))
	case len(c.unread) > 0:
		return append(block, p.fact("field.refund_unread", p.Amount(paidFor(pu, c.unread))))
	}
	return block
}

// accountFact is the line about the account, where it is known. Of one without a name it is the sign that tells it from others: the
// word for an account stands before it already.
func (p Purchases) accountFact(account string) []string {
	if account = clean(account, 80); account == "" {
		return nil
	}
	return []string{p.fact("field.account", account)}
}

// headUnpriced is the head of what is taken up with the service, for who is not to see what it is about cost.
func (p Purchases) headUnpriced(ref locales.HTML, head string, missing, unread []store.Order) string {
	switch {
	case len(missing) > 0:
		return p.t("support.unrefunded", locales.Args{"Ref": ref})
	case len(unread) > 0:
		return p.t("support.refund_unsure", locales.Args{"Ref": ref})
	}
	return head
}

// fact is a line of a block that is copied, with the parts of what it tells.
func (p Purchases) fact(key string, parts ...string) string {
	// Each part is isolated by itself: the outer pair opens the first and closes the last, and what joins them closes one and opens the
	// next.
	return p.line(key, isolate(strings.Join(parts, pdi+" · "+fsi)))
}

// line is a line of such a block with what it tells, isolated already.
func (p Purchases) line(key, value string) string {
	return p.plain("field.line", locales.Args{"Name": locales.HTML(p.plain(key, nil)), "Value": locales.HTML(value)})
}

// paid is what a whole purchase cost, whichever of its orders are known, for a line: as it is told everywhere else.
func (p Purchases) paid(pu store.Purchase) string {
	switch {
	case pu.Charged != nil:
		return isolate(p.Amount(*pu.Charged))
	case pu.Quantity > 1:
		return isolate(id(pu.Quantity)) + " × " + isolate(p.Amount(pu.Price)) + " = " + isolate(p.Amount(pu.Total))
	}
	return isolate(p.Amount(pu.Total))
}
