package purchase_test

import (
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// TestRefundBeforeTheFailureIsSeen: the money of an order that has failed may be back before anybody was told
// that it failed, or was never taken. It is no money from outside then, and no refund that is missing later.
func TestRefundBeforeTheFailureIsSeen(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		for range 3 { // it was taken and given back in between
			s.observe()
		}
		equal(t, s.movements(), "bought -100")
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
		s.watch(20 * time.Minute)
		if got := s.refundOf(p); got != store.RefundUntaken {
			t.Errorf("the refund is %q", got)
		}
		equal(t, s.movements(), "bought -100", "corrected 100")
	})
}

// TestRefundOfOneThatIsStillWaitedFor: of two refunds that come at once, one is of an order that nobody has seen
// fail yet. The other one is not kept waiting for it.
func TestRefundOfOneThatIsStillWaitedFor(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(2), store.Accepted)
		s.service.balance = s.service.balance.Sub(p.Total)
		s.observe()
		ids := s.get(p.ID).OrderIDs
		s.settle(api.Order{ID: ids[0], Status: "failed"})
		s.service.balance = s.service.balance.Add(p.Total)
		s.watch(17 * time.Minute)
		equal(t, s.movements(), "bought -200", "refunded 100")
		s.settle(api.Order{ID: ids[1], Status: "failed"})
		s.watch(time.Minute)
		equal(t, s.movements(), "bought -200", "refunded 100", "refunded 100")
		s.is(p, store.Settled)
	})
}

// TestMoneyThatCameBackDeniesNothing: a purchase whose price was gone once did happen, even if nothing shows of it
// any more. It may have failed and been refunded: nobody is told that it was never bought.
func TestMoneyThatCameBackDeniesNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		p := s.lose(1)
		s.service.balance = s.service.balance.Sub(p.Total)
		s.processDue(30 * time.Second)
		s.service.balance = s.service.balance.Add(dzd.Int(100))
		s.processDue(30 * time.Minute)
		s.is(p, store.Undecided)
		if ev := s.get(p.ID).Evidence; ev == nil || ev.Rule != "traces" {
			t.Errorf("the evidence is %+v", ev)
		}
	})
}

// TestOrderThatShowedDeniesNothing: the same for an order that showed in the list and is gone from it.
func TestOrderThatShowedDeniesNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		p := s.lose(2)
		s.service.list = []api.Order{listed("7", time.Now())} // one of two
		s.processDue(30 * time.Second)
		s.service.list = nil
		s.processDue(30 * time.Minute)
		s.is(p, store.Undecided)
	})
}
