package notify_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// TestBigPurchase: the codes of 500 units that become ready together are with Telegram within three seconds, whenever
// that is.
func TestBigPurchase(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{4 * time.Second, 20 * time.Second, 100 * time.Second} {
		t.Run(after.String(), func(t *testing.T) {
			apptest.Run(t, func(h *apptest.Harness) {
				h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{{ID: 101, Name: "card", Price: "1", InStock: 5000, Delay: after}}})
				h.Telegram.SetLimits(true)
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "card", "500")
				h.Tap(apptest.Sam, "✅")
				h.Pass(after + 2*time.Minute)
				ready, brought := h.Service.Orders()[0].Ready, map[string]time.Time{}
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					if m.Document == nil {
						continue
					}
					h.T.Logf("%d codes after %v: %s", strings.Count(string(m.Document.Body), "\n"), m.Date.Sub(ready), apptest.Plain(m.Text))
					for code := range strings.FieldsSeq(string(m.Document.Body)) {
						if _, twice := brought[code]; twice {
							h.T.Error("a code comes twice")
						}
						brought[code] = m.Date
					}
				}
				for _, o := range h.Service.Orders() {
					if at, ok := brought[o.Code]; !ok || at.Sub(o.Ready) > 3*time.Second {
						h.T.Fatalf("the code of order %s is with Telegram after %v", o.ID, at.Sub(o.Ready))
					}
				}
			})
		})
	}
}
