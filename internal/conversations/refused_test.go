package conversations_test

import (
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// limitsNext has the service answer the next purchase with 429. It does not execute it.
func limitsNext(h *apptest.Harness) {
	h.Service.Inject(sim.Fault{Operation: sim.Spending, Times: 1, Kind: sim.ErrorAnswer, Status: 429, Message: "Too many requests"})
}

// TestAgainKeepsItsHour: 🔁 of a refused purchase names when it may be tried again. It may be by then, also where the same was bought
// meanwhile, whose price the balance has shown.
func TestAgainKeepsItsHour(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]bool{"nothing else was bought": false, "the same was bought": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Crossed, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				limitsNext(h)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(10 * time.Second)
				h.TapUnder("refused it", "🔁")
				h.SeeAny(apptest.Sam, "Try again after")
				if meanwhile {
					h.Order(apptest.Sam, "Play Card", "10 USD", "1")
					h.See(apptest.Sam, "The same was ordered")
					h.Tap(apptest.Sam, "once more")
					h.Tap(apptest.Sam, "✅")
					h.Delivered(apptest.Sam)
					h.Pass(15 * time.Second)
				}
				h.Pass(65 * time.Second)
				h.TapUnder("Not yet", "🔁")
				h.SeeAny(apptest.Sam, "Check before buying")
			})
		})
	}
}

// TestRefusedCodeIsAskedAbout: a code that the service has refused to somebody a moment ago, which may have been charged all the same, is asked
// about when they buy the same once more. Neither is another quantity, nor what somebody else buys.
func TestRefusedCodeIsAskedAbout(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, c := range map[string]struct {
		quantity string
		other    bool
		after    time.Duration
		asks     bool
	}{
		"the same":              {quantity: "1", asks: true},
		"another quantity":      {quantity: "2"},
		"somebody else":         {quantity: "1", other: true},
		"once its money shows":  {quantity: "1", after: 3 * time.Minute},
		"once nobody asks more": {quantity: "1", after: 20 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Crossed, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
				limitsNext(h)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Second + c.after)
				buyer := apptest.Sam
				if c.other {
					buyer = apptest.Karim
				}
				h.Order(buyer, "Play Card", "10 USD", c.quantity)
				if !c.asks {
					h.Tap(buyer, "✅")
				}
				h.Pass(time.Minute)
				if got := h.Has(buyer, "The same was ordered"); got != c.asks {
					t.Errorf("asked: %v, want %v\n%s", got, c.asks, h.Transcript(buyer))
				}
				if got := h.Has(buyer, "Delivered"); got == c.asks {
					t.Errorf("bought: %v\n%s", got, h.Transcript(buyer))
				}
			})
		})
	}
}

// TestUncertainCodeIsAskedAbout: a refused code of which money or orders say that it was executed is asked about as well, for as long as nobody has
// decided. Somebody else, who buys for another customer, is not.
func TestUncertainCodeIsAskedAbout(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Crossed, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Times: 1, Kind: sim.Late, Delay: 3 * time.Minute, Status: 429})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(4 * time.Minute)
		h.SeeAny(apptest.Sam, "may have charged it all the same")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.See(apptest.Sam, "an owner decides that")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.See(apptest.Karim, "Check before buying")
	})
}

// TestRefusedCodeInAList: a line of a list that buys what was just refused to the same person is marked, and is not bought by ✅ alone.
func TestRefusedCodeInAList(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line  string
		marks bool
		buys  int // units, with the one of the other line
	}{"the same": {"Play Card 10 USD x1", true, 1}, "another quantity": {"Play Card 10 USD x2", false, 3}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				limitsNext(h)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(time.Second)
				h.Say(apptest.Sam, c.line+"\nPlay Card 5 USD x1")
				h.Pass(5 * time.Second)
				if got := h.Has(apptest.Sam, "the same was ordered just now"); got != c.marks {
					t.Errorf("marked: %v, want %v\n%s", got, c.marks, h.Transcript(apptest.Sam))
				}
				h.Tap(apptest.Sam, "✅")
				h.Pass(2 * time.Minute)
				if got := len(h.Service.Orders()); got != c.buys {
					t.Errorf("%d units were bought by ✅, want %d\n%s", got, c.buys, h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestHeldLinesTellTheirHour: 🔁 under a list whose refused lines may have been charged says so in a message, with when to try again.
func TestHeldLinesTellTheirHour(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		limitsNext(h)
		h.Say(apptest.Sam, "Play Card 10 USD x1\nPlay Card 5 USD x1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(50 * time.Second)
		h.TapUnder("refused by the supplier", "🔁")
		h.SeeAny(apptest.Sam, "one line was refused")
		h.SeeAny(apptest.Sam, "Try again after")
		h.Pass(3 * time.Minute)
		h.TapUnder("one line was refused", "🔁")
		h.SeeAny(apptest.Sam, "Lines to buy: 1")
	})
}

// TestHeldLineThatIsDecided: by the time at which 🔁 under a list is tapped again, the refused line was executed after all, and is asked about: nothing
// is called refused that is not.
func TestHeldLineThatIsDecided(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Times: 1, Kind: sim.Late, Delay: 3 * time.Minute, Status: 429})
		h.Say(apptest.Sam, "Play Card 10 USD x1\nPlay Card 5 USD x1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(50 * time.Second)
		h.TapUnder("refused by the supplier", "🔁")
		h.SeeAny(apptest.Sam, "one line was refused")
		h.Pass(30 * time.Minute)
		h.TapUnder("one line was refused", "🔁")
		h.Pass(2 * time.Second)
		if h.Has(apptest.Sam, "0 lines were refused") {
			t.Errorf("lines are called refused that are not\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "Uncertain lines are not offered")
	})
}

// TestWhoStaysReadsSo: the question whether somebody leaves a team, or unlinks an account that a team works with, is answered by what stays.
func TestWhoStaysReadsSo(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Crossed, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Karim, "/key remove")
		h.Tap(apptest.Karim, "✖️ Stay")
		h.See(apptest.Karim, "You are still in the team")
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "✖️ Keep it linked")
		h.See(apptest.Sam, "stays linked")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.Delivered(apptest.Karim)
	})
}

// TestAWordIsNoKey: a short word typed at the question for the key is no key, and the service is not asked about it.
func TestAWordIsNoKey(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Crossed, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/key")
		for _, word := range []string{"hello", "merci", "نتفليكس"} {
			h.Say(apptest.Sam, word)
			h.Pass(2 * time.Second)
			h.See(apptest.Sam, "does not look like a key")
		}
		if asked := h.Service.Requests(); len(asked) > 0 {
			t.Errorf("the service was asked: %v", asked)
		}
		h.Say(apptest.Sam, apptest.TestKey)
		h.See(apptest.Sam, "Linked")
	})
}
