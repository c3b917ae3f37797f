package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

const ownShop = "Boutique El Djazair"

// inTwoAccounts plays with Sam, who owns a shop and, beside it, another account, which is the active one.
func inTwoAccounts(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "9000"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/key "+otherKey)
		h.See(apptest.Sam, otherShop+" is another account than "+ownShop)
		h.Tap(apptest.Sam, "➕ Keep both")
		h.See(apptest.Sam, ownShop+" stays linked")
		play(h)
	})
}

// switchTo has Sam switch to an account, from home.
func switchTo(h *apptest.Harness, account string) {
	h.T.Helper()
	h.Say(apptest.Sam, "/start")
	h.Tap(apptest.Sam, "🔀 "+account)
	h.See(apptest.Sam, "Active account now: "+account)
}

// tapOf is what a button of a message means.
func tapOf(tb testing.TB, m tgsim.Message, text string) string {
	tb.Helper()
	for _, k := range slices.Concat(m.Keyboard...) {
		if strings.HasPrefix(k.Text, text) {
			return k.Data
		}
	}
	tb.Fatalf("there is no button %q under %q", text, m.Text)
	return ""
}

// TestSwitchVoidsWhatIsNotConfirmed: a ✅ of one account buys nothing behind a switch to another, be it of a summary or of a list,
// also where the person is back; and they are told.
func TestSwitchVoidsWhatIsNotConfirmed(t *testing.T) {
	t.Parallel()
	for name, draft := range map[string]func(*apptest.Harness){
		"summary": func(h *apptest.Harness) { h.Order(apptest.Sam, "Play Card", "10 USD", "1") },
		"list":    func(h *apptest.Harness) { h.Say(apptest.Sam, "play card 10 x1\nplay card 10 x2") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTwoAccounts(t, func(h *apptest.Harness) {
				draft(h)
				m := h.SeeLast(apptest.Sam, "🏪 "+otherShop)
				confirm := tapOf(t, m, "✅")
				switchTo(h, ownShop)
				if said := apptest.Plain(h.SeeLast(apptest.Sam, "Active account now").Text); !strings.Contains(said, "What was not confirmed is cancelled") {
					t.Errorf("they are told %q", said)
				}
				for _, account := range []string{ownShop, otherShop} {
					if account != ownShop {
						switchTo(h, account)
					}
					h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, confirm)
					h.Pass(time.Minute)
				}
				h.Bought(0)
				h.Answered()
			})
		})
	}
}

// TestConfirmedGoesOnBehindASwitch: what was confirmed for one account is delivered while another is active, and names its account;
// there its buttons lead to a switch, and nothing else of it shows.
func TestConfirmedGoesOnBehindASwitch(t *testing.T) {
	t.Parallel()
	inTwoAccounts(t, func(h *apptest.Harness) {
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(5 * time.Second)
		switchTo(h, ownShop)
		h.Service.HoldOrders(false)
		h.Delivered(apptest.Sam)
		h.Bought(1)
		receipt := h.SeeLast(apptest.Sam, "🎉 Delivered")
		if !strings.HasPrefix(apptest.Plain(receipt.Text), "🏪 "+otherShop) {
			t.Errorf("the receipt does not name its account: %s", receipt.Text)
		}
		ref := ""
		h.InStore(func(s *store.Store) {
			bought, err := s.ChatPurchases(t.Context(), apptest.Sam, "", 1)
			h.Must(err)
			ref = store.Ref(bought[0].ID)
		})
		for _, words := range []string{"/orders", "/orders Play", "#" + ref, h.Service.Orders()[0].Code} {
			h.Say(apptest.Sam, words)
			h.Pass(3 * time.Second)
			if m := last(h.Telegram.Messages(apptest.Sam)); strings.Contains(m.Text, ref) && words != "#"+ref || strings.Contains(m.Text, "10 USD") {
				t.Errorf("%s shows what is another account's: %s", words, m.Text)
			}
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, receipt.ID, tapOf(t, receipt, "🔁"))
		h.Pass(time.Second)
		h.See(apptest.Sam, "This is from "+otherShop+". The active account is "+ownShop)
		h.Tap(apptest.Sam, "🔀 "+otherShop)
		h.See(apptest.Sam, "#"+ref)
		h.Bought(1)
		h.Answered()
	})
}

// TestButtonsOfAnotherAccount: what is tapped under a screen of one account does nothing to another.
func TestButtonsOfAnotherAccount(t *testing.T) {
	t.Parallel()
	inTwoAccounts(t, func(h *apptest.Harness) {
		switchTo(h, ownShop)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Sam, "/team")
		team := h.See(apptest.Sam, "Karim")
		switchTo(h, otherShop)
		for _, button := range []string{"👤 Karim", "🔒"} {
			for _, k := range slices.Concat(team.Keyboard...) {
				if strings.HasPrefix(k.Text, button) {
					h.Telegram.Tap(apptest.Sam, apptest.Sam, team.ID, k.Data)
					h.Pass(time.Second)
					h.See(apptest.Sam, "This is from "+ownShop)
				}
			}
		}
		h.InStore(func(s *store.Store) {
			c, err := s.Chat(t.Context(), apptest.Sam)
			h.Must(err)
			for _, id := range c.Accounts() {
				if a, err := s.Account(t.Context(), id); err != nil || a.Locked != nil {
					t.Errorf("account %s: %v, %+v", id, err, a.Locked)
				}
			}
		})
		h.Answered()
	})
}

// TestNotesOfBeforeTheSecondAccount: the buttons of what came by itself while there was one account say whose they are, and lead there, once there are two.
func TestNotesOfBeforeTheSecondAccount(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "9000"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		note := h.SeeAny(apptest.Sam, "has joined your team")
		h.Say(apptest.Sam, "/key "+otherKey)
		h.Tap(apptest.Sam, "➕ Keep both")
		for _, button := range []string{"🎯 Set a limit", "👥 Team"} {
			h.Telegram.Tap(apptest.Sam, apptest.Sam, note.ID, tapOf(t, note, button))
			h.Pass(2 * time.Second)
			h.SeeLast(apptest.Sam, "This is from "+ownShop)
			if now := h.SeeAny(apptest.Sam, "has joined your team"); now.ID != note.ID {
				t.Errorf("the note gave way to something else: %s", h.Transcript(apptest.Sam))
			}
		}
		switchTo(h, ownShop)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, note.ID, tapOf(t, note, "👥 Team"))
		h.Pass(2 * time.Second)
		h.SeeAny(apptest.Sam, "Team of "+ownShop)
		h.Answered()
	})
}

// TestNothingOfOneAccountInTheOther: alerts, orders, players and what was bought last are those of the active account; what comes by
// itself comes from both, and names its own.
func TestNothingOfOneAccountInTheOther(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTwoAccounts(t, func(h *apptest.Harness) {
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Low balance")
		h.Tap(apptest.Sam, "20,000")
		switchTo(h, ownShop)
		home := h.SeeLast(apptest.Sam, "Active account now")
		if strings.Contains(fmt.Sprint(home.Keyboard), "🔁") || strings.Contains(home.Text, otherShop) {
			t.Errorf("home shows what is another account's: %s %v", home.Text, home.Keyboard)
		}
		h.Say(apptest.Sam, "/alerts")
		if m := h.See(apptest.Sam, "🏪 "+ownShop); strings.Contains(apptest.Plain(m.Text), "20,000") {
			t.Errorf("the alerts are another account's: %s", m.Text)
		}
		h.Service.SetBalance(otherKey, "600")
		h.Pass(6 * time.Minute)
		if m := h.SeeLast(apptest.Sam, "600"); !strings.HasPrefix(apptest.Plain(m.Text), "🏪 "+otherShop) {
			t.Errorf("an alert does not name its account: %s", m.Text)
		}
		h.Answered()
	})
}

// TestFallsBack: who is taken out of the team that is active for them goes on with their other account, and is told.
func TestFallsBack(t *testing.T) {
	t.Parallel()
	inTwoAccounts(t, func(h *apptest.Harness) {
		h.Say(apptest.Karim, "/key KEY-nobody")
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-karim-000001", Name: "Karim's own", UserID: 4103, Balance: "10"}))
		h.Say(apptest.Karim, "/key KEY-of-karim-000001")
		h.See(apptest.Karim, "Karim's own")
		h.Telegram.Start(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Pass(time.Second)
		h.See(apptest.Karim, "You have joined "+otherShop)
		h.Tap(apptest.Karim, "🔀 "+otherShop)
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		summary := h.See(apptest.Karim, "🏪 "+otherShop)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "🚪 Remove")
		h.Tap(apptest.Sam, "Yes")
		h.SeeAny(apptest.Karim, "Active account now: Karim's own")
		h.Telegram.Tap(apptest.Karim, apptest.Karim, summary.ID, tapOf(t, summary, "✅"))
		h.Pass(time.Minute)
		h.Bought(0)
		h.Say(apptest.Karim, "/balance")
		h.See(apptest.Karim, "DZD 10")
		h.Stop()
		h.Command("check")
		h.Start()
		h.Answered()
	})
}

// TestHomeNamesItsAccountOnce: with several accounts home, which names its own, is not headed by the same name once more.
func TestHomeNamesItsAccountOnce(t *testing.T) {
	t.Parallel()
	inTwoAccounts(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/start")
		h.Pass(2 * time.Second)
		if text := apptest.Plain(last(ofBot(h, apptest.Sam)).Text); strings.Count(text, otherShop) != 1 {
			t.Errorf("home is\n%s", text)
		}
		h.Say(apptest.Sam, "/stock")
		h.See(apptest.Sam, otherShop)
	})
}
