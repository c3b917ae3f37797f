package notify

import (
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// marginShare is by which part of a threshold a value has to rise above it before it can cross it anew.
const marginShare = 10

// below reports whether a threshold is crossed now: a value falls below it, and is above it again only by a
// margin, so that what wavers about the threshold speaks once.
// Example: with a threshold of 20, 19 crosses it, and from 22 on the value is above it again.
func below(was bool, value, threshold int64) bool {
	if was {
		return value < threshold+max(1, threshold/marginShare)
	}
	return value < threshold
}

// belowAmount is below for money.
func belowAmount(was bool, value, threshold dzd.Amount) bool {
	if !was {
		return value.Less(threshold)
	}
	// Eleven tenths of the threshold against ten tenths of the value: both are multiplied, since amounts are never divided.
	margin, err := threshold.Mul(marginShare + 1)
	if err != nil {
		return value.Less(threshold)
	}
	scaled, err := value.Mul(marginShare)
	return err == nil && scaled.Less(margin)
}

// daysLeft is for how many whole days a balance lasts at the pace of what was spent over a time, to the hour; false where nothing
// was spent.
// Example: 3500 DZD were spent over a week, and 7000 DZD are left: 14 days.
func daysLeft(available, spent dzd.Amount, over time.Duration) (int64, bool) {
	if spent.Sign() <= 0 || available.Sign() < 0 {
		return 0, false
	}
	lasts, err := available.Mul(max(1, int(over/time.Hour)))
	if err != nil {
		return 0, false
	}
	// A pace is no money: whole days are found by counting, since amounts are never divided.
	const most = 366
	low, high := 0, most
	for low < high {
		mid := (low + high + 1) / 2
		if cost, err := spent.Mul(24 * mid); err == nil && !lasts.Less(cost) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return int64(low), true
}

// quietUntil is when alerts may speak again, now where they may.
func quietUntil(h store.Hours, now time.Time, zone *time.Location) time.Time {
	if !h.Within(now, zone) {
		return now
	}
	local := now.In(zone)
	end := time.Date(local.Year(), local.Month(), local.Day(), h.To, 0, 0, 0, zone)
	if !end.After(local) {
		end = time.Date(local.Year(), local.Month(), local.Day()+1, h.To, 0, 0, 0, zone)
	}
	return end
}
