package conversations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/store"
)

// expel takes a chat out of an account, with what hung on its being of it: its alerts, and, where it was let in with
// the team, that it may use the bot at all. The account and the chat are to be put afterwards.
func expel(tx *store.Tx, a *store.Account, c *store.Chat) error {
	// Read before Part takes the person out of the team.
	m, _ := a.Member(c.ID)
	store.Part(a, c.ID)
	if c.Has(a.ID) {
		c.Leave(a.ID)
		c.LeftAt = time.Now()
	}
	// Who has linked the key was let in by nobody of the team (own makes them the one who let them in), and keeps their admission.
	unknown := c.Through == "" && c.AdmittedBy == 0 && m.By != c.ID // let in before it was written down by whom
	switch {
	case c.Through != a.ID && !unknown:
	case c.Account != "": // into whose team they were invited as well
		c.Through = c.Account
	default:
		c.EndAdmission()
	}
	if c.ID < 0 { // whoever links it next finds nothing of theirs
		if err := tx.ForgetPlayers(c.ID, a.ID); err != nil {
			return err
		}
	}
	return errors.Join(tx.EndAlerts(c.ID, a.ID), tx.LeaveBook(a.ID, c.ID))
}

// unlink takes a chat out of an account, in which that leaves no trace but what it has bought. A person is told which account is
// active for them then; ref names why.
func unlink(tx *store.Tx, a *store.Account, chat int64, ref string) error {
	c, err := tx.Chat(chat)
	if err != nil {
		// No record of the chat is left, as of somebody who was forgotten: the account lets go of it all the same. Any other error ends the
		// transaction, and this change with it.
		store.Part(a, chat)
		return errors.Join(ignoreMissing(err), tx.LeaveBook(a.ID, chat))
	}
	was := c.Account
	if err := expel(tx, a, &c); err != nil {
		return err
	}
	return errors.Join(tx.PutChat(&c), tellFallBack(tx, was, c, ref))
}

// tellFallBack tells a person which account is active for them, where the one that was is not theirs any more. ref names why.
func tellFallBack(tx *store.Tx, was string, c store.Chat, ref string) error {
	if c.ID < 0 || c.Account == "" || c.Account == was {
		return nil
	}
	d, err := tx.Desk(c.Account)
	if err != nil {
		return err
	}
	a, err := tx.Account(c.Account)
	if err != nil {
		return err
	}
	// Behind the note why, by its id.
	return tx.Enqueue(store.NewNote(c.ID, "team."+ref+".then", store.FellBackNote, map[string]string{"account": cmp.Or(d.Name, a.Called())}))
}

// lower ends what a role held that somebody has lost: the open invitations into the team, and their alerts.
func lower(tx *store.Tx, a *store.Account, user int64) error {
	if err := tx.EndInvites(a); err != nil {
		return err
	}
	return tx.EndAlerts(user, a.ID)
}

// askOwnersLeft has the owners of an account asked about purchases that somebody was to decide about who owns it no more. What one who
// was taken out has bought goes to an owner with its own message, which asks.
func askOwnersLeft(tx *store.Tx, a store.Account, open []store.Purchase, removed bool) error {
	for _, known := range open {
		// The list was read before the transaction: a purchase may have been decided, or become undecided, since.
		p, err := tx.Purchase(known.ID)
		if err != nil {
			return err
		}
		if p.Phase != store.Undecided || a.Role(p.Chat) == store.Owner {
			continue
		}
		// A line of a list has no message of its own that could ask.
		if p.List == "" {
			if err := tx.Enqueue(store.StatusOf(p)); err != nil {
				return err
			}
			if removed {
				continue
			}
		}
		for _, chat := range a.PrivateChats(store.Owner) {
			if err := tx.Enqueue(beside(p, store.Decision, chat)); err != nil {
				return err
			}
		}
	}
	return nil
}

// stay is whether somebody is still in the group that shows the codes of an account to everybody.
type stay uint8

const (
	away    stay = iota // they are not, or there is no such group
	perhaps             // Telegram does not tell
	present
)

// staysIn finds out whether somebody goes on seeing the codes of an account when they have left its team. It asks
// Telegram, so it comes before the transaction that needs it.
func (t *turn) staysIn(account string, user int64) stay {
	// A group that is shut out (guests.go) has a negative id, and reads nothing along.
	if account == "" || user < 0 {
		return away
	}
	a, err := t.cfg.Store.Account(t.ctx, account)
	if err != nil || a.Place == nil || !a.Place.Full {
		return away
	}
	in, err := t.cfg.Access.IsMember(t.ctx, a.Place.Chat, user)
	switch {
	case err != nil:
		t.cfg.Log.Info("Telegram does not tell who is in a group", "chat", a.Place.Chat, "err", err)
		return perhaps
	case in:
		return present
	}
	return away
}

// tellStay tells the owners of an account, once, that somebody who has left the team goes on reading its codes.
func tellStay(tx *store.Tx, a store.Account, m store.Member, s stay) error {
	if s == away || a.Place == nil || !a.Place.Full {
		return nil
	}
	name := store.StillReadsNote
	if s == perhaps {
		name = store.MayStillReadNote
	}
	// By the moment as well: who comes back and leaves again is told of again, and notes of one id would be one row.
	ref := strconv.FormatInt(m.User, 36) + "." + strconv.FormatInt(time.Now().UnixMicro(), 36)
	return tell(tx, a.ID, slices.Clone(a.PrivateChats(store.Owner)), ref, name, map[string]string{"person": m.Name, "group": a.Place.Title})
}

// wasIn reports whether a chat may have something open that was bought while its person was let in.
func wasIn(c store.Chat) bool { return c.ID > 0 && (!c.Out.IsZero() || !c.LeftAt.IsZero()) }

// hasOpen reports whether an outsider in private has a purchase that has not come to its end: until then they may go on
// with it.
func (b *Bot) hasOpen(ctx context.Context, v visit) (bool, error) {
	if v.chat < 0 || !wasIn(v.here) {
		return false, nil
	}
	// It walks all open purchases of the bot. Where an update comes in it is counted first (readUncertain); in its turn only somebody is
	// looked up who asks about what was bought (readOutsider).
	n, err := b.cfg.Store.OpenOf(ctx, v.ID)
	if err != nil {
		return false, fmt.Errorf("look for open purchases: %w", err)
	}
	return n > 0, nil
}
