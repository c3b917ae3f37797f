package purchase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// How long a purchase whose turn has come waits between two looks at a service that does not answer.
const (
	leastRetry = 2 * time.Second
	mostRetry  = 15 * time.Second
)

// unread takes the turn of a purchase whose variant the service did not show, so that nothing was sent. What passes by itself
// is waited for, as long as its place in the queue lasts; anything else refuses it.
func (e *Engine) unread(ctx context.Context, p store.Purchase, err error) (wait time.Duration, _ error) {
	class, waited := api.ClassOf(err), time.Since(p.QueuedAt)
	switch class {
	case api.Upstream:
		// Rarer the longer it lasts, and once more when the place ends: the next look of this walk ends it.
		// Example: after 20 s the next look comes in 5 s, and from a minute on in 15 s.
		wait = min(max(leastRetry, waited/4), mostRetry, queuedLife-waited)
		return wait, e.awaitService(ctx, p)
	case api.Limited:
		if failed, ok := errors.AsType[*api.Error](err); ok {
			wait = failed.RetryAfter
		}
		// A limit is waited for and nobody is told, unless the place in the queue would end first: then it refuses.
		if wait = max(wait, leastRetry); waited+wait < queuedLife {
			return wait, nil
		}
	}
	e.log(p).Info("purchase refused before submitting", "err", err)
	return 0, e.endQueued(ctx, p.ID, Refuse, ReasonOf(class), nil)
}

// awaitService notes that a purchase waits for a service that does not answer, and has its buyer told, once.
func (e *Engine) awaitService(ctx context.Context, seen store.Purchase) error {
	if seen.Reason == store.ReasonOutage {
		return nil
	}
	e.log(seen).Info("purchase waits for the service")
	err := e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(seen.ID)
		if err != nil || p.Phase != store.Queued {
			return err
		}
		p.Reason = store.ReasonOutage
		if err := tx.PutPurchase(&p); err != nil {
			return err
		}
		return showAnew(tx, p)
	})
	if err != nil {
		return fmt.Errorf("note that a purchase waits for the service: %w", err)
	}
	return nil
}
