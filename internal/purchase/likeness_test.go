package purchase_test

import (
	"context"
	"slices"
	"testing"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// TestLikenessNeedsBothFigures: a key is one of an account that is known by what it has bought, however its codes are
// written there, and by the balance; one that lacks a figure is no balance.
func TestLikenessNeedsBothFigures(t *testing.T) {
	inShop(t, func(s *shop) {
		_, id := s.bought(false)
		s.settle(coded(id, "completed", "AAAA-BBBB-1234"))
		s.observe()
		s.service.mu.Lock()
		s.service.lists, s.service.list = true, []api.Order{{ID: "9", ProductName: "Card", VariantName: "10", Code: secret.New("AAAABBBB1234")}}
		s.service.mu.Unlock()
		a, err := s.store.Account(context.Background(), "u1")
		if err != nil {
			t.Fatal(err)
		}
		for name, lacks := range map[string]bool{"both figures": false, "one": true} {
			l, err := s.engine.Likeness(context.Background(), a, s.service, api.Account{Balance: a.Wallet.Available, Available: a.Wallet.Available, Lacks: lacks})
			if err != nil || l.Found != 1 || l.Known == lacks || l.Same() == lacks {
				t.Errorf("%s: %+v, %v", name, l, err)
			}
		}
		if l, _ := s.engine.Likeness(context.Background(), store.Account{ID: "u1"}, s.service, api.Account{}); l.Known {
			t.Errorf("nothing was read: %+v", l)
		}
	})
}

// TestLikenessOfWhatWasBoughtSince: the balance of an account is compared as it was read, under its own key where that is good, and as it has to
// be with what was bought since taken out.
func TestLikenessOfWhatWasBoughtSince(t *testing.T) {
	inShop(t, func(s *shop) {
		s.observe()
		s.is(s.buy(1), store.Accepted)
		s.takes(100, 0)
		now := s.owns()
		left := now
		left.Key = secret.Text{}
		for name, c := range map[string]struct {
			a        store.Account
			was, due int64
			same     []int64
		}{
			"its key is good": {now, 900, 900, []int64{900}},
			"its key is gone": {left, 1000, 900, []int64{1000, 900}},
		} {
			for shows := int64(700); shows <= 1000; shows += 100 {
				l, err := s.engine.Likeness(context.Background(), c.a, s.service, api.Account{Balance: dzd.Int(shows), Available: dzd.Int(shows)})
				if err != nil || !l.Known || !l.Was.Equal(dzd.Int(c.was)) || !l.Due.Equal(dzd.Int(c.due)) {
					t.Errorf("%s: beside a key that shows %d: %+v, %v", name, shows, l, err)
				}
				l.Found = 1
				if l.Same() != slices.Contains(c.same, shows) {
					t.Errorf("%s: a key that shows %d is the same: %v", name, shows, l.Same())
				}
			}
		}
	})
}
