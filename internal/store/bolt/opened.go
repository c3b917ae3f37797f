package bolt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// opened is what the file beside an open database says of whoever has it open.
type opened struct {
	Boot string // names the run of the operating system
	File string // names the file in it
	// Unread is how often it was opened, one process after another without a clean end, since it was last read from end to end.
	Unread int `json:",omitempty"`
}

// mostUnread is how often a file is opened unread before a process that ends without a word may be due to what is in it: a page that
// cannot be read takes down whoever comes to it, and would take down each that is started after it.
const mostUnread = 1

// openedFile is the name of the file that stands beside a database from when it is opened until it is closed cleanly.
func openedFile(path string) string { return path + ".opened" }

// KilledOnly reports whether the last process of a database was ended, and the system that it ran on was not: what it had
// written is with the system, whole, and each commit is there or is not. Behind a power cut the disk decides what is there;
// then, behind a failed commit, where another file lies there, and once a process that had not read it either was ended too, it is
// to be read from end to end before it is relied on. A copy that was written over the file is not told from it.
func KilledOnly(path string) bool {
	was, is := noted(path), running(path)
	return is.Boot != "" && is.File != "" && is.Boot == was.Boot && is.File == was.File && was.Unread < mostUnread
}

// noted is what is noted of the last process that had a database open; nothing where it has closed it.
func noted(path string) opened {
	text, err := os.ReadFile(openedFile(path))
	if err != nil {
		return opened{}
	}
	var was opened
	if json.Unmarshal(text, &was) != nil {
		return opened{}
	}
	return was
}

// running is what would be noted of this process; empty fields for what the system does not tell.
func running(path string) opened {
	// Elsewhere than on Linux there is no such file: KilledOnly is false there, and each kill is followed by a reading of the
	// database.
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return opened{}
	}
	return opened{Boot: strings.TrimSpace(string(boot)), File: fileID(path)}
}

// noteUnread counts one more process that opens a database unread, before it does: reading the first page may end it.
func noteUnread(path string, o Options) (unread int, err error) {
	if !o.Identify || o.ReadOnly || o.Trust != Killed {
		return 0, nil
	}
	unread = noted(path).Unread + 1
	return unread, noteRunning(path, unread)
}

// noteRunning notes who has a database open. It need not outlast the system: that is what it tells.
func noteRunning(path string, unread int) error {
	is := running(path)
	is.Unread = unread
	text, err := json.Marshal(is)
	if err != nil {
		return err
	}
	if err := writeNote(openedFile(path), text, false); err != nil {
		return fmt.Errorf("note that the database was opened: %w", err)
	}
	return nil
}

// forgetOpened takes that note away.
func forgetOpened(path string) error {
	if err := os.Remove(openedFile(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("note that the database was closed: %w", err)
	}
	return nil
}
