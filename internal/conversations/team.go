package conversations

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowTeam    = "team"
	inviteLife  = 24 * time.Hour
	mostMembers = 50
	mostInvites = 10
)

// team is /team: who may do what, or, in a group, whether deliveries go there.
func (t teamFlow) team() error {
	a, ok, err := t.linker()
	if err != nil || !ok {
		return err
	}
	t.leave()
	switch {
	case !t.private && placeFlow(t).isAnothers(a):
		may, err := placeFlow(t).mayTake()
		return placeFlow(t).offerTake(a, may, err)
	case !t.private:
		return t.say(t.scr.Places().TeamInGroup(a, t.isPlace(a)))
	}
	out, err := t.isOut(a.Place)
	if err != nil {
		return err
	}
	return t.say(t.scr.Team().Members(screen.TeamView{
		Account: a.Called(), Members: sorted(a.Members()), Self: t.userID, Invites: len(a.Invites), Place: a.Place, PlaceOut: out, Locked: a.Locked,
		Day: t.cfg.Purchases.Day(now()),
	}))
}

// sorted lists those who may most first.
func sorted(team []store.Member) []store.Member {
	team = slices.Clone(team)
	slices.SortStableFunc(team, func(a, b store.Member) int {
		switch {
		case a.Role == b.Role:
			return 0
		case a.Role.AtLeast(b.Role):
			return -1
		}
		return 1
	})
	return team
}

// inPrivate sends what is managed in private there.
func (t *turn) inPrivate(do func(a store.Account) error) error {
	a, ok, err := t.owned()
	switch {
	case err != nil || !ok:
		return err
	case !t.private:
		return teamFlow{t}.team()
	}
	return do(a)
}

// newToken makes a text that nobody guesses, of the letters that a link may carry.
func newToken(random io.Reader) (string, error) {
	b := make([]byte, 16)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("make a token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// invitesOff takes all open invitations back.
func (t teamFlow) invitesOff() error {
	return t.inPrivate(func(a store.Account) error {
		_, err := t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
			return tx.EndInvites(a)
		})
		if err != nil {
			return t.refused(err)
		}
		return t.team()
	})
}

// What an invitation can meet.
var (
	errInviteBad  = errors.New("the invitation is not good")
	errInviteHere = errors.New("of the team already")
	errManyTeams  = errors.New("of as many teams as one may be")
)

// join takes up an invitation, once. For whoever is of another account that stays the active one: a link switches nothing.
func (t teamFlow) join(token string) error {
	var a store.Account
	var role store.Role
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		a, role, err = t.acceptInvite(tx, token)
		return err
	})
	switch {
	case errors.Is(err, errInviteHere):
		return t.say(t.scr.Team().InviteMember(cmp.Or(role, t.role)))
	case errors.Is(err, errManyTeams):
		return t.say(t.scr.Accounts().Full())
	case errors.Is(err, errInviteBad):
		return t.say(t.scr.Team().InviteBad())
	case err != nil:
		return fmt.Errorf("join a team: %w", err)
	}
	t.cfg.Log.Info("somebody joined a team", "account", a.ID, "user", t.userID, "role", string(role))
	if t.chat, err = t.cfg.Store.Chat(t.ctx, t.chatID); err != nil {
		return err
	}
	if t.chat.Account != a.ID {
		return t.joinedBeside(a.ID)
	}
	// The turn goes on as one of the team.
	t.shop, t.role = a, role
	t.leave()
	t.setPrinters()
	return t.say(t.scr.Team().Joined(a.Called(), role))
}

// joinedBeside welcomes somebody into another team than that which is active for them.
func (t teamFlow) joinedBeside(id string) error {
	to, err := t.choice(id)
	if err != nil {
		return err
	}
	active, err := t.called(t.chat.Account)
	if err != nil {
		return err
	}
	return t.say(t.scr.Team().JoinedBeside(to, active))
}

// justJoined is for how long whoever opens an invitation that is used may have used it themselves: with the tap before.
const justJoined = 10 * time.Minute

// usedUp tells what an invitation that there is none of any more is to the person: their own, where they have just joined a team.
func (t teamFlow) usedUp(tx *store.Tx) (a store.Account, role store.Role, err error) {
	for _, id := range t.chat.Accounts() {
		if a, err = tx.Account(id); ignoreMissing(err) != nil {
			return a, role, err
		}
		// Who has linked the key has let themselves in (own): they have used no invitation.
		if m, in := a.Member(t.userID); in && m.By != t.userID && now().Sub(m.Since) < justJoined {
			return a, m.Role, errInviteHere
		}
	}
	return a, role, errInviteBad
}

// acceptInvite lets the person in by the invitation that a token belongs to in their hands.
func (t teamFlow) acceptInvite(tx *store.Tx, token string) (a store.Account, role store.Role, err error) {
	i, err := broughtBy(token, t.userID, tx.Invite)
	if errors.Is(err, store.ErrNotFound) {
		return t.usedUp(tx)
	}
	if err == nil {
		a, err = tx.Account(i.Account)
	}
	if errors.Is(err, store.ErrNotFound) {
		return a, role, errInviteBad
	}
	if err != nil {
		return a, role, err
	}
	c, err := tx.Chat(t.chatID)
	if err != nil {
		return a, role, err
	}
	by, err := tx.Chat(i.By)
	if ignoreMissing(err) != nil {
		return a, role, err
	}
	m, member := a.Member(t.userID)
	switch {
	// Somebody of the team who may not use the bot any more goes on: the link lets them in again, in the role that they have.
	case member && t.cfg.Access.admits(c.ID, c):
		return a, m.Role, errInviteHere
	case len(c.Accounts()) >= mostAccounts && !member:
		return a, role, errManyTeams
	// The one who has invited has to be admitted still: who was shut out lets nobody in.
	case !isGood(i, a, c) || !t.cfg.Access.admits(i.By, by):
		return a, role, errInviteBad
	case !member:
		m = store.Member{User: t.userID, Name: t.name, Role: i.Role, By: i.By, Since: now()}
	}
	// In the transaction that lets the person in: of two who open one link at the same time, one is let in.
	if err := tx.EndInvite(&a, i.Hash); err != nil {
		return a, role, err
	}
	store.Admit(&a, m)
	joined := map[string]string{"person": t.name, "role": string(m.Role)}
	if m.Role == store.Seller && m.PerPurchase == nil && m.PerDay == nil { // also who was a seller before, and had limits then
		joined["unlimited"] = strconv.FormatInt(m.User, 10)
	}
	if t.role == store.NoRole { // the account that the chat names is not theirs
		c.Leave(c.Account)
	}
	c.Join(a.ID)
	c.Removed = slices.DeleteFunc(c.Removed, func(id string) bool { return id == a.ID })
	if !t.cfg.Access.admits(c.ID, c) {
		c.Admit(i.By, a.ID, now())
	}
	return a, m.Role, errors.Join(tx.PutAccount(&a), tx.PutChat(&c), tx.JoinBook(a.ID, c.ID),
		t.tell(tx, a.ID, a.PrivateChats(store.Owner), store.JoinedNote, joined))
}
