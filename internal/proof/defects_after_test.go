//go:build defects

package proof

// afterDefects are mistakes in what a shop does with what it has bought: to hand it over, to claim it, to sell it.
func afterDefects() []defect {
	const (
		board   = "./internal/conversations -run TestBoard"
		rights  = "nobody sees what is not theirs"
		cost    = "./internal/conversations -run TestCounterSeesNoCost"
		sales   = "what is sold is counted once, and for what was shown"
		listing = "./internal/conversations -run TestAListIs"
		story   = "an order tells who saw its codes, and who gave them away"
		hand    = "./internal/conversations -run TestGivenToTheCustomer"
	)
	return []defect{
		{
			name:   "after: the second to give a code away is written over the first",
			file:   "internal/store/handed.go",
			old:    `	if p.IsHanded() == !h.Back {`,
			new:    `	if p.IsHanded() == !h.Back && h.Back {`,
			breaks: "two people have given one code away, as the story of its order says",
			holds:  story,
			by:     hand,
		},
		{
			name:   "after: who opens an order is not written down",
			file:   "internal/conversations/order.go",
			old:    `noted := now.Chat != t.chatID && store.NoteReveal(`,
			new:    `noted := now.Chat == t.chatID && store.NoteReveal(`,
			breaks: "a code that was used by somebody of the team was seen by nobody",
			holds:  story,
			by:     hand,
		},
		{
			name:   "after: what is sent to support holds the code",
			file:   "internal/screen/claim.go",
			old:    `masked(code.Reveal())`,
			new:    `code.Reveal()`,
			breaks: "a code is copied into a chat with strangers",
			holds:  "no code leaves the shop by what it sends to others",
			by:     "./internal/conversations -run TestClaimPack",
		},
		{
			name:   "after: a list is sold for whatever its lines cost by now",
			file:   "internal/conversations/listsale.go",
			old:    `	case total != s.Price:`,
			new:    `	case total < 0:`,
			breaks: "a tap sells for another total than its button says",
			holds:  sales,
			by:     listing,
		},
		{
			name:   "after: one order of a list that is taken back takes all of them back",
			file:   "internal/conversations/listsale.go",
			old:    `t.who(saleNonce(p, trade.Turn()))`,
			new:    `t.who(p.List)`,
			breaks: "the second line of a list is not sold, and nobody is told",
			holds:  sales,
			by:     listing,
		},
		{
			name:   "after: the card of a list does not follow the sale of one of its orders",
			file:   "internal/conversations/sales.go",
			old:    `err != nil || p.List == "" {`,
			new:    `err != nil || p.List != "" {`,
			breaks: "the card says that a code is sold which is back in stock",
			holds:  sales,
			by:     listing,
		},
		{
			name:   "after: the shop's rule is shown to price what has a rule of its own",
			file:   "internal/conversations/priceexamples.go",
			old:    `!ok || !is(e.Quote)`,
			new:    `!ok`,
			breaks: "an owner sets a rule by an example that it is not for",
			holds:  sales,
			by:     "./internal/conversations -run TestTheShopsRuleAsItIs",
		},
		{
			name:   "after: the last product that is taken off a price list puts all on it",
			file:   "internal/conversations/pricelist.go",
			old:    `		case len(next) == 0:`,
			new:    `		case len(next) < 0:`,
			breaks: "customers are shown prices that were taken off the list",
			holds:  sales,
			by:     "./internal/conversations -run TestPriceListIsChosen",
		},
		{
			name:   "after: a counter is told what was paid for what it delivers",
			file:   "internal/notify/team.go",
			old:    `		v.reader = costless`,
			new:    `		_ = costless`,
			breaks: "what a shop earns can be reckoned by who stands at its counter",
			holds:  rights,
			by:     cost,
		},
		{
			name:   "after: the codes that a counter asks for come with what they have cost",
			file:   "internal/conversations/approve.go",
			old:    `		scr = t.costsOf(p.Account, role).here(scr)`,
			new:    `		_ = t.costsOf(p.Account, role).here(scr)`,
			breaks: "what a shop earns can be reckoned by who stands at its counter",
			holds:  rights,
			by:     cost,
		},
		{
			name:   "after: a counter opens an order and sees what it has cost",
			file:   "internal/screen/purchase.go",
			old:    `	if p.costless {`,
			new:    `	if p.costless && pu.Quantity == 0 {`,
			breaks: "what a shop earns can be reckoned by who stands at its counter",
			holds:  rights,
			by:     cost,
		},
		{
			name:   "after: a board is edited though it shows the same",
			file:   "internal/reports/board.go",
			old:    `err != nil || mark == d.Board.Mark {`,
			new:    `err != nil {`,
			breaks: "a shop's messages wait for a board that nobody needs",
			holds:  "a board is edited where something has happened",
			by:     board,
		},
		{
			name:   "after: a group is shown what is to be in the tills",
			file:   "internal/notify/board.go",
			old:    `v.reader = screen.ForOwner; v.home.ID < 0 {`,
			new:    `v.reader = screen.ForOwner; v.home.ID == 0 {`,
			breaks: "who counts a till knows beforehand what is to be in it",
			holds:  rights,
			by:     board,
		},
		{
			name:   "after: a board stays in a group that deliveries go to no more",
			file:   "internal/reports/board.go",
			old:    `if !a.ShowsBoard(d.Board.Chat) {`,
			new:    `if !a.ShowsBoard(d.Board.Chat) && now.IsZero() {`,
			breaks: "a group that was unlinked is told what a shop sells",
			holds:  rights,
			also:   []edit{{"internal/notify/board.go", `desk.Board.Chat != v.row.Chat, !a.ShowsBoard(v.row.Chat):`, `desk.Board.Chat != v.row.Chat, a.ID == "":`}},
			by:     board,
		},
	}
}
