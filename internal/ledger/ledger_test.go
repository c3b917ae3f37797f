package ledger_test

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"resellerbot/internal/ledger"
)

// TestStory is a day of a shop from its purchases to its closing, and what is corrected on the next: every figure is
// worked out by hand.
func TestStory(t *testing.T) {
	s := open(t)
	s.entry(func(r ledger.Records) (ledger.Entry, error) {
		has := map[ledger.Account]ledger.Money{ledger.In(ledger.Wallet, book): dinars(20_000), ledger.In(ledger.Till, house): dinars(2_000)}
		return ledger.Begin(r, book, who(boss, ""), has, s.now)
	})
	for _, f := range []ledger.Fact{
		order("a", 1250, ledger.InTransit), order("b", 1250, ledger.InTransit), order("c", 1260, ledger.InTransit), order("d", 1260, ledger.InTransit),
		order("a", 1250, ledger.InStock), order("b", 1250, ledger.InStock), order("c", 1260, ledger.InStock), order("d", 1260, ledger.Claimed),
	} {
		s.observe(f)
	}
	s.sell(sale("1", "a", 1400, 1400, 500, "ali"))
	s.sell(sale("2", "c", 1400, 1350, 1350, ""))
	s.entry(func(r ledger.Records) (ledger.Entry, error) {
		return ledger.MoveMoney(r, book, ledger.Move{Who: who(karim, "taxi"), Kind: ledger.KindExpense, From: ledger.In(ledger.Till, house), To: ledger.In(ledger.Expense, "transport"), Amount: dinars(300)}, s.now)
	})
	expected, shift, err := ledger.Expected(s, book, house)
	if err != nil || expected != dinars(3550) || shift != 1 {
		t.Fatalf("expected %s in shift %d, %v", expected, shift, err)
	}
	s.close(shift, 3500, 2000)
	s.do(func(r ledger.Records) error { return ledger.CloseDay(r, book, "2026-11-22", s.now) })
	day := s.report("2026-11-22", "2026-11-22")
	wants(t, "day 22", day, map[string]int64{
		"sold": 2750, "cost": 2510, "profit": 240, "result": -110, "received": 1850, "bought": 5020, "owed": 900, "stock": 1250, "claim": 1260, "till": 2000, "credit": 900,
	})
	if day.End.OnHand != 1 {
		t.Errorf("%d codes are on hand", day.End.OnHand)
	}

	// The refund comes, and the price of the first sale is corrected.
	s.observe(order("d", 1260, ledger.Refunded))
	s.entry(func(r ledger.Records) (ledger.Entry, error) {
		return ledger.Undo(r, book, s.saleOf("a"), who(boss, ""), s.now)
	})
	s.sell(sale("3", "a", 1400, 1380, 0, "ali"))
	s.now = s.now.Add(24 * time.Hour)
	if again := s.report("2026-11-22", "2026-11-22"); !reflect.DeepEqual(again, day) {
		t.Errorf("the closed day has become %+v", again)
	}
	wants(t, "day 23", s.report("2026-11-23", "2026-11-23"), map[string]int64{
		"sold": -20, "cost": 0, "profit": -20, "owed": 1380, "claim": 0, "till": 2000, "wallet": 20_000 - 3760,
	})
	since, err := ledger.Since(s, book, "2026-11-22")
	if err != nil || since.Sold() != -dinars(1400) {
		t.Errorf("since then %s, %v", since.Sold(), err)
	}
}

// close counts the cash of the house.
func (s *shop) close(shift uint64, counted, leave int64) {
	s.Helper()
	s.do(func(r ledger.Records) error {
		_, err := ledger.CloseShift(r, book, ledger.Count{Who: who(karim, ""), Shift: shift, Counted: dinars(counted), Leave: dinars(leave)}, s.now)
		return err
	})
}

// saleOf is the entry that has sold a unit.
func (s *shop) saleOf(order string) uint64 {
	s.Helper()
	u, err := s.Unit(book, order)
	if err != nil {
		s.Fatal(err)
	}
	return u.Sale
}

// report is a report that can be made.
func (s *shop) report(from, to ledger.Day) ledger.Report {
	s.Helper()
	rep, err := ledger.ReportOf(s, book, from, to)
	if err != nil {
		s.Fatal(err)
	}
	return rep
}

// wants compares figures of a report, in dinars.
func wants(t *testing.T, name string, rep ledger.Report, want map[string]int64) {
	t.Helper()
	f := rep.Flows
	got := map[string]ledger.Money{
		"sold": f.Sold(), "cost": f.Cost(), "profit": f.Profit(), "result": f.Result(), "received": f.Received(), "bought": f.Bought,
		"owed": rep.End.Owed, "stock": rep.End.Totals[ledger.Stock], "claim": rep.End.Totals[ledger.Claim], "till": rep.End.Totals[ledger.Till],
		"wallet": rep.End.Totals[ledger.Wallet], "credit": f.NewCredit(), "clearing": rep.End.Totals[ledger.Clearing], "ahead": rep.End.Ahead,
	}
	for figure, n := range want {
		if got[figure] != dinars(n) {
			t.Errorf("%s: %s is %s, want %d", name, figure, got[figure], n)
		}
	}
}

// TestCountOfAShiftThatIsOver: a count waits for the shift that it was made in. Where that has ended meanwhile, as with the day, whoever
// has counted is told so, and no count waits for what nobody decides about any more.
func TestCountOfAShiftThatIsOver(t *testing.T) {
	s := open(t)
	s.observe(order("a", 1250, ledger.InStock))
	s.sell(sale("1", "a", 1400, 1400, 1400, ""))
	_, shift, err := ledger.Expected(s, book, house)
	if err != nil {
		t.Fatal(err)
	}
	hold := func(r ledger.Records) error { return ledger.HoldShift(r, book, house, shift) }
	s.do(hold)
	s.close(shift, 1400, 0)
	s.refused(ledger.AlreadyDone, hold)
}

// TestSaleIsOnce: a card is good for one sale, whoever taps it and however often; another card finds that it is sold.
func TestSaleIsOnce(t *testing.T) {
	s := open(t)
	s.observe(order("a", 1250, ledger.InStock))
	first := s.sell(sale("1", "a", 1400, 1400, 1400, ""))
	second := sale("1", "a", 1400, 1400, 1400, "")
	second.By = boss
	if again := s.sell(second); again.Number != first.Number || again.By != karim {
		t.Errorf("the same card has made entry %d by %d", again.Number, again.By)
	}
	for why, a := range map[ledger.Reason]ledger.Sale{
		ledger.AlreadySold:  sale("2", "a", 1400, 1400, 1400, ""),
		ledger.OtherContent: sale("1", "a", 1400, 1300, 1300, ""),
		ledger.NotInStock:   sale("3", "nothing", 1400, 1400, 1400, ""),
	} {
		r := s.refused(why, func(r ledger.Records) error { _, err := ledger.Sell(r, book, a, s.now); return err })
		if why == ledger.AlreadySold && r.By != karim {
			t.Errorf("first was %d", r.By)
		}
	}
}

// TestBadAmounts: what nobody can pay is refused.
func TestBadAmounts(t *testing.T) {
	s := open(t)
	s.observe(order("a", 1250, ledger.InStock))
	third := sale("c", "a", 1400, 1400, 1400, "")
	third.Paid = 1
	limited := sale("d", "a", 1400, 1400, 0, "ali")
	limited.Limit = dinars(1399)
	for name, c := range map[string]struct {
		sale ledger.Sale
		why  ledger.Reason
	}{
		"a price of nothing":      {sale("a", "a", 0, 0, 0, ""), ledger.NoMoney},
		"a negative price":        {sale("b", "a", 1400, -5, 0, ""), ledger.NoMoney},
		"less than a centime":     {third, ledger.NoMoney},
		"more than the price":     {sale("e", "a", 1400, 1400, 1500, ""), ledger.TooMuch},
		"credit to nobody":        {sale("f", "a", 1400, 1400, 1000, ""), ledger.NoCustomer},
		"more than they may owe":  {limited, ledger.OverLimit},
		"a sale of nothing":       {ledger.Sale{Who: who(karim, "g")}, ledger.NoMoney},
		"a negative part payment": {sale("h", "a", 1400, 1400, -1, "ali"), ledger.NoMoney},
	} {
		t.Run(name, func(t *testing.T) {
			s.TB = t
			s.refused(c.why, func(r ledger.Records) error { _, err := ledger.Sell(r, book, c.sale, s.now); return err })
		})
	}
}

// TestDebts: payments in part, more than is owed, and what is left to whom it was owed first.
func TestDebts(t *testing.T) {
	s := open(t)
	s.observe(order("a", 1000, ledger.InStock))
	s.observe(order("b", 1000, ledger.InStock))
	first := s.now
	s.sell(sale("1", "a", 1400, 1400, 0, "ali"))
	s.now = s.now.Add(48 * time.Hour)
	s.sell(sale("2", "b", 1500, 1500, 0, "ali"))
	pay := func(nonce string, amount int64, ahead bool) func(ledger.Records) error {
		return func(r ledger.Records) error {
			_, err := ledger.Pay(r, book, ledger.Payment{Who: who(karim, nonce), Customer: "ali", Amount: dinars(amount), Ahead: ahead}, s.now)
			return err
		}
	}
	since := func() time.Time {
		t.Helper()
		b, err := s.Balance(book, ledger.In(ledger.Customer, "ali"))
		if err != nil {
			t.Fatal(err)
		}
		lines, err := ledger.Statement(s, book, "ali", b.Net(), 100)
		if err != nil || lines[len(lines)-1].After != lines[len(lines)-1].Amount {
			t.Fatalf("the statement is %+v, %v", lines, err)
		}
		return ledger.OwedSince(lines)
	}
	if !since().Equal(first) {
		t.Errorf("owed since %s", since())
	}
	s.do(pay("p1", 1400, false))
	if !since().Equal(s.now) {
		t.Errorf("after the oldest was paid: owed since %s", since())
	}
	owed := since()
	s.now = s.now.Add(time.Hour)
	mistake := ledger.Payment{Who: who(karim, "mistake"), Customer: "ali", Amount: dinars(1500)}
	s.do(func(r ledger.Records) error {
		paid, err := ledger.Pay(r, book, mistake, s.now)
		if err == nil {
			s.now = s.now.Add(time.Hour)
			_, err = ledger.Undo(r, book, paid.Number, who(boss, ""), s.now)
		}
		return err
	})
	if !since().Equal(owed) {
		t.Errorf("after a payment was undone: owed since %s, and not since %s", since(), owed)
	}
	s.refused(ledger.TooMuch, pay("p2", 1600, false))
	s.do(pay("p3", 1600, true))
	if got := s.net("cust/ali"); got != "-100" || !since().IsZero() {
		t.Errorf("he owes %s, since %s", got, since())
	}
	wants(t, "debts", s.report("2026-11-22", "2026-11-24"), map[string]int64{"owed": 0, "ahead": 100, "received": 3000})
	if rep := s.report("2026-11-22", "2026-11-24"); rep.Flows.DebtsPaid != dinars(3000) || rep.Flows.PaidSales != 0 {
		t.Errorf("debts paid %s, sales paid %s", rep.Flows.DebtsPaid, rep.Flows.PaidSales)
	}
}

// TestUndo: the seller in the same shift, an owner later too, and each sale once.
func TestUndo(t *testing.T) {
	s := open(t)
	s.observe(order("a", 1250, ledger.InStock))
	sold := s.sell(sale("1", "a", 1400, 1400, 1400, ""))
	undo := func(by int64) func(ledger.Records) error {
		return func(r ledger.Records) error {
			_, err := ledger.Undo(r, book, sold.Number, who(by, ""), s.now)
			return err
		}
	}
	s.refused(ledger.NotTheirs, undo(8))
	s.do(undo(karim))
	for _, a := range []ledger.Account{"till/house", "sales", "cost"} {
		if got := s.net(a); got != "0" {
			t.Errorf("%s is %s after it was taken back", a, got)
		}
	}
	s.refused(ledger.AlreadyDone, undo(boss))

	sold = s.sell(sale("2", "a", 1400, 1400, 1400, ""))
	s.close(1, 1400, 0)
	s.refused(ledger.TooLate, undo(karim))
	s.do(undo(boss))
	if till, over := s.net("till/house"), s.net("over/house"); till != "0" || over != "-1400" {
		t.Errorf("the till is %s, the difference %s: no cash has moved", till, over)
	}
}

// TestReturns: money back belongs to the shift that pays it; the cost comes back only with a code that can be sold.
func TestReturns(t *testing.T) {
	s := open(t)
	s.observe(order("a", 1250, ledger.InStock))
	s.observe(order("b", 1250, ledger.InStock))
	s.sell(sale("1", "a", 1400, 1400, 1400, ""))
	s.sell(sale("2", "b", 1400, 1400, 0, "ali"))
	s.close(1, 1400, 1400)
	s.now = s.now.Add(24 * time.Hour)
	back := func(nonce, order string, usable, debt bool) func(ledger.Records) error {
		return func(r ledger.Records) error {
			a := ledger.Returned{Who: who(karim, nonce), Order: order, Usable: usable, OffDebt: debt}
			if debt {
				a.Customer = "ali"
			}
			_, err := ledger.Return(r, book, a, s.now)
			return err
		}
	}
	s.do(back("r1", "a", true, false))
	s.do(back("r1", "a", true, false)) // the same card
	s.refused(ledger.NotSold, back("r2", "a", true, false))
	s.do(back("r3", "b", false, true))
	wants(t, "returns", s.report("2026-11-23", "2026-11-23"), map[string]int64{"sold": -2800, "cost": -1250, "till": 0, "owed": 0, "stock": 1250})
	wants(t, "the day before", s.report("2026-11-22", "2026-11-22"), map[string]int64{"sold": 2800, "cost": 2500, "till": 1400, "owed": 1400})
}

// TestFacts: whatever order the words of the service come in, nothing is refused, and the same again changes nothing.
func TestFacts(t *testing.T) {
	for name, c := range map[string]struct {
		facts []ledger.Fact
		want  map[string]int64
	}{
		"a code at once":                  {[]ledger.Fact{order("a", 100, ledger.InStock)}, map[string]int64{"stock": 100, "wallet": -100}},
		"failed and refunded":             {[]ledger.Fact{order("a", 100, ledger.InTransit), order("a", 100, ledger.Claimed), order("a", 100, ledger.Refunded)}, map[string]int64{"wallet": 0, "profit": 0}},
		"a refund not seen to be awaited": {[]ledger.Fact{order("a", 100, ledger.InStock), order("a", 100, ledger.Refunded)}, map[string]int64{"wallet": 0, "stock": 0}},
		"another amount was taken":        {[]ledger.Fact{order("a", 100, ledger.InStock), order("a", 105, ledger.InStock)}, map[string]int64{"stock": 105, "wallet": -105}},
		"less was taken":                  {[]ledger.Fact{order("a", 100, ledger.InTransit), order("a", 95, ledger.InStock)}, map[string]int64{"stock": 95, "wallet": -95}},
		"a code after the refund":         {[]ledger.Fact{order("a", 100, ledger.Refunded), order("a", 100, ledger.InStock)}, map[string]int64{"stock": 100, "wallet": 0, "clearing": -100}},
		"a code after the failure":        {[]ledger.Fact{order("a", 100, ledger.Claimed), order("a", 100, ledger.InStock)}, map[string]int64{"stock": 100, "claim": 0, "clearing": 0}},
		"a refund that was none":          {[]ledger.Fact{order("a", 100, ledger.Refunded), order("a", 100, ledger.Claimed)}, map[string]int64{"claim": 100, "wallet": -100}},
		"not the shop's after all":        {[]ledger.Fact{order("a", 100, ledger.InTransit), order("a", 100, ledger.Released)}, map[string]int64{"wallet": 0}},
		"and then it was":                 {[]ledger.Fact{order("a", 100, ledger.InTransit), order("a", 100, ledger.Released), order("a", 100, ledger.InStock)}, map[string]int64{"stock": 100, "wallet": -100}},
		"for free":                        {[]ledger.Fact{order("a", 0, ledger.InTransit), order("a", 0, ledger.InStock)}, map[string]int64{"stock": 0}},
		"released before it was known":    {[]ledger.Fact{order("a", 100, ledger.Released)}, map[string]int64{"wallet": 0}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			for _, f := range c.facts {
				s.observe(f)
				entries := len(s.entries)
				s.observe(f)
				if len(s.entries) != entries {
					t.Errorf("%s again has made entries", f.State)
				}
			}
			wants(t, name, s.report("2026-11-22", "2026-11-22"), c.want)
		})
	}
}

// TestSoldAndThenFailed: the price stays with the sale; its cost is awaited from the service.
func TestSoldAndThenFailed(t *testing.T) {
	s := open(t)
	s.observe(order("a", 1250, ledger.InStock))
	s.sell(sale("1", "a", 1400, 1400, 1400, ""))
	s.observe(order("a", 1255, ledger.InStock))
	s.entry(func(r ledger.Records) (ledger.Entry, error) {
		return ledger.Undo(r, book, s.saleOf("a"), who(karim, ""), s.now)
	})
	wants(t, "taken back", s.report("2026-11-22", "2026-11-22"), map[string]int64{"sold": 0, "cost": 0, "stock": 1255, "wallet": -1255})
	s.sell(sale("2", "a", 1400, 1400, 1400, ""))
	wants(t, "another amount was taken", s.report("2026-11-22", "2026-11-22"), map[string]int64{"sold": 1400, "cost": 1255, "wallet": -1255})
	s.observe(order("a", 1255, ledger.Claimed))
	wants(t, "failed", s.report("2026-11-22", "2026-11-22"), map[string]int64{"sold": 1400, "cost": 0, "claim": 1255})
	s.observe(order("a", 1255, ledger.InStock))
	wants(t, "not failed", s.report("2026-11-22", "2026-11-22"), map[string]int64{"cost": 1255, "claim": 0, "stock": 0})
}

// TestDayOfAMoment: days begin at the cut-off hour, those of 23 and 25 hours too.
func TestDayOfAMoment(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]ledger.Day{
		"2026-11-22T03:59:59+01:00": "2026-11-21", "2026-11-22T04:00:00+01:00": "2026-11-22", "2026-11-23T00:01:00+01:00": "2026-11-22",
		"2026-03-29T01:59:00+01:00": "2026-03-28", "2026-03-29T04:00:00+02:00": "2026-03-29", "2026-03-29T03:30:00+02:00": "2026-03-28",
		"2026-10-25T02:30:00+02:00": "2026-10-24", "2026-10-25T02:30:00+01:00": "2026-10-24", "2026-10-25T04:00:00+01:00": "2026-10-25",
		"2026-01-01T01:00:00+01:00": "2025-12-31",
	} {
		moment, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := ledger.DayAt(moment, paris, 4*time.Hour); got != want {
			t.Errorf("%s is of %s, want %s", at, got, want)
		}
	}
}

// TestMoneyFails: a sum that does not fit is an error, and an entry of it is not written.
func TestMoneyFails(t *testing.T) {
	for _, c := range [][2]ledger.Money{{math.MaxInt64, 1}, {math.MinInt64, -1}, {math.MaxInt64, math.MaxInt64}, {math.MinInt64, math.MinInt64}} {
		if sum, err := c[0].Add(c[1]); !errors.Is(err, ledger.ErrOverflow) {
			t.Errorf("%d + %d = %d, %v", c[0], c[1], sum, err)
		}
	}
	if _, err := ledger.Money(0).Sub(math.MinInt64); !errors.Is(err, ledger.ErrOverflow) {
		t.Errorf("0 − the least: %v", err)
	}
	s := open(t)
	f := order("a", 0, ledger.InTransit)
	f.Cost = math.MaxInt64
	s.observe(f)
	f.Order = "b"
	if err := s.update(func(r ledger.Records) error { return ledger.Observe(r, book, f, s.now) }); !errors.Is(err, ledger.ErrOverflow) {
		t.Errorf("twice the most: %v", err)
	}
	s.sound()
}

// TestGivenBackOnce: no more goes back to a customer than was paid ahead, whichever card is tapped; the till may hold less than that.
func TestGivenBackOnce(t *testing.T) {
	s := open(t)
	s.observe(order("a", 1250, ledger.InStock))
	sold := s.sell(sale("1", "a", 1400, 1400, 0, "ali"))
	s.entry(func(r ledger.Records) (ledger.Entry, error) {
		return ledger.Pay(r, book, ledger.Payment{Who: who(karim, "p"), Customer: "ali", Amount: dinars(1400)}, s.now)
	})
	s.entry(func(r ledger.Records) (ledger.Entry, error) {
		return ledger.Undo(r, book, sold.Number, who(karim, ""), s.now)
	})
	back := func(nonce string, amount ledger.Money) error {
		return s.update(func(r ledger.Records) error {
			m := ledger.Move{
				Who: who(karim, nonce), Kind: ledger.KindGiveBack, From: ledger.In(ledger.Till, "empty"), To: ledger.In(ledger.Customer, "ali"), Customer: "ali", Amount: amount,
			}
			_, err := ledger.MoveMoney(r, book, m, s.now)
			return err
		})
	}
	var no *ledger.Refusal
	if err := back("1", dinars(1401)); !errors.As(err, &no) || no.Reason != ledger.TooMuch {
		t.Errorf("more than was paid ahead: %v", err)
	}
	if err := back("2", dinars(1400)); err != nil {
		t.Error(err)
	}
	if err := back("3", dinars(1)); !errors.As(err, &no) || no.Reason != ledger.TooMuch {
		t.Errorf("once more: %v", err)
	}
}
