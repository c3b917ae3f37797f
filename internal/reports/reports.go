// Package reports reads what a shop's books say of a range of days, compares it with the range before, and writes it as tables
// and as a picture.
package reports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/picture"
	"resellerbot/internal/screen"
	"resellerbot/internal/sheet"
	"resellerbot/internal/store"
)

// mostDays is how many days a file may be of.
const mostDays = 400

// ErrTooLong: a file of so many days would be too large for a chat.
var ErrTooLong = fmt.Errorf("reports: a file is of %d days at most", mostDays)

// Range is the days of a report.
type Range struct {
	Kind     string
	From, To ledger.Day
}

// RangeOf is the range of a kind that ends today.
func RangeOf(kind string, today ledger.Day) Range {
	r := Range{Kind: kind, From: today, To: today}
	switch kind {
	case screen.ReportWeek:
		r.From = today.Plus(-6)
	case screen.ReportMonth:
		// A Day is written as 2006-01-02.
		r.From = today[:8] + "01"
	default:
		r.Kind = screen.ReportDay
	}
	return r
}

// Today is the day of an account's book; "" and no error where none is open.
func Today(ctx context.Context, s *store.Store, account string, now time.Time) (ledger.Day, error) {
	b, err := s.Book(ctx, account)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	return b.Today(now), err
}

// TodayBegan is when today began in an account's shop: the day of its book; where none is open, the calendar's.
func TodayBegan(ctx context.Context, s *store.Store, account string, calendar, now time.Time) (time.Time, error) {
	b, err := s.Book(ctx, account)
	if errors.Is(err, store.ErrNotFound) {
		return calendar, nil
	}
	return b.Began(now), err
}

// SoldToday is how many units were sold since the day of an account's book began, and for how much: by the whole shop, or by one
// seller where that is named. What was sold behind a day that was closed before its time is of today as well. Nothing where no book
// is open.
func SoldToday(ctx context.Context, s *store.Store, account string, seller int64, now time.Time) (units int, sold ledger.Money, err error) {
	b, err := s.Book(ctx, account)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return 0, 0, err
	}
	// Two days where an owner has closed today before its time: what is sold since is labelled tomorrow (DayFor), and was sold today for
	// whoever asks.
	rep, err := ledger.ReportOf(s.Books(ctx), account, b.Today(now), b.DayFor(now))
	if err != nil {
		return 0, 0, fmt.Errorf("read what was sold today: %w", err)
	}
	for _, r := range rep.Flows.Rows {
		if seller == 0 || r.Seller == seller {
			units += r.Units
		}
	}
	return units, soldBy(rep.Flows, seller), nil
}

// Of reads the report of a range: the whole shop's, or one seller's where that is named.
func Of(ctx context.Context, s *store.Store, a store.Account, r Range, seller int64, now time.Time) (v screen.ReportView, err error) {
	b, err := s.Book(ctx, a.ID)
	if err != nil {
		return v, fmt.Errorf("read the book: %w", err)
	}
	books := s.Books(ctx)
	rep, err := ledger.ReportOf(books, a.ID, r.From, r.To)
	if err != nil {
		return v, err
	}
	v = screen.ReportView{
		Kind: r.Kind, From: r.From, To: r.To, Seller: seller, Flows: rep.Flows, End: rep.End, Closed: r.To <= max(b.Closed, b.Last),
		Sellers: map[int64]string{}, Customers: map[string]string{},
	}
	for _, m := range a.Members() {
		v.Sellers[m.User] = m.Name
	}
	// Today was closed before its time: what came after carries tomorrow's label, and is told apart.
	if today := b.Today(now); r.To == today && b.Closed >= today {
		next, err := ledger.ReportOf(books, a.ID, today.Plus(1), today.Plus(1))
		if err != nil {
			return v, err
		}
		v.After = soldBy(next.Flows, seller)
		if seller == 0 {
			v.BoughtAfter = next.Flows.Bought
		}
	}
	// A seller is told of no comparison, no customers and no debts.
	if seller != 0 {
		return v, nil
	}
	if begun := b.Today(b.Opened); r.From <= begun && begun <= r.To {
		v.Begun = b.Opened
	}
	if err := before(books, a.ID, b, rep, &v, now); err != nil {
		return v, err
	}
	// A sealed day keeps its figures; what later entries have corrected of it is added beside them, and only where the day is shown alone.
	if r.From == r.To && v.Closed {
		since, err := ledger.Since(books, a.ID, r.To)
		if err != nil {
			return v, err
		}
		v.Since = since.Sold()
	}
	return v, errors.Join(names(ctx, s, a, &v), formerNames(ctx, s, a, &v), open(ctx, s, b, &v, now))
}

// soldBy is for how much a seller has sold; everybody for 0.
func soldBy(f ledger.Flows, seller int64) (sum ledger.Money) {
	if seller == 0 {
		return f.Sold()
	}
	for _, r := range f.Rows {
		if r.Seller == seller {
			sum += r.Sold
		}
	}
	return sum
}

// before adds the range before: for today, yesterday until the same minute.
func before(books ledger.Reader, book string, b ledger.Book, rep ledger.Report, v *screen.ReportView, now time.Time) error {
	if v.From == v.To && v.To == b.Today(now) {
		f, err := ledger.UpTo(books, book, v.From.Plus(-1), now.Add(-24*time.Hour))
		// The whole of yesterday would make each morning look bad.
		v.Before, v.UntilNow = &f, true
		return err
	}
	from, to := rep.Before()
	was, err := ledger.ReportOf(books, book, from, to)
	// Only sums are compared. The view is stored as JSON in a note (send), and would carry the rows and customers of two ranges.
	was.Flows.Rows, was.Flows.Accounts = nil, keep(was.Flows.Accounts)
	v.Before = &was.Flows
	return err
}

// keep leaves out the accounts of which a comparison says nothing.
func keep(all map[ledger.Account]ledger.Sums) map[ledger.Account]ledger.Sums {
	kept := map[ledger.Account]ledger.Sums{}
	for a, s := range all {
		if a.Group() != ledger.Customer {
			kept[a] = s
		}
	}
	return kept
}

// names adds the customers that a report speaks of.
func names(ctx context.Context, s *store.Store, a store.Account, v *screen.ReportView) error {
	all := slices.Collect(maps.Keys(v.Flows.Buyers))
	for account := range v.Flows.Accounts {
		if account.Group() == ledger.Customer {
			all = append(all, account.Name())
		}
	}
	for _, id := range all {
		c, err := s.Customer(ctx, a.ID, id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("read a customer: %w", err)
		}
		// Who was forgotten has no name any more; their entries stay.
		if !c.Forgot {
			v.Customers[id] = c.Name.Reveal()
		}
	}
	return nil
}

// formerNames adds those who have sold and left the team since, by the name under which they bought for it last. Who has bought nothing lately
// stays without one.
func formerNames(ctx context.Context, s *store.Store, a store.Account, v *screen.ReportView) error {
	for _, r := range v.Flows.Rows {
		if _, known := v.Sellers[r.Seller]; known || r.Seller <= 0 {
			continue
		}
		v.Sellers[r.Seller] = "" // one read each, whatever it finds
		list, _, err := s.NewestPurchases(ctx, []int64{r.Seller}, "", lately)
		if err != nil {
			return fmt.Errorf("read what a former seller has bought: %w", err)
		}
		i := slices.IndexFunc(list, func(p store.Purchase) bool { return p.Account == a.ID && p.User == r.Seller && p.Buyer != "" })
		if i >= 0 {
			v.Sellers[r.Seller] = list[i].Buyer
		}
	}
	return nil
}

// lately is among how many purchases of a former seller their name is looked for.
const lately = 50

// open adds what needs a hand: purchases that nobody knows the end of, counts that wait, and customers whose day it is.
func open(ctx context.Context, s *store.Store, b ledger.Book, v *screen.ReportView, now time.Time) error {
	for after := ""; ; {
		page, err := s.OpenPurchases(ctx, after, 500)
		if err != nil {
			return fmt.Errorf("read open purchases: %w", err)
		}
		for _, p := range page {
			after = p.ID
			if p.Account == b.ID && (p.Phase == store.Unknown || p.Phase == store.Undecided) {
				v.Uncertain++
				v.Unsure += ledger.Of(p.Total)
			}
		}
		if len(page) < 500 {
			break
		}
	}
	waiting, err := s.Counts(ctx, b.ID)
	if err != nil {
		return err
	}
	for _, c := range waiting {
		if c.Shift == b.NextShift(c.Counter) { // one of a shift that is sealed cannot be confirmed any more
			v.Uncounted++
		}
	}
	// To remind is of today alone; and with nothing owed no customer needs to be read.
	if v.To < b.Today(now) || b.Owed == 0 {
		return nil
	}
	return payday(ctx, s, b, v)
}

// payday adds the customers who owe, and are to be reminded on the last day of a report, or would be on a later one that its
// month does not have.
func payday(ctx context.Context, s *store.Store, b ledger.Book, v *screen.ReportView) error {
	at, err := time.Parse(time.DateOnly, string(v.To))
	if err != nil {
		return nil //nolint:nilerr // no day is no payday
	}
	// Example: who is to be reminded on the 31st is reminded on 30 November.
	last := at.AddDate(0, 0, 1).Day() == 1
	for after := ""; ; {
		page, err := s.Customers(ctx, b.ID, after, 500)
		if err != nil {
			return fmt.Errorf("read the customers: %w", err)
		}
		for _, c := range page {
			after = c.ID
			// The day is looked at before the balance, which is a read for each customer.
			if c.Forgot || c.Remind == 0 || c.Remind != at.Day() && (!last || c.Remind < at.Day()) {
				continue
			}
			owes, err := s.BookBalance(ctx, b.ID, ledger.In(ledger.Customer, c.ID))
			if err != nil {
				return err
			}
			if owes.Net() > 0 {
				v.Payday = append(v.Payday, c.Name.Reveal())
			}
		}
		if len(page) < 500 {
			return nil
		}
	}
}

// Chart draws what each day has brought.
func Chart(ctx context.Context, s *store.Store, book string, v screen.ReportView, words screen.Reports) ([]byte, error) {
	days, err := ledger.DaysOf(s.Books(ctx), book, v.From, v.To)
	if err != nil {
		return nil, err
	}
	flows := make([]screen.DayFlow, len(days))
	for i, d := range days {
		flows[i] = screen.DayFlow{Day: d.Day, Flows: d.Flows}
	}
	painter, err := picture.New()
	if err != nil {
		return nil, err
	}
	return painter.Chart(words.Chart(v, flows))
}

// Workbook writes a report as a file for spreadsheets, with every entry of its days.
func Workbook(ctx context.Context, s *store.Store, book string, v screen.ReportView, words screen.Reports) ([]byte, error) {
	tables, err := tablesOf(ctx, s, book, &v, words)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = sheet.WriteXLSX(&out, tables, words.RTL())
	return out.Bytes(), err
}

// CSV writes the units that were sold as a table of plain text.
func CSV(ctx context.Context, s *store.Store, book string, v screen.ReportView, words screen.Reports) ([]byte, error) {
	tables, err := tablesOf(ctx, s, book, &v, words)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = sheet.WriteCSV(&out, tables[words.SalesTable()], words.Comma())
	return out.Bytes(), err
}

// tablesOf are the tables of a report.
func tablesOf(ctx context.Context, s *store.Store, book string, v *screen.ReportView, words screen.Reports) ([]sheet.Table, error) {
	// Only files are limited: a message of ten years is sums, a file of them every entry.
	if v.From.Until(v.To) >= mostDays {
		return nil, ErrTooLong
	}
	days, err := ledger.DaysOf(s.Books(ctx), book, v.From, v.To)
	if err != nil {
		return nil, err
	}
	var entries []ledger.Entry
	for _, d := range days {
		of, err := s.Books(ctx).Entries(book, d.First, d.Last)
		if err != nil {
			return nil, err
		}
		entries = append(entries, of...)
	}
	return words.Sheets(*v, entries), nil
}
