package purchase

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

const (
	// The texts status.refund_unseen and refund.unseen name these 7 days.
	refundLife = followFor // then it is looked for no more, nor is its order looked at
)

// records is where orders and purchases are read: a transaction that changes them, or the store beside any.
type records interface {
	Order(account, id string) (store.Order, error)
	Purchase(id string) (store.Purchase, error)
}

// stored is records as they are in the store.
type stored struct {
	ctx   context.Context //nolint:containedctx // of the one call that it is made for
	store *store.Store
}

func (s stored) Order(account, id string) (store.Order, error) {
	return s.store.Order(s.ctx, account, id)
}

func (s stored) Purchase(id string) (store.Purchase, error) { return s.store.Purchase(s.ctx, id) }

// refundsOf reads the orders of an account whose money may come back at any time, with what each has cost.
func refundsOf(from records, a store.Account) (waiting []store.Order, amounts []dzd.Amount, err error) {
	for _, id := range a.Refunds {
		o, err := from.Order(a.ID, id)
		if err != nil {
			return nil, nil, err
		}
		p, err := from.Purchase(o.Purchase)
		if err != nil {
			return nil, nil, err
		}
		waiting, amounts = append(waiting, o), append(amounts, p.PaidFor(o))
	}
	return waiting, amounts, nil
}

// noteInflow notes money that came from outside at a moment: refunds that were awaited then may be in it, where the balance may have
// risen since. A negative amount is money that has turned out to be something else.
func noteInflow(tx *store.Tx, a *store.Account, amount dzd.Amount, at time.Time) error {
	waiting, amounts, err := refundsOf(tx, *a)
	if err != nil {
		return err
	}
	for i, o := range waiting {
		// Money that came before the order failed is no refund of it, and neither is what came while the balance cannot have risen.
		if !o.Refund.Awaited() || at.Before(o.ReadyAt) || o.Came.Sum.Add(amount).Sign() < 0 {
			continue
		}
		rose, err := mayHaveRisen(tx, a.Wallet, o, amounts[i])
		if err != nil {
			return err
		}
		if !rose {
			continue
		}
		o.Came.Sum, o.Came.Left = o.Came.Sum.Add(amount), o.Came.Left.Add(amount)
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
		a.RefundAt = time.Time{} // people are told with the next look
		// Nobody was told yet that it is missing, so there is no message to mend.
		if o.Refund == store.RefundWaiting {
			continue
		}
		p, err := tx.Purchase(o.Purchase)
		if err != nil {
			return err
		}
		if err := showAnew(tx, p); err != nil { // it may be a part of what they miss
			return err
		}
	}
	return nil
}

// inflowBefore is what has come to an account from outside since a look last showed orders as delivered that are called failed now: such orders
// are looked at hours apart, and the refund may have come long before the look that shows why.
func (e *Engine) inflowBefore(ctx context.Context, account string, seen []api.Order) (map[string]dzd.Amount, error) {
	inflow := map[string]dzd.Amount{}
	var moved []store.Movement
	for _, o := range seen {
		if o.Stage() != api.Broken {
			continue
		}
		was, err := e.cfg.Store.Order(ctx, account, o.ID)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		case was.State != store.Ready && was.State != store.Completed:
			continue
		case moved == nil:
			// The newest alone: what came behind that many movements is not counted, and its refund is called missing rather than likely.
			if moved, err = e.cfg.Store.Movements(ctx, account, mostExpected); err != nil {
				return nil, err
			}
		}
		since := was.SeenAt.Add(-quietTime) // a look that showed it delivered may have been so late
		for _, m := range moved {
			if m.Kind == store.Outside && m.Amount.Sign() > 0 && m.Since().After(was.ReadyAt) && m.Since().After(since) {
				inflow[o.ID] = inflow[o.ID].Add(m.Amount)
			}
		}
	}
	return inflow, nil
}

// isUnseenPrice reports whether an expected change is that the price of an order's own purchase, which must have gone by when it failed, was never
// seen to go. paid is for the order alone: less is only what it costs more than was shown, as it names another price.
func isUnseenPrice(x store.Expected, o store.Order, paid dzd.Amount) bool {
	return x.MayGo == store.Overdue && x.Purchase == o.Purchase && !dzd.Amount{}.Sub(x.Amount).Less(paid)
}

// mayHaveRisen reports whether money may have come since an order failed: a reading has risen, or the price of its own purchase or a later one,
// which must have gone by now, was never seen to go. Both may have happened between two readings.
func mayHaveRisen(tx *store.Tx, w store.Wallet, o store.Order, paid dzd.Amount) (bool, error) {
	if !w.RoseAt.Before(o.ReadyAt) {
		return true, nil
	}
	for _, x := range w.Expected {
		if x.MayGo != store.Overdue {
			continue
		}
		if isUnseenPrice(x, o, paid) {
			return true, nil
		}
		if p, err := tx.Purchase(x.Purchase); err != nil || p.SentAt.After(o.ReadyAt) {
			return err == nil, err
		}
	}
	return false, nil
}

// missRefunds tells people about refunds that were not seen in time, or only in a sum, and sets the next look for them.
// seen is the reading that this look has taken, nil where it has taken none.
func (e *Engine) missRefunds(tx *store.Tx, a *store.Account, seen *reading, at time.Time) error {
	waiting, amounts, err := refundsOf(tx, *a)
	if err != nil {
		return err
	}
	// In the order of failure, and o is read from waiting in each round: what an earlier refund has taken of a sum (share) is gone for
	// those behind it.
	changed := map[string]bool{} // by purchase: whether support has to be asked
	open := unexplainedExcess(a.Wallet, seen)
	for i, o := range waiting {
		age, read := at.Sub(o.ReadyAt), seen != nil && wouldShow(*a, o, amounts[i])
		if o.Refund == store.RefundWaiting && age < refundLife && open.Sign() > 0 && !o.Came.Left.Add(open).Less(amounts[i]) {
			continue // what shows is told once it is known what it is
		}
		state := overdue(o, amounts[i], age, patienceFor(*a), read)
		if state == o.Refund {
			continue
		}
		if state == store.RefundMissing && !endRetake(a, o, amounts[i], at) {
			state, a.Refunds = store.RefundUntaken, without(a.Refunds, o.ID)
		}
		waiting[i].Refund = state
		if state == store.RefundLikely {
			share(waiting, i, amounts[i])
		}
		changed[o.Purchase] = changed[o.Purchase] || state != store.RefundLikely && state != store.RefundUntaken
		tx.Then(func() {
			e.cfg.Log.Warn("a refund was not seen", "purchase", o.Purchase, "account", o.Account, "order", o.ID, "refund", string(state))
		})
	}
	awaitNext(a, waiting, at)
	if len(changed) == 0 {
		return nil
	}
	// share may have changed any of them, so all are put.
	for _, o := range waiting {
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
	}
	return e.settlePurchases(tx, a, changed, at)
}

// wouldShow reports whether a refund would have shown by what is known of the balance: all that it did since the order
// failed is explained. A refund may be in what is not, beside money that went, behind the price of a later purchase that no
// reading has shown, for both may have happened between two readings, and in what has made up for a loss.
func wouldShow(a store.Account, o store.Order, amount dzd.Amount) bool {
	behind := func(x store.Expected) bool {
		return isUnshown(x) && x.At.After(o.ReadyAt) || isUnseenPrice(x, o, amount)
	}
	madeUp := a.Wallet.MadeUp != nil && !a.Wallet.MadeUp.Amount.Less(amount)
	return !slices.ContainsFunc(a.Wallet.Expected, behind) && !a.Wallet.Began.After(o.ReadyAt) && !isUnaccounted(a.Wallet) && !madeUp && !a.OutsideAt.After(o.ReadyAt)
}

// unexplainedExcess is what a reading shows beyond what is explained by now.
func unexplainedExcess(w store.Wallet, seen *reading) dzd.Amount {
	if seen == nil || !w.Read {
		return dzd.Amount{}
	}
	return seen.available.Sub(spendable(w))
}

// awaitNext sets the next look for refunds, and ends it for those that were looked for long enough.
func awaitNext(a *store.Account, waiting []store.Order, at time.Time) {
	a.RefundAt = time.Time{}
	for _, o := range waiting {
		age := at.Sub(o.ReadyAt)
		if next := at.Add(lookAgain(age, patienceFor(*a))); age >= refundLife {
			a.Refunds = without(a.Refunds, o.ID)
		} else if a.RefundAt.IsZero() || next.Before(a.RefundAt) {
			a.RefundAt = next
		}
	}
}

// share takes an amount for one refund out of what came for all of them. They are ordered by when their orders failed:
// what came since a later one did is part of what came since an earlier one.
//
// Example: A failed, 300 came, B failed, 200 came. 500 are left for A, 200 for B. Where 400 are A's, 100 are left for both: of the 200 that
// came since B failed, no more can be over.
func share(waiting []store.Order, taker int, amount dzd.Amount) {
	rest := waiting[taker].Came.Left.Sub(amount)
	for i := range waiting {
		left := &waiting[i].Came.Left
		switch {
		case i <= taker:
			*left = left.Sub(amount)
		case rest.Less(*left):
			*left = rest
		}
	}
}

// overdue is what a refund of an amount is called that has been awaited for a time. One that is in a sum that came is
// likely, and looked for on: it may be that people have added all of that. read tells that it would have shown by now:
// the balance was read just now, and all of it is explained since the order failed.
func overdue(o store.Order, amount dzd.Amount, age, patience time.Duration, read bool) store.RefundState {
	switch {
	// A sum that holds it comes before the end of the search: what is likely back is not called unseen.
	case !o.Refund.Awaited() || age < patience:
	case o.Came.Left.Sign() > 0 && !o.Came.Left.Less(amount):
		return store.RefundLikely
	case age >= refundLife:
		return store.RefundUnseen
	case read:
		return store.RefundMissing
	case o.Refund == store.RefundWaiting && age >= patience+unreadFor: // one look that fails is no reason to tell anybody
		return store.RefundUnread
	}
	return o.Refund
}

// settlePurchases settles purchases after something became of the money of their orders, and has people told of those that
// they must take up with the service.
func (e *Engine) settlePurchases(tx *store.Tx, a *store.Account, changed map[string]bool, at time.Time) error {
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		if err := e.settleLoaded(tx, &p, a, true, false, at); err != nil {
			return err
		}
		if !changed[id] {
			continue
		}
		if err := e.askForSupport(tx, p, *a); err != nil {
			return err
		}
	}
	return nil
}

// refunded notes that as much came back as a failed order cost. After people were told that it did not, it may be
// their own money as well.
func (e *Engine) refunded(tx *store.Tx, a *store.Account, o store.Order, amount dzd.Amount, r reading) error {
	kind := store.Refunded
	if o.Refund != store.RefundWaiting {
		o.Refund, o.Came, kind = store.RefundLikely, store.Inflow{}, store.Outside
	} else {
		o.Refund = store.RefundSeen
	}
	a.Refunds = without(a.Refunds, o.ID)
	if err := tx.PutOrder(&o); err != nil {
		return err
	}
	// As seen, so that an older reading without the refund is known for one.
	a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{At: r.at, Amount: amount, Seen: r.at})
	// The service may take it again, should it change its mind about the order.
	noteMayGo(a, o.Purchase, dzd.Amount{}.Sub(amount), store.Retaken, r.at)
	tx.Then(func() {
		e.cfg.Log.Info("refund seen", "purchase", o.Purchase, "account", o.Account, "order", o.ID, "refund", string(o.Refund))
	})
	return record(tx, a, store.Movement{At: r.at, Shown: r.since, Kind: kind, Amount: amount, Balance: a.Wallet.Available, Purchase: o.Purchase})
}

// endUntaken ends the wait for the price, and for the refund, of purchases that have failed whole where the balance is
// what it was before them for longer than readings are late, but for what other purchases explain: it was never taken,
// or taken and given back. What nothing explains may be their price, which is not always the one that was shown.
func (e *Engine) endUntaken(tx *store.Tx, a *store.Account, r reading) error {
	if a.Wallet.Unexplained != nil {
		return nil
	}
	for _, x := range slices.Clone(a.Wallet.Expected) {
		if !isUnshown(x) || r.at.Sub(x.At) < memoryOf(*a) || !showsWithout(a.Wallet, x.Purchase, r) {
			continue
		}
		if err := e.endUntakenOf(tx, a, x, r); err != nil {
			return err
		}
	}
	return nil
}

// showsWithout reports whether a reading is what it has to be if a purchase has cost nothing.
func showsWithout(w store.Wallet, purchase string, r reading) bool {
	change := r.available.Sub(level(w))
	return change.IsZero() || likeliest(change, causesOf(w, purchase, r.at, recall)).only()
}

// endUntakenOf is endUntaken for one purchase.
func (e *Engine) endUntakenOf(tx *store.Tx, a *store.Account, x store.Expected, r reading) error {
	p, err := tx.Purchase(x.Purchase)
	if err != nil {
		return err
	}
	orders, err := ordersOf(tx, p)
	if err != nil || slices.ContainsFunc(orders, func(o store.Order) bool { return o.State != store.Failed }) {
		return err
	}
	for _, o := range orders {
		o.Refund = store.RefundUntaken
		a.Refunds = without(a.Refunds, o.ID)
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
	}
	forgo(a, p.ID)
	noteMayGo(a, p.ID, x.Amount, store.Untaken, r.at)
	if err := e.correct(tx, a, p, dzd.Amount{}.Sub(x.Amount), r.at); err != nil {
		return err
	}
	return e.settleLoaded(tx, &p, a, true, false, r.at)
}

// retake expects the price of an order again that has not failed after all, unless it has gone meanwhile. One that was not
// taken when it failed has to go. One whose money seemed to be back may go again: what came may have been something else.
func (e *Engine) retake(tx *store.Tx, a *store.Account, p store.Purchase, o store.Order, at time.Time) error {
	cost, due := dzd.Amount{}.Sub(p.PaidFor(o)), o.Refund == store.RefundUntaken
	revokeMayGo(a, p.ID, cost)
	gone, err := reverseOutside(tx, a, p, cost, at)
	if err != nil {
		return err
	}
	if !gone {
		a.Wallet.Expected = append(slices.Clone(a.Wallet.Expected), store.Expected{At: at, Amount: cost, Purchase: p.ID, Doubtful: !due, Said: !due})
	}
	// It may or may not go: nothing is booked before a reading shows it.
	if !gone && !due {
		return nil
	}
	return e.correct(tx, a, p, cost, at)
}

// endRetake is for an order that failed, came back, and has failed again. It reports whether its price had gone again, as far as readings
// show. Where it had not, it is waited for no more: its money is back since the first time.
func endRetake(a *store.Account, o store.Order, amount dzd.Amount, at time.Time) bool {
	// Said, with the price of one order: retake has put it in when the order turned out not to have failed. Without such an entry nothing
	// says that the price is back.
	i := slices.IndexFunc(a.Wallet.Expected, func(x store.Expected) bool {
		return x.Said && x.Purchase == o.Purchase && x.Seen.IsZero() && x.Amount.Equal(dzd.Amount{}.Sub(amount))
	})
	if i < 0 {
		return true
	}
	a.Wallet.Expected = slices.Delete(slices.Clone(a.Wallet.Expected), i, i+1)
	noteMayGo(a, o.Purchase, dzd.Amount{}.Sub(amount), store.Retaken, at)
	return false
}
