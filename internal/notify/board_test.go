package notify

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/store"
)

// shows makes the chats of an account, and has its board be one, or none.
func (h *harness) shows(b *store.Board) {
	h.Helper()
	h.do(func(tx *store.Tx) error { return tx.SetBoard("u7", b) })
}

// unpinned lists the messages that were unpinned in a chat.
func (h *harness) unpinned(chat int64) (list []string) {
	for _, c := range h.telegram.Calls() {
		if c.Chat == chat && strings.EqualFold(c.Method, "unpinChatMessage") {
			list = append(list, c.Form["message_id"])
		}
	}
	return list
}

// TestBoardsEnd: of two boards of a chat that end before Telegram can be told, both are unpinned.
func TestBoardsEnd(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		for _, message := range []int{31, 32} {
			h.shows(&store.Board{Chat: 7, Message: message, Pinned: true})
			h.shows(nil)
		}
		h.run()
		pass(10 * time.Second)
		if got := h.unpinned(7); !slices.Contains(got, "31") || !slices.Contains(got, "32") || len(got) != 2 {
			t.Errorf("unpinned are %q", got)
		}
	})
}

// TestBoardEndsOnItsWay: a board that ends while its message is being sent does not stay pinned.
func TestBoardEndsOnItsWay(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.chat(7)
		h.do(func(tx *store.Tx) error { return tx.PutAccount(&store.Account{ID: "u7", Chats: []int64{7}}) })
		b := store.Board{Chat: 7}
		h.shows(&b)
		h.telegram.Latency = time.Second
		h.run()
		h.enqueue(*store.BoardRow("u7", b, ""))
		pass(500 * time.Millisecond)
		h.shows(nil)
		pass(10 * time.Second)
		if got := h.unpinned(7); len(got) != 1 {
			t.Errorf("unpinned are %q after %q", got, h.texts(7))
		}
	})
}

// TestBoardOfAGroupThatMoved: in the supergroup the number of a group's message is another message's.
func TestBoardOfAGroupThatMoved(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.do(func(tx *store.Tx) error { return tx.PutChat(&store.Chat{ID: -5, Language: "en", Account: "u7"}) })
		h.shows(&store.Board{Chat: -5, Message: 31, Pinned: true})
		h.do(func(tx *store.Tx) error { return tx.MoveChat(-5, -1005) })
		h.run()
		pass(10 * time.Second)
		if got := h.unpinned(-1005); len(got) != 0 {
			t.Errorf("unpinned are %q", got)
		}
		if left := h.left(-5); len(left) != 0 {
			t.Errorf("%q wait", left)
		}
	})
}
