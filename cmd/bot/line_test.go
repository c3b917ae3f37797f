package main

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/conversations/tgsim"
)

// holdUp has Karim, a seller, buy what becomes uncertain, and Sam, who owns the shop, wait behind it.
func (h *house) holdUp() {
	h.t.Helper()
	h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.LoseAnswer, Times: 1})
	h.order(karim, "Play Card", "25 USD", "1")
	h.tap(karim, "✅")
	h.seeAny(karim, "Uncertain")
	h.order(sam, "Play Card", "10 USD", "1")
	h.see(sam, "Please check")
	h.tap(sam, "✅")
	h.pass(2 * time.Second)
}

// hasButton reports whether a message has a button that begins so.
func hasButton(m tgsim.Message, begins string) bool {
	for _, row := range m.Keyboard {
		for _, b := range row {
			if strings.HasPrefix(b.Text, begins) {
				return true
			}
		}
	}
	return false
}

// TestWaitingSaysForWhat: whoever waits behind an uncertain purchase sees which one and until when, in the message
// and in /orders; the uncertain one tells that somebody waits; and only owners are offered to let the others go.
func TestWaitingSaysForWhat(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.holdUp()
		m := h.seeLast(sam, "Waiting in line")
		for _, words := range []string{"It waits for order #", "Play Card · 25 USD", "looked for until", "If its turn has not come by"} {
			if !strings.Contains(plain(m.Text), words) {
				t.Errorf("the wait does not say %q: %s", words, m.Text)
			}
		}
		if !hasButton(m, "⏭") {
			t.Error("the owner who waits cannot let the others go")
		}
		if m := h.seeLast(sam, "🛒 Karim"); !hasButton(m, "⏭") || !strings.Contains(plain(m.Text), "1 purchase waits for it") {
			t.Errorf("the owner is not told of the uncertain one: %s", m.Text)
		}
		if m := h.seeLast(karim, "Uncertain"); hasButton(m, "⏭") || !strings.Contains(plain(m.Text), "1 purchase waits for it") {
			t.Errorf("the seller reads %s", m.Text)
		}
		h.say(sam, "/orders")
		h.tap(sam, "⏳")
		if m := h.see(sam, "10 USD"); !strings.Contains(plain(m.Text), "It waits for order #") || strings.Contains(m.Text, "Sending") {
			t.Errorf("/orders says %s", m.Text)
		}
		h.bought(1)
	})
}

// TestOwnerLetsTheOthersGo: the line goes on at once, and the uncertain one is the owner's to decide.
func TestOwnerLetsTheOthersGo(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.holdUp()
		m := h.seeLast(sam, "🛒 Karim")
		var data string
		for _, row := range m.Keyboard {
			data = row[0].Data
		}
		h.telegram.Tap(karim, karim, 1, data) // forged
		h.telegram.Tap(eve, eve, 1, data)
		h.pass(2 * time.Second)
		if n := h.purchasesSent(); n != 1 {
			t.Fatalf("%d purchases were sent before the owner's word", n)
		}
		h.tapUnder("🛒 Karim", "⏭")
		h.seeAny(sam, "Delivered")
		if n := h.purchasesSent(); n != 2 {
			t.Errorf("%d purchases were sent", n)
		}
		m = h.seeLast(sam, "🛒 Karim")
		if !strings.Contains(plain(m.Text), "Please decide") || !hasButton(m, "It is there") {
			t.Errorf("the owner is not asked: %s", m.Text)
		}
		h.seeAny(karim, "An owner is asked")
		h.telegram.Tap(sam, sam, m.ID, data) // too late
		h.pass(2 * time.Second)
		h.tapUnder("Please decide", "It is not there")
		h.seeAny(karim, "You said that it was not bought")
		h.answered()
	})
}

// TestOwnPurchaseHoldsUp: an owner whose own purchase is uncertain lets the others go from its message.
func TestOwnPurchaseHoldsUp(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.DropRequest, Times: 1})
		h.order(sam, "Play Card", "25 USD", "1")
		h.tap(sam, "✅")
		if m := h.seeAny(sam, "Uncertain"); hasButton(m, "⏭") {
			t.Error("nobody waits yet")
		}
		h.order(karim, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.tapUnder("1 purchase waits for it", "⏭")
		h.seeAny(sam, "Please decide")
		h.seeAny(karim, "Delivered")
	})
}

// TestPlaceInLineEndsInTime: a place in line ends when it says so, not when its turn comes: it is told why, that
// nothing was charged, and one button leads to today's price.
func TestPlaceInLineEndsInTime(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.holdUp()
		m := h.seeLast(sam, "Waiting in line")
		h.pass(100 * time.Second)
		h.seeLast(sam, "Waiting in line")
		h.pass(25 * time.Second)
		for _, now := range h.telegram.Messages(sam) {
			if now.ID == m.ID {
				m = now
			}
		}
		if text := plain(m.Text); !strings.Contains(text, "Nothing was charged.") || !strings.Contains(text, "uncertain and still being looked for") {
			t.Fatalf("after two minutes it says %s", text)
		}
		if len(m.Keyboard) != 1 || len(m.Keyboard[0]) != 1 || !hasButton(m, "🔁 See today's price") {
			t.Errorf("its buttons are %v", m.Keyboard)
		}
		h.see(sam, "was not bought and nothing was charged")
		if m := h.seeLast(karim, "Uncertain"); strings.Contains(plain(m.Text), "waits for it") {
			t.Errorf("nobody waits any more: %s", m.Text)
		}
		h.bought(1)
		h.service.SetPrice(101, "1300")
		h.tapUnder("Its turn did not come within", "🔁")
		h.see(sam, "it was DZD 1,250.50")
		h.bought(1)
	})
}

// TestBehindWhatBecomesUncertain: who waits behind a purchase that becomes uncertain meanwhile is told so, and so is
// its owner; once it is found the line goes on.
func TestBehindWhatBecomesUncertain(t *testing.T) {
	t.Parallel()
	inTeam(t, func(h *house) {
		h.service.Inject(sim.Fault{Operation: sim.Spending, Kind: sim.Delay, Delay: 50 * time.Second, Times: 1})
		h.order(karim, "Play Card", "25 USD", "1")
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(karim, "✅")
		h.tap(sam, "✅")
		if m := h.seeLast(sam, "Waiting in line"); strings.Contains(plain(m.Text), "uncertain") {
			t.Errorf("nothing is uncertain yet: %s", m.Text)
		}
		h.seeAny(karim, "Uncertain")
		h.seeAny(sam, "It waits for order #")
		h.seeAny(sam, "1 purchase waits for it")
	})
}
