package notify

import (
	"testing"
	"time"

	"resellerbot/internal/store"
)

// TestCodesPassABacklog: a code that comes behind thousands of alerts for others is there at once.
func TestCodesPassABacklog(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		p := h.purchase(7, "AAA")
		for n := range 3000 {
			row := note(int64(1000+n), n)
			row.Priority = store.AlertPriority
			h.enqueue(row)
		}
		h.run()
		pass(2 * time.Second)
		begin := time.Now()
		h.enqueue(statusRow(p), ping(p))
		for h.told(p).Told.Codes == 0 && time.Since(begin) < 10*time.Minute {
			pass(50 * time.Millisecond)
		}
		if took := time.Since(begin); took > time.Second {
			h.Errorf("the code came after %v", took)
		}
	})
}
