package conversations_test

import (
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// TestAReceiptStays: whatever has become of the account, no button under delivered codes puts something else in their place.
func TestAReceiptStays(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		code := buy(h, apptest.Sam)
		receipt := h.SeeAny(apptest.Sam, code)
		h.Say(apptest.Sam, "/key remove")
		h.Pass(3 * time.Second)
		h.SeeLast(apptest.Sam, "is unlinked")
		for _, row := range receipt.Keyboard {
			for _, b := range row {
				if b.Data == "" {
					continue
				}
				h.Telegram.Tap(apptest.Sam, apptest.Sam, receipt.ID, b.Data)
				h.Pass(3 * time.Second)
				h.SeeAny(apptest.Sam, code)
			}
		}
	})
}
