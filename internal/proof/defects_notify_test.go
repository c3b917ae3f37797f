//go:build defects

package proof

import "slices"

// notifyDefects are mistakes in what happens with nobody typing.
func notifyDefects() []defect {
	return slices.Concat(deliveringDefects(), noteDefects(), answeredDefects(), paceDefects(), followingDefects(), watchingDefects())
}

// noteDefects are mistakes in what notes are called, how they read and when they go.
func noteDefects() []defect {
	const note, holds = "internal/store/note.go", "a note says what it is about"
	return []defect{
		{
			name:   "what is for a topic that is gone is lost",
			file:   "internal/notify/hear.go",
			old:    `	if o.Thread == 0 || !telegram.TopicIsGone(err) {`,
			new:    `	if o.Thread == 0 || telegram.TopicIsGone(err) {`,
			breaks: "a group waits for deliveries that Telegram has refused",
			holds:  "a topic that is closed or gone loses no message",
			by:     "./internal/conversations -run TestATopicThatIsGone",
		},
		{
			name: "who has bought something can have it not come",
			file: "internal/notify/hear.go",
			old: `	case store.Copy:
		return true
`,
			new: `	case store.Copy, store.Ping, store.Document:
		return true
`,
			breaks: "a file of codes that were paid is never sent",
			holds:  "who has bought something gets it",
			by:     "./internal/notify -run TestWhatCannotBeOff",
		},
		{
			name:   "a code rings in the quiet hours",
			file:   "internal/notify/hear.go",
			old:    `	v.silent = how != store.Aloud || quiet`,
			new:    `	v.silent = how != store.Aloud`,
			breaks: "people are woken for what they asked to come quietly",
			holds:  "in quiet hours nothing makes a sound",
			by:     "./internal/conversations -run TestQuietNight",
		},
		{
			name:   "the group reads what the day has cost",
			file:   "internal/screen/reports.go",
			old:    `	if p.reader != ForOwner { // in a group`,
			new:    `	if p.reader == ForSeller { // in a group`,
			breaks: "sellers and customers read the profit of the shop",
			holds:  "owners see cost and profit",
			by:     "./internal/conversations -run TestTopicsOfTheGroup",
		},
		{
			name:   "the file of a big purchase comes without a sound",
			file:   "internal/notify/file.go",
			old:    `Silent: !loud, ReplyTo`,
			new:    `Silent: true, ReplyTo`,
			breaks: "500 codes are there and no phone rings",
			holds:  "the phone rings once for a purchase whose codes come in a file",
			by:     "./internal/notify",
		},
		{
			name:   "the end of a big purchase is not rung for",
			file:   "internal/purchase/ping.go",
			old:    `p.Chat > 0 && (filed || u.waiting > 0)`,
			new:    `u.codes > 0`,
			breaks: "a unit of a big purchase fails, or it is a group's, and no phone rings",
			holds:  "the phone rings once for a purchase whose codes come in a file",
			by:     "./internal/notify",
		},
		{
			name:   "all units of a big purchase are looked at before any is ready",
			file:   "internal/notify/poll_sample.go",
			old:    `counted[o.Purchase] > deciding`,
			new:    `counted[o.Purchase] > 5000`,
			breaks: "the budget is used up before the codes are there",
			holds:  "500 codes that become ready together come within three seconds",
			by:     "./internal/notify",
		},
		{
			name:   "the rest of a purchase is not asked for when a part of it was ready",
			file:   "internal/notify/poll_schedule.go",
			old:    `	if came := s.arrived(together); len(came) > 0 &&`,
			new:    `	if came := s.arrived(together); len(came) > 1000 &&`,
			breaks: "most codes of a big purchase come late",
			holds:  "500 codes that become ready together come within three seconds",
			by:     "./internal/notify",
		},
		{
			name:   "the rest of a purchase is asked for by one call after another",
			file:   "internal/notify/poll.go",
			old:    `	mostBeside = 4`,
			new:    `	mostBeside = 1`,
			breaks: "each hundred codes of a big purchase come a call and a settlement later",
			holds:  "500 codes that become ready together come within three seconds",
			by:     "./internal/notify -run TestRestOfAPurchase",
		},
		{
			name:   "one of the calls side by side fails, and the others are not settled",
			file:   "internal/notify/poll_look.go",
			old:    `		if len(asked) > 0 {`,
			new:    `		if len(asked) > 0 && len(errored) == 0 {`,
			breaks: "codes that a call has shown are not taken, since another call has failed",
			holds:  "500 codes that become ready together come within three seconds",
			by:     "./internal/notify -run TestRestOfAPurchase",
		},
		{
			name:   "an answer waits for a call that hangs",
			file:   "internal/notify/poll.go",
			old:    `	gatherWithin = 300 * time.Millisecond`,
			new:    `	gatherWithin = 300 * time.Second`,
			breaks: "400 codes wait for the hundred of a call that hangs",
			holds:  "500 codes that become ready together come within three seconds",
			by:     "./internal/notify -run TestRestOfAPurchase",
		},
		{
			name:   "what one call shows of another one's orders is taken",
			file:   "internal/notify/poll_look.go",
			old:    `return !own[o.ID] })`,
			new:    `return len(own) == 0 })`,
			breaks: "a list of a while ago has a code delivered that is another one by now",
			holds:  "a call tells of what it asked for",
			by:     "./internal/notify -run TestEachCallTellsOfItsOwn",
		},
		{
			name:   "a batch that was refused is asked for again as a whole",
			file:   "internal/notify/poll_batch.go",
			old:    `	if s.cautious = half;`,
			new:    `	if s.cautious = 0 * half;`,
			breaks: "two orders that the service does not take keep sixty codes away for ever",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestCaution",
		},
		{
			name:   "an order that the service does not take rides along",
			file:   "internal/notify/poll_claim.go",
			old:    `len(s.orders) < batchSize && s.inBatches(o) {`,
			new:    `len(s.orders) < batchSize {`,
			breaks: "instant codes come twenty seconds late, for each call is refused for another order",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestRefusedDoesNotRide",
		},
		{
			name:   "a search by halves has each look behind it begin small",
			file:   "internal/notify/poll_batch.go",
			old:    `		s.cautious = s.before`,
			new:    `		s.cautious += 0 * s.before`,
			breaks: "one order that the service does not take has each look ask for a few orders, call after call",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestCaution",
		},
		{
			name:   "a limit of a moment is kept for ever",
			file:   "internal/notify/poll_batch.go",
			old:    `	case s.mayGrow(now):`,
			new:    `	case s.mayGrow(now) && s.kept < 0:`,
			breaks: "since the service was restarted once, 500 codes take 250 calls",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestLimitThatWasNone",
		},
		{
			name:   "a limit is asked against in each look",
			file:   "internal/notify/poll_batch.go",
			old:    `	s.lowered++`,
			new:    `	s.lowered = 0`,
			breaks: "each look at a big purchase spends a call that is refused",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestSizes",
		},
		{
			name:   "a bad order has a limit stay that is gone",
			file:   "internal/notify/poll_batch.go",
			old:    `s.cautious = half; s.kept > 0 && n > s.kept {`,
			new:    `s.cautious = half; s.kept > 0 {`,
			breaks: "a limit of a moment is kept for as long as an order is followed that the service does not take",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestSizes",
		},
		{
			name:   "a service that takes nothing is searched",
			file:   "internal/notify/poll_batch.go",
			old:    `s.inVain == mostInVain && s.largest == 0 {`,
			new:    `s.inVain < 0 {`,
			breaks: "a bad moment of the service uses up the calls of a minute",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestNothingIsTaken",
		},
		{
			name:   "a batch that fails for its number is asked for again",
			file:   "internal/notify/poll_batch.go",
			old:    `s.broke, s.cautious = n, min(s.cautious, max(n/2, min(n, 2*mostApart)));`,
			new:    `s.broke = n;`,
			breaks: "where the service fails for more than fifty orders, 200 codes take four minutes",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestBatchesThatFailForTheirNumber",
		},
		{
			name:   "what was known of a service is kept for ever",
			file:   "internal/notify/poll_claim.go",
			old:    "		p.sweep(time.Now())",
			new:    "		_ = p.sweep",
			breaks: "each account that ever had a bad order takes its memory to the end",
			holds:  "memory does not grow with the accounts that have bought once",
			by:     "./internal/notify -run TestSchedulesAreForgotten",
		},
		{
			name:   "batches that are taken side by side count for nothing",
			file:   "internal/notify/poll_look.go",
			old:    `			p.change(func() { s.batchAnswered(len(a.asked), shownOf(a.asked, a.seen)) })`,
			new:    `			p.change(func() { _ = s.batchAnswered })`,
			breaks: "the rest of a big purchase goes on in small calls",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestBatchesBesideCount",
		},
		{
			name:   "an order that batches are refused for waits while they rest",
			file:   "internal/notify/poll_schedule.go",
			old:    `posts.Most > 0 && s.broken == 0 {`,
			new:    `posts.Most > 0 {`,
			breaks: "its code comes when batches are tried again, ever more slowly",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestSingleOrders",
		},
		{
			name:   "one unit that was ready alone has all others asked for",
			file:   "internal/notify/poll_sample.go",
			old:    `known.asked+n, known.done+fresh[purchase]`,
			new:    `n, fresh[purchase]`,
			breaks: "calls are spent on what is not ready",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestOneOfManySaysLittle",
		},
		{
			name:   "an order that is done without a code takes the time of all others",
			file:   "internal/notify/poll_sample.go",
			old:    ` && o.SeenAt.Before(known.since)`,
			new:    ``,
			breaks: "nothing else that a shop buys arrives for half an hour",
			holds:  "every code arrives",
			by:     "./internal/notify -run TestDoneWithoutCodeHoldsUpNobody",
		},
		{
			name:   "an order that is not known yet is looked at five minutes later",
			file:   "internal/notify/poll_apart.go",
			old:    `backoff.Doubled(firstRest, refusedWait, s.fruitless[o.ID].made)`,
			new:    `backoff.Doubled(refusedWait, refusedWait, s.fruitless[o.ID].made)`,
			breaks: "where the service takes a second to know an order, its code comes five minutes later",
			holds:  "every code arrives",
			by:     "./internal/notify -run TestNewOrderIsKnownSoon",
		},
		{
			name:   "an answer that shows some of the orders has no limit",
			file:   "internal/notify/poll_batch.go",
			old:    `	if s.pages >= samePages && asked`,
			new:    `	if s.pages < 0 && asked`,
			breaks: "most of what an answer leaves out is not seen for hours",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestAnswersOfSome",
		},
		{
			name:   "an order that is refused beside others is a limit of one",
			file:   "internal/notify/poll_look.go",
			old:    `	case len(batch) > 3:`,
			new:    `	case len(batch) > 0:`,
			breaks: "all that polling may ask for goes to single orders",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestOrderRefusedBesideOthers",
		},
		{
			name:   "a single order is asked for at one endpoint alone",
			file:   "internal/notify/poll_apart.go",
			old:    `		look.alone = false`,
			new:    `		look.alone = true`,
			breaks: "where that endpoint fails, its code comes an hour late",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestSingleBesideAnEndpoint",
		},
		{
			name:   "a beat takes the oldest order first",
			file:   "internal/notify/poll_beats.go",
			old:    `	slices.SortFunc(together, unseen)`,
			new:    `	slices.SortFunc(together, func(x, y *pending) int { return x.CreatedAt.Compare(y.CreatedAt) })`,
			breaks: "where the budget of a beat is short, the youngest orders are never seen",
			holds:  "every order is looked at",
			by:     "./internal/notify -run TestBeatTakesTheLongestUnseen",
		},
		{
			name:   "a beat asks an endpoint that does not show the order",
			file:   "internal/notify/poll_beats.go",
			old:    `		case batches && s.inBatchOfOne(o.Order):`,
			new:    `		case batches && s.inBatchOfOne(o.Order) && o.ID == "":`,
			breaks: "an order that only a batch of one shows is not seen in beats",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestBeatAsksForSinglesByBatch",
		},
		{
			name:   "a failure of many has more asked for again at once",
			file:   "internal/notify/poll_batch.go",
			old:    `min(n, 2*mostApart))); s.kept > 0 && n > s.kept {`,
			new:    `min(n, 2*mostApart))); s.kept < 0 && n > s.kept {`,
			breaks: "two of three calls fail for as long as orders are open",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestSizes",
		},
		{
			name:   "what an answer loses by chance is a limit",
			file:   "internal/notify/poll_batch.go",
			old:    `s.page, s.pages = shown, 0`,
			new:    `s.page, s.pages = shown, samePages`,
			breaks: "a service that loses a third of each answer is asked for seven orders a call",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestSizes",
		},
		{
			name:   "the same few are asked for by themselves in each look",
			file:   "internal/notify/poll_apart.go",
			old:    `, s.askedAlone[x.ID].Compare(s.askedAlone[y.ID]))`,
			new:    `)`,
			breaks: "where answers show nothing, all orders but eight are not seen for an hour",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestLeastInVain",
		},
		{
			name:   "one order that batches do not show has them fail",
			file:   "internal/notify/poll_apart.go",
			old:    `	case batchErr != nil || len(missing) <= mostApart:`,
			new:    `	case batchErr != nil || len(missing) < 1:`,
			breaks: "new orders are asked for one by one, and late",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestOneThatBatchesDoNotShow",
		},
		{
			name:   "each batch is searched for an order that is only shown alone",
			file:   "internal/notify/poll_apart.go",
			old:    `s.single[o.ID] = single{until`,
			new:    `s.single[o.ID] = single{until.Add(-singleFor)`,
			breaks: "half of all calls are refused for one order",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestOrderThatIsShownAlone",
		},
		{
			name:   "others say whether an order is ready that they are not asked for with",
			file:   "internal/notify/poll_sample.go",
			old:    `!known.apart && !s.isSingle(o.ID)`,
			new:    `!known.apart`,
			breaks: "an order that batches are refused for is not looked at while others of its purchase wait",
			holds:  "one bad order does not hide the others",
			by:     "./internal/notify -run TestOrderThatIsShownAlone",
		},
		{
			name:   "as many calls are made for a purchase as it needs, whatever the limit leaves",
			file:   "internal/notify/poll_schedule.go",
			old:    `min(max(int(posts.Left), 1), mostBeside)`,
			new:    `mostBeside`,
			breaks: "calls are refused that purchases share their limit with",
			holds:  "codes are asked for in as few calls as the service takes",
			by:     "./internal/notify -run TestCallsBeside",
		},
		{
			name:   "the rest of a purchase waits for a batch that no limit leaves",
			file:   "internal/notify/poll_schedule.go",
			old:    `len(came) > 0 && posts.Most > 0`,
			new:    `len(came) > 0 && posts.Most >= 0`,
			breaks: "under a small limit each further code comes a minute later",
			holds:  "codes come one by one where no batch may be asked for",
			by:     "./internal/notify -run TestRestWithoutBatches",
		},
		{
			name:   "a note of money has no text",
			file:   "internal/screen/notes.go",
			old:    "\tstore.ChargedNote: ",
			new:    "\tstore.FewerNote + \"_\": ",
			breaks: "another price was charged, and the shop reads that there is news",
			holds:  holds,
			by:     "./internal/screen -run TestEveryNoteHasItsText",
		},
		{
			name:   "a note that nobody can read is sent without a word in the log",
			file:   "internal/notify/outgoing.go",
			old:    `if err == nil && !screen.KnowsNote(name) {`,
			new:    `if err != nil && !screen.KnowsNote(name) {`,
			breaks: "after a return to an older version, nobody knows what was not said",
			holds:  holds,
			by:     "./internal/notify -run TestNotesOfANewerVersion",
		},
		{
			name: "an argument takes the place of a note's name",
			file: note,
			old: `	maps.Copy(all, args)
	all[nameArg] = string(name)
`,
			new: `	all[nameArg] = string(name)
	maps.Copy(all, args)
`,
			breaks: "people are told something else",
			holds:  holds,
			by:     "./internal/store -run TestNotesOnDisk",
		},
		{
			name:   "a note goes last",
			file:   note,
			old:    `Priority: NoticePriority}`,
			new:    `Priority: AlertPriority}`,
			breaks: "a debit that nothing explains waits behind alerts, and is given up at the first refusal",
			holds:  "money comes first",
			by:     "./internal/store -run TestNotesOnDisk",
		},
	}
}

// deliveringDefects are mistakes in bringing the outbox to Telegram.
func deliveringDefects() []defect {
	const deliver, outgoing, verdict = "internal/notify/deliver.go", "internal/notify/outgoing.go", "internal/notify/verdict.go"
	return []defect{
		{
			name: "a message leaves the outbox before it is sent",
			file: outgoing,
			old:  `	v := &delivery{row: row,`,
			new: `	d.drop(ctx, row)
	v := &delivery{row: row,`,
			breaks: "what meets a crash or a bad moment of Telegram never comes",
			holds:  sentIsSeen,
		},
		{
			name: "what arrived is not noted",
			file: verdict,
			old: `		if err := unlessAnew(tx.Sent(v.row)); err != nil || !v.more {
			return err
		}
		return tx.Enqueue(store.FileOf(v.purchase))`,
			new:    `		return nil`,
			breaks: "the same is sent again and again",
			holds:  liveness,
		},
		{
			name: "a message that has to wait lets others by",
			file: deliver,
			old: `			d.postpone(wire, r, rows[i:], until)
			return nil`,
			new:    `			d.postpone(wire, r, rows[i:i+1], until)`,
			breaks: "the phone rings for a code that is not there yet",
			holds:  chatOrder,
		},
		{
			name:   "the rows behind one that waits are not put back",
			file:   deliver,
			old:    `			d.postpone(wire, r, rows[i:], until)`,
			new:    `			d.postpone(wire, r, rows[i:i+1], until)`,
			breaks: "after a bad moment a chat waits for a lease to end",
			holds:  "what waits is tried as soon as it may",
			by:     "./internal/notify",
		},
		{
			name: "two at a time work on one chat",
			file: "internal/notify/deliver_claim.go",
			old: `		if !running {
			r = newRound()`,
			new: `		if !running || r.more {
			r = newRound()`,
			breaks: "messages overtake each other, and some come twice",
			holds:  chatOrder,
		},
		{
			name:   "rows that a killed process had claimed are left to their lease",
			file:   deliver,
			old:    `	inherited := time.Now().Add(lease)`,
			new:    `	inherited := time.Now()`,
			breaks: "after a crash codes wait for a minute",
			holds:  "what an earlier process had claimed is nobody's now",
			by:     "./internal/notify",
		},
		{
			name:   "a stop cuts the messages that are on their way",
			file:   deliver,
			old:    `	wire, cut := backoff.WithGrace(ctx, stopGrace)`,
			new:    `	wire, cut := backoff.WithGrace(ctx, 0)`,
			breaks: "every restart sends what was on its way twice, or says so of what was not",
			holds:  "a stop lets sends finish",
			by:     "./internal/notify",
		},
		{
			name: "a chat that comes back is not told what waited",
			file: deliver,
			old: `			row.Due, row.Tries = time.Now(), 0
			if err := tx.Retry(row); err != nil {
				return err
			}
`,
			new: `			row.Tries = 0
`,
			breaks: "somebody unblocks the bot and waits for three days",
			holds:  "a chat that speaks gets what waits",
			by:     "./internal/notify",
		},
		{
			name: "the new message of a purchase is not remembered",
			file: verdict,
			old: `		p.Message = v.statusID
`,
			new:    ``,
			breaks: "every step of a purchase is a message of its own",
			holds:  "a purchase has one message",
			by:     "./internal/notify",
		},
		{
			name: "what the chat was told is not stored",
			file: verdict,
			old: `	p.Told = p.Told.After(v.told, v.purchase.Told)
`,
			new:    ``,
			breaks: "codes come twice, and the second time is called the first",
			holds:  saysAgain,
		},
		{
			name: "a purchase is stored as it was when its message was rendered",
			file: verdict,
			old: `	p.Told = p.Told.After(v.told, v.purchase.Told)
`,
			new: `	p.Told, p.Phase, p.OrderIDs = v.purchase.Told, v.purchase.Phase, v.purchase.OrderIDs
`,
			breaks: "what happened while a message was on its way is undone",
			holds:  finalIsFinal,
		},
		{
			name: "a message that is gone gives up its code",
			file: outgoing,
			old: `		gone = telegram.Classify(err).Kind == telegram.Gone
	}`,
			new: `		if telegram.Classify(err).Kind == telegram.Gone {
			return nil
		}
	}`,
			breaks: "who deletes a chat's history loses a paid code",
			holds:  sentIsSeen,
		},
		{
			name: "a code that may have been seen is sent again in silence",
			file: outgoing,
			old: `		if codes > 0 && (v.row.Sent || v.purchase.Told.Codes > 0) {
			v.purchase.Told.MaybeSent = true
		}
`,
			new:    ``,
			breaks: "a code is taken for a second one, and sold twice",
			holds:  saysAgain,
		},
		{
			name:   "a code that was opened while its delivery was prepared is delivered in silence",
			file:   outgoing,
			old:    `row, opened = v.row, p.Told.MaybeSent`,
			new:    `row, opened = v.row, opened && p.Told.MaybeSent`,
			breaks: "one code is taken for two",
			holds:  saysAgain,
			by:     "./internal/notify -run TestOpenedWhileItIsPrepared",
		},
		{
			name:   "nothing is noted before codes are shown for the first time",
			file:   outgoing,
			old:    `	if codes == 0 || v.row.Sent || v.purchase.Told.Codes > 0 {`,
			new:    `	if codes >= 0 {`,
			breaks: "after a crash a code is taken for a second one, and sold twice",
			holds:  saysAgain,
		},
		{
			name:   "a ping does not wait for what it points to",
			file:   "internal/notify/ping.go",
			old:    "\t\tcase other.Kind == store.StatusMessage && due.IsZero():",
			new:    "\t\tcase other.Kind == store.StatusMessage && row.Tries > 3:",
			breaks: "the phone rings for a code that is not there yet",
			holds:  chatOrder,
		},
		{
			name:   "a ring for several is noted for one",
			file:   "internal/notify/verdict.go",
			old:    "errors.Join(v.notePurchase(tx), v.noteList(tx, time.Now()), v.markPinged(tx), ",
			new:    `errors.Join(v.notePurchase(tx), v.noteList(tx, time.Now()), `,
			breaks: "the phone rings again and again for the same",
			holds:  "a ring is one",
			by:     "./internal/notify",
		},
		{
			name:   "alerts wait behind a ring that comes later",
			file:   "internal/notify/deliver.go",
			old:    `isAside(row, home) || row.Kind == store.Ping && !r.claimed[row.ID] {`,
			new:    `isAside(row, home) {`,
			breaks: "what an owner wants to know soon comes minutes late",
			holds:  "nothing waits for a ring",
			by:     "./internal/notify -run TestAlertsPassAPingThatWaits",
		},
		{
			name:   "a document that may have been seen is sent again in silence",
			file:   "internal/notify/file.go",
			old:    `	n.again = row.Sent && !arrived || n.first && p.Told.Codes > 0`,
			new:    `	n.again = n.first && p.Told.Codes > 0`,
			breaks: "codes are taken for others, and sold twice",
			holds:  saysAgain,
			by:     "./internal/notify",
		},
		{
			name:   "a part of a file that may have arrived goes out again with more in it",
			file:   "internal/notify/file.go",
			old:    `	case row.Sent && !arrived && len(sent) > 0:`,
			new:    `	case false:`,
			breaks: "codes come a second time beside new ones, and nobody can tell which these are",
			holds:  saysAgain,
			by:     "./internal/notify",
		},
		{
			name:   "what came while a part of a file was repeated is left behind",
			file:   "internal/notify/file.go",
			old:    `	v.more = len(filed) < len(store.Coded(v.orders))`,
			new:    `	v.more = false`,
			breaks: "codes that are there stay with the bot",
			holds:  "the last of what was bought is delivered",
			by:     "./internal/notify",
		},
		{
			name:   "a part of a file that waits for more holds its chat up",
			file:   "internal/notify/file.go",
			old:    `row.Kind == store.Document && row.Tries == 0`,
			new:    `row.Kind == store.Support && row.Tries == 0`,
			breaks: "another code waits two minutes behind codes that wait for others",
			holds:  "no code waits for a ring",
			by:     "./internal/notify",
		},
		{
			name:   "a code travels in a message of its own",
			file:   outgoing,
			old:    `	gone := v.purchase.Message == 0 || v.purchase.Chat != v.home.ID`,
			new:    `	gone := v.purchase.Message == 0 || v.purchase.Chat != v.home.ID || store.CountCodes(v.orders) > 0`,
			breaks: "an answer that is lost makes two messages with one code",
			holds:  saysAgain,
		},
		{
			name: "a message is rendered when it is queued",
			file: outgoing,
			old:  "\trender := func() screen.Message { return v.show.Traded(v.purchase, v.orders, balance, place, trade) }",
			new: `	first := v.show.Traded(v.purchase, v.orders, balance, place, trade)
	render := func() screen.Message { return first }`,
			breaks: "a code that is sent again does not say so",
			holds:  saysAgain,
			by:     "./internal/notify",
		},
		{
			name:   "a defect in a screen takes the process down",
			file:   outgoing,
			old:    `	err = guard(d.cfg.Log, "deliver "+string(row.Kind), func() error { return d.try(ctx, v) })`,
			new:    `	err = d.try(ctx, v)`,
			breaks: "one message that cannot be rendered stops every chat",
			holds:  "a defect costs one message",
			by:     "./internal/notify",
		},
	}
}

// answeredDefects are mistakes in what Telegram's answers mean.
func answeredDefects() []defect {
	const result, verdict = "internal/telegram/result.go", "internal/notify/verdict.go"
	return []defect{
		{
			name: "an answer that cannot be read means that it arrived",
			file: result,
			old: `	case notSent(err):
		return Result{Kind: Again}
	}
	return Result{Kind: Ambiguous}`,
			new: `	case notSent(err):
		return Result{Kind: Again}
	case !errors.Is(err, context.DeadlineExceeded):
		return Result{}
	}
	return Result{Kind: Ambiguous}`,
			breaks: "a bad gateway before Telegram loses codes",
			holds:  sentIsSeen,
		},
		{
			name: "a timeout means that it arrived",
			file: result,
			old: `	case notSent(err):
		return Result{Kind: Again}`,
			new: `	case errors.Is(err, context.DeadlineExceeded):
		return Result{}
	case notSent(err):
		return Result{Kind: Again}`,
			breaks: "a slow moment of Telegram loses codes",
			holds:  sentIsSeen,
		},
		{
			name: "what may have arrived counts as not sent",
			file: result,
			old: `	return Result{Kind: Ambiguous}
}

// refusal`,
			new: `	return Result{Kind: Again}
}

// refusal`,
			breaks: "codes come twice, and the second time is called the first",
			holds:  saysAgain,
			by:     "./internal/notify",
		},
		{
			name:   "a message that shows it already is refused",
			file:   result,
			old:    `		{OK, []string{"message is not modified"}},`,
			new:    `		{OK, []string{"message is the same"}},`,
			breaks: "after a lost answer a purchase is never shown again",
			holds:  liveness,
		},
		{
			name: "a chat that cannot be written to is a message that cannot be sent",
			file: result,
			old: `	case errors.Is(err, bot.ErrorForbidden):
		return Result{Kind: Unreachable}`,
			new: `	case errors.Is(err, bot.ErrorForbidden):
		return Result{Kind: Poison}`,
			breaks: "pings of somebody who blocks the bot for a moment are gone",
			holds:  "nothing is dropped because a chat rests",
			by:     "./internal/notify",
		},
		{
			name:   "a group that moved is gone",
			file:   result,
			old:    `		return Result{Kind: Migrated, To: int64(moved.MigrateToChatID)}`,
			new:    "\t\treturn Result{Kind: Unreachable}",
			breaks: "codes of a group that became a supergroup never come",
			holds:  liveness,
		},
		{
			name:   "retry_after is not read",
			file:   result,
			old:    `		return Result{Kind: Again, After: max(time.Duration(limited.RetryAfter)*time.Second, time.Second)}`,
			new:    `		return Result{Kind: Again}`,
			breaks: "Telegram shuts the bot out for longer and longer",
			holds:  limitsKept,
			by:     "./internal/notify",
		},
		{
			name:   "a 429 is a try like any other",
			file:   verdict,
			old:    `		return d.putBack(wire, v, now.Add(r.After+time.Second)), nil`,
			new:    `		return d.repeat(wire, v, r, now), nil`,
			breaks: "the chat is written to while Telegram says to wait",
			holds:  limitsKept,
			by:     "./internal/notify",
		},
		{
			name: "a try that may have arrived is forgotten",
			file: verdict,
			old: `	v.row.Tries++
	v.row.Sent = v.row.Sent || r.Kind == telegram.Ambiguous
	return`,
			new: `	v.row.Tries++
	return`,
			breaks: "a document of codes comes twice, and the second time is called the first",
			holds:  saysAgain,
			by:     "./internal/notify",
		},
		{
			name: "what was on its way at a stop is forgotten",
			file: verdict,
			old: `		v.row.Sent = v.row.Sent || r.Kind == telegram.Ambiguous
		return d.putBack(wire, v, now), nil`,
			new:    `		return d.putBack(wire, v, now), nil`,
			breaks: "after a restart codes come twice, and the second time is called the first",
			holds:  saysAgain,
			by:     "./internal/notify",
		},
		{
			name:   "a message with codes that Telegram refuses is given up at once",
			file:   verdict,
			old:    `	if money && v.row.Refusals <= mostRefusals {`,
			new:    `	if money && !brings && v.row.Refusals <= mostRefusals {`,
			breaks: "a bad moment of Telegram keeps codes from their chat",
			holds:  sentIsSeen,
			by:     "./internal/notify",
		},
		{
			name: "what a chat refuses is dropped",
			file: verdict,
			old: `	v.row.Tries++
	return d.putBack(ctx, v, now.Add(restAfter(v.row.Tries)))`,
			new: `	d.drop(ctx, v.row)
	return now.Add(restAfter(v.row.Tries))`,
			breaks: "who blocks the bot for a moment loses a paid code",
			holds:  sentIsSeen,
		},
		{
			name: "the owner is not offered the codes of a chat that is gone",
			file: verdict,
			old: `	if owner == 0 {
		return nil
	}
	chat := strconv`,
			new: `	if owner != 0 || v.row.Tries == 0 {
		return nil
	}
	chat := strconv`,
			breaks: "codes for somebody who left are out of reach",
			holds:  "codes that cannot be delivered are offered to the owner",
			by:     "./internal/conversations -run TestVault",
		},
		{
			name: "a group that moved is not noted",
			file: verdict,
			old: `		if err := tx.MoveChat(from, to); err != nil {
			return err
		}
		c, err := tx.Chat(from)`,
			new:    `		c, err := tx.Chat(from)`,
			breaks: "a group that became a supergroup has to link its key again",
			holds:  "everything of a group moves with it",
			by:     "./internal/notify",
		},
		{
			name: "a change that came while a message was on its way is taken for sent",
			file: "internal/store/tx.go",
			old:  `func (t *Tx) Sent(o Outgoing) error { return ignoring(outbox().remove(t, &o), ErrNotFound) }`,
			new: `func (t *Tx) Sent(o Outgoing) error {
	now, err := t.Outgoing(o.Chat, o.ID)
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	return outbox().remove(t, &now)
}`,
			breaks: "a code that is there while an edit is on its way is never shown",
			holds:  sentIsSeen,
		},
		{
			name:   "a refused token is tried for ever",
			file:   verdict,
			old:    `		return d.putBack(wire, v, now), cause`,
			new:    `		return d.putBack(wire, v, now.Add(time.Minute)), nil`,
			breaks: "a bot whose token was changed looks well and tells nobody anything",
			holds:  "a refused token ends the process",
			by:     "./internal/notify",
		},
		{
			name:   "an error of Telegram shows the token",
			file:   "internal/telegram/http.go",
			old:    `	return &scrubbed{text: strings.ReplaceAll(err.Error(), token.Reveal(), "***"), err: err}`,
			new:    `	return &scrubbed{text: err.Error(), err: err}`,
			breaks: "whoever reads the log owns the bot",
			holds:  noSecrets,
			by:     "./internal/notify",
		},
		{
			name:   "an answer that cannot be read is logged",
			file:   result,
			old:    `	return "no readable answer"`,
			new:    `	return clip(err.Error())`,
			breaks: "codes that Telegram echoes stand in the log",
			holds:  noSecrets,
			by:     "./internal/notify",
		},
	}
}

// paceDefects are mistakes in keeping to Telegram's limits.
func paceDefects() []defect {
	const pace, budget, sender, deliver = "internal/telegram/pace.go", "internal/telegram/budget.go", "internal/telegram/sender.go", "internal/notify/deliver.go"
	const shared = "one budget for all sends"
	return []defect{
		{
			name: "messages are not counted",
			file: budget,
			old: `		w.place = b.spend(w.sending, now)
		close(w.turn)`,
			new: `		w.place = &place{went: now}
		close(w.turn)`,
			breaks: "Telegram shuts the bot out",
			holds:  limitsKept,
			by:     "./internal/notify",
		},
		{
			name:   "replies pass the budget",
			file:   budget,
			old:    `	if !at.After(now) && !b.anyoneWaits(max(s.class, Strangers)) {`,
			new:    "\tif s.class == Replies || !at.After(now) && !b.anyoneWaits(max(s.class, Strangers)) {",
			breaks: "Telegram shuts the bot out",
			holds:  limitsKept,
			by:     "./internal/notify",
		},
		{
			name: "groups have the limits of a private chat",
			file: pace,
			old: `	if chat < 0 {
		c.minute = newWindow(l.Group)
	}
`,
			new:    ``,
			breaks: "Telegram shuts the bot out of groups",
			holds:  limitsKept,
			by:     "./internal/notify",
		},
		{
			name:   "a 429 is not obeyed",
			file:   budget,
			old:    `	c.rest = later(c.rest, now.Add(after+time.Second))`,
			new:    `	c.rest = later(c.rest, now)`,
			breaks: "the chat is written to while Telegram says to wait",
			holds:  limitsKept,
			by:     "./internal/notify",
		},
		{
			name:   "who administers a group is asked about no chat",
			file:   "internal/telegram/members.go",
			old:    `	err := s.call(ctx, why.to(group), call{method: "getChatAdministrators",`,
			new:    `	err := s.call(ctx, why.to(0), call{method: "getChatAdministrators",`,
			breaks: "a refusal in one group silences the bot everywhere",
			holds:  shared,
			by:     "./internal/telegram -run TestRefusalIsAboutItsChat",
		},
		{
			name:   "whether somebody is in a group is asked about no chat",
			file:   "internal/telegram/members.go",
			old:    `	err = s.call(ctx, why.to(group), call{method: "getChatMember",`,
			new:    `	err = s.call(ctx, why.to(0), call{method: "getChatMember",`,
			breaks: "a refusal in one group silences the bot everywhere",
			holds:  shared,
			by:     "./internal/telegram -run TestRefusalIsAboutItsChat",
		},
		{
			name:   "a stranger's key is deleted as if a member had asked for it",
			file:   "internal/telegram/replier.go",
			old:    `return r.Sender.Delete(ctx, chat, message, PurposeOf(ctx))`,
			new:    `return r.Sender.Delete(ctx, chat, message, Purpose{})`,
			breaks: "refusals in a few strangers' groups silence the bot everywhere",
			holds:  shared,
			by:     "./internal/conversations -run TestRefusalInAGroupHoldsUpNobody",
		},
		{
			name:   "a look at what has ended is under no key",
			file:   "internal/notify/poll_schedule.go",
			old:    `q := query{at: at, service: s.service, key: s.key, alone: alone}`,
			new:    `q := query{at: at, service: s.service, alone: alone}`,
			breaks: "a key that is refused is asked with without a pause, and nobody is told",
			holds:  limitsKept,
			by:     "./internal/notify -run TestScheduledLooksRest",
		},
		{
			name:   "what is asked for a stranger is asked once",
			file:   "internal/telegram/sender.go",
			old:    `	repeats := class == Replies || class == Strangers && !c.paced`,
			new:    "\trepeats := class == Replies",
			breaks: "a stranger's key stands in a group after a bad moment of Telegram",
			holds:  "a key is deleted",
			by:     "./internal/telegram -run TestStrangersAreRepeatedAtNoCost",
		},
		{
			name:   "many quiet chats that are refused do not stop the others",
			file:   budget,
			old:    `	b.rest = later(b.rest, r.at.Add(least.after))`,
			new:    `	b.rest = later(b.rest, r.at.Add(0*least.after))`,
			breaks: "the bot as a whole is shut out",
			holds:  limitsKept,
			by:     "./internal/telegram -run TestWhoRests",
		},
		{
			name:   "two refused chats stop everybody",
			file:   budget,
			old:    `	manyRefused   = 3 `,
			new:    `	manyRefused   = 2 `,
			breaks: "two chats at their own limits hold up every shop",
			holds:  shared,
			by:     "./internal/telegram -run TestWhoRests",
		},
		{
			name:   "chats of strangers that are refused stop everybody",
			file:   budget,
			old:    "\tif s.class != Strangers && c.quiet(now) {",
			new:    `	if c.quiet(now) {`,
			breaks: "three groups in slow mode stop every shop for an hour",
			holds:  shared,
			by:     "./internal/telegram -run TestWhoRests",
		},
		{
			name:   "a busy chat that is refused is about everybody",
			file:   budget,
			old:    "\tif s.class != Strangers && c.quiet(now) {",
			new:    "\tif s.class != Strangers {",
			breaks: "chats at their own limits hold up every shop",
			holds:  shared,
			by:     "./internal/telegram -run TestWhoRests",
		},
		{
			name:   "a refusal without a chat is nobody's",
			file:   budget,
			old:    `		b.rest = later(b.rest, now.Add(after))`,
			new:    `		b.rest = later(b.rest, now)`,
			breaks: "the bot goes on while Telegram says to wait",
			holds:  limitsKept,
			by:     "./internal/telegram -run TestWhoRests",
		},
		{
			name:   "people wait behind alerts",
			file:   budget,
			old:    "\tweighed := [...]Class{Replies, Pings, Alerts, Digests}",
			new:    "\tweighed := [...]Class{Digests, Alerts, Pings, Replies}",
			breaks: "a tap is answered after what can wait",
			holds:  shared,
			by:     "./internal/telegram -run TestRepliesAreNotHeldBack",
		},
		{
			name:   "one menu that changes keeps others from being looked at",
			file:   "internal/notify/menus.go",
			old:    "\tif !errors.Is(err, store.ErrConflict) {\n\t\treturn err\n\t}\n\t// One has",
			new:    "\tif true {\n\t\treturn err\n\t}\n\t// One has",
			breaks: "somebody is offered the commands of an earlier version until the next start",
			holds:  shared,
			by:     "./internal/notify -run TestMenusAreReviewedTogether",
		},
		{
			name:   "a keyboard that goes holds up codes",
			file:   "internal/telegram/pace.go",
			old:    "\tif class == Cleanups {",
			new:    "\tif class == classes {",
			breaks: "whoever buys fast waits a second longer for each code",
			holds:  shared,
			by:     "./internal/telegram -run TestCleanupsHoldNothingUp",
		},
		{
			name:   "a stop waits for keyboards that are to go",
			file:   "internal/conversations/session.go",
			old:    "context.AfterFunc(t.running, cancel)",
			new:    "context.AfterFunc(t.ctx, func() {})",
			breaks: "the process is killed in the middle of its stop",
			holds:  shared,
			by:     "./internal/conversations -run TestStopWaitsForNoKeyboard",
		},
		{
			name:   "who waits for long has the others forget what they have had",
			file:   budget,
			old:    "b.served = max(b.served, b.pass[w.class])",
			new:    "b.served = b.pass[w.class]",
			breaks: "replies wait behind digests",
			holds:  shared,
			by:     "./internal/telegram -run TestShareSurvivesWhoWaitsLong",
		},
		{
			name:   "a question that is answered takes another answer while its keyboard goes",
			file:   "internal/conversations/router.go",
			old:    "\tif t.clears.has(shownAt{t.chatID, t.tapped}) {",
			new:    "\tif false {",
			breaks: "whoever types and taps loses what they are buying",
			holds:  shared,
			by:     "./internal/conversations -run TestAnsweredQuestionIsOver",
		},
		{
			name:   "codes wait behind people",
			file:   budget,
			old:    "\treturn [classes]Class{Deliveries, weighed[0], weighed[1], weighed[2], weighed[3], Strangers, Cleanups}",
			new:    "\treturn [classes]Class{weighed[0], weighed[1], weighed[2], weighed[3], Deliveries, Strangers, Cleanups}",
			breaks: "a paid code waits for others",
			holds:  shared,
			by:     "./internal/telegram -run TestCodesGoBeforePings",
		},
		{
			name: "strangers have all of the budget",
			file: budget,
			old: `	if s.class == Strangers {
		at = later(at, b.strangers.Open())
	}
`,
			new:    ``,
			breaks: "a crowd takes up what the bot may send",
			holds:  shared,
			by:     "./internal/telegram -run TestShares",
		},
		{
			name: "who asks first has everything",
			file: budget,
			old: `	if byAccount := cmp.Compare(b.lastOf(x), b.lastOf(y)); byAccount != 0 {
		return byAccount < 0
	}
`,
			new:    ``,
			breaks: "one account's many chats hold up another's few",
			holds:  shared,
			by:     "./internal/telegram -run TestFairBetweenAccounts",
		},
		{
			name:   "a group's messages are there for anybody",
			file:   pace,
			old:    `		at = later(at, c.minute.Free(c.minute.Limit()*groupShare(class)/groupShare(Deliveries)))`,
			new:    `		at = later(at, c.minute.Open())`,
			breaks: "commands in a group use up what a delivery needs there",
			holds:  shared,
			by:     "./internal/telegram -run TestGroupLeavesRoom",
		},
		{
			name:   "codes wait behind a backlog of alerts",
			file:   deliver,
			old:    `	case d.cfg.Sender.Waiting() >= mostWaiting:`,
			new:    `	case false && d.cfg.Sender.Waiting() >= mostWaiting:`,
			breaks: "a paid code comes minutes late after an outage",
			holds:  shared,
			by:     "./internal/notify -run TestCodesPassABacklog",
		},
		{
			name:   "codes wait behind the alerts of their group",
			file:   deliver,
			old:    "\tcase pace > patience:\n\t\td.postpone(ctx, r, rows, now.Add(pace))\n",
			new:    "\tcase pace < 0:\n",
			breaks: "half of what a group may be sent is kept for codes, and they stand behind what may not go",
			holds:  shared,
			by:     "./internal/notify -run TestCodesPassTheirOwnGroup",
		},
		{
			name:   "codes wait behind what was put back",
			file:   deliver,
			old:    "\t\td.postpone(ctx, r, rows, laterOf(first.Due, now))\n",
			new:    "\t\treturn false\n",
			breaks: "a paid code waits for the turn of an alert",
			holds:  shared,
			by:     "./internal/notify -run TestCodesPassTheirOwnGroup",
		},
		{
			name:   "a connection that is refused tells how long the way is",
			file:   "internal/telegram/flight.go",
			old:    `	if arrived && (f.fastest == 0 || took < f.fastest) {`,
			new:    `	if f.fastest == 0 || took < f.fastest {`,
			breaks: "after a blink of the network every message counts as late",
			holds:  shared,
			by:     "./internal/telegram -run TestRefusedConnectionIsNoWay",
		},
		{
			name:   "a message counts from when it goes, however long it is on its way",
			file:   "internal/telegram/flight.go",
			old:    `	return min(max(took-fastest, 0), muchLate)`,
			new:    `	return min(max(took-fastest, 0), 0)`,
			breaks: "Telegram refuses what comes together, and everybody waits",
			holds:  shared,
			by:     "./internal/telegram -run TestTelegramCountsArrivals",
		},
		{
			name:   "rings have the class of codes",
			file:   "internal/notify/outgoing.go",
			old:    `		return telegram.Pings`,
			new:    `		return telegram.Deliveries`,
			breaks: "half of the budget goes to rings while codes wait",
			holds:  shared,
			by:     "./internal/notify -run TestClassOfRows",
		},
		{
			name:   "a status takes the place of its file",
			file:   "internal/notify/file.go",
			old:    `		if due = laterOf(file.Due, now).Add(behindFile); first && due.Sub(now) < statusWait {`,
			new:    `		if due = laterOf(file.Due, now).Add(behindFile); first && due.Before(now) {`,
			breaks: "five hundred codes come two seconds later than they could",
			holds:  shared,
			by:     "./internal/notify -run TestFileGoesBeforeItsStatus",
		},
		{
			name:   "a message that may have arrived is sent again at once",
			file:   sender,
			old:    `	return repeats && (k == Again || k == Ambiguous && c.repeatable)`,
			new:    `	return repeats && (k == Again || k == Ambiguous)`,
			breaks: "screens come twice, with two ✅",
			holds:  "what cannot be repeated is not",
			by:     "./internal/notify",
		},
	}
}

// followingDefects are mistakes in following orders.
func followingDefects() []defect {
	const file = "internal/notify/poll_look.go"
	return []defect{
		{
			name: "an order that an answer leaves out has failed",
			file: file,
			old:  `	if len(news) == 0 {`,
			new: `	for id, o := range waits {
		if !shown[id] {
			news, ended = append(news, api.Order{ID: id, Status: "failed"}), append(ended, o)
		}
	}
	if len(news) == 0 {`,
			breaks: "a paid order is called failed, and its code is never taken",
			holds:  nothingFalse,
		},
		{
			name: "an order that an answer leaves out is let go",
			file: file,
			old:  `	if len(news) == 0 {`,
			new: `	for id, o := range waits {
		if !shown[id] {
			p.drop(s, []store.Order{o})
		}
	}
	if len(news) == 0 {`,
			breaks: "a code waits for a lease to end",
			holds:  "what was not seen is looked at as soon as any other",
			by:     "./internal/notify",
		},
		{
			name: "an order that the service does not know has failed",
			file: file,
			old: `	p.cfg.Log.Warn("the service does not take this order", "account", o.Account, "order", o.ID, "err", err)
`,
			new: `	if class := api.ClassOf(err); class == api.NotFound {
		return p.receive(ctx, s, []store.Order{o}, []api.Order{{ID: o.ID, Status: "failed"}}, time.Now())
	}
`,
			breaks: "a service that forgets for a moment makes paid orders fail",
			holds:  nothingFalse,
		},
		{
			name:   "an order that the service does not know is never asked for again",
			file:   file,
			old:    `		p.putBack(ctx, orders, wait)`,
			new:    `		p.putBack(ctx, orders, 1000*wait)`,
			breaks: "a service that forgets for a moment loses codes",
			holds:  liveness,
		},
		{
			name: "one id that the service does not take hides all others",
			file: file,
			old: `	case len(batch) == 1:
		p.cfg.Log`,
			new: `	case len(batch) > 0:
		p.cfg.Log`,
			breaks: "an account's codes wait for five minutes, again and again",
			holds:  "one bad order hides no other",
			by:     "./internal/notify",
		},
		{
			name: "answers are matched by their place",
			file: file,
			old: `	for _, got := range seen {
`,
			new: `	for i, got := range seen {
		if i < len(asked) {
			got.ID = asked[i].ID
		}
`,
			breaks: "the code of one order is stored as another's",
			holds:  trulyOurs,
		},
		{
			name:   "what was seen at a stop is not settled",
			file:   file,
			old:    `p.cfg.Settler.Settle(context.WithoutCancel(ctx), s.account, news, now)`,
			new:    `p.cfg.Settler.Settle(ctx, s.account, news, now)`,
			breaks: "a look that a stop ends is made for nothing",
			holds:  "what was seen is settled whatever stops",
			by:     "./internal/notify",
		},
		{
			name:     "orders are polled in the lane of people",
			file:     file,
			old:      `	seen, err := service.Orders(api.InBackground(ctx), idsOf(batch))`,
			new:      `	seen, err := service.Orders(ctx, idsOf(batch))`,
			breaks:   "polling takes the calls that people wait for",
			holds:    "people have a reserve",
			by:       "./internal/notify -run TestPollingLeavesAReserve",
			survives: "polling keeps to an allowance of its own before it asks: the lane is a second lock on the same door",
		},
		{
			name:   "an order is looked at once a minute",
			file:   "internal/notify/backoff.go",
			old:    `	return min(max(age*15/100, 400*time.Millisecond), time.Minute)`,
			new:    `	return max(age*15/100, time.Minute)`,
			breaks: "a code that is ready after a second comes after a minute",
			holds:  "a code comes soon",
			by:     "./internal/notify",
		},
	}
}

// watchingDefects are mistakes in alerts and jobs.
func watchingDefects() []defect {
	const watch, jobs = "internal/notify/watch.go", "internal/notify/jobs.go"
	return []defect{
		{
			name:   "alerts are written though nothing has changed",
			file:   "internal/notify/watch.go",
			old:    `	return len(news) == 0 && reflect.DeepEqual(was, now), nil`,
			new:    `	return len(news) == 0 && reflect.DeepEqual(was, now) && false, nil`,
			breaks: "a watch of ten thousand accounts writes ten thousand times for nothing",
			holds:  "a watch keeps to its schedule",
			by:     "./internal/notify",
		},
		{
			name:   "accounts are watched one after another",
			file:   "internal/notify/watch.go",
			old:    `	visits.SetLimit(watchedAtOnce)`,
			new:    `	visits.SetLimit(1)`,
			breaks: "a watch of ten thousand accounts takes longer than the time to the next",
			holds:  "a watch keeps to its schedule",
			by:     "./internal/notify",
		},
		{
			name:   "a line that is crossed speaks at every look",
			file:   "internal/notify/crossings.go",
			old:    `	if crossed && !c.alerts.Crossed[key] {`,
			new:    `	if crossed {`,
			breaks: "people switch alerts off",
			holds:  "a line speaks once",
			by:     "./internal/notify -run TestLowBalance|TestStockAlerts",
		},
		{
			name: "quiet hours end when they begin",
			file: "internal/notify/thresholds.go",
			old: `	if !h.Within(now, zone) {
		return now
	}`,
			new: `	if h.Within(now, zone) {
		return now
	}`,
			breaks: "phones ring at night, and alerts of the day wait for the morning",
			holds:  "quiet hours are quiet",
			by:     "./internal/notify",
		},
		{
			name: "what was told is remembered in another commit",
			file: watch,
			old: `			if err := tx.PutAlerts(&al); err != nil {
				return err
			}
			return w.queue(tx, now, al, news)`,
			new:    `			return w.queue(tx, now, al, news)`,
			breaks: "the same alert comes at every look",
			holds:  "a line speaks once",
			by:     "./internal/notify -run TestLowBalance|TestStockAlerts",
		},
		{
			name: "a panic disables its job for ever",
			file: jobs,
			old: `			careful.Run()
			<-w.busy`,
			new: `			ended := false
			cron.NewChain(cron.Recover(w.log)).Then(cron.FuncJob(func() { job(); ended = true })).Run()
			if _ = careful; ended {
				<-w.busy
			}`,
			breaks: "one defect stops all searches for uncertain purchases",
			holds:  "a panic costs one run",
			by:     "./internal/notify",
		},
		{
			name:   "a stop does not wait for jobs",
			file:   jobs,
			old:    `	running.Wait()`,
			new:    `	_ = &running`,
			breaks: "a job works on a closed store",
			holds:  "jobs are waited for",
			by:     "./internal/notify",
		},
		{
			name:   "what was told meanwhile is forgotten by what is told now",
			file:   "internal/notify/verdict.go",
			old:    `	p.Told = p.Told.After(v.told, v.purchase.Told)`,
			new:    `	p.Told = v.purchase.Told`,
			breaks: "a message that was on its way takes back that people were told it takes too long, and how many codes they have seen",
			holds:  "what was told is remembered, whoever notes it",
			by:     "./internal/notify -run TestToldMeanwhile",
		},
	}
}
