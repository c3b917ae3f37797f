package purchase_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// intact looks whether a refused purchase may be tried again.
func (s *shop) intact(p store.Purchase) purchase.Refusal {
	s.t.Helper()
	r, err := s.engine.Intact(context.Background(), p.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// TestRefusedForFunds: what was refused for want of money may be tried again once money is there, and nobody is asked about it for the money that
// was added.
func TestRefusedForFunds(t *testing.T) {
	for name, lists := range map[string]bool{"with a list": true, "without one": false} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = lists
				s.service.balance = dzd.Int(50)
				s.stands()
				s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Funds, Status: 403}}
				refused := s.is(s.buy(1), store.Rejected)
				s.live(2 * time.Minute)
				s.takes(-500, 0)
				s.live(2 * time.Minute)
				if r := s.intact(refused); !r.Intact {
					t.Errorf("it is held: %+v", r)
				}
				s.live(30 * time.Minute)
				s.is(refused, store.Rejected)
			})
		})
	}
}

// TestRefundMayHideAPrice: an order of ours has failed and was given back, which nobody has shown yet, and a refused purchase that costs as much was
// executed. It is not offered again for a balance that fits without it.
func TestRefundMayHideAPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.stands()
		s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.takes(-100, 0)
		s.live(10 * time.Second)
		refused := s.refuse()
		s.takes(100, 0)
		s.live(80 * time.Second)
		if r := s.intact(refused); r != (purchase.Refusal{}) { // nobody can tell until when that refund hides it
			t.Errorf("it is offered, or an hour is named: %+v", r)
		}
	})
}

// TestRetryOfAFailure: an order failed and its money came back in moments, and the retry was refused. All that the readings show is explained
// by the time at which that is known, and nobody is asked.
func TestRetryOfAFailure(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		told    time.Duration
		another bool // something else is bought just before, and its price shows later
	}{
		"known before the retry":          {told: 2 * time.Second},
		"known behind it":                 {told: 3 * time.Minute},
		"known behind it, beside another": {told: 3 * time.Minute, another: true},
	} {
		told := c.told
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				failed := s.is(s.buy(1), store.Accepted)
				s.takes(100, 0)
				s.takes(-100, 20*time.Second)
				s.live(2 * time.Second)
				fails := func() { s.settle(api.Order{ID: s.get(failed.ID).OrderIDs[0], Status: "failed"}) }
				if told < time.Minute {
					fails()
				}
				s.live(28 * time.Second)
				if c.another {
					s.is(s.buy(3), store.Accepted)
				}
				refused := s.refuse()
				if c.another {
					s.takes(300, time.Minute)
				}
				s.live(told)
				if told > time.Minute {
					fails()
				}
				s.live(time.Hour)
				s.is(refused, store.Rejected)
			})
		})
	}
}

// TestAgainBehindTheWatch: a refused purchase is watched for two hours. Who tries again later is held by nothing, and makes no question of orders
// that were there before it.
func TestAgainBehindTheWatch(t *testing.T) {
	another := listed("2", time.Now())
	another.VariantName, another.Price = "50 USD", dzd.Int(500)
	for name, c := range map[string]struct {
		order api.Order
		age   time.Duration
	}{
		"one of the same":       {listed("1", time.Now()), time.Hour},
		"one of something else": {another, 90 * 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				c.order.CreatedAt = time.Now().Add(-c.age)
				s.service.list = append(s.service.list, c.order)
				s.stands()
				s.answers(api.FromLegacy, "7")
				s.is(s.buy(1), store.Accepted) // made by people, hours later
				s.takes(100, 0)
				s.shows(0, listed("7", time.Now()))
				s.live(time.Minute)
				refused := s.refuse()
				s.live(3 * time.Hour)
				before := s.owns().OutsideAt
				if r := s.intact(refused); !r.Intact {
					t.Errorf("it is held: %+v", r)
				}
				s.is(refused, store.Rejected)
				if at := s.owns().OutsideAt; !at.Equal(before) {
					t.Errorf("the account counts as used by others since %s", at)
				}
			})
		})
	}
}

// TestHoldOfOurOwn: the service holds the price of what is bought behind a refusal for some minutes longer than its order takes. Nobody is asked
// about the refused one for that.
func TestHoldOfOurOwn(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.stands()
		refused := s.refuse()
		s.live(70 * time.Second)
		p := s.is(s.buy(1), store.Accepted)
		s.after(0, func(at *service) { at.held = dzd.Int(100) })
		s.live(30 * time.Minute)
		s.names(p, 100)
		s.after(5*time.Minute, func(at *service) { at.held, at.balance = dzd.Int(0), at.balance.Sub(dzd.Int(100)) })
		s.live(30 * time.Minute)
		s.is(refused, store.Rejected)
	})
}

// TestHourOfALateAccount: the hour that is named where balances were late is no later than that at which it is known in any case.
func TestHourOfALateAccount(t *testing.T) {
	inShop(t, func(s *shop) {
		s.account(func(a *store.Account) {
			a.Lags = map[string]store.Lag{"balance": {Seen: 9, Longest: 10 * time.Minute, At: time.Now()}}
		})
		s.live(45 * time.Minute)
		refused := s.refuse()
		s.live(2 * time.Minute)
		r := s.intact(refused)
		if wait := time.Until(r.From); wait <= 0 || wait > 16*time.Minute {
			t.Fatalf("it may be tried again in %s", wait)
		}
		s.live(time.Until(r.From) + time.Second)
		if r = s.intact(refused); !r.Intact {
			t.Errorf("at the hour that was named it is held: %+v", r)
		}
	})
}

// TestRefusedThenRefunded: what was refused is bought again, and its order is given back before anybody shows that it failed. The first one is not
// asked about: only that refund could hide that it was charged.
func TestRefusedThenRefunded(t *testing.T) {
	for name, c := range map[string]struct{ again, back time.Duration }{
		"in moments":       {2 * time.Minute, 30 * time.Second},
		"minutes later":    {2 * time.Minute, 3 * time.Minute},
		"at the last look": {10 * time.Minute, 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				refused := s.refuse()
				s.live(c.again)
				s.is(s.buy(1), store.Accepted)
				s.takes(100, 0)
				s.takes(-100, c.back)
				s.live(40 * time.Minute)
				s.is(refused, store.Rejected)
			})
		})
	}
}

// TestHiddenThenBought: an order that is on its way hides whether a refused purchase was charged, and half an hour later the same is bought. That
// its price shows is no sign against the refused one, whichever look shows it first.
func TestHiddenThenBought(t *testing.T) {
	sampletest.Slow(t)
	for late := time.Duration(0); late < 14*time.Minute; late += 80 * time.Second {
		t.Run(late.String(), func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				s.is(s.buy(1), store.Accepted) // made by people, hours later
				s.takes(100, 0)
				s.live(2 * time.Minute)
				refused := s.refuse()
				s.live(30 * time.Minute)
				p := s.is(s.buy(1), store.Accepted)
				s.names(p, 100)
				s.takes(100, late)
				s.live(20 * time.Minute)
				s.is(refused, store.Rejected)
			})
		})
	}
}

// TestHoldOfNothingElse: a refused purchase was executed, the service holds its price, and as much was added. What was bought and delivered behind it
// holds nothing: the refused one is asked about.
func TestHoldOfNothingElse(t *testing.T) {
	sampletest.Slow(t)
	for name, buys := range map[string]bool{"nothing else was bought": false, "something was, and is delivered": true} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				refused := s.refuse()
				s.takes(-100, 0)
				s.after(0, func(at *service) { at.held = dzd.Int(100) })
				s.live(2 * time.Minute)
				if buys {
					p := s.is(s.buy(1), store.Accepted)
					s.takes(100, 0)
					s.names(p, 100)
				}
				s.live(3 * time.Hour)
				s.is(refused, store.Undecided)
			})
		})
	}
}

// TestRefusedThenUntaken: what was refused is bought again, and fails without ever having been charged. While its refund may still come, that hides
// whether the first one was charged, and nobody is asked.
func TestRefusedThenUntaken(t *testing.T) {
	sampletest.Slow(t)
	for _, again := range []time.Duration{10 * time.Second, 2 * time.Minute, 12 * time.Minute} {
		for _, fails := range []time.Duration{0, time.Minute, 10 * time.Minute} {
			t.Run(fmt.Sprintf("again after %s, fails %s later", again, fails), func(t *testing.T) {
				inShop(t, func(s *shop) {
					s.service.lists = false
					s.stands()
					refused := s.refuse()
					s.live(again)
					p := s.is(s.buy(1), store.Accepted)
					s.live(fails + 2*time.Second)
					s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
					s.live(time.Hour)
					s.is(refused, store.Rejected)
				})
			})
		}
	}
}

// TestHourOfAHiddenRefusal: the hour by which it is known whether a refused purchase was charged is named where that is so: then its money shows, or
// somebody is asked.
func TestHourOfAHiddenRefusal(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.stands()
		refused := s.refuse()
		s.takes(-40, 0) // added by others, and nobody knows yet what it is
		s.live(2 * time.Minute)
		r := s.intact(refused)
		if r.Intact || r.By.IsZero() {
			t.Fatalf("an hour is named: %+v", r)
		}
		s.live(time.Until(r.By) + time.Minute)
		if now := s.intact(refused); !now.Intact && s.get(refused.ID).Phase != store.Undecided {
			t.Errorf("at the hour that was named it is %+v, and nobody is asked", now)
		}
	})
}

// TestHourOfAnother: a refused purchase waits for the price of another one, which was accepted behind it, as it does for its own money: the hour that
// is named is when a reading must show that price. While its order is on its way that proves nothing, for its money may come back unseen: no hour
// is named.
func TestHourOfAnother(t *testing.T) {
	for name, delivered := range map[string]bool{"delivered": true, "on its way": false} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				refused := s.refuse()
				own := s.intact(refused).From.Sub(s.get(refused.ID).AnsweredAt)
				s.live(own - 10*time.Second)
				another := s.is(s.buy(1), store.Accepted)
				if delivered {
					s.names(another, 100)
				}
				s.takes(100, 0)
				s.live(20 * time.Second)
				r := s.intact(refused)
				if !delivered {
					if r != (purchase.Refusal{}) {
						t.Errorf("an hour is named: %+v", r)
					}
					return
				}
				if want := s.get(another.ID).AnsweredAt.Add(own); !r.From.Equal(want) {
					t.Fatalf("it may be tried again at %s, want %s", r.From, want)
				}
				s.live(time.Until(r.From) + time.Second)
				if r = s.intact(refused); !r.Intact {
					t.Errorf("at the hour that was named it is held: %+v", r)
				}
			})
		})
	}
}

// TestHourBehindAnOutage: money is added, which may hide that a refused purchase was charged. By the hour that is named a person is asked, also where
// the program was away meanwhile.
func TestHourBehindAnOutage(t *testing.T) {
	for name, away := range map[string]time.Duration{"it was there": 0, "3 min": 3 * time.Minute, "14 min": 14 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.stands()
				refused := s.refuse()
				s.takes(-42, 5*time.Second)
				s.live(90 * time.Second)
				by := s.intact(refused).By
				if by.IsZero() {
					t.Fatal("no hour is named")
				}
				s.close()
				<-time.After(away)
				s.open()
				s.live(time.Until(by) + time.Minute)
				s.is(refused, store.Undecided)
			})
		})
	}
}

// TestClockSetAheadBehindARefusal: that a refused purchase was charged shows a minute later. A clock on the wall that was set ahead makes it no
// later than it is: the same is not offered again before.
func TestClockSetAheadBehindARefusal(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"2 min": 2 * time.Minute, "20 min": 20 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.stands()
				refused := s.refuse()
				s.takes(100, time.Minute)
				s.live(10 * time.Second)
				s.step(refused, ahead)
				for range 4 {
					s.live(10 * time.Second)
					if s.intact(refused).Intact {
						t.Fatalf("it is offered again: %+v", *s.get(refused.ID).Evidence)
					}
				}
				s.live(5 * time.Minute)
				s.is(refused, store.Undecided)
			})
		})
	}
}
