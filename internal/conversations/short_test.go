package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestShortOfMoney: what is missing is said with the first price, in every language, and nothing is asked then. It goes on
// as soon as the money is there, which the reading of a moment ago does not know.
func TestShortOfMoney(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string][3]string{
		"en": {"Missing: DZD 250.50", "Try again", "How many?"}, "fr": {"Il manque : 250,50 DA", "Réessayer", "Combien ?"}, "ar": {"ينقصك: 250,50 د.ج", "إعادة المحاولة", "كم"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
				h.Service.SetBalance(apptest.TestKey, "1000")
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/buy play")
				h.Tap(apptest.Sam, "10 USD")
				short := h.See(apptest.Sam, words[0])
				if strings.Contains(apptest.Plain(short.Text), words[2]) || len(short.Keyboard) != 2 {
					t.Errorf("how many is asked all the same: %s, %s", short.Text, keysOf(short))
				}
				h.Service.Deposit(apptest.TestKey, "5000")
				h.Tap(apptest.Sam, words[1])
				h.See(apptest.Sam, words[2])
				h.Say(apptest.Sam, "4")
				if n := len(h.See(apptest.Sam, "5").Keyboard); n != 2 || !strings.Contains(h.Transcript(apptest.Sam), "✅") {
					t.Errorf("there is no summary:\n%s", h.Transcript(apptest.Sam))
				}
			})
		})
	}
}

// TestNoMoreThanCanBePaid: numbers on buttons end where the money does, and for a number above it the most that can be bought
// is one tap.
func TestNoMoreThanCanBePaid(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string][2]string{"en": {"Buy 7 (most)", "Missing: DZD 502"}, "fr": {"Acheter 7 (maximum)", "Il manque : 502 DA"}, "ar": {"شراء 7 (أكثر ما يمكن)", "ينقصك: 502 د.ج"}}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Stock(h)
				h.Telegram.SetLanguage(apptest.Sam, lang)
				h.Service.SetBalance(apptest.TestKey, "9502")
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/buy play")
				h.Tap(apptest.Sam, "10 USD")
				if keys := keysOf(h.See(apptest.Sam, "1")); !strings.Contains(keys, "5") || strings.Contains(keys, "10") {
					t.Errorf("the buttons are %s", keys)
				}
				h.Say(apptest.Sam, "8")
				h.See(apptest.Sam, words[1])
				h.Say(apptest.Sam, "51") // more than is in stock
				h.See(apptest.Sam, "50")
				h.Tap(apptest.Sam, words[0])
				h.Tap(apptest.Sam, "✅")
				h.Pass(30 * time.Second)
				if n := h.Happened(1)[0].Quantity; n != 7 {
					t.Errorf("%d were bought", n)
				}
			})
		})
	}
}

// TestShortOfMoneyForAPlayer: nobody gives a player's id for what cannot be paid.
func TestShortOfMoneyForAPlayer(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.SetBalance(apptest.TestKey, "5")
		h.Pass(time.Minute)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "110 gems")
		h.See(apptest.Sam, "Missing: DZD")
		h.Service.Deposit(apptest.TestKey, "50000")
		h.Tap(apptest.Sam, "Try again")
		h.See(apptest.Sam, "Player")
	})
}

// TestSellerIsToldNoBalance: but that the account cannot pay, in every language.
func TestSellerIsToldNoBalance(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(1, map[string]string{"en": "balance is too low", "fr": "solde du compte ne suffit pas", "ar": "رصيد الحساب لا يكفي"}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.People, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Telegram.SetLanguage(apptest.Karim, "en")
				h.Join(apptest.Karim, h.Invite(apptest.Sam, "Seller"))
				h.Service.SetBalance(apptest.TestKey, "1000")
				h.Pass(time.Minute)
				chooseLanguage(h, apptest.Karim, lang)
				h.Say(apptest.Karim, "/buy play")
				h.Tap(apptest.Karim, "10 USD")
				h.See(apptest.Karim, words)
				h.Say(apptest.Karim, "3")
				text := apptest.Plain(h.See(apptest.Karim, words).Text)
				if strings.Contains(text, "1,000") || strings.Contains(text, "1 000") || strings.Contains(text, "2") && strings.Contains(text, "751") {
					t.Errorf("a seller is told the balance: %s", text)
				}
			})
		})
	}
}

// TestUnknownBalanceWithholdsNothing: where the balance cannot be read, or half of it does not come, everything is offered.
func TestUnknownBalanceWithholdsNothing(t *testing.T) {
	t.Parallel()
	for name, fault := range sampletest.SomeNamed(1, map[string]sim.Fault{"down": {Kind: sim.Status, Status: 502}, "silent": {Kind: sim.Silence}, "garbage": {Kind: sim.Garbage}}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Service.SetBalance(apptest.TestKey, "10")
				h.Pass(time.Minute)
				fault.Operation, fault.Times = "GET /balance", 100
				h.Service.Inject(fault)
				h.Say(apptest.Sam, "/buy play")
				h.Tap(apptest.Sam, "10 USD")
				if keys := keysOf(h.See(apptest.Sam, "How many?")); !strings.Contains(keys, "50 units") || strings.Contains(keys, "most") {
					t.Errorf("the buttons are %s", keys)
				}
			})
		})
	}
}

// TestEndedAllocationsAreNoStock: what has expired, or is said not to be active, limits no quantity; a status that nobody
// knows does.
func TestEndedAllocationsAreNoStock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, status string
		ends         time.Duration
		most         string
	}{
		{"active", "active", 24 * time.Hour, "3"}, {"unknown", "reserved", 24 * time.Hour, "3"}, {"expired", "active", -time.Hour, "50"}, {"inactive", "Inactive", 24 * time.Hour, "50"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, func(h *apptest.Harness) {
				h.Service.SetBalance(apptest.TestKey, "900000")
				h.Service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
					{ID: 101, Name: "10 USD", Price: "1000", InStock: 50, Allocated: 5, Used: 2, AllocationStatus: c.status, FromShelf: c.most == "50", ExpiresAt: time.Now().Add(c.ends)}}})
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Say(apptest.Sam, "/buy play")
				h.Tap(apptest.Sam, "10 USD")
				if text := apptest.Plain(h.See(apptest.Sam, "How many?").Text); strings.Contains(text, "Set aside") != (c.most == "3") {
					t.Errorf("the question is %s", text)
				}
				h.Say(apptest.Sam, "51")
				h.See(apptest.Sam, "At most "+c.most)
			})
		})
	}
}

// TestDepositInAnOutage: a summary says nothing of a balance that was read before a deposit and cannot be read now, and keeps its ✅: the
// service has the last word.
func TestDepositInAnOutage(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "play card 10")
		h.Say(apptest.Sam, "19") // as many as the balance pays for
		h.See(apptest.Sam, "Balance: DZD 25,000")
		h.Tap(apptest.Sam, "Back")
		h.See(apptest.Sam, "How many")
		h.Service.Deposit(apptest.TestKey, "20000")
		h.Service.Inject(sim.Fault{Operation: "GET /balance", Kind: sim.Status, Status: 502, Times: 1000})
		h.Say(apptest.Sam, "21")
		m := h.See(apptest.Sam, "Check before buying")
		if text := plainly(m.Text); strings.Contains(text, "Missing") || strings.Contains(text, "25,000") || len(buttons(m, "✅")) != 1 {
			t.Errorf("the summary is\n%s with %v", text, m.Keyboard)
		}
	})
}
