package proof

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/seal"
)

// liveBot is the real program as a process of its own, between the two simulators over loopback HTTP.
type liveBot struct {
	t        *testing.T
	service  *sim.Server
	telegram *tgsim.Server
	gate     killGate
	env      []string
	database string
	bot      *apptest.Process
	parked   int // updates that were set aside

	replicas *replicas // nil: it is one process, over a file
}

// newLiveBot builds the program, and the simulators around it.
func newLiveBot(t *testing.T, o sim.Options) *liveBot {
	t.Helper()
	l := &liveBot{t: t, service: sim.New(o), telegram: tgsim.New(tgsim.Options{Token: killToken, BotName: "shop_bot"})}
	l.database = filepath.Join(t.TempDir(), "bot.db")
	apptest.Program(t) // which takes its time: the people are to meet the bot
	return l
}

// wire serves the simulators, the service through a handler of the caller's, and says how the program finds them.
func (l *liveBot) wire(service http.Handler, more ...string) {
	l.t.Helper()
	base := l.serve(&l.gate, service)
	l.env = append([]string{
		"TELEGRAM_BOT_TOKEN=" + killToken, "TELEGRAM_API_URL=" + base, "RESELLER_API_URL=" + base + "/api",
		"ENCRYPTION_KEYS=" + l.encryptionKeys(), "DATABASE_PATH=" + l.database,
	}, more...)
}

func (l *liveBot) encryptionKeys() string {
	return "k1:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
}

// serve serves the service under /api/ and Telegram everywhere else, behind a gate.
func (l *liveBot) serve(gate *killGate, service http.Handler) (base string) {
	l.t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/api/", service)
	mux.Handle("/", l.telegram)
	gate.inner = mux
	return "http://" + l.listen(gate, nil)
}

// listen serves a handler at an address of its own, which it returns, over TLS where that is not nil.
func (l *liveBot) listen(handler http.Handler, secured *tls.Config) (address string) {
	l.t.Helper()
	listener, err := new(net.ListenConfig).Listen(l.t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	address = listener.Addr().String()
	if secured != nil {
		listener = tls.NewListener(listener, secured)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- app.ServeHTTP(ctx, listener, handler) }()
	l.t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			l.t.Errorf("serve: %v", err)
		}
	})
	return address
}

func (l *liveBot) logf(format string, args ...any) { l.t.Helper(); l.t.Logf(format, args...) }

// start starts the program.
func (l *liveBot) start() *apptest.Process {
	l.t.Helper()
	if l.replicas != nil {
		return l.replicas.each[0].start()
	}
	return apptest.Launch(l.t, filepath.Dir(l.database), l.env)
}

// killAt kills the bot after some time, or at a request, which then gets no further. It names the moment.
func (l *liveBot) killAt(what killTrap, wait time.Duration) string {
	l.t.Helper()
	sprung := l.gate.set(what)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	name := "after a time"
	select {
	case <-sprung:
		name = what.String()
	case <-timer.C:
	case <-l.bot.Ended:
		l.t.Fatalf("the bot ended by itself: %v\n%s", l.bot.Err, l.bot.Log)
	}
	l.bot.Kill()
	l.gate.clear()
	return name
}

// stop stops the bot as an operator does.
func (l *liveBot) stop() {
	l.t.Helper()
	if err := l.bot.Command.Process.Signal(syscall.SIGTERM); err != nil {
		l.t.Fatal(err)
	}
	select {
	case <-l.bot.Ended:
	case <-time.After(15 * time.Second):
		l.t.Fatalf("the bot does not stop\n%s", l.bot.Log)
	}
	if l.bot.Err != nil {
		l.t.Errorf("the bot ends with %v\n%s", l.bot.Err, l.bot.Log)
	}
	l.secretsIn(l.bot)
}

// inStore opens the database that the bot has left, checks it, and reads it.
func (l *liveBot) inStore(read func(ctx context.Context, s *store.Store)) {
	l.t.Helper()
	e, err := l.openDatabase()
	if err != nil {
		l.t.Fatalf("open the database: %v", err)
	}
	defer e.Close()
	keyring, err := seal.ParseKeyring(l.encryptionKeys())
	if err != nil {
		l.t.Fatal(err)
	}
	ctx := context.Background()
	s, err := store.Open(ctx, e, keyring)
	if err != nil {
		l.t.Fatalf("open the store: %v", err)
	}
	problems, err := s.Check(ctx)
	if err != nil || len(problems) > 0 {
		l.t.Fatalf("the database is not sound: %v %v", problems, err)
	}
	read(ctx, s)
}

// openDatabase opens what no bot works with: of a server's database a copy of one moment, which needs no lease, and so no time.
func (l *liveBot) openDatabase() (store.Engine, error) {
	path, fatal := l.database, func(err error) { l.t.Error(err) }
	if l.replicas == nil {
		return bolt.Open(path, bolt.Options{Fatal: fatal})
	}
	from, err := postgres.OpenToRead(l.t.Context(), l.replicas.address)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	to, err := bolt.Open(filepath.Join(l.t.TempDir(), "copy.db"), bolt.Options{NoSync: true, Fatal: fatal})
	if err != nil {
		return nil, err
	}
	return to, store.CopyRecords(l.t.Context(), from, to)
}

// secretsIn fails the test if a life's log shows a secret.
func (l *liveBot) secretsIn(p *apptest.Process) {
	l.t.Helper()
	log := p.Log.String()
	for _, secret := range []string{killToken, killKeys, strings.TrimPrefix(l.encryptionKeys(), "k1:")} {
		if strings.Contains(log, secret) {
			l.t.Errorf("the log shows the secret %q", secret)
		}
	}
	if code := simCodeForm.FindString(log); code != "" {
		l.t.Errorf("the log shows the code %s", code)
	}
	if strings.Contains(log, "panic") {
		l.t.Errorf("the log tells of a panic:\n%s", log)
	}
	l.parked += strings.Count(log, "an update is parked")
}

func (l *liveBot) transcript(chat int64) string {
	return (&apptest.Harness{Telegram: l.telegram}).Transcript(chat)
}
