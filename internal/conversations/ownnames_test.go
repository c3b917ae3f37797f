package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// A service as it is: with words of its own in its paths and names, and without a kind of its products.

// TestOwnNames: with what the operator has told of them, every journey goes as it does with the document's words.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.OwnNames(sim.Options{Mode: sim.Both}, true), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "5 USD", "2")

		topUp(h, "Blazefire", "583 gems", "1234567890")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Topped up")

		topUp(h, "Last Circle: Coins", "60 coins", "1", "7654321")
		if s := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(s, "👤") {
			t.Errorf("nobody has checked the player: %s", s)
		}
		h.Tap(apptest.Sam, "✅")
		h.Wait(apptest.Sam, "a second top-up", howOften("Topped up", 2))

		topUp(h, "STADIUM+ Max", "1 month", "1", "123456789012")
		h.Tap(apptest.Sam, "✅")
		h.Wait(apptest.Sam, "the subscription", howOften("Delivered", 2))

		topUp(h, "Dar Net 4G", "1000 DA", "1", "adsl", "021234567")
		if s := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); strings.Contains(s, "not checked") {
			t.Errorf("nobody has checked the number: %s", s)
		}
		h.Tap(apptest.Sam, "✅")
		h.Wait(apptest.Sam, "a voucher", howOften("Delivered", 3))

		topUp(h, "Hero Crystals", "300 crystals", "1", "654321", "MENA")
		h.Tap(apptest.Sam, "✅")
		h.Wait(apptest.Sam, "a third top-up", howOften("Topped up", 3))

		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "Supplier history")
		h.Tap(apptest.Sam, "Last Circle")
		h.See(apptest.Sam, "60 coins")
		h.Tap(apptest.Sam, "Blazefire")
		h.See(apptest.Sam, "583 gems")
		h.Happened(6)
		r := h.Service.Requests()
		for _, op := range []string{
			"POST /arena/check-player", "POST /battleroyale/check-player", "GET /battleroyale/status/{orderId}", "GET /sportstv/order/{orderId}",
			"GET /internet/check-number/{type}/{number}", "POST /catalog/{id}/verify",
		} {
			if r[op] == 0 {
				t.Errorf("%s was never asked for: %v", op, r)
			}
		}
	})
}

// topUp walks from /topup to the summary.
func topUp(h *apptest.Harness, product, variant string, answers ...string) {
	h.T.Helper()
	h.Say(apptest.Sam, "/topup")
	h.Tap(apptest.Sam, product)
	h.Tap(apptest.Sam, variant)
	for _, a := range answers {
		h.Say(apptest.Sam, a)
	}
	h.See(apptest.Sam, "Check before buying")
}

// howOften is a chat in which so many messages of the bot hold some words.
func howOften(words string, n int) func([]tgsim.Message) (tgsim.Message, bool) {
	return func(all []tgsim.Message) (tgsim.Message, bool) {
		found := slices.DeleteFunc(slices.Clone(all), func(m tgsim.Message) bool {
			return !m.FromBot || m.Deleted || !strings.Contains(apptest.Plain(m.Text), words)
		})
		return tgsim.Message{}, len(found) >= n
	}
}

// TestNobodyToldTheNames: a bot that was told nothing still sells what is for a player, a number or a subscription: it finds
// it under /topup, has the service check what it can, and takes a success without a code for what it is.
func TestNobodyToldTheNames(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.OwnNames(sim.Options{}, false), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for i, c := range [][]string{
			{"Last Circle: Coins", "60 coins", "1", "7654321"},
			{"Dar Net 4G", "1000 DA", "1", "adsl", "021234567"}, // which brings a voucher here
			{"Hero Crystals", "300 crystals", "1", "654321", "MENA"},
		} {
			topUp(h, c[0], c[1], c[2:]...)
			h.Tap(apptest.Sam, "✅")
			h.Pass(10 * time.Minute)
			h.Happened(i + 1)
		}
		for _, bad := range []string{"sent no code", "No code came", "Ask its support"} {
			if strings.Contains(h.Transcript(apptest.Sam), bad) {
				t.Errorf("a top-up that succeeded is called broken:\n%s", h.Transcript(apptest.Sam))
			}
		}
		h.Wait(apptest.Sam, "both top-ups", howOften("Done, says the supplier", 2))
		topUp(h, "STADIUM+ Max", "1 month", "1", "123456789012")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Delivered")
	})
}

// TestOwnNamesRestart: killed in the middle of a top-up that nobody has said is one, it is followed by the next start.
func TestOwnNamesRestart(t *testing.T) {
	t.Parallel()
	for _, told := range sampletest.Some(1, []bool{true, false}) {
		apptest.Run(t, apptest.OwnNames(sim.Options{}, told), func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Service.HoldOrders(true)
			topUp(h, "Last Circle: Coins", "60 coins", "1", "7654321")
			h.Tap(apptest.Sam, "✅")
			h.Pass(20 * time.Second)
			h.Stop()
			h.Pass(time.Minute)
			h.Service.HoldOrders(false)
			h.Start()
			if told {
				h.SeeAny(apptest.Sam, "Topped up")
				h.See(apptest.Sam, "topped up, see above")
			} else {
				h.SeeAny(apptest.Sam, "Done, says the supplier")
				h.See(apptest.Sam, "done, says the supplier")
			}
			h.Happened(1)
		})
	}
}

// TestACodeAfterATopup: what ended without a code may bring one after all, minutes or days later: it is delivered, and asked
// for at once by whoever wants to know.
func TestACodeAfterATopup(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	for name, lag := range sampletest.SomeNamed(1, map[string]time.Duration{"minutes": 20 * time.Minute, "days": 5 * 24 * time.Hour}) {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.OwnNames(sim.Options{}, false)(h)
				h.Service.SetWorld(sim.World{CodeLag: lag})
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				topUp(h, "STADIUM+ Max", "1 month", "1", "123456789012")
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Sam, "Done, says the supplier")
				h.Tap(apptest.Sam, "🔄")
				if n := len(h.Codes(apptest.Sam)); n != 0 {
					t.Fatalf("%d codes", n)
				}
				h.Pass(20 * time.Minute)
				h.Sleep(lag * 9 / 10)
				h.Pass(time.Hour) // a look that was due meanwhile
				h.Sleep(lag)
				h.Pass(time.Hour)
				h.Delivered(apptest.Sam)
				h.SeeAny(apptest.Sam, "Delivered")
			})
		})
	}
}
