package store_test

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// reads counts what is read of an engine outside of transactions.
type reads struct {
	store.Engine

	n int
}

func (r *reads) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
	r.n++
	return r.Engine.Get(ctx, k, key)
}

func (r *reads) Scan(ctx context.Context, k store.Kind, prefix, after string, limit int) ([]store.Record, error) {
	r.n++
	return r.Engine.Scan(ctx, k, prefix, after, limit)
}

// TestOpenByPhase: the figures are those of the records, whatever is committed, and asking again reads nothing.
func TestOpenByPhase(t *testing.T) {
	e := &reads{Engine: storetest.Engine(t, t.TempDir()+"/bot.db")}
	s, err := store.Open(t.Context(), e, storetest.Keyring(t))
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now().Add(-time.Hour).Truncate(time.Second)
	var all []store.Purchase
	put := func(p *store.Purchase, phase store.Phase, at time.Time) {
		t.Helper()
		p.History, p.Phase = append(p.History, store.Step{At: at, From: p.Phase, To: phase}), phase
		if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.PutPurchase(p) }); err != nil {
			t.Fatal(err)
		}
	}
	phases := []store.Phase{store.Queued, store.Unknown, store.Accepted, store.Settled, store.Drafted}
	for i := range 20 {
		all = append(all, store.Purchase{ID: store.NewID(begin, rand.Reader), Account: "u1", Chat: 7, Phase: store.Drafted, CreatedAt: begin})
		put(&all[i], phases[i%len(phases)], begin.Add(time.Duration(i)*time.Minute))
	}
	check := func() {
		t.Helper()
		want := map[store.Phase]store.OpenPhase{}
		for _, p := range all {
			q := want[p.Phase]
			if at := p.InPhaseSince(); q.Purchases == 0 || at.Before(q.Since) {
				q.Since = at
			}
			q.Purchases++
			if p.Open() {
				want[p.Phase] = q
			}
		}
		got, err := s.OpenByPhase(t.Context())
		if err != nil || len(got) != len(want) {
			t.Fatalf("got %v, want %v: %v", got, want, err)
		}
		for phase, q := range want {
			if got[phase].Purchases != q.Purchases || !got[phase].Since.Equal(q.Since) {
				t.Errorf("%s: got %v, want %v", phase, got[phase], q)
			}
		}
	}
	check()
	was := e.n
	for i := range all {
		put(&all[i], phases[(i+2)%len(phases)], begin.Add(time.Duration(i)*time.Second))
		check()
	}
	if err := s.Update(t.Context(), func(tx *store.Tx) error {
		p := all[0]
		p.Phase = store.Unknown
		return errors.Join(tx.PutPurchase(&p), errGone)
	}); !errors.Is(err, errGone) {
		t.Fatal(err)
	}
	check() // what was not kept does not count
	if e.n != was {
		t.Errorf("to ask again has read %d times", e.n-was)
	}
}

// BenchmarkOpenByPhase is the figures of a hundred thousand open purchases, asked for again.
func BenchmarkOpenByPhase(b *testing.B) {
	s := storetest.New(b)
	const many, page = 100_000, 2000
	at := time.Now()
	for range many / page {
		err := s.Update(b.Context(), func(tx *store.Tx) error {
			for range page {
				p := store.Purchase{ID: store.NewID(at, rand.Reader), Account: "u1", Chat: 7, Phase: store.Accepted, CreatedAt: at, QueuedAt: at}
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
	begin := time.Now()
	if got, err := s.OpenByPhase(b.Context()); err != nil || got[store.Accepted].Purchases != many {
		b.Fatal(got, err)
	}
	b.ReportMetric(float64(time.Since(begin).Milliseconds()), "ms-first")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.OpenByPhase(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
