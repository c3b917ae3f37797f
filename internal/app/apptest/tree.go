package apptest

import (
	"os"
	"path/filepath"
	"testing"
)

// root is the module's directory, module its path.
const (
	Root   = "../.."
	Module = "resellerbot/"
)

// ReadFile reads a file of the project.
func ReadFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
