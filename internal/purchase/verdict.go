package purchase

import (
	"context"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// recordVerdict puts the outcome of an attempt on disk, with the messages that it causes: once a request
// may be out, its outcome is written whatever stops.
func (e *Engine) recordVerdict(ctx context.Context, p store.Purchase, v api.Verdict) (wait time.Duration, err error) {
	ctx = context.WithoutCancel(ctx)
	e.log(p).Info("purchase answered", "outcome", v.Outcome.String(), "class", v.Class.String(), "status", v.Status, "reason", v.Reason, "orders", len(v.OrderIDs))
	switch v.Outcome {
	case api.Accepted:
		return 0, e.accept(ctx, p.ID, v)
	case api.Rejected, api.NotSent:
		// Status 0 is a refusal of our own limiter, before a byte went out; any other is the service's own no, and final: a purchase that it
		// refuses may be executed all the same, and is sent once.
		sent := v.Outcome == api.Rejected && v.Status != 0
		// Where its place in the queue would end within the wait, it is rejected now.
		if wait := max(v.RetryAfter, time.Second); !sent && v.Class == api.Limited && time.Since(p.QueuedAt)+wait < queuedLife {
			return wait, e.postpone(ctx, p.ID)
		}
		rest := time.Duration(0)
		if sent && v.Class == api.Limited { // the next one of the queue, or of a list, would be refused as well
			rest = min(max(v.RetryAfter, limitedRest), leastFresh)
		}
		return rest, e.finish(ctx, p.ID, Refuse, ReasonOf(v.Class), func(p *store.Purchase) {
			p.AnsweredAt, p.Fields, p.Refused = time.Now(), v.Fields, sent
		})
	default:
		return 0, e.lost(ctx, p.ID, v)
	}
}

// namedLook is how soon orders are asked for that an answer has named without proving that they are its purchase's.
const namedLook = time.Second

// limitedRest is how long an account's queue pauses after a 429, at least.
const limitedRest = 30 * time.Second

// leastFresh is how old a reading may be at any time, however fresh an account's were until now, and where it is not
// known how late they are.
const leastFresh = time.Minute

// fresh is after how long the readings of an account show what has happened.
func fresh(a store.Account, p store.Purchase) time.Duration {
	return max(leastFresh, time.Second+lagFactor*longestLag(a, p))
}

// lost makes a purchase unknown whose answer proves nothing.
func (e *Engine) lost(ctx context.Context, id string, v api.Verdict) error {
	return e.changePurchase(ctx, id, func(p *store.Purchase, a *store.Account) (Event, string) {
		p.Reason = v.Reason
		// They are hints alone: namedOrders asks for them, and adopt decides.
		p.OrderIDs, p.Origin = answeredOrders(v).keys(), string(v.Origin)
		e.uncertain(p, *a)
		if len(p.OrderIDs) > 0 { // a single call may show that they are what was bought
			p.LookAt = p.AnsweredAt.Add(namedLook)
		}
		return Lose, v.Reason
	})
}

// accept stores the orders that an answer named. Ids that are already somebody's, or that were in the list before, prove that they
// are not this purchase's: it stays unknown.
func (e *Engine) accept(ctx context.Context, id string, v api.Verdict) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		tx.WantAnswered(id, answeredOrders(v).keys()...)
		p, a, err := load(tx, id)
		if err != nil {
			return err
		}
		p.AnsweredAt = time.Now()
		named := answeredOrders(v)
		if wereThere(p, named) {
			// Some lists number their entries by themselves: where none of ours has shown that this one does not, the order is asked about.
			if a.Lags[listLag(a, p)].Seen == 0 {
				p.OrderIDs, p.Origin = named.keys(), string(v.Origin)
			}
			e.uncertain(&p, a)
			return e.move(tx, &p, &a, Lose, "the answer names an order that was in the list before")
		}
		free, err := e.adopt(tx, &p, &a, named)
		switch {
		case err != nil:
			return err
		case !free:
			e.uncertain(&p, a)
			return e.move(tx, &p, &a, Lose, "the answer names an order that is known already")
		}
		return e.move(tx, &p, &a, Accept, "")
	})
}

// wereThere reports whether an answer names an order that the list held before its purchase was sent.
func wereThere(p store.Purchase, n named) bool {
	return slices.ContainsFunc(n.orders, func(o store.Order) bool { return wasThere(p, api.Order{ID: o.ServiceID(), Transaction: o.Other}) })
}

// isForSomebody reports whether somebody, or something, was named when it was bought.
func isForSomebody(p store.Purchase) bool {
	return slices.ContainsFunc(p.Inputs, func(a store.Answer) bool { return a.Value != "" })
}

// postpone puts a purchase that our own limiter held back at the head of its queue again: nothing of it went out.
func (e *Engine) postpone(ctx context.Context, id string) error {
	return e.changePurchase(ctx, id, func(p *store.Purchase, a *store.Account) (Event, string) {
		a.Queue = append([]string{p.ID}, a.Queue...)
		// Spends stays raised: a reading that was begun before this attempt is taken anew, which does no harm.
		forgo(a, p.ID)
		p.Attempts, p.SentAt, p.Before = 0, time.Time{}, store.Snapshot{Used: -1}
		return Postpone, "rate limit"
	})
}

// lose makes a purchase unknown.
func (e *Engine) lose(ctx context.Context, id, why string) error {
	return e.lost(ctx, id, api.Verdict{Reason: why})
}

// ReasonOf is the Reason of a refusal of this class.
func ReasonOf(c api.Class) string { return c.String() }
