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
	"resellerbot/internal/store"
)

// failOne buys one unit, takes its price out of the wallet, lets that be seen, and has its order fail.
func (s *shop) failOne() store.Purchase {
	s.t.Helper()
	p := s.is(s.buy(1), store.Accepted)
	s.service.balance = s.service.balance.Sub(p.Total)
	s.watch(10 * time.Second)
	s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
	return s.is(p, store.Accepted)
}

func (s *shop) settle(orders ...api.Order) {
	s.t.Helper()
	if err := s.engine.Settle(context.Background(), "u1", orders, time.Now()); err != nil {
		s.t.Fatal(err)
	}
}

// watch lets some time go by with the watch of refunds running as its job does.
func (s *shop) watch(d time.Duration) {
	s.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); <-time.After(5 * time.Second) {
		if err := s.engine.ProcessDueAccounts(context.Background()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// movements tells an account's movements as their kinds and amounts, oldest first.
func (s *shop) movements() (out []string) {
	s.t.Helper()
	list, err := s.store.Movements(context.Background(), "u1", 50)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, m := range list {
		out = append([]string{string(m.Kind) + " " + m.Amount.String()}, out...)
	}
	return out
}

// messages counts what waits for the buyer's chat, by kind.
func (s *shop) messages() map[store.OutKind]int {
	s.t.Helper()
	rows, err := s.store.ChatOutbox(context.Background(), 5, 50)
	if err != nil {
		s.t.Fatal(err)
	}
	kinds := map[store.OutKind]int{}
	for _, r := range rows {
		kinds[r.Kind]++
	}
	return kinds
}

func (s *shop) refundOf(p store.Purchase) store.RefundState {
	s.t.Helper()
	orders, err := s.store.OrdersOf(context.Background(), s.get(p.ID))
	if err != nil || len(orders) != 1 {
		s.t.Fatal(orders, err)
	}
	return orders[0].Refund
}

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestRefundSeen: a failed purchase is finished when its money is back for as long as it takes to know that the reading is
// not from before it was taken, and not before.
func TestRefundSeen(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.failOne()
		s.watch(time.Minute)
		s.is(p, store.Accepted)
		s.service.balance = dzd.Int(1000)
		s.watch(14 * time.Minute)
		s.is(p, store.Accepted)
		s.watch(2 * time.Minute)
		s.is(p, store.Settled)
		if got := s.refundOf(p); got != store.RefundSeen {
			t.Errorf("the refund is %q", got)
		}
		equal(t, s.movements(), "bought -100", "refunded 100")
		if n := s.messages()[store.Support]; n != 0 {
			t.Errorf("support was asked %d times", n)
		}
	})
}

// TestRefundMissing: after a quarter of an hour people are told, once; a late refund is still seen, and may be money
// that they added.
func TestRefundMissing(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.failOne()
		s.watch(16 * time.Minute)
		s.is(p, store.Accepted)
		s.watch(2 * time.Minute)
		s.is(p, store.Settled)
		if got := s.refundOf(p); got != store.RefundMissing {
			t.Errorf("the refund is %q", got)
		}
		if n := s.messages()[store.Support]; n != 1 {
			t.Errorf("support was asked %d times", n)
		}
		s.service.balance = dzd.Int(1000)
		s.watch(20 * time.Minute)
		if got := s.refundOf(p); got != store.RefundLikely {
			t.Errorf("the late refund is %q", got)
		}
		equal(t, s.movements(), "bought -100", "outside 100")
	})
}

// TestRefundWhileTheServiceIsDown: nothing is told that was not seen.
func TestRefundWhileTheServiceIsDown(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.failOne()
		s.service.broken = &api.Error{Op: "GET /balance", Class: api.Upstream}
		s.service.balance = dzd.Int(1000)
		s.watch(5 * time.Minute)
		if got := s.refundOf(p); got != store.RefundWaiting {
			t.Errorf("the refund is %q", got)
		}
		s.service.broken = nil
		s.watch(12 * time.Minute)
		s.is(p, store.Settled)
	})
}

// TestMoneyFromOutsideIsNoRefund: a change that no refund makes is written down as what it is.
func TestMoneyFromOutsideIsNoRefund(t *testing.T) {
	inShop(t, func(s *shop) {
		s.observe()
		s.watch(17 * time.Minute) // until no reading can be from before the first one
		p := s.failOne()
		s.service.balance = s.service.balance.Add(dzd.Int(5000))
		s.watch(time.Minute)
		if got := s.refundOf(p); got != store.RefundWaiting {
			t.Errorf("the refund is %q", got)
		}
		s.service.balance = s.service.balance.Add(dzd.Int(100))
		s.watch(16 * time.Minute)
		s.is(p, store.Settled)
		equal(t, s.movements(), "bought -100", "outside 5000", "refunded 100")
	})
}

// TestPurchaseBetweenRefunds: a refund that comes while something else is bought is seen by the reading
// just before.
func TestPurchaseBetweenRefunds(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.failOne()
		s.watch(16 * time.Minute)
		s.service.balance, s.service.takes = dzd.Int(1000), time.Second
		bought := s.buy(2)
		<-time.After(2 * time.Second)
		s.is(bought, store.Accepted)
		if got := s.refundOf(failed); got != store.RefundSeen {
			t.Errorf("the refund is %q", got)
		}
		s.is(failed, store.Settled)
		equal(t, s.movements(), "bought -100", "refunded 100", "bought -200")
		s.service.balance = s.service.balance.Sub(bought.Total)
	})
}

// TestReadingAcrossAPurchaseProvesNothing: money that moves while a purchase is on the wire is not
// explained by that reading.
func TestReadingAcrossAPurchaseProvesNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.failOne()
		s.service.takes = 20 * time.Second
		s.buy(1)
		s.service.balance = dzd.Int(1000)
		s.watch(10 * time.Second)
		if got := s.refundOf(failed); got != store.RefundWaiting {
			t.Errorf("the refund is %q", got)
		}
		<-time.After(20 * time.Second)
	})
}

// TestTopupEndsWithoutACode: a success is the end of a top-up, and of goods only with a code or with
// words of whoever delivered them.
func TestTopupEndsWithoutACode(t *testing.T) {
	for name, c := range map[string]struct {
		topup bool
		seen  api.Order
		want  store.OrderState
	}{
		"a top-up":               {true, api.Order{Status: "success"}, store.Completed},
		"a top-up on its way":    {true, api.Order{Status: "pending"}, store.Waiting},
		"a top-up that failed":   {true, api.Order{Status: "failed"}, store.Failed},
		"goods without a code":   {false, api.Order{Status: "completed"}, store.Waiting},
		"a canceled order":       {false, api.Order{Status: "canceled"}, store.Failed},
		"a status of its own":    {false, api.Order{Status: "on_hold"}, store.Waiting},
		"a status in upper case": {true, api.Order{Status: " SUCCESS "}, store.Completed},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.buy(1)
				id := s.get(p.ID).OrderIDs[0]
				s.update(func(tx *store.Tx) error {
					o, err := tx.Order("u1", id)
					o.Topup = c.topup
					return errors.Join(err, tx.PutOrder(&o))
				})
				c.seen.ID = id
				s.settle(c.seen)
				o, err := s.store.Order(context.Background(), "u1", id)
				if err != nil || o.State != c.want {
					t.Errorf("the order is %q, want %q; %v", o.State, c.want, err)
				}
			})
		})
	}
}

// TestAnOrderThatTakesADay: people are told once.
func TestAnOrderThatTakesADay(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.buy(1)
		id := s.get(p.ID).OrderIDs[0]
		<-time.After(25 * time.Hour)
		for range 3 {
			s.settle(api.Order{ID: id, Status: "on_hold"})
		}
		if n := s.messages()[store.Support]; n != 1 {
			t.Errorf("support was asked %d times", n)
		}
		if !s.is(p, store.Accepted).Told.Late {
			t.Error("the purchase does not know that it is late")
		}
	})
}

// TestDoneWithoutACode: what the service calls done and has no code waits for half an hour; then people are
// told to ask for it, once, and it is looked at for seven days all the same, ever more slowly.
func TestDoneWithoutACode(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.buy(1)
		id := s.get(p.ID).OrderIDs[0]
		for range 29 {
			s.settle(api.Order{ID: id, Status: "completed"})
			<-time.After(time.Minute)
		}
		s.is(p, store.Accepted)
		<-time.After(2 * time.Minute)
		s.settle(api.Order{ID: id, Status: "completed"})
		s.is(p, store.Accepted)
		looks, pause := 0, time.Duration(0)
		for end := time.Now().Add(8 * 24 * time.Hour); time.Now().Before(end); looks++ {
			wait := time.Until(s.order(id).Due)
			if wait < pause || wait > 12*time.Hour {
				t.Fatalf("the next look is in %v after one in %v", wait, pause)
			}
			pause = wait
			<-time.After(wait)
			if s.settle(api.Order{ID: id, Status: "completed"}); s.order(id).Due.IsZero() {
				break
			}
		}
		s.is(p, store.Settled)
		if o := s.order(id); time.Since(o.DoneAt) < 7*24*time.Hour || o.State != store.Completed || looks > 60 {
			t.Errorf("after %d looks in %v the order is %+v", looks, time.Since(o.DoneAt), o)
		}
		if n := s.messages()[store.Support]; n != 1 {
			t.Errorf("support was asked %d times", n)
		}
	})
}

// TestFrozenAccount: after a restore nothing is bought before the service was read, and people are told
// which of its orders are not known.
func TestFrozenAccount(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		s.service.list = []api.Order{listed("8", time.Now().Add(time.Hour))}
		s.service.broken = &api.Error{Op: "any", Class: api.Upstream}
		s.update(func(tx *store.Tx) error {
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.Frozen = true
			return tx.PutAccount(&a)
		})
		s.is(s.buy(1), store.Dropped)
		s.watch(2 * time.Minute)
		s.is(s.buy(1), store.Dropped)
		s.sent(0)
		s.service.broken = nil
		s.watch(time.Minute)
		s.is(s.buy(1), store.Accepted)
		s.sent(1)
		if n := s.messages()[store.Note]; n != 1 {
			t.Errorf("people were told %d times", n)
		}
	})
}

// TestUnfreeze: what cannot be read after a restore is an owner's to decide, once they were shown it. Meanwhile
// nothing is bought, and an account that nobody owns any more does not wait for anybody.
func TestUnfreeze(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.service.lists, s.service.broken = true, &api.Error{Op: "any", Class: api.Upstream, Status: 500}
		frozen := func(retired bool) {
			s.account(func(a *store.Account) { a.Frozen, a.Retired, a.Thaw = true, retired, store.Thaw{} })
		}
		try := func(who int64, want error) {
			t.Helper()
			if err := s.engine.Unfreeze(context.Background(), "u1", who); !errors.Is(err, want) {
				t.Errorf("%d is answered %v, want %v", who, err, want)
			}
		}
		now := func() (a store.Account) {
			s.account(func(is *store.Account) { a = *is })
			return a
		}
		frozen(false)
		s.watch(5 * time.Minute)
		try(amine, purchase.ErrStale) // nobody was asked yet
		s.watch(6 * time.Minute)
		if a := now(); !a.Frozen || !a.Thaw.Told || !slices.Contains(a.Thaw.Unread, purchase.UnreadBalance) {
			t.Errorf("after eleven minutes it is %+v", a.Thaw)
		}
		try(karim, purchase.ErrNotAllowed)
		if !now().Frozen {
			t.Error("a seller has decided")
		}
		try(amine, nil)
		if now().Frozen {
			t.Error("the owner's word was not taken")
		}
		try(amine, purchase.ErrStale)
		frozen(true)
		s.watch(12 * time.Minute)
		if now().Frozen {
			t.Error("it waits for nobody")
		}
	})
}
