package notify_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// oddly runs a story with Sam, whose service answers oddly as soon as the story says so.
func oddly(t *testing.T, prepare func(*apptest.Harness), story func(h *apptest.Harness, odd *apptest.OddService)) {
	t.Helper()
	t.Parallel()
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(prepare, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		story(h, odd)
	})
}

// buys has Sam buy one card.
func buys(h *apptest.Harness) {
	h.T.Helper()
	h.Order(apptest.Sam, "Play Card", "10 USD", "1")
	h.Tap(apptest.Sam, "✅")
}

// follow has three purchases followed, so that it is known how late the account's readings are.
func follow(h *apptest.Harness) {
	h.T.Helper()
	for range 3 {
		buys(h)
		h.Pass(2 * time.Minute)
	}
	h.Pass(20 * time.Minute)
}

// loses has Sam buy one card, of which the service's answer is lost.
func loses(h *apptest.Harness) {
	h.T.Helper()
	h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
	buys(h)
}

// uncharged has the balance show a card's price more than there is, as if it were not charged yet.
func uncharged(a *apptest.OddAnswer) {
	if !a.Is("GET", "/balance") && !a.Is("GET", "/account") {
		return
	}
	a.Document(func(d map[string]any) {
		data, _ := d["data"].(map[string]any)
		for _, figure := range []string{"balance", "available_balance"} {
			if n, ok := data[figure].(json.Number); ok {
				v, _ := n.Float64()
				data[figure] = v + 1250.5
			}
		}
	})
}

// TestUnreadIsNoRefund: the price of a lost purchase has shown to be gone, and then the balance cannot be read. Nobody says
// that it may be back, and the question says what shows as soon as something does.
func TestUnreadIsNoRefund(t *testing.T) {
	sampletest.Slow(t)
	oddly(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
		follow(h)
		loses(h)
		h.Pass(20 * time.Second)
		h.Service.SetExpiry(apptest.TestKey, time.Now())
		h.Pass(11 * time.Minute)
		says(h, []string{"our decision is needed", "The balance could not be read"}, "may have failed and been refunded")
		h.Service.SetExpiry(apptest.TestKey, time.Time{})
		h.Pass(time.Hour)
		says(h, []string{"Its price has left the balance"}, "may have failed and been refunded", "The balance could not be read")
	})
}

// TestListIsSaidAsItIs: of the service's list it is said what it shows, and shows now.
func TestListIsSaidAsItIs(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	const none = "No matching order is in the supplier's list"
	t.Run("dated far in the future", func(t *testing.T) {
		oddly(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
			odd.Change(func(a *apptest.OddAnswer) {
				a.Orders(func(o map[string]any) { o["created_at"] = "2099-12-31T23:59:59Z"; delete(o, "purchase_timestamp") })
			})
			follow(h)
			loses(h)
			h.Pass(40 * time.Minute)
			says(h, nil, none)
		})
	})
	t.Run("executed late", func(t *testing.T) {
		oddly(t, apptest.Crossed, func(h *apptest.Harness, _ *apptest.OddService) {
			follow(h)
			h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Late, Delay: 30 * time.Minute, Times: 1})
			buys(h)
			h.Pass(100 * time.Minute)
			says(h, []string{"I said that this was not bought", "1 matching order is"}, none)
		})
	})
	t.Run("at another price", func(t *testing.T) {
		oddly(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
			follow(h)
			odd.Change(func(a *apptest.OddAnswer) {
				if a.Is("GET", "/purchase-history") {
					a.Orders(func(o map[string]any) { o["price"] = 1300 })
				}
			})
			loses(h)
			h.Pass(40 * time.Minute)
			says(h, []string{"our decision is needed", "An order of the same item is in the supplier's list"}, none)
			h.TapUnder("It is not clear", "🔎")
			says(h, []string{"an order of the same item shows that differs"}, "no order shows")
		})
	})
	t.Run("each order twice", func(t *testing.T) {
		oddly(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
			odd.Change(func(a *apptest.OddAnswer) {
				if a.Is("GET", "/purchase-history") {
					a.Document(func(d map[string]any) {
						list, _ := d["data"].([]any)
						d["data"] = slices.Concat(list, list)
					})
				}
			})
			follow(h)
			loses(h)
			h.Pass(40 * time.Minute)
			says(h, nil, "2 matching orders", "our decision is needed")
			h.Delivered(apptest.Sam)
		})
	})
	t.Run("dated by a clock that was never set", func(t *testing.T) {
		oddly(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
			odd.Change(func(a *apptest.OddAnswer) {
				a.Orders(func(o map[string]any) { o["created_at"] = "1970-01-01T00:00:00Z"; delete(o, "purchase_timestamp") })
			})
			follow(h)
			loses(h)
			h.Pass(40 * time.Minute)
			says(h, nil, none)
			h.Delivered(apptest.Sam)
		})
	})
}

// TestNamedOrderIsNowhere: the answer names an order that the service shows nowhere, while one that fits is in its list,
// nobody's, and without its code there. It is offered, and its code comes.
func TestNamedOrderIsNowhere(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	const named = `{"status":"success","message":"","data":{"order_ids":["b1f7c0de-0000-4000-8000-000000000001"],"count":1}}`
	oddly(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
		follow(h)
		odd.Change(func(a *apptest.OddAnswer) {
			switch {
			case a.Is("POST", "/products/purchase/"):
				a.Say(200, named)
			case a.Is("GET", "/purchase-history"):
				a.Orders(func(o map[string]any) {
					if all := h.Service.Orders(); len(all) > 3 && o["key"] == all[3].Code {
						delete(o, "key")
					}
				})
			}
		})
		buys(h)
		h.Pass(3 * time.Hour)
		says(h, []string{"does not show", "our decision is needed", "1 matching order is"}, thief)
		picks(h, 4)
	})
}

// TestListUnderAnotherName: the list calls what was bought otherwise than the catalogue, and money that was added hides its
// price. An order that is new, at its price and nobody's is not passed over: a person is asked.
func TestListUnderAnotherName(t *testing.T) {
	for name, change := range sampletest.SomeNamed(2, map[string]func(o map[string]any){
		"of the variant": func(o map[string]any) { o["variant_name"] = "10 USD (Global)" },
		"of both":        func(o map[string]any) { o["product_name"], o["variant_name"] = "PLAYCARD", "Ten dollars" },
		"and no price":   func(o map[string]any) { delete(o, "price"); o["variant_name"] = "Ten dollars" },
		"no variant":     func(o map[string]any) { delete(o, "variant_name"); o["product_name"] = "Play Card 10 USD" },
	}) {
		t.Run(name, func(t *testing.T) {
			oddly(t, apptest.Crossed, func(h *apptest.Harness, odd *apptest.OddService) {
				follow(h)
				odd.Change(func(a *apptest.OddAnswer) {
					if a.Is("GET", "/purchase-history") {
						a.Orders(change)
					}
				})
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
				if _, err := h.Telegram.TapButton(apptest.Sam, apptest.Sam, "✅"); err != nil {
					t.Fatal(err)
				}
				h.Pass(500 * time.Millisecond)
				h.Service.Deposit(apptest.TestKey, "1250.50")
				h.Pass(time.Hour)
				says(h, []string{"Your decision is needed"}, "Nothing was charged")
			})
		})
	}
}

// TestRefusedKeyPromisesNothing: a purchase that the service refused for its key may have been executed all the same. The
// owner who is told of the key is not told that nothing was charged.
func TestRefusedKeyPromisesNothing(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorDone, Status: 401, Message: "Invalid API key", Times: 1})
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.SeeAny(apptest.Sam, "the key does not work")
		h.SeeAny(apptest.Sam, "it may have charged it all the same")
		if h.Has(apptest.Sam, "Nothing was charged") || h.Has(apptest.Karim, "Nothing was charged") {
			t.Errorf("it is called not charged\n%s\n%s", h.Transcript(apptest.Sam), h.Transcript(apptest.Karim))
		}
	})
}
