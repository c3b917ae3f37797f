// Package app is the program: what configures it, how it is wired, started and stopped, what it tells of its health, and
// its subcommands. What the whole of it does is seen in tests through package apptest.
package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	// The image has no zone files, and the hours of people and of the service are local ones.
	_ "time/tzdata"

	"resellerbot/internal/store"
	"resellerbot/locales"
)

// World is everything outside the process that a subcommand may touch, so that tests can bring their own.
type World struct {
	Args   []string                         // without the program's name
	Lookup func(name string) (string, bool) // the environment
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Dir    string // where .env is and relative paths start
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	Listen func(network, addr string) (net.Listener, error)
	// Local listens at a path of this machine, for the owner of the process alone; nil: nobody looks into the running bot.
	Local   func(path string) (net.Listener, error)
	Version string
	More    []Subcommand // subcommands beside the program's own
	// Engine wraps the store's engine, for tests that break it; nil leaves it alone.
	Engine func(store.Engine) store.Engine
	// Gate wraps a gate, by the name of its wire, for tests that break it; nil leaves it alone.
	Gate func(wire string, gate func(context.Context) error) func(context.Context) error
	// Texts are texts that tests have loaded once for many runs; nil loads them.
	Texts *locales.Catalogue
	// Lease is for how long a process that shares the database may show no life before another takes over; zero is as usual.
	Lease time.Duration
	// Free is how many bytes the disk of a folder has left, where that is known; nil asks the disk.
	Free func(dir string) (bytes int64, known bool)
	// CheckFile reads a database file from end to end where a damaged one does no harm: DamagedError where it
	// is not sound. Nil leaves it out.
	CheckFile func(ctx context.Context, path string) error
}

// Exit codes: 0 is a clean end. Whoever starts the bot again goes by them, so a refusal has one that the Go runtime
// never ends with: a panic and a fatal error end with 2.
const (
	exitFailure = 1  // something failed while running
	ExitUsage   = 2  // a command line that means nothing here
	exitFenced  = 3  // another process has taken over: start again, to stand by
	ExitRefused = 78 // bad configuration, or a database that cannot be used as it is; sysexits calls it EX_CONFIG
)

// Main runs the subcommand that the command line names, with what is outside of the process, and returns the
// exit code. SIGTERM and an interrupt end it well. more are subcommands beside its own.
func Main(version string, more []Subcommand) int {
	return MainIn(Outside(version, more))
}

// Outside is what is outside of this process.
func Outside(version string, more []Subcommand) World {
	return World{
		Args: os.Args[1:], Lookup: os.LookupEnv, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: ".", More: more,
		Dial: (&net.Dialer{}).DialContext, Listen: net.Listen, Local: listenLocal, Version: version, CheckFile: checkInChild,
	}
}

// MainIn is Main in another world.
func MainIn(w World) int {
	keepToItself()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return Start(ctx, w)
}

// Start runs the subcommand that the arguments name and returns the exit code.
func Start(ctx context.Context, w World) int {
	return report(w, dispatch(ctx, w))
}

// report says how a subcommand ended, where that needs saying, and returns the exit code.
func report(w World, err error) int {
	var bad configError
	var misused UsageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(w.Stdout, helpText(w.Verbs()))
		return 0
	case errors.As(err, &bad):
		fmt.Fprintln(w.Stderr, bad) // a line for each wrong variable and nothing else
		return ExitRefused
	case errors.As(err, &misused):
		fmt.Fprintf(w.Stderr, "bot: %v; see bot --help\n", misused)
		return ExitUsage
	}
	if advice, ok := refused(err); ok {
		fmt.Fprintf(w.Stderr, "bot: %v: %s\n", err, advice)
		return ExitRefused
	}
	fmt.Fprintf(w.Stderr, "bot: %v\n", err)
	if errors.Is(err, store.ErrFenced) {
		return exitFenced
	}
	return exitFailure
}
