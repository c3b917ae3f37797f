package notify

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// Beats may be rare, and a paid code that waits under a key which is refused must not be found out about by the next one.
// So where orders are looked at by the beats alone, a key under which some wait is tried by reading the balance: that is no
// look at an order.

const (
	keyTick  = 10 * time.Second
	keyEvery = 15 * time.Second // and its confirmation: within a minute, at the pace of keyTick
)

// tryEvery is how often a key is tried under which the youngest order that waits is so old.
func tryEvery(age time.Duration) time.Duration {
	if age >= 24*time.Hour {
		return NextLook(age)
	}
	return keyEvery
}

// watchKeys tries keys until ctx is done.
func (p *Poller) watchKeys(ctx context.Context) error {
	var g errgroup.Group
	g.SetLimit(followed)
	for backoff.Sleep(ctx, keyTick) {
		if err := p.tryKeys(ctx, &g); err != nil && ctx.Err() == nil {
			p.cfg.Log.Error("try keys", "err", err)
		}
	}
	return g.Wait()
}

// tryKeys tries the keys that are due for it. Where too many calls are under way, the rest come with the next tick.
func (p *Poller) tryKeys(ctx context.Context, g *errgroup.Group) error {
	for after := ""; ctx.Err() == nil; {
		list, err := p.cfg.Store.Accounts(ctx, after, watchPage)
		if err != nil || len(list) == 0 {
			return err
		}
		after = list[len(list)-1].ID
		for _, a := range list {
			age, waits, err := p.youngest(ctx, a)
			if err != nil {
				return err
			}
			if waits {
				// TryGo and not Go: a tick must not wait for slow calls of the one before.
				g.TryGo(func() error { p.tryKey(ctx, a, age); return nil })
			}
		}
	}
	return nil
}

// youngest is the age of the youngest order that waits under the key of an account.
func (p *Poller) youngest(ctx context.Context, a store.Account) (age time.Duration, waits bool, err error) {
	if a.Key.IsZero() {
		return 0, false, nil
	}
	orders, err := p.cfg.Store.PendingOrders(ctx, a.ID, "", batchSize)
	if err != nil {
		return 0, false, fmt.Errorf("list pending orders: %w", err)
	}
	for _, o := range orders {
		if old := time.Since(o.CreatedAt); o.State == store.Waiting && (!waits || old < age) {
			age, waits = old, true
		}
	}
	return age, waits, nil
}

// tryKey tries the key of an account, if it is due. Only that it is refused, or is taken again, is of any interest.
func (p *Poller) tryKey(ctx context.Context, a store.Account, age time.Duration) {
	s, q, due := p.takeForKey(a, age)
	if !due {
		return
	}
	err := guard(p.cfg.Log, "try a key", func() error {
		_, err := q.service.Balance(api.InBackground(ctx), 0)
		return err
	})
	p.mu.Lock()
	// An outage of the service counts for nothing here: it is the beats' to find out.
	told := ctx.Err() == nil && s.key == q.key && (isKeyRefused(err) || err == nil && (s.refusals > 0 || s.told))
	if told {
		p.note(ctx, s, err, time.Now())
	}
	p.mu.Unlock()
	if !told {
		return
	}
	if err := p.tellKey(ctx, s, q, err); err != nil {
		p.cfg.Log.Error("key", "account", s.account, "err", err)
	}
}

// takeForKey prepares a call that tries a key, unless one was made lately, or the service has to be left alone.
func (p *Poller) takeForKey(a store.Account, age time.Duration) (s *schedule, q query, due bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, now := p.scheduleOf(a), time.Now()
	s.underKey(p.cfg.Session(a), a)
	// A key that was refused is tried as soon as its rest is over: after confirmWait, so that its owners hear within a minute, then after
	// refusedWait.
	if s.asking || s.rest.After(now) || s.refusals == 0 && now.Sub(s.tried) < tryEvery(age) {
		return nil, query{}, false
	}
	s.tried = now
	return s, s.call(now, true), true
}
