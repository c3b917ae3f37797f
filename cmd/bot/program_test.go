package main

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
)

// TestMain runs the tests of this package.
func TestMain(m *testing.M) { runTests(m) }

// runTests has more tests at once than there are processors, since they mostly wait for disks and for each
// other's processes, and garbage collected late: each test makes much, and keeps nothing. It takes away what all
// have shared.
func runTests(m *testing.M) {
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

// program is the file of the built program.
func program(t *testing.T) string {
	t.Helper()
	name := func() string { return filepath.Join(programs.dir, "bot") }
	programs.once.Do(func() {
		if programs.dir, programs.err = os.MkdirTemp("", "bot-program-*"); programs.err != nil { //nolint:usetesting // it outlives the test
			return
		}
		build := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", name(), "resellerbot/cmd/bot")
		if out, err := build.CombinedOutput(); err != nil {
			programs.err = fmt.Errorf("build the program: %w\n%s", err, out)
		}
	})
	if programs.err != nil {
		t.Fatal(programs.err)
	}
	return name()
}

// process is one life of the program.
type process struct {
	command *exec.Cmd
	log     *lockedBuffer // what it says on stderr
	out     *bytes.Buffer // what it says on stdout, once it has ended
	ended   chan struct{}
	err     error // once it has ended
}

// launch starts the program in a folder, with an environment of its own.
func launch(t *testing.T, dir string, env []string, args ...string) *process {
	t.Helper()
	p := &process{log: &lockedBuffer{}, out: &bytes.Buffer{}, ended: make(chan struct{})}
	p.command = exec.CommandContext(context.Background(), program(t), args...)
	p.command.Env, p.command.Dir = env, dir
	p.command.Stdout, p.command.Stderr = p.out, p.log
	if _, err := p.command.StdinPipe(); err != nil { // open until it has ended
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.command.Wait()
		close(p.ended)
	}()
	return p
}

// kill is SIGKILL: nothing in the program can do anything about it.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// code is its exit code, once it has ended; -1 where a signal has ended it.
func (p *process) code() int {
	<-p.ended
	return p.command.ProcessState.ExitCode()
}
