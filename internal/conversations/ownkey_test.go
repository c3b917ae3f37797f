package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// ownKey is the key of an account that somebody has beside the shop's.
const ownKey = "KEY-of-karim-00001"

// withOwnKey plays with a service that has that account, of which it names the user, 0 where it names none, and with Sam's shop.
func withOwnKey(t *testing.T, user int64, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		apptest.Stock(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: ownKey, Name: "Karim's own", UserID: user, Balance: "10"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		play(h)
	})
}

// besideOwner is withOwnKey where Lila owns the shop as well.
func besideOwner(t *testing.T, user int64, play func(*apptest.Harness)) {
	t.Helper()
	withOwnKey(t, user, func(h *apptest.Harness) {
		h.Say(apptest.Lila, "/key "+apptest.TestKey)
		play(h)
	})
}

// TestOwnKeyOfSomebodyInATeam: a key of their own is not said to replace that of the shop that they work for. Who keeps both is still of its
// team; who leaves it for their own account is told so before and behind it, and so are its owners.
func TestOwnKeyOfSomebodyInATeam(t *testing.T) {
	t.Parallel()
	withOwnKey(t, 4102, func(h *apptest.Harness) {
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Karim, "/key "+ownKey)
		asked := h.See(apptest.Karim, "Link Karim's own in this chat?")
		if text := apptest.Plain(asked.Text); !strings.Contains(text, "on the team of Boutique El Djazair") || !strings.Contains(text, "only a new invitation") || strings.Contains(text, "Replace") {
			t.Errorf("it asks %s", text)
		}
		h.Tap(apptest.Karim, "Keep both")
		if text := apptest.Plain(h.See(apptest.Karim, "Linked: Karim's own").Text); !strings.Contains(text, "Boutique El Djazair stays linked") || strings.Contains(text, "left the team") {
			t.Errorf("it is said %s", text)
		}
		h.Say(apptest.Karim, "/key remove")
		h.See(apptest.Karim, "Boutique El Djazair")
		h.Say(apptest.Karim, "/key "+ownKey)
		h.Tap(apptest.Karim, "🚪 Leave the team")
		if text := apptest.Plain(h.See(apptest.Karim, "Linked: Karim's own").Text); !strings.Contains(text, "You have left the team of Boutique El Djazair") {
			t.Errorf("it is said %s", text)
		}
		h.SeeAny(apptest.Sam, "Karim has left your team")
	})
}

// TestOwnKeyThatMayBeOfTheShop: one of two owners whose other key may be of the same account reads that a key of another one takes them out
// of the team.
func TestOwnKeyThatMayBeOfTheShop(t *testing.T) {
	t.Parallel()
	besideOwner(t, 0, func(h *apptest.Harness) {
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(time.Minute)
		h.Say(apptest.Lila, "/key "+ownKey)
		asked := h.See(apptest.Lila, "I cannot tell whether it is the same account")
		if text := apptest.Plain(asked.Text); !strings.Contains(text, "only a new invitation") || !hasButton(asked, "🚪 Leave the team") || hasButton(asked, "🔗 Replace") {
			t.Errorf("it asks %s\n%s", text, keysOf(asked))
		}
		h.Tap(apptest.Lila, "🚪 Leave the team")
		h.See(apptest.Lila, "You have left the team of Boutique El Djazair")
	})
}

// TestLastOwnerIsAskedAnew: who was asked whether they leave a team, and is its last owner by now, is asked whether the team is to end.
func TestLastOwnerIsAskedAnew(t *testing.T) {
	t.Parallel()
	besideOwner(t, 4102, func(h *apptest.Harness) {
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Sam, "/key "+ownKey)
		h.See(apptest.Sam, "on the team of Boutique El Djazair")
		h.Say(apptest.Lila, "/key remove")
		h.Tap(apptest.Lila, "🚪")
		h.Tap(apptest.Sam, "🚪 Leave the team")
		h.SeeAny(apptest.Sam, "This ends the team of 2")
		if h.Has(apptest.Karim, "its team has ended") {
			t.Error("the team has ended, and nobody was asked")
		}
		h.Tap(apptest.Sam, "Replace the old one")
		h.SeeAny(apptest.Karim, "its team has ended")
	})
}

// TestWhoLeavesByAKeyLeavesTheirDecision: what one of two owners was to decide about is the other's once they have left, by whichever way.
func TestWhoLeavesByAKeyLeavesTheirDecision(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"/key remove", "/key " + ownKey} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			besideOwner(t, 4102, func(h *apptest.Harness) {
				h.OrderLost(apptest.Lila, "Play Card", "25 USD", "1")
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Tap(apptest.Sam, "✅")
				h.Pass(5 * time.Second)
				h.Tap(apptest.Lila, "others go first")
				h.SeeAny(apptest.Lila, "our decision is needed")
				h.Pass(30 * time.Minute) // looks are far apart by now: none of them asks anew
				h.Say(apptest.Lila, way)
				if all := apptest.Plain(h.Texts(apptest.Sam)); strings.Contains(all, "our decision is needed") {
					t.Fatalf("they are asked before:\n%s", h.Transcript(apptest.Sam))
				}
				h.Tap(apptest.Lila, "🚪")
				h.Pass(3 * time.Second)
				if all := apptest.Plain(h.Texts(apptest.Sam)); !strings.Contains(all, "our decision is needed") {
					t.Errorf("who stays is not asked:\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestOwnKeyBesideWhatIsUncertain: who would leave a team by a key of their own reads before of what they have bought and nobody is sure of.
func TestOwnKeyBesideWhatIsUncertain(t *testing.T) {
	t.Parallel()
	besideOwner(t, 4102, func(h *apptest.Harness) {
		h.OrderLost(apptest.Lila, "Play Card", "25 USD", "1")
		h.Say(apptest.Lila, "/key "+ownKey)
		if text := apptest.Plain(h.See(apptest.Lila, "Link Karim's own").Text); !strings.Contains(text, "1 purchase is uncertain") {
			t.Errorf("it asks %s", text)
		}
	})
}
