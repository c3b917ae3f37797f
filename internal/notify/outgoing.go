package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/purchase"
	"resellerbot/internal/store"
)

// delivery is one row on its way, with what it is made of.
type delivery struct {
	row      store.Outgoing
	chat     store.Chat
	purchase store.Purchase // its Told is brought up to what was delivered
	orders   []store.Order
	show     Screens
	carrier  int // id of a new carrier, where one had to be sent
}

// lane is the row's place among everything that goes to Telegram.
func (v *delivery) lane() Lane {
	if v.row.Priority <= lastDelivery {
		return LaneDelivery
	}
	return LaneAlert
}

const (
	// lastDelivery is the Priority up to which a row tells of a purchase; what is above can wait.
	lastDelivery = 2
	// noteName is the argument of a note that names its screen.
	noteName = "name"
)

// deliver renders and sends one row and notes what came of it. until is when the chat is tried again,
// zero where the next row may go now.
func (d *Deliverer) deliver(wire context.Context, row store.Outgoing) (until time.Time, err error) {
	ctx, cancel := context.WithTimeout(wire, sendTime)
	defer cancel()
	v := &delivery{row: row}
	err = guard(d.cfg.Log, "deliver "+string(row.Kind), func() error { return d.attempt(ctx, v) })
	switch {
	case err == nil:
		d.delivered(ctx, v)
	case errors.Is(err, store.ErrNotFound): // the purchase is history
		d.drop(ctx, row)
	default:
		return d.failed(wire, v, err)
	}
	return time.Time{}, nil
}

// attempt loads what the row is about and sends it.
func (d *Deliverer) attempt(ctx context.Context, v *delivery) error {
	if err := d.load(ctx, v); err != nil {
		return err
	}
	switch v.row.Kind {
	case store.Carrier:
		return d.carrier(ctx, v)
	case store.Ping:
		return d.ping(ctx, v)
	case store.Document:
		return d.document(ctx, v)
	case store.Note:
		_, err := d.cfg.Sender.Send(ctx, v.row.Chat, v.show.Note(v.row.Args[noteName], v.row.Args), SendOptions{Lane: v.lane()})
		return err
	}
	return fmt.Errorf("%w: outgoing message of kind %q", errDefect, v.row.Kind)
}

// load reads what a row is rendered from. It is read when it is sent, so that it tells what is true now.
func (d *Deliverer) load(ctx context.Context, v *delivery) (err error) {
	v.chat, err = d.cfg.Store.Chat(ctx, v.row.Chat)
	if errors.Is(err, store.ErrNotFound) {
		v.chat, err = store.Chat{Language: d.cfg.Language}, nil
	}
	if err != nil {
		return fmt.Errorf("read the chat: %w", err)
	}
	v.show = d.cfg.Screens(v.chat.Language)
	if v.row.Purchase == "" {
		return nil
	}
	if v.purchase, err = d.cfg.Store.Purchase(ctx, v.row.Purchase); err != nil {
		return fmt.Errorf("read the purchase: %w", err)
	}
	if v.orders, err = d.cfg.Store.OrdersOf(ctx, v.purchase); err != nil {
		return fmt.Errorf("read the orders: %w", err)
	}
	return nil
}

// carrier edits the purchase's own message. That can be repeated without a duplicate. Only where it is
// gone a new one is sent, which says that it delivers again if a code may have been seen.
func (d *Deliverer) carrier(ctx context.Context, v *delivery) error {
	balance, line := d.balance(ctx, v), d.line(ctx, v.purchase)
	render := func() screen.Message { return v.show.Carrier(v.purchase, v.orders, balance, line) }
	codesInside := v.purchase.Quantity < purchase.ManyUnits
	err := error(&Error{Method: "editMessageText", Result: Result{Kind: Gone}, cause: "no message yet"})
	if v.purchase.Message != 0 {
		err = d.cfg.Sender.editIn(ctx, v.lane(), v.row.Chat, v.purchase.Message, render())
	}
	if ResultOf(err).Kind == Gone {
		if v.purchase.Phase == store.Dropped && v.purchase.QueuedAt.IsZero() {
			return nil // a draft that nobody confirmed: its message was all there was to it
		}
		if codesInside && (v.row.Sent || v.purchase.Told.Codes > 0) {
			v.purchase.Told.MaybeSent = true
		}
		v.carrier, err = d.cfg.Sender.Send(ctx, v.row.Chat, render(), SendOptions{Silent: true, Lane: v.lane()})
	}
	if codesInside {
		v.purchase.Told.Codes = ready(v.orders)
	}
	return err
}

// ping sends the short message that makes the phone ring, as an answer to the carrier.
func (d *Deliverer) ping(ctx context.Context, v *delivery) error {
	_, err := d.cfg.Sender.Send(ctx, v.row.Chat, v.show.Ping(v.purchase, v.orders), SendOptions{ReplyTo: v.purchase.Message, Lane: v.lane()})
	v.purchase.Told.Pinged++
	return err
}

// document sends all codes as a file, unless the chat has them already.
func (d *Deliverer) document(ctx context.Context, v *delivery) error {
	told, codes := &v.purchase.Told, ready(v.orders)
	if told.Document && told.Codes >= codes {
		return nil
	}
	told.MaybeSent = told.MaybeSent || v.row.Sent || told.Codes > 0
	_, err := d.cfg.Sender.Send(ctx, v.row.Chat, v.show.Codes(v.purchase, v.orders), SendOptions{Silent: true, ReplyTo: v.purchase.Message, Lane: v.lane()})
	told.Document, told.Codes = true, codes
	return err
}

// balance is what an outcome is shown with; unknown where there is none to show it with.
func (d *Deliverer) balance(ctx context.Context, v *delivery) screen.BalanceView {
	failed := slices.ContainsFunc(v.orders, func(o store.Order) bool { return o.State == store.Failed })
	if !failed && (!v.purchase.Phase.Final() || v.purchase.Phase == store.Dropped) {
		return screen.BalanceView{}
	}
	ctx, cancel := context.WithTimeout(ctx, balanceTime)
	defer cancel()
	return d.cfg.Balance(ctx, v.purchase.Account)
}

// line is how many purchases of the account go before this one, itself included; 0 if it does not wait.
func (d *Deliverer) line(ctx context.Context, p store.Purchase) int {
	if p.Phase != store.Queued {
		return 0
	}
	a, err := d.cfg.Store.Account(ctx, p.Account)
	if err != nil {
		return 0
	}
	place := slices.Index(a.Line, p.ID) + 1
	if a.Busy != "" && place > 0 {
		place++
	}
	return place
}

// ready counts the units that were delivered by the service.
func ready(orders []store.Order) int {
	n := 0
	for _, o := range orders {
		if o.State == store.Ready || o.State == store.Completed {
			n++
		}
	}
	return n
}
