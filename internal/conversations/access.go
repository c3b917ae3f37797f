package conversations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	// A pass and an invitation into a team come by the same link: mark and length tell them apart before anything is looked up.
	// 26 is how many letters rand.Text gives, which makes a pass (guests.go).
	passMark   = "in_" // begins the tokens that let a chat in, of 128 bits behind it
	passLength = len(passMark) + 26
	passLife   = 24 * time.Hour
	mostPasses = 100 // tries of strangers at tokens in an hour, before they are not looked at any more
	anybody    = 0   // whose tries these are: no person's id
	chatsRead  = 500 // chats read at once
)

// Access is who may use the bot, and how much of it.
type Access struct {
	// InviteOnly leaves out all chats but the Operator's and those that were let in.
	InviteOnly bool
	Operator   int64 // who runs the bot; 0 for nobody
	// Leave leaves a group; required where InviteOnly is set.
	Leave func(ctx context.Context, chat int64) error
	// IsMember tells whether somebody is in a group, and Ranks how much they may there.
	IsMember func(ctx context.Context, group, user int64) (bool, error)
	Ranks    func(ctx context.Context, group int64, users ...int64) ([]int, error)
	// How often one person is listened to: of a team; of none, where a step leads into one; and where nobody let
	// them in.
	Members, Strangers, Outsiders Pace
	// Steps is how often all who are of no team are listened to together.
	Steps Pace
}

// errOutside keeps an update from its flow. It is done with all the same.
var errOutside = errors.New("nobody has let this chat in")

// gate lets an update in to its flow, unless its person was let in by nobody: errOutside. It comes before anything is
// stored about them, and before anything is asked of the service: what is needed is read once, it is decided, and that
// is done. Calls of the Messenger under the context that it returns are theirs.
func (b *Bot) gate(ctx context.Context, a *arrival) (context.Context, visit, error) {
	v, err := b.visitNow(ctx, a)
	if err != nil || !v.asks {
		return ctx, v, err
	}
	// A pass changes what is decided by: it is used before the decision.
	if err := b.usePass(ctx, a, &v); err != nil {
		return ctx, v, err
	}
	if err := b.readOutsider(ctx, &v); err != nil {
		return ctx, v, err
	}
	// decide is pure. What it was given is all that was read, and what follows is all that is done.
	d := b.cfg.Access.decide(v)
	ctx = telegram.WithPurpose(ctx, purposeOf(d.account, d.where))
	return ctx, v, b.carryOut(ctx, a, &v, d)
}

// visitNow is an update with what is true of its chat and person in its turn: mostly that has not changed since it was read when the
// update came in, and then it is not read and decoded once more.
func (b *Bot) visitNow(ctx context.Context, a *arrival) (visit, error) {
	// nil for whoever is no member, for a second try, for what an earlier process has taken, and where the mailbox was busy (Bot.put).
	if a.seen != nil {
		if same, err := a.seen.known.Current(ctx); err != nil || same {
			return *a.seen, err
		}
	}
	v := b.visitOf(a.update)
	if !v.asks {
		return v, nil
	}
	return v, b.read(ctx, &v)
}

// readOutsider reads what may let an outsider come in all the same. A try at an invitation is counted before it is
// looked up.
func (b *Bot) readOutsider(ctx context.Context, v *visit) (err error) {
	if where, _ := b.cfg.Access.membershipOf(*v); where != outsider || v.chat < 0 {
		return nil
	}
	// An outsider with a good invitation needs nothing else; one without has to have something open, and to ask about that.
	if v.expected, err = b.isExpected(ctx, *v); err != nil || v.expected || !v.bought {
		return err
	}
	v.open, err = b.hasOpen(ctx, *v)
	return err
}

// carryOut does what was decided about a visit.
func (b *Bot) carryOut(ctx context.Context, a *arrival, v *visit, d decision) error {
	scr := b.printerFor(v.visitor, v.here)
	switch d.result {
	case gateToFlow:
		return nil
	// The update goes on to its flow from here, so that it is not noted as done.
	case gateAdmitGroup:
		return b.bringIn(ctx, v)
	case gateTellKept:
		b.reply(ctx, v.chat, scr.Privacy().Page())
	case gateTellForget:
		b.reply(ctx, v.chat, scr.Privacy().ForgetNothing())
	case gateReject:
		b.reject(ctx, *v, scr, d.rejection)
	}
	// Done comes first: an update that is rejected must not come again, and errOutside alone says that it was.
	return cmp.Or(b.done(ctx, a.in.ID), errOutside)
}

// tooMuch answers what is not listened to of a member: each tap, as it has to be, and of messages the first.
//
// It is called while a batch is sorted (strangers.go). Without sides, a call to Telegram would hold up the updates of everybody.
func (b *Bot) tooMuch(account string, v visitor, c store.Chat) {
	scr, ctx := b.printerFor(v, c), telegram.WithPurpose(b.ctx, telegram.Purpose{Account: account})
	switch {
	// Every callback query has to be answered, or the button goes on waiting.
	case v.query != "":
		b.sides.Go(func() { b.answerTap(ctx, v, scr.Failures().Toast(screen.ToastTooFast)) })
	case v.chat > 0 && b.members.tells(v.bucket()):
		b.sides.Go(func() { b.reply(ctx, v.chat, scr.Access().TooFast()) })
	}
}

// reject answers somebody whom nobody has let in, as it was decided.
func (b *Bot) reject(ctx context.Context, v visit, scr screen.Printer, r rejection) {
	if r.deleteKey {
		b.removeKey(ctx, v.visitor, scr)
	}
	if r.toast {
		b.answerTap(ctx, v.visitor, scr.Failures().Toast(screen.ToastClosed))
	}
	if r.leave {
		b.cfg.Log.Info("a group is left: nobody who may has taken the bot there", "chat", v.chat, "by", v.ID)
		if err := b.cfg.Access.Leave(ctx, v.chat); err != nil {
			b.cfg.Log.Warn("leave a group", "chat", v.chat, "err", err)
		}
	}
	if r.closed {
		b.reply(ctx, v.chat, scr.Access().Closed())
	}
}

// removeKey removes the message of an outsider that holds a key, where the bot may, and tells them in private that nothing
// came of it.
func (b *Bot) removeKey(ctx context.Context, v visitor, scr screen.Printer) {
	if err := b.cfg.Messenger.Delete(ctx, v.chat, v.typed); err != nil {
		b.cfg.Log.Debug("delete a message", "chat", v.chat, "err", err)
	}
	// The same silence as behind any answer: who pastes keys in a loop is answered once.
	if v.chat > 0 && b.silence.breaks(addressee{chat: v.chat, person: v.ID}, firstQuiet, 0, time.Now()) {
		b.reply(ctx, v.chat, scr.Access().KeyOfOutsider())
	}
}

// printerFor is the language of a chat, or that of a person whom nothing is known of.
func (b *Bot) printerFor(v visitor, c store.Chat) screen.Printer {
	lang := c.Language
	if lang == "" {
		lang = b.languageOf(v.User)
	}
	scr, _ := b.cfg.Screens.For(lang)
	return scr
}

// answerTap ends a callback query whose flow is not run.
func (b *Bot) answerTap(ctx context.Context, v visitor, text string) {
	if err := b.cfg.Messenger.Answer(ctx, v.query, text, true); err != nil {
		b.cfg.Log.Debug("answer a callback query", "chat", v.chat, "err", err)
	}
}

// reply sends a message that nothing depends on.
func (b *Bot) reply(ctx context.Context, chat int64, m screen.Message) {
	if _, err := b.cfg.Messenger.Send(ctx, chat, 0, m); err != nil {
		b.cfg.Log.Debug("send a message", "chat", chat, "err", err)
	}
}

// bringIn lets a group in through who writes there.
func (b *Bot) bringIn(ctx context.Context, v *visit) error {
	v.here.ID = v.chat
	err := b.changeChat(ctx, &v.here, func(c *store.Chat) { b.letIn(c, v.visitor) })
	if err != nil {
		return fmt.Errorf("let a chat in: %w", err)
	}
	b.cfg.Log.Info("a chat was let in", "chat", v.chat, "by", v.ID)
	return nil
}

// letIn marks a chat as let in by somebody, in the language of who came.
func (b *Bot) letIn(c *store.Chat, v visitor) {
	by := v.ID
	if v.chat > 0 {
		by = b.cfg.Access.Operator // whose pass was opened
	}
	c.Admit(by, "", time.Now())
	if c.CreatedAt.IsZero() {
		c.CreatedAt, c.Language = c.Admitted, b.languageOf(v.User)
	}
}

// isIn reports whether a person was let in.
func (b *Bot) isIn(ctx context.Context, user int64) (bool, error) {
	c, err := b.cfg.Store.Chat(ctx, user)
	return b.cfg.Access.admits(user, c), ignoreMissing(err)
}

// isExpected reports whether a person opens a team's invitation that is good. Whoever tries many that are not
// is not looked at any more, nor is anybody if very many do.
func (b *Bot) isExpected(ctx context.Context, v visit) (bool, error) {
	token, ok := v.token()
	if !ok || !b.mayTry(v.ID) {
		return false, nil
	}
	i, err := broughtBy(token, v.ID, func(hash string) (store.Invite, error) { return b.cfg.Store.Invite(ctx, hash) })
	if err != nil {
		return false, ignoreMissing(err)
	}
	a, err := b.cfg.Store.Account(ctx, i.Account)
	if err != nil || !isGood(i, a, v.here) {
		return false, ignoreMissing(err)
	}
	// An owner who was shut out lets nobody in. acceptInvite in team.go asks the same once more, in its transaction.
	return b.isIn(ctx, i.By)
}

// isGood reports whether an invitation into an account's team may be taken up by somebody: it was made by who owns the
// account now, and, where they were shut out, after that. Nobody is taken out of another team by a link.
func isGood(i store.Invite, a store.Account, c store.Chat) bool {
	_, member := a.Member(c.ID)
	switch {
	case a.Retired || a.Role(i.By) != store.Owner || !time.Now().Before(i.Expires):
		return false
	case !c.Out.IsZero() && !i.Made.After(c.Out):
		return false
	}
	// A member takes no further place: the link lets them use the bot again, in the role that they have (acceptInvite in team.go).
	return member || len(a.Members()) < mostMembers
}

// mayTry reports whether a person may try another token: five in an hour, and everybody together a hundred.
func (b *Bot) mayTry(user int64) bool {
	now := time.Now()
	switch {
	// The person's own tries are counted first: those that are too many use up nothing of what all have together.
	case !b.tries.hears(user, now):
		return false
	case b.allTries.hears(anybody, now):
		return true
	}
	// Once, until a try is taken again: whoever guesses does so by the hundred.
	if b.allTries.tells(anybody) {
		b.cfg.Log.Error("somebody is guessing invitations: none is taken for a while")
	}
	return false
}

// usePass takes up a token of the operator that came with Start: the chat is let in, once. What is left of
// the message is Start alone, whatever the token was good for.
func (b *Bot) usePass(ctx context.Context, a *arrival, v *visit) error {
	token, ok := v.token()
	// Another token is a team's invitation, which its own flow takes up.
	if !ok || len(token) != passLength || !strings.HasPrefix(token, passMark) {
		return nil
	}
	// Both are copied: the update that came may be handled again, and has to hold its token then.
	u, m := *a.update, *a.update.Message
	m.Text, u.Message = "/start", &m
	a.update, v.text, v.rest = &u, m.Text, ""
	// Who is in for themselves needs no pass, and the pass stays good for somebody else.
	direct := !v.here.Admitted.IsZero() && v.here.Through == "" && v.here.Out.IsZero()
	if direct || !b.mayTry(v.ID) {
		return nil
	}
	hash := store.TokenHash(token)
	var in *store.Chat // as it was let in
	err := b.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		in = nil // what conflicts with others runs again, and may find the pass taken
		i, err := tx.Invite(hash)
		// An invitation without an account is a pass; that its maker runs the bot is asked too, should that have changed since.
		if err != nil || i.Account != "" || i.By != b.cfg.Access.Operator || !time.Now().Before(i.Expires) {
			return ignoreMissing(err)
		}
		now, err := tx.Chat(v.chat)
		if ignoreMissing(err) != nil || !now.Out.IsZero() && !i.Made.After(now.Out) {
			return ignoreMissing(err) // who was shut out has to be invited anew
		}
		// Nothing may be kept of this chat yet: then its record begins here.
		now.ID = v.chat
		b.letIn(&now, v.visitor)
		// A pass is of no account: the one that EndInvite changes is thrown away.
		if err := errors.Join(tx.EndInvite(&store.Account{}, hash), tx.PutChat(&now)); err != nil {
			return err
		}
		in = &now
		return nil
	})
	if err != nil {
		return fmt.Errorf("take up an invitation: %w", err)
	}
	if in != nil {
		v.here = *in
		b.cfg.Log.Info("a chat was let in", "chat", v.chat, "by", b.cfg.Access.Operator)
	}
	return nil
}

// purposeOf is whom an update is answered for.
func purposeOf(account string, where membership) telegram.Purpose {
	if where != member {
		return telegram.Purpose{Class: telegram.Strangers}
	}
	return telegram.Purpose{Account: account}
}
