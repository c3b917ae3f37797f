package purchase

import (
	"errors"
	"slices"
	"time"

	"resellerbot/internal/store"
)

// askedAbout names the purchases of more than deniedLife ago of which it is still asked whether they were made: money that has gone may be the
// price of any of them.
func askedAbout(tx *store.Tx, a store.Account, now time.Time) (ids []string, err error) {
	for _, x := range a.Wallet.Expected {
		if x.MayGo != "" || !x.Denied && !x.Doubtful || now.Sub(x.At) < deniedLife {
			continue
		}
		p, err := tx.Purchase(x.Purchase)
		switch {
		case err == nil && (p.Phase == store.Unknown || p.Phase == store.Undecided):
			ids = append(ids, p.ID)
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return nil, err
		}
	}
	return ids, nil
}

// forget drops what no reading can be expected to show any more, or not to show yet, but for what is still asked about.
func forget(tx *store.Tx, a *store.Account, now time.Time) error {
	asked, err := askedAbout(tx, *a, now)
	if err != nil {
		return err
	}
	w, memory := &a.Wallet, memoryOf(*a)
	if m := w.MadeUp; m != nil && now.Sub(m.Since) >= recall {
		w.MadeUp = nil
	}
	// Of what was seen, both ages are asked: At may be the later one, for debit sets it when a purchase turns out to be bought.
	w.Expected = slices.DeleteFunc(slices.Clone(w.Expected), func(x store.Expected) bool {
		switch {
		case x.Instead != nil: // until endPrices has told what there is to tell
			return false
		case x.MayGo != "":
			return now.Sub(x.At) >= deniedLife
		case x.Denied, x.Said, x.Doubtful && !x.Seen.IsZero():
			return now.Sub(x.At) >= deniedLife && !slices.Contains(asked, x.Purchase)
		case !x.Seen.IsZero():
			return now.Sub(x.Seen) >= recall && now.Sub(x.At) >= recall
		}
		return x.Before && !x.Doubtful && now.Sub(x.At) >= memory
	})
	assumeShown(a, now, func(x store.Expected) bool { // it has to be in every reading by now, but for what may be unexplained because of it
		age := memory
		if x.Instead != nil {
			age = recall // with that price
		}
		return w.Unexplained == nil && isUnshown(x) && now.Sub(x.At) >= age
	})
	return nil
}
