package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/store"
)

const (
	repeatWithin = 10 * time.Minute // for how long the same for the same player is asked about
	mostRecent   = 500              // purchases of an account that are compared: more than its rate limit allows in that time, and some that are watched
)

// RepeatError is a tap on ✅ that has bought nothing: the same was bought for the same player since its summary
// was shown, and that has to be asked about first.
type RepeatError struct {
	Same []store.Purchase // newest first
}

// Error implements error.
func (e *RepeatError) Error() string {
	return fmt.Sprintf("purchase: the same was bought just now, %d times", len(e.Same))
}

// Repeats lists the purchases of an account, in whatever chat, that buy the same for the same player as one that
// is about to be drafted, newest first: those of the last ten minutes, and those that wait, are on the wire or
// uncertain. What is bought for nobody in particular repeats only what the service has just refused to the same person, or
// what is uncertain of theirs.
func (e *Engine) Repeats(ctx context.Context, account string, like store.Purchase) ([]store.Purchase, error) {
	a, err := e.cfg.Store.Account(ctx, account)
	if err != nil {
		return nil, fmt.Errorf("look for the same: %w", err)
	}
	same, _, err := repeats(a, like, time.Now(), func(id string) (store.Purchase, error) { return e.cfg.Store.Purchase(ctx, id) })
	return same, err
}

// unasked lists the repeats of a purchase that whoever confirms it was not told of, in the transaction that confirms it.
func unasked(tx *store.Tx, p store.Purchase, a store.Account, now time.Time) ([]store.Purchase, error) {
	same, _, err := repeats(a, p, now, tx.Purchase)
	if err != nil {
		return nil, err
	}
	// These come first, and are told even where the buyer knows the others: they were called not bought when the summary was
	// shown.
	open, err := doubtedSince(tx, p, a)
	if len(open) > 0 || err != nil {
		same = slices.DeleteFunc(same, func(q store.Purchase) bool { return isAmong(open, q) })
		return append(open, same...), err
	}
	if !slices.ContainsFunc(same, func(q store.Purchase) bool { return !slices.Contains(p.Same, q.ID) }) {
		return nil, err
	}
	return same, err
}

// isAmong reports whether a list holds a purchase.
func isAmong(list []store.Purchase, q store.Purchase) bool {
	return slices.ContainsFunc(list, func(p store.Purchase) bool { return p.ID == q.ID })
}

// doubtedSince lists the purchases of the same item that may have been bought after all, as was found out since the
// summary of this one was shown: it may have been ordered because they were said not to be.
func doubtedSince(tx *store.Tx, p store.Purchase, a store.Account) (open []store.Purchase, err error) {
	var ids []string
	for _, x := range slices.Backward(a.Wallet.Expected) {
		if x.Purchase != "" && x.Purchase != p.ID && !slices.Contains(p.Same, x.Purchase) {
			ids = append(ids, x.Purchase)
		}
	}
	// What is doubted is open: of an account that buys much, hardly one of a hundred is, and to read a purchase takes time.
	if ids, err = tx.OpenOf(ids); err != nil {
		return nil, fmt.Errorf("look for doubted purchases: %w", err)
	}
	for _, id := range ids {
		q, err := tx.Purchase(id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look for doubted purchases: %w", err)
		}
		if store.ItemOf(q) == store.ItemOf(p) && q.DoubtedAt().After(p.CreatedAt) {
			open = append(open, q)
		}
	}
	return open, nil
}

// repeated is the error about some repeats; nil where there are none.
func repeated(same []store.Purchase) error {
	if len(same) == 0 {
		return nil
	}
	return &RepeatError{Same: same}
}

// noteRepeats notes in a purchase which repeats whoever confirms it was told of.
func noteRepeats(p *store.Purchase, same []store.Purchase) {
	if len(same) == 0 {
		return
	}
	p.Same, p.SameAt = nil, same[0].QueuedAt
	for _, q := range same {
		p.Same = append(p.Same, q.ID)
	}
}

// remember notes a purchase for a player that was just confirmed, and forgets those that are old.
func remember(tx *store.Tx, p store.Purchase, a *store.Account, now time.Time) error {
	if len(p.Inputs) == 0 {
		return nil
	}
	_, kept, err := repeats(*a, p, now, tx.Purchase)
	// The oldest go first. Those that are kept are in the order in which they were confirmed.
	kept = append(kept, p.ID)
	a.Recent = kept[max(0, len(kept)-mostRecent):]
	return err
}

// repeats compares a purchase with the recent ones of its account. kept are those that may still be repeated, or turn out to have happened.
func repeats(a store.Account, like store.Purchase, now time.Time, read func(string) (store.Purchase, error)) (same []store.Purchase, kept []string, err error) {
	if len(like.Inputs) == 0 {
		same, err = openOfPerson(a, like, now, read)
		return same, a.Recent, err
	}
	for _, id := range a.Recent {
		p, err := read(id)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("look for the same: %w", err)
		}
		asks := repeatable(a, p, now)
		if asks || mayBeDoubted(p) {
			kept = append(kept, id)
		}
		if asks && id != like.ID && isSame(p, like) {
			same = append(same, p)
		}
	}
	slices.Reverse(same)
	return same, kept, nil
}

// openOfPerson lists the purchases for nobody in particular, by the same person, of the same item and quantity, of which it is not known that they
// were not charged: refused just now, or uncertain. Others buy for another customer, and another quantity is another wish; what is on the wire
// is about to be known, and who buys many codes does not wait for each.
func openOfPerson(a store.Account, like store.Purchase, now time.Time, read func(string) (store.Purchase, error)) (open []store.Purchase, err error) {
	for _, x := range slices.Backward(a.Wallet.Expected) {
		if !x.Denied && !x.Doubtful {
			continue
		}
		p, err := read(x.Purchase)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look for open purchases: %w", err)
		}
		asked := p.ID != like.ID && p.User == like.User && p.Chat == like.Chat && p.Quantity == like.Quantity && isSame(p, like)
		if asked && p.Phase != store.Queued && p.Phase != store.Submitting && repeatable(a, p, now) {
			open = append(open, p)
		}
	}
	return open, nil
}

// repeatable reports whether buying the same once more is worth a question: it may have cost money, and is young
// or undecided. What the service refused may have been executed until a look shows that its money is there, as 🔁 is held until then.
func repeatable(a store.Account, p store.Purchase, now time.Time) bool {
	switch p.Phase {
	case store.Rejected:
		return waitsForMoney(p) && !showsIntact(p, p.AnsweredAt.Add(fresh(a, p)))
	case store.Queued, store.Submitting, store.Unknown, store.Undecided:
		return true
	case store.Accepted, store.Settled:
		return now.Sub(p.QueuedAt) < repeatWithin
	}
	return false
}

// mayBeDoubted reports whether a purchase that was said not to have happened is watched still: it may turn out to have.
func mayBeDoubted(p store.Purchase) bool {
	return (p.Phase == store.Rejected || p.Phase == store.NotCreated) && !p.LookAt.IsZero()
}

// isSame reports whether two purchases buy one item for one player, or with the same answers.
func isSame(p, q store.Purchase) bool {
	if p.ProductID != q.ProductID || p.VariantID != q.VariantID {
		return false
	}
	if a, b := p.Player, q.Player; a != nil && b != nil && a.ID != "" && a.Game == b.Game && sameText(a.ID, b.ID) {
		return true
	}
	return slices.EqualFunc(p.Inputs, q.Inputs, func(a, b store.Answer) bool { return a.Index == b.Index && sameText(a.Value, b.Value) })
}

// sameText compares answers as whoever is meant by them would.
func sameText(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }
