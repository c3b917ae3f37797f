package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"resellerbot/internal/store"
)

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

// testIsolation: a reader meets a state between transactions, never within one.
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
			b.Errorf("a reader sees %q of a transaction that is not done", got)
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
	for n := 2; n < 200; n++ {
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
			b.Errorf("a scan between transactions: %v, %v", list, err)
			return
		}
		// What a look has shown is not older in the next one, whichever way it is taken.
		r, err := b.engine.Get(b.Context(), red, list[0].Key)
		if err != nil || numberIn(b, r) < numberIn(b, list[0]) {
			b.Errorf("after a scan that shows %s it is %s, %v", list[0].Value, r.Value, err)
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

// numberIn is the number that set has written.
func numberIn(b *bench, r store.Record) int {
	n, err := strconv.Atoi(string(r.Value))
	if err != nil {
		b.Error(err)
	}
	return n
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

// testSerial: what transactions read is still so when they write.
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
		b.Errorf("%s of %s transactions count", got, want)
	}
}

// testReadsHold: of two transactions, each of which empties its own record only where the other's is full, one finds the other's
// empty, whichever comes first.
func testReadsHold(b *bench) {
	const rounds = 40
	b.put(text("a", "1"))
	b.put(text("c", "1"))
	for round := range rounds {
		b.do(func(tx store.RecordTx) error { return errors.Join(set(tx, "a", 1), set(tx, "c", 1)) })
		var wg sync.WaitGroup
		for own, other := range map[string]string{"a": "c", "c": "a"} {
			wg.Go(func() {
				err := b.engine.Update(b.Context(), func(tx store.RecordTx) error { return emptyBeside(tx, own, other, round%2 == 0) })
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

// emptyBeside empties a record where another one is full. However that came to be read: what was wanted together with others
// holds too, once it was asked for.
func emptyBeside(tx store.RecordTx, own, other string, together bool) error {
	if together {
		if err := want(tx, own, other, "missing"); err != nil {
			return err
		}
	}
	if r, err := tx.Get(red, other); err != nil || string(r.Value) == "0" {
		return err
	}
	return set(tx, own, 0)
}

// want has red records read together, where an engine can.
func want(tx store.RecordTx, keys ...string) error {
	w, ok := tx.(store.Wanter)
	if !ok {
		return nil
	}
	var places []store.RecordKey
	for _, key := range keys {
		places = append(places, store.RecordKey{Kind: red, Key: key})
	}
	return w.Want(places...)
}

// testTogether: what is read together is what is there, and within a transaction what that has made of it.
func testTogether(b *bench) {
	b.put(text("a", "1"))
	b.put(text("b", "1"))
	there := func(key string) store.RecordKey { return store.RecordKey{Kind: red, Key: key} }
	found, err := store.GetMany(b.Context(), b.engine, there("a"), there("missing"), there("b"), there("a"))
	if err != nil || len(found) != 2 || string(found[there("a")].Value) != "1" || found[there("b")].Version != b.get("b").Version {
		b.Errorf("together are read %v, %v", found, err)
	}
	if found, err := store.GetMany(b.Context(), b.engine); err != nil || len(found) != 0 {
		b.Errorf("of none there are %v, %v", found, err)
	}
	testSame(b, found[there("a")], found[there("b")])
	b.do(func(tx store.RecordTx) error {
		if err := errors.Join(want(tx, "a", "c"), set(tx, "a", 2), write(tx, text("c", "1"))); err != nil {
			return err
		}
		if err := want(tx, "a", "b", "c", "b"); err != nil {
			return err
		}
		for key, value := range map[string]string{"a": "2", "b": "1", "c": "1"} {
			if r, err := tx.Get(red, key); err != nil || string(r.Value) != value {
				b.Errorf("%q is %v, %v once it was wanted again", key, r, err)
			}
		}
		return nil
	})
	// What was wanted and not asked for decides nothing: another transaction may change it meanwhile, and both are kept.
	b.do(func(tx store.RecordTx) error { return errors.Join(want(tx, "a", "b"), set(tx, "b", 3)) })
	if string(b.get("a").Value) != "2" || string(b.get("b").Value) != "3" || string(b.get("c").Value) != "1" {
		b.Errorf("there is left %v", b.all())
	}
}

// testSame: two records are the same as they were read until one is written, and an absence is none of them.
func testSame(b *bench, first, second store.Record) {
	b.Helper()
	read := []store.Record{first, second, {Kind: red, Key: "missing"}}
	if _, can := b.engine.(store.Comparer); can {
		if same, err := store.Same(b.Context(), b.engine, read...); err != nil || !same {
			b.Errorf("what nobody has changed is not the same: %v", err)
		}
	}
	b.do(func(tx store.RecordTx) error { return set(tx, "b", 1) })
	if same, err := store.Same(b.Context(), b.engine, read...); err != nil || same {
		b.Errorf("what was written is the same, %v", err)
	}
	if same, err := store.Same(b.Context(), b.engine, first, store.Record{Kind: red, Key: "b"}); err != nil || same {
		b.Errorf("what is there now is the same as nothing, %v", err)
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

// testBatchNeighbours: transactions that share a commit share no failure. Every second one fails.
func testBatchNeighbours(b *bench) {
	const transactions = 60
	errOdd := errors.New("odd")
	var wg sync.WaitGroup
	results := make([]error, transactions)
	for i := range transactions {
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
			b.Errorf("transaction %d: %v", i, err)
		}
		if i%2 == 0 {
			want = append(want, fmt.Sprintf("%02d", i))
		}
	}
	if got := keys(b.all()); got != strings.Join(want, " ") {
		b.Errorf("stored are the transactions %s", got)
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
