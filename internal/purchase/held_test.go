package purchase_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/store"
)

// TestLetGo: an owner's word, and nobody else's, takes an uncertain purchase out of the way: the next one goes at
// once, the wallet starts anew, and the uncertain one waits for a decision.
func TestLetGo(t *testing.T) {
	inTeam(t, func(s *shop) {
		first := s.lose(1)
		second := s.draftOf(karim, 1)
		if err := s.confirm(second); err != nil {
			t.Fatal(err)
		}
		s.is(second, store.Queued)
		for _, user := range []int64{karim, nadia, 99} {
			if err := s.engine.LetGo(context.Background(), first.ID, user); !errors.Is(err, purchase.ErrNotAllowed) {
				t.Errorf("%d lets the others go: %v", user, err)
			}
		}
		s.is(second, store.Queued)
		if err := s.engine.LetGo(context.Background(), first.ID, lina); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.is(first, store.Undecided)
		if asked := s.waiting(lina); !slices.Contains(asked, store.Decision) {
			t.Errorf("who let the others go is told %v", asked)
		}
		s.is(second, store.Accepted)
		a, err := s.store.Account(context.Background(), "u1")
		if err != nil || a.Busy != "" || len(a.Queue) != 0 {
			t.Errorf("the account is busy with %q, its line is %v, %v", a.Busy, a.Queue, err)
		}
		for id, want := range map[string]error{first.ID: purchase.ErrStale, second.ID: purchase.ErrStale, "nothing": purchase.ErrStale} {
			if err := s.engine.LetGo(context.Background(), id, lina); !errors.Is(err, want) {
				t.Errorf("let go of %s: %v", id, err)
			}
		}
		if err := s.engine.Decide(context.Background(), first.ID, amine, amine, false); err != nil {
			t.Error(err)
		}
		s.sent(2)
	})
}

// TestPlaceEnds: a place in line ends after two minutes by itself, with the reason that holds, and one whose turn
// has come does not.
func TestPlaceEnds(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.service.balance = dzd.Int(1_000_000)
		first := s.lose(1)
		second := s.draftOf(karim, 1)
		if err := s.confirm(second); err != nil {
			t.Fatal(err)
		}
		s.processDue(110 * time.Second)
		s.is(second, store.Queued)
		s.processDue(15 * time.Second)
		if p := s.is(second, store.Dropped); p.Reason != store.ReasonHeld {
			t.Errorf("the reason is %q", p.Reason)
		}
		s.is(first, store.Unknown)
		rows, err := s.store.ChatOutbox(context.Background(), karim, 20)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[store.OutKind]bool{}
		for _, row := range rows {
			kinds[row.Kind] = kinds[row.Kind] || row.Purchase == second.ID
		}
		if !kinds[store.StatusMessage] || !kinds[store.Ping] {
			t.Errorf("its buyer is told by %v", kinds)
		}
	})
	inTeam(t, func(s *shop) { // others are just slow
		s.service.takes = 3 * time.Minute
		s.draftAndConfirm(amine)
		second := s.draftAndConfirm(karim)
		s.processDue(2*time.Minute + 5*time.Second)
		if p := s.is(second, store.Dropped); p.Reason != store.ReasonWaited {
			t.Errorf("the reason is %q", p.Reason)
		}
	})
	inTeam(t, func(s *shop) { // its turn has come, and it takes long
		s.service.takes = 5 * time.Minute
		p := s.draftAndConfirm(amine)
		s.processDue(4 * time.Minute)
		s.is(p, store.Submitting)
	})
}

// TestTurnWhileTheServiceIsDown: a purchase whose turn comes while the service does not answer waits as long as its place
// lasts, goes once where the service is back, and ends with the reason that holds where it is not. Who is behind it ends too.
func TestTurnWhileTheServiceIsDown(t *testing.T) {
	down := func(s *shop, err error) {
		s.service.mu.Lock()
		defer s.service.mu.Unlock()
		s.service.broken = err
	}
	outage := &api.Error{Class: api.Upstream}
	inTeam(t, func(s *shop) { // it is back in time
		down(s, outage)
		p := s.draftAndConfirm(amine)
		s.processDue(100 * time.Second)
		if p := s.is(p, store.Queued); p.Reason != store.ReasonOutage {
			t.Errorf("it waits for %q", p.Reason)
		}
		down(s, nil)
		s.processDue(16 * time.Second)
		if p := s.is(p, store.Accepted); p.Reason != "" || p.Attempts != 1 {
			t.Errorf("the reason is %q, the attempts are %d", p.Reason, p.Attempts)
		}
		s.sent(1)
	})
	inTeam(t, func(s *shop) { // it stays away
		down(s, outage)
		p := s.draftAndConfirm(amine)
		s.processDue(time.Second)
		behind := s.draftAndConfirm(karim)
		s.processDue(2 * time.Minute)
		if p := s.is(p, store.Dropped); p.Reason != store.ReasonOutage || !p.ClosedAt.Equal(p.QueuedAt.Add(2*time.Minute)) {
			t.Errorf("the reason is %q, it ended after %v", p.Reason, p.ClosedAt.Sub(p.QueuedAt))
		}
		s.processDue(2 * time.Second)
		s.is(behind, store.Dropped)
		down(s, nil)
		s.processDue(5 * time.Minute)
		s.sent(0)
	})
	inTeam(t, func(s *shop) { // a limit on readings is waited for where that is soon over
		down(s, &api.Error{Class: api.Limited, RetryAfter: 20 * time.Second})
		p := s.draftAndConfirm(amine)
		s.processDue(10 * time.Second)
		s.is(p, store.Queued)
		down(s, nil)
		s.processDue(11 * time.Second)
		s.is(p, store.Accepted)
		s.sent(1)
	})
	inTeam(t, func(s *shop) { // and not where it outlives the place
		down(s, &api.Error{Class: api.Limited, RetryAfter: 3 * time.Minute})
		if p := s.is(s.draftAndConfirm(amine), store.Rejected); p.Reason != "limited" {
			t.Errorf("the reason is %q", p.Reason)
		}
		s.sent(0)
	})
}

// draftAndConfirm buys one unit in somebody's chat.
func (s *shop) draftAndConfirm(user int64) store.Purchase {
	s.t.Helper()
	p := s.draftOf(user, 1)
	if err := s.confirm(p); err != nil {
		s.t.Fatal(err)
	}
	return p
}

// TestPlaceThatEndsWhileItIsLookedAt: a place that ends between the last look and the commit of the intent is not
// submitted any more.
func TestPlaceThatEndsWhileItIsLookedAt(t *testing.T) {
	inTeam(t, func(s *shop) {
		s.service.looking = func() {
			s.service.looking = nil
			<-time.After(2*time.Minute + time.Second)
			if err := s.engine.ProcessDue(context.Background()); err != nil {
				t.Error(err)
			}
		}
		p := s.draftOf(amine, 1)
		if err := s.confirm(p); err != nil {
			t.Fatal(err)
		}
		<-time.After(3 * time.Minute)
		synctest.Wait()
		s.is(p, store.Dropped)
		s.sent(0)
		next := s.draftAndConfirm(amine)
		s.is(next, store.Accepted)
	})
}

// letGo has the buyer, as an owner, let others go before an uncertain purchase.
func (s *shop) letGo(p store.Purchase) {
	s.t.Helper()
	if err := s.engine.LetGo(s.t.Context(), p.ID, 5); err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
}
