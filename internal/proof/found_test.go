package proof

import (
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/screen"
)

// TestForgedConfirmLeavesTheSummary: a ✅ with a nonce that somebody made up buys nothing, and takes nothing away
// from the one that was shown: the summary is as good as it was.
func TestForgedConfirmLeavesTheSummary(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		m := h.See(apptest.Sam, "10 USD")
		id, confirm := apptest.PurchaseID(t, m), apptest.ConfirmData(t, m)
		for _, nonce := range []string{"AAAAAAAAAAA", "no", confirm[len(confirm)-4:]} {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, apptest.Forged(screen.VerbConfirm, id, nonce))
			h.Pass(2 * time.Second)
		}
		h.Bought(0)
		if now := h.See(apptest.Sam, "10 USD"); now.ID != m.ID || apptest.ConfirmData(t, now) != confirm {
			t.Errorf("the summary has changed to: %s", now.Text)
		}
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		h.Bought(1)
		h.Answered()
	})
}
