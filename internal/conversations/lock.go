package conversations

import (
	"errors"

	"resellerbot/internal/store"
)

// lock is /lock: nothing is spent for the account from now on, by anybody, until an owner allows it again. It
// works from any chat of an owner's. What is on the wire already cannot be called back, which is said.
func (t teamFlow) lock() error {
	return t.setLock(true, store.LockedNote, func(a store.Account) error {
		busy := false
		if a.Busy != "" {
			p, err := t.cfg.Store.Purchase(t.ctx, a.Busy)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			// An uncertain purchase keeps the account busy too, but nothing of it is on the wire any more.
			busy = err == nil && p.Phase == store.Submitting
		}
		return t.say(t.scr.Team().Locked(a.Called(), busy))
	})
}

// unlock is /unlock. After a restore it takes a look at the team as well.
func (t teamFlow) unlock() error {
	a, ok, err := t.owned()
	if err != nil || !ok {
		return err
	}
	if a.Locked != nil && a.Locked.Restored {
		if !t.private {
			return t.team()
		}
		return keyFlow(t).showTeamToConfirm(a)
	}
	return t.setLock(false, store.UnlockedNote, func(a store.Account) error { return t.say(t.scr.Team().Unlocked(a.Called())) })
}

// setLock stops spending or allows it, and tells the other owners where that changes something.
func (t teamFlow) setLock(locked bool, note store.NoteName, show func(store.Account) error) error {
	a, ok, err := t.owned()
	if err != nil || !ok {
		return err
	}
	a, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
		restored := a.Locked != nil && a.Locked.Restored
		// Nothing changes where it is locked already, unless that is a restore's lock, which an owner makes their own; and a
		// restore's lock is taken away by confirming the team alone.
		if locked == (a.Locked != nil) && (!restored || a.Locked.By != 0) || restored && !locked {
			return nil
		}
		a.Locked = nil
		if locked {
			a.Locked = &store.Lock{By: t.userID, Name: t.name, At: now(), Restored: restored}
		}
		return t.tell(tx, a.ID, otherOwners(*a, t.userID), note, map[string]string{"person": t.name})
	})
	if err != nil {
		return t.refused(err)
	}
	t.cfg.Log.Info("spending was "+string(note), "account", a.ID, "by", t.userID)
	return show(a)
}
