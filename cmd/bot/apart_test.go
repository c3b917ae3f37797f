package main

import (
	"bytes"
	"testing"
	"time"
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
