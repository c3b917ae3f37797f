package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// inLists is what is said of lists, language by language.
func inLists() map[string]struct{ above, ask, gone, unsold, price, short, again, done string } {
	return map[string]struct{ above, ask, gone, unsold, price, short, again, done string }{
		"en": {"Above your limit", "Ask for approval", "out of stock", "no longer sold", "its price is now", "balance too low", "Try again", "List done: %s of %s"},
		"fr": {"Au-dessus de votre limite", "Demander l'accord", "épuisé", "plus en vente", "son prix est maintenant", "solde insuffisant", "Réessayer", "livrées : %s sur %s"},
		"ar": {"فوق حدّك", "طلب الموافقة", "غير متوفر", "لم يعد موجودًا لدى المورّد", "سعره الآن", "الرصيد غير كافٍ", "إعادة المحاولة", "تم تسليم %s من %s"},
	}
}

// delivered is how a list is said to have ended.
func delivered(form, came, all string) string {
	return strings.Replace(strings.Replace(form, "%s", came, 1), "%s", all, 1)
}

// listsIn is atTheCounter for an owner who reads a language.
func listsIn(t *testing.T, lang string, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, heroesIn(lang), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		play(h)
	})
}

// TestAListAboveADaysLimit: what a seller may buy in a day counts for a whole list: it is all within the limit, or an owner is asked
// for all of it. What an owner allowed does not count, nor does what the list did not buy; a refusal buys nothing. In each language.
func TestAListAboveADaysLimit(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, words := range inLists() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeam(t, func(h *apptest.Harness) {
				h.Service.DemoCatalogue()
				h.Pass(2 * time.Minute)
				limit(h, "Per day", "1000")
				h.Say(apptest.Karim, "/language")
				h.Tap(apptest.Karim, map[string]string{"en": "English", "fr": "Français", "ar": "العربية"}[lang])
				spent := func(want string) {
					t.Helper()
					h.Say(apptest.Sam, "/team")
					h.Tap(apptest.Sam, "Karim")
					h.See(apptest.Sam, "Today without approval: DZD "+want)
				}
				// Of three lines one fails at the service: it is no part of what the day has cost.
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorAnswer, Status: 400, Message: "Product out of stock", Times: 1})
				h.Say(apptest.Karim, "60 coins for:\n51234561\n51234562\n51234563")
				h.Pass(5 * time.Second)
				if m := last(h.Telegram.Messages(apptest.Karim)); len(spendButtons(m)) != 1 {
					t.Fatalf("a list within the limit is\n%s", plainly(m.Text))
				}
				h.Tap(apptest.Karim, "✅")
				h.SeeAny(apptest.Karim, delivered(words.done, "2", "3"))
				h.Happened(2)
				spent("420")
				// 630 more would be 1,050: all of it is asked about, though two of the lines would do.
				h.Say(apptest.Karim, "60 coins for:\n51234564\n51234565\n51234566")
				h.Pass(5 * time.Second)
				above := h.See(apptest.Karim, words.above)
				if len(spendButtons(above)) != 0 {
					t.Errorf("a seller is offered %v above the limit of the day", spendButtons(above))
				}
				h.Tap(apptest.Karim, words.ask)
				h.Pass(2 * time.Second)
				h.See(apptest.Sam, "Karim asks to buy")
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Karim, delivered(words.done, "3", "3"))
				h.Pass(time.Minute)
				h.Happened(5)
				spent("420")
				h.Say(apptest.Karim, "60 coins for:\n51234567\n51234568\n51234569")
				h.Pass(5 * time.Second)
				h.Tap(apptest.Karim, words.ask)
				h.Pass(2 * time.Second)
				h.See(apptest.Sam, "Karim asks to buy")
				h.Tap(apptest.Sam, "✖️")
				h.Pass(time.Minute)
				h.Happened(5)
				h.Say(apptest.Karim, "60 coins for:\n51234570\n51234571")
				h.Pass(5 * time.Second)
				h.Tap(apptest.Karim, "✅") // 840 of 1,000
				h.Pass(time.Minute)
				h.Happened(7)
				spent("840")
			})
		})
	}
}

// TestWhatALimitLeavesOfAList: a list that was within the limit when it was shown is asked about once something else was bought.
func TestWhatALimitLeavesOfAList(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Service.DemoCatalogue()
		h.Pass(2 * time.Minute)
		limit(h, "Per day", "1000")
		h.Say(apptest.Karim, "60 coins for:\n51234561\n51234562\n51234563")
		card := h.See(apptest.Karim, "Valid for")
		limit(h, "Per day", "600")
		h.Telegram.Tap(apptest.Karim, apptest.Karim, card.ID, spendButtons(card)[0].Data)
		h.Pass(3 * time.Second)
		if now := message(h, apptest.Karim, card.ID); len(spendButtons(now)) != 0 || !strings.Contains(apptest.Plain(now.Text), "Above your limit") {
			t.Errorf("the card became\n%s", now.Text)
		}
		h.Happened(0)
	})
}

// TestAListWhoseItemsVanish: a line whose item, or whose whole product, is gone when ✅ is tapped, or while the list goes, is not bought
// and says so; the others are, and again offers nothing that is gone. In each language.
func TestAListWhoseItemsVanish(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, words := range inLists() {
		for when, during := range map[string]bool{"before": false, "meanwhile": true} {
			t.Run(lang+" "+when, func(t *testing.T) {
				t.Parallel()
				listsIn(t, lang, func(h *apptest.Harness) {
					m := replyTo(h, "battle 60 51234567\npc5 x1\nvpn x1\nbattle 660 51234567\nconsole 10 x1")
					if len(spendButtons(m)) != 1 {
						t.Fatalf("the card is\n%s", plainly(m.Text))
					}
					vanish := func() {
						h.Service.Remove(101) // one of the product's
						h.Service.Remove(901) // its only one
						h.Service.Remove(1102)
					}
					if during {
						slowly(h, 0)
					} else {
						vanish()
					}
					h.Tap(apptest.Sam, "✅")
					if during {
						h.Pass(slowSpend / 2)
						vanish()
					}
					h.Pass(3 * time.Minute)
					h.Happened(2)
					card := message(h, apptest.Sam, m.ID)
					text := plainly(card.Text)
					if !strings.Contains(text, delivered(words.done, "2", "5")) || strings.Count(text, words.gone) != 2 || strings.Count(text, words.unsold) != 1 {
						t.Errorf("the card says\n%s", text)
					}
					h.Tap(apptest.Sam, words.again)
					h.Pass(5 * time.Second)
					again := last(h.Telegram.Messages(apptest.Sam))
					if len(spendButtons(again)) != 0 {
						t.Errorf("what is gone is offered again:\n%s", plainly(again.Text))
					}
					h.Pass(time.Minute)
					h.Happened(2)
					h.Answered()
				})
			})
		}
	}
}

// TestSomePricesChange: of a list some of whose prices have changed since its card, the other lines are bought at what the card showed,
// and those are offered again at today's price. In each language.
func TestSomePricesChange(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, words := range inLists() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			listsIn(t, lang, func(h *apptest.Harness) {
				m := replyTo(h, "battle 60 51234567\nbattle 660 51234567\nvpn x1\nconsole 10 x1\nbattle 60 51234568")
				h.Service.SetPrice(1101, "205") // cheaper counts as well: the card has said something else
				h.Service.SetPrice(901, "700")
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Minute)
				h.Happened(2)
				text := plainly(message(h, apptest.Sam, m.ID).Text)
				if strings.Count(text, words.price) != 3 || !strings.Contains(text, delivered(words.done, "2", "5")) {
					t.Errorf("the card says\n%s", text)
				}
				h.Tap(apptest.Sam, words.again)
				h.Pass(5 * time.Second)
				if again := last(h.Telegram.Messages(apptest.Sam)); len(spendButtons(again)) != 1 || !strings.Contains(plainly(again.Text), "205") {
					t.Errorf("again is\n%s", plainly(again.Text))
				}
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Minute)
				h.Happened(5)
			})
		})
	}
}

// TestHalfTheBalance: a card says of which lines the balance reaches no further, and its ✅ is for the others alone; where money has gone
// since, what it does not reach for is not bought, and the card says that as well. In each language.
func TestHalfTheBalance(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, words := range inLists() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			listsIn(t, lang, func(h *apptest.Harness) {
				balance := func(available string) {
					h.Service.SetBalance(apptest.TestKey, available)
					h.Pass(6 * time.Minute)
				}
				balance("1850") // 1,000 of it is held: four of eight
				m := replyTo(h, "60 coins for:\n"+players(8))
				if text := plainly(m.Text); strings.Count(text, words.short) != 4 || len(spendButtons(m)) != 1 || !strings.Contains(plainly(spendButtons(m)[0].Text), "840") {
					t.Fatalf("the card is\n%s with %v", text, spendButtons(m))
				}
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Minute)
				h.Happened(4)
				balance("3000")
				m = replyTo(h, "60 coins for:\n"+strings.ReplaceAll(players(8), "5123", "5124"))
				if len(spendButtons(m)) != 1 || strings.Contains(plainly(m.Text), words.short) {
					t.Fatalf("the card is\n%s", plainly(m.Text))
				}
				h.Service.SetBalance(apptest.TestKey, "1850")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Minute)
				h.Happened(8)
				if text := plainly(message(h, apptest.Sam, m.ID).Text); !strings.Contains(text, delivered(words.done, "4", "8")) {
					t.Errorf("the card says\n%s", text)
				}
			})
		})
	}
}
