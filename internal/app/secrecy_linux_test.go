package app_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
)

// TestMemoryIsKept: a process that keeps to itself leaves no core file, and can neither be traced nor read by
// another one of its user.
func TestMemoryIsKept(t *testing.T) {
	if os.Getenv("KEEP_TO_ITSELF") != "" { // the child
		app.KeepToItself()
		limits, err := os.ReadFile("/proc/self/limits")
		if err != nil {
			t.Fatal(err)
		}
		dumpable, _, _ := syscall.RawSyscall(syscall.SYS_PRCTL, 3, 0, 0) // PR_GET_DUMPABLE
		_, err = os.Executable()                                         // the database's check needs it
		fmt.Fprintf(os.Stdout, "core %s dumpable %d self %v\n", regexp.MustCompile(`Max core file size +(\d+)`).FindSubmatch(limits)[1], dumpable, err)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), self, "-test.run", "^TestMemoryIsKept$", "-test.v")
	child.Env = append(os.Environ(), "KEEP_TO_ITSELF=1")
	out, err := child.CombinedOutput()
	if err != nil || !regexp.MustCompile(`core 0 dumpable 0 self <nil>`).Match(out) {
		t.Errorf("%v: %s", err, out)
	}
	if text := apptest.ReadFile(t, filepath.Join("internal", "app", "app.go")); !regexp.MustCompile(`func Main\(.*\n\treturn MainIn\(.*\n\}(?s:.*)func MainIn\(.*\n\tkeepToItself\(\)`).MatchString(text) {
		t.Error("main does not begin with it")
	}
}
