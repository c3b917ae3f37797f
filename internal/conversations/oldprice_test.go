package conversations_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// TestListThatKeepsTheOldPrice: where the list of products goes on showing a price that a purchase was refused for, the new one is
// offered, and bought.
func TestListThatKeepsTheOldPrice(t *testing.T) {
	t.Parallel()
	odd := &apptest.OddService{}
	odd.Change(func(a *apptest.OddAnswer) {
		if !a.Is("GET", "/products") || a.Is("GET", "/products/") {
			return
		}
		a.Orders(func(product map[string]any) { // the list is of products here
			variants, _ := product["variants"].([]any)
			for _, v := range variants {
				if variant, ok := v.(map[string]any); ok && variant["name"] == "10 USD" {
					variant["price"] = json.Number("1250.5")
				}
			}
		})
	})
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.SetPrice(101, "1300")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		h.Tap(apptest.Sam, "🔁")
		if !h.Has(apptest.Sam, "1,300") {
			t.Fatalf("the new price is not shown\n%s", h.Transcript(apptest.Sam))
		}
		h.Tap(apptest.Sam, "✅")
		h.Pass(30 * time.Second)
		if got := h.Codes(apptest.Sam); len(got) != 1 {
			t.Errorf("%d codes were delivered\n%s", len(got), h.Transcript(apptest.Sam))
		}
	})
}

// TestSoldForAnOlderPrice: what is sold is shown at what it was sold for, and not at what the shop asks by now, which nobody was ever asked.
func TestSoldForAnOlderPrice(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsForCash(h, apptest.Karim)
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "% Percent")
		h.Say(apptest.Sam, "50")
		h.Pass(3 * time.Second)
		h.Say(apptest.Karim, "/orders")
		h.Tap(apptest.Karim, "1")
		text := plainly(h.SeeLast(apptest.Karim, "Sold: DZD 1,380").Text)
		if strings.Contains(text, "Own price") {
			t.Errorf("a sold card is shown at another price:\n%s", text)
		}
	})
}
