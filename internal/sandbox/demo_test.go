package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox"
	"resellerbot/internal/sandbox/tgsim"
)

// What the panel counts, and when it takes a step of the tour for done, rests on what the bot really says, in
// each of its languages.
func TestDemoTruth(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"ar", "fr", "en"} {
		t.Run(lang, func(t *testing.T) {
			prepare := func(h *apptest.Harness) {
				h.Service = sim.New(sim.Options{Seed: 7, Mode: sim.Both})
				h.Service.DemoCatalogue()
				h.Must(h.Service.AddAccount(sim.AccountSpec{Key: apptest.TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
				h.Must(h.Service.AddAccount(sim.AccountSpec{Key: sandbox.LegacyKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "18000"}))
				h.Telegram.SetLanguage(apptest.Sam, lang)
			}
			apptest.Run(t, prepare, func(h *apptest.Harness) {
				words, err := sandbox.NewTold()
				h.Must(err)
				s := &sandbox.Sandbox{Service: h.Service, Telegram: h.Telegram, Keeper: &sandbox.Keeper{}, Words: words, Shop: "Boutique El Djazair", Tour: map[string]bool{}}
				expect(t, s, sandbox.Truth{})
				h.Link(apptest.Sam)
				expect(t, s, sandbox.Truth{}, "link")

				h.Buy(apptest.Sam, "Play Card", "5 USD", "2")
				expect(t, s, sandbox.Truth{1, 1, 2, 2}, "link", "buy")

				h.Say(apptest.Sam, "/topup")
				h.Tap(apptest.Sam, "Battle Royale")
				h.Tap(apptest.Sam, "60 coins")
				h.Say(apptest.Sam, "1")
				h.Say(apptest.Sam, "51234567")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Second)
				expect(t, s, sandbox.Truth{2, 2, 2, 2}, "link", "buy", "topup")

				h.Must(h.Service.Do(sim.Command{Do: "lose"}))
				h.Order(apptest.Sam, "Play Card", "5 USD", "1")
				h.Tap(apptest.Sam, "✅")
				expect(t, s, sandbox.Truth{3, 2, 3, 2}, "link", "buy", "topup")
				h.Pass(time.Minute)
				expect(t, s, sandbox.Truth{3, 3, 3, 3}, "link", "buy", "topup", "lose")

				h.Say(apptest.Sam, "/alerts")
				h.Tap(apptest.Sam, "💰")
				expect(t, s, sandbox.Truth{3, 3, 3, 3}, "link", "buy", "topup", "lose")
				h.Say(apptest.Sam, "30000")
				h.Pass(10 * time.Minute)
				expect(t, s, sandbox.Truth{3, 3, 3, 3}, "link", "buy", "topup", "lose", "alert")

				h.Say(apptest.Sam, "play card 5 x2\nvpn x1\nbattle 60 51234568")
				h.Pass(10 * time.Second)
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Minute)
				expect(t, s, sandbox.Truth{6, 6, 6, 6}, "link", "buy", "topup", "list", "lose", "alert")

				h.Say(apptest.Sam, "/prices")
				h.Tap(apptest.Sam, map[string]string{"en": "% ", "fr": "% ", "ar": "٪ "}[lang])
				h.Tap(apptest.Sam, "10")
				h.Tap(apptest.Sam, map[string]string{"en": "DZD\u00a010", "fr": "10\u00a0DA", "ar": "10\u00a0د.ج"}[lang])
				h.Say(apptest.Sam, "pc5 x1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(20 * time.Second)
				h.Tap(apptest.Sam, "📒")
				h.Say(apptest.Sam, "Karim")
				h.Tap(apptest.Sam, "➕ Karim")
				expect(t, s, sandbox.Truth{7, 7, 7, 7}, "link", "buy", "topup", "list", "lose", "alert")
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, "🔒")
				h.Tap(apptest.Sam, map[string]string{"en": "Yes", "fr": "Oui", "ar": "نعم"}[lang])
				h.Pass(5 * time.Second)
				expect(t, s, sandbox.Truth{7, 7, 7, 7}, "link", "buy", "topup", "list", "lose", "credit", "alert")

				h.Say(apptest.Sam, "/key "+sandbox.LegacyKey)
				h.Tap(apptest.Sam, "➕")
				h.Pass(5 * time.Second)
				h.Say(apptest.Sam, "/account")
				h.Tap(apptest.Sam, "🔀 Boutique El Djazair")
				h.Pass(5 * time.Second)
				expect(t, s, sandbox.Truth{7, 7, 7, 7}, "link", "buy", "topup", "list", "lose", "credit", "alert", "accounts")
			})
		})
	}
}

// An order that fails and is refunded was told, and what never reached the service was not bought.
func TestDemoTruthOfFailures(t *testing.T) {
	t.Parallel()
	prepare := func(h *apptest.Harness) {
		h.Service = sim.New(sim.Options{Seed: 7, Mode: sim.Both})
		h.Service.DemoCatalogue()
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: apptest.TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
	}
	apptest.Run(t, prepare, func(h *apptest.Harness) {
		words, err := sandbox.NewTold()
		h.Must(err)
		s := &sandbox.Sandbox{Service: h.Service, Telegram: h.Telegram, Keeper: &sandbox.Keeper{}, Words: words, Shop: "Boutique El Djazair", Tour: map[string]bool{}}
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Unlucky Box", "1 box", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		expect(t, s, sandbox.Truth{Bought: 1, Told: 1}, "link")
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.Order(apptest.Sam, "Play Card", "5 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(20 * time.Minute)
		expect(t, s, sandbox.Truth{Bought: 1, Told: 1}, "link")
	})
}

// TestDemoWithOwnNames: the demo whose service has names of its own and lists no kind, with the bot configured as the demo
// configures it. The panel's counts and the tour's steps hold there too, also over a restart.
func TestDemoWithOwnNames(t *testing.T) {
	t.Parallel()
	prepare := func(h *apptest.Harness) {
		s, err := sandbox.NewSandbox(&sandbox.Keeper{}, true)
		h.Must(err)
		h.Service = s.Service
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: apptest.TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
		for _, entry := range sandbox.DemoEnviron(app.World{Lookup: lookedUp(nil)}, "http://127.0.0.1:1", h.Dir, false, true) {
			name, value, _ := strings.Cut(entry, "=")
			if strings.HasSuffix(name, "_SEGMENT") || strings.HasSuffix(name, "_PRODUCTS") || name == "PURCHASE_KEY_ID" {
				h.Env[name] = value
			}
		}
	}
	apptest.Run(t, prepare, func(h *apptest.Harness) {
		if len(h.Env) < 10 {
			t.Fatalf("the demo tells its bot nothing: %v", h.Env)
		}
		words, err := sandbox.NewTold()
		h.Must(err)
		s := &sandbox.Sandbox{Service: h.Service, Telegram: h.Telegram, Keeper: &sandbox.Keeper{}, Words: words, Shop: "Boutique El Djazair", Tour: map[string]bool{}}
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "5 USD", "2")
		expect(t, s, sandbox.Truth{1, 1, 2, 2}, "link", "buy")
		coins := s.View().Coins
		if coins == "Battle Royale Coins" {
			t.Error("the tour speaks of a product that is not there")
		}
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, coins)
		h.Tap(apptest.Sam, "60 coins")
		h.Say(apptest.Sam, "1")
		h.Say(apptest.Sam, "51234567")
		h.Service.HoldOrders(true)
		h.Tap(apptest.Sam, "✅")
		h.Stop()
		h.Service.HoldOrders(false)
		h.Start()
		h.SeeAny(apptest.Sam, "Topped up")
		expect(t, s, sandbox.Truth{2, 2, 2, 2}, "link", "buy", "topup")
	})
}

// expect compares the panel's view with what it should be.
func expect(t *testing.T, s *sandbox.Sandbox, want sandbox.Truth, steps ...string) {
	t.Helper()
	v := s.View()
	var done []string
	for _, step := range []string{"link", "buy", "topup", "list", "lose", "credit", "alert", "accounts"} {
		if v.Tour[step] {
			done = append(done, step)
		}
	}
	if v.Truth != want || !slices.Equal(done, steps) {
		t.Errorf("the panel says %+v, and that %v is done; want %+v, %v", v.Truth, done, want, steps)
	}
}

// The sandbox is for this machine, and for pages of its own.
func TestDemoIsClosed(t *testing.T) {
	s, err := sandbox.NewSandbox(&sandbox.Keeper{}, false)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, host, site, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Host = host
		r.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	const here = "127.0.0.1:8088"
	for _, path := range []string{"/", "/app.js", "/beside/panel.js", "/beside/panel.css", "/sim/state"} {
		w := ask(http.MethodGet, path, here, "same-origin", "")
		if policy := w.Header().Get("Content-Security-Policy"); w.Code != http.StatusOK || !strings.Contains(policy, "script-src 'self';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: HTTP %d, policy %q", path, w.Code, policy)
		}
		if w := ask(http.MethodGet, path, "rebound.example:8088", "same-origin", ""); w.Code != http.StatusMisdirectedRequest {
			t.Errorf("%s by another name: HTTP %d", path, w.Code)
		}
	}
	if w := ask(http.MethodPost, "/bot"+sandbox.DemoToken+"/getMe", "rebound.example:8088", "", ""); w.Code != http.StatusMisdirectedRequest {
		t.Errorf("the Bot API by another name: HTTP %d", w.Code)
	}
	for _, path := range []string{"/bot" + sandbox.DemoToken + "/sendMessage?chat_id=501&text=a", "/api/balance", "/control/v1/snapshot", "/sim/state", "/"} {
		for _, site := range []string{"cross-site", "same-site"} {
			if w := ask(http.MethodGet, path, here, site, ""); w.Code != http.StatusForbidden {
				t.Errorf("%s for a page that is %s: HTTP %d", path, site, w.Code)
			}
		}
	}
	for path, body := range map[string]string{
		"/beside/service/": `{"do":"move","key":"` + sandbox.DemoKey + `","amount":"5"}`, "/beside/telegram": `{"do":"flood"}`, "/beside/bot": `{"do":"kill"}`,
		"/control/v1/people/501/language": `{"language":"ar"}`,
	} {
		if w := ask(http.MethodPost, path, here, "cross-site", body); w.Code != http.StatusForbidden {
			t.Errorf("%s from another site: HTTP %d", path, w.Code)
		}
		if w := ask(http.MethodPost, path, here, "same-origin", body); w.Code != http.StatusNoContent && !strings.HasPrefix(path, "/control/") || w.Code >= http.StatusBadRequest {
			t.Errorf("%s: HTTP %d %s", path, w.Code, w.Body)
		}
		if w := ask(http.MethodPost, path, here, "same-origin", "nonsense"); w.Code != http.StatusBadRequest {
			t.Errorf("%s with nonsense: HTTP %d", path, w.Code)
		}
	}
	if v := s.View(); v.Flood != 4 || v.Service.Accounts[0].Balance != "25005" {
		t.Errorf("the panel shows %+v", v)
	}
}

// TestDemoControl: the page that the control interface names is there, and the clock, which would leave the demo's bot behind, is
// not put ahead.
func TestDemoControl(t *testing.T) {
	s, err := sandbox.NewSandbox(&sandbox.Keeper{}, false)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, body string) (int, string) {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Host = "127.0.0.1:8088"
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	var bots []struct{ Page string }
	if code, body := ask(http.MethodGet, "/control/v1/bots", ""); json.Unmarshal([]byte(body), &bots) != nil || len(bots) != 1 {
		t.Fatalf("HTTP %d %s", code, body)
	}
	if code, body := ask(http.MethodGet, bots[0].Page, ""); code != http.StatusOK || !strings.Contains(body, "app.js") {
		t.Errorf("%s: HTTP %d %s", bots[0].Page, code, body)
	}
	before := s.Telegram.Now()
	if code, body := ask(http.MethodPost, "/control/v1/clock", `{"wait":3600}`); code != http.StatusConflict || !strings.Contains(body, "-zone") {
		t.Errorf("HTTP %d %s", code, body)
	}
	if by := s.Telegram.Now().Sub(before); by > time.Minute {
		t.Errorf("the clock was put ahead by %s", by)
	}
}

func TestDemoListens(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:8088", ":8088", "192.168.1.4:8088", "example.com:8088", "127.0.0.1", "nonsense"} {
		if code, stderr := runDemoAt(t, addr); code != app.ExitUsage || !strings.Contains(stderr, "loopback") {
			t.Errorf("%s: %d %s", addr, code, stderr)
		}
	}
	if code, stderr := runDemoAt(t, "127.0.0.1:0", "-zone", "Mars/Olympus"); code != app.ExitUsage || !strings.Contains(stderr, "-zone must be") {
		t.Errorf("a zone that there is not: %d %s", code, stderr)
	}
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if code, stderr := runDemoAt(t, taken.Addr().String()); code != app.ExitUsage || !strings.Contains(stderr, taken.Addr().String()) {
		t.Errorf("an address that is taken: %d %s", code, stderr)
	}
}

// runDemoAt runs the demo at an address.
func runDemoAt(t *testing.T, addr string, more ...string) (code int, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = app.Start(t.Context(), app.World{Args: append([]string{"demo", "-addr", addr}, more...), Lookup: lookedUp(nil), Stdout: &out, Stderr: &errs, Dir: t.TempDir(), Listen: net.Listen, More: sandbox.Subcommands()})
	return code, errs.String()
}

// lookedUp looks up in an environment.
func lookedUp(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := env[name]; return v, ok }
}

// Nothing of the operator's reaches the demo's bot: least of all the token of the real one.
func TestDemoEnvironment(t *testing.T) {
	env := map[string]string{}
	for line := range strings.SplitSeq(apptest.ReadFile(t, ".env.example"), "\n") {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "#"), "='"); ok {
			env[name] = "the operator's"
		}
	}
	if len(env) < 20 {
		t.Fatalf("there are %d variables", len(env))
	}
	list := sandbox.DemoEnviron(app.World{Lookup: lookedUp(env)}, "http://127.0.0.1:8088", t.TempDir(), false, false)
	got := map[string]string{}
	for _, entry := range list {
		name, value, _ := strings.Cut(entry, "=")
		got[name] = value
	}
	for name, value := range env {
		if got[name] == value {
			t.Errorf("%s is the operator's", name)
		}
	}
	if got["TELEGRAM_BOT_TOKEN"] != sandbox.DemoToken {
		t.Errorf("the token is %q", got["TELEGRAM_BOT_TOKEN"])
	}
	if got["OWNER_CHAT_ID"] != strconv.FormatInt(sandbox.DemoOwner, 10) {
		t.Errorf("the owner is %q", got["OWNER_CHAT_ID"])
	}
}

// TestDemoProcess runs the demo as people do: the bot is a process of its own, is killed and lives again, has the hour of another zone,
// and nothing is left behind.
func TestDemoProcess(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	temp := t.TempDir()
	demo := exec.CommandContext(context.Background(), apptest.Program(t), "demo", "-addr", "127.0.0.1:0", "-zone", "Asia/Kathmandu")
	demo.Dir, demo.Env = temp, append(os.Environ(), "TMPDIR="+temp, "TELEGRAM_BOT_TOKEN=nonsense")
	errs := &apptest.LockedBuffer{}
	demo.Stderr = errs
	stdout, err := demo.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Start(); err != nil {
		t.Fatal(err)
	}
	defer demo.Process.Kill()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSpace(line), "The sandbox is at ")
	if err != nil || !found {
		t.Fatalf("the demo said %q, %v\n%s", line, err, errs)
	}
	first := besideUntil(t, address, func(v sandbox.BesideView) bool { return v.Bot.Alive })
	post(t, fmt.Sprintf("%s/control/v1/people/%d/say", address, sandbox.DemoOwner), `{"text":"/start"}`)
	answered(t, address, sandbox.DemoOwner, 1)
	post(t, address+"/beside/bot", `{"do":"kill"}`)
	besideUntil(t, address, func(v sandbox.BesideView) bool { return !v.Bot.Alive })
	post(t, fmt.Sprintf("%s/control/v1/people/%d/say", address, sandbox.DemoOwner), `{"text":"/help"}`)
	second := besideUntil(t, address, func(v sandbox.BesideView) bool { return v.Bot.Alive && v.Bot.Lives == 2 })
	if second.Bot.PID == first.Bot.PID {
		t.Error("it is the same process")
	}
	answered(t, address, sandbox.DemoOwner, 2)
	post(t, fmt.Sprintf("%s/control/v1/people/%d/say", address, sandbox.DemoOwner), `{"text":"`+sandbox.DemoKey+`"}`)
	post(t, address+"/control/v1/wait", fmt.Sprintf(`{"chat":%d,"text":"Boutique El Djazair","timeout":60}`, sandbox.DemoOwner))
	post(t, fmt.Sprintf("%s/control/v1/people/%d/say", address, sandbox.DemoOwner), `{"text":"/balance"}`)
	there := time.Now().In(time.FixedZone("Asia/Kathmandu", 5*3600+45*60))
	post(t, address+"/control/v1/wait", fmt.Sprintf(`{"chat":%d,"pattern":"%s|%s","timeout":60}`, sandbox.DemoOwner, there.Format("15:04"), there.Add(time.Minute).Format("15:04")))
	if err := demo.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := demo.Wait(); err != nil {
		t.Errorf("the demo ended with %v\n%s", err, errs)
	}
	if left, err := filepath.Glob(filepath.Join(temp, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// post asks the sandbox for something.
func post(t *testing.T, address, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s: HTTP %d", address, resp.StatusCode)
	}
}

// besideUntil listens to the panel until it shows what is wanted.
func besideUntil(t *testing.T, address string, wanted func(sandbox.BesideView) bool) (v sandbox.BesideView) {
	t.Helper()
	hear(t, address+"/beside/events", func(event []byte) bool {
		v = sandbox.BesideView{}
		return json.Unmarshal(event, &v) == nil && wanted(v)
	})
	return v
}

// answered waits until the bot has written a number of messages into a chat.
func answered(t *testing.T, address string, chat int64, n int) {
	t.Helper()
	hear(t, address+"/sim/events", func(event []byte) bool {
		var v struct {
			Chats []struct {
				ID       int64
				Messages []struct{ Bot bool }
			}
		}
		if json.Unmarshal(event, &v) != nil {
			return false
		}
		for _, c := range v.Chats {
			written := slices.DeleteFunc(c.Messages, func(m struct{ Bot bool }) bool { return !m.Bot })
			if c.ID == chat && len(written) >= n {
				return true
			}
		}
		return false
	})
}

// hear listens to a stream of events until one is the one that is waited for.
func hear(t *testing.T, address string, done func([]byte) bool) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	events := bufio.NewScanner(resp.Body)
	events.Buffer(nil, 8<<20)
	for events.Scan() {
		if event, ok := bytes.CutPrefix(events.Bytes(), []byte("data: ")); ok && done(event) {
			return
		}
	}
	t.Fatalf("%s ended: %v", address, events.Err())
}

// Who made the page's people what they are, the bot never learns.
func TestPartsStayOnThePage(t *testing.T) {
	text, err := json.Marshal(tgsim.User{ID: 1, FirstName: "A", Part: "owner"})
	if err != nil || bytes.Contains(text, []byte("owner")) {
		t.Errorf("%s, %v", text, err)
	}
}
