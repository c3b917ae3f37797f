package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

const (
	otherKey  = "KEY-of-another-shop-00001"
	otherShop = "Kiosque Oran"
)

// inOthers plays with Sam's shop and its group, and with Eve, who owns another account. The group's creator is Yasmine,
// Sam administers it.
func inOthers(t *testing.T, play func(*house)) {
	t.Helper()
	inHouse(t, func(h *house) {
		people(h)
		h.must(h.service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "700"}))
	}, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.say(eve, "/key "+otherKey)
		h.see(eve, otherShop)
		h.telegram.AddGroup(shop, "Shop & Co", yasmine, sam, karim, eve)
		h.telegram.SetRole(yasmine, shop, sam, tgsim.Administrator)
		play(h)
	})
}

// linkShop has somebody link the group, and sees that it is theirs.
func (h *house) linkShop(user int64, account string) {
	h.t.Helper()
	h.telegram.StartGroup(user, shop, "shop")
	h.pass(time.Second)
	if text := plain(h.see(shop, "Deliveries come here").Text); !strings.Contains(text, account) {
		h.t.Fatalf("the group is told: %s", text)
	}
}

// TestGroupSpeaksOfItsAccount: whatever the owner of another account types in a shop's group, nothing is done, neither to
// the shop's account nor to theirs, and they are told so, once each time that they are answered.
func TestGroupSpeaksOfItsAccount(t *testing.T) {
	t.Parallel()
	inOthers(t, func(h *house) {
		h.linkShop(sam, "Boutique El Djazair")
		for _, text := range []string{"/lock@shop_bot", "/unlock@shop_bot", "/key@shop_bot remove", "/alerts@shop_bot", "/balance@shop_bot"} {
			h.pass(20 * time.Minute) // strangers are not answered at once, each time
			said := h.fromBot(shop)
			h.commandIn(eve, shop, 0, text)
			m := h.see(shop, "Boutique El Djazair")
			if n := h.fromBot(shop) - said; n != 1 || !strings.Contains(m.Text, "not of its team") || strings.Contains(m.Text, otherShop) {
				t.Errorf("%s is answered %d times:\n%s", text, n, h.transcript(shop))
			}
		}
		for _, who := range []int64{sam, eve} {
			h.say(who, "/start")
			if strings.Contains(h.see(who, "").Text, "locked") {
				t.Errorf("the account of %d was locked", who)
			}
		}
		h.buy(karim)
		h.see(shop, "Delivered")
		h.commandIn(sam, shop, 0, "/lock@shop_bot")
		h.see(shop, "Spending is locked")
		if !strings.Contains(h.see(shop, "").Text, "Boutique El Djazair") {
			t.Errorf("whose spending is locked is not told:\n%s", h.transcript(shop))
		}
		h.answered()
	})
}

// TestSettingsOfOthersDoNotSurviveALink: what a stranger has set in a group is not there once a shop links it: alerts,
// nor the language.
func TestSettingsOfOthersDoNotSurviveALink(t *testing.T) {
	t.Parallel()
	inOthers(t, func(h *house) {
		h.linkShop(eve, otherShop)
		h.commandIn(eve, shop, 0, "/alerts@shop_bot")
		h.tapIn(eve, shop, "Low balance")
		h.tapIn(eve, shop, "20,000")
		h.pass(6 * time.Minute)
		if told := h.see(shop, "Low balance: DZD 700"); !strings.Contains(told.Text, otherShop) {
			t.Errorf("nobody is told whose balance it is: %s", told.Text)
		}
		h.service.SetBalance(otherKey, "90000")
		h.pass(6 * time.Minute)
		h.commandIn(eve, shop, 0, "/language@shop_bot")
		h.tapIn(eve, shop, "العربية")
		h.commandIn(eve, shop, 0, "/key@shop_bot remove")
		h.commandIn(eve, shop, 0, "/alerts@shop_bot") // which are nobody's now
		h.linkShop(sam, "Boutique El Djazair")
		h.service.SetBalance(testKey, "900")
		h.pass(6 * time.Minute)
		if strings.Contains(h.transcript(shop), "900") {
			t.Errorf("the balance is announced under a stranger's line:\n%s", h.transcript(shop))
		}
	})
}

// TestAlertThatWaitedForAnother: an alert that waits for the morning reaches nobody who has left the account by then.
func TestAlertThatWaitedForAnother(t *testing.T) {
	t.Parallel()
	inOthers(t, func(h *house) {
		h.say(sam, "/alerts")
		h.tap(sam, "Low balance")
		h.tap(sam, "20,000")
		h.say(sam, "/alerts")
		h.tap(sam, "Quiet hours")
		h.tap(sam, "0–6") // the test begins at one o'clock in Algiers
		h.service.SetBalance(testKey, "900")
		h.pass(16 * time.Minute)
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Make owner")
		h.tap(sam, "Yes, make owner")
		h.say(sam, "/key remove")
		h.sleep(4 * time.Hour)
		h.pass(3 * time.Hour) // over the end of the quiet hours
		if h.alerted("Low balance: DZD") > 0 {
			t.Errorf("the morning brings what is not theirs:\n%s", h.transcript(sam))
		}
	})
}

// TestSquatter: whoever has linked a shop's group to an account of their own keeps nobody from linking it who stands
// above them in the group, and nobody takes it who does not.
func TestSquatter(t *testing.T) {
	t.Parallel()
	inOthers(t, func(h *house) {
		h.linkShop(eve, otherShop)
		h.telegram.StartGroup(karim, shop, "shop") // a seller owns nothing
		h.pass(time.Second)
		h.see(shop, "not of its team")
		h.telegram.Inject(tgsim.Fault{Method: "getchatadministrators", Times: 1, Kind: tgsim.Broken, Code: 400})
		h.commandIn(sam, shop, 0, "/team@shop_bot")
		h.see(shop, "does not tell right now")
		h.pass(time.Minute)
		h.commandIn(sam, shop, 0, "/team@shop_bot")
		h.see(shop, "Link this group to Boutique El Djazair?")
		h.refusedWith(h.tapIn(karim, shop, "Yes, link it"), "Only the team")
		h.pass(time.Minute)
		h.commandIn(sam, shop, 0, "/team@shop_bot")
		h.tapIn(sam, shop, "Yes, link it")
		h.see(shop, "Deliveries come here")
		h.seeAny(eve, "Sam, who administers the group Shop & Co, has linked it to another account")
		h.buy(karim)
		h.see(shop, "Delivered")

		said := h.count(shop, "Deliveries come here")
		h.pass(time.Minute)
		h.telegram.StartGroup(eve, shop, "shop") // back again
		h.pass(time.Second)
		h.see(shop, "linked to another account")
		h.telegram.SetRole(yasmine, shop, eve, tgsim.Administrator)
		h.telegram.StartGroup(eve, shop, "shop") // as much as Sam is no more than Sam
		h.pass(time.Second)
		h.see(shop, "linked to another account")
		if i := slices.IndexFunc(h.telegram.Messages(shop), func(m tgsim.Message) bool { return strings.Contains(m.Text, "Link this group to") }); i >= 0 {
			h.telegram.Tap(eve, shop, h.telegram.Messages(shop)[i].ID, "1:placehere:yes") // a button from before
		}
		h.pass(time.Second)
		if h.count(shop, "Deliveries come here") != said {
			t.Errorf("the group was taken:\n%s", h.transcript(shop))
		}
		h.buy(karim)
		h.see(shop, "Delivered")
	})
}

// TestStandingIsAskedOnce: who administers a group is asked for once each time that somebody wants to take it, and where
// Telegram does not tell, that is said.
func TestStandingIsAskedOnce(t *testing.T) {
	t.Parallel()
	inOthers(t, func(h *house) {
		h.linkShop(eve, otherShop)
		asked := func() int { return h.telegram.Calls()["getchatadministrators"] }
		before := asked()
		h.telegram.StartGroup(sam, shop, "shop")
		h.pass(time.Second)
		question := h.see(shop, "Link this group to Boutique El Djazair?")
		if n := asked() - before; n != 1 {
			t.Errorf("Telegram was asked %d times", n)
		}
		h.telegram.Inject(tgsim.Fault{Method: "getchatadministrators", Times: 1, Kind: tgsim.Broken, Code: 400})
		yes := buttons(question, "Yes, link it")[0].Data
		h.telegram.Tap(sam, shop, question.ID, yes)
		h.see(shop, "does not tell right now")
		if !strings.Contains(h.log.String(), "Telegram does not tell who administers a group") {
			t.Error("the log does not tell why")
		}
		h.telegram.Tap(sam, shop, question.ID, yes)
		h.see(shop, "Deliveries come here")
	})
}

// TestRemovedWhoStaysInTheGroup: where codes stand open in the group, the owners are told, once, that somebody who has
// left the team goes on seeing them; not where they cannot, or have left the group as well.
func TestRemovedWhoStaysInTheGroup(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		open, gone, admin bool // admin: the bot is one, and so it is told who is there
		words             string
	}{
		"open, there":                     {open: true, admin: true, words: "is still in the group"},
		"open, Telegram does not say":     {open: true, words: "may still be in the group"},
		"open, gone from there":           {open: true, gone: true, admin: true},
		"codes are hidden from the group": {admin: true},
	} {
		t.Run(name, func(t *testing.T) {
			inOthers(t, func(h *house) {
				h.linkShop(sam, "Boutique El Djazair")
				if !c.admin {
					h.telegram.Inject(tgsim.Fault{Method: "getchatmember", Times: 9, Kind: tgsim.Broken, Code: 400})
				}
				if c.open {
					h.tapIn(sam, shop, "Show codes to everybody")
					h.tapIn(sam, shop, "Yes, show them")
				}
				if c.gone {
					h.telegram.SetRole(karim, shop, karim, tgsim.Left)
				}
				h.say(sam, "/team")
				h.tap(sam, "Karim")
				h.tap(sam, "Remove")
				h.tap(sam, "Yes, remove")
				h.pass(time.Hour)
				n := h.count(sam, "is still in the group") + h.count(sam, "may still be in the group")
				if want := c.words != ""; (n == 1) != want || n > 1 {
					t.Fatalf("told %d times, want %v:\n%s", n, want, h.transcript(sam))
				}
				if c.words != "" {
					h.seeAny(sam, c.words)
					h.tap(sam, "Hide codes")
					h.buy(sam)
					if h.see(shop, "Delivered"); len(h.codes(shop)) > 0 {
						t.Error("the codes are not hidden")
					}
				}
			})
		})
	}
}

// TestTakeoverThatIsOver: a question whether to take a group over holds for the account that it was asked about: when that
// has gone, the group is linked plainly; when another has come, it is asked again.
func TestTakeoverThatIsOver(t *testing.T) {
	for _, third := range []bool{false, true} {
		inOthers(t, func(h *house) {
			h.telegram.SetLanguage(yasmine, "en")
			h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-of-a-third-shop-00001", Name: "Third", UserID: 4103, Balance: "700"}))
			h.say(lila, "/key KEY-of-a-third-shop-00001")
			h.telegram.SetRole(yasmine, shop, lila, tgsim.Ordinary)
			h.linkShop(eve, otherShop)
			h.commandIn(sam, shop, 0, "/team@shop_bot")
			card := h.see(shop, "Link this group to Boutique El Djazair?")
			h.commandIn(eve, shop, 0, "/key@shop_bot remove")
			if third {
				h.linkShop(lila, "Third")
			}
			h.telegram.Tap(sam, shop, card.ID, buttons(card, "Yes, link it")[0].Data)
			h.pass(2 * time.Second)
			text := plain(h.message(shop, card.ID).Text)
			if asked := strings.Contains(text, "Link this group to"); asked != third || !third && !strings.Contains(text, "Deliveries come here") {
				t.Errorf("with a third account %v, the card says: %s\n%s", third, text, h.transcript(shop))
			}
		})
	}
}

// TestStrangerInTheShopsGroup: whoever is of no team and types commands in a shop's group without end is answered a few
// times at most, and the shop gets its deliveries meanwhile as if nobody did.
func TestStrangerInTheShopsGroup(t *testing.T) {
	inOthers(t, func(h *house) {
		h.linkShop(sam, "Boutique El Djazair")
		h.order(karim, "Play Card", "10 USD", "1")
		said, copies := h.fromBot(shop), h.count(shop, "Delivered")
		for i := range 42 {
			h.telegram.Send(eve, shop, []string{"/lock@shop_bot", "/key@shop_bot remove", "/privacy@shop_bot"}[i%3])
			if i == 21 {
				h.tap(karim, "✅")
			}
			h.pass(430 * time.Millisecond)
		}
		h.pass(time.Second)
		if n := h.fromBot(shop) - said - 1; n > 6 || h.count(shop, "Delivered") != copies+1 {
			t.Errorf("%d answers to one stranger:\n%s", n, h.transcript(shop))
		}
		if h.count(karim, "Delivered") != 1 {
			t.Errorf("no code after nine seconds:\n%s", h.transcript(karim))
		}
		for range 30 {
			h.telegram.Send(eve, shop, "/key@shop_bot "+otherKey)
			h.pass(400 * time.Millisecond)
		}
		if n := h.fromBot(shop) - said - 1; n > 12 {
			t.Errorf("%d answers to one stranger:\n%s", n, h.transcript(shop))
		}
	})
}

// TestRefusalInAGroupHoldsUpNobody: that Telegram wants to hear nothing for an hour about the groups of others, or about who
// administers one, does not keep a code from a shop.
func TestRefusalInAGroupHoldsUpNobody(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(*house){
		"a takeover": func(h *house) {
			h.linkShop(eve, otherShop)
			h.telegram.Inject(tgsim.Fault{Method: "getchatadministrators", Times: 9, Wait: time.Hour})
			h.telegram.StartGroup(sam, shop, "shop")
		},
		"keys of strangers": func(h *house) {
			for i := range int64(5) {
				who, group := 20_000+i, -(30_000 + i)
				h.telegram.AddUser(tgsim.User{ID: who, FirstName: "Nobody", LanguageCode: "en"})
				h.telegram.AddGroup(group, "Friends", who)
				h.telegram.Inject(tgsim.Fault{Method: "deletemessage", Chat: group, Times: 9, Wait: time.Hour})
				h.telegram.Send(who, group, "/key@shop_bot "+otherKey)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inOthers(t, func(h *house) {
				h.order(karim, "Play Card", "10 USD", "1")
				refuse(h)
				h.pass(time.Second)
				if !strings.Contains(h.log.String(), "Telegram asked to wait") {
					t.Fatal("nothing was refused")
				}
				h.tap(karim, "✅")
				h.pass(10 * time.Second)
				if len(h.codes(karim)) != 1 {
					t.Errorf("no code after ten seconds:\n%s", h.transcript(karim))
				}
			})
		})
	}
}

// TestGroupSpeaksItsOwnersLanguage: a group that is linked speaks as the owner who has linked it, not as the one of
// before, and the team changes that there.
func TestGroupSpeaksItsOwnersLanguage(t *testing.T) {
	inOthers(t, func(h *house) {
		h.say(yasmine, "/start")
		h.commandIn(yasmine, shop, 0, "/help@shop_bot") // in French
		h.linkShop(sam, "Boutique El Djazair")          // in English
		h.commandIn(sam, shop, 0, "/key@shop_bot remove")
		h.say(eve, "/language")
		h.tap(eve, "Français")
		h.telegram.StartGroup(eve, shop, "shop")
		h.pass(time.Second)
		h.see(shop, "Les livraisons arrivent ici")
		h.commandIn(eve, shop, 0, "/language@shop_bot")
		h.tapIn(eve, shop, "English")
		h.commandIn(eve, shop, 0, "/lock@shop_bot")
		h.see(shop, "Spending is locked")
	})
}

// TestHelpNamesWhatThereIs: what an owner may do is listed for them, in private and in the group.
func TestHelpNamesWhatThereIs(t *testing.T) {
	inOthers(t, func(h *house) {
		h.linkShop(sam, "Boutique El Djazair")
		h.say(sam, "/help")
		h.commandIn(sam, shop, 0, "/help@shop_bot")
		for _, chat := range []int64{sam, shop} {
			for _, words := range []string{"/forget", "/team", "/lock"} {
				if m := h.see(chat, "What you can do"); !strings.Contains(m.Text, words) {
					t.Errorf("the help does not name %s", words)
				}
			}
		}
		h.say(karim, "/help")
		if m := h.see(karim, "What you can do"); strings.Contains(m.Text, "/lock") || !strings.Contains(m.Text, "/forget") {
			t.Errorf("a seller is told: %s", m.Text)
		}
	})
}
