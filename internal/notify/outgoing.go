package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// delivery is one row on its way, with what it is made of.
type delivery struct {
	row      store.Outgoing
	home     store.Chat     // where it goes
	purchase store.Purchase // its Told is brought up to what was delivered
	told     store.Told     // what that was before
	orders   []store.Order
	show     Screens
	statusID int // id of a new status message, where one had to be sent
	reader   screen.Reader
	own      store.Prices  // of the shop, for a reader who may not see what things cost; zero where they may
	list     *listDelivery // of a row about a list
	thread   int           // the topic that it goes to; 0 for none
	silent   bool          // it makes no sound
	unheard  bool          // the chat does not want to hear of it
	lost     int           // a topic that is gone, into which it was to go
	made     int           // a topic that was made
	parted   bool          // the chat is of the account no more: what the shop makes of a purchase is not for it
	shown    store.Shown   // a new message beside the status message, where one had to be sent
	with     []*delivery   // pings that it rings for as well
	posted   int           // a board that had to be sent
	pinned   bool          // and is pinned
	more     bool          // more codes are there than its file has brought
}

// to is the row's place among everything that goes to Telegram.
func (v *delivery) to() telegram.Purpose {
	return telegram.Purpose{Class: classOf(v.row), Account: cmp.Or(v.purchase.Account, v.home.Account)}
}

// classOf is what kind of message a row is. Priority is on disk, and says which chats are drained first and how long a message is kept;
// Class says what a send may take of Telegram's limits. Pings are told by their kind, for they have the priority of notices.
func classOf(row store.Outgoing) telegram.Class {
	switch {
	case row.Kind == store.Ping, row.Kind == store.ListPing:
		return telegram.Pings
	case row.Priority <= store.NoticePriority:
		return telegram.Deliveries
	case row.Priority <= store.AlertPriority:
		return telegram.Alerts
	}
	return telegram.Digests
}

// deliver renders and sends one row and notes what came of it. until is when the chat is tried again,
// zero where the next row may go now.
func (d *Deliverer) deliver(wire context.Context, home store.Chat, row store.Outgoing) (until time.Time, err error) {
	// sendTime and roundTime together are shorter than the lease, so nobody else has the row while it is sent.
	ctx, cancel := context.WithTimeout(wire, sendTime)
	defer cancel()
	// Sending that is found in a row is of a process that ended before it noted what came of it: it may have arrived.
	row.Sent, row.Sending = row.Sent || row.Sending, false
	v := &delivery{row: row, home: home}
	err = guard(d.cfg.Log, "deliver "+string(row.Kind), func() error { return d.try(ctx, v) })
	var early tooEarlyError
	switch {
	case errors.As(err, &early) && row.Kind == store.Document:
		d.waitForRest(wire, row, early.due)
	// Put back without a try: it was not sent, and Tries stays what the failures made it.
	case errors.As(err, &early): // nothing waits for it
		d.putBack(wire, v, early.due)
	case err == nil:
		d.delivered(ctx, v)
	// Nothing is left to note: the ping that was for this row as well has taken it along (markPinged).
	case errors.Is(err, errPinged):
	case errors.Is(err, store.ErrNotFound), errors.Is(err, errObsolete): // the purchase is history, or for others
		d.drop(ctx, row)
	default:
		// wire and not ctx: where sendTime has ended the send, ctx is over, and failed would take that for a stop.
		return d.failed(wire, v, err)
	}
	return time.Time{}, nil
}

// try loads what the row is about and sends it.
func (d *Deliverer) try(ctx context.Context, v *delivery) error {
	if err := d.load(ctx, v); err != nil {
		return err
	}
	d.hear(ctx, v)
	var err error
	if v.show, err = d.screens(ctx, v); err != nil {
		return err
	}
	switch v.row.Kind {
	case store.ListCard, store.ListRequest, store.ListFile, store.ListPing:
		return d.list(ctx, v)
	case store.StatusMessage:
		return d.deliverStatus(ctx, v)
	case store.Ping:
		return d.ping(ctx, v)
	case store.Document:
		return d.document(ctx, v)
	case store.Support:
		return d.support(ctx, v)
	case store.Copy:
		return d.copied(ctx, v)
	case store.Request:
		return d.request(ctx, v)
	case store.Decision:
		return d.decision(ctx, v)
	case store.Note:
		return d.note(ctx, v)
	case store.BoardMessage:
		return d.board(ctx, v)
	case store.TopicMessage:
		return d.topic(ctx, v)
	}
	return fmt.Errorf("%w: outgoing message of kind %q", errDefect, v.row.Kind)
}

// note sends a message that is about no purchase, or tells of one in a few words. One that a newer version has queued
// under a name which is unknown here says that there is news, and no more.
func (d *Deliverer) note(ctx context.Context, v *delivery) error {
	args, name := v.row.Args, v.row.NoteName()
	if isPast(args[store.UntilArg]) || v.unheard {
		return errObsolete
	}
	if err := d.stillAbout(ctx, v); err != nil {
		return err
	}
	reply, _ := strconv.Atoi(args[store.ReplyArg]) // what is no number answers no message
	options := telegram.SendOptions{Silent: args[store.SilentArg] != "", ReplyTo: reply}
	_, err := d.send(ctx, v, v.show.Note(name, args), options)
	if err == nil && !screen.KnowsNote(name) {
		d.cfg.Log.Warn("a note of an unknown name was sent as the generic text", "chat", v.home.ID, "message", v.row.ID, "name", string(name))
	}
	return err
}

// load reads what a row is rendered from. It is read when it is sent, so that it tells what is true now.
func (d *Deliverer) load(ctx context.Context, v *delivery) (err error) {
	if v.row.Purchase == "" {
		// A row about a list finds out who reads by itself (list), as it has its account only there.
		if v.home.ID < 0 && v.row.List == "" { // others read along
			v.reader = screen.ForShop
		}
		return d.askInNote(ctx, v)
	}
	known, err := d.cfg.Store.ReadPurchase(ctx, v.row.Purchase)
	if err == nil {
		v.purchase, err = known.Purchase(ctx, v.row.Purchase)
	}
	if err != nil {
		return fmt.Errorf("read the purchase: %w", err)
	}
	// told is what delivered compares with: only what this delivery has changed of it is written (Told.After).
	v.told = v.purchase.Told
	if v.orders, err = known.OrdersOf(ctx, v.purchase); err != nil {
		return fmt.Errorf("read the orders: %w", err)
	}
	a, err := known.Account(ctx, v.purchase.Account)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil // it was unlinked: what was bought before is still its buyer's
	case err != nil:
		return fmt.Errorf("read the account: %w", err)
	}
	v.parted = isParted(a, v.home.ID)
	return d.read(ctx, v, a)
}

// deliverStatus edits the purchase's own message. That can be repeated without a duplicate, so codes travel in
// it. Only where the message is gone, a new one is sent.
func (d *Deliverer) deliverStatus(ctx context.Context, v *delivery) error {
	balance, place, trade := d.balance(ctx, v), d.queuePlace(ctx, v.purchase), d.trade(ctx, v)
	render := func() screen.Message { return v.show.Traded(v.purchase, v.orders, balance, place, trade) }
	codes := 0 // in the message; those of many units travel in a document
	if !v.purchase.InDocument(v.orders) && !v.reader.Hides() {
		codes = store.CountCodes(v.orders)
	}
	// On disk before the first byte of a code goes to Telegram.
	if err := d.noteCodesGoOut(ctx, v, codes); err != nil {
		return err
	}
	err := error(nil)
	// In a group that has migrated, the old number may be that of another message.
	gone := v.purchase.Message == 0 || v.purchase.Chat != v.home.ID
	if !gone {
		err = d.cfg.Sender.Edit(ctx, v.home.ID, v.purchase.Message, render(), v.to())
		gone = telegram.Classify(err).Kind == telegram.Gone
	}
	// A new message is no edit: it can arrive twice, so what may be in the old one decides whether it says that it delivers again.
	if gone {
		if v.purchase.Phase == store.Dropped && v.purchase.QueuedAt.IsZero() {
			return nil // a draft that nobody confirmed: its message was all there was to it
		}
		// Somebody may have seen a code in the old message, and must not take it for another one.
		if codes > 0 && (v.row.Sent || v.purchase.Told.Codes > 0) {
			v.purchase.Told.MaybeSent = true
		}
		v.statusID, err = d.send(ctx, v, render(), telegram.SendOptions{Silent: true})
	}
	// Set although the send may have failed: the purchase is put by delivered alone, which an error does not reach.
	v.purchase.Told.Codes = max(codes, v.purchase.Told.Codes)
	return err
}

// noteCodesGoOut notes on disk that a purchase's first codes are about to be shown. Should the process end before
// it notes that they were, the next one knows that they may have been. Whoever opens the purchase meanwhile has
// either noted that before, which is read in the same transaction, or finds this note.
func (d *Deliverer) noteCodesGoOut(ctx context.Context, v *delivery, codes int) error {
	if codes == 0 || v.row.Sent || v.purchase.Told.Codes > 0 {
		return nil
	}
	return d.sending(ctx, v)
}

// sending notes on disk that a row is about to go out, as it is now.
func (d *Deliverer) sending(ctx context.Context, v *delivery) error {
	row, opened := v.row, false
	err := d.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		p, err := tx.Purchase(v.row.Purchase)
		if err != nil {
			return err
		}
		// Set anew in each run, for the transaction may run again.
		row, opened = v.row, p.Told.MaybeSent
		return tx.Sending(&row, time.Now().Add(lease))
	})
	if err != nil {
		return fmt.Errorf("note that codes go out: %w", err)
	}
	v.row = row
	v.purchase.Told.MaybeSent = v.purchase.Told.MaybeSent || opened
	return nil
}

// follows reports whether a row was enqueued behind another one.
func follows(a, b store.Outgoing) bool {
	return a.Created.After(b.Created) || a.Created.Equal(b.Created) && a.ID > b.ID
}

// tooEarlyError is a message that waits until a moment, for one that it points to or for more to tell.
type tooEarlyError struct{ due time.Time }

// Error implements error.
func (e tooEarlyError) Error() string { return "what it waits for has not arrived" }

// support sends what people have to take up with the service, or tells them that they do not have to any more.
func (d *Deliverer) support(ctx context.Context, v *delivery) error {
	a, err := d.cfg.Store.Account(ctx, v.purchase.Account)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("read the account: %w", err)
	}
	m := v.show.Support(v.purchase, v.orders, a.Called())
	if !v.purchase.NeedsSupport(v.orders) {
		return d.aside(ctx, v, false, m)
	}
	id, err := d.send(ctx, v, m, telegram.SendOptions{})
	v.shown = store.Shown{As: store.Support, Chat: v.home.ID, Message: id}
	return err
}

// balance is read where the chat has to know what became of its money. A code does not wait for it.
func (d *Deliverer) balance(ctx context.Context, v *delivery) screen.BalanceView {
	failed := slices.ContainsFunc(v.orders, func(o store.Order) bool { return o.State == store.Failed })
	if ph := v.purchase.Phase; v.reader != screen.ForOwner || !failed && ph != store.Rejected && ph != store.NotCreated {
		return screen.BalanceView{}
	}
	ctx, cancel := context.WithTimeout(ctx, balanceTime)
	defer cancel()
	return d.cfg.Balance(ctx, v.purchase.Account)
}

// queuePlace is where a purchase stands in its account's queue. A code does not wait for it.
func (d *Deliverer) queuePlace(ctx context.Context, p store.Purchase) store.QueuePlace {
	at, err := d.cfg.Store.QueuePlaceOf(ctx, p)
	if err != nil {
		d.cfg.Log.Warn("read a place in the queue", "purchase", p.ID, "err", err)
	}
	return at
}

// trade is what the shop makes of a purchase. A code does not wait for it.
func (d *Deliverer) trade(ctx context.Context, v *delivery) store.Trade {
	if v.parted {
		return store.Trade{}
	}
	t, err := d.cfg.Store.Trade(ctx, v.purchase)
	if err != nil {
		d.cfg.Log.Warn("read what is sold of a purchase", "purchase", v.purchase.ID, "err", err)
	}
	return t
}

// isPast reports whether a moment is over; "" is none.
func isPast(moment string) bool {
	at, err := time.Parse(time.RFC3339, moment)
	return err == nil && time.Now().After(at)
}
