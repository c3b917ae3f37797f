package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestAQueuedTapIsAnswered: a tap behind others that wait for Telegram's limit of a group is answered in time, once, in the language of
// whoever has tapped; what it leads to follows.
func TestAQueuedTapIsAnswered(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]string{"en": "One moment", "fr": "Un instant", "ar": "لحظة"}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, language, func(h *apptest.Harness) {
				h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim, apptest.Lila)
				h.Telegram.StartGroup(apptest.Sam, shop, "shop")
				h.Pass(2 * time.Minute)
				h.Telegram.Send(apptest.Karim, shop, "/buy")
				h.Pass(5 * time.Second)
				under := last(h.Telegram.Messages(shop)).ID
				for range 25 {
					h.Telegram.Send(apptest.Sam, shop, "/help")
				}
				h.Pass(time.Second)
				for range 3 {
					h.Telegram.Tap(apptest.Karim, shop, under, "1:orders")
				}
				h.Pass(3 * time.Minute)
				h.Answered()
				told := 0
				for _, c := range h.Telegram.Callbacks() {
					if strings.Contains(apptest.Plain(c.Text), words) {
						told++
					}
				}
				if told != 3 {
					t.Errorf("%d taps were told to wait", told)
				}
			})
		})
	}
}
