package notify_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestOutageThatFlickers: one endpoint for orders does not answer for hours, and another one always does. People are told of it a few
// times, ever more rarely, and not at each look.
func TestOutageThatFlickers(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		odd.Change(func(a *apptest.OddAnswer) {
			switch {
			case a.Is("POST", "/products/orders/retrieve"):
				a.Say(502, `{"status":"error","message":"Upstream service unavailable","data":null}`)
			case a.Is("GET", "/products/order/"):
				a.Say(404, `{"status":"error","message":"Order not found","data":null}`)
			}
		})
		h.Order(apptest.Sam, "Play Card", "10 USD", "2")
		h.Tap(apptest.Sam, "✅")
		h.Pass(12 * time.Hour)
		began, over := 0, 0
		for _, m := range h.Telegram.Messages(apptest.Sam) {
			began += strings.Count(m.Text, "does not answer at the moment")
			over += strings.Count(m.Text, "answers again")
		}
		if began == 0 || began > 10 || over > began {
			t.Errorf("an outage is told of %d times, and its end %d times", began, over)
		}
	})
}

// TestKeyThatWorksInPart: only the balance is refused, and orders are seen under the same key. The key is not called refused every few
// minutes.
func TestKeyThatWorksInPart(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		odd.Change(func(a *apptest.OddAnswer) {
			if a.Is("GET", "/balance") || a.Is("GET", "/account") {
				a.Say(403, `{"status":"error","message":"IP address not allowed","data":null}`)
			}
		})
		h.Pass(2 * time.Hour)
		if text := apptest.Plain(h.Texts(apptest.Sam)); strings.Contains(text, "no longer accepts your key") {
			t.Errorf("a key that works is called refused:\n%s", text)
		}
	})
}

// TestOrdersThatCannotBeAskedFor: where the service takes no question about an order for more than a day, whoever waits for it is told,
// once.
func TestOrdersThatCannotBeAskedFor(t *testing.T) {
	sampletest.Slow(t)
	sampletest.MoreThanFew(t)
	t.Parallel()
	odd := &apptest.OddService{}
	apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		odd.Change(func(a *apptest.OddAnswer) {
			if a.Is("POST", "/products/orders/retrieve") || a.Is("GET", "/products/order/") {
				a.Say(429, `{"status":"error","message":"Too Many Requests","data":null}`)
			}
		})
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(30 * time.Hour)
		if n := strings.Count(apptest.Plain(h.Texts(apptest.Sam)), "taking very long"); n != 1 {
			t.Errorf("it is told %d times\n%s", n, h.Texts(apptest.Sam))
		}
	})
}
