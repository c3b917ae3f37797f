package notify

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/notify/pollplan"
	"resellerbot/internal/store"
)

// each makes so many orders of as many purchases, o0, o1 …, that both endpoints show as pending, and are ready after a while each.
func (s *shop) each(n int, after func(i int) time.Duration) {
	s.Helper()
	now := time.Now()
	s.mu.Lock()
	for i := range n {
		id := fmt.Sprint("o", i)
		s.ready[id] = now.Add(after(i))
		s.ready[":"+id] = s.ready[id]
	}
	s.mu.Unlock()
	if err := s.store.Update(s.Context(), func(tx *store.Tx) error {
		for i := range n {
			id := fmt.Sprint("o", i)
			if err := tx.PutOrder(&store.Order{Account: "u1", ID: id, Purchase: "of " + id, State: store.Waiting, CreatedAt: now, Due: now}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		s.Fatal(err)
	}
}

// never is an order that is not ready while a test lasts.
func never(int) time.Duration { return 1000 * time.Hour }

// late is how long after it was ready an order was settled; the age of the test where it was not.
func (s *shop) late(id string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.settled[id]; ok {
		return at.Sub(s.ready[id])
	}
	return 1000 * time.Hour
}

// TestAnswersOfSome: where an answer shows so many orders and no more, so many are asked for, and none is left out for long.
func TestAnswersOfSome(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		s.mu.Lock()
		s.shows = 20
		s.mu.Unlock()
		s.each(60, func(i int) time.Duration { return 10*time.Minute + time.Duration(i%6)*time.Minute })
		pass(20 * time.Minute)
		for i := range 60 {
			if late := s.late(fmt.Sprint("o", i)); late > 90*time.Second {
				s.Errorf("order %d is seen %v late", i, late)
			}
		}
		if n := s.kept(); n != 20 {
			s.Errorf("%d orders a call are kept, where answers show 20", n)
		}
	})
}

// TestAnswersOfNothing: where the call for batches answers, and shows no order at all, all of them are asked for one by one, each in its turn.
func TestAnswersOfNothing(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		s.each(100, func(i int) time.Duration { return 10*time.Minute + time.Duration(i%7)*time.Minute })
		s.mu.Lock()
		for i := range 100 { // batches do not know them
			delete(s.ready, fmt.Sprint("o", i))
		}
		s.mu.Unlock()
		pass(30 * time.Minute)
		s.isSettled(100)
	})
}

// TestLeastInVain: of orders that are asked for by themselves beside a batch, those come first that have told nothing the least often, and then
// those that were asked for the longest ago.
func TestLeastInVain(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		plan, now := newSchedule("u1"), time.Now()
		plan.fruitless["twice"] = tries{made: 2}
		plan.askedAlone["before"], plan.askedAlone["now"] = now.Add(-time.Minute), now
		var got []string
		for _, o := range s.p.leastInVain(plan, []store.Order{{ID: "twice"}, {ID: "now"}, {ID: "before"}, {ID: "never"}}) {
			got = append(got, o.ID)
		}
		if want := []string{"never", "before", "now", "twice"}; !slices.Equal(got, want) {
			s.Errorf("they are asked for in the order %v, want %v", got, want)
		}
	})
}

// TestOrderRefusedBesideOthers: an order that is taken without others, and refused beside any, is no limit of one: it and the one beside which
// that was found are asked for without others.
func TestOrderRefusedBesideOthers(t *testing.T) {
	for _, odd := range []int{0, 19, 20, 39} {
		inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
			s.each(40, func(i int) time.Duration {
				if i == odd {
					return 20 * time.Minute
				}
				return never(i)
			})
			pass(2 * time.Minute)
			id := fmt.Sprint("o", odd)
			var refused atomic.Int32
			s.answer(func(ids []string) error {
				if len(ids) > 1 && slices.Contains(ids, id) {
					refused.Add(1)
					return &api.Error{Class: api.NotFound}
				}
				return nil
			})
			pass(40 * time.Minute)
			if late := s.late(id); late > time.Minute {
				s.Errorf("it is seen %v late", late)
			}
			if n := refused.Load(); n > 9 { // 40, 20, 10, and a look later 40, 20, 10, 5, 3, 2
				s.Errorf("%d calls were refused for it", n)
			}
			for _, q := range s.calls() {
				if n := len(q.ids); !isAlone(q.ids) && n < 30 && n > 1 && time.Since(q.at) < 35*time.Minute {
					s.Errorf("%d orders are asked for long behind the search", n)
				}
			}
		})
	}
}

// TestSingleBesideAnEndpoint: an order that is asked for without others is asked for by the call for batches where its own endpoint stops to
// show it.
func TestSingleBesideAnEndpoint(t *testing.T) {
	for name, fails := range map[string]func(s *shop) error{
		"fails":  func(*shop) error { return &api.Error{Class: api.Upstream} },
		"gone":   func(*shop) error { return &api.Error{Class: api.NotFound} },
		"silent": func(s *shop) error { s.extra = []api.Order{{ID: ":o7"}}; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
				s.each(20, func(i int) time.Duration {
					if i == 7 {
						return 20 * time.Minute
					}
					return never(i)
				})
				pass(2 * time.Minute)
				since := time.Now().Add(3 * time.Minute)
				s.mu.Lock()
				s.ready[":o7"] = time.Now().Add(1000 * time.Hour)
				s.mu.Unlock()
				s.answer(func(ids []string) error {
					switch {
					case len(ids) > 1 && slices.Contains(ids, "o7"):
						return &api.Error{Class: api.NotFound}
					case strings.HasPrefix(ids[0], ":") && time.Now().After(since):
						s.mu.Lock()
						delete(s.ready, ":o7")
						err := fails(s)
						s.mu.Unlock()
						return err
					}
					return nil
				})
				pass(30 * time.Minute)
				if late := s.late("o7"); late > 2*time.Minute {
					s.Errorf("it is seen %v late", late)
				}
			})
		})
	}
}

// TestBeatTakesTheLongestUnseen: where the budget of a beat does not reach all orders, those that it has left out come first in the next one.
func TestBeatTakesTheLongestUnseen(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		plan, now := newSchedule("u1"), time.Now()
		plan.service, plan.batch.kept, plan.batch.grows = asking{s.service, "u1"}, 1, now.Add(time.Hour)
		for i, seen := range []int{3, 2, 4} { // minutes ago; bought ten minutes ago and later
			plan.add(store.Order{ID: fmt.Sprint("o", i), CreatedAt: now.Add(time.Duration(i-10) * time.Minute), SeenAt: now.Add(time.Duration(-seen) * time.Minute)}, pollplan.Belief{})
		}
		plan.add(store.Order{ID: "new", CreatedAt: now.Add(-time.Minute)}, pollplan.Belief{})
		var got []string
		for tried := map[string]bool{}; len(got) < 4; {
			q, ok := s.p.takeForBeat(plan, tried)
			if !ok {
				break
			}
			plan.asking = false
			got = append(got, q.orders[0].ID)
			tried[q.orders[0].ID] = true
		}
		if want := []string{"o2", "o0", "o1", "new"}; !slices.Equal(got, want) {
			s.Errorf("a beat asks for %v, want %v", got, want)
		}
	})
}

// TestBeatAsksForSinglesByBatch: an order that is asked for without others, and that its own endpoint does not show, is asked for by a batch of one
// in a beat as well.
func TestBeatAsksForSinglesByBatch(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		plan, now := newSchedule("u1"), time.Now()
		plan.service = asking{s.service, "u1"}
		plan.add(store.Order{ID: "o1", CreatedAt: now}, pollplan.Belief{})
		for _, alone := range []bool{false, true} {
			plan.single["o1"] = single{now.Add(time.Hour), alone}
			q, ok := s.p.takeForBeat(plan, map[string]bool{})
			if plan.asking = false; !ok || q.alone != alone || len(q.orders) != 1 {
				s.Errorf("shown by its own endpoint %t: asked for %v, by itself %t, %d orders", alone, ok, q.alone, len(q.orders))
			}
		}
	})
}

// TestOneThatBatchesDoNotShow: one order that batches do not show, and its own endpoint does, says nothing of batches: others are asked for together
// beside it.
func TestOneThatBatchesDoNotShow(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		s.each(1, never)
		s.mu.Lock()
		delete(s.ready, "o0")
		s.mu.Unlock()
		pass(5 * time.Minute)
		for i := range 30 {
			s.order("u1", fmt.Sprint("new", i), 30*time.Second)
		}
		pass(2 * time.Minute)
		for i := range 30 {
			if late := s.late(fmt.Sprint("new", i)); late > 8*time.Second {
				s.Fatalf("an order is seen %v late", late)
			}
		}
	})
}
