package storetest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"resellerbot/internal/store"
)

// mustClaim claims red records.
func mustClaim(b *bench, now time.Time, lease time.Duration, limit int) []store.Record {
	b.Helper()
	list, err := b.engine.Claim(b.Context(), red, now, lease, limit)
	if err != nil {
		b.Fatal(err)
	}
	return list
}

func testClaim(b *bench) {
	// The keys are in another order than the times.
	for key, due := range map[string]time.Time{"d": at(1), "c": at(2), "b": at(3), "a": at(4), "later": at(9), "never": {}} {
		b.put(queued(key, due))
	}
	if got := keys(mustClaim(b, at(0), time.Minute, 9)); got != "" {
		b.Errorf("claimed before its time: %q", got)
	}
	if got := keys(mustClaim(b, at(4), time.Minute, 0)); got != "" {
		b.Errorf("a claim of none took %q", got)
	}
	first := mustClaim(b, at(4), time.Minute, 3)
	if got := keys(first); got != "d c b" {
		b.Errorf("the oldest three are %q", got)
	}
	for _, r := range first {
		b.same("claimed and stored", []store.Record{r}, []store.Record{b.get(r.Key)})
		if !r.Due.Equal(at(64)) || string(r.Value) != r.Key {
			b.Errorf("claimed as %v", r)
		}
	}
	if got := keys(mustClaim(b, at(4), time.Minute, 3)); got != "a" {
		b.Errorf("the rest is %q: exactly at its time, and nothing that is claimed", got)
	}
	if got := keys(mustClaim(b, at(64), time.Minute, 9)); got != "later a b c d" {
		b.Errorf("when the leases are over: %q", got)
	}
	b.gone(red, "none")
	if never := b.get("never"); !never.Due.IsZero() {
		b.Errorf("what was not queued is due at %v", never.Due)
	}
}

// testClaimFences: a worker that was too slow cannot write over the one that came after it.
func testClaimFences(b *bench) {
	b.put(queued("a", at(0)))
	slow := mustClaim(b, at(0), time.Minute, 1)[0]
	quick := mustClaim(b, at(60), time.Minute, 1)[0]
	put := func(r store.Record) error {
		return b.engine.Update(b.Context(), func(tx store.RecordTx) error { return write(tx, r) })
	}
	remove := func(r store.Record) error {
		return b.engine.Update(b.Context(), func(tx store.RecordTx) error { return tx.Delete(r) })
	}
	if err := put(slow); !errors.Is(err, store.ErrConflict) {
		b.Errorf("the slow worker writes: %v", err)
	}
	if err := remove(slow); !errors.Is(err, store.ErrConflict) {
		b.Errorf("the slow worker deletes: %v", err)
	}
	quick.Due = time.Time{}
	if err := put(quick); err != nil {
		b.Errorf("the quick worker: %v", err)
	}
	if got := keys(mustClaim(b, at(999), time.Minute, 9)); got != "" {
		b.Errorf("what is done is claimed: %q", got)
	}
}

func testClaimsAreDisjoint(b *bench) {
	const records, workers = 200, 6
	b.do(func(tx store.RecordTx) error {
		for i := range records {
			if err := write(tx, queued(fmt.Sprintf("%03d", i), at(-i))); err != nil {
				return err
			}
		}
		return nil
	})
	var wg sync.WaitGroup
	claimed := make(chan string, records*workers)
	for range workers {
		wg.Go(func() { claimAll(b, claimed) })
	}
	wg.Wait()
	close(claimed)
	times := map[string]int{}
	for key := range claimed {
		if times[key]++; times[key] > 1 {
			b.Errorf("%s is claimed again", key)
		}
	}
	if len(times) != records {
		b.Errorf("%d of %d records are claimed", len(times), records)
	}
}

// claimAll claims red records until none is due.
func claimAll(b *bench, claimed chan<- string) {
	for {
		list, err := b.engine.Claim(b.Context(), red, at(0), time.Minute, 7)
		if err != nil {
			b.Error(err)
		}
		if len(list) == 0 {
			return
		}
		for _, r := range list {
			claimed <- r.Key
		}
	}
}

func testNextDue(b *bench) {
	expect := func(want time.Time) {
		b.Helper()
		due, ok, err := b.engine.NextDue(b.Context(), red)
		if err != nil || ok == want.IsZero() || due != want {
			b.Errorf("next due %v, %v, %v; want %v", due, ok, err, want)
		}
	}
	expect(time.Time{})
	b.put(text("never", "x"))
	expect(time.Time{})
	b.put(queued("b", at(5)))
	expect(at(5))
	a := b.put(queued("a", at(3).Add(789*time.Nanosecond).In(time.FixedZone("", 3600))))
	expect(at(3)) // in microseconds and UTC, wherever the clock hangs
	if got := b.get("a"); got.Due != at(3) {
		b.Errorf("stored as due at %v", got.Due)
	}
	a.Due = at(7)
	a = b.put(a)
	expect(at(5))
	a.Due = at(5) // two at one moment
	a = b.put(a)
	b.do(func(tx store.RecordTx) error { return tx.Delete(a) })
	expect(at(5))
	mustClaim(b, at(5), time.Hour, 9)
	expect(at(3605))
	last := b.get("b")
	last.Due = time.Time{}
	b.put(last)
	expect(time.Time{})
	b.put(queued("ancient", time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)))
	if got := keys(mustClaim(b, at(0), time.Hour, 9)); got != "ancient" {
		b.Errorf("what was due long ago is not claimed: %q", got)
	}
}
