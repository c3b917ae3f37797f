package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

const legacyTestKey = "KEY-canary-legacy-3c7d"

// everything fills a service of a mode with goods of every family, and with an account that only knows
// the Legacy interface.
func everything(o sim.Options) func(*house) {
	return func(h *house) {
		o.Seed = 7
		h.service = sim.New(o)
		h.service.DemoCatalogue()
		h.must(h.service.AddAccount(sim.AccountSpec{Key: testKey, Name: "Boutique El Djazair", Email: "shop@example.com", UserID: 4101, Balance: "25000", Held: "1000"}))
		h.must(h.service.AddAccount(sim.AccountSpec{Key: legacyTestKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "25000"}))
	}
}

// linkLegacy links the account of the older interface, which tells no name.
func (h *house) linkLegacy(user int64) {
	h.t.Helper()
	h.say(user, "/start")
	h.say(user, "/key "+legacyTestKey)
	h.seeAny(user, "25,000")
}

// wallet is what the wallet of a key truly holds.
func (h *house) wallet(key, want string) {
	h.t.Helper()
	if got := h.service.Balance(key).String(); got != want {
		h.t.Errorf("the wallet holds %s, want %s", got, want)
	}
}

// happened fails the test unless exactly n purchases truly happened.
func (h *house) happened(n int) []sim.Purchase {
	h.t.Helper()
	all := h.service.Purchases()
	if len(all) != n {
		h.t.Fatalf("%d purchases happened, want %d\n%s", len(all), n, h.transcript(sam))
	}
	return all
}

// TestArenaTopup: plan, player, check, summary with the name, and an end without a code.
func TestArenaTopup(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{Mode: sim.Both}), func(h *house) {
		h.link(sam)
		h.say(sam, "/topup")
		h.tap(sam, "Arena")
		h.tap(sam, "583 gems")
		h.say(sam, "12345")
		h.see(sam, "expected form")
		h.say(sam, "0123456789")
		h.see(sam, "does not know this ID")
		h.say(sam, "١٢٣٤٥٦٧٨٩٠")
		summary := h.see(sam, "Please check")
		if !strings.Contains(plain(summary.Text), "👤") || !strings.Contains(plain(summary.Text), "1234567890") {
			t.Errorf("the summary does not tell who gets it: %s", summary.Text)
		}
		h.tap(sam, "✅")
		h.seeAny(sam, "Topped up")
		h.see(sam, "topped up, see above")
		p := h.happened(1)[0]
		if p.PlanID != "ARENA-583" || p.Player != "1234567890" {
			t.Errorf("the purchase was %+v", p)
		}
		h.wallet(testKey, "23689.5")

		// The same for the same player is asked about once more; the player is on a button.
		h.say(sam, "/topup")
		h.tap(sam, "Arena")
		h.tap(sam, "583 gems")
		h.tap(sam, "1234567890")
		h.see(sam, "bought for the same ID")
		h.tap(sam, "once more")
		h.see(sam, "Please check")
		h.tap(sam, "✖️")
		h.happened(1)
	})
}

// lateBalance is how late the balance of an account may be that is new here. Money that was taken and given back
// before anybody looked is told apart from money that was never taken once it is over.
const lateBalance = 16 * time.Minute

// TestArenaTopupFails: the failure is told with the balance, and that the money is there once that is known. Nobody
// has seen it go and come back, so that it is not called a refund.
func TestArenaTopupFails(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{Mode: sim.Both}), func(h *house) {
		h.link(sam)
		h.say(sam, "/topup")
		h.tap(sam, "Arena")
		h.tap(sam, "Unlucky gems")
		h.say(sam, "1234567890")
		h.tap(sam, "✅")
		h.seeAny(sam, "order failed")
		h.pass(lateBalance)
		h.seeAny(sam, "DZD 100 is there: the balance is what it was before")
		h.wallet(testKey, "25000")
		h.see(sam, "failed, see above")
		h.say(sam, "/balance")
		h.tap(sam, "Movements")
		list := plain(h.see(sam, "Movements").Text)
		if !strings.Contains(list, "DZD +100") || !strings.Contains(list, "DZD −100") {
			t.Errorf("the movements are %s", list)
		}
	})
}

// TestBattleRoyaleTopup: a catalogue product whose player has a check and a status of its own.
func TestBattleRoyaleTopup(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{}), func(h *house) {
		h.link(sam)
		h.say(sam, "/topup")
		h.tap(sam, "Battle Royale Coins")
		h.tap(sam, "60 coins")
		h.tap(sam, "1")
		h.say(sam, "7654321")
		h.see(sam, "👤")
		h.tap(sam, "✅")
		h.seeAny(sam, "Topped up")
		h.happened(1)
		r := h.service.Requests()
		if r["POST /battleroyale/check-player"] != 1 || r["GET /battleroyale/status/{orderId}"] == 0 {
			t.Errorf("the service was asked %v", r)
		}
		h.say(sam, "/orders")
		h.tap(sam, "History")
		h.tap(sam, "Battle Royale")
		h.see(sam, "60 coins")
	})
}

// TestCatalogueTopup: the inputs are verified; what cannot be confirmed needs a second look.
func TestCatalogueTopup(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		everything(sim.Options{})(h)
		h.service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Name: "Amine", Region: "MENA"})
		h.service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "222222", Status: "invalid"})
		h.service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "333333", Status: "unknown"})
	}, func(h *house) {
		h.link(sam)
		start := func(player string) {
			h.say(sam, "/topup")
			h.tap(sam, "Hero Crystals")
			h.tap(sam, "300 crystals")
			h.tap(sam, "1")
			h.say(sam, player)
		}
		start("222222")
		h.tap(sam, "MENA")
		h.see(sam, "does not know this ID")
		start("333333")
		h.tap(sam, "MENA")
		h.see(sam, "cannot confirm this ID")
		if slices.ContainsFunc(h.see(sam, "").Keyboard, func(row []tgsim.Button) bool { return strings.HasPrefix(row[0].Text, "✅") }) {
			t.Error("there is a ✅ before the second look")
		}
		h.tap(sam, "go on")
		h.see(sam, "could not confirm")
		h.tap(sam, "✖️")
		start("111111")
		h.tap(sam, "MENA")
		if s := plain(h.see(sam, "Please check").Text); !strings.Contains(s, "Amine") {
			t.Errorf("the summary is %s", s)
		}
		h.tap(sam, "✅")
		h.seeAny(sam, "Topped up")
		h.happened(1)

		// The same id is somebody else now.
		h.service.AddPlayer(sim.PlayerSpec{Game: "14", ID: "111111", Name: "Riad", Region: "Europe"})
		h.pass(11 * time.Minute)
		start("111111")
		h.tap(sam, "MENA")
		if s := plain(h.see(sam, "Please check").Text); !strings.Contains(s, "🔴") || !strings.Contains(s, "Amine MENA") {
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
		"down":    {sim.Fault{Kind: sim.Status, Status: 502}, "does not answer as it should"},
		"garbage": {sim.Fault{Kind: sim.Garbage}, ""},
		"limited": {sim.Fault{Kind: sim.RateLimit, Delay: 30 * time.Second}, "busy"},
	} {
		t.Run(name, func(t *testing.T) {
			inHouse(t, everything(sim.Options{}), func(h *house) {
				h.link(sam)
				h.say(sam, "/topup")
				h.tap(sam, "Battle Royale Coins")
				h.tap(sam, "60 coins")
				h.tap(sam, "1")
				c.fault.Operation, c.fault.Times = "POST /battleroyale/check-player", 1
				h.service.Inject(c.fault)
				h.say(sam, "7654321")
				m := h.see(sam, "")
				if !strings.Contains(plain(m.Text), "Nothing was charged") && name != "garbage" {
					t.Errorf("the answer is %s", m.Text)
				}
				if c.says != "" && !strings.Contains(plain(m.Text), c.says) {
					t.Errorf("the answer is %s, want %q in it", m.Text, c.says)
				}
				h.pass(time.Minute)
				if name == "garbage" {
					h.tap(sam, "🔁")
				} else {
					h.tap(sam, "Try again")
				}
				h.see(sam, "Please check")
				h.happened(0)
			})
		})
	}
}

// TestSportsTVAndInternet: families whose orders, or numbers, have endpoints of their own.
func TestSportsTVAndInternet(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{}), func(h *house) {
		h.link(sam)
		h.say(sam, "/topup")
		h.tap(sam, "Sports TV")
		h.tap(sam, "1 month")
		h.tap(sam, "1")
		h.say(sam, "123456789012")
		h.see(sam, "Please check")
		h.tap(sam, "✅")
		h.wait(sam, "the subscription", func(all []tgsim.Message) (tgsim.Message, bool) {
			i := slices.IndexFunc(all, func(m tgsim.Message) bool { return m.FromBot && strings.Contains(m.Text, "Delivered") })
			return tgsim.Message{}, i >= 0
		})
		h.say(sam, "/topup")
		h.tap(sam, "Home Internet")
		h.tap(sam, "1000 DA")
		h.tap(sam, "1")
		h.tap(sam, "adsl")
		h.say(sam, "021234567")
		h.see(sam, "Please check")
		h.tap(sam, "✅")
		h.seeAny(sam, "Topped up")
		h.happened(2)
		r := h.service.Requests()
		if r["GET /sportstv/order/{orderId}"] == 0 || r["GET /internet/check-number/{type}/{number}"] != 1 {
			t.Errorf("the service was asked %v", r)
		}
	})
}

// TestLegacyAccount: the full bot against a service that speaks the older interface alone.
func TestLegacyAccount(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{Mode: sim.Legacy}), func(h *house) {
		h.linkLegacy(sam)
		h.order(sam, "Play Card", "5 USD", "2")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.wallet(legacyTestKey, "22499")

		h.say(sam, "/buy concierge")
		h.tap(sam, "1 card")
		h.tap(sam, "1")
		h.see(sam, "Delivered by people")
		h.tap(sam, "✅")
		h.seeAny(sam, "Bought")
		manual := h.service.Orders()[2]
		h.must(h.service.Fulfil(manual.ID, "MANUAL-CODE-1", "activate within a week"))
		h.pass(3 * time.Minute)
		if !slices.Contains(h.codes(sam), "MANUAL-CODE-1") {
			t.Errorf("the manual code was not delivered:\n%s", h.transcript(sam))
		}
		h.seeAny(sam, "activate within a week")

		h.say(sam, "/topup")
		h.tap(sam, "Arena")
		h.tap(sam, "110 gems")
		h.say(sam, "1234567890")
		h.tap(sam, "✅")
		h.seeAny(sam, "Topped up")

		h.say(sam, "/stock")
		h.see(sam, "does not offer")
		h.say(sam, "/orders")
		h.tap(sam, "History")
		h.see(sam, "Play Card")
		h.tap(sam, "Arena")
		h.see(sam, "110 gems")
		h.say(sam, "/balance")
		h.see(sam, "Balance")
		h.happened(3)
		for op := range h.service.Requests() {
			if strings.Contains(op, "/products/order") || op == "GET /stock" {
				t.Errorf("a Legacy service was asked for %s", op)
			}
		}
	})
}

// TestLegacyManualOrderCanceled: its money comes back, and the words of whoever canceled are shown.
func TestLegacyManualOrderCanceled(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{Mode: sim.Legacy}), func(h *house) {
		h.linkLegacy(sam)
		h.say(sam, "/buy concierge")
		h.tap(sam, "1 card")
		h.tap(sam, "1")
		h.tap(sam, "✅")
		h.seeAny(sam, "Bought")
		h.must(h.service.CancelOrder(h.service.Orders()[0].ID, "supplier is out"))
		h.seeAny(sam, "supplier is out")
		h.pass(lateBalance)
		h.seeAny(sam, "The balance rose by DZD 3,300, what it cost")
		h.wallet(legacyTestKey, "25000")
	})
}

// TestGenerationIsKept: it is found out once, also by a restart, and found out anew when it stops
// fitting.
func TestGenerationIsKept(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{Mode: sim.Both}), func(h *house) {
		h.linkLegacy(sam)
		asked := h.service.Requests()["GET /account"]
		h.stop()
		h.start()
		h.say(sam, "/balance")
		h.see(sam, "Balance")
		h.say(sam, "/buy play")
		h.see(sam, "Play Card")
		if now := h.service.Requests()["GET /account"]; now > asked+1 {
			t.Errorf("GET /account was asked %d times after the restart", now-asked)
		}
	})
}

// TestStock: the allocations, and the allocation that a variant is bought from.
func TestStock(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{}), func(h *house) {
		h.link(sam)
		h.say(sam, "/stock")
		if s := plain(h.see(sam, "Carte Cadeau").Text); !strings.Contains(s, "3 left of 10, 7 used") {
			t.Errorf("the stock is %s", s)
		}
		h.say(sam, "/balance")
		if s := plain(h.see(sam, "Balance").Text); !strings.Contains(s, "shop@example.com") || !strings.Contains(s, "24,000") {
			t.Errorf("the balance is %s", s)
		}
	})
}

// TestLostTopupIsUnknown: an answer that proves nothing is said to be that, and nothing is sent again.
func TestLostTopupIsUnknown(t *testing.T) {
	t.Parallel()
	inHouse(t, everything(sim.Options{Mode: sim.Both}), func(h *house) {
		h.link(sam)
		h.say(sam, "/topup")
		h.tap(sam, "Arena")
		h.tap(sam, "110 gems")
		h.say(sam, "1234567890")
		h.service.Inject(sim.Fault{Operation: "POST /arena/topup", Times: 1, Kind: sim.LoseAnswer})
		h.tap(sam, "✅")
		h.seeAny(sam, "may or may not have gone through")
		h.pass(30 * time.Minute)
		h.happened(1)
		if n := h.service.Requests()["POST /arena/topup"]; n != 1 {
			t.Errorf("%d top-ups were sent", n)
		}
	})
}

// TestRefundThatNeverComes: after a quarter of an hour the chat gets what support will ask for.
func TestRefundThatNeverComes(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		h.service.AddProduct(sim.ProductSpec{ID: 10, Name: "Unlucky Box", Variants: []sim.VariantSpec{
			{ID: 101, Name: "1 box", Price: "500", InStock: 5, Delay: time.Second, Fails: true, RefundAfter: 2 * time.Hour}}})
	}, func(h *house) {
		h.link(sam)
		h.order(sam, "Unlucky Box", "1 box", "1")
		h.tap(sam, "✅")
		h.seeAny(sam, "The order failed")
		h.pass(10 * time.Minute)
		if strings.Contains(h.transcript(sam), "refund was not seen") {
			t.Error("a refund was called missing too soon")
		}
		h.pass(6 * time.Minute)
		block := plain(h.seeAny(sam, "A refund was not seen").Text)
		if !strings.Contains(block, h.service.Orders()[0].ID) || !strings.Contains(block, "Unlucky Box") {
			t.Errorf("support cannot work with %s", block)
		}
		h.pass(2 * time.Hour)
		h.seeAny(sam, "The balance rose by DZD 500, what it cost")
	})
}

// TestEveryOperationHasAFlow: what the service offers is all within reach of somebody who types and taps.
func TestEveryOperationHasAFlow(t *testing.T) {
	t.Parallel()
	reached := map[string]int{}
	visit := func(o sim.Options, link func(*house, int64), play func(*house)) {
		inHouse(t, everything(o), func(h *house) {
			link(h, sam)
			play(h)
			maps.Copy(reached, h.service.Requests())
		})
	}
	topup := func(h *house, product, variant string, inputs ...string) {
		h.say(sam, "/topup")
		h.tap(sam, product)
		h.tap(sam, variant)
		if product != "Arena" {
			h.tap(sam, "1")
		}
		for _, in := range inputs {
			h.say(sam, in)
		}
		h.tap(sam, "✅")
		h.pass(time.Minute)
	}
	look := func(h *house) {
		h.say(sam, "/stock")
		h.say(sam, "/balance")
		h.say(sam, "/orders")
		h.tap(sam, "History")
		h.tap(sam, "Battle Royale")
		h.tap(sam, "Arena")
	}
	visit(sim.Options{Mode: sim.Both}, (*house).link, func(h *house) {
		h.order(sam, "Play Card", "5 USD", "1")
		h.tap(sam, "✅")
		h.pass(time.Minute)
		topup(h, "Arena", "110 gems", "1234567890")
		topup(h, "Battle Royale", "60 coins", "7654321")
		topup(h, "Sports TV", "1 month", "123456789012")
		topup(h, "Home Internet", "1000 DA", "adsl", "021234567")
		topup(h, "Hero Crystals", "300 crystals", "654321", "MENA")
		look(h)
	})
	visit(sim.Options{Mode: sim.Legacy}, (*house).linkLegacy, func(h *house) {
		h.order(sam, "Play Card", "5 USD", "1")
		h.tap(sam, "✅")
		h.pass(time.Minute)
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
