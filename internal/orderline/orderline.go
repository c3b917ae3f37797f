// Package orderline reads orders as people type them: "pc5 x3", "ff100 123456789", "pubg 60 51234567", with the digits of
// any of the bot's languages. It knows no catalogue: it says in which ways a line can be read, and whoever knows what is
// sold says which of them mean something.
package orderline

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"resellerbot/internal/figures"
)

const (
	mostTokens   = 24  // of one line; longer ones are no orders
	mostInputs   = 4   // of one item
	mostQuantity = 500 // that a number without a sign is read as
	mostUnits    = 1_000_000
	longest      = 300 // code points of a line
)

// Reading is one way to read a line.
type Reading struct {
	Words    string   // what names the item
	Quantity int      // 0 where none is named
	Inputs   []string // who, or what, it is for: in the order of the item's own inputs
	Bare     bool     // the quantity stood there without a sign, or without a blank: it may be of the item's name
}

// Readings lists the ways to read a line: those with the most words for the item first, and one with a bare quantity last.
// A line that names two quantities, or one that cannot be, has none.
func Readings(line string) (all []Reading) {
	tokens, named := quantitiesOf(tokensOf(line))
	quantity, ok := 0, len(named) == 0
	if len(named) == 1 {
		quantity, ok = units(named[0])
	}
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
	return append(all, joined(tokens, quantity)...)
}

// joined are the ways to read a line whose quantity stands at the end of a word of the item: "pc5x2". A line that names
// another quantity has none.
func joined(tokens []string, quantity int) (all []Reading) {
	rest, at, digits := apart(tokens)
	n, ok := units(digits)
	if !ok || quantity != 0 {
		return nil
	}
	for last := len(rest); last > at && len(rest)-last <= mostInputs; last-- {
		all = append(all, Reading{Words: strings.Join(rest[:last], " "), Quantity: n, Inputs: rest[last:], Bare: true})
	}
	return all
}

// OutOfRange is a line without its one quantity, where that is no number of units: none, or more than anybody buys. ok is
// false for any other line.
func OutOfRange(line string) (rest string, none, ok bool) {
	rest, named, digits := Quantity(line)
	if !named {
		return "", false, false
	}
	_, countable := units(digits)
	return rest, strings.Trim(digits, "0") == "", !countable
}

// IsOdd reports whether a line has something that is meant for a quantity and is none that can be read: a number with a separator in it
// beside the sign, or several quantities.
func IsOdd(line string) bool {
	tokens := tokensOf(line)
	if _, named := quantitiesOf(tokens); len(named) > 1 {
		return true
	}
	return slices.ContainsFunc(tokens, func(token string) bool {
		return slices.ContainsFunc(signs[:], func(sign string) bool {
			before, isBefore := strings.CutPrefix(token, sign)
			behind, isBehind := strings.CutSuffix(token, sign)
			return isBefore && isParted(before) || isBehind && isParted(behind)
		})
	})
}

// isParted reports whether digits have a separator between them.
func isParted(text string) bool {
	n := len(text)
	return n > 2 && isNumber(text[:1]) && isNumber(text[n-1:]) && !isNumber(text) && strings.Trim(text, "0123456789.,٫٬،'’") == ""
}

// Quantity takes the one quantity that a line names out of it. Without one, or with several, named is false, and rest the line as it
// is read.
func Quantity(line string) (rest string, named bool, digits string) {
	whole := tokensOf(line)
	tokens, all := quantitiesOf(whole)
	if len(all) == 0 {
		if tokens, _, digits = apart(tokens); digits != "" {
			all = []string{digits}
		}
	}
	if len(all) != 1 || len(tokens) == 0 {
		return strings.Join(whole, " "), false, ""
	}
	return strings.Join(tokens, " "), true, all[0]
}

// tokensOf takes a line apart at blanks and at what separates cells.
func tokensOf(line string) []string {
	if utf8.RuneCountInString(line) > longest {
		return nil
	}
	var tokens []string
	for word := range strings.FieldsFuncSeq(Clean(line), func(r rune) bool { return strings.ContainsRune(" \t;|", r) }) {
		// Who takes numbers over from a table, or from a sentence, takes the comma behind them along.
		if word = strings.TrimRight(word, ",،"); word != "" {
			tokens = append(tokens, bracketed(word)...)
		}
	}
	if len(tokens) > mostTokens {
		return nil
	}
	return tokens
}

// bracketed takes a number in brackets off what it stands behind: games write a player and their zone as "123456789(2001)".
func bracketed(word string) []string {
	before, rest, opened := strings.Cut(word, "(")
	number, closed := strings.CutSuffix(rest, ")")
	switch {
	case !opened || !closed || !isNumber(number) || before != "" && !isNumber(before):
		return []string{word}
	case before == "":
		return []string{number}
	}
	return []string{before, number}
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

// quantitiesOf takes the quantities out of some tokens, as their digits: "x3", "3x", "×3", "3×", or a sign and a number
// beside it.
func quantitiesOf(tokens []string) (rest, named []string) {
	for i := 0; i < len(tokens); i++ {
		digits, signed := signedNumber(tokens[i])
		if !signed && isSign(tokens[i]) && i+1 < len(tokens) && isNumber(tokens[i+1]) {
			i++
			digits, signed = tokens[i], true
		}
		if signed {
			named = append(named, digits)
		} else {
			rest = append(rest, tokens[i])
		}
	}
	return rest, named
}

// units reads how many units some digits are; ok is false where they are no number that somebody buys.
func units(digits string) (n int, ok bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 1 && n <= mostUnits
}

// apart takes the quantity off the one token that ends in one: "pc5x2" is "pc5" and "2". at is which token that is;
// digits is empty where there is none, or several. Behind a # stands the number of a purchase, whatever it ends in.
func apart(tokens []string) (rest []string, at int, digits string) {
	rest = slices.Clone(tokens)
	for i, token := range tokens {
		head := strings.TrimRight(token, "0123456789")
		tail := token[len(head):]
		for _, sign := range signs {
			word, signed := strings.CutSuffix(head, sign)
			if !signed || word == "" || tail == "" || strings.HasPrefix(word, "#") {
				continue
			}
			if digits != "" {
				return tokens, 0, ""
			}
			rest[i], at, digits = word, i, tail
			break
		}
	}
	return rest, at, digits
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
