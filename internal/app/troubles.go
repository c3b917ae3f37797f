package app

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/metrics"
	"resellerbot/internal/notify"
	"resellerbot/internal/store"
)

const (
	silentCalls = 3               // that must have failed in a row before somebody counts as silent
	silentFor   = 5 * time.Minute // and for how long, until the operator is told
	conflictFor = 3 * time.Minute // longer than one answer about another process counts
	lateOrders  = 5 * time.Minute // how long a look at an order may be overdue
	lateMessage = 5 * time.Minute // how long a message may be
	mostCounted = 100             // parked updates that are counted, and keys that are named
	leastRoom   = 100 << 20       // bytes that the disk of the database has to have free
	roomShare   = 4               // or one part in so many of the database, where that is more
	lateCopy    = time.Hour       // how late a copy may be, besides twice the time between two
	keyRefusals = 2               // looks in a row at which a key has to be refused
	backupJob   = "back up the database"
)

// neighbour is whether somebody whom the bot calls answers.
type neighbour struct {
	mu       sync.Mutex
	answered bool      // ever
	since    time.Time // since when it does not; zero while it does
	failures int       // in a row
}

// called notes how a call has ended that took so long.
func (n *neighbour) called(answered bool, took time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if answered {
		n.answered, n.since, n.failures = true, time.Time{}, 0
		return
	}
	if n.failures++; n.failures == 1 {
		// From when the call began: a call that times out was silent all that time.
		n.since = time.Now().Add(-took)
	}
}

// condition says how it is.
func (n *neighbour) condition(context.Context) (notify.Condition, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.failures >= silentCalls:
		return notify.Condition{State: notify.Ill, Since: n.since}, nil
	case n.failures == 0 && n.answered:
		return notify.Condition{State: notify.Well}, nil
	}
	return notify.Condition{}, nil
}

// serviceMeter counts the calls of the service, and sees whether it answers.
type serviceMeter struct {
	*metrics.Metrics

	service *neighbour
}

// Called implements api.Meter. What was not sent, and what a limit of ours has held back, says nothing.
func (m serviceMeter) Called(operation, class string, background bool, took time.Duration) {
	m.Metrics.Called(operation, class, background, took)
	switch class {
	case api.Upstream.String():
		m.service.called(false, took)
	case api.Internal.String(), api.Limited.String(), api.NotOffered.String():
	default:
		m.service.called(true, took)
	}
}

// telegramCalled counts a call of Telegram, and sees whether it answers.
func (a *app) telegramCalled(method string, status int, took time.Duration) {
	a.figures.TelegramCall(method, status, took)
	// A refusal is an answer: only no answer, and a fault of the server, count as silence.
	a.telegramIs.called(status > 0 && status < http.StatusInternalServerError, took)
}

// refusedKeys are the accounts whose keys the service refuses, by how often in a row.
type refusedKeys struct {
	mu     sync.Mutex
	times  map[string]int
	unsure map[string]bool // accounts that the look under way has shown nothing sure of
	known  bool            // the last look has shown of all accounts how their keys are
}

// seen notes what came of a look at an account.
func (r *refusedKeys) seen(account string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	class := api.ClassOf(err)
	switch {
	case err == nil:
		delete(r.times, account)
		return
	// A single refusal may pass: until the next look repeats it, nothing is sure of the account, and all does not say that the
	// others are well.
	case class == api.Unauthorized || class == api.IPBlocked:
		if r.times == nil {
			r.times = map[string]int{}
		}
		if r.times[account]++; r.times[account] >= keyRefusals {
			return
		}
	}
	if r.unsure == nil {
		r.unsure = map[string]bool{}
	}
	r.unsure[account] = true
}

// looked notes the end of a look at all accounts; whole is that it came to all of them.
func (r *refusedKeys) looked(whole bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// unsure is of one look, times goes on over all of them.
	r.known, r.unsure = whole && len(r.unsure) == 0, nil
}

// all are those that were refused again; known is that all others are accepted.
func (r *refusedKeys) all() (accounts []string, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for account, n := range r.times {
		if n >= keyRefusals {
			accounts = append(accounts, account)
		}
	}
	slices.Sort(accounts)
	return accounts, r.known
}

// observe reads an account's balance for the watcher, and sees whether its key is taken.
func (a *app) observe(ctx context.Context, account string) (api.Balance, error) {
	b, err := a.purchases.Observe(ctx, account)
	a.refused.seen(account, err)
	return b, err
}

// watchingKeys has a look at all balances noted.
func (a *app) watchingKeys(look func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		err := look(ctx)
		a.refused.looked(err == nil && ctx.Err() == nil)
		return err
	}
}

// watches are what the operator is told of.
func (a *app) watches() []notify.Watch {
	return []notify.Watch{
		{Trouble: store.TelegramTrouble, After: silentFor, Afterwards: true, Check: a.telegramIs.condition},
		{Trouble: store.ServiceTrouble, After: silentFor, Check: a.serviceIs.condition},
		{Trouble: store.PollerTrouble, After: conflictFor, Check: a.pollerCondition},
		{Trouble: store.KeyTrouble, Check: a.keyCondition},
		{Trouble: store.CopiesTrouble, Check: a.copiesCondition},
		{Trouble: store.DiskTrouble, Check: a.diskCondition},
		{Trouble: store.ParkedTrouble, Check: a.parkedCondition},
		{Trouble: store.OrdersTrouble, Check: a.ordersCondition},
		{Trouble: store.OutboxTrouble, Check: a.outboxCondition},
	}
}

// whether is ill or well.
func whether(ill bool) notify.State {
	if ill {
		return notify.Ill
	}
	return notify.Well
}

// lastTime is when something was last.
type lastTime struct{ nanos atomic.Int64 }

// note notes that it is now.
func (m *lastTime) note() { m.nanos.Store(time.Now().UnixNano()) }

// within reports whether it was less than some time ago.
func (m *lastTime) within(d time.Duration) bool { return time.Since(time.Unix(0, m.nanos.Load())) < d }

// pollerCondition says whether another process uses the bot's token. That none does shows while Telegram answers.
func (a *app) pollerCondition(context.Context) (notify.Condition, error) {
	switch {
	case a.front.health.has(partConflict, time.Now()):
		return notify.Condition{State: notify.Ill}, nil
	case a.heard.within(conflictMemory):
		return notify.Condition{State: notify.Well}, nil
	}
	return notify.Condition{}, nil
}

// keyCondition says whose keys the service refuses.
func (a *app) keyCondition(ctx context.Context) (notify.Condition, error) {
	refused, known := a.refused.all()
	var names []string
	for _, id := range refused {
		account, err := a.store.Account(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return notify.Condition{}, err
		case account.Retired || account.Key.IsZero():
			continue
		}
		if names = append(names, account.Called()); len(names) == mostCounted {
			break
		}
	}
	switch {
	case len(names) > 0:
		return notify.Condition{State: notify.Ill, Count: len(names), About: strings.Join(names, " · ")}, nil
	case known:
		return notify.Condition{State: notify.Well}, nil
	}
	return notify.Condition{}, nil
}

// copiesCondition says whether copies of the database are made. Before one was tried, only their age can tell.
func (a *app) copiesCondition(context.Context) (notify.Condition, error) {
	c, made := a.copies()
	if !made {
		return notify.Condition{State: notify.Well}, nil
	}
	// Example: of copies that are made each day, the last may be 49 hours old.
	ran, failed := a.jobsRan.Last(backupJob)
	switch late := time.Since(c.Last) > 2*c.Every+lateCopy; {
	case failed || late:
		return notify.Condition{State: notify.Ill, Since: c.Last}, nil
	case ran:
		return notify.Condition{State: notify.Well}, nil
	}
	return notify.Condition{}, nil
}

// diskCondition says whether the database has room to grow.
func (a *app) diskCondition(context.Context) (notify.Condition, error) {
	// most of 0 is a server's database, whose disk nobody here sees.
	size, most, err := a.engine.Size()
	if err != nil || most == 0 {
		return notify.Condition{}, err
	}
	return notify.Condition{State: room(size, most-size)}, nil
}

// room says whether a database of a size has room where so much is free. What is just above the line tells nothing.
func room(size, free int64) notify.State {
	// Example: a database of 1 GB wants 250 MB, and is well again above 375 MB, so that a disk at the line is not told of each
	// time that it is crossed.
	least := max(leastRoom, size/roomShare)
	switch {
	case free < least:
		return notify.Ill
	case free > least+least/2:
		return notify.Well
	}
	return notify.Unclear
}

// parkedCondition says how many updates could not be handled.
func (a *app) parkedCondition(ctx context.Context) (notify.Condition, error) {
	parked, err := a.store.ParkedUpdates(ctx, mostCounted)
	if err != nil {
		return notify.Condition{}, err
	}
	is := notify.Condition{State: whether(len(parked) > 0), Count: len(parked)}
	if len(parked) > 0 {
		is.Since = parked[0].At
	}
	return is, nil
}

// ordersCondition says whether orders are looked at when they are due.
func (a *app) ordersCondition(ctx context.Context) (notify.Condition, error) {
	due, err := a.nextLook(ctx)
	if err != nil {
		return notify.Condition{}, err
	}
	return lateness(due, lateOrders), nil
}

// outboxCondition says whether messages go out when they are due. What Telegram does not take is due again later.
func (a *app) outboxCondition(ctx context.Context) (notify.Condition, error) {
	due, _, err := a.store.NextDue(ctx, store.KindOutbox)
	if err != nil {
		return notify.Condition{}, err
	}
	return lateness(due, lateMessage), nil
}

// lateness is the condition of a queue of which the first is due at a moment; zero where nothing is queued.
func lateness(due time.Time, allowed time.Duration) notify.Condition {
	late := !due.IsZero() && time.Since(due) > allowed
	is := notify.Condition{State: whether(late)}
	if late {
		is.Since = due
	}
	return is
}

// nextLook is when the next look at an order is due, of those on disk and in hand; zero where none is. Where beats alone say when
// looks are made, it is the one that follows.
func (a *app) nextLook(ctx context.Context) (time.Time, error) {
	// The poller holds orders in hand under a lease: the store shows them as due at its end, and not when their look is.
	due, some, err := a.store.NextDue(ctx, store.KindOrder)
	if err != nil {
		return time.Time{}, err
	}
	if hand := a.poller.NextDue(); !some || !hand.IsZero() && hand.Before(due) {
		due = hand
	}
	if a.cfg.PollBeatsOnly && !due.IsZero() {
		every, err := notify.Interval(a.cfg.PollSchedule, a.cfg.Zone, time.Now())
		return due.Add(every), err
	}
	return due, nil
}

// overdue is for how long the look at orders has been due that is due first, and the message.
func (a *app) overdue(ctx context.Context) (looks, messages time.Duration, err error) {
	look, err := a.nextLook(ctx)
	if err != nil {
		return 0, 0, err
	}
	message, _, err := a.store.NextDue(ctx, store.KindOutbox)
	return sinceDue(look), sinceDue(message), err
}

// sinceDue is for how long something has been due; 0 for what is not, or is nothing.
func sinceDue(due time.Time) time.Duration {
	if due.IsZero() {
		return 0
	}
	return max(time.Since(due), 0)
}
