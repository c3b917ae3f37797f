package main

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
)

const renewedKey = "KEY-canary-renewed-77aa"

// count is how many messages of a chat hold the words.
func (h *house) count(chat int64, words string) int {
	return strings.Count(h.texts(chat), words)
}

// sleep lets time pass with the bot stopped, which is quicker.
func (h *house) sleep(d time.Duration) {
	h.t.Helper()
	h.stop()
	h.pass(d)
	h.start()
}

// waiting buys one card whose code the service holds back.
func (h *house) waiting(user int64) {
	h.t.Helper()
	h.service.HoldOrders(true)
	h.order(user, "Play Card", "10 USD", "1")
	h.tap(user, "✅")
	h.seeAny(user, "on their way")
}

// TestKeyLinkedAgainBuys: unlinked, linked again and bought with, however long that took: nothing of before is in
// the way.
func TestKeyLinkedAgainBuys(t *testing.T) {
	t.Parallel()
	for _, away := range []time.Duration{time.Second, time.Hour, 3 * time.Hour} {
		t.Run(away.String(), func(t *testing.T) {
			inHouse(t, stock, func(h *house) {
				h.link(sam)
				for round := 1; round <= 3; round++ {
					h.order(sam, "Play Card", "10 USD", "1")
					h.tap(sam, "✅")
					h.delivered(sam)
					h.bought(round)
					h.say(sam, "/key remove")
					h.see(sam, "unlinked")
					h.pass(away)
					h.link(sam)
				}
			})
		})
	}
}

// TestRefusedKeyIsTold: a key that is not taken while a paid code waits is told to the owners within a minute of its
// first refusal, once until it works again.
func TestRefusedKeyIsTold(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		const words = "no longer takes your key"
		h.waiting(karim)
		h.pass(time.Minute)
		for round := 1; round <= 2; round++ {
			h.service.SetExpiry(testKey, time.Now())
			h.pass(2 * time.Minute) // a look a minute, and one more to be sure
			if n := h.count(sam, words); n != round {
				t.Errorf("the owner was told %d times, want %d:\n%s", n, round, h.texts(sam))
			}
			h.pass(time.Hour)
			h.stop()
			h.start()
			h.pass(time.Hour)
			if n, others := h.count(sam, words), h.count(karim, words); n != round || others != 0 {
				t.Errorf("the owner was told %d times, the seller %d times", n, others)
			}
			h.service.SetExpiry(testKey, time.Time{})
			h.pass(10 * time.Minute)
		}
		h.tap(sam, "Link my API key")
		h.see(sam, "Send your API key")
		h.service.HoldOrders(false)
		h.delivered(karim)
	})
}

// TestRefusedKeyNobodyOwns: where the account was unlinked, its last owner is told.
func TestRefusedKeyNobodyOwns(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.waiting(karim)
		h.unlink("ends the team of 3")
		h.service.RotateKey(testKey, renewedKey)
		h.pass(5 * time.Minute)
		if n := h.count(sam, "no longer takes your key"); n != 1 {
			t.Errorf("the last owner was told %d times", n)
		}
		h.say(sam, "/key "+renewedKey)
		h.see(sam, "Your team is back: 2 people")
		h.service.HoldOrders(false)
		h.delivered(karim)
	})
}

// TestRenewedKeyIsUsedAtOnce: what a key could not see is looked at as soon as one is linked that can.
func TestRenewedKeyIsUsedAtOnce(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.waiting(sam)
		h.service.RotateKey(testKey, renewedKey)
		h.pass(20 * time.Minute)
		h.seeAny(sam, "no longer takes your key")
		h.service.HoldOrders(false)
		h.pass(time.Second) // in the middle of a rest
		h.say(sam, "/key "+renewedKey)
		h.see(sam, "")
		h.pass(3 * time.Second)
		for _, o := range h.service.Orders() {
			if o.Code == "" || len(h.codes(sam)) != 1 {
				t.Errorf("the code is not there seconds after the new key:\n%s", h.transcript(sam))
			}
		}
	})
}

// legacyShop is a service of the older interface alone, which names no users.
func legacyShop(h *house) {
	h.service = sim.New(sim.Options{Seed: 7, Mode: sim.Legacy})
	people(h)
	h.must(h.service.AddAccount(sim.AccountSpec{Key: testKey, Name: "Boutique El Djazair", UserID: 4101, Balance: "25000"}))
	h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-of-another-0001", Name: "Another", UserID: 4102, Balance: "9000"}))
	h.env["RESELLER_API_GENERATION"] = "legacy"
}

// linkOld links the key of the older interface, which tells no name.
func (h *house) linkOld(user int64) {
	h.t.Helper()
	h.say(user, "/start")
	h.say(user, "/key "+testKey)
	h.see(user, "25,000")
}

// oldTeam plays with a team of the older interface, a delivered order, and one that waits.
func oldTeam(t *testing.T, play func(*house)) {
	t.Helper()
	inHouse(t, legacyShop, func(h *house) {
		h.linkOld(sam)
		h.telegram.Start(karim, h.invite(sam, "➕ Seller"))
		h.pass(time.Second)
		h.see(karim, "Welcome")
		h.limit("Per purchase", "5000")
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.waiting(karim)
		h.pass(6 * time.Minute) // the wallet is read
		play(h)
	})
}

// TestRotatedLegacyKey: the older interface names nobody, so a new key of the same account is known by its orders and
// its wallet. One button, and everything goes on.
func TestRotatedLegacyKey(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]bool{"replaced": false, "unlinked before": true} {
		t.Run(name, func(t *testing.T) {
			oldTeam(t, func(h *house) {
				h.service.RotateKey(testKey, renewedKey)
				if away {
					h.unlink("ends the team of 2")
				}
				h.say(sam, "/key "+renewedKey)
				asked := h.see(sam, "looks like a new key of the same account")
				if text := plain(asked.Text); strings.Contains(text, "team of 2") == away || !strings.Contains(text, "1 purchase is still on its way") {
					t.Errorf("it asks %s", text)
				}
				for _, row := range asked.Keyboard {
					for _, b := range row {
						if strings.HasPrefix(b.Text, "✅") {
							t.Errorf("a button that spends nothing is %q", b.Text)
						}
					}
				}
				h.tap(sam, "Same account: go on")
				h.see(sam, "goes on under the new key")
				h.service.HoldOrders(false)
				h.pass(70 * time.Second) // a look a minute
				if len(h.codes(karim)) != 1 {
					t.Errorf("the code that waited is not there:\n%s", h.transcript(karim))
				}
				h.say(sam, "/team")
				h.tap(sam, "Karim")
				h.see(sam, "5,000")
				h.order(karim, "Play Card", "10 USD", "1")
				h.tap(karim, "✅")
				h.pass(10 * time.Second)
				if len(h.codes(karim)) != 2 {
					t.Errorf("the team cannot buy:\n%s", h.transcript(karim))
				}
				h.telegram.Send(yasmine, yasmine, "/key "+renewedKey) // whoever else links it joins the same account
				h.pass(2 * time.Second)
				h.say(sam, "/team")
				h.see(sam, "Yasmine")
			})
		})
	}
}

// TestAnotherLegacyKey: what looks like another account is said to, with what becomes of the open purchases, and the
// owner decides.
func TestAnotherLegacyKey(t *testing.T) {
	t.Parallel()
	oldTeam(t, func(h *house) {
		h.say(sam, "/key KEY-of-another-0001")
		asked := plain(h.see(sam, "cannot tell whether it is the same account").Text)
		for _, words := range []string{"Found under the new key: 0", "9,000", "ends the team of 2", "followed with the old key"} {
			if !strings.Contains(asked, words) {
				t.Errorf("it does not say %q: %s", words, asked)
			}
		}
		if len(h.service.Orders()) != 2 || h.count(karim, "team is over") != 0 {
			t.Error("something was changed before the answer")
		}
		h.tap(sam, "Another account")
		h.see(sam, "9,000")
		h.seeAny(karim, "its team is over")
		h.service.HoldOrders(false)
		h.delivered2(karim, sam)
	})
}

// delivered2 waits until the codes of all orders are shown in either chat.
func (h *house) delivered2(one, other int64) {
	h.t.Helper()
	h.wait(one, "all codes", func([]tgsim.Message) (tgsim.Message, bool) {
		shown := strings.Join(append(h.codes(one), h.codes(other)...), "\n")
		for _, o := range h.service.Orders() {
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
	inHouse(t, func(h *house) {
		people(h)
		h.telegram.AddGroup(-700, "Counter", sam, karim)
		h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-of-another-0001", Name: "Another", UserID: 4102, Balance: "10"}))
		h.must(h.service.AddAccount(sim.AccountSpec{Key: "KEY-of-lila-000001", Name: "Hers", UserID: 4103, Balance: "10"}))
	}, func(h *house) {
		h.link(sam)
		h.join(karim, h.invite(sam, "➕ Seller"))
		h.join(lila, h.invite(sam, "➕ Counter"))
		h.limit("Per purchase", "5000")
		h.commandIn(sam, -700, 0, "/team@shop_bot")
		h.tapIn(sam, -700, "here")
		h.see(-700, "eliveries")

		h.say(sam, "/key KEY-of-another-0001")
		asked := h.see(sam, "Replace the key of Boutique El Djazair")
		if text := plain(asked.Text); !strings.Contains(text, "team of 3") || !strings.Contains(text, "Counter") {
			t.Errorf("it asks %s", text)
		}
		h.tap(sam, "Cancel")
		h.telegram.Tap(sam, sam, asked.ID, asked.Keyboard[0][0].Data) // of a question that is over
		h.pass(2 * time.Second)
		h.say(karim, "/start")
		h.see(karim, "Boutique El Djazair")

		h.say(sam, "/key KEY-of-another-0001")
		h.see(sam, "Replace the key")
		h.service.ExpireKey("KEY-of-another-0001")
		h.tap(sam, "Yes, link the new key")
		h.see(sam, "was not linked")
		h.service.SetExpiry("KEY-of-another-0001", time.Time{})
		h.say(sam, "/key KEY-of-another-0001")
		h.tap(sam, "Yes, link the new key")
		h.see(sam, "Linked: Another")
		h.seeAny(karim, "its team is over")

		h.say(lila, "/key KEY-of-lila-000001") // who has an account of her own now keeps it
		h.see(lila, "Linked: Hers")
		h.sleep(29 * 24 * time.Hour)
		h.say(sam, "/key "+testKey)
		h.see(sam, "Your team is back: 1 person")
		h.seeAny(karim, "is linked again")
		h.say(sam, "/team")
		team := plain(h.see(sam, "Team of").Text)
		if !strings.Contains(team, "Karim") || strings.Contains(team, "Lila") || !strings.Contains(team, "Counter") {
			t.Errorf("the team is %s", team)
		}
		h.tap(sam, "Karim")
		h.see(sam, "5,000")
	})
}

// TestRestoredTeam: who was taken out after the copy was made is in it again, so nobody spends until an owner has
// seen who is in it. A lock that was there stays.
func TestRestoredTeam(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.stop()
		h.command("backup", "copy.db")
		h.start()
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Remove")
		h.tap(sam, "Yes, ")
		h.seeAny(karim, "not of the team")
		h.say(sam, "/lock")
		h.stop()
		h.command("restore", "copy.db")
		h.start()
		h.pass(time.Minute)
		shown := h.seeAny(sam, "This is the team of Boutique El Djazair")
		if !strings.Contains(plain(shown.Text), "Karim") {
			t.Errorf("it shows %s", shown.Text)
		}
		h.order(karim, "Play Card", "10 USD", "1")
		h.refusedWith(h.tapIn(karim, karim, "✅"), "confirmed the team")
		h.telegram.Tap(karim, karim, h.see(karim, "").ID, "1:teamok:"+markOf(shown))
		h.pass(time.Second)
		h.say(sam, "/unlock") // is no way around it
		h.see(sam, "This is the team of")
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Remove")
		h.tap(sam, "Yes, ")
		h.telegram.Tap(sam, sam, shown.ID, "1:teamok:"+markOf(shown)) // of a team that is another one now
		h.pass(time.Second)
		h.order(sam, "Play Card", "10 USD", "1")
		h.refusedWith(h.tapIn(sam, sam, "✅"), "confirmed the team")
		h.bought(0)
		h.say(sam, "/unlock")
		h.tap(sam, "The team is right")
		h.see(sam, "unlocked")
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.bought(1)
	})
}

// markOf is what names the team that a message shows.
func markOf(m tgsim.Message) string {
	return strings.TrimPrefix(m.Keyboard[0][0].Data, "1:teamok:")
}

// TestFrozenByAListThatIsNotThere: what cannot be read after a restore is shown to the owner, who decides.
func TestFrozenByAListThatIsNotThere(t *testing.T) {
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
		inHouse(t, everything(sim.Options{Mode: sim.Both}), func(h *house) {
			h.link(sam)
			h.stop()
			h.command("backup", "copy.db")
			h.command("restore", "copy.db")
			h.service.Inject(sim.Fault{Operation: missing.list, Kind: sim.Status, Status: missing.status, Times: 1 << 30})
			h.start()
			h.pass(time.Minute)
			h.tap(sam, "The team is right")
			h.order(sam, "Play Card", "5 USD", "1")
			h.tap(sam, "✅")
			h.seeAny(sam, "told when it may buy again")
			h.happened(0)
			h.pass(15 * time.Minute)
			asked := h.seeAny(sam, "not everything of this account can be read")
			if text := plain(asked.Text); !strings.Contains(text, missing.told+"\n") {
				t.Errorf("%v: it says %s", missing, text)
			}
			h.pass(time.Hour)
			if n := h.count(sam, "not everything of this account"); n != 1 {
				t.Errorf("%v: the owner was asked %d times", missing, n)
			}
			h.tap(sam, "Go on without it")
			h.see(sam, "")
			h.order(sam, "Play Card", "5 USD", "2")
			h.tap(sam, "✅")
			h.pass(time.Minute)
			h.happened(1)
		})
	}
}

// TestKeyOfADismissedBuyer: who has bought was taken out, and then the account was unlinked: the code goes to its
// last owner.
func TestKeyOfADismissedBuyer(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.waiting(karim)
		h.say(sam, "/team")
		h.tap(sam, "Karim")
		h.tap(sam, "Remove")
		h.tap(sam, "Yes, ")
		h.unlink("ends the team of 2")
		h.service.HoldOrders(false)
		h.delivered(sam)
		if len(h.codes(karim)) != 0 {
			t.Error("it went to somebody who was taken out")
		}
		h.inStore(func(s *store.Store) {
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
	inShop(t, func(h *house) {
		h.service.HoldOrders(true)
		h.commandIn(karim, shop, 0, "/buy@shop_bot play")
		h.tapIn(karim, shop, "10 USD")
		h.tapIn(karim, shop, "1")
		h.tapIn(karim, shop, "✅")
		h.pass(5 * time.Second)
		h.unlink("ends the team of 3")
		h.service.HoldOrders(false)
		h.pass(10 * time.Second)
		code := h.service.Orders()[0].Code
		if code == "" || strings.Contains(h.texts(shop), code) {
			t.Fatalf("the group is shown %q:\n%s", code, h.transcript(shop))
		}
		for who, may := range map[int64]bool{eve: false, lila: false, karim: true, sam: true} {
			if answer := h.tapIn(who, shop, "Show me"); strings.Contains(answer.Text, code) != may {
				t.Errorf("%d is answered %q", who, answer.Text)
			}
		}
	})
}
