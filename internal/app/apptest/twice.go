package apptest

import (
	"cmp"
	"context"
	"errors"

	"resellerbot/internal/store"
)

// TwiceEngine is an engine whose transactions all run twice, the first time in vain, as a transaction may that shares its commit with one
// that fails, or that PostgreSQL cannot put in order with others.
type TwiceEngine struct{ store.Engine }

// errInVain takes the first run of a transaction back.
var errInVain = errors.New("the transaction runs again")

// Update implements store.Engine.
func (e TwiceEngine) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return twice(fn, func(fn func(store.RecordTx) error) error { return e.Engine.Update(ctx, fn) })
}

// Batch implements store.Engine.
func (e TwiceEngine) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return twice(fn, func(fn func(store.RecordTx) error) error { return e.Engine.Batch(ctx, fn) })
}

// twice runs a transaction a second time where the first has met no error.
func twice(fn func(store.RecordTx) error, run func(func(store.RecordTx) error) error) error {
	if err := run(func(tx store.RecordTx) error { return cmp.Or(fn(tx), errInVain) }); !errors.Is(err, errInVain) {
		return err
	}
	return run(fn)
}
