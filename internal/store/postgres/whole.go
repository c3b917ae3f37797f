package postgres

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"

	"resellerbot/internal/store"
)

// Snapshot implements store.Snapshotter.
func (e *Engine) Snapshot(ctx context.Context, visit func(store.Record) error) error {
	end, err := e.beginCall(ctx)
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithCancel(ctx)
	// One statement sees one moment. It is not tried again where it breaks: visit has seen a part already.
	rows, err := e.reads.Query(ctx, "select kind, key, version, due, value from record order by kind, key", pgx.QueryExecModeExec)
	if err != nil {
		cancel()
		return fmt.Errorf("read all records: %w", err)
	}
	defer rows.Close()
	defer cancel() // before Close, which would read what a visit that has failed does not want any more
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
	// It is asked for figures and by people, who have no context to give: a server that does not answer must not hold them up for
	// long.
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTimeout)
	defer cancel()
	end, err := e.beginCall(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer end()
	if err := e.reads.QueryRow(ctx, "select pg_total_relation_size('record')").Scan(&size); err != nil {
		return 0, 0, fmt.Errorf("ask how big the database is: %w", err)
	}
	return size, 0, nil
}

// Rewrite writes the table anew, so that nothing is left in it of what was there before.
func (e *Engine) Rewrite(ctx context.Context) error {
	end, err := e.beginCall(ctx)
	if err != nil {
		return err
	}
	defer end()
	// Outside of a transaction, as the server demands. It locks the table: it is for when nobody else works (reseller-bot rekey).
	if _, err := e.reads.Exec(ctx, "vacuum (full) record", pgx.QueryExecModeExec); err != nil {
		return fmt.Errorf("write the table anew: %w", err)
	}
	return nil
}

// GetMany implements store.ManyGetter: what is not remembered in one flight.
func (e *Engine) GetMany(ctx context.Context, places ...store.RecordKey) (map[store.RecordKey]store.Record, error) {
	end, err := e.beginCall(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	found, places := e.recall(places)
	if len(places) == 0 {
		return found, nil
	}
	// Before the read. What a transaction leaves meanwhile is newer, and learn keeps that.
	since := e.memory.now()
	err = e.again(ctx, func(int) error {
		read, err := e.getMany(ctx, places)
		maps.Copy(found, read)
		return brokenOr(err)
	})
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		e.memory.learn(since, p, copied(found[p]))
	}
	return found, nil
}

// recall finds what is remembered of some places and is not about to change, and tells of which nothing is.
func (e *Engine) recall(places []store.RecordKey) (found map[store.RecordKey]store.Record, unknown []store.RecordKey) {
	found = make(map[store.RecordKey]store.Record, len(places))
	if !e.alive() {
		return found, places
	}
	for _, p := range places {
		switch r, ok := e.memory.settled(p); {
		case !ok:
			unknown = append(unknown, p)
		case r.Version != 0:
			found[p] = copied(r)
		}
	}
	return found, unknown
}

func (e *Engine) getMany(ctx context.Context, places []store.RecordKey) (found map[store.RecordKey]store.Record, err error) {
	found, batch := make(map[store.RecordKey]store.Record, len(places)), &pgx.Batch{}
	for _, p := range places {
		batch.Queue(stmtGet, string(p.Kind), []byte(p.Key))
	}
	results := e.reads.SendBatch(ctx, batch)
	defer func() { err = cmp.Or(err, results.Close()) }()
	for _, p := range places {
		rows, err := results.Query()
		if err != nil {
			return nil, err
		}
		list, err := records(p.Kind, rows)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			found[p] = list[0]
		}
	}
	return found, nil
}
