package purchase_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestNamedOrdersHaveToFit: orders that an uncertain answer named are only taken where they can be of the purchase. One
// that cannot is not looked away from either: a person decides.
func TestNamedOrdersHaveToFit(t *testing.T) {
	sampletest.Slow(t)
	of := func(change func(*api.Order)) func(*shop) api.Order {
		return func(*shop) api.Order {
			o := listed("A", time.Now())
			change(&o)
			return o
		}
	}
	for name, c := range map[string]struct {
		order func(*shop) api.Order
		want  store.Phase
		rule  string
	}{
		"it fits":                       {of(func(*api.Order) {}), store.Accepted, "named"},
		"it says little of itself":      {of(func(o *api.Order) { *o = api.Order{ID: "A", Status: "processing"} }), store.Accepted, "named"},
		"names in other letters":        {of(func(o *api.Order) { o.ProductName, o.VariantName = " card", "10  usd" }), store.Accepted, "named"},
		"another price":                 {of(func(o *api.Order) { o.Price = dzd.Int(150) }), store.Accepted, "named"},
		"a date alone":                  {of(func(o *api.Order) { o.CreatedAt = o.CreatedAt.Truncate(24 * time.Hour) }), store.Accepted, "named"},
		"another product":               {of(func(o *api.Order) { o.ProductName = "Voucher" }), store.Undecided, "unclear"},
		"another variant":               {of(func(o *api.Order) { o.VariantName = "50 USD" }), store.Undecided, "unclear"},
		"older than the purchase":       {of(func(o *api.Order) { o.CreatedAt = o.CreatedAt.Add(-time.Hour) }), store.Undecided, "unclear"},
		"of a day long before":          {of(func(o *api.Order) { o.CreatedAt = o.CreatedAt.Truncate(24*time.Hour).AddDate(0, 0, -3) }), store.Undecided, "unclear"},
		"another purchase's":            {func(*shop) api.Order { return listed("ord-1", time.Now()) }, store.Undecided, "unclear"},
		"another purchase's, otherwise": {func(*shop) api.Order { return listed("ORD-1", time.Now()) }, store.Undecided, "unclear"},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.lists = true
				s.answers(api.FromCurrent, "ord-1")
				s.is(s.buy(1), store.Accepted)
				s.takes(100, 0)
				s.observe()
				<-time.After(time.Hour)
				o := c.order(s)
				p := s.lose(1, o.ID)
				s.service.as(o)
				s.processDue(20 * time.Minute)
				s.decidedBy(p, c.want, c.rule)
			})
		})
	}
}

// as has the endpoint for one order show an order that no list shows.
func (s *service) as(o api.Order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.single = append(s.single, o)
}

// TestNamedPlayerHasToFit: a named top-up of another player is not taken.
func TestNamedPlayerHasToFit(t *testing.T) {
	for name, c := range map[string]struct {
		player string
		number bool
		want   store.Phase
	}{
		"the player":                       {"0550123456", false, store.Accepted},
		"as a number, which has no zeros":  {"550123456", true, store.Accepted},
		"as a text, which would have them": {"550123456", false, store.Undecided},
		"another player":                   {"0550123457", false, store.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				p := s.loseTopup("0550123456", "A")
				s.service.as(api.Order{ID: "A", Status: "pending", VariantName: "110 gems", PlayerID: c.player, PlayerNumber: c.number, CreatedAt: time.Now()})
				s.processDue(20 * time.Minute)
				s.is(p, c.want)
			})
		})
	}
}

// buyTopup buys a top-up of the arena for a player.
func (s *shop) buyTopup(player string) store.Purchase {
	s.t.Helper()
	p, err := s.engine.Draft(s.t.Context(), purchase.Draft{
		Account: "u1", Chat: 5, User: 5, Message: 50, Product: api.Product{ID: api.ArenaProduct, Name: "Arena", Family: api.Arena, Kind: "topup"},
		Variant: api.Variant{ID: 7, Plan: "p1", Name: "110 gems", Price: dzd.Int(100)}, Quantity: 1,
		Answers: []store.Answer{{Index: api.PlayerInput, Value: player}}, Player: &store.Player{ID: player},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.service.name = "110 gems"
	if _, err := s.engine.Confirm(s.t.Context(), tap(p)); err != nil {
		s.t.Fatal(err)
	}
	return p
}

// loseTopup is buyTopup with an answer that is lost, and has named orders.
func (s *shop) loseTopup(player string, named ...string) store.Purchase {
	s.t.Helper()
	s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout", Origin: api.FromArena, OrderIDs: named}}
	p := s.buyTopup(player)
	s.processDue(time.Second)
	return s.is(p, store.Unknown)
}

// TestTopupHasTwoNames: a top-up is its purchase's under its number as well as under its transaction, however they are
// spelled: the next purchase does not get it under the other name.
func TestTopupHasTwoNames(t *testing.T) {
	for name, c := range map[string]struct {
		answered api.Verdict
		shown    api.Order
	}{
		"the list lacks the number":      {api.Verdict{OrderIDs: []string{"5"}, Transaction: "t-1"}, api.Order{ID: "T-1", Transaction: "T-1"}},
		"the answer lacked the number":   {api.Verdict{OrderIDs: []string{"t-1"}, Transaction: "t-1"}, api.Order{ID: "5", Transaction: "t-1"}},
		"the number with leading zeros":  {api.Verdict{OrderIDs: []string{"5"}}, api.Order{ID: "005"}},
		"the transaction in other cases": {api.Verdict{OrderIDs: []string{"t-1"}}, api.Order{ID: "T-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.lists = true
				c.answered.Outcome, c.answered.Origin = api.Accepted, api.FromArena
				s.service.verdicts = []api.Verdict{c.answered}
				first := s.buyTopup("0550123456")
				s.processDue(time.Second)
				s.is(first, store.Accepted)
				s.takes(100, 0)
				s.observe()
				second := s.loseTopup("0550123457")
				s.takes(100, 0)
				o := c.shown
				o.VariantName, o.Price, o.CreatedAt = "110 gems", dzd.Int(100), time.Now()
				s.shows(0, o)
				s.processDue(20 * time.Minute)
				if now := s.is(second, store.Undecided); slices.Contains(now.OrderIDs, "arena:"+o.ID) {
					t.Errorf("the second purchase has %v", now.OrderIDs)
				}
			})
		})
	}
}

// TestUnitsKeepTheirNames: each order of several that an answer names keeps its own second name to itself, and orders of
// other families have none.
func TestUnitsKeepTheirNames(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		for _, id := range []string{"8", "9"} {
			o := listed(id, time.Now())
			o.Transaction = "t-" + id
			s.service.single = append(s.service.single, o)
		}
		p := s.lose(2, "8", "9")
		s.takes(200, 0)
		s.processDue(time.Minute)
		s.is(p, store.Accepted)
		for _, id := range s.get(p.ID).OrderIDs {
			if o := s.order(id); o.Other != "" {
				t.Errorf("the order %s has the second name %q", id, o.Other)
			}
		}
	})
}

// TestListThatRenamesItsOrders: what was in the list before a purchase is not its order once the list calls it by its
// other name, or spells it in another way.
func TestListThatRenamesItsOrders(t *testing.T) {
	for name, c := range map[string]struct{ before, after api.Order }{
		"it has its number now":    {api.Order{ID: "t-1", Transaction: "t-1"}, api.Order{ID: "5", Transaction: "T-1"}},
		"it has lost its number":   {api.Order{ID: "5", Transaction: "t-1"}, api.Order{ID: "t-1", Transaction: "t-1"}},
		"it has got leading zeros": {api.Order{ID: "5"}, api.Order{ID: "005"}},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.lists = true
				fill := func(o api.Order) api.Order {
					o.VariantName, o.PlayerID, o.Price, o.CreatedAt = "110 gems", "0550123456", dzd.Int(100), time.Now().Add(-time.Minute)
					return o
				}
				s.shows(0, fill(c.before))
				p := s.loseTopup("0550123456")
				s.takes(100, 0)
				s.after(0, func(at *service) { at.list = []api.Order{fill(c.after)} })
				s.processDue(20 * time.Minute)
				s.decidedBy(p, store.Undecided, "money gone")
			})
		})
	}
}

// TestTopupsOtherNameIsLearned: where the answer to a top-up lacked its transaction, the first look that shows it makes
// it the purchase's own.
func TestTopupsOtherNameIsLearned(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.verdicts = []api.Verdict{{Outcome: api.Accepted, Origin: api.FromArena, OrderIDs: []string{"5"}}}
		first := s.buyTopup("0550123456")
		s.processDue(time.Second)
		s.is(first, store.Accepted)
		s.settle(api.Order{ID: "arena:5", Transaction: "T-1", Status: "success"})
		c, err := s.store.OrderClaim(t.Context(), "arena:t-1")
		if o := s.order("arena:5"); err != nil || c.Purchase != first.ID || o.Other != "T-1" {
			t.Errorf("the claim is %+v, %v, and the other name %q", c, err, o.Other)
		}
	})
}

// TestMissingFigureAcquitsNothing: where one figure of the wallet does not come, nobody says that nothing was charged,
// and no money is missed.
func TestMissingFigureAcquitsNothing(t *testing.T) {
	for name, play := range map[string]func(*shop) store.Purchase{
		"it is missing afterwards": func(s *shop) store.Purchase {
			p := s.lose(1)
			s.after(0, func(at *service) { at.held, at.lacks = dzd.Int(100), true })
			return p
		},
		"it was missing before": func(s *shop) store.Purchase {
			s.after(0, func(at *service) { at.lacks = true })
			p := s.lose(1)
			s.after(0, func(at *service) { at.lacks = false })
			return p
		},
		"it never comes": func(s *shop) store.Purchase {
			s.after(0, func(at *service) { at.lacks = true })
			return s.lose(1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.lists = true
				s.service.held = dzd.Int(50)
				s.observe()
				p := play(s)
				s.live(20 * time.Minute)
				s.decidedBy(p, store.Undecided, "unclear")
				equal(t, s.notes())
			})
		})
	}
}

// TestPagedListProvesNothing: a list that does not show all of its orders neither acquits nor convicts.
func TestPagedListProvesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		before, after bool // pages are left out
		bought        bool
		want          store.Phase
	}{
		"all of it":         {false, false, false, store.NotCreated},
		"a page of it":      {false, true, false, store.Undecided},
		"a page of it once": {true, false, true, store.Undecided},
		"bought":            {true, true, true, store.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.lists = true
				fill := func(paged bool, orders ...api.Order) func(*service) {
					if paged {
						orders = append(orders, api.Order{Rest: true})
					}
					return func(at *service) { at.list = orders }
				}
				s.after(0, fill(c.before))
				p := s.lose(1)
				s.after(0, fill(c.after))
				if c.bought {
					s.after(0, fill(c.after, listed("8", time.Now())))
					s.takes(100, 0)
				}
				s.live(20 * time.Minute)
				s.is(p, c.want)
			})
		})
	}
}

// TestOddNamedOrderDeniesNothing: where everything says that nothing was bought, but for an answer that named an order
// which cannot be it, a person decides.
func TestOddNamedOrderDeniesNothing(t *testing.T) {
	for variant, want := range map[string]store.Phase{"": store.NotCreated, "50 USD": store.Undecided} {
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			s.service.lists = true
			p := s.lose(1, "A")
			if variant != "" {
				s.service.as(api.Order{ID: "A", ProductName: "Card", VariantName: variant, CreatedAt: time.Now()})
			}
			s.processDue(20 * time.Minute)
			s.is(p, want)
		})
	}
}

// TestAnswerThatNamesAnOlderOrder: what an answer calls its order may be the number of one that was in the list before. That one's code is
// not the purchase's: which order is, the list and the money tell, or a person, where nothing has shown yet that the list numbers orders as
// answers do.
func TestAnswerThatNamesAnOlderOrder(t *testing.T) {
	for _, known := range []bool{true, false} {
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			if !known {
				s.account(func(a *store.Account) { a.Lags = nil })
			}
			s.shows(0, listed("7", time.Now().Add(-60*24*time.Hour)))
			s.answers(api.FromLegacy, "7")
			p := s.is(s.buy(1), store.Unknown)
			s.takes(100, 0)
			s.shows(0, listed("8", time.Now()))
			s.live(20 * time.Minute)
			if _, err := s.store.Order(t.Context(), "u1", store.OrderID(string(api.FromLegacy), "7")); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("known %t: it has the order of before: %v", known, err)
			}
			want := store.Undecided
			if known {
				want = store.Accepted
			}
			if p = s.is(p, want); known && !slices.Equal(p.OrderIDs, []string{store.OrderID(string(api.FromLegacy), "8")}) {
				t.Errorf("its orders are %v", p.OrderIDs)
			}
		})
	}
}
