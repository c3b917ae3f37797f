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
