package telegram

import (
	"slices"
	"time"
)

const (
	// muchLate is how much longer than others a message is on its way at most: one that is answered even later was slow at Telegram.
	muchLate = 2 * time.Second
	// margin is what is added to each span: who waits for a place goes at the very moment at which it is free, and clocks and ways differ
	// by some milliseconds.
	margin = 20 * time.Millisecond
	// fastestFor is for how long the shortest way counts, until another one is looked for.
	fastestFor = time.Minute
)

// flight keeps to a limit as Telegram counts it: by when messages arrive. Nobody is told when that is, but it is before the answer,
// and by as much later than others as the answer is later than theirs. So a message counts for its span, and for as much longer as it
// took longer than the fastest one lately. What is held up on its way does not come together with what goes after it, as long as the
// fastest takes less than the span, and a way that is long for all costs nothing.
type flight struct {
	span   time.Duration
	most   int         // as many as the limit allows at once
	places []*place    // those that may still be taken, in the order in which they were
	ends   []time.Time // of places: room to sort them in

	// The shortest ways there and back of this time and of the one before; zero where there was none.
	fastest, before time.Duration
	since           time.Time // when this time began
}

// place is what a message has of a limit.
type place struct {
	went time.Time
	took time.Duration // there and back; zero while it is under way
}

func newFlight(l Limit) *flight { return &flight{span: padded(l.Per), most: max(l.N, 1)} }

// padded is a span with its margin; none is none.
func padded(span time.Duration) time.Duration {
	if span == 0 {
		return 0
	}
	return span + margin
}

// open is the moment from which one more may go, by what is known now; zero where it may at once.
func (f *flight) open(now time.Time) time.Time {
	over := now.Add(-f.span - muchLate) // what went before that is over, however late it was
	for len(f.places) > 0 && !f.places[0].went.After(over) {
		f.places = f.places[1:]
	}
	if f.span == 0 || len(f.places) < f.most {
		return time.Time{}
	}
	f.ends = f.ends[:0]
	for _, p := range f.places {
		f.ends = append(f.ends, f.end(p, now))
	}
	slices.SortFunc(f.ends, time.Time.Compare)
	return f.ends[len(f.ends)-f.most] // from then on, one less than the limit is taken
}

// goes takes a place for a message that goes. There is one where open said so.
func (f *flight) goes(now time.Time) *place {
	// In the order of went, which open relies on: the budget's lock is held, and now is asked under it.
	p := &place{went: now}
	f.places = append(f.places, p)
	return p
}

// answered notes that a message has had its answer, and returns how much later than others it was. Only one that has arrived tells how
// long the way is: a connection that is refused ends sooner.
func (f *flight) answered(p *place, arrived bool, now time.Time) (late time.Duration) {
	// At least 1 ns: zero stands for a message that is still under way, and would count longer with each moment.
	took := max(now.Sub(p.went), 1)
	if now.Sub(f.since) >= fastestFor {
		// before is what late falls back to: behind this line no message of the new minute has been answered, and all would count as in
		// time.
		f.before, f.fastest, f.since = f.fastest, 0, now
	}
	if arrived && (f.fastest == 0 || took < f.fastest) {
		f.fastest = took
	}
	p.took = took
	return f.late(took)
}

// leave gives a place back of a message that did not go.
func (f *flight) leave(p *place) {
	f.places = slices.DeleteFunc(f.places, func(taken *place) bool { return taken == p })
}

// end is until when a place is taken, by what is known now. Example: the fastest way there and back takes 100 ms, the span is 1 s. A message
// that has taken 400 ms counts until 1.3 s after it went; one that has no answer yet counts longer with each moment, by muchLate at most.
func (f *flight) end(p *place, now time.Time) time.Time {
	took := p.took
	if took == 0 {
		took = now.Sub(p.went)
	}
	return p.went.Add(f.late(took) + f.span)
}

// late is how much later than others a message is that takes so long.
func (f *flight) late(took time.Duration) time.Duration {
	fastest := f.fastest
	if fastest == 0 || f.before > 0 && f.before < fastest {
		fastest = f.before
	}
	if fastest == 0 { // nothing was answered yet
		return 0
	}
	return min(max(took-fastest, 0), muchLate)
}
