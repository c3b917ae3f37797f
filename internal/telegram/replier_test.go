package telegram_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/telegram"
	"resellerbot/internal/telegram/telegramtest"
)

// TestReplierErrors: whoever replies is told why it did not happen.
func TestReplierErrors(t *testing.T) {
	hello := screen.Message{HTML: "hello"}
	calls := map[string]func(context.Context, telegram.Replier) error{
		"send": func(ctx context.Context, m telegram.Replier) error {
			_, err := m.Send(ctx, apptest.Sam, 0, hello)
			return err
		},
		"edit":   func(ctx context.Context, m telegram.Replier) error { return m.Edit(ctx, apptest.Sam, 1, hello) },
		"delete": func(ctx context.Context, m telegram.Replier) error { return m.Delete(ctx, apptest.Sam, 1) },
		"answer": func(ctx context.Context, m telegram.Replier) error { return m.Answer(ctx, "1", "hello", false) },
	}
	for name, c := range map[string]struct {
		fault tgsim.Fault
		want  error
	}{
		"refused":       {tgsim.Fault{Kind: tgsim.Broken, Code: http.StatusBadRequest}, telegram.ErrRefused},
		"blocked":       {tgsim.Fault{Kind: tgsim.Broken, Code: http.StatusForbidden}, telegram.ErrNotNow},
		"asked to wait": {tgsim.Fault{Kind: tgsim.Flood, Wait: time.Second}, telegram.ErrNotNow},
	} {
		for what, call := range calls {
			t.Run(name+", "+what, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					fake := tgsim.New(tgsim.Options{Token: apptest.TestToken, BotName: "shop_bot"})
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
func newReplier(t *testing.T, served http.Handler) telegram.Replier {
	t.Helper()
	return telegram.Replier{Sender: telegram.NewSender(telegram.SenderConfig{Bot: newLibrary(t, served), Log: telegramtest.Discard()})}
}

// newLibrary is the library that speaks to a simulated Telegram.
func newLibrary(t *testing.T, served http.Handler) *bot.Bot {
	t.Helper()
	b, err := bot.New(apptest.TestToken, bot.WithServerURL("http://"+apptest.TelegramAddr), bot.WithSkipGetMe(), bot.WithHTTPClient(time.Minute, newClient(t, served)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newClient is a client that reaches a simulated Telegram, in memory.
func newClient(t *testing.T, served http.Handler) *telegram.Client {
	t.Helper()
	network := apptest.NewMemNet()
	listener, err := network.Listen("tcp", apptest.TelegramAddr)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: served}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	client := telegram.NewClient(network.Dial, secret.New(apptest.TestToken))
	t.Cleanup(client.Close)
	return client
}
