//go:build darwin || linux

package app

import (
	"errors"
	"math"
	"runtime/debug"
	"syscall"
)

// confine limits the memory of this process for good: what it may fill, beside the address space that files
// are mapped to. Where that is not enough, the process ends.
func confine(memory, mapped uint64) error {
	const reserved = 2 << 30 // address space that Go takes without filling it
	// Three quarters for Go's own collector: it has to begin to clean up before the hard limit ends the process.
	debug.SetMemoryLimit(int64(min(memory/4*3, math.MaxInt64)))
	return errors.Join(
		lower(syscall.RLIMIT_DATA, memory),
		lower(syscall.RLIMIT_AS, memory+mapped+reserved),
	)
}

// lower lowers a limit that is not lower already.
func lower(resource int, to uint64) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(resource, &now); err != nil {
		return err
	}
	return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: min(now.Cur, to), Max: min(now.Max, to)})
}
