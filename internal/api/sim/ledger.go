package sim

import (
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
)

// errNothing is of an account or a variant that does not exist.
var errNothing = errors.New("there is no such account or variant")

// refusal is why the service does not do something.
type refusal struct{ message string }

func (r refusal) Error() string { return r.message }

// EntryKind is what has moved a wallet.
type EntryKind string

// The kinds of entries.
const (
	Opened   EntryKind = "opened"   // the account was added
	Paid     EntryKind = "paid"     // an order was bought, its money taken
	Reserved EntryKind = "reserved" // an order was bought, its money held
	Captured EntryKind = "captured" // an order is done, and what was held for it taken
	Returned EntryKind = "returned" // an order has failed, and its money is back, taken or held
	Moved    EntryKind = "moved"    // from outside: a deposit, or what SetBalance did
)

// Entry is one line of the books of a wallet. Balance and Available are those after it.
type Entry struct {
	At                 time.Time
	Kind               EntryKind
	Balance, Available dzd.Amount
	Order              string // its id, where it is about one
	Tag                string // of who bought that, see Tagged
}

// Entries lists what has moved the wallet of a key, the oldest first.
func (s *Server) Entries(key string) []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(s.now())
	if a := s.account(key); a != nil {
		return slices.Clone(a.entries)
	}
	return nil
}

// Deposit adds money to the wallet of a key, in DZD; a negative amount takes it away. An amount that cannot be
// read panics.
func (s *Server) Deposit(key, amount string) {
	more := dzd.Must(amount)
	s.changeAccount(key, func(a *account) { a.balance = a.balance.Add(more) })
}

// record writes down that a wallet has moved.
func (a *account) record(at time.Time, kind EntryKind, o *order) {
	e := Entry{At: at, Kind: kind, Balance: a.balance, Available: a.available()}
	if o != nil {
		e.Order, e.Tag = o.id, o.tag
	}
	a.entries = append(a.entries, e)
}

// walletAt is what a wallet was at a moment; as it was opened, before it was.
func (a *account) walletAt(then time.Time) Entry {
	// This relies on entries in the order of their times. advance keeps it: what was due is entered before what happens now.
	for _, e := range slices.Backward(a.entries) {
		if !e.At.After(then) {
			return e
		}
	}
	// AddAccount has written the first entry, so there is one.
	return a.entries[0]
}

// charge takes what an order costs, or holds it.
func (s *Server) charge(o *order) {
	a := o.account
	if s.world.Holds {
		o.holding = true
		a.held = a.held.Add(o.price)
		a.record(o.at, Reserved, o)
		return
	}
	a.balance = a.balance.Sub(o.price)
	a.record(o.at, Paid, o)
}

// owe has the money of an order looked at once its time has come; s.mu is held.
func (s *Server) owe(o *order) {
	// take may have put it in, and Fail or CancelOrder come by here again: what stands there twice would be paid back twice.
	if !slices.Contains(s.open, o) {
		s.open = append(s.open, o)
	}
}

// due is when the money of an open order moves; the zero time where somebody has to decide first.
func (o *order) due() time.Time {
	switch {
	case o.ready.IsZero():
		return time.Time{}
	case o.fails, o.canceled:
		return o.ready.Add(o.refundAfter)
	}
	return o.ended()
}

// close moves the money of an open order: back, or from held to gone.
func (o *order) close(at time.Time) {
	a := o.account
	switch {
	case o.fails || o.canceled:
		o.refunded = true
		if o.holding {
			a.held = a.held.Sub(o.price)
		} else {
			a.balance = a.balance.Add(o.price)
		}
		a.record(at, Returned, o)
	case o.holding:
		a.held, a.balance = a.held.Sub(o.price), a.balance.Sub(o.price)
		a.record(at, Captured, o)
	}
	o.holding = false
}

// advance does, in its order, all that was due until now: purchases that are made late, refunds, and the taking of
// what was held; s.mu is held.
// perform calls it, and so do the methods that tell the truth, before they look. A purchase that is made late may be due to be refunded
// by now itself, so what is due next is looked for anew each time.
func (s *Server) advance(now time.Time) {
	for {
		next := s.nextOpen(now)
		late := s.nextLate(now)
		switch {
		case late != nil && (next == nil || !next.due().Before(late.due)):
			s.late = slices.DeleteFunc(s.late, func(l *lateCall) bool { return l == late })
			s.execute(late)
		case next != nil:
			s.open = slices.DeleteFunc(s.open, func(o *order) bool { return o == next })
			next.close(next.due())
		default:
			return
		}
	}
}

// nextOpen is the order whose money moves first of those that are due.
func (s *Server) nextOpen(now time.Time) *order {
	var next *order
	for _, o := range s.open {
		if at := o.due(); !at.IsZero() && !now.Before(at) && (next == nil || at.Before(next.due())) {
			next = o
		}
	}
	return next
}

// nextLate is the purchase that is made first of those that are due.
func (s *Server) nextLate(now time.Time) *lateCall {
	var next *lateCall
	for _, l := range s.late {
		if !now.Before(l.due) && (next == nil || l.due.Before(next.due)) {
			next = l
		}
	}
	return next
}
