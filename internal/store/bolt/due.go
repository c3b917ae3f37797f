package bolt

import (
	"context"
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"resellerbot/internal/store"
)

// earliest remembers when the next record of each kind is due. Workers ask for it every second, mostly of queues in which
// nothing has changed: a transaction each time was a third of all that an idle bot did.
//
// What is remembered holds until the next transaction ends. The file is locked by one process, so nobody else can change it.
type earliest struct {
	transactions atomic.Uint64 // that have ended, whatever came of them

	mu sync.Mutex
	of map[store.Kind]dueAt
}

// dueAt is what was read of a kind after a number of transactions.
type dueAt struct {
	after uint64
	due   time.Time
	ok    bool
}

// changed forgets all. It is called when a transaction has ended and before anybody is told: who has heard of a transaction finds what it
// has queued.
func (e *earliest) changed() { e.transactions.Add(1) }

// read is what is remembered of a kind, or else what look finds.
func (e *earliest) read(k store.Kind, look func() (time.Time, bool, error)) (time.Time, bool, error) {
	after := e.transactions.Load() // before the look: what a transaction changes meanwhile makes it old, never wrong
	e.mu.Lock()
	known, seen := e.of[k]
	e.mu.Unlock()
	if seen && known.after == after {
		return known.due, known.ok, nil
	}
	due, ok, err := look()
	if err != nil {
		return due, ok, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.of == nil {
		e.of = map[store.Kind]dueAt{}
	}
	e.of[k] = dueAt{after, due, ok}
	return due, ok, nil
}

// NextDue implements store.Engine.
func (e *Engine) NextDue(ctx context.Context, k store.Kind) (time.Time, bool, error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, false, err
	}
	return e.earliest.read(k, func() (due time.Time, ok bool, err error) {
		err = e.view(ctx, func(btx *bbolt.Tx) error {
			b := btx.Bucket(dues(k))
			if b == nil {
				return nil
			}
			if key, _ := b.Cursor().First(); key != nil {
				due, ok = fromMicros(binary.BigEndian.Uint64(key)), true
			}
			return nil
		})
		return due, ok, err
	})
}
