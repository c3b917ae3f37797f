package sandbox_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/sandbox/worlds"
)

var rewrite = flag.Bool("update", false, "write the tables of docs/sandbox.md anew")

// TestDocs: the tables of docs/sandbox.md are what the code does. -update writes them anew.
func TestDocs(t *testing.T) {
	const begin, end = "<!-- made by go test ./internal/sandbox -run TestDocs -update -->\n", "<!-- end -->"
	doc := apptest.ReadFile(t, "docs/sandbox.md")
	before, rest, ok := strings.Cut(doc, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("docs/sandbox.md has no place for the tables between %q and %q", begin, end)
	}
	want := before + begin + controlTable() + methodTables(apptest.ReadFile(t, "internal/sandbox/tgsim/testdata/unemulated.txt")) + serviceTable() + end + after
	if *rewrite {
		if err := os.WriteFile(filepath.Join(apptest.Root, "docs/sandbox.md"), []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if doc != want {
		t.Error("docs/sandbox.md is not what the code does; go test ./internal/sandbox -run TestDocs -update")
	}
}

// controlTable lists what the control interface does.
func controlTable() string {
	var b strings.Builder
	b.WriteString("\n| `/control/v1`… | Takes | Does |\n|---|---|---|\n")
	for _, op := range worlds.Operations() {
		fmt.Fprintf(&b, "| %s `%s` | %s | %s |\n", op.Method, op.Path, op.Takes, op.Does)
	}
	return b.String()
}

// methodTables list what is emulated of the Bot API, and what is not. ignored is the golden list of what has no effect.
func methodTables(ignored string) string {
	parameters := map[string]string{}
	for line := range strings.Lines(ignored) {
		if name, list, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			parameters[name] = list
		}
	}
	var table strings.Builder
	var missing []string
	emulated := 0
	for _, m := range tgsim.Methods() {
		if !m.Emulated {
			missing = append(missing, "`"+m.Name+"`")
			continue
		}
		emulated++
		fmt.Fprintf(&table, "| `%s` | %s |\n", m.Name, parameters[m.Name])
	}
	return fmt.Sprintf("\n## Methods of the Bot API %s\n\n%d of %d are emulated:\n\n| Method | Parameters without effect |\n|---|---|\n%s\nThe other %d are refused with 501:\n%s.\n",
		tgsim.BotAPIVersion(), emulated, emulated+len(missing), &table, len(missing), strings.Join(missing, ", "))
}

// serviceTable lists the operations of the service.
func serviceTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## Operations of the service\n\nAll %d of [the document](reseller-api.md), below `/api`:\n\n| Operation | Generation |\n|---|---|\n", len(sim.Operations()))
	for _, op := range sim.Operations() {
		fmt.Fprintf(&b, "| %s `%s` | %s |\n", op.Method, op.Path, op.Generation)
	}
	return b.String() + "\n"
}
