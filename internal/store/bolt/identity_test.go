package bolt_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// openOwn opens a database that is somebody's.
func openOwn(t *testing.T, path string) (*bolt.Engine, error) {
	t.Helper()
	return bolt.Open(path, bolt.Options{Identify: true, NoSync: true, Fatal: func(err error) { t.Errorf("a commit failed: %v", err) }})
}

// withOwn opens it, does something, and closes it.
func withOwn(t *testing.T, path string, do func(*bolt.Engine)) {
	t.Helper()
	e, err := openOwn(t, path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	do(e)
}

// newOwn makes a database with a record and returns its path.
func newOwn(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bot.db")
	withOwn(t, path, func(e *bolt.Engine) { put(t, e, store.Record{Kind: "k", Key: "a"}) })
	return path
}

// read reads a file.
func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// write writes a file.
func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestIdentityStays: opening a database again changes nothing, and no scan shows its id.
func TestIdentityStays(t *testing.T) {
	path := newOwn(t)
	id := read(t, bolt.IDFile(path))
	if len(id) != 27 {
		t.Errorf("the id is %q", id)
	}
	if info, err := os.Stat(bolt.IDFile(path)); err != nil || info.Mode() != 0o600 {
		t.Errorf("its file: %v, %v", info.Mode(), err)
	}
	withOwn(t, path, func(e *bolt.Engine) {
		put(t, e, store.Record{Kind: store.KindMeta, Key: "store"})
		list, err := e.Scan(t.Context(), store.KindMeta, "", "", 9)
		if err != nil || len(list) != 1 || list[0].Key != "store" {
			t.Errorf("of kind meta there are %v, %v", list, err)
		}
	})
	file := read(t, path)
	withOwn(t, path, func(*bolt.Engine) {})
	if !bytes.Equal(file, read(t, path)) || !bytes.Equal(id, read(t, bolt.IDFile(path))) {
		t.Error("opening it has changed it")
	}
	if other := read(t, bolt.IDFile(newOwn(t))); bytes.Equal(id, other) {
		t.Error("another database has the same id")
	}
}

// TestIdentityOfBefore: a database without an id gets one, and keeps what it has.
func TestIdentityOfBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bot.db")
	e, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, e, store.Record{Kind: "k", Key: "a"})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(bolt.IDFile(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it has an id before: %v", err)
	}
	withOwn(t, path, func(e *bolt.Engine) {
		if list := everything(t, e, "k"); len(list) != 1 {
			t.Errorf("it holds %v", list)
		}
	})
	id := read(t, bolt.IDFile(path))
	withOwn(t, path, func(*bolt.Engine) {})
	if !bytes.Equal(id, read(t, bolt.IDFile(path))) {
		t.Error("it gets another one each time")
	}
}

// makeAnew puts a database that has no id in the place of the one at path.
func makeAnew(t *testing.T, path string, records ...store.Record) {
	t.Helper()
	os.Remove(path)
	e, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		put(t, e, r)
	}
	e.Close()
}

// TestIdentityRefuses what is not the database that was there, and leaves it and the id alone.
func TestIdentityRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, path string)
		want  error
	}{
		"moved away": {func(t *testing.T, path string) {
			t.Helper()
			if err := os.Rename(path, path+".old"); err != nil {
				t.Fatal(err)
			}
		}, bolt.ErrGone},
		"emptied":                   {func(t *testing.T, path string) { t.Helper(); write(t, path, nil) }, bolt.ErrGone},
		"made anew":                 {func(t *testing.T, path string) { t.Helper(); makeAnew(t, path) }, bolt.ErrGone},
		"swapped":                   {func(t *testing.T, path string) { t.Helper(); write(t, path, read(t, newOwn(t))) }, bolt.ErrOther},
		"swapped for one of before": {func(t *testing.T, path string) { t.Helper(); makeAnew(t, path, store.Record{Kind: "k", Key: "a"}) }, bolt.ErrOther},
		"the id is cut":             {func(t *testing.T, path string) { t.Helper(); write(t, bolt.IDFile(path), []byte("AB\n")) }, bolt.ErrBadID},
		"no id in it":               {func(t *testing.T, path string) { t.Helper(); write(t, bolt.IDFile(path), nil) }, bolt.ErrBadID},
	} {
		t.Run(name, func(t *testing.T) {
			path := newOwn(t)
			c.spoil(t, path)
			id := read(t, bolt.IDFile(path))
			before, beforeErr := os.ReadFile(path)
			for _, readOnly := range []bool{true, false, true} {
				e, err := bolt.Open(path, bolt.Options{Identify: true, ReadOnly: readOnly, NoSync: true})
				if !errors.Is(err, c.want) {
					t.Errorf("opening it: %v, want %v", err, c.want)
				}
				if err == nil {
					e.Close()
				}
			}
			after, afterErr := os.ReadFile(path)
			if !bytes.Equal(before, after) || (beforeErr == nil) != (afterErr == nil) {
				t.Errorf("what lies there was changed: %v, %v", beforeErr, afterErr)
			}
			if !bytes.Equal(id, read(t, bolt.IDFile(path))) {
				t.Error("the id was changed")
			}
		})
	}
}

// TestIdentityThatIsRemoved: who removes the file beside a database says that it is the right one.
func TestIdentityThatIsRemoved(t *testing.T) {
	path, other := newOwn(t), newOwn(t)
	write(t, path, read(t, other))
	if err := os.Remove(bolt.IDFile(path)); err != nil {
		t.Fatal(err)
	}
	withOwn(t, path, func(*bolt.Engine) {})
	if !bytes.Equal(read(t, bolt.IDFile(path)), read(t, bolt.IDFile(other))) {
		t.Error("the id beside it is not that in it")
	}
}

// TestReadOnly changes nothing, neither to a database nor beside it.
func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bot.db")
	look := bolt.Options{Identify: true, ReadOnly: true}
	if _, err := bolt.Open(path, look); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where none is: %v", err)
	}
	write(t, path, nil)
	if e, err := bolt.Open(path, look); err == nil {
		t.Error("an empty file is opened")
		e.Close()
	}
	os.Remove(path)
	e, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, e, store.Record{Kind: "k", Key: "a"})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	before := read(t, path)
	first, err := bolt.Open(path, look)
	if err != nil {
		t.Fatal(err)
	}
	second, err := bolt.Open(path, look) // beside the first
	if err != nil {
		t.Fatal(err)
	}
	transaction := func(tx store.RecordTx) error { _, err := tx.Put(store.Record{Kind: "k", Key: "b"}); return err }
	for how, err := range map[string]error{"Update": first.Update(t.Context(), transaction), "Batch": second.Batch(t.Context(), transaction)} {
		if !errors.Is(err, bolt.ErrReadOnly) {
			t.Errorf("%s: %v", how, err)
		}
	}
	if list := everything(t, second, "k"); len(list) != 1 {
		t.Errorf("it holds %v", list)
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 1 || !bytes.Equal(before, read(t, path)) {
		t.Errorf("it was changed; in the folder are %v, %v", names, err)
	}
}
