package ledger

import (
	"fmt"
	"maps"
	"slices"
)

// Checker proves that books add up. It is shown every record once, those of a kind together, the entries of a book in the
// order of their numbers; then Problems lists what is wrong.
type Checker struct {
	books    map[string]*audit
	problems []string
}

// audit is what a checker has seen of one book.
type audit struct {
	head     Book
	known    bool
	number   uint64
	hash     string
	day      Day
	balances map[Account]Sums
	lines    map[Account]int
	keys     map[string]uint64
	reversed map[uint64]uint64
	entries  map[uint64]Kind
	lates    map[uint64]Day
	days     map[Day]*DayRecord
	turned   map[Day]map[Account]Money // what its entries take off a side
	held     map[UnitState]Money
	groups   map[string]Money // balances by the lines of entries
	onHand   int
	dues     int
	shifts   map[string]uint64 // the last number of each counter that is sealed
	tills    map[string]uint64 // the last shift of each counter that an entry names
}

// NewChecker has seen nothing.
func NewChecker() *Checker { return &Checker{books: map[string]*audit{}} }

// Book is shown a head.
func (c *Checker) Book(b Book) {
	// The head is counted down by what is shown afterwards (Balance), and totals looks at what is left: so a book comes before
	// its balances.
	a := c.of(b.ID)
	a.head, a.known = b, true
}

// Entry is shown an entry: its lines, its place in the chain, and what it reverses.
func (c *Checker) Entry(e Entry) {
	a := c.of(e.Book)
	if err := balanced(e.Lines); err != nil {
		c.sayf(e.Book, "entry %d: %v", e.Number, err)
	}
	if e.Number != a.number+1 || e.Prev != a.hash {
		c.sayf(e.Book, "entry %d does not follow entry %d", e.Number, a.number)
	}
	if e.Day < a.day {
		c.sayf(e.Book, "entry %d is of %s, after one of %s", e.Number, e.Day, a.day)
	}
	a.number, a.hash, a.day, a.entries[e.Number] = e.Number, e.Hash(), e.Day, e.Kind
	for i, l := range e.Lines {
		s := a.balances[l.Account]
		a.groups[l.Account.Group()] += l.amount()
		a.balances[l.Account] = Sums{s.Debits + l.Debit, s.Credits + l.Credit}
		if !slices.ContainsFunc(e.Lines[:i], func(m Line) bool { return m.Account == l.Account }) {
			a.lines[l.Account]++
		}
	}
	if e.isNamed() {
		a.lines[In(named, e.Customer)]++
	}
	if _, twice := a.keys[e.Key]; twice {
		c.sayf(e.Book, "two entries for %q", e.Key)
	}
	a.keys[e.Key] = e.Number
	if e.Reverses != 0 {
		if by, twice := a.reversed[e.Reverses]; twice || a.entries[e.Reverses] == KindReverse || a.entries[e.Reverses] == "" {
			c.sayf(e.Book, "entry %d reverses %d, which is no entry or reversed by %d", e.Number, e.Reverses, by)
		}
		a.reversed[e.Reverses] = e.Number
	}
	if e.Corrects != "" {
		a.lates[e.Number] = e.Corrects
	}
	if e.Counter != "" {
		if e.Shift < a.tills[e.Counter] {
			c.sayf(e.Book, "entry %d is of a shift that was over", e.Number)
		}
		a.tills[e.Counter] = e.Shift
	}
	c.fold(a, e)
}

// EntryKey is shown a key.
func (c *Checker) EntryKey(k EntryKey) {
	a := c.of(k.Book)
	if a.keys[k.Key] != k.Number {
		c.sayf(k.Book, "the key %q names entry %d, which is not of it", k.Key, k.Number)
	}
	// What is left at the end has no record of its own: so it is with keys, balances, days and lates, and the entries come before
	// these.
	delete(a.keys, k.Key)
}

// Balance is shown a balance.
func (c *Checker) Balance(b Balance) {
	a := c.of(b.Book)
	if s := a.balances[b.Account]; s.Debits != b.Debits || s.Credits != b.Credits {
		c.sayf(b.Book, "the balance of %s is not the sum of its lines", b.Account)
	}
	delete(a.balances, b.Account)
	if b.Account.Group() == Customer {
		a.head.Owed -= max(b.Net(), 0)
		a.head.Ahead -= max(-b.Net(), 0)
	}
	if a.head.Totals != nil {
		a.head.Totals = maps.Clone(a.head.Totals)
		a.head.Totals[b.Account.Group()] -= b.Net()
	}
}

// Line is shown that an account has a line in an entry.
func (c *Checker) Line(l LineOf) { c.of(l.Book).lines[l.Account]-- }

// Late is shown that an entry corrects a sealed day.
func (c *Checker) Late(l Late) {
	a := c.of(l.Book)
	if a.lates[l.Number] != l.Day {
		c.sayf(l.Book, "entry %d does not correct %s", l.Number, l.Day)
	}
	delete(a.lates, l.Number)
}

// Unit is shown a unit.
func (c *Checker) Unit(u Unit) {
	a := c.of(u.Book)
	a.held[u.State] += u.Cost
	if u.State == InStock {
		a.onHand++
	}
	if u.Sale != 0 && a.entries[u.Sale] != KindSale || u.State == Sold && u.Sale == 0 {
		c.sayf(u.Book, "order %s is %s by entry %d, which is no sale", u.Order, u.State, u.Sale)
	}
}

// Day is shown a sealed day.
func (c *Checker) Day(d DayRecord) {
	a := c.of(d.Book)
	rec := a.days[d.Day]
	if rec == nil {
		c.sayf(d.Book, "%s is sealed and has no entries", d.Day)
		return
	}
	// Days that were sealed by programs of before are held against the fold of then: without what is taken off a side (both), and
	// without buyers (same). They stay as they were written.
	rec.Flows.sort()
	if rec.First != d.First || rec.Last != d.Last || rec.Hash != d.Hash || !rec.Flows.same(d.Flows) && !rec.Flows.both(a.turned[d.Day]).same(d.Flows) {
		c.sayf(d.Book, "%s is sealed, and not as its entries are", d.Day)
	}
	if d.Day > a.head.Last {
		c.sayf(d.Book, "%s is sealed, and the book does not know it", d.Day)
	}
	delete(a.days, d.Day)
}

// both are flows as they were folded before anything was taken off a side: each line on its own, as days were sealed then.
func (f *Flows) both(turned map[Account]Money) *Flows {
	g := *f
	g.Accounts = maps.Clone(f.Accounts)
	for a, m := range turned {
		s := g.Accounts[a]
		g.Accounts[a] = Sums{s.Debits + m, s.Credits + m}
	}
	return &g
}

// same reports whether other flows, of a day that may have been sealed before buyers were counted, are equal.
func (f *Flows) same(g Flows) bool {
	return f.Entries == g.Entries && maps.Equal(f.Accounts, g.Accounts) && slices.Equal(f.Rows, g.Rows) && (len(g.Buyers) == 0 || maps.Equal(f.Buyers, g.Buyers)) &&
		f.PaidSales == g.PaidSales && f.DebtsPaid == g.DebtsPaid && f.Bought == g.Bought && f.Refunds == g.Refunds
}

// Shift is shown a sealed shift.
func (c *Checker) Shift(s Shift) {
	a := c.of(s.Book)
	if s.Number != a.shifts[s.Counter]+1 || s.Number > a.head.Shifts[s.Counter].Number {
		c.sayf(s.Book, "shift %d of %s does not follow shift %d", s.Number, s.Counter, a.shifts[s.Counter])
	}
	a.shifts[s.Counter] = s.Number
}

// Due is shown a fact that waits to be written.
func (c *Checker) Due(d Due) { c.of(d.Book).dues++ }

// Problems lists what is wrong with the books that were shown.
func (c *Checker) Problems() []string {
	for _, id := range slices.Sorted(maps.Keys(c.books)) {
		c.close(id, c.books[id])
	}
	return c.problems
}

// sayf notes a problem.
func (c *Checker) sayf(book, format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf("book %q: ", book)+fmt.Sprintf(format, args...))
}

// of is what was seen of a book.
func (c *Checker) of(book string) *audit {
	a := c.books[book]
	if a == nil {
		a = &audit{
			balances: map[Account]Sums{}, lines: map[Account]int{}, keys: map[string]uint64{}, reversed: map[uint64]uint64{},
			entries: map[uint64]Kind{}, lates: map[uint64]Day{}, days: map[Day]*DayRecord{}, turned: map[Day]map[Account]Money{},
			held: map[UnitState]Money{}, groups: map[string]Money{}, shifts: map[string]uint64{}, tills: map[string]uint64{},
		}
		c.books[book] = a
	}
	return a
}

// fold adds an entry to its day.
func (c *Checker) fold(a *audit, e Entry) {
	rec := a.days[e.Day]
	if rec == nil {
		rec = &DayRecord{Book: e.Book, Day: e.Day, First: e.Number}
		a.days[e.Day] = rec
	}
	rec.Last, rec.Hash = e.Number, a.hash
	if err := rec.Flows.Add(e); err != nil {
		c.sayf(e.Book, "entry %d: %v", e.Number, err)
	}
	for _, l := range e.Lines {
		if turned(e, l) {
			if a.turned[e.Day] == nil {
				a.turned[e.Day] = map[Account]Money{}
			}
			a.turned[e.Day][l.Account] += l.Debit + l.Credit
		}
	}
}

// close says what is left of a book once everything was shown.
func (c *Checker) close(id string, a *audit) {
	if !a.known {
		c.sayf(id, "there are records and no book")
		return
	}
	if a.head.Head != a.number || a.head.Hash != a.hash {
		c.sayf(id, "its last entry is %d, the book says %d", a.number, a.head.Head)
	}
	for _, key := range slices.Sorted(maps.Keys(a.keys)) {
		c.sayf(id, "entry %d has no key", a.keys[key])
	}
	for account := range a.balances {
		c.sayf(id, "%s has lines and no balance", account)
	}
	for account, n := range a.lines {
		if n != 0 {
			c.sayf(id, "%s has %d lines more than are listed", account, n)
		}
	}
	for n, day := range a.lates {
		c.sayf(id, "entry %d corrects %s and is not listed there", n, day)
	}
	c.totals(id, a)
	for _, day := range slices.Sorted(maps.Keys(a.days)) {
		if day <= a.head.Last {
			c.sayf(id, "%s is over and has no record", day)
		}
	}
	if a.dues != a.head.Dues {
		c.sayf(id, "%d facts wait to be written, the book says %d", a.dues, a.head.Dues)
	}
}

// totals compares what the head knows with what was seen.
// Balance has taken everything off the head that it has seen: what is not nothing here is in one of the two alone.
func (c *Checker) totals(id string, a *audit) {
	for group, m := range a.head.Totals {
		if m != 0 {
			c.sayf(id, "the total of %s is not that of its accounts", group)
		}
	}
	if a.head.Owed != 0 || a.head.Ahead != 0 {
		c.sayf(id, "what customers owe is not the sum of what each owes")
	}
	if a.onHand != a.head.OnHand {
		c.sayf(id, "%d units are in stock, the book says %d", a.onHand, a.head.OnHand)
	}
	for group, state := range map[string]UnitState{Transit: InTransit, Stock: InStock, Claim: Claimed} {
		if a.groups[group] != a.held[state] {
			c.sayf(id, "%s is not the cost of the units that are there", group)
		}
	}
}
