package bolt

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile puts a file at path in one step, for its owner alone, and makes it durable: at path there is either all that
// write has written or what was there before. Until it is whole it lies beside path, under a name of the pattern, as
// os.CreateTemp takes it: that is what a kill may leave.
func WriteFile(path, pattern string, write func(*os.File) error) error {
	return replaceFile(path, pattern, true, write)
}

// replaceFile is WriteFile for what need not be durable, too.
func replaceFile(path, pattern string, durable bool, write func(*os.File) error) error {
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
	return syncDir(filepath.Dir(path))
}

// writeNote writes a file that says how a database was left. A note of which a kill leaves a part says nothing, and the database is
// read from end to end; so it needs no other file that a kill would leave.
func writeNote(path string, text []byte, durable bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil || !durable {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
