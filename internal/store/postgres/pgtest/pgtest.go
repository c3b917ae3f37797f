// Package pgtest runs a real PostgreSQL for tests: in a temporary folder, as an ordinary user, reached through a socket in
// that folder. One serves all tests of a process; it ends, and its folder goes, with the process, however that ends.
package pgtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Server is a PostgreSQL of the tests.
type Server struct {
	Dir string // with its data in "data", its socket and its log

	bin   string
	alive io.Closer // the pipe whose end has the server stopped
	next  atomic.Int64
}

// ErrNone: there is no PostgreSQL on this machine.
var ErrNone = errors.New("no PostgreSQL is installed: no initdb in PATH or /usr/lib/postgresql")

// shared is the server of this process.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// Shared is the server of this process. Where there is no PostgreSQL the test is skipped.
func Shared(tb testing.TB) *Server {
	tb.Helper()
	shared.once.Do(func() { shared.server, shared.err = Start() })
	return need(tb, shared.server, shared.err)
}

// New is a server that goes with the test. Where there is no PostgreSQL the test is skipped.
func New(tb testing.TB, settings ...string) *Server {
	tb.Helper()
	s, err := Start(settings...)
	s = need(tb, s, err)
	tb.Cleanup(s.Stop)
	return s
}

func need(tb testing.TB, s *Server, err error) *Server {
	tb.Helper()
	if errors.Is(err, ErrNone) {
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Start makes and starts a server with settings as "name=value".
func Start(settings ...string) (*Server, error) { return StartIn("", settings...) }

// StartIn is Start in a folder that is made in another one; empty: in memory, where that can be.
func StartIn(dir string, settings ...string) (*Server, error) {
	s, err := folder(dir)
	if err != nil {
		return nil, err
	}
	err = s.command("initdb", "-D", s.data(), "-U", "bot", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	if err == nil {
		err = s.Up(settings...)
	}
	if err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// folder makes a folder for servers, which go with this process.
func folder(within string) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(cmp.Or(within, roomy()), "pg-*")
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir, bin: bin}
	if err := errors.Join(give(dir), s.watch()); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

// Up starts a server that is down.
func (s *Server) Up(settings ...string) error {
	var options strings.Builder
	options.WriteString("-k " + s.Dir + " -c listen_addresses='' -c max_connections=300")
	for _, setting := range settings {
		options.WriteString(" -c " + setting)
	}
	return s.command("pg_ctl", "-D", s.data(), "-l", filepath.Join(s.Dir, "log"), "-o", options.String(), "-w", "-t", "60", "start")
}

// Down stops the server at once, as a crash does.
func (s *Server) Down() error {
	return s.command("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop")
}

// Stop ends the server and removes its folder.
func (s *Server) Stop() { s.alive.Close() }

// Programs is the folder of PostgreSQL's programs.
func (s *Server) Programs() string { return s.bin }

// URL leads to a database of the server.
func (s *Server) URL(database string, options url.Values) string {
	values := url.Values{"host": {s.Dir}}
	maps.Copy(values, options)
	return (&url.URL{Scheme: "postgres", User: url.User("bot"), Path: "/" + database, RawQuery: values.Encode()}).String()
}

// Fresh leads to an empty schema of its own.
func (s *Server) Fresh(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprintf("t%d", s.next.Add(1))
	s.Do(tb, "create schema "+name)
	return s.URL("postgres", url.Values{"search_path": {name}})
}

// Do runs a statement in the database "postgres", outside of what is tested.
func (s *Server) Do(tb testing.TB, statement string) {
	tb.Helper()
	conn, err := pgx.Connect(context.Background(), s.URL("postgres", nil))
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), statement); err != nil {
		tb.Fatal(err)
	}
}

func (s *Server) data() string { return filepath.Join(s.Dir, "data") }

// command runs one of PostgreSQL's programs as the server's user.
func (s *Server) command(name string, args ...string) error {
	said, err := os.CreateTemp(s.Dir, name+"-*")
	if err != nil {
		return err
	}
	defer said.Close()
	cmd := exec.CommandContext(context.Background(), filepath.Join(s.bin, name), args...) //nolint:gosec // all of it is said here
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = s.Dir, said, said, ordinary()
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(said.Name())
		return fmt.Errorf("%s: %w\n%s", name, err, text)
	}
	return nil
}

// watch starts who stops the server and removes its folder once this process has let go of a pipe.
func (s *Server) watch() error {
	const script = `trap '' INT TERM HUP; cat >/dev/null; for f in "$2"/*/postmaster.pid; do "$1"/pg_ctl -D "${f%/*}" -m immediate -w stop >/dev/null 2>&1; done; rm -rf "$2"`
	cmd := exec.CommandContext(context.Background(), "sh", "-c", script, "sh", s.bin, s.Dir) //nolint:gosec // all of it is said here
	cmd.Dir, cmd.SysProcAttr = "/", ordinary()
	var err error
	if s.alive, err = cmd.StdinPipe(); err != nil {
		return err
	}
	return cmd.Start()
}

// binaries finds PostgreSQL's programs, the newest of Debian's versions.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		path, err = filepath.EvalSymlinks(path) // the others may lie beside it alone
		return filepath.Dir(path), err
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.Join(ErrNone, err)
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return filepath.Dir(found[len(found)-1]), nil
}

// roomy is a folder in memory where there is one: a name of a socket is short, and nothing here cuts the power.
func roomy() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}
