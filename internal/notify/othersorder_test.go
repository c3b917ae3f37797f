package notify_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// legacyCards plays with Sam, who has linked an account of the older interface that sells cards, and whose answers may be odd.
func legacyCards(t *testing.T, play func(h *apptest.Harness, odd *apptest.OddService)) {
	t.Helper()
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(func(h *apptest.Harness) {
		h.Service = sim.New(sim.Options{Seed: 7, Mode: sim.Legacy})
		h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", CategoryID: 4, Variants: []sim.VariantSpec{
			{ID: 101, Name: "10 USD", Price: "1250.50", InStock: 50, Delay: 2 * time.Second},
			{ID: 102, Name: "25 USD", Price: "3100", InStock: 5, Delay: 2 * time.Second},
		}})
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: apptest.LegacyTestKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "25000"}))
	}, odd), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		play(h, odd)
	})
}

// entries changes what the list of purchases shows: each entry gives way to others.
func entries(a *apptest.OddAnswer, of func(o map[string]any) []any) {
	if !a.Is("GET", "/purchase-history") {
		return
	}
	a.Document(func(d map[string]any) {
		var out []any
		for _, e := range d["data"].([]any) {
			o, _ := e.(map[string]any)
			out = append(out, of(o)...)
		}
		d["data"] = out
	})
}

// with is an entry of a list with something else in it.
func with(o map[string]any, changes map[string]any) map[string]any {
	out := maps.Clone(o)
	maps.Copy(out, changes)
	return out
}

// TestItemThatIsNoOrder: the id of a purchase's item need not be its order's. What another client of the account has bought is never delivered as
// what was bought here, whatever the address of the order looks like; and where that names the order in any way, its code comes.
func TestItemThatIsNoOrder(t *testing.T) {
	t.Parallel()
	for address, comes := range sampletest.SomeNamed(2, map[string]bool{
		"https://x/orders/%v": true, "https://x/api/orders/%v/details": true, "https://x/orders?order_id=%v": true, "https://x/orders/ORD-%v": false, "": false,
	}) {
		for _, lists := range sampletest.Some(1, []bool{false, true}) {
			t.Run(fmt.Sprintf("%s %v", address, lists), func(t *testing.T) {
				t.Parallel()
				legacyCards(t, func(h *apptest.Harness, odd *apptest.OddService) {
					if !lists {
						h.Service.SetWorld(sim.World{ListStatus: 403, ListEnveloped: true})
					}
					_, err := h.Service.Buy(apptest.LegacyTestKey, 102, 1, "web")
					h.Must(err)
					h.Pass(time.Hour)
					other := h.Service.Orders()[0]
					odd.Change(func(a *apptest.OddAnswer) {
						if a.Is("POST", "/products/10/101/purchase") {
							a.Document(func(d map[string]any) {
								item := d["data"].(map[string]any)["purchased_items"].([]any)[0].(map[string]any)
								item["order_url"] = strings.ReplaceAll(address, "%v", fmt.Sprint(item["id"]))
								item["id"] = other.Number
							})
						}
					})
					h.Order(apptest.Sam, "Play Card", "10 USD", "1")
					h.Tap(apptest.Sam, "✅")
					h.Pass(3 * time.Hour)
					said := h.Texts(apptest.Sam)
					if strings.Contains(said, other.Code) {
						t.Errorf("the code of another client's order was delivered\n%s", h.Transcript(apptest.Sam))
					}
					if ours := h.Service.Orders()[1]; comes && !strings.Contains(said, ours.Code) || !comes && !strings.Contains(said, ours.Code) && !strings.Contains(said, "Your decision is needed") {
						t.Errorf("its own code did not come, and nobody was asked\n%s", h.Transcript(apptest.Sam))
					}
				})
			})
		}
	}
}

// TestOrderInTwoEntries: a list that has an order in several entries, one for each unit or for each state that it was in, holds up no uncertain
// purchase: it is found or asked about, and the next one goes on.
func TestOrderInTwoEntries(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	states := func(o map[string]any) []any {
		return []any{with(o, map[string]any{"status": "pending", "key": nil}), o}
	}
	for name, tc := range map[string]struct {
		quantity string
		of       func(o map[string]any) []any
		comes    bool
	}{
		"a state each, one unit":  {"1", states, true},
		"a state each, two units": {"2", states, true},
		"one id for both units":   {"2", func(o map[string]any) []any { return []any{with(o, map[string]any{"id": 4})} }, false},
		"one id, at another time": {"2", func(o map[string]any) []any {
			return []any{with(o, map[string]any{"id": 4, "created_at": fmt.Sprintf("2000-01-01 0%v:00:00", o["id"])})}
		}, false},
		"one id, of another player": {"2", func(o map[string]any) []any {
			return []any{with(o, map[string]any{"id": 4, "player_id": fmt.Sprint(o["id"])})}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			legacyCards(t, func(h *apptest.Harness, odd *apptest.OddService) {
				for range 3 {
					h.Buy(apptest.Sam, "Play Card", "25 USD", "1")
					h.Pass(20 * time.Minute)
				}
				odd.Change(func(a *apptest.OddAnswer) {
					entries(a, func(o map[string]any) []any {
						if o["variant_name"] != "10 USD" {
							return []any{o}
						}
						return tc.of(o)
					})
				})
				h.OrderLost(apptest.Sam, "Play Card", "10 USD", tc.quantity)
				h.Pass(2 * time.Hour)
				said := h.Texts(apptest.Sam)
				for _, o := range h.Service.Orders()[3:] {
					if tc.comes && !strings.Contains(said, o.Code) {
						t.Errorf("the code of order %s did not come\n%s", o.ID, h.Transcript(apptest.Sam))
					}
				}
				if !tc.comes && !strings.Contains(said, "Your decision is needed") {
					t.Errorf("nobody was asked\n%s", h.Transcript(apptest.Sam))
				}
				if strings.Contains(h.Log.String(), "changed by somebody else") {
					t.Error("a look could not be written down")
				}
			})
		})
	}
}

// TestOrderInTheListAlone: the code of an order that no endpoint shows comes from the list, whichever of its entries stands first there.
func TestOrderInTheListAlone(t *testing.T) {
	t.Parallel()
	legacyCards(t, func(h *apptest.Harness, odd *apptest.OddService) {
		odd.Change(func(a *apptest.OddAnswer) {
			entries(a, func(o map[string]any) []any {
				return []any{with(o, map[string]any{"status": "pending", "key": nil}), o}
			})
			if a.Is("GET", "/orders/") {
				a.Say(404, `{"status":"error","message":"Order not found","data":null}`)
			}
		})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(3 * time.Hour)
		h.SeeAny(apptest.Sam, h.Service.Orders()[0].Code)
	})
}

// TestFamilyThatCountsByItself: what the endpoint of a family tells of another player's order, which has the number of one of ours, is no end of it.
func TestFamilyThatCountsByItself(t *testing.T) {
	t.Parallel()
	for _, status := range sampletest.Some(1, []string{"success", "failed"}) {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
				if a.Is("GET", "/battleroyale/status/") {
					a.Orders(func(o map[string]any) {
						o["status"], o["player_id"], o["variant_name"] = status, "5999000111", "660 coins"
					})
				}
			}}
			apptest.Run(t, apptest.Oddly(func(h *apptest.Harness) {
				apptest.Everything(sim.Options{Mode: sim.Both})(h)
				h.Service.HoldOrders(true)
			}, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "battle royale")
				h.Tap(apptest.Sam, "60 coins")
				h.Say(apptest.Sam, "1")
				h.Say(apptest.Sam, "51234567")
				h.Pass(3 * time.Second)
				h.Tap(apptest.Sam, "✅")
				h.Pass(5 * time.Minute)
				if said := h.Texts(apptest.Sam); strings.Contains(said, "Topped up") || strings.Contains(said, "failed") {
					t.Errorf("it has come to an end\n%s", h.Transcript(apptest.Sam))
				}
				h.SeeAny(apptest.Sam, "under way")
			})
		})
	}
}

// TestBatchThatRepeats: an order that a batch shows twice, word for word, costs what it costs: what another client of the account takes meanwhile is no
// other price of it, and its owner is told.
func TestBatchThatRepeats(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for range 3 {
			h.Buy(apptest.Sam, "Play Card", "25 USD", "1")
			h.Pass(20 * time.Minute)
		}
		odd.Change(func(a *apptest.OddAnswer) {
			if a.Is("POST", "/products/orders/retrieve") {
				a.Document(func(d map[string]any) {
					var out []any
					for _, e := range d["data"].([]any) {
						out = append(out, e, e)
					}
					d["data"] = out
				})
			}
		})
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Second)
		_, err := h.Service.Buy(apptest.TestKey, 101, 1, "web")
		h.Must(err)
		h.Pass(2 * time.Minute)
		h.Service.HoldOrders(false)
		h.Pass(time.Hour)
		if said := h.Texts(apptest.Sam); strings.Contains(said, "another price") && strings.Contains(said, "charged DZD 2,501") {
			t.Errorf("it is said to have cost twice as much\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "left the balance")
	})
}

// TestBatchThatRefusesTheKey: a key that is refused for batches alone is no key that is refused: codes come one by one, and nobody is told to link
// another one.
func TestBatchThatRefusesTheKey(t *testing.T) {
	t.Parallel()
	for _, status := range sampletest.Some(1, []int{401, 403}) {
		odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
			if a.Is("POST", "/products/orders/retrieve") {
				a.Say(status, `{"status":"error","message":"Forbidden","data":null}`)
			}
		}}
		apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Service.HoldOrders(true)
			h.Order(apptest.Sam, "Play Card", "10 USD", "2")
			h.Tap(apptest.Sam, "✅")
			h.Pass(10 * time.Minute)
			h.Service.HoldOrders(false)
			h.Pass(5 * time.Minute)
			h.Delivered(apptest.Sam)
			if said := h.Texts(apptest.Sam); strings.Contains(said, "🔑 2") || strings.Contains(said, "no longer accepts") || strings.Contains(said, "internet addresses") {
				t.Errorf("%d: they are told of their key\n%s", status, h.Transcript(apptest.Sam))
			}
		})
	}
}
