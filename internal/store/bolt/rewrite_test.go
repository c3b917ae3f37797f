package bolt_test

import (
	"bytes"
	"context"
	"errors"
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

// trustIt is a check that finds nothing wrong.
func trustIt(string) error { return nil }

// rewritten is a database with records, and with a value that was replaced and one that was deleted.
func rewritten(t *testing.T) (e *bolt.Engine, path string, gone []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "bot.db")
	e, err := bolt.Open(path, bolt.Options{NoSync: true, Identify: true, Fatal: func(err error) { t.Errorf("a commit failed: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	gone = []byte("a value that is gone")
	old := bytes.Repeat(gone, 1000)
	for i := range 50 {
		put(t, e, store.Record{Kind: "k", Key: strconv.Itoa(i), Value: old, Due: time.UnixMicro(int64(1e15) - int64(i)).UTC()})
	}
	for i := range 50 {
		err := e.Update(t.Context(), func(tx store.RecordTx) error {
			r, err := tx.Get("k", strconv.Itoa(i))
			if err != nil {
				return err
			}
			if i%2 == 0 {
				return tx.Delete(r)
			}
			r.Value = []byte("now")
			_, err = tx.Put(r)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Contains(read(t, path), gone) {
		t.Fatal("this bbolt leaves nothing behind: there is nothing to test")
	}
	return e, path, gone
}

// TestRewrite: all that is there stays, with its versions and its queue, and nothing that is gone.
func TestRewrite(t *testing.T) {
	e, path, gone := rewritten(t)
	want, id := everything(t, e, "k"), read(t, bolt.IDFile(path))
	checked := ""
	err := e.Rewrite(t.Context(), func(copied string) error {
		checked = copied
		problems, err := bolt.CheckFile(copied)
		if err == nil && len(problems) > 0 {
			err = errors.New(problems[0])
		}
		return err
	})
	if err != nil || checked == "" || checked == path {
		t.Fatal(checked, err)
	}
	if err := e.Update(t.Context(), func(tx store.RecordTx) error { _, err := tx.Put(store.Record{Kind: "k", Key: "lost"}); return err }); err == nil {
		t.Error("what was replaced is written to")
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(read(t, path), gone) {
		t.Error("what is gone is still in the file")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	now := storetest.Engine(t, path)
	if diff := cmp.Diff(want, everything(t, now, "k"), cmp.Comparer(bytes.Equal)); diff != "" {
		t.Errorf("before (-) and after (+):\n%s", diff)
	}
	if !bytes.Equal(id, read(t, bolt.IDFile(path))) {
		t.Error("it is another database")
	}
	put(t, now, store.Record{Kind: "k", Key: "new"})
	if r, err := now.Get(t.Context(), "k", "new"); err != nil || r.Version <= want[len(want)-1].Version {
		t.Errorf("the versions begin anew: %+v, %v", r, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestRewriteThatFails changes nothing, and leaves nothing.
func TestRewriteThatFails(t *testing.T) {
	e, path, _ := rewritten(t)
	was := read(t, path)
	bad := errors.New("the copy is damaged")
	if err := e.Rewrite(t.Context(), func(string) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("with a bad copy: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := e.Rewrite(ctx, func(string) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if err := e.Rewrite(ctx, trustIt); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before: %v", err)
	}
	if !bytes.Equal(was, read(t, path)) {
		t.Error("the file has changed")
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	put(t, e, store.Record{Kind: "k", Key: "it goes on"})
}

// TestRewriteBesideAWaiter: whoever waits for the file meanwhile does not get the one that was replaced.
func TestRewriteBesideAWaiter(t *testing.T) {
	e, path, _ := rewritten(t)
	synctest.Test(t, func(t *testing.T) { // the waiting for the lock is virtual
		done := make(chan error, 1)
		go func() {
			late, err := bolt.Open(path, bolt.Options{NoSync: true, Fatal: func(error) {}})
			if err == nil {
				err = errors.Join(errors.New("it opens"), late.Close())
			}
			done <- err
		}()
		synctest.Wait()
		if err := e.Rewrite(t.Context(), trustIt); err != nil {
			t.Error(err)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, store.ErrInUse) {
			t.Errorf("whoever waited: %v", err)
		}
	})
}
