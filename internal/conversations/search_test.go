package conversations_test

import (
	"testing"

	"resellerbot/internal/app/apptest"
)

// TestSearch: words are found as people type them, in every language: an item is opened at once, a wrong letter does no
// harm, and what is not there has its nearest offered.
func TestSearch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, quantity, near string }{
		{"English", "How many?", "Did you mean"}, {"Français", "Combien ?", "Cherchiez-vous"}, {"العربية", "كم", "هل تقصد"},
	} {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/language")
				h.Tap(apptest.Sam, c.language)
				for _, words := range []string{"play card 10$", "ply crd 10 usd", "playcard ١٠ دولار", "بلاي كارد 10"} {
					h.Say(apptest.Sam, words)
					m := h.See(apptest.Sam, c.quantity)
					if !hasButton(m, "3") {
						t.Errorf("%q leads to %s", words, m.Text)
					}
				}
				h.Say(apptest.Sam, "/buy plya cadr")
				h.See(apptest.Sam, "Play Card")
				h.Say(apptest.Sam, "play card for nintendo")
				h.See(apptest.Sam, c.near)
				h.Tap(apptest.Sam, "Play Card")
				h.Tap(apptest.Sam, "10 USD")
				h.See(apptest.Sam, c.quantity)
			})
		})
	}
}
