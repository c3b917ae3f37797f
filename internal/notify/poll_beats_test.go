package notify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// looks is how many calls for orders the service has had.
func looks(h *apptest.Harness) int {
	r := h.Service.Requests()
	return r["POST /products/orders/retrieve"] + r["GET /products/order/{orderId}"] + r["GET /battleroyale/status/{orderId}"]
}

// buyTwo buys two cards in two purchases, and waits until both are accepted.
func buyTwo(h *apptest.Harness) {
	h.Link(apptest.Sam)
	for range 2 {
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Second)
	}
	h.Happened(2)
}

// TestBeatsAlone: where nothing is looked at between the beats, each of them looks at the orders, together, and nobody looks at any
// other moment, also after a restart.
func TestBeatsAlone(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Env["POLL_SCHEDULE"], h.Env["POLL_BETWEEN"] = "*/2 * * * *", "off"
	}, func(h *apptest.Harness) {
		buyTwo(h)
		h.Service.HoldOrders(true)
		toBeat := func() time.Duration { return time.Until(time.Now().Truncate(2 * time.Minute).Add(2 * time.Minute)) }
		h.Pass(toBeat() - time.Second)
		if n := looks(h); n != 0 {
			t.Fatalf("%d looks before the first beat", n)
		}
		h.Pass(2 * time.Second)
		if n := looks(h); n != 1 {
			t.Errorf("%d looks at the first beat, for two orders", n)
		}
		h.Delivered(apptest.Sam)

		h.Order(apptest.Sam, "Play Card", "25 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(5 * time.Second)
		was := looks(h)
		h.Sleep(10 * time.Second)
		for range 3 { // it is held: each beat finds it still on its way
			h.Pass(toBeat() - time.Second)
			if n := looks(h); n != was {
				t.Errorf("%d looks between beats", n-was)
			}
			h.Pass(2 * time.Second)
			if n := looks(h); n != was+1 {
				t.Errorf("%d looks at a beat", n-was)
			}
			was = looks(h)
		}
		h.Service.HoldOrders(false)
		h.Pass(toBeat() + time.Second)
		h.Delivered(apptest.Sam)
	})
}

// TestOnceAYear: the schedule is what polls. Between its beats the bot looks where a look is worth its call, unless it is
// told not to: then nobody looks.
func TestOnceAYear(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for between, seen := range sampletest.SomeNamed(1, map[string]bool{"on": true, "off": false}) {
		apptest.Run(t, func(h *apptest.Harness) {
			apptest.Stock(h)
			h.Env["POLL_SCHEDULE"], h.Env["POLL_BETWEEN"] = "0 0 1 6 *", between
		}, func(h *apptest.Harness) {
			buyTwo(h)
			h.Pass(10 * time.Minute)
			shown := slices.ContainsFunc(h.Service.Orders(), func(o sim.Order) bool { return slices.Contains(h.Codes(apptest.Sam), o.Code) })
			if n := looks(h); n > 0 != seen || shown != seen {
				t.Errorf("POLL_BETWEEN=%s: %d looks, codes shown: %v", between, n, shown)
			}
			h.Sleep(time.Minute)
			h.Pass(5 * time.Minute)
			if n := looks(h); n > 0 != seen {
				t.Errorf("POLL_BETWEEN=%s: %d looks after a restart", between, n)
			}
		})
	}
}

// TestBeatsAreBatches: many orders of an account are a call for each hundred, and those of a family one by one, as far as
// the budget of polling goes.
func TestBeatsAreBatches(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Everything(sim.Options{})(h)
		h.Env["POLL_SCHEDULE"], h.Env["POLL_BETWEEN"] = "@every 3m", "off"
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.SetStock(901, 500)
		h.Say(apptest.Sam, "/buy vpn")
		h.Tap(apptest.Sam, "30 days")
		h.Say(apptest.Sam, "30")
		h.Tap(apptest.Sam, "✅")
		h.Pass(2 * time.Second)
		for i := range 3 {
			h.Say(apptest.Sam, "/topup")
			h.Tap(apptest.Sam, "Battle Royale Coins")
			h.Tap(apptest.Sam, "60 coins")
			h.Tap(apptest.Sam, "1")
			h.Say(apptest.Sam, fmt.Sprintf("765432%d", i))
			h.Tap(apptest.Sam, "✅")
			h.Pass(2 * time.Second)
		}
		h.Happened(4)
		h.Pass(4 * time.Minute)
		r := h.Service.Requests()
		if r["POST /products/orders/retrieve"] != 1 || r["GET /battleroyale/status/{orderId}"] != 3 {
			t.Errorf("the service was asked %v", r)
		}
		h.SeeAny(apptest.Sam, "Topped up")
	})
}

// TestRefusedKeyBetweenBeats: a key that the service takes no more while a code waits is told to its owner within a minute,
// once, though the next beat is far and no order is looked at. Where nothing waits, nothing is asked.
func TestRefusedKeyBetweenBeats(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Env["POLL_SCHEDULE"], h.Env["POLL_BETWEEN"], h.Env["BALANCE_SCHEDULE"] = "0 0 1 6 *", "off", "0 0 1 6 *"
	}, func(h *apptest.Harness) {
		const words = "no longer accepts your key"
		told := func() int { return strings.Count(h.Texts(apptest.Sam), words) }
		h.Link(apptest.Sam)
		h.Pass(time.Minute)
		was := h.Service.Requests()["GET /balance"]
		h.Pass(10 * time.Minute)
		if n := h.Service.Requests()["GET /balance"] - was; n != 0 {
			t.Errorf("the balance was read %d times while nothing waited", n)
		}
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Minute)
		for round := 1; round <= 2; round++ {
			h.Service.SetExpiry(apptest.TestKey, time.Now())
			h.Pass(time.Minute)
			if n := told(); n != round {
				t.Errorf("the owner was told %d times, want %d:\n%s", n, round, h.Texts(apptest.Sam))
			}
			h.Pass(time.Hour)
			if n := told(); n != round {
				t.Errorf("the owner was told %d times, want %d", n, round)
			}
			h.Service.SetExpiry(apptest.TestKey, time.Time{})
			h.Pass(10 * time.Minute)
		}
		if n := looks(h); n != 0 {
			t.Errorf("%d looks at orders", n)
		}
	})
}
