package tgsim

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finding is something that Telegram marks in a text by itself.
type finding struct {
	kind    string
	pattern *regexp.Regexp
	before  func(rune) bool             // what cannot stand before it
	after   func(rune) bool             // what cannot stand behind it
	part    func(word string) (end int) // how much of what the pattern matches is marked: 0 for nothing; nil: all
}

// findings are what Telegram marks in a text by itself.
func findings() []finding {
	in := func(set string) func(rune) bool {
		return func(r rune) bool { return strings.ContainsRune(set, r) }
	}
	or := func(one, other func(rune) bool) func(rune) bool {
		return func(r rune) bool { return one(r) || other(r) }
	}
	return []finding{
		{"mention", mentionPattern, isWordRune, isWordRune, mentionEnd},
		{"bot_command", commandPattern, or(isWordRune, in("/<>")), or(isWordRune, in("/<>")), commandEnd},
		{"hashtag", hashtagPattern, isTagRune, in("#"), hashtagEnd},
		{"cashtag", cashtagPattern, or(isTagRune, in("$")), or(isTagRune, in("$")), cashtagEnd},
	}
}

// The forms of what is found, before its edges and its length are looked at.
var (
	mentionPattern = regexp.MustCompile(`@[A-Za-z0-9_]+`)
	commandPattern = regexp.MustCompile(`/[A-Za-z0-9_]+(?:@[A-Za-z0-9_]*)?`)
	hashtagPattern = regexp.MustCompile(`#[` + tagRunes + `]+(?:@[A-Za-z0-9_]*)?`)
	cashtagPattern = regexp.MustCompile(`\$(?:1INCH|[A-Z]+)(?:@[A-Za-z0-9_]*)?`)
)

// tagRunes are the characters of hashtags, for a class of a pattern.
const tagRunes = `\pL\p{Nd}_\x{200c}\x{b7}\x{d80}-\x{dff}`

var tagRune = regexp.MustCompile(`[` + tagRunes + `]`)

// isTagRune tells the characters of hashtags.
func isTagRune(r rune) bool { return tagRune.MatchString(string(r)) }

// isWordRune tells the characters of words.
func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// mentionEnd allows names of 4 to 32 characters, and those shorter ones that Telegram has given out.
func mentionEnd(word string) int {
	switch n := len(word) - 1; {
	case n >= 4 && n <= 32, slices.Contains([]string{"gif", "nft", "pic", "ufc", "vid"}, strings.ToLower(word[1:])):
		return len(word)
	}
	return 0
}

func commandEnd(word string) int {
	command, name, named := strings.Cut(word[1:], "@")
	if len(command) > 64 || named && !isName(name) {
		return 0
	}
	return len(word)
}

// isName reports whether a bot's name may stand behind a command or a tag.
func isName(name string) bool { return len(name) >= 3 && len(name) <= 32 }

// hashtagEnd allows 256 characters, of which one is a letter, and a name behind them.
func hashtagEnd(word string) int {
	const most = 256
	tag, name, named := strings.Cut(word[1:], "@")
	runes := []rune(tag)
	if len(runes) > most {
		tag, named = string(runes[:most]), false
	}
	switch {
	case !strings.ContainsFunc(tag, unicode.IsLetter):
		return 0
	case named && len(name) >= 3:
		return 1 + len(tag) + 1 + min(len(name), 32)
	}
	return 1 + len(tag)
}

func cashtagEnd(word string) int {
	tag, name, named := strings.Cut(word[1:], "@")
	switch {
	case len(tag) > 8:
		return 0
	case named && isName(name):
		return len(word)
	}
	return 1 + len(tag)
}

// find lists what Telegram marks in a text by itself: of what overlaps the first, and of that the longest.
func find(text string) []Entity {
	var all []Entity
	for _, f := range findings() {
		all = append(all, f.in(text)...)
	}
	all = append(all, addresses(text)...)
	order(all)
	return disjoint(all)
}

// in finds one kind of thing in a text.
func (f finding) in(text string) []Entity {
	var all []Entity
	at, offset := 0, 0 // the same place, in bytes and in UTF-16 units
	for {
		m := f.pattern.FindStringIndex(text[at:])
		if m == nil {
			return all
		}
		begin, end := at+m[0], at+m[1]
		offset += units(text[at:begin])
		if before, _ := utf8.DecodeLastRuneInString(text[:begin]); begin > 0 && f.before(before) {
			_, size := utf8.DecodeRuneInString(text[begin:])
			offset, at = offset+units(text[begin:begin+size]), begin+size
			continue
		}
		marked := end
		if f.part != nil {
			marked = begin + f.part(text[begin:end])
		}
		if behind, _ := utf8.DecodeRuneInString(text[marked:]); marked > begin && (marked == len(text) || !f.after(behind)) {
			all = append(all, Entity{Type: f.kind, Offset: offset, Length: units(text[begin:marked])})
		}
		offset, at = offset+units(text[begin:end]), end
	}
}
