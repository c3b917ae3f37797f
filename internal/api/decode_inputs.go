package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// decodeInputs reads input_fields: an object keyed by index, whose inner structure is not shown, or a
// list. What cannot be read asks for nothing; the service says what it misses.
func decodeInputs(text json.RawMessage) []Input {
	text = bytes.TrimSpace(text)
	var inputs []Input
	switch {
	case len(text) == 0:
		return nil
	case text[0] == '{':
		var byIndex map[string]json.RawMessage
		if json.Unmarshal(text, &byIndex) != nil {
			return nil
		}
		for index, inner := range byIndex {
			in := decodeInput(index, inner)
			in.Index = index // the document keys inputs by it; what is called so within may be a place among them
			inputs = append(inputs, in)
		}
	case text[0] == '[':
		var list []json.RawMessage
		if json.Unmarshal(text, &list) != nil {
			return nil
		}
		for i, inner := range list {
			inputs = append(inputs, decodeInput(strconv.Itoa(i), inner))
		}
	}
	slices.SortFunc(inputs, func(a, b Input) int { return compareIndex(a.Index, b.Index) })
	return inputs
}

// compareIndex orders numbers as numbers, before other texts.
func compareIndex(a, b string) int {
	m, errA := strconv.Atoi(a)
	n, errB := strconv.Atoi(b)
	switch {
	case errA == nil && errB == nil && m != n:
		return cmp.Compare(m, n)
	case (errA == nil) != (errB == nil):
		if errA == nil {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

// wireInput is the names under which the parts of an input may come.
type wireInput struct {
	Index       label           `json:"index"`
	Label       label           `json:"label"`
	Name        label           `json:"name"`
	Title       label           `json:"title"`
	Hint        label           `json:"hint"`
	Placeholder label           `json:"placeholder"`
	Description label           `json:"description"`
	Pattern     label           `json:"pattern"`
	Regex       label           `json:"regex"`
	Validation  label           `json:"validation"`
	Required    *flag           `json:"required"`
	Options     json.RawMessage `json:"options"`
	Values      json.RawMessage `json:"values"`
}

// decodeInput reads one input, whatever it looks like: at least it has its index.
func decodeInput(index string, text json.RawMessage) Input {
	var w wireInput
	if json.Unmarshal(text, &w) != nil {
		var s label
		if json.Unmarshal(text, &s) != nil {
			s = ""
		}
		return Input{Index: index, Label: string(s), Required: true}
	}
	options, labels := decodeOptions(w.Options)
	if options == nil {
		options, labels = decodeOptions(w.Values)
	}
	return Input{
		Index:    cmp.Or(string(w.Index), index),
		Label:    string(cmp.Or(w.Label, w.Title, w.Name)),
		Hint:     string(cmp.Or(w.Hint, w.Placeholder, w.Description)),
		Pattern:  patternOf(string(cmp.Or(w.Pattern, w.Regex, w.Validation))),
		Required: w.Required == nil || bool(*w.Required),
		Options:  options,
		Labels:   labels,
	}
}

// patternOf is a pattern that the whole of an answer has to match, as Go reads it: with an anchor at both ends, and without the delimiters that other
// languages set around it. Anything else, as the rules of a framework ("required|numeric") that Go would read as a pattern too, is none: the service
// checks what it is sent.
func patternOf(text string) string {
	if rest, delimited := strings.CutPrefix(text, "/"); delimited {
		end := strings.LastIndex(rest, "/")
		if end < 0 || strings.Trim(rest[end+1:], "iu") != "" {
			return ""
		}
		if text = rest[:end]; strings.Contains(rest[end+1:], "i") {
			text = "(?i)" + text
		}
	}
	if !strings.HasPrefix(strings.TrimPrefix(text, "(?i)"), "^") || !strings.HasSuffix(text, "$") {
		return ""
	}
	return text
}

// decodeOptions reads what an input may be, and what people know it by: a list of texts or of objects with a value, or an
// object of values, whose texts are what they are called.
func decodeOptions(text json.RawMessage) (options, labels []string) {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		var byName map[string]json.RawMessage
		if json.Unmarshal(text, &byName) != nil {
			return nil, nil
		}
		for _, value := range slices.SortedFunc(maps.Keys(byName), compareIndex) {
			var called string
			if json.Unmarshal(byName[value], &called) != nil {
				called = ""
			}
			options, labels = append(options, value), append(labels, cmp.Or(called, value))
		}
		return options, labels
	}
	for _, inner := range list {
		var object struct {
			Value label `json:"value"`
			Name  label `json:"name"`
			Label label `json:"label"`
		}
		var plain, called label
		if json.Unmarshal(inner, &object) == nil {
			plain, called = cmp.Or(object.Value, object.Name, object.Label), cmp.Or(object.Label, object.Name, object.Value)
		} else if json.Unmarshal(inner, &plain) != nil {
			continue
		}
		if plain != "" {
			options, labels = append(options, string(plain)), append(labels, string(cmp.Or(called, plain)))
		}
	}
	return options, labels
}
