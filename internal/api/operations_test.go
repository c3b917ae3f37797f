package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"resellerbot/internal/api/sim"
)

// table is operations, as "GET /balance", with the generations that have them.
type table map[string]string

// add notes an operation of a generation; one of two generations is of both.
func (o table) add(op, generation string) {
	if was := o[op]; was != "" && was != generation {
		generation = "both"
	}
	o[op] = generation
}

// missing lists what stands in o and not, or otherwise, in others.
func (o table) missing(others table) []string {
	var list []string
	for op, generation := range o {
		if others[op] != generation {
			list = append(list, op+" "+generation)
		}
	}
	slices.Sort(list)
	return list
}

// sources parses the package without its tests.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	return files
}

// annotated collects the annotations. They have to stand on a function, and each operation on one.
func annotated(t *testing.T, files map[string]*ast.File) table {
	t.Helper()
	form := regexp.MustCompile(`^//reseller:operation (GET|POST) (/\S+) (current|legacy|both)$`)
	found, all := table{}, 0
	for name, file := range files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Doc == nil {
				continue
			}
			for _, c := range fn.Doc.List {
				if !strings.HasPrefix(c.Text, "//reseller:") {
					continue
				}
				m := form.FindStringSubmatch(c.Text)
				if m == nil {
					t.Errorf("%s, %s: what does %s mean?", name, fn.Name, c.Text)
					continue
				}
				if op := m[1] + " " + m[2]; found[op] != "" {
					t.Errorf("%s, %s: %s is somebody else's too", name, fn.Name, op)
				} else {
					found.add(op, m[3])
				}
			}
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//reseller:") {
					all++
				}
			}
		}
	}
	if all != len(found) {
		t.Errorf("%d of %d annotations stand on a function", len(found), all)
	}
	return found
}

// TestOperations: what is annotated is what the package comment lists, what the code calls, what the
// document describes and what the simulator serves.
func TestOperations(t *testing.T) {
	files := sources(t)
	code := annotated(t, files)
	if len(code) < 8 {
		t.Fatalf("%d operations are annotated", len(code))
	}

	rows := regexp.MustCompile(`(?m)^\t(GET|POST) +(/\S+) +(current|legacy|both) +\S`)
	listed := table{}
	for _, m := range rows.FindAllStringSubmatch(files["doc.go"].Doc.Text(), -1) {
		if op := m[1] + " " + m[2]; listed[op] != "" {
			t.Errorf("the package comment lists %s twice", op)
		} else {
			listed.add(op, m[3])
		}
	}
	if n := strings.Count(files["doc.go"].Doc.Text(), "\n\t"); n != len(listed) {
		t.Errorf("%d of %d rows of the package comment can be read", len(listed), n)
	}
	same(t, code, "listed in the package comment", listed)

	named := table{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if op, err := strconv.Unquote(lit.Value); err == nil && regexp.MustCompile(`^(GET|POST) /\S+$`).MatchString(op) {
					named[op] = code[op]
				}
			}
			return true
		})
	}
	same(t, code, "named in the code", named)

	same(t, code, "described", described(t))

	served := table{}
	for _, op := range sim.Routes() {
		served[op] = code[op]
	}
	same(t, code, "served by the simulator", served)
}

// described collects the endpoints of the document: its two tables, and one that is mentioned in passing.
func described(t *testing.T) table {
	t.Helper()
	text, err := os.ReadFile("../../docs/reseller-api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, endpoints, _ := strings.Cut(string(text), "\n## Endpoints\n")
	endpoints, _, _ = strings.Cut(endpoints, "\n## ")
	current, legacy, ok := strings.Cut(endpoints, "\n### Legacy\n")
	if !ok {
		t.Fatal("the document has no Legacy endpoints")
	}
	rows := regexp.MustCompile(`(?m)^\| (GET|POST) \| (/\S+) \||\((GET) (/\S+)\)`)
	found := table{}
	for generation, part := range map[string]string{"current": current, "legacy": legacy} {
		for _, m := range rows.FindAllStringSubmatch(part, -1) {
			found.add(m[1]+m[3]+" "+m[2]+m[4], generation)
		}
	}
	return found
}

// same compares what is annotated with another table, both ways.
func same(t *testing.T, code table, how string, others table) {
	t.Helper()
	if list := code.missing(others); list != nil {
		t.Errorf("annotated, but not %s:\n\t%s", how, strings.Join(list, "\n\t"))
	}
	if list := others.missing(code); list != nil {
		t.Errorf("%s, but not annotated:\n\t%s", how, strings.Join(list, "\n\t"))
	}
}

// TestOperationsDiffer: the comparison itself is tried, as one that never fails proves nothing.
func TestOperationsDiffer(t *testing.T) {
	a := table{"GET /a": "current", "GET /b": "both"}
	for _, tc := range []struct {
		b    table
		want []string
	}{
		{maps.Clone(a), nil},
		{table{"GET /a": "current"}, []string{"GET /b both"}},
		{table{"GET /a": "legacy", "GET /b": "both"}, []string{"GET /a current"}},
		{table{"POST /a": "current", "GET /b/": "both"}, []string{"GET /a current", "GET /b both"}},
	} {
		if got := a.missing(tc.b); !slices.Equal(got, tc.want) {
			t.Errorf("%v lacks %q, want %q", tc.b, got, tc.want)
		}
	}
	both := table{}
	both.add("GET /a", "current")
	both.add("GET /a", "legacy")
	if both["GET /a"] != "both" {
		t.Errorf("%v", both)
	}
}
