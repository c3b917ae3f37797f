package conversations_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox/tgsim"
)

// share has somebody send an entry of their telephone book.
func share(h *apptest.Harness, user, chat int64, first, last, phone string) {
	h.T.Helper()
	contact := map[string]any{"phone_number": phone, "first_name": first, "last_name": last}
	if h.Telegram.Post(user, chat, tgsim.Message{Content: map[string]any{"contact": contact}}) == 0 {
		h.T.Fatal("the contact cannot be sent")
	}
	h.Pass(3 * time.Second)
}

// TestASharedContactIsACustomer: a contact becomes a customer with its number, once however the number is written, and shows the
// customer who has it already. One who has the name and no number gets it.
func TestASharedContactIsACustomer(t *testing.T) {
	t.Parallel()
	atTheCounter(t, func(h *apptest.Harness) {
		savedKarim(h)
		share(h, apptest.Sam, apptest.Sam, "Karim", "", "+213550123456")
		h.See(apptest.Sam, "📞 0550123456")
		h.See(apptest.Sam, "Lina★ · 51234567")
		share(h, apptest.Sam, apptest.Sam, "Somebody", "else", "213550123456")
		h.See(apptest.Sam, "👤 Karim")
		share(h, apptest.Sam, apptest.Sam, "Somebody", "else", "00213 550 12 34 56")
		h.See(apptest.Sam, "👤 Karim")
		share(h, apptest.Sam, apptest.Sam, "أمينة", "<b>", "+33 6 12 34 56 78")
		h.See(apptest.Sam, "👤 أمينة <b>")
		h.See(apptest.Sam, "📞 +33612345678")
		share(h, apptest.Sam, apptest.Sam, strings.Repeat("x", 64), strings.Repeat("y", 64), "0661000000")
		h.See(apptest.Sam, "👤 "+strings.Repeat("x", 40))
		share(h, apptest.Sam, apptest.Sam, "\u200b", "", "0662000000")
		h.See(apptest.Sam, "👤 0662000000")
		if n := handleStored(h); n != 4 {
			t.Errorf("%d customers of four contacts", n)
		}
		if strings.Contains(h.Log.String(), "550123456") {
			t.Error("a customer's number is in the log")
		}
		h.Say(apptest.Sam, "0550123456")
		h.See(apptest.Sam, "👤 Karim")
	})
}

// TestASharedContactAnswers: where a name, a customer or an input is asked for, a contact is the answer: its player where the shop
// knows one of that game, its number where a line is topped up, and no number is ever taken for a player.
func TestASharedContactAnswers(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	atTheCounter(t, func(h *apptest.Harness) {
		savedKarim(h)
		share(h, apptest.Sam, apptest.Sam, "Karim", "", "0550123456")
		h.Pass(11 * time.Minute)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Battle Royale Coins")
		h.Tap(apptest.Sam, "60 coins")
		h.Tap(apptest.Sam, "1 unit")
		share(h, apptest.Sam, apptest.Sam, "Nadia", "", "51234567")
		h.See(apptest.Sam, "No player of this customer is saved for it")
		share(h, apptest.Sam, apptest.Sam, "Krimo", "", "+213 550 12 34 56")
		if text := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(text, "51234567") {
			t.Errorf("the summary is %s", text)
		}
	})
	apptest.Run(t, apptest.Everything(sim.Options{}), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Say(apptest.Sam, "/topup")
		h.Tap(apptest.Sam, "Home Internet")
		h.Tap(apptest.Sam, "1000 DA")
		h.Tap(apptest.Sam, "1")
		h.Tap(apptest.Sam, "adsl")
		share(h, apptest.Sam, apptest.Sam, "Nadia", "", "+213 21 23 45 67")
		if text := apptest.Plain(h.See(apptest.Sam, "Check before buying").Text); !strings.Contains(text, "021234567") {
			t.Errorf("the summary is %s", text)
		}
	})
	inPricedShop(t, func(h *apptest.Harness) {
		sharedAsDebtor(h, "Ali", "0551000000")
		h.Tap(apptest.Sam, "➕")
		h.Pass(3 * time.Second)
		h.SeeAny(apptest.Sam, "Sold on credit: DZD 1,380 · Ali")
		holds(h, map[ledger.Account]ledger.Money{samsTill: 0})
	})
}

// TestContactsOfOthers: in a group, and from whoever is of no shop, a contact makes no customer; a seller's does, in the shop.
func TestContactsOfOthers(t *testing.T) {
	t.Parallel()
	inShop(t, func(h *apptest.Harness) {
		share(h, apptest.Sam, shop, "Karim", "", "0550123456")
		share(h, apptest.Eve, apptest.Eve, "Karim", "", "0550123456")
		if n := handleStored(h); n != 0 {
			t.Errorf("%d customers of contacts that are none of the shop's", n)
		}
		share(h, apptest.Karim, apptest.Karim, "Nadia", "", "0550123456")
		h.See(apptest.Karim, "👤 Nadia")
		if n := handleStored(h); n != 1 {
			t.Errorf("%d customers of a seller's contact", n)
		}
	})
}
