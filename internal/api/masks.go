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
// they hide something, but in the forms in which they plainly do not: an ornament around a code, a title, a row that leads to it, a short row
// between blanks, and X in a line that names something else.

// Signs in the place of what is hidden. Any three of a row of the first hide something; the others may merely set something off.
const (
	stars    = "*•●∙■█＊٭·✱∗▓⬛"
	hideMore = "#_.?…×□○▮"
	leaders  = "._…" // from a name to what it names
)

const (
	fewestStars   = 3 // in a row
	fewestSigns   = 4 // in a row, of the others
	fewestDots    = 3 // in a row, between parts of a code
	fewestHidden  = 2 // in a row between dashes
	fewestRows    = 2 // between blanks, wherever they stand beside a code
	crossedGroup  = 4 // X that are a whole group
	crossedRow    = 6 // X in a row, in one group with numbers
	longestIndex  = 2 // digits of a number in a list of steps
	longestFigure = 3 // digits of a number in a title, as of what a card is worth
	shortestCode  = 8 // letters and numbers of what is plainly a code
)

// isMasked reports whether a text is a code of which a part is hidden: behind signs, behind X or 0, behind dots that cut it off, or
// behind a word that says so.
func isMasked(text string) bool {
	lines := withoutHeadings(strings.Split(strings.TrimSpace(text), "\n"))
	return isCrossed(text, lines) || saysHidden(text) || isCut(strings.Fields(text)) || slices.ContainsFunc(lines, isMaskedLine)
}

// withoutHeadings is several lines without those that only set off what others show: a title between signs, a row of one sign, and words from which
// a row leads on: "*** STEAM 10 USD ***", "________", "YOUR CODE ....". The last two are that only where another line plainly shows a code, and a
// row is not behind a name that it stands for.
func withoutHeadings(lines []string) (out []string) {
	coded := false
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
		coded = coded || showsCode(lines, i)
	}
	for i, line := range lines {
		row := isRow(line) && coded && (i == 0 || !namesCode(lines[i-1]))
		leads := isLeader(line) && i+1 < len(lines) && showsCode(lines, i+1)
		if len(lines) == 1 || !row && !leads && !isTitle(line) {
			out = append(out, line)
		}
	}
	return out
}

// isLeader reports whether a line is words alone, and a row that leads from them.
func isLeader(line string) bool {
	words := strings.TrimRight(line, leaders+" ")
	return words != line && !slices.ContainsFunc(strings.Fields(words), func(word string) bool { return !isLetters(word) })
}

// showsCode reports whether a line of some shows a code and nothing else but its name. What is named otherwise, as a serial number is, may stand
// beside a code that is hidden.
func showsCode(lines []string, i int) bool {
	words := strings.Fields(strings.ReplaceAll(lines[i], ":", " : "))
	if len(words) == 0 || i > 0 && namesSerial(strings.Fields(lines[i-1])) && !strings.ContainsFunc(lines[i-1], unicode.IsNumber) {
		return false // it is what the line before names
	}
	names := slices.DeleteFunc(words[:len(words)-1:len(words)-1], func(word string) bool { return word == ":" })
	code := strings.TrimFunc(words[len(words)-1], isMark)
	switch {
	case namesSerial(names):
		return false
	case len(names) == 0, slices.ContainsFunc(names, isCodeName):
		return isWhole(code)
	case isLabel(names) && !strings.Contains(lines[i], ":"): // a product's name
		return isWhole(code) && strings.ToUpper(code) == code && strings.ContainsFunc(code, unicode.IsLetter)
	}
	return isWhole(strings.Join(words, "-")) && !slices.ContainsFunc(words, func(group string) bool { return len(group) != len(words[0]) })
}

// isWhole reports whether a word is as long as a code, with a number in it, and nothing but letters, numbers and dashes.
func isWhole(word string) bool {
	long := 0
	for _, r := range word {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			long++
		case r != '-':
			return false
		}
	}
	return long >= shortestCode && strings.ContainsFunc(word, unicode.IsNumber) && !isCrossedPart(word)
}

// namesSerial reports whether words name a serial number, which stands beside a code.
func namesSerial(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains(serials(), strings.ToLower(strings.TrimFunc(word, isMark)))
	})
}

func isCodeName(word string) bool { return slices.Contains(labels(), strings.ToLower(word)) }

// isTitle reports whether a line is words, and numbers that are none of a code, between rows of one sign and blanks.
func isTitle(line string) bool {
	words := strings.Fields(line)
	if len(words) < 3 || !isRow(words[0]) || words[0] != words[len(words)-1] {
		return false
	}
	return !slices.ContainsFunc(words[1:len(words)-1], func(word string) bool {
		word = strings.TrimFunc(word, isMark)
		return !isLetters(word) && (len(word) > longestFigure || strings.Trim(word, "0123456789") != "")
	})
}

// namesCode reports whether a line ends in the name of what the next one shows.
func namesCode(line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return strings.HasSuffix(last, ":") || slices.Contains(labels(), strings.ToLower(last))
}

func isLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}

func isIndex(word string) bool {
	return word != "" && len(word) <= longestIndex && strings.Trim(word, "0123456789") == ""
}

// isMaskedLine is isMasked for signs in a line.
func isMaskedLine(line string) bool {
	parts := strings.Fields(undecorated(unlabelled(strings.TrimSpace(line))))
	rows, coded := 0, false
	for i, part := range parts {
		if !isRow(part) {
			if isMaskedPart(part) {
				return true
			}
			coded = coded || isCoded(part)
			continue
		}
		signs := utf8.RuneCountInString(part)
		if startsWithAny(part, stars) && signs >= fewestStars {
			return true
		}
		// A shorter row between blanks sets something off, "amina1 ** 7q2z", and two of them do not.
		if rows += count(signs >= fewestHidden); signs >= fewestSigns && i > 0 && isCoded(parts[i-1]) {
			return true
		}
	}
	return coded && rows >= fewestRows
}

// isMaskedPart reports whether signs in a part of a line, without blanks, hide something: "AB***9", "GU3U-##-##", "1234....ABCD", "GU3U-…".
func isMaskedPart(part string) bool {
	for at := 0; at < len(part); {
		_, size := utf8.DecodeRuneInString(part[at:])
		end := at + size
		for strings.HasPrefix(part[end:], part[at:at+size]) {
			end += size
		}
		if hides(part[at:end], part[:at], part[end:]) {
			return true
		}
		at = end
	}
	return false
}

// hides reports whether a row of one character in a part of a line stands for what is hidden, by what is before it and behind it.
func hides(row, before, behind string) bool {
	signs := utf8.RuneCountInString(row)
	group := (before == "" || strings.HasSuffix(before, "-")) && (behind == "" || strings.HasPrefix(behind, "-")) && signs >= fewestHidden
	switch {
	case startsWithAny(row, stars):
		return signs >= fewestStars || group
	case !startsWithAny(row, hideMore) || isWhen(before):
		return false
	case before == "":
		return isCoded(behind) && (signs >= fewestSigns || group || row == "…")
	// Behind a word in capitals it is a pause: "MERCI… GU3U-7Q2Z".
	case behind == "" && !strings.ContainsFunc(before, func(r rune) bool { return r == '-' || unicode.IsNumber(r) }):
		return false
	}
	dots := strings.HasPrefix(row, strings.Repeat(".", fewestDots)) && behind != ""
	return isCoded(before) && (signs >= fewestSigns || group || dots || row == "…")
}

// isCoded reports whether a part of a line is written as codes are, with numbers or in capitals alone, rather than as words.
func isCoded(part string) bool {
	return strings.ContainsFunc(part, unicode.IsNumber) || strings.ToLower(part) != part && strings.ToUpper(part) == part
}

// isRow reports whether a part of a line is nothing but one sign.
func isRow(part string) bool {
	_, size := utf8.DecodeRuneInString(part)
	return startsWithAny(part, stars+hideMore) && strings.Trim(part, part[:size]) == ""
}

func startsWithAny(text, signs string) bool { return strings.IndexAny(text, signs) == 0 }

// undecorated is a line without a row of one sign that stands before a code and behind it, as an ornament: "*** GU3U-7Q2Z ***". A row that
// a dash sets off, or that is as long as a group of the code, stands for one.
func undecorated(line string) string {
	if !startsWithAny(line, stars+hideMore) {
		return line
	}
	_, size := utf8.DecodeRuneInString(line)
	within := strings.TrimLeft(line, line[:size])
	bare := strings.TrimRight(within, line[:size])
	row, words := len(line)-len(within), strings.Fields(bare)
	if row != len(within)-len(bare) || len(words) == 0 {
		return line
	}
	code := words[len(words)-1] // behind its name
	groups := strings.Split(code, "-")
	asLong := func(group string) bool { return group == "" || utf8.RuneCountInString(group) == row/size }
	if len(groups) == 1 || len(words) > 1 && !isLabel(words[:len(words)-1]) || slices.ContainsFunc(groups, asLong) {
		return line
	}
	return code
}

// unlabelled is a line without the name of what it shows, or its number in a list of steps, and the row that leads from it:
// "PIN.....GU3U-7Q2Z", "CODE ____ GU3U-7Q2Z", "1....Open the app".
func unlabelled(line string) string {
	at := strings.IndexAny(line, leaders)
	if at <= 0 {
		return line
	}
	label, led := strings.TrimSpace(line[:at]), strings.TrimSpace(strings.TrimLeft(line[at:], leaders))
	words := strings.Fields(led)
	step := isIndex(label) && len(words) > 1 && isWord(words[0]) && isWord(words[1])
	// A name that leads to nothing is the beginning of a code: "ABCD EFGH ....".
	if led != "" && (step || isLabel(strings.Fields(label))) {
		return led
	}
	return line
}

// isLabel reports whether words name a code: "PIN", "Code PIN", "GIFT CARD:". One word alone may be the first group of a code.
func isLabel(words []string) bool {
	known := len(words) > 1
	for _, word := range words {
		word = strings.TrimSuffix(word, ":")
		if !isLetters(word) {
			return false
		}
		known = known || slices.Contains(labels(), strings.ToLower(word))
	}
	return known
}

// labels are names of what a line shows.
func labels() []string {
	return append(serials(), "pin", "code", "key", "voucher", "password", "clé", "كود", "رمز", "الرمز", "الكود")
}

// serials are those of labels that name a serial number.
func serials() []string {
	return []string{"serial", "série", "serie", "تسلسلي", "التسلسلي"}
}

// isCrossed reports whether X or 0 stands for what is hidden: in two groups of a text, or in a line of it.
func isCrossed(text string, lines []string) bool {
	groups := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	crossed := 0
	for _, group := range groups {
		crossed += count(len(group) >= 3 && strings.Trim(group, "Xx") == "")
	}
	nothing := len(groups) > 1 && strings.Trim(strings.Join(groups, ""), "0") == ""
	other := func(line string) bool { // shows something else than the code: "Card: 4111XXXXXXXX", "Help: 0800-XXXX"
		name, _, named := strings.Cut(line, ":")
		return named && len(lines) > 1 && !slices.ContainsFunc(strings.Fields(name), func(word string) bool {
			return slices.Contains(labels(), strings.ToLower(word))
		})
	}
	return crossed > 1 || nothing || slices.ContainsFunc(lines, func(line string) bool {
		return !other(line) && slices.ContainsFunc(strings.Fields(line), isCrossedPart)
	})
}

// isCrossedPart reports whether a part of a text has a group of nothing but X behind one with numbers, or a long row of X beside numbers:
// "GU3U-XXXX-7Q2Z", "4111XXXXXXXX1111".
func isCrossedPart(part string) bool {
	if strings.Contains(strings.ToUpper(part), strings.Repeat("X", crossedRow)) && strings.ContainsFunc(part, unicode.IsNumber) {
		return true
	}
	groups := strings.Split(part, "-")
	for i, group := range groups[1:] {
		if len(group) >= crossedGroup && strings.Trim(group, "Xx") == "" && strings.ContainsFunc(groups[i], unicode.IsNumber) {
			return true
		}
	}
	return false
}

// isCut reports whether a text is a code of which dots cut off an end, as programs do with what is long: "GU3U...", "Code: GU3U...", "...7Q2Z".
func isCut(parts []string) bool {
	if len(parts) == 0 || len(parts) > 2 {
		return false
	}
	last := parts[len(parts)-1]
	shown := strings.TrimSuffix(strings.TrimPrefix(last, "..."), "...")
	return shown != last && strings.ContainsFunc(shown, unicode.IsNumber)
}

// saysHidden reports whether a text says that a part of it is hidden: between brackets, or in capitals as a group of the code:
// "GU3U (masked)", "<hidden>-7Q2Z", "GU3U-[...]", "GU3U-REDACTED".
func saysHidden(text string) bool {
	says := []string{"masked", "hidden", "redacted", "masqué", "masquée", "caché", "cachée", "مخفي", "مخفية"}
	parts := strings.Fields(text)
	if slices.ContainsFunc(parts, func(part string) bool {
		groups := strings.Split(part, "-")
		return (len(groups) > 1 || len(parts) == 1) && (slices.Contains(groups, "REDACTED") || slices.Contains(groups, "MASKED"))
	}) {
		return true
	}
	for rest := text; ; {
		at := strings.IndexAny(rest, "([{<")
		if at < 0 {
			return false
		}
		rest = rest[at+1:]
		within := strings.FieldsFunc(rest[:max(strings.IndexAny(rest, ")]}>"), 0)], unicode.IsSpace)
		if len(within) > 0 && (slices.Contains(says, letters(within[0])) || within[0] == "…" || isRow(within[0]) && utf8.RuneCountInString(within[0]) >= fewestHidden) {
			return true
		}
	}
}
