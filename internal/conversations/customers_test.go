package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
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

// kept counts the customers of the account on disk.
func kept(h *apptest.Harness) (n int) {
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
		if n := kept(h); n != 1 {
			t.Errorf("%d customers for one player", n)
		}
		h.Say(apptest.Sam, "/customers fridays")
		h.Tap(apptest.Sam, "🗑")
		h.See(apptest.Sam, "Delete Karim B?")
		h.Tap(apptest.Sam, "🗑 Yes")
		h.See(apptest.Sam, "no customers yet")
		if n := kept(h); n != 0 {
			t.Errorf("%d customers are left on disk", n)
		}
		h.Say(apptest.Yasmine, "/customers karim")
		h.See(apptest.Yasmine, "No customer with")
	})
}
