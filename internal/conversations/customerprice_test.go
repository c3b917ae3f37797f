package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// pricedAtTen has Sam add ten percent to what things cost, rounded up to five dinars.
func pricedAtTen(h *apptest.Harness, lang string) {
	h.T.Helper()
	h.Say(apptest.Sam, "/prices")
	h.Tap(apptest.Sam, map[string]string{"en": "Percent", "fr": "Pour cent", "ar": "نسبة مئوية"}[lang])
	h.Tap(apptest.Sam, "10")
	h.Tap(apptest.Sam, map[string]string{"en": "DZD\u00a05", "fr": "5\u00a0DA", "ar": "5\u00a0د.ج"}[lang])
	h.Pass(3 * time.Second)
}

// forCustomer is the message that somebody is to forward: the last one, which has no button and nothing of what it costs.
func forCustomer(h *apptest.Harness, user int64) string {
	h.T.Helper()
	h.Pass(3 * time.Second)
	all := h.Telegram.Messages(user)
	m := all[len(all)-1]
	text := plainly(m.Text)
	if !m.FromBot || len(m.Keyboard) != 0 || strings.Contains(text, "250") {
		h.T.Errorf("the message for a customer, with %d rows:\n%s", len(m.Keyboard), text)
	}
	return text
}

// TestTheShopsPriceIsOneTap: from an item's screen one tap makes the message with the price that the shop's rule gives, for
// sellers too; another one is typed behind a button, and is the only way where no rule gives one. In each language.
func TestTheShopsPriceIsOneTap(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ offer, other, ask, price, typed string }{
		"en": {"Customer's price", "Another price", "What do you sell it for?", "Price: DZD 1,380", "Price: DZD 1,400"},
		"fr": {"Prix client", "Autre prix", "À quel prix le vendez-vous", "Prix : 1 380 DA", "Prix : 1 400 DA"},
		"ar": {"سعر للزبون", "سعر آخر", "ما سعر البيع؟", "السعر: 1 380 د.ج", "السعر: 1 400 د.ج"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, lang, func(h *apptest.Harness) {
				h.Say(apptest.Sam, "play card 10 usd")
				h.Pass(3 * time.Second)
				if m := last(h.Telegram.Messages(apptest.Sam)); len(buttons(m, words.offer)) != 0 {
					t.Errorf("a price that the shop has not is offered:\n%s", plainly(m.Text))
				}
				h.Tap(apptest.Sam, "⭐️")
				h.Tap(apptest.Sam, words.offer)
				h.See(apptest.Sam, words.ask)
				h.Say(apptest.Sam, "/cancel")
				pricedAtTen(h, lang)
				for _, user := range []int64{apptest.Sam, apptest.Karim} {
					h.Say(user, "play card 10 usd")
					h.Tap(user, words.offer)
					if text := forCustomer(h, user); !strings.Contains(text, words.price) || !strings.Contains(text, "Play Card · 10 USD") {
						t.Errorf("one tap has made\n%s", text)
					}
					h.Tap(user, words.other)
					h.SeeAny(user, words.ask)
					h.Say(user, "1400")
					if text := forCustomer(h, user); !strings.Contains(text, words.typed) {
						t.Errorf("another price has made\n%s", text)
					}
					h.Tap(user, map[string]string{"en": "Back", "fr": "Retour", "ar": "رجوع"}[lang])
					h.Tap(user, "⭐️")
					h.Tap(user, words.offer)
					if text := forCustomer(h, user); !strings.Contains(text, words.price) {
						t.Errorf("one tap on the item's page has made\n%s", text)
					}
				}
				h.Happened(0)
			})
		})
	}
}

// TestTheShopsPriceOfAPlan: a plan of the arena, which asks for no number of units, has its price on its first question.
func TestTheShopsPriceOfAPlan(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Everything(sim.Options{Mode: sim.Both}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		pricedAtTen(h, "en")
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Arena")
		h.Tap(apptest.Sam, "583 gems")
		h.See(apptest.Sam, "Player ID")
		h.Tap(apptest.Sam, "Customer's price")
		if text := forCustomer(h, apptest.Sam); !strings.Contains(text, "583 gems") || !strings.Contains(text, "Price: DZD") {
			t.Errorf("the message is\n%s", text)
		}
		h.Tap(apptest.Sam, "Back")
		h.SeeAny(apptest.Sam, "Player ID")
		h.Happened(0)
	})
}

// TestTheShopsPriceBelowCost: a rule's price that is less than the item costs by now is asked about, and only then made a message of.
func TestTheShopsPriceBelowCost(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/prices")
		h.Tap(apptest.Sam, "By product")
		h.Tap(apptest.Sam, "Play Card")
		h.Tap(apptest.Sam, "10 USD")
		h.Tap(apptest.Sam, "Fixed price")
		h.Say(apptest.Sam, "1300")
		h.Pass(3 * time.Second)
		h.Service.SetPrice(101, "1320")
		h.Pass(5 * time.Minute)
		before := messagesFor(h)
		h.Say(apptest.Sam, "play card 10 usd")
		h.Tap(apptest.Sam, "Customer's price")
		h.See(apptest.Sam, "less than your buying price")
		if n := messagesFor(h); n != before {
			t.Errorf("a price below cost was made a message of unasked")
		}
		h.Tap(apptest.Sam, "👍")
		if text := forCustomer(h, apptest.Sam); !strings.Contains(text, "Price: DZD 1,300") {
			t.Errorf("the message is\n%s", text)
		}
	})
}

// messagesFor counts the messages for customers that Sam was given.
func messagesFor(h *apptest.Harness) (n int) {
	for _, m := range h.Telegram.Messages(apptest.Sam) {
		if isOffer(m) {
			n++
		}
	}
	return n
}

// isOffer reports whether a message is one to forward to a customer.
func isOffer(m tgsim.Message) bool {
	return m.FromBot && !m.Deleted && strings.Contains(plainly(m.Text), "Price: DZD")
}
