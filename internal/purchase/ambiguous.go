package purchase

import (
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// What explains a reading may still be something else: money from outside that hides a price, a reading that is older than the last,
// or a refund of what was not taken yet. These tell when that is so.

// isOurs reports whether purchases explain a change, so that all that is not known of it is which of them: those that were
// accepted will be in each reading soon, and leave the rest to the others.
func isOurs(w store.Wallet, change dzd.Amount, causes []cause) bool {
	return !hasRisen(w) && explain(change, oursOf(causes)).ways > 0
}

// mayOutlast reports whether money that came from outside and had stood may be there still, beside more purchases of ours than a
// change shows without it.
//
// Example: 200 that nothing explains have come and stand, and the price of a purchase of 200 has not shown. The next reading shows no
// change at all: the 200 are gone again, or they are there still and the price went.
func mayOutlast(w store.Wallet, change dzd.Amount, causes []cause) bool {
	return w.Unexplained != nil && w.Unexplained.Amount.Sign() > 0 && explain(change.Sub(w.Unexplained.Amount), oursOf(causes)).ways > 0
}

// mayHold reports whether what stands without an explanation may hold the price of a purchase that an explanation takes: of one that was sent
// before what stands last grew (Changed). What the explanation takes for that price may then be the price of another.
//
// Example: 100 are taken and stand. 100 are bought, others take 100 more, and 300 are gone with one reading. Of the 200 that came with it,
// 100 may be the price of what was bought, though it was sent behind the first 100.
func mayHold(tx *store.Tx, w store.Wallet, x explanation) (bool, error) {
	last := w.Unexplained.Since
	if w.Unexplained.Changed.After(last) {
		last = w.Unexplained.Changed
	}
	for _, c := range x.chosen {
		if c.kind != due {
			continue
		}
		if sent, err := wasSent(tx, w.Expected[c.place], last); sent || err != nil {
			return sent, err
		}
	}
	return false, nil
}

// laterFirst sorts causes so that, of alike prices, those of purchases that were sent behind a moment come first. What has stood since that
// moment may hold the price of one that was sent by then, and none of a later one: that is what a step since then shows.
//
// Example: 100 are bought, 23 are taken, and a reading shows both: 123 stand. 100 are bought again, and 100 more go: those are of the second
// purchase. Of the first one they would make a theft of 123.
func laterFirst(tx *store.Tx, w store.Wallet, causes []cause, since time.Time) ([]cause, error) {
	var later, rest []cause
	for _, c := range causes {
		sent := true
		if c.kind == due {
			var err error
			if sent, err = wasSent(tx, w.Expected[c.place], since); err != nil {
				return nil, err
			}
		}
		if sent {
			rest = append(rest, c)
		} else {
			later = append(later, c)
		}
	}
	return append(later, rest...), nil
}

// oursOf lists the causes that are purchases of ours whose prices no reading has shown.
func oursOf(causes []cause) []cause {
	return slices.DeleteFunc(slices.Clone(causes), func(c cause) bool { return c.kind != due && c.kind != doubted })
}

// hasRisen reports whether a reading was above the one before since readings are explained in more than one way.
func hasRisen(w store.Wallet) bool {
	since := w.Unsettled
	if since.IsZero() {
		since = w.At
	}
	return !w.RoseAt.Before(since)
}

// early reports whether an explanation has money come back that was not gone yet: what came is no refund, for the price
// of its purchase has still to show.
//
// Example: a purchase of 300 has failed, and its price never showed: a rise of 300 is not its refund. The refund counts only in an
// explanation that takes the price as well, for both may have happened between two readings.
func early(w store.Wallet, x explanation, waiting []store.Order) bool {
	return slices.ContainsFunc(x.chosen, func(c cause) bool {
		if c.kind != refund {
			return false
		}
		o := waiting[slices.IndexFunc(waiting, func(o store.Order) bool { return o.ID == c.order })]
		i := expected(w, o.Purchase)
		return i >= 0 && isUnshown(w.Expected[i]) && !slices.ContainsFunc(x.chosen, func(c cause) bool { return c.kind == due && c.place == i })
	})
}

// older reports whether a change that refunds explain may be no refund: a reading that is from before what has shown
// lately explains it too. Once no reading can be so old, it is the refund.
//
// Example: a price of 300 has shown 5 minutes ago, a refund of 300 is awaited, and the balance rises by 300. It may be the refund, or a
// reading from before the price. Once the price has shown for memoryOf, only the refund is left.
func older(a store.Account, x explanation, change dzd.Amount, r reading) bool {
	return x.has(refund) && mayBeOld(a, change, r)
}

// mayBeOld reports whether a reading that is from before what has shown lately explains a change.
func mayBeOld(a store.Account, change dzd.Amount, r reading) bool {
	return explain(change, causesOf(a.Wallet, "", r.at, memoryOf(a))).ways > 0
}

// clearsAfter is for how long a change has to stand that more than one thing explains, or an older reading. Money that
// was seen to come, and that only a reading explains which is older than any should be, is told sooner.
func clearsAfter(a store.Account, x explanation, change dzd.Amount, r reading) time.Duration {
	rose := change.Sign() > 0 && !a.Wallet.RoseAt.Before(a.Wallet.Unsettled)
	if rose && x.has(olderReading) && !mayBeOld(a, change, r) {
		return min(recall, memoryOf(a))
	}
	return recall
}

// movedAway reports whether a reading has moved a little away from one that holds refunds, for all that is known: of orders which were still
// waited for by then, or for which an older reading may have been taken. A fresh reading behind one that was too old loses all of what that
// one had too much, so what has moved has to be less than half of the refunds where it is a loss. What takes an older reading, whatever else
// is in it, holds no refund: it is gone with the next one.
//
// Example: an order of 300 is still waited for, and a reading has shown 300 too much, which may be its refund. The next one shows 250 too much:
// it has moved by -50, and the 50 are looked at by themselves. Had it shown 100 too much, it would have lost more than half of the refund
// (-200), as behind a reading that was too old.
func movedAway(w store.Wallet, change dzd.Amount, causes []cause, r reading) bool {
	before := change.Sub(r.moved)
	explained := likeliest(before, slices.DeleteFunc(slices.Clone(causes), func(c cause) bool { return c.kind == olderReading }))
	if r.moved.IsZero() || w.Open != nil && !w.Open.Amount.Equal(before) || w.Open == nil && explained.ways != 1 {
		return false
	}
	var back dzd.Amount
	for _, c := range explained.chosen {
		if c.kind == possibleRefund || c.kind == refund {
			back = back.Add(c.amount)
		}
	}
	return back.Sign() > 0 && (r.moved.Sign() > 0 || r.moved.Add(r.moved).Add(back).Sign() > 0)
}

// hasStood reports whether enough readings in a row have shown the same.
func hasStood(s *store.StandingChange) bool {
	return s != nil && s.Looks >= leastLooks && s.Stood.Equal(s.Amount)
}

// standApart has a change stand for which there is no explanation but a reading that is too old, where the next reading has moved away from it
// by a refund alone: had that one been too old, this one would have moved by more.
func standApart(w *store.Wallet, change dzd.Amount, causes []cause, r reading) {
	if w.Open != nil && w.Open.Amount.Equal(change.Sub(r.moved)) && likeliest(r.moved, causes).has(refund) {
		w.Unexplained, w.Open, w.Unsettled = w.Open, nil, time.Time{}
	}
}

// isBesideRefund reports whether a change is a refund beside one that stands without an explanation.
func isBesideRefund(w store.Wallet, change dzd.Amount, causes []cause) bool {
	return w.Unexplained != nil && !w.Unexplained.Amount.Equal(change) && likeliest(change.Sub(w.Unexplained.Amount), causes).has(refund)
}

// noteMadeUp notes that a refund may have made up for money that was gone without an explanation: the balance is what it has to be again, and
// has risen by just what was gone. It has to be asked before what stands is cleared.
func noteMadeUp(w *store.Wallet, r reading) {
	if s := w.Unexplained; hasStood(s) && s.Amount.Sign() < 0 && r.moved.Add(s.Amount).IsZero() {
		w.MadeUp = &store.StandingChange{Since: r.at, Amount: r.moved}
	}
}

// isRefund reports whether what has moved by itself is a refund: it was awaited, its price had gone, and no older reading would show the
// same. Where that is so of what has made up for other money, nobody can tell whether the refund came, or whether that was given back.
func isRefund(a store.Account, moved dzd.Amount, causes []cause, waiting []store.Order, r reading) bool {
	step := likeliest(moved, causes)
	return step.only() && step.has(refund) && !early(a.Wallet, step, waiting) && !older(a, step, moved, r)
}

// laterThan reports whether a change that stands is explained by purchases that were sent after it had shown: it is not
// theirs, and their prices have still to show beside it.
func laterThan(tx *store.Tx, w store.Wallet, x explanation, change dzd.Amount) (bool, error) {
	for _, c := range x.chosen {
		if c.kind != due && c.kind != doubted && c.kind != denied {
			continue
		}
		if later, err := isLater(tx, w, c.place, change); err != nil || later {
			return later, err
		}
	}
	return false, nil
}

// isLater reports whether a change that stands had shown before an expected change was sent, at whatever price.
func isLater(tx *store.Tx, w store.Wallet, place int, change dzd.Amount) (bool, error) {
	s := w.Unexplained
	if s == nil || !change.Equal(s.Amount) {
		return false, nil
	}
	p, err := tx.Purchase(w.Expected[place].Purchase)
	return err == nil && p.SentAt.After(s.Since), err
}
