package notify

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// TestLineSpeaksOnce: whatever a balance does, a line speaks when it is crossed, and not again before the
// balance was above it by its margin.
func TestLineSpeaksOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.Int64Range(1, 10_000).Draw(t, "line")
		values := rapid.SliceOfN(rapid.Int64Range(0, 12_000), 1, 60).Draw(t, "values")
		was, armed := false, true
		for _, v := range values {
			now := below(was, v, line)
			if inMoney := belowAmount(was, dzd.Int(v), dzd.Int(line)); line%marginShare == 0 && inMoney != now {
				t.Fatalf("%d below %d: %v in numbers, %v in money", v, line, now, inMoney)
			}
			spoke := now && !was
			switch {
			case spoke && !armed:
				t.Fatalf("spoke again at %d before it was above %d by a margin", v, line)
			case !spoke && armed && v < line:
				t.Fatalf("stayed silent at %d below %d", v, line)
			}
			if spoke {
				armed = false
			}
			if v >= line+max(1, line/marginShare) {
				armed = true
			}
			was = now
		}
	})
}

func TestDaysLeft(t *testing.T) {
	for name, c := range map[string]struct {
		available, spent string
		over             time.Duration
		want             int64
		known            bool
	}{
		"nothing was spent":     {"1000", "0", week, 0, false},
		"a week":                {"700", "700", week, 7, true},
		"a day and a bit":       {"150", "700", week, 1, true},
		"nothing is left":       {"0", "700", week, 0, true},
		"less than nothing":     {"-1", "700", week, 0, false},
		"very much":             {"1000000", "0.01", week, 366, true},
		"a fraction of a dinar": {"0.5", "0.7", week, 5, true},
		"spent in two days":     {"700", "700", 2 * 24 * time.Hour, 2, true},
		"spent in minutes":      {"1000000", "700", time.Minute, 59, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, known := daysLeft(dzd.Must(c.available), dzd.Must(c.spent), c.over)
			if got != c.want || known != c.known {
				t.Errorf("daysLeft = %d, %v; want %d, %v", got, known, c.want, c.known)
			}
		})
	}
}

func TestQuietUntil(t *testing.T) {
	zone := time.FixedZone("", 3600)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, zone) }
	for name, c := range map[string]struct {
		hours     store.Hours
		now, want time.Time
	}{
		"no quiet hours":        {store.Hours{}, at(1, 23, 0), at(1, 23, 0)},
		"in the evening":        {store.Hours{From: 22, To: 7}, at(1, 23, 0), at(2, 7, 0)},
		"after midnight":        {store.Hours{From: 22, To: 7}, at(2, 3, 30), at(2, 7, 0)},
		"in the morning":        {store.Hours{From: 22, To: 7}, at(2, 7, 0), at(2, 7, 0)},
		"by day":                {store.Hours{From: 22, To: 7}, at(2, 12, 0), at(2, 12, 0)},
		"within one day":        {store.Hours{From: 0, To: 6}, at(2, 5, 59), at(2, 6, 0)},
		"just before it":        {store.Hours{From: 13, To: 15}, at(2, 12, 59), at(2, 12, 59)},
		"at its very start":     {store.Hours{From: 13, To: 15}, at(2, 13, 0), at(2, 15, 0)},
		"all but one hour":      {store.Hours{From: 8, To: 7}, at(2, 8, 0), at(3, 7, 0)},
		"the hour that is left": {store.Hours{From: 8, To: 7}, at(2, 7, 30), at(2, 7, 30)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := quietUntil(c.hours, c.now, zone); !got.Equal(c.want) {
				t.Errorf("quiet until %v, want %v", got, c.want)
			}
		})
	}
}
