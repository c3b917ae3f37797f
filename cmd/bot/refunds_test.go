package main

import (
	"encoding/json"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// pricedAt has every look at an order say that it cost so much.
func pricedAt(price string) func(*oddAnswer) {
	return func(a *oddAnswer) {
		if a.is("POST", "/products/orders/retrieve") || a.is("GET", "/products/order/") || a.is("GET", "/purchase-history") {
			a.orders(func(o map[string]any) { o["price"] = json.Number(price) })
		}
	}
}

// says fails the test unless the chat holds all words, and says nothing of others.
func (h *house) says(words []string, never ...string) {
	h.t.Helper()
	for _, w := range words {
		if !h.has(sam, w) {
			h.t.Errorf("it does not say %q", w)
		}
	}
	for _, w := range never {
		if h.has(sam, w) {
			h.t.Errorf("it says %q", w)
		}
	}
	if h.t.Failed() {
		h.t.Logf("the chat:\n%s", h.transcript(sam))
	}
}

// TestRefundOfWhatWasCharged: another price is charged than was shown, as the order says. It fails, and that price
// comes back; where it does not, support is told what it was.
func TestRefundOfWhatWasCharged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		more    string // than what was shown
		charged string
	}{"less": {"50", "1200.50"}, "more": {"-50", "1300.50"}} {
		for _, back := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				odd := &oddService{rewrite: pricedAt(c.charged)}
				inHouse(t, oddly(stock, odd), func(h *house) {
					h.link(sam)
					id := h.held(1)[0]
					h.service.Deposit(testKey, c.more)
					h.pass(3 * time.Minute)
					h.shows(id, sim.Shown{Status: "failed"})
					h.pass(20 * time.Second)
					charged := "DZD 1," + c.charged[1:]
					if !back {
						h.pass(time.Hour)
						h.says([]string{"The refund of " + charged + " was not seen", "Not refunded: " + charged}, "Not refunded: DZD 1,250.50")
						return
					}
					h.service.Deposit(testKey, c.charged)
					h.pass(time.Hour)
					h.says([]string{"The balance rose by " + charged}, "did not see", "was not seen")
				})
			})
		}
	}
}

// TestRefundOfWhatWasChargedHidesNothing: what was charged for a failed order comes back in the moment in which the
// next purchase, of that price, is refused though it was executed. Somebody is asked about that one.
func TestRefundOfWhatWasChargedHidesNothing(t *testing.T) {
	t.Parallel()
	odd := &oddService{rewrite: pricedAt("1300.50")}
	inHouse(t, oddly(stock, odd), func(h *house) {
		h.link(sam)
		id := h.held(1)[0]
		h.service.Deposit(testKey, "-50")
		h.pass(3 * time.Minute)
		h.shows(id, sim.Shown{Status: "failed"})
		h.pass(2 * time.Minute)
		h.service.SetPrice(101, "1300.50")
		h.pass(10 * time.Minute)
		h.service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Times: 1, Kind: sim.ErrorDone, Status: 400, Message: "Product out of stock"})
		h.order(sam, "Play Card", "10 USD", "1")
		_, err := h.telegram.TapButton(sam, sam, "✅")
		h.must(err)
		for range 100 {
			if h.pass(50 * time.Millisecond); len(h.service.Purchases()) == 2 {
				break
			}
		}
		h.service.Deposit(testKey, "1300.50")
		h.pass(3 * time.Hour)
		h.says([]string{"may have been bought after all"}, "left the balance")
	})
}
