package bolt_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// lingerHere passes time where a stack shows it.
func lingerHere(d time.Duration) { <-time.After(d) }

// TestSlowTransactions are told of while they are open, with what everybody is doing, and when they end.
func TestSlowTransactions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bot.db")
	synctest.Test(t, func(t *testing.T) {
		var told []string
		e, err := bolt.Open(path, bolt.Options{NoSync: true, Slow: func(what string, open time.Duration, stacks []byte) {
			shown := strings.Contains(string(stacks), "lingerHere")
			told = append(told, fmt.Sprint(what, " ", open, " ", shown))
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		put(t, e, store.Record{Kind: "k", Key: "a"})
		for _, d := range []time.Duration{0, 1999 * time.Millisecond, 7 * time.Second} {
			for _, run := range []func(context.Context, func(store.RecordTx) error) error{e.Update, e.Batch} {
				if err := run(t.Context(), func(store.RecordTx) error { lingerHere(d); return nil }); err != nil {
					t.Fatal(err)
				}
			}
		}
		lingerHere(time.Minute)
		want := []string{"write 2s true", "write 7s false", "write 2s true", "write 7s false"}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
	})
}

// TestSlowBatchIsToldOnce, not for each of its transactions.
func TestSlowBatchIsToldOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bot.db")
	synctest.Test(t, func(t *testing.T) {
		told := 0
		e, err := bolt.Open(path, bolt.Options{NoSync: true, Slow: func(_ string, _ time.Duration, stacks []byte) {
			if stacks != nil {
				told++
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		const transactions = 20
		done := make(chan error, transactions)
		for range transactions {
			go func() {
				done <- e.Batch(t.Context(), func(store.RecordTx) error { lingerHere(time.Second); return nil })
			}()
		}
		for range transactions {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if told == 0 || told > 2 {
			t.Errorf("told %d times", told)
		}
	})
}
