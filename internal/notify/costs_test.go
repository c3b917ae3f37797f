package notify_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// pricedTeam plays in a shop that adds 10 % to everything, with a seller in its team.
func pricedTeam(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Sam, "/prices")
		for _, words := range []string{"Percent", "10%", "DZD\u00a010"} {
			h.Tap(apptest.Sam, words)
		}
		h.Pass(16 * time.Minute) // how things are is seen once
		play(h)
	})
}

// TestCostTellsOwnersTheMargin: whatever the service asks for something that a shop has a price for, its owners are told once what that
// does to the price and to the margin, though nobody has set an alert; sellers are told nothing of it.
func TestCostTellsOwnersTheMargin(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	pricedTeam(t, func(h *apptest.Harness) {
		h.Service.SetPrice(101, "1300")
		h.Pass(16 * time.Minute)
		if text := apptest.Plain(h.See(apptest.Sam, "Alert").Text); !strings.Contains(text, "Own price DZD 1,380 → DZD 1,430, margin DZD 129.50 → DZD 130") {
			t.Errorf("the owner is told\n%s", text)
		}
		h.Stop()
		h.Start()
		h.Pass(2 * time.Hour)
		if n := h.Alerted("🔔 Alert\n"); n != 1 {
			t.Errorf("%d alerts, want one\n%s", n, h.Transcript(apptest.Sam))
		}
		if h.Has(apptest.Karim, "Alert") {
			t.Errorf("the seller is told\n%s", h.Transcript(apptest.Karim))
		}
	})
}

// TestFixedPriceBelowTheNewCost: the owners are warned where a fixed price is less than what the service asks by now, once per change,
// and whoever watches the product is not told twice.
func TestFixedPriceBelowTheNewCost(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	pricedTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/prices")
		for _, words := range []string{"By product", "Play Card", "10 USD", "Fixed"} {
			h.Tap(apptest.Sam, words)
		}
		h.Say(apptest.Sam, "1400")
		for i, c := range []struct{ cost, says string }{
			{"1450", "Own price DZD 1,400, margin DZD 149.50 → DZD −50"}, {"1460", "margin DZD −50 → DZD −60"}, {"1300", "margin DZD −60 → DZD 100"},
		} {
			h.Service.SetPrice(101, c.cost)
			h.Pass(16 * time.Minute)
			text := apptest.Plain(h.See(apptest.Sam, "Alert").Text)
			if below := strings.Contains(text, "You would sell below the buying price"); !strings.Contains(text, c.says) || below != (c.cost != "1300") {
				t.Errorf("at %s the owner is told\n%s", c.cost, text)
			}
			if n := h.Alerted("🔔 Alert\n"); n != i+1 {
				t.Errorf("%d alerts at %s", n, c.cost)
			}
		}
		h.Say(apptest.Sam, "/buy play")
		h.Tap(apptest.Sam, "Watch this product")
		h.Tap(apptest.Sam, "Price changes")
		h.Pass(16 * time.Minute)
		before := h.Alerted("🔔 Alert\n")
		h.Service.SetPrice(101, "1500")
		h.Pass(16 * time.Minute)
		if n := h.Alerted("🔔 Alert\n"); n != before+1 {
			t.Errorf("%d alerts of one change\n%s", n-before, h.Transcript(apptest.Sam))
		}
	})
}
