package atomicfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"resellerbot/internal/atomicfile"
)

// TestWrite: what cannot be written whole leaves what was there, and nothing beside it; what can is its owner's alone.
func TestWrite(t *testing.T) {
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
		if err := atomicfile.Write(path, ".part-*", write(step.text, step.err)); !errors.Is(err, step.err) {
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
	if err := atomicfile.Write(filepath.Join(dir, "none", "f"), ".part-*", write("x", nil)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

// TestOpen: a file is whole when it gets its name, goes on being written to under it, and takes nobody's place where it is to be the
// first there.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path, broken := filepath.Join(dir, "f"), errors.New("the disk is full")
	for _, step := range []struct {
		text  string
		first bool
		err   error // of the writing
		fails error
		want  string
	}{
		{"one", true, nil, nil, "one, and more"},
		{"two", true, nil, fs.ErrExist, "one, and more"},
		{"half of", false, broken, broken, "one, and more"},
		{"three", false, nil, nil, "three, and more"},
	} {
		f, err := atomicfile.Open(path, ".part-*", step.first, func(f *os.File) error {
			_, err := f.WriteString(step.text)
			return errors.Join(err, step.err)
		})
		if !errors.Is(err, step.fails) {
			t.Errorf("%q: %v", step.text, err)
		}
		if err == nil {
			if _, err := f.WriteString(", and more"); err != nil || f.Close() != nil {
				t.Errorf("%q is not left open: %v", step.text, err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != step.want {
			t.Errorf("after %q there is %q: %v", step.text, got, err)
		}
		if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
			t.Errorf("beside it there are %v: %v", all, err)
		}
	}
}
