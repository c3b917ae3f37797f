package ledger

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Reader reads the records of books outside of any transaction.
type Reader interface {
	Book(id string) (Book, error)
	// Days lists the sealed days of a range, in order.
	Days(book string, from, to Day) ([]DayRecord, error)
	// Entries lists the entries of a range of numbers, in order.
	Entries(book string, first, last uint64) ([]Entry, error)
	// Lates lists the numbers of the entries that correct a sealed day.
	Lates(book string, day Day) ([]uint64, error)
	// Lines lists the numbers of the entries with a line on an account, newest first.
	Lines(book string, account Account, limit int) ([]uint64, error)
}

// Report is what happened in a range of days, and where the book stood at its end.
type Report struct {
	From, To Day
	Days     int // with entries
	Flows    Flows
	End      End
}

// mostDays is how long a range may be.
const mostDays = 366 * 20

// ErrRange: the range ends before it begins, or is too long.
var ErrRange = fmt.Errorf("ledger: a report is of %d days at most", mostDays)

// ReportOf folds a range of days: the records of those that are sealed, and the entries of the others. It needs no transaction of
// work: what has an entry is never changed, and the head is read first.
func ReportOf(r Reader, book string, from, to Day) (Report, error) {
	rep := Report{From: from, To: to}
	if n := from.Until(to); from == "" || to < from || n >= mostDays {
		return rep, ErrRange
	}
	b, err := r.Book(book)
	if err != nil {
		return rep, doing("read the book", err)
	}
	sealed, err := r.Days(book, from, to)
	if err != nil {
		return rep, doing("read the days", err)
	}
	sum := newAdder(&rep.Flows)
	for _, d := range sealed {
		if err := sum.merge(d.Flows); err != nil {
			return rep, err
		}
		rep.Days, rep.End = rep.Days+1, d.End
	}
	for _, span := range b.unsealedIn(from, to, sealed) {
		if err := rep.fold(r, sum, book, span); err != nil {
			return rep, fmt.Errorf("fold %s: %w", span.Day, err)
		}
	}
	rep.Flows.sort()
	// The days come in order, the sealed ones first: the End that was set last is that of the last day of the range.
	if rep.Days > 0 {
		return rep, nil
	}
	rep.End, err = endBefore(r, &b, from)
	return rep, err
}

// unsealed are the days of the book that have no record: the open one is the last.
func (b *Book) unsealed() []Span {
	// Nothing was posted in the day that runs: it has no entries to fold.
	if b.Day == "" || b.First > b.Head {
		return b.Over
	}
	return append(slices.Clone(b.Over), Span{Day: b.Day, First: b.First, Last: b.Head, End: b.end()})
}

// unsealedIn are those of a range. sealed are its days that have a record, which are read behind the book: one that was sealed in between
// is among both.
func (b *Book) unsealedIn(from, to Day, sealed []DayRecord) (spans []Span) {
	last := b.Last
	if len(sealed) > 0 {
		last = max(last, sealed[len(sealed)-1].Day)
	}
	for _, span := range b.unsealed() {
		if span.Day >= from && span.Day <= to && span.Day > last {
			spans = append(spans, span)
		}
	}
	return spans
}

// endBefore is where the book stood before a day.
func endBefore(r Reader, b *Book, day Day) (End, error) {
	for _, span := range slices.Backward(b.unsealed()) {
		if span.Day < day {
			return span.End, nil
		}
	}
	before, err := r.Days(b.ID, "", day.Plus(-1))
	if err != nil || len(before) == 0 {
		return End{}, doing("read the days", err)
	}
	return before[len(before)-1].End, nil
}

// DaysOf lists the days of a range that have entries, each with what they add up to: those that are sealed as they are, the others
// folded.
func DaysOf(r Reader, book string, from, to Day) ([]DayRecord, error) {
	if n := from.Until(to); from == "" || to < from || n >= mostDays {
		return nil, ErrRange
	}
	b, err := r.Book(book)
	if err != nil {
		return nil, doing("read the book", err)
	}
	days, err := r.Days(book, from, to)
	if err != nil {
		return nil, doing("read the days", err)
	}
	for _, span := range b.unsealedIn(from, to, days) {
		rec := DayRecord{Book: book, Day: span.Day, First: span.First, Last: span.Last, End: span.End}
		entries, err := r.Entries(book, span.First, span.Last)
		if err != nil {
			return nil, fmt.Errorf("fold %s: %w", span.Day, err)
		}
		for _, e := range entries {
			if err := rec.Flows.Add(e); err != nil {
				return nil, err
			}
		}
		days = append(days, rec)
	}
	return days, nil
}

// Before is the range of as many days before a report, to compare it with.
func (rep *Report) Before() (from, to Day) {
	n := rep.From.Until(rep.To) + 1
	return rep.From.Plus(-n), rep.From.Plus(-1)
}

// fold adds a day that has no record.
func (rep *Report) fold(r Reader, sum *adder, book string, span Span) error {
	entries, err := r.Entries(book, span.First, span.Last)
	if err != nil {
		return err
	}
	var day Flows
	for _, e := range entries {
		if err := day.Add(e); err != nil {
			return err
		}
	}
	rep.Days, rep.End = rep.Days+1, span.End
	return sum.merge(day)
}

// UpTo folds what a day had seen by a moment of its own, to compare an open day with the one before.
// A sealed day is folded anew from its entries: its record has no times in it.
func UpTo(r Reader, book string, day Day, until time.Time) (f Flows, err error) {
	b, err := r.Book(book)
	if err != nil {
		return f, doing("read the book", err)
	}
	spans := b.unsealed()
	sealed, err := r.Days(book, day, day)
	if err != nil {
		return f, doing("read a day", err)
	}
	for _, d := range sealed {
		spans = append(spans, Span{Day: d.Day, First: d.First, Last: d.Last})
	}
	for _, span := range spans {
		if span.Day != day {
			continue
		}
		entries, err := r.Entries(book, span.First, span.Last)
		if err != nil {
			return f, doing("read the entries", err)
		}
		for _, e := range entries {
			if e.At.After(until) {
				continue
			}
			if err := f.Add(e); err != nil {
				return f, err
			}
		}
		break
	}
	f.sort()
	return f, nil
}

// Since folds what later entries have corrected of a sealed day.
func Since(r Reader, book string, day Day) (f Flows, err error) {
	numbers, err := r.Lates(book, day)
	if err != nil {
		return f, doing("read what came later", err)
	}
	for _, n := range numbers {
		e, err := r.Entries(book, n, n)
		if err != nil {
			return f, doing("read an entry", err)
		}
		for _, one := range e {
			if err := f.Add(one); err != nil {
				return f, err
			}
		}
	}
	f.sort()
	return f, nil
}

// StatementLine is one line of a customer's account, and what he owed after it.
type StatementLine struct {
	Entry  Entry
	Amount Money // more owed; less than nothing for what he has paid
	After  Money
}

// Statement lists the last lines of a customer's account, newest first, from what he owes now.
func Statement(r Reader, book, customer string, owes Money, limit int) ([]StatementLine, error) {
	numbers, err := r.Lines(book, In(Customer, customer), limit)
	if err != nil {
		return nil, doing("read a statement", err)
	}
	var all []StatementLine
	for _, n := range numbers {
		found, err := r.Entries(book, n, n)
		if err != nil {
			return nil, doing("read an entry", err)
		}
		for _, e := range found {
			line := StatementLine{Entry: e, After: owes}
			for _, l := range e.Lines {
				if l.Account == In(Customer, customer) {
					line.Amount += l.amount()
				}
			}
			owes -= line.Amount
			all = append(all, line)
		}
	}
	return all, nil
}

// SoldTo lists what is sold to a customer, paid or not: by order, how many units, of the last entries that name them.
func SoldTo(r Reader, book, customer string, limit int) (map[string]int, error) {
	units := map[string]int{}
	for _, account := range []Account{In(Customer, customer), In(named, customer)} {
		numbers, err := r.Lines(book, account, limit)
		if err != nil {
			return nil, doing("read what is sold", err)
		}
		for _, n := range numbers {
			found, err := r.Entries(book, n, n)
			if err != nil {
				return nil, doing("read an entry", err)
			}
			for _, e := range found {
				for _, item := range e.Items {
					units[item.Order] += item.Units
				}
			}
		}
	}
	maps.DeleteFunc(units, func(_ string, n int) bool { return n <= 0 }) // undone, or come back
	return units, nil
}

// OwedSince is the moment of the oldest line that payments, which cover the oldest first, have not covered; zero where
// nothing is owed, or where it is older than the statement. What was taken back is as if it had never been: a debt whose payment was
// undone is as old as before.
func OwedSince(statement []StatementLine) time.Time {
	if len(statement) == 0 || statement[0].After <= 0 {
		return time.Time{}
	}
	there, undone := map[uint64]bool{}, map[uint64]bool{}
	for _, line := range statement {
		// Reverses is 0 for most: undone[0] is set and never asked for, since numbers begin at 1, and there[0] stays false.
		there[line.Entry.Number], undone[line.Entry.Reverses] = true, true
	}
	left := statement[0].After
	for _, line := range statement {
		// Of an entry and its opposite neither counts. Where the entry is older than the statement, its opposite does.
		if line.Amount > 0 && !undone[line.Entry.Number] && !there[line.Entry.Reverses] {
			left -= line.Amount
		}
		if left <= 0 {
			return line.Entry.At
		}
	}
	return time.Time{}
}

// adder adds many flows without looking for each row in all of them.
type adder struct {
	to   *Flows
	rows map[rowKey]int
}

// rowKey is what a row is of.
type rowKey struct {
	product string
	seller  int64
}

// newAdder adds to flows that are empty.
func newAdder(to *Flows) *adder { return &adder{to: to, rows: map[rowKey]int{}} }

// merge adds flows.
func (a *adder) merge(f Flows) error {
	rows := f.Rows
	f.Rows = nil
	if err := a.to.Merge(f); err != nil {
		return err
	}
	for _, r := range rows {
		key := rowKey{r.Product, r.Seller}
		i, known := a.rows[key]
		if !known {
			a.rows[key] = len(a.to.Rows)
			a.to.Rows = append(a.to.Rows, r)
			continue
		}
		if err := a.to.Rows[i].add(r); err != nil {
			return err
		}
	}
	return nil
}
