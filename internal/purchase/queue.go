package purchase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// Run recovers what an earlier process left, then walks the queues of all accounts until ctx is done.
// It returns when every purchase in flight has its outcome on disk, StopGrace after ctx at the latest.
func (e *Engine) Run(ctx context.Context) error {
	// Before any walk: a purchase that is still submitting from the last process must be unknown before its queue moves.
	if err := e.recover(ctx); err != nil {
		return unlessStopped(ctx, err)
	}
	e.mu.Lock()
	// wake works from here on. Taps of before this are on disk, and wakeAll finds them.
	e.start = func(account string) { e.walkers.Go(func() { e.walk(ctx, account) }) }
	e.mu.Unlock()
	err := e.wakeAll(ctx)
	if err == nil {
		<-ctx.Done()
	}
	e.mu.Lock()
	// Before Wait: no walk begins behind it. What is waked from here on is found on disk by the next start.
	e.start = nil
	e.mu.Unlock()
	e.walkers.Wait()
	return unlessStopped(ctx, err)
}

// unlessStopped forgives what failed because of a stop: the next start does it.
func unlessStopped(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// recover marks every purchase that was submitting when the last process ended: whether its request
// went out cannot be known any more. Uncertain ones that it was looking for are due again.
func (e *Engine) recover(ctx context.Context) error {
	return e.eachOpen(ctx, func(p store.Purchase) error {
		switch {
		case p.Phase == store.Submitting:
			e.log(p).Warn("purchase was submitting when the process ended")
			return e.loseSurely(ctx, p, "the process ended while submitting")
		case !p.LookAt.IsZero() && p.LookAt.Before(time.Now()):
			return e.release(ctx, p.ID)
		}
		return nil
	})
}

// release takes back what an earlier process had claimed of a purchase: it is nobody's now.
func (e *Engine) release(ctx context.Context, id string) error {
	return e.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		// The put writes the record's own due time over the lease of the process that is gone.
		return tx.PutPurchase(&p)
	})
}

// wakeAll starts the queues that have somebody waiting.
func (e *Engine) wakeAll(ctx context.Context) error {
	return e.eachOpen(ctx, func(p store.Purchase) error {
		if p.Phase == store.Queued {
			e.wake(p.Account)
		}
		return nil
	})
}

// eachOpen visits every purchase that is open now.
func (e *Engine) eachOpen(ctx context.Context, visit func(store.Purchase) error) error {
	for after := ""; ; {
		list, err := e.cfg.Store.OpenPurchases(ctx, after, 100)
		if err != nil {
			return fmt.Errorf("list open purchases: %w", err)
		}
		if len(list) == 0 {
			return nil
		}
		for _, p := range list {
			if err := visit(p); err != nil {
				return err
			}
		}
		after = list[len(list)-1].ID
	}
}

// wake has an account's queue walked. Before and after Run it does nothing: the queue is on disk.
func (e *Engine) wake(account string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.start == nil {
		return
	}
	// One walk an account. The mark has it look once more, since it may have read the queue before this purchase joined it.
	if _, walking := e.walking[account]; walking {
		e.walking[account] = true
		return
	}
	e.walking[account] = false
	e.start(account)
}

// walk takes purchases from an account's queue, one after another, until none can go on.
func (e *Engine) walk(ctx context.Context, account string) {
	for {
		wait, more := e.guardedStep(ctx, account)
		if wait > 0 && !backoff.Sleep(ctx, wait) {
			more = false
		}
		if more && ctx.Err() == nil {
			continue
		}
		e.mu.Lock()
		// Asked and deleted under one lock: a wake in between finds the walk there, or finds it gone and begins one.
		again := e.walking[account] && ctx.Err() == nil
		if !again {
			delete(e.walking, account)
			e.mu.Unlock()
			return
		}
		e.walking[account] = false
		e.mu.Unlock()
	}
}

// guardedStep is step under recover: a defect costs one step, never the process. What it was about waits on disk,
// and its place in the queue ends if the defect stays.
func (e *Engine) guardedStep(ctx context.Context, account string) (wait time.Duration, more bool) {
	defer func() {
		if r := recover(); r != nil {
			e.cfg.Log.Error("a walk of a purchase queue panicked", "account", account, "panic", fmt.Sprintf("%T", r))
			wait, more = writeRetry, true
		}
	}()
	wait, more, err := e.step(ctx, account)
	if err != nil && ctx.Err() == nil {
		e.cfg.Log.Error("walk a purchase queue", "account", account, "err", err)
		return writeRetry, true
	}
	return wait, more
}

// step takes the first purchase of the queue as far as it goes. more tells whether to go on at once,
// wait how long to pause before.
func (e *Engine) step(ctx context.Context, account string) (wait time.Duration, more bool, err error) {
	a, err := e.cfg.Store.Account(ctx, account)
	if errors.Is(err, store.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	// Whoever frees the account wakes its queue again: this walk ends.
	if a.Busy != "" || len(a.Queue) == 0 {
		return 0, false, nil
	}
	p, err := e.cfg.Store.Purchase(ctx, a.Queue[0])
	if errors.Is(err, store.ErrNotFound) {
		return 0, true, e.leaveQueue(ctx, a.ID, a.Queue[0])
	}
	if err != nil {
		return 0, false, err
	}
	wait, err = e.processFirst(ctx, a, p)
	return wait, err == nil, err
}
