package notify_test

import (
	"bytes"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// serverError is the answer of a service that fails.
const serverError = `{"status":"error","message":"Internal server error","data":null}`

// TestCodesThatABatchDoesNotShow: whatever the call for many orders makes of them, what the one for a single order
// shows is delivered, and nobody is told that the service does not answer, or sends no codes.
func TestCodesThatABatchDoesNotShow(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, say := range map[string]func(*apptest.OddAnswer){
		"an error":  func(a *apptest.OddAnswer) { a.Say(500, serverError) },
		"not there": func(a *apptest.OddAnswer) { a.Say(404, `{"status":"error","message":"Order not found","data":null}`) },
		"nothing":   func(a *apptest.OddAnswer) { a.Document(func(d map[string]any) { d["data"] = []any{} }) },
		"a list inside": func(a *apptest.OddAnswer) {
			a.Document(func(d map[string]any) { d["data"] = map[string]any{"orders": d["data"]} })
		},
		"without ids": func(a *apptest.OddAnswer) { a.Orders(func(o map[string]any) { delete(o, "order_id") }) },
		"other ids": func(a *apptest.OddAnswer) {
			a.Orders(func(o map[string]any) { o["id"], o["order_id"] = o["order_id"], "770001" })
		},
		"without codes":  func(a *apptest.OddAnswer) { a.Orders(func(o map[string]any) { delete(o, "key") }) },
		"codes promised": func(a *apptest.OddAnswer) { a.Orders(func(o map[string]any) { delete(o, "key"); o["has_key"] = true }) },
	} {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
				if a.Is("POST", "/products/orders/retrieve") {
					say(a)
				}
			}}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "2")
				h.Tap(apptest.Sam, "✅")
				h.Pass(2 * time.Minute)
				if len(h.Codes(apptest.Sam)) != 2 || h.Has(apptest.Sam, "does not answer") || h.Has(apptest.Sam, "no code") {
					t.Errorf("the chat is\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestAnOrderThatBreaksItsBatch: the others of its account come all the same.
func TestAnOrderThatBreaksItsBatch(t *testing.T) {
	t.Parallel()
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		odd.Change(func(a *apptest.OddAnswer) {
			if (a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/")) && bytes.Contains(a.Body, []byte("ORD-000001")) {
				a.Say(500, serverError)
			}
		})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		h.Order(apptest.Sam, "Play Card", "25 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(5 * time.Minute)
		if len(h.Codes(apptest.Sam)) != 1 {
			t.Errorf("codes: %q\n%s", h.Codes(apptest.Sam), h.Transcript(apptest.Sam))
		}
	})
}

// TestRechecksTravelTogether: what was delivered is looked at for some days, all orders of an account in a few calls.
func TestRechecksTravelTogether(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for range 10 {
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.Pass(20 * time.Second)
		}
		if n := len(h.Codes(apptest.Sam)); n != 10 {
			t.Fatalf("%d codes", n)
		}
		const batch, single = "POST /products/orders/retrieve", "GET /products/order/{orderId}"
		before := h.Service.Requests()
		h.Pass(2 * time.Hour)
		h.Sleep(5 * 24 * time.Hour)
		h.Pass(time.Hour)
		after := h.Service.Requests()
		batches, alone := after[batch]-before[batch], after[single]-before[single]
		if batches < 2 || batches > 6 || alone > 0 {
			t.Errorf("%d batches and %d single orders for ten that are delivered", batches, alone)
		}
	})
}

// TestDeliveredThenFailed: the service takes back its word, and the money is given back. Everybody is told.
func TestDeliveredThenFailed(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Service.HoldOrders(true)
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.Pass(2 * time.Second)
		id := h.Service.Orders()[0].ID
		shows(h, id, sim.Shown{Key: "DEAD-CODE-1", Claim: "true", Status: "completed"})
		h.Pass(3 * time.Minute)
		shows(h, id, sim.Shown{Status: "canceled"})
		h.Pass(50 * time.Minute)
		if !h.Has(apptest.Karim, "Correction: it was done") || !h.Has(apptest.Sam, "which was delivered, failed") {
			t.Errorf("it is not told\n%s\n%s", h.Transcript(apptest.Karim), h.Transcript(apptest.Sam))
		}
		h.Service.Deposit(apptest.TestKey, "1250.50")
		h.Pass(30 * time.Minute)
		if !h.Has(apptest.Karim, "The balance rose") && !h.Has(apptest.Karim, "comes back") && !h.Has(apptest.Sam, "The balance rose") {
			t.Errorf("its money is not told\n%s\n%s", h.Transcript(apptest.Karim), h.Transcript(apptest.Sam))
		}
	})
}

// TestAnOrderThatVanishes is not called on its way for ever: that the service shows it nowhere any more is told, and once
// it shows again its code comes.
func TestAnOrderThatVanishes(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for name, say := range map[string]func(*apptest.OddAnswer){
		"refused":  func(a *apptest.OddAnswer) { a.Say(404, `{"status":"error","message":"Order not found","data":null}`) },
		"left out": func(a *apptest.OddAnswer) { a.Say(200, `{"status":"success","message":"","data":[]}`) },
	} {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				id := held(h, 1)[0]
				h.Pass(5 * time.Minute)
				odd.Change(func(a *apptest.OddAnswer) {
					switch {
					case a.Is("POST", "/products/orders/retrieve"):
						say(a)
					case a.Is("GET", "/products/order/"):
						a.Say(404, `{"status":"error","message":"Order not found","data":null}`)
					}
				})
				h.Service.Deposit(apptest.TestKey, "1250.50")
				h.Pass(30 * time.Minute)
				if h.Has(apptest.Sam, "does not show") {
					t.Errorf("it is told too soon\n%s", h.Transcript(apptest.Sam))
				}
				h.Pass(90 * time.Minute)
				if !h.Has(apptest.Sam, "The supplier does not show this order") || !h.Has(apptest.Sam, "does not show order") || h.Has(apptest.Sam, "Bought. The code") {
					t.Errorf("it is not told\n%s", h.Transcript(apptest.Sam))
				}
				odd.Change(nil)
				h.Must(h.Service.Complete(id, "", ""))
				h.Pass(20 * time.Minute)
				if len(h.Codes(apptest.Sam)) != 1 || h.Has(apptest.Sam, "The supplier does not show this order") {
					t.Errorf("the code is not there\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}
