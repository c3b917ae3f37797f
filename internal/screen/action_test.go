package screen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"resellerbot/internal/screen"
)

// verbs lists the verbs that the package declares.
func verbs(t *testing.T) []screen.Verb {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "action.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []screen.Verb
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Verb" {
			return false
		}
		for _, v := range spec.Values {
			s, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, screen.Verb(s))
		}
		return false
	})
	return all
}

// TestVerbsAreNames: a verb stands on old keyboards for ever, so that no two may share a name, and none
// may hold what parts the data.
func TestVerbsAreNames(t *testing.T) {
	all := verbs(t)
	if len(all) < 20 {
		t.Errorf("only %d verbs are declared: this test does not see them", len(all))
	}
	form := regexp.MustCompile(`^[a-z]{2,12}$`)
	seen := map[screen.Verb]bool{}
	for _, v := range all {
		if !form.MatchString(string(v)) || seen[v] {
			t.Errorf("verb %q", v)
		}
		seen[v] = true
	}
}

func same(a, b screen.Action) bool {
	return a.Verb == b.Verb && a.Fresh == b.Fresh && slices.Equal(a.Args, b.Args)
}

// TestActionsReadBack: what an action writes, it reads. What would be too long goes home instead of being
// cut into something else.
func TestActionsReadBack(t *testing.T) {
	all := verbs(t)
	rapid.Check(t, func(rt *rapid.T) {
		a := screen.Action{
			Verb:  rapid.SampledFrom(all).Draw(rt, "verb"),
			Args:  rapid.SliceOfN(rapid.StringMatching(`[^:]{0,24}`), 0, 4).Draw(rt, "args"),
			Fresh: rapid.Bool().Draw(rt, "fresh"),
		}
		length := len("1:") + len(a.Verb)
		for _, arg := range a.Args {
			length += len(":") + len(arg)
		}
		if a.Fresh {
			length += len("+")
		}
		want := a
		if length > maxData {
			want = screen.Action{Verb: screen.VerbHome}
		}
		data := a.Data()
		if got, ok := screen.ParseAction(data); !ok || !same(got, want) || len(data) > maxData {
			rt.Fatalf("%+v is written as %q and read as %+v, %v", a, data, got, ok)
		}
	})
}

// TestLongestData holds the limit to the byte.
func TestLongestData(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		room := maxData - len("1:buy:")
		if fresh {
			room -= len("+")
		}
		fits := screen.Action{Verb: screen.VerbBuy, Args: []string{strings.Repeat("9", room)}, Fresh: fresh}
		if got, ok := screen.ParseAction(fits.Data()); !ok || !same(got, fits) || len(fits.Data()) != maxData {
			t.Errorf("%q is read as %+v", fits.Data(), got)
		}
		fits.Args[0] += "9"
		if got := fits.Data(); got != "1:home" {
			t.Errorf("one byte more is written as %q", got)
		}
	}
}

func TestParseAction(t *testing.T) {
	for data, want := range map[string]screen.Action{
		"1:home":         {Verb: "home"},
		"1:orders:":      {Verb: "orders", Args: []string{""}},
		"1:product:12:0": {Verb: "product", Args: []string{"12", "0"}},
		"1+:again:X":     {Verb: "again", Args: []string{"X"}, Fresh: true},
		"1:later:a::b":   {Verb: "later", Args: []string{"a", "", "b"}}, // of a version to come, or forged
	} {
		if got, ok := screen.ParseAction(data); !ok || !same(got, want) {
			t.Errorf("%q is read as %+v, %v", data, got, ok)
		}
	}
	for _, data := range []string{
		"", "1", "1:", "1+", "1+:", "1::x", ":home", "home", "0:home", "2:home", "11:home", "1++:home", "+1:home", "+:home", " 1:home", "1 :home",
		"١:home", "1:home:" + strings.Repeat("x", 58),
	} {
		if got, ok := screen.ParseAction(data); ok || !same(got, screen.Action{}) {
			t.Errorf("%q is read as %+v", data, got)
		}
	}
}

// TestArguments: an argument that is missing or forged is nothing, not a panic.
func TestArguments(t *testing.T) {
	a := screen.Action{Verb: screen.VerbVariant, Args: []string{"12", "-9223372036854775808", "9223372036854775808", "1e3", ""}}
	if a.Arg(0) != "12" || a.Arg(4) != "" || a.Arg(5) != "" {
		t.Errorf("arguments %q, %q, %q", a.Arg(0), a.Arg(4), a.Arg(5))
	}
	for i, want := range []int64{12, math.MinInt64, 0, 0, 0, 0} {
		if got := a.Int(i); got != want {
			t.Errorf("argument %d is %d, want %d", i, got, want)
		}
	}
}

// FuzzAction compares with the form written down once more: a version, a verb, arguments.
func FuzzAction(f *testing.F) {
	for _, s := range []string{"1:home", "1+:again:01JD", "1:orders:", "1:product:12:0", "1::", "2:home", "1+", "", "1:\n", "1:\xff:\x00", "1:a" + strings.Repeat(":", 62)} {
		f.Add(s)
	}
	form := regexp.MustCompile(`^1\+?:[^:]+(:[^:]*)*$`)
	f.Fuzz(func(t *testing.T, data string) {
		a, ok := screen.ParseAction(data)
		if want := len(data) <= maxData && form.MatchString(data); ok != want {
			t.Fatalf("%q is read: %v, want %v", data, ok, want)
		}
		if ok && a.Data() != data {
			t.Errorf("%q is read as %+v, which is written as %q", data, a, a.Data())
		}
		if !ok && !same(a, screen.Action{}) {
			t.Errorf("%q is refused, and read as %+v", data, a)
		}
	})
}
