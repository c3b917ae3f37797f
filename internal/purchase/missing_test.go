package purchase_test

import (
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// leftOut has four units bought and paid, of which the lost answer names two, that show.
func leftOut(s *shop) store.Purchase {
	s.service.lists = true
	s.service.balance = dzd.Int(1000)
	s.observe()
	s.live(17 * time.Minute)
	s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"A", "B"}, Origin: api.FromCurrent}}
	p := s.is(s.buy(4), store.Unknown)
	for _, id := range []string{"A", "B"} {
		s.service.as(listed(id, time.Now()))
	}
	s.takes(400, 0)
	s.live(20 * time.Second)
	p = s.is(p, store.Accepted)
	if p.Missing != 2 || !p.SeeksMissing() {
		s.t.Fatalf("%d orders are missing, looked for %v", p.Missing, p.SeeksMissing())
	}
	return p
}

// TestLeftOutIsNoneOfItsOwn: orders that a purchase has already are none that it lacks, whatever generation the account has become since
// they were named.
func TestLeftOutIsNoneOfItsOwn(t *testing.T) {
	inShop(t, func(s *shop) {
		p := leftOut(s)
		s.generation(api.Legacy)
		s.shows(0, listed("A", time.Now()), listed("B", time.Now()))
		s.live(40 * time.Minute)
		if p = s.get(p.ID); p.Missing != 2 || len(p.OrderIDs) != 2 || p.SeeksMissing() {
			t.Errorf("%d orders are missing beside %v, looked for %v", p.Missing, p.OrderIDs, p.SeeksMissing())
		}
	})
}

// TestTheftIsNoPrice: money was gone before a purchase was sent, as much as the one order costs that its answer names of two. That the
// service has sold one alone is not concluded from it: both were charged.
func TestTheftIsNoPrice(t *testing.T) {
	inShop(t, func(s *shop) {
		s.observe()
		s.live(17 * time.Minute)
		s.shown(900)
		s.live(2 * time.Minute)
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"A"}, Origin: api.FromCurrent}}
		p := s.is(s.buy(2), store.Unknown)
		s.service.as(listed("A", time.Now()))
		s.live(20 * time.Second)
		p = s.is(p, store.Accepted)
		done := listed("A", time.Now())
		done.ID, done.Status, done.Code = p.OrderIDs[0], "completed", secret.New("CODE-A")
		s.settle(done)
		s.takes(200, 0)
		s.live(time.Minute)
		if p = s.get(p.ID); p.Charged != nil {
			t.Errorf("%v of 200 is said to be charged", *p.Charged)
		}
	})
}

// TestLeftOutIsLookedForOnce: once people were told that orders are missing they are not looked for anew, also where one that was
// found is not shown any more.
func TestLeftOutIsLookedForOnce(t *testing.T) {
	inShop(t, func(s *shop) {
		p := leftOut(s)
		done := listed("A", time.Now())
		done.ID, done.Status = p.OrderIDs[0], "completed"
		wait := listed("B", time.Now())
		wait.ID, wait.Status = p.OrderIDs[1], "processing"
		s.settle(done, wait)
		s.live(40 * time.Minute)
		if p = s.get(p.ID); p.SeeksMissing() || !p.Told.Missing {
			t.Fatalf("looked for %v, told %v", p.SeeksMissing(), p.Told.Missing)
		}
		s.update(func(tx *store.Tx) error {
			now, err := tx.Purchase(p.ID)
			if err != nil {
				return err
			}
			now.LookAt = time.Now() // as where an order is gone
			return tx.PutPurchase(&now)
		})
		if p = s.get(p.ID); p.SeeksMissing() || !p.NeedsSupport(nil) {
			t.Errorf("looked for %v, something for support %v", p.SeeksMissing(), p.NeedsSupport(nil))
		}
	})
}

// TestLeftOutIsTakenAsItIs: what was found is not taken where the orders that were named turn out to be all of the purchase
// meanwhile.
func TestLeftOutIsTakenAsItIs(t *testing.T) {
	inShop(t, func(s *shop) {
		p := leftOut(s)
		whole := []api.Order{listed("A", time.Now()), listed("B", time.Now())}
		for i := range whole {
			whole[i].ID, whole[i].Price, whole[i].Status = p.OrderIDs[i], dzd.Int(200), "processing"
		}
		s.settle(whole...)
		s.shows(0, listed("C", time.Now()), listed("D", time.Now()))
		s.live(40 * time.Minute)
		if p = s.get(p.ID); p.Missing != 0 || len(p.OrderIDs) != 2 || p.SeeksMissing() {
			t.Errorf("%d orders are missing beside %v, looked for %v", p.Missing, p.OrderIDs, p.SeeksMissing())
		}
	})
}

// TestLeftOutOutlastsAnOutage: looks that could not read the list have found nothing out: the search goes on behind them, and
// ends all the same where the list never comes back.
func TestLeftOutOutlastsAnOutage(t *testing.T) {
	for name, c := range map[string]struct {
		out  time.Duration // for how long the list cannot be read
		step bool          // the clock on the wall is set back meanwhile
		want int           // orders that are found of the four
	}{
		"it comes back":          {out: 40 * time.Minute, want: 4},
		"it does not":            {out: 8 * time.Hour, want: 2},
		"nor does the clock run": {out: 8 * time.Hour, step: true, want: 2},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.service.balance = dzd.Int(1000)
				s.observe()
				s.live(17 * time.Minute)
				s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"1", "2"}, Origin: api.FromLegacy}}
				p := s.is(s.buy(4), store.Unknown)
				s.takes(400, 0)
				s.shows(0, listed("1", time.Now()), listed("2", time.Now()), listed("3", time.Now()), listed("4", time.Now()))
				s.live(8 * time.Second)
				p = s.is(p, store.Accepted)
				s.after(0, func(at *service) { at.unlisted = &api.Error{Op: "history", Class: api.Upstream} })
				s.after(c.out, func(at *service) { at.unlisted = nil })
				if c.step {
					s.step(p, -2*time.Hour)
					s.update(func(tx *store.Tx) error { // else it would be looked for in two hours
						now, err := tx.Purchase(p.ID)
						if err != nil {
							return err
						}
						now.LookAt = time.Now()
						return tx.PutPurchase(&now)
					})
				}
				s.live(2 * time.Hour)
				if p = s.get(p.ID); len(p.OrderIDs) != c.want || p.Missing != 4-c.want || p.SeeksMissing() || !p.LookAt.IsZero() {
					t.Errorf("%d orders are missing beside %v, looked for %v, next at %v", p.Missing, p.OrderIDs, p.SeeksMissing(), p.LookAt)
				}
			})
		})
	}
}

// TestLeftOutOutlastsKills: for how long a list was waited for outlasts kills and an outage of the program itself. An order that an answer left out,
// and that the list shows all the time, is found once that is over, also where it is not known how late the list is.
func TestLeftOutOutlastsKills(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		known  bool          // how late the list is
		down   time.Duration // once, behind the first look
		ahead  time.Duration // by how much the clock on the wall is set then
		lives  time.Duration // of one process each, two seconds apart; 0 where none is killed
		within time.Duration // of the purchase it is found
	}{
		"an outage, lags known":         {known: true, down: 90 * time.Minute, within: 100 * time.Minute},
		"an outage":                     {down: 90 * time.Minute, within: 110 * time.Minute},
		"two days, lags known":          {known: true, down: 48 * time.Hour, within: 48*time.Hour + 10*time.Minute},
		"two days":                      {down: 48 * time.Hour, within: 48*time.Hour + 20*time.Minute},
		"a clock set ahead, lags known": {known: true, ahead: 48 * time.Hour, within: 10 * time.Minute},
		"a clock set ahead":             {ahead: 48 * time.Hour, within: 20 * time.Minute},
		"a kill a minute, lags known":   {known: true, lives: time.Minute, within: 8 * time.Minute},
		"a kill a minute":               {lives: time.Minute, within: 25 * time.Minute},
		"a night, then a kill a minute": {down: 7 * time.Hour, lives: time.Minute, within: 7*time.Hour + 30*time.Minute},
		"a kill in each twenty seconds": {lives: 20 * time.Second, within: 40 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				if !c.known {
					s.account(func(a *store.Account) { a.Lags = nil })
				}
				s.service.balance = dzd.Int(1000)
				s.observe()
				s.live(17 * time.Minute)
				s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"1", "2"}, Origin: api.FromLegacy}}
				at := time.Now()
				p := s.is(s.buy(4), store.Unknown)
				s.takes(400, 0)
				s.shows(0, listed("1", at), listed("2", at), listed("3", at), listed("4", at))
				s.live(20 * time.Second)
				p = s.is(p, store.Accepted)
				if c.down > 0 {
					s.close()
					<-time.After(c.down)
					s.open()
				}
				if c.ahead > 0 {
					s.step(p, c.ahead)
					for i := range s.service.list {
						s.service.list[i].CreatedAt = at.Add(-c.ahead)
					}
				}
				for s.get(p.ID).SeeksMissing() && time.Since(at) < c.within {
					if c.lives == 0 {
						s.live(time.Minute)
						continue
					}
					s.live(c.lives)
					s.close()
					<-time.After(2 * time.Second)
					s.open()
				}
				if p = s.get(p.ID); p.Missing != 0 {
					t.Errorf("after %s %d orders are missing, looked for %v", time.Since(at), p.Missing, p.SeeksMissing())
				}
			})
		})
	}
}

// TestLeftOutAfterAStep: a clock on the wall that was set ahead makes no list old enough to tell: what somebody else has bought
// in the same second is not taken because the balance and the list still lag.
func TestLeftOutAfterAStep(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.account(func(a *store.Account) { a.Lags = nil }) // how late it shows things is not known
		s.service.balance = dzd.Int(1000)
		s.observe()
		s.live(17 * time.Minute)
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"1", "2"}, Origin: api.FromLegacy}}
		p := s.is(s.buy(3), store.Unknown)
		s.takes(300, 0)
		at := time.Now()
		s.shows(0, listed("1", at), listed("2", at), listed("9", at)) // theirs
		s.takes(100, 14*time.Minute)                                  // which they have paid
		s.live(20 * time.Second)
		p = s.is(p, store.Accepted)
		s.step(p, time.Hour)
		s.after(0, func(service *service) {
			for i := range service.list { // made an hour ago, too
				service.list[i].CreatedAt = at.Add(-time.Hour)
			}
		})
		s.shows(14*time.Minute, listed("3", at.Add(-time.Hour)))
		s.live(2 * time.Hour)
		if p = s.get(p.ID); len(p.OrderIDs) != 2 || p.Missing != 1 || p.SeeksMissing() {
			t.Errorf("%d orders are missing beside %v, looked for %v", p.Missing, p.OrderIDs, p.SeeksMissing())
		}
	})
}

// TestLeftOutOfTwoKeys: where another purchase of the item lacks an order too, that was sent with a key which may open the same
// wallet, what shows is given to none.
func TestLeftOutOfTwoKeys(t *testing.T) {
	inShop(t, func(s *shop) {
		p := leftOut(s)
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"O"}, Origin: api.FromCurrent}}
		theirs := s.otherKeyBuysSome(3)
		s.service.as(listed("O", time.Now()))
		s.live(20 * time.Second)
		if theirs = s.is(theirs, store.Accepted); theirs.Missing != 2 {
			t.Fatalf("of theirs %d are missing", theirs.Missing)
		}
		codes := []api.Order{withCode(listed("21", time.Now()), "AAAA-1111"), withCode(listed("22", time.Now()), "BBBB-2222")}
		for i := range codes {
			o := codes[i]
			o.ID, o.Status = p.OrderIDs[i], "completed"
			s.settle(o)
		}
		s.shows(0, append(codes, listed("23", time.Now()), listed("24", time.Now()))...)
		s.live(40 * time.Minute)
		if p = s.get(p.ID); p.Missing != 2 || len(p.OrderIDs) != 2 || p.SeeksMissing() {
			t.Errorf("%d orders are missing beside %v, looked for %v", p.Missing, p.OrderIDs, p.SeeksMissing())
		}
	})
}

// TestAllOfItAtAnotherPrice: an answer names one order of two, and the list another price than was shown. What both would cost by it may be
// what was charged, also where the next purchase has the price of one: a reading that may lack either is no evidence, and the unit of
// which no order is known is looked for on.
func TestAllOfItAtAnotherPrice(t *testing.T) {
	for name, c := range map[string]struct {
		first, then int64 // what a reading lacks before and after the next purchase has shown
		charged     int64
		moved       []string
		seeks       bool
	}{
		"both were sold": {first: 300, then: 150, charged: 300, moved: []string{"bought -200", "bought -150", "corrected -100"}, seeks: true},
		"one was sold":   {first: 150, then: 150, charged: 150, moved: []string{"bought -200", "corrected 50", "bought -150"}},
		"one was sold, and shows with the next one": {first: 300, charged: 150, moved: []string{"bought -200", "bought -150", "corrected 50"}},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = true
				s.service.balance = dzd.Int(1000)
				s.observe()
				s.live(17 * time.Minute)
				s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"A"}, Origin: api.FromCurrent}}
				p := s.is(s.buy(2), store.Unknown)
				dear := listed("A", time.Now())
				dear.Price = dzd.Int(150)
				s.service.as(dear)
				s.live(10 * time.Second)
				s.names(s.is(p, store.Accepted), 150)
				s.service.price = dzd.Int(150)
				if name == "one was sold" {
					s.takes(c.first, 0)
					s.live(20 * time.Second)
				}
				s.service.verdicts = nil
				s.buyPrice("150")
				if name != "one was sold" {
					s.takes(c.first, 0)
				}
				s.live(10 * time.Second)
				s.takes(c.then, 0)
				s.live(2 * time.Hour)
				if p = s.get(p.ID); p.Charged == nil || !p.Charged.Equal(dzd.Int(c.charged)) || p.PaidAll != c.seeks {
					t.Errorf("it was charged %v, for all of it %v", p.Charged, p.PaidAll)
				}
				equal(t, s.movements(), c.moved...)
			})
		})
	}
}

// TestOneUnitAndTheNext: two units were to cost 200, the answer names one order, and that names 100. Where 200 go once another purchase of 100 has
// been made, these are the two units, or one of them and the other purchase: the balance tells once it has to show that one as well.
func TestOneUnitAndTheNext(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		apart   time.Duration // between the purchases
		late    time.Duration // the balance, for all that is charged
		then    int64         // goes for the second
		charged *dzd.Amount
		moved   []string
	}{
		"one was sold":                   {late: 3 * time.Minute, charged: amount(100), moved: []string{"bought -200", "bought -100", "corrected 100"}},
		"both were sold":                 {apart: time.Minute, late: 3 * time.Minute, then: 100, moved: []string{"bought -200", "bought -100"}},
		"both were sold, and show later": {apart: 13 * time.Minute, late: 14 * time.Minute, then: 100, moved: []string{"bought -200", "bought -100"}},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.service.lists = true
				s.stands()
				s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "wrong number of orders", OrderIDs: []string{"A"}, Origin: api.FromCurrent}}
				p := s.buy(2)
				s.service.as(listed("A", time.Now()))
				s.live(10 * time.Second)
				s.names(s.is(p, store.Accepted), 100)
				s.service.verdicts = nil
				if c.then > 0 {
					s.takes(200, c.late)
				}
				s.live(c.apart)
				s.buyPrice("100")
				if c.then == 0 {
					s.takes(200, c.late)
				}
				s.takes(c.then, c.late)
				s.live(5 * time.Hour)
				s.observe()
				p = s.get(p.ID)
				if same := p.Charged == nil && c.charged == nil || p.Charged != nil && c.charged != nil && p.Charged.Equal(*c.charged); !same || p.Told.Missing != (c.charged == nil) {
					t.Errorf("it is said that %v was charged; that a unit is missing: %v", p.Charged, p.Told.Missing)
				}
				equal(t, s.movements(), c.moved...)
			})
		})
	}
}
