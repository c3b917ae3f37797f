package proof

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

// How far away the two services are from the bot, where it is measured how long people wait.
const (
	serviceAway  = 150 * time.Millisecond
	telegramAway = 50 * time.Millisecond
)

// TestSpeed measures what a person waits for: the real program as a process, between the two simulators over HTTP, and,
// for what an update costs, a bot of the bare library beside it, in turns. It tells figures, and fails only where
// something is lost or refused.
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
}

// speedBot is a process that is measured, and what it talks to.
type speedBot struct {
	t        *testing.T
	service  *sim.Server
	telegram *tgsim.Server
	wire     *speedWire
	base     string
	command  *exec.Cmd
	database string
	log      apptest.LockedBuffer
	limits   []string // of the environment
}

// newSpeedBot makes what a bot talks to: in the next room, or as far away as it is, where the codes that arrive are noted.
func newSpeedBot(t *testing.T, o tgsim.Options, away bool) *speedBot {
	t.Helper()
	o.Token, o.BotName = killToken, "shop_bot"
	b := &speedBot{t: t, service: sim.New(sim.Options{Seed: 1}), telegram: tgsim.New(o), database: filepath.Join(t.TempDir(), "bot.db")}
	b.wire = &speedWire{service: b.service, telegram: b.telegram, away: away, codes: map[string]time.Time{}, calls: map[string]int{}}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: b.wire, ReadHeaderTimeout: time.Minute}
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
	e, err := bolt.Open(b.database, bolt.Options{Fatal: func(err error) { b.t.Error(err) }})
	if err != nil {
		b.t.Fatal(err)
	}
	defer e.Close()
	ring, err := seal.ParseKeyring(speedKeys())
	if err != nil {
		b.t.Fatal(err)
	}
	ctx := context.Background()
	s, err := store.Open(ctx, e, ring)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := write(ctx, s); err != nil {
		b.t.Fatal(err)
	}
}

// start starts the program that is measured, and waits until it polls.
func (b *speedBot) start() {
	b.t.Helper()
	program := os.Getenv("SPEED_BOT")
	if program == "" {
		program = apptest.Program(b.t)
	}
	b.launch(program, append([]string{
		"TELEGRAM_BOT_TOKEN=" + killToken, "TELEGRAM_API_URL=" + b.base, "RESELLER_API_URL=" + b.base + "/api", "ENCRYPTION_KEYS=" + speedKeys(),
		"DATABASE_PATH=" + b.database, "HTTP_ADDR=", "DEFAULT_LANGUAGE=en", "BALANCE_SCHEDULE=@every 24h", "STOCK_SCHEDULE=@every 24h",
	}, b.limits...))
}

// launch starts a process on the processor that the load does not run on.
func (b *speedBot) launch(program string, env []string, args ...string) {
	b.t.Helper()
	b.command = exec.CommandContext(context.Background(), program, args...) //nolint:gosec // it is the test's
	b.command.Env, b.command.Dir = env, filepath.Dir(b.database)
	b.command.Stdout, b.command.Stderr = &b.log, &b.log
	if _, err := b.command.StdinPipe(); err != nil {
		b.t.Fatal(err)
	}
	if err := b.command.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(b.stop)
	pin(b.t, b.command.Process.Pid, 1)
	b.until("the bot polls", func() bool { return b.telegram.Calls()["getupdates"] > 0 })
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
	for end := time.Now().Add(time.Minute); !done(); <-time.After(2 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("%s: not in time: %v\n%s", what, b.telegram.Calls(), lastLines(b.log.String()))
		}
	}
}

// pin keeps a process on one processor, where there are several and the system lets it.
func pin(t *testing.T, pid, processor int) {
	t.Helper()
	if err := exec.CommandContext(t.Context(), "taskset", "-a", "-p", "-c", strconv.Itoa(processor), strconv.Itoa(pid)).Run(); err != nil { //nolint:gosec // numbers
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
func (b *speedBot) resident() string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.command.Process.Pid)) // a figure beside others
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// speedWire is where all requests pass: it takes its time, and notes what has arrived when.
type speedWire struct {
	service, telegram http.Handler

	away bool // calls take their time, and are noted

	mu    sync.Mutex
	codes map[string]time.Time // when Telegram had each first
	calls map[string]int       // of the service, and of Telegram by method; those that were refused begin with "429"
}

// ServeHTTP implements http.Handler.
func (w *speedWire) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	kind := kindOf(r)
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/"):
		<-time.After(serviceAway / 2)
		w.answer(to, r, w.service, r.Method+" "+kind, serviceAway/2)
	case kind == "getupdates" || !w.away:
		w.telegram.ServeHTTP(to, r)
	default:
		<-time.After(telegramAway / 2)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if w.answer(to, r, w.telegram, kind, telegramAway/2) {
			w.note(body)
		}
	}
}

// answer has a request answered, with the way back, and reports whether it was done.
func (w *speedWire) answer(to http.ResponseWriter, r *http.Request, from http.Handler, kind string, back time.Duration) bool {
	answer := httptest.NewRecorder()
	from.ServeHTTP(answer, r)
	w.mu.Lock()
	w.calls[kind]++
	if answer.Code == http.StatusTooManyRequests {
		w.calls["429 "+kind]++
	}
	w.mu.Unlock()
	<-time.After(back)
	maps.Copy(to.Header(), answer.Header())
	to.WriteHeader(answer.Code)
	_, _ = to.Write(answer.Body.Bytes())
	return answer.Code == http.StatusOK
}

// note notes the codes that Telegram has by now.
func (w *speedWire) note(body []byte) {
	at := time.Now().Add(-telegramAway / 2) // the way back
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, code := range simCodeForm.FindAll(body, -1) {
		if _, known := w.codes[string(code)]; !known {
			w.codes[string(code)] = at
		}
	}
}

// count is how often something was called.
func (w *speedWire) count(kind string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[kind]
}

// refusals are how often Telegram, or the service, has refused a call as one too many.
func (w *speedWire) refusals() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for kind, calls := range w.calls {
		if strings.HasPrefix(kind, "429 ") {
			n += calls
		}
	}
	return n
}

// waits are how long something took, each time.
type waits []time.Duration

// part is what so much of them took at most.
func (l waits) part(share float64) time.Duration {
	if len(l) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func (l waits) String() string {
	return fmt.Sprintf("p50 %.2f s, p95 %.2f s, p99 %.2f s, of %d", l.part(0.5).Seconds(), l.part(0.95).Seconds(), l.part(0.99).Seconds(), len(l))
}

// lastLines is the end of a log.
func lastLines(log string) string { return log[max(0, len(log)-2000):] }
