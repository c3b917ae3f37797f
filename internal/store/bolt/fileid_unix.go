//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package bolt

import (
	"fmt"
	"os"
	"syscall"
)

// fileID names a file as long as it is there, whatever it is called; empty where that is not known.
func fileID(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino)
}
