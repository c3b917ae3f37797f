//go:build defects

package proof

// queueDefects are mistakes in what people are asked and told before they buy, while they wait, and where something
// fails.
func queueDefects() []defect {
	const (
		buy, park, api, screens  = "internal/conversations/buy.go", "internal/conversations/park.go", "internal/api/topup.go", "internal/screen/purchase.go"
		repeat, held, recordFile = "internal/purchase/repeat.go", "internal/purchase/held.go", "internal/purchase/record.go"
		engine, approve          = "internal/purchase/engine.go", "internal/purchase/approve.go"
		askedOnce                = "the same for the same player is asked about before it is bought twice"
		inTime                   = "a wait says for what and until when, and ends then"
		settledSurely            = "what became of a request is written, or the purchase is uncertain"
		answersItself            = "what could not be handled is answered itself, at once or not at all"
	)
	return []defect{
		{
			name:   "🔁 trusts the player of the last time",
			file:   "internal/conversations/repeat.go",
			old:    `Before: p.Player, Price: &p.Price}`,
			new:    `Player: p.Player, Price: &p.Price}`,
			breaks: "a stranger gets the top-up of a regular",
			holds:  "a player is verified before each summary",
			by:     "./internal/conversations -run TestAgainVerifiesThePlayer",
		},
		{
			name:   "🔁 forgets who the player was",
			file:   "internal/conversations/topup.go",
			old:    `	return was.Game == pl.Game && was.ID == pl.ID && (was.Name != pl.Name || was.Region != pl.Region) && was.Name+was.Region != ""`,
			new:    `	return false`,
			breaks: "nobody is warned that the id is somebody else's by now",
			holds:  "a player who has changed is pointed out",
			by:     "./internal/conversations -run TestAgainVerifiesThePlayer",
		},
		{
			name: "every comma is a point",
			file: "internal/figures/figures.go",
			old: `	case grouped(groups, separators):
		return strings.Join(groups, ""), false, true`,
			new: `	case grouped(groups, separators):
		return strings.Join(groups, "."), true, true`,
			breaks: "an alert below 25,000 is one below 25",
			holds:  "an amount that can be read in two ways is asked about",
			by:     "./internal/conversations -run TestAmountsAreReadAsWritten",
		},
		{
			name:   "only the same buyer repeats a purchase",
			file:   repeat,
			old:    `		if asks && id != like.ID && isSame(p, like) {`,
			new:    `		if asks && id != like.ID && isSame(p, like) && (like.User == 0 || p.User == like.User) {`,
			breaks: "two counters top up one player twice",
			holds:  askedOnce,
		},
		{
			name: "a ✅ does not ask about what was bought since",
			file: engine,
			old: `		if same, err := unasked(tx, *p, *a, now); err != nil || len(same) > 0 {
			return errors.Join(err, repeated(same))
		}
`,
			new:    ``,
			breaks: "of two summaries side by side both are bought",
			holds:  askedOnce,
		},
		{
			name:   "an owner approves what was bought meanwhile",
			file:   approve,
			old:    `		case len(same) > 0:`,
			new:    `		case len(same) > 1000:`,
			breaks: "a player is topped up twice by an owner who could not know",
			holds:  askedOnce,
		},
		{
			name:   "what is uncertain for long repeats nothing",
			file:   repeat,
			old:    `	case store.Queued, store.Submitting, store.Unknown, store.Undecided:`,
			new:    `	case store.Queued, store.Submitting:`,
			breaks: "what may have been bought is bought again without a question",
			holds:  askedOnce,
		},
		{
			name:   "an invalid player is one that is not checked",
			file:   api,
			old:    `e.Class == Invalid && (sure || e.Status == http.StatusUnprocessableEntity):`,
			new:    `e.Class == Invalid && e.Status == 0 && sure:`,
			breaks: "a top-up for nobody is offered with a ✅",
			holds:  "a player whom the service refuses is asked for anew",
			by:     "./internal/conversations -run TestRefusedChecks",
		},
		{
			name:   "a firewall's refusal is believed",
			file:   api,
			old:    `	case errors.Is(err, errNotWrapped):`,
			new:    `	case false:`,
			breaks: "a good player is called wrong",
			holds:  "a refusal is the service's own",
			by:     "./internal/conversations -run TestRefusedChecks",
		},
		{
			name: "a place in line ends when its turn comes",
			file: "internal/store/codecs.go",
			old: `			case p.Phase == Queued:
				return p.TurnBy
`,
			new:    ``,
			breaks: "people stand there for ten minutes and are told then",
			holds:  inTime,
			by:     "./internal/purchase -run TestPlaceEnds",
		},
		{
			name: "a place in line ends although its turn has come",
			file: held,
			old:  "\t\tif err != nil || p.Phase != store.Queued || time.Since(p.QueuedAt) < queuedLife {",
			new:  "\t\tif err != nil || p.Phase.Final() || time.Since(p.QueuedAt) < queuedLife {",
			also: []edit{{engine, `	case p.Phase == store.Queued:
		return e.endPlace(ctx, p.ID)`, `	case p.Phase == store.Queued || p.Phase == store.Unknown:
		return e.endPlace(ctx, p.ID)`}},
			breaks: "nobody looks for what is uncertain",
			holds:  liveness,
		},
		{
			name:   "whoever waits is told that it is being sent",
			file:   "internal/screen/status.go",
			old:    `		return p.waiting(pu, at)`,
			new:    `		return p.t("status.queued", nil), nil`,
			breaks: "people wait for what has not begun",
			holds:  inTime,
		},
		{
			name:   "/orders does not know the line",
			file:   "internal/conversations/order.go",
			old:    `	m := t.scr.Purchases().Trading(trade).Again(p, orders, at)`,
			new:    `	m := t.scr.Purchases().Trading(trade).Again(p, orders, store.QueuePlace{Ahead: at.Ahead * 0})`,
			breaks: "who asks for a purchase that waits is not told for what",
			holds:  inTime,
			by:     "./internal/conversations -run TestWaitingSaysForWhat",
		},
		{
			name: "anybody lets the others go first",
			file: held,
			old: `		case !a.Decides(p, user):
			return ErrNotAllowed
`,
			new:    ``,
			breaks: "a seller gives up the search for money that is not theirs",
			holds:  "an owner decides about what is uncertain",
		},
		{
			name:   "who lets the others go first is not asked",
			file:   held,
			old:    `errors.Join(queueFor(tx, p, store.Decision, ".q", []int64{user}), e.pingUncertain(tx, p, a, user))`,
			new:    `e.pingUncertain(tx, p, a, user)`,
			breaks: "one of two owners reads that it is theirs to decide, and nothing comes",
			holds:  "an owner decides about what is uncertain",
			by:     "./internal/conversations -run TestAnotherOwnerLetsTheOthersGo",
		},
		{
			name: "the others are let go, and nobody goes",
			file: held,
			old: `		e.log(seen).Info(why, "by", user)
		e.wake(seen.Account)
`,
			new: `		e.log(seen).Info(why, "by", user)
`,
			breaks: "the line stands still until somebody buys",
			holds:  liveness,
		},
		{
			name:   "what was waited for is not told that nobody waits any more",
			file:   held,
			old:    `	if was == store.Queued && p.Phase.Final() {`,
			new:    `	if false && was == store.Queued && p.Phase.Final() {`,
			breaks: "an owner lets others go first of whom there are none, and has to decide for that",
			holds:  "an owner decides about what is uncertain",
			by:     "./internal/conversations -run TestNobodyWaitsAnyMore",
		},
		{
			name:   "others are let go where spending is locked",
			file:   held,
			old:    `		if err := locked(a); err != nil {`,
			new:    `		if err := locked(a); err != nil && false {`,
			breaks: "an owner has to decide about what is uncertain for purchases that end the moment they go",
			holds:  "an owner decides about what is uncertain",
			by:     "./internal/conversations -run TestNobodyGoesWhereSpendingIsLocked",
		},
		{
			name:   "who may not buy any more goes on to wait",
			file:   "internal/conversations/offers.go",
			old:    `		case p.Phase == store.Queued && p.List == "":`,
			new:    `		case false && p.Phase == store.Queued && p.List == "":`,
			breaks: "who was removed reads that their purchase is under way, and an owner lets it go first",
			holds:  "an owner decides about what is uncertain",
			by:     "./internal/conversations -run TestWhoIsRemovedWaitsNoMore",
		},
		{
			name: "those who wait are not told for what",
			file: "internal/purchase/transition.go",
			old: `	if err := tellQueue(tx, *p, *a, before.Phase); err != nil {
		return err
	}
`,
			new:    ``,
			breaks: "a wait behind an uncertain purchase looks like any other",
			holds:  inTime,
			by:     "./internal/conversations -run TestBehindWhatBecomesUncertain",
		},
		{
			name: "owners are not asked whether the others may go",
			file: engine,
			old:  `	return tellHeld(tx, *held, *a)`,
			new:  `	return nil`,

			breaks: "nobody who may change it knows that people wait",
			holds:  inTime,
			by:     "./internal/conversations -run TestOwnerLetsTheOthersGo",
		},
		{
			name: "an outcome that cannot be written is given up",
			file: recordFile,
			old: `	for {
		lost := guarded(`,
			new: `	for err == nil {
		lost := guarded(`,
			also: []edit{{recordFile, `		if !backoff.Sleep(ctx, writeRetry) {
			return lost
		}
	}
}`, `		if !backoff.Sleep(ctx, writeRetry) {
			return lost
		}
	}
	return err
}`}},
			breaks: "a purchase is “Sending…” until the next start, and its account stands still",
			holds:  settledSurely,
			by:     "./internal/app -run TestOutcomeThatCannotBeWritten",
		},
		{
			name:   "nobody learns of an outcome that cannot be written",
			file:   recordFile,
			old:    `err != nil || e.cfg.Operator == 0 {`,
			new:    `err != nil || e.cfg.Operator != 0 {`,
			breaks: "a broken store is found by its customers",
			holds:  settledSurely,
			by:     "./internal/app -run TestOutcomeThatCannotBeWritten",
		},
		{
			name: "what could not be handled is told to nobody in particular",
			file: park,
			old: `		args[store.ReplyArg] = strconv.Itoa(u.Message.ID)
`,
			new:    ``,
			breaks: "it is taken for an answer to the ✅ after it",
			holds:  answersItself,
			by:     "./internal/app ./internal/store -run TestParked",
		},
		{
			name:   "what could not be handled is told however late",
			file:   park,
			old:    `parkedToldFor = 2 * time.Minute`,
			new:    `parkedToldFor = time.Hour`,
			breaks: "it is taken for an answer to the ✅ after it",
			holds:  answersItself,
			by:     "./internal/app ./internal/store -run TestParked",
		},
		{
			name:   "a tap that may have bought is said to have charged nothing",
			file:   park,
			old:    `if err != nil || bought || time.Since(`,
			new:    `if err != nil || time.Since(`,
			also:   []edit{{park, `		bought, err := b.shownAsItIs(`, `		_, err = b.shownAsItIs(`}},
			breaks: "people are told that nothing was charged, and it was",
			holds:  neverDenied,
			by:     "./internal/app ./internal/store -run TestParked",
		},
	}
}
