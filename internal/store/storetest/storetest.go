// Package storetest makes stores for tests, and holds what every engine must pass.
package storetest

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/postgres"
	"resellerbot/internal/store/postgres/pgtest"
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

// File is an engine as tests use it: over a file, without waiting for the disk, or where BOT_TEST_DATABASE is "postgres",
// over a server that they start.
type File struct {
	store.Engine

	closed bool
}

// OnServer reports whether stores made here lie on a server. What a test is to see in a file is not there then.
func OnServer() bool { return os.Getenv("BOT_TEST_DATABASE") == "postgres" }

// NeedsFile skips a test that looks into the file of its store, where there is none.
func NeedsFile(tb testing.TB) {
	tb.Helper()
	if OnServer() {
		tb.Skip("it looks into a file")
	}
}

// Backup copies the database to a file.
func (f *File) Backup(ctx context.Context, path string) error {
	file, ok := f.Engine.(*bolt.Engine)
	if !ok {
		return errors.New("the database is no file")
	}
	return file.Backup(ctx, path)
}

// GetMany implements store.ManyGetter, as the engine does.
func (f *File) GetMany(ctx context.Context, places ...store.RecordKey) (map[store.RecordKey]store.Record, error) {
	return store.GetMany(ctx, f.Engine, places...)
}

// Same implements store.Comparer, as the engine does.
func (f *File) Same(ctx context.Context, read ...store.Record) (bool, error) {
	return store.Same(ctx, f.Engine, read...)
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
	e, err := open(tb, path)
	if err != nil {
		tb.Fatal(err)
	}
	f := &File{Engine: e}
	tb.Cleanup(func() { f.Close() })
	return f
}

// open opens the file at path, or the server's database that stands for it.
func open(tb testing.TB, path string) (store.Engine, error) {
	tb.Helper()
	fatal := func(err error) { tb.Errorf("a commit failed: %v", err) }
	if !OnServer() {
		return bolt.Open(path, bolt.Options{NoSync: true, Fatal: fatal})
	}
	e, err := postgres.Open(context.Background(), Address(tb, path), postgres.Options{
		Fatal: fatal, Lease: VirtualLease, Lost: func(err error) { tb.Errorf("the lease is lost: %v", err) },
	})
	return apart{e}, err
}

// VirtualLease is a lease that days of virtual time pass quickly with: to show life takes real time.
const VirtualLease = time.Hour

// addresses are of the databases that stand for files, by their paths.
var addresses struct {
	sync.Mutex

	of map[string]string
}

// Address is that of the server's database that stands for the file at path. It is empty at first.
func Address(tb testing.TB, path string) string {
	tb.Helper()
	server := pgtest.Shared(tb)
	addresses.Lock()
	defer addresses.Unlock()
	if addresses.of == nil {
		addresses.of = map[string]string{}
	}
	if addresses.of[path] == "" {
		addresses.of[path] = server.Fresh(tb)
	}
	return addresses.of[path]
}

// apart is an engine whose calls are not called off in the middle: tests in virtual time hand in contexts of outside, whose
// ends nobody in there may wait for.
type apart struct{ *postgres.Engine }

// Update implements store.Engine.
func (a apart) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.Engine.Update(context.WithoutCancel(ctx), fn)
}

// Batch implements store.Engine.
func (a apart) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return a.Update(ctx, fn)
}

// Get implements store.Engine.
func (a apart) Get(ctx context.Context, k store.Kind, key string) (store.Record, error) {
	if err := ctx.Err(); err != nil {
		return store.Record{}, err
	}
	return a.Engine.Get(context.WithoutCancel(ctx), k, key)
}

// GetMany implements store.ManyGetter.
func (a apart) GetMany(ctx context.Context, places ...store.RecordKey) (map[store.RecordKey]store.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return a.Engine.GetMany(context.WithoutCancel(ctx), places...)
}

// Scan implements store.Engine.
func (a apart) Scan(ctx context.Context, k store.Kind, prefix, after string, limit int) ([]store.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return a.Engine.Scan(context.WithoutCancel(ctx), k, prefix, after, limit)
}

// Claim implements store.Engine.
func (a apart) Claim(ctx context.Context, k store.Kind, now time.Time, lease time.Duration, limit int) ([]store.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return a.Engine.Claim(context.WithoutCancel(ctx), k, now, lease, limit)
}

// NextDue implements store.Engine.
func (a apart) NextDue(ctx context.Context, k store.Kind) (time.Time, bool, error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, false, err
	}
	return a.Engine.NextDue(context.WithoutCancel(ctx), k)
}
