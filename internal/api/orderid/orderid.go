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

// Number is what ids have in common that number orders alike, with letters in front of it or without: 41 of ORD-000041.
// It is empty where an id is no number.
func Number(id string) string {
	digits := strings.TrimLeft(strings.TrimLeft(Fold(id), "abcdefghijklmnopqrstuvwxyz"), "-_#")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return Fold(digits)
}
