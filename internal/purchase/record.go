package purchase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

const (
	writeRetry    = 5 * time.Second        // how long a queue rests after something that should not happen
	recordTries   = 4                      // of writing the outcome of a request
	recordBackoff = 100 * time.Millisecond // doubled after each
)

// recordSurely puts the outcome of the one wire attempt on disk, come what may: a purchase is never left as
// submitting by a process that lives.
func (e *Engine) recordSurely(ctx context.Context, p store.Purchase, v api.Verdict) (wait time.Duration, err error) {
	err = e.writeOutcome(ctx, p, func(ctx context.Context) (err error) {
		wait, err = e.recordVerdict(ctx, p, v)
		return err
	})
	return wait, err
}

// loseSurely makes a purchase unknown, come what may.
func (e *Engine) loseSurely(ctx context.Context, p store.Purchase, why string) error {
	return e.writeOutcome(ctx, p, func(ctx context.Context) error { return e.lose(ctx, p.ID, why) })
}

// posted is post, of which a defect proves nothing: the request may be out.
func (e *Engine) posted(ctx context.Context, s *submission) (v api.Verdict) {
	defer func() {
		if r := recover(); r != nil {
			e.log(s.purchase).Error("a purchase panicked on the wire", "panic", fmt.Sprintf("%T", r))
			v = api.Verdict{Outcome: api.Unknown, Class: api.Internal, Reason: "a defect"}
		}
	}()
	return e.post(ctx, s)
}

// writeOutcome writes down what became of a purchase whose request may be out. What cannot be written after a few
// tries leaves it unknown, and the operator is told. It gives up with ctx alone: then the next start
// finds the purchase.
func (e *Engine) writeOutcome(ctx context.Context, p store.Purchase, write func(context.Context) error) error {
	var err error
	// WithoutCancel: a stop must not turn an outcome that is known into an uncertain purchase.
	for n := range recordTries {
		if err = guarded(context.WithoutCancel(ctx), write); err == nil {
			return nil
		}
		e.log(p).Error("the outcome of a purchase cannot be written", "try", n+1, "err", err)
		backoff.Sleep(context.WithoutCancel(ctx), backoff.Doubled(recordBackoff, time.Minute, n+1))
	}
	// The same with less to write, for as long as the process lives: a disk that is full may have room for a small record.
	for {
		lost := guarded(context.WithoutCancel(ctx), func(ctx context.Context) error { return e.loseBarely(ctx, p.ID) })
		if lost == nil {
			e.log(p).Error("a purchase is uncertain because its outcome could not be written", "err", err)
			return nil
		}
		e.log(p).Error("a purchase cannot be made uncertain", "err", lost)
		if !backoff.Sleep(ctx, writeRetry) {
			return lost
		}
	}
}

// guarded turns a panic into an error. Its value is not told: it may hold what must not be logged.
func guarded(ctx context.Context, do func(context.Context) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("purchase: panic of type %T", r)
		}
	}()
	return do(ctx)
}

// loseBarely makes a purchase unknown with as little as can be written: the record as it fitted before, its phase
// and when to look for it. Its account stays busy with it, as it is.
func (e *Engine) loseBarely(ctx context.Context, id string) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		if errors.Is(err, store.ErrNotFound) {
			return nil // there is nothing to be told of
		}
		if err != nil || p.Phase != store.Submitting {
			return err // its outcome is there after all
		}
		p.Reason = "its outcome could not be written"
		e.uncertain(&p, store.Account{}) // as little as can be
		if err := e.transit(tx, &p, Lose, p.Reason); err != nil {
			return err
		}
		setApart(&p, store.Submitting)
		if err := tx.PutPurchase(&p); err != nil {
			return err
		}
		if err := showAnew(tx, p); err != nil || e.cfg.Operator == 0 {
			return err
		}
		// The prefix is on disk, as the name of the note (store.UnwrittenNote): both are older than what it is called now.
		return tx.Enqueue(store.NewNote(e.cfg.Operator, "stumble."+p.ID, store.UnwrittenNote, map[string]string{"ref": store.Ref(p.ID)}))
	})
}
