package orderline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// MostLines is how many orders a list may hold.
const MostLines = 50

// ErrNoText: a file is none that holds lines of text.
var ErrNoText = errors.New("orderline: no text")

// TooManyError is a list that is too long to be read.
type TooManyError struct {
	Lines int
}

// Error implements error.
func (e *TooManyError) Error() string { return fmt.Sprintf("orderline: %d lines in a list", e.Lines) }

// List is several orders, as they were pasted or came in a file.
type List struct {
	Item  string // what the first line says that all others are for; "" where each names its own
	Lines []Line
}

// Line is an order of a list.
type Line struct {
	Number  int    // among all lines of the text, from 1
	Text    string // cleaned, its cells apart by blanks
	Formula bool   // a cell of it is a formula: it is not read
}

// Order is a line as one order: with the item that stands over all of them.
func (l List) Order(i int) string {
	if l.Item == "" {
		return l.Lines[i].Text
	}
	return l.Item + " " + l.Lines[i].Text
}

// IsList reports whether a text is more than one line.
func IsList(text string) bool {
	n := 0
	for line := range eachLine(text) {
		if Clean(line) != "" {
			n++
		}
	}
	return n > 1
}

// ReadList takes a text apart into its orders: empty lines, numbering and a head of columns are left out. A *TooManyError
// where there are more than MostLines.
func ReadList(text string) (List, error) {
	var l List
	commas := hasColumns(text, ',') || hasColumns(text, '،')
	number := 0
	for raw := range eachLine(text) {
		number++
		cells, formula := cellsOf(unnumbered(Clean(raw)), commas)
		if len(cells) == 0 {
			continue
		}
		line := Line{Number: number, Text: strings.Join(cells, " "), Formula: formula}
		switch item, ok := itemOf(line.Text); {
		case len(l.Lines) == 0 && l.Item == "" && ok && !formula:
			l.Item = item
		case len(l.Lines) == 0 && isHead(cells):
		default:
			l.Lines = append(l.Lines, line)
		}
	}
	if n := len(l.Lines); n > MostLines {
		return List{}, &TooManyError{Lines: n}
	}
	return l, nil
}

// Decode is the text of a file: UTF-8, UTF-16 with its mark, or, where it is neither, what Windows writes in the west.
// ErrNoText for anything else.
func Decode(body []byte) (string, error) {
	text := string(body)
	switch {
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"):
		text = wide(body)
	case !utf8.Valid(body):
		runes := make([]rune, 0, len(body))
		for _, b := range body {
			runes = append(runes, rune(b))
		}
		text = string(runes)
	}
	text = strings.TrimPrefix(text, "\ufeff")
	strange := func(r rune) bool {
		return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) || r == utf8.RuneError
	}
	if strings.HasPrefix(text, "%PDF") || strings.ContainsFunc(text, strange) {
		return "", ErrNoText
	}
	return text, nil
}

// wide reads UTF-16 behind its mark.
func wide(body []byte) string {
	units := make([]uint16, 0, len(body)/2)
	for i := 0; i+1 < len(body); i += 2 {
		low, high := body[i], body[i+1]
		if body[0] == 0xfe {
			low, high = high, low
		}
		units = append(units, uint16(high)<<8|uint16(low))
	}
	return string(utf16.Decode(units))
}

// eachLine visits the lines of a text, whatever ends them.
func eachLine(text string) func(func(string) bool) {
	return strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text), "\n")
}

// hasColumns reports whether a sign parts the cells of a text: each line has it, and all as often.
func hasColumns(text string, sign rune) bool {
	all := 0
	for line := range eachLine(text) {
		n := strings.Count(line, string(sign))
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case n == 0, all != 0 && n != all:
			return false
		}
		all = n
	}
	return all > 0
}

// unnumbered is a line without the number or the bullet that it begins with: "3. pc5", "- pc5".
func unnumbered(line string) string {
	for _, bullet := range []string{"- ", "– ", "• ", "* "} {
		if rest, ok := strings.CutPrefix(line, bullet); ok {
			return rest
		}
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if digits == 0 || digits > 2 || len(line) < digits+2 || !strings.ContainsRune(".)", rune(line[digits])) || line[digits+1] != ' ' {
		return line
	}
	return line[digits+2:]
}

// cellsOf takes a line apart at tabs, semicolons and bars, and at commas where these part columns. Quotes around a cell are
// none of it. formula: one of them is to be reckoned, and nobody does.
func cellsOf(line string, commas bool) (cells []string, formula bool) {
	var cell strings.Builder
	quoted := false
	end := func() {
		text, is := literal(strings.TrimSpace(cell.String()))
		if formula = formula || is; text != "" {
			cells = append(cells, text)
		}
		cell.Reset()
	}
	for i, r := range line {
		switch {
		case r == '"' && (quoted || strings.TrimSpace(cell.String()) == "" && strings.Contains(line[i+1:], `"`)):
			quoted = !quoted
		case !quoted && (strings.ContainsRune("\t;|", r) || commas && strings.ContainsRune(",،", r)):
			end()
		default:
			cell.WriteRune(r)
		}
	}
	end()
	return cells, formula
}

// Cells is a line as a table has it: commas part its cells, and quotes around one are none of it. It is the line itself where it has none
// of these, or no words before the first of them: a number with a comma in it is no item.
func Cells(line string) string {
	plain := Clean(line)
	if !strings.ContainsAny(plain, ",،\"") {
		return plain
	}
	cells, formula := cellsOf(plain, true)
	if formula || len(cells) < 2 || !strings.ContainsFunc(cells[0], unicode.IsLetter) {
		return plain
	}
	return strings.Join(cells, " ")
}

// literal is the text of a cell. What a table would reckon is a formula; a number that was written as ="123", to keep its
// zeros, is none.
func literal(cell string) (text string, formula bool) {
	if rest, ok := strings.CutPrefix(cell, `="`); ok {
		if number, ok := strings.CutSuffix(rest, `"`); ok && isNumber(number) {
			return number, false
		}
	}
	switch {
	case strings.HasPrefix(cell, "="):
		return cell, true
	case len(cell) > 1 && cell[0] == '+' && !unicode.IsDigit(rune(cell[1])),
		cell != "" && strings.ContainsRune("+-@", rune(cell[0])) && strings.ContainsAny(cell, "(|!="):
		return cell, true
	}
	return cell, false
}

// itemOf is the item that a line names for all that follow: it ends with a colon, and may say "for" before it.
func itemOf(line string) (item string, ok bool) {
	for _, colon := range []string{":", "："} {
		if item, ok = strings.CutSuffix(line, colon); ok {
			break
		}
	}
	if !ok {
		return "", false
	}
	words := strings.Fields(item)
	if n := len(words); n > 1 && slices.Contains([]string{"for", "pour", "to", "à", "a", "ل", "لـ", "إلى"}, strings.ToLower(words[n-1])) {
		words = words[:n-1]
	}
	item = strings.Join(words, " ")
	return item, item != ""
}

// isHead reports whether cells are the names of columns.
func isHead(cells []string) bool {
	for word := range strings.FieldsSeq(strings.Join(cells, " ")) {
		if !slices.Contains(headWords[:], strings.ToLower(strings.Trim(word, ".:#°_"))) {
			return false
		}
	}
	return true
}

// headWords are what columns are called.
var headWords = [...]string{
	"id", "ids", "uid", "player", "players", "player_id", "playerid", "game", "item", "items", "product", "variant", "code", "quantity", "qty", "number", "name", "customer", "no", "n",
	//nolint:misspell // French, as it is typed
	"joueur", "joueurs", "produit", "article", "formule", "quantité", "quantite", "qté", "qte", "numéro", "numero", "nom", "client", "du", "de",
	"المعرف", "المعرّف", "معرف", "معرّف", "اللاعب", "لاعب", "المنتج", "منتج", "الفئة", "الكمية", "كمية", "الرقم", "رقم", "الاسم", "الزبون",
}
