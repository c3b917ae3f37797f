package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// TestOrderThatNeverShows: what was paid for and is shown nowhere is not waited for in silence.
func TestOrderThatNeverShows(t *testing.T) {
	t.Parallel()
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
				if list == none { // asked for all day long; for the others, the hours at both ends of it have to do
					h.pass(21 * time.Hour)
				} else {
					h.sleep(21 * time.Hour)
				}
				h.pass(4 * time.Hour)
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
	t.Parallel()
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
	t.Parallel()
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

// TestAnswerWithoutItsEnvelope: what such an answer names is looked for, and found, though the service has no list.
func TestAnswerWithoutItsEnvelope(t *testing.T) {
	t.Parallel()
	for name, say := range map[string]func(*oddAnswer){
		"bare": func(a *oddAnswer) {
			a.document(func(d map[string]any) {
				maps.Copy(d, d["data"].(map[string]any))
				delete(d, "data")
				delete(d, "status")
			})
		},
		"created":      func(a *oddAnswer) { a.code = 201 },
		"with a page":  func(a *oddAnswer) { a.body = append(a.body, "<!-- cdn -->"...) },
		"server error": func(a *oddAnswer) { a.code = 500 },
	} {
		t.Run(name, func(t *testing.T) {
			odd := &oddService{rewrite: func(a *oddAnswer) {
				if a.is("POST", "/products/purchase/") {
					say(a)
				}
			}}
			inHouse(t, oddly(stock, odd), func(h *house) {
				h.link(sam)
				h.order(sam, "Play Card", "10 USD", "2")
				h.tap(sam, "✅")
				h.seeAny(sam, "may or may not have gone through")
				h.pass(time.Minute)
				h.delivered(sam)
				h.bought(1)
			})
		})
	}
}

// TestNamedOrderOfAnotherItem: an answer that proves nothing and names an order that is not this purchase's delivers
// nothing of it. A person decides.
func TestNamedOrderOfAnotherItem(t *testing.T) {
	t.Parallel()
	for name, foreign := range map[string]bool{"delivered before": false, "of nobody here": true} {
		t.Run(name, func(t *testing.T) {
			odd := &oddService{}
			inHouse(t, oddly(stock, odd), func(h *house) {
				h.link(sam)
				h.order(sam, "Play Card", "25 USD", "1")
				h.tap(sam, "✅")
				h.delivered(sam)
				other := h.service.Orders()[0]
				named := map[bool]string{true: "ORD-FOREIGN", false: other.ID}[foreign]
				odd.change(func(a *oddAnswer) {
					switch {
					case a.is("POST", "/products/purchase/"):
						a.say(500, `{"order_ids":["`+named+`"]}`)
					case a.is("GET", "/products/order/ORD-FOREIGN"):
						a.say(200, `{"status":"success","data":{"order_id":"ORD-FOREIGN","product_name":"Play Card","variant_name":"25 USD","status":"completed","key":"NOT-YOURS-77"}}`)
					}
				})
				h.order(sam, "Play Card", "10 USD", "1")
				h.tap(sam, "✅")
				h.seeAny(sam, "may or may not have gone through")
				h.pass(30 * time.Minute)
				h.seeAny(sam, "Please decide")
				if got := h.codes(sam); !slices.Equal(got, []string{other.Code}) {
					t.Errorf("the codes are %q\n%s", got, h.transcript(sam))
				}
			})
		})
	}
}

// TestCodesInPiecesArrive: a code of several pieces is delivered whole, as it is read, and once it is whole.
func TestCodesInPiecesArrive(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		key  func(code any) any
		want string // CODE is what it is
	}{
		"a list":              {func(code any) any { return []any{code, "SECOND-2"} }, "CODE\nSECOND-2"},
		"with a pin":          {func(code any) any { return map[string]any{"code": code, "pin": "0012"} }, "code: CODE\npin: 0012"},
		"a list of one":       {func(code any) any { return []any{code} }, "CODE"},
		"in an object":        {func(code any) any { return map[string]any{"serial": nil, "key": code} }, "CODE"},
		"one by one, late":    {nil, "CODE\nSECOND-2"},
		"a placeholder, late": {nil, "CODE\nSECOND-2"},
	} {
		t.Run(name, func(t *testing.T) {
			odd := &oddService{}
			set := func(key func(any) any) {
				odd.change(func(a *oddAnswer) {
					if a.is("POST", "/products/orders/retrieve") || a.is("GET", "/products/order/") {
						a.orders(func(o map[string]any) {
							if o["key"] != nil {
								o["key"] = key(o["key"])
							}
						})
					}
				})
			}
			whole := tc.key
			if whole == nil {
				whole = func(code any) any { return []any{code, "SECOND-2"} }
			}
			set(whole)
			if tc.key == nil {
				missing := map[string]any{"one by one, late": nil, "a placeholder, late": "pending"}[name]
				set(func(code any) any { return []any{code, missing} })
			}
			inHouse(t, oddly(stock, odd), func(h *house) {
				h.link(sam)
				h.order(sam, "Play Card", "10 USD", "1")
				h.tap(sam, "✅")
				h.seeAny(sam, "Bought")
				h.pass(time.Minute)
				code := h.service.Orders()[0].Code
				if tc.key == nil {
					if got := h.codes(sam); len(got) != 0 {
						t.Errorf("half of it was delivered: %q", got)
					}
					set(whole)
					h.pass(5 * time.Minute)
				}
				if got, want := h.codes(sam), strings.ReplaceAll(tc.want, "CODE", code); !slices.Equal(got, []string{want}) {
					t.Errorf("the codes are %q, want %q\n%s", got, want, h.transcript(sam))
				}
			})
		})
	}
}

// TestBatchSpellsItsIDs: orders whose ids a batch answer spells in its own way are the ones that were asked for.
func TestBatchSpellsItsIDs(t *testing.T) {
	t.Parallel()
	odd := &oddService{rewrite: func(a *oddAnswer) {
		if a.is("POST", "/products/orders/retrieve") {
			a.orders(func(o map[string]any) { o["order_id"] = " " + strings.ToLower(o["order_id"].(string)) })
		}
		if a.is("GET", "/products/order/") {
			a.say(404, `{"status":"error","message":"Order not found","data":null}`)
		}
	}}
	inHouse(t, oddly(stock, odd), func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "2")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.bought(1)
	})
}
