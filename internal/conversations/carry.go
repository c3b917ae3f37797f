package conversations

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/store"
)

// carry has an account go on under another key, as it is, and returns it. The key's own account is the same from here on, unless it is in use, or
// has books: then the two go on side by side, each with its people.
func carry(tx *store.Tx, l linking, id string) (string, error) {
	old, err := tx.Account(l.carry)
	if err != nil {
		return "", err
	}
	// A key is typed in private: the chat is the person.
	if old.Role(l.chat) != store.Owner && !old.Former.RevivableBy(l.chat, time.Now()) {
		return "", errNotOwner
	}
	if old.ID == id {
		return id, nil // it is so already
	}
	next, err := tx.Account(id)
	if ignoreMissing(err) != nil {
		return "", err
	}
	// It is only a name from here on, and leads to the one that goes on (follow).
	if err != nil || next.Retired && !hasBooks(next) {
		next.ID, next.Same, next.Retired = id, old.ID, true
		if next.LinkedAt.IsZero() {
			next.LinkedAt = time.Now()
		}
		if err := tx.PutAccount(&next); err != nil {
			return "", err
		}
	}
	// That the old key was refused is no news of this one: it may be told anew.
	old.Key, old.KeyTold = l.key, time.Time{}
	return old.ID, tx.PutAccount(&old)
}

// revive brings the team of an account back that has ended with one of its owners, as it was: those who have not
// joined another since, with their limits, and the group that deliveries went to.
//
// lets tells that people have to be let in: those who come back are let in by the owner who brings them. back is how many they are with that
// owner; zero where nobody else comes back.
func revive(tx *store.Tx, a *store.Account, owner int64, lets bool) (back int, err error) {
	f := a.Former
	if !f.RevivableBy(owner, time.Now()) {
		return 0, nil
	}
	// It is used up: what comes back now is the team, and ends as one.
	a.Former = nil
	if err := tx.JoinBook(a.ID, owner); err != nil {
		return 0, err
	}
	// A lock of before comes back too, or unlinking and linking would take it away.
	if a.Locked == nil {
		a.Locked = f.Locked
	}
	ref := "back." + time.Now().UTC().Format("20060102150405")
	for _, m := range f.Team {
		in, err := relinkChat(tx, a, m.User, owner, lets)
		if err != nil {
			return 0, err
		}
		if !in {
			continue
		}
		back++
		others := slices.DeleteFunc(otherOwners(*a, owner), func(chat int64) bool { return chat == m.User })
		err = errors.Join(tell(tx, "", []int64{m.User}, ref, store.ReopenedNote, map[string]string{"account": a.Called(), "role": string(m.Role)}),
			tell(tx, a.ID, others, ref+"."+strconv.FormatInt(m.User, 36), store.JoinedNote, map[string]string{"person": m.Name, "role": string(m.Role)}))
		if err != nil {
			return 0, err
		}
		store.Admit(a, m)
	}
	if back > 0 {
		back++ // who links it is one of the team, and was counted when it ended
	}
	if f.Place == nil || a.Place != nil {
		return back, nil
	}
	in, err := relinkChat(tx, a, f.Place.Chat, owner, lets)
	if in {
		a.Place = f.Place
		a.Chats = append(a.Chats, f.Place.Chat)
	}
	return back, err
}

// relinkChat links a chat to an account again that it was of, unless it is of another by now, or not wanted.
func relinkChat(tx *store.Tx, a *store.Account, chat, owner int64, lets bool) (bool, error) {
	c, err := tx.Chat(chat)
	if err != nil || c.Account != "" || c.MovedTo != 0 || c.ID == 0 || !c.Out.IsZero() {
		return false, ignoreMissing(err)
	}
	// Its owners had taken them out before it ended.
	if slices.Contains(c.Removed, a.ID) {
		return false, nil
	}
	if _, in := a.Member(chat); in {
		return false, nil
	}
	c.Account = a.ID
	c.Back(a.ID)
	if lets && c.Admitted.IsZero() {
		through := ""
		if chat > 0 {
			through = a.ID
		}
		c.Admit(owner, through, time.Now())
	}
	return true, errors.Join(tx.PutChat(&c), tx.JoinBook(a.ID, chat))
}
