package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// readsLast fails the test unless the newest message to the owner says all of some words.
func readsLast(h *apptest.Harness, words ...string) {
	h.T.Helper()
	h.Pass(3 * time.Second)
	all := h.Telegram.Messages(apptest.Sam)
	text := plainly(all[len(all)-1].Text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			h.T.Errorf("%q is not in\n%s", w, text)
		}
	}
}

// onCredit has the owner sell a card to somebody who pays later.
func onCredit(h *apptest.Harness, name string) { h.T.Helper(); sellsOnCredit(h, apptest.Sam, name) }

// sellsOnCredit has somebody sell a card to a new customer who pays later.
func sellsOnCredit(h *apptest.Harness, seller int64, name string) {
	h.T.Helper()
	buy(h, seller)
	h.Tap(seller, "📒 Kridi")
	h.Say(seller, name)
	h.Tap(seller, "➕")
	h.See(seller, "Debt: DZD 0 → DZD 1,380")
}

// sellsForCash has somebody sell a card that is paid at once.
func sellsForCash(h *apptest.Harness, seller int64) {
	h.T.Helper()
	buy(h, seller)
	h.Tap(seller, "💵")
	h.Pass(3 * time.Second)
}

// TestReminderDayAndLanguage: the day on which a customer is to be reminded stands on their card and in the report of that day, and of no
// other; the language that a reminder was made in is the customer's from then on.
func TestReminderDayAndLanguage(t *testing.T) {
	t.Parallel()
	inPricedShop(t, func(h *apptest.Harness) {
		onCredit(h, "Ali")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "Reminder day")
		h.Tap(apptest.Sam, "\u206825\u2069")
		readsLast(h, "Ali", "25")
		h.Say(apptest.Sam, "/today")
		if text := lastTo(h); strings.Contains(text, "Remind today") {
			t.Errorf("it is not the day:\n%s", text)
		}
		h.Sleep(time.Until(time.Date(2000, 1, 25, 12, 0, 0, 0, time.UTC)))
		h.Say(apptest.Sam, "/today")
		readsLast(h, "Remind today: Ali")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "✉️ Reminder")
		h.Tap(apptest.Sam, "Français")
		readsLast(h, "1 380 DA")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "✉️ Reminder")
		readsLast(h, "1 380 DA") // it stays the customer's language
	})
}

// TestReportBySellers: what each of several people has sold has a row of its own, and what needs a hand stands at the end: a purchase that
// nobody knows the end of, and a count that waits.
func TestReportBySellers(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		for _, who := range []int64{apptest.Karim, apptest.Sam, apptest.Karim} {
			buy(h, who)
			h.Tap(who, "💵 \u2068DZD\u00a01,380")
			h.Pass(2 * time.Second)
		}
		h.Say(apptest.Sam, "/today")
		readsLast(h, "Sellers", "Karim × 2: DZD 2,760 · DZD +259", "Sam × 1: DZD 1,380 · DZD +129.50")
		h.Say(apptest.Karim, "/close")
		h.Say(apptest.Karim, "2700")
		h.Tap(apptest.Karim, "Nothing")
		h.OrderLost(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(time.Minute)
		h.Say(apptest.Sam, "/today")
		readsLast(h, "Counts that wait for you: 1", "Uncertain purchases: 1 · DZD 1,250.50")
	})
}

// TestBelowCostIsTheOwners: where selling below cost is the owner's to do, a seller who types such a price is told so, and sells nothing; the
// owner does.
func TestBelowCostIsTheOwners(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Settings")
		h.Tap(apptest.Sam, "Owner only")
		h.Pass(time.Second)
		for _, who := range []int64{apptest.Karim, apptest.Sam} {
			buy(h, who)
			h.Tap(who, "✏️ Price")
			h.Say(who, "1200")
			h.See(who, "below the buying price")
			h.Tap(who, "💵 \u2068DZD\u00a01,200")
			h.Pass(time.Second)
			want := ledger.Money(0)
			if who == apptest.Sam {
				want = -1200 * ledger.Dinar
			}
			if got := booked(h, "sales") - booked(h, "discount"); who == apptest.Karim && got != want {
				t.Errorf("a seller has sold for %s", got)
			}
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 1200 * ledger.Dinar, "till/601": 0})
		told := 0
		for _, c := range h.Telegram.Callbacks() {
			if strings.Contains(c.Text, "only the owner can sell at that") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the seller is told %d times that an owner has to do it", told)
		}
	})
}

// TestPlanPrice: what the service says that a plan is sold for can be the shop's rule, and is its price where the plan is bought.
func TestPlanPrice(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		openRule(h, "Next ▶", "Arena")
		h.Tap(apptest.Sam, "Suggested price")
		h.Tap(apptest.Sam, "DZD\u00a010")
		h.Pass(time.Second)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "110 gems")
		h.Say(apptest.Sam, "5123456789")
		h.See(apptest.Sam, "Check before buying")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Minute)
		if text := plainly(h.Texts(apptest.Sam)); !strings.Contains(text, "Own price: DZD 300") {
			t.Errorf("the plan's own price is not the supplier's:\n%s", text)
		}
	})
}
