package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

const (
	hookURL    = "https://shop.test/telegram/hook"
	hookSecret = "canary_hook-secret-3f"
)

// hooked prepares a program whose updates arrive by webhook.
func hooked(h *apptest.Harness) {
	apptest.Stock(h)
	h.Env["WEBHOOK_URL"], h.Env["WEBHOOK_SECRET"] = hookURL, hookSecret
	carried(h)
}

// carried has Telegram carry updates to the webhook of the program, wherever its address points to.
func carried(h *apptest.Harness) {
	proxy := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return h.Net.Dial(ctx, network, apptest.HealthAddr)
	}}
	h.Telegram = tgsim.New(tgsim.Options{Token: apptest.TestToken, BotName: "shop_bot", Webhook: plainly{proxy}})
	h.Telegram.AddUser(tgsim.User{ID: apptest.Yasmine, FirstName: "Yasmine", LanguageCode: "fr"})
	h.Telegram.AddUser(tgsim.User{ID: apptest.Sam, FirstName: "Sam", LanguageCode: "en"})
	ctx, cancel := context.WithCancel(context.Background())
	var delivery sync.WaitGroup
	delivery.Go(func() { h.Telegram.Deliver(ctx) })
	h.Stops = append(h.Stops, func() { cancel(); delivery.Wait(); proxy.CloseIdleConnections() })
}

// plainly is the proxy before the bot: https on the outside, http on the inside.
type plainly struct{ inside *http.Transport }

func (p plainly) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme = "http"
	return p.inside.RoundTrip(r)
}

func (p plainly) CloseIdleConnections() { p.inside.CloseIdleConnections() }

// post posts to the bot's HTTP server as somebody who knows its address does.
func post(h *apptest.Harness, method, path, secret string, body io.Reader) int {
	h.T.Helper()
	tr := &http.Transport{DialContext: h.Net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.T.Context(), method, "http://"+apptest.HealthAddr+path, body)
	h.Must(err)
	if secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	}
	resp, err := tr.RoundTrip(req)
	h.Must(err)
	defer resp.Body.Close()
	return resp.StatusCode
}

// posted is a message as Telegram posts it.
func posted(id int, text string) io.Reader {
	return strings.NewReader(fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":1,"text":%q,"chat":{"id":%d,"type":"private"},`+
		`"from":{"id":%d,"is_bot":false,"first_name":"Sam","language_code":"en"}}}`, id, id, text, apptest.Sam, apptest.Sam))
}

// replies counts the bot's messages with some words.
func replies(h *apptest.Harness, words string) int {
	n := 0
	for _, m := range h.Telegram.Messages(apptest.Sam) {
		if m.FromBot && strings.Contains(apptest.Plain(m.Text), words) {
			n++
		}
	}
	return n
}

// TestWebhook: everything works by webhook, and nothing is polled for.
func TestWebhook(t *testing.T) {
	t.Parallel()
	apptest.Run(t, hooked, func(h *apptest.Harness) {
		if got := h.Get("/readyz"); got != http.StatusOK {
			t.Errorf("readyz %d", got)
		}
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Bought(1)
		h.Answered()
		if calls := h.Telegram.Calls(); calls["getupdates"] != 0 || calls["setwebhook"] != 1 || h.Telegram.Pending() != 0 {
			t.Errorf("calls %v, %d updates left", calls, h.Telegram.Pending())
		}
		if strings.Contains(h.Log.String(), hookSecret) {
			t.Error("the log shows the secret")
		}
	})
}

// TestWebhookRefuses: only Telegram gets in, with one update of a sane size at a time.
func TestWebhookRefuses(t *testing.T) {
	t.Parallel()
	apptest.Run(t, hooked, func(h *apptest.Harness) {
		big := bytes.Repeat([]byte("x"), 2<<20)
		for _, c := range []struct {
			name, method, path, secret string
			body                       io.Reader
			want                       int
		}{
			{"no secret", "POST", "/telegram/hook", "", posted(1, "/start"), 401},
			{"a wrong secret", "POST", "/telegram/hook", hookSecret[:len(hookSecret)-1] + "0", posted(1, "/start"), 401},
			{"half a secret", "POST", "/telegram/hook", hookSecret[:5], posted(1, "/start"), 401},
			{"a long secret", "POST", "/telegram/hook", strings.Repeat(hookSecret, 100), posted(1, "/start"), 401},
			{"a big body without the secret", "POST", "/telegram/hook", "", bytes.NewReader(big), 401},
			{"another method", "GET", "/telegram/hook", hookSecret, nil, 405},
			{"another method", "PUT", "/telegram/hook", hookSecret, posted(1, "/start"), 405},
			{"another path", "POST", "/other", hookSecret, posted(1, "/start"), 404},
			{"a big body", "POST", "/telegram/hook", hookSecret, bytes.NewReader(big), 413},
			{"no update", "POST", "/telegram/hook", hookSecret, strings.NewReader(`{"message":{}}`), 400},
			{"no JSON", "POST", "/telegram/hook", hookSecret, strings.NewReader("hello"), 400},
			{"nothing", "POST", "/telegram/hook", hookSecret, nil, 400},
		} {
			if got := post(h, c.method, c.path, c.secret, c.body); got != c.want {
				t.Errorf("%s: %d, want %d", c.name, got, c.want)
			}
		}
		h.Pass(5 * time.Second)
		if n := len(h.Telegram.Messages(apptest.Sam)); n != 0 {
			t.Errorf("%d messages came of it", n)
		}
		if got := post(h, "POST", "/telegram/anything", hookSecret, posted(7, "/start")); got != 200 {
			t.Errorf("Telegram itself gets %d", got)
		}
	})
}

// TestWebhookIsShutWhilePolling: without a secret nobody gets in.
func TestWebhookIsShutWhilePolling(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		for _, secret := range []string{"", "guess"} {
			if got := post(h, "POST", "/telegram/hook", secret, posted(1, "/start")); got != 401 {
				t.Errorf("secret %q: %d", secret, got)
			}
		}
	})
}

// TestWebhookReplay: an update that comes again, from Telegram or from somebody who recorded it, is
// acknowledged and does nothing more; also after a restart.
func TestWebhookReplay(t *testing.T) {
	t.Parallel()
	apptest.Run(t, hooked, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		before := len(h.Telegram.Messages(apptest.Sam))
		again := func() {
			for range 3 {
				if got := post(h, "POST", "/telegram/hook", hookSecret, posted(77, "/help")); got != 200 {
					t.Errorf("got %d", got)
				}
			}
			h.Pass(3 * time.Second)
		}
		again()
		h.Stop()
		h.Start()
		again()
		if n := len(h.Telegram.Messages(apptest.Sam)) - before; n != 1 {
			t.Errorf("%d answers to one update\n%s", n, h.Transcript(apptest.Sam))
		}
	})
}

// forgetful is an engine that cannot write for a while.
type forgetful struct {
	store.Engine

	mu    sync.Mutex
	fails int
}

func (f *forgetful) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	f.mu.Lock()
	fail := f.fails > 0
	f.fails--
	f.mu.Unlock()
	if fail {
		return errors.New("no space left on device")
	}
	return f.Engine.Batch(ctx, fn)
}

// TestWebhookStoreFails: what cannot be put on disk is not acknowledged, so Telegram brings it again.
func TestWebhookStoreFails(t *testing.T) {
	t.Parallel()
	disk := &forgetful{}
	apptest.Run(t, func(h *apptest.Harness) {
		hooked(h)
		h.Engine = func(e store.Engine) store.Engine { disk.Engine = e; return disk }
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		disk.mu.Lock()
		disk.fails = 2
		disk.mu.Unlock()
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/language")
		h.Pass(time.Second)
		if n := h.Telegram.Pending(); n != 1 {
			t.Errorf("%d updates wait at Telegram, want the one that was not stored", n)
		}
		h.Pass(5 * time.Second)
		h.See(apptest.Sam, "language")
		if n := h.Telegram.Pending(); n != 0 {
			t.Errorf("%d updates wait at Telegram", n)
		}
	})
}

// TestSwitchingLosesNothing: from polling to the webhook and back, with updates that nobody has seen and
// updates that nobody has acknowledged, each is answered once.
func TestSwitchingLosesNothing(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) { apptest.Stock(h); carried(h) }, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		ask := func() { h.Telegram.Send(apptest.Sam, apptest.Sam, "/help") }
		asked := 0
		for _, hook := range []bool{true, false, true, true, false, false} {
			h.Telegram.Send(apptest.Sam, apptest.Sam, "/start") // taken; a poll has not acknowledged it when the bot stops
			h.Stop()
			ask()
			ask()
			asked += 2
			delete(h.Env, "WEBHOOK_URL")
			delete(h.Env, "WEBHOOK_SECRET")
			if hook {
				h.Env["WEBHOOK_URL"], h.Env["WEBHOOK_SECRET"] = hookURL, hookSecret
			}
			h.Start()
			ask()
			asked++
			h.Pass(40 * time.Second) // what was refused while the bot was away is tried again
			if n := replies(h, "/balance"); n != asked {
				t.Errorf("webhook %v: %d answers to %d questions", hook, n, asked)
			}
			if n := h.Telegram.Pending(); n > 1 || hook && n > 0 {
				t.Errorf("webhook %v: %d updates wait at Telegram", hook, n)
			}
		}
	})
}

// TestWebhookIsTakenAway: where another process polls, or sets its own webhook, that is told, and ours is
// set again.
func TestWebhookIsTakenAway(t *testing.T) {
	t.Parallel()
	apptest.Run(t, hooked, func(h *apptest.Harness) {
		h.Pass(10 * time.Second)
		h.CallTelegram("deleteWebhook", "")
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/start")
		h.Pass(time.Minute)
		if got := h.Get("/readyz"); got != http.StatusServiceUnavailable {
			t.Errorf("readyz %d", got)
		}
		if !strings.Contains(h.Log.String(), "another process runs with this bot token") {
			t.Error("nobody was told")
		}
		h.See(apptest.Sam, "Welcome")
		h.Pass(3 * time.Minute)
		if got := h.Get("/readyz"); got != http.StatusOK {
			t.Errorf("readyz %d when it is over", got)
		}
	})
}

// TestWebhookRefused: while Telegram does not take the webhook the bot says so and tries again.
func TestWebhookRefused(t *testing.T) {
	t.Parallel()
	apptest.Run(t, hooked, func(h *apptest.Harness) {
		h.Stop()
		h.Telegram.Inject(tgsim.Fault{Method: "setwebhook", Kind: tgsim.Broken, Times: 5})
		h.Start()
		if got := h.Get("/readyz"); got != http.StatusServiceUnavailable {
			t.Errorf("readyz %d", got)
		}
		h.Pass(time.Minute)
		if got := h.Get("/readyz"); got != http.StatusOK {
			t.Errorf("readyz %d", got)
		}
	})
}

// TestAnotherPoller: two processes with one token are told apart from a network that is down.
func TestAnotherPoller(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Pass(5 * time.Second)
		h.CallTelegram("getUpdates", `{"timeout":1}`)
		h.Pass(5 * time.Second)
		if got := h.Get("/readyz"); got != http.StatusServiceUnavailable {
			t.Errorf("readyz %d", got)
		}
		if !strings.Contains(h.Log.String(), "stop one of the two") {
			t.Error("nobody was told")
		}
		h.Pass(5 * time.Minute)
		if got := h.Get("/readyz"); got != http.StatusOK {
			t.Errorf("readyz %d when it is over", got)
		}
		h.Link(apptest.Sam)
	})
}

// TestWebhookSetWhilePolling: a webhook that somebody sets keeps updates away only until it is seen.
func TestWebhookSetWhilePolling(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.CallTelegram("setWebhook", `{"url":"https://elsewhere.test/"}`)
		h.Pass(10 * time.Second)
		h.Link(apptest.Sam)
		if !strings.Contains(h.Log.String(), "a webhook keeps the updates away") {
			t.Error("nobody was told")
		}
	})
}
