package purchase

import (
	"errors"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// mostAlike is of how many pairs of accounts it is said that their orders are numbered alike.
// It bounds what a process keeps in memory; behind it pairs are not told of any more, and nothing else changes.
const mostAlike = 1000

// claimCode makes a code that an order shows its purchase's own, in any spelling. One that belongs to another purchase is
// taken out of what was seen: nobody is given what was somebody else's before. alike tells that it is delivered, and
// another purchase has a code of the same letters, capital and small ones set otherwise: where these matter, as they do in
// codes that have both, it is another code. other is that purchase.
func claimCode(tx *store.Tx, o store.Order, seen api.Order) (_ api.Order, other string, alike bool, err error) {
	// A top-up may carry words in the field of a code, which are nobody's.
	if seen.Code.IsZero() || o.Topup {
		return seen, "", false, nil
	}
	c, err := tx.ClaimCode(o, seen.Code)
	switch {
	case errors.Is(err, store.ErrAlike):
		return seen, c.Purchase, true, nil
	case errors.Is(err, store.ErrClaimed):
		seen.Code = secret.Text{}
		return seen, c.Purchase, false, nil
	}
	return seen, "", false, err
}

// claimName makes the other name of a top-up, where a look shows it, its purchase's own: no other purchase gets it by that.
func (e *Engine) claimName(tx *store.Tx, o *store.Order, seen api.Order) error {
	if api.Origin(o.Origin) != api.FromArena || o.Other != "" || seen.Transaction == "" || seen.Transaction == o.ServiceID() {
		return nil
	}
	// Other is set even where the claim fails: by this name the service calls it, whoever else has the name.
	o.Other = seen.Transaction
	err := tx.ClaimOrder(*o)
	if errors.Is(err, store.ErrClaimed) {
		of, id := o.Purchase, o.ID
		tx.Then(func() {
			e.cfg.Log.Error("a top-up has a name that belongs to another purchase", "purchase", of, "order", id)
		})
		return nil
	}
	return err
}

// takeCode makes what a look shows of an order its purchase's own, and has people told where it is, or may be, somebody
// else's. clash tells that the code is another purchase's: it is taken out.
func (e *Engine) takeCode(tx *store.Tx, was *store.Order, seen api.Order) (_ api.Order, clash bool, err error) {
	if err := e.claimName(tx, was, seen); err != nil {
		return seen, false, err
	}
	fresh, err := tx.IsCodeNew(seen.Code) // asked before it is claimed
	if err != nil {
		return seen, false, err
	}
	seen, other, alike, err := claimCode(tx, *was, seen)
	clash = other != "" && !alike
	switch {
	case err != nil:
	// Clash stays set on the order, so a code that keeps coming is told of once.
	case alike || clash && !was.Clash:
		err = e.warnOfClash(tx, *was, other, alike)
	case !clash && !fresh: // of a new one, the other orders need not be read: of hundreds, that took most of the time
		err = e.warnOfSameCode(tx, *was, seen.Code)
	}
	return seen, clash, err
}

// warnOfSameCode tells everybody who is concerned, once, that an order shows the code of another unit of its purchase. It
// may be one subscription for all of them, or a unit that was paid for and never sent: it is delivered as it is.
func (e *Engine) warnOfSameCode(tx *store.Tx, o store.Order, code secret.Text) error {
	// What is no code, and what this order has shown before, compares with nothing.
	if !store.Telling(code) || o.Topup || slices.ContainsFunc(o.Codes(), sameCode(code)) {
		return nil
	}
	p, a, err := load(tx, o.Purchase)
	if err != nil || p.Told.SameCode {
		return err
	}
	orders, err := ordersOf(tx, p)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(orders, func(other store.Order) bool {
		return other.ID != o.ID && slices.ContainsFunc(other.Codes(), sameCode(code))
	})
	if i < 0 {
		return nil
	}
	tx.Then(func() {
		e.log(p).Error("two orders of a purchase show one code", "order", o.ID, "other", orders[i].ID)
	})
	p.Told.SameCode = true
	return errors.Join(e.warn(tx, p, a, store.SameCodeNote, time.Now()), tx.PutPurchase(&p))
}

// warnOfClash tells everybody who is concerned that the service has sent another purchase's code for an order, or, of a
// code that was delivered, that another purchase has one of the same letters.
func (e *Engine) warnOfClash(tx *store.Tx, o store.Order, other string, alike bool) error {
	p, a, err := load(tx, o.Purchase)
	if err != nil {
		return err
	}
	name, kind, log := store.ClaimedNote, ".k", "the service sent a code that belongs to another purchase"
	if alike {
		name, kind, log = store.AlikeNote, ".l", "the service sent a code of the same letters as another purchase's"
	}
	tx.Then(func() { e.log(p).Error(log, "order", o.ID, "other", other) })
	for _, chat := range e.concerned(p, a) {
		args := map[string]string{"ref": store.Ref(p.ID), "other": store.Ref(other)}
		if chat == p.Chat || a.Role(chat) == store.Owner { // the operator may not see it
			args["purchase"] = p.ID
		}
		if err := tx.Enqueue(store.NewNote(chat, o.Purchase+kind+o.ID, name, args).Of(p.Account)); err != nil {
			return err
		}
	}
	return nil
}

// letGoOfClash lets go of a purchase's orders that its own answer has not named, once one of them has shown another purchase's
// code: a person is asked again. Where something has come of one, or the service has charged another price for them, they
// are kept.
func (e *Engine) letGoOfClash(tx *store.Tx, p *store.Purchase, a *store.Account, at time.Time) (done bool, err error) {
	// The last step says how its orders became its own. Those that its own answer named (from submitting, or by store.RuleNamed)
	// are its own whatever they show.
	found := p.History[len(p.History)-1]
	if p.Phase != store.Accepted || found.From == store.Submitting || found.Why == store.RuleNamed || p.Charged != nil {
		return false, nil
	}
	done, err = letGo(tx, p, a, at, func(o store.Order) bool { return o.State == store.Waiting })
	if err != nil || !done {
		return false, err
	}
	if err := e.move(tx, p, a, Doubt, "its orders are another purchase's"); err != nil {
		return false, err
	}
	return true, e.pingUncertain(tx, *p, *a, 0)
}

// letGo lets go of a purchase's orders, if that may be done with each. They stay written down, so that nobody is offered
// them.
func letGo(tx *store.Tx, p *store.Purchase, a *store.Account, at time.Time, may func(store.Order) bool) (done bool, err error) {
	orders, err := ordersOf(tx, *p)
	if err != nil || slices.ContainsFunc(orders, func(o store.Order) bool { return !may(o) }) {
		return false, err
	}
	for _, o := range orders {
		o.Due = time.Time{}
		if err := tx.PutOrder(&o); err != nil {
			return false, err
		}
	}
	p.OrderIDs, p.Missing, p.Seeks = nil, 0, 0
	return true, undebit(tx, a, *p, at)
}

// anotherOrder reports whether an order is another one than that which holds the claim of its number: one of another account,
// with another code. The service may number the orders of each account by itself; two keys of one wallet show the same
// order, with its code.
func anotherOrder(find func(account, id string) (store.Order, error), c store.Claim, o store.Order) (bool, error) {
	// One account numbers its orders once, so within it a number is one order. Without codes that tell, it is taken for the
	// same order: to let go of one that is ours is a smaller mistake than to deliver somebody else's.
	if c.Account == o.Account || !store.Telling(o.Code) {
		return false, nil
	}
	holder, err := find(c.Account, o.ID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return store.Telling(holder.Code) && !slices.ContainsFunc(holder.Codes(), sameCode(o.Code)), err
}

// sameCode reports whether another code is this one.
func sameCode(code secret.Text) func(secret.Text) bool {
	return func(other secret.Text) bool { return store.SameCode(code, other) }
}

// numbersAlike notes that the answer to a purchase names an order whose number another purchase holds. Where that one
// was named by its own answer, in another account, accounts are numbered each by itself: that is said once for the two.
func (e *Engine) numbersAlike(tx *store.Tx, p store.Purchase, name string, c store.Claim) error {
	holder, err := tx.Purchase(c.Purchase)
	gone := errors.Is(err, store.ErrNotFound)
	if err != nil && !gone {
		return err
	}
	tx.Then(func() {
		if gone || c.Account == p.Account || holder.Evidence != nil {
			e.log(p).Error("an order was taken for another purchase's", "order", name, "other", c.Purchase, "other_account", c.Account)
			return
		}
		e.tellAlike(p, name, c)
	})
	return nil
}

// tellAlike says of two accounts, once, that the service numbers their orders alike.
func (e *Engine) tellAlike(p store.Purchase, name string, c store.Claim) {
	e.mu.Lock()
	defer e.mu.Unlock()
	// The pair is ordered, so that it is one key from whichever of the two it is met.
	pair := [2]string{min(p.Account, c.Account), max(p.Account, c.Account)}
	if !e.alike[pair] && len(e.alike) < mostAlike {
		e.alike[pair] = true
		e.cfg.Log.Warn("the service numbers the orders of two accounts alike", "account", p.Account, "other_account", c.Account, "order", name)
	}
}
