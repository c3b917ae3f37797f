package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
)

// testCommand is how the tests are run, everywhere.
const testCommand = "go test -race ./..."

// What is written down about the configuration is what the table says. -update writes it anew.
func TestDocs(t *testing.T) {
	readme := apptest.ReadFile(t, "README.md")
	const begin, end = "<!-- configuration: made by go test ./internal/app -run TestDocs -update -->\n", "<!-- end of configuration -->"
	before, rest, ok := strings.Cut(readme, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md has no place for the table between %q and %q", begin, end)
	}
	for name, want := range map[string]string{
		"README.md":    before + begin + app.ReadmeTable() + end + after,
		".env.example": app.EnvExample(),
	} {
		if *app.Update {
			if err := os.WriteFile(filepath.Join(apptest.Root, name), []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if apptest.ReadFile(t, name) != want {
			t.Errorf("%s is not what the configuration table says; go test ./internal/app -run TestDocs -update", name)
		}
	}
}

// Somebody who fills in .env.example's required variables can start.
func TestEnvExampleWorks(t *testing.T) {
	example := apptest.ReadFile(t, ".env.example")
	for name, value := range app.LeastEnv() {
		if !strings.Contains(example, "\n"+name+"=''\n") {
			t.Errorf("%s is not asked for", name)
		}
		example = strings.Replace(example, "\n"+name+"=''\n", "\n"+name+"='"+value+"'\n", 1)
	}
	none := app.LookupIn(nil)
	for _, text := range []string{example, regexp.MustCompile(`(?m)^#([A-Z_]+=)`).ReplaceAllString(example, "$1")} {
		lookup, err := app.WithDotenv(none, app.WriteDotenv(t, text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := app.ParseConfig(lookup)
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
		if !strings.Contains(apptest.ReadFile(t, name), want) {
			t.Errorf("%s does not run %q", name, testCommand)
		}
	}
}

// The README names each subcommand, and every file and folder that it points to is there.
func TestReadmeIsTrue(t *testing.T) {
	readme := apptest.ReadFile(t, "README.md")
	for _, v := range app.Listed(allVerbs()) {
		if !strings.Contains(readme, "`bot "+v.Name+"`") && v.Name != "run" && v.Name != "help" {
			t.Errorf("README.md does not name `bot %s`", v.Name)
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(readme, -1) {
		if _, err := os.Stat(filepath.Join(apptest.Root, link[1])); err != nil {
			t.Errorf("README.md points to %s, which is not there", link[1])
		}
	}
}
