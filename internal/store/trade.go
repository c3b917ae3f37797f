package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
)

// Trade is what a shop makes of a purchase of its own: its units as they are in the books, the price by its rules, and to
// whom it was sold. The zero Trade is of a shop without prices.
type Trade struct {
	Units  []ledger.Unit // that can be sold, or are, in the order of the purchase
	Used   []ledger.Unit // that a customer has brought back used, in the same order
	Rules  pricing.Rules
	Debts  []Debt    // of what is sold, in the order in which it was
	SoldAt time.Time // when a unit was sold last; zero where none is
}

// Debt is what was sold of a purchase to somebody on credit.
type Debt struct {
	Customer Customer
	Owed     ledger.Money // when it was sold, of what has not come back
}

// Turn is how often units of the purchase were sold: it names the card that shows them, so that one card is good for one
// sale whoever taps it.
func (t Trade) Turn() (n int) {
	for _, u := range t.Units {
		n += u.Sales
	}
	return n
}

// InStock are the units that can be sold.
func (t Trade) InStock() []ledger.Unit { return t.in(ledger.InStock) }

// Sold are those that are.
func (t Trade) Sold() []ledger.Unit { return t.in(ledger.Sold) }

// Of is the unit that an order has brought; false where it has brought none.
func (t Trade) Of(order string) (ledger.Unit, bool) {
	all := slices.Concat(t.Units, t.Used)
	i := slices.IndexFunc(all, func(u ledger.Unit) bool { return u.Order == order })
	if i < 0 {
		return ledger.Unit{}, false
	}
	return all[i], true
}

// IsMixed reports whether some of its units are sold, and some are not, or have come back used.
func (t Trade) IsMixed() bool {
	all := slices.Concat(t.Units, t.Used)
	return slices.ContainsFunc(all, func(u ledger.Unit) bool { return u.State != all[0].State })
}

// Price is what a unit is sold for by the shop's rules; false where they say nothing.
func (t Trade) Price(p Purchase, u ledger.Unit) (pricing.Quote, bool) {
	return t.Rules.For(PricedItem(p, u.Cost))
}

func (t Trade) in(state ledger.UnitState) []ledger.Unit {
	return slices.DeleteFunc(slices.Clone(t.Units), func(u ledger.Unit) bool { return u.State != state })
}

// PricedItem is what a purchase is of, as rules know it.
func PricedItem(p Purchase, cost ledger.Money) pricing.Item {
	return pricing.ItemOf(p.Category, p.ProductID, p.VariantID, p.Plan, cost, ledger.Of(p.Sells))
}

// Margins are what a shop asks for something, and earns by it, with one price of the service and with another one.
type Margins struct{ Asked, Asks, Earned, Earns dzd.Amount }

// Margins is what another price of the service does to what the shop earns by what a purchase is of; false where it has no
// price of its own before or after.
func (p Prices) Margins(of Purchase, was, now dzd.Amount) (m Margins, ok bool) {
	change, ok := p.Rules.Recost(PricedItem(of, ledger.Of(was)), ledger.Of(now))
	if !ok {
		return m, false
	}
	var errs [4]error
	m.Asked, errs[0] = change.Was.Price.Amount()
	m.Asks, errs[1] = change.Is.Price.Amount()
	m.Earned, errs[2] = change.Was.Gain.Amount()
	m.Earns, errs[3] = change.Is.Gain.Amount()
	return m, errors.Join(errs[:]...) == nil
}

// ListTrades reads what a list has bought, and what the shop makes of it.
func (t *Tx) ListTrades(l List) (bought map[string]Purchase, trades Trades, err error) {
	return listTrades(l, t.Purchase, t.Trade)
}

// ListTrades reads what a list has bought, and what the shop makes of it.
func (s *Store) ListTrades(ctx context.Context, l List) (bought map[string]Purchase, trades Trades, err error) {
	return listTrades(l, func(id string) (Purchase, error) { return s.Purchase(ctx, id) }, func(p Purchase) (Trade, error) { return s.Trade(ctx, p) })
}

func listTrades(l List, read func(string) (Purchase, error), trade func(Purchase) (Trade, error)) (bought map[string]Purchase, trades Trades, err error) {
	bought, trades = map[string]Purchase{}, Trades{}
	for _, id := range l.Purchases() {
		if bought[id], err = read(id); err != nil {
			return nil, nil, fmt.Errorf("read a line's purchase: %w", err)
		}
		if trades[id], err = trade(bought[id]); err != nil {
			return nil, nil, err
		}
	}
	return bought, trades, nil
}

// tradeReader reads what a trade is made of, within a transaction or outside of any.
type tradeReader struct {
	book     func() (ledger.Book, error)
	unit     func(order string) (ledger.Unit, error)
	prices   func() (Prices, error)
	entry    func(n uint64) (ledger.Entry, error)
	customer func(id string) (Customer, error)
}

// Trade reads what the shop makes of a purchase.
func (s *Store) Trade(ctx context.Context, p Purchase) (Trade, error) {
	id := bookID(p.Account)
	return tradeReader{
		book:     func() (ledger.Book, error) { return s.Books(ctx).Book(id) },
		unit:     func(order string) (ledger.Unit, error) { return s.BookUnit(ctx, p.Account, order) },
		prices:   func() (Prices, error) { return s.Prices(ctx, p.Account) },
		entry:    func(n uint64) (ledger.Entry, error) { return read(ctx, s, bookEntries(), id+"/"+dense(n)) },
		customer: func(c string) (Customer, error) { return s.Customer(ctx, id, c) },
	}.trade(p)
}

// Trade reads what the shop makes of a purchase.
func (t *Tx) Trade(p Purchase) (Trade, error) {
	id, books := bookID(p.Account), t.Books()
	return tradeReader{
		book:     func() (ledger.Book, error) { return books.Book(id) },
		unit:     func(order string) (ledger.Unit, error) { return books.Unit(id, order) },
		prices:   func() (Prices, error) { return t.Prices(p.Account) },
		entry:    func(n uint64) (ledger.Entry, error) { return books.Entry(id, n) },
		customer: func(c string) (Customer, error) { return t.Customer(id, c) },
	}.trade(p)
}

// trade is Trade by a reader.
func (r tradeReader) trade(p Purchase) (t Trade, err error) {
	if len(p.OrderIDs) == 0 || p.Account == "" {
		return t, nil
	}
	if _, err := r.book(); err != nil { // where no book is open nothing is sold here, and there is no trade to show
		return t, missing(err)
	}
	own, err := r.prices()
	if err != nil {
		return t, fmt.Errorf("read the prices: %w", err)
	}
	t.Rules = own.Rules
	sales := map[uint64]ledger.Money{}
	for _, order := range p.OrderIDs {
		u, err := r.unit(order)
		if missing(err) != nil {
			return t, fmt.Errorf("read a unit: %w", err)
		}
		switch {
		case err != nil:
		case u.State == ledger.InStock, u.State == ledger.Sold:
			t.Units = append(t.Units, u)
			if u.Sale != 0 {
				sales[u.Sale] += u.Price
			}
		case u.State == ledger.Lost:
			t.Used = append(t.Used, u)
		}
	}
	for _, sale := range slices.Sorted(maps.Keys(sales)) {
		if err := r.sold(&t, sale, sales[sale]); err != nil {
			return t, err
		}
	}
	return t, nil
}

// sold adds a sale of which units are still sold, for so much: when it was, and who has bought on credit.
func (r tradeReader) sold(t *Trade, sale uint64, price ledger.Money) error {
	e, err := r.entry(sale)
	if err != nil {
		return missing(err)
	}
	if t.SoldAt = e.At; e.Customer == "" {
		return nil
	}
	owed := ledger.Money(0)
	for _, l := range e.Lines {
		if l.Account == ledger.In(ledger.Customer, e.Customer) {
			owed += l.Debit - l.Credit
		}
	}
	if owed = min(owed, price); owed <= 0 {
		return nil
	}
	c, err := r.customer(e.Customer)
	if missing(err) != nil {
		return err
	}
	i := slices.IndexFunc(t.Debts, func(d Debt) bool { return c.ID != "" && d.Customer.ID == c.ID })
	if i < 0 {
		i, t.Debts = len(t.Debts), append(t.Debts, Debt{Customer: c})
	}
	t.Debts[i].Owed += owed
	return nil
}

// missing leaves out the error that a record is not there.
func missing(err error) error {
	if errors.Is(err, ErrNotFound) || errors.Is(err, ledger.ErrNotFound) {
		return nil
	}
	return err
}
