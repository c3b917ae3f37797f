package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// countWords are what the screens of a count that waits say, by language.
var countWords = map[string]struct{ toCount, confirm, again, tills, closeDay, yes, first, taken, recount string }{
	"en": {"To the count", "Confirm the count", "Ask for another count", "💵 Karim", "Close the day", "Yes, close", "Confirm it first", "has confirmed your count of DZD 1,300", "Count the till again"},
	"fr": {"Voir le comptage", "Confirmer le comptage", "Faire recompter", "💵 Karim", "Clôturer la journée", "Oui, clôturer", "Confirmez-le d'abord", "a confirmé votre comptage de 1 300 DA", "Recomptez la caisse"},
	"ar": {"عرض الجرد", "تأكيد الجرد", "طلب إعادة الجرد", "💵 Karim", "غلق اليوم", "نعم، غلق", "أكّده أولًا", "جردك: 1 300 د.ج", "أعد جرد الصندوق"},
}

// notCounted is what the question about a day says of one drawer that has taken something since its last count.
var notCounted = map[string]string{"en": "Tills that nobody has counted: 1", "fr": "Caisses non comptées : 1", "ar": "صناديق لم تُجرد: 1"}

// sellsOne has the seller buy a card and sell it for cash.
func sellsOne(h *apptest.Harness) {
	h.T.Helper()
	buy(h, apptest.Karim)
	h.Tap(apptest.Karim, "💵 \u2068")
	h.Pass(2 * time.Second)
}

// countBlind has the seller sell for cash and count, in a language that both of them read.
func countBlind(h *apptest.Harness, lang string) {
	sellsOne(h)
	chooseLanguage(h, apptest.Karim, lang)
	chooseLanguage(h, apptest.Sam, lang)
	sendCount(h, lang)
}

func sendCount(h *apptest.Harness, lang string) {
	h.Say(apptest.Karim, "/close")
	h.Say(apptest.Karim, "1300")
	h.Tap(apptest.Karim, map[string]string{"en": "Nothing", "fr": "Rien", "ar": "لا شيء"}[lang])
	h.Pass(2 * time.Second)
}

// laterConfirm has the seller sell and count, and the owner look at it. late confirms what was shown then.
func laterConfirm(h *apptest.Harness, lang string) (late func()) {
	countBlind(h, lang)
	h.Tap(apptest.Sam, countWords[lang].toCount)
	shown := h.SeeAny(apptest.Sam, map[string]string{"en": "Should be there", "fr": "Attendu", "ar": "المتوقّع"}[lang])
	confirm := dataOf(h.T, shown, countWords[lang].confirm)
	return func() {
		h.Telegram.Tap(apptest.Sam, apptest.Sam, shown.ID, confirm)
		h.Pass(2 * time.Second)
	}
}

// TestDayWaitsForCounts: a count that an owner has not confirmed is not lost by closing the day: it is decided first, and whoever
// has counted hears what became of it.
func TestDayWaitsForCounts(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, w := range countWords {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				countBlind(h, lang)
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, w.closeDay)
				ask := h.SeeAny(apptest.Sam, w.first)
				for _, row := range ask.Keyboard {
					for _, key := range row {
						if strings.HasPrefix(key.Text, w.yes) {
							t.Errorf("the day can be closed over a count that waits: %s", key.Text)
						}
					}
				}
				b, _ := book(h)
				h.Telegram.Tap(apptest.Sam, apptest.Sam, ask.ID, "1:close:day:"+string(b.Day)) // a late tap on an older question
				h.Pass(2 * time.Second)
				if b, _ = book(h); b.Closed != "" {
					t.Errorf("a late tap has closed %s over the count", b.Closed)
				}
				h.Tap(apptest.Sam, w.tills)
				h.Tap(apptest.Sam, w.confirm)
				h.Pass(2 * time.Second)
				holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "over/601": 80 * ledger.Dinar, "safe": 1300 * ledger.Dinar})
				if !strings.Contains(plainly(h.Texts(apptest.Karim)), w.taken) {
					t.Error("whoever has counted does not hear that it is confirmed")
				}
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, w.closeDay)
				h.Tap(apptest.Sam, w.yes)
				h.Pass(2 * time.Second)
				if b, _ = book(h); b.Closed == "" {
					t.Error("the day is not closed")
				}
			})
		})
	}
}

// TestACountIsJudgedByItsMoment: what is sold between a count and its confirmation is neither missing from what was counted nor lost: it
// stays in the drawer, is of the next shift, and can be taken back by whoever sold it.
func TestACountIsJudgedByItsMoment(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, w := range countWords {
		words := map[string][2]string{"en": {"short DZD 80", "Since the count: DZD +1,380"}, "fr": {"manque 80 DA", "Depuis le comptage : +1 380 DA"}, "ar": {"80 د.ج", "منذ الجرد: +1 380 د.ج"}}[lang]
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				countBlind(h, lang)
				h.Pass(11 * time.Minute)
				buy(h, apptest.Karim)
				h.Tap(apptest.Karim, "💵")
				h.Pass(2 * time.Second)
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, w.tills)
				text := plainly(heard(h, apptest.Sam).Text)
				for _, want := range words {
					if !strings.Contains(text, want) {
						t.Errorf("the owner does not see %q in\n%s", want, text)
					}
				}
				h.Tap(apptest.Sam, w.confirm)
				h.Pass(2 * time.Second)
				holds(h, map[ledger.Account]ledger.Money{"till/601": 1380 * ledger.Dinar, "over/601": 80 * ledger.Dinar, "safe": 1300 * ledger.Dinar})
				if s := theBook(h).Shifts["601"]; s.With != 0 || s.OpenedAt.IsZero() || s.Last < s.First {
					t.Errorf("the sale is not of the next shift: %+v", s)
				}
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, w.closeDay)
				shows(h, notCounted[lang])
				// Its cash was not counted: whoever has sold may take the sale back, out of the drawer.
				h.Tap(apptest.Karim, "↩️")
				h.Pass(2 * time.Second)
				holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "over/601": 80 * ledger.Dinar, "safe": 1300 * ledger.Dinar})
			})
		})
	}
}

// TestACountBesideASale: who sells between counting and saying what stays is asked to count again: when they counted is not known any
// more, and the sale would count as missing.
func TestACountBesideASale(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, w := range countWords {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				buy(h, apptest.Karim)
				h.Tap(apptest.Karim, "💵 \u2068DZD\u00a01,380")
				h.Pass(11 * time.Minute)
				buy(h, apptest.Karim)
				chooseLanguage(h, apptest.Karim, lang)
				chooseLanguage(h, apptest.Sam, lang)
				nothing := map[string]string{"en": "Nothing", "fr": "Rien", "ar": "لا شيء"}[lang]
				h.Say(apptest.Karim, "/close")
				h.Say(apptest.Karim, "1380")
				h.Pass(2 * time.Second)
				asked := heard(h, apptest.Karim)
				late := dataOf(h.T, asked, nothing)
				h.Tap(apptest.Karim, "💵") // of the receipt above
				h.Pass(2 * time.Second)
				h.Telegram.Tap(apptest.Karim, apptest.Karim, asked.ID, late) // the phone still shows it
				h.Pass(2 * time.Second)
				h.Say(apptest.Karim, "2760")
				h.Tap(apptest.Karim, nothing)
				h.Pass(2 * time.Second)
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, w.tills)
				h.Tap(apptest.Sam, w.confirm)
				h.Pass(2 * time.Second)
				holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "over/601": 0, "safe": 2760 * ledger.Dinar})
			})
		})
	}
}

// TestAnotherCount: an owner who does not believe a count asks for another one, by one button on both sides; a confirmation of
// what was counted before it is none of what was counted after.
func TestAnotherCount(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, w := range countWords {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				late := laterConfirm(h, lang)
				h.Tap(apptest.Sam, w.again)
				h.Pass(2 * time.Second)
				if !strings.Contains(plainly(h.Texts(apptest.Karim)), w.recount) {
					t.Fatal("the seller is not asked to count again")
				}
				h.Say(apptest.Karim, "/close")
				h.Say(apptest.Karim, "900")
				h.Tap(apptest.Karim, map[string]string{"en": "Nothing", "fr": "Rien", "ar": "لا شيء"}[lang])
				h.Pass(2 * time.Second)
				late()
				holds(h, map[ledger.Account]ledger.Money{"till/601": 1380 * ledger.Dinar, "safe": 0})
			})
		})
	}
}

// TestWhatStaysIsConfirmedToo: a confirmation is one of what was counted and of what stays: where the same was counted again, and
// something else left in the drawer, the owner is shown that first.
func TestWhatStaysIsConfirmedToo(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, w := range countWords {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				late := laterConfirm(h, lang)
				h.Say(apptest.Karim, "/close")
				h.Say(apptest.Karim, "1300")
				h.Tap(apptest.Karim, map[string]string{"en": "All of it", "fr": "Tout", "ar": "كل المبلغ"}[lang])
				h.Pass(2 * time.Second)
				late()
				holds(h, map[ledger.Account]ledger.Money{"till/601": 1380 * ledger.Dinar, "safe": 0})
				h.Tap(apptest.Sam, w.confirm)
				h.Pass(2 * time.Second)
				holds(h, map[ledger.Account]ledger.Money{"till/601": 1300 * ledger.Dinar, "over/601": 80 * ledger.Dinar, "safe": 0})
			})
		})
	}
}

// TestCountOfNothingShows: a count waits in the owner's list also where no cash has to be there.
func TestCountOfNothingShows(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		h.Pass(2 * time.Second)
		sendCount(h, "en")
		h.Say(apptest.Sam, "/close")
		shows(h, "Counted: DZD 1,300")
	})
}

// TestACountedTillIsCounted: a till whose cash was counted and left in it is not called uncounted when the day is closed; one that has
// sold since is.
func TestACountedTillIsCounted(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, warns := range notCounted {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				w := countWords[lang]
				countBlind(h, lang)
				h.Tap(apptest.Sam, w.toCount)
				h.Say(apptest.Sam, "1300")
				h.Tap(apptest.Sam, map[string]string{"en": "All", "fr": "Tout", "ar": "كل المبلغ"}[lang])
				h.Pass(2 * time.Second)
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, w.closeDay)
				h.Pass(2 * time.Second)
				if text := lastTo(h); strings.Contains(text, warns) {
					t.Errorf("a till that was counted just now is not: %s", text)
				}
				sellsOne(h)
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, w.closeDay)
				shows(h, warns)
			})
		})
	}
}

// TestTheOwnerCountsToo: where an owner counts a till while its seller's count waits, the seller is told that theirs was not used,
// and a late button of it says so too, and writes nothing.
func TestTheOwnerCountsToo(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	told := map[string]string{
		"en": "has counted the till as well: DZD 1,200. Your count of DZD 1,300 was not used",
		"fr": "a aussi compté la caisse : 1 200 DA. Votre comptage de 1 300 DA n'a pas été pris",
		"ar": "لم يُحتسب جردك: 1 300 د.ج",
	}
	gone := map[string]string{"en": "This count no longer waits", "fr": "Ce comptage n'attend plus", "ar": "لم يعد هذا الجرد ينتظر"}
	for lang, w := range countWords {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				countBlind(h, lang)
				h.Tap(apptest.Sam, w.toCount)
				shown := h.SeeAny(apptest.Sam, map[string]string{"en": "Should be there", "fr": "Attendu", "ar": "المتوقّع"}[lang])
				late := dataOf(h.T, shown, w.confirm)
				h.Say(apptest.Sam, "1200")
				h.Tap(apptest.Sam, map[string]string{"en": "Nothing", "fr": "Rien", "ar": "لا شيء"}[lang])
				h.Pass(2 * time.Second)
				if text := plainly(h.Texts(apptest.Karim)); !strings.Contains(text, told[lang]) {
					t.Errorf("the seller is not told:\n%s", text)
				}
				tap := h.Telegram.Tap(apptest.Sam, apptest.Sam, shown.ID, late)
				h.Pass(2 * time.Second)
				h.RefusedWith(h.Answer(tap), gone[lang])
				holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "over/601": 180 * ledger.Dinar, "safe": 1200 * ledger.Dinar})
			})
		})
	}
}

// TestTheTillOfWhoLeaves: before a seller is removed, the owner reads that their till holds cash; afterwards it still has their name,
// and can be counted.
func TestTheTillOfWhoLeaves(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsOne(h)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		shows(h, "Their till holds DZD 1,380")
		h.Tap(apptest.Sam, "Yes, remove")
		h.Pass(2 * time.Second)
		h.Say(apptest.Sam, "/close")
		shows(h, "Karim: DZD 1,380")
		h.Tap(apptest.Sam, "💵 Karim")
		h.Say(apptest.Sam, "1380")
		h.Tap(apptest.Sam, "Nothing")
		h.Pass(2 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "safe": 1380 * ledger.Dinar})
	})
}

// TestSoldBehindTheDay: what is sold on a day that is closed already is the next day's, and the report of today says how much that is.
func TestSoldBehindTheDay(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsOne(h)
		h.Say(apptest.Sam, "/close")
		h.Tap(apptest.Sam, "Close the day")
		h.Tap(apptest.Sam, "Yes, close")
		h.Pass(2 * time.Second)
		sellsOne(h)
		h.Say(apptest.Karim, "/today")
		h.SeeAny(apptest.Karim, "Sold since it was closed: DZD 1,380")
		h.Say(apptest.Sam, "/today")
		shows(h, "Sold: DZD 1,380")
		shows(h, "Since it was closed: sold DZD 1,380, bought DZD 1,250.50. That counts for the next day")
	})
}

// TestACountThatIsLeftIsNotKept: where something else comes before it is said how much of a count stays, its message says that it is not
// kept; a count that was finished says nothing of it. In each language.
func TestACountThatIsLeftIsNotKept(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{
		"en": "The count of DZD 5,000 was not kept", "fr": "Le comptage de 5 000 DA n'a pas été gardé", "ar": "لم يُحفظ جرد 5 000 د.ج",
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				buy(h, apptest.Karim)
				chooseLanguage(h, apptest.Karim, lang)
				h.Say(apptest.Karim, "/close")
				h.Say(apptest.Karim, "5000")
				for _, nonsense := range []string{"abc", "def", "-1", "ghi"} { // the same count is asked about
					h.Say(apptest.Karim, nonsense)
					h.Pass(3 * time.Second)
				}
				if text := plainly(h.Texts(apptest.Karim)); strings.Contains(text, words) {
					t.Errorf("a count that goes on is said to be lost:\n%s", h.Transcript(apptest.Karim))
				}
				h.Tap(apptest.Karim, "💵 \u2068")
				h.Pass(3 * time.Second)
				if text := plainly(h.Texts(apptest.Karim)); !strings.Contains(text, words) {
					t.Errorf("the count is not said to be lost:\n%s", h.Transcript(apptest.Karim))
				}
				sendCount(h, lang)
				if text := plainly(h.Texts(apptest.Karim)); strings.Contains(strings.Replace(text, words, "", 1), map[string]string{"en": "was not kept", "fr": "n'a pas été gardé", "ar": "لم يُحفظ"}[lang]) {
					t.Errorf("a count that is kept is said to be lost:\n%s", text)
				}
			})
		})
	}
}
