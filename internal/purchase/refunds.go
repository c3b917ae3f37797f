package purchase

import (
	"context"

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
