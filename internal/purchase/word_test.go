package purchase_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestDeniedCountsNoMore: what a person called not bought comes off its buyer's limit, and counts again once it may have
// been bought after all.
func TestDeniedCountsNoMore(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.service.lists = false
		s.limit(nil, amount(100))
		s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
		p := s.draftOf(karim, 1)
		if err := s.confirm(p); err != nil {
			t.Fatal(err)
		}
		s.processDue(20 * time.Minute)
		s.is(p, store.Undecided)
		spent := func() string {
			m, _ := s.owns().Member(karim)
			return m.Spent.String()
		}
		if got := spent(); got != "100" {
			t.Errorf("an undecided purchase counts %s", got)
		}
		s.denies(p)
		if got := spent(); got != "0" {
			t.Errorf("one that is called not bought counts %s", got)
		}
		s.takes(100, 0)
		s.observe()
		s.is(p, store.Undecided)
		if got := spent(); got != "100" {
			t.Errorf("one that may have been bought counts %s", got)
		}
	})
}

// TestDoubtedWhileASummaryIsOpen: what was said not to be bought may have been, while a summary of the same item is open.
// Its ✅ buys nothing before that is asked about; what was not shown before is asked about once.
func TestDoubtedWhileASummaryIsOpen(t *testing.T) {
	inShop(t, func(s *shop) {
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.OutOfStock, Status: 400}}
		first := s.is(s.buy(1), store.Rejected)
		open := s.draft(1)
		<-time.After(time.Second)
		s.takes(100, 0)
		s.observe()
		s.is(first, store.Undecided)
		s.asksAbout(s.confirm(open), first)
		s.is(open, store.Drafted)
		<-time.After(time.Second)
		s.asksAbout(s.confirm(s.draft(1)), first) // the same once more
		for _, later := range []store.Purchase{s.draft(1, first), s.draft(2)} {
			if err := s.confirm(later); errors.As(err, new(*purchase.RepeatError)) {
				t.Errorf("what was shown before the summary is asked about: %v", err)
			}
		}
	})
}

// TestRefusedAfterADismissal: a person has said that an order which fits is somebody else's. What the service refuses
// afterwards, and executes all the same, is told whatever they have said.
func TestRefusedAfterADismissal(t *testing.T) {
	sampletest.Slow(t)
	for name, c := range map[string]struct{ charged, bought bool }{
		"not bought, nothing gone": {},
		"not bought, price gone":   {charged: true},
		"closed":                   {bought: true},
		"closed, price gone":       {charged: true, bought: true},
	} {
		for later, shows := range map[string]struct{ order, money bool }{"order": {order: true}, "money": {money: true}, "both": {true, true}} {
			t.Run(name+", "+later, func(t *testing.T) {
				inShop(t, func(s *shop) {
					s.generation(api.Legacy)
					first := s.lose(1)
					s.shows(0, listed("8", time.Now()))
					if c.charged {
						s.takes(100, 0)
					}
					s.account(func(a *store.Account) { a.OutsideAt = time.Now() })
					s.live(20 * time.Minute)
					s.is(first, store.Undecided)
					s.account(func(a *store.Account) { a.OutsideAt = time.Time{} }) // the person's word is the only sign of others
					if err := s.engine.Decide(context.Background(), first.ID, 5, 5, c.bought); err != nil {
						t.Fatal(err)
					}
					s.live(5 * time.Minute)
					s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Invalid, Status: 422}}
					second := s.is(s.buy(1), store.Rejected)
					if shows.order {
						s.shows(15*time.Second, listed("9", time.Now().Add(15*time.Second)))
					}
					if shows.money {
						s.takes(100, 15*time.Second)
					}
					s.live(3 * time.Minute)
					s.is(second, store.Undecided)
				})
			})
		}
	}
}

// TestOthersMoneyIsNamed: what other purchases of the bot took since a purchase is kept beside the balance that a person
// reads before they decide about it, also what was taken late for one of before.
func TestOthersMoneyIsNamed(t *testing.T) {
	for want, late := range map[string]bool{"-200": false, "-300": true} {
		inShop(t, func(s *shop) {
			s.service.lists = false
			s.is(s.buy(1), store.Accepted)
			if !late {
				s.takes(100, 0)
			}
			s.live(time.Minute)
			first := s.lose(1)
			s.processDue(30 * time.Second)
			if err := s.engine.LetGo(context.Background(), first.ID, 5); err != nil {
				t.Fatal(err)
			}
			s.is(s.buy(2), store.Accepted)
			s.takes(200, 0)
			if late {
				s.takes(100, 0)
			}
			s.processDue(20 * time.Minute)
			if ev := s.is(first, store.Undecided).Evidence; ev == nil || ev.Others.String() != want {
				t.Errorf("the evidence is %+v, want %s of others", ev, want)
			}
			// Also once the wallet has forgotten when it showed, and people still have to decide.
			s.processDue(3 * time.Hour)
			if ev := s.is(first, store.Undecided).Evidence; ev == nil || ev.Others.String() != want {
				t.Errorf("hours later the evidence is %+v, want %s of others", ev, want)
			}
			// And once the balance can be read again, which could not be read meanwhile.
			s.service.lacks = true
			s.processDue(time.Hour)
			s.service.lacks = false
			s.processDue(time.Hour)
			if ev := s.is(first, store.Undecided).Evidence; ev == nil || ev.Others.String() != want {
				t.Errorf("behind looks without a balance the evidence is %+v, want %s of others", ev, want)
			}
		})
	}
}
