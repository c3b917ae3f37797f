package main

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// TestOrderThatNeverShows: what was paid for and is shown nowhere is not waited for in silence.
func TestOrderThatNeverShows(t *testing.T) {
	const none = `{"status":"error","message":"Order not found","data":null}`
	for name, list := range map[string]string{"left out": `{"status":"success","data":[]}`, "no data": `{"status":"success","data":null}`, "refused": none} {
		t.Run(name, func(t *testing.T) {
			odd := &oddService{rewrite: func(a *oddAnswer) {
				switch {
				case a.is("GET", "/products/order/"), list == none && a.is("POST", "/products/orders/retrieve"):
					a.say(404, none)
				case a.is("POST", "/products/orders/retrieve"):
					a.say(200, list)
				}
			}}
			inHouse(t, oddly(stock, odd), func(h *house) {
				h.link(sam)
				h.order(sam, "Play Card", "10 USD", "2")
				h.tap(sam, "✅")
				h.seeAny(sam, "Bought")
				h.pass(25 * time.Hour)
				h.seeAny(sam, "taking very long")
				odd.change(nil)
				h.pass(time.Hour)
				h.delivered(sam)
				h.bought(1)
			})
		})
	}
}

// TestTopupWithoutItsNumber: the older interface names a top-up by its transaction alone, and has no endpoint for that.
func TestTopupWithoutItsNumber(t *testing.T) {
	odd := &oddService{rewrite: func(a *oddAnswer) {
		if a.is("POST", "/arena/topup") || a.is("GET", "/arena/orders") {
			a.orders(func(o map[string]any) { delete(o, "order_id") })
		}
	}}
	inHouse(t, oddly(everything(sim.Options{Mode: sim.Legacy}), odd), func(h *house) {
		h.linkLegacy(sam)
		h.say(sam, "/topup")
		h.tap(sam, "Arena")
		h.tap(sam, "110 gems")
		h.say(sam, "1234567890")
		h.tap(sam, "✅")
		h.pass(10 * time.Minute)
		h.seeAny(sam, "Topped up")
		h.happened(1)
	})
}

// TestTopupOfAnotherPlayer: an answer about somebody else's top-up does not become this purchase's later on.
func TestTopupOfAnotherPlayer(t *testing.T) {
	odd := &oddService{rewrite: func(a *oddAnswer) {
		if a.is("POST", "/arena/topup") || a.is("GET", "/arena/orders") || a.is("GET", "/arena/status") {
			a.orders(func(o map[string]any) { o["player_id"] = "9999999999" })
		}
	}}
	inHouse(t, oddly(everything(sim.Options{Mode: sim.Both}), odd), func(h *house) {
		h.link(sam)
		h.say(sam, "/topup")
		h.tap(sam, "Arena")
		h.tap(sam, "110 gems")
		h.say(sam, "1234567890")
		h.tap(sam, "✅")
		h.seeAny(sam, "may or may not have gone through")
		h.pass(30 * time.Minute)
		if strings.Contains(h.transcript(sam), "Topped up") {
			t.Errorf("another player's top-up is told as this one:\n%s", h.transcript(sam))
		}
		h.seeAny(sam, "Please decide")
		h.happened(1)
	})
}
