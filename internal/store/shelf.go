package store

import (
	"context"
	"errors"
	"slices"
	"strings"
)

const (
	mostFavourites = 12
	mostAliases    = 200
)

// ErrFull: there is no room for one more of what somebody wants to keep.
var ErrFull = errors.New("store: there is no room for one more")

// Shelf is what the people of an account keep at hand: the items that they sell most, and their own short words for items.
type Shelf struct {
	Account    string
	Favourites []Goods // the one that was added last comes first
	Aliases    []Alias // in the order of their words
	rev        uint64
}

// Goods is an item of the catalogue, as it is kept at hand.
type Goods struct {
	Product, Variant int64
	Name             string // of both, as they were called then; hostile text
}

// Is reports whether it is the item that is meant.
func (g Goods) Is(product, variant int64) bool { return g.Product == product && g.Variant == variant }

// Alias is a short word of a shop's own for an item.
type Alias struct {
	Goods

	Word string // folded; hostile text
}

func shelves() codec[Shelf] {
	return codec[Shelf]{
		kind: KindShelf,
		key:  func(s *Shelf) string { return s.Account },
		rev:  func(s *Shelf) *uint64 { return &s.rev },
	}
}

// Shelf reads what the people of an account keep at hand; an empty Shelf where that is nothing.
func (s *Store) Shelf(ctx context.Context, account string) (Shelf, error) {
	v, err := read(ctx, s, shelves(), account)
	v.Account = account
	return v, ignoring(err, ErrNotFound)
}

// ChangeShelf changes what the people of an account keep at hand.
func (t *Tx) ChangeShelf(account string, change func(*Shelf) error) error {
	v, err := shelves().get(t, account)
	if err = ignoring(err, ErrNotFound); err != nil {
		return err
	}
	v.Account = account
	if err := change(&v); err != nil {
		return err
	}
	return shelves().put(t, &v)
}

// Favourite reports whether an item is one of the favourites.
func (s *Shelf) Favourite(product, variant int64) bool {
	return slices.ContainsFunc(s.Favourites, func(g Goods) bool { return g.Is(product, variant) })
}

// Keep puts an item in front of the favourites. Where there are too many, the oldest goes.
func (s *Shelf) Keep(g Goods) {
	s.Unkeep(g.Product, g.Variant)
	s.Favourites = append([]Goods{g}, s.Favourites...)
	s.Favourites = s.Favourites[:min(len(s.Favourites), mostFavourites)]
}

// Unkeep takes an item out of the favourites.
func (s *Shelf) Unkeep(product, variant int64) {
	s.Favourites = slices.DeleteFunc(slices.Clone(s.Favourites), func(g Goods) bool { return g.Is(product, variant) })
}

// Name gives an item a short word, which means nothing else from then on. ErrFull where there are too many.
func (s *Shelf) Name(a Alias) error {
	s.Unname(a.Word)
	if len(s.Aliases) >= mostAliases {
		return ErrFull
	}
	i, _ := slices.BinarySearchFunc(s.Aliases, a.Word, func(b Alias, word string) int { return strings.Compare(b.Word, word) })
	s.Aliases = slices.Insert(s.Aliases, i, a)
	return nil
}

// Unname makes a short word mean nothing.
func (s *Shelf) Unname(word string) {
	s.Aliases = slices.DeleteFunc(slices.Clone(s.Aliases), func(a Alias) bool { return a.Word == word })
}

// Alias is what a short word means.
func (s *Shelf) Alias(word string) (Goods, bool) {
	i := slices.IndexFunc(s.Aliases, func(a Alias) bool { return a.Word == word })
	if i < 0 {
		return Goods{}, false
	}
	return s.Aliases[i].Goods, true
}

// Words are the short words of an item.
func (s *Shelf) Words(product, variant int64) (words []string) {
	for _, a := range s.Aliases {
		if a.Is(product, variant) {
			words = append(words, a.Word)
		}
	}
	return words
}
