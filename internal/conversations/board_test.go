package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// pinned is the one message that is pinned in a chat.
func pinned(h *apptest.Harness, chat int64) tgsim.Message {
	h.T.Helper()
	ids := h.Telegram.Pinned(chat)
	if len(ids) != 1 {
		h.T.Fatalf("%d messages are pinned:\n%s", len(ids), h.Transcript(chat))
	}
	all := h.Telegram.Messages(chat)
	i := slices.IndexFunc(all, func(m tgsim.Message) bool { return m.ID == ids[0] })
	return all[i]
}

// TestBoardOfTheDay: one message shows the day, is pinned without a sound, and follows what is sold, at most once a minute; on the
// next day it begins anew. Taken away, it is pinned no more.
func TestBoardOfTheDay(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedShop(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start")
		h.Tap(apptest.Sam, "📒 Books")
		h.Tap(apptest.Sam, "📌 Board")
		h.See(apptest.Sam, "There is none now")
		h.Tap(apptest.Sam, "💬 In this chat")
		h.See(apptest.Sam, "It comes within a minute")
		h.Pass(2 * time.Minute)
		board := pinned(h, apptest.Sam)
		h.Say(apptest.Sam, "/start")
		h.Tap(apptest.Sam, "📒 Books")
		h.Tap(apptest.Sam, "📌 Board")
		if text := apptest.Plain(h.See(apptest.Sam, "It is in this chat").Text); strings.Contains(text, "within a minute") {
			t.Errorf("with the board there, its page says\n%s", text)
		}
		if text := apptest.Plain(board.Text); !strings.Contains(text, "Today · 31 Dec") || !strings.Contains(text, "Sold: DZD 0") || !board.Silent {
			t.Errorf("the board says\n%s", text)
		}
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "💵")
		before := h.Telegram.Calls()["editmessagetext"]
		h.Pass(3 * time.Minute)
		board = pinned(h, apptest.Sam)
		if text := apptest.Plain(board.Text); !strings.Contains(text, "Sold: DZD 1,380 · units: 1") || !strings.Contains(text, "Money received: DZD 1,380") || strings.Contains(text, "1,250.50") {
			t.Errorf("after a sale the board says\n%s", text)
		}
		if n := h.Telegram.Calls()["editmessagetext"] - before; n > 2 {
			t.Errorf("%d edits for one sale", n)
		}
		still := h.Telegram.Calls()["editmessagetext"]
		h.Pass(10 * time.Minute)
		if n := h.Telegram.Calls()["editmessagetext"]; n != still {
			t.Errorf("%d edits though nothing happened", n-still)
		}
		h.Sleep(24 * time.Hour)
		h.Pass(10 * time.Minute)
		if text := apptest.Plain(pinned(h, apptest.Sam).Text); !strings.Contains(text, "Sold: DZD 0") || strings.Contains(text, "31 Dec") {
			t.Errorf("on the next day the board says\n%s", text)
		}
		h.Say(apptest.Sam, "/start")
		h.Tap(apptest.Sam, "📒 Books")
		h.Tap(apptest.Sam, "📌 Board")
		h.See(apptest.Sam, "It is in this chat")
		h.Tap(apptest.Sam, "🗑 No board")
		h.Pass(time.Minute)
		if ids := h.Telegram.Pinned(apptest.Sam); len(ids) != 0 {
			t.Errorf("%d messages are still pinned", len(ids))
		}
		h.Answered()
	})
}

// TestBoardInTheGroup: in the group that deliveries go to, the board shows what is sold, and not what is to be in the tills. Where
// the bot may not pin, it is a message all the same, and the owner is told. With the group's link the board ends.
func TestBoardInTheGroup(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inShop(t, func(h *apptest.Harness) {
		setPrices(h)
		h.Say(apptest.Sam, "/start")
		h.Tap(apptest.Sam, "📒 Books")
		h.Tap(apptest.Sam, "📌 Board")
		h.Tap(apptest.Sam, "📍 In the group")
		h.Pass(2 * time.Minute)
		m := h.SeeAny(shop, "Today ·")
		if text := apptest.Plain(m.Text); strings.Contains(text, "ill") || !strings.Contains(text, "Sold: DZD 0") {
			t.Errorf("the group reads\n%s", text)
		}
		if len(h.Telegram.Pinned(shop)) == 0 {
			h.Say(apptest.Sam, "/start")
			h.Tap(apptest.Sam, "📒 Books")
			h.Tap(apptest.Sam, "📌 Board")
			h.See(apptest.Sam, "I may not pin there")
		}
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "💵")
		h.Pass(3 * time.Minute)
		h.SeeAny(shop, "Sold: DZD 1,380 · units: 1")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "📍 Group")
		h.Tap(apptest.Sam, "Stop group delivery")
		h.Pass(5 * time.Minute)
		before := h.Telegram.Calls()["editmessagetext"]
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "💵")
		h.Pass(5 * time.Minute)
		if text := h.Texts(shop); strings.Contains(apptest.Plain(text), "DZD 2,760") {
			t.Errorf("a group that was unlinked reads of %d edits\n%s", h.Telegram.Calls()["editmessagetext"]-before, text)
		}
		h.Answered()
	})
}
