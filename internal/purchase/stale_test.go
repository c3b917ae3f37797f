package purchase_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// Readings that are suddenly older than any before: what they seem to show has not happened.

// shown sets what a reading shows from now on, and has it read.
func (s *shop) shown(balance int64) {
	s.t.Helper()
	s.service.mu.Lock()
	s.service.balance = dzd.Int(balance)
	s.service.mu.Unlock()
	s.observe()
}

// accused is what the chat was told that others took, oldest first. The balance that it was told beside is one that the service has shown.
func (s *shop) accused() (amounts []string) {
	s.t.Helper()
	rows, err := s.store.ChatOutbox(s.t.Context(), 5, 1000)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range rows {
		if r.NoteName() == store.DebitNote {
			amounts = append(amounts, r.Args["amount"])
			if s.service.mu.Lock(); !slices.Contains(s.service.showed, r.Args["balance"]) {
				s.t.Errorf("a balance of %s is told of, and the service has shown %v", r.Args["balance"], s.service.showed)
			}
			s.service.mu.Unlock()
		}
	}
	return amounts
}

// look is a reading after a time, and what can be spent by it.
type look struct {
	after   time.Duration
	balance int64
}

// looks takes readings, one after the other.
func (s *shop) looks(list []look) {
	s.t.Helper()
	for _, l := range list {
		s.live(l.after)
		s.shown(l.balance)
	}
}

// TestAccusationStands: that money went by no hand of ours is said of what every reading has shown for longer than
// any is late, and of no more.
func TestAccusationStands(t *testing.T) {
	for name, c := range map[string]struct {
		looks   []look
		accused []string
	}{
		"it is gone":                       {[]look{{0, 700}, {14 * time.Minute, 700}, {2 * time.Minute, 700}}, []string{"300"}},
		"it stands for a while":            {[]look{{0, 700}, {14 * time.Minute, 1000}, {20 * time.Minute, 1000}}, nil},
		"once more is gone later":          {[]look{{0, 700}, {10 * time.Minute, 500}, {6 * time.Minute, 500}, {16 * time.Minute, 500}}, []string{"300", "200"}},
		"once more is gone for a while":    {[]look{{0, 700}, {10 * time.Minute, 500}, {6 * time.Minute, 500}, {4 * time.Minute, 700}, {20 * time.Minute, 700}}, []string{"300"}},
		"most of it is back":               {[]look{{0, 700}, {10 * time.Minute, 950}, {16 * time.Minute, 950}}, []string{"50"}},
		"it is back and more came":         {[]look{{0, 700}, {14 * time.Minute, 6000}, {20 * time.Minute, 6000}}, nil},
		"it came and is older than that":   {[]look{{0, 6000}, {5 * time.Minute, 1000}, {14 * time.Minute, 6000}, {20 * time.Minute, 6000}}, nil},
		"it went and is older than that":   {[]look{{0, 700}, {16 * time.Minute, 700}, {time.Minute, 1000}, {14 * time.Minute, 700}, {20 * time.Minute, 700}}, []string{"300"}},
		"a reading that is not seen again": {[]look{{0, 700}, {0, 1000}, {20 * time.Minute, 1000}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.observe()
				s.looks(c.looks)
				equal(t, s.accused(), c.accused...)
			})
		})
	}
}

// TestOpenReadingIsLookedAtAgain: what a reading shows that is older than the one before, or that more than one thing
// explains, is looked at again until it is known.
func TestOpenReadingIsLookedAtAgain(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.shown(900)
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1")})
		s.live(30 * time.Minute)
		s.shown(1000)
		if a := s.owns(); a.Wallet.Unsettled.IsZero() || a.LookAt.IsZero() {
			t.Fatalf("it is open since %v, and looked at again at %v", a.Wallet.Unsettled, a.LookAt)
		}
		s.service.balance = dzd.Int(900)
		s.live(5 * time.Minute)
		if a := s.owns(); !a.Wallet.Unsettled.IsZero() || !a.LookAt.IsZero() {
			t.Errorf("it is open since %v, and looked at again at %v", a.Wallet.Unsettled, a.LookAt)
		}
	})
}

// TestOtherMoneyIsNotOurs: money went that is not the price of a purchase which has failed and was refunded. It is not that
// one's, and no purchase is named.
func TestOtherMoneyIsNotOurs(t *testing.T) {
	sampletest.Slow(t)
	for gone, accused := range map[int64][]string{100: nil, 70: {"70"}} {
		inShop(t, func(s *shop) {
			p := s.is(s.buy(1), store.Accepted)
			s.shown(900)
			s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
			s.live(2 * time.Minute)
			s.shown(1000)
			s.live(2 * time.Hour)
			s.service.balance = dzd.Int(1000 - gone)
			for range 20 {
				s.live(time.Minute)
				s.observe()
			}
			equal(t, s.accused(), accused...)
		})
	}
}

// TestAccusationAfterAPause: an account is linked again, and the first reading is older than the last one before. What
// was bought in between shows later, and was no thief.
func TestAccusationAfterAPause(t *testing.T) {
	inShop(t, func(s *shop) {
		s.is(s.buy(1), store.Accepted)
		s.shown(900)
		s.live(time.Minute)
		s.account(func(a *store.Account) { a.Wallet.Read = false })
		s.shown(1000)
		s.live(9 * time.Minute)
		s.shown(900)
		s.live(40 * time.Minute)
		s.observe()
		equal(t, s.accused())
		equal(t, s.movements(), "bought -100")
	})
}

// TestRefundOfWhatIsThere: money comes before the price of a failed order is gone. It is not its refund.
func TestRefundOfWhatIsThere(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.shown(1000)
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
		s.shown(1100)
		s.live(time.Minute)
		if got := s.refundOf(p); got != store.RefundWaiting {
			t.Errorf("the refund is %q", got)
		}
		s.shown(1000) // its price is gone
		s.live(time.Minute)
		if got := s.refundOf(p); got != store.RefundWaiting {
			t.Errorf("with its price gone the refund is %q", got)
		}
	})
}

// refundNever lets time go by until every refund that has come is told, and fails the test where one is called what it is not.
func (s *shop) refundNever(p store.Purchase, not ...store.RefundState) {
	s.t.Helper()
	for range 150 {
		s.live(time.Minute)
		s.observe()
		if got := s.refundOf(p); slices.Contains(not, got) {
			s.t.Errorf("the refund is %q", got)
			return
		}
	}
}

// TestRefundNeedsARise: one of two prices shows, and is taken for that of the one that failed. The other one never
// shows, and no reading has risen when it is too late for that: nothing has come back.
func TestRefundNeedsARise(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		failed, done := s.is(s.buy(1), store.Accepted), s.is(s.buy(1), store.Accepted)
		s.shown(900)
		s.settle(api.Order{ID: s.get(failed.ID).OrderIDs[0], Status: "failed"})
		s.settle(api.Order{ID: s.get(done.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1")})
		s.refundNever(failed, store.RefundSeen, store.RefundLikely)
	})
}

// TestRefundThenAThief: a refund has shown for minutes, in which it may be an older reading, when somebody outside takes money. The
// refund is told once no reading can be so old, and what was taken as what it is: neither is lost in their sum.
func TestRefundThenAThief(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.failOne()
		s.live(4 * time.Minute)
		s.shown(1000)
		s.live(5 * time.Minute)
		s.shown(980)
		s.refundNever(failed, store.RefundMissing, store.RefundLikely, store.RefundUnread)
		if got := s.refundOf(failed); got != store.RefundSeen {
			t.Errorf("the refund is %q", got)
		}
		equal(t, s.accused(), "20")
	})
}

// TestRefundBesideOthersMoney: a refund shows alone, and other money moves before or behind it. Neither is lost in their sum.
func TestRefundBesideOthersMoney(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		before, after []look // the order failed, as its status shows
		want          store.RefundState
		accused       []string
	}{
		"it comes before the status, then a top-up": {[]look{{20 * time.Minute, 1000}, {5 * time.Minute, 1200}}, nil, store.RefundSeen, nil},
		"it comes before the status, then a thief":  {[]look{{20 * time.Minute, 1000}, {5 * time.Minute, 980}}, nil, store.RefundSeen, []string{"20"}},
		"what a thief has taken stands":             {[]look{{time.Minute, 900}}, []look{{2 * time.Minute, 870}, {18 * time.Minute, 970}}, store.RefundSeen, []string{"30"}},
		"as much was taken by a thief": {
			[]look{{time.Minute, 900}}, []look{{2 * time.Minute, 800}, {time.Minute, 800}, {time.Minute, 800}, {14 * time.Minute, 900}}, store.RefundLikely, nil,
		},
		"as much was taken by a thief, and the refund comes before the price is sure": {
			[]look{{time.Minute, 900}}, []look{{time.Minute, 800}, {time.Minute, 800}, {time.Minute, 800}, {4 * time.Minute, 900}}, store.RefundLikely, nil,
		},
		"as much was taken by a thief, and an older reading comes behind the refund": {
			[]look{{time.Minute, 900}}, []look{{time.Minute, 800}, {time.Minute, 800}, {time.Minute, 800}, {4 * time.Minute, 900}, {time.Minute, 800}, {time.Minute, 900}}, store.RefundLikely, nil,
		},
		"what a thief has taken is an older reading": {
			[]look{{time.Minute, 900}}, []look{{time.Minute, 800}, {time.Minute, 800}, {time.Minute, 800}, {4 * time.Minute, 900}, {time.Minute, 800}}, store.RefundUnread, []string{"100"},
		},
		"a loss is made up for, and told of when it is back with more": {
			[]look{{time.Minute, 900}}, []look{{time.Minute, 800}, {time.Minute, 800}, {time.Minute, 800}, {4 * time.Minute, 900}, {time.Minute, 750}, {20 * time.Minute, 750}}, store.RefundUnread, []string{"150"},
		},
		"a top-up comes and is spent outside": {
			[]look{{time.Minute, 900}}, []look{{2 * time.Minute, 930}, {2 * time.Minute, 900}, {10 * time.Minute, 1000}}, store.RefundSeen, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.is(s.buy(1), store.Accepted)
				s.shown(900)
				s.looks(c.before)
				s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
				s.looks(c.after)
				s.refundNever(p, store.RefundMissing)
				if got := s.refundOf(p); got != c.want {
					t.Errorf("the refund is %q, want %q", got, c.want)
				}
				equal(t, s.accused(), c.accused...)
			})
		})
	}
}

// TestDiscountsAreNoThief: each purchase is charged less than was shown, and no order says so. What the first one was cheaper by stands when
// the next one is bought and fails: only that is money from outside, and the price of the second is missing until it is back.
func TestDiscountsAreNoThief(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		first := s.is(s.buy(1), store.Accepted)
		s.shown(910)
		s.settle(api.Order{ID: s.get(first.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1")})
		s.live(8 * time.Minute)
		failed := s.is(s.buy(1), store.Accepted)
		s.shown(910 - 95)
		s.settle(api.Order{ID: s.get(failed.ID).OrderIDs[0], Status: "failed"})
		for range 60 {
			s.live(time.Minute)
			s.observe()
			if got := s.refundOf(failed); got == store.RefundUntaken || got == store.RefundSeen {
				t.Fatalf("the refund is %q", got)
			}
		}
	})
}

// TestTheftBeforeAPurchase: as much as a purchase costs was gone before it was sent, and was told of afterwards. Whatever a person says of the
// purchase, that is not its price.
func TestTheftBeforeAPurchase(t *testing.T) {
	inShop(t, func(s *shop) {
		s.observe()
		s.shown(900)
		s.live(10 * time.Minute)
		p := s.lose(1)
		s.live(20 * time.Minute)
		s.is(p, store.Undecided)
		if err := s.engine.Decide(context.Background(), p.ID, 5, 5, true); err != nil {
			t.Fatal(err)
		}
		equal(t, s.movements(), "outside -100")
	})
}

// TestRefundAfterATopUp: money comes in the reading in which a price goes, and as much as the price comes back alone, minutes later. While
// a reading shows more than is explained, no refund is called missing.
func TestRefundAfterATopUp(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.live(4 * time.Minute)
		s.shown(1000 - 100 + 30)
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "failed"})
		s.live(5 * time.Minute)
		s.shown(1000 + 30)
		s.refundNever(p, store.RefundMissing, store.RefundLikely, store.RefundUnread)
		if got := s.refundOf(p); got != store.RefundSeen {
			t.Errorf("the refund is %q", got)
		}
	})
}

// TestRefundBehindAPrice: a refund comes as the price of a later purchase goes, which is as much. No reading moves. Once that price
// must have gone, as much is there as has come: the refund is likely, and nobody is sent to the support for it.
func TestRefundBehindAPrice(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		failed := s.failOne()
		s.live(3 * time.Minute)
		done := s.is(s.buy(1), store.Accepted)
		s.settle(api.Order{ID: s.get(done.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1")})
		s.refundNever(failed, store.RefundSeen, store.RefundMissing)
		if got := s.refundOf(failed); got != store.RefundLikely {
			t.Errorf("the refund is %q", got)
		}
	})
}

// TestCheaperBehindAPrice: the price of a later purchase never shows, and what is left over may be a part of a refund. Then its order
// says that it cost less: what came is less by that.
func TestCheaperBehindAPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.failOne()
		s.live(3 * time.Minute)
		done := s.is(s.buy(1), store.Accepted)
		order := api.Order{ID: s.get(done.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1")}
		s.settle(order)
		s.takes(20, 0) // of the 100 that it costs, or beside 80 that came
		s.live(20 * time.Minute)
		came := func() dzd.Amount { return s.order(s.get(failed.ID).OrderIDs[0]).Came.Left }
		if !came().Equal(dzd.Int(80)) {
			t.Errorf("%s came that may be of the refund, not 80", came())
		}
		order.Price = dzd.Int(20)
		s.settle(order)
		s.live(20 * time.Minute)
		if came().Sign() != 0 {
			t.Errorf("%s came still", came())
		}
	})
}

// TestRefundBesideAPrice: the refund of one purchase shows in one reading with the price of the next one, which has
// failed as well. The reading is below the one before, and the refund is the first one's all the same.
func TestRefundBesideAPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		first := s.is(s.buy(1), store.Accepted)
		s.shown(900)
		s.settle(api.Order{ID: s.get(first.ID).OrderIDs[0], Status: "failed"})
		s.live(time.Minute)
		second := s.is(s.buy(2), store.Accepted)
		ids := s.get(second.ID).OrderIDs
		s.settle(api.Order{ID: ids[0], Status: "failed"}, api.Order{ID: ids[1], Status: "failed"})
		s.shown(800)
		s.live(17 * time.Minute)
		if got := s.refundOf(first); got != store.RefundSeen {
			t.Errorf("the refund is %q", got)
		}
		for _, id := range ids {
			if got := s.order(id).Refund; got != store.RefundWaiting {
				t.Errorf("of the second one it is %q", got)
			}
		}
	})
}

// TestOtherPriceOfAnother: as much as an uncertain purchase costs is gone, and just that is what the order of another one
// says that it cost. It is known to have been bought, so it is taken to have cost that once its price must have shown.
func TestOtherPriceOfAnother(t *testing.T) {
	for name, early := range map[string]bool{"its order tells before the money is gone": true, "its order tells later": false} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				known := s.is(s.buy(1), store.Accepted)
				tells := func() {
					s.settle(api.Order{ID: s.get(known.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(200)})
				}
				if early {
					tells()
				}
				doubted := s.lose(2)
				s.takes(200, 0)
				s.live(time.Minute)
				if !early {
					tells()
				}
				s.live(30 * time.Minute)
				if now := s.get(known.ID); now.Charged == nil || !now.Charged.Equal(dzd.Int(200)) {
					t.Errorf("it was charged %v", now.Charged)
				}
				if x := s.get(doubted.ID); x.Evidence == nil || x.Evidence.Paid || early && !x.Evidence.Traced.IsZero() {
					t.Errorf("the other one is taken for paid: %+v", x.Evidence)
				}
				equal(t, s.accused())
			})
		})
	}
}

// TestOtherPriceBesideAnother: the same, and both were charged: the order names a price that nobody paid.
func TestOtherPriceBesideAnother(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		known := s.is(s.buy(1), store.Accepted)
		s.settle(api.Order{ID: s.get(known.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(200)})
		s.lose(2)
		s.takes(200, 0)
		s.takes(100, 3*time.Minute)
		s.live(30 * time.Minute)
		if now := s.get(known.ID); now.Charged != nil {
			t.Errorf("it is said to have been charged %v", now.Charged)
		}
		equal(t, s.accused())
	})
}

// TestSuddenLagDeniesNothing: an account whose readings were always fresh shows a purchase a quarter of an hour late.
func TestSuddenLagDeniesNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		p := s.lose(1)
		s.takes(100, 15*time.Minute)
		s.shows(15*time.Minute, listed("8", time.Now()))
		s.live(20 * time.Minute)
		s.decidedBy(p, store.Accepted, "rows")
	})
}

// TestOlderReadingIsNoRefund: a purchase has failed, and a reading is suddenly from before one that was bought lately. That
// looks like its refund, and is told only once no reading can be so old. Until then it is not called missing either.
func TestOlderReadingIsNoRefund(t *testing.T) {
	sampletest.Slow(t)
	type look struct {
		after   time.Duration
		balance int64
		refund  store.RefundState
	}
	for name, looks := range map[string][]look{
		"it is the refund":             {{time.Minute, 1000, store.RefundWaiting}, {13 * time.Minute, 1000, store.RefundWaiting}, {4 * time.Minute, 1000, store.RefundSeen}},
		"it is from before":            {{time.Minute, 1000, store.RefundWaiting}, {10 * time.Minute, 900, store.RefundWaiting}, {10 * time.Minute, 900, store.RefundMissing}},
		"it comes when none is so old": {{15 * time.Minute, 900, store.RefundWaiting}, {90 * time.Second, 1000, store.RefundSeen}},
		"it comes after it was missed": {{20 * time.Minute, 900, store.RefundMissing}, {time.Minute, 1000, store.RefundLikely}},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.failOne()
				for i, l := range looks {
					s.live(l.after)
					s.shown(l.balance)
					s.live(5 * time.Second)
					if got := s.refundOf(p); got != l.refund {
						t.Fatalf("after look %d the refund is %q, want %q", i+1, got, l.refund)
					}
				}
			})
		})
	}
	t.Run("beside what is gone", func(t *testing.T) {
		inShop(t, func(s *shop) {
			p := s.failOne()
			s.shown(650)
			s.live(time.Minute)
			s.shown(750)
			s.live(time.Minute)
			if got := s.refundOf(p); got != store.RefundWaiting {
				t.Errorf("the refund is %q", got)
			}
			s.live(16 * time.Minute)
			if got := s.refundOf(p); got != store.RefundSeen {
				t.Errorf("once no reading is so old the refund is %q", got)
			}
			equal(t, s.accused(), "250")
		})
	})
	t.Run("another was bought since", func(t *testing.T) {
		inShop(t, func(s *shop) {
			p := s.failOne()
			s.live(30 * time.Minute)
			s.is(s.buy(1), store.Accepted)
			s.shown(800)
			s.live(time.Minute)
			s.shown(900)
			s.live(10 * time.Minute)
			if got := s.refundOf(p); got != store.RefundMissing {
				t.Errorf("the refund is %q", got)
			}
			s.live(10 * time.Minute)
			if got := s.refundOf(p); got != store.RefundLikely {
				t.Errorf("once no reading is so old the refund is %q", got)
			}
		})
	})
}

// TestUnsettledStands: readings are explained in several ways for an hour. What of their change every one of them has
// shown is conceded then, and not what only the last one does.
func TestUnsettledStands(t *testing.T) {
	for name, c := range map[string]struct {
		looks []look
		want  []string
	}{
		"it stands":                  {[]look{{0, 700}, {61 * time.Minute, 700}, {time.Minute, 700}}, []string{"outside -300"}},
		"more of it goes at the end": {[]look{{0, 700}, {30 * time.Minute, 700}, {31 * time.Minute, 500}}, []string{"outside -300"}},
		"two looks are not enough":   {[]look{{0, 700}, {61 * time.Minute, 700}}, nil},
		"money came in between":      {[]look{{0, 700}, {30 * time.Minute, 1300}, {31 * time.Minute, 700}, {time.Minute, 700}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.observe()
				s.account(func(a *store.Account) {
					for i, amount := range []int64{-100, -200, -300, -400, -500, 100, 200, 300} {
						x := store.Expected{At: time.Now(), Amount: dzd.Int(amount), Purchase: strconv.Itoa(i), Doubtful: true}
						a.Wallet.Expected = append(a.Wallet.Expected, x)
					}
				})
				for _, l := range c.looks {
					<-time.After(l.after)
					s.shown(l.balance)
				}
				equal(t, s.movements(), c.want...)
			})
		})
	}
}

// TestUnlikelyOlderReading: more came back than the refund that is awaited, as much as something else had cost. Once no reading
// can be from before that, people are told that the refund is likely in it.
func TestUnlikelyOlderReading(t *testing.T) {
	inShop(t, func(s *shop) {
		failed := s.failOne()
		done := s.is(s.buy(2), store.Accepted)
		for _, id := range s.get(done.ID).OrderIDs {
			s.settle(api.Order{ID: id, Status: "completed", Code: secret.New("CODE-" + id)})
		}
		s.shown(700)
		s.shown(900)
		s.live(15 * time.Minute)
		if got := s.refundOf(failed); got != store.RefundWaiting {
			t.Errorf("the refund is %q", got)
		}
		s.live(20 * time.Minute)
		if got := s.refundOf(failed); got != store.RefundLikely {
			t.Errorf("once no reading is so old the refund is %q", got)
		}
	})
}

// TestOutsideBesideAQuestion: money that went by no hand of ours is told of though more has gone since that uncertain
// purchases may have cost, nobody knows which.
func TestOutsideBesideAQuestion(t *testing.T) {
	inShop(t, func(s *shop) {
		s.observe()
		s.account(func(a *store.Account) {
			for i, amount := range []int64{-100, -200, -300} {
				x := store.Expected{At: time.Now(), Amount: dzd.Int(amount), Purchase: strconv.Itoa(i), Doubtful: true}
				a.Wallet.Expected = append(a.Wallet.Expected, x)
			}
		})
		<-time.After(time.Minute)
		s.shown(950)
		for range 4 {
			<-time.After(5 * time.Minute)
			s.shown(650)
		}
		equal(t, s.movements(), "outside -50")
		if left := s.owns().Wallet.Available; !left.Equal(dzd.Int(950)) {
			t.Errorf("%v are taken to be left", left)
		}
	})
}

// TestReadingFromBeforeTheFirst: a reading shows what was there before the explaining began, when more had not gone yet. No
// money came, and none goes when the next one is fresh. What comes in truth is noted once it has stood.
func TestReadingFromBeforeTheFirst(t *testing.T) {
	for name, c := range map[string]struct {
		stands time.Duration
		want   []string
	}{"it was old": {10 * time.Minute, nil}, "it came": {17 * time.Minute, []string{"outside 300"}}} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.shown(700)
				s.live(5 * time.Minute)
				s.shown(1000)
				s.live(c.stands)
				s.shown(700)
				s.live(20 * time.Minute)
				equal(t, s.movements(), c.want...)
				equal(t, s.accused())
			})
		})
	}
}

// TestWhatStandsIsNotOfLaterPurchases: money has gone that nothing explains, and then as much is bought. The reading that
// has stood since before shows nothing of that purchase, whatever came of it: both are told of, each by its own.
func TestWhatStandsIsNotOfLaterPurchases(t *testing.T) {
	stands := func(s *shop) {
		s.generation(api.Legacy)
		s.shown(1000)
		s.shown(900)
		s.live(10 * time.Minute)
	}
	t.Run("accepted, and charged otherwise", func(t *testing.T) {
		inShop(t, func(s *shop) {
			stands(s)
			p := s.is(s.buy(1), store.Accepted)
			s.observe()
			s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(190)})
			s.takes(190, 0)
			s.live(40 * time.Minute)
			if now := s.get(p.ID); now.Charged == nil || !now.Charged.Equal(dzd.Int(190)) {
				t.Errorf("it was charged %v", now.Charged)
			}
			equal(t, s.accused(), "100")
		})
	})
	t.Run("refused", func(t *testing.T) {
		inShop(t, func(s *shop) {
			stands(s)
			s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock}}
			p := s.is(s.buy(1), store.Rejected)
			s.live(10 * time.Second)
			s.is(p, store.Rejected)
		})
	})
}

// TestHeldIsNotGone: money of the balance that cannot be spent any more is not said to have left it while the service holds as much.
func TestHeldIsNotGone(t *testing.T) {
	for name, c := range map[string]struct {
		before, balance, held int64 // held before, and what is shown later
		says                  bool
	}{
		"held":                   {0, 1000, 300, true},
		"gone":                   {0, 700, 0, false},
		"gone, and less is held": {0, 800, 100, false},
		"half of it is held":     {0, 700, 200, false},
		// Of money that was held before, one reading does not show whether it is the same.
		"held all along": {300, 700, 300, true},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.balance, s.service.held = dzd.Int(1000), dzd.Int(c.before)
				s.observe()
				s.live(20 * time.Minute)
				s.service.balance, s.service.held = dzd.Int(c.balance), dzd.Int(c.held)
				for range 5 {
					s.observe()
					s.live(10 * time.Minute)
				}
				rows, err := s.store.ChatOutbox(s.t.Context(), 5, 1000)
				if err != nil {
					t.Fatal(err)
				}
				told := 0
				for _, r := range rows {
					if r.NoteName() == store.DebitNote {
						if told++; (r.Args["held"] != "") != c.says {
							t.Errorf("held is %q", r.Args["held"])
						}
					}
				}
				if told == 0 {
					t.Error("nobody is told")
				}
			})
		})
	}
}

// TestTopUpsBesideAnOldReading: an order is on its way. Money is added twice, and readings between are from before the purchase. Nobody has
// taken anything, and nobody is told so.
func TestTopUpsBesideAnOldReading(t *testing.T) {
	sampletest.Slow(t)
	for i := range 5 { // the same each time, whatever the order of a map
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.stands()
				s.is(s.buy(1), store.Accepted)
				s.looks([]look{{time.Minute, 900}, {time.Minute, 1427}, {2 * time.Minute, 1000}, {time.Minute, 1000}, {time.Minute, 1964}})
				for range 100 {
					s.live(time.Minute)
					s.observe()
				}
				equal(t, s.accused())
			})
		})
	}
}

// TestTheftBesideAPrice: a reading shows a price together with money of others, and the same is bought again. What more goes is the price of the
// second purchase: the first one's is in what stood, and no part of what others did.
func TestTheftBesideAPrice(t *testing.T) {
	for name, c := range map[string]struct {
		others int64
		again  time.Duration
		want   string
	}{
		"minutes later":          {23, 3 * time.Minute, "outside -23"},
		"a quarter of an hour":   {23, 12 * time.Minute, "outside -23"},
		"others have added some": {-500, 3 * time.Minute, "outside 500"},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				for i, wait := range []time.Duration{c.again, time.Minute} {
					p := s.is(s.buy(1), store.Accepted)
					s.names(p, 100)
					if s.takes(100, time.Minute); i == 0 {
						s.takes(c.others, time.Minute)
					}
					s.live(2*time.Minute + wait)
				}
				for range 150 {
					s.live(time.Minute)
					s.observe()
				}
				equal(t, s.movements(), "bought -100", "bought -100", c.want)
				rows, err := s.store.ChatOutbox(context.Background(), 5, 1000)
				if err != nil {
					t.Fatal(err)
				}
				told := 0
				for _, row := range rows {
					if amount := row.Args["amount"]; row.Kind == store.Note && amount != "" {
						if told++; amount != "23" {
							t.Errorf("%s is told of %s", row.NoteName(), amount)
						}
					}
				}
				if told != max(0, int(min(c.others, 1))) {
					t.Errorf("it is told %d times", told)
				}
			})
		})
	}
}

// TestTheftsBesideAPrice: others take more before the same is bought again. What goes then is the price of the second purchase all the same, and
// both sums of theirs are told as they are.
func TestTheftsBesideAPrice(t *testing.T) {
	sampletest.Slow(t)
	for name, lists := range map[string]bool{"a list": true, "no list": false} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = lists
				s.stands()
				s.is(s.buy(1), store.Accepted)
				s.looks([]look{{2 * time.Minute, 877}, {time.Minute, 877}, {time.Minute, 872}, {time.Minute, 872}})
				s.is(s.buy(1), store.Accepted)
				s.looks([]look{{time.Minute, 872}, {time.Minute, 872}, {time.Minute, 772}})
				for range 60 {
					s.live(time.Minute)
					s.observe()
				}
				equal(t, s.movements(), "bought -100", "bought -100", "outside -23", "outside -5")
			})
		})
	}
}

// TestOlderLossHoldsNoPrice: others take money twice, and only then something is bought. Its price is in none of that: about what the service refuses
// afterwards nobody is asked.
func TestOlderLossHoldsNoPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.lists = false
		s.stands()
		s.looks([]look{{0, 977}, {time.Minute, 972}, {time.Minute, 972}})
		s.is(s.buy(1), store.Accepted)
		s.looks([]look{{time.Minute, 972}, {time.Minute, 972}, {time.Minute, 872}})
		s.live(time.Minute)
		refused := s.refuse()
		for range 40 {
			s.live(time.Minute)
			s.observe()
		}
		s.is(refused, store.Rejected)
	})
}

// TestTheftBesideALatePick: a reading shows the price of an uncertain purchase together with money of others. A person picks its order, and the same
// is bought again. It counts from when it was sent: what more goes is the second one's price.
func TestTheftBesideALatePick(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.list = append(s.service.list, listed("1", time.Now().Add(-time.Hour)))
		s.stands()
		first := s.lose(1)
		s.takes(123, 30*time.Second)
		s.shows(0, listed("8", time.Now()))
		s.live(2 * time.Minute)
		if err := s.engine.LetGo(t.Context(), first.ID, 5); err != nil {
			t.Fatal(err)
		}
		if err := s.adopt(first, "8"); err != nil {
			t.Fatal(err)
		}
		s.live(30 * time.Second)
		s.answers(api.FromLegacy, "9")
		s.is(s.buy(1), store.Accepted)
		s.shows(0, listed("9", time.Now()))
		s.takes(100, 20*time.Second)
		for range 90 {
			s.live(time.Minute)
			s.observe()
		}
		equal(t, s.movements(), "bought -100", "bought -100", "outside -23")
	})
}

// TestPriceWithMoreOfOthers: others take money, which stands. The price of a purchase goes together with more of theirs. What goes behind a
// refusal may be of that one then, though the purchase was sent behind what they took first: a person is asked.
func TestPriceWithMoreOfOthers(t *testing.T) {
	for name, c := range map[string]struct {
		first, more int64 // what others take
	}{
		"as much":    {100, 100},
		"other sums": {23, 42},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = false
				s.stands()
				s.takes(c.first, 0)
				s.looks([]look{{3 * time.Minute, 1000 - c.first}})
				s.is(s.buy(1), store.Accepted)
				s.takes(100+c.more, 5*time.Minute)
				s.live(7 * time.Minute)
				s.observe()
				refused := s.refuse()
				s.takes(100, 3*time.Minute)
				s.live(25 * time.Minute)
				s.is(refused, store.Undecided)
			})
		})
	}
}
