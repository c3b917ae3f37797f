package conversations

import (
	"slices"
	"strings"
	"unicode/utf8"

	"resellerbot/internal/api"
	"resellerbot/internal/orderline"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

const (
	leastInput = 4 // signs of who gets it: shorter words are of the item's name
	leastZone  = 3 // digits of a number behind that: shorter ones are how many
)

// answers are the inputs of a product that some words give, in their order; the one at the place `known` is known to be one. fits is
// false where they cannot be meant.
// Example, of a product for a player and a server: "123456789 101" fits; "123456789 2" does not, since 2 rather is how many.
func answers(p api.Product, words []string, known int) (out []store.Answer, fits bool) {
	// A word too many belongs to the name of another item: what it is for is not guessed.
	if len(words) > len(p.Inputs) {
		return nil, false
	}
	for i, word := range words {
		in := p.Inputs[i]
		value, problem := checkInput(in, word)
		// Behind a player's number a short one is of the same order: a zone, a server.
		if problem != screen.NoProblem || i != known && len(in.Options) == 0 && !looksLikeInput(value) && (i == 0 || !isZone(value)) {
			return nil, false
		}
		out = append(out, answerTo(in, value))
	}
	return out, true
}

// unfit is a way to read a line that would be one if what stands behind the item were its inputs: those that are, and what
// is wrong with the next. There is none where the line names several items.
func (r *reader) unfit(text string) (m meant, problem screen.Problem) {
	for _, reading := range orderline.Readings(text) {
		if reading.Bare || len(reading.Inputs) == 0 || !slices.ContainsFunc(reading.Inputs, looksLikeInput) {
			continue
		}
		found := r.named(reading.Words, true)
		if len(found) == 0 {
			found = r.named(reading.Words, false)
		}
		if len(found) != 1 {
			continue
		}
		p := r.product(found[0].Product.ID)
		if p == nil || len(p.Inputs) < len(reading.Inputs) {
			continue
		}
		v, there := listedVariant(*p, found[0].Variant)
		answers, problem := fitting(*p, reading.Inputs)
		if there && v.Available && problem != screen.NoProblem {
			return meant{Product: p.ID, Variant: v.ID, Quantity: max(1, reading.Quantity), Answers: answers}, problem
		}
	}
	return m, screen.NoProblem
}

// fitting are the answers that words give to a product's inputs, up to the first that is none, and what is wrong with it.
func fitting(p api.Product, words []string) (out []store.Answer, problem screen.Problem) {
	for i, word := range words {
		value, problem := checkInput(p.Inputs[i], word)
		if problem != screen.NoProblem {
			return out, problem
		}
		out = append(out, answerTo(p.Inputs[i], value))
	}
	return out, screen.NoProblem
}

// looksLikeInput reports whether a word may say who gets something: words of a name have no digits.
func looksLikeInput(word string) bool {
	return utf8.RuneCountInString(word) >= leastInput && strings.ContainsAny(word, "0123456789@")
}

// isZone reports whether a word may be a second number of who gets something; a shorter one rather is how many.
func isZone(word string) bool {
	return len(word) >= leastZone && strings.Trim(word, "0123456789") == ""
}

// unfitLine asks who gets an item that a line has named beside an input which the item does not take, and says why. taken
// is false for any other line.
func (t buyFlow) unfitLine(all []api.Product, text string) (taken bool, err error) {
	r, err := t.lineReader(all)
	if err != nil || r == nil {
		return false, err
	}
	m, problem := r.unfit(text)
	if problem == screen.NoProblem {
		return false, nil
	}
	// It is a line of its own and no answer: what follows does not stand in the place of the question that is open.
	t.answeredQuestion = 0
	return true, t.withProduct(m.Product, func(p api.Product) error {
		v, ok := findVariant(p, m.Variant)
		if !ok || !t.isBuyable(p, v, m.Quantity) {
			return t.beginMeant(m) // another mistake comes first
		}
		return t.askInput(buying{Product: p.ID, Variant: v.ID, Quantity: m.Quantity, Answers: m.Answers}, p, v, problem)
	})
}
