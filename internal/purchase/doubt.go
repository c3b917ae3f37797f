package purchase

import (
	"slices"
	"time"

	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// contradict casts doubt on what was said of a purchase: that it did not happen. Its money says otherwise.
func (e *Engine) contradict(tx *store.Tx, a *store.Account, id string) error {
	p, err := tx.Purchase(id)
	if err != nil {
		return err
	}
	now := time.Now()
	return e.doubt(tx, a, p, store.Evidence{At: now, Used: -1, Rule: store.RuleMoneyGone, Paid: true, Traced: now})
}

// doubtRefusals casts doubt on what the service refused around the time when money went of which a person says that it was for nothing of
// ours. That their money seemed to be there was told by what the person has taken back. These are dearer purchases of the hour before it, for
// as much as one costs more may have been added; and those refused since, where the price of another one that costs as much, and was on its
// way by then, has shown later: that one may have been in the money which went. So are those with which accepted purchases that no reading
// has shown cost just what went. On an account that others spend from, any that was refused so shortly before that it need not have shown by then may
// have gone together with their money.
//
// Example: 300 went, for an uncertain purchase of 300, and a purchase of 100 was accepted. One of 100 was refused, and then 100 went: for the
// one that was accepted. A person says that the 300 were something else. Then the price of that one may be in them, and the 100 are for the
// one that was refused.
func (e *Engine) doubtRefusals(tx *store.Tx, a *store.Account, taken dzd.Amount, gone time.Time) error {
	accepted, err := acceptedBy(tx, a.Wallet, gone)
	if err != nil {
		return err
	}
	for _, x := range slices.Clone(a.Wallet.Expected) {
		if !x.Denied || !x.Seen.IsZero() || !x.Disowned.Before(gone) {
			continue
		}
		held, err := mayBeInDisowned(tx, *a, x, taken, gone, accepted)
		if err == nil && held {
			err = e.doubtDenied(tx, a, x, gone)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mayBeInDisowned reports whether the price of a refused purchase may be in money that went, or be taken for another's since. accepted are the
// prices of ours that may be in that money as well.
func mayBeInDisowned(tx *store.Tx, a store.Account, x store.Expected, taken dzd.Amount, gone time.Time, accepted []cause) (bool, error) {
	since := gone.Add(-max(recall, memoryOf(a)))
	switch {
	case x.At.After(gone):
		return otherShown(tx, a.Wallet, x)
	case x.At.Before(since):
		return false, nil
	// isShared tells whether others had been seen before this debit: disown sets OutsideAt for it only behind doubtRefusals.
	case isShared(a, time.Now()) && gone.Sub(x.At) < quietTime:
		return true, nil
	}
	return x.Amount.Less(taken) || explain(taken.Sub(x.Amount), accepted).ways > 0, nil
}

// doubtDenied asks about a refused purchase. What readings alone have told of one since the money went is as doubtful.
func (e *Engine) doubtDenied(tx *store.Tx, a *store.Account, x store.Expected, gone time.Time) error {
	p, err := tx.Purchase(x.Purchase)
	if err != nil {
		return err
	}
	if byReadings := x.At.After(gone) && p.Phase == store.NotCreated && !p.Dismissed(); p.Phase != store.Rejected && !byReadings {
		return nil
	}
	return e.doubt(tx, a, p, store.Evidence{At: time.Now(), Used: -1, Rule: store.RuleUnclear})
}

// acceptedBy lists the prices that no reading has shown, of accepted purchases that were sent by a moment.
func acceptedBy(tx *store.Tx, w store.Wallet, at time.Time) (causes []cause, err error) {
	for i, x := range w.Expected {
		if x.Purchase == "" || !isUnshown(x) {
			continue
		}
		sent, err := wasSent(tx, x, at)
		if err != nil {
			return nil, err
		}
		if sent {
			causes = append(causes, cause{kind: due, amount: x.Amount, place: i})
		}
	}
	return causes, nil
}

// otherShown reports whether the price of another purchase, which costs as much and had been sent before one was refused, has shown only
// since then.
func otherShown(tx *store.Tx, w store.Wallet, x store.Expected) (bool, error) {
	for _, o := range w.Expected {
		if o.Purchase == "" || o.Purchase == x.Purchase || o.MayGo != "" || o.Denied || !o.Amount.Equal(x.Amount) || !o.Seen.After(x.At) {
			continue
		}
		if sent, err := wasSent(tx, o, x.At); sent || err != nil {
			return sent, err
		}
	}
	return false, nil
}

// doubt asks about a purchase that was said not to have happened, by what speaks against that.
func (e *Engine) doubt(tx *store.Tx, a *store.Account, p store.Purchase, kept store.Evidence) error {
	if _, err := Next(p.Phase, Doubt); err != nil {
		return nil //nolint:nilerr // it was decided otherwise meanwhile
	}
	if was := p.Evidence; was != nil { // what that look has seen is old
		// Looks goes on counting: conclude tells by it whether another look came first.
		kept.Looks, kept.Waited, kept.Late = was.Looks, was.Waited, was.Late
	}
	p.Evidence, p.LookAt = &kept, kept.At.Add(firstLook)
	tx.Then(func() {
		e.log(p).Warn("a purchase that was called not bought may have been executed", "rule", kept.Rule)
	})
	if err := e.move(tx, &p, a, Doubt, kept.Rule); err != nil {
		return err
	}
	return e.pingUncertain(tx, p, *a, 0)
}
