package ledger_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/ledger"
)

// TestAnyDays plays whatever people and the service can do, with transactions that fail at any write. After each the book is
// sound; each thing done twice changes nothing; what is sealed stays as it is; and every report is what an oracle that
// shares no code with it adds up.
func TestAnyDays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := &play{shop: open(t), rt: rt, sealed: map[ledger.Day]string{}, counts: map[string]ledger.Count{}}
		for range rapid.IntRange(1, 40).Draw(rt, "acts") {
			p.step()
		}
		p.reports()
		p.identity()
	})
}

// play is a shop to which anything happens.
type play struct {
	*shop

	rt     *rapid.T
	serial int
	sealed map[ledger.Day]string
	counts map[string]ledger.Count // by counter: made, and not confirmed yet
}

// step does something, perhaps with a write that fails, and then again.
func (p *play) step() {
	if rapid.IntRange(0, 5).Draw(p.rt, "time") == 0 {
		p.now = p.now.Add(time.Duration(rapid.Int64Range(-26, 50).Draw(p.rt, "hours")) * time.Hour)
	}
	do := p.any()
	if p.left = rapid.IntRange(-1, 12).Draw(p.rt, "writes"); p.left >= 0 {
		before := p.copied()
		if err := p.update(do); errors.Is(err, errWrite) {
			p.left, before.left = -1, -1
			if !reflect.DeepEqual(before, p.memory) {
				p.rt.Fatal("a transaction that failed has changed something")
			}
		}
	}
	p.left = -1
	p.try(do)
	entries := len(p.entries)
	p.try(do)
	if len(p.entries) != entries {
		p.rt.Fatalf("the same again has made %d entries", len(p.entries)-entries)
	}
	if problems := p.problems(); len(problems) > 0 {
		p.rt.Fatalf("the book is not sound: %q", problems)
	}
	p.stays()
	p.drawers()
}

// try does something that may be refused.
func (p *play) try(do func(ledger.Records) error) {
	err := p.update(do)
	if _, refused := errors.AsType[*ledger.Refusal](err); err != nil && !refused {
		p.rt.Fatal(err)
	}
}

// stays fails where a sealed day is not as it was.
func (p *play) stays() {
	for _, d := range sorted(p.days) {
		text, err := json.Marshal(d)
		if err != nil {
			p.rt.Fatal(err)
		}
		if was, known := p.sealed[d.Day]; known && was != string(text) {
			p.rt.Fatalf("%s was sealed as %s and is %s", d.Day, was, text)
		}
		p.sealed[d.Day] = string(text)
	}
}

// drawers fails where the cash that a shift began with, and what it has moved since, is not what its drawer holds.
func (p *play) drawers() {
	b, err := p.Book(book)
	if err != nil {
		p.rt.Fatal(err)
	}
	for counter, s := range b.Shifts {
		has := s.With
		for n := s.First; !s.OpenedAt.IsZero() && n <= b.Head; n++ {
			e, err := p.Entry(book, n)
			if err != nil {
				p.rt.Fatal(err)
			}
			for _, l := range e.Lines {
				if l.Account == ledger.In(ledger.Till, counter) && e.Kind != ledger.KindCount {
					has += l.Debit - l.Credit
				}
			}
		}
		if expected, _, err := ledger.Expected(p, book, counter); err != nil || expected != has {
			p.rt.Fatalf("shift %d of %s began with %s and has come to %s, and %s has to be there (%v)", s.Number, counter, s.With, has, expected, err)
		}
	}
}

// any is one thing that can happen.
func (p *play) any() func(ledger.Records) error {
	p.serial++
	rt, now := p.rt, p.now
	amount := ledger.Money(rapid.Int64Range(-1, 3000).Draw(rt, "amount")) * ledger.Dinar / 2
	unit := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(rt, "order")
	customer := rapid.SampledFrom([]string{"", "ali", "omar"}).Draw(rt, "customer")
	w := ledger.Who{
		By: rapid.SampledFrom([]int64{boss, karim}).Draw(rt, "by"), Counter: rapid.SampledFrom([]string{house, "kiosk"}).Draw(rt, "counter"), Nonce: strconv.Itoa(p.serial),
	}
	w.Owner = w.By == boss
	till := ledger.In(ledger.Till, w.Counter)
	entry := func(_ ledger.Entry, err error) error { return err }
	switch rapid.IntRange(0, 12).Draw(rt, "act") {
	case 0, 1, 2:
		states := []ledger.UnitState{ledger.InTransit, ledger.InStock, ledger.InStock, ledger.Claimed, ledger.Refunded, ledger.Released}
		f := order(unit, rapid.Int64Range(0, 5).Draw(rt, "cost")*250, rapid.SampledFrom(states).Draw(rt, "state"))
		return func(r ledger.Records) error { return ledger.Observe(r, book, f, now) }
	case 3, 4, 5:
		s := ledger.Sale{Who: w, Customer: customer, Paid: max(amount, 0), Units: []ledger.SoldUnit{{unit, amount, max(amount, dinars(1)) + dinars(rapid.Int64Range(-2, 2).Draw(rt, "off"))}}}
		return func(r ledger.Records) error { return entry(ledger.Sell(r, book, s, now)) }
	case 6:
		a := ledger.Payment{Who: w, Customer: customer, Amount: amount, Ahead: rapid.Bool().Draw(rt, "ahead")}
		return func(r ledger.Records) error { return entry(ledger.Pay(r, book, a, now)) }
	case 7:
		n := rapid.Uint64Range(1, uint64(len(p.entries)+1)).Draw(rt, "number")
		return func(r ledger.Records) error {
			if _, err := r.Entry(book, n); err != nil {
				return &ledger.Refusal{}
			}
			return entry(ledger.Undo(r, book, n, w, now))
		}
	case 8:
		a := ledger.Returned{Who: w, Order: unit, Usable: rapid.Bool().Draw(rt, "usable"), Customer: customer, OffDebt: customer != ""}
		return func(r ledger.Records) error { return entry(ledger.Return(r, book, a, now)) }
	case 9:
		to := rapid.SampledFrom([]ledger.Move{
			{Kind: ledger.KindExpense, From: till, To: ledger.In(ledger.Expense, "rent")}, {Kind: ledger.KindTaken, From: till, To: ledger.Safe},
			{Kind: ledger.KindPutIn, From: ledger.Owner, To: till}, {Kind: ledger.KindForgiven, From: ledger.In(ledger.Customer, "ali"), To: ledger.BadDebt},
			{Kind: ledger.KindGiveBack, From: till, To: ledger.In(ledger.Customer, "ali")},
			{Kind: ledger.KindMerge, From: ledger.In(ledger.Customer, "ali"), To: ledger.In(ledger.Customer, "omar")},
		}).Draw(rt, "move")
		to.Who, to.Amount = w, amount
		return func(r ledger.Records) error { return entry(ledger.MoveMoney(r, book, to, now)) }
	case 10:
		_, shift, err := ledger.Expected(p, book, w.Counter)
		if err != nil {
			rt.Fatal(err)
		}
		mark, err := ledger.MarkOf(p, book, w.Counter)
		if err != nil {
			rt.Fatal(err)
		}
		c := ledger.Count{
			Who: w, Shift: shift, Counted: amount, Leave: amount / 2 / ledger.Centime * ledger.Centime, Uncounted: rapid.Bool().Draw(rt, "uncounted"), At: now, Mark: mark,
		}
		if was, waits := p.counts[w.Counter]; waits && was.Shift == shift {
			c = was // it was counted some steps ago
			delete(p.counts, w.Counter)
		} else if rapid.Bool().Draw(rt, "it waits") {
			p.counts[w.Counter] = c
			return func(r ledger.Records) error { return ledger.HoldShift(r, book, w.Counter, shift) }
		}
		return func(r ledger.Records) error { _, err := ledger.CloseShift(r, book, c, now); return err }
	case 11:
		return func(r ledger.Records) error { return ledger.Seal(r, book, now) }
	default:
		b, err := p.Book(book)
		if err != nil {
			rt.Fatal(err)
		}
		return func(r ledger.Records) error { return ledger.CloseDay(r, book, b.Day, now) }
	}
}

// reports compares the report of any range with what the lines of its entries add up to.
func (p *play) reports() {
	all := sorted(p.entries)
	if len(all) == 0 {
		return
	}
	first, days := all[0].Day, all[0].Day.Until(all[len(all)-1].Day)
	from := first.Plus(rapid.IntRange(-2, days).Draw(p.rt, "from"))
	to := from.Plus(rapid.IntRange(0, days+2).Draw(p.rt, "days"))
	rep, err := ledger.ReportOf(p, book, from, to)
	if err != nil {
		p.rt.Fatal(err)
	}
	var sold, cost, result, till, owed, ahead ledger.Money
	debts := map[ledger.Account]ledger.Money{}
	for _, e := range all {
		for _, l := range e.Lines {
			m, in := l.Debit-l.Credit, e.Day >= from && e.Day <= to
			switch g := l.Account.Group(); g {
			case ledger.Sales, ledger.Discount, ledger.Returns:
				if in {
					sold, result = sold-m, result-m
				}
			case ledger.Cost, ledger.Expense, ledger.Loss, ledger.BadDebt, ledger.Over:
				if in {
					result -= m
				}
				if in && g == ledger.Cost {
					cost += m
				}
			case ledger.Till:
				if e.Day <= to {
					till += m
				}
			case ledger.Customer:
				if e.Day <= to {
					debts[l.Account] += m
				}
			}
		}
	}
	for _, m := range debts {
		owed, ahead = owed+max(m, 0), ahead+max(-m, 0)
	}
	var rows ledger.Row
	for _, r := range rep.Flows.Rows {
		rows.Sold, rows.Cost = rows.Sold+r.Sold, rows.Cost+r.Cost
	}
	got := []ledger.Money{rep.Flows.Sold(), rep.Flows.Cost(), rep.Flows.Result(), rep.End.Totals[ledger.Till], rep.End.Owed, rep.End.Ahead, rows.Sold, rows.Cost}
	if want := []ledger.Money{sold, cost, result, till, owed, ahead, sold, cost}; !reflect.DeepEqual(got, want) {
		p.rt.Fatalf("from %s to %s: %v, want %v", from, to, got, want)
	}
}

// identity: what was earned is what there is more, less what the owner has put in.
func (p *play) identity() {
	all := sorted(p.entries)
	if len(all) == 0 {
		return
	}
	rep, err := ledger.ReportOf(p, book, all[0].Day, all[len(all)-1].Day)
	if err != nil {
		p.rt.Fatal(err)
	}
	var assets ledger.Money
	for group, m := range rep.End.Totals {
		switch group {
		case ledger.Wallet, ledger.Transit, ledger.Stock, ledger.Claim, ledger.Till, ledger.Bank, ledger.Safe, ledger.Customer, ledger.Clearing, ledger.Owner, ledger.Opening:
			assets += m
		}
	}
	if assets != rep.Flows.Result() {
		p.rt.Fatalf("the result is %s, and there is %s more", rep.Flows.Result(), assets)
	}
}

// TestSplit: parts of a discount add up to it exactly, and differ from their share by less than a unit.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		total := ledger.Money(rapid.Int64Range(0, 1_000_000).Draw(rt, "total")) * ledger.Centime
		var weights []ledger.Money
		var sum ledger.Money
		for range rapid.IntRange(1, 12).Draw(rt, "parts") {
			w := ledger.Money(rapid.Int64Range(0, 1_000_000).Draw(rt, "weight"))
			weights, sum = append(weights, w), sum+w
		}
		parts := ledger.Split(total, weights, ledger.Centime)
		got, err := ledger.Sum(parts...)
		if err != nil || got != total {
			rt.Fatalf("%v add up to %s, not %s", parts, got, total)
		}
		for i, part := range parts {
			if part%ledger.Centime != 0 || part < 0 {
				rt.Fatalf("a part is %s", part)
			}
			if sum > 0 {
				if off := float64(part) - float64(total)*float64(weights[i])/float64(sum); off > 101 || off < -101 {
					rt.Fatalf("part %d is %s of %s", i, part, total)
				}
			}
		}
	})
}

// TestCheckerSees: one thing that is spoiled is one that is found.
func TestCheckerSees(t *testing.T) {
	for name, spoil := range map[string]func(*memory){
		"an amount":                 func(m *memory) { edit(m.entries, func(e *ledger.Entry) { e.Lines[0].Debit++ }) },
		"a cut tail":                func(m *memory) { delete(m.entries, number(book, uint64(len(m.entries)))) },
		"a gap":                     func(m *memory) { delete(m.entries, number(book, 2)) },
		"a name as it was":          func(m *memory) { edit(m.entries, func(e *ledger.Entry) { e.Items[0].Name = "other" }) },
		"a day that falls":          func(m *memory) { edit(m.entries, func(e *ledger.Entry) { e.Day = "2030-01-01" }) },
		"a key":                     func(m *memory) { clear(m.keys) },
		"a balance":                 func(m *memory) { edit(m.balances, func(b *ledger.Balance) { b.Debits++; b.Credits++ }) },
		"a balance that is gone":    func(m *memory) { clear(m.balances) },
		"a unit":                    func(m *memory) { edit(m.units, func(u *ledger.Unit) { u.State = ledger.InTransit }) },
		"a unit that is gone":       func(m *memory) { clear(m.units) },
		"a sealed day":              func(m *memory) { edit(m.days, func(d *ledger.DayRecord) { d.Flows.PaidSales++ }) },
		"a sealed day that is gone": func(m *memory) { clear(m.days) },
		"a shift":                   func(m *memory) { edit(m.shifts, func(s *ledger.Shift) { s.Number = 5 }) },
		"a statement":               func(m *memory) { clear(m.lines) },
		"what is owed":              func(m *memory) { edit(m.books, func(b *ledger.Book) { b.Owed++ }) },
		"codes on hand":             func(m *memory) { edit(m.books, func(b *ledger.Book) { b.OnHand++ }) },
		"the book":                  func(m *memory) { clear(m.books) },
		"a correction":              func(m *memory) { clear(m.lates) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.observe(order("a", 1250, ledger.InStock))
			s.observe(order("b", 1250, ledger.InStock))
			sold := s.sell(sale("1", "a", 1400, 1400, 500, "ali"))
			s.close(1, 400, 400)
			s.do(func(r ledger.Records) error { return ledger.CloseDay(r, book, "2026-11-22", s.now) })
			s.entry(func(r ledger.Records) (ledger.Entry, error) {
				return ledger.Undo(r, book, sold.Number, who(boss, ""), s.now)
			})
			spoil(s.memory)
			if len(s.problems()) == 0 {
				t.Error("nothing is found")
			}
		})
	}
}

// TestDaysSealedAsBothSides: a day on which a sale on credit was undone has neither side of it. One that was sealed while each line stood on
// its own is right as well, and nothing else is.
func TestDaysSealedAsBothSides(t *testing.T) {
	ali := ledger.In(ledger.Customer, "ali")
	for name, c := range map[string]struct {
		more ledger.Sums
		bad  bool
	}{
		"as it is folded": {}, "as it was folded": {more: ledger.Sums{Debits: dinars(900), Credits: dinars(900)}},
		"half of it": {more: ledger.Sums{Debits: dinars(450), Credits: dinars(450)}, bad: true}, "one side": {more: ledger.Sums{Debits: dinars(900)}, bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.observe(order("a", 1250, ledger.InStock))
			sold := s.sell(sale("1", "a", 1400, 1400, 500, "ali"))
			s.entry(func(r ledger.Records) (ledger.Entry, error) {
				return ledger.Undo(r, book, sold.Number, who(karim, ""), s.now)
			})
			s.do(func(r ledger.Records) error { return ledger.CloseDay(r, book, "2026-11-22", s.now) })
			edit(s.days, func(d *ledger.DayRecord) {
				if d.Flows.NewCredit() != 0 || d.Flows.PaidBack() != 0 {
					t.Errorf("on credit %s, off debts %s", d.Flows.NewCredit(), d.Flows.PaidBack())
				}
				d.Flows.Accounts[ali] = c.more
			})
			if found := s.problems(); (len(found) > 0) != c.bad {
				t.Errorf("it finds %q", found)
			}
		})
	}
}

// edit changes the first record of a kind.
func edit[T any](t table[T], change func(*T)) {
	for key, v := range t {
		first := sorted(t)[0]
		if reflect.DeepEqual(v, first) {
			change(&v)
			t[key] = v
			return
		}
	}
}

// meanwhile is a book of which something changes behind each read of its head.
type meanwhile struct {
	ledger.Reader

	then func()
}

func (m meanwhile) Book(id string) (ledger.Book, error) {
	b, err := m.Reader.Book(id)
	m.then()
	return b, err
}

// TestDaySealedWhileItIsRead: a day that is sealed between the reads of a report, or of a list of days, is counted once.
func TestDaySealedWhileItIsRead(t *testing.T) {
	const day = ledger.Day("2026-11-22")
	begin := func() (*shop, ledger.Reader) {
		s := open(t)
		s.observe(order("a", 1250, ledger.InStock))
		s.sell(sale("1", "a", 1400, 1400, 500, "ali"))
		return s, meanwhile{s, func() { s.do(func(r ledger.Records) error { return ledger.CloseDay(r, book, day, s.now) }) }}
	}
	s, reads := begin()
	want := s.report(day, day)
	if got, err := ledger.ReportOf(reads, book, day, day); err != nil || got.Days != 1 || !reflect.DeepEqual(got.Flows, want.Flows) {
		t.Errorf("it adds up to %+v, %v; it was %+v", got, err, want)
	}
	_, reads = begin()
	if days, err := ledger.DaysOf(reads, book, day, day); err != nil || len(days) != 1 {
		t.Errorf("days %+v, %v", days, err)
	}
}
