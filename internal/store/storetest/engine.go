package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/store"
)

// Opener opens the engine whose data lie in a folder, making it where there is none.
type Opener func(dir string) (store.Engine, error)

// TestEngine is what every engine must pass. Nothing above an engine may know which one it is, so what is
// asked of one has to be asked here.
func TestEngine(t *testing.T, open Opener) {
	for _, c := range []struct {
		name string
		test func(*bench)
	}{
		{"put, get, delete", testRecords},
		{"a Put needs the version that is stored", testConflicts},
		{"a version never comes again", testVersionsAreNew},
		{"kinds are apart", testKinds},
		{"values belong to the caller", testValues},
		{"any key, any value", testShapes},
		{"a unit reads what it wrote", testReadsOwnWrites},
		{"a unit that fails leaves nothing", testRollback},
		{"a unit is seen whole or not at all", testIsolation},
		{"units do not mix", testSerial},
		{"what a unit has read holds until its end", testReadsHold},
		{"whichever unit fails, it does so alone", testBatchNeighbours},
		{"a canceled call does nothing", testCanceled},
		{"scan", testScan},
		{"claim", testClaim},
		{"a claim that ran out shuts its worker out", testClaimFences},
		{"claims of many workers are disjoint", testClaimsAreDisjoint},
		{"next due", testNextDue},
		{"opening again finds everything", testReopen},
		{"close", testClose},
		{"like a map", testModel},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &bench{T: t, opener: open, dir: t.TempDir()}
			b.open()
			t.Cleanup(func() { b.engine.Close() })
			c.test(b)
		})
	}
}

// bench is where one engine is tried.
type bench struct {
	*testing.T

	opener Opener
	dir    string
	engine store.Engine
}

func (b *bench) open() {
	b.Helper()
	var err error
	if b.engine, err = b.opener(b.dir); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) reopen() {
	b.Helper()
	if err := b.engine.Close(); err != nil {
		b.Fatal(err)
	}
	b.open()
}

// runner is Update or Batch of an engine.
type runner func(context.Context, func(store.RecordTx) error) error

// runners lists the ways to run a unit; what one promises, the other does.
func (b *bench) runners() map[string]runner {
	return map[string]runner{"Update": b.engine.Update, "Batch": b.engine.Batch}
}

// do is a unit that succeeds.
func (b *bench) do(fn func(store.RecordTx) error) {
	b.Helper()
	if err := b.engine.Update(b.Context(), fn); err != nil {
		b.Fatal(err)
	}
}

// write is a Put of which only the error matters.
func write(tx store.RecordTx, r store.Record) error {
	_, err := tx.Put(r)
	return err
}

// put writes a record in a unit of its own and returns it as it then is.
func (b *bench) put(r store.Record) store.Record {
	b.Helper()
	b.do(func(tx store.RecordTx) (err error) {
		r.Version, err = tx.Put(r)
		return err
	})
	return r
}

// get reads a red record that is there.
func (b *bench) get(key string) store.Record {
	b.Helper()
	r, err := b.engine.Get(b.Context(), red, key)
	if err != nil {
		b.Fatalf("get %q: %v", key, err)
	}
	return r
}

// all lists the red records.
func (b *bench) all() []store.Record {
	b.Helper()
	list, err := b.engine.Scan(b.Context(), red, "", "", 1<<20)
	if err != nil {
		b.Fatal(err)
	}
	return list
}

// gone fails the test if a record is there.
func (b *bench) gone(k store.Kind, key string) {
	b.Helper()
	if r, err := b.engine.Get(b.Context(), k, key); !errors.Is(err, store.ErrNotFound) {
		b.Errorf("get %s %q: %v, %v; want it gone", k, key, r, err)
	}
}

// same fails the test unless two lists of records are equal.
func (b *bench) same(what string, got, want []store.Record) {
	b.Helper()
	if diff := differ(got, want); diff != "" {
		b.Errorf("%s: %s", what, diff)
	}
}

// differ says where a list of records is not the one that is wanted.
func differ(got, want []store.Record) string {
	equal := func(a, b store.Record) bool {
		return a.Kind == b.Kind && a.Key == b.Key && bytes.Equal(a.Value, b.Value) && a.Version == b.Version && a.Due.Equal(b.Due)
	}
	if slices.EqualFunc(got, want, equal) {
		return ""
	}
	return fmt.Sprintf("got %s, want %s", shown(got), shown(want))
}

// shown prints records, long values by their length.
func shown(list []store.Record) string {
	var s strings.Builder
	for _, r := range list {
		value := fmt.Sprintf("%q", r.Value)
		if len(r.Value) > 40 {
			value = fmt.Sprintf("%d bytes", len(r.Value))
		}
		fmt.Fprintf(&s, "[%s %q version %d due %v: %s]", r.Kind, r.Key, r.Version, r.Due, value)
	}
	return "(" + s.String() + ")"
}

// at is n seconds after some moment, as an engine keeps times.
func at(n int) time.Time { return time.Unix(1_700_000_000+int64(n), 123_456_000).UTC() }

const (
	red  store.Kind = "red"
	blue store.Kind = "blue"
)

// text is a record without a due time.
func text(key, value string) store.Record {
	return store.Record{Kind: red, Key: key, Value: []byte(value)}
}

// queued is a record with one.
func queued(key string, due time.Time) store.Record {
	return store.Record{Kind: red, Key: key, Value: []byte(key), Due: due}
}

// keys lists the keys of records.
func keys(list []store.Record) string {
	var names []string
	for _, r := range list {
		names = append(names, r.Key)
	}
	return strings.Join(names, " ")
}

func testRecords(b *bench) {
	b.gone(red, "a")
	r := b.put(queued("a", at(1)))
	if r.Version == 0 {
		b.Error("a stored record has the version of one that is not")
	}
	b.same("after the first Put", []store.Record{b.get("a")}, []store.Record{r})
	r.Value, r.Due = []byte("new"), time.Time{}
	again := b.put(r)
	if again.Version <= r.Version {
		b.Errorf("version %d comes after %d", again.Version, r.Version)
	}
	b.same("after the second Put", []store.Record{b.get("a")}, []store.Record{again})
	b.do(func(tx store.RecordTx) error { return tx.Delete(again) })
	b.gone(red, "a")
	if list, err := b.engine.Scan(b.Context(), red, "", "", 9); err != nil || len(list) > 0 {
		b.Errorf("a scan finds %v, %v", list, err)
	}
}

func testConflicts(b *bench) {
	old := b.put(text("a", "1"))
	now := old
	now.Value = []byte("2")
	now = b.put(now)
	missing := store.Record{Kind: red, Key: "b", Version: now.Version}
	for name, c := range map[string]struct {
		change func(store.RecordTx) error
		want   error
	}{
		"put as new":         {func(tx store.RecordTx) error { return write(tx, text("a", "x")) }, store.ErrConflict},
		"put over a stale":   {func(tx store.RecordTx) error { return write(tx, old) }, store.ErrConflict},
		"put over a missing": {func(tx store.RecordTx) error { return write(tx, missing) }, store.ErrConflict},
		"delete as new":      {func(tx store.RecordTx) error { return tx.Delete(text("a", "")) }, store.ErrConflict},
		"delete a stale":     {func(tx store.RecordTx) error { return tx.Delete(old) }, store.ErrConflict},
		"delete a missing":   {func(tx store.RecordTx) error { return tx.Delete(missing) }, store.ErrNotFound},
	} {
		for how, run := range b.runners() {
			if err := run(b.Context(), c.change); !errors.Is(err, c.want) {
				b.Errorf("%s in %s: %v, want %v", name, how, err, c.want)
			}
			// A unit may go on after a refusal, which has changed nothing.
			err := run(b.Context(), func(tx store.RecordTx) error {
				if err := c.change(tx); !errors.Is(err, c.want) {
					b.Errorf("%s in %s: %v, want %v", name, how, err, c.want)
				}
				return nil
			})
			if err != nil {
				b.Errorf("%s in %s, not minded: %v", name, how, err)
			}
			b.same(name+" in "+how, []store.Record{b.get("a")}, []store.Record{now})
			b.gone(red, "b")
		}
	}
}

// testVersionsAreNew: who read a record that was then deleted and made anew must not overwrite it.
func testVersionsAreNew(b *bench) {
	seen := map[uint64]bool{}
	for range 5 {
		r := b.put(text("a", "1"))
		if seen[r.Version] {
			b.Errorf("version %d comes twice", r.Version)
		}
		seen[r.Version] = true
		b.do(func(tx store.RecordTx) error { return tx.Delete(r) })
		b.reopen()
	}
	b.put(text("a", "2"))
	for v := range seen {
		stale := text("a", "x")
		stale.Version = v
		if err := b.engine.Update(b.Context(), func(tx store.RecordTx) error { return write(tx, stale) }); !errors.Is(err, store.ErrConflict) {
			b.Errorf("version %d fits a record made anew: %v", v, err)
		}
	}
}

func testKinds(b *bench) {
	r := b.put(queued("a", at(1)))
	b.gone(blue, "a")
	if list, err := b.engine.Scan(b.Context(), blue, "", "", 9); err != nil || len(list) > 0 {
		b.Errorf("another kind's scan finds %v, %v", list, err)
	}
	if list, err := b.engine.Claim(b.Context(), blue, at(9), time.Minute, 9); err != nil || len(list) > 0 {
		b.Errorf("another kind's claim takes %v, %v", list, err)
	}
	if due, ok, err := b.engine.NextDue(b.Context(), blue); ok || err != nil {
		b.Errorf("another kind is due at %v, %v", due, err)
	}
	other := store.Record{Kind: blue, Key: "a", Value: []byte("blue")}
	b.put(other)
	b.same("the first one", []store.Record{b.get("a")}, []store.Record{r})
}

// testValues: what goes in and what comes out is a copy, in a unit and outside, whatever becomes of the
// record. Long values lie elsewhere in a file than short ones.
func testValues(b *bench) {
	for _, size := range []int{1, 40, 1200, 70_000} {
		key := strconv.Itoa(size)
		want := bytes.Repeat([]byte{'v'}, size)
		given := bytes.Clone(want)
		var inside store.Record
		b.do(func(tx store.RecordTx) (err error) {
			if _, err = tx.Put(store.Record{Kind: red, Key: key, Value: given}); err != nil {
				return err
			}
			given[0] = 'x' // the engine must not look at it again
			inside, err = tx.Get(red, key)
			return err
		})
		outside := b.get(key)
		listed, err := b.engine.Scan(b.Context(), red, key, "", 1)
		if err != nil || len(listed) != 1 {
			b.Fatalf("scan: %v, %v", listed, err)
		}
		held := []store.Record{inside, outside, listed[0]}
		inside.Value[0] = 'y' // nor be changed through what it gave
		if got := b.get(key); !bytes.Equal(got.Value, want) {
			b.Errorf("%d bytes: the stored value follows the caller's", size)
		}
		inside.Value[0] = 'v'
		b.do(func(tx store.RecordTx) error { return tx.Delete(outside) })
		for i := range 50 { // writes over where it lay
			b.put(store.Record{Kind: red, Key: fmt.Sprintf("%d/%d", size, i), Value: bytes.Repeat([]byte{'z'}, size)})
		}
		b.reopen()
		for i, r := range held {
			if !bytes.Equal(r.Value, want) || r.Key != key {
				b.Errorf("%d bytes: value %d does not outlive its transaction", size, i)
			}
		}
	}
}

func testShapes(b *bench) {
	names := []string{"\x00", "\x00\x00", "a", "a\x00", "a/b", "ab", "é", "\xff", "\xff\xff", strings.Repeat("k", 500)}
	slices.Sort(names)
	var want []store.Record
	for i, key := range names {
		want = append(want, b.put(store.Record{Kind: red, Key: key, Value: bytes.Repeat([]byte{0}, i*1000), Due: at(-i)}))
	}
	b.same("all of them", b.all(), want)
	var claimed []string
	for _, r := range mustClaim(b, at(0), time.Minute, 100) {
		claimed = append(claimed, r.Key)
	}
	slices.Reverse(claimed)
	if !slices.Equal(claimed, names) {
		b.Errorf("claimed, newest first: %q, want %q", claimed, names)
	}
	if err := b.engine.Update(b.Context(), func(tx store.RecordTx) error { return write(tx, text("", "x")) }); err == nil {
		b.Error("a record without a key is taken: it could never be listed after")
	}
}

func testReadsOwnWrites(b *bench) {
	b.put(text("old", "1"))
	for how, run := range b.runners() {
		key := "new " + how
		err := run(b.Context(), func(tx store.RecordTx) error { return rewrite(b, tx, key) })
		if err != nil {
			b.Fatalf("%s: %v", how, err)
		}
		if got := b.get(key); string(got.Value) != "3" {
			b.Errorf("%s leaves %q", how, got.Value)
		}
	}
}

// rewrite puts a record, changes, deletes and puts it again, and reads it in between.
func rewrite(b *bench, tx store.RecordTx, key string) (err error) {
	r := text(key, "1")
	if r.Version, err = tx.Put(r); err != nil {
		return err
	}
	if got, err := tx.Get(red, key); err != nil || got.Version != r.Version || string(got.Value) != "1" {
		b.Errorf("%q reads %v, %v behind its Put", key, got, err)
	}
	r.Value = []byte("2")
	if r.Version, err = tx.Put(r); err != nil {
		return err
	}
	if err := tx.Delete(r); err != nil {
		return err
	}
	if got, err := tx.Get(red, key); !errors.Is(err, store.ErrNotFound) {
		b.Errorf("%q reads %v, %v behind its Delete", key, got, err)
	}
	return write(tx, text(key, "3"))
}

func testRollback(b *bench) {
	b.put(text("stays", "1"))
	b.put(queued("waits", at(5)))
	before := b.all()
	errStop := errors.New("stop")
	for name, end := range map[string]func() error{
		"error": func() error { return fmt.Errorf("wrapped: %w", errStop) },
		"panic": func() error { panic(errStop) },
	} {
		for how, run := range b.runners() {
			err := caught(func() error {
				return run(b.Context(), func(tx store.RecordTx) error {
					if err := upset(tx); err != nil {
						b.Error(err)
					}
					return end()
				})
			})
			if !errors.Is(err, errStop) {
				b.Errorf("%s in %s comes back as %v", name, how, err)
			}
			b.same(name+" in "+how, b.all(), before)
			if due, ok, err := b.engine.NextDue(b.Context(), red); !ok || err != nil || !due.Equal(at(5)) {
				b.Errorf("%s in %s: next due %v, %v, %v", name, how, due, ok, err)
			}
		}
	}
	b.do(upset) // nothing of the failures stands in the way
	if due, ok, err := b.engine.NextDue(b.Context(), red); !ok || err != nil || !due.Equal(at(1)) {
		b.Errorf("next due %v, %v, %v", due, ok, err)
	}
}

// upset changes one of two records, deletes the other and adds a third.
func upset(tx store.RecordTx) error {
	stays, err := tx.Get(red, "stays")
	if err != nil {
		return err
	}
	waits, err := tx.Get(red, "waits")
	if err != nil {
		return err
	}
	stays.Value, stays.Due = []byte("2"), at(1)
	return errors.Join(write(tx, stays), tx.Delete(waits), write(tx, queued("new", at(2))))
}

// caught turns a panic with an error into that error.
func caught(fn func() error) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case error:
			err = v
		default:
			panic(v)
		}
	}()
	return fn()
}

// testIsolation: a reader meets a state between units, never within one.
func testIsolation(b *bench) {
	a, c := b.put(text("a", "0")), b.put(text("c", "0"))
	b.do(func(tx store.RecordTx) error {
		a.Value, c.Value = []byte("1"), []byte("1")
		if err := write(tx, a); err != nil {
			return err
		}
		read := make(chan string)
		go func() {
			r, err := b.engine.Get(b.Context(), red, "a")
			read <- fmt.Sprintf("%s %v", r.Value, err)
		}()
		if got := <-read; got != "0 <nil>" {
			b.Errorf("a reader sees %q of a unit that is not done", got)
		}
		return write(tx, c)
	})
	var readers sync.WaitGroup
	done, started := make(chan struct{}), make(chan struct{}, 4)
	for range cap(started) {
		readers.Go(func() { watchPair(b, started, done) })
	}
	for range cap(started) {
		<-started
	}
	for n := range 200 {
		b.do(func(tx store.RecordTx) error { return errors.Join(set(tx, "a", n), set(tx, "c", n)) })
	}
	close(done)
	readers.Wait()
}

// watchPair reads the two red records until done, and fails the test where they differ.
func watchPair(b *bench, started chan<- struct{}, done <-chan struct{}) {
	for first := true; ; first = false {
		list, err := b.engine.Scan(b.Context(), red, "", "", 9)
		if err != nil || len(list) != 2 || !bytes.Equal(list[0].Value, list[1].Value) {
			b.Errorf("a scan between units: %v, %v", list, err)
		}
		if first {
			started <- struct{}{}
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

// set writes a number into a red record that is there.
func set(tx store.RecordTx, key string, n int) error {
	r, err := tx.Get(red, key)
	if err != nil {
		return err
	}
	r.Value = strconv.AppendInt(nil, int64(n), 10)
	return write(tx, r)
}

// testSerial: what units read is still so when they write.
func testSerial(b *bench) {
	const workers, each = 8, 25
	b.put(text("sum", "0"))
	var wg sync.WaitGroup
	for _, run := range b.runners() {
		for range workers / 2 {
			wg.Go(func() {
				for range each {
					if err := run(b.Context(), count); err != nil {
						b.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	if got, want := string(b.get("sum").Value), strconv.Itoa(workers*each); got != want {
		b.Errorf("%s of %s units count", got, want)
	}
}

// testReadsHold: of two units, each of which empties its own record only where the other's is full, one finds the other's
// empty, whichever comes first.
func testReadsHold(b *bench) {
	const rounds = 40
	b.put(text("a", "1"))
	b.put(text("c", "1"))
	for range rounds {
		b.do(func(tx store.RecordTx) error { return errors.Join(set(tx, "a", 1), set(tx, "c", 1)) })
		var wg sync.WaitGroup
		for own, other := range map[string]string{"a": "c", "c": "a"} {
			wg.Go(func() {
				err := b.engine.Update(b.Context(), func(tx store.RecordTx) error {
					if r, err := tx.Get(red, other); err != nil || string(r.Value) == "0" {
						return err
					}
					return set(tx, own, 0)
				})
				if err != nil {
					b.Error(err)
				}
			})
		}
		wg.Wait()
		if string(b.get("a").Value) == "0" && string(b.get("c").Value) == "0" {
			b.Fatal("both are empty")
		}
	}
}

// count adds one to the red record "sum".
func count(tx store.RecordTx) error {
	r, err := tx.Get(red, "sum")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(string(r.Value))
	if err != nil {
		return err
	}
	return set(tx, "sum", n+1)
}

// testBatchNeighbours: units that share a commit share no failure. Every second one fails.
func testBatchNeighbours(b *bench) {
	const units = 60
	errOdd := errors.New("odd")
	var wg sync.WaitGroup
	results := make([]error, units)
	for i := range units {
		wg.Go(func() {
			results[i] = caught(func() error {
				return b.engine.Batch(b.Context(), func(tx store.RecordTx) error {
					if err := write(tx, text(fmt.Sprintf("%02d", i), "x")); err != nil {
						return err
					}
					switch i % 4 {
					case 1:
						return errOdd
					case 3:
						panic(errOdd)
					}
					return nil
				})
			})
		})
	}
	wg.Wait()
	var want []string
	for i, err := range results {
		if odd := i%2 == 1; odd != errors.Is(err, errOdd) || !odd && err != nil {
			b.Errorf("unit %d: %v", i, err)
		}
		if i%2 == 0 {
			want = append(want, fmt.Sprintf("%02d", i))
		}
	}
	if got := keys(b.all()); got != strings.Join(want, " ") {
		b.Errorf("stored are the units %s", got)
	}
}

func testCanceled(b *bench) {
	b.put(queued("a", at(0)))
	ctx, cancel := context.WithCancel(b.Context())
	cancel()
	put := func(tx store.RecordTx) error { return write(tx, text("b", "x")) }
	for name, call := range map[string]func() error{
		"Update":  func() error { return b.engine.Update(ctx, put) },
		"Batch":   func() error { return b.engine.Batch(ctx, put) },
		"Get":     func() error { _, err := b.engine.Get(ctx, red, "a"); return err },
		"Scan":    func() error { _, err := b.engine.Scan(ctx, red, "", "", 9); return err },
		"Claim":   func() error { _, err := b.engine.Claim(ctx, red, at(9), time.Minute, 9); return err },
		"NextDue": func() error { _, _, err := b.engine.NextDue(ctx, red); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			b.Errorf("%s: %v", name, err)
		}
	}
	b.gone(red, "b")
	if due, _, err := b.engine.NextDue(b.Context(), red); err != nil || !due.Equal(at(0)) {
		b.Errorf("a canceled claim moved the record to %v, %v", due, err)
	}
}

func testScan(b *bench) {
	for _, key := range []string{"a", "b", "b/1", "b/2", "b/3", "b0", "c"} {
		b.put(text(key, key))
	}
	b.put(store.Record{Kind: blue, Key: "b/9"})
	for _, c := range []struct {
		prefix, after string
		limit         int
		want          string
	}{
		{"", "", 99, "a b b/1 b/2 b/3 b0 c"},
		{"", "", 2, "a b"},
		{"", "b", 2, "b/1 b/2"},
		{"", "b/15", 2, "b/2 b/3"}, // a key that is not there is a place all the same
		{"", "c", 9, ""},
		{"", "d", 9, ""},
		{"b/", "", 9, "b/1 b/2 b/3"},
		{"b/", "", 1, "b/1"},
		{"b/", "a", 9, "b/1 b/2 b/3"}, // before the prefix begins
		{"b/", "b/", 9, "b/1 b/2 b/3"},
		{"b/", "b/2", 9, "b/3"},
		{"b/", "b/3", 9, ""},
		{"b/", "c", 9, ""}, // behind where it ends
		{"b", "", 9, "b b/1 b/2 b/3 b0"},
		{"x", "", 9, ""},
		{"", "", 0, ""},
	} {
		list, err := b.engine.Scan(b.Context(), red, c.prefix, c.after, c.limit)
		if err != nil || keys(list) != c.want {
			b.Errorf("prefix %q after %q limit %d: %q, %v; want %q", c.prefix, c.after, c.limit, keys(list), err, c.want)
		}
	}
	if list, err := b.engine.Scan(b.Context(), "none", "", "", 9); err != nil || len(list) > 0 {
		b.Errorf("a kind without records: %v, %v", list, err)
	}
}

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

func testReopen(b *bench) {
	var want []store.Record
	for i := range 50 {
		want = append(want, b.put(queued(fmt.Sprintf("%02d", i), at(-i))))
	}
	b.do(func(tx store.RecordTx) error { return tx.Delete(want[0]) })
	want = want[1:]
	b.reopen()
	b.same("all records", b.all(), want)
	if got := keys(mustClaim(b, at(0), time.Minute, 2)); got != "49 48" {
		b.Errorf("the queue begins with %q", got)
	}
}

// testClose: what is in flight ends well, and what comes later is refused.
func testClose(b *bench) {
	entered, leave := make(chan struct{}), make(chan struct{})
	unit, closed := make(chan error, 1), make(chan error, 1)
	go func() {
		unit <- b.engine.Update(context.Background(), func(tx store.RecordTx) error {
			close(entered)
			<-leave
			_, err := tx.Put(text("a", "1"))
			return err
		})
	}()
	<-entered
	going := make(chan struct{})
	go func() {
		close(going)
		closed <- b.engine.Close()
	}()
	<-going
	select {
	case err := <-closed:
		b.Errorf("the engine is closed under a unit: %v", err)
	default:
	}
	close(leave)
	if err := errors.Join(<-unit, <-closed); err != nil {
		b.Fatal(err)
	}
	if err := b.engine.Update(context.Background(), func(store.RecordTx) error { return nil }); err == nil {
		b.Error("a closed engine takes a unit")
	}
	if r, err := b.engine.Get(context.Background(), red, "a"); err == nil || errors.Is(err, store.ErrNotFound) {
		b.Errorf("a closed engine reads %v, %v", r, err)
	}
	b.open()
	if got := b.get("a"); string(got.Value) != "1" {
		b.Errorf("the unit left %q", got.Value)
	}
}
