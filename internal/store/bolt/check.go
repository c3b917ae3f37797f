package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"resellerbot/internal/store"
)

const (
	mostProblems = 10  // then a file is damaged enough
	mostWords    = 300 // bytes of one problem
)

// CheckFile reads a database file from end to end, alone or beside others who only read, and returns what
// is wrong with it: pages that are lost, shared or of no kind, keys out of order, records that are cut, and
// a time index that is not that of the records. An empty list is a sound file.
//
// A damaged file can end the process that reads it, or have it work and allocate for ever. So this is for
// a process of its own, which has limits and ends afterwards: what was found wrong is not cleaned up after.
// store.ErrInUse where another process may write to the file.
func CheckFile(path string) (problems []string, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a page that is not there is a panic, of this goroutine at least
	defer func() {
		if r := recover(); r != nil {
			problems, err = append(problems, brief(fmt.Sprintf("reading it failed: %v", r))), nil
		}
	}()
	// The disk's errors come first, as errors: what is mapped reports them as a fault of memory.
	if err := readAhead(path); err != nil {
		return nil, err
	}
	db, err := openFile(path, Options{ReadOnly: true})
	if errors.Is(err, store.ErrInUse) {
		return nil, err
	}
	if err != nil {
		return []string{brief(err.Error())}, nil
	}
	if problems = checkPages(db); len(problems) > 0 {
		return problems, nil // somebody may be stuck in it, so it cannot be closed
	}
	return checkKeys(db), db.Close()
}

// brief is a problem in one line that is not too long.
func brief(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line[:min(len(line), mostWords)]
}

// readAhead reads the file in its order once: bbolt maps it for random access, which is slow on a disk that
// has not read it yet. A disk that cannot read it says so here, and not by a fault.
func readAhead(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, f)
	return err
}

// checkPages reads the tree of pages.
func checkPages(db *bbolt.DB) (problems []string) {
	info, err := os.Stat(db.Path())
	if err != nil {
		return []string{err.Error()}
	}
	btx, err := db.Begin(false)
	if err != nil {
		return []string{err.Error()}
	}
	// A page behind the end of the file would be a fault that nothing recovers from.
	if btx.Size() > info.Size() {
		return []string{fmt.Sprintf("the file is cut: of its %d bytes %d are left", btx.Size(), info.Size())}
	}
	for err := range btx.Check() {
		problems = append(problems, brief(err.Error()))
		if len(problems) == mostProblems {
			return problems
		}
	}
	if err := btx.Rollback(); err != nil && !errors.Is(err, bolterrors.ErrTxClosed) {
		problems = append(problems, err.Error())
	}
	return problems
}

// checkKeys reads all keys and values, and compares the records with their time index.
func checkKeys(db *bbolt.DB) (problems []string) {
	err := db.View(func(btx *bbolt.Tx) error {
		return btx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			space, kind, _ := strings.Cut(string(name), "/")
			k := store.Kind(kind)
			switch {
			case len(problems) >= mostProblems:
			case space == "r":
				problems = append(problems, checkRecords(tx{btx}, k, b)...)
			case space == "d":
				problems = append(problems, checkDues(tx{btx}, k, b)...)
			default:
				problems = append(problems, fmt.Sprintf("there is a bucket %q", name))
			}
			return nil
		})
	})
	if err != nil {
		problems = append(problems, brief(err.Error()))
	}
	return problems[:min(len(problems), mostProblems)]
}

// checkRecords reads the records of a kind. Each that is queued must stand in the time index.
func checkRecords(t tx, k store.Kind, b *bbolt.Bucket) (problems []string) {
	queue := t.Bucket(dues(k))
	c := b.Cursor()
	for key, value := c.First(); key != nil && len(problems) < mostProblems; key, value = c.Next() {
		r, err := decode(k, key, value)
		switch {
		case value == nil:
			problems = append(problems, brief(fmt.Sprintf("there is a bucket %q among the records %s", key, k)))
		case err != nil:
			problems = append(problems, brief(err.Error()))
		case !r.Due.IsZero() && (queue == nil || queue.Get(dueKey(r.Due, r.Key)) == nil):
			problems = append(problems, brief(fmt.Sprintf("record %s %q is not in its queue", k, key)))
		}
	}
	return problems
}

// checkDues reads the time index of a kind. Each entry must be of a record that is due then.
func checkDues(t tx, k store.Kind, b *bbolt.Bucket) (problems []string) {
	c := b.Cursor()
	for key, _ := c.First(); key != nil && len(problems) < mostProblems; key, _ = c.Next() {
		// Eight bytes of a time, and a key of a byte at least.
		if len(key) <= 8 {
			problems = append(problems, fmt.Sprintf("an entry in the queue %s is cut", k))
			continue
		}
		// Together with checkRecords: each queued record is in the index once, and nothing else is.
		r, err := t.Get(k, string(key[8:]))
		if err != nil || toMicros(r.Due) != binary.BigEndian.Uint64(key) {
			problems = append(problems, brief(fmt.Sprintf("the queue %s has %q at a wrong time", k, key[8:])))
		}
	}
	return problems
}
