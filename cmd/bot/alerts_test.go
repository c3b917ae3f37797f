package main

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
)

// alerted counts the messages to sam that hold some words.
func (h *house) alerted(words string) int {
	n := 0
	for _, m := range h.telegram.Messages(sam) {
		if m.FromBot && !m.Deleted && strings.Contains(plain(m.Text), words) {
			n++
		}
	}
	return n
}

// TestLowBalance: one message when the line is crossed, and none again until it was crossed back.
func TestLowBalance(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.say(sam, "/alerts")
		h.tap(sam, "Low balance")
		h.say(sam, "zero")
		h.see(sam, "number above zero")
		h.say(sam, "٥ ٠٠٠")
		h.see(sam, "less than DZD 5,000")
		for _, c := range []struct {
			balance string
			total   int
		}{
			{"25000", 0}, {"4999", 1}, {"4000", 1}, {"5100", 1}, {"4900", 1}, // it wavers about the line
			{"5600", 1}, {"4999.99", 2}, {"30000", 2}, {"10", 3},
		} {
			h.service.SetBalance(testKey, c.balance)
			h.pass(6 * time.Minute)
			if n := h.alerted("Low balance: DZD"); n != c.total {
				t.Errorf("at %s: %d alerts, want %d", c.balance, n, c.total)
			}
		}
	})
}

// alarmed is by when money that goes without a purchase is an alarm: it was looked at, and no reading is so old any more.
const alarmed = 22 * time.Minute

// TestUnknownDebit: money that goes without a purchase is an alarm, also for a chat that has set nothing.
func TestUnknownDebit(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.pass(6 * time.Minute)
		h.order(sam, "Play Card", "10 USD", "1")
		h.tap(sam, "✅")
		h.delivered(sam)
		h.pass(6 * time.Minute)
		if h.alerted("left the balance") != 0 {
			t.Error("a purchase of ours is called unknown")
		}
		h.service.SetBalance(testKey, "20000")
		h.pass(14 * time.Minute)
		if h.alerted("left the balance") != 0 {
			t.Error("it is said of a reading that may be an old one")
		}
		h.pass(7 * time.Minute)
		h.see(sam, "DZD 3,749.50 left the balance")
		h.tap(sam, "Movements")
		h.see(sam, "not by this bot")
		h.say(sam, "/alerts")
		h.tap(sam, "Unknown debit")
		h.tap(sam, "Off")
		h.service.SetBalance(testKey, "10000")
		h.pass(alarmed)
		if n := h.alerted("left the balance"); n != 1 {
			t.Errorf("%d alarms, want the one before it was switched off", n)
		}
	})
}

// TestStockAlerts: units left, expiry, back in stock and price, each in its words and once.
func TestStockAlerts(t *testing.T) {
	t.Parallel()
	inHouse(t, func(h *house) {
		h.service.AddProduct(sim.ProductSpec{ID: 10, Name: "Play Card", Variants: []sim.VariantSpec{
			{ID: 101, Name: "10 USD", Price: "1000", InStock: 0}, {ID: 102, Name: "25 USD", Price: "2500", InStock: 9},
			{ID: 103, Name: "Set aside", Price: "100", InStock: 9, Allocated: 10, Used: 8, ExpiresAt: time.Now().Add(5 * 24 * time.Hour)}}})
	}, func(h *house) {
		h.link(sam)
		set := func(alert, value string) {
			h.say(sam, "/alerts")
			h.tap(sam, alert)
			h.tap(sam, value)
		}
		set("Low stock", "3")
		set("Expiry", "7")
		h.say(sam, "/buy play")
		h.tap(sam, "Tell me of changes")
		h.tap(sam, "back in stock")
		h.tap(sam, "price changes")
		h.pass(16 * time.Minute)
		first := plain(h.see(sam, "Alert").Text)
		if !strings.Contains(first, "Left: 2") || strings.Count(first, "Set aside") != 2 {
			t.Errorf("the first alert is %s", first)
		}
		h.service.SetStock(101, 5)
		h.service.SetPrice(102, "2600")
		h.pass(16 * time.Minute)
		second := plain(h.see(sam, "Alert").Text)
		if !strings.Contains(second, "In stock again") || !strings.Contains(second, "DZD 2,500 → DZD 2,600") {
			t.Errorf("the second alert is %s", second)
		}
		h.pass(2 * time.Hour)
		if n := h.alerted("🔔 Alert\n"); n != 2 {
			t.Errorf("%d alerts, want 2\n%s", n, h.transcript(sam))
		}
	})
}

// TestQuietHours: alerts of the night come together in the morning.
func TestQuietHours(t *testing.T) {
	t.Parallel()
	inHouse(t, stock, func(h *house) {
		h.link(sam)
		h.say(sam, "/alerts")
		h.tap(sam, "Low balance")
		h.say(sam, "5000")
		h.say(sam, "/alerts")
		h.tap(sam, "Quiet hours")
		h.tap(sam, "0–6") // the test begins at one o'clock in Algiers
		h.service.SetBalance(testKey, "100")
		h.pass(time.Hour)
		if h.alerted("Low balance: DZD") != 0 {
			t.Error("an alert came in the night")
		}
		h.pass(4*time.Hour + 5*time.Minute)
		h.see(sam, "Low balance: DZD 100")
	})
}
