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
		"pc5 x3":              "pc5 ×3 []",
		"pc5 3×":              "pc5 ×3 []",
		"x3 pc5":              "pc5 ×3 []",
		"pc5 × 3":             "pc5 ×3 []",
		"pc5 ×٣":              "pc5 ×3 []",
		"بلاي كارد ١٠ x٢":     "بلاي كارد 10 ×2 []; بلاي كارد ×2 [10]; بلاي ×2 [كارد 10]",
		"ff100 123456789":     "ff100 123456789 ×0 []; ff100 ×0 [123456789]",
		"pubg 60 ٥١٢٣٤٥٦٧":    "pubg 60 51234567 ×0 []; pubg 60 ×0 [51234567]; pubg ×0 [60 51234567]",
		"51234567 pubg":       "51234567 pubg ×0 []; 51234567 ×0 [pubg]; pubg ×0 [51234567]",
		"carte 5":             "carte 5 ×0 []; carte ×0 [5]; carte ×5? []",
		"pc5;x3":              "pc5 ×3 []",
		"ml 86 1234567(2001)": "ml 86 1234567 2001 ×0 []; ml 86 1234567 ×0 [2001]; ml 86 ×0 [1234567 2001]; ml ×0 [86 1234567 2001]",
		"ml (2001)":           "ml 2001 ×0 []; ml ×0 [2001]",
		"card (eu) x2":        "card (eu) ×2 []; card ×2 [(eu)]",
		"pc5\t123":            "pc5 123 ×0 []; pc5 ×0 [123]; pc5 ×123? []",
		"pc\u00a05\u200e x3":  "pc 5 ×3 []; pc ×3 [5]",
		"pc5 x3 x4":           "",
		"pc5 x0":              "",
		"pc5 x99999999999":    "",
		"x3":                  "",
		"pc5x2":               "pc5x2 ×0 []; pc5 ×2? []",
		"#GX293":              "#GX293 ×0 []", // the number of a purchase
		"pc5×٢":               "pc5×2 ×0 []; pc5 ×2? []",
		"pc 5x2":              "pc 5x2 ×0 []; pc ×0 [5x2]; pc 5 ×2? []",
		"ff60x2 51234567":     "ff60x2 51234567 ×0 []; ff60x2 ×0 [51234567]; ff60 51234567 ×2? []; ff60 ×2? [51234567]",
		"ff60 user1x5":        "ff60 user1x5 ×0 []; ff60 ×0 [user1x5]; ff60 user1 ×5? []",
		"pc5x0":               "pc5x0 ×0 []",
		"pc5x2 x3":            "pc5x2 ×3 []",
		"ff 51234567,":        "ff 51234567 ×0 []; ff ×0 [51234567]",
		"pc5، ×٢، , ":         "pc5 ×2 []",
		"a1x2 b1x2":           "a1x2 b1x2 ×0 []; a1x2 ×0 [b1x2]",
		"":                    "",
		"xbox 50":             "xbox 50 ×0 []; xbox ×0 [50]; xbox ×50? []",
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

// TestOutOfRange: a quantity that is no number of units is told from a line without one.
func TestOutOfRange(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"pc5 x0": "pc5 none", "0x pc 5": "pc 5 none", "pc5x0": "pc5 none", "pc5 ×٠": "pc5 none", "pc5 0×": "pc5 none", "pc5 x0,": "pc5 none", "pc5 x 000": "pc5 none",
		"pc5 x99999999999": "pc5 many", "pc5x2000000": "pc5 many",
		"pc5 x1": "", "pc5": "", "x0": "", "": "", "pc5 x0 x0": "", "pc5x0 x2": "",
	} {
		got := ""
		if rest, none, ok := orderline.OutOfRange(line); ok {
			got = rest + map[bool]string{true: " none", false: " many"}[none]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
