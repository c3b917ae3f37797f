package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/backoff"
)

// Introduction is how the bot comes to know its name.
type Introduction struct {
	Bot *bot.Bot
	Log *slog.Logger
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

// tokenRefused is ErrToken where an error of the library means that; else nil.
func tokenRefused(err error) error {
	if errors.Is(err, bot.ErrorUnauthorized) || errors.Is(err, bot.ErrorNotFound) {
		return fmt.Errorf("%w: check TELEGRAM_BOT_TOKEN", ErrToken)
	}
	return nil
}
