package purchase_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// roundings is how a service may show a balance, by the smallest amount that it shows.
func roundings() map[string]func(dzd.Amount) dzd.Amount {
	cut := func(amount dzd.Amount, unit int64) dzd.Amount {
		n := amount.TenThousandths()
		cut, _ := dzd.FromTenThousandths(n - n%unit)
		return cut
	}
	half := func(unit int64) dzd.Amount {
		a, _ := dzd.FromTenThousandths(unit / 2)
		return a
	}
	return map[string]func(dzd.Amount) dzd.Amount{
		"whole dinars, cut":     func(a dzd.Amount) dzd.Amount { return cut(a, 10_000) },
		"whole dinars, rounded": func(a dzd.Amount) dzd.Amount { return cut(a.Add(half(10_000)), 10_000) },
		"tenths, cut":           func(a dzd.Amount) dzd.Amount { return cut(a, 1_000) },
		"tenths, rounded":       func(a dzd.Amount) dzd.Amount { return cut(a.Add(half(1_000)), 1_000) },
	}
}

// buyFraction buys a unit at 12.35.
func (s *shop) buyFraction() store.Purchase { return s.buyPrice("12.35") }

// buyPrice buys a unit at a price.
func (s *shop) buyPrice(price string) store.Purchase {
	s.t.Helper()
	p, err := s.engine.Draft(s.t.Context(), purchase.Draft{
		Account: "u1", Chat: 5, User: 5, Message: 50, Product: api.Product{ID: 3, Name: "Card"},
		Variant: api.Variant{ID: 7, Name: "10 USD", Price: dzd.Must(price)}, Quantity: 1,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.engine.Confirm(s.t.Context(), tap(p)); err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
	return s.is(p, store.Accepted)
}

// TestRoundedBalance: what a balance is rounded by is no money that moved. Purchases at a price with fractions show in it, and so do
// their refunds.
func TestRoundedBalance(t *testing.T) {
	sampletest.Slow(t)
	for name, rounds := range roundings() {
		for _, charges := range []string{"12.35", "12.4", "12"} { // what the service takes for 12.35 may be rounded as well
			if charges == "12" && strings.HasPrefix(name, "tenths") { // which would show that it is another price
				continue
			}
			t.Run(name+", charges "+charges, func(t *testing.T) {
				inShop(t, func(s *shop) {
					s.service.rounds, s.service.price = rounds, dzd.Must("12.35")
					s.service.balance = dzd.Must("1000.77")
					s.observe()
					s.live(30 * time.Minute)
					for range 6 {
						p := s.buyFraction()
						s.service.balance = s.service.balance.Sub(dzd.Must(charges))
						s.live(time.Hour)
						s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
						s.service.balance = s.service.balance.Add(dzd.Must(charges))
						s.live(time.Hour)
						if state := s.refundOf(p); state != store.RefundSeen {
							t.Errorf("its refund is %q", state)
						}
						p = s.buyFraction()
						s.service.balance = s.service.balance.Sub(dzd.Must(charges))
						s.live(time.Hour)
						s.settle(coded(s.get(p.ID).OrderIDs[0], "completed", "CODE-"+p.ID))
						s.deliver()
					}
					for _, m := range s.movements() {
						if strings.HasPrefix(m, string(store.Outside)) {
							t.Errorf("the balance moved by something else: %s", m)
						}
					}
					if gone := s.accused(); len(gone) > 0 {
						t.Errorf("somebody is said to have taken %v", gone)
					}
				})
			})
		}
	}
}

// TestLessThanACentime: a price with more decimals than are kept charges a little more or less than is known, and that is no money that moved, also where
// the balance shows it.
func TestLessThanACentime(t *testing.T) {
	for _, charges := range []string{"12.353", "12.3496", "12.3599"} {
		inShop(t, func(s *shop) {
			s.service.price, s.service.balance = dzd.Must("12.35"), dzd.Must("1000.77")
			s.observe()
			s.live(30 * time.Minute)
			for range 3 {
				p := s.buyFraction()
				s.service.balance = s.service.balance.Sub(dzd.Must(charges))
				s.live(time.Hour)
				s.settle(coded(s.get(p.ID).OrderIDs[0], "completed", "CODE-"+p.ID))
				s.deliver()
			}
			for _, m := range s.movements() {
				if strings.HasPrefix(m, string(store.Outside)) {
					t.Errorf("charged %s: the balance moved by something else: %s", charges, m)
				}
			}
			if gone := s.accused(); len(gone) > 0 {
				t.Errorf("charged %s: somebody is said to have taken %v", charges, gone)
			}
		})
	}
}

// TestRoundedHidesNothing: money that goes by no purchase is told, also where the balance shows whole dinars alone.
func TestRoundedHidesNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.rounds, s.service.price = roundings()["whole dinars, cut"], dzd.Must("12.35")
		s.service.balance = dzd.Must("1000.77")
		s.observe()
		s.live(30 * time.Minute)
		s.buyFraction()
		s.service.balance = s.service.balance.Sub(dzd.Must("15.35"))
		s.live(2 * time.Hour)
		if all := s.movements(); !slices.Contains(all, string(store.Outside)+" -2.65") { // as far as whole dinars tell
			t.Errorf("3 dinars more are gone, and what moved is %q", all)
		}
	})
}

// TestRoundedIsNoOtherPrice: where an order names another price and the balance shows just that, it was charged, whatever whole dinars
// could be rounded from. Where the balance is in whole dinars it does not show which of two prices was charged that lie closer together.
func TestRoundedIsNoOtherPrice(t *testing.T) {
	for name, late := range map[string]bool{"named before the balance shows it": false, "named later": true} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.price, s.service.balance = dzd.Must("12.35"), dzd.Int(1000)
				s.observe()
				s.live(30 * time.Minute)
				p := s.buyFraction()
				names := func() {
					s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "processing", Price: dzd.Int(12)})
				}
				if !late {
					names()
				}
				s.service.balance = dzd.Int(988)
				s.live(30 * time.Minute)
				if late {
					names()
				}
				s.live(2 * time.Hour)
				p = s.get(p.ID)
				switch notes := s.notes(); {
				case !late && (p.Charged == nil || p.Charged.String() != "12" || !slices.Contains(notes, string(store.ChargedNote))):
					t.Errorf("it was charged %v, and people were told %v", p.Charged, notes)
				case late && !slices.Contains(notes, string(store.PriceUnsureNote)) && p.Charged == nil:
					t.Errorf("its order names 12, and people were told %v", notes)
				}
			})
		})
	}
}

// TestRoundedTwoWays: where two refunds could have been rounded to what the balance has risen by, neither is said to have come.
func TestRoundedTwoWays(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.rounds, s.service.price = roundings()["whole dinars, cut"], dzd.Must("12.35")
		s.service.balance = dzd.Must("1000.77")
		s.observe()
		s.live(30 * time.Minute)
		first := s.buyFraction()
		s.service.balance = s.service.balance.Sub(dzd.Must("12.35"))
		s.live(time.Hour)
		s.service.price = dzd.Must("12.4")
		second := s.buyPrice("12.4")
		s.service.balance = s.service.balance.Sub(dzd.Must("12.4"))
		s.live(time.Hour)
		for _, p := range []store.Purchase{first, second} {
			s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
		}
		s.service.balance = s.service.balance.Add(dzd.Must("12.4"))
		s.live(10 * time.Minute)
		if a, b := s.refundOf(first), s.refundOf(second); a == store.RefundSeen || b == store.RefundSeen {
			t.Errorf("the refund of 12.35 is %q, that of 12.4 %q: it could be either", a, b)
		}
	})
}
