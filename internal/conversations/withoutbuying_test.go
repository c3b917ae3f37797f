package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// inTeamIn is inTeam of people who read a language.
func inTeamIn(t *testing.T, language string, play func(*apptest.Harness)) {
	t.Helper()
	inTeam(t, func(h *apptest.Harness) {
		for _, user := range []int64{apptest.Sam, apptest.Karim, apptest.Lila} {
			h.Say(user, "/language")
			h.Tap(user, map[string]string{"en": "English", "fr": "Français", "ar": "العربية"}[language])
		}
		play(h)
	})
}

// heard is what somebody's last message from the bot says, without what only directs it.
func heard(h *apptest.Harness, user int64) tgsim.Message {
	h.T.Helper()
	h.Pass(3 * time.Second)
	for _, m := range slices.Backward(h.Telegram.Messages(user)) {
		if m.FromBot && !m.Deleted {
			return m
		}
	}
	h.T.Fatal("nothing was heard")
	return tgsim.Message{}
}

// TestACounterIsOfferedNothingThatIsRefused: a name that nobody has leads a counter back to what is owed, and not to a list that they
// may not see; and who has pasted a list is told that their role does not buy. In each language.
func TestACounterIsOfferedNothingThatIsRefused(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]struct{ nobody, buys, profit string }{
		"en": {"No customer with", "This role does not buy", "profit"}, "fr": {"Aucun client avec", "Ce rôle n'achète pas", "bénéfice"}, "ar": {"لا زبون فيه", "هذا الدور لا يشتري", "ربح"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, language, func(h *apptest.Harness) {
				h.Say(apptest.Lila, "/kridi Nobody")
				m := heard(h, apptest.Lila)
				if !strings.Contains(plainly(m.Text), words.nobody) {
					t.Errorf("/kridi of nobody says %s", m.Text)
				}
				for _, row := range m.Keyboard {
					for _, key := range row {
						id := h.Telegram.Tap(apptest.Lila, apptest.Lila, m.ID, key.Data)
						h.Pass(2 * time.Second)
						if c := h.Answer(id); c.Alert {
							t.Errorf("%q is refused: %s", key.Text, c.Text)
						}
					}
				}
				for _, list := range []string{"pc5 x2\npc10 x1", "play card 10\n\nplay card 25 x2"} {
					h.Say(apptest.Lila, list)
					if text := plainly(heard(h, apptest.Lila).Text); !strings.Contains(text, words.buys) {
						t.Errorf("a list is answered with %s", text)
					}
				}
				for user, sees := range map[int64]bool{apptest.Sam: true, apptest.Karim: false, apptest.Lila: false} {
					h.Say(user, "/help")
					if text := plainly(heard(h, user).Text); strings.Contains(text, words.profit) != sees {
						t.Errorf("the help of %d speaks of profit: %v\n%s", user, !sees, text)
					}
				}
			})
		})
	}
}

// TestSeveralWhoOwe: names that fit lead a counter to what each of them owes.
func TestSeveralWhoOwe(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		for _, one := range []struct{ player, name string }{{"51234567", "Karim A"}, {"51234568", "Karim B"}} {
			summaryOf(h, "battle 60 "+one.player)
			h.Tap(apptest.Sam, "✅")
			h.Pass(20 * time.Second)
			h.TapUnder("Topped up", "👤")
			h.See(apptest.Sam, "What is this customer called?")
			h.Say(apptest.Sam, one.name)
		}
		h.Telegram.AddUser(tgsim.User{ID: apptest.Lila, FirstName: "Lila", LanguageCode: "en"})
		h.Join(apptest.Lila, h.Invite(apptest.Sam, "➕ Counter"))
		h.Say(apptest.Lila, "/kridi karim")
		h.Tap(apptest.Lila, "👤 Karim B")
		h.See(apptest.Lila, "📒 Karim B")
	})
}

// TestOrdersWithoutAnAccount: who has linked nothing is shown the way to that, where there are no orders.
func TestOrdersWithoutAnAccount(t *testing.T) {
	t.Parallel()
	for language, key := range sampletest.SomeNamed(3, map[string]string{"en": "Link my API key", "fr": "Lier ma clé API", "ar": "ربط مفتاح API"}) {
		for _, command := range []string{"/orders", "/orders abc"} {
			t.Run(language+" "+command, func(t *testing.T) {
				t.Parallel()
				apptest.Run(t, apptest.StockIn(language), func(h *apptest.Harness) {
					h.Telegram.Start(apptest.Sam, "")
					h.Pass(2 * time.Second)
					h.Say(apptest.Sam, command)
					if keys := plainly(keysOf(heard(h, apptest.Sam))); !strings.Contains(keys, key) {
						t.Errorf("it offers %s", keys)
					}
				})
			})
		}
	}
}

// TestARuleIsTypedAtItsScreen: a percentage, or an amount with its currency, that is typed while prices are shown is the rule; a bare
// figure is asked about, and anything else is looked for as everywhere. Nothing is set without a tap.
func TestARuleIsTypedAtItsScreen(t *testing.T) {
	t.Parallel()
	for language, words := range sampletest.SomeNamed(3, map[string]struct{ round, which, own, step string }{
		"en": {"Round prices up", "percentage or an amount", "Own price: DZD 1,405", "DZD\u00a05"},
		"fr": {"Arrondir les prix", "pourcentage ou un montant", "Prix de vente : 1 405 DA", "5\u00a0DA"},
		"ar": {"تقريب", "نسبة مئوية أم مبلغ", "سعر البيع: 1 405 د.ج", "5\u00a0د.ج"},
	}) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Telegram.SetLanguage(apptest.Sam, language)
				h.Link(apptest.Sam)
				for _, typed := range []string{"12%", "١٢٪", "%12", "100 DA", "١٠٠ دج", "12"} {
					h.Say(apptest.Sam, "/prices")
					h.Pass(time.Second)
					h.Say(apptest.Sam, typed)
					if want := map[bool]string{true: words.which, false: words.round}[typed == "12"]; !strings.Contains(plainly(heard(h, apptest.Sam).Text), want) {
						t.Errorf("%q is answered with %s", typed, heard(h, apptest.Sam).Text)
					}
					if _, open := book(h); open {
						t.Fatalf("%q has set a rule", typed)
					}
				}
				h.Say(apptest.Sam, "12%")
				h.Tap(apptest.Sam, words.step)
				h.Pass(2 * time.Second)
				h.Say(apptest.Sam, "play card 10 usd")
				shows(h, words.own)
				h.Say(apptest.Sam, "12%") // it is of another screen now
				hides(h, words.round)
			})
		})
	}
}
