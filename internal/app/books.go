package app

import (
	"context"
	"log/slog"
	"time"

	"resellerbot/internal/store"
)

// bookkeeper seals the days of the shops' books that are over, and writes what could not be written before.
type bookkeeper struct {
	store *store.Store
	log   *slog.Logger
}

// run looks at every book.
func (b *bookkeeper) run(ctx context.Context) error {
	waiting, err := b.store.TendBooks(ctx, time.Now())
	if waiting > 0 {
		b.log.Error("facts wait to be written into the books", "facts", waiting)
	}
	return err
}
