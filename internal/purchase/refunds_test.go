package purchase_test

import (
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// chargedOther buys units of which each is charged and called 190 instead of 100.
func (s *shop) chargedOther(units int) (p store.Purchase) {
	s.t.Helper()
	p = s.is(s.buy(units), store.Accepted)
	for _, id := range s.get(p.ID).OrderIDs {
		s.settle(api.Order{ID: id, Status: "processing", Price: dzd.Int(190)})
	}
	s.takes(190*int64(units), 0)
	s.live(2 * time.Minute)
	if p = s.get(p.ID); p.Charged == nil {
		s.t.Fatal("it is not known what was charged")
	}
	return p
}

// TestRefundOfWhatWasCharged: what comes back of an order is what was charged for it, before and after anybody knows
// that it has failed, and it may go again.
func TestRefundOfWhatWasCharged(t *testing.T) {
	fails := func(s *shop, p store.Purchase) {
		s.settle(api.Order{ID: p.OrderIDs[0], Status: "failed", Price: dzd.Int(190)})
	}
	for name, play := range map[string]func(*shop, store.Purchase){
		"seen to fail first":      func(s *shop, p store.Purchase) { fails(s, p); s.takes(-190, 0) },
		"seen to come back first": func(s *shop, p store.Purchase) { s.takes(-190, 0); s.observe(); fails(s, p) },
	} {
		for _, units := range []int{1, 2} {
			t.Run(name, func(t *testing.T) {
				inShop(t, func(s *shop) {
					p := s.chargedOther(units)
					play(s, p)
					s.live(20 * time.Minute)
					if got := s.order(p.OrderIDs[0]).Refund; got != store.RefundSeen {
						t.Errorf("the refund is %q", got)
					}
					<-time.After(2 * time.Hour) // what goes now is no older reading
					s.settle(api.Order{ID: p.OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(190)})
					s.takes(190, 0)
					s.observe()
					s.live(20 * time.Minute)
					equal(t, s.notes(), "charged")
				})
			})
		}
	}
}

// TestLackingBalanceKeepsLittle: where no reading ever shows what was bought, no more of it is kept in mind than where
// one does.
func TestLackingBalanceKeepsLittle(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lacks = true
		s.account(func(a *store.Account) {
			a.Wallet.Expected = slices.Repeat([]store.Expected{{At: time.Now(), Purchase: "EARLIER", Before: true}}, 199)
		})
		for range 3 {
			s.buy(1)
		}
		s.sent(3)
		if n := len(s.owns().Wallet.Expected); n > 200 {
			t.Errorf("%d changes are kept in mind", n)
		}
	})
}

// TestRefundBesideADebit: a refund that comes while money goes for something else shows as one change of both. It is not
// said to be missing, before the change is explained and after: nobody can tell.
func TestRefundBesideADebit(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.failOne()
		started := time.Now()
		s.takes(500, 0) // somebody else buys
		s.takes(-100, 0)
		for range 120 {
			s.live(time.Minute)
			if got := s.refundOf(failed); got == store.RefundMissing {
				t.Errorf("after %s it is called missing", time.Since(started))
				return
			}
		}
		if got := s.refundOf(failed); got != store.RefundUnread {
			t.Errorf("the refund is %q", got)
		}
	})
}

// TestCheaperIsNoRefund: less was charged for a purchase than was shown. What it was less, which was taken for money from
// outside first, is in no refund.
func TestCheaperIsNoRefund(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.failOne()
		cheap := s.is(s.buy(1), store.Accepted)
		s.takes(50, 0)
		s.live(20 * time.Minute)
		equal(t, s.movements(), "bought -100", "bought -100", "outside 50")
		s.settle(api.Order{ID: s.get(cheap.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(50)})
		s.takes(-60, 0)
		s.live(20 * time.Minute)
		if got := s.refundOf(failed); got != store.RefundMissing {
			t.Errorf("with 60 of 100 that came the refund is %q", got)
		}
		s.takes(-40, 0)
		s.live(80 * time.Minute) // an older reading and the refund would look the same
		if got := s.refundOf(failed); got != store.RefundLikely {
			t.Errorf("with 100 that came in parts the refund is %q", got)
		}
	})
}

// TestRefundAndPriceOfMany: a reading shows a refund and a price at once, of an account that has as many changes in mind as
// are kept. The price is taken for that of its own purchase.
func TestRefundAndPriceOfMany(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.live(20 * time.Minute) // a reading from before the price was seen would look like the refund
		s.settle(api.Order{ID: s.get(failed.ID).OrderIDs[0], Status: "failed"})
		s.account(func(a *store.Account) {
			kept := slices.Repeat([]store.Expected{{At: time.Now(), Seen: time.Now(), Purchase: "EARLIER", Amount: dzd.Int(-7), MayGo: store.Retaken}}, 198)
			a.Wallet.Expected = append(kept, a.Wallet.Expected...)
		})
		bought := s.is(s.buy(2), store.Accepted)
		s.takes(200-100, 0)
		s.observe()
		if got := s.refundOf(failed); got != store.RefundSeen {
			t.Errorf("the refund is %q", got)
		}
		for _, x := range s.owns().Wallet.Expected {
			if x.Purchase == bought.ID && x.Seen.IsZero() {
				t.Error("the price has shown and is still waited for")
			}
		}
	})
}

// TestSmallLossHidesNoRefund: less than a refund was gone for minutes and is back. The refund is no part of that, and is told as missing as
// soon as without it.
func TestSmallLossHidesNoRefund(t *testing.T) {
	for name, looks := range map[string][]look{
		"nothing else":         nil,
		"30 went and are back": {{time.Minute, 870}, {time.Minute, 870}, {time.Minute, 870}, {4 * time.Minute, 900}},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.is(s.buy(1), store.Accepted)
				s.shown(900)
				s.live(20 * time.Minute)
				s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
				failed := time.Now()
				s.looks(looks)
				for s.refundOf(p) != store.RefundMissing && time.Since(failed) < 20*time.Minute {
					s.live(time.Minute)
					s.observe()
				}
				if got := s.refundOf(p); got != store.RefundMissing {
					t.Errorf("20 minutes later the refund is %q", got)
				}
			})
		})
	}
}

// TestUnreadableRefundIsTold: where no reading shows whether a refund came, people are told so 17 minutes after it could have been called
// missing, however late the balances of the account are.
func TestUnreadableRefundIsTold(t *testing.T) {
	for name, c := range map[string]struct{ lag, told time.Duration }{
		"balances are fresh":                {0, 34 * time.Minute},
		"they are a quarter of an hour old": {15 * time.Minute, 78 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.account(func(a *store.Account) {
					a.Lags = map[string]store.Lag{"balance": {Seen: 9, Longest: c.lag, At: time.Now()}}
				})
				failed := s.failOne()
				s.service.broken = &api.Error{Op: "GET /balance", Class: api.Upstream}
				s.live(c.told - 3*time.Minute)
				if got := s.refundOf(failed); got != store.RefundWaiting {
					t.Errorf("before its time the refund is %q", got)
				}
				s.live(13 * time.Minute)
				if got := s.refundOf(failed); got != store.RefundUnread {
					t.Errorf("after its time the refund is %q", got)
				}
			})
		})
	}
}

// TestRefundBeforeItsPriceShowed: of three purchases of a price the first one fails and is refunded, the second one is delivered, and the third one
// is taken and given back between two readings. All money is there: nobody is told to ask support for it.
func TestRefundBeforeItsPriceShowed(t *testing.T) {
	sampletest.Slow(t)
	for name, shown := range map[string]time.Duration{"shown at once": 2 * time.Second, "a minute later": time.Minute, "a quarter of an hour later": 14 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				fail := func(back, shown time.Duration) store.Purchase {
					p := s.is(s.buy(1), store.Accepted)
					s.takes(100, 0)
					s.takes(-100, back)
					s.live(shown)
					s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
					return p
				}
				first := fail(6*time.Second, 20*time.Second)
				s.live(2 * time.Minute)
				p := s.is(s.buy(1), store.Accepted)
				s.takes(100, 0)
				s.names(p, 100)
				s.live(5 * time.Minute)
				third := fail(0, shown)
				for range 150 {
					s.live(time.Minute)
					s.observe()
					if s.refundOf(first) == store.RefundMissing || s.refundOf(third) == store.RefundMissing || s.messages()[store.Support] > 0 {
						t.Fatalf("a refund is called missing: %q, %q", s.refundOf(first), s.refundOf(third))
					}
				}
			})
		})
	}
}

// TestNamedPriceHidesNoRefund: an order names more than was shown, and that much was never seen to go. When it fails hours later and nothing comes,
// its refund is called missing as any other.
func TestNamedPriceHidesNoRefund(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.stands()
		p := s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.names(p, 190)
		s.live(2 * time.Hour)
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
		s.live(20 * time.Minute)
		if got := s.refundOf(p); got != store.RefundMissing {
			t.Errorf("20 minutes later the refund is %q", got)
		}
	})
}

// TestRefundBesideAMissingPrice: money was added in the moment in which a price was taken, so that no reading shows that price. By the time at which
// its order turns out to have failed, it counts as taken. Its refund would be hidden as its price is: it is not called missing.
func TestRefundBesideAMissingPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.stands()
		p := s.is(s.buy(1), store.Accepted)
		s.takes(-537, 0)
		s.live(20 * time.Minute)
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
		for range 120 {
			s.live(time.Minute)
			s.observe()
			if got := s.refundOf(p); got == store.RefundMissing {
				t.Fatalf("the refund is called %q", got)
			}
		}
	})
}
