package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/notify"
	"resellerbot/internal/secret"
)

// TestReplierErrors: whoever replies is told why it did not happen.
func TestReplierErrors(t *testing.T) {
	hello := screen.Message{HTML: "hello"}
	calls := map[string]func(context.Context, notify.Replier) error{
		"send": func(ctx context.Context, m notify.Replier) error {
			_, err := m.Send(ctx, sam, 0, hello)
			return err
		},
		"edit":   func(ctx context.Context, m notify.Replier) error { return m.Edit(ctx, sam, 1, hello) },
		"delete": func(ctx context.Context, m notify.Replier) error { return m.Delete(ctx, sam, 1) },
		"answer": func(ctx context.Context, m notify.Replier) error { return m.Answer(ctx, "1", "hello", false) },
	}
	for name, c := range map[string]struct {
		fault tgsim.Fault
		want  error
	}{
		"refused":       {tgsim.Fault{Kind: tgsim.Broken, Code: http.StatusBadRequest}, notify.ErrRefused},
		"blocked":       {tgsim.Fault{Kind: tgsim.Broken, Code: http.StatusForbidden}, notify.ErrNotNow},
		"asked to wait": {tgsim.Fault{Kind: tgsim.Flood, Wait: time.Second}, notify.ErrNotNow},
	} {
		for what, call := range calls {
			t.Run(name+", "+what, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					fake := tgsim.New(tgsim.Options{Token: testToken, BotName: "shop_bot"})
					c.fault.Method, c.fault.Times = "*", 100
					fake.Inject(c.fault)
					if err := call(t.Context(), newReplier(t, fake)); !errors.Is(err, c.want) {
						t.Errorf("%v is not %v", err, c.want)
					}
				})
			})
		}
	}
}

// newReplier is a Replier that speaks to a simulated Telegram.
func newReplier(t *testing.T, served http.Handler) notify.Replier {
	t.Helper()
	network := newMemNet()
	listener, err := network.Listen("tcp", telegramAddr)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: served}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	client := notify.NewClient(network.Dial, secret.New(testToken))
	t.Cleanup(client.Close)
	b, err := bot.New(testToken, bot.WithServerURL("http://"+telegramAddr), bot.WithSkipGetMe(), bot.WithHTTPClient(time.Minute, client))
	if err != nil {
		t.Fatal(err)
	}
	return notify.Replier{Sender: notify.NewSender(notify.SenderConfig{Bot: b, Log: slog.New(slog.DiscardHandler)})}
}
