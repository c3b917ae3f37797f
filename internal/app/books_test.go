package app_test

import (
	"context"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
)

// TestBooksOfAPurchase: with the books open a purchase is the same to the chat and to the service, each code is in stock at
// what it has cost by the transaction that delivered it, and the day is sealed once it is over.
func TestBooksOfAPurchase(t *testing.T) {
	var sent []int
	for _, open := range []bool{false, true} {
		apptest.Run(t, apptest.Stock, func(h *apptest.Harness) {
			h.Link(apptest.Sam)
			if open {
				h.InStore(func(s *store.Store) { openBook(h, s) })
			}
			h.Buy(apptest.Sam, "Play Card", "10 USD", "2")
			h.Bought(1)
			sent = append(sent, h.FromBot(apptest.Sam))
			if !open {
				return
			}
			h.InStore(func(s *store.Store) { booked(h, s, "2501", 0) })
			h.Sleep(25 * time.Hour)
			h.Pass(6 * time.Minute)
			h.InStore(func(s *store.Store) { booked(h, s, "2501", 1) })
		})
	}
	if len(sent) != 2 || sent[0] != sent[1] {
		t.Errorf("messages without books and with them: %v", sent)
	}
}

// openBook opens the books of the only account.
func openBook(h *apptest.Harness, s *store.Store) {
	h.T.Helper()
	accounts, err := s.Accounts(context.Background(), "", 9)
	h.Must(err)
	h.Must(s.Update(context.Background(), func(tx *store.Tx) error {
		b := ledger.Book{ID: accounts[0].ID, Zone: "Africa/Algiers", CutOff: 240, Chats: []int64{apptest.Sam}}
		return ledger.NewBook(tx.Books(), b, time.Now())
	}))
}

// booked compares the stock of the only book, and how many days are sealed, and has the store checked.
func booked(h *apptest.Harness, s *store.Store, stock string, days int) {
	h.T.Helper()
	ctx := context.Background()
	all, err := s.AllBooks(ctx, "", 9)
	h.Must(err)
	b, err := s.BookBalance(ctx, all[0].ID, ledger.Stock)
	h.Must(err)
	if b.Net().String() != stock || all[0].OnHand != 2 {
		h.T.Errorf("%d codes of %s are in stock, want 2 of %s", all[0].OnHand, b.Net(), stock)
	}
	sealed, err := s.Books(ctx).Days(all[0].ID, "1990-01-01", "2100-01-01")
	h.Must(err)
	if len(sealed) != days {
		h.T.Errorf("%d days are sealed, want %d", len(sealed), days)
	}
	problems, err := s.Check(ctx)
	h.Must(err)
	if len(problems) > 0 {
		h.T.Errorf("the store is not sound: %q", problems)
	}
}
