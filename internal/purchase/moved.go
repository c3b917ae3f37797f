package purchase

import (
	"slices"

	"resellerbot/internal/store"
)

// Moved is a step that a purchase has made, for whoever counts them.
type Moved struct {
	From, To store.Phase
	// Rule is what decided about an uncertain purchase: a rule of evidence, or ByPerson. Empty for others.
	Rule string
}

// ByPerson: somebody decided about an uncertain purchase.
const ByPerson = "person"

// Phases lists the phases as a purchase meets them.
func Phases() []store.Phase { return order() }

// moved is a step that was just made, and why.
func moved(from, to store.Phase, why string) Moved {
	m := Moved{From: from, To: to}
	switch from {
	case store.Unknown, store.Undecided, store.NotCreated, store.Rejected:
		m.Rule = ByPerson
		if slices.Contains(rules(), why) {
			m.Rule = why
		}
	}
	return m
}
