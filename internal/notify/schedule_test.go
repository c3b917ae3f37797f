package notify

import (
	"testing"
	"time"
)

// TestDailyIsOnceADay: what has an hour of the day runs once on each day of a year, in zones that set their clocks forward over
// that hour, at midnight too, and back over it.
func TestDailyIsOnceADay(t *testing.T) {
	for _, c := range []struct{ spec, zone string }{
		{"@daily", "Africa/Cairo"}, {"@daily", "Asia/Beirut"}, {"@daily", "America/Havana"}, {"30 2 * * *", "Europe/Paris"},
		{"30 2 * * *", "America/New_York"}, {"0 4 * * *", "Africa/Algiers"}, {"30 1 * * *", "Europe/London"}, {"0 0 * * *", "America/Asuncion"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		when, err := parseSpec(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		days := map[string]int{}
		end := time.Date(2025, 1, 1, 0, 0, 0, 0, zone)
		for at := when.Next(time.Date(2023, 12, 31, 23, 0, 0, 0, zone)); at.Before(end); at = when.Next(at) {
			days[at.Format(time.DateOnly)]++
		}
		for day, n := range days {
			if n != 1 {
				t.Errorf("%s in %s: %d times on %s", c.spec, c.zone, n, day)
			}
		}
		if len(days) != 366 {
			t.Errorf("%s in %s: on %d days of 366", c.spec, c.zone, len(days))
		}
	}
}
