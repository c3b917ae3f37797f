package conversations

import (
	"context"
	"errors"
	"slices"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// why shows the evidence by which an uncertain purchase was judged.
func (t orderFlow) why(id string) error {
	p, ok, err := t.purchase(id)
	if err != nil || !ok || p.Evidence == nil {
		return firstError(err, t.stale)
	}
	if sees, err := t.seesRecord(p); !sees || err != nil {
		return firstError(err, t.stale)
	}
	if err := t.fitTo(p); err != nil {
		return err
	}
	return t.say(t.scr.Uncertain().Why(p))
}

// sees reports whether the person may be shown a purchase here: what was bought in this chat, unless they were
// taken out of its team or it is of another account of theirs, and, of their team, what their role shows them.
func (t orderFlow) sees(p store.Purchase) (bool, error) {
	switch {
	case slices.Contains(t.chat.Removed, p.Account), slices.Contains(t.chat.Others, p.Account):
		return false, nil
	case t.private && (p.Chat == t.chatID || p.User == t.userID), t.boughtHere(p):
		return true, nil
	case t.private && p.ShownIn(store.Decision, t.chatID) != 0 && p.Account != t.shop.ID: // they have unlinked it since, and decide
		a, err := t.cfg.Store.Account(t.ctx, p.Account)
		return err == nil && a.OwnedBy(t.userID), ignoreMissing(err)
	case p.Account != t.shop.ID:
		return false, nil
	case !t.private:
		return t.role != store.NoRole, nil
	}
	return t.role == store.Owner || t.role == store.Counter || t.role == store.Seller && p.User == t.userID, nil
}

// purchase reads a purchase that the person may be shown here; ok is false where there is none.
func (t orderFlow) purchase(id string) (p store.Purchase, ok bool, err error) {
	if p, err = t.cfg.Store.Purchase(t.ctx, id); err != nil {
		return p, false, ignoreMissing(err)
	}
	ok, err = t.sees(p)
	return p, ok, err
}

// order shows one purchase again, with the codes that were delivered. Where the service may have something new
// for it, that is asked first.
func (t orderFlow) order(id string) error {
	p, orders, ok, err := t.seen(id)
	if err != nil {
		return err
	}
	if !ok {
		return t.stale()
	}
	// asked is false only where the service was asked and did not answer. Who asks too often sees what was known a moment ago, without a
	// word.
	asked := true
	if slices.ContainsFunc(orders, screen.MayChange) && t.looks.hears(t.userID, now()) {
		defer t.ackSoon()()
		asked = t.lookAt(id) == nil
		// Whether they may see it was asked a moment ago. If that has ended since, seen names no orders: no code is shown.
		if p, orders, _, err = t.seen(id); err != nil {
			return err
		}
	}
	return t.showOrder(p, orders, asked)
}

// lookAgain asks the service for the orders of a purchase, whoever may see it. The purchase's own message comes up
// to date by itself; any other one is shown anew.
func (t orderFlow) lookAgain(id string) error {
	p, before, ok, err := t.seen(id)
	if err != nil {
		return err
	}
	if !ok {
		return t.stale()
	}
	toast, after := screen.ToastLookedSoon, before
	if t.looks.hears(t.userID, now()) {
		failed := t.lookAt(id)
		if p, after, _, err = t.seen(id); err != nil {
			return err
		}
		switch {
		case failed != nil:
			toast = screen.ToastUnanswered
		case changed(before, after):
			toast = screen.ToastNews
		default:
			toast = screen.ToastLooked
		}
	}
	t.ack(toast)
	if t.tapped == p.Message && t.chatID == p.Chat || !changed(before, after) {
		return nil
	}
	return t.showOrder(p, after, true)
}

const lookPatience = 7 * time.Second // a tap is answered within ten

// lookPace is how often one person has the service asked.
func lookPace() Pace { return Pace{Burst: 3, Every: 10 * time.Second} }

// lookAt asks the service for the orders of a purchase, for as long as a person waits.
func (t orderFlow) lookAt(id string) error {
	ctx, cancel := context.WithTimeout(t.ctx, lookPatience)
	defer cancel()
	err := t.cfg.Purchases.Look(ctx, id)
	if err != nil {
		t.cfg.Log.Warn("a purchase could not be looked at", "update", t.update, "purchase", id, "err", err)
	}
	return err
}

// changed reports whether a look has shown anything of orders that people are told.
func changed(before, after []store.Order) bool {
	return !slices.EqualFunc(before, after, func(a, b store.Order) bool {
		return a.State == b.State && a.Status == b.Status && len(a.Codes()) == len(b.Codes()) && a.Back == b.Back && a.Late == b.Late
	})
}

// seen reads a purchase that the person may be shown here, with its orders; ok is false where there is none.
func (t orderFlow) seen(id string) (p store.Purchase, orders []store.Order, ok bool, err error) {
	if p, ok, err = t.purchase(id); err != nil || !ok {
		return p, nil, false, err
	}
	if err = t.fitTo(p); err == nil {
		orders, err = t.cfg.Store.OrdersOf(t.ctx, p)
	}
	return p, orders, err == nil, err
}

// showOrder shows a purchase with its codes. Where Telegram does not take them as a message, they come as a file.
func (t orderFlow) showOrder(p store.Purchase, orders []store.Order, asked bool) error {
	// Of what waits for their word, an owner is shown that, and not what its buyer reads.
	if p.Phase == store.Asked && t.private && t.role == store.Owner && p.Account == t.shop.ID && p.User != t.userID {
		return approvalFlow(t).askAgain(p, orders)
	}
	coded := store.CountCodes(orders) > 0 && !t.scr.Hides()
	if coded {
		if err := t.noteShown(&p, orders); err != nil {
			return err
		}
	}
	at, err := t.cfg.Store.QueuePlaceOf(t.ctx, p)
	if err != nil {
		return err
	}
	var trade store.Trade
	if p.Account == t.shop.ID { // what a shop makes of a purchase is not for who has left it
		if trade, err = t.cfg.Store.Trade(t.ctx, p); err != nil {
			return err
		}
	}
	m := t.scr.Purchases().Trading(trade).Again(p, orders, at)
	if !asked {
		m = t.scr.Purchases().Unasked(m)
	}
	err = t.say(m)
	if coded && m.File == nil && errors.Is(err, telegram.ErrRefused) {
		t.cfg.Log.Error("a purchase cannot be shown as a message", "update", t.update, "purchase", p.ID, "err", err)
		return t.say(t.scr.Codes().Document(p, orders))
	}
	return err
}

// noteShown notes that the codes of a purchase are about to be shown to somebody who asks, and to whom, unless they were
// delivered to that chat: so that their delivery, should it come later, says that it is not the first. p tells whether this is
// the first time.
func (t orderFlow) noteShown(p *store.Purchase, orders []store.Order) error {
	// Committed before the message goes out: of codes that were shown and not noted, nobody would know who has read them.
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
		now, err := tx.Purchase(p.ID)
		if err != nil {
			return err
		}
		p.Told = now.Told
		// The two rows that bring codes: the status message, and the file.
		for _, id := range []string{p.ID, store.FileOf(*p).ID} {
			row, err := tx.Outgoing(p.Chat, id)
			if ignoreMissing(err) != nil {
				return err
			}
			p.Told.MaybeSent = p.Told.MaybeSent || row.Sending || row.Sent // it is on its way this moment, or may have been
		}
		noted := now.Chat != t.chatID && store.NoteReveal(&now, store.Reveal{User: t.userID, Name: t.calledHere(), At: time.Now()})
		// Nothing of it is still to be delivered where all codes were: its message goes on saying that it has brought them.
		delivered := !now.InDocument(orders) && now.Told.Codes >= store.CountCodes(orders)
		if p.Reveals = now.Reveals; (now.Told.MaybeSent || delivered) && !noted {
			return nil
		}
		now.Told.MaybeSent = now.Told.MaybeSent || !delivered
		return tx.PutPurchase(&now)
	})
}

// vault lists the purchases whose codes wait for a chat that cannot be reached.
func (t orderFlow) vault(gone int64) error {
	may, err := t.speaksFor(gone)
	if err != nil {
		return err
	}
	if !may {
		return t.stale()
	}
	list, err := t.cfg.Store.ChatPurchases(t.ctx, gone, "", 4*ordersPage)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(p store.Purchase) bool { return p.Account != t.chat.Account || len(p.OrderIDs) == 0 })
	list = list[:min(len(list), ordersPage)]
	waiting := make([]screen.Bought, len(list))
	for i, p := range list {
		orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
		if err != nil {
			return err
		}
		waiting[i] = screen.Bought{Purchase: p, Orders: orders}
	}
	return t.say(t.scr.Orders().Vault(waiting))
}

// speaksFor reports whether this private chat may see what waits for another one: it is an owner's, the other one
// is of the same account, and cannot be reached.
func (t orderFlow) speaksFor(gone int64) (bool, error) {
	if !t.private || t.role != store.Owner {
		return false, nil
	}
	c, err := t.cfg.Store.Chat(t.ctx, gone)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && !c.Unreachable.IsZero() && c.Has(t.chat.Account), err
}
