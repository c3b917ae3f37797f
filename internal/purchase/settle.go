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
	// ManyUnits is from how many units on codes travel in a document instead of the message.
	ManyUnits = 11
	// documentWait is how long codes of a big purchase wait for the rest of it.
	documentWait = 2 * time.Minute
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
	o.Status, o.SeenAt, o.Looks = seen.Status, at, o.Looks+1
	was := o.State
	if o.State = stateOf(seen); o.State == store.Waiting {
		o.Due = at.Add(e.cfg.NextLook(at.Sub(o.CreatedAt)))
		return o.Purchase, false, tx.PutOrder(&o)
	}
	o.Code, o.Due = seen.Code, time.Time{}
	if o.ReadyAt.IsZero() {
		o.ReadyAt = at
	}
	return o.Purchase, o.State != was, tx.PutOrder(&o)
}

// settlePurchase brings a purchase up to its orders and queues what the chat has to be told.
func (e *Engine) settlePurchase(tx *store.Tx, id string, changed bool, at time.Time) error {
	p, a, err := load(tx, id)
	if err != nil {
		return err
	}
	count, err := countUnits(tx, p)
	if err != nil {
		return err
	}
	if p.Quantity >= ManyUnits && count.ready > p.Told.Codes && (count.waiting == 0 || at.Sub(count.since) >= documentWait) {
		if err := tx.Enqueue(document(p, count.ready)); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	if rings(p, count) {
		if err := tx.Enqueue(ping(p, count)); err != nil {
			return err
		}
	}
	if count.waiting == 0 && p.Phase == store.Accepted {
		e.log(p).Info("purchase settled", "codes", count.ready, "failed", count.failed)
		return e.move(tx, &p, &a, Complete, "")
	}
	return tx.Enqueue(carrier(p))
}

// units counts a purchase's orders by what became of them.
type units struct {
	ready, failed, waiting int
	since                  time.Time // when the first code was here
}

// countUnits reads the orders of a purchase.
func countUnits(tx *store.Tx, p store.Purchase) (units, error) {
	var u units
	for _, id := range p.OrderIDs {
		o, err := tx.Order(p.Account, id)
		if err != nil {
			return u, err
		}
		switch o.State {
		case store.Ready, store.Completed:
			u.ready++
			if u.since.IsZero() || o.ReadyAt.Before(u.since) {
				u.since = o.ReadyAt
			}
		case store.Failed:
			u.failed++
		default:
			u.waiting++
		}
	}
	return u, nil
}

// rings reports whether the phone should ring for what has become of a purchase: for its first codes
// and for its end, but not where a document rings anyway.
func rings(p store.Purchase, u units) bool {
	if p.Quantity >= ManyUnits && u.ready > 0 {
		return false
	}
	return u.waiting == 0 || p.Told.Pinged == 0
}

// ping is the short message that makes the phone ring. Its id sorts behind the carrier's, and names how
// much is told, so that telling the same twice is one message.
func ping(p store.Purchase, u units) *store.Outgoing {
	return &store.Outgoing{Chat: p.Chat, ID: fmt.Sprintf("%s.p%d", p.ID, u.ready+u.failed), Kind: store.Ping, Purchase: p.ID, Priority: 2}
}

// document is the file of a big purchase's codes, named by how many it holds.
func document(p store.Purchase, codes int) *store.Outgoing {
	return &store.Outgoing{Chat: p.Chat, ID: fmt.Sprintf("%s.d%d", p.ID, codes), Kind: store.Document, Purchase: p.ID, Priority: 1}
}
