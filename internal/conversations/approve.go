package conversations

import (
	"cmp"
	"errors"

	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// spending is a tap on a button that leads to a purchase, as the engine takes it.
// Of a list, Purchase holds the id of the list, as its buttons do (listtaps.go).
func (t approvalFlow) spending() purchase.Tap {
	return purchase.Tap{Purchase: t.action.Arg(0), Nonce: t.action.Arg(1), Chat: t.chatID, User: t.userID, Message: t.tapped, Update: t.update}
}

// bought tells what came of a tap that was to lead to a purchase.
func (t approvalFlow) bought(err error, done screen.Toast) error {
	if told, failed := t.told(err, done); told {
		return failed
	}
	var again *purchase.RepeatError
	switch {
	case errors.Is(err, purchase.ErrLimit):
		return t.above(t.action.Arg(0))
	case errors.As(err, &again):
		return buyFlow(t).askRepeat(t.action.Arg(0), again.Same)
	case errors.Is(err, purchase.ErrStale), errors.Is(err, purchase.ErrExpired):
		return t.moved(t.action.Arg(0))
	}
	return err
}

// told tells what any tap that was to lead to a purchase, or to a list of them, may come to; it is false for any other error.
func (t approvalFlow) told(err error, done screen.Toast) (is bool, failed error) {
	switch {
	case err == nil:
		t.ack(done)
		t.leave()
	case errors.Is(err, purchase.ErrNotYours):
		t.alert(screen.ToastNotYours)
	case errors.Is(err, purchase.ErrNotAllowed):
		return true, t.refuse(store.Seller)
	default:
		return t.reportBlocked(err), nil
	}
	return true, nil
}

// reportBlocked tells of what keeps an account from buying, whoever buys and whoever decides, and reports whether err is that.
func (t approvalFlow) reportBlocked(err error) bool {
	switch {
	case errors.Is(err, purchase.ErrLocked):
		t.alert(screen.ToastLocked)
	case errors.Is(err, purchase.ErrRestored):
		t.alert(screen.ToastRestored)
	case errors.Is(err, purchase.ErrCrowded):
		t.alert(screen.ToastCrowded)
	default:
		return false
	}
	return true
}

// above shows a summary anew whose purchase is above the buyer's limit by now: others were bought since.
func (t approvalFlow) above(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if err != nil {
		return err
	}
	// Without a balance, which is not read for this: where one is known to be too low, the screen leaves out the way to the owners.
	return t.say(t.scr.Purchases().Above(p, screen.BalanceView{}, nil))
}

// askOwners has the owners asked for the purchase in hand.
func (t approvalFlow) askOwners() error {
	_, err := t.cfg.Purchases.Ask(t.ctx, t.spending())
	return t.bought(err, screen.ToastAsked)
}

// approve and refuseIt take an owner's word.
func (t approvalFlow) approve() error {
	_, err := t.cfg.Purchases.Approve(t.ctx, t.spending())
	return t.decided(err, screen.ToastWorking)
}

func (t approvalFlow) refuseIt() error {
	_, err := t.cfg.Purchases.Refuse(t.ctx, t.spending())
	return t.decided(err, "")
}

// decided tells what came of an owner's word: who comes second is told that it is decided, and by whom.
func (t approvalFlow) decided(err error, done screen.Toast) error {
	switch {
	case err == nil:
		t.ack(done)
		return nil
	case errors.As(err, new(*purchase.RepeatError)): // the question tells of it now
		t.alert(screen.ToastSame)
		return nil
	case errors.Is(err, purchase.ErrNotAllowed):
		return t.refuse(store.Owner)
	case t.reportBlocked(err):
		return nil
	case errors.Is(err, purchase.ErrStale), errors.Is(err, purchase.ErrExpired):
		return t.refresh(store.Request, t.action.Arg(0))
	}
	return err
}

// askAgain asks an owner once more for what waits for their word: the message before gives way, since one alone takes the answer.
func (t approvalFlow) askAgain(p store.Purchase, orders []store.Order) error {
	before := p.ShownIn(store.Request, t.chatID)
	message, err := t.show(t.scr.Approvals().Request(p, orders, lastBalance(t.shop)))
	if err != nil || message == before {
		return err
	}
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		now, err := tx.Purchase(p.ID)
		if err != nil || now.Phase != store.Asked { // it was answered meanwhile
			return err
		}
		store.NoteShown(&now, store.Shown{As: store.Request, Chat: t.chatID, Message: message})
		return tx.PutPurchase(&now)
	})
	if err != nil || before == 0 {
		return err
	}
	if err := t.cfg.Messenger.Delete(t.ctx, t.chatID, before); err != nil { // it stays, and its buttons do nothing
		t.cfg.Log.Info("a question that was asked again could not be removed", "update", t.update, "purchase", p.ID, "err", err)
	}
	return nil
}

// refresh shows a question to an owner as it stands, after a tap that is too late for it.
func (t approvalFlow) refresh(as store.OutKind, id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	// A button under a message that does not show this purchase is forged, or older than the message that does.
	if errors.Is(err, store.ErrNotFound) || err == nil && p.ShownIn(as, t.chatID) != t.tapped {
		return t.stale()
	}
	if err != nil {
		return err
	}
	t.alert(screen.ToastDecided)
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return tx.Enqueue(beside(p, as, t.chatID)) })
}

// beside is the row that brings what shows a purchase in another chat up to date.
//
// The ids are those that package purchase gives to these rows (queueFor there): a row that waits is replaced, and nothing comes twice.
func beside(p store.Purchase, as store.OutKind, chat int64) *store.Outgoing {
	suffix := map[store.OutKind]string{store.Request: ".a", store.Decision: ".q", store.Copy: ".c"}[as]
	return &store.Outgoing{Chat: chat, ID: p.ID + suffix, Kind: as, Purchase: p.ID, Priority: store.DeliveryPriority}
}

// letGo takes an owner's word that the others need not wait for an uncertain purchase.
func (t approvalFlow) letGo() error {
	id := t.action.Arg(0)
	err := t.cfg.Purchases.LetGo(t.ctx, id, t.userID)
	switch {
	case err == nil:
		t.ack(screen.ToastLetGo)
		return nil
	case errors.Is(err, purchase.ErrNotAllowed):
		return t.refuse(store.Owner)
	case errors.Is(err, purchase.ErrStale):
		return t.notHeld(id)
	case errors.Is(err, purchase.ErrLocked), errors.Is(err, purchase.ErrRestored):
		// In words of its own: of the purchase that is looked for it is not known that nothing was bought.
		t.alert(screen.ToastNobodyGoes)
		return nil
	}
	return err
}

// notHeld answers a tap about a purchase that nobody waits for any more.
func (t approvalFlow) notHeld(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	t.ack(tooLate(p.Phase == store.Dropped))
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
		switch t.tapped {
		case p.ShownIn(store.Decision, t.chatID):
			return tx.Enqueue(beside(p, store.Decision, t.chatID))
		case p.Message:
			return tx.Enqueue(purchase.Refresh(p))
		}
		return nil // under one that has waited: what became of that is told there anyway
	})
}

// reveal shows the codes of a purchase to the person who asks, if they are of its team at this moment, and writes
// down that they were: over the chat in a group, where there is room, else in private.
func (t approvalFlow) reveal() error {
	id := t.action.Arg(0)
	var p store.Purchase
	var again bool
	var role store.Role
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		if p, err = tx.Purchase(id); err != nil {
			return err
		}
		a, err := tx.Account(p.Account)
		if err != nil {
			return err
		}
		m, ok := a.Member(t.userID)
		ok = ok || a.Retired && (p.User == t.userID || a.OwnedBy(t.userID)) // nobody else is left who may
		if !ok || !t.isShown(p, a) {
			return errNoMember
		}
		role = m.Role
		// Asked before this reveal is noted: then others have seen the codes before.
		again = len(p.Reveals) > 0
		// On disk before anything is shown: whoever has seen a code is known, also where the process ends in between.
		store.NoteReveal(&p, store.Reveal{User: t.userID, Name: cmp.Or(m.Name, t.name), At: now()})
		return tx.PutPurchase(&p)
	})
	switch {
	case errors.Is(err, errNoMember), errors.Is(err, store.ErrNotFound):
		t.alert(screen.ToastStranger)
		return nil
	case err != nil:
		return err
	}
	orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
	if err != nil {
		return err
	}
	t.cfg.Log.Info("codes were shown to somebody", "purchase", p.ID, "user", t.userID, "chat", t.chatID)
	// An alert over the chat is seen by nobody else, and holds few characters: what does not fit goes to private.
	if text, ok := t.own.Codes().Reveal(p, orders); ok && !t.private && t.action.Arg(1) != screen.RevealPrivate {
		t.answerText(text, true)
		return nil
	}
	// In this copy alone, which is never put: what is sent to them says that the codes are delivered once more.
	p.Told.MaybeSent = p.Told.MaybeSent || again
	return t.revealInPrivate(p, orders, role)
}

// isShown reports whether a purchase is shown to the person where they have tapped.
func (t approvalFlow) isShown(p store.Purchase, a store.Account) bool {
	switch {
	case !t.private:
		return p.Chat == t.chatID || p.ShownIn(store.Copy, t.chatID) != 0 || t.chat.Account == a.ID
	case a.Role(t.userID) == store.Seller:
		return p.User == t.userID || p.ShownIn(store.Copy, t.chatID) != 0
	}
	return true
}

// revealInPrivate sends the codes of a purchase to the person's private chat, once for as many as there are: who asks for the same
// again is told that they are there. role is theirs in the team that has bought it: the
// group where they tap may be linked to another one, or to none any more.
func (t approvalFlow) revealInPrivate(p store.Purchase, orders []store.Order, role store.Role) error {
	scr, _ := t.cfg.Screens.For(cmp.Or(t.speaks, t.chat.Language))
	if !role.AtLeast(store.Seller) { // also from a group: it is their private chat that this goes to
		scr = scr.WithoutBuying()
	}
	scr = scr.As(screen.ForSeller)
	if role != store.Owner {
		scr = t.costsOf(p.Account, role).here(scr)
	}
	m := scr.Purchases().Again(p, orders, store.QueuePlace{})
	// The number of codes is part of it: once more of them have come, they are sent to whoever has the first ones.
	as := store.InPrivate(store.CountCodes(orders))
	if !t.private && p.ShownIn(as, t.userID) != 0 {
		t.alert(screen.ToastInPrivateBefore)
		return nil
	}
	c, err := t.cfg.Store.Chat(t.ctx, t.userID)
	// Without a chat of theirs the bot may not write to them: Telegram lets nobody be written to who has not begun.
	if err != nil || !c.Unreachable.IsZero() {
		t.alert(screen.ToastNoPrivate)
		return ignoreMissing(err)
	}
	if m, err = t.inPrivateOf(c, p.Account, m); err != nil {
		return err
	}
	defer t.ackSoon()()
	message, err := t.cfg.Messenger.Send(t.ctx, t.userID, 0, m)
	switch {
	case telegram.Classify(err).Kind == telegram.Unreachable:
		t.alert(screen.ToastNoPrivate)
		return nil
	case err != nil:
		return err
	case !t.private:
		t.ack(screen.ToastInPrivate)
	}
	// Behind the sending. If this is lost, whoever asks again gets the codes once more; the other way round, they would be told that
	// codes are there which never came.
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(p.ID)
		if err != nil {
			return ignoreMissing(err)
		}
		store.NoteShown(&p, store.Shown{As: as, Chat: t.userID, Message: message})
		return tx.PutPurchase(&p)
	})
}
