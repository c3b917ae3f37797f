package app_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
)

// TestTransactionsRunTwice: a transaction that runs a second time does what it would have done the first: nothing is told twice, bought
// twice, or written by what a run has noted that was not kept.
func TestTransactionsRunTwice(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.People(h)
		h.Engine = func(e store.Engine) store.Engine { return apptest.TwiceEngine{Engine: e} }
	}, func(h *apptest.Harness) {
		h.Say(apptest.Sam, "/language")
		h.Tap(apptest.Sam, "English")
		h.Link(apptest.Sam)
		h.Join(apptest.Karim, h.Invite(apptest.Sam, "➕ Seller"))
		h.Buy(apptest.Karim, "Play Card", "10 USD", "2")
		h.OrderLost(apptest.Sam, "Play Card", "25 USD", "1")
		h.Pass(15 * time.Minute)
		if n := len(h.Service.Purchases()); n != 2 {
			t.Errorf("%d purchases were made, want 2", n)
		}
		if strings.Contains(h.Log.String(), store.ErrConflict.Error()) {
			t.Errorf("a transaction was written by a version that was not kept:\n%s", h.Log.String())
		}
	})
}

// TestTransactionsLogOnce: what a transaction tells of in the log is told once it is on disk, and so once, however often it runs.
func TestTransactionsLogOnce(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Engine = func(e store.Engine) store.Engine { return apptest.TwiceEngine{Engine: e} }
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Service.HoldOrders(true)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Tap(apptest.Sam, "✅")
		h.Pass(time.Minute)
		h.Must(h.Service.Fail(h.Service.Orders()[0].ID, ""))
		h.Must(h.Service.Refund(h.Service.Orders()[0].ID))
		h.Pass(20 * time.Minute)
		h.Service.Deposit(apptest.TestKey, "-70")
		h.Pass(2 * time.Hour)
		for _, line := range []string{"refund seen", "the balance moved by something else"} {
			if n := strings.Count(h.Log.String(), line); n != 1 {
				t.Errorf("%q is logged %d times", line, n)
			}
		}
	})
}
