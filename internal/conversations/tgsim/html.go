package tgsim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Entity marks a part of a text, in UTF-16 units.
type Entity struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Length int    `json:"length"`
	URL    string `json:"url,omitempty"`
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

// marshal is a value as JSON, for the page.
func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}

func itoa(n int) string { return strconv.Itoa(n) }

// parseText reads a text with its markup, as the real server does, with its words for what is wrong.
func parseText(text, mode string) (string, []Entity, error) {
	switch strings.ToLower(mode) {
	case "":
		return text, nil, nil
	case "html":
		p := htmlParser{in: text}
		if err := p.run(); err != nil {
			return "", nil, fmt.Errorf("can't parse entities: %w", err)
		}
		return p.trimmed()
	}
	return "", nil, fmt.Errorf("unsupported parse_mode")
}

// htmlParser reads Telegram's HTML.
type htmlParser struct {
	in       string
	at       int // byte offset in in
	out      strings.Builder
	length   int // of out, in UTF-16 units
	open     []openTag
	entities []Entity
}

// openTag is a tag that was opened.
type openTag struct {
	name   string
	entity Entity
	begin  int // byte offset of the tag
}

// entityOf is the entity of a tag.
func entityOf(name string) (string, bool) {
	switch name {
	case "b", "strong":
		return "bold", true
	case "i", "em":
		return "italic", true
	case "u", "ins":
		return "underline", true
	case "s", "strike", "del":
		return "strikethrough", true
	case "tg-spoiler", "span":
		return "spoiler", true
	case "code":
		return "code", true
	case "pre":
		return "pre", true
	case "a":
		return "text_link", true
	case "blockquote":
		return "blockquote", true
	}
	return "", false
}

func (p *htmlParser) run() error {
	for p.at < len(p.in) {
		var err error
		switch p.in[p.at] {
		case '<':
			err = p.tag()
		case '&':
			p.reference()
		default:
			r, size := utf8.DecodeRuneInString(p.in[p.at:])
			p.emit(r)
			p.at += size
		}
		if err != nil {
			return err
		}
	}
	if n := len(p.open); n > 0 {
		return fmt.Errorf("Can't find end tag corresponding to start tag \"%s\"", p.open[n-1].name)
	}
	return nil
}

// emit adds a character to the text.
func (p *htmlParser) emit(r rune) {
	p.out.WriteRune(r)
	p.length += utf16.RuneLen(r)
}

// tag reads a start or end tag.
func (p *htmlParser) tag() error {
	begin := p.at
	end := strings.IndexByte(p.in[begin:], '>')
	if end < 0 {
		return fmt.Errorf("Unclosed start tag at byte offset %d", begin)
	}
	inner := p.in[begin+1 : begin+end]
	p.at = begin + end + 1
	if name, ok := strings.CutPrefix(inner, "/"); ok {
		return p.endTag(strings.ToLower(strings.TrimSpace(name)), begin)
	}
	name, attributes, _ := strings.Cut(inner, " ")
	name = strings.ToLower(name)
	kind, known := entityOf(name)
	if !known || name == "span" && !strings.Contains(attributes, "tg-spoiler") {
		return fmt.Errorf("Unsupported start tag \"%s\" at byte offset %d", name, begin)
	}
	if name == "blockquote" && strings.Contains(attributes, "expandable") {
		kind = "expandable_blockquote"
	}
	e := Entity{Type: kind, Offset: p.length}
	if _, rest, ok := strings.Cut(attributes, `href="`); ok && name == "a" {
		e.URL, _, _ = strings.Cut(rest, `"`)
	}
	p.open = append(p.open, openTag{name: name, entity: e, begin: begin})
	return nil
}

// endTag closes the innermost tag, which has to be the same.
func (p *htmlParser) endTag(name string, begin int) error {
	n := len(p.open)
	if n == 0 {
		return fmt.Errorf("Unexpected end tag at byte offset %d", begin)
	}
	last := p.open[n-1]
	if name != "" && name != last.name {
		return fmt.Errorf("Unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\"", begin, last.name, name)
	}
	p.open = p.open[:n-1]
	last.entity.Length = p.length - last.entity.Offset
	if last.entity.Length > 0 {
		p.entities = append(p.entities, last.entity)
	}
	return nil
}

// reference reads a character reference; what is none stays text.
func (p *htmlParser) reference() {
	end := strings.IndexByte(p.in[p.at:], ';')
	if end > 1 && end < 12 {
		if r, ok := character(p.in[p.at+1 : p.at+end]); ok {
			p.emit(r)
			p.at += end + 1
			return
		}
	}
	p.emit('&')
	p.at++
}

func character(name string) (rune, bool) {
	switch name {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	}
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	return rune(n), err == nil && n > 0 && utf8.ValidRune(rune(n))
}

// trimmed is the text without white space around it, and its entities in order.
func (p *htmlParser) trimmed() (string, []Entity, error) {
	text := p.out.String()
	left := strings.TrimLeft(text, " \n\t\r")
	cut := units(text) - units(left)
	text = strings.TrimRight(left, " \n\t\r")
	length := units(text)
	var kept []Entity
	for _, e := range p.entities {
		end := min(e.Offset+e.Length-cut, length)
		e.Offset = max(e.Offset-cut, 0)
		if e.Length = end - e.Offset; e.Length > 0 {
			kept = append(kept, e)
		}
	}
	slices.SortStableFunc(kept, func(a, b Entity) int {
		if a.Offset != b.Offset {
			return a.Offset - b.Offset
		}
		return b.Length - a.Length
	})
	return text, kept, nil
}
