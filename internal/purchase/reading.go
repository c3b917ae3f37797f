package purchase

import (
	"context"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// reading is one look at a balance that no spend of ours overlapped.
type reading struct {
	available dzd.Amount
	at        time.Time
	before    time.Time // when the last one was
	hopes     []hope    // what orders cost that were still waited for: their refunds may be in it
}

// reading makes a reading of what could be spent at a moment. The refund of an order may be there before anybody
// was told that the order failed, so money that came is looked at in that light.
func (e *Engine) reading(ctx context.Context, a store.Account, available dzd.Amount, at time.Time) (reading, error) {
	hopes, err := e.held(ctx, a)
	return reading{available: available, at: at, hopes: hopes}, err
}

// hope is the price of an order that was still waited for.
type hope struct {
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
	if err != nil || b.Lacks || a.Busy != "" || a.Wallet.Read && a.Wallet.Strange == nil && spendable(a.Wallet).Equal(b.Available) {
		return b, err
	}
	seen, err := e.reading(ctx, a, b.Available, time.Now())
	if err != nil {
		return b, err
	}
	return b, e.cfg.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		now, err := tx.Account(account)
		if err != nil || now.Busy != "" || now.Spends != a.Spends {
			return err
		}
		if err := e.observe(tx, &now, seen); err != nil {
			return err
		}
		now.LookAt = nextLook(now, time.Now())
		return tx.PutAccount(&now)
	})
}

// held lists what the orders of an account cost that are still waited for.
func (e *Engine) held(ctx context.Context, a store.Account) (hopes []hope, err error) {
	waiting, err := e.cfg.Store.PendingOrders(ctx, a.ID, "", refundsAtOnce)
	if err != nil {
		return nil, err
	}
	for _, o := range waiting {
		p, err := e.cfg.Store.Purchase(ctx, o.Purchase)
		if err != nil {
			return nil, err
		}
		if o.State == store.Waiting {
			hopes = append(hopes, hope{p.ID, p.PaidFor(o)})
		}
	}
	return hopes, nil
}

// observe takes a reading of what can be spent and explains what changed since the last: purchases that show now,
// refunds that were waited for, and the rest as moved from outside. What can be explained in several ways is left
// unexplained, and looked at again with the next reading; so is what an older state of the wallet would explain.
func (e *Engine) observe(tx *store.Tx, a *store.Account, r reading) error {
	r.before, a.Wallet.At = a.Wallet.At, r.at
	if !a.Wallet.Read {
		begin(a, r)
		return nil
	}
	if err := e.untaken(tx, a, r); err != nil {
		return err
	}
	forget(a, r.at)
	waiting, amounts, err := refundsOf(tx, *a)
	if err != nil {
		return err
	}
	causes := causesOf(a.Wallet, "", r.at, recall)
	for i, o := range waiting {
		causes = append(causes, cause{kind: refund, amount: amounts[i], id: o.ID})
	}
	causes = append(causes, hopesOf(a.Wallet, r.hopes)...)
	change := r.available.Sub(spendable(a.Wallet))
	x := likeliest(change, causes)
	switch {
	case change.IsZero():
		settle(&a.Wallet)
		return nil
	case x.only():
		settle(&a.Wallet)
		return e.apply(tx, a, x, waiting, r)
	case x.ways > 0:
		return e.unsettle(tx, a, change, r)
	}
	if i := otherwise(a.Wallet, change, causes); i >= 0 {
		p, err := tx.Purchase(a.Wallet.Expected[i].Purchase)
		if err != nil {
			return err
		}
		if err := e.chargedOther(tx, &p, a, i, r.at); err != nil {
			return err
		}
		return e.observe(tx, a, r)
	}
	if s := a.Wallet.Strange; s != nil {
		step := likeliest(change.Sub(s.Amount), causes)
		switch {
		case change.Equal(s.Amount):
		case step.only():
			return e.apply(tx, a, step, waiting, r)
		case step.ways > 0:
			return nil
		}
	}
	return e.strange(tx, a, change, r, patienceWith(*a, causes))
}

// settle notes that a reading was what it had to be.
func settle(w *store.Wallet) { w.Strange, w.Unsettled = nil, time.Time{} }

// unsettle notes a change that more than one thing explains, or a reading that is older than the last. Once that has
// stood for longer than any reading is late, it is a change from outside.
func (e *Engine) unsettle(tx *store.Tx, a *store.Account, change dzd.Amount, r reading) error {
	a.Wallet.Ambiguous = r.at
	if a.Wallet.Unsettled.IsZero() {
		a.Wallet.Unsettled = r.at
	}
	if r.at.Sub(a.Wallet.Unsettled) < recall {
		return nil
	}
	a.Wallet.Odd++
	return e.concede(tx, a, change, r)
}

// hopesOf lists the refunds that may have come of orders that are still waited for. That of a purchase which has not
// shown yet makes no difference: taken and given back is as good as neither.
func hopesOf(w store.Wallet, hopes []hope) (out []cause) {
	for _, h := range hopes {
		if i := expected(w, h.purchase); i < 0 || !w.Expected[i].Seen.IsZero() {
			out = append(out, cause{kind: hoped, amount: h.price})
		}
	}
	return out
}

// begin makes a reading the one that explaining begins with: what happened lately may be in it.
func begin(a *store.Account, r reading) {
	w := &a.Wallet
	w.Read, w.Began, w.Available = true, r.at, r.available
	settle(w)
	w.Expected = slices.Clone(w.Expected)
	for i := range w.Expected {
		if w.Expected[i].Seen.IsZero() {
			w.Expected[i].Before, w.Expected[i].Learn = true, false
		}
	}
}

// forget drops what no reading can be expected to show any more, or not to show yet.
func forget(a *store.Account, now time.Time) {
	w, memory := &a.Wallet, memoryOf(*a)
	w.Expected = slices.DeleteFunc(slices.Clone(w.Expected), func(x store.Expected) bool {
		switch {
		case x.Denied, x.Said, x.Doubtful && !x.Seen.IsZero():
			return now.Sub(x.At) >= deniedLife
		case !x.Seen.IsZero():
			return now.Sub(x.Seen) >= recall && now.Sub(x.At) >= recall
		}
		return x.Before && !x.Doubtful && now.Sub(x.At) >= memory
	})
	for i := range w.Expected { // it has to be in every reading by now, but for what may be strange because of it
		if x := &w.Expected[i]; w.Strange == nil && x.Seen.IsZero() && !x.Doubtful && !x.Denied && !x.Before && now.Sub(x.At) >= memory {
			x.Seen, x.Learn = now, false
		}
	}
	w.Expected = newest(w.Expected)
}
