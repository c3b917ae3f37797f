package purchase_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// deliver takes what waits for the buyer's chat, as if it had all arrived, and counts it by kind.
func (s *shop) deliver() map[store.OutKind]int {
	s.t.Helper()
	kinds := s.messages()
	s.update(func(tx *store.Tx) error {
		rows, err := s.store.ChatOutbox(context.Background(), 5, 50)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.Kind == store.Ping {
				p, err := tx.Purchase(r.Purchase)
				if err != nil {
					return err
				}
				p.Told.Pinged++
				if err := tx.PutPurchase(&p); err != nil {
					return err
				}
			}
			now, err := tx.Outgoing(r.Chat, r.ID)
			if err != nil {
				return err
			}
			if err := tx.Sent(now); err != nil {
				return err
			}
		}
		return nil
	})
	return kinds
}

// TestEveryStepIsTold: the chat learns that a purchase is uncertain when it is, and its phone rings for what
// became of it.
func TestEveryStepIsTold(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.takes = time.Second
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
		p := s.is(s.buy(1), store.Submitting)
		s.deliver()
		<-time.After(2 * time.Second)
		s.is(p, store.Unknown)
		if told := s.deliver(); told[store.StatusMessage] != 1 {
			t.Errorf("when it became uncertain the chat was told %v", told)
		}
		s.processDue(20 * time.Minute)
		s.is(p, store.NotCreated)
		if told := s.deliver(); told[store.StatusMessage] != 1 || told[store.Ping] != 1 {
			t.Errorf("when it was decided the chat was told %v", told)
		}
	})
}

// TestRingsForTheFirstAndTheLast: several units ring twice, not each.
func TestRingsForTheFirstAndTheLast(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(4), store.Accepted)
		s.deliver()
		for i, want := range []int{1, 0, 0, 1} {
			s.settle(api.Order{ID: s.get(p.ID).OrderIDs[i], Code: secret.New("CODE")})
			if told := s.deliver(); told[store.StatusMessage] != 1 || told[store.Ping] != want {
				t.Errorf("unit %d was told as %v, want %d rings", i+1, told, want)
			}
		}
	})
}

// TestUnlinkedAccountBuysNothing: what waits in line is not bought with a key that was taken back.
func TestUnlinkedAccountBuysNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.takes = 10 * time.Second
		first, second := s.buy(1), s.buy(1)
		s.update(func(tx *store.Tx) error {
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.Chats, a.Retired = nil, true
			return tx.PutAccount(&a)
		})
		<-time.After(15 * time.Second)
		s.is(first, store.Accepted)
		if p := s.is(second, store.Dropped); p.Reason != "unlinked" {
			t.Errorf("it was dropped because of %q", p.Reason)
		}
		s.sent(1)
	})
}

// TestReadingIsOfItsMoment: a balance that was read before a purchase is no news after it, and one that is read
// during it tells nothing.
func TestReadingIsOfItsMoment(t *testing.T) {
	buyAnother := func(s *shop) {
		s.service.weighed = func() {
			s.is(s.buy(1), store.Accepted)
			s.service.balance = s.service.balance.Sub(dzd.Int(100))
		}
	}
	t.Run("in the search for a refund", func(t *testing.T) {
		inShop(t, func(s *shop) {
			failed := s.failOne()
			buyAnother(s)
			s.watch(time.Minute)
			if got := s.refundOf(failed); got != store.RefundWaiting {
				t.Errorf("the refund is %q", got)
			}
			equal(t, s.movements(), "bought -100", "bought -100")
		})
	})
	t.Run("in the watch of balances", func(t *testing.T) {
		inShop(t, func(s *shop) {
			settled := func(order string) { // what comes to the wallet later is no refund of it
				if err := s.engine.Settle(context.Background(), "u1", []api.Order{{ID: order, Code: secret.New("CODE of " + order)}}, time.Now()); err != nil {
					t.Fatal(err)
				}
			}
			s.is(s.buy(1), store.Accepted)
			settled("O-1-1")
			s.deliver()
			s.service.balance = s.service.balance.Sub(dzd.Int(50)) // 50 were added
			s.observe()
			<-time.After(20 * time.Minute) // the price of the purchase has to have shown by now
			s.observe()
			s.service.weighed = func() {
				p := s.buy(1)
				s.service.balance = s.service.balance.Sub(dzd.Int(100))
				settled("O-2-1")
				s.is(p, store.Settled)
			}
			s.observe()
			s.observe()
			equal(t, s.movements(), "bought -100", "outside 50", "bought -100")
		})
	})
	t.Run("before the refund that the next purchase has seen", func(t *testing.T) {
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			s.answers(api.FromLegacy, "7")
			failed := s.failOne()
			s.shows(0, listed("7", time.Now()))
			s.live(16 * time.Minute)
			var next store.Purchase
			s.service.weighed = func() { // without its refund the balance is as if the next one was charged
				s.service.balance = s.service.balance.Add(dzd.Int(100))
				next = s.lose(1)
			}
			s.live(30 * time.Minute)
			if got := s.refundOf(failed); got != store.RefundSeen {
				t.Errorf("the refund is %q", got)
			}
			s.decidedBy(next, store.NotCreated, "nothing")
		})
	})
	t.Run("while a purchase is on its way", func(t *testing.T) {
		inShop(t, func(s *shop) {
			s.is(s.buy(1), store.Accepted)
			s.service.balance, s.service.takes = s.service.balance.Sub(dzd.Int(100)), 10*time.Second
			second := s.is(s.buy(1), store.Submitting)
			s.service.balance = s.service.balance.Sub(dzd.Int(100))
			s.observe()
			<-time.After(11 * time.Second)
			s.is(second, store.Accepted)
			s.observe()
			equal(t, s.movements(), "bought -100", "bought -100")
		})
	})
}

// observe reads the balance as the watch of balances does.
func (s *shop) observe() {
	s.t.Helper()
	if _, err := s.engine.Observe(context.Background(), "u1"); err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
}

// stands has the balance read, and time go by until no reading is as old as that.
func (s *shop) stands() {
	s.t.Helper()
	s.observe()
	s.live(17 * time.Minute)
}

// TestUnreadableListIsNoSilence: where the list cannot be read, nobody says that nothing was bought.
func TestUnreadableListIsNoSilence(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		p := s.lose(1)
		s.service.unlisted = &api.Error{Op: "history", Class: api.Upstream}
		s.processDue(20 * time.Minute)
		s.is(p, store.Undecided)
	})
}

// TestLaterPurchasesBlurTheBalance: once something else was bought, money that is gone proves nothing about an
// older purchase, and an order that shows may be the later one's.
func TestLaterPurchasesBlurTheBalance(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Current)
		s.service.lists = true
		older := s.lose(1)
		s.service.broken = &api.Error{Op: "any", Class: api.Upstream}
		s.processDue(20 * time.Minute)
		s.is(older, store.Undecided)
		s.service.broken = nil
		s.is(s.buy(1), store.Accepted)
		s.service.balance = s.service.balance.Sub(dzd.Int(100))
		s.service.list = append(s.service.list, listed("8", time.Now()))
		s.processDue(20 * time.Minute)
		s.is(older, store.Undecided)
	})
}
