package conversations_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

// TestForgedButtons: whoever knows the id of a purchase learns nothing of it in another chat, and can do
// nothing to it.
func TestForgedButtons(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Say(apptest.Yasmine, "/start")
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		id := apptest.PurchaseID(t, h.See(apptest.Sam, "10 USD"))
		h.Tap(apptest.Sam, "✅")
		h.Delivered(apptest.Sam)
		mine := h.Telegram.Messages(apptest.Yasmine)
		under := mine[len(mine)-1].ID
		for _, verb := range []screen.Verb{
			screen.VerbOrder, screen.VerbWhy, screen.VerbAgain, screen.VerbDrop, screen.VerbDecide, screen.VerbConfirm, screen.VerbVault,
		} {
			for _, arg := range []string{id, "502"} {
				h.Telegram.Tap(apptest.Yasmine, apptest.Yasmine, under, apptest.Forged(verb, arg, "yes"))
				h.Pass(2 * time.Second)
			}
		}
		if got := h.Codes(apptest.Yasmine); len(got) != 0 {
			t.Errorf("a stranger is shown %d codes", len(got))
		}
		for _, m := range h.Telegram.Messages(apptest.Yasmine) {
			if strings.Contains(m.Text, "Play Card") {
				t.Errorf("a stranger is shown a purchase: %s", m.Text)
			}
		}
		h.Bought(1)
	})
}

// TestCancelledIsVoid: the ✅ of a summary that was cancelled buys nothing, and nobody but its buyer cancels it.
func TestCancelledIsVoid(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Say(apptest.Yasmine, "/start")
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		m := h.See(apptest.Sam, "10 USD")
		confirm := apptest.ConfirmData(t, m)
		h.Telegram.Tap(apptest.Yasmine, apptest.Sam, m.ID, apptest.Forged(screen.VerbDrop, apptest.PurchaseID(t, m)))
		h.Pass(time.Second)
		if now := h.See(apptest.Sam, "10 USD"); apptest.ConfirmData(t, now) != confirm {
			t.Error("somebody else has cancelled it")
		}
		h.Tap(apptest.Sam, "✖️")
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, confirm)
		h.Pass(time.Minute)
		h.Bought(0)
	})
}

// TestUncertainIsNotOfferedAgain: a button that was made for what cost nothing does nothing for a purchase that
// may have gone through.
func TestUncertainIsNotOfferedAgain(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		m := h.See(apptest.Sam, "10 USD")
		h.Service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.Tap(apptest.Sam, "✅")
		h.Pass(40 * time.Second)
		h.Telegram.Tap(apptest.Sam, apptest.Sam, m.ID, apptest.Forged(screen.VerbAgain, apptest.PurchaseID(t, m)))
		h.Pass(2 * time.Second)
		for _, now := range h.Telegram.Messages(apptest.Sam) {
			for _, row := range now.Keyboard {
				for _, b := range row {
					if strings.HasPrefix(b.Text, "✅") {
						t.Errorf("it can be bought again: %s", now.Text)
					}
				}
			}
		}
	})
}

// accounts are those of the bot's database, which it must have closed.
func accounts(h *apptest.Harness) []store.Account {
	h.T.Helper()
	keyring, err := seal.ParseKeyring(h.Env["ENCRYPTION_KEYS"])
	h.Must(err)
	engine, err := bolt.Open(h.Dir+"/data/bot.db", bolt.Options{Fatal: func(err error) { h.T.Error(err) }})
	h.Must(err)
	s, err := store.Open(context.Background(), engine, keyring)
	h.Must(err)
	defer s.Close()
	all, err := s.Accounts(context.Background(), "", 10)
	h.Must(err)
	return all
}

// TestKeyIsForgotten: the key goes with the last chat, and not before its last code is there. What the account was
// stays: what was bought by it names it.
func TestKeyIsForgotten(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Service.HoldOrders(true)
		h.Tap(apptest.Sam, "✅")
		h.SeeAny(apptest.Sam, "Bought")
		h.Say(apptest.Sam, "/key remove")
		h.Tap(apptest.Sam, "Yes, unlink")
		h.Pass(20 * time.Minute)
		h.Service.HoldOrders(false)
		h.Delivered(apptest.Sam)
		h.Pass(20 * time.Minute)
		h.Stop()
		if all := accounts(h); len(all) != 1 || !all[0].Key.IsZero() || all[0].Movements == 0 {
			t.Errorf("left is %+v", all)
		}
	})
}

// TestRefusedKeyIsNotLogged: a key with a letter too many is a secret too.
func TestRefusedKeyIsNotLogged(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		const nearly = apptest.TestKey + "x"
		h.Say(apptest.Sam, "/start")
		h.Say(apptest.Sam, "/key "+nearly)
		h.Pass(2 * time.Second)
		if strings.Contains(h.Log.String(), nearly) {
			t.Error("it is in the log")
		}
	})
}
