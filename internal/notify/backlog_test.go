package notify

import (
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestCodesPassABacklog: a code that comes behind thousands of alerts for others is there at once.
func TestCodesPassABacklog(t *testing.T) {
	sampletest.Slow(t)
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

// TestCodesPassTheirOwnGroup: what can wait takes half of what a group may be sent in a minute, and a code of the same group, queued
// behind it, has the other half at once; so has one that comes while the rest waits. What waits keeps its order.
func TestCodesPassTheirOwnGroup(t *testing.T) {
	const group = -100
	for name, ahead := range map[string]store.Outgoing{
		"an alert": {Chat: group, ID: "-a", Kind: store.Note, Priority: store.AlertPriority, Args: map[string]string{"name": "hello", "n": "100"}},
		"a digest": {Chat: group, ID: "-a", Kind: store.Note, Priority: store.DigestPriority, Args: map[string]string{"name": "hello", "n": "100"}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(h *harness) {
				h.chat(group)
				first, second := h.purchase(group, "AAA"), h.purchase(group, "BBB")
				h.run()
				for n := range 7 { // nine with the summaries
					h.enqueue(note(group, n))
				}
				pass(15 * time.Second)
				behind := ahead
				behind.ID, behind.Args = "-b", map[string]string{"name": "hello", "n": "101"}
				h.enqueue(ahead, behind, statusRow(first))
				pass(patience)
				if h.told(first).Told.Codes == 0 {
					h.Error("a code waits behind what can wait")
				}
				h.enqueue(statusRow(second))
				pass(patience)
				if h.told(second).Told.Codes == 0 {
					h.Error("a code waits behind what was put back")
				}
				pass(time.Minute)
				texts := h.texts(group)
				if n := len(texts); n < 2 || texts[n-2] != "note hello 100" || texts[n-1] != "note hello 101" {
					h.Errorf("it was sent %q", texts)
				}
			})
		})
	}
}

// TestAlertsPassAPingThatWaits: a ring that comes later holds nothing up, not even what can wait.
func TestAlertsPassAPingThatWaits(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		p := h.purchase(7, "AAA")
		ring := ping(p)
		ring.Due = time.Now().Add(4 * time.Minute)
		h.enqueue(ring, note(7, 1))
		h.run()
		pass(patience)
		if got := h.texts(7); len(got) != 1 || got[0] != "note hello 1" {
			h.Errorf("it was sent %q", got)
		}
	})
}
