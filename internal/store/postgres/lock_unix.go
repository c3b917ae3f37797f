//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package postgres

import (
	"os"
	"syscall"
)

// lock keeps other processes from a file, unless one has it.
func lock(f *os.File) (unlock func()) {
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return func() {}
	}
	return func() { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
}
