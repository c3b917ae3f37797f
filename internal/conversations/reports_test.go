package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// sellOne has sam buy a card, and sell it for cash at the shop's price.
func sellOne(h *apptest.Harness) {
	h.T.Helper()
	buy(h, apptest.Sam)
	h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,380")
	h.Pass(2 * time.Second)
}

// lastFile is the newest file, or picture, that a chat was sent.
func lastFile(h *apptest.Harness, chat int64) (name string, photo bool) {
	for _, m := range h.Telegram.Messages(chat) {
		switch {
		case m.Document != nil:
			name, photo = m.Document.Name, false
		case m.Photo != nil:
			name, photo = "photo", true
		}
	}
	return name, photo
}

// TestReports: /today, /week, /month and a range say what was sold, what it had cost and what was earned, compared with before.
// A seller sees their own sales, and neither cost nor profit. The same comes as a chart and as files. In each language.
func TestReports(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ sold, profit, excel, chart string }{
		"en": {"Sold: DZD 1,380 · units: 1", "Profit: DZD 129.50 · 9%", "Excel", "Chart"},
		"fr": {"Ventes : 1 380 DA · unités : 1", "Bénéfice : 129,50 DA · 9 %", "Excel", "Graphique"},
		"ar": {"المبيعات: 1 380 د.ج · الوحدات: 1", "الربح: 129,50 د.ج · 9%", "إكسل", "رسم"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.People, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/today")
				shows(h, "There are no books yet")
				h.Join(apptest.Karim, h.Invite(apptest.Sam, "Seller"))
				setPrices(h)
				sellOne(h)
				chooseLanguage(h, apptest.Sam, lang)
				for _, command := range []string{"/today", "/week", "/month", "/report", "/report 31/12/1999 2/1/2000"} {
					h.Say(apptest.Sam, command)
					shows(h, words.sold)
					shows(h, words.profit)
				}
				h.Tap(apptest.Sam, words.excel)
				h.Pass(3 * time.Second)
				if name, _ := lastFile(h, apptest.Sam); !strings.HasSuffix(name, ".xlsx") {
					t.Errorf("the file is %q", name)
				}
				h.Tap(apptest.Sam, words.chart)
				h.Pass(3 * time.Second)
				if _, photo := lastFile(h, apptest.Sam); !photo {
					t.Error("there is no chart")
				}
				h.Say(apptest.Sam, "/report 99/99")
				shows(h, "/report 1/11 15/11")
				h.Say(apptest.Karim, "/today")
				h.See(apptest.Karim, "Your sales")
				if text := h.Transcript(apptest.Karim); strings.Contains(plainly(text), "129.50") || strings.Contains(plainly(text), "1,380") {
					t.Errorf("the seller sees what is not theirs:\n%s", text)
				}
			})
		})
	}
}

// TestReportComesByItself: at the hour that an owner has set the day's report comes, once.
func TestReportComesByItself(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	inPricedShop(t, func(h *apptest.Harness) {
		sellOne(h)
		h.Say(apptest.Sam, "/today")
		h.Tap(apptest.Sam, "⏰ Every day")
		h.Tap(apptest.Sam, "21:00")
		h.See(apptest.Sam, "comes every day at 21:00")
		before := h.Alerted("Profit: ")
		h.AroundHour(21)
		h.AroundHour(0) // and once alone
		if n := h.Alerted("Profit: ") - before; n != 1 {
			t.Errorf("%d reports have come in a day, want 1", n)
		}
	})
}

// TestClosing: the owner counts what is there and closes the day with it. The difference is kept, what stays is where the next
// shift begins, and what is sold after it counts for the next day.
func TestClosing(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedShop(t, func(h *apptest.Harness) {
		sellOne(h)
		sellOne(h)
		h.Say(apptest.Sam, "/close")
		shows(h, "Sam: DZD 2,760")
		h.Tap(apptest.Sam, "💵 Sam")
		shows(h, "Should be there: DZD 2,760")
		h.Say(apptest.Sam, "276000")
		shows(h, "Is it in dinars?")
		h.Say(apptest.Sam, "/close")
		h.Tap(apptest.Sam, "💵 Sam")
		h.Tap(apptest.Sam, "Cash removed")
		h.Say(apptest.Sam, "60")
		h.Tap(apptest.Sam, "Expense")
		shows(h, "Cash removed: DZD 60")
		h.Say(apptest.Sam, "/close")
		h.Tap(apptest.Sam, "💵 Sam")
		h.Say(apptest.Sam, "2650")
		shows(h, "short DZD 50")
		h.Say(apptest.Sam, "2000")
		shows(h, "To the safe: DZD 650")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2000 * ledger.Dinar, "over/502": 50 * ledger.Dinar, "safe": 650 * ledger.Dinar, "expense/other": 60 * ledger.Dinar})
		h.Say(apptest.Sam, "/close")
		h.Tap(apptest.Sam, "Close the day")
		shows(h, "can no longer be changed")
		h.Tap(apptest.Sam, "Yes, close the day")
		shows(h, "(closed)")
		shows(h, "Till difference: DZD −50")
		b, _ := book(h)
		sealed := dayRecord(h, b.Closed)
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Say(apptest.Sam, "Ali")
		h.Tap(apptest.Sam, "➕ Ali")
		shows(h, "Today is closed")
		if now := dayRecord(h, b.Closed); sealed.Hash == "" || now.Hash != sealed.Hash || now.Flows.Sold() != 2760*ledger.Dinar {
			t.Errorf("the closed day is %+v, it was %+v", now, sealed)
		}
		holds(h, nil)
	})
}

// TestCountIsBlind: a seller counts without being told what has to be there; the owner confirms it, once.
func TestCountIsBlind(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		h.Tap(apptest.Karim, "💵 \u2068DZD\u00a01,380")
		h.Pass(2 * time.Second)
		seen := len(h.Telegram.Messages(apptest.Karim))
		h.Say(apptest.Karim, "/close")
		h.Say(apptest.Karim, "1300")
		h.Tap(apptest.Karim, "Nothing")
		h.See(apptest.Karim, "Sent to the owner")
		for _, m := range h.Telegram.Messages(apptest.Karim)[seen:] {
			if strings.Contains(plainly(m.Text), "1,380") {
				t.Errorf("the seller is told what has to be there: %s", m.Text)
			}
		}
		h.See(apptest.Sam, "Karim has counted the till: DZD 1,300")
		h.Tap(apptest.Sam, "To the count")
		shows(h, "Should be there: DZD 1,380")
		shows(h, "short DZD 80")
		h.Tap(apptest.Sam, "Confirm the count")
		shows(h, "To the safe: DZD 1,300")
		holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "over/601": 80 * ledger.Dinar, "safe": 1300 * ledger.Dinar})
	})
}

// TestBlindTillGivesNoHint: whoever counts blind may say that more was taken out than the books know of: a refusal would tell
// what has to be there. An owner is refused.
func TestBlindTillGivesNoHint(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ own, done, much string }{
		"en": {"For the owner", "➖ Cash removed: DZD 1,500", "There is not that much"},
		"fr": {"Pour le propriétaire", "➖ Sortie de caisse : 1 500 DA", "Il n'y a pas autant"},
		"ar": {"للمالك", "➖ خرج من الصندوق: 1 500 د.ج", "لا يوجد هذا المبلغ"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "Seller", func(h *apptest.Harness) {
				buy(h, apptest.Karim)
				h.Tap(apptest.Karim, "💵 \u2068DZD\u00a01,380")
				h.Pass(2 * time.Second)
				chooseLanguage(h, apptest.Karim, lang)
				h.Say(apptest.Karim, "/close")
				h.Tap(apptest.Karim, "➖")
				h.Say(apptest.Karim, "1500")
				h.Pass(2 * time.Second)
				if h.Has(apptest.Karim, words.much) {
					t.Fatal("a refusal tells what has to be there")
				}
				h.Tap(apptest.Karim, words.own)
				h.SeeAny(apptest.Karim, words.done)
				holds(h, map[ledger.Account]ledger.Money{"till/601": -120 * ledger.Dinar})
				if lang != "en" {
					return
				}
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, "Karim")
				h.Tap(apptest.Sam, "➖")
				h.Say(apptest.Sam, "1500")
				h.SeeAny(apptest.Sam, words.much)
			})
		})
	}
}

// TestAReportOfWhatIsToCome: a range ends today at the latest, and of a day that has not come yet that is said. In each language.
func TestAReportOfWhatIsToCome(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string][2]string{
		"en": {"1 Jan – 5 Jan", "That day has not come yet."}, "fr": {"1 janv. – 5 janv.", "Ce jour n'est pas encore venu."}, "ar": {"5", "هذا اليوم لم يأت بعد."},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inPricedShop(t, func(h *apptest.Harness) {
				chooseLanguage(h, apptest.Sam, lang)
				h.Sleep(time.Until(time.Date(2000, 1, 5, 12, 0, 0, 0, time.UTC)))
				h.Say(apptest.Sam, "/report 1/1 31/1")
				h.Pass(time.Second)
				if text := plainly(last(ofBot(h, apptest.Sam)).Text); !strings.Contains(text, words[0]) || strings.Contains(text, "1999") {
					t.Errorf("the report is\n%s", text)
				}
				h.Say(apptest.Sam, "/report 31/1")
				h.Pass(time.Second)
				if text := plainly(last(ofBot(h, apptest.Sam)).Text); !strings.Contains(text, words[1]) {
					t.Errorf("the answer is\n%s", text)
				}
			})
		})
	}
}
