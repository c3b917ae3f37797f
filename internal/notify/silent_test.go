package notify_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestAnswersThatTellNothing: a service whose answers tell nothing of what is waited for is as good as one that does not answer.
// Whoever waits is told once, and once more when the code may come.
func TestAnswersThatTellNothing(t *testing.T) {
	sampletest.Slow(t)
	const nobody = `{"status":"error","message":"Upstream service unavailable","data":null}`
	for name, say := range map[string]func(*apptest.OddAnswer){
		"nothing in it":     func(a *apptest.OddAnswer) { a.Say(200, `{"status":"success","message":"ok","data":null}`) },
		"too many requests": func(a *apptest.OddAnswer) { a.Say(429, `{"status":"error","message":"Too Many Requests","data":null}`) },
		"it is left out of all": func(a *apptest.OddAnswer) {
			if a.Is("POST", "") {
				a.Say(200, `{"status":"success","data":[]}`)
			} else {
				a.Say(502, nobody)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			odd := &apptest.OddService{Rewrite: func(a *apptest.OddAnswer) {
				if a.Is("GET", "/products/order/") || a.Is("POST", "/products/orders/retrieve") {
					say(a)
				}
			}}
			apptest.Run(t, apptest.Oddly(apptest.Stock, odd), func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				h.Order(apptest.Sam, "Play Card", "10 USD", "1")
				h.Telegram.TapButton(apptest.Sam, apptest.Sam, "✅")
				h.Pass(9 * time.Minute)
				if h.Has(apptest.Sam, "does not answer") {
					t.Fatalf("it is told within minutes\n%s", h.Transcript(apptest.Sam))
				}
				h.Pass(time.Hour)
				h.Stop()
				h.Start()
				h.Pass(2 * time.Hour)
				told := h.Transcript(apptest.Sam)
				if n := strings.Count(told, "⏸ The supplier does not answer"); n != 1 || h.Has(apptest.Sam, "▶️") {
					t.Fatalf("it is told %d times in three hours, or called over\n%s", n, told)
				}
				odd.Change(nil)
				h.Pass(10 * time.Minute)
				h.SeeAny(apptest.Sam, "▶️ The supplier answers again")
				h.SeeAny(apptest.Sam, "🎉 Delivered")
			})
		})
	}
}
