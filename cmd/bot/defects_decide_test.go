package main

// decideDefects are mistakes in what happens when a person is asked about an uncertain purchase, or after a refusal.
func decideDefects() []defect {
	const decide, evidence, refused = "internal/purchase/decide.go", "internal/purchase/evidence.go", "internal/purchase/refused.go"
	const claims = "internal/purchase/claims.go"
	const flow, buy, verdict = "internal/conversations/decide.go", "internal/conversations/buy.go", "internal/notify/verdict.go"
	return []defect{
		{
			name:   "decide: others' orders are taken without a look",
			file:   "internal/purchase/decide.go",
			old:    ` || ev.Shared || !ev.Paid`,
			new:    ` || !ev.Paid`,
			breaks: "the code of somebody else's order is delivered for a purchase",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestSharedAccountIsPicked",
		},
		{
			name: "decide: an old button gives a purchase whatever order it names",
			file: decide,
			old: `	if err := e.listed(ctx, c, n); err != nil {
		return err
	}
`,
			new:    ``,
			breaks: "a code of another player's order comes to this buyer",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestPlayersOrder",
		},
		{
			name:   "decide: an order of another purchase can be picked",
			file:   evidence,
			old:    `		if !taken {`,
			new:    `		if taken = false; !taken {`,
			breaks: "one order is offered for two purchases",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestPickIsOnce",
		},
		{
			name:   "decide: an order of another account of the same number is that one's, whatever it shows",
			file:   claims,
			old:    `store.Telling(holder.Code) && !slices`,
			new:    `store.Telling(holder.Code) && o.Code.IsZero() && !slices`,
			breaks: "where accounts are numbered each by itself, a paid code cannot be picked",
			holds:  sentIsSeen,
			by:     "./internal/purchase -run TestNumbersOfAnotherAccount",
		},
		{
			name: "decide: an order of another account of the same number is ours, whatever it shows",
			file: claims,
			old: `	if c.Account == o.Account || !store.Telling(o.Code) {
		return false, nil`,
			new: `	if c.Account == o.Account || !store.Telling(o.Code) {
		return c.Account != o.Account, nil`,
			breaks: "two keys of one wallet: an order is offered for two purchases",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestNumbersOfAnotherAccount",
		},
		{
			name:   "decide: numbers that are alike are called an error each time",
			file:   claims,
			old:    `c.Account == p.Account || holder.Evidence != nil {`,
			new:    `holder.ID != "" {`,
			breaks: "the operator learns to overlook what matters",
			holds:  oneOwner,
			by:     "./internal/purchase -run TestAlikeNumbers",
		},
		{
			name:   "decide: what was in the list before can be picked",
			file:   evidence,
			old:    `			slices.ContainsFunc(rowNames(o), func(name string) bool { return slices.Contains(p.Before.Rows, name) }),` + "\n",
			new:    ``,
			breaks: "last week's order is offered as today's purchase",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestOrdersToPickFrom",
		},
		{
			name: "decide: whoever comes second decides again",
			file: decide,
			old: `		if err := mayDecide(a, p, chat, user); err != nil {
			return err
		}
		free, err`,
			new:    `		free, err`,
			breaks: "two owners give one purchase two orders",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestPickIsOnce",
		},
		{
			name:   "decide: the newest order that fits is taken unasked",
			file:   flow,
			old:    "	case c.Sure:\n		return t.adopt(c, c.IDs())",
			new:    "	case c.Sure || len(c.Orders) > 0:\n		return t.adopt(c, c.IDs()[:1])",
			breaks: "somebody else's code is delivered",
			holds:  trulyOurs,
			by:     "./cmd/bot -run TestPickTheOrder",
		},
		{
			name:   "decide: nothing that shows closes the question",
			file:   flow,
			old:    "	case c.Sure:\n		return t.adopt(c, c.IDs())\n	}",
			new:    "	case c.Sure:\n		return t.adopt(c, c.IDs())\n	case len(c.Orders) != 1:\n		return t.decidedAbout(id, t.cfg.Purchases.Decide(t.ctx, id, t.chatID, t.userID, true))\n	}",
			breaks: "a paid code is given up before anybody could pick its order",
			holds:  liveness,
			by:     "./cmd/bot -run TestPickTheOrder",
		},
		{
			name:   "decide: a copy of the question stays open",
			file:   flow,
			old:    "	return t.showOrder(p, orders, true)\n}\n\n// upToDate",
			new:    "	t.ack(\"\")\n	return nil\n}\n\n// upToDate",
			breaks: "what is decided can be tapped again",
			holds:  nothingFalse,
			by:     "./cmd/bot -run TestDecidedFromOrders",
		},
		{
			name:   "refused: the same is tried again before anybody has looked",
			file:   buy,
			old:    "	if held, err := t.heldBack(p); held || err != nil {\n		return err\n	}\n",
			new:    "",
			also:   []edit{{buy, "func (t *turn) heldBack(", "func (t *turn) _("}},
			breaks: "what was charged in spite of a refusal is bought twice",
			holds:  money,
			by:     "./cmd/bot -run TestTryAgainWaitsForTheMoney",
		},
		{
			name:   "refused: a look that could not read the balance is enough",
			file:   refused,
			old:    ` && ev.Intact && `,
			new:    ` && `,
			breaks: "what was charged in spite of a refusal is bought twice",
			holds:  money,
			by:     "./cmd/bot -run TestTryAgainWaitsForTheMoney",
		},
		{
			name:   "notify: a refusal that is over is told all the same",
			file:   verdict,
			old:    `	if v.row.Refusals == 0 || v.row.Purchase == "" {`,
			new:    `	if v.row.Refusals >= 0 {`,
			breaks: "a message that has arrived is said not to be deliverable",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestRefusalThatIsOver",
		},
	}
}
