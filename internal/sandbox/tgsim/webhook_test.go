package tgsim

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// hook is a bot's webhook, and what arrived there.
type hook struct {
	mu      sync.Mutex
	arrived []arrival
	answer  func(w http.ResponseWriter, n int) // n counts from one; nil: 200
}

type arrival struct {
	secret string
	update up
	at     time.Time
}

func (k *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	k.mu.Lock()
	k.arrived = append(k.arrived, arrival{r.Header.Get("X-Telegram-Bot-Api-Secret-Token"), decodeUpdate(body), time.Now()})
	n, answer := len(k.arrived), k.answer
	k.mu.Unlock()
	if answer != nil {
		answer(w, n)
	}
}

func (k *hook) all() []arrival {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]arrival{}, k.arrived...)
}

// deliver runs a webhook, and the delivery to it, while a test is played.
func deliver(t *testing.T, k *hook, test func(*harness)) {
	t.Helper()
	play(t, Options{}, func(h *harness) {
		defer h.serve("hook.test:80", k)()
		ctx, cancel := context.WithCancel(h.t.Context())
		var delivery sync.WaitGroup
		delivery.Go(func() { h.Webhooks.Deliver(ctx) })
		defer func() { cancel(); delivery.Wait() }()
		test(h)
	})
}

// info is getWebhookInfo.
type info struct {
	URL         string
	Certificate bool     `json:"has_custom_certificate"`
	Pending     int      `json:"pending_update_count"`
	Max         int      `json:"max_connections"`
	Allowed     []string `json:"allowed_updates"`
	Address     string   `json:"ip_address"`
	ErrorDate   int64    `json:"last_error_date"`
	Error       string   `json:"last_error_message"`
}

func (h *harness) info() (i info) {
	h.t.Helper()
	h.call("getWebhookInfo", nil).into(h.t, &i)
	return i
}

func TestWebhook(t *testing.T) {
	k := &hook{}
	deliver(t, k, func(h *harness) {
		h.People.Send(sam, sam, "before")
		if r := h.call("setWebhook", object{"url": hookURL, "secret_token": "s3-cret_"}); !r.OK || r.Description != "Webhook was set" {
			t.Fatalf("got %+v", r)
		}
		h.People.Send(sam, sam, "after")
		h.pass(time.Second)
		got := k.all()
		if len(got) != 2 || got[0].secret != "s3-cret_" || got[0].update.at("text") != "before" || got[1].update.id != got[0].update.id+1 {
			t.Errorf("got %+v", got)
		}
		if i := h.info(); i.URL != hookURL || i.Pending != 0 || i.Max != 40 || i.Error != "" {
			t.Errorf("info %+v", i)
		}
		h.refused(h.call("getUpdates", nil), 409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
		if r := h.call("deleteWebhook", nil); r.Description != "Webhook was deleted" {
			t.Errorf("got %+v", r)
		}
		h.People.Send(sam, sam, "polled")
		if got := h.drain(); len(got) != 1 || len(k.all()) != 2 {
			t.Errorf("polled %v, %d arrived", kinds(got), len(k.all()))
		}
		if r := h.call("deleteWebhook", nil); r.Description != "Webhook is already deleted" {
			t.Errorf("got %+v", r)
		}
	})
}

// TestWebhookPauses is when a failing webhook is asked again: at once, then after two seconds, four, eight,
// as far as a minute, or when it says.
func TestWebhookPauses(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter, int)
		times  string // of the arrivals, in seconds
		words  string
	}{
		"refused": {
			func(w http.ResponseWriter, n int) { w.WriteHeader(map[bool]int{true: 500, false: 204}[n < 9]) },
			"0 0 2 6 14 30 62 122 182", "Wrong response from the webhook: 500 Internal Server Error",
		},
		"redirected": {
			func(w http.ResponseWriter, n int) { w.WriteHeader(map[bool]int{true: 302, false: 200}[n < 3]) },
			"0 0 2", "Wrong response from the webhook: 302 Found",
		},
		"asked to wait": {
			func(w http.ResponseWriter, n int) {
				if n == 1 {
					w.Header().Set("Retry-After", "90")
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			},
			"0 90", "Wrong response from the webhook: 503 Service Unavailable",
		},
		"silent": {
			func(_ http.ResponseWriter, n int) {
				if n == 1 {
					<-time.After(2 * time.Minute)
				}
			},
			"0 60", "Read timeout expired",
		},
		"hung up": {
			func(_ http.ResponseWriter, n int) {
				if n == 1 {
					panic(http.ErrAbortHandler)
				}
			},
			"0 0", "Connection closed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := &hook{answer: c.answer}
			deliver(t, k, func(h *harness) {
				begin := time.Now()
				h.call("setWebhook", object{"url": hookURL})
				h.People.Send(sam, sam, "a")
				h.pass(10 * time.Minute)
				var times []string
				for _, a := range k.all() {
					times = append(times, fmt.Sprintf("%.0f", a.at.Sub(begin).Seconds()))
				}
				if got := strings.Join(times, " "); got != c.times {
					t.Errorf("asked after %s, want %s", got, c.times)
				}
				if i := h.info(); i.Error != c.words || i.ErrorDate == 0 || i.Pending != 0 {
					t.Errorf("info %+v", i)
				}
			})
		})
	}
}

// Updates of one chat come one after the other, also while the first is refused; other chats do not wait.
func TestWebhookOrder(t *testing.T) {
	k := &hook{}
	deliver(t, k, func(h *harness) {
		first := true
		k.answer = func(w http.ResponseWriter, n int) {
			k.mu.Lock()
			defer k.mu.Unlock()
			if k.arrived[n-1].update.at("text") == "1" && first {
				first = false
				w.Header().Set("Retry-After", "5")
				w.WriteHeader(http.StatusInternalServerError)
			}
		}
		h.People.Send(sam, sam, "1")
		h.People.Send(sam, sam, "2")
		h.People.Tap(sam, sam, 1, "t")
		h.People.Send(lea, lea, "3")
		h.call("setWebhook", object{"url": hookURL})
		h.pass(time.Minute)
		var order []string
		for _, a := range k.all() {
			if a.update.kind == "callback_query" {
				continue
			}
			order = append(order, fmt.Sprint(a.update.at("text")))
		}
		got := strings.Join(order, " ")
		if got != "1 3 1 2" && got != "3 1 1 2" || len(k.all()) != 5 {
			t.Errorf("got %s of %d", got, len(k.all()))
		}
	})
}

func TestWebhookConnections(t *testing.T) {
	var busy, most int
	k := &hook{}
	k.answer = func(http.ResponseWriter, int) {
		k.mu.Lock()
		busy++
		most = max(most, busy)
		k.mu.Unlock()
		<-time.After(time.Second)
		k.mu.Lock()
		busy--
		k.mu.Unlock()
	}
	deliver(t, k, func(h *harness) {
		for i := range 5 {
			h.Updates.InjectUpdate(fmt.Sprintf(`"message":{"text":"%d"}`, i))
		}
		h.call("setWebhook", object{"url": hookURL, "max_connections": 2})
		h.pass(time.Minute)
		if most != 2 || len(k.all()) != 5 || h.info().Max != 2 {
			t.Errorf("%d at a time, %d arrived", most, len(k.all()))
		}
	})
}

// A webhook that says for a day that it is gone is believed.
func TestWebhookGone(t *testing.T) {
	k := &hook{answer: func(w http.ResponseWriter, _ int) { w.WriteHeader(http.StatusGone) }}
	deliver(t, k, func(h *harness) {
		h.call("setWebhook", object{"url": hookURL})
		for range 26 {
			h.People.Send(sam, sam, "hello")
			h.pass(time.Hour)
		}
		if i := h.info(); i.URL != "" {
			t.Errorf("info %+v", i)
		}
	})
}

// A webhook may answer with a call, which is done; calls that would answer something are not.
func TestWebhookAnswersWithACall(t *testing.T) {
	calls := []string{`{"method":"sendMessage","chat_id":501,"text":"hi"}`, `{"method":"setWebhook","url":""}`, `{"method":"getMe"}`, `not JSON`, ``}
	k := &hook{answer: func(w http.ResponseWriter, n int) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, calls[(n-1)%len(calls)])
	}}
	deliver(t, k, func(h *harness) {
		h.call("setWebhook", object{"url": hookURL})
		for range calls {
			h.People.Send(sam, sam, "hello")
			h.pass(time.Second)
		}
		n := 0
		for _, m := range h.Messages(sam) {
			if m.FromBot && m.Text == "hi" {
				n++
			}
		}
		if i := h.info(); n != 1 || i.URL != hookURL || h.Log.Calls()["getme"] != 0 {
			t.Errorf("%d messages, info %+v", n, i)
		}
	})
}

// Where Telegram's own demands are made, a webhook is https, of one of four ports.
func TestStrictWebhook(t *testing.T) {
	play(t, Options{Strict: true}, func(h *harness) {
		for address, words := range map[string]string{
			"http://hook.test/": "bad webhook: An HTTPS URL must be provided for webhook", "https://hook.test:8080/": "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
			"https://hook.test/": "", "hook.test:8443/a": "", "https://hook.test:88": "",
		} {
			h.pass(time.Second)
			if r := h.call("setWebhook", object{"url": address}); words == "" && !r.OK {
				t.Errorf("%s: %s", address, r.Description)
			} else if words != "" {
				h.refused(r, 400, "Bad Request: "+words)
			}
		}
	})
}

func TestSetWebhook(t *testing.T) {
	for name, c := range map[string]struct {
		p     object
		words string
	}{
		"no host":         {object{"url": "https://"}, "invalid webhook URL specified"},
		"no URL":          {object{"url": "ftp://a.example"}, "invalid webhook URL specified"},
		"a long secret":   {object{"url": hookURL, "secret_token": strings.Repeat("x", 257)}, "secret token is too long"},
		"an ugly secret":  {object{"url": hookURL, "secret_token": "a b"}, "secret token contains unallowed characters"},
		"without scheme":  {object{"url": "hook.test"}, ""},
		"with all":        {object{"url": hookURL, "ip_address": "127.0.0.1", "allowed_updates": `["message"]`, "certificate": "attach://c"}, ""}, // which is not there
		"nothing: delete": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{}, func(h *harness) {
				r := h.call("setWebhook", c.p)
				if c.words != "" {
					h.refused(r, 400, "Bad Request: "+c.words)
					return
				}
				i := h.info()
				if !r.OK || c.p != nil && i.URL == "" {
					t.Errorf("got %+v, info %+v", r, i)
				}
				if name == "with all" && (i.Certificate || i.Address != "127.0.0.1" || len(i.Allowed) != 1) {
					t.Errorf("info %+v", i)
				}
			})
		})
	}
}

func TestSetWebhookAgain(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.People.Send(sam, sam, "a")
		var poll reply
		var poller sync.WaitGroup
		h.poll(object{"offset": 1})
		h.drain()
		poller.Go(func() { poll = h.call("getUpdates", object{"timeout": 30}) })
		synctest.Wait()
		h.call("setWebhook", object{"url": hookURL})
		poller.Wait()
		h.refused(poll, 409, "Conflict: terminated by setWebhook request")
		if r := h.call("setWebhook", object{"url": hookURL}); r.Code != 429 || r.Parameters.RetryAfter != 1 {
			t.Errorf("at once again: %+v", r)
		}
		h.pass(time.Second)
		if r := h.call("setWebhook", object{"url": hookURL}); r.Description != "Webhook is already set" {
			t.Errorf("the same: %+v", r)
		}
		h.People.Send(sam, sam, "b")
		h.pass(time.Second)
		if r := h.call("setWebhook", object{"url": hookURL, "drop_pending_updates": true}); r.Description != "Webhook was set" || h.info().Pending != 0 {
			t.Errorf("dropping what waits: %+v, %+v", r, h.info())
		}
	})
}

// Left to itself, delivery reaches this machine only.
func TestWebhookLeavesNothing(t *testing.T) {
	for addr, want := range map[string]string{
		"example.org:443": "a sandbox reaches this machine only",
		"10.0.0.1:80":     "a sandbox reaches this machine only",
		"no port":         "address no port: missing port in address",
	} {
		if _, err := dialer([]string{"bot"})(t.Context(), "tcp", addr); err == nil || err.Error() != want {
			t.Errorf("%s: %v", addr, err)
		}
	}
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	c, err := dialer([]string{"bot"})(t.Context(), "tcp", "localhost:"+port)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// A webhook with a certificate of its own is trusted once the bot has uploaded that, and not before.
func TestWebhookCertificate(t *testing.T) {
	got := make(chan string, 1)
	hook := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got <- string(body)
	}))
	defer hook.Close()
	hook.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that is to fail
	s := New(Options{Token: token, BotName: "shop_bot"})
	s.Directory.AddUser(User{ID: sam, FirstName: "Sam"})
	ctx, cancel := context.WithCancel(t.Context())
	var delivering sync.WaitGroup
	delivering.Go(func() { s.Deliver(ctx) })
	defer delivering.Wait()
	defer cancel()
	set := func(certificate []byte) {
		t.Helper()
		files := map[string][]byte{}
		if certificate != nil {
			files["certificate"] = certificate
		}
		kind, body := form(map[string]string{"url": hook.URL}, files)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, ask(t.Context(), "setWebhook", kind, body))
		if w.Code != http.StatusOK && certificate != nil {
			t.Fatalf("HTTP %d %s", w.Code, w.Body)
		}
	}
	set(nil)
	s.People.Send(sam, sam, "hello")
	err := s.WaitFor(t.Context(), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return strings.Contains(s.webhook.lastError, "certificate verify failed")
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Advance(time.Minute) // it cannot be set twice in a second
	set(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw}))
	if body := <-got; !strings.Contains(body, "hello") {
		t.Errorf("the webhook got %s", body)
	}
}
