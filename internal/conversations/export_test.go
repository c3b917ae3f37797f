package conversations

import (
	"maps"
	"slices"

	"resellerbot/internal/screen"
)

// Verbs are those that the table of buttons has a row for.
func Verbs() []screen.Verb { return slices.Sorted(maps.Keys(buttons())) }

// Commands are those that the table of commands has a row for.
func Commands() []string { return slices.Sorted(maps.Keys(commands())) }
