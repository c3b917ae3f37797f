package ledger_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"resellerbot/internal/ledger"
)

// memory keeps the records of books, as a store does: each by its key, and with the number of its writing.
type memory struct {
	books    table[ledger.Book]
	entries  table[ledger.Entry]
	keys     table[ledger.EntryKey]
	balances table[ledger.Balance]
	units    table[ledger.Unit]
	days     table[ledger.DayRecord]
	shifts   table[ledger.Shift]
	lines    table[ledger.LineOf]
	lates    table[ledger.Late]
	left     int // writes until one fails; -1 for never
}

// table is the records of a kind.
type table[T any] map[string]T

var (
	errConflict = errors.New("changed by somebody else")
	errWrite    = errors.New("the write failed")
)

func newMemory() *memory {
	return &memory{
		books: table[ledger.Book]{}, entries: table[ledger.Entry]{}, keys: table[ledger.EntryKey]{}, balances: table[ledger.Balance]{},
		units: table[ledger.Unit]{}, days: table[ledger.DayRecord]{}, shifts: table[ledger.Shift]{}, lines: table[ledger.LineOf]{},
		lates: table[ledger.Late]{}, left: -1,
	}
}

func (t table[T]) get(key string) (T, error) {
	v, ok := t[key]
	if !ok {
		return v, ledger.ErrNotFound
	}
	return v, nil
}

func put[T any](m *memory, t table[T], key string, v *T, rev func(*T) *uint64) error {
	if m.left == 0 {
		return errWrite
	}
	m.left--
	old, known := t[key]
	if known && *rev(&old) != *rev(v) || !known && *rev(v) != 0 {
		return fmt.Errorf("%s: %w", key, errConflict)
	}
	*rev(v)++
	t[key] = *v
	return nil
}

func number(book string, n uint64) string { return fmt.Sprintf("%s/%016x", book, n) }

func (m *memory) Book(id string) (ledger.Book, error) { return m.books.get(id) }
func (m *memory) Entry(book string, n uint64) (ledger.Entry, error) {
	return m.entries.get(number(book, n))
}
func (m *memory) EntryKey(book, key string) (ledger.EntryKey, error) {
	return m.keys.get(book + "/" + key)
}
func (m *memory) Balance(book string, a ledger.Account) (ledger.Balance, error) {
	return m.balances.get(book + "/" + string(a))
}
func (m *memory) Unit(book, order string) (ledger.Unit, error) {
	return m.units.get(book + "/" + order)
}
func (m *memory) Day(book string, d ledger.Day) (ledger.DayRecord, error) {
	return m.days.get(book + "/" + string(d))
}

func (m *memory) Shift(book, counter string, n uint64) (ledger.Shift, error) {
	return m.shifts.get(number(book+"/"+counter, n))
}

func (m *memory) PutBook(v *ledger.Book) error {
	return put(m, m.books, v.ID, v, func(v *ledger.Book) *uint64 { return v.Rev.At() })
}
func (m *memory) PutEntry(v *ledger.Entry) error {
	return put(m, m.entries, number(v.Book, v.Number), v, func(v *ledger.Entry) *uint64 { return v.Rev.At() })
}
func (m *memory) PutEntryKey(v *ledger.EntryKey) error {
	return put(m, m.keys, v.Book+"/"+v.Key, v, func(v *ledger.EntryKey) *uint64 { return v.Rev.At() })
}
func (m *memory) PutBalance(v *ledger.Balance) error {
	return put(m, m.balances, v.Book+"/"+string(v.Account), v, func(v *ledger.Balance) *uint64 { return v.Rev.At() })
}
func (m *memory) PutUnit(v *ledger.Unit) error {
	return put(m, m.units, v.Book+"/"+v.Order, v, func(v *ledger.Unit) *uint64 { return v.Rev.At() })
}
func (m *memory) PutDay(v *ledger.DayRecord) error {
	return put(m, m.days, v.Book+"/"+string(v.Day), v, func(v *ledger.DayRecord) *uint64 { return v.Rev.At() })
}
func (m *memory) PutShift(v *ledger.Shift) error {
	return put(m, m.shifts, number(v.Book+"/"+v.Counter, v.Number), v, func(v *ledger.Shift) *uint64 { return v.Rev.At() })
}
func (m *memory) PutLine(v *ledger.LineOf) error {
	return put(m, m.lines, number(v.Book+"/"+string(v.Account), v.Number), v, func(v *ledger.LineOf) *uint64 { return v.Rev.At() })
}
func (m *memory) PutLate(v *ledger.Late) error {
	return put(m, m.lates, number(v.Book+"/"+string(v.Day), v.Number), v, func(v *ledger.Late) *uint64 { return v.Rev.At() })
}

func (m *memory) Days(_ string, from, to ledger.Day) (all []ledger.DayRecord, err error) {
	for _, d := range sorted(m.days) {
		if d.Day >= from && d.Day <= to {
			all = append(all, d)
		}
	}
	return all, nil
}

func (m *memory) Entries(book string, first, last uint64) (all []ledger.Entry, err error) {
	for n := first; n <= last; n++ {
		e, err := m.Entry(book, n)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func (m *memory) Lates(_ string, day ledger.Day) (all []uint64, err error) {
	for _, l := range sorted(m.lates) {
		if l.Day == day {
			all = append(all, l.Number)
		}
	}
	return all, nil
}

func (m *memory) Lines(_ string, a ledger.Account, limit int) (all []uint64, err error) {
	for _, l := range m.lines {
		if l.Account == a {
			all = append(all, l.Number)
		}
	}
	slices.SortFunc(all, func(a, b uint64) int { return cmp.Compare(b, a) })
	return all[:min(limit, len(all))], nil
}

// copied is the records as they are now.
func (m *memory) copied() *memory {
	return &memory{
		maps.Clone(m.books), maps.Clone(m.entries), maps.Clone(m.keys), maps.Clone(m.balances), maps.Clone(m.units), maps.Clone(m.days),
		maps.Clone(m.shifts), maps.Clone(m.lines), maps.Clone(m.lates), m.left,
	}
}

// update is a transaction: all of it, or nothing.
func (m *memory) update(fn func(ledger.Records) error) error {
	work := m.copied()
	if err := fn(work); err != nil {
		return err
	}
	work.left = m.left
	*m = *work
	return nil
}

// sorted lists records by their keys.
func sorted[T any](t table[T]) (all []T) {
	for _, key := range slices.Sorted(maps.Keys(t)) {
		all = append(all, t[key])
	}
	return all
}

// problems are what a checker finds.
func (m *memory) problems() []string {
	c := ledger.NewChecker()
	each(m.books, c.Book)
	each(m.entries, c.Entry)
	each(m.keys, c.EntryKey)
	each(m.balances, c.Balance)
	each(m.lines, c.Line)
	each(m.lates, c.Late)
	each(m.units, c.Unit)
	each(m.days, c.Day)
	each(m.shifts, c.Shift)
	return c.Problems()
}

func each[T any](t table[T], show func(T)) {
	for _, v := range sorted(t) {
		show(v)
	}
}

// shop is a book in memory with a clock.
type shop struct {
	testing.TB
	*memory

	now time.Time
}

const (
	book  = "u42"
	house = "house"
	karim = int64(7)
	boss  = int64(1)
)

// open opens the books of a shop in the morning of the 22nd.
func open(tb testing.TB) *shop {
	tb.Helper()
	s := &shop{TB: tb, memory: newMemory(), now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}
	s.do(func(r ledger.Records) error {
		return ledger.NewBook(r, ledger.Book{ID: book, Zone: "Africa/Algiers", CutOff: 240, Chats: []int64{1}}, s.now)
	})
	return s
}

// do is a transaction that succeeds, after which the book adds up.
func (s *shop) do(fn func(ledger.Records) error) {
	s.Helper()
	if err := s.update(fn); err != nil {
		s.Fatal(err)
	}
	s.sound()
}

// sound fails where the book does not add up.
func (s *shop) sound() {
	s.Helper()
	if p := s.problems(); len(p) > 0 {
		s.Fatalf("the book is not sound: %q", p)
	}
}

// refused is a transaction that is refused for a reason, and changes nothing.
func (s *shop) refused(why ledger.Reason, fn func(ledger.Records) error) *ledger.Refusal {
	s.Helper()
	err := s.update(fn)
	r, ok := errors.AsType[*ledger.Refusal](err)
	if !ok || r.Reason != why {
		s.Fatalf("it ended with %v, want a refusal for %q", err, why)
	}
	s.sound()
	return r
}

// dinars is an amount.
func dinars(n int64) ledger.Money { return ledger.Money(n) * ledger.Dinar }

// who is somebody at the counter of the house.
func who(by int64, nonce string) ledger.Who {
	return ledger.Who{By: by, Counter: house, Nonce: nonce, Owner: by == boss}
}

// order is an order as the service has it.
func order(id string, cost int64, state ledger.UnitState) ledger.Fact {
	return ledger.Fact{Order: id, Wallet: book, Product: "p1", Name: "60 UC", Cost: dinars(cost), State: state}
}

// observe is a fact.
func (s *shop) observe(f ledger.Fact) {
	s.Helper()
	s.do(func(r ledger.Records) error { return ledger.Observe(r, book, f, s.now) })
}

// net is the balance of an account, in dinars.
func (s *shop) net(a ledger.Account) string {
	s.Helper()
	b, err := s.Balance(book, a)
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		s.Fatal(err)
	}
	return b.Net().String()
}

// entry is an act that succeeds.
func (s *shop) entry(fn func(ledger.Records) (ledger.Entry, error)) (e ledger.Entry) {
	s.Helper()
	s.do(func(r ledger.Records) (err error) { e, err = fn(r); return err })
	return e
}

// sell is a sale of one unit.
func sale(nonce, order string, list, price, paid int64, customer string) ledger.Sale {
	return ledger.Sale{Who: who(karim, nonce), Customer: customer, Paid: dinars(paid), Units: []ledger.SoldUnit{{Order: order, List: dinars(list), Price: dinars(price)}}}
}

func (s *shop) sell(a ledger.Sale) ledger.Entry {
	s.Helper()
	return s.entry(func(r ledger.Records) (ledger.Entry, error) { return ledger.Sell(r, book, a, s.now) })
}
