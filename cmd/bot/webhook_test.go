package main

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

	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
)

const (
	hookURL    = "https://shop.test/telegram/hook"
	hookSecret = "canary_hook-secret-3f"
)

// hooked prepares a house whose updates arrive by webhook.
func hooked(h *house) {
	stock(h)
	h.env["WEBHOOK_URL"], h.env["WEBHOOK_SECRET"] = hookURL, hookSecret
	h.carried()
}

// carried has Telegram carry updates to the webhook of the house, wherever its address points to.
func (h *house) carried() {
	proxy := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return h.net.Dial(ctx, network, healthAddr)
	}}
	h.telegram = tgsim.New(tgsim.Options{Token: testToken, BotName: "shop_bot", Webhook: plainly{proxy}})
	h.telegram.AddUser(tgsim.User{ID: yasmine, FirstName: "Yasmine", LanguageCode: "fr"})
	h.telegram.AddUser(tgsim.User{ID: sam, FirstName: "Sam", LanguageCode: "en"})
	ctx, cancel := context.WithCancel(context.Background())
	var delivery sync.WaitGroup
	delivery.Go(func() { h.telegram.Deliver(ctx) })
	h.stops = append(h.stops, func() { cancel(); delivery.Wait(); proxy.CloseIdleConnections() })
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
func (h *house) post(method, path, secret string, body io.Reader) int {
	h.t.Helper()
	tr := &http.Transport{DialContext: h.net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.t.Context(), method, "http://"+healthAddr+path, body)
	h.must(err)
	if secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	}
	resp, err := tr.RoundTrip(req)
	h.must(err)
	defer resp.Body.Close()
	return resp.StatusCode
}

// posted is a message as Telegram posts it.
func posted(id int, text string) io.Reader {
	return strings.NewReader(fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":1,"text":%q,"chat":{"id":%d,"type":"private"},`+
		`"from":{"id":%d,"is_bot":false,"first_name":"Sam","language_code":"en"}}}`, id, id, text, sam, sam))
}

// replies counts the bot's messages with some words.
func (h *house) replies(words string) int {
	n := 0
	for _, m := range h.telegram.Messages(sam) {
		if m.FromBot && strings.Contains(plain(m.Text), words) {
			n++
		}
	}
	return n
}

// TestWebhook: everything works by webhook, and nothing is polled for.
func TestWebhook(t *testing.T) {
	t.Parallel()
	inHouse(t, hooked, func(h *house) {
		if got := h.get("/readyz"); got != http.StatusOK {
			t.Errorf("readyz %d", got)
		}
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.bought(1)
		h.answered()
		if calls := h.telegram.Calls(); calls["getupdates"] != 0 || calls["setwebhook"] != 1 || h.telegram.Pending() != 0 {
			t.Errorf("calls %v, %d updates left", calls, h.telegram.Pending())
		}
		if strings.Contains(h.log.String(), hookSecret) {
			t.Error("the log shows the secret")
		}
	})
}

// TestWebhookRefuses: only Telegram gets in, with one update of a sane size at a time.
func TestWebhookRefuses(t *testing.T) {
	t.Parallel()
	inHouse(t, hooked, func(h *house) {
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
			if got := h.post(c.method, c.path, c.secret, c.body); got != c.want {
				t.Errorf("%s: %d, want %d", c.name, got, c.want)
			}
		}
		h.pass(5 * time.Second)
		if n := len(h.telegram.Messages(sam)); n != 0 {
			t.Errorf("%d messages came of it", n)
		}
		if got := h.post("POST", "/telegram/anything", hookSecret, posted(7, "/start")); got != 200 {
			t.Errorf("Telegram itself gets %d", got)
		}
	})
}

// TestWebhookIsShutWhilePolling: without a secret nobody gets in.
func TestWebhookIsShutWhilePolling(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		for _, secret := range []string{"", "guess"} {
			if got := h.post("POST", "/telegram/hook", secret, posted(1, "/start")); got != 401 {
				t.Errorf("secret %q: %d", secret, got)
			}
		}
	})
}

// TestWebhookReplay: an update that comes again, from Telegram or from somebody who recorded it, is
// acknowledged and does nothing more; also after a restart.
func TestWebhookReplay(t *testing.T) {
	t.Parallel()
	inHouse(t, hooked, func(h *house) {
		h.link(sam)
		before := len(h.telegram.Messages(sam))
		again := func() {
			for range 3 {
				if got := h.post("POST", "/telegram/hook", hookSecret, posted(77, "/help")); got != 200 {
					t.Errorf("got %d", got)
				}
			}
			h.pass(3 * time.Second)
		}
		again()
		h.stop()
		h.start()
		again()
		if n := len(h.telegram.Messages(sam)) - before; n != 1 {
			t.Errorf("%d answers to one update\n%s", n, h.transcript(sam))
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
	inHouse(t, func(h *house) {
		hooked(h)
		h.engine = func(e store.Engine) store.Engine { disk.Engine = e; return disk }
	}, func(h *house) {
		h.link(sam)
		disk.mu.Lock()
		disk.fails = 2
		disk.mu.Unlock()
		h.telegram.Send(sam, sam, "/language")
		h.pass(time.Second)
		if n := h.telegram.Pending(); n != 1 {
			t.Errorf("%d updates wait at Telegram, want the one that was not stored", n)
		}
		h.pass(5 * time.Second)
		h.see(sam, "language")
		if n := h.telegram.Pending(); n != 0 {
			t.Errorf("%d updates wait at Telegram", n)
		}
	})
}

// TestSwitchingLosesNothing: from polling to the webhook and back, with updates that nobody has seen and
// updates that nobody has acknowledged, each is answered once.
func TestSwitchingLosesNothing(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) { stock(h); h.carried() }, func(h *house) {
		h.link(sam)
		ask := func() { h.telegram.Send(sam, sam, "/help") }
		asked := 0
		for _, hook := range []bool{true, false, true, true, false, false} {
			h.telegram.Send(sam, sam, "/start") // taken; a poll has not acknowledged it when the bot stops
			h.stop()
			ask()
			ask()
			asked += 2
			delete(h.env, "WEBHOOK_URL")
			delete(h.env, "WEBHOOK_SECRET")
			if hook {
				h.env["WEBHOOK_URL"], h.env["WEBHOOK_SECRET"] = hookURL, hookSecret
			}
			h.start()
			ask()
			asked++
			h.pass(40 * time.Second) // what was refused while the bot was away is tried again
			if n := h.replies("/balance"); n != asked {
				t.Errorf("webhook %v: %d answers to %d questions", hook, n, asked)
			}
			if n := h.telegram.Pending(); n > 1 || hook && n > 0 {
				t.Errorf("webhook %v: %d updates wait at Telegram", hook, n)
			}
		}
	})
}

// TestWebhookIsTakenAway: where another process polls, or sets its own webhook, that is told, and ours is
// set again.
func TestWebhookIsTakenAway(t *testing.T) {
	t.Parallel()
	inHouse(t, hooked, func(h *house) {
		h.pass(10 * time.Second)
		h.callTelegram("deleteWebhook", "")
		h.telegram.Send(sam, sam, "/start")
		h.pass(time.Minute)
		if got := h.get("/readyz"); got != http.StatusServiceUnavailable {
			t.Errorf("readyz %d", got)
		}
		if !strings.Contains(h.log.String(), "another process runs with this bot token") {
			t.Error("nobody was told")
		}
		h.see(sam, "Welcome")
		h.pass(3 * time.Minute)
		if got := h.get("/readyz"); got != http.StatusOK {
			t.Errorf("readyz %d when it is over", got)
		}
	})
}

// TestWebhookRefused: while Telegram does not take the webhook the bot says so and tries again.
func TestWebhookRefused(t *testing.T) {
	t.Parallel()
	inHouse(t, hooked, func(h *house) {
		h.stop()
		h.telegram.Inject(tgsim.Fault{Method: "setwebhook", Kind: tgsim.Broken, Times: 5})
		h.start()
		if got := h.get("/readyz"); got != http.StatusServiceUnavailable {
			t.Errorf("readyz %d", got)
		}
		h.pass(time.Minute)
		if got := h.get("/readyz"); got != http.StatusOK {
			t.Errorf("readyz %d", got)
		}
	})
}

// TestAnotherPoller: two processes with one token are told apart from a network that is down.
func TestAnotherPoller(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.pass(5 * time.Second)
		h.callTelegram("getUpdates", `{"timeout":1}`)
		h.pass(5 * time.Second)
		if got := h.get("/readyz"); got != http.StatusServiceUnavailable {
			t.Errorf("readyz %d", got)
		}
		if !strings.Contains(h.log.String(), "stop one of the two") {
			t.Error("nobody was told")
		}
		h.pass(5 * time.Minute)
		if got := h.get("/readyz"); got != http.StatusOK {
			t.Errorf("readyz %d when it is over", got)
		}
		h.link(sam)
	})
}

// TestWebhookSetWhilePolling: a webhook that somebody sets keeps updates away only until it is seen.
func TestWebhookSetWhilePolling(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.callTelegram("setWebhook", `{"url":"https://elsewhere.test/"}`)
		h.pass(10 * time.Second)
		h.link(sam)
		if !strings.Contains(h.log.String(), "a webhook keeps the updates away") {
			t.Error("nobody was told")
		}
	})
}

// callTelegram makes a call of the Bot API with the bot's token, as another process does, and returns the answer.
func (h *house) callTelegram(method, body string) string {
	h.t.Helper()
	tr := &http.Transport{DialContext: h.net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, "http://"+telegramAddr+"/bot"+testToken+"/"+method, strings.NewReader(body))
	h.must(err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := tr.RoundTrip(req)
	h.must(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	h.must(err)
	return string(text)
}

// TestReadyzSaysWhy: an operator learns what is waited for.
func TestReadyzSaysWhy(t *testing.T) {
	now := time.Now()
	h := newHealth()
	if got := fmt.Sprint(h.troubles(now)); got != "[Telegram: it has not answered yet database: it is being opened]" {
		t.Errorf("got %s", got)
	}
	h.well(partStore)
	h.well(partTelegram)
	h.illFor(partConflict, "somebody else", now.Add(time.Minute))
	if got := fmt.Sprint(h.troubles(now)); got != "[conflict: somebody else]" {
		t.Errorf("got %s", got)
	}
	if got := h.troubles(now.Add(time.Minute)); got != nil {
		t.Errorf("a conflict that nobody has seen for long is still told: %v", got)
	}
}
