package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestRefusedAndCharged: the service refuses a purchase in its own words after it has made it. The chat is told that
// it may have been bought after all, and somebody decides. Nothing is sent twice.
func TestRefusedAndCharged(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Kind: sim.ErrorDone, Status: 400, Times: 1})
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "it may have charged it all the same") // in place of "The supplier refused it", which stood there for a moment
		h.SeeAny(apptest.Sam, "may have been bought after all")
		if text := apptest.Plain(h.Transcript(apptest.Sam)); strings.Contains(text, "Nothing was charged") {
			t.Errorf("more is told than is known:\n%s", text)
		}
		h.Pass(20 * time.Minute)
		h.Tap(apptest.Sam, "It is there")
		h.Bought(1)
	})
}
