package store_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// TestUnits: what is written of units is read back, whichever they are.
func TestUnits(t *testing.T) {
	t.Parallel()
	for text, u := range map[string]store.Units{"": nil, "1": {1}, "1-2": {1, 2}, "1-6,9": {1, 2, 3, 4, 5, 6, 9}, "2,4,6-8": {2, 4, 6, 7, 8}} {
		if got := u.String(); got != text {
			t.Errorf("%v is written as %q, want %q", []int(u), got, text)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.SliceOfDistinct(rapid.IntRange(1, 500), func(n int) int { return n }).Draw(t, "units")
		slices.Sort(u)
		if got := store.ParseUnits(store.Units(u).String(), 500); !slices.Equal(got, u) {
			t.Fatalf("%v is read as %v", u, []int(got))
		}
	})
	for _, odd := range []string{"x", "1-x", "-", "0", "9-1", "-5", "501-99999999999"} {
		if got := store.ParseUnits(odd, 500); len(got) > 0 {
			t.Errorf("%q is read as %v", odd, []int(got))
		}
	}
}

// TestFiledUnits: what an older version has sent in its one file is known by when it was ready.
func TestFiledUnits(t *testing.T) {
	t.Parallel()
	orders := []store.Order{{Unit: 1}, {Unit: 2}, {Unit: 3}, {Unit: 4}}
	for i, ready := range []int{3, 1, 2} {
		orders[i].Code, orders[i].ReadyAt = secret.New("CODE"), time.Unix(int64(ready), 0)
	}
	p := store.Purchase{Quantity: 4, Told: store.Told{Document: true, Codes: 2}}
	if got := p.FiledUnits(orders); !slices.Equal(got, store.Units{2, 3}) {
		t.Errorf("its units are %v", []int(got))
	}
	p.Told = p.Told.WithPart(p, orders, store.Units{1})
	if got := p.FiledUnits(orders); !slices.Equal(got, store.Units{1, 2, 3}) || len(p.Told.Parts(4)) != 2 {
		t.Errorf("with another part they are %v, of %q", []int(got), p.Told.Filed)
	}
	if got := (store.Purchase{Quantity: 4, Told: store.Told{Codes: 2}}).FiledUnits(orders); len(got) > 0 {
		t.Errorf("what was shown in a message counts as filed: %v", []int(got))
	}
}
