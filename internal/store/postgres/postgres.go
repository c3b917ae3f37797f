// Package postgres is the engine for those who outgrow one machine: versioned records in a PostgreSQL database, written by
// one of several processes, the leader.
//
// A transaction reads a snapshot. Its writes are gathered in memory and go out with the commit, in the
// order of their keys, in one flight: so a transaction waits for the network as often as it reads something new, and once at its end.
// What it has read is locked in that flight; a record that is not what was read refuses the lock, and the transaction runs again.
//
// The leader remembers what its transactions have read and left (memory.go). A transaction that finds there all that it needs is one flight, from
// its beginning to its commit.
//
// Each transaction begins by locking the table of the lease, which a successor must have for itself, and looking at the epoch in it:
// so no process commits anything once another one leads, whatever it believes (lease.go).
//
// A commit whose outcome is not known ends the process, as it does with every engine. That is so where the connection broke
// after the last flight began, and where the server warns that no standby has confirmed.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"resellerbot/internal/store"
)

// How many connections a process has.
const (
	transactionConns = 16
	readConns        = 12 // apart: a transaction that waits for a read must not wait for itself
)

// Options are what Open needs besides the address.
type Options struct {
	// Fatal is told of a commit whose outcome is not known; required. The process has to end and recover: the engine
	// refuses all further work.
	Fatal func(error)
	// Lost is told that this process leads no more; required. It has to end as well.
	Lost func(error)
	// Waiting is told why this process does not lead yet, whenever that changes. Nil: nobody is told.
	Waiting func(why string)
	// NoWait has Open fail with store.ErrInUse where another process leads and lives, for what somebody waits for at a
	// terminal. For one that was killed the length of its lease is waited for.
	NoWait bool
	// Standby demands that a commit waits for a standby.
	Standby bool
	// Warn is told of what a server should have that is not demanded. Nil: nobody is told.
	Warn func(what string)
	// Holder names this process in the lease, for people.
	Holder string
	// Lease is for how long a leader that shows no life is waited for; zero: ten seconds.
	Lease time.Duration
	// Seen is a file of this machine that says what was seen of the database: one that knows less is refused with ErrLost, and
	// another one with ErrOther. Empty: nothing is compared.
	Seen string
	// SeenBefore is where that was kept before: it is gone on with, and removed, where it is about the same database.
	SeenBefore string
	// Unkept is told that this file is not kept, or was begun anew. Nil: nobody is told.
	Unkept func(error)
	// Recover opens a database all the same that has lost transactions, for whoever sees to what that means.
	Recover bool
	// Unsafe lets a server be used that does not write to its disk. For tests.
	Unsafe bool
}

// Engine implements store.Engine over a database.
type Engine struct {
	transactions, reads *pgxpool.Pool
	options             Options
	epoch               int64
	versions            versions
	alone               sync.RWMutex              // held for itself by a transaction that was refused too often
	dead                atomic.Bool               // a commit is in doubt
	fenced              atomic.Bool               // another process leads
	beaten              atomic.Pointer[time.Time] // when it last showed life; nil: it has never led
	memory              memory
	dues                dues
	renewing            stopper
	seen                seen
	watched             *sight // what was seen of the database while this process stood by; nil before

	mu     sync.Mutex
	closed bool
	busy   sync.WaitGroup // calls in flight
}

var (
	errDead   = errors.New("an earlier commit failed")
	errClosed = errors.New("the database is closed")
)

// Open connects to a database, makes its tables where they are missing, and waits until this process leads.
func Open(ctx context.Context, address string, o Options) (*Engine, error) {
	config, err := parse(address)
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, config, o); err != nil {
		return nil, err
	}
	e, err := connect(ctx, config, o)
	if err != nil {
		return nil, err
	}
	// Nothing is compared with what was seen before this process leads: until then another one writes.
	if err := e.lead(ctx); err != nil {
		e.disconnect()
		return nil, err
	}
	// From here on renew runs: what fails has to be closed, so that the lease is given back.
	if err := e.recognise(ctx); err != nil {
		return nil, errors.Join(err, e.Close()) //nolint:contextcheck // it ends what is open, however that ends
	}
	return e, nil
}

// connect makes an engine that does not lead.
func connect(ctx context.Context, config *pgx.ConnConfig, o Options) (e *Engine, err error) {
	e = &Engine{options: o}
	e.versions.draw = e.drawVersions
	if e.transactions, err = newPool(ctx, config, transactionConns, &e.seen); err != nil {
		return nil, err
	}
	if e.reads, err = newPool(ctx, config, readConns, nil); err != nil {
		e.transactions.Close()
		return nil, err
	}
	return e, nil
}

// newPool makes a pool of connections on which all statements are prepared. Those of transactions have a slot each.
func newPool(ctx context.Context, config *pgx.ConnConfig, size int32, marks *seen) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, err
	}
	c.ConnConfig, c.MaxConns = config.Copy(), size
	c.AfterConnect = prepareAll
	if marks != nil {
		c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			if err := prepareAll(ctx, conn); err != nil {
				return err
			}
			return marks.acquire(conn)
		}
		c.BeforeClose = marks.release
	}
	// What has ended while it rested is found without asking: a flight that is the first and the last of its transaction leaves a doubt.
	c.ShouldPing = func(_ context.Context, p pgxpool.ShouldPingParams) bool { return hasWord(p.Conn.PgConn().Conn()) }
	return pgxpool.NewWithConfig(ctx, c)
}

// Alone implements store.Engine: another process may lead at any time.
func (e *Engine) Alone() bool { return false }

// Close waits for calls in flight, lets another process lead and releases the connections.
func (e *Engine) Close() error {
	e.mu.Lock()
	was := e.closed
	e.closed = true
	e.mu.Unlock()
	// Calls in flight end first: the lease is given back once nothing of this process can be written any more.
	e.busy.Wait()
	if was {
		return nil
	}
	err := e.resign()
	e.disconnect()
	return err
}

// Update implements store.Engine.
func (e *Engine) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	end, err := e.beginCall(ctx)
	if err != nil {
		return err
	}
	defer end()
	return e.again(ctx, func(try int) error { return e.runOnce(ctx, fn, try) })
}

// Batch implements store.Engine. The server lets commits of one moment share a write by itself.
func (e *Engine) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return e.Update(ctx, fn)
}

// How often something is tried again that has surely not happened.
const (
	triesBesideOthers = 4 // after which a transaction runs alone in this process
	triesInAll        = 20
	triesToConnect    = 3
)

// Get implements store.Engine.
func (e *Engine) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
	place := store.RecordKey{Kind: k, Key: key}
	found, err := e.GetMany(ctx, place)
	if err != nil {
		return store.Record{}, err
	}
	r, ok := found[place]
	if !ok {
		return store.Record{}, store.ErrNotFound
	}
	return r, nil
}

// Scan implements store.Engine.
func (e *Engine) Scan(ctx context.Context, k store.Kind, prefix, after string, limit int) ([]store.Record, error) {
	args := []any{string(k), []byte(after), []byte(prefix), max(limit, 0)}
	if end, bounded := behind(prefix); bounded {
		return e.read(ctx, k, stmtScanTo, append(args, end)...)
	}
	return e.read(ctx, k, stmtScan, args...)
}

// behind is the first key after all those that begin with a prefix; false where there is none.
func behind(prefix string) ([]byte, bool) {
	end := []byte(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < 0xff {
			end[i]++
			return end[:i+1], true
		}
	}
	return nil, false
}

// records reads rows of key, version, due and value.
func records(k store.Kind, rows pgx.Rows) (list []store.Record, err error) {
	defer rows.Close()
	for rows.Next() {
		var key []byte
		var due *int64
		r := store.Record{Kind: k}
		if err := rows.Scan(&key, &r.Version, &due, &r.Value); err != nil {
			return nil, err
		}
		r.Key, r.Due = string(key), fromMicros(due)
		list = append(list, r)
	}
	return list, rows.Err()
}

// NextDue implements store.Engine.
func (e *Engine) NextDue(ctx context.Context, k store.Kind) (due time.Time, ok bool, err error) {
	end, err := e.beginCall(ctx)
	if err != nil {
		return due, false, err
	}
	defer end()
	// What is remembered counts for a leader alone: another process may have queued something since.
	if due, ok := e.dues.recall(k); ok && e.alive() {
		return due, !due.IsZero(), nil
	}
	var micros *int64
	since := e.dues.now(k)
	err = e.again(ctx, func(int) error {
		return brokenOr(e.reads.QueryRow(ctx, stmtNextDue, string(k)).Scan(&micros))
	})
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return due, false, err
	}
	e.dues.learn(since, k, fromMicros(micros))
	return fromMicros(micros), micros != nil, nil
}

func (e *Engine) disconnect() {
	e.transactions.Close()
	e.reads.Close()
	e.seen.close()
}

// beginCall begins a call, unless there are none any more.
// closed and busy are looked at under one lock, so that Close misses no call that has begun.
func (e *Engine) beginCall(ctx context.Context) (end func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.closed:
		return nil, errClosed
	case e.dead.Load():
		return nil, errDead
	case e.fenced.Load():
		return nil, store.ErrFenced
	}
	e.busy.Add(1)
	return e.busy.Done, nil
}

// doubt ends the engine: a commit may have been made, or not.
func (e *Engine) doubt(err error) error {
	// Fatal is told once. All who come later meet errDead in beginCall.
	if !e.dead.Swap(true) {
		e.options.Fatal(err)
	}
	return fmt.Errorf("commit: %w", err)
}

// again does something until it is not refused for what others did meanwhile, nor for a connection that had broken before.
func (e *Engine) again(ctx context.Context, do func(try int) error) (err error) {
	// Only what has surely not happened comes here as a conflict or as broken: a commit in doubt is neither (keep).
	broken := 0
	for try := range triesInAll {
		err = do(try)
		switch {
		case isConflict(err):
		case isBroken(err) && ctx.Err() == nil:
			if broken++; broken == triesToConnect {
				return err
			}
			e.transactions.Reset() // those beside it are broken too
			e.reads.Reset()
		default:
			return err
		}
	}
	return err
}

// read reads records outside of a transaction.
func (e *Engine) read(ctx context.Context, k store.Kind, statement string, args ...any) (list []store.Record, err error) {
	end, err := e.beginCall(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	err = e.again(ctx, func(int) error {
		rows, err := e.reads.Query(ctx, statement, args...)
		if err != nil {
			return brokenOr(err)
		}
		list, err = records(k, rows)
		return brokenOr(err)
	})
	return list, err
}

// toMicros and fromMicros keep times as microseconds since 1970, from the first one on: as every engine does, so that
// records can move between them.
func toMicros(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	n := max(t.UnixMicro(), 1)
	return &n
}

func fromMicros(n *int64) time.Time {
	if n == nil {
		return time.Time{}
	}
	return time.UnixMicro(*n).UTC()
}
