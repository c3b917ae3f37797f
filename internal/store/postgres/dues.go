package postgres

import (
	"sync"
	"time"

	"resellerbot/internal/store"
)

// dues remembers when the next record of each kind is due, as the transactions of this process have left it. Workers ask for it all the
// time, mostly of queues in which nothing has changed. Its zero value is ready.
type dues struct {
	mu     sync.Mutex
	of     map[store.Kind]*nextDue
	claims uint64 // that were heard of
}

// nextDue is what is known of a kind.
type nextDue struct {
	known   bool
	at      time.Time // zero: nothing is queued
	changes uint64    // what was read before the last one is not learnt
}

// kind is what is known of a kind. The caller holds mu.
func (d *dues) kind(k store.Kind) *nextDue {
	if d.of == nil {
		d.of = map[store.Kind]*nextDue{}
	}
	if d.of[k] == nil {
		d.of[k] = &nextDue{}
	}
	return d.of[k]
}

// recall is when the next record of a kind is due, zero where nothing is queued; false where it is not known.
func (d *dues) recall(k store.Kind) (time.Time, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.kind(k)
	return n.at, n.known
}

// now is a moment for learn: when the database is about to be asked.
func (d *dues) now(k store.Kind) (changes uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.kind(k).changes
}

// learn notes what the database has said, unless anything has changed since it was asked.
func (d *dues) learn(since uint64, k store.Kind, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := d.kind(k); n.changes == since {
		n.known, n.at = true, at
	}
}

// flies is a moment for kept: when a transaction is about to be sent.
func (d *dues) flies() (claims uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.claims
}

// kept notes what a transaction has left behind since it was sent. What was claimed meanwhile may have been claimed behind it.
func (d *dues) kept(since uint64, entries map[store.RecordKey]*entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for p, at := range entries {
		was, is := at.stored.Due, at.now.Due
		if at.stored.Version == at.now.Version || was.IsZero() && is.IsZero() {
			continue
		}
		n := d.kind(p.Kind)
		// Before anything else: a read that has begun before may not be learnt, whatever is known.
		n.changes++
		switch {
		case !n.known:
		// A claim of any kind was heard of since the transaction was sent. It may have come first or last: the next ask goes to
		// the database.
		case since != d.claims:
			n.known = false
		case !is.IsZero() && (n.at.IsZero() || !is.After(n.at)):
			n.at = is
		case !was.IsZero() && !was.After(n.at): // it was the next one: which is now, nobody knows
			n.known = false
		}
	}
}

// claimed notes that records of a kind were claimed, and what was next behind them, unless anything else has changed since.
func (d *dues) claimed(since uint64, k store.Kind, next time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.kind(k)
	d.claims++
	// next was read by the claim itself, behind what it took: it holds unless a transaction or another claim was heard of in between.
	n.known, n.at = n.changes == since, next
	n.changes++
}
