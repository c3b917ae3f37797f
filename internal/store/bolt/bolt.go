// Package bolt is the embedded engine: versioned records in one bbolt file.
//
// The file holds two buckets for each kind:
//
//	r/<kind>   record key            → version (8), due in µs (8, 0: none), value
//	d/<kind>   due in µs (8) + key   → nothing: the time index of queued records
//
// Where Options.Identify asks for it, the id of the database lies among the records of kind meta, under a
// key that no scan shows, and once more in a file beside it, path + ".id": so a file that was swapped,
// emptied or moved away is noticed by whoever opens what is there now. Such a database also has a file beside it while
// nobody has it open, path + ".closed", which tells a clean end from a killed process, and one while somebody has, path +
// ".opened", which tells a killed process from a power cut.
package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"resellerbot/internal/atomicfile"
	"resellerbot/internal/store"
)

const (
	// lockTimeout is how long another process is waited for that may just be closing the file.
	lockTimeout = 2 * time.Second
	mapSize     = 64 << 20 // address space, not memory
	// groupDelay and groupSize are how long, and for how many, a batch waits for others to share its commit.
	groupDelay = time.Millisecond
	groupSize  = 1000
	headerSize = 16
)

// maxSize is what a file may grow to, a hundred million purchases: a runaway becomes an error.
const maxSize int64 = 256 << 30

// Options are what Open needs besides the path.
type Options struct {
	// Fatal is told of a failed commit; required. Such a commit may be on disk or not, so the process
	// has to end and recover: the engine refuses all further work.
	Fatal func(error)
	// Slow is told of a transaction that has been open for two seconds: once while it is, with the stacks
	// of all goroutines, and once when it ends, without them. An old one keeps the file from being mapped
	// anew and its free pages from being used. It must not use the engine. Nil: nobody is told.
	Slow func(what string, open time.Duration, stacks []byte)
	// Identify compares the id in the database with the one beside it, and makes both where they are
	// missing: for every database that is somebody's.
	Identify bool
	// Trust is why what is in such a database is relied on: the next process goes by it.
	Trust Trust
	// ReadOnly opens a database that is there, beside others who only read it, and writes nothing: neither
	// to it nor beside it.
	ReadOnly bool
	// NoSync leaves writes to the operating system. For tests: a power cut loses what was acknowledged.
	NoSync bool
}

// Trust is why a database is opened as it is.
type Trust int

const (
	// Known is that it was read from end to end, closed cleanly, or made just now.
	Known Trust = iota
	// Killed is that KilledOnly says so.
	Killed
	// Doubtful is that it could not be read to its end. However it is closed, the next start is to read it.
	Doubtful
)

// Engine implements store.Engine over a bbolt file.
type Engine struct {
	db     *bbolt.DB
	fatal  func(error)
	dead   chan struct{} // has something in it once a commit has failed, or the file was replaced: no more is written
	watch  watch
	closed func() error // what is left to do when all was written; nil for a database that is nobody's, or doubtful

	earliest earliest
}

var errDead = errors.New("an earlier commit failed")

// ErrReadOnly: something was to be written to an engine that was opened for reading.
var ErrReadOnly = bolterrors.ErrDatabaseReadOnly

// Open opens the database file, or makes it, with the folders above it, readable by its owner alone.
// store.ErrInUse where another process holds it; ErrGone and ErrOther where it is not the one that was here.
func Open(path string, o Options) (*Engine, error) {
	known := ""
	if o.Identify {
		var err error
		if known, err = readID(path); err != nil {
			return nil, err
		}
	}
	// Before the file is opened: bbolt would make a new one where there is none.
	if err := refuseEmpty(path, known, o.ReadOnly); err != nil {
		return nil, err
	}
	if !o.ReadOnly {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
	}
	unread, err := noteUnread(path, o)
	if err != nil {
		return nil, err
	}
	db, err := openFile(path, o)
	if err != nil {
		return nil, err
	}
	e := &Engine{db: db, fatal: o.Fatal, dead: make(chan struct{}, 1), watch: watch{tell: o.Slow}}
	if o.Identify {
		err := e.identify(path, known, o)
		if err == nil && !o.ReadOnly {
			err = noteOpened(path, o.Trust, unread, !o.NoSync)
			if o.Trust != Doubtful {
				e.closed = func() error { return noteClosed(path, !o.NoSync) }
			}
		}
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return e, nil
}

// openFile opens the file and makes its name durable.
func openFile(path string, o Options) (*bbolt.DB, error) {
	var file *os.File
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: lockTimeout, FreelistType: bbolt.FreelistMapType, InitialMmapSize: mapSize, MaxSize: int(min(maxSize, math.MaxInt)),
		NoSync: o.NoSync, ReadOnly: o.ReadOnly,
		OpenFile: func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
			// bbolt does not give its file away, and sameFile needs it.
			file, err = os.OpenFile(name, flag, mode)
			return file, err
		},
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, store.ErrInUse
	}
	if err != nil {
		return nil, err
	}
	db.MaxBatchDelay, db.MaxBatchSize = groupDelay, groupSize
	err = sameFile(path, file)
	if err == nil && !o.ReadOnly {
		// A new file's name is in its folder: without this, a power cut may take the file with all its commits.
		err = atomicfile.SyncDir(filepath.Dir(path))
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// sameFile fails where the file that was opened does not lie at path any more: while its lock was waited
// for, another one was put there.
func sameFile(path string, file *os.File) error {
	opened, err := file.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !os.SameFile(opened, there) {
		return fmt.Errorf("%w, which has just replaced it", store.ErrInUse)
	}
	return nil
}

// Alone implements store.Engine: the file is locked.
func (e *Engine) Alone() bool { return true }

// Close waits for transactions in flight and releases the file.
func (e *Engine) Close() error {
	defer e.earliest.changed()
	err := e.db.Close()
	// Behind a failed commit nobody knows what the file holds: the next start reads all of it.
	if err == nil && e.closed != nil && len(e.dead) == 0 {
		err = e.closed()
	}
	return err
}

// Update implements store.Engine.
func (e *Engine) Update(ctx context.Context, fn func(store.RecordTx) error) error {
	return e.commit(ctx, e.db.Update, func(t tx) error { return fn(t) })
}

// Batch implements store.Engine.
func (e *Engine) Batch(ctx context.Context, fn func(store.RecordTx) error) error {
	return e.commit(ctx, e.db.Batch, func(t tx) error { return fn(t) })
}

// Get implements store.Engine.
func (e *Engine) Get(ctx context.Context, k store.Kind, key string) (r store.Record, err error) {
	err = e.view(ctx, func(btx *bbolt.Tx) (err error) {
		r, err = tx{btx}.Get(k, key)
		return err
	})
	return r, err
}

// GetMany implements store.ManyGetter: all as they are at one moment.
func (e *Engine) GetMany(ctx context.Context, places ...store.RecordKey) (map[store.RecordKey]store.Record, error) {
	found := make(map[store.RecordKey]store.Record, len(places))
	err := e.view(ctx, func(btx *bbolt.Tx) error {
		for _, p := range places {
			switch r, err := (tx{btx}).Get(p.Kind, p.Key); {
			case err == nil:
				found[p] = r
			case !errors.Is(err, store.ErrNotFound):
				return err
			}
		}
		return nil
	})
	return found, err
}

// Same implements store.Comparer.
func (e *Engine) Same(ctx context.Context, read ...store.Record) (same bool, err error) {
	err = e.view(ctx, func(btx *bbolt.Tx) error {
		for _, r := range read {
			now, err := (tx{btx}).peek(r.Kind, r.Key)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if now.Version != r.Version {
				return nil
			}
		}
		same = true
		return nil
	})
	return same, err
}

// Scan implements store.Engine.
func (e *Engine) Scan(ctx context.Context, k store.Kind, prefix, after string, limit int) (list []store.Record, err error) {
	err = e.view(ctx, func(btx *bbolt.Tx) error {
		b := btx.Bucket(records(k))
		if b == nil {
			return nil
		}
		c := b.Cursor()
		for key, value := c.Seek([]byte(max(prefix, after))); key != nil && len(list) < limit; key, value = c.Next() {
			if !bytes.HasPrefix(key, []byte(prefix)) {
				if string(key) < prefix {
					continue
				}
				break
			}
			if string(key) == after || isID(k, key) {
				continue
			}
			r, err := decode(k, key, value)
			if err != nil {
				return err
			}
			list = append(list, r)
		}
		return nil
	})
	return list, err
}

// Claim implements store.Engine. Finding nothing due costs no commit.
func (e *Engine) Claim(ctx context.Context, k store.Kind, now time.Time, lease time.Duration, limit int) (list []store.Record, err error) {
	// The answer is of a moment that may be over: what is queued since then is found by the next call.
	if next, ok, err := e.NextDue(ctx, k); err != nil || !ok || next.After(now) {
		return nil, err
	}
	err = e.commit(ctx, e.db.Update, func(t tx) error {
		// Update may run fn again.
		list = list[:0]
		for _, key := range t.due(k, now, limit) {
			r, err := t.Get(k, key)
			if err != nil {
				return fmt.Errorf("claim %s %q: %w", k, key, err)
			}
			r.Due = now.Add(lease)
			if r.Version, err = t.Put(r); err != nil {
				return fmt.Errorf("claim %s %q: %w", k, key, err)
			}
			list = append(list, r)
		}
		return nil
	})
	return list, err
}

// commit runs a transaction and tells an error of fn, after which nothing is written, from an error of the
// commit, after which nobody knows.
func (e *Engine) commit(ctx context.Context, run func(func(*bbolt.Tx) error) error, fn func(tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(e.dead) > 0 {
		return errDead
	}
	var failed error // of fn
	// ran tells an error of fn's own from one before or behind it; a batch runs fn in another goroutine, which is over by then.
	ran, ended := false, func() {}
	defer func() { ended() }()
	defer e.earliest.changed()
	err := run(func(btx *bbolt.Tx) error {
		ended() // a batch runs fn again where it failed
		ended = e.watch.begin("write")
		failed = fn(tx{btx})
		ran = true
		return failed
	})
	if err == nil || failed != nil || !ran {
		return err
	}
	select {
	// There is one place: of several commits that fail at once one tells, and none waits.
	case e.dead <- struct{}{}:
		// What the system knows of the file and what the disk has may differ from here on: the next start reads all of it.
		if e.closed != nil {
			err = errors.Join(err, forgetOpened(e.db.Path()))
		}
		e.fatal(err)
	default: // told already
	}
	return fmt.Errorf("commit: %w", err)
}

// view reads in a transaction that ends before view returns.
func (e *Engine) view(ctx context.Context, fn func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.db.View(func(btx *bbolt.Tx) error {
		defer e.watch.begin("read")()
		return fn(btx)
	})
}
