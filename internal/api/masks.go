package api

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lists show a code with a part of it hidden, and some endpoints show it as lists do. What is hidden is known by the signs that stand in
// its place, and by nothing else: no answer says so. A text that is taken for a code by mistake ends the search for the code, and a code
// that is taken for hidden is shown to people half an hour later, as what the service shows in its place. So doubt is for hidden.

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
)

// isMasked reports whether a text is a code of which a part is hidden: three stars in a row, a group of nothing but signs beside groups of
// a code, an end that is cut off, or groups of nothing but X or 0.
func isMasked(text string) bool {
	text = undecorated(strings.TrimSpace(text))
	fields := strings.Fields(text)
	return hasStars(text) || isCrossed(text) || slices.ContainsFunc(strings.Split(text, "\n"), hasHiddenGroup) || isCut(fields) || slices.ContainsFunc(fields, isHidden) || saysHidden(text)
}

// undecorated is a text without a row of one sign that stands before it and behind it, as an ornament: "*** GU3U-7Q2Z ***".
func undecorated(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if !strings.ContainsRune(stars+hideMore, first) {
		return text
	}
	sign := text[:size]
	within := strings.TrimLeft(text, sign)
	before := len(text) - len(within)
	bare := strings.TrimRight(within, sign)
	if before < fewestHidden*size || before != len(within)-len(bare) {
		return text
	}
	return strings.TrimSpace(bare)
}

// hasStars reports whether a text has stars in a row.
func hasStars(text string) bool {
	run := 0
	for _, r := range text {
		if run++; !strings.ContainsRune(stars, r) {
			run = 0
		}
		if run == fewestStars {
			return true
		}
	}
	return false
}

// isCrossed reports whether X or 0 stands for what is hidden: in two groups, in a whole last one behind numbers, or as a long end.
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
	behind := len(groups) > 1 && len(last) >= crossedGroup && crosses(last) && strings.ContainsFunc(groups[len(groups)-2], unicode.IsNumber)
	nothing := len(groups) > 1 && strings.Trim(strings.Join(groups, ""), "0") == ""
	return crossed > 1 || behind || tail || nothing
}

// hasHiddenGroup reports whether a line is groups as a code has them, of which one is nothing but a sign: "GU3U-**-**", "GU3U #### ####".
func hasHiddenGroup(line string) bool {
	hidden, numbers := 0, false
	for _, group := range strings.FieldsFunc(line, func(r rune) bool { return r == '-' || unicode.IsSpace(r) }) {
		first, size := utf8.DecodeRuneInString(group)
		switch {
		case strings.ContainsRune(stars+hideMore, first) && strings.Trim(group, group[:size]) == "" && utf8.RuneCountInString(group) >= fewestHidden:
			hidden++
		case strings.ToUpper(group) != group, strings.ContainsFunc(group, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }):
			return false // words, or what somebody signs in with: the signs may set it off
		default:
			numbers = numbers || strings.ContainsFunc(group, unicode.IsNumber)
		}
	}
	return hidden > 0 && numbers
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
	return strings.Contains(part, "…") ||
		slices.ContainsFunc([]string{"#", "_", ".", "?"}, func(s string) bool { return strings.Contains(part, strings.Repeat(s, fewestSigns)) })
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
		return !strings.ContainsFunc(text, func(r rune) bool { return !is(r) })
	}
	return all(name, unicode.IsLetter) && utf8.RuneCountInString(what) >= 2*shortestPIN || all(name, unicode.IsNumber) && what != "" && all(what, unicode.IsLetter)
}

// saysHidden reports whether a text says behind a part of a code that the rest is hidden: "GU3U (masked)", "GU3U-[hidden]".
func saysHidden(text string) bool {
	end := strings.LastIndexAny(text, "([")
	return end > 0 && slices.Contains([]string{"masked", "hidden", "redacted", "masqué", "caché", "مخفي"}, letters(text[end:]))
}
