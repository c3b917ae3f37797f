package control_test

import (
	"strings"
	"testing"
	"time"

	"resellerbot/internal/control"
)

// TestSpans: what lasts a day or longer is told in days, and one of something is not several.
func TestSpans(t *testing.T) {
	for ran, want := range map[time.Duration]string{
		3*time.Minute + 1600*time.Millisecond: "running for 3m2s.",
		24*time.Hour - time.Second:            "running for 23h59m59s.",
		24*time.Hour - 100*time.Millisecond:   "running for 1 day.",
		25*time.Hour + 59*time.Minute:         "running for 1 day 1h.",
		235754 * time.Hour:                    "running for 9823 days 2h.",
		48*time.Hour + 59*time.Minute:         "running for 2 days.",
	} {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		var b strings.Builder
		if err := (control.Status{Version: "v1", Now: now, Started: now.Add(-ran)}).Print(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: %s", ran, b.String())
		}
	}
	for n, want := range map[int]string{0: "0 codes", 1: "1 code", 2: "2 codes"} {
		if got := control.Counted(n, "code"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

// TestOverdue: a look that has been due for a moment is not called late.
func TestOverdue(t *testing.T) {
	for due, want := range map[time.Duration]string{
		time.Minute:       "is due in 1m0s.",
		-time.Second:      "is due now.",
		-20 * time.Second: "is due 20s ago: OVERDUE.",
	} {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		at := now.Add(due)
		var b strings.Builder
		if err := (control.Status{Version: "v1", Now: now, Started: now, Orders: &at}).Print(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: %s", due, b.String())
		}
	}
}
