package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
	"resellerbot/internal/store/storetest"
)

// branch is one line of the tree in the package comment.
type branch struct {
	kind, key, value, sealed, due string
	under                         string // the kind that an index is drawn under
}

// tree reads the tree in the package comment by the columns that its head names.
func tree(t *testing.T) []branch {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	var columns []int
	var lines []branch
	for line := range strings.Lines(file.Doc.Text()) {
		switch text := []rune(strings.TrimRight(line, "\n")); {
		case strings.HasPrefix(line, "\tkind "):
			for _, name := range []string{"kind", "key", "value", "sealed", "due"} {
				columns = append(columns, strings.Index(line, name))
			}
		case columns != nil && !strings.HasPrefix(line, "\t"):
			return lines
		case columns != nil:
			var cells []string
			for i, from := range columns {
				to := len(text)
				if i+1 < len(columns) {
					to = columns[i+1]
				}
				cells = append(cells, strings.TrimSpace(string(text[min(from, len(text)):min(to, len(text))])))
			}
			b := branch{kind: strings.TrimLeft(cells[0], "├└─ "), key: cells[1], value: cells[2], sealed: cells[3], due: cells[4]}
			if b.kind != cells[0] {
				b.under = lines[len(lines)-1].kind
				if above := lines[len(lines)-1].under; above != "" {
					b.under = above
				}
			}
			lines = append(lines, b)
		}
	}
	t.Fatal("the package comment has no tree")
	return nil
}

// kindsInSource lists the values of all constants of type Kind.
func kindsInSource(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if id, ok := spec.Type.(*ast.Ident); ok && id.Name == "Kind" {
				for _, v := range spec.Values {
					if kind, err := strconv.Unquote(v.(*ast.BasicLit).Value); err == nil {
						kinds = append(kinds, kind)
					}
				}
			}
			return true
		})
	}
	slices.Sort(kinds)
	return kinds
}

// TestTreeIsTrue: the file of a filled store holds what the tree names, as it says, and nothing else.
func TestTreeIsTrue(t *testing.T) {
	storetest.NeedsFile(t)
	h := newHarness(t)
	h.furnish()
	var kinds, buckets []string
	for _, b := range tree(t) {
		kinds, buckets = append(kinds, b.kind), append(buckets, "r/"+b.kind)
		if b.due != "" {
			buckets = append(buckets, "d/"+b.kind)
		}
		t.Run(b.kind, func(t *testing.T) {
			list := h.records(store.Kind(b.kind))
			if len(list) == 0 {
				t.Fatal("nothing of this kind is in the file")
			}
			queued, sealed := false, map[string]bool{}
			for _, r := range list {
				if !slices.Contains(keysOf(b.key), r.Key) {
					t.Errorf("the key %q is not %s", r.Key, b.key)
				}
				checkValue(t, h, b, r)
				queued = queued || !r.Due.IsZero()
				maps.Copy(sealed, sealedIn(t, h, r))
			}
			if queued != (b.due != "") {
				t.Errorf("is there a due time: %v; the tree says %q", queued, b.due)
			}
			if got := strings.Join(slices.Sorted(maps.Keys(sealed)), ", "); got != b.sealed {
				t.Errorf("sealed: %q; the tree says %q", got, b.sealed)
			}
			if b.under != "" && !strings.HasPrefix(b.kind, b.under+"_") {
				t.Errorf("it is drawn under %s", b.under)
			}
		})
	}
	slices.Sort(kinds)
	if diff := cmp.Diff(kindsInSource(t), kinds); diff != "" {
		t.Errorf("kinds in the source (-) and in the tree (+):\n%s", diff)
	}
	h.close()
	slices.Sort(buckets)
	if diff := cmp.Diff(bucketsIn(t, h.path), buckets); diff != "" {
		t.Errorf("buckets in the file (-) and by the tree (+):\n%s", diff)
	}
}

// keysOf lists all keys that a filled store can have under a form of the tree.
func keysOf(form string) []string {
	number := func(n int64) string { return fmt.Sprintf("%016x", uint64(n)+1<<63) }
	parts := map[string][]string{
		`"store"`:   {"store"},
		"account":   {"u42"},
		"chat":      {number(group)},
		"user":      {number(person), number(7)}, // whom an account that is filled in has in its team
		"purchase":  {draftID, queuedID},
		"¬purchase": {strings.Map(opposite, draftID), strings.Map(opposite, queuedID)},
		"list":      {listID},
		"¬list":     {strings.Map(opposite, listID)},
		"order":     {"O/1"},
		"claim":     {"order/o/1", "order/open-origin:open-other"},
		"message":   {queuedID + ".p1"},
		"item":      {"products:7"},
		`"service"`: {"service"},
		"trouble":   {"disk"},
		"update":    {number(900), number(901)},
		"token":     {store.TokenHash("token")},
		"¬number":   {"fffffffffffffff7"},
		"book":      {"u42"},
		"customer":  {"ali"},
		"till":      {"house"},
		"day":       {string(ledger.DayAt(opened(), time.UTC, 0))},
		"sum":       {"wallet/u42", "transit", "stock", "cost", "sales", "discount", "till/house", "cust/ali", "over/house"},
		"event":     {"order/O/1/1", "order/O/1/2", "sale/n", "close/house/1", "rev/3"},
	}
	for n := range uint64(9) {
		parts["entry"] = append(parts["entry"], fmt.Sprintf("%016x", n))
		parts["¬entry"] = append(parts["¬entry"], fmt.Sprintf("%016x", ^n))
	}
	keys := []string{""}
	for i, name := range strings.Split(strings.NewReplacer("{", "", "}", "").Replace(form), "/") {
		var longer []string
		for _, key := range keys {
			for _, part := range parts[name] {
				if i > 0 {
					part = "/" + part
				}
				longer = append(longer, key+part)
			}
		}
		keys = longer
	}
	return keys
}

// checkValue compares a record's value with what the tree says of it.
func checkValue(t *testing.T, h *harness, b branch, r store.Record) {
	t.Helper()
	switch b.value {
	case "meta":
		var meta struct{ Schema int }
		if err := json.Unmarshal(r.Value, &meta); err != nil || meta.Schema < 1 {
			t.Errorf("the meta record says %q", r.Value)
		}
	case "purchase id":
		if !slices.Contains(h.keys(store.KindPurchase), string(r.Value)) {
			t.Errorf("%q is no purchase", r.Value)
		}
	case "list id":
		if !slices.Contains(h.keys(store.KindList), string(r.Value)) {
			t.Errorf("%q is no list", r.Value)
		}
	case "nothing":
		if len(r.Value) > 0 {
			t.Errorf("the value is %q", r.Value)
		}
	case "mark":
		if len(r.Value) != 1 {
			t.Errorf("the value is %q", r.Value)
		}
	default:
		want, optional := openFields(b.value)
		got := slices.DeleteFunc(slices.Sorted(maps.Keys(decoded(t, r).Open)), func(name string) bool { return slices.Contains(optional, name) })
		if format := r.Value[0]; len(want) == 0 || format != 1 && format != 2 {
			t.Errorf("no record type is called %s, or the format is none: %q", b.value, r.Value[:1])
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("open fields of the type (-) and in the file (+):\n%s", diff)
		}
	}
}

// row is a record's value as it lies in the file.
type row struct {
	Open   map[string]json.RawMessage `json:"o"`
	Sealed map[string][]byte          `json:"s"`
}

// decoded reads a value behind its format byte.
func decoded(tb testing.TB, r store.Record) (v row) {
	tb.Helper()
	text, err := store.JSONOf(r.Value)
	if err = errors.Join(err, json.Unmarshal(text, &v)); err != nil {
		tb.Fatalf("%s %q: %v", r.Kind, r.Key, err)
	}
	return v
}

// openFields lists the fields of a record type that are not kept from JSON, and those that are left out where they are empty.
func openFields(name string) (fields, optional []string) {
	types := storedTypes()
	if types[name] == nil {
		return nil, nil
	}
	for f := range reflect.TypeOf(types[name]).Fields() {
		switch kept := f.Tag.Get("json"); { // a field keeps the name on disk that it had first
		case !f.IsExported() || kept == "-":
		case kept == ",omitempty", kept == ",omitzero":
			optional = append(optional, f.Name)
		case kept != "":
			fields = append(fields, kept)
		default:
			fields = append(fields, f.Name)
		}
	}
	slices.Sort(fields)
	return fields, optional
}

// sealedIn names what is sealed in a record, and proves that it opens there.
func sealedIn(t *testing.T, h *harness, r store.Record) map[string]bool {
	t.Helper()
	sealed := map[string][]byte{}
	switch {
	case r.Kind == store.KindMeta:
		var meta struct{ KeyCheck, MarkKey []byte }
		if err := json.Unmarshal(r.Value, &meta); err != nil {
			t.Fatal(err)
		}
		sealed["key_check"], sealed["mark_key"] = meta.KeyCheck, meta.MarkKey
	case len(r.Value) > 1 && r.Value[0] < '\n': // records of an index hold a key
		sealed = decoded(t, r).Sealed
	}
	names := map[string]bool{}
	for name, text := range sealed {
		if _, err := storetest.Keyring(h).Open(text, string(r.Kind), r.Key, name); err != nil {
			t.Errorf("%s does not open: %v", name, err)
		}
		names[name] = true
	}
	return names
}

// bucketsIn lists the buckets of a closed file.
func bucketsIn(t *testing.T, path string) (names []string) {
	t.Helper()
	db, err := bbolt.Open(path, os.FileMode(0o600), &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			names = append(names, string(name))
			return b.ForEachBucket(func(inner []byte) error { return fmt.Errorf("a bucket %q lies in %q", inner, name) })
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}
