package main

import (
	"bytes"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// serverError is the answer of a service that fails.
const serverError = `{"status":"error","message":"Internal server error","data":null}`

// TestCodesThatABatchDoesNotShow: whatever the call for many orders makes of them, what the one for a single order
// shows is delivered, and nobody is told that the service does not answer, or sends no codes.
func TestCodesThatABatchDoesNotShow(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]func(*oddAnswer){
		"an error":  func(a *oddAnswer) { a.say(500, serverError) },
		"not there": func(a *oddAnswer) { a.say(404, `{"status":"error","message":"Order not found","data":null}`) },
		"nothing":   func(a *oddAnswer) { a.document(func(d map[string]any) { d["data"] = []any{} }) },
		"a list inside": func(a *oddAnswer) {
			a.document(func(d map[string]any) { d["data"] = map[string]any{"orders": d["data"]} })
		},
		"without ids": func(a *oddAnswer) { a.orders(func(o map[string]any) { delete(o, "order_id") }) },
		"other ids": func(a *oddAnswer) {
			a.orders(func(o map[string]any) { o["id"], o["order_id"] = o["order_id"], "770001" })
		},
		"without codes":  func(a *oddAnswer) { a.orders(func(o map[string]any) { delete(o, "key") }) },
		"codes promised": func(a *oddAnswer) { a.orders(func(o map[string]any) { delete(o, "key"); o["has_key"] = true }) },
	} {
		t.Run(name, func(t *testing.T) {
			odd := &oddService{rewrite: func(a *oddAnswer) {
				if a.is("POST", "/products/orders/retrieve") {
					say(a)
				}
			}}
			inHouse(t, oddly(stock, odd), func(h *house) {
				h.link(sam)
				h.order(sam, "Play Card", "10 USD", "2")
				h.tap(sam, "✅")
				h.pass(2 * time.Minute)
				if len(h.codes(sam)) != 2 || h.has(sam, "does not answer") || h.has(sam, "no code") {
					t.Errorf("the chat is\n%s", h.transcript(sam))
				}
			})
		})
	}
}

// TestAnOrderThatBreaksItsBatch: the others of its account come all the same.
func TestAnOrderThatBreaksItsBatch(t *testing.T) {
	t.Parallel()
	odd := &oddService{}
	inHouse(t, oddly(stock, odd), func(h *house) {
		h.link(sam)
		odd.change(func(a *oddAnswer) {
			if (a.is("POST", "/products/orders/retrieve") || a.is("GET", "/products/order/")) && bytes.Contains(a.body, []byte("ORD-000001")) {
				a.say(500, serverError)
			}
		})
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.pass(time.Minute)
		h.order(sam, "Play Card", "25 USD", "1")
		h.tap(sam, "✅")
		h.pass(5 * time.Minute)
		if len(h.codes(sam)) != 1 {
			t.Errorf("codes: %q\n%s", h.codes(sam), h.transcript(sam))
		}
	})
}

// TestRechecksTravelTogether: what was delivered is looked at for some days, all orders of an account in a few calls.
func TestRechecksTravelTogether(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		for range 10 {
			h.order(sam, "Play Card", "10 USD", "1")
			h.tap(sam, "✅")
			h.pass(20 * time.Second)
		}
		if n := len(h.codes(sam)); n != 10 {
			t.Fatalf("%d codes", n)
		}
		const batch, single = "POST /products/orders/retrieve", "GET /products/order/{orderId}"
		before := h.service.Requests()
		h.pass(2 * time.Hour)
		h.sleep(5 * 24 * time.Hour)
		h.pass(time.Hour)
		after := h.service.Requests()
		batches, alone := after[batch]-before[batch], after[single]-before[single]
		if batches < 2 || batches > 6 || alone > 0 {
			t.Errorf("%d batches and %d single orders for ten that are delivered", batches, alone)
		}
	})
}

// TestDeliveredThenFailed: the service takes back its word, and the money is given back. Everybody is told.
func TestDeliveredThenFailed(t *testing.T) {
	t.Parallel()
	inHouse(t, people, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.service.HoldOrders(true)
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.pass(2 * time.Second)
		id := h.service.Orders()[0].ID
		h.shows(id, sim.Shown{Key: "DEAD-CODE-1", Claim: "true", Status: "completed"})
		h.pass(3 * time.Minute)
		h.shows(id, sim.Shown{Status: "canceled"})
		h.pass(50 * time.Minute)
		if !h.has(karim, "Correction: it had been done") || !h.has(sam, "which was delivered, failed") {
			t.Errorf("it is not told\n%s\n%s", h.transcript(karim), h.transcript(sam))
		}
		h.service.Deposit(testKey, "1250.50")
		h.pass(30 * time.Minute)
		if !h.has(karim, "The balance rose") && !h.has(karim, "comes back") && !h.has(sam, "The balance rose") {
			t.Errorf("its money is not told\n%s\n%s", h.transcript(karim), h.transcript(sam))
		}
	})
}

// TestAnOrderThatVanishes is not called on its way for ever: that the service shows it nowhere any more is told, and once
// it shows again its code comes.
func TestAnOrderThatVanishes(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]func(*oddAnswer){
		"refused":  func(a *oddAnswer) { a.say(404, `{"status":"error","message":"Order not found","data":null}`) },
		"left out": func(a *oddAnswer) { a.say(200, `{"status":"success","message":"","data":[]}`) },
	} {
		t.Run(name, func(t *testing.T) {
			odd := &oddService{}
			inHouse(t, oddly(stock, odd), func(h *house) {
				h.link(sam)
				id := h.held(1)[0]
				h.pass(5 * time.Minute)
				odd.change(func(a *oddAnswer) {
					switch {
					case a.is("POST", "/products/orders/retrieve"):
						say(a)
					case a.is("GET", "/products/order/"):
						a.say(404, `{"status":"error","message":"Order not found","data":null}`)
					}
				})
				h.service.Deposit(testKey, "1250.50")
				h.pass(30 * time.Minute)
				if h.has(sam, "no longer shows") {
					t.Errorf("it is told too soon\n%s", h.transcript(sam))
				}
				h.pass(90 * time.Minute)
				if !h.has(sam, "The service no longer shows this order") || !h.has(sam, "no longer shows order") || h.has(sam, "on their way") {
					t.Errorf("it is not told\n%s", h.transcript(sam))
				}
				odd.change(nil)
				h.must(h.service.Complete(id, "", ""))
				h.pass(20 * time.Minute)
				if len(h.codes(sam)) != 1 || h.has(sam, "The service no longer shows this order") {
					t.Errorf("the code is not there\n%s", h.transcript(sam))
				}
			})
		})
	}
}
