package conversations

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"resellerbot/internal/api"
	"resellerbot/internal/figures"
)

// match lists the products that hold every word, in their own name or a variant's, in the catalogue's
// order. No words match everything.
func match(all []api.Product, words string) []api.Product {
	wanted := strings.Fields(fold(words))
	if len(wanted) == 0 {
		return all
	}
	var found []api.Product
	for _, p := range all {
		if holds(p, wanted) {
			found = append(found, p)
		}
	}
	return found
}

// holds reports whether a product's names hold every word.
func holds(p api.Product, wanted []string) bool {
	var names strings.Builder
	names.WriteString(fold(p.Name))
	for _, v := range p.Variants {
		names.WriteByte('\n')
		names.WriteString(fold(v.Name))
	}
	text := names.String()
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// fold writes a text the way it is searched: lower case, without accents or vowel marks, with the
// forms of a letter that people mix up in Arabic written as one, and with Western digits.
func fold(s string) string {
	if isPlain(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(figures.Latin(s)) {
		switch {
		case unicode.Is(unicode.Mn, r), r == 'ـ', r == '\u200d', r == '\u200c':
			continue
		case r == 'ة':
			r = 'ه'
		case r == 'ى', r == 'ی':
			r = 'ي'
		case r == 'ٱ':
			r = 'ا'
		case r == 'ک':
			r = 'ك'
		case r == 'œ', r == 'Œ':
			b.WriteString("oe")
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// isPlain reports whether a text is ASCII and so has nothing to fold but its case.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
