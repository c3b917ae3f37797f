//go:build defects

package proof

// counterDefects are mistakes in what somebody uses who sells all day: lines, short words, repeats, customers, home.
func counterDefects() []defect {
	const (
		meant     = "what is bought is what was meant"
		lines     = "./internal/conversations -run 'TestOneLine|TestALine|TestShortWords'"
		repeats   = "./internal/conversations -run 'TestAgain'"
		customers = "./internal/conversations -run 'TestCustomers'"
		theirs    = "a customer's orders are found by their name"
		home      = "./internal/conversations -run 'TestHomeIs|TestFavourites'"
	)
	return []defect{
		{
			name:   "a number that may be a word of the name is a quantity",
			file:   "internal/conversations/oneline.go",
			old:    `reading.Bare && len(found) > 1 {`,
			new:    `len(found) < 0 {`,
			breaks: "\"play card 5\" asks for five of every denomination",
			holds:  meant,
			by:     lines,
		},
		{
			name:   "the search wins over a shop's own word",
			file:   "internal/conversations/oneline.go",
			old:    `range []bool{true, false} {`,
			new:    `range []bool{false, true} {`,
			breaks: "a short word buys another item than the shop has named by it",
			holds:  meant,
			by:     lines,
		},
		{
			name:   "a line in two ways takes the first",
			file:   "internal/conversations/oneline.go",
			old:    `	case len(ways) == 1 && !ways[0].guess:`,
			new:    `	case len(ways) >= 1 && !ways[0].guess:`,
			breaks: "a line that can be read in two ways is read in one",
			holds:  meant,
			by:     lines,
		},
		{
			name:   "a part of a name is a customer",
			file:   "internal/conversations/oneline.go",
			old:    `	case len(ways) == 1 && !ways[0].guess:`,
			new:    `	case len(ways) == 1:`,
			breaks: "what is for one Ali is put together for another, and nobody is asked",
			holds:  meant,
			by:     "./internal/conversations -run TestALineNamesACustomer",
		},
		{
			name:   "a line of a list is for whoever has a part of its name",
			file:   "internal/conversations/listread.go",
			old:    `len(ways) == 1 && ways[0].guess:`,
			new:    `len(ways) == 0 && ways[0].guess:`,
			breaks: "one of twenty lines is bought for somebody who was not meant",
			holds:  meant,
			by:     "./internal/conversations -run TestAListNamesCustomers",
		},
		{
			name:   "a purchase forgets whom it is for",
			file:   "internal/purchase/engine.go",
			old:    `For: d.For, Player`,
			new:    `Player`,
			breaks: "a card that was bought for a customer is found under nobody",
			holds:  "what was bought for a customer is found by their name",
			by:     "./internal/conversations -run TestBoughtForACustomer",
		},
		{
			name:   "books: who has paid at once is found by nothing that they bought",
			file:   "internal/ledger/post.go",
			old:    `	if e.isNamed() {`,
			new:    `	if e.Kind == "" {`,
			breaks: "what was sold to a customer for cash is found under nobody",
			holds:  "what was sold to a customer is found by their name",
			by:     "./internal/conversations -run TestPaidAtOnceByACustomer",
		},
		{
			name:   "again asks about what it was tapped under",
			file:   "internal/conversations/repeat.go",
			old:    `b.Same, b.Twice = []string{p.ID}, true`,
			new:    `_ = b`,
			breaks: "the same again is three taps",
			holds:  "the same again is two taps",
			by:     repeats,
		},
		{
			name:   "again asks about nothing",
			file:   "internal/conversations/buy.go",
			old:    `	if !b.Twice && len(same) > 0 || unseen(b, same) {`,
			new:    `	if !b.Twice && len(same) > 0 {`,
			breaks: "what somebody else has just bought for the player is bought once more without a word",
			holds:  "the same is not bought twice for a player without a question",
			by:     repeats,
		},
		{
			name: "a player is two customers",
			file: "internal/store/customers.go",
			old: `return q.Game == p.Game && q.ID == p.ID })
}`,
			new: `return q.Game == p.Game && q.ID == p.ID && false })
}`,
			breaks: "a player that comes twice is saved twice",
			holds:  "a player is one customer",
			by:     customers,
		},
		{
			name:   "a customer who is deleted stays on disk",
			file:   "internal/store/customers.go",
			old:    `	return customers().remove(t, &c)`,
			new:    `	return t.ForgetCustomer(book, id)`,
			breaks: "a record of somebody is left whom the shop has deleted",
			holds:  "who is deleted is gone",
			by:     customers,
		},
		{
			name:   "a number is another one with the country's before it",
			file:   "internal/conversations/contact.go",
			old:    `ok && (len(national) == 8 || len(national) == 9)`,
			new:    `ok && len(national) == 99`,
			breaks: "one customer is two, by how a telephone writes the number",
			holds:  "one customer is kept once",
			by:     "./internal/conversations -run 'TestASharedContact'",
		},
		{
			name:   "a contact is whoever is called the same",
			file:   "internal/conversations/contact.go",
			old:    `return !c.Phone.IsZero() }) {`,
			new:    `return c.Phone.IsZero() }) {`,
			breaks: "a sale on credit is the debt of a namesake",
			holds:  "a debt is of who was shared",
			by:     "./internal/conversations -run 'TestASharedContact'",
		},
		{
			name:   "home shows nothing where the service is away",
			file:   "internal/conversations/home.go",
			old:    `view.Balance, view.BalanceAt = lastBalance(a)`,
			new:    `view.BalanceAt = a.Wallet.At`,
			breaks: "a shop does not see its balance while the service is away",
			holds:  "home shows from memory what it cannot read",
			by:     home,
		},
		{
			name:   "a price for a customer may be what it costs",
			file:   "internal/conversations/items.go",
			old:    `	case amount.Less(v.Price):`,
			new:    `	case false:`,
			breaks: "a shop offers something below what it pays, without a word",
			holds:  "a price is shown back where it is odd",
			by:     home,
		},
		{
			name:   "the shop's own price is asked for",
			file:   "internal/conversations/items.go",
			old:    `	if !ruled || t.action.Arg(3) == screen.OfferOther {`,
			new:    `	if true {`,
			breaks: "whoever asks for a price waits until it is typed, though the shop has set it",
			holds:  "the shop's price is one tap",
			by:     "./internal/conversations -run TestTheShopsPrice",
		},
		{
			name:   "a rule's price below cost is told unasked",
			file:   "internal/conversations/items.go",
			old:    `	if q.BelowCost() && own.Rules.Below != pricing.Off {`,
			new:    `	if false {`,
			breaks: "a shop offers below what it pays since the supplier's price has risen, without a word",
			holds:  "a price is shown back where it is odd",
			by:     "./internal/conversations -run TestTheShopsPrice",
		},
		{
			name:   "a sale that was undone is the customer's order still",
			file:   "internal/ledger/report.go",
			old:    `func(_ string, n int) bool { return n <= 0 }) // undone, or come back`,
			new:    `func(_ string, n int) bool { return n < -100 })`,
			breaks: "what was sold to somebody else by now is shown as a customer's",
			holds:  theirs,
			by:     "./internal/conversations -run TestSoldToACustomer",
		},
		{
			name:   "a name that is a product's too opens the customer",
			file:   "internal/conversations/customerorders.go",
			old:    `	case len(found) == 1 && short == nil && !sold:`,
			new:    `	case len(found) == 1:`,
			breaks: "a search for a product is not reached any more once a customer is called so",
			holds:  meant,
			by:     "./internal/conversations -run TestANameInTwoWays",
		},
		{
			name:   "a top-up of a customer's player is nobody's",
			file:   "internal/conversations/customerorders.go",
			old:    `p.Player != nil && p.Player.ID != "" && c.Plays(*p.Player)`,
			new:    `p.Player != nil && p.Player.ID == "" && c.Plays(*p.Player)`,
			breaks: "what was bought for a customer is not found by their name",
			holds:  theirs,
			by:     "./internal/conversations -run TestCustomersOrders",
		},
	}
}
