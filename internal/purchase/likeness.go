package purchase

import (
	"context"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/store"
)

const (
	compared   = 50              // of an account's last orders are looked for under another key
	compareFor = 5 * time.Second // for a reading under the account's own key: somebody waits for the comparison
)

// Lists is what a key shows of what was bought: a method of *api.Session.
type Lists interface {
	History(ctx context.Context, f api.Family, maxAge time.Duration) ([]api.Order, error)
}

// Likeness is what another key shows of an account that is known.
type Likeness struct {
	Orders    int // of the account, looked for
	Found     int // of them, in the lists that the key shows, with the same item and code
	Different int // of them, by number alone: something else is there
	// Was is what was last read of the balance, under a key of the account, and At is when. Due is that without what
	// was bought here and is not taken out of it yet (Lacks). Is is what the other key shows; Known tells that all are known.
	Was, Due, Is dzd.Amount
	At           time.Time
	Known        bool
}

// Same reports whether a key is one of the same account, by its history and by its wallet.
func (l Likeness) Same() bool {
	return l.Found > 0 && l.Different == 0 && l.Known && (l.Was.Equal(l.Is) || l.Due.Equal(l.Is))
}

// Likeness compares an account with what another key shows: its last orders with the lists, and its wallet with the
// balance that it tells. A list that cannot be read shows nothing, and neither does a balance that lacks a figure.
func (e *Engine) Likeness(ctx context.Context, a store.Account, under Lists, who api.Account) (Likeness, error) {
	l := Likeness{Is: who.Available}
	l.Was, l.At, l.Known = e.lastRead(ctx, a)
	// While something is being bought, the balance may be the one before it or the one after: it tells nothing.
	l.Known = l.Known && a.Busy == "" && !who.Lacks
	w := a.Wallet
	if w.Unexplained != nil { // which a reading has shown, whatever it was
		w.Available = w.Available.Add(w.Unexplained.Amount)
	}
	l.Due = l.Was.Sub(Lacks(w, l.Was, time.Now()))
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
			found, different := o.in(rows, list.origin)
			switch {
			case found:
				l.Found++
			case different:
				l.Different++
			}
			return found
		})
	}
	return l, nil
}

// lastRead is what can be spent from an account, by a reading of now where its key is still good for one; false where it was never read.
func (e *Engine) lastRead(ctx context.Context, a store.Account) (available dzd.Amount, at time.Time, known bool) {
	if !a.Key.IsZero() {
		ctx, cancel := context.WithTimeout(ctx, compareFor)
		defer cancel()
		if b, err := e.cfg.Service(a).Balance(ctx, 0); err == nil && !b.Lacks {
			return b.Available, b.At, true
		}
	}
	if a.Wallet.Shown == nil {
		return available, at, false
	}
	return *a.Wallet.Shown, a.Wallet.At, true
}

// ownOrder is an order with what was bought.
type ownOrder struct {
	store.Order

	product, variant string
}

// in looks for an order in a list. It is found by its code, which is nobody else's, or, where one of the two shows
// none, by its number and its item; different tells that its number is another order's there.
func (o ownOrder) in(rows []api.Order, origin api.Origin) (found, different bool) {
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
			different = true
		}
	}
	return found, different
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
