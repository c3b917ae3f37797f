//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package bolt

import (
	"errors"
	"os"
	"syscall"

	"resellerbot/internal/store"
)

// lock takes the lock that bbolt takes, without waiting for it. It goes with the file's closing.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return store.ErrInUse
	}
	return err
}
