package bolt_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// below changes a closed database below the engine.
func below(t *testing.T, path string, change func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(change), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestCheckFile finds what is wrong with records and with their time index. What is wrong with pages can
// end the process that looks: the bot's own tests try that with one that may.
func TestCheckFile(t *testing.T) {
	due := "\x00\x00\x00\x00\x00\x00\x00\x07"
	for name, c := range map[string]struct {
		spoil func(*bbolt.Tx) error
		want  string // "": it is sound
	}{
		"nothing":          {func(*bbolt.Tx) error { return nil }, ""},
		"a record is cut":  {func(tx *bbolt.Tx) error { return tx.Bucket([]byte("r/k")).Put([]byte("a"), []byte("short")) }, `record k "a" is cut`},
		"not in its queue": {func(tx *bbolt.Tx) error { return tx.Bucket([]byte("d/k")).Delete([]byte(due + "q")) }, `record k "q" is not in its queue`},
		"no queue":         {func(tx *bbolt.Tx) error { return tx.DeleteBucket([]byte("d/k")) }, `record k "q" is not in its queue`},
		"at a wrong time":  {func(tx *bbolt.Tx) error { return tx.Bucket([]byte("d/k")).Put([]byte(due+"a"), nil) }, `the queue k has "a" at a wrong time`},
		"of no record":     {func(tx *bbolt.Tx) error { return tx.Bucket([]byte("d/k")).Put([]byte(due+"z"), nil) }, `the queue k has "z" at a wrong time`},
		"a short entry":    {func(tx *bbolt.Tx) error { return tx.Bucket([]byte("d/k")).Put([]byte(due), nil) }, `an entry in the queue k is cut`},
		"a strange bucket": {func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("x")); return err }, `there is a bucket "x"`},
		"a bucket inside":  {func(tx *bbolt.Tx) error { _, err := tx.Bucket([]byte("r/k")).CreateBucket([]byte("x")); return err }, `there is a bucket "x" among the records k`},
	} {
		t.Run(name, func(t *testing.T) {
			path := newOwn(t)
			withOwn(t, path, func(e *bolt.Engine) { put(t, e, store.Record{Kind: "k", Key: "q", Due: time.UnixMicro(7)}) })
			below(t, path, c.spoil)
			problems, err := bolt.CheckFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" && len(problems) == 0 {
				return
			}
			if len(problems) != 1 || problems[0] != c.want {
				t.Errorf("found %q, want %q", problems, c.want)
			}
		})
	}
}

// TestCheckFileOfManyProblems names some of them.
func TestCheckFileOfManyProblems(t *testing.T) {
	path := newOwn(t)
	below(t, path, func(tx *bbolt.Tx) error {
		for i := range 1000 {
			if err := tx.Bucket([]byte("r/k")).Put([]byte{'x', byte(i), byte(i >> 8)}, []byte(strings.Repeat("\n", i%16))); err != nil {
				return err
			}
		}
		return nil
	})
	problems, err := bolt.CheckFile(path)
	if err != nil || len(problems) != 10 {
		t.Errorf("%d problems, %v", len(problems), err)
	}
	for _, p := range problems {
		if len(p) > 300 || strings.Contains(p, "\n") {
			t.Errorf("a problem is %q", p)
		}
	}
}

// TestCheckFileOfNone: what is no database is damage, what cannot be read is an error, and what somebody
// writes to is left to them.
func TestCheckFileOfNone(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	write(t, text, []byte(strings.Repeat("no database\n", 2000)))
	if problems, err := bolt.CheckFile(text); err != nil || len(problems) != 1 || problems[0] != "invalid database" {
		t.Errorf("a text: %q, %v", problems, err)
	}
	if problems, err := bolt.CheckFile(dir); err == nil {
		t.Errorf("a folder: %q", problems)
	}
	if problems, err := bolt.CheckFile(filepath.Join(dir, "none.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %q, %v", problems, err)
	}
	path := newOwn(t)
	synctest.Test(t, func(t *testing.T) { // the waiting for the lock is virtual
		withOwn(t, path, func(*bolt.Engine) {
			if problems, err := bolt.CheckFile(path); !errors.Is(err, store.ErrInUse) {
				t.Errorf("one that is open: %q, %v", problems, err)
			}
		})
	})
}

// TestCheckFileChangesNothing, also where a database is well.
func TestCheckFileChangesNothing(t *testing.T) {
	path := newOwn(t)
	before := read(t, path)
	were, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := bolt.CheckFile(path); err != nil || len(problems) > 0 {
		t.Errorf("found %q, %v", problems, err)
	}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(names) != len(were) || string(before) != string(read(t, path)) {
		t.Errorf("it was changed; in the folder are %v, %v", names, err)
	}
}
