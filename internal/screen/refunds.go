package screen

import (
	"iter"
	"slices"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
	"resellerbot/locales"
)

// reason is why a purchase was refused.
func (p Refunds) reason(pu store.Purchase, b BalanceView) string {
	if pu.Phase != store.Rejected {
		return ""
	}
	class := classNamed(pu.Reason)
	switch {
	// Where the balance pays for it by now, the figures would contradict the reason.
	case class == api.Funds && b.Known && b.Available.Less(pu.Total) && !p.hidesCost(pu):
		return lines(p.Failures().why(class, 0), p.shortfall(b.Available, pu.Total))
	case class == api.Invalid:
		if fields := p.Failures().fields(pu.Fields, pu.Inputs); fields != "" {
			return p.t("why.invalid_fields", locales.Args{"Fields": fields})
		}
		if len(pu.Inputs) == 0 {
			return p.t("why.invalid_order", nil)
		}
	}
	return p.Failures().why(class, 0)
}

// classNamed is the class of a stored reason.
func classNamed(reason string) api.Class {
	// They are the first and the last of the classes; a reason of a version after this one is told as an internal failure.
	for c := api.Internal; c <= api.NotOffered; c++ {
		if c.String() == reason {
			return c
		}
	}
	return api.Internal
}

// refund tells of the units that failed: what was paid for them, and whether the money is back.
func (p Refunds) refund(pu store.Purchase, orders []store.Order, b BalanceView) string {
	if p.costless { // what comes back is what it has cost, and goes to no till
		return ""
	}
	if p.hidesCost(pu) {
		return p.refundUnpriced(orders)
	}
	var out []string
	// Those of inSum are told below, as one sum.
	for state, failed := range byRefund(only(orders, func(o store.Order) bool { return !inSum(o) })) {
		paid := locales.Args{"Paid": p.money(paidFor(pu, failed))}
		if len(failed) < len(orders) {
			paid["Units"], paid["All"] = number(len(failed)), number(len(orders))
		}
		out = append(out, p.refundState(state, paid))
	}
	for _, sum := range []string{p.refundInSum(pu, orders), p.refundInPart(pu, orders)} {
		if sum != "" {
			out = append(out, sum)
		}
	}
	if len(out) > 0 && b.Known {
		// The message stays, and the balance goes on: what it says is true of the moment that it names.
		args := locales.Args{"Balance": p.money(b.Available), "Time": locales.HTML(isolate(p.Time(b.At)))}
		out = append(out, lines(p.t("status.balance", args), p.lacks(b.Lacks)))
	}
	return lines(out...)
}

// byRefund are the failed ones of some orders, by what became of their money, in the order of the telling.
func byRefund(orders []store.Order) iter.Seq2[store.RefundState, []store.Order] {
	return func(yield func(store.RefundState, []store.Order) bool) {
		for _, state := range store.RefundStates() {
			if failed := only(orders, func(o store.Order) bool { return o.Refund == state }); len(failed) > 0 && !yield(state, failed) {
				return
			}
		}
	}
}

// inSum reports whether the refund of an order is likely to be in what came from outside.
func inSum(o store.Order) bool { return o.Refund == store.RefundLikely && !o.Came.Sum.IsZero() }

// refundInSum tells of refunds that are likely to be in what came from outside: how much that was, and what was paid.
func (p Refunds) refundInSum(pu store.Purchase, orders []store.Order) string {
	some := only(orders, inSum)
	if len(some) == 0 {
		return ""
	}
	// Each order counts what has come since it failed: the greatest sum holds those of the others.
	most := slices.MaxFunc(some, func(a, b store.Order) int { return a.Came.Sum.Cmp(b.Came.Sum) })
	return p.t("status.refund_in_sum", locales.Args{"Came": p.money(most.Came.Sum), "Paid": p.money(paidFor(pu, some))})
}

// refundInPart tells of refunds that were not seen, while less than they are came from outside.
func (p Refunds) refundInPart(pu store.Purchase, orders []store.Order) string {
	some := only(orders, func(o store.Order) bool { return isUnrefunded(o) && o.Came.Left.Sign() > 0 })
	if len(some) == 0 || p.hidesCost(pu) {
		return ""
	}
	most := slices.MaxFunc(some, func(a, b store.Order) int { return a.Came.Left.Cmp(b.Came.Left) })
	return p.t("status.refund_in_part", locales.Args{"Came": p.money(most.Came.Left), "Paid": p.money(paidFor(pu, some))})
}

// isUnrefunded reports whether the refund of an order should have been seen, and was not.
func isUnrefunded(o store.Order) bool {
	return o.Refund == store.RefundMissing || o.Refund == store.RefundUnseen
}

// refundState is what became of some money: of what the whole purchase cost, or, where units are named, of what these did. RefundWaiting has
// no case: a state that has none either would be told as one that is awaited. refundWord has the same states.
func (p Refunds) refundState(state store.RefundState, paid locales.Args) string {
	_, part := paid["Units"]
	switch {
	case part && state == store.RefundSeen:
		return p.t("status.refund_seen_part", paid)
	case part && state == store.RefundLikely:
		return p.t("status.refund_likely_part", paid)
	}
	switch state {
	case store.RefundWaiting:
		return p.t("status.refund", paid)
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
	return p.t("status.refund_unread", paid) // of a state without a text nothing is promised
}
