package conversations

import (
	"slices"
	"strings"

	"resellerbot/internal/orderline"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// lines reads every line of a list.
func (r *reader) lines(l orderline.List) (out []store.ListLine) {
	for i, typed := range l.Lines {
		// What a formula comes to is not in the text: its line is refused before anything in it is taken for an item.
		line := store.ListLine{Number: typed.Number, Text: cut(typed.Text, mostLineText), Problem: store.ProblemFormula}
		if !typed.Formula {
			r.readLine(&line, l.Order(i))
		}
		// What stands above all lines names the item: what is wrong with a line is then not that.
		if l.Item != "" && (line.Problem == store.ProblemUnread || line.Problem == store.ProblemStranger) && r.isItem(l.Item) {
			line.Problem = store.ProblemInput
		}
		mark(&line, out)
		out = append(out, line)
	}
	return out
}

// isItem reports whether words name one item that is sold.
func (r *reader) isItem(words string) bool {
	ways, _ := r.read(words)
	return len(ways) == 1
}

// cut is the beginning of a text.
func cut(text string, most int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), most)])
}

// readLine notes in a line what its text names.
func (r *reader) readLine(line *store.ListLine, text string) {
	line.Problem = store.ProblemUnread
	switch ways, _ := r.read(text); {
	case len(ways) > 1 && isOneItem(ways), len(ways) == 1 && ways[0].guess:
		line.Problem = store.ProblemWhom
	case len(ways) > 1:
		line.Problem = store.ProblemUnclear
	case len(ways) == 1:
		r.fillLine(line, ways[0])
	default:
		if _, none, ok := orderline.OutOfRange(text); ok {
			line.Problem = store.ProblemTooMany
			if none {
				line.Problem = store.ProblemNone
			}
		} else if _, problem := r.unfit(text); problem != screen.NoProblem {
			line.Problem = store.ProblemInput
		} else if r.isSoldOut(text) {
			line.Problem = store.ProblemSoldOut
		} else if r.isBroad(text) {
			line.Problem = store.ProblemUnclear
		} else if _, _, strange := r.stranger(text); strange {
			line.Problem = store.ProblemStranger
		}
	}
}

// isOneItem reports whether the ways to read a line differ in nothing but whom it is for.
func isOneItem(ways []meant) bool {
	return !slices.ContainsFunc(ways, func(m meant) bool {
		return m.Product != ways[0].Product || m.Variant != ways[0].Variant || m.Quantity != ways[0].Quantity
	})
}

// isBroad reports whether a line names more items than can be asked about.
func (r *reader) isBroad(text string) bool {
	rest, _, _ := orderline.Quantity(text)
	found := r.turn.indexes.of(r.all).Find(rest)
	return rest != "" && len(found.Products) > 0
}

// isSoldOut reports whether a line names something that cannot be had now.
func (r *reader) isSoldOut(text string) bool {
	// read lists what can be bought and nothing else: without this the line would be told that nobody knows its item.
	for _, reading := range orderline.Readings(text) {
		for _, m := range append(r.named(reading.Words, true), r.named(reading.Words, false)...) {
			p := r.product(m.Product.ID)
			if p == nil {
				continue
			}
			if v, there := listedVariant(*p, m.Variant); (!there || !v.Available) && len(reading.Inputs) <= len(p.Inputs) {
				return true
			}
		}
	}
	return false
}

// fillLine notes in a line what is meant by it, at today's price.
func (r *reader) fillLine(line *store.ListLine, m meant) {
	p := r.product(m.Product)
	if p == nil {
		line.Problem = store.ProblemUnread
		return
	}
	v, ok := findVariant(*p, m.Variant)
	if !ok || !v.Available {
		line.Problem = store.ProblemSoldOut
		return
	}
	quantity := max(m.Quantity, 1)
	// err is judged below, beside what else may be wrong with the line.
	total, err := v.Price.Mul(quantity)
	answers, complete := m.Answers, true
	for _, in := range p.Inputs[min(len(answers), len(p.Inputs)):] {
		// An input that nobody gave is kept empty, in its place: the card asks for no more than what has to be there.
		complete = complete && !in.Required
		answers = append(answers, store.Answer{Index: in.Index, Label: in.Label})
	}
	line.ProductID, line.VariantID, line.Plan, line.Product, line.Variant = p.ID, v.ID, v.Plan, p.Name, v.Name
	line.Family, line.Topup, line.Manual = string(p.Family), p.Topup(), p.Manual
	line.Category, line.Sells = p.CategoryID, v.Sells
	line.Quantity, line.Inputs, line.For, line.Price, line.Total = quantity, answers, m.For, v.Price, total
	// What the line names is noted whatever is wrong with it: the card shows people what they meant beside the problem.
	switch {
	case err != nil, quantity > allowed(v):
		line.Problem = store.ProblemTooMany
	case !complete:
		line.Problem = store.ProblemInput
	case !buyFlow{r.turn}.there(v):
		line.Problem = store.ProblemSoldOut
	default:
		line.Problem, line.Check = "", p.Checkable()
	}
}

// mark marks a line that says what one before it does: the same item for the same person is more likely a slip than a wish, and is
// bought only by who says so. Lines for nobody are no slip: several codes of one item are bought so.
func mark(line *store.ListLine, before []store.ListLine) {
	if line.Problem != "" || !slices.ContainsFunc(line.Inputs, func(a store.Answer) bool { return a.Value != "" }) {
		return
	}
	for _, b := range before {
		same := b.Problem == "" && b.Mark == "" && b.ProductID == line.ProductID && b.VariantID == line.VariantID
		if same && slices.EqualFunc(b.Inputs, line.Inputs, func(x, y store.Answer) bool {
			return x.Index == y.Index && strings.EqualFold(strings.TrimSpace(x.Value), strings.TrimSpace(y.Value))
		}) {
			line.Mark, line.First = store.MarkDouble, b.Number
			return
		}
	}
}

// anew is a line of an earlier list as it can be bought today: by the item that it named then, and not by its words, which may
// mean another one by now.
func (r *reader) anew(was store.ListLine, before []store.ListLine) store.ListLine {
	line := store.ListLine{Number: was.Number, Text: was.Text, Problem: store.ProblemSoldOut}
	if p := r.product(was.ProductID); p != nil {
		answers := stillTaken(p.Inputs, was.Inputs)
		r.fillLine(&line, meant{Product: was.ProductID, Variant: was.VariantID, Quantity: was.Quantity, Answers: answers, For: was.For})
	}
	mark(&line, before)
	return line
}
