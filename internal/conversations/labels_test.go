package conversations_test

import (
	"testing"

	"resellerbot/internal/app/apptest"
)

// TestWordsOfAButton: who types what a button says gets what it leads to, in any language; a product that is called so comes first.
func TestWordsOfAButton(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		for words, want := range map[string]string{
			"buy": "Products", "Acheter": "Products", "شراء": "Products", "رصيد": "Balance", "الرصيد": "Balance", "SOLDE": "Balance",
			"equipe": "Team of", "الطلبات": "No orders yet", "aide": "/buy", "اللغة": "Choose your language",
			"buyer": "Nothing found", "play": "Play Card",
		} {
			h.Say(apptest.Sam, "/start")
			h.Say(apptest.Sam, words)
			h.See(apptest.Sam, want)
		}
		h.Say(apptest.Karim, "solde") // as with the command, a seller is not shown it
		h.See(apptest.Karim, "owner")
	})
}
