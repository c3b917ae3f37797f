package store

import (
	"slices"
	"time"
)

// Handed is somebody's word that what a purchase has brought was given to its customer, or, after that, that it was not.
type Handed struct {
	User int64
	Name string // hostile text
	At   time.Time
	Back bool `json:",omitempty"` // it was not given after all
}

// mostHanded is how many such words are kept: the last ones, since the last one is what holds.
const mostHanded = 10

// LastHanded is the last such word; false where nobody has said anything.
func (p Purchase) LastHanded() (Handed, bool) {
	if len(p.Handed) == 0 {
		return Handed{}, false
	}
	return p.Handed[len(p.Handed)-1], true
}

// IsHanded reports whether what a purchase has brought was given to its customer, as somebody says.
func (p Purchase) IsHanded() bool {
	last, said := p.LastHanded()
	return said && !last.Back
}

// NoteHanded writes such a word down, and reports whether it says something new: one that says what holds already changes nothing.
func NoteHanded(p *Purchase, h Handed) (changed bool) {
	if p.IsHanded() == !h.Back {
		return false
	}
	p.Handed = append(slices.Clone(p.Handed), h)
	p.Handed = p.Handed[max(0, len(p.Handed)-mostHanded):]
	return true
}
