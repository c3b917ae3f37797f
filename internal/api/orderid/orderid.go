// Package orderid compares what the service calls its orders. It writes one id in several ways: as a number here and
// as a text there, in other letters, with blanks or leading zeros.
package orderid

import "strings"

// Fold is an id as all its spellings have in common. It is for comparing alone: the service is asked in its own words.
func Fold(id string) string {
	id = strings.ToLower(strings.TrimSpace(id))
	if digits := strings.TrimLeft(id, "0"); id != "" && strings.Trim(id, "0123456789") == "" {
		return max(digits, "0")
	}
	return id
}

// Same reports whether two ids may be spellings of one. An empty one is none.
func Same(a, b string) bool { return a != "" && Fold(a) == Fold(b) }
