package api

import (
	"strings"
	"unicode"
)

// Family is the part of the service that sells an item, where it has endpoints of its own.
type Family string

// The families.
const (
	Goods        Family = ""             // the catalogue: codes, vouchers, and top-ups without a family
	Arena        Family = "arena"        // top-ups by plan
	BattleRoyale Family = "battleroyale" // catalogue products, with a check of the player and a status
	SportsTV     Family = "sportstv"     // catalogue products, with a status
	Internet     Family = "internet"     // catalogue products for a number that can be checked
)

// ArenaProduct is the Product.ID under which the arena's plans are sold. No product of the catalogue has
// it.
const ArenaProduct int64 = -1

// kindTopup is the Product.Kind of what is credited to a player instead of delivered as a code.
const kindTopup = "topup"

// letters is a text in lower case without anything but letters.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// Topup reports whether what is bought is credited to somebody instead of delivered as a code.
func (p Product) Topup() bool {
	return p.Family == Arena || p.Family == BattleRoyale || p.Family == Internet || p.Listed || strings.EqualFold(p.Kind, kindTopup)
}

// Personal reports whether it is bought for somebody: for a player, a number, a subscription. Whoever asks for one may
// bring a code or not: what is bought of it may end either way.
func (p Product) Personal() bool { return p.Topup() || p.Family == SportsTV || len(p.Inputs) > 0 }

// Origin is where an order was made, which decides how it is followed.
type Origin string

// The origins.
const (
	FromCurrent      Origin = "current"
	FromLegacy       Origin = "legacy"
	FromArena        Origin = "arena"
	FromBattleRoyale Origin = "battleroyale"
	FromSportsTV     Origin = "sportstv"
)

// Batched reports whether orders of this origin are read many in one call.
func (o Origin) Batched() bool { return o == FromCurrent || o == "" }

// Twice reports whether a look at an order of this origin spends two calls: its family has an endpoint of its own,
// beside the one for all orders.
func (o Origin) Twice() bool { return o == FromBattleRoyale || o == FromSportsTV }

// originOf is where the orders of a purchase at Current endpoints are followed.
func originOf(f Family) Origin {
	switch f {
	case BattleRoyale:
		return FromBattleRoyale
	case SportsTV:
		return FromSportsTV
	}
	return FromCurrent
}

// OrderRef names an order as it is followed.
type OrderRef struct {
	Origin      Origin
	ID          string
	Transaction string // the arena's second name for it; "" elsewhere
}
