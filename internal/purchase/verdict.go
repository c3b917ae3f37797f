package purchase

import (
	"context"
	"errors"
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

// adopt makes orders a purchase's own, follows them, and takes the purchase out of the wallet. Orders that
// are somebody's already are nobody else's: free is false then, and nothing is changed.
func (e *Engine) adopt(tx *store.Tx, p *store.Purchase, a *store.Account, n named) (free bool, err error) {
	for _, o := range n.orders {
		o.Account = a.ID
		if free, err := e.free(tx, *p, o, n.answered); err != nil || !free {
			return false, err
		}
	}
	now := time.Now()
	p.OrderIDs = nil // an uncertain one has those that its answer named
	if err := putOrders(tx, *p, *a, n.orders); err != nil {
		return false, err
	}
	p.OrderIDs, p.Missing = n.keys(), p.Quantity-len(n.orders)
	if sum, named := n.price(); p.Missing > 0 && named && sum.Equal(p.Total) { // each may be of several units
		p.Missing = 0
	}
	if !n.answered {
		return true, debit(tx, a, *p, false, "", now)
	}
	return true, debit(tx, a, *p, true, toLearn(*a, *p), now)
}

// putOrders writes orders down as a purchase's own, behind those that it has, and has them looked at.
func putOrders(tx *store.Tx, p store.Purchase, a store.Account, orders []store.Order) error {
	now := time.Now()
	for i, named := range orders {
		o := store.Order{
			Account: a.ID, ID: named.ID, Purchase: p.ID, Origin: named.Origin, Other: named.Other, Topup: p.Topup, Personal: !p.Topup && isForSomebody(p), Manual: p.Manual,
			Item: store.ItemOf(p), Unit: len(p.OrderIDs) + i + 1, State: store.Waiting, Price: named.Price, CreatedAt: now, Due: now,
		}
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
		// A claim of somebody else stays theirs: free has found that it is of another order with the same number, or that our answer proves
		// more.
		if err := tx.ClaimOrder(o); err != nil && !errors.Is(err, store.ErrClaimed) {
			return err
		}
	}
	return nil
}

// free reports whether an order may become a purchase's own: it is nobody's, under any of its names, or another account
// has one of that number and another code. An answer is a better proof than a list was.
func (e *Engine) free(tx *store.Tx, p store.Purchase, o store.Order, answered bool) (bool, error) {
	// An account never has one order twice, whatever claims say.
	if _, err := tx.Order(o.Account, o.ID); !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	for _, name := range o.Names() {
		c, err := tx.OrderClaim(name)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return false, err
		case answered:
			err = e.numbersAlike(tx, p, name, c)
		default:
			var other bool
			if other, err = anotherOrder(tx.Order, c, o); !other {
				return false, err
			}
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
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
