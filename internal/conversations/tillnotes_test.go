package conversations_test

import (
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
)

// TestWhoseTillItIsHears: where an owner undoes a seller's sale, its cash is in the seller's drawer: the seller is told, once, of cash
// alone, and not of what they undo themselves.
func TestWhoseTillItIsHears(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		told := func() int { return count(h, apptest.Karim, "has undone a cash sale of this till: DZD 1,380") }
		sellsForCash(h, apptest.Karim)
		holds(h, map[ledger.Account]ledger.Money{"till/601": 1380 * ledger.Dinar})
		h.Tap(apptest.Karim, "↩️ Undo")
		h.Pass(3 * time.Second)
		if told() != 0 {
			t.Errorf("a seller is told of what they have undone themselves\n%s", h.Transcript(apptest.Karim))
		}
		h.Tap(apptest.Karim, "💵")
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "The team's orders")
		h.Tap(apptest.Sam, "1")
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{"till/601": 0})
		if told() != 1 {
			t.Errorf("the seller is told %d times\n%s", told(), h.Transcript(apptest.Karim))
		}
		h.Tap(apptest.Karim, "📒 Kridi")
		h.Say(apptest.Karim, "Ali")
		h.Tap(apptest.Karim, "➕")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "The team's orders")
		h.Tap(apptest.Sam, "1")
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Pass(3 * time.Second)
		if told() != 1 {
			t.Errorf("a seller is told of a sale on credit, which has brought no cash\n%s", h.Transcript(apptest.Karim))
		}
	})
}

// TestAMistakeOfAnotherDayMovesNoCash: where the drawer was counted since, nothing leaves it, and its seller is not told to give money back.
func TestAMistakeOfAnotherDayMovesNoCash(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsForCash(h, apptest.Karim)
		h.Say(apptest.Karim, "/close")
		h.Say(apptest.Karim, "1380")
		h.Tap(apptest.Karim, "Nothing")
		h.Tap(apptest.Sam, "To the count")
		h.Tap(apptest.Sam, "Confirm the count")
		h.Pass(2 * time.Second)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "The team's orders")
		h.Tap(apptest.Sam, "1")
		h.Tap(apptest.Sam, "↩️ Undo")
		h.Tap(apptest.Sam, "A mistake: no refund")
		h.Pass(3 * time.Second)
		holds(h, map[ledger.Account]ledger.Money{"till/601": 0})
		if h.Has(apptest.Karim, "has undone a cash sale of this till") {
			t.Errorf("the seller is told to give money back\n%s", h.Transcript(apptest.Karim))
		}
	})
}

// TestMoreThanATillHolds: who counts blind may take out whatever they say, for a refusal would tell what is there. Owners are told where
// it is more than the till held.
func TestMoreThanATillHolds(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsForCash(h, apptest.Karim)
		for told, amount := range []string{"1000", "5000"} {
			before := count(h, apptest.Sam, "left a till that held")
			h.Say(apptest.Karim, "/close")
			h.Tap(apptest.Karim, "➖ Cash removed")
			h.Say(apptest.Karim, amount)
			h.Tap(apptest.Karim, "Expense")
			h.Pass(3 * time.Second)
			if n := count(h, apptest.Sam, "left a till that held") - before; n != told {
				t.Errorf("of %s the owner is told %d times\n%s", amount, n, h.Transcript(apptest.Sam))
			}
		}
		// The same tap once more books nothing, and so it tells nothing.
		before := count(h, apptest.Sam, "left a till that held")
		h.Say(apptest.Karim, "/close")
		h.Tap(apptest.Karim, "➖ Cash removed")
		h.Say(apptest.Karim, "9000")
		h.Pass(3 * time.Second)
		m := h.SeeLast(apptest.Karim, "9,000")
		for range 2 {
			h.Telegram.Tap(apptest.Karim, apptest.Karim, m.ID, buttonIn(t, m, "Expense"))
			h.Pass(3 * time.Second)
		}
		// It is undone, and the late tap stays what it was: nothing.
		h.Tap(apptest.Karim, "↩️ Undo")
		h.Telegram.Tap(apptest.Karim, apptest.Karim, m.ID, buttonIn(t, m, "Expense"))
		h.Pass(3 * time.Second)
		if now := h.SeeLast(apptest.Karim, "How much"); now.ID != m.ID {
			t.Errorf("a late tap brings back what was undone\n%s", h.Transcript(apptest.Karim))
		}
		if n := count(h, apptest.Sam, "left a till that held") - before; n != 1 {
			t.Errorf("of one withdrawal the owner is told %d times\n%s", n, h.Transcript(apptest.Sam))
		}
	})
}

// TestATillThatWasNeverUsed: who has never had any cash may say all the same that they have taken some out, and owners hear of it.
func TestATillThatWasNeverUsed(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		h.Say(apptest.Karim, "/close")
		h.Tap(apptest.Karim, "➖ Cash removed")
		h.Say(apptest.Karim, "500")
		h.Tap(apptest.Karim, "Expense")
		h.Pass(3 * time.Second)
		h.SeeLast(apptest.Karim, "Cash removed: ")
		h.SeeAny(apptest.Sam, "Karim: DZD 500 left a till that held DZD 0")
		holds(h, map[ledger.Account]ledger.Money{"till/601": -500 * ledger.Dinar})
		h.Answered()
	})
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsOnCredit(h, apptest.Sam, "Ali")
		h.Say(apptest.Sam, "/kridi Ali")
		h.Tap(apptest.Sam, "💵 All")
		h.TapUnder("Sold on credit", "↩️ Undo")
		h.Say(apptest.Karim, "/kridi Ali")
		h.Tap(apptest.Karim, "💵 Give back")
		h.Pass(3 * time.Second)
		h.SeeLast(apptest.Karim, "given back to Ali")
		holds(h, map[ledger.Account]ledger.Money{"till/601": -1380 * ledger.Dinar})
	})
}

// TestMoreIsGivenBackThanATillHolds: money that a seller gives back out of a till that does not hold it is told to owners as well, of a
// sale and of what was paid ahead; what it holds is not.
func TestMoreIsGivenBackThanATillHolds(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		told := func() int { return count(h, apptest.Sam, "left a till that held") }
		returns := func() {
			h.Tap(apptest.Karim, "↩️ Undo")
			h.Tap(apptest.Karim, "back in stock")
			h.Pass(3 * time.Second)
		}
		sellsForCash(h, apptest.Karim)
		h.Sleep(30 * time.Hour)
		h.Say(apptest.Karim, "/orders")
		h.Tap(apptest.Karim, "1")
		returns()
		holds(h, map[ledger.Account]ledger.Money{"till/601": 0, "returns": 1380 * ledger.Dinar})
		if n := told(); n != 0 {
			t.Errorf("of what the till held the owner is told %d times\n%s", n, h.Transcript(apptest.Sam))
		}
		h.Tap(apptest.Karim, "💵")
		h.Say(apptest.Karim, "/close")
		h.Tap(apptest.Karim, "➖ Cash removed")
		h.Say(apptest.Karim, "1000")
		h.Tap(apptest.Karim, "Expense")
		h.Sleep(30 * time.Hour)
		h.Say(apptest.Karim, "/orders")
		h.Tap(apptest.Karim, "1")
		returns()
		holds(h, map[ledger.Account]ledger.Money{"till/601": -1000 * ledger.Dinar})
		if n := told(); n != 1 {
			t.Errorf("of a sale the owner is told %d times\n%s", n, h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "Karim: DZD 1,380 left a till that held DZD 380")
		sellsOnCredit(h, apptest.Karim, "Ali")
		h.Say(apptest.Karim, "/kridi Ali")
		h.Tap(apptest.Karim, "💵 All")
		h.Say(apptest.Karim, "/orders")
		h.Tap(apptest.Karim, "1")
		h.Tap(apptest.Karim, "↩️ Undo")
		h.Tap(apptest.Karim, "💵 Give back")
		h.Pass(3 * time.Second)
		h.SeeAny(apptest.Sam, "Karim: DZD 1,380 left a till that held DZD 380")
		if n := told(); n != 2 {
			t.Errorf("of what was paid ahead the owner is told %d times\n%s", n-1, h.Transcript(apptest.Sam))
		}
	})
}

// TestTwoTakeCashAtOnce: two owners who take cash out of one till, asked at the same moment, both do.
func TestTwoTakeCashAtOnce(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		h.Link(apptest.Yasmine)
		chooseLanguage(h, apptest.Yasmine, "en")
		sellsForCash(h, apptest.Sam)
		for who, amount := range map[int64]string{apptest.Sam: "1000", apptest.Yasmine: "200"} {
			h.Say(who, "/close")
			h.Tap(who, "Sam")
			h.Tap(who, "➖ Cash removed")
			h.Say(who, amount)
			h.SeeLast(who, "What for")
		}
		for _, who := range []int64{apptest.Sam, apptest.Yasmine} {
			h.Tap(who, "Expense")
			h.SeeLast(who, "Cash removed: ")
		}
		holds(h, map[ledger.Account]ledger.Money{samsTill: 180 * ledger.Dinar})
		h.SeeAny(apptest.Sam, "Yasmine has taken DZD 200 out of this till.")
		if h.Has(apptest.Yasmine, "out of this till") || h.Has(apptest.Sam, "Sam has taken") {
			t.Errorf("who has taken it is told\n%s", h.Transcript(apptest.Yasmine))
		}
	})
}

// TestWhoLeavesWithCash: owners read what the till of somebody who leaves their team holds.
func TestWhoLeavesWithCash(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "Seller", func(h *apptest.Harness) {
		sellsForCash(h, apptest.Karim)
		leaveTeam(h, apptest.Karim)
		h.Pass(3 * time.Second)
		h.SeeAny(apptest.Sam, "Karim has left your team.\n💵 Their till holds DZD 1,380.")
	})
}
