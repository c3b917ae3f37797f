package tgsim

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

func TestNoLimitsByDefault(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		for range 100 {
			h.post("sendMessage", object{"chat_id": sam, "text": "a"})
		}
	})
}

// TestLimits: a burst goes through, then the pace holds; a refused call costs nothing.
func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		chats int // each gets its message in turn
		group bool
		pause time.Duration
		ok    int // of 50 messages, until the first is refused
		wait  int // said then
	}{
		"one chat, at once":           {1, false, 0, 3, 1},
		"one chat, half a second":     {1, false, time.Second / 2, 5, 1},
		"one chat, in pace":           {1, false, time.Second, 50, 0},
		"one group, in pace":          {1, true, time.Second, 20, 40},
		"one group, every three":      {1, true, 3 * time.Second, 50, 0},
		"thirty-five chats at once":   {35, false, 0, 30, 1},
		"thirty chats, ten a second":  {30, false, time.Second / 10, 50, 0},
		"ten groups, three in a turn": {10, true, 0, 30, 1},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Options{Limits: true}, func(h *harness) {
				send := h.crowd(c.chats, c.group)
				for i := range 50 {
					r := send(i)
					if !r.OK && i != c.ok || r.OK && i == c.ok {
						t.Fatalf("message %d: %+v", i, r)
					}
					if i == c.ok {
						h.refused(r, 429, fmt.Sprintf("Too Many Requests: retry after %d", c.wait))
						if r.Parameters.RetryAfter != c.wait {
							t.Errorf("retry_after %d", r.Parameters.RetryAfter)
						}
						h.pass(time.Duration(c.wait) * time.Second)
						if r := send(i); !r.OK {
							t.Errorf("after the wait: %+v", r)
						}
						return
					}
					h.pass(c.pause)
				}
			})
		})
	}
}

// crowd fills the Telegram with chats, and returns what sends a message to one after the other.
func (h *harness) crowd(n int, groups bool) func(i int) reply {
	for i := range n {
		id := int64(10_000 + i)
		h.Directory.AddUser(User{ID: id, FirstName: "P"})
		h.People.Send(id, id, "/start")
		h.Directory.AddGroup(-id, "G", id)
	}
	return func(i int) reply {
		id := int64(10_000 + i%n)
		if groups {
			id = -id
		}
		return h.call("sendMessage", object{"chat_id": id, "text": "a"})
	}
}

// Limits are for what people get to see; and they can be lifted.
func TestWhatIsLimited(t *testing.T) {
	play(t, Options{Limits: true}, func(h *harness) {
		id := h.post("sendMessage", object{"chat_id": sam, "text": "0"}).ID
		for i := range 2 {
			h.post("editMessageText", object{"chat_id": sam, "message_id": id, "text": strconv.Itoa(i + 1)})
		}
		for range 20 {
			if r := h.call("sendChatAction", object{"chat_id": sam, "action": "typing"}); !r.OK {
				t.Errorf("got %+v", r)
			}
		}
		h.refused(h.call("editMessageText", object{"chat_id": sam, "message_id": id, "text": "x"}), 429, "Too Many Requests: retry after 1")
		if r := h.call("deleteMessage", object{"chat_id": sam, "message_id": id}); !r.OK {
			t.Errorf("deleting: %+v", r)
		}
		h.Server.SetLimits(false)
		h.post("sendMessage", object{"chat_id": sam, "text": "a"})
	})
}

// TestStrictLimits: a strict Telegram takes one message a second in a chat, and no bursts.
func TestStrictLimits(t *testing.T) {
	play(t, Options{}, func(h *harness) {
		h.Server.SetStrictLimits()
		h.post("sendMessage", object{"chat_id": sam, "text": "0"})
		h.pass(900 * time.Millisecond)
		h.refused(h.call("sendMessage", object{"chat_id": sam, "text": "1"}), 429, "Too Many Requests: retry after 1")
		h.pass(100 * time.Millisecond)
		h.post("sendMessage", object{"chat_id": sam, "text": "2"})
	})
}
