package locales

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"resellerbot/internal/sampletest"
)

// call is a place in the program that prints a text.
type call struct {
	where  string
	method string // T, t or plain; N; button
	key    string
	fills  []string // the names of what it fills in, in order
	open   bool     // it fills in what was put together elsewhere
}

// program is what the program's sources say about texts.
type program struct {
	literals map[string]bool   // every string literal
	keys     map[string]string // literals of packages that print, by value: where one stands
	calls    []call
}

// sources reads the program's Go files, without tests.
func sources(t *testing.T) program {
	t.Helper()
	p := program{literals: map[string]bool{}, keys: map[string]string{}}
	fset := token.NewFileSet()
	byDir := map[string][]*ast.File{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "tools") {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		byDir[filepath.Dir(name)] = append(byDir[filepath.Dir(name)], file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range byDir {
		p.note(fset, dir)
	}
	return p
}

// note takes down what the files of one package say.
func (p *program) note(fset *token.FileSet, dir []*ast.File) {
	prints := slices.ContainsFunc(dir, func(f *ast.File) bool {
		return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"resellerbot/locales"` })
	})
	for _, file := range dir {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := literal(n); ok {
				p.literals[s] = true
				if prints {
					p.keys[s] = fset.Position(n.Pos()).String()
				}
			}
			if c, ok := printing(n); ok && prints {
				c.where = fset.Position(n.Pos()).String()
				p.calls = append(p.calls, c)
			}
			return true
		})
	}
}

// literal is the value of a string literal.
func literal(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// printing reads a call of a printer whose key is written out.
func printing(n ast.Node) (c call, ok bool) {
	x, ok := n.(*ast.CallExpr)
	if !ok || len(x.Args) == 0 {
		return call{}, false
	}
	sel, ok := x.Fun.(*ast.SelectorExpr)
	if !ok {
		return call{}, false
	}
	c.method = sel.Sel.Name
	if c.key, ok = literal(x.Args[0]); !ok {
		return call{}, false
	}
	switch {
	case c.method == "button":
	case (c.method == "T" || c.method == "t" || c.method == "plain") && len(x.Args) == 2, c.method == "N" && len(x.Args) == 3:
		c.fills, c.open = filled(x.Args[len(x.Args)-1])
	default:
		return call{}, false
	}
	return c, true
}

// filled lists the names in an Args literal; open where it is none.
func filled(e ast.Expr) (names []string, open bool) {
	if id, ok := e.(*ast.Ident); ok && id.Name == "nil" {
		return nil, false
	}
	args, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, true
	}
	for _, element := range args.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if name, ok := literal(pair.Key); ok {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names, false
}

func TestEveryTextIsUsed(t *testing.T) {
	sampletest.MoreThanFew(t)
	used := sources(t).literals
	for key := range read(t, "en") {
		if !used[key] {
			t.Errorf("nothing prints %s; a key has to be written out whole where it is used", key)
		}
	}
}

// TestEveryKeyHasItsText looks at what is printed, and at literals that look like a key of a family that
// there is.
func TestEveryKeyHasItsText(t *testing.T) {
	sampletest.MoreThanFew(t)
	texts, p := read(t, "en"), sources(t)
	families := map[string]bool{}
	for key := range texts {
		family, _, _ := strings.Cut(key, ".")
		families[family] = true
	}
	form := regexp.MustCompile(`^([a-z]+)\.[a-z0-9_.]+$`)
	for key, where := range p.keys {
		m := form.FindStringSubmatch(key)
		if _, ok := texts[key]; !ok && m != nil && families[m[1]] {
			t.Errorf("%s: there is no text %s", where, key)
		}
	}
	for _, c := range p.calls {
		if _, ok := texts[c.key]; !ok {
			t.Errorf("%s: there is no text %s", c.where, c.key)
		}
	}
}

// TestCallsFitTheirText: a text that counts is printed with N and no other is, and what is filled in is
// what the text has placeholders for.
func TestCallsFitTheirText(t *testing.T) {
	sampletest.MoreThanFew(t)
	texts, calls := read(t, "en"), sources(t).calls
	if len(calls) < 50 {
		t.Errorf("only %d places print a text: this test does not see them", len(calls))
	}
	for _, c := range calls {
		x, ok := texts[c.key]
		if !ok {
			continue
		}
		if counts := c.method == "N"; counts != x.plural {
			t.Errorf("%s: %s is printed with %s", c.where, c.key, c.method)
		}
		want := slices.DeleteFunc(x.names(), func(s string) bool { return x.plural && s == "N" })
		if !c.open && !slices.Equal(c.fills, want) {
			t.Errorf("%s: %s is filled with %q, want %q", c.where, c.key, c.fills, want)
		}
	}
}
