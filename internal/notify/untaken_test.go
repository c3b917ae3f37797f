package notify_test

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestTakenAndGivenBackUnseen: a purchase fails, and is charged and given back while nobody can read the balance. Another one
// is charged right after. Nothing is missing, and nothing came from outside.
func TestTakenAndGivenBackUnseen(t *testing.T) {
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Service.AddProduct(sim.ProductSpec{ID: 11, Name: "Unlucky Box", Variants: []sim.VariantSpec{
			{ID: 111, Name: "1 box", Price: "500", InStock: 99, Delay: time.Second, Fails: true, RefundAfter: 20 * time.Second},
		}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Unlucky", "1 box", "2")
		h.Tap(apptest.Sam, "✅")
		h.Service.Inject(sim.Fault{Operation: "GET /balance", Kind: sim.Status, Status: 502, Times: 1000})
		h.Pass(45 * time.Second)
		h.Service.ClearFaults()
		h.Order(apptest.Sam, "Play Card", "10 USD", "4")
		h.Tap(apptest.Sam, "✅")
		h.Pass(3 * time.Hour)
		h.Say(apptest.Sam, "/balance")
		h.Tap(apptest.Sam, "Balance changes")
		if h.Has(apptest.Sam, "I did not see") || h.Has(apptest.Sam, "deposit") {
			t.Errorf("money is missed, or came from outside:\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "What is known of its money is above")
		h.SeeAny(apptest.Sam, "is not missing from the balance")
	})
}

// TestOtherPriceOfAFailedOrder: a purchase is charged more, or less, than was shown, its order fails, and its refund takes longer than
// readings are late. What is missing may be its price: nobody is told that nothing is missing, nor that somebody else uses the key.
func TestOtherPriceOfAFailedOrder(t *testing.T) {
	sampletest.Slow(t)
	for charged, besides := range map[string]string{"600": "-100", "400": "100"} {
		apptest.Run(t, func(h *apptest.Harness) {
			apptest.Stock(h)
			h.Service.AddProduct(sim.ProductSpec{ID: 11, Name: "Unlucky Box", Variants: []sim.VariantSpec{
				{ID: 111, Name: "1 box", Price: "500", InStock: 99, Delay: time.Second, Fails: true, RefundAfter: 40 * time.Minute},
			}})
		}, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			for range 3 { // how late this account's readings are is known by then
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(3 * time.Minute)
			}
			h.Order(apptest.Sam, "Unlucky", "1 box", "1")
			h.Tap(apptest.Sam, "✅")
			h.Service.Deposit(apptest.TestKey, besides)
			h.Pass(30 * time.Minute)
			for _, never := range []string{"is not missing from the balance", "somebody else uses the key"} {
				if h.Has(apptest.Sam, never) {
					t.Errorf("charged %s: it says %q\n%s", charged, never, h.Transcript(apptest.Sam))
				}
			}
		})
	}
}

// TestDepositBesideWhatFailed: the balance is shown as it was some time ago, in steps. A deposit shows together with a purchase, and later an
// order has failed and is refunded between two steps, beside a purchase that goes. Nothing is missing, and nobody has taken anything.
func TestDepositBesideWhatFailed(t *testing.T) {
	sampletest.Slow(t)
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Service.AddProduct(sim.ProductSpec{ID: 11, Name: "Unlucky Box", Variants: []sim.VariantSpec{
			{ID: 111, Name: "1 box", Price: "500", InStock: 99, Delay: time.Second, Fails: true, RefundAfter: 20 * time.Second},
		}})
	}, odd), func(h *apptest.Harness) {
		var shown json.Number
		var mu sync.Mutex
		step := func() {
			mu.Lock()
			defer mu.Unlock()
			shown = json.Number(h.Service.Balance(apptest.TestKey).String())
		}
		step()
		odd.Change(func(a *apptest.OddAnswer) {
			if a.Is("GET", "/balance") || a.Is("GET", "/account") {
				a.Orders(func(o map[string]any) {
					mu.Lock()
					defer mu.Unlock()
					o["balance"], o["available_balance"] = shown, shown
				})
			}
		})
		buys := func(product, variant string) {
			h.Order(apptest.Sam, product, variant, "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(30 * time.Second)
		}
		h.Link(apptest.Sam)
		for range 3 {
			buys("Play Card", "10 USD")
			h.Pass(2 * time.Minute)
			step()
			h.Pass(time.Minute)
		}
		h.Service.Deposit(apptest.TestKey, "4800")
		buys("Play Card", "10 USD")
		step()
		h.Pass(5 * time.Minute)
		buys("Play Card", "25 USD")
		buys("Unlucky", "1 box")
		h.Pass(time.Minute)
		step()
		h.Pass(4 * time.Hour)
		h.SeeAny(apptest.Sam, "DZD 500 is not missing from the balance")
		for _, never := range []string{"I did not see", "I cannot tell", "left the balance", "can be spent, and no purchase"} {
			if h.Has(apptest.Sam, never) {
				t.Errorf("it says %q\n%s", never, h.Transcript(apptest.Sam))
			}
		}
	})
}

// TestRefundBeforeTheFailureShows: an order that was delivered fails hours later and is refunded at once, long before the next look at it.
// Its refund is in what has come since, and nobody is told that it was not seen.
func TestRefundBeforeTheFailureShows(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for range 4 { // how late this account's readings are is known by then
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(3 * time.Minute)
		}
		h.Pass(3 * time.Hour)
		odd.Change(func(a *apptest.OddAnswer) {
			if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") {
				a.Orders(func(o map[string]any) {
					if o["order_id"] == "ORD-000004" {
						o["status"], o["has_key"], o["key"] = "failed", false, nil
					}
				})
			}
		})
		h.Service.Deposit(apptest.TestKey, "1250.50")
		h.Pass(30 * time.Hour)
		h.SeeAny(apptest.Sam, "The refund is likely in that")
		if h.Has(apptest.Sam, "I did not see") {
			t.Errorf("a refund that came is missed:\n%s", h.Transcript(apptest.Sam))
		}
	})
}
