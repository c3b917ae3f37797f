package conversations_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// openTeams has Sam open what his team has bought last.
func openTeams(h *apptest.Harness) {
	h.T.Helper()
	h.Say(apptest.Sam, "/orders")
	h.Tap(apptest.Sam, "team's orders")
	h.Pass(time.Second)
	h.Tap(apptest.Sam, "1")
	h.Pass(time.Second)
}

// TestSalesOfWhoHasLeft: what a seller has bought and sold is the shop's, also once they have left: it reads as sold, the sale can be taken
// back, and what is not sold can be sold. Whoever has left is shown nothing of it.
func TestSalesOfWhoHasLeft(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "➕ Seller", func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		h.Tap(apptest.Karim, "💵")
		h.Pass(5 * time.Second)
		opened := func(words string) {
			h.T.Helper()
			openTeams(h)
			h.SeeLast(apptest.Sam, words)
		}
		opened("💵 Sold")
		leaveTeam(h, apptest.Karim) // they are asked, since cash is in their drawer
		h.Pass(5 * time.Second)
		h.Say(apptest.Karim, "/orders")
		h.Tap(apptest.Karim, "1")
		h.Pass(time.Second)
		if m := h.SeeLast(apptest.Karim, "Delivered"); strings.Contains(m.Text+fmt.Sprint(m.Keyboard), "💵") {
			h.T.Errorf("who has left reads what it was sold for:\n%s\n%v", m.Text, m.Keyboard)
		}
		opened("💵 Sold")
		h.Tap(apptest.Sam, "↩️")
		h.Pass(5 * time.Second)
		opened("Delivered")
		h.Tap(apptest.Sam, "💵")
		h.Pass(5 * time.Second)
		opened("💵 Sold")
	})
}

// TestReportNamesWhoHasLeft: a day on which somebody has sold who has left since names them, and not by a number.
func TestReportNamesWhoHasLeft(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "➕ Seller", func(h *apptest.Harness) {
		for _, who := range []int64{apptest.Sam, apptest.Karim} { // of one seller alone nothing is told apart
			buy(h, who)
			h.Tap(who, "💵")
			h.Pass(5 * time.Second)
		}
		leaveTeam(h, apptest.Karim)
		h.Pass(5 * time.Second)
		h.Say(apptest.Sam, "/today")
		if text := lastTo(h); !strings.Contains(text, "Karim") || strings.Contains(text, strconv.FormatInt(apptest.Karim, 10)) {
			h.T.Errorf("the day reads:\n%s", text)
		}
	})
}

// TestDeliveredToWhoHasLeft: what was under way when its seller left is in the shop's books once it is delivered, and nothing of what the
// shop makes of it is shown to them.
func TestDeliveredToWhoHasLeft(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "➕ Seller", func(h *apptest.Harness) {
		sellSlowThing(h)
		h.Pass(2 * time.Minute)
		held := slowThing(h)
		leaveTeam(h, apptest.Karim)
		h.Pass(5 * time.Second)
		h.Must(h.Service.Fulfil(held, "CODE-BY-HAND", ""))
		h.Pass(20 * time.Minute)
		h.SeeAny(apptest.Karim, "Delivered")
		for _, m := range h.Telegram.Messages(apptest.Karim) {
			if keys := buttons(m, "💵"); len(keys) > 0 {
				h.T.Errorf("who has left is offered to sell it: %v", keys)
			}
		}
		h.Say(apptest.Sam, "/today")
		if text := lastTo(h); strings.Contains(text, "not delivered yet") || !strings.Contains(text, "Not sold yet: 1") {
			h.T.Errorf("the day reads:\n%s", text)
		}
	})
}

// TestKnownOnceItsBuyerHasLeft: what a seller bought is uncertain when they leave, or when the owner unlinks the account, and is found
// afterwards. The shop's wallet has paid it: it is in the books, and the owner can sell it.
func TestKnownOnceItsBuyerHasLeft(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(h *apptest.Harness){
		"left": func(h *apptest.Harness) { leaveTeam(h, apptest.Karim) },
		"unlinked": func(h *apptest.Harness) {
			unlinks(h)
			h.Pass(time.Minute)
			h.Link(apptest.Sam)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inPricedTeam(t, "➕ Seller", func(h *apptest.Harness) {
				h.Must(h.Service.SetMode(apptest.TestKey, sim.Both))
				h.Order(apptest.Karim, "Play Card", "10 USD", "1")
				h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
				h.Tap(apptest.Karim, "✅")
				ends(h)
				h.Pass(time.Hour)
				if codes := h.Codes(apptest.Karim); len(codes) != 1 {
					h.T.Fatalf("the codes are %v:\n%s", codes, h.Transcript(apptest.Karim))
				}
				h.Say(apptest.Sam, "/today")
				if text := lastTo(h); !strings.Contains(text, "Not sold yet: 1") {
					h.T.Errorf("the day reads:\n%s", text)
				}
				openTeams(h)
				h.Tap(apptest.Sam, "💵")
				h.Pass(5 * time.Second)
				h.Say(apptest.Sam, "/today")
				if text := lastTo(h); !strings.Contains(text, "Sold: DZD 1,380 · units: 1") {
					h.T.Errorf("behind the sale the day reads:\n%s", text)
				}
			})
		})
	}
}

// TestWhoHasLeftIsAnswered: whoever has left a team is answered as often as they ask for what they bought, and no button of the team greets them
// as if they were new here, or offers to buy.
func TestWhoHasLeftIsAnswered(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "➕ Seller", func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		old := h.SeeLast(apptest.Karim, "Delivered")
		leaveTeam(h, apptest.Karim)
		h.Pass(5 * time.Second)
		before := h.FromBot(apptest.Karim)
		for _, b := range buttons(old, "💵") {
			h.Telegram.Tap(apptest.Karim, apptest.Karim, old.ID, b.Data)
			h.Pass(5 * time.Second)
		}
		if n := h.FromBot(apptest.Karim); n != before {
			t.Errorf("a button of the team brings a message:\n%s", h.Transcript(apptest.Karim))
		}
		for i := range 30 {
			before := h.FromBot(apptest.Karim)
			h.Say(apptest.Karim, "/orders")
			h.Pass(6 * time.Second)
			if h.FromBot(apptest.Karim) == before {
				t.Fatalf("the %d. question for their orders is not answered", i+1)
			}
		}
		h.Tap(apptest.Karim, "1")
		h.Pass(5 * time.Second)
		if m := h.SeeLast(apptest.Karim, "Delivered"); len(buttons(m, "🔁")) > 0 {
			t.Errorf("they are offered to buy:\n%v", m.Keyboard)
		}
		h.Answered()
	})
}

// TestListOfWhoHasLeft: the card of a list that was bought by somebody who has left shows them nothing of what the shop makes of it.
func TestListOfWhoHasLeft(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "➕ Seller", func(h *apptest.Harness) {
		h.Say(apptest.Karim, "play card 5 x2\nplay card 10")
		h.Pass(5 * time.Second)
		h.Tap(apptest.Karim, "✅")
		h.Pass(10 * time.Second)
		h.SeeAny(apptest.Karim, "List done")
		leaveTeam(h, apptest.Karim)
		h.Pass(5 * time.Second)
		openTeams(h)
		h.Tap(apptest.Sam, "💵")
		h.Pass(10 * time.Second)
		card := h.SeeAny(apptest.Karim, "List done")
		if text := card.Text + fmt.Sprint(card.Keyboard); strings.Contains(text, "💵") || strings.Contains(text, "Sold") {
			h.T.Errorf("who has left reads on the list's card:\n%s", text)
		}
	})
}

// TestHandedByWhoHasLeft: whoever has left the shop does not write into its record that something was given to its customer.
func TestHandedByWhoHasLeft(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		h.Say(apptest.Karim, "/orders")
		h.Tap(apptest.Karim, "1")
		h.Pass(time.Second)
		card := h.SeeLast(apptest.Karim, "Delivered")
		given := buttons(card, "🤝")
		if len(given) != 1 {
			h.T.Fatalf("there is no 🤝:\n%s", h.Transcript(apptest.Karim))
		}
		leaveTeam(h, apptest.Karim)
		h.Pass(5 * time.Second)
		h.Telegram.Tap(apptest.Karim, apptest.Karim, card.ID, given[0].Data)
		h.Pass(5 * time.Second)
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "team's orders")
		h.Tap(apptest.Sam, "1")
		h.Pass(time.Second)
		if text := lastTo(h); strings.Contains(text, "Given to the customer") {
			h.T.Errorf("the shop reads:\n%s", text)
		}
	})
}
