package conversations_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestBalanceWhileTheServiceIsAway: what the balance was last, and when, is said where it cannot be read now.
func TestBalanceWhileTheServiceIsAway(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string]string{"en": "Last reading: DZD 25,000 available", "fr": "Dernière lecture : 25 000 DA disponibles", "ar": "آخر قراءة: المتاح 25 000 د.ج"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.StockIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Pass(15 * time.Minute) // somebody has read it meanwhile
				h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Status, Status: http.StatusBadGateway, Times: 1000})
				h.Pass(2 * time.Minute)
				h.Say(apptest.Sam, "/balance")
				h.Pass(10 * time.Second)
				h.See(apptest.Sam, words)
				h.Service.ClearFaults()
				h.Pass(time.Minute)
				h.Tap(apptest.Sam, "🔁")
				h.See(apptest.Sam, "👤")
			})
		})
	}
}

// TestKeyInAGroupIsAnsweredAtOnce: whoever sends it, whatever the bot may there, and also where it is no shop's.
func TestKeyInAGroupIsAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	for _, admin := range []bool{false, true} {
		for _, linked := range sampletest.Some(1, []bool{false, true}) {
			t.Run(fmt.Sprintf("administrator %v, linked %v", admin, linked), func(t *testing.T) {
				t.Parallel()
				inTeam(t, func(h *apptest.Harness) {
					h.Telegram.SetLimits(true)
					h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Karim, apptest.Eve)
					if linked {
						h.Telegram.StartGroup(apptest.Sam, shop, "shop")
						h.Pass(5 * time.Second)
					}
					if admin {
						h.Telegram.SetRole(apptest.Sam, shop, h.Telegram.BotID(), tgsim.Administrator)
						h.Pass(5 * time.Second)
					}
					for _, who := range []int64{apptest.Sam, apptest.Karim, apptest.Eve} {
						before := len(ofBot(h, shop))
						h.Telegram.Send(who, shop, "/key KEY-another-77aa-of-somebody")
						h.Pass(4 * time.Second)
						if len(ofBot(h, shop)) != before+1 {
							t.Errorf("%d is not answered within four seconds:\n%s", who, h.Transcript(shop))
						}
						h.Pass(time.Minute)
					}
				})
			})
		}
	}
}

// TestStartInAnUnlinkedGroup: a group in which nothing is linked is told what the bot is for there, and not to send a key.
func TestStartInAnUnlinkedGroup(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string][2]string{
		"en": {"Deliveries can come to this group", "📍"}, "fr": {"Les livraisons peuvent arriver dans ce groupe", "📍"}, "ar": {"يمكن أن يصل التسليم إلى هذه المجموعة", "📍"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.People(h)
				for _, who := range []int64{apptest.Sam, apptest.Eve} {
					h.Telegram.SetLanguage(who, lang)
				}
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Telegram.AddGroup(shop, "Shop & Co", apptest.Sam, apptest.Eve)
				h.Telegram.Send(apptest.Eve, shop, "/start")
				h.Pass(time.Second)
				if m := h.See(shop, words[0]); strings.Contains(keysOf(m), "🔑") {
					t.Errorf("a key is asked for in a group: %s", keysOf(m))
				}
				h.Telegram.Send(apptest.Sam, shop, "/start")
				h.Pass(time.Second)
				if m := h.See(shop, words[0]); !strings.Contains(keysOf(m), words[1]) {
					t.Errorf("the owner is offered %s", keysOf(m))
				}
				h.TapIn(apptest.Sam, shop, "📍")
				h.See(shop, "📍")
				buy(h, apptest.Sam)
				h.See(shop, "🛒")
			})
		})
	}
}

// TestUnknownPlayerWithOwnNames: a player that the service does not know is said not to be found, whatever its words are.
func TestUnknownPlayerWithOwnNames(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.OwnNames(sim.Options{Mode: sim.Both}, true), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for _, way := range [][]string{
			{"Last Circle: Coins", "60 coins", "1", "0999999"}, {"Blazefire", "583 gems", "0999999999"}, {"Hero Crystals", "300 crystals", "1", "054321", "MENA"},
		} {
			h.Say(apptest.Sam, "/topup")
			h.Tap(apptest.Sam, way[0])
			h.Tap(apptest.Sam, way[1])
			for _, answer := range way[2:] {
				h.Say(apptest.Sam, answer)
			}
			h.See(apptest.Sam, "This ID was not found")
		}
	})
}

// TestWhoCameBackIsTold: an owner who is there learns who came back with another one.
func TestWhoCameBackIsTold(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "🔓")
		h.See(apptest.Sam, "unlinked")
		h.Link(apptest.Lila)
		h.Say(apptest.Sam, "/key "+apptest.TestKey)
		h.SeeAny(apptest.Karim, "linked again")
		h.SeeAny(apptest.Lila, "Karim")
	})
}

// TestCategoriesAndDescriptions: what the service puts together is found together, and a long description is opened by a
// button.
func TestCategoriesAndDescriptions(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string][3]string{"en": {"Categories", "Full description", "Category"}, "fr": {"Catégories", "Toute la description", "Catégorie"}, "ar": {"الأقسام", "الوصف الكامل", "قسم"}}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
				for i, name := range []string{"Sky Pass", "Sun Pass", "Moon Card"} {
					h.Service.AddProduct(sim.ProductSpec{
						ID: int64(80 + i), Name: name, CategoryID: int64(14 + i/2), Description: strings.Repeat("Good for a year. ", 40) + "The end.",
						Variants: []sim.VariantSpec{{ID: int64(800 + i), Name: "1 year", Price: "10", InStock: 3}},
					})
				}
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/buy")
				h.Tap(apptest.Sam, words[0])
				if m := h.See(apptest.Sam, words[0]); !strings.Contains(apptest.Plain(keysOf(m)), "Sky Pass · Sun Pass (2)") {
					t.Errorf("the categories are %s", keysOf(m))
				}
				h.Tap(apptest.Sam, "Sky Pass")
				if m := h.See(apptest.Sam, words[2]); strings.Contains(keysOf(m), "Moon Card") || !strings.Contains(keysOf(m), "Sun Pass") {
					t.Errorf("the category is %s", keysOf(m))
				}
				h.Tap(apptest.Sam, "Sun Pass")
				if m := h.See(apptest.Sam, "Good for a year"); strings.Contains(m.Text, "The end.") {
					t.Errorf("the whole description stands above the variants: %s", m.Text)
				}
				h.Tap(apptest.Sam, words[1])
				h.See(apptest.Sam, "The end.")
				h.Tap(apptest.Sam, map[string]string{"en": "⬅️", "fr": "⬅️", "ar": "➡️"}[lang])
				h.See(apptest.Sam, "Sun Pass")
			})
		})
	}
}

// TestOrderMadeElsewhereIsFound: an owner who sends the number of an order that was made outside the bot has it opened.
func TestOrderMadeElsewhereIsFound(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Must(h.Service.AddAccount(sim.AccountSpec{Key: apptest.LegacyTestKey, Name: "Old shop", Mode: sim.Legacy, UserID: 4102, Balance: "25000"}))
	}, func(h *apptest.Harness) {
		h.LinkLegacy(apptest.Sam)
		_, err := h.Service.Buy(apptest.LegacyTestKey, 101, 1, "elsewhere")
		h.Must(err)
		h.Pass(time.Minute)
		order := h.Service.Orders()[0]
		h.Say(apptest.Sam, fmt.Sprintf("#%d", order.Number))
		h.See(apptest.Sam, "Play Card")
		if codes := h.Codes(apptest.Sam); !slices.Contains(codes, order.Code) {
			t.Errorf("the owner is shown %v:\n%s", codes, h.Transcript(apptest.Sam))
		}
		// Behind the command a number is an order's, as short as it is; what nobody has made is not there.
		for words, shows := range map[string]string{strconv.FormatInt(order.Number, 10): "Play Card", "ORD-4040404": "No order with"} {
			h.Say(apptest.Sam, "/start")
			h.Say(apptest.Sam, "/orders "+words)
			h.SeeLast(apptest.Sam, shows)
		}
	})
}

// TestBooksFromHome: from home, everybody comes to what a shop writes down, with as many buttons as they may press; a seller of a
// shop without prices is shown no books.
func TestBooksFromHome(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.People, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "Seller"))
		h.Say(apptest.Karim, "/start")
		h.See(apptest.Karim, "Boutique")
		if h.Has(apptest.Karim, "📒 Books") {
			t.Error("a shop without prices has books")
		}
		h.Say(apptest.Sam, "/start")
		h.Tap(apptest.Sam, "📒 Books")
		h.See(apptest.Sam, "Set what you sell for")
		h.Tap(apptest.Sam, "🏷 Own prices")
		setPrices(h)
		for words, leads := range map[string]string{"📊 Today": "Sold:", "📒 Kridi": "Nobody owes", "💵 Tills": "Till", "🏷 Own prices": "Your own prices", "👤 Customers": "customer"} {
			h.Say(apptest.Sam, "/start")
			h.Tap(apptest.Sam, "📒 Books")
			h.See(apptest.Sam, "what is in the till")
			h.Tap(apptest.Sam, words)
			h.See(apptest.Sam, leads)
		}
		h.Say(apptest.Karim, "/start")
		h.Tap(apptest.Karim, "📒 Books")
		h.See(apptest.Karim, "what is in the till")
		if h.Has(apptest.Karim, "Own prices") {
			t.Error("a seller is offered to set prices")
		}
		h.Answered()
	})
}
