//go:build !linux

package bolt

// FreeSpace is how many bytes the disk of a folder has left for this process; false where that is not known.
func FreeSpace(string) (free int64, known bool) { return 0, false }
