package bolt

import (
	"math"
	"syscall"
)

// FreeSpace is how many bytes the disk of a folder has left for this process; false where that is not known.
func FreeSpace(dir string) (free int64, known bool) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil || disk.Bsize <= 0 {
		return 0, false
	}
	blocks := min(disk.Bavail, math.MaxInt64/uint64(disk.Bsize)) // more than this number holds is enough
	return int64(blocks) * int64(disk.Bsize), true               //nolint:gosec,unconvert // G115: it fits, by the line above; and Bsize is narrower on some machines
}
