package apptest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/store"
)

// Trips counts how often an engine that is reached through a network would wait for it, as package postgres does: for what is read
// and is not remembered, once for all that is wanted together; once for the end of a transaction that leaves anything; and for everything else
// for itself. What looks at the clock and finds nothing due is left out: it comes by time, whoever does what.
type Trips struct {
	store.Engine

	mu           sync.Mutex
	n            int
	transactions int
	by           map[string]int // whose they are
	read         map[store.Kind]int

	remembered map[store.RecordKey]bool
}

// Read is how many records of a kind were read, each once in a transaction.
func (t *Trips) Read(k store.Kind) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.read[k]
}

// Count is how many trips and transactions there were.
func (t *Trips) Count() (trips, transactions int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n, t.transactions
}

// Reset begins to count anew.
func (t *Trips) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n, t.transactions, t.by, t.read = 0, 0, map[string]int{}, nil
}

// Whose lists who has caused them, most first.
func (t *Trips) Whose() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(t.by), func(a, b string) int { return cmp.Or(t.by[b]-t.by[a], strings.Compare(a, b)) })
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%4d %s\n", t.by[k], k)
	}
	return b.String()
}

// caller names the function outside of the store that a call comes from.
func caller() string {
	pcs := make([]uintptr, 40)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		name := path.Base(f.Function)
		known := strings.Contains(f.Function, "resellerbot/internal/") && !strings.HasPrefix(name, "store.") && !strings.HasPrefix(name, "apptest.") && !strings.HasPrefix(name, "bolt.")
		if known && !strings.HasPrefix(name, "app.timedEngine") {
			return name
		}
		if !more {
			return "?"
		}
	}
}

// Alone implements store.Engine.
func (t *Trips) Alone() bool { return false }

// Update implements store.Engine.
func (t *Trips) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return t.Engine.Update(ctx, t.counted(fn))
}

// Batch implements store.Engine.
func (t *Trips) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return t.Engine.Batch(ctx, t.counted(fn))
}

// Get implements store.Engine.
func (t *Trips) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
	t.meet("get", store.RecordKey{Kind: k, Key: key})
	t.note(k, 1)
	return t.Engine.Get(ctx, k, key)
}

// GetMany implements store.ManyGetter.
func (t *Trips) GetMany(ctx context.Context, places ...store.RecordKey) (map[store.RecordKey]store.Record, error) {
	t.meet("get", places...)
	found := map[store.RecordKey]store.Record{}
	for _, p := range places {
		t.note(p.Kind, 1)
		switch r, err := t.Engine.Get(ctx, p.Kind, p.Key); {
		case err == nil:
			found[p] = r
		case !errors.Is(err, store.ErrNotFound):
			return nil, err
		}
	}
	return found, nil
}

// Scan implements store.Engine.
func (t *Trips) Scan(ctx context.Context, k store.Kind, prefix, after string, limit int) ([]store.Record, error) {
	t.trip("scan " + string(k))
	return t.Engine.Scan(ctx, k, prefix, after, limit)
}

// Claim implements store.Engine.
func (t *Trips) Claim(ctx context.Context, k store.Kind, now time.Time, lease time.Duration, limit int) ([]store.Record, error) {
	found, err := t.Engine.Claim(ctx, k, now, lease, limit)
	if len(found) > 0 {
		t.trip("claim " + string(k))
		for _, r := range found {
			t.remember(store.RecordKey{Kind: k, Key: r.Key})
		}
	}
	return found, err
}

// NextDue implements store.Engine.
func (t *Trips) NextDue(ctx context.Context, k store.Kind) (time.Time, bool, error) {
	return t.Engine.NextDue(ctx, k)
}

// meet counts a trip for what is read of some places, unless all of it is remembered.
func (t *Trips) meet(what string, places ...store.RecordKey) (flew bool) {
	fresh := t.remember(places...)
	if fresh != "" {
		t.trip(what + " " + fresh)
	}
	return fresh != ""
}

// remember notes that some places are known by now, and names the kind of one that was not.
func (t *Trips) remember(places ...store.RecordKey) (fresh string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.remembered == nil {
		t.remembered = map[store.RecordKey]bool{}
	}
	for _, p := range places {
		if !t.remembered[p] {
			fresh, t.remembered[p] = string(p.Kind), true
		}
	}
	return fresh
}

// tripsTx is one transaction.
type tripsTx struct {
	store.RecordTx

	trips *Trips
	got   map[store.RecordKey]bool

	recalls, flies, changes bool // it has taken what is remembered, read what is not, left anything
}

// Want implements store.Wanter.
func (u *tripsTx) Want(places ...store.RecordKey) error {
	u.meet(places...)
	return nil
}

// Get implements store.RecordTx.
func (u *tripsTx) Get(k store.Kind, key string) (store.Record, error) {
	if at := (store.RecordKey{Kind: k, Key: key}); !u.got[at] {
		u.got[at] = true
		u.trips.note(k, 1)
	}
	u.meet(store.RecordKey{Kind: k, Key: key})
	return u.RecordTx.Get(k, key)
}

// Put implements store.RecordTx. What is new is not looked for before.
func (u *tripsTx) Put(r store.Record) (uint64, error) {
	u.changes = true
	if place := (store.RecordKey{Kind: r.Kind, Key: r.Key}); r.Version == 0 {
		u.trips.remember(place)
	} else {
		u.meet(place)
	}
	return u.RecordTx.Put(r)
}

// Delete implements store.RecordTx.
func (u *tripsTx) Delete(r store.Record) error {
	u.changes = true
	u.meet(store.RecordKey{Kind: r.Kind, Key: r.Key})
	return u.RecordTx.Delete(r)
}

func (u *tripsTx) meet(places ...store.RecordKey) {
	if u.trips.meet("read", places...) {
		u.flies = true
	} else {
		u.recalls = true
	}
}

// end counts what the end of a transaction waits for.
func (u *tripsTx) end() {
	switch {
	case u.changes:
		u.trips.trip("end of a transaction")
	case u.flies && u.recalls:
		u.trips.trip("end of a transaction that has only read")
	}
	u.trips.mu.Lock()
	defer u.trips.mu.Unlock()
	u.trips.transactions++
}

func (t *Trips) note(k store.Kind, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.read == nil {
		t.read = map[store.Kind]int{}
	}
	t.read[k] += n
}

// trip counts one, for whoever asks the store.
func (t *Trips) trip(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	if t.by == nil {
		t.by = map[string]int{}
	}
	t.by[caller()+" "+what]++
}

func (t *Trips) counted(fn func(store.RecordTx) error) func(store.RecordTx) error {
	return func(tx store.RecordTx) error {
		u := &tripsTx{RecordTx: tx, trips: t, got: map[store.RecordKey]bool{}}
		err := fn(u)
		if err == nil {
			u.end()
		}
		return err
	}
}
