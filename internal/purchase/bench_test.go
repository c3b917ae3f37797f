package purchase_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/purchase"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/storetest"
)

// counted counts the commits of an engine.
type counted struct {
	store.Engine

	commits atomic.Int64
}

func (c *counted) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	c.commits.Add(1)
	return c.Engine.Update(ctx, fn)
}

func (c *counted) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	c.commits.Add(1)
	return c.Engine.Batch(ctx, fn)
}

// wired is a service that tells when a purchase reaches the wire.
type wired struct {
	n       atomic.Int64
	commits func() int64
	sent    chan int64 // the commits so far
}

func (*wired) Variants(context.Context, int64) ([]api.Variant, error) {
	return []api.Variant{{ID: 7, Name: "10 USD", Price: dzd.Int(1), Available: true}}, nil
}
func (*wired) Balance(context.Context, time.Duration) (api.Balance, error) { return api.Balance{}, nil }
func (*wired) History(context.Context, api.Family, time.Duration) ([]api.Order, error) {
	return nil, &api.Error{Op: "history", Class: api.NotOffered}
}
func (*wired) Order(context.Context, api.OrderRef) (api.Order, error) { return api.Order{}, nil }
func (*wired) Orders(context.Context, []string) ([]api.Order, error)  { return nil, nil }
func (*wired) Forget()                                                {}
func (w *wired) Purchase(context.Context, api.PurchaseRequest) api.Verdict {
	w.sent <- w.commits()
	return api.Verdict{Outcome: api.Accepted, OrderIDs: []string{fmt.Sprintf("O-%d", w.n.Add(1))}}
}

// BenchmarkPurchase is a purchase over a store that really waits for the disk: from the confirmed tap to
// the wire, and to its settled end. The inbox, which is not part of it, adds one commit before.
func BenchmarkPurchase(b *testing.B) {
	file, err := bolt.Open(filepath.Join(b.TempDir(), "bot.db"), bolt.Options{Fatal: func(err error) { b.Error(err) }})
	if err != nil {
		b.Fatal(err)
	}
	engine := &counted{Engine: file}
	st, err := store.Open(b.Context(), engine, storetest.Keyring(b))
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	if err := st.Update(b.Context(), func(tx *store.Tx) error {
		return tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("key"), Chats: []int64{5}})
	}); err != nil {
		b.Fatal(err)
	}
	service := &wired{sent: make(chan int64), commits: engine.commits.Load}
	e := purchase.New(purchase.Config{
		Store: st, Service: func(store.Account) purchase.Service { return service },
		NextLook: func(time.Duration) time.Duration { return time.Hour }, ReconcileFor: time.Hour,
		Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	var toWire, toSettled time.Duration
	var commitsToWire, commitsToSettled int64
	n := 0
	for b.Loop() {
		n++
		p, err := e.Draft(ctx, purchase.Draft{
			Account: "u1", Chat: 5, User: 5, Message: 50, Product: api.Product{ID: 3, Name: "Card"},
			Variant: api.Variant{ID: 7, Name: "10 USD", Price: dzd.Int(1)}, Quantity: 1,
		})
		if err != nil {
			b.Fatal(err)
		}
		begin, before := time.Now(), engine.commits.Load()
		if _, err := e.Confirm(ctx, tap(p)); err != nil {
			b.Fatal(err)
		}
		commitsToWire += <-service.sent - before
		toWire += time.Since(begin)
		for { // accepted is on disk once the purchase names its orders
			if now, err := st.Purchase(ctx, p.ID); err != nil {
				b.Fatal(err)
			} else if len(now.OrderIDs) > 0 {
				p = now
				break
			}
		}
		seen := []api.Order{{ID: p.OrderIDs[0], Status: "completed", Code: secret.New("CODE")}}
		if err := e.Settle(ctx, "u1", seen, time.Now()); err != nil {
			b.Fatal(err)
		}
		toSettled += time.Since(begin)
		commitsToSettled += engine.commits.Load() - before
	}
	b.ReportMetric(float64(commitsToWire)/float64(n), "commits-to-wire")
	b.ReportMetric(float64(commitsToSettled)/float64(n), "commits-to-settled")
	b.ReportMetric(float64(toWire.Microseconds())/float64(n), "µs-to-wire")
	b.ReportMetric(float64(toSettled.Microseconds())/float64(n), "µs-to-settled")
	stop()
	if err := <-done; err != nil {
		b.Error(err)
	}
}

// BenchmarkRecovery is the start over a store of 100,000 purchases of which 100 are open, all of them on
// the wire when the process ended: until each of them is known to be uncertain.
func BenchmarkRecovery(b *testing.B) {
	const all, open, chunk = 100_000, 100, 1000
	st := storetest.New(b)
	var waiting []string
	for first := 0; first < all; first += chunk {
		if err := st.Update(b.Context(), func(tx *store.Tx) error {
			for i := first; i < first+chunk; i++ {
				p := store.Purchase{ID: store.NewID(time.UnixMilli(int64(1e12+i)), rand.Reader), Account: fmt.Sprint("u", i), Chat: int64(i), Phase: store.Settled}
				if i < open {
					p.Phase = store.Submitting
					waiting = append(waiting, p.ID)
					if err := tx.PutAccount(&store.Account{ID: p.Account, Open: 1, Busy: p.ID, Key: secret.New("key")}); err != nil {
						return err
					}
				}
				if err := tx.PutPurchase(&p); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		ctx, stop := context.WithCancel(b.Context())
		done := make(chan error, 1)
		e := purchase.New(purchase.Config{
			Store: st, Service: func(store.Account) purchase.Service { return &wired{} },
			NextLook: func(time.Duration) time.Duration { return time.Hour }, ReconcileFor: time.Hour,
			Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
		})
		go func() { done <- e.Run(ctx) }()
		for _, id := range waiting {
			for phase(b, st, id) != store.Unknown {
				runtime.Gosched()
			}
		}
		stop()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		again(b, st, waiting)
		b.StartTimer()
	}
}

func phase(b *testing.B, st *store.Store, id string) store.Phase {
	b.Helper()
	p, err := st.Purchase(b.Context(), id)
	if err != nil {
		b.Fatal(err)
	}
	return p.Phase
}

// again puts purchases back on the wire, as if the process had just ended.
func again(b *testing.B, st *store.Store, ids []string) {
	b.Helper()
	err := st.Update(b.Context(), func(tx *store.Tx) error {
		for _, id := range ids {
			p, err := tx.Purchase(id)
			if err != nil {
				return err
			}
			p.Phase = store.Submitting
			if err := tx.PutPurchase(&p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
