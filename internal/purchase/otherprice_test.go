package purchase_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// Purchases of several items whose prices make up each other: what each has cost is told by all that the balance shows, and not by what fits
// first.

// items is the service with more variants than one.
type items struct{ *service }

// itemNames are the variants of items, by their ids from 7 on.
var itemNames = []string{"10 USD", "25 USD", "50 USD"}

func (i items) Variants(ctx context.Context, product int64) ([]api.Variant, error) {
	list, err := i.service.Variants(ctx, product)
	if len(list) == 1 {
		for n, name := range itemNames[1:] {
			more := list[0]
			more.ID, more.Name = int64(8+n), name
			list = append(list, more)
		}
	}
	return list, err
}

// item buys n units of one of itemNames at a price each, which the service answers so; whoever is asked wants it all the same.
func (s *shop) item(name string, n int, price int64, answer api.Verdict) store.Purchase {
	s.t.Helper()
	s.as = items{s.service}
	s.service.verdicts = []api.Verdict{answer}
	was := s.service.price
	s.service.price = dzd.Int(price)
	defer func() { s.service.price = was }()
	variant := api.Variant{ID: 7, Name: name, Price: dzd.Int(price)}
	for i, known := range itemNames {
		if known == name {
			variant.ID = int64(7 + i)
		}
	}
	var told []store.Purchase
	for {
		p, err := s.engine.Draft(s.t.Context(), purchase.Draft{
			Account: "u1", Chat: 5, User: 5, Message: 50, Product: api.Product{ID: 3, Name: "Card"}, Variant: variant, Quantity: n, Same: told,
		})
		if err != nil {
			s.t.Fatal(err)
		}
		_, err = s.engine.Confirm(s.t.Context(), tap(p))
		again := (*purchase.RepeatError)(nil)
		switch {
		case errors.As(err, &again) && told == nil:
			told = again.Same
		case err != nil:
			s.t.Fatal(err)
		default:
			synctest.Wait()
			return s.get(p.ID)
		}
	}
}

// accepts buys n units of an item, of which the answer names one order. The list shows it.
func (s *shop) accepts(name string, n int, price int64, order string) store.Purchase {
	s.t.Helper()
	answer := api.Verdict{Outcome: api.Accepted, OrderIDs: []string{order}, Origin: api.FromLegacy}
	if n > 1 {
		answer.Outcome, answer.Reason = api.Unknown, "wrong number of orders"
	}
	p := s.item(name, n, price, answer)
	row := listed(order, time.Now())
	row.VariantName = name
	s.shows(0, withCode(row, "CODE-"+order))
	if n > 1 {
		s.live(10 * time.Second)
	}
	return s.is(p, store.Accepted)
}

// loses buys an item whose answer is lost, and lets others go before it.
func (s *shop) loses(price int64) store.Purchase {
	s.t.Helper()
	p := s.item("25 USD", 1, price, api.Verdict{Outcome: api.Unknown, Reason: "timeout"})
	s.live(10 * time.Second)
	s.letGo(p)
	s.live(20 * time.Second)
	return p
}

// decides has the buyer, as an owner, say whether an uncertain purchase was bought, where they are asked about it.
func (s *shop) decides(p store.Purchase, bought bool) {
	s.t.Helper()
	if s.get(p.ID).Phase != store.Undecided {
		return
	}
	if err := s.engine.Decide(s.t.Context(), p.ID, 5, 5, bought); err != nil {
		s.t.Fatal(err)
	}
}

// looksFor lets time go by with the watch of balances.
func (s *shop) looksFor(d time.Duration) {
	s.t.Helper()
	for ; d > 0; d -= 5 * time.Minute {
		s.live(min(d, 5*time.Minute))
		s.observe()
	}
}

// TestPricesOfEachOther: what makes up the price of one purchase may be that of another at what its orders name. All that is due has to show; only
// then is it said what was charged.
func TestPricesOfEachOther(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		story func(s *shop)
		moved []string
	}{
		"one unit of two, and the next purchase": {moved: []string{"bought -200", "bought -100", "corrected 100"}, story: func(s *shop) {
			p := s.accepts("10 USD", 2, 100, "1")
			s.names(p, 100)
			s.names(s.accepts("25 USD", 1, 100, "2"), 100)
			s.takes(200, 3*time.Minute)
		}},
		"a cheaper one, and the next purchase": {moved: []string{"bought -200", "bought -100", "corrected 100"}, story: func(s *shop) {
			s.names(s.accepts("10 USD", 1, 200, "1"), 100)
			s.names(s.accepts("25 USD", 1, 100, "2"), 100)
			s.takes(200, 3*time.Minute)
		}},
		"two that are cheaper alike": {moved: []string{"bought -200", "bought -200", "corrected 100", "corrected 100"}, story: func(s *shop) {
			for i, name := range []string{"10 USD", "50 USD"} {
				s.names(s.accepts(name, 1, 200, string(rune('1'+i))), 100)
				s.takes(100, 3*time.Minute)
				s.live(time.Minute)
			}
		}},
		"two that are cheaper alike beside an uncertain one": {moved: []string{"bought -200", "bought -200", "corrected 100", "corrected 100"}, story: func(s *shop) {
			u := s.loses(100)
			for i, name := range []string{"10 USD", "50 USD"} {
				s.names(s.accepts(name, 1, 200, string(rune('1'+i))), 100)
				s.takes(100, 3*time.Minute)
				s.live(time.Minute)
			}
			s.live(90 * time.Second)
			if !s.get(u.ID).Evidence.Traced.IsZero() {
				s.t.Error("the price of the uncertain one is said to be gone")
			}
			s.looksFor(20 * time.Minute)
			s.decides(u, false)
		}},
		"two that were charged as shown, which is late, whatever their orders name": {moved: []string{"bought -200", "bought -200"}, story: func(s *shop) {
			for i, name := range []string{"10 USD", "50 USD"} {
				s.names(s.accepts(name, 1, 200, string(rune('1'+i))), 100)
				s.deliver()
				s.takes(200, 14*time.Minute)
				s.live(13 * time.Minute)
			}
		}},
		"one unit of two, or two and the refund of another": {moved: []string{"bought -100", "bought -200", "corrected 100"}, story: func(s *shop) {
			r := s.accepts("25 USD", 1, 100, "9")
			s.takes(100, 0)
			s.looksFor(30 * time.Minute)
			s.settle(api.Order{ID: r.OrderIDs[0], Status: "failed"})
			p := s.accepts("10 USD", 2, 100, "1")
			s.names(p, 100)
			s.takes(100, 20*time.Second)
			s.looksFor(20 * time.Minute)
			if got := s.refundOf(r); got == store.RefundSeen || got == store.RefundLikely {
				s.t.Errorf("the refund that never came is %s", got)
			}
		}},
		"it was taken for an uncertain one before its order named it": {moved: []string{"bought -150", "corrected -50"}, story: func(s *shop) {
			u := s.loses(50)
			p := s.accepts("10 USD", 1, 150, "1")
			s.takes(200, time.Second)
			s.live(20 * time.Second)
			s.names(p, 200)
			s.looksFor(20 * time.Minute)
			s.decides(u, false)
		}},
		"it was taken for a refused one before its order named it": {moved: []string{"bought -100", "corrected 50"}, story: func(s *shop) {
			r := s.item("25 USD", 1, 50, api.Verdict{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400})
			p := s.accepts("10 USD", 1, 100, "1")
			s.takes(50, time.Second)
			s.live(20 * time.Second)
			s.names(p, 50)
			s.looksFor(10 * time.Minute)
			s.decides(r, false)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.stands()
				c.story(s)
				s.looksFor(5 * time.Hour)
				equal(t, s.movements(), c.moved...)
				equal(t, s.accused())
				if !s.owns().OutsideAt.IsZero() {
					t.Error("others are thought to spend from the account; nobody has")
				}
			})
		})
	}
}

// TestDisownedIsHandedOn: of three uncertain purchases of one price the last two were executed, and what went was given to the first two. Who says
// what is true of each, from the first on, is told of nobody else.
func TestDisownedIsHandedOn(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		var all []store.Purchase
		for i, name := range itemNames {
			p := s.item(name, 1, 100, api.Verdict{Outcome: api.Unknown, Reason: "timeout"})
			all = append(all, p)
			if i > 0 {
				s.takes(100, 20*time.Second)
			}
			s.live(10 * time.Second)
			s.letGo(p)
			s.live(30 * time.Second)
		}
		s.looksFor(10 * time.Minute)
		for i, p := range all {
			s.decides(s.is(p, store.Undecided), i > 0)
		}
		s.looksFor(5 * time.Hour)
		equal(t, s.movements(), "bought -100", "bought -100")
		if !s.owns().OutsideAt.IsZero() {
			t.Error("others are thought to spend from the account; nobody has")
		}
	})
}

// TestRestAtItsPrice: the units that an answer left out may go later, at what the others cost. Money that comes is no price of theirs.
func TestRestAtItsPrice(t *testing.T) {
	for name, c := range map[string]struct{ each, second, goes, asked int64 }{
		"dearer": {200, 200, 200, 200}, "cheaper": {60, 60, 60, 60},
		"dearer, and money is added": {200, 200, -100, 0}, "each at another price, and as much is added": {200, 150, -50, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.stands()
				p := s.item("10 USD", 3, 100, api.Verdict{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"1", "2"}, Origin: api.FromLegacy})
				s.shows(0, withCode(listed("1", time.Now()), "CODE-1"), withCode(listed("2", time.Now()), "CODE-2"))
				s.live(10 * time.Second)
				for i, id := range s.is(p, store.Accepted).OrderIDs {
					s.settle(api.Order{ID: id, Status: "completed", Price: dzd.Int([]int64{c.each, c.second}[i]), Code: secret.New([]string{"CODE-1", "CODE-2"}[i])})
				}
				s.takes(c.each+c.second, 0)
				s.looksFor(time.Hour)
				s.takes(c.goes, 0)
				s.looksFor(3 * time.Hour)
				equal(t, s.accused())
				open, err := s.store.OpenPurchases(t.Context(), "", 10)
				if err != nil {
					t.Fatal(err)
				}
				var asked int64
				for _, q := range open {
					if !q.Total.Equal(dzd.Int(c.asked)) || q.Of != p.ID {
						t.Errorf("it is asked about %s of %q", q.Total, q.Of)
					}
					asked++
				}
				if now := s.get(p.ID); asked != min(c.asked, 1) || asked > 0 && (now.Quantity != 2 || !now.Total.Equal(dzd.Int(200))) {
					t.Errorf("%d are asked about; what is left is %d units, shown at %s", asked, now.Quantity, now.Total)
				}
			})
		})
	}
}

// TestOrderBesideUnsold: a unit that was not charged does not keep the only order that fits from a person who is asked about another purchase.
func TestOrderBesideUnsold(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		u := s.item("10 USD", 1, 100, api.Verdict{Outcome: api.Unknown, Reason: "timeout"})
		s.takes(100, 0)
		s.shows(3*time.Minute, withCode(listed("8", time.Now()), "CODE-U"))
		s.live(20 * time.Second)
		s.letGo(u)
		s.live(10 * time.Second)
		p := s.accepts("10 USD", 2, 100, "1")
		s.takes(100, time.Second)
		s.live(20 * time.Second)
		s.names(p, 100)
		s.looksFor(40 * time.Minute)
		if now := s.get(u.ID); now.Phase == store.Undecided {
			if c := s.choices(u); len(c.Orders) != 1 {
				t.Errorf("it is offered %d orders", len(c.Orders))
			}
		} else {
			s.is(u, store.Settled)
		}
	})
}

// TestDeniedInAFullWallet: what another price of an accepted purchase needs of a denied one is asked about, and that one alone, also where the
// wallet holds as many changes as it can, and a refund of the same reading drops the oldest.
func TestDeniedInAFullWallet(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.balance = dzd.Int(10000)
		s.stands()
		failed := s.accepts("25 USD", 1, 71, "7")
		s.takes(71, 0)
		s.looksFor(time.Minute)
		s.settle(api.Order{ID: failed.OrderIDs[0], Status: "failed", Price: dzd.Int(71)})
		s.looksFor(10 * time.Minute)
		s.account(func(a *store.Account) {
			many := slices.Repeat([]store.Expected{{At: time.Now(), Seen: time.Now(), Amount: dzd.Int(-7)}}, 250)
			a.Wallet.Expected = slices.Concat(many, a.Wallet.Expected)
		})
		s.loses(100)
		refused := s.item("50 USD", 1, 100, api.Verdict{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400})
		p := s.accepts("10 USD", 1, 200, "1")
		s.settle(api.Order{ID: p.OrderIDs[0], Status: "processing", Price: dzd.Int(100)})
		s.takes(300-71, 3*time.Minute)
		s.looksFor(18 * time.Minute)
		s.is(p, store.Accepted)
		s.is(refused, store.Undecided)
	})
}
