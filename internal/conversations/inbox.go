package conversations

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const replayed = 100 // updates that are read at once when they are replayed

// Inbox puts updates on disk before anybody tells Telegram that they arrived, and hands each to the bot
// once: one that comes again is known. All fields are required.
type Inbox struct {
	Store *store.Store
	Bot   *Bot
	Log   *slog.Logger

	replayed atomic.Bool // what an earlier process has left was handed on
}

// arrival is an update that is on disk and waits to be handled.
type arrival struct {
	in     store.Incoming
	update *update
	// seen is what was read of a member's when it came in, where its turn comes at once: for one try.
	seen *visit
	// again: an earlier process has taken it: each try is counted on disk before it is made. Only who handles it reads or writes this.
	again bool
	// ackTaken: its callback query is answered, or somebody is about to; a query takes one answer, however often its update is tried. Made by the first try.
	ackTaken *atomic.Bool
}

// onDisk reports whether the update would be handled again after a stop. An answer to a stranger is not worth that:
// they ask again. Others ask while it is handled, so only what never changes is read here: a copy of it all would race.
func (a *arrival) onDisk() bool { return a.in.ID != 0 }

// Replay hands on what an earlier process took and did not finish; it comes before anything new.
func (i *Inbox) Replay(ctx context.Context) error {
	for after := int64(0); ; {
		rows, err := i.Store.PendingUpdates(ctx, after, replayed)
		if err != nil {
			return fmt.Errorf("list unhandled updates: %w", err)
		}
		if len(rows) == 0 {
			i.replayed.Store(true)
			return nil
		}
		if after == 0 { // a try is counted before it is made, and one that a full disk ends says nothing about the update
			if err := i.Store.Room(ctx); err != nil {
				return err
			}
		}
		after = rows[len(rows)-1].ID
		for _, in := range rows {
			// Not taken means that the bot stops. replayed stays false then: Again must not hand on what is still to be replayed.
			if taken, err := i.again(ctx, in); err != nil || !taken {
				return err
			}
		}
	}
}

// batch is what was received at once.
//
// rows are written in one commit, and the maps tell of each by its id; one that could not be decoded is in none of them. unstored are handled
// and not written, and have no id.
type batch struct {
	rows     []store.Incoming
	updates  map[int64]*update
	how      map[int64]handling
	seen     map[int64]*visit
	unstored []arrival
}

// Accept puts a batch on disk, in one commit, and hands on what is new: what members want before what strangers do.
func (i *Inbox) Accept(ctx context.Context, received []telegram.Raw) error {
	got := i.sort(ctx, received)
	fresh := got.rows
	if len(fresh) > 0 {
		var err error
		// The batch is written even if a stop comes now: unwritten it would only come again.
		if fresh, err = i.Store.AddUpdates(context.WithoutCancel(ctx), fresh); err != nil {
			// The places of strangers were reserved while the batch was sorted: nothing is handed on, so they are given back.
			got.release(i.Bot.box.release)
			return fmt.Errorf("store updates: %w", err)
		}
	}
	i.hand(ctx, got, fresh)
	return nil
}

// again hands on one update once more, or parks it. It is not taken where the bot stops.
func (i *Inbox) again(ctx context.Context, in store.Incoming) (taken bool, err error) {
	u, err := decodeUpdate(in.Raw)
	if err == nil {
		return i.Bot.put(ctx, arrival{in: in, update: u, again: true}), nil
	}
	i.Log.Error("an update is parked", "update", in.ID, "attempts", in.Tries)
	unread := arrival{in: in, update: new(update)}
	i.Bot.handled(unread, outcomeParked, time.Now())
	return true, i.Bot.park(ctx, unread)
}

// sort tells how each update of a batch comes in.
func (i *Inbox) sort(ctx context.Context, received []telegram.Raw) batch {
	now := time.Now()
	got := batch{updates: map[int64]*update{}, how: map[int64]handling{}, seen: map[int64]*visit{}}
	for _, r := range received {
		in := store.Incoming{ID: r.ID, Raw: r.Body, State: store.New, At: now}
		u, err := decodeUpdate(r.Body)
		if err != nil {
			i.Log.Error("an update cannot be decoded and is parked", "update", r.ID, "err", "unknown form")
			i.Bot.handled(arrival{update: new(update)}, outcomeParked, now)
			in.State = store.Parked
			got.rows = append(got.rows, in)
			continue
		}
		in.Chat = chatOf(u)
		switch how, seen := i.Bot.handlingOf(ctx, u); how {
		case handleIgnored:
			i.Bot.handled(arrival{update: u}, outcomeDone, now)
		case handleThrottled:
			i.Bot.handled(arrival{update: u}, outcomeLimited, now)
		case handleUnstored:
			got.unstored = append(got.unstored, arrival{in: store.Incoming{Chat: in.Chat, At: now}, update: u})
		default:
			got.rows = append(got.rows, in)
			got.updates[r.ID], got.how[r.ID], got.seen[r.ID] = u, how, seen
		}
	}
	return got
}

// hand gives what is new to the bot. What is on disk and not taken is handled at the next start.
func (i *Inbox) hand(ctx context.Context, got batch, fresh []store.Incoming) {
	for _, in := range fresh {
		// One without an update here could not be decoded: it was put on disk as parked.
		if u := got.updates[in.ID]; u != nil && got.how[in.ID] == handleStored {
			in.Raw = nil // it is on disk, and a long queue should be small
			i.Bot.put(ctx, arrival{in: in, update: u, seen: got.seen[in.ID]})
		}
	}
	for _, in := range fresh {
		if got.how[in.ID] == handleStoredLast {
			in.Raw = nil
			i.Bot.putLate(arrival{in: in, update: got.updates[in.ID]})
			delete(got.how, in.ID)
		}
	}
	for _, a := range got.unstored {
		i.Bot.putLate(a)
	}
	// release counts what is left in how and unstored: those that were handed on have used their places.
	got.unstored = nil
	got.release(i.Bot.box.release) // of those that were known
}

// release gives back the places that were reserved for strangers' updates and are not used.
func (b batch) release(place func()) {
	for _, how := range b.how {
		if how == handleStoredLast {
			place()
		}
	}
	for range b.unstored {
		place()
	}
}

// kindOf names what an update is about, for figures.
func kindOf(u *update) string {
	switch {
	case u.Message != nil:
		return "message"
	case u.CallbackQuery != nil:
		return "tap"
	case u.MyChatMember != nil:
		return "membership"
	}
	return "other"
}

// chatOf is whose mailbox an update goes to: that of its chat, so that a tap and a text in one chat are
// handled in the order they came.
func chatOf(u *update) int64 {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID
	case u.CallbackQuery != nil:
		if chat, _, ok := messageOf(u.CallbackQuery); ok {
			return chat
		}
		return u.CallbackQuery.From.ID
	case u.MyChatMember != nil:
		return u.MyChatMember.Chat.ID
	}
	// What is of no chat has one queue for all: route needs nothing of it.
	return 0
}

// messageOf is the chat and message under which a tapped button stood. An old message is inaccessible
// but still named; a button of an inline message has neither.
func messageOf(q *callback) (chat int64, message int, ok bool) {
	if q.Message == nil {
		return 0, 0, false
	}
	return q.Message.Chat.ID, q.Message.ID, true
}
