package notify

import (
	"cmp"
	"context"
	"slices"
	"time"

	"resellerbot/internal/backoff"
	"resellerbot/internal/store"
)

// rowSet is rows by what names them.
type rowSet map[rowName]bool

type rowName struct {
	chat int64
	id   string
}

// grow adds rows, and returns how many were not known.
func (s rowSet) grow(rows []store.Outgoing) int {
	before := len(s)
	for _, row := range rows {
		s[rowName{row.Chat, row.ID}] = true
	}
	return len(s) - before
}

// claim takes the rows that are due at now.
func (d *Deliverer) claim(ctx context.Context, now time.Time) []store.Outgoing {
	rows, err := d.cfg.Store.ClaimOutbox(ctx, now, leaseFrom(now), claimRows)
	if err != nil && ctx.Err() == nil {
		d.cfg.Log.Error("claim the outbox", "err", err)
		backoff.Sleep(ctx, beat)
	}
	return rows
}

// enlist notes claimed rows and woken chats, and names the chats that nobody drains yet, the most urgent
// first.
func (d *Deliverer) enlist(rows []store.Outgoing) []int64 {
	// By priority, and stable: Run starts as many chats as there is room for, in the order of what is returned here.
	slices.SortStableFunc(rows, func(a, b store.Outgoing) int { return cmp.Compare(a.Priority, b.Priority) })
	d.mu.Lock()
	defer d.mu.Unlock()
	var fresh []int64
	// A chat that is being drained gets its rows into the next round of the goroutine that is at it.
	enter := func(chat int64) *round {
		r, running := d.rounds[chat]
		if !running {
			r = newRound()
			d.rounds[chat] = r
			fresh = append(fresh, chat)
		}
		// since is of the first rows: their lease began then, and the round has to end within it.
		if !r.more {
			r.more, r.since = true, time.Now()
		}
		return r
	}
	for _, row := range rows {
		enter(row.Chat).claimed[row.ID] = true
	}
	for _, chat := range d.woken {
		enter(chat).wake = true
	}
	d.woken = nil
	return fresh
}
