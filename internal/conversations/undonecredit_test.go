package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestReturnBeyondTheDebt: where less is owed than what comes back was sold for, the question and the answer name what is taken off the
// debt, and the rest that is kept as paid ahead, as it is booked.
func TestReturnBeyondTheDebt(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "Part")
		h.Say(apptest.Sam, "3380")
		h.Pass(3 * time.Second)
		h.TapUnder("Code 1 of 3", "↩️ Undo")
		h.Tap(apptest.Sam, "1 · ****")
		h.Tap(apptest.Sam, "3 · ****")
		h.Tap(apptest.Sam, "↩️ Return \u20682\u2069: ")
		asked := plainly(h.SeeLast(apptest.Sam, "Are the codes unused?").Text)
		if !strings.Contains(asked, "Ali owes DZD 760 less; the other DZD 2,000 is kept as paid ahead. No cash moves.") {
			t.Errorf("it asks\n%s", asked)
		}
		till := 3380 * ledger.Dinar
		h.Tap(apptest.Sam, "back in stock")
		said := plainly(h.SeeLast(apptest.Sam, "paid ahead").Text)
		if !strings.Contains(said, "Ali owes DZD 760 less; the other DZD 2,000 is kept") || !strings.Contains(said, "Has paid ahead: DZD 2,000") {
			t.Errorf("it says\n%s", said)
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: till, "returns": 2760 * ledger.Dinar})
		h.TapUnder("Code 1 of 3", "↩️ Undo")
		h.See(apptest.Sam, "DZD 1,380 is kept for Ali as paid ahead")
		h.Say(apptest.Sam, "/today")
		shows(h, "Ali × 1: DZD 1,380 · on credit DZD 4,140, debt lowered by DZD 6,140")
	})
}

// TestUndoneOnTheSameDay: what was undone on its own day was never on credit, in the report as on the board, nor was it settled, and nobody
// has sold nothing of it. A payment by mistake is no new debt.
func TestUndoneOnTheSameDay(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "Part")
		h.Say(apptest.Sam, "380")
		h.Pass(3 * time.Second)
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/today")
		shows(h, "Kridi: new DZD 4,140, paid DZD 0, owed DZD 4,140")
		shows(h, "Ali × 3: DZD 4,140 · on credit DZD 4,140, debt lowered by DZD 0")
		h.TapUnder("Code 1 of 3", "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/today")
		said := plainly(h.SeeLast(apptest.Sam, "Profit").Text)
		for _, never := range []string{"4,140", "Ali", "× 0", "Kridi: new"} {
			if strings.Contains(said, never) {
				t.Errorf("%q is told, and all was undone:\n%s", never, said)
			}
		}
		h.Overnight(30 * time.Hour)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "returns": 0, "sales": 0}) // the check of the sealed day
	})
}

// TestPaymentUndoneLater: who undoes a payment of a day that is over reads that it counts for today, and where its cash was counted, that
// no cash moves.
func TestPaymentUndoneLater(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		sellsOnCredit(h, apptest.Sam, "Ali")
		undo := func(counted bool) tgsim.Callback {
			h.Say(apptest.Sam, "/kridi Ali")
			h.Tap(apptest.Sam, "💵 All")
			paid := h.SeeLast(apptest.Sam, "paid DZD 1,380")
			if counted {
				h.Say(apptest.Sam, "/close")
				h.Tap(apptest.Sam, "💵 Sam")
				h.Say(apptest.Sam, "1380")
				h.Tap(apptest.Sam, "Nothing")
			}
			h.Sleep(30 * time.Hour)
			h.Telegram.Tap(apptest.Sam, apptest.Sam, paid.ID, buttonIn(t, paid, "↩️ Undo"))
			h.Pass(3 * time.Second)
			all := h.Telegram.Callbacks()
			return all[len(all)-1]
		}
		for i, says := range []string{"stays as it is: this counts for \u20682 Jan", "The till stays as it was counted"} {
			if got := undo(i == 1); !got.Alert || !strings.Contains(got.Text, says) {
				t.Errorf("it says %q, want %q\n%s", got.Text, says, h.Transcript(apptest.Sam))
			}
		}
	})
}

// TestUndoneAfterItWasPaid: where a sale on credit is undone that was paid already, the shop owes its customer. Whoever undoes it is told,
// and gives the money back from the drawer, once for each card; that can be undone as well, and is no new debt in the report.
func TestUndoneAfterItWasPaid(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 All")
		h.Pass(3 * time.Second)
		h.TapUnder("Code 1 of 3", "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (")
		said := plainly(h.SeeLast(apptest.Sam, " was undone.").Text)
		if !strings.Contains(said, "DZD 4,140 is kept for Ali as paid ahead. No cash moves.") || !strings.Contains(said, "Has paid ahead: DZD 4,140") {
			t.Errorf("it says\n%s", said)
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 4140 * ledger.Dinar})
		old := h.SeeLast(apptest.Sam, " was undone.")
		h.Tap(apptest.Sam, "💵 Give back")
		if said := plainly(h.SeeLast(apptest.Sam, "given back to Ali").Text); !strings.Contains(said, "💵 DZD 4,140 given back to Ali\n✔️ Owes nothing") {
			t.Errorf("it says\n%s", said)
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0})
		h.TapUnder("given back to Ali", "↩️ Undo")
		h.See(apptest.Sam, "Has paid ahead")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 4140 * ledger.Dinar})
		h.Tap(apptest.Sam, "💵 Give back")
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0})
		h.Telegram.Tap(apptest.Sam, apptest.Sam, old.ID, old.Keyboard[0][0].Data)
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0})
		h.Say(apptest.Sam, "/today")
		if said := plainly(h.SeeLast(apptest.Sam, "Profit").Text); strings.Contains(said, "4,140") || strings.Contains(said, "Ali") {
			t.Errorf("everything was undone and given back, and the report says\n%s", said)
		}
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "📜 History")
		h.See(apptest.Sam, "money given back")
		h.Overnight(30 * time.Hour)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0}) // the check of the sealed day
	})
}

// TestGivenBackOnAnotherDay: the day on which money goes back says so, and not that less than nothing was paid off a debt. A sale that is
// undone on a copy of its receipt is for sale again there, and what is kept for its customer is told below.
func TestGivenBackOnAnotherDay(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		sellsOnCredit(h, apptest.Sam, "Ali")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 All")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "1")
		h.Pass(3 * time.Second)
		copied := h.SeeLast(apptest.Sam, "Delivered again")
		h.Tap(apptest.Sam, "↩️ Undo")
		h.SeeLast(apptest.Sam, " is kept for ")
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			if m.ID == copied.ID && strings.Contains(m.Text, "Sold on credit") {
				t.Errorf("the copy says still\n%s", m.Text)
			}
		}
		h.Overnight(30 * time.Hour)
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 Give back")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/today")
		shows(h, "Ali: on credit DZD 0, given back DZD 1,380")
	})
}

// TestUndoneAfterItWasWrittenOff: where a sale on credit is undone whose debt was written off, the loss ends, and nothing is kept for the
// customer but what they have paid.
func TestUndoneAfterItWasWrittenOff(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, paid := range map[string]ledger.Money{"nothing was paid": 0, "a part was paid": 1000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inSoldThree(t, true, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/kridi Ali")
				if paid > 0 {
					h.Tap(apptest.Sam, "💵 Part")
					h.Say(apptest.Sam, "1000")
					h.Pass(3 * time.Second)
					h.Say(apptest.Sam, "/kridi Ali")
				}
				h.Tap(apptest.Sam, "Will not be paid")
				h.Tap(apptest.Sam, "Yes")
				h.Pass(3 * time.Second)
				holds(h, map[ledger.Account]ledger.Money{samsTill: paid * ledger.Dinar, ledger.BadDebt: (4140 - paid) * ledger.Dinar})
				h.TapUnder("Code 1 of 3", "↩️ Undo")
				h.Tap(apptest.Sam, "↩️ All (")
				h.Pass(3 * time.Second)
				holds(h, map[ledger.Account]ledger.Money{samsTill: paid * ledger.Dinar, ledger.BadDebt: 0, "sales": 0})
				h.Say(apptest.Sam, "/kridi Ali")
				said := plainly(h.SeeLast(apptest.Sam, "Ali").Text)
				if ahead := strings.Contains(said, "paid ahead"); ahead != (paid > 0) || ahead && !strings.Contains(said, "Has paid ahead: DZD 1,000") {
					t.Errorf("it says\n%s", said)
				}
			})
		})
	}
}

// TestAListIsUndoneAfterItWasWrittenOff: of a list that was sold on credit by several entries, the loss ends once, with all of them.
func TestAListIsUndoneAfterItWasWrittenOff(t *testing.T) {
	t.Parallel()
	withSoldList(t, func(h *apptest.Harness) {
		h.Tap(apptest.Sam, "📒 Kridi")
		h.See(apptest.Sam, "Who will pay later?")
		h.Say(apptest.Sam, "Lina")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Debt: DZD 0 → DZD 3,000")
		h.Say(apptest.Sam, "/kridi Lina")
		h.Tap(apptest.Sam, "Will not be paid")
		h.Tap(apptest.Sam, "Yes")
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{ledger.BadDebt: 3000 * ledger.Dinar})
		h.TapUnder("Paid: ", "↩️ Undo")
		holds(h, map[ledger.Account]ledger.Money{ledger.BadDebt: 0, "sales": 0, samsTill: 0})
		if text := cardText(h); !strings.Contains(text, "Own price of all: DZD 3,000") {
			t.Errorf("the card does not offer it again:\n%s", text)
		}
		h.Say(apptest.Sam, "/kridi Lina")
		if said := plainly(h.SeeLast(apptest.Sam, "Lina").Text); strings.Contains(said, "paid ahead") {
			t.Errorf("it says\n%s", said)
		}
	})
}

// TestOlderCardsOfAPaidDebt: a card or a question from before a debt was paid asks nothing about a debt that is none.
func TestOlderCardsOfAPaidDebt(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/kridi Ali")
		old := h.SeeLast(apptest.Sam, "Owes")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 All")
		h.Pass(3 * time.Second)
		for _, button := range []string{"Will not be paid", "💵 Part"} {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, old.ID, buttonIn(t, old, button))
			h.Pass(3 * time.Second)
			if m := h.SeeLast(apptest.Sam, "Owes nothing"); m.ID != old.ID {
				t.Errorf("%q asks\n%s", button, h.Transcript(apptest.Sam))
			}
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 4140 * ledger.Dinar, ledger.BadDebt: 0})
	})
}

// TestAnotherDebtIsAskedAbout: who says that a debt will not be paid has seen how much it is. Where more was bought meanwhile, that is
// asked about anew, and an amount that was typed for a debt which somebody else has taken is not written down.
func TestAnotherDebtIsAskedAbout(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "Will not be paid")
		asked := h.SeeLast(apptest.Sam, "will not pay DZD 4,140")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 Part")
		h.Say(apptest.Sam, "140")
		h.SeeLast(apptest.Sam, "Ali paid")
		yes := func(m tgsim.Message) {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, buttonIn(t, m, "Yes, end the debt"))
			h.Pass(3 * time.Second)
		}
		yes(asked)
		holds(h, map[ledger.Account]ledger.Money{ledger.BadDebt: 0})
		yes(h.SeeLast(apptest.Sam, "will not pay DZD 4,000"))
		h.SeeLast(apptest.Sam, "Owes nothing")
		holds(h, map[ledger.Account]ledger.Money{ledger.BadDebt: 4000 * ledger.Dinar})
	})
}

// TestTypedForADebtThatIsPaid: an amount that comes after somebody else has taken the debt is not written down, and that is said. What is
// smaller than a centime is no amount.
func TestTypedForADebtThatIsPaid(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsOnCredit(h, apptest.Karim, "Ali")
		h.Say(apptest.Karim, "/kridi Ali")
		h.Tap(apptest.Karim, "💵 Part")
		for _, amount := range []string{"1000.555", "0.001"} {
			h.Say(apptest.Karim, amount)
			h.SeeLast(apptest.Karim, "This is not an amount")
		}
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 All")
		h.Pass(3 * time.Second)
		h.Say(apptest.Karim, "500")
		h.SeeLast(apptest.Karim, "Nothing is owed now: this amount is not written down")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1380 * ledger.Dinar, "till/601": 0})
	})
}

// TestADebtorIsNotForgottenInPassing: who deletes a customer reads what is still open; a seller cannot make a debtor nameless.
func TestADebtorIsNotForgottenInPassing(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsOnCredit(h, apptest.Karim, "Ali")
		card := func(who int64) tgsim.Message {
			h.Say(who, "/customers")
			h.Tap(who, "Ali")
			return h.SeeLast(who, "Owes")
		}
		mine, theirs := card(apptest.Karim), card(apptest.Sam)
		if len(buttons(mine, "🗑")) > 0 {
			t.Errorf("a seller is offered to delete who owes\n%s", h.Transcript(apptest.Karim))
		}
		h.Telegram.Tap(apptest.Karim, apptest.Karim, mine.ID, buttonIn(t, theirs, "🗑")) // of a card from before it was owed
		h.Pass(2 * time.Second)
		if h.Has(apptest.Karim, "Delete Ali?") {
			t.Errorf("a seller may forget who owes\n%s", h.Transcript(apptest.Karim))
		}
		h.Tap(apptest.Sam, "🗑")
		h.Pass(2 * time.Second)
		if said := plainly(h.SeeLast(apptest.Sam, "Delete Ali?").Text); !strings.Contains(said, "Owes DZD 1,380: that stays, and nobody will see whose debt it is.") {
			t.Errorf("it asks\n%s", said)
		}
	})
}

// TestTwoTakePartsAtOnce: two people who take a part of one debt at the same moment both do: the second is asked whether theirs comes
// besides, and it is not lost.
func TestTwoTakePartsAtOnce(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsOnCredit(h, apptest.Karim, "Ali")
		for _, who := range []int64{apptest.Karim, apptest.Sam} {
			h.Say(who, "/kridi Ali")
			h.Tap(who, "💵 Part")
		}
		h.Say(apptest.Sam, "300")
		h.Say(apptest.Karim, "500")
		asked := h.SeeLast(apptest.Karim, "Sam has written down DZD 300 meanwhile, and this amount was not")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 300 * ledger.Dinar, "till/601": 0})
		for range 2 {
			h.Telegram.Tap(apptest.Karim, apptest.Karim, asked.ID, asked.Keyboard[0][0].Data)
			h.Pass(3 * time.Second)
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 300 * ledger.Dinar, "till/601": 500 * ledger.Dinar})
		h.SeeLast(apptest.Karim, "Ali paid DZD 500")
	})
}

// TestALimitBelowAnythingThatWasBought: a limit that has lost its zeros is asked back, also of somebody who owes nothing now.
func TestALimitBelowAnythingThatWasBought(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 All")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "🎯")
		h.Say(apptest.Sam, "20")
		if said := plainly(h.SeeLast(apptest.Sam, "Which one do you mean").Text); strings.Contains(said, "Limit: DZD 20") {
			t.Errorf("it is taken:\n%s", said)
		}
	})
}

// TestPaymentBesideTheWholeDebt: who takes more than is owed while somebody else takes just that is asked whether theirs comes besides: another
// amount is another payment.
func TestPaymentBesideTheWholeDebt(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsOnCredit(h, apptest.Karim, "Ali")
		h.Say(apptest.Karim, "/kridi Ali")
		h.Tap(apptest.Karim, "💵 Part")
		h.Say(apptest.Karim, "5000")
		h.SeeLast(apptest.Karim, "more than is owed")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 All")
		h.Pass(3 * time.Second)
		h.Tap(apptest.Karim, "keep the rest")
		h.Pass(3 * time.Second)
		h.SeeLast(apptest.Karim, "Sam has written down DZD 1,380 meanwhile, and this amount was not")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1380 * ledger.Dinar, "till/601": 0})
		h.Tap(apptest.Karim, "keep the rest")
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1380 * ledger.Dinar, "till/601": 5000 * ledger.Dinar})
	})
}

// TestPaymentAfterOneThatWasUndone: a card whose payment was taken back elsewhere asks whether another one is meant; that one counts.
func TestPaymentAfterOneThatWasUndone(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsOnCredit(h, apptest.Karim, "Ali")
		h.Say(apptest.Sam, "/kridi Ali")
		older := h.SeeLast(apptest.Sam, "Owes")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 All")
		h.Pass(3 * time.Second)
		h.Tap(apptest.Sam, "↩️")
		h.Pass(3 * time.Second)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, older.ID, buttonIn(t, older, "💵 All"))
		h.Pass(3 * time.Second)
		asked := h.SeeAny(apptest.Sam, "DZD 1,380 was written down and undone meanwhile")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0})
		h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, asked.Keyboard[0][0].Data)
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1380 * ledger.Dinar})
	})
}
