package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// shopIn plays with an owner whose phone speaks a language, and who has linked the key.
func shopIn(t *testing.T, lang string, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, apptest.StockIn(lang), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		play(h)
	})
}

// TestBalanceIsOfThisMoment: what was read just now is said to be, in every language, however long the reading took.
func TestBalanceIsOfThisMoment(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "just now (01:01)", "fr": "à l'instant (01:01)", "ar": "الآن (01:01)"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			shopIn(t, lang, func(h *apptest.Harness) {
				h.Pass(time.Minute)
				h.Service.Inject(sim.Fault{Operation: "GET /balance", Kind: sim.Delay, Delay: 2 * time.Second, Times: 1})
				h.Say(apptest.Sam, "/balance")
				h.Pass(3 * time.Second)
				h.See(apptest.Sam, words)
			})
		})
	}
}

// TestMovementsInWords: each names what moved the balance, who has bought, and what was left, and a deposit is called one, in
// every language.
func TestMovementsInWords(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string][3]string{
		"en": {"· bought", "· deposit or credit", "balance DZD 28,749.50"}, "fr": {"· achat", "· dépôt ou ajout", "solde 28 749,50 DA"}, "ar": {"· شراء", "· إيداع أو مبلغ مضاف", "28 749,50 د.ج"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			shopIn(t, lang, func(h *apptest.Harness) {
				h.Pass(6 * time.Minute)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(6 * time.Minute)
				h.Service.Deposit(apptest.TestKey, "5000")
				h.Pass(apptest.Alarmed)
				h.Say(apptest.Sam, "/balance")
				h.Tap(apptest.Sam, "📒")
				text := spaced(h.See(apptest.Sam, "Play Card").Text)
				for _, want := range append(words[:], "Play Card · 10 USD × 1 · 🛒 Sam") {
					if !strings.Contains(text, want) {
						t.Errorf("%q is missing in\n%s", want, text)
					}
				}
			})
		})
	}
}

// spaced is a text without what only directs it, and with plain spaces.
func spaced(text string) string {
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(apptest.Plain(text))
}

// TestOrdersInWords: rows, filters and what finds nothing, in every language.
func TestOrdersInWords(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ price, today, waiting, none, problems, noProblems, notFound string }{
		"en": {"DZD 2,501", "Today", "Waiting", "No orders here", "Problems", "No problems", "No order with"},
		"fr": {"2 501 DA", "Aujourd'hui", "En attente", "Aucune commande ici", "Problèmes", "Aucun problème", "Aucune commande"},
		"ar": {"2 501 د.ج", "اليوم", "في الانتظار", "لا طلبات هنا", "مشاكل", "لا مشاكل", "طلب"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			shopIn(t, lang, func(h *apptest.Harness) {
				h.Order(apptest.Sam, "Play Card", "10 USD", "2")
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Minute)
				code := h.Service.Orders()[0].Code
				h.Say(apptest.Sam, "/orders")
				row := "🎉 01/01 01:00 · Play Card · 10 USD × 2 · " + words.price
				if text := spaced(h.See(apptest.Sam, "📦").Text); !strings.Contains(text, row) {
					t.Errorf("%q is missing in\n%s", row, text)
				}
				h.Tap(apptest.Sam, words.waiting)
				h.See(apptest.Sam, words.none)
				h.Tap(apptest.Sam, words.problems)
				h.See(apptest.Sam, words.noProblems)
				h.Tap(apptest.Sam, words.today)
				if rows := buttons(h.See(apptest.Sam, "📦"), "🎉"); len(rows) != 1 {
					t.Errorf("%d purchases of today", len(rows))
				}
				h.Say(apptest.Sam, "/orders nothing-of-the-kind")
				h.See(apptest.Sam, words.notFound)
				if !slices.Contains(h.Codes(apptest.Sam), code) {
					t.Fatalf("the code never came:\n%s", h.Transcript(apptest.Sam))
				}
				before := len(h.Codes(apptest.Sam))
				h.Say(apptest.Sam, code[len(code)-4:])
				if again := h.Codes(apptest.Sam); len(again) != before+2 {
					t.Errorf("the end of a code opens %d codes", len(again)-before)
				}
			})
		})
	}
}

// TestPastedKeyInWords: whoever sends a key without /key is told what became of it in their language.
func TestPastedKeyInWords(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "This looks like an API key", "fr": "à une clé API", "ar": "يبدو هذا مفتاح API"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			shopIn(t, lang, func(h *apptest.Harness) {
				const pasted = "KEY-another-77aa-of-somebody"
				h.Say(apptest.Sam, pasted)
				h.See(apptest.Sam, words)
				if strings.Contains(h.Texts(apptest.Sam), pasted) {
					t.Errorf("the key is shown, or stays:\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestInvitationIsSharedInWords: the button that hands an invitation on, with words in the language of who sends it.
func TestInvitationIsSharedInWords(t *testing.T) {
	t.Parallel()
	for lang, label := range sampletest.SomeNamed(3, map[string]string{"en": "📤 Share", "fr": "📤 Partager", "ar": "📤 مشاركة"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			shopIn(t, lang, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, "➕")
				m := h.See(apptest.Sam, "start=")
				link := apptest.StartLink.FindString(apptest.Plain(m.Text))
				if i := slices.IndexFunc(flatKeys(m), func(b tgsim.Button) bool { return b.Text == label }); i < 0 || link == "" || !strings.HasPrefix(flatKeys(m)[i].URL, "https://t.me/share/url?") {
					t.Errorf("%q cannot be shared with %+v", link, flatKeys(m))
				}
			})
		})
	}
}

// TestCounterIsAnsweredInWords: whoever has a code of the group sent home is told so in the language that they chose.
func TestCounterIsAnsweredInWords(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "in private", "fr": "en privé", "ar": "في الخاص"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inShop(t, func(h *apptest.Harness) {
				code := buy(h, apptest.Karim)
				chooseLanguage(h, apptest.Lila, lang)
				if c := h.TapIn(apptest.Lila, shop, "📩"); !strings.Contains(c.Text, words) {
					t.Errorf("the tap is answered %q", c.Text)
				}
				if !slices.Contains(h.Codes(apptest.Lila), code) || strings.Contains(h.Texts(shop), code) {
					t.Errorf("the code is not where it belongs:\n%s", h.Transcript(apptest.Lila))
				}
			})
		})
	}
}

// TestHistoryInWords: an owner reads the states of the supplier's list in their language, and has the code of what was bought
// outside the bot.
func TestHistoryInWords(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string][2]string{
		"en": {"delivered", "It matches no purchase that this bot knows"}, "fr": {"livré", "Aucun achat connu de ce bot"}, "ar": {"تم التسليم", "لا يقابله أي شراء يعرفه هذا البوت"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Everything(sim.Options{Mode: sim.Both})(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				_, err := h.Service.Buy(apptest.TestKey, 101, 1, "elsewhere")
				h.Must(err)
				h.Pass(time.Minute)
				h.Say(apptest.Sam, "/orders")
				h.Tap(apptest.Sam, "📜")
				if text := apptest.Plain(h.See(apptest.Sam, words[0]).Text); lang != "en" && strings.Contains(text, "delivered") {
					t.Errorf("a state is not translated: %s", text)
				}
				h.Tap(apptest.Sam, "1")
				h.See(apptest.Sam, words[1])
				if code := h.Service.Orders()[0].Code; !slices.Contains(h.Codes(apptest.Sam), code) {
					t.Errorf("the code of what was bought elsewhere is not shown:\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}
