package purchase

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	askLife = 30 * time.Minute // how long owners have to decide
)

// Ask asks the owners for a drafted purchase that is above its buyer's limit: each gets one message, and the
// first to decide has decided. The tap is the buyer's, on a button that spends nothing.
func (e *Engine) Ask(ctx context.Context, t Tap) (store.Purchase, error) {
	// The owners' button has a nonce of its own: that of the buyer's ✅ must not decide about it, nor the other way round.
	nonce, err := e.nonce()
	if err != nil {
		return store.Purchase{}, err
	}
	return e.onTap(ctx, t, func(tx *store.Tx, p *store.Purchase, a *store.Account, now time.Time) error {
		if err := check(*p, t, now); err != nil {
			return err
		}
		if err := allowed(*a, *p, e.Day(now)); err != nil && !errors.Is(err, ErrLimit) {
			return err
		}
		if same, err := unasked(tx, *p, *a, now); err != nil || len(same) > 0 {
			return errors.Join(err, repeated(same))
		}
		// ExpiresAt moves from the draft's ten minutes to the owners' half an hour; expire asks the record for it.
		p.Message, p.ExpiresAt = t.Message, now.Add(askLife)
		p.Ask = &store.Ask{At: now, Nonce: nonce}
		return e.move(tx, p, a, Ask, "above the buyer's limit")
	})
}

// Approve takes an owner's ✅ on a purchase that was asked for: it joins the queue as if its buyer had been
// allowed to confirm it. The price is the one that the owner was shown. The same that was bought for the same
// player meanwhile is shown to them first, with a *RepeatError. Nothing was bought either with ErrNotAllowed, ErrStale, ErrExpired,
// ErrLocked, ErrRestored and ErrCrowded. ErrStale also tells that the buyer has left the team, which ends the purchase.
func (e *Engine) Approve(ctx context.Context, t Tap) (store.Purchase, error) {
	if err := e.crowded(ctx, t.Purchase, store.Asked); err != nil {
		return store.Purchase{}, err
	}
	// same leaves the transaction through this variable: in that case the transaction commits, so that the owners' questions show what was
	// found, and the tap itself still fails with a *RepeatError.
	var same []store.Purchase
	p, err := e.onTap(ctx, t, func(tx *store.Tx, p *store.Purchase, a *store.Account, now time.Time) (err error) {
		if err := asked(*p, *a, t, now); err != nil {
			return err
		}
		if same, err = unasked(tx, *p, *a, now); err != nil {
			return err
		}
		lock := locked(*a)
		switch {
		// noteRepeats notes what the owners are shown now. The next ✅ of theirs meets no repeat that they were not told of.
		case len(same) > 0:
			noteRepeats(p, same)
			return errors.Join(tx.PutPurchase(p), queueFor(tx, *p, store.Request, ".a", a.PrivateChats(store.Owner)))
		// A lock leaves the question open: the purchase may be approved once the lock is gone, until it expires.
		case lock != nil:
			return lock
		case !a.Role(p.User).AtLeast(store.Seller): // taken out of the team meanwhile
			return e.end(tx, p, a, store.ReasonRemoved)
		}
		p.Ask = decided(p.Ask, *a, t.User, true, now)
		return e.enqueue(tx, p, a, now)
	})
	switch {
	// Its buyer has left the team: the transaction has ended it, and the owner is told that the button is of no use.
	case err == nil && p.Phase == store.Dropped:
		err = ErrStale
	case err == nil && len(same) > 0:
		err = repeated(same)
	}
	if err == nil {
		e.log(p).Info("purchase approved", "update", t.Update, "by", t.User)
		e.wake(p.Account)
	}
	return p, err
}

// Refuse takes an owner's no to a purchase that was asked for. ErrNotAllowed, ErrStale and ErrExpired say why a tap has ended nothing.
func (e *Engine) Refuse(ctx context.Context, t Tap) (store.Purchase, error) {
	p, err := e.onTap(ctx, t, func(tx *store.Tx, p *store.Purchase, a *store.Account, now time.Time) error {
		if err := asked(*p, *a, t, now); err != nil {
			return err
		}
		p.Ask = decided(p.Ask, *a, t.User, false, now)
		return e.end(tx, p, a, store.ReasonRefused)
	})
	if err == nil {
		e.log(p).Info("purchase refused", "update", t.Update, "by", t.User)
	}
	return p, err
}

// onTap is one transaction on a purchase and its account. A tap on what is not there any more is stale.
func (e *Engine) onTap(ctx context.Context, t Tap, fn func(*store.Tx, *store.Purchase, *store.Account, time.Time) error) (p store.Purchase, err error) {
	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		var a store.Account
		if p, a, err = load(tx, t.Purchase); err != nil {
			return err
		}
		if err := atHand(tx, t.Chat, a.ID); err != nil {
			return err
		}
		return fn(tx, &p, &a, time.Now())
	})
	// Purchases and accounts are never deleted, so what is not there is an id that nobody here made.
	if errors.Is(err, store.ErrNotFound) {
		err = ErrStale
	}
	return p, err
}

// asked tells whether a tap may decide on a purchase.
func asked(p store.Purchase, a store.Account, t Tap, now time.Time) error {
	return question{ask: p.Ask, message: p.ShownIn(store.Request, t.Chat), open: p.Phase == store.Asked, until: p.ExpiresAt}.permits(a, t, now)
}

// end drops a purchase that nobody is asked for any more.
func (e *Engine) end(tx *store.Tx, p *store.Purchase, a *store.Account, why string) error {
	p.Reason = why
	return e.move(tx, p, a, Drop, why)
}

// nonce makes what a button that spends carries.
func (e *Engine) nonce() (string, error) {
	// 64 bits, in 11 characters: the data of a button takes 64 bytes in all.
	b := make([]byte, 8)
	if _, err := io.ReadFull(e.cfg.Random, b); err != nil {
		return "", fmt.Errorf("make a nonce: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// tellOwners queues what owners are asked about a purchase, and that it needs them no more.
// It is called by move for every step, with the phase before it; most steps concern no owner and queue nothing.
func tellOwners(tx *store.Tx, p store.Purchase, a store.Account, was store.Phase) error {
	if p.Phase == store.Asked || was == store.Asked {
		chats, err := withGroup(tx, a, a.PrivateChats(store.Owner))
		if err == nil {
			err = queueFor(tx, p, store.Request, ".a", chats)
		}
		if err != nil {
			return err
		}
		// Whoever cancelled knows it. Anybody else is pinged: the edit of the status message makes no sound.
		if p.Phase == store.Dropped && p.Reason != store.ReasonCancelled {
			return tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID + ".r", Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority})
		}
	}
	if err := errors.Join(tellApprover(tx, p, a), pingBuyer(tx, p, was)); err != nil {
		return err
	}
	switch {
	case p.Phase == store.Undecided, was == store.Undecided, p.Phase == store.Unknown && len(a.Queue) > 0:
		return askOwners(tx, p, a)
	// Those who were told that others wait for it, and what those who have decided about it read.
	case was == store.Unknown, was == store.Accepted:
		return queueFor(tx, p, store.Decision, ".q", nil)
	}
	return nil
}

// tellApprover queues what came of a purchase for the owner who has approved it: their question tells it as it goes, and at
// its end there is a message of its own.
func tellApprover(tx *store.Tx, p store.Purchase, a store.Account) error {
	if p.Ask == nil || !p.Ask.Granted || p.Ask.By == p.Chat || a.Role(p.Ask.By) != store.Owner {
		return nil
	}
	// No chat is named: only those are told who were asked before, as the approver was.
	if err := queueFor(tx, p, store.Request, ".a", nil); err != nil || !p.Phase.Final() {
		return err
	}
	count, err := countUnits(tx, p)
	if err != nil {
		return err
	}
	if p.Phase == store.Rejected {
		// What tells of a key that is not taken says that nothing was bought, and why: it need not be said twice.
		_, err := tx.Outgoing(p.Ask.By, keyTroubleID(p))
		if err == nil || !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	args := map[string]string{store.AboutArg: a.ID, "ref": store.Ref(p.ID), "purchase": p.ID, "person": p.Buyer}
	if p.Phase == store.Dropped || p.Phase == store.Rejected {
		args["phase"], args["class"] = string(p.Phase), p.Reason
		if sent := p.Refused; sent {
			args["sent"] = "1"
		}
	}
	// The name tells of a failure until everything is there: a note that was wrong in that direction is the smaller mistake.
	name := store.ApprovedFailedNote
	if p.Phase == store.Settled && count.ready > 0 && count.failed == 0 && p.Missing == 0 {
		name, args[store.SilentArg] = store.ApprovedNote, "1"
	}
	return tx.Enqueue(store.NewNote(p.Ask.By, p.ID+".o"+string(p.Phase), name, args))
}

// pingBuyer makes the phone of a buyer ring whose purchase an owner has approved and that was not bought after all: they have put
// it away meanwhile, and an edit of the status message makes no sound. Whoever has left it themselves knows, and what ends with its
// place in the queue rings anyway.
func pingBuyer(tx *store.Tx, p store.Purchase, was store.Phase) error {
	granted := p.Ask != nil && p.Ask.Granted && (was == store.Queued || was == store.Submitting)
	silent := slices.Contains([]string{store.ReasonCancelled, store.ReasonWaited, store.ReasonHeld, store.ReasonOutage}, p.Reason)
	if !granted || p.Phase != store.Rejected && (p.Phase != store.Dropped || silent) {
		return nil
	}
	return tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID + ".r", Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority})
}

// keyTroubleID is the id of what owners are told about a key that a purchase has found not to work.
func keyTroubleID(p store.Purchase) string { return "key." + p.ID }

// askOwners queues what owners are asked about an uncertain purchase: what became of it, or, where others wait for
// it, whether these are to go first.
// In an owner's own chat the status message has the buttons of the question: they need no second message.
func askOwners(tx *store.Tx, p store.Purchase, a store.Account) error {
	own, err := isOwners(tx, p, a)
	if err != nil {
		return err
	}
	var owners []int64
	if !own { // else it is asked for where it was bought
		owners = a.Owners()
	}
	chats, err := withGroup(tx, a, owners)
	if err != nil {
		return err
	}
	return queueFor(tx, p, store.Decision, ".q", chats)
}

// withGroup adds the group of an account to those who are asked, where it is to hear of decisions: it reads that somebody was
// asked, and what came of it, and decides nothing.
func withGroup(tx *store.Tx, a store.Account, chats []int64) ([]int64, error) {
	if a.Place == nil || a.Retired {
		return chats, nil
	}
	al, err := tx.Alerts(a.Place.Chat, a.ID)
	if err != nil || al.Hears(store.DecisionSubject) == store.Unheard {
		return chats, err
	}
	return append(chats, a.Place.Chat), nil
}

// isOwners reports whether a purchase was made in the private chat of an owner who can be reached there.
func isOwners(tx *store.Tx, p store.Purchase, a store.Account) (bool, error) {
	// A private chat has the id of its user, so who owns by it is the person; a group's id is nobody's.
	if owners := a.Owners(); !slices.Contains(owners, p.Chat) {
		return a.Retired && len(owners) == 0, nil // nobody else is there
	}
	c, err := tx.Chat(p.Chat)
	if errors.Is(err, store.ErrNotFound) {
		return true, nil
	}
	return c.Unreachable.IsZero(), err
}

// queueFor queues a message about a purchase for some chats, and for those that have it already.
func queueFor(tx *store.Tx, p store.Purchase, as store.OutKind, suffix string, chats []int64) error {
	// Chats that were shown it before are brought up to date even if they are not among those to be asked now: otherwise
	// their message would go on asking.
	for _, s := range p.Shown {
		if s.As == as && !slices.Contains(chats, s.Chat) {
			chats = append(chats, s.Chat)
		}
	}
	for _, chat := range chats {
		if chat == p.Chat && as != store.Copy && p.ShownIn(as, chat) == 0 {
			continue // its status message says the same
		}
		if err := tx.Enqueue(&store.Outgoing{Chat: chat, ID: p.ID + suffix, Kind: as, Purchase: p.ID, Priority: store.DeliveryPriority}); err != nil {
			return err
		}
	}
	return nil
}

// copies queues what became of a purchase for whoever receives all deliveries: the shop's group, and those at
// the counter.
func copies(tx *store.Tx, p store.Purchase, a store.Account) error {
	// The role is compared exactly: owners and sellers hear of purchases otherwise, and get no copies of all.
	chats := slices.DeleteFunc(a.PrivateChats(store.Counter), func(chat int64) bool { return chat == p.Chat })
	// The same group in another topic gets a copy: people of one topic need not read the other.
	if at := a.Place; at != nil && (at.Chat != p.Chat || at.TopicFor(store.OrderSubject) != p.Thread) {
		chats = append(chats, at.Chat)
	}
	return queueFor(tx, p, store.Copy, ".c", chats)
}

// tellKeyTrouble tells the owners that the service does not take their account's key, or not from here, where
// somebody else has met that: once, until the key works again.
func tellKeyTrouble(tx *store.Tx, p store.Purchase, a *store.Account, now time.Time) error {
	// A key that is refused, and an address that is: for both, somebody has to act with the service.
	keyless := p.Reason == ReasonOf(api.Unauthorized) || p.Reason == ReasonOf(api.IPBlocked)
	switch {
	case p.Phase == store.Accepted:
		a.KeyTold = time.Time{} // it was taken
		return nil
	case p.Phase != store.Rejected || !keyless || !a.KeyTold.IsZero():
		return nil
	}
	told, args := false, map[string]string{"class": p.Reason}
	if p.Refused {
		args["ref"] = store.Ref(p.ID)
	}
	for _, chat := range a.PrivateChats(store.Owner) {
		if chat == p.Chat {
			continue
		}
		told = true
		if err := tx.Enqueue(store.NewNote(chat, keyTroubleID(p), store.KeyTroubleNote, args).Of(a.ID)); err != nil {
			return err
		}
	}
	// Where the buyer is the only owner, their own message says it, and KeyTold stays zero: the poller may still tell of orders that wait.
	if told {
		a.KeyTold = now
	}
	return nil
}
