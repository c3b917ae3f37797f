package app

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/store/bolt"
)

// What the check of a database file may take. Its needs grow with the file: it notes every page.
const (
	checkTime    = 30 * time.Second
	checkSpeed   = 64 << 20  // bytes that are read in each second more
	checkMemory  = 256 << 20 // of memory that it fills itself
	checkDensity = 16        // bytes of the file for each byte more
	mostSaid     = 64 << 10  // bytes of what the child says
)

// saidInUse is what check-file prints where another process may write to the file.
const saidInUse = "in use\n"

// errUnsound ends check-file after it has said what is wrong.
var errUnsound = errors.New("the file is not sound")

// checkFile is the subcommand that reads a database file and says what is wrong with it, a line for each
// thing. A damaged file can crash, fill or occupy whoever reads it: so the bot has it done by a process of
// its own, which ends with its input at the latest.
func checkFile(ctx context.Context, w World, args []string) error {
	flags := flag.NewFlagSet("check-file", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	memory := flags.Uint64("memory", 0, "bytes of memory that it may fill; 0 for no limit")
	if err := flags.Parse(args); err != nil || flags.NArg() != 1 {
		return UsageError("check-file takes one file")
	}
	path := flags.Arg(0)
	// Before the file is touched: what follows may take all that it gets.
	if *memory > 0 {
		if err := confine(*memory, mapped(path)); err != nil {
			return fmt.Errorf("limit the memory of the check: %w", err)
		}
	}
	type outcome struct {
		problems []string
		err      error
	}
	// Buffered, and on a goroutine of its own: a damaged file may keep the check busy for ever, and the process ends all the
	// same.
	done := make(chan outcome, 1)
	go func() {
		problems, err := bolt.CheckFile(path)
		done <- outcome{problems, err}
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	// Its input is a pipe of the parent (leash): it ends with the parent, even where that is killed.
	case <-Ended(w.Stdin):
		return errors.New("whoever wanted to know is gone")
	case got := <-done:
		return say(w.Stdout, got.problems, got.err)
	}
}

// say prints what check-file has found.
func say(to io.Writer, problems []string, err error) error {
	switch {
	case errors.Is(err, store.ErrInUse):
		fmt.Fprint(to, saidInUse)
		return err
	case err != nil:
		return err
	case len(problems) == 0:
		return nil
	}
	for _, p := range problems {
		fmt.Fprintln(to, p)
	}
	return errUnsound
}

// Ended is closed when an input ends. One that is nil never does.
func Ended(in io.Reader) <-chan struct{} {
	end := make(chan struct{})
	if in != nil {
		go func() {
			defer close(end)
			_, _ = io.Copy(io.Discard, in) // its end is all that counts
		}()
	}
	return end
}

// mapped is how much address space the file's map takes: bbolt doubles it up to a gigabyte, and adds
// gigabytes from there.
func mapped(path string) uint64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return 2*sizeOf(info) + 2<<30
}

// sizeOf is a file's size, which is not negative.
func sizeOf(info os.FileInfo) uint64 { return uint64(max(info.Size(), 0)) }

// checkInChild has a process of its own read a database file from end to end: a damaged one takes that
// process down, not this one. DamagedError where it is not sound, store.ErrInUse where another process has
// it open.
func checkInChild(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	program, err := ThisProgram()
	if err != nil {
		return fmt.Errorf("find this program to check the file with: %w", err)
	}
	most := checkTime + time.Duration(info.Size()/checkSpeed)*time.Second
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	memory := checkMemory + sizeOf(info)/checkDensity
	c := child{most: most}
	c.cmd = exec.CommandContext(limited, program, hiddenCheckFile, "-memory", strconv.FormatUint(memory, 10), "--", path) //nolint:gosec // G204: it is this program
	c.cmd.Env = []string{"GOMEMLIMIT=" + strconv.FormatUint(memory*3/4, 10), "GOTRACEBACK=none"}                          // and none of our secrets
	c.cmd.Stdout, c.cmd.Stderr = &c.said, &c.complained
	c.cmd.WaitDelay = time.Second
	leash, err := c.cmd.StdinPipe() // it ends when this process does, however that ends
	if err != nil {
		return fmt.Errorf("start the check of the file: %w", err)
	}
	defer leash.Close()
	return c.outcome(ctx, limited, c.cmd.Run())
}

// ThisProgram is the file of the running program, also where another version was put in its place since.
func ThisProgram() (string, error) {
	const running = "/proc/self/exe"
	if runtime.GOOS == "linux" {
		if _, err := os.Stat(running); err == nil {
			return running, nil
		}
	}
	return os.Executable()
}

// SlowError is that a file could not be read to its end in a time, most of which was waiting for the disk, or for a processor.
type SlowError time.Duration

// Error implements error.
func (e SlowError) Error() string {
	return fmt.Sprintf("reading the file did not end within %v, most of it waiting: it lies on a slow disk", time.Duration(e))
}

// child is a process that checks a file.
type child struct {
	cmd              *exec.Cmd
	most             time.Duration
	said, complained brief
}

// outcome is what the end of the process says of the file. ctx is that of whoever asked, limited ends when
// the child's time does.
func (c *child) outcome(ctx, limited context.Context, err error) error {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	// limited ends with ctx as well: whoever asked has left before it is said that time ran out.
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return c.late()
	case !errors.As(err, &exit):
		return fmt.Errorf("start the check of the file: %w", err)
	case string(c.said.text) == saidInUse:
		return store.ErrInUse
	// What it said is what is wrong with the file; an end without a word of that kind is a crash in the reading.
	case exit.ExitCode() == exitFailure && len(c.said.text) > 0:
		return DamagedError(c.said.line())
	case exit.ExitCode() == exitFailure:
		return fmt.Errorf("check the file: %s", strings.TrimPrefix(c.complained.line(), "bot: "))
	}
	return DamagedError(fmt.Sprintf("reading it crashed (%v: %s)", exit, cmp.Or(c.complained.line(), "without a word")))
}

// late is what it means that the process did not end in its time. One that has read a sound file has waited for the disk: what there is
// to compute takes a fraction of that time. One that has computed nearly all along has come to something that has no end.
func (c *child) late() error {
	ended := c.cmd.ProcessState
	if ended == nil { // it was not even started in time
		return SlowError(c.most)
	}
	worked := ended.UserTime() + ended.SystemTime()
	// Example: of 30 s, 22.5 s of a processor are work that does not end; less is a slow disk.
	if worked < c.most*3/4 {
		return SlowError(c.most)
	}
	return DamagedError(fmt.Sprintf("reading it does not come to an end: it has worked for %v, and not waited for the disk", worked.Round(time.Second)))
}

// brief keeps the beginning of what is written to it.
type brief struct{ text []byte }

// Write implements io.Writer.
func (b *brief) Write(p []byte) (int, error) {
	// The length of all is given back, so that the child does not fail for having more to say.
	b.text = append(b.text, p[:min(len(p), mostSaid-len(b.text))]...)
	return len(p), nil
}

// line is the first line, fit to be printed.
func (b *brief) line() string {
	line, _, _ := strings.Cut(string(b.text), "\n")
	quoted := strconv.Quote(line)
	return quoted[1 : len(quoted)-1]
}
