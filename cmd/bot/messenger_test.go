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

	"resellerbot/internal/conversations"
	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/notify"
	"resellerbot/internal/secret"
)

// TestMessengerErrors: whatever conversations ask of Telegram, they are told in their own words why it did not happen.
func TestMessengerErrors(t *testing.T) {
	hello := screen.Message{HTML: "hello"}
	calls := map[string]func(context.Context, messenger) error{
		"send": func(ctx context.Context, m messenger) error {
			_, err := m.Send(ctx, sam, 0, hello)
			return err
		},
		"edit":   func(ctx context.Context, m messenger) error { return m.Edit(ctx, sam, 1, hello) },
		"delete": func(ctx context.Context, m messenger) error { return m.Delete(ctx, sam, 1) },
		"answer": func(ctx context.Context, m messenger) error { return m.Answer(ctx, "1", "hello", false) },
	}
	for name, c := range map[string]struct {
		fault tgsim.Fault
		want  error
	}{
		"refused":       {tgsim.Fault{Kind: tgsim.Broken, Code: http.StatusBadRequest}, conversations.ErrRefused},
		"blocked":       {tgsim.Fault{Kind: tgsim.Broken, Code: http.StatusForbidden}, conversations.ErrNotNow},
		"asked to wait": {tgsim.Fault{Kind: tgsim.Flood, Wait: time.Second}, conversations.ErrNotNow},
	} {
		for what, call := range calls {
			t.Run(name+", "+what, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					telegram := tgsim.New(tgsim.Options{Token: testToken, BotName: "shop_bot"})
					c.fault.Method, c.fault.Times = "*", 100
					telegram.Inject(c.fault)
					if err := call(t.Context(), newMessenger(t, telegram)); !errors.Is(err, c.want) {
						t.Errorf("%v is not %v", err, c.want)
					}
				})
			})
		}
	}
}

// newMessenger is a messenger that speaks to a simulated Telegram.
func newMessenger(t *testing.T, telegram http.Handler) messenger {
	t.Helper()
	network := newMemNet()
	listener, err := network.Listen("tcp", telegramAddr)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: telegram}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	client := notify.NewClient(network.Dial, secret.New(testToken))
	t.Cleanup(client.Close)
	b, err := bot.New(testToken, bot.WithServerURL("http://"+telegramAddr), bot.WithSkipGetMe(), bot.WithHTTPClient(time.Minute, client))
	if err != nil {
		t.Fatal(err)
	}
	return messenger{notify.NewSender(notify.SenderConfig{Bot: b, Log: slog.New(slog.DiscardHandler)})}
}
