package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

// shop is the group that deliveries go to in these tests.
const shop = int64(-700)

// inShop plays with a team whose group is linked.
func inShop(t *testing.T, play func(*house)) {
	t.Helper()
	inTeam(t, func(h *house) {
		h.telegram.AddGroup(shop, "Shop & Co", sam, karim, lila, eve)
		h.telegram.StartGroup(sam, shop, "shop")
		h.pass(time.Second)
		h.see(shop, "Deliveries come here from now on")
		play(h)
	})
}

// buy has somebody buy one card in private, and waits for its code.
func (h *house) buy(user int64) (code string) {
	h.t.Helper()
	h.order(user, "Play Card", "10 USD", "1")
	h.tap(user, "✅")
	h.pass(10 * time.Second)
	all := h.service.Orders()
	code = all[len(all)-1].Code
	if !slices.Contains(h.codes(user), code) {
		h.t.Fatalf("the code has not come:\n%s", h.transcript(user))
	}
	return code
}

// commandIn types a command to the bot into a chat, and a topic of it.
func (h *house) commandIn(user, chat int64, thread int, text string) {
	h.t.Helper()
	if h.telegram.Post(user, chat, tgsim.Message{Text: text, Thread: thread}) == 0 {
		h.t.Fatalf("%d cannot write in chat %d", user, chat)
	}
	h.pass(time.Second)
}

// TestGroupDelivery: what sellers buy is told in the shop's group, its codes hidden from everybody who is not of
// the team, and each one who is shown them is written down.
func TestGroupDelivery(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *house) {
		code := h.buy(karim)
		copied := h.see(shop, "Delivered")
		if text := plain(copied.Text); !strings.Contains(text, "Karim") || strings.Contains(text, code) || len(h.codes(shop)) != 0 {
			t.Errorf("the group was told: %s", text)
		}
		h.refusedWith(h.tapIn(eve, shop, "👁"), "Only the team")
		for _, who := range []int64{lila, sam, karim} {
			if c := h.tapIn(who, shop, "👁"); !c.Alert || !strings.HasSuffix(c.Text, code) {
				t.Errorf("%d was shown %q", who, c.Text)
			}
		}
		if strings.Contains(h.texts(shop), code) {
			t.Error("the code stands in the group")
		}
		h.say(sam, "/orders")
		h.tap(sam, "whole team")
		h.tap(sam, "Play Card")
		if text := plain(h.see(sam, "Codes shown to").Text); strings.Contains(text, "Eve") || !strings.Contains(text, "Lila") || !strings.Contains(text, "Karim") {
			t.Errorf("written down is: %s", text)
		}
		h.say(sam, "/team")
		h.tap(sam, "Lila")
		h.tap(sam, "Remove")
		h.tap(sam, "Yes, remove")
		h.refusedWith(h.tapIn(lila, shop, "👁"), "Only the team")
		h.answered()
		h.bought(1)
	})
}

// TestGroupManyCodes: more codes than fit over a chat come in private.
func TestGroupManyCodes(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *house) {
		h.service.SetBalance(testKey, "100000")
		h.order(karim, "Play Card", "10 USD", "12")
		h.tap(karim, "✅")
		h.pass(time.Minute)
		h.see(shop, "12 codes are here")
		if c := h.tapIn(lila, shop, "👁"); !strings.Contains(c.Text, "in private") {
			t.Errorf("the tap was answered with %q", c.Text)
		}
		for chat, want := range map[int64]int{lila: 1, shop: 0, karim: 1} {
			files := 0
			for _, m := range h.telegram.Messages(chat) {
				if m.Document != nil {
					files++
				}
			}
			if files != want {
				t.Errorf("chat %d has %d files, want %d", chat, files, want)
			}
		}
	})
}

// TestGroupInFull: codes stand in the group only where an owner says so, knowing what that means.
func TestGroupInFull(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *house) {
		for _, who := range []int64{eve, karim} {
			if c := h.tapIn(who, shop, "Show codes to everybody"); !c.Alert {
				t.Errorf("%d was not refused", who)
			}
		}
		h.tapIn(sam, shop, "Show codes to everybody")
		h.see(shop, "Whoever is in the group")
		code := h.buy(karim)
		if slices.Contains(h.codes(shop), code) {
			t.Fatal("the code is shown before it was meant")
		}
		h.tapIn(sam, shop, "Yes, show them")
		code = h.buy(karim)
		if !slices.Contains(h.codes(shop), code) {
			t.Errorf("the code is not shown:\n%s", h.transcript(shop))
		}
		h.say(sam, "/team")
		h.tap(sam, "📍")
		h.tap(sam, "Hide codes")
		code = h.buy(karim)
		if slices.Contains(h.codes(shop), code) {
			t.Error("the code is shown although it is to be hidden")
		}
	})
}

// TestGroupLinksByOwner: nobody but an owner makes a group the shop's, and no group is taken from another shop.
func TestGroupLinksByOwner(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		people(h)
		h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-of-eve-0000001", Name: "Eve's own", UserID: 4102, Balance: "10"}))
	}, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.telegram.AddGroup(shop, "Shop", sam, karim, eve)
		for _, who := range []int64{karim, eve} {
			h.telegram.StartGroup(who, shop, "shop")
			h.pass(time.Second)
			h.commandIn(who, shop, 0, "/team@shop_bot")
		}
		h.buy(sam)
		if strings.Contains(h.texts(shop), "Delivered") {
			t.Fatal("a delivery went to a group that no owner has linked")
		}
		h.commandIn(sam, shop, 0, "/team@shop_bot")
		h.refusedWith(h.tapIn(eve, shop, "Deliver here"), "Only the team")
		h.refusedWith(h.tapIn(karim, shop, "Deliver here"), "")
		h.tapIn(sam, shop, "Deliver here")
		h.see(shop, "Deliveries come here")

		h.say(eve, "/key KEY-of-eve-0000001")
		h.pass(time.Minute) // a stranger gets what the team leaves of the group's limits
		h.commandIn(eve, shop, 0, "/team@shop_bot")
		h.tapIn(eve, shop, "Deliver here")
		h.see(shop, "linked to another account")
		h.telegram.StartGroup(eve, shop, "shop")
		h.pass(time.Second)
		h.buy(sam)
		if n := strings.Count(h.texts(shop), "Delivered"); n != 1 {
			t.Errorf("%d deliveries in the group, want 1", n)
		}
		h.commandIn(sam, shop, 0, "/team@shop_bot")
		h.refusedWith(h.tapIn(karim, shop, "Deliver here no more"), "Your role")
		h.tapIn(sam, shop, "Deliver here no more")
		h.see(shop, "unlinked")
		h.buy(sam)
		if n := strings.Count(h.texts(shop), "Delivered"); n != 1 {
			t.Errorf("%d deliveries in the group after it was unlinked, want 1", n)
		}
		h.answered()
	})
}

// TestGroupTopic: deliveries go to the one topic that was chosen. When it is gone the owner is told, and they go
// nowhere else.
func TestGroupTopic(t *testing.T) {
	t.Parallel()
	const forum = int64(-1000000000700)
	inTeam(t, func(h *house) {
		h.telegram.AddForum(forum, "Forum", sam, karim)
		sales, deliveries := h.telegram.NewTopic(sam, forum, "Sales"), h.telegram.NewTopic(sam, forum, "Deliveries")
		h.commandIn(sam, forum, deliveries, "/team@shop_bot")
		h.tapIn(sam, forum, "Deliver here")
		h.buy(karim)
		in := func(thread int) (n int) {
			for _, m := range h.telegram.Messages(forum) {
				if m.FromBot && m.Thread == thread && strings.Contains(plain(m.Text), "Delivered") {
					n++
				}
			}
			return n
		}
		if in(deliveries) != 1 || in(sales)+in(0) != 0 {
			t.Errorf("deliveries: %d in the topic, %d in another, %d in none", in(deliveries), in(sales), in(0))
		}
		// What is bought in another topic is answered there, and delivered in both.
		h.commandIn(karim, forum, sales, "/buy@shop_bot play")
		h.tapIn(karim, forum, "10 USD")
		h.tapIn(karim, forum, "1")
		h.tapIn(karim, forum, "✅")
		h.pass(10 * time.Second)
		if in(deliveries) != 2 || in(sales) != 1 || in(0) != 0 {
			t.Errorf("deliveries: %d in the topic, %d where it was bought, %d in none", in(deliveries), in(sales), in(0))
		}
		h.deleteTopic(forum, deliveries)
		code := h.buy(karim)
		h.seeAny(sam, "The topic for deliveries in Forum is gone")
		if in(0) != 0 || !slices.Contains(h.codes(karim), code) {
			t.Error("the delivery went elsewhere, or not to its buyer")
		}
		h.bought(3)
	})
}

// deleteTopic deletes a topic with all that is in it, as an administrator can: nobody tells the bot.
func (h *house) deleteTopic(chat int64, thread int) {
	h.t.Helper()
	h.telegram.SetRole(sam, chat, h.telegram.BotID(), tgsim.Administrator)
	h.callTelegram("deleteForumTopic", fmt.Sprintf(`{"chat_id":%d,"message_thread_id":%d}`, chat, thread))
	h.telegram.SetRole(sam, chat, h.telegram.BotID(), tgsim.Ordinary)
}

// TestGroupBuying: in the group a button is its maker's. A stranger's tap, and that of somebody else of the team,
// is refused politely and does nothing.
func TestGroupBuying(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *house) {
		h.commandIn(karim, shop, 0, "/buy@shop_bot play")
		list := h.see(shop, "Choose")
		h.tapIn(sam, shop, "25 USD") // looks on for himself
		if now := h.message(shop, list.ID); now.Text != list.Text {
			t.Errorf("the seller's list became: %s", now.Text)
		}
		h.telegram.Tap(karim, shop, list.ID, "1:variant:10:101")
		h.pass(time.Second)
		question := h.message(shop, list.ID)
		for _, who := range []int64{eve, lila} {
			id := h.telegram.Tap(who, shop, question.ID, "1:qty:5")
			h.pass(time.Second)
			h.refusedWith(h.answer(id), "")
		}
		h.telegram.Tap(sam, shop, question.ID, "1:qty:5") // an owner, but it is not his question
		h.pass(time.Second)
		if now := h.message(shop, question.ID); now.Text != question.Text {
			t.Errorf("the seller's question became: %s", now.Text)
		}
		h.telegram.Tap(karim, shop, question.ID, "1:qty:1")
		h.pass(time.Second)
		summary := h.message(shop, question.ID)
		if strings.Contains(plain(summary.Text), "25,000") {
			t.Errorf("the balance stands in the group: %s", summary.Text)
		}
		data := confirmData(t, summary)
		for who, want := range map[int64]string{eve: "Only the team", lila: "somebody else", sam: "somebody else"} {
			id := h.telegram.Tap(who, shop, question.ID, data)
			h.pass(time.Second)
			h.refusedWith(h.answer(id), want)
		}
		h.telegram.Tap(eve, shop, question.ID, strings.Replace(data, "confirm", "drop", 1))
		h.pass(10 * time.Second)
		h.bought(0)
		if now := h.message(shop, question.ID); now.Text != summary.Text {
			t.Errorf("the summary became: %s", now.Text)
		}
		h.telegram.Tap(karim, shop, question.ID, data)
		h.pass(10 * time.Second)
		h.bought(1)
		code := h.service.Orders()[0].Code
		if text := plain(h.message(shop, question.ID).Text); !strings.Contains(text, "Delivered") || strings.Contains(h.texts(shop), code) {
			t.Errorf("the group shows: %s", h.texts(shop))
		}
		if c := h.tapIn(karim, shop, "👁"); !strings.HasSuffix(c.Text, code) {
			t.Errorf("the seller was shown %q", c.Text)
		}
		if n := strings.Count(h.texts(shop), "🎉 Delivered"); n != 1 {
			t.Errorf("what was bought in the group was delivered there %d times", n)
		}
		for _, data := range []string{"1:language:ar", "1:languages", "1:home", "1:help", "1:cancel", "1:keyremove", "garbage"} {
			id := h.telegram.Tap(eve, shop, question.ID, data)
			h.pass(time.Second)
			h.refusedWith(h.answer(id), "")
		}
		for _, text := range []string{"/buy@shop_bot", "/orders@shop_bot", "/language@shop_bot", "/start@shop_bot", "/balance@shop_bot", "/key@shop_bot remove"} {
			h.commandIn(eve, shop, 0, text)
			if got := plain(h.see(shop, "").Text); strings.Contains(got, "Play Card") || strings.Contains(got, "23,749") {
				t.Errorf("a stranger's %s is answered with: %s", text, got)
			}
		}
		h.buy(karim) // the group is linked as before
		h.pass(time.Minute)
		if n := strings.Count(h.texts(shop), "🎉 Delivered"); n != 2 {
			t.Errorf("%d deliveries in the group, want 2", n)
		}
		h.answered()
	})
}

// message is a message of a chat as it is now.
func (h *house) message(chat int64, id int) tgsim.Message {
	h.t.Helper()
	for _, m := range h.telegram.Messages(chat) {
		if m.ID == id {
			return m
		}
	}
	h.t.Fatalf("chat %d has no message %d", chat, id)
	return tgsim.Message{}
}

// TestGroupHearsNoMoney: the balance, the alarm about it and trouble with the key are the owners', and come into
// the group only where an owner asks for them there.
func TestGroupHearsNoMoney(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *house) {
		h.say(sam, "/alerts")
		h.tap(sam, "Low balance")
		h.say(sam, "20000")
		h.pass(6 * time.Minute)
		h.service.SetBalance(testKey, "9999")
		h.pass(alarmed)
		h.seeAny(sam, "left the balance")
		h.seeAny(sam, "Low balance: DZD 9,999")
		h.order(karim, "Play Card", "10 USD", "1")
		h.service.ExpireKey(testKey)
		h.tap(karim, "✅")
		h.say(karim, "/buy")
		h.pass(time.Minute)
		h.seeAny(sam, "the key does not work")
		if text := h.texts(karim); strings.Contains(text, "wrong, expired or replaced") || !strings.Contains(text, "tell an owner") {
			t.Errorf("the seller was told:\n%s", text)
		}
		for _, words := range []string{"9,999", "left the balance", "Low balance", "key"} {
			if strings.Contains(h.texts(shop), words) {
				t.Errorf("the group was told of %q:\n%s", words, h.texts(shop))
			}
		}
		h.service.SetExpiry(testKey, time.Now().Add(24*time.Hour))
		h.commandIn(karim, shop, 0, "/balance@shop_bot")
		h.see(shop, "Only an owner")
		h.commandIn(sam, shop, 0, "/balance@shop_bot")
		h.see(shop, "9,999") // asked for
		h.commandIn(sam, shop, 0, "/alerts@shop_bot")
		h.tapIn(sam, shop, "Unknown debit")
		h.tapIn(sam, shop, "With sound")
		h.service.SetBalance(testKey, "5000")
		h.pass(alarmed)
		h.seeAny(shop, "left the balance")
	})
}

// TestGroupMigrates: a group that becomes a supergroup stays the shop's, with what was bought in it, and what was
// on the way arrives there.
func TestGroupMigrates(t *testing.T) {
	t.Parallel()
	for name, quiet := range map[string]bool{"told": false, "found out": true} {
		t.Run(name, func(t *testing.T) {
			inTeam(t, func(h *house) {
				old := h.telegram.NewGroup(sam, "Shop", karim, eve)
				h.telegram.StartGroup(sam, old, "shop")
				h.pass(time.Second)
				h.commandIn(karim, old, 0, "/buy@shop_bot play")
				h.tapIn(karim, old, "10 USD")
				h.tapIn(karim, old, "1")
				h.service.HoldOrders(true)
				h.tapIn(karim, old, "✅")
				h.pass(5 * time.Second)
				h.order(karim, "Play Card", "25 USD", "1")
				h.tap(karim, "✅")
				h.pass(5 * time.Second)
				if quiet {
					h.stop() // the update that tells of it is lost with the time that passes
				}
				next := h.telegram.Migrate(sam, old)
				if quiet {
					h.telegram.JumpUpdates(1)
					h.start()
				}
				h.service.HoldOrders(false)
				h.pass(time.Minute)
				if n := strings.Count(h.texts(next), "🎉 Delivered"); n != 2 {
					t.Errorf("%d deliveries in the supergroup, want 2:\n%s", n, h.texts(next))
				}
				h.refusedWith(h.tapIn(eve, next, "👁"), "Only the team")
				if c := h.tapIn(karim, next, "👁"); !c.Alert {
					t.Errorf("the seller was shown %q", c.Text)
				}
				h.commandIn(karim, next, 0, "/orders@shop_bot")
				list := h.see(next, "team's purchases")
				if len(list.Keyboard) < 3 {
					t.Errorf("the orders are gone: %v", list.Keyboard)
				}
				h.buy(karim)
				if n := strings.Count(h.texts(next), "🎉 Delivered"); n != 3 {
					t.Errorf("%d deliveries in the supergroup, want 3", n)
				}
				h.bought(3)
			})
		})
	}
}

// TestGroupRemovesTheBot: the owner is told when the group puts the bot out and when it takes it in again, what
// came meanwhile arrives then, and codes are hidden from whoever is there by then.
func TestGroupRemovesTheBot(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *house) {
		h.tapIn(sam, shop, "Show codes to everybody")
		h.tapIn(sam, shop, "Yes, show them")
		h.telegram.SetRole(sam, shop, h.telegram.BotID(), tgsim.Kicked)
		h.pass(time.Second)
		h.seeAny(sam, "I was removed from the group Shop & Co")
		code := h.buy(karim)
		h.pass(time.Minute)
		if n := strings.Count(h.texts(shop), "🎉"); n != 0 {
			t.Fatal("something came into a group that the bot is not in")
		}
		h.telegram.SetRole(karim, shop, h.telegram.BotID(), tgsim.Ordinary) // by somebody else
		h.pass(time.Minute)
		h.seeAny(sam, "I am back in the group Shop & Co")
		h.see(shop, "🎉 Delivered")
		if strings.Contains(h.texts(shop), code) {
			t.Error("the code is shown to whoever is in the group now")
		}
		if c := h.tapIn(lila, shop, "👁"); !strings.HasSuffix(c.Text, code) {
			t.Errorf("the counter was shown %q", c.Text)
		}
		h.bought(1)
	})
}

// TestGroupLinkedByAnAnonymousOwner: an administrator who writes in the group's name gets a button, and whose tap
// it is decides.
func TestGroupLinkedByAnAnonymousOwner(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.telegram.AddGroup(shop, "Shop", sam, karim)
		h.telegram.InjectUpdate(fmt.Sprintf(`"message":{"message_id":900,"date":%d,"text":"/team@shop_bot","chat":{"id":%d,"type":"group","title":"Shop"},`+
			`"from":{"id":1087968824,"is_bot":true,"first_name":"Group"},"sender_chat":{"id":%[2]d,"type":"group","title":"Shop"}}`, time.Now().Unix(), shop))
		h.pass(time.Second)
		h.refusedWith(h.tapIn(karim, shop, "📍"), "")
		h.tapIn(sam, shop, "📍")
		h.see(shop, "come here")
		h.buy(karim)
		h.see(shop, "Delivered")
	})
}

// TestGroupMoves: another group takes the place of the first one, and the other owners hear of it.
func TestGroupMoves(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *house) {
		h.link(yasmine)
		h.telegram.AddGroup(-701, "Other", sam, karim)
		h.telegram.StartGroup(sam, -701, "shop")
		h.pass(time.Second)
		h.seeAny(yasmine, "Sam a lié le groupe Other")
		h.buy(karim)
		if a, b := strings.Count(h.texts(shop), "🎉"), strings.Count(h.texts(-701), "🎉"); a != 0 || b != 1 {
			t.Errorf("%d deliveries in the first group and %d in the second", a, b)
		}
	})
}
