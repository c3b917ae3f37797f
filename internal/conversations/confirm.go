package conversations

import (
	"encoding/json"
	"errors"
	"time"

	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// dropDraft forgets the draft of the purchase in hand, if there is one: its screen is about to change. It reports whether
// there was one; what was confirmed is none.
func (t buyFlow) dropDraft() (dropped bool, err error) {
	var b buying
	if t.session.Flow != flowBuy {
		return false, nil
	}
	if err := json.Unmarshal(t.session.Data, &b); err != nil || b.Draft == "" {
		return false, nil //nolint:nilerr // nothing that can be read is in hand
	}
	// Where the summary itself was tapped, the next screen takes its place, and no edit has to tell that it is void.
	err = t.cfg.Purchases.Drop(t.ctx, b.Draft, store.ReasonCancelled, t.tapped != t.session.Message)
	if err != nil {
		return false, ignoreMissing(err)
	}
	// Read once more: ✅ may have been first.
	p, err := t.cfg.Store.Purchase(t.ctx, b.Draft)
	return p.Phase == store.Dropped, ignoreMissing(err)
}

// confirm passes on a tap on ✅. The purchase's own message shows what becomes of it.
func (t buyFlow) confirm() error {
	_, err := t.cfg.Purchases.Confirm(t.ctx, approvalFlow(t).spending())
	return approvalFlow(t).bought(err, screen.ToastWorking)
}

// moved shows a purchase as it stands, after a tap on a button that is too late for it.
func (t *turn) moved(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	// How a purchase stands is shown under its own message alone: any other tap is forged, or older than that.
	if errors.Is(err, store.ErrNotFound) || err == nil && (p.Chat != t.chatID || p.Message != t.tapped) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	if p.Phase == store.Drafted && time.Now().Before(p.ExpiresAt) {
		t.ack(screen.ToastStale) // not the button that it was shown with: the summary stays as good as it was
		return nil
	}
	if p.Reason == store.Restored {
		t.ack(screen.ToastStale) // its message may hold codes that nobody here knows any more: it is left alone
		return nil
	}
	t.ack(tooLate(p.Phase == store.Dropped || p.Phase == store.Drafted))
	// Its time is over, and Engine.ProcessDue has not come to it yet.
	if p.Phase == store.Drafted {
		return t.cfg.Purchases.Drop(t.ctx, id, store.ReasonExpired, true)
	}
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return tx.Enqueue(purchase.Refresh(p)) })
}

// tooLate is the answer to a tap on what has been decided: what was dropped was never bought, and cannot be any more.
func tooLate(dropped bool) screen.Toast {
	if dropped {
		return screen.ToastVoid
	}
	return screen.ToastAlreadyDone
}

// leaveQueue ends a purchase that waits for its turn. Its own message tells so.
func (t buyFlow) leaveQueue() error {
	id := t.action.Arg(0)
	p, ok, err := orderFlow(t).purchase(id)
	if err != nil || !ok {
		return firstError(err, t.stale)
	}
	err = t.cfg.Purchases.Leave(t.ctx, id, t.userID)
	switch {
	case err == nil:
		t.ack(screen.ToastLeft)
		return nil
	case errors.Is(err, purchase.ErrNotAllowed):
		t.alert(screen.ToastNotYours)
		return nil
	case !errors.Is(err, purchase.ErrStale):
		return err
	}
	t.alert(screen.ToastTurnCame)
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return tx.Enqueue(purchase.Refresh(p)) })
}

// drop is ✖️ on a summary.
func (t buyFlow) drop() error {
	id := t.action.Arg(0)
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err != nil || p.Chat != t.chatID || p.Phase.Promised() {
		return t.moved(id)
	}
	if p.User != t.userID {
		t.alert(screen.ToastNotYours)
		return nil
	}
	if err := t.cfg.Purchases.Drop(t.ctx, id, store.ReasonCancelled, false); err != nil {
		return err
	}
	t.leave()
	if p.Phase == store.Asked { // its message tells so by itself
		return nil
	}
	return t.say(t.scr.Home().Cancelled())
}
