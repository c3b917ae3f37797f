package conversations

import (
	"errors"
	"slices"
	"strconv"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// What a change of a team can meet. Nothing is changed then.
var (
	errNotOwner  = errors.New("not an owner of the account")
	errNoMember  = errors.New("not of the team")
	errLastOwner = errors.New("the account would have no owner")
	errFull      = errors.New("the team is full")
	errTaken     = errors.New("the group is another account's")
)

// refuseBelow refuses, politely, whoever has a lesser role than it takes. Where no account is linked there is nothing to
// keep anybody from. In the shop's group everything is for the team.
func (t *turn) refuseBelow(need store.Role) (bool, error) {
	if need == store.NoRole && !t.private {
		need = store.Counter
	}
	if t.chat.Account == "" || t.role.AtLeast(need) {
		return false, nil
	}
	return true, t.refuse(need)
}

// refuse tells that a role does not hold something: over the chat for a tap, so that nothing changes there.
func (t *turn) refuse(need store.Role) error {
	switch {
	case t.query == "" && !t.private && t.role == store.NoRole && t.shop.ID != "":
		return t.say(t.scr.Places().NotOfTeam(t.shop.Called()))
	case t.query == "":
		return t.say(t.scr.Failures().NotAllowed(t.role, need))
	case t.role == store.NoRole:
		t.alert(t.where(screen.ToastStranger, screen.ToastTeamOnly))
	default:
		t.alert(t.where(screen.ToastRole, screen.ToastRoleOnly))
	}
	return nil
}

// where is one toast for a button that leads to a purchase, and another for any other: nobody is told that nothing was bought where
// nothing could have been.
func (t *turn) where(buys, other screen.Toast) screen.Toast {
	if row, known := t.buttons[t.action.Verb]; known && !row.buys() {
		return other
	}
	return buys
}

// owned is the account that the person owns and that is meant: the one that is linked here, in a group of no account
// that of their private chat. ok is false, and the person told, where there is none, or it is not theirs.
func (t *turn) owned() (a store.Account, ok bool, err error) {
	// The role is by what was read when the turn began. What changes something asks again, within its transaction (asOwner).
	if t.role == store.Owner {
		return t.shop, true, nil
	}
	if !t.private && t.chat.Account == "" {
		if a, err = t.ownAccount(); err != nil || a.Role(t.userID) == store.Owner {
			return a, err == nil, err
		}
	}
	switch {
	case t.chat.Account == "" && t.query == "":
		return a, false, t.noAccount()
	case a.Role(t.userID) != store.NoRole: // of a team, if not of a group that is nobody's yet
		t.alert(t.where(screen.ToastRole, screen.ToastRoleOnly))
		return a, false, nil
	}
	return a, false, t.refuse(store.Owner)
}

// linker is the account for which somebody may link the group: the one that it is linked to, or else their own, which
// may be another one. ok is false, and the person told, where they own neither.
func (t *turn) linker() (a store.Account, ok bool, err error) {
	if t.private || t.role == store.Owner {
		return t.owned()
	}
	if a, err = t.ownAccount(); err != nil || a.Role(t.userID) == store.Owner {
		return a, err == nil, err
	}
	return t.owned()
}

// noAccount tells that no account is linked here.
func (t *turn) noAccount() error {
	if t.private {
		return t.say(t.scr.Keys().None())
	}
	return t.say(t.scr.Places().GroupUnlinked())
}

// ownAccount is the account of the person's private chat; a zero Account where there is none.
func (t *turn) ownAccount() (a store.Account, err error) {
	c, err := t.cfg.Store.Chat(t.ctx, t.userID)
	if err == nil && c.Account != "" {
		a, err = t.cfg.Store.Account(t.ctx, c.Account)
	}
	return a, ignoreMissing(err)
}

// ownsInPrivate reports whether the person is an owner of the account in use, and nobody else reads along.
func (t *turn) ownsInPrivate() bool { return t.role == store.Owner && t.private }

// asOwner changes an account, if the person owns it at that moment.
func (t *turn) asOwner(account string, change func(*store.Tx, *store.Account) error) (a store.Account, err error) {
	err = t.forOwner(account, func(tx *store.Tx, owned *store.Account) error {
		err := change(tx, owned)
		if a = *owned; err != nil {
			return err
		}
		return tx.PutAccount(&a)
	})
	if err == nil {
		// The turn goes on by what was written: the change may have been of the person's own role.
		t.shop, t.role = a, a.Role(t.userID)
	}
	return a, err
}

// forOwner does something beside an account, if the person owns it at that moment: the screen may be of a time when they still did.
func (t *turn) forOwner(account string, do func(*store.Tx, *store.Account) error) error {
	return t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		a, err := tx.Account(account)
		if err != nil {
			return err
		}
		if a.Role(t.userID) != store.Owner {
			return errNotOwner
		}
		return do(tx, &a)
	})
}

// refused tells why a team was not changed; errors that are none of these stay.
func (t *turn) refused(err error) error {
	switch {
	// An account that is gone is nobody's: whoever taps is answered as somebody who owns another one.
	case errors.Is(err, errNotOwner), errors.Is(err, store.ErrNotFound):
		return t.refuse(store.Owner)
	case errors.Is(err, errLastOwner):
		t.alert(screen.ToastLastOwner)
		return nil
	case errors.Is(err, errFull):
		t.alert(screen.ToastTeamFull)
		return nil
	case errors.Is(err, errNoMember):
		t.ack(screen.ToastStale)
		return teamFlow{t}.team()
	case errors.Is(err, errTaken):
		return t.say(t.scr.Places().Taken())
	}
	return err
}

// tell queues a note for some chats, of an account, or of none where it names one itself. Handled twice, an update tells it once
// more at most.
func (t *turn) tell(tx *store.Tx, account string, chats []int64, name store.NoteName, args map[string]string) error {
	return tell(tx, account, chats, strconv.FormatInt(t.update, 10), name, args)
}

func tell(tx *store.Tx, account string, chats []int64, ref string, name store.NoteName, args map[string]string) error {
	for _, chat := range chats {
		if err := tx.Enqueue(store.NewNote(chat, "team."+ref+"."+string(name), name, args).Of(account)); err != nil {
			return err
		}
	}
	return nil
}

// otherOwners are the private chats of the owners beside one.
func otherOwners(a store.Account, but int64) []int64 {
	return slices.DeleteFunc(a.PrivateChats(store.Owner), func(chat int64) bool { return chat == but })
}
