package conversations

import (
	"context"
	"fmt"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// standing is what a person is in a chat.
type standing uint8

const (
	outsider standing = iota // nobody has let the chat in
	stranger                 // they are of no team, or not of this chat's
	member
)

// stands tells what a visitor is in a chat, and for which account: in a group without one, for that of their private
// chat.
func (b *Bot) stands(ctx context.Context, v visitor, c store.Chat) (where standing, account string, err error) {
	if in, err := b.mayUse(ctx, v, c); err != nil || !in {
		return outsider, "", err
	}
	account = c.Account
	if account == "" && v.chat < 0 && !v.anonymous {
		own, err := b.cfg.Store.Chat(ctx, v.ID)
		if ignoreMissing(err) != nil {
			return stranger, "", fmt.Errorf("read the chat: %w", err)
		}
		account = own.Account
	}
	in := v.ID == b.cfg.Access.Owner && v.ID != 0
	if account != "" && !in {
		a, err := b.cfg.Store.Account(ctx, account)
		if ignoreMissing(err) != nil {
			return stranger, "", fmt.Errorf("read the account: %w", err)
		}
		_, in = a.Member(v.ID)
	}
	if !in || v.anonymous {
		return stranger, "", nil
	}
	return member, account, nil
}

// entrance is how an update comes in.
type entrance uint8

const (
	kept     entrance = iota // it is put on disk, and then handled
	late                     // so is a stranger's, after all others
	unkept                   // a stranger's is handled as well, and nothing is written for it
	dropped                  // it is too much
	needless                 // nobody wants anything by it
)

// admit tells how an update comes in, before anything is written for it. What strangers cost has its bounds here. A
// defect that it meets costs this update, where it is handled, and not all that come.
func (b *Bot) admit(ctx context.Context, u *models.Update) (how entrance) {
	defer func() {
		if r := recover(); r != nil {
			b.cfg.Log.Error("an update cannot be judged", "type", fmt.Sprintf("%T", r)) // its value may hold what must not be logged
			how = kept
		}
	}()
	return b.judge(ctx, u)
}

// judge is admit.
func (b *Bot) judge(ctx context.Context, u *models.Update) entrance {
	if needsNothing(u) {
		return needless
	}
	c, err := b.cfg.Store.Chat(ctx, chatOf(u))
	known := err == nil
	if ignoreMissing(err) != nil {
		return kept
	}
	v, ok := visitorOf(u)
	asks, err := b.asks(ctx, v, ok, c)
	switch {
	case err != nil:
		return kept
	case !asks && known:
		return kept
	case !asks:
		return needless // nothing is stored of the chat that could change
	}
	where, account, err := b.stands(ctx, v, c)
	switch {
	case err != nil || where == member && b.members.hears(v.bucket(), time.Now()):
		return kept
	case where == member:
		b.tooMuch(account, v, c)
		return dropped
	case where == outsider:
		return b.admitOutsider(ctx, v, c)
	}
	return b.admitStranger(ctx, v, c)
}

// asks reports whether an update is to be answered as somebody's wish. That the bot was taken into a group is one where
// the group has to be left.
func (b *Bot) asks(ctx context.Context, v visitor, ok bool, c store.Chat) (bool, error) {
	if !ok || !v.invited || b.cfg.Access.InviteOnly {
		return ok, nil
	}
	in, err := b.mayUse(ctx, v, c)
	return !in, err
}

// needsNothing reports whether an update is nobody's wish: what bots write, what is forwarded, what has no text, and
// a button that stands nowhere.
func needsNothing(u *models.Update) bool {
	if u.CallbackQuery != nil {
		_, _, ok := carrierOf(u.CallbackQuery)
		return !ok
	}
	m := u.Message
	switch {
	case m == nil || m.MigrateToChatID != 0:
		return false
	case m.Text == "" || m.ForwardOrigin != nil:
		return true
	}
	return !isAnonymous(m) && (m.From == nil || m.From.IsBot)
}

// admitOutsider takes of somebody whom nobody let in what could let them in, a key that has to be deleted, and what they
// may do about purchases of theirs that are open, and answers the rest with a word.
func (b *Bot) admitOutsider(ctx context.Context, v visitor, c store.Chat) entrance {
	if wasIn(c) && b.strangers.hears(v.bucket(), time.Now()) {
		if open, err := b.hasOpen(ctx, v, c); open || err != nil {
			return b.inTurn(late)
		}
	}
	if !b.outsiders.hears(v.bucket(), time.Now()) {
		b.hush(v, store.Chat{})
		return dropped
	}
	if _, brings := v.token(b.cfg.BotName()); brings || v.chat < 0 || v.bringsKey(b.cfg.BotName()) {
		return b.inTurn(late)
	}
	return b.inTurn(unkept)
}

// admitStranger takes of somebody who is of no team the steps that lead into one, some of them, and one line, to
// which there is an answer that needs nothing.
func (b *Bot) admitStranger(ctx context.Context, v visitor, c store.Chat) entrance {
	if v.query != "" || b.isStep(ctx, v) {
		now := time.Now()
		if b.strangers.hears(v.bucket(), now) && b.steps.AllowN(now, 1) {
			return b.inTurn(late)
		}
		b.hush(v, c)
		return dropped
	}
	if _, _, ok := command(v.text, b.cfg.BotName()); v.chat < 0 && !ok {
		return needless // people talk to each other
	}
	how := b.inTurn(unkept)
	if to, first := v.addressee(c); how != dropped && !b.silence.breaks(to, first, time.Now()) {
		b.box.release()
		return dropped
	}
	return how
}

// inTurn reserves a place for a stranger's update, or drops it.
func (b *Bot) inTurn(how entrance) entrance {
	if !b.box.reserve() {
		return dropped
	}
	return how
}

// isStep reports whether a line may lead on: it brings a key, which is deleted, or in private an invitation, asks there what
// is kept of oneself, answers an open question, or follows one that does and is not handled yet.
func (b *Bot) isStep(ctx context.Context, v visitor) bool {
	name, rest, ok := command(v.text, b.cfg.BotName())
	leads := ok && (name == "key" || name == "privacy" || name == "forget" || name == "start" && rest != "")
	if v.bringsKey(b.cfg.BotName()) || v.chat > 0 && (leads || b.box.hasLate(v.chat, (*arrival).onDisk)) {
		return true
	}
	s, err := b.cfg.Store.Session(ctx, v.chat, v.ID)
	return err != nil || s.Flow != "" && !v.anonymous
}

// addressee is whom an answer is for, and how long the silence after the first one lasts: a group where nothing is
// linked is answered once, whoever writes there.
func (v visitor) addressee(c store.Chat) (to addressee, first time.Duration) {
	switch {
	case v.anonymous:
		return addressee{chat: v.chat, person: v.chat}, firstQuiet
	case v.chat < 0 && c.Account == "":
		return addressee{chat: v.chat}, groupQuiet
	}
	return addressee{person: v.ID}, firstQuiet
}

// bucket is whose updates are counted together: those of a person, or of all who write in a group's name.
func (v visitor) bucket() int64 {
	if v.anonymous {
		return v.chat
	}
	return v.ID
}

// hush tells a stranger whose tap is not listened to that it is too much, as far as there is room: without that the
// button would wait.
func (b *Bot) hush(v visitor, c store.Chat) {
	if v.query == "" {
		return
	}
	scr := b.printerFor(v, c)
	ctx := telegram.Because(b.ctx, telegram.Cause{Lane: telegram.Strangers})
	b.sides.Go(func() { b.answerTap(ctx, v, scr.Toast(screen.ToastTooFast)) })
}
