package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
)

// TestPlaceIsTakenBackByOneTap: one tap takes a group away as the place of delivery, and one under its answer brings it back.
func TestPlaceIsTakenBackByOneTap(t *testing.T) {
	t.Parallel()
	for lang, w := range map[string]struct{ off, back, again string }{
		"en": {"✖️", "📍", "Deliveries come here from now on"},
		"fr": {"✖️", "📍", "Les livraisons arrivent ici désormais"},
		"ar": {"✖️", "📍", "يصل التسليم إلى هنا"},
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inShop(t, func(h *apptest.Harness) {
				chooseLanguage(h, apptest.Sam, lang) // a group that is linked speaks as its owner does
				h.Telegram.Send(apptest.Sam, shop, "/team")
				h.Pass(3 * time.Second)
				h.TapIn(apptest.Sam, shop, w.off)
				h.Pass(3 * time.Second)
				all := h.Telegram.Messages(shop)
				off := all[len(all)-1]
				h.Telegram.Tap(apptest.Sam, shop, off.ID, dataOf(h.T, off, w.back))
				h.Pass(3 * time.Second)
				if now := message(h, shop, off.ID); !strings.Contains(plainly(now.Text), w.again) {
					t.Errorf("the group is not linked again: %s", now.Text)
				}
			})
		})
	}
}
