//go:build defects

package proof

import "slices"

// purchaseDefects are mistakes in what decides about money.
func purchaseDefects() []defect {
	return slices.Concat(submittingDefects(), confirmingDefects(), reconcilingDefects(), settlingDefects(), walletDefects(), teamDefects())
}

// submittingDefects are mistakes around the one attempt.
func submittingDefects() []defect {
	const file = "internal/purchase/submit.go"
	return []defect{
		{
			name: "what is less than a centime is money that moved", file: "internal/purchase/rounded.go",
			old: "(!isWholly(exact, unit) || !isWholly(shown, unit)) {", new: "!isWholly(exact, unit) {",
			breaks: "an owner is told that somebody else uses their key", holds: nothingFalse, by: "./internal/purchase -run TestLessThanACentime",
		},
		{
			name: "what was refused and made all the same counts against no limit", file: "internal/purchase/allow.go",
			old: "	if was == store.Rejected && p.Phase != store.Rejected && p.Day == \"\" {", new: "	if was == store.Rejected && p.Phase == store.Rejected {",
			breaks: "a seller buys twice what they may in a day", holds: "nobody buys above their limit without an owner's word", by: "./internal/purchase -run TestRefusedAndMadeCounts",
		},
		{
			name: "the request goes out before the intent is on disk",
			file: file,
			old:  `	s, err := e.commitSubmitting(ctx, a, service, p.ID, before)`,
			new: `	v := e.post(ctx, &submission{purchase: p, service: service})
	s, err := e.commitSubmitting(ctx, a, service, p.ID, before)`,
			also:   []edit{{file, `s.purchase, e.posted(ctx, s))`, `s.purchase, v)`}},
			breaks: "a crash in between buys what nobody knows of",
			holds:  diskFirst,
		},
		{
			name: "the intent is written while the request is on its way",
			file: file,
			old:  `	s, err := e.commitSubmitting(ctx, a, service, p.ID, before)`,
			new: `	answered := make(chan api.Verdict, 1)
	go func() { answered <- e.post(ctx, &submission{purchase: p, service: service}) }()
	s, err := e.commitSubmitting(ctx, a, service, p.ID, before)`,
			also:   []edit{{file, `s.purchase, e.posted(ctx, s))`, `s.purchase, <-answered)`}},
			breaks: "the same, in a smaller window",
			holds:  diskFirst,
		},
		{
			name:   "a failed commit of the intent is only logged",
			file:   file,
			old:    `		return nil, fmt.Errorf("commit the intent of %s: %w", id, err)`,
			new:    `		e.cfg.Log.Error("commit the intent", "purchase", id, "err", err)`,
			breaks: "a full disk lets purchases out that nobody knows of",
			holds:  diskFirst,
		},
		{
			name: "an answer that proves nothing is tried again",
			file: "internal/purchase/verdict.go",
			old: `	default:
		return 0, e.lost(ctx, p.ID, v)`,
			new: `	default:
		if time.Since(p.QueuedAt) < queuedLife {
			return time.Second, e.postpone(ctx, p.ID)
		}
		return 0, e.lost(ctx, p.ID, v)`,
			breaks: "what was bought is bought again",
			holds:  oneAttempt,
		},
		{
			name: "a bad gateway is tried once more",
			file: "internal/purchase/verdict.go",
			old: `	default:
		return 0, e.lost(ctx, p.ID, v)`,
			new: `	default:
		if v.Status == 502 && time.Since(p.QueuedAt) < queuedLife {
			return time.Second, e.postpone(ctx, p.ID)
		}
		return 0, e.lost(ctx, p.ID, v)`,
			breaks: "what was bought behind a 502 is bought again",
			holds:  oneAttempt,
		},
		{
			name:   "the account's turn is not looked at before submitting",
			file:   file,
			old:    `		if a.Busy != "" {`,
			new:    `		if a.Busy == p.ID {`,
			also:   []edit{{"internal/purchase/queue.go", `	if a.Busy != "" || len(a.Queue) == 0 {`, "\tif len(a.Queue) == 0 {"}},
			breaks: "two uncertain purchases of one account cannot be told apart",
			holds:  oneAttempt,
		},
		{
			name:   "a price that has risen is paid",
			file:   file,
			old:    `	case !now.Price.Equal(p.Price):`,
			new:    `	case now.Price.Less(p.Price):`,
			breaks: "people pay another price than the one that they confirmed",
			holds:  money,
		},
		{
			name:   "every purchase asks for one unit",
			file:   file,
			old:    `Plan: p.Plan, Quantity: p.Quantity, Inputs: inputs,`,
			new:    `Plan: p.Plan, Quantity: 1, Inputs: inputs,`,
			breaks: "two were confirmed, and one comes",
			holds:  money,
		},
		{
			name:   "an order that is somebody's already is adopted again",
			file:   "internal/purchase/verdict.go",
			old:    `	if _, err := tx.Order(o.Account, o.ID); !errors.Is(err, store.ErrNotFound) {`,
			new:    `	if _, err := tx.Order(o.Account, o.ID); err != nil && !errors.Is(err, store.ErrNotFound) {`,
			breaks: "two purchases hold one order, or an answer of another purchase stops the line for good",
			holds:  oneOwner,
		},
		{
			name:   "what an answer left out is not counted",
			file:   "internal/purchase/verdict.go",
			old:    `	p.OrderIDs, p.Missing = n.keys(), p.Quantity-len(n.orders)`,
			new:    `	p.OrderIDs, p.Missing = n.keys(), 0`,
			breaks: "a unit that is paid and not named is asked for by nobody",
			holds:  allUnits,
		},
		{
			name: "the debit of an accepted purchase is forgotten",
			file: "internal/purchase/verdict.go",
			old:  `	return true, debit(tx, a, *p, true, toLearn(*a, *p), now)`,
			new: `	a.Wallet.At = now
	return true, nil`,
			breaks: "every purchase looks like money that somebody else has spent",
			holds:  money,
		},
		{
			name:   "a stop cuts a purchase that is on its way at once",
			file:   file,
			old:    `	wire, cut := backoff.WithGrace(ctx, e.cfg.StopGrace)`,
			new:    `	wire, cut := backoff.WithGrace(ctx, 0)`,
			breaks: "every restart makes a purchase uncertain",
			holds:  "a stop lets a purchase finish",
			by:     "./internal/purchase",
		},
		{
			name: "a restored account buys before anybody knows what it bought",
			file: "internal/purchase/allow.go",
			old: `	case a.Frozen:
		return store.ReasonFrozen
`,
			new:    ``,
			breaks: "what was bought after the copy was made is bought again",
			holds:  "a frozen account spends nothing",
			by:     "./internal/purchase",
		},
		{
			name: "a locked account buys what waits in its line",
			file: "internal/purchase/allow.go",
			old: `	case a.Locked != nil:
		return store.ReasonLocked
`,
			new:    ``,
			breaks: "an owner stops all spending, and it goes on",
			holds:  "a locked account spends nothing",
			by:     "./internal/purchase",
		},
		{
			name: "who is in the line is not looked at once more before sending",
			file: file,
			old: `		if why = forbidden(a, p); why != "" {
			return e.end(tx, &p, &a, why)
		}
`,
			new:    ``,
			breaks: "what an owner stops while prices are read is bought all the same",
			holds:  "a locked account spends nothing",
			by:     "./internal/purchase",
		},
		{
			name: "an unlinked account still buys",
			file: "internal/purchase/allow.go",
			old: `	case a.Retired || a.Key.IsZero():
		return store.ReasonUnlinked
`,
			new:    ``,
			breaks: "a key that was taken back spends money",
			holds:  "a retired account spends nothing",
			by:     "./internal/purchase",
		},
		{
			name: "a purchase waits in line for ever",
			file: file,
			old: `	if time.Since(p.QueuedAt) >= queuedLife {
		return 0, e.endPlace(ctx, p.ID)
	}
`,
			new:    ``,
			breaks: "what was confirmed an hour ago and given up is bought without a word",
			holds:  "a wait that outlives its price asks again",
			by:     "./internal/purchase",
		},
	}
}

// confirmingDefects are mistakes between the tap and the line.
func confirmingDefects() []defect {
	const engine, line, phase = "internal/purchase/engine.go", "internal/purchase/queue.go", "internal/purchase/phase.go"
	return []defect{
		{
			name:   "the same ✅ confirms again what was refused",
			file:   phase,
			old:    `		store.Rejected:   {Find: store.Accepted,`,
			new:    `		store.Rejected:   {Confirm: store.Queued, Find: store.Accepted,`,
			also:   []edit{{engine, `open: p.Phase == store.Drafted,`, `open: p.Phase == store.Drafted || p.Phase == store.Rejected,`}},
			breaks: "a second tap, meant for the first, buys",
			holds:  finalIsFinal,
		},
		{
			name:   "a tap on a purchase that waits puts it into the line once more",
			file:   phase,
			old:    `		store.Queued:     {Submit: store.Submitting,`,
			new:    `		store.Queued:     {Confirm: store.Queued, Submit: store.Submitting,`,
			also:   []edit{{engine, `open: p.Phase == store.Drafted,`, `open: p.Phase == store.Drafted || p.Phase == store.Queued,`}},
			breaks: "two taps are two places in the line, and one purchase holds up itself",
			holds:  oneTap,
			by:     "./internal/purchase",
		},
		{
			name: "a summary never expires for the one who taps",
			file: "internal/purchase/tap.go",
			old: `	case !now.Before(o.until):
		return ErrExpired
`,
			new:    ``,
			breaks: "a summary of yesterday buys",
			holds:  oneTap,
		},
		{
			name: "anybody in the chat may confirm",
			file: "internal/purchase/tap.go",
			old: `	case o.user != t.User:
		return ErrNotYours
	case !now`,
			new:    `	case !now`,
			breaks: "somebody else in a group spends",
			holds:  "only the one who drafted it confirms",
			by:     "./internal/conversations -run TestTwoPeopleOneButton",
		},
		{
			name:   "the nonce of a button is not compared",
			file:   "internal/purchase/tap.go",
			old:    ` && subtle.ConstantTimeCompare([]byte(made), []byte(brought)) == 1`,
			new:    ` && subtle.ConstantTimeCompare([]byte(made), []byte(made)) == 1`,
			breaks: "a button can be made up from the id of a purchase",
			holds:  "forged buttons do nothing",
			by:     "./internal/purchase",
		},
		{
			name:   "the price of one unit is the total",
			file:   engine,
			old:    `	total, err := d.Variant.Price.Mul(d.Quantity)`,
			new:    `	total, err := d.Variant.Price.Mul(1)`,
			breaks: "the summary shows less than what is paid",
			holds:  money,
		},
		{
			name:   "an uncertain purchase gives the turn away",
			file:   "internal/purchase/transition.go",
			old:    `	if a.Busy == p.ID && p.Phase != store.Submitting && p.Phase != store.Unknown {`,
			new:    `	if a.Busy == p.ID && p.Phase != store.Submitting {`,
			breaks: "the next purchase of the account blurs the evidence of the uncertain one",
			holds:  oneAttempt,
		},
		{
			name:   "the turn is never given back",
			file:   "internal/purchase/transition.go",
			old:    `	if a.Busy == p.ID && p.Phase != store.Submitting && p.Phase != store.Unknown {`,
			new:    `	if a.Busy == p.ID && p.Phase == store.Accepted {`,
			breaks: "after one refusal an account never buys again",
			holds:  liveness,
		},
		{
			name: "a change of phase tells nobody",
			file: "internal/purchase/transition.go",
			old: `	if err := tx.PutAccount(a); err != nil {
		return err
	}
	if err := showAnew(tx, *p); err != nil {`,
			new: `	if err := tx.PutAccount(a); err != nil || p.Phase == store.Unknown {
		return err
	}
	if err := showAnew(tx, *p); err != nil {`,
			breaks: "the chat is not told that a purchase is uncertain",
			holds:  "an uncertain purchase is said to be one",
			by:     "./internal/purchase",
		},
		{
			name:   "a start sends again what was submitting",
			file:   line,
			old:    `		return e.loseSurely(ctx, p, "the process ended while submitting")`,
			new:    `		return e.postpone(ctx, p.ID)`,
			breaks: "a crash after the request buys twice",
			holds:  oneAttempt,
		},
		{
			name:   "a start calls refused what was submitting",
			file:   line,
			old:    `		return e.loseSurely(ctx, p, "the process ended while submitting")`,
			new:    `		return e.finish(ctx, p.ID, Refuse, "internal", nil)`,
			breaks: "people are told that nothing was charged, and it was",
			holds:  neverDenied,
		},
		{
			name:   "a start forgets what was submitting",
			file:   line,
			old:    `		return e.loseSurely(ctx, p, "the process ended while submitting")`,
			new:    `		return nil`,
			breaks: "a crash stops an account for good",
			holds:  liveness,
		},
		{
			name: "a start does not walk the lines",
			file: line,
			old: `		if p.Phase == store.Queued {
			e.wake(p.Account)
		}
`,
			new:    ``,
			breaks: "what was confirmed before a crash is never bought",
			holds:  liveness,
		},
		{
			name: "the store's index of open purchases is read one page short",
			file: line,
			old: `		if len(list) == 0 {
			return nil
		}
		for _, p := range list {`,
			new: `		if len(list) < 100 {
			return nil
		}
		for _, p := range list {`,
			breaks: "a crash is not recovered from",
			holds:  liveness,
		},
	}
}

// reconcilingDefects are mistakes in looking for an uncertain purchase.
func reconcilingDefects() []defect {
	const reconcile, judge, evidence = "internal/purchase/reconcile.go", "internal/purchase/judge.go", "internal/purchase/evidence.go"
	return []defect{
		{
			name:   "orders that cannot be found count as found",
			file:   "internal/purchase/adopt.go",
			old:    `		if err != nil {` + "\n" + `			return n, false, nil //nolint:nilerr // it does not show`,
			new:    `		if err != nil && api.ClassOf(err) != api.NotFound {` + "\n" + `			return n, false, nil //nolint:nilerr // it does not show`,
			breaks: "a purchase follows orders that do not exist, for ever",
			holds:  trulyOurs,
		},
		{
			name: "one order of several is proof enough",
			file: "internal/purchase/adopt.go",
			old:  `			return n, false, nil //nolint:nilerr // it does not show, or not now: it proves nothing`,
			new: `			continue
`,
			also:   []edit{{"internal/purchase/adopt.go", `	return n, all, nil` + "\n", `	return n, all && len(n.orders) > 0, nil` + "\n"}},
			breaks: "the units whose order could not be read just then are lost",
			holds:  allUnits,
		},
		{
			name:   "orders that were there before the purchase fit",
			file:   "internal/purchase/rows.go",
			old:    `return slices.Contains(p.Before.Rows, name) })`,
			new:    `return slices.Contains(p.Before.Rows[:0], name) })`,
			breaks: "an older order of the same is taken for the lost one",
			holds:  trulyOurs,
		},
		{
			name: "orders that another purchase holds fit",
			file: "internal/purchase/rows.go",
			old: `		case owner == ours:
			continue
`,
			new:    ``,
			breaks: "claims are not exclusive: a person is asked to decide what could be known",
			holds:  oneOwner,
		},
		{
			name: "a list is trusted that never showed an order of ours",
			file: judge,
			old: `	case f.own+f.rivals+f.retried > 0:
		return early(store.RuleOwn)`,
			new: `	case f.rivals > 0:
		return early(store.RuleOwn)`,
			breaks: "an order of another purchase of ours, which no list has shown yet, is taken for this one's",
			holds:  trulyOurs,
			by:     "./internal/purchase",
		},
		{
			name: "the balance is believed although others bought meanwhile",
			file: "internal/purchase/explain.go",
			old: `	case x.Doubtful, x.Before:
		return doubted, true`,
			new: `	case x.Doubtful, x.Before:
		return doubted, false`,
			breaks: "another purchase's debit is taken for this one's",
			holds:  neverDenied,
			by:     "./internal/purchase",
		},
		{
			name: "a list that cannot be read counts as silence",
			file: evidence,
			old: `	case api.ClassOf(err) != api.NotOffered:
		readable = false
`,
			new:    ``,
			also:   []edit{{judge, `	case f.traced || f.others > 0 || f.renamed || !f.listed:`, `	case f.traced || f.others > 0 || f.renamed:`}},
			breaks: "nobody could look, and it is said that nothing was bought",
			holds:  neverDenied,
			by:     "./internal/purchase",
		},
		{
			name:   "nothing is looked for once the time is over",
			file:   reconcile,
			old:    `	p.LookAt, p.DecideBy = now.Add(firstLook), now.Add(e.longest(a, *p))`,
			new:    `	p.LookAt, p.DecideBy = now.Add(e.cfg.ReconcileFor*1000), now.Add(e.cfg.ReconcileFor*1000)`,
			breaks: "an uncertain purchase stops its account for good",
			holds:  liveness,
		},
		{
			name:   "an uncertain outcome rings no phone",
			file:   reconcile,
			old:    `	return tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID + ".u" + string(p.Phase), Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority})`,
			new:    `	return nil`,
			breaks: "the outcome of an uncertain purchase comes without a sound",
			holds:  "what became of an uncertain purchase rings",
			by:     "./internal/purchase",
		},
		{
			name: "the price of what was said not to have happened is forgotten",
			file: "internal/purchase/wallet.go",
			old: `	if i := expected(a.Wallet, purchase); i >= 0 {
		a.Wallet.Expected[i].Doubtful, a.Wallet.Expected[i].Denied = false, true
	}`,
			new:    `	forgo(a, purchase)`,
			breaks: "what is executed late looks like money that somebody else has spent",
			holds:  money,
		},
		{
			name:   "what was found is looked for on",
			file:   "internal/purchase/reconcile.go",
			old:    `func endLooks(p *store.Purchase) { p.LookAt, p.Seeks, p.Before.Rows = time.Time{}, 0, nil }`,
			new:    `func endLooks(p *store.Purchase) { p.Before.Rows = nil }`,
			breaks: "a purchase that was found is looked for a whole day",
			holds:  "the service is not asked about what is known",
			by:     "./internal/purchase",
		},
		{
			name:   "an order that shows late is not taken any more",
			file:   "internal/purchase/phase.go",
			old:    `		store.NotCreated: {Find: store.Accepted, Doubt: store.Undecided},`,
			new:    `		store.NotCreated: {},`,
			breaks: "what the service executes late is paid and never delivered",
			holds:  neverDenied,
		},
		{
			name:   "the quiet time is ignored",
			file:   judge,
			old:    `	case min(f.age, f.waited) >= f.quiet && f.silence >= leastApart:`,
			new:    `	case f.silence >= leastApart:`,
			also:   []edit{{evidence, `f.charge != uncharged || min(f.age, f.waited) < f.quiet:`, `f.charge != uncharged:`}},
			breaks: "a minute after a timeout it is said that nothing was bought, and then it is",
			holds:  nothingFalse,
		},
		{
			name:   "one silent look is enough",
			file:   judge,
			old:    `>= f.quiet && f.silence >= leastApart:`,
			new:    `>= f.quiet:`,
			breaks: "one look at a bad moment says that nothing was bought",
			holds:  neverDenied,
			by:     "./internal/purchase",
		},
		{
			name: "money that has gone does not matter",
			file: judge,
			old: `	case f.charge == charged:
		return early(store.RuleMoneyGone)
`,
			new:    ``,
			also:   []edit{{judge, `	case f.charge != uncharged || f.own > 0:`, `	case f.own > 0:`}, {evidence, `shows := len(v.kept.Rows) > 0 || f.charge == charged`, `shows := len(v.kept.Rows) > 0`}, {evidence, `f.renamed || f.charge != uncharged || min(`, `f.renamed || min(`}},
			breaks: "the price is gone from the wallet, and it is said that nothing was bought",
			holds:  neverDenied,
		},
		{
			name:   "an unreadable balance counts as nothing charged",
			file:   judge,
			old:    `	case f.charge != uncharged || f.own > 0:`,
			new:    `	case f.charge == charged || f.own > 0:`,
			also:   []edit{{evidence, `	case !readable || shows || f.others > 0 || f.renamed || f.charge != uncharged ||`, `	case shows || f.others > 0 || f.renamed || f.charge == charged ||`}},
			breaks: "what cannot be read is taken for a proof",
			holds:  neverDenied,
		},
		{
			name: "more orders than were bought fit as well",
			file: judge,
			old:  `	case len(ids) > f.quantity || n > 0 && f.others > 0:`,
			new:  `	case n > 0 && f.others > 0:`,
			also: []edit{{judge, `	case n == f.quantity:
		return whole(f, unsure, early)`, `	case n >= f.quantity:
		f.candidates = f.candidates[:f.quantity]
		return whole(f, unsure, early)`}},
			breaks: "orders of somebody else are delivered",
			holds:  trulyOurs,
			by:     "./internal/purchase",
		},
		{
			name: "fewer orders than were bought are taken",
			file: judge,
			old: `	case n > 0:
		return early(store.RuleTooFew)`,
			new: `	case n > 0:
		return whole(f, unsure, early)`,
			breaks: "the first look ends the search, and the unit that shows a second later is lost",
			holds:  allUnits,
		},
		{
			name: "orders of a shared account are ours",
			file: judge,
			old: `	case f.shared:
		return unsure(store.RuleShared)
`,
			new:    ``,
			breaks: "a colleague's order is delivered here",
			holds:  trulyOurs,
			by:     "./internal/purchase",
		},
		{
			name:   "the window is a day wide",
			file:   judge,
			old:    `const skew = 2 * time.Minute`,
			new:    `const skew = 24 * time.Hour`,
			breaks: "an order of yesterday is taken for the lost one",
			holds:  trulyOurs,
			by:     "./internal/purchase",
		},
		{
			name:   "the window is a moment wide",
			file:   judge,
			old:    `const skew = 2 * time.Minute`,
			new:    `const skew = 0`,
			breaks: "a service whose clock is off by a second loses orders",
			holds:  allUnits,
		},
		{
			name:   "a search gives up at once",
			file:   judge,
			old:    `		if f.age >= end {`,
			new:    `		if f.age >= firstLook {`,
			breaks: "people are asked about purchases that would be found a minute later",
			holds:  "a person decides once it is clear that time does not",
			by:     "./internal/purchase",
		},
		{
			name:   "an order that fits casts no doubt on a refusal where the money does not agree",
			file:   reconcile,
			old:    `	case f.charge == charged, shows, last && f.charge == unclear:`,
			new:    `	case f.charge == charged, shows && f.charge != uncharged, last && f.charge == unclear:`,
			breaks: "a top-up hides that what was refused was bought, and its code stays behind",
			holds:  money,
			by:     "./internal/purchase",
		},
		{
			name:   "a purchase that is looked for is no rival of a refused one",
			file:   "internal/purchase/own.go",
			old:    `	case p.Phase == store.Unknown, p.Phase == store.Undecided:`,
			new:    `	case p.Phase == store.Undecided:`,
			breaks: "a refused purchase is given the order of another",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestOrderOfOneThatIsLookedFor",
		},
		{
			name:   "money that shows one of two purchases alike is the first one's",
			file:   "internal/purchase/apply.go",
			old:    `append([]string{a.Wallet.Expected[i].Purchase}, alikeDenied(a.Wallet, i, time.Time{})...)`,
			new:    `[]string{a.Wallet.Expected[i].Purchase}`,
			breaks: "the second of two refused purchases was executed, and nobody is asked about it",
			holds:  money,
			by:     "./internal/purchase",
		},
		{
			name:   "money that shows two purchases is none of a third one's",
			file:   "internal/purchase/apply.go",
			old:    `	if len(doubtful) < 2 { // alikeDenied has asked for one`,
			new:    `	if true {`,
			breaks: "a refused purchase was executed, its price is taken for that of two uncertain ones, and its codes stay behind",
			holds:  money,
			by:     "./internal/purchase -run TestMoneyIsHeldAgainstASuspectOfSeveral",
		},
		{
			name:   "a person's word about money that has gone is held against no refusal",
			file:   "internal/purchase/wallet.go",
			old:    `		err = errors.Join(err, e.doubtRefusals(tx, a, taken, gone))`,
			new:    `		err = errors.Join(err)`,
			breaks: "a refused purchase was executed, money that was added hides it behind the price of another one, and its codes stay behind",
			holds:  money,
			by:     "./internal/purchase -run TestDisownedMoneyIsHeldAgainstARefusal",
		},
		{
			name:   "a person's word is held against no refusal that came since",
			file:   "internal/purchase/doubt.go",
			old:    `		return otherShown(tx, a.Wallet, x)`,
			new:    `		return false, nil`,
			breaks: "a refused purchase was executed, its price passes for that of another one, and its codes stay behind",
			holds:  money,
			by:     "./internal/purchase -run TestDisownedMoneyHeldAPrice",
		},
		{
			name:   "money that is gone is no sign of others before it is told of",
			file:   judge,
			old:    `	case f.unexplained:`,
			new:    `	case false:`,
			breaks: "somebody else's second purchase is taken for ours, because nobody was told of their first one yet",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestUnexplainedMoneyIsASign",
		},
		{
			name: "a change is found by its place after a refund has changed the list",
			file: "internal/purchase/apply.go",
			old: `	late, err := applyExpected(tx, a, x, r)
	if err != nil {
		return err
	}
	refunds := map`,
			new: `	refunds := map`,
			also: []edit{{"internal/purchase/apply.go", `	if err := e.settlePurchases(tx, a, refunds, r.at); err != nil {`, `	late, err := applyExpected(tx, a, x, r)
	if err != nil {
		return err
	}
	if err := e.settlePurchases(tx, a, refunds, r.at); err != nil {`}},
			breaks: "of an account that buys much, the price of one purchase is taken for that of another",
			holds:  money,
			by:     "./internal/purchase -run TestRefundAndPriceOfMany",
		},
		{
			name:   "two purchases pass the question about one debit to each other",
			file:   "internal/purchase/wallet.go",
			old:    ` || !o.Disowned.Before(left)`,
			new:    ``,
			breaks: "people are asked about the same two purchases for ever",
			holds:  "people decide what evidence cannot",
			by:     "./internal/purchase",
		},
		{
			name:   "money that went stays the price of a purchase of which nobody knows",
			file:   "internal/purchase/wallet.go",
			old:    `!a.Wallet.Expected[i].Seen.IsZero() || handOver(a, p)`,
			new:    `!a.Wallet.Expected[i].Seen.IsZero()`,
			breaks: "what a person said was bought takes the debit of the next purchase for its price, and that one is called not bought",
			holds:  neverDenied,
			by:     "./internal/purchase",
		},
		{
			name:   "a price that shows late is told to nobody",
			file:   "internal/purchase/price.go",
			old:    `	outside, err := unshow(tx, a, *p, gone.Sub(x.Amount), at)`,
			new:    `	outside, err := false, error(nil)`,
			breaks: "more was charged than was shown, and somebody else is accused of it",
			holds:  money,
			by:     "./internal/purchase -run TestChargedAnotherPriceSeenLate",
		},
		{
			name:   "what is unexplained because of a purchase does not name it",
			file:   "internal/purchase/reading.go",
			old:    `return w.Unexplained == nil && isUnshown(x)`,
			new:    `return isUnshown(x)`,
			breaks: "a thief is accused where a price was another",
			holds:  money,
			by:     "./internal/purchase",
		},
		{
			name:   "orders beside those that fit are asked about again",
			file:   "internal/purchase/wallet.go",
			old:    `, rowIDs(p.Evidence.Beside))`,
			new:    `)`,
			breaks: "a person who has answered is asked every few minutes for a day",
			holds:  "people decide what evidence cannot",
			by:     "./internal/purchase -run TestOrdersThatWereSeen",
		},
		{
			name:   "a top-up that came before a purchase hides the next one",
			file:   "internal/purchase/ambiguous.go",
			old:    `	return w.Unexplained != nil && w.Unexplained.Amount.Sign() > 0 && explain(`,
			new:    `	return false && explain(`,
			breaks: "nothing was charged, it says, and it was",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestTopUpBeforeAPurchase",
		},
		{
			name:   "a top-up that looks like an old reading hides a charge",
			file:   "internal/purchase/evidence.go",
			old:    `	case w.Ambiguous.After(p.SentAt.Add(-memoryOf(v.account))):`,
			new:    `	case false:`,
			breaks: "nothing was charged, it says, and it was",
			holds:  neverDenied,
			by:     "./internal/purchase -run TestTopUpThatLooksLikeAnOldReading",
		},
		{
			name:   "every order that fits counts as failed",
			file:   "internal/purchase/judge.go",
			old:    `(!f.broken || f.charge != uncharged && f.charge != returned)`,
			new:    `f.charge != uncharged`,
			breaks: "an order is taken whose price is not gone",
			holds:  trulyOurs,
			by:     "./internal/purchase -run TestFailedAndPaidBack",
		},
		{
			name:   "no word of a person can change what was judged",
			file:   "internal/purchase/decide.go",
			old:    `p.Phase != store.Undecided:`,
			new:    `p.Phase != store.Unknown:`,
			breaks: "an undecided purchase stays so for ever",
			holds:  "people decide what evidence cannot",
			by:     "./internal/purchase",
		},
		{
			name:   "a restored account buys before its orders were compared",
			file:   "internal/purchase/frozen.go",
			old:    `	case len(seen.unread) > 0:`,
			new:    `	case false:`,
			breaks: "nobody learns what was bought after the copy was made",
			holds:  "a frozen account spends nothing",
			by:     "./internal/purchase",
		},
	}
}

// settlingDefects are mistakes in following orders.
func settlingDefects() []defect {
	const settle, outcome = "internal/purchase/settle.go", "internal/purchase/outcome.go"
	return []defect{
		{
			name: "codes are in one commit and their messages in the next",
			file: settle,
			old: `		for id, c := range touched {
			if err := e.settlePurchase(tx, id, c, at); err != nil {
				return fmt.Errorf("purchase %s: %w", id, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("settle orders of account %s: %w", account, err)
	}
	return nil`,
			new: `		return nil
	})
	for id, c := range touched {
		if err == nil {
			err = e.cfg.Store.Update(ctx, func(tx *store.Tx) error { return e.settlePurchase(tx, id, c, at) })
		}
	}
	if err != nil {
		return fmt.Errorf("settle orders of account %s: %w", account, err)
	}
	return nil`,
			also: []edit{{settle, `	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		wantSeen(tx, account, seen)
		touched := map[string]orderChange{}
		for _, o := range seen {`, `	touched := map[string]orderChange{}
	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		for _, o := range seen {`}},
			breaks: "a crash in between keeps a code that nobody is told of",
			holds:  sameCommit,
		},
		{
			name:   "a code that came is stored and nobody is told",
			file:   settle,
			old:    `recoded || coded || words || noted || o.State != was.State || o.Late`,
			new:    `recoded || (coded || words) && false || noted || o.Late`,
			breaks: "codes stay in the database",
			holds:  sameCommit,
		},
		{
			name:   "the code of an order is not stored",
			file:   outcome,
			old:    `		o.Code = seen.Code`,
			new:    `		o.Instead = seen.Code`,
			breaks: "a paid code is lost",
			holds:  sentIsSeen,
		},
		{
			name:   "an order that has its code is still asked for",
			file:   outcome,
			old:    `	return o.State == store.Completed || was.Rechecked || seen.Claim == api.HasCode || seen.Stage() == api.Done`,
			new:    `	return false`,
			breaks: "the service is asked for ever about what is known",
			holds:  "what has ended is not looked at any more",
			by:     "./internal/purchase",
		},
		{
			name:   "a purchase ends with its first order",
			file:   settle,
			old:    `	if count.waiting > 0 || count.refunds > 0 || p.Phase`,
			new:    `	if count.ended() == 0 || count.refunds > 0 || p.Phase`,
			breaks: "it is said that everything is there, and half of it is",
			holds:  nothingFalse,
		},
		{
			name:   "a purchase ends before its money is back",
			file:   settle,
			old:    `	if count.waiting > 0 || count.refunds > 0 || p.Phase`,
			new:    `	if count.waiting > 0 || p.Phase`,
			breaks: "a purchase ends without its refund",
			holds:  "a purchase ends with its money",
			by:     "./internal/purchase",
		},
		{
			name:   "a refund is waited for twice",
			file:   settle,
			old:    `		case o.State == store.Failed && o.Refund == store.NoRefund:`,
			new:    `		case o.State == store.Failed && o.Refund != store.RefundSeen:`,
			breaks: "the books wait for money that has come",
			holds:  money,
		},
		{
			name: "the refund of a failed order is not waited for",
			file: settle,
			old: `			a.Refunds = append(a.Refunds, id)
`,
			new:    ``,
			breaks: "money that came back is called somebody else's",
			holds:  money,
		},
		{
			name:   "the phone rings before the code is there",
			file:   "internal/purchase/ping.go",
			old:    `ID: fmt.Sprintf("%s.p%d", p.ID, u.ended()), Kind: store.Ping`,
			new:    `ID: fmt.Sprintf("!%s.p%d", p.ID, u.ended()), Kind: store.Ping`,
			breaks: "people look, and there is nothing yet",
			holds:  chatOrder,
		},
		{
			name:   "the phone rings at every look",
			file:   "internal/purchase/ping.go",
			old:    `	return u.waiting == 0 || p.Told.Pinged == 0`,
			new:    `	return u.waiting >= 0`,
			breaks: "ten units ring ten times",
			holds:  "the phone rings for the first code and for the last",
			by:     "./internal/purchase",
		},
		{
			name: "a status that nobody knows is a failure",
			file: outcome,
			old: `	case stage == api.Broken:
		return store.Failed`,
			new: `	case stage == api.Broken, stage == api.Unrecognized && !coded:
		return store.Failed`,
			breaks: "an order that is on its way is called failed, and its code is never taken",
			holds:  nothingFalse,
		},
		{
			name:   "a success without a code is the end",
			file:   outcome,
			old:    `	case stage == api.Done && (o.Topup || !o.Notes.IsZero() || o.Manual && api.Sentence(o.Instead.Reveal())):`,
			new:    `	case stage == api.Done:`,
			breaks: "a code that follows a moment later is never taken",
			holds:  sentIsSeen,
		},
		{
			name:   "a failed order is one that still waits",
			file:   "internal/api/status.go",
			old:    `"fail", "failed", "failure",`,
			new:    `"fail", "failure",`,
			breaks: "a failed order is waited for, for ever",
			holds:  liveness,
		},
	}
}

// walletDefects are mistakes in the books of the wallet.
func walletDefects() []defect {
	const file, accounts, explain = "internal/purchase/wallet.go", "internal/purchase/accounts.go", "internal/purchase/explain.go"
	return []defect{
		{
			name: "a refund that was seen is waited for on",
			file: "internal/purchase/refunds.go",
			old: `	a.Refunds = without(a.Refunds, o.ID)
	if err := tx.PutOrder(&o)`,
			new:    `	if err := tx.PutOrder(&o)`,
			breaks: "the next money that comes in is taken for the same refund",
			holds:  money,
		},
		{
			name: "a refund is noted without a movement",
			file: "internal/purchase/refunds.go",
			old:  "\treturn record(tx, a, store.Movement{At: r.at, Shown: r.since, Kind: kind, Amount: amount, Balance: a.Wallet.Available, Purchase: o.Purchase})",
			new: `	_ = kind
	return nil`,
			breaks: "the list of movements does not add up",
			holds:  money,
		},
		{
			name:   "two refunds that come together are not recognised",
			file:   explain,
			old:    `			for n := 0; n <= len(g.causes); n++ {`,
			new:    `			for n := 0; n <= min(1, len(g.causes)); n++ {`,
			breaks: "refunds are called money from elsewhere, and people are told that they never came",
			holds:  money,
		},
		{
			name: "a rise that fits no refund is one",
			file: explain,
			old: `	found := sums[change.String()]
`,
			new: `	found := sums[change.String()]
	for _, s := range sums {
		if found == nil && len(s.taken) > 0 && s.taken[0].kind == refund && s.amount.Less(change) {
			found = s
		}
	}
`,
			breaks: "a deposit is told to people as their refund",
			holds:  money,
			by:     "./internal/purchase",
		},
		{
			name: "a purchase is taken out of the wallet twice",
			file: file,
			old: `		a.Wallet.Available = a.Wallet.Available.Add(x.Amount)
	}
	a.LookAt`,
			new: `		a.Wallet.Available = a.Wallet.Available.Add(x.Amount).Add(x.Amount)
	}
	a.LookAt`,
			breaks: "the books are wrong after every purchase",
			holds:  money,
		},
		{
			name:   "one unit of a purchase is taken out of the wallet",
			file:   file,
			old:    `Amount: dzd.Amount{}.Sub(p.Total), Purchase: p.ID, Doubtful: true,`,
			new:    `Amount: dzd.Amount{}.Sub(p.Price), Purchase: p.ID, Doubtful: true,`,
			breaks: "the rest looks like money that somebody else has spent",
			holds:  money,
		},
		{
			name:   "a reading counts although a purchase is on its way",
			file:   "internal/purchase/reading.go",
			old:    `	if err != nil || b.Lacks || a.Busy != "" || `,
			new:    `	if err != nil || b.Lacks || `,
			also:   []edit{{"internal/purchase/reading.go", `now.Busy != "" || now.Spends != a.Spends {`, `now.Spends != a.Spends {`}},
			breaks: "our own purchase is called somebody else's, and told as an alarm",
			holds:  money,
			by:     "./internal/purchase -run TestReadingBesideTheWire",
		},
		{
			name:   "a reading from before a purchase is written after it",
			file:   accounts,
			old:    `		if now.Busy != "" || now.Spends != a.Spends {` + "\n\t\t\tseen",
			new:    `		if now.Spends < 0 {` + "\n\t\t\tseen",
			breaks: "the wallet seems to have what is spent, until it seems stolen",
			holds:  money,
			by:     "./internal/purchase -run TestReadingIsOfItsMoment",
		},
		{
			name:   "a reading that spans a purchase counts",
			file:   "internal/purchase/reading.go",
			old:    `now.Busy != "" || now.Spends != a.Spends {`,
			new:    `now.Busy != "" {`,
			breaks: "a purchase between reading and writing is called somebody else's",
			holds:  money,
			by:     "./internal/purchase",
		},
		{
			name:   "money that came before anybody knew that an order failed is no refund",
			file:   "internal/purchase/reading.go",
			old:    `	causes = append(causes, possibleRefunds(a.Wallet, r.pending)...)`,
			new:    `	causes = append(causes, possibleRefunds(a.Wallet, r.pending[:0])...)`,
			breaks: "a refund is called money from elsewhere, and then told as missing",
			holds:  money,
		},
		{
			name: "a refund that does not come is not told",
			file: "internal/purchase/refunds.go",
			old: `		return store.RefundMissing
`,
			new: `		return store.RefundWaiting
`,
			breaks: "nobody asks for the money",
			holds:  "a refund that is not seen is told",
			by:     "./internal/purchase",
		},
		{
			name: "refunds are looked for once",
			file: accounts,
			old: `	} else if len(a.Refunds) > 0 {
		sooner(a.RefundAt)
	}`,
			new:    `	}`,
			breaks: "a refund that comes a minute later is never seen",
			holds:  liveness,
		},
	}
}

// teamDefects are mistakes in who may spend what.
func teamDefects() []defect {
	const allow, approve = "internal/purchase/allow.go", "internal/purchase/approve.go"
	return []defect{
		{
			name:   "a chat that sees no codes buys more of them",
			file:   allow,
			old:    `		if full = full || !since.IsZero() && time.Since(since) > codesWait; full {`,
			new:    `		if _ = since; full {`,
			breaks: "money turns into codes that nobody can see",
			holds:  "nothing is bought where codes wait",
			by:     "./internal/purchase",
		},
		{
			name: "a limit is shown and not kept",
			file: allow,
			old: `	case !m.Allows(p.Total, day):
		return ErrLimit
`,
			new:    ``,
			breaks: "a seller spends the wallet",
			holds:  "nobody spends above their limit",
			by:     "./internal/purchase",
		},
		{
			name:   "what was spent today is not counted",
			file:   allow,
			old:    `	store.Admit(a, m.Spend(p.Total, day))` + "\n\tp.Day = day\n}\n\n// giveBack",
			new:    "\tp.Day = day\n}\n\n// giveBack",
			breaks: "a limit of a day is one of a purchase",
			holds:  "nobody spends above their limit",
			by:     "./internal/purchase",
		},
		{
			name:   "an uncertain purchase gives its limit back",
			file:   allow,
			old:    `p.Phase != store.Rejected && p.Phase != store.Dropped && !denied {`,
			new:    `p.Phase != store.Rejected && p.Phase != store.Dropped && p.Phase != store.NotCreated {`,
			breaks: "what comes home late was spent above the limit",
			holds:  "nobody spends above their limit",
			by:     "./internal/purchase",
		},
		{
			name: "who was taken out of the team buys what waits in line",
			file: allow,
			old: `	case !a.Role(p.User).AtLeast(store.Seller):
		return store.ReasonRemoved
`,
			new:    ``,
			breaks: "somebody is dismissed, and spends once more",
			holds:  "rights are those of the moment",
			by:     "./internal/purchase",
		},
		{
			name:   "a seller approves",
			file:   "internal/purchase/tap.go",
			old:    `	case a.Role(t.User) != store.Owner || t.Chat != t.User:`,
			new:    `	case !a.Role(t.User).AtLeast(store.Seller) || t.Chat != t.User:`,
			breaks: "those whom a limit is for lift it for each other",
			holds:  "owners approve",
			by:     "./internal/purchase",
		},
		{
			name:   "an approval is good for two",
			file:   approve,
			old:    `open: p.Phase == store.Asked,`,
			new:    `open: p.Phase != store.Drafted,`,
			breaks: "a second owner's tap meets a purchase that is on its way",
			holds:  oneTap,
			by:     "./internal/purchase",
		},
	}
}
