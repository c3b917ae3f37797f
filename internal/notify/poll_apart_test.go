package notify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/notify/pollplan"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// orders makes orders that the service shows at once by themselves, and in a batch where that is set.
func (s *shop) orders(n int, together bool) {
	s.Helper()
	for i := range n {
		id := fmt.Sprint("o", i)
		s.ready[":"+id] = time.Now()
		after := time.Duration(-1)
		if together {
			after = 0
		}
		s.order("u1", id, after)
	}
}

// isAlone reports whether a call is for one order by itself.
func isAlone(ids []string) bool { return strings.HasPrefix(ids[0], ":") }

// split counts the calls so far: for batches, and for single orders.
func (s *shop) split() (batches, alone int) {
	for _, q := range s.calls() {
		if isAlone(q.ids) {
			alone++
		} else {
			batches++
		}
	}
	return batches, alone
}

// isSettled reports how many orders have come to their end.
func (s *shop) isSettled(want int) {
	s.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.settled) != want {
		s.Errorf("%d orders are settled, want %d", len(s.settled), want)
	}
}

// TestABatchThatNeverAnswers: its orders are asked for one by one, and the batch ever less often.
func TestABatchThatNeverAnswers(t *testing.T) {
	for name, err := range map[string]error{
		"down": &api.Error{Class: api.Upstream}, "not offered": &api.Error{Class: api.NotOffered}, "refused": &api.Error{Class: api.Invalid},
		"unreadable": errors.New("anything"),
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.account("u1")
				s.waitingChat(1, "u1")
				s.orders(30, false)
				s.answers = func(_ context.Context, _ string, ids []string) error {
					if isAlone(ids) {
						return nil
					}
					return err
				}
			}, func(s *shop) {
				pass(3 * time.Minute)
				s.isSettled(30)
				s.order("u1", "late", time.Hour)
				s.mu.Lock()
				s.ready[":late"] = time.Now().Add(time.Hour)
				s.mu.Unlock()
				before, _ := s.split()
				pass(61 * time.Minute)
				s.isSettled(31)
				if after, alone := s.split(); after-before > 80 || alone > 400 {
					s.Errorf("%d batches in an hour, and %d single orders", after-before, alone)
				}
				if told := s.notes(1); len(told) > 0 {
					s.Errorf("the chat was told %v", told)
				}
			})
		})
	}
}

// TestWhatABatchLeavesOut is asked for by itself; what is not shown there either, ever less often.
func TestWhatABatchLeavesOut(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		s.account("u1")
		s.orders(20, false)
	}, func(s *shop) {
		pass(time.Minute)
		s.isSettled(20)
		for i := range 20 {
			s.order("u1", fmt.Sprint("nowhere", i), -1)
		}
		_, before := s.split()
		pass(time.Hour)
		if _, alone := s.split(); alone-before < 20 || alone-before > 20*20 {
			s.Errorf("%d calls for twenty single orders that nobody knows", alone-before)
		}
	})
}

// TestACodeThatABatchLeavesOut: an order that is called done comes with its code by itself.
func TestACodeThatABatchLeavesOut(t *testing.T) {
	for name, shown := range map[string]api.Order{
		"done": {Status: "completed"}, "with a code that is not there": {Status: "processing", Claim: api.HasCode}, "no status": {}, "an unknown word": {Status: "odd"},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.account("u1")
				s.orders(3, false)
				for i := range 3 {
					o := shown
					o.ID = fmt.Sprint("o", i)
					s.extra = append(s.extra, o)
				}
			}, func(s *shop) {
				pass(10 * time.Second)
				s.isSettled(3)
			})
		})
	}
}

// TestOneOrderThatBreaksEveryCall hides no other: neither in a batch nor where each is asked for by itself.
func TestOneOrderThatBreaksEveryCall(t *testing.T) {
	for name, origin := range map[string]string{"batch": "", "one by one": "legacy"} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.account("u1")
				for i := range 5 {
					now, id := time.Now(), fmt.Sprint("o", i)
					s.ready[origin+":"+id] = now
					o := store.Order{Account: "u1", Origin: origin, ID: store.OrderID(origin, id), State: store.Waiting, CreatedAt: now, Due: now}
					if err := s.store.Update(s.Context(), func(tx *store.Tx) error { return tx.PutOrder(&o) }); err != nil {
						s.Fatal(err)
					}
				}
				s.answers = func(_ context.Context, _ string, ids []string) error {
					for _, id := range ids {
						if strings.HasSuffix(id, "o0") {
							return &api.Error{Class: api.Upstream}
						}
					}
					return nil
				}
			}, func(s *shop) {
				pass(time.Minute)
				s.isSettled(4)
				pass(time.Hour)
				if n := len(s.calls()); n > 250 {
					s.Errorf("%d calls", n)
				}
				s.recovers()
				pass(3 * time.Minute)
				if batches, _ := s.split(); origin == "" && batches == 0 {
					s.Error("no batch was ever asked for")
				}
				s.isSettled(5)
			})
		})
	}
}

// TestRechecksWait: what is delivered is looked at where a call goes anyway, or where there is plenty of budget.
func TestRechecksWait(t *testing.T) {
	now := time.Now()
	delivered := store.Order{Account: "u1", ID: "d", State: store.Ready, Rechecked: true, CreatedAt: now.Add(-time.Hour), Due: now}
	for left, wait := range map[float64]time.Duration{1: 15 * time.Second, 3.9: 500 * time.Millisecond, 4: 0, 8: 0} {
		b := newSchedule("u1")
		b.service = calls{left}
		b.add(delivered, pollplan.Belief{})
		b.plan(now)
		if got := b.next.at.Sub(now); got < wait || got > wait+time.Second || b.next.alone {
			t.Errorf("with %v calls left it is looked at after %v, want %v", left, got, wait)
		}
	}
}

// calls is a service of which only the budget counts.
type calls struct{ left float64 }

func (calls) Orders(context.Context, []string) ([]api.Order, error)  { return nil, nil }
func (calls) Order(context.Context, api.OrderRef) (api.Order, error) { return api.Order{}, nil }
func (calls) Balance(context.Context, time.Duration) (api.Balance, error) {
	return api.Balance{}, nil
}
func (c calls) Allowance(string) api.Allowance {
	return api.Allowance{Left: c.left, Most: 8, PerSecond: 0.2}
}

// goneTold is a settler that counts the looks by which an order is gone.
type goneTold struct {
	Settler

	gone map[string]int
}

func (g *goneTold) News(o store.Order, seen api.Order, at time.Time) bool {
	return seen.Gone || g.Settler.News(o, seen, at)
}

func (g *goneTold) Settle(ctx context.Context, account string, seen []api.Order, at time.Time) error {
	for _, o := range seen {
		if o.Gone {
			g.gone[o.ID]++
		}
	}
	return g.Settler.Settle(ctx, account, seen, at)
}

// TestGoneIsNowhere: only what neither a batch nor the call for one order shows is gone.
func TestGoneIsNowhere(t *testing.T) {
	told := &goneTold{gone: map[string]int{}}
	inShop(t, func(s *shop) {
		told.Settler = s.p.cfg.Settler
		s.p.cfg.Settler = told
		s.account("u1")
		for id, at := range map[string]string{"batch": "batch", "alone": ":alone"} {
			s.order("u1", id, -1)
			s.ready[at] = time.Now().Add(time.Hour)
		}
		s.order("u1", "nowhere", -1)
	}, func(*shop) { pass(20 * time.Minute) })
	if len(told.gone) != 1 || told.gone["nowhere"] == 0 {
		t.Errorf("gone are %v", told.gone)
	}
}

// TestGoneBesideOthers: a batch shows others and leaves one out, and the call for one order is not answered. That one is gone; where the
// batch shows nothing at all, none is.
func TestGoneBesideOthers(t *testing.T) {
	for name, others := range map[string]bool{"others are shown": true, "nothing is": false} {
		t.Run(name, func(t *testing.T) {
			told := &goneTold{gone: map[string]int{}}
			inShop(t, func(s *shop) {
				told.Settler = s.p.cfg.Settler
				s.p.cfg.Settler = told
				s.account("u1")
				s.order("u1", "other", -1)
				if others {
					s.ready["other"] = time.Now().Add(time.Hour)
				}
				s.order("u1", "left out", -1)
				s.answers = func(_ context.Context, _ string, ids []string) error {
					if strings.HasPrefix(ids[0], ":") { // by itself
						return &api.Error{Class: api.Upstream}
					}
					return nil
				}
			}, func(*shop) { pass(20 * time.Minute) })
			if (told.gone["left out"] > 0) != others || told.gone["other"] > 0 {
				t.Errorf("gone are %v", told.gone)
			}
		})
	}
}
