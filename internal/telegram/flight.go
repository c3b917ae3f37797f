package telegram

import "time"

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
	places []place // as many as the limit allows at once

	// The shortest ways there and back of this time and of the one before; zero where there was none.
	fastest, before time.Duration
	since           time.Time // when this time began
}

// place is what a message has of a limit.
type place struct {
	n    int // which of all places
	went time.Time
	took time.Duration // there and back; zero while it is under way
}

func newFlight(l Limit) *flight {
	return &flight{span: padded(l.Per), places: make([]place, max(l.N, 1))}
}

// padded is a span with its margin; none is none.
func padded(span time.Duration) time.Duration {
	if span == 0 {
		return 0
	}
	return span + margin
}

// open is the moment from which one more may go, by what is known now.
func (f *flight) open(now time.Time) (at time.Time) {
	for i, p := range f.places {
		if end := f.end(p, now); i == 0 || end.Before(at) {
			at = end
		}
	}
	return at
}

// goes takes a place for a message that goes. There is one where open said so.
func (f *flight) goes(now time.Time) place {
	best := 0
	for i, p := range f.places {
		if f.end(p, now).Before(f.end(f.places[best], now)) {
			best = i
		}
	}
	f.places[best] = place{n: best, went: now}
	return f.places[best]
}

// answered notes that a message has had its answer, and returns how much later than others it was. Only one that has arrived tells how
// long the way is: a connection that is refused ends sooner.
func (f *flight) answered(p place, arrived bool, now time.Time) (late time.Duration) {
	took := max(now.Sub(p.went), 1)
	if now.Sub(f.since) >= fastestFor {
		f.before, f.fastest, f.since = f.fastest, 0, now
	}
	if arrived && (f.fastest == 0 || took < f.fastest) {
		f.fastest = took
	}
	if f.places[p.n].went.Equal(p.went) { // else it took so long that another one has it by now
		f.places[p.n].took = took
	}
	return f.late(took)
}

// leave gives a place back of a message that did not go.
func (f *flight) leave(p place) { f.places[p.n] = place{} }

// end is until when a place is taken, by what is known now.
func (f *flight) end(p place, now time.Time) time.Time {
	if p.went.IsZero() || f.span == 0 {
		return time.Time{}
	}
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
