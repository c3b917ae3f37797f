package notify

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

const (
	followed  = 64  // accounts asked about side by side
	dueOrders = 500 // orders claimed at once

	// mostBeside is how many calls are made side by side for what is known to be ready.
	mostBeside = 4
	// gatherWithin is how long the first answer of such calls waits for the others.
	gatherWithin = 300 * time.Millisecond

	// refusedWait is for what time does not heal by itself: a bad key, a blocked address, an order that the service has not known for long.
	refusedWait = 5 * time.Minute
	// orphanWait is between tries at orders whose account is not there: whoever links it again finds them.
	orphanWait = time.Hour
	// claimAhead is how much earlier than they are due orders are claimed beside one that is.
	claimAhead = time.Second
	// inHand is how long orders are kept in memory until their next look. Those whose look is further away
	// are put back on disk, which finds them again.
	inHand = 15 * time.Second
)

// OrderSource asks the service about orders, under one account's key. An api.Session is one.
type OrderSource interface {
	Orders(ctx context.Context, ids []string) ([]api.Order, error)
	Order(ctx context.Context, ref api.OrderRef) (api.Order, error)
	Balance(ctx context.Context, maxAge time.Duration) (api.Balance, error)
	Allowance(method string) api.Allowance
}

// Settler takes what was seen of an account's orders, all in one transaction, with the messages that it
// causes; News tells whether there is anything to take, and Listed what a list shows of an order that no endpoint
// does. A purchase.Engine is one.
type Settler interface {
	News(o store.Order, seen api.Order, at time.Time) bool
	Settle(ctx context.Context, account string, seen []api.Order, at time.Time) error
	Listed(ctx context.Context, o store.Order) (found api.Order, ok bool, err error)
}

// PollerConfig is what a Poller is built from. All fields are required but BeatsOnly and Random.
type PollerConfig struct {
	Store   *store.Store
	Session func(store.Account) OrderSource
	Settler Settler
	Log     *slog.Logger
	// BeatsOnly has orders looked at when Beat says so, and at no other time.
	BeatsOnly bool
	// Random spreads what would come at one moment, in [0, 1); nil is math/rand/v2.Float64.
	Random func() float64
}

// Poller looks at orders until they have their outcome: at each beat, and between them, unless it is told not to, whenever
// the waiting that a call is expected to end is worth it (package pollplan). All of an account's orders that fit travel in
// one call, since it costs the same; accounts are asked side by side, in the order in which their calls are due.
type Poller struct {
	cfg     PollerConfig
	waker   waker
	lessons lessons
	outage  outage
	beats   chan struct{} // buffered 1

	mu        sync.Mutex
	schedules map[string]*schedule // by account
	calls     dueCalls             // of them
	far       farOrders
	sweepAt   int // how many schedules there may be before those are forgotten that nothing is asked for by
	slots     int // calls that may still go side by side
}

// NewPoller makes a Poller. It does nothing until Run.
func NewPoller(cfg PollerConfig) *Poller {
	if cfg.Random == nil {
		cfg.Random = rand.Float64
	}
	return &Poller{
		cfg: cfg, waker: newWaker(cfg.Store, store.KindOrder), lessons: newLessons(cfg.Store, cfg.Log), outage: outage{store: cfg.Store, keys: map[string]keyHealth{}, awaiting: map[int64]int{}},
		schedules: map[string]*schedule{}, slots: followed, beats: make(chan struct{}, 1), far: newFarOrders(),
	}
}

// Beat has the poller look at the orders that are due now.
func (p *Poller) Beat() {
	select {
	case p.beats <- struct{}{}:
	default: // one is to come already
	}
	// Without BeatsOnly nobody reads beats: there a beat only wakes the poller, which asks what is due.
	p.waker.wake()
}

// Run polls until ctx is done. A call in flight is cut then, and what was seen is settled. What is in hand
// then stays claimed: the next start inherits it.
func (p *Poller) Run(ctx context.Context) error {
	var g errgroup.Group
	if err := p.outage.begin(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	if p.cfg.BeatsOnly {
		g.Go(func() error { return p.watchKeys(ctx) })
		g.Go(func() error { return p.runByBeats(ctx) })
		return g.Wait()
	}
	g.Go(func() error { p.far.run(ctx, p.putAway); return nil })
	p.claimAll(ctx, lease) // what an earlier process had claimed is nobody's now
	for {
		for s, q := range p.ready(time.Now()) {
			// g has no limit of its own: ready takes no more than there are slots.
			g.Go(func() error { p.follow(ctx, s, q); return nil })
		}
		if !p.waker.waitUntil(ctx, p.next) {
			return g.Wait()
		}
		p.claimDue(ctx)
	}
}

// NextDue is when the call is due that is made next, of those for orders in hand; zero where none is planned. Where it lies
// behind, looks wait for others to end.
func (p *Poller) NextDue() (at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.first(time.Now()); first != nil {
		at = first.due()
	}
	return at
}

// ready takes the schedules whose call is due, those first that have waited longest, as many as may be asked
// about side by side.
func (p *Poller) ready(now time.Time) map[*schedule]query {
	p.mu.Lock()
	defer p.mu.Unlock()
	due := map[*schedule]query{}
	// One by one: called below changes what the outage lets, so each choice asks anew.
	for p.slots > 0 {
		first := p.first(now)
		if first == nil || first.due().After(now) {
			break
		}
		if first.plan(now); first.next.at.After(now) { // the budget has changed since
			p.calls.sort(first)
			continue
		}
		first.asking = true
		p.calls.sort(first)
		p.outage.called(first.account)
		p.slots--
		due[first] = first.next
	}
	return due
}

// first is the schedule whose call is due first; nil where none is planned. A schedule whose call is due now, and which an outage holds
// back, is put behind the next probe before that.
func (p *Poller) first(now time.Time) *schedule {
	for p.calls.Len() > 0 {
		s := p.calls.list[0]
		ok, probe := p.outage.lets(s.account, now)
		switch {
		case len(s.orders) == 0: // the last of them has gone otherwise
		case ok || s.due().After(now):
			return s
		default: // where the probe is under way, whoever makes it wakes the poller
			s.held = laterOf(probe, now.Add(beat))
		}
		p.calls.sort(s)
	}
	return nil
}

// next is when the next call is due; zero where none is planned.
func (p *Poller) next() (at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.slots == 0 {
		return at // whoever ends a call wakes the poller
	}
	if first := p.first(time.Now()); first != nil {
		at = first.due()
	}
	return at
}

// follow makes the call that is due for a schedule, and plans the next.
func (p *Poller) follow(ctx context.Context, s *schedule, q query) {
	p.change(func() { s.heard = false })
	err := guard(p.cfg.Log, "poll", func() error { return p.look(ctx, s, q) })
	// A stop says nothing about the service, and what is in hand stays claimed for the next start.
	if ctx.Err() != nil {
		return
	}
	// Before release, which gives the slot back: whoever takes it asks what the outage lets.
	tell, over, free := p.outage.answered(s.account, err, p.heard(s), time.Now())
	if free {
		p.change(p.calls.letGo)
	}
	if far, wait := p.release(ctx, s, q, err); len(far) > 0 {
		p.far.add(far, wait, time.Now(), p.cfg.Random)
	}
	if err := p.tellKey(ctx, s, q, err); err != nil {
		p.cfg.Log.Error("key", "account", s.account, "err", err)
	}
	if err != nil {
		p.pass(ctx, s, q.orders)
	}
	p.waker.wake()
	if tell {
		p.report(p.outage.tell(ctx))
	}
	if over {
		p.report(p.outage.end(ctx))
	}
}

// heard reports whether the last look of a schedule has told anything of its orders.
func (p *Poller) heard(s *schedule) (heard bool) {
	p.change(func() { heard = s.heard })
	return heard
}

// pass lets the time of orders go by that a call was to show and did not: whoever waits for too long is told, whatever the reason.
func (p *Poller) pass(ctx context.Context, s *schedule, orders []store.Order) {
	now := time.Now()
	late := slices.DeleteFunc(slices.Clone(orders), func(o store.Order) bool { return !p.cfg.Settler.News(o, api.Order{ID: o.ID}, now) })
	if len(late) == 0 {
		return
	}
	if err := p.cfg.Settler.Settle(context.WithoutCancel(ctx), s.account, unseen(late), now); err != nil {
		p.cfg.Log.Error("tell of orders that take too long", "account", s.account, "err", err)
	}
}

// report logs what could not be told; it is tried again after the next call.
func (p *Poller) report(err error) {
	if err != nil {
		p.cfg.Log.Error("outage", "err", err)
	}
}

// release gives a schedule back after its call. Where the next one is far, it names the orders that are put
// back on disk until then.
func (p *Poller) release(ctx context.Context, s *schedule, q query, err error) (far []store.Order, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() { p.calls.sort(s) }() // last, as what follows leaves it
	now := time.Now()
	s.asking = false
	p.slots++
	if s.key == q.key { // what another key met says nothing of this one
		p.note(ctx, s, err, now)
	}
	s.forgetPurchases()
	if p.cfg.BeatsOnly {
		s.forgetTries(now)
		return nil, 0 // the beat that it is part of puts them back
	}
	s.plan(now)
	if wait = s.next.at.Sub(now); wait > inHand {
		far = s.drain()
	}
	if len(s.orders) == 0 && !s.remembers(now) {
		delete(p.schedules, s.account)
	}
	return far, wait
}

// note keeps count of a schedule's failures, and of when its service is asked again. What the client itself
// held back, since people have used up the budget, is no failure.
func (p *Poller) note(ctx context.Context, s *schedule, err error, now time.Time) {
	if err == nil {
		s.failures, s.refusals, s.rest = 0, 0, time.Time{}
		return
	}
	// Status 0: no call was made. Behind a failure it counts as another one, and the wait grows on.
	if e, ok := errors.AsType[*api.Error](err); ok && e.Class == api.Limited && e.Status == 0 && s.failures == 0 {
		s.rest = now.Add(max(e.RetryAfter, beat))
		return
	}
	s.failures++
	if s.refusals++; !isKeyRefused(err) {
		s.refusals = 0
	}
	wait := spread(failureWait(err, s.failures), p.cfg.Random())
	if s.refusals > 0 && s.refusals < refusalsTold {
		wait = confirmWait
	}
	s.rest = now.Add(wait)
	if ctx.Err() == nil {
		p.cfg.Log.Warn("orders could not be looked at", "account", s.account, "failures", s.failures, "wait", wait, "err", err)
	}
}
