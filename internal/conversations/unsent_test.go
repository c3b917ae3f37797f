package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// buyInLine has somebody buy a list of two lines and something else, of which the first line is being sent, for twenty seconds, and the rest waits.
func buyInLine(h *apptest.Harness, who int64) {
	h.T.Helper()
	h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: 20 * time.Second, Times: 10})
	h.Say(who, "play card 10 x1\nplay card 25 x1")
	h.Tap(who, "✅")
	h.Order(who, "Play Card", "25 USD", "2")
	h.Tap(who, "✅")
	h.Pass(5 * time.Second)
}

// TestLeavingNamesWhatIsNotSent: whoever leaves a team with purchases that wait for their turn, and lines of a list, is told that these are not
// bought, and that what is being sent still comes.
func TestLeavingNamesWhatIsNotSent(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		buyInLine(h, apptest.Karim)
		h.Say(apptest.Karim, "/key remove")
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Karim, "1 purchase is still under way.")
		h.SeeLast(apptest.Karim, "Leaving ends 2 purchases that have not been sent yet. They will not be bought.")
		h.Tap(apptest.Karim, "Yes, leave")
		h.Pass(5 * time.Minute)
		if n := len(h.Service.Orders()); n != 1 {
			t.Errorf("%d orders were made, want the one that was being sent", n)
		}
	})
}

// TestLeavingNamesWhatIsAskedFor: what waits for an owner's approval ends when its seller leaves, and the question says so.
func TestLeavingNamesWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		limit(h, "Per purchase", "2000")
		askFor(h, "2")
		h.Say(apptest.Karim, "/key remove")
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Karim, "Leaving ends 1 purchase that has not been sent yet. It will not be bought.")
		h.Tap(apptest.Karim, "Yes, leave")
		h.Pass(time.Minute)
		h.Happened(0)
	})
}

// TestLeavingNamesWhatWaitsInAGroup: what a seller has confirmed in the shop's group, and waits for its turn, ends when they leave as well.
func TestLeavingNamesWhatWaitsInAGroup(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: 40 * time.Second, Times: 10})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Second)
		commandIn(h, apptest.Karim, shop, 0, "/buy@shop_bot play")
		h.TapIn(apptest.Karim, shop, "10 USD")
		h.TapIn(apptest.Karim, shop, "1")
		h.TapIn(apptest.Karim, shop, "✅")
		h.Pass(2 * time.Second)
		h.Say(apptest.Karim, "/key remove")
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Karim, "Leaving ends 1 purchase that has not been sent yet. It will not be bought.")
		h.Tap(apptest.Karim, "Yes, leave")
		h.Pass(5 * time.Minute)
		h.Happened(1)
	})
}

// TestReplacingNamesWhatEnds: an owner who sends the key of another account is told what of the active one would not be bought any more, and
// what is uncertain as that. Who keeps both loses none of it.
func TestReplacingNamesWhatEnds(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "90000"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		buyInLine(h, apptest.Sam)
		h.Say(apptest.Sam, "/key "+otherKey)
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Sam, "1 purchase is still under way.")
		h.SeeLast(apptest.Sam, "Unlinking ends 2 purchases that have not been sent yet. They will not be bought.")
		h.Tap(apptest.Sam, "Keep both")
		h.Pass(5 * time.Minute)
		h.Happened(3)
	})
}

// TestLeavingIsAskedAgain: what was to end is sent while the question stands. The answer to it is no answer about what is there by now.
func TestLeavingIsAskedAgain(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: 10 * time.Second, Times: 1})
		h.Say(apptest.Karim, "play card 10 x1\nplay card 25 x1")
		h.Tap(apptest.Karim, "✅")
		h.Pass(5 * time.Second)
		h.Say(apptest.Karim, "/key remove")
		h.Pass(2 * time.Second)
		question := h.SeeLast(apptest.Karim, "Leaving ends 1 purchase that has not been sent yet.")
		h.Pass(time.Minute)
		h.Happened(2)
		yes := buttons(question, "Yes, leave")[0].Data
		query := h.Telegram.Tap(apptest.Karim, apptest.Karim, question.ID, yes)
		h.Pass(2 * time.Second)
		if said := h.Answer(query); !strings.Contains(apptest.Plain(said.Text), "There is something new") {
			t.Errorf("the answer is taken: %q", said.Text)
		}
		h.SeeAny(apptest.Karim, "Leave the team of")
		h.Tap(apptest.Karim, "Yes, leave")
		h.SeeAny(apptest.Karim, "You have left the team")
	})
}
