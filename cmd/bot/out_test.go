package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
)

// A way by which somebody, or a group, goes out.
type wayOut string

const (
	byBotOwner   wayOut = "the bot's owner shuts them out"
	byOwner      wayOut = "an owner removes them"
	byThemselves wayOut = "they unlink their chat"
	demoted      wayOut = "they lose their role"
)

// outCase is somebody who goes out, and what is left of their shop.
type outCase struct {
	who     int64
	way     wayOut
	outside bool // they are not let in any more
	seller  bool // they may still buy
}

// outCases are all persons, and the group, by all ways. Sam and Yasmine own the account where both are said to; Sam
// has come by an invitation of the bot's owner, the others through the team.
func outCases() []outCase {
	return []outCase{
		{who: sam, way: byBotOwner, outside: true},
		{who: sam, way: byOwner}, // in, by the bot's owner, without an account
		{who: sam, way: byThemselves},
		{who: sam, way: demoted, seller: true},
		{who: yasmine, way: byBotOwner, outside: true},
		{who: yasmine, way: byOwner, outside: true},
		{who: yasmine, way: byThemselves, outside: true},
		{who: yasmine, way: demoted, seller: true},
		{who: karim, way: byBotOwner, outside: true},
		{who: karim, way: byOwner, outside: true},
		{who: karim, way: byThemselves, outside: true},
		{who: karim, way: demoted},
		{who: lila, way: byBotOwner, outside: true},
		{who: lila, way: byOwner, outside: true},
		{who: lila, way: byThemselves, outside: true},
		{who: shop, way: byBotOwner, outside: true},
		{who: shop, way: byThemselves},
	}
}

// openShop plays with a shop of four in a bot by invitation: its group is linked, and links into its team, and into
// the bot, are open.
func openShop(t *testing.T, play func(h *house, links []string, pass string)) {
	t.Helper()
	inHouse(t, func(h *house) { people(h); byInvitation(h) }, func(h *house) {
		h.telegram.SetLanguage(yasmine, "en")
		h.say(sam, "/start "+h.invitation())
		h.link(sam)
		for _, who := range []int64{yasmine, karim} {
			h.join(who, h.invite(sam, "➕ Seller"))
		}
		h.join(lila, h.invite(sam, "➕ Counter"))
		h.say(sam, "/team")
		h.tap(sam, "Yasmine")
		h.tap(sam, "Make owner")
		h.tap(sam, "Yes")
		h.telegram.AddGroup(shop, "Shop & Co", sam, yasmine, karim, lila, eve)
		h.telegram.StartGroup(sam, shop, "shop")
		h.pass(time.Second)
		h.see(shop, "Deliveries come here")
		h.say(yasmine, "/alerts")
		h.tap(yasmine, "Low balance")
		h.say(yasmine, "20000")
		links := []string{h.invite(sam, "➕ Seller"), h.invite(yasmine, "➕ Seller")}
		play(h, links, h.invitation())
	})
}

// goOut has a case happen.
func (h *house) goOut(c outCase) {
	h.t.Helper()
	names := map[int64]string{sam: "Sam", yasmine: "Yasmine", karim: "Karim", lila: "Lila", shop: "Shop & Co"}
	other := sam
	if c.who == sam {
		other = yasmine
	}
	switch c.way {
	case byBotOwner:
		h.takeOut(names[c.who])
	case byOwner:
		h.say(other, "/team")
		h.tap(other, names[c.who])
		h.tap(other, "Remove")
		h.tap(other, "Yes, remove")
	case byThemselves:
		if c.who == shop {
			h.commandIn(sam, shop, 0, "/key@shop_bot remove")
			return
		}
		h.say(c.who, "/key remove")
		h.see(c.who, "unlinked")
	case demoted:
		role := "Make seller"
		if c.who == karim {
			role = "Make counter"
		}
		h.say(other, "/team")
		h.tap(other, names[c.who])
		h.tap(other, role)
	}
	h.pass(time.Second)
}

// takeOut has the bot's owner shut somebody out, whose button holds the words.
func (h *house) takeOut(words string) {
	h.t.Helper()
	h.say(operator, "/access")
	h.tap(operator, words)
	_, _ = h.telegram.TapButton(operator, operator, "Yes, take out")
	h.pass(time.Second)
}

// served reports whether somebody is shown the goods in a chat.
func (h *house) served(user, chat int64) bool {
	shown := func() int { return strings.Count(h.transcript(chat), "Play Card") }
	before := shown()
	text := "/buy play"
	if chat < 0 {
		text = "/buy@shop_bot play"
	}
	h.telegram.Send(user, chat, text)
	h.pass(2 * time.Second)
	return shown() > before
}

// opens has somebody open a link, and reports whether it has let them in, to the team or to the bot.
func (h *house) opens(user int64, token string) bool {
	joined, helped := h.count(user, "Welcome to Boutique"), h.count(user, "/balance")
	h.pass(13 * time.Minute) // tries are counted
	h.telegram.Start(user, token)
	h.pass(2 * time.Second)
	h.telegram.Send(user, user, "/help")
	h.pass(2 * time.Second)
	return h.count(user, "Welcome to Boutique") > joined || user == eve && h.count(user, "/balance") > helped
}

// TestOutIsOut: whoever goes out, in whichever way, is served nowhere, and no link that was open lets them or anybody
// else in. For the others the shop goes on.
func TestOutIsOut(t *testing.T) {
	for _, c := range outCases() {
		t.Run(fmt.Sprintf("%d %s", c.who, c.way), func(t *testing.T) {
			t.Parallel()
			openShop(t, func(h *house, links []string, pass string) {
				alerts := h.count(c.who, "Low balance: DZD")
				h.goOut(c)
				if c.who != shop {
					if h.served(c.who, c.who) != c.seller || h.served(c.who, shop) != c.seller {
						t.Errorf("bought in private or in the group, want %v:\n%s\n%s", c.seller, h.transcript(c.who), h.transcript(shop))
					}
					h.service.SetBalance(testKey, "100")
					h.pass(6 * time.Minute)
					if h.count(c.who, "Low balance: DZD") != alerts || h.count(c.who, "left the balance") > 0 {
						t.Errorf("alerts go on:\n%s", h.transcript(c.who))
					}
				}
				h.othersGoOn(c)
				if c.way == byBotOwner && c.who != shop {
					h.opens(c.who, pass) // from before
				}
				for i, link := range links {
					if c.who == shop { // nobody has left
						continue
					}
					if h.opens(c.who, link) {
						t.Errorf("link %d lets them in again:\n%s", i, h.transcript(c.who))
					}
					if h.opens(eve, link) {
						t.Errorf("link %d lets a stranger in:\n%s", i, h.transcript(eve))
					}
				}
				if in := h.helped(c.who); c.who != shop && in == c.outside {
					t.Errorf("let in: %v", in)
				}
				h.answered()
			})
		})
	}
}

// othersGoOn sees to it that the rest of the team is as it was; of a group, that nothing goes on in it.
func (h *house) othersGoOn(c outCase) {
	h.t.Helper()
	for _, who := range []int64{sam, yasmine, karim} {
		if who != c.who && !h.served(who, who) {
			h.t.Errorf("%d is served no more:\n%s", who, h.transcript(who))
		}
	}
	if c.who != shop {
		return
	}
	if c.way == byBotOwner && (h.served(karim, shop) || h.served(sam, shop) || h.inGroup(shop)) {
		h.t.Errorf("the group is served:\n%s", h.transcript(shop))
	}
}

// calls counts what the service was asked.
func (h *house) calls() (n int) {
	for _, times := range h.service.Requests() {
		n += times
	}
	return n
}

// helped reports whether somebody is answered at all.
func (h *house) helped(user int64) bool {
	before := h.fromBot(user)
	h.pass(time.Minute)
	h.telegram.Send(user, user, "/help")
	h.pass(2 * time.Second)
	return h.fromBot(user) > before
}

// TestShutOutShop: with the last owner the whole shop is out: nobody buys for it, in private or in the group, nothing
// is asked of the service for it, and an invitation lets in the one who opens it, alone.
func TestShutOutShop(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *house, links []string, pass string) {
		h.say(yasmine, "/key remove")
		h.goOut(outCase{who: sam, way: byBotOwner})
		for _, who := range []int64{sam, yasmine, karim, lila} {
			if h.served(who, who) || h.served(who, shop) || h.helped(who) {
				t.Errorf("%d is served:\n%s\n%s", who, h.transcript(who), h.transcript(shop))
			}
			for _, link := range append(links, pass) {
				if h.opens(who, link) && who == sam {
					t.Errorf("%d is in again:\n%s", who, h.transcript(who))
				}
			}
		}
		calls := h.calls()
		h.pass(time.Hour)
		if n := h.calls() - calls; n > 0 {
			t.Errorf("%d calls for a shop that is out", n)
		}
		h.pass(time.Hour)
		h.say(sam, "/start "+h.invitation())
		h.see(sam, "Welcome")
		h.link(sam)
		if !h.served(sam, sam) {
			t.Error("a new invitation does not let in again")
		}
	})
}

// TestShutOutHoldsInAnOpenHouse: where everybody may come, whoever was shut out may not.
func TestShutOutHoldsInAnOpenHouse(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) { people(h); byInvitation(h); h.env["ACCESS"] = "open" }, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.takeOut("Sam")
		if h.helped(sam) || h.served(karim, karim) {
			t.Errorf("served:\n%s\n%s", h.transcript(sam), h.transcript(karim))
		}
		if !h.helped(eve) {
			t.Error("everybody may come")
		}
		group := h.telegram.NewGroup(sam, "Sam's")
		h.pass(time.Second)
		if h.inGroup(group) {
			t.Error("who is out takes the bot into a group")
		}
		h.say(sam, "/start "+h.invitation())
		h.see(sam, "Welcome")
	})
}

// TestGroupShutOutComesBack: by the bot's owner alone.
func TestGroupShutOutComesBack(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *house, _ []string, _ string) {
		h.takeOut("Shop & Co")
		h.seeAny(sam, "Shop & Co")
		h.telegram.SetRole(sam, shop, h.telegram.BotID(), tgsim.Kicked)
		h.telegram.StartGroup(sam, shop, "shop")
		h.pass(2 * time.Second)
		if h.inGroup(shop) {
			t.Errorf("the group is back:\n%s", h.transcript(shop))
		}
		h.telegram.SetRole(sam, shop, operator, tgsim.Ordinary)
		h.telegram.StartGroup(operator, shop, "shop")
		h.pass(2 * time.Second)
		h.telegram.StartGroup(sam, shop, "shop")
		h.pass(2 * time.Second)
		h.see(shop, "Deliveries come here")
	})
}

// TestAccessPages: every chat can be reached, and taken out.
func TestAccessPages(t *testing.T) {
	t.Parallel()
	inHouse(t, invited, func(h *house) {
		const chats = 43
		for i := range int64(chats) {
			h.telegram.AddUser(tgsim.User{ID: 9100 + i, FirstName: fmt.Sprintf("Guest %d", i), LanguageCode: "en"})
			h.say(9100+i, "/start "+h.invitation())
		}
		for i := range int64(chats) { // the last first: each is on the last page
			h.say(operator, "/access")
			words := fmt.Sprintf("#%d", 9100+chats-1-i)
			for range 9 {
				if _, err := h.telegram.TapButton(operator, operator, words); err == nil {
					break
				}
				h.tap(operator, "▶")
			}
			h.pass(time.Second)
			h.tap(operator, "Yes, take out")
		}
		h.see(operator, "Nobody is invited yet")
		if h.helped(9100) || h.helped(9100+chats-1) {
			t.Error("somebody who was taken out is served")
		}
	})
}

// TestStrangerDoesNotEmptyALinkedGroup: after ACCESS goes from open to invite the bot stays where a shop is linked, says
// nothing to strangers there, and works again once its owner was invited.
func TestStrangerDoesNotEmptyALinkedGroup(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) { people(h); byInvitation(h); h.env["ACCESS"] = "open" }, func(h *house) {
		h.link(sam)
		h.telegram.AddGroup(shop, "Shop & Co", sam, karim, eve)
		h.telegram.StartGroup(sam, shop, "shop")
		h.pass(time.Second)
		h.stop()
		h.env["ACCESS"] = "invite"
		h.start()
		said := h.fromBot(shop)
		h.commandIn(eve, shop, 0, "/help@shop_bot")
		if !h.inGroup(shop) || h.fromBot(shop) != said {
			t.Errorf("in the group: %v\n%s", h.inGroup(shop), h.transcript(shop))
		}
		h.say(sam, "/start "+h.invitation())
		h.commandIn(sam, shop, 0, "/buy@shop_bot play")
		h.see(shop, "Play Card")
	})
}

// TestTeamComesBackIn: an owner who unlinks and links again brings the team back, and into the bot as well; but nobody
// whom the bot's owner has shut out meanwhile.
func TestTeamComesBackIn(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *house, _ []string, _ string) {
		h.say(karim, "/start "+h.invitation()) // of their own
		h.say(yasmine, "/key remove")
		h.say(sam, "/key remove")
		h.tap(sam, "Yes, unlink")
		h.takeOut(fmt.Sprintf("#%d", karim))
		if h.helped(lila) {
			t.Error("who was here with a team that has ended is still in")
		}
		h.say(sam, "/key "+testKey)
		h.seeAny(lila, "is linked again")
		if !h.helped(lila) || !h.served(sam, shop) {
			t.Errorf("the team is not back:\n%s\n%s", h.transcript(lila), h.transcript(shop))
		}
		if h.helped(karim) || h.served(karim, shop) {
			t.Errorf("who was shut out is back:\n%s", h.transcript(karim))
		}
		h.say(sam, "/team")
		if text := plain(h.see(sam, "Team of").Text); strings.Contains(text, "Karim") || !strings.Contains(text, "Lila") {
			t.Errorf("the team is: %s", text)
		}
	})
}

// TestKeyOfSomebodyHereWithATeam: who may use the bot with a team alone links no account of their own, and is told why.
func TestKeyOfSomebodyHereWithATeam(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *house, _ []string, _ string) {
		h.must(h.service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "700"}))
		h.say(karim, "/key "+otherKey)
		h.see(karim, "as one of the team of Boutique El Djazair")
		if !h.served(karim, karim) {
			t.Error("the seller has left the team by it")
		}
		h.say(karim, "/start "+h.invitation()) // of their own
		h.say(karim, "/key "+otherKey)
		h.see(karim, otherShop)
	})
}

// TestAdmissionsFromBefore: of whom it was not written down who let them in, those who came with a team go with it, and
// those who brought a key stay.
func TestAdmissionsFromBefore(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *house, _ []string, _ string) {
		h.inStore(func(s *store.Store) {
			for _, chat := range []int64{sam, karim, shop} {
				h.must(s.Update(t.Context(), func(tx *store.Tx) error {
					c, err := tx.Chat(chat)
					if err != nil {
						return err
					}
					c.AdmittedBy, c.Through = 0, ""
					return tx.PutChat(&c)
				}))
			}
		})
		for _, who := range []int64{karim, sam} {
			if !h.served(who, who) || !h.served(who, shop) {
				t.Errorf("%d is not served", who)
			}
		}
		h.goOut(outCase{who: karim, way: byOwner})
		h.goOut(outCase{who: sam, way: byOwner})
		if h.helped(karim) || !h.helped(sam) {
			t.Errorf("the seller is answered, or the shop's owner is not:\n%s\n%s", h.transcript(karim), h.transcript(sam))
		}
	})
}

// TestShutOutWithAnOpenPurchase: who is shut out is told so, once; what they bought before they may look at and decide,
// and nothing else, until nothing of theirs is open. The bot's owner is told how much is open first.
func TestShutOutWithAnOpenPurchase(t *testing.T) {
	for _, access := range []string{"open", "invite"} {
		t.Run(access, func(t *testing.T) {
			inHouse(t, func(h *house) { listing(h); byInvitation(h); h.env["ACCESS"] = access }, func(h *house) {
				h.say(sam, "/start "+h.invitation())
				h.link(sam)
				h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
				h.order(sam, "Play Card", "10 USD", "1")
				h.tap(sam, "✅")
				h.seeAny(sam, "Uncertain")
				own := h.service.Orders()[0]
				h.buyOutside(101)
				h.say(operator, "/access")
				h.tap(operator, "Sam")
				h.see(operator, "1 purchase of theirs is still open")
				h.tap(operator, "Yes, take out")
				h.seeAny(sam, "Whoever runs this bot has taken you out")
				h.pass(11 * time.Minute)
				h.seeAny(sam, "Please decide")
				if h.helped(sam) || h.served(sam, sam) {
					t.Errorf("who is out is served:\n%s", h.transcript(sam))
				}
				h.say(sam, "/forget")
				h.see(sam, "money of yours is still open")
				h.say(sam, "/orders")
				h.tap(sam, "Play Card")
				h.tapUnder("Please decide", "It is there")
				h.tap(sam, numberOf(own))
				h.pass(time.Minute)
				bought := slices.IndexFunc(h.service.Orders(), func(o sim.Order) bool { return o.Number == own.Number })
				if codes := h.codes(sam); len(codes) != 1 || codes[0] != h.service.Orders()[bought].Code {
					t.Errorf("the codes are %v, want that of %v:\n%s", codes, own.Number, h.transcript(sam))
				}
				said := h.fromBot(sam)
				h.say(sam, "/orders")
				h.pass(time.Minute)
				if h.fromBot(sam) != said {
					t.Errorf("nothing is open any more, and it goes on:\n%s", h.transcript(sam))
				}
				if n := h.count(sam, "Whoever runs this bot has taken you out"); n != 1 {
					t.Errorf("told %d times", n)
				}
				if n := h.purchasesSent(); n != 1 {
					t.Errorf("%d purchases were sent", n)
				}
			})
		})
	}
}

// TestKeyOfAnOutsider: a message with a key is deleted whoever sends it, and answered.
func TestKeyOfAnOutsider(t *testing.T) {
	inHouse(t, func(h *house) { people(h); byInvitation(h) }, func(h *house) {
		h.say(karim, "/start "+h.invitation())
		h.takeOut("#" + strconv.FormatInt(karim, 10))
		for _, who := range []int64{eve, karim} {
			said := h.fromBot(who)
			h.telegram.Send(who, who, "/key "+otherKey)
			h.pass(8 * time.Second)
			if m := h.telegram.Messages(who); strings.Contains(liveText(m), otherKey) {
				t.Errorf("the key of %d stands in the chat:\n%s", who, h.transcript(who))
			}
			if h.see(who, "Nothing was linked"); h.fromBot(who) != said+1 {
				t.Errorf("%d is answered %d times", who, h.fromBot(who)-said)
			}
		}
		if strings.Contains(h.log.String(), otherKey) {
			t.Error("the log shows the key")
		}
	})
}

// liveText is what stands in a chat.
func liveText(all []tgsim.Message) string {
	var text strings.Builder
	for _, m := range all {
		if !m.Deleted {
			text.WriteString(m.Text + "\n")
		}
	}
	return text.String()
}

// TestRemovedOwnerSendsTheKey: whoever was removed from a team does not come back by its key while somebody is left in it,
// the owners are told that they have it, and an invitation lets them in again. A team that is empty is anybody's who has
// the key.
func TestRemovedOwnerSendsTheKey(t *testing.T) {
	inHouse(t, people, func(h *house) {
		h.telegram.SetLanguage(yasmine, "en")
		h.link(sam)
		h.link(yasmine)
		h.goOut(outCase{who: sam, way: byOwner})
		h.see(sam, "not of the team")
		for range 3 {
			h.say(sam, "/key "+testKey)
			h.see(sam, "Ask an owner for an invitation")
			h.pass(10 * time.Second)
		}
		if strings.Contains(liveText(h.telegram.Messages(sam)), testKey) {
			t.Error("the key stands in the chat")
		}
		if h.seeAny(yasmine, "Sam, who was removed from the team, has sent this account's key"); h.count(yasmine, "who was removed from the team") != 1 {
			t.Errorf("the owner is told %d times", h.count(yasmine, "who was removed from the team"))
		}
		h.say(sam, "/orders")
		if h.say(yasmine, "/team"); strings.Contains(h.see(yasmine, "Team of").Text, "Sam") {
			t.Errorf("back in the team:\n%s", h.transcript(yasmine))
		}
		h.join(sam, h.invite(yasmine, "➕ Seller"))
		h.say(yasmine, "/team")
		h.tap(yasmine, "Sam")
		h.tap(yasmine, "Remove")
		h.tap(yasmine, "Yes, remove")
		h.say(yasmine, "/key remove")
		h.see(yasmine, "unlinked")
		h.link(sam)
		h.buy(sam)
	})
}

// TestKeyOfARemovedOutsider: that the owners of an account were told of a key does not keep its sender from being told what
// came of it once the bot's owner has taken them out, nor the owners of another account from hearing of its own.
func TestKeyOfARemovedOutsider(t *testing.T) {
	type shop struct {
		owner int64
		key   string
	}
	shops := []shop{{yasmine, testKey}, {eve, otherKey}}
	inHouse(t, func(h *house) {
		people(h)
		byInvitation(h)
		h.must(h.service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "700"}))
	}, func(h *house) {
		h.telegram.SetLanguage(yasmine, "en")
		for _, s := range shops {
			h.say(s.owner, "/start "+h.invitation())
			h.say(s.owner, "/key "+s.key)
			h.see(s.owner, "Linked")
		}
		h.say(sam, "/start "+h.invitation())
		for _, s := range shops {
			h.say(sam, "/key "+s.key)
			h.see(sam, "Linked")
			h.say(s.owner, "/team")
			h.tap(s.owner, "Sam")
			h.tap(s.owner, "Remove")
			h.tap(s.owner, "Yes, remove")
			h.see(sam, "not of the team")
			for range 2 {
				h.say(sam, "/key "+s.key)
				h.see(sam, "Ask an owner for an invitation")
			}
			if n := h.count(s.owner, "who was removed from the team, has sent"); n != 1 {
				t.Errorf("%d is told %d times:\n%s", s.owner, n, h.transcript(s.owner))
			}
		}
		h.takeOut("#" + strconv.FormatInt(sam, 10))
		h.telegram.Send(sam, sam, "/key "+testKey)
		h.pass(8 * time.Second)
		h.see(sam, "Nothing was linked")
	})
}

// TestOrdersAfterComingBack: the team's list shows each purchase once, also of somebody who was removed, forgotten and let
// in again; and whoever was removed is told where their purchases are.
func TestOrdersAfterComingBack(t *testing.T) {
	inTeam(t, func(h *house) {
		h.buy(karim)
		h.buy(karim)
		h.goOut(outCase{who: karim, way: byOwner})
		h.say(karim, "/orders")
		m := h.see(karim, "stays with the team that you were removed from")
		if len(buttons(m, "History")) > 0 {
			t.Errorf("a button leads nowhere: %v", m.Keyboard)
		}
		h.say(karim, "/forget")
		h.tap(karim, "Yes, forget me")
		h.say(karim, "/orders")
		if m := h.see(karim, "stays with the team"); len(buttons(m, "Play Card")) > 0 {
			t.Errorf("they are shown what they may not see: %v", m.Keyboard)
		}
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.say(sam, "/orders")
		h.tap(sam, "whole team")
		if m := h.see(sam, "The team's purchases"); len(buttons(m, "Play Card")) != 2 {
			t.Errorf("two purchases are listed as %v", m.Keyboard)
		}
		h.say(eve, "/orders")
		if m := h.see(eve, "No purchases yet"); len(buttons(m, "History")) > 0 {
			t.Errorf("a button leads nowhere: %v", m.Keyboard)
		}
	})
}

// TestOwnOrdersInAGroup: what somebody has bought in the group is among their own purchases, for them alone.
func TestOwnOrdersInAGroup(t *testing.T) {
	inTeam(t, func(h *house) {
		h.telegram.AddGroup(shop, "Shop & Co", sam, karim)
		h.telegram.StartGroup(sam, shop, "shop")
		h.pass(time.Second)
		h.commandIn(sam, shop, 0, "/buy@shop_bot play")
		h.tapIn(sam, shop, "10 USD")
		h.tapIn(sam, shop, "1")
		h.tapIn(sam, shop, "✅")
		h.pass(10 * time.Second)
		for who, n := range map[int64]int{sam: 1, karim: 0} {
			h.say(who, "/orders")
			if m := h.see(who, "urchases"); len(buttons(m, "Play Card")) != n {
				t.Errorf("%d of %d's own purchases are listed, want %d:\n%s", len(buttons(m, "Play Card")), who, n, h.transcript(shop))
			}
		}
		h.tap(sam, "Play Card")
		if h.count(sam, "Delivered") != 1 {
			t.Errorf("the purchase is not shown:\n%s", h.transcript(sam))
		}
	})
}

// TestAccessTellsWho: who is in is called by their name, a group is told from a person, who was shut out is listed and let
// in again with a tap, and that nobody is there is said where that is so.
func TestAccessTellsWho(t *testing.T) {
	inOthers(t, func(h *house) {
		h.stop()
		byInvitation(h)
		h.env["ACCESS"] = "open"
		h.start()
		h.linkShop(sam, "Boutique El Djazair")
		h.say(operator, "/access")
		list := plain(h.see(operator, "Who may use this bot").Text)
		for _, words := range []string{"👤 Sam · Boutique", "👤 Karim · Boutique", "👤 Eve · " + otherShop, "👥 Shop & Co"} {
			if !strings.Contains(list, words) {
				t.Errorf("the list lacks %q: %s", words, list)
			}
		}
		for _, name := range []string{"Eve", "Shop & Co", "Karim", "Sam"} {
			h.takeOut(name)
		}
		h.see(operator, "Nobody has linked an account")
		h.tap(operator, "Shut out: ")
		h.tap(operator, "Eve")
		h.seeAny(eve, "has let you in again")
		if list := plain(h.see(operator, "Whom you have shut out").Text); strings.Contains(list, "Eve") || !strings.Contains(list, "👥 Shop & Co") {
			t.Errorf("shut out: %s", list)
		}
		if !h.helped(eve) || h.helped(sam) || h.served(eve, eve) {
			t.Errorf("let in:\n%s", h.transcript(eve))
		}
		h.say(eve, "/key "+otherKey)
		h.see(eve, otherShop)
		h.say(sam, "/access")
		h.telegram.Tap(sam, sam, h.telegram.Messages(sam)[0].ID, "1:letin:502")
		h.pass(time.Second)
		if h.helped(sam) {
			t.Error("who is out lets themselves in")
		}
	})
}

// TestAccessWithoutAShopsName: who owns an account that the service does not name is called by their own name.
func TestAccessWithoutAShopsName(t *testing.T) {
	inHouse(t, func(h *house) {
		people(h)
		byInvitation(h)
		h.must(h.service.AddAccount(sim.AccountSpec{Key: otherKey, UserID: 4102, Balance: "700"}))
	}, func(h *house) {
		h.say(eve, "/start "+h.invitation())
		h.say(eve, "/key "+otherKey)
		h.say(operator, "/access")
		if list := plain(h.see(operator, "Who may use this bot").Text); !strings.Contains(list, "👤 Eve, Owner") {
			t.Errorf("the list is %s", list)
		}
	})
}

// TestTokenWithMarks: an invitation whose link was copied with invisible marks is as good as without, and its plain text
// has none.
func TestTokenWithMarks(t *testing.T) {
	inHouse(t, func(h *house) { people(h); byInvitation(h) }, func(h *house) {
		pass := h.invitation()
		if text := h.see(operator, "lets in the first chat").Text; strings.Contains(text, "\u2068https") || strings.Contains(text, pass+"\u2069") {
			t.Errorf("the link is wrapped: %q", text)
		}
		h.say(sam, "/start "+pass+"\u2069")
		h.see(sam, "Welcome")
		h.link(sam)
		token := h.invite(sam, "➕ Seller")
		if text := h.see(sam, "Send this link").Text; strings.Contains(text, token+"\u2069") {
			t.Errorf("the link is wrapped: %q", text)
		}
		h.say(karim, "/start \u2068"+token+"\u2069")
		h.see(karim, "Welcome to Boutique")
	})
}
