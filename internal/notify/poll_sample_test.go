package notify

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/sliding"
	"resellerbot/internal/store"
)

// bigUnits is how many units the purchase has that onBigPurchase is about.
const bigUnits = 500

// onBigPurchase orders units that become ready together, at a service that takes a moment for each call. fails is what a call meets
// behind the first one that has found orders ready: these are counted from 1. The test has whole minutes, and then how many calls there
// were, and how long after the answer to that first call each order was settled.
func onBigPurchase(t *testing.T, fails func(call int, ids []string) error, before func(*shop), test func(s *shop, calls int, late map[string]time.Duration)) {
	t.Helper()
	const trip, ready = 200 * time.Millisecond, 20 * time.Second
	inShop(t, func(s *shop) { s.account("u1"); before(s) }, func(s *shop) {
		var found atomic.Pointer[time.Time] // when the first call began that has found orders ready
		var behind atomic.Int32
		begin := time.Now()
		s.answers = func(_ context.Context, _ string, ids []string) error {
			asked := time.Now()
			<-time.After(trip)
			if first := found.Load(); first != nil && asked.After(*first) {
				return fails(int(behind.Add(1)), ids)
			}
			if asked.Sub(begin) >= ready {
				found.Store(&asked)
			}
			return nil
		}
		for i := range bigUnits {
			s.order("u1", fmt.Sprint("o", i), ready)
		}
		pass(30 * time.Minute)
		late := map[string]time.Duration{}
		for id, at := range s.settled {
			late[id] = at.Sub(found.Load().Add(trip))
		}
		test(s, int(behind.Load()), late)
	})
}

// TestRestOfAPurchase: once all that was looked at of a big purchase is ready, the rest is asked for by calls side by side, and what one
// of them does not show is asked for again without the others.
func TestRestOfAPurchase(t *testing.T) {
	refuses := func(bad ...string) func(int, []string) error {
		return func(_ int, ids []string) error {
			if len(ids) > 1 && slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(bad, id) }) {
				return &api.Error{Class: api.NotFound}
			}
			return nil
		}
	}
	// limited is a service behind a client that makes so many calls a minute and no more.
	limited := func(most int, fails func(int, []string) error) func(int, []string) error {
		sent := sliding.New(most, time.Minute)
		var mu sync.Mutex
		return func(call int, ids []string) error {
			mu.Lock()
			defer mu.Unlock()
			if free := sent.Open(); time.Now().Before(free) {
				return &api.Error{Class: api.Limited, RetryAfter: time.Until(free)}
			}
			sent.Add(time.Now())
			return fails(call, ids)
		}
	}
	for _, tc := range []struct {
		name       string
		fails      func(call int, ids []string) error
		calls      int           // behind the first that finds orders ready
		most, last time.Duration // when 300 units, and all, are settled, behind that first call
	}{
		{"all answer", refuses(), 4, 200 * time.Millisecond, 200 * time.Millisecond},
		{"one fails", func(call int, _ []string) error {
			if call == 2 {
				return &api.Error{Class: api.Upstream}
			}
			return nil
		}, 5, 200 * time.Millisecond, 2 * time.Second},
		{"one hangs", func(call int, _ []string) error {
			if call == 2 {
				<-time.After(15 * time.Second)
				return &api.Error{Class: api.Upstream}
			}
			return nil
		}, 5, time.Second, 20 * time.Second},
		{"one order is refused", refuses("o123"), 25, 200 * time.Millisecond, time.Minute},
		{"several orders are refused", refuses("o123", "o323", "o423"), 80, time.Minute, 8 * time.Minute},
		{"several are refused, and calls are few", limited(5, refuses("o123", "o323", "o423")), 300, 15 * time.Minute, 28 * time.Minute},
		{"the service begins to refuse so many", func(_ int, ids []string) error {
			if len(ids) > 50 {
				return &api.Error{Class: api.Invalid}
			}
			return nil
		}, 14, 2 * time.Second, 2 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			onBigPurchase(t, tc.fails, func(*shop) {}, func(_ *shop, calls int, late map[string]time.Duration) {
				soon, last := 0, time.Duration(0)
				for _, l := range late {
					if last = max(last, l); l <= tc.most {
						soon++
					}
				}
				if len(late) != bigUnits || last > tc.last || soon < 300 {
					t.Errorf("%d orders are settled, %d of them within %v, the last one after %v (want %v)", len(late), soon, tc.most, last, tc.last)
				}
				if calls > tc.calls {
					t.Errorf("%d calls, want %d", calls, tc.calls)
				}
			})
		})
	}
}

// TestEachCallTellsOfItsOwn: what one of several calls shows of orders that another one asks for is not taken: it may be of a while ago.
func TestEachCallTellsOfItsOwn(t *testing.T) {
	onBigPurchase(t, func(int, []string) error { return nil }, func(s *shop) {
		s.beside = func(ids []string) (list []api.Order) {
			for i := range bigUnits {
				if id := fmt.Sprint("o", i); !slices.Contains(ids, id) && len(ids) < bigUnits {
					list = append(list, api.Order{ID: id, Status: "completed", Code: secret.New("stale")})
				}
			}
			return list
		}
	}, func(s *shop, _ int, late map[string]time.Duration) {
		wrong := 0
		for id := range late {
			o, err := s.store.Order(t.Context(), "u1", id)
			if err != nil {
				t.Error(err)
			}
			if o.Code.Reveal() == "stale" {
				wrong++
			}
		}
		if len(late) != bigUnits || wrong > 0 {
			t.Errorf("of %d orders %d have the code of a while ago", len(late), wrong)
		}
	})
}

// withoutPosts is a service under a limit of which no POST is left to polling.
type withoutPosts struct{ asking }

// Allowance implements OrderSource.
func (s withoutPosts) Allowance(method string) api.Allowance {
	if method == http.MethodPost {
		return api.Allowance{}
	}
	return s.asking.Allowance(method)
}

// Orders implements OrderSource.
func (withoutPosts) Orders(context.Context, []string) ([]api.Order, error) {
	return nil, &api.Error{Class: api.Limited, RetryAfter: time.Minute}
}

// Order implements OrderSource.
func (s withoutPosts) Order(ctx context.Context, ref api.OrderRef) (api.Order, error) {
	list, err := s.asking.Orders(ctx, []string{ref.ID})
	if err != nil || len(list) == 0 {
		return api.Order{}, err
	}
	return list[0], nil
}

// TestRestWithoutBatches: where the limit leaves no batch to polling, the rest of a purchase is asked for one by one, and soon.
func TestRestWithoutBatches(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		s.p.cfg.Session = func(a store.Account) OrderSource { return withoutPosts{asking{s.service, a.ID}} }
	}, func(s *shop) {
		for i := range 5 {
			s.order("u1", fmt.Sprint("o", i), 2*time.Second)
		}
		pass(5 * time.Second)
		if len(s.settled) != 5 {
			t.Errorf("%d of 5 orders are settled", len(s.settled))
		}
	})
}
