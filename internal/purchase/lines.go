package purchase

import (
	"strings"
	"time"

	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

const (
	// linesEvery is how often, and linesFor for how long after its first code, an order is looked at that is of several units
	// and has not shown the codes of all.
	linesEvery = time.Minute
	linesFor   = 30 * time.Minute
)

// growCode puts a code that goes on behind what was shown of it in its place: it is the same one, with lines that have come
// since. What travels in a file is kept beside it instead, for a file brings what was not there before.
func growCode(tx *store.Tx, was store.Order, o *store.Order, seen secret.Text) error {
	if was.Code.IsZero() || len(was.Later) > 0 || !strings.HasPrefix(seen.Reveal(), was.Code.Reveal()+"\n") {
		return nil
	}
	p, err := tx.Purchase(was.Purchase)
	if err != nil || !p.HoldsSeveral() {
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
		next := at.Add(linesEvery)
		if at.Sub(o.ReadyAt) >= linesFor || o.Due.IsZero() || o.Due.Before(next) {
			continue
		}
		o.Due, o.Rechecked = next, false
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
	}
	return nil
}
