package purchase_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
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

// denies has the buyer say, as an owner, that a purchase was not bought.
func (s *shop) denies(p store.Purchase) {
	s.t.Helper()
	if err := s.engine.Decide(context.Background(), p.ID, 5, 5, false); err != nil {
		s.t.Fatal(err)
	}
}

// undecided is a purchase that a person is asked about: its price is gone, and no order shows.
func (s *shop) undecided(quantity int) store.Purchase {
	s.t.Helper()
	s.generation(api.Legacy)
	s.service.lists = true
	s.service.list = append(s.service.list, listed("1", time.Now().Add(-time.Hour)))
	p := s.lose(quantity)
	s.service.balance = s.service.balance.Sub(p.Total)
	s.processDue(20 * time.Minute)
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

// TestOrderUnderAnotherName: the list calls what was bought otherwise for ever. A person may pick it where nothing of its name
// fits, and it is never taken by itself.
func TestOrderUnderAnotherName(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.undecided(1)
		order := func(id, product, variant string, price int64, at time.Time) api.Order {
			o := listed(id, at)
			o.ProductName, o.VariantName, o.Price = product, variant, dzd.Int(price)
			return o
		}
		s.service.list = append(s.service.list,
			order("21", "بطاقة", "عشرة دولارات", 100, p.SentAt), order("22", "بطاقة", "عشرون", 200, p.SentAt), // another price
			order("23", "بطاقة", "عشرة دولارات", 100, p.SentAt.Add(-48*time.Hour))) // older
		s.processDue(20 * time.Minute)
		s.is(p, store.Undecided)
		if c := s.choices(p); !slices.Equal(c.IDs(), []string{"21"}) || c.Renamed != 1 || c.Sure {
			t.Errorf("they are offered %v, %d of another name, sure %v", c.IDs(), c.Renamed, c.Sure)
		}
		before := s.service.list
		s.service.list = append(slices.Clone(before), listed("8", p.SentAt))
		if c := s.choices(p); !slices.Equal(c.IDs(), []string{"8"}) || c.Renamed != 0 {
			t.Errorf("beside one of its name they are offered %v, %d of another name", c.IDs(), c.Renamed)
		}
		s.service.list = before
		if err := s.adopt(p, "22"); !errors.Is(err, purchase.ErrNotListed) {
			t.Errorf("one of another price is taken: %v", err)
		}
		if err := s.adopt(p, "21"); err != nil {
			t.Fatal(err)
		}
		if p = s.is(p, store.Accepted); !slices.Equal(p.OrderIDs, []string{"legacy:21"}) {
			t.Errorf("its orders are %v", p.OrderIDs)
		}
	})
}

// TestNumberOfAnother: an order of the list has the number of one that another purchase has made, spelled otherwise. It is
// not offered until its code tells that it is another.
func TestNumberOfAnother(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = true
		s.answers(api.FromCurrent, "ORD-000041")
		s.is(s.buy(1), store.Accepted)
		p := s.lose(1)
		s.service.balance = s.service.balance.Sub(p.Total).Sub(p.Total)
		s.processDue(20 * time.Minute)
		p = s.is(p, store.Undecided)
		s.service.list = []api.Order{listed("41", p.SentAt), listed("42", p.SentAt)}
		if c := s.choices(p); !slices.Equal(c.IDs(), []string{"42"}) {
			t.Errorf("they are offered %v", c.IDs())
		}
		s.service.list = s.service.list[:1]
		if c := s.choices(p); len(c.Orders) != 0 || !c.Taken {
			t.Errorf("they are offered %v, taken %v", c.IDs(), c.Taken)
		}
		s.settle(api.Order{ID: "ORD-000041", Code: secret.New("CODE-4141-AAAA")})
		s.service.list = []api.Order{withCode(listed("41", p.SentAt), "CODE-4141-BBBB"), withCode(listed("42", p.SentAt), "CODE-4242-CCCC")}
		if c := s.choices(p); !slices.Equal(c.IDs(), []string{"42", "41"}) {
			t.Errorf("with codes that differ they are offered %v", c.IDs())
		}
	})
}

// TestPickedOrderTellsItsPrice: the list tells what the order cost that a person picks, and nothing else does: once that shows
// to be gone, both figures are told.
func TestPickedOrderTellsItsPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.undecided(1)
		s.shown(880)
		dear := listed("9", p.SentAt)
		dear.Price = dzd.Int(120)
		s.service.list = append(s.service.list, dear)
		if err := s.adopt(p, "9"); err != nil {
			t.Fatal(err)
		}
		s.settle(api.Order{ID: "legacy:9", Code: secret.New("CODE-9")})
		s.live(time.Hour)
		if p = s.get(p.ID); p.Charged == nil || !p.Charged.Equal(dzd.Int(120)) {
			t.Errorf("what was charged is %v", p.Charged)
		}
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

// TestNumbersOfAnotherAccount: the service may number the orders of each account by itself. An order whose number is
// claimed in another account is that one's, under a second key of its wallet, unless it shows another code.
func TestNumbersOfAnotherAccount(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		theirs, shown string
		free          bool
	}{
		"another code":           {"CODE-1111", "CODE-2222", true},
		"the same code":          {"CODE-1111", "CODE-1111", false},
		"no code yet":            {"CODE-1111", "", false},
		"theirs has no code yet": {"", "CODE-2222", false},
		"words":                  {"done", "ready", false},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.undecided(1)
				theirs := store.Order{Account: "u2", ID: "legacy:8", Origin: "legacy", Purchase: "theirs", State: store.Ready, Code: secret.New(c.theirs)}
				s.update(func(tx *store.Tx) error {
					_, err := tx.ClaimCode(theirs, theirs.Code)
					return errors.Join(err, tx.PutOrder(&theirs), tx.ClaimOrder(theirs))
				})
				order := listed("8", time.Now())
				order.Code = secret.New(c.shown)
				s.service.list = append(s.service.list, order)
				if got := s.choices(p); (len(got.Orders) == 1) != c.free {
					t.Errorf("they are offered %v", got.IDs())
				}
				if err := s.adopt(p, "8"); (err == nil) != c.free {
					t.Errorf("picked: %v", err)
				}
				if !c.free {
					s.is(p, store.Undecided)
					return
				}
				s.is(p, store.Accepted)
				s.settle(api.Order{ID: "legacy:8", Code: order.Code})
				s.is(p, store.Settled)
				if o, err := s.store.Order(context.Background(), p.Account, "legacy:8"); err != nil || o.Code.Reveal() != c.shown || o.Clash {
					t.Errorf("it has %+v, %v", o, err)
				}
				if claim, err := s.store.OrderClaim(context.Background(), "legacy:8"); err != nil || claim.Purchase != "theirs" {
					t.Errorf("the number is claimed by %+v, %v", claim, err)
				}
			})
		})
	}
}

// TestAlikeNumbers: answers that name orders of two accounts alike are told once for the two, and mean no error; an order
// that another purchase has got by a list is one.
func TestAlikeNumbers(t *testing.T) {
	const alike, taken = "numbers the orders of two accounts alike", "was taken for another purchase's"
	for name, c := range map[string]struct {
		evidence  *store.Evidence
		says      string
		times     int
		saysNever string
	}{
		"named by an answer": {nil, alike, 1, taken},
		"found in a list":    {&store.Evidence{Looks: 1}, taken, 2, alike},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				for _, id := range []string{"O-1", "O-2"} {
					s.update(func(tx *store.Tx) error {
						theirs := store.Purchase{ID: "theirs" + id, Account: "u2", Chat: 9, Phase: store.Settled, Evidence: c.evidence}
						o := store.Order{Account: "u2", ID: id, Purchase: theirs.ID, State: store.Ready, Code: secret.New("CODE-" + id)}
						return errors.Join(tx.PutPurchase(&theirs), tx.PutOrder(&o), tx.ClaimOrder(o))
					})
					s.service.verdicts = []api.Verdict{{Outcome: api.Accepted, OrderIDs: []string{id}}}
					s.is(s.buy(1), store.Accepted)
				}
				text := s.logs.String()
				if n := strings.Count(text, c.says); n != c.times || strings.Contains(text, c.saysNever) {
					t.Errorf("it logs\n%s", text)
				}
			})
		})
	}
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
		s.live(20 * time.Minute)
		s.is(p, store.Undecided)
		if c := s.choices(p); !slices.Equal(c.IDs(), []string{"8"}) || c.Sure {
			t.Errorf("they are offered %v, sure %v", c.IDs(), c.Sure)
		}
	})
}

// TestPickedOrderOfAnother: a person has picked an order for a purchase, and it turns out to have the code of another one. The
// purchase is asked about again, its price is as open as before, and that order is not offered any more.
func TestPickedOrderOfAnother(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.answers(api.FromLegacy, "7")
		first := s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.shows(0, withCode(listed("7", time.Now()), "CODE-1"))
		s.live(time.Minute)
		s.settle(withCode(api.Order{ID: "legacy:7", Status: "completed"}, "CODE-1"))
		s.is(first, store.Settled)
		p := s.undecided(1)
		s.shows(0, listed("8", time.Now()))
		if err := s.adopt(p, "8"); err != nil {
			t.Fatal(err)
		}
		s.is(p, store.Accepted)
		for range 2 {
			s.settle(withCode(api.Order{ID: "legacy:8", Status: "completed"}, "CODE-1"))
		}
		if p = s.is(p, store.Undecided); len(p.OrderIDs) > 0 {
			t.Errorf("it has the orders %v", p.OrderIDs)
		}
		equal(t, s.notes(), "claimed")
		equal(t, s.movements(), "bought -100", "bought -100", "corrected 100")
		if got := s.choices(p); len(got.Orders) > 0 {
			t.Errorf("they are offered %v", got.IDs())
		}
		s.shows(0, listed("9", time.Now()))
		if err := s.adopt(p, "9"); err != nil {
			t.Fatal(err)
		}
		s.settle(withCode(api.Order{ID: "legacy:9", Status: "completed"}, "CODE-2"))
		s.is(p, store.Settled)
		if s.codeOf("legacy:9") != "CODE-2" || s.codeOf("legacy:8") != "" {
			t.Errorf("the codes are %q and %q", s.codeOf("legacy:9"), s.codeOf("legacy:8"))
		}
		s.live(2 * time.Hour)
		equal(t, s.movements(), "bought -100", "bought -100", "corrected 100", "bought -100")
		equal(t, s.notes(), "claimed")
	})
}

// TestWhoBecomesAnOwnerIsAsked: somebody becomes an owner while a question stands. Where they have bought it themselves, their own
// message is shown anew, with the buttons; else they are asked as the other owners are; and once.
func TestWhoBecomesAnOwnerIsAsked(t *testing.T) {
	for user, want := range map[int64]store.OutKind{karim: store.StatusMessage, nadia: store.Decision} {
		inTeam(t, func(s *shop) {
			s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
			p := s.draftOf(karim, 1)
			if err := s.confirm(p); err != nil {
				t.Fatal(err)
			}
			s.takes(100, 0)
			s.later(30 * time.Minute)
			s.is(p, store.Undecided)
			told := func() (kinds []string) {
				for _, k := range s.waiting(user) {
					kinds = append(kinds, string(k))
				}
				s.heard(user)
				return kinds
			}
			told()
			s.later(10 * time.Minute)
			equal(t, told())
			s.account(func(a *store.Account) {
				m, _ := a.Member(user)
				m.User, m.Role, m.Since = user, store.Owner, time.Now()
				store.Admit(a, m)
			})
			s.later(10 * time.Minute)
			equal(t, told(), string(want))
			s.later(10 * time.Minute)
			equal(t, told())
		})
	}
}

// TestNamedOrdersToPickFrom: orders that an uncertain answer named, and of which not all show, are offered to whoever is asked where no
// list shows any: they are paid for, and their codes come to nobody else.
func TestNamedOrdersToPickFrom(t *testing.T) {
	for name, lists := range map[string]bool{"no list": false, "a list that lacks them": true} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = lists
				s.observe()
				s.live(17 * time.Minute)
				s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "count mismatch", OrderIDs: []string{"A", "B", "C"}, Origin: api.FromCurrent}}
				p := s.is(s.buy(3), store.Unknown)
				other := listed("C", time.Now())
				other.VariantName = "25 USD"
				s.service.as(listed("A", time.Now()))
				s.service.as(other)
				s.takes(300, 0)
				s.live(40 * time.Minute)
				p = s.is(p, store.Undecided)
				c := s.choices(p)
				if !slices.Equal(c.IDs(), []string{"A"}) || c.Sure || !c.Named {
					t.Fatalf("they are offered %v, sure %v, named %v", c.IDs(), c.Sure, c.Named)
				}
				s.service.broken = &api.Error{Class: api.Limited}
				if _, err := s.engine.Choices(t.Context(), p.ID, 5, 5); api.ClassOf(err) != api.Limited {
					t.Errorf("they cannot be read now, and it is said %v", err)
				}
				s.service.broken = nil
				if err := s.adopt(p, "C"); !errors.Is(err, purchase.ErrNotListed) {
					t.Errorf("another item's order is taken: %v", err)
				}
				if err := s.adopt(p, "A"); err != nil {
					t.Fatal(err)
				}
				if p = s.is(p, store.Accepted); !slices.Equal(p.OrderIDs, []string{"A"}) || p.Missing != 2 {
					t.Errorf("it has %v, and %d are missing", p.OrderIDs, p.Missing)
				}
			})
		})
	}
}
