package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// TestInheritedWhileItIsAsked: an owner is asked about a purchase of somebody who is taken out of the team then. It becomes the owner's
// in the message that asks: none is left that goes on asking once it is decided.
func TestInheritedWhileItIsAsked(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.Pass(5 * time.Second)
		h.Order(apptest.Sam, "Play Card", "25 USD", "1") // it waits, and the owner may let it go first
		h.Tap(apptest.Sam, "✅")
		h.Pass(5 * time.Second)
		h.SeeAny(apptest.Sam, "🛒 Karim")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		h.Pass(30 * time.Minute)
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			if m.FromBot && strings.Contains(m.Text, "Uncertain") {
				t.Errorf("a message still says:\n%s", m.Text)
			}
		}
		if n := count(h, apptest.Sam, "Your decision is needed. It is not clear"); n != 1 {
			t.Errorf("it is asked about %d times:\n%s", n, h.Transcript(apptest.Sam))
		}
	})
}
