package apptest

import (
	"slices"
	"strconv"
	"strings"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
)

// PickFrom is the button that a person taps next under the orders which are offered for a purchase, who knows what the
// service has made of it: what is its, of several units one by one, else that none of them is, and then whether it was
// bought. ok is false where nothing is offered.
func PickFrom(m tgsim.Message, own []sim.Order) (key tgsim.Button, ok bool) {
	marks, marked := marksOf(own), false
	var take, word *tgsim.Button
	for _, b := range slices.Concat(m.Keyboard...) {
		a, known := screen.ParseAction(b.Data)
		switch {
		case !known || m.Deleted:
		case a.Verb == screen.VerbMark:
			its := slices.ContainsFunc(own, func(o sim.Order) bool { return offers(b.Text, o) })
			isMarked := strings.HasPrefix(b.Text, "☑️")
			if its != isMarked {
				return b, true
			}
			marked = marked || isMarked
		case a.Verb == screen.VerbTake && (marked || slices.Contains(marks, a.Arg(1))):
			take = &b
		case a.Verb == screen.VerbDecide && (a.Arg(1) == screen.DecideNone || a.Arg(1) == screen.DecideClose && len(own) > 0),
			a.Verb == screen.VerbDecide && a.Arg(1) == screen.DecideSure && len(own) == 0:
			word = &b
		}
	}
	switch {
	case take != nil:
		return *take, true
	case word != nil:
		return *word, true
	}
	return key, false
}

// offers reports whether a button names an order.
func offers(label string, o sim.Order) bool {
	return slices.ContainsFunc([]string{o.ID, strconv.FormatInt(o.Number, 10), o.TransactionID}, func(id string) bool {
		_, rest, found := strings.Cut(label, "#"+id)
		return id != "" && found && (rest == "" || rest[0] < '0' || rest[0] > '9')
	})
}

// ChoiceOf is the purchase whose orders a message offers, or about which it asks once more; "" for any other message.
func ChoiceOf(m tgsim.Message) string {
	for _, b := range slices.Concat(m.Keyboard...) {
		if a, ok := screen.ParseAction(b.Data); ok && a.Verb == screen.VerbDecide && slices.Contains(furtherWords(), a.Arg(1)) {
			return a.Arg(0)
		}
	}
	return ""
}

// furtherWords are what a person decides after a first tap under a question.
func furtherWords() []string {
	return []string{screen.DecideNone, screen.DecideClose, screen.DecideSure}
}

// marksOf is how buttons name orders: each by itself, and all of them, under either of their names.
func marksOf(orders []sim.Order) (marks []string) {
	orders = slices.SortedFunc(slices.Values(orders), func(a, b sim.Order) int { return int(b.Number - a.Number) })
	var ids, numbers []string
	for _, o := range orders {
		ids, numbers = append(ids, o.ID), append(numbers, strconv.FormatInt(o.Number, 10))
	}
	for _, names := range [][]string{ids, numbers} {
		marks = append(marks, screen.Mark(names))
		for _, name := range names {
			marks = append(marks, screen.Mark([]string{name}))
		}
		slices.Reverse(names)
		marks = append(marks, screen.Mark(names))
	}
	return marks
}
