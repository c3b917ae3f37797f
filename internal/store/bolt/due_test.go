package bolt

import (
	"errors"
	"testing"
	"time"

	"resellerbot/internal/store"
)

// TestEarliestIsReadOnce: what is due first is read once until a transaction ends, each kind for itself; a transaction that ends during the
// reading makes it old, and a reading that failed is none.
func TestEarliestIsReadOnce(t *testing.T) {
	var e earliest
	looks, at, during := 0, time.Unix(60, 0), func() {}
	look := func() (time.Time, bool, error) { //nolint:unparam // as the reader wants it
		looks++
		due := at
		during()
		return due, true, nil
	}
	expect := func(what string, k store.Kind, due time.Time, all int) {
		t.Helper()
		got, ok, err := e.read(k, look)
		if !got.Equal(due) || !ok || err != nil || looks != all {
			t.Errorf("%s: %v, %v, %v after %d looks, want %v after %d", what, got, ok, err, looks, due, all)
		}
	}
	expect("at first", "a", at, 1)
	expect("again", "a", at, 1)
	expect("of another kind", "b", at, 2)
	e.changed()
	at = time.Unix(30, 0)
	expect("after a transaction", "a", at, 3)

	e.changed()
	during = func() { at = time.Unix(10, 0); e.changed() }
	expect("while a transaction ends", "a", time.Unix(30, 0), 4)
	during = func() {}
	expect("after it", "a", time.Unix(10, 0), 5)

	e.changed()
	broken := errors.New("broken")
	if _, _, err := e.read("a", func() (time.Time, bool, error) { return time.Time{}, false, broken }); !errors.Is(err, broken) {
		t.Errorf("a look that failed: %v", err)
	}
	expect("after one that failed", "a", time.Unix(10, 0), 6)
}
