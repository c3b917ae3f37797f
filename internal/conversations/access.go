package conversations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	passMark   = "in_" // begins the tokens that let a chat in, of 128 bits behind it
	passLength = len(passMark) + 26
	passLife   = 24 * time.Hour
	mostPasses = 100 // tries of strangers at tokens in an hour, before they are not looked at any more
	anybody    = 0   // whose tries these are: no person's id
	chatsRead  = 500 // chats read at once
)

// Access is who may use the bot, and how much of it.
type Access struct {
	// InviteOnly leaves out all chats but the Owner's and those that were let in.
	InviteOnly bool
	Owner      int64 // who runs the bot; 0 for nobody
	// Leave leaves a group; required where InviteOnly is set.
	Leave func(ctx context.Context, chat int64) error
	// IsMember tells whether somebody is in a group, and Standing how much they may there.
	IsMember func(ctx context.Context, group, user int64) (bool, error)
	Standing func(ctx context.Context, group int64, users ...int64) ([]int, error)
	// How often one person is listened to: of a team; of none, where a step leads into one; and where nobody let
	// them in.
	Members, Strangers, Outsiders Pace
	// Steps is how often all who are of no team are listened to together.
	Steps Pace
}

// errOutside keeps an update from its flow. It is done with all the same.
var errOutside = errors.New("nobody has let this chat in")

// visitor is who an update comes from, and where to.
type visitor struct {
	*models.User

	chat      int64
	text      string // what was typed
	query     string // the callback query that has to be answered
	invited   bool   // the bot was taken into a group
	typed     int    // the message that was typed
	anonymous bool   // it is written in the group's name: User stands for all who may
}

// visitorOf is who an update comes from; false for those that nobody asks anything with.
func visitorOf(u *models.Update) (v visitor, ok bool) {
	switch {
	case u.Message != nil && u.Message.Text != "":
		v = visitor{User: u.Message.From, chat: u.Message.Chat.ID, text: u.Message.Text, typed: u.Message.ID, anonymous: isAnonymous(u.Message)}
	case u.CallbackQuery != nil:
		chat, _, _ := carrierOf(u.CallbackQuery)
		v = visitor{User: &u.CallbackQuery.From, chat: chat, query: u.CallbackQuery.ID}
	case u.MyChatMember != nil && u.MyChatMember.Chat.ID < 0:
		m := u.MyChatMember
		v = visitor{User: &m.From, chat: m.Chat.ID, invited: isGone(m.OldChatMember) && !isGone(m.NewChatMember)}
		return v, v.invited
	}
	return v, v.User != nil && v.chat != 0
}

// gate lets an update in to its flow, unless its person was let in by nobody: errOutside. It comes before anything is
// stored about them, and before anything is asked of the service. Calls of the Messenger under the context that it
// returns are theirs.
func (b *Bot) gate(ctx context.Context, a *arrival) (context.Context, error) {
	v, ok := visitorOf(a.update)
	if !ok {
		return ctx, nil
	}
	c, err := b.cfg.Store.Chat(ctx, v.chat)
	if ignoreMissing(err) != nil {
		return ctx, fmt.Errorf("read the chat: %w", err)
	}
	if err := b.usePass(ctx, a, v, &c); err != nil {
		return ctx, err
	}
	where, account, err := b.stands(ctx, v, c)
	if err != nil {
		return ctx, err
	}
	ctx = telegram.Because(ctx, causeOf(account, where))
	if where != outsider {
		return ctx, nil
	}
	if in, err := b.bringsIn(ctx, v, c); in || err != nil {
		return ctx, err
	}
	pass, answered := b.aboutThemselves(ctx, a, v, c)
	if !pass && !answered && b.goesOn(a.update, v) {
		if pass, err = b.hasOpen(ctx, v, c); err != nil {
			return ctx, err
		}
	}
	switch {
	case pass:
		return ctx, nil
	case answered:
		return ctx, cmp.Or(b.done(ctx, a.in.ID), errOutside)
	}
	if err := b.turnAway(ctx, v, c); err != nil {
		return ctx, err
	}
	return ctx, cmp.Or(b.done(ctx, a.in.ID), errOutside)
}

// tooMuch answers what is not listened to of a member: each tap, as it has to be, and of messages the first.
func (b *Bot) tooMuch(account string, v visitor, c store.Chat) {
	scr, ctx := b.printerFor(v, c), telegram.Because(b.ctx, telegram.Cause{Account: account})
	switch {
	case v.query != "":
		b.sides.Go(func() { b.answerTap(ctx, v, scr.Toast(screen.ToastTooFast)) })
	case v.chat > 0 && b.members.tells(v.bucket()):
		b.sides.Go(func() { b.reply(ctx, v.chat, scr.TooFast()) })
	}
}

// turnAway answers somebody whom nobody has let in: with the same words whatever they have tried, and with
// nothing where they did not knock. A group is left, unless it is a shop's, or it is the person alone who is out.
func (b *Bot) turnAway(ctx context.Context, v visitor, c store.Chat) error {
	scr := b.printerFor(v, c)
	if v.bringsKey(b.cfg.BotName()) {
		if b.removeKey(ctx, v, scr); v.chat > 0 {
			return nil
		}
	}
	switch {
	case v.query != "":
		b.answerTap(ctx, v, scr.Toast(screen.ToastClosed))
	case v.chat < 0:
		in, err := b.isLetIn(ctx, v.chat, c)
		if err != nil || in && !v.invited || c.Account != "" {
			return err
		}
		b.cfg.Log.Info("a group is left: nobody who may has taken the bot there", "chat", v.chat, "by", v.ID)
		if err := b.cfg.Access.Leave(ctx, v.chat); err != nil {
			b.cfg.Log.Warn("leave a group", "chat", v.chat, "err", err)
		}
	case v.knocks(b.cfg.BotName()):
		b.reply(ctx, v.chat, scr.Closed())
	}
	return nil
}

// bringsKey reports whether somebody has typed a key.
func (v visitor) bringsKey(botName string) bool {
	name, rest, ok := command(v.text, botName)
	return ok && name == "key" && rest != "" && !strings.EqualFold(rest, "remove")
}

// removeKey removes the message of an outsider that holds a key, where the bot may, and tells them in private that nothing
// came of it.
func (b *Bot) removeKey(ctx context.Context, v visitor, scr screen.Printer) {
	if err := b.cfg.Messenger.Delete(ctx, v.chat, v.typed); err != nil {
		b.cfg.Log.Debug("delete a message", "chat", v.chat, "err", err)
	}
	if v.chat > 0 && b.silence.breaks(addressee{chat: v.chat, person: v.ID}, firstQuiet, time.Now()) {
		b.reply(ctx, v.chat, scr.KeyOfOutsider())
	}
}

// knocks reports whether somebody has pressed Start.
func (v visitor) knocks(botName string) bool {
	name, _, ok := command(v.text, botName)
	return ok && name == "start"
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

// bringsIn lets a chat in through whoever writes: a group through somebody who was let in themselves, and one that was
// shut out through the bot's owner alone. Somebody in private with the invitation of a shop that is in passes the
// gate, and is let in by taking it up. Who is in brings their own people.
func (b *Bot) bringsIn(ctx context.Context, v visitor, c store.Chat) (in bool, err error) {
	if v.chat > 0 {
		return b.isExpected(ctx, v, c)
	}
	in = v.ID == b.cfg.Access.Owner
	if !in && c.Out.IsZero() {
		in, err = b.isIn(ctx, v.ID)
	}
	if err != nil || !in {
		return false, err
	}
	c.ID = v.chat
	err = b.changeChat(ctx, &c, func(c *store.Chat) { b.letIn(c, v) })
	if err != nil {
		return false, fmt.Errorf("let a chat in: %w", err)
	}
	b.cfg.Log.Info("a chat was let in", "chat", v.chat, "by", v.ID)
	return true, nil
}

// letIn marks a chat as let in by somebody, in the language of who came.
func (b *Bot) letIn(c *store.Chat, v visitor) {
	c.Admitted, c.AdmittedBy, c.Through, c.Out, c.OutAs = time.Now(), v.ID, "", time.Time{}, ""
	if v.chat > 0 {
		c.AdmittedBy = b.cfg.Access.Owner // whose invitation was opened
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt, c.Language = c.Admitted, b.languageOf(v.User)
	}
}

// isIn reports whether a person was let in.
func (b *Bot) isIn(ctx context.Context, user int64) (bool, error) {
	c, err := b.cfg.Store.Chat(ctx, user)
	return b.admits(user, c), ignoreMissing(err)
}

// isExpected reports whether a person opens a team's invitation that is good. Whoever tries many that are not
// is not looked at any more, nor is anybody if very many do.
func (b *Bot) isExpected(ctx context.Context, v visitor, c store.Chat) (bool, error) {
	token, ok := v.token(b.cfg.BotName())
	if !ok || !b.mayTry(v.ID) {
		return false, nil
	}
	i, err := b.cfg.Store.Invite(ctx, store.TokenHash(token))
	if err != nil {
		return false, ignoreMissing(err)
	}
	a, err := b.cfg.Store.Account(ctx, i.Account)
	if err != nil || !isGood(i, a, c) {
		return false, ignoreMissing(err)
	}
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
	return member || len(a.Members()) < mostMembers
}

// token is what the link brought along that somebody has pressed Start with.
func (v visitor) token(botName string) (string, bool) {
	name, rest, ok := command(v.text, botName)
	rest = plainToken(rest)
	return rest, ok && name == "start" && rest != ""
}

// mayTry reports whether a person may try another token: five in an hour, and everybody together a hundred.
func (b *Bot) mayTry(user int64) bool {
	now := time.Now()
	switch {
	case !b.tries.hears(user, now):
		return false
	case b.allTries.hears(anybody, now):
		return true
	}
	if b.allTries.tells(anybody) {
		b.cfg.Log.Error("somebody is guessing invitations: none is taken for a while")
	}
	return false
}

// usePass takes up a token of the bot's owner that came with Start: the chat is let in, once. What is left of
// the message is Start alone, whatever the token was good for.
func (b *Bot) usePass(ctx context.Context, a *arrival, v visitor, c *store.Chat) error {
	token, ok := v.token(b.cfg.BotName())
	if !ok || len(token) != passLength || !strings.HasPrefix(token, passMark) {
		return nil
	}
	u, m := *a.update, *a.update.Message
	m.Text, u.Message = "/start", &m
	a.update = &u
	direct := !c.Admitted.IsZero() && c.Through == "" && c.Out.IsZero()
	if direct || !b.mayTry(v.ID) {
		return nil
	}
	hash, taken := store.TokenHash(token), false
	err := b.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		i, err := tx.Invite(hash)
		if err != nil || i.Account != "" || i.By != b.cfg.Access.Owner || !time.Now().Before(i.Expires) {
			return ignoreMissing(err)
		}
		now, err := tx.Chat(v.chat)
		if ignoreMissing(err) != nil || !now.Out.IsZero() && !i.Made.After(now.Out) {
			return ignoreMissing(err) // who was shut out has to be invited anew
		}
		now.ID = v.chat
		b.letIn(&now, v)
		if err := errors.Join(tx.EndInvite(&store.Account{}, hash), tx.PutChat(&now)); err != nil {
			return err
		}
		*c, taken = now, true
		return nil
	})
	if err != nil {
		return fmt.Errorf("take up an invitation: %w", err)
	}
	if taken {
		b.cfg.Log.Info("a chat was let in", "chat", v.chat, "by", b.cfg.Access.Owner)
	}
	return nil
}

// causeOf is whom an update is answered for.
func causeOf(account string, where standing) telegram.Cause {
	if where != member {
		return telegram.Cause{Lane: telegram.Strangers}
	}
	return telegram.Cause{Account: account}
}
