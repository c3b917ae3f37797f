package purchase_test

import (
	"context"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// TestTheRestOfWhatIsWhole: what a purchase was charged for it before some of its units were found is still said to go. It goes when
// none is missing any more: what a person is asked about then is of units, and what was bought stays as it is.
func TestTheRestOfWhatIsWhole(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.shown(900)
		s.watch(2 * time.Minute)
		s.update(func(tx *store.Tx) error {
			p, cost := s.get(p.ID), dzd.Int(100)
			p.Charged = &cost
			return tx.PutPurchase(&p)
		})
		s.account(func(a *store.Account) {
			a.Wallet.Expected = append(a.Wallet.Expected, store.Expected{At: time.Now(), Seen: time.Now(), Amount: dzd.Int(-30), Purchase: p.ID, MayGo: store.Rest})
		})
		for range 40 {
			s.shown(870)
			s.watch(time.Minute)
		}
		if now := s.get(p.ID); now.Quantity != p.Quantity || !now.Total.Equal(p.Total) {
			t.Errorf("it was %d for %v, and is %d for %v", p.Quantity, p.Total, now.Quantity, now.Total)
		}
		open, err := s.store.OpenPurchases(context.Background(), "", 10)
		if err != nil {
			t.Fatal(err)
		}
		more := 0
		for _, q := range open {
			if q.Of != p.ID {
				continue
			}
			if more++; q.Quantity != 1 {
				t.Errorf("people are asked about %d units", q.Quantity)
			}
		}
		if more != 1 {
			t.Errorf("%d purchases are asked about, want 1: %v", more, s.movements())
		}
	})
}
