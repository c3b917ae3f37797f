package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram/telegramtest"
)

var (
	_ OrderSource = (*api.Session)(nil)
	_ Settler     = (*purchase.Engine)(nil)
)

// question is one call for orders.
type question struct {
	at      time.Time
	account string
	ids     []string
}

// service is a reseller service that knows when each order is ready.
type service struct {
	store *store.Store

	mu      sync.Mutex
	asked   []question
	ready   map[string]time.Time           // orders without a moment are not known
	shows   int                            // how many orders an answer shows, from the first on; 0 for all
	extra   []api.Order                    // comes along with every answer
	beside  func(ids []string) []api.Order // comes along with an answer for these; it may be nil
	answers func(ctx context.Context, account string, ids []string) error
	settled map[string]time.Time
}

// asking is the service under one account's key.
type asking struct {
	*service

	account string
}

// Orders implements OrderSource.
func (s asking) Orders(ctx context.Context, ids []string) ([]api.Order, error) {
	s.mu.Lock()
	s.asked = append(s.asked, question{time.Now(), s.account, slices.Clone(ids)})
	answers := s.answers
	s.mu.Unlock()
	if answers != nil {
		if err := answers(ctx, s.account, ids); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.extra)
	if s.beside != nil {
		list = append(list, s.beside(ids)...)
	}
	if s.shows > 0 {
		ids = ids[:min(len(ids), s.shows)]
	}
	for _, id := range ids {
		switch at, known := s.ready[id]; {
		case !known:
		case time.Now().Before(at):
			list = append(list, api.Order{ID: id, Status: "pending"})
		default:
			list = append(list, api.Order{ID: id, Status: "completed", Code: secret.New("code of " + id)})
		}
	}
	return list, nil
}

// Order implements OrderSource. What is asked alone is known by its origin as well.
func (s asking) Order(ctx context.Context, ref api.OrderRef) (api.Order, error) {
	id := string(ref.Origin) + ":" + ref.ID
	list, err := s.Orders(ctx, []string{id})
	i := slices.IndexFunc(list, func(o api.Order) bool { return o.ID == id })
	if err != nil || i < 0 {
		return api.Order{}, cmp.Or[error](err, &api.Error{Op: "GET order", Class: api.NotFound})
	}
	return list[i], nil
}

// Listed implements Settler: there is no list.
func (s *service) Listed(context.Context, store.Order) (found api.Order, ok bool, err error) {
	return found, false, nil
}

// Balance implements OrderSource: it is never asked for here.
func (asking) Balance(context.Context, time.Duration) (api.Balance, error) { return api.Balance{}, nil }

// Allowance implements OrderSource: as much as the published limits leave to polling.
func (s asking) Allowance(method string) api.Allowance {
	if method == http.MethodPost {
		return api.Allowance{Left: 8, Most: 8, PerSecond: 0.2}
	}
	return api.Allowance{Left: 18, Most: 18, PerSecond: 0.45}
}

// News implements Settler.
func (s *service) News(_ store.Order, seen api.Order, _ time.Time) bool { return !seen.Code.IsZero() }

// Settle implements Settler, without the purchases.
func (s *service) Settle(ctx context.Context, account string, seen []api.Order, at time.Time) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, looked := range seen {
			o, err := tx.Order(account, looked.ID)
			if err != nil {
				return err
			}
			o.Looks, o.SeenAt, o.Due = o.Looks+1, at, at.Add(NextLook(at.Sub(o.CreatedAt)))
			if !looked.Code.IsZero() {
				o.State, o.Code, o.Due = store.Ready, looked.Code, time.Time{}
				s.settled[o.ID] = at
			}
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
		}
		return nil
	})
}

// shop is a store, a service and a Poller between them.
type shop struct {
	*testing.T
	*service

	p *Poller
}

// inShop runs a test in virtual time, with a Poller that runs.
func inShop(t *testing.T, before, test func(*shop)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		st := storetest.New(t)
		s := &shop{T: t, service: &service{store: st, ready: map[string]time.Time{}, settled: map[string]time.Time{}}}
		s.p = NewPoller(PollerConfig{
			Store: st, Settler: s.service, Log: telegramtest.Discard(), Random: func() float64 { return 0.5 },
			Session: func(a store.Account) OrderSource { return asking{s.service, a.ID} },
		})
		ctx, cancel := context.WithCancel(s.Context())
		done := make(chan error, 1)
		before(s)
		go func() { done <- s.p.Run(ctx) }()
		defer func() {
			cancel()
			if err := <-done; err != nil {
				s.Error(err)
			}
		}()
		test(s)
	})
}

// account makes an account.
func (s *shop) account(id string) {
	s.Helper()
	if err := s.store.Update(s.Context(), func(tx *store.Tx) error { return tx.PutAccount(&store.Account{ID: id}) }); err != nil {
		s.Fatal(err)
	}
}

// failUnder has the service fail under the key of one account, and answer under all others.
func (s *shop) failUnder(account string) {
	s.answers = func(_ context.Context, asks string, _ []string) error {
		if asks == account {
			return &api.Error{Class: api.Upstream}
		}
		return nil
	}
}

// order makes an order that is ready after a while; -1 is one that the service does not know.
func (s *shop) order(account, id string, after time.Duration) {
	s.Helper()
	now := time.Now()
	if after >= 0 {
		s.mu.Lock()
		s.ready[id] = now.Add(after)
		s.mu.Unlock()
	}
	if err := s.store.Update(s.Context(), func(tx *store.Tx) error {
		return tx.PutOrder(&store.Order{Account: account, ID: id, State: store.Waiting, CreatedAt: now, Due: now})
	}); err != nil {
		s.Fatal(err)
	}
}

// calls lists the calls for the account u1 so far.
func (s *shop) calls() []question {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []question
	for _, q := range s.asked {
		if q.account == "u1" {
			list = append(list, q)
		}
	}
	return list
}

func TestPollerSeesAnOrderSoon(t *testing.T) {
	for _, tc := range []struct {
		after, late time.Duration
		calls       int
	}{
		{0, 1200 * time.Millisecond, 1},
		{2 * time.Second, 500 * time.Millisecond, 5},
		{time.Minute, 10 * time.Second, 20},
		{3 * time.Hour, time.Minute + time.Second, 220},
	} {
		t.Run(tc.after.String(), func(t *testing.T) {
			inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
				begin := time.Now()
				s.order("u1", "o1", tc.after)
				pass(tc.after + tc.late)
				if late := s.settled["o1"].Sub(begin) - tc.after; late < 0 || late > tc.late {
					s.Errorf("seen %v late", late)
				}
				if n := len(s.calls()); n > tc.calls {
					s.Errorf("%d calls", n)
				}
				pass(time.Hour)
				if n := len(s.calls()); n > tc.calls {
					s.Errorf("%d calls: it is looked at although it is done", n)
				}
			})
		})
	}
}

// TestBatches: whatever is pending of an account travels in as few calls as it fits.
func TestBatches(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		for i := range 120 {
			s.order("u1", fmt.Sprint("o", i), 0)
		}
	}, func(s *shop) {
		pass(10 * time.Second)
		calls := s.calls()
		if len(calls) != 2 || len(s.settled) != 120 {
			s.Errorf("%d calls, %d orders settled", len(calls), len(s.settled))
		}
		for _, q := range calls {
			if len(q.ids) > batchSize || len(slices.Compact(slices.Sorted(slices.Values(q.ids)))) != len(q.ids) {
				s.Errorf("a call for %d ids: %v", len(q.ids), q.ids)
			}
		}
	})
}

// TestOthersRideAlong: an order that is not due travels with one that is.
func TestOthersRideAlong(t *testing.T) {
	inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
		s.order("u1", "slow", time.Hour)
		pass(10 * time.Minute)
		before := len(s.calls())
		s.order("u1", "quick", 0)
		pass(1500 * time.Millisecond)
		calls := s.calls()[before:]
		if len(calls) != 1 || len(calls[0].ids) != 2 {
			s.Errorf("calls %v", calls)
		}
	})
}

func TestHangingAccountDelaysNobody(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		s.account("u2")
		s.answers = func(ctx context.Context, account string, _ []string) error {
			if account == "u1" {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
	}, func(s *shop) {
		s.order("u1", "a", 0)
		pass(time.Second)
		begin := time.Now()
		s.order("u2", "b", 0)
		pass(2 * time.Second)
		if late := s.settled["b"].Sub(begin); late < 0 || late > 1500*time.Millisecond {
			s.Errorf("seen after %v", late)
		}
	})
}

// TestFailures: how long an account is left alone after each kind of failure.
func TestFailures(t *testing.T) {
	sampletest.Slow(t)
	for _, tc := range []struct {
		name string
		err  error
		want []time.Duration // between looks: after a batch has failed twice, a single order is asked for as well
	}{
		{"upstream", &api.Error{Class: api.Upstream}, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, time.Minute, time.Minute}},
		{"held back by the client", &api.Error{Class: api.Limited, RetryAfter: 7 * time.Second}, []time.Duration{7 * time.Second, 7 * time.Second, 7 * time.Second}},
		{"limited", &api.Error{Class: api.Limited, Status: http.StatusTooManyRequests, RetryAfter: 20 * time.Second}, []time.Duration{20 * time.Second, 20 * time.Second}},
		{"limited, no wait named", &api.Error{Class: api.Limited, Status: http.StatusTooManyRequests}, []time.Duration{time.Second, 2 * time.Second}},
		{"bad key", &api.Error{Class: api.Unauthorized}, []time.Duration{20 * time.Second, 5 * time.Minute, 5 * time.Minute}},
		{"blocked address", fmt.Errorf("x: %w", &api.Error{Class: api.IPBlocked}), []time.Duration{20 * time.Second, 5 * time.Minute}},
		{"not the service's", errors.New("anything"), []time.Duration{time.Second, 2 * time.Second}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.account("u1")
				s.answers = func(context.Context, string, []string) error { return tc.err }
			}, func(s *shop) {
				s.order("u1", "a", 0)
				pass(200 * time.Millisecond)
				s.order("u1", "b", 0) // that it is new does not make the service better
				pass(time.Hour)
				calls := slices.CompactFunc(s.calls(), func(a, b question) bool { return a.at.Equal(b.at) })
				for i, want := range tc.want {
					got := calls[i+1].at.Sub(calls[i].at)
					if got < want || got > want+50*time.Millisecond {
						s.Errorf("wait %d is %v, want %v", i, got, want)
					}
				}
				s.mu.Lock()
				s.answers = nil
				s.mu.Unlock()
				pass(time.Hour)
				if len(s.settled) != 2 {
					s.Errorf("settled %v once the service is back", s.settled)
				}
			})
		})
	}
}

// TestAnswerThatDoesNotFit: what is missing stays pending, what was not asked for is ignored.
func TestAnswerThatDoesNotFit(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		s.extra = []api.Order{{ID: "foreign", Status: "completed", Code: secret.New("x")}}
	}, func(s *shop) {
		s.order("u1", "a", 0)
		s.order("u1", "late", -1)
		pass(time.Minute)
		if _, ok := s.settled["a"]; !ok || len(s.settled) != 1 {
			s.Errorf("settled %v", s.settled)
		}
		if n := len(s.calls()); n < 10 || n > 40 {
			s.Errorf("%d calls for the one that is missing", n)
		}
		s.mu.Lock()
		s.ready["late"] = time.Now()
		s.mu.Unlock()
		pass(11 * time.Second)
		if _, ok := s.settled["late"]; !ok {
			s.Error("the order that turned up late is not seen")
		}
	})
}

// TestOneBadOrderHidesNoOther: the service refuses every call that names it.
func TestOneBadOrderHidesNoOther(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		for i := range 20 {
			s.order("u1", fmt.Sprint("o", i), 0)
		}
		s.answers = func(_ context.Context, _ string, ids []string) error {
			if slices.Contains(ids, "o13") {
				return &api.Error{Class: api.NotFound}
			}
			return nil
		}
	}, func(s *shop) {
		pass(4 * time.Minute)
		if len(s.settled) != 19 {
			s.Errorf("%d orders settled", len(s.settled))
		}
		// The halves, and then it alone, by both endpoints, after 2, 4, 8 … seconds.
		n := len(s.calls())
		if n > 28 {
			s.Errorf("%d calls", n)
		}
		pass(2 * time.Minute)
		if len(s.calls()) == n {
			s.Errorf("%d calls: the bad one is forgotten", n)
		}
	})
}

// TestHalvesEndWithTheService: when the service goes down amid the halves, the rest waits.
func TestHalvesEndWithTheService(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		s.order("u1", "a", 0)
		s.order("u1", "b", 0)
		s.answers = func(_ context.Context, _ string, ids []string) error {
			if len(ids) == 2 {
				return &api.Error{Class: api.Invalid}
			}
			return &api.Error{Class: api.Upstream}
		}
	}, func(s *shop) {
		pass(1900 * time.Millisecond)
		if n := len(s.calls()); n != 2 {
			s.Errorf("%d calls", n)
		}
	})
}

// TestPollerSurvivesDefects: a panic and an account that is gone.
func TestPollerSurvivesDefects(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		first := true
		s.answers = func(context.Context, string, []string) error {
			if first {
				first = false
				panic("CODE-123")
			}
			return nil
		}
	}, func(s *shop) {
		s.order("u1", "a", 0)
		s.order("nobody", "b", 0)
		pass(5 * time.Second)
		if _, ok := s.settled["a"]; !ok {
			s.Error("a panic ended the polling")
		}
	})
}

// TestBeatAndRestart: a beat with nothing due asks nothing; what a killed process had claimed is asked
// for at once, even if that process had taken it over from another one.
func TestBeatAndRestart(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		s.order("u1", "a", 0)
		pass(NextLook(0))
		if list, err := s.store.ClaimOrders(s.Context(), time.Now(), lease, 10); err != nil || len(list) != 1 {
			s.Fatal(len(list), err)
		}
		pass(time.Second)
		NewPoller(s.p.cfg).claimAll(s.Context(), lease)
		pass(time.Second)
	}, func(s *shop) {
		pass(1200 * time.Millisecond)
		if _, ok := s.settled["a"]; !ok {
			s.Error("the claimed order is not asked for")
		}
		for range 10 {
			s.p.Beat()
			pass(10 * time.Millisecond)
		}
		if n := len(s.calls()); n != 1 {
			s.Errorf("%d calls", n)
		}
	})
}

// TestPollerOutlivesItsStore: what cannot be claimed is tried again, not spun on, and what is in hand is
// looked at no more often than otherwise.
func TestPollerOutlivesItsStore(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		s.answers = func(context.Context, string, []string) error {
			s.store.Close()
			return nil
		}
	}, func(s *shop) {
		s.order("u1", "a", -1)
		pass(10 * time.Second)
		if n := len(s.calls()); n < 1 || n > 10 {
			s.Errorf("%d calls", n)
		}
	})
}

// TestOrdersWithAnEndpointOfTheirOwn: they are asked one by one, beside the batch, and one that the
// service does not know does not hide the others.
func TestOrdersWithAnEndpointOfTheirOwn(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("a")
		for _, o := range []store.Order{{ID: "plain"}, {ID: "gone", Origin: "legacy"}, {ID: "1", Origin: "arena", Other: "t-1"}, {ID: "2", Origin: "sportstv"}} {
			o.Account, o.Purchase, o.State, o.CreatedAt, o.Due = "a", "p", store.Waiting, time.Now(), time.Now()
			if err := s.store.Update(s.Context(), func(tx *store.Tx) error { return tx.PutOrder(&o) }); err != nil {
				s.Fatal(err)
			}
		}
		for _, known := range []string{"plain", "arena:1", "sportstv:2"} {
			s.ready[known] = time.Now()
		}
	}, func(s *shop) {
		pass(10 * time.Second)
		for _, id := range []string{"plain", "1", "2"} {
			if _, ok := s.settled[id]; !ok {
				s.Errorf("order %s was not settled; asked %v", id, s.asked)
			}
		}
		pass(30 * time.Minute)
		looks := 0
		for _, q := range s.asked {
			if slices.Contains(q.ids, "legacy:gone") {
				looks++
			}
		}
		if looks < 10 || looks > 16 { // after 2, 4, 8 … seconds, and then each five minutes
			s.Errorf("the unknown order was looked at %d times", looks)
		}
	})
}
