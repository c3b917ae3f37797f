package tgsim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxText    = 4096 // code points, after the markup is read
	maxCaption = 1024
	maxRaw     = 1 << 15 // bytes, markup included
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

// formatted reads a text with what marks it up: a parse mode, or else a list of entities.
func (s *Server) formatted(p params, name, list string) (string, []Entity, *failure) {
	text := p.text(name)
	if len(text) > maxRaw {
		return "", nil, badRequest("text is too long")
	}
	if !utf8.ValidString(text) {
		return "", nil, badRequest("strings must be encoded in UTF-8")
	}
	var entities []Entity
	var err error
	switch mode := strings.ToLower(p.text("parse_mode")); mode {
	case "", "none":
		p.object(list, &entities)
		entities = slices.DeleteFunc(entities, func(e Entity) bool { return priority(e.Type) < 0 || priority(e.Type) == found })
		err = fits(text, entities)
	case "html":
		if text, entities, err = parseHTML(text); err != nil {
			err = fmt.Errorf("can't parse entities: %w", err)
		}
	case "markdown", "markdownv2":
		s.unsupported = append(s.unsupported, "parse_mode "+mode)
	default:
		return "", nil, badRequest("unsupported parse_mode")
	}
	if err != nil {
		return "", nil, badRequest(err.Error())
	}
	text, entities = clean(text, entities)
	return text, s.mentions(detect(text, entities)), nil
}

// mentions turns links to people into mentions of those that the bot knows, and drops the others.
func (s *Server) mentions(entities []Entity) []Entity {
	var kept []Entity
	for _, e := range entities {
		digits, link := strings.CutPrefix(e.URL, "tg://user?id=")
		id, _ := strconv.ParseInt(digits, 10, 64)
		if e.User != nil {
			id, link = e.User.ID, true
		}
		if u := s.users[id]; link && u != nil {
			who := *u
			e.Type, e.URL, e.User = "text_mention", "", &who
		} else if link {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// fits refuses entities that lie outside their text.
func fits(text string, entities []Entity) error {
	length := units(text)
	for _, e := range entities {
		switch {
		case e.Offset < 0 || e.Offset > 1_000_000:
			return fmt.Errorf("receive an entity with incorrect offset %d", e.Offset)
		case e.Length < 0 || e.Length > 1_000_000:
			return fmt.Errorf("receive an entity with incorrect length %d", e.Length)
		case e.Offset >= length:
			return fmt.Errorf("entity begins after the end of the text at UTF-16 offset %d", e.Offset)
		case e.Offset+e.Length > length:
			return fmt.Errorf("entity beginning at UTF-16 offset %d ends after the end of the text at UTF-16 offset %d", e.Offset, e.Offset+e.Length)
		}
	}
	return nil
}

// clean takes out of a text what Telegram does not keep, white space around it included, and puts its
// entities right.
func clean(text string, entities []Entity) (string, []Entity) {
	var out strings.Builder
	places := make([]int, 0, len(text)+1) // of the old UTF-16 units in the new text
	length := 0
	for _, r := range text {
		for range utf16.RuneLen(r) {
			places = append(places, length)
		}
		if dropped(r) {
			continue
		}
		if r < ' ' && r != '\n' {
			r = ' '
		}
		out.WriteRune(r)
		length += utf16.RuneLen(r)
	}
	places = append(places, length)
	for i, e := range entities {
		end := places[e.Offset+e.Length]
		entities[i].Offset = places[e.Offset]
		entities[i].Length = end - places[e.Offset]
	}
	return trim(out.String(), arrange(entities))
}

// dropped tells the characters that Telegram leaves out: those that turn the direction of whole lines, and
// the lines that stack up.
func dropped(r rune) bool {
	return r == '\r' || r >= 0x2028 && r <= 0x202e || r == 0x333 || r == 0x33f || r == 0x30a
}

// trim cuts white space off a text and off the beginnings of its entities.
func trim(text string, entities []Entity) (string, []Entity) {
	const white = " \n"
	short := strings.TrimRight(text, white)
	begin := len(short) - len(strings.TrimLeft(short, white)) // bytes and units alike
	wide := utf16.Encode([]rune(short))
	var kept []Entity
	for _, e := range entities {
		end := min(e.Offset+e.Length, len(wide))
		for e.Offset < end && strings.ContainsRune(white, rune(wide[e.Offset])) {
			e.Offset++
		}
		if e.Length = end - e.Offset; e.Length > 0 {
			e.Offset -= begin
			kept = append(kept, e)
		}
	}
	return short[begin:], kept
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
	case "mention", "hashtag", "bot_command", "url", "email":
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
// and the like do not overlap. Styles end before code and go on behind it.
func arrange(entities []Entity) []Entity {
	order(entities)
	var fixed, solid []Entity
	for _, e := range entities {
		e.language = ""
		last := len(solid) - 1
		switch p := priority(e.Type); {
		case e.Length == 0 || p >= styles:
			continue
		case p == quotes:
			fixed = append(fixed, e)
		case last < 0 || e.Offset >= solid[last].Offset+solid[last].Length:
			solid = append(solid, e)
		}
	}
	fixed = append(fixed, solid...)
	for _, e := range entities {
		if priority(e.Type) >= styles {
			fixed = append(fixed, around(e, solid)...)
		}
	}
	order(fixed)
	return fixed
}

func order(entities []Entity) {
	slices.SortStableFunc(entities, func(a, b Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length), cmp.Compare(priority(a.Type), priority(b.Type)))
	})
}

// around is a style without what lies in code.
func around(e Entity, solid []Entity) []Entity {
	var parts []Entity
	end := e.Offset + e.Length
	for _, c := range solid {
		if c.Type != "code" && c.Type != "pre" || c.Offset+c.Length <= e.Offset || c.Offset >= end {
			continue
		}
		if c.Offset > e.Offset {
			part := e
			part.Length = c.Offset - e.Offset
			parts = append(parts, part)
		}
		e.Offset = c.Offset + c.Length
	}
	if e.Length = end - e.Offset; e.Length > 0 {
		parts = append(parts, e)
	}
	return parts
}

// What Telegram marks in a text by itself. The groups are what is marked.
var findings = []struct {
	kind    string
	pattern *regexp.Regexp
}{
	{"url", regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])((?:https?|tg)://[^\s<>"]*[\pL\pN/_=&-])`)},
	{"email", regexp.MustCompile(`(?:^|[^\pL\pN_.+-])([A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,})`)},
	{"mention", regexp.MustCompile(`(?:^|[^\pL\pN_])(@[A-Za-z0-9_]{3,32})(?:$|[^\pL\pN_])`)},
	{"hashtag", regexp.MustCompile(`(?:^|[^\pL\pN_])(#[\pN_]*\pL[\pL\pN_]*)`)},
	{"bot_command", regexp.MustCompile(`(?:^|[^\pL\pN_/<>])(/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)(?:$|[^\pL\pN_/<>@])`)},
}

// detect adds to the entities of a text those that Telegram finds in it.
func detect(text string, entities []Entity) []Entity {
	all := slices.Clone(entities)
	for _, f := range findings {
		for at := 0; at < len(text); {
			m := f.pattern.FindStringSubmatchIndex(text[at:])
			if m == nil {
				break
			}
			begin, end := at+m[2], at+m[3]
			at = end // what stands behind it may stand before the next one
			if begin > 0 && m[2] == 0 && isWord(text[begin-1]) {
				continue
			}
			e := Entity{Type: f.kind, Offset: units(text[:begin]), Length: units(text[begin:end])}
			if !slices.ContainsFunc(all, func(o Entity) bool { return o.overlaps(e) }) {
				all = append(all, e)
			}
		}
	}
	order(all)
	return all
}

// isWord tells bytes of words, those of letters beyond ASCII included.
func isWord(b byte) bool { return isDigit(b) || isLetter(b) || b == '_' || b >= utf8.RuneSelf }

// overlaps reports whether an entity keeps another from being found there.
func (e Entity) overlaps(o Entity) bool {
	p := priority(e.Type)
	return p != quotes && p < styles && e.Offset < o.Offset+o.Length && o.Offset < e.Offset+e.Length
}

// tooLong reports whether a text has more code points than allowed.
func tooLong(text string, most int) bool { return utf8.RuneCountInString(text) > most }

// ids reads an array of message ids.
func (p params) ids(name string, most int) ([]int, *failure) {
	var list []json.RawMessage
	var out []int
	if !p.has(name) {
		return nil, badRequest("message identifiers are not specified")
	}
	if !json.Valid([]byte(p.text(name))) {
		return nil, badRequest("can't parse message identifiers JSON object")
	}
	if !p.object(name, &list) {
		return nil, badRequest("expected an Array of message identifiers")
	}
	for _, raw := range list {
		n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
		if err != nil {
			return nil, badRequest("message identifier must be a Number")
		}
		out = append(out, n)
	}
	switch {
	case len(out) == 0:
		return nil, badRequest("message identifiers are not specified")
	case len(out) > most:
		return nil, badRequest("too many message identifiers specified")
	}
	return out, nil
}
