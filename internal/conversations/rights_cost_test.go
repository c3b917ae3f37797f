package conversations_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
)

// costs are what things have cost in the shop of these tests, as it stands in a chat.
func costs() []string { return []string{"1,250.50", "2,501"} }

// tells are words beside which people of a shop with its own prices could tell what things have cost: a balance, and the rule of a price.
func tells() []string { return []string{"Balance: DZD", "Rule: buying price"} }

// seesCost tells which cost was shown in a chat from one of its messages on, or which of some words more.
func seesCost(h *apptest.Harness, chat int64, from int, more ...string) (what []string) {
	h.T.Helper()
	h.Pass(3 * time.Second)
	for _, m := range h.Telegram.Messages(chat)[from:] {
		shown := []string{plainly(m.Text)}
		for _, b := range buttons(m, "") {
			shown = append(shown, plainly(b.Text))
			if b.Copy != nil {
				shown = append(shown, b.Copy.Text)
			}
		}
		for _, cost := range append(costs(), more...) {
			if text := strings.Join(shown, "\n"); m.FromBot && strings.Contains(text, cost) {
				what = append(what, text)
			}
		}
	}
	return what
}

// TestCounterSeesNoCost: whatever a counter of a shop with prices presses and types, and whatever they are told unasked, what
// anything has cost is not in it; until an owner allows it. A shop without prices has nothing to hide.
func TestCounterSeesNoCost(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	everythingNamed(t, func(w *rightsWorld) {
		if len(seesCost(w.Harness, apptest.Lila, 0)) == 0 {
			t.Error("a shop without prices hides what an order has cost")
		}
		setPrices(w.Harness)
		from := 0
		for _, set := range []string{"Show the buying price", "Hide the buying price"} {
			w.Tap(apptest.Sam, "Settings")
			w.Tap(apptest.Sam, set)
			w.Pass(time.Second)
			from = len(w.Telegram.Messages(apptest.Lila))
			w.Say(apptest.Lila, "/orders")
			if shown := seesCost(w.Harness, apptest.Lila, from); (len(shown) > 0) != strings.HasPrefix(set, "Show") {
				t.Errorf("after %q the counter sees %q", set, shown)
			}
			w.Say(apptest.Sam, "/prices")
		}
		buy(w.Harness, apptest.Karim)
		w.Order(apptest.Karim, "Play Card", "10 USD", "1")
		w.Tap(apptest.Karim, "✅")
		w.Pass(time.Second)
		orders := w.Service.Orders()
		w.Must(w.Service.Fail(orders[len(orders)-1].ID, "no luck")) // its copy tells what became of it
		w.Pass(2 * time.Minute)
		w.pressesWithoutCost(pressers()[2], apptest.Lila, from)
	})
}

// pressesWithoutCost has somebody type and press all that they may in a chat: nothing that is shown there behind a message tells what
// something cost, or has some words more.
func (w *rightsWorld) pressesWithoutCost(who presser, chat int64, from int, more ...string) {
	w.T.Helper()
	seen := map[string]bool{} // each is an error once
	fails := func(by string) {
		for _, shown := range seesCost(w.Harness, chat, from, more...) { // at once: the next screen may take its place
			if !seen[shown] {
				w.T.Errorf("by %s of the %s, chat %d is shown\n%s", by, who.name, chat, shown)
			}
			seen[shown] = true
		}
	}
	w.everyCommand(who, chat, true)
	fails("a command")
	all := mayPress()
	for _, verb := range pressedInOrder() {
		if strings.Contains(all[verb].who(chat), who.letter) {
			w.tap(who, chat, verb, false)
			fails(fmt.Sprintf("the button %q", verb))
		}
	}
}

// TestOwnerShowsGroupNoCost: whatever an owner presses and types in the group of a shop with prices, what anything has cost, and what it
// could be told by, is not shown where the others read it. It goes to the owner's own chat: the row that it has in the table says apart.
func TestOwnerShowsGroupNoCost(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	everythingNamed(t, func(w *rightsWorld) {
		setPrices(w.Harness)
		group, own := len(w.Telegram.Messages(shop)), len(w.Telegram.Messages(apptest.Sam))
		w.pressesWithoutCost(pressers()[0], shop, group, tells()...)
		private := strings.Join(seesCost(w.Harness, apptest.Sam, own, tells()...), "\n")
		for _, words := range append(costs()[:1], tells()...) {
			if !strings.Contains(private, words) {
				t.Errorf("nothing of what is kept from the group names %q in the owner's own chat:\n%s", words, private)
			}
		}
	})
}

// TestSellerSeesOwnPrice: whatever a seller of a shop with prices presses and types, and whatever they are told unasked, the shop's own
// price stands where the cost would; until an owner allows it. A shop without prices has nothing to hide.
func TestSellerSeesOwnPrice(t *testing.T) {
	sampletest.Slow(t)
	t.Parallel()
	everythingNamed(t, func(w *rightsWorld) {
		if len(seesCost(w.Harness, apptest.Karim, 0)) == 0 {
			t.Error("in a shop without prices a seller does not see what they pay")
		}
		setPrices(w.Harness)
		from := 0
		for _, set := range []string{"Show the buying price", "Hide the buying price"} {
			w.Tap(apptest.Sam, "Settings")
			w.Tap(apptest.Sam, set)
			w.Pass(time.Second)
			from = len(w.Telegram.Messages(apptest.Karim))
			w.Order(apptest.Karim, "Play Card", "10 USD", "2")
			if shown := seesCost(w.Harness, apptest.Karim, from); (len(shown) > 0) != strings.HasPrefix(set, "Show") {
				t.Errorf("after %q the seller sees %q", set, shown)
			}
			w.Say(apptest.Karim, "/cancel")
			w.Say(apptest.Sam, "/prices")
		}
		before := w.Service.Balance(apptest.TestKey)
		w.Order(apptest.Karim, "Play Card", "10 USD", "1")
		for _, words := range []string{"Own price: DZD 1,380", "pays the buying price"} {
			w.See(apptest.Karim, words)
		}
		if m := w.SeeLast(apptest.Karim, "pays the buying price"); len(buttons(m, "✅ Buy · own price")) != 1 {
			t.Error("the button that buys names another price")
		}
		w.Tap(apptest.Karim, "✅")
		w.Pass(time.Second)
		if paid := before.Sub(w.Service.Balance(apptest.TestKey)); paid.String() != "1250.50" && paid.String() != "1250.5" {
			t.Errorf("the wallet has paid %s", paid)
		}
		orders := w.Service.Orders()
		w.Must(w.Service.Fail(orders[len(orders)-1].ID, "no luck"))
		w.Pass(2 * time.Minute)
		w.Say(apptest.Karim, "/orders")
		w.Say(apptest.Karim, "10 USD x2\n10 USD x1")
		w.pressesWithoutCost(pressers()[1], apptest.Karim, from)
	})
}

// TestGroupShowsNoCost: where others than owners are in the team of a shop with its own prices, deliveries in the group name these, as
// in the seller's own chat, and what was paid is in neither.
func TestGroupShowsNoCost(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		setPrices(h)
		buy(h, apptest.Karim)
		h.Pass(5 * time.Second)
		group := apptest.Plain(h.Texts(shop))
		if !strings.Contains(group, "Play Card") || strings.Contains(group, "1,250.50") {
			t.Errorf("the group reads:\n%s", group)
		}
		for who, text := range map[string]string{"the group": group, "the seller": apptest.Plain(h.Texts(apptest.Karim))} {
			if !strings.Contains(text, "Own price: DZD 1,380") {
				t.Errorf("%s does not see the shop's price:\n%s", who, text)
			}
		}
	})
}

// TestLeavingShowsNoCost: a seller who was not to see what things cost does not see it by leaving the team, or by being taken out of it.
func TestLeavingShowsNoCost(t *testing.T) {
	t.Parallel()
	for _, removed := range []bool{false, true} {
		inPricedTeam(t, "Seller", func(h *apptest.Harness) {
			buy(h, apptest.Karim)
			if removed {
				h.Say(apptest.Sam, "/team")
				h.Tap(apptest.Sam, "Karim")
				h.Tap(apptest.Sam, "Remove")
				h.Tap(apptest.Sam, "Yes, remove")
			} else {
				leaveTeam(h, apptest.Karim)
			}
			h.Pass(time.Second)
			from := len(h.Telegram.Messages(apptest.Karim))
			h.Say(apptest.Karim, "/orders")
			if !removed {
				h.SeeLast(apptest.Karim, "Play Card")
				h.Tap(apptest.Karim, "1")
				h.Tap(apptest.Karim, "📋 For support")
				h.Say(apptest.Karim, "/orders card")
			}
			if shown := seesCost(h, apptest.Karim, from); len(shown) > 0 {
				t.Errorf("removed %t: who has left sees %q\n%s", removed, shown, h.Transcript(apptest.Karim))
			}
		})
	}
}

// TestOrdersOfTwoShops: in one list of what somebody bought for two shops, and in each order of it, each shop's prices stand beside its own, and
// beside no other's.
func TestOrdersOfTwoShops(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		percent     string // that the other shop adds; none where it hides nothing
		want, wrong string // beside 25 USD
	}{
		"both have prices": {"20%", "DZD 3,720", "3,100"},
		"one hides none":   {"", "DZD 3,100", "🏷"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTwoShops(t, tc.percent, func(h *apptest.Harness) {
				h.Say(apptest.Karim, "/orders")
				h.Pass(2 * time.Second)
				h.SeeLast(apptest.Karim, "🏷 DZD 1,380")
				for line := range strings.SplitSeq(plainly(h.SeeLast(apptest.Karim, "10 USD").Text), "\n") {
					if strings.Contains(line, "25 USD") && (!strings.Contains(line, tc.want) || strings.Contains(line, tc.wrong)) {
						t.Errorf("the order of the other shop reads: %s", line)
					}
				}
				for _, shop := range []string{"🏪 " + otherShop, "🏪 Boutique El Djazair"} {
					h.SeeLast(apptest.Karim, shop)
				}
				h.Tap(apptest.Karim, "2")
				h.Pass(2 * time.Second)
				if !strings.Contains(plainly(h.SeeLast(apptest.Karim, "25 USD").Text), otherShop) {
					t.Error("the opened order does not say whose it is")
				}
				if n := len(buttons(h.SeeLast(apptest.Karim, "25 USD"), "Given to the customer")); n != 0 {
					t.Error("who has left is offered to write into the shop's record")
				}
				if text := plainly(h.SeeLast(apptest.Karim, "25 USD").Text); strings.Contains(text, "DZD") && !strings.Contains(text, tc.want) || strings.Contains(text, tc.wrong) {
					t.Errorf("opened, it reads:\n%s", text)
				}
			})
		})
	}
}

// TestHomeIsOfOneShop: the home screen counts what was bought for the shop at hand, and nothing of another one, nor what that cost.
func TestHomeIsOfOneShop(t *testing.T) {
	t.Parallel()
	inTwoShops(t, "20%", func(h *apptest.Harness) {
		h.Say(apptest.Karim, "/start")
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Karim, "Purchases today: 1")
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "Settings")
		h.Tap(apptest.Sam, "Show the buying price")
		h.Pass(2 * time.Second)
		h.Say(apptest.Karim, "/start")
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Karim, "Purchases today: 1 · paid DZD 1,250.50")
	})
}

// TestAgainForAnotherShop: what was bought for a shop that somebody has left is not put together again for the one at hand: they choose how
// many, and are told that another account pays.
func TestAgainForAnotherShop(t *testing.T) {
	t.Parallel()
	inTwoShops(t, "20%", func(h *apptest.Harness) {
		from := len(h.Telegram.Messages(apptest.Karim))
		for _, m := range h.Telegram.Messages(apptest.Karim) {
			if again := buttons(m, "Buy again"); strings.Contains(apptest.Plain(m.Text), "25 USD") && len(again) > 0 {
				query := h.Telegram.Tap(apptest.Karim, apptest.Karim, m.ID, again[0].Data)
				h.Pass(2 * time.Second)
				if said := h.Answer(query); !strings.Contains(apptest.Plain(said.Text), "another account") {
					t.Errorf("nothing says that another account pays: %q", said.Text)
				}
			}
		}
		if len(h.Telegram.Messages(apptest.Karim)) == from {
			t.Fatal("nothing comes of the button")
		}
		h.SeeLast(apptest.Karim, "How many")
		if n := len(buttons(h.SeeLast(apptest.Karim, "25 USD"), "✅")); n != 0 {
			t.Error("it is put together again for the other shop")
		}
	})
}

// TestStaleNamesNoOtherShop: a button that does nothing any more under what was bought for a shop that one has left leads to the shop at hand, under
// its own name.
func TestStaleNamesNoOtherShop(t *testing.T) {
	t.Parallel()
	inTwoShops(t, "20%", func(h *apptest.Harness) {
		var old []tgsim.Message
		for _, m := range h.Telegram.Messages(apptest.Karim) {
			if strings.Contains(apptest.Plain(m.Text), "25 USD") && len(buttons(m, "Kridi")) > 0 {
				old = append(old, m)
			}
		}
		from := len(h.Telegram.Messages(apptest.Karim))
		for _, key := range []string{"Kridi", "Receipt"} {
			h.Telegram.Tap(apptest.Karim, apptest.Karim, old[0].ID, buttons(old[0], key)[0].Data)
			h.Pass(2 * time.Second)
		}
		for _, m := range h.Telegram.Messages(apptest.Karim)[from:] {
			if text := plainly(m.Text); strings.Contains(text, "Purchases today") && strings.Contains(text, otherShop) {
				t.Errorf("the home of one shop stands under the name of another:\n%s", text)
			}
		}
		if len(h.Telegram.Messages(apptest.Karim)) == from {
			t.Error("nothing comes of a button that does nothing any more")
		}
	})
}

// TestReferencesOfAnotherShop: a reference opens what somebody has bought for a shop that they have left, as the bot shows it and without its
// sign, whether they sell in another shop, have an account of their own, or none. One that is mistyped is not found.
func TestReferencesOfAnotherShop(t *testing.T) {
	t.Parallel()
	inTwoShops(t, "20%", func(h *apptest.Harness) {
		ref := ""
		for _, m := range h.Telegram.Messages(apptest.Karim) {
			if found := regexp.MustCompile(`#([0-9A-Z]{5})`).FindStringSubmatch(apptest.Plain(m.Text)); ref == "" && found != nil {
				ref = found[1]
			}
		}
		opens := func(state string) {
			for _, typed := range []string{"#" + ref, ref, strings.ToLower(ref)} {
				if typed[0] != '#' && !strings.ContainsAny(ref, "0123456789") {
					continue // it may be a name
				}
				from := len(h.Telegram.Messages(apptest.Karim))
				h.Say(apptest.Karim, typed)
				h.Pass(2 * time.Second)
				if all := h.Telegram.Messages(apptest.Karim)[from:]; len(all) < 2 || !strings.Contains(apptest.Plain(all[1].Text), "25 USD") {
					t.Errorf("%s: %q opens nothing\n%s", state, typed, h.Transcript(apptest.Karim))
				}
			}
		}
		opens("in another shop")
		leaveTeam(h, apptest.Karim)
		h.Pass(2 * time.Second)
		opens("in none")
		h.Say(apptest.Karim, "#ZZZZ1")
		h.Pass(2 * time.Second)
		h.SeeLast(apptest.Karim, "No order with #ZZZZ1 was found")
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: "rk_live_karims_own_key_0123456789", Name: "Karim", UserID: 4103, Balance: "9000"}))
		h.Say(apptest.Karim, "/key rk_live_karims_own_key_0123456789")
		h.Pass(2 * time.Second)
		opens("with an account of their own")
	})
}

// TestCustomerOfAnotherShop: what somebody has topped up for a player while they sold for another shop is no order of the one at hand's customer who
// plays so, and its cost is not shown there.
func TestCustomerOfAnotherShop(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		heroes(h)
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "90000"}))
	}, func(h *apptest.Harness) {
		joinPricedShop(h, "20%")
		h.Say(apptest.Karim, "battle 60 51234567 x2")
		h.Tap(apptest.Karim, "✅")
		h.Pass(time.Minute)
		leaveTeam(h, apptest.Karim)
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "Seller"))
		h.Pass(15 * time.Minute)
		h.Say(apptest.Karim, "battle 60 51234567")
		h.Tap(apptest.Karim, "✅")
		h.SeeAny(apptest.Karim, "Topped up")
		h.Pass(20 * time.Second)
		for _, m := range h.Telegram.Messages(apptest.Karim) {
			if b := buttons(m, "👤"); strings.Contains(apptest.Plain(m.Text), "Topped up") && len(b) > 0 {
				h.Telegram.Tap(apptest.Karim, apptest.Karim, m.ID, b[0].Data)
			}
		}
		h.Pass(3 * time.Second)
		h.Say(apptest.Karim, "Ali")
		h.Pass(3 * time.Second)
		h.Say(apptest.Karim, "/orders ali")
		h.Pass(3 * time.Second)
		if text := plainly(h.SeeLast(apptest.Karim, "60 coins").Text); !strings.Contains(text, "60 coins × 1") || strings.Contains(text, "60 coins × 2") {
			t.Errorf("the customer's orders read:\n%s", text)
		}
	})
}

// inTwoShops plays with Karim, who has bought 25 USD for Yasmine's shop, has left it, and has bought 10 USD for Sam's, which asks ten per
// cent more than it pays. percent is what Yasmine's shop adds; empty where it has no prices.
func inTwoShops(t *testing.T, percent string, play func(*apptest.Harness)) {
	t.Helper()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: otherKey, Name: otherShop, UserID: 4102, Balance: "90000"}))
	}, func(h *apptest.Harness) {
		joinPricedShop(h, percent)
		h.Buy(apptest.Karim, "Play Card", "25 USD", "1")
		h.Pass(time.Minute)
		leaveTeam(h, apptest.Karim)
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "Seller"))
		setPrices(h)
		h.Buy(apptest.Karim, "Play Card", "10 USD", "1")
		h.Pass(time.Minute)
		play(h)
	})
}

// joinPricedShop has Karim join the shop of Yasmine, which adds some per cent to what it pays; empty for a shop without prices.
func joinPricedShop(h *apptest.Harness, percent string) {
	h.T.Helper()
	chooseLanguage(h, apptest.Yasmine, "en")
	h.Say(apptest.Yasmine, "/key "+otherKey)
	h.Pass(2 * time.Second)
	h.Telegram.Start(apptest.Karim, h.Invite(apptest.Yasmine, "Seller"))
	h.Pass(2 * time.Second)
	if percent == "" {
		return
	}
	h.Say(apptest.Yasmine, "/prices")
	h.Tap(apptest.Yasmine, "Percent")
	h.Tap(apptest.Yasmine, percent)
	h.Tap(apptest.Yasmine, "DZD\u00a010")
}

// TestLeavingShowsNoWallet: a seller who has left reads what they bought as a seller does, and nothing of the wallet of those who stay.
func TestLeavingShowsNoWallet(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		id := apptest.PurchaseID(t, h.See(apptest.Karim, "10 USD"))
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.Tap(apptest.Karim, "✅")
		h.Pass(2 * time.Hour)
		h.SeeAny(apptest.Karim, "The owner is to decide")
		leaveTeam(h, apptest.Karim)
		h.Pass(time.Second)
		from := len(h.Telegram.Messages(apptest.Karim))
		h.Say(apptest.Karim, "/orders")
		h.Tap(apptest.Karim, "1")
		h.Pass(time.Second)
		h.SeeLast(apptest.Karim, "Play Card")
		shown := h.Telegram.Messages(apptest.Karim)
		h.Telegram.Tap(apptest.Karim, apptest.Karim, shown[len(shown)-1].ID, apptest.Forged(screen.VerbWhy, id))
		h.Pass(time.Second)
		for _, m := range h.Telegram.Messages(apptest.Karim)[from:] {
			text := apptest.Plain(m.Text)
			if strings.Contains(text, "💰") || strings.Contains(text, "Balance") || len(buttons(m, "It is there"))+len(buttons(m, "Why")) > 0 {
				h.T.Errorf("who has left reads:\n%s\n%v", text, m.Keyboard)
			}
		}
	})
}

// TestSellersAreNotToldTheMost: a seller who asks for more than the balance pays for is told that it is too low, and not for how many it
// would do: times the price, that is the balance.
func TestSellersAreNotToldTheMost(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		for user, told := range map[int64]bool{apptest.Karim: false, apptest.Sam: true} {
			h.Order(user, "Play Card", "10 USD", "30") // of 50, where 19 can be paid
			h.Pass(2 * time.Second)
			m := h.SeeLast(user, "How many?")
			if shown := strings.Contains(m.Text, "19") || len(buttons(m, "19")) > 0; shown != told {
				h.T.Errorf("%d is told the most that can be paid: %v\n%s", user, shown, h.Transcript(user))
			}
		}
	})
}
