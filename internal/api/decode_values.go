package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
)

// number reads an integer that may come as a number, a number with a fraction of zero, or a text.
type number int64

// UnmarshalJSON implements json.Unmarshaler. null leaves zero.
func (n *number) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `" `)
	if s == "null" || s == "" {
		*n = 0
		return nil
	}
	i, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		// 1e3 and 12.0 are whole numbers too. Integers without either went by ParseInt, which loses no digit.
		f, ferr := strconv.ParseFloat(s, 64)
		if ferr != nil || math.Abs(f) >= 1<<63 || f != math.Trunc(f) {
			return errShape
		}
		i = int64(f)
	}
	*n = number(i)
	return nil
}

// figure reads an integer that only describes: what is none is zero, and takes nothing else along.
type figure int64

// UnmarshalJSON implements json.Unmarshaler.
func (f *figure) UnmarshalJSON(text []byte) error {
	var n number
	if n.UnmarshalJSON(text) != nil {
		n = 0
	}
	*f = figure(n)
	return nil
}

// quantity reads a number of units that may be absent: what is no number is absent and not zero.
type quantity struct {
	n     number
	known bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (q *quantity) UnmarshalJSON(text []byte) error {
	var n number
	absent := slices.Contains([]string{"", "null"}, strings.Trim(string(text), `" `))
	if q.known = !absent && n.UnmarshalJSON(text) == nil; q.known {
		q.n = n
	}
	return nil
}

// label reads a text that may come as a text or a number. Anything else is empty: it cannot be shown.
type label string

// UnmarshalJSON implements json.Unmarshaler.
func (l *label) UnmarshalJSON(text []byte) error {
	var s string
	switch {
	case json.Unmarshal(text, &s) == nil:
		*l = label(s)
	case len(text) > 0 && (text[0] == '-' || text[0] >= '0' && text[0] <= '9'):
		*l = label(whole(string(text)))
	default:
		*l = ""
	}
	return nil
}

// longestNumber is how many digits of a number are written out.
const longestNumber = 40

// whole writes a number without a fraction and an exponent, where it is a whole one: it names the same thing.
func whole(text string) string {
	if !strings.ContainsAny(text, ".eE") {
		return text
	}
	digits, sign := strings.CutPrefix(text, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(digits), "e")
	before, after, _ := strings.Cut(mantissa, ".")
	exponent, err := strconv.Atoi(cmp.Or(power, "0"))
	after = strings.TrimRight(after, "0")
	digits = strings.TrimLeft(before+after, "0")
	zeros := exponent - len(after)
	for ; zeros < 0 && strings.HasSuffix(digits, "0"); zeros++ {
		digits = digits[:len(digits)-1]
	}
	switch {
	case err != nil:
		return text
	case digits == "":
		return "0"
	case zeros < 0 || len(digits)+zeros > longestNumber:
		return text
	}
	return map[bool]string{true: "-", false: ""}[sign] + digits + strings.Repeat("0", zeros)
}

// playerID reads the id of a player, and remembers whether it came as a number.
type playerID struct {
	label

	number bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *playerID) UnmarshalJSON(text []byte) error {
	p.number = len(text) > 0 && text[0] != '"'
	return p.label.UnmarshalJSON(text)
}

// flag reads a yes or no that may come as a boolean, a number or a text.
type flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(text []byte) error {
	switch strings.ToLower(strings.Trim(string(text), `" `)) {
	case "true", "1", "yes":
		*f = true
	default:
		*f = false
	}
	return nil
}

// price reads money that may be absent: null, and what is no number, is absent and not zero.
type price struct {
	amount dzd.Amount
	known  bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *price) UnmarshalJSON(text []byte) error {
	p.known = p.amount.UnmarshalJSON(text) == nil
	return nil
}

// or is the price, or another one where it is absent.
func (p price) or(other price) price {
	if p.known {
		return p
	}
	return other
}

// beside is a price that came beside the one that is paid; no money where either is missing, or it is none.
func (p price) beside(paid price) dzd.Amount {
	if !p.known || !paid.known || p.amount.Sign() <= 0 {
		return dzd.Amount{}
	}
	return p.amount
}

// moment reads a time in either form that the service uses, in others that ISO 8601 allows, and in seconds or
// milliseconds since 1970, as the form of purchase_timestamp is not shown. What is none of them is no time, and neither is
// the first day of them: so machines write that none is known. One that names no zone reads as if it were UTC.
type moment struct {
	time.Time

	zoneless bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *moment) UnmarshalJSON(text []byte) error {
	*m = moment{}
	s := strings.Trim(string(text), `" `)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		switch len(s) {
		// Seconds have ten digits from 2001 to 2286, milliseconds thirteen: the length tells which of the two it is.
		case len("1767225600"):
			m.Time = time.Unix(n, 0).UTC()
		case len("1767225600000"):
			m.Time = time.UnixMilli(n).UTC()
		}
		return nil
	}
	named := strings.HasSuffix(s, " UTC")
	s = strings.Replace(strings.TrimSuffix(s, " UTC"), " ", "T", 1)
	for _, form := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05 Z07:00", "2006-01-02T15:04:05 Z0700",
		"2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	} {
		if t, err := time.Parse(form, s); err == nil && t.Unix() > int64(24*time.Hour/time.Second) {
			*m = moment{t.UTC(), !named && !strings.Contains(form, "Z07")}
			return nil
		}
	}
	return nil
}

// in is a time that names no zone as one of a zone, where that is known. A date alone stays as it is: it is a day in any.
func (m moment) in(zone *time.Location) moment {
	if y, month, d := m.Date(); m.zoneless && zone != nil && !m.Equal(m.Truncate(24*time.Hour)) {
		return moment{time.Date(y, month, d, m.Hour(), m.Minute(), m.Second(), m.Nanosecond(), zone).UTC(), false}
	}
	return m
}

// onlyOne is the value that a list holds, where it holds one: so some services write what they look up.
func onlyOne(text []byte) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil && len(list) == 1 {
		return list[0]
	}
	return text
}

// word reads a text that may come as one, as a number, or as an object that names it.
type word label

// UnmarshalJSON implements json.Unmarshaler.
func (w *word) UnmarshalJSON(text []byte) error {
	text = onlyOne(text)
	var l label
	_ = l.UnmarshalJSON(text) // it puts up with everything
	var named struct {
		Status label `json:"status"`
		Slug   label `json:"slug"`
		Name   label `json:"name"`
		Value  label `json:"value"`
		Label  label `json:"label"`
	}
	if l == "" && json.Unmarshal(text, &named) == nil {
		l = cmp.Or(named.Status, named.Slug, named.Name, named.Value, named.Label)
	}
	*w = word(l)
	return nil
}

// maybe reads an object that may be missing, or stand alone in a list: null, and what is no object, as an empty list is
// none, is nothing.
type maybe[T any] struct{ value *T }

// UnmarshalJSON implements json.Unmarshaler.
func (m *maybe[T]) UnmarshalJSON(text []byte) error {
	m.value = nil
	var v T
	text = bytes.TrimSpace(onlyOne(text))
	if len(text) > 0 && text[0] == '{' && json.Unmarshal(text, &v) == nil {
		m.value = &v
	}
	return nil
}

// firstFlag is the first flag that came.
func firstFlag(all ...*flag) *flag {
	for _, f := range all {
		if f != nil {
			return f
		}
	}
	return nil
}
