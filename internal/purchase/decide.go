package purchase

import (
	"context"
	"fmt"
	"time"

	"resellerbot/internal/store"
)

// AskPeople asks the chats about purchases that have been unknown for longer than ReconcileFor. An
// account whose purchase is undecided can buy again: the next one in its line goes on.
func (e *Engine) AskPeople(ctx context.Context) error {
	return e.eachOpen(ctx, func(p store.Purchase) error {
		if p.Phase != store.Unknown || time.Since(p.SentAt) < e.cfg.ReconcileFor {
			return nil
		}
		if err := e.finish(ctx, p.ID, GiveUp, p.Reason, nil); err != nil {
			return fmt.Errorf("ask about purchase %s: %w", p.ID, err)
		}
		e.log(p).Warn("purchase is left for a person to decide")
		e.kick(p.Account)
		return nil
	})
}

// Decide takes a person's word about an undecided purchase: it went through and was taken care of at
// the service, or it does not exist there. Anything else than an undecided purchase is left alone with
// ErrStale, and somebody else's with ErrNotYours.
func (e *Engine) Decide(ctx context.Context, id string, chat, user int64, bought bool) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		switch {
		case err != nil:
			return err
		case p.Chat != chat, p.Phase != store.Undecided:
			return ErrStale
		case p.User != user:
			return ErrNotYours
		}
		ev, why := Deny, "a person said that it was not bought"
		if bought {
			ev, why = Close, "a person said that it was bought"
		}
		return e.move(tx, &p, &a, ev, why)
	})
}
