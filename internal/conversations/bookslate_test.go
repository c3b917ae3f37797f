package conversations_test

import (
	"strings"
	"testing"

	"resellerbot/internal/app/apptest"
)

// TestBooksOfALaterOwner: whoever links the key when a shop's books are open already is an owner, and sees them. What they buy has the
// shop's own price and its buttons, and is in the report.
func TestBooksOfALaterOwner(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Percent")
		h.Tap(apptest.Sam, "10")
		h.Tap(apptest.Sam, "DZD\u00a05")
		h.Telegram.SetLanguage(apptest.Yasmine, "en")
		h.Link(apptest.Yasmine)
		h.Order(apptest.Yasmine, "Play Card", "10 USD", "1")
		h.Tap(apptest.Yasmine, "✅")
		if text := plainly(h.SeeAny(apptest.Yasmine, "Delivered").Text); !strings.Contains(text, "Own price: DZD 1,380") {
			t.Errorf("the receipt is\n%s", text)
		}
		h.Say(apptest.Sam, "/today")
		text := plainly(h.SeeLast(apptest.Sam, "Bought").Text)
		if !strings.Contains(text, "Not sold yet: 1") {
			t.Errorf("the report is\n%s", text)
		}
	})
}
