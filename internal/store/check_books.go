package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"resellerbot/internal/ledger"
)

// shop is what a check has read of a book, to hold it against the orders.
type shop struct {
	head  ledger.Book
	units map[string]ledger.Unit // that no order was found for yet
	due   map[string]bool
}

// books reads the books, says whether they add up, and returns what is held against the orders.
func (c *checker) books(ctx context.Context) map[string]*shop {
	shops, audit := map[string]*shop{}, ledger.NewChecker()
	walk(ctx, c, books(), func(b ledger.Book) {
		shops[b.ID] = &shop{head: b, units: map[string]ledger.Unit{}, due: map[string]bool{}}
		audit.Book(b)
	})
	// The order is what the Checker asks for: the head first, then the entries, then what is derived from these.
	walk(ctx, c, bookEntries(), audit.Entry)
	walk(ctx, c, bookKeys(), audit.EntryKey)
	walk(ctx, c, bookBalances(), audit.Balance)
	walk(ctx, c, bookLines(), audit.Line)
	walk(ctx, c, bookLates(), audit.Late)
	walk(ctx, c, bookUnits(), func(u ledger.Unit) {
		audit.Unit(u)
		if s := shops[u.Book]; s != nil {
			s.units[u.Order] = u
		}
	})
	walk(ctx, c, bookDays(), audit.Day)
	walk(ctx, c, bookShifts(), audit.Shift)
	walk(ctx, c, bookDues(), func(d ledger.Due) {
		audit.Due(d)
		if s := shops[d.Book]; s != nil {
			s.due[d.Fact.Order] = true
		}
	})
	walk(ctx, c, prices(), func(Prices) {})
	walk(ctx, c, desks(), func(Desk) {})
	walk(ctx, c, counts(), func(Count) {})
	walk(ctx, c, costs(), func(Costs) {})
	walk(ctx, c, customers(), func(Customer) {})
	c.problems = append(c.problems, audit.Problems()...)
	return shops
}

// booked holds an order against the book of its shop: what is the shop's is in it as the service has it.
// It takes each order off the units of its book: unpaired, which comes last, tells of those that are left.
func (c *checker) booked(ctx context.Context, shops map[string]*shop, o Order) {
	s := shops[bookID(o.Account)]
	if s == nil || c.err != nil {
		return
	}
	u, known := s.units[o.ID]
	delete(s.units, o.ID)
	p, err := c.store.Purchase(ctx, o.Purchase)
	if err != nil {
		if !errors.Is(err, ErrNotFound) {
			c.err = err
		}
		return
	}
	// Earlier versions have not written what became known once its chat had left.
	left := !known && !s.head.For(p.Chat)
	if s.due[o.ID] || left || p.CreatedAt.Before(s.head.Opened) {
		return
	}
	if f := factOf(p, o); !agrees(f, u) {
		c.problems = append(c.problems, fmt.Sprintf("order %q of account %q is %s, and in the books %q", o.ID, o.Account, f.State, u.State))
	} else if known && f.State != ledger.Released && u.State != ledger.Refunded && u.Cost != max(f.Cost, 0) {
		c.problems = append(c.problems, fmt.Sprintf("order %q of account %q has another cost in the books", o.ID, o.Account))
	}
}

// agrees reports whether a unit is where its order says that it is.
func agrees(f ledger.Fact, u ledger.Unit) bool {
	switch f.State {
	case ledger.InTransit:
		return u.State != "" && u.State != ledger.Released // the service may have taken its word back
	case ledger.InStock:
		return u.State == ledger.InStock || u.State == ledger.Sold || u.State == ledger.Lost
	case ledger.Released:
		return u.State == ledger.Released || u.State == ""
	}
	return u.State == f.State || u.State == ledger.Lost
}

// unpaired says which units of the books are no orders.
func (c *checker) unpaired(shops map[string]*shop) {
	for _, id := range slices.Sorted(maps.Keys(shops)) {
		for _, order := range slices.Sorted(maps.Keys(shops[id].units)) {
			c.problems = append(c.problems, fmt.Sprintf("the book of account %q has a unit %q that is no order", id, order))
		}
	}
}
