package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/store"
)

const renewedKey = "KEY-canary-renewed-77aa"

// count is how many messages of a chat hold the words.
func count(h *apptest.Harness, chat int64, words string) int {
	return strings.Count(h.Texts(chat), words)
}

// waiting buys one card whose code the service holds back.
func waiting(h *apptest.Harness, user int64) {
	h.T.Helper()
	h.Service.HoldOrders(true)
	h.Order(user, "Play Card", "10 USD", "1")
	h.Tap(user, "✅")
	h.SeeAny(user, "Bought. The code")
}

// TestKeyLinkedAgainBuys: unlinked, linked again and bought with, however long that took: nothing of before is in
// the way.
func TestKeyLinkedAgainBuys(t *testing.T) {
	t.Parallel()
	for _, away := range sampletest.Some(3, []time.Duration{time.Second, time.Hour, 3 * time.Hour}) {
		t.Run(away.String(), func(t *testing.T) {
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				for round := 1; round <= 3; round++ {
					h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
					h.Bought(round)
					h.Say(apptest.Sam, "/key remove")
					h.See(apptest.Sam, "unlinked")
					h.Pass(away)
					h.Link(apptest.Sam)
				}
			})
		})
	}
}

// TestRefusedKeyIsTold: a key that is not taken while a paid code waits is told to the owners within a minute of its
// first refusal, once until it works again.
func TestRefusedKeyIsTold(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		const words = "no longer accepts your key"
		waiting(h, apptest.Karim)
		h.Pass(time.Minute)
		for round := 1; round <= 2; round++ {
			h.Service.SetExpiry(apptest.TestKey, time.Now())
			h.Pass(2 * time.Minute) // a look a minute, and one more to be sure
			if n := count(h, apptest.Sam, words); n != round {
				t.Errorf("the owner was told %d times, want %d:\n%s", n, round, h.Texts(apptest.Sam))
			}
			h.Pass(time.Hour)
			h.Stop()
			h.Start()
			h.Pass(time.Hour)
			if n, others := count(h, apptest.Sam, words), count(h, apptest.Karim, words); n != round || others != 0 {
				t.Errorf("the owner was told %d times, the seller %d times", n, others)
			}
			h.Service.SetExpiry(apptest.TestKey, time.Time{})
			h.Pass(10 * time.Minute)
		}
		h.Tap(apptest.Sam, "Link my API key")
		h.See(apptest.Sam, "Send your API key")
		h.Service.HoldOrders(false)
		h.Delivered(apptest.Karim)
	})
}

// TestKeyNamesTheAccount: the question for a key tells which account is linked to who is of its team, and to nobody else.
func TestKeyNamesTheAccount(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		asked := func(user int64) string {
			h.Say(user, "/key")
			return apptest.Plain(h.See(user, "Send your API key").Text)
		}
		for _, who := range []int64{apptest.Sam, apptest.Karim} {
			if text := asked(who); !strings.Contains(text, "Linked now: Boutique El Djazair") {
				t.Errorf("%d is asked: %s", who, text)
			}
		}
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		for _, who := range []int64{apptest.Karim, apptest.Eve} {
			if text := asked(who); strings.Contains(text, "Linked now") {
				t.Errorf("%d, who is of no team, is asked: %s", who, text)
			}
		}
	})
}

// TestRefusedKeyNobodyOwns: where the account was unlinked, its last owner is told.
func TestRefusedKeyNobodyOwns(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		waiting(h, apptest.Karim)
		unlink(h, "ends the team of 3")
		h.Service.RotateKey(apptest.TestKey, renewedKey)
		h.Pass(5 * time.Minute)
		if n := count(h, apptest.Sam, "no longer accepts your key"); n != 1 {
			t.Errorf("the last owner was told %d times", n)
		}
		h.Say(apptest.Sam, "/key "+renewedKey)
		h.See(apptest.Sam, "Your team is back: 3 people")
		h.Service.HoldOrders(false)
		h.Delivered(apptest.Karim)
	})
}

// TestRenewedKeyIsUsedAtOnce: what a key could not see is looked at as soon as one is linked that can.
func TestRenewedKeyIsUsedAtOnce(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		waiting(h, apptest.Sam)
		h.Service.RotateKey(apptest.TestKey, renewedKey)
		h.Pass(20 * time.Minute)
		h.SeeAny(apptest.Sam, "no longer accepts your key")
		h.Service.HoldOrders(false)
		h.Pass(time.Second) // in the middle of a rest
		h.Say(apptest.Sam, "/key "+renewedKey)
		h.See(apptest.Sam, "")
		h.Pass(3 * time.Second)
		for _, o := range h.Service.Orders() {
			if o.Code == "" || len(h.Codes(apptest.Sam)) != 1 {
				t.Errorf("the code is not there seconds after the new key:\n%s", h.Transcript(apptest.Sam))
			}
		}
	})
}

// legacyShop is a service of the older interface alone, which names no users.
func legacyShop(h *apptest.Harness) {
	h.Service = sim.New(sim.Options{Seed: 7, Mode: sim.Legacy})
	apptest.People(h)
	h.Must(h.Service.AddAccount(sim.AccountSpec{Key: apptest.TestKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
	h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-another-0001", Name: "Another", UserID: 4102, Balance: "9000"}))
	h.Env["RESELLER_API_GENERATION"] = "legacy"
}

// linkOld links the key of the older interface, which tells no name.
func linkOld(h *apptest.Harness, user int64) {
	h.T.Helper()
	h.Say(user, "/start")
	h.Say(user, "/key "+apptest.TestKey)
	h.See(user, "25,000")
}

// oldTeam plays with a team of the older interface, a delivered order, and one that waits.
func oldTeam(t *testing.T, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, legacyShop, func(h *apptest.Harness) {
		linkOld(h, apptest.Sam)
		h.Telegram.Start(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Pass(time.Second)
		h.See(apptest.Karim, "Welcome")
		limit(h, "Per purchase", "5000")
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		waiting(h, apptest.Karim)
		h.Pass(6 * time.Minute) // the wallet is read
		play(h)
	})
}

// TestRotatedLegacyKey: the older interface names nobody, so a new key of the same account is known by its orders and
// its wallet. One button, and everything goes on.
func TestRotatedLegacyKey(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	for name, away := range sampletest.SomeNamed(1, map[string]bool{"replaced": false, "unlinked before": true}) {
		t.Run(name, func(t *testing.T) {
			oldTeam(t, func(h *apptest.Harness) {
				h.Service.RotateKey(apptest.TestKey, renewedKey)
				if away {
					unlink(h, "ends the team of 2")
				}
				h.Say(apptest.Sam, "/key "+renewedKey)
				asked := h.See(apptest.Sam, "looks like a new key of the same account")
				if text := apptest.Plain(asked.Text); strings.Contains(text, "team of 2") == away || !strings.Contains(text, "1 purchase is still under way") {
					t.Errorf("it asks %s", text)
				}
				for _, row := range asked.Keyboard {
					for _, b := range row {
						if strings.HasPrefix(b.Text, "✅") {
							t.Errorf("a button that spends nothing is %q", b.Text)
						}
					}
				}
				h.Tap(apptest.Sam, "Same account: go on")
				h.See(apptest.Sam, "goes on under the new key")
				h.Service.HoldOrders(false)
				h.Pass(70 * time.Second) // a look a minute
				if len(h.Codes(apptest.Karim)) != 1 {
					t.Errorf("the code that waited is not there:\n%s", h.Transcript(apptest.Karim))
				}
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, "Karim")
				h.See(apptest.Sam, "5,000")
				h.Order(apptest.Karim, "Play Card", "10 USD", "1")
				h.Tap(apptest.Karim, "✅")
				h.Pass(10 * time.Second)
				if len(h.Codes(apptest.Karim)) != 2 {
					t.Errorf("the team cannot buy:\n%s", h.Transcript(apptest.Karim))
				}
				h.Telegram.Send(apptest.Yasmine, apptest.Yasmine, "/key "+renewedKey) // whoever else links it joins the same account
				h.Pass(2 * time.Second)
				h.Say(apptest.Sam, "/team")
				h.See(apptest.Sam, "Yasmine")
			})
		})
	}
}

// TestAnotherLegacyKey: what looks like another account is said to, with what becomes of the open purchases, and the
// owner decides.
func TestAnotherLegacyKey(t *testing.T) {
	t.Parallel()
	oldTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/key KEY-of-another-0001")
		asked := apptest.Plain(h.See(apptest.Sam, "cannot tell whether it is the same account").Text)
		for _, words := range []string{"Found under the new key: 0", "9,000", "ends the team of 2", "with the old key"} {
			if !strings.Contains(asked, words) {
				t.Errorf("it does not say %q: %s", words, asked)
			}
		}
		if len(h.Service.Orders()) != 2 || count(h, apptest.Karim, "team has ended") != 0 {
			t.Error("something was changed before the answer")
		}
		h.Tap(apptest.Sam, "🔗 Replace the old one")
		h.See(apptest.Sam, "9,000")
		h.SeeAny(apptest.Karim, "its team has ended")
		h.Service.HoldOrders(false)
		delivered2(h, apptest.Karim, apptest.Sam)
	})
}

// TestOrdersOfAnAccountThatWasReplaced: what stands in /orders under the name of an account that was replaced has no way to the supplier's history of
// the one that is active.
func TestOrdersOfAnAccountThatWasReplaced(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "9000"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Say(apptest.Sam, "/key "+otherKey)
		h.Tap(apptest.Sam, "Replace the old one")
		for _, histories := range []int{0, 1} {
			h.Say(apptest.Sam, "/orders")
			h.Pass(time.Second)
			m := h.SeeLast(apptest.Sam, "Play Card")
			if named := strings.HasPrefix(apptest.Plain(m.Text), "🏪 "+ownShop); named != (histories == 0) || len(buttons(m, "Supplier history")) != histories {
				t.Errorf("with %d accounts it lists\n%s %v", histories+1, m.Text, m.Keyboard)
			}
			h.Buy(apptest.Sam, "Play Card", "5 USD", "1")
		}
	})
}

// TestAListOfAnAccountThatWasReplaced: a key of another account ends the rest of a list. Its card and its end say of which account it was,
// and what it did not buy is put together once more for the one that is active, which says that it pays.
func TestAListOfAnAccountThatWasReplaced(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		heroes(h)
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "9000"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		coinsFor(h, "c1", "Ali Ben", "51234567")
		h.Say(apptest.Sam, "play card 5 x2\nplay card 10\n60 coins ali ben")
		h.See(apptest.Sam, "Valid for")
		slowly(h, 0)
		h.Tap(apptest.Sam, "✅")
		h.Pass(slowSpend / 2) // the key comes in the middle of the second line, and not as one ends
		h.Say(apptest.Sam, "/key "+otherKey)
		h.Tap(apptest.Sam, "Replace the old one")
		h.See(apptest.Sam, "Linked: "+otherShop)
		h.Pass(time.Minute)
		card := h.SeeAny(apptest.Sam, "Not bought:")
		for _, words := range []string{"Not bought:", "see the list"} {
			if m := h.SeeAny(apptest.Sam, words); !strings.HasPrefix(apptest.Plain(m.Text), "🏪 "+ownShop) {
				t.Errorf("it does not say whose it is: %s", m.Text)
			}
		}
		bought := len(h.Service.Purchases())
		tap := h.Telegram.Tap(apptest.Sam, apptest.Sam, card.ID, tapOf(t, card, "🔁"))
		h.Pass(2 * time.Second)
		if got := h.Answer(tap).Text; !strings.Contains(got, "another account") {
			t.Errorf("🔁 is answered with %q", got)
		}
		h.SeeLast(apptest.Sam, "Valid for")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		if all := h.Service.Purchases(); bought != 2 || len(all) != 3 || all[2].Key != otherKey {
			t.Errorf("%d purchases before, %d now\n%s", bought, len(all), h.Transcript(apptest.Sam))
		}
		h.InStore(func(s *store.Store) {
			all, err := s.ChatLists(t.Context(), apptest.Sam, 5)
			h.Must(err)
			for _, l := range all {
				for _, line := range l.Lines {
					if line.For != "" && l.Account != "u4101" {
						t.Errorf("a line of %s is for a customer of the other shop", l.Account)
					}
				}
			}
		})
		h.Answered()
	})
}

// TestAListOfATeamThatOneWasRemovedFrom: whoever was removed from a team puts nothing of its lists together once more: what they bought there is not
// shown to them any more.
func TestAListOfATeamThatOneWasRemovedFrom(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "9000"}))
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.ErrorAnswer, Status: 400, Message: "Product out of stock", Times: 1})
		h.Say(apptest.Karim, "play card 10\nplay card 10 x2")
		h.See(apptest.Karim, "Valid for")
		h.Tap(apptest.Karim, "✅")
		h.Pass(time.Minute)
		card := h.SeeAny(apptest.Karim, "List done")
		again := tapOf(t, card, "🔁")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, remove")
		h.Pass(5 * time.Second)
		h.Say(apptest.Karim, "/key "+otherKey)
		h.See(apptest.Karim, "Linked: "+otherShop)
		from := len(h.Telegram.Messages(apptest.Karim))
		h.Telegram.Tap(apptest.Karim, apptest.Karim, card.ID, again)
		h.Pass(3 * time.Second)
		for _, m := range h.Telegram.Messages(apptest.Karim)[from:] {
			if strings.Contains(m.Text, "Play Card") {
				t.Errorf("they are shown %s", m.Text)
			}
		}
		h.Answered()
	})
}

// delivered2 waits until the codes of all orders are shown in either chat.
func delivered2(h *apptest.Harness, one, other int64) {
	h.T.Helper()
	h.Wait(one, "all codes", func([]tgsim.Message) (tgsim.Message, bool) {
		shown := strings.Join(append(h.Codes(one), h.Codes(other)...), "\n")
		for _, o := range h.Service.Orders() {
			if o.Code == "" || !strings.Contains(shown, o.Code) {
				return tgsim.Message{}, false
			}
		}
		return tgsim.Message{}, true
	})
}

// TestReplacingATeamsKeyAsks: nothing happens before the answer, a key that is refused meanwhile is not linked, and
// the team is back, with its limits and its group, once the account is.
func TestReplacingATeamsKeyAsks(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Telegram.AddGroup(-700, "Counter", apptest.Sam, apptest.Karim)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-another-0001", Name: "Another", UserID: 4102, Balance: "10"}))
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-lila-000001", Name: "Hers", UserID: 4103, Balance: "10"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Join(apptest.Lila, h.Invite(apptest.Sam, "➕ Counter"))
		limit(h, "Per purchase", "5000")
		commandIn(h, apptest.Sam, -700, 0, "/team@shop_bot")
		h.TapIn(apptest.Sam, -700, "here")
		h.See(-700, "eliveries")

		h.Say(apptest.Sam, "/key KEY-of-another-0001")
		asked := h.See(apptest.Sam, "Another is another account than Boutique El Djazair")
		if text := apptest.Plain(asked.Text); !strings.Contains(text, "team of 3") || !strings.Contains(text, "Counter") {
			t.Errorf("it asks %s", text)
		}
		h.Tap(apptest.Sam, "Cancel")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, asked.Keyboard[1][0].Data) // of a question that is over
		h.Pass(2 * time.Second)
		h.Say(apptest.Karim, "/start")
		h.See(apptest.Karim, "Boutique El Djazair")

		h.Say(apptest.Sam, "/key KEY-of-another-0001")
		h.See(apptest.Sam, "Another is another account")
		h.Service.ExpireKey("KEY-of-another-0001")
		h.Tap(apptest.Sam, "Replace the old one")
		h.See(apptest.Sam, "was not linked")
		h.Service.SetExpiry("KEY-of-another-0001", time.Time{})
		h.Say(apptest.Sam, "/key KEY-of-another-0001")
		h.Tap(apptest.Sam, "Replace the old one")
		h.See(apptest.Sam, "Linked: Another")
		h.SeeAny(apptest.Karim, "its team has ended")

		h.Say(apptest.Lila, "/key KEY-of-lila-000001") // who has an account of her own now keeps it
		h.See(apptest.Lila, "Linked: Hers")
		h.Sleep(29 * 24 * time.Hour)
		h.Say(apptest.Sam, "/key "+apptest.TestKey)
		h.Tap(apptest.Sam, "Replace the old one")
		h.See(apptest.Sam, "Your team is back: 2 people")
		h.SeeAny(apptest.Karim, "is linked again")
		h.Say(apptest.Sam, "/team")
		team := apptest.Plain(h.See(apptest.Sam, "Team of").Text)
		if !strings.Contains(team, "Karim") || strings.Contains(team, "Lila") || !strings.Contains(team, "Counter") {
			t.Errorf("the team is %s", team)
		}
		h.Tap(apptest.Sam, "Karim")
		h.See(apptest.Sam, "5,000")
	})
}

// TestRestoredTeam: who was taken out after the copy was made is in it again, so nobody spends until an owner has
// seen who is in it. A lock that was there stays.
func TestRestoredTeam(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Stop()
		h.Command("backup", "copy.db")
		h.Start()
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, ")
		h.SeeAny(apptest.Karim, "no longer on the team")
		h.Say(apptest.Sam, "/lock")
		h.Stop()
		h.Command("restore", "copy.db")
		h.Start()
		h.Pass(time.Minute)
		shown := h.SeeAny(apptest.Sam, "This is the team of Boutique El Djazair")
		if !strings.Contains(apptest.Plain(shown.Text), "Karim") {
			t.Errorf("it shows %s", shown.Text)
		}
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.RefusedWith(h.TapIn(apptest.Karim, apptest.Karim, "✅"), "confirm")
		h.Telegram.Tap(apptest.Karim, apptest.Karim, h.See(apptest.Karim, "").ID, "1:teamok:"+markOf(shown))
		h.Pass(time.Second)
		h.Say(apptest.Sam, "/unlock") // is no way around it
		h.See(apptest.Sam, "This is the team of")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, ")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, shown.ID, "1:teamok:"+markOf(shown)) // of a team that is another one now
		h.Pass(time.Second)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.RefusedWith(h.TapIn(apptest.Sam, apptest.Sam, "✅"), "confirm")
		h.Bought(0)
		h.Say(apptest.Sam, "/unlock")
		h.Tap(apptest.Sam, "The team is right")
		h.See(apptest.Sam, "unlocked")
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Bought(1)
	})
}

// markOf is what names the team that a message shows.
func markOf(m tgsim.Message) string {
	return strings.TrimPrefix(m.Keyboard[0][0].Data, "1:teamok:")
}

// TestFrozenByAListThatIsNotThere: what cannot be read after a restore is shown to the owner, who decides.
func TestFrozenByAListThatIsNotThere(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	for _, missing := range []struct {
		list   string
		status int
		told   string
	}{
		{"GET /arena/orders", 403, "Not read: list of Arena top-ups"},
		{"GET /arena/orders", 405, "Not read: list of Arena top-ups"},
		{"GET /arena/orders", 500, "Not read: list of Arena top-ups"},
		{"GET /purchase-history", 500, "Not read: list of purchases"},
	} {
		apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			h.Stop()
			h.Command("backup", "copy.db")
			h.Command("restore", "copy.db")
			h.Service.Inject(sim.Fault{Operation: missing.list, Kind: sim.Status, Status: missing.status, Times: 1 << 30})
			h.Start()
			h.Pass(time.Minute)
			h.Tap(apptest.Sam, "The team is right")
			h.Order(apptest.Sam, "Play Card", "5 USD", "1")
			h.Tap(apptest.Sam, "✅")
			h.SeeAny(apptest.Sam, "told when it can buy again")
			h.Happened(0)
			h.Pass(15 * time.Minute)
			asked := h.SeeAny(apptest.Sam, "part of this account could not be read")
			if text := apptest.Plain(asked.Text); !strings.Contains(text, missing.told+"\n") {
				t.Errorf("%v: it says %s", missing, text)
			}
			h.Pass(time.Hour)
			if n := count(h, apptest.Sam, "part of this account"); n != 1 {
				t.Errorf("%v: the owner was asked %d times", missing, n)
			}
			h.Tap(apptest.Sam, "Go on without it")
			h.See(apptest.Sam, "")
			h.Order(apptest.Sam, "Play Card", "5 USD", "2")
			h.Tap(apptest.Sam, "✅")
			h.Pass(time.Minute)
			h.Happened(1)
		})
	}
}

// TestKeyOfADismissedBuyer: who has bought was taken out, and then the account was unlinked: the code goes to its
// last owner.
func TestKeyOfADismissedBuyer(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		waiting(h, apptest.Karim)
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		h.Tap(apptest.Sam, "Yes, ")
		unlink(h, "ends the team of 2")
		h.Service.HoldOrders(false)
		h.Delivered(apptest.Sam)
		if len(h.Codes(apptest.Karim)) != 0 {
			t.Error("it went to somebody who was taken out")
		}
		h.InStore(func(s *store.Store) {
			a, err := s.Account(t.Context(), "u4101")
			if err != nil || !a.Retired {
				t.Errorf("%+v, %v", a, err)
			}
		})
	})
}

// TestCodeInTheGroupOfAnUnlinkedAccount: it stays hidden there, and is shown to whoever bought it and to the last
// owner, who alone are left.
func TestCodeInTheGroupOfAnUnlinkedAccount(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		h.Service.HoldOrders(true)
		commandIn(h, apptest.Karim, shop, 0, "/buy@shop_bot play")
		h.TapIn(apptest.Karim, shop, "10 USD")
		h.TapIn(apptest.Karim, shop, "1")
		h.TapIn(apptest.Karim, shop, "✅")
		h.Pass(5 * time.Second)
		unlink(h, "ends the team of 3")
		h.Service.HoldOrders(false)
		h.Pass(10 * time.Second)
		code := h.Service.Orders()[0].Code
		if code == "" || strings.Contains(h.Texts(shop), code) {
			t.Fatalf("the group is shown %q:\n%s", code, h.Transcript(shop))
		}
		for who, may := range map[int64]bool{apptest.Eve: false, apptest.Lila: false, apptest.Karim: true, apptest.Sam: true} {
			if answer := h.TapIn(who, shop, "Show me"); strings.Contains(answer.Text, code) != may {
				t.Errorf("%d is answered %q", who, answer.Text)
			}
		}
	})
}

// TestRotatedLegacyKeyOfAQuietShop: nothing is under way, and nobody else is of the account. It is asked all the same whether the key
// is one of it: what it has bought may still come to light under that.
func TestRotatedLegacyKeyOfAQuietShop(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "5 USD", "1")
		h.Delivered(apptest.Sam)
		h.Pass(time.Hour)
		h.Service.RotateKey(apptest.LegacyTestKey, renewedKey)
		h.Say(apptest.Sam, "/key "+renewedKey)
		h.See(apptest.Sam, "looks like a new key of the same account")
		for _, word := range []string{"hello", "the same", "نعم", "ok"} { // no answer, and the key still waits for one
			h.Say(apptest.Sam, word)
			h.Pass(2 * time.Second)
			h.See(apptest.Sam, "looks like a new key of the same account")
		}
		h.Tap(apptest.Sam, "Same account")
		h.SeeAny(apptest.Sam, "goes on under the new key")
		h.Say(apptest.Sam, "/orders")
		h.See(apptest.Sam, "5 USD")
	})
}

// TestRotatedLegacyKeyThatSomebodyElseHas: somebody else who uses the account has linked its new key first, and bought. Whoever has paid orders
// under the old key says that it is the same account, and gets their codes. The other's shop stays as it is.
func TestRotatedLegacyKeyThatSomebodyElseHas(t *testing.T) {
	t.Parallel()
	for name, leaves := range map[string]bool{"and works with it": false, "and has left again": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
				h.LinkLegacy(apptest.Sam)
				waiting(h, apptest.Sam)
				h.Service.RotateKey(apptest.LegacyTestKey, renewedKey)
				h.Service.HoldOrders(false)
				h.Telegram.AddUser(tgsim.User{ID: apptest.Karim, FirstName: "Karim", LanguageCode: "en"})
				h.Say(apptest.Karim, "/key "+renewedKey)
				h.See(apptest.Karim, "Linked")
				h.Order(apptest.Karim, "Play Card", "10 USD", "1")
				h.Tap(apptest.Karim, "✅")
				h.SeeAny(apptest.Karim, "🎉")
				if leaves {
					h.Say(apptest.Karim, "/key remove")
					h.SeeAny(apptest.Karim, "is unlinked")
				}
				h.Say(apptest.Sam, "/key "+renewedKey)
				h.Tap(apptest.Sam, "Same account")
				h.SeeAny(apptest.Sam, "Everything goes on under the new key")
				h.SeeAny(apptest.Sam, "🎉")
				orders := h.Service.Orders()
				if texts := h.Texts(apptest.Sam); !strings.Contains(texts, orders[0].Code) || strings.Contains(texts, orders[1].Code) {
					t.Errorf("of %q and %q Sam was shown:\n%s", orders[0].Code, orders[1].Code, h.Transcript(apptest.Sam))
				}
				if leaves {
					h.Say(apptest.Karim, "/key "+renewedKey)
					h.See(apptest.Karim, "Linked: Account …efe5")
				}
				h.Say(apptest.Karim, "/orders")
				h.See(apptest.Karim, "10 USD")
			})
		})
	}
}

// TestTeamUnderAKeyThatSomebodyElseHas: the owner of a team says that a new key, which somebody else has linked first, is one of the same account.
// The team goes on under it, and the other keeps an account of their own: nothing ends that nobody was asked about.
func TestTeamUnderAKeyThatSomebodyElseHas(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	setUp := apptest.Everything(sim.Options{Mode: sim.Legacy})
	apptest.Run(t, func(h *apptest.Harness) { setUp(h); apptest.People(h) }, func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Telegram.Start(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.SeeAny(apptest.Karim, "Welcome to")
		h.Service.RotateKey(apptest.LegacyTestKey, renewedKey)
		h.Say(apptest.Lila, "/key "+renewedKey)
		h.See(apptest.Lila, "Linked")
		h.Buy(apptest.Lila, "Play Card", "10 USD", "1")
		h.Say(apptest.Sam, "/key "+renewedKey)
		h.See(apptest.Sam, "Replace the key of")
		h.Tap(apptest.Sam, "Same account")
		h.SeeAny(apptest.Sam, "Everything goes on under the new key")
		h.Order(apptest.Karim, "Play Card", "5 USD", "1")
		h.Tap(apptest.Karim, "✅")
		h.SeeAny(apptest.Karim, "🎉")
		h.Say(apptest.Sam, "/team")
		h.See(apptest.Sam, "Karim")
		h.Say(apptest.Sam, "/key "+renewedKey) // it was asked about already
		h.See(apptest.Sam, "Linked")
		h.Say(apptest.Sam, "/team")
		h.See(apptest.Sam, "Karim")
		// And once more: the account goes on under its third key.
		const third = "KEY-canary-third-5e1d"
		waiting(h, apptest.Karim)
		h.Service.RotateKey(renewedKey, third)
		h.Service.HoldOrders(false)
		h.SeeAny(apptest.Sam, "no longer accepts your key")
		h.Say(apptest.Sam, "/key "+third)
		h.Tap(apptest.Sam, "Same account")
		h.SeeAny(apptest.Sam, "Everything goes on under the new key")
		h.Pass(time.Minute)
		if n := len(h.Codes(apptest.Karim)); n != 2 {
			t.Errorf("%d codes have come:\n%s", n, h.Transcript(apptest.Karim))
		}
	})
}

// TestNewKeyIsOfTheAccountWhoseKeyIsRefused: somebody has two accounts that have bought, and was told that the key of the one that is not active is
// refused. A new key is asked about that one.
func TestNewKeyIsOfTheAccountWhoseKeyIsRefused(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		waiting(h, apptest.Sam)
		h.Service.RotateKey(apptest.LegacyTestKey, renewedKey)
		h.Service.HoldOrders(false)
		h.Say(apptest.Sam, "/key "+apptest.TestKey)
		h.Tap(apptest.Sam, "➕ Keep both")
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "no longer accepts your key")
		h.Say(apptest.Sam, "/key "+renewedKey)
		h.See(apptest.Sam, "Replace the key of Account …")
		h.Tap(apptest.Sam, "Same account")
		h.Delivered(apptest.Sam)
	})
}

// TestLegacyKeyBesideANewShop: where the service names no users, nobody is told that a key is of another account, however little
// there is that could be carried over.
func TestLegacyKeyBesideANewShop(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Legacy}), func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		h.Service.RotateKey(apptest.LegacyTestKey, renewedKey)
		h.Say(apptest.Sam, "/key "+renewedKey)
		asked := apptest.Plain(h.See(apptest.Sam, "Replace the key of").Text)
		if strings.Contains(asked, "another account") {
			t.Errorf("it says %s", asked)
		}
		h.Tap(apptest.Sam, "Replace the old one")
		h.See(apptest.Sam, "Linked")
	})
}

// TestKeyOfAShopThatWasLeft: a key of a shop that has books and a team of its own is no new key of another account that its owner has: nobody is moved
// into it, whatever cannot be told of that one.
func TestKeyOfAShopThatWasLeft(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "5 USD", "1")
		h.Delivered(apptest.Sam)
		h.Say(apptest.Sam, "/key "+apptest.LegacyTestKey)
		h.Tap(apptest.Sam, "➕ Keep both")
		h.SeeAny(apptest.Sam, "stays linked")
		h.Pass(10 * time.Second)
		h.Buy(apptest.Sam, "Play Card", "5 USD", "1")
		h.Delivered(apptest.Sam)
		switchTo(h, ownShop)
		h.Say(apptest.Sam, "/key remove")
		h.SeeAny(apptest.Sam, "is unlinked")
		h.Say(apptest.Sam, "/key "+apptest.TestKey)
		asked := h.See(apptest.Sam, "Keep both and switch")
		for _, row := range asked.Keyboard {
			for _, k := range row {
				if strings.Contains(k.Text, "Same account") {
					t.Errorf("it offers %q", k.Text)
				}
			}
		}
		h.Tap(apptest.Sam, "➕ Keep both")
		h.See(apptest.Sam, ownShop)
	})
}

// TestQuestionsOfAShopThatWasLeft: what was asked about one shop is no answer about the next, although the person had one at a time.
func TestQuestionsOfAShopThatWasLeft(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-another-0001", Name: "Another", UserID: 4102, Balance: "10"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Sam, "/key remove")
		unlink := h.See(apptest.Sam, "Unlink")
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "Remove")
		remove := h.See(apptest.Sam, "Remove Karim")
		h.Say(apptest.Sam, "/key KEY-of-another-0001")
		h.Tap(apptest.Sam, "Replace the old one")
		h.See(apptest.Sam, "Linked: Another")
		tap := func(asked tgsim.Message) { // as it is by then
			for _, m := range h.Telegram.Messages(apptest.Sam) {
				if m.ID == asked.ID && len(m.Keyboard) > 0 {
					h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, m.Keyboard[0][0].Data)
					h.Pass(2 * time.Second)
				}
			}
		}
		tap(unlink)
		h.Say(apptest.Sam, "/start")
		h.See(apptest.Sam, "Another")
		h.Telegram.Start(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.SeeAny(apptest.Karim, "Another")
		tap(remove)
		tap(remove)
		h.Say(apptest.Sam, "/team")
		if team := apptest.Plain(h.See(apptest.Sam, "Team of Another").Text); !strings.Contains(team, "Karim") {
			t.Errorf("the team is %s", team)
		}
	})
}

// TestDeadInvitation: a link of no invitation is told to be none, also to somebody who has a team of their own.
func TestDeadInvitation(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for _, token := range []string{"garbagegarbagegarbagegarb", "G4njf44oYA1ppWmFdxah2g"} {
			h.Telegram.Start(apptest.Sam, token)
			h.See(apptest.Sam, "no longer valid")
		}
	})
}

// TestCardOfAnotherShop: under a card that names one shop nobody links the group to another one.
func TestCardOfAnotherShop(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Telegram.AddGroup(-700, "Counter", apptest.Sam, apptest.Karim)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "KEY-of-another-0001", Name: "Another", UserID: 4102, Balance: "10"}))
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Karim, "/key KEY-of-another-0001")
		h.See(apptest.Karim, "Linked: Another")
		commandIn(h, apptest.Sam, -700, 0, "/team@shop_bot")
		h.RefusedWith(h.TapIn(apptest.Karim, -700, "Deliver here"), "Only the team")
		h.TapIn(apptest.Sam, -700, "Deliver here")
		if text := h.Texts(-700); strings.Contains(text, "Another") || !strings.Contains(text, "Boutique El Djazair") {
			t.Errorf("the group reads %s", text)
		}
	})
}
