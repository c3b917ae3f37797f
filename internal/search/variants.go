package search

import (
	"slices"

	"resellerbot/internal/api"
)

// Match is a variant of a product that words have found.
type Match struct {
	Product api.Product
	Variant api.Variant
}

// Variants are those that hold all words, each with the name of its product. Of products that hold them the best count
// alone: what has the words as they were typed leaves out what only comes near. More than most is nothing: whoever means one
// of so many has not said which.
func (x *Index) Variants(words string, most int) []Match {
	wanted := tokensOf(words)
	if len(wanted) == 0 {
		return nil
	}
	hits := slices.DeleteFunc(x.hits(wanted, false), func(h hit) bool { return h.missing > 0 })
	if len(hits) == 0 {
		return nil
	}
	least := slices.MinFunc(hits, func(a, b hit) int { return a.cost - b.cost }).cost
	g := x.grade(wanted, false)
	var all []Match
	for _, h := range hits {
		if h.cost > least {
			continue
		}
		for _, j := range x.holding(h, g, len(wanted)) {
			if len(all) == most {
				return nil
			}
			all = append(all, Match{Product: x.products[h.product], Variant: x.products[h.product].Variants[j]})
		}
	}
	return all
}

// holding are the variants of a hit that hold all words as well as any of them.
func (x *Index) holding(h hit, g grades, words int) (places []int) {
	if h.variant >= 0 {
		return []int{h.variant}
	}
	out := make(costs, words)
	for j, tokens := range x.variants[h.product] {
		for i := range out {
			out[i] = nowhere
		}
		g.improve(out, x.names[h.product])
		g.improve(out, tokens)
		if cost, missing := out.sum(); missing == 0 && cost == h.cost {
			places = append(places, j)
		}
	}
	return places
}
