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

// Keyring is the key keyring of stores made here.
func Keyring(tb testing.TB) *seal.Keyring {
	tb.Helper()
	r, err := seal.ParseKeyring("test:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{9}, 32)))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// New makes a store in a folder that goes with the test. It is checked when the test ends.
func New(tb testing.TB) *store.Store {
	tb.Helper()
	return Open(tb, filepath.Join(tb.TempDir(), "bot.db"))
}

// Open opens the store at path, making it where there is none. It is checked and closed when the test
// ends, unless the test has closed it before.
func Open(tb testing.TB, path string) *store.Store {
	tb.Helper()
	e := Engine(tb, path)
	s, err := store.Open(tb.Context(), e, Keyring(tb))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if !e.closed {
			Sound(tb, s)
		}
	})
	return s
}

// Sound fails the test unless a store is sound.
func Sound(tb testing.TB, s *store.Store) {
	tb.Helper()
	problems, err := s.Check(context.Background()) // the test's own context is over in a cleanup
	if err != nil {
		tb.Errorf("check the store: %v", err)
	}
	for _, p := range problems {
		tb.Errorf("the store is not sound: %s", p)
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
func Engine(tb testing.TB, path string) *File {
	tb.Helper()
	e, err := bolt.Open(path, bolt.Options{NoSync: true, Fatal: func(err error) { tb.Errorf("a commit failed: %v", err) }})
	if err != nil {
		tb.Fatal(err)
	}
	f := &File{Engine: e}
	tb.Cleanup(func() { f.Close() })
	return f
}
