package api

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lists show a code with a part of it hidden, and some endpoints show it as lists do. What is hidden is known by the signs that stand in
// its place, and by nothing else: no answer says so. A text that is taken for a code by mistake ends the search for the code, and a code
// that is taken for hidden is shown to people half an hour later, as what the service shows in its place. So where signs may be either,
// they hide something, but for the two forms in which they plainly do not: an ornament around a code, and a row that leads to it.

// Signs in the place of what is hidden. Any three of a row of the first hide something; the others may merely set something off.
const (
	stars    = "*•●∙■█＊"
	hideMore = "#_.?…×□○▮"
)

const (
	fewestStars  = 3 // in a row
	fewestSigns  = 4 // in a row, of the others
	fewestHidden = 2 // that are a whole group of a code
	crossedGroup = 4 // a last group of nothing but X
	crossedTail  = 6 // X behind letters and numbers, in one group
	longestIndex = 2 // digits of a number in a list of steps
)

// isMasked reports whether a text is a code of which a part is hidden: three stars in a row, a group of nothing but signs beside groups of
// a code, an end that is cut off, groups of nothing but X or 0, or a word that says so.
func isMasked(text string) bool {
	return isCrossed(text) || saysHidden(text) || isCut(strings.Fields(text)) || slices.ContainsFunc(strings.Split(text, "\n"), isMaskedLine)
}

// isMaskedLine is isMasked for a line.
func isMaskedLine(line string) bool {
	line = undecorated(strings.TrimSpace(line))
	return hasStars(line) || hasHiddenGroup(line) || slices.ContainsFunc(strings.Fields(line), isHidden)
}

// undecorated is a line without a row of one sign that stands before it and behind it, as an ornament: "*** GU3U-7Q2Z ***". A row that a
// dash sets off is a group.
func undecorated(line string) string {
	first, size := utf8.DecodeRuneInString(line)
	if !strings.ContainsRune(stars+hideMore, first) {
		return line
	}
	sign := line[:size]
	within := strings.TrimLeft(line, sign)
	before := len(line) - len(within)
	bare := strings.TrimRight(within, sign)
	// What is left has to be long enough for a code: stars hide both ends of one as well.
	if before < fewestHidden*size || before != len(within)-len(bare) || strings.HasPrefix(bare, "-") || strings.HasSuffix(bare, "-") ||
		utf8.RuneCountInString(bare) < 2*shortestPIN {
		return line
	}
	return strings.TrimSpace(bare)
}

// hasStars reports whether a line has stars in a row.
func hasStars(line string) bool {
	run := 0
	for _, r := range line {
		if run++; !strings.ContainsRune(stars, r) {
			run = 0
		}
		if run == fewestStars {
			return true
		}
	}
	return false
}

// isCrossed reports whether X or 0 stands for what is hidden: in two groups, in a whole one between or behind numbers, or as a long end.
func isCrossed(text string) bool {
	groups := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	crosses := func(group string) bool { return strings.Trim(group, "Xx") == "" }
	crossed := 0
	for _, group := range groups {
		crossed += count(len(group) >= 3 && crosses(group))
	}
	if len(groups) == 0 {
		return false
	}
	last := groups[len(groups)-1]
	open := strings.TrimRight(last, "Xx")
	tail := len(last)-len(open) >= crossedTail && strings.ContainsFunc(open, unicode.IsNumber)
	nothing := len(groups) > 1 && strings.Trim(strings.Join(groups, ""), "0") == ""
	return crossed > 1 || tail || nothing || slices.ContainsFunc(strings.Fields(text), isCrossedInside)
}

// isCrossedInside reports whether a part of a text has a group of nothing but X behind one with numbers: "GU3U-XXXX", "GU3U-XXXX-7Q2Z".
func isCrossedInside(part string) bool {
	groups := strings.Split(part, "-")
	for i, group := range groups[1:] {
		if len(group) >= crossedGroup && strings.Trim(group, "Xx") == "" && strings.ContainsFunc(groups[i], unicode.IsNumber) {
			return true
		}
	}
	return false
}

// hasHiddenGroup reports whether a line is groups as a code has them, of which one is nothing but a sign: "GU3U-**-**", "GU3U #### ####".
// Such a row before all others leads to them, and so does one behind a name.
func hasHiddenGroup(line string) bool {
	hidden, numbers := false, false
	for _, group := range strings.FieldsFunc(line, func(r rune) bool { return r == '-' || unicode.IsSpace(r) }) {
		switch {
		case isRow(group):
			hidden = hidden || numbers
		case isWord(group) && !numbers, strings.ContainsFunc(group, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }):
			return false // words, or what somebody signs in with: the signs may set it off
		case hidden && utf8.RuneCountInString(group) > 2*shortestPIN:
			return false // it leads to a code
		default:
			numbers = numbers || strings.ContainsFunc(group, unicode.IsNumber)
		}
	}
	return hidden
}

// isRow reports whether a group of a line is nothing but one sign.
func isRow(group string) bool {
	first, size := utf8.DecodeRuneInString(group)
	return strings.ContainsRune(stars+hideMore, first) && strings.Trim(group, group[:size]) == "" && utf8.RuneCountInString(group) >= fewestHidden
}

// isCut reports whether a text ends in three dots, as programs cut off what is long: "GU3U...", "Code: GU3U...".
func isCut(fields []string) bool {
	if len(fields) == 0 || len(fields) > 2 {
		return false
	}
	last, cut := strings.CutSuffix(fields[len(fields)-1], "...")
	return cut && strings.ContainsFunc(last, unicode.IsNumber)
}

// isHidden reports whether a part of a text is one of a code that ends in an ellipsis, or has four of a sign in a row that stands for what
// is not shown. Beside words such signs only set something off: a line of them, or a pause.
func isHidden(part string) bool {
	groups := strings.ToUpper(part) == part && strings.Contains(part, "-")
	if !groups && !strings.ContainsFunc(part, unicode.IsNumber) || isWhen(strings.TrimRight(part, "….")) || leads(part) {
		return false
	}
	if strings.Contains(part, "…") {
		return true
	}
	for _, r := range hideMore {
		if strings.Contains(part, strings.Repeat(string(r), fewestSigns)) {
			return true
		}
	}
	return false
}

// leads reports whether dots or a line lead from the name of something, or from its number in a list, to what it is: "PIN.....GU3U-7Q2Z",
// "1....Open".
func leads(part string) bool {
	const leaders = "._…"
	at := strings.IndexAny(part, leaders)
	if at <= 0 {
		return false
	}
	name, what := part[:at], strings.TrimLeft(part[at:], leaders)
	if strings.ContainsAny(what, leaders) {
		return false
	}
	all := func(text string, is func(rune) bool) bool {
		return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !is(r) })
	}
	grouped := utf8.RuneCountInString(what) >= 2*shortestPIN && strings.Contains(what, "-")
	return all(name, unicode.IsLetter) && grouped || len(name) <= longestIndex && all(name, unicode.IsNumber) && all(what, unicode.IsLetter)
}

// saysHidden reports whether a text says between brackets that a part of it is hidden: "GU3U (masked)", "[hidden]-7Q2Z".
func saysHidden(text string) bool {
	for rest := text; ; {
		_, after, opens := strings.Cut(rest, "(")
		if _, square, found := strings.Cut(rest, "["); found && (!opens || len(square) > len(after)) {
			after, opens = square, true
		}
		if !opens {
			return false
		}
		end := strings.IndexAny(after, ")]")
		if end < 0 {
			return false
		}
		if slices.Contains([]string{"masked", "hidden", "redacted", "masqué", "masquée", "caché", "cachée", "مخفي", "مخفية"}, letters(after[:end])) {
			return true
		}
		rest = after
	}
}
