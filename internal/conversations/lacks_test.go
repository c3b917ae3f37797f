package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestBalanceThatLacksPurchases: a balance that is late says for how much it may lack what was bought here, until that shows.
func TestBalanceThatLacksPurchases(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.SetWorld(sim.World{BalanceLag: 3 * time.Minute})
		for range 2 {
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(20 * time.Second)
		}
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "Purchases made here for DZD 2,501 may not be counted in it yet.")
		h.Say(apptest.Sam, "/start")
		h.See(apptest.Sam, "may not be counted in it yet.")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.See(apptest.Sam, "DZD 25,000 → DZD 23,749.50\n⏳ Purchases made here for DZD 2,501 may not")
		if card := cardOf(h, "play card 10 x1\nplay card 10 x2"); strings.Contains(card, "→") {
			t.Errorf("the card of a list says how much is left:\n%s", card)
		}
		h.Pass(10 * time.Minute)
		h.Say(apptest.Sam, "/balance")
		if m := h.See(apptest.Sam, "Balance:"); strings.Contains(m.Text, "counted") {
			t.Errorf("all shows, and it says %s", m.Text)
		}
	})
}
