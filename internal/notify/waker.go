package notify

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"resellerbot/internal/store"
)

const (
	// beat is how often a queue is looked at when nothing wakes its worker: a hint can be lost, and a
	// second process can queue something.
	beat = time.Second
	// breath is the least time between two claims, so that a queue that cannot be claimed costs no core.
	breath = 5 * time.Millisecond
	// lease is how long a claim holds. It outlasts a round of work, see roundTime.
	lease = time.Minute
)

// leaseFrom is how long a claim holds on what is due at a moment, which may be to come: a lease from now, so
// that the next process finds all of them within one.
func leaseFrom(due time.Time) time.Duration {
	return max(lease-time.Until(due), time.Microsecond) // what is claimed is not due at that moment any more
}

// waker tells a worker when its queue has something due.
type waker struct {
	store *store.Store
	kind  store.Kind
	nudge chan struct{} // buffered 1
	last  time.Time     // when it rang last
}

func newWaker(s *store.Store, kind store.Kind) waker {
	return waker{store: s, kind: kind, nudge: make(chan struct{}, 1)}
}

// wake wakes the worker whatever is due.
func (a *waker) wake() {
	select {
	case a.nudge <- struct{}{}:
	default:
	}
}

// wait returns true when something is due or wake was called, false when ctx is done.
func (a *waker) wait(ctx context.Context) bool {
	return a.waitUntil(ctx, func() time.Time { return time.Time{} })
}

// waitUntil is wait for a worker that has something to do at a moment of its own as well; zero is none.
func (a *waker) waitUntil(ctx context.Context, own func() time.Time) bool {
	for rung := false; !rung; {
		d := a.untilDue(ctx)
		if at := own(); !at.IsZero() {
			d = min(d, time.Until(at))
		}
		d = max(d, time.Until(a.last.Add(breath)))
		if d <= 0 || ctx.Err() != nil {
			break
		}
		rung = a.sleep(ctx, min(d, beat))
	}
	a.last = time.Now()
	return ctx.Err() == nil
}

// sleep passes up to d, less when something is queued, and reports whether wake was called.
func (a *waker) sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-a.store.Wake(a.kind):
	case <-a.nudge:
		return true
	}
	return false
}

// untilDue is how long nothing will be due; a beat where that cannot be told.
func (a *waker) untilDue(ctx context.Context) time.Duration {
	due, queued, err := a.store.NextDue(ctx, a.kind)
	if err != nil || !queued {
		return beat
	}
	return time.Until(due)
}

// guard turns a panic into an error: a defect costs the one message or batch at hand, not the process.
// The value is not told: it may hold what must not be logged.
func guard(log *slog.Logger, what string, fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %s: panic of type %T", errDefect, what, r)
			log.Error("panic", "in", what, "type", fmt.Sprintf("%T", r), "stack", string(debug.Stack()))
		}
	}()
	return fn()
}
