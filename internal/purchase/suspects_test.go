package purchase_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// refuse buys a unit that the service refuses.
func (s *shop) refuse() store.Purchase {
	s.t.Helper()
	s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}}
	return s.is(s.buy(1), store.Rejected)
}

// TestMoneyIsHeldAgainstEverySuspect: money went for one of two purchases of a price, of which the one is uncertain and
// the other was refused just now. Both are asked about, and each has its answer.
func TestMoneyIsHeldAgainstEverySuspect(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		first := s.lose(1)
		s.processDue(20 * time.Minute)
		s.is(first, store.Undecided)
		second := s.refuse()
		s.service.balance = s.service.balance.Sub(second.Total)
		s.processDue(10 * time.Second)
		s.is(second, store.Undecided)
		s.denies(first)
		s.is(first, store.NotCreated)
		s.processDue(10 * time.Minute)
		s.is(second, store.Undecided)
		if err := s.engine.Decide(context.Background(), second.ID, 5, 5, true); err != nil {
			t.Fatal(err)
		}
		s.is(second, store.Settled)
		s.processDue(10 * time.Minute)
		s.is(first, store.NotCreated)
	})
}

// TestMoneyIsHeldAgainstASuspectOfSeveral: money went at once that is the price of two uncertain purchases together, and of one
// that was refused just now as well. All three are asked about.
func TestMoneyIsHeldAgainstASuspectOfSeveral(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		first := s.lose(1)
		s.processDue(20 * time.Minute)
		second := s.lose(1)
		s.processDue(20 * time.Minute)
		s.is(first, store.Undecided)
		s.is(second, store.Undecided)
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}, {Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}}
		refused := s.buy(2)
		dearer := s.buy(3) // its price is no sum of theirs
		s.service.balance = s.service.balance.Sub(refused.Total)
		s.is(refused, store.Rejected)
		s.processDue(10 * time.Second)
		s.is(refused, store.Undecided)
		s.is(first, store.Undecided)
		s.is(second, store.Undecided)
		s.is(dearer, store.Rejected)
	})
}

// TestDisownedMoneyHeldAPrice: money of others and the price of an accepted purchase pass for the price of an uncertain one, and what a refused
// one is charged passes for that of the accepted one. Somebody says that the first was not bought: then the refused one is asked about.
func TestDisownedMoneyHeldAPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		lost := s.lose(2)
		s.live(12 * time.Minute)
		s.is(lost, store.Undecided)
		s.service.balance = s.service.balance.Sub(dzd.Int(100)) // of others
		accepted := s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.live(5 * time.Minute)
		s.account(func(a *store.Account) { a.Lags = nil }) // else it is asked about at once: the other price had to show by then
		refused := s.refuse()
		s.takes(100, 0)
		s.live(5 * time.Minute)
		s.is(refused, store.Rejected)
		s.is(lost, store.Undecided)
		s.denies(lost)
		s.is(refused, store.Undecided)
		s.is(accepted, store.Accepted)
	})
}

// TestDisownedMoneyIsHeldAgainstARefusal: a refused purchase of two units was executed while as much as one costs was added, and
// what is left over passes for the price of an uncertain one. Somebody says that this was not bought: then the refused one is
// asked about, however long ago its money seemed to be there. One that costs less is not, and neither is one that was refused
// long before.
func TestDisownedMoneyIsHeldAgainstARefusal(t *testing.T) {
	sampletest.Slow(t)
	for name, thinks := range map[string]time.Duration{"at once": 0, "once no refusal is watched any more": 3 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				no := api.Verdict{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}
				s.service.verdicts = []api.Verdict{no, no, no}
				before := s.buy(3)
				s.live(150 * time.Minute)
				refused, cheap := s.buy(3), s.buy(1)
				lost := s.lose(2)
				s.service.balance = s.service.balance.Sub(refused.Total).Add(dzd.Int(100)) // readings are late
				s.live(20 * time.Minute)
				s.is(lost, store.Undecided)
				s.is(refused, store.Rejected)
				s.live(thinks)
				s.denies(lost)
				s.live(time.Minute)
				s.decidedBy(refused, store.Undecided, store.RuleUnclear)
				if s.get(refused.ID).SeemsPaid() {
					t.Error("its price is called gone")
				}
				s.is(cheap, store.Rejected)
				s.is(before, store.Rejected)
			})
		})
	}
}

// TestDisownedMoneyBesideOthers: a refused purchase was executed, and its price went together with money of others: both pass for the price of an
// uncertain one. Somebody says that this was not bought. Where others had been seen to spend from the account, the refused one is asked about,
// unless its price had to show before that money did.
func TestDisownedMoneyBesideOthers(t *testing.T) {
	for name, c := range map[string]struct {
		shared bool
		before time.Duration // it was refused so long before the money went
		want   store.Phase
	}{
		"others spend from it":   {true, 0, store.Undecided},
		"nobody else does":       {false, 0, store.Rejected},
		"refused long before":    {true, 20 * time.Minute, store.Rejected},
		"refused a while before": {true, 14 * time.Minute, store.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				if c.shared {
					s.account(func(a *store.Account) { a.OutsideAt = time.Now() })
				}
				var refused store.Purchase
				if c.before > 0 {
					refused = s.refuse()
					s.live(c.before - 12*time.Minute)
				}
				lost := s.lose(2)
				s.live(12 * time.Minute)
				if c.before == 0 {
					refused = s.refuse()
				}
				s.takes(200, 0) // 100, and 100 of others
				s.live(2 * time.Minute)
				s.is(lost, store.Undecided)
				s.denies(lost)
				s.is(refused, c.want)
			})
		})
	}
}

// TestDisownedMoneyIsFromBefore: money passes for an uncertain purchase, and a person says that this one was not bought. What was sent long
// after the money had gone is no part of it: a refused purchase is not asked about for making up the rest.
func TestDisownedMoneyIsFromBefore(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		refused := s.refuse()
		s.live(2 * time.Minute)
		lost := s.lose(3)
		s.takes(300, 0)
		s.live(40 * time.Minute)
		s.is(lost, store.Undecided)
		s.is(s.buy(2), store.Accepted)
		s.denies(lost)
		s.is(refused, store.Rejected)
	})
}

// TestDisownedMoneyHeldALatePrice: as TestDisownedMoneyHeldAPrice, with a purchase that was uncertain itself when the refused one was sent, and
// was accepted behind it: it counts from when it was sent.
func TestDisownedMoneyHeldALatePrice(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.list = append(s.service.list, listed("1", time.Now().Add(-time.Hour)))
		lost := s.lose(2)
		s.live(20 * time.Minute)
		s.is(lost, store.NotCreated)
		late := s.lose(1)
		s.takes(100, 0) // of others
		s.takes(100, 0)
		s.shows(0, listed("8", time.Now()))
		s.live(time.Minute)
		if err := s.engine.LetGo(t.Context(), late.ID, 5); err != nil {
			t.Fatal(err)
		}
		refused := s.refuse()
		s.live(time.Minute)
		if err := s.adopt(late, "8"); err != nil {
			t.Fatal(err)
		}
		s.live(time.Minute)
		s.takes(100, 0)
		s.live(5 * time.Minute)
		s.is(refused, store.Rejected)
		s.is(lost, store.Undecided)
		s.denies(lost)
		s.live(20 * time.Minute)
		s.is(refused, store.Undecided)
	})
}

// TestLatePriceBesideOtherMoney: while a purchase is uncertain, other money shows. The order is executed minutes later, a person picks it, and
// its price shows as late as it may. What others did is booked as it was: the price is in it only once it must have shown.
func TestLatePriceBesideOtherMoney(t *testing.T) {
	for name, c := range map[string]struct {
		gone  int64
		want  string
		tells []string
	}{
		"money was added":         {-500, "outside 500", nil},
		"less is gone, of others": {50, "outside -50", []string{"50"}},
		"more is gone, of others": {300, "outside -300", []string{"300"}},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.stands()
				p := s.lose(1)
				s.takes(c.gone, time.Minute)
				s.shows(3*time.Minute, listed("8", time.Now().Add(3*time.Minute)))
				s.takes(100, 18*time.Minute)
				s.live(5 * time.Minute)
				if err := errors.Join(s.engine.LetGo(context.Background(), p.ID, 5), s.adopt(p, "8")); err != nil {
					t.Fatal(err)
				}
				for range 60 {
					s.live(time.Minute)
					s.observe()
				}
				equal(t, s.movements(), "bought -100", c.want)
				equal(t, s.accused(), c.tells...)
			})
		})
	}
}

// TestCounterOfOurOwn: the counter of an allocation moves for what was bought here behind a refusal. That is no sign that the refused one was
// executed; one unit more is.
func TestCounterOfOurOwn(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		ours int // bought behind the refusal
		used int
		want store.Phase
	}{
		"it moves for ours":           {1, 4, store.Rejected},
		"it moves for several":        {2, 5, store.Rejected},
		"it is late":                  {1, 3, store.Rejected},
		"it goes down":                {1, 2, store.Rejected},
		"it moves for something more": {1, 5, store.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.service.stock = &api.ClientStock{VariantID: 7, Allocated: 50, Used: 3}
				s.stands()
				refused := s.refuse()
				for i := range c.ours {
					bought := s.is(s.buy(1), store.Accepted)
					s.takes(100, 0)
					s.service.stock = &api.ClientStock{VariantID: 7, Allocated: 50, Used: c.used + i + 1 - c.ours}
					s.names(bought, 100)
				}
				s.live(3 * time.Hour)
				s.is(refused, c.want)
			})
		})
	}
}

// TestCounterIsLateForOurs: the counter moves late for what was bought here just before a refusal. That is no sign either.
func TestCounterIsLateForOurs(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.service.stock = &api.ClientStock{VariantID: 7, Allocated: 50, Used: 3}
		s.stands()
		bought := s.is(s.buy(1), store.Accepted)
		s.after(time.Minute, func(at *service) {
			at.stock = &api.ClientStock{VariantID: 7, Allocated: 50, Used: 4}
			at.balance = at.balance.Sub(dzd.Int(100))
		})
		s.names(bought, 100)
		s.live(10 * time.Second)
		refused := s.refuse()
		s.live(3 * time.Hour)
		s.is(refused, store.Rejected)
	})
}

// TestCounterMovedBeforeOurs: the counter had moved before the same was bought behind a refusal, and money was added. That is a sign, although as
// many units were bought since.
func TestCounterMovedBeforeOurs(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.service.stock = &api.ClientStock{VariantID: 7, Allocated: 50, Used: 3}
		s.stands()
		refused := s.refuse() // executed: a unit, and -100 +100
		s.service.stock = &api.ClientStock{VariantID: 7, Allocated: 50, Used: 4}
		s.live(3 * time.Minute)
		failed := s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.live(10 * time.Second)
		s.settle(api.Order{ID: s.get(failed.ID).OrderIDs[0], Status: "failed"})
		s.takes(-100, 30*time.Second)
		s.live(3 * time.Hour)
		s.is(refused, store.Undecided)
	})
}

// TestMoneyHidesALaterPrice: a refused purchase was executed, the same is bought minutes later, and as much as both cost is added, in one reading.
// The price of what was delivered has not shown in time: the refused one is asked about.
func TestMoneyHidesALaterPrice(t *testing.T) {
	sampletest.Slow(t)
	for name, after := range map[string]time.Duration{"at once": 30 * time.Second, "behind a look": 70 * time.Second, "minutes later": 3 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				refused := s.refuse()
				s.live(after)
				p := s.is(s.buy(1), store.Accepted)
				s.names(p, 100)
				s.live(50 * time.Minute) // -100 -100 +200
				s.is(refused, store.Undecided)
			})
		})
	}
}

// TestRefundIsNoLatePrice: the price of a purchase had shown before another one was refused, and its refund shows behind it. When a person says of
// money that it was for nothing of ours, the refused one is not asked about for that.
func TestRefundIsNoLatePrice(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.failOne()
		s.live(5 * time.Minute)
		lost := s.lose(2)
		s.takes(200, 0) // of others
		s.live(time.Minute)
		if err := s.engine.LetGo(t.Context(), lost.ID, 5); err != nil {
			t.Fatal(err)
		}
		refused := s.refuse()
		s.live(time.Minute)
		s.takes(-100, 0) // the refund
		s.live(20 * time.Minute)
		s.is(lost, store.Undecided)
		s.denies(lost)
		s.live(time.Minute)
		s.is(refused, store.Rejected)
	})
}

// TestMoneyHidesOnePriceOfTwo: of two purchases that were accepted the price of one shows, since money was added, and a third one was refused
// just behind them. If twice as much was added, that one was executed: it is asked about.
func TestMoneyHidesOnePriceOfTwo(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.stands()
		for range 2 {
			s.names(s.is(s.buy(1), store.Accepted), 100)
		}
		refused := s.refuse()
		s.takes(100, 0) // -200 +100, or -300 +200: no reading tells which
		s.live(15 * time.Minute)
		s.is(refused, store.Rejected)
		s.live(30 * time.Minute)
		s.is(refused, store.Undecided)
	})
}

// TestRefusedAsALatePriceShows: prices of the account show within seconds, and one has not for minutes, since as much was added. What goes moments
// behind the same that was refused may be either: it is asked about.
func TestRefusedAsALatePriceShows(t *testing.T) {
	for name, before := range map[string]time.Duration{"long behind the other": 8 * time.Minute, "at once behind the other": 20 * time.Second} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				s.is(s.buy(1), store.Accepted) // and 100 are added as its price goes
				s.live(before)
				refused := s.refuse()
				s.takes(100, 5*time.Second)
				s.live(5 * time.Minute)
				if want := map[bool]store.Phase{true: store.Undecided, false: store.Rejected}[before > time.Minute]; s.get(refused.ID).Phase != want {
					t.Errorf("it is %s, want %s", s.get(refused.ID).Phase, want)
				}
			})
		})
	}
}
