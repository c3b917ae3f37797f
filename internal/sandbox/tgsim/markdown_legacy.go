package tgsim

import "strings"

// parseMarkdown reads Telegram's first Markdown, which knows no nesting, and no escapes inside of an entity.
func parseMarkdown(in string) (string, []Entity, error) {
	p := markdownParser{in: in}
	for p.at < len(in) {
		c := in[p.at]
		switch {
		case c == '\\' && strings.IndexByte("_*`[", p.peek(1)) >= 0:
			p.emit(p.peek(1))
			p.at += 2
		case strings.IndexByte("_*`[", c) < 0:
			p.emit(c)
			p.at++
		default:
			if err := p.plain(c); err != nil {
				return "", nil, err
			}
		}
	}
	return p.out.String(), p.entities, nil
}

// plain reads an entity of the first Markdown.
func (p *markdownParser) plain(c byte) error {
	kind, _ := singleOf(c)
	begin, offset, end := p.at, p.length, string(c)
	e := Entity{Type: kind, Offset: offset}
	p.at++
	if c == '[' {
		end = "]"
	}
	if strings.HasPrefix(p.in[begin:], "```") {
		e.Type, end = "pre", "```"
		e.Language, p.at = codeHead(p.in, p.at+2)
	}
	size := strings.Index(p.in[min(p.at, len(p.in)):], end)
	if size < 0 {
		return broken("Can't find end of the entity starting at byte offset %d", begin)
	}
	text := p.in[p.at : p.at+size]
	for i := range len(text) {
		p.emit(text[i])
	}
	p.at += size + len(end)
	if e.Type == "text_link" {
		e.URL = checkedLink(p.plainLink(text))
	}
	if e.Length = p.length - offset; e.Length > 0 && (e.Type != "text_link" || e.URL != "") {
		p.entities = append(p.entities, e)
	}
	return nil
}

// plainLink is where a link of the first Markdown leads: its own text where nothing else is said.
func (p *markdownParser) plainLink(text string) string {
	if p.peek(0) != '(' {
		return text
	}
	link, _, found := strings.Cut(p.in[p.at+1:], ")")
	p.at += 1 + len(link)
	if found {
		p.at++
	}
	return link
}
