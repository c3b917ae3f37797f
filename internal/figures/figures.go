// Package figures reads amounts and numbers as people type them, with the digits and separators of any of the
// bot's languages, and never takes one for another without a word.
package figures

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"resellerbot/internal/api/dzd"
)

// ErrNotAFigure: the text is not an amount, or not a number, that could be meant.
var ErrNotAFigure = errors.New("figures: not a figure")

// Amount reads an amount of money: "25 000", "25,000 DA", "١٬٢٥٠٫٥٠ د.ج". Blanks, commas, points and
// their Arabic kin separate thousands; one or two digits after the last of them are centimes. sure is false where the
// text can be read in two ways: "25,000" may be 25 000, and may be 25 with three decimals. The amount is the larger
// of the two then, and whoever typed it is asked before it counts. The error is ErrNotAFigure, or dzd.ErrRange.
func Amount(text string) (amount dzd.Amount, sure bool, err error) {
	plain, sure, ok := plainly(withoutCurrency(Latin(text)))
	if !ok {
		return dzd.Amount{}, false, ErrNotAFigure
	}
	amount, err = dzd.Parse(plain)
	return amount, sure, err
}

// Count reads a whole number, zero or more: "5 000" and "5,000" are five thousand of something that is counted.
// What is too large for an int is the largest one. The error is ErrNotAFigure.
func Count(text string) (int, error) {
	plain, _, ok := plainly(Latin(text))
	if !ok || strings.Contains(plain, ".") {
		return 0, ErrNotAFigure
	}
	n, err := strconv.Atoi(plain)
	if errors.Is(err, strconv.ErrRange) { // n is the largest int
		return n, nil
	}
	return n, err
}

// IsFigure reports whether a text is a number, whatever its sign and its separators.
func IsFigure(text string) bool {
	plain := strings.TrimLeft(strings.TrimSpace(Latin(text)), "+-−")
	return strings.ContainsAny(plain, "0123456789") && strings.Trim(plain, "0123456789"+thousands+either) == ""
}

// Latin writes the digits of other scripts, and those in keycaps, as Western ones, and leaves out what only directs the text.
func Latin(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '٠' && r <= '٩':
			return r - '٠' + '0'
		case r >= '۰' && r <= '۹':
			return r - '۰' + '0'
		case r == '\ufe0f' || r == '\u20e3' || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
}

// HasCurrency reports whether a text begins or ends with the word for dinars, as Amount knows it.
func HasCurrency(text string) bool {
	plain := Latin(text)
	return withoutCurrency(plain) != strings.ToUpper(strings.TrimSpace(plain))
}

// withoutCurrency leaves out the word for dinars before or after an amount.
func withoutCurrency(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	for _, word := range [...]string{"DZD", "DA", "د.ج.", "د.ج", "دج", "دينار"} {
		if rest, ok := strings.CutSuffix(text, word); ok {
			return rest
		}
		if rest, ok := strings.CutPrefix(text, word); ok {
			return rest
		}
	}
	return text
}

// The separators that people type. Blanks and those of thousands never stand before decimals.
const (
	thousands = " \u00a0\u2009\u202f٬'’"
	either    = ",.٫،"
)

// plainly writes digits with separators as a number with at most a point in it.
func plainly(text string) (plain string, sure, ok bool) {
	groups, separators, ok := apart(strings.TrimSpace(text))
	if !ok {
		return "", false, false
	}
	if len(separators) == 0 {
		return groups[0], true, true
	}
	end := len(separators) - 1
	last, decimals := separators[end], groups[end+1]
	whole := grouped(groups[:end+1], separators[:end])
	switch {
	case grouped(groups, separators) && (end > 0 || strings.ContainsRune(thousands, last)):
		return strings.Join(groups, ""), true, true
	case grouped(groups, separators):
		return strings.Join(groups, ""), false, true
	case whole && strings.ContainsRune(either, last) && (end == 0 || separators[0] != last):
		return strings.Join(groups[:end+1], "") + "." + decimals, true, len(decimals) <= 4
	}
	return "", false, false
}

// apart takes digits and the separators between them apart.
func apart(text string) (groups []string, separators []rune, ok bool) {
	begun := 0
	for i, r := range text {
		if r >= '0' && r <= '9' {
			continue
		}
		if begun == i || !strings.ContainsRune(thousands+either, r) {
			return nil, nil, false
		}
		groups, separators, begun = append(groups, text[begun:i]), append(separators, r), i+len(string(r))
	}
	return append(groups, text[begun:]), separators, begun < len(text)
}

// grouped reports whether digits stand in groups of thousands: three each, but for the first, which is shorter and
// begins with no zero, and one separator for all.
func grouped(groups []string, separators []rune) bool {
	if len(groups) == 1 {
		return true
	}
	if len(groups[0]) > 3 || groups[0][0] == '0' {
		return false
	}
	for i, separator := range separators {
		if len(groups[i+1]) != 3 || separator != separators[0] {
			return false
		}
	}
	return true
}
