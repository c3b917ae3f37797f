package conversations_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// offline has the service answer everything with 502, or not at all, until its faults are cleared.
func offline(h *apptest.Harness, kind sim.FaultKind) {
	h.Service.Inject(sim.Fault{Operation: sim.AnyOperation, Kind: kind, Status: http.StatusBadGateway, Times: 100_000})
}

// confirmsOffline has Sam confirm a card while the service is away, and waits until the chat says so.
func confirmsOffline(h *apptest.Harness, card string, kind sim.FaultKind, says string) {
	h.T.Helper()
	h.Order(apptest.Sam, "Play Card", card, "1")
	offline(h, kind)
	h.Tap(apptest.Sam, "✅")
	h.SeeAny(apptest.Sam, says)
}

// TestConfirmedWhileTheServiceIsDown: what is confirmed while the service does not answer says that nothing was charged and
// until when it waits, is bought once where the service is back in time, and ends by itself where it is not.
func TestConfirmedWhileTheServiceIsDown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang, waits, over string
		kind              sim.FaultKind
	}{
		"en": {"en", "Nothing was charged. The supplier does not answer", "Not bought. Nothing was charged.", sim.Status},
		"fr": {"fr", "Rien n'a été débité. Le fournisseur ne répond pas", "Pas acheté. Rien n'a été débité.", sim.DropRequest},
		"ar": {"ar", "لم يُخصم شيء. المورّد لا يجيب", "لم يتم الشراء. لم يُخصم شيء.", sim.Garbage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Run(t, apptest.StockIn(c.lang), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				confirmsOffline(h, "10 USD", c.kind, c.waits)
				h.Pass(30 * time.Second)
				h.Bought(0)
				h.Service.ClearFaults()
				h.Delivered(apptest.Sam)
				h.Bought(1)

				confirmsOffline(h, "25 USD", c.kind, c.waits)
				h.Pass(100 * time.Second)
				h.SeeAny(apptest.Sam, c.waits)
				h.Pass(30 * time.Second)
				h.SeeAny(apptest.Sam, c.over)
				h.Service.ClearFaults()
				h.Pass(10 * time.Minute)
				h.Bought(1)
				h.Answered()
			})
		})
	}
}

// TestWaitForTheServiceIsLeft: who waits for the service can think better of it, and nothing is sent when it is back.
func TestWaitForTheServiceIsLeft(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		confirmsOffline(h, "10 USD", sim.Status, "The supplier does not answer")
		h.Tap(apptest.Sam, "✖️ Do not buy it")
		h.SeeAny(apptest.Sam, "Cancelled. Nothing was charged")
		h.Service.ClearFaults()
		h.Pass(5 * time.Minute)
		h.Bought(0)
		h.Answered()
	})
}

// TestWaitForTheServiceOutlivesARestart: the place in the queue is on disk, and the message says the same after a restart.
func TestWaitForTheServiceOutlivesARestart(t *testing.T) {
	t.Parallel()
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		confirmsOffline(h, "10 USD", sim.Status, "The supplier does not answer")
		h.Stop()
		h.Start()
		h.Pass(20 * time.Second)
		h.SeeAny(apptest.Sam, "The supplier does not answer")
		h.Service.ClearFaults()
		h.Delivered(apptest.Sam)
		h.Bought(1)
	})
}

// TestAListWaitsForTheService: the line whose turn it is waits, its card says so, and the list goes on or ends with it. A line
// that the service has not answered for is not tried line by line for two minutes each.
func TestAListWaitsForTheService(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]bool{"back in time": true, "away": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atTheCounter(t, func(h *apptest.Harness) {
				cardOf(h, "60 coins for:\n"+players(4))
				offline(h, sim.Status)
				h.Tap(apptest.Sam, "✅")
				h.SeeAny(apptest.Sam, "I try this line again until")
				if back {
					h.Pass(30 * time.Second)
					h.Service.ClearFaults()
					h.SeeAny(apptest.Sam, "List done: 4 of 4 delivered")
					h.Happened(4)
					return
				}
				h.Pass(2*time.Minute + 10*time.Second)
				m := h.SeeAny(apptest.Sam, "List done: 0 of 4")
				if n := strings.Count(m.Text, "the supplier does not answer"); n < 4 || !hasButton(m, "🔁") {
					t.Errorf("%d lines say why:\n%s", n, m.Text)
				}
				h.Service.ClearFaults()
				h.Pass(10 * time.Minute)
				h.Happened(0)
			})
		})
	}
}
