package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testCommand is how the tests are run, everywhere.
const testCommand = "go test -race ./..."

// readFile reads a file of the project.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is written down about the configuration is what the table says. -update writes it anew.
func TestDocs(t *testing.T) {
	readme := readFile(t, "README.md")
	const begin, end = "<!-- configuration: made by go test ./cmd/bot -run TestDocs -update -->\n", "<!-- end of configuration -->"
	before, rest, ok := strings.Cut(readme, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md has no place for the table between %q and %q", begin, end)
	}
	for name, want := range map[string]string{
		"README.md":    before + begin + readmeTable() + end + after,
		".env.example": envExample(),
	} {
		if *update {
			if err := os.WriteFile(filepath.Join(root, name), []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if readFile(t, name) != want {
			t.Errorf("%s is not what the configuration table says; go test ./cmd/bot -run TestDocs -update", name)
		}
	}
}

// Somebody who fills in .env.example's required variables can start.
func TestEnvExampleWorks(t *testing.T) {
	example := readFile(t, ".env.example")
	for name, value := range leastEnv() {
		if !strings.Contains(example, "\n"+name+"=''\n") {
			t.Errorf("%s is not asked for", name)
		}
		example = strings.Replace(example, "\n"+name+"=''\n", "\n"+name+"='"+value+"'\n", 1)
	}
	none := lookupIn(nil)
	for _, text := range []string{example, regexp.MustCompile(`(?m)^#([A-Z_]+=)`).ReplaceAllString(example, "$1")} {
		lookup, err := withDotenv(none, writeDotenv(t, text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseConfig(lookup)
		if err != nil {
			t.Fatal(err)
		}
		if got.HTTPAddr != "127.0.0.1:8080" || got.Language != "fr" {
			t.Errorf("the defaults are not what the example says: %v", got)
		}
	}
}

func TestOneTestCommand(t *testing.T) {
	for name, want := range map[string]string{
		"README.md": "\n" + testCommand + "\n",
		"Makefile":  "\n\t" + testCommand + "\n",
		".ci/run":   "\n  " + testCommand + "\n",
	} {
		if !strings.Contains(readFile(t, name), want) {
			t.Errorf("%s does not run %q", name, testCommand)
		}
	}
}

// The README names each subcommand, and every file and folder that it points to is there.
func TestReadmeIsTrue(t *testing.T) {
	readme := readFile(t, "README.md")
	for _, v := range listed(allVerbs()) {
		if !strings.Contains(readme, "`bot "+v.name+"`") && v.name != "run" && v.name != "help" {
			t.Errorf("README.md does not name `bot %s`", v.name)
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(readme, -1) {
		if _, err := os.Stat(filepath.Join(root, link[1])); err != nil {
			t.Errorf("README.md points to %s, which is not there", link[1])
		}
	}
}
