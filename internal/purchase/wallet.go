package purchase

import (
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

const (
	mostExpected = 200            // changes of a wallet that are kept in mind
	deniedLife   = 26 * time.Hour // how long one that was said not to have happened may show after all
	mostSuspects = 5              // purchases that are named where money went
)

// expect writes down that a purchase may be taken out of the wallet from now on.
func expect(a *store.Account, p store.Purchase, at time.Time) {
	a.Wallet.Expected = newest(append(slices.Clone(a.Wallet.Expected), store.Expected{
		At: at, Amount: dzd.Amount{}.Sub(p.Total), Purchase: p.ID, Doubtful: true, Before: !a.Wallet.Read,
	}))
}

// newest is the expected changes that are kept in mind: there may be no reading for long that shows any. Where they are too many, those of the
// lowest rank go first, the oldest of them first. The last one stays unless it may go beside: it is expected just now.
func newest(list []store.Expected) []store.Expected {
	for rank := range keptRank {
		last := len(list) - 1
		var kept []store.Expected
		for i, x := range list {
			stays := rankOf(x) != rank || rank > besideRank && i == last
			if len(kept)+len(list)-i <= mostExpected || stays {
				kept = append(kept, x)
			}
		}
		list = kept
	}
	return list
}

// How long an expected change is kept in mind among too many: what readings have to show stays longer than what may go beside, and what they
// have not shown yet longer than what they have.
const (
	besideRank  = iota // it may go beside (MayGo)
	shownRank          // it has shown, and it is known what for
	deniedRank         // it was said not to have happened, and has not shown
	awaitedRank        // a reading has to show it, or may
	keptRank           // people are asked about it, or the balance is asked its price until they are told
)

// rankOf is how long an expected change is kept in mind.
func rankOf(x store.Expected) int {
	shown, uncertain := !x.Seen.IsZero(), x.Doubtful || x.Denied
	switch {
	case x.MayGo != "":
		return besideRank
	case x.Instead != nil, shown && uncertain:
		return keptRank
	case shown:
		return shownRank
	case x.Denied:
		return deniedRank
	}
	return awaitedRank
}

// expected finds what is expected of a purchase; -1 where nothing is.
func expected(w store.Wallet, purchase string) int {
	return slices.IndexFunc(w.Expected, func(x store.Expected) bool { return x.Purchase == purchase && x.MayGo == "" })
}

// ensureExpected finds what is expected of a purchase. Where it is too long ago to know whether its price has shown, that
// is expected anew.
func ensureExpected(a *store.Account, p store.Purchase, at time.Time) int {
	i := expected(a.Wallet, p.ID)
	if i < 0 {
		expect(a, p, at)
		i = expected(a.Wallet, p.ID)
		// Its price may have shown before it was forgotten: then no reading shows it again.
		a.Wallet.Expected[i].Before = true
	}
	return i
}

// isOver reports whether a purchase was said not to have happened so long ago that its price shows no more. It may be kept for who is asked
// about it.
func isOver(x store.Expected, at time.Time) bool { return x.Denied && at.Sub(x.At) >= deniedLife }

// deny notes that a purchase was said not to have happened. Its price may go all the same, and is known then.
func deny(a *store.Account, purchase string) {
	if i := expected(a.Wallet, purchase); i >= 0 {
		a.Wallet.Expected[i].Doubtful, a.Wallet.Expected[i].Denied = false, true
	}
}

// unrecord takes back what was booked as moved from outside, where it was the price of a purchase that was uncertain.
func unrecord(tx *store.Tx, a *store.Account, p store.Purchase, at time.Time) error {
	found, err := reverseOutside(tx, a, p, a.Wallet.Expected[expected(a.Wallet, p.ID)].Amount, at)
	if err != nil || !found {
		return err
	}
	// Found anew: reverseOutside has deleted from Expected, so that every place behind it is another one's.
	x := &a.Wallet.Expected[expected(a.Wallet, p.ID)]
	x.Seen, x.Learn = at, false
	return nil
}

// reverseOutside takes back that an amount was moved from outside after a purchase was sent: the purchase explains it. found
// is false where no such amount was booked.
func reverseOutside(tx *store.Tx, a *store.Account, p store.Purchase, amount dzd.Amount, at time.Time) (found bool, err error) {
	i := movedOutside(a.Wallet, p, amount)
	if i < 0 {
		return false, nil
	}
	// Refunds that counted on this money as an inflow lose it again.
	if amount.Sign() > 0 {
		if err := noteInflow(tx, a, dzd.Amount{}.Sub(amount), a.Wallet.Expected[i].Seen); err != nil {
			return false, err
		}
	}
	a.Wallet.Available = a.Wallet.Available.Sub(amount)
	a.Wallet.Expected = slices.Delete(slices.Clone(a.Wallet.Expected), i, i+1)
	return true, record(tx, a, store.Movement{
		At: at, Kind: store.Corrected, Amount: dzd.Amount{}.Sub(amount), Balance: a.Wallet.Available, Purchase: p.ID,
	})
}

// movedOutside finds an amount that was booked as moved from outside after a purchase was sent; -1 where there is none.
func movedOutside(w store.Wallet, p store.Purchase, amount dzd.Amount) int {
	if p.SentAt.IsZero() {
		return -1
	}
	return slices.IndexFunc(w.Expected, func(x store.Expected) bool {
		return x.Purchase == "" && x.Amount.Equal(amount) && !x.At.Before(p.SentAt) && !x.Seen.IsZero()
	})
}

// disown notes that a person has looked at what spoke for a purchase, and that it was something else: the orders
// that fit are not its own, and the money that went was another's. Where another purchase of ours may have taken it,
// that one is asked about next, unless a person has said of it what is said here since that money went. It may be
// executed later all the same.
func (e *Engine) disown(tx *store.Tx, p *store.Purchase, a *store.Account) error {
	if p.Evidence != nil {
		// They count as held by the list before it was sent: no later look takes them for its own (wasThere).
		p.Before.Rows = slices.Concat(p.Before.Rows, rowIDs(p.Evidence.Rows), rowIDs(p.Evidence.Beside))
	}
	i, now := expected(a.Wallet, p.ID), time.Now()
	if i < 0 {
		return nil
	}
	// Disowned is set also where no price was seen: of what the wallet cannot explain yet, the person has said as well that it is something
	// else (evidence.judgeCharge).
	x := &a.Wallet.Expected[i]
	gone, taken := x.Seen, x.Amount
	x.Disowned = now
	if gone.IsZero() {
		return nil
	}
	// The price is expected again from now on: money that went before was something else.
	x.Seen, x.Denied, x.Doubtful, x.At = time.Time{}, true, false, now
	other, left, err := handOn(tx, &a.Wallet, taken, gone)
	if err != nil {
		return err
	}
	// Nobody else of ours: somebody outside took it, and the account is used by others.
	if other < 0 {
		err := record(tx, a, store.Movement{At: now, Kind: store.Outside, Amount: taken, Balance: a.Wallet.Available})
		err = errors.Join(err, e.doubtRefusals(tx, a, taken, gone))
		a.OutsideAt = now // behind doubtRefusals, which asks whether others had been seen before
		return err
	}
	// The money is the other one's from now on. Nothing is booked here: Available holds it since it showed.
	o := &a.Wallet.Expected[other]
	late := o.Denied
	o.Seen, o.Before = left, false
	if o.Said {
		return recordSaid(tx, a, other, now)
	}
	if late {
		return e.contradict(tx, a, o.Purchase)
	}
	return nil
}

// handOn finds the purchase, of which it is not known whether it was bought, that money may have gone for which went at a moment, and was for
// nothing that it was taken for; -1 where there is none. Of alike purchases the oldest was taken to have paid, so what went may be the price
// of one that has been given later money: then that is handed on in turn. It returns when the money went that is left for the one it finds.
//
// Example: three purchases of 100 are uncertain. 100 went before the third was sent, for the first, and 100 behind it, for the second. The first
// was not made: its 100 are the second one's, whose are the third one's.
func handOn(tx *store.Tx, w *store.Wallet, amount dzd.Amount, gone time.Time) (found int, left time.Time, err error) {
	list := slices.Clone(w.Expected)
	for left = gone; ; {
		later := -1
		for i, o := range list {
			if !o.Denied && !o.Doubtful || o.MayGo != "" || !o.Seen.IsZero() && !o.Seen.After(left) || !o.Disowned.Before(left) || !o.Amount.Equal(amount) {
				continue
			}
			sent, err := wasSent(tx, o, left)
			switch {
			case err != nil:
				return -1, gone, err
			case sent && o.Seen.IsZero():
				w.Expected = list
				return i, left, nil
			case sent && later < 0:
				later = i
			}
		}
		if later < 0 {
			return -1, gone, nil
		}
		left, list[later].Seen = list[later].Seen, left
	}
}

// forgo notes that nothing can come of a purchase: no byte of it was sent.
func forgo(a *store.Account, purchase string) {
	a.Wallet.Expected = slices.DeleteFunc(slices.Clone(a.Wallet.Expected), func(x store.Expected) bool { return x.Purchase == purchase })
}

// noteReading notes what a reading shows, and whether that is above the one before. What is left over because a price never showed is no money that came.
func noteReading(w *store.Wallet, r reading) {
	if w.Read && w.Shown != nil && w.Shown.Less(r.available) {
		w.RoseAt = r.at
	}
	w.Shown = &r.available
}

// debit takes an accepted purchase out of the wallet. list is what its orders will teach of a list; empty for
// nothing.
func debit(tx *store.Tx, a *store.Account, p store.Purchase, learn bool, list string, at time.Time) error {
	// Money that went before the answer has several stories, asked from the surest on: a reading took it for this purchase (Seen), for
	// another uncertain one (handOver), or for something from outside (unrecord). In all of them Available holds it already. Else the price
	// is taken out of Available now, though no reading shows it. One that may be in the first reading (Before) is not: show does that.
	i := ensureExpected(a, p, at)
	shown := !a.Wallet.Expected[i].Seen.IsZero() || handOver(a, p)
	x := &a.Wallet.Expected[i]
	x.Doubtful, x.Denied, x.At = false, false, at
	x.Learn, x.List = learn && !shown && !x.Before, list
	if !shown && !x.Before {
		if err := unrecord(tx, a, p, at); err != nil {
			return err
		}
		// reverseOutside has put the money from outside back into Available, so that the price is taken out once in either case.
		x = &a.Wallet.Expected[expected(a.Wallet, p.ID)]
		a.Wallet.Available = a.Wallet.Available.Add(x.Amount)
	}
	a.LookAt = nextLook(*a, at)
	return record(tx, a, store.Movement{At: at, Kind: store.Bought, Amount: x.Amount, Balance: a.Wallet.Available, Purchase: p.ID})
}

// undebit takes back that a purchase was bought: it is uncertain again. Its price stays gone where a reading has shown that.
func undebit(tx *store.Tx, a *store.Account, p store.Purchase, at time.Time) error {
	// Available gets back what debit has taken out of it and no reading shows. The movement is written in any case: the purchase is
	// uncertain again, and the sum of the movements must not hold it as bought.
	i := ensureExpected(a, p, at)
	x := &a.Wallet.Expected[i]
	back := dzd.Amount{}.Sub(x.Amount)
	if x.Seen.IsZero() && !x.Before {
		a.Wallet.Available = a.Wallet.Available.Add(back)
	}
	x.Doubtful, x.Learn, x.List, x.Instead, x.Earlier = true, false, "", nil, nil
	return record(tx, a, store.Movement{At: at, Kind: store.Corrected, Amount: back, Balance: a.Wallet.Available, Purchase: p.ID})
}

// believe takes a person's word that a purchase was bought. Its price is booked where it is known to have gone, else
// once a reading shows it: a word moves no money.
//
// Said goes with Doubtful: readings are not expected to show the price, and explain themselves by it where they do.
func believe(tx *store.Tx, a *store.Account, p store.Purchase, at time.Time) error {
	i := ensureExpected(a, p, at)
	x := &a.Wallet.Expected[i]
	if !x.Seen.IsZero() || mistakenFor(a.Wallet, p) >= 0 || !x.Before && movedOutside(a.Wallet, p, x.Amount) >= 0 {
		return debit(tx, a, p, false, "", at)
	}
	x.Said, x.Doubtful, x.Denied, x.Learn, x.At = true, true, false, false, at
	return nil
}

// recordSaid records the price of a purchase that a person said was bought, now that a reading shows it.
func recordSaid(tx *store.Tx, a *store.Account, i int, at time.Time) error {
	x := &a.Wallet.Expected[i]
	x.Said, x.Doubtful, x.At = false, false, at
	return record(tx, a, store.Movement{At: at, Kind: store.Bought, Amount: x.Amount, Balance: a.Wallet.Available, Purchase: x.Purchase})
}

// handOver makes money that went the price of a purchase that is known to have been bought, where it was taken for that
// of another of which that is not known. done is false where there is none.
//
// Only Seen changes hands. Available holds the money in either case, for both cost the same.
func handOver(a *store.Account, p store.Purchase) (done bool) {
	i, other := expected(a.Wallet, p.ID), mistakenFor(a.Wallet, p)
	if other < 0 {
		return false
	}
	a.Wallet.Expected[i].Seen, a.Wallet.Expected[other].Seen = a.Wallet.Expected[other].Seen, time.Time{}
	return true
}

// mistakenFor finds the purchase, of which it is not known whether it was bought, that money was taken for the price of
// which may be this one's; -1 where there is none.
func mistakenFor(w store.Wallet, p store.Purchase) int {
	if p.SentAt.IsZero() {
		return -1
	}
	amount := w.Expected[expected(w, p.ID)].Amount
	return slices.IndexFunc(w.Expected, func(x store.Expected) bool {
		return (x.Doubtful || x.Denied) && x.Purchase != p.ID && x.Seen.After(p.SentAt) && x.Amount.Equal(amount)
	})
}

// record writes a change of the wallet down, and whether what is left after it is known.
func record(tx *store.Tx, a *store.Account, m store.Movement) error {
	m.Guessed = !a.Wallet.Read || isUnaccounted(a.Wallet)
	return tx.AddMovement(a, m)
}

// correct writes down that a purchase cost something else than was taken for its price.
func (e *Engine) correct(tx *store.Tx, a *store.Account, p store.Purchase, amount dzd.Amount, at time.Time) error {
	a.Wallet.Available = a.Wallet.Available.Add(amount)
	return record(tx, a, store.Movement{At: at, Kind: store.Corrected, Amount: amount, Balance: a.Wallet.Available, Purchase: p.ID})
}
