package orderid_test

import (
	"testing"

	"resellerbot/internal/api/orderid"
)

// TestSame: spellings of one id are the same, and no two ids are.
func TestSame(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"7", "7", true}, {"7", "007", true}, {"0", "000", true}, {" 7", "7 ", true}, {"Ord-1", "ORD-1", true},
		{"9f3A", "9F3a", true}, {"18446744073709551617", "018446744073709551617", true},
		{"7", "70", false}, {"07a", "7a", false}, {"-7", "7", false}, {"0", "", false}, {"", "", false}, {"7.0", "7", false},
	} {
		if orderid.Same(tc.a, tc.b) != tc.same || orderid.Same(tc.b, tc.a) != tc.same {
			t.Errorf("%q and %q: the same is not %v", tc.a, tc.b, tc.same)
		}
	}
}

// TestNumber: ids that number orders have their number in common, and what is no number has none.
func TestNumber(t *testing.T) {
	for id, want := range map[string]string{
		"41": "41", "ORD-000041": "41", "ord_41": "41", "#0041": "41", "O41": "41", "ORD-0": "0",
		"": "", "ORD-": "", "ORD-4-1": "", "9f3a": "", "b1f7c0de-0000-4000-8000-000000000041": "", "abc": "",
	} {
		if got := orderid.Number(id); got != want {
			t.Errorf("the number of %q is %q, want %q", id, got, want)
		}
	}
}
