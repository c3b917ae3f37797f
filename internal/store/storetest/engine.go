package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
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
		{"a transaction reads what it wrote", testReadsOwnWrites},
		{"a transaction that fails leaves nothing", testRollback},
		{"a transaction is seen whole or not at all", testIsolation},
		{"transactions do not mix", testSerial},
		{"what a transaction has read holds until its end", testReadsHold},
		{"several at once", testTogether},
		{"whichever transaction fails, it does so alone", testBatchNeighbours},
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

const (
	red  store.Kind = "red"
	blue store.Kind = "blue"
)

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
			// A transaction may go on after a refusal, which has changed nothing.
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

// testValues: what goes in and what comes out is a copy, in a transaction and outside, whatever becomes of the
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
	transaction, closed := make(chan error, 1), make(chan error, 1)
	go func() {
		transaction <- b.engine.Update(context.Background(), func(tx store.RecordTx) error {
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
		b.Errorf("the engine is closed under a transaction: %v", err)
	default:
	}
	close(leave)
	if err := errors.Join(<-transaction, <-closed); err != nil {
		b.Fatal(err)
	}
	if err := b.engine.Update(context.Background(), func(store.RecordTx) error { return nil }); err == nil {
		b.Error("a closed engine takes a transaction")
	}
	if r, err := b.engine.Get(context.Background(), red, "a"); err == nil || errors.Is(err, store.ErrNotFound) {
		b.Errorf("a closed engine reads %v, %v", r, err)
	}
	b.open()
	if got := b.get("a"); string(got.Value) != "1" {
		b.Errorf("the transaction left %q", got.Value)
	}
}
