// Package storetest makes stores for tests, and holds what every engine must pass.
package storetest

import (
	"bytes"
	"context"
	"encoding/base64"
	"path/filepath"
	"testing"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/seal"
)

// Ring is the key ring of stores made here.
func Ring(t testing.TB) *seal.Ring {
	t.Helper()
	r, err := seal.ParseRing("test:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{9}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// New makes a store in a folder that goes with the test. It is checked when the test ends.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, filepath.Join(t.TempDir(), "bot.db"))
}

// Open opens the store at path, making it where there is none. It is checked and closed when the test
// ends, unless the test has closed it before.
func Open(t testing.TB, path string) *store.Store {
	t.Helper()
	e := Engine(t, path)
	s, err := store.Open(t.Context(), e, Ring(t), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !e.closed {
			Sound(t, s)
		}
	})
	return s
}

// Sound fails the test unless a store is sound.
func Sound(t testing.TB, s *store.Store) {
	t.Helper()
	problems, err := s.Check(context.Background()) // the test's own context is over in a cleanup
	if err != nil {
		t.Errorf("check the store: %v", err)
	}
	for _, p := range problems {
		t.Errorf("the store is not sound: %s", p)
	}
}

// File is an engine over a file, as tests use it: without waiting for the disk.
type File struct {
	*bolt.Engine

	closed bool
}

// Close implements store.Engine.
func (f *File) Close() error {
	f.closed = true
	return f.Engine.Close()
}

// Engine opens the engine under the store at path, for tests that look or plant below the store. It is
// closed when the test ends.
func Engine(t testing.TB, path string) *File {
	t.Helper()
	e, err := bolt.Open(path, bolt.Options{NoSync: true, Fatal: func(err error) { t.Errorf("a commit failed: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	f := &File{Engine: e}
	t.Cleanup(func() { f.Close() })
	return f
}
