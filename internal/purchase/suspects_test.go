package purchase_test

import (
	"context"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// TestMoneyIsHeldAgainstTheNextSuspect: money went for one of two purchases of a price, a person says that it was not
// for the first, and the other one is asked about.
func TestMoneyIsHeldAgainstTheNextSuspect(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		first := s.lose(1)
		s.tend(13 * time.Minute)
		s.is(first, store.Undecided)
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}}
		second := s.buy(1)
		s.service.balance = s.service.balance.Sub(second.Total)
		s.is(second, store.Rejected)
		s.tend(10 * time.Second)
		s.is(second, store.Rejected)
		if err := s.engine.Decide(context.Background(), first.ID, 5, 5, false); err != nil {
			t.Fatal(err)
		}
		s.is(first, store.NotCreated)
		s.tend(10 * time.Minute)
		s.is(second, store.Undecided)
	})
}
