package notify

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
	"resellerbot/internal/telegram/telegramtest"
)

// TestTwoAccountsInANight: what quiet hours keep for the morning of two accounts in one chat are two messages: neither takes the other's
// place.
func TestTwoAccountsInANight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := storetest.New(t)
		err := st.Update(t.Context(), func(tx *store.Tx) error {
			for _, id := range []string{"uA", "uB"} {
				a := store.Account{ID: id, Chats: []int64{1}, Team: []store.Member{{User: 1, Role: store.Owner}}}
				al, err := tx.Alerts(1, id)
				if err != nil {
					return err
				}
				al.Thresholds[store.LowBalance] = store.Threshold{Mode: store.AlertOn, Amount: dzd.Int(1000)}
				al.Quiet = store.Hours{From: 22, To: 8}
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
		w := NewWatcher(WatcherConfig{
			Store: st, Zone: time.UTC, Log: telegramtest.Discard(),
			Observe: func(_ context.Context, account string) (api.Balance, error) {
				if account == "uB" {
					<-time.After(time.Second)
				}
				return api.Balance{Balance: dzd.Int(10), Available: dzd.Int(10)}, nil
			},
		})
		if err := w.Balances(t.Context()); err != nil {
			t.Fatal(err)
		}
		rows, err := st.ChatOutbox(t.Context(), 1, 10)
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]bool{}
		for _, r := range rows {
			told[r.Args[store.AboutArg]] = true
		}
		if len(rows) != 2 || !told["uA"] || !told["uB"] {
			t.Errorf("%d messages wait for the morning, of %v", len(rows), told)
		}
	})
}
