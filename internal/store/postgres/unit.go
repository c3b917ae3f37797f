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

const rollbackTimeout = 5 * time.Second

// unit implements store.RecordTx: one transaction, begun with the first read of what is not remembered, or with its commit.
type unit struct {
	engine *Engine
	ctx    context.Context //nolint:containedctx // store.RecordTx has no context: a unit lives as long as the call that it is made for
	conn   *pgxpool.Conn   // nil until something is read
	known  map[store.RecordKey]*entry
	failed error // what a read has said: nothing of the unit may be kept

	recalls bool   // it takes what is remembered for what is stored, as long as nothing is refused for that
	since   uint64 // when it began to read
}

// entry is a record as it was read and as the unit leaves it. A version of 0 is none.
type entry struct {
	stored, now store.Record

	used     bool // it was asked for: what was only wanted decided nothing
	recalled bool // it was not read: it is as this process knows it
}

// unit runs fn once.
// alone keeps all other units of this process out: one that keeps losing against them gets through.
func (e *Engine) unit(ctx context.Context, fn func(store.RecordTx) error, try int) error {
	lock, unlock := e.alone.RLock, e.alone.RUnlock
	if try >= triesBesideOthers {
		lock, unlock = e.alone.Lock, e.alone.Unlock
	}
	lock()
	defer unlock()
	u := &unit{engine: e, ctx: ctx, known: map[store.RecordKey]*entry{}, recalls: try == 0 && e.alive()}
	defer u.release() // also where fn panics
	err := fn(u)
	switch {
	// It counts more than what fn says: fn may have swallowed the error of a read, and decided on nothing.
	case u.failed != nil:
		return u.failed
	case err != nil || !u.changes():
		err = cmp.Or(u.confirm(), err)
	default:
		err = u.commit()
	}
	if isConflict(err) {
		e.memory.forget(u.known)
	}
	return err
}

// rollBack ends a transaction, if there is one, and gives its connection back. Where that fails, the pool throws the
// connection away, which ends the transaction too.
func rollBack(ctx context.Context, conn *pgxpool.Conn) {
	if status := conn.Conn().PgConn().TxStatus(); status == 'T' || status == 'E' {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
		defer cancel()
		_, _ = conn.Exec(ctx, stmtRollback)
	}
	conn.Release()
}

// Get implements store.RecordTx.
func (u *unit) Get(k store.Kind, key string) (store.Record, error) {
	at, err := u.at(k, key)
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
func (u *unit) Want(places ...store.RecordKey) error {
	var fresh []store.RecordKey
	for _, p := range places {
		if u.known[p] == nil && !u.recall(p) && !slices.Contains(fresh, p) {
			fresh = append(fresh, p)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return u.read(fresh...)
}

// Put implements store.RecordTx.
func (u *unit) Put(r store.Record) (uint64, error) {
	if r.Key == "" {
		return 0, errors.New("a record has no key")
	}
	if r.Version == 0 {
		u.guess(store.RecordKey{Kind: r.Kind, Key: r.Key})
	}
	at, err := u.at(r.Kind, r.Key)
	if err != nil {
		return 0, err
	}
	if at.now.Version != r.Version {
		return 0, store.ErrConflict
	}
	r = copied(r)
	// As it will be read back: within a unit a record is what it is on disk.
	r.Due = fromMicros(toMicros(r.Due))
	if r.Version, err = u.engine.versions.above(u.ctx, at.now.Version); err != nil {
		u.failed = err
		return 0, err
	}
	at.now = r
	return r.Version, nil
}

// Delete implements store.RecordTx.
func (u *unit) Delete(r store.Record) error {
	at, err := u.at(r.Kind, r.Key)
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

// changes reports whether the unit leaves anything behind. One that does not asks for no commit: release rolls it back. Its reads
// were one snapshot all the same.
func (u *unit) changes() bool {
	for _, at := range u.known {
		if at.stored.Version != at.now.Version {
			return true
		}
	}
	return false
}

var errOutdated = errors.New("what was remembered has changed")

// confirm holds what a unit has taken from memory against what is so, where no commit does: what fn has said rests on it.
func (u *unit) confirm() error {
	recalled := false
	for _, at := range u.known {
		recalled = recalled || at.recalled && at.used
	}
	switch {
	case !recalled:
		return nil
	case u.conn != nil:
		return u.compare()
	case u.engine.memory.holds(u.known):
		return nil
	}
	return conflictError{errOutdated}
}

// compare holds what was taken from memory against the snapshot that the rest was read from.
func (u *unit) compare() error {
	batch := &pgx.Batch{}
	for p, at := range u.known {
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
	if err := u.conn.SendBatch(u.ctx, batch).Close(); err != nil {
		return asConflict(brokenOr(err))
	}
	return nil
}

// release gives the connection back, with nothing begun on it.
func (u *unit) release() {
	if u.conn == nil {
		return
	}
	rollBack(u.ctx, u.conn)
	u.conn = nil
}

// at finds a record, reading it where the unit has not met it yet.
func (u *unit) at(k store.Kind, key string) (*entry, error) {
	p := store.RecordKey{Kind: k, Key: key}
	if u.known[p] == nil && !u.recall(p) {
		if err := u.read(p); err != nil {
			return nil, err
		}
	}
	u.known[p].used = true
	return u.known[p], nil
}

// recall takes what is remembered of a place, and reports whether anything is.
func (u *unit) recall(p store.RecordKey) bool {
	if !u.recalls {
		return false
	}
	r, ok := u.engine.memory.recall(p)
	if ok {
		u.known[p] = &entry{stored: r, now: r, recalled: true}
	}
	return ok
}

// guess takes a place of which nothing is known for an empty one: the commit inserts, and is refused where it is not.
func (u *unit) guess(p store.RecordKey) {
	if u.recalls && u.known[p] == nil && !u.recall(p) {
		u.known[p] = &entry{}
	}
}

// read reads records in one flight, which is that of the beginning if it is the first.
func (u *unit) read(places ...store.RecordKey) error {
	if u.failed != nil {
		return u.failed
	}
	if err := u.fly(places); err != nil {
		u.failed = fmt.Errorf("read: %w", brokenOr(err))
		return u.failed
	}
	return nil
}

func (u *unit) fly(places []store.RecordKey) (err error) {
	batch, first := &pgx.Batch{}, u.conn == nil
	if first {
		if u.conn, err = u.engine.units.Acquire(u.ctx); err != nil {
			return err
		}
		queueBegin(batch)
		u.since = u.engine.memory.now()
	}
	for _, p := range places {
		batch.Queue(stmtGet, string(p.Kind), []byte(p.Key))
	}
	results := u.conn.SendBatch(u.ctx, batch)
	defer func() { err = cmp.Or(err, results.Close()) }()
	if first {
		if err := u.engine.begun(results); err != nil {
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
		u.known[p] = at
		u.engine.memory.learn(u.since, p, at.stored)
	}
	return nil
}

// commit sends what the unit leaves behind, behind its beginning where nothing was read. All units do so in one order, so that they
// do not wait for each other in a ring.
func (u *unit) commit() (err error) {
	batch, begins := &pgx.Batch{}, u.conn == nil
	if begins {
		if u.conn, err = u.engine.units.Acquire(u.ctx); err != nil {
			return brokenOr(err)
		}
		u.engine.queueLead(batch, stmtBegin)
	}
	for _, p := range slices.SortedFunc(maps.Keys(u.known), byPlace) {
		queueChange(batch, p, u.known[p])
	}
	defer u.engine.memory.inOrder(u.known)()
	since := u.engine.dues.flies()
	if err := u.engine.keep(u.ctx, u.conn, flight{batch: batch, begins: begins}); err != nil {
		return err
	}
	u.engine.memory.kept(u.known)
	u.engine.dues.kept(since, u.known)
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
