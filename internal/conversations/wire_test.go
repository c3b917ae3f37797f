package conversations_test

import (
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// wire notes in which order the calls of the Bot API go out.
type wire struct {
	mu      sync.Mutex
	methods []string
}

// wired is a connection whose writes are noted. One of an answer to a tap is slow.
type wired struct {
	net.Conn

	wire *wire
}

func (c wired) Write(p []byte) (int, error) {
	if line, _, ok := strings.Cut(string(p), " HTTP/1.1\r\n"); ok {
		method := line[strings.LastIndex(line, "/")+1:]
		if method == "answerCallbackQuery" {
			<-time.After(20 * time.Millisecond)
		}
		c.wire.mu.Lock()
		c.wire.methods = append(c.wire.methods, method)
		c.wire.mu.Unlock()
	}
	return c.Conn.Write(p)
}

// since lists the answers to taps, and the screens, that went out after the first n calls.
func (w *wire) since(n int) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.methods[n:]), func(m string) bool { return m != "answerCallbackQuery" && m != "editMessageText" })
}

// TestAnswerLeavesFirst: whoever taps is answered before the screen changes, on the wire, also where the answer takes a moment
// to leave; and a screen does not wait for what Telegram says to the answer.
func TestAnswerLeavesFirst(t *testing.T) {
	t.Parallel()
	calls := &wire{}
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Watch = func(addr string, c net.Conn) net.Conn {
			if addr != apptest.TelegramAddr {
				return c
			}
			return wired{c, calls}
		}
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/buy")
		for _, button := range []string{"Play Card", "10 USD", "Back", "25 USD"} {
			calls.mu.Lock()
			n := len(calls.methods)
			calls.mu.Unlock()
			h.Tap(apptest.Sam, button)
			if got := calls.since(n); !slices.Equal(got, []string{"answerCallbackQuery", "editMessageText"}) {
				t.Errorf("after a tap on %s there went out %v", button, got)
			}
		}
	})
}
