// Package orderline reads orders as people type them: "pc5 x3", "ff100 123456789", "pubg 60 51234567", with the digits of
// any of the bot's languages. It knows no catalogue: it says in which ways a line can be read, and whoever knows what is
// sold says which of them mean something.
package orderline

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"resellerbot/internal/figures"
)

const (
	mostTokens   = 24  // of one line; longer ones are no orders
	mostInputs   = 4   // of one item
	mostQuantity = 500 // that a number without a sign is read as
	longest      = 300 // code points of a line
)

// Reading is one way to read a line.
type Reading struct {
	Words    string   // what names the item
	Quantity int      // 0 where none is named
	Inputs   []string // who, or what, it is for: in the order of the item's own inputs
	Bare     bool     // the quantity stood there without a sign: the number may be a word of the item's name
}

// Readings lists the ways to read a line: those with the most words for the item first, and one with a bare quantity last.
// A line that names two quantities, or one that cannot be, has none.
func Readings(line string) (all []Reading) {
	tokens, quantity, ok := quantityOf(tokensOf(line))
	if !ok || len(tokens) == 0 {
		return nil
	}
	for n := len(tokens); n >= 1 && len(tokens)-n <= mostInputs; n-- {
		all = append(all, Reading{Words: strings.Join(tokens[:n], " "), Quantity: quantity, Inputs: tokens[n:]})
	}
	for n := 1; n < len(tokens) && n <= mostInputs && isNumber(tokens[n-1]); n++ { // "51234567 pubg 60"
		all = append(all, Reading{Words: strings.Join(tokens[n:], " "), Quantity: quantity, Inputs: tokens[:n]})
	}
	if n := len(tokens) - 1; quantity == 0 && n >= 1 && isNumber(tokens[n]) {
		if bare, err := strconv.Atoi(tokens[n]); err == nil && bare >= 1 && bare <= mostQuantity {
			all = append(all, Reading{Words: strings.Join(tokens[:n], " "), Quantity: bare, Inputs: []string{}, Bare: true})
		}
	}
	return all
}

// tokensOf takes a line apart at blanks and at what separates cells.
func tokensOf(line string) []string {
	if utf8.RuneCountInString(line) > longest {
		return nil
	}
	tokens := strings.FieldsFunc(Clean(line), func(r rune) bool { return strings.ContainsRune(" \t;|", r) })
	if len(tokens) > mostTokens {
		return nil
	}
	return tokens
}

// Clean writes a line as it is read: Western digits, plain blanks, and nothing that only directs the text.
func Clean(line string) string {
	line = strings.Map(func(r rune) rune {
		switch r {
		case '\u00a0', '\u202f', '\u2009', '\u3000':
			return ' '
		case '؛':
			return ';'
		case '\u200b', '\ufeff':
			return -1
		}
		return r
	}, figures.Latin(line))
	return strings.TrimSpace(line)
}

// quantityOf takes the quantity out of some tokens: "x3", "3x", "×3", "3×", or a sign and a number beside it. ok is false
// where there are two of them, or one that cannot be.
func quantityOf(tokens []string) (rest []string, quantity int, ok bool) {
	found := 0
	for i := 0; i < len(tokens); i++ {
		digits, signed := signedNumber(tokens[i])
		if !signed && isSign(tokens[i]) && i+1 < len(tokens) && isNumber(tokens[i+1]) {
			i++
			digits, signed = tokens[i], true
		}
		if !signed {
			rest = append(rest, tokens[i])
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > 1_000_000 {
			return nil, 0, false
		}
		found++
		quantity = n
	}
	return rest, quantity, found <= 1
}

// signedNumber is the digits of a number that carries the sign of a quantity on either side.
func signedNumber(token string) (digits string, ok bool) {
	for _, sign := range signs {
		if rest, is := strings.CutPrefix(token, sign); is && isNumber(rest) {
			return rest, true
		}
		if rest, is := strings.CutSuffix(token, sign); is && isNumber(rest) {
			return rest, true
		}
	}
	return "", false
}

// signs are those of a quantity.
var signs = [...]string{"x", "X", "×", "*", "х", "✕", "✖"}

// isSign reports whether a token is the sign of a quantity alone.
func isSign(token string) bool {
	for _, sign := range signs {
		if token == sign {
			return true
		}
	}
	return false
}

// isNumber reports whether a token is digits alone.
func isNumber(token string) bool { return token != "" && strings.Trim(token, "0123456789") == "" }
