//go:build defects

package proof

// rightDefects are mistakes in who may do what: each is a row of the table, or what the table is read by.
func rightDefects() []defect {
	const rights, holds = "internal/conversations/rights.go", "nobody does what is not theirs"
	const by = "./internal/conversations -run 'TestForgedPresses|TestEveryVerbHasARow'"
	return []defect{
		{
			name:   "codes in private come with the role of the group that they were asked for in",
			file:   "internal/conversations/approve.go",
			old:    `	return t.revealInPrivate(p, orders, role)`,
			new:    `	role = t.role` + "\n" + `	return t.revealInPrivate(p, orders, role)`,
			breaks: "whoever asks in a group that is linked no more gets codes without what their role holds",
			holds:  "codes that are sent to somebody come with what their role in that team holds",
			by:     "./internal/conversations -run TestPrivateCodesAreOfTheRole",
		},
		{
			name:   "a seller sees what is in the wallet by a button",
			file:   rights,
			old:    `screen.VerbBalance:   {right: owner, run`,
			new:    `screen.VerbBalance:   {right: atLeast(store.Seller), run`,
			breaks: "a seller sees the owner's money",
			holds:  holds,
			by:     by,
		},
		{
			name:   "a seller sets the owner's alerts by a button",
			file:   rights,
			old:    `screen.VerbAlertSet:  {right: owner, run`,
			new:    `screen.VerbAlertSet:  {right: asNamed, run`,
			breaks: "what an owner is told is set by others",
			holds:  holds,
			by:     by,
		},
		{
			name:   "a seller sees the reasons by a button",
			file:   rights,
			old:    `screen.VerbWhy:     {right: atLeast(store.Owner), run`,
			new:    `screen.VerbWhy:     {right: counter, run`,
			breaks: "the evidence, with balances in it, is shown to sellers",
			holds:  holds,
			by:     by,
		},
		{
			name: "the counter buys",
			file: rights,
			old: `	seller := atLeast(store.Seller)
`,
			new: `	seller := atLeast(store.Counter)
`,
			breaks: "the counter is led to summaries",
			holds:  holds,
			by:     by,
		},
		{
			name:   "whoever is in the group sees its orders",
			file:   rights,
			old:    `screen.VerbOrders:  {right: counter, run`,
			new:    `screen.VerbOrders:  {right: asNamed, run`,
			breaks: "strangers read what a shop sells",
			holds:  holds,
			by:     by,
		},
		{
			name:   "the alerts are everybody's command",
			file:   rights,
			old:    `"alerts":    {right: atLeast(store.Owner), run`,
			new:    `"alerts":    {right: everyone, run`,
			breaks: "a seller reads and sets the owner's alerts",
			holds:  holds,
			by:     by,
		},
		{
			name:   "the counter may type what leads to a summary",
			file:   rights,
			old:    `"buy":       {right: atLeast(store.Seller), run`,
			new:    `"buy":       {right: atLeast(store.Counter), run`,
			breaks: "the counter is led to summaries",
			holds:  holds,
			by:     by,
		},
		{
			name: "what only an owner may is not refused",
			file: rights,
			old: `	if r.named {
`,
			new: `	if r.named || r.role == store.Owner {
`,
			breaks: "every right of an owner is everybody's",
			holds:  holds,
			by:     by,
		},
		{
			name:   "who is out may be shown codes of the team",
			file:   rights,
			old:    `screen.VerbReveal:  {right: asNamed, run: plain(approvalFlow.reveal), inPlace: true}`,
			new:    `screen.VerbReveal:  {right: asNamed, run: plain(approvalFlow.reveal), inPlace: true, bought: true}`,
			breaks: "somebody who is shut out presses buttons of the shop",
			holds:  holds,
			by:     by,
		},
		{
			name:   "who is out cannot see what they have bought",
			file:   rights,
			old:    `return orderFlow{t}.ordersTapped(a) }, bought: true}`,
			new:    `return orderFlow{t}.ordersTapped(a) }}`,
			breaks: "a purchase that is open is lost to who bought it",
			holds:  holds,
			by:     by,
		},
		{
			name: "a row of the table is missing",
			file: rights,
			old: `		screen.VerbLock:        {right: asNamed, run: plain(teamFlow.lock), inPlace: true},
`,
			new:    ``,
			breaks: "an owner cannot stop spending by a button",
			holds:  holds,
			by:     by,
		},
		{
			name: "anybody runs the bot",
			file: "internal/conversations/guests.go",
			old: `	switch {
	case !t.private || t.userID != t.cfg.Access.Operator:
		return t.stale()`,
			new: `	switch {
	case !t.private:
		return t.stale()`,
			breaks: "anybody shuts out whom they like",
			holds:  holds,
			by:     by,
		},
		{
			name: "a seller manages the team",
			file: "internal/conversations/owner.go",
			old: `	if t.role == store.Owner {
		return t.shop, true, nil`,
			new: `	if t.role.AtLeast(store.Seller) {
		return t.shop, true, nil`,
			breaks: "a seller reads who is in the team, and their limits",
			holds:  holds,
			by:     by,
		},
		{
			name:   "rights: who leaves sees what things have cost",
			file:   "internal/conversations/costs.go",
			old:    `role != store.Owner && !owned {`,
			new:    `role == store.Owner && !owned {`,
			breaks: "a seller learns the buying prices by leaving the team",
			holds:  "nobody sees what is not theirs",
			by:     "./internal/conversations -run TestLeavingShowsNoCost",
		},
		{
			name:   "rights: an approval that could not be handled is handled again",
			file:   rights,
			old:    `run: plain(approvalFlow.approve), moves: true}`,
			new:    `run: plain(approvalFlow.approve)}`,
			breaks: "the operator is told that it buys nothing, and it buys what its owner was told was not done",
			holds:  "what is handled again buys nothing",
			by:     "./internal/conversations -run 'TestRowsSayWhatIsPromised|TestWhatSpendsMoves'",
		},
		{
			name:   "rights: a refusal that could not be handled says that nothing was done",
			file:   rights,
			old:    `run: plain(approvalFlow.refuseIt), moves: true}`,
			new:    `run: plain(approvalFlow.refuseIt)}`,
			breaks: "an owner takes for open what is refused",
			holds:  "nobody is told that nothing was done where something was",
			by:     "./internal/conversations -run TestRowsSayWhatIsPromised",
		},
		{
			name:   "rights: an owner opens the service's history in the group",
			file:   rights,
			old:    `.history(api.Family(a.Arg(0)), int(a.Int(1))) }, apart: true}`,
			new:    `.history(api.Family(a.Arg(0)), int(a.Int(1))) }}`,
			breaks: "sellers read there what everything has cost",
			holds:  "nobody sees what is not theirs",
			by:     "./internal/conversations -run TestOwnerShowsGroupNoCost",
		},
	}
}
