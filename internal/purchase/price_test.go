package purchase_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// named buys one unit that was shown at 100 and has its order name 190.
func (s *shop) named() api.Order {
	s.t.Helper()
	p := s.is(s.buy(1), store.Accepted)
	order := api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(190)}
	s.settle(order)
	return order
}

// TestPriceThatNothingShows: the order of a purchase names another price than was shown, and no reading shows which of the two
// was charged. Both are told, once, after as long as a reading may be late.
func TestPriceThatNothingShows(t *testing.T) {
	sampletest.Slow(t)
	for name, hides := range map[string]func(*shop){
		"somebody else buys at the same moment":  func(s *shop) { s.takes(190+137, 0) },
		"the same, with both seen late":          func(s *shop) { s.takes(190+137, 11*time.Minute) },
		"somebody adds money at the same moment": func(s *shop) { s.takes(190-500, 0) },
		"the balance lacks a figure":             func(s *shop) { s.service.lacks = true },
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				order := s.named()
				hides(s)
				s.live(50 * time.Minute)
				if slices.Contains(s.notes(), string(store.PriceUnsureNote)) {
					t.Errorf("%v are told while a reading may still show it", s.notes())
				}
				s.live(20 * time.Minute)
				if !slices.Contains(s.notes(), string(store.PriceUnsureNote)) {
					t.Errorf("%v are told", s.notes())
				}
				s.deliver()
				for range 3 {
					s.settle(order) // somebody looks once more
					s.live(70 * time.Minute)
				}
				if again := s.notes(); len(again) > 0 {
					t.Errorf("%v are told again", again)
				}
			})
		})
	}
}

// TestPriceOfWhatIsPicked: a person picks an order that names another price than was shown. Both are told at once, where the balance
// shows neither, or what it shows may be what others have spent, and not once more an hour later.
func TestPriceOfWhatIsPicked(t *testing.T) {
	sampletest.Slow(t)
	for name, test := range map[string]struct {
		gone  int64 // beside the pick; the order names 190, and 100 was shown
		more  int64 // some minutes later, still before the pick
		now   []string
		later []string
	}{
		"the balance shows neither":   {190 + 137, 0, []string{"price_unsure"}, nil},
		"the balance shows the shown": {100, 0, nil, nil},
		"others have spent the same":  {100, 100, []string{"price_unsure"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.lists = true
				s.service.list = append(s.service.list, listed("1", time.Now().Add(-time.Hour)))
				p := s.lose(1)
				s.takes(test.gone, 0)
				s.live(2 * time.Minute)
				s.takes(test.more, 0)
				s.live(18 * time.Minute)
				p = s.is(p, store.Undecided)
				order := listed("8", p.SentAt)
				order.Price = dzd.Int(190)
				s.service.list = append(s.service.list, order)
				s.deliver()
				if err := s.adopt(p, "8"); err != nil {
					t.Fatal(err)
				}
				order.ID, order.Code = "legacy:8", secret.New("CODE-8")
				s.settle(order)
				s.is(p, store.Settled)
				priced := func() []string {
					return slices.DeleteFunc(s.notes(), func(n string) bool { return n != string(store.PriceUnsureNote) && n != string(store.ChargedNote) })
				}
				equal(t, priced(), test.now...)
				s.deliver()
				s.live(3 * time.Hour)
				equal(t, priced(), test.later...)
			})
		})
	}
}

// TestPriceThatOthersMakeUp: 200 were shown, the order names 100, and 200 have gone. Beside one of 100 that was refused it may have been 100 each.
func TestPriceThatOthersMakeUp(t *testing.T) {
	for name, beside := range map[string]bool{"one was refused": true, "none was": false} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.lists = true
				s.service.list = append(s.service.list, listed("1", time.Now().Add(-time.Hour)))
				if beside {
					s.refuse()
				}
				p := s.lose(2)
				s.takes(200, 0)
				s.live(20 * time.Minute)
				p = s.is(p, store.Undecided)
				for _, id := range []string{"8", "9"} {
					order := listed(id, p.SentAt)
					order.Price = dzd.Int(50)
					s.service.list = append(s.service.list, order)
				}
				s.deliver()
				if err := s.adopt(p, "8", "9"); err != nil {
					t.Fatal(err)
				}
				if told := slices.Contains(s.notes(), string(store.PriceUnsureNote)); told != beside {
					t.Errorf("both prices are told: %v", told)
				}
			})
		})
	}
}

// TestPriceThatIsNamedLate: the same, where the order names its price hours after the balance has changed.
func TestPriceThatIsNamedLate(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.takes(190+137, 0)
		s.live(3 * time.Hour)
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(190)})
		s.live(2 * time.Hour)
		equal(t, s.notes(), "price_unsure", "debit_or_late")
	})
}

// TestPriceThatTheBalanceDenies: the order names another price than was shown, and the balance shows that this is nothing that
// was paid: it is nobody's concern.
func TestPriceThatTheBalanceDenies(t *testing.T) {
	inShop(t, func(s *shop) {
		order := s.named()
		s.takes(100, 30*time.Second)
		s.live(3 * time.Hour)
		s.settle(order)
		s.takes(300, 0) // somebody else, long after
		s.observe()
		s.live(3 * time.Hour)
		equal(t, s.notes(), "debit")
	})
}

// TestNamedPriceIsTakenLate: what an order names beyond the price that was shown goes hours later. The purchase is named, and
// nobody is accused.
func TestNamedPriceIsTakenLate(t *testing.T) {
	inShop(t, func(s *shop) {
		s.named()
		s.takes(100, 0)
		s.live(5 * time.Hour)
		s.takes(90, 0)
		s.observe()
		s.live(time.Hour)
		equal(t, s.notes(), "debit_or_late")
	})
}

// names has the one order of a purchase name a price.
func (s *shop) names(p store.Purchase, price int64) {
	s.t.Helper()
	s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-" + p.ID), Price: dzd.Int(price)})
}

// TestPriceThatIsNamedAnew: the order names a second price while the balance is asked about the first. Either may be what was
// charged.
func TestPriceThatIsNamedAnew(t *testing.T) {
	for name, charged := range map[string]int64{"the second is charged": 210, "the first is charged": 190} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.is(s.buy(1), store.Accepted)
				s.names(p, 190)
				s.live(10 * time.Second)
				s.names(p, 210)
				s.takes(charged, 0)
				s.live(3 * time.Hour)
				if now := s.get(p.ID); now.Charged == nil || !now.Charged.Equal(dzd.Int(charged)) {
					t.Errorf("it was charged %v", now.Charged)
				}
				equal(t, s.notes(), "charged")
			})
		})
	}
}

// TestPriceThatAnotherOneMayHave: as much goes as was shown, and then as much as the order names, for another purchase that is uncertain. That one
// was not made, if what went first was of others: people are told that the balance does not tell, also where a person has said so before that.
func TestPriceThatAnotherOneMayHave(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		lost int   // units of the uncertain one, at 100 each
		took int64 // by it, and 100 by others before
		told bool
	}{"it costs what the order names": {3, 300, true}, "it costs something else": {2, 200, false}, "it was not made": {3, 0, false}} {
		for _, decided := range []time.Duration{25 * time.Minute, 70 * time.Minute} { // before and behind the time for which the price is awaited
			t.Run(fmt.Sprint(name, ", decided after ", decided), func(t *testing.T) {
				inShop(t, func(s *shop) {
					s.service.lists = false
					p := s.is(s.buy(1), store.Accepted)
					s.names(p, 300)
					s.live(10 * time.Second)
					lost := s.lose(c.lost)
					s.takes(100, 0) // of others
					s.live(2 * time.Minute)
					s.takes(c.took, 0)
					s.live(decided)
					s.is(lost, store.Undecided)
					s.denies(lost)
					s.live(2 * time.Hour)
					if told := slices.Contains(s.notes(), string(store.PriceUnsureNote)); told != c.told {
						t.Errorf("told: %v, want %v; %v", told, c.told, s.notes())
					}
				})
			})
		}
	}
}

// TestPriceThatIsTakenBack: the order names the price that was shown again, and the balance has shown that one. What goes then
// is somebody else's.
func TestPriceThatIsTakenBack(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.names(p, 190)
		s.takes(100, 0)
		s.live(10 * time.Second)
		s.names(p, 100)
		s.live(5 * time.Minute)
		s.takes(90, 0)
		s.observe()
		s.live(3 * time.Hour)
		equal(t, s.notes(), "debit")
	})
}

// TestPricesOfSeveral: several purchases at once cost what their orders name, and none of them explains by itself what is gone.
func TestPricesOfSeveral(t *testing.T) {
	for name, take := range map[string]func(*shop, []store.Purchase){
		"their orders show first": func(s *shop, all []store.Purchase) {
			for _, p := range all {
				s.names(p, 190)
			}
			s.takes(3*190, 0)
		},
		"their money shows first": func(s *shop, all []store.Purchase) {
			s.takes(3*190, 0)
			s.live(10 * time.Second)
			for _, p := range all {
				s.names(p, 190)
			}
		},
		"their money shows one by one": func(s *shop, all []store.Purchase) {
			for i, p := range all {
				s.names(p, 190)
				s.takes(190, time.Duration(i)*20*time.Second)
			}
		},
		"the differences go late": func(s *shop, all []store.Purchase) {
			for _, p := range all {
				s.takes(100, 0)
				s.observe()
				s.names(p, 190)
			}
			s.takes(3*90, 10*time.Minute)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				all := []store.Purchase{s.buy(1), s.buy(1), s.buy(1)}
				take(s, all)
				s.live(10 * time.Minute)
				s.observe()
				s.live(3 * time.Hour)
				for _, p := range all {
					if now := s.get(p.ID); now.Charged == nil || !now.Charged.Equal(dzd.Int(190)) {
						t.Errorf("%s was charged %v", p.ID, now.Charged)
					}
				}
				equal(t, s.notes(), "charged", "charged", "charged")
			})
		})
	}
}

// TestPriceAmongMany: more has moved since than is kept in mind. People are told both prices all the same.
func TestPriceAmongMany(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.service.lacks = true
		s.names(p, 190)
		s.account(func(a *store.Account) {
			for range 250 {
				a.Wallet.Expected = append(a.Wallet.Expected, store.Expected{At: time.Now(), Seen: time.Now(), Amount: dzd.Int(-7)})
			}
		})
		s.deliver()
		s.is(s.buy(1), store.Accepted)
		s.live(2 * time.Hour)
		equal(t, s.notes(), "price_unsure")
	})
}

// TestPriceBesideARefund: the order names more than was shown, and just as much is awaited of a refund: what the balance shows is
// either price.
func TestPriceBesideARefund(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.live(30 * time.Minute)
		s.settle(api.Order{ID: s.get(failed.ID).OrderIDs[0], Status: "failed"})
		p := s.is(s.buy(1), store.Accepted)
		s.names(p, 200)
		s.takes(200-100, 0)
		s.live(2 * time.Hour)
		equal(t, s.notes(), "price_unsure")
	})
}

// TestPriceIsTakenOnce: people were told both prices, and the balance shows the one that the order names after all. As much as
// the difference goes once more: that is not of this purchase.
func TestPriceIsTakenOnce(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.service.lacks = true
		s.names(p, 190)
		s.live(2 * time.Hour)
		s.service.lacks = false
		s.takes(190, 0)
		s.live(time.Hour)
		s.takes(90, 0)
		s.observe()
		s.live(time.Hour)
		equal(t, s.notes(), "price_unsure", "charged", "debit")
	})
}

// TestPriceAmongOpenQuestions: the balance is asked about more prices than what is kept in mind of a wallet. None of them is
// forgotten, and neither is what is bought next.
func TestPriceAmongOpenQuestions(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.service.lacks = true
		s.names(p, 190)
		named := dzd.Int(-9)
		s.account(func(a *store.Account) {
			for i := range 250 { // none of them ends in this test
				a.Wallet.Expected = append(a.Wallet.Expected, store.Expected{
					At: time.Now().Add(100 * time.Hour), Seen: time.Now(), Amount: dzd.Int(-7), Instead: &named, Purchase: fmt.Sprintf("01OPEN%d", i),
				})
			}
		})
		next := s.is(s.buy(1), store.Accepted)
		expected := func(id string) bool {
			return slices.ContainsFunc(s.owns().Wallet.Expected, func(x store.Expected) bool { return x.Purchase == id })
		}
		if !expected(next.ID) || !expected("01OPEN0") {
			t.Errorf("what is bought is kept in mind: %t; what is asked: %t", expected(next.ID), expected("01OPEN0"))
		}
		s.live(2 * time.Hour)
		equal(t, s.notes(), "price_unsure")
	})
}

// TestUncertainAmongMany: more has shown since than is kept in mind. That an uncertain purchase may take money is not forgotten.
func TestUncertainAmongMany(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.lose(1)
		s.account(func(a *store.Account) {
			for range 250 {
				a.Wallet.Expected = append(a.Wallet.Expected, store.Expected{At: time.Now(), Seen: time.Now(), Amount: dzd.Int(-7)})
			}
		})
		if err := s.engine.LetGo(context.Background(), p.ID, 5); err != nil {
			s.t.Fatal(err)
		}
		s.is(s.buy(1), store.Accepted)
		if !slices.ContainsFunc(s.owns().Wallet.Expected, func(x store.Expected) bool { return x.Purchase == p.ID }) {
			t.Error("an uncertain purchase is forgotten")
		}
	})
}

// TestPriceThatCannotBeRead: a variant of which the service names no price is not bought, and nothing is said to cost nothing.
func TestPriceThatCannotBeRead(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.price = dzd.Amount{}
		p := s.is(s.buy(1), store.Dropped)
		if p.Reason != store.ReasonPrice || p.NewPrice != nil {
			t.Errorf("it ended as %q, at %v", p.Reason, p.NewPrice)
		}
		s.sent(0)
	})
}
