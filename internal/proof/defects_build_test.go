//go:build defects

package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"resellerbot/internal/app/apptest"
)

// compiler checks the types of the program's packages with some of their files changed, without a build of the whole: what
// they import is read from what the go command has compiled.
type compiler struct {
	files    map[string][]string // of a folder, by their names
	paths    map[string]string   // import path of a folder
	exports  map[string]string   // file with what a package exports, by import path
	set      *token.FileSet
	parsed   map[string]*ast.File
	importer types.Importer
}

// listed is a package as the go command lists it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// listPackages has the go command compile the module, and lists its packages with all that they import.
func listPackages(t *testing.T) (all []listed) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./...")
	cmd.Dir = apptest.Root
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("list the packages: %v\n%s", err, problems.String())
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		err := decoder.Decode(&l)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
}

func newCompiler(t *testing.T, all []listed) *compiler {
	t.Helper()
	root, err := filepath.Abs(apptest.Root)
	if err != nil {
		t.Fatal(err)
	}
	c := &compiler{files: map[string][]string{}, paths: map[string]string{}, exports: map[string]string{}, set: token.NewFileSet(), parsed: map[string]*ast.File{}}
	for _, l := range all {
		c.exports[l.ImportPath] = l.Export
		if dir, err := filepath.Rel(root, l.Dir); err == nil && filepath.IsLocal(dir) {
			dir = filepath.ToSlash(dir)
			c.files[dir], c.paths[dir] = l.GoFiles, l.ImportPath
		}
	}
	c.importer = importer.ForCompiler(c.set, "gc", func(name string) (io.ReadCloser, error) { return os.Open(c.exports[name]) })
	return c
}

// check checks the package in a folder, with some files changed.
func (c *compiler) check(dir string, changed map[string]string) error {
	var files []*ast.File
	for _, name := range c.files[dir] {
		name = path.Join(dir, name)
		text, isChanged := changed[name]
		f := c.parsed[name]
		if f == nil || isChanged {
			var source any
			if isChanged {
				source = text
			}
			var err error
			if f, err = parser.ParseFile(c.set, filepath.Join(apptest.Root, filepath.FromSlash(name)), source, parser.SkipObjectResolution); err != nil {
				return err
			}
			if !isChanged {
				c.parsed[name] = f
			}
		}
		files = append(files, f)
	}
	_, err := (&types.Config{Importer: c.importer}).Check(c.paths[dir], c.set, files, nil)
	return err
}

// builds reports whether the program with a defect builds. What changes several packages, or has no package that was listed, the
// go command is asked about.
func (c *compiler) builds(t *testing.T, d defect) error {
	t.Helper()
	changed, err := d.mutated()
	if err != nil {
		return err
	}
	var dirs []string
	for name := range changed {
		if dir := path.Dir(name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 1 && slices.Contains(c.files[dirs[0]], path.Base(d.file)) {
		return c.check(dirs[0], changed)
	}
	w := newWorkshop(t)
	overlay, err := w.overlay(0, d)
	if err != nil {
		return err
	}
	args := []string{"build", "-o", os.DevNull, "-overlay=" + overlay}
	for _, dir := range dirs {
		args = append(args, "./"+dir)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = w.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w:\n%s", err, out)
	}
	return nil
}

// TestDefectsBuild: the program builds with every defect. One that does not is caught by the compiler and by no test, and nobody hears
// of it before all are tried.
func TestDefectsBuild(t *testing.T) {
	all := defects()
	list := listPackages(t)
	next := make(chan defect)
	var g sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		c := newCompiler(t, list)
		g.Go(func() {
			for d := range next {
				if err := c.builds(t, d); err != nil {
					t.Errorf("%s: %v", d.name, err)
				}
			}
		})
	}
	for _, d := range all {
		next <- d
	}
	close(next)
	g.Wait()
}
