// Package atomicfile puts files where they belong in one step: at a path there is either the whole of what was written or what was there
// before, also after a kill.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts a file at path in one step, for its owner alone, and makes it durable: at path there is either all that
// write has written or what was there before. Until it is whole it lies beside path, under a name of the pattern, as
// os.CreateTemp takes it: that is what a kill may leave.
func Write(path, pattern string, write func(*os.File) error) error {
	return replace(path, pattern, true, write)
}

// WriteUnsynced is Write for what need not outlast a power cut.
func WriteUnsynced(path, pattern string, write func(*os.File) error) error {
	return replace(path, pattern, false, write)
}

// replace is both.
func replace(path, pattern string, durable bool, write func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), pattern) // made with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already after the rename
	err = write(f)
	if err == nil && durable {
		err = f.Sync()
	}
	// Closed before the rename, so that an error of the last write still leaves the old file in its place.
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil || !durable {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Open is Write for what goes on to be written to: the file is left open. What is in it is durable, its name is not. It fails with
// fs.ErrExist where the file is to be the first at its path, and is not.
func Open(path, pattern string, first bool, write func(*os.File) error) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), pattern) // made with mode 0600
	if err != nil {
		return nil, err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = place(f.Name(), path, first)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// place gives a file the name that it is for.
func place(from, path string, first bool) error {
	if !first {
		return os.Rename(from, path)
	}
	err := os.Link(from, path)
	switch {
	case err == nil:
		_ = os.Remove(from) // its other name
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return os.Rename(from, path) // some disks have no second names
}

// SyncDir makes the names in a folder durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
