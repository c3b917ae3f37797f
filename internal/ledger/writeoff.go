package ledger

import (
	"errors"
	"fmt"
	"time"
)

// mostLines is how many lines of a customer's account are looked through.
const mostLines = 200

// ErrMoved: a customer's account has changed since it was read. Reading it again and trying once more may do.
var ErrMoved = errors.New("ledger: the account has moved since it was read")

// ErrGivenBack: a payment is not taken back without which more was given back than was ever paid.
var ErrGivenBack = errors.New("ledger: refused: what was paid was given back")

// CustomerLines is what stands on a customer's account, newest first, as it was read outside of a transaction. Whoever decides by it in a
// transaction has it compared with the account there (ErrMoved).
type CustomerLines struct {
	customer string
	last     uint64 // number of the newest entry; 0 where there is none
	lines    []StatementLine
	all      bool // there are no others
}

// LinesOf reads a customer's account.
// Outside of a transaction, since it goes through a list, on which no transaction may rest. CustomerLines.last tells a later
// transaction whether the list is still right: every entry with a line on the account changes it.
func LinesOf(r Reader, book, customer string) (CustomerLines, error) {
	read, err := Statement(r, book, customer, 0, mostLines)
	c := CustomerLines{customer: customer, all: len(read) < mostLines}
	undone := map[uint64]bool{}
	for i, l := range read {
		if i == 0 {
			c.last = l.Entry.Number
		}
		switch { // the newest first: what takes an entry back is seen before it
		case l.Entry.Kind == KindReverse:
			undone[l.Entry.Reverses] = true
		case !undone[l.Entry.Number]:
			c.lines = append(c.lines, l)
		}
	}
	return c, err
}

// unmoved is what the customer owes, by the account within a transaction. ErrMoved where that is another one than was read.
func (c CustomerLines) unmoved(r Records, book string) (Money, error) {
	b, err := r.Balance(book, In(Customer, c.customer))
	b, err = found(b, err, Balance{})
	switch {
	case err != nil:
		return 0, doing("read what a customer owes", err)
	case b.Last != c.last:
		return 0, ErrMoved
	}
	return b.Net(), nil
}

// EndLoss takes back what was written off of a customer's debt since some sales of theirs, as far as they would have paid ahead without
// having paid, once back of these sales comes back: nobody has paid that part. A loss that covered more stays for the rest. It comes
// before what comes back, in the same transaction. ErrMoved.
//
// Example: a customer owes 100 DZD, 300 of a sale were written off, and 250 of that sale come back. They would have paid 150
// ahead without having paid. So the loss of 300 ends, 150 are written off anew, and they owe 250, which the return takes off.
func EndLoss(r Records, book string, who Who, c CustomerLines, sales []Entry, back Money, now time.Time) error {
	owes, err := c.unmoved(r, book)
	if err != nil {
		return err
	}
	ahead := back - max(owes, 0)
	for _, l := range c.lines {
		if ahead <= 0 || !isSince(l.Entry, sales) {
			return nil
		}
		if l.Entry.Kind != KindForgiven {
			continue
		}
		// Nobody forgives less by it: the loss ends with the sale that it was a loss of, whoever takes that back.
		if _, err := reverse(r, book, l.Entry.Number, who, now); err != nil {
			return err
		}
		lost := -l.Amount
		owes += lost
		if rest := min(lost-ahead, owes); rest > 0 {
			// The entry that it is the rest of, and where the account stood: the same loss may be cut again after the account has
			// moved.
			who.Nonce = fmt.Sprintf("loss/%d.%d", l.Entry.Number, c.last)
			_, err := MoveMoney(r, book, Move{Who: who, Kind: KindForgiven, From: In(Customer, c.customer), To: BadDebt, Customer: c.customer, Amount: rest}, now)
			if err != nil {
				return err
			}
		}
		ahead -= lost
	}
	return nil
}

// isSince reports whether an entry was written after one of some sales.
func isSince(e Entry, sales []Entry) bool {
	for _, s := range sales {
		if e.Number > s.Number {
			return true
		}
	}
	return false
}

// UndoPayment is Undo for what a customer has paid, or for what else is on their account. ErrGivenBack,
// ErrMoved.
func UndoPayment(r Records, book string, number uint64, who Who, c CustomerLines, now time.Time) (Entry, error) {
	if _, err := c.unmoved(r, book); err != nil {
		return Entry{}, err
	}
	var paid, given Money
	payment := false
	for _, l := range c.lines {
		switch {
		case l.Entry.Number == number:
			payment = l.Entry.Kind == KindPayment
		case l.Entry.Kind == KindPayment:
			paid -= l.Amount
		case l.Entry.Kind == KindGiveBack:
			given += l.Amount
		}
	}
	// Where older lines were not read it is not known what was ever paid, and nothing is refused for that.
	if payment && c.all && given > paid {
		return Entry{}, ErrGivenBack
	}
	return Undo(r, book, number, who, now)
}
