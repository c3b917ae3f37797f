package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// The lease is one row: which epoch it is, a number that its holder raises, and the holder's name. Who waits compares epoch and
// beat by its own clock, so the clocks of two machines are never compared. Taking over raises the epoch under a lock of the
// table that waits for every transaction in flight; after it, none of an older epoch commits.
// Example: with a lease of 10 s a leader shows life every 2 s. One that could not for 6 s ends itself, and others take over once
// they have seen no change for 10 s: the 4 s between keep the two apart. Whoever holds its lock of the table for longer than
// lockWithin then is a leader whose time is up, and its connection is ended (acquireLease).
const (
	leaseTime  = 10 * time.Second
	beats      = 5 // in the time of a lease
	grace      = 3 // of these: a leader that has not shown life for so long ends before anybody takes over
	lookEvery  = 300 * time.Millisecond
	lockWithin = 300 * time.Millisecond
)

var errStoodStill = errors.New("this process stood still, or could not reach the database, for longer than the lease allows")

// lease is what the row says.
type lease struct {
	epoch, beat int64
	holder      string
}

// stopper stops what runs beside the engine.
type stopper struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// lead waits until nobody leads, takes the lease and keeps it.
func (e *Engine) lead(ctx context.Context) error {
	seen, since := lease{epoch: -1}, time.Now()
	for {
		now, err := e.readLease(ctx)
		if err != nil {
			return fmt.Errorf("look at who leads: %w", err)
		}
		// Any change begins the time anew: a beat shows life, a new epoch another leader.
		if now != seen {
			// The first look shows a name alone, which may be that of a process that was killed: its life shows in the next ones.
			if e.options.NoWait && now.holder != "" && seen.epoch != -1 {
				return store.ErrInUse
			}
			seen, since = now, time.Now()
			e.waiting(now)
		}
		if now.holder == "" || time.Since(since) >= e.leaseTime() {
			led, err := e.acquireLease(ctx, now)
			if err != nil {
				return fmt.Errorf("take over: %w", err)
			}
			if led {
				return nil
			}
			continue
		}
		if !backoff.Sleep(ctx, lookEvery) {
			return ctx.Err()
		}
	}
}

func (e *Engine) leaseTime() time.Duration {
	if e.options.Lease > 0 {
		return e.options.Lease
	}
	return leaseTime
}

func (e *Engine) waiting(now lease) {
	if e.options.Waiting != nil && now.holder != "" {
		e.options.Waiting("another process leads: " + now.holder)
	}
}

// readLease reads the lease, and sees what the database knows.
func (e *Engine) readLease(ctx context.Context) (l lease, err error) {
	err = e.again(ctx, func(int) error {
		return brokenOr(e.reads.QueryRow(ctx, "select epoch, beat, holder from lease").Scan(&l.epoch, &l.beat, &l.holder))
	})
	if err != nil {
		return l, err
	}
	return l, e.watch(ctx)
}

// acquireLease makes this process the leader, unless the lease has changed since it was seen. Transactions that hold up the lock belong
// to a process that stands still: their connections are ended.
func (e *Engine) acquireLease(ctx context.Context, seen lease) (led bool, err error) {
	for {
		// Before the row is written: from its commit on, others count the time of this lease.
		begin := time.Now()
		led, err = e.raise(ctx, seen)
		if said, ok := errors.AsType[*pgconn.PgError](err); ok && said.Code == stateLockTimeout {
			if _, err := e.reads.Exec(ctx, `select pg_terminate_backend(pid) from pg_locks
				where relation = 'lease'::regclass and database = (select oid from pg_database where datname = current_database())
				and granted and mode = 'RowShareLock' and pid <> pg_backend_pid()`); err != nil {
				return false, err
			}
			continue
		}
		if err != nil || !led {
			return false, err
		}
		// Nothing else of this engine runs yet, so it is set without a lock.
		e.epoch = seen.epoch + 1
		e.beaten.Store(&begin)
		// The lease is shown for as long as the engine is open, however long the context of Open lasts. resign cancels it, and
		// waits for renew.
		ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		e.renewing = stopper{cancel, make(chan struct{})}
		go e.renew(ctx, begin)
		return true, nil
	}
}

// raise begins the next epoch, as one transaction.
func (e *Engine) raise(ctx context.Context, seen lease) (bool, error) {
	conn, err := e.transactions.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer rollBack(ctx, conn)
	for _, statement := range []string{
		"begin isolation level read committed",
		fmt.Sprintf("set local lock_timeout = %d", lockWithin.Milliseconds()),
		"lock table lease in exclusive mode",
	} {
		if _, err := conn.Exec(ctx, statement, pgx.QueryExecModeExec); err != nil {
			return false, err
		}
	}
	// The row has to be as it was seen: if its holder has shown life meanwhile, nothing is taken over.
	tag, err := conn.Exec(ctx, "update lease set epoch = epoch + 1, beat = 0, holder = $3 where epoch = $1 and beat = $2", pgx.QueryExecModeExec,
		seen.epoch, seen.beat, e.holder())
	if err != nil || tag.RowsAffected() != 1 {
		return false, err
	}
	// What the server has warned of before is not about this commit.
	delete(conn.Conn().PgConn().CustomData(), warned)
	tag, err = conn.Exec(ctx, stmtCommit)
	if err == nil && (tag.String() != "COMMIT" || conn.Conn().PgConn().CustomData()[warned] != nil) {
		err = errors.New("the server does not say that the lease is kept")
	}
	return err == nil, err
}

func (e *Engine) holder() string {
	if e.options.Holder == "" {
		return "a process without a name"
	}
	return e.options.Holder
}

// renew shows life until it is stopped, or the lease is lost.
func (e *Engine) renew(ctx context.Context, last time.Time) {
	defer close(e.renewing.done)
	for backoff.Sleep(ctx, e.leaseTime()/beats) {
		begin := time.Now()
		// Asked before the beat and not after it: a process that has slept must end, even if nobody has taken over yet.
		if outran(last, begin, e.beatWithin()) {
			e.lose(errStoodStill)
			return
		}
		// An error ends nothing by itself: the next round tries again, until outran says that the time is up. A beat waits no
		// longer than that.
		kept, err := e.beat(ctx, e.beatWithin()-begin.Sub(last))
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && !kept:
			e.lose(errors.New("another process leads"))
			return
		case err == nil:
			// The beginning counts: others may have seen the beat from then on.
			last = begin
			e.beaten.Store(&begin)
		}
	}
}

// outran reports whether a leader's time is up, by the clock that stands still while a machine sleeps or by the one that
// does not.
func outran(last, now time.Time, within time.Duration) bool {
	return now.Sub(last) >= within || now.Round(0).Sub(last.Round(0)) >= within
}

func (e *Engine) beatWithin() time.Duration { return e.leaseTime() / beats * grace }

// beat shows life once. That needs no standby's word: whoever looks after a failover sees another epoch or an older beat.
func (e *Engine) beat(ctx context.Context, within time.Duration) (kept bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	batch := &pgx.Batch{}
	batch.Queue("begin")
	batch.Queue("set local synchronous_commit = local")
	batch.Queue("update lease set beat = beat + 1 where epoch = $1", e.epoch)
	batch.Queue("commit")
	conn, err := e.reads.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer rollBack(ctx, conn)
	results := conn.SendBatch(ctx, batch)
	for i := range batch.Len() {
		tag, err := results.Exec()
		if err != nil {
			return false, errors.Join(err, results.Close())
		}
		// The third statement is the update: it changes no row where another epoch has begun.
		kept = kept || i == 2 && tag.RowsAffected() == 1
	}
	return kept, results.Close()
}

// lose ends this process's leading: it may write nothing any more.
func (e *Engine) lose(err error) {
	if !e.fenced.Swap(true) {
		e.options.Lost(err)
	}
}

// Leading asks the database whether this process leads: the gate before what cannot be taken back. ErrFenced where it does not.
//
// The answer is of when the server gave it, and a process may stand still before it hears it. So it counts only for one that has shown
// life lately when it is here: nobody takes over within the rest of its lease.
func (e *Engine) Leading(ctx context.Context) error {
	end, err := e.beginCall(ctx)
	if err != nil {
		return err
	}
	defer end()
	var epoch int64
	err = e.again(ctx, func(int) error { return brokenOr(e.reads.QueryRow(ctx, stmtEpoch).Scan(&epoch)) })
	if err != nil {
		return fmt.Errorf("ask who leads: %w", err)
	}
	if epoch != e.epoch {
		e.lose(fmt.Errorf("another process leads: epoch %d has come after %d", epoch, e.epoch))
		return store.ErrFenced
	}
	if !e.alive() {
		e.lose(errStoodStill)
		return store.ErrFenced
	}
	return nil
}

// Leadership is how a process leads, and who would stand in for the server.
type Leadership struct {
	Epoch    int64
	Beat     time.Time // when it last showed life
	Standbys int       // servers that stand by synchronously
	Counted  bool      // whether these are known: a commit waits for one, and the role may see them
}

// Leadership tells how this process leads.
func (e *Engine) Leadership(ctx context.Context) (l Leadership, err error) {
	end, err := e.beginCall(ctx)
	if err != nil {
		return l, err
	}
	defer end()
	l = Leadership{Epoch: e.epoch}
	if beat := e.beaten.Load(); beat != nil {
		l.Beat = *beat
	}
	l.Standbys, l.Counted, err = standbysOf(ctx, e.reads)
	return l, err
}

// resign stops showing life and says that nobody leads, so that the next one need not wait.
func (e *Engine) resign() error {
	if e.renewing.cancel == nil {
		return nil // it never led
	}
	e.renewing.cancel()
	<-e.renewing.done
	// Behind a commit in doubt, or a lease that is lost, nothing is given back: the next leader waits for the lease, or has it
	// already.
	if e.dead.Load() || e.fenced.Load() {
		return nil
	}
	// A context of its own: whoever closes has often been told to stop. What cannot be given back in time runs out by itself.
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTimeout)
	defer cancel()
	if _, err := e.reads.Exec(ctx, "update lease set holder = '' where epoch = $1", e.epoch); err != nil {
		return fmt.Errorf("let another process lead: %w", err)
	}
	return nil
}
