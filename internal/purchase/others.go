package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// What other purchases of ours have moved beside an uncertain one, and what of that may have been its own.

// partlyNamed lists by how much less other purchases may have cost than was charged for them while this one's price may have gone, by those of
// their orders that are known: the rest are missing, and may not have been sold. Then what was charged for those may be the price of this one.
func (v *evidence) partlyNamed(ctx context.Context) (out []cause, err error) {
	if v.of.Phase == store.Rejected { // the service has said that it sold nothing, and this says nothing else
		return nil, nil
	}
	list, err := v.movements(ctx, v.of.SentAt.Add(-memoryOf(v.account)))
	if err != nil {
		return nil, err
	}
	others, err := v.othersOf(ctx, list)
	if err != nil {
		return nil, err
	}
	for _, p := range others {
		if !p.MissesPaid() {
			continue
		}
		orders, err := v.engine.cfg.Store.OrdersOf(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("read what orders cost: %w", err)
		}
		if cost := priceOf(orders, p); !cost.IsZero() {
			out = append(out, cause{kind: due, amount: p.Cost().Sub(cost)})
		}
	}
	return out, nil
}

// gatherOthers reads what other purchases of ours, and refunds, have done since the balance was read before this one: by how much they have
// changed it, by how many units they may have moved the usage, and whether all that was read then is explained by now.
func (v *evidence) gatherOthers(ctx context.Context) error {
	before := v.of.Before.At
	list, err := v.movements(ctx, before.Add(-quietTime)) // the usage may be late for what was bought just before
	if err != nil {
		return err
	}
	var late dzd.Amount
	for _, x := range v.account.Wallet.Expected {
		if isAccepted(x) && x.Purchase != v.of.ID && !x.Before && !x.At.After(before) && (x.Seen.IsZero() || x.Seen.After(before)) {
			late = late.Add(x.Amount)
		}
	}
	if late.Less(v.kept.Late) { // which is what the last look has told: the wallet may have forgotten some of it
		v.kept.Late = late
	}
	v.kept.Others = v.kept.Late
	var moved dzd.Amount // by all of them
	for _, m := range list {
		if !m.Since().After(before) {
			continue // it was in that already
		}
		moved = moved.Add(m.Amount)
		if m.Purchase != "" && m.Purchase != v.of.ID {
			v.kept.Others = v.kept.Others.Add(m.Amount)
		}
	}
	v.explained = v.of.Before.Explained || explainedSince(v.account.Wallet, v.of.Before, moved)
	return v.countUnits(ctx, list)
}

// countUnits notes by how many units other purchases of ours, of some movements, may have moved the usage.
func (v *evidence) countUnits(ctx context.Context, list []store.Movement) error {
	if v.kept.Used <= v.of.Before.Used {
		return nil // it has not moved
	}
	others, err := v.othersOf(ctx, list)
	if err != nil {
		return err
	}
	alike := slices.DeleteFunc(others, func(p store.Purchase) bool { return store.ItemOf(p) != store.ItemOf(v.of) })
	v.ours = unitsOfOurs(v.of.Before.Used, alike)
	return nil
}

// othersOf reads the other purchases of ours that some movements are of, each once.
func (v *evidence) othersOf(ctx context.Context, list []store.Movement) (others []store.Purchase, err error) {
	read := map[string]bool{"": true, v.of.ID: true}
	for _, m := range list {
		if read[m.Purchase] {
			continue
		}
		read[m.Purchase] = true
		p, err := v.engine.cfg.Store.Purchase(ctx, m.Purchase)
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return nil, fmt.Errorf("read what else was bought: %w", err)
		default:
			others = append(others, p)
		}
	}
	return others, nil
}

// unitsOfOurs is by how many units purchases of ours may have moved the usage from what it was: none that was sent when it had moved by
// more than those before it.
func unitsOfOurs(used int, others []store.Purchase) (n int) {
	slices.SortFunc(others, func(a, b store.Purchase) int { return a.SentAt.Compare(b.SentAt) })
	for _, p := range others {
		if p.Before.Used > used+n {
			break
		}
		n += p.Quantity
	}
	return n
}

// explainedSince reports whether a reading that could not be explained when a purchase was sent is by now: what has moved since then makes the
// balance of it what it is today. moved is that, of all movements.
//
// Example: an order failed, and 100 came. That may have been an older reading, until it had stood; then a refund of 100 was booked, of before.
func explainedSince(w store.Wallet, before store.Snapshot, moved dzd.Amount) bool {
	if !before.Known || isUnaccounted(w) {
		return false
	}
	then := w.Available.Sub(moved)
	for _, x := range w.Expected {
		accepted := x.MayGo == "" && !x.Doubtful && !x.Denied && !x.Before
		if unshown := x.Seen.IsZero() || x.Seen.After(before.At); accepted && unshown && !x.At.After(before.At) {
			then = then.Sub(x.Amount)
		}
	}
	return then.Equal(before.Available)
}

// takenForOthers lists money that has gone since this purchase was sent, and was taken for others of which it is not known either whether they were
// bought: it may be the price of this one. Within memoryOf, causesOf lists it as what an older reading does not show.
func (v *evidence) takenForOthers(w store.Wallet) (out []cause) {
	if v.of.Phase == store.Rejected { // as in partlyNamed
		return nil
	}
	for i, x := range w.Expected {
		uncertain := x.Purchase != "" && x.Purchase != v.of.ID && x.MayGo == "" && (x.Doubtful || x.Denied)
		if uncertain && x.Seen.After(v.of.SentAt) && v.now.Sub(x.Seen) >= memoryOf(v.account) {
			out = append(out, cause{kind: doubted, amount: dzd.Amount{}.Sub(x.Amount), place: i})
		}
	}
	return out
}
