package purchase

import (
	"context"
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// reading is one look at a balance that no spend of ours overlapped.
type reading struct {
	shown     dzd.Amount // what the service has shown
	available dzd.Amount // the same, less what is explained apart from the rest
	at        time.Time
	before    time.Time      // when the last one was
	since     time.Time      // when one first showed what this one explains, where that was earlier; else zero
	pending   []pendingPrice // what orders cost that were still waited for: their refunds may be in it
	beside    []elsewhere
	onHold    dzd.Amount // what the service holds beside it, of the balance
	moved     dzd.Amount // since the last reading
}

// firstAt is when a reading first showed what this one explains.
func (r reading) firstAt() time.Time {
	if r.since.IsZero() {
		return r.at
	}
	return r.since
}

// newReading makes a reading of what could be spent at a moment. The refund of an order may be there before anybody
// was told that the order failed, so money that came is looked at in that light.
func (e *Engine) newReading(ctx context.Context, a store.Account, b api.Balance, at time.Time) (reading, error) {
	pending, err := e.pendingPrices(ctx, a)
	if err != nil {
		return reading{}, err
	}
	beside, err := e.boughtElsewhere(ctx, a, b.Available, at)
	return reading{available: b.Available, shown: b.Available, at: at, pending: pending, beside: beside, onHold: b.Balance.Sub(b.Available)}, err
}

// mostPrices is how many orders of an account are read for the refunds that may be in a reading.
const mostPrices = 100

// pendingPrice is the price of an order that was still waited for.
type pendingPrice struct {
	purchase string
	price    dzd.Amount
}

// Observe reads an account's balance, in DZD, and explains what has changed it since the last reading. A
// reading during which something is bought, or that lacks a figure, explains nothing, and is only returned. Errors are
// those of the store, or an *api.Error.
func (e *Engine) Observe(ctx context.Context, account string) (api.Balance, error) {
	a, err := e.cfg.Store.Account(ctx, account)
	if err != nil {
		return api.Balance{}, err
	}
	b, err := e.cfg.Service(a).Balance(ctx, 0)
	// What the wallet holds already is what was read: most looks end here, without a commit. Wallet.At and RoseAt stay as they are, and
	// Unsettled stays set: lookAt ends that with a reading of its own, within unexplainedLook.
	if err != nil || b.Lacks || a.Busy != "" || tellsNothing(a.Wallet, b.Available) {
		return b, err
	}
	seen, err := e.newReading(ctx, a, b, time.Now())
	if err != nil {
		return b, err
	}
	return b, e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := tx.Account(account)
		// A purchase was sent since the account was read: whether its price is in the figure, nobody can tell.
		if err != nil || now.Busy != "" || now.Spends != a.Spends {
			return err
		}
		if err := errors.Join(e.observe(tx, &now, seen), e.endPrices(tx, &now, seen.at)); err != nil {
			return err
		}
		now.LookAt = nextLook(now, time.Now())
		return tx.PutAccount(&now)
	})
}

// tellsNothing reports whether a reading of what can be spent is the last one once more, and what it has to be.
func tellsNothing(w store.Wallet, available dzd.Amount) bool {
	return w.Read && w.Unexplained == nil && w.MadeUp == nil && w.Shown != nil && w.Shown.Equal(available) && spendable(w).Equal(available)
}

// pendingPrices lists what the orders of an account cost that are still waited for.
func (e *Engine) pendingPrices(ctx context.Context, a store.Account) (pending []pendingPrice, err error) {
	waiting, err := e.cfg.Store.PendingOrders(ctx, a.ID, "", mostPrices)
	if err != nil {
		return nil, err
	}
	for _, o := range waiting {
		p, err := e.cfg.Store.Purchase(ctx, o.Purchase)
		if err != nil {
			return nil, err
		}
		if o.State == store.Waiting {
			pending = append(pending, pendingPrice{p.ID, p.PaidFor(o)})
		}
	}
	return pending, nil
}

// observe takes a reading of what can be spent and explains what changed since the last: purchases that show now,
// refunds that were waited for, and the rest as moved from outside.
func (e *Engine) observe(tx *store.Tx, a *store.Account, r reading) error {
	// r.before is a time, before an amount: both are of the last reading, and are taken before this one replaces them. noteReading keeps this
	// one as Shown, also where it only begins the explaining.
	if !a.Wallet.At.Equal(r.at) { // else it is explained anew (otherPrice, reread), and the one before is the same as then
		r.before, a.Wallet.At = a.Wallet.At, r.at
	}
	before := a.Wallet.Shown
	noteReading(&a.Wallet, r)
	if !a.Wallet.Read {
		beginExplaining(a, r)
		return nil
	}
	if before != nil {
		r.moved = r.available.Sub(*before)
	}
	absorbRounding(&a.Wallet, before)
	// In this order: purchases that cost nothing leave the wallet first, what is too old second, and only then is the change
	// counted, from what is left.
	if err := e.endUntaken(tx, a, r); err != nil {
		return err
	}
	if err := forget(tx, a, r.at); err != nil {
		return err
	}
	waiting, amounts, err := refundsOf(tx, *a)
	if err != nil {
		return err
	}
	change := r.available.Sub(spendable(a.Wallet))
	back, err := refundCauses(tx, a.Wallet, change, waiting, amounts)
	if err != nil {
		return err
	}
	// refundCauses gets the change before rounding is considered: it asks for its sign alone.
	//
	// recall and not memoryOf: of what was shown within the hour any reading may be older, for all that is known. older asks
	// with the memory where that would keep a refund back.
	causes := slices.Concat(causesOf(a.Wallet, "", r.at, recall), back)
	causes = append(causes, possibleRefunds(a.Wallet, r.pending)...)
	r, certain := unrounded(a.Wallet, before, r, causes)
	if change = r.available.Sub(spendable(a.Wallet)); !certain { // as what can be explained in several ways
		a.Wallet.Ambiguous = r.at
		return e.noteAmbiguous(tx, a, change, r, recall)
	}
	return e.explainChange(tx, a, change, causes, waiting, r)
}

// explainChange tells what of all that may have moved the wallet is the cause of a change, and has it take effect where that is known.
// What can be explained in several ways is left unexplained, and looked at again with the next reading; so is what an older state of
// the wallet would explain.
//
// The first case that fits decides:
//
//  1. Another price of an accepted purchase explains the change as well, and the explanation takes an uncertain or denied one, or less of
//     what is due (contested). It is left open until each price that is due must have shown; from then on the other price is taken where
//     it needs less that is not known, or shows more that is (isLikelier), and else the explanation is; what the other price needs of
//     denied ones is asked about.
//  2. There is no change: this ends what stood open. It goes before all that asks for ways, for causes may add up to zero.
//  3. There is one way, nothing in it comes back before it went, and no older reading looks the same: it is applied.
//  4. An older reading and a refund explain it, and money that stands without an explanation and the refund do as well: see unexplained.
//  5. There are several ways, or one that 3 does not take: it stays open, and is from outside once it has stood for clearsAfter.
//  6. A purchase of another price explains it, and it cannot be told yet at which: it stays open as well.
//  7. No cause explains it as a whole: see unexplained.
//
// Wallet.Ambiguous is set wherever money of which nobody knows whence it came may hide a price: evidence does not call a purchase
// uncharged by readings since then (evidence.judgeCharge).
func (e *Engine) explainChange(tx *store.Tx, a *store.Account, change dzd.Amount, causes []cause, waiting []store.Order, r reading) error {
	x := likeliest(change, causes)
	if later, err := laterThan(tx, a.Wallet, x, change); err != nil {
		return err
	} else if later {
		x = explanation{}
	}
	if x.has(olderReading) {
		standApart(&a.Wallet, change, causes, r)
	}
	other, so := contested(a.Wallet, x, change, causes)
	switch {
	case so && other.isEarly(*a, r.at):
		a.Wallet.Ambiguous = r.at
		return e.noteAmbiguous(tx, a, change, r, recall)
	case so && other.isLikelier(a.Wallet, x):
		return e.otherPrice(tx, a, other, r)
	// No change closes what stood open, also where several causes would add up to nothing.
	case change.IsZero():
		return e.closeChange(tx, a, causes, waiting, r)
	// One way, no money that came back before it went, and no older reading that shows the same: it is believed.
	case x.only() && !early(a.Wallet, x, waiting) && !older(*a, x, change, r):
		r.since = shownSince(a.Wallet, change, r)
		if mayOutlast(a.Wallet, change, causes) {
			a.Wallet.Ambiguous = r.at
		}
		clearUnexplained(&a.Wallet)
		instead := other.deniedInstead(a.Wallet, x) // before apply, which may give every place in the wallet to another
		if err := e.apply(tx, a, x, waiting, r); err != nil {
			return err
		}
		return e.contradictAll(tx, a, instead)
	case x.ways > 0 && x.has(olderReading) && isBesideRefund(a.Wallet, change, causes):
		return e.unexplained(tx, a, change, causes, waiting, r)
	case x.ways > 0:
		// What is a refund that is awaited, unless it is an older reading, hides no price: the refund is among the causes of each
		// look, and an older reading was read before.
		if (!x.only() || early(a.Wallet, x, waiting)) && !isOurs(a.Wallet, change, causes) {
			a.Wallet.Ambiguous = r.at
		}
		return e.noteAmbiguous(tx, a, change, r, clearsAfter(*a, x, change, r))
	case isEitherPrice(*a, change, causes, r.at):
		a.Wallet.Ambiguous = r.at
		return e.noteAmbiguous(tx, a, change, r, recall)
	}
	return e.unexplained(tx, a, change, causes, waiting, r)
}

// unexplained takes a reading that no cause explains as a whole: a purchase was charged at another price, or something
// explains what has come beside a change that had stood before, or the change itself stands.
//
// Example: 500 are gone that nothing explains, and stand (Unexplained). The next reading lacks 700, and a purchase of 200 has not shown yet.
// The step of 200 has one explanation and is applied; the 500 stand on, since when they first showed. Without that, the sum of both
// would begin to stand anew, and the alarm would come later with each purchase.
func (e *Engine) unexplained(tx *store.Tx, a *store.Account, change dzd.Amount, causes []cause, waiting []store.Order, r reading) error {
	if m, sure := matchOtherPrice(a.Wallet, change, causes); sure {
		later, err := isLater(tx, a.Wallet, m.places[0], change)
		if err != nil {
			return err
		}
		if !later {
			return e.otherPrice(tx, a, m, r)
		}
	}
	if a.Wallet.Unexplained == nil && movedAway(a.Wallet, change, causes, r) {
		return e.besideOpen(tx, a, change.Sub(r.moved), causes, waiting, r)
	}
	if s := a.Wallet.Unexplained; s != nil && !change.Equal(s.Amount) {
		return e.besideUnexplained(tx, a, change, causes, waiting, r)
	}
	return e.noteUnexplained(tx, a, change, r, patienceWith(*a, change, causes))
}

// besideUnexplained takes a reading that no cause explains as a whole, where something stands that nothing explains: what has come beside it is
// looked at by itself.
func (e *Engine) besideUnexplained(tx *store.Tx, a *store.Account, change dzd.Amount, causes []cause, waiting []store.Order, r reading) error {
	s := a.Wallet.Unexplained
	more := change.Sub(s.Amount)
	ordered, err := laterFirst(tx, a.Wallet, causes, s.Since)
	if err != nil {
		return err
	}
	step := likeliest(more, ordered)
	switch m, sure := matchOtherPrice(a.Wallet, more, causes); {
	// What may only be the refund of an order under way changes nothing here, and comes with each look until that order ends: what stands
	// beside it goes on to stand.
	case step.only() && !step.isOnly(possibleRefund) && !early(a.Wallet, step, waiting) && !older(*a, step, more, r):
		held, err := mayHold(tx, a.Wallet, step)
		if err != nil {
			return err
		}
		if held {
			a.Wallet.Ambiguous = r.at
		}
		return e.apply(tx, a, step, waiting, r)
	case step.ways > 0: // what went before that stands, whatever this is
		r.available = r.available.Sub(more)
		return e.noteUnexplained(tx, a, s.Amount, r, patienceWith(*a, s.Amount, causes))
	case sure && !isEitherPrice(*a, more, causes, r.at):
		return e.otherPrice(tx, a, m, r)
	}
	return e.noteUnexplained(tx, a, change, r, patienceWith(*a, change, causes))
}

// closeChange takes a reading that is what it has to be.
func (e *Engine) closeChange(tx *store.Tx, a *store.Account, causes []cause, waiting []store.Order, r reading) error {
	if a.Wallet.Open != nil && hasRisen(a.Wallet) || mayOutlast(a.Wallet, dzd.Amount{}, causes) {
		a.Wallet.Ambiguous = r.at // by money of which nobody knows whence it came
	}
	noteMadeUp(&a.Wallet, r)
	clearUnexplained(&a.Wallet)
	m := a.Wallet.MadeUp
	if m == nil || !isRefund(*a, m.Amount, causes, waiting, r) {
		return nil
	}
	a.Wallet.MadeUp = nil
	return noteInflow(tx, a, m.Amount, m.Since)
}

// besideOpen takes a reading that no cause explains as a whole, after one that more than one thing may explain has stood: a refund, say,
// that an older reading would show as well. What has come beside it is looked at by itself, so that the refund is not lost in a sum.
func (e *Engine) besideOpen(tx *store.Tx, a *store.Account, open dzd.Amount, causes []cause, waiting []store.Order, r reading) error {
	step := likeliest(r.moved, causes)
	if step.only() && !early(a.Wallet, step, waiting) && !older(*a, step, r.moved, r) {
		return e.apply(tx, a, step, waiting, r)
	}
	// The reading is taken as if the change that stands were not in it: else bookAsOutside would put it into Available with the step.
	patience := patienceWith(*a, r.moved, causes)
	r.available = r.available.Sub(open)
	return e.noteUnexplained(tx, a, r.moved, r, patience)
}

// otherPrice takes a reading to show a price that the orders of a purchase name.
func (e *Engine) otherPrice(tx *store.Tx, a *store.Account, m priceMatch, r reading) error {
	i := m.places[0] // of several, each has a reading of its own
	p, err := tx.Purchase(a.Wallet.Expected[i].Purchase)
	if err != nil {
		return err
	}
	a.Wallet.Expected[i].Instead = &m.price
	if err := e.chargedOther(tx, &p, a, i, r.at); err != nil {
		return err
	}
	// The reading is explained anew with the right price. This ends: chargedOther has cleared Instead, which led here. All that observe
	// does before it explains (noteReading, absorbRounding, endUntaken, forget) runs once more, and takes this very reading for the one before, but for its
	// time: r.moved is zero then.
	return e.observe(tx, a, r)
}

// refundCauses lists the refunds that a change may hold: those for which a reading has risen since their purchase was sent.
// Beside prices that show, they need no rise.
func refundCauses(tx *store.Tx, w store.Wallet, change dzd.Amount, waiting []store.Order, amounts []dzd.Amount) (causes []cause, err error) {
	for i, o := range waiting {
		p, err := tx.Purchase(o.Purchase)
		if err != nil {
			return nil, err
		}
		if change.Sign() < 0 || !w.RoseAt.Before(p.SentAt) {
			causes = append(causes, cause{kind: refund, amount: amounts[i], order: o.ID})
		}
	}
	return causes, nil
}

// noteAmbiguous notes a change that more than one thing explains, or a reading that is older than the last. What of it has
// stood for so long, in each reading, is a change from outside.
func (e *Engine) noteAmbiguous(tx *store.Tx, a *store.Account, change dzd.Amount, r reading, patience time.Duration) error {
	// Unsettled is of the first reading since all was explained, Open.Since of the first that shows this change: a change in the
	// other direction begins Open anew, and not Unsettled.
	if a.Wallet.Unsettled.IsZero() {
		a.Wallet.Unsettled = r.at
	}
	s := standing(a.Wallet.Open, change, r.at)
	a.Wallet.Open = &s
	if r.at.Sub(s.Since) < patience || s.Looks < leastLooks {
		return nil
	}
	r.since = s.Since
	sent, ready, err := mayBookAsOutside(tx, *a, r)
	if err != nil || !ready {
		return err
	}
	a.Wallet.UnexplainedChanges++
	return e.bookAsOutside(tx, a, change, s.Stood, sent, r)
}

// possibleRefunds lists the refunds that may have come of orders that are still waited for. That of a purchase which has not
// shown yet makes no difference: taken and given back is as good as neither.
func possibleRefunds(w store.Wallet, pending []pendingPrice) (out []cause) {
	for _, h := range pending {
		if i := expected(w, h.purchase); i < 0 || !w.Expected[i].Seen.IsZero() {
			out = append(out, cause{kind: possibleRefund, amount: h.price})
		}
	}
	return out
}

// beginExplaining makes a reading the one that explaining begins with: what happened lately may be in it, and what another
// reading showed lately may not be in this one.
//
// What was seen longer ago than a reading can be old is in this one for sure, and stays as it is; so does what was denied and seen all the
// same. All else becomes Before: it may show or not, and nothing of it is subtracted from what can be spent.
func beginExplaining(a *store.Account, r reading) {
	w, memory := &a.Wallet, memoryOf(*a)
	w.Read, w.Began, w.Available, w.MadeUp = true, r.at, r.available, nil
	clearUnexplained(w)
	w.Expected = slices.Clone(w.Expected)
	for i := range w.Expected {
		switch x := &w.Expected[i]; {
		case x.Seen.IsZero():
			x.Before, x.Learn = true, false
		case !x.Denied && r.at.Sub(x.Seen) < memory:
			x.Before, x.Learn, x.Seen, x.At = true, false, time.Time{}, r.at
		}
	}
}
