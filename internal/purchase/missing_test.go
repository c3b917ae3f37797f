package purchase_test

import (
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// leftOut has four units bought and paid, of which the lost answer names two, that show.
func leftOut(s *shop) store.Purchase {
	s.service.lists = true
	s.service.balance = dzd.Int(1000)
	s.observe()
	s.live(17 * time.Minute)
	s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"A", "B"}, Origin: api.FromCurrent}}
	p := s.is(s.buy(4), store.Unknown)
	for _, id := range []string{"A", "B"} {
		s.service.as(listed(id, time.Now()))
	}
	s.takes(400, 0)
	s.live(20 * time.Second)
	p = s.is(p, store.Accepted)
	if p.Missing != 2 || !p.SeeksMissing() {
		s.t.Fatalf("%d orders are missing, looked for %v", p.Missing, p.SeeksMissing())
	}
	return p
}

// TestLeftOutIsNoneOfItsOwn: orders that a purchase has already are none that it lacks, whatever generation the account has become since
// they were named.
func TestLeftOutIsNoneOfItsOwn(t *testing.T) {
	inShop(t, func(s *shop) {
		p := leftOut(s)
		s.generation(api.Legacy)
		s.shows(0, listed("A", time.Now()), listed("B", time.Now()))
		s.live(40 * time.Minute)
		if p = s.get(p.ID); p.Missing != 2 || len(p.OrderIDs) != 2 || p.SeeksMissing() {
			t.Errorf("%d orders are missing beside %v, looked for %v", p.Missing, p.OrderIDs, p.SeeksMissing())
		}
	})
}

// TestLeftOutIsLookedForOnce: once people were told that orders are missing they are not looked for anew, also where one that was
// found is not shown any more.
func TestLeftOutIsLookedForOnce(t *testing.T) {
	inShop(t, func(s *shop) {
		p := leftOut(s)
		done := listed("A", time.Now())
		done.ID, done.Status = p.OrderIDs[0], "completed"
		wait := listed("B", time.Now())
		wait.ID, wait.Status = p.OrderIDs[1], "processing"
		s.settle(done, wait)
		s.live(40 * time.Minute)
		if p = s.get(p.ID); p.SeeksMissing() || !p.Told.Missing {
			t.Fatalf("looked for %v, told %v", p.SeeksMissing(), p.Told.Missing)
		}
		s.update(func(tx *store.Tx) error {
			now, err := tx.Purchase(p.ID)
			if err != nil {
				return err
			}
			now.LookAt = time.Now() // as where an order is gone
			return tx.PutPurchase(&now)
		})
		if p = s.get(p.ID); p.SeeksMissing() || !p.NeedsSupport(nil) {
			t.Errorf("looked for %v, something for support %v", p.SeeksMissing(), p.NeedsSupport(nil))
		}
	})
}

// TestLeftOutIsTakenAsItIs: what was found is not taken where the orders that were named turn out to be all of the purchase
// meanwhile.
func TestLeftOutIsTakenAsItIs(t *testing.T) {
	inShop(t, func(s *shop) {
		p := leftOut(s)
		whole := []api.Order{listed("A", time.Now()), listed("B", time.Now())}
		for i := range whole {
			whole[i].ID, whole[i].Price, whole[i].Status = p.OrderIDs[i], dzd.Int(200), "processing"
		}
		s.settle(whole...)
		s.shows(0, listed("C", time.Now()), listed("D", time.Now()))
		s.live(40 * time.Minute)
		if p = s.get(p.ID); p.Missing != 0 || len(p.OrderIDs) != 2 || p.SeeksMissing() {
			t.Errorf("%d orders are missing beside %v, looked for %v", p.Missing, p.OrderIDs, p.SeeksMissing())
		}
	})
}
