package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/ledger"
)

// observe notes that the books have to look at a purchase once everything else of the transaction is written.
func (t *Tx) observe(purchase string) {
	if purchase != "" && !slices.Contains(t.observed, purchase) {
		t.observed = append(t.observed, purchase)
	}
}

// observeOwn is observe for an order, which its purchase may have let go of.
func (t *Tx) observeOwn(o Order) {
	if o.Purchase == "" {
		return
	}
	t.observe(o.Purchase)
	if t.orders == nil {
		t.orders = map[string][]string{}
	}
	if !slices.Contains(t.orders[o.Purchase], o.ID) {
		t.orders[o.Purchase] = append(t.orders[o.Purchase], o.ID)
	}
}

// keepBooks brings the books of the shops up to the purchases that the transaction has changed. It is the last of the transaction, so that
// a purchase and its entries are written together. A shop without a book costs one look.
func (t *Tx) keepBooks(now time.Time) error {
	for _, id := range t.observed {
		p, err := t.Purchase(id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := t.keepBook(p, now); err != nil {
			return fmt.Errorf("books of account %s: %w", p.Account, err)
		}
	}
	return nil
}

// keepBook is keepBooks for one purchase: each order that it has, or had and let go of.
func (t *Tx) keepBook(p Purchase, now time.Time) error {
	if p.Account == "" || len(p.OrderIDs)+len(t.orders[p.ID]) == 0 {
		return nil
	}
	b, err := t.Books().Book(bookID(p.Account))
	if err != nil || p.CreatedAt.Before(b.Opened) {
		return t.leaveBook(bookID(p.Account), p, err, now)
	}
	// Whoever has bought it: only chats of the shop can, and what one of them has bought that has left since, the shop's wallet has paid.
	return t.eachFact(p, func(f ledger.Fact) error { return t.observeOrder(b.ID, f, now) })
}

// eachFact gives what the books have to know of each order that is a purchase's, or was until this transaction.
func (t *Tx) eachFact(p Purchase, give func(ledger.Fact) error) error {
	// Orders of the purchase that were written in this transaction and that it names no more: they are Released (factOf).
	let := slices.DeleteFunc(slices.Clone(t.orders[p.ID]), func(id string) bool { return slices.Contains(p.OrderIDs, id) })
	for _, id := range slices.Concat(p.OrderIDs, let) {
		o, err := t.Order(p.Account, id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if o.Purchase != p.ID {
			continue
		}
		if err := give(factOf(p, o)); err != nil {
			return err
		}
	}
	return nil
}

// leaveBook is what becomes of a purchase that is none of a book's. A book that cannot be read holds nothing back: its facts
// wait for it.
func (t *Tx) leaveBook(book string, p Purchase, err error, now time.Time) error {
	if err == nil || errors.Is(err, ErrNotFound) {
		return nil
	}
	return t.eachFact(p, func(f ledger.Fact) error {
		return t.putDue(ledger.Due{Book: book, Fact: f, Why: "the book cannot be read", At: now})
	})
}

// observeOrder writes what the books have to say of an order. What they cannot write waits, and nothing waits for it: not
// even a mistake of theirs keeps a code back.
func (t *Tx) observeOrder(book string, f ledger.Fact, now time.Time) error {
	// A fact of this order waits already: this one joins it, for the books must not see the later one first.
	_, err := bookDues().get(t, book+"/"+f.Order)
	if err == nil {
		return t.putDue(ledger.Due{Book: book, Fact: f, Why: "the one before it waits", At: now})
	}
	if !errors.Is(err, ErrNotFound) {
		return nil
	}
	// The writes are put aside, and follow only if all of them could be made: half an entry would not add up, and an error here
	// must not take the purchase along.
	aside := &staged{under: t.records}
	if err := t.observeAside(aside, book, f, now); err != nil {
		return t.putDue(ledger.Due{Book: book, Fact: f, Why: err.Error(), At: now})
	}
	return aside.write()
}

// observeAside is observeOrder without its writes, which are put aside.
func (t *Tx) observeAside(aside *staged, book string, f ledger.Fact, now time.Time) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	// What the codecs of the books need, and no more: put writes to wake, and nothing of the books reads hints or has anything
	// done afterwards.
	tx := &Tx{records: aside, keyring: t.keyring, mark: t.mark, wake: t.wake}
	return ledger.Observe(tx.Books(), book, f, now)
}

// staged is records whose writes wait until all of them are known.
type staged struct {
	under RecordTx
	puts  []Record
}

// Get returns a record as it will be. One that waits counts its writes from the version under it.
func (s *staged) Get(k Kind, key string) (Record, error) {
	if i := s.at(k, key); i >= 0 {
		return s.puts[i], nil
	}
	return s.under.Get(k, key)
}

// Put has a record wait to be written.
func (s *staged) Put(r Record) (uint64, error) {
	if i := s.at(r.Kind, r.Key); i >= 0 {
		if s.puts[i].Version != r.Version {
			return 0, ErrConflict
		}
		s.puts[i] = r
		return r.Version, nil
	}
	old, err := s.under.Get(r.Kind, r.Key)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, err
	}
	if old.Version != r.Version {
		return 0, ErrConflict
	}
	s.puts = append(s.puts, r)
	return r.Version, nil
}

// Delete deletes nothing: what is in the books stays.
func (s *staged) Delete(r Record) error {
	return fmt.Errorf("delete %s %q: the books keep everything", r.Kind, r.Key)
}

// at is the write of a record that waits; -1 where none does.
func (s *staged) at(k Kind, key string) int {
	return slices.IndexFunc(s.puts, func(r Record) bool { return r.Kind == k && r.Key == key })
}

// write writes what waits.
func (s *staged) write() error {
	for _, r := range s.puts {
		if _, err := s.under.Put(r); err != nil {
			return fmt.Errorf("write %s %q: %w", r.Kind, r.Key, err)
		}
	}
	return nil
}

// putDue has a fact wait to be written, in the place of one of the same order.
func (t *Tx) putDue(d ledger.Due) error {
	// One fact for each order, the last one: Observe takes a unit from where it is to where the order stands, over what lies
	// between.
	old, err := bookDues().get(t, d.Book+"/"+d.Fact.Order)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil
	}
	if err == nil {
		d.Rev = old.Rev
		return bookDues().put(t, &d)
	}
	b, err := t.Books().Book(d.Book)
	if err == nil {
		b.Dues++
		err = t.Books().PutBook(&b)
	} else {
		err = nil // RetryDues counts it once the book can be read
	}
	return errors.Join(err, bookDues().put(t, &d))
}

// RetryDues writes the facts of a book that wait, where that is possible by now, and returns how many still do.
func (s *Store) RetryDues(ctx context.Context, book string, now time.Time) (left int, err error) {
	waiting, err := s.BookDues(ctx, book, 10_000)
	if err != nil || len(waiting) == 0 {
		return 0, err
	}
	if err := s.Update(ctx, func(tx *Tx) error { return tx.countDues(book, len(waiting)) }); err != nil {
		return len(waiting), nil //nolint:nilerr // the book cannot be read still, and each Due says so
	}
	for _, due := range waiting {
		err := s.Update(ctx, func(tx *Tx) error { return tx.retryDue(due, now) })
		if err != nil {
			// Each has a transaction of its own: one that fails holds up no other. The Due says why it waits (Due.Why).
			left++
		}
	}
	return left, nil
}

// countDues has a book know of so many facts that wait: those that came while it could not be read were not counted, and while any waits no
// day is sealed.
func (t *Tx) countDues(book string, waiting int) error {
	b, err := t.Books().Book(book)
	if err != nil || b.Dues >= waiting {
		return err
	}
	b.Dues = waiting
	return t.Books().PutBook(&b)
}

// retryDue writes a fact that waited.
func (t *Tx) retryDue(due ledger.Due, now time.Time) error {
	if err := ledger.Observe(t.Books(), due.Book, due.Fact, now); err != nil {
		return err
	}
	b, err := t.Books().Book(due.Book)
	if err != nil {
		return err
	}
	// The book is read behind Observe, which has written it. One that came since they were counted, while it could not be read, is not in
	// Dues: it may be 0 already.
	b.Dues = max(b.Dues-1, 0)
	return errors.Join(t.Books().PutBook(&b), bookDues().remove(t, &due))
}

// factOf is what the books have to know of an order.
func factOf(p Purchase, o Order) ledger.Fact {
	f := ledger.Fact{
		Order: o.ID, Wallet: p.Account, Product: ItemOf(p), Name: strings.TrimSpace(p.Product + " " + p.Variant),
		Cost: ledger.Of(p.PaidFor(o)), State: ledger.InTransit,
	}
	switch {
	case !slices.Contains(p.OrderIDs, o.ID):
		f.State = ledger.Released
	case o.State == Ready || o.State == Completed:
		f.State = ledger.InStock
	case o.State == Failed && (o.Refund == RefundSeen || o.Refund == RefundUntaken):
		f.State = ledger.Refunded
	case o.State == Failed:
		f.State = ledger.Claimed
	}
	return f
}

// booksPage is how many books are read at once.
const booksPage = 200

// ProcessDueBooks writes the facts that wait and seals the days that are over, book by book. waiting is how many facts could not
// be written even now: somebody has to look.
func (s *Store) ProcessDueBooks(ctx context.Context, now time.Time) (waiting int, err error) {
	for after := ""; ; {
		page, err := s.AllBooks(ctx, after, booksPage)
		if err != nil {
			return waiting, err
		}
		for _, b := range page {
			after = b.ID
			left, err := s.RetryDues(ctx, b.ID, now)
			if waiting += left; err != nil {
				return waiting, err
			}
			// A day is sealed only once nothing of it waits.
			if left > 0 || len(b.Over) == 0 && (b.Day == "" || b.DayFor(now) == b.Day) {
				continue
			}
			if err := s.Update(ctx, func(tx *Tx) error { return ledger.Seal(tx.Books(), b.ID, now) }); err != nil {
				return waiting, fmt.Errorf("seal the days of book %q: %w", b.ID, err)
			}
		}
		if len(page) < booksPage {
			return waiting, nil
		}
	}
}
