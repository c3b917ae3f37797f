package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"resellerbot/internal/figures"
)

// Fold writes a text the way it is searched: lower case, without accents or vowel marks, with the forms of a letter
// that people mix up in Arabic written as one, and with Western digits.
func Fold(s string) string {
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

// token is a word of a name, or of what was typed.
type token struct {
	text   string // folded
	runes  []rune // of text
	sound  string // its consonants in Latin letters, whatever its script
	spoken string // the same with its vowels, as far as Arabic writes them
	latin  bool
	number bool
	joined bool // two words of a name, written as one
	brief  bool // the first letters of a name's words
}

// tokenOf makes a token of a folded word.
func tokenOf(word string) token {
	t := token{text: word, runes: []rune(word), number: word[0] >= '0' && word[0] <= '9', latin: word[0] < 0x80}
	if !t.number {
		t.sound, t.spoken = soundOf(word, consonant), soundOf(word, letter)
	}
	return t
}

// tokensOf takes a text apart into words and numbers: "10usd" is two of them.
func tokensOf(text string) (all []token) {
	word := ""
	end := func() {
		if word != "" {
			if article := "ال"; strings.HasPrefix(word, article) && utf8.RuneCountInString(word) >= 5 {
				word = strings.TrimPrefix(word, article)
			}
			if meant, ok := meanings[word]; ok {
				word = meant
			}
			all = append(all, tokenOf(word))
			word = ""
		}
	}
	for _, r := range Fold(text) {
		digit := r >= '0' && r <= '9'
		sign := r == '$' || r == '€'
		switch {
		case !digit && !sign && !unicode.IsLetter(r):
			end()
			continue
		case word != "" && (sign || digit != (word[0] >= '0' && word[0] <= '9')):
			end()
		}
		word += string(r)
	}
	end()
	return all
}

// meanings are other names of one thing.
// The keys are compared with folded words without the article, so they have to be written so: ة as ه, no hamza, and no ال before three
// letters or more. A key in another spelling is never found.
var meanings = map[string]string{
	"$": "usd", "dollar": "usd", "dollars": "usd", "دولار": "usd", "€": "eur", "euro": "eur", "euros": "eur", "يورو": "eur", "اورو": "eur",
	"carte": "card", "cartes": "card", "cards": "card", "بطاقه": "card", "بطاقات": "card", "كارت": "card", "كارد": "card",
	"cadeau": "gift", "هديه": "gift", "هدايا": "gift", "recharge": "topup", "شحن": "topup", "psn": "playstation", "ps": "playstation",
	"diamants": "diamonds", "diamond": "diamonds", "diamant": "diamonds", "جواهر": "diamonds", "جوهره": "diamonds", "ماس": "diamonds",
	"mois": "month", "months": "month", "شهر": "month", "اشهر": "month", "شهور": "month", "an": "year", "ans": "year", "annee": "year", "years": "year", "سنه": "year", "عام": "year",
	"jour": "day", "jours": "day", "days": "day", "يوم": "day", "ايام": "day", "abonnement": "subscription", "اشتراك": "subscription",
	"pieces": "coins", "coin": "coins", "عملات": "coins", "عمله": "coins", "points": "points", "نقاط": "points", "نقطه": "points", "شده": "uc", "شدات": "uc",
	"ff": "freefire", "ml": "mobilelegends",
}

// commonWords are the meanings of what people put before any name.
var commonWords = []string{"card", "gift", "topup", "subscription", "code"}

// leastMisspelt is how many letters a word has at least that is taken for a misspelt one: of shorter ones too many are names.
const leastMisspelt = 5

// isCommon reports whether a word is one of commonWords in any language, as it is or misspelt.
func (w token) isCommon() bool {
	if slices.Contains(commonWords, w.text) {
		return true
	}
	means := func(spelling string) bool { return editDistance(w.runes, []rune(spelling), 1) <= 1 }
	if w.number || len(w.runes) < leastMisspelt {
		return false
	}
	for spelling, word := range meanings {
		if slices.Contains(commonWords, word) && means(spelling) {
			return true
		}
	}
	return slices.ContainsFunc(commonWords, means)
}

// distance is how far a token of the catalogue is from a word that was typed; loosely for what is only offered.
func (w token) distance(t token, loosely bool) uint8 {
	switch {
	case w.text == t.text && t.brief:
		return begins
	case w.text == t.text:
		return same
	// A few letters would be near to, and part of, far too much: they are found by themselves alone.
	case t.brief:
		return nowhere
	case w.number || t.number:
		return nowhere // 10 is not 100
	// One or two letters inside of a word are chance, at its beginning they are a word that is still being typed.
	case strings.HasPrefix(t.text, w.text), len(w.runes) >= 3 && strings.Contains(t.text, w.text):
		return begins
	}
	// Loosely half of the letters may be wrong: too much for a token that no name has as a word.
	if most := w.forgives(loosely); most > 0 && (!loosely || !t.joined) {
		if off := editDistance(w.runes, t.runes, most); off <= most {
			return near - 1 + uint8(off) //nolint:gosec // as many as are forgiven at most
		}
	}
	// Of names with the same consonants the one with the most of the same vowels is nearest.
	// Within one script letters are compared. Sounds would make one of "card" and "crowd".
	if w.latin != t.latin && (alike(w.sound, t.sound) || loosely && nearlyAlike(w.sound, t.sound)) {
		return sounds + uint8(editDistance([]rune(w.spoken), []rune(t.spoken), mostUnlike)) //nolint:gosec // as many as that at most, and one
	}
	return nowhere
}

// mostUnlike is how many letters two names are otherwise that are told apart by it.
const mostUnlike = 8

// nearlyAlike reports whether two sounds may be those of one name with a wrong letter: enough to offer it, and not to take it for that.
func nearlyAlike(a, b string) bool {
	return min(len(a), len(b)) >= 2 && max(len(a), len(b)) >= 3 && editDistance([]rune(a), []rune(b), 1) <= 1
}

// alike reports whether two sounds are those of one name: so little is left of a short one that it has to be the same.
func alike(a, b string) bool {
	if a == b {
		return len(a) >= 2
	}
	return min(len(a), len(b)) >= 5 && editDistance([]rune(a), []rune(b), 1) <= 1
}

// forgives is how many letters of a word may be wrong.
func (w token) forgives(loosely bool) int {
	switch length := len(w.runes); {
	case loosely:
		return min(length/2, 8)
	case length >= 7:
		return 2
	case length >= 3:
		return 1
	}
	return 0
}

// editDistance is how many letters have to be changed, put in, left out or swapped; more than most is most+1.
func editDistance(s, t []rune, most int) int {
	if len(s)-len(t) > most || len(t)-len(s) > most {
		return most + 1
	}
	// The rows are arrays, so that no comparison allocates: one search makes as many as the catalogue has tokens, for each word.
	const widest = 64
	if len(t) >= widest {
		return most + 1
	}
	var rows [3][widest + 1]int
	for j := range len(t) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		row, last, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		least := i
		for j := 1; j <= len(t); j++ {
			change := 1
			if s[i-1] == t[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		// A swap takes its cost from two rows back, and yet this row is enough to stop by: it holds no more than what a swap over it costs.
		if least > most {
			return most + 1
		}
	}
	return rows[len(s)%3][len(t)]
}

// digraphs are letters that sound as one, or one that sounds as two.
var digraphs = strings.NewReplacer("ph", "f", "sh", "s", "ch", "s", "ck", "k", "x", "ks", "th", "t")

// soundOf writes a word as it sounds, in Latin letters, those alike that Arabic has one letter for: p is b, v is f, and the ways in
// which people write g are one. as is what a letter sounds like; 0 for those that are left out.
func soundOf(word string, as func(rune) byte) string {
	sound := make([]byte, 0, len(word))
	letters := []rune(digraphs.Replace(word))
	for i, r := range letters {
		// c before e, i and y sounds as s in French and English: "cité" is written with س.
		if r == 'c' && i+1 < len(letters) && strings.ContainsRune("eiy", letters[i+1]) {
			r = 's'
		}
		if c := as(r); c != 0 && (len(sound) == 0 || sound[len(sound)-1] != c) {
			sound = append(sound, c)
		}
	}
	return string(sound)
}

// consonant is how a letter sounds; 0 for vowels, and for what is often not heard.
func consonant(r rune) byte {
	switch r {
	case 'b', 'p', 'ب', 'پ':
		return 'b'
	case 't', 'ط', 'ت', 'ث':
		return 't'
	case 'j', 'g', 'ج', 'غ', 'ق', 'ڨ', 'گ':
		return 'j'
	case 'k', 'c', 'q', 'ك', 'خ':
		return 'k'
	case 'd', 'ذ', 'د', 'ض', 'ظ':
		return 'd'
	case 's', 'z', 'ش', 'س', 'ص', 'ز':
		return 's'
	case 'f', 'v', 'ف', 'ڤ':
		return 'f'
	case 'r', 'ر':
		return 'r'
	case 'l', 'ل':
		return 'l'
	case 'm', 'م':
		return 'm'
	case 'n', 'ن':
		return 'n'
	}
	return 0
}

// letter is consonant, and the vowels that both scripts write: Arabic has one letter for i and e, and one for o and u.
func letter(r rune) byte {
	switch r {
	case 'a', 'ا':
		return 'a'
	case 'e', 'i', 'y', 'ي':
		return 'i'
	case 'o', 'u', 'w', 'و':
		return 'o'
	}
	return consonant(r)
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
