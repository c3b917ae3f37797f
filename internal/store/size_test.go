package store_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/storetest"
)

// sold is a purchase of one code on its way, with what is written beside it. Each call is its next step.
func sold(tb testing.TB, at time.Time, n int) []func(*store.Tx) error {
	tb.Helper()
	account, price, before := fmt.Sprintf("u%d", n%40), amount(tb, "1250.5"), amount(tb, "18747.5")
	p := store.Purchase{
		ID: store.NewID(at, rand.Reader), Account: account, Chat: int64(n % 40), User: int64(n % 40), Buyer: "Sam", Update: int64(n), Message: n, Nonce: "4OCIyu8rY0w",
		Phase: store.Drafted, ProductID: 1, VariantID: 101, Product: "Play Card", Variant: "5 USD", Quantity: 1, Price: price, Total: price,
		Before:    store.Snapshot{At: at, Balance: before, Available: before, Known: true, Explained: true, Used: -1, Spends: n, Listed: true},
		CreatedAt: at, ExpiresAt: at.Add(10 * time.Minute),
	}
	o := store.Order{
		Account: account, ID: fmt.Sprintf("ORD-%06d", n), Purchase: p.ID, Origin: "current", Item: ":101", Unit: 1, Status: "processing", State: store.Waiting,
		Price: price, CreatedAt: at, SeenAt: at, Due: at.Add(time.Second),
	}
	move := func(to store.Phase) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			p.History, p.Phase = append(p.History, store.Step{At: at, From: p.Phase, To: to}), to
			return tx.PutPurchase(&p)
		}
	}
	return []func(*store.Tx) error{
		move(store.Queued), move(store.Submitting),
		func(tx *store.Tx) error {
			p.OrderIDs, p.SentAt, p.AnsweredAt, p.Attempts = []string{o.ID}, at, at, 1
			acc, err := tx.Account(account)
			if errors.Is(err, store.ErrNotFound) {
				acc, err = store.Account{ID: account}, nil
			}
			if err != nil {
				return err
			}
			if err := tx.AddMovement(&acc, store.Movement{Account: account, At: at, Kind: "bought", Balance: before, Purchase: p.ID}); err != nil {
				return err
			}
			if err := errors.Join(tx.PutAccount(&acc), tx.ClaimOrder(o)); err != nil {
				return err
			}
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
			return move(store.Accepted)(tx)
		},
		func(tx *store.Tx) error {
			o.State, o.Status, o.Code, o.ReadyAt, o.Due = store.Ready, "completed", secret.New(fmt.Sprintf("CODE-%08d-ABCD-EFGH", n)), at, time.Time{}
			p.ClosedAt = at
			if _, err := tx.ClaimCode(o, o.Code); err != nil {
				return err
			}
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
			return move(store.Settled)(tx)
		},
	}
}

func amount(tb testing.TB, text string) dzd.Amount {
	tb.Helper()
	a, err := dzd.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// BenchmarkSizeOfAPurchase tells how large the file is for each purchase that was delivered, when forty shops have bought
// side by side.
func BenchmarkSizeOfAPurchase(b *testing.B) {
	for b.Loop() {
		b.ReportMetric(sizeOfAPurchase(b, 15_000), "B/purchase")
	}
}

// TestSizeOfAPurchase holds that to what docs/operate.md says of it.
func TestSizeOfAPurchase(t *testing.T) {
	sampletest.Slow(t)
	if size := sizeOfAPurchase(t, 3_000); size > 1500 {
		t.Errorf("a purchase takes %.0f bytes of the file", size)
	}
}

// sizeOfAPurchase is how much longer a file becomes by each of so many purchases, which holds a third of that number already. Its
// pages are counted: the file itself grows by 16 MiB.
func sizeOfAPurchase(tb testing.TB, purchases int) float64 {
	tb.Helper()
	const together = 20
	ctx, path := context.Background(), filepath.Join(tb.TempDir(), "bot.db")
	e, err := bolt.Open(path, bolt.Options{NoSync: true, Fatal: func(err error) { tb.Error(err) }})
	if err != nil {
		tb.Fatal(err)
	}
	s, err := store.Open(ctx, e, storetest.Keyring(tb))
	if err != nil {
		tb.Fatal(err)
	}
	pages := func() float64 {
		copied := path + ".copy"
		if err := e.Backup(ctx, copied); err != nil {
			tb.Fatal(err)
		}
		defer os.Remove(copied)
		info, err := os.Stat(copied)
		if err != nil {
			tb.Fatal(err)
		}
		return float64(info.Size())
	}
	begun := 0.0
	var under [][]func(*store.Tx) error
	for n := range purchases + purchases/3 {
		if n == purchases/3 {
			begun = pages()
		}
		under = append(under, sold(tb, noon().Add(time.Duration(n)*time.Second), n))
		if len(under) < together { // they come to their end in turns, as those of many shops do
			continue
		}
		for step := range under[0] {
			err := s.Update(ctx, func(tx *store.Tx) error {
				for _, p := range under {
					if err := p[step](tx); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				tb.Fatal(err)
			}
		}
		under = nil
	}
	defer s.Close()
	return (pages() - begun) / float64(purchases)
}
