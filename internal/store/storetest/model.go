package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/store"
)

// model is what an engine's two kinds should hold.
type model map[store.Kind]map[string]store.Record

// clone copies a model; values in it are never changed in place.
func (m model) clone() model {
	c := model{}
	for k, records := range m {
		c[k] = maps.Clone(records)
	}
	return c
}

// list is what a scan should find.
func (m model) list(k store.Kind, prefix, after string, limit int) (list []store.Record) {
	for _, key := range slices.Sorted(maps.Keys(m[k])) {
		if strings.HasPrefix(key, prefix) && key > after && len(list) < limit {
			list = append(list, m[k][key])
		}
	}
	return list
}

// queue is what is due at now, oldest first.
func (m model) queue(k store.Kind, now time.Time) (list []store.Record) {
	for _, r := range m[k] {
		if !r.Due.IsZero() && !r.Due.After(now) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b store.Record) int { return a.Due.Compare(b.Due) })
	return list
}

// step is one call within a transaction.
type step struct {
	kind   store.Kind
	key    string
	doing  string // "get", "put" or "delete"
	stale  bool   // with a version that is not the stored one
	value  []byte
	due    time.Time
	minded bool // whether the transaction fails when the call does
}

// versions are all that were ever stored, by kind.
type versions map[store.Kind]map[uint64]bool

// run makes the call on a transaction and on the model, and tells where they differ.
func (s step) run(tx store.RecordTx, m model, given versions) (wrong string, err error) {
	old, there := m[s.kind][s.key]
	r := store.Record{Kind: s.kind, Key: s.key, Value: s.value, Due: s.due, Version: old.Version}
	if s.stale {
		r.Version += 1000
	}
	var want error
	switch {
	case s.doing != "put" && !there:
		want = store.ErrNotFound
	case s.doing != "get" && s.stale:
		want = store.ErrConflict
	}
	var got store.Record
	switch s.doing {
	case "get":
		got, err = tx.Get(s.kind, s.key)
	case "put":
		r.Version, err = tx.Put(r)
	case "delete":
		err = tx.Delete(r)
	}
	switch {
	case !errors.Is(err, want):
		return fmt.Sprintf("%+v: %v, want %v", s, err, want), err
	case err != nil:
		return "", err
	case s.doing == "get":
		return differ([]store.Record{got}, []store.Record{old}), nil
	case s.doing == "delete":
		delete(m[s.kind], s.key)
	case given[s.kind][r.Version]:
		return fmt.Sprintf("%+v: version %d was stored before", s, r.Version), nil
	default:
		m[s.kind][s.key] = r
	}
	return "", nil
}

// testModel plays random transactions, reads, claims and restarts on an engine and on a map side by side.
func testModel(b *bench) {
	game := 0
	rapid.Check(b.T, func(rt *rapid.T) {
		game++
		// Kinds of its own give each game an empty engine.
		g := &match{bench: b, model: model{}, given: versions{}, kinds: []store.Kind{store.Kind(fmt.Sprintf("a%d", game)), store.Kind(fmt.Sprintf("b%d", game))}}
		for _, k := range g.kinds {
			g.model[k], g.given[k] = map[string]store.Record{}, map[uint64]bool{}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"transaction": g.transaction, "scan": g.scan, "claim": g.claim, "reopen": g.restart, "": g.compare,
		})
	})
}

// match is one game of an engine against the model.
type match struct {
	*bench

	model model
	given versions
	kinds []store.Kind
}

func (g *match) kind(rt *rapid.T) store.Kind { return rapid.SampledFrom(g.kinds).Draw(rt, "kind") }

// name draws from few keys, so that they meet, with the awkward ones among them.
func name(rt *rapid.T, label string, more ...string) string {
	return rapid.SampledFrom(append([]string{"a", "ab", "a/", "a/1", "b", "\x00", "a\xff", "\xff"}, more...)).Draw(rt, label)
}

// moment draws from few moments, so that they meet.
func moment(rt *rapid.T, label string) time.Time { return at(rapid.IntRange(0, 6).Draw(rt, label)) }

func (g *match) step(rt *rapid.T) step {
	s := step{
		kind: g.kind(rt), key: name(rt, "key"),
		doing:  rapid.SampledFrom([]string{"get", "put", "put", "put", "delete"}).Draw(rt, "doing"),
		stale:  rapid.IntRange(0, 5).Draw(rt, "stale") == 5,
		minded: rapid.Bool().Draw(rt, "minded"),
	}
	if s.doing == "put" {
		s.value = []byte(strings.Repeat("v", rapid.SampledFrom([]int{0, 1, 20, 3000}).Draw(rt, "size")))
		if rapid.Bool().Draw(rt, "queued") {
			s.due = moment(rt, "due")
		}
	}
	return s
}

// transaction plays a transaction of several calls, which may end in an error or a panic.
func (g *match) transaction(rt *rapid.T) {
	var steps []step
	for range rapid.IntRange(1, 5).Draw(rt, "steps") {
		steps = append(steps, g.step(rt))
	}
	end := rapid.SampledFrom([]string{"well", "well", "well", "error", "panic"}).Draw(rt, "end")
	run := g.engine.Update
	if rapid.IntRange(0, 9).Draw(rt, "batch") == 0 { // rarely: each waits for a millisecond
		run = g.engine.Batch
	}
	errEnd := errors.New("end")
	var after model
	var wrong string
	var want error
	err := caught(func() error {
		return run(context.Background(), func(tx store.RecordTx) error {
			after, want = g.model.clone(), nil
			for _, s := range steps {
				w, err := s.run(tx, after, g.given)
				if w != "" {
					wrong = w
				}
				if err != nil && s.minded {
					want = err
					return err
				}
			}
			switch end {
			case "error":
				want = errEnd
			case "panic":
				want = errEnd
				panic(errEnd)
			}
			return want
		})
	})
	if wrong != "" {
		rt.Fatal(wrong)
	}
	if !errors.Is(err, want) {
		rt.Fatalf("a transaction that ends in %v comes back as %v", want, err)
	}
	if err == nil {
		g.model = after
		g.note()
	}
}

// note remembers the versions that are stored by now.
func (g *match) note() {
	for k, records := range g.model {
		for _, r := range records {
			g.given[k][r.Version] = true
		}
	}
}

func (g *match) scan(rt *rapid.T) {
	k, prefix, after, limit := g.kind(rt), name(rt, "prefix", ""), name(rt, "after", ""), rapid.IntRange(0, 9).Draw(rt, "limit")
	list, err := g.engine.Scan(context.Background(), k, prefix, after, limit)
	if diff := differ(list, g.model.list(k, prefix, after, limit)); err != nil || diff != "" {
		rt.Fatalf("scan %q after %q: %v %s", prefix, after, err, diff)
	}
}

// claim compares by time, as nothing says which of two at one moment is first.
func (g *match) claim(rt *rapid.T) {
	k, now, limit := g.kind(rt), moment(rt, "now"), rapid.IntRange(1, 4).Draw(rt, "limit")
	lease := time.Duration(rapid.IntRange(1, 3).Draw(rt, "lease")) * time.Second
	due := g.model.queue(k, now)
	list, err := g.engine.Claim(context.Background(), k, now, lease, limit)
	if err != nil || len(list) != min(limit, len(due)) {
		rt.Fatalf("claimed %v, %v; due are %v", list, err, due)
	}
	for i, r := range list {
		old := g.model[k][r.Key]
		if !old.Due.Equal(due[i].Due) {
			rt.Fatalf("claimed %v as number %d, but %v was due before", old, i, due[i])
		}
		if g.given[k][r.Version] || !r.Due.Equal(now.Add(lease)) {
			rt.Fatalf("claimed %v with version %d until %v", old, r.Version, r.Due)
		}
		old.Version, old.Due = r.Version, now.Add(lease)
		g.model[k][r.Key] = old
	}
	g.note()
}

// restart closes and opens the engine, in few games only: it takes time.
func (g *match) restart(rt *rapid.T) {
	if rapid.IntRange(0, 9).Draw(rt, "restart") > 0 {
		return
	}
	g.reopen()
}

// compare holds everything that can be read against the model.
func (g *match) compare(rt *rapid.T) {
	for _, k := range g.kinds {
		list, err := g.engine.Scan(context.Background(), k, "", "", 99)
		if diff := differ(list, g.model.list(k, "", "", 99)); err != nil || diff != "" {
			rt.Fatalf("%s: %v %s", k, err, diff)
		}
		for _, r := range list {
			one, err := g.engine.Get(context.Background(), k, r.Key)
			if diff := differ([]store.Record{one}, []store.Record{r}); err != nil || diff != "" {
				rt.Fatalf("a single read: %v %s", err, diff)
			}
		}
		due, ok, err := g.engine.NextDue(context.Background(), k)
		var want time.Time
		if queue := g.model.queue(k, at(1<<20)); len(queue) > 0 {
			want = queue[0].Due
		}
		if err != nil || ok == want.IsZero() || !due.Equal(want) {
			rt.Fatalf("%s: next due %v, %v, %v; want %v", k, due, ok, err, want)
		}
	}
}
