// Package search finds what people mean in a catalogue: with wrong letters, words joined or split, and the names of one
// thing in Arabic, French and English.
package search

import (
	"slices"
	"strings"

	"resellerbot/internal/api"
)

// How far a word is from a token. A product is as far as the farthest word is from the nearest of its tokens.
// The steps keep ways to match apart: a wrong letter costs 2 and two of them 3, so that any misspelling of the same script is nearer than
// what only sounds alike (4 and more); loosely that does not hold. Up to begins a word stands there as it was typed (hit.plain).
const (
	same    = 0
	begins  = 1 // the token begins with the word, or holds it
	near    = 2 // a letter or two are otherwise
	sounds  = 4 // it sounds alike in another script
	nowhere = 255
)

const mostNear = 3 // products that are offered where nothing holds all words

// Index is a catalogue that can be searched. It is read only, and safe for concurrent use.
type Index struct {
	products []api.Product
	tokens   []token        // each once
	names    [][]int        // of each product: the tokens of its name
	variants [][][]int      // of each product: those of each variant
	known    map[string]int // a token's place by its text
}

// Found is what a search comes to.
type Found struct {
	// Products hold all words, the best first, and else in the catalogue's order.
	Products []api.Product
	// Variant is the only one that holds them, of the only product; nil where that is not so.
	Variant *api.Variant
	// Near are up to three products that hold some of the words, where none holds all.
	Near []api.Product
}

// New makes an index. The products must not change.
// An index of 5,000 products is made in some milliseconds, so conversations keep it for as long as the catalogue is the same list.
func New(products []api.Product) *Index {
	x := &Index{products: products, known: map[string]int{}, names: make([][]int, len(products)), variants: make([][][]int, len(products))}
	for i, p := range products {
		x.names[i] = x.addBrief(x.add(p.Name), p.Name)
		x.variants[i] = make([][]int, len(p.Variants))
		for j, v := range p.Variants {
			x.variants[i][j] = x.add(v.Name)
		}
	}
	return x
}

// Find looks for words. No words find everything.
func (x *Index) Find(words string) Found {
	wanted := tokensOf(words)
	if len(wanted) == 0 {
		return Found{Products: x.products}
	}
	// In this order: all words; all words but the common ones, where nothing holds them all; what holds most of them, only to be offered.
	hits := x.hits(wanted, false)
	whole := slices.DeleteFunc(slices.Clone(hits), func(h hit) bool { return h.missing > 0 })
	// Nothing but common words is no search for everything: "carte" alone finds what is called so, or nothing.
	if telling := withoutCommon(wanted); len(whole) == 0 && len(telling) > 0 && len(telling) < len(wanted) {
		whole = slices.DeleteFunc(x.hits(telling, false), func(h hit) bool { return h.missing > 0 })
	}
	if len(whole) == 0 {
		return Found{Near: x.nearest(x.hits(wanted, true), len(wanted))}
	}
	// Where something holds the words as they were typed, nobody meant what only comes near.
	if slices.ContainsFunc(whole, hit.plain) {
		whole = slices.DeleteFunc(whole, func(h hit) bool { return !h.plain() })
	}
	slices.SortStableFunc(whole, func(a, b hit) int { return a.cost - b.cost })
	out := Found{Products: make([]api.Product, len(whole))}
	for i, h := range whole {
		out.Products[i] = x.products[h.product]
	}
	// A variant is opened without a question, so it has to be the only one of the only product. Example: "10 usd" fits two products,
	// and none is opened.
	if h := whole[0]; len(whole) == 1 && h.variant >= 0 {
		out.Variant = &x.products[h.product].Variants[h.variant]
	}
	return out
}

// withoutCommon leaves out the words that people put before any name, and that the catalogue may not have: "carte netflix",
// "abonnment netflix".
func withoutCommon(words []token) []token {
	return slices.DeleteFunc(slices.Clone(words), token.isCommon)
}

// add takes the tokens of a name up, with those that its neighbours make together: people write "playcard" too.
func (x *Index) add(name string) (places []int) {
	all := tokensOf(name)
	for i, t := range all {
		places = append(places, x.place(t))
		// Numbers are not joined: "10 100" would be found as 10100.
		if i > 0 && !t.number && !all[i-1].number {
			joined := tokenOf(all[i-1].text + t.text)
			joined.joined = true
			places = append(places, x.place(joined))
		}
	}
	return places
}

// addBrief takes up the first letters of the words of a product's name as well: shops write "pc 5" for a Play Card.
func (x *Index) addBrief(places []int, name string) []int {
	var first strings.Builder
	for _, t := range tokensOf(name) {
		if !t.number {
			first.WriteString(string(t.runes[:1]))
		}
	}
	letters := first.String()
	if len([]rune(letters)) < 2 {
		return places
	}
	brief := tokenOf(letters)
	brief.brief = true
	return append(places, x.place(brief))
}

// place is the place of a token among all.
func (x *Index) place(t token) int {
	if i, ok := x.known[t.text]; ok {
		// A token is one entry for all products. joined and brief narrow how it is matched, so they hold only where no name has it as
		// a word.
		x.tokens[i].joined = x.tokens[i].joined && t.joined // a word of its own somewhere is one
		x.tokens[i].brief = x.tokens[i].brief && t.brief
		return i
	}
	x.tokens = append(x.tokens, t)
	x.known[t.text] = len(x.tokens) - 1
	return len(x.tokens) - 1
}

// hits is how each product holds the words.
func (x *Index) hits(wanted []token, loosely bool) []hit {
	g := x.grade(wanted, loosely)
	hits := make([]hit, len(x.products))
	name, variant := make(costs, len(wanted)), make(costs, len(wanted))
	for i := range x.products {
		hits[i] = x.hold(i, g, name, variant)
	}
	return hits
}

// grades is how far each token is from each word, and from each two words that follow each other, joined.
type grades struct{ words, joined [][]uint8 }

// grade compares the words with all tokens.
func (x *Index) grade(wanted []token, loosely bool) (g grades) {
	for i, w := range wanted {
		g.words = append(g.words, x.distances(w, loosely))
		if i > 0 && !w.number && !wanted[i-1].number {
			g.joined = append(g.joined, x.distances(tokenOf(wanted[i-1].text+w.text), loosely))
		} else if i > 0 {
			// A place without distances: joined[i] has to be about the words i and i+1 (improve).
			g.joined = append(g.joined, nil)
		}
	}
	return g
}

// distances is how far each token is from a word.
func (x *Index) distances(w token, loosely bool) []uint8 {
	out := make([]uint8, len(x.tokens))
	for i, t := range x.tokens {
		out[i] = w.distance(t, loosely)
	}
	return out
}

// hit is how a product holds the words.
type hit struct {
	product, variant int // variant is the only one that holds all words beside the product's name; -1 for none, or several
	cost, missing    int // missing is how many words it does not hold
}

// plain reports whether all words stand there as they were typed.
func (h hit) plain() bool { return h.cost < near }

// hold looks for the words in a product: in its name, and in the name with that of each variant. What they cost there
// is worked out in name and variant.
func (x *Index) hold(product int, g grades, name, variant costs) hit {
	for i := range name {
		name[i] = nowhere
	}
	g.improve(name, x.names[product])
	best := hit{product: product, variant: -1}
	best.cost, best.missing = name.sum()
	// The name alone is tried first, so a variant that adds nothing to it is no better and does not become the one that is meant.
	holding := 0
	for j, tokens := range x.variants[product] {
		copy(variant, name)
		g.improve(variant, tokens)
		cost, missing := variant.sum()
		switch {
		case missing < best.missing || missing == best.missing && cost < best.cost:
			best.cost, best.missing, best.variant, holding = cost, missing, j, 1
		case missing == best.missing && cost == best.cost:
			holding++
		}
	}
	// Several variants hold the words equally well, or the name alone does: which one is meant is not known.
	if holding != 1 {
		best.variant = -1
	}
	return best
}

// costs are how far the nearest tokens are from each word.
type costs []uint8

// improve lowers the costs of the words that some tokens come nearer to.
func (g grades) improve(out costs, tokens []int) {
	for i, distances := range g.words {
		for _, t := range tokens {
			out[i] = min(out[i], distances[t])
		}
	}
	for i, distances := range g.joined {
		for _, t := range tokens {
			// One joined token stands for both words. It counts where it betters one of them, and makes the other one no worse.
			if distances != nil && distances[t] < max(out[i], out[i+1]) {
				out[i], out[i+1] = min(out[i], distances[t]), min(out[i+1], distances[t])
			}
		}
	}
}

// sum is the cost of the words that were found, and how many were not.
func (c costs) sum() (cost, missing int) {
	for _, d := range c {
		if d == nowhere {
			missing++
			continue
		}
		// The farthest word and not the sum: many words that were typed right are no worse than few.
		cost = max(cost, int(d))
	}
	return cost, missing
}

// nearest are the products that hold the most of so many words.
func (x *Index) nearest(hits []hit, words int) (near []api.Product) {
	if len(hits) == 0 {
		return nil
	}
	// What lacks every word is not offered, even where all products do.
	least := slices.MinFunc(hits, func(a, b hit) int { return a.missing - b.missing }).missing
	hits = slices.DeleteFunc(hits, func(h hit) bool { return h.missing > least || h.missing == words })
	slices.SortStableFunc(hits, func(a, b hit) int { return a.cost - b.cost })
	for _, h := range hits[:min(len(hits), mostNear)] {
		near = append(near, x.products[h.product])
	}
	return near
}
