package notify

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// refuse has the service refuse each call that names an order, and counts these.
func (s *shop) refuse(id string, refused *atomic.Int32) {
	s.answer(func(ids []string) error {
		if slices.Contains(ids, id) {
			refused.Add(1)
			return &api.Error{Class: api.NotFound}
		}
		return nil
	})
}

// TestLimitThatWasNone: what is taken for a limit of the service, and was a moment in which it refused whatever was asked, is gone once more
// than so many are asked for again. Where there is a limit, that is ever later, up to an hour.
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
		{"a limit", 40, 40, 25, 25, 10},
		{"of one", 1, 1, 1, 1, 10},
		{"none any more", 100, 3, 2, 0, 10},
		{"a higher one", 40, 3, 2, 32, 10},
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

// found is a service that takes so many, and was found so often not to take more.
func found(kept, lowered int) sizes {
	s := newSizes()
	s.kept, s.lowered = kept, lowered
	return s
}

// TestSizes: what is held to be the service's limit is half of what was refused where both halves were taken, and it grows as soon as more
// is taken.
func TestSizes(t *testing.T) {
	now := time.Now()
	for _, tc := range []struct {
		name  string
		was   sizes
		do    func(s *sizes)
		want  int           // kept
		grows time.Duration // how long after now more are asked for; 0 for at once
	}{
		{"nothing is refused", newSizes(), func(s *sizes) { s.taken(80, now) }, 0, 0},
		{"both halves are taken", newSizes(), func(s *sizes) { s.refused(80, now); s.limited(40, now) }, 40, time.Minute},
		{"a larger one is taken behind it", newSizes(), func(s *sizes) { s.refused(40, now); s.limited(20, now); s.taken(40, now) }, 40, 0},
		{"an order is refused by itself", newSizes(), func(s *sizes) { s.refused(2, now) }, 0, 0},
		{"fewer than before", found(40, 1), func(s *sizes) { s.refused(30, now); s.limited(15, now) }, 15, 2 * time.Minute},
		{"a few are refused, for one of them", found(40, 0), func(s *sizes) { s.refused(30, now) }, 40, 0},
		{"more than before are refused", found(40, 2), func(s *sizes) { s.refused(80, now); s.limited(40, now) }, 40, 4 * time.Minute},
		{"and again and again", found(40, 20), func(s *sizes) { s.refused(80, now) }, 40, time.Hour},
		{"more than before are taken", found(40, 9), func(s *sizes) { s.taken(80, now) }, 80, 0},
		{"fewer are taken where many have failed", newSizes(), func(s *sizes) { s.failed(80, now); s.taken(40, now) }, 40, time.Minute},
		{"there are few behind it", newSizes(), func(s *sizes) { s.failed(80, now); s.taken(3, now) }, 0, 0},
		{"many fail again", found(40, 1), func(s *sizes) { s.failed(80, now) }, 40, 2 * time.Minute},
		{"answers are cut", newSizes(), func(s *sizes) { s.leftOut(80, 20, now); s.leftOut(100, 20, now); s.leftOut(80, 20, now) }, 20, time.Minute},
		{"and once more behind it", found(20, 1), func(s *sizes) { s.answered(40, 20, now) }, 20, 2 * time.Minute},
		{"two are cut", newSizes(), func(s *sizes) { s.leftOut(80, 20, now); s.leftOut(80, 20, now) }, 0, 0},
		{"one between them is not", newSizes(), func(s *sizes) {
			s.leftOut(80, 20, now)
			s.leftOut(80, 20, now)
			s.answered(30, 30, now)
			s.leftOut(80, 20, now)
		}, 0, 0},
		{"other orders are lost each time", newSizes(), func(s *sizes) {
			for i := range 20 {
				s.leftOut(100, 60+i%7, now)
			}
		}, 0, 0},
		{"the same few are always lost", newSizes(), func(s *sizes) {
			for range 9 {
				s.leftOut(100, 92, now)
			}
		}, 0, 0},
		{"a full batch is taken", found(60, 9), func(s *sizes) { s.taken(100, now) }, 0, 0},
	} {
		s := tc.was
		if tc.do(&s); s.kept != tc.want || max(s.grows.Sub(now), 0) != tc.grows {
			t.Errorf("%s: %d are kept until %v, want %d and %v", tc.name, s.kept, s.grows.Sub(now), tc.want, tc.grows)
		}
	}
}

// TestCaution: where a look has come to its end, the next one begins with the size that this one began with, and else with the half of what was
// refused last.
func TestCaution(t *testing.T) {
	for _, tc := range []struct{ before, refused, taken, want int }{
		{batchSize, 80, 0, batchSize},
		{20, 16, 0, 20},
		{20, 0, 20, 40},
	} {
		s := newSizes()
		s.before, s.cautious = tc.before, tc.before
		if tc.refused > 0 {
			if half, _ := s.refused(tc.refused, time.Now()); s.most(time.Now()) != half || half != tc.refused/2 {
				t.Errorf("behind %d that were refused %d are asked for", tc.refused, s.most(time.Now()))
			}
		} else {
			s.taken(tc.taken, time.Now())
		}
		if s.ended(); s.cautious != tc.want {
			t.Errorf("a look began with %d, and the next one begins with %d, want %d", tc.before, s.cautious, tc.want)
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
		s.refuse("slow25", &refused)
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
		for _, q := range s.calls() {
			if n := len(q.ids); n > 1 && n < 40 && time.Since(q.at) < 40*time.Minute {
				s.Errorf("%d orders are asked for long behind the search, and there are 50", n)
			}
		}
		if late /= 40; late < 0 || late > 3*time.Second {
			s.Errorf("quick orders are seen %v late, on average", late)
		}
		// The search, by 7 or 8 calls and in up to three looks, and then it alone: after 2, 4, 8 … seconds, and each five minutes for the rest of 65.
		if refused := refused.Load(); refused > 3*8+14 {
			s.Errorf("%d calls were refused", refused)
		}
	})
}

// TestOrderThatIsShownAlone: an order that each batch is refused for, and that its own endpoint shows, has the batches searched for it once an
// hour, and is looked at as often as any other.
func TestOrderThatIsShownAlone(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		begin := time.Now()
		s.mu.Lock()
		s.ready[":o20"] = begin.Add(20 * time.Minute)
		for i := range 30 {
			s.ready[fmt.Sprint("o", i)] = begin.Add(100 * time.Hour)
		}
		s.mu.Unlock()
		if err := s.store.Update(s.Context(), func(tx *store.Tx) error {
			for i := range 30 { // units of one purchase are asked for in their order
				o := store.Order{Account: "u1", ID: fmt.Sprint("o", i), Unit: i + 1, State: store.Waiting, CreatedAt: begin, Due: begin}
				if err := tx.PutOrder(&o); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			s.Fatal(err)
		}
		pass(2 * time.Minute) // one that is new may only not be known yet
		var refused atomic.Int32
		s.refuse("o20", &refused)
		pass(40 * time.Minute)
		if late := s.settled["o20"].Sub(s.ready[":o20"]); late < 0 || late > 5*time.Minute {
			s.Errorf("it is seen %v late", late)
		}
		if n := refused.Load(); n > 8 { // 30, 15, 8, 4, 2, 1, or one more
			s.Errorf("%d calls were refused for it", n)
		}
	})
}

// TestBatchesThatFailForTheirNumber: a service that fails, and does not refuse, where it is asked for too many is asked for fewer.
func TestBatchesThatFailForTheirNumber(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		s.answer(func(ids []string) error {
			if len(ids) > 50 {
				return &api.Error{Class: api.Upstream, Status: 500}
			}
			return nil
		})
		for i := range 200 {
			id := fmt.Sprint("o", i)
			s.ready[":"+id] = time.Now().Add(20 * time.Second)
			s.order("u1", id, 20*time.Second)
		}
		pass(2 * time.Minute)
		if len(s.settled) != 200 {
			s.Errorf("%d of 200 orders are settled within two minutes", len(s.settled))
		}
		if n := s.kept(); n == 0 || n > 50 {
			s.Errorf("%d orders a call are kept", n)
		}
	})
}

// TestNothingIsTaken: where a service takes nothing at all, the search waits for the next look, once, and spends no budget on a bad moment. What
// it has told by then is no size to go on with.
func TestNothingIsTaken(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		blip := time.Now().Add(1500 * time.Millisecond)
		s.answer(func([]string) error {
			if time.Now().Before(blip) {
				return &api.Error{Class: api.NotFound}
			}
			return nil
		})
		for i := range 40 {
			s.order("u1", fmt.Sprint("o", i), 10*time.Second)
		}
		pass(time.Minute)
		var refused int
		for _, q := range s.calls() {
			if q.at.Before(blip) {
				refused++
			}
		}
		if refused == 0 || refused > mostInVain || len(s.settled) != 40 || s.kept() != 0 {
			s.Errorf("%d calls in a bad moment; %d orders are settled, %d a call are kept", refused, len(s.settled), s.kept())
		}
		// One that goes on: each of the orders may be one that the service does not take.
		s.answer(func([]string) error { return &api.Error{Class: api.NotFound} })
		for i := range 4 {
			s.order("u1", fmt.Sprint("late", i), 0)
		}
		pass(20 * time.Second)
		if alone := len(s.calls()[len(s.calls())-1].ids); alone != 1 {
			s.Errorf("%d orders are asked for together, and none is found that is refused by itself", alone)
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
		s.service, s.batch.kept, s.batch.grows = calls{tc.left}, tc.kept, tc.grows
		for i := range bigUnits {
			s.add(store.Order{ID: strconv.Itoa(i), Purchase: "p", State: store.Waiting}, pollplan.Belief{})
		}
		s.purchases["p"] = together{came: true, since: now}
		if s.plan(now); len(s.next.orders) != tc.want {
			t.Errorf("%d orders are asked for with %v calls left and %d in a call, want %d", len(s.next.orders), tc.left, tc.kept, tc.want)
		}
	}
}

// TestBatchesGrow: behind a search by halves that the budget has ended, each batch that is taken lets the next one be twice as large.
func TestBatchesGrow(t *testing.T) {
	s := newSizes()
	s.cautious = 12
	for _, want := range []int{24, 24, 48, 96, 100} {
		n := s.most(time.Now())
		if want == s.most(time.Now()) {
			n-- // one that is not full says nothing of a larger one
		}
		if s.taken(n, time.Now()); s.most(time.Now()) != want {
			t.Errorf("%d orders are asked for behind %d, want %d", s.most(time.Now()), n, want)
		}
	}
}

// TestSchedulesAreForgotten: what is known of the service of an account that nothing is asked for by any more is forgotten, as others come.
func TestSchedulesAreForgotten(t *testing.T) {
	inShop(t, func(*shop) {}, func(s *shop) {
		s.answer(func(ids []string) error {
			if len(ids) > 1 {
				return &api.Error{Class: api.Invalid, Status: 400}
			}
			return nil
		})
		buy := func(account string) {
			s.account(account)
			for i := range 3 {
				s.order(account, fmt.Sprint(account, i), 0)
			}
		}
		for i := range 2 * followed {
			buy(fmt.Sprint("old", i))
		}
		pass(10 * time.Minute)
		pass(2 * orphanWait)
		for i := range 2 * followed {
			buy(fmt.Sprint("new", i))
		}
		pass(10 * time.Minute)
		left := 0
		s.p.change(func() {
			for account := range s.p.schedules {
				if strings.HasPrefix(account, "old") {
					left++
				}
			}
		})
		if len(s.settled) != 4*followed*3 || left > 0 {
			s.Errorf("%d orders are settled; %d schedules are kept for nothing", len(s.settled), left)
		}
	})
}

// TestSingleOrders: an order that a batch was refused for has a pause also where no call was left for it alone, and is asked for by its own
// endpoint while batches rest.
func TestSingleOrders(t *testing.T) {
	now := time.Now()
	odd := store.Order{ID: "odd", Purchase: "p", State: store.Waiting, CreatedAt: now.Add(-time.Minute)}
	for _, tc := range []struct {
		name   string
		shown  []string
		broken int
		alone  bool
	}{
		{"shown by neither", nil, 0, false},
		{"shown by its own endpoint", []string{"odd"}, 0, true},
		{"while batches rest", nil, 1, true},
	} {
		s := newSchedule("u1")
		s.service, s.broken, s.batchRest = calls{8}, tc.broken, now.Add(time.Duration(tc.broken)*time.Hour)
		s.noteRefused([]store.Order{odd}, tc.shown, 10, now)
		if (s.fruitless["odd"].made == 1) == (len(tc.shown) > 0) {
			t.Errorf("%s: it was asked for in vain %d times", tc.name, s.fruitless["odd"].made)
		}
		s.add(odd, pollplan.Before(pollplan.Goods))
		if s.plan(now.Add(time.Minute)); s.next.alone != tc.alone || len(s.next.orders) != 1 || s.next.at.After(now.Add(30*time.Minute)) {
			t.Errorf("%s: asked for alone %t, %d orders, in %v", tc.name, s.next.alone, len(s.next.orders), s.next.at.Sub(now))
		}
	}
}

// waiting is so many orders that are not in hand, and not ready.
func (s *shop) waiting(n int) (orders []store.Order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range n {
		id := fmt.Sprint("o", i)
		s.ready[id] = time.Now().Add(time.Hour)
		orders = append(orders, store.Order{Account: "u1", ID: id, State: store.Waiting})
	}
	return orders
}

// TestLooksThatEnd: behind a search that has come to its end as many are asked for as before, and fewer behind one that the budget has ended.
func TestLooksThatEnd(t *testing.T) {
	for _, ends := range []bool{true, false} {
		inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
			made := 0
			s.answer(func(ids []string) error {
				switch made++; {
				case !ends && made > 4:
					return &api.Error{Class: api.Limited, RetryAfter: time.Minute}
				case slices.Contains(ids, "o40"):
					return &api.Error{Class: api.NotFound}
				}
				return nil
			})
			plan := newSchedule("u1")
			if err := s.p.look(s.Context(), plan, query{service: asking{s.service, "u1"}, orders: s.waiting(50)}); (err == nil) != ends {
				s.Fatal(err)
			}
			if (plan.batch.cautious == batchSize) != ends {
				s.Errorf("ended %t: %d are asked for next", ends, plan.batch.cautious)
			}
		})
	}
}

// TestBatchesBesideCount: batches that are taken side by side let the next ones grow as any others.
func TestBatchesBesideCount(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		plan := newSchedule("u1")
		plan.batch.cautious = 25
		left, failed, err := s.p.askFor(s.Context(), plan, query{service: asking{s.service, "u1"}, orders: s.waiting(100)})
		if err != nil || len(failed)+len(left.refused)+len(left.missing) > 0 || len(s.calls()) != 4 || plan.batch.cautious != 50 {
			s.Errorf("behind four batches of 25 that were taken %d are asked for, want 50; %d calls, %v", plan.batch.cautious, len(s.calls()), err)
		}
	})
}
