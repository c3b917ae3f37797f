package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// submission is the right to post one purchase once. Only commitSubmitting makes one, after the
// purchase is on disk as submitting, and post uses it up.
type submission struct {
	purchase store.Purchase
	service  Service
	begun    time.Time // before the intent was written
	used     bool
}

// take brings a queued purchase from its turn to an outcome. wait is how long to pause before it may
// be tried again, where the service asked for that.
func (e *Engine) take(ctx context.Context, a store.Account, p store.Purchase) (wait time.Duration, err error) {
	if p.Phase != store.Queued {
		return 0, e.leaveQueue(ctx, a.ID, p.ID)
	}
	if time.Since(p.QueuedAt) >= queuedLife {
		return 0, e.endPlace(ctx, p.ID)
	}
	if why := forbidden(a, p); why != "" {
		return 0, e.endQueued(ctx, p.ID, Drop, why, nil)
	}
	service := e.cfg.Service(a)
	now, before, err := e.look(ctx, service, p)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err() // not submitted: it waits on disk for the next start
	case err != nil:
		e.log(p).Info("purchase refused before submitting", "err", err)
		return 0, e.endQueued(ctx, p.ID, Refuse, ReasonOf(api.ClassOf(err)), nil)
	case p.Refused: // by an earlier attempt, which may have been executed all the same
		if again, err := e.mayRepeat(ctx, a, p); err != nil || !again {
			return 0, err
		}
	}
	switch {
	case now == nil:
		return 0, e.endQueued(ctx, p.ID, Refuse, ReasonOf(api.OutOfStock), nil)
	case !same(now.Name, p.Variant):
		service.Forget()
		return 0, e.endQueued(ctx, p.ID, Drop, ReasonRenamed, nil)
	case !now.Price.Equal(p.Price):
		service.Forget()
		return 0, e.endQueued(ctx, p.ID, Drop, ReasonPrice, func(p *store.Purchase) { p.NewPrice = &now.Price })
	}
	s, err := e.commitSubmitting(ctx, a, service, p.ID, before)
	if err != nil || s == nil {
		return 0, err
	}
	return e.settleSurely(ctx, s.purchase, e.posted(ctx, s))
}

// look reads what a purchase is judged by just before it is submitted: the variant as it is sold now
// (nil where it is not), and the account's state as evidence for finding the purchase again. Without the
// evidence the purchase goes on: the service itself decides whether the money is there.
func (e *Engine) look(ctx context.Context, service Service, p store.Purchase) (now *api.Variant, snap store.Snapshot, err error) {
	snap = store.Snapshot{Used: -1}
	var g errgroup.Group
	g.Go(func() error {
		variants, err := service.Variants(ctx, p.ProductID)
		if i := slices.IndexFunc(variants, func(v api.Variant) bool { return v.ID == p.VariantID }); i >= 0 {
			now = &variants[i]
		}
		return err
	})
	g.Go(func() error {
		if b, err := service.Balance(ctx, 0); err == nil && !b.Lacks {
			snap.Balance, snap.Available, snap.Known = b.Balance, b.Available, true
		}
		return nil
	})
	g.Go(func() error {
		if list, err := service.History(ctx, listOf(p), 0); err == nil {
			snap.Rows, snap.Unreadable, snap.Listed = rowsOf(list)
		}
		return nil
	})
	err = g.Wait()
	snap.At, snap.Used = time.Now(), usedOf(now)
	return now, snap, err
}

// commitSubmitting puts the intent on disk. What it returns is the only way to post; nil where the purchase is
// forbidden by now: this is the last moment for that.
func (e *Engine) commitSubmitting(ctx context.Context, account store.Account, service Service, id string, before store.Snapshot) (*submission, error) {
	seen, err := e.reading(ctx, account, before.Available, before.At)
	if err != nil {
		return nil, fmt.Errorf("read what the balance may hold: %w", err)
	}
	var p store.Purchase
	var why string
	begun := time.Now()
	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) (err error) {
		var a store.Account
		if p, a, err = load(tx, id); err != nil {
			return err
		}
		if p.Phase != store.Queued {
			why = "its place in the queue has ended"
			return nil
		}
		if why = forbidden(a, p); why != "" {
			return e.end(tx, &p, &a, why)
		}
		if a.Busy != "" {
			return fmt.Errorf("account %s is busy with %s", a.ID, a.Busy)
		}
		if before.Known { // the last reading without this purchase in it
			if err := e.observe(tx, &a, seen); err != nil {
				return err
			}
		}
		before.Settled, before.Odd = a.Wallet.Read && before.Known && level(a.Wallet).Equal(before.Available), a.Wallet.Odd
		a.Busy = p.ID
		a.Spends++
		if p.Refused { // it is judged by what was there before the first attempt
			before = p.Before
			mayGo(&a, p.ID, dzd.Amount{}.Sub(p.Total), store.Twice, time.Now())
		} else {
			p.SentAt, before.Held = time.Now(), pricesOf(seen.hopes)
		}
		before.Spends = a.Spends
		p.Before, p.Attempts = before, p.Attempts+1
		expect(&a, p, p.SentAt)
		return e.move(tx, &p, &a, Submit, "")
	})
	if err != nil {
		return nil, fmt.Errorf("commit the intent of %s: %w", id, err)
	}
	if why != "" {
		return nil, nil //nolint:nilnil // there is nothing to post, and that is no failure
	}
	return &submission{purchase: p, service: service, begun: begun}, nil
}

// pricesOf is what orders cost that were still waited for.
func pricesOf(hopes []hope) (prices []dzd.Amount) {
	for _, h := range hopes {
		prices = append(prices, h.price)
	}
	return prices
}

// post makes the one wire attempt. A stop lets it go on for StopGrace, then cuts it: its outcome is
// unknown.
func (e *Engine) post(ctx context.Context, s *submission) api.Verdict {
	if s.used {
		return api.Verdict{Outcome: api.Unknown, Reason: "posted twice"}
	}
	s.used = true
	wire, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() {
		backoff.Sleep(wire, e.cfg.StopGrace)
		cut()
	})
	defer stop()
	p := s.purchase
	inputs := make(map[string]string, len(p.Inputs))
	for _, a := range p.Inputs {
		if a.Value != "" { // skipped
			inputs[a.Index] = a.Value
		}
	}
	e.log(p).Info("purchase submitting", "attempt", p.Attempts)
	v := s.service.Purchase(wire, api.PurchaseRequest{
		Family: api.Family(p.Family), ProductID: p.ProductID, VariantID: p.VariantID, Plan: p.Plan, Quantity: p.Quantity, Inputs: inputs,
		Begun: s.begun,
	})
	s.service.Forget()
	return v
}

// settleVerdict puts the outcome of an attempt on disk, with the messages that it causes: once a request
// may be out, its outcome is written whatever stops.
func (e *Engine) settleVerdict(ctx context.Context, p store.Purchase, v api.Verdict) (wait time.Duration, err error) {
	ctx = context.WithoutCancel(ctx)
	e.log(p).Info("purchase answered", "outcome", v.Outcome.String(), "class", v.Class.String(), "status", v.Status, "reason", v.Reason, "orders", len(v.OrderIDs))
	switch v.Outcome {
	case api.Accepted:
		return 0, e.accept(ctx, p.ID, v)
	case api.Rejected, api.NotSent:
		sent := v.Outcome == api.Rejected && v.Status != 0
		if wait, ok := e.again(ctx, p, v, sent); ok {
			return wait, e.postpone(ctx, p.ID, sent)
		}
		return 0, e.finish(ctx, p.ID, Refuse, ReasonOf(v.Class), func(p *store.Purchase) {
			p.AnsweredAt, p.Fields, p.Refused = time.Now(), v.Fields, p.Refused || sent
		})
	default:
		return 0, e.lost(ctx, p.ID, v)
	}
}

// again tells how long to wait before a purchase that met a limit may be tried again. One that the service itself
// refused may have been executed all the same: its readings have to be known to be fresh enough to show that first.
func (e *Engine) again(ctx context.Context, p store.Purchase, v api.Verdict, sent bool) (wait time.Duration, ok bool) {
	if v.Class != api.Limited || p.Attempts >= maxAttempts {
		return 0, false
	}
	wait = max(v.RetryAfter, backoff.Doubled(time.Second, time.Minute, p.Attempts))
	if sent {
		a, err := e.cfg.Store.Account(ctx, p.Account)
		if err != nil || !lagsKnown(a, p) {
			return 0, false
		}
		wait = max(wait, fresh(a, p))
	}
	return wait, time.Since(p.QueuedAt)+wait < queuedLife
}

// leastFresh is how old a reading may be at any time, however fresh an account's were until now, and where it is not
// known how late they are.
const leastFresh = time.Minute

// fresh is after how long the readings of an account show what has happened.
func fresh(a store.Account, p store.Purchase) time.Duration {
	return max(leastFresh, time.Second+lagFactor*longestLag(a, p))
}

// mayRepeat reports whether a purchase that the service refused with 429 may be sent once more: nothing that came
// since shows that it was executed. Else it ends here, and is watched.
func (e *Engine) mayRepeat(ctx context.Context, a store.Account, p store.Purchase) (bool, error) {
	v := e.evidence(a, p)
	if err := v.gather(ctx); err != nil || ctx.Err() != nil {
		return false, errors.Join(err, ctx.Err())
	}
	f := v.found
	nothing := f.listed && f.charge == uncharged && len(v.kept.Rows) == 0 && f.others == 0 && f.own == 0 && !f.traced
	if nothing && f.known && f.age >= fresh(a, p) {
		return true, nil
	}
	e.log(p).Info("a purchase that met 429 is not tried again", "rule", judge(f).rule)
	return false, e.finish(ctx, p.ID, Refuse, ReasonOf(api.Limited), nil)
}

// lost makes a purchase unknown whose answer proves nothing.
func (e *Engine) lost(ctx context.Context, id string, v api.Verdict) error {
	return e.change(ctx, id, func(p *store.Purchase, a *store.Account) (Event, string) {
		p.Reason = v.Reason
		p.OrderIDs, p.Origin = answeredOrders(v).keys(), string(v.Origin)
		e.uncertain(p, *a)
		return Lose, v.Reason
	})
}

// accept stores the orders that an answer named. Ids that are already somebody's prove that the answer
// is not this purchase's: it stays unknown.
func (e *Engine) accept(ctx context.Context, id string, v api.Verdict) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		if err != nil {
			return err
		}
		p.AnsweredAt = time.Now()
		free, err := e.adopt(tx, &p, &a, answeredOrders(v))
		switch {
		case err != nil:
			return err
		case !free:
			e.uncertain(&p, a)
			return e.move(tx, &p, &a, Lose, "the answer names an order that is known already")
		}
		return e.move(tx, &p, &a, Accept, "")
	})
}

// isForSomebody reports whether somebody, or something, was named when it was bought.
func isForSomebody(p store.Purchase) bool {
	return slices.ContainsFunc(p.Inputs, func(a store.Answer) bool { return a.Value != "" })
}

// adopt makes orders a purchase's own, follows them, and takes the purchase out of the wallet. Orders that
// are somebody's already are nobody else's: free is false then, and nothing is changed.
func (e *Engine) adopt(tx *store.Tx, p *store.Purchase, a *store.Account, n named) (free bool, err error) {
	for _, o := range n.orders {
		o.Account = a.ID
		if free, err := e.free(tx, *p, o, n.answered); err != nil || !free {
			return false, err
		}
	}
	now := time.Now()
	for i, named := range n.orders {
		o := store.Order{
			Account: a.ID, ID: named.ID, Purchase: p.ID, Origin: named.Origin, Other: named.Other, Topup: p.Topup, Personal: !p.Topup && isForSomebody(*p), Manual: p.Manual,
			Item: store.ItemOf(*p), Unit: i + 1, State: store.Waiting, Price: named.Price, CreatedAt: now, Due: now,
		}
		if err := tx.PutOrder(&o); err != nil {
			return false, err
		}
		if err := tx.ClaimOrder(o); err != nil && !errors.Is(err, store.ErrClaimed) {
			return false, err
		}
	}
	p.OrderIDs, p.Missing = n.keys(), p.Quantity-len(n.orders)
	if !n.answered {
		return true, debit(tx, a, *p, false, "", now)
	}
	return true, debit(tx, a, *p, true, toLearn(*a, *p), now)
}

// free reports whether an order may become a purchase's own: it is nobody's, under any of its names, or another account
// has one of that number and another code. An answer is a better proof than a list was.
func (e *Engine) free(tx *store.Tx, p store.Purchase, o store.Order, answered bool) (bool, error) {
	if _, err := tx.Order(o.Account, o.ID); !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	for _, name := range o.Names() {
		c, err := tx.OrderClaim(name)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return false, err
		case answered:
			err = e.numbersAlike(tx, p, name, c)
		default:
			var other bool
			if other, err = anotherOrder(tx.Order, c, o); !other {
				return false, err
			}
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// postpone puts a purchase that met a limit back at the head of its queue; refused tells that the service said so.
func (e *Engine) postpone(ctx context.Context, id string, refused bool) error {
	return e.change(ctx, id, func(p *store.Purchase, a *store.Account) (Event, string) {
		a.Queue = append([]string{p.ID}, a.Queue...)
		p.AnsweredAt, p.Refused = time.Now(), p.Refused || refused
		return Postpone, "rate limit"
	})
}

// lose makes a purchase unknown.
func (e *Engine) lose(ctx context.Context, id, why string) error {
	return e.lost(ctx, id, api.Verdict{Reason: why})
}

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
	return e.change(ctx, id, func(p *store.Purchase, _ *store.Account) (Event, string) {
		p.Reason = why
		if set != nil {
			set(p)
		}
		return ev, why
	})
}

// change is one transaction on a purchase and its account: fn prepares both and names the event.
func (e *Engine) change(ctx context.Context, id string, fn func(*store.Purchase, *store.Account) (Event, string)) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		if err != nil {
			return err
		}
		ev, why := fn(&p, &a)
		return e.move(tx, &p, &a, ev, why)
	})
}

// leaveQueue takes a purchase that is not queued out of its account's queue.
func (e *Engine) leaveQueue(ctx context.Context, account, id string) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		a, err := tx.Account(account)
		if err != nil {
			return err
		}
		a.Queue = without(a.Queue, id)
		return tx.PutAccount(&a)
	})
}

// load reads a purchase with its account.
func load(tx *store.Tx, id string) (store.Purchase, store.Account, error) {
	p, err := tx.Purchase(id)
	if err != nil {
		return p, store.Account{}, err
	}
	a, err := tx.Account(p.Account)
	return p, a, err
}

// ordersOf reads the orders of a purchase. All of them are there: what became of it is told by all.
func ordersOf(tx *store.Tx, p store.Purchase) ([]store.Order, error) {
	var orders []store.Order
	for _, id := range p.OrderIDs {
		o, err := tx.Order(p.Account, id)
		if err != nil {
			return nil, fmt.Errorf("read order %s: %w", id, err)
		}
		orders = append(orders, o)
	}
	return orders, nil
}
