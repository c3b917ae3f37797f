package store

import (
	"context"
	"errors"
	"time"
)

var (
	// ErrNotFound: there is no such record.
	ErrNotFound = errors.New("not found")
	// ErrConflict: the record was changed by somebody else since it was read.
	ErrConflict = errors.New("changed by somebody else")
	// ErrInUse: another process holds the database.
	ErrInUse = errors.New("the database is in use by another process")
	// ErrFenced: another process writes the database by now. Nothing of this one is kept any more, and it has to end.
	ErrFenced = errors.New("another process has taken over")
)

// Kind names what a record is: each kind has one codec. The package comment lists them all.
type Kind string

// Arrival is where new keys of a kind come among those that are there.
type Arrival int

// The arrivals.
const (
	Anywhere Arrival = iota
	Last             // behind those of the same owner
	First            // before them
)

// Arrives tells where new keys of the kind come: an engine that keeps them in pages fills these by it.
func (k Kind) Arrives() Arrival {
	switch k {
	// What is said here is about room in a file alone. A kind in the wrong place is kept as well, in pages that stay half empty.
	case KindPurchase, KindOrder, KindSeen, KindBookEntry:
		return Last
	case KindMovement, KindByChat, KindBookLine, KindListsOf:
		return First
	}
	return Anywhere
}

// Record is what an engine keeps: an opaque value under a kind and a key.
type Record struct {
	Kind    Kind
	Key     string    // ordered by its bytes within a kind
	Value   []byte    // the caller's own; engines copy on both sides
	Version uint64    // 0: must not exist yet; also the fencing token of a claim
	Due     time.Time // zero: not queued; UTC, microseconds
}

// RecordTx is one transaction on records. It is valid only inside the function that got it.
type RecordTx interface {
	// Get returns a record or ErrNotFound.
	Get(Kind, string) (Record, error)
	// Put writes a record and returns its new version; ErrConflict unless Version is the stored one.
	Put(Record) (uint64, error)
	// Delete removes a record; ErrConflict unless Version is the stored one, ErrNotFound where there is none.
	Delete(Record) error
}

// Snapshotter is what can be read whole.
type Snapshotter interface {
	// Snapshot visits all records of all kinds, as they are at one moment, by kind and key.
	Snapshot(ctx context.Context, visit func(Record) error) error
}

// RecordKey is where a record lies.
type RecordKey struct {
	Kind Kind
	Key  string
}

// Wanter is a transaction that can read several records at once: where its engine is far away, one wait takes the place of many.
// What was wanted is then there for Get, Put and Delete.
type Wanter interface {
	Want(places ...RecordKey) error
}

// ManyGetter is an engine that can read several records at once outside of a transaction, for the same reason. Those that are
// not there are left out; each of the others is as it is at some moment of the call.
type ManyGetter interface {
	GetMany(ctx context.Context, places ...RecordKey) (map[RecordKey]Record, error)
}

// Comparer is an engine that can tell whether records have changed for less than it takes to read them.
type Comparer interface {
	// Same reports whether each of some records has the Version that it was read with, 0 for one that was not there: all of them at
	// one moment.
	Same(ctx context.Context, read ...Record) (bool, error)
}

// Engine keeps versioned records durably. It knows nothing of what they mean.
// A transaction must not rest a decision on a scan, nor on the absence of a key that it does not insert.
// An engine that several processes can reach refuses all work with ErrFenced once another one has taken over.
//
// Scans and due times are not part of a transaction's snapshot, which is why nothing may rest on them: in a file all transactions
// run one after another, and a server locks the records that were read and no others.
type Engine interface {
	// Update runs fn as one durable, serialisable transaction and returns when it is on disk. fn may run
	// again, so it touches nothing but tx. A failed commit may have been committed: the engine then
	// reports through its Fatal hook and the process must end.
	Update(ctx context.Context, fn func(RecordTx) error) error
	// Batch is Update for work that may share its commit with others arriving within a millisecond.
	Batch(ctx context.Context, fn func(RecordTx) error) error
	// Get reads one record. ErrNotFound.
	Get(ctx context.Context, k Kind, key string) (Record, error)
	// Scan lists records whose keys begin with prefix and come after the key `after`, in key order.
	Scan(ctx context.Context, k Kind, prefix, after string, limit int) ([]Record, error)
	// Claim moves the Due of up to limit due records to now+lease, bumping their versions, and returns
	// them, oldest first. A worker whose lease ran out fails its next Put.
	Claim(ctx context.Context, k Kind, now time.Time, lease time.Duration, limit int) ([]Record, error)
	// NextDue is the earliest Due of a kind; false where nothing is queued.
	NextDue(ctx context.Context, k Kind) (time.Time, bool, error)
	// Alone reports whether no other process can write: then what this one has queued is all there is to hear of.
	Alone() bool
	// Close releases the engine; transactions in flight finish first.
	Close() error
}

// GetMany reads several records outside of a transaction: at once, where the engine can.
func GetMany(ctx context.Context, e Engine, places ...RecordKey) (map[RecordKey]Record, error) {
	if many, ok := e.(ManyGetter); ok {
		return many.GetMany(ctx, places...)
	}
	found := make(map[RecordKey]Record, len(places))
	for _, p := range places {
		switch r, err := e.Get(ctx, p.Kind, p.Key); {
		case err == nil:
			found[p] = r
		case !errors.Is(err, ErrNotFound):
			return nil, err
		}
	}
	return found, nil
}

// Same reports whether records are as they were read; where the engine cannot tell, they may not be.
// Whoever asks reads anew where it is false, so that false is always safe.
func Same(ctx context.Context, e Engine, read ...Record) (bool, error) {
	if c, ok := e.(Comparer); ok {
		return c.Same(ctx, read...)
	}
	return false, nil
}
