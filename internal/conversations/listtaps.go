package conversations

import (
	"context"
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// confirm passes on a tap on ✅. The card shows what becomes of it.
func (t listFlow) confirm() error {
	_, err := t.cfg.Purchases.ConfirmList(t.ctx, approvalFlow(t).spending())
	return t.bought(err, screen.ToastWorking)
}

// ask has the owners asked for the list in hand.
func (t listFlow) ask() error {
	_, err := t.cfg.Purchases.AskList(t.ctx, approvalFlow(t).spending())
	return t.bought(err, screen.ToastAsked)
}

// marked has what is marked bought as well, or not, and shows what that comes to.
func (t listFlow) marked() error {
	l, err := t.cfg.Purchases.ListWithMarked(t.ctx, approvalFlow(t).spending(), t.action.Arg(2) == screen.Yes)
	if err != nil {
		return t.bought(err, "")
	}
	return t.say(t.scr.Lists().Card(screen.ListView{List: l, Locked: t.shop.Locked}))
}

// bought tells what came of a tap on a list's card.
func (t listFlow) bought(err error, done screen.Toast) error {
	if told, failed := approvalFlow(t).told(err, done); told {
		return failed
	}
	switch {
	case errors.Is(err, purchase.ErrLimit), errors.Is(err, purchase.ErrChanged): // the card shows it now
		t.alert(screen.ToastListOther)
		return nil
	case errors.Is(err, purchase.ErrStale), errors.Is(err, purchase.ErrExpired):
		return t.moved(errors.Is(err, purchase.ErrExpired))
	}
	return err
}

// moved shows a list as it stands, after a tap on a button that is too late for it.
func (t listFlow) moved(expired bool) error {
	l, err := t.cfg.Store.List(t.ctx, t.action.Arg(0))
	// What a list holds is shown only under a message that has shown it: any other tap names a list that it need not know.
	mine := l.Chat == t.chatID && l.Message == t.tapped || l.ShownIn(store.ListRequest, t.chatID) == t.tapped
	if errors.Is(err, store.ErrNotFound) || err == nil && !mine {
		if no, err := t.refuseBelow(store.Counter); no || err != nil {
			return err // who decides is said by the list, and this names none
		}
		return t.stale()
	}
	if err != nil {
		return err
	}
	t.ack(tooLate(expired || l.Phase == store.ListDropped))
	if expired {
		return t.cfg.Purchases.DropList(t.ctx, l.ID, store.ReasonExpired, true)
	}
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return purchase.RefreshList(tx, l) })
}

// approve and refuseIt take an owner's word.
func (t listFlow) approve() error {
	_, err := t.cfg.Purchases.ApproveList(t.ctx, approvalFlow(t).spending())
	return t.bought(err, screen.ToastWorking)
}

func (t listFlow) refuseIt() error {
	_, err := t.cfg.Purchases.RefuseList(t.ctx, approvalFlow(t).spending())
	return t.bought(err, "")
}

// stop ends what of a list was not sent.
func (t listFlow) stop() error {
	_, err := t.cfg.Purchases.StopList(t.ctx, t.action.Arg(0), t.userID)
	switch {
	case err == nil:
		t.ack(screen.ToastListStopped)
		return nil
	case errors.Is(err, purchase.ErrNotAllowed):
		t.alert(screen.ToastNotYours)
		return nil
	case errors.Is(err, purchase.ErrStale):
		return t.moved(false)
	}
	return err
}

// drop is ✖️ on a list that nobody has confirmed. Of one that was, nothing is taken back here: stop ends what was not sent.
func (t listFlow) drop() error {
	l, err := t.cfg.Store.List(t.ctx, t.action.Arg(0))
	if ignoreMissing(err) != nil {
		return err
	}
	if err != nil || l.Chat != t.chatID || l.Phase.Promised() {
		return t.moved(false)
	}
	if l.User != t.userID {
		t.alert(screen.ToastNotYours)
		return nil
	}
	if err := t.cfg.Purchases.DropList(t.ctx, l.ID, store.ReasonCancelled, false); err != nil {
		return err
	}
	t.leave()
	return t.say(t.scr.Home().Cancelled())
}

// again shows a card of what a list has not bought, at today's prices. What the service refused comes along once its money
// shows to be there.
func (t listFlow) again() error {
	l, err := t.cfg.Store.List(t.ctx, t.action.Arg(0))
	if ignoreMissing(err) != nil {
		return err
	}
	if err != nil || !t.isToBuyAgain(l) {
		return t.stale()
	}
	other := l.Account != t.shop.ID
	v, err := t.view(l)
	if err != nil {
		return err
	}
	defer t.ackSoon()()
	return t.withCatalogue(func(all []api.Product) error {
		r, err := t.lineReader(all)
		if err != nil || r == nil {
			return err
		}
		lines, held, err := t.linesAgain(r, v)
		if err != nil {
			return err
		}
		switch {
		case len(lines) > 0 && other:
			t.ack(screen.ToastOtherAccount)
			return t.draft(lines)
		case len(lines) > 0:
			return t.draft(lines)
		case held.n > 0:
			return t.say(t.scr.Lists().Held(l.ID, held.n, held.from, held.by))
		}
		if other { // what its card says beside that is of a shop that is not at hand
			return t.stale()
		}
		// What was refused has come to something else, by then or by these looks: the card says to what.
		if v, err = t.view(l); err != nil {
			return err
		}
		return t.say(t.scr.Lists().Card(v))
	})
}

// linesAgain are the lines that a list has not bought, as they can be bought today, and those that are held back.
func (t listFlow) linesAgain(r *reader, v screen.ListView) (lines []store.ListLine, held heldLines, err error) {
	for _, i := range v.Again() {
		line := v.Lines[i]
		no, err := t.heldBack(v.Bought[line.Purchase].Purchase, &held)
		if err != nil {
			return nil, held, err
		}
		if no {
			continue
		}
		if v.Account != t.shop.ID { // its customer is another shop's
			line.For = ""
		}
		lines = append(lines, r.anew(line, lines))
	}
	return lines, held, nil
}

// isToBuyAgain reports whether the person may put together once more what a list has left: one of the shop at hand, or, of an account that they have
// left, their own.
func (t listFlow) isToBuyAgain(l store.List) bool {
	if l.Chat != t.chatID {
		return false
	}
	if l.Account == t.shop.ID {
		return t.role != store.Seller || l.User == t.userID
	}
	return t.private && l.User == t.userID && !slices.Contains(t.chat.Removed, l.Account)
}

// heldLines are the lines of a list that are not offered again yet, and for how long at most.
type heldLines struct {
	n, looks int
	from, by time.Time // as in purchase.Refusal
}

// heldBack reports whether a line is not offered again: the money of a purchase that the service refused does not show to be there yet, or it has come
// to something else. What was refused may have been made all the same, and would be bought twice. Each look may cost calls: what is
// beyond the most of one tap is held back unseen, and comes along another time.
func (t listFlow) heldBack(p store.Purchase, held *heldLines) (bool, error) {
	if p.ID == "" || p.Phase != store.Rejected || !p.Refused {
		return false, nil
	}
	if held.looks++; held.looks > mostIntact {
		held.n++
		return true, nil
	}
	ctx, cancel := context.WithTimeout(t.ctx, lookPatience)
	defer cancel()
	refusal, err := t.cfg.Purchases.Intact(ctx, p.ID)
	if err != nil { // no proof that nothing was bought: the rest of the list need not wait for it
		t.cfg.Log.Warn("a refused purchase could not be looked at", "update", t.update, "purchase", p.ID, "err", err)
	}
	if refusal.Intact {
		return false, nil
	}
	// The look may have shown that it was bought after all: then it is not offered, and nothing is waited for.
	if p, err = t.cfg.Store.Purchase(t.ctx, p.ID); err != nil {
		return true, err
	}
	if p.Phase == store.Rejected {
		held.n++
		held.from, held.by = later(held.from, refusal.From), later(held.by, refusal.By)
	}
	return true, nil
}

// later is the later of two moments.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
