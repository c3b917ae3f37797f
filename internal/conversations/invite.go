package conversations

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// invite makes a link that lets one person into the team: whoever opens it first, or somebody who is chosen.
func (t teamFlow) invite() error {
	role := store.Role(t.action.Arg(0))
	// Nobody becomes an owner by a link, which may be forwarded: that takes an owner's word about somebody who is there.
	switch {
	case role != store.Seller && role != store.Counter:
		return t.stale()
	case t.action.Arg(1) == screen.InviteOne:
		return t.inPrivate(func(store.Account) error { return t.say(t.scr.Team().Pick(role)) })
	}
	return t.inviteOne(role, models.SharedUser{})
}

// inviteOne makes an invitation for somebody who was chosen; for anybody where nobody was. Its token is shown here and kept
// nowhere.
func (t teamFlow) inviteOne(role store.Role, who models.SharedUser) error {
	return t.inPrivate(func(a store.Account) error {
		token, err := newToken(t.cfg.Random)
		if err != nil {
			return err
		}
		hash, until := store.TokenHash(token), now().Add(inviteLife)
		// The person's id is hashed with the token: in anybody else's hands the token belongs to no invitation.
		if who.UserID != 0 {
			hash = store.TokenHashFor(token, who.UserID)
		}
		_, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
			if len(a.Invites) >= mostInvites || len(a.Members()) >= mostMembers {
				return errFull
			}
			return tx.AddInvite(a, store.Invite{Hash: hash, Account: a.ID, Role: role, By: t.userID, Made: now(), Expires: until})
		})
		if err != nil {
			return t.refused(err)
		}
		return t.say(t.scr.Team().Invited(screen.InvitedView{Account: a.Called(), Role: role, Link: "https://t.me/" + t.cfg.BotName() + "?start=" + token, Until: until, For: calledAs(who)}))
	})
}

// broughtBy reads the invitation that a token belongs to: one for anybody, or for the person who brings it.
func broughtBy(token string, user int64, read func(hash string) (store.Invite, error)) (store.Invite, error) {
	i, err := read(store.TokenHash(token))
	if errors.Is(err, store.ErrNotFound) {
		return read(store.TokenHashFor(token, user))
	}
	return i, err
}

// calledAs is what somebody who was chosen is called; empty where nobody was.
func calledAs(who models.SharedUser) string {
	if who.UserID == 0 {
		return ""
	}
	return cmp.Or(strings.TrimSpace(who.FirstName+" "+who.LastName), "#"+strconv.FormatInt(who.UserID, 10))
}

// picked makes an invitation for the person who was chosen, once the keys are gone that they were chosen with.
func (t teamFlow) picked(shared models.UsersShared) error {
	role, ok := screen.PickedFor(shared.RequestID)
	if !ok || len(shared.Users) != 1 {
		return t.say(t.scr.Team().PickLeft())
	}
	who := shared.Users[0]
	return t.inPrivate(func(a store.Account) error {
		if _, member := a.Member(who.UserID); member {
			return t.say(t.scr.Team().PickedMember(calledAs(who)))
		}
		if err := t.say(t.scr.Team().Picked(calledAs(who))); err != nil {
			return err
		}
		return t.inviteOne(role, who)
	})
}

// pickTyped takes a key to choose with that has only written what it says: of a client that knows no such keys, or the one
// beside it, which leaves.
func (t teamFlow) pickTyped(role store.Role) error {
	if role == store.NoRole {
		return t.say(t.scr.Team().PickLeft())
	}
	return t.inPrivate(func(store.Account) error {
		if err := t.say(t.scr.Team().NoPick()); err != nil {
			return err
		}
		return t.inviteOne(role, models.SharedUser{})
	})
}
