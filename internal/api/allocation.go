package api

import (
	"slices"
	"time"
)

// FarthestZone is how far a time whose zone is not known may be from what it reads as.
const FarthestZone = 14 * time.Hour

// Expired reports whether an allocation has surely ended: one whose time names no zone may end as much later as zones
// differ.
func (s ClientStock) Expired(now time.Time) bool {
	end := s.ExpiresAt
	if s.Zoneless {
		end = end.Add(FarthestZone)
	}
	return !s.ExpiresAt.IsZero() && !end.After(now)
}

// EarliestEnd is the first moment at which an allocation may end; zero where no end is given.
func (s ClientStock) EarliestEnd() time.Time {
	if s.Zoneless && !s.ExpiresAt.IsZero() {
		return s.ExpiresAt.Add(-FarthestZone)
	}
	return s.ExpiresAt
}

// Stopped reports whether the status says in so many words that units of the allocation cannot be had. The set of
// statuses is open (ClientStock): what nobody here knows is no reason to hold back stock that was set aside, since the
// service itself decides at the purchase.
func (s ClientStock) Stopped() bool {
	return slices.Contains([]string{
		"expired", "inactive", "notactive", "disabled", "deactivated", "suspended", "paused", "blocked", "revoked", "cancelled", "canceled",
		"closed", "ended", "deleted", "removed",
	}, letters(s.Status))
}

// Usable reports whether units of an allocation may be had now, as far as anything says.
func (s ClientStock) Usable(now time.Time) bool { return !s.Expired(now) && !s.Stopped() }

// SetAside is the allocation that a variant is bought from now; nil where there is none, or where it is not told how much
// of it is left.
func (v Variant) SetAside(now time.Time) *ClientStock {
	if v.Stock == nil || v.Stock.Lacks || v.Stock.Allocated <= 0 || !v.Stock.Usable(now) {
		return nil
	}
	return v.Stock
}
