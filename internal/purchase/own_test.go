package purchase_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestOlderOrders: an order that has been waited for since hours ago is no other purchase's because the list shows it late, and
// is in nobody's way where the list has shown it all along.
func TestOlderOrders(t *testing.T) {
	for name, late := range map[string]bool{"the list is late": true, "the list shows it": false} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Current)
				s.answers(api.FromCurrent, "ORD-1")
				s.is(s.buy(1), store.Accepted)
				s.takes(100, 0)
				if !late {
					s.shows(time.Second, listed("5001", time.Now()))
				}
				s.live(2 * time.Hour)
				second := s.lose(1)
				s.takes(100, 0)
				shown := listed("5002", time.Now())
				if late {
					shown = listed("5001", time.Time{})
				}
				s.shows(time.Minute, shown)
				s.live(20 * time.Minute)
				if late {
					s.is(second, store.Undecided)
					if c := s.choices(second); len(c.Orders) > 0 || !c.Taken || !c.Rivals {
						t.Errorf("it is offered %v, taken %v, rivals %v", c.IDs(), c.Taken, c.Rivals)
					}
					return
				}
				s.decidedBy(second, store.Accepted, "rows")
				if now := s.get(second.ID); !slices.Equal(now.OrderIDs, []string{"legacy:5002"}) {
					t.Errorf("its orders are %v", now.OrderIDs)
				}
			})
		})
	}
}

// TestManySales: what a shop has sold stays its own however much that is, also where the list never shows a code: more
// than the wallet remembers, and nothing of it is waited for any more.
func TestManySales(t *testing.T) {
	sampletest.Long(t)
	const sales = 210
	inShop(t, func(s *shop) {
		s.generation(api.Current)
		s.service.lists = true
		s.service.balance = dzd.Int(100000)
		s.observe()
		for i := range sales {
			id := "ORD-" + strconv.Itoa(i)
			s.answers(api.FromCurrent, id)
			s.is(s.buy(1), store.Accepted)
			s.settle(withCode(api.Order{ID: id, Status: "completed"}, "CODE-"+strconv.Itoa(i)))
		}
		s.takes(100*sales, 0)
		p := s.lose(1)
		for i := range sales {
			s.shows(0, listed(strconv.Itoa(5000+i), time.Now()))
		}
		s.live(20 * time.Minute)
		s.is(p, store.Undecided)
		if c := s.choices(p); len(c.Orders) > 0 || !c.Taken {
			t.Errorf("%d are offered, taken %v", len(c.Orders), c.Taken)
		}
		s.shows(0, listed("6000", time.Now()))
		if c := s.choices(p); len(c.Orders) != sales+1 || !c.Rivals {
			t.Errorf("one more shows than was sold: %d are offered, rivals %v", len(c.Orders), c.Rivals)
		}
	})
}

// TestOrderOfOneThatIsLookedFor: a purchase was refused, and the next one of the same item, whose answer is lost, makes
// fewer orders than it was for. What shows is just what the refused one would: it is not given the other's order.
func TestOrderOfOneThatIsLookedFor(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 400}}
		refused := s.is(s.buy(1), store.Rejected)
		s.lose(2)
		s.takes(100, 0)
		s.shows(0, listed("8", time.Now()))
		s.live(9 * time.Minute)
		if p := s.is(refused, store.Undecided); len(p.OrderIDs) > 0 {
			t.Errorf("it was given %v", p.OrderIDs)
		}
	})
}

// TestAnotherGenerationsNumbers: the account was of another generation when its order was made. The list numbers its own orders, and
// one with the number of ours is somebody else's: its code is not ours, and our order has not been seen there.
func TestAnotherGenerationsNumbers(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Current)
		s.answers(api.FromCurrent, "5001")
		first := s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.live(time.Minute)
		s.generation(api.Legacy)
		theirs := withCode(listed("5001", time.Now()), "ZZZZ-0000")
		s.shows(0, theirs)
		s.live(time.Minute)
		if found, ok, err := s.engine.Listed(t.Context(), s.order(first.OrderIDs[0])); ok || err != nil {
			t.Errorf("order 5001 is said to have the code of another one: %v, %v", found.Code.Reveal(), err)
		}
		second := s.lose(1)
		s.takes(100, 0)
		s.shows(0, theirs, listed("5002", time.Now())) // which may be either's
		s.live(20 * time.Minute)
		s.is(second, store.Undecided)
		if c := s.choices(second); !c.Rivals && !c.Taken {
			t.Errorf("it is offered %v as if nothing else could have made it", c.IDs())
		}
	})
}

// TestSeenByCodeInAnotherGeneration: an order that was made when the account was of another generation is seen in the list by its code,
// so that it is in no later purchase's way.
func TestSeenByCodeInAnotherGeneration(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Current)
		s.answers(api.FromCurrent, "ORD-1")
		s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.settle(withCode(api.Order{ID: "ORD-1", Status: "completed"}, "AAAA-1111"))
		s.live(time.Minute)
		s.generation(api.Legacy)
		s.shows(0, withCode(listed("5001", time.Now()), "AAAA-1111"))
		s.live(time.Minute)
		second := s.lose(1)
		s.takes(100, 0)
		s.shows(0, withCode(listed("5001", time.Now()), "AAAA-1111"), listed("5002", time.Now()))
		s.live(20 * time.Minute)
		s.decidedBy(second, store.Accepted, "rows")
		if now := s.get(second.ID); !slices.Equal(now.OrderIDs, []string{"legacy:5002"}) {
			t.Errorf("its orders are %v", now.OrderIDs)
		}
	})
}

// TestUnexplainedMoneyIsASign: money is gone that nothing here explains, and it is too early to tell anybody. It is a sign that
// others buy with the account: an order that fits is not taken for that of a purchase whose answer is lost.
func TestUnexplainedMoneyIsASign(t *testing.T) {
	for name, gone := range map[string]bool{"nothing else is gone": false, "money is gone": true} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.observe()
				if gone {
					s.takes(70, 0)
				}
				s.live(6 * time.Minute)
				s.observe()
				p := s.lose(1)
				s.takes(100, 0)
				s.shows(0, listed("9", time.Now()))
				s.live(2 * time.Minute)
				if !gone {
					s.decidedBy(p, store.Accepted, store.RuleRows)
					return
				}
				s.is(p, store.Unknown)
				s.live(16 * time.Minute) // by then it is told of
				s.decidedBy(p, store.Undecided, store.RuleShared)
			})
		})
	}
}

// TestListedToOneAlone: an order of which no endpoint shows the code is found in a list of other ids where that entry can be nobody
// else's, and not where a purchase with another key of the wallet waits for one, or where one stands there under another name.
func TestListedToOneAlone(t *testing.T) {
	for name, c := range map[string]struct {
		rival, renamed bool
	}{"nobody else waits": {}, "another key does": {rival: true}, "another one has its price": {renamed: true}} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Current)
				s.service.lists = true
				s.observe()
				if c.rival {
					s.theirs = &service{price: dzd.Int(100), balance: dzd.Int(1000), verdicts: []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}}
					s.is(s.otherKeyBuys(), store.Unknown)
				}
				s.answers(api.FromCurrent, "ORD-1")
				p := s.is(s.buy(1), store.Accepted)
				s.takes(100, 0)
				rows := []api.Order{withCode(listed("8", time.Now()), "AAAA-1111")}
				if c.renamed {
					other := listed("9", time.Now())
					other.VariantName = "Ten dollars"
					rows = append(rows, other)
				}
				s.shows(0, rows...)
				s.live(20 * time.Minute)
				found, ok, err := s.engine.Listed(t.Context(), s.order(p.OrderIDs[0]))
				if want := !c.rival && !c.renamed; err != nil || ok != want {
					t.Errorf("found %v %q, %v; want %v", ok, found.Code.Reveal(), err, want)
				}
			})
		})
	}
}
