package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/store"
)

// Claim implements store.Engine: one flight, and none where it is known that nothing is due.
func (e *Engine) Claim(ctx context.Context, k store.Kind, now time.Time, lease time.Duration, limit int) (list []store.Record, err error) {
	if next, ok, err := e.NextDue(ctx, k); err != nil || !ok || next.After(now) || limit < 1 {
		return nil, err
	}
	end, err := e.beginCall(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	// The limit is what one block of versions holds: the versions of a claim are a row of numbers (row_number).
	c := claim{kind: k, now: now, until: fromMicros(toMicros(now.Add(lease))), limit: min(limit, 1<<versionBits)}
	err = e.again(ctx, func(int) error { return e.claim(ctx, &c) })
	if err != nil {
		return nil, err
	}
	// A statement that locks may return rows out of the order that it asks for: the oldest go first.
	slices.SortFunc(c.found, func(a, b moved) int { return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.Key, b.Key)) })
	for _, f := range c.found {
		list = append(list, f.Record)
	}
	return list, nil
}

// claim is what is to be claimed, and what was.
type claim struct {
	kind       store.Kind
	now, until time.Time
	limit      int
	found      []moved
	next       *int64 // when the next one is due behind them
}

// moved is a record as it is now, and what it was.
type moved struct {
	store.Record

	due     time.Time
	version uint64
}

// claim claims once. What others hold is left to them, and what they have written since the versions were drawn to the next call.
func (e *Engine) claim(ctx context.Context, c *claim) error {
	first, err := e.versions.several(ctx, c.limit)
	if err != nil {
		return fmt.Errorf("claim %s: %w", c.kind, err)
	}
	conn, err := e.transactions.Acquire(ctx)
	if err != nil {
		return brokenOr(err)
	}
	defer rollBack(ctx, conn)
	batch, since := &pgx.Batch{}, e.dues.now(c.kind)
	e.queueLead(batch, stmtBeginClaim)
	batch.Queue(stmtClaim, string(c.kind), c.now.UnixMicro(), c.limit, stored(first), toMicros(c.until))
	batch.Queue(stmtNextDue, string(c.kind))
	// again runs this anew after a refusal: read replaces all of found, so that nothing of an earlier try stays in it.
	err = e.keep(ctx, conn, flight{batch, true, func(step int, results pgx.BatchResults) error { return c.read(step-leadSteps, results) }})
	if err != nil {
		return err
	}
	// Outside of inOrder: a claim does not know beforehand which records it takes. memory.claimed sorts out what was heard of too
	// late.
	for _, f := range c.found {
		e.memory.claimed(f.version, f.Record)
	}
	if len(c.found) == 0 {
		e.dues.learn(since, c.kind, fromMicros(c.next))
		return nil
	}
	e.dues.claimed(since, c.kind, fromMicros(c.next))
	return nil
}

// read reads what the steps of a claim have brought.
func (c *claim) read(step int, results pgx.BatchResults) error {
	switch step {
	case 0:
		rows, err := results.Query()
		if err != nil {
			return err
		}
		c.found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (moved, error) {
			var key []byte
			var due int64
			f := moved{Record: store.Record{Kind: c.kind, Due: c.until}}
			err := row.Scan(&key, &f.Version, &f.Value, &f.version, &due)
			f.Key, f.due = string(key), fromMicros(&due)
			return f, err
		})
		return err
	case 1:
		err := results.QueryRow().Scan(&c.next)
		if errors.Is(err, pgx.ErrNoRows) {
			c.next, err = nil, nil
		}
		return err
	default:
		_, err := results.Exec()
		return err
	}
}
