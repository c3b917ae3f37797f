package sandbox_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"resellerbot/internal/app/apptest"
)

// aroundGo is what a Go program has around the lines of the README.
const aroundGo = `package main

import (
	"context"
	"log"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

func main() {
	ctx := context.Background()
`

// TestReadmeBots: what the README tells people to write is a bot that answers, in each language whose tools are here, and goes on
// after what it does not understand.
func TestReadmeBots(t *testing.T) {
	t.Parallel()
	for language, begin := range map[string]func(t *testing.T, lines string) *exec.Cmd{
		"go": func(t *testing.T, lines string) *exec.Cmd {
			t.Helper()
			program := filepath.Join(t.TempDir(), "echo")
			from := writeProgram(t, "main.go", aroundGo+lines+"}\n")
			if out, err := command(t, apptest.Root, "go", "build", "-o", program, from).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			return exec.CommandContext(context.WithoutCancel(t.Context()), program)
		},
		"js": func(t *testing.T, lines string) *exec.Cmd {
			t.Helper()
			program := filepath.Join(grammY(t), "echo.mjs")
			if err := os.WriteFile(program, []byte(lines), 0o600); err != nil {
				t.Fatal(err)
			}
			return exec.CommandContext(context.WithoutCancel(t.Context()), "node", program)
		},
		"python": func(t *testing.T, lines string) *exec.Cmd {
			t.Helper()
			need(t, "python3")
			return exec.CommandContext(context.WithoutCancel(t.Context()), "python3", writeProgram(t, "echo.py", lines))
		},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			p := runAlone(t)
			lines := strings.ReplaceAll(readmeLines(t, language), "http://127.0.0.1:8081", p.telegram)
			p.runBeside(begin(t, lines))
			p.hear("hello", p.say("hello"))
			p.control("/people/501/role", values{"chat": -4_000_000_100, "role": "administrator"}) // what docs/sandbox.md shows next is no text
			p.control("/people/501/contact", values{"member": 501})
			p.hear("hello, and שלום", p.say("hello, and שלום"))
		})
	}
}

// readmeLines is the program in a language that the README shows.
func readmeLines(t *testing.T, language string) string {
	t.Helper()
	_, section, _ := strings.Cut(apptest.ReadFile(t, "README.md"), "## Test your own bot or client against it\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, rest, found := strings.Cut(section, "```"+language+"\n")
	lines, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed || !strings.Contains(lines, oneToken) || !strings.Contains(lines, "http://127.0.0.1:8081") {
		t.Fatalf("the README has no lines in %s with the token and the address:\n%s", language, lines)
	}
	return lines
}

// writeProgram writes a program to a folder of the test's own.
func writeProgram(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
