package purchase

import (
	"hash/fnv"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

const (
	// creditedAfter is how long the code is waited for of an order that is done and for somebody: whether such orders bring
	// one is not shown. What comes without is credited to whom it is for; its code, should it come later, is delivered.
	creditedAfter = time.Minute
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
	// newFor is how long the service may take to show an order at all.
	newFor = time.Minute
	// goneAfter is how long no endpoint may show an order before people are told.
	goneAfter = time.Hour
	// mostLater is how many other codes of one order are kept beside the first.
	mostLater = 9
)

// lookAfter is the pause before the next look at what has stood unchanged for a time: ever longer.
// Example: a minute up to an age of 6 min 40 s, 9 min at an hour, 12 h from 80 h on.
func lookAfter(age time.Duration) time.Duration {
	return min(max(age*15/100, time.Minute), 12*time.Hour)
}

// rechecks lists the ages, since its end, at which an order is looked at that has come with what was bought: the service
// may still call it failed. They are few, for every order has them, and fewer where each spends a call of its own. Of one that
// is for somebody and came without a code there are more: it may bring one yet.
func rechecks(o store.Order) []time.Duration {
	const some, day = 30 * time.Minute, 24 * time.Hour
	if o.Personal && o.Code.IsZero() {
		return []time.Duration{some / 6, some / 3, some, 2 * some, 4 * some, day / 6, day / 3, day, 2 * day, 3 * day, 4 * day, 5 * day, followFor - day}
	}
	if api.Origin(o.Origin).Batched() {
		return []time.Duration{some, day / 4, day, 3 * day}
	}
	return []time.Duration{some, day / 4, 2 * day}
}

// recheckAt is when an order that has come with what was bought is looked at next, zero where it is not any more. It is up
// to half later than its age says, at moments that the account's orders share: then they travel in one call.
func recheckAt(o store.Order, at time.Time) time.Time {
	for _, age := range rechecks(o) {
		if due := o.ReadyAt.Add(age); due.After(at) {
			every := age / 2
			h := fnv.New32a()
			_, _ = h.Write([]byte(o.Account))
			phase := time.Duration(h.Sum32()) * time.Microsecond % every // not the same moment for all accounts
			// Example: at an age of 30 min every is 15 min. With a phase of zero, orders that are due at 12:01 and at 12:09 wait for one look, at
			// 12:15.
			return due.Add(-phase).Truncate(every).Add(every + phase)
		}
	}
	return time.Time{}
}

// advance is what an order becomes by a look at it. Nothing that the service may still change is the last word:
// a code that is there stays, whatever is said later, and an end gives way to another one. A look that says
// nothing, since the service left the order out, only lets its time pass.
func (e *Engine) advance(was store.Order, seen api.Order, at time.Time) store.Order {
	// The order of what follows matters: the code is kept before the state is told from it, the state before ReadyAt, and the
	// next look comes last, since it asks all of them.
	o := was
	o.SeenAt, o.Looks = at, o.Looks+1
	if seen.Status != "" {
		o.Status, o.Unrecognized = seen.Status, seen.Stage() == api.Unrecognized
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
	o.Unshown = unshownSince(o, seen, at)
	o.Gone = !o.Unshown.IsZero() && at.Sub(o.Unshown) >= goneAfter
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
	// An order that was taken back to waiting has no end: what is asked of its age is asked from its beginning again.
	if o.State == store.Waiting {
		o.ReadyAt = time.Time{}
		o.Late = o.Late || at.Sub(o.CreatedAt) >= lateAfter || !o.DoneAt.IsZero() && at.Sub(o.DoneAt) >= codeless
	}
	// What was to come is overdue, or is not to come: it may stand in a field that nobody knows.
	if o.Code.IsZero() && o.Instead.IsZero() && (o.State == store.Completed && !o.Topup || o.State == store.Waiting && o.CodeOverdue()) {
		o.Instead = seen.Facts
	}
	o.Rechecked = isLast(was, o, seen)
	if o.Due = e.nextOrderLook(was, o, at); o.Due.IsZero() {
		o.Rechecked = false
	}
	return o
}

// unshownSince is since when the service does not show an order at any endpoint. What it has not shown yet, for it is new,
// does not count, and a look that says nothing changes nothing.
func unshownSince(o store.Order, seen api.Order, at time.Time) time.Time {
	switch {
	case o.State != store.Waiting, seen.Status != "", !seen.Code.IsZero():
		return time.Time{}
	case seen.Gone && o.Unshown.IsZero() && at.Sub(o.CreatedAt) >= newFor:
		return at
	}
	return o.Unshown
}

// keepCode keeps a code that a look shows. One that tells what those shown before do not is kept beside them.
func keepCode(o *store.Order, seen api.Order) {
	switch {
	case seen.Code.IsZero():
	case o.Code.IsZero():
		o.Code = seen.Code
		o.Serial = seen.Serial
	case addsNoCodeLine(o.Codes(), seen.Code):
	case len(o.Later) < mostLater && !slices.ContainsFunc(o.Codes(), func(was secret.Text) bool { return store.Respelled(was, seen.Code) }):
		o.Later = append(slices.Clone(o.Later), seen.Code)
	}
}

// stateOf is where an order stands after a look, with its code kept. A code counts whatever the status says, unless that
// is that it has failed: such a code is shown for what it is, and its money is looked for. A success without a code is the
// end of a top-up, of what people delivered with words, and, after a moment, of what is for somebody; else the code is still
// to come, for as long as it is looked for. What goes back from an end, or has a status that we do not know, stays where it
// is.
func stateOf(was, o store.Order, seen api.Order, at time.Time) store.OrderState {
	coded := !o.Code.IsZero()
	switch stage := seen.Stage(); {
	case stage == api.Broken:
		return store.Failed
	// A first code makes it ready even where the status says that it is under way.
	case coded && was.Code.IsZero():
		return store.Ready
	case stage == api.Done && coded:
		return store.Ready
	// Its code is here and its status is not an end: it stays where it was.
	case coded:
		return o.State
	case stage == api.Done && (o.Topup || !o.Notes.IsZero() || o.Manual && api.Sentence(o.Instead.Reveal())):
		return store.Completed
	case stage == api.Done && isCredited(o, seen, at):
		return store.Completed
	// It is not broken after all, and brought nothing yet: it is waited for anew.
	case stage == api.Done && o.State == store.Failed:
		return store.Waiting
	// Its code did not come for as long as it is looked for: it ends without one, and isGivenUp tells it from the others.
	case o.State == store.Waiting && !o.DoneAt.IsZero() && at.Sub(o.DoneAt) >= followFor:
		return store.Completed
	}
	return o.State
}

// isCredited reports whether an order that is done, and for somebody, is so without a code: the service speaks of none, and
// none has come for a moment.
func isCredited(o store.Order, seen api.Order, at time.Time) bool {
	return o.Personal && seen.Claim != api.HasCode && seen.Instead.IsZero() && at.Sub(o.DoneAt) >= creditedAfter
}

// nextOrderLook is when an order is looked at again, zero where its end is the last word.
func (e *Engine) nextOrderLook(was, o store.Order, at time.Time) time.Time {
	switch {
	case o.State == store.Waiting && o.OnlyWhenDue():
		return at.Add(lookAfter(at.Sub(o.DoneAt)))
	case o.State == store.Waiting:
		return at.Add(e.cfg.NextLook(at.Sub(o.CreatedAt)))
	case o.State == was.State && was.Due.IsZero() && !o.Back, isGivenUp(o), at.Sub(o.ReadyAt) >= lifeOf(o):
		return time.Time{}
	case o.Rechecked:
		return recheckAt(o, at)
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

// isLast reports whether an end is the last word, as far as can be seen: what was bought is here, and the service itself
// says, or has said, that this is all.
func isLast(was, o store.Order, seen api.Order) bool {
	switch {
	case o.State != store.Ready && o.State != store.Completed, o.Back:
		return false
	}
	return o.State == store.Completed || was.Rechecked || seen.Claim == api.HasCode || seen.Stage() == api.Done
}

// isGivenUp reports whether an order was called done, and its code looked for in vain.
func isGivenUp(o store.Order) bool { return o.State == store.Completed && o.CodeOverdue() }
