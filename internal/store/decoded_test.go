package store_test

import (
	"context"
	"reflect"
	"testing"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// TestAccountIsNeverStale: an account is read as it was committed last, whoever has read it before, and what one reader
// does to theirs is nobody else's.
func TestAccountIsNeverStale(t *testing.T) {
	h := newHarness(t)
	defer h.close()
	read := func() store.Account {
		a, err := h.store.Account(context.Background(), "u1")
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	h.do(func(tx *store.Tx) error {
		return tx.PutAccount(&store.Account{ID: "u1", Key: secret.New("first"), Team: []store.Member{{User: 1, Role: store.Owner}, {User: 2, Role: store.Seller}}})
	})
	read().Team[1].Role = store.Owner
	if a := read(); a.Role(2) != store.Seller || a.Key.Reveal() != "first" {
		t.Errorf("another reader has made %s of the seller", a.Role(2))
	}
	for i := range 3 {
		h.do(func(tx *store.Tx) error {
			a, err := tx.Account("u1")
			if err != nil {
				return err
			}
			a.Team, a.Spends, a.Key = a.Team[:1], i+1, secret.New("second")
			return tx.PutAccount(&a)
		})
		if a := read(); a.Role(2) != store.NoRole || a.Spends != i+1 || a.Key.Reveal() != "second" {
			t.Errorf("after change %d: the person who was put out is a %s, %d spends", i, a.Role(2), a.Spends)
		}
	}
	a := read() // with its version: it can be written
	a.Spends = 9
	h.do(func(tx *store.Tx) error { return tx.PutAccount(&a) })
	if read().Spends != 9 {
		t.Error("what was written is not read")
	}
}

// TestCloneSharesNothing: whatever fields an account has by now, its clone says the same and shares no memory that can be
// changed.
func TestCloneSharesNothing(t *testing.T) {
	a := full(func(*store.Account) {})
	b := store.CloneOf(a)
	a.Key, b.Key = secret.Text{}, secret.Text{} // which cannot be changed
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("the clone is %+v, want %+v", b, a)
	}
	shared(t, "Account", reflect.ValueOf(a), reflect.ValueOf(b))
}

// shared fails the test for what two values of a type have in common.
func shared(t *testing.T, name string, a, b reflect.Value) {
	t.Helper()
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() {
			return
		}
		if a.UnsafePointer() == b.UnsafePointer() {
			t.Errorf("%s is shared", name)
		}
		shared(t, name, a.Elem(), b.Elem())
	case reflect.Map:
		if a.UnsafePointer() == b.UnsafePointer() && !a.IsNil() {
			t.Errorf("%s is shared", name)
		}
		if k := a.Type().Elem().Kind(); k == reflect.Slice || k == reflect.Map || k == reflect.Pointer {
			t.Errorf("%s has values that have to be cloned", name)
		}
	case reflect.Slice:
		if a.Len() > 0 && a.UnsafePointer() == b.UnsafePointer() {
			t.Errorf("%s is shared", name)
		}
		for i := range a.Len() {
			shared(t, name, a.Index(i), b.Index(i))
		}
	case reflect.Struct:
		if a.Type().PkgPath() == "time" || a.Type().Name() == "Amount" || a.Type().Name() == "Text" {
			return // values that nothing changes
		}
		for i := range a.NumField() {
			shared(t, name+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
		}
	}
}
