package notify

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api"
)

// TestRestOfAPurchase: once all that was looked at of a big purchase is ready, the rest is asked for by calls side by side, and what one
// of them does not show is asked for again without the others.
func TestRestOfAPurchase(t *testing.T) {
	const units, trip, ready = 500, 200 * time.Millisecond, 20 * time.Second
	for _, tc := range []struct {
		name  string
		fails func(call int, ids []string) error // the calls behind the first that finds orders ready, counted from 1
		calls int                                // of those
		late  time.Duration                      // the last order, behind that first call
	}{
		{"all answer", func(int, []string) error { return nil }, 4, trip},
		{"one fails", func(call int, _ []string) error {
			if call == 2 {
				return &api.Error{Class: api.Upstream}
			}
			return nil
		}, 5, 2 * time.Second},
		{"one order is refused", func(_ int, ids []string) error {
			if slices.Contains(ids, "refused") && len(ids) > 1 {
				return &api.Error{Class: api.Invalid}
			}
			return nil
		}, 19, 16 * trip},
		{"the service begins to refuse so many", func(_ int, ids []string) error {
			if len(ids) > 50 {
				return &api.Error{Class: api.Invalid}
			}
			return nil
		}, 12, 9 * trip},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
				var found atomic.Pointer[time.Time] // when the first call has found orders ready
				var behind atomic.Int32
				begin := time.Now()
				s.answers = func(_ context.Context, _ string, ids []string) error {
					asked := time.Now()
					<-time.After(trip)
					if first := found.Load(); first != nil && asked.After(*first) {
						return tc.fails(int(behind.Add(1)), ids)
					}
					if asked.Sub(begin) >= ready {
						found.Store(&asked)
					}
					return nil
				}
				for i := range units - 1 {
					s.order("u1", fmt.Sprint("o", i), ready)
				}
				s.order("u1", "refused", ready)
				pass(time.Minute)
				var last time.Time
				for _, at := range s.settled {
					last = laterOf(last, at)
				}
				if late := last.Sub(found.Load().Add(trip)); len(s.settled) != units || late > tc.late {
					t.Errorf("%d orders are settled, the last one %v behind the first, want %v", len(s.settled), late, tc.late)
				}
				if n := int(behind.Load()); n > tc.calls {
					t.Errorf("%d calls, want %d", n, tc.calls)
				}
			})
		})
	}
}
