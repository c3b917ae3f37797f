package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// TestClockWasAhead: what was written while the clock was three hours ahead waits no longer for that than for anything
// else: a paid code comes when the service has it, and nothing is bought again.
func TestClockWasAhead(t *testing.T) {
	t.Parallel()
	sampletest.Slow(t)
	var ahead []byte
	t.Run("ahead", func(t *testing.T) {
		apptest.Run(t, stockOlder, func(h *apptest.Harness) {
			h.Pass(3 * time.Hour)
			untilOlder(h)
			var err error
			ahead, err = os.ReadFile(filepath.Join(h.Dir, "data/bot.db"))
			h.Must(err)
		})
	})
	apptest.Run(t, stockOlder, func(h *apptest.Harness) {
		untilOlder(h) // by the right clock: it is what the service knows
		h.Must(os.Remove(filepath.Join(h.Dir, "data/bot.db.id")))
		h.Must(os.WriteFile(filepath.Join(h.Dir, "data/bot.db"), ahead, 0o600))
		h.Start()
		h.Pass(35 * time.Minute)
		said := h.Transcript(apptest.Sam)
		if n := strings.Count(said, "Delivered"); n != 2 {
			t.Errorf("%d codes have come, not 2:\n%s", n, said)
		}
		if !strings.Contains(said, "topped up") && !strings.Contains(said, "Your decision is needed") {
			t.Errorf("the uncertain purchase was forgotten:\n%s", said)
		}
		h.Happened(3)
		h.Stop()
		h.Command("check")
	})
}

// TestClockIsSetBack: a program is told of a clock that was set back, and not of one that runs, stands still for a moment or
// is set forward.
func TestClockIsSetBack(t *testing.T) {
	for _, c := range []struct{ passed, onTheWall, want time.Duration }{
		{5 * time.Second, 5 * time.Second, 0},
		{5 * time.Second, time.Hour, 0},
		{5 * time.Second, -3 * time.Hour, 3*time.Hour + 5*time.Second},
		{time.Minute, 0, time.Minute},
	} {
		if got := app.SetBack(c.passed, c.onTheWall); got != c.want {
			t.Errorf("%v, of which the wall shows %v: set back by %v, want %v", c.passed, c.onTheWall, got, c.want)
		}
	}
}
