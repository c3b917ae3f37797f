package proof

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/seal"
)

// TestSpeed measures what an update costs the real program as a process, loaded over HTTP by the simulated Telegram, and a
// bot of the bare library beside it, in turns. It tells figures, and fails only where an answer is missing.
//
// SPEED=full plays all of it, SPEED=short a part for every night. SPEED_BOT is another program to measure.
func TestSpeed(t *testing.T) {
	size := os.Getenv("SPEED")
	if size == "" {
		t.Skip("it takes real time, and a machine of its own: make speed")
	}
	full := size == "full"
	pin(t, os.Getpid(), 0)
	t.Run("updates", func(t *testing.T) { measureUpdates(t, full) })
	t.Run("TLS", func(t *testing.T) { measureSecure(t, full) })
	t.Run("backlog", measureBacklog)
	open, over := []int{100, 10_000}, 75*time.Second
	if full {
		open, over = []int{100, 10_000, 100_000}, 2*time.Minute
	}
	for _, many := range open {
		t.Run(fmt.Sprint("open/", many), func(t *testing.T) { measureOpen(t, many, over) })
	}
}

// speedBot is a process that is measured, and what it talks to.
type speedBot struct {
	t        *testing.T
	service  *sim.Server
	telegram *tgsim.Server
	base     string
	handler  http.Handler // what is served at base
	command  *exec.Cmd
	database string
	log      apptest.LockedBuffer
	begun    time.Time
	limits   []string     // of the environment
	address  string       // of a server's database; empty: it is a file
	pause    atomic.Int64 // how long Telegram takes over a message, in ns
}

// newSpeedBot makes what a bot talks to.
func newSpeedBot(t *testing.T) *speedBot {
	t.Helper()
	service := sim.New(sim.Options{Seed: 1})
	b := newSpeedBotWith(t, service)
	b.service = service
	return b
}

// newSpeedBotWith is newSpeedBot with another service.
func newSpeedBotWith(t *testing.T, service http.Handler) *speedBot {
	t.Helper()
	telegram := tgsim.New(tgsim.Options{Token: killToken, BotName: "shop_bot"})
	return newSpeedBotBetween(t, service, telegram, telegram)
}

// newSpeedBotBetween is newSpeedBot between a service and a Telegram that are reached through handlers.
func newSpeedBotBetween(t *testing.T, service http.Handler, telegram *tgsim.Server, reached http.Handler) *speedBot {
	t.Helper()
	b := &speedBot{t: t, telegram: telegram, database: filepath.Join(t.TempDir(), "bot.db")}
	mux := http.NewServeMux()
	mux.Handle("/api/", service)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/sendMessage") {
			<-time.After(time.Duration(b.pause.Load()))
		}
		reached.ServeHTTP(w, r)
	})
	b.handler = mux
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	b.base = "http://" + listener.Addr().String()
	return b
}

func speedKeys() string {
	return "k1:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
}

// seed writes into the database that the program is to find.
func (b *speedBot) seed(write func(ctx context.Context, s *store.Store) error) {
	b.t.Helper()
	e, err := b.open()
	if err != nil {
		b.t.Fatal(err)
	}
	defer e.Close()
	keyring, err := seal.ParseKeyring(speedKeys())
	if err != nil {
		b.t.Fatal(err)
	}
	ctx := context.Background()
	s, err := store.Open(ctx, e, keyring)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := write(ctx, s); err != nil {
		b.t.Fatal(err)
	}
}

// open opens its database.
func (b *speedBot) open() (store.Engine, error) {
	fatal := func(err error) { b.t.Error(err) }
	if b.address == "" {
		return bolt.Open(b.database, bolt.Options{Fatal: fatal})
	}
	return postgres.Open(b.t.Context(), b.address, postgres.Options{Fatal: fatal, Lost: fatal})
}

// start starts the program that is measured, and waits until it polls.
func (b *speedBot) start() {
	b.t.Helper()
	b.launch(b.program(), b.env())
}

// program is the program that is measured.
func (b *speedBot) program() string {
	b.t.Helper()
	if program := os.Getenv("SPEED_BOT"); program != "" {
		return program
	}
	return apptest.Program(b.t)
}

// env is its configuration.
func (b *speedBot) env() []string {
	database := "DATABASE_PATH=" + b.database
	if b.address != "" {
		database = "DATABASE_URL=" + b.address
	}
	return append([]string{
		"TELEGRAM_BOT_TOKEN=" + killToken, "TELEGRAM_API_URL=" + b.base, "RESELLER_API_URL=" + b.base + "/api", "ENCRYPTION_KEYS=" + speedKeys(),
		database, "HTTP_ADDR=", "DEFAULT_LANGUAGE=en", "BALANCE_SCHEDULE=@every 24h", "STOCK_SCHEDULE=@every 24h",
	}, b.limits...)
}

// launch starts a process on the processor that the load does not run on, and waits until it polls.
func (b *speedBot) launch(program string, env []string, args ...string) {
	b.t.Helper()
	b.launchUntil(program, env, func() bool { return b.telegram.Calls()["getupdates"] > 0 }, args...)
}

// launchUntil is launch with another end of the waiting.
func (b *speedBot) launchUntil(program string, env []string, done func() bool, args ...string) {
	b.t.Helper()
	b.command = exec.CommandContext(context.Background(), program, args...)
	b.command.Env, b.command.Dir = env, filepath.Dir(b.database)
	b.command.Stdout, b.command.Stderr = &b.log, &b.log
	if _, err := b.command.StdinPipe(); err != nil {
		b.t.Fatal(err)
	}
	b.begun = time.Now()
	if err := b.command.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(b.stop)
	pin(b.t, b.command.Process.Pid, 1)
	b.until("the bot polls", done)
}

func (b *speedBot) stop() {
	if b.command == nil {
		return
	}
	_ = b.command.Process.Signal(syscall.SIGTERM)
	_ = b.command.Wait()
	b.command = nil
}

// until waits for something, for as long as that may take.
func (b *speedBot) until(what string, done func() bool) {
	b.t.Helper()
	for end := time.Now().Add(5 * time.Minute); !done(); <-time.After(2 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("%s: not in time: %v\n%s", what, b.telegram.Calls(), lastLines(b.log.String()))
		}
	}
}

// pin keeps a process on one processor, where there are several and the system lets it.
func pin(t *testing.T, pid, processor int) {
	t.Helper()
	if err := exec.CommandContext(t.Context(), "taskset", "-a", "-p", "-c", strconv.Itoa(processor), strconv.Itoa(pid)).Run(); err != nil {
		t.Logf("process %d is not kept on a processor: %v", pid, err)
	}
}

// spent is the processor time that a process has had.
func (b *speedBot) spent() time.Duration {
	b.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", b.command.Process.Pid))
	if err != nil {
		b.t.Fatal(err)
	}
	const user, system, tick = 11, 12, 10 * time.Millisecond // behind the name
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var sum time.Duration
	for _, i := range []int{user, system} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			b.t.Fatal(err)
		}
		sum += time.Duration(n) * tick
	}
	return sum
}

// resident is the most memory that a process has had.
func (b *speedBot) resident() string { return b.memory("VmHWM") }

// memory is a line of what the system knows of a process's memory: VmRSS is what it has, VmHWM what it has had at most.
func (b *speedBot) memory(line string) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.command.Process.Pid)) // a figure beside others
	_, rest, _ := strings.Cut(string(text), line+":")
	value, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(value)
}

// lastLines is the end of a log.
func lastLines(log string) string { return log[max(0, len(log)-2000):] }
