package conversations

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// person shows somebody of the team.
func (t teamFlow) person(user int64) error {
	return t.inPrivate(func(a store.Account) error {
		m, ok := a.Member(user)
		if !ok {
			return t.refused(errNoMember)
		}
		t.leave()
		return t.say(t.scr.Team().Person(m, user == t.userID, t.cfg.Purchases.Day(now())))
	})
}

// confirmation is the membership that a button has asked about and confirms something of; "" for a button that asks.
type confirmation string

// confirmedFor reads a confirmation behind the word for yes.
func confirmedFor(args []string) confirmation {
	if len(args) < 2 || args[0] != screen.Yes {
		return ""
	}
	return confirmation(args[1])
}

// of reports whether it was this membership that was asked about: whoever was taken out and has come back is asked about anew.
func (c confirmation) of(m store.Member) bool { return string(c) == screen.Membership(m) }

// personRole gives somebody another role. That somebody is to own the account as well is asked about first, and
// an account always keeps an owner.
func (t teamFlow) personRole(user int64, role store.Role, sure confirmation) error {
	if !slices.Contains([]store.Role{store.Owner, store.Seller, store.Counter}, role) {
		return t.stale()
	}
	return t.inPrivate(func(a store.Account) error {
		m, ok := a.Member(user)
		switch {
		case !ok:
			return t.refused(errNoMember)
		case role == store.Owner && !sure.of(m):
			return t.say(t.scr.Team().PersonOwner(m))
		}
		// Read outside of the transaction, which is to be short; askOwnersLeft reads each again within it.
		open, err := t.openBy(user, a.ID)
		if err != nil {
			return err
		}
		_, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
			return errors.Join(t.giveRole(tx, a, user, role), askOwnersLeft(tx, *a, open, false))
		})
		if err != nil {
			return t.refused(err)
		}
		t.cfg.Log.Info("a role has changed", "account", a.ID, "user", user, "role", string(role), "by", t.userID)
		if !role.AtLeast(store.Seller) {
			if err := t.endOffers(a, user); err != nil {
				return err
			}
		}
		// This page is an owner's, and they are none any more: home shows what is left to them.
		if user == t.userID {
			t.setPrinters()
			return homeFlow(t).start()
		}
		return t.person(user)
	})
}

// giveRole changes a role, ends what the person was about to do, and tells everybody whom it concerns.
func (t teamFlow) giveRole(tx *store.Tx, a *store.Account, user int64, role store.Role) error {
	m, ok := a.Member(user)
	switch {
	case !ok:
		return errNoMember
	case m.Role == role:
		return nil
	case m.Role == store.Owner && len(otherOwners(*a, user)) == 0:
		return errLastOwner
	}
	// Asked before the role is changed.
	lost := !role.AtLeast(m.Role)
	m.Role = role
	store.Admit(a, m)
	if err := forgetSessions(tx, *a, user); err != nil {
		return err
	}
	if lost {
		if err := lower(tx, a, user); err != nil {
			return err
		}
	}
	if user != t.userID {
		if err := t.tell(tx, a.ID, []int64{user}, store.RoleNote, map[string]string{"role": string(role)}); err != nil {
			return err
		}
	}
	others := slices.DeleteFunc(otherOwners(*a, t.userID), func(chat int64) bool { return chat == user })
	return t.tell(tx, a.ID, others, store.RoleOfNote, map[string]string{"person": m.Name, "role": string(role)})
}

// forgetSessions ends the questions that are open for somebody, in private and in the groups of an account.
func forgetSessions(tx *store.Tx, a store.Account, user int64) error {
	own, err := tx.Session(user, user)
	if err == nil && (own.Account == "" || own.Account == a.ID) { // what another account has asked stays open
		err = tx.DeleteSession(user, user)
	}
	if err != nil {
		return err
	}
	for _, chat := range a.Chats {
		// Of private chats their own alone has questions of theirs, and that is done.
		if chat > 0 {
			continue
		}
		if err := tx.DeleteSession(chat, user); err != nil {
			return err
		}
	}
	return nil
}

// personOut takes somebody out of the team: their buttons and questions are void at once, and what they have
// bought and did not get yet goes to an owner.
func (t teamFlow) personOut(user int64, sure confirmation) error {
	return t.inPrivate(func(a store.Account) error {
		m, ok := a.Member(user)
		switch {
		case !ok:
			return t.refused(errNoMember)
		// One's own membership ends by unlinking the account, which tells what ends with it.
		case user == t.userID:
			return t.person(user)
		case !sure.of(m):
			till, err := t.cfg.Store.BookBalance(t.ctx, a.ID, ledger.In(ledger.Till, strconv.FormatInt(user, 10)))
			if ignoreMissing(err) != nil {
				return err
			}
			return t.say(t.scr.Team().PersonOut(m, till.Net()))
		}
		open, err := t.openBy(user, a.ID)
		if err != nil {
			return err
		}
		// Telegram is asked before the transaction: a transaction may run twice, and holds up all others while it runs.
		stays := t.staysIn(a.ID, user)
		_, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error { return t.removeMember(tx, a, user, open, stays) })
		if err != nil {
			return t.refused(err)
		}
		t.cfg.Log.Info("somebody was taken out of a team", "account", a.ID, "user", user, "by", t.userID)
		// Behind the commit: the person's role is gone by now, so what a crash leaves open is refused when it is tapped.
		return firstError(t.endOffers(a, user), t.team)
	})
}

// openBy lists what somebody has bought in their private chat, under an account, that is still on its way.
func (t teamFlow) openBy(user int64, account string) ([]store.Purchase, error) {
	// What is open is new: the latest are enough to find it.
	list, err := t.cfg.Store.ChatPurchases(t.ctx, user, "", 4*ordersPage)
	return slices.DeleteFunc(list, func(p store.Purchase) bool { return p.Account != account || !p.Open() }), err
}

// removeMember is personOut within a transaction; open are the purchases of theirs that go on without them.
func (t teamFlow) removeMember(tx *store.Tx, a *store.Account, user int64, open []store.Purchase, stays stay) error {
	m, ok := a.Member(user)
	if !ok {
		return errNoMember
	}
	if err := forgetSessions(tx, *a, user); err != nil {
		return err
	}
	c, err := tx.Chat(user)
	if ignoreMissing(err) != nil {
		return err
	}
	// Somebody without a chat is taken out all the same; there is nothing to put for them.
	known, was := err == nil, c.Account
	c.ID = user
	// All open invitations end: who was taken out may have one of them in their chat.
	if err := errors.Join(tx.EndInvites(a), expel(tx, a, &c)); err != nil {
		return err
	}
	if known {
		// It is kept with the chat that its owners have removed it: the account's own key does not bring it back.
		if !slices.Contains(c.Removed, a.ID) {
			c.Removed = append(slices.Clone(c.Removed), a.ID)
		}
		if err := tx.PutChat(&c); err != nil {
			return err
		}
	}
	coming := 0 // what waits in line ends with them (endOffers)
	for _, p := range open {
		if p.Phase != store.Queued || p.List != "" {
			coming++
		}
	}
	return errors.Join(t.tell(tx, "", []int64{user}, store.RemovedNote, map[string]string{"account": a.Called(), "open": strconv.Itoa(coming)}),
		t.tell(tx, a.ID, otherOwners(*a, t.userID), store.DismissedNote, map[string]string{"person": m.Name, "by": t.name}), tellStay(tx, *a, m, stays),
		tellFallBack(tx, was, c, strconv.FormatInt(t.update, 10)), askOwnersLeft(tx, *a, open, true))
}

// personLimit asks for a limit of a seller; what is typed next answers.
func (t teamFlow) personLimit(user int64, kind string, problem screen.Problem) error {
	if kind != screen.LimitPurchase && kind != screen.LimitDay {
		return t.stale()
	}
	return t.inPrivate(func(a store.Account) error {
		m, ok := a.Member(user)
		if !ok {
			return t.refused(errNoMember)
		}
		t.correct(problem)
		return t.ask(t.scr.Team().PersonLimit(m, kind, problem), flowTeam, kind+" "+strconv.FormatInt(user, 10), mistake{problem})
	})
}

// limitTyped takes a typed limit.
func (t teamFlow) limitTyped() error {
	// The step names what the question is about: the kind of limit, and whose. The account is the session's.
	kind, who, _ := strings.Cut(t.session.Step, " ")
	user, err := strconv.ParseInt(who, 10, 64)
	if err != nil {
		return t.stale()
	}
	return t.limitSet(user, kind, t.text)
}

// limitMeant asks whether an amount that can be read in two ways was meant.
func (t teamFlow) limitMeant(user int64, kind string, amount dzd.Amount) error {
	return t.inPrivate(func(a store.Account) error {
		m, ok := a.Member(user)
		if !ok {
			return t.refused(errNoMember)
		}
		t.inPlaceOf = t.answeredQuestion
		return t.ask(t.scr.Team().LimitMeant(m, kind, amount), flowTeam, kind+" "+strconv.FormatInt(user, 10), nil)
	})
}

// limitSet sets a limit of a seller, or takes it away.
func (t teamFlow) limitSet(user int64, kind, value string) error {
	var limit *dzd.Amount
	if value != screen.LimitNone {
		amount, sure, err := figures.Amount(value)
		switch {
		case err != nil:
			return t.personLimit(user, kind, screen.NotANumber)
		// 1.000 is a thousand to some and one to others: a limit is no place to guess.
		case !sure:
			return t.limitMeant(user, kind, amount)
		}
		limit = &amount
	}
	return t.inPrivate(func(a store.Account) error {
		_, err := t.asOwner(a.ID, func(_ *store.Tx, a *store.Account) error {
			m, ok := a.Member(user)
			switch {
			case !ok:
				return errNoMember
			case kind == screen.LimitDay:
				m.PerDay = limit
			default:
				m.PerPurchase = limit
			}
			store.Admit(a, m)
			return nil
		})
		if err != nil {
			return t.refused(err)
		}
		return t.person(user)
	})
}
