package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
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
