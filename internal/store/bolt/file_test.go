package bolt_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"resellerbot/internal/store/bolt"
)

// TestWriteFile: what cannot be written whole leaves what was there, and nothing beside it; what can is its owner's alone.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path, broken := filepath.Join(dir, "f"), errors.New("the disk is full")
	write := func(text string, err error) func(*os.File) error {
		return func(f *os.File) error {
			_, werr := f.WriteString(text)
			return errors.Join(werr, err)
		}
	}
	for _, step := range []struct {
		text string
		err  error
		want string
	}{{"one", nil, "one"}, {"half of", broken, "one"}, {"two", nil, "two"}} {
		if err := bolt.WriteFile(path, ".part-*", write(step.text, step.err)); !errors.Is(err, step.err) {
			t.Errorf("%q: %v", step.text, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != step.want {
			t.Errorf("after %q there is %q: %v", step.text, got, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("its mode is %v", info.Mode())
		}
		if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
			t.Errorf("beside it there are %v: %v", all, err)
		}
	}
	if err := bolt.WriteFile(filepath.Join(dir, "none", "f"), ".part-*", write("x", nil)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}
