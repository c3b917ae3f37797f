package notify

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Lane is who goes first when several messages wait for Telegram's limits.
type Lane uint8

const (
	// Replies are what a person waits for with the chat open. They count against the limits, but are not
	// held back by them: only by a 429.
	Replies Lane = iota
	// Deliveries are codes and outcomes of purchases.
	Deliveries
	// Alerts are everything that can wait.
	Alerts

	lanes = iota
)

// Limit allows N messages, at least one, in any time span of length Per.
type Limit struct {
	N   int
	Per time.Duration
}

// Limits is how fast messages may go. Telegram names figures, but keeps elastic ones: what it really
// allows is told by its 429s, which are obeyed besides.
type Limits struct {
	Overall Limit
	Private []Limit // of one private chat
	Group   []Limit // of one group
}

// TelegramLimits stays a little below what Telegram names: 30 a second, 1 a second in a chat with short
// bursts, 20 a minute in a group.
func TelegramLimits() Limits {
	return Limits{
		Overall: Limit{28, time.Second},
		Private: []Limit{{5, 5 * time.Second}},
		Group:   []Limit{{3, 3 * time.Second}, {18, time.Minute}},
	}
}

// window remembers the last N sends, as many as a limit allows within its span: one more may go when
// the oldest of them has left the span.
type window struct {
	per  time.Duration
	at   []time.Time // a ring
	next int         // the oldest
}

func newWindow(l Limit) window { return window{per: l.Per, at: make([]time.Time, l.N)} }

// free is the moment from which one more may go; in the past where it may go now.
func (w *window) free() time.Time { return w.at[w.next].Add(w.per) }

// take notes a send.
func (w *window) take(now time.Time) {
	w.at[w.next] = now
	w.next = (w.next + 1) % len(w.at)
}

// idle reports whether the window holds nothing that still counts.
func (w *window) idle(now time.Time) bool {
	newest := w.at[(w.next+len(w.at)-1)%len(w.at)]
	return !newest.Add(w.per).After(now)
}

// chatPace is the state of one chat that was sent something lately.
type chatPace struct {
	windows []window
	rest    time.Time // Telegram asked to leave the chat alone until then
}

// free is the moment from which the chat takes one more.
func (c *chatPace) free() time.Time {
	at := c.rest
	for i := range c.windows {
		at = later(at, c.windows[i].free())
	}
	return at
}

// idle reports whether the chat can be forgotten.
func (c *chatPace) idle(now time.Time) bool {
	return !c.rest.After(now) && !slices.ContainsFunc(c.windows, func(w window) bool { return !w.idle(now) })
}

// waiter is a message that waits for its turn.
type waiter struct {
	chat int64
	turn chan struct{} // closed when it may go
}

// pacer lets messages go as fast as the limits allow, and the more urgent ones first. Without
// contention that is a lock and a look at a few times.
type pacer struct {
	limits Limits

	mu      sync.Mutex
	all     window
	rest    time.Time // Telegram asked everybody to wait until then
	chats   map[int64]*chatPace
	sweepAt int // how many chats there may be before the idle ones are forgotten
	queue   [lanes][]*waiter
	timer   *time.Timer
	refused struct { // the last 429
		chat int64
		at   time.Time
	}
}

const fewChats = 1024 // not worth a sweep

func newPacer(l Limits) *pacer {
	return &pacer{limits: l, all: newWindow(l.Overall), chats: map[int64]*chatPace{}, sweepAt: fewChats}
}

// wait returns when a message to the chat may go, or with ctx's error: at once, where ctx ends before
// that can be.
func (p *pacer) wait(ctx context.Context, chat int64, lane Lane) error {
	w, at := p.enter(chat, lane)
	if w == nil {
		return nil
	}
	if end, ok := ctx.Deadline(); ok && at.After(end) {
		p.leave(w, lane)
		return context.DeadlineExceeded
	}
	select {
	case <-w.turn:
		return nil
	case <-ctx.Done():
		p.leave(w, lane)
		return ctx.Err()
	}
}

// enter lets a message go at once, or has it queue: not before the moment it returns.
func (p *pacer) enter(chat int64, lane Lane) (*waiter, time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	at := p.free(chat, lane)
	if !at.After(now) && (lane == Replies || !p.anyoneWaits()) {
		p.take(chat, now)
		return nil, now
	}
	w := &waiter{chat: chat, turn: make(chan struct{})}
	p.queue[lane] = append(p.queue[lane], w)
	p.grant(now)
	return w, at
}

// leave takes a message that is not waited for any more out of its queue.
func (p *pacer) leave(w *waiter, lane Lane) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue[lane] = slices.DeleteFunc(p.queue[lane], func(q *waiter) bool { return q == w })
}

// delay is how long the chat's own limits would hold a message back.
func (p *pacer) delay(chat int64) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.chats[chat]
	if !ok {
		return 0
	}
	return max(time.Until(c.free()), 0)
}

// obey takes a 429: the chat rests, and everybody does where two chats are refused within a second.
// Telegram counts in whole seconds, so one more is added.
func (p *pacer) obey(chat int64, after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	until := now.Add(after + time.Second)
	c := p.chat(chat, now)
	c.rest = later(c.rest, until)
	if p.refused.chat != chat && now.Sub(p.refused.at) <= time.Second {
		p.rest = later(p.rest, until)
	}
	p.refused.chat, p.refused.at = chat, now
}

// grant lets everybody go whose time has come, lane after lane, and sets the timer for the next one.
func (p *pacer) grant(now time.Time) {
	var next time.Time
	for lane := range Lane(lanes) {
		p.queue[lane] = slices.DeleteFunc(p.queue[lane], func(w *waiter) bool {
			at := p.free(w.chat, lane)
			if at.After(now) {
				if next.IsZero() || at.Before(next) {
					next = at
				}
				return false
			}
			p.take(w.chat, now)
			close(w.turn)
			return true
		})
	}
	switch {
	case next.IsZero():
	case p.timer == nil:
		p.timer = time.AfterFunc(next.Sub(now), p.tick)
	default:
		p.timer.Reset(next.Sub(now))
	}
}

// tick is the timer's.
func (p *pacer) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.grant(time.Now())
}

// anyoneWaits reports whether a message is queued.
func (p *pacer) anyoneWaits() bool {
	for lane := range p.queue {
		if len(p.queue[lane]) > 0 {
			return true
		}
	}
	return false
}

// free is the moment from which a message to the chat may go. A reply waits only where Telegram asked for
// it: people cannot tap faster than Telegram lets a bot answer for long, and what a reply takes is missing
// for what can wait.
func (p *pacer) free(chat int64, lane Lane) time.Time {
	c, known := p.chats[chat]
	if lane == Replies {
		if known {
			return later(p.rest, c.rest)
		}
		return p.rest
	}
	at := later(p.rest, p.all.free())
	if known {
		at = later(at, c.free())
	}
	return at
}

// take notes that a message to the chat goes.
func (p *pacer) take(chat int64, now time.Time) {
	p.all.take(now)
	c := p.chat(chat, now)
	for i := range c.windows {
		c.windows[i].take(now)
	}
}

// chat is a chat's state, made where there is none.
func (p *pacer) chat(id int64, now time.Time) *chatPace {
	if c, ok := p.chats[id]; ok {
		return c
	}
	if len(p.chats) >= p.sweepAt {
		p.sweep(now)
	}
	limits := p.limits.Private
	if id < 0 {
		limits = p.limits.Group
	}
	c := &chatPace{windows: make([]window, len(limits))}
	for i, l := range limits {
		c.windows[i] = newWindow(l)
	}
	p.chats[id] = c
	return c
}

// sweep forgets idle chats. It runs when their number has doubled, so a send costs the same on average
// whatever their number.
func (p *pacer) sweep(now time.Time) {
	for id, c := range p.chats {
		if c.idle(now) {
			delete(p.chats, id)
		}
	}
	p.sweepAt = max(2*len(p.chats), fewChats)
}

// later is the later of two moments.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
