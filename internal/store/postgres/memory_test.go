package postgres_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/sampletest"
	"resellerbot/internal/store"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
)

// waits counts how often a client waits for its server: it ends each flight with a Sync, as the protocol has it.
type waits struct {
	text    []byte // that is not read yet
	started bool   // the message before all others, which has no type, is over
}

// read reads more of what a client sends, and tells how many flights end in it.
func (w *waits) read(text []byte) (n int64) {
	w.text = append(w.text, text...)
	for {
		head := 1
		if !w.started {
			head = 0
		}
		if len(w.text) < head+4 {
			return n
		}
		size := head + int(binary.BigEndian.Uint32(w.text[head:]))
		if len(w.text) < size {
			return n
		}
		if w.started && (w.text[0] == 'S' || w.text[0] == 'Q') {
			n++
		}
		w.started, w.text = true, w.text[size:]
	}
}

// TestKnownIsNotReadAgain: what this process has read or written is not waited for again, and a transaction of nothing else waits once,
// for its end.
func TestKnownIsNotReadAgain(t *testing.T) {
	server := pgtest.Shared(t)
	p := newProxy(t, server)
	e, err := open(t, p.through(t, server.Fresh(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx := t.Context()
	set := func(due time.Time, keys ...string) func() error {
		return func() error {
			return e.Update(ctx, func(tx store.RecordTx) error {
				for _, key := range keys {
					r, err := tx.Get("kind", key)
					if err != nil && !errors.Is(err, store.ErrNotFound) {
						return err
					}
					r.Kind, r.Key, r.Value, r.Due = "kind", key, append(r.Value, 'v'), due
					if _, err := tx.Put(r); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	look := func(tx store.RecordTx) error { _, err := tx.Get("kind", "a"); return err }
	if err := e.Update(ctx, func(tx store.RecordTx) error { return put(tx, "kind", "first") }); err != nil { // and draws versions
		t.Fatal(err)
	}
	for _, step := range []struct {
		what string
		do   func() error
		most int64
	}{
		{"a new one", func() error { return e.Update(ctx, func(tx store.RecordTx) error { return put(tx, "kind", "a") }) }, 1},
		{"what was written", set(time.Time{}, "a"), 1},
		{"what is not there", set(time.Time{}, "b"), 2},
		{"several", set(time.UnixMicro(5), "a", "b"), 1},
		{"a look", func() error { return e.Update(ctx, look) }, 0},
		{"outside of a transaction", func() error { _, err := e.Get(ctx, "kind", "b"); return err }, 0},
		{"when the next is due", func() error { _, _, err := e.NextDue(ctx, "kind"); return err }, 1},
		{"a claim", func() error { _, err := e.Claim(ctx, "kind", time.UnixMicro(9), time.Hour, 9); return err }, 1},
		{"a claim of nothing", func() error { _, err := e.Claim(ctx, "kind", time.UnixMicro(9), time.Hour, 9); return err }, 0},
		{"what was claimed", set(time.UnixMicro(7), "a"), 1},
		{"a claim of that", func() error { _, err := e.Claim(ctx, "kind", time.UnixMicro(9), time.Hour, 9); return err }, 1},
	} {
		before := p.flights.Load()
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.what, err)
		}
		if n := p.flights.Load() - before; n > step.most {
			t.Errorf("%s: the server is waited for %d times, %d would do", step.what, n, step.most)
		}
	}
}

// TestMemoryIsWhatIsStored: whatever transactions, reads and claims do at once, once they are over each record is what the database holds,
// and so is when the next is due.
func TestMemoryIsWhatIsStored(t *testing.T) {
	sampletest.Waits(t)
	e, err := open(t, pgtest.Shared(t).Fresh(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx := t.Context()
	keys := []store.RecordKey{{Kind: "kind", Key: "a"}, {Kind: "kind", Key: "b"}, {Kind: "kind", Key: "c"}}
	for round := range 60 {
		var wg sync.WaitGroup
		for i := range 6 {
			chance := rand.New(rand.NewPCG(uint64(round), uint64(i)))
			wg.Go(func() {
				for range 6 {
					if err := anything(ctx, e, chance, keys); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		same(t, e, keys)
	}
}

// engine is what anything plays with.
type engine interface {
	store.Engine
	store.ManyGetter
}

// anything does any one thing to some records.
func anything(ctx context.Context, e engine, chance *rand.Rand, keys []store.RecordKey) error {
	p, due := keys[chance.IntN(len(keys))], time.UnixMicro(int64(1+chance.IntN(9)))
	switch chance.IntN(6) {
	case 0:
		_, err := e.GetMany(ctx, keys...)
		return err
	case 1:
		_, err := e.Claim(ctx, p.Kind, due, time.Microsecond*time.Duration(chance.IntN(9)), 2)
		return err
	case 2: // it may be there, which is told
		err := e.Update(ctx, func(tx store.RecordTx) error {
			_, err := tx.Put(store.Record{Kind: p.Kind, Key: p.Key, Due: due, Value: []byte("new")})
			return err
		})
		if errors.Is(err, store.ErrConflict) {
			return nil
		}
		return err
	}
	remove := chance.IntN(3) == 0
	return e.Update(ctx, func(tx store.RecordTx) error {
		r, err := tx.Get(p.Kind, p.Key)
		switch {
		case errors.Is(err, store.ErrNotFound):
			r = store.Record{Kind: p.Kind, Key: p.Key}
		case err != nil:
			return err
		case remove:
			return tx.Delete(r)
		}
		r.Due, r.Value = due, append(r.Value, '.')
		_, err = tx.Put(r)
		return err
	})
}

// same holds what an engine remembers against what is stored.
func same(t *testing.T, e engine, keys []store.RecordKey) {
	t.Helper()
	stored, err := e.Scan(t.Context(), "kind", "", "", 99)
	if err != nil {
		t.Fatal(err)
	}
	known, err := e.GetMany(t.Context(), keys...)
	if err != nil {
		t.Fatal(err)
	}
	var next time.Time
	for _, r := range stored {
		if got, is := fmt.Sprint(known[store.RecordKey{Kind: r.Kind, Key: r.Key}]), fmt.Sprint(r); got != is {
			t.Fatalf("it remembers %s, and %s is stored", got, is)
		}
		if !r.Due.IsZero() && (next.IsZero() || r.Due.Before(next)) {
			next = r.Due
		}
	}
	if len(known) != len(stored) {
		t.Fatalf("it remembers %v, and %v is stored", known, stored)
	}
	if due, _, err := e.NextDue(t.Context(), "kind"); err != nil || !due.Equal(next) {
		t.Fatalf("the next is said to be due at %v (%v), and is at %v", due, err, next)
	}
}

// TestLookAtOneMoment: a transaction that leaves nothing has seen one moment all the same, be it in memory or not, and however it ends.
func TestLookAtOneMoment(t *testing.T) {
	e, err := open(t, pgtest.Shared(t).Fresh(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx, errSeen := t.Context(), errors.New("seen")
	for n, unknown := range []string{"", "before", "between"} {
		for _, says := range []error{nil, errSeen} {
			setBoth(t, e, "old")
			var seen []string
			err := e.Update(ctx, func(tx store.RecordTx) error {
				first := seen == nil
				seen = []string{}
				for _, at := range []string{"before", "a", "between", "b"} {
					if at == unknown { // what has to be read
						at += strconv.Itoa(n)
					} else if len(at) > 1 {
						continue
					}
					r, err := tx.Get("kind", at)
					if ignore(err) != nil {
						return err
					}
					if len(at) == 1 {
						seen = append(seen, string(r.Value))
					}
					if at == "a" && first {
						setBoth(t, e, "new")
					}
				}
				return says
			})
			if !errors.Is(err, says) || seen[0] != seen[1] {
				t.Errorf("with something unknown %q, to end in %v: it has seen %q, and ends in %v", unknown, says, seen, err)
			}
		}
	}
}

// TestAbsenceIsHeld: that a record is missing, as far as is remembered, goes with what else a transaction has read, or the transaction runs again.
func TestAbsenceIsHeld(t *testing.T) {
	address := pgtest.Shared(t).Fresh(t)
	e, err := open(t, address)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	other, err := e.Beside(t.Context(), address, postgres.Options{Fatal: func(err error) { t.Error(err) }, Lost: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Part()
	for i, writes := range []bool{false, true} {
		missing, unknown := "missing"+strconv.Itoa(i), "unknown"+strconv.Itoa(i)
		there := [2]bool{}
		look := func(tx store.RecordTx) error {
			for i, key := range []string{missing, unknown} {
				_, err := tx.Get("kind", key)
				if ignore(err) != nil {
					return err
				}
				there[i] = err == nil
			}
			if writes {
				return put(tx, "kind", "left "+missing)
			}
			return nil
		}
		if _, err := e.Get(t.Context(), "kind", missing); ignore(err) != nil {
			t.Fatal(err)
		}
		err := other.Update(t.Context(), func(tx store.RecordTx) error {
			return errors.Join(put(tx, "kind", missing), put(tx, "kind", unknown))
		})
		if err := errors.Join(err, e.Update(t.Context(), look)); err != nil || !there[0] || !there[1] {
			t.Errorf("a transaction that leaves something %v: it has found %v, %v", writes, there, err)
		}
	}
}

// setBoth writes two records in one transaction.
func setBoth(t *testing.T, e store.Engine, value string) {
	t.Helper()
	err := e.Update(t.Context(), func(tx store.RecordTx) error {
		for _, key := range []string{"a", "b"} {
			r, err := tx.Get("kind", key)
			if ignore(err) != nil {
				return err
			}
			r.Kind, r.Key, r.Value = "kind", key, []byte(value)
			if _, err := tx.Put(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func ignore(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// TestMoreThanIsRemembered: what does not fit is read again.
func TestMoreThanIsRemembered(t *testing.T) {
	sampletest.Waits(t)
	e, err := open(t, pgtest.Shared(t).Fresh(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const many, size = 60, 1 << 20
	for i := range many {
		err := e.Update(t.Context(), func(tx store.RecordTx) error {
			_, err := tx.Put(store.Record{Kind: "kind", Key: strconv.Itoa(i), Value: slices.Repeat([]byte{byte(i)}, size)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range many {
		r, err := e.Get(t.Context(), "kind", strconv.Itoa(i))
		if err != nil || len(r.Value) != size || r.Value[0] != byte(i) {
			t.Fatalf("record %d: %d bytes, %v", i, len(r.Value), err)
		}
	}
}
