package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/app/apptest"
)

// documentedFields lists the fields of every resource that the interface shows, "Order (Current).key".
func documentedFields(t *testing.T) (all []string) {
	t.Helper()
	text := apptest.ReadFile(t, "docs/reseller-api.md")
	_, text, _ = strings.Cut(text, "## Resources and their fields")
	text, _, _ = strings.Cut(text, "\n## ")
	resource := ""
	row := regexp.MustCompile(`^\| ([a-z_]+) \|`)
	title := regexp.MustCompile(`^### ([^,(]+?(?: \(Current\))?)(?: \(all JSON responses\))?$`)
	bullet := regexp.MustCompile(`^- ([^:]+): (.*)$`)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := title.FindStringSubmatch(line); m != nil {
			resource = m[1]
		} else if m := row.FindStringSubmatch(line); m != nil {
			all = append(all, resource+"."+m[1])
		} else if m := bullet.FindStringSubmatch(line); m != nil && resource == "Legacy shapes" {
			of := "Legacy " + strings.TrimPrefix(m[1], "Legacy ")
			all = append(all, namesIn(of, m[2])...)
		} else if _, plus, ok := strings.Cut(line, "fields plus: "); ok {
			all = append(all, namesIn(resource, plus)...)
		}
	}
	return all
}

// namesIn lists the names of fields that a sentence gives.
func namesIn(resource, text string) (all []string) {
	text = regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(text, "")
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.Trim(name, " ."); regexp.MustCompile(`^[a-z_]+$`).MatchString(name) {
			all = append(all, resource+"."+name)
		}
	}
	return all
}

// code is what packages declare: the fields of types, "Order.Code", and what each function selects.
type code struct {
	fields  map[string]bool
	selects map[string]map[string]bool // by "screen.entry"
}

// readCode reads the packages that a field passes through.
func readCode(t *testing.T) code {
	t.Helper()
	c := code{fields: map[string]bool{}, selects: map[string]map[string]bool{}}
	for _, pkg := range []string{"api", "screen", "conversations"} {
		files, err := filepath.Glob(filepath.Join(apptest.Root, "internal", pkg, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(pkg, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			c.take(pkg, parsed)
		}
	}
	return c
}

// take enters what a file declares.
func (c code) take(pkg string, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			c.function(pkg+"."+d.Name.Name, d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && pkg == "api" {
					c.structure(s)
				}
			}
		}
	}
}

func (c code) function(name string, d *ast.FuncDecl) {
	if c.selects[name] == nil {
		c.selects[name] = map[string]bool{}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			c.selects[name][s.Sel.Name] = true
		}
		return true
	})
}

func (c code) structure(s *ast.TypeSpec) {
	body, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range body.Fields.List {
		for _, name := range f.Names {
			c.fields[s.Name.Name+"."+name.Name] = true
		}
	}
}

// TestFields: docs/fields.md has a row for each documented field and for nothing else, and what its cells name is there: the
// client has the field, and the screen reads it. What no screen shows has a reason.
func TestFields(t *testing.T) {
	want := documentedFields(t)
	if len(want) < 90 {
		t.Fatalf("only %d fields are found in the document: %v", len(want), want)
	}
	c := readCode(t)
	row := regexp.MustCompile("(?m)^\\| ([^|]+) \\| `([a-z_]+)` \\| (\\S.*?) \\| (\\S.*?) \\| (.*?) ?\\|$")
	var got []string
	for _, m := range row.FindAllStringSubmatch(apptest.ReadFile(t, "docs/fields.md"), -1) {
		field, client, screen, why := m[1]+"."+m[2], strings.Trim(m[3], "`—"), strings.Trim(m[4], "`—"), m[5]
		got = append(got, field)
		fn, reads, inFunction := strings.Cut(client, ":")
		switch {
		case client == "" && (screen != "" || why == ""):
			t.Errorf("%s: the client has nothing of it, and there is no reason", field)
		case inFunction && !c.selects["api."+fn][reads]:
			t.Errorf("%s: api.%s does not read %s", field, fn, reads)
		case client != "" && !inFunction && !c.fields[client]:
			t.Errorf("%s: there is no field %s in internal/api", field, client)
		}
		fn, reads, _ = strings.Cut(screen, " ")
		switch {
		case screen == "" && strings.TrimSpace(why) == "":
			t.Errorf("%s is shown nowhere, and nobody says why", field)
		case screen != "" && !c.selects[fn][reads]:
			t.Errorf("%s: %s does not read %s", field, fn, reads)
		}
	}
	for _, field := range want {
		if !slices.Contains(got, field) {
			t.Errorf("%s is documented and has no row", field)
		}
	}
	slices.Sort(got)
	if doubled := slices.Compact(slices.Clone(got)); len(doubled) != len(got) {
		t.Error("a field has two rows")
	}
	for _, field := range got {
		if !slices.Contains(want, field) {
			t.Errorf("%s has a row and is not documented", field)
		}
	}
}
