package app_test

import (
	"go/ast"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
)

// sampledTests is what CI plays in full, after it has played a part of it under the race detector.
const sampledTests = "../../.ci/sampled"

// askedFor is what a test asks the environment for that plays a sample, as it is written.
const askedFor = `"SAMPLES"`

// inTwo are CI's two runs of the proof: those with a variable of their own, and all others.
var inTwo = regexp.MustCompile(`-run '\^\(([A-Za-z|]+)\)\$' \./internal/proof\n.* -skip '\^\(TestDefects\|([A-Za-z|]+)\)\$' \./internal/proof\n`)

// TestDocsOfSamples: a test of which the race detector has seen a part is played in full. So CI names every test that can
// reach a question about SAMPLES: those of the proof and of the engine over a server in the script, all others in a list, which
// "make docs" writes.
func TestDocsOfSamples(t *testing.T) {
	ci := apptest.ReadFile(t, ".ci/run")
	lines := []string{"# Made by `make docs`: the tests that play samples. CI plays them with SAMPLES=full.\n"}
	for dir, tests := range sampledIn(sources(t)) {
		switch dir {
		case "internal/proof":
			if m := inTwo.FindStringSubmatch(ci); m == nil || m[1] != m[2] {
				t.Errorf(".ci/run does not play all of %s in full: %q", dir, m)
			}
		case "internal/store/postgres":
			if !strings.Contains(ci, "go test -count 1 ./"+dir+"\n") {
				t.Errorf(".ci/run does not play %s in full", dir)
			}
		default:
			for _, name := range tests {
				lines = append(lines, dir+" "+name+"\n")
			}
		}
	}
	slices.Sort(lines)
	text := strings.Join(lines, "")
	if *app.Update {
		if err := os.WriteFile(filepath.FromSlash(sampledTests), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if is, err := os.ReadFile(filepath.FromSlash(sampledTests)); err != nil || string(is) != text {
		t.Errorf("%s is not what it has to be (%v): run make docs", sampledTests, err)
	}
}

// sampledIn finds the tests of each package that can reach a question about SAMPLES, by the names of functions: rather too many
// than too few.
func sampledIn(all []source) map[string][]string {
	dirs := map[string]map[string]mentions{}
	for _, s := range all {
		dir := path.Dir(s.path)
		if dirs[dir] == nil {
			dirs[dir] = map[string]mentions{}
		}
		if s.test() {
			mentioned(s.file, dirs[dir])
		}
	}
	// The helpers that ask: those that can be told how much to play, and those of the whole program that ask them.
	asks := reaching(dirs["internal/sampletest"], func(m mentions) bool { return m[askedFor] })
	asks = append(asks, reaching(dirs["internal/app/apptest"], func(m mentions) bool { return m["sampletest"] && m.any(asks) })...)
	found := map[string][]string{}
	for dir, names := range dirs {
		asking := func(m mentions) bool { return m[askedFor] || (m["sampletest"] || m["apptest"]) && m.any(asks) }
		if slices.Contains(reaching(names, asking), "TestMain") { // it has rapid try less
			one := asking
			asking = func(m mentions) bool { return one(m) || m["rapid"] }
		}
		for _, name := range reaching(names, asking) {
			if strings.HasPrefix(name, "Test") && name != "TestMain" {
				found[dir] = append(found[dir], name)
			}
		}
	}
	return found
}

// mentions are the names that something is made of, and what it asks of the environment.
type mentions map[string]bool

// any reports whether one of some names is among them.
func (m mentions) any(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return m[name] })
}

// mentioned adds what each function, variable, constant and type of a file is made of, by its name.
func mentioned(file *ast.File, to map[string]mentions) {
	add := func(name string, of ast.Node) {
		if to[name] == nil {
			to[name] = mentions{}
		}
		ast.Inspect(of, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				to[name][n.Name] = true
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Getenv" {
					if v, ok := n.Args[0].(*ast.BasicLit); ok {
						to[name][v.Value] = true
					}
				}
			}
			return true
		})
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name.Name, d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name.Name, spec)
					}
				case *ast.TypeSpec:
					add(spec.Name.Name, spec)
				}
			}
		}
	}
}

// reaching lists the names of what meets a condition, or mentions what does, however far from it.
func reaching(names map[string]mentions, root func(mentions) bool) []string {
	reached := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for name, m := range names {
			if !reached[name] && (root(m) || slices.ContainsFunc(slices.Collect(maps.Keys(m)), func(n string) bool { return reached[n] })) {
				reached[name], grown = true, true
			}
		}
	}
	return slices.Sorted(maps.Keys(reached))
}

// TestSampledAreFound: also those that ask by way of others.
func TestSampledAreFound(t *testing.T) {
	found := sampledIn(sources(t))
	for dir, name := range map[string]string{"internal/app": "TestOperate", "internal/purchase": "TestSmallWorlds", "internal/search": "TestMisspelt", "internal/sandbox": "TestBrowser"} {
		if !slices.ContainsFunc(found[dir], func(test string) bool { return strings.HasPrefix(test, name) }) {
			t.Errorf("%s has a test of samples, %s, which is not among %v", dir, name, found[dir])
		}
	}
	if slices.Contains(found["internal/store"], "TestSpellings") {
		t.Error("a test of rapid's, where TestMain asks for nothing, plays no samples")
	}
}
