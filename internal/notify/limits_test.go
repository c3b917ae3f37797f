package notify_test

import (
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// TestPollingLeavesAReserve: looking at orders that take long leaves to people the calls that are theirs.
func TestPollingLeavesAReserve(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Env["POST_PER_MINUTE"] = "9" // of which a third is for people
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.HoldOrders(true)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Bought")
		polls := func() int { return h.Service.Requests()["POST /products/orders/retrieve"] }
		for range 5 {
			before := polls()
			h.Pass(time.Minute)
			if n := polls() - before; n > 6 {
				t.Errorf("%d polls in a minute", n)
			}
		}
	})
}
