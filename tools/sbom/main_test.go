package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSBOM describes the test's own binary, twice.
func TestSBOM(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := run([]string{self}, out); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() {
		t.Error("two documents of one binary differ")
	}
	var d document
	if err := json.Unmarshal(first.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Format != "CycloneDX" || len(d.Components) == 0 || !strings.HasPrefix(d.Components[0].PURL, "pkg:golang/std@go1.") || len(d.Metadata.Component.Hashes[0].Content) != 64 {
		t.Errorf("got %+v", d)
	}
	if len(d.Dependencies) != 1 || len(d.Dependencies[0].Uses) != len(d.Components) {
		t.Errorf("dependencies %+v", d.Dependencies)
	}
}

func TestNoBinary(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("not a binary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {text}, {text + "x"}, {text, text}} {
		if err := run(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
