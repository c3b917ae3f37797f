package bolt

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/bbolt"

	"resellerbot/internal/atomicfile"
	"resellerbot/internal/store"
)

var (
	// ErrGone: there was a database at the path, and now there is none, or an empty one.
	ErrGone = errors.New("the database is gone or empty, and was not before")
	// ErrOther: there was another database at the path.
	ErrOther = errors.New("this is not the database that was here before")
	// ErrBadID: the file beside the database does not hold an id.
	ErrBadID = errors.New("the file with the id of the database is damaged")
)

// idKey is where the id lies among the records of store.KindMeta. No record has such a key.
const idKey = "\x00id"

// idLength is the length of the ids that newID makes.
const idLength = 26

// newID makes an id for a database: 130 random bits in base 32.
func newID() string { return rand.Text() }

// isID reports whether a key is that of the id.
func isID(k store.Kind, key []byte) bool { return k == store.KindMeta && string(key) == idKey }

// IDFile is the name of the file beside a database that repeats its id.
func IDFile(path string) string { return path + ".id" }

// readID reads the id beside a database; "" where there is none.
func readID(path string) (string, error) {
	text, err := os.ReadFile(IDFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the id of the database: %w", err)
	}
	id := strings.TrimSpace(string(text))
	if len(id) != idLength {
		return "", fmt.Errorf("%w: %s", ErrBadID, IDFile(path))
	}
	return id, nil
}

// writeID writes the id beside a database, whole or not at all.
func writeID(path, id string, durable bool) error {
	put := atomicfile.Write
	if !durable {
		put = atomicfile.WriteUnsynced
	}
	err := put(IDFile(path), "."+filepath.Base(path)+".id-*", func(f *os.File) error {
		_, err := f.WriteString(id + "\n")
		return err
	})
	if err != nil {
		return fmt.Errorf("write the id of the database: %w", err)
	}
	return nil
}

// refuseEmpty fails where no database is at path although there was one: bbolt would make a new one. One
// that is opened for reading alone has to be there.
func refuseEmpty(path, known string, readOnly bool) error {
	info, err := os.Stat(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	empty := missing || info.Size() == 0
	switch {
	case empty && known != "":
		return gone(path)
	case missing && readOnly:
		return err
	case empty && readOnly:
		return errors.New("the file is empty")
	}
	return nil
}

func gone(path string) error { return fmt.Errorf("%w, by %s", ErrGone, IDFile(path)) }

// identify compares the id in the database with the one known beside it. Where only one of the two is
// missing there was no harm: a database from before gets an id, and a file beside it that was taken away is
// written anew, as whoever removes it says that this database is the right one.
func (e *Engine) identify(path, known string, o Options) error {
	own, empty, err := e.id()
	switch {
	case err != nil:
		return fmt.Errorf("read the id in the database: %w", err)
	case known != "" && empty:
		return gone(path)
	case known != "" && own != known:
		return fmt.Errorf("%w, by %s", ErrOther, IDFile(path))
	// The two are the same; or nothing may be written beside a database that is only read.
	case known != "", o.ReadOnly:
		return nil
	}
	// First into the database, then beside it: a stop between the two leaves a database whose file is missing, which the next
	// start writes.
	if own == "" {
		own = newID()
		if err := e.putID(own); err != nil {
			return fmt.Errorf("write the id into the database: %w", err)
		}
	}
	return writeID(path, own, !o.NoSync)
}

// id reads the id in the database, "" where there is none, and whether there is anything at all.
func (e *Engine) id() (id string, empty bool, err error) {
	err = e.db.View(func(btx *bbolt.Tx) error {
		first, _ := btx.Cursor().First()
		empty = first == nil
		r, err := tx{btx}.Get(store.KindMeta, idKey)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		id = string(r.Value)
		return err
	})
	return id, empty, err
}

// putID writes the id into the database. It is no record that anybody changes, so it has no version.
func (e *Engine) putID(id string) error {
	return e.db.Update(func(btx *bbolt.Tx) error {
		b, err := btx.CreateBucketIfNotExists(records(store.KindMeta))
		if err != nil {
			return err
		}
		return b.Put([]byte(idKey), encode(store.Record{Value: []byte(id)}))
	})
}
