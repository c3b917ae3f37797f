package bolt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"resellerbot/internal/atomicfile"
)

// closed is what the file beside a closed database says of it. Whoever writes to the database afterwards changes both.
type closed struct {
	Size    int64
	Written time.Time
}

// closedFile is the name of the file that stands beside a database while nobody has it open, after a clean end.
func closedFile(path string) string { return path + ".closed" }

// ClosedCleanly reports whether a database file is just what its last process left when it closed it. Where it is not,
// that process was killed, or somebody has been at the file since: it is to be read from end to end before it is relied on.
// What cannot be read or understood counts as a kill: to read the file once too often costs time alone.
func ClosedCleanly(path string) bool {
	text, err := os.ReadFile(closedFile(path))
	if err != nil {
		return false
	}
	var was closed
	if json.Unmarshal(text, &was) != nil {
		return false
	}
	is, err := lookAt(path)
	return err == nil && is.Size == was.Size && is.Written.Equal(was.Written)
}

// lookAt is what would be said of a file if it was closed now.
func lookAt(path string) (closed, error) {
	info, err := os.Stat(path)
	if err != nil {
		return closed{}, err
	}
	return closed{info.Size(), info.ModTime().UTC()}, nil
}

// noteClosed says that a database was closed cleanly.
func noteClosed(path string, durable bool) error {
	// First: whoever is at the file afterwards was not the process of that note.
	if err := forgetOpened(path); err != nil {
		return err
	}
	is, err := lookAt(path)
	if err != nil {
		return err
	}
	text, err := json.Marshal(is)
	if err != nil {
		return err
	}
	if err := writeNote(closedFile(path), text, durable); err != nil {
		return fmt.Errorf("note that the database was closed: %w", err)
	}
	return nil
}

// noteOpened takes that back, durably: before the first write. It notes who has the file open, unless the next one is to read it all
// the same.
func noteOpened(path string, trust Trust, unread int, durable bool) (err error) {
	// The note of who runs comes before the one of the clean end is taken away: a kill between leaves both, and ClosedCleanly,
	// which is right as long as the file was not written to, is asked first (app.openToRun).
	if trust == Doubtful {
		err = forgetOpened(path)
	} else {
		err = noteRunning(path, unread)
	}
	if err != nil {
		return err
	}
	err = os.Remove(closedFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && durable {
		err = atomicfile.SyncDir(filepath.Dir(path))
	}
	if err != nil {
		return fmt.Errorf("note that the database was opened: %w", err)
	}
	return nil
}
