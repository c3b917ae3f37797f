package ledger

import (
	"cmp"
	"slices"
)

// Flows is what entries add up to.
type Flows struct { //nolint:recvcheck // MarshalText is of values too
	Entries   int
	Accounts  map[Account]Sums
	Rows      []Row                // what was sold, by product and seller
	Buyers    map[string]Purchases // what customers whose name is known have bought, by their ids; none of days that were sealed before it was counted
	PaidSales Money                // that customers paid for what they bought
	DebtsPaid Money
	Bought    Money // paid to the service
	Refunds   Money // seen of the service
}

// Add adds an entry. ErrOverflow.
func (f *Flows) Add(e Entry) (err error) {
	if f.Accounts == nil {
		f.Accounts = map[Account]Sums{}
	}
	f.Entries++
	for _, l := range e.Lines {
		if err := f.line(l.Account, sides(e, l)); err != nil {
			return err
		}
	}
	for _, i := range e.Items {
		if i.Units == 0 && i.Sold == 0 && i.Cost == 0 {
			continue
		}
		if err := f.row(Row{i.Product, i.Name, i.Seller, i.Units, i.Sold, i.Cost}); err != nil {
			return err
		}
	}
	if err := f.bought(e); err != nil {
		return err
	}
	return f.named(e)
}

// Purchases is what a customer has bought and not brought back, however it was paid.
type Purchases struct {
	Units int
	Sold  Money
}

// sides are what a line adds to the two sides of its account. What a customer began to owe by a sale that was undone on its own day, or has
// paid by mistake, was never owed or paid: it is taken off its own side, where it would look like a payment on the other one. So is what
// was paid ahead and given back: it is no new debt.
func sides(e Entry, l Line) Sums {
	if turned(e, l) {
		return Sums{-l.Credit, -l.Debit}
	}
	return Sums{l.Debit, l.Credit}
}

// turned reports whether sides takes a line off the side of the line that it takes back.
func turned(e Entry, l Line) bool {
	if l.Account.Group() != Customer {
		return false
	}
	return e.Kind == KindGiveBack || e.Kind == KindReverse && e.Corrects == "" && e.Of != KindGiveBack
}

// add adds what the same seller has sold of the same product.
func (r *Row) add(s Row) (err error) {
	r.Units += s.Units
	if r.Sold, err = r.Sold.Add(s.Sold); err != nil {
		return err
	}
	r.Cost, err = r.Cost.Add(s.Cost)
	return err
}

// Merge adds other flows.
func (f *Flows) Merge(g Flows) (err error) {
	if f.Accounts == nil {
		f.Accounts = map[Account]Sums{}
	}
	f.Entries += g.Entries
	for a, s := range g.Accounts {
		if err := f.line(a, s); err != nil {
			return err
		}
	}
	for _, r := range g.Rows {
		if err := f.row(r); err != nil {
			return err
		}
	}
	for customer, p := range g.Buyers {
		if err := f.buyer(customer, p); err != nil {
			return err
		}
	}
	for _, x := range []struct {
		to   *Money
		more Money
	}{{&f.PaidSales, g.PaidSales}, {&f.DebtsPaid, g.DebtsPaid}, {&f.Bought, g.Bought}, {&f.Refunds, g.Refunds}} {
		if *x.to, err = x.to.Add(x.more); err != nil {
			return err
		}
	}
	return nil
}

// Of is what a group of accounts has moved by.
func (f *Flows) Of(group string) (m Money) {
	for a, s := range f.Accounts {
		if a.Group() == group {
			m += s.Net()
		}
	}
	return m
}

// Sold is what was sold, however it was paid: at list price, less discounts and returns.
// Balances are debits less credits, so that of Sales is below zero, and those of Discount and Returns are above.
func (f *Flows) Sold() Money { return -f.Of(Sales) - f.Of(Discount) - f.Of(Returns) }

// Cost is what was paid for exactly what was sold, whenever that was.
func (f *Flows) Cost() Money { return f.Of(Cost) }

// Profit is what sales have brought.
func (f *Flows) Profit() Money { return f.Sold() - f.Cost() }

// Result is the profit less what was spent, lost, forgiven and short in the till.
func (f *Flows) Result() Money {
	return f.Profit() - f.Of(Expense) - f.Of(Loss) - f.Of(BadDebt) - f.Of(Over)
}

// Received is the money that customers have paid, less what they got back of what was paid ahead.
func (f *Flows) Received() Money { return f.PaidSales + f.DebtsPaid }

// NewCredit is what customers have begun to owe, without what was undone on the same day.
func (f *Flows) NewCredit() Money { return f.sums(Customer).Debits }

// PaidBack is what customers owe no more.
func (f *Flows) PaidBack() Money { return f.sums(Customer).Credits }

// bought adds an entry to what its customer has bought.
func (f *Flows) bought(e Entry) error {
	if e.Customer == "" {
		return nil
	}
	for _, i := range e.Items {
		if err := f.buyer(e.Customer, Purchases{i.Units, i.Sold}); err != nil {
			return err
		}
	}
	return nil
}

// buyer adds to what a customer has bought; of nothing at all, nothing is kept.
func (f *Flows) buyer(customer string, more Purchases) (err error) {
	had := f.Buyers[customer]
	had.Units += more.Units
	if had.Sold, err = had.Sold.Add(more.Sold); err != nil {
		return err
	}
	if f.Buyers == nil {
		f.Buyers = map[string]Purchases{}
	}
	if f.Buyers[customer] = had; had == (Purchases{}) {
		delete(f.Buyers, customer)
	}
	return nil
}

// named adds an entry to the figures that are told apart by kind.
func (f *Flows) named(e Entry) (err error) {
	kind := e.Kind
	if kind == KindReverse {
		kind = e.Of
	}
	for _, l := range e.Lines {
		var at *Money
		// Where its cash was counted, the opposite of an entry is on Over in the place of the till (opposite). What customers
		// have paid is less by it all the same.
		cash := l.Account.cash() || e.Kind == KindReverse && l.Account.Group() == Over
		switch {
		case kind == KindSale && cash:
			at = &f.PaidSales
		case (kind == KindPayment || kind == KindGiveBack) && cash:
			at = &f.DebtsPaid
		case (kind == KindBought || kind == KindCharged) && l.Account.Group() == Wallet:
			// Turned round: Bought is a positive number, and its line takes from the wallet.
			at, l = &f.Bought, Line{Debit: l.Credit, Credit: l.Debit}
		case kind == KindRefunded && l.Account.Group() == Wallet:
			at = &f.Refunds
		default:
			continue
		}
		if *at, err = at.Add(l.amount()); err != nil {
			return err
		}
	}
	return nil
}

// line adds to an account.
func (f *Flows) line(a Account, s Sums) (err error) {
	had := f.Accounts[a]
	if had.Debits, err = had.Debits.Add(s.Debits); err != nil {
		return err
	}
	if had.Credits, err = had.Credits.Add(s.Credits); err != nil {
		return err
	}
	f.Accounts[a] = had
	return nil
}

// row adds to what a seller has sold of a product.
func (f *Flows) row(r Row) error {
	i := slices.IndexFunc(f.Rows, func(x Row) bool { return x.Product == r.Product && x.Seller == r.Seller })
	if i < 0 {
		f.Rows = append(f.Rows, r)
		return nil
	}
	return f.Rows[i].add(r)
}

// sort puts the rows into an order that does not depend on how they came.
// Checker compares a sealed day with its fold row by row, and the record of a day is the same whoever writes it.
func (f *Flows) sort() {
	slices.SortFunc(f.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Sold, a.Sold), cmp.Compare(a.Product, b.Product), cmp.Compare(a.Seller, b.Seller))
	})
}

// sums are the two sides of a group.
func (f *Flows) sums(group string) (s Sums) {
	for a, one := range f.Accounts {
		if a.Group() == group {
			s.Debits, s.Credits = s.Debits+one.Debits, s.Credits+one.Credits
		}
	}
	return s
}
