package purchase

import (
	"context"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// records is where orders and purchases are read: a unit that changes them, or the store beside any.
type records interface {
	Order(account, id string) (store.Order, error)
	Purchase(id string) (store.Purchase, error)
}

// stored is records as they are in the store.
type stored struct {
	ctx   context.Context //nolint:containedctx // of the one call that it is made for
	store *store.Store
}

func (s stored) Order(account, id string) (store.Order, error) {
	return s.store.Order(s.ctx, account, id)
}

func (s stored) Purchase(id string) (store.Purchase, error) { return s.store.Purchase(s.ctx, id) }

// refundsOf reads the orders of an account whose money may come back at any time, with what each has cost.
func refundsOf(from records, a store.Account) (waiting []store.Order, amounts []dzd.Amount, err error) {
	for _, id := range a.Refunds {
		o, err := from.Order(a.ID, id)
		if err != nil {
			return nil, nil, err
		}
		p, err := from.Purchase(o.Purchase)
		if err != nil {
			return nil, nil, err
		}
		waiting, amounts = append(waiting, o), append(amounts, p.PaidFor(o))
	}
	return waiting, amounts, nil
}

// missRefunds tells people about refunds that were not seen in time, and sets the next look for them. read tells that
// this look has read the balance.
func (e *Engine) missRefunds(tx *store.Tx, a *store.Account, read bool, at time.Time) error {
	waiting, _, err := refundsOf(tx, *a)
	if err != nil {
		return err
	}
	a.RefundAt = time.Time{}
	var touched []string
	for _, o := range waiting {
		age := at.Sub(o.ReadyAt)
		if next := at.Add(lookAgain(age)); age >= refundLife {
			a.Refunds = without(a.Refunds, o.ID)
		} else if a.RefundAt.IsZero() || next.Before(a.RefundAt) {
			a.RefundAt = next
		}
		state := overdue(o, age, patienceFor(*a), read && !a.Wallet.Began.After(o.ReadyAt))
		if state == o.Refund {
			continue
		}
		o.Refund = state
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
		e.cfg.Log.Warn("a refund was not seen", "purchase", o.Purchase, "account", a.ID, "order", o.ID, "refund", string(state))
		if !slices.Contains(touched, o.Purchase) {
			touched = append(touched, o.Purchase)
		}
	}
	for _, id := range touched {
		if err := e.bringOrder(tx, a, id, at); err != nil {
			return err
		}
	}
	return nil
}

// overdue is what a refund is called that has been awaited for a time. read tells that it would have shown by now: the
// balance was read just now, and explained since the order failed.
func overdue(o store.Order, age, patience time.Duration, read bool) store.RefundState {
	switch {
	case !o.Refund.Awaited() || age < patience:
	case age >= refundLife:
		return store.RefundUnseen
	case read:
		return store.RefundMissing
	case o.Refund == store.RefundWaiting && age >= 2*patience: // one look that fails is no reason to tell anybody
		return store.RefundUnread
	}
	return o.Refund
}
