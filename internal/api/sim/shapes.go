package sim

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api/dzd"
)

// shape chooses the forms that the document leaves open. Each point of choice has a name and is chosen
// for itself, so that one number settles them all and none depends on the order of requests.
type shape uint64

// pick is one of n forms of a point; 0 is the plain one.
func (s shape) pick(point string, n int) int {
	if s == 0 {
		return 0
	}
	// A source of its own for each point, by its name: a point that is added, or asked more often, changes no other one. To rename a point
	// chooses anew for it.
	return random(uint64(s), point).IntN(n)
}

// word is one of several words of a point; the first is the plain one.
func (s shape) word(point string, words ...string) string { return words[s.pick(point, len(words))] }

// money writes an amount as a JSON number, which may have needless zeros.
func (s shape) money(a dzd.Amount) json.Number {
	text := a.String()
	whole, frac, found := strings.Cut(text, ".")
	switch s.pick("money", 3) {
	case 1: // two decimals at least
		text = whole + "." + frac + "00"[min(len(frac), 2):]
	case 2: // a float, as Python prints it
		if !found {
			text += ".0"
		}
	}
	return json.Number(text)
}

// moment writes a time in ISO 8601, which the document asks of Current objects.
func (s shape) moment(t time.Time) string {
	switch s.pick("moment", 4) {
	case 1:
		return t.UTC().Format("2006-01-02T15:04:05.000000Z")
	case 2:
		return t.UTC().Format("2006-01-02T15:04:05-07:00")
	case 3:
		return t.In(time.FixedZone("", 60*60)).Format(time.RFC3339)
	}
	return t.UTC().Format(time.RFC3339)
}

// stamp writes a purchase_timestamp: a string of which no more is shown.
func (s shape) stamp(t time.Time) string {
	switch s.pick("stamp", 4) {
	case 1:
		return strconv.FormatInt(t.UnixMilli(), 10)
	case 2:
		return t.UTC().Format(time.DateTime)
	case 3:
		return t.UTC().Format(time.RFC3339)
	}
	return strconv.FormatInt(t.Unix(), 10)
}

// datetime writes a Legacy created_at: a datetime of which no more is shown.
func (s shape) datetime(t time.Time) string {
	switch s.pick("datetime", 3) {
	case 1:
		return t.UTC().Format(time.DateTime)
	case 2:
		return t.UTC().Format("2006-01-02T15:04:05.000000Z")
	}
	return t.UTC().Format(time.RFC3339)
}

// orderID is the order_id of the nth order: a string of which no more is shown.
func (s *Server) orderID(n int64) string {
	switch s.shape.pick("order id", 3) {
	case 1:
		return strconv.FormatInt(n, 10)
	case 2:
		return s.uuid()
	}
	text := strconv.FormatInt(n, 10)
	return "ORD-" + strings.Repeat("0", max(0, 6-len(text))) + text
}

// idForm writes an order's id where the document does not say whether it is a number or a text: as the
// purchase named it, or as a number if it is one.
func (s shape) idForm(point string, o *order) any {
	if n, err := strconv.ParseInt(o.id, 10, 64); err == nil && s.pick(point+" id", 2) == 1 {
		return n
	}
	return o.id
}

// absent sets a field that has no value: to null, or, where that is chosen, not at all.
func (s shape) absent(o object, field string) {
	if s.pick("absent "+field, 2) == 0 {
		o[field] = nil
	}
}

// with adds what no document names, as services do.
func (s shape) with(o object) object {
	switch s.pick("extra", 3) {
	case 1:
		o["updated_at"], o["meta"] = nil, object{"version": 1, "tags": []string{}}
	case 2:
		o["slug"], o["flags"], o["_links"] = "", nil, []object{{"rel": "self", "href": ""}}
	}
	return o
}

// unshown answers with an object whose form is not shown: its status may be a state, most of it may be
// nested under a name, and it may come without the envelope.
func (s shape) unshown(point, inner string, o object) reply {
	status := s.word(point+" status", "status", "state")
	// "state" takes over the value; where the word stays "status" this changes nothing.
	o[status] = o["status"]
	if status != "status" {
		delete(o, "status")
	}
	o = s.with(o)
	switch s.pick(point+" nested", 4) {
	case 2:
		o = object{inner: o}
	case 3:
		outer := object{status: o[status], inner: o}
		delete(o, status)
		o = outer
	}
	return reply{data: o, bare: s.pick(point+" bare", 3) == 2}
}

// inputFields is the inputs of a product by index. Their inner form is not shown.
func (s shape) inputFields(inputs []InputSpec) any {
	list := s.pick("input fields", 4) == 3
	if len(inputs) == 0 && s.pick("no input fields", 3) > 0 {
		return [][]string{nil, {}}[s.pick("no input fields", 3)-1] // null, or the list that PHP makes of nothing
	}
	fields, listed := object{}, []object{}
	for _, in := range inputs {
		f := s.input(in)
		fields[in.Index] = f
		if list {
			f["index"] = in.Index
			listed = append(listed, f)
		}
	}
	if list {
		return listed
	}
	return fields
}

// input is one input's inner form.
func (s shape) input(in InputSpec) object {
	f := object{s.word("label", "label", "title", "name"): in.Label, "required": in.Required}
	if s.pick("required", 3) == 2 {
		f["required"] = map[bool]int{true: 1}[in.Required]
	}
	if in.Hint != "" {
		f[s.word("hint", "hint", "placeholder", "description")] = in.Hint
	}
	if in.Pattern != "" {
		f[s.word("pattern", "pattern", "regex", "validation")] = in.Pattern
	}
	if in.Options != nil {
		f[s.word("options", "options", "options", "values")] = s.options(in.Options, in.OptionLabels)
	}
	if s.pick("input type", 2) == 1 {
		f["type"] = "text"
		if in.Options != nil {
			f["type"] = "select"
		}
	}
	return f
}

// options is what an input may be: texts, or objects around them.
func (s shape) options(options, labels []string) any {
	form := s.pick("option", 3)
	// Texts alone have no room for what options are called.
	if labels != nil {
		form = 1
	} else {
		labels = options
	}
	if form == 0 {
		return options
	}
	var objects []object
	for i, text := range options {
		if form == 1 {
			objects = append(objects, object{"value": text, "label": labels[i]})
		} else {
			objects = append(objects, object{"name": text})
		}
	}
	return objects
}
