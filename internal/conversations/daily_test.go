package conversations_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
)

// TestBalanceWhileTheServiceIsAway: what the balance was last, and when, is said where it cannot be read now.
func TestBalanceWhileTheServiceIsAway(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string]string{"en": "Last reading: DZD 25,000 available", "fr": "Dernière lecture : 25 000 DA disponibles", "ar": "آخر قراءة: المتاح 25 000 د.ج"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
			}, func(h *apptest.Harness) {
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
		for _, linked := range []bool{false, true} {
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
	for lang, words := range map[string][2]string{
		"en": {"Deliveries can come to this group", "📍"}, "fr": {"Les livraisons peuvent arriver dans ce groupe", "📍"}, "ar": {"يمكن أن يصل التسليم إلى هذه المجموعة", "📍"},
	} {
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
