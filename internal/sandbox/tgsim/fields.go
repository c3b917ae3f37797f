package tgsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// fields reads a JSON object of a request, member by member: numbers may be text, null is nothing, and what
// is wrong is said in the real server's words. Behind the first error all is empty.
type fields struct {
	members map[string]json.RawMessage
	err     error
}

// newFields begins to read an object; other is said of what is none.
func newFields(raw []byte, other string) *fields {
	f := &fields{}
	if json.Unmarshal(raw, &f.members) != nil || f.members == nil {
		f.err = errors.New(other)
	}
	return f
}

func (f *fields) failf(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// has reports whether there is such a member.
func (f *fields) has(name string) bool {
	raw, ok := f.members[name]
	return ok && string(raw) != "null"
}

// want reads a member into v, if it is there.
func (f *fields) want(name, kind string, v any) {
	if f.err == nil && f.has(name) && json.Unmarshal(f.members[name], v) != nil {
		f.failf("Field \"%s\" must be of type %s", name, kind)
	}
}

// need is want for members that must be there.
func (f *fields) need(name string) {
	if !f.has(name) {
		f.failf("Can't find field \"%s\"", name)
	}
}

// text reads a text; a number is one too.
func (f *fields) text(name string) string {
	var v looseText
	f.want(name, "String", &v)
	return string(v)
}

func (f *fields) needText(name string) string {
	f.need(name)
	return f.text(name)
}

// int reads a number.
func (f *fields) int(name string) int64 {
	var v looseText
	f.want(name, "Number", &v)
	if v == "" || f.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		f.failf("Field \"%s\" must be a valid Number", name)
	}
	return n
}

func (f *fields) needInt(name string) int64 {
	f.need(name)
	return f.int(name)
}

// needFloat reads a number with a fraction that must be there.
func (f *fields) needFloat(name string) float64 {
	f.need(name)
	var v json.Number
	f.want(name, "Number", &v)
	n, _ := v.Float64()
	return n
}

func (f *fields) bool(name string) bool {
	var v bool
	f.want(name, "Boolean", &v)
	return v
}

// raw is a member as it came.
func (f *fields) raw(name string) json.RawMessage {
	if f.err != nil || !f.has(name) {
		return nil
	}
	return f.members[name]
}

// needObject reads a member that is an object itself; what is wrong inside is f's error too once done is
// called.
func (f *fields) needObject(name string) *fields {
	f.need(name)
	if f.err != nil {
		return &fields{err: f.err}
	}
	return newFields(f.members[name], fmt.Sprintf("Field \"%s\" must be of type Object", name))
}

// done takes over what was wrong in a member.
func (f *fields) done(inner *fields) {
	if f.err == nil {
		f.err = inner.err
	}
}

// list reads a member that is an array.
func (f *fields) list(name string) []json.RawMessage {
	var v []json.RawMessage
	f.want(name, "Array", &v)
	return v
}

// looseText is a text or a number.
type looseText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *looseText) UnmarshalJSON(b []byte) error {
	var n json.Number
	if json.Unmarshal(b, &n) == nil && !strings.HasPrefix(string(b), `"`) {
		*t = looseText(n)
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// said is an error as a refusal: the Bot API begins it with a small letter, unless it is a name.
func said(prefix string, err error) *failure {
	words := prefix + err.Error()
	if len(words) > 1 && words[1] != '_' && (words[1] < 'A' || words[1] > 'Z') {
		words = strings.ToLower(words[:1]) + words[1:]
	}
	return badRequest(words)
}
