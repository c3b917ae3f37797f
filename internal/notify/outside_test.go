package notify_test

import (
	"encoding/json"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// thief is what is said of money that went, where it can be nobody's here.
const thief = "no purchase made here with this key explains it"

// notYet has the balance show that the next card is not charged yet.
func notYet(h *apptest.Harness, odd *apptest.OddService, sent int) {
	odd.Change(func(a *apptest.OddAnswer) {
		if h.PurchasesSent() > sent {
			uncharged(a)
		}
	})
}

// TestLimitedAndLate: a purchase that the service answers with 429, and executes a while later, is sent once. The money is its own, and its
// buyer, who was told that it was refused, hears that it may have been bought after all, and gets its code.
func TestLimitedAndLate(t *testing.T) {
	sampletest.Slow(t)
	oddly(t, apptest.Crossed, func(h *apptest.Harness, _ *apptest.OddService) {
		follow(h)
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Late, Status: 429, Delay: 100 * time.Second, Times: 1})
		buys(h)
		h.Pass(2 * time.Hour)
		says(h, []string{"may have been bought after all"}, thief)
		if made, codes := len(h.Service.Orders()), len(h.Codes(apptest.Sam)); made != 4 || codes != 4 {
			t.Errorf("%d orders, %d codes\n%s", made, codes, h.Transcript(apptest.Sam))
		}
	})
}

// picks has Sam pick the one order that is offered, and fails the test unless all codes are there then.
func picks(h *apptest.Harness, codes int) {
	h.T.Helper()
	h.Tap(apptest.Sam, "It is there")
	h.Tap(apptest.Sam, "done")
	h.Pass(10 * time.Minute)
	if n := len(h.Codes(apptest.Sam)); n != codes {
		h.T.Errorf("%d codes of %d\n%s", n, codes, h.Transcript(apptest.Sam))
	}
}

// TestOwnMoneyIsNoThief: money that goes late, or once more, is a purchase's own before it is anybody else's.
func TestOwnMoneyIsNoThief(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	// Where it is given back, the question does not go on saying that its price is gone.
	for name, givenBack := range map[string]bool{"the rest of a purchase": false, "the rest of a purchase, which fails": true} {
		t.Run(name, func(t *testing.T) {
			oddly(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
				follow(h)
				h.Order(apptest.Sam, "Play Card", "10 USD", "3")
				odd.Change(func(a *apptest.OddAnswer) {
					if h.PurchasesSent() <= 3 {
						return
					}
					uncharged(a)
					a.Document(func(d map[string]any) {
						if data, ok := d["data"].(map[string]any); ok && a.Is("POST", "/products/purchase/") {
							data["order_ids"], data["count"] = data["order_ids"].([]any)[:2], json.Number("2")
						}
						if l, ok := d["data"].([]any); ok && a.Is("GET", "/purchase-history") && len(l) > 5 {
							d["data"] = l[1:]
						}
					})
				})
				h.Tap(apptest.Sam, "✅")
				h.Pass(45 * time.Minute)
				says(h, []string{"The supplier sold 2 of 3. Charged: DZD 2,501."})
				odd.Change(nil)
				h.Pass(2 * time.Hour)
				says(h, []string{"The rest of order", "may have been bought after all", "Its price has left the balance"}, thief, "The supplier sold 2 of 3. Charged: DZD 2,501.")
				if !givenBack {
					picks(h, 6)
					return
				}
				h.Service.Deposit(apptest.TestKey, "1250.50")
				h.Pass(25 * time.Minute)
				says(h, []string{"may have failed and been refunded"}, "Its price has left the balance", thief)
			})
		})
	}
	t.Run("delivered, and charged after hours", func(t *testing.T) {
		oddly(t, apptest.Stock, func(h *apptest.Harness, odd *apptest.OddService) {
			follow(h)
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			notYet(h, odd, 3)
			h.Tap(apptest.Sam, "✅")
			h.Pass(3 * time.Hour)
			odd.Change(nil)
			h.Pass(time.Hour)
			says(h, []string{"it is not certain what for"}, thief)
		})
	})
	t.Run("failed, and charged after that", func(t *testing.T) {
		oddly(t, apptest.Stock, func(h *apptest.Harness, odd *apptest.OddService) {
			follow(h)
			h.Service.HoldOrders(true)
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			notYet(h, odd, 3)
			h.Tap(apptest.Sam, "✅")
			h.Pass(10 * time.Minute)
			shows(h, h.Service.Orders()[3].ID, sim.Shown{Status: "failed"})
			h.Pass(40 * time.Minute)
			says(h, []string{"is not missing from the balance"})
			odd.Change(nil)
			h.Pass(2 * time.Hour)
			says(h, []string{"it is not certain what for", "The refund of DZD 1,250.50 was not seen"}, thief, "is not missing from the balance")
		})
	})
	t.Run("refunded, taken again, and done", func(t *testing.T) {
		oddly(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
			id := held(h, 1)[0]
			h.Pass(20 * time.Minute)
			shows(h, id, sim.Shown{Status: "failed"})
			h.Service.Deposit(apptest.TestKey, "1250.50")
			h.Pass(30 * time.Minute)
			h.Service.Deposit(apptest.TestKey, "-1250.50")
			h.Pass(3 * time.Hour)
			says(h, []string{"it is not certain what for"}, thief)
			shows(h, id, sim.Shown{Status: "completed", Key: "CODE-1111-2222", Claim: "true"})
			h.Pass(5 * time.Hour)
			says(h, nil, thief)
		})
	})
	t.Run("a thief is one all the same", func(t *testing.T) {
		oddly(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
			follow(h)
			h.Service.Deposit(apptest.TestKey, "-1250.50")
			h.Pass(time.Hour)
			says(h, []string{thief})
		})
	})
}
