package notify

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/notify/pollplan"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// kept is how many orders the account u1 may ask for in one call, as the disk has it.
func (s *shop) kept() int {
	s.Helper()
	a, err := s.store.Account(s.Context(), "u1")
	if err != nil {
		s.Fatal(err)
	}
	return a.Batch
}

// answer has the service answer so from now on.
func (s *shop) answer(fn func(ids []string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = func(_ context.Context, _ string, ids []string) error { return fn(ids) }
}

// TestLimitThatWasNone: what is taken for a limit of the service, and was a moment in which it refused whatever was asked, is gone within
// hours. Where there is a limit, more are asked for once an hour.
func TestLimitThatWasNone(t *testing.T) {
	sampletest.Slow(t)
	const hours = 2
	for _, tc := range []struct {
		name    string
		most    int   // orders in a call, for good
		moment  int   // and for the first minute
		before  int   // what is kept when it has passed
		later   int   // what is kept after some hours
		refused int32 // calls in these hours, at most
	}{
		{"a limit", 40, 40, 25, 25, 4},
		{"none any more", 100, 3, 3, 0, 0},
		{"a higher one", 40, 3, 3, 24, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
				begin := time.Now()
				var refused atomic.Int32
				s.answer(func(ids []string) error {
					if len(ids) > tc.most || time.Since(begin) < time.Minute && len(ids) > tc.moment {
						refused.Add(1)
						return &api.Error{Class: api.Invalid, Status: 400}
					}
					return nil
				})
				for i := range 100 {
					s.order("u1", fmt.Sprint("o", i), 100*time.Hour)
				}
				pass(time.Minute)
				if got := s.kept(); got != tc.before {
					s.Errorf("%d orders a call are kept at first, want %d", got, tc.before)
				}
				refused.Store(0)
				pass(hours * time.Hour)
				if got := s.kept(); got != tc.later || refused.Load() > tc.refused {
					s.Errorf("%d orders a call are kept after %d hours, want %d; %d calls were refused", got, hours, tc.later, refused.Load())
				}
			})
		})
	}
}

// TestSizesOfALook: a limit is only taken for one where nothing else explains what was refused.
func TestSizesOfALook(t *testing.T) {
	const refused, single = -1, -2
	for _, tc := range []struct {
		name string
		kept int
		look []int // the batches that were asked for; refused is behind the size of one that was, single behind an order that was
		want int
	}{
		{"all is taken", 0, []int{80}, 0},
		{"both halves are taken", 0, []int{80, refused, 40, 40}, 40},
		{"a larger one is taken behind it", 0, []int{80, refused, 40, refused, 20, 20, 40}, 0},
		{"an order is refused by itself", 0, []int{4, refused, 2, 2, refused, 1, 1, single}, 0},
		{"of two, each is taken by itself", 0, []int{2, refused, 1, 1}, 0},
		{"fewer than before", 40, []int{30, refused, 15, 15}, 15},
		{"more than before are refused", 40, []int{80, refused, 40, 40}, 40},
		{"more than before are taken", 40, []int{80}, 80},
		{"a full batch is taken", 60, []int{100}, 0},
	} {
		s := sizes{kept: tc.kept}
		s.beginLook()
		odd := false
		for i, n := range tc.look {
			switch {
			case n == single:
				odd = true
			case n < 0:
			case i+1 < len(tc.look) && tc.look[i+1] == refused:
				s.batchRefused(n, (n+1)/2, time.Now())
			default:
				s.batchTaken(n)
			}
		}
		if s.endLook(odd); s.kept != tc.want || s.cautious != 0 {
			t.Errorf("%s: %d are kept, want %d; cautious %d", tc.name, s.kept, tc.want, s.cautious)
		}
	}
}

// TestRefusedDoesNotRide: an order that the service does not take is not asked for beside those that somebody waits for.
func TestRefusedDoesNotRide(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		own := func(id string, after time.Duration) {
			s.mu.Lock()
			s.ready[id] = time.Now().Add(after)
			s.mu.Unlock()
			if err := s.store.Update(s.Context(), func(tx *store.Tx) error {
				return tx.PutOrder(&store.Order{Account: "u1", ID: id, Purchase: "of " + id, State: store.Waiting, CreatedAt: time.Now(), Due: time.Now()})
			}); err != nil {
				s.Fatal(err)
			}
		}
		for i := range 50 {
			own(fmt.Sprint("slow", i), 100*time.Hour)
		}
		pass(20 * time.Minute)
		var refused atomic.Int32
		s.answer(func(ids []string) error {
			if slices.Contains(ids, "slow25") {
				refused.Add(1)
				return &api.Error{Class: api.NotFound}
			}
			return nil
		})
		for i := range 40 {
			pass(83 * time.Second)
			own(fmt.Sprint("quick", i), 2*time.Second)
		}
		pass(10 * time.Minute)
		late := time.Duration(0)
		for i := range 40 {
			id := fmt.Sprint("quick", i)
			late += s.settled[id].Sub(s.ready[id])
		}
		if late /= 40; late < 0 || late > 3*time.Second {
			s.Errorf("quick orders are seen %v late, on average", late)
		}
		// One that is set aside is looked at each five minutes, by halves where others ride along with it: 65 minutes, and up to 7 calls.
		// Before that the pauses double from two seconds on.
		if refused := refused.Load(); refused > (13+7)*7 {
			s.Errorf("%d calls were refused", refused)
		}
	})
}

// TestOneOfManySaysLittle: that a unit which a search by halves has asked for alone is ready does not mean that all are.
func TestOneOfManySaysLittle(t *testing.T) {
	s := newSchedule("u1")
	units := make([]store.Order, 8)
	for i := range units {
		units[i] = store.Order{ID: strconv.Itoa(i), Purchase: "p"}
		s.add(units[i], pollplan.Belief{})
	}
	arrived := func() int {
		var list []*pending
		for _, o := range s.orders {
			list = append(list, o)
		}
		return len(s.arrived(list))
	}
	now := time.Now()
	s.beginLook()
	s.compare(units[:4], nil, now)
	s.compare(units[4:5], map[string]bool{"4": true}, now)
	if n := arrived(); n > 0 {
		t.Errorf("%d units are taken for ready behind a look that has found one of five", n)
	}
	s.beginLook()
	s.compare(units[5:7], map[string]bool{"5": true, "6": true}, now)
	if arrived() == 0 {
		t.Error("no unit is taken for ready behind a look that has found all that it asked for")
	}
}

// TestCallsBeside: the rest of a purchase is asked for by as many calls as the limit leaves, and by one that asks for more than was taken.
func TestCallsBeside(t *testing.T) {
	now := time.Now()
	for _, tc := range []struct {
		left  float64
		kept  int
		grows time.Time
		want  int // orders
	}{
		{8, 0, now, 400},
		{2, 0, now, 200},
		{0, 0, now, 100},
		{8, 30, now.Add(time.Minute), 120},
		{8, 30, now, 60},
	} {
		s := newSchedule("u1")
		s.service, s.kept, s.grows = calls{tc.left}, tc.kept, tc.grows
		for i := range bigUnits {
			s.add(store.Order{ID: strconv.Itoa(i), Purchase: "p", State: store.Waiting}, pollplan.Belief{})
		}
		s.purchases["p"] = together{came: true}
		if s.plan(now); len(s.next.orders) != tc.want {
			t.Errorf("%d orders are asked for with %v calls left and %d in a call, want %d", len(s.next.orders), tc.left, tc.kept, tc.want)
		}
	}
}

// TestBatchesGrow: behind a search by halves that the budget has ended, each batch that is taken lets the next one be twice as large.
func TestBatchesGrow(t *testing.T) {
	s := sizes{cautious: 12}
	for _, want := range []int{24, 24, 48, 96, 100} {
		n := s.most(time.Now())
		if want == s.most(time.Now()) {
			n-- // one that is not full says nothing of a larger one
		}
		if s.batchTaken(n); s.most(time.Now()) != want {
			t.Errorf("%d orders are asked for behind %d, want %d", s.most(time.Now()), n, want)
		}
	}
}
