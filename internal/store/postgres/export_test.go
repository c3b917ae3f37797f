package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Revive lets an engine go on after a commit in doubt, for tests that have many of them.
func (e *Engine) Revive() { e.dead.Store(false) }

// Freeze has an engine show no life any more, as a process that stands still.
func (e *Engine) Freeze() {
	e.renewing.cancel()
	<-e.renewing.done
}

// Beside opens a second engine in the epoch of the first, which no two processes ever have: so what the transactions
// themselves promise is tried without the lease.
func (e *Engine) Beside(ctx context.Context, address string, o Options) (*Engine, error) {
	config, err := parse(address)
	if err != nil {
		return nil, err
	}
	other, err := connect(ctx, config, o)
	if err != nil {
		return nil, err
	}
	other.epoch = e.epoch
	return other, nil
}

// Part closes an engine that Beside has opened.
func (e *Engine) Part() { e.disconnect() }

// Explain has the server plan a statement as the engine's sessions do.
func (e *Engine) Explain(ctx context.Context, name string, args ...any) (lines []string, err error) {
	for _, s := range statements {
		if s[0] != name {
			continue
		}
		rows, err := e.reads.Query(ctx, "explain "+s[1], args...)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowTo[string])
	}
	return nil, nil
}
