package purchase

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/store"
)

// place is where a record lies.
type place struct {
	kind store.Kind
	key  string
}

// memory is an engine of records that forgets nothing and fails never: what it holds at a moment can be kept and
// brought back for nothing, since a transaction changes a copy of the map and no record in place.
type memory struct {
	mu      sync.Mutex
	records map[place]store.Record
	version uint64
}

// snapshot is all records of a memory at a moment, never changed.
type snapshot struct {
	records map[place]store.Record
	version uint64
}

// memoryTx is a transaction on a copy.
type memoryTx struct {
	records map[place]store.Record
	version uint64
}

func (t *memoryTx) Get(k store.Kind, key string) (store.Record, error) {
	r, ok := t.records[place{k, key}]
	if !ok {
		return store.Record{}, store.ErrNotFound
	}
	r.Value = slices.Clone(r.Value)
	return r, nil
}

func (t *memoryTx) Put(r store.Record) (uint64, error) {
	at := place{r.Kind, r.Key}
	if t.records[at].Version != r.Version {
		return 0, store.ErrConflict
	}
	t.version++
	r.Version, r.Value = t.version, slices.Clone(r.Value)
	t.records[at] = r
	return r.Version, nil
}

func (t *memoryTx) Delete(r store.Record) error {
	at := place{r.Kind, r.Key}
	old, ok := t.records[at]
	switch {
	case !ok:
		return store.ErrNotFound
	case old.Version != r.Version:
		return store.ErrConflict
	}
	delete(t.records, at)
	return nil
}

// Update implements store.Engine.
func (m *memory) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	tx := &memoryTx{maps.Clone(m.records), m.version}
	if err := fn(tx); err != nil {
		return err
	}
	m.records, m.version = tx.records, tx.version
	return nil
}

// Batch implements store.Engine.
func (m *memory) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return m.Update(ctx, fn)
}

// Get implements store.Engine.
func (m *memory) Get(_ context.Context, k store.Kind, key string) (store.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return (&memoryTx{records: m.records}).Get(k, key)
}

// Scan implements store.Engine.
func (m *memory) Scan(_ context.Context, k store.Kind, prefix, after string, limit int) (list []store.Record, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p, r := range m.records {
		if p.kind == k && strings.HasPrefix(p.key, prefix) && p.key > after {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b store.Record) int { return strings.Compare(a.Key, b.Key) })
	return list[:min(len(list), limit)], nil
}

// Claim implements store.Engine.
func (m *memory) Claim(_ context.Context, k store.Kind, now time.Time, lease time.Duration, limit int) (list []store.Record, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p, r := range m.records {
		if p.kind == k && !r.Due.IsZero() && !r.Due.After(now) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b store.Record) int { return a.Due.Compare(b.Due) })
	list = list[:min(len(list), limit)]
	m.records = maps.Clone(m.records)
	for i := range list {
		m.version++
		list[i].Version, list[i].Due = m.version, now.Add(lease)
		m.records[place{k, list[i].Key}] = list[i]
	}
	return list, nil
}

// NextDue implements store.Engine.
func (m *memory) NextDue(_ context.Context, k store.Kind) (next time.Time, found bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p, r := range m.records {
		if p.kind == k && !r.Due.IsZero() && (!found || r.Due.Before(next)) {
			next, found = r.Due, true
		}
	}
	return next, found, nil
}

// Alone implements store.Engine.
func (m *memory) Alone() bool { return true }

// Close implements store.Engine.
func (m *memory) Close() error { return nil }

// keep is what is there now; bring puts it back.
func (m *memory) keep() snapshot   { return snapshot{m.records, m.version} }
func (m *memory) bring(k snapshot) { m.records, m.version = k.records, k.version }

// drop takes the records out that a test asks for.
func (m *memory) drop(gone func(place) bool) {
	m.records = maps.Clone(m.records)
	maps.DeleteFunc(m.records, func(p place, _ store.Record) bool { return gone(p) })
}

// has reports whether there is any record of a kind.
func (m *memory) has(k store.Kind) bool {
	for p := range m.records {
		if p.kind == k {
			return true
		}
	}
	return false
}
