package purchase_test

import (
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
		a, err := s.store.Account(t.Context(), "u1")
		if err != nil {
			t.Fatal(err)
		}
		for name, lacks := range map[string]bool{"both figures": false, "one": true} {
			l, err := s.engine.Likeness(t.Context(), a, s.service, api.Account{Balance: a.Wallet.Available, Available: a.Wallet.Available, Lacks: lacks})
			if err != nil || l.Found != 1 || l.Known == lacks || l.Same() == lacks {
				t.Errorf("%s: %+v, %v", name, l, err)
			}
		}
		if l, _ := s.engine.Likeness(t.Context(), store.Account{ID: "u1"}, s.service, api.Account{}); l.Known {
			t.Errorf("nothing was read: %+v", l)
		}
	})
}

// TestLikenessOfWhatWasBoughtSince: the balance of an account is compared as it has to be by now, whether or not a reading shows yet what was
// bought since.
func TestLikenessOfWhatWasBoughtSince(t *testing.T) {
	inShop(t, func(s *shop) {
		s.observe()
		s.is(s.buy(1), store.Accepted)
		a, err := s.store.Account(t.Context(), "u1")
		if err != nil {
			t.Fatal(err)
		}
		for shows, was := range map[int64]int64{1000: 1000, 900: 900, 250: 900} {
			l, err := s.engine.Likeness(t.Context(), a, s.service, api.Account{Balance: dzd.Int(shows), Available: dzd.Int(shows)})
			if err != nil || !l.Known || !l.Was.Equal(dzd.Int(was)) {
				t.Errorf("beside a key that shows %d the balance is %s, %v", shows, l.Was, err)
			}
		}
	})
}
