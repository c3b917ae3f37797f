package main

import (
	"encoding/json"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// lacking takes the figure that can be spent out of an answer about the balance, or puts something else in its place.
func lacking(instead any) func(*oddAnswer) {
	return func(a *oddAnswer) {
		if !a.is("GET", "/balance") && !a.is("GET", "/account") {
			return
		}
		a.document(func(d map[string]any) {
			data, ok := d["data"].(map[string]any)
			switch {
			case !ok:
			case instead == nil:
				delete(data, "available_balance")
			default:
				data["available_balance"] = instead
			}
		})
	}
}

// pricedAt has every look at an order say that it cost so much.
func pricedAt(price string) func(*oddAnswer) {
	return func(a *oddAnswer) {
		if a.is("POST", "/products/orders/retrieve") || a.is("GET", "/products/order/") || a.is("GET", "/purchase-history") {
			a.orders(func(o map[string]any) { o["price"] = json.Number(price) })
		}
	}
}

// failed has the one order of a purchase fail.
func (h *house) failed() (id string) {
	h.t.Helper()
	id = h.held(1)[0]
	h.pass(time.Minute)
	h.shows(id, sim.Shown{Status: "failed"})
	return id
}

// says fails the test unless the chat holds all words, and says nothing of others.
func (h *house) says(words []string, never ...string) {
	h.t.Helper()
	for _, w := range words {
		if !h.has(sam, w) {
			h.t.Errorf("it does not say %q", w)
		}
	}
	for _, w := range never {
		if h.has(sam, w) {
			h.t.Errorf("it says %q", w)
		}
	}
	if h.t.Failed() {
		h.t.Logf("the chat:\n%s", h.transcript(sam))
	}
}

// TestLackingBalanceMovesNothing: an answer that lacks what can be spent shows the money of a failed order, which the
// service still holds. It is no refund, and what the next whole answer shows is no theft.
func TestLackingBalanceMovesNothing(t *testing.T) {
	t.Parallel()
	odd := &oddService{}
	prepare := func(h *house) { stock(h); h.service.SetWorld(sim.World{Holds: true}) }
	inHouse(t, oddly(prepare, odd), func(h *house) {
		h.link(sam)
		h.failed()
		h.pass(30 * time.Second)
		odd.change(lacking(nil))
		h.pass(30 * time.Second)
		odd.change(nil)
		h.pass(3 * time.Hour)
		h.says([]string{"was not seen in the balance"}, "The balance rose", "left the balance")
	})
}

// TestBalanceNeverWhole: where the balance never tells what can be spent, nobody says that money came back, nor that it
// did not. Once it does, the refund is looked for as ever.
func TestBalanceNeverWhole(t *testing.T) {
	t.Parallel()
	for name, instead := range map[string]any{"missing": nil, "of another form": "22 499,00"} {
		t.Run(name, func(t *testing.T) {
			odd := &oddService{rewrite: lacking(instead)}
			inHouse(t, oddly(stock, odd), func(h *house) {
				h.link(sam)
				h.failed()
				h.pass(time.Minute)
				h.service.Deposit(testKey, "1250.50")
				h.pass(time.Hour)
				h.says([]string{"I cannot tell whether DZD 1,250.50 came back", "Refund not visible: DZD 1,250.50"},
					"The balance rose", "did not see", "was not seen")
				odd.change(nil)
				h.pass(time.Hour)
				h.says([]string{"I cannot tell whether DZD 1,250.50 came back"}, "The balance rose", "was not seen") // it may be in the first whole answer
				h.service.Deposit(testKey, "1250.50")
				h.pass(time.Hour)
				h.says([]string{"The balance rose by DZD 1,250.50"}, "was not seen in the balance")
			})
		})
	}
}

// TestRefundOfWhatWasCharged: another price is charged than was shown, as the order says. It fails, and that price
// comes back; where it does not, support is told what it was.
func TestRefundOfWhatWasCharged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		more    string // than what was shown
		charged string
	}{"less": {"50", "1200.50"}, "more": {"-50", "1300.50"}} {
		for _, back := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				odd := &oddService{rewrite: pricedAt(c.charged)}
				inHouse(t, oddly(stock, odd), func(h *house) {
					h.link(sam)
					id := h.held(1)[0]
					h.service.Deposit(testKey, c.more)
					h.pass(3 * time.Minute)
					h.shows(id, sim.Shown{Status: "failed"})
					h.pass(20 * time.Second)
					charged := "DZD 1," + c.charged[1:]
					if !back {
						h.pass(time.Hour)
						h.says([]string{"The refund of " + charged + " was not seen", "Not refunded: " + charged}, "Not refunded: DZD 1,250.50")
						return
					}
					h.service.Deposit(testKey, c.charged)
					h.pass(time.Hour)
					h.says([]string{"The balance rose by " + charged}, "did not see", "was not seen")
				})
			})
		}
	}
}

// TestRefundOfWhatWasChargedHidesNothing: what was charged for a failed order comes back in the moment in which the
// next purchase, of that price, is refused though it was executed. Somebody is asked about that one.
func TestRefundOfWhatWasChargedHidesNothing(t *testing.T) {
	t.Parallel()
	odd := &oddService{rewrite: pricedAt("1300.50")}
	inHouse(t, oddly(stock, odd), func(h *house) {
		h.link(sam)
		id := h.held(1)[0]
		h.service.Deposit(testKey, "-50")
		h.pass(3 * time.Minute)
		h.shows(id, sim.Shown{Status: "failed"})
		h.pass(2 * time.Minute)
		h.service.SetPrice(101, "1300.50")
		h.pass(10 * time.Minute)
		h.service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Times: 1, Kind: sim.ErrorDone, Status: 400, Message: "Product out of stock"})
		h.order(sam, "Play Card", "10 USD", "1")
		_, err := h.telegram.TapButton(sam, sam, "✅")
		h.must(err)
		for range 100 {
			if h.pass(50 * time.Millisecond); len(h.service.Purchases()) == 2 {
				break
			}
		}
		h.service.Deposit(testKey, "1300.50")
		h.pass(3 * time.Hour)
		h.says([]string{"may have been bought after all"}, "left the balance")
	})
}

// TestRefundIsInWhatCame: a refund that comes in parts, with more, or together with money that was added is told as
// likely, with what came; less than what was paid is none.
func TestRefundIsInWhatCame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parts []string
		came  string // "" where it is not the refund
	}{
		"in parts":      {[]string{"1000", "251"}, "DZD 1,251"},
		"in exact ones": {[]string{"1000", "250.50"}, "DZD 1,250.50"}, // as the refund and an older reading would look
		"more":          {[]string{"1251"}, "DZD 1,251"},
		"with a top-up": {[]string{"6250.50"}, "DZD 6,250.50"},
		"less":          {[]string{"1240"}, ""},
	} {
		for when, pause := range map[string]time.Duration{"in time": 2 * time.Minute, "late": 20 * time.Minute} {
			t.Run(name+" "+when, func(t *testing.T) {
				inHouse(t, stock, func(h *house) {
					h.link(sam)
					h.failed()
					h.pass(pause)
					for _, part := range c.parts {
						h.service.Deposit(testKey, part)
						h.pass(pause)
					}
					h.pass(40 * time.Minute)
					if c.came != "" && when == "in time" {
						h.says(nil, "I did not see", "was not seen")
					}
					h.pass(time.Hour)
					if c.came == "" {
						h.says([]string{"was not seen in the balance"}, "came to the balance")
						return
					}
					h.says([]string{c.came + " came to the balance", "it cost DZD 1,250.50"}, "was not seen in the balance", "left the balance")
				})
			})
		}
	}
}

// TestRefundsShareWhatCame: what came is the refund of as many failed orders as it pays for.
func TestRefundsShareWhatCame(t *testing.T) {
	t.Parallel()
	for came, want := range map[string]string{"11250.50": "it cost DZD 2,501", "2000": "it cost DZD 1,250.50"} {
		t.Run(came, func(t *testing.T) {
			inHouse(t, stock, func(h *house) {
				h.link(sam)
				for _, id := range h.held(2) {
					h.shows(id, sim.Shown{Status: "failed"})
				}
				h.pass(20 * time.Minute)
				h.service.Deposit(testKey, came)
				h.pass(time.Hour)
				h.says([]string{want})
				if missing := h.has(sam, "The refund of DZD 1,250.50 was not seen"); missing != (came == "2000") {
					t.Errorf("one is missing: %v\n%s", missing, h.transcript(sam))
				}
			})
		})
	}
}

// TestRefundInWhatCameThenExactly: after money that may be the refund, exactly its amount comes. It is the refund
// rather than that, and no reason for anything else.
func TestRefundInWhatCameThenExactly(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.failed()
		h.service.Deposit(testKey, "5000")
		h.pass(30 * time.Minute)
		h.says([]string{"DZD 5,000 came to the balance"})
		h.service.Deposit(testKey, "1250.50")
		h.pass(30 * time.Minute)
		h.says([]string{"The balance rose by DZD 1,250.50, what it cost"}, "DZD 5,000 came")
	})
}

// TestRefundAfterDays: a refund is looked for as long as its order is followed, and no message says that it is for
// longer.
func TestRefundAfterDays(t *testing.T) {
	t.Parallel()
	for name, day := range map[string]int{"one": 1, "six": 6, "none": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inHouse(t, stock, func(h *house) {
				h.link(sam)
				h.failed()
				h.pass(20 * time.Minute)
				h.says([]string{"It is still being looked for"})
				if day == 0 {
					h.sleep(7 * 24 * time.Hour)
					h.pass(time.Hour)
					h.says([]string{"was not seen within 7 days, and is looked for no more"}, "still being looked for")
					return
				}
				h.sleep(time.Duration(day) * 24 * time.Hour)
				h.pass(time.Hour)
				h.service.Deposit(testKey, "1250.50")
				h.pass(time.Hour)
				h.says([]string{"The balance rose by DZD 1,250.50"}, "still being looked for", "looked for no more")
			})
		})
	}
}
