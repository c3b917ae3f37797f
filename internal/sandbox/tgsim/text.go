package tgsim

import (
	"encoding/json"
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

// formatted reads a text with what marks it up: a parse mode, or else a list of entities.
func (s letters) formatted(p params, name, list string) (string, []Entity, *failure) {
	text, entities, err := s.format(p.text(name), p.text("parse_mode"), []byte(p.text(list)))
	if err != nil {
		return "", nil, said("", err)
	}
	return text, entities, nil
}

// format makes of a text what Telegram keeps of it.
func (s letters) format(text, mode string, list []byte) (string, []Entity, error) {
	if len(text) > maxRaw {
		return "", nil, broken("Text is too long")
	}
	if !utf8.ValidString(text) {
		return "", nil, broken("Strings must be encoded in UTF-8")
	}
	text, entities, err := markedUp(text, strings.ToLower(mode), list)
	if err != nil {
		return "", nil, err
	}
	if text, entities, err = clean(text, entities); err != nil {
		return "", nil, err
	}
	return text, s.mentions(detect(text, entities)), nil
}

// markedUp reads the markup of a text.
func markedUp(text, mode string, list []byte) (out string, entities []Entity, err error) {
	switch {
	case mode == "" || mode == "none" || text == "":
		if entities, err = readEntities(list); err != nil {
			return "", nil, err
		}
		return text, entities, fits(text, entities)
	case mode == "html":
		out, entities, err = parseHTML(text)
	case mode == "markdown":
		out, entities, err = parseMarkdown(text)
	case mode == "markdownv2":
		out, entities, err = parseMarkdownV2(text)
	default:
		return "", nil, broken("Unsupported parse_mode")
	}
	if err != nil {
		err = broken("Can't parse entities: %v", err)
	}
	return out, entities, err
}

// readEntities reads a list of entities. One that is no list at all is passed over, and so are entities
// that Telegram finds by itself.
func readEntities(list []byte) ([]Entity, error) {
	var all []json.RawMessage
	_ = json.Unmarshal(list, &all)
	var entities []Entity
	for _, raw := range all {
		e, err := readEntity(raw)
		if err != nil {
			return nil, broken("Can't parse MessageEntity: %v", err)
		}
		if priority(e.Type) != found {
			entities = append(entities, e)
		}
	}
	return entities, nil
}

func readEntity(raw []byte) (Entity, error) {
	f := newFields(raw, "expected an Object")
	e := Entity{Offset: int(f.needInt("offset")), Length: int(f.needInt("length")), Type: f.needText("type")}
	switch e.Type {
	case "pre":
		e.Language = f.text("language")
	case "text_link":
		e.URL = checkedLink(f.needText("url"))
	case "text_mention":
		user := f.needObject("user")
		e.User = &User{ID: user.needInt("id")}
		f.done(user)
	case "custom_emoji":
		e.CustomEmoji = f.needText("custom_emoji_id")
	case "date_time":
		e.Unix, e.Format = f.needInt("unix_time"), f.text("date_time_format")
	}
	if priority(e.Type) < 0 {
		f.failf("Unsupported type specified")
	}
	return e, f.err
}

// mentions turns links to people into mentions of those that the bot knows, and drops the others.
func (s letters) mentions(entities []Entity) []Entity {
	var kept []Entity
	for _, e := range entities {
		where, query := tgLink(e.URL)
		id, link := canonical(query.Get("id")), where == "user"
		if e.User != nil {
			id, link = e.User.ID, true
		}
		if u := s.users[id]; link && u != nil {
			who := *u
			e.Type, e.URL, e.User = "text_mention", "", &who
		} else if link || e.Type == "text_link" && e.URL == "" {
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
			return broken("Receive an entity with incorrect offset %d", e.Offset)
		case e.Length < 0 || e.Length > 1_000_000:
			return broken("Receive an entity with incorrect length %d", e.Length)
		case e.Length == 0: // that one is left out
		case e.Offset >= length:
			return broken("Entity begins after the end of the text at UTF-16 offset %d", e.Offset)
		case e.end() > length:
			return broken("Entity beginning at UTF-16 offset %d ends after the end of the text at UTF-16 offset %d", e.Offset, e.end())
		}
	}
	return nil
}

// clean makes of a text and its entities what Telegram keeps of them, as TDLib does (fix_formatted_text). A text in which
// there is nothing to be seen is none.
func clean(text string, entities []Entity) (string, []Entity, error) {
	entities = arrange(slices.DeleteFunc(entities, func(e Entity) bool { return e.Length <= 0 }))
	text, entities, err := scrub(text, entities)
	if err != nil {
		return "", nil, err
	}
	text, entities = trim(text, arrange(entities))
	if strings.TrimFunc(text, invisible) == "" {
		return "", nil, nil
	}
	return text, entities, nil
}

// scrub takes out of a text what Telegram does not keep, and moves its entities along.
func scrub(text string, entities []Entity) (string, []Entity, error) {
	var out strings.Builder
	const inside = -1
	places := make([]int, 0, len(text)+1) // of the old UTF-16 units in the new text; inside: the middle of a character
	length := 0
	for _, r := range text {
		places = append(places, length)
		if r > 0xffff {
			places = append(places, inside)
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
		begin, end := places[e.Offset], places[e.end()]
		switch {
		case begin == inside:
			return "", nil, broken("Entity begins in a middle of a UTF-16 symbol at byte offset %d", behind(text, e.Offset))
		case end == inside:
			return "", nil, broken("Entity beginning at UTF-16 offset %d ends in a middle of a UTF-16 symbol at byte offset %d", e.Offset, behind(text, e.end()))
		}
		entities[i].Offset, entities[i].Length = begin, end-begin
	}
	return turned(out.String()), slices.DeleteFunc(entities, func(e Entity) bool { return e.Length == 0 }), nil
}

// behind is the first byte of a text behind a character in whose middle a UTF-16 offset is.
func behind(text string, offset int) int {
	n := 0
	for at, r := range text {
		if n > offset {
			return at
		}
		n += utf16.RuneLen(r)
	}
	return len(text)
}

// dropped tells the characters that Telegram leaves out: those that turn the direction of whole lines, and
// the lines that stack up.
func dropped(r rune) bool {
	return r == '\r' || r >= 0x2028 && r <= 0x202e || r == 0x333 || r == 0x33f || r == 0x30a
}

// turned leaves of marks of direction that follow each other the last; non-joiners stand for the others.
func turned(text string) string {
	all := []rune(text)
	mark := func(i int) bool { return i < len(all) && (all[i] == 0x200e || all[i] == 0x200f) }
	for i := range all {
		if mark(i) && mark(i+1) {
			all[i] = 0x200c
		}
	}
	return string(all)
}

// invisible tells the characters of which a text that has nothing else is empty.
func invisible(r rune) bool {
	return r == ' ' || r == '\n' || r == 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2000 && r <= 0x200a || r == 0x202f || r == 0x205f || r == 0x2800 ||
		r == 0x3000 || r == 0x1680 || r == 0x180e || r == 0xfeff || r == 0xfffc || r >= 0xe0000 && r <= 0xe007f
}

// trim cuts white space off a text and off what its entities have of its end. Before the first entity white space goes; what
// an entity begins with stays.
func trim(text string, entities []Entity) (string, []Entity) {
	const white = " \n"
	text = strings.TrimRight(text, white)
	length := units(text)
	var kept []Entity
	for _, e := range entities {
		if e.Length = min(e.end(), length) - e.Offset; e.Length > 0 {
			kept = append(kept, e)
		}
	}
	order(kept)
	begin := len(text) - len(strings.TrimLeft(text, white)) // bytes and units alike
	if len(kept) > 0 {
		begin = min(begin, kept[0].Offset)
	}
	for i := range kept {
		kept[i].Offset -= begin
	}
	return text[begin:], kept
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
