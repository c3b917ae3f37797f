package sandbox

import (
	"slices"
	"testing"
)

// TestReference: a purchase is known by its number, also by one of digits alone.
func TestReference(t *testing.T) {
	for text, want := range map[string][]string{
		"Order \u2068#17168\u2069, see above":       {"#17168"},
		"\u2068#PR84F\u2069 and \u2068#NX4ZP\u2069": {"#PR84F", "#NX4ZP"},
		"#abcde, # and #1":                          nil,
	} {
		if got := reference.FindAllString(text, -1); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
