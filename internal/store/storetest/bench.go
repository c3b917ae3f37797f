package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/store"
)

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

// runners lists the ways to run a transaction; what one promises, the other does.
func (b *bench) runners() map[string]runner {
	return map[string]runner{"Update": b.engine.Update, "Batch": b.engine.Batch}
}

// do is a transaction that succeeds.
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

// put writes a record in a transaction of its own and returns it as it then is.
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
