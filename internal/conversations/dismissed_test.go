package conversations_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestTheOwnerHearsOfADismissedList: whose seller is dismissed in the middle of a list is told which of its lines were not sent, and by
// one sound of each purchase that is handed over. In each language.
func TestTheOwnerHearsOfADismissedList(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]struct{ button, yes, unsent, inherited string }{
		"en": {"Remove", "Yes", "lines ", "has left the team, comes to you"}, "fr": {"Retirer", "Oui", "lignes ", "n'est plus de l'équipe, vous est livré"},
		"ar": {"إزالة", "نعم", "", "(خارج الفريق الآن) وصل إليك"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, language, func(h *apptest.Harness) {
				h.Service.DemoCatalogue()
				h.Pass(2 * time.Minute)
				h.Say(apptest.Karim, "pc5 x2\npc5 x1\nvpn x1\nvpn x2\npc5 x3\nvpn x3")
				h.Pass(3 * time.Second)
				slowly(h, 0)
				h.Tap(apptest.Karim, "✅")
				h.Pass(2 * time.Second)
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, "Karim")
				h.Tap(apptest.Sam, words.button)
				h.Tap(apptest.Sam, words.yes)
				h.Pass(time.Hour)
				bought := len(h.Service.Purchases())
				if bought == 0 || bought > 4 {
					t.Errorf("%d lines were bought", bought)
				}
				unsent := fmt.Sprintf("%s%d–6", words.unsent, bought+1)
				told, sounds, after := 0, 0, false
				for _, m := range h.Telegram.Messages(apptest.Sam) {
					text := plainly(m.Text)
					if strings.Contains(text, unsent) && strings.Contains(text, "6 · VPN Pass 30 days × 3") {
						told++
					}
					after = after || strings.Contains(text, words.inherited)
					if m.FromBot && !m.Silent && (strings.Contains(text, words.inherited) || strings.Contains(text, "🔔")) {
						sounds++
					}
				}
				if told != 1 || sounds != bought || !after {
					t.Errorf("the owner was told %d times of the lines, and heard %d sounds for %d purchases\n%s", told, sounds, bought, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}
