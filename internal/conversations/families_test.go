package conversations_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// wallet is what the wallet of a key truly holds.
func wallet(h *apptest.Harness, key, want string) {
	h.T.Helper()
	if got := h.Service.Balance(key).String(); got != want {
		h.T.Errorf("the wallet holds %s, want %s", got, want)
	}
}

// TestArenaTopup: plan, player, check, summary with the name, and an end without a code.
func TestArenaTopup(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "583 gems")
		h.Say(apptest.Sam, "12345")
		h.See(apptest.Sam, "expected form")
		h.Say(apptest.Sam, "0123456789")
		h.See(apptest.Sam, "This ID was not found")
		h.Say(apptest.Sam, "١٢٣٤٥٦٧٨٩٠")
		summary := h.See(apptest.Sam, "Check before buying")
		if !strings.Contains(apptest.Plain(summary.Text), "👤") || !strings.Contains(apptest.Plain(summary.Text), "1234567890") {
			t.Errorf("the summary does not tell who gets it: %s", summary.Text)
		}
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Topped up")
		h.See(apptest.Sam, "topped up, see above")
		p := h.Happened(1)[0]
		if p.PlanID != "ARENA-583" || p.Player != "1234567890" {
			t.Errorf("the purchase was %+v", p)
		}
		wallet(h, apptest.TestKey, "23689.5")

		// The same for the same player is asked about once more; the player is on a button.
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "583 gems")
		h.Tap(apptest.Sam, "1234567890")
		h.See(apptest.Sam, "bought for the same ID")
		h.Tap(apptest.Sam, "once more")
		h.See(apptest.Sam, "Check before buying")
		h.Tap(apptest.Sam, "✖️")
		h.Happened(1)
	})
}

// lateBalance is how late the balance of an account may be that is new here. Money that was taken and given back
// before anybody looked is told apart from money that was never taken once it is over.
const lateBalance = 16 * time.Minute

// TestArenaTopupFails: the failure is told with the balance, and that the money is there once that is known. Nobody
// has seen it go and come back, so that it is not called a refund.
func TestArenaTopupFails(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "Unlucky gems")
		h.Say(apptest.Sam, "1234567890")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "order failed")
		h.Pass(lateBalance)
		h.SeeAny(apptest.Sam, "DZD 100 is not missing from the balance")
		wallet(h, apptest.TestKey, "25000")
		h.See(apptest.Sam, "failed. What is known of its money is above")
		h.Say(apptest.Sam, "/balance")
		h.Tap(apptest.Sam, "Balance changes")
		list := apptest.Plain(h.See(apptest.Sam, "Balance changes").Text)
		if !strings.Contains(list, "DZD +100") || !strings.Contains(list, "DZD −100") {
			t.Errorf("the movements are %s", list)
		}
	})
}

// TestBattleRoyaleTopup: a catalogue product whose player has a check and a status of its own.
func TestBattleRoyaleTopup(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Battle Royale Coins")
		h.Tap(apptest.Sam, "60 coins")
		h.Tap(apptest.Sam, "1")
		h.Say(apptest.Sam, "7654321")
		h.See(apptest.Sam, "👤")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Topped up")
		h.Happened(1)
		r := h.Service.Requests()
		if r["POST /battleroyale/check-player"] != 1 || r["GET /battleroyale/status/{orderId}"] == 0 {
			t.Errorf("the service was asked %v", r)
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "Supplier history")
		h.Tap(apptest.Sam, "Battle Royale")
		h.See(apptest.Sam, "60 coins")
	})
}

// TestCatalogueTopup: the inputs are verified; what cannot be confirmed needs a second look.
func TestCatalogueTopup(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Everything(sim.Options{})(h)
		h.Service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Name: "Amine", Region: "MENA"})
		h.Service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "222222", Status: "invalid"})
		h.Service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "333333", Status: "unknown"})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		start := func(player string) {
			h.Say(apptest.Sam, "/topup")
			h.Tap(apptest.Sam, "Hero Crystals")
			h.Tap(apptest.Sam, "300 crystals")
			h.Tap(apptest.Sam, "1")
			h.Say(apptest.Sam, player)
		}
		start("222222")
		h.Tap(apptest.Sam, "MENA")
		h.See(apptest.Sam, "This ID was not found")
		start("333333")
		h.Tap(apptest.Sam, "MENA")
		h.See(apptest.Sam, "cannot confirm this ID")
		if slices.ContainsFunc(h.See(apptest.Sam, "").Keyboard, func(row []tgsim.Button) bool { return strings.HasPrefix(row[0].Text, "✅") }) {
			t.Error("there is a ✅ before the second look")
		}
		h.Tap(apptest.Sam, "go on")
		h.See(apptest.Sam, "could not confirm")
		h.Tap(apptest.Sam, "✖️")
		start("111111")
		h.Tap(apptest.Sam, "MENA")
		if s := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(s, "Amine") {
			t.Errorf("the summary is %s", s)
		}
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Topped up")
		h.Happened(1)

		// The same id is somebody else now.
		h.Service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Name: "Riad", Region: "Europe"})
		h.Pass(11 * time.Minute)
		start("111111")
		h.Tap(apptest.Sam, "MENA")
		if s := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(s, "🔴") || !strings.Contains(s, "Amine MENA") {
			t.Errorf("the summary does not warn: %s", s)
		}
	})
}

// TestCheckTroubles: a check that cannot be made costs nothing, and can be tried again.
func TestCheckTroubles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault sim.Fault
		says  string
	}{
		"down":    {sim.Fault{Kind: sim.Status, Status: 502}, "does not answer properly"},
		"garbage": {sim.Fault{Kind: sim.Garbage}, ""},
		"limited": {sim.Fault{Kind: sim.RateLimit, Delay: 30 * time.Second}, "busy"},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/topup")
				h.Tap(apptest.Sam, "Battle Royale Coins")
				h.Tap(apptest.Sam, "60 coins")
				h.Tap(apptest.Sam, "1")
				c.fault.Operation, c.fault.Times = "POST /battleroyale/check-player", 1
				if name == "down" {
					c.fault.Times = 2 // the first is waited for
				}
				h.Service.Inject(c.fault)
				h.Say(apptest.Sam, "7654321")
				h.Pass(2 * time.Second)
				m := h.See(apptest.Sam, "")
				if !strings.Contains(apptest.Plain(m.Text), "could not be checked") && name != "garbage" {
					t.Errorf("the answer is %s", m.Text)
				}
				if c.says != "" && !strings.Contains(apptest.Plain(m.Text), c.says) {
					t.Errorf("the answer is %s, want %q in it", m.Text, c.says)
				}
				h.Pass(time.Minute)
				if name == "garbage" {
					h.Tap(apptest.Sam, "🔁")
				} else {
					h.Tap(apptest.Sam, "Try again")
				}
				h.See(apptest.Sam, "Check before buying")
				h.Happened(0)
			})
		})
	}
}

// TestSportsTVAndInternet: families whose orders, or numbers, have endpoints of their own.
func TestSportsTVAndInternet(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Sports TV")
		h.Tap(apptest.Sam, "1 month")
		h.Tap(apptest.Sam, "1")
		h.Say(apptest.Sam, "123456789012")
		h.See(apptest.Sam, "Check before buying")
		h.Tap(apptest.Sam, "✅")
		h.Wait(apptest.Sam, "the subscription", func(all []tgsim.Message) (tgsim.Message, bool) {
			i := slices.IndexFunc(all, func(m tgsim.Message) bool { return m.FromBot && strings.Contains(m.Text, "Delivered") })
			return tgsim.Message{}, i >= 0
		})
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Home Internet")
		h.Tap(apptest.Sam, "1000 DA")
		h.Tap(apptest.Sam, "1")
		h.Tap(apptest.Sam, "adsl")
		h.Say(apptest.Sam, "021234567")
		h.See(apptest.Sam, "Check before buying")
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam) // a voucher of it
		h.Happened(2)
		r := h.Service.Requests()
		if r["GET /sportstv/order/{orderId}"] == 0 || r["GET /internet/check-number/{type}/{number}"] != 1 {
			t.Errorf("the service was asked %v", r)
		}
	})
}

// TestLegacyAccount: the full bot against a service that speaks the older interface alone.
func TestLegacyAccount(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "5 USD", "2")
		h.SeeAny(apptest.Sam, "🔔") // else it is newer than what is asked for next
		wallet(h, apptest.LegacyTestKey, "22499")

		h.Say(apptest.Sam, "/buy concierge")
		h.Tap(apptest.Sam, "1 card")
		h.Tap(apptest.Sam, "1")
		h.See(apptest.Sam, "Delivered by hand")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Bought")
		manual := h.Service.Orders()[2]
		h.Must(h.Service.Fulfil(manual.ID, "MANUAL-CODE-1", "activate within a week"))
		h.Pass(3 * time.Minute)
		if !slices.Contains(h.Codes(apptest.Sam), "MANUAL-CODE-1") {
			t.Errorf("the manual code was not delivered:\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "activate within a week")

		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "110 gems")
		h.Say(apptest.Sam, "1234567890")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Topped up")

		h.Say(apptest.Sam, "/stock")
		h.See(apptest.Sam, "does not offer")
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "Supplier history")
		h.See(apptest.Sam, "Play Card")
		h.Tap(apptest.Sam, "Arena")
		h.See(apptest.Sam, "110 gems")
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "Balance")
		h.Happened(3)
		for op := range h.Service.Requests() {
			if strings.Contains(op, "/products/order") || op == "GET /stock" {
				t.Errorf("a Legacy service was asked for %s", op)
			}
		}
	})
}

// buyByHand has Sam buy what people deliver. It comes when the test says so.
func buyByHand(h *apptest.Harness) {
	h.T.Helper()
	h.Say(apptest.Sam, "/buy concierge")
	h.Tap(apptest.Sam, "1 card")
	h.Tap(apptest.Sam, "1")
	h.Tap(apptest.Sam, "✅")
	h.SeeAny(apptest.Sam, "Bought")
}

// TestNotesOfAManualOrder: what whoever delivers it writes is shown while it waits, and nobody is rung up for it.
func TestNotesOfAManualOrder(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		buyByHand(h)
		order := h.Service.Orders()[0].ID
		said := h.FromBot(apptest.Sam)
		h.Must(h.Service.Note(order, "we wait for the shop to open"))
		h.SeeAny(apptest.Sam, "we wait for the shop to open")
		if n := h.FromBot(apptest.Sam); n != said {
			t.Errorf("%d more messages", n-said)
		}
		h.Must(h.Service.Fulfil(order, "MANUAL-CODE-1", "done"))
		h.Delivered(apptest.Sam)
		h.SeeAny(apptest.Sam, "done")
	})
}

// TestLegacyManualOrderCanceled: its money comes back, and the words of whoever canceled are shown.
func TestLegacyManualOrderCanceled(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		buyByHand(h)
		h.Must(h.Service.CancelOrder(h.Service.Orders()[0].ID, "supplier is out"))
		h.SeeAny(apptest.Sam, "supplier is out")
		h.Pass(lateBalance)
		h.SeeAny(apptest.Sam, "The balance rose by DZD 3,300, what it cost")
		wallet(h, apptest.LegacyTestKey, "25000")
	})
}

// TestGenerationIsKept: it is found out once, also by a restart, and found out anew when it stops
// fitting.
func TestGenerationIsKept(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		asked := h.Service.Requests()["GET /account"]
		h.Stop()
		h.Start()
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "Balance")
		h.Say(apptest.Sam, "/buy play")
		h.See(apptest.Sam, "Play Card")
		if now := h.Service.Requests()["GET /account"]; now > asked+1 {
			t.Errorf("GET /account was asked %d times after the restart", now-asked)
		}
	})
}

// TestStock: the allocations, and the allocation that a variant is bought from.
func TestStock(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/stock")
		if s := apptest.Plain(h.See(apptest.Sam, "Carte Cadeau").Text); !strings.Contains(s, "Left: 3 of 10 · used: 7") {
			t.Errorf("the stock is %s", s)
		}
		h.Say(apptest.Sam, "/balance")
		if s := apptest.Plain(h.See(apptest.Sam, "Balance").Text); !strings.Contains(s, "shop@example.com") || !strings.Contains(s, "24,000") {
			t.Errorf("the balance is %s", s)
		}
	})
}

// TestLostTopupIsUnknown: an answer that proves nothing is said to be that, and nothing is sent again.
func TestLostTopupIsUnknown(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "110 gems")
		h.Say(apptest.Sam, "1234567890")
		h.Service.Inject(sim.Fault{Operation: "POST /arena/topup", Times: 1, Kind: sim.LoseAnswer})
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "may or may not have gone through")
		h.Pass(30 * time.Minute)
		h.Happened(1)
		if n := h.Service.Requests()["POST /arena/topup"]; n != 1 {
			t.Errorf("%d top-ups were sent", n)
		}
	})
}

// TestRefundThatNeverComes: after a quarter of an hour the chat gets what support will ask for.
func TestRefundThatNeverComes(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Unlucky Box", Variants: []sim.VariantSpec{
			{ID: 101, Name: "1 box", Price: "500", InStock: 5, Delay: time.Second, Fails: true, RefundAfter: 2 * time.Hour}}})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Unlucky Box", "1 box", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "The order failed")
		h.Pass(10 * time.Minute)
		if strings.Contains(h.Transcript(apptest.Sam), "I did not see") {
			t.Error("a refund was called missing too soon")
		}
		h.Pass(6 * time.Minute)
		block := apptest.Plain(h.SeeAny(apptest.Sam, "I did not see").Text)
		if !strings.Contains(block, h.Service.Orders()[0].ID) || !strings.Contains(block, "Unlucky Box") {
			t.Errorf("support cannot work with %s", block)
		}
		h.Pass(2 * time.Hour)
		h.SeeAny(apptest.Sam, "The balance rose by DZD 500, what it cost")
	})
}

// TestEveryOperationHasAFlow: what the service offers is all within reach of somebody who types and taps.
func TestEveryOperationHasAFlow(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	reached := map[string]int{}
	visit := func(o sim.Options, link func(*apptest.Harness, int64), play func(*apptest.Harness)) {
		apptest.Run(t, apptest.Everything(o), func(h *apptest.Harness) {
			link(h, apptest.Sam)
			play(h)
			maps.Copy(reached, h.Service.Requests())
		})
	}
	topup := func(h *apptest.Harness, product, variant string, inputs ...string) {
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, product)
		h.Tap(apptest.Sam, variant)
		if product != "Arena" {
			h.Tap(apptest.Sam, "1")
		}
		for _, in := range inputs {
			h.Say(apptest.Sam, in)
		}
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
	}
	look := func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/stock")
		h.Say(apptest.Sam, "/balance")
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "Supplier history")
		h.Tap(apptest.Sam, "Battle Royale")
		h.Tap(apptest.Sam, "Arena")
	}
	visit(sim.Options{Mode: sim.Both}, (*apptest.Harness).Link, func(h *apptest.Harness) {
		h.Order(apptest.Sam, "Play Card", "5 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		topup(h, "Arena", "110 gems", "1234567890")
		topup(h, "Battle Royale", "60 coins", "7654321")
		topup(h, "Sports TV", "1 month", "123456789012")
		topup(h, "Home Internet", "1000 DA", "adsl", "021234567")
		topup(h, "Hero Crystals", "300 crystals", "654321", "MENA")
		look(h)
	})
	visit(sim.Options{Mode: sim.Legacy}, (*apptest.Harness).LinkLegacy, func(h *apptest.Harness) {
		h.Order(apptest.Sam, "Play Card", "5 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		topup(h, "Arena", "110 gems", "1234567890")
		look(h)
	})
	// Two ways to follow one order: each service has one of them at least, and the other stands in for it.
	standIn := map[string]bool{"GET /products/order/{orderId}": true, "GET /arena/status/{trxId}": true}
	for _, route := range sim.Routes() {
		if reached[route] == 0 && !standIn[route] {
			t.Errorf("no flow reaches %s", route)
		}
	}
}
