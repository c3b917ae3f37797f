//go:build defects

package proof

import "slices"

// evidenceDefects take out, one by one, what keeps a single reading from deciding about money: one that is old, that
// more than one thing explains, or that shows what somebody else has done.
func evidenceDefects() []defect {
	return slices.Concat(deniedDefects(), adoptedDefects(), agreedDefects(), staleDefects())
}

// deniedDefects say that nothing was bought, though it was.
func deniedDefects() []defect {
	const evidence, judge, lag = "internal/purchase/evidence.go", "internal/purchase/judge.go", "internal/purchase/lag.go"
	const reconcile, engine = "internal/purchase/reconcile.go", "internal/purchase/engine.go"
	return []defect{
		{
			name:   "evidence: another name is another item",
			file:   evidence,
			old:    `	v.found.renamed = slices`,
			new:    `	v.found.renamed = false && slices`,
			breaks: "what was bought and charged is called not bought, as the list calls it otherwise",
			holds:  neverDenied,
			by:     "./internal/notify -run TestListUnderAnotherName",
		},
		{
			name: "evidence: a counter that stands still acquits",
			file: evidence,
			old: `	case said != uncharged:
		return said
	case !kept(`,
			new: `	case v.kept.Used >= 0 && v.kept.Used == p.Before.Used:
		return uncharged
	case said != uncharged:
		return said
	case !kept(`,
			breaks: "where nothing is allocated every lost answer ends as not bought, whatever is gone",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestCounterAcquitsNothing",
		},
		{
			name:   "evidence: the counter of an allocation that is not there is one",
			file:   evidence,
			old:    `	if v == nil || v.Stock == nil || v.Stock.Lacks || v.Stock.Allocated <= 0 {`,
			new:    `	if v == nil || v.Stock == nil {`,
			also:   []edit{{evidence, `	case said != uncharged:`, `	case v.kept.Used >= 0 && v.kept.Used == p.Before.Used:` + "\n\t\treturn uncharged\n\tcase said != uncharged:"}},
			breaks: "an order that shows, and whose price is gone, is left to a person",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestCounterAcquitsNothing/zeros",
		},
		{
			name:   "evidence: money that is held is there",
			file:   evidence,
			old:    `	change := b.Available.Sub(level(w))`,
			new:    `	change := b.Balance.Sub(level(w))`,
			breaks: "what the service holds until an order is done was not charged",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestHeldMoneyIsACharge/less_can",
		},
		{
			name:   "evidence: what can be spent is all that counts",
			file:   evidence,
			old:    `	case !kept(b, p, v.account.Spends), v.kept.Used`,
			new:    `	case v.kept.Used`,
			breaks: "a balance that fell is not asked about where as much can be spent",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestHeldMoneyIsACharge/less_is_there",
		},
		{
			name: "evidence: a refund that is due does not matter",
			file: evidence,
			old: `	for _, amount := range refunds {
		others = append(`,
			new: `	for _, amount := range refunds[:0] {
		others = append(`,
			breaks: "money that comes back hides that as much was charged",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestRefundHidesNoCharge/of_an_order",
		},
		{
			name:   "evidence: a refund before its order is known to have failed does not matter",
			file:   evidence,
			old:    `	others = append(others, hopesOf(w, hopes)...)`,
			new:    `	others = append(others, hopesOf(w, hopes[:0])...)`,
			breaks: "money that comes back unseen hides that as much was charged",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestRefundHidesNoCharge/of_one",
		},
		{
			name:   "evidence: without a list the wallet decides alone",
			file:   judge,
			old:    `	case f.traced || f.others > 0 || f.renamed || !f.listed:`,
			new:    `	case f.traced || f.others > 0 || f.renamed:`,
			breaks: "a top-up of exactly the price within seconds makes a charge disappear",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestTopUpHidesNoCharge/without",
		},
		{
			name: "evidence: what showed once and is gone was never there",
			file: judge,
			old: `	case f.vanished:
		return unsure(ruleTraces)
	case f.traced || f.others`,
			new:    `	case f.others`,
			breaks: "a charge that a top-up covers a moment later was none",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestTopUpHidesNoCharge/it_came",
		},
		{
			name:   "evidence: an order that shows is nothing while the money is there",
			file:   judge,
			old:    `	switch n := len(f.candidates); {`,
			new:    `	if f.charge == uncharged {` + "\n\t\tf.candidates, f.traced = nil, false\n\t}\n" + `	switch n := len(f.candidates); {`,
			also:   []edit{{evidence, `	case !readable || shows || f.others`, `	case !readable || f.others`}},
			breaks: "an order that is there is denied since somebody has topped up its price",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestTopUpHidesNoCharge/its_order",
		},
		{
			name:   "evidence: 16 minutes are enough for every account",
			file:   lag,
			old:    `	return max(quietTime, lagFactor*longestLag(a, p))`,
			new:    `	return quietTime`,
			breaks: "a balance that is eleven minutes late denies what it does not show yet",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestLateBalanceDeniesNothing",
		},
		{
			name:   "evidence: nobody looks in time to decide",
			file:   reconcile,
			old:    `		p.LookAt = lookBefore(p.DecideBy, now, p.LookAt)`,
			new:    `		p.LookAt = earlier(p.LookAt, p.DecideBy)`,
			breaks: "a person is asked about what two more looks would have told",
			holds:  "a person is asked where looks cannot tell",
			by:     "./internal/purchase -run TestLateBalanceDeniesNothing",
		},
		{
			name: "evidence: an account that nobody knows is as quick as any",
			file: judge,
			old: `	case !f.known:
		return unsure(ruleUnknown)
`,
			new:    ``,
			breaks: "a first purchase is denied by readings that may be an hour old",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestNewAccountDeniesNothing",
		},
		{
			name:   "evidence: the quiet time is what the clock on the wall says",
			file:   judge,
			old:    `	case min(f.age, f.waited) >= f.quiet && f.silence >= apart:`,
			new:    `	case f.age >= f.quiet && f.silence >= apart:`,
			also:   []edit{{evidence, `min(f.age, f.waited) < f.quiet:`, `f.age < f.quiet:`}},
			breaks: "a clock that steps forward denies what was sent half a minute ago",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestClockThatSteps",
		},
		{
			name:   "evidence: a process that was down has waited as well",
			file:   reconcile,
			old:    `	return before + max(0, min(now.Sub(e.began), now.Round(0).Sub(last)))`,
			new:    `	return before + max(0, now.Round(0).Sub(last))`,
			breaks: "a clock that steps while no process runs denies what was just sent",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestClockThatSteps/while_it_is_down",
		},
		{
			name:   "evidence: the quiet time begins when a purchase is sent",
			file:   reconcile,
			old:    "	p.AnsweredAt = now\n	p.LookAt, p.DecideBy = now.Add(firstLook), now.Add(e.longest(a, *p))",
			new:    "	p.AnsweredAt = p.SentAt\n	p.LookAt, p.DecideBy = now.Add(firstLook), now.Add(e.longest(a, *p))",
			breaks: "a long PURCHASE_TIMEOUT is all the quiet that there is",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestQuietTimeBeginsAtTheEnd",
		},
		{
			name: "evidence: a refusal of the service is the last word",
			file: engine,
			old: `		if !p.Refused {
			forgo(a, p.ID)
			return
		}
		deny(a, p.ID)
		p.LookAt = time.Now().Add(firstLook)`,
			new:    `		forgo(a, p.ID)`,
			breaks: "what is refused after the commit is charged, and nobody hears of it",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestRefusedAfterTheCommit",
		},
		{
			name: "evidence: the money of a refusal is only looked at together with a list",
			file: reconcile,
			old: `	case f.charge == charged, shows, last && f.charge == unclear:
		said.event = Doubt`,
			new: `	case shows:
		said.event = Doubt`,
			also:   []edit{{"internal/purchase/explained.go", `	for _, id := range late {`, `	for _, id := range late[:0] {`}},
			breaks: "what is refused after the commit and listed nowhere is charged, and nobody hears of it",
			holds:  neverDenied,
			by:     "./internal/conversations -run TestRefusedAndCharged",
		},
	}
}

// adoptedDefects take an order for one that it is not.
func adoptedDefects() []defect {
	const evidence, judge, claims = "internal/purchase/evidence.go", "internal/purchase/judge.go", "internal/purchase/claims.go"
	const own = "internal/purchase/own.go"
	return []defect{
		{
			name:   "own: what the wallet has forgotten was never bought",
			file:   own,
			old:    `		if m.Kind == store.Bought {`,
			new:    `		if false {`,
			also:   []edit{{own, `	for _, o := range pending {`, `	for _, o := range pending[:0] {`}},
			breaks: "an hour after it was accepted, the order of one purchase is taken for another's",
			holds:  trulyOurs,
			by:     "./internal/conversations -run TestOrderOfAnAcceptedPurchaseIsNobodyElses",
		},
		{
			name:   "own: a purchase has one order",
			file:   own,
			old:    `			v.found.own += unseen`,
			new:    `			v.found.own++`,
			breaks: "what was refused is doubted where several of the same are bought afterwards",
			holds:  "nothing is doubted without a reason",
			by:     "./internal/conversations -run TestRefusalBesideAnotherPurchase",
		},
		{
			name:   "own: an older order of ours is in every list",
			file:   own,
			old:    `	v.found.own += v.older`,
			new:    ``,
			breaks: "the order of a purchase of hours ago is taken for another's where the list is as late",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestOlderOrders",
		},
		{
			name:   "own: an older order of ours is in no list",
			file:   own,
			old:    `			v.older--`,
			new:    ``,
			breaks: "while one order takes long, nothing of the same item is ever found again",
			holds:  "what can be known is not asked",
			by:     "./internal/purchase -run TestOlderOrders",
		},
		{
			name:   "choices: an order that an accepted purchase may have made is offered",
			file:   evidence,
			old:    `	if alike <= v.found.own {`,
			new:    `	if alike < 0 {`,
			breaks: "a person gives one purchase the code of another",
			holds:  trulyOurs,
			by:     "./internal/conversations -run TestOrderOfAnAcceptedPurchaseIsNobodyElses",
		},
		{
			name:   "refusals: a price that another purchase of ours may hide is doubted",
			file:   "internal/purchase/reconcile.go",
			old:    ` && !v.kept.Cleared && !v.hidden`,
			new:    ` && !v.kept.Cleared`,
			breaks: "an owner is asked about every refusal beside which the same was bought",
			holds:  "nothing is doubted without a reason",
			by:     "./internal/conversations -run TestRefusalBesideAnotherPurchase",
		},
		{
			name:   "evidence: other purchases of ours do not buy the same",
			file:   own,
			old:    `			v.found.own += unseen`,
			new:    `			v.found.own += 0`,
			breaks: "the order that a list shows first goes to the wrong one of two purchases",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestTwoNamespaces",
		},
		{
			name:   "evidence: an order of ours is known by its number alone",
			file:   evidence,
			old:    `		func() (store.Claim, error) { return v.engine.cfg.Store.CodeClaim(ctx, o.Code) },` + "\n",
			new:    ``,
			breaks: "where a list has numbers of its own, what was delivered for one purchase is in the way of the next",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestTwoNamespaces",
		},
		{
			name:   "evidence: what a list shows is new, though nobody has read it before",
			file:   evidence,
			old:    `	v.found.listed = v.kept.Listed && v.of.Before.Listed`,
			new:    `	v.found.listed = v.kept.Listed`,
			breaks: "an order of a minute ago is taken for ours",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestListThatWasNotReadBefore",
		},
		{
			name: "evidence: rows are enough",
			file: judge,
			old: `	case !f.listed:
		return unsure(ruleUntrusted)
	case f.own+f.rivals > 0:
		return early(ruleOwn)
	case f.charge != charged && (!f.broken || f.charge != uncharged && f.charge != returned):
		return early(ruleUntrusted)
	}`,
			new:    `	}`,
			breaks: "a purchase that never arrived is given the code of another chat",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestAnotherChatsOrder",
		},
		{
			name:   "evidence: orders that nobody here has bought tell nothing",
			file:   evidence,
			old:    `			v.foreign = v.foreign || owner == nobody && v.tells(o)`,
			new:    `			v.foreign = v.foreign && owner == nobody && v.tells(o)`,
			breaks: "what somebody bought on the service's page goes to a customer of the bot",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestBoughtOnThePage",
		},
		{
			name:   "evidence: a shared account is nobody's but ours",
			file:   judge,
			old:    "	case f.shared:\n		return unsure(ruleShared)\n",
			new:    ``,
			breaks: "what somebody bought on the service's page goes to a customer of the bot",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestBoughtOnThePage",
		},
		{
			name:   "evidence: orders of another key of the wallet are nobody's",
			file:   evidence,
			old:    "		default:\n			return another, nil",
			new:    "		default:\n			return nobody, nil",
			breaks: "with two keys of one wallet the order of one purchase is tried on the other for ever",
			holds:  oneOwner,
			by:     "./internal/purchase -run TestTwoKeysOfOneWallet",
		},
		{
			name:   "evidence: a code is everybody's",
			file:   claims,
			old:    `	seen.Code = secret.Text{}` + "\n",
			new:    ``,
			also:   []edit{{claims, `	"resellerbot/internal/secret"` + "\n", ``}},
			breaks: "one code is sold twice",
			holds:  oneOwner,
			by:     "./internal/purchase -run TestOneCodeIsOnePurchases",
		},
		{
			name:   "evidence: two hundred orders are all that an account has",
			file:   evidence,
			old:    `	mostRows  = 20000`,
			new:    `	mostRows  = 200`,
			breaks: "accounts that have sold a lot are asked about every lost answer",
			holds:  "a person is asked where looks cannot tell",
			by:     "./internal/purchase -run TestManyEarlierSales",
		},
		{
			name:   "evidence: only the last orders of a list were there before",
			file:   evidence,
			old:    `	return ids, unreadable, len(list)-unreadable <= mostRows && !slices.ContainsFunc(list, isRest)`,
			new:    `	return ids[max(0, len(ids)-200):], unreadable, len(ids) <= mostRows`,
			also:   []edit{{evidence, `		case owner == ours:` + "\n", `		case owner == ours && false:` + "\n"}},
			breaks: "older sales of the same are taken for new ones",
			holds:  "a person is asked where looks cannot tell",
			by:     "./internal/purchase -run TestManyEarlierSales",
		},
	}
}

// agreedDefects do something else than what was agreed, or tell it wrongly.
func agreedDefects() []defect {
	const submit, price, wallet = "internal/purchase/submit.go", "internal/purchase/price.go", "internal/purchase/wallet.go"
	const ledger, accounts = "internal/purchase/ledger.go", "internal/purchase/accounts.go"
	return []defect{
		{
			name:   "evidence: a 429 is sent again whatever has come of it",
			file:   submit,
			old:    `	if nothing && f.known && f.age >= fresh(a, p) {`,
			new:    `	if nothing || f.known && f.age >= fresh(a, p) {`,
			breaks: "what the service executes and answers with 429 is bought twice",
			holds:  oneAttempt,
			by:     "./internal/purchase -run TestLimitedAfterExecution",
		},
		{
			name:   "evidence: a 429 is sent again while nobody knows how late the readings are",
			file:   submit,
			old:    `		if err != nil || !lagsKnown(a, p) {`,
			new:    `		if err != nil {`,
			also:   []edit{{submit, `	if nothing && f.known && f.age`, `	if nothing && f.age`}},
			breaks: "what the service executes and answers with 429 is bought twice before it shows",
			holds:  oneAttempt,
			by:     "./internal/purchase -run TestLimitedAfterExecution",
		},
		{
			name: "evidence: a renamed variant is the same",
			file: submit,
			old: `	case !same(now.Name, p.Variant):
		service.Forget()
		return 0, e.endQueued(ctx, p.ID, Drop, ReasonRenamed, nil)
`,
			new:    ``,
			breaks: "people get something else than what they have confirmed",
			holds:  money,
			by:     "./internal/purchase -run TestRenamedIsNotBought",
		},
		{
			name:   "evidence: what an order says that it cost is not read",
			file:   price,
			old:    `	if err != nil || cost.IsZero() {`,
			new:    `	if err != nil || !cost.IsZero() {`,
			breaks: "another price is charged than was shown, and a thief is named",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestChargedAnotherPrice",
		},
		{
			name:   "price: what is settled late is a theft",
			file:   price,
			old:    `		case !x.Seen.IsZero() && !x.Doubtful && !x.Denied:`,
			new:    `		case false:`,
			breaks: "a price that goes in two parts accuses somebody",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestPriceSettledLate",
		},
		{
			name:   "price: after an hour a purchase has no price",
			file:   price,
			old:    `	if i < 0 { // it is forgotten`,
			new:    `	if i < 0 {` + "\n\t\treturn nil",
			breaks: "what is delivered by hand and settled hours later accuses somebody",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestPriceSettledLate/after_hours",
		},
		{
			name:   "price: orders that each name the price of the whole cost it several times",
			file:   price,
			old:    `	if whole {` + "\n\t\treturn p.Total",
			new:    `	if whole && p.Quantity < 0 {` + "\n\t\treturn p.Total",
			breaks: "somebody else's debit is told as a price that was never charged",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestForeignDebitBesideAPriceOfTheWhole",
		},
		{
			name:   "price: what is missing was charged",
			file:   price,
			old:    `	if p.Charged != nil {`,
			new:    `	if p.Charged != nil || p.Missing > 0 {`,
			breaks: "people are told that they paid for three where two were sold and charged",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestFewerSoldAndCharged",
		},
		{
			name:   "price: an order is of one unit",
			file:   price,
			old:    `	p.Missing = 0` + "\n",
			new:    ``,
			breaks: "people ask the service for an order that there never was",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestTwoUnitsInOneOrder",
		},
		{
			name:   "price: people are told of missing orders before those that are there have said what they cost",
			file:   "internal/purchase/settle.go",
			old:    `return o.Looks == 0 }`,
			new:    `return o.Looks < 0 }`,
			also:   []edit{{"internal/purchase/reconcile.go", `	if p.Phase == store.Accepted {` + "\n\t\treturn nil", `	if p.Phase == store.Accepted {` + "\n\t\tif p.Missing > 0 {\n\t\t\treturn e.askForSupport(tx, p, a)\n\t\t}\n\t\treturn nil"}},
			breaks: "people ask the service for an order that there never was",
			holds:  nothingFalse,
			by:     "./internal/notify -run TestTwoUnitsInOneOrder",
		},
		{
			name:   "evidence: what was said not to be bought is forgotten",
			file:   wallet,
			old:    `		a.Wallet.Expected[i].Doubtful, a.Wallet.Expected[i].Denied = false, true`,
			new:    `		forgo(a, purchase)`,
			breaks: "a late execution is taken for a theft, and not asked about",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestLateExecutionAccusesNobody",
		},
		{
			name:   "evidence: every reading shows what was bought a moment ago",
			file:   ledger,
			old:    `	return due, true`,
			new:    `	return due, false`,
			breaks: "a balance that is ten seconds late raises the alarm, and the account counts as shared for a month",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestLateBalanceAlarmsNobody",
		},
		{
			name:   "evidence: what nothing of ours explains is told to nobody",
			file:   "internal/purchase/outside.go",
			old:    `	if change.Sign() > 0 {` + "\n\t\treturn errors.Join(backAfterAll",
			new:    `	if change.Sign() != 0 {` + "\n\t\treturn errors.Join(backAfterAll",
			breaks: "somebody else spends with the key, and the owner does not hear of it",
			holds:  "money that nothing explains is told",
			by:     "./internal/purchase -run TestForeignDebitIsTold",
		},
		{
			name:   "evidence: a top-up is the refund that was told as missing",
			file:   "internal/purchase/refunds.go",
			old:    `	if o.Refund != store.RefundWaiting {`,
			new:    `	if o.Refund == store.RefundLikely {`,
			breaks: "people's own money is told as the refund that they wait for",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestRefundMissing",
		},
	}
}

// staleDefects say something of a reading that only looks as if it had happened.
func staleDefects() []defect {
	const reading, outside, price, evidence = "internal/purchase/reading.go", "internal/purchase/outside.go", "internal/purchase/price.go", "internal/purchase/evidence.go"
	return []defect{
		{
			name:   "evidence: a question about later money hides what went before it",
			file:   reading,
			old:    `			return e.strange(tx, a, s.Amount, r, patienceWith(*a, s.Amount, causes))`,
			new:    `			return nil`,
			breaks: "with an uncertain purchase open, a theft is told of after a day or never",
			holds:  money,
			by:     "./internal/purchase -run TestOutsideBeside",
		},
		{
			name: "evidence: money that one reading misses is stolen",
			file: outside,
			old: `	if change.Sign() < 0 {
		return memoryOf(a)
	}
`,
			new:    ``,
			breaks: "where a reading is suddenly an old one, a thief is named, and money that came in is what was taken",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestAccusationStands/it_stands_for_a_while",
		},
		{
			name:   "evidence: what has just gone is told with what has long been gone",
			file:   outside,
			old:    `	return e.concede(tx, a, change, s.Stood, r)`,
			new:    `	return e.concede(tx, a, change, change, r)`,
			breaks: "more is called stolen than is gone",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestAccusationStands/once_more_is_gone_for_a_while",
		},
		{
			name:   "evidence: what is told of a theft is the last reading",
			file:   outside,
			old:    `	case a.Less(b) == (a.Sign() < 0):`,
			new:    `	case a.Less(b) != (a.Sign() < 0):`,
			breaks: "money that is back is called stolen",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestAccusationStands/most_of_it_is_back",
		},
		{
			name:   "evidence: the first reading after a pause shows all that was seen before",
			file:   reading,
			old:    `		case !x.Denied && r.at.Sub(x.Seen) < memory:`,
			new:    `		case !x.Denied && r.at.Sub(x.Seen) < memory-memory:`,
			breaks: "a purchase from before the account was linked again is called a theft",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestAccusationAfterAPause",
		},
		{
			name:   "evidence: money comes back that was never gone",
			file:   reading,
			old:    `	case x.only() && !early(a.Wallet, x, waiting) && `,
			new:    `	case x.only() && `,
			breaks: "money that somebody has put in is told as a refund",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestRefundOfWhatIsThere",
		},
		{
			name:   "evidence: readings are as late as they were so far",
			file:   "internal/purchase/lag.go",
			old:    `	quietTime  = 16 * time.Minute`,
			new:    `	quietTime  = 10 * time.Minute`,
			breaks: "where readings are suddenly a quarter of an hour late, nothing was charged is said of what was",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestSuddenLagDeniesNothing",
		},
		{
			name:   "evidence: a reading from before a purchase is the refund of one that failed",
			file:   reading,
			old:    `waiting) && !older(*a, x, change, r):`,
			new:    `waiting):`,
			breaks: "where a reading is suddenly an old one, a refund is told that never came",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestOlderReadingIsNoRefund",
		},
		{
			name:   "evidence: beside money that nothing explains, an older reading is a refund",
			file:   reading,
			old:    `waiting) && !older(*a, step, change.Sub(s.Amount), r):`,
			new:    `waiting):`,
			breaks: "where somebody else buys, and a reading is an old one, a refund is told that never came",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestOlderReadingIsNoRefund/beside_what_is_gone",
		},
		{
			name:   "evidence: what was unclear for an hour is all that the last reading shows",
			file:   reading,
			old:    `	return e.concede(tx, a, change, s.Stood, r)`,
			new:    `	return e.concede(tx, a, change, change, r)`,
			breaks: "what has just gone is called gone for an hour",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestUnsettledStands",
		},
		{
			name:   "evidence: money that came is told after an hour, where an old reading would explain it",
			file:   reading,
			old:    `	if rose && x.has(stale) && !mayBeOld(a, change, r) {`,
			new:    `	if rose && x.has(stale) && mayBeOld(a, change, r) {`,
			breaks: "a refund that came with other money is awaited for an hour more than it takes to know of it",
			holds:  liveness,
			by:     "./internal/purchase -run TestUnlikelyOlderReading",
		},
		{
			name:   "evidence: what is left over because a price never showed is money that came",
			file:   "internal/purchase/refunds.go",
			old:    ` || a.Wallet.RoseAt.Before(o.ReadyAt) || `,
			new:    ` || `,
			breaks: "a refund is called likely that never came, and nobody asks for it",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestRefundNeedsARise",
		},
		{
			name:   "evidence: the balance has risen though no reading has",
			file:   reading,
			old:    `		if change.Sign() < 0 || !w.RoseAt.Before(p.SentAt) {`,
			new:    `		if change.Sign() < 0 || !w.RoseAt.IsZero() || !p.SentAt.IsZero() {`,
			breaks: "a refund is told that never came, and nobody asks for it",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestRefundNeedsARise",
		},
		{
			name:   "evidence: money is the price of a doubted purchase before that of a known one",
			file:   price,
			old:    `	return known, known >= 0`,
			new:    `	return known, known < -1`,
			breaks: "another price is charged than was shown, and nobody is told",
			holds:  money,
			by:     "./internal/purchase -run TestOtherPriceOfAnother/its_order_tells_before",
		},
		{
			name:   "evidence: money that was taken for a doubted purchase stays that",
			file:   price,
			old:    `	a.Wallet.Expected[i].Seen = time.Time{}` + "\n",
			new:    `	a.Wallet.Expected[i].Seen = at` + "\n",
			also:   []edit{{price, `	a.Wallet.Available = a.Wallet.Available.Sub(cost)` + "\n", ``}},
			breaks: "another price is charged than was shown, and nobody is told",
			holds:  money,
			by:     "./internal/purchase -run TestOtherPriceOfAnother/its_order_tells_later",
		},
		{
			name:   "evidence: a price that an order names is the one that was paid",
			file:   reading,
			old:    `	case so && r.at.Sub(a.Wallet.Expected[known].At) < memoryOf(*a):`,
			new:    `	case so && r.at.IsZero():`,
			breaks: "people are told of a price that nobody paid",
			holds:  nothingFalse,
			by:     "./internal/purchase -run TestOtherPriceBesideAnother",
		},
		{
			name:   "evidence: the other price of a known purchase is no doubt about whose money went",
			file:   evidence,
			old:    `	others = append(others, dearer(w, p.ID)...)`,
			new:    `	_ = dearer`,
			breaks: "a purchase that was never executed looks paid",
			holds:  money,
			by:     "./internal/purchase -run TestOtherPriceOfAnother",
		},
	}
}
