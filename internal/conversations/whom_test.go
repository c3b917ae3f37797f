package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// asksWhom walks to the question who gets sixty coins.
func asksWhom(h *apptest.Harness) {
	h.T.Helper()
	h.Say(apptest.Sam, "/cancel")
	h.Say(apptest.Sam, "battle 60")
	h.Tap(apptest.Sam, "1 unit")
}

// TestATappedPlayerIsWhoseTheyAre: whom a name was typed for gives way to whose player is tapped, or given, in its place: the purchase is
// theirs, and so is the player that a receipt saves.
func TestATappedPlayerIsWhoseTheyAre(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	atTheCounter(t, func(h *apptest.Harness) {
		coinsFor(h, "c1", "Ali Ben", "51234567")
		coinsFor(h, "c3", "Omar", "51234569")
		coinsFor(h, "c5", "Samir")
		asksWhom(h)
		h.Say(apptest.Sam, "51234580") // somebody whom the chat knows, and the shop does not
		h.Tap(apptest.Sam, "✅")
		h.Pass(11 * time.Minute) // the same is asked about until then
		isFor := func(player, customer string) {
			t.Helper()
			text := plainly(h.See(apptest.Sam, "Check before buying").Text)
			if !strings.Contains(text, player) || customer == "" && strings.Contains(text, "👥") || !strings.Contains(text, customer) {
				t.Errorf("the summary is not of %s for %q:\n%s", player, customer, text)
			}
		}
		h.Say(apptest.Sam, "/alias kc battle 60")
		for player, customer := range map[string]string{"51234567": "👥 For Ali Ben", "51234580": "", "51234569": "👥 For Omar"} {
			for _, name := range []func(){
				func() { asksWhom(h); h.Say(apptest.Sam, "samir") },
				func() { h.Say(apptest.Sam, "kc samir") },
			} {
				name()
				h.See(apptest.Sam, "No player of this customer")
				h.Tap(apptest.Sam, player)
				isFor(player, customer)
			}
		}
		asksWhom(h)
		h.Say(apptest.Sam, "samir")
		h.Say(apptest.Sam, "ali") // somebody else is asked about
		h.See(apptest.Sam, "Is this who you mean?")
		h.Say(apptest.Sam, "51234581")
		isFor("51234581", "")
		asksWhom(h)
		h.Say(apptest.Sam, "samir")
		h.Say(apptest.Sam, "01234567") // whom the game does not know
		h.See(apptest.Sam, "⚠️")
		h.Say(apptest.Sam, "51234569")
		isFor("51234569", "")
		asksWhom(h)
		h.Say(apptest.Sam, "samir")
		h.Tap(apptest.Sam, "51234569")
		isFor("51234569", "👥 For Omar")
		h.Tap(apptest.Sam, "✅")
		h.Pass(20 * time.Second)
		h.Tap(apptest.Sam, "👤")
		h.Pass(2 * time.Second)
		if m := h.See(apptest.Sam, "👤 Omar"); !strings.Contains(m.Text, "51234569") {
			t.Errorf("the receipt has saved\n%s", plainly(m.Text))
		}
		h.InStore(func(s *store.Store) {
			c, err := s.Customer(h.T.Context(), "u4101", "c5")
			if h.Must(err); len(c.Players) != 0 {
				t.Errorf("Samir plays as %v", c.Players)
			}
		})
		h.Happened(2)
	})
}

// TestAServerLeavesForWhom: the option that is tapped behind a player, or asked for again, changes nothing about for whom it is.
func TestAServerLeavesForWhom(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.InStore(func(s *store.Store) {
			c := store.Customer{Book: "u4101", ID: "c1", Name: secret.New("Ali Ben"), Players: []store.Player{{Game: "product 14", ID: "111111"}}}
			h.Must(s.Update(h.T.Context(), func(tx *store.Tx) error { q := c; return tx.PutCustomer(&q) }))
		})
		h.Say(apptest.Sam, "hero 300 ali ben")
		for range 2 {
			h.Tap(apptest.Sam, "MENA")
			if text := plainly(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(text, "For Ali Ben") || !strings.Contains(text, "111111") {
				t.Errorf("the summary is\n%s", text)
			}
			h.Tap(apptest.Sam, "⬅️")
			h.See(apptest.Sam, "Server")
		}
		h.Happened(0)
	})
}

// TestANameIsTakenAsItIs: where what was typed is a player's own name, and a customer's too, it is the answer once it is typed again.
func TestANameIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 92, Name: "Nick Gems", Inputs: []sim.InputSpec{{Index: "1", Label: "Nickname", Required: true}},
			Variants: []sim.VariantSpec{{ID: 9201, Name: "10 gems", Price: "100", InStock: 50}}})
		h.Pass(2 * time.Minute)
		h.InStore(func(s *store.Store) {
			for id, name := range map[string]string{"c1": "Karim Ben", "c2": "Samir", "c3": "Omar"} {
				c := store.Customer{Book: "u4101", ID: id, Name: secret.New(name)}
				if name != "Samir" {
					c.Players = []store.Player{{Game: "product 92", ID: "the" + strings.ToLower(name[:2])}}
				}
				h.Must(s.Update(h.T.Context(), func(tx *store.Tx) error { q := c; return tx.PutCustomer(&q) }))
			}
		})
		for _, c := range []struct {
			typed string
			asked []string // what is answered before it is taken
		}{
			{"karim", []string{"Is this who you mean?"}},
			{"Samir", []string{"No player of this customer"}},
			{"omar", []string{"For Omar", "Is this who you mean?"}}, // back from the summary it is asked
		} {
			h.Say(apptest.Sam, "/cancel")
			h.Say(apptest.Sam, "nick gems")
			h.Tap(apptest.Sam, "10 gems")
			h.Tap(apptest.Sam, "1 unit")
			h.See(apptest.Sam, "Nickname")
			for _, want := range c.asked {
				if m := replyTo(h, c.typed); !strings.Contains(plainly(m.Text), want) {
					t.Errorf("%q is not answered with %q:\n%s", c.typed, want, plainly(m.Text))
				} else if len(spendButtons(m)) > 0 {
					h.Tap(apptest.Sam, "⬅️")
				}
			}
			replyTo(h, c.typed)
			text := plainly(last(h.Telegram.Messages(apptest.Sam)).Text)
			if !slices.Contains(strings.Fields(text), c.typed) || strings.Contains(text, "👥") || !strings.Contains(text, "Check before buying") {
				t.Errorf("%q typed again leads to\n%s", c.typed, text)
			}
		}
		h.Happened(0)
	})
}

// TestBackKeepsForWhom: from the summary of what is for a customer alone, back is to the question how many, and it is theirs still, also
// after a number that cannot be.
func TestBackKeepsForWhom(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		coinsFor(h, "c1", "Ali")
		isTheirs := func() {
			t.Helper()
			if text := plainly(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(text, "For Ali") {
				t.Errorf("the summary is for nobody:\n%s", text)
			}
		}
		h.Say(apptest.Sam, "pc5 ali")
		isTheirs()
		h.Tap(apptest.Sam, "⬅️")
		h.See(apptest.Sam, "How many?")
		h.Tap(apptest.Sam, "2 units")
		isTheirs()
		h.Tap(apptest.Sam, "⬅️")
		h.Say(apptest.Sam, "900")
		h.See(apptest.Sam, "⚠️")
		h.Say(apptest.Sam, "3")
		isTheirs()
		h.Say(apptest.Sam, "pc5 ali x900")
		h.See(apptest.Sam, "⚠️")
		h.Say(apptest.Sam, "1")
		isTheirs()
		h.Happened(0)
	})
}

// TestHowManyOfABroadWord: how many of what names more than a line can mean finds what that alone finds.
func TestHowManyOfABroadWord(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Service.AddProduct(sim.ProductSpec{ID: 93, Name: "Gift Card", Variants: []sim.VariantSpec{{ID: 9301, Name: "small", Price: "100", InStock: 50}, {ID: 9302, Name: "big", Price: "200", InStock: 50}}})
		h.Pass(2 * time.Minute)
		alone := replyTo(h, "card")
		for _, button := range []string{"Play Card", "Concierge Card", "Gift Card"} {
			if len(buttons(alone, button)) != 1 {
				t.Fatalf("the word alone finds no %s:\n%s with %v", button, plainly(alone.Text), alone.Keyboard)
			}
		}
		for _, line := range []string{"card x3", "CARD  x3"} {
			m := replyTo(h, line)
			for _, button := range []string{"Play Card", "Concierge Card", "Gift Card"} {
				if len(buttons(m, button)) != 1 || len(spendButtons(m)) != 0 {
					t.Errorf("%q does not find %s:\n%s with %v", line, button, plainly(m.Text), m.Keyboard)
				}
			}
		}
		h.Happened(0)
	})
}
