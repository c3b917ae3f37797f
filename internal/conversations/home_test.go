package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestHomeTellsWhatWasSold: in a shop with prices, home says what was sold today, the whole shop's to an owner and the own to a
// seller, and no longer what came back; a shop without prices sees nothing of it.
func TestHomeTellsWhatWasSold(t *testing.T) {
	t.Parallel()
	home := func(h *apptest.Harness, user int64) string {
		h.T.Helper()
		h.Say(user, "/start")
		h.Pass(3 * time.Second)
		return plainly(last(h.Telegram.Messages(user)).Text)
	}
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ one, two string }{
		"en": {"Sold today: 1 · DZD 1,380", "Sold today: 2 · DZD 2,760"},
		"fr": {"Vendu aujourd'hui : 1 · 1 380 DA", "Vendu aujourd'hui : 2 · 2 760 DA"},
		"ar": {"مبيعات اليوم: 1 · 1 380 د.ج", "مبيعات اليوم: 2 · 2 760 د.ج"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				sellsOne(h)
				buy(h, apptest.Sam)
				h.Tap(apptest.Sam, "💵 \u2068")
				h.Pass(2 * time.Second)
				chooseLanguage(h, apptest.Karim, lang)
				chooseLanguage(h, apptest.Sam, lang)
				if text := home(h, apptest.Sam); !strings.Contains(text, words.two) {
					t.Errorf("the owner reads\n%s", text)
				}
				if text := home(h, apptest.Karim); !strings.Contains(text, words.one) {
					t.Errorf("the seller reads\n%s", text)
				}
			})
		})
	}
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		if text := home(h, apptest.Sam); strings.Contains(text, "Sold today") || !strings.Contains(text, "Purchases today: 1") {
			t.Errorf("a shop without prices reads\n%s", text)
		}
	})
}

// TestHomeCountsWhatIsUnderway: what was paid and has not come yet is paid today as well, each line of a list, and what has failed
// is not. In each language.
func TestHomeCountsWhatIsUnderway(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string][3]string{
		"en": {"Purchases today: 1 · paid DZD 700", "Purchases today: 4 · paid DZD 2,800", "Purchases today: 3 · paid DZD 2,100"},
		"fr": {"Achats du jour : 1 · payé 700 DA", "Achats du jour : 4 · payé 2 800 DA", "Achats du jour : 3 · payé 2 100 DA"},
		"ar": {"مشتريات اليوم: 1 · المدفوع 700 د.ج", "مشتريات اليوم: 4 · المدفوع 2 800 د.ج", "مشتريات اليوم: 3 · المدفوع 2 100 د.ج"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedShop(t, func(h *apptest.Harness) {
				h.Service.AddProduct(sim.ProductSpec{ID: 20, Name: "Slow Card", CategoryID: 4, Variants: []sim.VariantSpec{{ID: 201, Name: "7 USD", Price: "700", InStock: 50, Delay: 10 * time.Minute}}})
				h.Pass(20 * time.Minute) // until the catalogue has it
				chooseLanguage(h, apptest.Sam, lang)
				home := func(want string) {
					h.T.Helper()
					h.Say(apptest.Sam, "/start")
					h.Pass(time.Second)
					if text := plainly(last(h.Telegram.Messages(apptest.Sam)).Text); !strings.Contains(text, want) {
						t.Errorf("home does not say %q:\n%s", want, text)
					}
				}
				bought := func(line string) {
					h.Say(apptest.Sam, line)
					h.Tap(apptest.Sam, "✅")
					h.Pass(10 * time.Second)
				}
				bought("slow card x1")
				home(words[0])
				bought("slow card x1\nslow card x1\nslow card x1")
				home(words[1])
				h.Must(h.Service.Fail(h.Service.Orders()[0].ID, ""))
				h.Pass(12 * time.Minute)
				home(words[2])
			})
		})
	}
}

// TestHomeLeadsToWhatIsUncertain: the first button of home is what nobody knows yet, as long as there is something.
func TestHomeLeadsToWhatIsUncertain(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "1 uncertain purchase", "fr": "1 achat incertain", "ar": "عملية شراء واحدة غير مؤكدة"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, lang, func(h *apptest.Harness) {
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
				h.Order(apptest.Karim, "Play Card", "25 USD", "1")
				h.Tap(apptest.Karim, "✅")
				h.Pass(5 * time.Second)
				h.Say(apptest.Sam, "/start")
				h.Tap(apptest.Sam, words)
				m := h.SeeLast(apptest.Sam, "25 USD")
				if !strings.Contains(m.Text, "❓") || !strings.Contains(m.Text, "Karim") {
					t.Errorf("the button leads to\n%s", m.Text)
				}
			})
		})
	}
}

// TestOneToday: between midnight and four, what was sold before midnight is of today on home, in the report and in the list of
// orders; behind a day that was closed early, too. A shop without books has the calendar's day. In each language.
func TestOneToday(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ sold, bought, today, two, three, after string }{
		"en": {"Sold today: 1 · DZD 1,380", "Purchases today: 1 · paid DZD 1,250.50", "Today", "Sold today: 2 · DZD 2,760", "Purchases today: 2 · paid DZD 2,501", "Since it was closed: sold DZD 1,380, bought DZD 1,250.50"},
		"fr": {"Vendu aujourd'hui : 1 · 1 380 DA", "Achats du jour : 1 · payé 1 250,50 DA", "Aujourd'hui", "Vendu aujourd'hui : 2 · 2 760 DA", "Achats du jour : 2 · payé 2 501 DA", "Depuis la clôture : vendu 1 380 DA, acheté 1 250,50 DA"},
		"ar": {"مبيعات اليوم: 1 · 1 380 د.ج", "مشتريات اليوم: 1 · المدفوع 1 250,50 د.ج", "اليوم", "مبيعات اليوم: 2 · 2 760 د.ج", "مشتريات اليوم: 2 · المدفوع 2 501 د.ج", "المبيعات 1 380 د.ج، المشتريات 1 250,50 د.ج"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				sells := func() {
					buy(h, apptest.Sam)
					h.Tap(apptest.Sam, "💵 \u2068")
					h.Pass(2 * time.Second)
				}
				says := func(what string, words ...string) {
					h.T.Helper()
					h.Say(apptest.Sam, what)
					h.Pass(2 * time.Second)
					for _, w := range words {
						if text := plainly(last(h.Telegram.Messages(apptest.Sam)).Text); !strings.Contains(text, w) {
							t.Errorf("%s does not say %q:\n%s", what, w, text)
						}
					}
				}
				h.Sleep(time.Until(time.Date(2000, 1, 1, 22, 30, 0, 0, time.UTC))) // half past eleven in Algiers
				sells()
				h.Pass(time.Hour)
				chooseLanguage(h, apptest.Sam, lang)
				says("/start", words.sold, words.bought)
				h.Say(apptest.Sam, "/orders")
				h.Tap(apptest.Sam, words.today)
				h.See(apptest.Sam, "Play Card")
				chooseLanguage(h, apptest.Sam, "en")
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, "Close the day")
				h.Tap(apptest.Sam, "Yes, close")
				h.Pass(2 * time.Second)
				sells()
				chooseLanguage(h, apptest.Sam, lang)
				says("/start", words.two, words.three)
				says("/today", words.after)
				h.Sleep(5 * time.Hour) // it is another day
				h.Say(apptest.Sam, "/orders")
				h.Tap(apptest.Sam, words.today)
				h.Pass(time.Second)
				if text := h.SeeLast(apptest.Sam, "").Text; strings.Contains(text, "Play Card") {
					t.Errorf("what was bought yesterday is of today:\n%s", text)
				}
			})
		})
	}
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Sleep(time.Until(time.Date(2000, 1, 1, 22, 30, 0, 0, time.UTC)))
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(time.Hour)
		h.Say(apptest.Sam, "/start")
		if text := plainly(last(h.Telegram.Messages(apptest.Sam)).Text); strings.Contains(text, "Purchases today") {
			t.Errorf("a shop without books has the day before at midnight:\n%s", text)
		}
	})
}

// TestASellersHomeCountsTheirOwn: what others of the team wait for is not in progress on a seller's home. In each language.
func TestASellersHomeCountsTheirOwn(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "1 purchase in progress", "fr": "1 achat en cours", "ar": "عملية شراء واحدة قيد التنفيذ"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, lang, func(h *apptest.Harness) {
				h.Service.HoldOrders(true)
				for _, who := range []int64{apptest.Sam, apptest.Karim} {
					h.Say(who, "play card 10 usd x1")
					h.Tap(who, "✅")
					h.Pass(10 * time.Second)
					h.Say(apptest.Karim, "/start")
					h.Pass(time.Second)
					text := plainly(last(ofBot(h, apptest.Karim)).Text)
					if own := who == apptest.Karim; strings.Contains(text, "⏳") != own || own && !strings.Contains(text, words) {
						t.Errorf("the seller reads, with the purchase of %d,\n%s", who, text)
					}
				}
			})
		})
	}
}

// TestHomeTellsWhenTheBalanceWasRead: where the service is away, home says when the balance was read that it shows, and its clock is no
// later than a reading of a moment ago. In each language.
func TestHomeTellsWhenTheBalanceWasRead(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "it cannot be read now", "fr": "illisible pour le moment", "ar": "تتعذّر قراءته الآن"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.StockIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				home := func() string {
					h.T.Helper()
					h.Say(apptest.Sam, "/start")
					h.Pass(20 * time.Second)
					return plainly(last(ofBot(h, apptest.Sam)).Text)
				}
				now := time.Now()
				h.Pass(now.Truncate(time.Minute).Add(11*time.Minute + 50*time.Second).Sub(now))
				h.Say(apptest.Sam, "/balance") // read at 01:11:5x
				h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: 502, Times: 10_000})
				h.Pass(12 * time.Second) // it is another minute
				if text := home(); !strings.Contains(text, "🕐 01:11") {
					t.Errorf("home is, of a reading of the minute before,\n%s", text)
				}
				h.Pass(3 * time.Minute)
				if text := home(); !strings.Contains(text, words) {
					t.Errorf("home is\n%s", text)
				}
			})
		})
	}
}
