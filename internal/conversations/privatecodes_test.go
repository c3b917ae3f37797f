package conversations_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestPrivateCodesAreOfTheRole: codes that a counter has sent to their private chat, from under a message of a group that is linked
// no more, come with what a counter may do: nothing there buys.
func TestPrivateCodesAreOfTheRole(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Say(apptest.Lila, "/start")
		buy(h, apptest.Karim)
		h.See(shop, "Delivered")
		h.Telegram.Send(apptest.Sam, shop, "/team")
		h.Pass(3 * time.Second)
		h.TapIn(apptest.Sam, shop, "✖️")
		h.Pass(3 * time.Second)
		before := len(h.Telegram.Messages(apptest.Lila))
		h.TapIn(apptest.Lila, shop, "📩")
		h.Pass(3 * time.Second)
		sent := h.Telegram.Messages(apptest.Lila)[before:]
		if len(sent) == 0 {
			t.Fatal("nothing has come")
		}
		for _, m := range sent {
			for _, row := range m.Keyboard {
				for _, b := range row {
					if strings.HasPrefix(b.Text, "🔁") || strings.HasPrefix(b.Text, "🛍") {
						t.Errorf("a counter is offered %q", b.Text)
					}
				}
			}
		}
		h.TapIn(apptest.Sam, shop, "📩")
		h.Pass(3 * time.Second)
		if dataOf(h.T, h.SeeAny(apptest.Sam, "Delivered"), "🔁") == "" {
			t.Error("the owner cannot buy it again")
		}
	})
}

// TestARefusalHasAWayOn: what a role does not hold is refused with a button that leads on, in each language.
func TestARefusalHasAWayOn(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ role, owner, home string }{
		"en": {"does not include that", "Only the owner", "🏠 Home"},
		"fr": {"Votre rôle", "Seul le propriétaire", "🏠 Accueil"},
		"ar": {"دورك لا يشمل ذلك", "مالك الحساب وحده", "🏠 الرئيسية"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				chooseLanguage(h, apptest.Lila, lang)
				for command, says := range map[string]string{"/buy": words.role, "/prices": words.owner} {
					h.Say(apptest.Lila, command)
					m := h.See(apptest.Lila, says)
					if dataOf(h.T, m, words.home) == "" {
						t.Errorf("%s leads nowhere", command)
					}
				}
			})
		})
	}
}

// TestCodesAreInPrivateOnce: who has codes sent to their private chat twice is told that they are there, in each language; unless the
// first could not be delivered.
func TestCodesAreInPrivateOnce(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "already", "fr": "déjà", "ar": "من قبل"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inShop(t, func(h *apptest.Harness) {
				chooseLanguage(h, apptest.Lila, lang)
				buy(h, apptest.Karim)
				h.See(shop, "Delivered")
				h.Telegram.Inject(tgsim.Fault{Method: "sendmessage", Chat: apptest.Lila, Kind: tgsim.Broken, Code: http.StatusForbidden, Times: 1})
				h.TapIn(apptest.Lila, shop, "📩")
				h.Pass(3 * time.Second)
				code := h.Service.Orders()[0].Code
				for i := range 3 {
					c := h.TapIn(apptest.Lila, shop, "📩")
					h.Pass(3 * time.Second)
					if again := strings.Contains(apptest.Plain(h.Answer(c.ID).Text), words); again != (i > 0) || seen(h, apptest.Lila, code) != 1 {
						t.Errorf("tap %d is answered with %q, and the code is there %d times", i+1, c.Text, seen(h, apptest.Lila, code))
					}
				}
			})
		})
	}
}
