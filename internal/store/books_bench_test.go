package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
)

// BenchmarkBookReport is a year of 100,000 sales: about 60 products and sellers in each day's record, and the open day.
func BenchmarkBookReport(b *testing.B) {
	s := benchStore(b, true)
	ctx, first := context.Background(), time.Date(2025, 11, 22, 12, 0, 0, 0, time.UTC)
	const days, sales = 365, 274
	err := s.Update(ctx, func(tx *store.Tx) error {
		return ledger.NewBook(tx.Books(), ledger.Book{ID: "u42", Zone: "Africa/Algiers", CutOff: 240, Chats: []int64{1}}, first)
	})
	if err != nil {
		b.Fatal(err)
	}
	for day := range days {
		at := first.AddDate(0, 0, day)
		if err := s.Update(ctx, func(tx *store.Tx) error { return sellDay(tx, at, day, sales) }); err != nil {
			b.Fatal(err)
		}
	}
	for name, from := range map[string]ledger.Day{"today": "2026-11-21", "month": "2026-10-23", "year": "2025-11-22"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rep, err := ledger.ReportOf(s.Books(ctx), "u42", from, "2026-11-21")
				if err != nil || rep.Flows.Sold() == 0 {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("sale", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n++
			if err := s.Update(ctx, func(tx *store.Tx) error { return sellDay(tx, first.AddDate(1, 0, 0), 1000+n, 1) }); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// sellDay buys and sells some units, and seals the days before.
func sellDay(tx *store.Tx, at time.Time, day, sales int) error {
	r := tx.Books()
	if err := ledger.Seal(r, "u42", at); err != nil {
		return err
	}
	for i := range sales {
		id := fmt.Sprintf("%d-%d", day, i)
		f := ledger.Fact{Order: id, Wallet: "u42", Product: fmt.Sprintf("products:%d", i%20), Name: "PUBG Mobile 60 UC", Cost: 1250 * ledger.Dinar, State: ledger.InStock}
		if err := ledger.Observe(r, "u42", f, at); err != nil {
			return err
		}
		sale := ledger.Sale{
			Who: ledger.Who{By: int64(i % 3), Counter: "house", Nonce: id}, Customer: fmt.Sprintf("c%d", i%50), Paid: ledger.Money(i%2) * 1400 * ledger.Dinar,
			Units: []ledger.SoldUnit{{Order: id, List: 1400 * ledger.Dinar, Price: 1400 * ledger.Dinar}},
		}
		if _, err := ledger.Sell(r, "u42", sale, at); err != nil {
			return err
		}
	}
	return nil
}
