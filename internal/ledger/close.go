package ledger

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Count is that the cash of a counter was counted, which ends its shift.
type Count struct {
	Who `json:"-"`

	Shift     uint64 // that is ended: what was shown
	Counted   Money
	Leave     Money     // in the till, for the next shift; the rest goes to the safe
	Uncounted bool      // nobody has counted: what has to be there is taken for it
	At        time.Time `json:"-"` // when it was counted, by which it is judged; zero for now
	Mark      Mark      `json:"-"` // the drawer at that moment; none where only the time is known
	Confirmed int64     `json:"-"` // the owner who has confirmed it
}

// Mark is a drawer at the moment of its count: the last entry of the book, and what had to be there. What is posted behind it is
// of the next shift.
//
// Without an entry it is one of two things: none, of a count that was made before there were marks, or that of a book which had no
// entry yet. Both are told by the time of the count (isTimed), which is as good for the second: nothing came before it.
type Mark struct {
	Entry    uint64
	Expected Money
}

// isTimed reports whether a mark names no entry, so that the time of its count tells what came after it.
func (m Mark) isTimed() bool { return m.Entry == 0 }

// MarkOf marks the drawer of a counter now.
// Both are of one transaction: Since takes what was expected then from what is expected now, and the difference is what was
// posted between.
func MarkOf(r Records, book, counter string) (Mark, error) {
	b, err := r.Book(book)
	if err != nil {
		return Mark{}, doing("read the book", err)
	}
	m, err := net(r, book, In(Till, counter))
	return Mark{Entry: b.Head, Expected: m}, err
}

// Since is what has come into the drawer of a counter, less what has gone out of it, since it was counted. expected is what has to
// be there now.
func (c Count) Since(entry func(number uint64) (Entry, error), b Book, expected Money) (Money, error) {
	switch {
	// Where nobody has counted, or it is not known when, all that is in the drawer by now is taken for what was counted.
	case c.Uncounted || c.At.IsZero():
		return 0, nil
	case c.Mark.isTimed():
		return movedSince(entry, b, In(Till, c.Counter), c.At)
	}
	return expected - c.Mark.Expected, nil
}

// Expected is what has to be in the till of a counter: its balance, and no formula of its own. shift is the number of the
// shift that a count would end.
func Expected(r Records, book, counter string) (m Money, shift uint64, err error) {
	b, err := r.Book(book)
	if err != nil {
		return 0, 0, doing("read the book", err)
	}
	m, err = net(r, book, In(Till, counter))
	return m, b.shift(counter).Number, err
}

// movedSince is what has come into an account, less what has gone out of it, after a moment. entry reads an entry of the book.
func movedSince(entry func(number uint64) (Entry, error), b Book, a Account, at time.Time) (m Money, err error) {
	for n := b.Head; n > 0; n-- {
		e, err := entry(n)
		if err != nil || !e.At.After(at) {
			return m, doing("read an entry", err)
		}
		for _, l := range e.Lines {
			if l.Account == a {
				m += l.Debit - l.Credit
			}
		}
	}
	return m, nil
}

// NextShift is the number of the shift that a count of a counter would end.
func (b *Book) NextShift(counter string) uint64 { return b.shift(counter).Number }

// shift is the open shift of a counter, or the next one, that nothing has happened in.
func (b *Book) shift(counter string) Shift {
	s, known := b.Shifts[counter]
	if !known || s.OpenedAt.IsZero() {
		s.Book, s.Counter, s.First = b.ID, counter, b.Head+1
		s.Number++
	}
	return s
}

// CloseShift seals the shift of a counter. The difference is an entry of any size, by what had to be there when it was counted.
// Counting the same shift twice gives what was sealed first.
//
// The order matters. What had to be in the drawer is read before the difference is posted, which makes the two agree; and the next shift is
// taken out of the book before that too, since posting counts its entry into the shift that is open.
func CloseShift(r Records, book string, c Count, now time.Time) (Shift, error) {
	b, err := r.Book(book)
	if err != nil {
		return Shift{}, doing("read the book", err)
	}
	s := b.shift(c.Counter)
	if s.Number != c.Shift {
		return s, refuse(AlreadyDone)
	}
	till := In(Till, c.Counter)
	if s.Expected, err = net(r, book, till); err != nil {
		return s, err
	}
	// What the drawer has taken since the count is no part of what was counted, and stays in it.
	since, err := c.Since(func(n uint64) (Entry, error) { return r.Entry(book, n) }, b, s.Expected)
	if err != nil {
		return s, err
	}
	s.Expected -= since
	next := b.after(c) // before post: see above
	if c.Uncounted {
		c.Counted, c.Leave = s.Expected, s.Expected
	} else if !c.Counted.whole() || !c.Leave.whole() || c.Leave > c.Counted {
		return s, refuse(NoMoney)
	}
	s.Counted, s.Taken, s.Uncount, s.By, s.Owner = c.Counted, c.Counted-c.Leave, c.Uncounted, c.By, c.Confirmed
	// More than expected is debited to the till and credited to Over: the balance of Over is a loss where it is above zero
	// (Flows.Result).
	lines := append(pair(till, In(Over, c.Counter), s.Difference()), pair(Safe, till, s.Taken)...)
	if len(lines) > 0 {
		key := fmt.Sprintf("close/%s/%d", c.Counter, c.Shift)
		e, err := post(r, &b, draft{act: c, Entry: Entry{Kind: KindCount, Key: key, By: c.By, Counter: c.Counter, Lines: lines}}, now)
		if err != nil {
			return s, err
		}
		s.Last = e.Number
	}
	// A shift in which nothing was posted: it begins with its end.
	if s.OpenedAt.IsZero() {
		s.OpenedAt = now.UTC().Truncate(time.Microsecond)
	}
	s.Last, s.ClosedAt = max(s.Last, b.Shifts[c.Counter].Last), now.UTC().Truncate(time.Microsecond)
	b.Shifts = maps.Clone(b.Shifts)
	if b.Shifts == nil {
		b.Shifts = map[string]Shift{}
	}
	// No shift has begun behind the count: the place of the one that is over stays, without a beginning, and stamp counts on from
	// its Number.
	if next.Number == 0 {
		next = Shift{Book: b.ID, Counter: c.Counter, Number: s.Number, With: since}
	}
	next.With += c.Leave
	b.Shifts[c.Counter] = next
	// Where there was a difference, post has written the book as it was before the shift ended: this writes over it.
	return s, doing("seal a shift", errors.Join(r.PutShift(&s), r.PutBook(&b)))
}

// after is the shift that has begun behind a count: with what was posted before the count is confirmed. None where nothing was.
func (b *Book) after(c Count) Shift {
	s := b.Shifts[c.Counter]
	if c.Uncounted || c.Mark.isTimed() || s.OpenedAt.IsZero() || s.Last <= c.Mark.Entry {
		return Shift{}
	}
	return Shift{Book: b.ID, Counter: c.Counter, Number: s.Number + 1, OpenedAt: c.At, First: c.Mark.Entry + 1, Last: s.Last}
}

// HoldShift keeps the open shift of a counter for a count that waits for an owner. A shift that is over by now is AlreadyDone. The book
// is written with it: whoever closes the day at that moment, because no count waits, writes it too, and one of the two is done again.
func HoldShift(r Records, book, counter string, shift uint64) error {
	b, err := r.Book(book)
	if err != nil {
		return doing("read the book", err)
	}
	if b.NextShift(counter) != shift {
		return refuse(AlreadyDone)
	}
	return doing("write the book", r.PutBook(&b))
}

// CloseDay ends a day before its label is over: what comes later is of the next one. A day that is over already only gets
// its record. Closing it twice changes nothing.
func CloseDay(r Records, book string, day Day, now time.Time) error {
	b, err := r.Book(book)
	if err != nil {
		return doing("read the book", err)
	}
	if err := b.roll(now); err != nil {
		return err
	}
	// Not where the first roll has ended the day already: it is over by its label, and only its record is left to be written.
	if b.Day == day && b.Closed < day {
		b.Closed = day
		if err := b.roll(now); err != nil {
			return err
		}
	}
	return seal(r, &b)
}

// Seal writes the records of the days that are over.
func Seal(r Records, book string, now time.Time) error {
	b, err := r.Book(book)
	if err != nil {
		return doing("read the book", err)
	}
	if err := b.roll(now); err != nil {
		return err
	}
	return seal(r, &b)
}

// seal folds each day that is over. While facts wait to be written, none is sealed.
func seal(r Records, b *Book) error {
	if b.Dues > 0 {
		return refuse(StillDue)
	}
	for _, span := range b.Over {
		rec, err := foldSpan(r, b.ID, span)
		if err != nil {
			return fmt.Errorf("fold %s: %w", span.Day, err)
		}
		if err := r.PutDay(&rec); err != nil {
			return doing("write a day", err)
		}
		// Last and Over change with the record, in one transaction: Checker holds that each day up to Last has one.
		b.Last = span.Day
	}
	b.Over = nil
	return doing("write the book", r.PutBook(b))
}

// foldSpan folds the entries of a day that is over.
func foldSpan(r Records, book string, span Span) (DayRecord, error) {
	rec := DayRecord{Book: book, Day: span.Day, First: span.First, Last: span.Last, End: span.End}
	for n := span.First; n <= span.Last; n++ {
		e, err := r.Entry(book, n)
		if err != nil {
			return rec, err
		}
		if err := rec.Flows.Add(e); err != nil {
			return rec, err
		}
		rec.Hash = e.Hash()
	}
	rec.Flows.sort()
	return rec, nil
}

// NewBook opens the books of a shop. What is there already is posted with Begin.
func NewBook(r Records, b Book, now time.Time) error {
	if _, err := time.LoadLocation(b.Zone); err != nil || b.CutOff < 0 || b.CutOff >= 24*60 {
		return fmt.Errorf("%w: days from %d minutes in %q", errBroken, b.CutOff, b.Zone)
	}
	b.Opened, b.Chats = now.UTC().Truncate(time.Microsecond), slices.Clone(b.Chats)
	return doing("open a book", r.PutBook(&b))
}

// Begin posts what there was before the book: cash, debts, money at the service.
func Begin(r Records, book string, who Who, has map[Account]Money, now time.Time) (Entry, error) {
	b, was, done, err := act(r, book, "opening", has)
	if err != nil || done {
		return was, err
	}
	d := draft{act: has, Entry: Entry{Kind: KindOpening, Key: "opening", By: who.By}}
	// In order: the lines are part of the entry's hash.
	for _, a := range slices.Sorted(maps.Keys(has)) {
		d.Lines = append(d.Lines, pair(a, Opening, has[a])...)
	}
	e, err := post(r, &b, d, now)
	return e, err
}
