package main

// followDefects are mistakes in how orders are followed where the service shows them at one place and not at another,
// or changes its word.
func followDefects() []defect {
	return []defect{
		{
			name:   "what a batch leaves out is not asked for by itself",
			file:   "internal/notify/poll_apart.go",
			old:    `	shown, unshown := p.askEach(ctx, b, q.service, orders)`,
			new:    `	shown, unshown := p.askEach(ctx, b, q.service, orders[:0])`,
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
			old: `	if batch != nil && !mayBeBatch(ctx, batch) {
`,
			new: `	if batch != nil {
`,
			breaks: "no code arrives while one endpoint is broken",
			holds:  sentIsSeen,
			by:     "./internal/notify -run TestABatchThatNeverAnswers",
		},
		{
			name:   "an order that gets no answer is asked for first again",
			file:   "internal/notify/poll_apart.go",
			old:    `	firstRest = 2 * time.Second`,
			new:    `	firstRest = time.Millisecond`,
			breaks: "one order holds up all others of its account",
			holds:  liveness,
			by:     "./cmd/bot -run TestAnOrderThatBreaksItsBatch",
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
	}
}
