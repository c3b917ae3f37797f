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
}

// openedFile is the name of the file that stands beside a database from when it is opened until it is closed cleanly.
func openedFile(path string) string { return path + ".opened" }

// KilledOnly reports whether the last process of a database was ended, and the system that it ran on was not: what it had
// written is with the system, whole, and each commit is there or is not. Behind a power cut the disk decides what is there;
// then, behind a failed commit, and where another file lies there, it is to be read from end to end before it is relied on.
func KilledOnly(path string) bool {
	text, err := os.ReadFile(openedFile(path))
	if err != nil {
		return false
	}
	var was opened
	if json.Unmarshal(text, &was) != nil {
		return false
	}
	is := running(path)
	return is.Boot != "" && is.File != "" && is == was
}

// running is what would be noted of this process; empty fields for what the system does not tell.
func running(path string) opened {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return opened{}
	}
	return opened{strings.TrimSpace(string(boot)), fileID(path)}
}

// noteRunning notes who has a database open. It need not outlast the system: that is what it tells.
func noteRunning(path string) error {
	text, err := json.Marshal(running(path))
	if err != nil {
		return err
	}
	err = replaceFile(openedFile(path), ".opened-*", false, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
	if err != nil {
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
