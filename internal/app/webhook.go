package app

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/telegram"
)

const (
	webhookPath    = "/telegram/"    // where the front takes updates
	conflictMemory = 2 * time.Minute // how long a conflict with another process counts after it showed last
)

// receive introduces the bot, takes updates until ctx is done, by webhook or by polling, and drains what is
// being handled. What the other way has left behind at Telegram comes along: nothing is dropped.
func (a *app) receive(ctx context.Context) error {
	// The drain counts from the stop: what receiving takes to end, as a commit that is on its way, is a part of it.
	drain, cut := backoff.WithGrace(ctx, drainGrace)
	defer cut()
	// Deferred, so that updates are drained however receiving has ended. Where no stop but a failure has ended it, the time counts from that.
	defer func() {
		grace, cancel := context.WithTimeout(drain, drainGrace)
		defer cancel()
		a.bot.Stop(grace)
	}()
	// Before any update is taken: links and the names of commands in groups need the bot's name.
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
	if err := telegram.RemoveWebhook(ctx, a.telegram); err != nil {
		a.log.Warn("remove an old webhook", "err", err)
	}
}

// polled notes how a poll ended.
func (a *app) polled(err error) {
	switch {
	case err == nil:
		a.unheard = time.Time{}
		// An answer to a poll also shows that nobody else polls with this token (pollerCondition).
		a.heard.note()
		a.front.health.well(partTelegram)
	case errors.Is(err, telegram.ErrOtherPoller), errors.Is(err, telegram.ErrWebhookSet):
		a.conflict(err.Error())
	case a.unheard.IsZero():
		a.unheard = time.Now()
	case time.Since(a.unheard) > unheardFor:
		a.front.health.ill(partTelegram, "it has answered no poll since "+a.unheard.UTC().Format(time.RFC3339))
	}
}

// unheardFor is how long no poll may succeed before nobody can be served.
const unheardFor = 2 * time.Minute

// receiveWebhook opens the webhook, and keeps Telegram told of it, until ctx is done.
func (a *app) receiveWebhook(ctx context.Context) error {
	if u, err := url.Parse(a.cfg.WebhookURL); err == nil && !strings.HasPrefix(u.Path, webhookPath) {
		a.log.Warn("WEBHOOK_URL must lead to POST "+webhookPath+"… at HTTP_ADDR: its own path does not, so a proxy has to rewrite it", "path", u.Path)
	}
	// Until Telegram has agreed, no update comes: the bot is not ready, whatever else works.
	a.front.health.ill(partUpdates, "the webhook is not set yet")
	a.front.health.well(partTelegram)
	registration := &telegram.Registration{
		Bot: a.telegram, URL: a.cfg.WebhookURL, Secret: a.cfg.WebhookSecret, Log: a.log,
		Refused: a.webhookRefused, Conflict: a.conflict, Waiting: func(updates int) { a.atTelegram.set(updates); a.heard.note() },
	}
	return RunStages(ctx, Stage{
		{"take updates", a.webhook.Run},
		{"keep the webhook", registration.Run},
	})
}

// webhookRefused notes why Telegram does not take the webhook; "" where it does.
func (a *app) webhookRefused(why string) {
	if why == "" {
		a.front.health.well(partUpdates)
		return
	}
	a.front.health.ill(partUpdates, why)
}

// conflict notes that another process uses the bot's token.
func (a *app) conflict(why string) {
	a.front.health.illFor(partConflict, why, time.Now().Add(conflictMemory))
}
