package ledger

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Undo takes an entry back by its opposite. Whoever made it may do so in the same shift and day, an owner later too: then
// the day that it corrects stays as it is sealed, and cash that was counted is not touched, for none moves now.
func Undo(r Records, book string, number uint64, who Who, now time.Time) (Entry, error) {
	b, e, err := toUndo(r, book, number)
	if err == nil {
		err = b.mayUndo(e, who, now)
	}
	if err != nil {
		return e, err
	}
	return b.undo(r, e, who, now)
}

// reverse is Undo whoever made the entry.
func reverse(r Records, book string, number uint64, who Who, now time.Time) (Entry, error) {
	b, e, err := toUndo(r, book, number)
	if err != nil {
		return e, err
	}
	return b.undo(r, e, who, now)
}

// undoKey is what an entry that takes another one back is found by.
func undoKey(number uint64) string { return fmt.Sprintf("rev/%d", number) }

// Undone reports whether an entry was taken back.
func Undone(r Records, book string, number uint64) (bool, error) {
	_, err := r.EntryKey(book, undoKey(number))
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// toUndo reads an entry that was not taken back so far.
func toUndo(r Records, book string, number uint64) (b Book, e Entry, err error) {
	b, was, done, err := act(r, book, undoKey(number), number)
	switch {
	case err != nil:
		return b, was, err
	case done:
		return b, was, &Refusal{Reason: AlreadyDone, By: was.By}
	}
	e, err = r.Entry(book, number)
	return b, e, doing("read an entry", err)
}

// undo writes the opposite of an entry.
func (b *Book) undo(r Records, e Entry, who Who, now time.Time) (Entry, error) {
	// Its cash leaves the till that it came into, whoever undoes it: Counter of the opposite is that of the entry, and not of
	// who.
	lines, err := b.opposite(r, e)
	if err != nil {
		return e, err
	}
	d := draft{act: e.Number, Entry: Entry{
		Kind: KindReverse, Of: e.Kind, Key: undoKey(e.Number), By: who.By, Counter: e.Counter, Customer: e.Customer, Reverses: e.Number,
		Lines: lines, Items: slices.Clone(e.Items),
	}}
	if e.Day != b.DayFor(now) {
		d.Corrects = e.Day
	}
	for i := range d.Items {
		item := &d.Items[i]
		// They count for the day of the undoing, which may be another one than that of the sale: what is sealed stays.
		item.Units, item.Sold, item.Cost = -item.Units, -item.Sold, -item.Cost
		u, err := unsold(r, b.ID, item.Order, e.Number)
		if err != nil {
			return e, err
		}
		// The entry has moved to Cost what the unit had cost at its sale. KindCharged has added the rest there since, so all of
		// it goes back.
		more := u.Cost - item.Paid // that the service took since
		item.Cost -= more
		d.Lines, d.units = append(d.Lines, pair(Stock, Cost, more)...), append(d.units, u)
	}
	return post(r, b, d, now)
}

// mayUndo reports why an entry cannot be taken back by somebody.
func (b *Book) mayUndo(e Entry, who Who, now time.Time) error {
	switch e.Kind {
	case KindSale, KindPayment, KindExpense, KindTaken, KindPutIn, KindForgiven, KindGiveBack, KindExplain:
	default:
		return refuse(NotSold) // facts, counts and reversals stay
	}
	switch {
	case who.Owner:
		return nil
	// Before whose it is: of what is sealed nobody but an owner undoes anything, and the reason is the same for all.
	case b.IsSealed(e, now):
		return refuse(TooLate)
	case e.By != who.By:
		return &Refusal{Reason: NotTheirs, By: e.By}
	}
	return nil
}

// IsSealed reports whether the day of an entry is over, or its shift was counted.
func (b *Book) IsSealed(e Entry, now time.Time) bool { return b.IsOver(e, now) || b.isCounted(e) }

// IsOver reports whether the day of an entry is over.
func (b *Book) IsOver(e Entry, now time.Time) bool { return e.Day != b.DayFor(now) }

// isCounted reports whether the cash of an entry was counted: it was posted before the open shift of its counter began. What is posted
// between a count and its confirmation bears the number of the shift that was counted, and is of the next one.
func (b *Book) isCounted(e Entry) bool {
	s := b.Shifts[e.Counter]
	return e.Counter != "" && (s.OpenedAt.IsZero() || e.Number < s.First)
}

// wasCounted reports whether somebody has counted the cash of an entry since it was posted: a shift that was closed without a count
// leaves it to the next one.
func (b *Book) wasCounted(r Records, e Entry) (bool, error) {
	if !b.isCounted(e) {
		return false, nil
	}
	open := b.Shifts[e.Counter]
	last := open.Number
	if !open.OpenedAt.IsZero() {
		last--
	}
	for n := e.Shift; n <= last; n++ {
		s, err := r.Shift(b.ID, e.Counter, n)
		if errors.Is(err, ErrNotFound) {
			return true, nil // it was closed before shifts were written down
		}
		if err != nil {
			return false, doing("read a shift", err)
		}
		next := open
		if n < last {
			if next, err = r.Shift(b.ID, e.Counter, n+1); err != nil {
				return false, doing("read a shift", err)
			}
		}
		// What was posted between a count and its confirmation is of the next shift.
		if !s.Uncount && (next.OpenedAt.IsZero() || e.Number < next.First) {
			return true, nil
		}
	}
	return false, nil
}

// opposite are the lines that take an entry back. Where its cash was counted, the difference of the count explains it.
func (b *Book) opposite(r Records, e Entry) ([]Line, error) {
	counted, err := b.wasCounted(r, e)
	if err != nil {
		return nil, err
	}
	lines := make([]Line, len(e.Lines))
	for i, l := range e.Lines {
		if lines[i] = (Line{Account: l.Account, Debit: l.Credit, Credit: l.Debit}); counted && l.Account.Group() == Till {
			lines[i].Account = In(Over, l.Account.Name())
		}
	}
	return lines, nil
}

// unsold is a unit whose sale is taken back.
func unsold(r Records, book, order string, sale uint64) (Unit, error) {
	u, err := r.Unit(book, order)
	if err != nil {
		return u, doing("read a unit", err)
	}
	// A unit that failed at the service after its sale is Claimed: its sale is not undone, and Return pays the customer.
	if u.State != Sold || u.Sale != sale {
		return u, refuse(NotSold)
	}
	u.State, u.Sale, u.Price, u.By = InStock, 0, 0, 0
	return u, nil
}

// Returned is that a customer gets the price of a unit back: from the till, or off what he owes. Usable is whether the code
// has not been used, and can be sold again.
type Returned struct {
	Who `json:"-"`

	Order    string
	OffDebt  bool
	Customer string
	Usable   bool
}

// Return gives money back, in the shift that pays it.
func Return(r Records, book string, a Returned, now time.Time) (Entry, error) {
	key := "return/" + a.Nonce
	b, was, done, err := act(r, book, key, a)
	if err != nil || done {
		return was, err
	}
	u, err := r.Unit(book, a.Order)
	u, err = found(u, err, Unit{})
	switch {
	case err != nil:
		return was, doing("read a unit", err)
	// Not by the state Sold alone: a unit that failed after its sale keeps its Sale, and its customer gets the money back as
	// well.
	case u.Sale == 0 || u.State == Lost:
		return was, refuse(NotSold)
	case a.OffDebt && a.Customer == "":
		return was, refuse(NoCustomer)
	}
	sale, err := r.Entry(book, u.Sale)
	if err != nil {
		return was, doing("read a sale", err)
	}
	from := In(Till, a.Counter)
	if a.OffDebt {
		from = In(Customer, a.Customer)
	}
	item := Item{Order: u.Order, Product: u.Product, Name: u.Name, Price: u.Price, Paid: u.Cost, Seller: u.By, Units: -1, Sold: -u.Price}
	d := draft{act: a, Entry: Entry{Kind: KindReturn, Key: key, By: a.By, Counter: a.Counter, Customer: sale.Customer, Lines: pair(Returns, from, u.Price)}}
	if sale.Day != b.DayFor(now) {
		d.Corrects = sale.Day
	}
	// Only a unit that is Sold goes anywhere: the cost of one that failed since is awaited from the service already (moved).
	if a.Usable && u.State == Sold {
		item.Cost = -u.Cost
		d.Lines = append(d.Lines, pair(Stock, Cost, u.Cost)...)
		u.State = InStock
	} else if u.State == Sold {
		u.State = Lost
	}
	u.Sale, u.Price, u.By = 0, 0, 0
	d.Items, d.units = []Item{item}, []Unit{u}
	e, err := post(r, &b, d, now)
	return e, err
}
