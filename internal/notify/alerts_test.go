package notify_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestLowBalance: one message when the line is crossed, and none again until it was crossed back.
func TestLowBalance(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Low balance")
		h.Say(apptest.Sam, "zero")
		h.See(apptest.Sam, "number above zero")
		h.Say(apptest.Sam, "٥ ٠٠٠")
		h.See(apptest.Sam, "less than DZD 5,000")
		for _, c := range []struct {
			balance string
			total   int
		}{
			{"25000", 0}, {"4999", 1}, {"4000", 1}, {"5100", 1}, {"4900", 1}, // it wavers about the line
			{"5600", 1}, {"4999.99", 2}, {"30000", 2}, {"10", 3},
		} {
			h.Service.SetBalance(apptest.TestKey, c.balance)
			h.Pass(6 * time.Minute)
			if n := h.Alerted("Low balance. Available: DZD"); n != c.total {
				t.Errorf("at %s: %d alerts, want %d", c.balance, n, c.total)
			}
		}
	})
}

// TestUnknownDebit: money that goes without a purchase is an alarm, also for a chat that has set nothing.
func TestUnknownDebit(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Pass(6 * time.Minute)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(6 * time.Minute)
		if h.Alerted("left the balance") != 0 {
			t.Error("a purchase of ours is called unknown")
		}
		h.Service.SetBalance(apptest.TestKey, "20000")
		h.Pass(14 * time.Minute)
		if h.Alerted("left the balance") != 0 {
			t.Error("it is said of a reading that may be an old one")
		}
		h.Pass(7 * time.Minute)
		h.See(apptest.Sam, "DZD 3,749.50 left the balance")
		h.Tap(apptest.Sam, "Balance changes")
		text := apptest.Plain(h.See(apptest.Sam, "not by this bot").Text)
		if !strings.Contains(text, "Play Card · 10 USD × 1 · 🛒 Sam") || !strings.Contains(text, "balance DZD 20,000") {
			t.Errorf("the movements do not name what was bought, and what was left:\n%s", text)
		}
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Unexplained debit")
		h.Tap(apptest.Sam, "Turn off")
		h.Service.SetBalance(apptest.TestKey, "10000")
		h.Pass(apptest.Alarmed)
		if n := h.Alerted("left the balance"); n != 1 {
			t.Errorf("%d alarms, want the one before it was switched off", n)
		}
	})
}

// TestStockAlerts: units left, expiry, back in stock and price, each in its words and once.
func TestStockAlerts(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
			{ID: 101, Name: "10 USD", Price: "1000", InStock: 0}, {ID: 102, Name: "25 USD", Price: "2500", InStock: 9},
			{ID: 103, Name: "Set aside", Price: "100", InStock: 9, Allocated: 10, Used: 8, ExpiresAt: time.Now().Add(5 * 24 * time.Hour)}}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		set := func(alert, value string) {
			h.Say(apptest.Sam, "/alerts")
			h.Tap(apptest.Sam, alert)
			h.Tap(apptest.Sam, value)
		}
		set("Low stock", "3")
		set("Expiry", "7")
		h.Say(apptest.Sam, "/buy play")
		h.Tap(apptest.Sam, "Watch this product")
		h.Tap(apptest.Sam, "Back in stock")
		h.Tap(apptest.Sam, "Price changes")
		h.Pass(16 * time.Minute)
		first := apptest.Plain(h.See(apptest.Sam, "Alert").Text)
		if !strings.Contains(first, "Left: 2") || strings.Count(first, "Set aside") != 2 {
			t.Errorf("the first alert is %s", first)
		}
		h.Service.SetStock(101, 5)
		h.Service.SetPrice(102, "2600")
		h.Pass(16 * time.Minute)
		second := apptest.Plain(h.See(apptest.Sam, "Alert").Text)
		if !strings.Contains(second, "In stock again") || !strings.Contains(second, "DZD 2,500 → DZD 2,600") {
			t.Errorf("the second alert is %s", second)
		}
		h.Pass(2 * time.Hour)
		if n := h.Alerted("🔔 Alert\n"); n != 2 {
			t.Errorf("%d alerts, want 2\n%s", n, h.Transcript(apptest.Sam))
		}
	})
}

// TestVariantsThatStandTwice: several allocations of one variant are what is left of them together, and a variant that a watched product lists twice
// is compared once: neither speaks at each look.
func TestVariantsThatStandTwice(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	variant := map[string]any{"id": 101, "name": "10 USD", "price": 100, "available": true, "in_stock": 5}
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		entry := func(left int, until string) map[string]any {
			return map[string]any{"variant_id": 101, "product_id": 10, "product_name": "Play Card", "variant_name": "10 USD", "allocated": 50, "used": 50 - left, "remaining": left, "status": "active", "expires_at": until}
		}
		switch {
		case a.Is("GET", "/stock"):
			a.Document(func(d map[string]any) {
				d["data"] = []any{entry(2, "2000-03-01T00:00:00Z"), entry(50, "2000-06-01T00:00:00Z")}
			})
		case a.Is("GET", "/products/10/variants"):
			a.Document(func(d map[string]any) { d["data"] = []any{variant, with(variant, map[string]any{"price": 120})} })
		case a.Is("GET", "/products"):
			a.Orders(func(p map[string]any) { p["variants"] = []any{variant, with(variant, map[string]any{"price": 120})} })
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Low stock")
		h.Say(apptest.Sam, "5")
		h.Say(apptest.Sam, "/buy play")
		h.Tap(apptest.Sam, "Watch this product")
		h.Tap(apptest.Sam, "Price changes")
		h.Pass(3 * time.Hour)
		if n := h.Alerted("🔔 Alert\n"); n != 0 {
			t.Errorf("%d alerts\n%s", n, h.Transcript(apptest.Sam))
		}
	})
}

// TestQuietHours: alerts of the night come together in the morning.
func TestQuietHours(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Low balance")
		h.Say(apptest.Sam, "5000")
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Quiet hours")
		h.Tap(apptest.Sam, "06:00") // the test begins at one o'clock in Algiers
		h.Service.SetBalance(apptest.TestKey, "100")
		h.Pass(time.Hour)
		if h.Alerted("Low balance. Available: DZD") != 0 {
			t.Error("an alert came in the night")
		}
		h.Pass(4*time.Hour + 5*time.Minute)
		h.See(apptest.Sam, "Low balance. Available: DZD 100")
	})
}
