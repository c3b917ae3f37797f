//go:build !darwin && !linux

package app

import "runtime/debug"

// confine has the memory of this process kept small. There is no hard limit here.
func confine(memory, _ uint64) error {
	debug.SetMemoryLimit(int64(memory / 4 * 3))
	return nil
}
