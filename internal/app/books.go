package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"resellerbot/internal/reports"
	"resellerbot/internal/store"
)

// bookkeeper seals the days of the shops' books that are over, writes what could not be written before, and
// has the day reported to owners at their hour.
type bookkeeper struct {
	store *store.Store
	log   *slog.Logger
}

// run looks at every book.
func (b *bookkeeper) run(ctx context.Context) error {
	waiting, err := b.store.ProcessDueBooks(ctx, time.Now())
	if waiting > 0 {
		b.log.Error("facts wait to be written into the books", "facts", waiting)
	}
	return errors.Join(err, reports.Send(ctx, b.store, time.Now()))
}
