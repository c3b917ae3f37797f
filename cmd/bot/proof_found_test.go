package main

import (
	"testing"
	"time"

	"resellerbot/internal/conversations/screen"
)

// TestForgedConfirmLeavesTheSummary: a ✅ with a nonce that somebody made up buys nothing, and takes nothing away
// from the one that was shown: the summary is as good as it was.
func TestForgedConfirmLeavesTheSummary(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		m := h.see(sam, "10 USD")
		id, confirm := purchaseID(t, m), confirmData(t, m)
		for _, nonce := range []string{"AAAAAAAAAAA", "no", confirm[len(confirm)-4:]} {
			h.telegram.Tap(sam, sam, m.ID, forged(screen.VerbConfirm, id, nonce))
			h.pass(2 * time.Second)
		}
		h.bought(0)
		if now := h.see(sam, "10 USD"); now.ID != m.ID || confirmData(t, now) != confirm {
			t.Errorf("the summary has changed to: %s", now.Text)
		}
		h.tap(sam, "✅")
		h.delivered(sam)
		h.bought(1)
		h.answered()
	})
}
