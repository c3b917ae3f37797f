package purchase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"resellerbot/internal/store"
)

// queuedLife is how long a place in the queue is good: a wait that outlives its price asks again.
const queuedLife = 2 * time.Minute

// LetGo takes an owner's word that nobody is to wait for an uncertain purchase any longer. Its account's queue goes
// on at once, and what became of that one is for them to decide. ErrNotAllowed for anybody but an owner, ErrStale
// where nobody waits for it any more; ErrLocked or ErrRestored where nobody could go: nothing is to be decided for that.
func (e *Engine) LetGo(ctx context.Context, id string, user int64) error {
	const why = "an owner let the others go first"
	var seen store.Purchase
	err := e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return ErrStale
		case err != nil:
			return err
		case !a.Decides(p, user):
			return ErrNotAllowed
		case p.Phase != store.Unknown:
			return ErrStale
		}
		if err := locked(a); err != nil {
			return err
		}
		if err := e.move(tx, &p, &a, GiveUp, why); err != nil {
			return err
		}
		if seen = p; p.Chat == user {
			return nil // they look at it
		}
		// Where another owner has bought it, nobody else was asked: whoever lets the others go first is told that it is theirs to decide.
		return errors.Join(queueFor(tx, p, store.Decision, ".q", []int64{user}), e.pingUncertain(tx, p, a, user))
	})
	if err == nil {
		e.log(seen).Info(why, "by", user)
		e.wake(seen.Account)
	}
	return err
}

// Leave takes the word of who has confirmed a purchase, or of an owner, that it is not wanted any more while it waits for
// its turn: it ends, and nothing was sent. ErrNotAllowed for anybody else, ErrStale where its turn has come, or an attempt
// at it went out already.
func (e *Engine) Leave(ctx context.Context, id string, user int64) error {
	var left store.Purchase
	err := e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return ErrStale
		case err != nil:
			return err
		case p.User != user && a.Role(user) != store.Owner:
			return ErrNotAllowed
		case p.Phase != store.Queued:
			return ErrStale
		}
		left = p
		return e.end(tx, &p, &a, store.ReasonCancelled)
	})
	if err == nil {
		e.log(left).Info("a purchase left the queue", "by", user)
		e.wake(left.Account)
	}
	return err
}

// EndForbidden ends a purchase that waits for its turn and may not be sent any more, such as one whose buyer was taken out of the team: it
// would end at its turn, and is not waited for meanwhile. Any other is left as it is.
func (e *Engine) EndForbidden(ctx context.Context, id string) error {
	var ended store.Purchase
	err := e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		ended = store.Purchase{}
		p, a, err := load(tx, id)
		if err != nil || p.Phase != store.Queued {
			return err
		}
		why := forbidden(a, p)
		if why == "" {
			return nil
		}
		ended = p
		return e.end(tx, &p, &a, why)
	})
	if err == nil && ended.ID != "" {
		e.log(ended).Info("a purchase left the queue that may not be sent")
		e.wake(ended.Account)
	}
	return err
}

// endPlace ends a place in the queue whose time is over, and tells its buyer, unless its turn has come meanwhile.
func (e *Engine) endPlace(ctx context.Context, id string) error {
	account := ""
	err := e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		// What our own limit has held back waits with the QueuedAt of its first turn, so its place ends with that.
		if err != nil || p.Phase != store.Queued || time.Since(p.QueuedAt) < queuedLife {
			return err
		}
		held, err := heldBy(tx, p, a)
		if err != nil {
			return err
		}
		account = a.ID
		switch {
		case held != nil:
			p.Reason = store.ReasonHeld
		case p.Reason != store.ReasonOutage: // unless its turn came, and the service did not answer
			p.Reason = store.ReasonWaited
		}
		if err := e.move(tx, &p, &a, Drop, p.Reason); err != nil {
			return err
		}
		if p.List != "" && !p.Apart { // its list tells of it
			return nil
		}
		return tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID + ".w", Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority})
	})
	if err != nil {
		return fmt.Errorf("end a place in the queue: %w", err)
	}
	if account != "" {
		// The next one of the queue has waited for this one, if it was its turn.
		e.wake(account)
	}
	return nil
}

// heldBy is the uncertain purchase that another one of its account waits for; nil where none is.
func heldBy(tx *store.Tx, p store.Purchase, a store.Account) (*store.Purchase, error) {
	if a.Busy == "" || a.Busy == p.ID {
		return nil, nil //nolint:nilnil // nobody holds it up
	}
	first, err := tx.Purchase(a.Busy)
	if errors.Is(err, store.ErrNotFound) || err == nil && first.Phase != store.Unknown {
		return nil, nil //nolint:nilnil // as above
	}
	return &first, err
}

// tellHeld has it shown how many wait for an uncertain purchase: in its own message, and to the owners, who may
// let the others go first.
func tellHeld(tx *store.Tx, held store.Purchase, a store.Account) error {
	if err := showAnew(tx, held); err != nil {
		return err
	}
	return askOwners(tx, held, a)
}

// tellQueue has those who wait told for what they do, or that they no longer do: a purchase of their account has
// become uncertain, or is so no more. Where one of them waits no more, what it has waited for says so.
func tellQueue(tx *store.Tx, p store.Purchase, a store.Account, was store.Phase) error {
	if was == store.Queued && p.Phase.Final() {
		held, err := heldBy(tx, p, a)
		if err != nil || held == nil {
			return err
		}
		return tellHeld(tx, *held, a)
	}
	// Those behind it wait either way; what changes for them is the reason.
	if (p.Phase == store.Unknown) == (was == store.Unknown) {
		return nil
	}
	for _, id := range a.Queue {
		q, err := tx.Purchase(id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := showAnew(tx, q); err != nil {
			return err
		}
	}
	return nil
}
