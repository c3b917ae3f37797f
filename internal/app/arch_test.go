package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
)

// arrows lists what each package may import of ours. Test helpers (…test) are not listed, and no other package may be
// there.
var arrows = map[string][]string{
	"internal/secret":          nil,
	"internal/api/dzd":         nil,
	"internal/api/orderid":     nil,
	"internal/atomicfile":      nil,
	"internal/backoff":         nil,
	"internal/sliding":         nil,
	"internal/figures":         {"internal/api/dzd"},
	"internal/ledger":          {"internal/api/dzd"},
	"internal/pricing":         {"internal/ledger"},
	"internal/picture":         nil,
	"internal/sheet":           nil,
	"internal/search":          withLeaves("internal/api", "internal/figures"),
	"internal/orderline":       {"internal/figures"},
	"internal/api":             withLeaves("internal/sliding"),
	"internal/store/seal":      withLeaves(),
	"internal/store":           withLeaves("internal/store/seal", "internal/ledger", "internal/pricing"),
	"internal/store/bolt":      withLeaves("internal/atomicfile", "internal/store"),
	"internal/store/postgres":  withLeaves("internal/atomicfile", "internal/store"),
	"internal/purchase":        withLeaves("internal/store", "internal/api"),
	"internal/screen":          withLeaves("locales", "internal/store", "internal/api", "internal/ledger", "internal/pricing", "internal/picture", "internal/sheet"),
	"internal/reports":         withLeaves("internal/screen", "internal/store", "internal/api", "internal/ledger", "internal/pricing", "internal/picture", "internal/sheet"),
	"internal/telegram":        withLeaves("internal/screen", "internal/sliding"),
	"internal/conversations":   withLeaves("internal/figures", "internal/search", "internal/orderline", "internal/purchase", "internal/screen", "internal/telegram", "internal/store", "internal/api", "internal/ledger", "internal/pricing", "internal/reports"),
	"internal/notify":          withLeaves("internal/purchase", "internal/screen", "internal/telegram", "internal/store", "internal/api", "internal/notify/pollplan"),
	"internal/notify/pollplan": nil,
	"internal/control":         withLeaves("internal/store"),
	"internal/metrics":         withLeaves("internal/purchase", "internal/store"),
	"locales":                  nil,
	"internal/app": withLeaves("internal/atomicfile", "internal/conversations", "internal/reports", "internal/notify", "internal/telegram", "internal/metrics", "internal/control", "internal/purchase",
		"internal/screen", "internal/api", "internal/store", "internal/store/bolt", "internal/store/postgres", "internal/store/seal", "locales"),
	"internal/sandbox": {"internal/app", "internal/backoff", "internal/api/sim", "internal/sandbox/tgsim", "internal/sandbox/worlds", "locales"},
	"cmd/bot":          {"internal/app", "internal/sandbox"},

	// Tests alone, and what they need.
	"internal/proof": nil,

	// The simulators are written from the documents alone: a mistake must not stand on both sides.
	"internal/api/sim":        {"internal/api/dzd"},
	"internal/sandbox/tgsim":  nil,
	"internal/sandbox/worlds": {"internal/api/sim", "internal/sandbox/tgsim"},
}

// withLeaves adds to some rooms those that everyone may import.
func withLeaves(rooms ...string) []string {
	return append(rooms, "internal/api/dzd", "internal/api/orderid", "internal/secret", "internal/backoff")
}

// outside lists who may import which module of others. Modules that are missing here are nobody's.
var outside = map[string][]string{
	"filippo.io/age":                      {"internal/app"},
	"github.com/go-telegram/bot":          {"internal/conversations", "internal/telegram", "internal/app"},
	"github.com/go-text/typesetting":      {"internal/picture"},
	"github.com/govalues/decimal":         {"internal/api/dzd"},
	"github.com/jackc/pgx/v5":             {"internal/store/postgres"},
	"github.com/joho/godotenv":            {"internal/app"},
	"github.com/nicksnyder/go-i18n/v2":    {"locales"},
	"github.com/prometheus/client_golang": {"internal/metrics"},
	"github.com/robfig/cron/v3":           {"internal/notify"},
	"go.etcd.io/bbolt":                    {"internal/store/bolt"},
	"golang.org/x/image":                  {"internal/picture"},
	"golang.org/x/sync":                   {"internal/api", "internal/notify", "internal/purchase"},
	"golang.org/x/time":                   {"internal/conversations"},
	"golang.org/x/text":                   {"locales", "internal/search"},
}

// source is one Go file.
type source struct {
	path string // from the module's root, with slashes
	text string
	file *ast.File
}

// test reports whether the file is part of the tests only.
func (s source) test() bool {
	return strings.HasSuffix(s.path, "_test.go") || isHelper(path.Dir(s.path))
}

// imports lists what the file imports.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// sources are all Go files of the module, to be read alone: tests share them.
func sources(t *testing.T) []source {
	t.Helper()
	sampletest.MoreThanFew(t)
	all, err := parsedOnce()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// parsedOnce parses all Go files of the module. It opens them itself, rather than ask `go list`, so that the test cache notices every
// change.
var parsedOnce = sync.OnceValues(func() (all []source, err error) {
	fset := token.NewFileSet()
	err = filepath.WalkDir(apptest.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != apptest.Root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(apptest.Root, name)
		all = append(all, source{filepath.ToSlash(rel), string(text), file})
		return err
	})
	return all, err
})

// allowed reports whether a package may import another path.
func allowed(from, to string) bool {
	if ours, ok := strings.CutPrefix(to, apptest.Module); ok {
		return slices.Contains(arrows[from], ours)
	}
	host, _, _ := strings.Cut(to, "/")
	if !strings.Contains(host, ".") {
		return true // the standard library
	}
	for name, users := range outside {
		if to == name || strings.HasPrefix(to, name+"/") {
			return slices.Contains(users, from)
		}
	}
	return false
}

// isHelper reports whether a package serves tests only.
func isHelper(dir string) bool { return strings.HasSuffix(dir, "test") }

func TestArrows(t *testing.T) {
	for _, s := range sources(t) {
		from := path.Dir(s.path)
		if s.test() || isHelper(from) {
			continue
		}
		if _, known := arrows[from]; !known {
			t.Errorf("%s: no package of this module is called %s", s.path, from)
		}
		for _, to := range s.imports() {
			if !allowed(from, to) {
				t.Errorf("%s imports %s: no such arrow", s.path, to)
			}
		}
	}
}

// The table itself is tried, as a test that never fails proves nothing.
func TestArrowsForbid(t *testing.T) {
	for _, arrow := range [][2]string{
		{"internal/store", apptest.Module + "internal/api"},
		{"internal/api", apptest.Module + "internal/store"},
		{"internal/conversations", apptest.Module + "internal/notify"},
		{"internal/notify", apptest.Module + "internal/conversations"},
		{"internal/telegram", apptest.Module + "internal/notify"},
		{"internal/api/sim", apptest.Module + "internal/api"},
		{"internal/api/sim", apptest.Module + "internal/secret"},
		{"internal/sandbox/tgsim", apptest.Module + "internal/api/dzd"},
		{"internal/sandbox/worlds", apptest.Module + "internal/app"},
		{"internal/screen", apptest.Module + "internal/purchase"},
		{"internal/secret", apptest.Module + "internal/api/dzd"},
		{"cmd/bot", apptest.Module + "internal/store/storetest"},
		{"internal/models", apptest.Module + "internal/secret"},
		{"internal/notify", "go.etcd.io/bbolt"},
		{"cmd/bot", "github.com/robfig/cron/v3"},
		{"internal/screen", "github.com/go-telegram/bot/models"},
		{"internal/api", "github.com/stretchr/testify"},
	} {
		if allowed(arrow[0], arrow[1]) {
			t.Errorf("%s may import %s", arrow[0], arrow[1])
		}
	}
	for _, arrow := range [][2]string{
		{"internal/api", "net/http"},
		{"internal/api/sim", apptest.Module + "internal/api/dzd"},
		{"internal/telegram", "github.com/go-telegram/bot/models"},
		{"internal/app", apptest.Module + "internal/store/bolt"},
	} {
		if !allowed(arrow[0], arrow[1]) {
			t.Errorf("%s may not import %s", arrow[0], arrow[1])
		}
	}
}

// What is merged is finished, and tests wait for events, not for time to pass.
func TestSourcesAreFinished(t *testing.T) {
	sampletest.Slow(t)
	unfinished := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME)\b`)
	for _, s := range sources(t) {
		if mark := unfinished.FindString(s.text); mark != "" {
			t.Errorf("%s says %s", s.path, mark)
		}
		if strings.HasSuffix(s.path, "_test.go") && calls(s, "time", "Sleep") {
			t.Errorf("%s sleeps", s.path)
		}
	}
}

func TestOnlyMainExits(t *testing.T) {
	var exits []string
	for _, s := range sources(t) {
		if calls(s, "os", "Exit") {
			exits = append(exits, s.path)
		}
	}
	if !slices.Equal(exits, []string{"cmd/bot/main.go"}) {
		t.Errorf("os.Exit is called in %v", exits)
	}
}

// calls reports whether a file mentions pkg.name.
func calls(s source, pkg, name string) bool {
	found := false
	ast.Inspect(s.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == name {
			id, ok := sel.X.(*ast.Ident)
			found = found || ok && id.Name == pkg
		}
		return !found
	})
	return found
}

// The tables are of this module: what was renamed or removed must not stay allowed.
func TestArrowsAreOfThisModule(t *testing.T) {
	rooms, imported := map[string]bool{}, map[string][]string{}
	for _, s := range sources(t) {
		room := path.Dir(s.path)
		rooms[room] = true
		if !s.test() {
			imported[room] = append(imported[room], s.imports()...)
		}
	}
	for module, users := range outside {
		for _, user := range users {
			if !slices.ContainsFunc(imported[user], func(to string) bool { return to == module || strings.HasPrefix(to, module+"/") }) {
				t.Errorf("%s may import %s, and does not", user, module)
			}
		}
	}
	for from, targets := range arrows {
		if !rooms[from] {
			t.Errorf("there is no room called %s", from)
		}
		for _, to := range targets {
			if _, known := arrows[to]; !known {
				t.Errorf("%s may import %s, which is no room", from, to)
			}
		}
	}
}

// TestDiagram: the diagram in docs/architecture.md shows every room but leaves and simulators, no arrow that is not
// allowed, and a way wherever one room may import another.
func TestDiagram(t *testing.T) {
	nodes, edges := diagram(t)
	unseen := append(withLeaves(), "internal/atomicfile", "internal/sliding", "internal/figures", "internal/search", "internal/orderline", "internal/notify/pollplan", "internal/picture", "internal/sheet", "internal/proof", "internal/api/sim", "internal/sandbox/tgsim", "internal/sandbox/worlds")
	for room, targets := range arrows {
		if !slices.Contains(slices.Collect(maps.Values(nodes)), room) {
			if !slices.Contains(unseen, room) {
				t.Errorf("%s is not in the diagram", room)
			}
			continue
		}
		for _, to := range targets {
			if !slices.Contains(unseen, to) && !leads(edges, room, to) {
				t.Errorf("the diagram shows no way from %s to %s", room, to)
			}
		}
		for _, to := range edges[room] {
			if !slices.Contains(targets, to) {
				t.Errorf("the diagram has %s import %s, which it may not", room, to)
			}
		}
	}
}

// diagram reads the rooms of the diagram by their short names, and its arrows.
func diagram(t *testing.T) (nodes map[string]string, edges map[string][]string) {
	t.Helper()
	_, rest, _ := strings.Cut(apptest.ReadFile(t, "docs/architecture.md"), "flowchart TD\n")
	body, _, _ := strings.Cut(rest, "```")
	nodes, edges = map[string]string{}, map[string][]string{}
	for _, m := range regexp.MustCompile(`(\w+)\["([^<"]+)`).FindAllStringSubmatch(body, -1) {
		nodes[m[1]] = strings.Replace(m[2], "…", "internal", 1)
	}
	for _, m := range regexp.MustCompile(`(?m)^ *([\w &]+) --> ([\w &]+)$`).FindAllStringSubmatch(body, -1) {
		for from := range strings.SplitSeq(m[1], " & ") {
			for to := range strings.SplitSeq(m[2], " & ") {
				if nodes[from] == "" || nodes[to] == "" {
					t.Errorf("an arrow from %q to %q", from, to)
				}
				edges[nodes[from]] = append(edges[nodes[from]], nodes[to])
			}
		}
	}
	return nodes, edges
}

// leads reports whether arrows lead from one room to another. There is no way around: nothing imports itself.
func leads(edges map[string][]string, from, to string) bool {
	return slices.ContainsFunc(edges[from], func(next string) bool { return next == to || leads(edges, next, to) })
}
