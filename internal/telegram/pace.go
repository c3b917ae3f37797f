package telegram

import (
	"time"

	"resellerbot/internal/sliding"
)

// Class is the kind of a message: it says how the budget is shared when several wait for Telegram's limits.
type Class uint8

const (
	// Replies are what a member waits for with the chat open.
	Replies Class = iota
	// Deliveries are codes and outcomes of purchases: they wait for nobody but Telegram.
	Deliveries
	// Pings make a phone ring for what its chat holds already.
	Pings
	// Alerts are what a member wants to know soon.
	Alerts
	// Digests are what sums up, and can wait.
	Digests
	// Strangers are replies to people who are of no team: they get what nobody else wants, and a fifth of the
	// budget at most.
	Strangers
	// Cleanups take away what is of no use any more, as the keyboard of a question that was answered. Nobody waits for them, so they go
	// once their chat could take a whole burst again: a code that becomes ready then still finds the rest of that burst. They are the last
	// class: who asks whether anybody else waits looks at those before it.
	Cleanups

	classes = iota
)

// Limit allows N messages, at least one, in any time span of length Per.
type Limit struct {
	N   int
	Per time.Duration
}

// Bucket allows Burst messages at once, and one more after each Every.
type Bucket struct {
	Burst int
	Every time.Duration
}

// Limits is how fast messages may go. Telegram names figures, but keeps elastic ones: what it really
// allows is told by its 429s, which are obeyed besides.
type Limits struct {
	Overall Limit  // of the bot: the budget
	Chat    Bucket // of any one chat
	Group   Limit  // of one group, besides
}

// DefaultLimits stays a little below what Telegram names, 30 a second and 20 a minute in a group, and at what it
// is known for in one chat, where it lets short bursts pass: 1 a second.
func DefaultLimits() Limits {
	return Limits{Overall: Limit{28, time.Second}, Chat: Bucket{3, time.Second}, Group: Limit{18, time.Minute}}
}

// groupShare is how many of a group's messages there may have been lately for one of a class to go, in
// sixths of its limit: what is above is left to the classes that may take more. Of 18 a minute an alert goes as one of the first 9; the
// last three are for deliveries alone.
func groupShare(class Class) int {
	// The share is of what was sent by all classes together (free), so a class with a small share waits while others have used it up.
	return [classes]int{Replies: 4, Deliveries: 6, Pings: 5, Alerts: 3, Digests: 2, Strangers: 1, Cleanups: 3}[class]
}

// newWindow is what was sent lately, as far as a limit counts it.
func newWindow(l Limit) *sliding.Window { return sliding.New(l.N, l.Per) }

// chatPace is the state of one chat that was sent something lately.
type chatPace struct {
	limit  Bucket
	due    time.Time       // when its bucket is full again
	minute *sliding.Window // of a group; nil for others
	rest   time.Time       // Telegram asked to leave the chat alone until then
	turn   uint64          // which send of the bot its last message was, counted from 1
}

func newChatPace(l Limits, chat int64) *chatPace {
	c := &chatPace{limit: Bucket{Burst: l.Chat.Burst, Every: padded(l.Chat.Every)}}
	// Telegram's ids of groups are below zero. This window has no margin, unlike Every: 18 of the 20 messages that Telegram takes leave
	// room for late ones.
	if chat < 0 {
		c.minute = newWindow(l.Group)
	}
	return c
}

// free is the moment from which the chat takes one more of a class.
//
// due counts the bucket from its other end: each message moves it by Every, and the next may go once it lies no more than Burst - 1 times
// Every ahead. Example: Burst is 3, Every 1 s. Three messages at 0 s move due to 3 s, so the next one goes at 1 s.
func (c *chatPace) free(class Class) time.Time {
	ahead := time.Duration(c.limit.Burst-1) * c.limit.Every
	if class == Cleanups {
		ahead = 0
	}
	at := later(c.rest, c.due.Add(-ahead))
	if c.minute != nil {
		at = later(at, c.minute.Free(c.minute.Limit()*groupShare(class)/groupShare(Deliveries)))
	}
	return at
}

// note notes a send.
func (c *chatPace) note(now time.Time, turn uint64) {
	// From now on at the earliest: a chat that was quiet for long has saved no more than Burst.
	c.due = later(c.due, now).Add(c.limit.Every)
	c.turn = turn
	if c.minute != nil {
		c.minute.Add(now)
	}
}

// quiet reports whether the chat was sent so little that it is not what a refusal is about: one message of its bucket at most, and
// less than half of what a group takes in a minute.
func (c *chatPace) quiet(now time.Time) bool {
	// The refused message itself is in due by now: spend has noted it before it went.
	return !c.due.After(now.Add(c.limit.Every)) && (c.minute == nil || !c.minute.Free(c.minute.Limit()/2).After(now))
}

// idle reports whether the chat can be forgotten.
func (c *chatPace) idle(now time.Time) bool {
	return !c.rest.After(now) && !c.due.After(now) && (c.minute == nil || c.minute.Idle(now))
}

// later is the later of two moments.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
