//go:build defects

package proof

// followDefects are mistakes in how orders are followed where the service shows them at one place and not at another,
// or changes its word.
func followDefects() []defect {
	return []defect{
		{
			name:   "what a batch leaves out is not asked for by itself",
			file:   "internal/notify/poll_apart.go",
			old:    `	shown, unshown, failed := p.askEach(ctx, s, q.service, orders)`,
			new:    `	shown, unshown, failed := p.askEach(ctx, s, q.service, orders[:0])`,
			breaks: "codes that the call for one order shows never arrive",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestWhatABatchLeavesOut",
		},
		{
			name:   "a code that a batch leaves out is waited for there",
			file:   "internal/api/status.go",
			old:    `		return topup || !o.Notes.IsZero()`,
			new:    `		return true`,
			breaks: "an order is called done without its code, which is there",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestACodeThatABatchLeavesOut",
		},
		{
			name: "a batch that fails is a service that fails",
			file: "internal/notify/poll_apart.go",
			old: `	if batchErr != nil && !mayBeBatch(ctx, batchErr) {
`,
			new: `	if batchErr != nil {
`,
			breaks: "no code arrives while one endpoint is broken",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestABatchThatNeverAnswers",
		},
		{
			name:   "an order that gets no answer is asked for first again",
			file:   "internal/notify/poll_apart.go",
			old:    `firstRest                       = 2 * time.Second`,
			new:    `firstRest                       = time.Millisecond`,
			breaks: "one order holds up all others of its account",
			holds:  liveness,
			by:     "./internal/notify -run TestOneBadOrderHidesNoOther",
		},
		{
			name: "a look of somebody believes a batch without its codes",
			file: "internal/purchase/look.go",
			old: `	return shown.Clear(o.Topup)
`,
			new: `	return true
`,
			breaks: "a look says that there is nothing new where the code is",
			holds:  sentIsSeen,
			by:     "./internal/purchase -run TestLook",
		},
		{
			name: "what was delivered is not looked at any more",
			file: "internal/purchase/outcome.go",
			old: `	case o.Rechecked:
		return recheckAt(o, at)`,
			new: `	case o.Rechecked:
		return time.Time{}`,
			breaks: "an order that the service calls failed, and pays back, goes on being called delivered",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestADeliveryIsRechecked",
		},
		{
			name: "each delivered order is looked at in its own moment",
			file: "internal/purchase/outcome.go",
			old: `			return due.Add(-phase).Truncate(every).Add(every + phase)
`,
			new: `			_ = phase
			return due
`,
			breaks: "a shop that sells much spends its budget on what is done",
			holds:  "orders of an account are rechecked together",
			by:     "./internal/notify -run TestRechecksTravelTogether",
		},
		{
			name: "owners are not told that what was delivered has failed",
			file: "internal/purchase/settle.go",
			old: `	if c.undone {
`,
			new: `	if c.undone && c.recoded {
`,
			breaks: "who answers for the money does not hear of it",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestWhatWasDeliveredFails",
		},
		{
			name:   "rechecks count as orders that are waited for",
			file:   "internal/store/order.go",
			old:    `return !o.Due.IsZero() && !o.Rechecked`,
			new:    `return !o.Due.IsZero()`,
			breaks: "the key of an unlinked account is kept, and a refused one is told to hold up paid orders",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestADeliveryIsRechecked",
		},
		{
			name:   "rechecks take the budget of what is waited for",
			file:   "internal/notify/poll_schedule.go",
			old:    `budget.Has(budget.Most/2)`,
			new:    "budget.Has(1)",
			breaks: "codes come later than they could",
			holds:  liveness,
			by:     "./internal/notify -run TestRechecksWait",
		},
		{
			name: "what was bought after a copy is known by its time alone",
			file: "internal/purchase/frozen.go",
			old: `	case !at.IsZero() && at.Before(linked.Add(-api.FarthestZone)):
`,
			new: `	case at.Before(linked):
`,
			breaks: "after a restore nobody hears of orders that were paid since the copy",
			holds:  sentIsSeen,
			by:     "./internal/purchase -run TestIsOrphan",
		},
		{
			name:   "an old order without its time is one that nobody knows",
			file:   "internal/purchase/frozen.go",
			old:    `		if known[j] && isNewer(rows, j, i) {`,
			new:    `		if known[j] && rows[j].ID == rows[i].ID {`,
			breaks: "owners are shown years of what they bought elsewhere",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestIsOrphan",
		},
		{
			name:   "a failed order that is still followed cannot be looked at",
			file:   "internal/screen/status.go",
			old:    `o.Refund != store.RefundSeen || !o.Due.IsZero()`,
			new:    `o.Refund != store.RefundSeen`,
			breaks: "nobody can ask for the code of an order whose money seemed to be back",
			holds:  liveness,
			by:     "./internal/screen -run TestMayChange",
		},
		{
			name:   "an order that the service shows nowhere is on its way",
			file:   "internal/purchase/outcome.go",
			old:    `	goneAfter = time.Hour`,
			new:    `	goneAfter = 10000 * time.Hour`,
			breaks: "people wait for codes of an order that was cancelled and paid back",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestAnOrderThatVanishes",
		},
		{
			name: "what a batch leaves out is gone",
			file: "internal/notify/poll_apart.go",
			old: `return !slices.Contains(unshown, o.ID) })
`,
			new: `return slices.Contains(shown, "") })
`,
			breaks: "an order that the service shows by itself is said to be shown no more",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestGoneIsNowhere",
		},
	}
}
