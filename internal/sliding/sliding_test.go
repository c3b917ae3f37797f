package sliding_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/sliding"
)

// TestWindow: a window says of every moment what a list of all that was done says.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(-1, 9).Draw(t, "limit")
		w, most := sliding.New(limit, time.Minute), max(limit, 1)
		if w.Limit() != most {
			t.Fatalf("the limit is %d", w.Limit())
		}
		now := time.Date(2025, time.November, 21, 12, 0, 0, 0, time.UTC)
		var done []time.Time
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 40).Draw(t, "seconds")) * time.Second)
			within := 0 // of the minute that begins after the moment a minute ago
			for _, at := range done {
				if at.Add(time.Minute).After(now) {
					within++
				}
			}
			if left := w.Left(now); left != most-within {
				t.Fatalf("%d are left after %d of %d", left, within, most)
			}
			if w.Idle(now) != (within == 0) {
				t.Fatalf("idle is %v after %d", w.Idle(now), within)
			}
			for n := 1; n <= most; n++ {
				if free := !w.Free(n).After(now); free != (within < n) {
					t.Fatalf("one more of %d is free: %v, after %d", n, free, within)
				}
			}
			if w.Free(0) != w.Free(1) || w.Free(most+1) != w.Open() {
				t.Fatal("what is beyond the limits is not taken as the nearest")
			}
			if !w.Open().After(now) {
				w.Add(now)
				done = append(done, now)
			}
		}
	})
}
