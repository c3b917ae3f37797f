package bolt_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// copyOf makes a copy of a database ready in a folder beside it.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(path), "work")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	ready := filepath.Join(dir, "copy.db")
	withOwn(t, path, func(e *bolt.Engine) {
		if err := e.Backup(t.Context(), ready); err != nil {
			t.Fatal(err)
		}
	})
	withOwn(t, ready, func(e *bolt.Engine) { put(t, e, store.Record{Kind: "k", Key: "made ready"}) })
	return ready
}

// hold takes a place.
func hold(t *testing.T, path string) *bolt.Place {
	t.Helper()
	p, err := bolt.Hold(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPlace: a copy takes the place of the database, which is kept under another name.
func TestPlace(t *testing.T) {
	path := newOwn(t)
	ready := copyOf(t, path)
	withOwn(t, path, func(e *bolt.Engine) { put(t, e, store.Record{Kind: "k", Key: "later"}) })
	was, will := read(t, path), read(t, ready)
	p := hold(t, path)
	if _, err := bolt.Hold(path); !errors.Is(err, store.ErrInUse) {
		t.Errorf("a second one takes the place: %v", err)
	}
	kept, err := p.Put(ready, path+".before")
	if err != nil || !kept {
		t.Fatal(kept, err)
	}
	if err := p.Release(); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(was, read(t, path+".before")) || !bytes.Equal(will, read(t, path)) {
		t.Error("what was and what is there now are not as they should be")
	}
	withOwn(t, path, func(e *bolt.Engine) {
		if list := everything(t, e, "k"); len(list) != 2 || list[1].Key != "made ready" {
			t.Errorf("it holds %v", list)
		}
	})
}

// TestPlaceIsTaken: nobody takes the place of a database that is open, and nobody opens one whose place is
// taken.
func TestPlaceIsTaken(t *testing.T) {
	path := newOwn(t)
	withOwn(t, path, func(*bolt.Engine) {
		if _, err := bolt.Hold(path); !errors.Is(err, store.ErrInUse) {
			t.Errorf("the place of an open one is taken: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) { // the waiting for the lock is virtual
		p := hold(t, path)
		if _, err := openOwn(t, path); !errors.Is(err, store.ErrInUse) {
			t.Errorf("one whose place is taken is opened: %v", err)
		}
		if err := p.Release(); err != nil {
			t.Error(err)
		}
		withOwn(t, path, func(*bolt.Engine) {})
	})
}

// TestPlaceReplacedMeanwhile: who waited for the lock of a file that was replaced does not get the old one.
func TestPlaceReplacedMeanwhile(t *testing.T) {
	path := newOwn(t)
	ready := copyOf(t, path)
	synctest.Test(t, func(t *testing.T) {
		p := hold(t, path)
		opened := make(chan error)
		go func() {
			e, err := openOwn(t, path)
			if err == nil {
				e.Close()
			}
			opened <- err
		}()
		synctest.Wait() // that one has the old file open, and waits for its lock
		if _, err := p.Put(ready, path+".before"); err != nil {
			t.Fatal(err)
		}
		if err := p.Release(); err != nil {
			t.Fatal(err)
		}
		if err := <-opened; !errors.Is(err, store.ErrInUse) {
			t.Errorf("it is opened: %v", err)
		}
	})
	withOwn(t, path, func(*bolt.Engine) {})
}

// TestPlaceOfAnother: a copy of another database does not come here.
func TestPlaceOfAnother(t *testing.T) {
	path := newOwn(t)
	before := read(t, path)
	ready := copyOf(t, newOwn(t))
	p := hold(t, path)
	if _, err := p.Put(ready, path+".before"); !errors.Is(err, bolt.ErrOther) {
		t.Errorf("it does: %v", err)
	}
	if err := p.Release(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + ".before"); !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(before, read(t, path)) {
		t.Errorf("something was changed, %v", err)
	}
}

// TestPlaceKeepsWhatIsKept: an earlier one that was kept is not written over.
func TestPlaceKeepsWhatIsKept(t *testing.T) {
	path := newOwn(t)
	before := read(t, path)
	write(t, path+".before", []byte("an earlier one"))
	ready := copyOf(t, path)
	p := hold(t, path)
	if _, err := p.Put(ready, path+".before"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("it is: %v", err)
	}
	if err := p.Release(); err != nil {
		t.Error(err)
	}
	if string(read(t, path+".before")) != "an earlier one" || !bytes.Equal(before, read(t, path)) {
		t.Error("something was changed")
	}
}

// TestPlaceWithNothing: where no database is, a copy comes with its id; until then the place stays empty.
func TestPlaceWithNothing(t *testing.T) {
	from := newOwn(t)
	ready := copyOf(t, from)
	path := filepath.Join(filepath.Dir(ready), "new", "bot.db")
	p := hold(t, path)
	if err := p.Release(); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) > 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
	p = hold(t, path)
	kept, err := p.Put(ready, path+".before")
	if err != nil || kept {
		t.Fatal(kept, err)
	}
	if err := p.Release(); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(read(t, bolt.IDFile(path)), read(t, bolt.IDFile(from))) {
		t.Error("the id did not come along")
	}
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 2 {
		t.Errorf("in the folder are %v, %v", names, err)
	}
	withOwn(t, path, func(*bolt.Engine) {})
}
