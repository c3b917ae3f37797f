package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/backoff"
	"resellerbot/internal/telegram"
)

const (
	webhookPath    = "/telegram/" // where the front takes updates
	webhookLook    = time.Minute  // between two looks at what Telegram knows of the webhook
	longestRetry   = time.Minute
	conflictMemory = 2 * time.Minute // how long a conflict with another process counts after it showed last
)

// receive introduces the bot, takes updates until ctx is done, by webhook or by polling, and drains what is
// being handled. What the other way has left behind at Telegram comes along: nothing is dropped.
func (a *app) receive(ctx context.Context) error {
	defer func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainGrace)
		defer cancel()
		a.bot.Stop(grace)
	}()
	if err := a.introduce(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	if a.cfg.WebhookURL == "" {
		a.removeWebhook(ctx)
		a.front.health.well(partTelegram)
		return a.updates.Run(ctx)
	}
	return a.receiveWebhook(ctx)
}

// removeWebhook removes the webhook of an earlier set-up, which would keep updates away. Where that fails,
// the poller meets the webhook and tries again.
func (a *app) removeWebhook(ctx context.Context) {
	if err := a.unhook(ctx); err != nil {
		a.log.Warn("remove an old webhook", "err", err)
	}
}

// unhook removes the webhook, if there is one (deleteWebhook). The updates that wait for it stay.
func (a *app) unhook(ctx context.Context) error {
	_, err := a.telegram.DeleteWebhook(ctx, &bot.DeleteWebhookParams{DropPendingUpdates: false})
	return err
}

// polled notes how a poll ended.
func (a *app) polled(err error) {
	switch {
	case err == nil:
		a.front.health.well(partTelegram)
	case errors.Is(err, telegram.ErrOtherPoller), errors.Is(err, telegram.ErrWebhookSet):
		a.front.health.illFor(partConflict, err.Error(), time.Now().Add(conflictMemory))
	}
}

// receiveWebhook opens the webhook, and keeps Telegram told of it, until ctx is done.
func (a *app) receiveWebhook(ctx context.Context) error {
	if u, err := url.Parse(a.cfg.WebhookURL); err == nil && !strings.HasPrefix(u.Path, webhookPath) {
		a.log.Warn("WEBHOOK_URL must lead to POST "+webhookPath+"… at HTTP_ADDR: its own path does not, so a proxy has to rewrite it", "path", u.Path)
	}
	a.front.health.ill(partUpdates, "the webhook is not set yet")
	a.front.health.well(partTelegram)
	return RunStages(ctx, Stage{
		{"take updates", a.webhook.Run},
		{"keep the webhook", a.keepWebhook},
	})
}

// keepWebhook sets the webhook and looks every minute whether Telegram still has it.
func (a *app) keepWebhook(ctx context.Context) error {
	if err := a.setWebhook(ctx); err != nil {
		return err
	}
	look := webhookWatch{app: a, since: time.Now()}
	tick := time.NewTicker(webhookLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := look.once(ctx); err != nil {
				return err
			}
		}
	}
}

// setWebhook tells Telegram where to deliver (setWebhook), until it agrees. A refusal may be a name that is
// not in the DNS yet, so only a refused token ends the bot.
func (a *app) setWebhook(ctx context.Context) error {
	for failures := 1; ctx.Err() == nil; failures++ {
		_, err := a.telegram.SetWebhook(ctx, &bot.SetWebhookParams{
			URL: a.cfg.WebhookURL, SecretToken: a.cfg.WebhookSecret.Reveal(), AllowedUpdates: telegram.AllowedUpdates(),
		})
		if err == nil {
			a.log.Info("the webhook is set")
			a.front.health.well(partUpdates)
			return nil
		}
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the call was cut short by a stop
		}
		if errors.Is(err, bot.ErrorUnauthorized) || errors.Is(err, bot.ErrorNotFound) {
			return fmt.Errorf("%w: check TELEGRAM_BOT_TOKEN", telegram.ErrToken)
		}
		wait := backoff.Doubled(time.Second, longestRetry, failures)
		if limited, ok := errors.AsType[*bot.TooManyRequestsError](err); ok {
			wait = max(wait, time.Duration(limited.RetryAfter)*time.Second)
		}
		a.log.Error("Telegram does not take the webhook: check WEBHOOK_URL", "err", err, "pause", wait)
		a.front.health.ill(partUpdates, "Telegram does not take the webhook: "+err.Error())
		backoff.Sleep(ctx, wait)
	}
	return nil
}

// webhookWatch compares what Telegram knows of the webhook with what it should.
type webhookWatch struct {
	app   *app
	since time.Time // failures before were told, or are not ours
}

// once looks (getWebhookInfo). A webhook that is not ours any more is set again.
func (w *webhookWatch) once(ctx context.Context) error {
	a := w.app
	info, err := a.telegram.GetWebhookInfo(ctx)
	if err != nil {
		if ctx.Err() == nil {
			a.log.Warn("ask Telegram about the webhook", "err", err)
		}
		return nil
	}
	a.atTelegram.set(info.PendingUpdateCount)
	if failed := time.Unix(int64(info.LastErrorDate), 0); failed.After(w.since) {
		w.since = failed
		a.log.Error("Telegram could not deliver updates: check that WEBHOOK_URL leads here from outside", "said", info.LastErrorMessage,
			"at", failed.UTC(), "waiting", info.PendingUpdateCount)
	}
	if info.URL == a.cfg.WebhookURL {
		return nil
	}
	a.log.Error("somebody changed the webhook: another process runs with this bot token; stop one of the two. It is set again")
	a.front.health.illFor(partConflict, "another process changed the webhook", time.Now().Add(conflictMemory))
	return a.setWebhook(ctx)
}
