package purchase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// submission is the right to post one purchase once. Only commitSubmitting makes one, after the
// purchase is on disk as submitting, and post uses it up.
type submission struct {
	purchase store.Purchase
	service  Service
	begun    time.Time // before the intent was written
	used     bool
}

// processFirst brings the first purchase of a queue to an outcome. wait is how long to pause before the next step: the service does not
// answer, or limits are met.
func (e *Engine) processFirst(ctx context.Context, a store.Account, p store.Purchase) (wait time.Duration, err error) {
	if p.Phase != store.Queued {
		return 0, e.leaveQueue(ctx, a.ID, p.ID)
	}
	// The order of the checks is that of their costs: what the record says, then what the account says, then the service.
	if time.Since(p.QueuedAt) >= queuedLife {
		return 0, e.endPlace(ctx, p.ID)
	}
	if why := forbidden(a, p); why != "" {
		return 0, e.endQueued(ctx, p.ID, Drop, why, nil)
	}
	if p.Refused { // a program of before has sent it, met 429 and put it back: it may have been executed all the same
		return 0, e.endQueued(ctx, p.ID, Refuse, ReasonOf(api.Limited), nil)
	}
	service := e.cfg.Service(a)
	now, before, err := e.readBefore(ctx, service, p)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err() // not submitted: it waits on disk for the next start
	case err != nil:
		return e.unread(ctx, p, err)
	}
	switch {
	case now == nil:
		return 0, e.endQueued(ctx, p.ID, Refuse, ReasonOf(api.OutOfStock), nil)
	// The cached catalogue was wrong: the next screen reads it anew.
	case !same(now.Name, p.Variant):
		service.Forget()
		return 0, e.endQueued(ctx, p.ID, Drop, store.ReasonRenamed, nil)
	case !now.Price.Equal(p.Price):
		service.Forget()
		return 0, e.endQueued(ctx, p.ID, Drop, store.ReasonPrice, func(p *store.Purchase) {
			if !now.Price.IsZero() { // else the service names none, or none that can be read
				p.NewPrice = &now.Price
			}
		})
	}
	s, err := e.commitSubmitting(ctx, a, service, p.ID, before)
	if err != nil || s == nil {
		return 0, err
	}
	// Nothing may come between these two: from the commit on, every way out of this function writes an outcome.
	return e.recordSurely(ctx, s.purchase, e.posted(ctx, s))
}

// readBefore reads what a purchase is judged by just before it is submitted: the variant as it is sold now
// (nil where it is not), and the account's state as evidence for finding the purchase again. Without the
// evidence the purchase goes on: the service itself decides whether the money is there.
func (e *Engine) readBefore(ctx context.Context, service Service, p store.Purchase) (now *api.Variant, snap store.Snapshot, err error) {
	snap = store.Snapshot{Used: -1}
	// The group has no context of its own: a reading that fails does not cut the others short.
	var g errgroup.Group
	g.Go(func() error {
		variants, err := service.Variants(ctx, p.ProductID)
		if i := slices.IndexFunc(variants, func(v api.Variant) bool { return v.ID == p.VariantID }); i >= 0 {
			now = &variants[i]
		}
		return err
	})
	g.Go(func() error {
		if b, err := service.Balance(ctx, 0); err == nil && !b.Lacks {
			snap.Balance, snap.Available, snap.Known = b.Balance, b.Available, true
		}
		return nil
	})
	g.Go(func() error {
		if list, err := service.History(ctx, listOf(p), 0); err == nil {
			snap.Rows, snap.Unreadable, snap.Listed = rowsOf(list)
		}
		return nil
	})
	err = g.Wait()
	// Behind the wait: everything that was read is of before this moment, and movements are counted from it.
	snap.At, snap.Used = time.Now(), usedOf(now)
	return now, snap, err
}

// commitSubmitting puts the intent on disk. What it returns is the only way to post; nil where the purchase is
// forbidden by now: this is the last moment for that.
func (e *Engine) commitSubmitting(ctx context.Context, account store.Account, service Service, id string, before store.Snapshot) (*submission, error) {
	// Outside of the transaction, which has no scans: it pages through orders and accounts.
	seen, err := e.newReading(ctx, account, api.Balance{Balance: before.Balance, Available: before.Available}, before.At)
	if err != nil {
		return nil, fmt.Errorf("read what the balance may hold: %w", err)
	}
	var p store.Purchase
	var why string
	begun := time.Now()
	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) (err error) {
		before := before // a transaction that runs again begins with the reading, not with what its first run made of it
		var a store.Account
		if p, a, err = load(tx, id); err != nil {
			return err
		}
		if p.Phase != store.Queued {
			why = "its place in the queue has ended"
			return nil
		}
		if why = forbidden(a, p); why != "" {
			return e.end(tx, &p, &a, why)
		}
		// One walk an account sees to this within a process. Here it is the invariant itself: no second attempt is ever begun
		// beside one that is under way or uncertain.
		if a.Busy != "" {
			return fmt.Errorf("account %s is busy with %s", a.ID, a.Busy)
		}
		if before.Known { // the last reading without this purchase in it
			if err := e.observe(tx, &a, seen); err != nil {
				return err
			}
		}
		// Behind observe, which may have explained the reading just now. UnexplainedChanges tells evidence later whether
		// anything unexplained has come since: then it does not compare.
		before.Explained = before.Known && isExplained(a.Wallet, before.Available, seen.at)
		before.UnexplainedChanges = a.Wallet.UnexplainedChanges
		beginAttempt(&a, &p, before, seen)
		return e.move(tx, &p, &a, Submit, "")
	})
	if err != nil {
		return nil, fmt.Errorf("commit the intent of %s: %w", id, err)
	}
	if why != "" {
		return nil, nil //nolint:nilnil // there is nothing to post, and that is no failure
	}
	return &submission{purchase: p, service: service, begun: begun}, nil
}

// beginAttempt takes the account for a purchase that is about to be sent, with what was there before it.
func beginAttempt(a *store.Account, p *store.Purchase, before store.Snapshot, seen reading) {
	// From here on the account is this purchase's. Busy keeps a second attempt away. Spends makes each reading void that was begun
	// before this commit: whether such a reading holds the price, nobody can tell. expect has the wallet know that the price may go.
	a.Busy = p.ID
	a.Spends++
	p.SentAt, before.Held = time.Now(), pricesOf(seen.pending)
	// kept (evidence.go) asks by Spends whether any purchase was sent behind this one.
	before.Spends = a.Spends
	p.Before, p.Attempts, p.Reason = before, 1, "" // what it waited for is over
	forgo(a, p.ID)                                 // what a program of before has put back behind its own limit was expected already
	expect(a, *p, p.SentAt)
}

// pricesOf is what orders cost that were still waited for.
func pricesOf(pending []pendingPrice) (prices []dzd.Amount) {
	for _, h := range pending {
		prices = append(prices, h.price)
	}
	return prices
}

// post makes the one wire attempt. A stop lets it go on for StopGrace, then cuts it: its outcome is
// unknown.
func (e *Engine) post(ctx context.Context, s *submission) api.Verdict {
	if s.used {
		return api.Verdict{Outcome: api.Unknown, Reason: "posted twice"}
	}
	s.used = true
	// The request does not end with ctx: one that is cut is an uncertain purchase, so a stop first grants it StopGrace.
	wire, cut := backoff.WithGrace(ctx, e.cfg.StopGrace)
	defer cut()
	p := s.purchase
	inputs := make(map[string]string, len(p.Inputs))
	for _, a := range p.Inputs {
		if a.Value != "" { // skipped
			inputs[a.Index] = a.Value
		}
	}
	e.log(p).Info("purchase submitting")
	v := s.service.Purchase(wire, api.PurchaseRequest{
		Family: api.Family(p.Family), ProductID: p.ProductID, VariantID: p.VariantID, Plan: p.Plan, Quantity: p.Quantity, Inputs: inputs,
		Begun: s.begun,
	})
	// Whatever the answer: the cached balance, lists and stock are of before it.
	s.service.Forget()
	return v
}

// leaveQueue takes a purchase that is not queued out of its account's queue.
func (e *Engine) leaveQueue(ctx context.Context, account, id string) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		a, err := tx.Account(account)
		if err != nil {
			return err
		}
		a.Queue = without(a.Queue, id)
		return tx.PutAccount(&a)
	})
}
