package conversations

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// takeBack takes a sale back. One of a day that is over is asked about: the customer may get money back, which leaves the drawer
// today.
func (t saleFlow) takeBack(p store.Purchase, number uint64) error {
	e, err := t.cfg.Store.BookEntry(t.ctx, p.Account, number)
	if err != nil || e.Kind != ledger.KindSale || !slices.ContainsFunc(e.Items, func(i ledger.Item) bool { return slices.Contains(p.OrderIDs, i.Order) }) {
		return firstError(ignoreMissing(err), t.stale)
	}
	if t.action.Arg(1) == screen.SaleBack {
		return t.giveBack(p, e, t.action.Arg(3) == screen.SaleUsable)
	}
	late := false
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		b, err := tx.Books().Book(p.Account)
		if err != nil {
			return err
		}
		if late = b.IsSealed(e, time.Now()) && t.action.Arg(3) != screen.Yes; late {
			return nil
		}
		if _, err := ledger.Undo(tx.Books(), p.Account, number, t.who(""), time.Now()); err != nil {
			return err
		}
		return refreshTrade(tx, p)
	})
	switch {
	case err != nil:
		return t.notWritten(p, err)
	case late:
		return t.askReturn(p, e)
	}
	t.answerText(t.own.Sales().UndoneToast(), false)
	return t.showAnew(p)
}

// askReturn asks what comes back with the money of a sale of a day that is over.
func (t saleFlow) askReturn(p store.Purchase, e ledger.Entry) error {
	c, err := t.buyer(e)
	if err != nil {
		return err
	}
	t.action.Fresh = true // the codes stay
	return t.say(t.scr.Sales().Return(p, e.Number, soldFor(e), c, t.role == store.Owner))
}

// buyer is who has bought on credit by an entry; none where it was paid.
func (t saleFlow) buyer(e ledger.Entry) (c store.Customer, err error) {
	if e.Customer == "" {
		return c, nil
	}
	c, err = t.cfg.Store.Customer(t.ctx, e.Book, e.Customer)
	if c.ID = e.Customer; errors.Is(err, store.ErrNotFound) {
		return c, nil
	}
	return c, err
}

// soldFor is the price of all units of a sale.
func soldFor(e ledger.Entry) (total ledger.Money) {
	for _, i := range e.Items {
		total += i.Sold
	}
	return total
}

// giveBack gives the money of a sale back: from this drawer today, or off what the customer owes.
func (t saleFlow) giveBack(p store.Purchase, e ledger.Entry, usable bool) error {
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		for _, i := range e.Items {
			back := ledger.Returned{
				Who: t.who(fmt.Sprintf("%d.%s", e.Number, i.Order)), Order: i.Order, OffDebt: e.Customer != "", Customer: e.Customer, Usable: usable,
			}
			u, err := tx.Books().Unit(p.Account, i.Order)
			if err == nil && u.Sale != e.Number {
				err = &ledger.Refusal{Reason: ledger.NotSold}
			}
			if err == nil {
				_, err = ledger.Return(tx.Books(), p.Account, back, time.Now())
			}
			if err != nil {
				return err
			}
		}
		return refreshTrade(tx, p)
	})
	if err != nil {
		return t.notWritten(p, err)
	}
	return t.say(t.scr.Sales().Returned(p, soldFor(e)))
}
