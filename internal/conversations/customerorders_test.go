package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestCustomersOrders: the name of a customer, typed, shows what was bought for them last, and behind /orders all of it: what their
// players were topped up with. In each language.
func TestCustomersOrders(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ save, orders, title, none string }{
		"en": {"Save customer", "📦 Orders", "Orders of Karim", "No order with"},
		"fr": {"Enregistrer le client", "📦 Commandes", "Commandes de Karim", "Aucune commande avec"}, //nolint:misspell // French
		"ar": {"حفظ الزبون", "📦 الطلبات", "طلبات Karim", "لا طلبات فيها"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, heroesIn(lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				for _, line := range []string{"battle 60 51234567", "pc10 x1"} {
					h.Say(apptest.Sam, line)
					h.Tap(apptest.Sam, "✅")
					h.Pass(20 * time.Second)
				}
				h.Tap(apptest.Sam, words.save)
				h.Say(apptest.Sam, "Karim")
				h.See(apptest.Sam, "👤 Karim")
				h.Pass(11 * time.Minute)
				h.Say(apptest.Sam, "battle 660 51234567")
				h.Tap(apptest.Sam, "✅")
				h.Pass(5 * time.Minute)
				h.Say(apptest.Sam, "karim")
				card := h.See(apptest.Sam, "👤 Karim")
				if got := buttons(card, "🎉"); len(got) != 2 || !strings.Contains(got[0].Text, "660") {
					t.Errorf("the card shows the orders %v", got)
				}
				h.Tap(apptest.Sam, words.orders)
				for _, typed := range []string{"", "/orders KARIM"} {
					if typed != "" {
						h.Say(apptest.Sam, typed)
					}
					m := h.See(apptest.Sam, words.title)
					if text := plainly(m.Text); len(buttons(m, "🎉")) != 2 || strings.Contains(text, "Play Card") || !strings.Contains(text, "660") {
						t.Errorf("%q: the orders of Karim are\n%s", typed, text)
					}
				}
				h.Tap(apptest.Sam, "🎉 \u20682")
				h.See(apptest.Sam, "51234567")
				h.Say(apptest.Sam, "/orders battle kari")
				if m := h.See(apptest.Sam, "battle kari"); len(buttons(m, "🎉")) != 2 {
					t.Errorf("a part of the name finds\n%s", plainly(m.Text))
				}
				h.Say(apptest.Sam, "/orders karima")
				h.See(apptest.Sam, words.none)
			})
		})
	}
}

// TestSoldToACustomer: what was sold to somebody on credit is an order of theirs, until the sale is undone; the counter finds it too,
// and a seller their own alone.
func TestSoldToACustomer(t *testing.T) {
	t.Parallel()
	inPricedTeam(t, "➕ Seller", func(h *apptest.Harness) {
		h.Join(apptest.Lila, h.Invite(apptest.Sam, "➕ Counter"))
		h.Order(apptest.Sam, "Play Card", "10 USD", "3")
		h.Tap(apptest.Sam, "✅")
		h.Pass(10 * time.Second)
		h.Tap(apptest.Sam, "📒 Kridi")
		h.Say(apptest.Sam, "Ali")
		h.Tap(apptest.Sam, "➕")
		h.Pass(3 * time.Second)
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Pass(20 * time.Second)
		for _, typed := range []string{"/orders ali", "ali"} {
			h.Say(apptest.Lila, typed)
			if m := h.See(apptest.Lila, "Orders of Ali"); len(buttons(m, "🎉")) != 1 || len(buttons(m, "👤")) != 0 {
				t.Errorf("%q shows the counter\n%s", typed, plainly(m.Text))
			}
		}
		for _, typed := range []string{"ali", "al"} { // a part of the name means the person too, and not their only order with its codes
			h.Say(apptest.Sam, typed)
			if m := h.See(apptest.Sam, "👤 Ali"); len(buttons(m, "🎉")) != 1 || !strings.Contains(buttons(m, "🎉")[0].Text, "× 3") {
				t.Errorf("%q: the card is\n%s with %v", typed, plainly(m.Text), m.Keyboard)
			}
		}
		h.Say(apptest.Karim, "ali")
		if m := h.See(apptest.Karim, "👤 Ali"); len(buttons(m, "🎉")) != 0 {
			t.Errorf("a seller is shown others' orders: %v", m.Keyboard)
		}
		h.Say(apptest.Karim, "/orders ali")
		h.See(apptest.Karim, "No order with")
		h.TapUnder("Code 1 of 3", "↩️ Undo")
		h.Tap(apptest.Sam, "↩️ All (")
		h.Pass(3 * time.Second)
		h.Say(apptest.Sam, "/orders ali")
		h.See(apptest.Sam, "No order with")
	})
}

// TestCustomersOrdersHavePages: more of them than one page holds are turned through.
func TestCustomersOrdersHavePages(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	atTheCounter(t, func(h *apptest.Harness) {
		h.Service.SetBalance(apptest.TestKey, "900000")
		savedKarim(h)
		for range 8 {
			h.Pass(11 * time.Minute)
			summaryOf(h, "battle 60 karim")
			h.Tap(apptest.Sam, "✅")
			h.Pass(20 * time.Second)
		}
		h.Say(apptest.Sam, "/orders karim")
		if m := h.See(apptest.Sam, "Orders of Karim"); len(buttons(m, "🎉")) != 8 || len(buttons(m, "◀")) != 0 {
			t.Errorf("the first page is\n%s", plainly(m.Text))
		}
		h.Tap(apptest.Sam, "▶")
		if m := h.See(apptest.Sam, "Orders of Karim"); len(buttons(m, "🎉")) != 1 || !strings.Contains(plainly(m.Text), "9. ") || len(buttons(m, "▶")) != 0 {
			t.Errorf("the second page is\n%s", plainly(m.Text))
		}
		h.Tap(apptest.Sam, "◀")
		if m := h.See(apptest.Sam, "Orders of Karim"); len(buttons(m, "🎉")) != 8 {
			t.Errorf("the page before is\n%s", plainly(m.Text))
		}
		h.Tap(apptest.Sam, "👤 Customer")
		h.See(apptest.Sam, "👤 Karim")
	})
}

// TestANameInTwoWays: a name that something is sold by, or that two customers have, is asked about, and each way goes where it says; one
// that is a part of a product's word alone is the customer's. A buyer's name leads to both.
func TestANameInTwoWays(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		savedKarim(h)
		rename := func(is string) {
			t.Helper()
			h.Say(apptest.Sam, "/customers 51234567")
			h.Tap(apptest.Sam, "✏️")
			h.Say(apptest.Sam, is)
			h.See(apptest.Sam, "👤 "+is)
		}
		rename("Stream")
		for typed, want := range map[string]string{"👤": "51234567", "🔎": "🔎 stream"} {
			h.Say(apptest.Sam, "stream")
			h.See(apptest.Sam, "🤔")
			h.Tap(apptest.Sam, typed)
			h.See(apptest.Sam, want)
		}
		rename("Strea")
		h.Say(apptest.Sam, "strea")
		h.See(apptest.Sam, "👤 Strea")
		h.Say(apptest.Sam, "/alias strea battle 60")
		h.Say(apptest.Sam, "strea")
		h.See(apptest.Sam, "🤔")
		h.Tap(apptest.Sam, "⌨️ Battle Royale Coins · 60 coins")
		h.See(apptest.Sam, "How many?")
		rename("Sam")
		h.Say(apptest.Sam, "pc10 x1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(20 * time.Second)
		h.Say(apptest.Sam, "/orders sam")
		if m := h.See(apptest.Sam, "Orders of Sam"); len(buttons(m, "🎉")) != 1 {
			t.Errorf("Sam the customer's are\n%s", plainly(m.Text))
		}
		h.Tap(apptest.Sam, "🔎 Others")
		if m := h.See(apptest.Sam, "Orders with sam"); len(buttons(m, "🎉")) != 2 {
			t.Errorf("those with the name are\n%s", plainly(m.Text))
		}
	})
}

// TestTwoOfOneName: who is meant of two customers of one name is asked, with what tells them apart.
func TestTwoOfOneName(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		savedKarim(h)
		h.Say(apptest.Sam, "/cancel")
		share(h, apptest.Sam, apptest.Sam, "Omar", "", "0550123456")
		h.See(apptest.Sam, "👤 Omar")
		h.Tap(apptest.Sam, "✏️")
		h.Say(apptest.Sam, "Karim")
		h.See(apptest.Sam, "👤 Karim")
		h.Say(apptest.Sam, "karim")
		m := h.See(apptest.Sam, "🤔")
		if got := buttons(m, "👤"); len(got) != 2 || handleStored(h) != 2 {
			t.Fatalf("the two are %v", got)
		}
		h.Tap(apptest.Sam, "0550123456")
		h.See(apptest.Sam, "📞 0550123456")
		h.Say(apptest.Sam, "karim")
		h.Tap(apptest.Sam, "51234567")
		h.See(apptest.Sam, "Lina★")
	})
}

// TestACustomersOrdersEndWithThem: who is deleted is found by nothing that was bought for them.
func TestACustomersOrdersEndWithThem(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		savedKarim(h)
		h.Say(apptest.Sam, "/orders karim")
		h.See(apptest.Sam, "Orders of Karim")
		var id string
		h.InStore(func(s *store.Store) {
			all, err := s.Customers(t.Context(), "u4101", "", 9)
			h.Must(err)
			id = all[0].ID
		})
		list := h.See(apptest.Sam, "Orders of Karim")
		h.Say(apptest.Sam, "/customers karim")
		h.Tap(apptest.Sam, "🗑")
		h.Tap(apptest.Sam, "🗑 Yes")
		h.Say(apptest.Sam, "/orders karim")
		h.See(apptest.Sam, "No order with")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, list.ID, "1:theirs:"+id+":0")
		h.Pass(3 * time.Second)
		if strings.Contains(plainly(last(h.Telegram.Messages(apptest.Sam)).Text), "Orders of Karim") {
			t.Errorf("an old button lists them still:\n%s", h.Transcript(apptest.Sam))
		}
	})
}
