package purchase_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// TestBoughtJustBefore: one of the same was bought moments before an answer is lost, and its price shows only after that: as
// much would be gone for either. By the time at which each must show, it is known whose it is, and nobody is asked.
func TestBoughtJustBefore(t *testing.T) {
	for name, c := range map[string]struct {
		executed func(*shop) // of the one whose answer was lost
		want     store.Phase
		rule     string
	}{
		"it was not executed": {func(*shop) {}, store.NotCreated, store.RuleNothing},
		"it was": {func(s *shop) {
			s.takes(100, 55*time.Second)
			s.shows(10*time.Second, listed("9", time.Now()))
		}, store.Accepted, store.RuleRows},
		"it was, and money came, while the list does not show it": {func(s *shop) {
			s.takes(-100, 2*time.Minute)
			s.takes(100, 4*time.Minute)
		}, store.Undecided, store.RuleUnclear},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(s *shop) {
				s.generation(api.Legacy)
				s.answers(api.FromLegacy, "8")
				first := s.is(s.buy(1), store.Accepted)
				s.takes(100, 50*time.Second)
				s.shows(0, listed("8", time.Now()))
				s.settle(api.Order{ID: s.get(first.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-8")})
				s.live(4 * time.Second)
				p := s.lose(1)
				c.executed(s)
				s.live(19 * time.Minute)
				s.decidedBy(p, c.want, c.rule)
				s.is(first, store.Settled)
			})
		})
	}
}

// TestTraceOfAnother: the list shows an order under a number of its own that fits, until its code tells that it is the one which
// was bought moments before. It is no trace of the other then.
func TestTraceOfAnother(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Current)
		s.answers(api.FromCurrent, "ORD-1")
		s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		s.live(30 * time.Second)
		p := s.lose(1)
		s.shows(0, listed("5001", time.Now()))
		s.live(time.Minute)
		s.settle(api.Order{ID: "ORD-1", Status: "completed", Code: secret.New("CODE-5001-AAAA")})
		s.after(0, func(at *service) { at.list[0] = withCode(at.list[0], "CODE-5001-AAAA") })
		s.live(18 * time.Minute)
		s.decidedBy(p, store.NotCreated, store.RuleNothing)
	})
}

// TestSentWhilePricesAreUnclear: an answer is lost while it is not clear whose price is gone, that of a purchase which was accepted
// or that of one which a person has to decide about. By the time at which it must be the former's, it is known what became of the
// lost one.
func TestSentWhilePricesAreUnclear(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.service.unlisted = &api.Error{Op: "history", Class: api.Upstream}
		doubtful := s.lose(1)
		s.live(20 * time.Minute)
		s.is(doubtful, store.Undecided)
		s.service.unlisted = nil
		s.answers(api.FromLegacy, "80")
		first := s.is(s.buy(1), store.Accepted)
		s.takes(100, 10*time.Second)
		s.shows(0, listed("80", time.Now()))
		s.settle(api.Order{ID: s.get(first.ID).OrderIDs[0], Status: "completed", Code: secret.New("CODE-80")})
		s.live(2 * time.Minute)
		p := s.lose(1)
		s.live(19 * time.Minute)
		s.decidedBy(p, store.NotCreated, store.RuleNothing)
	})
}

// TestUnreadListTeachesNothing: nothing is learned of how late a list is from a time in which it could not be read.
func TestUnreadListTeachesNothing(t *testing.T) {
	inShop(t, func(s *shop) {
		s.generation(api.Legacy)
		s.stands()
		s.account(func(a *store.Account) { a.Lags = nil })
		s.service.unlisted = &api.Error{Op: "history", Class: api.Upstream}
		s.accepts("10 USD", 1, 100, "1")
		s.live(10 * time.Minute)
		s.service.unlisted = nil
		s.live(5 * time.Minute)
		for name, lag := range s.owns().Lags {
			if strings.HasPrefix(name, "list/") && lag.Longest > time.Minute {
				t.Errorf("the list %s is said to be %s late", name, lag.Longest)
			}
		}
	})
}
