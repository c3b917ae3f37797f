package tgsim

import "strings"

// markdownParser reads Telegram's MarkdownV2, and refuses it in Telegram's words. As with htmlParser, what
// is past the end of the text reads as a zero byte.
type markdownParser struct {
	in       string
	at       int // in bytes, of what is read
	out      strings.Builder
	length   int // of out, in UTF-16 units
	open     []openMark
	entities []Entity
	quote    bool // a quotation is open
	mayQuote bool // one may begin here: at the beginning of a line
}

// openMark is an entity whose end was not yet seen.
type openMark struct {
	kind   string // of the entity
	name   string // by which errors call it
	at     int    // where it begins in the markup, in bytes
	offset int    // in the text, in UTF-16 units
	text   int    // in the text, in bytes
	extra  string // the language of code
}

// parseMarkdownV2 reads a text with its markup.
func parseMarkdownV2(in string) (string, []Entity, error) {
	p := markdownParser{in: in, mayQuote: true}
	for ; p.at < len(in); p.at++ {
		if err := p.step(); err != nil {
			return "", nil, err
		}
	}
	p.endLastQuote()
	if n := len(p.open); n > 0 {
		return "", nil, p.open[n-1].unclosed()
	}
	order(p.entities)
	return p.out.String(), p.entities, nil
}

func (m openMark) unclosed() error {
	return broken("Can't find end of %s entity at byte offset %d", m.name, m.at)
}

func unescaped(c byte) error {
	return broken("Character '%c' is reserved and must be escaped with the preceding '\\'", c)
}

// step reads a character, or what begins or ends an entity.
func (p *markdownParser) step() error {
	c := p.in[p.at]
	switch {
	case c == '\\' && escapes(p.peek(1)):
		p.at++
		c = p.in[p.at]
		p.emit(c)
		if c != '\r' {
			p.mayQuote = c == '\n'
		}
		return nil
	case !p.reserved(c):
		p.emit(c)
		if c != '\r' && firstUnit(c) {
			p.mayQuote = false
		}
		return nil
	case p.ends(c):
		return p.end(c)
	}
	return p.begin(c)
}

// escapes tells what can stand behind a backslash.
func escapes(c byte) bool { return c > 0 && c <= 126 }

// firstUnit tells the first byte of a character in UTF-8.
func firstUnit(c byte) bool { return c&0xc0 != 0x80 }

// unitsOf is how many UTF-16 units a character has, by its first byte; zero for the bytes behind.
func unitsOf(c byte) int {
	switch {
	case !firstUnit(c):
		return 0
	case c >= 0xf0:
		return 2
	}
	return 1
}

func (p *markdownParser) emit(c byte) {
	p.out.WriteByte(c)
	p.length += unitsOf(c)
}

// peek is a byte ahead, zero past the end.
func (p *markdownParser) peek(ahead int) byte { return byteAt(p.in, p.at+ahead) }

func byteAt(in string, at int) byte {
	if at >= len(in) {
		return 0
	}
	return in[at]
}

// last is the innermost entity that is open.
func (p *markdownParser) last() *openMark { return &p.open[len(p.open)-1] }

// inCode reports whether the innermost entity is one of code.
func (p *markdownParser) inCode() bool {
	return len(p.open) > 0 && (p.last().kind == "code" || p.last().kind == "pre")
}

func (p *markdownParser) reserved(c byte) bool {
	if p.inCode() {
		return c == '`'
	}
	return strings.IndexByte("_*[]()~`>#+-=|{}.!\n", c) >= 0
}

// ends reports whether the innermost entity ends here.
func (p *markdownParser) ends(c byte) bool {
	if len(p.open) == 0 {
		return false
	}
	if p.quote && c == '\n' && p.peek(1) != '>' {
		return true
	}
	switch p.last().kind {
	case "bold":
		return c == '*'
	case "italic":
		return c == '_' && p.peek(1) != '_'
	case "underline":
		return c == '_' && p.peek(1) == '_'
	case "strikethrough":
		return c == '~'
	case "spoiler":
		return c == '|' && p.peek(1) == '|'
	case "code":
		return c == '`'
	case "pre":
		return c == '`' && p.peek(1) == '`' && p.peek(2) == '`'
	case "text_link", "custom_emoji":
		return c == ']'
	}
	return false
}

// begin opens the entity that a character begins.
func (p *markdownParser) begin(c byte) error {
	mark := openMark{at: p.at}
	switch two := p.in[p.at:min(p.at+2, len(p.in))]; {
	case c == '\n':
		p.emit(c)
		p.mayQuote = true
		return nil
	case c == '>' && p.mayQuote && p.quote:
		return nil // another line of the same quotation
	case c == '>' && p.mayQuote:
		mark.kind, mark.name, p.quote = "blockquote", "BlockQuote", true
	case two == "__" || two == "||" || two == "![":
		mark.kind, mark.name = pairOf(two)
		p.at++
	case strings.HasPrefix(p.in[p.at:], "```"):
		p.beginPre(&mark)
	case strings.IndexByte("_*~[`", c) >= 0:
		mark.kind, mark.name = singleOf(c)
	default:
		return unescaped(c)
	}
	mark.offset, mark.text = p.length, p.out.Len()
	p.open = append(p.open, mark)
	return nil
}

// pairOf is the entity that two characters begin.
func pairOf(two string) (kind, name string) {
	switch two {
	case "__":
		return "underline", "Underline"
	case "||":
		return "spoiler", "Spoiler"
	}
	return "custom_emoji", "CustomEmoji"
}

// singleOf is the entity that one character begins.
func singleOf(c byte) (kind, name string) {
	switch c {
	case '_':
		return "italic", "Italic"
	case '*':
		return "bold", "Bold"
	case '~':
		return "strikethrough", "Strikethrough"
	case '[':
		return "text_link", "TextUrl"
	}
	return "code", "Code"
}

// beginPre reads the beginning of a block of code, with the language that may stand there.
func (p *markdownParser) beginPre(mark *openMark) {
	mark.kind, mark.name = "pre", "Pre"
	mark.extra, p.at = codeHead(p.in, p.at+len("```"))
	if mark.extra != "" {
		mark.name = "PreCode"
	}
	p.at-- // the loop goes on behind it
}

// codeHead reads the language of a block of code and the line break that may follow, and says where the
// code begins.
func codeHead(in string, at int) (language string, begin int) {
	end := at
	for !isSpace(byteAt(in, end)) && byteAt(in, end) != '`' {
		end++
	}
	if end > at && end < len(in) && in[end] != '`' {
		language, at = in[at:end], end
	}
	isBreak := func(c byte) bool { return c == '\n' || c == '\r' }
	if first, second := byteAt(in, at), byteAt(in, at+1); isBreak(first) {
		at++
		if isBreak(second) && second != first {
			at++
		}
	}
	return language, at
}

// end closes the innermost entity.
func (p *markdownParser) end(c byte) error {
	if c == '\n' && p.last().kind != "blockquote" {
		if err := p.expand(); err != nil {
			return err
		}
	}
	m := *p.last()
	e := Entity{Type: m.kind, Offset: m.offset, Language: m.extra}
	skip := p.length == m.offset
	switch m.kind {
	case "underline", "spoiler":
		p.at++
	case "pre":
		p.at += 2
	case "text_link":
		link, err := p.link(m)
		if err != nil {
			return err
		}
		e.URL = checkedLink(link)
		skip = skip || e.URL == ""
	case "custom_emoji":
		if err := p.special(&e); err != nil {
			return err
		}
	case "blockquote", "expandable_blockquote":
		p.quote, p.mayQuote, skip = false, true, false
		p.emit(c)
	}
	if e.Length = p.length - m.offset; !skip {
		p.entities = append(p.entities, e)
	}
	p.open = p.open[:len(p.open)-1]
	return nil
}

// expand makes a quotation expandable, which ends with the mark of a spoiler that nothing stands behind.
// Anything else that is open where a quotation ends should have been closed.
func (p *markdownParser) expand() error {
	m := p.last()
	empty := m.at == p.at-2 || m.at == p.at-3 && strings.HasSuffix(p.out.String(), "\r")
	if m.kind != "spoiler" || !empty {
		return m.unclosed()
	}
	p.open = p.open[:len(p.open)-1]
	if m = p.last(); m.kind != "blockquote" {
		return m.unclosed()
	}
	m.kind = "expandable_blockquote"
	return nil
}

// link reads where a link leads: to what stands in parentheses behind it, or else to its own text.
func (p *markdownParser) link(m openMark) (string, error) {
	if p.peek(1) != '(' {
		return p.out.String()[m.text:], nil
	}
	return p.target()
}

// target reads what stands in parentheses.
func (p *markdownParser) target() (string, error) {
	p.at += 2
	begin := p.at
	var link strings.Builder
	for ; p.peek(0) != ')'; p.at++ {
		if p.at >= len(p.in) {
			return "", broken("Can't find end of a URL at byte offset %d", begin)
		}
		if p.peek(0) == '\\' && escapes(p.peek(1)) {
			p.at++
		}
		link.WriteByte(p.peek(0))
	}
	return link.String(), nil
}

// special reads a custom emoji, or a date, which are written as pictures.
func (p *markdownParser) special(e *Entity) error {
	if p.peek(1) != '(' {
		return broken("The entity must contain a tg://emoji or tg://time URL")
	}
	link, err := p.target()
	if err != nil {
		return err
	}
	where, query := tgLink(link)
	id, unix := canonical(query.Get("id")), canonical(query.Get("unix"))
	switch {
	case where == "emoji" && id > 0:
		e.CustomEmoji = query.Get("id")
	case where == "time" && unix > 0 && dateFormat(query.Get("format")):
		e.Type, e.Unix, e.Format = "date_time", unix, query.Get("format")
	default:
		return broken("Invalid tg://emoji or tg://time URL specified")
	}
	return nil
}

// endLastQuote ends the quotation that the text ends with.
func (p *markdownParser) endLastQuote() {
	if !p.quote {
		return
	}
	kind := "blockquote"
	if m := p.last(); m.kind == "spoiler" && m.at == len(p.in)-2 {
		p.open, kind = p.open[:len(p.open)-1], "expandable_blockquote"
	}
	m := p.last()
	if m.kind != "blockquote" {
		return
	}
	p.open = p.open[:len(p.open)-1]
	if p.length > m.offset {
		p.entities = append(p.entities, Entity{Type: kind, Offset: m.offset, Length: p.length - m.offset})
	}
}
