package api

import "strings"

// PlayerMatch is what an order says of whether it is for a player.
type PlayerMatch uint8

// The matches.
const (
	OtherPlayer PlayerMatch = iota
	MaybePlayer             // the id came as a number, which has lost the zeros that it may have begun with
	SamePlayer
)

// playerDigits is how long the id of a player is, where it is digits (reseller-api.md, Validation errors).
const playerDigits = 10

// ForPlayer compares whom an order is for with a player's id. An id that came as a number is one id alone, where ids
// are as long as the document says.
func (o Order) ForPlayer(id string) PlayerMatch {
	switch id, got := strings.TrimSpace(id), strings.TrimSpace(o.PlayerID); {
	case got == id:
		return SamePlayer
	case !o.PlayerNumber || strings.TrimLeft(id, "0") != strings.TrimLeft(got, "0"):
		return OtherPlayer
	// A number of ten digits at most with the same value: filled up with zeros, it can be no other id of that length.
	case len(id) == playerDigits:
		return SamePlayer
	}
	return MaybePlayer
}
