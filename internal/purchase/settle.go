package purchase

import (
	"context"
	"errors"
	"fmt"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	// documentWait is how long codes of a big purchase wait for the rest of it.
	documentWait = 2 * time.Minute
	// codeless is how long an order may be called done without its code.
	codeless = 30 * time.Minute
	// lateAfter is how long an order may take before people are told to ask for it.
	lateAfter = 24 * time.Hour
)

// Settle takes what the service showed of an account's orders: codes and failures are stored, the
// purchases move, and the messages that tell of it are queued, all in one transaction. Orders that are
// not ours are left alone. It may be called twice with the same.
func (e *Engine) Settle(ctx context.Context, account string, seen []api.Order, at time.Time) error {
	err := e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		touched := map[string]bool{}
		for _, o := range seen {
			p, changed, err := e.settleOrder(tx, account, o, at)
			if err != nil {
				return fmt.Errorf("order %s: %w", o.ID, err)
			}
			if p != "" {
				touched[p] = touched[p] || changed
			}
		}
		for id, changed := range touched {
			if err := e.settlePurchase(tx, id, changed, at); err != nil {
				return fmt.Errorf("purchase %s: %w", id, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("settle orders of account %s: %w", account, err)
	}
	return nil
}

// settleOrder notes one look at an order. It names the order's purchase, "" where the order is not
// ours, and tells whether the order came to its end.
func (e *Engine) settleOrder(tx *store.Tx, account string, seen api.Order, at time.Time) (purchase string, ended bool, err error) {
	o, err := tx.Order(account, seen.ID)
	if errors.Is(err, store.ErrNotFound) {
		return "", false, nil
	}
	if err != nil || o.State == store.Ready {
		return o.Purchase, false, err
	}
	was := o
	if o = e.advance(o, seen, at); o.State == store.Waiting {
		return o.Purchase, o.Late != was.Late || o.Strange != was.Strange, tx.PutOrder(&o)
	}
	if o.State != was.State {
		tx.Then(func() {
			e.cfg.Log.Info("order came to its end", "purchase", o.Purchase, "account", account, "order", o.ID, "state", string(o.State), "looks", o.Looks)
		})
	}
	return o.Purchase, o.State != was.State, tx.PutOrder(&o)
}

// advance is what an order becomes by a look at it.
func (e *Engine) advance(o store.Order, seen api.Order, at time.Time) store.Order {
	o.SeenAt, o.Looks = at, o.Looks+1
	o.Strange, o.Status = isStrange(seen.Status), seen.Status
	if !seen.Notes.IsZero() {
		o.Notes = seen.Notes
	}
	if o.State = stateOf(o, seen); o.State == store.Waiting && succeeded(seen) {
		if o.DoneAt.IsZero() {
			o.DoneAt = at
		}
		if at.Sub(o.DoneAt) >= codeless { // people have to ask for it: the service will not send it any more
			o.State, o.Late = store.Completed, true
		}
	}
	if o.State == store.Waiting {
		o.Due = at.Add(e.cfg.NextLook(at.Sub(o.CreatedAt)))
		o.Late = o.Late || at.Sub(o.CreatedAt) >= lateAfter
		return o
	}
	o.Code, o.Due = seen.Code, time.Time{}
	if o.ReadyAt.IsZero() {
		o.ReadyAt = at
	}
	return o
}

// News reports whether a look at an order that waits shows anything that Settle would have to put on disk.
func (e *Engine) News(o store.Order, seen api.Order, at time.Time) bool {
	next := e.advance(o, seen, at)
	return next.State != o.State || next.Status != o.Status || next.Strange != o.Strange || next.Late != o.Late ||
		!next.DoneAt.Equal(o.DoneAt) || next.Notes.Reveal() != o.Notes.Reveal()
}

// settlePurchase brings a purchase up to its orders and queues what the chat has to be told.
func (e *Engine) settlePurchase(tx *store.Tx, id string, changed bool, at time.Time) error {
	p, a, err := load(tx, id)
	if err != nil {
		return err
	}
	return e.bring(tx, &p, &a, changed, at)
}

// bring is settlePurchase for a purchase that is in hand with its account.
func (e *Engine) bring(tx *store.Tx, p *store.Purchase, a *store.Account, changed bool, at time.Time) error {
	opened, err := e.openRefunds(tx, *p, a, at)
	if err != nil {
		return err
	}
	count, err := countUnits(tx, *p)
	if err != nil {
		return err
	}
	if count.document && count.ready > p.Told.Codes && (count.waiting == 0 || at.Sub(count.since) >= documentWait) {
		if err := tx.Enqueue(document(*p, count.ready)); err != nil {
			return err
		}
	}
	if !changed && !opened {
		return nil
	}
	if err := e.announce(tx, p, *a, count); err != nil {
		return err
	}
	if count.ended() > 0 {
		if err := copies(tx, *p, *a); err != nil {
			return err
		}
	}
	if count.waiting == 0 && count.refunds == 0 && p.Phase == store.Accepted {
		tx.Then(func() { e.log(*p).Info("purchase settled", "codes", count.ready, "failed", count.failed) })
		return e.move(tx, p, a, Complete, "")
	}
	if opened {
		if err := tx.PutAccount(a); err != nil {
			return err
		}
	}
	return tx.Enqueue(carrier(*p))
}

// announce queues what makes the phone ring for a purchase: what became of it, and once that it takes too
// long.
func (e *Engine) announce(tx *store.Tx, p *store.Purchase, a store.Account, count units) error {
	if count.ended() > 0 && rings(*p, count) {
		if err := tx.Enqueue(ping(*p, count)); err != nil {
			return err
		}
	}
	if !count.late || p.Told.Late {
		return nil
	}
	p.Told.Late = true
	if err := e.askForSupport(tx, *p, a); err != nil {
		return err
	}
	return tx.PutPurchase(p)
}

// openRefunds begins to wait for the refunds of orders that have failed.
func (e *Engine) openRefunds(tx *store.Tx, p store.Purchase, a *store.Account, at time.Time) (opened bool, err error) {
	for _, id := range p.OrderIDs {
		o, err := tx.Order(p.Account, id)
		if err != nil {
			return false, err
		}
		if o.State != store.Failed || o.Refund != store.NoRefund {
			continue
		}
		o.Refund = store.RefundWaiting
		if err := tx.PutOrder(&o); err != nil {
			return false, err
		}
		a.Refunds, a.LookAt, opened = append(a.Refunds, id), at, true
	}
	return opened, nil
}

// units counts a purchase's orders by what became of them.
type units struct {
	ready, failed, waiting int
	refunds                int       // failed ones whose refund is waited for
	since                  time.Time // when the first code was here
	late                   bool      // one of them takes too long
	document               bool      // their codes travel in a file
}

// ended is how many came to their end.
func (u units) ended() int { return u.ready + u.failed }

// countUnits reads the orders of a purchase.
func countUnits(tx *store.Tx, p store.Purchase) (units, error) {
	var u units
	var orders []store.Order
	for _, id := range p.OrderIDs {
		o, err := tx.Order(p.Account, id)
		if err != nil {
			return u, err
		}
		orders = append(orders, o)
		switch o.State {
		case store.Ready, store.Completed:
			u.ready++
			u.late = u.late || o.Late && o.State == store.Completed
			if u.since.IsZero() || o.ReadyAt.Before(u.since) {
				u.since = o.ReadyAt
			}
		case store.Failed:
			u.failed++
			if o.Refund == store.RefundWaiting {
				u.refunds++
			}
		default:
			u.waiting++
			u.late = u.late || o.Late
		}
	}
	u.document = p.InDocument(orders)
	return u, nil
}

// rings reports whether the phone should ring for what has become of a purchase: for its first codes
// and for its end, but not where a document rings anyway.
func rings(p store.Purchase, u units) bool {
	if u.document && u.ready > 0 {
		return false
	}
	return u.waiting == 0 || p.Told.Pinged == 0
}

// ping is the short message that makes the phone ring. Its id sorts behind the carrier's, and names how
// much is told, so that telling the same twice is one message.
func ping(p store.Purchase, u units) *store.Outgoing {
	return &store.Outgoing{Chat: p.Chat, ID: fmt.Sprintf("%s.p%d", p.ID, u.ended()), Kind: store.Ping, Purchase: p.ID, Priority: 2}
}

// document is the file of a big purchase's codes, named by how many it holds.
func document(p store.Purchase, codes int) *store.Outgoing {
	return &store.Outgoing{Chat: p.Chat, ID: fmt.Sprintf("%s.d%d", p.ID, codes), Kind: store.Document, Purchase: p.ID, Priority: 1}
}
