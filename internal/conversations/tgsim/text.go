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

const (
	maxText    = 4096 // code points, after the markup is read
	maxCaption = 1024
	maxRaw     = 1 << 15 // bytes, markup included
)

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
