package main

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// TestRefusedAndCharged: the service refuses a purchase in its own words after it has made it. The chat is told that
// it may have been bought after all, and somebody decides. Nothing is sent twice.
func TestRefusedAndCharged(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.ErrorDone, Status: 400, Times: 1})
		h.tap(sam, "✅")
		h.seeAny(sam, "it may have charged it all the same") // in place of "The service refused it", which stood there for a moment
		h.seeAny(sam, "may have been bought after all")
		if text := plain(h.transcript(sam)); strings.Contains(text, "Nothing was charged") {
			t.Errorf("more is told than is known:\n%s", text)
		}
		h.pass(20 * time.Minute)
		h.tap(sam, "It is there")
		h.bought(1)
	})
}
