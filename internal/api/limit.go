package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/sliding"
)

const (
	minute     = time.Minute
	firstRest  = time.Second
	longest    = time.Minute
	patience   = 10 * time.Second // how long a person's call waits for a rest to end
	postShare  = 3                // 1/3 of the POSTs and 1/4 of the GETs are for people alone
	getShare   = 4
	safetyEdge = 50 * time.Millisecond // clocks and networks jitter: a window is kept a little longer
	burst      = 0.5                   // of polling's share, that it may spend at once
	flow       = 0.65                  // of it, that becomes free in a minute besides: after a burst the window says less
)

// limiter keeps one rate counter of the service: GETs and POSTs over every 60 seconds, exactly, and the
// rest that a 429 asks for. People come first: a share of the budget is theirs alone.
type limiter struct {
	mu     sync.Mutex
	gets   window
	posts  window
	rest   time.Time     // no call before
	refuse time.Duration // the last rest, doubled by the next 429
}

func newLimiter(gets, posts int) *limiter {
	return &limiter{gets: newWindow(gets, getShare), posts: newWindow(posts, postShare)}
}

// window is the calls of one method in the last minute, and what of it is for whom. People's calls are charged to their
// reserve first: only what they make beyond it is taken from polling's share.
type window struct {
	sent   *sliding.Window
	polled *sliding.Window // of these, polling's; nil where none is for it
	series int             // calls that are there for series, of the limit
	pace   Allowance       // what polling should spend, as of at; the windows say what it may
	at     time.Time
}

func newWindow(limit, share int) window {
	const span = minute + safetyEdge
	// Rounded up: people have at least one call, however small the limit is.
	reserve := (limit + share - 1) / share
	// Example: of 60 GETs a minute 15 are for people alone. Polling and series may make 45; polling should spend 22.5 at once at most, and
	// 29.25 in each minute besides.
	w := window{sent: sliding.New(limit, span), series: max(limit-reserve, 1)}
	if polled := float64(limit - reserve); polled > 0 {
		w.polled = sliding.New(limit-reserve, span)
		most := max(polled*burst, 1)
		w.pace = Allowance{Left: most, Most: most, PerSecond: max(polled*flow, 1) / minute.Seconds()}
	}
	return w
}

// halfUsed takes half of each window as used at a moment: by a process whose calls are not known.
func (l *limiter) halfUsed(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gets.halfUsed(at)
	l.posts.halfUsed(at)
}

func (w *window) halfUsed(at time.Time) {
	// Each call is entered as one of that moment, so that all of them become free together, a minute after it.
	for range w.sent.Limit() / 2 {
		w.sent.Add(at)
	}
	if w.polled == nil {
		return
	}
	for range w.polled.Limit() / 2 {
		w.polled.Add(at)
	}
	w.pace.Left, w.at = w.pace.Most/2, at
}

// Allowance is what polling should still spend of a budget: so many calls at once, and others as they become
// free. Whoever keeps to it always has some left for what is new.
type Allowance struct {
	Left      float64   // calls, now
	Most      float64   // that can be saved up
	PerSecond float64   // that become free
	NotBefore time.Time // no call is to be made earlier
}

// spend counts a call at now and returns zero, or returns how long until one is free.
func (w *window) spend(now time.Time, l caller) time.Duration {
	free := w.sent.Open()
	if l == several {
		free = later(free, w.sent.Free(w.series))
	}
	if l == polling {
		// Nothing of so small a limit is left for polling: it asks again after a whole window.
		if w.polled == nil {
			return minute
		}
		free = later(free, w.polled.Open())
	}
	if now.Before(free) {
		return free.Sub(now)
	}
	// Counted before it goes out, and never taken back: a call that was not answered may have reached the service's counter.
	w.sent.Add(now)
	if l == polling {
		w.polled.Add(now)
		w.flow(now)
		w.pace.Left = max(w.pace.Left-1, 0)
	}
	return 0
}

// flow adds what has become free since.
func (w *window) flow(now time.Time) {
	w.pace.Left = min(w.pace.Most, w.pace.Left+w.pace.PerSecond*now.Sub(w.at).Seconds())
	w.at = now
}

// allowance is what polling should spend. Where people have made more calls than are theirs, that is what they have left.
func (w *window) allowance(now time.Time) Allowance {
	w.flow(now)
	a := w.pace
	if w.polled == nil {
		return a
	}
	free := min(w.sent.Left(now), w.polled.Left(now))
	if free == 0 {
		a.NotBefore = later(w.sent.Open(), w.polled.Open())
	}
	a.Left = min(a.Left, float64(free))
	return a
}

// later is the later of two moments.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// acquire waits until a call may be made. A person's call waits for budget as long as ctx lasts, and for
// a rest as long as it is short; polling and series do not wait. What cannot be waited for is Limited.
func (l *limiter) acquire(ctx context.Context, op, method string) error {
	for {
		wait, resting := l.try(time.Now(), method, callerOf(ctx))
		if wait == 0 {
			return nil
		}
		// Polling and series come again by themselves. A person waits for budget while their call lasts, but not for a long rest: they
		// are told.
		if callerOf(ctx) != people || resting && wait > patience || beyond(ctx, wait) {
			return &Error{Op: op, Class: Limited, RetryAfter: wait}
		}
		if !backoff.Sleep(ctx, wait) {
			return &Error{Op: op, Class: Limited, RetryAfter: wait, Err: ctx.Err()}
		}
	}
}

// beyond reports whether ctx ends before a wait does.
func beyond(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < wait
}

// try counts a call or says how long to wait, and whether for a rest.
func (l *limiter) try(now time.Time, method string, who caller) (wait time.Duration, resting bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// For all callers alike: a 429 is about the key, and not about who waits.
	if wait := l.rest.Sub(now); wait > 0 {
		return wait, true
	}
	w := &l.gets
	if method == http.MethodPost {
		w = &l.posts
	}
	return w.spend(now, who), false
}

// allowance is what polling should still spend of a method's budget.
func (l *limiter) allowance(now time.Time, method string) Allowance {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &l.gets
	if method == http.MethodPost {
		w = &l.posts
	}
	a := w.allowance(now)
	if l.rest.After(a.NotBefore) {
		a.NotBefore = l.rest
	}
	return a
}

// Allowance is what calls in the background (InBackground) should still spend of the key's budget for a
// method. It counts nothing.
func (s *Session) Allowance(method string) Allowance {
	return s.state.limiter.allowance(time.Now(), method)
}

// refused notes a 429: the counter rests for 1, 2, 4 … 60 s, or as long as the service asked for.
func (l *limiter) refused(asked time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refuse == 0 || !time.Now().Before(l.rest) { // refusals of calls that were under way together are one
		// A rest that is over counts on: only a call that is taken (accepted) begins the doubling anew.
		l.refuse = min(max(2*l.refuse, firstRest), longest)
	}
	wait := max(l.refuse, asked)
	if until := time.Now().Add(wait); until.After(l.rest) { // calls that were under way do not cut a rest short
		l.rest = until
	}
	return wait
}

// resting reports whether a 429 still asks for quiet.
func (l *limiter) resting(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Before(l.rest)
}

// accepted notes that the service took a call.
func (l *limiter) accepted() {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Only the doubling begins anew. rest stays: what is answered now may have been asked before the 429.
	l.refuse = 0
}
