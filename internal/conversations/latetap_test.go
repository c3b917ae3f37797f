package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
)

// buttonIn is what the button that begins with some words sends.
func buttonIn(t *testing.T, m tgsim.Message, words string) string {
	t.Helper()
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, words) {
				return b.Data
			}
		}
	}
	t.Fatalf("no button %q under %q", words, m.Text)
	return ""
}

// TestLateTapsLeaveWhatIsThere: a tap on a button that has led on, as the second of two quick ones or one that a bad network brings late,
// is answered, and the message goes on showing what it has come to: a question, a code.
func TestLateTapsLeaveWhatIsThere(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "play card 10")
		asked := h.See(apptest.Sam, "How many")
		one := buttonIn(t, asked, "1")
		late := func() tgsim.Callback { return h.Answer(h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, one)) }
		shows := func(words string, c tgsim.Callback) {
			t.Helper()
			if m := h.SeeLast(apptest.Sam, words); m.ID != asked.ID {
				t.Errorf("%q stands elsewhere:\n%s", words, h.Transcript(apptest.Sam))
			}
			if said := h.Answer(c.ID).Text; !strings.Contains(said, "no longer works") {
				t.Errorf("the late tap was answered %q", said)
			}
		}
		late()
		second := late()
		h.Pass(time.Second)
		shows("Check before buying", second)

		h.Tap(apptest.Sam, "✅")
		h.Pass(20 * time.Second)
		code := h.Codes(apptest.Sam)[0]
		before := h.FromBot(apptest.Sam)
		third := late()
		h.Pass(time.Second)
		shows(code, third)
		if h.FromBot(apptest.Sam) != before {
			t.Errorf("the late tap brought a message:\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestASecondTapLeavesWhatWasBooked: the second of two quick taps on what books leaves what the first one has said, with its ↩️ Undo.
func TestASecondTapLeavesWhatWasBooked(t *testing.T) {
	t.Parallel()
	inSoldThree(t, true, func(h *apptest.Harness) {
		twice := func(under, button, says string) {
			t.Helper()
			m := h.SeeLast(apptest.Sam, under)
			data := buttonIn(t, m, button)
			for range 2 {
				h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, data)
			}
			h.Pass(3 * time.Second)
			// One that comes later is answered, and leaves it as well.
			late := h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, data)
			h.Pass(3 * time.Second)
			if said := h.Answer(late).Text; said == "" {
				t.Error("a tap of seconds later is taken for the second of two")
			}
			if got := h.SeeLast(apptest.Sam, says); got.ID != m.ID {
				t.Errorf("%q does not stand where it was tapped:\n%s", says, h.Transcript(apptest.Sam))
			} else {
				buttonIn(t, got, "↩️ Undo")
			}
		}
		h.Say(apptest.Sam, "/kridi Ali")
		twice("Owes", "💵 All", "Ali paid")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 4140 * ledger.Dinar})
		h.TapUnder("Code 1 of 3", "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (")
		twice(" was undone.", "💵 Give back", "given back to Ali")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0})
		h.TapUnder("given back to Ali", "↩️ Undo")
		h.SeeLast(apptest.Sam, "Has paid ahead")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 4140 * ledger.Dinar})
	})
}

// TestLateWordForWhoWaits: an owner's word that others need not wait comes too late where the purchase that they waited for has ended: the
// answer says whether anything was bought.
func TestLateWordForWhoWaits(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for button, says := range map[string]string{"✖️": "Nothing was bought", "✅": "Already done"} {
			h.Order(apptest.Sam, "Play Card", "10 USD", "1")
			asked := h.See(apptest.Sam, "10 USD")
			id := apptest.PurchaseID(t, asked)
			h.Tap(apptest.Sam, button)
			h.Pass(20 * time.Second)
			late := h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, apptest.Forged(screen.VerbLetGo, id))
			h.Pass(time.Second)
			if said := h.Answer(late).Text; !strings.Contains(said, says) {
				t.Errorf("behind %s it is answered %q, want %q", button, said, says)
			}
		}
	})
}

// TestTapsOfStrangersAreAnswered: the tap of somebody who has left the team waits in its group behind what they have said there before, for
// which the group has no room yet, and is answered in time all the same.
func TestTapsOfStrangersAreAnswered(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Telegram.Send(apptest.Karim, shop, "/buy@shop_bot") // a question that stays open
		leaveTeam(h, apptest.Karim)
		h.Pass(2 * time.Minute)
		for range 20 { // as many as a group takes in a minute
			h.Telegram.Send(apptest.Sam, shop, "/orders@shop_bot")
			h.Pass(time.Second)
		}
		home := h.See(shop, "No orders yet")
		h.Telegram.Send(apptest.Karim, shop, "/lock@shop_bot")
		h.Pass(10 * time.Second) // it is tried again half a minute later
		h.Telegram.Tap(apptest.Karim, shop, home.ID, home.Keyboard[0][0].Data)
		h.Pass(2 * time.Minute)
		h.Answered()
	})
}
