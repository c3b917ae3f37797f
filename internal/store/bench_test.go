package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/storetest"
)

// benchStore opens a store as the bot does, or without waiting for the disk.
func benchStore(b *testing.B, noSync bool) *store.Store {
	b.Helper()
	e, err := bolt.Open(filepath.Join(b.TempDir(), "bot.db"), bolt.Options{NoSync: noSync, Fatal: func(err error) { b.Error(err) }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	s, err := store.Open(context.Background(), e, storetest.Keyring(b))
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkCommit is one small record in a transaction of its own: what each step with money costs.
func BenchmarkCommit(b *testing.B) {
	for name, noSync := range map[string]bool{"fsync": false, "nosync": true} {
		b.Run(name, func(b *testing.B) {
			s := benchStore(b, noSync)
			b.ReportAllocs()
			c := store.Chat{ID: group, Language: "fr"}
			for b.Loop() {
				if err := s.Update(context.Background(), func(tx *store.Tx) error { return tx.PutChat(&c) }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCommitInGroups is the same from many goroutines that share commits, as webhook updates do.
func BenchmarkCommitInGroups(b *testing.B) {
	s := benchStore(b, false)
	b.ReportAllocs()
	b.SetParallelism(64)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			err := s.Batch(context.Background(), func(tx *store.Tx) error {
				return tx.PutSession(&store.Session{Chat: group, User: person, Step: "buy"})
			})
			if err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkDue finds the 100 orders that are due among 100,000 that are followed.
func BenchmarkDue(b *testing.B) {
	const orders, due, page = 100_000, 100, 1000
	s := benchStore(b, true)
	ctx := context.Background()
	for from := 0; from < orders; from += page {
		err := s.Update(ctx, func(tx *store.Tx) error {
			for i := from; i < from+page; i++ {
				o := store.Order{Account: fmt.Sprintf("u%d", i%200), ID: fmt.Sprintf("%08d", i), State: store.Waiting, Due: noon().Add(time.Hour)}
				if i%(orders/due) == 0 {
					o.Due = noon()
				}
				if err := tx.PutOrder(&o); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("next", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if at, ok, err := s.NextDue(ctx, store.KindOrder); err != nil || !ok || !at.Equal(noon()) {
				b.Fatal(at, ok, err)
			}
		}
	})
	b.Run("claim", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			// A lease of no time leaves them due for the next round.
			if list, err := s.ClaimOrders(ctx, noon(), 0, 500); err != nil || len(list) != due {
				b.Fatal(len(list), err)
			}
		}
	})
}
