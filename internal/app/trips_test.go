package app_test

import (
	"crypto/rand"
	"testing"
	"time"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/store"
)

// mostTrips is how often a conversation may wait for a database behind a network, from /start to two codes, with all that
// happens beside it meanwhile: one for the end of each of its thirty transactions, one for each of seven claims, and the rest for lists and
// for what is met for the first time. It may not rise.
const mostTrips = 60

// counted plays in a shop whose database counts how often it is waited for, and what is read.
func counted(t *testing.T, play func(*apptest.Harness, *apptest.Trips)) {
	t.Helper()
	trips := &apptest.Trips{}
	apptest.Run(t, func(h *apptest.Harness) {
		apptest.Stock(h)
		h.Engine = func(e store.Engine) store.Engine { trips.Engine = e; return trips }
	}, func(h *apptest.Harness) { play(h, trips) })
}

// changeAccount changes Sam's account, in one transaction with what goes with it.
func changeAccount(h *apptest.Harness, change func(*store.Tx, *store.Account) error) {
	h.T.Helper()
	h.InStore(func(s *store.Store) {
		h.Must(s.Update(h.T.Context(), func(tx *store.Tx) error {
			c, err := tx.Chat(apptest.Sam)
			if err != nil {
				return err
			}
			a, err := tx.Account(c.Account)
			if err != nil {
				return err
			}
			if err := change(tx, &a); err != nil {
				return err
			}
			return tx.PutAccount(&a)
		}))
	})
}

// TestTrips counts what somebody waits for who starts, links a key and buys two codes.
func TestTrips(t *testing.T) {
	t.Parallel()
	counted(t, func(h *apptest.Harness, trips *apptest.Trips) {
		h.Say(apptest.Sam, "/start")
		trips.Reset()
		h.Say(apptest.Sam, "/start")
		h.Link(apptest.Sam)
		linked, _ := trips.Count()
		h.Buy(apptest.Sam, "Play Card", "5 USD", "2")
		n, transactions := trips.Count()
		t.Logf("%d trips in %d transactions, %d of them until the key is linked", n, transactions, linked)
		if n > mostTrips {
			t.Errorf("%d trips, the most is %d:\n%s", n, mostTrips, trips.Whose())
		}
	})
}

// TestOrdersReads: a page of eight purchases reads nine, which tell that there is another page, however many chats and
// purchases the account has.
func TestOrdersReads(t *testing.T) {
	t.Parallel()
	counted(t, func(h *apptest.Harness, trips *apptest.Trips) {
		h.Link(apptest.Sam)
		changeAccount(h, func(tx *store.Tx, a *store.Account) error {
			for i := range 200 {
				at := time.Now().Add(-time.Duration(i) * 3 * time.Hour)
				p := store.Purchase{
					ID: store.NewID(at, rand.Reader), Account: a.ID, Chat: apptest.Sam - int64(i%5), User: apptest.Sam, Phase: store.Settled, Product: "Play Card", Variant: "5 USD",
					Quantity: 1, CreatedAt: at, QueuedAt: at.Add(time.Minute), ClosedAt: at.Add(2 * time.Minute),
				}
				if err := tx.PutPurchase(&p); err != nil {
					return err
				}
			}
			for i := range int64(4) {
				a.Past = append(a.Past, apptest.Sam-1-i)
			}
			return nil
		})
		h.Say(apptest.Sam, "/orders")
		h.See(apptest.Sam, "Your orders")
		trips.Reset()
		h.Say(apptest.Sam, "/orders")
		if n := trips.Read(store.KindPurchase); n > 10 {
			t.Errorf("its own: %d purchases were read", n)
		}
		trips.Reset()
		h.Tap(apptest.Sam, "team")
		if n := trips.Read(store.KindPurchase); n > 10 || n < 8 {
			t.Errorf("the team's: %d purchases were read", n)
		}
	})
}

// TestConfirmReads: a tap on ✅ reads none of the purchases that the wallet has in mind and that have come to their end.
func TestConfirmReads(t *testing.T) {
	t.Parallel()
	counted(t, func(h *apptest.Harness, trips *apptest.Trips) {
		read := func() int {
			h.Order(apptest.Sam, "Play Card", "5 USD", "1")
			trips.Reset()
			h.Tap(apptest.Sam, "✅")
			h.Delivered(apptest.Sam)
			return trips.Read(store.KindPurchase)
		}
		h.Link(apptest.Sam)
		before := read()
		changeAccount(h, func(tx *store.Tx, a *store.Account) error {
			at := time.Now()
			for range 100 {
				p := store.Purchase{ID: store.NewID(at.Add(-time.Hour), rand.Reader), Account: a.ID, Chat: apptest.Sam, User: apptest.Sam, Phase: store.Settled, Product: "Other", Quantity: 1, CreatedAt: at}
				if err := tx.PutPurchase(&p); err != nil {
					return err
				}
				a.Wallet.Expected = append(a.Wallet.Expected, store.Expected{At: at, Purchase: p.ID, MayGo: store.Overdue})
			}
			return nil
		})
		if now := read(); now > before+10 {
			t.Errorf("%d purchases were read, and %d before there were a hundred in mind", now, before)
		}
	})
}
