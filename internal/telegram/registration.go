package telegram

import (
	"context"
	"log/slog"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/backoff"
	"resellerbot/internal/secret"
)

const (
	registrationLook = time.Minute // between two looks at what Telegram knows of the webhook
	longestRetry     = time.Minute
)

// Registration keeps Telegram told of the webhook that updates are to go to.
type Registration struct {
	Bot    *bot.Bot
	URL    string
	Secret secret.Text // that Telegram proves itself with
	Log    *slog.Logger
	// Refused is told why Telegram does not take the webhook; "" once it does.
	Refused func(why string)
	// Conflict is told that another process has changed the webhook.
	Conflict func(why string)
	// Waiting is told how many updates wait at Telegram.
	Waiting func(updates int)

	since time.Time // failures before were told, or are not ours
}

// RemoveWebhook removes the webhook, if there is one (deleteWebhook). The updates that wait for it stay.
func RemoveWebhook(ctx context.Context, b *bot.Bot) error {
	_, err := b.DeleteWebhook(ctx, &bot.DeleteWebhookParams{DropPendingUpdates: false})
	return err
}

// Run sets the webhook and looks every minute whether Telegram still has it, until ctx is done. ErrToken ends it.
func (r *Registration) Run(ctx context.Context) error {
	if err := r.set(ctx); err != nil {
		return err
	}
	r.since = time.Now()
	tick := time.NewTicker(registrationLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := r.check(ctx); err != nil {
				return err
			}
		}
	}
}

// set tells Telegram where to deliver (setWebhook), until it agrees. A refusal may be a name that is not in the DNS yet,
// so only a refused token ends it.
func (r *Registration) set(ctx context.Context) error {
	for failures := 1; ctx.Err() == nil; failures++ {
		_, err := r.Bot.SetWebhook(ctx, &bot.SetWebhookParams{URL: r.URL, SecretToken: r.Secret.Reveal(), AllowedUpdates: AllowedUpdates()})
		if err == nil {
			r.Log.Info("the webhook is set")
			r.Refused("")
			return nil
		}
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the call was cut short by a stop
		}
		if err := tokenRefused(err); err != nil {
			return err
		}
		wait := max(Classify(err).After, backoff.Doubled(time.Second, longestRetry, failures))
		r.Log.Error("Telegram does not take the webhook: check WEBHOOK_URL", "err", err, "pause", wait)
		r.Refused("Telegram does not take the webhook: " + err.Error())
		backoff.Sleep(ctx, wait)
	}
	return nil
}

// check compares what Telegram knows of the webhook with what it should (getWebhookInfo). One that is not ours any more is
// set again.
func (r *Registration) check(ctx context.Context) error {
	info, err := r.Bot.GetWebhookInfo(ctx)
	if err != nil {
		// No error: what Telegram could not tell now is asked again within a minute, and the webhook stays as it is.
		if ctx.Err() == nil {
			r.Log.Warn("ask Telegram about the webhook", "err", err)
		}
		return nil
	}
	r.Waiting(info.PendingUpdateCount)
	// LastErrorDate stays the same until the next failure: each failure is told once, and none of before the webhook was set.
	if failed := time.Unix(int64(info.LastErrorDate), 0); failed.After(r.since) {
		r.since = failed
		r.Log.Error("Telegram could not deliver updates: check that WEBHOOK_URL leads here from outside", "said", info.LastErrorMessage,
			"at", failed.UTC(), "waiting", info.PendingUpdateCount)
	}
	if info.URL == r.URL {
		return nil
	}
	r.Log.Error("somebody changed the webhook: another process runs with this bot token; stop one of the two. It is set again")
	r.Conflict("another process changed the webhook")
	return r.set(ctx)
}
