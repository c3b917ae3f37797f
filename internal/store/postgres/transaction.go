package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"resellerbot/internal/store"
)

// rollbackTimeout is how long the server is waited for where no caller's context says it: for a rollback, for the end of the lease,
// and for the size of the table. A connection on which a rollback does not come through is thrown away.
const rollbackTimeout = 5 * time.Second

// transaction implements store.RecordTx, begun with the first read of what is not remembered, or with its commit.
type transaction struct {
	engine *Engine
	ctx    context.Context //nolint:containedctx // store.RecordTx has no context: a transaction lives as long as the call that it is made for
	conn   *pgxpool.Conn   // nil until something is read
	known  map[store.RecordKey]*entry
	failed error // what a read has said: nothing of the transaction may be kept

	recalls bool   // it takes what is remembered for what is stored, as long as nothing is refused for that
	since   uint64 // when it began to read
}

// entry is a record as it was read and as the transaction leaves it. A version of 0 is none.
type entry struct {
	stored, now store.Record

	used     bool // it was asked for: what was only wanted decided nothing
	recalled bool // it was not read: it is as this process knows it
}

// runOnce runs fn once.
// alone keeps all other transactions of this process out: one that keeps losing against them gets through.
func (e *Engine) runOnce(ctx context.Context, fn func(store.RecordTx) error, try int) error {
	// All transactions share the lock, the one that was refused too often has it alone. It is held until the transaction is over,
	// and its connection is acquired under it: so no one waits for the lock and has a connection.
	lock, unlock := e.alone.RLock, e.alone.RUnlock
	if try >= triesBesideOthers {
		lock, unlock = e.alone.Lock, e.alone.Unlock
	}
	lock()
	defer unlock()
	t := &transaction{engine: e, ctx: ctx, known: map[store.RecordKey]*entry{}, recalls: try == 0 && e.alive()}
	defer t.release() // also where fn panics
	err := fn(t)
	switch {
	// It counts more than what fn says: fn may have swallowed the error of a read, and decided on nothing.
	case t.failed != nil:
		return t.failed
	case err != nil || !t.changes():
		err = cmp.Or(t.confirm(), err)
	default:
		err = t.commit()
	}
	if isConflict(err) {
		e.memory.forget(t.known)
	}
	return err
}

// rollBack ends a transaction, if there is one, and gives its connection back. Where that fails, the pool throws the
// connection away, which ends the transaction too.
func rollBack(ctx context.Context, conn *pgxpool.Conn) {
	// T is a transaction that is open, E one that has failed and is not rolled back yet.
	if status := conn.Conn().PgConn().TxStatus(); status == 'T' || status == 'E' {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
		defer cancel()
		_, _ = conn.Exec(ctx, stmtRollback)
	}
	conn.Release()
}

// Get implements store.RecordTx.
func (t *transaction) Get(k store.Kind, key string) (store.Record, error) {
	at, err := t.at(k, key)
	if err != nil {
		return store.Record{}, err
	}
	if at.now.Version == 0 {
		return store.Record{}, store.ErrNotFound
	}
	return copied(at.now), nil
}

// copied is a record that shares no value with another.
func copied(r store.Record) store.Record {
	r.Value = append([]byte{}, r.Value...)
	return r
}

// Want implements store.Wanter.
func (t *transaction) Want(places ...store.RecordKey) error {
	var fresh []store.RecordKey
	for _, p := range places {
		if t.known[p] == nil && !t.recall(p) && !slices.Contains(fresh, p) {
			fresh = append(fresh, p)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return t.read(fresh...)
}

// Put implements store.RecordTx.
func (t *transaction) Put(r store.Record) (uint64, error) {
	if r.Key == "" {
		return 0, errors.New("a record has no key")
	}
	// Before at, which would read: a record that is to be new need not be looked for. Where it is there after all, the insert is
	// refused and the transaction runs again, without memory.
	if r.Version == 0 {
		t.guess(store.RecordKey{Kind: r.Kind, Key: r.Key})
	}
	at, err := t.at(r.Kind, r.Key)
	if err != nil {
		return 0, err
	}
	if at.now.Version != r.Version {
		return 0, store.ErrConflict
	}
	r = copied(r)
	// As it will be read back: within a transaction a record is what it is on disk.
	r.Due = fromMicros(toMicros(r.Due))
	if r.Version, err = t.engine.versions.above(t.ctx, at.now.Version); err != nil {
		t.failed = err
		return 0, err
	}
	at.now = r
	return r.Version, nil
}

// Delete implements store.RecordTx.
func (t *transaction) Delete(r store.Record) error {
	at, err := t.at(r.Kind, r.Key)
	switch {
	case err != nil:
		return err
	case at.now.Version == 0:
		return store.ErrNotFound
	case at.now.Version != r.Version:
		return store.ErrConflict
	}
	at.now = store.Record{Kind: r.Kind, Key: r.Key}
	return nil
}

// changes reports whether the transaction leaves anything behind. One that does not asks for no commit: release rolls it back. Its reads
// were one snapshot all the same.
func (t *transaction) changes() bool {
	for _, at := range t.known {
		if at.stored.Version != at.now.Version {
			return true
		}
	}
	return false
}

var errOutdated = errors.New("what was remembered has changed")

// confirm holds what a transaction has taken from memory against what is so, where no commit does: what fn has said rests on it.
func (t *transaction) confirm() error {
	recalled := false
	for _, at := range t.known {
		recalled = recalled || at.recalled && at.used
	}
	switch {
	case !recalled:
		return nil
	case t.conn != nil:
		return t.compare()
	case t.engine.memory.holds(t.known):
		return nil
	}
	return conflictError{errOutdated}
}

// compare holds what was taken from memory against the snapshot that the rest was read from.
func (t *transaction) compare() error {
	batch := &pgx.Batch{}
	for p, at := range t.known {
		switch {
		case !at.recalled || !at.used:
		case at.stored.Version == 0:
			batch.Queue(stmtIsNot, string(p.Kind), []byte(p.Key))
		default:
			batch.Queue(stmtIs, string(p.Kind), []byte(p.Key), stored(at.stored.Version))
		}
	}
	if batch.Len() == 0 {
		return nil
	}
	// The answers say nothing but that they are no error: each statement fails where something is not as it was taken for
	// (statements.go).
	if err := t.conn.SendBatch(t.ctx, batch).Close(); err != nil {
		return asConflict(brokenOr(err))
	}
	return nil
}

// release gives the connection back, with nothing begun on it.
func (t *transaction) release() {
	if t.conn == nil {
		return
	}
	rollBack(t.ctx, t.conn)
	t.conn = nil
}

// at finds a record, reading it where the transaction has not met it yet.
func (t *transaction) at(k store.Kind, key string) (*entry, error) {
	p := store.RecordKey{Kind: k, Key: key}
	if t.known[p] == nil && !t.recall(p) {
		if err := t.read(p); err != nil {
			return nil, err
		}
	}
	t.known[p].used = true
	return t.known[p], nil
}

// recall takes what is remembered of a place, and reports whether anything is.
func (t *transaction) recall(p store.RecordKey) bool {
	if !t.recalls {
		return false
	}
	r, ok := t.engine.memory.recall(p)
	if ok {
		t.known[p] = &entry{stored: r, now: r, recalled: true}
	}
	return ok
}

// guess takes a place of which nothing is known for an empty one: the commit inserts, and is refused where it is not.
func (t *transaction) guess(p store.RecordKey) {
	if t.recalls && t.known[p] == nil && !t.recall(p) {
		t.known[p] = &entry{}
	}
}

// read reads records in one flight, which is that of the beginning if it is the first.
func (t *transaction) read(places ...store.RecordKey) error {
	if t.failed != nil {
		return t.failed
	}
	if err := t.fly(places); err != nil {
		t.failed = fmt.Errorf("read: %w", brokenOr(err))
		return t.failed
	}
	return nil
}

func (t *transaction) fly(places []store.RecordKey) (err error) {
	batch, first := &pgx.Batch{}, t.conn == nil
	if first {
		if t.conn, err = t.engine.transactions.Acquire(t.ctx); err != nil {
			return err
		}
		queueBegin(batch)
		// Before the snapshot is taken: what is forgotten from here on may be newer than what the transaction reads.
		t.since = t.engine.memory.now()
	}
	for _, p := range places {
		batch.Queue(stmtGet, string(p.Kind), []byte(p.Key))
	}
	results := t.conn.SendBatch(t.ctx, batch)
	// Closed in any case: until all answers are read, the connection takes no other flight.
	defer func() { err = cmp.Or(err, results.Close()) }()
	if first {
		if err := t.engine.begun(results); err != nil {
			return err
		}
	}
	for _, p := range places {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		found, err := records(p.Kind, rows)
		if err != nil {
			return err
		}
		at := &entry{}
		if len(found) > 0 {
			at.stored, at.now = found[0], found[0]
		}
		t.known[p] = at
		t.engine.memory.learn(t.since, p, at.stored)
	}
	return nil
}

// commit sends what the transaction leaves behind, behind its beginning where nothing was read. All transactions do so in one order, so that they
// do not wait for each other in a ring.
func (t *transaction) commit() (err error) {
	batch, begins := &pgx.Batch{}, t.conn == nil
	if begins {
		if t.conn, err = t.engine.transactions.Acquire(t.ctx); err != nil {
			return brokenOr(err)
		}
		t.engine.queueLead(batch, stmtBegin)
	}
	for _, p := range slices.SortedFunc(maps.Keys(t.known), byPlace) {
		queueChange(batch, p, t.known[p])
	}
	// The lock is had from here until kept has noted what is left, and is let go of where keep fails as well.
	defer t.engine.memory.inOrder(t.known)()
	// Before the flight: a claim that is heard of behind this may have taken what the transaction writes.
	since := t.engine.dues.flies()
	if err := t.engine.keep(t.ctx, t.conn, flight{batch: batch, begins: begins}); err != nil {
		return err
	}
	t.engine.memory.kept(t.known)
	t.engine.dues.kept(since, t.known)
	return nil
}

func byPlace(a, b store.RecordKey) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key))
}

// queueChange puts into a flight what becomes of a record. One that was only read must still be as it was. Of one that was not
// there, and is not, nothing is held (as the contract of engines says), but that it is missing in the snapshot of the others too.
func queueChange(batch *pgx.Batch, p store.RecordKey, at *entry) {
	kind, key, was := string(p.Kind), []byte(p.Key), stored(at.stored.Version)
	switch {
	case at.stored.Version == at.now.Version && at.now.Version != 0 && at.used:
		batch.Queue(stmtLock, kind, key, was)
	case at.stored.Version == at.now.Version && at.now.Version == 0 && at.used && at.recalled:
		batch.Queue(stmtIsNot, kind, key)
	case at.stored.Version == at.now.Version:
	case at.stored.Version == 0:
		batch.Queue(stmtInsert, kind, key, stored(at.now.Version), toMicros(at.now.Due), at.now.Value)
	case at.now.Version == 0:
		batch.Queue(stmtDelete, kind, key, was)
	default:
		batch.Queue(stmtUpdate, kind, key, was, stored(at.now.Version), toMicros(at.now.Due), at.now.Value)
	}
}
