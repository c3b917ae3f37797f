package sim

import (
	"time"
)

// phase is how far an order is.
type phase uint8

const (
	waiting phase = iota
	done
	failed
	canceled
)

// now is the moment that is shown, which is before the true one where a reading lags. An order has no history: this works only because
// nothing of it changes once it is ready.
func (o *order) phase(now time.Time) phase {
	switch {
	case o.ready.IsZero() || now.Before(o.ready):
		return waiting
	case o.canceled:
		return canceled
	case o.fails:
		return failed
	}
	return o.shown(now)
}

// key is an order's code at a time; "" while there is none to see.
func (o *order) key(now time.Time) string {
	if o.phase(now) != done {
		return ""
	}
	return o.codeAt(now)
}

// delivers reports whether the order brings a code.
func (o *order) delivers() bool { return o.variant != nil && o.variant.product.delivers() }

// family is the order's family: which endpoints follow it.
func (o *order) family() string {
	if o.plan != nil {
		return familyArena
	}
	return o.variant.product.Family
}

// currentStatus is the status of a Current order. Of the set only `processing` is shown.
func (o *order) currentStatus(now time.Time, s shape) string {
	switch o.phase(now) {
	case done:
		return s.word("done", "completed", "delivered", "success")
	case failed:
		// ErrorFirst: an error that passes, without a refund. The word is none of those for a failure that stays.
		if !o.fails {
			return "error"
		}
		return s.word("failed", "failed", "canceled")
	case canceled:
		return "canceled"
	}
	if o.manual {
		return "pending"
	}
	return "processing"
}

// legacyStatus is the status of a Legacy order: completed, delivered, pending or canceled.
func (o *order) legacyStatus(now time.Time) string {
	switch o.phase(now) {
	case done:
		if o.manual {
			return "delivered"
		}
		return "completed"
	case failed, canceled:
		return "canceled"
	}
	return "pending"
}

// topupStatus is the status of an arena top-up: pending, success or failed.
func (o *order) topupStatus(now time.Time) string {
	switch o.phase(now) {
	case done:
		return "success"
	case failed, canceled:
		return "failed"
	}
	return "pending"
}
