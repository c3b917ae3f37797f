package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

const (
	otherKey  = "KEY-of-another-shop-00001"
	otherShop = "Kiosque Oran"
)

// inOthers plays with Sam's shop and its group, and with Eve, who owns another account. The group's creator is Yasmine,
// Sam administers it.
func inOthers(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "700"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Eve, "/key "+otherKey)
		h.See(apptest.Eve, otherShop)
		h.Telegram.AddGroup(shop, "Shop & Co", apptest.Yasmine, apptest.Sam, apptest.Karim, apptest.Eve)
		h.Telegram.SetRole(apptest.Yasmine, shop, apptest.Sam, tgsim.Administrator)
		play(h)
	})
}

// linkShop has somebody link the group, and sees that it is theirs.
func linkShop(h *apptest.Harness, user int64, account string) {
	h.T.Helper()
	h.Telegram.StartGroup(user, shop, "shop")
	h.Pass(time.Second)
	if text := apptest.Plain(h.See(shop, "Deliveries come here").Text); !strings.Contains(text, account) {
		h.T.Fatalf("the group is told: %s", text)
	}
}

// TestGroupSpeaksOfItsAccount: whatever the owner of another account types in a shop's group, nothing is done, neither to
// the shop's account nor to theirs, and they are told so, once each time that they are answered.
func TestGroupSpeaksOfItsAccount(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	inOthers(t, func(h *apptest.Harness) {
		linkShop(h, apptest.Sam, "Boutique El Djazair")
		for _, text := range []string{"/lock@shop_bot", "/unlock@shop_bot", "/key@shop_bot remove", "/alerts@shop_bot", "/balance@shop_bot"} {
			h.Pass(20 * time.Minute) // strangers are not answered at once, each time
			said := h.FromBot(shop)
			commandIn(h, apptest.Eve, shop, 0, text)
			m := h.See(shop, "Boutique El Djazair")
			if n := h.FromBot(shop) - said; n != 1 || !strings.Contains(m.Text, "not on its team") || strings.Contains(m.Text, otherShop) {
				t.Errorf("%s is answered %d times:\n%s", text, n, h.Transcript(shop))
			}
		}
		for _, who := range []int64{apptest.Sam, apptest.Eve} {
			h.Say(who, "/start")
			if strings.Contains(h.See(who, "").Text, "locked") {
				t.Errorf("the account of %d was locked", who)
			}
		}
		buy(h, apptest.Karim)
		h.See(shop, "Delivered")
		commandIn(h, apptest.Sam, shop, 0, "/lock@shop_bot")
		h.See(shop, "Purchases are locked")
		if !strings.Contains(h.See(shop, "").Text, "Boutique El Djazair") {
			t.Errorf("whose spending is locked is not told:\n%s", h.Transcript(shop))
		}
		h.Answered()
	})
}

// TestSettingsOfOthersDoNotSurviveALink: what a stranger has set in a group is not there once a shop links it: alerts,
// nor the language.
func TestSettingsOfOthersDoNotSurviveALink(t *testing.T) {
	t.Parallel()
	inOthers(t, func(h *apptest.Harness) {
		linkShop(h, apptest.Eve, otherShop)
		commandIn(h, apptest.Eve, shop, 0, "/alerts@shop_bot")
		h.TapIn(apptest.Eve, shop, "Low balance")
		h.TapIn(apptest.Eve, shop, "20,000")
		h.Pass(6 * time.Minute)
		if told := h.See(shop, "Low balance. Available: DZD 700"); !strings.Contains(told.Text, otherShop) {
			t.Errorf("nobody is told whose balance it is: %s", told.Text)
		}
		h.Service.SetBalance(otherKey, "90000")
		h.Pass(6 * time.Minute)
		commandIn(h, apptest.Eve, shop, 0, "/language@shop_bot")
		h.TapIn(apptest.Eve, shop, "العربية")
		commandIn(h, apptest.Eve, shop, 0, "/key@shop_bot remove")
		commandIn(h, apptest.Eve, shop, 0, "/alerts@shop_bot") // which are nobody's now
		linkShop(h, apptest.Sam, "Boutique El Djazair")
		h.Service.SetBalance(apptest.TestKey, "900")
		h.Pass(6 * time.Minute)
		if strings.Contains(h.Transcript(shop), "900") {
			t.Errorf("the balance is announced under a stranger's line:\n%s", h.Transcript(shop))
		}
		commandIn(h, apptest.Sam, shop, 0, "/key@shop_bot remove")
		linkShop(h, apptest.Eve, otherShop) // who begins anew as well
		h.Service.SetBalance(otherKey, "600")
		h.Pass(6 * time.Minute)
		if strings.Contains(h.Transcript(shop), "600") {
			t.Errorf("what was set before the group was unlinked is back:\n%s", h.Transcript(shop))
		}
	})
}

// TestAlertThatWaitedForAnother: an alert that waits for the morning reaches nobody who has left the account by then.
func TestAlertThatWaitedForAnother(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	inOthers(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Low balance")
		h.Tap(apptest.Sam, "20,000")
		h.Say(apptest.Sam, "/alerts")
		h.Tap(apptest.Sam, "Quiet hours")
		h.Tap(apptest.Sam, "06:00") // the test begins at one o'clock in Algiers
		h.Service.SetBalance(apptest.TestKey, "900")
		h.Pass(16 * time.Minute)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Make owner")
		h.Tap(apptest.Sam, "Yes, make owner")
		leaveTeam(h, apptest.Sam)
		h.Sleep(4 * time.Hour)
		h.Pass(3 * time.Hour) // over the end of the quiet hours
		if h.Alerted("Low balance. Available: DZD") > 0 {
			t.Errorf("the morning brings what is not theirs:\n%s", h.Transcript(apptest.Sam))
		}
	})
}

// TestSquatter: whoever has linked a shop's group to an account of their own keeps nobody from linking it who stands
// above them in the group, and nobody takes it who does not.
func TestSquatter(t *testing.T) {
	t.Parallel()
	inOthers(t, func(h *apptest.Harness) {
		linkShop(h, apptest.Eve, otherShop)
		h.Telegram.StartGroup(apptest.Karim, shop, "shop") // a seller owns nothing
		h.Pass(time.Second)
		h.See(shop, "not on its team")
		h.Telegram.Inject(tgsim.Fault{Method: "getchatadministrators", Times: 1, Kind: tgsim.Broken, Code: 400})
		commandIn(h, apptest.Sam, shop, 0, "/team@shop_bot")
		h.See(shop, "does not say right now")
		h.Pass(time.Minute)
		commandIn(h, apptest.Sam, shop, 0, "/team@shop_bot")
		h.See(shop, "Link this group to Boutique El Djazair?")
		h.RefusedWith(h.TapIn(apptest.Karim, shop, "Yes, link it"), "Only the team")
		h.Pass(time.Minute)
		commandIn(h, apptest.Sam, shop, 0, "/team@shop_bot")
		h.TapIn(apptest.Sam, shop, "Yes, link it")
		h.See(shop, "Deliveries come here")
		h.SeeAny(apptest.Eve, "Sam, who administers the group Shop & Co, has linked it to another account")
		buy(h, apptest.Karim)
		h.See(shop, "Delivered")

		said := count(h, shop, "Deliveries come here")
		h.Pass(time.Minute)
		h.Telegram.StartGroup(apptest.Eve, shop, "shop") // back again
		h.Pass(time.Second)
		h.See(shop, "linked to another account")
		h.Telegram.SetRole(apptest.Yasmine, shop, apptest.Eve, tgsim.Administrator)
		h.Telegram.StartGroup(apptest.Eve, shop, "shop") // as much as Sam is no more than Sam
		h.Pass(time.Second)
		h.See(shop, "linked to another account")
		if i := slices.IndexFunc(h.Telegram.Messages(shop), func(m tgsim.Message) bool { return strings.Contains(m.Text, "Link this group to") }); i >= 0 {
			h.Telegram.Tap(apptest.Eve, shop, h.Telegram.Messages(shop)[i].ID, "1:placehere:yes") // a button from before
		}
		h.Pass(time.Second)
		if count(h, shop, "Deliveries come here") != said {
			t.Errorf("the group was taken:\n%s", h.Transcript(shop))
		}
		buy(h, apptest.Karim)
		h.See(shop, "Delivered")
	})
}

// TestStandingIsAskedOnce: who administers a group is asked for once each time that somebody wants to take it, and where
// Telegram does not tell, that is said.
func TestStandingIsAskedOnce(t *testing.T) {
	t.Parallel()
	inOthers(t, func(h *apptest.Harness) {
		linkShop(h, apptest.Eve, otherShop)
		asked := func() int { return h.Telegram.Calls()["getchatadministrators"] }
		before := asked()
		h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		h.Pass(time.Second)
		question := h.See(shop, "Link this group to Boutique El Djazair?")
		if n := asked() - before; n != 1 {
			t.Errorf("Telegram was asked %d times", n)
		}
		h.Telegram.Inject(tgsim.Fault{Method: "getchatadministrators", Times: 1, Kind: tgsim.Broken, Code: 400})
		yes := buttons(question, "Yes, link it")[0].Data
		h.Telegram.Tap(apptest.Sam, shop, question.ID, yes)
		h.See(shop, "does not say right now")
		if !strings.Contains(h.Log.String(), "Telegram does not tell who administers a group") {
			t.Error("the log does not tell why")
		}
		h.Telegram.Tap(apptest.Sam, shop, question.ID, yes)
		h.See(shop, "Deliveries come here")
	})
}

// TestRemovedWhoStaysInTheGroup: where codes stand open in the group, the owners are told, once, that somebody who has
// left the team goes on seeing them; not where they cannot, or have left the group as well.
func TestRemovedWhoStaysInTheGroup(t *testing.T) {
	sampletest.Slow(t)
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
			inOthers(t, func(h *apptest.Harness) {
				linkShop(h, apptest.Sam, "Boutique El Djazair")
				if !c.admin {
					h.Telegram.Inject(tgsim.Fault{Method: "getchatmember", Times: 9, Kind: tgsim.Broken, Code: 400})
				}
				if c.open {
					h.TapIn(apptest.Sam, shop, "Codes for everybody")
					h.TapIn(apptest.Sam, shop, "Yes, show them")
				}
				if c.gone {
					h.Telegram.SetRole(apptest.Karim, shop, apptest.Karim, tgsim.Left)
				}
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, "Karim")
				h.Tap(apptest.Sam, "Remove")
				h.Tap(apptest.Sam, "Yes, remove")
				h.Pass(time.Hour)
				n := count(h, apptest.Sam, "is still in the group") + count(h, apptest.Sam, "may still be in the group")
				if want := c.words != ""; (n == 1) != want || n > 1 {
					t.Fatalf("told %d times, want %v:\n%s", n, want, h.Transcript(apptest.Sam))
				}
				if c.words != "" {
					h.SeeAny(apptest.Sam, c.words)
					h.Tap(apptest.Sam, "Hide codes")
					buy(h, apptest.Sam)
					if h.See(shop, "Delivered"); len(h.Codes(shop)) > 0 {
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
		inOthers(t, func(h *apptest.Harness) {
			h.Telegram.SetLanguage(apptest.Yasmine, "en")
			h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-a-third-shop-00001", Name: "Third", UserID: 4103, Balance: "700"}))
			h.Say(apptest.Lila, "/key KEY-of-a-third-shop-00001")
			h.Telegram.SetRole(apptest.Yasmine, shop, apptest.Lila, tgsim.Ordinary)
			linkShop(h, apptest.Eve, otherShop)
			commandIn(h, apptest.Sam, shop, 0, "/team@shop_bot")
			card := h.See(shop, "Link this group to Boutique El Djazair?")
			commandIn(h, apptest.Eve, shop, 0, "/key@shop_bot remove")
			if third {
				linkShop(h, apptest.Lila, "Third")
			}
			h.Telegram.Tap(apptest.Sam, shop, card.ID, buttons(card, "Yes, link it")[0].Data)
			h.Pass(2 * time.Second)
			text := apptest.Plain(message(h, shop, card.ID).Text)
			if asked := strings.Contains(text, "Link this group to"); asked != third || !third && !strings.Contains(text, "Deliveries come here") {
				t.Errorf("with a third account %v, the card says: %s\n%s", third, text, h.Transcript(shop))
			}
		})
	}
}

// TestStrangerInTheShopsGroup: whoever is of no team and types commands in a shop's group without end is answered a few
// times at most, and the shop gets its deliveries meanwhile as if nobody did.
func TestStrangerInTheShopsGroup(t *testing.T) {
	inOthers(t, func(h *apptest.Harness) {
		linkShop(h, apptest.Sam, "Boutique El Djazair")
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		said, copies := h.FromBot(shop), count(h, shop, "Delivered")
		for i := range 42 {
			h.Telegram.Send(apptest.Eve, shop, []string{"/lock@shop_bot", "/key@shop_bot remove", "/privacy@shop_bot"}[i%3])
			if i == 21 {
				h.Tap(apptest.Karim, "✅")
			}
			h.Pass(430 * time.Millisecond)
		}
		h.Pass(time.Second)
		if n := h.FromBot(shop) - said - 1; n > 6 || count(h, shop, "Delivered") != copies+1 {
			t.Errorf("%d answers to one stranger:\n%s", n, h.Transcript(shop))
		}
		if count(h, apptest.Karim, "Delivered") != 1 {
			t.Errorf("no code after nine seconds:\n%s", h.Transcript(apptest.Karim))
		}
		for range 30 {
			h.Telegram.Send(apptest.Eve, shop, "/key@shop_bot "+otherKey)
			h.Pass(400 * time.Millisecond)
		}
		if n := h.FromBot(shop) - said - 1; n > 12 {
			t.Errorf("%d answers to one stranger:\n%s", n, h.Transcript(shop))
		}
	})
}

// TestRefusalInAGroupHoldsUpNobody: that Telegram wants to hear nothing for an hour about the groups of others, or about who
// administers one, does not keep a code from a shop.
func TestRefusalInAGroupHoldsUpNobody(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(*apptest.Harness){
		"a takeover": func(h *apptest.Harness) {
			linkShop(h, apptest.Eve, otherShop)
			h.Telegram.Inject(tgsim.Fault{Method: "getchatadministrators", Times: 9, Wait: time.Hour})
			h.Telegram.StartGroup(apptest.Sam, shop, "shop")
		},
		"keys of strangers": func(h *apptest.Harness) {
			for i := range int64(5) {
				who, group := 20_000+i, -(30_000 + i)
				h.Telegram.AddUser(tgsim.User{ID: who, FirstName: "Nobody", LanguageCode: "en"})
				h.Telegram.AddGroup(group, "Friends", who)
				h.Telegram.Inject(tgsim.Fault{Method: "deletemessage", Chat: group, Times: 9, Wait: time.Hour})
				h.Telegram.Send(who, group, "/key@shop_bot "+otherKey)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inOthers(t, func(h *apptest.Harness) {
				h.Order(apptest.Karim, "Play Card", "10 USD", "1")
				refuse(h)
				h.Pass(time.Second)
				if !strings.Contains(h.Log.String(), "Telegram asked to wait") {
					t.Fatal("nothing was refused")
				}
				h.Tap(apptest.Karim, "✅")
				h.Pass(10 * time.Second)
				if len(h.Codes(apptest.Karim)) != 1 {
					t.Errorf("no code after ten seconds:\n%s", h.Transcript(apptest.Karim))
				}
			})
		})
	}
}

// TestGroupSpeaksItsOwnersLanguage: a group that is linked speaks as the owner who has linked it, not as the one of
// before, and the team changes that there.
func TestGroupSpeaksItsOwnersLanguage(t *testing.T) {
	inOthers(t, func(h *apptest.Harness) {
		h.Say(apptest.Yasmine, "/start")
		commandIn(h, apptest.Yasmine, shop, 0, "/help@shop_bot") // in French
		linkShop(h, apptest.Sam, "Boutique El Djazair")          // in English
		commandIn(h, apptest.Sam, shop, 0, "/key@shop_bot remove")
		h.Say(apptest.Eve, "/language")
		h.Tap(apptest.Eve, "Français")
		h.Telegram.StartGroup(apptest.Eve, shop, "shop")
		h.Pass(time.Second)
		h.See(shop, "Les livraisons arrivent ici")
		commandIn(h, apptest.Eve, shop, 0, "/language@shop_bot")
		h.TapIn(apptest.Eve, shop, "English")
		commandIn(h, apptest.Eve, shop, 0, "/lock@shop_bot")
		h.See(shop, "Purchases are locked")
	})
}

// TestHelpNamesWhatThereIs: what an owner may do is listed for them, in private and in the group.
func TestHelpNamesWhatThereIs(t *testing.T) {
	inOthers(t, func(h *apptest.Harness) {
		linkShop(h, apptest.Sam, "Boutique El Djazair")
		h.Say(apptest.Sam, "/help")
		commandIn(h, apptest.Sam, shop, 0, "/help@shop_bot")
		for _, chat := range []int64{apptest.Sam, shop} {
			for _, words := range []string{"/forget", "/team", "/lock"} {
				if m := h.See(chat, "What you can do"); !strings.Contains(m.Text, words) {
					t.Errorf("the help does not name %s", words)
				}
			}
		}
		h.Say(apptest.Karim, "/help")
		if m := h.See(apptest.Karim, "What you can do"); strings.Contains(m.Text, "/lock") || !strings.Contains(m.Text, "/forget") {
			t.Errorf("a seller is told: %s", m.Text)
		}
	})
}
