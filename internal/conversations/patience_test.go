package conversations_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestLastKnownCatalogue: where the service is gone, or asks for quiet, what was known last is shown with its time, in every
// language, from the products to the question how many; and it is the service's own again as soon as it can be read.
func TestLastKnownCatalogue(t *testing.T) {
	t.Parallel()
	faults := map[string]sim.Fault{
		"502": {Kind: sim.Status, Status: http.StatusBadGateway}, "429": {Kind: sim.RateLimit, Delay: 20 * time.Second}, "gone": {Kind: sim.DropRequest}, "slow": {Kind: sim.Silence},
	}
	for lang, words := range sampletest.SomeNamed(3, map[string]string{"en": "As of 01:00", "fr": "Situation à 01:00", "ar": "حسب آخر قراءة: الساعة 01:00"}) {
		for name, fault := range faults {
			t.Run(lang+" "+name, func(t *testing.T) {
				t.Parallel()
				apptest.Run(t, apptest.StockIn(lang), func(h *apptest.Harness) {
					h.Link(apptest.Sam)
					h.Say(apptest.Sam, "/buy")
					h.See(apptest.Sam, "🛍")
					h.Pass(5 * time.Minute)
					fault.Operation, fault.Times = sim.AnyOperation, 1000
					h.Service.Inject(fault)
					h.Say(apptest.Sam, "/buy")
					h.See(apptest.Sam, words)
					h.Tap(apptest.Sam, "Play Card")
					h.Tap(apptest.Sam, "25 USD")
					h.Pass(10 * time.Second)
					if text := apptest.Plain(h.See(apptest.Sam, words).Text); !strings.Contains(text, "3,100") && !strings.Contains(text, "3 100") && !strings.Contains(text, "3\u202f100") {
						t.Errorf("the price is not shown: %s", text)
					}
					h.Service.ClearFaults()
					h.Service.SetPrice(102, "3200")
					h.Pass(2 * time.Minute)
					h.Say(apptest.Sam, "/buy play")
					if keys := keysOf(h.See(apptest.Sam, "Play Card")); !strings.Contains(apptest.Plain(keys), "200") || strings.Contains(h.See(apptest.Sam, "").Text, "🕐") {
						t.Errorf("it is still the old catalogue: %s", keys)
					}
				})
			})
		}
	}
}

// TestLastKnownAfterAPurchase: what is not sure any more after a purchase is known all the same while nothing can be read.
func TestLastKnownAfterAPurchase(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.Inject(sim.Fault{Operation: "GET /products", Kind: sim.Status, Status: http.StatusBadGateway, Times: 100})
		h.Say(apptest.Sam, "/buy")
		h.See(apptest.Sam, "As of 01:00")
	})
}

// TestShortWaitIsWaited: a 429 that asks for a second or two, and a 502 that is over by then, are nothing that a person is
// told of, on any screen that reads.
func TestShortWaitIsWaited(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sim.Fault{
		"429": {Kind: sim.RateLimit}, "429 of a second": {Kind: sim.RateLimit, Delay: time.Second}, "502": {Kind: sim.ErrorAnswer, Status: http.StatusBadGateway},
	} {
		for command, shown := range sampletest.SomeNamed(1, map[string]string{"/buy": "Products", "/balance": "25,000", "/stock": "Stock set aside", "/topup": "op up"}) {
			t.Run(name+command, func(t *testing.T) {
				t.Parallel()
				apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
					h.Link(apptest.Sam)
					h.Pass(time.Minute)
					h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Times: 1, Kind: fault.Kind, Delay: fault.Delay, Status: fault.Status})
					h.Say(apptest.Sam, command)
					h.Pass(3 * time.Second)
					if text := h.See(apptest.Sam, shown).Text; strings.Contains(text, "🕐") || h.Has(apptest.Sam, "cannot be read") {
						t.Errorf("the person was told of it:\n%s", h.Transcript(apptest.Sam))
					}
				})
			})
		}
	}
}

// TestBlockedAddressIsNamed: as far as the service names it, and else that it does not.
func TestBlockedAddressIsNamed(t *testing.T) {
	t.Parallel()
	words := map[string][2]string{
		"en": {"The supplier does not say which address", "Add this bot's"}, "fr": {"Le fournisseur ne dit pas quelle adresse", "Ajoutez celle de ce bot"}, "ar": {"لا يذكر المورّد أي عنوان", "أضف عنوان هذا البوت"},
	}
	for lang, said := range words {
		for message, address := range map[string]string{
			"IP address not allowed": "", "IP address not allowed: 203.0.113.7": "203.0.113.7", "IP address not allowed (2001:DB8::7).": "2001:db8::7",
			"IP address not allowed, only 203.0.113.7 and 203.0.113.8 are": "",
		} {
			t.Run(lang+" "+message, func(t *testing.T) {
				t.Parallel()
				apptest.Run(t, apptest.StockIn(lang), func(h *apptest.Harness) {
					h.Link(apptest.Sam)
					h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.ErrorAnswer, Status: http.StatusForbidden, Message: message, Times: 100})
					for _, command := range []string{"/balance", "/key KEY-canary-another-0001"} {
						h.Say(apptest.Sam, command)
						want := said[0]
						if address != "" {
							want = said[1]
						}
						if text := apptest.Plain(h.See(apptest.Sam, want).Text); address != "" && !strings.Contains(text, address) || address == "" && strings.Contains(text, "203") {
							t.Errorf("%s is answered with %s", command, text)
						}
					}
				})
			})
		}
	}
}

// TestSignOfLife: whoever waits for more than two seconds sees that the bot is at work until the answer is there, after a command and
// after a tap, and nobody does who waits for less.
func TestSignOfLife(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/buy")
		h.See(apptest.Sam, "🛍")
		h.Pass(time.Second)
		if h.Telegram.IsTyping(apptest.Sam) {
			t.Error("the answer is there, and the bot is still at work")
		}
		h.Pass(5 * time.Minute)
		h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: sim.Silence, Times: 1000})
		for _, ask := range []func(){func() { h.Say(apptest.Sam, "/balance") }, func() { h.Tap(apptest.Sam, "Try again") }} {
			ask()
			h.Pass(900 * time.Millisecond) // the second one
			if h.Telegram.IsTyping(apptest.Sam) {
				t.Error("it is told before somebody has waited")
			}
			for range 15 {
				h.Pass(200 * time.Millisecond)
				if !h.Telegram.IsTyping(apptest.Sam) {
					t.Fatalf("nothing shows that the bot is at work:\n%s", h.Transcript(apptest.Sam))
				}
			}
			h.See(apptest.Sam, "does not answer")
			h.Pass(30 * time.Second)
			if h.Telegram.IsTyping(apptest.Sam) {
				t.Error("the answer is there, and the bot is still at work")
			}
		}
	})
}
