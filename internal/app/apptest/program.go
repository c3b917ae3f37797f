package apptest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"

	"resellerbot/internal/sampletest"
)

// Main has more tests at once than there are processors, since they mostly wait for disks and for each
// other's processes, and garbage collected late: each test makes much, and keeps nothing. It takes away what all
// have shared.
func Main(m *testing.M) {
	flag.Parse()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(2 << 30)
	}
	if lanes := flag.Lookup("test.parallel").Value; lanes.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = lanes.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	m.Run()
	os.RemoveAll(programs.dir)
}

// programs is the program, built once for all tests that run it as a process of its own.
var programs struct {
	once sync.Once
	dir  string
	err  error
}

// Program is the file of the built program. The race detector is not in it.
func Program(t *testing.T) string {
	t.Helper()
	sampletest.MoreThanFew(t)
	name := func() string { return filepath.Join(programs.dir, "bot") }
	programs.once.Do(func() {
		if programs.dir, programs.err = os.MkdirTemp("", "bot-program-*"); programs.err != nil { //nolint:usetesting // it outlives the test
			return
		}
		build := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", name(), "resellerbot/cmd/bot") //nolint:gosec // all of it is said here
		if out, err := build.CombinedOutput(); err != nil {
			programs.err = fmt.Errorf("build the program: %w\n%s", err, out)
		}
	})
	if programs.err != nil {
		t.Fatal(programs.err)
	}
	return name()
}

// Process is one life of the program.
type Process struct {
	Command *exec.Cmd
	Log     *LockedBuffer // what it says on stderr
	Out     *bytes.Buffer // what it says on stdout, once it has ended
	Ended   chan struct{}
	Err     error // once it has ended
}

// Launch starts the program in a folder, with an environment of its own.
func Launch(t *testing.T, dir string, env []string, args ...string) *Process {
	t.Helper()
	return LaunchFile(t, Program(t), dir, env, args...)
}

// LaunchFile is Launch of another file than the built program.
func LaunchFile(t *testing.T, file, dir string, env []string, args ...string) *Process {
	t.Helper()
	p := &Process{Log: &LockedBuffer{}, Out: &bytes.Buffer{}, Ended: make(chan struct{})}
	p.Command = exec.CommandContext(context.Background(), file, args...) //nolint:gosec // its arguments are the test's
	p.Command.Env, p.Command.Dir = env, dir
	p.Command.Stdout, p.Command.Stderr = p.Out, p.Log
	if _, err := p.Command.StdinPipe(); err != nil { // open until it has ended
		t.Fatal(err)
	}
	if err := p.Command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.Err = p.Command.Wait()
		close(p.Ended)
	}()
	return p
}

// Kill is SIGKILL: nothing in the program can do anything about it.
func (p *Process) Kill() {
	_ = p.Command.Process.Kill()
	<-p.Ended
}

// Code is its exit code, once it has ended; -1 where a signal has ended it.
func (p *Process) Code() int {
	<-p.Ended
	return p.Command.ProcessState.ExitCode()
}
