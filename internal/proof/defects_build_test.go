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
	"go/printer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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
	outlines map[string]*ast.File // without what functions do
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
	c := &compiler{files: map[string][]string{}, paths: map[string]string{}, exports: map[string]string{}, set: token.NewFileSet(),
		parsed: map[string]*ast.File{}, outlines: map[string]*ast.File{}}
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

// check checks the package in a folder, with some files changed. Where these declare what they did before, of the other files only the
// declarations are looked at: what functions do there cannot have become wrong, but for a cycle of initialization through them.
func (c *compiler) check(dir string, changed map[string]string) error {
	declared := true
	for name, text := range changed {
		same, err := c.declaresTheSame(name, text)
		if err != nil {
			return err
		}
		declared = declared && same
	}
	var files []*ast.File
	for _, name := range c.files[dir] {
		name = path.Join(dir, name)
		text, isChanged := changed[name]
		var f *ast.File
		var err error
		switch {
		case isChanged:
			f, err = c.parse(name, text)
		case declared:
			f, err = c.outline(name)
		default:
			f, err = c.read(name)
		}
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	var found error
	conf := types.Config{Importer: c.importer, Error: func(err error) {
		var e types.Error
		// A file without what its functions do imports what it does not use, and the like.
		if errors.As(err, &e) && declared && !c.isIn(changed, e.Pos) {
			return
		}
		found = errors.Join(found, err)
	}}
	_, _ = conf.Check(c.paths[dir], c.set, files, nil) // each error is told above
	return found
}

// isIn reports whether a place is in one of the changed files.
func (c *compiler) isIn(changed map[string]string, at token.Pos) bool {
	for name := range changed {
		if c.set.Position(at).Filename == filepath.Join(apptest.Root, filepath.FromSlash(name)) {
			return true
		}
	}
	return false
}

func (c *compiler) parse(name string, source any) (*ast.File, error) {
	return parser.ParseFile(c.set, filepath.Join(apptest.Root, filepath.FromSlash(name)), source, parser.SkipObjectResolution)
}

// read is a file as it is, parsed once.
func (c *compiler) read(name string) (*ast.File, error) {
	if f := c.parsed[name]; f != nil {
		return f, nil
	}
	f, err := c.parse(name, nil)
	c.parsed[name] = f
	return f, err
}

// outline is a file as it is, without what functions do.
func (c *compiler) outline(name string) (*ast.File, error) {
	if f := c.outlines[name]; f != nil {
		return f, nil
	}
	f, err := c.parse(name, nil)
	if err != nil {
		return nil, err
	}
	withoutBodies(f)
	c.outlines[name] = f
	return f, nil
}

// withoutBodies takes out what the functions of a file do.
func withoutBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
}

// declaresTheSame reports whether a changed file differs from what it is by what its functions do alone.
func (c *compiler) declaresTheSame(name, text string) (bool, error) {
	is, err := c.outline(name)
	if err != nil {
		return false, err
	}
	f, err := c.parse(name, text)
	if err != nil {
		return false, err
	}
	withoutBodies(f)
	before, err := c.printed(is)
	if err != nil {
		return false, err
	}
	after, err := c.printed(f)
	return before == after, err
}

// printed is a file as text.
func (c *compiler) printed(f *ast.File) (string, error) {
	var b strings.Builder
	err := printer.Fprint(&b, c.set, f)
	return b.String(), err
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

// TestDefectsBuild: a package builds with each defect in it. One that does not is caught by the compiler and by no test, and nobody hears
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
