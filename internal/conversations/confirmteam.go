package conversations

import (
	"errors"

	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// confirmTeam allows spending again after a restore: an owner has seen who is in the team, as mark names it.
func (t keyFlow) confirmTeam(mark string) error {
	a, ok, err := t.owned()
	if err != nil || !ok {
		return err
	}
	errChanged := errors.New("the team is another one now")
	a, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
		switch {
		case a.Locked == nil || !a.Locked.Restored:
			return nil // another owner was first
		// The team, a limit or the place is another one than was shown: nobody has looked at that.
		case a.TeamMark() != mark:
			return errChanged
		}
		lock := *a.Locked
		lock.Restored = false
		// Nobody had locked it before the restore: without the restore's mark there is no lock left.
		if a.Locked = &lock; lock.By == 0 {
			a.Locked = nil
		}
		return t.tell(tx, a.ID, otherOwners(*a, t.userID), store.TeamConfirmedNote, map[string]string{"person": t.name})
	})
	switch {
	case errors.Is(err, errChanged):
		t.ack(screen.ToastStale)
		return t.showTeamToConfirm(a)
	case err != nil:
		return t.refused(err)
	}
	t.cfg.Log.Info("the team of a restored account was confirmed", "account", a.ID, "by", t.userID)
	if a.Locked != nil {
		return t.say(t.scr.Team().Locked(a.Called(), false))
	}
	return t.say(t.scr.Team().Unlocked(a.Called()))
}

// showTeamToConfirm shows who is in the team of a restored account, and asks whether that is right.
func (t keyFlow) showTeamToConfirm(a store.Account) error {
	return t.say(t.scr.Team().Restored(store.TeamShown{Account: a.Called(), Members: sorted(a.Members()), Place: a.Place, Mark: a.TeamMark()}))
}

// unfreeze lets a restored account buy again of which not everything could be read.
func (t keyFlow) unfreeze() error {
	a, ok, err := t.owned()
	if err != nil || !ok {
		return err
	}
	switch err := t.cfg.Purchases.Unfreeze(t.ctx, a.ID, t.userID); {
	case errors.Is(err, purchase.ErrStale):
		return t.stale()
	case errors.Is(err, purchase.ErrNotAllowed):
		return t.refuse(store.Owner)
	case err != nil:
		return err
	}
	return t.say(t.scr.Keys().Unfrozen())
}
