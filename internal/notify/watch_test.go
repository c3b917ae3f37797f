package notify

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram/telegramtest"
)

// commits counts the transactions of an engine.
type commits struct {
	store.Engine

	n atomic.Int64
}

func (c *commits) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	c.n.Add(1)
	return c.Engine.Update(ctx, fn)
}

func (c *commits) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	c.n.Add(1)
	return c.Engine.Batch(ctx, fn)
}

// TestWatchOfManyAccounts: accounts are looked at side by side, so that 500 whose service takes 150 ms do not wait for one
// another, and nothing is written for those of which nothing has changed.
func TestWatchOfManyAccounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const accounts, call = 500, 150 * time.Millisecond
		engine := &commits{Engine: storetest.Engine(t, filepath.Join(t.TempDir(), "bot.db"))}
		s, err := store.Open(t.Context(), engine, storetest.Keyring(t))
		if err != nil {
			t.Fatal(err)
		}
		err = s.Update(t.Context(), func(tx *store.Tx) error {
			for i := range int64(accounts) {
				a := store.Account{ID: fmt.Sprintf("u%d", i), Chats: []int64{i + 1}, Team: []store.Member{{User: i + 1, Role: store.Owner}}}
				al, err := tx.Alerts(i+1, a.ID)
				if err != nil {
					return err
				}
				al.Thresholds[store.LowBalance] = store.Threshold{Mode: store.AlertOn, Amount: dzd.Int(1000)}
				if err := tx.PutAccount(&a); err != nil {
					return err
				}
				if err := tx.PutAlerts(&al); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		low := atomic.Bool{}
		w := NewWatcher(WatcherConfig{
			Store: s, Zone: time.UTC, Log: telegramtest.Discard(),
			Observe: func(_ context.Context, account string) (api.Balance, error) {
				<-time.After(call)
				amount := dzd.Int(5000)
				if low.Load() && account == "u7" {
					amount = dzd.Int(10)
				}
				return api.Balance{Balance: amount, Available: amount}, nil
			},
		})
		look := func() (took time.Duration, written int64) {
			begin, before := time.Now(), engine.n.Load()
			if err := w.Balances(t.Context()); err != nil {
				t.Fatal(err)
			}
			return time.Since(begin), engine.n.Load() - before
		}
		if took, written := look(); took > accounts*call/10 || written > 0 {
			t.Errorf("500 accounts took %v, and %d commits for nothing", took, written)
		}
		low.Store(true)
		for i, want := range []int64{1, 0} { // it speaks once
			if _, written := look(); written != want {
				t.Errorf("look %d at a balance that is low wrote %d times, want %d", i+1, written, want)
			}
		}
		rows, err := s.ChatOutbox(t.Context(), 8, 9)
		if err != nil || len(rows) != 1 {
			t.Errorf("the chat is told %d times, %v", len(rows), err)
		}
	})
}

// TestPaceOfABusyShop: of a shop that buys more in a week than is looked at, the pace is over the time that what is looked at goes back.
func TestPaceOfABusyShop(t *testing.T) {
	for name, c := range map[string]struct {
		each time.Duration // between purchases of 100 DZD
		want int64         // days that 100,000 DZD last
	}{"five hundred in two days and more": {6 * time.Minute, 4}, "one in four hours": {4 * time.Hour, 170}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := store.Open(t.Context(), storetest.Engine(t, filepath.Join(t.TempDir(), "bot.db")), storetest.Keyring(t))
				if err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				<-time.After(10 * 24 * time.Hour)
				err = s.Update(t.Context(), func(tx *store.Tx) error {
					a := store.Account{ID: "u1"}
					for at := begin; at.Before(time.Now()); at = at.Add(c.each) {
						if err := tx.AddMovement(&a, store.Movement{At: at, Kind: store.Bought, Amount: dzd.Int(-100)}); err != nil {
							return err
						}
					}
					return tx.PutAccount(&a)
				})
				if err != nil {
					t.Fatal(err)
				}
				w := NewWatcher(WatcherConfig{Store: s, Zone: time.UTC, Log: telegramtest.Discard()})
				spent, over, err := w.spent(t.Context(), "u1", time.Now())
				if err != nil {
					t.Fatal(err)
				}
				if days, paced := daysLeft(dzd.Int(100_000), spent, over); !paced || days != c.want {
					t.Errorf("%s over %v: it lasts %d days, want %d", spent, over, days, c.want)
				}
			})
		})
	}
}
