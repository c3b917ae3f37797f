package conversations

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"resellerbot/internal/screen"
)

// Verbs are those that the table of buttons has a row for.
func Verbs() []screen.Verb { return slices.Sorted(maps.Keys(buttons())) }

// OperatorVerbs are those that the table of buttons keeps for the operator.
func OperatorVerbs() (verbs []screen.Verb) {
	for verb, row := range buttons() {
		if row.right == operators {
			verbs = append(verbs, verb)
		}
	}
	slices.Sort(verbs)
	return verbs
}

// Commands are those that the table of commands has a row for.
func Commands() []string { return slices.Sorted(maps.Keys(commands())) }

// ButtonFlags are what rows of the table of buttons may say besides who may, each with the verbs of those that do.
func ButtonFlags() map[string][]screen.Verb { return flagsOf(buttons()) }

// CommandFlags are what rows of the table of commands may say besides who may, each with the commands of those that do.
func CommandFlags() map[string][]string { return flagsOf(commands()) }

// flagsOf are the fields of rows that are true or not, each with the keys of the rows in which it is.
func flagsOf[K cmp.Ordered, R any](rows map[K]R) map[string][]K {
	all := map[string][]K{}
	for field := range reflect.TypeFor[R]().Fields() {
		if field.Type.Kind() != reflect.Bool {
			continue
		}
		all[field.Name] = nil
		for _, key := range slices.Sorted(maps.Keys(rows)) {
			if reflect.ValueOf(rows[key]).FieldByIndex(field.Index).Bool() {
				all[field.Name] = append(all[field.Name], key)
			}
		}
	}
	return all
}
