package conversations_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestGivenToTheCustomer: whoever sees an order may say that its codes were given to the customer, and take that back. The order
// tells who it was, and when; who comes second changes nothing and hears of the first. It tells the owner who has opened it, too.
func TestGivenToTheCustomer(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		codes := boughtTwice(h)
		number := h.Service.Orders()[0].ID
		h.Say(apptest.Karim, codes[0][len(codes[0])-4:])
		h.See(apptest.Karim, "Delivered again")
		h.Say(apptest.Lila, number)
		h.Tap(apptest.Lila, "🤝 Given to the customer")
		h.See(apptest.Lila, "🤝 Given to the customer: Lila, just now")
		h.Sleep(2 * time.Hour)
		h.Tap(apptest.Karim, "🤝 Given to the customer") // on the screen of before
		h.See(apptest.Karim, "🤝 Given to the customer: Lila")
		h.Say(apptest.Sam, number)
		text := apptest.Plain(h.See(apptest.Sam, "🤝 Given to the customer: Lila").Text)
		if strings.Contains(text, "customer: Karim") || !strings.Contains(text, codes[0]) {
			t.Errorf("the owner sees:\n%s", text)
		}
		h.Tap(apptest.Sam, "↩️ Not given")
		if text = apptest.Plain(h.See(apptest.Sam, "↩️ Not given after all: Sam").Text); !strings.Contains(text, "🤝 Given to the customer: Lila") {
			t.Errorf("what was said before is gone:\n%s", text)
		}
		h.Say(apptest.Sam, number)
		h.See(apptest.Sam, "👁 Codes shown to Sam")
		h.Answered()
	})
}

// TestClaimPack: what the service's support has to know of an order stands in one block, with the moment in two clocks, and no
// code whole.
func TestClaimPack(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	inTeam(t, func(h *apptest.Harness) {
		codes := boughtTwice(h)
		order := h.Service.Orders()[0]
		h.Say(apptest.Sam, order.ID)
		h.Tap(apptest.Sam, "📋 For support")
		m := h.See(apptest.Sam, "for the supplier's support")
		text := apptest.Plain(m.Text)
		for _, want := range []string{"Reference: #", "Order: " + order.ID, "Item: Play Card · 10 USD", "Paid: DZD 1,250.50", "Status: ", "Bought: 2000-01-01 01:0", "UTC+01:00", "The same in UTC: 2000-01-01 00:0", "Code: **** " + codes[0][len(codes[0])-4:]} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in:\n%s", want, text)
			}
		}
		if strings.Contains(m.Text, codes[0]) {
			t.Errorf("a code stands in it:\n%s", m.Text)
		}
		for _, b := range slices.Concat(m.Keyboard...) {
			if b.Copy != nil && strings.Contains(b.Copy.Text, codes[0]) {
				t.Errorf("a code is copied: %s", b.Copy.Text)
			}
		}
	})
}
