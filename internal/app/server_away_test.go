package app_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/store/postgres/pgtest"
)

// TestServerAwayForAnHour: the server goes, for an hour, under the bot. It ends by itself, and whoever starts it again meanwhile is told at
// once why it cannot. When the server is back, nothing of what was bought or written is lost.
func TestServerAwayForAnHour(t *testing.T) {
	sampletest.Waits(t)
	t.Parallel()
	server := pgtest.New(t)
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Env["DATABASE_URL"] = server.URL("postgres", nil)
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Buy(apptest.Sam, "Play Card", "5 USD", "1")
		h.Delivered(apptest.Sam)
		h.Order(apptest.Sam, "Play Card", "10 USD", "1")
		h.Must(server.Down())
		h.Tap(apptest.Sam, "✅")
		h.Say(apptest.Sam, "/balance")
		h.Pass(time.Hour)
		if err := h.StopBot(); err == nil {
			t.Error("it does not end by itself")
		}
		h.StopBot = nil
		for range 3 {
			begin := time.Now()
			code, said := command(h, "run")
			if code != 1 || !strings.Contains(said, "open the database at DATABASE_URL: connect") || time.Since(begin) > 10*time.Second {
				t.Errorf("without a server it ends with %d after %v\n%s", code, time.Since(begin), said)
			}
			h.Pass(2 * time.Minute)
		}
		h.Must(server.Up())
		h.Start()
		h.Pass(time.Hour) // in which the lease of the one that ended runs out
		if n := len(h.Service.Purchases()); n != 1 {
			t.Errorf("%d purchases were made: the second was confirmed an hour ago", n)
		}
		h.Say(apptest.Sam, "/orders")
		h.See(apptest.Sam, "5 USD")
		h.Buy(apptest.Sam, "Play Card", "10 USD", "1")
		h.Delivered(apptest.Sam)
	})
}
