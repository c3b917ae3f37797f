//go:build defects

package proof

import (
	"cmp"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/app/apptest"
)

// defect is a mistake that somebody could make in the program, on purpose. The proof, or the tests of the
// package that it is in, must fail with it: `make defects` tries them all (defects_try_test.go).
type defect struct {
	name   string // what the mistake is
	file   string // from the module's root; what it changes may have moved to another file of its folder
	old    string // stands in the file once, or in its folder
	new    string
	also   []edit // where one change alone would not be the mistake
	breaks string // what comes of it for people
	holds  string // the invariant that is broken: its id, or words where the proof has none for it
	// by is who catches it, as arguments of go test, where that is neither a test of its own package nor the proof.
	by string
	// survives is why nothing can catch it; empty for everything that must be caught.
	survives string
}

// edit is one more change of a defect.
type edit struct{ file, old, new string }

// tests are the tests that may catch it, beside the proof, as arguments of go test.
func (d defect) tests() string {
	return cmp.Or(d.by, "./"+path.Dir(d.file))
}

// edits are all changes of a defect.
func (d defect) edits() []edit {
	return append([]edit{{d.file, d.old, d.new}}, d.also...)
}

// defects are all of them.
func defects() []defect {
	return slices.Concat(purchaseDefects(), apiDefects(), notifyDefects(), storeDefects(), conversationDefects(), orderDefects(), queueDefects(), keyDefects(), evidenceDefects(), priceDefects(), shapeDefects(), decideDefects(), outDefects(), followDefects(), refundDefects(), rightDefects(), textDefects(), codeDefects(), moreDefects(), realDefects(), menuDefects(), counterDefects(), shopDefects(), dailyDefects(), bookDefects(), nightDefects(), useDefects(), listDefects(), afterDefects(), sandboxDefects(), accountDefects())
}

// mutated are the files that a defect changes, by their path from the module's root, as it makes them.
func (d defect) mutated() (map[string]string, error) {
	files := map[string]string{}
	for _, e := range d.edits() {
		file, text, at, err := e.find(files)
		if err != nil {
			return nil, err
		}
		files[file] = text[:at[0]] + e.new + text[at[1]:]
	}
	return files, nil
}

// find tells where an edit is made: in which file, what stands there, and between which bytes. It is looked for in its own file, and
// then in the others of its folder: what moves within a package stays in the list. The changed files are as an edit before has made them.
func (e edit) find(changed map[string]string) (file, text string, at []int, err error) {
	folder := filepath.Join(apptest.Root, filepath.FromSlash(path.Dir(e.file)))
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", "", nil, err
	}
	times := 0
	look := func(name string) error {
		original, known := changed[name]
		if !known {
			read, err := os.ReadFile(filepath.Join(folder, path.Base(name)))
			if errors.Is(err, fs.ErrNotExist) { // it was renamed
				return nil
			}
			if err != nil {
				return err
			}
			original = string(read)
		}
		places := whereIs(e.old).FindAllStringIndex(original, 2)
		if times += len(places); len(places) == 1 {
			file, text, at = name, original, places[0]
		}
		return nil
	}
	if err := look(e.file); err != nil {
		return "", "", nil, err
	}
	for _, entry := range entries {
		name := path.Join(path.Dir(e.file), entry.Name())
		if times > 0 || name == e.file || path.Ext(name) != path.Ext(e.file) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if err := look(name); err != nil {
			return "", "", nil, err
		}
	}
	if times != 1 || e.old == e.new {
		return "", "", nil, fmt.Errorf("the old text stands %d times in %s or beside it, not once:\n%s", times, e.file, e.old)
	}
	return file, text, at, nil
}

// whereIs finds the old text of an edit, with or without comments between its lines: a comment changes nothing that a test
// could notice, so one that is added must not take a defect out of the list.
func whereIs(old string) *regexp.Regexp {
	var lines []string
	for line := range strings.SplitSeq(old, "\n") {
		if len(lines) == 0 || !strings.HasPrefix(strings.TrimSpace(line), "//") {
			lines = append(lines, regexp.QuoteMeta(line))
		}
	}
	return regexp.MustCompile(strings.Join(lines, `\n(?:[ \t]*//[^\n]*\n)*`))
}

// TestDefectsAreCurrent: every defect can still be made, so that the list does not rot. A rename may break what a defect is
// found by: CI tells, an ordinary run does not.
func TestDefectsAreCurrent(t *testing.T) {
	all := defects()
	if len(all) < 60 {
		t.Errorf("there are %d defects, which proves little", len(all))
	}
	seen := map[string]bool{}
	for _, d := range all {
		if seen[d.name] || d.name == "" || d.breaks == "" || d.holds == "" {
			t.Errorf("%q has no name of its own, or does not say what it breaks", d.name)
		}
		seen[d.name] = true
		files, err := d.mutated()
		if err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
		for name, text := range files {
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); err != nil {
				t.Errorf("%s: %v", d.name, err)
			}
		}
	}
}
