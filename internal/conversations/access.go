package conversations

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/store"
)

const (
	passMark    = "in_" // begins the tokens that let a chat in, of 128 bits behind it
	passLength  = len(passMark) + 26
	passLife    = 24 * time.Hour
	mostPasses  = 100 // tries of strangers at tokens in an hour, before they are not looked at any more
	anybody     = 0   // whose tries these are: no person's id
	mostChats   = 10_000
	listedChats = 20
)

// Access is who may use the bot, and how much of it.
type Access struct {
	// InviteOnly leaves out all chats but the Owner's and those that were let in.
	InviteOnly bool
	Owner      int64 // who runs the bot; 0 for nobody
	// Leave leaves a group; required where InviteOnly is set.
	Leave func(ctx context.Context, chat int64) error
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
	anonymous bool   // it is written in the group's name: User stands for all who may
}

// visitorOf is who an update comes from; false for those that nobody asks anything with.
func visitorOf(u *models.Update) (v visitor, ok bool) {
	switch {
	case u.Message != nil && u.Message.Text != "":
		v = visitor{User: u.Message.From, chat: u.Message.Chat.ID, text: u.Message.Text, anonymous: isAnonymous(u.Message)}
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

// gate lets an update in to its flow, unless its person was let in by nobody: errOutside. It comes before anything is stored about them, and before anything is asked of the service. Calls of
// the Messenger under the context that it returns are theirs.
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
	ctx = because(ctx, Cause{Account: account, Stranger: where != member})
	if where != outsider {
		return ctx, nil
	}
	if in, err := b.bringsIn(ctx, v, c); in || err != nil {
		return ctx, err
	}
	b.turnAway(ctx, v)
	return ctx, cmp.Or(b.done(ctx, a.in.ID), errOutside)
}

// tooMuch answers what is not listened to of a member: each tap, as it has to be, and of messages the first.
func (b *Bot) tooMuch(account string, v visitor, c store.Chat) {
	scr, ctx := b.printerFor(v, c), because(b.ctx, Cause{Account: account})
	switch {
	case v.query != "":
		b.sides.Go(func() { b.answer(ctx, v, scr.Toast(screen.ToastTooFast)) })
	case v.chat > 0 && b.members.tells(v.bucket()):
		b.sides.Go(func() { b.reply(ctx, v.chat, scr.TooFast()) })
	}
}

// turnAway answers somebody whom nobody has let in: with the same words whatever they have tried, and with
// nothing where they did not knock. A group is left.
func (b *Bot) turnAway(ctx context.Context, v visitor) {
	scr := b.printerFor(v, store.Chat{})
	switch {
	case v.query != "":
		b.answer(ctx, v, scr.Toast(screen.ToastClosed))
	case v.chat < 0:
		b.cfg.Log.Info("a group is left: nobody who may has taken the bot there", "chat", v.chat, "by", v.ID)
		if err := b.cfg.Access.Leave(ctx, v.chat); err != nil {
			b.cfg.Log.Warn("leave a group", "chat", v.chat, "err", err)
		}
	case v.knocks(b.cfg.BotName()):
		b.reply(ctx, v.chat, scr.Closed())
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
		lang = b.language(v.User)
	}
	scr, _ := b.cfg.Screens.For(lang)
	return scr
}

// answer ends a callback query whose flow is not run.
func (b *Bot) answer(ctx context.Context, v visitor, text string) {
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

// bringsIn lets a chat in through whoever writes: in a group, somebody who was let in themselves; in private,
// somebody with the invitation of a shop that was. Who is in brings their own people.
func (b *Bot) bringsIn(ctx context.Context, v visitor, c store.Chat) (in bool, err error) {
	if v.chat < 0 {
		in, err = b.isIn(ctx, v.ID)
	} else {
		in, err = b.isExpected(ctx, v)
	}
	if err != nil || !in {
		return false, err
	}
	c.ID = v.chat
	err = b.changeChat(ctx, &c, func(c *store.Chat) { b.letIn(c, v.User) })
	if err != nil {
		return false, fmt.Errorf("let a chat in: %w", err)
	}
	b.cfg.Log.Info("a chat was let in", "chat", v.chat, "by", v.ID)
	return true, nil
}

// letIn marks a chat as let in, in the language of who came.
func (b *Bot) letIn(c *store.Chat, by *models.User) {
	c.Admitted = time.Now()
	if c.CreatedAt.IsZero() {
		c.CreatedAt, c.Language = c.Admitted, b.language(by)
	}
}

// isIn reports whether a person was let in.
func (b *Bot) isIn(ctx context.Context, user int64) (bool, error) {
	if user == b.cfg.Access.Owner {
		return true, nil
	}
	c, err := b.cfg.Store.Chat(ctx, user)
	return err == nil && !c.Admitted.IsZero(), ignoreMissing(err)
}

// isExpected reports whether a person opens a team's invitation that is good. Whoever tries many that are not
// is not looked at any more, nor is anybody if very many do.
func (b *Bot) isExpected(ctx context.Context, v visitor) (bool, error) {
	token, ok := v.token(b.cfg.BotName())
	if !ok || !b.mayTry(v.ID) {
		return false, nil
	}
	i, err := b.cfg.Store.Invite(ctx, store.TokenHash(token))
	if err != nil {
		return false, ignoreMissing(err)
	}
	return i.Account != "" && time.Now().Before(i.Expires), nil
}

// token is what the link brought along that somebody has pressed Start with.
func (v visitor) token(botName string) (string, bool) {
	name, rest, ok := command(v.text, botName)
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
	if !c.Admitted.IsZero() || !b.mayTry(v.ID) {
		return nil
	}
	hash := store.TokenHash(token)
	err := b.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		i, err := tx.Invite(hash)
		if err != nil || i.Account != "" || !time.Now().Before(i.Expires) {
			return ignoreMissing(err)
		}
		now, err := tx.Chat(v.chat)
		if ignoreMissing(err) != nil {
			return err
		}
		now.ID = v.chat
		b.letIn(&now, v.User)
		if err := errors.Join(tx.EndInvite(&store.Account{}, hash), tx.PutChat(&now)); err != nil {
			return err
		}
		*c = now
		return nil
	})
	if err != nil {
		return fmt.Errorf("take up an invitation: %w", err)
	}
	if !c.Admitted.IsZero() {
		b.cfg.Log.Info("a chat was let in", "chat", v.chat, "by", b.cfg.Access.Owner)
	}
	return nil
}

// access is /access: whom the bot's owner has let in. Nobody else has such a command.
func (t *turn) access() error {
	if !t.private || t.userID != t.cfg.Access.Owner {
		if !t.private {
			return nil
		}
		return t.say(t.scr.UnknownCommand("access"))
	}
	t.leave()
	list, more, err := t.letInChats()
	if err != nil {
		return err
	}
	return t.say(t.scr.Access(screen.AccessView{InviteOnly: t.cfg.Access.InviteOnly, Chats: list, More: more}))
}

// letInChats lists the chats that were let in, by the names of their shops.
func (t *turn) letInChats() (list []screen.AccessChat, more bool, err error) {
	all, err := t.cfg.Store.Chats(t.ctx, mostChats)
	if err != nil {
		return nil, false, fmt.Errorf("list the chats: %w", err)
	}
	for _, c := range all {
		switch {
		case c.Admitted.IsZero() || c.MovedTo != 0:
			continue
		case len(list) == listedChats:
			return list, true, nil
		}
		shop := ""
		if c.Account != "" {
			a, err := t.cfg.Store.Account(t.ctx, c.Account)
			if ignoreMissing(err) != nil {
				return nil, false, fmt.Errorf("read the account: %w", err)
			}
			shop = a.Name
		}
		list = append(list, screen.AccessChat{ID: c.ID, Shop: shop})
	}
	return list, false, nil
}

// accessTap runs what the buttons of /access mean.
func (t *turn) accessTap() error {
	switch {
	case !t.private || t.userID != t.cfg.Access.Owner:
		return t.stale()
	case t.action.Verb == screen.VerbPass:
		return t.makePass()
	case t.action.Verb == screen.VerbShutOut:
		return t.shutOut(t.action.Int(0))
	}
	return t.access()
}

// makePass makes a link that lets one chat in. Its token is shown here and kept nowhere.
func (t *turn) makePass() error {
	token := passMark + rand.Text()
	until := now().Add(passLife)
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		return tx.AddInvite(&store.Account{}, store.Invite{Hash: store.TokenHash(token), By: t.userID, Made: now(), Expires: until})
	})
	if err != nil {
		return fmt.Errorf("make an invitation: %w", err)
	}
	return t.say(t.scr.Pass("https://t.me/"+t.cfg.BotName()+"?start="+token, until))
}

// shutOut takes back that a chat was let in. What it has bought still reaches it.
func (t *turn) shutOut(chat int64) error {
	c, err := t.cfg.Store.Chat(t.ctx, chat)
	if err == nil {
		err = t.changeChat(t.ctx, &c, func(c *store.Chat) { c.Admitted = time.Time{} })
	}
	if ignoreMissing(err) != nil {
		return fmt.Errorf("shut a chat out: %w", err)
	}
	t.cfg.Log.Info("a chat was shut out", "chat", chat)
	return t.access()
}
