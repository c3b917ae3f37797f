package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"resellerbot/internal/store"
)

// canceled is a context that has ended, so that what waits for its end does not.
func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// Outcome is what a subcommand did.
type Outcome struct {
	Code           int
	Stdout, Stderr string
}

// command runs a subcommand in an environment, without an .env file.
func command(t *testing.T, env map[string]string, args ...string) Outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Start(t.Context(), World{
		Args: args, Lookup: LookupIn(env), Stdout: &stdout, Stderr: &stderr, Dir: nowhere, Version: "1.2.3",
	})
	return Outcome{code, stdout.String(), stderr.String()}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"-h"}, {"help"}, {"run", "--help"}, {"version", "-h"}} {
		got := command(t, nil, args...)
		if got.Code != 0 || got.Stderr != "" {
			t.Errorf("%v: code %d, stderr %q", args, got.Code, got.Stderr)
		}
		for _, v := range listed(World{}.Verbs()) {
			if !strings.Contains(got.Stdout, "\n  "+v.Name+" ") {
				t.Errorf("%v: no word of %s", args, v.Name)
			}
		}
		for v := range new(Config).Variables {
			if !strings.Contains(got.Stdout, "\n  "+v.Name+" (") {
				t.Errorf("%v: no word of %s", args, v.Name)
			}
		}
	}
}

func TestBadUsage(t *testing.T) {
	for _, args := range [][]string{{"rnu"}, {"--verbose"}, {"run", "now"}, {"version", "--long"}, {"x\n"}} {
		got := command(t, fullEnv(), args...)
		if got.Code != ExitUsage || got.Stdout != "" || !strings.HasSuffix(got.Stderr, "; see bot --help\n") {
			t.Errorf("%v: %+v", args, got)
		}
		if strings.Count(got.Stderr, "\n") != 1 {
			t.Errorf("%v: more than a line: %q", args, got.Stderr)
		}
	}
	if got := command(t, nil, "rnu"); !strings.Contains(got.Stderr, "there are run, check,") {
		t.Errorf("no hint: %q", got.Stderr)
	}
}

func TestVersion(t *testing.T) {
	got := command(t, nil, "version")
	if got.Code != 0 || !strings.HasPrefix(got.Stdout, "bot 1.2.3 ") {
		t.Errorf("%+v", got)
	}
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.modified", Value: "true"}, {Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "then"}, {Key: "-race", Value: "true"},
	}}
	if parts := commitOf(info); !slices.Equal(parts, []string{"abc", "then", "modified"}) {
		t.Errorf("got %v", parts)
	}
}

func TestDotenvIsRead(t *testing.T) {
	var stderr bytes.Buffer
	dir := WriteDotenv(t, "LOG_LEVEL='loud'\n")
	code := Start(canceled(), World{Lookup: LookupIn(LeastEnv()), Stderr: &stderr, Dir: dir})
	if code != ExitRefused || !strings.HasPrefix(stderr.String(), "LOG_LEVEL: ") {
		t.Errorf("code %d, said %q", code, stderr.String())
	}
}

func TestHealthcheck(t *testing.T) {
	var answer atomic.Int32
	answer.Store(http.StatusOK)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(int(answer.Load()))
	}))
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	check := func(addr string, want int) {
		t.Helper()
		env := LeastEnv()
		env["HTTP_ADDR"] = addr
		if got := command(t, env, "healthcheck"); got.Code != want {
			t.Errorf("HTTP_ADDR=%s: %+v", addr, got)
		}
	}
	check("127.0.0.1:"+port, 0)
	check("0.0.0.0:"+port, 0)
	check(":"+port, 0)
	check("", 0)
	answer.Store(http.StatusServiceUnavailable)
	check("127.0.0.1:"+port, exitFailure)
	server.Close()
	check("127.0.0.1:"+port, exitFailure)
	if got := command(t, nil, "healthcheck"); got.Code != ExitRefused {
		t.Errorf("without a configuration: %+v", got)
	}
}

func TestReport(t *testing.T) {
	inUse := fmt.Errorf("open data/bot.db: %w", store.ErrInUse)
	for _, test := range []struct {
		err  error
		code int
		said string
	}{
		{nil, 0, ""},
		{inUse, ExitRefused, "bot: open data/bot.db: the database is in use by another process: stop that one first, or set another DATABASE_PATH\n"},
		{new(Config).hideIn(inUse), ExitRefused, "bot: open data/bot.db: the database is in use by another process: stop that one first, or set another DATABASE_PATH\n"},
		{errors.New("the disk is full"), exitFailure, "bot: the disk is full\n"},
		{configError{{"A", "is wrong", "a"}, {"B", "too", "b"}}, ExitRefused, "A: is wrong; accepted: a\nB: too; accepted: b\n"},
	} {
		var stderr bytes.Buffer
		if code := report(World{Stderr: &stderr}, test.err); code != test.code || stderr.String() != test.said {
			t.Errorf("%v: code %d, said %q", test.err, code, stderr.String())
		}
	}
}
