package tgsim

import (
	"cmp"
	"regexp"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Entity marks a part of a text, in UTF-16 units.
type Entity struct {
	Type        string `json:"type"`
	Offset      int    `json:"offset"`
	Length      int    `json:"length"`
	URL         string `json:"url,omitempty"`
	User        *User  `json:"user,omitempty"`
	Language    string `json:"language,omitempty"`
	CustomEmoji string `json:"custom_emoji_id,omitempty"`
	Unix        int64  `json:"unix_time,omitempty"`
	Format      string `json:"date_time_format,omitempty"`

	language string // of a code tag, while its pre is not known
}

// Slice is the part of a text that an entity marks.
func Slice(text string, offset, length int) string {
	u := utf16.Encode([]rune(text))
	if offset < 0 || length < 0 || offset+length > len(u) {
		return ""
	}
	return string(utf16.Decode(u[offset : offset+length]))
}

// units is how long a text is in UTF-16.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// What entities may do with each other.
const (
	quotes = 0  // may hold any
	found  = 50 // what Telegram finds in a text itself
	styles = 90 // from here on: may cross and hold each other, and are held by all but code
)

// priority orders entities that mark the same text, by Telegram's order; negative for no entity at all.
func priority(kind string) int {
	switch kind {
	case "blockquote", "expandable_blockquote":
		return quotes
	case "pre":
		return 11
	case "code":
		return 20
	case "text_link", "text_mention":
		return 49
	case "mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number":
		return found
	case "date_time":
		return 60
	case "custom_emoji":
		return 99
	}
	if i := slices.Index([]string{"bold", "italic", "underline", "strikethrough", "spoiler"}, kind); i >= 0 {
		return styles + i
	}
	return -1
}

// arrange sorts entities and drops those that cannot be where they are: nothing is inside code, and links
// and the like do not overlap. Styles end before code and go on behind it; two of a kind that touch are one.
func arrange(entities []Entity) []Entity {
	order(entities)
	var fixed, solid []Entity
	styled := map[string][]Entity{}
	for _, e := range entities {
		e.language = ""
		last := len(solid) - 1
		switch p := priority(e.Type); {
		case e.Length == 0:
		case p >= styles:
			styled[e.Type] = join(styled[e.Type], e)
		case p == quotes:
			fixed = append(fixed, e)
		case last < 0 || e.Offset >= solid[last].end():
			solid = append(solid, e)
		}
	}
	fixed = append(fixed, solid...)
	solid = slices.DeleteFunc(solid, func(e Entity) bool { return e.Type != "code" && e.Type != "pre" })
	for _, runs := range styled {
		fixed = append(fixed, cut(runs, solid)...)
	}
	order(fixed)
	return fixed
}

// end is where an entity ends.
func (e Entity) end() int { return e.Offset + e.Length }

// join adds a style to others of its kind, of which none begins later.
func join(runs []Entity, e Entity) []Entity {
	last := len(runs) - 1
	if last < 0 || e.Offset > runs[last].end() || e.Type == "custom_emoji" {
		return append(runs, e)
	}
	runs[last].Length = max(runs[last].end(), e.end()) - runs[last].Offset
	return runs
}

// cut leaves of styles what is not in code. Both are in order.
func cut(runs, code []Entity) []Entity {
	var parts []Entity
	for _, e := range runs {
		for len(code) > 0 && code[0].end() <= e.Offset {
			code = code[1:]
		}
		end := e.end()
		for _, c := range code {
			if c.Offset >= end {
				break
			}
			parts = append(parts, e.until(c.Offset)...)
			e.Offset = max(e.Offset, c.end())
		}
		parts = append(parts, e.until(end)...)
	}
	return parts
}

// until is what of an entity is before a place, if anything.
func (e Entity) until(end int) []Entity {
	if e.Length = end - e.Offset; e.Length <= 0 {
		return nil
	}
	return []Entity{e}
}

func order(entities []Entity) {
	slices.SortStableFunc(entities, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length), cmp.Compare(priority(a.Type), priority(b.Type)))
	})
}

// finding is something that Telegram marks in a text by itself.
type finding struct {
	kind    string
	pattern *regexp.Regexp
}

// domains are some of those behind which Telegram finds links without a scheme. It knows them all.
const domains = `com|net|org|info|biz|io|me|dz|ma|tn|fr|de|uk|eu|ru|app|dev|shop|store|online|site|xyz|ai|gg|tv`

// What Telegram marks in a text by itself. The groups are what is marked.
var findings = []finding{
	{"url", regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])((?:https?|tg)://[^\s<>"]*[\pL\pN/_=&-])`)},
	{"email", regexp.MustCompile(`(?:^|[^\pL\pN_.+-])([A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,})`)},
	{"url", regexp.MustCompile(`(?i)(?:^|[^\pL\pN_.@/:-])((?:[a-z0-9-]+\.)+(?:` + domains + `)(?::\d+)?(?:[/?#][^\s<>"]*[\pL\pN/_=&-])?)(?:$|[^\pL\pN_@-])`)},
	{"cashtag", regexp.MustCompile(`(?:^|[^\pL\pN_$])(\$[A-Z]{1,8})(?:$|[^\pL\pN_$])`)},
	{"mention", regexp.MustCompile(`(?:^|[^\pL\pN_])(@[A-Za-z0-9_]{3,32})(?:$|[^\pL\pN_])`)},
	{"hashtag", regexp.MustCompile(`(?:^|[^\pL\pN_])(#[\pN_]*\pL[\pL\pN_]*)(?:$|[^\pL\pN_#])`)},
	{"bot_command", regexp.MustCompile(`(?:^|[^\pL\pN_/<>])(/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)(?:$|[^\pL\pN_/<>@])`)},
}

// detect adds to the entities of a text those that Telegram finds in it.
func detect(text string, entities []Entity) []Entity {
	all := slices.Clone(entities)
	taken := make([]bool, units(text)) // where nothing more is found
	take := func(e Entity) {
		for i := e.Offset; i < e.end(); i++ {
			taken[i] = true
		}
	}
	for _, e := range entities {
		if p := priority(e.Type); p != quotes && p < styles {
			take(e)
		}
	}
	for _, f := range findings {
		for _, e := range f.in(text) {
			if !slices.Contains(taken[e.Offset:e.end()], true) {
				all = append(all, e)
				take(e)
			}
		}
	}
	order(all)
	return all
}

// in finds one kind of thing in a text.
func (f finding) in(text string) []Entity {
	var all []Entity
	at, offset := 0, 0 // the same place, in bytes and in UTF-16 units
	for at < len(text) {
		m := f.pattern.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		begin, end := at+m[2], at+m[3]
		e := Entity{Type: f.kind, Offset: offset + units(text[at:begin]), Length: units(text[begin:end])}
		if m[2] > 0 || at == 0 || !isWord(text[at-1]) {
			all = append(all, e)
		}
		at, offset = end, e.end() // what stands behind it may stand before the next one
	}
	return all
}

// isWord tells bytes of words, those of letters beyond ASCII included.
func isWord(b byte) bool { return isDigit(b) || isLetter(b) || b == '_' || b >= utf8.RuneSelf }
