package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
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
	})
}

// TestARefusalHasAWayOn: what a role does not hold is refused with a button that leads on, in each language.
func TestARefusalHasAWayOn(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string]struct{ role, owner, home string }{
		"en": {"does not include that", "Only the owner", "🏠 Home"},
		"fr": {"Votre rôle", "Seul le propriétaire", "🏠 Accueil"},
		"ar": {"دورك لا يشمل ذلك", "مالك الحساب وحده", "🏠 الرئيسية"},
	} {
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
