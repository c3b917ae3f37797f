package notify

import (
	"errors"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
)

// NextLook is how long to wait before an order of this age is looked at again: 15 % of its age, so that
// a quick one is seen at once and a slow one costs few calls; 400 ms at least, a minute at most, and an
// hour once the order is older than a day. Example: 3 s at an age of 20 s, a minute from 6 min 40 s on.
func NextLook(age time.Duration) time.Duration {
	if age >= 24*time.Hour {
		return time.Hour
	}
	return min(max(age*15/100, 400*time.Millisecond), time.Minute)
}

// spread moves a wait by up to a tenth either way, f being random in [0, 1): so that what was queued at
// one moment does not come back at one moment.
func spread(d time.Duration, f float64) time.Duration {
	return d + time.Duration((f-0.5)*0.2*float64(d))
}

// repeatAfter is the wait before the next try at a message that may not have arrived: 2, 4, 8 … 60 s.
// tries counts those that failed, from 1.
func repeatAfter(tries int) time.Duration { return backoff.Doubled(2*time.Second, time.Minute, tries) }

// longOutage is after how many failed calls in a row the wait grows no more.
// Example: the seventh wait is 1 s doubled six times, 64 s, of which 60 s are left.
const longOutage = 7

// outageWait is the wait after a number of failed calls in a row: 1, 2, 4 … 60 s.
func outageWait(failures int) time.Duration {
	return backoff.Doubled(time.Second, time.Minute, failures)
}

// restAfter is how long a chat that refuses messages is left alone: 1, 6, 24, then 72 hours.
func restAfter(tries int) time.Duration {
	rests := [...]time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 72 * time.Hour}
	return rests[min(max(tries, 1), len(rests))-1]
}

// failureWait is how long the service is left alone after a call that failed, the last of several.
func failureWait(err error, failures int) time.Duration {
	var e *api.Error
	wait := outageWait(failures)
	switch {
	case !errors.As(err, &e):
		return wait
	case e.Class == api.Limited:
		return max(e.RetryAfter, wait)
	case e.Class == api.Unauthorized, e.Class == api.IPBlocked:
		// RetryAfter and the number of failures say nothing here: somebody has to change the key, or the address.
		return refusedWait
	}
	return wait
}

// laterOf is the later of two moments.
func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
