package ledger

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Reason is why an act is refused.
type Reason string

// The reasons.
const (
	NoMoney      Reason = "amount"    // the amount is nothing, negative, or no whole centimes
	NotInStock   Reason = "state"     // the unit is not delivered, or not any more
	AlreadySold  Reason = "sold"      // somebody was first
	NotSold      Reason = "unsold"    // there is no sale to take back
	AlreadyDone  Reason = "done"      // it was reversed before
	TooLate      Reason = "late"      // its day or its shift is sealed
	NotTheirs    Reason = "theirs"    // another person did it
	OverLimit    Reason = "limit"     // the customer would owe more than is allowed
	TooMuch      Reason = "much"      // there is less than that
	NoCustomer   Reason = "customer"  // nobody is named
	OtherContent Reason = "different" // the same event says something else now
	StillDue     Reason = "due"       // facts wait to be written
)

// Refusal is an act that was refused. Nothing was changed.
type Refusal struct { //nolint:errname // what was refused is an answer, and its Reason says which
	Reason Reason
	By     int64 // who was first, where somebody was
}

// Error says why, for logs.
func (r *Refusal) Error() string { return "ledger: refused: " + string(r.Reason) }

// refuse is an act that was refused.
func refuse(why Reason) error { return &Refusal{Reason: why} }

// errBroken: a draft breaks a rule that every entry keeps.
var errBroken = errors.New("ledger: an entry that does not add up")

// draft is an entry to be, with the records that change with it.
type draft struct {
	Entry

	act   any // what was asked for
	units []Unit
}

// post writes an entry and everything that follows from it. What was posted under its key before is returned as it is.
// All that can be refused is found out before the first record is written.
func post(r Records, b *Book, d draft, now time.Time) (e Entry, err error) {
	d.Book = b.ID
	if old, known, err := posted(r, d.Book, d.Key, d.act); err != nil || known {
		return old, err
	}
	if err := balanced(d.Lines); err != nil {
		return Entry{}, fmt.Errorf("entry %q: %w", d.Key, err)
	}
	// Before stamp and balances: the end of the day that is over is the totals without this entry.
	if err := b.roll(now); err != nil {
		return Entry{}, err
	}
	e = b.stamp(d.Entry, now)
	changed, err := balances(r, b, e)
	if err != nil {
		return Entry{}, err
	}
	// Before write: it compares with the units as they are stored.
	onHand, err := countOnHand(r, d.units)
	if err != nil {
		return Entry{}, err
	}
	b.OnHand += onHand
	// Only here: stamp has numbered the entry behind the old head, and has chained it to that one's hash.
	b.Head, b.Hash = e.Number, e.Hash()
	return e, write(r, b, e, changed, d)
}

// posted is the entry of a key. The same key with other content is an error.
func posted(r Records, book, key string, act any) (e Entry, known bool, err error) {
	k, err := r.EntryKey(book, key)
	if errors.Is(err, ErrNotFound) {
		return e, false, nil
	}
	if err != nil {
		return e, false, err
	}
	// A key that comes again with another content is a mistake of whoever made the key. To return the entry that is there would
	// tell somebody that what they asked for is written.
	if k.Digest != digest(act) {
		return e, true, fmt.Errorf("entry %q: %w", key, refuse(OtherContent))
	}
	e, err = r.Entry(book, k.Number)
	return e, true, err
}

// balanced reports whether lines are an entry: two or more, of known accounts, each with one positive side, and the same
// amount debited and credited.
func balanced(lines []Line) error {
	var debits, credits Money
	for _, l := range lines {
		var errD, errC error
		debits, errD = debits.Add(l.Debit)
		credits, errC = credits.Add(l.Credit)
		if err := errors.Join(errD, errC); err != nil {
			return err
		}
		if !l.Account.known() || l.Debit < 0 || l.Credit < 0 || (l.Debit > 0) == (l.Credit > 0) {
			return fmt.Errorf("%w: a line on %q", errBroken, l.Account)
		}
	}
	if len(lines) < 2 || debits != credits {
		return fmt.Errorf("%w: %d lines", errBroken, len(lines))
	}
	return nil
}

// zone is where the book's days are.
func (b *Book) zone() *time.Location {
	// NewBook refuses a zone that cannot be loaded. One that this machine does not know all the same must not keep a fact out of
	// the book.
	zone, err := time.LoadLocation(b.Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Today is the label of a moment by the book's clock, whatever was closed before its time.
func (b *Book) Today(now time.Time) Day {
	return DayAt(now, b.zone(), time.Duration(b.CutOff)*time.Minute)
}

// Began is when the book's day of a moment began by its clock.
func (b *Book) Began(now time.Time) time.Time {
	at, err := time.Parse(layout, string(b.Today(now)))
	if err != nil {
		return now
	}
	y, m, d := at.Date()
	return time.Date(y, m, d, b.CutOff/60, b.CutOff%60, 0, 0, b.zone())
}

// Reached reports whether a time of the day, in minutes after midnight, has come on the book's day of a moment.
// Example: days begin at 04:00 (240), and it is 01:30. That is 25 h 30 min (1530) after the midnight of the book's day: 23:00
// (1380) has come, and 02:00, which is 26 h (1560), has not.
func (b *Book) Reached(minutes int, now time.Time) bool {
	local := now.In(b.zone())
	passed := local.Hour()*60 + local.Minute()
	if passed < b.CutOff { // the night belongs to the day before
		passed += 24 * 60
	}
	if minutes < b.CutOff {
		minutes += 24 * 60
	}
	return passed >= minutes
}

// DayFor is the label that an entry of now gets. It is never before that of the last one, nor of a closed day.
// What writes an entry, and what judges whether the day of one is over, goes by this and not by Today.
func (b *Book) DayFor(now time.Time) Day {
	day := max(b.Today(now), b.Day)
	if b.Closed != "" {
		day = max(day, b.Closed.Plus(1))
	}
	return day
}

// roll ends the book's day where now is of another one.
func (b *Book) roll(now time.Time) error {
	day := b.DayFor(now)
	if day == b.Day {
		return nil
	}
	// A day without entries leaves nothing to be sealed. It ends like that where CloseDay or Seal has begun it, and nothing was
	// posted.
	if b.Day != "" && b.First <= b.Head {
		b.Over = append(slices.Clone(b.Over), Span{Day: b.Day, First: b.First, Last: b.Head, End: b.end()})
	}
	b.Day, b.First = day, b.Head+1
	return nil
}

// stamp gives an entry its number, its day and its shift.
func (b *Book) stamp(e Entry, now time.Time) Entry {
	e.Number, e.At, e.Day, e.Prev = b.Head+1, now.UTC().Truncate(time.Microsecond), b.Day, b.Hash
	if e.Counter == "" {
		return e
	}
	s, open := b.Shifts[e.Counter]
	// A shift without a beginning is the place that the last count has left: its Number is that of the shift that is over, and
	// With is the cash that stayed. So the next one counts on from it. Book.shift reads it in the same way.
	if !open || s.OpenedAt.IsZero() {
		s.Book, s.Counter, s.OpenedAt, s.First = b.ID, e.Counter, e.At, e.Number
		s.Number++
	}
	s.Last = e.Number
	// A map of its own: copies of the head by value share the old one, and an entry may still fail behind this.
	shifts := map[string]Shift{e.Counter: s}
	for name, other := range b.Shifts {
		if name != e.Counter {
			shifts[name] = other
		}
	}
	b.Shifts, e.Shift = shifts, s.Number
	return e
}

// balances adds an entry to what it touches, in the head as well.
func balances(r Records, b *Book, e Entry) ([]Balance, error) {
	// A map of its own, as in stamp.
	totals := map[string]Money{}
	maps.Copy(totals, b.Totals)
	b.Totals = totals
	var all []Balance
	for _, l := range e.Lines {
		i := slices.IndexFunc(all, func(x Balance) bool { return x.Account == l.Account })
		if i < 0 {
			had, err := r.Balance(b.ID, l.Account)
			if had, err = found(had, err, Balance{Book: b.ID, Account: l.Account}); err != nil {
				return nil, err
			}
			all, i = append(all, had), len(all)
		}
		if err := b.add(&all[i], l); err != nil {
			return nil, fmt.Errorf("entry %q on %s: %w", e.Key, l.Account, err)
		}
		all[i].Last = e.Number
	}
	return all, nil
}

// add adds a line to the balance of its account, and to the totals.
func (b *Book) add(to *Balance, l Line) (err error) {
	before, group := to.Net(), l.Account.Group()
	if to.Debits, err = to.Debits.Add(l.Debit); err != nil {
		return err
	}
	if to.Credits, err = to.Credits.Add(l.Credit); err != nil {
		return err
	}
	if b.Totals[group], err = b.Totals[group].Add(l.amount()); err != nil {
		return err
	}
	if group != Customer {
		return nil
	}
	// A customer either owes or has paid ahead, so the two sums are those of the positive and of the negative balances. Example:
	// who owes 300 DZD and pays 500 takes 300 off Owed and adds 200 to Ahead.
	if b.Owed, err = b.Owed.Add(max(to.Net(), 0) - max(before, 0)); err != nil {
		return err
	}
	b.Ahead, err = b.Ahead.Add(max(-to.Net(), 0) - max(-before, 0))
	return err
}

// countOnHand is how many units more are in stock once these are written.
func countOnHand(r Records, units []Unit) (more int, err error) {
	for _, u := range units {
		was, err := r.Unit(u.Book, u.Order)
		if was, err = found(was, err, Unit{}); err != nil {
			return 0, err
		}
		if was.State == InStock {
			more--
		}
		if u.State == InStock {
			more++
		}
	}
	return more, nil
}

// write puts everything of an entry.
func write(r Records, b *Book, e Entry, changed []Balance, d draft) error {
	key := EntryKey{Book: b.ID, Key: e.Key, Number: e.Number, Digest: digest(d.act)}
	err := errors.Join(r.PutEntry(&e), r.PutEntryKey(&key), r.PutBook(b))
	// One line for each account and not for each side: Checker counts them in the same way.
	for i := range changed {
		line := LineOf{Book: b.ID, Account: changed[i].Account, Number: e.Number}
		err = errors.Join(err, r.PutBalance(&changed[i]), r.PutLine(&line))
	}
	if e.isNamed() {
		err = errors.Join(err, r.PutLine(&LineOf{Book: b.ID, Account: In(named, e.Customer), Number: e.Number}))
	}
	for i := range d.units {
		err = errors.Join(err, r.PutUnit(&d.units[i]))
	}
	if e.Corrects != "" {
		err = errors.Join(err, r.PutLate(&Late{Book: b.ID, Day: e.Corrects, Number: e.Number}))
	}
	return doing("write an entry", err)
}

// debit and credit are the two sides of an entry.
func debit(a Account, m Money) Line  { return Line{Account: a, Debit: m} }
func credit(a Account, m Money) Line { return Line{Account: a, Credit: m} }

// pair is an amount that goes from one account to another; nothing where there is none. A negative amount goes the other
// way.
// Lines of nothing are left out here because balanced refuses them.
func pair(to, from Account, m Money) []Line {
	switch {
	case m == 0:
		return nil
	case m < 0:
		return pair(from, to, -m)
	}
	return []Line{debit(to, m), credit(from, m)}
}
