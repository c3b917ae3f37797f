package telegram

import (
	"slices"
	"time"

	"resellerbot/internal/sliding"
)

// settled is how long after its turn a message has reached Telegram at the latest, as a rule: one that is answered later has
// been slow there, and not on its way.
const settled = 200 * time.Millisecond

// flight keeps to a limit as Telegram counts it: by when messages arrive. All that is known of that is that it is before the
// answer, so a message counts from when it goes until a span after it was answered, or after settled where that is later:
// whatever holds messages up on their way, no two spans of theirs come together.
type flight struct {
	window *sliding.Window // of those that have arrived
	span   time.Duration
	away   []time.Time // when those went that may not have, the oldest first
	last   time.Time   // when the last one is taken to have arrived
}

func newFlight(l Limit) *flight { return &flight{window: newWindow(l), span: l.Per} }

// open is the moment from which one more may go.
func (f *flight) open(now time.Time) time.Time {
	for len(f.away) > 0 && !f.away[0].Add(settled).After(now) {
		f.arrive(f.away[0].Add(settled))
		f.away = slices.Delete(f.away, 0, 1)
	}
	if left := f.window.Limit() - len(f.away); left > 0 {
		return f.window.Free(left)
	}
	return f.away[len(f.away)-f.window.Limit()].Add(settled + f.span)
}

// goes notes that a message goes.
func (f *flight) goes(now time.Time) { f.away = append(f.away, now) }

// answered notes that one that went at a moment is there.
func (f *flight) answered(went, now time.Time) {
	if i := slices.IndexFunc(f.away, went.Equal); i >= 0 {
		f.away = slices.Delete(f.away, i, i+1)
		f.arrive(now)
	}
}

// arrive counts one; the window takes moments in their order.
func (f *flight) arrive(at time.Time) {
	f.last = later(f.last, at)
	f.window.Add(f.last)
}
