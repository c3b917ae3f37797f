package conversations

import (
	"errors"

	"resellerbot/internal/store"
)

// lock is /lock: nothing is spent for the account from now on, by anybody, until an owner allows it again. It
// works from any chat of an owner's. What is on the wire already cannot be called back, which is said.
func (t *turn) lock() error {
	return t.setLock(true, "locked", func(a store.Account) error {
		busy := false
		if a.Busy != "" {
			p, err := t.cfg.Store.Purchase(t.ctx, a.Busy)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			busy = err == nil && p.Phase == store.Submitting
		}
		return t.say(t.scr.Locked(busy))
	})
}

// unlock is /unlock.
func (t *turn) unlock() error {
	return t.setLock(false, "unlocked", func(store.Account) error { return t.say(t.scr.Unlocked()) })
}

// setLock stops spending or allows it, and tells the other owners where that changes something.
func (t *turn) setLock(locked bool, note string, show func(store.Account) error) error {
	a, ok, err := t.owned()
	if err != nil || !ok {
		return err
	}
	a, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
		if locked == (a.Locked != nil) {
			return nil
		}
		a.Locked = nil
		if locked {
			a.Locked = &store.Lock{By: t.userID, Name: t.name, At: now()}
		}
		return t.tell(tx, otherOwners(*a, t.userID), note, map[string]string{"person": t.name})
	})
	if err != nil {
		return t.refused(err)
	}
	t.cfg.Log.Info("spending was "+note, "account", a.ID, "by", t.userID)
	return show(a)
}
