package notify_test

import (
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// TestAlertsWithoutTheirFigures: an answer that lacks a figure crosses no threshold, in neither direction.
func TestAlertsWithoutTheirFigures(t *testing.T) {
	t.Parallel()
	t.Run("the balance", func(t *testing.T) {
		withSam(t, apptest.Stock, func(h *apptest.Harness, odd *apptest.OddService) {
			h.Say(apptest.Sam, "/alerts")
			h.Tap(apptest.Sam, "Low balance")
			h.Say(apptest.Sam, "5000")
			h.Service.SetBalance(apptest.TestKey, "100")
			odd.Change(lacking(nil)) // of an account whose money is held, say
			h.Pass(11 * time.Minute)
			if n := h.Alerted("Low balance. Available: DZD"); n != 0 {
				t.Errorf("%d alerts", n)
			}
			h.Say(apptest.Sam, "/start")
			says(h, nil, "DZD 100")
			odd.Change(nil)
			h.Pass(6 * time.Minute)
			h.Service.SetBalance(apptest.TestKey, "25000")
			odd.Change(lacking(nil))
			h.Pass(6 * time.Minute)
			odd.Change(nil)
			h.Service.SetBalance(apptest.TestKey, "100")
			h.Pass(6 * time.Minute)
			if n := h.Alerted("Low balance. Available: DZD"); n != 1 {
				t.Errorf("%d alerts, want the one of the figure that came", n)
			}
		})
	})
	t.Run("stock", func(t *testing.T) {
		prepare := func(h *apptest.Harness) {
			h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
				{ID: 101, Name: "10 USD", Price: "1000", InStock: 9, Allocated: 10, Used: 1}}})
		}
		withSam(t, prepare, func(h *apptest.Harness, odd *apptest.OddService) {
			h.Say(apptest.Sam, "/alerts")
			h.Tap(apptest.Sam, "Low stock")
			h.Tap(apptest.Sam, "3")
			h.Say(apptest.Sam, "/buy play")
			h.Tap(apptest.Sam, "Watch this product")
			h.Tap(apptest.Sam, "Back in stock")
			h.Tap(apptest.Sam, "Price changes")
			odd.Change(func(a *apptest.OddAnswer) {
				if a.Is("GET", "/stock") {
					a.Orders(func(e map[string]any) { delete(e, "remaining"); delete(e, "used") })
				}
				if a.Is("GET", "/products") {
					a.Orders(func(e map[string]any) {
						for _, v := range e["variants"].([]any) {
							delete(v.(map[string]any), "price")
						}
					})
				}
			})
			h.Pass(31 * time.Minute)
			odd.Change(nil)
			h.Pass(31 * time.Minute)
			if n := h.Alerted("🔔 Alert\n"); n != 0 {
				t.Errorf("%d alerts", n)
			}
		})
	})
}
