package bolt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/storetest"
)

// open opens an engine that may wait for no disk and fail no commit.
func open(tb testing.TB, path string) (*bolt.Engine, error) {
	tb.Helper()
	return bolt.Open(path, bolt.Options{NoSync: true, Fatal: func(err error) { tb.Errorf("a commit failed: %v", err) }})
}

func TestEngine(t *testing.T) {
	storetest.TestEngine(t, func(dir string) (store.Engine, error) { return open(t, filepath.Join(dir, "bot.db")) })
}

// put writes one record.
func put(t *testing.T, e store.Engine, r store.Record) {
	t.Helper()
	if err := e.Update(t.Context(), func(tx store.RecordTx) error { _, err := tx.Put(r); return err }); err != nil {
		t.Fatal(err)
	}
}

// TestOneProcess: whoever comes second is told so soon, and harms nothing.
func TestOneProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bot.db")
	synctest.Test(t, func(t *testing.T) { // the waiting for the lock is virtual
		first := storetest.Engine(t, path)
		put(t, first, store.Record{Kind: "k", Key: "a"})
		begin := time.Now()
		if _, err := open(t, path); !errors.Is(err, store.ErrInUse) {
			t.Errorf("a second one opens: %v", err)
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("it took %v to say so", took)
		}
		put(t, first, store.Record{Kind: "k", Key: "b"})
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		second := storetest.Engine(t, path)
		if list, err := second.Scan(t.Context(), "k", "", "", 9); err != nil || len(list) != 2 {
			t.Errorf("the second one finds %v, %v", list, err)
		}
	})
}

// TestFileIsPrivate: a database of sealed keys is still nobody else's business.
func TestFileIsPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "down", "bot.db")
	e := storetest.Engine(t, path)
	backup := filepath.Join(filepath.Dir(path), "copy.db")
	if err := e.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o600, backup: 0o600, filepath.Dir(path): os.ModeDir | 0o700, filepath.Dir(filepath.Dir(path)): os.ModeDir | 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want mode %v", name, info, err, want)
		}
	}
}

// TestNotADatabase: what lies at the path by mistake is left as it is.
func TestNotADatabase(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "notes.txt")
	text := bytes.Repeat([]byte("no database\n"), 2000)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]string{"a text": path, "a folder": dir, "below a file": filepath.Join(path, "bot.db")} {
		if e, err := open(t, at); err == nil {
			t.Errorf("%s is opened", name)
			e.Close()
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, text) {
		t.Errorf("the file was changed, %v", err)
	}
}

// everything lists all records of some kinds.
func everything(t *testing.T, e store.Engine, kinds ...store.Kind) (all []store.Record) {
	t.Helper()
	for _, k := range kinds {
		list, err := e.Scan(t.Context(), k, "", "", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

// TestBackup: a copy is a database of its own, equal to what there was.
func TestBackup(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "copy.db")
	e := storetest.Engine(t, filepath.Join(dir, "bot.db"))
	for i := range 300 {
		put(t, e, store.Record{Kind: "k", Key: strconv.Itoa(i), Value: bytes.Repeat([]byte{'v'}, 50*i), Due: time.UnixMicro(int64(1e15) - int64(i)).UTC()})
	}
	put(t, e, store.Record{Kind: "other", Key: "x"})
	want := everything(t, e, "k", "other")
	if err := os.WriteFile(path, []byte("yesterday's"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	put(t, e, store.Record{Kind: "k", Key: "later"})
	copied := storetest.Engine(t, path) // beside the other, which is open
	if diff := cmp.Diff(want, everything(t, copied, "k", "other"), cmp.Comparer(bytes.Equal)); diff != "" {
		t.Errorf("the original (-) and its copy (+):\n%s", diff)
	}
	for _, x := range []*storetest.File{e, copied} {
		if list, err := x.Claim(t.Context(), "k", time.UnixMicro(1e15), time.Hour, 1); err != nil || len(list) != 1 || list[0].Key != "299" {
			t.Errorf("first in the queue: %v, %v", list, err)
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(names) > 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// TestBackupIsOneMoment: transactions go on while it is made, and none is in it by half.
func TestBackupIsOneMoment(t *testing.T) {
	dir := t.TempDir()
	e := storetest.Engine(t, filepath.Join(dir, "bot.db"))
	ctx, stop := context.WithCancel(t.Context())
	began, done := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for n := 0; err == nil && ctx.Err() == nil; n++ {
			err = e.Update(context.WithoutCancel(ctx), func(tx store.RecordTx) error {
				for _, k := range []store.Kind{"left", "right"} {
					r, err := tx.Get(k, "n")
					if err != nil && !errors.Is(err, store.ErrNotFound) {
						return err
					}
					r.Kind, r.Key, r.Value = k, "n", fmt.Append(nil, n)
					if _, err := tx.Put(r); err != nil {
						return err
					}
				}
				return nil
			})
			if n == 0 {
				close(began)
			}
		}
		done <- err
	}()
	<-began
	for i := range 5 {
		path := filepath.Join(dir, fmt.Sprintf("copy%d.db", i))
		if err := e.Backup(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		both := everything(t, storetest.Engine(t, path), "left", "right")
		if len(both) != 2 || !bytes.Equal(both[0].Value, both[1].Value) {
			t.Errorf("the copy holds %v", both)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestBackupThatFails leaves the one before it in place, and nothing else.
func TestBackupThatFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "copy.db")
	e := storetest.Engine(t, filepath.Join(t.TempDir(), "bot.db"))
	if err := os.WriteFile(path, []byte("yesterday's"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Backup(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled one: %v", err)
	}
	if err := e.Backup(t.Context(), filepath.Join(dir, "none", "copy.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("one into a folder that is not there: %v", err)
	}
	if err := e.Backup(t.Context(), dir); err == nil {
		t.Error("one over a folder succeeds")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "yesterday's" {
		t.Errorf("the one before is now %q, %v", text, err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("the folder holds %v, %v", names, err)
	}
}
