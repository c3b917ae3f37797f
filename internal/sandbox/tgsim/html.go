package tgsim

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// htmlParser reads Telegram's HTML, and refuses it in Telegram's words. What is past the end of the text
// reads as a zero byte, as it does for the real one: offsets in its words depend on that.
type htmlParser struct {
	in       string
	at       int // in bytes, of what is read
	out      strings.Builder
	length   int // of out, in UTF-16 units
	open     []openTag
	entities []Entity
}

// openTag is a tag that was opened.
type openTag struct {
	name     string
	argument string // of the attribute that matters
	format   string // of a tg-time
	offset   int    // in UTF-16 units
	text     int    // where its text begins in out, in bytes
}

// markupError says what is wrong with a markup.
type markupError string

func (e markupError) Error() string { return string(e) }

// broken is a markupError.
func broken(format string, args ...any) error { return markupError(fmt.Sprintf(format, args...)) }

// parseHTML reads a text with its markup.
func parseHTML(in string) (string, []Entity, error) {
	p := htmlParser{in: in}
	for p.at < len(in) {
		if err := p.step(); err != nil {
			return "", nil, err
		}
	}
	if n := len(p.open); n > 0 {
		return "", nil, broken("Can't find end tag corresponding to start tag \"%s\"", p.open[n-1].name)
	}
	return p.out.String(), p.entities, nil
}

// step reads a character, a reference or a tag.
func (p *htmlParser) step() error {
	switch p.in[p.at] {
	case '<':
		if p.peek(1) == '/' {
			return p.endTag()
		}
		return p.startTag()
	case '&':
		if code, next := reference(p.in, p.at); code != 0 {
			if code >= 0xd800 && code <= 0xdfff {
				return broken("Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units")
			}
			p.emit(code)
			p.at = next
			return nil
		}
	}
	r, size := utf8.DecodeRuneInString(p.in[p.at:])
	p.emit(r)
	p.at += size
	return nil
}

// peek is a byte ahead, zero past the end.
func (p *htmlParser) peek(ahead int) byte {
	if p.at+ahead >= len(p.in) {
		return 0
	}
	return p.in[p.at+ahead]
}

// emit adds a character to the text.
func (p *htmlParser) emit(r rune) {
	p.out.WriteRune(r)
	p.length += utf16.RuneLen(r)
}

// skip moves on while a byte is wanted.
func (p *htmlParser) skip(wanted func(byte) bool) string {
	begin := p.at
	for p.at < len(p.in) && wanted(p.in[p.at]) {
		p.at++
	}
	return p.in[begin:p.at]
}

func (p *htmlParser) skipSpace() { p.skip(isSpace) }

// isSpace tells what separates within tags; the end of the text does as well.
func isSpace(b byte) bool { return b == 0 || strings.IndexByte(" \t\r\n\v", b) >= 0 }

// startTag reads a tag with its attributes.
func (p *htmlParser) startTag() error {
	begin := p.at
	p.at++
	name := strings.ToLower(p.skip(func(b byte) bool { return !isSpace(b) && b != '>' }))
	if p.peek(0) == 0 {
		return broken("Unclosed start tag at byte offset %d", begin)
	}
	if entityOf(name) == "" {
		return broken("Unsupported start tag \"%s\" at byte offset %d", name, begin)
	}
	tag := openTag{name: name, offset: p.length, text: p.out.Len()}
	for {
		p.skipSpace()
		if p.peek(0) == '>' {
			break
		}
		if err := p.attribute(&tag, begin); err != nil {
			return err
		}
	}
	p.at++
	if name == "span" && tag.argument != "spoiler" {
		return broken("Tag \"span\" must have class \"tg-spoiler\" at byte offset %d", begin)
	}
	p.open = append(p.open, tag)
	return nil
}

// attribute reads an attribute, with a value or without, and keeps it where it matters.
func (p *htmlParser) attribute(tag *openTag, begin int) error {
	name := p.skip(func(b byte) bool { return !isSpace(b) && b != '=' && b != '>' })
	if name == "" {
		return broken("Empty attribute name in the tag \"%s\" at byte offset %d", tag.name, begin)
	}
	p.skipSpace()
	if p.peek(0) == '=' {
		p.at++
		p.skipSpace()
	} else if p.peek(0) != 0 {
		tag.set(name, "")
		return nil
	}
	if p.peek(0) == 0 {
		return broken("Unclosed start tag \"%s\" at byte offset %d", tag.name, begin)
	}
	value, err := p.value()
	if err != nil {
		return err
	}
	if p.peek(0) == 0 {
		return broken("Unclosed start tag at byte offset %d", begin)
	}
	tag.set(name, value)
	return nil
}

// value reads an attribute's value: a word, or anything between quotes.
func (p *htmlParser) value() (string, error) {
	quote := p.peek(0)
	if quote != '"' && quote != '\'' {
		begin := p.at
		word := p.skip(func(b byte) bool { return isDigit(b) || isLetter(b) || b == '.' || b == '-' })
		if next := p.peek(0); !isSpace(next) && next != '>' {
			return "", broken("Unexpected end of name token at byte offset %d", begin)
		}
		return strings.ToLower(word), nil
	}
	p.at++
	var out strings.Builder
	for p.at < len(p.in) && p.in[p.at] != quote {
		if code, next := reference(p.in, p.at); code != 0 {
			out.WriteRune(code)
			p.at = next
			continue
		}
		out.WriteByte(p.in[p.at])
		p.at++
	}
	p.at = min(p.at+1, len(p.in))
	return out.String(), nil
}

// set keeps an attribute that means something.
func (t *openTag) set(name, value string) {
	var found bool
	switch t.name + " " + name {
	case "a href", "tg-emoji emoji-id", "tg-time unix":
		t.argument = value
	case "tg-time format":
		t.format = value
	case "blockquote expandable":
		t.argument = "expandable"
	case "code class":
		t.argument, found = strings.CutPrefix(value, "language-")
	case "span class":
		t.argument, found = strings.CutPrefix(value, "tg-")
	default:
		return
	}
	// CutPrefix leaves a text without the prefix whole: such a class means nothing.
	if strings.HasSuffix(name, "class") && !found {
		t.argument = ""
	}
}

// endTag closes the innermost tag, which has to be the same; one without a name closes any.
func (p *htmlParser) endTag() error {
	begin := p.at
	if len(p.open) == 0 {
		return broken("Unexpected end tag at byte offset %d", begin)
	}
	p.at += len("</")
	name := strings.ToLower(p.skip(func(b byte) bool { return !isSpace(b) && b != '>' }))
	p.skipSpace()
	if p.peek(0) != '>' {
		return broken("Unclosed end tag at byte offset %d", begin)
	}
	p.at++
	last := p.open[len(p.open)-1]
	if name != "" && name != last.name {
		return broken("Unmatched end tag at byte offset %d, expected \"</%s>\", found \"</%s>\"", begin, last.name, name)
	}
	p.open = p.open[:len(p.open)-1]
	if p.length == last.offset {
		return nil
	}
	return p.close(last)
}

// close adds the entity of a tag that ends here.
func (p *htmlParser) close(t openTag) error {
	e := Entity{Type: entityOf(t.name), Offset: t.offset, Length: p.length - t.offset}
	switch t.name {
	case "a":
		if t.argument == "" {
			t.argument = p.out.String()[t.text:]
		}
		if e.URL = checkedLink(t.argument); e.URL == "" {
			return nil
		}
	case "blockquote":
		if t.argument != "" {
			e.Type = "expandable_blockquote"
		}
	case "tg-emoji":
		if n, err := strconv.ParseInt(t.argument, 10, 64); err != nil || n == 0 {
			return broken("Invalid custom emoji identifier specified")
		}
		e.CustomEmoji = t.argument
	case "tg-time":
		n, err := strconv.ParseInt(t.argument, 10, 64)
		if err != nil || n <= 0 {
			return broken("Invalid date specified")
		}
		if !dateFormat(t.format) {
			return broken("Invalid date format used")
		}
		e.Unix, e.Format = n, t.format
	case "pre", "code":
		if p.joined(&e, t) {
			return nil
		}
	}
	p.entities = append(p.entities, e)
	return nil
}

// joined makes one entity with a language of a pre and a code that mark the very same text. A language
// means nothing otherwise.
func (p *htmlParser) joined(e *Entity, t openTag) bool {
	if t.name == "code" {
		e.language = t.argument
	}
	if len(p.entities) == 0 {
		return false
	}
	last := &p.entities[len(p.entities)-1]
	if last.Offset != e.Offset || last.Length != e.Length || last.Type == e.Type || last.Type != "pre" && last.Type != "code" {
		return false
	}
	language := last.language + e.language
	if language == "" {
		return false
	}
	last.Type, last.Language = "pre", language
	return true
}

// entityOf is the type of a tag's entity, "" for a tag that there is not.
func entityOf(name string) string {
	switch name {
	case "b", "strong":
		return "bold"
	case "i", "em":
		return "italic"
	case "u", "ins":
		return "underline"
	case "s", "strike", "del":
		return "strikethrough"
	case "tg-spoiler", "span":
		return "spoiler"
	case "code", "pre", "blockquote":
		return name
	case "a":
		return "text_link"
	case "tg-emoji":
		return "custom_emoji"
	case "tg-time":
		return "date_time"
	}
	return ""
}
