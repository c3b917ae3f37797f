package purchase_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// after has something happen at the service after a time.
func (s *shop) after(d time.Duration, do func(*service)) {
	now := func() {
		s.service.mu.Lock()
		defer s.service.mu.Unlock()
		do(s.service)
	}
	if d == 0 {
		now()
		return
	}
	time.AfterFunc(d, now)
}

// takes has money show to be gone after a time; negative for money that comes.
func (s *shop) takes(amount int64, after time.Duration) {
	s.after(after, func(at *service) { at.balance = at.balance.Sub(dzd.Int(amount)) })
}

// shows has orders, made now, show in the list after a time.
func (s *shop) shows(after time.Duration, orders ...api.Order) {
	s.after(after, func(at *service) { at.list = append(at.list, orders...) })
}

// live lets some time go by with due purchases and accounts processed as by the jobs.
func (s *shop) live(d time.Duration) {
	s.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); <-time.After(2 * time.Second) {
		if err := s.engine.ProcessDue(context.Background()); err != nil {
			s.t.Fatal(err)
		}
		if err := s.engine.ProcessDueAccounts(context.Background()); err != nil {
			s.t.Fatal(err)
		}
		synctest.Wait()
	}
}

// owns reads the account that the tests buy with.
func (s *shop) owns() store.Account {
	s.t.Helper()
	a, err := s.store.Account(context.Background(), "u1")
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

// decidedBy fails the test unless a purchase is in a phase, by a rule, and was never called not bought before.
func (s *shop) decidedBy(p store.Purchase, want store.Phase, rule string) {
	s.t.Helper()
	now := s.is(p, want)
	if want != store.NotCreated && slices.ContainsFunc(now.History, func(step store.Step) bool { return step.To == store.NotCreated }) {
		s.t.Errorf("it was called not bought: %v", now.History)
	}
	if now.Evidence == nil || now.Evidence.Rule != rule {
		s.t.Errorf("the evidence is %+v, want the rule %q", now.Evidence, rule)
	}
}

// notes are the names of what the buyer's chat was told beside its receipts.
func (s *shop) notes() (names []string) {
	s.t.Helper()
	rows, err := s.store.ChatOutbox(context.Background(), 5, 1000)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range rows {
		if r.Kind == store.Note {
			names = append(names, string(r.NoteName()))
		}
	}
	return names
}

// codeOf is the code that an order of the store has.
func (s *shop) codeOf(id string) string {
	s.t.Helper()
	return s.order(id).Code.Reveal()
}

// withCode is an order as a list shows it together with its code.
func withCode(o api.Order, code string) api.Order {
	o.Code = secret.New(code)
	return o
}

// answers has the next purchase answered with an order.
func (s *shop) answers(origin api.Origin, ids ...string) {
	s.service.verdicts = []api.Verdict{{Outcome: api.Accepted, OrderIDs: ids, Origin: origin}}
}

// TestCounterAcquitsNothing: the counter of an allocation that is not there moves for nobody, and one that is there
// may be late as everything else. It denies no purchase, and it is in no purchase's way.
func TestCounterAcquitsNothing(t *testing.T) {
	zeros, allocated := &api.ClientStock{VariantID: 7}, &api.ClientStock{VariantID: 7, Allocated: 50, Used: 3}
	refunded := func(s *shop) { // the money of another one that comes back hides the price
		s.answers(api.FromLegacy, "1")
		s.failOne()
		s.shows(0, listed("1", time.Now()))
	}
	for name, c := range map[string]struct {
		stock  *api.ClientStock
		before func(*shop)
		after  func(*shop)
		want   store.Phase
		rule   string
	}{
		"zeros, a refund hides its price":           {zeros, refunded, func(*shop) {}, store.Undecided, "unclear"},
		"it stands still, a refund hides its price": {allocated, refunded, func(*shop) {}, store.Undecided, "unclear"},
		"zeros, its order shows and its price is gone": {zeros, nil, func(s *shop) {
			s.takes(100, 0)
			s.shows(0, listed("8", time.Now()))
		}, store.Accepted, "rows"},
		"zeros, its price is gone": {zeros, nil, func(s *shop) { s.takes(100, 0) }, store.Undecided, "money gone"},
		"it stands still, its price is gone": {
			allocated, nil, func(s *shop) { s.takes(100, 0) }, store.Undecided, "money gone",
		},
		"it moves, and nothing else": {allocated, nil, func(s *shop) {
			s.after(0, func(at *service) { at.stock = &api.ClientStock{VariantID: 7, Allocated: 50, Used: 4} })
		}, store.Undecided, "unclear"},
		"zeros, and nothing moves": {zeros, nil, func(*shop) {}, store.NotCreated, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.stock = c.stock
				if c.before != nil {
					c.before(s)
				}
				p := s.lose(1)
				c.after(s)
				s.live(20 * time.Minute)
				s.decidedBy(p, c.want, c.rule)
			})
		})
	}
}

// TestHeldMoneyIsACharge: the service may hold the money of an order until it is done, or take it at once. Nothing
// was bought only where both figures of the wallet stay where they were.
func TestHeldMoneyIsACharge(t *testing.T) {
	hold := func(amount int64) func(*service) { return func(at *service) { at.held = dzd.Int(amount) } }
	for name, c := range map[string]struct {
		after func(*shop)
		want  store.Phase
		rule  string
	}{
		"less can be spent": {func(s *shop) { s.after(0, hold(100)) }, store.Undecided, "money gone"},
		"less can be spent, minutes later": {
			func(s *shop) { s.after(8*time.Minute, hold(100)) }, store.Undecided, "money gone",
		},
		"less can be spent, and its order shows": {func(s *shop) {
			s.after(0, hold(100))
			s.shows(0, listed("8", time.Now()))
		}, store.Accepted, "rows"},
		"less is there, and as much can be spent": {func(s *shop) {
			s.takes(100, 0)
			s.after(0, hold(-100))
		}, store.Undecided, "unclear"},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				p := s.lose(1)
				c.after(s)
				s.live(20 * time.Minute)
				s.decidedBy(p, c.want, c.rule)
			})
		})
	}
}

// TestRefundHidesNoCharge: money that comes back of another order, just when a lost purchase is charged, does not
// stand for that purchase's own.
func TestRefundHidesNoCharge(t *testing.T) {
	for name, begin := range map[string]func(*shop){
		"of an order that has failed": func(s *shop) { s.failOne() },
		"of one that nobody has seen fail yet": func(s *shop) {
			s.takes(100, 0)
			s.is(s.buy(1), store.Accepted)
			s.watch(10 * time.Second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.answers(api.FromLegacy, "1")
				begin(s)
				s.shows(0, listed("1", time.Now()))
				p := s.lose(1) // charged, and the other one's money is back: the wallet stands still
				s.live(20 * time.Minute)
				s.decidedBy(p, store.Undecided, "unclear")
			})
		})
	}
}

// TestTopUpHidesNoCharge: somebody adds exactly the price within seconds, so the wallet never shows that it went.
func TestTopUpHidesNoCharge(t *testing.T) {
	sampletest.Slow(t)
	t.Run("without a list", func(t *testing.T) {
		inShop(t, func(s *shop) {
			s.service.lists = false
			p := s.lose(1)
			s.live(2 * time.Hour)
			s.decidedBy(p, store.Undecided, "unclear")
		})
	})
	t.Run("its order shows", func(t *testing.T) {
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			p := s.lose(1)
			s.shows(9*time.Minute, listed("8", time.Now()))
			s.live(20 * time.Minute)
			s.decidedBy(p, store.Undecided, "untrusted")
		})
	})
	t.Run("it came after a look", func(t *testing.T) {
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			p := s.lose(1)
			s.takes(100, 0)
			s.takes(-100, 20*time.Second)
			s.live(2 * time.Hour)
			s.decidedBy(p, store.Undecided, "traces")
		})
	})
}

// TestLateBalanceDeniesNothing: an account whose balance is eleven minutes late has been seen to be so. Nothing is
// denied before four times that.
func TestLateBalanceDeniesNothing(t *testing.T) {
	const lag = 11 * time.Minute
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.account(func(a *store.Account) { a.Lags = nil })
		for i := range 3 {
			id := strconv.Itoa(i + 1)
			s.answers(api.FromLegacy, id)
			s.is(s.buy(1), store.Accepted)
			s.takes(100, lag)
			s.shows(0, listed(id, time.Now()))
			s.live(20 * time.Minute)
			s.settle(withCode(api.Order{ID: "legacy:" + id, Status: "completed"}, "CODE-"+id))
			s.deliver()
		}
		executed := s.lose(1)
		s.takes(100, lag)
		s.shows(20*time.Minute, listed("8", time.Now()))
		s.live(lag - time.Minute)
		s.is(executed, store.Unknown)
		s.live(20 * time.Minute)
		s.is(executed, store.Accepted)
		s.settle(withCode(api.Order{ID: "legacy:8", Status: "completed"}, "CODE-8")) // its money does not come back
		s.deliver()
		none := s.lose(1)
		s.live(4*lag - time.Minute)
		s.is(none, store.Unknown)
		s.live(8 * time.Minute)
		s.is(none, store.NotCreated)
		if got := s.notes(); len(got) > 0 {
			t.Errorf("the chat is told %v", got)
		}
	})
}

// TestNewAccountDeniesNothing: where nobody has seen how late the readings are, that nothing shows is no answer.
func TestNewAccountDeniesNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.account(func(a *store.Account) { a.Lags = nil })
		p := s.lose(1)
		s.live(2 * time.Hour)
		s.decidedBy(p, store.Undecided, "unknown")
	})
}

// step has the clock on the wall go forward: all that was written down about a purchase is so much older.
func (s *shop) step(p store.Purchase, d time.Duration) {
	s.t.Helper()
	s.update(func(tx *store.Tx) error {
		p, err := tx.Purchase(p.ID)
		if err != nil {
			return err
		}
		for _, at := range []*time.Time{&p.SentAt, &p.AnsweredAt, &p.DecideBy, &p.LookAt, &p.Before.At} {
			*at = at.Add(-d)
		}
		if p.Evidence != nil {
			kept := *p.Evidence
			kept.At = kept.At.Add(-d)
			p.Evidence = &kept
		}
		return tx.PutPurchase(&p)
	})
	s.account(func(a *store.Account) {
		for i := range a.Wallet.Expected {
			a.Wallet.Expected[i].At = a.Wallet.Expected[i].At.Add(-d)
		}
	})
}

// TestClockThatSteps: the quiet time is not over because the clock on the wall says so, in a process that goes on or
// in one that is started again.
func TestClockThatSteps(t *testing.T) {
	const hour = time.Hour
	for name, restart := range map[string]bool{"while it runs": false, "while it is down": true} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				p := s.lose(1)
				s.takes(100, 9*time.Minute)
				s.shows(9*time.Minute, listed("8", time.Now().Add(-hour))) // by the service's clock, which has not stepped
				s.live(20 * time.Second)
				if restart {
					s.close()
					s.open()
				}
				s.step(p, hour)
				s.live(20 * time.Minute)
				s.decidedBy(p, store.Accepted, "rows")
			})
		})
	}
}

// TestQuietTimeBeginsAtTheEnd: an attempt that was on the wire for a quarter of an hour has not been quiet for so
// long.
func TestQuietTimeBeginsAtTheEnd(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.takes = 15 * time.Minute
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
		p := s.buy(1)
		s.live(15*time.Minute + 2*time.Second)
		s.is(p, store.Unknown)
		s.takes(100, 5*time.Minute)
		s.shows(6*time.Minute, listed("8", time.Now()))
		s.live(4 * time.Minute)
		s.is(p, store.Unknown)
		s.live(4 * time.Minute)
		s.decidedBy(p, store.Accepted, "rows")
	})
}

// TestRefusedAfterTheCommit: what the service refuses in its own words, and charges all the same, is found or asked
// about. A refusal that was one stays one.
func TestRefusedAfterTheCommit(t *testing.T) {
	for name, c := range map[string]struct {
		after func(*shop)
		want  store.Phase
		rings int
	}{
		"its price is gone":                {func(s *shop) { s.takes(100, 0) }, store.Undecided, 1},
		"its price goes ten minutes later": {func(s *shop) { s.takes(100, 10*time.Minute) }, store.Undecided, 1},
		"its order shows, and its price is gone": {func(s *shop) {
			s.takes(100, 0)
			s.shows(0, listed("8", time.Now()))
		}, store.Accepted, 1},
		"it was refused": {func(*shop) {}, store.Rejected, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 400}}
				p := s.is(s.buy(1), store.Rejected)
				c.after(s)
				s.live(20 * time.Minute)
				s.is(p, c.want)
				if n := s.messages()[store.Ping]; n != c.rings {
					t.Errorf("it rings %d times, want %d", n, c.rings)
				}
				if got := s.notes(); len(got) > 0 {
					t.Errorf("the chat is told %v", got)
				}
				s.sent(1)
			})
		})
	}
}

// TestTwoNamespaces: the list calls orders otherwise than the answers to purchases. An order of one of our purchases
// is not another one's then, whichever of them the list shows first.
func TestTwoNamespaces(t *testing.T) {
	for name, code := range map[string]string{"a list with codes": "CODE-1", "a list without codes": ""} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Current)
				s.answers(api.FromCurrent, "ORD-1")
				first := s.is(s.buy(1), store.Accepted)
				s.takes(100, 0)
				s.observe()
				second := s.lose(1)
				s.takes(100, 0)
				s.shows(time.Minute, withCode(listed("5001", time.Now()), code))
				s.shows(3*time.Minute, listed("5002", time.Now()))
				s.live(2 * time.Minute)
				s.is(second, store.Unknown)
				s.live(2 * time.Minute)
				s.settle(withCode(api.Order{ID: s.get(first.ID).OrderIDs[0], Status: "completed"}, "CODE-1"))
				s.live(10 * time.Minute)
				now := s.get(second.ID)
				if code == "" {
					s.is(second, store.Undecided) // two orders, and nobody can tell which is whose
				} else if s.is(second, store.Accepted); !slices.Equal(now.OrderIDs, []string{"legacy:5002"}) {
					t.Errorf("its orders are %v", now.OrderIDs)
				}
			})
		})
	}
	t.Run("the watch over what was not bought", func(t *testing.T) {
		inShop(t, func(s *shop) {
			s.generation(api.Current)
			first := s.lose(1)
			s.live(20 * time.Minute)
			s.is(first, store.NotCreated)
			s.answers(api.FromCurrent, "ORD-2")
			second := s.is(s.buy(1), store.Accepted)
			s.takes(100, 0)
			s.shows(time.Second, listed("5002", time.Now()))
			s.live(time.Hour)
			if now := s.get(first.ID); now.Phase != store.NotCreated || len(now.OrderIDs) > 0 {
				t.Errorf("the first is %s with %v", now.Phase, now.OrderIDs)
			}
			s.is(second, store.Accepted)
		})
	})
}

// TestAnotherChatsOrder: two chats of an account buy the same. The first one waits for its code; the history cannot be
// read when the second one is sent, and that one never arrives. What shows then is the first one's.
func TestAnotherChatsOrder(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Current)
		s.answers(api.FromCurrent, "ORD-1")
		first := s.is(s.buy(1), store.Accepted)
		s.service.unlisted = &api.Error{Op: "history", Class: api.Upstream}
		second := s.lose(1)
		s.service.unlisted = nil
		s.takes(100, 0)
		s.shows(0, listed("5001", time.Now()))
		s.live(20 * time.Minute)
		s.decidedBy(second, store.Undecided, "untrusted")
		s.settle(withCode(api.Order{ID: s.get(first.ID).OrderIDs[0], Status: "completed"}, "CODE-1"))
		if err := s.engine.Decide(context.Background(), second.ID, 5, 5, true); err != nil {
			t.Fatal(err)
		}
		if now := s.get(second.ID); len(now.OrderIDs) > 0 {
			t.Errorf("the second one has the orders %v", now.OrderIDs)
		}
	})
}

// TestListThatWasNotReadBefore: what a list shows that was not read before the purchase may have been there: an order
// made on the service's own page a minute earlier, while ours is not listed yet.
func TestListThatWasNotReadBefore(t *testing.T) {
	for name, before := range map[string]error{"it failed": &api.Error{Op: "history", Class: api.Upstream}, "it was read": nil} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.shows(0, listed("7", time.Now().Add(-time.Minute)))
				s.service.unlisted = before
				p := s.lose(1)
				s.service.unlisted = nil
				s.takes(100, 0)
				s.live(20 * time.Minute)
				if now := s.get(p.ID); now.Phase != store.Undecided || len(now.OrderIDs) > 0 {
					t.Errorf("it is %s with %v, by %+v", now.Phase, now.OrderIDs, now.Evidence)
				}
			})
		})
	}
}

// TestBoughtOnThePage: somebody buys the same on the service's own page, with the account's money, while our answer is
// lost. Orders in the list that nobody here has bought tell that such people are about.
func TestBoughtOnThePage(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		for i := range 5 {
			s.shows(0, listed(strconv.Itoa(i+1), time.Now().Add(-time.Duration(i+1)*24*time.Hour)))
		}
		p := s.lose(1) // it never arrived
		s.takes(100, 20*time.Second)
		s.shows(20*time.Second, listed("8", time.Now()))
		s.live(20 * time.Minute)
		s.decidedBy(p, store.Undecided, "shared")
	})
}

// otherKeyBuys has another chat buy the same with another key of the wallet.
func (s *shop) otherKeyBuys() store.Purchase {
	s.t.Helper()
	return s.otherKeyBuysSome(1)
}

// otherKeyBuysSome is otherKeyBuys for several units.
func (s *shop) otherKeyBuysSome(n int) store.Purchase {
	s.t.Helper()
	other := store.Account{ID: "u2", Key: secret.New("other key"), Chats: []int64{5}, Generation: string(api.Legacy)}
	s.update(func(tx *store.Tx) error { return tx.PutAccount(&other) })
	p, err := s.engine.Draft(context.Background(), purchase.Draft{
		Account: "u2", Chat: 5, User: 5, Message: 51, Product: api.Product{ID: 3, Name: "Card"},
		Variant: api.Variant{ID: 7, Name: "10 USD", Price: dzd.Int(100)}, Quantity: n,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.engine.Confirm(context.Background(), tap(p)); err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
	return p
}

// TestAcceptedWithAnotherKey: an order that the list numbers by itself may be of what was accepted with another key of the wallet, until the
// list shows that one. It is not taken for what was never executed.
func TestAcceptedWithAnotherKey(t *testing.T) {
	sampletest.Slow(t)
	lost := func(s *shop) store.Purchase {
		s.service.takes = 5 * time.Second
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
		p := s.draft(1)
		if _, err := s.engine.Confirm(context.Background(), tap(p)); err != nil {
			s.t.Fatal(err)
		}
		return p
	}
	for name, c := range map[string]struct {
		refused bool          // and not lost
		late    time.Duration // how late all that is shown is
		code    bool          // the other one is delivered, and the list shows no code of it
		apart   bool          // the other key opens another wallet, and the order is ours
		want    store.Phase
	}{
		"it was lost":                          {want: store.Undecided},
		"it was lost, and lists are late":      {late: 3 * time.Second, want: store.Undecided},
		"it was lost, and theirs is delivered": {code: true, want: store.Undecided},
		"it was refused":                       {refused: true, want: store.Undecided},
		"it has another wallet":                {apart: true, want: store.Accepted},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.stands()
				other := &service{price: dzd.Int(100), balance: dzd.Int(1000), lists: true, verdicts: []api.Verdict{{Outcome: api.Accepted, OrderIDs: []string{"7"}, Origin: api.FromLegacy}}}
				if c.apart {
					other.balance = dzd.Int(5001)
				}
				s.theirs = other
				var ours store.Purchase
				if c.refused {
					ours = s.refuse()
					s.live(10 * time.Second)
				} else {
					ours = lost(s)
					<-time.After(time.Second)
				}
				theirs := s.is(s.otherKeyBuys(), store.Accepted)
				s.takes(100, c.late)
				s.shows(c.late, listed("8", time.Now()))
				if c.code {
					o := withCode(api.Order{ID: theirs.OrderIDs[0], Status: "completed"}, "THEIRS-1111")
					if err := s.engine.Settle(context.Background(), "u2", []api.Order{o}, time.Now()); err != nil {
						t.Fatal(err)
					}
				}
				s.live(30 * time.Minute)
				s.is(ours, c.want)
				// The other account goes on, and its wallet forgets what has shown.
				for at := range 30 {
					s.live(5 * time.Minute)
					s.observe()
					other.mu.Lock()
					other.balance = other.balance.Sub(dzd.Int(int64(at % 2)))
					other.mu.Unlock()
					if _, err := s.engine.Observe(context.Background(), "u2"); err != nil {
						t.Fatal(err)
					}
				}
				s.is(ours, c.want)
			})
		})
	}
}

// TestTwoKeysOfOneWallet: an order of another account that the bot knows belongs to that one, also if the money is
// gone from both, since their wallet is one.
func TestTwoKeysOfOneWallet(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		ours := s.lose(1) // it never arrived
		s.answers(api.FromLegacy, "8")
		theirs := s.otherKeyBuys()
		s.is(theirs, store.Accepted)
		s.takes(100, 0)
		s.shows(0, listed("8", time.Now()))
		s.live(20 * time.Minute)
		s.decidedBy(ours, store.Undecided, "shared")
		if err := s.engine.Decide(context.Background(), ours.ID, 5, 5, true); err != nil {
			t.Fatal(err)
		}
		if now := s.get(ours.ID); len(now.OrderIDs) > 0 {
			t.Errorf("it was given %v", now.OrderIDs)
		}
		if c, err := s.store.OrderClaim(context.Background(), "legacy:8"); err != nil || c.Purchase != theirs.ID {
			t.Errorf("the order belongs to %+v, %v", c, err)
		}
	})
}

// TestTwoKeysInDoubt: of two purchases of one item, sent with two keys that open one wallet and both uncertain, one was executed.
// Neither the list nor the money tells which, so that the order is given to none of them.
func TestTwoKeysInDoubt(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		ours := s.lose(1) // it never arrived
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
		theirs := s.otherKeyBuys()
		s.is(theirs, store.Unknown)
		s.takes(100, 0)
		s.shows(0, listed("8", time.Now()))
		s.live(20 * time.Minute)
		s.decidedBy(ours, store.Undecided, "own")
		if c := s.choices(ours); !c.Rivals || c.Sure {
			t.Errorf("a person is offered it as theirs: %+v", c)
		}
		if now := s.get(theirs.ID); now.Phase != store.Undecided || len(now.OrderIDs) > 0 {
			t.Errorf("the other one is %s, with orders %v", now.Phase, now.OrderIDs)
		}
	})
}

// TestTwoKeysOneRefused: the service refuses a purchase that it executes, and another one of the item, sent with another key of the
// wallet, is uncertain. The order may be that of either, and is taken for none of them; a long time later it is nobody else's.
func TestTwoKeysOneRefused(t *testing.T) {
	sampletest.Slow(t)
	for name, test := range map[string]struct {
		between time.Duration
		want    store.Phase
	}{
		"just before":             {time.Second, store.Undecided},
		"since it was looked for": {20 * time.Minute, store.Undecided},
		"long before":             {3 * time.Hour, store.Accepted},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 400}}
				theirs := s.otherKeyBuys()
				s.is(theirs, store.Rejected)
				s.live(test.between)
				ours := s.lose(1)
				s.takes(100, 0)
				s.shows(0, listed("8", time.Now()))
				s.live(20 * time.Minute)
				s.is(ours, test.want)
			})
		})
	}
}

// TestTwoShopsOfOneSum: another shop, whose purchase of the same item is uncertain, holds what this one has held. It may be the same
// wallet where both have held it lately, and is another one where that was hours ago: then nobody is asked for it.
func TestTwoShopsOfOneSum(t *testing.T) {
	for name, test := range map[string]struct {
		ago  time.Duration
		want store.Phase
	}{
		"lately":    {10 * time.Minute, store.Undecided},
		"hours ago": {3 * time.Hour, store.Accepted},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.live(time.Second)
				earlier := s.is(s.buy(3), store.Accepted)
				s.takes(300, 0)
				for i, id := range s.get(earlier.ID).OrderIDs {
					s.settle(api.Order{ID: id, Status: "completed", Code: secret.New(fmt.Sprint("CODE-", i)), Price: dzd.Int(100)})
				}
				s.is(earlier, store.Settled)
				s.deliver()
				s.live(test.ago)
				s.theirs = &service{price: dzd.Int(100), balance: dzd.Int(1000), verdicts: []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}}
				s.is(s.otherKeyBuys(), store.Unknown)
				ours := s.lose(1)
				s.takes(100, 0)
				s.shows(0, listed("8", time.Now()))
				s.live(30 * time.Minute)
				s.is(ours, test.want)
			})
		})
	}
}

// TestLimitedAfterExecution: a purchase that the service answers with 429 is sent once, whatever shows: readings may be late at any time. Its
// buyer is told at once that it was refused, and asked where its order or its money shows all the same.
func TestLimitedAfterExecution(t *testing.T) {
	for name, c := range map[string]struct {
		after func(*shop)
		want  store.Phase
	}{
		"it was refused":    {func(*shop) {}, store.Rejected},
		"its price is gone": {func(s *shop) { s.takes(100, 0) }, store.Undecided},
		"its order shows, and its price is gone": {func(s *shop) {
			s.takes(100, 0)
			s.shows(0, listed("8", time.Now()))
		}, store.Accepted},
		"its order shows first": {func(s *shop) {
			s.takes(100, time.Minute)
			s.shows(0, listed("8", time.Now()))
		}, store.Accepted},
		"its money is held": {
			func(s *shop) { s.after(0, func(at *service) { at.held = dzd.Int(100) }) }, store.Undecided,
		},
		"readings become late": {func(s *shop) { s.takes(100, 14*time.Minute) }, store.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Limited, Status: 429, RetryAfter: 5 * time.Second}}
				p := s.is(s.buy(1), store.Rejected)
				c.after(s)
				s.live(25 * time.Minute)
				s.is(p, c.want)
				s.sent(1)
			})
		})
	}
}

// TestReadingBesideTheWire: a reading while a purchase has no answer yet explains nothing: the service may hold its price until it refuses.
func TestReadingBesideTheWire(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		s.service.takes = 30 * time.Second
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}}
		p := s.is(s.buy(1), store.Submitting)
		s.takes(100, time.Second)
		s.takes(-100, 29*time.Second)
		s.live(10 * time.Second)
		s.observe()
		if x := s.owns().Wallet.Expected[0]; !x.Seen.IsZero() {
			t.Errorf("its price has gone, it is said: %+v", x)
		}
		s.live(2 * time.Hour)
		s.is(p, store.Rejected)
		equal(t, s.movements())
		equal(t, s.notes())
	})
}

// TestUndecidedIsNoChangeYet: money that has gone for a purchase which is uncertain has no entry among the changes of the balance until that
// is decided, so it is told apart.
func TestUndecidedIsNoChangeYet(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		p := s.lose(1)
		s.takes(100, time.Minute)
		s.live(5 * time.Minute)
		if got := purchase.Undecided(s.owns().Wallet); !got.Equal(dzd.Int(-100)) || len(s.movements()) > 0 {
			t.Errorf("%s went for what is not decided, beside %q", got, s.movements())
		}
		s.live(time.Hour)
		if err := s.engine.Decide(context.Background(), p.ID, 5, 5, true); err != nil {
			t.Fatal(err)
		}
		if got := purchase.Undecided(s.owns().Wallet); !got.IsZero() {
			t.Errorf("%s went for what is not decided", got)
		}
		equal(t, s.movements(), "bought -100")
	})
}

// TestUndecidedForDays: nobody says for days whether money that has gone was for a purchase. It stays told, and whatever is said then is booked.
func TestUndecidedForDays(t *testing.T) {
	sampletest.Slow(t)
	for bought, want := range map[bool]string{true: "bought -100", false: "outside -100"} {
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			s.stands()
			p := s.lose(1)
			s.takes(100, time.Minute)
			s.live(27 * time.Hour)
			s.looks([]look{{0, 899}, {0, 900}})
			s.addsUp(900)
			if err := s.engine.Decide(s.t.Context(), p.ID, 5, 5, bought); err != nil {
				t.Fatal(err)
			}
			s.live(2 * time.Hour)
			equal(t, s.movements(), want)
			s.addsUp(900)
		})
	}
}

// twoUndecidedForDays has two purchases of 100 called not bought, of which one was paid; nobody has decided for 40 hours which.
func (s *shop) twoUndecidedForDays() (ps []store.Purchase) {
	s.t.Helper()
	s.generation(api.Legacy)
	s.stands()
	for range 2 {
		p := s.lose(1)
		s.live(30 * time.Minute)
		ps = append(ps, s.is(p, store.NotCreated))
	}
	s.takes(100, 0)
	s.live(time.Minute)
	s.observe()
	s.live(40 * time.Hour)
	s.looks([]look{{0, 899}, {0, 900}})
	return ps
}

// TestTwoUndecidedForDays: money has gone that may be the price of either of two purchases. A person says after days that the one was not made, and
// later that the other was: it was the price of that one, and nobody else took it.
func TestTwoUndecidedForDays(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		for i, p := range s.twoUndecidedForDays() {
			if err := s.engine.Decide(s.t.Context(), p.ID, 5, 5, i == 1); err != nil {
				t.Fatal(err)
			}
			s.live(2 * time.Hour)
		}
		equal(t, s.movements(), "bought -100")
		s.addsUp(900)
		if at := s.owns().OutsideAt; !at.IsZero() {
			t.Errorf("others bought with the account at %v", at)
		}
	})
}

// TestQuestionOfDaysExplainsNothing: nobody has decided for days about two purchases, of which one was paid. What others take then is told as what
// others take, also where it is as much as either cost.
func TestQuestionOfDaysExplainsNothing(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		s.twoUndecidedForDays()
		for _, amount := range []int64{37, 100} {
			s.takes(amount, 0)
			s.observe()
			s.live(2 * time.Hour)
		}
		equal(t, s.accused(), "37", "100")
		if got := purchase.Undecided(s.owns().Wallet); !got.Equal(dzd.Int(-100)) {
			t.Errorf("%s went for what is not decided", got)
		}
	})
}

// TestRereadBesideARefundToCome: others take money, and as much comes as an order under way may have given back. Then an order names another
// price, and the last reading is explained anew: what they took, and the refund, are told as they would have been without.
func TestRereadBesideARefundToCome(t *testing.T) {
	for _, named := range []int64{130, 90} {
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			s.stands()
			a := s.buy(1)
			s.looks([]look{{10 * time.Second, 900}})
			s.live(2 * time.Hour)
			s.looks([]look{{0, 850}, {2 * time.Minute, 950}})
			s.names(s.buy(1), named)
			if shown := s.owns().Wallet.Shown; !shown.Equal(dzd.Int(950)) {
				t.Errorf("the last reading was %s", shown)
			}
			s.looks([]look{{time.Minute, 950 - named}, {10 * time.Minute, 950 - named}, {10 * time.Minute, 950 - named}})
			s.live(3 * time.Hour)
			s.settle(api.Order{ID: s.get(a.ID).OrderIDs[0], Status: "failed"})
			s.live(3 * time.Hour)
			equal(t, s.accused(), "50")
			if got := s.refundOf(a); got != store.RefundSeen {
				t.Errorf("the refund is %s", got)
			}
			s.addsUp(950 - named)
		})
	}
}

// TestRereadLeavesTheRestOpen: money comes on top of a price that nobody can explain yet, and may be an older reading. Then an order names that
// price: what came is looked at again, and booked.
func TestRereadLeavesTheRestOpen(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		a := s.buy(1)
		s.looks([]look{{10 * time.Second, 900}})
		s.names(a, 100)
		s.deliver()
		s.live(5 * time.Minute)
		p := s.buy(1)
		s.looks([]look{{10 * time.Second, 750}, {2 * time.Minute, 850}})
		s.names(p, 150)
		s.live(2 * time.Hour)
		equal(t, s.movements(), "bought -100", "bought -100", "corrected -50", "outside 100")
		s.addsUp(850)
	})
}

// TestDisownedBeforeTheNextWasSent: others take what an uncertain purchase cost, and a day later one of the same price is refused. Once a person says
// that the first was not made, it was others: the second had not been sent.
func TestDisownedBeforeTheNextWasSent(t *testing.T) {
	sampletest.Slow(t)
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		p := s.lose(1)
		s.takes(100, time.Minute)
		s.live(20 * time.Minute)
		s.is(p, store.Undecided)
		s.live(20 * time.Hour)
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}}
		next := s.is(s.buy(1), store.Rejected)
		s.live(3 * time.Hour)
		if err := s.engine.Decide(s.t.Context(), p.ID, 5, 5, false); err != nil {
			t.Fatal(err)
		}
		s.live(3 * time.Hour)
		s.is(next, store.Rejected)
		equal(t, s.movements(), "outside -100")
		if s.owns().OutsideAt.IsZero() {
			t.Error("nobody else has spent from the account, it is said")
		}
	})
}

// TestTheftBesideARefundToCome: others take money, and as much comes as an order under way may have given back. What they took is told when
// it has stood, and not when that order ends.
func TestTheftBesideARefundToCome(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		p := s.buy(1)
		s.looks([]look{{10 * time.Second, 900}, {2 * time.Minute, 850}, {2 * time.Minute, 950}})
		s.live(30 * time.Minute)
		equal(t, s.accused(), "50")
		s.addsUp(950)
		s.names(p, 100)
		s.looks([]look{{time.Hour, 950}, {time.Hour, 950}})
		equal(t, s.movements(), "bought -100", "outside -50", "outside 100")
		s.addsUp(950)
	})
}

// TestPickedBesideATheft: others take money while a purchase is uncertain, and a person picks its order before that is told: its price is no
// part of what they took.
func TestPickedBesideATheft(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		p := s.lose(1)
		s.takes(130, 2*time.Minute)
		s.shows(3*time.Minute, listed("8", time.Now()))
		s.live(5 * time.Minute)
		if err := errors.Join(s.engine.LetGo(context.Background(), p.ID, 5), s.adopt(p, "8")); err != nil {
			t.Fatal(err)
		}
		if _, got := purchase.Unlisted(s.owns().Wallet, time.Now()); !got.Equal(dzd.Int(-30)) {
			t.Errorf("%s is not explained", got)
		}
		s.live(20 * time.Minute)
		if got := s.movements(); !slices.Equal(got, []string{"bought -100", "outside -30"}) {
			t.Errorf("it has moved by %v", got)
		}
	})
}

// TestQueueRestsAfterALimit: behind a purchase that the service answers with 429 the next one of the account waits a while, and no longer than
// its place is good.
func TestQueueRestsAfterALimit(t *testing.T) {
	for after, rest := range map[time.Duration]time.Duration{0: 30 * time.Second, 50 * time.Second: 50 * time.Second, time.Hour: time.Minute} {
		inShop(t, func(s *shop) {
			s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Limited, Status: 429, RetryAfter: after}}
			s.is(s.buy(1), store.Rejected)
			next := s.buy(2)
			<-time.After(rest - time.Second)
			synctest.Wait()
			s.is(next, store.Queued)
			<-time.After(2 * time.Second)
			synctest.Wait()
			s.is(next, store.Accepted)
			s.sent(2)
		})
	}
}

// TestChargedAnotherPrice: the price changed after the last look at it. Both figures are told, and nobody is accused.
func TestChargedAnotherPrice(t *testing.T) {
	order := func(s *shop, p store.Purchase) {
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(190)})
	}
	for name, play := range map[string]func(*shop, store.Purchase){
		"its order shows first": func(s *shop, p store.Purchase) { order(s, p); s.takes(190, 0) },
		"its money shows first": func(s *shop, p store.Purchase) { s.takes(190, 0); s.live(time.Minute); order(s, p) },
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				p := s.is(s.buy(1), store.Accepted)
				play(s, p)
				s.live(20 * time.Minute)
				if now := s.get(p.ID); now.Charged == nil || !now.Charged.Equal(dzd.Int(190)) {
					t.Errorf("it was charged %v", now.Charged)
				}
				equal(t, s.notes(), "charged")
				equal(t, s.movements(), "bought -100", "corrected -90")
				if !s.owns().OutsideAt.IsZero() {
					t.Error("somebody else is thought to use the key")
				}
			})
		})
	}
}

// TestChargedAnotherPriceSeenLate: the order shows its price only after the account's owners were told of money that
// fits no purchase exactly. The purchase was named there, and both figures are told now.
func TestChargedAnotherPriceSeenLate(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.is(s.buy(1), store.Accepted)
		s.takes(190, 0)
		s.live(20 * time.Minute)
		equal(t, s.notes(), "debit_or_late")
		equal(t, s.movements(), "bought -100", "outside -90")
		s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1"), Price: dzd.Int(190)})
		if now := s.get(p.ID); now.Charged == nil || !now.Charged.Equal(dzd.Int(190)) {
			t.Errorf("it was charged %v", now.Charged)
		}
		s.live(5 * time.Minute)
		equal(t, s.notes(), "charged", "debit_or_late")
		equal(t, s.movements(), "bought -100", "outside -90", "corrected 90", "corrected -90")
	})
}

// TestOrdersThatWereSeen: a person who says that a purchase was not bought has seen the orders that may be its own, and
// those of the same item that do not fit. They are not asked about them again, though no list was read before it.
func TestOrdersThatWereSeen(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.shows(0, listed("6", time.Now().Add(-time.Hour)), listed("7", time.Now()))
		s.service.unlisted = &api.Error{Op: "history", Class: api.Upstream}
		p := s.lose(1)
		s.service.unlisted = nil
		s.live(20 * time.Minute)
		s.is(p, store.Undecided)
		s.denies(p)
		s.live(time.Hour)
		s.is(p, store.NotCreated)
		s.shows(0, listed("8", time.Now()))
		s.live(10 * time.Minute)
		s.is(p, store.Undecided)
	})
}

// asksAboutARefusal has a purchase refused that is charged all the same, and fails the test where nobody is asked about it.
func (s *shop) asksAboutARefusal() {
	s.t.Helper()
	s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 400}}
	p := s.is(s.buy(1), store.Rejected)
	s.takes(100, 0)
	s.live(30 * time.Minute)
	if now := s.get(p.ID); now.Phase != store.Undecided {
		s.t.Errorf("it is %s by %+v", now.Phase, now.Evidence)
	}
}

// TestTopUpThatLooksLikeAnOldReading: money that comes shortly after as much has gone may be a reading that is late. A
// purchase that is charged meanwhile brings the balance back to where it was known to be, and the next one that is
// charged, though it was refused, looks like that one: nothing shows that it was not.
func TestTopUpThatLooksLikeAnOldReading(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		buy := func(code string) {
			p := s.is(s.buy(1), store.Accepted)
			s.settle(api.Order{ID: s.get(p.ID).OrderIDs[0], Status: "completed", Code: secret.New(code)})
			s.takes(100, 0)
		}
		buy("CODE-1")
		s.live(time.Minute)
		s.takes(-100, 0) // the top-up
		s.observe()
		buy("CODE-2")
		s.observe()
		s.asksAboutARefusal()
	})
}

// TestTopUpWithAPrice: money comes in the reading in which the price of a purchase goes, so that no reading shows that price. What
// goes next, in the same amount, may be of another that was refused: nothing shows that it is not.
func TestTopUpWithAPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		bought := s.is(s.buy(1), store.Accepted)
		s.takes(100-310, 0) // and a top-up
		s.settle(api.Order{ID: s.get(bought.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-1")})
		s.observe()
		s.live(time.Minute)
		s.asksAboutARefusal()
	})
}

// TestTopUpBeforeAPurchase: money of which nobody knows whence it came stood when as much was bought, and the reading is back where
// it was before both. It came and was spent, or it was never there to stay and the purchase has still to show: until that is known,
// what is charged next, though it was refused, may hide in it.
func TestTopUpBeforeAPurchase(t *testing.T) {
	for name, bought := range map[string]int64{"one": 1, "the first of two shows": 2} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.shown(1000)
				s.takes(-100, 0)
				s.observe()
				s.live(time.Second)
				for range bought {
					s.is(s.buy(1), store.Accepted)
				}
				s.takes(100*bought, 0)
				s.observe()
				s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 400}}
				p := s.is(s.buy(1), store.Rejected)
				s.takes(100, 0)
				s.live(30 * time.Minute)
				if now := s.get(p.ID); now.Phase != store.Undecided {
					t.Errorf("it is %s by %+v", now.Phase, now.Evidence)
				}
			})
		})
	}
}

// TestFailedAndPaidBack: the one order that fits has failed, and the money is there: it is back, or was never taken. That
// agrees, and nobody is asked.
func TestFailedAndPaidBack(t *testing.T) {
	for name, c := range map[string]struct {
		status string
		taken  bool // and given back
		want   store.Phase
	}{
		"it failed, and nothing shows":             {"error", false, store.Accepted},
		"it failed, and its price was gone":        {"error", true, store.Accepted},
		"it has not failed, and nothing shows":     {"completed", false, store.Undecided},
		"it has not failed, and as much came back": {"completed", true, store.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				p := s.lose(1)
				if c.taken {
					s.takes(100, 0)
					s.takes(-100, 30*time.Second)
				}
				order := listed("8", time.Now())
				order.Status = c.status
				s.shows(time.Minute, order)
				s.live(20 * time.Minute)
				s.is(p, c.want)
			})
		})
	}
}

// TestRenamedIsNotBought: what the service calls something else by now is not what was confirmed, at whatever price.
func TestRenamedIsNotBought(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.draft(1)
		s.service.name = "10 EUR"
		if _, err := s.engine.Confirm(context.Background(), tap(p)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if now := s.is(p, store.Dropped); now.Reason != store.ReasonRenamed {
			t.Errorf("the reason is %q", now.Reason)
		}
		s.sent(0)
		s.service.name = " 10  usd"
		s.is(s.buy(1), store.Accepted) // that is the same
	})
}

// TestLateExecutionAccusesNobody: what was said not to be bought is executed half an hour later, and the list does not
// show such orders. It is asked about, and no thief is named.
func TestLateExecutionAccusesNobody(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		p := s.lose(1)
		s.live(20 * time.Minute)
		s.is(p, store.NotCreated)
		s.takes(100, 20*time.Minute)
		s.live(40 * time.Minute)
		s.is(p, store.Undecided)
		if got := s.notes(); len(got) > 0 {
			t.Errorf("the chat is told %v", got)
		}
		if n := s.messages()[store.Ping]; n == 0 {
			t.Error("it does not ring")
		}
		if !s.owns().OutsideAt.IsZero() {
			t.Error("somebody else is thought to use the key")
		}
	})
}

// TestMoneyThatNobodyOwns: money went that fits two purchases. A person who says of both that it was not theirs has
// answered; what goes later is asked about anew.
func TestMoneyThatNobodyOwns(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		var ours []store.Purchase
		for range 2 {
			ours = append(ours, s.lose(1))
			s.live(20 * time.Minute)
		}
		for round := range 2 {
			s.takes(100, 0)
			asked := 0
			for range 20 {
				s.live(time.Minute)
				for _, p := range ours {
					if s.get(p.ID).Phase != store.Undecided {
						continue
					}
					asked++
					s.denies(p)
				}
			}
			if asked < 1 || asked > 2 {
				t.Fatalf("a person is asked %d times about the debit %d", asked, round+1)
			}
			for _, p := range ours {
				s.is(p, store.NotCreated)
			}
		}
	})
}

// TestMoneyOfOneOfTwo: money went that may be the price of either of two purchases, and a person says which of them was
// bought. What goes next is not taken for the price of that one.
func TestMoneyOfOneOfTwo(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		refused := func() store.Purchase {
			s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 400}}
			return s.is(s.buy(1), store.Rejected)
		}
		first, second := refused(), refused()
		s.takes(100, 0)
		s.live(time.Minute)
		s.is(first, store.Undecided)
		s.is(second, store.Undecided)
		if err := s.engine.Decide(context.Background(), second.ID, 5, 5, true); err != nil {
			t.Fatal(err)
		}
		third := refused()
		s.takes(100, 0)
		s.live(time.Minute)
		s.is(third, store.Undecided)
	})
}

// TestClosedIsPaid: of two that a person has closed the price of one is gone. A person's word moves no money: the other
// one is not booked.
func TestClosedIsPaid(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		var both []store.Purchase
		for range 2 {
			s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 400}}
			both = append(both, s.is(s.buy(1), store.Rejected))
		}
		s.takes(100, 0)
		s.live(time.Minute)
		for _, p := range both {
			if err := s.engine.Decide(context.Background(), p.ID, 5, 5, true); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			s.live(time.Hour)
			s.observe()
		}
		equal(t, s.movements(), "bought -100")
	})
}

// TestClosedHasNoOrders: the orders that a lost answer named were never found. Who says that it was bought closes it without any: nothing
// reads orders that are not there.
func TestClosedHasNoOrders(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "count mismatch", OrderIDs: []string{"A", "B"}, Origin: api.FromCurrent}}
		p := s.buy(1)
		s.takes(100, 0)
		s.live(30 * time.Minute)
		s.is(p, store.Undecided)
		if err := s.engine.Decide(context.Background(), p.ID, 5, 5, true); err != nil {
			t.Fatal(err)
		}
		if p = s.is(p, store.Settled); len(p.OrderIDs) > 0 {
			t.Errorf("its orders are %v", p.OrderIDs)
		}
	})
}

// TestClosedBooksNothing: a purchase that was never executed is closed as bought. Nothing is booked, and what anybody else
// takes afterwards is told as soon as on any other day.
func TestClosedBooksNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		p := s.closedUnseen()
		s.observe()
		equal(t, s.movements())
		s.takes(50, 0)
		s.stands()
		equal(t, s.movements(), "outside -50")
		s.takes(7, 0)
		s.stands()
		equal(t, s.movements(), "outside -50", "outside -7")
		if got := s.notes(); len(got) != 2 {
			t.Errorf("the chat is told %v", got)
		}
		s.takes(100, 0) // its price, hours later
		s.live(3 * time.Hour)
		s.observe()
		equal(t, s.movements(), "outside -50", "outside -7", "bought -100")
		s.live(time.Hour)
		s.takes(100, 0) // as much once more is not its
		s.stands()
		equal(t, s.movements(), "outside -50", "outside -7", "bought -100", "outside -100")
		s.is(p, store.Settled)
	})
}

// TestClosedIsExplainedOnce: the price of a closed purchase may show for a day. Then it is anybody's.
func TestClosedIsExplainedOnce(t *testing.T) {
	inShop(t, func(s *shop) {
		s.closedUnseen()
		s.live(27 * time.Hour)
		s.observe()
		s.takes(100, 0)
		s.stands()
		equal(t, s.movements(), "outside -100")
	})
}

// closedUnseen is a purchase that was not executed, and that a person has closed as bought.
func (s *shop) closedUnseen() store.Purchase {
	s.t.Helper()
	s.service.lists = false
	p := s.lose(1)
	s.processDue(20 * time.Minute)
	s.is(p, store.Undecided)
	if err := s.engine.Decide(context.Background(), p.ID, 5, 5, true); err != nil {
		s.t.Fatal(err)
	}
	return s.is(p, store.Settled)
}

// TestLateBalanceAlarmsNobody: the price of a purchase shows seconds, or minutes, after its answer. That is nobody's
// theft, and the account is not shared for it.
func TestLateBalanceAlarmsNobody(t *testing.T) {
	for _, lag := range []time.Duration{10 * time.Second, 9 * time.Minute} {
		t.Run(lag.String(), func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.is(s.buy(1), store.Accepted)
				s.takes(100, lag)
				for range 5 {
					s.observe()
					<-time.After(time.Second)
				}
				s.live(30 * time.Minute)
				equal(t, s.movements(), "bought -100")
				if got := s.notes(); len(got) > 0 {
					t.Errorf("the chat is told %v", got)
				}
				if a := s.owns(); !a.OutsideAt.IsZero() || a.Wallet.UnexplainedChanges != 0 {
					t.Errorf("the wallet is %+v, moved from outside at %v", a.Wallet, a.OutsideAt)
				}
			})
		})
	}
}

// TestForeignDebitIsTold: money that nothing of ours can have taken is told of, once.
func TestForeignDebitIsTold(t *testing.T) {
	inShop(t, func(s *shop) {
		s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.live(time.Minute)
		s.takes(77, 0)
		s.observe()
		s.live(20 * time.Minute)
		equal(t, s.notes(), "debit")
		if s.owns().OutsideAt.IsZero() {
			t.Error("nobody else is thought to use the key")
		}
	})
}

// TestOneCodeIsOnePurchases: a code that the service sends for a second purchase is not delivered for it. The chat is
// told which order had it before.
func TestOneCodeIsOnePurchases(t *testing.T) {
	inShop(t, func(s *shop) {
		first, second := s.is(s.buy(1), store.Accepted), s.is(s.buy(1), store.Accepted)
		one, two := s.get(first.ID).OrderIDs[0], s.get(second.ID).OrderIDs[0]
		for range 3 {
			s.settle(withCode(api.Order{ID: one, Status: "completed"}, "CODE-1"), withCode(api.Order{ID: two, Status: "completed"}, "CODE-1"))
		}
		s.is(first, store.Settled)
		s.is(second, store.Accepted)
		if s.codeOf(one) != "CODE-1" || s.codeOf(two) != "" || !s.order(two).Clash {
			t.Errorf("the codes are %q and %q", s.codeOf(one), s.codeOf(two))
		}
		equal(t, s.notes(), "claimed")
		s.settle(withCode(api.Order{ID: two, Status: "completed"}, "CODE-2"))
		if s.is(second, store.Settled); s.codeOf(two) != "CODE-2" {
			t.Errorf("the second code is %q", s.codeOf(two))
		}
	})
}

// TestManyEarlierSales: an account that has sold a variant three hundred times still learns what became of a lost
// answer, whether it was executed or not.
func TestManyEarlierSales(t *testing.T) {
	sampletest.Long(t)
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.balance = dzd.Int(100_000)
		for i := range 300 {
			id, code := strconv.Itoa(1000+i), fmt.Sprint("CODE-", i)
			s.answers(api.FromLegacy, id)
			s.is(s.buy(1), store.Accepted)
			s.takes(100, 0)
			s.shows(0, withCode(listed(id, time.Now()), code))
			s.settle(withCode(api.Order{ID: "legacy:" + id, Status: "completed"}, code))
			s.deliver()
			s.watch(10 * time.Second)
			<-time.After(time.Minute)
		}
		executed := s.lose(1)
		s.takes(100, 0)
		s.shows(0, listed("8", time.Now()))
		s.live(time.Minute)
		s.decidedBy(executed, store.Accepted, "rows")
		s.settle(withCode(api.Order{ID: "legacy:8", Status: "completed"}, "CODE-LAST")) // its money does not come back
		none := s.lose(1)
		s.live(20 * time.Minute)
		s.decidedBy(none, store.NotCreated, "nothing")
	})
}

// TestTakenForAnother: what has gone may be the price of any of several purchases that may have made it go. None of them is called not bought
// since it was taken for another one, however long ago.
func TestTakenForAnother(t *testing.T) {
	sampletest.Slow(t)
	t.Run("that is uncertain as well", func(t *testing.T) {
		inShop(t, func(s *shop) {
			s.stands()
			first := s.is(s.lose(1), store.Unknown)
			s.live(30 * time.Second)
			s.letGo(first)
			s.live(30 * time.Second)
			second := s.is(s.lose(1), store.Unknown)
			s.takes(100, 3*time.Minute)
			s.live(3 * time.Hour)
			s.is(first, store.Undecided)
			s.is(second, store.Undecided)
			s.denies(first)
			s.live(time.Hour)
			if second = s.is(second, store.Undecided); !second.Evidence.Paid {
				t.Errorf("it is asked with %+v", second.Evidence)
			}
		})
	})
	t.Run("of which a part is missing", func(t *testing.T) {
		inShop(t, func(s *shop) {
			s.generation(api.Legacy)
			s.stands()
			first := s.loses(100)
			p := s.accepts("10 USD", 2, 100, "1")
			s.takes(200, time.Minute)
			s.names(p, 100)
			s.looksFor(5 * time.Hour)
			s.is(first, store.Undecided)
		})
	})
}
