package main

import (
	"encoding/json"
	"testing"
	"time"
)

// TestFewerSoldAndCharged: three are asked for; the service names two, and charges two. That is what is told.
func TestFewerSoldAndCharged(t *testing.T) {
	t.Parallel()
	odd := &oddService{rewrite: func(a *oddAnswer) {
		switch {
		case a.is("POST", "/products/purchase/"):
			a.document(func(d map[string]any) {
				data := d["data"].(map[string]any)
				data["order_ids"], data["count"] = data["order_ids"].([]any)[:2], 2
			})
		case a.is("GET", "/purchase-history"):
			a.document(func(d map[string]any) {
				if l, ok := d["data"].([]any); ok && len(l) == 3 {
					d["data"] = l[1:]
				}
			})
		}
	}}
	inHouse(t, oddly(crossed, odd), func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "3")
		h.telegram.TapButton(sam, sam, "✅")
		h.pass(300 * time.Millisecond)
		h.service.Deposit(testKey, "1250.50")
		h.pass(2 * time.Hour)
		h.seeAny(sam, "The service sold 2 of 3. Charged: DZD 2,501")
		h.seeAny(sam, "sold fewer than you asked for")
		for _, words := range []string{"Paid: 3", "charged another price", "somebody else uses the key"} {
			if h.has(sam, words) {
				t.Errorf("%q is told\n%s", words, h.transcript(sam))
			}
		}
	})
}

// TestTwoUnitsInOneOrder: the service puts two units into one order, which names what both cost. Nothing is missing.
func TestTwoUnitsInOneOrder(t *testing.T) {
	t.Parallel()
	odd := &oddService{rewrite: func(a *oddAnswer) {
		switch {
		case a.is("POST", "/products/purchase/"):
			a.document(func(d map[string]any) {
				data := d["data"].(map[string]any)
				data["order_ids"], data["count"] = data["order_ids"].([]any)[:1], 2
			})
		case a.is("POST", "/products/orders/retrieve"), a.is("GET", "/products/order/"):
			a.orders(func(o map[string]any) {
				o["price"] = json.Number("2501")
				if o["key"] != nil {
					o["key"] = []any{"AAAA-1111", "BBBB-2222"}
				}
			})
		}
	}}
	inHouse(t, oddly(stock, odd), func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "2")
		h.tap(sam, "✅")
		h.pass(2 * time.Hour)
		h.seeAny(sam, "BBBB-2222")
		if h.has(sam, "not found") || h.has(sam, "another price") {
			t.Errorf("an order is missed\n%s", h.transcript(sam))
		}
	})
}

// TestPriceSettledLate: the service settles the price of what is delivered by hand when it is done: hours after the purchase
// the order names it, and the difference goes. Both figures are told, and nobody is accused.
func TestPriceSettledLate(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]time.Duration{"after minutes": 20 * time.Minute, "after hours": 3 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			odd := &oddService{}
			inHouse(t, oddly(stock, odd), func(h *house) {
				h.link(sam)
				id := h.held(1)[0]
				h.pass(after)
				h.order(sam, "Play Card", "25 USD", "1") // whose reading lets what was seen long ago be forgotten
				h.tap(sam, "✅")
				h.pass(time.Minute)
				odd.change(func(a *oddAnswer) {
					if a.is("POST", "/products/orders/retrieve") || a.is("GET", "/products/order/") {
						a.orders(func(o map[string]any) {
							if o["order_id"] == id {
								o["price"] = json.Number("1300.50")
							}
						})
					}
				})
				h.must(h.service.Complete(id, "", ""))
				h.pass(5 * time.Minute)
				h.service.Deposit(testKey, "-50")
				h.say(sam, "/balance")
				h.pass(40 * time.Minute)
				h.seeAny(sam, "shown DZD 1,250.50, charged DZD 1,300.50")
				if h.has(sam, "somebody else uses the key") {
					t.Errorf("somebody is accused of what the order says it cost\n%s", h.transcript(sam))
				}
			})
		})
	}
}

// TestForeignDebitBesideAPriceOfTheWhole: each of two orders names what both cost, and as much again leaves the wallet: that
// is no price of theirs.
func TestForeignDebitBesideAPriceOfTheWhole(t *testing.T) {
	t.Parallel()
	odd := &oddService{rewrite: func(a *oddAnswer) {
		if a.is("POST", "/products/orders/retrieve") || a.is("GET", "/products/order/") {
			a.orders(func(o map[string]any) { o["price"] = json.Number("2501") })
		}
	}}
	inHouse(t, oddly(stock, odd), func(h *house) {
		h.link(sam)
		h.held(2)
		h.pass(2 * time.Minute)
		h.service.Deposit(testKey, "-2501")
		h.pass(30 * time.Minute)
		if h.has(sam, "another price") {
			t.Errorf("it is said to have cost twice as much\n%s", h.transcript(sam))
		}
	})
}
