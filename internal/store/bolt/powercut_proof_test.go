package bolt_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
	"resellerbot/internal/store/storetest"
)

// The harness takes it for granted that a commit syncs its pages before it writes its meta page, and its
// meta page before it returns. These tests are why it may.

// TestCommitsAreSynced breaks one sync after the other, by a file that cannot be synced in the place of the
// right one: each commit must notice, and what comes after the sync must not happen.
func TestCommitsAreSynced(t *testing.T) {
	for _, size := range []int{10, 5000, 200_000} { // within a page, over several, and beyond the file's end
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			pages := commitWithout(t, size, func(meta bool) bool { return !meta })
			if pages.failed == nil || pages.metas != 0 || len(pages.after) != 1 {
				t.Errorf("without the sync of its pages the commit comes back as %v after %d meta pages, and leaves %d records", pages.failed, pages.metas, len(pages.after))
			}
			meta := commitWithout(t, size, func(meta bool) bool { return meta })
			if meta.failed == nil || meta.metas != 1 || len(meta.after) != 2 {
				t.Errorf("without the sync of its meta page the commit comes back as %v after %d meta pages, and leaves %d records", meta.failed, meta.metas, len(meta.after))
			}
			both := commitWithout(t, size, func(bool) bool { return false })
			if both.failed != nil || both.metas != 1 || len(both.after) != 2 {
				t.Errorf("with both the commit comes back as %v after %d meta pages, and leaves %d records", both.failed, both.metas, len(both.after))
			}
		})
	}
}

// brokenCommit is what became of a commit whose file could not be synced from some write on.
type brokenCommit struct {
	failed error
	metas  int            // meta pages that were written
	after  []store.Record // what the next process finds
}

// commitWithout makes a commit of one record, beside one that is there. Once a write of a kind is on its
// way, the file cannot be synced any more.
func commitWithout(t *testing.T, size int, broken func(meta bool) bool) (c brokenCommit) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bot.db")
	var told error
	e, err := bolt.Open(path, bolt.Options{Fatal: func(err error) { told = err }})
	if err != nil {
		t.Fatal(err)
	}
	put(t, e, store.Record{Kind: "k", Key: "before"})
	file, err := unexported[*os.File](e.DB(), "file")
	if err != nil {
		t.Fatal(err)
	}
	writeAt, err := unexported[func([]byte, int64) (int, error)](e.DB(), "ops", "writeAt")
	if err != nil {
		t.Fatal(err)
	}
	sound, write, metas := *file, *writeAt, int64(2*e.DB().Info().PageSize)
	pipe, other, err := os.Pipe() // which cannot be synced
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	defer pipe.Close()
	*writeAt = func(b []byte, off int64) (int, error) {
		if off < metas {
			c.metas++
		}
		if broken(off < metas) {
			*file = pipe
		}
		return write(b, off)
	}
	c.failed = e.Update(t.Context(), func(tx store.RecordTx) error {
		_, err := tx.Put(store.Record{Kind: "k", Key: "now", Value: make([]byte, size)})
		return err
	})
	*file = sound
	if !errors.Is(c.failed, told) {
		t.Errorf("the commit says %v, and the process is told %v", c.failed, told)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	next := storetest.Engine(t, path)
	c.after = everything(t, next, "k")
	return c
}

// TestPowerCutSees: on a disk that acknowledges a sync and does not make it, the same images are not as
// they must be. A harness that is content with these would prove nothing.
func TestPowerCutSees(t *testing.T) {
	for name, l := range map[string]lie{"no sync of the pages": noPages, "no sync of the meta page": noMeta} {
		t.Run(name, func(t *testing.T) {
			h := &harness{keyring: storetest.Keyring(t), dir: fastDir(t), seed: 1, want: 1000, patience: 2 * time.Second, lie: l}
			h.run(t.Context())
			if h.failed != nil {
				t.Fatal(h.failed)
			}
			t.Logf("%d of %d images are wrong", h.bad.Load(), h.tried.Load())
			if h.bad.Load() < enough {
				t.Error("that is not noticed")
			}
		})
	}
}

// TestPowerCutAtCreation: a cut while the file is made loses nothing, for there is nothing yet. What it
// leaves opens as a new database, or is refused; it is never taken for one that holds something.
func TestPowerCutAtCreation(t *testing.T) {
	dir := fastDir(t)
	path := filepath.Join(dir, "bot.db")
	e, err := bolt.Open(path, bolt.Options{Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	full, err := loadDisk(path)
	if err != nil {
		t.Fatal(err)
	}
	empty := digest(nil)
	made := op{what: written, data: full.read(0, int(full.size))}
	rng := rand.New(rand.NewPCG(1, 1))
	r := &reader{patience: 5 * time.Second}
	defer r.stop()
	var refused []string
	news := 0
	for range 60 {
		d := newDisk()
		newCut(rng).tear(d, made)
		if err := d.save(path); err != nil {
			t.Fatal(err)
		}
		f, err := r.read(t.Context(), question{Path: path})
		switch {
		case err != nil:
			t.Fatal(err)
		case f.Wrong != "":
			refused = append(refused, f.Wrong)
		case f.Digest != empty:
			t.Errorf("it opens with %s", f.Digest)
		default:
			news++
		}
	}
	slices.Sort(refused)
	t.Logf("%d open as new, %d are refused, by %q", news, len(refused), slices.Compact(refused))
}
