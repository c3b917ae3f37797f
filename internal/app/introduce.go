package app

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"resellerbot/internal/backoff"
	"resellerbot/internal/telegram"
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
			return fmt.Errorf("%w: check TELEGRAM_BOT_TOKEN", telegram.ErrToken)
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
