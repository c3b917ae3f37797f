package screen

import (
	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// Asking is the printer for somebody who works in a shop and does not own it: of what the shop has a price of its own for, that
// stands in the place of what it costs, everywhere, unless the owners let them see the cost. A shop without prices hides nothing.
func (p Printer) Asking(own store.Prices) Printer {
	p.asks = hiding(own)
	return p
}

// AskingElsewhere is the printer for somebody who has bought for another shop too: what was bought under its account stands there by the prices of
// that shop, and not of the one at hand. Zero Prices are for who owns it.
func (p Printer) AskingElsewhere(account string, own store.Prices) Printer {
	// The printer that this one was taken of has the same map.
	all := map[string]*pricing.Rules{account: hiding(own)}
	for other, rules := range p.elsewhere {
		if other != account {
			all[other] = rules
		}
	}
	p.elsewhere = all
	return p
}

// hiding is the prices that stand in the place of what things cost; nil where the cost is shown.
func hiding(own store.Prices) *pricing.Rules {
	if !own.HidesCost() {
		return nil
	}
	return &own.Rules // own is this call's copy
}

// ItemOf is something that is sold, as rules know it.
func ItemOf(p api.Product, v api.Variant) pricing.Item {
	return pricing.ItemOf(p.CategoryID, p.ID, v.ID, v.Plan, ledger.Of(v.Price), ledger.Of(v.Sells))
}

// asked is what the shop asks for a unit, where that stands in the place of its cost; false where the cost is shown.
func (p Printer) asked(i pricing.Item) (ledger.Money, bool) { return price(p.asks, i) }

// askedFor is asked for a unit of a purchase with one price of the service, by the shop that it was bought for.
func (p Printer) askedFor(pu store.Purchase, cost dzd.Amount) (ledger.Money, bool) {
	return price(p.asksFor(pu), store.PricedItem(pu, ledger.Of(cost)))
}

// isElsewhere reports whether a purchase is of another shop than the one at hand.
func (p Printer) isElsewhere(pu store.Purchase) bool {
	_, is := p.elsewhere[pu.Account]
	return is
}

// asksFor is what the shop of a purchase asks, where that stands in the place of what things cost; nil where the cost is shown.
func (p Printer) asksFor(pu store.Purchase) *pricing.Rules {
	if rules, ok := p.elsewhere[pu.Account]; ok {
		return rules
	}
	return p.asks
}

// price is what rules ask for an item, where there are any.
func price(rules *pricing.Rules, i pricing.Item) (ledger.Money, bool) {
	if rules == nil {
		return 0, false
	}
	q, ok := rules.For(i)
	return q.Price, ok
}

// askedInLine is asked for a unit of a line of a list.
func (p Printer) askedInLine(l *store.ListLine) (ledger.Money, bool) {
	return p.asked(pricing.ItemOf(l.Category, l.ProductID, l.VariantID, l.Plan, ledger.Of(l.Price), ledger.Of(l.Sells)))
}

// hidesCost reports whether the reader is not to see what a purchase has cost.
func (p Printer) hidesCost(pu store.Purchase) bool {
	_, asked := p.askedFor(pu, pu.Price)
	return p.costless || asked
}

// askedTotal is what the shop asks for some units. It is called by that name, since it is not what the wallet pays.
func (p Printer) askedTotal(units int, each ledger.Money) string {
	if units == 1 {
		return p.t("prices.own", locales.Args{"Price": p.booked(each)})
	}
	return p.t("sale.own_all", locales.Args{"Count": number(units), "Price": p.booked(each), "Total": p.booked(each * ledger.Money(units))})
}

// confirmKey is the button that buys: it names what is paid, or the shop's own price as that.
func (p Purchases) confirmKey(pu store.Purchase) Button {
	to := act(VerbConfirm, pu.ID, pu.Nonce)
	if each, ok := p.askedFor(pu, pu.Price); ok {
		return p.buttonWith("button.confirm_own", locales.Args{"Total": p.booked(each * ledger.Money(pu.Quantity))}, to)
	}
	return p.buttonWith("button.confirm", locales.Args{"Total": locales.HTML(p.Amount(pu.Total))}, to)
}

// changed says that a price is another one than was shown: the service's, or, for who does not see that, the shop's own.
func (p Purchases) changed(pu store.Purchase, was *dzd.Amount) string {
	if was == nil || was.Equal(pu.Price) {
		return ""
	}
	if is, ok := p.askedFor(pu, pu.Price); ok {
		before, had := p.askedFor(pu, *was)
		if !had || before == is {
			return ""
		}
		return p.t("summary.changed", locales.Args{"Was": p.booked(before)})
	}
	return p.t("summary.changed", locales.Args{"Was": p.money(*was)})
}

// paysCost says, beside the shop's own price, that the wallet pays another.
func (p Purchases) paysCost(pu store.Purchase) string {
	if _, ok := p.askedFor(pu, pu.Price); ok {
		return p.t("summary.pays_cost", nil)
	}
	return ""
}

// listTotal is what the lines of a list come to, for its text and for its button.
func (p Lists) listTotal(l store.List) (text string, confirm Button) {
	total, n := l.Total()
	to := act(VerbListConfirm, l.ID, l.Nonce)
	own, all, some := p.askedList(l)
	if !some {
		return p.t("list.total", locales.Args{"Lines": number(n), "Total": p.money(total)}),
			p.buttonWith("button.list_confirm", locales.Args{"Lines": locales.HTML(id(n)), "Total": locales.HTML(p.Amount(total))}, to)
	}
	text = lines(p.t("list.total_own", locales.Args{"Lines": number(n), "Total": p.booked(own)}), p.t("summary.pays_cost", nil))
	if !all {
		text = lines(text, p.t("list.some_own", nil))
	}
	return text, p.buttonWith("button.list_confirm_own", locales.Args{"Lines": locales.HTML(id(n)), "Total": p.booked(own)}, to)
}

// askedList is what the shop asks for the lines of a list that are bought, with what those cost that it has no price for; whether it
// has one for all of them, and for some.
func (p Lists) askedList(l store.List) (total ledger.Money, all, some bool) {
	all = true
	for i := range l.Lines {
		line := &l.Lines[i]
		if !l.Buys(line) {
			continue
		}
		each, ok := p.askedInLine(line)
		if !ok {
			total, all = total+ledger.Of(line.Total), false
			continue
		}
		total, some = total+each*ledger.Money(line.Quantity), true
	}
	return total, all, some
}

// refundUnpriced tells of the units that failed what refund tells, to who is not to see what they have cost.
func (p Refunds) refundUnpriced(orders []store.Order) string {
	var out []string
	for state, failed := range byRefund(orders) {
		text := p.refundWord(state)
		if len(failed) < len(orders) {
			text = p.t("refund.part", locales.Args{"Units": number(len(failed)), "All": number(len(orders)), "Text": locales.HTML(text)})
		}
		out = append(out, text)
	}
	return lines(out...)
}

// refundWord is what became of some money, without how much it is.
func (p Refunds) refundWord(state store.RefundState) string {
	switch state {
	case store.RefundWaiting:
		return p.t("refund.awaited", nil)
	case store.RefundSeen:
		return p.t("refund.seen", nil)
	case store.RefundLikely:
		return p.t("refund.likely", nil)
	case store.RefundUntaken:
		return p.t("refund.untaken", nil)
	case store.RefundUnread:
		return p.t("refund.unread", nil)
	case store.RefundMissing:
		return p.t("refund.missing", nil)
	case store.RefundUnseen:
		return p.t("refund.unseen", nil)
	}
	return p.t("refund.unread", nil) // as refundState
}
