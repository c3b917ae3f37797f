package notify_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestOrderThatNeverShows: what was paid for and is shown nowhere is not waited for in silence.
func TestOrderThatNeverShows(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	const none = `{"status":"error","message":"Order not found","data":null}`
	for name, list := range sampletest.SomeNamed(3, map[string]string{"left out": `{"status":"success","data":[]}`, "no data": `{"status":"success","data":null}`, "refused": none}) {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
				switch {
				case a.Is("GET", "/products/order/"), list == none && a.Is("POST", "/products/orders/retrieve"):
					a.Say(404, none)
				case a.Is("POST", "/products/orders/retrieve"):
					a.Say(200, list)
				}
			}}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "2")
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Sam, "Bought")
				if list == none && !sampletest.Sampled() { // asked for all day long; otherwise the hours at both ends of it have to do
					h.Pass(21 * time.Hour)
				} else {
					h.Pass(time.Hour)
					h.Sleep(20 * time.Hour)
				}
				h.Pass(4 * time.Hour)
				h.SeeAny(apptest.Sam, "taking very long")
				odd.Change(nil)
				h.Pass(time.Hour)
				h.Delivered(apptest.Sam)
				h.Bought(1)
			})
		})
	}
}

// TestTopupWithoutItsNumber: the older interface names a top-up by its transaction alone, and has no endpoint for that.
func TestTopupWithoutItsNumber(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		if a.Is("POST", "/arena/topup") || a.Is("GET", "/arena/orders") {
			a.Orders(func(o map[string]any) { delete(o, "order_id") })
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Everything(sim.Options{Mode: sim.Legacy}), odd), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "110 gems")
		h.Say(apptest.Sam, "1234567890")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Minute)
		h.SeeAny(apptest.Sam, "Topped up")
		h.Happened(1)
	})
}

// TestTopupOfAnotherPlayer: an answer about somebody else's top-up does not become this purchase's later on.
func TestTopupOfAnotherPlayer(t *testing.T) {
	t.Parallel()
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		if a.Is("POST", "/arena/topup") || a.Is("GET", "/arena/orders") || a.Is("GET", "/arena/status") {
			a.Orders(func(o map[string]any) { o["player_id"] = "9999999999" })
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Everything(sim.Options{Mode: sim.Both}), odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "110 gems")
		h.Say(apptest.Sam, "1234567890")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "may or may not have gone through")
		h.Pass(30 * time.Minute)
		if strings.Contains(h.Transcript(apptest.Sam), "Topped up") {
			t.Errorf("another player's top-up is told as this one:\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "our decision is needed")
		h.Happened(1)
	})
}

// TestAnswerWithoutItsEnvelope: what such an answer names is looked for, and found, though the service has no list.
func TestAnswerWithoutItsEnvelope(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, say := range map[string]func(*apptest.OddAnswer){
		"bare": func(a *apptest.OddAnswer) {
			a.Document(func(d map[string]any) {
				maps.Copy(d, d["data"].(map[string]any))
				delete(d, "data")
				delete(d, "status")
			})
		},
		"created":      func(a *apptest.OddAnswer) { a.Code = 201 },
		"with a page":  func(a *apptest.OddAnswer) { a.Body = append(a.Body, "<!-- cdn -->"...) },
		"server error": func(a *apptest.OddAnswer) { a.Code = 500 },
	} {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
				if a.Is("POST", "/products/purchase/") {
					say(a)
				}
			}}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "2")
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Sam, "may or may not have gone through")
				h.Pass(time.Minute)
				h.Delivered(apptest.Sam)
				h.Bought(1)
			})
		})
	}
}

// TestNamedOrderOfAnotherItem: an answer that proves nothing and names an order that is not this purchase's delivers
// nothing of it. A person decides.
func TestNamedOrderOfAnotherItem(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, foreign := range sampletest.SomeNamed(1, map[string]bool{"delivered before": false, "of nobody here": true}) {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Buy(apptest.Sam, "Play Card", "25 USD", "1")
				other := h.Service.Orders()[0]
				named := map[bool]string{true: "ORD-FOREIGN", false: other.ID}[foreign]
				odd.Change(func(a *apptest.OddAnswer) {
					switch {
					case a.Is("POST", "/products/purchase/"):
						a.Say(500, `{"order_ids":["`+named+`"]}`)
					case a.Is("GET", "/products/order/ORD-FOREIGN"):
						a.Say(200, `{"status":"success","data":{"order_id":"ORD-FOREIGN","product_name":"Play Card","variant_name":"25 USD","status":"completed","key":"NOT-YOURS-77"}}`)
					}
				})
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Sam, "may or may not have gone through")
				h.Pass(30 * time.Minute)
				h.SeeAny(apptest.Sam, "our decision is needed")
				if got := h.Codes(apptest.Sam); !slices.Equal(got, []string{other.Code}) {
					t.Errorf("the codes are %q\n%s", got, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestCodesInPiecesArrive: a code of several pieces is delivered whole, as it is read, and once it is whole.
func TestCodesInPiecesArrive(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, tc := range map[string]struct {
		key  func(code any) any
		want string // CODE is what it is
	}{
		"a list":              {func(code any) any { return []any{code, "SECOND-2"} }, "CODE\nSECOND-2"},
		"with a pin":          {func(code any) any { return map[string]any{"code": code, "pin": "0012"} }, "CODE|0012"}, // each can be copied
		"a list of one":       {func(code any) any { return []any{code} }, "CODE"},
		"in an object":        {func(code any) any { return map[string]any{"serial": nil, "key": code} }, "CODE"},
		"one by one, late":    {nil, "CODE\nSECOND-2"},
		"a placeholder, late": {nil, "CODE\nSECOND-2"},
	} {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{}
			set := func(key func(any) any) {
				odd.Change(func(a *apptest.OddAnswer) {
					if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") {
						a.Orders(func(o map[string]any) {
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
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Sam, "Bought")
				h.Pass(time.Minute)
				code := h.Service.Orders()[0].Code
				if tc.key == nil {
					if got := h.Codes(apptest.Sam); len(got) != 0 {
						t.Errorf("half of it was delivered: %q", got)
					}
					set(whole)
					h.Pass(5 * time.Minute)
				}
				if got, want := h.Codes(apptest.Sam), strings.ReplaceAll(tc.want, "CODE", code); !slices.Equal(got, strings.Split(want, "|")) {
					t.Errorf("the codes are %q, want %q\n%s", got, want, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestOneOrderOfSeveralUnits: an answer that names one order for two units, whose codes that one order brings, lacks
// nothing for certain: nobody is told that a unit was not found.
func TestOneOrderOfSeveralUnits(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	const lacks = "missing here: its order is not known"
	for name, c := range map[string]struct {
		key   func(code any) any
		words []string
		not   string
	}{
		"a list":        {func(code any) any { return []any{code, "SECOND-2"} }, []string{"One order may hold the codes of several units", "Orders not found: 1 of 2"}, lacks},
		"two lines":     {func(code any) any { return code.(string) + "\nSECOND-2" }, []string{"One order may hold the codes of several units"}, lacks},
		"a single code": {func(code any) any { return code }, []string{lacks}, "One order may hold"},
	} {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
				switch {
				case a.Is("POST", "/products/purchase/"):
					a.Document(func(d map[string]any) {
						data := d["data"].(map[string]any)
						data["order_ids"] = data["order_ids"].([]any)[:1]
					})
				case a.Is("POST", "/products/orders/retrieve"), a.Is("GET", "/products/order/"):
					a.Orders(func(o map[string]any) {
						if o["key"] != nil {
							o["key"] = c.key(o["key"])
						}
					})
				}
			}}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "2")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Minute)
				says(h, append(c.words, h.Service.Orders()[0].Code), c.not)
			})
		})
	}
}

// TestBatchSpellsItsIDs: orders whose ids a batch answer spells in its own way are the ones that were asked for.
func TestBatchSpellsItsIDs(t *testing.T) {
	t.Parallel()
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		if a.Is("POST", "/products/orders/retrieve") {
			a.Orders(func(o map[string]any) { o["order_id"] = " " + strings.ToLower(o["order_id"].(string)) })
		}
		if a.Is("GET", "/products/order/") {
			a.Say(404, `{"status":"error","message":"Order not found","data":null}`)
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "2")
		h.Bought(1)
	})
}
