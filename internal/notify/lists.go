package notify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// ListScreens renders what is delivered of lists, in one language.
type ListScreens interface {
	Card(v screen.ListView) screen.Message
	Left(v screen.ListView) screen.Message
	Request(v screen.ListView) screen.Message
	Ping(v screen.ListView) screen.Message
	File(v screen.ListView) screen.Message
}

const mostUnsent = 10 // lines that an owner is told of by their items

// cardRest is how long a card is left as it is after an edit: a line that moves on is no reason for one each.
const cardRest = 2 * time.Second

// listDelivery is a row about a list on its way.
type listDelivery struct {
	screen.ListView

	message int  // a card that had to be sent anew, or a question
	edited  bool // the card
	filed   bool // its codes, with the file
}

// list delivers a row about a list. It is read when it is sent, so that it tells what is true now.
func (d *Deliverer) list(ctx context.Context, v *delivery) error {
	l, err := d.cfg.Store.List(ctx, v.row.List)
	if err != nil {
		return fmt.Errorf("read the list: %w", err)
	}
	v.list = &listDelivery{ListView: screen.ListView{List: l, Bought: map[string]screen.Bought{}}}
	for _, id := range l.Purchases() {
		p, err := d.cfg.Store.Purchase(ctx, id)
		if err != nil {
			return fmt.Errorf("read the purchase: %w", err)
		}
		orders, err := d.cfg.Store.OrdersOf(ctx, p)
		if err != nil {
			return fmt.Errorf("read the orders: %w", err)
		}
		v.list.Bought[id] = screen.Bought{Purchase: p, Orders: orders}
	}
	v.purchase.Account = l.Account
	a, err := d.cfg.Store.Account(ctx, l.Account)
	if err != nil {
		return fmt.Errorf("read the account: %w", err)
	}
	// What it was sold for is asked of the books, which are read here alone: a card that still moves does not show it.
	if v.parted = isParted(a, v.home.ID); l.Phase == store.ListEnded && !v.parted {
		if _, v.list.Trades, err = d.cfg.Store.ListTrades(ctx, l); err != nil {
			return fmt.Errorf("read what is made of a list: %w", err)
		}
	}
	v.list.Locked = a.Locked
	if v.list.Behind, err = d.cfg.Store.HeldBy(ctx, a); err != nil {
		return err
	}
	v.reader = readerOf(a, v.home.ID, v.purchase)
	if err := d.hideCost(ctx, v, a, v.home.ID); err != nil {
		return err
	}
	show, err := d.listScreens(ctx, v)
	if err != nil {
		return err
	}
	if v.row.Kind == store.ListRequest {
		return d.listRequest(ctx, v, a, show)
	}
	if v.row.Chat == l.Chat {
		v.thread = l.Thread
	}
	if slices.Contains(v.home.Removed, a.ID) && l.Phase.Promised() { // of one that was not bought there is nothing to inherit
		return errors.Join(d.leaveCard(ctx, v, show), d.disinherit(ctx, v))
	}
	switch v.row.Kind {
	case store.ListCard:
		return d.listCard(ctx, v, show)
	case store.ListFile:
		return d.listFile(ctx, v, show)
	}
	_, err = d.send(ctx, v, show.Ping(v.list.ListView), telegram.SendOptions{ReplyTo: l.Message})
	return err
}

// listCard edits a list's card. Only where that is gone, a new one is sent.
func (d *Deliverer) listCard(ctx context.Context, v *delivery, show ListScreens) error {
	l := v.list
	// Telegram counts edits as messages: in a group twenty a minute are all there are, and codes need them.
	// Only while it buys: the edit that shows its end waits for nothing.
	if due := l.EditedAt.Add(cardRest); l.Phase == store.ListBuying && due.After(time.Now()) {
		return tooEarlyError{due}
	}
	m, gone := show.Card(l.ListView), l.Message == 0 || l.Chat != v.home.ID
	l.edited = true
	if !gone {
		err := d.cfg.Sender.Edit(ctx, v.home.ID, l.Message, m, v.to())
		if telegram.Classify(err).Kind != telegram.Gone {
			return err
		}
	}
	if l.Phase == store.ListDropped {
		return nil // its card was all there was to it
	}
	id, err := d.send(ctx, v, m, telegram.SendOptions{Silent: true})
	l.message = id
	return err
}

// listFile sends what came of a list as a file, with the codes that nothing has brought yet. Where codes are hidden they are asked
// for one by one.
func (d *Deliverer) listFile(ctx context.Context, v *delivery, show ListScreens) error {
	l := v.list
	codes, all := 0, 0
	l.Brings = map[string]store.Units{}
	for id, b := range l.Bought {
		l.Brings[id] = b.Unlisted(b.Orders)
		n := store.CountCodes(l.Brings[id].Of(b.Orders))
		codes, all = codes+n, all+store.CountCodes(b.Orders)
		// The file may have arrived before a stop, so that its codes may be there twice: the text says so.
		if n > 0 && v.row.Sent {
			b.Told.MaybeSent = true
			l.Bought[id] = b
		}
	}
	switch {
	case v.reader.Hides() && all > 0:
		return errObsolete
	// A list that has ended sends its file also without new codes: it says what came of each line.
	case codes == 0 && l.Phase == store.ListBuying: // messages of their own have brought what there was
		l.filed = true
		return nil
	}
	// On disk before the wire: after a stop nobody knows whether the file arrived, and then Sent says so.
	if codes > 0 {
		err := d.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
			row := v.row
			err := tx.Sending(&row, time.Now().Add(lease))
			v.row = row
			return err
		})
		if err != nil {
			return fmt.Errorf("note that codes go out: %w", err)
		}
	}
	_, err := d.send(ctx, v, show.File(l.ListView), telegram.SendOptions{Silent: true, ReplyTo: l.Message})
	l.filed = err == nil
	return err
}

// listRequest asks an owner for a list, and tells later what came of it.
func (d *Deliverer) listRequest(ctx context.Context, v *delivery, a store.Account, show ListScreens) error {
	l := v.list
	message := l.ShownIn(store.ListRequest, v.home.ID)
	if !isAsked(a, v.home.ID) && (message == 0 || !endsFor(a, l.Phase == store.ListDropped)) {
		return errObsolete
	}
	m := show.Request(l.ListView)
	if message != 0 {
		err := d.cfg.Sender.Edit(ctx, v.home.ID, message, m, v.to())
		if telegram.Classify(err).Kind != telegram.Gone {
			return err
		}
	}
	if l.Phase != store.ListAsked {
		return errObsolete
	}
	id, err := d.send(ctx, v, m, telegram.SendOptions{})
	l.message = id
	return err
}

// leaveCard closes the card of a list whose buyer was taken out of the team: nothing under it does anything for them.
func (d *Deliverer) leaveCard(ctx context.Context, v *delivery, show ListScreens) error {
	l := v.list
	if v.row.Kind != store.ListCard || l.Message == 0 || l.Chat != v.home.ID {
		return nil
	}
	err := d.cfg.Sender.Edit(ctx, v.home.ID, l.Message, show.Left(l.ListView), v.to())
	if telegram.Classify(err).Kind == telegram.Gone {
		return nil
	}
	return err
}

// disinherit gives what somebody has bought by a list who was taken out of the team messages of its own, which go to an
// owner.
func (d *Deliverer) disinherit(ctx context.Context, v *delivery) error {
	err := d.cfg.Store.Batch(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		for _, id := range v.list.Purchases() {
			p, err := tx.Purchase(id)
			if err != nil {
				return err
			}
			// One that is apart has its own message, which goes to an owner by itself.
			if p.Apart || p.Chat != v.list.Chat {
				continue
			}
			p.Apart = true
			if err := errors.Join(tx.PutPurchase(&p), tx.Enqueue(store.StatusOf(p))); err != nil {
				return err
			}
		}
		return d.tellUnsent(tx, v)
	})
	if err != nil {
		return fmt.Errorf("give what a list has bought to an owner: %w", err)
	}
	return errObsolete
}

// tellUnsent tells an owner, with what rings for the end of a list, which of its lines were not sent: whoever has pasted it is told
// nothing of it any more.
func (d *Deliverer) tellUnsent(tx *store.Tx, v *delivery) error {
	if v.row.Kind != store.ListPing {
		return nil
	}
	a, err := tx.Account(v.list.Account)
	if err != nil {
		return unlessGone(err)
	}
	numbers, items := store.Units{}, []string{}
	for _, line := range v.list.Lines {
		b, bought := v.list.Bought[line.Purchase]
		if !v.list.Buys(&line) || bought && b.Phase != store.Dropped {
			continue
		}
		numbers = append(numbers, line.Number)
		if len(items) < mostUnsent {
			items = append(items, fmt.Sprintf("%d · %s %s × %d", line.Number, line.Product, line.Variant, line.Quantity))
		}
	}
	owner := cmp.Or(a.OwnerBut(v.home.ID), a.OwnerLeft())
	if len(numbers) == 0 || owner == 0 || owner == v.home.ID {
		return nil
	}
	args := map[string]string{"person": v.list.Buyer, "lines": numbers.String(), "items": strings.Join(items, "\n")}
	return tx.Enqueue(store.NewNote(owner, v.list.ID+".left", store.ListLeftNote, args).Of(v.list.Account))
}

// noteList stores what the chat was told of a list.
func (v *delivery) noteList(tx *store.Tx, at time.Time) error {
	if v.list == nil {
		return nil
	}
	l, err := tx.List(v.row.List)
	if err != nil {
		return unlessGone(err)
	}
	switch {
	case v.list.message != 0 && v.row.Kind == store.ListRequest:
		l.Shown = append(slices.DeleteFunc(slices.Clone(l.Shown), func(s store.Shown) bool { return s.As == store.ListRequest && s.Chat == v.home.ID }),
			store.Shown{As: store.ListRequest, Chat: v.home.ID, Message: v.list.message})
	case v.list.message != 0:
		l.Message, l.EditedAt = v.list.message, at
	case v.list.edited:
		l.EditedAt = at
	case v.list.filed:
		if err := v.noteFiled(tx); err != nil {
			return err
		}
		// Of the orders as this file has read them, and not as they are now: codes that came meanwhile exceed Filed, and are filed next
		// (purchase/listlines.go).
		l.Filed = 0
		for _, b := range v.list.Bought {
			l.Filed += store.CountCodes(b.Orders)
		}
	default:
		return nil
	}
	return tx.PutList(&l)
}

// noteFiled stores that a file has brought the codes of a list's purchases.
func (v *delivery) noteFiled(tx *store.Tx) error {
	for id, b := range v.list.Bought {
		brought := v.list.Brings[id]
		if len(brought) == 0 {
			continue
		}
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		p.Told = p.Told.WithPart(p, b.Orders, brought)
		p.Told.Codes = max(p.Told.Codes, store.CountCodes(p.FiledUnits(b.Orders).Of(b.Orders)))
		if err := tx.PutPurchase(&p); err != nil {
			return err
		}
	}
	return nil
}
