package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestMissingUnits: an answer names two orders where three were bought and paid. The codes of the two come at once; the third is
// looked for in the list where the service has one, and comes as soon as nobody else can have bought it. Where no list can tell,
// people are told at once that one unit was not found, and its price counts as paid.
func TestMissingUnits(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	buys := func(h *apptest.Harness) {
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ShortCount, Times: 1})
		h.Order(apptest.Sam, "Play", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Code 2 of 3")
	}
	t.Run("found in the list", func(t *testing.T) {
		t.Parallel()
		apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
			h.LinkLegacy(apptest.Sam)
			buys(h)
			h.SeeAny(apptest.Sam, "The supplier named 2 of 3 orders. I am looking for the rest.")
			h.SeeAny(apptest.Sam, "first codes, see above")
			if h.Has(apptest.Sam, "delivered, see above") {
				t.Error("it is called delivered while a code is looked for")
			}
			h.Pass(18 * time.Minute)
			h.SeeAny(apptest.Sam, "Code 3 of 3")
			h.SeeAny(apptest.Sam, "🎉 Delivered")
			if h.Has(apptest.Sam, "missing here") {
				t.Errorf("what was found is called missing:\n%s", h.Transcript(apptest.Sam))
			}
		})
	})
	t.Run("somebody else has bought the same", func(t *testing.T) {
		t.Parallel()
		apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
			h.LinkLegacy(apptest.Sam)
			buys(h)
			_, err := h.Service.Buy(apptest.LegacyTestKey, 102, 1, "elsewhere")
			h.Must(err)
			h.Service.Deposit(apptest.LegacyTestKey, "2480") // so that the balance does not tell
			h.Pass(40 * time.Minute)
			h.SeeAny(apptest.Sam, "1 unit is missing here")
			if h.Has(apptest.Sam, "Code 3 of 3") {
				t.Errorf("a code is shown that may be somebody else's:\n%s", h.Transcript(apptest.Sam))
			}
		})
	})
	t.Run("no list", func(t *testing.T) {
		t.Parallel()
		apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			buys(h)
			h.SeeAny(apptest.Sam, "1 unit is missing here")
			h.SeeAny(apptest.Sam, "Delivered in part")
			if h.Has(apptest.Sam, "delivered, see above") {
				t.Error("it is called delivered while a unit is missing")
			}
			h.Say(apptest.Sam, "/start")
			h.SeeAny(apptest.Sam, "Purchases today: 1 · paid DZD 3,751.50")
		})
	})
}

// TestRetryOfARefusedPurchase: whoever is refused tries again at once. The orders of that purchase are no sign that the refused one was
// charged, while it is not decided yet what was made of it.
func TestRetryOfARefusedPurchase(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, kind := range map[string]sim.FaultKind{"an order is not named": sim.ShortCount, "its answer is lost": sim.LoseAnswer} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Times: 1, Kind: sim.ErrorAnswer, Status: 400})
				h.Say(apptest.Sam, "play card 5 x1")
				h.Tap(apptest.Sam, "✅")
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Times: 1, Kind: kind})
				h.Say(apptest.Sam, "play card 5 x3")
				h.Tap(apptest.Sam, "✅")
				h.Pass(5 * time.Minute)
				if strings.Contains(h.Texts(apptest.Sam), "may have charged it all the same") {
					t.Errorf("it is said of the refused one that it may be charged:\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}
