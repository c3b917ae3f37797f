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
)

// shop is the group that deliveries go to in these tests.
const shop = int64(-700)

// inShop plays with a team whose group is linked.
func inShop(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	inTeam(t, func(h *apptest.Harness) {
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim, apptest.Lila, apptest.Eve)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		h.See(shop, "Deliveries come here from now on")
		play(h)
	})
}

// buy has somebody buy one card in private, and waits for its code.
func buy(h *apptest.Harness, user int64) (code string) {
	h.T.Helper()
	h.Order(user, "Play Card", "10 USD", "1")
	h.Tap(user, "✅")
	h.Pass(10 * time.Second)
	all := h.Service.Orders()
	code = all[len(all)-1].Code
	if !slices.Contains(h.Codes(user), code) {
		h.T.Fatalf("the code has not come:\n%s", h.Transcript(user))
	}
	return code
}

// commandIn types a command to the bot into a chat, and a topic of it.
func commandIn(h *apptest.Harness, user, chat int64, thread int, text string) {
	h.T.Helper()
	if h.Telegram.Post(user, chat, tgsim.Message{Text: text, Thread: thread}) == 0 {
		h.T.Fatalf("%d cannot write in chat %d", user, chat)
	}
	h.Pass(time.Second)
}

// TestGroupDelivery: what sellers buy is told in the shop's group, its codes hidden from everybody who is not of
// the team, and each one who is shown them is written down.
func TestGroupDelivery(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		code := buy(h, apptest.Karim)
		copied := h.See(shop, "Delivered")
		if text := apptest.Plain(copied.Text); !strings.Contains(text, "Karim") || strings.Contains(text, code) || len(h.Codes(shop)) != 0 {
			t.Errorf("the group was told: %s", text)
		}
		h.RefusedWith(h.TapIn(apptest.Eve, shop, "👁"), "Only the team")
		for _, who := range []int64{apptest.Lila, apptest.Sam, apptest.Karim} {
			if c := h.TapIn(who, shop, "👁"); !c.Alert || !strings.HasSuffix(c.Text, code) {
				t.Errorf("%d was shown %q", who, c.Text)
			}
		}
		if strings.Contains(h.Texts(shop), code) {
			t.Error("the code stands in the group")
		}
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "team's orders")
		h.Tap(apptest.Sam, "1")
		if text := apptest.Plain(h.See(apptest.Sam, "Codes shown to").Text); strings.Contains(text, "Eve") || !strings.Contains(text, "Lila") || !strings.Contains(text, "Karim") {
			t.Errorf("written down is: %s", text)
		}
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Lila")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		h.RefusedWith(h.TapIn(apptest.Lila, shop, "👁"), "Only the team")
		h.Answered()
		h.Bought(1)
	})
}

// TestGroupManyCodes: more codes than fit over a chat come in private.
func TestGroupManyCodes(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Service.SetBalance(apptest.TestKey, "100000")
		h.Order(apptest.Karim, "Play Card", "10 USD", "12")
		h.Tap(apptest.Karim, "✅")
		h.Pass(time.Minute)
		h.See(shop, "12 codes are here")
		if c := h.TapIn(apptest.Lila, shop, "👁"); !strings.Contains(c.Text, "in private") {
			t.Errorf("the tap was answered with %q", c.Text)
		}
		for chat, want := range map[int64]int{apptest.Lila: 1, shop: 0, apptest.Karim: 1} {
			files := 0
			for _, m := range h.Telegram.Messages(chat) {
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
	inShop(t, func(h *apptest.Harness) {
		for _, who := range []int64{apptest.Eve, apptest.Karim} {
			if c := h.TapIn(who, shop, "Codes for everybody"); !c.Alert {
				t.Errorf("%d was not refused", who)
			}
		}
		h.TapIn(apptest.Sam, shop, "Codes for everybody")
		h.See(shop, "Whoever is in the group")
		code := buy(h, apptest.Karim)
		if slices.Contains(h.Codes(shop), code) {
			t.Fatal("the code is shown before it was meant")
		}
		h.TapIn(apptest.Sam, shop, "Yes, show them")
		code = buy(h, apptest.Karim)
		if !slices.Contains(h.Codes(shop), code) {
			t.Errorf("the code is not shown:\n%s", h.Transcript(shop))
		}
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "📍")
		h.Tap(apptest.Sam, "Hide codes")
		code = buy(h, apptest.Karim)
		if slices.Contains(h.Codes(shop), code) {
			t.Error("the code is shown although it is to be hidden")
		}
	})
}

// TestGroupLinksByOwner: nobody but an owner makes a group the shop's, and no group is taken from another shop.
func TestGroupLinksByOwner(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-eve-0000001", Name: "Eve's own", UserID: 4102, Balance: "10"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Telegram.AddGroup(shop, "Shop", apptest.Sam, apptest.Karim, apptest.Eve)
		for _, who := range []int64{apptest.Karim, apptest.Eve} {
			h.Telegram.StartGroup(who, shop, "shop")
			h.Pass(time.Second)
			commandIn(h, who, shop, 0, "/team@shop_bot")
		}
		buy(h, apptest.Sam)
		if strings.Contains(h.Texts(shop), "Delivered") {
			t.Fatal("a delivery went to a group that no owner has linked")
		}
		commandIn(h, apptest.Sam, shop, 0, "/team@shop_bot")
		h.RefusedWith(h.TapIn(apptest.Eve, shop, "Deliver here"), "Only the team")
		h.RefusedWith(h.TapIn(apptest.Karim, shop, "Deliver here"), "Your role does not include that")
		h.TapIn(apptest.Sam, shop, "Deliver here")
		h.See(shop, "Deliveries come here")

		h.Say(apptest.Eve, "/key KEY-of-eve-0000001")
		h.Pass(time.Minute) // a stranger gets what the team leaves of the group's limits
		commandIn(h, apptest.Eve, shop, 0, "/team@shop_bot")
		h.TapIn(apptest.Eve, shop, "Stop group delivery")
		h.See(shop, "linked to another account")
		h.Telegram.StartGroup(apptest.Eve, shop, "shop")
		h.Pass(time.Second)
		buy(h, apptest.Sam)
		if n := strings.Count(h.Texts(shop), "Delivered"); n != 1 {
			t.Errorf("%d deliveries in the group, want 1", n)
		}
		commandIn(h, apptest.Sam, shop, 0, "/team@shop_bot")
		h.RefusedWith(h.TapIn(apptest.Karim, shop, "Stop group delivery"), "Your role")
		h.TapIn(apptest.Sam, shop, "Stop group delivery")
		h.See(shop, "unlinked")
		buy(h, apptest.Sam)
		if n := strings.Count(h.Texts(shop), "Delivered"); n != 1 {
			t.Errorf("%d deliveries in the group after it was unlinked, want 1", n)
		}
		h.Answered()
	})
}

// TestGroupTopic: deliveries go to the one topic that was chosen. When it is gone the owner is told, and they come to the
// group as such.
func TestGroupTopic(t *testing.T) {
	t.Parallel()
	const forum = int64(-1000000000700)
	inTeam(t, func(h *apptest.Harness) {
		h.Telegram.AddForum(forum, "Forum", apptest.Sam, apptest.Karim)
		sales, deliveries := h.Telegram.NewTopic(apptest.Sam, forum, "Sales"), h.Telegram.NewTopic(apptest.Sam, forum, "Deliveries")
		commandIn(h, apptest.Sam, forum, deliveries, "/team@shop_bot")
		h.TapIn(apptest.Sam, forum, "Deliver here")
		buy(h, apptest.Karim)
		in := func(thread int) (n int) {
			for _, m := range h.Telegram.Messages(forum) {
				if m.FromBot && m.Thread == thread && strings.Contains(apptest.Plain(m.Text), "Delivered") {
					n++
				}
			}
			return n
		}
		if in(deliveries) != 1 || in(sales)+in(0) != 0 {
			t.Errorf("deliveries: %d in the topic, %d in another, %d in none", in(deliveries), in(sales), in(0))
		}
		// What is bought in another topic is answered there, and delivered in both.
		commandIn(h, apptest.Karim, forum, sales, "/buy@shop_bot play")
		h.TapIn(apptest.Karim, forum, "10 USD")
		h.TapIn(apptest.Karim, forum, "1")
		h.TapIn(apptest.Karim, forum, "✅")
		h.Pass(10 * time.Second)
		if in(deliveries) != 2 || in(sales) != 1 || in(0) != 0 {
			t.Errorf("deliveries: %d in the topic, %d where it was bought, %d in none", in(deliveries), in(sales), in(0))
		}
		deleteTopic(h, forum, deliveries)
		code := buy(h, apptest.Karim)
		h.SeeAny(apptest.Sam, "The topic for deliveries in Forum is gone")
		if in(0) != 1 || in(sales) != 1 || !slices.Contains(h.Codes(apptest.Karim), code) {
			t.Errorf("the delivery did not come to the group as such: %d, and %d where others sell", in(0), in(sales))
		}
		h.Bought(3)
	})
}

// deleteTopic deletes a topic with all that is in it, as an administrator can: nobody tells the bot.
func deleteTopic(h *apptest.Harness, chat int64, thread int) {
	h.T.Helper()
	h.Telegram.SetRole(apptest.Sam, chat, h.Telegram.BotID(), tgsim.Administrator)
	h.CallTelegram("deleteForumTopic", fmt.Sprintf(`{"chat_id":%d,"message_thread_id":%d}`, chat, thread))
	h.Telegram.SetRole(apptest.Sam, chat, h.Telegram.BotID(), tgsim.Ordinary)
}

// TestGroupThatTapsMuch: a group takes so many messages and edits in a minute. Whoever taps behind that is told at once that it takes a moment,
// and gets what they have asked for.
func TestGroupThatTapsMuch(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		commandIn(h, apptest.Karim, shop, 0, "/buy play")
		list := h.See(shop, "Choose")
		for i := range 40 {
			data := []string{"1:variant:10:101", "1:back"}[i%2]
			id := h.Telegram.Tap(apptest.Karim, shop, list.ID, data)
			h.Pass(time.Second)
			switch said := h.Answer(id); {
			case said.Answers == 0:
				t.Fatalf("tap %d was not answered within a second", i+1)
			case strings.Contains(said.Text, "One moment"):
				before := message(h, shop, list.ID).Text
				h.Pass(time.Minute)
				if message(h, shop, list.ID).Text == before {
					t.Errorf("the tap has brought nothing:\n%s", h.Transcript(shop))
				}
				return
			}
		}
		t.Error("nobody was told to wait")
	})
}

// TestGroupBuying: in the group a button is its maker's. A stranger's tap, and that of somebody else of the team,
// is refused politely and does nothing.
func TestGroupBuying(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inShop(t, func(h *apptest.Harness) {
		commandIn(h, apptest.Karim, shop, 0, "/buy@shop_bot play")
		list := h.See(shop, "Choose")
		h.TapIn(apptest.Sam, shop, "25 USD") // looks on for himself
		if now := message(h, shop, list.ID); now.Text != list.Text {
			t.Errorf("the seller's list became: %s", now.Text)
		}
		h.Telegram.Tap(apptest.Karim, shop, list.ID, "1:variant:10:101")
		h.Pass(time.Second)
		question := message(h, shop, list.ID)
		for _, who := range []int64{apptest.Eve, apptest.Lila} {
			id := h.Telegram.Tap(who, shop, question.ID, "1:qty:5")
			h.Pass(time.Second)
			h.RefusedWith(h.Answer(id), "")
		}
		h.Telegram.Tap(apptest.Sam, shop, question.ID, "1:qty:5") // an owner, but it is not his question
		h.Pass(time.Second)
		if now := message(h, shop, question.ID); now.Text != question.Text {
			t.Errorf("the seller's question became: %s", now.Text)
		}
		h.Telegram.Tap(apptest.Karim, shop, question.ID, "1:qty:1")
		h.Pass(time.Second)
		summary := message(h, shop, question.ID)
		if strings.Contains(apptest.Plain(summary.Text), "25,000") {
			t.Errorf("the balance stands in the group: %s", summary.Text)
		}
		data := apptest.ConfirmData(t, summary)
		for who, want := range map[int64]string{apptest.Eve: "Only the team", apptest.Lila: "somebody else", apptest.Sam: "somebody else"} {
			id := h.Telegram.Tap(who, shop, question.ID, data)
			h.Pass(time.Second)
			h.RefusedWith(h.Answer(id), want)
		}
		h.Telegram.Tap(apptest.Eve, shop, question.ID, strings.Replace(data, "confirm", "drop", 1))
		h.Pass(10 * time.Second)
		h.Bought(0)
		if now := message(h, shop, question.ID); now.Text != summary.Text {
			t.Errorf("the summary became: %s", now.Text)
		}
		h.Telegram.Tap(apptest.Karim, shop, question.ID, data)
		h.Pass(10 * time.Second)
		h.Bought(1)
		code := h.Service.Orders()[0].Code
		if text := apptest.Plain(message(h, shop, question.ID).Text); !strings.Contains(text, "Delivered") || strings.Contains(h.Texts(shop), code) {
			t.Errorf("the group shows: %s", h.Texts(shop))
		}
		if c := h.TapIn(apptest.Karim, shop, "👁"); !strings.HasSuffix(c.Text, code) {
			t.Errorf("the seller was shown %q", c.Text)
		}
		if n := strings.Count(h.Texts(shop), "🎉 Delivered"); n != 1 {
			t.Errorf("what was bought in the group was delivered there %d times", n)
		}
		for _, data := range []string{"1:language:ar", "1:languages", "1:home", "1:help", "1:cancel", "1:keyremove", "garbage"} {
			id := h.Telegram.Tap(apptest.Eve, shop, question.ID, data)
			h.Pass(time.Second)
			h.RefusedWith(h.Answer(id), "")
		}
		for _, text := range []string{"/buy@shop_bot", "/orders@shop_bot", "/language@shop_bot", "/start@shop_bot", "/balance@shop_bot", "/key@shop_bot remove"} {
			commandIn(h, apptest.Eve, shop, 0, text)
			if got := apptest.Plain(h.See(shop, "").Text); strings.Contains(got, "Play Card") || strings.Contains(got, "23,749") {
				t.Errorf("a stranger's %s is answered with: %s", text, got)
			}
		}
		buy(h, apptest.Karim) // the group is linked as before
		h.Pass(time.Minute)
		if n := strings.Count(h.Texts(shop), "🎉 Delivered"); n != 2 {
			t.Errorf("%d deliveries in the group, want 2", n)
		}
		h.Answered()
	})
}

// message is a message of a chat as it is now.
func message(h *apptest.Harness, chat int64, id int) tgsim.Message {
	h.T.Helper()
	for _, m := range h.Telegram.Messages(chat) {
		if m.ID == id {
			return m
		}
	}
	h.T.Fatalf("chat %d has no message %d", chat, id)
	return tgsim.Message{}
}

// TestGroupHearsNoMoney: the balance, the alarm about it and trouble with the key are the owners', and come into
// the group only where an owner asks for them there.
func TestGroupHearsNoMoney(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inShop(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Low balance")
		h.Say(apptest.Sam, "20000")
		h.Pass(6 * time.Minute)
		h.Service.SetBalance(apptest.TestKey, "9999")
		h.Pass(apptest.Alarmed)
		h.SeeAny(apptest.Sam, "left the balance")
		h.SeeAny(apptest.Sam, "Low balance. Available: DZD 9,999")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Service.ExpireKey(apptest.TestKey)
		h.Tap(apptest.Karim, "✅")
		h.Say(apptest.Karim, "/buy")
		h.Pass(time.Minute)
		h.SeeAny(apptest.Sam, "the key does not work")
		if text := h.Texts(apptest.Karim); strings.Contains(text, "wrong, expired or replaced") || !strings.Contains(text, "ell the owner") {
			t.Errorf("the seller was told:\n%s", text)
		}
		for _, words := range []string{"9,999", "left the balance", "Low balance", "key"} {
			if strings.Contains(h.Texts(shop), words) {
				t.Errorf("the group was told of %q:\n%s", words, h.Texts(shop))
			}
		}
		h.Service.SetExpiry(apptest.TestKey, time.Now().Add(24*time.Hour))
		commandIn(h, apptest.Karim, shop, 0, "/balance@shop_bot")
		h.See(shop, "Only the owner")
		commandIn(h, apptest.Sam, shop, 0, "/balance@shop_bot")
		h.See(shop, "I sent it to you in private") // sellers read along
		h.SeeAny(apptest.Sam, "9,999")
		if strings.Contains(h.Texts(shop), "9,999") {
			t.Error("the group reads the balance")
		}
		commandIn(h, apptest.Sam, shop, 0, "/alerts@shop_bot")
		h.TapIn(apptest.Sam, shop, "Unexplained debit")
		h.TapIn(apptest.Sam, shop, "Turn on")
		h.Service.SetBalance(apptest.TestKey, "5000")
		h.Pass(apptest.Alarmed)
		h.SeeAny(shop, "left the balance")
	})
}

// TestGroupMigrates: a group that becomes a supergroup stays the shop's, with what was bought in it, and what was
// on the way arrives there.
func TestGroupMigrates(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, quiet := range sampletest.SomeNamed(1, map[string]bool{"told": false, "found out": true}) {
		t.Run(name, func(t *testing.T) {
			inTeam(t, func(h *apptest.Harness) {
				old := h.Telegram.NewGroup(apptest.Sam, "Shop", apptest.Karim, apptest.Eve)
				h.Telegram.StartGroup(apptest.Sam, old, "shop")
				h.Pass(time.Second)
				commandIn(h, apptest.Karim, old, 0, "/buy@shop_bot play")
				h.TapIn(apptest.Karim, old, "10 USD")
				h.TapIn(apptest.Karim, old, "1")
				h.Service.HoldOrders(true)
				h.TapIn(apptest.Karim, old, "✅")
				h.Pass(5 * time.Second)
				h.Order(apptest.Karim, "Play Card", "25 USD", "1")
				h.Tap(apptest.Karim, "✅")
				h.Pass(5 * time.Second)
				if quiet {
					h.Stop() // the update that tells of it is lost with the time that passes
				}
				next := h.Telegram.Migrate(apptest.Sam, old)
				if quiet {
					h.Telegram.JumpUpdates(1)
					h.Start()
				}
				h.Service.HoldOrders(false)
				h.Pass(time.Minute)
				if n := strings.Count(h.Texts(next), "🎉 Delivered"); n != 2 {
					t.Errorf("%d deliveries in the supergroup, want 2:\n%s", n, h.Texts(next))
				}
				h.RefusedWith(h.TapIn(apptest.Eve, next, "👁"), "Only the team")
				if c := h.TapIn(apptest.Karim, next, "👁"); !c.Alert {
					t.Errorf("the seller was shown %q", c.Text)
				}
				commandIn(h, apptest.Karim, next, 0, "/orders@shop_bot")
				list := h.See(next, "team's orders")
				if len(list.Keyboard) < 3 {
					t.Errorf("the orders are gone: %v", list.Keyboard)
				}
				buy(h, apptest.Karim)
				if n := strings.Count(h.Texts(next), "🎉 Delivered"); n != 3 {
					t.Errorf("%d deliveries in the supergroup, want 3", n)
				}
				h.Bought(3)
			})
		})
	}
}

// TestBoughtInAGroupThatMovedOn: what was bought in a group is the account's also after the group has left it and then become a
// supergroup.
func TestBoughtInAGroupThatMovedOn(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		old := h.Telegram.NewGroup(apptest.Sam, "Shop", apptest.Karim)
		h.Telegram.StartGroup(apptest.Sam, old, "shop")
		h.Pass(time.Second)
		commandIn(h, apptest.Sam, old, 0, "/buy@shop_bot play")
		h.TapIn(apptest.Sam, old, "10 USD")
		h.TapIn(apptest.Sam, old, "1")
		h.TapIn(apptest.Sam, old, "✅")
		h.Pass(time.Minute)
		commandIn(h, apptest.Sam, old, 0, "/team@shop_bot")
		h.TapIn(apptest.Sam, old, "Stop group delivery")
		h.Telegram.Migrate(apptest.Sam, old)
		h.Pass(time.Minute)
		h.Say(apptest.Sam, "/orders")
		h.See(apptest.Sam, "10 USD")
		h.Say(apptest.Sam, "/start")
		h.See(apptest.Sam, "Purchases today: 1")
	})
}

// TestGroupRemovesTheBot: the owner is told when the group puts the bot out and when it takes it in again, what
// came meanwhile arrives then, and codes are hidden from whoever is there by then.
func TestGroupRemovesTheBot(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.TapIn(apptest.Sam, shop, "Codes for everybody")
		h.TapIn(apptest.Sam, shop, "Yes, show them")
		h.Telegram.SetRole(apptest.Sam, shop, h.Telegram.BotID(), tgsim.Kicked)
		h.Pass(time.Second)
		h.SeeAny(apptest.Sam, "I was removed from the group Shop & Co")
		code := buy(h, apptest.Karim)
		h.Pass(time.Minute)
		if n := strings.Count(h.Texts(shop), "🎉"); n != 0 {
			t.Fatal("something came into a group that the bot is not in")
		}
		h.Telegram.SetRole(apptest.Karim, shop, h.Telegram.BotID(), tgsim.Ordinary) // by somebody else
		h.Pass(time.Minute)
		h.SeeAny(apptest.Sam, "I am back in the group Shop & Co")
		h.See(shop, "🎉 Delivered")
		if strings.Contains(h.Texts(shop), code) {
			t.Error("the code is shown to whoever is in the group now")
		}
		if c := h.TapIn(apptest.Lila, shop, "👁"); !strings.HasSuffix(c.Text, code) {
			t.Errorf("the counter was shown %q", c.Text)
		}
		h.Bought(1)
	})
}

// TestGroupLinkedByAnAnonymousOwner: an administrator who writes in the group's name gets a button, and whose tap
// it is decides.
func TestGroupLinkedByAnAnonymousOwner(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Telegram.AddGroup(shop, "Shop", apptest.Sam, apptest.Karim)
		h.Telegram.InjectUpdate(fmt.Sprintf(`"message":{"message_id":900,"date":%d,"text":"/team@shop_bot","chat":{"id":%d,"type":"group","title":"Shop"},`+
			`"from":{"id":1087968824,"is_bot":true,"first_name":"Group"},"sender_chat":{"id":%[2]d,"type":"group","title":"Shop"}}`, time.Now().Unix(), shop))
		h.Pass(time.Second)
		h.RefusedWith(h.TapIn(apptest.Karim, shop, "📍"), "")
		h.TapIn(apptest.Sam, shop, "📍")
		h.See(shop, "come here")
		buy(h, apptest.Karim)
		h.See(shop, "Delivered")
	})
}

// TestGroupMoves: another group takes the place of the first one, and the other owners hear of it.
func TestGroupMoves(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Link(apptest.Yasmine)
		h.Telegram.AddGroup(-701, "Other", apptest.Sam, apptest.Karim)
		h.Telegram.StartGroup(apptest.Sam, -701, "shop")
		h.Pass(time.Second)
		h.SeeAny(apptest.Yasmine, "Sam a lié le groupe Other")
		buy(h, apptest.Karim)
		if a, b := strings.Count(h.Texts(shop), "🎉"), strings.Count(h.Texts(-701), "🎉"); a != 0 || b != 1 {
			t.Errorf("%d deliveries in the first group and %d in the second", a, b)
		}
	})
}

// TestOrdersInAGroupOfNobody: a group that no account is linked to has no orders to be listed, and says which it is.
func TestOrdersInAGroupOfNobody(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam)
		h.Telegram.StartGroup(apptest.Sam, shop, "")
		h.Pass(time.Second)
		for _, command := range []string{"/orders", "/orders card"} {
			commandIn(h, apptest.Sam, shop, 0, command)
			if m := h.See(shop, "No account is linked"); strings.Contains(m.Text, "No orders") {
				t.Errorf("%s says %s", command, m.Text)
			}
		}
	})
}

// TestOwnersFiguresBesideStaff: in a group in which sellers or a counter read along, the balance, what changed it, and the rule of
// prices go to the private chat of the owner who asks, and the group is told so; where none of these is, they stand in the group. In
// each language.
func TestOwnersFiguresBesideStaff(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ balance, changes, rule, sent string }{
		"en": {"Balance", "Balance changes", "Your own prices", "I sent it to you in private: others read along here."},
		"fr": {"Solde", "Mouvements du solde", "Vos prix de vente", "Je vous l'ai envoyé en privé : d'autres lisent ici."},
		"ar": {"الرصيد", "حركات الرصيد", "أسعار البيع", "أرسلته إليك في محادثتنا الخاصة: هنا يقرأ آخرون."},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inShop(t, func(h *apptest.Harness) {
				setPrices(h)
				buy(h, apptest.Sam)
				chooseLanguage(h, apptest.Sam, lang)
				for _, command := range []string{"/language", "/balance", "/prices"} {
					commandIn(h, apptest.Sam, shop, 0, command)
					if command == "/language" {
						h.TapIn(apptest.Sam, shop, map[string]string{"en": "English", "fr": "Français", "ar": "العربية"}[lang])
						continue
					}
					if text := plainly(last(ofBot(h, shop)).Text); !strings.Contains(text, words.sent) {
						t.Errorf("%s: the group is told\n%s", command, text)
					}
				}
				h.SeeAny(apptest.Sam, words.rule)
				h.SeeAny(apptest.Sam, words.balance)
				h.Tap(apptest.Sam, "%")
				for _, secret := range []string{"23,749.50", "23 749,50", "+10", "10%", "@"} {
					if strings.Contains(plainly(h.Texts(shop)), secret) {
						t.Errorf("the group reads %q:\n%s", secret, h.Transcript(shop))
					}
				}
			})
		})
	}
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Yasmine)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		commandIn(h, apptest.Sam, shop, 0, "/balance")
		old := h.See(shop, "25,000")
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "Seller"))
		tap := h.Telegram.Tap(apptest.Sam, shop, old.ID, buttons(old, "Balance changes")[0].Data) // a button from before there was a seller
		h.Pass(2 * time.Second)
		if c := h.Answer(tap); !strings.Contains(c.Text, "in private") {
			t.Errorf("the tap was answered %q", c.Text)
		}
		h.SeeAny(apptest.Sam, "Balance changes")
		h.Telegram.Block(apptest.Sam)
		commandIn(h, apptest.Sam, shop, 0, "/balance")
		h.See(shop, "Ask me in our private chat")
	})
}
