package notify

import (
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestSlowLooksAreSpread: of however many orders that people deliver no more than 500 are looked at in a second, none is left
// out, and what is awaited sooner does not wait for them.
func TestSlowLooksAreSpread(t *testing.T) {
	sampletest.Slow(t)
	const slow, quick = 100_000, 1000
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	f := newFarOrders()
	f.add(make([]store.Order, slow), time.Minute, now, func() float64 { return 0.5 })
	f.add(make([]store.Order, quick), 20*time.Second, now, func() float64 { return 0.5 })
	list := f.drain()
	if len(list) != slow+quick || len(f.drain()) != 0 {
		t.Fatalf("%d of %d are put back", len(list), slow+quick)
	}
	inSecond, last := map[int64]int{}, time.Time{}
	for _, o := range list[:slow] {
		if wait := o.due.Sub(now); wait < time.Minute {
			t.Fatalf("one is due after %v", wait)
		}
		// Those that would be due within the first minute are, at its end: later ones have a place each.
		if o.due.Sub(now) > time.Minute {
			inSecond[o.due.Unix()]++
		}
		last = laterOf(last, o.due)
	}
	for second, n := range inSecond {
		if n > 501 {
			t.Errorf("%d are due in second %d", n, second)
		}
	}
	if wait := last.Sub(now); wait > 260*time.Second {
		t.Errorf("the last is due after %v", wait)
	}
	for _, o := range list[slow:] {
		if wait := o.due.Sub(now); wait != 20*time.Second {
			t.Fatalf("one that is awaited sooner is due after %v", wait)
		}
	}
}
