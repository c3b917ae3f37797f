package purchase_test

import (
	"testing"

	"resellerbot/internal/api"
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
