package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
)

// TestStartAfterACleanStop reads nothing twice: what was closed cleanly is relied on, and what somebody has been at since
// is read from end to end.
func TestStartAfterACleanStop(t *testing.T) {
	read := 0
	apptest.Run(t, func(h *apptest.Harness) {
		h.CheckFile = func(context.Context, string) error { read++; return nil }
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Stop()
		h.Start()
		if read != 0 {
			t.Errorf("after a clean stop the file was read %d times", read)
		}
		h.Stop()
		h.Must(os.Chtimes(filepath.Join(h.Dir, "data", "bot.db"), time.Time{}, time.Now().Add(time.Hour)))
		h.Start()
		if read != 1 {
			t.Errorf("a file that was touched was read %d times", read)
		}
	})
}

// TestStartAfterKills: behind one kill nothing is read; behind a second without a clean end between them, all is.
func TestStartAfterKills(t *testing.T) {
	read := 0
	apptest.Run(t, func(h *apptest.Harness) {
		h.CheckFile = func(context.Context, string) error { read++; return nil }
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		for kills, want := range []int{0, 1, 1, 2} {
			opened := filepath.Join(h.Dir, "data", "bot.db.opened")
			note, err := os.ReadFile(opened)
			h.Must(err)
			if strings.Contains(string(note), `"Boot":""`) {
				t.Skip("the system does not tell its runs apart")
			}
			h.Stop()
			h.Must(os.WriteFile(opened, note, 0o600)) // what a process leaves that is killed
			h.Must(os.Remove(filepath.Join(h.Dir, "data", "bot.db.closed")))
			h.Start()
			if read != want {
				t.Errorf("after %d kills the file was read %d times, want %d", kills+1, read, want)
			}
		}
	})
}

// TestStartOnASlowDisk: a file that cannot be read to its end in time is opened as it is, and that is said. The next start tries again.
func TestStartOnASlowDisk(t *testing.T) {
	read := 0
	apptest.Run(t, func(h *apptest.Harness) {
		h.CheckFile = func(context.Context, string) error { read++; return app.SlowError(time.Minute) }
	}, func(h *apptest.Harness) {
		h.Link(apptest.Sam)
		h.Stop()
		h.Must(os.Chtimes(filepath.Join(h.Dir, "data", "bot.db"), time.Time{}, time.Now().Add(time.Hour)))
		h.Start()
		h.Say(apptest.Sam, "/help")
		h.Answered()
		if log := h.Log.String(); !strings.Contains(log, "without having been read to its end") || !strings.Contains(log, "did not end within 1m0s") {
			t.Errorf("nobody is told: %s", log)
		}
		h.Stop()
		h.Start()
		if read != 2 {
			t.Errorf("in two starts the file was read %d times", read)
		}
	})
}
