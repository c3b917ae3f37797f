package purchase

import (
	"slices"
	"strings"
	"time"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

const (
	// codeLinesEvery is how often, and codeLinesFor for how long after its first code, an order is looked at that is of several units
	// and has not shown the codes of all.
	codeLinesEvery = time.Minute
	codeLinesFor   = 30 * time.Minute
)

// addsNoCodeLine reports whether each line of a code stands in others, in whatever order: the service may list units anew.
func addsNoCodeLine(shown []secret.Text, code secret.Text) bool {
	known := map[string]bool{}
	for _, c := range shown {
		for _, line := range codeLines(c) {
			known[line] = true
		}
	}
	return !slices.ContainsFunc(codeLines(code), func(line string) bool { return !known[line] })
}

// codeLines is the lines of a code that are not blank.
func codeLines(code secret.Text) (lines []string) {
	for line := range strings.Lines(code.Reveal()) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// growCode puts a code that has all lines of what was shown, and more, in its place: it is the same one, with lines that have come
// since. What travels in a file is kept beside it instead, for a file brings what was not there before.
func growCode(tx *store.Tx, was store.Order, o *store.Order, seen secret.Text) error {
	if was.Code.IsZero() || len(was.Later) > 0 || addsNoCodeLine(was.Codes(), seen) || !addsNoCodeLine([]secret.Text{seen}, was.Code) {
		return nil
	}
	p, err := tx.Purchase(was.Purchase)
	// Also where orders are missing, for all that is known: one of those that were named may be of those units too.
	if err != nil || len(p.OrderIDs) >= p.Quantity {
		return err
	}
	orders, err := ordersOf(tx, p)
	if err != nil {
		return err
	}
	grown := *o
	grown.Code, grown.Later = seen, nil
	for i := range orders {
		if orders[i].ID == o.ID {
			orders[i] = grown
		}
	}
	if !p.InDocument(orders) {
		*o = grown
	}
	return nil
}

// followLines goes on looking at orders of several units whose codes have fewer lines than there are units, though the service
// calls them done: the others may come within minutes.
func followLines(tx *store.Tx, p store.Purchase, at time.Time) error {
	if !p.HoldsSeveral() {
		return nil
	}
	orders, err := ordersOf(tx, p)
	if err != nil || !p.LacksLines(orders) {
		return err
	}
	for _, o := range orders {
		next := at.Add(codeLinesEvery)
		// Due is zero where the order is looked at no more, and before next where it is looked at soon enough.
		if at.Sub(o.ReadyAt) >= codeLinesFor || o.Due.IsZero() || o.Due.Before(next) {
			continue
		}
		// Not Rechecked: for such a look the poller waits until half of its budget is there (notify/poll_schedule.go), and somebody waits for
		// these lines.
		o.Due, o.Rechecked = next, false
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
	}
	return nil
}
