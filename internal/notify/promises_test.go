package notify

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram/telegramtest"
)

// TestWaitOfTelegramIsNoTry: a chat that Telegram asks to leave alone is not taken for one that fails.
func TestWaitOfTelegramIsNoTry(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.telegram.Script(telegramtest.Once("sendMessage", telegramtest.Reply{Code: 429, Text: "Too Many Requests: retry after 30", Params: `{"retry_after":30}`}))
		h.run()
		h.enqueue(note(7, 1))
		pass(time.Second)
		rows, err := h.store.ChatOutbox(h.Context(), 7, 9)
		if err != nil || len(rows) != 1 || rows[0].Tries != 0 || rows[0].Sent {
			t.Errorf("what waits is %+v, %v", rows, err)
		}
		pass(40 * time.Second)
		h.expect(7, 0, "note hello 1", "note hello 1")
	})
}

// TestMigratedGroupKeepsItsAccount: a group is told of by Telegram in an answer, and everything of it moves.
func TestMigratedGroupKeepsItsAccount(t *testing.T) {
	inBubble(t, func(h *harness) {
		h.do(func(tx *store.Tx) error { return tx.PutChat(&store.Chat{ID: -5, Language: "en", Account: "u1"}) })
		h.telegram.Script(func(_ int, s telegramtest.Call) telegramtest.Reply {
			if s.Chat == -5 {
				return telegramtest.Reply{Code: 400, Text: "Bad Request: group chat was upgraded to a supergroup chat", Params: `{"migrate_to_chat_id":-1005}`}
			}
			return telegramtest.Reply{}
		})
		h.run()
		h.enqueue(note(-5, 1))
		pass(10 * time.Second)
		if c, err := h.store.Chat(h.Context(), -1005); err != nil || c.Account != "u1" {
			t.Errorf("the supergroup is %+v, %v", c, err)
		}
	})
}

// TestSeenAtAStopIsSettled: a code that is here when the program is told to stop is put on disk.
func TestSeenAtAStopIsSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shop{T: t, service: &service{store: storetest.New(t), ready: map[string]time.Time{}, settled: map[string]time.Time{}}}
		ctx, stop := context.WithCancel(t.Context())
		s.answers = func(context.Context, string, []string) error { stop(); return nil }
		s.account("u1")
		s.order("u1", "o1", 0)
		p := NewPoller(PollerConfig{
			Store: s.store, Settler: s.service, Log: telegramtest.Discard(),
			Session: func(a store.Account) OrderSource { return asking{s.service, a.ID} },
		})
		if err := p.Run(ctx); err != nil || s.settled["o1"].IsZero() {
			t.Errorf("settled: %v, %v", s.settled, err)
		}
	})
}
