package purchase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// Refusal is what is known of a purchase that the service refused, for whoever wants to try the same again.
type Refusal struct {
	Intact bool      // its money shows to be where it was: the same may be tried again
	From   time.Time // else from when on a look may show that
	By     time.Time // or by when it is known, or a person is asked; both are zero where nobody can tell
}

// Intact looks at a purchase that the service refused, and reports whether its money shows to be where it was: then the
// same may be tried again. What the service never refused waits for nothing.
func (e *Engine) Intact(ctx context.Context, id string) (Refusal, error) {
	p, err := e.cfg.Store.Purchase(ctx, id)
	// What is not watched waits for nothing: Intact is true then.
	if err != nil || !waitsForMoney(p) {
		return Refusal{Intact: err == nil}, err
	}
	a, err := e.cfg.Store.Account(ctx, p.Account)
	if err != nil {
		return Refusal{}, err
	}
	now := time.Now()
	// No reading can show it earlier: a look before that costs a call and proves nothing.
	soonest := earlierOf(p.AnsweredAt.Add(fresh(a, p)), endsAt(p))
	if now.Before(soonest) {
		return Refusal{From: soonest}, nil
	}
	v := e.newEvidence(a, p)
	if err := e.judgeBy(api.InBackground(ctx), v); err != nil {
		return knownBy(a, p, now, true, false), err
	}
	// The look has written what it saw; its evidence is trusted only if it is of this very look (At).
	if p, err = e.cfg.Store.Purchase(ctx, id); err != nil {
		return Refusal{}, err
	}
	seen := p.Phase == store.Rejected && showsIntact(p, now)
	// The clock on the wall may have been set ahead since it was refused.
	if left := soonest.Sub(p.AnsweredAt) - v.found.passed(); seen && waitsForMoney(p) && left > 0 {
		return Refusal{From: now.Add(left)}, nil
	}
	if seen || !waitsForMoney(p) {
		return Refusal{Intact: seen || p.Phase == store.Rejected}, nil
	}
	if a, err = e.cfg.Store.Account(ctx, p.Account); err != nil {
		return Refusal{}, err
	}
	return knownBy(a, p, now, v.soon, v.hidden), nil
}

// knownBy tells until when a purchase waits whose money a look has not shown to be there. That is so where another purchase of ours was
// accepted so shortly before that a reading need not show its price, and will tell once it must (soon); else the look that ends it is known,
// unless that look will be hidden as well.
func knownBy(a store.Account, p store.Purchase, now time.Time, soon, hidden bool) (r Refusal) {
	for _, x := range a.Wallet.Expected {
		if shows := earlierOf(x.At.Add(fresh(a, p)), endsAt(p)); soon && isAccepted(x) && shows.After(now) && shows.After(r.From) {
			r.From = shows
		}
	}
	if by := endsAt(p); r.From.IsZero() && !hidden && by.After(now) {
		r.By = by
	}
	return r
}

// endsAt is when a refused purchase has waited for its money for so long that a look ends that.
func endsAt(p store.Purchase) time.Time { return p.AnsweredAt.Add(quietTime + refusedPatience) }

// showsIntact reports whether a look at a purchase, at a moment or later, has shown its money to be there, and no order that fits.
func showsIntact(p store.Purchase, since time.Time) bool {
	ev := p.Evidence
	return ev != nil && !ev.At.Before(since) && ev.Intact && len(ev.Rows) == 0
}

// isIntact reports whether a change holds no price of a total for who trusts a reading to be no older than those of the account were (fresh):
// then it shows every purchase that was accepted before that. A person may try again by that. Nothing is said of the money by it, for which
// readings may be older.
func (v *evidence) isIntact(change, total dzd.Amount, others []cause) bool {
	var left []cause
	for _, c := range others {
		if c.kind != due && c.kind != olderReading {
			left = append(left, c)
			continue
		}
		x := v.account.Wallet.Expected[c.place]
		switch old := isAccepted(x) && v.now.Sub(x.At) >= fresh(v.account, v.of); {
		case !old:
			left = append(left, c)
		case c.kind == due && c.amount.Equal(x.Amount):
			change = change.Sub(c.amount)
		case c.kind == due: // another price that it may have
			left = append(left, c)
		}
	}
	return chargeOf(change, total, left) == uncharged
}

// isIntactSoon reports whether a purchase of a total will show not to be charged once readings must show the prices of accepted purchases: what
// else may move the balance, as a refund that comes unseen, does not hide it.
func (v *evidence) isIntactSoon(total dzd.Amount, others []cause) bool {
	left := slices.DeleteFunc(slices.Clone(others), func(c cause) bool {
		x := v.account.Wallet.Expected[c.place]
		return isAccepted(x) && (c.kind == olderReading || c.kind == due && c.amount.Equal(x.Amount))
	})
	return chargeOf(dzd.Amount{}, total, left) == uncharged
}

// waitsForMoney reports whether a purchase was refused by the service itself, is watched still, and no look has shown so late that its money is
// there that it is. What could not be paid waits for nothing: who is refused for that adds money and tries again.
func waitsForMoney(p store.Purchase) bool {
	cleared := p.Evidence != nil && p.Evidence.Cleared
	return p.Phase == store.Rejected && p.Refused && !cleared && !p.LookAt.IsZero() && !couldNotPay(p)
}

// couldNotPay reports whether the service has refused a purchase for want of money, and the balance has said so as well.
func couldNotPay(p store.Purchase) bool {
	return p.Reason == ReasonOf(api.Funds) && p.Before.Known && p.Before.Available.Less(p.Total)
}

// weighHold reports by v.hidden whether what a refused purchase may be held for is the price of another purchase of ours: one that was sent since,
// and whose orders are on their way, or were a while ago.
func (v *evidence) weighHold(ctx context.Context) error {
	if v.of.Phase != store.Rejected || v.onHold.Sign() <= 0 {
		return nil
	}
	var prices dzd.Amount
	for _, x := range v.account.Wallet.Expected {
		if !isAccepted(x) {
			continue
		}
		other, err := v.engine.cfg.Store.Purchase(ctx, x.Purchase)
		if err != nil {
			return fmt.Errorf("look at what else was bought: %w", err)
		}
		if other.SentAt.After(v.of.SentAt) && (other.Phase == store.Accepted || v.now.Sub(other.ClosedAt) < quietTime) {
			prices = prices.Sub(x.Amount)
		}
	}
	v.hidden = !prices.Less(v.onHold)
	return nil
}

// weighUnshown takes no reading for a proof that a refused purchase was not charged which does not show what was bought here about that time
// either. Money may have come from outside, and may hide one price as well as two. Once the other one must have shown, that is so, and a person
// is asked.
//
// Example: 500 are bought twice, and are 500 less: the second one's price has not shown. A refused purchase of 500 was sent just behind it. If
// 500 were added, that one was not executed; if 1000 were, it was.
func (v *evidence) weighUnshown(ctx context.Context) error {
	p := v.of
	if p.Phase != store.Rejected || v.found.charge != uncharged && !v.hidden {
		return nil
	}
	for _, x := range v.account.Wallet.Expected {
		if x.Purchase == "" || !isUnshown(x) || !x.At.Add(quietTime).After(p.SentAt) {
			continue
		}
		other, err := v.engine.cfg.Store.Purchase(ctx, x.Purchase)
		if err != nil {
			return fmt.Errorf("look at what else was bought: %w", err)
		}
		if other.SentAt.After(p.AnsweredAt.Add(quietTime)) { // by then the price of this one had shown
			continue
		}
		v.found.charge = unclear
		// What is on its way may be taken as late as it is delivered.
		v.hidden = other.Phase != store.Settled || min(v.now.Sub(x.At), v.now.Sub(other.ClosedAt)) < quietTime
		if !v.hidden {
			return nil
		}
	}
	return nil
}
