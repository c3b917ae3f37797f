package conversations_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

// A way by which somebody, or a group, goes out.
type wayOut string

const (
	byOperator   wayOut = "the operator shuts them out"
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
// has come by an invitation of the operator, the others through the team.
func outCases() []outCase {
	return []outCase{
		{who: apptest.Sam, way: byOperator, outside: true},
		{who: apptest.Sam, way: byOwner}, // in, by the operator, without an account
		{who: apptest.Sam, way: byThemselves},
		{who: apptest.Sam, way: demoted, seller: true},
		{who: apptest.Yasmine, way: byOperator, outside: true},
		{who: apptest.Yasmine, way: byOwner, outside: true},
		{who: apptest.Yasmine, way: byThemselves, outside: true},
		{who: apptest.Yasmine, way: demoted, seller: true},
		{who: apptest.Karim, way: byOperator, outside: true},
		{who: apptest.Karim, way: byOwner, outside: true},
		{who: apptest.Karim, way: byThemselves, outside: true},
		{who: apptest.Karim, way: demoted},
		{who: apptest.Lila, way: byOperator, outside: true},
		{who: apptest.Lila, way: byOwner, outside: true},
		{who: apptest.Lila, way: byThemselves, outside: true},
		{who: shop, way: byOperator, outside: true},
		{who: shop, way: byThemselves},
	}
}

// openShop plays with a shop of four in a bot by invitation: its group is linked, and links into its team, and into
// the bot, are open.
func openShop(t *testing.T, play func(h *apptest.Harness, links []string, pass string)) {
	t.Helper()
	apptest.Run(t, func(h *apptest.Harness) { apptest.People(h); byInvitation(h) }, func(h *apptest.Harness) {
		h.Telegram.SetLanguage(apptest.Yasmine, "en")
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.Link(apptest.Sam)
		for _, who := range []int64{apptest.Yasmine, apptest.Karim} {
			h.Join(who, h.Invite(apptest.Sam, "➕ Seller"))
		}
		h.Join(apptest.Lila, h.Invite(apptest.Sam, "➕ Counter"))
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Yasmine")
		h.Tap(apptest.Sam, "Make owner")
		h.Tap(apptest.Sam, "Yes")
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Yasmine, apptest.Karim, apptest.Lila, apptest.Eve)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		h.See(shop, "Deliveries come here")
		h.Say(apptest.Yasmine, "/alerts")
		h.Tap(apptest.Yasmine, "Low balance")
		h.Say(apptest.Yasmine, "20000")
		links := []string{h.Invite(apptest.Sam, "➕ Seller"), h.Invite(apptest.Yasmine, "➕ Seller")}
		play(h, links, invitation(h))
	})
}

// goOut has a case happen.
func goOut(h *apptest.Harness, c outCase) {
	h.T.Helper()
	names := map[int64]string{apptest.Sam: "Sam", apptest.Yasmine: "Yasmine", apptest.Karim: "Karim", apptest.Lila: "Lila", shop: "Shop & Co"}
	other := apptest.Sam
	if c.who == apptest.Sam {
		other = apptest.Yasmine
	}
	switch c.way {
	case byOperator:
		takeOut(h, names[c.who])
	case byOwner:
		h.Say(other, "/team")
		h.Tap(other, names[c.who])
		h.Tap(other, "Remove")
		h.Tap(other, "Yes, remove")
	case byThemselves:
		if c.who == shop {
			commandIn(h, apptest.Sam, shop, 0, "/key@shop_bot remove")
			return
		}
		h.Say(c.who, "/key remove")
		h.Pass(time.Second)
		if h.Has(c.who, "Leave the team") { // of somebody who is no owner
			h.Tap(c.who, "Yes, leave")
		}
		h.See(c.who, "You have left the team")
	case demoted:
		role := "Make seller"
		if c.who == apptest.Karim {
			role = "Make counter"
		}
		h.Say(other, "/team")
		h.Tap(other, names[c.who])
		h.Tap(other, role)
	}
	h.Pass(time.Second)
}

// takeOut has the operator shut somebody out, whose button holds the words.
func takeOut(h *apptest.Harness, words string) {
	h.T.Helper()
	h.Say(operator, "/access")
	h.Tap(operator, words)
	_, _ = h.Telegram.TapButton(operator, operator, "Yes, remove")
	h.Pass(time.Second)
}

// served reports whether somebody is shown the goods in a chat.
func served(h *apptest.Harness, user, chat int64) bool {
	shown := func() int { return strings.Count(h.Transcript(chat), "Play Card") }
	before := shown()
	text := "/buy play"
	if chat < 0 {
		text = "/buy@shop_bot play"
	}
	h.Telegram.Send(user, chat, text)
	h.Pass(2 * time.Second)
	return shown() > before
}

// opens has somebody open a link, and reports whether it has let them in, to the team or to the bot.
func opens(h *apptest.Harness, user int64, token string) bool {
	joined, helped := count(h, user, "Welcome to Boutique"), count(h, user, "/balance")
	h.Pass(13 * time.Minute) // tries are counted
	h.Telegram.Start(user, token)
	h.Pass(2 * time.Second)
	h.Telegram.Send(user, user, "/help")
	h.Pass(2 * time.Second)
	return count(h, user, "Welcome to Boutique") > joined || user == apptest.Eve && count(h, user, "/balance") > helped
}

// TestOutIsOut: whoever goes out, in whichever way, is served nowhere, and no link that was open lets them or anybody
// else in. For the others the shop goes on.
func TestOutIsOut(t *testing.T) {
	sampletest.Slow(t)
	for i, c := range outCases() {
		if !sampletest.Plays(i, 3) {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", c.who, c.way), func(t *testing.T) {
			t.Parallel()
			openShop(t, func(h *apptest.Harness, links []string, pass string) {
				alerts := count(h, c.who, "Low balance. Available: DZD")
				goOut(h, c)
				if c.who != shop {
					if served(h, c.who, c.who) != c.seller || served(h, c.who, shop) != c.seller {
						t.Errorf("bought in private or in the group, want %v:\n%s\n%s", c.seller, h.Transcript(c.who), h.Transcript(shop))
					}
					h.Service.SetBalance(apptest.TestKey, "100")
					h.Pass(6 * time.Minute)
					if count(h, c.who, "Low balance. Available: DZD") != alerts || count(h, c.who, "left the balance") > 0 {
						t.Errorf("alerts go on:\n%s", h.Transcript(c.who))
					}
				}
				othersGoOn(h, c)
				if c.way == byOperator && c.who != shop {
					opens(h, c.who, pass) // from before
				}
				for i, link := range links {
					if c.who == shop { // nobody has left
						continue
					}
					if opens(h, c.who, link) {
						t.Errorf("link %d lets them in again:\n%s", i, h.Transcript(c.who))
					}
					if opens(h, apptest.Eve, link) {
						t.Errorf("link %d lets a stranger in:\n%s", i, h.Transcript(apptest.Eve))
					}
				}
				if in := helped(h, c.who); c.who != shop && in == c.outside {
					t.Errorf("let in: %v", in)
				}
				h.Answered()
			})
		})
	}
}

// othersGoOn sees to it that the rest of the team is as it was; of a group, that nothing goes on in it.
func othersGoOn(h *apptest.Harness, c outCase) {
	h.T.Helper()
	for _, who := range []int64{apptest.Sam, apptest.Yasmine, apptest.Karim} {
		if who != c.who && !served(h, who, who) {
			h.T.Errorf("%d is served no more:\n%s", who, h.Transcript(who))
		}
	}
	if c.who != shop {
		return
	}
	if c.way == byOperator && (served(h, apptest.Karim, shop) || served(h, apptest.Sam, shop) || inGroup(h, shop)) {
		h.T.Errorf("the group is served:\n%s", h.Transcript(shop))
	}
}

// calls counts what the service was asked.
func callsOf(h *apptest.Harness) (n int) {
	for _, times := range h.Service.Requests() {
		n += times
	}
	return n
}

// helped reports whether somebody is answered at all.
func helped(h *apptest.Harness, user int64) bool {
	before := h.FromBot(user)
	h.Pass(time.Minute)
	h.Telegram.Send(user, user, "/help")
	h.Pass(2 * time.Second)
	return h.FromBot(user) > before
}

// TestShutOutShop: with the last owner the whole shop is out: nobody buys for it, in private or in the group, nothing
// is asked of the service for it, and an invitation lets in the one who opens it, alone.
func TestShutOutShop(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	openShop(t, func(h *apptest.Harness, links []string, pass string) {
		leaveTeam(h, apptest.Yasmine)
		goOut(h, outCase{who: apptest.Sam, way: byOperator})
		for _, who := range []int64{apptest.Sam, apptest.Yasmine, apptest.Karim, apptest.Lila} {
			if served(h, who, who) || served(h, who, shop) || helped(h, who) {
				t.Errorf("%d is served:\n%s\n%s", who, h.Transcript(who), h.Transcript(shop))
			}
			for _, link := range append(links, pass) {
				if opens(h, who, link) && who == apptest.Sam {
					t.Errorf("%d is in again:\n%s", who, h.Transcript(who))
				}
			}
		}
		calls := callsOf(h)
		h.Pass(time.Hour)
		if n := callsOf(h) - calls; n > 0 {
			t.Errorf("%d calls for a shop that is out", n)
		}
		h.Pass(time.Hour)
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.See(apptest.Sam, "Welcome")
		h.Link(apptest.Sam)
		if !served(h, apptest.Sam, apptest.Sam) {
			t.Error("a new invitation does not let in again")
		}
	})
}

// TestShutOutHoldsInAnOpenBot: where everybody may come, whoever was shut out may not.
func TestShutOutHoldsInAnOpenBot(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) { apptest.People(h); byInvitation(h); h.Env["ACCESS"] = "open" }, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		takeOut(h, "Sam")
		if helped(h, apptest.Sam) || served(h, apptest.Karim, apptest.Karim) {
			t.Errorf("served:\n%s\n%s", h.Transcript(apptest.Sam), h.Transcript(apptest.Karim))
		}
		if !helped(h, apptest.Eve) {
			t.Error("everybody may come")
		}
		group := h.Telegram.NewGroup(apptest.Sam, "Sam's")
		h.Pass(time.Second)
		if inGroup(h, group) {
			t.Error("who is out takes the bot into a group")
		}
		h.Say(apptest.Sam, "/start "+invitation(h))
		h.See(apptest.Sam, "Welcome")
	})
}

// TestGroupShutOutComesBack: by the operator alone.
func TestGroupShutOutComesBack(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *apptest.Harness, _ []string, _ string) {
		takeOut(h, "Shop & Co")
		h.SeeAny(apptest.Sam, "Shop & Co")
		h.Telegram.SetRole(apptest.Sam, shop, h.Telegram.BotID(), tgsim.Kicked)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(2 * time.Second)
		if inGroup(h, shop) {
			t.Errorf("the group is back:\n%s", h.Transcript(shop))
		}
		h.Telegram.SetRole(apptest.Sam, shop, operator, tgsim.Ordinary)
		h.Telegram.StartGroup(operator, shop, "shop")
		h.Pass(2 * time.Second)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(2 * time.Second)
		h.See(shop, "Deliveries come here")
	})
}

// TestUnlinkingWhatHasNotEnded: whoever owns an account alone is asked as well before they unlink it while something is on its way, or is to be
// refunded; and is not where nothing is.
func TestUnlinkingWhatHasNotEnded(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		asked := func(says string) {
			t.Helper()
			h.Say(apptest.Sam, "/key remove")
			h.Pass(time.Second)
			if text := apptest.Plain(h.SeeLast(apptest.Sam, "Unlink "+ownShop).Text); !strings.Contains(text, says) {
				t.Errorf("they are asked %s", text)
			}
			h.Tap(apptest.Sam, "Keep it linked")
		}
		asked("1 purchase is still under way")
		h.Must(h.Service.Fail(h.Service.Orders()[0].ID, ""))
		h.Pass(time.Minute)
		asked("Refund not seen yet: DZD 1,250.50. #")
		h.Must(h.Service.Refund(h.Service.Orders()[0].ID))
		h.Pass(time.Hour)
		h.Say(apptest.Sam, "/key remove")
		h.Pass(time.Second)
		h.SeeLast(apptest.Sam, "is unlinked")
		h.Answered()
	})
}

// TestLeavingWhileARefundIsAwaited: nothing more comes of a purchase that has failed, so that it is none of those that are on their way.
// Whoever leaves it reads which money did not come back, until it has.
func TestLeavingWhileARefundIsAwaited(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		asked := func(user int64, begins string, says ...string) {
			t.Helper()
			h.Say(user, "/key remove")
			text := apptest.Plain(h.See(user, begins).Text)
			for _, words := range []string{"still under way", "Refund not seen yet: DZD 2,501. #", "for up to 7 days"} {
				if strings.Contains(text, words) != slices.Contains(says, words) {
					t.Errorf("%d is asked %s", user, text)
				}
			}
		}
		h.Service.HoldOrders(true)
		h.Order(apptest.Karim, "Play Card", "10 USD", "2")
		h.Tap(apptest.Karim, "✅")
		h.Pass(10 * time.Second)
		asked(apptest.Karim, "Leave the team", "still under way")
		for _, o := range h.Service.Orders() {
			h.Must(h.Service.Fail(o.ID, ""))
		}
		h.SeeAny(apptest.Karim, "Its refund is awaited")
		for range 2 { // a refund that was called missing has not come either
			asked(apptest.Karim, "Leave the team", "Refund not seen yet: DZD 2,501. #", "for up to 7 days")
			asked(apptest.Sam, "Unlink", "Refund not seen yet: DZD 2,501. #", "for up to 7 days")
			h.Pass(time.Hour)
		}
		for _, o := range h.Service.Orders() {
			h.Must(h.Service.Refund(o.ID))
		}
		h.Pass(time.Hour)
		asked(apptest.Karim, "Leave the team")
		asked(apptest.Sam, "Unlink")
	})
}

// TestAccessPages: every chat can be reached, and taken out.
func TestAccessPages(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, invited, func(h *apptest.Harness) {
		const chats = 43
		for i := range int64(chats) {
			h.Telegram.AddUser(tgsim.User{ID: 9100 + i, FirstName: fmt.Sprintf("Guest %d", i), LanguageCode: "en"})
			h.Say(9100+i, "/start "+invitation(h))
		}
		for i := range int64(chats) { // the last first: each is on the last page
			h.Say(operator, "/access")
			words := fmt.Sprintf("#%d", 9100+chats-1-i)
			for range 9 {
				if _, err := h.Telegram.TapButton(operator, operator, words); err == nil {
					break
				}
				h.Tap(operator, "▶")
			}
			h.Pass(time.Second)
			h.Tap(operator, "Yes, remove")
		}
		h.See(operator, "Nobody is invited yet")
		if helped(h, 9100) || helped(h, 9100+chats-1) {
			t.Error("somebody who was taken out is served")
		}
	})
}

// TestStrangerDoesNotEmptyALinkedGroup: after ACCESS goes from open to invite the bot stays where a shop is linked, says
// nothing to strangers there, and works again once its owner was invited.
func TestStrangerDoesNotEmptyALinkedGroup(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) { apptest.People(h); byInvitation(h); h.Env["ACCESS"] = "open" }, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim, apptest.Eve)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		h.Stop()
		h.Env["ACCESS"] = "invite"
		h.Start()
		said := h.FromBot(shop)
		commandIn(h, apptest.Eve, shop, 0, "/help@shop_bot")
		if !inGroup(h, shop) || h.FromBot(shop) != said {
			t.Errorf("in the group: %v\n%s", inGroup(h, shop), h.Transcript(shop))
		}
		h.Say(apptest.Sam, "/start "+invitation(h))
		commandIn(h, apptest.Sam, shop, 0, "/buy@shop_bot play")
		h.See(shop, "Play Card")
	})
}

// TestTeamComesBackIn: an owner who unlinks and links again brings the team back, and into the bot as well; but nobody
// whom the operator has shut out meanwhile.
func TestTeamComesBackIn(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *apptest.Harness, _ []string, _ string) {
		h.Say(apptest.Karim, "/start "+invitation(h)) // of their own
		leaveTeam(h, apptest.Yasmine)
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "Yes, unlink")
		takeOut(h, fmt.Sprintf("#%d", apptest.Karim))
		if helped(h, apptest.Lila) {
			t.Error("who was here with a team that has ended is still in")
		}
		h.Say(apptest.Sam, "/key "+apptest.TestKey)
		h.SeeAny(apptest.Lila, "is linked again")
		if !helped(h, apptest.Lila) || !served(h, apptest.Sam, shop) {
			t.Errorf("the team is not back:\n%s\n%s", h.Transcript(apptest.Lila), h.Transcript(shop))
		}
		if helped(h, apptest.Karim) || served(h, apptest.Karim, shop) {
			t.Errorf("who was shut out is back:\n%s", h.Transcript(apptest.Karim))
		}
		h.Say(apptest.Sam, "/team")
		if text := apptest.Plain(h.See(apptest.Sam, "Team of").Text); strings.Contains(text, "Karim") || !strings.Contains(text, "Lila") {
			t.Errorf("the team is: %s", text)
		}
	})
}

// TestKeyOfSomebodyHereWithATeam: who may use the bot with a team alone links no account of their own, and is told why.
func TestKeyOfSomebodyHereWithATeam(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *apptest.Harness, _ []string, _ string) {
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "700"}))
		h.Say(apptest.Karim, "/key "+otherKey)
		h.See(apptest.Karim, "as part of the team of Boutique El Djazair")
		if !served(h, apptest.Karim, apptest.Karim) {
			t.Error("the seller has left the team by it")
		}
		h.Say(apptest.Karim, "/start "+invitation(h)) // of their own
		h.Say(apptest.Karim, "/key "+otherKey)
		h.See(apptest.Karim, otherShop)
	})
}

// TestAdmissionsFromBefore: of whom it was not written down who let them in, those who came with a team go with it, and
// those who brought a key stay.
func TestAdmissionsFromBefore(t *testing.T) {
	t.Parallel()
	openShop(t, func(h *apptest.Harness, _ []string, _ string) {
		h.InStore(func(s *store.Store) {
			for _, chat := range []int64{apptest.Sam, apptest.Karim, shop} {
				h.Must(s.Update(t.Context(), func(tx *store.Tx) error {
					c, err := tx.Chat(chat)
					if err != nil {
						return err
					}
					c.AdmittedBy, c.Through = 0, ""
					return tx.PutChat(&c)
				}))
			}
		})
		for _, who := range []int64{apptest.Karim, apptest.Sam} {
			if !served(h, who, who) || !served(h, who, shop) {
				t.Errorf("%d is not served", who)
			}
		}
		goOut(h, outCase{who: apptest.Karim, way: byOwner})
		goOut(h, outCase{who: apptest.Sam, way: byOwner})
		if helped(h, apptest.Karim) || !helped(h, apptest.Sam) {
			t.Errorf("the seller is answered, or the shop's owner is not:\n%s\n%s", h.Transcript(apptest.Karim), h.Transcript(apptest.Sam))
		}
	})
}

// TestShutOutWithAnOpenPurchase: who is shut out is told so, once; what they bought before they may look at and decide,
// and nothing else, until nothing of theirs is open. The operator is told how much is open first.
func TestShutOutWithAnOpenPurchase(t *testing.T) {
	sampletest.Slow(t)
	for _, access := range sampletest.Some(1, []string{"open", "invite"}) {
		t.Run(access, func(t *testing.T) {
			apptest.Run(t, func(h *apptest.Harness) { listing(h); byInvitation(h); h.Env["ACCESS"] = access }, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "/start "+invitation(h))
				h.Link(apptest.Sam)
				h.OrderLost(apptest.Sam, "Play Card", "10 USD", "1")
				own := h.Service.Orders()[0]
				buyOutside(h, 101)
				h.Say(operator, "/access")
				h.Tap(operator, "Sam")
				h.See(operator, "1 purchase of theirs is still open")
				h.Tap(operator, "Yes, remove")
				h.SeeAny(apptest.Sam, "Whoever runs this bot has removed you")
				h.Pass(11 * time.Minute)
				h.SeeAny(apptest.Sam, "our decision is needed")
				if helped(h, apptest.Sam) || served(h, apptest.Sam, apptest.Sam) {
					t.Errorf("who is out is served:\n%s", h.Transcript(apptest.Sam))
				}
				h.Say(apptest.Sam, "/forget")
				h.See(apptest.Sam, "money of yours is still open")
				h.Say(apptest.Sam, "/orders")
				h.Tap(apptest.Sam, "1")
				h.TapUnder("our decision is needed", "It is there")
				h.Tap(apptest.Sam, numberOf(own))
				h.Pass(time.Minute)
				bought := slices.IndexFunc(h.Service.Orders(), func(o sim.Order) bool { return o.Number == own.Number })
				if codes := h.Codes(apptest.Sam); len(codes) != 1 || codes[0] != h.Service.Orders()[bought].Code {
					t.Errorf("the codes are %v, want that of %v:\n%s", codes, own.Number, h.Transcript(apptest.Sam))
				}
				said := h.FromBot(apptest.Sam)
				h.Say(apptest.Sam, "/orders")
				h.Pass(time.Minute)
				if h.FromBot(apptest.Sam) != said {
					t.Errorf("nothing is open any more, and it goes on:\n%s", h.Transcript(apptest.Sam))
				}
				if n := count(h, apptest.Sam, "Whoever runs this bot has removed you"); n != 1 {
					t.Errorf("told %d times", n)
				}
				if n := h.PurchasesSent(); n != 1 {
					t.Errorf("%d purchases were sent", n)
				}
			})
		})
	}
}

// TestKeyOfAnOutsider: a message with a key is deleted whoever sends it, and answered.
func TestKeyOfAnOutsider(t *testing.T) {
	apptest.Run(t, func(h *apptest.Harness) { apptest.People(h); byInvitation(h) }, func(h *apptest.Harness) {
		h.Say(apptest.Karim, "/start "+invitation(h))
		takeOut(h, "#"+strconv.FormatInt(apptest.Karim, 10))
		for _, who := range []int64{apptest.Eve, apptest.Karim} {
			said := h.FromBot(who)
			h.Telegram.Send(who, who, "/key "+otherKey)
			h.Pass(8 * time.Second)
			if m := h.Telegram.Messages(who); strings.Contains(liveText(m), otherKey) {
				t.Errorf("the key of %d stands in the chat:\n%s", who, h.Transcript(who))
			}
			if h.See(who, "Nothing was linked"); h.FromBot(who) != said+1 {
				t.Errorf("%d is answered %d times", who, h.FromBot(who)-said)
			}
		}
		if strings.Contains(h.Log.String(), otherKey) {
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
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Telegram.SetLanguage(apptest.Yasmine, "en")
		h.Link(apptest.Sam)
		h.Link(apptest.Yasmine)
		goOut(h, outCase{who: apptest.Sam, way: byOwner})
		h.See(apptest.Sam, "no longer on the team")
		for range 3 {
			h.Say(apptest.Sam, "/key "+apptest.TestKey)
			h.See(apptest.Sam, "Ask the owner for an invitation")
			h.Pass(10 * time.Second)
		}
		if strings.Contains(liveText(h.Telegram.Messages(apptest.Sam)), apptest.TestKey) {
			t.Error("the key stands in the chat")
		}
		if h.SeeAny(apptest.Yasmine, "Sam, who was removed from the team, has sent this account's key"); count(h, apptest.Yasmine, "who was removed from the team") != 1 {
			t.Errorf("the owner is told %d times", count(h, apptest.Yasmine, "who was removed from the team"))
		}
		h.Say(apptest.Sam, "/orders")
		if h.Say(apptest.Yasmine, "/team"); strings.Contains(h.See(apptest.Yasmine, "Team of").Text, "Sam") {
			t.Errorf("back in the team:\n%s", h.Transcript(apptest.Yasmine))
		}
		h.Join(apptest.Sam, h.Invite(apptest.Yasmine, "➕ Seller"))
		h.Say(apptest.Yasmine, "/team")
		h.Tap(apptest.Yasmine, "Sam")
		h.Tap(apptest.Yasmine, "Remove")
		h.Tap(apptest.Yasmine, "Yes, remove")
		h.Say(apptest.Yasmine, "/key remove")
		h.See(apptest.Yasmine, "unlinked")
		h.Link(apptest.Sam)
		buy(h, apptest.Sam)
	})
}

// TestKeyOfARemovedOutsider: that the owners of an account were told of a key does not keep its sender from being told what
// came of it once the operator has taken them out, nor the owners of another account from hearing of its own.
func TestKeyOfARemovedOutsider(t *testing.T) {
	type shop struct {
		owner int64
		key   string
	}
	shops := []shop{{apptest.Yasmine, apptest.TestKey}, {apptest.Eve, otherKey}}
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		byInvitation(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "700"}))
	}, func(h *apptest.Harness) {
		h.Telegram.SetLanguage(apptest.Yasmine, "en")
		for _, s := range shops {
			h.Say(s.owner, "/start "+invitation(h))
			h.Say(s.owner, "/key "+s.key)
			h.See(s.owner, "Linked")
		}
		h.Say(apptest.Sam, "/start "+invitation(h))
		for _, s := range shops {
			h.Say(apptest.Sam, "/key "+s.key)
			h.See(apptest.Sam, "Linked")
			h.Say(s.owner, "/team")
			h.Tap(s.owner, "Sam")
			h.Tap(s.owner, "Remove")
			h.Tap(s.owner, "Yes, remove")
			h.See(apptest.Sam, "no longer on the team")
			for range 2 {
				h.Say(apptest.Sam, "/key "+s.key)
				h.See(apptest.Sam, "Ask the owner for an invitation")
			}
			if n := count(h, s.owner, "who was removed from the team, has sent"); n != 1 {
				t.Errorf("%d is told %d times:\n%s", s.owner, n, h.Transcript(s.owner))
			}
		}
		takeOut(h, "#"+strconv.FormatInt(apptest.Sam, 10))
		h.Telegram.Send(apptest.Sam, apptest.Sam, "/key "+apptest.TestKey)
		h.Pass(8 * time.Second)
		h.See(apptest.Sam, "Nothing was linked")
	})
}

// TestOrdersAfterComingBack: the team's list shows each purchase once, also of somebody who was removed, forgotten and let
// in again; and whoever was removed is told where their purchases are.
func TestOrdersAfterComingBack(t *testing.T) {
	inTeam(t, func(h *apptest.Harness) {
		buy(h, apptest.Karim)
		buy(h, apptest.Karim)
		goOut(h, outCase{who: apptest.Karim, way: byOwner})
		h.Say(apptest.Karim, "/orders")
		m := h.See(apptest.Karim, "no longer on the team")
		if len(buttons(m, "Supplier history")) > 0 {
			t.Errorf("a button leads nowhere: %v", m.Keyboard)
		}
		h.Say(apptest.Karim, "/forget")
		h.Tap(apptest.Karim, "Yes, erase")
		h.Say(apptest.Karim, "/orders")
		if m := h.See(apptest.Karim, "stays with it"); len(buttons(m, "🎉")) > 0 {
			t.Errorf("they are shown what they may not see: %v", m.Keyboard)
		}
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Sam, "/orders")
		h.Tap(apptest.Sam, "team's orders")
		if m := h.See(apptest.Sam, "The team's orders"); len(buttons(m, "🎉")) != 2 {
			t.Errorf("two purchases are listed as %v", m.Keyboard)
		}
		h.Say(apptest.Eve, "/orders")
		if m := h.See(apptest.Eve, "No orders yet"); len(buttons(m, "Supplier history")) > 0 {
			t.Errorf("a button leads nowhere: %v", m.Keyboard)
		}
	})
}

// TestOwnOrdersInAGroup: what somebody has bought in the group is among their own purchases, for them alone.
func TestOwnOrdersInAGroup(t *testing.T) {
	inTeam(t, func(h *apptest.Harness) {
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim)
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		commandIn(h, apptest.Sam, shop, 0, "/buy@shop_bot play")
		h.TapIn(apptest.Sam, shop, "10 USD")
		h.TapIn(apptest.Sam, shop, "1")
		h.TapIn(apptest.Sam, shop, "✅")
		h.Pass(10 * time.Second)
		for who, n := range map[int64]int{apptest.Sam: 1, apptest.Karim: 0} {
			h.Say(who, "/orders")
			if m := h.See(who, "rders"); len(buttons(m, "🎉")) != n {
				t.Errorf("%d of %d's own purchases are listed, want %d:\n%s", len(buttons(m, "🎉")), who, n, h.Transcript(shop))
			}
		}
		h.Tap(apptest.Sam, "🎉")
		if count(h, apptest.Sam, "Delivered") != 1 {
			t.Errorf("the purchase is not shown:\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestAccessTellsWho: who is in is called by their name, a group is told from a person, who was shut out is listed and let
// in again with a tap, and that nobody is there is said where that is so.
func TestAccessTellsWho(t *testing.T) {
	inOthers(t, func(h *apptest.Harness) {
		h.Stop()
		byInvitation(h)
		h.Env["ACCESS"] = "open"
		h.Start()
		linkShop(h, apptest.Sam, "Boutique El Djazair")
		h.Say(operator, "/access")
		list := apptest.Plain(h.See(operator, "Who may use this bot").Text)
		for _, words := range []string{"👤 Sam · Boutique", "👤 Karim · Boutique", "👤 Eve · " + otherShop, "👥 Shop & Co"} {
			if !strings.Contains(list, words) {
				t.Errorf("the list lacks %q: %s", words, list)
			}
		}
		for _, name := range []string{"Eve", "Shop & Co", "Karim", "Sam"} {
			takeOut(h, name)
		}
		h.See(operator, "Nobody has linked an account")
		h.Tap(operator, "Removed: ")
		h.Tap(operator, "Eve")
		h.SeeAny(apptest.Eve, "has let you in again")
		if list := apptest.Plain(h.See(operator, "Removed from the bot").Text); strings.Contains(list, "Eve") || !strings.Contains(list, "👥 Shop & Co") {
			t.Errorf("shut out: %s", list)
		}
		if !helped(h, apptest.Eve) || helped(h, apptest.Sam) || served(h, apptest.Eve, apptest.Eve) {
			t.Errorf("let in:\n%s", h.Transcript(apptest.Eve))
		}
		h.Say(apptest.Eve, "/key "+otherKey)
		h.See(apptest.Eve, otherShop)
		h.Say(apptest.Sam, "/access")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, h.Telegram.Messages(apptest.Sam)[0].ID, "1:letin:502")
		h.Pass(time.Second)
		if helped(h, apptest.Sam) {
			t.Error("who is out lets themselves in")
		}
	})
}

// TestAccessWithoutAShopsName: who owns an account that the service does not name is called by their own name.
func TestAccessWithoutAShopsName(t *testing.T) {
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		byInvitation(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, UserID: 4102, Balance: "700"}))
	}, func(h *apptest.Harness) {
		h.Say(apptest.Eve, "/start "+invitation(h))
		h.Say(apptest.Eve, "/key "+otherKey)
		h.Say(operator, "/access")
		if list := apptest.Plain(h.See(operator, "Who may use this bot").Text); !strings.Contains(list, "👤 Eve, Owner") {
			t.Errorf("the list is %s", list)
		}
	})
}

// TestTokenWithMarks: an invitation whose link was copied with invisible marks is as good as without, and its plain text
// has none.
func TestTokenWithMarks(t *testing.T) {
	apptest.Run(t, func(h *apptest.Harness) { apptest.People(h); byInvitation(h) }, func(h *apptest.Harness) {
		pass := invitation(h)
		if text := h.See(operator, "lets in the first chat").Text; strings.Contains(text, "\u2068https") || strings.Contains(text, pass+"\u2069") {
			t.Errorf("the link is wrapped: %q", text)
		}
		h.Say(apptest.Sam, "/start "+pass+"\u2069")
		h.See(apptest.Sam, "Welcome")
		h.Link(apptest.Sam)
		token := h.Invite(apptest.Sam, "➕ Seller")
		if text := h.See(apptest.Sam, "Send this link").Text; strings.Contains(text, token+"\u2069") {
			t.Errorf("the link is wrapped: %q", text)
		}
		h.Say(apptest.Karim, "/start \u2068"+token+"\u2069")
		h.See(apptest.Karim, "Welcome to Boutique")
	})
}
