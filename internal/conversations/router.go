package conversations

import (
	"context"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/api"
	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/store"
)

// route classifies an update and runs the flow it belongs to.
func (b *Bot) route(ctx context.Context, a arrival) error {
	ctx, err := b.gate(ctx, &a)
	if err != nil {
		return err
	}
	u := a.update
	switch {
	case u.CallbackQuery != nil:
		return b.callback(ctx, a, u.CallbackQuery)
	case u.Message != nil:
		return b.message(ctx, a, u.Message)
	case u.MyChatMember != nil:
		return b.member(ctx, a, u.MyChatMember)
	}
	return b.done(ctx, a.in.ID)
}

// done notes that an update needs nothing.
func (b *Bot) done(ctx context.Context, update int64) error {
	if update == 0 { // it is not on disk
		return nil
	}
	return b.cfg.Store.Batch(ctx, func(tx *store.Tx) error { return tx.UpdateDone(update) })
}

// message handles what was typed. Bots, service messages and forwarded texts start nothing.
func (b *Bot) message(ctx context.Context, a arrival, m *models.Message) error {
	if m.MigrateToChatID != 0 {
		return b.migrated(ctx, a.in.ID, m.Chat.ID, m.MigrateToChatID)
	}
	if isAnonymous(m) {
		return b.offerPlace(ctx, a, m)
	}
	if m.From == nil || m.From.IsBot || m.ForwardOrigin != nil || m.Text == "" {
		return b.done(ctx, a.in.ID)
	}
	private := m.Chat.Type == models.ChatTypePrivate
	name, rest, isCommand := command(m.Text, b.cfg.BotName())
	if !private && !isCommand {
		// In a group people talk to each other. Only an answer to an open question of theirs is for us.
		s, err := b.cfg.Store.Session(ctx, m.Chat.ID, m.From.ID)
		if err != nil || s.Flow == "" {
			return firstError(err, func() error { return b.done(ctx, a.in.ID) })
		}
	}
	t, err := b.open(ctx, a, m.From)
	if err != nil {
		return err
	}
	t.text, t.typed = m.Text, m.ID
	t.at(m)
	if a.onDisk() && !t.chat.Unreachable.IsZero() {
		if err := b.changeChat(ctx, &t.chat, func(c *store.Chat) { c.Unreachable = time.Time{} }); err != nil {
			return err
		}
		b.cfg.Reachable(t.chatID)
	}
	if isCommand {
		err = t.command(name, rest)
	} else {
		err = t.answerQuestion()
	}
	return firstError(err, t.finish)
}

// at notes which group, and which topic of it, something happens in.
func (t *turn) at(m *models.Message) {
	if t.private {
		return
	}
	t.title = m.Chat.Title
	if m.IsTopicMessage {
		t.thread = m.MessageThreadID
	}
}

// command runs a command. One that opens a flow of its own leaves the question that was open.
func (t *turn) command(name, rest string) error {
	if need, ok := commandNeeds(name); ok {
		if no, err := t.barred(need); no || err != nil {
			return err
		}
	}
	if name != "key" && name != "cancel" {
		t.closeKeyQuestion()
	}
	switch name {
	case "start":
		return t.startWith(plainToken(rest))
	case "team":
		return t.team()
	case "lock":
		return t.lock()
	case "unlock":
		return t.unlock()
	case "help":
		return t.help()
	case "key":
		return t.key(rest)
	case "buy":
		return t.buy(rest)
	case "orders":
		return t.orders("", "")
	case "topup":
		return t.topup()
	case "balance":
		return t.balance()
	case "stock":
		return t.stock()
	case "alerts":
		return t.alerts()
	case "access":
		return t.access(0)
	case "language":
		return t.languages()
	case "privacy":
		return t.privacy()
	case "forget":
		return t.forget(false)
	case "cancel":
		return t.cancelAll()
	}
	if !t.private {
		return nil
	}
	return t.say(t.scr.UnknownCommand(name))
}

// answerQuestion takes a typed line as the answer to the open question; without one it searches.
func (t *turn) answerQuestion() error {
	if no, err := t.barred(flowNeeds(t.session.Flow)); no || err != nil {
		return err
	}
	switch t.session.Flow {
	case flowKey:
		return t.keyTyped()
	case flowBuy:
		return t.buyTyped()
	case flowAlerts:
		return t.alertTyped()
	case flowTeam:
		return t.limitTyped()
	}
	return t.search(t.text)
}

// callback handles a tapped button.
func (b *Bot) callback(ctx context.Context, a arrival, q *models.CallbackQuery) error {
	chat, message, ok := carrierOf(q)
	if !ok {
		return b.done(ctx, a.in.ID)
	}
	a.in.Chat = chat
	t, err := b.open(ctx, a, &q.From)
	if err != nil {
		return err
	}
	t.query, t.tapped = q.ID, message
	if q.Message.Message != nil {
		t.at(q.Message.Message)
	}
	action, ok := screen.ParseAction(q.Data)
	if !ok {
		no, err := t.barred(store.NoRole)
		if err == nil && !no {
			err = t.stale()
		}
		return firstError(err, t.finish)
	}
	t.action = action
	return firstError(t.tap(), t.finish)
}

// tap runs what a button means, for those who may.
func (t *turn) tap() error {
	if need, ok := verbNeeds(t.action.Verb); ok {
		if no, err := t.barred(need); no || err != nil {
			return err
		}
	}
	t.keepOthers()
	return t.act()
}

// act runs what a button means.
func (t *turn) act() error {
	switch t.action.Verb {
	case screen.VerbHome:
		return t.start()
	case screen.VerbHelp:
		return t.help()
	case screen.VerbKey:
		return t.key("")
	case screen.VerbKeyRemove:
		return t.keyRemove(t.action.Arg(0) == screen.Yes)
	case screen.VerbKeyCarry, screen.VerbKeyApart:
		return t.keyReplace(t.action.Verb == screen.VerbKeyCarry)
	case screen.VerbBuy, screen.VerbProduct, screen.VerbVariant:
		return t.browse()
	case screen.VerbTopup:
		return t.topups(int(t.action.Int(0)))
	case screen.VerbQuantity, screen.VerbOption, screen.VerbPlayer, screen.VerbGoOn, screen.VerbBack:
		return t.buyTapped()
	case screen.VerbBalance:
		return t.balance()
	case screen.VerbMovements:
		return t.movements()
	case screen.VerbAlerts:
		return t.alerts()
	case screen.VerbAlert:
		return t.drawLine(t.action.Arg(0), screen.NoProblem)
	case screen.VerbAlertSet:
		return t.alertSet()
	case screen.VerbWatch:
		return t.watch(t.action.Int(0))
	case screen.VerbWatchSet:
		return t.watchSet()
	case screen.VerbVault:
		return t.vault(t.action.Int(0))
	case screen.VerbStock:
		return t.stock()
	case screen.VerbHistory:
		return t.history(api.Family(t.action.Arg(0)))
	case screen.VerbLanguages:
		return t.languages()
	case screen.VerbLanguage:
		return t.language(t.action.Arg(0))
	case screen.VerbPrivacy:
		return t.privacy()
	case screen.VerbForget:
		return t.forget(t.action.Arg(0) == screen.Yes)
	case screen.VerbCancel:
		return t.cancelAll()
	case screen.VerbAccess, screen.VerbPass, screen.VerbShutOut, screen.VerbShutOuts, screen.VerbLetIn:
		return t.accessTap()
	}
	return t.purchaseTap()
}

// purchaseTap runs what a button means that is about a purchase and its orders, and of others.
func (t *turn) purchaseTap() error {
	switch t.action.Verb {
	case screen.VerbConfirm:
		return t.confirm()
	case screen.VerbDrop:
		return t.drop()
	case screen.VerbAgain:
		return t.again()
	case screen.VerbDecide:
		return t.decide()
	case screen.VerbMark:
		return t.markOrders()
	case screen.VerbTake:
		return t.takeOrders()
	case screen.VerbLetGo:
		return t.letGo()
	case screen.VerbOrders:
		return t.orders(t.action.Arg(0), t.action.Arg(1))
	case screen.VerbWhy:
		return t.why(t.action.Arg(0))
	case screen.VerbOrder:
		return t.order(t.action.Arg(0))
	case screen.VerbLook:
		return t.lookAgain(t.action.Arg(0))
	}
	return t.teamTap()
}

// teamTap runs what a button means that is about who may do what, and of one that means nothing now.
func (t *turn) teamTap() error {
	user := t.action.Int(0)
	switch t.action.Verb {
	case screen.VerbSoldOut:
		t.ack(screen.ToastSoldOut)
		return nil
	case screen.VerbAsk:
		return t.askOwners()
	case screen.VerbApprove:
		return t.approve()
	case screen.VerbRefuse:
		return t.refuseIt()
	case screen.VerbReveal:
		return t.reveal()
	case screen.VerbTeam:
		return t.team()
	case screen.VerbInvite:
		return t.invite()
	case screen.VerbInvitesOff:
		return t.invitesOff()
	case screen.VerbPerson:
		return t.person(user)
	case screen.VerbPersonRole:
		return t.personRole(user, store.Role(t.action.Arg(1)), t.action.Arg(2) == screen.Yes)
	case screen.VerbPersonOut:
		return t.personOut(user, t.action.Arg(1) == screen.Yes)
	case screen.VerbPersonLimit:
		return t.personLimit(user, t.action.Arg(1), screen.NoProblem)
	case screen.VerbLimitSet:
		return t.limitSet(user, t.action.Arg(1), t.action.Arg(2))
	case screen.VerbPlace:
		return t.place()
	case screen.VerbPlaceHere:
		return t.placeHere(t.action.Arg(0) == screen.Yes)
	case screen.VerbPlaceOff:
		return t.placeOff()
	case screen.VerbPlaceFull:
		return t.placeFull(t.action.Arg(0))
	case screen.VerbLock:
		return t.lock()
	case screen.VerbUnlock:
		return t.unlock()
	case screen.VerbTeamConfirm:
		return t.confirmTeam(t.action.Arg(0))
	case screen.VerbUnfreeze:
		return t.unfreeze()
	}
	return t.stale()
}

// keepOthers answers a tap in a group with a message of its own, unless the button stands under the person's own
// live screen, or is of a purchase that knows whose it is: nobody's screen changes under their hands.
func (t *turn) keepOthers() {
	switch t.action.Verb {
	case screen.VerbConfirm, screen.VerbDrop, screen.VerbAsk, screen.VerbDecide, screen.VerbMark, screen.VerbTake, screen.VerbLetGo, screen.VerbReveal,
		screen.VerbTeam, screen.VerbPlaceHere, screen.VerbPlaceOff, screen.VerbPlaceFull, screen.VerbLock, screen.VerbUnlock:
		return
	}
	if !t.private && t.session.Message != t.tapped {
		t.action.Fresh = true
	}
}

// stale answers a button that means nothing any more: the current screen instead.
func (t *turn) stale() error {
	t.ack(screen.ToastStale)
	t.action.Fresh = t.action.Fresh || !t.private // in a group it may be somebody else's screen
	return t.start()
}

// firstError runs next unless err is set.
func firstError(err error, next func() error) error {
	if err != nil {
		return err
	}
	return next()
}
