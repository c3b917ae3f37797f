package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/pricing"
)

// The kinds of records of a shop's books.
const (
	KindBook        Kind = "book"
	KindBookEntry   Kind = "book_entry"
	KindBookKey     Kind = "book_key"
	KindBookBalance Kind = "book_balance"
	KindBookUnit    Kind = "book_unit"
	KindBookDay     Kind = "book_day"
	KindBookShift   Kind = "book_shift"
	KindBookLine    Kind = "book_line"
	KindBookLate    Kind = "book_late"
	KindBookDue     Kind = "book_due"
	KindPrices      Kind = "prices"
	KindCustomer    Kind = "customer"
	KindBookDesk    Kind = "book_desk"
	KindBookCount   Kind = "book_count"
	KindBookCosts   Kind = "book_costs"
)

// Prices are what a shop asks.
type Prices struct {
	Book  string
	Rules pricing.Rules
	rev   uint64
}

// HidesCost reports whether those who are not owners, and do not buy, are not to see what anything has cost: in a shop with prices
// of its own, until an owner allows it.
func (p Prices) HidesCost() bool { return p.Rules.Any() && !p.Rules.ShowCost }

// bookID is the book of an account. A book has the id of the account that pays.
func bookID(account string) string { return account }

// dense writes a number so that texts sort as numbers do; rdense so that the newest comes first.
func dense(n uint64) string  { return fmt.Sprintf("%016x", n) }
func rdense(n uint64) string { return fmt.Sprintf("%016x", ^n) }

func books() codec[ledger.Book] {
	return codec[ledger.Book]{kind: KindBook, key: func(b *ledger.Book) string { return b.ID }, rev: func(b *ledger.Book) *uint64 { return b.At() }}
}

func bookEntries() codec[ledger.Entry] {
	return codec[ledger.Entry]{
		kind: KindBookEntry,
		key:  func(e *ledger.Entry) string { return e.Book + "/" + dense(e.Number) },
		rev:  func(e *ledger.Entry) *uint64 { return e.Rev.At() },
	}
}

func bookKeys() codec[ledger.EntryKey] {
	return codec[ledger.EntryKey]{
		kind: KindBookKey,
		key:  func(k *ledger.EntryKey) string { return k.Book + "/" + k.Key },
		rev:  func(k *ledger.EntryKey) *uint64 { return k.At() },
	}
}

func bookBalances() codec[ledger.Balance] {
	return codec[ledger.Balance]{
		kind: KindBookBalance,
		key:  func(b *ledger.Balance) string { return b.Book + "/" + string(b.Account) },
		rev:  func(b *ledger.Balance) *uint64 { return b.At() },
	}
}

func bookUnits() codec[ledger.Unit] {
	return codec[ledger.Unit]{
		kind: KindBookUnit,
		key:  func(u *ledger.Unit) string { return u.Book + "/" + u.Order },
		rev:  func(u *ledger.Unit) *uint64 { return u.At() },
	}
}

func bookDays() codec[ledger.DayRecord] {
	return codec[ledger.DayRecord]{
		kind: KindBookDay,
		key:  func(d *ledger.DayRecord) string { return d.Book + "/" + string(d.Day) },
		rev:  func(d *ledger.DayRecord) *uint64 { return d.At() },
	}
}

func bookShifts() codec[ledger.Shift] {
	return codec[ledger.Shift]{
		kind: KindBookShift,
		key:  func(s *ledger.Shift) string { return s.Book + "/" + s.Counter + "/" + dense(s.Number) },
		rev:  func(s *ledger.Shift) *uint64 { return s.At() },
	}
}

func bookLines() codec[ledger.LineOf] {
	return codec[ledger.LineOf]{
		kind: KindBookLine,
		key:  func(l *ledger.LineOf) string { return l.Book + "/" + string(l.Account) + "/" + rdense(l.Number) },
		rev:  func(l *ledger.LineOf) *uint64 { return l.At() },
	}
}

func bookLates() codec[ledger.Late] {
	return codec[ledger.Late]{
		kind: KindBookLate,
		key:  func(l *ledger.Late) string { return l.Book + "/" + string(l.Day) + "/" + dense(l.Number) },
		rev:  func(l *ledger.Late) *uint64 { return l.At() },
	}
}

func bookDues() codec[ledger.Due] {
	return codec[ledger.Due]{
		kind: KindBookDue,
		key:  func(d *ledger.Due) string { return d.Book + "/" + d.Fact.Order },
		rev:  func(d *ledger.Due) *uint64 { return d.Rev.At() },
	}
}

func prices() codec[Prices] {
	return codec[Prices]{kind: KindPrices, key: func(p *Prices) string { return p.Book }, rev: func(p *Prices) *uint64 { return &p.rev }}
}

// bookTx is the records of books within a transaction.
type bookTx struct{ *Tx }

// Books is the books, to be read and written in this transaction.
func (t *Tx) Books() ledger.Records { return bookTx{t} }

// notThere says it in the words of the books.
func notThere(err error) error {
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%w: %w", ledger.ErrNotFound, err)
	}
	return err
}

// inBook reads one record of a book within a transaction.
func inBook[T any](t bookTx, f codec[T], key string) (T, error) {
	v, err := f.get(t.Tx, key)
	return v, notThere(err)
}

func (t bookTx) Book(id string) (ledger.Book, error) { return inBook(t, books(), id) }
func (t bookTx) Entry(book string, n uint64) (ledger.Entry, error) {
	return inBook(t, bookEntries(), book+"/"+dense(n))
}
func (t bookTx) EntryKey(book, key string) (ledger.EntryKey, error) {
	return inBook(t, bookKeys(), book+"/"+key)
}
func (t bookTx) Balance(book string, a ledger.Account) (ledger.Balance, error) {
	return inBook(t, bookBalances(), book+"/"+string(a))
}
func (t bookTx) Unit(book, order string) (ledger.Unit, error) {
	return inBook(t, bookUnits(), book+"/"+order)
}
func (t bookTx) Day(book string, d ledger.Day) (ledger.DayRecord, error) {
	return inBook(t, bookDays(), book+"/"+string(d))
}
func (t bookTx) Shift(book, counter string, n uint64) (ledger.Shift, error) {
	return inBook(t, bookShifts(), book+"/"+counter+"/"+dense(n))
}
func (t bookTx) PutBook(v *ledger.Book) error         { return books().put(t.Tx, v) }
func (t bookTx) PutEntry(v *ledger.Entry) error       { return bookEntries().put(t.Tx, v) }
func (t bookTx) PutEntryKey(v *ledger.EntryKey) error { return bookKeys().put(t.Tx, v) }
func (t bookTx) PutBalance(v *ledger.Balance) error   { return bookBalances().put(t.Tx, v) }
func (t bookTx) PutUnit(v *ledger.Unit) error         { return bookUnits().put(t.Tx, v) }
func (t bookTx) PutDay(v *ledger.DayRecord) error     { return bookDays().put(t.Tx, v) }
func (t bookTx) PutShift(v *ledger.Shift) error       { return bookShifts().put(t.Tx, v) }
func (t bookTx) PutLine(v *ledger.LineOf) error       { return bookLines().put(t.Tx, v) }
func (t bookTx) PutLate(v *ledger.Late) error         { return bookLates().put(t.Tx, v) }

// bookReader reads books outside of any transaction.
type bookReader struct {
	ctx   context.Context //nolint:containedctx // of the one report that it is made for
	store *Store
}

// Books is the books, to be read for one report or check.
func (s *Store) Books(ctx context.Context) ledger.Reader { return bookReader{ctx, s} }

// Book reads the book of an account. ErrNotFound.
func (s *Store) Book(ctx context.Context, account string) (ledger.Book, error) {
	return read(ctx, s, books(), bookID(account))
}

// AllBooks lists the books, from behind one.
func (s *Store) AllBooks(ctx context.Context, after string, limit int) ([]ledger.Book, error) {
	return list(ctx, s, books(), "", after, limit)
}

// BookUnit reads what a book knows of an order. ErrNotFound.
func (s *Store) BookUnit(ctx context.Context, account, order string) (ledger.Unit, error) {
	return read(ctx, s, bookUnits(), bookID(account)+"/"+order)
}

// BookEntry reads an entry of a book. ErrNotFound.
func (s *Store) BookEntry(ctx context.Context, book string, n uint64) (ledger.Entry, error) {
	return read(ctx, s, bookEntries(), book+"/"+dense(n))
}

// BookBalance reads the balance of an account of a book; a zero one where it has no line.
func (s *Store) BookBalance(ctx context.Context, book string, a ledger.Account) (ledger.Balance, error) {
	b, err := read(ctx, s, bookBalances(), book+"/"+string(a))
	return b, ignoring(err, ErrNotFound)
}

// BookBalances lists the balances of a group of accounts of a book, from behind one.
func (s *Store) BookBalances(ctx context.Context, book, group string, after ledger.Account, limit int) ([]ledger.Balance, error) {
	from := ""
	if after != "" {
		from = book + "/" + string(after)
	}
	return list(ctx, s, bookBalances(), book+"/"+group+"/", from, limit)
}

// BookDues lists the facts of a book that wait to be written.
func (s *Store) BookDues(ctx context.Context, book string, limit int) ([]ledger.Due, error) {
	return list(ctx, s, bookDues(), book+"/", "", limit)
}

func (r bookReader) Book(id string) (ledger.Book, error) {
	b, err := read(r.ctx, r.store, books(), id)
	return b, notThere(err)
}

func (r bookReader) Days(book string, from, to ledger.Day) ([]ledger.DayRecord, error) {
	var all []ledger.DayRecord
	after := book + "/" + string(from.Plus(-1))
	for {
		page, err := list(r.ctx, r.store, bookDays(), book+"/", after, 500)
		if err != nil {
			return nil, err
		}
		for _, d := range page {
			if d.Day > to {
				return all, nil
			}
			all, after = append(all, d), book+"/"+string(d.Day)
		}
		if len(page) < 500 {
			return all, nil
		}
	}
}

func (r bookReader) Entries(book string, first, last uint64) ([]ledger.Entry, error) {
	var all []ledger.Entry
	for first <= last {
		page, err := list(r.ctx, r.store, bookEntries(), book+"/", book+"/"+dense(first-1), int(min(last-first+1, 500)))
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			return nil, fmt.Errorf("entry %d of book %q: %w", first, book, ledger.ErrNotFound)
		}
		all, first = append(all, page...), page[len(page)-1].Number+1
	}
	return all, nil
}

func (r bookReader) Lates(book string, day ledger.Day) ([]uint64, error) {
	all, err := list(r.ctx, r.store, bookLates(), book+"/"+string(day)+"/", "", 10_000)
	numbers := make([]uint64, len(all))
	for i, l := range all {
		numbers[i] = l.Number
	}
	return numbers, err
}

func (r bookReader) Lines(book string, a ledger.Account, limit int) ([]uint64, error) {
	all, err := list(r.ctx, r.store, bookLines(), book+"/"+string(a)+"/", "", limit)
	numbers := make([]uint64, len(all))
	for i, l := range all {
		numbers[i] = l.Number
	}
	return numbers, err
}

// Prices reads what a shop asks; zero Prices where it has none.
func (s *Store) Prices(ctx context.Context, account string) (Prices, error) {
	p, err := read(ctx, s, prices(), bookID(account))
	return p, ignoring(err, ErrNotFound)
}

// Prices reads what a shop asks; zero Prices where it has none.
func (t *Tx) Prices(account string) (Prices, error) {
	p, err := prices().get(t, bookID(account))
	if err = ignoring(err, ErrNotFound); p.Book == "" {
		p.Book = bookID(account)
	}
	return p, err
}

// PutPrices writes what a shop asks.
func (t *Tx) PutPrices(p *Prices) error { return prices().put(t, p) }

// moveBook has a book follow a group that has become a supergroup.
func (t *Tx) moveBook(account string, from, to int64) error {
	return t.changeBook(account, func(b *ledger.Book) bool {
		i := slices.Index(b.Chats, from)
		if i >= 0 {
			b.Chats[i] = to
		}
		return i >= 0
	})
}

// cutOff is when a shop's day begins, in minutes: many are open past midnight.
const cutOff = 4 * 60

// OpenBook opens the book of an account for the chats that are linked to it. One that is open stays as it is.
func (t *Tx) OpenBook(a Account, zone *time.Location, now time.Time) error {
	_, err := t.Books().Book(bookID(a.ID))
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	return ledger.NewBook(t.Books(), ledger.Book{ID: bookID(a.ID), Zone: zone.String(), CutOff: cutOff, Chats: a.Chats}, now)
}

// JoinBook has the book of an account be for another chat, where one is open.
func (t *Tx) JoinBook(account string, chat int64) error {
	return t.changeBook(account, func(b *ledger.Book) bool {
		if b.For(chat) {
			return false
		}
		b.Chats = append(b.Chats, chat)
		return true
	})
}

// LeaveBook has the book of an account be for a chat no more.
func (t *Tx) LeaveBook(account string, chat int64) error {
	return t.changeBook(account, func(b *ledger.Book) bool {
		is := b.For(chat)
		b.Chats = slices.DeleteFunc(b.Chats, func(c int64) bool { return c == chat })
		return is
	})
}

// changeBook changes the chats of an account's book, where one is open.
func (t *Tx) changeBook(account string, change func(*ledger.Book) bool) error {
	b, err := t.Books().Book(bookID(account))
	if err != nil {
		return ignoring(err, ErrNotFound)
	}
	if b.Chats = slices.Clone(b.Chats); !change(&b) {
		return nil
	}
	return t.Books().PutBook(&b)
}
