//go:build defects

package proof

import "slices"

// refundDefects take out, one by one, what keeps the bot from telling of a refund what nobody knows.
func refundDefects() []defect {
	return slices.Concat(chargedRefundDefects(), unreadRefundDefects(), summedRefundDefects())
}

// chargedRefundDefects compare what comes back with what was shown instead of what was charged.
func chargedRefundDefects() []defect {
	const refunds, wallet = "internal/purchase/refunds.go", "internal/purchase/wallet.go"
	return []defect{
		{
			name:   "what was given back unseen is missed beside a later purchase",
			file:   "internal/purchase/refunds.go",
			old:    `	return change.IsZero() || likeliest(`,
			new:    `	return change.IsZero() || false && likeliest(`,
			breaks: "people are sent to the support for money that they have",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestTakenAndGivenBackUnseen",
		},
		{
			name:   "the phone rings for a refund that is awaited, whatever is known of it",
			file:   "internal/screen/codes.go",
			old:    `		return Message{HTML: p.t("ping.failed_money", ref)}`,
			new:    `		return Message{HTML: p.t("ping.failed", ref)}`,
			breaks: "a refund is said to be awaited above a message that says it cannot be told, or is not missing",
			holds:  nothingFalse,
			by:     "./internal/conversations -run TestRefundBesideAnotherPurchase",
		},
		{
			name:   "what nothing explains hides no refund",
			file:   "internal/purchase/refunds.go",
			old:    ` && !isUnaccounted(a.Wallet) && !madeUp && !a.OutsideAt.After(o.ReadyAt)`,
			new:    ` && !madeUp`,
			breaks: "a refund that came beside somebody else's purchase is called missing, and support is asked for it",
			holds:  nothingFalse,
			by:     "./internal/conversations -run TestRefundBesideAnotherPurchase",
		},
		{
			name:   "refunds: what was shown is what comes back",
			file:   refunds,
			old:    `append(amounts, p.PaidFor(o))`,
			new:    `append(amounts, p.Price)`,
			breaks: "money that is back is told as missing, and hides that as much was charged for the next purchase",
			holds:  nothingFalse,
			by:     "./internal/notify ./internal/purchase -run TestRefundOfWhatWasCharged",
		},
		{
			name:   "refunds: what may come back unseen is what was shown",
			file:   "internal/purchase/reading.go",
			old:    `pendingPrice{p.ID, p.PaidFor(o)}`,
			new:    `pendingPrice{p.ID, p.Price}`,
			breaks: "what is back before anybody knows that the order failed is told as missing",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestRefundOfWhatWasCharged",
		},
		{
			name:   "refunds: what was shown may go again",
			file:   "internal/purchase/refunds.go",
			old:    `	cost, due := dzd.Amount{}.Sub(p.PaidFor(o)),`,
			new:    `	cost, due := dzd.Amount{}.Sub(p.Price),`,
			breaks: "a thief is accused of what an order that has not failed after all was charged",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestRefundOfWhatWasCharged",
		},
		{
			name:   "refunds: support's facts are not isolated",
			file:   "internal/screen/support.go",
			old:    `isolate(strings.Join(parts, pdi+" · "+fsi))`,
			new:    `strings.Join(parts, " · ")`,
			breaks: "in Arabic the amounts that support is sent stand in another order",
			holds:  nothingFalse,
			by:     "./internal/screen -run TestScreensAreSound",
		},
		{
			name:   "refunds: support is told what was shown",
			file:   "internal/screen/account.go",
			old:    `	if pu.Charged == nil && !pu.HoldsSeveral() {`,
			new:    `	if pu.Charged != nil || pu.Charged == nil {`,
			breaks: "people claim another sum than they have paid",
			holds:  nothingFalse,
			by:     "./internal/notify ./internal/purchase -run TestRefundOfWhatWasCharged",
		},
	}
}

// unreadRefundDefects tell of a refund that nobody could see, or that nobody looks for any more.
func unreadRefundDefects() []defect {
	const refunds, accounts, wallet = "internal/purchase/refunds.go", "internal/purchase/accounts.go", "internal/purchase/wallet.go"
	return []defect{
		{
			name:   "refunds: one figure of the balance is the wallet",
			file:   accounts,
			old:    `if failed != nil || b.Lacks {`,
			new:    `if failed != nil {`,
			breaks: "money that the service holds is told as back, and as stolen with the next whole answer",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestLackingBalanceMovesNothing",
		},
		{
			name:   "refunds: a balance that cannot be read shows that nothing came",
			file:   refunds,
			old:    `	case read:`,
			new:    `	case read || age > 0:`,
			breaks: "money that is back is told as missing by who has not looked",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestBalanceNeverWhole",
		},
		{
			name:   "refunds: what came before the first whole reading did not come",
			file:   refunds,
			old:    `!a.Wallet.Began.After(o.ReadyAt) && `,
			new:    ``,
			breaks: "money that is back is told as missing",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestBalanceNeverWhole",
		},
		{
			name:   "refunds: what no reading shows is kept for ever",
			file:   wallet,
			old:    `a.Wallet.Expected = newest(append(slices.Clone(a.Wallet.Expected), store.Expected{`,
			new:    `a.Wallet.Expected = slices.Clip(append(slices.Clone(a.Wallet.Expected), store.Expected{`,
			breaks: "an account whose balance never comes whole grows with each purchase",
			holds:  "what is kept has a limit",
			by:     "./internal/purchase -run TestLackingBalanceKeepsLittle",
		},
		{
			name:   "refunds: they are looked for a day",
			file:   "internal/purchase/refunds.go",
			old:    `	refundLife = followFor `,
			new:    `	refundLife = refundedFor `,
			breaks: "money that is back after a day and an hour is told as missing",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefundAfterDays",
		},
		{
			name:   "refunds: nobody says that they are looked for no more",
			file:   refunds,
			old:    `		return store.RefundUnseen`,
			new:    `		return o.Refund`,
			breaks: "people wait for what nobody looks for",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefundAfterDays",
		},
	}
}

// summedRefundDefects recognise a refund by its amount alone, or see it in money that is something else.
func summedRefundDefects() []defect {
	const refunds, wallet, screen = "internal/purchase/refunds.go", "internal/purchase/wallet.go", "internal/screen/purchase.go"
	return []defect{
		{
			name:   "refunds: what comes in parts or with more is none",
			file:   refunds,
			old:    `	case o.Came.Left.Sign() > 0 && !o.Came.Left.Less(amount):`,
			new:    `	case o.Came.Left.Equal(amount) && age < 0:`,
			breaks: "money that is back is told as missing for ever",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefundIsInWhatCame",
		},
		{
			name:   "refunds: any money that comes is one",
			file:   refunds,
			old:    `	case o.Came.Left.Sign() > 0 && !o.Came.Left.Less(amount):`,
			new:    `	case o.Came.Left.Sign() > 0:`,
			breaks: "less than what was paid is told as the refund",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefundIsInWhatCame",
		},
		{
			name:   "refunds: what is not explained yet is nothing",
			file:   refunds,
			old:    `open.Sign() > 0 && `,
			new:    `open.Sign() > 1 && `,
			breaks: "money that is back in parts is told as missing for an hour",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefundIsInWhatCame",
		},
		{
			name:   "refunds: one sum is the refund of every order",
			file:   refunds,
			old:    `			share(waiting, i, amounts[i])`,
			new:    `			share(waiting[:i+1], i, amounts[i])`,
			breaks: "money that is missing is told as back",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefundsShareWhatCame",
		},
		{
			name:   "refunds: what a purchase cost less is in them",
			file:   wallet,
			old:    `	if amount.Sign() > 0 {` + "\n\t\tif err := noteInflow(",
			new:    `	if amount.IsZero() {` + "\n\t\tif err := noteInflow(",
			breaks: "money that is missing is told as back",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestCheaperIsNoRefund",
		},
		{
			name:   "refunds: what came is what was paid",
			file:   "internal/screen/refunds.go",
			old:    `"Came": p.money(most.Came.Sum)`,
			new:    `"Came": p.money(most.Came.Sum.Sub(most.Came.Sum).Add(paidFor(pu, some)))`,
			breaks: "another figure is told than the balance has risen by",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefundIsInWhatCame",
		},
		{
			name:   "refunds: one that is likely is looked for no more",
			file:   refunds,
			old:    `age >= refundLife {` + "\n\t\t\ta.Refunds",
			new:    `age >= refundLife || o.Refund == store.RefundLikely {` + "\n\t\t\ta.Refunds",
			breaks: "the refund that comes after somebody's top-up is money from nowhere",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefundInWhatCameThenExactly",
		},
	}
}
