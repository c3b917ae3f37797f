package purchase_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// topup drafts a top-up of a player in somebody's private chat, by somebody who was told of some repeats.
func (s *shop) topup(user int64, variant int64, player *store.Player, answer string, told ...store.Purchase) store.Purchase {
	s.t.Helper()
	p, err := s.engine.Draft(context.Background(), purchase.Draft{
		Account: "u1", Chat: user, User: user, Message: 50, Product: api.Product{ID: 3, Name: "Card"},
		Variant: api.Variant{ID: variant, Name: "10 USD", Price: dzd.Int(100)}, Quantity: 1,
		Answers: []store.Answer{{Index: "0", Label: "ID", Value: answer}}, Player: player, Same: told,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// asksAbout fails the test unless a tap on ✅ is answered with a question about some purchases.
func (s *shop) asksAbout(err error, want ...store.Purchase) {
	s.t.Helper()
	var again *purchase.RepeatError
	if len(want) == 0 {
		if err != nil {
			s.t.Errorf("the tap is answered with %v", err)
		}
		return
	}
	if !errors.As(err, &again) {
		s.t.Errorf("the tap is answered with %v, want a question", err)
		return
	}
	var got, ids []string
	for _, p := range again.Same {
		got = append(got, p.ID)
	}
	for _, p := range want {
		ids = append(ids, p.ID)
	}
	if len(got) != len(ids) || got[0] != ids[0] {
		s.t.Errorf("it is asked about %v, want %v", got, ids)
	}
}

// TestRepeatsAreTheAccounts: the same item for the same player, or with the same answers, is asked about whoever of
// the account has bought it and in whatever chat, for ten minutes or as long as it is undecided.
func TestRepeatsAreTheAccounts(t *testing.T) {
	sampletest.Slow(t)
	amira := &store.Player{Game: "3", ID: "111", Name: "Amira", Status: store.PlayerValid}
	for name, c := range map[string]struct {
		after   time.Duration
		lost    bool
		refused bool
		status  int  // of the refusal, where the service itself has refused
		looks   bool // the balance is looked at meanwhile
		variant int64
		player  *store.Player
		answer  string
		asks    bool
	}{
		"the same":                {after: 38 * time.Second, variant: 7, player: amira, answer: "111", asks: true},
		"the same by its answers": {variant: 7, answer: " 111 ", asks: true},
		"the player's name alone": {variant: 7, player: &store.Player{Game: "3", ID: "111", Name: "Riad"}, answer: "other", asks: true},
		"another player":          {variant: 7, player: &store.Player{Game: "3", ID: "112"}, answer: "112"},
		"another game":            {variant: 7, player: &store.Player{Game: "4", ID: "111"}, answer: "other"},
		"another item":            {variant: 8, player: amira, answer: "111"},
		"after ten minutes":       {after: 10*time.Minute + time.Second, variant: 7, player: amira, answer: "111"},
		"just before":             {after: 9*time.Minute + 50*time.Second, variant: 7, player: amira, answer: "111", asks: true},
		"uncertain for long":      {after: 20 * time.Minute, lost: true, variant: 7, player: amira, answer: "111", asks: true},
		"refused":                 {refused: true, variant: 7, player: amira, answer: "111"},
		"refused by the service":  {after: 90 * time.Second, refused: true, status: 429, variant: 7, player: amira, answer: "111", asks: true},
		"refused, looked at soon": {after: 30 * time.Second, refused: true, status: 429, looks: true, variant: 7, player: amira, answer: "111", asks: true},
		"refused, and not seen":   {after: 12 * time.Minute, refused: true, status: 429, variant: 7, player: amira, answer: "111", asks: true},
		"refused, and seen":       {after: 3 * time.Minute, refused: true, status: 429, looks: true, variant: 7, player: amira, answer: "111"},
	} {
		t.Run(name, func(t *testing.T) {
			inTeam(t, func(s *shop) {
				switch {
				case c.lost:
					s.service.verdicts = []api.Verdict{{Outcome: api.Unknown, Reason: "timeout"}}
				case c.refused:
					s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Funds, Status: c.status}}
				}
				first := s.topup(amine, 7, amira, "111")
				s.asksAbout(s.confirm(first))
				if c.looks {
					s.live(c.after)
				} else {
					<-time.After(c.after)
				}
				second := s.topup(karim, c.variant, c.player, c.answer)
				list, err := s.engine.Repeats(context.Background(), "u1", second)
				if err != nil || (len(list) == 1) != c.asks {
					t.Errorf("it repeats %v, %v", list, err)
				}
				if !c.asks {
					s.asksAbout(s.confirm(second))
					return
				}
				s.asksAbout(s.confirm(second), first)
				s.is(second, store.Drafted)
				s.sent(1)
				s.asksAbout(s.confirm(s.topup(karim, c.variant, c.player, c.answer, list...))) // told, and wanted
				third := s.topup(lina, c.variant, c.player, c.answer, list...)                 // told of the first alone
				if err := s.confirm(third); err == nil {
					t.Error("a repeat that the summary did not tell of was bought")
				}
			})
		})
	}
}

// TestOneOfTwoTapsAsks: of two ✅ for the same player that are tapped at the same moment, one buys.
func TestOneOfTwoTapsAsks(t *testing.T) {
	inTeam(t, func(s *shop) {
		var wg sync.WaitGroup
		asked := make(chan error, 4)
		for _, user := range []int64{amine, lina, karim, karim} {
			p := s.topup(user, 7, nil, "111")
			wg.Go(func() {
				_, err := s.engine.Confirm(context.Background(), tap(p))
				asked <- err
			})
		}
		wg.Wait()
		synctest.Wait()
		n := 0
		for range 4 {
			if errors.As(<-asked, new(*purchase.RepeatError)) {
				n++
			}
		}
		if n != 3 {
			t.Errorf("%d of four taps ask", n)
		}
		s.sent(1)
	})
}

// TestOwnersAreToldOfRepeats: a question to the owners is one about the same too: asking for it, and approving it,
// tells first what was bought meanwhile.
func TestOwnersAreToldOfRepeats(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.limit(amount(0), nil)
		wanted := s.ask(s.topup(karim, 7, nil, "111"))
		first := s.topup(amine, 7, nil, "111")
		s.asksAbout(s.confirm(first))
		_, err := s.engine.Ask(context.Background(), tap(s.topup(karim, 7, nil, "111")))
		s.asksAbout(err, first)
		approve := func() error {
			_, err := s.engine.Approve(context.Background(), purchase.Tap{Purchase: wanted.ID, Nonce: wanted.Ask.Nonce, Chat: lina, User: lina})
			synctest.Wait()
			return err
		}
		s.asksAbout(approve(), first)
		if now := s.is(wanted, store.Asked); len(now.Same) != 1 || now.SameAt.IsZero() {
			t.Errorf("the question does not tell of it: %v %v", now.Same, now.SameAt)
		}
		s.sent(1)
		s.asksAbout(approve()) // seen
		s.sent(2)
	})
}

// TestRecentStaysSmall: what is remembered for the question does not grow.
func TestRecentStaysSmall(t *testing.T) {
	sampletest.Slow(t)
	inTeam(t, func(s *shop) {
		for n := range 30 {
			if n%3 == 0 {
				<-time.After(11 * time.Minute)
			}
			s.asksAbout(s.confirm(s.topup(amine, 7, nil, string(rune('a'+n)))))
			s.asksAbout(s.confirm(s.draftOf(amine, 1)))
		}
		a, err := s.store.Account(context.Background(), "u1")
		if err != nil || len(a.Recent) > 3 {
			t.Errorf("%d purchases are remembered, %v", len(a.Recent), err)
		}
	})
}

// TestRefusedIsRemembered: a refused top-up may turn out to have happened. It is asked about then, also where another player's was bought
// in between.
func TestRefusedIsRemembered(t *testing.T) {
	amira := &store.Player{Game: "3", ID: "111", Name: "Amira", Status: store.PlayerValid}
	inTeam(t, func(s *shop) {
		s.observe()
		s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: api.Limited, Status: 429}}
		first := s.topup(amine, 7, amira, "111")
		s.asksAbout(s.confirm(first))
		s.takes(100, 14*time.Minute)
		s.live(5 * time.Minute)
		s.is(first, store.Rejected)
		s.service.price = dzd.Int(100)
		s.asksAbout(s.confirm(s.topup(amine, 7, &store.Player{Game: "3", ID: "222", Name: "Riad", Status: store.PlayerValid}, "222")))
		s.takes(100, 0)
		s.live(15 * time.Minute)
		s.is(first, store.Undecided)
		s.asksAbout(s.confirm(s.topup(karim, 7, amira, "111")), first)
		s.sent(2)
	})
}

// TestPoorRefusalIsNotAsked: what the balance could not pay, and the service has refused for want of money, was not charged. Who adds money then
// and tries again is not asked. A reading alone does not tell: it may be older than the money.
func TestPoorRefusalIsNotAsked(t *testing.T) {
	for name, c := range map[string]struct {
		balance int64
		class   api.Class
		asks    bool
	}{
		"the balance could not pay":               {50, api.Funds, false},
		"the balance could":                       {500, api.Funds, true},
		"it was refused for something else":       {50, api.Limited, true},
		"and for something else, and money shows": {500, api.Limited, true},
	} {
		t.Run(name, func(t *testing.T) {
			inTeam(t, func(s *shop) {
				s.service.balance = dzd.Int(c.balance)
				s.stands()
				s.service.verdicts = []api.Verdict{{Outcome: api.Rejected, Class: c.class, Status: 403}}
				first := s.topup(amine, 7, nil, "111")
				s.asksAbout(s.confirm(first))
				s.takes(-500, time.Minute)
				s.live(7 * time.Minute)
				s.is(first, store.Rejected)
				if again := s.confirm(s.topup(karim, 7, nil, "111")); c.asks {
					s.asksAbout(again, first)
				} else {
					s.asksAbout(again)
				}
			})
		})
	}
}
