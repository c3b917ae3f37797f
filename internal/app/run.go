package app

import (
	"context"
	"errors"
	"time"
)

// What a stop may take, within the ten seconds that it is promised in.
// The two run at the same time, since updates and purchases are of one stage. What is below them has the rest of the ten seconds.
const (
	drainGrace    = 4 * time.Second // updates being handled
	purchaseGrace = 4 * time.Second // a purchase on the wire; then its outcome is unknown
)

const readTimeout = 15 * time.Second // one read of the reseller service

// run is the bot itself, until ctx ends. Where the clock was set back it stops and starts again: what waits in memory and on
// disk would wait for the clock to be where it was.
// Each round is a program of its own, with a front of its own: nothing of the one before is used again.
func run(ctx context.Context, w World, cfg Config) error {
	for {
		if err := runOnce(ctx, w, cfg); !errors.Is(err, errClockSet) || ctx.Err() != nil {
			return err
		}
	}
}

// runOnce builds the program, starts it from the store up, waits for ctx to end, and stops it from the door down.
func runOnce(ctx context.Context, w World, cfg Config) error {
	log := newLogger(w.Stderr, cfg)
	front := openFront(w.Listen, cfg.HTTPAddr) //nolint:contextcheck // it closes last, when ctx is long over
	defer front.close()
	// die ends the whole program by one cause, from wherever it is found out that nothing may be written any more.
	ctx, die := context.WithCancelCause(ctx)
	defer die(nil)
	a, err := build(ctx, w, cfg, log, front, die)
	if errors.Is(err, context.Canceled) {
		return cfg.hideIn(whyStopped(ctx)) // before it stood
	}
	if err != nil {
		return cfg.hideIn(err)
	}
	// From the first moment of a stop /readyz says so, while updates are still drained.
	defer context.AfterFunc(ctx, func() { front.health.ill(partProcess, "it is stopping") })()
	err = RunStages(ctx, a.stages()...)
	if err == nil {
		err = whyStopped(ctx)
	}
	err = errors.Join(err, a.close())
	log.Info("stopped", "clean", err == nil)
	return cfg.hideIn(err)
}

// whyStopped is what has ended a context that was not told to end from outside; nil where it was.
func whyStopped(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// pruneInbox forgets updates that were handled long ago.
func (a *app) pruneInbox(ctx context.Context) error {
	for {
		n, err := a.store.PruneUpdates(ctx, time.Now(), 1000)
		if err != nil || n == 0 {
			return err
		}
	}
}

// pruneInvites forgets invitations that nobody has taken up in time.
func (a *app) pruneInvites(ctx context.Context) error {
	for {
		n, err := a.store.PruneInvites(ctx, time.Now(), 100)
		if err != nil || n == 0 {
			return err
		}
	}
}

// stages lists what runs, from the store up: what is below goes on until what is above has stopped.
func (a *app) stages() []Stage {
	// What brings in new work is on top, so that it stops first; what tells of it goes on the longest.
	top := Stage{
		{"receive updates", a.receive},
		{"purchases", a.purchases.Run},
		{"http", a.front.watch},
		{"operator", a.serveOperator},
	}
	if !a.cfg.ResellerKey.IsZero() && a.cfg.Operator != 0 {
		top = append(top, Task{"house key", func(ctx context.Context) error { return a.bot.LinkHouseKey(ctx, a.cfg.Operator, a.cfg.ResellerKey) }})
	}
	return []Stage{
		{{"deliver", a.deliverer.Run}, {"menus", a.menus.Run}},
		{{"follow orders", a.poller.Run}, {"jobs", a.jobs.Run}, {"clock", a.watchClock}},
		top,
	}
}

// close gives back what build took.
func (a *app) close() error {
	var err error
	// Where build has failed some of it was not made. The store closes last, for it writes what still waits.
	if a.service != nil {
		a.service.Close()
	}
	if a.http != nil {
		a.http.Close()
	}
	if a.store != nil {
		err = a.store.Close()
	}
	return err
}
