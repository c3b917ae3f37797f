package purchase_test

import (
	"context"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// TestMoneyIsHeldAgainstEverySuspect: money went for one of two purchases of a price, of which the one is uncertain and
// the other was refused just now. Both are asked about, and each has its answer.
func TestMoneyIsHeldAgainstEverySuspect(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		first := s.lose(1)
		s.tend(20 * time.Minute)
		s.is(first, store.Undecided)
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}}
		second := s.buy(1)
		s.service.balance = s.service.balance.Sub(second.Total)
		s.is(second, store.Rejected)
		s.tend(10 * time.Second)
		s.is(second, store.Undecided)
		if err := s.engine.Decide(context.Background(), first.ID, 5, 5, false); err != nil {
			t.Fatal(err)
		}
		s.is(first, store.NotCreated)
		s.tend(10 * time.Minute)
		s.is(second, store.Undecided)
		if err := s.engine.Decide(context.Background(), second.ID, 5, 5, true); err != nil {
			t.Fatal(err)
		}
		s.is(second, store.Settled)
		s.tend(10 * time.Minute)
		s.is(first, store.NotCreated)
	})
}

// TestMoneyIsHeldAgainstASuspectOfSeveral: money went at once that is the price of two uncertain purchases together, and of one
// that was refused just now as well. All three are asked about.
func TestMoneyIsHeldAgainstASuspectOfSeveral(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		first := s.lose(1)
		s.tend(20 * time.Minute)
		second := s.lose(1)
		s.tend(20 * time.Minute)
		s.is(first, store.Undecided)
		s.is(second, store.Undecided)
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}, {Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}}
		refused := s.buy(2)
		dearer := s.buy(3) // its price is no sum of theirs
		s.service.balance = s.service.balance.Sub(refused.Total)
		s.is(refused, store.Rejected)
		s.tend(10 * time.Second)
		s.is(refused, store.Undecided)
		s.is(first, store.Undecided)
		s.is(second, store.Undecided)
		s.is(dearer, store.Rejected)
	})
}
