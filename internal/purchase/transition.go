package purchase

import (
	"context"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

// endQueued ends a purchase whose turn has come, unless it has left the queue while it was looked at.
func (e *Engine) endQueued(ctx context.Context, id string, ev Event, why string, set func(*store.Purchase)) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		if err != nil || p.Phase != store.Queued {
			return err
		}
		p.Reason = why
		if set != nil {
			set(&p)
		}
		return e.move(tx, &p, &a, ev, why)
	})
}

// finish applies an event that needs nothing but a reason, and what set changes besides.
func (e *Engine) finish(ctx context.Context, id string, ev Event, why string, set func(*store.Purchase)) error {
	return e.changePurchase(ctx, id, func(p *store.Purchase, _ *store.Account) (Event, string) {
		p.Reason = why
		if set != nil {
			set(p)
		}
		return ev, why
	})
}

// changePurchase is one transaction on a purchase and its account: fn prepares both and names the event.
func (e *Engine) changePurchase(ctx context.Context, id string, fn func(*store.Purchase, *store.Account) (Event, string)) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		if err != nil {
			return err
		}
		ev, why := fn(&p, &a)
		return e.move(tx, &p, &a, ev, why)
	})
}

// load reads a purchase with its account.
func load(tx *store.Tx, id string) (store.Purchase, store.Account, error) {
	p, err := tx.Purchase(id)
	if err != nil {
		return p, store.Account{}, err
	}
	tx.WantPurchase(p)
	a, err := tx.Account(p.Account)
	return p, a, err
}

// ordersOf reads the orders of a purchase. All of them are there: what became of it is told by all.
func ordersOf(tx *store.Tx, p store.Purchase) ([]store.Order, error) {
	var orders []store.Order
	tx.WantOrders(p.Account, p.OrderIDs...)
	for _, id := range p.OrderIDs {
		o, err := tx.Order(p.Account, id)
		if err != nil {
			return nil, fmt.Errorf("read order %s: %w", id, err)
		}
		orders = append(orders, o)
	}
	return orders, nil
}

// move changes a purchase's phase together with its account and the message that shows it.
// Every change of phase comes through here, but for a draft that is dropped (drop), loseBarely, and store.AfterRestore. What
// hangs together changes together: the phase, Busy, the queue, Open, the buyer's limit, the wallet, and what people are told.
func (e *Engine) move(tx *store.Tx, p *store.Purchase, a *store.Account, ev Event, why string) error {
	before := *p
	if p.Refused && ev == Drop { // a program of before has sent it, and put it back: whether it was executed is watched
		ev, p.Reason = Refuse, ReasonOf(api.Limited)
	}
	if err := e.transit(tx, p, ev, why); err != nil {
		return err
	}
	// The account's turn is held while the purchase is on the wire or uncertain, and by nothing else.
	if a.Busy == p.ID && p.Phase != store.Submitting && p.Phase != store.Unknown {
		a.Busy = ""
	}
	setApart(p, before.Phase)
	if p.Phase != store.Queued {
		a.Queue = without(a.Queue, p.ID)
	}
	switch ev {
	case Confirm: // which has set it
	case Postpone:
		p.TurnBy = p.QueuedAt.Add(queuedLife)
	default: // its turn has come, or it has left the queue
		p.TurnBy = time.Time{}
	}
	switch {
	case p.Open() && !before.Open():
		a.Open++
	case before.Open() && !p.Open():
		a.Open--
		p.ClosedAt = time.Now()
	}
	// Behind the phase, which all three ask for; the wallet first, then limits.
	e.close(p, a)
	giveBack(p, a)
	countAgain(p, a, before.Phase, e.Day(p.QueuedAt))
	if err := tellKeyTrouble(tx, *p, a, time.Now()); err != nil {
		return err
	}
	if err := tellOwners(tx, *p, *a, before.Phase); err != nil {
		return err
	}
	if err := tellQueue(tx, *p, *a, before.Phase); err != nil {
		return err
	}
	// Behind all above that changes either record, and before lineMoved, which may read purchases again. lineMoved puts the account
	// itself where it changes it.
	if err := tx.PutPurchase(p); err != nil {
		return err
	}
	if err := tx.PutAccount(a); err != nil {
		return err
	}
	if err := showAnew(tx, *p); err != nil {
		return err
	}
	// Last: it may put the next line of a list into the queue, which is a move of its own, with the same account.
	return e.lineMoved(tx, *p, a)
}

// close notes in the wallet that a purchase was said not to have happened. One that the service refused itself is
// watched for a while.
func (e *Engine) close(p *store.Purchase, a *store.Account) {
	switch p.Phase {
	case store.Rejected:
		if !p.Refused {
			forgo(a, p.ID)
			return
		}
		deny(a, p.ID)
		p.LookAt = time.Now().Add(firstLook)
	case store.NotCreated:
		deny(a, p.ID)
	case store.Dropped:
		forgo(a, p.ID)
	}
}

// without is the queue without one purchase.
func without(list []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(q string) bool { return q == id })
}

// transit applies an event to the purchase and its history.
func (e *Engine) transit(tx *store.Tx, p *store.Purchase, ev Event, why string) error {
	to, err := Next(p.Phase, ev)
	if err != nil {
		return err
	}
	if step := moved(p.Phase, to, why); e.cfg.Moved != nil {
		tx.Then(func() { e.cfg.Moved(step) })
	}
	p.History = append(p.History, store.Step{At: time.Now(), From: p.Phase, To: to, Why: why})
	p.Phase = to
	return nil
}
