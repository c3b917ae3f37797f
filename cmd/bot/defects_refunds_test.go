package main

// refundDefects take out, one by one, what keeps the bot from telling of a refund what nobody knows.
func refundDefects() []defect {
	return chargedRefundDefects()
}

// chargedRefundDefects compare what comes back with what was shown instead of what was charged.
func chargedRefundDefects() []defect {
	const refunds, wallet = "internal/purchase/refunds.go", "internal/purchase/wallet.go"
	return []defect{
		{
			name:   "refunds: what was shown is what comes back",
			file:   refunds,
			old:    `append(amounts, p.PaidFor(o))`,
			new:    `append(amounts, p.Price)`,
			breaks: "money that is back is told as missing, and hides that as much was charged for the next purchase",
			holds:  nothingFalse,
			by:     "./cmd/bot -run TestRefundOfWhatWasCharged",
		},
		{
			name:   "refunds: what may come back unseen is what was shown",
			file:   wallet,
			old:    `hope{p.ID, p.PaidFor(o)}`,
			new:    `hope{p.ID, p.Price}`,
			breaks: "what is back before anybody knows that the order failed is told as missing",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestRefundOfWhatWasCharged",
		},
		{
			name:   "refunds: what was shown may go again",
			file:   wallet,
			old:    `		At: at, Amount: dzd.Amount{}.Sub(p.PaidFor(o)), Purchase`,
			new:    `		At: at, Amount: dzd.Amount{}.Sub(p.Price), Purchase`,
			breaks: "a thief is accused of what an order that has not failed after all was charged",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestRefundOfWhatWasCharged",
		},
		{
			name:   "refunds: support is told what was shown",
			file:   "internal/conversations/screen/account.go",
			old:    `	if pu.Charged == nil {`,
			new:    `	if pu.Charged != nil || pu.Charged == nil {`,
			breaks: "people claim another sum than they have paid",
			holds:  nothingFalse,
			by:     "./cmd/bot -run TestRefundOfWhatWasCharged",
		},
	}
}
