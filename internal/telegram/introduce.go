package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"resellerbot/internal/backoff"
	"resellerbot/internal/screen"
)

// Introduction is how the bot comes to know its name, and people its commands.
type Introduction struct {
	Bot *bot.Bot
	Log *slog.Logger
	// Commands are those of the menu in a language; "" is what is shown to speakers of any other.
	Commands func(lang string) []screen.Command
}

// Name asks Telegram for the bot's user name (getMe), until it answers; "" where ctx ends before. ErrToken: it never will.
func (i Introduction) Name(ctx context.Context) (string, error) {
	for failures := 1; ; failures++ {
		me, err := i.Bot.GetMe(ctx)
		if err == nil {
			i.Log.Info("Telegram answers", "bot", me.Username)
			return me.Username, nil
		}
		if err := tokenRefused(err); err != nil {
			return "", err
		}
		wait := max(Classify(err).After, backoff.Doubled(250*time.Millisecond, 10*time.Second, failures))
		i.Log.Warn("Telegram does not answer", "err", err, "pause", wait)
		if !backoff.Sleep(ctx, wait) {
			return "", nil
		}
	}
}

// SetCommands fills the command menu in every language (setMyCommands). It is a courtesy: failing, it says so and is done.
func (i Introduction) SetCommands(ctx context.Context, languages []string) {
	for _, lang := range append([]string{""}, languages...) {
		var commands []models.BotCommand
		for _, c := range i.Commands(lang) {
			commands = append(commands, models.BotCommand{Command: c.Name, Description: c.Description})
		}
		if _, err := i.Bot.SetMyCommands(ctx, &bot.SetMyCommandsParams{Commands: commands, LanguageCode: lang}); err != nil {
			i.Log.Warn("set the command menu", "language", lang, "err", err)
		}
	}
}

// tokenRefused is ErrToken where an error of the library means that; else nil.
func tokenRefused(err error) error {
	if errors.Is(err, bot.ErrorUnauthorized) || errors.Is(err, bot.ErrorNotFound) {
		return fmt.Errorf("%w: check TELEGRAM_BOT_TOKEN", ErrToken)
	}
	return nil
}
