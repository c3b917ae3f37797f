package notify_test

import (
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// TestTakenAndGivenBackUnseen: a purchase fails, and is charged and given back while nobody can read the balance. Another one
// is charged right after. Nothing is missing, and nothing came from outside.
func TestTakenAndGivenBackUnseen(t *testing.T) {
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Service.AddProduct(sim.ProductSpec{ID: 11, Name: "Unlucky Box", Variants: []sim.VariantSpec{
			{ID: 111, Name: "1 box", Price: "500", InStock: 99, Delay: time.Second, Fails: true, RefundAfter: 20 * time.Second},
		}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Unlucky", "1 box", "2")
		h.Tap(apptest.Sam, "✅")
		h.Service.Inject(sim.Fault{Operation: "GET /balance", Kind: sim.Status, Status: 502, Times: 1000})
		h.Pass(45 * time.Second)
		h.Service.ClearFaults()
		h.Order(apptest.Sam, "Play Card", "10 USD", "4")
		h.Tap(apptest.Sam, "✅")
		h.Pass(3 * time.Hour)
		h.Say(apptest.Sam, "/balance")
		h.Tap(apptest.Sam, "Balance changes")
		if h.Has(apptest.Sam, "I did not see") || h.Has(apptest.Sam, "deposit") {
			t.Errorf("money is missed, or came from outside:\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "What is known of its money is above")
		h.SeeAny(apptest.Sam, "is not missing from the balance")
	})
}

// TestOtherPriceOfAFailedOrder: a purchase is charged more, or less, than was shown, its order fails, and its refund takes longer than
// readings are late. What is missing may be its price: nobody is told that nothing is missing, nor that somebody else uses the key.
func TestOtherPriceOfAFailedOrder(t *testing.T) {
	for charged, besides := range map[string]string{"600": "-100", "400": "100"} {
		apptest.Run(t, func(h *apptest.Harness) {
			apptest.Stock(h)
			h.Service.AddProduct(sim.ProductSpec{ID: 11, Name: "Unlucky Box", Variants: []sim.VariantSpec{
				{ID: 111, Name: "1 box", Price: "500", InStock: 99, Delay: time.Second, Fails: true, RefundAfter: 40 * time.Minute},
			}})
		}, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			for range 3 { // how late this account's readings are is known by then
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Minute)
			}
			h.Order(apptest.Sam, "Unlucky", "1 box", "1")
			h.Tap(apptest.Sam, "✅")
			h.Service.Deposit(apptest.TestKey, besides)
			h.Pass(30 * time.Minute)
			for _, never := range []string{"is not missing from the balance", "somebody else uses the key"} {
				if h.Has(apptest.Sam, never) {
					t.Errorf("charged %s: it says %q\n%s", charged, never, h.Transcript(apptest.Sam))
				}
			}
		})
	}
}
