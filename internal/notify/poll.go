package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	followed  = 8   // accounts asked about side by side
	batchSize = 50  // orders in one call
	dueOrders = 500 // orders claimed at once

	// refusedWait is for what time does not heal by itself: a bad key, a blocked address, an order that
	// the service does not know.
	refusedWait = 5 * time.Minute
)

// OrderSource asks the service about orders, under one account's key. An api.Session is one.
type OrderSource interface {
	Orders(ctx context.Context, ids []string) ([]api.Order, error)
	Order(ctx context.Context, ref api.OrderRef) (api.Order, error)
}

// Settler takes what was seen of an account's orders, all in one transaction, with the messages that it
// causes. A purchase.Engine is one.
type Settler interface {
	Settle(ctx context.Context, account string, seen []api.Order, at time.Time) error
}

// PollerConfig is what a Poller is built from. All fields are required but where a default is named.
type PollerConfig struct {
	Store   *store.Store
	Session func(store.Account) OrderSource
	Settler Settler
	Log     *slog.Logger
	// Random spreads what would come at one moment, in [0, 1); nil is a good source.
	Random func() float64
}

// Poller looks at orders until they have their outcome. All of an account's orders that fit travel in
// one call, since it costs the same; accounts are asked side by side.
type Poller struct {
	cfg   PollerConfig
	alarm alarm

	mu       sync.Mutex
	accounts map[string]*followUp
}

// followUp is the work at hand for one account.
type followUp struct {
	due      map[string]store.Order // claimed, by id
	running  bool
	failures int       // calls that failed in a row
	rest     time.Time // the service is not asked before
}

// NewPoller makes a Poller. It does nothing until Run.
func NewPoller(cfg PollerConfig) *Poller {
	if cfg.Random == nil {
		cfg.Random = rand.Float64
	}
	return &Poller{cfg: cfg, alarm: newAlarm(cfg.Store, store.KindOrder), accounts: map[string]*followUp{}}
}

// Beat has the poller look for due orders now: the safety net under its own timer.
func (p *Poller) Beat() { p.alarm.ring() }

// Run polls until ctx is done. A call in flight is cut then, and what was seen is settled.
func (p *Poller) Run(ctx context.Context) error {
	var g errgroup.Group
	g.SetLimit(followed)
	dispatch := func(now time.Time) (claimed int) {
		due := p.claim(ctx, now)
		for _, account := range p.enlist(due) {
			g.Go(func() error { p.follow(ctx, account); return nil })
		}
		return len(due)
	}
	for dispatch(time.Now().Add(lease)) == dueOrders { // what an earlier process had claimed is nobody's now
	}
	for p.alarm.wait(ctx) {
		dispatch(time.Now())
	}
	return g.Wait()
}

// claim takes the orders that are due at now.
func (p *Poller) claim(ctx context.Context, now time.Time) []store.Order {
	due, err := p.cfg.Store.ClaimOrders(ctx, now, lease, dueOrders)
	if err != nil && ctx.Err() == nil {
		p.cfg.Log.Error("claim due orders", "err", err)
		pause(ctx, beat)
	}
	return due
}

// enlist notes claimed orders, and names the accounts that nobody follows yet.
func (p *Poller) enlist(due []store.Order) (fresh []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range due {
		f, ok := p.accounts[o.Account]
		if !ok {
			f = &followUp{due: map[string]store.Order{}}
			p.accounts[o.Account] = f
		}
		f.due[o.ID] = o
		if !f.running {
			f.running = true
			fresh = append(fresh, o.Account)
		}
	}
	return fresh
}

// follow asks about one account's orders until none that is claimed is left. At a stop the rest stays
// claimed: the next start inherits it.
func (p *Poller) follow(ctx context.Context, account string) {
	for ctx.Err() == nil {
		due, rest := p.take(account)
		if len(due) == 0 {
			return
		}
		if wait := time.Until(rest); wait > 0 {
			p.pushBack(ctx, due, func(store.Order) time.Duration { return wait })
			continue
		}
		err := guard(p.cfg.Log, "poll", func() error { return p.look(ctx, account, due) })
		if wait := p.note(ctx, account, err); wait > 0 {
			p.pushBack(ctx, due, func(store.Order) time.Duration { return wait })
		}
	}
}

// take hands over the orders that are claimed for an account by now, a batch at most. Where there is
// none, the account is left.
func (p *Poller) take(account string) (due []store.Order, rest time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.accounts[account]
	for id, o := range f.due {
		if len(due) == batchSize {
			break
		}
		due = append(due, o)
		delete(f.due, id)
	}
	f.running = len(due) > 0
	if !f.running && f.failures == 0 {
		delete(p.accounts, account)
	}
	return due, f.rest
}

// note keeps count of an account's failures and tells how long the service is not to be asked; zero
// after a call that went well.
func (p *Poller) note(ctx context.Context, account string, err error) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.accounts[account]
	if err == nil {
		f.failures, f.rest = 0, time.Time{}
		return 0
	}
	f.failures++
	wait := spread(failureWait(err, f.failures), p.cfg.Random())
	f.rest = time.Now().Add(wait)
	if ctx.Err() == nil {
		p.cfg.Log.Warn("orders could not be looked at", "account", account, "failures", f.failures, "wait", wait, "err", err)
	}
	return wait
}

// failureWait is how long the service is left alone after a call that failed, the last of several.
func failureWait(err error, failures int) time.Duration {
	var e *api.Error
	wait := outageWait(failures)
	switch {
	case !errors.As(err, &e):
		return wait
	case e.Class == api.Limited:
		return max(e.RetryAfter, wait)
	case e.Class == api.Unauthorized, e.Class == api.IPBlocked:
		return refusedWait
	}
	return wait
}

// look asks about an account's orders: those that are due, and others that fit into the same call.
func (p *Poller) look(ctx context.Context, account string, due []store.Order) error {
	a, err := p.cfg.Store.Account(ctx, account)
	if err != nil {
		return fmt.Errorf("read account %s: %w", account, err)
	}
	pending, err := p.cfg.Store.PendingOrders(ctx, account, "", 2*batchSize)
	if err != nil {
		return fmt.Errorf("list pending orders of account %s: %w", account, err)
	}
	service := p.cfg.Session(a)
	single, batched := split(due)
	if len(batched) > 0 {
		_, riding := split(pending)
		err = p.ask(ctx, service, account, fill(batched, riding))
	}
	return errors.Join(err, p.askEach(ctx, service, account, single))
}

// split parts the orders that are looked at one by one from those that travel in one call.
func split(orders []store.Order) (single, batched []store.Order) {
	for _, o := range orders {
		if api.Origin(o.Origin).Batched() {
			batched = append(batched, o)
		} else {
			single = append(single, o)
		}
	}
	return single, batched
}

// askEach looks at orders that have an endpoint of their own, and settles what it saw together. A failure
// that is not about one order ends it: the others would meet the same.
func (p *Poller) askEach(ctx context.Context, s OrderSource, account string, orders []store.Order) error {
	var seen []api.Order
	var failed error
	for i, o := range orders {
		got, err := s.Order(api.InBackground(ctx), api.OrderRef{Origin: api.Origin(o.Origin), ID: o.ServiceID(), Transaction: o.Other})
		switch class := api.ClassOf(err); {
		case err == nil:
			got.ID = o.ID
			seen = append(seen, got)
			continue
		case class == api.NotFound, class == api.Invalid:
			p.refuse(ctx, o, err)
			continue
		}
		failed = err
		wait := failureWait(err, 1)
		p.pushBack(ctx, orders[i:], func(store.Order) time.Duration { return wait })
		break
	}
	if len(seen) == 0 {
		return failed
	}
	return errors.Join(failed, p.cfg.Settler.Settle(context.WithoutCancel(ctx), account, seen, time.Now()))
}

// refuse puts an order back for long that the service does not take.
func (p *Poller) refuse(ctx context.Context, o store.Order, err error) {
	p.cfg.Log.Warn("the service does not take this order", "account", o.Account, "order", o.ID, "err", err)
	p.pushBack(ctx, []store.Order{o}, func(o store.Order) time.Duration { return max(NextLook(time.Since(o.CreatedAt)), refusedWait) })
}

// fill adds to the orders that are due those that would be next, as many as fit into a call.
func fill(due, pending []store.Order) []store.Order {
	slices.SortFunc(pending, func(a, b store.Order) int { return a.Due.Compare(b.Due) })
	batch := slices.Clone(due)
	for _, o := range pending {
		if len(batch) >= batchSize {
			break
		}
		if !slices.ContainsFunc(due, func(d store.Order) bool { return d.ID == o.ID }) {
			batch = append(batch, o)
		}
	}
	return batch
}

// ask makes one call and settles what it shows. A refusal may be for a single id that the service does
// not take, so the halves are asked then: one bad order must not hide the others.
func (p *Poller) ask(ctx context.Context, s OrderSource, account string, batch []store.Order) error {
	ids := make([]string, len(batch))
	for i, o := range batch {
		ids[i] = o.ID
	}
	seen, err := s.Orders(api.InBackground(ctx), ids)
	switch class := api.ClassOf(err); {
	case err == nil:
		return p.settle(ctx, account, batch, seen)
	case class != api.NotFound && class != api.Invalid:
		return err
	case len(batch) == 1:
		p.refuse(ctx, batch[0], err)
		return nil
	}
	half := len(batch) / 2
	if err := p.ask(ctx, s, account, batch[:half]); err != nil {
		return err
	}
	return p.ask(ctx, s, account, batch[half:])
}

// settle passes on what was asked for, whatever stops meanwhile. Orders that the answer leaves out stay
// pending, and what was not asked for is nobody's business.
func (p *Poller) settle(ctx context.Context, account string, batch []store.Order, seen []api.Order) error {
	missing := make(map[string]store.Order, len(batch))
	for _, o := range batch {
		missing[o.ID] = o
	}
	ours := seen[:0:0]
	for _, o := range seen {
		if _, asked := missing[o.ID]; asked {
			ours = append(ours, o)
			delete(missing, o.ID)
		}
	}
	if len(ours) < len(seen) || len(missing) > 0 {
		p.cfg.Log.Info("the answer does not fit the question", "account", account, "asked", len(batch), "foreign", len(seen)-len(ours), "missing", len(missing))
	}
	p.pushBack(ctx, slices.Collect(maps.Values(missing)), func(o store.Order) time.Duration { return NextLook(time.Since(o.CreatedAt)) })
	if len(ours) == 0 {
		return nil
	}
	return p.cfg.Settler.Settle(context.WithoutCancel(ctx), account, ours, time.Now())
}

// pushBack sets the next look at orders that were not seen. One that was looked at meanwhile is left.
func (p *Poller) pushBack(ctx context.Context, orders []store.Order, wait func(store.Order) time.Duration) {
	if len(orders) == 0 {
		return
	}
	now := time.Now()
	err := p.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		for _, asked := range orders {
			o, err := tx.Order(asked.Account, asked.ID)
			if errors.Is(err, store.ErrNotFound) || err == nil && (o.Due.IsZero() || o.Looks != asked.Looks) {
				continue
			}
			if err != nil {
				return err
			}
			o.Due = now.Add(spread(wait(o), p.cfg.Random()))
			if err := tx.PutOrder(&o); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		p.cfg.Log.Error("put orders back", "err", err)
	}
}
