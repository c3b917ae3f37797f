package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// waitingChat makes a chat that waits for a purchase.
func (s *shop) waitingChat(chat int64, account string) {
	s.Helper()
	p := store.Purchase{ID: fmt.Sprintf("P%025d", chat), Chat: chat, Account: account, Phase: store.Accepted}
	if err := s.store.Update(s.Context(), func(tx *store.Tx) error { return tx.PutPurchase(&p) }); err != nil {
		s.Fatal(err)
	}
}

// notes lists what waits to be sent to a chat.
func (s *shop) notes(chat int64) (names []string) {
	s.Helper()
	rows, err := s.store.ChatOutbox(s.Context(), chat, 100)
	if err != nil {
		s.Fatal(err)
	}
	for _, r := range rows {
		names = append(names, string(r.NoteName()))
	}
	return names
}

// recovers has the service answer again.
func (s *shop) recovers() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = nil
}

// TestOutage: a service that does not answer is probed gently, whatever the number of accounts; those who
// wait are told once, and once that it is over; and then everything is looked at soon.
func TestOutage(t *testing.T) {
	const accounts = 50
	down := func(context.Context, string, []string) error { return &api.Error{Class: api.Upstream} }
	inShop(t, func(s *shop) {
		for i := range accounts {
			account := fmt.Sprint("u", i)
			s.account(account)
			s.waitingChat(int64(i+1), account)
			s.order(account, fmt.Sprint("o", i), time.Second)
		}
		s.answers = down
	}, func(s *shop) {
		pass(50 * time.Second)
		if told := s.notes(1); len(told) > 0 {
			s.Errorf("told %v after less than a minute", told)
		}
		pass(20 * time.Minute)
		s.mu.Lock()
		calls := len(s.asked)
		s.mu.Unlock()
		if calls > 100 {
			s.Errorf("%d calls to a service that is down", calls)
		}
		for chat := range int64(accounts) {
			if told := s.notes(chat + 1); !slices.Equal(told, []string{"outage"}) {
				s.Fatalf("chat %d was told %v", chat+1, told)
			}
		}
		if told := s.notes(accounts + 1); len(told) > 0 {
			s.Errorf("somebody who waits for nothing was told %v", told)
		}
		s.recovers()
		pass(70 * time.Second)
		if told := s.notes(7); !slices.Equal(told, []string{"outage", "outage_over"}) {
			s.Errorf("told %v", told)
		}
		s.mu.Lock()
		if len(s.settled) != accounts {
			s.Errorf("%d orders are settled a minute after the end", len(s.settled))
		}
		s.mu.Unlock()
		pass(time.Hour)
		if told := s.notes(7); len(told) != 2 {
			s.Errorf("told %v in the end", told)
		}
	})
}

// TestOutageOutlivesARestart: the next process tells nobody again, and tells of the end.
func TestOutageOutlivesARestart(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		s.waitingChat(1, "u1")
		s.order("u1", "a", time.Second)
		if err := s.store.Update(s.Context(), func(tx *store.Tx) error {
			return tx.PutOutage(store.Outage{Since: time.Now().Add(-time.Hour), Told: []int64{1}})
		}); err != nil {
			s.Fatal(err)
		}
		s.answers = func(context.Context, string, []string) error { return &api.Error{Class: api.Upstream} }
	}, func(s *shop) {
		pass(10 * time.Minute)
		if told := s.notes(1); len(told) > 0 {
			s.Errorf("told %v", told)
		}
		s.recovers()
		pass(2 * time.Minute)
		if told := s.notes(1); !slices.Equal(told, []string{"outage_over"}) {
			s.Errorf("told %v at the end", told)
		}
	})
}

// TestOutageEndsForWhomItEnds: of two keys that get no answer one gets answers again. Those who wait under it are told, and those who
// wait under the other are not, before it is answered as well: also where the process has begun anew meanwhile.
func TestOutageEndsForWhomItEnds(t *testing.T) {
	for name, began := range map[string]bool{"in one process": false, "told by the one before": true} {
		t.Run(name, func(t *testing.T) {
			failing := map[string]bool{"bad": true, "worse": true}
			inShop(t, func(s *shop) {
				for chat, account := range []string{"bad", "worse"} {
					s.account(account)
					s.waitingChat(int64(chat+1), account)
				}
				if began {
					if err := s.store.Update(s.Context(), func(tx *store.Tx) error {
						return tx.PutOutage(store.Outage{Since: time.Now().Add(-time.Hour), Told: []int64{1, 2}})
					}); err != nil {
						s.Fatal(err)
					}
				}
				s.answers = func(_ context.Context, account string, _ []string) error {
					if failing[account] {
						return &api.Error{Class: api.Upstream}
					}
					return nil
				}
			}, func(s *shop) {
				s.order("bad", "x", time.Second)
				s.order("worse", "y", time.Second)
				pass(10 * time.Minute)
				s.mu.Lock()
				failing["bad"] = false
				s.mu.Unlock()
				pass(10 * time.Minute)
				if a, b := s.notes(1), s.notes(2); !slices.Contains(a, "outage_over") || slices.Contains(b, "outage_over") {
					s.Errorf("told %v and %v once the first is answered", a, b)
				}
				s.mu.Lock()
				failing["worse"] = false
				s.mu.Unlock()
				pass(10 * time.Minute)
				if a, b := s.notes(1), s.notes(2); !slices.Equal(a, b) || len(a) > 2 || !slices.Contains(b, "outage_over") {
					s.Errorf("told %v and %v in the end", a, b)
				}
			})
		})
	}
}

// TestOneAccountsTroubleIsNoOutage: an account whose calls fail holds up nobody, and nobody is told.
func TestOneAccountsTroubleIsNoOutage(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("bad")
		s.account("u1")
		s.waitingChat(1, "u1")
		s.failUnder("bad")
	}, func(s *shop) {
		s.order("bad", "x", time.Second)
		for i := range 20 {
			s.order("u1", fmt.Sprint("o", i), time.Second)
			pass(30 * time.Second)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.settled) != 20 || len(s.notes(1)) > 0 {
			s.Errorf("%d orders are settled, told %v", len(s.settled), s.notes(1))
		}
		for i := range 20 {
			id := fmt.Sprint("o", i)
			if late := s.settled[id].Sub(s.ready[id]); late > 5*time.Second {
				s.Errorf("%s is seen %v late", id, late)
			}
		}
	})
}

// TestBatchSizeIsLearned: how many orders the service takes in one call is found out once, and kept.
func TestBatchSizeIsLearned(t *testing.T) {
	const most = 30
	inShop(t, func(s *shop) {
		s.account("u1")
		for i := range 120 {
			s.order("u1", fmt.Sprint("o", i), 2*time.Minute)
		}
		s.answers = func(_ context.Context, _ string, ids []string) error {
			if len(ids) > most {
				return &api.Error{Class: api.Invalid, Status: 400}
			}
			return nil
		}
	}, func(s *shop) {
		pass(30 * time.Minute)
		if len(s.settled) != 120 {
			s.Errorf("%d orders are settled", len(s.settled))
		}
		a, err := s.store.Account(s.Context(), "u1")
		if err != nil || a.Batch < most/2 || a.Batch > most {
			s.Errorf("%d orders a call are kept, %v", a.Batch, err)
		}
		refused := 0
		for _, q := range s.calls() {
			if len(q.ids) > most {
				refused++
			}
		}
		if refused == 0 || refused > 3 { // the hundred, one of its halves, and twice as many as are kept, a minute later
			s.Errorf("%d calls were refused", refused)
		}
	})
}

// TestManyOrdersDelayNobodyElse: an account with thousands of orders that do not come, and one with a
// single order.
func TestManyOrdersDelayNobodyElse(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		s.account("u1")
		s.account("u2")
		now := time.Now()
		if err := s.store.Update(s.Context(), func(tx *store.Tx) error {
			for i := range 3000 {
				o := store.Order{Account: "u1", ID: fmt.Sprint("o", i), State: store.Waiting, CreatedAt: now, Due: now}
				s.ready[o.ID] = now.Add(100 * time.Hour)
				if err := tx.PutOrder(&o); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			s.Fatal(err)
		}
	}, func(s *shop) {
		pass(10 * time.Second)
		s.order("u2", "single", time.Second)
		pass(3 * time.Second)
		if late := s.settled["single"].Sub(s.ready["single"]); late < 0 || late > 1500*time.Millisecond {
			s.Errorf("it is seen %v late", late)
		}
	})
}

// TestRepeatedOrders: of an order that an answer shows twice, the one with the code counts.
func TestRepeatedOrders(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account("u1")
		s.extra = []api.Order{{ID: "a", Status: "pending"}, {ID: "a", Status: "completed", Code: secret.New("x")}, {ID: "a", Status: "pending"}}
	}, func(s *shop) {
		s.order("u1", "a", time.Hour)
		pass(2 * time.Second)
		if _, ok := s.settled["a"]; !ok {
			s.Error("the code is not taken")
		}
	})
}

// failingSettler cannot write so many times.
type failingSettler struct {
	Settler

	fails int
}

// Settle implements Settler.
func (f *failingSettler) Settle(ctx context.Context, account string, seen []api.Order, at time.Time) error {
	if f.fails--; f.fails >= 0 {
		return errors.New("the disk is full")
	}
	return f.Settler.Settle(ctx, account, seen, at)
}

// TestOwnStoreFails: a batch whose orders cannot be written is no batch that the service has failed: nothing is asked for one by one.
func TestOwnStoreFails(t *testing.T) {
	inShop(t, func(s *shop) {
		s.p.cfg.Settler = &failingSettler{s.p.cfg.Settler, 2}
		s.account("u1")
		for _, id := range []string{"a", "b", "c"} {
			s.order("u1", id, 0)
		}
	}, func(s *shop) {
		pass(time.Minute)
		for _, q := range s.calls() {
			if len(q.ids) != 3 {
				t.Errorf("asked for %v", q.ids)
			}
		}
		if len(s.settled) != 3 {
			t.Errorf("%d orders are settled", len(s.settled))
		}
	})
}
