package purchase

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the diagram into the documentation")

// TestDocs: the documentation draws the life of a purchase as it is.
func TestDocs(t *testing.T) {
	const page, open, end = "../../docs/promise.md", "```mermaid\n", "```"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), open)
	if !found {
		t.Fatalf("%s has no diagram", page)
	}
	drawn, tail, _ := strings.Cut(rest, end)
	if drawn == Diagram() {
		return
	}
	if !*update {
		t.Fatalf("the diagram in %s is not the phase table; go test ./internal/purchase -run TestDocs -update", page)
	}
	if err := os.WriteFile(page, []byte(head+open+Diagram()+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
