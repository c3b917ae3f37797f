package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

// Who else there is in the tests of teams. Sam owns the account in them.
const (
	karim = int64(601) // becomes a seller
	lila  = int64(602) // comes to the counter
	eve   = int64(666) // is nobody's
)

// people is a shop's goods, and the people around it.
func people(h *house) {
	stock(h)
	for id, name := range map[int64]string{karim: "Karim", lila: "Lila", eve: "Eve"} {
		h.telegram.AddUser(tgsim.User{ID: id, FirstName: name, LanguageCode: "en"})
	}
}

// inTeam plays with Sam as owner, Karim as seller and Lila at the counter.
func inTeam(t *testing.T, play func(*house)) {
	t.Helper()
	inHouse(t, people, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.join(lila, h.invite(sam, "➕ Counter"))
		play(h)
	})
}

var startLink = regexp.MustCompile(`https://t\.me/shop_bot\?start=([A-Za-z0-9_-]+)`)

// invite has an owner make an invitation, and returns its token.
func (h *house) invite(owner int64, role string) string {
	h.t.Helper()
	h.say(owner, "/team")
	h.tap(owner, role)
	m := startLink.FindStringSubmatch(plain(h.see(owner, "Send this link").Text))
	if m == nil {
		h.t.Fatalf("there is no link:\n%s", h.transcript(owner))
	}
	return m[1]
}

// join has somebody open an invitation.
func (h *house) join(user int64, token string) {
	h.t.Helper()
	h.telegram.Start(user, token)
	h.pass(time.Second)
	h.see(user, "Welcome to Boutique El Djazair")
}

// tapIn taps the newest button of a chat whose text holds the words, and returns how the tap was answered.
func (h *house) tapIn(user, chat int64, words string) tgsim.Callback {
	h.t.Helper()
	id, err := h.telegram.TapButton(user, chat, words)
	if err != nil {
		h.t.Fatalf("tap %q: %v\n%s", words, err, h.transcript(chat))
	}
	h.pass(time.Second)
	return h.answer(id)
}

// answer is how a tap was answered.
func (h *house) answer(id string) tgsim.Callback {
	h.t.Helper()
	all := h.telegram.Callbacks()
	i := slices.IndexFunc(all, func(c tgsim.Callback) bool { return c.ID == id })
	if i < 0 {
		h.t.Fatalf("there was no tap %s", id)
	}
	return all[i]
}

// refusedWith fails the test unless a tap was answered with a word to be confirmed.
func (h *house) refusedWith(c tgsim.Callback, words string) {
	h.t.Helper()
	if !c.Alert || !strings.Contains(plain(c.Text), words) {
		h.t.Errorf("the tap on %q was answered with %q, alert %v; want %q", c.Data, c.Text, c.Alert, words)
	}
}

// texts is everything that a chat shows.
func (h *house) texts(chat int64) string {
	var b strings.Builder
	for _, m := range h.telegram.Messages(chat) {
		if m.FromBot && !m.Deleted {
			b.WriteString(plain(m.Text) + "\n")
		}
	}
	return b.String()
}

// limit has the owner set Karim's limit.
func (h *house) limit(kind, amount string) {
	h.t.Helper()
	h.say(sam, "/team")
	h.tap(sam, "Karim")
	h.tap(sam, kind)
	h.say(sam, amount)
	h.see(sam, "Karim")
}

// TestTeamInvitation: a link lets one person in, once, while it is good, and its token is kept nowhere.
func TestTeamInvitation(t *testing.T) {
	t.Parallel()
	inHouse(t, people, func(h *house) {
		h.link(sam)
		token := h.invite(sam, "➕ Seller")
		h.telegram.Start(karim, "no-such-token")
		h.pass(time.Second)
		h.see(karim, "no longer good")
		h.join(karim, token)
		h.seeAny(sam, "Karim has joined your team: Seller")
		h.telegram.Start(eve, token)
		h.pass(time.Second)
		h.see(eve, "no longer good")
		h.say(eve, "/buy")
		h.see(eve, "No account is linked")
		h.telegram.Start(karim, token)
		h.pass(time.Second)
		h.see(karim, "of this team already: Seller")
		h.telegram.Start(sam, h.invite(sam, "➕ Counter"))
		h.pass(time.Second)
		h.see(sam, "of this team already: Owner")

		back := h.invite(sam, "➕ Seller")
		h.say(sam, "/team")
		h.tap(sam, "Take back")
		h.telegram.Start(eve, back)
		h.pass(time.Second)
		h.see(eve, "no longer good")

		late := h.invite(sam, "➕ Seller")
		tooOld, forgotten := func() { h.sleep(24*time.Hour + time.Second) }, func() { h.pass(time.Hour) }
		for _, wait := range []func(){tooOld, forgotten} {
			wait()
			h.telegram.Start(eve, late)
			h.pass(time.Second)
			h.see(eve, "no longer good")
		}

		h.say(sam, "/team") // whose maker owns nothing any more
		h.tap(sam, "Karim")
		h.tap(sam, "Make owner")
		h.tap(sam, "Yes, make owner")
		void := h.invite(karim, "➕ Seller")
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Make seller")
		h.telegram.Start(eve, void)
		h.pass(time.Second)
		h.see(eve, "no longer good")

		h.stop()
		text, err := os.ReadFile(filepath.Join(h.dir, "data", "bot.db"))
		h.must(err)
		for _, token := range []string{token, back, late} {
			if bytes.Contains(text, []byte(token)) {
				t.Error("the database holds the token of an invitation")
			}
			if strings.Contains(h.log.String(), token) {
				t.Error("the log shows the token of an invitation")
			}
		}
	})
}

// TestTeamInvitationOfAnother: who speaks for an account of their own does not lose it by a link.
func TestTeamInvitationOfAnother(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		people(h)
		h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-of-karim-000001", Name: "Karim's own", UserID: 4102, Balance: "10"}))
	}, func(h *house) {
		h.link(sam)
		h.say(karim, "/key KEY-of-karim-000001")
		h.see(karim, "Karim's own")
		token := h.invite(sam, "➕ Seller")
		h.telegram.Start(karim, token)
		h.pass(time.Second)
		h.see(karim, "linked to Karim's own")
		h.say(karim, "/balance")
		h.see(karim, "DZD 10")
		h.say(karim, "/key remove")
		h.join(karim, token) // it is still good
	})
}

// TestTeamRoles: each may what their role holds, and is told so politely where it does not.
func TestTeamRoles(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.delivered(karim)
		h.bought(1)
		code := h.service.Orders()[0].Code

		for _, c := range []struct {
			user    int64
			command string
			want    string
		}{
			{karim, "/balance", "Only an owner"}, {karim, "/alerts", "Only an owner"}, {karim, "/team", "Only an owner"},
			{karim, "/lock", "Only an owner"}, {karim, "/unlock", "Only an owner"},
			{lila, "/buy", "Your role does not include that: Counter"}, {lila, "/topup", "Your role"}, {lila, "/stock", "Your role"},
			{lila, "play card", "Your role"}, {lila, "/balance", "Only an owner"}, {lila, "/team", "Only an owner"},
			{eve, "/team", "No account is linked"}, {eve, "/lock", "No account is linked"}, {eve, "/orders", "No purchases yet"},
		} {
			if c.user == eve {
				h.pass(5 * time.Second) // a stranger is answered ever less often
			}
			h.say(c.user, c.command)
			if got := plain(h.see(c.user, "").Text); !strings.Contains(got, c.want) {
				t.Errorf("%d is told of %s: %s", c.user, c.command, got)
			}
		}
		// The counter got the delivery, without its code until it is asked for.
		h.seeAny(lila, "Karim")
		if slices.Contains(h.codes(lila), code) {
			t.Error("the counter was shown the code without asking")
		}
		h.say(lila, "/orders")
		h.tap(lila, "Play Card")
		if slices.Contains(h.codes(lila), code) {
			t.Error("an order shows its code to the counter")
		}
		h.tap(lila, "👁")
		if !slices.Contains(h.codes(lila), code) {
			t.Errorf("the counter cannot get the code:\n%s", h.transcript(lila))
		}
		// The owner sees what everybody has bought, and who was shown its code.
		h.say(sam, "/orders")
		h.see(sam, "No purchases yet")
		h.tap(sam, "whole team")
		h.tap(sam, "Play Card")
		h.see(sam, "Codes shown to Lila")
		if !slices.Contains(h.codes(sam), code) {
			t.Error("the owner does not see the code")
		}
		// A forged button is worth no more than its maker.
		under := h.see(karim, "").ID
		for _, data := range []string{"1:balance", "1:movements", "1:alerts", "1:team", "1:lock", "1:personrole:601:owner:yes", "1:vault:502", "1:placefull:yes"} {
			id := h.telegram.Tap(karim, karim, under, data)
			h.pass(time.Second)
			h.refusedWith(h.answer(id), "Your role does not include that")
		}
		if strings.Contains(h.texts(karim), "23,749") || strings.Contains(h.texts(lila), "23,749") {
			t.Error("somebody else than the owner has seen the balance")
		}
		h.answered()
	})
}

// TestTeamMoneyIsTheOwners: a seller never sees what is in the wallet, neither before nor after a purchase, nor
// when it is too little.
func TestTeamMoneyIsTheOwners(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.say(karim, "/start")
		h.order(karim, "Play Card", "10 USD", "1")
		h.service.SetStock(101, 0)
		h.tap(karim, "✅")
		h.see(karim, "Nothing was charged")
		h.service.SetStock(101, 50)
		h.service.SetBalance(testKey, "777.77")
		h.pass(time.Minute)
		h.order(karim, "Play Card", "10 USD", "1")
		h.see(karim, "does not cover this")
		h.pass(6 * time.Minute)
		for _, figure := range []string{"25,000", "23,749", "777", "472"} {
			if strings.Contains(h.texts(karim), figure) {
				t.Errorf("the seller has seen %s:\n%s", figure, h.texts(karim))
			}
		}
		h.bought(0)
	})
}

// TestTeamRemoved: from the moment that somebody is taken out, nothing that is on their screen does anything, and
// what they had on the way goes to the owner, who is told.
func TestTeamRemoved(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.delivered(karim)
		first := h.service.Orders()[0].Code

		h.service.HoldOrders(true)
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.seeAny(karim, "on their way")
		h.order(karim, "Play Card", "10 USD", "1")
		summary := h.see(karim, "10 USD")
		confirm := confirmData(t, summary)
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Remove")
		h.see(sam, "Remove Karim")
		h.tap(sam, "Yes, remove")
		h.see(karim, "not of the team")
		shown := len(h.codes(karim))

		h.telegram.Tap(karim, karim, summary.ID, confirm)
		h.pass(2 * time.Second)
		for _, m := range h.telegram.Messages(karim) {
			for _, row := range m.Keyboard {
				for _, b := range row {
					if b.Data != "" {
						h.telegram.Tap(karim, karim, m.ID, b.Data)
						h.pass(time.Second)
					}
				}
			}
		}
		for _, words := range []string{"2", "play card", "/buy"} {
			h.say(karim, words)
		}
		h.say(karim, "/orders")
		h.see(karim, "Nothing is listed here")
		for _, p := range h.purchases() {
			for _, verb := range []string{"order", "again", "reveal", "why"} {
				h.telegram.Tap(karim, karim, summary.ID, "1+:"+verb+":"+p.ID)
				h.pass(time.Second)
			}
		}
		h.bought(2)
		h.service.HoldOrders(false)
		h.pass(time.Minute)
		second := h.service.Orders()[1].Code
		if !slices.Contains(h.codes(sam), second) {
			t.Errorf("the owner has not got what was on the way:\n%s", h.transcript(sam))
		}
		h.seeAny(sam, "A purchase of Karim")
		if slices.Contains(h.codes(karim), second) || len(h.codes(karim)) > shown {
			t.Errorf("somebody who is gone was shown a code:\n%s", h.transcript(karim))
		}
		if slices.Contains(h.codes(sam), first) {
			t.Error("what Karim had got was sent to the owner as well")
		}
		h.answered()
		h.join(karim, h.invite(sam, "➕ Seller")) // and back
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.pass(time.Minute)
		h.bought(3)
	})
}

// TestTeamQuestionsEnd: a question that was open when somebody was taken out, or got another role, is not open any
// more when they are back.
func TestTeamQuestionsEnd(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*house){
		"taken out": func(h *house) {
			h.tap(sam, "Remove")
			h.tap(sam, "Yes, remove")
			h.join(karim, h.invite(sam, "➕ Seller"))
		},
		"another role": func(h *house) {
			h.tap(sam, "Make counter")
			h.seeAny(karim, "You are now: Counter")
			h.tap(sam, "Make seller")
		},
	} {
		t.Run(name, func(t *testing.T) {
			inShop(t, func(h *house) {
				h.say(karim, "/buy play")
				h.tap(karim, "10 USD")
				h.see(karim, "How many?")
				h.commandIn(karim, shop, 0, "/buy@shop_bot play")
				h.tapIn(karim, shop, "10 USD")
				question := h.see(shop, "How many?")
				h.say(sam, "/team")
				h.tap(sam, "Karim")
				change(h)
				h.say(karim, "3")
				h.telegram.Reply(karim, shop, question.ID, "3")
				h.telegram.Tap(karim, shop, question.ID, "1:qty:3")
				h.pass(2 * time.Second)
				if text := h.texts(karim) + h.texts(shop); strings.Contains(text, "Please check") {
					t.Errorf("the old question was answered:\n%s", text)
				}
			})
		})
	}
}

// TestTeamStaysAmongItself: owning an account opens nothing of another one's.
func TestTeamStaysAmongItself(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		people(h)
		h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-of-eve-0000001", Name: "Eve's own", UserID: 4102, Balance: "10"}))
	}, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.say(eve, "/key KEY-of-eve-0000001")
		h.buy(karim)
		code := h.service.Orders()[0].Code
		under := h.see(eve, "").ID
		for _, p := range h.purchases() {
			for _, data := range []string{"1+:order:", "1+:reveal:", "1+:again:", "1+:why:", "1+:decide:", "1+:drop:"} {
				h.telegram.Tap(eve, eve, under, data+p.ID)
				h.pass(time.Second)
			}
		}
		for _, data := range []string{"1+:vault:601", "1+:person:601", "1+:personout:601:yes", "1+:personrole:601:owner:yes", "1+:limitset:601:day:0"} {
			h.telegram.Tap(eve, eve, under, data)
			h.pass(time.Second)
		}
		if strings.Contains(h.texts(eve), code) || strings.Contains(h.texts(eve), "Karim") || strings.Contains(h.texts(eve), "Play Card · 10 USD") {
			t.Errorf("another account's owner was shown:\n%s", h.texts(eve))
		}
		h.buy(karim) // nobody has taken anything from them
	})
}

// purchases lists what the store of the running bot's file holds. The bot is stopped for it and started again.
func (h *house) purchases() []store.Purchase {
	h.t.Helper()
	var all []store.Purchase
	h.inStore(func(s *store.Store) {
		for _, chat := range []int64{sam, yasmine, karim, lila, eve, -700} {
			list, err := s.ChatPurchases(context.Background(), chat, "", 1000)
			h.must(err)
			all = append(all, list...)
		}
	})
	return all
}

// inStore stops the bot, opens its store, and starts the bot again.
func (h *house) inStore(look func(*store.Store)) {
	h.t.Helper()
	h.stop()
	e, err := bolt.Open(filepath.Join(h.dir, "data", "bot.db"), bolt.Options{NoSync: true})
	h.must(err)
	ring, err := seal.ParseRing(h.env["ENCRYPTION_KEYS"])
	h.must(err)
	s, err := store.Open(context.Background(), e, ring)
	h.must(err)
	look(s)
	h.must(s.Close())
	h.start()
}

// TestTeamHandover: an account goes from one owner to another, always has one, and what is on the way goes where
// it was bought.
func TestTeamHandover(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.say(sam, "/team")
		h.tap(sam, "Sam")
		h.refusedWith(h.tapIn(sam, sam, "Make seller"), "the only owner")
		h.service.HoldOrders(true)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.seeAny(sam, "on their way")

		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Make owner")
		h.see(sam, "Make Karim an owner?")
		h.say(karim, "/balance")
		h.see(karim, "Only an owner")
		h.tap(sam, "Yes, make owner")
		h.seeAny(karim, "You are now: Owner")
		h.say(karim, "/balance")
		h.see(karim, "23,749.50")
		h.say(sam, "/team")
		h.tap(sam, "Sam")
		h.tap(sam, "Make seller")
		h.seeAny(karim, "The role of Sam has changed: Seller")
		h.say(sam, "/balance")
		h.see(sam, "Only an owner")
		h.say(sam, "/team")
		h.see(sam, "Only an owner")

		h.service.HoldOrders(false)
		h.pass(time.Minute)
		h.delivered(sam)
		if len(h.codes(karim)) != 0 {
			t.Error("what Sam has bought went to the new owner")
		}
		h.pass(6 * time.Minute)
		h.service.SetBalance(testKey, "100")
		h.pass(alarmed)
		h.seeAny(karim, "left the balance")
		if strings.Contains(h.texts(sam), "left the balance") {
			t.Error("the alarm went to the former owner")
		}
		h.say(sam, "/key remove") // leaves as anybody can
		h.seeAny(karim, "Sam has left your team")
		h.say(karim, "/buy")
		h.tap(karim, "Play Card")
	})
}

// TestTeamWithoutOwner: with its last owner the whole team goes, and everybody is told. Linked again within 30 days
// it is back, with its limits, but for those who have joined another team; later it is not.
func TestTeamWithoutOwner(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.order(karim, "Play Card", "10 USD", "1")
		summary := h.see(karim, "10 USD")
		h.unlink("ends the team of 3")
		h.seeAny(karim, "its team is over")
		h.seeAny(lila, "its team is over")
		h.telegram.Tap(karim, karim, summary.ID, confirmData(t, summary))
		h.pass(10 * time.Second)
		h.bought(0)
		h.say(karim, "/buy")
		h.see(karim, "No account is linked")
		h.sleep(31 * 24 * time.Hour)
		h.link(sam) // and it begins anew, with nobody else
		h.say(sam, "/team")
		if text := plain(h.see(sam, "Team of").Text); strings.Contains(text, "Karim") {
			t.Errorf("the team is back: %s", text)
		}
	})
}

// unlink has Sam unlink an account that a team works with.
func (h *house) unlink(words string) {
	h.t.Helper()
	h.say(sam, "/key remove")
	h.see(sam, words)
	h.tap(sam, "Yes, unlink")
	h.see(sam, "unlinked")
}

// TestTeamLock: an owner stops all spending from any chat, at once and for everybody, and allows it again.
func TestTeamLock(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.telegram.AddGroup(-700, "Anywhere", sam, karim)
		h.order(karim, "Play Card", "10 USD", "1")
		h.telegram.Send(karim, -700, "/lock@shop_bot")
		h.pass(time.Second)
		if strings.Contains(h.texts(-700), "is locked") {
			t.Fatal("a seller has locked the account")
		}
		h.telegram.Send(sam, -700, "/lock@shop_bot") // from a group that is linked to nothing
		h.pass(time.Second)
		h.see(-700, "Spending is locked")
		h.refusedWith(h.tapIn(karim, karim, "✅"), "locked spending")
		h.say(karim, "/start")
		h.see(karim, "Spending is locked by Sam")
		h.order(sam, "Play Card", "10 USD", "1")
		h.refusedWith(h.tapIn(sam, sam, "✅"), "locked spending")
		h.pass(time.Minute)
		h.bought(0)
		h.stop()
		h.start() // it outlasts a restart
		h.refusedWith(h.tapIn(karim, karim, "✅"), "locked spending")
		if _, err := h.telegram.TapButton(karim, -700, "Unlock"); err != nil {
			t.Fatal(err)
		}
		h.pass(time.Second)
		h.say(karim, "/unlock")
		h.refusedWith(h.tapIn(karim, karim, "✅"), "locked spending")
		h.tapIn(sam, -700, "Unlock")
		h.see(-700, "unlocked")
		h.tap(karim, "✅")
		h.delivered(karim)
		h.bought(1)
		h.say(sam, "/lock")
		h.see(sam, "Spending is locked")
		h.say(sam, "/unlock")
		h.see(sam, "unlocked")
	})
}

// TestTeamOwnerBlocks: where one owner cannot be reached the other one hears of everything, and nothing of the
// first one's is lost.
func TestTeamOwnerBlocks(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.link(yasmine) // has the key, and so is an owner
		h.seeAny(sam, "Yasmine has joined your team: Owner")
		h.limit("Per purchase", "100")
		h.service.HoldOrders(true)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.seeAny(sam, "on their way")
		h.telegram.Block(sam)
		h.service.HoldOrders(false)
		h.pass(2 * time.Minute)
		h.seeAny(yasmine, "n'ont pas pu être livrés") // offered, not sent
		if len(h.codes(yasmine)) != 0 {
			t.Error("the code of one owner was sent to the other")
		}
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "Ask an owner")
		h.seeAny(yasmine, "Karim demande à acheter")
		h.tap(yasmine, "✅")
		h.seeAny(karim, "Approved by Yasmine")
		h.pass(time.Minute)
		h.service.SetBalance(testKey, "100")
		h.pass(alarmed)
		h.seeAny(yasmine, "🚨")
		h.telegram.Unblock(sam)
		h.say(sam, "/start")
		h.pass(time.Minute)
		if !slices.Contains(h.codes(sam), h.service.Orders()[0].Code) {
			t.Errorf("the code has not come back:\n%s", h.transcript(sam))
		}
	})
}

// TestTeamBeforeTeams: an account that was stored before there were teams belongs to whoever had linked it.
func TestTeamBeforeTeams(t *testing.T) {
	t.Parallel()
	inHouse(t, people, func(h *house) {
		h.link(sam)
		h.inStore(func(s *store.Store) {
			h.must(s.Update(context.Background(), func(tx *store.Tx) error {
				a, err := tx.Account("u4101")
				if err != nil {
					return err
				}
				a.Team = nil
				return tx.PutAccount(&a)
			}))
		})
		h.say(sam, "/balance")
		h.see(sam, "25,000")
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.say(sam, "/team")
		h.see(sam, "Owner · Sam") // his name was not written down then
		h.say(karim, "/balance")
		h.see(karim, "Only an owner")
	})
}

// TestTeamNames: whatever somebody is called, it stays a name.
func TestTeamNames(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		people(h)
		h.telegram.AddUser(tgsim.User{ID: 603, FirstName: "<b>✅ Buy</b>\u202E&", LanguageCode: "ar"})
	}, func(h *house) {
		h.link(sam)
		h.telegram.Start(603, h.invite(sam, "➕ Seller"))
		h.pass(time.Second)
		h.seeAny(sam, "<b>✅ Buy</b>& has joined")
		h.say(sam, "/team")
		for _, row := range h.see(sam, "Team of").Keyboard {
			for _, b := range row {
				if strings.HasPrefix(b.Text, "✅") {
					t.Errorf("a button begins as one that spends: %q", b.Text)
				}
			}
		}
		h.tap(sam, "Buy</b>")
		h.see(sam, "Seller")
	})
}
