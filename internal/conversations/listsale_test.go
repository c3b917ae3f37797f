package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// withSoldList has Sam set prices and buy two cards and a top-up by a list, and plays on under its card: they have cost 1 250,50
// each and 210, and are sold for 1 380 each and 240.
func withSoldList(t *testing.T, play func(h *apptest.Harness)) {
	t.Helper()
	atTheCounter(t, func(h *apptest.Harness) {
		setPrices(h)
		cardOf(h, "play card 5 x2\nbattle 60 51234567")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "List done: 2 of 2")
		h.Pass(10 * time.Second)
		play(h)
	})
}

// cardText is the card of the list as it stands.
func cardText(h *apptest.Harness) string {
	h.T.Helper()
	h.Pass(5 * time.Second)
	return apptest.Plain(h.SeeAny(apptest.Sam, "List done").Text)
}

// TestAListIsSold: all that a list has brought is sold with one tap at the shop's prices, each purchase by an entry of its own;
// the card says so, a second tap on what was shown before counts nothing more, and one tap takes all of it back.
func TestAListIsSold(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	withSoldList(t, func(h *apptest.Harness) {
		if text := cardText(h); !strings.Contains(text, "Own price of all: DZD 3,000 · units: 3") {
			t.Errorf("the card does not offer to sell it:\n%s", text)
		}
		old := h.SeeAny(apptest.Sam, "List done")
		h.Tap(apptest.Sam, "💵")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 3000 * ledger.Dinar, "sales": -3000 * ledger.Dinar, "stock": 0})
		if text := cardText(h); !strings.Contains(text, "Sold: DZD 3,000") || strings.Contains(text, "Own price of all") {
			t.Errorf("the card does not say that it is sold:\n%s", text)
		}
		for _, b := range buttons(old, "💵") {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, old.ID, b.Data)
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 3000 * ledger.Dinar})
		h.Tap(apptest.Sam, "↩️ Undo")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "sales": 0, "cost": 0})
		if text := cardText(h); !strings.Contains(text, "Own price of all: DZD 3,000") {
			t.Errorf("the card does not offer it again:\n%s", text)
		}
		h.Answered()
	})
}

// TestAListIsSoldOnCredit: all of a list is owed by one customer. One of its orders can be taken back by itself, and the card
// follows; the rest is still sold.
func TestAListIsSoldOnCredit(t *testing.T) {
	t.Parallel()
	withSoldList(t, func(h *apptest.Harness) {
		h.Tap(apptest.Sam, "📒 Kridi")
		h.See(apptest.Sam, "Who will pay later?")
		h.Say(apptest.Sam, "Ammi Salah")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Debt: DZD 0 → DZD 3,000")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "sales": -3000 * ledger.Dinar})
		if text := cardText(h); !strings.Contains(text, "Sold on credit: DZD 3,000 · Ammi Salah") {
			t.Errorf("the card does not name who owes it:\n%s", text)
		}
		h.Say(apptest.Sam, h.Service.Orders()[0].ID)
		h.See(apptest.Sam, "Play Card")
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (") // of two units
		holds(h, map[ledger.Account]ledger.Money{"sales": -240 * ledger.Dinar})
		if text := cardText(h); !strings.Contains(text, "Units sold: 1 of 3") {
			t.Errorf("the card does not follow its orders:\n%s", text)
		}
		h.Answered()
	})
}

// TestAListIsSoldForWhatItsCardSays: where the shop's price has changed since the card was shown, nothing is sold for another
// one, and the card says what it is now.
func TestAListIsSoldForWhatItsCardSays(t *testing.T) {
	t.Parallel()
	withSoldList(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Percent")
		h.Tap(apptest.Sam, "20%")
		h.Tap(apptest.Sam, "DZD\u00a010")
		h.See(apptest.Sam, "Rounded up to: DZD 10")
		card := h.SeeAny(apptest.Sam, "List done")
		h.RefusedWith(h.TapIn(apptest.Sam, apptest.Sam, buttons(card, "💵")[0].Text), "has changed")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "sales": 0})
		if text := cardText(h); !strings.Contains(text, "Own price of all: DZD 3,280") {
			t.Errorf("the card does not say the price of now:\n%s", text)
		}
	})
}

// TestAListIsUndoneAsItWasSold: what was sold of a list at once is taken back at once, and what was sold of it before is not. Where it
// was on credit and is paid already, whoever undoes it is told what is kept; once that was given back, the payment stays.
func TestAListIsUndoneAsItWasSold(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	withSoldList(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, h.Service.Orders()[0].ID)
		h.See(apptest.Sam, "Play Card")
		h.TapUnder("Delivered", "💵")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2760 * ledger.Dinar})
		cardText(h)
		h.TapUnder("Paid: ", "📒 Kridi")
		h.See(apptest.Sam, "Who will pay later?")
		h.Say(apptest.Sam, "Lina")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Debt: DZD 0 → DZD 240")
		h.Say(apptest.Sam, "/kridi Lina")
		h.Tap(apptest.Sam, "💵 All")
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 3000 * ledger.Dinar})
		h.TapUnder("Paid: ", "↩️ Undo")
		said := plainly(h.SeeLast(apptest.Sam, " was undone.").Text)
		if !strings.Contains(said, "The sale of DZD 240 was undone.") || !strings.Contains(said, "DZD 240 is kept for Lina as paid ahead. No cash moves.") {
			t.Errorf("it says\n%s", said)
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 3000 * ledger.Dinar, "sales": -2760 * ledger.Dinar})
		h.Tap(apptest.Sam, "💵 Give back")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2760 * ledger.Dinar})
		h.TapUnder(" paid ", "↩️ Undo")
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 2760 * ledger.Dinar})
		h.TapUnder("Paid: ", "↩️ Undo")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "sales": 0})
		h.Answered()
	})
}

// TestALineIsUndoneInSilence: what came with its list has no message of its own: to undo its sale brings none, with its codes once more.
func TestALineIsUndoneInSilence(t *testing.T) {
	t.Parallel()
	withSoldList(t, func(h *apptest.Harness) {
		h.TapUnder("Paid: ", "💵")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, h.Service.Orders()[0].ID)
		opened := h.See(apptest.Sam, "Play Card")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, opened.ID, buttonIn(t, opened, "↩️ Undo"))
		h.Pass(3 * time.Second)
		before := count(h, apptest.Sam, "Code 1 of 2")
		h.Tap(apptest.Sam, "↩️ All (")
		h.Pass(20 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 240 * ledger.Dinar})
		if count(h, apptest.Sam, "Code 1 of 2") != before {
			t.Errorf("its codes come once more:\n%s", h.Transcript(apptest.Sam))
		}
	})
}
