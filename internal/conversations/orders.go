package conversations

import (
	"errors"
	"slices"
	"time"

	"resellerbot/internal/store"
)

const ordersPage = 8

// now is the time a screen shows as its own.
func now() time.Time { return time.Now() }

// orders is /orders: the chat's purchases, newest first, from behind the one named after.
func (t *turn) orders(after string) error {
	list, err := t.purchases(after)
	if err != nil {
		return err
	}
	older := ""
	if len(list) > ordersPage {
		list = list[:ordersPage]
		older = list[ordersPage-1].ID
	}
	return t.say(t.scr.Orders(list, older, after != ""))
}

// purchases reads one page of purchases and one more. Drafts, and what was dropped before it was
// confirmed, are nobody's history.
func (t *turn) purchases(after string) ([]store.Purchase, error) {
	var kept []store.Purchase
	for len(kept) <= ordersPage {
		list, err := t.cfg.Store.ChatPurchases(t.ctx, t.chatID, after, 4*ordersPage)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			after = p.ID
			if !p.QueuedAt.IsZero() && len(kept) <= ordersPage {
				kept = append(kept, p)
			}
		}
		if len(list) < 4*ordersPage {
			break
		}
	}
	return kept, nil
}

// why shows the evidence by which an uncertain purchase was judged.
func (t *turn) why(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (p.Chat != t.chatID || p.Evidence == nil) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	return t.say(t.scr.Why(p))
}

// order shows one purchase again, with the codes that were delivered. One of a chat that cannot be reached
// is shown to whoever speaks for its account; should that chat come back, it is told that its codes are
// delivered again.
func (t *turn) order(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	foreign := err == nil && p.Chat != t.chatID
	if foreign {
		may, err := t.speaksFor(p.Chat)
		if err != nil {
			return err
		}
		foreign = !may
	}
	if err != nil || foreign {
		return t.stale()
	}
	if p.Chat != t.chatID {
		if err := t.shownElsewhere(id); err != nil {
			return err
		}
	}
	orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
	if err != nil {
		return err
	}
	return t.say(t.scr.Again(p, orders))
}

// vault lists the purchases whose codes wait for a chat that cannot be reached.
func (t *turn) vault(gone int64) error {
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
	return t.say(t.scr.Vault(list[:min(len(list), ordersPage)]))
}

// speaksFor reports whether this private chat may see what waits for another one: both are of one account,
// the other cannot be reached, and this one is next in line.
func (t *turn) speaksFor(gone int64) (bool, error) {
	if !t.private || t.chat.Account == "" {
		return false, nil
	}
	c, err := t.cfg.Store.Chat(t.ctx, gone)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil || c.Unreachable.IsZero() || c.Account != t.chat.Account {
		return false, err
	}
	a, err := t.cfg.Store.Account(t.ctx, c.Account)
	return err == nil && a.OwnerBut(gone) == t.chatID, err
}

// shownElsewhere notes that the codes of a purchase were shown outside of its own chat.
func (t *turn) shownElsewhere(id string) error {
	return t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
		p, err := tx.Purchase(id)
		if err != nil {
			return err
		}
		p.Told.MaybeSent = true
		return tx.PutPurchase(&p)
	})
}
