package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"resellerbot/internal/store"
)

// Claim implements store.Engine. Finding nothing due costs one read.
func (e *Engine) Claim(ctx context.Context, k store.Kind, now time.Time, lease time.Duration, limit int) (list []store.Record, err error) {
	if next, ok, err := e.NextDue(ctx, k); err != nil || !ok || next.After(now) || limit < 1 {
		return nil, err
	}
	leave, err := e.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	err = e.again(ctx, func(bool) (err error) {
		list, err = e.claim(ctx, k, now, fromMicros(toMicros(now.Add(lease))), limit)
		return err
	})
	return list, err
}

// claim does so once. What others hold is left to them.
func (e *Engine) claim(ctx context.Context, k store.Kind, now, until time.Time, limit int) (list []store.Record, err error) {
	conn, err := e.units.Acquire(ctx)
	if err != nil {
		return nil, brokenOr(err)
	}
	defer rollBack(ctx, conn)
	if list, err = e.lockDue(ctx, conn, k, now, limit); err != nil || len(list) == 0 {
		return nil, brokenOr(err)
	}
	// A statement that locks may return rows out of the order that it asks for: the oldest go first again.
	slices.SortFunc(list, func(a, b store.Record) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Key, b.Key)) })
	batch := &pgx.Batch{}
	for i := range list {
		r := &list[i]
		if r.Version, err = e.versions.above(ctx, r.Version); err != nil {
			return nil, fmt.Errorf("claim %s %q: %w", k, r.Key, err)
		}
		r.Due = until
		batch.Queue(stmtMove, string(k), []byte(r.Key), stored(r.Version), toMicros(until))
	}
	return list, e.keep(ctx, conn, batch)
}

// lockDue begins a transaction and locks what is due.
func (e *Engine) lockDue(ctx context.Context, conn *pgxpool.Conn, k store.Kind, now time.Time, limit int) (list []store.Record, err error) {
	batch := &pgx.Batch{}
	queueBegin(batch, stmtBeginClaim)
	batch.Queue(stmtClaim, string(k), now.UnixMicro(), limit)
	results := conn.SendBatch(ctx, batch)
	defer func() { err = cmp.Or(err, results.Close()) }()
	if err := e.begun(results); err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	return records(k, rows)
}
