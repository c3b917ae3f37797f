package apptest

import (
	"os"
	"testing"
)

// InMemory has what a test stores lie in memory where that can be: a disk has no virtual time.
func InMemory(t *testing.T) {
	t.Helper()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		t.Setenv("TMPDIR", "/dev/shm")
	}
}

// LabDir makes a folder for one database. Memory is as good as a disk here, and does not wait for syncs.
func LabDir() (dir string, remove func(), err error) {
	base := os.TempDir()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		base = "/dev/shm"
	}
	if dir, err = os.MkdirTemp(base, "proof-"); err != nil {
		dir, err = os.MkdirTemp("", "proof-")
	}
	return dir, func() { os.RemoveAll(dir) }, err
}
