package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// TestCashSaleToACustomer: a sale that is paid in cash can name its customer, who owes nothing by it. The report has what they have
// bought in their row, beside those who buy on credit, the same after the day was sealed.
func TestCashSaleToACustomer(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedShop(t, func(h *apptest.Harness) {
		sold := func(name string, cash bool) {
			buy(h, apptest.Sam)
			h.Tap(apptest.Sam, "📒 Kridi")
			if cash {
				h.Tap(apptest.Sam, "💵 Paid now")
				h.See(apptest.Sam, "Who has bought?")
			}
			h.Say(apptest.Sam, name)
			h.Pass(time.Second)
			if m := h.SeeLast(apptest.Sam, "Sale"); len(buttons(m, "➕")) > 0 {
				h.Tap(apptest.Sam, "➕")
			}
			h.Pass(time.Second)
		}
		sold("Ali", true)
		if m := h.See(apptest.Sam, "Sold: DZD 1,380"); !strings.Contains(plainly(m.Text), "Ali") {
			t.Errorf("the sale does not name its customer:\n%s", m.Text)
		}
		sold("Ali", true)
		sold("Omar", false)
		holds(h, map[ledger.Account]ledger.Money{"sales": -4140 * ledger.Dinar, samsTill: 2760 * ledger.Dinar})
		h.Say(apptest.Sam, "/kridi")
		if m := h.See(apptest.Sam, "Omar"); strings.Contains(m.Text, "Ali") {
			t.Errorf("who has paid owes:\n%s", m.Text)
		}
		reported := func(command string) {
			h.Say(apptest.Sam, command)
			text := plainly(h.See(apptest.Sam, "Customers").Text)
			for _, row := range []string{"Ali × 2: DZD 2,760\n", "Omar × 1: DZD 1,380 · on credit DZD 1,380, debt lowered by DZD 0"} {
				if !strings.Contains(text+"\n", row) {
					t.Errorf("%s does not say %q:\n%s", command, row, text)
				}
			}
		}
		reported("/today")
		h.Overnight(26 * time.Hour)
		reported("/week")
		holds(h, map[ledger.Account]ledger.Money{"sales": -4140 * ledger.Dinar}) // and the check finds nothing
	})
}

// TestNamedCashSaleComesBack: who has paid in cash gets cash back, also on another day, though their name is known; what they have bought
// is less by it.
func TestNamedCashSaleComesBack(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		buy(h, apptest.Sam)
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Tap(apptest.Sam, "💵 Paid now")
		h.Say(apptest.Sam, "Ali")
		h.Tap(apptest.Sam, "➕")
		h.See(apptest.Sam, "Sold: DZD 1,380")
		h.Overnight(30 * time.Hour)
		h.Tap(apptest.Sam, "↩️ Undo")
		h.See(apptest.Sam, "The customer gets DZD 1,380 back from your till")
		h.Tap(apptest.Sam, "back in stock")
		h.See(apptest.Sam, "Given back: DZD 1,380")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0, "returns": 1380 * ledger.Dinar})
		h.Say(apptest.Sam, "/week")
		if text := plainly(h.See(apptest.Sam, "Sold:").Text); strings.Contains(text, "Ali") {
			t.Errorf("what was brought back counts as bought:\n%s", text)
		}
	})
}

// TestCreditToANameWithItsNumber: a number that is typed behind a name says who owes, as one that is shared does, and comes to the card
// of whoever is new.
func TestCreditToANameWithItsNumber(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		owes := func(words string, asked bool, total string) {
			h.T.Helper()
			buy(h, apptest.Sam)
			h.Tap(apptest.Sam, "📒 Kridi")
			h.Say(apptest.Sam, words)
			h.Pass(time.Second)
			if m := h.SeeLast(apptest.Sam, "Sale"); len(buttons(m, "➕")) > 0 != asked {
				t.Errorf("%q is answered with\n%s", words, m.Text)
			} else if asked {
				h.Tap(apptest.Sam, "➕")
			}
			h.Pass(time.Second)
			if text := plainly(h.SeeLast(apptest.Sam, "Sold on credit").Text); !strings.Contains(text, total) || !strings.Contains(text, "Karim") {
				t.Errorf("%q: it says\n%s", words, text)
			}
		}
		owes("Karim 0550 12 34 56", true, "DZD 0 → DZD 1,380")
		owes("+213550123456", false, "DZD 1,380 → DZD 2,760")
		owes("karim, 0550123456", false, "DZD 2,760 → DZD 4,140")
		h.Say(apptest.Sam, "/customers")
		h.Tap(apptest.Sam, "Karim")
		h.See(apptest.Sam, "0550123456")
	})
}
