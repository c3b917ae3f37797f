package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/screen"
)

// unlinks has Sam, the only owner, unlink the account.
func unlinks(h *apptest.Harness) {
	h.T.Helper()
	h.Say(apptest.Sam, "/key remove")
	h.Tap(apptest.Sam, "Yes, unlink")
	h.Pass(5 * time.Second)
}

// TestUnlinkingShowsNoCost: a seller who is not to see what things cost, nor the wallet, does not see it by the owner's unlinking the
// account: under what is still to come, under what fails then, under a summary, or under a list.
func TestUnlinkingShowsNoCost(t *testing.T) {
	t.Parallel()
	for name, asks := range map[string]func(h *apptest.Harness){
		"delivered": func(h *apptest.Harness) {
			held := slowThing(h)
			unlinks(h)
			h.Must(h.Service.Fulfil(held, "CODE-BY-HAND", ""))
		},
		"failed": func(h *apptest.Harness) {
			held := slowThing(h)
			unlinks(h)
			h.Must(h.Service.Fail(held, "no"))
		},
		"a summary": func(h *apptest.Harness) {
			h.Order(apptest.Karim, "Slow Thing", "1 card", "1")
			unlinks(h)
		},
		"a list": func(h *apptest.Harness) {
			h.Say(apptest.Karim, "slow thing 1 card x1\nslow thing 1 card x2")
			h.Tap(apptest.Karim, "✅")
			unlinks(h)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inPricedTeam(t, "➕ Seller", func(h *apptest.Harness) {
				sellSlowThing(h)
				h.Pass(2 * time.Minute)
				asks(h)
				h.Pass(20 * time.Minute)
				for _, secret := range []string{"3,300", "6,600", "9,900", "Balance"} {
					if strings.Contains(h.Texts(apptest.Karim), secret) {
						h.T.Errorf("a seller reads %q:\n%s", secret, h.Transcript(apptest.Karim))
					}
				}
			})
		})
	}
}

// leaveTeam has somebody leave their team, who is asked whether they mean it.
func leaveTeam(h *apptest.Harness, who int64) {
	h.T.Helper()
	h.Say(who, "/key remove")
	h.Tap(who, "Yes, leave")
}

// sellSlowThing has the service sell what is delivered by hand.
func sellSlowThing(h *apptest.Harness) {
	h.Service.AddProduct(sim.ProductSpec{ID: 77, Name: "Slow Thing", Type: "manual", Variants: []sim.VariantSpec{{ID: 7701, Name: "1 card", Price: "3300", InStock: 20}}})
}

// slowThing has Karim buy what is delivered by hand, and names its order.
func slowThing(h *apptest.Harness) (order string) {
	h.T.Helper()
	h.Order(apptest.Karim, "Slow Thing", "1 card", "1")
	h.Tap(apptest.Karim, "✅")
	h.Pass(10 * time.Second)
	all := h.Service.Orders()
	return all[len(all)-1].ID
}

// TestWhoUnlinkedDecides: what a seller bought is uncertain when the owner unlinks the account. The owner is asked, and decides; the seller
// reads neither what the wallet holds nor what the service lists.
func TestWhoUnlinkedDecides(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.Tap(apptest.Karim, "✅")
		h.Pass(30 * time.Second)
		unlinks(h)
		h.Pass(2 * time.Hour)
		h.SeeAny(apptest.Karim, "The owner is to decide")
		if h.Has(apptest.Karim, "It is there") || strings.Contains(h.Texts(apptest.Karim), "Balance") {
			h.T.Fatalf("a seller decides:\n%s", h.Transcript(apptest.Karim))
		}
		h.SeeAny(apptest.Sam, "Your decision is needed")
		h.Tap(apptest.Sam, "It is not there")
		h.Pass(10 * time.Second)
		h.SeeAny(apptest.Sam, "You said that it was not bought")
		h.SeeAny(apptest.Karim, "The owner said that it was not bought")
	})
}

// TestWhoUnlinkedPicks: whoever has unlinked the account since finds the order of an uncertain purchase in the service's list, and its code
// comes to the seller who bought it.
func TestWhoUnlinkedPicks(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Must(h.Service.SetMode(apptest.TestKey, sim.Both))
		own, _ := lost(h, apptest.Karim)
		unlinks(h)
		h.TapUnder("Your decision is needed", "🔎 Why?")
		h.Pass(5 * time.Second)
		h.SeeLast(apptest.Sam, "More orders fit than were bought")
		h.Tap(apptest.Sam, "It is there")
		h.Pass(5 * time.Second)
		h.Tap(apptest.Sam, numberOf(own))
		h.Pass(time.Minute)
		h.SeeLast(apptest.Sam, "Decided")
		if codes := h.Codes(apptest.Karim); len(codes) != 1 {
			h.T.Errorf("the codes are %v:\n%s\n%s", codes, h.Transcript(apptest.Sam), h.Transcript(apptest.Karim))
		}
	})
}

// TestWhoTookTheAccountOverIsNamed: an owner who links an account again reads who has become an owner of it meanwhile, as somebody they
// had removed.
func TestWhoTookTheAccountOverIsNamed(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/team")
		h.Tap(apptest.Sam, "Karim")
		h.Tap(apptest.Sam, "🚪 Remove")
		h.Tap(apptest.Sam, "🚪 Yes")
		h.Pass(5 * time.Second)
		unlinks(h)
		h.Link(apptest.Karim)
		h.Link(apptest.Sam)
		h.SeeLast(apptest.Sam, "Karim is an owner here too")
		h.Tap(apptest.Sam, "👥 Team")
		h.SeeLast(apptest.Sam, "Karim")
	})
}

// inUnlinkedShop has Karim buy in the group of a shop whose account is unlinked then: whoever is in it by then may be a stranger to the shop.
func inUnlinkedShop(t *testing.T, test func(*apptest.Harness)) {
	t.Helper()
	inShop(t, func(h *apptest.Harness) {
		commandIn(h, apptest.Karim, shop, 0, "/buy@shop_bot play")
		h.TapIn(apptest.Karim, shop, "10 USD")
		h.TapIn(apptest.Karim, shop, "1")
		h.TapIn(apptest.Karim, shop, "✅")
		h.Pass(time.Minute)
		unlinks(h)
		test(h)
	})
}

// TestGroupOfAnUnlinkedAccountListsNothing to a stranger of what was bought there.
func TestGroupOfAnUnlinkedAccountListsNothing(t *testing.T) {
	t.Parallel()
	inUnlinkedShop(t, func(h *apptest.Harness) {
		from := len(h.Telegram.Messages(shop))
		for _, command := range []string{"/orders", "/orders play"} {
			commandIn(h, apptest.Eve, shop, 0, command)
			h.See(shop, "No account is linked")
		}
		for _, m := range h.Telegram.Messages(shop)[from:] {
			if strings.Contains(m.Text, "Play Card") {
				h.T.Errorf("a stranger reads what was bought: %s", m.Text)
			}
		}
	})
}

// TestBoughtInAGroupOfNobody: whoever has bought something in a group that is of no account any more finds it there, and nobody else comes
// to its code.
func TestBoughtInAGroupOfNobody(t *testing.T) {
	t.Parallel()
	inUnlinkedShop(t, func(h *apptest.Harness) {
		commandIn(h, apptest.Karim, shop, 0, "/orders")
		h.TapIn(apptest.Karim, shop, "1")
		code := h.Service.Orders()[0].Code
		for who, may := range map[int64]bool{apptest.Eve: false, apptest.Karim: true} {
			if answer := h.TapIn(who, shop, "Show me"); strings.Contains(answer.Text, code) != may {
				h.T.Errorf("%d is answered %q", who, answer.Text)
			}
		}
		commandIn(h, apptest.Karim, shop, 0, "/orders")
		h.TapIn(apptest.Karim, shop, "Problems")
		h.SeeAny(shop, "No problems") // and not that no account is linked: what they bought is there
	})
}

// TestCostsInAGroupOfNobody: an owner who opens in the shop's group what they bought there, once its account is unlinked, does not show the
// group what it has cost.
func TestCostsInAGroupOfNobody(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		setPrices(h)
		commandIn(h, apptest.Sam, shop, 0, "/buy@shop_bot play")
		h.TapIn(apptest.Sam, shop, "10 USD")
		h.TapIn(apptest.Sam, shop, "1")
		h.TapIn(apptest.Sam, shop, "✅")
		h.Pass(time.Minute)
		unlinks(h)
		from := len(h.Telegram.Messages(shop))
		commandIn(h, apptest.Sam, shop, 0, "/orders")
		h.TapIn(apptest.Sam, shop, "1")
		h.Pass(time.Second)
		h.SeeLast(shop, "Play Card")
		if shown := seesCost(h, shop, from); len(shown) > 0 {
			t.Errorf("the group reads %q:\n%s", shown, h.Transcript(shop))
		}
	})
}

// TestGroupOfWhoHasLeft: whoever has left the team, and is in its group, opens nothing there of what they bought: that is theirs in private.
func TestGroupOfWhoHasLeft(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		commandIn(h, apptest.Karim, shop, 0, "/buy@shop_bot play")
		h.TapIn(apptest.Karim, shop, "10 USD")
		h.TapIn(apptest.Karim, shop, "1")
		id := apptest.PurchaseID(t, h.See(shop, "Check before buying"))
		h.TapIn(apptest.Karim, shop, "✅")
		h.Pass(time.Minute)
		leaveTeam(h, apptest.Karim)
		shown := h.Telegram.Messages(shop)
		h.Telegram.Tap(apptest.Karim, shop, shown[len(shown)-1].ID, apptest.Forged(screen.VerbOrder, id))
		h.Pass(time.Minute)
		for _, m := range h.Telegram.Messages(shop)[len(shown):] {
			if strings.Contains(m.Text, "Play Card") {
				t.Errorf("who has left opens in the group:\n%s", m.Text)
			}
		}
	})
}

// TestUnlinkedOwnerSeesNoOther: whoever has unlinked an account is shown what they are asked about, and nothing else that its team has bought.
func TestUnlinkedOwnerSeesNoOther(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Order(apptest.Karim, "Play Card", "10 USD", "1")
		id := apptest.PurchaseID(t, h.See(apptest.Karim, "10 USD"))
		h.Tap(apptest.Karim, "✅")
		h.Pass(time.Minute)
		unlinks(h)
		shown := h.Telegram.Messages(apptest.Sam)
		from := len(shown)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, shown[from-1].ID, apptest.Forged(screen.VerbOrder, id))
		h.Pass(5 * time.Second)
		for _, m := range h.Telegram.Messages(apptest.Sam)[from-1:] {
			if strings.Contains(m.Text, "Play Card") {
				t.Errorf("who has unlinked the account reads of what a seller bought: %s", m.Text)
			}
		}
	})
}
