package conversations_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
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

// inTeam plays with Sam as owner, Karim as seller and Lila at the counter.
func inTeam(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Join(apptest.Lila, h.Invite(apptest.Sam, "➕ Counter"))
		play(h)
	})
}

// limit has the owner set Karim's limit.
func limit(h *apptest.Harness, kind, amount string) {
	h.T.Helper()
	h.Say(apptest.Sam, "/team")
	h.Tap(apptest.Sam, "Karim")
	h.Tap(apptest.Sam, kind)
	h.Say(apptest.Sam, amount)
	h.See(apptest.Sam, "Karim")
}

// TestTeamInvitation: a link lets one person in, once, while it is good, and its token is kept nowhere.
func TestTeamInvitation(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		token := h.Invite(apptest.Sam, "➕ Seller")
		h.Telegram.Start(apptest.Karim, "no-such-token")
		h.Pass(time.Second)
		h.See(apptest.Karim, "no longer valid")
		h.Join(apptest.Karim, token)
		h.SeeAny(apptest.Sam, "Karim has joined your team: Seller.\nThey joined without a limit on what they buy.")
		h.Tap(apptest.Sam, "Set a limit")
		h.See(apptest.Sam, "Per purchase: no limit")
		h.Telegram.Start(apptest.Eve, token)
		h.Pass(time.Second)
		h.See(apptest.Eve, "no longer valid")
		h.Say(apptest.Eve, "/buy")
		h.See(apptest.Eve, "No account is linked")
		h.Telegram.Start(apptest.Karim, token)
		h.Pass(time.Second)
		h.See(apptest.Karim, "already on this team: Seller")
		h.Telegram.Start(apptest.Sam, h.Invite(apptest.Sam, "➕ Counter"))
		h.Pass(time.Second)
		h.See(apptest.Sam, "already on this team: Owner")

		back := h.Invite(apptest.Sam, "➕ Seller")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Cancel inv")
		h.Telegram.Start(apptest.Eve, back)
		h.Pass(time.Second)
		h.See(apptest.Eve, "no longer valid")

		late := h.Invite(apptest.Sam, "➕ Seller")
		tooOld, forgotten := func() { h.Sleep(24*time.Hour + time.Second) }, func() { h.Pass(time.Hour) }
		for _, wait := range []func(){tooOld, forgotten} {
			wait()
			h.Telegram.Start(apptest.Eve, late)
			h.Pass(time.Second)
			h.See(apptest.Eve, "no longer valid")
		}

		h.Say(apptest.Sam, "/team") // whose maker owns nothing any more
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Make owner")
		h.Tap(apptest.Sam, "Yes, make owner")
		void := h.Invite(apptest.Karim, "➕ Seller")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Make seller")
		h.Telegram.Start(apptest.Eve, void)
		h.Pass(time.Second)
		h.See(apptest.Eve, "no longer valid")

		h.Stop()
		text, err := os.ReadFile(filepath.Join(h.Dir, "data", "bot.db"))
		h.Must(err)
		for _, token := range []string{token, back, late} {
			if bytes.Contains(text, []byte(token)) {
				t.Error("the database holds the token of an invitation")
			}
			if strings.Contains(h.Log.String(), token) {
				t.Error("the log shows the token of an invitation")
			}
		}
	})
}

// TestTeamInvitationOfAnother: who speaks for an account of their own does not lose it by a link, which switches nothing either.
func TestTeamInvitationOfAnother(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-karim-000001", Name: "Karim's own", UserID: 4102, Balance: "10"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Karim, "/key KEY-of-karim-000001")
		h.See(apptest.Karim, "Karim's own")
		token := h.Invite(apptest.Sam, "➕ Seller")
		h.Telegram.Start(apptest.Karim, token)
		h.Pass(time.Second)
		h.See(apptest.Karim, "You have joined Boutique El Djazair. You are: Seller. The active account is still Karim's own.")
		h.Say(apptest.Karim, "/balance")
		h.See(apptest.Karim, "DZD 10")
		h.Say(apptest.Karim, "/key remove")
		h.See(apptest.Karim, "Active account now: Boutique El Djazair")
		h.Telegram.Start(apptest.Karim, token)
		h.Pass(time.Second)
		h.See(apptest.Karim, "already on this team: Seller")
	})
}

// TestTeamRoles: each may what their role holds, and is told so politely where it does not.
func TestTeamRoles(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Buy(apptest.Karim, "Play Card", "10 USD", "1")
		h.Bought(1)
		code := h.Service.Orders()[0].Code

		for _, c := range []struct {
			user    int64
			command string
			want    string
		}{
			{apptest.Karim, "/balance", "Only the owner"}, {apptest.Karim, "/alerts", "Only the owner"}, {apptest.Karim, "/team", "Only the owner"},
			{apptest.Karim, "/lock", "Only the owner"}, {apptest.Karim, "/unlock", "Only the owner"},
			{apptest.Lila, "/buy", "Your role does not include that: Counter"}, {apptest.Lila, "/topup", "Your role"}, {apptest.Lila, "/stock", "Your role"},
			{apptest.Lila, "play card", "Delivered"}, {apptest.Lila, "/balance", "Only the owner"}, {apptest.Lila, "/team", "Only the owner"},
			{apptest.Eve, "/team", "No account is linked"}, {apptest.Eve, "/lock", "No account is linked"}, {apptest.Eve, "/orders", "No orders yet"},
		} {
			if c.user == apptest.Eve {
				h.Pass(5 * time.Second) // a stranger is answered ever less often
			}
			h.Say(c.user, c.command)
			if got := apptest.Plain(h.See(c.user, "").Text); !strings.Contains(got, c.want) {
				t.Errorf("%d is told of %s: %s", c.user, c.command, got)
			}
		}
		// The counter got the delivery, without its code until it is asked for.
		h.SeeAny(apptest.Lila, "Karim")
		if slices.Contains(h.Codes(apptest.Lila), code) {
			t.Error("the counter was shown the code without asking")
		}
		h.Say(apptest.Lila, "/orders")
		h.Tap(apptest.Lila, "1")
		if slices.Contains(h.Codes(apptest.Lila), code) {
			t.Error("an order shows its code to the counter")
		}
		h.Tap(apptest.Lila, "👁")
		if !slices.Contains(h.Codes(apptest.Lila), code) {
			t.Errorf("the counter cannot get the code:\n%s", h.Transcript(apptest.Lila))
		}
		// The owner sees what everybody has bought, and who was shown its code.
		h.Say(apptest.Sam, "/orders")
		h.See(apptest.Sam, "No orders yet")
		h.Tap(apptest.Sam, "team's orders")
		h.Tap(apptest.Sam, "1")
		h.See(apptest.Sam, "Codes shown to Lila")
		if !slices.Contains(h.Codes(apptest.Sam), code) {
			t.Error("the owner does not see the code")
		}
		// A forged button is worth no more than its maker.
		under := h.See(apptest.Karim, "").ID
		for _, data := range []string{"1:balance", "1:movements", "1:alerts", "1:team", "1:lock", "1:personrole:601:owner:yes", "1:vault:502", "1:placefull:yes"} {
			id := h.Telegram.Tap(apptest.Karim, apptest.Karim, under, data)
			h.Pass(time.Second)
			h.RefusedWith(h.Answer(id), "Your role does not include that")
		}
		if strings.Contains(h.Texts(apptest.Karim), "23,749") || strings.Contains(h.Texts(apptest.Lila), "23,749") {
			t.Error("somebody else than the owner has seen the balance")
		}
		h.Answered()
	})
}

// TestTeamMoneyIsTheOwners: a seller never sees what is in the wallet, neither before nor after a purchase, nor
// when it is too little.
func TestTeamMoneyIsTheOwners(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Karim, "/start")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Service.SetStock(101, 0)
		h.Tap(apptest.Karim, "✅")
		h.See(apptest.Karim, "Nothing was charged")
		h.Service.SetStock(101, 50)
		h.Service.SetBalance(apptest.TestKey, "777.77")
		h.Pass(time.Minute)
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.See(apptest.Karim, "is too low for this")
		h.Pass(6 * time.Minute)
		for _, figure := range []string{"25,000", "23,749", "777", "472"} {
			if strings.Contains(h.Texts(apptest.Karim), figure) {
				t.Errorf("the seller has seen %s:\n%s", figure, h.Texts(apptest.Karim))
			}
		}
		h.Bought(0)
	})
}

// TestTeamRemoved: from the moment that somebody is taken out, nothing that is on their screen does anything, and
// what they had on the way goes to the owner, who is told.
func TestTeamRemoved(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Buy(apptest.Karim, "Play Card", "10 USD", "1")
		first := h.Service.Orders()[0].Code

		h.Service.HoldOrders(true)
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.SeeAny(apptest.Karim, "Bought. The code")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		summary := h.See(apptest.Karim, "10 USD")
		confirm := apptest.ConfirmData(t, summary)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.See(apptest.Sam, "Remove Karim")
		h.Tap(apptest.Sam, "Yes, remove")
		h.See(apptest.Karim, "no longer on the team")
		shown := len(h.Codes(apptest.Karim))

		h.Telegram.Tap(apptest.Karim, apptest.Karim, summary.ID, confirm)
		h.Pass(2 * time.Second)
		for _, m := range h.Telegram.Messages(apptest.Karim) {
			for _, row := range m.Keyboard {
				for _, b := range row {
					if b.Data != "" {
						h.Telegram.Tap(apptest.Karim, apptest.Karim, m.ID, b.Data)
						h.Pass(time.Second)
					}
				}
			}
		}
		for _, words := range []string{"2", "play card", "/buy"} {
			h.Say(apptest.Karim, words)
		}
		h.Say(apptest.Karim, "/orders")
		h.See(apptest.Karim, "Nothing is listed here")
		for _, p := range purchases(h) {
			for _, verb := range []string{"order", "again", "reveal", "why"} {
				h.Telegram.Tap(apptest.Karim, apptest.Karim, summary.ID, "1+:"+verb+":"+p.ID)
				h.Pass(time.Second)
			}
		}
		h.Bought(2)
		h.Service.HoldOrders(false)
		h.Pass(time.Minute)
		second := h.Service.Orders()[1].Code
		if !slices.Contains(h.Codes(apptest.Sam), second) {
			t.Errorf("the owner has not got what was on the way:\n%s", h.Transcript(apptest.Sam))
		}
		h.SeeAny(apptest.Sam, "A purchase of Karim")
		if slices.Contains(h.Codes(apptest.Karim), second) || len(h.Codes(apptest.Karim)) > shown {
			t.Errorf("somebody who is gone was shown a code:\n%s", h.Transcript(apptest.Karim))
		}
		if slices.Contains(h.Codes(apptest.Sam), first) {
			t.Error("what Karim had got was sent to the owner as well")
		}
		h.Answered()
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller")) // and back
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.Pass(time.Minute)
		h.Bought(3)
	})
}

// TestTeamQuestionsEnd: a question that was open when somebody was taken out, or got another role, is not open any
// more when they are back.
func TestTeamQuestionsEnd(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*apptest.Harness){
		"taken out": func(h *apptest.Harness) {
			h.Tap(apptest.Sam, "Remove")
			h.Tap(apptest.Sam, "Yes, remove")
			h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		},
		"another role": func(h *apptest.Harness) {
			h.Tap(apptest.Sam, "Make counter")
			h.SeeAny(apptest.Karim, "You are now: Counter")
			h.Tap(apptest.Sam, "Make seller")
		},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(h *apptest.Harness) {
				h.Say(apptest.Karim, "/buy play")
				h.Tap(apptest.Karim, "10 USD")
				h.See(apptest.Karim, "How many?")
				commandIn(h, apptest.Karim, shop, 0, "/buy@shop_bot play")
				h.TapIn(apptest.Karim, shop, "10 USD")
				question := h.See(shop, "How many?")
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, "Karim")
				change(h)
				h.Say(apptest.Karim, "3")
				h.Telegram.Reply(apptest.Karim, shop, question.ID, "3")
				h.Telegram.Tap(apptest.Karim, shop, question.ID, "1:qty:3")
				h.Pass(2 * time.Second)
				if text := h.Texts(apptest.Karim) + h.Texts(shop); strings.Contains(text, "Check before buying") {
					t.Errorf("the old question was answered:\n%s", text)
				}
			})
		})
	}
}

// TestTeamStaysAmongItself: owning an account opens nothing of another one's.
func TestTeamStaysAmongItself(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-eve-0000001", Name: "Eve's own", UserID: 4102, Balance: "10"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Eve, "/key KEY-of-eve-0000001")
		buy(h, apptest.Karim)
		code := h.Service.Orders()[0].Code
		under := h.See(apptest.Eve, "").ID
		for _, p := range purchases(h) {
			for _, data := range []string{"1+:order:", "1+:reveal:", "1+:again:", "1+:why:", "1+:decide:", "1+:drop:"} {
				h.Telegram.Tap(apptest.Eve, apptest.Eve, under, data+p.ID)
				h.Pass(time.Second)
			}
		}
		for _, data := range []string{"1+:vault:601", "1+:person:601", "1+:personout:601:yes", "1+:personrole:601:owner:yes", "1+:limitset:601:day:0"} {
			h.Telegram.Tap(apptest.Eve, apptest.Eve, under, data)
			h.Pass(time.Second)
		}
		if strings.Contains(h.Texts(apptest.Eve), code) || strings.Contains(h.Texts(apptest.Eve), "Karim") || strings.Contains(h.Texts(apptest.Eve), "Play Card · 10 USD") {
			t.Errorf("another account's owner was shown:\n%s", h.Texts(apptest.Eve))
		}
		buy(h, apptest.Karim) // nobody has taken anything from them
	})
}

// purchases lists what the store of the running bot's file holds. The bot is stopped for it and started again.
func purchases(h *apptest.Harness) []store.Purchase {
	h.T.Helper()
	var all []store.Purchase
	h.InStore(func(s *store.Store) {
		for _, chat := range []int64{apptest.Sam, apptest.Yasmine, apptest.Karim, apptest.Lila, apptest.Eve, -700} {
			list, err := s.ChatPurchases(context.Background(), chat, "", 1000)
			h.Must(err)
			all = append(all, list...)
		}
	})
	return all
}

// TestTeamHandover: an account goes from one owner to another, always has one, and what is on the way goes where
// it was bought.
func TestTeamHandover(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Sam")
		h.RefusedWith(h.TapIn(apptest.Sam, apptest.Sam, "Make seller"), "the only owner")
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Bought. The code")

		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Make owner")
		h.See(apptest.Sam, "Make Karim an owner?")
		h.Say(apptest.Karim, "/balance")
		h.See(apptest.Karim, "Only the owner")
		h.Tap(apptest.Sam, "Yes, make owner")
		h.SeeAny(apptest.Karim, "You are now: Owner")
		h.Say(apptest.Karim, "/balance")
		h.See(apptest.Karim, "23,749.50")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Sam")
		h.Tap(apptest.Sam, "Make seller")
		h.SeeAny(apptest.Karim, "The role of Sam has changed: Seller")
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "Only the owner")
		h.Say(apptest.Sam, "/team")
		h.See(apptest.Sam, "Only the owner")

		h.Service.HoldOrders(false)
		h.Pass(time.Minute)
		h.Delivered(apptest.Sam)
		if len(h.Codes(apptest.Karim)) != 0 {
			t.Error("what Sam has bought went to the new owner")
		}
		h.Pass(6 * time.Minute)
		h.Service.SetBalance(apptest.TestKey, "100")
		h.Pass(apptest.Alarmed)
		h.SeeAny(apptest.Karim, "left the balance")
		if strings.Contains(h.Texts(apptest.Sam), "left the balance") {
			t.Error("the alarm went to the former owner")
		}
		h.Say(apptest.Sam, "/key remove") // leaves as anybody can
		h.Tap(apptest.Sam, "Yes, leave")
		h.SeeAny(apptest.Karim, "Sam has left your team")
		h.Say(apptest.Karim, "/buy")
		h.Tap(apptest.Karim, "Play Card")
	})
}

// TestTeamWithoutOwner: with its last owner the whole team goes, and everybody is told. Linked again within 30 days
// it is back, with its limits, but for those who have joined another team; later it is not.
func TestTeamWithoutOwner(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		summary := h.See(apptest.Karim, "10 USD")
		unlink(h, "ends the team of 3")
		h.SeeAny(apptest.Karim, "its team has ended")
		h.SeeAny(apptest.Lila, "its team has ended")
		h.Telegram.Tap(apptest.Karim, apptest.Karim, summary.ID, apptest.ConfirmData(t, summary))
		h.Pass(10 * time.Second)
		h.Bought(0)
		h.Say(apptest.Karim, "/buy")
		h.See(apptest.Karim, "No account is linked")
		h.Sleep(31 * 24 * time.Hour)
		h.Link(apptest.Sam) // and it begins anew, with nobody else
		h.Say(apptest.Sam, "/team")
		if text := apptest.Plain(h.See(apptest.Sam, "Team of").Text); strings.Contains(text, "Karim") {
			t.Errorf("the team is back: %s", text)
		}
	})
}

// unlink has Sam unlink an account that a team works with.
func unlink(h *apptest.Harness, words string) {
	h.T.Helper()
	h.Say(apptest.Sam, "/key remove")
	h.See(apptest.Sam, words)
	h.Tap(apptest.Sam, "Yes, unlink")
	h.See(apptest.Sam, "unlinked")
}

// TestTeamLock: an owner stops all spending from any chat, at once and for everybody, and allows it again.
func TestTeamLock(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Telegram.AddGroup(-700, "Anywhere", apptest.Sam, apptest.Karim)
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Telegram.Send(apptest.Karim, -700, "/lock@shop_bot")
		h.Pass(time.Second)
		if strings.Contains(h.Texts(-700), "is locked") {
			t.Fatal("a seller has locked the account")
		}
		h.Telegram.Send(apptest.Sam, -700, "/lock@shop_bot") // from a group that is linked to nothing
		h.Pass(time.Second)
		h.See(-700, "Purchases are locked")
		h.RefusedWith(h.TapIn(apptest.Karim, apptest.Karim, "✅"), "locked purchases")
		h.Say(apptest.Karim, "/start")
		h.See(apptest.Karim, "Purchases are locked by Sam")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.RefusedWith(h.TapIn(apptest.Sam, apptest.Sam, "✅"), "locked purchases")
		h.Pass(time.Minute)
		h.Bought(0)
		h.Stop()
		h.Start() // it outlasts a restart
		h.RefusedWith(h.TapIn(apptest.Karim, apptest.Karim, "✅"), "locked purchases")
		if _, err := h.Telegram.TapButton(apptest.Karim, -700, "Unlock"); err != nil {
			t.Fatal(err)
		}
		h.Pass(time.Second)
		h.Say(apptest.Karim, "/unlock")
		h.RefusedWith(h.TapIn(apptest.Karim, apptest.Karim, "✅"), "locked purchases")
		h.TapIn(apptest.Sam, -700, "Unlock")
		h.See(-700, "unlocked")
		h.Tap(apptest.Karim, "✅")
		h.Delivered(apptest.Karim)
		h.Bought(1)
		h.Say(apptest.Sam, "/lock")
		h.See(apptest.Sam, "Purchases are locked")
		h.Say(apptest.Sam, "/unlock")
		h.See(apptest.Sam, "unlocked")
	})
}

// TestTeamOwnerBlocks: where one owner cannot be reached the other one hears of everything, and nothing of the
// first one's is lost.
func TestTeamOwnerBlocks(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		h.Link(apptest.Yasmine) // has the key, and so is an owner
		h.SeeAny(apptest.Sam, "Yasmine has linked this account with its API key")
		limit(h, "Per purchase", "100")
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Bought. The code")
		h.Telegram.Block(apptest.Sam)
		h.Service.HoldOrders(false)
		h.Pass(2 * time.Minute)
		h.SeeAny(apptest.Yasmine, "n'ont pas pu être livrés") // offered, not sent
		if len(h.Codes(apptest.Yasmine)) != 0 {
			t.Error("the code of one owner was sent to the other")
		}
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Tap(apptest.Karim, "Ask for approval")
		h.SeeAny(apptest.Yasmine, "Karim demande à acheter")
		h.Tap(apptest.Yasmine, "✅")
		h.SeeAny(apptest.Karim, "Approved by Yasmine")
		h.Pass(time.Minute)
		h.Service.SetBalance(apptest.TestKey, "100")
		h.Pass(apptest.Alarmed)
		h.SeeAny(apptest.Yasmine, "🚨")
		h.Telegram.Unblock(apptest.Sam)
		h.Say(apptest.Sam, "/start")
		h.Pass(time.Minute)
		if !slices.Contains(h.Codes(apptest.Sam), h.Service.Orders()[0].Code) {
			t.Errorf("the code has not come back:\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestTeamBeforeTeams: an account that was stored before there were teams belongs to whoever had linked it.
func TestTeamBeforeTeams(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.InStore(func(s *store.Store) {
			h.Must(s.Update(context.Background(), func(tx *store.Tx) error {
				a, err := tx.Account("u4101")
				if err != nil {
					return err
				}
				a.Team = nil
				return tx.PutAccount(&a)
			}))
		})
		h.Say(apptest.Sam, "/balance")
		h.See(apptest.Sam, "25,000")
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Sam, "/team")
		h.See(apptest.Sam, "Owner · Sam") // his name was not written down then
		h.Say(apptest.Karim, "/balance")
		h.See(apptest.Karim, "Only the owner")
	})
}

// TestTeamNames: whatever somebody is called, it stays a name.
func TestTeamNames(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Telegram.AddUser(tgsim.User{ID: 603, FirstName: "<b>✅ Buy</b>\u202E&", LanguageCode: "ar"})
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Telegram.Start(603, h.Invite(apptest.Sam, "➕ Seller"))
		h.Pass(time.Second)
		h.SeeAny(apptest.Sam, "<b>✅ Buy</b>& has joined")
		h.Say(apptest.Sam, "/team")
		for _, row := range h.See(apptest.Sam, "Team of").Keyboard {
			for _, b := range row {
				if strings.HasPrefix(b.Text, "✅") {
					t.Errorf("a button begins as one that spends: %q", b.Text)
				}
			}
		}
		h.Tap(apptest.Sam, "Buy</b>")
		h.See(apptest.Sam, "Seller")
	})
}

// TestALockIsSaidWhereSomethingIsOrdered: the summary of an item and the card of a list say that spending is stopped. In each language.
func TestALockIsSaidWhereSomethingIsOrdered(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "Purchases are locked", "fr": "Achats bloqués", "ar": "الشراء موقوف"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				chooseLanguage(h, apptest.Sam, lang)
				for _, command := range []string{"/lock", "/unlock"} {
					h.Say(apptest.Sam, command)
					for _, order := range []string{"pc5 x1", "pc5 x1\npc5 x2"} {
						h.Say(apptest.Sam, order)
						h.Pass(5 * time.Second)
						text := plainly(last(ofBot(h, apptest.Sam)).Text)
						if strings.Contains(text, words) != (command == "/lock") {
							t.Errorf("after %s, %q leads to\n%s", command, order, text)
						}
					}
				}
				h.Bought(0)
			})
		})
	}
}
