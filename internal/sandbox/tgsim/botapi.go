package tgsim

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// botAPIText is the Bot API: its methods with their parameters and its types with their fields. A test
// derives it from Telegram's description in JSON; see TestBotAPIText.
//
//go:embed botapi.txt
var botAPIText string

// botAPI is what the Bot API is made of.
type botAPI struct {
	version string
	methods map[string]shape // by name in lower case
	types   map[string]shape
}

// shape is a method or a type: what belongs to it.
type shape struct {
	name   string
	fields []field
	kinds  []string // of a method what it answers with, of a type the types that it may be; otherwise none
}

// field is a parameter of a method, or a field of a type.
type field struct {
	name     string
	types    []string // any of these; [X] is an array of X
	required bool
	values   []string // the only ones that there are; none: any
}

// describedAPI is the Bot API as botAPIText has it.
var describedAPI = sync.OnceValue(func() botAPI { return parseBotAPI(botAPIText) })

// parseBotAPI reads the form that botapi.txt explains at its beginning.
func parseBotAPI(text string) botAPI {
	api := botAPI{methods: map[string]shape{}, types: map[string]shape{}}
	var last *shape
	end := func() {
		if last == nil {
			return
		}
		if c := last.name[0]; 'a' <= c && c <= 'z' {
			api.methods[strings.ToLower(last.name)] = *last
		} else {
			api.types[last.name] = *last
		}
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case words[0] == "version":
			api.version = words[1]
		case strings.HasPrefix(line, " "):
			last.fields = append(last.fields, parseField(words))
		default:
			end()
			last = &shape{name: words[0]}
			if len(words) > 2 {
				last.kinds = strings.Split(words[2], "|")
			}
		}
	}
	end()
	return api
}

// parseField reads `name! Type|Type =value|value`.
func parseField(words []string) field {
	f := field{types: strings.Split(words[1], "|")}
	f.name, f.required = strings.CutSuffix(words[0], "!")
	if len(words) > 2 {
		f.values = strings.Split(strings.TrimPrefix(words[2], "="), "|")
	}
	return f
}

// field is a shape's field by name.
func (s shape) field(name string) (field, bool) {
	i := slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return s.fields[i], true
}

// updateKinds are the kinds of updates that there are.
func (a botAPI) updateKinds() []string {
	var kinds []string
	for _, f := range a.types["Update"].fields[1:] { // the first one is the id
		kinds = append(kinds, f.name)
	}
	return kinds
}

// judge compares values with the Bot API.
type judge struct {
	api     botAPI
	lenient bool // numbers may be text, as in requests
}

// judgeJSON says what in a JSON text is not of any of the types.
func (j judge) judgeJSON(where string, types []string, text []byte) []string {
	var v any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return []string{where + " is no JSON"}
	}
	return j.judge(where, types, v)
}

// judge says what in a decoded value is not of any of the types: of several the one that fits best is
// taken for the one that was meant.
func (j judge) judge(where string, types []string, v any) []string {
	if list, isArray := v.([]any); isArray {
		if items := itemTypes(types); items != nil {
			return j.array(where, items, list)
		}
	}
	var best []string
	for i, t := range j.possible(types, v) {
		faults := j.one(where, t, v)
		if i == 0 || len(faults) < len(best) {
			best = faults
		}
		if len(best) == 0 {
			return nil
		}
	}
	if best == nil {
		return []string{where + " is none of " + strings.Join(types, ", ")}
	}
	return best
}

// possible are the types that a value may be of: those that it names, where they have a name in it.
func (j judge) possible(types []string, v any) []string {
	o, isObject := v.(map[string]any)
	var out []string
	for _, t := range types {
		s := j.api.types[t]
		switch {
		case len(s.kinds) > 0:
			out = append(out, j.possible(s.kinds, v)...)
		case !isObject || !slices.ContainsFunc(s.fields, func(f field) bool { return f.contradicts(o[f.name]) }):
			out = append(out, t)
		}
	}
	return out
}

// contradicts reports whether a value shows that the type with this field is not meant: the field names
// the type, and the value names another.
func (f field) contradicts(v any) bool {
	return len(f.values) == 1 && fmt.Sprint(v) != f.values[0]
}

// one says what in a value is not of a type.
func (j judge) one(where, t string, v any) []string {
	if j.scalar(t, v) {
		return nil
	}
	o, isObject := v.(map[string]any)
	s, known := j.api.types[t]
	if !known || !isObject {
		return []string{where + " is no " + t}
	}
	return j.object(where, s, o)
}

// itemTypes are the types that the items of an array may be of.
func itemTypes(types []string) (items []string) {
	for _, t := range types {
		if inner, ok := strings.CutPrefix(t, "["); ok {
			items = append(items, strings.TrimSuffix(inner, "]"))
		}
	}
	return items
}

func (j judge) array(where string, items []string, list []any) []string {
	var faults []string
	for i, item := range list {
		faults = append(faults, j.judge(where+"["+strconv.Itoa(i)+"]", items, item)...)
	}
	return faults
}

// scalar reports whether a value is of a type that has no fields.
func (j judge) scalar(t string, v any) bool {
	switch t {
	case "String", "InputFile":
		_, isText := v.(string)
		_, isNumber := v.(json.Number)
		return isText || j.lenient && isNumber
	case "Integer":
		text, isText := v.(string)
		number, isNumber := v.(json.Number)
		_, err := strconv.ParseInt(text+string(number), 10, 64)
		return err == nil && (isNumber || j.lenient && isText)
	case "Float":
		_, ok := v.(json.Number)
		return ok
	case "Boolean":
		_, ok := v.(bool)
		return ok
	}
	return false
}

func (j judge) object(where string, s shape, o map[string]any) []string {
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(o)) {
		f, known := s.field(name)
		switch v := o[name]; {
		case !known:
			faults = append(faults, where+"."+name+" is no field of "+s.name)
		case v == nil && j.lenient:
		case len(f.values) > 0 && !slices.Contains(f.values, fmt.Sprint(v)):
			faults = append(faults, fmt.Sprintf("%s.%s is %v", where, name, v))
		default:
			faults = append(faults, j.judge(where+"."+name, f.types, v)...)
		}
	}
	for _, f := range s.fields {
		if _, there := o[f.name]; f.required && !there {
			faults = append(faults, where+"."+f.name+" is missing")
		}
	}
	return faults
}

// call says what in a call's parameters is not as the Bot API has it.
func (j judge) call(method string, p params) []string {
	s, known := j.api.methods[method]
	if !known {
		return nil
	}
	var faults []string
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		f, known := s.field(name)
		switch {
		case name == "method" || p.values.Get(name) == "" || p.values.Get(name) == "null":
		case !known:
			faults = append(faults, s.name+" has no parameter "+name)
		default:
			faults = append(faults, j.parameter(s.name+"."+name, f, p.values.Get(name))...)
		}
	}
	for _, f := range s.fields {
		if f.required && p.values.Get(f.name) == "" && p.files[f.name] == nil {
			faults = append(faults, s.name+"."+f.name+" is missing")
		}
	}
	return faults
}

// parameter judges a parameter, which comes as text whatever it is.
func (j judge) parameter(where string, f field, text string) []string {
	if slices.Contains(f.types, "String") {
		return nil
	}
	var v any = text
	switch f.types[0] {
	case "Integer":
	case "Boolean":
		if slices.Contains([]string{"true", "false", "yes", "no", "1", "0"}, strings.ToLower(text)) {
			return nil
		}
	case "Float":
		v = json.Number(text)
	default:
		return j.judgeJSON(where, f.types, []byte(text))
	}
	return j.judge(where, f.types, v)
}

// sample is a plausible value of one of the types, with no more than it must have. own makes those that the
// caller knows better.
func (a botAPI) sample(types []string, own func(string) any) any {
	t := types[0]
	if v := own(t); v != nil {
		return v
	}
	s := a.types[t]
	switch {
	case strings.HasPrefix(t, "["):
		return []any{}
	case t == "Integer" || t == "Float":
		return 0
	case t == "Boolean":
		return true
	case t == "String":
		return "…"
	case len(s.kinds) > 0:
		return a.sample(s.kinds, own)
	}
	o := object{}
	for _, f := range s.fields {
		switch {
		case len(f.values) > 0 && f.required:
			o[f.name] = f.values[0]
		case f.required:
			o[f.name] = a.sample(f.types, own)
		}
	}
	return o
}
