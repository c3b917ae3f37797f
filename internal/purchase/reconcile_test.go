package purchase_test

import (
	"context"
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

// processDue lets some time go by with due purchases processed as by the job.
func (s *shop) processDue(d time.Duration) {
	s.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); <-time.After(2 * time.Second) {
		if err := s.engine.ProcessDue(context.Background()); err != nil {
			s.t.Fatal(err)
		}
		synctest.Wait()
	}
}

// lose buys n units whose answer is lost.
func (s *shop) lose(n int, named ...string) store.Purchase {
	s.t.Helper()
	s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout", OrderIDs: named}}
	return s.is(s.buy(n), store.Unknown)
}

// generation sets which interface the account's service speaks.
func (s *shop) generation(g api.Generation) {
	s.update(func(tx *store.Tx) error {
		a, err := tx.Account("u1")
		if err != nil {
			return err
		}
		a.Generation = string(g)
		purchase.Followed(&a, store.Purchase{})
		return tx.PutAccount(&a)
	})
}

// listed is an order as the service's list shows it.
func listed(id string, at time.Time) api.Order {
	return api.Order{ID: id, ProductName: "Card", VariantName: "10 USD", Price: dzd.Int(100), CreatedAt: at}
}

// TestUnknownIsFound goes through what evidence there may be about an uncertain purchase of two units.
func TestUnknownIsFound(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		generation api.Generation
		lists      bool
		after      func(s *shop) // what the service shows after the purchase
		named      []string      // what the lost answer had named
		want       store.Phase
		within     time.Duration
		rule       string
	}{
		"its orders are in the list": {
			api.Legacy, true, func(s *shop) {
				s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
				s.service.balance = dzd.Int(800)
			}, nil, store.Accepted, time.Minute, "rows",
		},
		"the list is late": {
			api.Legacy, true, func(s *shop) {
				s.service.balance = dzd.Int(800)
				made := time.Now()
				time.AfterFunc(3*time.Minute, func() { s.service.list = append(s.service.list, listed("8", made), listed("9", made)) })
			}, nil, store.Accepted, 5 * time.Minute, "rows",
		},
		"the balance is late": {
			api.Legacy, true, func(s *shop) {
				s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
				time.AfterFunc(11*time.Minute, func() { s.service.balance = dzd.Int(800) })
			}, nil, store.Accepted, 20 * time.Minute, "rows",
		},
		"its orders show, and the money is there": {
			api.Legacy, true, func(s *shop) {
				s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
			}, nil, store.Undecided, 20 * time.Minute, "untrusted",
		},
		"they were made minutes later": {
			api.Legacy, true, func(s *shop) {
				s.service.balance = dzd.Int(800)
				time.AfterFunc(3*time.Minute, func() {
					s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
				})
			}, nil, store.Undecided, 20 * time.Minute, "late",
		},
		"it was not bought": {api.Legacy, true, func(*shop) {}, nil, store.NotCreated, 20 * time.Minute, "nothing"},
		"it was not bought, and there is no list": {
			api.Current, false, func(*shop) {}, nil, store.Undecided, 20 * time.Minute, "unclear",
		},
		"the money is gone and no order shows": {
			api.Current, false, func(s *shop) { s.service.balance = dzd.Int(800) }, nil, store.Undecided, 20 * time.Minute, "money gone",
		},
		"the balance moved by something else": {
			api.Current, false, func(s *shop) { s.service.balance = dzd.Int(700) }, nil, store.Undecided, 20 * time.Minute, "unclear",
		},
		"somebody else bought the same": {
			api.Legacy, true, func(s *shop) {
				for _, id := range []string{"6", "7", "8", "9"} {
					s.service.list = append(s.service.list, listed(id, time.Now()))
				}
				s.service.balance = dzd.Int(600)
			}, nil, store.Undecided, 20 * time.Minute, "too many",
		},
		"only one of the two shows": {
			api.Legacy, true, func(s *shop) {
				s.service.list = append(s.service.list, listed("8", time.Now()))
				s.service.balance = dzd.Int(900)
			}, nil, store.Undecided, 20 * time.Minute, "too few",
		},
		"the service does not answer": {
			api.Legacy, true, func(s *shop) { s.service.broken = &api.Error{Op: "any", Class: api.Upstream} }, nil, store.Undecided, 20 * time.Minute, "unclear",
		},
		"a list that is not known to show such orders": {
			api.Current, true, func(s *shop) {
				s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
			}, nil, store.Undecided, 20 * time.Minute, "untrusted",
		},
		"such a list, and the money is gone": {
			api.Current, true, func(s *shop) {
				s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
				s.service.balance = dzd.Int(800)
			}, nil, store.Accepted, time.Minute, "rows",
		},
		"the answer named its orders": {
			api.Current, true, func(s *shop) {
				s.service.list = append(s.service.list, listed("A", time.Now()), listed("B", time.Now()))
			}, []string{"A", "B"}, store.Accepted, time.Minute, "named",
		},
		"the answer named one of its two orders": {
			api.Current, true, func(s *shop) { s.service.list = append(s.service.list, listed("A", time.Now())) },
			[]string{"A"}, store.Accepted, time.Minute, "named",
		},
		"the answer named orders that do not exist": {
			api.Legacy, true, func(*shop) {}, []string{"X", "Y"}, store.NotCreated, 20 * time.Minute, "nothing",
		},
		"the answer named two orders, of which one does not show": {
			api.Legacy, true, func(s *shop) { s.service.list = append(s.service.list, listed("A", time.Now())) },
			[]string{"A", "B"}, store.Undecided, 20 * time.Minute, "too few",
		},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(c.generation)
				s.service.lists = c.lists
				s.service.list = []api.Order{listed("1", time.Now().Add(-100*24*time.Hour)), listed("2", time.Now().Add(-50*24*time.Hour))}
				p := s.lose(2, c.named...)
				c.after(s)
				s.processDue(c.within)
				p = s.is(p, c.want)
				if p.Evidence == nil || p.Evidence.Rule != c.rule {
					t.Errorf("the evidence is %+v, want the rule %q", p.Evidence, c.rule)
				}
				if c.want == store.Accepted && len(p.OrderIDs)+p.Missing != 2 {
					t.Errorf("the orders are %v, %d missing", p.OrderIDs, p.Missing)
				}
				s.sent(1)
				if a, err := s.store.Account(context.Background(), "u1"); err != nil || a.Busy != "" {
					t.Errorf("the account waits for %q, %v", a.Busy, err)
				}
			})
		})
	}
}

// TestOrdersThatAreOursProveNothing: an order of an earlier purchase that the list shows late is not taken for one of
// this purchase, nor is it in its way.
func TestOrdersThatAreOursProveNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		s.service.verdicts = []api.Verdict{{Outcome: api.Accepted, OrderIDs: []string{"8"}, Origin: api.FromLegacy}}
		s.is(s.buy(1), store.Accepted)
		p := s.lose(1)
		s.service.list = append(s.service.list, listed("8", time.Now()), listed("9", time.Now()))
		s.service.balance = dzd.Int(800)
		s.processDue(time.Minute)
		p = s.is(p, store.Accepted)
		if len(p.OrderIDs) != 1 || p.OrderIDs[0] != store.OrderID(string(api.FromLegacy), "9") {
			t.Errorf("its orders are %v", p.OrderIDs)
		}
	})
}

// TestLateOrderComesHome: what the service executes after it was called not bought is found all the same.
func TestLateOrderComesHome(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		p := s.lose(1)
		s.processDue(20 * time.Minute)
		s.is(p, store.NotCreated)
		s.service.list = append(s.service.list, listed("8", time.Now()))
		s.service.balance = dzd.Int(900)
		s.processDue(9 * time.Minute)
		s.is(p, store.Undecided) // it may be somebody else's: they were told that it was not bought
		if err := s.engine.Adopt(context.Background(), p.ID, 5, 5, []string{"8"}); err != nil {
			t.Fatal(err)
		}
		p = s.is(p, store.Accepted)
		s.settle(api.Order{ID: p.OrderIDs[0], Code: secret.New("LATE")})
		s.is(p, store.Settled)
	})
}

// TestClaimsAreExclusive: an order is given to one purchase, once.
func TestClaimsAreExclusive(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		first := s.lose(1)
		s.service.list = append(s.service.list, listed("8", time.Now()))
		s.service.balance = dzd.Int(900)
		s.processDue(time.Minute)
		first = s.is(first, store.Accepted)
		s.settle(api.Order{ID: first.OrderIDs[0], Code: secret.New("CODE-1")})
		s.watch(time.Minute)
		second := s.lose(1)
		s.processDue(20 * time.Minute)
		if p := s.is(second, store.NotCreated); len(p.OrderIDs) != 0 {
			t.Errorf("the second purchase was given %v", p.OrderIDs)
		}
	})
}

// TestSharedAccountAsksPeople: where others buy as well, an order that fits may be theirs.
func TestSharedAccountAsksPeople(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		s.update(func(tx *store.Tx) error {
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.OutsideAt = time.Now()
			return tx.PutAccount(&a)
		})
		p := s.lose(1)
		s.service.list = append(s.service.list, listed("8", time.Now()))
		s.service.balance = dzd.Int(900)
		s.processDue(20 * time.Minute)
		p = s.is(p, store.Undecided)
		if err := s.engine.Adopt(context.Background(), p.ID, 5, 5, []string{"8"}); err != nil {
			t.Fatal(err)
		}
		if p = s.is(p, store.Accepted); len(p.OrderIDs) != 1 || p.OrderIDs[0] != "legacy:8" {
			t.Errorf("the orders are %v", p.OrderIDs)
		}
	})
}

// TestKilledWhileLooking: what a killed process was looking for, the next one looks for at once, not when
// the claim of the dead is over.
func TestKilledWhileLooking(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		p := s.lose(1)
		s.service.list = append(s.service.list, listed("8", time.Now()))
		s.service.balance = dzd.Int(900)
		<-time.After(6 * time.Second)
		if due, err := s.store.ClaimPurchases(context.Background(), time.Now(), time.Hour, 9); err != nil || len(due) != 1 {
			t.Fatalf("claimed %v, %v", due, err)
		}
		s.close()
		s.open()
		s.processDue(3 * time.Second)
		s.is(p, store.Accepted)
	})
}

// TestPeopleAreAskedInTime: a short RECONCILE_FOR is kept, whatever the rhythm of the looks.
func TestPeopleAreAskedInTime(t *testing.T) {
	for _, patience := range []time.Duration{time.Second, 12 * time.Second, 3 * time.Minute} {
		t.Run(patience.String(), func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.close()
				s.patience = patience
				s.open()
				p := s.lose(1)
				s.service.broken = &api.Error{Op: "any", Class: api.Upstream}
				s.processDue(patience - time.Nanosecond)
				s.is(p, store.Unknown)
				s.processDue(4 * time.Second)
				s.is(p, store.Undecided)
			})
		})
	}
}

// TestUndecidedIsStillLookedFor: a person was asked, and the service comes back.
func TestUndecidedIsStillLookedFor(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.lists = true
		p := s.lose(1)
		s.service.broken = &api.Error{Op: "any", Class: api.Upstream}
		s.service.list = append(s.service.list, listed("8", time.Now()))
		s.service.balance = dzd.Int(900)
		s.processDue(20 * time.Minute)
		s.is(p, store.Undecided)
		s.service.broken = nil
		s.processDue(20 * time.Minute)
		s.is(p, store.Accepted)
	})
}

// TestUnreadableEntryIsNoSilence: an entry that came to the list and cannot be read may be the order that is looked for.
func TestUnreadableEntryIsNoSilence(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.list = []api.Order{{}} // this one was there before
		p := s.lose(1)
		s.processDue(20 * time.Minute)
		s.is(p, store.NotCreated)
		q := s.lose(1)
		s.service.list = append(s.service.list, api.Order{})
		s.processDue(20 * time.Minute)
		s.is(q, store.Undecided)
	})
}
