package conversations

import (
	"errors"
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

// order shows one purchase again, with the codes that were delivered.
func (t *turn) order(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && p.Chat != t.chatID {
		return t.stale()
	}
	if err != nil {
		return err
	}
	orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
	if err != nil {
		return err
	}
	return t.say(t.scr.Again(p, orders))
}
