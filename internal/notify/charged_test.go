package notify_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestFewerSoldAndCharged: three are asked for; the service names two, and charges two. That is what is told.
func TestFewerSoldAndCharged(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		switch {
		case a.Is("POST", "/products/purchase/"):
			a.Document(func(d map[string]any) {
				data := d["data"].(map[string]any)
				data["order_ids"], data["count"] = data["order_ids"].([]any)[:2], 2
			})
		case a.Is("GET", "/purchase-history"):
			a.Document(func(d map[string]any) {
				if l, ok := d["data"].([]any); ok && len(l) == 3 {
					d["data"] = l[1:]
				}
			})
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Crossed, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Telegram.TapButton(apptest.Sam, apptest.Sam, "✅")
		h.Pass(300 * time.Millisecond)
		h.Service.Deposit(apptest.TestKey, "1250.50")
		h.Pass(2 * time.Hour)
		h.SeeAny(apptest.Sam, "The supplier sold 2 of 3. Charged: DZD 2,501")
		h.SeeAny(apptest.Sam, "sold fewer than you asked for")
		for _, words := range []string{"Paid: 3", "charged another price", "somebody else uses the key"} {
			if h.Has(apptest.Sam, words) {
				t.Errorf("%q is told\n%s", words, h.Transcript(apptest.Sam))
			}
		}
	})
}

// twoInOne is a service that puts two units into one order, which names what both cost.
func twoInOne() *apptest.OddService {
	return &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		switch {
		case a.Is("POST", "/products/purchase/"):
			a.Document(func(d map[string]any) {
				data := d["data"].(map[string]any)
				data["order_ids"], data["count"] = data["order_ids"].([]any)[:1], 2
			})
		case a.Is("POST", "/products/orders/retrieve"), a.Is("GET", "/products/order/"):
			a.Orders(func(o map[string]any) {
				o["price"] = json.Number("2501")
				if o["key"] != nil {
					o["key"] = []any{"AAAA-1111", "BBBB-2222"}
				}
			})
		}
	}}
}

// TestTwoUnitsInOneOrder: the service puts two units into one order, which names what both cost. Nothing is missing.
func TestTwoUnitsInOneOrder(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Oddly(apptest.Stock, twoInOne()), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "2")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Hour)
		h.SeeAny(apptest.Sam, "BBBB-2222")
		if h.Has(apptest.Sam, "not found") || h.Has(apptest.Sam, "another price") {
			t.Errorf("an order is missed\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestTwoCodesInOneLine: the one order that the service names costs what a unit does, and both codes stand in one line of it. None is
// called missing: people are asked to count.
func TestTwoCodesInOneLine(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	odd := twoInOne()
	twice := odd.Rewrite
	odd.Rewrite = func(a *apptest.OddAnswer) {
		twice(a)
		a.Orders(func(o map[string]any) {
			o["price"] = json.Number("1250.5")
			if o["key"] != nil {
				o["key"] = "AAAA-1111, BBBB-2222"
			}
		})
	}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "2")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Hour)
		says(h, []string{"AAAA-1111, BBBB-2222", "count them"}, "missing here")
	})
}

// TestTwoUnitsInOneOrderFail: an order of two units fails, and the price of both comes back: that is its refund, and nothing else.
func TestTwoUnitsInOneOrderFail(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Oddly(apptest.Stock, twoInOne()), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "2")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Minute)
		for _, o := range h.Service.Orders() {
			h.Must(h.Service.Fail(o.ID, ""))
			h.Must(h.Service.Refund(o.ID))
		}
		h.Pass(2 * time.Hour)
		says(h, []string{"The balance rose by DZD 2,501, what it cost"}, "not seen")
	})
}

// TestPriceSettledLate: the service settles the price of what is delivered by hand when it is done: hours after the purchase
// the order names it, and the difference goes. Both figures are told, and nobody is accused.
func TestPriceSettledLate(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	for name, after := range sampletest.SomeNamed(1, map[string]time.Duration{"after minutes": 20 * time.Minute, "after hours": 3 * time.Hour}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			odd := &apptest.OddService{}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				id := held(h, 1)[0]
				h.Pass(after)
				h.Order(apptest.Sam, "Play Card", "25 USD", "1") // whose reading lets what was seen long ago be forgotten
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Minute)
				odd.Change(func(a *apptest.OddAnswer) {
					if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") {
						a.Orders(func(o map[string]any) {
							if o["order_id"] == id {
								o["price"] = json.Number("1300.50")
							}
						})
					}
				})
				h.Must(h.Service.Complete(id, "", ""))
				h.Pass(5 * time.Minute)
				h.Service.Deposit(apptest.TestKey, "-50")
				h.Say(apptest.Sam, "/balance")
				h.Pass(5 * time.Minute)
				h.SeeAny(apptest.Sam, "shown DZD 1,250.50, charged DZD 1,300.50")
				if h.Has(apptest.Sam, "somebody else uses the key") {
					t.Errorf("somebody is accused of what the order says it cost\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestPriceBesideAnother: the order names another price than was shown, and somebody buys with the account in the same moment: no
// reading shows the price by itself. Both figures are told, once.
func TestPriceBesideAnother(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") {
			a.Orders(func(o map[string]any) { o["price"] = json.Number("1900") })
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Telegram.TapButton(apptest.Sam, apptest.Sam, "✅")
		h.Pass(300 * time.Millisecond)
		h.Service.Deposit(apptest.TestKey, "-1869.50") // the rest of that price, and somebody's purchase
		h.Pass(50 * time.Minute)
		if h.Has(apptest.Sam, "names another price") {
			t.Errorf("it is told while a reading may still show it\n%s", h.Transcript(apptest.Sam))
		}
		h.Pass(20 * time.Minute)
		h.SeeAny(apptest.Sam, "shown DZD 1,250.50, named in the order DZD 1,900")
	})
}

// TestForeignDebitBesideAPriceOfTheWhole: each of two orders names what both cost, and as much again leaves the wallet: that
// is no price of theirs.
func TestForeignDebitBesideAPriceOfTheWhole(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
		if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") {
			a.Orders(func(o map[string]any) { o["price"] = json.Number("2501") })
		}
	}}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		held(h, 2)
		h.Pass(2 * time.Minute)
		h.Service.Deposit(apptest.TestKey, "-2501")
		h.Pass(30 * time.Minute)
		if h.Has(apptest.Sam, "another price") {
			t.Errorf("it is said to have cost twice as much\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestAKeyThatGrows: the one order of three units shows two of its codes, and the third a minute later. What lacks is told, and
// the third comes without anybody asking for it.
func TestAKeyThatGrows(t *testing.T) {
	t.Parallel()
	odd := &apptest.OddService{}
	shows := func(key string) {
		odd.Change(func(a *apptest.OddAnswer) {
			switch {
			case a.Is("POST", "/products/purchase/"):
				a.Document(func(d map[string]any) {
					data := d["data"].(map[string]any)
					data["order_ids"], data["count"] = data["order_ids"].([]any)[:1], 3
				})
			case a.Is("POST", "/products/orders/retrieve"), a.Is("GET", "/products/order/"):
				a.Orders(func(o map[string]any) {
					o["price"] = json.Number("3751.50")
					if o["key"] != nil {
						o["key"] = key
					}
				})
			}
		})
	}
	shows("AAAA-1111\nBBBB-2222")
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Minute)
		says(h, []string{"BBBB-2222", "named 1 of 3 orders", "ask its support if any is missing"}, "not found")
		shows("AAAA-1111\nBBBB-2222\nCCCC-3333")
		h.Pass(2 * time.Minute)
		says(h, []string{"AAAA-1111\nBBBB-2222\nCCCC-3333"}, "another code", "named 1 of 3 orders")
	})
}

// TestAnOrderOfAllUnitsIsWhole: an order that costs what all units do is not told as one of which others were not found, while its
// codes are waited for: neither where it names that price at once, nor where it names that of one unit before.
func TestAnOrderOfAllUnitsIsWhole(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"it names the price of all at once": false, "it names that of one before": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			odd := twoInOne()
			named := odd.Rewrite
			ofOne := func(a *apptest.OddAnswer) {
				if named(a); a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") {
					a.Orders(func(o map[string]any) { o["price"] = json.Number("1250.50") })
				}
			}
			if late {
				odd.Change(ofOne)
			}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Service.HoldOrders(true)
				h.Order(apptest.Sam, "Play Card", "10 USD", "2")
				h.Tap(apptest.Sam, "✅")
				h.Pass(5 * time.Minute)
				told := strings.Count(h.Transcript(apptest.Sam), "is missing here")
				odd.Change(named)
				h.Pass(5 * time.Minute)
				says(h, []string{"Bought"})
				// What support was to be asked stays in the chat; the order's own message takes it back.
				if now := strings.Count(h.Transcript(apptest.Sam), "is missing here"); now > max(told-1, 0) || late != (told > 0) {
					t.Errorf("told %d times, and now %d\n%s", told, now, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}
