package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/store"
)

// Snapshot implements store.Snapshotter.
func (e *Engine) Snapshot(ctx context.Context, visit func(store.Record) error) error {
	leave, err := e.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	rows, err := e.reads.Query(ctx, "select kind, key, version, due, value from record order by kind, key", pgx.QueryExecModeExec)
	if err != nil {
		return fmt.Errorf("read all records: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var key []byte
		var due *int64
		var r store.Record
		if err := rows.Scan((*string)(&r.Kind), &key, &r.Version, &due, &r.Value); err != nil {
			return fmt.Errorf("read all records: %w", err)
		}
		r.Key, r.Due = string(key), fromMicros(due)
		if err := visit(r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read all records: %w", err)
	}
	return nil
}

// Size is how much disk the records take on the server, which knows no limit of it.
func (e *Engine) Size() (size, most int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTimeout)
	defer cancel()
	leave, err := e.enter(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer leave()
	if err := e.reads.QueryRow(ctx, "select pg_total_relation_size('record')").Scan(&size); err != nil {
		return 0, 0, fmt.Errorf("ask how big the database is: %w", err)
	}
	return size, 0, nil
}

// Rewrite writes the table anew, so that nothing is left in it of what was there before.
func (e *Engine) Rewrite(ctx context.Context) error {
	leave, err := e.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if _, err := e.reads.Exec(ctx, "vacuum (full) record", pgx.QueryExecModeExec); err != nil {
		return fmt.Errorf("write the table anew: %w", err)
	}
	return nil
}
