package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/conversations/tgsim"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

// purchaseID is the id of the purchase that a summary is about.
func purchaseID(t *testing.T, m tgsim.Message) string {
	t.Helper()
	a, ok := screen.ParseAction(confirmData(t, m))
	if !ok {
		t.Fatal("the ✅ means nothing")
	}
	return a.Arg(0)
}

// forged is the data of a button as anybody can make it up.
func forged(verb screen.Verb, args ...string) string {
	return screen.Action{Verb: verb, Args: args}.Data()
}

// TestForgedButtons: whoever knows the id of a purchase learns nothing of it in another chat, and can do
// nothing to it.
func TestForgedButtons(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.say(yasmine, "/start")
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		id := purchaseID(t, h.see(sam, "10 USD"))
		h.tap(sam, "✅")
		h.delivered(sam)
		mine := h.telegram.Messages(yasmine)
		under := mine[len(mine)-1].ID
		for _, verb := range []screen.Verb{
			screen.VerbOrder, screen.VerbWhy, screen.VerbAgain, screen.VerbDrop, screen.VerbDecide, screen.VerbConfirm, screen.VerbVault,
		} {
			for _, arg := range []string{id, "502"} {
				h.telegram.Tap(yasmine, yasmine, under, forged(verb, arg, "yes"))
				h.pass(2 * time.Second)
			}
		}
		if got := h.codes(yasmine); len(got) != 0 {
			t.Errorf("a stranger is shown %d codes", len(got))
		}
		for _, m := range h.telegram.Messages(yasmine) {
			if strings.Contains(m.Text, "Play Card") {
				t.Errorf("a stranger is shown a purchase: %s", m.Text)
			}
		}
		h.bought(1)
	})
}

// TestCancelledIsVoid: the ✅ of a summary that was cancelled buys nothing, and nobody but its buyer cancels it.
func TestCancelledIsVoid(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.say(yasmine, "/start")
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		m := h.see(sam, "10 USD")
		confirm := confirmData(t, m)
		h.telegram.Tap(yasmine, sam, m.ID, forged(screen.VerbDrop, purchaseID(t, m)))
		h.pass(time.Second)
		if now := h.see(sam, "10 USD"); confirmData(t, now) != confirm {
			t.Error("somebody else has cancelled it")
		}
		h.tap(sam, "✖️")
		h.telegram.Tap(sam, sam, m.ID, confirm)
		h.pass(time.Minute)
		h.bought(0)
	})
}

// TestUncertainIsNotOfferedAgain: a button that was made for what cost nothing does nothing for a purchase that
// may have gone through.
func TestUncertainIsNotOfferedAgain(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		m := h.see(sam, "10 USD")
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
		h.tap(sam, "✅")
		h.pass(40 * time.Second)
		h.telegram.Tap(sam, sam, m.ID, forged(screen.VerbAgain, purchaseID(t, m)))
		h.pass(2 * time.Second)
		for _, now := range h.telegram.Messages(sam) {
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
func (h *house) accounts() []store.Account {
	h.t.Helper()
	ring, err := seal.ParseRing(h.env["ENCRYPTION_KEYS"])
	h.must(err)
	engine, err := bolt.Open(h.dir+"/data/bot.db", bolt.Options{Fatal: func(err error) { h.t.Error(err) }})
	h.must(err)
	s, err := store.Open(context.Background(), engine, ring)
	h.must(err)
	defer s.Close()
	all, err := s.Accounts(context.Background(), "", 10)
	h.must(err)
	return all
}

// TestKeyIsForgotten: the key goes with the last chat, and not before its last code is there. What the account was
// stays: what was bought by it names it.
func TestKeyIsForgotten(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.order(sam, "Play Card", "10 USD", "1")
		h.service.HoldOrders(true)
		h.tap(sam, "✅")
		h.seeAny(sam, "Bought")
		h.say(sam, "/key remove")
		h.pass(20 * time.Minute)
		h.service.HoldOrders(false)
		h.delivered(sam)
		h.pass(20 * time.Minute)
		h.stop()
		if all := h.accounts(); len(all) != 1 || !all[0].Key.IsZero() || all[0].Movements == 0 {
			t.Errorf("left is %+v", all)
		}
	})
}

// TestRefusedKeyIsNotLogged: a key with a letter too many is a secret too.
func TestRefusedKeyIsNotLogged(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		const nearly = testKey + "x"
		h.say(sam, "/start")
		h.say(sam, "/key "+nearly)
		h.pass(2 * time.Second)
		if strings.Contains(h.log.String(), nearly) {
			t.Error("it is in the log")
		}
	})
}
