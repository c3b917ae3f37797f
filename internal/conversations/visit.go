package conversations

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// visitor is who an update comes from, and where to.
type visitor struct {
	// It is nil where a message names nobody. Then the visit asks for nothing, and nobody may read its id.
	*models.User

	chat      int64
	text      string // what was typed
	query     string // the callback query that has to be answered
	invited   bool   // the bot was taken into a group
	typed     int    // the message that was typed
	anonymous bool   // it is written in the group's name: User stands for all who may
}

// visitorOf is who an update comes from; false for those that nobody asks anything with.
func visitorOf(u *update) (v visitor, ok bool) {
	switch {
	case u.Message != nil && (u.Message.Text != "" || u.Message.Document != nil || isPhoto(u.Message)):
		v = visitor{User: u.Message.From, chat: u.Message.Chat.ID, text: cmp.Or(u.Message.Text, u.Message.Caption), typed: u.Message.ID, anonymous: isAnonymous(u.Message)}
	case u.Message != nil && (u.Message.UsersShared != nil && u.Message.Chat.ID > 0 || hasContact(u.Message)):
		v = visitor{User: u.Message.From, chat: u.Message.Chat.ID, typed: u.Message.ID}
	case u.CallbackQuery != nil:
		chat, _, _ := messageOf(u.CallbackQuery)
		v = visitor{User: &u.CallbackQuery.From, chat: chat, query: u.CallbackQuery.ID}
	case u.MyChatMember != nil && u.MyChatMember.Chat.ID < 0:
		m := u.MyChatMember
		v = visitor{User: &m.From, chat: m.Chat.ID, invited: isGone(m.OldChatMember) && !isGone(m.NewChatMember)}
		return v, v.invited
	}
	return v, v.User != nil && v.chat != 0
}

// visit is an update of somebody's, with everything that is decided by: what it says, and what was read about who and
// where, once. What is decided of it is a value: only what follows does anything.
type visit struct {
	visitor

	asks bool // somebody wants something by it; where they do not, nothing below but here is read

	// What it says.
	name, rest string        // the command, and what stands behind it; empty for none
	action     screen.Action // what the tapped button means; none where it means nothing
	bought     bool          // it is about what somebody has bought before

	// What was read.
	known   store.Known   // all that was read together
	here    store.Chat    // where it happens; zero where nothing is kept of it
	person  store.Chat    // the private chat of who it comes from, for a group
	bringer store.Chat    // the chat of who has let a group in, in which nothing is linked
	shop    store.Account // that is linked here, or, in a group without one, in the person's private chat

	// What was read besides, where it matters.
	open            bool // an outsider has a purchase that has not come to its end
	expected        bool // an outsider brings a good invitation into a team
	answersQuestion bool // a stranger answers an open question, or follows one of theirs that is not handled yet
}

// visitOf is what an update says, before anything is read.
func (b *Bot) visitOf(u *update) (v visit) {
	v.visitor, v.asks = visitorOf(u)
	v.chat = chatOf(u)
	if q := u.CallbackQuery; q != nil {
		if action, ok := screen.ParseAction(q.Data); ok {
			v.action, v.bought = action, b.buttons[action.Verb].bought
		}
		return v
	}
	name, rest, ok := command(v.text, b.cfg.BotName())
	if !ok && v.chat > 0 { // in a group it is for whoever it is meant for
		rest, ok = startedBy(v.text, b.cfg.BotName())
		name = "start"
	}
	if ok {
		v.name, v.rest, v.bought = name, rest, b.commands[name].bought
	}
	return v
}

// read reads the chat that a visit is in, and, where somebody asks for something, who they are and where they stand: each record
// once, and all that is known to be needed together.
func (b *Bot) read(ctx context.Context, v *visit) (err error) {
	// 0 has nothing read but the chat: nobody asks for anything that could be theirs.
	user := int64(0)
	if v.asks {
		user = v.ID
	}
	if v.known, err = b.cfg.Store.ReadVisit(ctx, v.chat, user); err != nil {
		return fmt.Errorf("read the chat: %w", err)
	}
	if v.here, err = chatOrNone(ctx, v.known, v.chat); err != nil || !v.asks {
		return err
	}
	if v.chat < 0 {
		if v.person, err = chatOrNone(ctx, v.known, v.ID); err != nil {
			return err
		}
	}
	if by := v.here.AdmittedBy; by != 0 && v.chat < 0 && b.cfg.Access.InviteOnly && v.here.Account == "" {
		if v.bringer, err = chatOrNone(ctx, v.known, by); err != nil {
			return err
		}
	}
	if id := v.account(); id != "" {
		if v.shop, err = v.known.Account(ctx, id); ignoreMissing(err) != nil {
			return fmt.Errorf("read the account: %w", err)
		}
	}
	return nil
}

// chatOrNone reads a chat; a zero Chat where nothing is kept of it.
func chatOrNone(ctx context.Context, from interface {
	Chat(ctx context.Context, id int64) (store.Chat, error)
}, id int64) (store.Chat, error) {
	c, err := from.Chat(ctx, id)
	if ignoreMissing(err) != nil {
		return c, fmt.Errorf("read the chat: %w", err)
	}
	return c, nil
}

// account is the account that a visit is about: the chat's, or, in a group without one, that of the person's private
// chat.
func (v visit) account() string {
	// Who writes in a group's name has no private chat: the id is that of all who do.
	if v.here.Account == "" && v.chat < 0 && !v.anonymous {
		return v.person.Account
	}
	return v.here.Account
}

// token is what the link brought along that somebody has pressed Start with.
func (v visit) token() (string, bool) {
	rest := plainToken(v.rest)
	return rest, v.name == "start" && rest != ""
}

// bringsKey reports whether somebody has typed a key.
func (v visit) bringsKey() bool {
	return v.name == "key" && v.rest != "" && !strings.EqualFold(v.rest, "remove")
}

// leads reports whether a command may lead a stranger on, in private: it brings a key, or an invitation, or asks what is
// kept of oneself.
func (v visit) leads() bool {
	return v.chat > 0 && (v.name == "key" || v.name == "privacy" || v.name == "forget" || v.name == "start" && v.rest != "")
}

// isAboutThemselves reports whether somebody asks in private what is kept about them, or to be forgotten. That is
// everybody's right, also of whom nobody has let in.
func (v visit) isAboutThemselves() bool {
	name := v.name
	if v.query != "" {
		name = string(v.action.Verb)
	}
	return v.chat > 0 && (name == "privacy" || name == "forget")
}

// membership is what a person is in a chat.
type membership uint8

const (
	outsider membership = iota // nobody has let the chat in
	stranger                   // they are of no team, or not of this chat's
	member
)

// admits reports whether a chat may use the bot, by what is written down about itself.
func (p Access) admits(id int64, c store.Chat) bool {
	if id == p.Operator {
		return true
	}
	// Who was shut out stays out of a bot that is open to all, too.
	return c.Out.IsZero() && (!p.InviteOnly || !c.Admitted.IsZero())
}

// isLetIn reports whether the chat of a visit may use the bot. A group in which nothing is linked may for as long as the
// one who has brought it in may.
func (p Access) isLetIn(v visit) bool {
	in := p.admits(v.chat, v.here)
	if v.chat > 0 || !in || !p.InviteOnly || v.here.Account != "" || v.here.AdmittedBy == 0 {
		return in
	}
	return p.admits(v.here.AdmittedBy, v.bringer)
}

// mayUse reports whether somebody may use the bot where they are: who was shut out may nowhere.
func (p Access) mayUse(v visit) bool {
	in := p.isLetIn(v)
	if !in || v.chat > 0 || v.ID == p.Operator {
		return in
	}
	return v.person.Out.IsZero()
}

// membershipOf tells what somebody is where they are, and for which account: in a group without one, for that of
// their private chat.
func (p Access) membershipOf(v visit) (where membership, account string) {
	if !p.mayUse(v) {
		return outsider, ""
	}
	// The operator is a member everywhere. Where there is none, Operator is 0, as the id of a visit may be that has no person.
	in := v.ID == p.Operator && v.ID != 0
	if account = v.account(); account != "" && !in {
		_, in = v.shop.Member(v.ID)
	}
	if !in || v.anonymous {
		return stranger, ""
	}
	return member, account
}

// admission is how a visit may come in, before anything is counted or written for it.
type admission struct {
	how     handling // where it is not too much
	quota   quota    // how often it is listened to
	account string   // whose member it comes from
}

// quota is what an update counts against.
type quota uint8

const (
	quotaNone     quota = iota // it is not counted
	quotaMember                // everybody of a team
	quotaFormer                // who is out, and has something open
	quotaOutsider              // whom nobody has let in
	quotaSteps                 // what leads somebody of no team on
	quotaText                  // all else that they write
)

// admission decides how a visit may come in.
func (p Access) admission(v visit) admission {
	if v.invited && !p.InviteOnly && p.mayUse(v) || !v.asks { // that the bot was taken into a group is a wish only where it has to be left
		if v.here.ID == 0 {
			return admission{how: handleIgnored} // nothing is stored of the chat that could change
		}
		return admission{how: handleStored}
	}
	switch where, account := p.membershipOf(v); where {
	case member:
		return admission{handleStored, quotaMember, account}
	case stranger:
		return admissionOfStranger(v)
	}
	_, brings := v.token()
	switch {
	case v.open:
		return admission{how: handleStoredLast, quota: quotaFormer}
	case brings || v.chat < 0 || v.bringsKey():
		return admission{how: handleStoredLast, quota: quotaOutsider}
	}
	return admission{how: handleUnstored, quota: quotaOutsider}
}

// admissionOfStranger takes of somebody who is of no team the steps that lead into one, some of them, and one line, to
// which there is an answer that needs nothing.
func admissionOfStranger(v visit) admission {
	switch {
	case v.query != "" || v.bringsKey() || v.leads() || v.answersQuestion:
		return admission{how: handleStoredLast, quota: quotaSteps}
	case v.chat < 0 && v.name == "":
		return admission{how: handleIgnored} // people talk to each other
	}
	return admission{how: handleUnstored, quota: quotaText}
}

// gateResult is what becomes of a visit before its flow.
type gateResult uint8

const (
	gateToFlow     gateResult = iota
	gateAdmitGroup            // the group is let in by who comes, and then it goes to its flow
	gateTellKept              // they are told what would be kept about them, and that nothing is
	gateTellForget            // they are told that there is nothing to forget
	gateReject
)

// decision is what is done about a visit: all of it, in one act.
type decision struct {
	where     membership // whom it is answered as
	account   string
	result    gateResult
	rejection rejection // of who is rejected
}

// rejection is how somebody is rejected: what is done, and what is said.
type rejection struct {
	deleteKey bool // the key that they have typed goes
	toast     bool // their tap is answered
	leave     bool // the group is left
	closed    bool // they are told that the bot is by invitation
}

// decide decides what is done about a visit.
//
// That is decided in two rounds. The first, admission, comes before the update is on disk: it decides whether anything is written for it
// at all, and is asked of everybody's, so it is given little. The second, this one, comes in the update's turn, behind others of its
// chat and perhaps after minutes or a restart: whoever was let in, shut out or taken into a team meanwhile is that by now, and only
// for what was stored is there a look at invitations.
//
// Both are pure, and what they let in is counted after the first (Bot.count). Two looks are counted before they are made, while a visit
// is read, since they cost more than an answer does: at what somebody has open whom nobody lets in any more (Bot.readUncertain, by the
// quota of strangers), and at an invitation that an outsider brings (Bot.readOutsider, by mayTry). Whoever is over that is not
// looked up, and is decided about as somebody who has nothing.
func (p Access) decide(v visit) (d decision) {
	d.where, d.account = p.membershipOf(v)
	// The first case that fits decides. Each leaves the result at gateToFlow, unless it sets another.
	switch {
	case d.where != outsider:
	case v.chat > 0 && v.expected: // who opens an invitation is let in by taking it up
	case v.chat < 0 && p.mayBringIn(v):
		d.result = gateAdmitGroup
	case v.isAboutThemselves() && v.here.ID != 0: // of whom something is kept
	case v.isAboutThemselves() && v.name == "privacy":
		d.result = gateTellKept
	case v.isAboutThemselves() && v.name == "forget":
		d.result = gateTellForget
	case v.bought && v.open: // what they have bought may be looked at and decided, and nothing is spent by it
	default:
		d.result, d.rejection = gateReject, p.rejection(v)
	}
	return d
}

// mayBringIn reports whether a group is let in by who writes there: somebody who was let in themselves; one that was shut
// out the operator alone brings back.
func (p Access) mayBringIn(v visit) bool {
	if v.ID == p.Operator {
		return true
	}
	return v.here.Out.IsZero() && p.admits(v.ID, v.person)
}

// rejection decides how somebody is rejected whom nobody has let in: with the same words whatever they have tried,
// and with nothing where they did not press Start. A group is left, unless it is a shop's, or it is the person alone who is out.
func (p Access) rejection(v visit) (r rejection) {
	r.deleteKey = v.bringsKey()
	switch {
	// What becomes of the key is said with its removal (removeKey): two answers would be one too many.
	case r.deleteKey && v.chat > 0:
	case v.query != "":
		r.toast = true
	case v.chat < 0:
		r.leave = v.here.Account == "" && (v.invited || !p.isLetIn(v))
	default:
		r.closed = v.name == "start"
	}
	return r
}
