package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"resellerbot/internal/store"
)

// queueBegin puts how a transaction begins into a flight: its lock of the lease before all that takes a snapshot.
func queueBegin(batch *pgx.Batch) {
	batch.Queue(stmtBegin)
	batch.Queue(stmtFence)
	batch.Queue(stmtEpoch)
}

// leadSteps is how many statements queueLead puts into a flight.
const leadSteps = 3

// queueLead puts how a transaction begins into the flight that ends it: the last step fails where another process leads.
func (e *Engine) queueLead(batch *pgx.Batch, begin string) {
	batch.Queue(begin)
	batch.Queue(stmtFence)
	batch.Queue(stmtLeads, e.epoch)
}

// begun reads what a flight that began a transaction has brought. ErrFenced where another process leads by now.
func (e *Engine) begun(results pgx.BatchResults) error {
	for range 2 {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	var epoch int64
	if err := results.QueryRow().Scan(&epoch); err != nil {
		return err
	}
	if epoch != e.epoch {
		e.lose(fmt.Errorf("another process leads: epoch %d has come after %d", epoch, e.epoch))
		return store.ErrFenced
	}
	return nil
}

// flight is the last one of a transaction.
type flight struct {
	batch  *pgx.Batch
	begins bool                                           // it is the first one too
	read   func(step int, results pgx.BatchResults) error // reads what a step before the commit brings; nil: nothing is wanted of it
}

// step reads the answer of a step.
func (f flight) step(n, commit int, results pgx.BatchResults) (tag pgconn.CommandTag, err error) {
	if f.read != nil && n < commit {
		return tag, f.read(n, results)
	}
	return results.Exec()
}

// keep sends the last flight of a transaction and tells whether it happened, or that nobody knows. Nobody can call it off.
func (e *Engine) keep(ctx context.Context, conn *pgxpool.Conn, f flight) error {
	pg := conn.Conn().PgConn()
	// A warning that is there behind the commit has to be of this flight.
	delete(pg.CustomData(), warned)
	slot, n, err := e.seen.next(conn.Conn())
	if err != nil {
		return err
	}
	// The mark is the last before the commit: it is kept with the transaction or not at all. Only then does the file of this
	// machine say it (seen.kept), so that the file never knows more than the database did.
	f.batch.Queue(stmtMark, slot, n)
	steps := f.batch.Len()
	f.batch.Queue(stmtCommit)
	// From here on the transaction may be kept, so nothing may cut it: an answer that nobody waits for would be a commit in
	// doubt, and the end of the process.
	results := conn.SendBatch(context.WithoutCancel(ctx), f.batch)
	var tag pgconn.CommandTag
	done := 0
	// done tells which step has answered last: the statements of the transaction, or behind them the commit.
	for ; err == nil && done <= steps; done++ {
		tag, err = f.step(done, steps, results)
	}
	closing := results.Close()
	warning, isWarned := pg.CustomData()[warned].(*pgconn.PgError)
	switch {
	case err != nil && done == 1 && pgconn.SafeToRetry(err): // not a byte of the flight has left
		return brokenError{err}
	// done counts the step that has failed as well. Only the look at the lease can divide by nothing in that place.
	case err != nil && f.begins && done == leadSteps && saysOtherwise(err):
		e.lose(errors.New("another process leads"))
		return store.ErrFenced
	case err != nil && done <= steps && refusedBeforeCommit(err):
		return asConflict(err)
	case err != nil && done > steps && refusedAtCommit(err):
		return asConflict(err)
	case err != nil:
		return e.doubt(err)
	case closing != nil:
		return e.doubt(closing)
	// A server ends a transaction that has failed with ROLLBACK, and without an error.
	case tag.String() != "COMMIT":
		return e.doubt(errors.New("it ended in " + tag.String()))
	// The server has committed by itself, and no standby has confirmed: a failover may lose it.
	case isWarned:
		return e.doubt(fmt.Errorf("the server warns of it: %w", warning))
	}
	e.seen.kept(slot, n)
	return nil
}
