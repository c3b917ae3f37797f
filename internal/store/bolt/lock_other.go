//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package bolt

import "os"

// lock has no lock to take here. Where a file that is open cannot be renamed, that keeps it in its place.
func lock(*os.File) error { return nil }
