// Package apptest runs the whole program in virtual time, between a simulated Telegram and a simulated service, for the
// tests of every room: Run gives a Harness, in which people write, tap and wait. Program and Launch run it as a process.
package apptest

import (
	"bytes"
	"context"
	"encoding/base64"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/locales"
)

// Where everything is in a test, and who is there in all of them.
const (
	TelegramAddr = "127.0.0.1:8081"
	ServiceAddr  = "127.0.0.1:8082"
	HealthAddr   = "127.0.0.1:8083"
	TestToken    = "700:test-token-that-must-never-show-up-in-a-log"
	TestKey      = "KEY-canary-91f2-of-the-reseller"
	Yasmine      = int64(501) // speaks French unless a test says otherwise
	Sam          = int64(502) // speaks English
)

// Harness is the whole program between a simulated Telegram and a simulated service, in virtual time.
type Harness struct {
	T        *testing.T
	Net      *MemNet
	Service  *sim.Server
	Telegram *tgsim.Server
	Env      map[string]string
	Dir      string
	Log      *LockedBuffer
	Engine   func(store.Engine) store.Engine // as app.World has it
	// CheckFile is as app.World has it; nil where files are relied on.
	CheckFile func(ctx context.Context, path string) error
	// Free is as app.World has it; nil asks the disk.
	Free func(dir string) (bytes int64, known bool)
	// Watch sees each connection that the bot opens, and may put one of its own around it; nil where nobody looks.
	Watch func(addr string, c net.Conn) net.Conn

	Stops   []func() // the simulators' servers
	StopBot func() error
}

// Run runs a test against the whole program. prepare may change what it starts with.
func Run(t *testing.T, prepare func(*Harness), play func(*Harness)) {
	t.Helper()
	sampletest.Drawn(t, 4)
	// A program lives for a moment here and leaves a heap of garbage that is small beside the machine's memory: collected a quarter as
	// often, a package of such tests takes a sixth less of the processor's time. Who sets GOGC knows better.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	dir, remove, err := LabDir() // in memory where it can be: nothing here cuts the power
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(remove)
	synctest.Test(t, func(t *testing.T) {
		h := &Harness{
			T: t, Net: NewMemNet(), Dir: dir, Log: &LockedBuffer{},
			Service:  sim.New(sim.Options{Seed: 7}),
			Telegram: tgsim.New(tgsim.Options{Token: TestToken, BotName: "shop_bot"}),
			Env: map[string]string{
				"TELEGRAM_BOT_TOKEN": TestToken,
				"TELEGRAM_API_URL":   "http://" + TelegramAddr,
				"RESELLER_API_URL":   "http://" + ServiceAddr + "/api",
				"ENCRYPTION_KEYS":    "k1:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)),
				"HTTP_ADDR":          HealthAddr,
				"LOG_LEVEL":          "debug",
			},
		}
		h.Telegram.AddUser(tgsim.User{ID: Yasmine, FirstName: "Yasmine", LanguageCode: "fr"})
		h.Telegram.AddUser(tgsim.User{ID: Sam, FirstName: "Sam", LanguageCode: "en"})
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
		if storetest.OnServer() {
			h.Env["DATABASE_URL"] = storetest.Address(t, h.database())
		}
		if prepare != nil {
			prepare(h)
		}
		h.serve(TelegramAddr, h.Telegram)
		h.serve(ServiceAddr, h.Service)
		defer func() { // also when the test has failed: the bubble must be empty at its end
			h.Stop()
			for _, stop := range h.Stops {
				stop()
			}
			h.noSecretsInLog()
			h.asTelegramHasIt()
		}()
		h.Start()
		play(h)
	})
}

// Start starts the bot as the command line does.
func (h *Harness) Start() {
	h.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	w := h.World()
	go func() {
		done <- app.Run(ctx, w)
	}()
	h.StopBot = func() error { cancel(); return <-done }
	h.Pass(time.Second)
}

// World is what the bot sees of the outside.
func (h *Harness) World() app.World {
	return app.World{
		Lookup: func(name string) (string, bool) { v, ok := h.Env[name]; return v, ok },
		Lease:  storetest.VirtualLease, Stdout: h.Log, Stderr: h.Log, Dir: h.Dir, Dial: h.dial, Listen: h.Net.Listen, Local: func(path string) (net.Listener, error) { return h.Net.Listen("unix", path) }, Version: "test", Engine: h.Engine, CheckFile: h.CheckFile, Free: h.Free,
		Texts: Texts(),
	}
}

// Texts are all texts, loaded once for all runs of a test binary: that took a tenth of their time.
var Texts = sync.OnceValue(func() *locales.Catalogue {
	texts, err := locales.Load()
	if err != nil {
		panic(err)
	}
	return texts
})

// Command runs a subcommand where the bot is, which does not run.
func (h *Harness) Command(args ...string) {
	h.T.Helper()
	w := h.World()
	w.Args = args
	if code := app.Start(h.T.Context(), w); code != 0 {
		h.T.Fatalf("%v ended with %d\n%s", args, code, h.Log.String())
	}
}

// Stop stops the bot as SIGTERM does, and sees that it takes no longer than promised.
func (h *Harness) Stop() {
	h.T.Helper()
	if h.StopBot == nil {
		return
	}
	begin := time.Now()
	if err := h.StopBot(); err != nil {
		h.T.Errorf("the bot ended with %v\n%s", err, h.Log.String())
	}
	h.StopBot = nil
	if took := time.Since(begin); took > 10*time.Second {
		h.T.Errorf("stopping took %v", took)
	}
}

// Pass lets virtual time pass.
func (h *Harness) Pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// Must fails the test where there is an error.
func (h *Harness) Must(err error) {
	h.T.Helper()
	if err != nil {
		h.T.Fatalf("%v\n%s", err, h.Log.String())
	}
}

// Say types a line into the person's private chat with the bot.
func (h *Harness) Say(user int64, text string) {
	h.T.Helper()
	h.Telegram.Send(user, user, text)
	h.Pass(time.Second)
}

// Tap taps the newest button whose text holds the words, once it is there: who taps fast waits for Telegram's limits.
func (h *Harness) Tap(user int64, words string) {
	h.T.Helper()
	_, err := h.Telegram.TapButton(user, user, words)
	for tries := 0; err != nil && tries < 10; tries++ {
		h.Pass(time.Second)
		_, err = h.Telegram.TapButton(user, user, words)
	}
	if err != nil {
		h.T.Fatalf("tap %q: %v\n%s", words, err, h.Transcript(user))
	}
	h.Pass(time.Second)
}

// See waits until the newest message of the bot holds the words, and returns it.
func (h *Harness) See(user int64, words string) tgsim.Message {
	h.T.Helper()
	return h.Wait(user, "the newest message to hold "+words, func(all []tgsim.Message) (tgsim.Message, bool) {
		for _, m := range slices.Backward(all) {
			if m.FromBot && !m.Deleted {
				return m, strings.Contains(Plain(m.Text), words)
			}
		}
		return tgsim.Message{}, false
	})
}

// SeeAny waits until some message of the bot holds the words, and returns it.
func (h *Harness) SeeAny(user int64, words string) tgsim.Message {
	h.T.Helper()
	return h.Wait(user, "a message that holds "+words, func(all []tgsim.Message) (tgsim.Message, bool) {
		for _, m := range all {
			if m.FromBot && !m.Deleted && strings.Contains(Plain(m.Text), words) {
				return m, true
			}
		}
		return tgsim.Message{}, false
	})
}

// Wait waits, for two minutes at most, until a chat is as wanted.
func (h *Harness) Wait(user int64, what string, found func([]tgsim.Message) (tgsim.Message, bool)) tgsim.Message {
	h.T.Helper()
	for range 240 {
		if m, ok := found(h.Telegram.Messages(user)); ok {
			return m
		}
		h.Pass(500 * time.Millisecond)
	}
	h.T.Fatalf("waited in vain for %s; the chat is:\n%s\nlog:\n%s", what, h.Transcript(user), h.Log.String())
	return tgsim.Message{}
}

// Link links the test's key in the person's chat.
func (h *Harness) Link(user int64) {
	h.T.Helper()
	h.Say(user, "/start")
	h.Say(user, "/key "+TestKey)
	h.See(user, "Boutique El Djazair")
}

// Transcript is the chat as a person would tell it.
func (h *Harness) Transcript(chat int64) string {
	var b strings.Builder
	for _, m := range h.Telegram.Messages(chat) {
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

// dial connects the bot.
func (h *Harness) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := h.Net.Dial(ctx, network, addr)
	if err == nil && h.Watch != nil {
		c = h.Watch(addr, c)
	}
	return c, err
}

// database is where the bot's file is, or the path that stands for its database on a server.
func (h *Harness) database() string { return filepath.Join(h.Dir, "data", "bot.db") }

// serve puts a handler on the network until the test ends.
func (h *Harness) serve(addr string, handler http.Handler) {
	l, err := h.Net.Listen("tcp", addr)
	h.Must(err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := app.ServeHTTP(ctx, l, handler); err != nil {
			h.T.Errorf("serve %s: %v", addr, err)
		}
	}()
	h.Stops = append(h.Stops, func() { cancel(); <-done })
}

// asTelegramHasIt fails the test if the bot has asked for what the Bot API does not have, or what the simulated one
// does not do.
func (h *Harness) asTelegramHasIt() {
	for what, list := range map[string][]string{"unsupported": h.Telegram.Unsupported(), "without effect": h.Telegram.Ignored(), "wrong": h.Telegram.Complaints()} {
		if len(list) > 0 {
			h.T.Errorf("%s: %v", what, list)
		}
	}
}

// noSecretsInLog fails the test if a secret was logged.
func (h *Harness) noSecretsInLog() {
	for _, s := range []string{TestToken, TestKey} {
		if strings.Contains(h.Log.String(), s) {
			h.T.Errorf("the log shows the secret %q", s)
		}
	}
	for _, o := range h.Service.Orders() {
		if o.Code != "" && strings.Contains(h.Log.String(), o.Code) {
			h.T.Errorf("the log shows the code of order %s", o.ID)
		}
	}
}

// Plain takes out what only steers the direction and breaking of text.
func Plain(s string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "", "\u00a0", " ", "\u202f", " ").Replace(s)
}

// LockedBuffer is a log that may be written to from everywhere.
type LockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *LockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is what was written so far.
func (l *LockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
