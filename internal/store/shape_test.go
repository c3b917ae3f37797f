package store_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"resellerbot/internal/ledger"
	"resellerbot/internal/store"
)

// storedTypes are the types of records, by the name that the package comment gives them.
func storedTypes() map[string]any {
	return map[string]any{
		"Account": store.Account{}, "Chat": store.Chat{}, "Session": store.Session{}, "Purchase": store.Purchase{},
		"Order": store.Order{}, "Outgoing": store.Outgoing{}, "Incoming": store.Incoming{},
		"Movement": store.Movement{}, "Players": store.Players{}, "Alerts": store.Alerts{}, "Times": store.Times{}, "Outage": store.Outage{}, "Menu": store.Menu{},
		"Invite": store.Invite{}, "Claim": store.Claim{},
		"Book": ledger.Book{}, "Entry": ledger.Entry{}, "EntryKey": ledger.EntryKey{}, "Balance": ledger.Balance{}, "Unit": ledger.Unit{},
		"DayRecord": ledger.DayRecord{}, "Shift": ledger.Shift{}, "LineOf": ledger.LineOf{}, "Late": ledger.Late{}, "Due": ledger.Due{},
		"Trouble": store.Trouble{}, "Prices": store.Prices{}, "Customer": store.Customer{}, "Shelf": store.Shelf{}, "List": store.List{},
		"Desk": store.Desk{}, "Count": store.Count{}, "Costs": store.Costs{},
	}
}

// TestShapeIsCounted: who changes what is stored counts a schema. An older program does not know what is new: it would
// write a record without it, and so it has to refuse the file.
func TestShapeIsCounted(t *testing.T) {
	sum := sha256.Sum256([]byte(strings.Join(shape(t), "\n")))
	got := hex.EncodeToString(sum[:8])
	if got == store.Shape() {
		return
	}
	t.Errorf("what is stored has changed: append this line to schemas in migrate.go, with a migration if records of before cannot be read as they are,"+
		" and run TestFilesOfOldSchemas, which writes the file of the new schema:\n\t\t{shape: %q},", got)
}

// shape says what is stored, a line for each part: the fields of all types, what is sealed, and what fields may say.
func shape(t *testing.T) []string {
	t.Helper()
	s := shapes{fmt.Sprintf("packed over %x", sha256.Sum256([]byte(store.Dictionary()))): true}
	for name, v := range storedTypes() {
		if got := reflect.TypeOf(v).Name(); got != name {
			t.Errorf("%s is called %s", got, name)
		}
		s.add(reflect.TypeOf(v))
	}
	for _, b := range tree(t) {
		s["kind "+b.kind+" "+b.key+" "+b.value+" sealed "+b.sealed] = true
	}
	s[fmt.Sprintf("claims %d", store.ClaimForm)] = true
	for _, line := range wordsInSource(t) {
		s[line] = true
	}
	return slices.Sorted(maps.Keys(s))
}

// shapes are lines that say what is stored.
type shapes map[string]bool

// add says what a type is made of, and the types in it.
func (s shapes) add(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		s.add(t.Elem())
	case reflect.Map:
		s.add(t.Key())
		s.add(t.Elem())
	case reflect.Struct:
		if _, own := reflect.PointerTo(t).MethodByName("UnmarshalJSON"); own || s["type "+firstName(t)] {
			return
		}
		s["type "+firstName(t)] = true
		for f := range t.Fields() {
			if f.IsExported() {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				s["field "+firstName(t)+"."+cmp.Or(strings.TrimPrefix(name, "-"), f.Name)+" "+firstName(f.Type)] = true
				s.add(f.Type)
			}
		}
	}
}

// firstName is a type as it was first called: what a type is called in Go is no part of a record, so that it may be called otherwise.
func firstName(t reflect.Type) string {
	return strings.ReplaceAll(t.String(), "store.StandingChange", "store.Strange")
}

// wordsInSource lists the constants of the packages that have a type of their own: what a field of it may say.
func wordsInSource(t *testing.T) (lines []string) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	books, err2 := filepath.Glob("../ledger/*.go")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, books...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			typed, ok := spec.Type.(*ast.Ident)
			if !ok || !typed.IsExported() {
				return true
			}
			for _, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok {
					lines = append(lines, "word "+typed.Name+" "+lit.Value)
				}
			}
			return true
		})
	}
	return lines
}
