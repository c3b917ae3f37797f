package purchase

import (
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	// codeless is how long an order may be called done without its code before people are told.
	codeless = 30 * time.Minute
	// lateAfter is how long an order may take before people are told to ask for it.
	lateAfter = 24 * time.Hour
	// followFor is how long an order is looked at that has come to an end which the service may still change: it
	// is done without its code, or failed without a refund.
	followFor = 7 * 24 * time.Hour
	// refundedFor is how long one that failed is looked at where its money seems to be back: the balance may have risen by
	// something else.
	refundedFor = 24 * time.Hour
	// mostLater is how many other codes of one order are kept beside the first.
	mostLater = 9
)

// lookAfter is the pause before the next look at what has stood unchanged for a time: ever longer.
func lookAfter(age time.Duration) time.Duration {
	return min(max(age*15/100, time.Minute), 12*time.Hour)
}

// advance is what an order becomes by a look at it. Nothing that the service may still change is the last word:
// a code that is there stays, whatever is said later, and an end gives way to another one. A look that says
// nothing, since the service left the order out, only lets its time pass.
func (e *Engine) advance(was store.Order, seen api.Order, at time.Time) store.Order {
	o := was
	o.SeenAt, o.Looks = at, o.Looks+1
	if seen.Status != "" {
		o.Status, o.Strange = seen.Status, seen.Stage() == api.Strange
		o.Back = was.State != store.Waiting && seen.Stage() == api.Underway
	}
	if !seen.Notes.IsZero() {
		o.Notes = seen.Notes
	}
	if !seen.Instead.IsZero() {
		o.Instead = seen.Instead
	}
	if !seen.Price.IsZero() {
		o.Price = seen.Price
	}
	keepCode(&o, seen)
	if seen.Stage() == api.Done && o.Code.IsZero() && (o.DoneAt.IsZero() || o.State == store.Failed) {
		o.DoneAt = at
	}
	if o.State = stateOf(was, o, seen, at); o.State != was.State {
		o.ReadyAt = at
		if was.State != store.Waiting {
			o.Was = was.State
		}
	}
	if o.State == store.Waiting {
		o.ReadyAt = time.Time{}
		o.Late = o.Late || at.Sub(o.CreatedAt) >= lateAfter || !o.DoneAt.IsZero() && at.Sub(o.DoneAt) >= codeless
	}
	o.Due = e.nextLook(was, o, seen, at)
	return o
}

// keepCode keeps a code that a look shows. One that differs from what was shown before is kept beside it.
func keepCode(o *store.Order, seen api.Order) {
	switch {
	case seen.Code.IsZero():
	case o.Code.IsZero():
		o.Code = seen.Code
	case len(o.Later) < mostLater && !slices.ContainsFunc(o.Codes(), seen.Code.Equal):
		o.Later = append(slices.Clone(o.Later), seen.Code)
	}
}

// stateOf is where an order stands after a look, with its code kept. A code counts whatever the status says; an
// order that fails after its code has come has failed. A success without a code is the end of a top-up, and of
// what people delivered with words; else the code is still to come, for as long as it is looked for. What goes
// back from an end, or has a status that we do not know, stays where it is.
func stateOf(was, o store.Order, seen api.Order, at time.Time) store.OrderState {
	coded := !o.Code.IsZero()
	switch stage := seen.Stage(); {
	case coded && was.Code.IsZero():
		return store.Ready
	case stage == api.Broken && coded && (api.Order{Status: was.Status}).Stage() == api.Broken: // it had failed when the code came
		return o.State
	case stage == api.Broken:
		return store.Failed
	case stage == api.Done && coded:
		return store.Ready
	case coded:
		return o.State
	case stage == api.Done && (o.Topup || !o.Notes.IsZero()):
		return store.Completed
	case stage == api.Done && o.State == store.Failed:
		return store.Waiting
	case o.State == store.Waiting && !o.DoneAt.IsZero() && at.Sub(o.DoneAt) >= followFor:
		return store.Completed
	}
	return o.State
}

// nextLook is when an order is looked at again, zero where its end is the last word.
func (e *Engine) nextLook(was, o store.Order, seen api.Order, at time.Time) time.Time {
	switch {
	case o.State == store.Waiting && o.Scheduled():
		return at.Add(lookAfter(at.Sub(o.DoneAt)))
	case o.State == store.Waiting:
		return at.Add(e.cfg.NextLook(at.Sub(o.CreatedAt)))
	case o.State == was.State && was.Due.IsZero() && !o.Back, isLast(o, seen), at.Sub(o.ReadyAt) >= lifeOf(o):
		return time.Time{}
	}
	return at.Add(lookAfter(at.Sub(o.ReadyAt)))
}

// lifeOf is how long an order is looked at after its end.
func lifeOf(o store.Order) time.Duration {
	if o.State == store.Failed && (o.Refund == store.RefundSeen || o.Refund == store.RefundLikely) {
		return refundedFor
	}
	return followFor
}

// isLast reports whether an end is the last word: what was bought is here, and the service itself says that this is
// all.
func isLast(o store.Order, seen api.Order) bool {
	switch {
	case o.State == store.Failed, o.Back:
		return false
	}
	return o.State == store.Completed || seen.Claim == api.HasCode || seen.Stage() == api.Done
}
