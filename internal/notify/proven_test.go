package notify

import (
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/telegram/telegramtest"
)

// TestPingWaitsForWhatItPointsTo: the phone does not ring for a message that Telegram does not take.
func TestPingWaitsForWhatItPointsTo(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA")
		h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
			if s.Method == "editMessageText" {
				return telegramtest.Reply{Code: 400, Text: "Bad Request: MESSAGE_TOO_LONG"}
			}
			return telegramtest.Reply{}
		})
		h.run()
		h.enqueue(statusRow(p), ping(p), note(7, 1))
		pass(time.Minute)
		h.expect(7, 2, "fr accepted codes=AAA", "note hello 1", "note undeliverable "+store.Ref(p.ID))
		h.telegram.Script(nil)
		pass(time.Hour)
		h.expect(7, 0, "fr accepted codes=AAA", "note hello 1", "note undeliverable "+store.Ref(p.ID), "fr accepted codes=AAA", "ping "+store.Ref(p.ID))
	})
}

// TestPingFollowsTheNewestStatusMessage: a ping tells what is true when it goes out, so the message that it points to
// must show that by then; and of two pings, one is enough.
func TestPingFollowsTheNewestStatusMessage(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA")
		second := ping(p)
		second.ID = p.ID + ".p2"
		h.telegram.Latency = time.Second
		h.run()
		h.enqueue(statusRow(p), ping(p))
		pass(500 * time.Millisecond)
		h.enqueue(statusRow(p), second) // while the first edit is on its way, the rest comes
		pass(time.Minute)
		h.expect(7, 0, "fr accepted codes=AAA", "fr accepted codes=AAA", "ping "+store.Ref(p.ID))
	})
}

// TestRestIsObserved: a row that is enqueued anew while it is refused rests as long as one that is not.
func TestRestIsObserved(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		p := h.purchase(7, "AAA")
		h.telegram.Latency = time.Second
		h.telegram.Script(func(int, telegramtest.Call) telegramtest.Reply {
			return telegramtest.Reply{Code: 403, Text: "Forbidden: bot can't send messages to the user"}
		})
		h.run()
		h.enqueue(statusRow(p))
		pass(500 * time.Millisecond)
		h.enqueue(statusRow(p))
		pass(50 * time.Minute)
		h.expect(7, 1, "en accepted codes=AAA")
		h.telegram.Script(nil)
		pass(11 * time.Minute)
		h.expect(7, 0, "en accepted codes=AAA", "en accepted codes=AAA")
	})
}

// TestRefusedAlarmsAreKept: what tells of money is tried again although Telegram does not take it now, and given
// up after some days; what does not is dropped.
func TestRefusedAlarmsAreKept(t *testing.T) {
	inBubble(t, func(h *harness) {
		closed := func(int, telegramtest.Call) telegramtest.Reply {
			return telegramtest.Reply{Code: 400, Text: "Bad Request: TOPIC_CLOSED"}
		}
		alarm := func(n int) store.Outgoing {
			row := note(7, n)
			row.Priority = store.NoticePriority
			return row
		}
		h.telegram.Script(closed)
		h.run()
		h.enqueue(alarm(1), note(7, 2))
		pass(time.Minute)
		h.expect(7, 1, "note hello 1", "note hello 2")
		h.telegram.Script(nil)
		pass(time.Hour)
		h.expect(7, 0, "note hello 1", "note hello 2", "note hello 1")
		h.telegram.Script(closed)
		h.enqueue(alarm(3))
		pass(8 * 24 * time.Hour)
		if left := h.left(7); len(left) != 0 {
			t.Errorf("%v wait for ever", left)
		}
	})
}

// TestRefusalThatIsOver: a message is refused for an hour, and so is the note that it cannot be delivered. Once the
// message has arrived, nobody is told that it cannot.
func TestRefusalThatIsOver(t *testing.T) {
	inBubble(t, func(h *harness) {
		p := h.purchase(7, "AAA")
		h.telegram.Script(func(int, telegramtest.Call) telegramtest.Reply {
			return telegramtest.Reply{Code: 400, Text: "Bad Request: TOPIC_CLOSED"}
		})
		h.run()
		h.enqueue(statusRow(p))
		pass(30 * time.Minute)
		h.telegram.Script(nil)
		before := len(h.texts(7))
		pass(3 * time.Hour)
		if got := h.texts(7)[before:]; len(got) != 1 || got[0] != "fr accepted codes=AAA" {
			h.Errorf("after the topic was opened the chat was told %q", got)
		}
		if left := h.left(7); len(left) > 0 {
			h.Errorf("left %v", left)
		}
	})
}
