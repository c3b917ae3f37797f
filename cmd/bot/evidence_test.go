package main

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// TestRefusedAndCharged: the service refuses a purchase in its own words after it has made it. The chat is told that
// nothing should be charged, then that the bot may have been wrong, and somebody decides. Nothing is sent twice.
func TestRefusedAndCharged(t *testing.T) {
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.ErrorDone, Status: 400, Times: 1})
		h.tap(sam, "✅")
		h.seeAny(sam, "Nothing should be charged, and I go on watching")
		if text := plain(h.transcript(sam)); strings.Contains(text, "Nothing was charged") {
			t.Errorf("more is told than is known:\n%s", text)
		}
		h.seeAny(sam, "That may be wrong")
		h.seeAny(sam, "may have been bought after all")
		h.pass(20 * time.Minute)
		h.tap(sam, "It is there")
		h.bought(1)
	})
}
