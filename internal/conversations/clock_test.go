package conversations_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// topUpAt tops up once, and returns what the history of the service shows of it.
func topUpAt(h *apptest.Harness, player string) string {
	h.T.Helper()
	topUp(h, "Arena", "110 gems", player)
	h.Tap(apptest.Sam, "✅")
	return arenaHistory(h)
}

// arenaHistory is the newest top-up of the service's history, as the chat shows it.
func arenaHistory(h *apptest.Harness) string {
	h.T.Helper()
	h.Say(apptest.Sam, "/orders")
	h.Tap(apptest.Sam, "Supplier history")
	h.Tap(apptest.Sam, "Arena")
	text := apptest.Plain(h.See(apptest.Sam, "110 gems").Text)
	_, line, _ := strings.Cut(text, "#")
	line, _, _ = strings.Cut(line, "\n")
	return line
}

// TestTimesWithoutAZone: a time that names no zone is shown as the service wrote it, until the account's own orders have
// shown how far that is from our clock, or the operator has said which zone it is.
func TestTimesWithoutAZone(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	tokyo := time.FixedZone("", 9*60*60)
	for name, c := range map[string]struct {
		set  string
		asIs bool // at first
	}{
		"nobody knows": {"", true},
		"it is set":    {"Asia/Tokyo", false},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Run(t, func(h *apptest.Harness) {
				apptest.Everything(sim.Options{Mode: sim.Both, Zone: tokyo})(h)
				h.Env["SERVICE_TIMEZONE"], h.Env["TIMEZONE"] = c.set, "UTC"
			}, func(h *apptest.Harness) {
				h.Link(apptest.Sam)
				at := time.Now().UTC()
				line := topUpAt(h, "1234567890")
				theirs, ours := at.In(tokyo).Format("15:"), at.Format("15:")
				if c.asIs && (!strings.Contains(line, theirs) || !strings.Contains(line, "the supplier's clock")) || !c.asIs && (!strings.Contains(line, ours) || strings.Contains(line, "clock")) {
					t.Errorf("at first it is shown as %q, %s there and %s here", line, theirs, ours)
				}
				h.Pass(30 * time.Minute) // its price and its order have shown by now
				if line = arenaHistory(h); !strings.Contains(line, ours) || strings.Contains(line, "clock") {
					t.Errorf("then it is shown as %q, %s there and %s here", line, theirs, ours)
				}
			})
		})
	}
}

// TestOrderOfTheHistoryKeepsItsTime: an order that is opened from the service's history was made when the list says.
func TestOrderOfTheHistoryKeepsItsTime(t *testing.T) {
	t.Parallel()
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Everything(sim.Options{Mode: sim.Both, Zone: time.FixedZone("", 9*60*60)})(h)
		h.Env["TIMEZONE"] = "UTC"
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		topUpAt(h, "1234567890")
		h.Pass(30 * time.Minute) // which zone it is has shown by now
		outside(h, `{"player_id":"1234567890","plan_id":"ARENA-110"}`)
		at := time.Now().UTC().Format("15:")
		if line := arenaHistory(h); !strings.Contains(line, at) || strings.Contains(line, "clock") {
			t.Fatalf("it is listed as %q, and made at %s", line, at)
		}
		h.Tap(apptest.Sam, "1")
		if text := apptest.Plain(h.See(apptest.Sam, "matches no purchase").Text); !strings.Contains(text, at) || strings.Contains(text, "clock") {
			t.Errorf("it is opened as %q, and made at %s", text, at)
		}
	})
}

// outside tops up with the account's key past the bot.
func outside(h *apptest.Harness, body string) {
	h.T.Helper()
	tr := &http.Transport{DialContext: h.Net.Dial}
	defer tr.CloseIdleConnections()
	req, err := http.NewRequestWithContext(h.T.Context(), http.MethodPost, "http://"+apptest.ServiceAddr+"/api/arena/topup", strings.NewReader(body))
	h.Must(err)
	req.Header.Set("X-Api-Key", apptest.TestKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := tr.RoundTrip(req)
	h.Must(err)
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices {
		h.T.Fatalf("the service answers %s", resp.Status)
	}
}
