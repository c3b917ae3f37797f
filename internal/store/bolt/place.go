package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"resellerbot/internal/atomicfile"
)

// Place is where a database lies, or is to lie, held so that nobody opens what is there meanwhile.
type Place struct {
	path string
	file *os.File
	made bool // there was nothing before
}

// Hold takes the place of a database, whatever state that is in. store.ErrInUse where it is open.
func Hold(path string) (*Place, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	p := &Place{path: path}
	// Exclusively first: whether the place was empty decides what Put keeps, and what Release takes away.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	p.made = err == nil
	if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(path, os.O_RDWR, 0)
	}
	if err != nil {
		return nil, err
	}
	p.file = file
	// The lock is bbolt's own, so that a bot that runs, or is started now, and this one exclude each other.
	if err = lock(file); err == nil {
		err = sameFile(path, file)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return p, nil
}

// Put moves the database at from, which is closed and lies in a folder beside the place, into it. What was
// there is kept under the name aside, which nobody else must have; kept tells whether there was anything.
// ErrOther where the two are different databases. Whenever the machine stops, one of the two is at the place.
func (p *Place) Put(from, aside string) (kept bool, err error) {
	ours, theirs, err := fits(from, p.path)
	if err != nil {
		return false, err
	}
	// A second name and not a move: until the rename below, what was there stays in its place.
	if kept = !p.made; kept {
		if err := keep(p.path, aside); err != nil {
			return false, fmt.Errorf("keep what is there: %w", err)
		}
	}
	if err := os.Rename(from, p.path); err != nil {
		return kept, fmt.Errorf("put the copy in its place: %w", err)
	}
	if err := atomicfile.SyncDir(filepath.Dir(p.path)); err != nil {
		return kept, err
	}
	p.made = false // what is there now stays
	// Where there was no id beside the place. Else fits has found the two to be the same, and nothing has to be written.
	if ours == "" && theirs != "" {
		err = writeID(p.path, theirs, true)
	}
	return kept, err
}

// Fits reports whether a file holds the database that was at a place; also where none was. ErrOther where not.
func Fits(file, place string) error {
	_, _, err := fits(file, place)
	return err
}

// fits is Fits, with the ids of the two.
func fits(file, place string) (ours, theirs string, err error) {
	if theirs, err = readID(file); err != nil {
		return "", "", err
	}
	if ours, err = readID(place); err != nil {
		return "", "", err
	}
	if ours != "" && ours != theirs {
		return ours, theirs, fmt.Errorf("%w, by %s", ErrOther, IDFile(place))
	}
	return ours, theirs, nil
}

// keep gives a file a second name, or another one where the file system knows no second names.
func keep(path, aside string) error {
	err := os.Link(path, aside)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(aside); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", aside, fs.ErrExist)
	}
	return os.Rename(path, aside)
}

// Release lets others open what is at the place.
func (p *Place) Release() error {
	var err error
	if p.made && sameFile(p.path, p.file) == nil {
		err = os.Remove(p.path) // it was made to be held
	}
	return errors.Join(err, p.file.Close())
}
