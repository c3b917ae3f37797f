package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// nothingStays is the answer that all of the cash goes to the safe.
var nothingStays = map[string]string{"en": "Nothing", "fr": "Rien", "ar": "لا شيء"}

// TestACountOfAShiftThatIsOver: who is still counting while an owner counts the same till has counted a shift that is over by then: it
// is not taken for the next one, where its cash would be missed once more. The seller is told, however they answer.
func TestACountOfAShiftThatIsOver(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	says := map[string]string{"en": "This till was counted meanwhile", "fr": "Cette caisse a été comptée entre-temps", "ar": "جُرد هذا الصندوق في هذه الأثناء"}
	for lang, w := range countWords {
		for how, answer := range map[string]func(h *apptest.Harness){
			"tapped": func(h *apptest.Harness) { h.Tap(apptest.Karim, nothingStays[lang]) },
			"typed":  func(h *apptest.Harness) { h.Say(apptest.Karim, "0") },
		} {
			t.Run(lang+" "+how, func(t *testing.T) {
				t.Parallel()
				inPricedTeam(t, "Seller", func(h *apptest.Harness) {
					countBlind(h, lang)
					h.Say(apptest.Karim, "/close")
					h.Say(apptest.Karim, "1300")
					h.Tap(apptest.Sam, w.toCount)
					h.Tap(apptest.Sam, w.confirm)
					h.Pass(2 * time.Second)
					answer(h)
					h.Pass(2 * time.Second)
					if text := h.Transcript(apptest.Karim); !strings.Contains(text, says[lang]) {
						t.Errorf("whoever has counted is not told that the till was closed:\n%s", text)
					}
					h.Say(apptest.Sam, "/close")
					if text := heard(h, apptest.Sam); strings.Contains(plainly(text.Text), "1,300") {
						h.Tap(apptest.Sam, w.tills)
						h.Tap(apptest.Sam, w.confirm)
						h.Pass(2 * time.Second)
					}
					holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "over/601": 80 * ledger.Dinar, "safe": 1300 * ledger.Dinar})
				})
			})
		}
	}
}

// TestTheSameCountedAgain: an owner confirms a count with the difference that was shown. Where the same cash was counted again after a
// sale, more is missing: an older card is good for nothing, and the owner is told so and shown the count that waits.
func TestTheSameCountedAgain(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	says := map[string]string{"en": "The count has changed", "fr": "Le comptage a changé", "ar": "تغيّر الجرد"}
	for lang, w := range countWords {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				late := laterConfirm(h, lang)
				h.Pass(11 * time.Minute)
				buy(h, apptest.Karim)
				h.Tap(apptest.Karim, "💵")
				h.Pass(2 * time.Second)
				sendCount(h, lang)
				late()
				holds(h, map[ledger.Account]ledger.Money{"till/601": 2760 * ledger.Dinar, "over/601": 0, "safe": 0})
				if text := h.Transcript(apptest.Sam); !strings.Contains(text, says[lang]) {
					t.Errorf("the owner is not told that the count has changed:\n%s", text)
				}
				h.Tap(apptest.Sam, w.confirm)
				h.Pass(2 * time.Second)
				holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "over/601": 1460 * ledger.Dinar, "safe": 1300 * ledger.Dinar})
			})
		})
	}
}
