package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// savedKarim tops a player up by a line, and saves them as Karim.
func savedKarim(h *apptest.Harness) {
	h.T.Helper()
	savesLina(h)
	h.Say(apptest.Sam, "Karim")
	h.See(apptest.Sam, "👤 Karim")
}

// savesLina tops a player up and has her saved as a customer, whose name is asked for then.
func savesLina(h *apptest.Harness) {
	h.T.Helper()
	summaryOf(h, "battle 60 51234567")
	h.Tap(apptest.Sam, "✅")
	h.SeeAny(apptest.Sam, "Topped up")
	h.Pass(20 * time.Second)
	h.TapUnder("Topped up", "👤")
	h.See(apptest.Sam, "What is this customer called?")
}

// handleStored counts the customers of the account on disk.
func handleStored(h *apptest.Harness) (n int) {
	h.T.Helper()
	h.InStore(func(s *store.Store) {
		all, err := s.Customers(h.T.Context(), "u4101", "", 100)
		h.Must(err)
		n = len(all)
	})
	return n
}

// TestCustomersAreSavedAndFound: a player becomes a customer under a receipt; they are found by any part, are two taps from
// what they usually take, and are named in a line and offered first.
func TestCustomersAreSavedAndFound(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/customers")
		h.See(apptest.Sam, "no customers yet")
		savedKarim(h)
		for _, words := range []string{"karim", "KARIM", "/customers kar", "/customers 5123", "/customers lina"} {
			h.Say(apptest.Sam, words)
			text := apptest.Plain(h.See(apptest.Sam, "👤 Karim").Text)
			if !strings.Contains(text, "Lina★ · 51234567") || !strings.Contains(text, "Battle Royale Coins · 60 coins") {
				t.Errorf("%q shows %s", words, text)
			}
		}
		h.Pass(11 * time.Minute)
		h.Say(apptest.Sam, "karim")
		h.Tap(apptest.Sam, "🔁 Battle Royale Coins")
		if text := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(text, "51234567") || !strings.Contains(text, "Lina★") {
			t.Errorf("the summary is %s", text)
		}
		h.Tap(apptest.Sam, "✅")
		h.Pass(20 * time.Second)
		h.Happened(2)
		h.Pass(11 * time.Minute)
		if text := summaryOf(h, "battle 660 karim"); !strings.Contains(text, "660 coins") || !strings.Contains(text, "51234567") {
			t.Errorf("the summary of a line with a name is %s", text)
		}
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Battle Royale Coins")
		h.Tap(apptest.Sam, "60 coins")
		h.Tap(apptest.Sam, "1 unit")
		h.Tap(apptest.Sam, "Karim")
		h.See(apptest.Sam, "Check before buying")
	})
}

// TestCustomersAreTheShops: they are of the account, and not of the chat; the same player twice is one customer; a note and a
// name can be changed, and who is deleted is gone from the disk.
func TestCustomersAreTheShops(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		savedKarim(h)
		h.TapUnder("Topped up", "👤")
		h.See(apptest.Sam, "👤 Karim")
		h.Link(apptest.Yasmine)
		h.Say(apptest.Yasmine, "/customers karim")
		h.Tap(apptest.Yasmine, "📝")
		h.Say(apptest.Yasmine, "pays on Fridays")
		h.See(apptest.Yasmine, "📝 pays on Fridays")
		h.Tap(apptest.Yasmine, "✏️")
		h.Say(apptest.Yasmine, strings.Repeat("x", 41))
		h.See(apptest.Yasmine, "up to 40 characters")
		h.Say(apptest.Yasmine, "Karim B")
		h.Say(apptest.Sam, "/customers fridays")
		h.See(apptest.Sam, "👤 Karim B")
		if n := handleStored(h); n != 1 {
			t.Errorf("%d customers for one player", n)
		}
		h.Say(apptest.Sam, "/customers fridays")
		h.Tap(apptest.Sam, "🗑")
		h.See(apptest.Sam, "Delete Karim B?")
		h.Tap(apptest.Sam, "🗑 Yes")
		h.See(apptest.Sam, "no customers yet")
		if n := handleStored(h); n != 0 {
			t.Errorf("%d customers are left on disk", n)
		}
		h.Say(apptest.Yasmine, "/customers karim")
		h.See(apptest.Yasmine, "No customer with")
	})
}

// TestNewCustomer: an owner or a seller saves a customer by a name, a number, or both, without a purchase; one who is known is shown
// instead. In each language.
func TestNewCustomer(t *testing.T) {
	t.Parallel()
	for lang, words := range sampletest.SomeNamed(3, map[string]struct{ add, ask, bad string }{
		"en": {"➕ New customer", "Send the new customer's name", "A name is one readable line"},
		"fr": {"➕ Nouveau client", "Envoyez le nom du nouveau client", "Un nom"},
		"ar": {"➕ زبون جديد", "أرسل اسم الزبون الجديد", "الاسم"},
	}) {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			inTeamIn(t, lang, func(h *apptest.Harness) {
				add := func(user int64, text string) string {
					h.T.Helper()
					h.Say(user, "/customers")
					h.Tap(user, words.add)
					h.See(user, words.ask)
					h.Say(user, text)
					h.Pass(3 * time.Second)
					return plainly(last(h.Telegram.Messages(user)).Text)
				}
				for text, want := range map[string]string{
					"Karim": "👤 Karim", "Amina, 0550 12 34 56": "📞 0550123456", "+213 661 77 88 99": "👤 0661778899", "Ali 2": "👤 Ali 2", "سمير ٠٥٥٠٩٩٨٨٧٧": "📞 0550998877",
				} {
					if got := add(apptest.Karim, text); !strings.Contains(got, want) {
						t.Errorf("%q makes\n%s", text, got)
					}
				}
				if n := handleStored(h); n != 5 {
					t.Errorf("%d customers", n)
				}
				if got := add(apptest.Sam, "someone 0550123456"); !strings.Contains(got, "👤 Amina") {
					t.Errorf("a known number makes\n%s", got)
				}
				if got := add(apptest.Sam, "KARIM"); !strings.Contains(got, "👤 Karim") {
					t.Errorf("a known name makes\n%s", got)
				}
				if got := add(apptest.Sam, "karim 0770000001"); !strings.Contains(got, "📞 0770000001") { // he had none
					t.Errorf("a number for a known name makes\n%s", got)
				}
				if n := handleStored(h); n != 5 {
					t.Errorf("%d customers after those who are known", n)
				}
				if got := add(apptest.Sam, "karim 0770000002"); !strings.Contains(got, "📞 0770000002") { // a namesake
					t.Errorf("another number for a known name makes\n%s", got)
				}
				for _, text := range []string{strings.Repeat("a", 300), "\u202e\u200f", "a\u0000" + strings.Repeat("b", 60)} {
					add(apptest.Sam, text)
					h.See(apptest.Sam, words.bad)
				}
				if n := handleStored(h); n != 6 {
					t.Errorf("%d customers at the end", n)
				}
			})
		})
	}
}

// TestHabitsOfACustomer: whom a customer plays as, and what they usually take, can be changed from their card. A button of before
// does nothing to another player.
func TestHabitsOfACustomer(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		savedKarim(h)
		h.Say(apptest.Sam, "karim")
		h.Tap(apptest.Sam, "🔁 Usual item")
		h.See(apptest.Sam, "What does Karim usually take?")
		h.Tap(apptest.Sam, "🗑 Nothing")
		if text := plainly(h.See(apptest.Sam, "👤 Karim").Text); strings.Contains(text, "Usually") {
			t.Errorf("the card is\n%s", text)
		}
		h.Tap(apptest.Sam, "🔁 Usual item")
		h.Tap(apptest.Sam, "🔁 Battle Royale Coins")
		h.See(apptest.Sam, "Usually: Battle Royale Coins")
		h.Tap(apptest.Sam, "🎮 Players")
		asked := h.See(apptest.Sam, "Which player is no longer Karim?")
		old := dataOf(h.T, asked, "🗑 Lina")
		h.Tap(apptest.Sam, "🗑 Lina")
		if text := plainly(h.See(apptest.Sam, "👤 Karim").Text); strings.Contains(text, "51234567") {
			t.Errorf("the card is\n%s", text)
		}
		h.Telegram.Tap(apptest.Sam, apptest.Sam, asked.ID, old)
		h.Pass(2 * time.Second)
		h.Say(apptest.Sam, "karim")
		if m := h.See(apptest.Sam, "👤 Karim"); len(buttons(m, "🎮")) != 0 {
			t.Errorf("players are still offered: %v", m.Keyboard)
		}
	})
}
