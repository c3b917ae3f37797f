package conversations_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// setPrices has sam set a rule of ten percent, rounded up to ten dinars, which opens the books.
func setPrices(h *apptest.Harness) {
	h.T.Helper()
	h.Say(apptest.Sam, "/prices")
	h.Tap(apptest.Sam, "Percent")
	h.Tap(apptest.Sam, "10%")
	h.Tap(apptest.Sam, "DZD\u00a010")
	h.See(apptest.Sam, "Rounded up to: DZD 10")
}

// inPricedShop plays in a shop that has a price for everything: DZD 1,380 for what costs 1,250.50.
func inPricedShop(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		setPrices(h)
		play(h)
	})
}

// inPricedTeam plays in such a shop, in which Karim has a role.
func inPricedTeam(t *testing.T, role string, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, role))
		setPrices(h)
		play(h)
	})
}

// chooseLanguage has somebody choose the language of their chat.
func chooseLanguage(h *apptest.Harness, user int64, language string) {
	h.T.Helper()
	h.Say(user, "/language")
	h.Tap(user, map[string]string{"en": "English", "fr": "Français", "ar": "العربية"}[language])
}

// booked is what the book has on an account.
func booked(h *apptest.Harness, a ledger.Account) ledger.Money {
	h.T.Helper()
	b := theBook(h)
	var net ledger.Money
	h.InStore(func(s *store.Store) {
		sum, err := s.BookBalance(context.Background(), b.ID, a)
		h.Must(err)
		net = sum.Net()
	})
	return net
}

// holds fails the test unless accounts of the book have these balances, and the books add up.
func holds(h *apptest.Harness, want map[ledger.Account]ledger.Money) {
	h.T.Helper()
	h.Pass(3 * time.Second)
	for a, m := range want {
		if got := booked(h, a); got != m {
			h.T.Errorf("%s has %s, want %s", a, got, m)
		}
	}
	h.InStore(func(s *store.Store) {
		problems, err := s.Check(context.Background())
		h.Must(err)
		if len(problems) > 0 {
			h.T.Errorf("the check finds %q", problems)
		}
	})
}

const samsTill = ledger.Account("till/502")

// TestSale: what has come is sold with one tap at the shop's price, the receipt says so, and the same button takes it back.
// Tapped once more it counts once. In each language.
func TestSale(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ own, cash, sold, undo string }{
		"en": {"Own price: DZD 1,380", "💵 \u2068DZD\u00a01,380", "Sold: DZD 1,380", "↩️ Undo"},
		"fr": {"Prix de vente : 1 380 DA", "💵 \u20681\u202f380\u00a0DA", "Vente : 1 380 DA", "↩️ Annuler"},
		"ar": {"سعر البيع: 1 380 د.ج", "💵", "بيع: 1 380 د.ج", "إلغاء البيع"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				code := buy(h, apptest.Sam)
				if h.Has(apptest.Sam, "💵") {
					t.Error("a shop without prices is offered to sell")
				}
				setPrices(h)
				chooseLanguage(h, apptest.Sam, lang)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Second)
				receipt := receiptOf(h)
				if !strings.Contains(receipt, words.own) {
					t.Errorf("the receipt does not say %q:\n%s", words.own, receipt)
				}
				h.Tap(apptest.Sam, words.cash)
				holds(h, map[ledger.Account]ledger.Money{samsTill: 1380 * ledger.Dinar, "sales": -1380 * ledger.Dinar, "cost": 12505 * ledger.Dinar / 10, "stock": 0})
				if text := receiptOf(h); !strings.Contains(text, words.sold) || strings.Contains(text, words.own) {
					t.Errorf("the receipt does not say %q:\n%s", words.sold, text)
				}
				h.Tap(apptest.Sam, words.undo)
				holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "sales": 0, "cost": 0, "stock": 12505 * ledger.Dinar / 10})
				if text := receiptOf(h); !strings.Contains(text, words.own) {
					t.Errorf("the receipt does not offer it again:\n%s", text)
				}
				h.Tap(apptest.Sam, words.cash)
				holds(h, map[ledger.Account]ledger.Money{samsTill: 1380 * ledger.Dinar})
				if !strings.Contains(receiptOf(h), h.Service.Orders()[1].Code) || code == "" {
					t.Error("the code is not on the receipt any more")
				}
			})
		})
	}
}

// receiptOf is the newest message to a chat that holds the last code.
func receiptOf(h *apptest.Harness) string {
	h.T.Helper()
	h.Pass(3 * time.Second)
	orders := h.Service.Orders()
	code, found := orders[len(orders)-1].Code, ""
	for _, m := range h.Telegram.Messages(apptest.Sam) {
		if m.FromBot && !m.Deleted && strings.Contains(m.Text, code) {
			found = plainly(m.Text)
		}
	}
	return found
}

// TestSameSaleByTwo: two people tap the same card of the group at once. It is counted once, and the second is told by whom.
func TestSameSaleByTwo(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		setPrices(h)
		h.Telegram.Send(apptest.Karim, shop, "/buy play card 10 usd")
		h.Pass(2 * time.Second)
		h.TapIn(apptest.Karim, shop, "1")
		h.Pass(2 * time.Second)
		h.TapIn(apptest.Karim, shop, "✅")
		h.Pass(10 * time.Second)
		cards := h.Telegram.Messages(shop)
		var data string
		var at int
		for _, m := range cards {
			for _, row := range m.Keyboard {
				for _, b := range row {
					if strings.HasPrefix(b.Text, "💵") && !m.Deleted {
						data, at = b.Data, m.ID
					}
				}
			}
		}
		if data == "" {
			t.Fatalf("no sale is offered:\n%s", h.Transcript(shop))
		}
		h.Telegram.Tap(apptest.Karim, shop, at, data)
		h.Telegram.Tap(apptest.Lila, shop, at, data)
		h.Pass(5 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{"sales": -1380 * ledger.Dinar, "stock": 0})
		var told []string
		for _, c := range h.Telegram.Callbacks() {
			if c.Data == data {
				told = append(told, plainly(c.Text))
			}
		}
		if len(told) != 2 || !strings.Contains(strings.Join(told, "|"), "Already sold by Karim") || !strings.Contains(strings.Join(told, "|"), "Sold: DZD 1,380") {
			t.Errorf("the two are told %q", told)
		}
	})
}

// TestOtherPrice: another price is typed. Centimes and a zero too few are asked back with the likely one first, below cost is
// asked about, and what is no price is refused. Nothing is sold by any of it.
func TestOtherPrice(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		buy(h, apptest.Sam)
		for _, c := range []struct{ typed, want string }{
			{"much", "This is not an amount"},
			{"0", "too much or too little"},
			{"1000000000000", "too much or too little"},
			{"138000", "Which one do you mean?"},
			{"138", "Which one do you mean?"},
			{"1200", "below the buying price"},
			{"1,400", "1,400 = DZD 1,400"},
		} {
			h.Tap(apptest.Sam, "✏️ Price")
			h.See(apptest.Sam, "Sold for how much?")
			h.Say(apptest.Sam, c.typed)
			h.Pass(2 * time.Second)
			if text := h.Transcript(apptest.Sam); c.typed != "1,400" && !strings.Contains(plainly(text), c.want) {
				t.Errorf("%q: %q is not in\n%s", c.typed, c.want, text)
			}
			h.Say(apptest.Sam, "/cancel")
		}
		holds(h, map[ledger.Account]ledger.Money{"sales": 0})
		h.Tap(apptest.Sam, "✏️ Price")
		h.Say(apptest.Sam, "138000")
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,380")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1380 * ledger.Dinar, "discount": 0})
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Tap(apptest.Sam, "✏️ Price")
		h.Say(apptest.Sam, "1350")
		h.See(apptest.Sam, "How is it paid?")
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,350")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1350 * ledger.Dinar, "discount": 30 * ledger.Dinar, "sales": -1380 * ledger.Dinar})
	})
}

// TestSomeUnitsAreSold: of three units two are sold at a price of their own, and the third at the shop's.
func TestSomeUnitsAreSold(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		if text := receiptOf(h); !strings.Contains(text, "3 × DZD 1,380 = DZD 4,140") {
			t.Errorf("the receipt says\n%s", text)
		}
		h.Tap(apptest.Sam, "✏️ Price")
		h.Tap(apptest.Sam, "× 2")
		h.Say(apptest.Sam, "1400")
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a02,800")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2800 * ledger.Dinar})
		if text := receiptOf(h); !strings.Contains(text, "Units sold: 2 of 3") {
			t.Errorf("the receipt says\n%s", text)
		}
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,380")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 4180 * ledger.Dinar, "stock": 0})
	})
}

// TestKridi: a code is sold to a new customer who pays later, then in parts. What is owed stands on the card with its age,
// before and after stand on each line, and more than is owed is asked back.
func TestKridi(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	inPricedShop(t, func(h *apptest.Harness) {
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "📒 Kridi")
		h.See(apptest.Sam, "Who will pay later?")
		h.Say(apptest.Sam, "Ali\u202e <b>B</b>")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Debt: DZD 0 → DZD 1,380")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "sales": -1380 * ledger.Dinar})
		if text := receiptOf(h); !strings.Contains(text, "Sold on credit: DZD 1,380 · Ali <b>B</b>") {
			t.Errorf("the receipt says\n%s", text)
		}
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Tap(apptest.Sam, "👤 Ali")
		h.See(apptest.Sam, "Debt: DZD 1,380 → DZD 2,760")
		h.Overnight(26 * time.Hour)
		h.Say(apptest.Sam, "/kridi")
		shows(h, "Owed: DZD 2,760 · customers: 1")
		shows(h, "DZD 2,760 · 1 day")
		h.Tap(apptest.Sam, "👤 Ali")
		h.Tap(apptest.Sam, "💵 Part")
		h.Say(apptest.Sam, "276000")
		h.See(apptest.Sam, "more than is owed")
		h.Tap(apptest.Sam, "Cancel")
		h.Say(apptest.Sam, "/kridi")
		h.Tap(apptest.Sam, "👤 Ali")
		h.Tap(apptest.Sam, "💵 Part")
		h.Say(apptest.Sam, "760 DA")
		shows(h, "paid DZD 760")
		shows(h, "Debt: DZD 2,760 → DZD 2,000")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 760 * ledger.Dinar})
		h.Tap(apptest.Sam, "👤 Ali")
		shows(h, "payment · DZD −760")
		h.Tap(apptest.Sam, "✉️ Reminder")
		shows(h, "Left to pay: DZD 2,000, since")
		h.Say(apptest.Sam, "/kridi ali")
		h.Tap(apptest.Sam, "🎯 Limit")
		h.Say(apptest.Sam, "2500")
		shows(h, "Limit: DZD 2,500")
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Tap(apptest.Sam, "👤 Ali")
		shows(h, "may owe DZD 2,500 at most")
		h.Say(apptest.Sam, "/kridi ali")
		h.Tap(apptest.Sam, "💵 All: \u2068DZD\u00a02,000")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2760 * ledger.Dinar})
		h.Tap(apptest.Sam, "↩️ Undo")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 760 * ledger.Dinar})
		h.Tap(apptest.Sam, "Will not be paid")
		h.Tap(apptest.Sam, "Yes, end the debt")
		shows(h, "Owes nothing")
		holds(h, map[ledger.Account]ledger.Money{"baddebt": 2000 * ledger.Dinar})
	})
}

// TestReturnAfterTheDay: a sale of a day that is over stays as it is sealed. The money that the customer gets back is an entry
// of the day that it leaves the drawer on.
func TestReturnAfterTheDay(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	inPricedShop(t, func(h *apptest.Harness) {
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,380")
		h.Overnight(30 * time.Hour)
		b, _ := book(h)
		sealed := dayRecord(h, b.Last)
		if b.Last == "" || sealed.Flows.Sold() != 1380*ledger.Dinar {
			t.Fatalf("the day of the sale is not sealed: %+v", b)
		}
		h.Tap(apptest.Sam, "↩️ Undo")
		h.See(apptest.Sam, "This sale is of a closed day")
		h.Tap(apptest.Sam, "back in stock")
		h.See(apptest.Sam, "Given back: DZD 1,380")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "returns": 1380 * ledger.Dinar, "sales": -1380 * ledger.Dinar, "cost": 0})
		if now := dayRecord(h, b.Last); now.Hash != sealed.Hash || now.Flows.Sold() != sealed.Flows.Sold() {
			t.Error("the sealed day has changed")
		}
	})
}

// dayRecord is a sealed day of the book.
func dayRecord(h *apptest.Harness, day ledger.Day) (rec ledger.DayRecord) {
	h.T.Helper()
	b, _ := book(h)
	h.InStore(func(s *store.Store) {
		all, err := s.Books(context.Background()).Days(b.ID, day, day)
		h.Must(err)
		if len(all) == 1 {
			rec = all[0]
		}
	})
	return rec
}

// TestALateTapOnWhatWasSoldOtherwise: who taps the price on a card of which a part was sold meanwhile, at another price, is told that this was
// not written down, and not that it was counted.
func TestALateTapOnWhatWasSoldOtherwise(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		card := h.SeeLast(apptest.Sam, "Code 3 of 3")
		all := buttonIn(t, card, "💵")
		h.Tap(apptest.Sam, "✏️ Price")
		h.Tap(apptest.Sam, "× 1")
		h.Say(apptest.Sam, "1400")
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,400")
		h.Pass(3 * time.Second)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, card.ID, all)
		h.Pass(3 * time.Second)
		taps := h.Telegram.Callbacks()
		if last := taps[len(taps)-1]; !last.Alert || !strings.Contains(last.Text, "Not written down") {
			t.Errorf("it says %q\n%s", last.Text, h.Transcript(apptest.Sam))
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1400 * ledger.Dinar})
	})
}
