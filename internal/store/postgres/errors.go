package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"resellerbot/internal/store"
)

// What the server says, as SQLSTATE.
const (
	stateSerialization = "40001"
	stateDeadlock      = "40P01"
	stateUnique        = "23505"
	stateLockTimeout   = "55P03"
	stateIdleTooLong   = "25P03"
	stateDivision      = "22012" // of the statements that hold what was known against what is
)

// conflictError is why a transaction has to run again: others have changed what it had read.
type conflictError struct{ error }

func (c conflictError) Unwrap() error { return c.error }

// brokenError is a connection that broke before anything was asked to be kept.
type brokenError struct{ error }

func (b brokenError) Unwrap() error { return b.error }

func isConflict(err error) bool {
	_, ok := errors.AsType[conflictError](err)
	return ok
}

func isBroken(err error) bool {
	_, ok := errors.AsType[brokenError](err)
	return ok
}

// brokenOr marks an error that is not the server's word on a statement, nor that of whoever called, as a connection's end.
func brokenOr(err error) error {
	switch said, ok := errors.AsType[*pgconn.PgError](err); {
	case err == nil, errors.Is(err, pgx.ErrNoRows), errors.Is(err, store.ErrFenced), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	// An ERROR leaves the connection as it is. FATAL and PANIC end it: for those who wait they are the same as a wire that breaks.
	case ok && said.SeverityUnlocalized == "ERROR":
		return err
	default:
		return brokenError{err}
	}
}

// refusedBeforeCommit tells of a statement before the commit whether its failure is the server's word that the whole
// transaction is gone. Nothing else is known for sure: a connection that ends may have taken the commit along.
func refusedBeforeCommit(err error) (known bool) {
	said, ok := errors.AsType[*pgconn.PgError](err)
	// stateIdleTooLong is FATAL, and still an answer: a transaction that was ended for doing nothing was ended before its commit
	// came.
	return ok && (said.SeverityUnlocalized == "ERROR" || said.Code == stateIdleTooLong)
}

// refusedAtCommit tells the same of the commit itself. There, only what belongs to the transaction's own work comes before
// the moment from which it counts.
func refusedAtCommit(err error) (known bool) {
	said, ok := errors.AsType[*pgconn.PgError](err)
	// Class 40 is a transaction that was rolled back, class 23 a constraint: both are found before the commit is written.
	return ok && said.SeverityUnlocalized == "ERROR" && (said.Code[:2] == "40" || said.Code[:2] == "23")
}

// asConflict marks what the server refuses because others were faster.
func asConflict(err error) error {
	said, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return err
	}
	switch {
	// A key of a record that is there twice is an insert of what was missing, or was taken for that (guess). In any other table
	// it is a mistake.
	case said.Code == stateSerialization, said.Code == stateDeadlock, said.Code == stateDivision, said.Code == stateIdleTooLong,
		said.Code == stateUnique && said.ConstraintName == "record_pkey":
		return conflictError{err}
	}
	return fmt.Errorf("the server refuses: %w", err)
}

// saysOtherwise reports whether something is not as it was known.
func saysOtherwise(err error) bool {
	said, ok := errors.AsType[*pgconn.PgError](err)
	return ok && said.Code == stateDivision
}
