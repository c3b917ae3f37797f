package ledger

import (
	"fmt"
	"time"
)

// Day is the label of a day, as "2026-11-22". Labels sort as their days do. The empty one is before all others.
type Day string

// layout is how a day is written.
const layout = time.DateOnly

// DayAt is the day of a moment in a zone, where days begin so long after midnight.
func DayAt(at time.Time, zone *time.Location, cutOff time.Duration) Day {
	local := at.In(zone)
	y, m, d := local.Date()
	hour, minute, second := local.Clock()
	if time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute+time.Duration(second)*time.Second < cutOff {
		d--
	}
	// time.Date takes the day before the 1st for the last of the month before. Noon of UTC is far from any change of the clock.
	return Day(time.Date(y, m, d, 12, 0, 0, 0, time.UTC).Format(layout))
}

// ParseDay reads a label.
func ParseDay(s string) (Day, error) {
	if _, err := time.Parse(layout, s); err != nil {
		return "", fmt.Errorf("%q is no day", s)
	}
	return Day(s), nil
}

// Plus is the label so many days later. The empty label stays empty.
// Days are counted in UTC, where each has 24 hours: the zone of the book is in the label already.
func (d Day) Plus(days int) Day {
	at, err := time.Parse(layout, string(d))
	if err != nil {
		return ""
	}
	return Day(at.AddDate(0, 0, days).Format(layout))
}

// Until is how many days lie between two labels.
func (d Day) Until(later Day) int {
	a, errA := time.Parse(layout, string(d))
	b, errB := time.Parse(layout, string(later))
	if errA != nil || errB != nil {
		return 0
	}
	return int(b.Sub(a).Hours() / 24)
}
