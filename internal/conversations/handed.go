package conversations

import (
	"errors"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// hand takes somebody's word that the codes of a purchase were given to its customer, or were not after all. Who comes second is
// told so by what is shown: the one who was first, and when.
func (t orderFlow) hand() error {
	p, orders, ok, err := t.seen(t.action.Arg(0))
	if err != nil || !ok || !screen.HasToGive(orders) {
		return firstError(err, t.stale)
	}
	if sees, err := t.seesRecord(p); !sees || err != nil { // the shop's record is the shop's
		return firstError(err, t.stale)
	}
	back := t.action.Arg(1) == screen.HandBack
	if !back && t.action.Arg(1) != screen.Yes {
		return t.stale()
	}
	toast := screen.ToastNotedBefore
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		toast = screen.ToastNotedBefore // the transaction may run again
		if p, err = tx.Purchase(p.ID); err != nil {
			return err
		}
		if !store.NoteHanded(&p, store.Handed{User: t.userID, Name: t.calledHere(), At: now(), Back: back}) {
			return nil
		}
		toast = screen.ToastNoted
		return tx.PutPurchase(&p)
	})
	if errors.Is(err, store.ErrNotFound) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	t.ack(toast)
	// A file cannot be edited, and to send it once more would deliver its codes once more.
	if p.InDocument(orders) && !t.scr.Hides() {
		return t.say(t.scr.Purchases().Handed(p))
	}
	return t.showOrder(p, orders, true)
}

// claim shows the facts of a purchase, to be copied into a message to the service's support.
func (t orderFlow) claim() error {
	p, orders, ok, err := t.seen(t.action.Arg(0))
	if err != nil || !ok || len(orders) == 0 {
		return firstError(err, t.stale)
	}
	name := ""
	if p.Account == t.shop.ID {
		name = t.shop.Called()
	}
	return t.say(t.scr.Purchases().Claim(p, orders, name))
}
