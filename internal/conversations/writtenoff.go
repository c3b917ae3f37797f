package conversations

import (
	"errors"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
)

// mostMoves is how often a transaction that decides by a customer's account is tried while others write there.
const mostMoves = 5

// updateBy is a transaction that decides by a customer's account: that is read before it, and once more where somebody has written there
// meanwhile. customer is empty where nobody owes anything by it.
func (t *turn) updateBy(customer string, unit func(*store.Tx, ledger.CustomerLines) error) (err error) {
	for range mostMoves {
		var c ledger.CustomerLines
		if customer != "" {
			if c, err = ledger.LinesOf(t.cfg.Store.Books(t.ctx), t.shop.ID, customer); err != nil {
				return err
			}
		}
		err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error { return unit(tx, c) })
		if !errors.Is(err, ledger.ErrMoved) {
			return err
		}
	}
	// Others were faster each time. The update is tried again, seconds later.
	return err
}

// debtorOf is who owes what was sold; empty where it was paid.
func debtorOf(sale ledger.Entry) string {
	if !sale.OnCredit() {
		return ""
	}
	return sale.Customer
}
