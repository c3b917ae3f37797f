package main

import (
	"testing"
	"time"
)

// TestPollingLeavesAReserve: looking at orders that take long leaves to people the calls that are theirs.
func TestPollingLeavesAReserve(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		stock(h)
		h.env["POST_PER_MINUTE"] = "9" // of which a third is for people
	}, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.HoldOrders(true)
		h.tap(sam, "✅")
		h.seeAny(sam, "Bought")
		polls := func() int { return h.service.Requests()["POST /products/orders/retrieve"] }
		for range 5 {
			before := polls()
			h.pass(time.Minute)
			if n := polls() - before; n > 6 {
				t.Errorf("%d polls in a minute", n)
			}
		}
	})
}
