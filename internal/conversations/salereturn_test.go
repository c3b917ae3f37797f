package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// inSoldThree plays where three cards at DZD 1,380 were sold together, in cash or to Ali who pays later.
func inSoldThree(t *testing.T, credit bool, play func(*apptest.Harness)) {
	t.Helper()
	inPricedShop(t, func(h *apptest.Harness) {
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		if credit {
			h.Tap(apptest.Sam, "📒 Kridi")
			h.Say(apptest.Sam, "Ali")
			h.Tap(apptest.Sam, "➕")
		} else {
			h.Tap(apptest.Sam, "💵")
		}
		h.Pass(3 * time.Second)
		play(h)
	})
}

// returned is the data of the newest button with a text.
func returned(h *apptest.Harness, text string) (message int, data string) {
	h.T.Helper()
	for _, m := range h.Telegram.Messages(apptest.Sam) {
		for _, row := range m.Keyboard {
			for _, b := range row {
				if strings.Contains(plainly(b.Text), text) && !m.Deleted {
					message, data = m.ID, b.Data
				}
			}
		}
	}
	if data == "" {
		h.T.Fatalf("no button %q:\n%s", text, h.Transcript(apptest.Sam))
	}
	return message, data
}

// TestOneOfThreeComesBack: a customer returns one code of three, the one that is marked, and gets its price back. The button that
// gave it gives nothing more, and what comes back later adds up to what was sold.
func TestOneOfThreeComesBack(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inSoldThree(t, false, func(h *apptest.Harness) {
		cost := 12505 * ledger.Dinar / 10
		second := h.Service.Orders()[1].Code
		holds(h, map[ledger.Account]ledger.Money{samsTill: 4140 * ledger.Dinar, "stock": 0})
		h.Tap(apptest.Sam, "↩️ Undo")
		h.See(apptest.Sam, "What comes back?")
		h.Tap(apptest.Sam, "2 · **** "+second[len(second)-4:])
		h.Tap(apptest.Sam, "↩️ Return \u20681\u2069: ")
		h.See(apptest.Sam, "The customer gets DZD 1,380 back")
		message, stale := returned(h, "Yes, back in stock")
		h.Tap(apptest.Sam, "back in stock")
		h.See(apptest.Sam, "Given back: DZD 1,380")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2760 * ledger.Dinar, "returns": 1380 * ledger.Dinar, "stock": cost, "cost": 2 * cost})
		h.Telegram.Tap(apptest.Sam, apptest.Sam, message, stale)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2760 * ledger.Dinar, "returns": 1380 * ledger.Dinar})

		for _, words := range []string{"Code 1 of 3 · sold", "Code 2 of 3 · in stock", "Code 3 of 3 · sold"} {
			h.SeeAny(apptest.Sam, words)
		}

		// The code that came back is the one that is sold again.
		h.Tap(apptest.Sam, "💵 \u2068DZD\u00a01,380")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 4140 * ledger.Dinar, "stock": 0})
		h.Tap(apptest.Sam, "🧾")
		h.Pass(3 * time.Second)
		h.Tap(apptest.Sam, "↩️ Undo")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2760 * ledger.Dinar, "stock": cost})

		h.Overnight(30 * time.Hour)
		h.Tap(apptest.Sam, "↩️ Undo")
		h.See(apptest.Sam, "What comes back?")
		h.Tap(apptest.Sam, "↩️ All (")
		h.See(apptest.Sam, "The customer gets DZD 2,760 back")
		if h.Has(apptest.Sam, "A mistake") {
			t.Error("a sale of which a part came back can be called a mistake as a whole")
		}
		h.Tap(apptest.Sam, "it is used")
		h.See(apptest.Sam, "Given back: DZD 2,760")
		h.SeeAny(apptest.Sam, "Code 1 of 3 · came back used")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "returns": 4140 * ledger.Dinar, "stock": cost, "cost": 2 * cost})
		h.Telegram.Tap(apptest.Sam, apptest.Sam, message, stale)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "returns": 4140 * ledger.Dinar})
	})
}

// TestOneOfThreeOffTheDebt: what comes back of a sale on credit is owed no more, to the centime, and no cash moves.
func TestOneOfThreeOffTheDebt(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Tap(apptest.Sam, "1 · ****")
		h.Tap(apptest.Sam, "3 · ****")
		h.Tap(apptest.Sam, "1 · ****") // not that one after all
		h.Tap(apptest.Sam, "↩️ Return \u20681\u2069: ")
		h.See(apptest.Sam, "Ali owes DZD 1,380 less")
		h.Tap(apptest.Sam, "it is used")
		if said := plainly(h.SeeLast(apptest.Sam, "owes").Text); !strings.Contains(said, "Ali owes DZD 1,380 less.") || strings.Contains(said, "Given back") {
			t.Errorf("no cash has moved, and it says\n%s", said)
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "returns": 1380 * ledger.Dinar, "stock": 0})
		h.Say(apptest.Sam, "/kridi")
		shows(h, "Owed: DZD 2,760")
		h.Say(apptest.Sam, "/today")
		shows(h, "Kridi: new DZD 4,140, paid DZD 0, owed DZD 2,760")
		shows(h, "Returns: DZD 1,380")
	})
}

// TestWhatCameBackMeanwhile: an amount that a button names is given back, or nothing: where one of the units has come back
// meanwhile, the button counts for none.
func TestWhatCameBackMeanwhile(t *testing.T) {
	t.Parallel()
	inSoldThree(t, false, func(h *apptest.Harness) {
		h.Overnight(30 * time.Hour)
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (")
		h.See(apptest.Sam, "The customer gets DZD 4,140 back")
		message, stale := returned(h, "Yes, back in stock")
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Tap(apptest.Sam, "1 · ****")
		h.Tap(apptest.Sam, "↩️ Return \u20681\u2069: ")
		h.Tap(apptest.Sam, "back in stock")
		h.See(apptest.Sam, "Given back: DZD 1,380")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, message, stale)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2760 * ledger.Dinar, "returns": 1380 * ledger.Dinar})
	})
}

// TestSaleIsUndoneAsAWhole: of several units sold by mistake, all are taken back with two taps, and nothing is a return.
func TestSaleIsUndoneAsAWhole(t *testing.T) {
	t.Parallel()
	inSoldThree(t, false, func(h *apptest.Harness) {
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "returns": 0, "sales": 0})
		if h.Has(apptest.Sam, "↩️ Undo") {
			t.Error("what was undone can be undone")
		}
	})
}

// TestPaidAheadIsListed: where what was sold on credit comes back after a part of it was paid, the customer is listed with what they have
// paid ahead, for owners.
func TestPaidAheadIsListed(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "Part")
		h.Say(apptest.Sam, "1000")
		h.Pass(3 * time.Second)
		h.TapUnder("Code 1 of 3", "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/kridi")
		h.SeeAny(apptest.Sam, "Ali: has paid ahead DZD 1,000")
	})
}

// TestAMistakeInAnUncountedTill: a sale that never was is taken out of what has to be in a till that nobody has counted since, also where
// its day was closed: there is no difference that nobody has seen. Once the till was counted, the count has explained it.
func TestAMistakeInAnUncountedTill(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for _, counted := range []bool{false, true} {
		inSoldThree(t, false, func(h *apptest.Harness) {
			h.Say(apptest.Sam, "/close")
			if counted {
				h.Tap(apptest.Sam, "💵 Sam")
				h.Say(apptest.Sam, "0")
				h.Tap(apptest.Sam, "All")
				h.Pass(2 * time.Second)
				h.Say(apptest.Sam, "/close")
			}
			h.Tap(apptest.Sam, "Close the day")
			h.Tap(apptest.Sam, "Yes, close")
			h.Pass(2 * time.Second)
			h.TapUnder("Code 1 of 3", "↩️ Undo")
			h.Tap(apptest.Sam, "↩️ All (")
			h.Tap(apptest.Sam, "A mistake")
			h.Pass(2 * time.Second)
			holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "over/502": 0}) // counted, 4,140 were short, and are over now
		})
	}
}

// TestReturnOfWhatWasCounted: where the cash of a sale was counted and its day is open, that is what is said, and the question is about
// as many codes as come back. In each language.
func TestReturnOfWhatWasCounted(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ nothing, all, counted, closed, ask string }{
		"en": {"Nothing", "↩️ All (", "The cash of this sale was counted.", "closed day", "Are the codes unused?"},
		"fr": {"Rien", "↩️ Tout (", "L'argent de cette vente a été compté.", "journée clôturée", "Les codes sont-ils inutilisés ?"},
		"ar": {"لا شيء", "↩️ الكل (", "نقود هذا البيع تم جردها.", "يوم مغلق", "هل الأكواد غير مستعملة؟"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inSoldThree(t, false, func(h *apptest.Harness) {
				chooseLanguage(h, apptest.Sam, lang)
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, "💵 Sam")
				h.Say(apptest.Sam, "4140")
				h.Tap(apptest.Sam, words.nothing)
				h.Pass(2 * time.Second)
				h.Tap(apptest.Sam, "↩️ Undo") // the receipt is as it was sent
				h.Tap(apptest.Sam, words.all)
				h.Pass(2 * time.Second)
				text := plainly(last(ofBot(h, apptest.Sam)).Text)
				if !strings.Contains(text, plainly(words.counted)) || strings.Contains(text, words.closed) || !strings.Contains(text, plainly(words.ask)) {
					t.Errorf("it asks\n%s", text)
				}
			})
		})
	}
}
