// Package storetest makes stores for tests, and holds what every engine must pass.
package storetest

import (
	"bytes"
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
	e, err := bolt.Open(path, bolt.Options{NoSync: true, Fatal: func(err error) { t.Errorf("a commit failed: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), e, Ring(t), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
