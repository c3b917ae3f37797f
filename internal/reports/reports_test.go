package reports_test

import (
	"archive/zip"
	"bytes"
	"context"
	"image/png"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/ledger"
	"resellerbot/internal/reports"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

const formula = `=HYPERLINK("http://evil","x")`

// shop is a store with the book of a shop that sells one unit a day on credit to somebody whose name is a formula.
func shop(t *testing.T, days int) (*store.Store, store.Account, time.Time) {
	t.Helper()
	s, err := store.Open(t.Context(), storetest.Engine(t, filepath.Join(t.TempDir(), "bot.db")), storetest.Keyring(t)) // its units have no orders
	if err != nil {
		t.Fatal(err)
	}
	ctx, first := context.Background(), time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)
	a := store.Account{ID: "u42", Name: "Amina", Chats: []int64{502}}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Update(ctx, func(tx *store.Tx) error {
		if err := tx.PutAccount(&a); err != nil {
			return err
		}
		if err := tx.PutCustomer(&store.Customer{Book: "u42", ID: "k", Name: secret.New(formula), Remind: 31}); err != nil {
			return err
		}
		return ledger.NewBook(tx.Books(), ledger.Book{ID: "u42", Zone: "Africa/Algiers", CutOff: 240, Chats: []int64{502}}, first)
	}))
	at := first
	for i := range days {
		at = first.AddDate(0, 0, i)
		must(s.Update(ctx, func(tx *store.Tx) error {
			r, order := tx.Books(), "o"+at.Format("0102")
			if err := ledger.Seal(r, "u42", at); err != nil {
				return err
			}
			fact := ledger.Fact{Order: order, Wallet: "u42", Product: "p", Name: formula, Cost: ledger.Of(dzd.Must("1250.505")), State: ledger.InStock}
			if err := ledger.Observe(r, "u42", fact, at); err != nil {
				return err
			}
			_, err := ledger.Sell(r, "u42", ledger.Sale{
				Who: ledger.Who{By: 502, Counter: "502", Nonce: order}, Customer: "k", Units: []ledger.SoldUnit{{Order: order, List: 1400 * ledger.Dinar, Price: 1400 * ledger.Dinar}},
			}, at)
			return err
		}))
	}
	return s, a, at
}

// words is the printer of a language.
func words(t *testing.T, lang string) screen.Reports {
	t.Helper()
	all, err := screen.Load(time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := all.For(lang)
	return p.Reports()
}

// TestOf: a report adds up over any split of its range, is compared with as many days before, and names who is to be reminded on
// the last day of a month that has none of their day.
func TestOf(t *testing.T) {
	t.Parallel()
	s, a, at := shop(t, 12) // 20 to 31 October
	day := ledger.Day(at.Format(time.DateOnly))
	month, err := reports.Of(t.Context(), s, a, reports.RangeOf(screen.ReportMonth, day), 0, at)
	if err != nil {
		t.Fatal(err)
	}
	if month.Flows.Sold() != 12*1400*ledger.Dinar || month.Flows.Profit() != 12*(1400*ledger.Dinar-ledger.Of(dzd.Must("1250.505"))) {
		t.Errorf("sold %s, profit %s", month.Flows.Sold(), month.Flows.Profit())
	}
	if len(month.Payday) != 1 || month.Customers["k"] != formula || month.End.Owed != 12*1400*ledger.Dinar {
		t.Errorf("to remind %q, customers %q, owed %s", month.Payday, month.Customers, month.End.Owed)
	}
	week, err := reports.Of(t.Context(), s, a, reports.RangeOf(screen.ReportWeek, day), 0, at)
	if err != nil || week.Flows.Sold() != 7*1400*ledger.Dinar || week.Before.Sold() != 5*1400*ledger.Dinar {
		t.Errorf("the week sold %s, the one before %s: %v", week.Flows.Sold(), week.Before.Sold(), err)
	}
	today, err := reports.Of(t.Context(), s, a, reports.RangeOf(screen.ReportDay, day), 0, at)
	if err != nil || !today.UntilNow || today.Before.Sold() != 1400*ledger.Dinar || today.Closed {
		t.Errorf("today is %+v: %v", today, err)
	}
	own, err := reports.Of(t.Context(), s, a, reports.RangeOf(screen.ReportDay, day), 7, at)
	if err != nil || own.Before != nil || len(own.Payday) > 0 || len(own.Customers) > 0 {
		t.Errorf("a seller's report is %+v: %v", own, err)
	}
}

// TestFiles: names that are formulas stay texts, exact amounts stay so, the journal adds up to nothing, and who asks for ten years
// is told that it is too long.
func TestFiles(t *testing.T) {
	t.Parallel()
	s, a, at := shop(t, 3)
	day := ledger.Day(at.Format(time.DateOnly))
	v, err := reports.Of(t.Context(), s, a, reports.RangeOf(screen.ReportWeek, day), 0, at)
	if err != nil {
		t.Fatal(err)
	}
	book, err := reports.Workbook(t.Context(), s, a.ID, v, words(t, "ar"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	if said := all.String(); strings.Contains(said, "<f>") || !strings.Contains(said, "HYPERLINK") || !strings.Contains(said, "1250.505") {
		t.Error("the workbook has a formula, or lacks what was sold")
	}
	table, err := reports.CSV(t.Context(), s, a.ID, v, words(t, "fr"))
	if err != nil || strings.Contains(string(table), "\n=") || strings.Contains(string(table), ";=") || strings.Contains(string(table), `;"=`) || !strings.Contains(string(table), "1250,505") {
		t.Errorf("the table is %s: %v", table, err)
	}
	chart, err := reports.Chart(t.Context(), s, a.ID, v, words(t, "ar"))
	if err != nil {
		t.Fatal(err)
	}
	if picture, err := png.Decode(bytes.NewReader(chart)); err != nil || picture.Bounds().Dx() < 390 || len(chart) > 80_000 {
		t.Errorf("the chart is no picture, or of %d bytes: %v", len(chart), err)
	}
	v.From = v.To.Plus(-3650)
	if _, err := reports.Workbook(t.Context(), s, a.ID, v, words(t, "en")); err == nil {
		t.Error("ten years are a file")
	}
	if _, err := reports.Of(t.Context(), s, a, reports.Range{Kind: screen.ReportRange, From: v.From, To: day}, 0, at); err != nil {
		t.Errorf("ten years are no message: %v", err)
	}
}
