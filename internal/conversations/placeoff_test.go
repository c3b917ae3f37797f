package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestPlaceIsTakenBackByOneTap: one tap takes a group away as the place of delivery, and one under its answer brings it back.
func TestPlaceIsTakenBackByOneTap(t *testing.T) {
	t.Parallel()
	for lang, w := range sampletest.SomeNamed(3, map[string]struct{ off, back, again string }{
		"en": {"✖️", "📍", "Deliveries come here from now on"},
		"fr": {"✖️", "📍", "Les livraisons arrivent ici désormais"},
		"ar": {"✖️", "📍", "يصل التسليم إلى هنا"},
	}) {
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

// TestAPlaceThatTheBotIsNotIn: once the bot is taken out of the group of deliveries, /team says that nothing comes there, and offers
// no setting of it until the bot is added again.
func TestAPlaceThatTheBotIsNotIn(t *testing.T) {
	t.Parallel()
	for lang, w := range sampletest.SomeNamed(3, map[string]struct{ out, goes string }{
		"en": {"I am no longer in", "Deliveries also go to"},
		"fr": {"Je ne suis plus dans", "Les livraisons vont aussi dans"},
		"ar": {"لم أعد في", "يصل التسليم أيضًا إلى"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inShop(t, func(h *apptest.Harness) {
				chooseLanguage(h, apptest.Sam, lang)
				h.Telegram.SetRole(apptest.Sam, shop, h.Telegram.BotID(), tgsim.Left)
				h.Pass(3 * time.Second)
				h.Say(apptest.Sam, "/team")
				h.SeeAny(apptest.Sam, w.out)
				h.Telegram.SetRole(apptest.Sam, shop, h.Telegram.BotID(), tgsim.Ordinary)
				h.Pass(3 * time.Second)
				h.Say(apptest.Sam, "/team")
				h.SeeAny(apptest.Sam, w.goes)
			})
		})
	}
}
