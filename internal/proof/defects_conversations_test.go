//go:build defects

package proof

import "slices"

// conversationDefects are mistakes in what happens when somebody types or taps.
func conversationDefects() []defect {
	return slices.Concat(inboxDefects(), strangerDefects(), flowDefects())
}

// strangerDefects are mistakes in what people of no team cost.
func strangerDefects() []defect {
	const strangers, visit, flood, mailbox = "internal/conversations/strangers.go", "internal/conversations/visit.go", "internal/conversations/flood.go", "internal/conversations/mailbox.go"
	const cheap = "strangers are cheap"
	return []defect{
		{
			name: "a wrong letter finds nothing",
			file: "internal/search/token.go",
			old: `	case length >= 3:
		return 1`,
			new: `	case length >= 300:
		return 1`,
			breaks: "people believe that what they want is not sold",
			holds:  "words are found as people type them",
			by:     "./internal/search -run TestFind",
		},
		{
			name:   "10 finds 100",
			file:   "internal/search/token.go",
			old:    `		return nowhere // 10 is not 100`,
			new:    `		return near`,
			breaks: "another amount than the one that was typed is opened",
			holds:  "numbers are what they are",
			by:     "./internal/search -run TestFind",
		},
		{
			name:   "a key is an answer to whatever is asked",
			file:   "internal/conversations/router.go",
			old:    `	return looksLikeKey(t.text)`,
			new:    `	return !open && looksLikeKey(t.text)`,
			breaks: "a key that is pasted while an amount is asked stays in the chat for everybody to read",
			holds:  "a key is never left in a chat, searched for or sent on",
			by:     "./internal/conversations -run TestPastedKeyIsNoAnswer",
		},
		{
			name:   "the account's key may be a player",
			file:   "internal/conversations/router.go",
			old:    `		return !t.shop.Key.IsZero() && strings.TrimSpace(t.text) == t.shop.Key.Reveal()`,
			new:    `		return false && strings.TrimSpace(t.text) == ""`,
			breaks: "the key is sent to the service as somebody's player id, and stays in the chat",
			holds:  "a key is never left in a chat, searched for or sent on",
			by:     "./internal/conversations -run TestPastedKeyIsNoAnswer",
		},
		{
			name:   "whoever links a key with their first words has no language",
			file:   "internal/conversations/link.go",
			old:    `	c.Language = cmp.Or(c.Language, l.language)`,
			new:    `	_ = cmp.Or(c.Language, l.language)`,
			breaks: "somebody who writes Arabic is answered in English",
			holds:  "everybody is answered in their language",
			by:     "./internal/conversations -run TestFirstWordsAreAKey",
		},
		{
			name: "an open question takes whatever is typed",
			file: "internal/conversations/router.go",
			old: ` && !t.session.Covered
	if t.pastesKey`,
			new: `
	if t.pastesKey`,
			breaks: "a word that was meant for a search is sent to the service as a key, or becomes a limit",
			holds:  "what is typed after another screen is no answer to the question before it",
			by:     "./internal/conversations -run TestCoveredQuestion",
		},
		{
			name:   "an earlier summary keeps its ✅",
			file:   "internal/purchase/engine.go",
			old:    `return p.Phase != store.Drafted || p.User != d.User }`,
			new:    `return p.Phase != store.Drafted || p.Update != d.Update }`,
			breaks: "a tap in the chat's past buys what its person has given up",
			holds:  "another purchase ends the one that was not confirmed",
			by:     "./internal/conversations -run TestSecondSummaryEndsTheFirst",
		},
		{
			name:   "a key that came without /key is searched for",
			file:   "internal/conversations/key.go",
			old:    `	return len(text) >= leastKey &&`,
			new:    `	return len(text) >= 10*leastKey &&`,
			breaks: "a key stands in the chat, and on a screen",
			holds:  "a key is neither searched for nor left lying",
			by:     "./internal/conversations -run TestPastedKey",
		},
		{
			name:   "every message of a stranger is answered",
			file:   flood,
			old:    `	if now.Before(q.until) {`,
			new:    `	if false && now.Before(q.until) {`,
			breaks: "a stranger takes up what the bot may send",
			holds:  cheap,
			by:     "./internal/conversations ./internal/telegram -run 'TestStrangers|TestGroupOfNobody'",
		},
		{
			name:   "who is new is met with silence",
			file:   flood,
			old:    `	if q.answers++; q.answers <= 1+free {`,
			new:    `	if q.answers++; q.answers <= 1 {`,
			breaks: "somebody who tries what there is, as everybody does, thinks that the bot is dead",
			holds:  "nothing that is typed is met with silence",
			by:     "./internal/conversations -run TestStrangersAreAnsweredLessAndLess",
		},
		{
			name:   "a tap in a group that waits for a limit is answered with nothing",
			file:   "internal/conversations/turn.go",
			old:    `t.cfg.Messenger.Delay(t.chatID) > queuePatience`,
			new:    `false`,
			breaks: "people tap again and again",
			holds:  "nothing that is typed is met with silence",
			by:     "./internal/conversations -run TestGroupThatTapsMuch",
		},
		{
			name:   "the silence does not grow",
			file:   flood,
			old:    `	q.long = min(max(2*q.long, first), max(mostQuiet, first))`,
			new:    `	q.long = first`,
			breaks: "a stranger who goes on is answered for ever",
			holds:  cheap,
			by:     "./internal/conversations -run TestStrangersAreAnsweredLessAndLess",
		},
		{
			name:   "what strangers write goes on disk",
			file:   visit,
			old:    `	return admission{how: handleUnstored, quota: quotaText}`,
			new:    `	return admission{how: handleStoredLast, quota: quotaText}`,
			breaks: "the database grows by what anybody writes",
			holds:  cheap,
			by:     "./internal/conversations -run TestNothingIsKeptOfStrangers",
		},
		{
			name:   "everybody is remembered",
			file:   "internal/conversations/recent.go",
			old:    `	if len(r.at) >= r.most {`,
			new:    `	if len(r.at) > 1<<40 {`,
			breaks: "memory grows with every stranger",
			holds:  cheap,
			by:     "./internal/conversations -run 'TestNothingIsKept|TestFloodForgets'",
		},
		{
			name: "whoever writes in a shop's group has a member's pace",
			file: visit,
			old:  `		_, in = v.shop.Member(v.ID)`,
			new: `		_, in = v.shop.Member(v.ID)
		in = in || v.chat < 0`,
			breaks: "a stranger in the group uses up its messages: no copy of a delivery comes",
			holds:  cheap,
			by:     "./internal/conversations -run TestStrangerInTheShop",
		},
		{
			name: "all anonymous administrators are one person",
			file: strangers,
			old: `	case v.anonymous:
		return addressee{chat: v.chat, person: v.chat}, firstQuiet
`,
			new: `	case v.anonymous:
		return addressee{person: v.ID}, firstQuiet
`,
			breaks: "those of one group are not heard because those of another write",
			holds:  cheap,
			by:     "./internal/conversations -run TestAnonymousAdministratorsAreApart",
		},
		{
			name:   "a group where nothing is linked is answered as a person is",
			file:   strangers,
			old:    `		return addressee{chat: v.chat}, groupQuiet`,
			new:    `		return addressee{person: v.ID}, firstQuiet`,
			breaks: "each person of a group brings an answer there",
			holds:  cheap,
			by:     "./internal/conversations -run TestGroupOfNobody",
		},
		{
			name: "a defect met in judging an update takes the process down",
			file: strangers,
			old: `		if r := recover(); r != nil {
			b.cfg`,
			new: `		if r := any(nil); r != nil {
			b.cfg`,
			breaks: "one update stops the bot, and every start again",
			holds:  "an update costs itself alone",
			by:     "./internal/app -run TestPanicCostsOneUpdate",
		},
		{
			name:   "steps of strangers have no limit",
			file:   strangers,
			old:    `		if !b.strangers.hears(v.bucket(), now) || !b.steps.AllowN(now, 1) {`,
			new:    `		if !b.steps.AllowN(now, 1) {`,
			breaks: "one stranger takes up the steps of all",
			holds:  cheap,
			by:     "./internal/conversations -run TestStepsOfStrangers",
		},
		{
			name: "strangers come in their turn",
			file: mailbox,
			old: `	if len(m.ready) > 0 {
		q, m.ready = m.ready[0], m.ready[1:]
		return q
	}`,
			new: `	if len(m.ready) > 0 && len(m.late) == 0 {
		q, m.ready = m.ready[0], m.ready[1:]
		return q
	}`,
			breaks: "members wait behind a crowd",
			holds:  "members come first",
			by:     "./internal/conversations -run TestMailboxTakesLateJobsLast",
		},
		{
			name: "replies to strangers are replies to members",
			file: "internal/conversations/access.go",
			old: `	if where != member {
		return telegram.Purpose{Class: telegram.Strangers}`,
			new: `	if where != member && account != "" {
		return telegram.Purpose{Class: telegram.Strangers}`,
			breaks: "a crowd takes up what the bot may send",
			holds:  cheap,
			by:     "./internal/conversations -run TestCrowdGetsAFifth",
		},
	}
}

// inboxDefects are mistakes in taking updates.
func inboxDefects() []defect {
	const inbox, poller, bot, router, mailbox = "internal/conversations/inbox.go", "internal/telegram/poller.go", "internal/conversations/bot.go", "internal/conversations/router.go", "internal/conversations/mailbox.go"
	return []defect{
		{
			name:   "a chat that takes nothing is called an error",
			file:   "internal/conversations/bot.go",
			old:    `	if again > 0 || errors.Is(err, telegram.ErrNotNow) {`,
			new:    `	if again > 0 {`,
			breaks: "whoever runs the bot is woken because somebody has blocked it",
			holds:  "an error in the log is one",
			by:     "./internal/conversations -run TestUnreachableChat",
		},
		{
			name: "what is lost is no error",
			file: "internal/conversations/bot.go",
			old: `		return slog.LevelWarn
	}
	return slog.LevelError
}

// levelOfStranger`,
			new: `		return slog.LevelWarn
	}
	return slog.LevelWarn
}

// levelOfStranger`,
			breaks: "nobody hears that updates fail",
			holds:  "an error in the log is one",
			by:     "./internal/conversations -run TestUnreachableChat",
		},
		{
			name:   "what Telegram refuses is an error like any other",
			file:   "internal/telegram/result.go",
			old:    `		return e.Result.Kind == Poison`,
			new:    `		return false && e.Result.Kind == Poison`,
			breaks: "codes that are too long for a message are never sent as a file",
			holds:  "an error is told by its kind",
			by:     "./internal/telegram -run TestReplierErrors",
		},
		{
			name: "an update that could not be set aside is not set aside later",
			file: "internal/conversations/bot.go",
			old: `			b.parkSurely(a)
		}`,
			new:    `		}`,
			breaks: "it waits in the inbox until the next start, and nobody knows",
			holds:  liveness,
			by:     "./internal/proof -run ^TestProofParked$",
		},
		{
			name: "updates are acknowledged before they are on disk",
			file: poller,
			old: `		if err := p.Inbox.Accept(ctx, batch); err != nil {
			return err
		}
`,
			new: `		go func() {
			if err := p.Inbox.Accept(ctx, batch); err != nil {
				p.Log.Error("take updates", "err", err)
			}
		}()
`,
			breaks: "a crash loses taps",
			holds:  tapLost,
		},
		{
			name: "updates that cannot be stored are given up",
			file: poller,
			old: `		if err := p.Inbox.Accept(ctx, batch); err != nil {
			return err
		}
`,
			new: `		if err := p.Inbox.Accept(ctx, batch); err != nil {
			p.Log.Error("take updates", "err", err)
		}
`,
			breaks: "a full disk loses taps",
			holds:  tapLost,
			by:     "./internal/app -run TestUpdatesThatCannotBeStored",
		},
		{
			name: "a start forgets what was not handled",
			file: poller,
			old: `	if err := p.Inbox.Replay(ctx); err != nil {
		return err
	}
`,
			new:    ``,
			breaks: "a crash loses taps",
			holds:  tapLost,
		},
		{
			name:   "an update is handled by what was read when it came in",
			file:   "internal/conversations/access.go",
			old:    `		if same, err := a.seen.known.Current(ctx); err != nil || same {`,
			new:    `		if _, err := a.seen.known.Current(ctx); err == nil {`,
			breaks: "who was removed meanwhile is still of the team",
			holds:  "a turn goes by what is true in it",
			by:     "./internal/conversations -run TestTurnSeesWhatIsTrueByThen",
		},
		{
			name: "a tap is done before it is handled",
			file: router,
			old: `	defer t.showTyping()()
	return firstError(t.tap(), t.finish)`,
			new: `	defer t.showTyping()()
	if err := b.done(ctx, a.in.ID); err != nil {
		return err
	}
	return firstError(t.tap(), t.finish)`,
			breaks: "a crash loses taps",
			holds:  tapLost,
		},
		{
			name:   "an update is never done",
			file:   "internal/conversations/turn.go",
			old:    `		return tx.UpdateDone(t.update)`,
			new:    `		return nil`,
			breaks: "every start does everything once more",
			holds:  liveness,
		},
		{
			name: "a panic of a screen takes the process down",
			file: bot,
			old: `	defer func() {
		if r := recover(); r != nil {
			err = panicError{where: fmt.Sprintf("%T %s", r, debug.Stack())}
		}
	}()
	return b.route(ctx, a)`,
			new:    `	return b.route(ctx, a)`,
			also:   []edit{{bot, `	"fmt"` + "\n", ``}, {bot, `	"runtime/debug"` + "\n", ``}},
			breaks: "one odd update stops everybody",
			holds:  "an update costs itself alone",
			by:     "./internal/app -run TestPanicCostsOneUpdate",
		},
		{
			name: "one update that cannot be read stops all",
			file: inbox,
			old: `	got := i.sort(ctx, received)
`,
			new: `	got := i.sort(ctx, received)
	for _, row := range got.rows {
		if row.State == store.Parked {
			return fmt.Errorf("update %d cannot be read", row.ID)
		}
	}
`,
			breaks: "Telegram adds a field, and the bot is dead",
			holds:  "an update costs itself alone",
			by:     "./internal/conversations -run TestUndecodableUpdate",
		},
		{
			name: "the updates of a chat are handled side by side",
			file: mailbox,
			old: `		job := q.jobs[0]
		m.mu.Unlock()`,
			new: `		job := q.jobs[0]
		if len(q.jobs) == 1 {
			delete(m.queues, q.key)
		}
		m.mu.Unlock()`,
			breaks: "an answer overtakes the question before it",
			holds:  chatOrder,
			by:     "./internal/conversations",
		},
		{
			name:   "leaving a question says that nothing was charged",
			file:   "internal/conversations/home.go",
			old:    `	return t.say(t.scr.Home().Left())`,
			new:    `	return t.say(t.scr.Home().Cancelled())`,
			breaks: "what was just bought is said to have cost nothing",
			holds:  neverDenied,
			by:     "./internal/conversations -run TestCancelKnows",
		},
		{
			name:   "what fails is tried again at once",
			file:   bot,
			old:    `return []time.Duration{time.Second, 5 * time.Second, 30 * time.Second}`,
			new:    `return []time.Duration{1, 1, 1}`,
			breaks: "a disk that is full for ten seconds costs what people wrote meanwhile",
			holds:  "what fails is tried again",
			by:     "./internal/app -run TestNothingCanBeReadForAMoment",
		},
		{
			name: "an update that is tried again lets the next one pass",
			file: mailbox,
			old: `			m.rest(q, again)
			continue`,
			new: `			m.rest(&queue[T]{key: q.key, jobs: q.jobs[:1]}, again)
			again = 0`,
			breaks: "an answer overtakes the question before it",
			holds:  chatOrder,
			by:     "./internal/conversations -run TestMailboxRepeats",
		},
		{
			name:   "a poll of Telegram that fails is repeated at once",
			file:   poller,
			old:    `			backoff.Sleep(ctx, p.mend(ctx, err, failures))`,
			new:    `			p.mend(ctx, err, failures)`,
			breaks: "an outage of Telegram costs a core and floods the log",
			holds:  "an outage is waited for",
			by:     "./internal/app -run TestOutageOfTelegramIsWaitedFor",
		},
		{
			name: "a refused token is polled with for ever",
			file: poller,
			old: `		if errors.Is(err, ErrToken) {
			return err
		}
`,
			new:    ``,
			breaks: "a bot whose token was changed looks well and hears nothing",
			holds:  "a refused token ends the process",
			by:     "./internal/app -run TestRefusedTokenEndsTheProcess",
		},
	}
}

// flowDefects are mistakes in the flows.
func flowDefects() []defect {
	const key, buy, orders, router = "internal/conversations/key.go", "internal/conversations/buy.go", "internal/conversations/orders.go", "internal/conversations/router.go"
	return []defect{
		{
			name: "the screen overtakes the answer to the tap",
			file: "internal/conversations/turn.go",
			old: `	if t.ackBegun.Load() {
		t.behindAnswer()
	}
`,
			new:    ``,
			breaks: "the button keeps turning after the screen has changed",
			holds:  "a tap is answered first",
			by:     "./internal/conversations",
		},
		{
			name:   "the key is logged when it is linked",
			file:   "internal/conversations/link.go",
			old:    `	b.cfg.Log.Info("chat linked", "chat", l.chat,`,
			new:    `	b.cfg.Log.Info("chat linked", "chat", l.chat, "key", l.key.Reveal(),`,
			breaks: "whoever reads the log can spend",
			holds:  noSecrets,
		},
		{
			name:   "a key that is refused is logged",
			file:   "internal/conversations/rekey.go",
			old:    `	t.cfg.Log.Info("a key was refused", "chat", t.chatID, "err", err)`,
			new:    `	t.cfg.Log.Info("a key was refused", "chat", t.chatID, "key", t.text, "err", err)`,
			breaks: "a key with a letter too many stands in the log",
			holds:  noSecrets,
			by:     "./internal/conversations -run TestRefusedKeyIsNotLogged",
		},
		{
			name: "the message that held a key stays",
			file: key,
			old: `	deleted := t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	text = `,
			new: `	deleted := true
	text = `,
			breaks: "whoever gets the phone gets the key",
			holds:  "the message that held a key is deleted",
			by:     "./internal/conversations -run TestBadKeys",
		},
		{
			name: "a key is taken in a group",
			file: key,
			old: `	case !t.private:
		return t.keyInGroup(rest != "")
`,
			new:    ``,
			breaks: "a whole group reads the key, and all of it may spend",
			holds:  "keys are taken in private chats alone",
			by:     "./internal/conversations -run TestKeyInGroup",
		},
		{
			name:   "a key that was removed stays",
			file:   "internal/purchase/keys.go",
			old:    `		if key && now.Retired && !now.NeedsKey() {`,
			new:    `		if false {`,
			breaks: "a key that was taken back stays in the file",
			holds:  "a key goes with its last chat",
			by:     "./internal/conversations -run TestKeyIsForgotten",
		},
		{
			name:   "a key that is still needed is forgotten",
			file:   "internal/conversations/unlink.go",
			old:    `a.Retired && a.Spends == 0 && !a.NeedsKey() {`,
			new:    `a.Retired {`,
			breaks: "whoever unlinks while a code is on its way never gets it",
			holds:  "the key is kept while something is open",
			by:     "./internal/conversations -run TestKeyIsForgotten",
		},
		{
			name:   "zero units can be bought",
			file:   "internal/conversations/buy.go",
			old:    "	case n < 1:\n		return t.askAgain(b, p, v, room, 0, screen.TooSmall)\n",
			new:    "",
			breaks: "a purchase of minus one",
			holds:  "odd quantities are refused",
			by:     "./internal/conversations -run TestOddQuantities",
		},
		{
			name: "anybody is shown a purchase by its id",
			file: "internal/conversations/order.go",
			old: `	ok, err = t.sees(p)
	return p, ok, err`,
			new: `	_, err = t.sees(p)
	return p, true, err`,
			breaks: "codes of one chat are shown in another",
			holds:  trulyOurs,
			by:     "./internal/conversations -run TestTeamStaysAmongItself|TestForgedButtons",
		},
		{
			name: "a cancelled summary can still be confirmed",
			file: "internal/conversations/confirm.go",
			old: `	if err := t.cfg.Purchases.Drop(t.ctx, id, store.ReasonCancelled, false); err != nil {
		return err
	}
`,
			new:    ``,
			breaks: "an old button buys what was cancelled",
			holds:  "what was cancelled is not bought",
			by:     "./internal/conversations -run TestCancelledIsVoid",
		},
		{
			name: "what came to nothing is bought again at the old price",
			file: "internal/conversations/repeat.go",
			old: `	v, ok := findVariant(product, p.VariantID)
		switch {`,
			new: `	v, ok := findVariant(product, p.VariantID)
		v.Price = p.Price
		switch {`,
			breaks: "the summary shows a price that is not the price any more",
			holds:  "a summary shows today's price",
			by:     "./internal/conversations -run TestPriceChanged",
		},
		{
			name:   "what may have gone through can be bought again with one tap",
			file:   "internal/conversations/repeat.go",
			old:    `func retryable(ph store.Phase) bool { return ph.Final() }`,
			new:    `func retryable(ph store.Phase) bool { return ph.Final() || ph == store.Unknown }`,
			breaks: "a button made for what cost nothing buys twice",
			holds:  "what is uncertain is not offered again",
			by:     "./internal/conversations -run TestUncertainIsNotOfferedAgain",
		},
		{
			name:   "an answer that changes nothing in its question is met with silence",
			file:   "internal/conversations/turn.go",
			old:    `		case errors.Is(err, telegram.ErrSame) && t.typed == 0:`,
			new:    `		case errors.Is(err, telegram.ErrSame):`,
			breaks: "people write it again and again",
			holds:  "nothing that is typed is met with silence",
			by:     "./internal/conversations -run TestAnswerThatChangesNothing",
		},
		{
			name:   "an update that is tried once more answers its tap once more",
			file:   "internal/conversations/bot.go",
			old:    `	if a.ackTaken == nil {`,
			new:    `	if true {`,
			breaks: "Telegram refuses the second answer, and what it was to say is not seen",
			holds:  "every callback query is answered once",
			by:     "./internal/conversations -run TestAnswerOfARepeatedUpdate",
		},
		{
			name:   "taps are not answered",
			file:   "internal/conversations/turn.go",
			old:    `	if t.query == "" || t.ackTaken.Load() || !t.ackBegun.CompareAndSwap(false, true) {`,
			new:    `	if t.query == "" || t.ackTaken.Load() || t.ackBegun.CompareAndSwap(false, true) {`,
			breaks: "every button seems to hang",
			holds:  "every callback query is answered once",
			by:     "./internal/conversations -run TestConfirmIsOnce|TestOldButtons",
		},
		{
			name: "anybody in the chat may cancel",
			file: "internal/conversations/confirm.go",
			old: `	if p.User != t.userID {
		t.alert(screen.ToastNotYours)
		return nil
	}
`,
			new:    ``,
			breaks: "somebody else cancels what one is about to buy",
			holds:  "only the one who drafted it cancels",
			by:     "./internal/conversations -run TestCancelledIsVoid",
		},
		{
			name:   "who leaves stays in the books",
			file:   "internal/conversations/out.go",
			old:    `	return errors.Join(tx.EndAlerts(c.ID, a.ID), tx.LeaveBook(a.ID, c.ID))`,
			new:    `	return tx.EndAlerts(c.ID, a.ID)`,
			breaks: "what somebody buys who has left is in the shop's books",
			holds:  "a chat that leaves the account leaves its book",
			by:     "./internal/conversations -run TestBooksKnowTheirChats",
		},
		{
			name:   "a rule in centimes is taken as it stands",
			file:   "internal/conversations/prices.go",
			old:    `	case much:`,
			new:    `	case much && false:`,
			breaks: "a shop sells for a hundred times what it means",
			holds:  "an amount as high as what items cost is asked back",
			by:     "./internal/conversations -run TestPricesAreAskedBack",
		},
		{
			name: "a chat is noted by a run of a transaction that is not kept",
			file: "internal/conversations/turn.go",
			old:  `		return tx.PutChat(&now)`,
			new: `		err = tx.PutChat(&now)
		*c = now
		return err`,
			breaks: "who writes for the first time is answered after a second, or not at all",
			holds:  "a transaction may run again",
			by:     "./internal/app -run TestTransactionsRunTwice",
		},
	}
}
