package notify

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// TestAKeyThatWorksIsNeverHeldBack: whatever the trouble under other keys, orders under one that is answered are
// looked at as soon as ever. Who waits under the other is told after a while, once, and nobody else is.
func TestAKeyThatWorksIsNeverHeldBack(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("bad")
		s.account("u1")
		s.waitingChat(1, "u1")
		s.waitingChat(2, "bad")
		s.failUnder("bad")
	}, func(s *shop) {
		s.order("u1", "first", time.Second)
		s.order("bad", "x", time.Second)
		pass(9 * time.Minute)
		if told := s.notes(2); len(told) > 0 {
			s.Errorf("told %v within ten minutes", told)
		}
		for i := range 5 {
			pass(10 * time.Minute) // in which the bad key alone is asked, in vain
			id := fmt.Sprint("o", i)
			s.order("u1", id, time.Second)
			pass(10 * time.Second)
			s.mu.Lock()
			seen, ready := s.settled[id], s.ready[id]
			s.mu.Unlock()
			if late := seen.Sub(ready); seen.IsZero() || late > 5*time.Second {
				s.Errorf("%s is seen %v late", id, late)
			}
		}
		if a, b := s.notes(1), s.notes(2); len(a) > 0 || !slices.Equal(b, []string{"outage"}) {
			s.Errorf("told %v and %v", a, b)
		}
		s.recovers()
		pass(2 * time.Minute)
		if a, b := s.notes(1), s.notes(2); len(a) > 0 || !slices.Equal(b, []string{"outage", "outage_over"}) {
			s.Errorf("told %v and %v in the end", a, b)
		}
	})
}

// TestSilentKeysHoldNobodyBack: the answers under many keys tell nothing, so those who wait under them are told that there is none. The
// service is there all the same: one call that fails under another key is no outage, and its orders are looked at as soon as ever.
func TestSilentKeysHoldNobodyBack(t *testing.T) {
	inShop(t, func(s *shop) {
		for i := range 15 {
			account := fmt.Sprint("u", i)
			s.account(account)
			s.waitingChat(int64(i+1), account)
			if i > 0 {
				s.order(account, fmt.Sprint("x", i), -1)
			}
		}
		s.answers = func(_ context.Context, account string, _ []string) error {
			if account != "u0" {
				return &api.Error{Class: api.Limited, Status: http.StatusTooManyRequests}
			}
			return nil
		}
	}, func(s *shop) {
		pass(40 * time.Minute)
		s.mu.Lock()
		silent, begin := s.answers, time.Now()
		s.answers = func(ctx context.Context, account string, ids []string) error {
			if account == "u0" && time.Since(begin) < 3*time.Second {
				return &api.Error{Class: api.Upstream}
			}
			return silent(ctx, account, ids)
		}
		s.mu.Unlock()
		s.order("u0", "o", 10*time.Second)
		pass(time.Minute)
		s.mu.Lock()
		seen := s.settled["o"]
		s.mu.Unlock()
		if late := seen.Sub(begin); seen.IsZero() || late > 20*time.Second {
			s.Errorf("it is seen after %v", late)
		}
		if a, b := s.notes(1), s.notes(2); len(a) > 0 || !slices.Equal(b, []string{"outage"}) {
			s.Errorf("told %v and %v", a, b)
		}
	})
}

// TestSeveralKeysAreAnOutage: where several keys get no answer, those who wait under them are told, once; a third
// key that works goes on as ever, and its people are told nothing.
func TestSeveralKeysAreAnOutage(t *testing.T) {
	inShop(t, func(s *shop) {
		for chat, account := range []string{"u1", "bad", "worse"} {
			s.account(account)
			s.waitingChat(int64(chat+1), account)
		}
		s.answers = func(_ context.Context, account string, _ []string) error {
			if account != "u1" {
				return &api.Error{Class: api.Upstream}
			}
			return nil
		}
	}, func(s *shop) {
		s.order("bad", "x", time.Second)
		s.order("worse", "y", time.Second)
		pass(10 * time.Minute)
		if a, b, c := s.notes(1), s.notes(2), s.notes(3); len(a) > 0 || !slices.Equal(b, []string{"outage"}) || !slices.Equal(c, b) {
			s.Errorf("told %v, %v and %v", a, b, c)
		}
		s.order("u1", "o", time.Second)
		pass(5 * time.Second)
		if len(s.settled) != 1 {
			s.Error("the key that works is held back")
		}
		pass(10 * time.Minute)
		s.recovers()
		pass(3 * time.Minute)
		if a, b, c := s.notes(1), s.notes(2), s.notes(3); len(a) > 0 || !slices.Equal(b, []string{"outage", "outage_over"}) || !slices.Equal(c, b) {
			s.Errorf("told %v, %v and %v in the end", a, b, c)
		}
	})
}

// TestScheduledLooks: what has come to an end that may not be its last is looked at when its schedule says so, and
// neither with every call for others nor never; also where the service does not show it any more.
func TestScheduledLooks(t *testing.T) {
	for name, origin := range map[string]api.Origin{"in the batch": api.FromCurrent, "alone": api.FromLegacy, "at two endpoints": api.FromSportsTV} {
		for _, known := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ", known: ", known), func(t *testing.T) {
				inShop(t, func(s *shop) { s.account("u1") }, func(s *shop) {
					failed := store.OrderID(string(origin), "failed")
					now := time.Now()
					if known {
						s.ready[failed] = now.Add(100 * time.Hour)
					}
					if err := s.store.Update(s.Context(), func(tx *store.Tx) error {
						return tx.PutOrder(&store.Order{
							Account: "u1", ID: failed, Origin: string(origin), State: store.Failed, CreatedAt: now, ReadyAt: now, Due: now.Add(30 * time.Minute),
						})
					}); err != nil {
						s.Fatal(err)
					}
					s.order("u1", "busy", time.Hour)
					asked := func() (n int) {
						for _, q := range s.calls() {
							if slices.Contains(q.ids, failed) || slices.Contains(q.ids, string(origin)+":failed") {
								n++
							}
						}
						return n
					}
					pass(29 * time.Minute)
					if n := asked(); n > 0 {
						s.Errorf("it was looked at %d times before its time", n)
					}
					pass(2 * time.Minute)
					if n := asked(); n == 0 || n > 2 { // the settler of these tests comes back after a minute
						s.Errorf("it was looked at %d times when its time had come", n)
					}
					o, err := s.store.Order(s.Context(), "u1", failed)
					if err != nil || o.Looks == 0 || !o.Due.After(time.Now()) {
						s.Errorf("the order is %+v, %v", o, err)
					}
				})
			})
		}
	}
}

// TestOrdersWithoutAnAccountWait: they come back when somebody links it again.
func TestOrdersWithoutAnAccountWait(t *testing.T) {
	inShop(t, func(*shop) {}, func(s *shop) {
		s.order("u1", "o", time.Second)
		pass(10 * time.Minute)
		if n := len(s.calls()); n > 0 {
			s.Errorf("%d calls under no key", n)
		}
		s.account("u1")
		pass(70 * time.Minute)
		if len(s.settled) != 1 {
			s.Error("the order is not looked at after its account has come back")
		}
	})
}

// TestScheduledLooksRest: a look at an order that has ended counts like any other where it fails: the service is left alone
// for longer each time, and the owners hear of a refused key where it is waited for.
func TestScheduledLooksRest(t *testing.T) {
	for name, state := range map[string]store.OrderState{"ended": store.Failed, "waited for": store.Waiting} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.account("u1")
				now := time.Now()
				for _, origin := range []string{"", "legacy"} {
					o := store.Order{Account: "u1", Origin: origin, ID: store.OrderID(origin, "o"), State: state, CreatedAt: now, ReadyAt: now, Due: now}
					if err := s.store.Update(s.Context(), func(tx *store.Tx) error { return tx.PutOrder(&o) }); err != nil {
						s.Fatal(err)
					}
				}
				s.answers = func(context.Context, string, []string) error { return &api.Error{Class: api.Unauthorized} }
			}, func(s *shop) {
				pass(10 * time.Minute)
				if n := len(s.calls()); n < 3 || n > 12 {
					s.Errorf("%d calls under a key that is refused", n)
				}
			})
		})
	}
}
