package purchase

import (
	"context"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

// compared is how many of an account's last orders are looked for under another key.
const compared = 50

// Lists is what a key shows of what was bought: a method of *api.Session.
type Lists interface {
	History(ctx context.Context, f api.Family, maxAge time.Duration) ([]api.Order, error)
}

// Likeness is what another key shows of an account that is known.
type Likeness struct {
	Orders  int // of the account, looked for
	Found   int // of them, in the lists that the key shows, with the same item and code
	Strange int // of them, by number alone: something else is there
	// Was is the balance as it has to be by now, with all that was bought taken out of the last reading, or by that reading where the key
	// shows it still. Is is what the key shows; Known tells that both are known.
	Was, Is dzd.Amount
	Known   bool
}

// Same reports whether a key is one of the same account, by its history and by its wallet.
func (l Likeness) Same() bool {
	return l.Found > 0 && l.Strange == 0 && l.Known && l.Was.Equal(l.Is)
}

// Likeness compares an account with what another key shows: its last orders with the lists, and its wallet with the
// balance that it tells. A list that cannot be read shows nothing, and neither does a balance that lacks a figure.
func (e *Engine) Likeness(ctx context.Context, a store.Account, under Lists, who api.Account) (Likeness, error) {
	// While something is being bought, the balance may be the one before it or the one after: it tells nothing (Known).
	l := Likeness{Was: a.Wallet.Available, Is: who.Available, Known: a.Wallet.Read && a.Busy == "" && !who.Lacks}
	switch read := level(a.Wallet); {
	case read.Equal(l.Is):
		l.Was = read
	case a.Wallet.Strange != nil && !l.Was.Equal(l.Is):
		l.Was = l.Was.Add(a.Wallet.Strange.Amount)
	}
	mine, err := e.lastOrders(ctx, a)
	if err != nil {
		return l, err
	}
	l.Orders = len(mine)
	for _, list := range [...]struct {
		family api.Family
		origin api.Origin
	}{{api.Goods, api.FromLegacy}, {api.Arena, api.FromArena}, {api.BattleRoyale, api.FromBattleRoyale}} {
		rows, err := under.History(ctx, list.family, 0)
		if err != nil {
			continue
		}
		mine = slices.DeleteFunc(mine, func(o ownOrder) bool { // what one list shows is found, whatever the others do
			found, strange := o.in(rows, list.origin)
			switch {
			case found:
				l.Found++
			case strange:
				l.Strange++
			}
			return found
		})
	}
	return l, nil
}

// ownOrder is an order with what was bought.
type ownOrder struct {
	store.Order

	product, variant string
}

// in looks for an order in a list. It is found by its code, which is nobody else's, or, where one of the two shows
// none, by its number and its item; strange tells that its number is another order's there.
func (o ownOrder) in(rows []api.Order, origin api.Origin) (found, strange bool) {
	for _, r := range rows {
		if !o.Code.IsZero() && !r.Code.IsZero() && store.SameCode(o.Code, r.Code) {
			return true, false
		}
		// Numbers compare within one list alone: each endpoint numbers its own orders.
		if o.Origin != string(origin) || o.ServiceID() != r.ID {
			continue
		}
		item := r.VariantName == o.variant && (r.ProductName == o.product || r.ProductName == "")
		if item && (o.Code.IsZero() || r.Code.IsZero()) {
			found = true
		} else {
			strange = true
		}
	}
	return found, strange
}

// lastOrders lists the last orders of an account, of all chats that are or were of it.
func (e *Engine) lastOrders(ctx context.Context, a store.Account) (orders []ownOrder, err error) {
	chats := slices.Concat(a.Chats, a.Past)
	slices.Sort(chats)
	for _, chat := range slices.Compact(chats) {
		list, err := e.cfg.Store.ChatPurchases(ctx, chat, "", recentEach)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			if p.Account != a.ID {
				continue
			}
			own, err := e.cfg.Store.OrdersOf(ctx, p)
			if err != nil {
				return nil, err
			}
			for _, o := range own {
				orders = append(orders, ownOrder{o, p.Product, p.Variant})
			}
		}
	}
	slices.SortFunc(orders, func(a, b ownOrder) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return orders[:min(len(orders), compared)], nil
}
