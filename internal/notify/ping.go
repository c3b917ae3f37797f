package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	pingRest      = 3 * time.Second  // between two pings in a private chat
	groupPingRest = 10 * time.Second // between two in a group, which takes few messages a minute
	mostPinged    = 20               // purchases in one ping
	bellsInRow    = 2                // their buttons
	pingedChats   = 10_000           // chats of which the last ping is remembered
)

// errPinged is a ping that another one was sent for as well, and that is gone.
var errPinged = errors.New("the phone has rung for it")

// ping sends the short message that makes the phone ring, as an answer to the status message.
// It tells what is true now, so it waits for a status message that does not show that yet, and one that follows it
// says the same. Where the phone has just rung, it waits for a moment, and rings for all that has come
// meanwhile together.
func (d *Deliverer) ping(ctx context.Context, v *delivery) error {
	rows, err := d.cfg.Store.ChatOutbox(ctx, v.row.Chat, chatRows)
	if err != nil {
		return fmt.Errorf("read what waits besides: %w", err)
	}
	due, follower, waits := waitsFor(v.row, rows)
	switch {
	case !waits:
		return errPinged
	case !due.IsZero():
		return tooEarlyError{laterOf(due, time.Now())}
	case follower:
		return nil
	}
	// A ping that has failed before is not put off for a rest: it has waited by its own back-off.
	if due := d.pingsAgain(v.home.ID); v.row.Tries == 0 && due.After(time.Now()) {
		return tooEarlyError{due}
	}
	m := v.show.Ping(v.purchase, v.orders)
	options := telegram.SendOptions{ReplyTo: v.purchase.Message}
	if v.with, err = d.besides(ctx, v, rows); err != nil {
		return err
	}
	bells := []screen.Button{v.show.Bell(v.purchase, v.orders)}
	for _, w := range v.with {
		if w.purchase.ID == v.purchase.ID {
			continue // it would say the same
		}
		m.HTML += "\n" + w.show.Ping(w.purchase, w.orders).HTML
		bells = append(bells, w.show.Bell(w.purchase, w.orders))
		w.purchase.Told.Pinged++
	}
	if len(bells) > 1 || options.ReplyTo == 0 { // it answers one message at most, and each is a tap away
		options.ReplyTo, m.Keyboard = 0, slices.Collect(slices.Chunk(bells, bellsInRow))
	}
	options.Silent = len(v.with) == 0 && bringsMoneyAlone(v.purchase, v.orders)
	_, err = d.send(ctx, v, m, options)
	// Counted whatever came of it: a ping that may have arrived has rung for all that is known.
	v.purchase.Told.Pinged++
	d.rememberPing(v.home.ID)
	return err
}

// bringsMoneyAlone reports whether a ping has nothing new but that money is back for a part of a purchase: the phone has
// rung for its codes, and for its end.
func bringsMoneyAlone(p store.Purchase, orders []store.Order) bool {
	ready, back := 0, 0
	for _, o := range orders {
		switch {
		case o.State == store.Ready || o.State == store.Completed:
			ready++
		case o.State == store.Failed && o.Refund.Returned():
			back++
		}
	}
	return p.Told.Pinged > 1 && ready > 0 && back > 0 && ready+back == len(orders)
}

// waitsFor tells whether a ping is still to go out, when the status message is due that it has to wait for, and whether
// one that follows says the same.
func waitsFor(row store.Outgoing, rows []store.Outgoing) (due time.Time, follower, waits bool) {
	for _, other := range rows {
		switch {
		case other.ID == row.ID:
			waits = true
		case other.Purchase != row.Purchase:
		case other.Kind == store.StatusMessage && due.IsZero():
			due = other.Due
		case other.Kind == store.Ping && follows(other, row):
			follower = true
		}
	}
	return due, follower, waits
}

// besides are the pings that could go out now as well, in the same place, and older ones of the same purchase.
func (d *Deliverer) besides(ctx context.Context, v *delivery, rows []store.Outgoing) (with []*delivery, err error) {
	for _, row := range rows {
		// One that was tried before goes by itself: whether it has arrived is not known, and two may then be said once.
		if row.Kind != store.Ping || row.ID == v.row.ID || row.Sent || row.Tries > 0 || len(with) == mostPinged-1 {
			continue
		}
		if row.Purchase == v.row.Purchase {
			with = append(with, &delivery{row: row, home: v.home, purchase: v.purchase})
			continue
		}
		if due, follower, _ := waitsFor(row, rows); !due.IsZero() || follower {
			continue
		}
		w := &delivery{row: row, home: v.home}
		err := d.load(ctx, w)
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, errObsolete) {
			continue // its own turn finds that out
		}
		if err != nil {
			return nil, err
		}
		if w.thread == v.thread {
			if w.show, err = d.screens(ctx, w); err != nil {
				return nil, err
			}
			with = append(with, w)
		}
	}
	return with, nil
}

// markPinged notes that a ping was for other purchases too.
func (v *delivery) markPinged(tx *store.Tx) error {
	for _, w := range v.with {
		if w.purchase.ID != v.purchase.ID {
			if err := w.notePurchase(tx); err != nil {
				return err
			}
		}
		now, err := tx.Outgoing(w.row.Chat, w.row.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && !now.Created.Equal(w.row.Created) {
			continue
		}
		if err == nil {
			err = tx.Sent(now) // which somebody may have claimed meanwhile
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pingsAgain is when a chat may ring again.
func (d *Deliverer) pingsAgain(chat int64) time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	if chat < 0 {
		return d.pinged[chat].Add(groupPingRest)
	}
	return d.pinged[chat].Add(pingRest)
}

// rememberPing remembers that a chat has rung.
func (d *Deliverer) rememberPing(chat int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	// Forgetting costs one ping too many, and keeps no list of ages.
	if len(d.pinged) >= pingedChats {
		clear(d.pinged)
	}
	d.pinged[chat] = time.Now()
}
