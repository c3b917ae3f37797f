package purchase_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// choices is what a person is offered who says that a purchase was bought.
func (s *shop) choices(p store.Purchase) purchase.Choice {
	s.t.Helper()
	c, err := s.engine.Choices(context.Background(), p.ID, 5, 5)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// adopt is a person's word about which orders are a purchase's.
func (s *shop) adopt(p store.Purchase, orders ...string) error {
	return s.engine.Adopt(context.Background(), p.ID, 5, 5, orders)
}

// undecided is a purchase that a person is asked about: its price is gone, and no order shows.
func (s *shop) undecided(quantity int) store.Purchase {
	s.t.Helper()
	s.generation(api.Legacy)
	s.service.lists = true
	s.service.list = append(s.service.list, listed("1", time.Now().Add(-time.Hour)))
	p := s.lose(quantity)
	s.service.balance = s.service.balance.Sub(p.Total)
	s.tend(13 * time.Minute)
	return s.is(p, store.Undecided)
}

// TestOrdersToPickFrom: what a person may pick from is of the item and for the player, nobody's, and new. It is read
// when they ask.
func TestOrdersToPickFrom(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.undecided(1)
		if c := s.choices(p); len(c.Orders) != 0 || c.Sure {
			t.Errorf("nothing shows, and they are offered %v", c.IDs())
		}
		dear, other, old := listed("9", time.Now()), listed("10", time.Now()), listed("11", time.Now().Add(-48*time.Hour))
		dear.Price, other.VariantName = dzd.Int(120), "25 USD"
		s.service.list = append(s.service.list, listed("8", p.SentAt), dear, other, old, api.Order{})
		if c := s.choices(p); !slices.Equal(c.IDs(), []string{"9", "8"}) || c.Sure || c.Rivals {
			t.Errorf("they are offered %v, sure %v, rivals %v", c.IDs(), c.Sure, c.Rivals)
		}
		if err := s.adopt(p, "8"); err != nil {
			t.Fatal(err)
		}
		if p = s.is(p, store.Accepted); !slices.Equal(p.OrderIDs, []string{"legacy:8"}) || p.Missing != 0 {
			t.Errorf("its orders are %v, %d missing", p.OrderIDs, p.Missing)
		}
		s.settle(api.Order{ID: "legacy:8", Code: secret.New("CODE-8")})
		s.is(p, store.Settled)
	})
}

// TestPlayersOrder: an order for another player is not offered.
func TestPlayersOrder(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.undecided(1)
		s.update(func(tx *store.Tx) error {
			now, err := tx.Purchase(p.ID)
			if err != nil {
				return err
			}
			now.Player = &store.Player{ID: "5123456789"}
			return tx.PutPurchase(&now)
		})
		mine, other := listed("8", time.Now()), listed("9", time.Now())
		mine.PlayerID, other.PlayerID = "5123456789", "5999999999"
		s.service.list = append(s.service.list, mine, other)
		if c := s.choices(p); !slices.Equal(c.IDs(), []string{"8"}) {
			t.Errorf("they are offered %v", c.IDs())
		}
		if err := s.adopt(p, "9"); !errors.Is(err, purchase.ErrNotListed) {
			t.Errorf("another player's order: %v", err)
		}
	})
}

// TestPickIsOnce: an order is one purchase's, and a purchase is decided once, whoever taps and whenever.
func TestPickIsOnce(t *testing.T) {
	inShop(t, func(s *shop) {
		first, second := s.undecided(1), s.undecided(1)
		s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
		if !s.choices(first).Rivals {
			t.Error("the other purchase may have one of them, and nobody says so")
		}
		s.service.listing = func() { <-time.After(time.Second) } // both have read the list before either decides
		done := make(chan error)
		for _, id := range []string{"8", "9"} { // two people at once, of whom each picks another one
			go func() { done <- s.adopt(first, id) }()
		}
		a, b := <-done, <-done
		s.service.listing = nil
		if (a == nil) == (b == nil) || !errors.Is(errors.Join(a, b), purchase.ErrStale) {
			t.Fatalf("two picks at once: %v and %v", a, b)
		}
		first = s.is(first, store.Accepted)
		taken := store.Order{Origin: string(api.FromLegacy), ID: first.OrderIDs[0]}.ServiceID()
		if c := s.choices(second); len(c.Orders) != 1 || slices.Contains(c.IDs(), taken) {
			t.Errorf("the second purchase is offered %v, and %s is the first one's", c.IDs(), taken)
		}
		if err := s.adopt(second, taken); !errors.Is(err, purchase.ErrClaimed) {
			t.Errorf("a second purchase with the same order: %v", err)
		}
		s.is(second, store.Undecided)
		for name, orders := range map[string][]string{"none": nil, "too many": {"8", "9"}, "twice": {"8", "8"}, "unknown": {"77"}} {
			if err := s.adopt(second, orders...); !errors.Is(err, purchase.ErrNotListed) && !errors.Is(err, purchase.ErrClaimed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		s.is(second, store.Undecided)
	})
}

// TestPickSomeOfSeveral: of a purchase of three, two orders show. They are taken, and the third is asked for.
func TestPickSomeOfSeveral(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.undecided(3)
		s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
		if err := s.adopt(p, "8", "9"); err != nil {
			t.Fatal(err)
		}
		if p = s.is(p, store.Accepted); len(p.OrderIDs) != 2 || p.Missing != 1 {
			t.Errorf("its orders are %v, %d missing", p.OrderIDs, p.Missing)
		}
	})
}

// TestPickNeedsTheList: where the list cannot be read, nothing is decided.
func TestPickNeedsTheList(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.undecided(1)
		s.service.list = append(s.service.list, listed("8", time.Now()))
		s.service.unlisted = &api.Error{Op: "history", Class: api.Upstream}
		if err := s.adopt(p, "8"); api.ClassOf(err) != api.Upstream {
			t.Errorf("it was picked: %v", err)
		}
		s.is(p, store.Undecided)
	})
}

// TestPickIsTheOwners: nobody else picks, and nobody from another chat.
func TestPickIsTheOwners(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.undecided(1)
		s.service.list = append(s.service.list, listed("8", time.Now()))
		for who, want := range map[[2]int64]error{{5, 6}: purchase.ErrNotAllowed, {77, 5}: purchase.ErrStale} {
			if err := s.engine.Adopt(context.Background(), p.ID, who[0], who[1], []string{"8"}); !errors.Is(err, want) {
				t.Errorf("%v: %v", who, err)
			}
		}
		s.is(p, store.Undecided)
	})
}

// TestSharedAccountIsPicked: where others buy with the account, the one order that fits may be theirs, though exactly its
// price is gone. Whoever says that it was bought picks it.
func TestSharedAccountIsPicked(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.account(func(a *store.Account) { a.OutsideAt = time.Now() })
		p := s.lose(1)
		s.takes(100, 0)
		s.shows(0, listed("8", time.Now()))
		s.live(13 * time.Minute)
		s.is(p, store.Undecided)
		if c := s.choices(p); !slices.Equal(c.IDs(), []string{"8"}) || c.Sure {
			t.Errorf("they are offered %v, sure %v", c.IDs(), c.Sure)
		}
	})
}
