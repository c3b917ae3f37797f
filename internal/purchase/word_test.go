package purchase_test

import (
	"context"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// TestRefusedAfterADismissal: a person has said that an order which fits is somebody else's. What the service refuses
// afterwards, and executes all the same, is told whatever they have said.
func TestRefusedAfterADismissal(t *testing.T) {
	for name, c := range map[string]struct{ charged, bought bool }{
		"not bought, nothing gone": {},
		"not bought, price gone":   {charged: true},
		"closed":                   {bought: true},
		"closed, price gone":       {charged: true, bought: true},
	} {
		for later, shows := range map[string]struct{ order, money bool }{"order": {order: true}, "money": {money: true}, "both": {true, true}} {
			t.Run(name+", "+later, func(t *testing.T) {
				inShop(t, func(s *shop) {
					s.generation(api.Legacy)
					first := s.lose(1)
					s.shows(0, listed("8", time.Now()))
					if c.charged {
						s.takes(100, 0)
					}
					s.account(func(a *store.Account) { a.OutsideAt = time.Now() })
					s.live(13 * time.Minute)
					s.is(first, store.Undecided)
					s.account(func(a *store.Account) { a.OutsideAt = time.Time{} }) // the person's word is the only sign of others
					if err := s.engine.Decide(context.Background(), first.ID, 5, 5, c.bought); err != nil {
						t.Fatal(err)
					}
					s.live(5 * time.Minute)
					s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 422}}
					second := s.is(s.buy(1), store.Rejected)
					if shows.order {
						s.shows(15*time.Second, listed("9", time.Now().Add(15*time.Second)))
					}
					if shows.money {
						s.takes(100, 15*time.Second)
					}
					s.live(3 * time.Minute)
					s.is(second, store.Undecided)
				})
			})
		}
	}
}
