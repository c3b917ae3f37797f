package notify_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// lacking takes the figure that can be spent out of an answer about the balance, or puts something else in its place.
func lacking(instead any) func(*apptest.OddAnswer) {
	return func(a *apptest.OddAnswer) {
		if !a.Is("GET", "/balance") && !a.Is("GET", "/account") {
			return
		}
		a.Document(func(d map[string]any) {
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
func pricedAt(price string) func(*apptest.OddAnswer) {
	return func(a *apptest.OddAnswer) {
		if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") || a.Is("GET", "/purchase-history") {
			a.Orders(func(o map[string]any) { o["price"] = json.Number(price) })
		}
	}
}

// failed has the one order of a purchase fail.
func failed(h *apptest.Harness) {
	h.T.Helper()
	id := held(h, 1)[0]
	h.Pass(time.Minute)
	shows(h, id, sim.Shown{Status: "failed"})
}

// says fails the test unless the chat holds all words, and says nothing of others.
func says(h *apptest.Harness, words []string, never ...string) {
	h.T.Helper()
	for _, w := range words {
		if !h.Has(apptest.Sam, w) {
			h.T.Errorf("it does not say %q", w)
		}
	}
	for _, w := range never {
		if h.Has(apptest.Sam, w) {
			h.T.Errorf("it says %q", w)
		}
	}
	if h.T.Failed() {
		h.T.Logf("the chat:\n%s", h.Transcript(apptest.Sam))
	}
}

// TestLackingBalanceMovesNothing: an answer that lacks what can be spent shows the money of a failed order, which the
// service still holds. It is no refund, and what the next whole answer shows is no theft.
func TestLackingBalanceMovesNothing(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	odd := &apptest.OddService{}
	prepare := func(h *apptest.Harness) { apptest.Stock(h); h.Service.SetWorld(sim.World{Holds: true}) }
	apptest.Run(t, apptest.Oddly(prepare, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		failed(h)
		h.Pass(30 * time.Second)
		odd.Change(lacking(nil))
		h.Pass(30 * time.Second)
		odd.Change(nil)
		h.Pass(3 * time.Hour)
		says(h, []string{"was not seen in the balance"}, "The balance rose", "left the balance")
	})
}

// TestBalanceNeverWhole: where the balance never tells what can be spent, nobody says that money came back, nor that it
// did not. Once it does, the refund is looked for as ever.
func TestBalanceNeverWhole(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	for name, instead := range sampletest.SomeNamed(1, map[string]any{"missing": nil, "of another form": "22 499,00"}) {
		t.Run(name, func(t *testing.T) {
			odd := &apptest.OddService{Rewrite: lacking(instead)}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				failed(h)
				h.Pass(time.Minute)
				h.Service.Deposit(apptest.TestKey, "1250.50")
				h.Pass(time.Hour)
				says(h, []string{"I cannot tell whether DZD 1,250.50 came back", "Refund not visible: DZD 1,250.50"},
					"The balance rose", "did not see", "was not seen")
				odd.Change(nil)
				h.Pass(time.Hour)
				says(h, []string{"I cannot tell whether DZD 1,250.50 came back"}, "The balance rose", "was not seen") // it may be in the first whole answer
				h.Service.Deposit(apptest.TestKey, "1250.50")
				h.Pass(time.Hour)
				says(h, []string{"The balance rose by DZD 1,250.50"}, "was not seen in the balance")
			})
		})
	}
}

// TestRefundOfWhatWasCharged: another price is charged than was shown, as the order says. It fails, and that price
// comes back; where it does not, support is told what it was.
func TestRefundOfWhatWasCharged(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	for name, c := range sampletest.SomeNamed(2, map[string]struct {
		more    string // than what was shown
		charged string
	}{"less": {"50", "1200.50"}, "more": {"-50", "1300.50"}}) {
		for _, back := range sampletest.Some(1, []bool{true, false}) {
			t.Run(name, func(t *testing.T) {
				odd := &apptest.OddService{Rewrite: pricedAt(c.charged)}
				apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
					h.Link(apptest.Sam)
					id := held(h, 1)[0]
					h.Service.Deposit(apptest.TestKey, c.more)
					h.Pass(3 * time.Minute)
					shows(h, id, sim.Shown{Status: "failed"})
					h.Pass(20 * time.Second)
					charged := "DZD 1," + c.charged[1:]
					if !back {
						h.Pass(time.Hour)
						says(h, []string{"The refund of " + charged + " was not seen", "Not refunded: " + charged}, "Not refunded: DZD 1,250.50")
						return
					}
					h.Service.Deposit(apptest.TestKey, c.charged)
					h.Pass(time.Hour)
					says(h, []string{"The balance rose by " + charged}, "did not see", "was not seen")
				})
			})
		}
	}
}

// TestRefundOfWhatWasChargedHidesNothing: what was charged for a failed order comes back in the moment in which the
// next purchase, of that price, is refused though it was executed. Somebody is asked about that one.
func TestRefundOfWhatWasChargedHidesNothing(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	odd := &apptest.OddService{Rewrite: pricedAt("1300.50")}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		id := held(h, 1)[0]
		h.Service.Deposit(apptest.TestKey, "-50")
		h.Pass(3 * time.Minute)
		shows(h, id, sim.Shown{Status: "failed"})
		h.Pass(2 * time.Minute)
		h.Service.SetPrice(101, "1300.50")
		h.Pass(10 * time.Minute)
		h.Service.Inject(sim.Fault{Operation: "POST /products/purchase/{variantId}", Times: 1, Kind: sim.ErrorDone, Status: 400, Message: "Product out of stock"})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		_, err := h.Telegram.TapButton(apptest.Sam, apptest.Sam, "✅")
		h.Must(err)
		for range 100 {
			if h.Pass(50 * time.Millisecond); len(h.Service.Purchases()) == 2 {
				break
			}
		}
		h.Service.Deposit(apptest.TestKey, "1300.50")
		h.Pass(3 * time.Hour)
		says(h, []string{"may have been bought after all"}, "left the balance")
	})
}

// TestRefundIsInWhatCame: a refund that comes in parts, with more, or together with money that was added is told as
// likely, with what came; less than what was paid is none.
func TestRefundIsInWhatCame(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	const inTime, late = 2 * time.Minute, 20 * time.Minute
	for i, c := range []struct {
		name  string
		parts []string
		came  string // "" where it is not the refund
	}{
		{"in parts", []string{"1000", "251"}, "DZD 1,251"},
		{"in exact ones", []string{"1000", "250.50"}, "DZD 1,250.50"}, // as the refund and an older reading would look
		{"more", []string{"1251"}, "DZD 1,251"},
		{"with a top-up", []string{"6250.50"}, "DZD 6,250.50"},
		{"less", []string{"1240"}, ""},
	} {
		for j, pause := range []time.Duration{inTime, late} {
			if !sampletest.Plays(i+j, 2) {
				continue
			}
			t.Run(fmt.Sprintf("%s after %v", c.name, pause), func(t *testing.T) {
				apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
					h.Link(apptest.Sam)
					h.Pass(apptest.Alarmed) // of a new account, a rise may be a reading from before the first
					failed(h)
					h.Pass(pause)
					for _, part := range c.parts {
						h.Service.Deposit(apptest.TestKey, part)
						h.Pass(pause)
					}
					h.Pass(40 * time.Minute)
					if c.came != "" && pause == inTime {
						says(h, nil, "I did not see", "was not seen")
					}
					h.Pass(time.Hour)
					if c.came == "" {
						says(h, []string{"was not seen in the balance", "came to the balance: less than the DZD 1,250.50"}, "The refund is likely in that")
						return
					}
					says(h, []string{c.came + " came to the balance", "it cost DZD 1,250.50"}, "was not seen in the balance", "left the balance")
				})
			})
		}
	}
}

// TestRefundsShareWhatCame: what came is the refund of as many failed orders as it pays for.
func TestRefundsShareWhatCame(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	for came, want := range sampletest.SomeNamed(1, map[string]string{"11250.50": "it cost DZD 2,501", "2000": "it cost DZD 1,250.50"}) {
		t.Run(came, func(t *testing.T) {
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				for _, id := range held(h, 2) {
					shows(h, id, sim.Shown{Status: "failed"})
				}
				h.Pass(20 * time.Minute)
				h.Service.Deposit(apptest.TestKey, came)
				h.Pass(time.Hour)
				says(h, []string{want})
				if missing := h.Has(apptest.Sam, "The refund of DZD 1,250.50 was not seen"); missing != (came == "2000") {
					t.Errorf("one is missing: %v\n%s", missing, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestRefundInWhatCameThenExactly: after money that may be the refund, exactly its amount comes. It is the refund
// rather than that, and no reason for anything else.
func TestRefundInWhatCameThenExactly(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		failed(h)
		h.Service.Deposit(apptest.TestKey, "5000")
		h.Pass(30 * time.Minute)
		says(h, []string{"DZD 5,000 came to the balance"})
		h.Service.Deposit(apptest.TestKey, "1250.50")
		h.Pass(30 * time.Minute)
		says(h, []string{"The balance rose by DZD 1,250.50, what it cost"}, "DZD 5,000 came")
	})
}

// TestRefundAfterDays: a refund is looked for as long as its order is followed, and no message says that it is for
// longer.
func TestRefundAfterDays(t *testing.T) {
	t.Parallel()
	for name, day := range sampletest.SomeNamed(2, map[string]int{"one": 1, "six": 6, "none": 0}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				failed(h)
				h.Pass(20 * time.Minute)
				says(h, []string{"I keep looking"})
				if day == 0 {
					h.Sleep(7 * 24 * time.Hour)
					h.Pass(time.Hour)
					says(h, []string{"was not seen within 7 days. I have stopped looking"}, "I keep looking")
					return
				}
				h.Sleep(time.Duration(day) * 24 * time.Hour)
				h.Pass(time.Hour)
				h.Service.Deposit(apptest.TestKey, "1250.50")
				h.Pass(time.Hour)
				says(h, []string{"The balance rose by DZD 1,250.50"}, "I keep looking", "I have stopped looking")
			})
		})
	}
}

// TestRefundedOnceForTwoFailures: an order fails and is refunded, is done after all without being charged again, and fails
// once more. Nothing is missing, and nothing is waited for.
func TestRefundedOnceForTwoFailures(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	oddly(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
		id := held(h, 1)[0]
		h.Pass(20 * time.Minute)
		shows(h, id, sim.Shown{Status: "failed"})
		h.Pass(time.Minute)
		h.Service.Deposit(apptest.TestKey, "1250.50")
		h.Pass(30 * time.Minute)
		says(h, []string{"The balance rose by DZD 1,250.50"})
		shows(h, id, sim.Shown{Status: "completed", Key: "CODE-1111-2222", Claim: "true"})
		h.Pass(80 * time.Minute)
		shows(h, id, sim.Shown{Status: "failed"})
		h.Pass(12 * time.Hour)
		says(h, []string{"DZD 1,250.50 is not missing from the balance"}, "was not seen", "did not see")
	})
}

// TestRefundLessAFee: less comes back than was charged. Both figures are told, and support is asked for the rest.
func TestRefundLessAFee(t *testing.T) {
	sampletest.Slow(t)
	oddly(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
		failed(h)
		h.Pass(2 * time.Minute)
		h.Service.Deposit(apptest.TestKey, "1200")
		h.Pass(time.Hour)
		says(h, []string{"DZD 1,200 came to the balance: less than the DZD 1,250.50", "I did not see"})
	})
}

// TestSupportIsNotNeededAnyMore: what was to be taken up with support has come: the note that asks for it says so.
func TestSupportIsNotNeededAnyMore(t *testing.T) {
	sampletest.Slow(t)
	oddly(t, apptest.Stock, func(h *apptest.Harness, _ *apptest.OddService) {
		failed(h)
		h.Pass(time.Hour)
		says(h, []string{"I did not see", "send this to the supplier's support"})
		h.Service.Deposit(apptest.TestKey, "1250.50")
		h.Pass(time.Hour)
		says(h, []string{"there is nothing left to ask", "The balance rose by DZD 1,250.50"}, "I did not see", "Not refunded")
	})
}

// TestRefundInPartsToANewAccount: what comes to an account that was linked minutes ago may be a reading from before the first
// one, so it stands unexplained for a while. Where more comes meanwhile, and all of it is just what was paid, that is said.
func TestRefundInPartsToANewAccount(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		failed(h)
		for _, part := range []string{"1000", "250.50"} {
			h.Pass(2 * time.Minute)
			h.Service.Deposit(apptest.TestKey, part)
		}
		h.Pass(2 * time.Hour)
		says(h, []string{"The balance rose by DZD 1,250.50, what it cost"}, "was not seen in the balance", "left the balance")
	})
}

// TestRefundIsOfItsTime: a refund that is known for one some time after it showed is noted as of when it showed: in the
// changes of the balance, and beside a purchase that was sent after it.
func TestRefundIsOfItsTime(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	for name, order := range sampletest.SomeNamed(1, map[string]int{"of one that waits": 3, "of one that was delivered": 0}) {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				follow(h)
				id := held(h, 1)[order]
				h.Pass(time.Minute)
				shows(h, id, sim.Shown{Status: "failed"})
				h.Pass(3 * time.Minute)
				h.Service.Deposit(apptest.TestKey, "1250.50")
				came := time.Now()
				h.Pass(2 * time.Minute)
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
				buys(h)
				h.Pass(30 * time.Minute)
				says(h, []string{"The balance rose by DZD 1,250.50", "our decision is needed"}, "this bot's other purchases and refunds")
				h.Say(apptest.Sam, "/balance")
				h.Tap(apptest.Sam, "Balance changes")
				known := h.See(apptest.Sam, "as much as a failed order cost").Text
				at, ok := "", false
				for i := range 3 { // the balance is read now and then
					at = came.Add(time.Duration(i) * time.Minute).In(time.FixedZone("", 3600)).Format("2 Jan 15:04")
					ok = ok || strings.Contains(apptest.Plain(known), at+" · balance DZD 21,248.50")
				}
				if !ok {
					t.Errorf("it is not of %v:\n%s", at, known)
				}
			})
		})
	}
}
