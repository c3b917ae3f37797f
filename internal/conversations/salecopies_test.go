package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// copies are how many messages of Sam's chat show a code.
func copies(h *apptest.Harness, code string) (n int) {
	for _, m := range h.Telegram.Messages(apptest.Sam) {
		if m.FromBot && !m.Deleted && strings.Contains(m.Text, code) {
			n++
		}
	}
	return n
}

// tapIn has Sam tap a button under one message.
func tapIn(h *apptest.Harness, m tgsim.Message, text string) {
	h.T.Helper()
	h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, tapOf(h.T, m, text))
	h.Pass(3 * time.Second)
}

// TestNoSecondCopyOfCodes: whatever is sold or taken back under an older copy of a receipt, or under a question about it, is said there, and
// posts the codes nowhere else.
func TestNoSecondCopyOfCodes(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		code := buy(h, apptest.Sam)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "1")
		h.Pass(2 * time.Second)
		all := copies(h, code)
		old := h.SeeLast(apptest.Sam, code)
		if all < 2 {
			h.T.Fatalf("there is no second copy:\n%s", h.Transcript(apptest.Sam))
		}
		check := func(what string) {
			t.Helper()
			if n := copies(h, code); n != all {
				t.Errorf("%s: %d copies of a code, want %d:\n%s", what, n, all, h.Transcript(apptest.Sam))
			}
		}
		tapIn(h, old, "✏️")
		check("the price is asked for")
		h.Say(apptest.Sam, "1350")
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,350")
		h.Pass(3 * time.Second)
		h.SeeLast(apptest.Sam, "Sold: DZD 1,350")
		check("it is sold")
		tapIn(h, old, "✏️") // nothing is left to be sold
		check("the pencil of before")
		i := slices.IndexFunc(h.Telegram.Messages(apptest.Sam), func(m tgsim.Message) bool { return m.ID == old.ID })
		if now := h.Telegram.Messages(apptest.Sam)[i]; !strings.Contains(apptest.Plain(now.Text), "1,350") {
			t.Errorf("the older copy does not say what was sold:\n%s", now.Text)
		}
		h.TapUnder("Sold: DZD 1,350", "↩️ Undo")
		h.Pass(3 * time.Second)
		check("it is undone")
	})
	inSoldThree(t, false, func(h *apptest.Harness) {
		code := h.Service.Orders()[1].Code
		h.TapUnder("Code 1 of 3", "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (")
		h.Pass(3 * time.Second)
		h.SeeLast(apptest.Sam, " was undone.")
		if n := copies(h, code); n != 1 {
			t.Errorf("%d copies of a code:\n%s", n, h.Transcript(apptest.Sam))
		}
	})
}
