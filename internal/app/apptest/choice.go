package apptest

import (
	"slices"
	"strconv"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
	"resellerbot/internal/screen"
)

// PickFrom is the button that a person taps under the orders which are offered for a purchase, who knows what the
// service has made of it: what is its, else that none of them is, and then whether it was bought. ok is false where
// nothing is offered.
func PickFrom(m tgsim.Message, own []sim.Order) (key tgsim.Button, ok bool) {
	marks := marksOf(own)
	for _, b := range slices.Concat(m.Keyboard...) {
		a, known := screen.ParseAction(b.Data)
		switch {
		case !known || m.Deleted:
		case a.Verb == screen.VerbTake && slices.Contains(marks, a.Arg(1)):
			return b, true
		case a.Verb == screen.VerbDecide && (a.Arg(1) == screen.DecideNone || a.Arg(1) == screen.DecideClose && len(own) > 0),
			a.Verb == screen.VerbDecide && a.Arg(1) == screen.DecideSure && len(own) == 0:
			key, ok = b, true
		}
	}
	return key, ok
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
