package telegram

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"resellerbot/internal/sliding"
)

const (
	fewChats      = 1024            // not worth a sweep
	mostStrangers = 64              // replies to strangers that may wait
	strangerWait  = 5 * time.Second // and for how long
	strangerPart  = 5               // the part of the budget that is theirs at most: one of so many
	manyRefused   = 3               // accounts whose quiet chats are refused: then it is about everybody
	// refusedWithin is how close together they have to be: refusals minutes apart have causes of their own.
	refusedWithin = 2 * time.Second
)

// ErrNoRoom is in the chain of an error where strangers ask for more than is left for them.
var ErrNoRoom = errors.New("no room for strangers")

// sending is a message that wants to go.
type sending struct {
	chat    int64
	account string // for whom; "" where none is known
	class   Class
}

// waiter is a message that waits for its turn.
type waiter struct {
	sending

	earliest time.Time     // when it may go, if nobody else wants to
	turn     chan struct{} // closed when it may go
	place    *place        // then
}

// chatRefusal is a 429 of a chat that was sent little.
type chatRefusal struct {
	who   string
	at    time.Time
	after time.Duration
}

// budget is what all sends share: as many messages as Telegram takes of a bot. Without contention that is a
// lock and a look at a few times. With it deliveries go first. What they leave is shared by weight between
// replies, pings, alerts and digests, and what those leave is for strangers, and then for cleanups; within each, it
// is fair between accounts, and then between chats.
type budget struct {
	limits Limits

	// mu guards all that follows. It is held for looks at times alone, never for a call.
	mu        sync.Mutex
	all       *flight
	strangers *sliding.Window
	rest      time.Time // Telegram asked everybody to wait until then
	chats     map[int64]*chatPace
	sweepAt   int               // how many chats there may be before the idle ones are forgotten
	accounts  map[string]uint64 // which send of the bot each one's last message was, counted from 1
	turns     uint64            // sends so far
	queue     [classes][]*waiter
	pass      [classes]int // how much each class has had, by its weight
	served    int          // the pass of the class that was served last
	timer     *time.Timer
	refusals  []chatRefusal
}

func newBudget(l Limits) *budget {
	part := Limit{N: max(l.Overall.N/strangerPart, 1), Per: l.Overall.Per}
	return &budget{
		limits: l, all: newFlight(l.Overall), strangers: newWindow(part), chats: map[int64]*chatPace{}, sweepAt: fewChats, accounts: map[string]uint64{},
	}
}

// weight is a class's share of what deliveries leave.
func weight(class Class) int { return [classes]int{Replies: 6, Pings: 5, Alerts: 3, Digests: 1}[class] }

// wait blocks until a message may go, and returns its place; the caller calls answered with it, whatever came of the message. The error
// is context.Cause(ctx), context.DeadlineExceeded at once where the message cannot go in time, or ErrNoRoom for a stranger's message that
// finds the queue full, or would wait for longer than strangerWait.
func (b *budget) wait(ctx context.Context, s sending) (*place, error) {
	if s.class == Strangers {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, strangerWait, ErrNoRoom)
		defer cancel()
	}
	p, w, err := b.acquire(s)
	if w == nil {
		return p, err
	}
	// It cannot go in time even if nobody else wants to: whoever waits is told now and not then.
	if end, ok := ctx.Deadline(); ok && w.earliest.After(end) {
		b.withdraw(w)
		if s.class == Strangers {
			return nil, ErrNoRoom
		}
		return nil, context.DeadlineExceeded
	}
	select {
	case <-w.turn:
		return w.place, nil
	case <-ctx.Done():
		b.withdraw(w)
		return nil, context.Cause(ctx)
	}
}

// acquire lets a message go at once, or has it queue.
func (b *budget) acquire(s sending) (*place, *waiter, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	at := b.free(s, b.open(now))
	// A cleanup goes before nobody: what others send is let through beside one that waits.
	if !at.After(now) && !b.anyoneWaits(max(s.class, Strangers)) {
		return b.spend(s, now), nil, nil
	}
	if s.class == Strangers && len(b.queue[Strangers]) >= mostStrangers {
		return nil, nil, ErrNoRoom
	}
	if len(b.queue[s.class]) == 0 { // what it did not want meanwhile is not owed to it
		b.pass[s.class] = max(b.pass[s.class], b.served)
	}
	w := &waiter{sending: s, earliest: at, turn: make(chan struct{})}
	b.queue[s.class] = append(b.queue[s.class], w)
	// The queue may be one of messages that wait for their chats, while this one could go.
	b.grant(now)
	return nil, w, nil
}

// withdraw takes a message that is not waited for any more out of its queue. One whose turn has just come does not go.
func (b *budget) withdraw(w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.place == nil {
		b.dequeue(w)
		return
	}
	// What spend has noted of its chat, its account and its class stays: too little goes by that for a moment, and never too much.
	b.all.leave(w.place)
	if b.anyoneWaits(Cleanups) {
		b.grant(time.Now())
	}
}

// answered notes that a message has arrived, or that it did not, or that nothing more will be known of it: until then it may arrive.
func (b *budget) answered(s sending, p *place, arrived bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	late := b.all.answered(p, arrived, now)
	if c, known := b.chats[s.chat]; known {
		c.due = c.due.Add(late) // to the chat it may have come that much later
	}
	if b.anyoneWaits(Cleanups) { // there may be a place earlier than was foreseen
		b.grant(now)
	}
}

func (b *budget) dequeue(w *waiter) {
	b.queue[w.class] = slices.DeleteFunc(b.queue[w.class], func(q *waiter) bool { return q == w })
}

// spare takes a stranger's place for what is no message, and reports whether there was one.
func (b *budget) spare() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	// A message that waits for its own chat leaves the place to others meanwhile; one that waits for the limit of all does not.
	first := func(w *waiter) bool { return !b.free(w.sending, now).After(now) }
	if later(b.rest, b.strangers.Open()).After(now) || slices.ContainsFunc(b.queue[Strangers], first) {
		return false
	}
	b.strangers.Add(now)
	return true
}

// delay is how long the chat's own limits would hold a message back.
func (b *budget) delay(chat int64, class Class) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, ok := b.chats[chat]
	if !ok {
		return 0
	}
	return max(time.Until(c.free(class)), 0)
}

// waiting is how many pings, alerts and digests are queued.
func (b *budget) waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queue[Pings]) + len(b.queue[Alerts]) + len(b.queue[Digests])
}

// resting is how long Telegram wants to hear nothing at all.
func (b *budget) resting() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(time.Until(b.rest), 0)
}

// idle reports whether nobody waits but cleanups, and nobody has to.
func (b *budget) idle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.anyoneWaits(Strangers) && !b.rest.After(time.Now())
}

// obey takes a 429: its chat rests. Telegram counts in whole seconds, so one more is added. Everybody rests, for
// as long as it says, where the answer is about everybody: that of a method without a chat, or of several
// accounts' chats that were sent little. A stranger's chat says nothing of others.
func (b *budget) obey(s sending, after time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if s.chat == 0 {
		b.rest = later(b.rest, now.Add(after))
		return
	}
	c := b.chat(s.chat, now)
	c.rest = later(c.rest, now.Add(after+time.Second))
	if s.class != Strangers && c.quiet(now) {
		b.suspect(chatRefusal{who: cmp.Or(s.account, strconv.FormatInt(s.chat, 10)), at: now, after: after})
	}
}

// suspect notes a refusal that its chat does not explain. Many of them are about everybody.
func (b *budget) suspect(r chatRefusal) {
	b.refusals = slices.DeleteFunc(b.refusals, func(old chatRefusal) bool { return old.who == r.who || r.at.Sub(old.at) > refusedWithin })
	b.refusals = append(b.refusals, r)
	if len(b.refusals) < manyRefused {
		return
	}
	least := slices.MinFunc(b.refusals, func(x, y chatRefusal) int { return cmp.Compare(x.after, y.after) })
	b.rest = later(b.rest, r.at.Add(least.after))
	b.refusals = nil
}

// grant lets everybody go whose time has come, and sets the timer for the next one.
func (b *budget) grant(now time.Time) {
	for {
		w, next := b.pick(now)
		if w == nil {
			b.wake(now, next)
			return
		}
		if n := weight(w.class); n > 0 {
			// A class whose only message has waited for its chat since has an old pass: served does not go back to that.
			b.served = max(b.served, b.pass[w.class])
			// Each weight divides 60. Example: a reply (6) moves its class by 10, a digest (1) by 60, so that six replies go beside one
			// digest.
			b.pass[w.class] += 60 / n
		}
		b.dequeue(w)
		w.place = b.spend(w.sending, now)
		close(w.turn)
	}
}

// pick is who goes next; nil where nobody may now, with the moment to ask again: zero for none.
func (b *budget) pick(now time.Time) (best *waiter, next time.Time) {
	if !b.anyoneWaits(Cleanups) {
		return nil, next
	}
	// Nobody may go: then no queue has to be looked through.
	open := b.open(now)
	if open.After(now) {
		return nil, open
	}
	for _, class := range b.order() {
		for _, w := range b.queue[class] {
			at := b.free(w.sending, open)
			switch {
			case at.After(now) && (next.IsZero() || at.Before(next)):
				next = at
			case !at.After(now) && (best == nil || b.before(w.sending, best.sending)):
				best = w
			}
		}
		if best != nil {
			break
		}
	}
	return best, next
}

// order is which class goes first: deliveries, then whoever has had the least for its weight, then strangers, then cleanups.
func (b *budget) order() [classes]Class {
	weighed := [...]Class{Replies, Pings, Alerts, Digests}
	slices.SortStableFunc(weighed[:], func(x, y Class) int { return cmp.Compare(b.pass[x], b.pass[y]) })
	return [classes]Class{Deliveries, weighed[0], weighed[1], weighed[2], weighed[3], Strangers, Cleanups}
}

// before reports whether a message goes before another one of its class: that of whose account, and then chat, the
// last message was longer ago.
func (b *budget) before(x, y sending) bool {
	if byAccount := cmp.Compare(b.lastOf(x), b.lastOf(y)); byAccount != 0 {
		return byAccount < 0
	}
	return b.turnOf(x.chat) < b.turnOf(y.chat)
}

// lastOf is the turn of the last message of an account, or of the chat where none is known.
func (b *budget) lastOf(s sending) uint64 {
	if s.account == "" {
		return b.turnOf(s.chat)
	}
	return b.accounts[s.account]
}

func (b *budget) turnOf(chat int64) uint64 {
	if c, known := b.chats[chat]; known {
		return c.turn
	}
	return 0
}

// wake sets the timer for a moment; zero is none.
func (b *budget) wake(now, at time.Time) {
	switch {
	case at.IsZero():
	case b.timer == nil:
		b.timer = time.AfterFunc(at.Sub(now), b.tick)
	default:
		b.timer.Reset(at.Sub(now))
	}
}

// tick is the timer's.
func (b *budget) tick() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.grant(time.Now())
}

// anyoneWaits reports whether a message of a class, or of one before it, is queued.
func (b *budget) anyoneWaits(last Class) bool {
	return slices.ContainsFunc(b.queue[:last+1], func(q []*waiter) bool { return len(q) > 0 })
}

// open is the moment from which any message may go.
func (b *budget) open(now time.Time) time.Time { return later(b.rest, b.all.open(now)) }

// free is the moment from which a message may go, if nobody else wants to: open is that of any.
func (b *budget) free(s sending, open time.Time) time.Time {
	at := open
	if s.class == Strangers {
		at = later(at, b.strangers.Open())
	}
	if c, known := b.chats[s.chat]; known {
		at = later(at, c.free(s.class))
	}
	return at
}

// spend notes that a message goes, and returns its place.
func (b *budget) spend(s sending, now time.Time) *place {
	p := b.all.goes(now)
	if s.class == Strangers {
		b.strangers.Add(now)
	}
	b.turns++
	if s.account != "" {
		b.accounts[s.account] = b.turns
	}
	b.chat(s.chat, now).note(now, b.turns)
	return p
}

// chat is a chat's state, made where there is none.
func (b *budget) chat(id int64, now time.Time) *chatPace {
	if c, ok := b.chats[id]; ok {
		return c
	}
	if len(b.chats) >= b.sweepAt {
		b.sweep(now)
	}
	c := newChatPace(b.limits, id)
	b.chats[id] = c
	return c
}

// sweep forgets idle chats, and whose turn was long ago. It runs when the number of chats has doubled, so a send
// costs the same on average whatever their number.
func (b *budget) sweep(now time.Time) {
	maps.DeleteFunc(b.chats, func(_ int64, c *chatPace) bool { return c.idle(now) })
	maps.DeleteFunc(b.accounts, func(_ string, turn uint64) bool { return turn+fewChats < b.turns })
	b.sweepAt = max(2*len(b.chats), fewChats)
}
