package orderline_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"resellerbot/internal/orderline"
)

// told writes readings in a line each.
func told(all []orderline.Reading) string {
	var lines []string
	for _, r := range all {
		bare := ""
		if r.Bare {
			bare = "?"
		}
		lines = append(lines, fmt.Sprintf("%s ×%d%s %v", r.Words, r.Quantity, bare, r.Inputs))
	}
	return strings.Join(lines, "; ")
}

// TestReadings: what stands in a line, in the ways in which it can be meant, the most likely first.
func TestReadings(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"pc5 x3":             "pc5 ×3 []",
		"pc5 3×":             "pc5 ×3 []",
		"x3 pc5":             "pc5 ×3 []",
		"pc5 × 3":            "pc5 ×3 []",
		"pc5 ×٣":             "pc5 ×3 []",
		"بلاي كارد ١٠ x٢":    "بلاي كارد 10 ×2 []; بلاي كارد ×2 [10]; بلاي ×2 [كارد 10]",
		"ff100 123456789":    "ff100 123456789 ×0 []; ff100 ×0 [123456789]",
		"pubg 60 ٥١٢٣٤٥٦٧":   "pubg 60 51234567 ×0 []; pubg 60 ×0 [51234567]; pubg ×0 [60 51234567]",
		"51234567 pubg":      "51234567 pubg ×0 []; 51234567 ×0 [pubg]; pubg ×0 [51234567]",
		"carte 5":            "carte 5 ×0 []; carte ×0 [5]; carte ×5? []",
		"pc5;x3":             "pc5 ×3 []",
		"pc5\t123":           "pc5 123 ×0 []; pc5 ×0 [123]; pc5 ×123? []",
		"pc\u00a05\u200e x3": "pc 5 ×3 []; pc ×3 [5]",
		"pc5 x3 x4":          "",
		"pc5 x0":             "",
		"pc5 x99999999999":   "",
		"x3":                 "",
		"":                   "",
		"xbox 50":            "xbox 50 ×0 []; xbox ×0 [50]; xbox ×50? []",
	} {
		if got := told(orderline.Readings(line)); got != want {
			t.Errorf("%q is read as\n  %s\nwant\n  %s", line, got, want)
		}
	}
	if got := orderline.Readings(strings.Repeat("a ", 400)); got != nil {
		t.Errorf("a page of text is an order: %v", got)
	}
}

// FuzzReadings: whatever is typed, nothing of it is lost or made up, and a quantity is a number of units.
func FuzzReadings(f *testing.F) {
	for _, line := range []string{"pc5 x3", "ff100 ١٢٣", "x ", "×", "3x 4x", "\xff x3"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, r := range orderline.Readings(line) {
			if r.Quantity < 0 || r.Words == "" || r.Bare && r.Quantity == 0 {
				t.Errorf("%q is read as %+v", line, r)
			}
			for _, part := range append(strings.Fields(r.Words), r.Inputs...) {
				if utf8.ValidString(line) && !strings.Contains(orderline.Clean(line), part) {
					t.Errorf("%q has no %q", line, part)
				}
			}
		}
	})
}
