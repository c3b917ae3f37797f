package api

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
)

// pieces is what stands in a field that a code may have: one text, or several in lists and objects. What such a code
// looks like is not shown: it is kept whole, in its order, and readable.
type pieces struct {
	text  string   // as people read it
	parts []string // its texts alone
	holes bool     // one of a list is not there
}

// UnmarshalJSON implements json.Unmarshaler. Where no text or number is in it, it is empty.
func (p *pieces) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	// A code may be a number of thirty digits, which as a float would lose the last ones.
	d.UseNumber()
	*p = readPieces(d)
	if len(p.parts) == 0 {
		*p = pieces{}
	}
	return nil
}

// readPieces reads the next value. The text has been parsed before: it is well formed.
func readPieces(d *json.Decoder) pieces {
	token, err := d.Token()
	if err != nil {
		return pieces{}
	}
	switch v := token.(type) {
	case string:
		return piece(v)
	case json.Number:
		return piece(v.String())
	case bool:
		return pieces{text: map[bool]string{true: "true", false: "false"}[v]}
	case json.Delim:
		if v == '{' {
			return readMembers(d)
		}
		return readElements(d)
	}
	return pieces{}
}

// piece is one text. A blank one is none.
func piece(text string) pieces {
	if strings.TrimSpace(text) == "" {
		return pieces{}
	}
	return pieces{text: text, parts: []string{text}}
}

// readElements reads the rest of a list.
func readElements(d *json.Decoder) pieces {
	var all []member
	holes := false
	for d.More() {
		p := readPieces(d)
		// A hole is remembered and not skipped: three pieces of four look like a whole code to a person.
		holes = holes || p.text == ""
		all = append(all, member{pieces: p})
	}
	_, _ = d.Token() // its end
	whole := join(all)
	whole.holes = whole.holes || holes
	return whole
}

// readMembers reads the rest of an object.
func readMembers(d *json.Decoder) pieces {
	var all []member
	for d.More() {
		token, err := d.Token()
		if err != nil {
			break
		}
		name, _ := token.(string)
		all = append(all, member{readPieces(d), name})
	}
	_, _ = d.Token() // its end
	return join(all)
}

// member is a part of something with its name; that of a list has none.
type member struct {
	pieces

	name string
}

// join puts members together, a line each, those of several lines apart from the others. One alone needs no name.
func join(all []member) (whole pieces) {
	var lines []string
	separator := "\n"
	named := 0
	for _, m := range all {
		named += count(m.text != "")
	}
	for _, m := range all {
		whole.parts, whole.holes = append(whole.parts, m.parts...), whole.holes || m.holes
		if m.text == "" {
			continue
		}
		block := strings.Contains(m.text, "\n")
		line := m.text
		if m.name != "" && named > 1 && !strings.ContainsFunc(m.name, unicode.IsControl) {
			line = underName(m.name, m.text)
		}
		if lines = append(lines, line); block && named > 1 {
			separator = "\n\n"
		}
	}
	whole.text = strings.Join(lines, separator)
	return whole
}

// underName is a value under its name, as join writes it beside others.
func underName(name, value string) string {
	if strings.Contains(value, "\n") {
		return name + ":\n" + value
	}
	return name + ": " + value
}

// count is 1 for what is so.
func count(so bool) int {
	if so {
		return 1
	}
	return 0
}
