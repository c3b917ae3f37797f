//go:build unix

package bolt_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// brokenVariable is set in the process whose disk is broken.
const brokenVariable = "BROKEN_DISK"

// brokenDisk has all writes of this process to files fail, until the returned function is called.
func brokenDisk(t *testing.T) (end func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // the write is to fail, not the process
	limit := before
	limit.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Fatal(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	}
}

// TestFailedCommitIsTheEnd: nobody knows what such a commit left, so nothing is written on top of it,
// even if the disk is well again. The disk breaks for a whole process, so it is a process of its own.
func TestFailedCommitIsTheEnd(t *testing.T) {
	if os.Getenv(brokenVariable) != "" {
		failedCommits(t)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), self, "-test.run=^TestFailedCommitIsTheEnd$", "-test.v")
	child.Env = append(os.Environ(), brokenVariable+"=1")
	out, err := child.CombinedOutput()
	if ran := bytes.Count(out, []byte("--- PASS: TestFailedCommitIsTheEnd/")); err != nil || ran != 2 {
		t.Fatalf("the process with the broken disk: %v\n%s", err, out)
	}
}

// failedCommits has a commit fail by either way to make one.
func failedCommits(t *testing.T) {
	t.Helper()
	for name, run := range map[string]func(*bolt.Engine) func(context.Context, func(store.RecordTx) error) error{
		"Update": func(e *bolt.Engine) func(context.Context, func(store.RecordTx) error) error { return e.Update },
		"Batch":  func(e *bolt.Engine) func(context.Context, func(store.RecordTx) error) error { return e.Batch },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "bot.db")
			var told []error
			e, err := bolt.Open(path, bolt.Options{NoSync: true, Identify: true, Fatal: func(err error) { told = append(told, err) }})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			put(t, e, store.Record{Kind: "k", Key: "before", Due: time.UnixMicro(1)})
			small := func(tx store.RecordTx) error { _, err := tx.Put(store.Record{Kind: "k", Key: "small"}); return err }
			end := brokenDisk(t)
			err = run(e)(t.Context(), small)
			end()
			if !errors.Is(err, syscall.EFBIG) || len(told) != 1 || !errors.Is(told[0], syscall.EFBIG) {
				t.Fatalf("the commit: %v; told: %v", err, told)
			}
			if bolt.KilledOnly(path) {
				t.Error("the next start does not read what the commit has left")
			}
			if err := e.Update(t.Context(), small); err == nil {
				t.Error("Update goes on")
			}
			if err := e.Batch(t.Context(), small); err == nil {
				t.Error("Batch goes on")
			}
			if list, err := e.Claim(t.Context(), "k", time.UnixMicro(9), time.Hour, 1); err == nil {
				t.Errorf("Claim goes on: %v", list)
			}
			if len(told) != 1 {
				t.Errorf("told again: %v", told)
			}
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			after, err := open(t, path)
			if err != nil {
				t.Fatal(err)
			}
			defer after.Close()
			if list := everything(t, after, "k"); len(list) != 1 || list[0].Key != "before" {
				t.Errorf("the next process finds %v", list)
			}
		})
	}
}
