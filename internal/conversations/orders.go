package conversations

import (
	"errors"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/conversations/screen"
	"resellerbot/internal/store"
)

const ordersPage = 8

// now is the time a screen shows as its own.
func now() time.Time { return time.Now() }

// orders is /orders: purchases, newest first, from behind the one named after. A seller sees their own, the
// counter and a group those of the whole team, and an owner either.
func (t *turn) orders(after, scope string) error {
	all := t.role != store.NoRole && (!t.private || t.role == store.Counter || t.role == store.Owner && scope == screen.OrdersAll)
	chats := []int64{t.chatID}
	if all {
		chats = slices.Concat(t.shop.Chats, t.shop.Past)
	}
	list, err := t.purchases(after, chats, func(p store.Purchase) bool {
		if all {
			return p.Account == t.shop.ID
		}
		return !slices.Contains(t.chat.Removed, p.Account)
	})
	if err != nil {
		return err
	}
	older := ""
	if len(list) > ordersPage {
		list = list[:ordersPage]
		older = list[ordersPage-1].ID
	}
	if all || t.role == store.Owner && len(t.shop.Members()) > 1 {
		return t.say(t.scr.TeamOrders(list, older, after != "", all))
	}
	return t.say(t.scr.Orders(list, older, after != ""))
}

// purchases reads one page of some chats' purchases and one more. Drafts, and what was dropped before it was
// confirmed, are nobody's history.
func (t *turn) purchases(after string, chats []int64, shown func(store.Purchase) bool) ([]store.Purchase, error) {
	var kept []store.Purchase
	for len(kept) <= ordersPage {
		list, more, err := t.newest(after, chats)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			after = p.ID
			if !p.QueuedAt.IsZero() && shown(p) && len(kept) <= ordersPage {
				kept = append(kept, p)
			}
		}
		if !more {
			break
		}
	}
	return kept, nil
}

// newest reads the newest purchases of some chats together, from behind the one named after; more tells that
// there may be others.
func (t *turn) newest(after string, chats []int64) (list []store.Purchase, more bool, err error) {
	const most = 4 * ordersPage
	for _, chat := range chats {
		found, err := t.cfg.Store.ChatPurchases(t.ctx, chat, after, most)
		if err != nil {
			return nil, false, err
		}
		list, more = append(list, found...), more || len(found) == most
	}
	slices.SortFunc(list, func(a, b store.Purchase) int { return strings.Compare(b.ID, a.ID) })
	return list[:min(len(list), most)], more || len(list) > most, nil
}

// why shows the evidence by which an uncertain purchase was judged.
func (t *turn) why(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (!t.sees(p) || p.Evidence == nil) {
		return t.stale()
	}
	if err != nil {
		return err
	}
	return t.say(t.scr.Why(p))
}

// sees reports whether the person may be shown a purchase here: what was bought in this chat, unless they were
// taken out of its team, and, of their team, what their role shows them.
func (t *turn) sees(p store.Purchase) bool {
	switch {
	case slices.Contains(t.chat.Removed, p.Account):
		return false
	case t.private && p.Chat == t.chatID:
		return true
	case p.Account != t.shop.ID:
		return false
	case !t.private:
		return t.role != store.NoRole
	}
	return t.role == store.Owner || t.role == store.Counter || t.role == store.Seller && p.User == t.userID
}

// order shows one purchase again, with the codes that were delivered. Should one whose codes are shown here belong
// to another chat, that one is told later that they are delivered again.
func (t *turn) order(id string) error {
	p, err := t.cfg.Store.Purchase(t.ctx, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err != nil || !t.sees(p) {
		return t.stale()
	}
	orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
	if err != nil {
		return err
	}
	coded := slices.ContainsFunc(orders, func(o store.Order) bool { return !o.Code.IsZero() })
	if coded && p.Chat != t.chatID && t.private && t.role == store.Owner {
		if err := t.shownElsewhere(id); err != nil {
			return err
		}
	}
	at, err := t.cfg.Store.StandingOf(t.ctx, p)
	if err != nil {
		return err
	}
	return t.say(t.scr.Again(p, orders, at))
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

// speaksFor reports whether this private chat may see what waits for another one: it is an owner's, the other one
// is of the same account, and cannot be reached.
func (t *turn) speaksFor(gone int64) (bool, error) {
	if !t.private || t.role != store.Owner {
		return false, nil
	}
	c, err := t.cfg.Store.Chat(t.ctx, gone)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && !c.Unreachable.IsZero() && c.Account == t.chat.Account, err
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
