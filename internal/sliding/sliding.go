// Package sliding keeps to a limit over any span of time: a sliding window.
package sliding

import (
	"slices"
	"sort"
	"time"
)

// Window remembers when something was done last, as often as a limit allows it within any span, and has room for as many
// moments as there were within one. It is not safe for concurrent use.
type Window struct {
	span  time.Duration
	limit int
	at    []time.Time // a ring buffer
	next  int         // the oldest
}

// New is a window of a limit, at least one, in which nothing was done yet.
func New(limit int, span time.Duration) *Window { return &Window{span: span, limit: max(limit, 1)} }

// Limit is how often something may be done within the span.
func (w *Window) Limit() int { return w.limit }

// Free is the moment from which it may be done once more so that the span sees it n times at most; in the past where that is
// now. n is taken as 1 at least, and as the limit at most.
func (w *Window) Free(n int) time.Time {
	n = min(max(n, 1), w.limit)
	if n > len(w.at) {
		return time.Time{}.Add(w.span)
	}
	return w.at[(w.next+len(w.at)-n)%len(w.at)].Add(w.span)
}

// Open is Free for the whole of the limit.
func (w *Window) Open() time.Time { return w.Free(w.limit) }

// Add notes that it was done. Moments come in their order.
func (w *Window) Add(now time.Time) {
	if len(w.at) < w.limit && (len(w.at) == 0 || w.at[w.next].Add(w.span).After(now)) {
		w.at = slices.Insert(w.at, w.next, now)
	} else { // the oldest does not count any more, or the window is full
		w.at[w.next] = now
	}
	w.next = (w.next + 1) % len(w.at)
}

// Left is how often it may be done at this moment.
func (w *Window) Left(now time.Time) int {
	return sort.Search(w.limit, func(n int) bool { return w.Free(w.limit - n).After(now) })
}

// Idle reports whether the window holds nothing that still counts.
func (w *Window) Idle(now time.Time) bool { return !w.Free(1).After(now) }
