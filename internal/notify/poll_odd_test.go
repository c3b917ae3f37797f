package notify_test

import (
	"fmt"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
)

// waitsForCode passes time until the person has one code more than so many, and tells how long that took.
func waitsForCode(h *apptest.Harness, had int) time.Duration {
	begin := time.Now()
	for len(h.Codes(apptest.Sam)) <= had && time.Since(begin) < time.Hour {
		h.Pass(time.Second)
	}
	return time.Since(begin)
}

// TestDoneWithoutCodeHoldsUpNobody: an order that the service calls completed, and whose code it does not show yet, takes the time of no other.
func TestDoneWithoutCodeHoldsUpNobody(t *testing.T) {
	apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		id := held(h, 1)[0]
		shows(h, id, sim.Shown{Key: "", Claim: "false", Status: "completed"})
		h.Service.HoldOrders(false)
		h.Pass(20 * time.Second)
		for range 4 {
			had := len(h.Codes(apptest.Sam))
			buysOne(h)
			if late := waitsForCode(h, had); late > 10*time.Second {
				t.Errorf("a code comes after %v", late)
			}
			h.Pass(time.Minute)
		}
	})
}

// TestNewOrderIsKnownSoon: an order that the service knows a moment after it was bought is seen not much later.
func TestNewOrderIsKnownSoon(t *testing.T) {
	for _, unknown := range []time.Duration{1500 * time.Millisecond, 6 * time.Second, 20 * time.Second} {
		t.Run(fmt.Sprint(unknown), func(t *testing.T) {
			odd := &apptest.OddService{}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				var bought time.Time
				odd.Change(func(a *apptest.OddAnswer) {
					switch {
					case a.Is("POST", "/products/purchase/"):
						bought = time.Now()
					case (general(a) || a.Is("GET", "/purchase-history")) && time.Since(bought) < unknown:
						a.Say(404, `{"status":"error","message":"Order not found","data":null}`)
					}
				})
				h.Pass(20 * time.Second)
				buysOne(h)
				if late := waitsForCode(h, 0); late > 2*unknown+5*time.Second {
					t.Errorf("the code comes after %v", late)
				}
			})
		})
	}
}
