package app

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// health knows why the bot is not ready to serve people, if it is not.
type health struct {
	mu      sync.Mutex
	reasons map[string]reason // by the part that is not well
}

// reason is why a part is not well; until is when that is taken for over, zero for when it says so.
type reason struct {
	text  string
	until time.Time
}

// lasts reports whether it is not over yet.
func (r reason) lasts(now time.Time) bool { return r.until.IsZero() || now.Before(r.until) }

// The parts that have to be well.
const (
	partStore    = "database"
	partTelegram = "Telegram"
	partUpdates  = "updates"
	partConflict = "conflict"
	partProcess  = "process"
)

// newHealth is the health of a process that has just begun.
func newHealth() *health {
	return &health{reasons: map[string]reason{
		partStore:    {text: "it is being opened"},
		partTelegram: {text: "it has not answered yet"},
	}}
}

// ill notes why a part is not well, until it is said to be well.
func (h *health) ill(part, why string) { h.illFor(part, why, time.Time{}) }

// illFor is ill for a trouble that is over when nobody has spoken of it until then.
func (h *health) illFor(part, why string, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reasons[part] = reason{why, until}
}

// well ends the trouble of a part, if there is one.
func (h *health) well(part string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.reasons, part)
}

// has reports whether a part is not well.
func (h *health) has(part string, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ill := h.reasons[part]
	return ill && r.lasts(now)
}

// troubles lists what keeps the bot from being ready, a line for each part.
func (h *health) troubles(now time.Time) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var lines []string
	for _, part := range slices.Sorted(maps.Keys(h.reasons)) {
		if r := h.reasons[part]; r.lasts(now) {
			lines = append(lines, part+": "+r.text)
		}
	}
	return lines
}

// front is what stands at HTTP_ADDR (contract). It opens before the rest of the program is built and closes
// after it, so that whoever asks meanwhile learns what is waited for.
type front struct {
	health  *health
	metrics late
	webhook late

	listener net.Listener // nil: none
	refused  error        // why there is none, although one was asked for
	failed   chan error   // the server ended by itself
	done     chan struct{}
	stop     context.CancelFunc
}

// openFront listens at addr, unless that is empty, and serves. That it cannot is told by build: the program may
// have a better reason not to start.
func openFront(listen func(network, addr string) (net.Listener, error), addr string) *front {
	f := &front{health: newHealth(), failed: make(chan error, 1), done: make(chan struct{}), stop: func() {}}
	if addr == "" {
		close(f.done)
		return f
	}
	f.listener, f.refused = listen("tcp", addr)
	if f.refused != nil {
		close(f.done)
		return f
	}
	// Not of the program's context: the front answers until everything else has stopped.
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	go func() {
		defer close(f.done)
		if err := ServeHTTP(ctx, f.listener, f.handler()); err != nil {
			// It has room for one, and this goroutine writes no more: nobody need wait in watch.
			f.failed <- err
		}
	}()
	return f
}

// watch waits for ctx, or for the server to fail.
func (f *front) watch(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-f.failed:
		return err
	}
}

// close stops serving.
func (f *front) close() {
	f.stop()
	<-f.done
}

// handler serves what the contract names.
func (f *front) handler() http.Handler {
	mux := http.NewServeMux()
	for _, path := range []string{"GET /healthz", "GET /livez"} { // both: of a process that stands by as well
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") })
	}
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if troubles := f.health.troubles(time.Now()); len(troubles) > 0 {
			http.Error(w, strings.Join(troubles, "\n"), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ready\n")
	})
	mux.Handle("GET /metrics", &f.metrics)
	mux.Handle("/telegram/", &f.webhook)
	return mux
}

// late is a handler that comes later.
type late struct{ handler atomic.Pointer[http.Handler] }

// ServeHTTP implements http.Handler.
func (l *late) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := l.handler.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	// Telegram delivers an update again that was answered so, and a scraper asks again.
	w.Header().Set("Retry-After", "1")
	http.Error(w, "the bot is starting", http.StatusServiceUnavailable)
}

// set makes the handler known.
func (l *late) set(h http.Handler) { l.handler.Store(&h) }

// ServeHTTP serves a handler on a listener until ctx is done. Nobody holds a connection without asking.
func ServeHTTP(ctx context.Context, l net.Listener, h http.Handler) error {
	return Serve(ctx, l, &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
	})
}

// Serve runs a server on a listener until ctx is done.
func Serve(ctx context.Context, l net.Listener, s *http.Server) error {
	// Close and not Shutdown: a request that hangs must not hold up a stop, and whoever asked asks again.
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
