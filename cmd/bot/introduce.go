package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"resellerbot/internal/backoff"
	"resellerbot/internal/conversations"
	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/notify"
)

// botName is the bot's user name, known once Telegram has answered.
type botName struct{ name atomic.Pointer[string] }

func (b *botName) get() string {
	if s := b.name.Load(); s != nil {
		return *s
	}
	return ""
}

// introduce asks Telegram who the bot is (getMe), until it answers, and sets up what people see of it.
func (a *app) introduce(ctx context.Context) error {
	for failures := 1; ; failures++ {
		me, err := a.telegram.GetMe(ctx)
		if err == nil {
			a.name.name.Store(&me.Username)
			a.log.Info("Telegram answers", "bot", me.Username)
			break
		}
		if errors.Is(err, bot.ErrorUnauthorized) || errors.Is(err, bot.ErrorNotFound) {
			return fmt.Errorf("%w: check TELEGRAM_BOT_TOKEN", conversations.ErrToken)
		}
		wait := backoff.Doubled(250*time.Millisecond, 10*time.Second, failures)
		a.log.Warn("Telegram does not answer", "err", err, "pause", wait)
		if !backoff.Sleep(ctx, wait) {
			return nil
		}
	}
	a.setCommands(ctx)
	return nil
}

// setCommands fills the command menu in every language (setMyCommands). It is a courtesy: failing, it
// says so and is done.
func (a *app) setCommands(ctx context.Context) {
	for _, lang := range []string{"", "ar", "fr", "en"} {
		shown := lang
		if shown == "" {
			shown = a.cfg.Language
		}
		var commands []models.BotCommand
		printer, _ := a.screens.For(shown)
		for _, c := range printer.Commands() {
			commands = append(commands, models.BotCommand{Command: c.Name, Description: c.Description})
		}
		if _, err := a.telegram.SetMyCommands(ctx, &bot.SetMyCommandsParams{Commands: commands, LanguageCode: lang}); err != nil {
			a.log.Warn("set the command menu", "language", lang, "err", err)
		}
	}
}

// messenger is the sender as conversations see it.
type messenger struct{ sender *notify.Sender }

// causedBy is a reply's place among everything that is sent.
func causedBy(ctx context.Context) notify.For {
	cause := conversations.CauseOf(ctx)
	if cause.Stranger {
		return notify.For{Lane: notify.Strangers}
	}
	return notify.For{Lane: notify.Replies, Account: cause.Account}
}

// asConversationsKnow is an error as conversations know it.
func asConversationsKnow(err error) error {
	if errors.Is(err, notify.ErrNoRoom) {
		return fmt.Errorf("%w: %w", conversations.ErrNoRoom, err)
	}
	switch notify.Classify(err).Kind {
	case notify.Poison:
		return fmt.Errorf("%w: %w", conversations.ErrRefused, err)
	case notify.Rests, notify.Again:
		return fmt.Errorf("%w: %w", conversations.ErrNotNow, err)
	}
	return err
}

// Send sends a reply.
func (m messenger) Send(ctx context.Context, chat int64, thread int, msg screen.Message) (int, error) {
	id, err := m.sender.Send(ctx, chat, msg, notify.SendOptions{For: causedBy(ctx), Thread: thread})
	return id, asConversationsKnow(err)
}

// Edit replaces a message.
func (m messenger) Edit(ctx context.Context, chat int64, message int, msg screen.Message) error {
	err := m.sender.Edit(ctx, chat, message, msg, causedBy(ctx))
	if notify.Classify(err).Kind == notify.Gone {
		return fmt.Errorf("%w: %w", conversations.ErrGone, err)
	}
	return asConversationsKnow(err)
}

// Delete removes a message.
func (m messenger) Delete(ctx context.Context, chat int64, message int) error {
	return asConversationsKnow(m.sender.Delete(ctx, chat, message, causedBy(ctx)))
}

// Answer ends a callback query.
func (m messenger) Answer(ctx context.Context, query, text string, alert bool) error {
	return asConversationsKnow(m.sender.Answer(ctx, query, text, alert, causedBy(ctx)))
}

// Leave leaves a group.
func (m messenger) Leave(ctx context.Context, chat int64) error {
	return m.sender.Leave(ctx, chat, causedBy(ctx))
}

// IsMember tells whether somebody is in a group.
func (m messenger) IsMember(ctx context.Context, group, user int64) (bool, error) {
	return m.sender.IsMember(ctx, group, user, causedBy(ctx))
}

// Standing tells how much some people may in a group.
func (m messenger) Standing(ctx context.Context, group int64, users ...int64) ([]int, error) {
	return m.sender.Standing(ctx, group, causedBy(ctx), users...)
}
