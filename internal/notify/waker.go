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
	// beat is how often a queue is looked at when nothing wakes its worker: a second process can queue something.
	beat = time.Second
	// slowBeat is beat where there is no second process, and nothing is in hand: then hints tell of all but a clock that
	// was set.
	slowBeat = 10 * time.Second
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
	timer *time.Timer   // of the worker that waits; made by its first wait
	last  time.Time     // when it woke its worker last
}

func newWaker(s *store.Store, kind store.Kind) waker {
	return waker{store: s, kind: kind, nudge: make(chan struct{}, 1)}
}

// wake wakes the worker whatever is due.
func (w *waker) wake() {
	select {
	case w.nudge <- struct{}{}:
	default:
	}
}

// wait returns true when something is due or wake was called, false when ctx is done.
func (w *waker) wait(ctx context.Context) bool {
	return w.waitUntil(ctx, func() time.Time { return time.Time{} })
}

// waitUntil is wait for a worker that has something to do at a moment of its own as well; zero is none.
func (w *waker) waitUntil(ctx context.Context, own func() time.Time) bool {
	for woken := false; !woken; {
		d := w.untilDue(ctx)
		if at := own(); !at.IsZero() {
			// A beat at most, also where at is far: the moment of one's own may change while nobody wakes the worker, as a budget does.
			d = min(d, time.Until(at), beat)
		}
		d = max(d, time.Until(w.last.Add(breath)))
		if d <= 0 || ctx.Err() != nil {
			break
		}
		woken = w.sleep(ctx, d)
	}
	w.last = time.Now()
	return ctx.Err() == nil
}

// sleep passes up to d, less when something is queued, and reports whether wake was called.
func (w *waker) sleep(ctx context.Context, d time.Duration) bool {
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		// Nothing has to be drained: since Go 1.23 no tick of before can be left in the channel.
		w.timer.Reset(d)
	}
	select {
	case <-ctx.Done():
	case <-w.timer.C:
	// A hint that something was queued, perhaps for later: waitUntil asks when it is due.
	case <-w.store.Wake(w.kind):
	case <-w.nudge:
		return true
	}
	return false
}

// untilDue is how long nothing will be due, and a beat at most.
func (w *waker) untilDue(ctx context.Context) time.Duration {
	most := beat
	if w.store.Alone() {
		most = slowBeat
	}
	due, queued, err := w.store.NextDue(ctx, w.kind)
	switch {
	case err != nil:
		// What cannot be read is asked again with the beat: a worker must not sleep for slowBeat on an error.
		return beat
	case !queued:
		return most
	}
	return min(time.Until(due), most)
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
