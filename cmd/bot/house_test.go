package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
)

const (
	telegramAddr = "127.0.0.1:8081"
	serviceAddr  = "127.0.0.1:8082"
	healthAddr   = "127.0.0.1:8083"
	testToken    = "700:test-token-that-must-never-show-up-in-a-log"
	testKey      = "KEY-canary-91f2-of-the-reseller"
	yasmine      = int64(501) // speaks French unless a test says otherwise
	sam          = int64(502) // speaks English
)

// house is the whole program between a simulated Telegram and a simulated service, in virtual time.
type house struct {
	t        *testing.T
	net      *memNet
	service  *sim.Server
	telegram *tgsim.Server
	env      map[string]string
	dir      string
	log      *lockedBuffer
	engine   func(store.Engine) store.Engine // as world.Engine

	stops   []func() // the simulators' servers
	stopBot func() error
}

// inHouse runs a test against the whole program. prepare may change what it starts with.
func inHouse(t *testing.T, prepare func(*house), play func(*house)) {
	t.Helper()
	dir, remove, err := labDir() // in memory where it can be: nothing here cuts the power
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(remove)
	synctest.Test(t, func(t *testing.T) {
		h := &house{
			t: t, net: newMemNet(), dir: dir, log: &lockedBuffer{},
			service:  sim.New(sim.Options{Seed: 7}),
			telegram: tgsim.New(tgsim.Options{Token: testToken, BotName: "shop_bot"}),
			env: map[string]string{
				"TELEGRAM_BOT_TOKEN": testToken,
				"TELEGRAM_API_URL":   "http://" + telegramAddr,
				"RESELLER_API_URL":   "http://" + serviceAddr + "/api",
				"ENCRYPTION_KEYS":    "k1:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)),
				"HTTP_ADDR":          healthAddr,
				"LOG_LEVEL":          "debug",
			},
		}
		h.telegram.AddUser(tgsim.User{ID: yasmine, FirstName: "Yasmine", LanguageCode: "fr"})
		h.telegram.AddUser(tgsim.User{ID: sam, FirstName: "Sam", LanguageCode: "en"})
		h.must(h.service.AddAccount(sim.AccountSpec{Key: testKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
		if prepare != nil {
			prepare(h)
		}
		h.serve(telegramAddr, h.telegram)
		h.serve(serviceAddr, h.service)
		defer func() { // also when the test has failed: the bubble must be empty at its end
			h.stop()
			for _, stop := range h.stops {
				stop()
			}
			h.noSecretsInLog()
			h.asTelegramHasIt()
		}()
		h.start()
		play(h)
	})
}

// serve puts a handler on the network until the test ends.
func (h *house) serve(addr string, handler http.Handler) {
	l, err := h.net.Listen("tcp", addr)
	h.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := serveHTTP(ctx, l, handler); err != nil {
			h.t.Errorf("serve %s: %v", addr, err)
		}
	}()
	h.stops = append(h.stops, func() { cancel(); <-done })
}

// start starts the bot as the command line does.
func (h *house) start() {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	w := h.world()
	go func() {
		done <- runVerb(ctx, w)
	}()
	h.stopBot = func() error { cancel(); return <-done }
	h.pass(time.Second)
}

// world is what the bot sees of the outside.
func (h *house) world() world {
	return world{
		Lookup: func(name string) (string, bool) { v, ok := h.env[name]; return v, ok },
		Stdout: h.log, Stderr: h.log, Dir: h.dir, Dial: h.net.Dial, Listen: h.net.Listen, Version: "test", Engine: h.engine,
	}
}

// command runs a subcommand where the bot is, which does not run.
func (h *house) command(args ...string) {
	h.t.Helper()
	w := h.world()
	w.Args = args
	if code := start(h.t.Context(), w); code != 0 {
		h.t.Fatalf("%v ended with %d\n%s", args, code, h.log.String())
	}
}

// stop stops the bot as SIGTERM does, and sees that it takes no longer than promised.
func (h *house) stop() {
	h.t.Helper()
	if h.stopBot == nil {
		return
	}
	begin := time.Now()
	if err := h.stopBot(); err != nil {
		h.t.Errorf("the bot ended with %v\n%s", err, h.log.String())
	}
	h.stopBot = nil
	if took := time.Since(begin); took > 10*time.Second {
		h.t.Errorf("stopping took %v", took)
	}
}

// pass lets virtual time pass.
func (h *house) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("%v\n%s", err, h.log.String())
	}
}

// say types a line into the person's private chat with the bot.
func (h *house) say(user int64, text string) {
	h.t.Helper()
	h.telegram.Send(user, user, text)
	h.pass(time.Second)
}

// tap taps the newest button whose text holds the words, once it is there: who taps fast waits for Telegram's limits.
func (h *house) tap(user int64, words string) {
	h.t.Helper()
	_, err := h.telegram.TapButton(user, user, words)
	for tries := 0; err != nil && tries < 10; tries++ {
		h.pass(time.Second)
		_, err = h.telegram.TapButton(user, user, words)
	}
	if err != nil {
		h.t.Fatalf("tap %q: %v\n%s", words, err, h.transcript(user))
	}
	h.pass(time.Second)
}

// see waits until the newest message of the bot holds the words, and returns it.
func (h *house) see(user int64, words string) tgsim.Message {
	h.t.Helper()
	return h.wait(user, "the newest message to hold "+words, func(all []tgsim.Message) (tgsim.Message, bool) {
		for _, m := range slices.Backward(all) {
			if m.FromBot && !m.Deleted {
				return m, strings.Contains(plain(m.Text), words)
			}
		}
		return tgsim.Message{}, false
	})
}

// seeAny waits until some message of the bot holds the words, and returns it.
func (h *house) seeAny(user int64, words string) tgsim.Message {
	h.t.Helper()
	return h.wait(user, "a message that holds "+words, func(all []tgsim.Message) (tgsim.Message, bool) {
		for _, m := range all {
			if m.FromBot && !m.Deleted && strings.Contains(plain(m.Text), words) {
				return m, true
			}
		}
		return tgsim.Message{}, false
	})
}

// wait waits, for two minutes at most, until a chat is as wanted.
func (h *house) wait(user int64, what string, found func([]tgsim.Message) (tgsim.Message, bool)) tgsim.Message {
	h.t.Helper()
	for range 240 {
		if m, ok := found(h.telegram.Messages(user)); ok {
			return m
		}
		h.pass(500 * time.Millisecond)
	}
	h.t.Fatalf("waited in vain for %s; the chat is:\n%s\nlog:\n%s", what, h.transcript(user), h.log.String())
	return tgsim.Message{}
}

// link links the test's key in the person's chat.
func (h *house) link(user int64) {
	h.t.Helper()
	h.say(user, "/start")
	h.say(user, "/key "+testKey)
	h.see(user, "Boutique El Djazair")
}

// transcript is the chat as a person would tell it.
func (h *house) transcript(chat int64) string {
	var b strings.Builder
	for _, m := range h.telegram.Messages(chat) {
		who := "person"
		if m.FromBot {
			who = "bot"
		}
		if m.Deleted {
			who += " (deleted)"
		}
		b.WriteString(who + ": " + m.Text + "\n")
		for _, row := range m.Keyboard {
			for _, k := range row {
				b.WriteString("    [" + k.Text + "]")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// asTelegramHasIt fails the test if the bot has asked for what the Bot API does not have, or what the simulated one
// does not do.
func (h *house) asTelegramHasIt() {
	for what, list := range map[string][]string{"unsupported": h.telegram.Unsupported(), "without effect": h.telegram.Ignored(), "wrong": h.telegram.Complaints()} {
		if len(list) > 0 {
			h.t.Errorf("%s: %v", what, list)
		}
	}
}

// noSecretsInLog fails the test if a secret was logged.
func (h *house) noSecretsInLog() {
	for _, s := range []string{testToken, testKey} {
		if strings.Contains(h.log.String(), s) {
			h.t.Errorf("the log shows the secret %q", s)
		}
	}
	for _, o := range h.service.Orders() {
		if o.Code != "" && strings.Contains(h.log.String(), o.Code) {
			h.t.Errorf("the log shows the code of order %s", o.ID)
		}
	}
}

// plain takes out what only steers the direction and breaking of text.
func plain(s string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "", "\u00a0", " ", "\u202f", " ").Replace(s)
}

// lockedBuffer is a log that may be written to from everywhere.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
