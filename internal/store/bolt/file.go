package bolt

import (
	"errors"
	"os"
	"path/filepath"

	"resellerbot/internal/atomicfile"
)

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
	return atomicfile.SyncDir(filepath.Dir(path))
}
