package sandbox

import (
	"slices"
	"testing"
)

// TestReference: a purchase is known by its number, also by one of digits alone.
func TestReference(t *testing.T) {
	for text, want := range map[string][]string{
		"Order ⁨#17168⁩, see above": {"#17168"},
		"⁨#PR84F⁩ and ⁨#NX4ZP⁩":     {"#PR84F", "#NX4ZP"},
		"#abcde, # and #1":          nil,
	} {
		if got := reference.FindAllString(text, -1); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
