package conversations

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/figures"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	flowTeam    = "team"
	inviteLife  = 24 * time.Hour
	mostMembers = 50
	mostInvites = 10
)

// What a change of a team can meet. Nothing is changed then.
var (
	errNotOwner  = errors.New("not an owner of the account")
	errNoMember  = errors.New("not of the team")
	errLastOwner = errors.New("the account would have no owner")
	errFull      = errors.New("the team is full")
	errTaken     = errors.New("the group is another account's")
)

// barred refuses, politely, what a person's role does not hold. Where no account is linked there is nothing to
// be barred from. In the shop's group everything is for the team.
func (t *turn) barred(need store.Role) (bool, error) {
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
		return t.say(t.scr.Places().NotOfTeam(t.shop.Name))
	case t.query == "":
		return t.say(t.scr.Failures().NotAllowed(t.role, need))
	case t.role == store.NoRole:
		t.alert(screen.ToastStranger)
	default:
		t.alert(screen.ToastRole)
	}
	return nil
}

// owned is the account that the person owns and that is meant: the one that is linked here, in a group of no account
// that of their private chat. ok is false, and the person told, where there is none, or it is not theirs.
func (t *turn) owned() (a store.Account, ok bool, err error) {
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
		t.alert(screen.ToastRole)
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

// asOwner changes an account, if the person owns it at that moment.
func (t *turn) asOwner(account string, change func(*store.Tx, *store.Account) error) (a store.Account, err error) {
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		if a, err = tx.Account(account); err != nil {
			return err
		}
		if a.Role(t.userID) != store.Owner {
			return errNotOwner
		}
		if err := change(tx, &a); err != nil {
			return err
		}
		return tx.PutAccount(&a)
	})
	if err == nil {
		t.shop, t.role = a, a.Role(t.userID)
	}
	return a, err
}

// refused tells why a team was not changed; errors that are none of these stay.
func (t *turn) refused(err error) error {
	switch {
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

// tell queues a note for some chats. Handled twice, an update tells it once more at most.
func (t *turn) tell(tx *store.Tx, chats []int64, name store.NoteName, args map[string]string) error {
	return tell(tx, chats, strconv.FormatInt(t.update, 10), name, args)
}

func tell(tx *store.Tx, chats []int64, ref string, name store.NoteName, args map[string]string) error {
	for _, chat := range chats {
		if err := tx.Enqueue(store.NewNote(chat, "team."+ref+"."+string(name), name, args)); err != nil {
			return err
		}
	}
	return nil
}

// otherOwners are the private chats of the owners beside one.
func otherOwners(a store.Account, but int64) []int64 {
	return slices.DeleteFunc(a.PrivateChats(store.Owner), func(chat int64) bool { return chat == but })
}

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
		return t.say(t.scr.Places().TeamInGroup(a.Name, a.Place, t.isPlace(a)))
	}
	return t.say(t.scr.Team().Members(screen.TeamView{
		Account: a.Name, Members: sorted(a.Members()), Self: t.userID, Invites: len(a.Invites), Place: a.Place, Locked: a.Locked,
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

// invite makes a link that lets one person into the team. Its token is shown here and kept nowhere.
func (t teamFlow) invite() error {
	role := store.Role(t.action.Arg(0))
	if role != store.Seller && role != store.Counter {
		return t.stale()
	}
	return t.inPrivate(func(a store.Account) error {
		token, err := newToken(t.cfg.Random)
		if err != nil {
			return err
		}
		until := now().Add(inviteLife)
		_, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
			if len(a.Invites) >= mostInvites || len(a.Members()) >= mostMembers {
				return errFull
			}
			return tx.AddInvite(a, store.Invite{Hash: store.TokenHash(token), Account: a.ID, Role: role, By: t.userID, Made: now(), Expires: until})
		})
		if err != nil {
			return t.refused(err)
		}
		return t.say(t.scr.Team().Invited(role, "https://t.me/"+t.cfg.BotName()+"?start="+token, until))
	})
}

// newToken makes a text that nobody guesses, of the letters that a link may carry.
func newToken(random io.Reader) (string, error) {
	if random == nil {
		random = rand.Reader
	}
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
	errElsewhere  = errors.New("of another team")
)

// join takes up an invitation, once. Whoever speaks for another account has to leave that first: nothing of
// theirs changes hands by a link.
func (t teamFlow) join(token string) error {
	var a store.Account
	var role store.Role
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) (err error) {
		a, role, err = t.takeUp(tx, store.TokenHash(token))
		return err
	})
	switch {
	case errors.Is(err, errInviteHere):
		return t.say(t.scr.Team().InviteMember(t.role))
	case errors.Is(err, errElsewhere):
		return t.say(t.scr.Team().InviteElsewhere(t.shop.Name))
	case errors.Is(err, errInviteBad):
		return t.say(t.scr.Team().InviteBad())
	case err != nil:
		return fmt.Errorf("join a team: %w", err)
	}
	t.cfg.Log.Info("somebody joined a team", "account", a.ID, "user", t.userID, "role", string(role))
	t.chat.Account, t.shop, t.role = a.ID, a, role
	t.leave()
	t.look()
	return t.say(t.scr.Team().Joined(a.Name, role))
}

// takeUp lets the person in by the invitation that a hash names.
func (t teamFlow) takeUp(tx *store.Tx, hash string) (a store.Account, role store.Role, err error) {
	i, err := tx.Invite(hash)
	if errors.Is(err, store.ErrNotFound) {
		if t.role != store.NoRole {
			return a, role, errInviteHere // used, perhaps by this very tap
		}
		return a, role, errInviteBad
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
	case member && t.cfg.Access.admits(c.ID, c):
		return a, role, errInviteHere
	case c.Account != "" && t.role != store.NoRole && !member:
		return a, role, errElsewhere
	case !isGood(i, a, c) || !t.cfg.Access.admits(i.By, by):
		return a, role, errInviteBad
	case !member:
		m = store.Member{User: t.userID, Name: t.name, Role: i.Role, By: i.By, Since: now()}
	}
	if err := tx.EndInvite(&a, hash); err != nil {
		return a, role, err
	}
	store.Admit(&a, m)
	c.Account, c.Removed = a.ID, slices.DeleteFunc(c.Removed, func(id string) bool { return id == a.ID })
	if !t.cfg.Access.admits(c.ID, c) {
		c.Admit(i.By, a.ID, now())
	}
	return a, m.Role, errors.Join(tx.PutAccount(&a), tx.PutChat(&c),
		t.tell(tx, a.PrivateChats(store.Owner), store.JoinedNote, map[string]string{"person": t.name, "role": string(m.Role)}))
}

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

// personRole gives somebody another role. That somebody is to own the account as well is asked about first, and
// an account always keeps an owner.
func (t teamFlow) personRole(user int64, role store.Role, sure bool) error {
	if !slices.Contains([]store.Role{store.Owner, store.Seller, store.Counter}, role) {
		return t.stale()
	}
	return t.inPrivate(func(a store.Account) error {
		m, ok := a.Member(user)
		switch {
		case !ok:
			return t.refused(errNoMember)
		case role == store.Owner && !sure:
			return t.say(t.scr.Team().PersonOwner(m))
		}
		_, err := t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error { return t.giveRole(tx, a, user, role) })
		if err != nil {
			return t.refused(err)
		}
		t.cfg.Log.Info("a role has changed", "account", a.ID, "user", user, "role", string(role), "by", t.userID)
		if user == t.userID {
			t.look()
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
		if err := t.tell(tx, []int64{user}, store.RoleNote, map[string]string{"role": string(role)}); err != nil {
			return err
		}
	}
	others := slices.DeleteFunc(otherOwners(*a, t.userID), func(chat int64) bool { return chat == user })
	return t.tell(tx, others, store.RoleOfNote, map[string]string{"person": m.Name, "role": string(role)})
}

// forgetSessions ends the questions that are open for somebody, in private and in the groups of an account.
func forgetSessions(tx *store.Tx, a store.Account, user int64) error {
	if err := tx.DeleteSession(user, user); err != nil {
		return err
	}
	for _, chat := range a.Chats {
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
func (t teamFlow) personOut(user int64, sure bool) error {
	return t.inPrivate(func(a store.Account) error {
		m, ok := a.Member(user)
		switch {
		case !ok:
			return t.refused(errNoMember)
		case user == t.userID:
			return t.person(user)
		case !sure:
			return t.say(t.scr.Team().PersonOut(m))
		}
		open, err := t.openBy(user, a.ID)
		if err != nil {
			return err
		}
		stays := t.staysIn(a.ID, user)
		_, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error { return t.removeMember(tx, a, user, open, stays) })
		if err != nil {
			return t.refused(err)
		}
		t.cfg.Log.Info("somebody was taken out of a team", "account", a.ID, "user", user, "by", t.userID)
		return t.team()
	})
}

// openBy counts what somebody has bought in their private chat, under an account, that is still on its way.
func (t teamFlow) openBy(user int64, account string) (open int, err error) {
	list, err := t.cfg.Store.ChatPurchases(t.ctx, user, "", 4*ordersPage)
	for _, p := range list {
		if p.Account == account && p.Open() {
			open++
		}
	}
	return open, err
}

// removeMember is personOut within a unit; open is how many purchases of theirs go on without them.
func (t teamFlow) removeMember(tx *store.Tx, a *store.Account, user int64, open int, stays stay) error {
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
	known := err == nil
	c.ID = user
	if err := errors.Join(tx.EndInvites(a), expel(tx, a, &c)); err != nil {
		return err
	}
	if known {
		if !slices.Contains(c.Removed, a.ID) {
			c.Removed = append(slices.Clone(c.Removed), a.ID)
		}
		if err := tx.PutChat(&c); err != nil {
			return err
		}
	}
	return errors.Join(t.tell(tx, []int64{user}, store.RemovedNote, map[string]string{"account": a.Name, "open": strconv.Itoa(open)}),
		t.tell(tx, otherOwners(*a, t.userID), store.DismissedNote, map[string]string{"person": m.Name, "by": t.name}), tellStay(tx, *a, m, stays))
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
		t.over = t.answers
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
