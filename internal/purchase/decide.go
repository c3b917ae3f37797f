package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/store"
)

var (
	// ErrClaimed: an order that a person has picked for a purchase belongs to another one. Nothing was changed.
	ErrClaimed = errors.New("purchase: the order belongs to another purchase")
	// ErrNotListed: an order that a person has picked for a purchase does not fit, or shows no more. Nothing was changed.
	ErrNotListed = errors.New("purchase: the order does not show for this purchase")
)

// Choice is what the service's lists show of an undecided purchase, for a person to pick from.
type Choice struct {
	Purchase store.Purchase
	// Orders are those of the same item, for the same player, that are nobody's and that were not there before
	// the purchase, newest first.
	Orders []api.Order
	// Renamed is how many of them, the last ones, the list calls otherwise than what was bought. They are offered only where
	// fewer fit by their name than were bought.
	Renamed int
	// Named tells that they are those of the service's answer, and that no list shows any.
	Named bool
	// Rivals tells that another purchase of the shop may have one of them.
	Rivals bool
	// Taken tells that orders fit which other purchases of the shop have made for all that is known: none is offered.
	Taken bool
	// Sure tells that Orders are this purchase's: exactly as many as were bought, exactly their price is gone, and nobody
	// else buys with the account. Whoever says that it was bought need not pick.
	Sure bool

	origin api.Origin
}

// IDs is what the service calls the orders.
func (c Choice) IDs() []string {
	ids := make([]string, len(c.Orders))
	for i, o := range c.Orders {
		ids[i] = o.ID
	}
	return ids
}

// pick is the orders that were picked.
func (c Choice) pick(picked []string) (n named) {
	for _, id := range picked {
		o := api.Order{ID: id}
		if at := slices.Index(c.IDs(), id); at >= 0 {
			o = c.Orders[at]
		}
		n.orders = append(n.orders, asStored(c.origin, o))
	}
	return n
}

// Choices reads anew which orders may be an undecided purchase's, for somebody who may decide about it: an owner, where
// it was bought or in their private chat. ErrNotAllowed and ErrStale are those of Decide; an *api.Error tells that the
// list cannot be read now, or that there is none.
func (e *Engine) Choices(ctx context.Context, id string, chat, user int64) (Choice, error) {
	p, err := e.cfg.Store.Purchase(ctx, id)
	if err != nil {
		return Choice{}, err
	}
	a, err := e.cfg.Store.Account(ctx, p.Account)
	if err != nil {
		return Choice{}, err
	}
	if err := mayDecide(a, p, chat, user); err != nil {
		return Choice{}, err
	}
	// A choice is no look of the engine: it begins an evidence of its own without counting one, and nothing of it is kept.
	// From the best proof on: what the answer has named and the service shows, what the list shows, and what the answer has named although no
	// list shows it. That a list cannot be read (unread) is only returned where nothing else can be offered.
	v := &evidence{engine: e, service: e.cfg.Service(a), account: a, of: p, now: time.Now()}
	n, all, err := v.namedOrders(ctx)
	if err != nil {
		return Choice{}, err
	}
	// The service itself has named them in its answer, and shows them now: there is nothing to choose between.
	if all && len(n.orders) == p.Quantity {
		return Choice{Purchase: p, Orders: ordersNamed(n), Sure: true, origin: api.Origin(p.Origin)}, nil
	}
	c, unread := v.listedToPick(ctx)
	if unread == nil && len(c.Orders) > 0 {
		return c, nil
	}
	// No list shows any: what the answer has named may be known to a person.
	named, err := v.namedToPick(ctx)
	if err != nil {
		return Choice{}, err
	}
	if len(named) == 0 {
		return c, unread
	}
	if c.Rivals, err = v.mayBeOtherKeys(ctx, nil); err != nil {
		return Choice{}, err
	}
	c.Purchase, c.Orders, c.Taken, c.Named, c.origin = p, named, false, true, api.Origin(p.Origin)
	return c, nil
}

// listedToPick is what the list shows that a person may take for the purchase's.
func (v *evidence) listedToPick(ctx context.Context) (Choice, error) {
	a, p := v.account, v.of
	list, err := v.service.History(ctx, listOf(p), 0)
	if err != nil {
		return Choice{}, fmt.Errorf("read the list for a decision: %w", err)
	}
	c := Choice{Purchase: p, origin: originOfList(p)}
	// Before fittingOrders: it counts against how many orders of the list our other purchases have a claim (found.own).
	if err := v.gatherOwn(ctx, list); err != nil {
		return Choice{}, err
	}
	contested, err := v.mayBeOtherKeys(ctx, list)
	if err != nil {
		return Choice{}, err
	}
	c.Rivals = contested || v.found.own+v.found.rivals > 0
	orders, taken, err := v.fittingOrders(ctx, list)
	if err != nil {
		return Choice{}, err
	}
	// Sure needs the last look of the engine and this reading to name the same orders: the money is not read here.
	c.Sure = !c.Rivals && proven(p, orders)
	if !c.Sure && len(orders) < p.Quantity {
		renamed, err := v.otherwiseNamed(ctx, list)
		if err != nil {
			return Choice{}, err
		}
		orders, c.Renamed = append(orders, renamed...), len(renamed)
	}
	c.Orders, c.Taken = InOurTime(a, listOf(p), orders), taken && len(orders) == 0
	return c, nil
}

// ordersNamed is orders of which nothing but their names, and perhaps codes, are known.
func ordersNamed(n named) (orders []api.Order) {
	for _, o := range n.orders {
		orders = append(orders, api.Order{ID: o.ServiceID(), Transaction: o.Other, Code: o.Code})
	}
	return orders
}

// proven reports whether the evidence has shown that these very orders are a purchase's.
func proven(p store.Purchase, orders []api.Order) bool {
	ev := p.Evidence
	if ev == nil || !ev.Alone || ev.Shared || !ev.Paid || len(ev.Rows) != p.Quantity || len(orders) != p.Quantity {
		return false
	}
	return !slices.ContainsFunc(orders, func(o api.Order) bool { return !slices.Contains(ev.Rows, o.ID) })
}

// Adopt takes a person's word about which orders an undecided purchase has made: they become its own, and their codes
// come. The list is read anew for it. ErrClaimed where one of them is another purchase's, ErrNotListed where one does
// not show for it now; the rest as Decide.
func (e *Engine) Adopt(ctx context.Context, id string, chat, user int64, orders []string) error {
	c, err := e.Choices(ctx, id, chat, user)
	if err != nil {
		return err
	}
	if err = e.listed(ctx, c, orders); err == nil {
		err = e.adoptPicked(ctx, id, chat, user, c.pick(orders))
	}
	if errors.Is(err, ErrClaimed) {
		e.log(c.Purchase).Error("a person picked an order that belongs to another purchase", "by", user)
	}
	return err
}

// adoptPicked is Adopt once the list is read.
// Rights and phase are asked again in the transaction: reading the list before it can take seconds.
func (e *Engine) adoptPicked(ctx context.Context, id string, chat, user int64, n named) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		if err != nil {
			return err
		}
		if err := mayDecide(a, p, chat, user); err != nil {
			return err
		}
		// The claim decides, and not the list: of two people who pick one order for two purchases, one gets ErrClaimed.
		free, err := e.adopt(tx, &p, &a, n)
		switch {
		case err != nil:
			return err
		case !free:
			return ErrClaimed
		}
		tx.Then(func() {
			e.unseen(id)
			e.log(p).Info("a person picked the orders of a purchase", "orders", len(n.orders), "by", user)
		})
		p.LookAt = time.Time{} // what was there before it is kept: it may be asked about again
		told := e.pricePicked(tx, &p, a, n)
		if err := e.move(tx, &p, &a, Find, "a person picked its orders"); err != nil {
			return err
		}
		return errors.Join(told, e.pingUncertain(tx, p, a, 0))
	})
}

// listed sees to it that orders which a person has picked can be had: each shows for the purchase now, once, and there
// are not more than were bought.
func (e *Engine) listed(ctx context.Context, c Choice, picked []string) error {
	// The last condition is that no order is picked twice: sorted, equal ids stand side by side.
	if len(picked) == 0 || len(picked) > c.Purchase.Quantity || len(slices.Compact(slices.Sorted(slices.Values(picked)))) != len(picked) {
		return ErrNotListed
	}
	for _, id := range picked {
		if slices.Contains(c.IDs(), id) {
			continue
		}
		// What is not among the choices was claimed meanwhile, or is no more listed: people are told which.
		_, err := e.cfg.Store.OrderClaim(ctx, store.OrderID(string(c.origin), id))
		switch {
		case err == nil:
			return ErrClaimed
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
		return ErrNotListed
	}
	return nil
}

// Decide takes a person's word about an undecided purchase that none of its orders can be picked for: it went through,
// and is taken care of at the service, or it does not exist there. Only an owner decides, where it was bought or in
// their private chat; for anybody else it is ErrNotAllowed. Anything but an undecided purchase is left alone with
// ErrStale.
func (e *Engine) Decide(ctx context.Context, id string, chat, user int64, bought bool) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		p, a, err := load(tx, id)
		if err != nil {
			return err
		}
		if err := mayDecide(a, p, chat, user); err != nil {
			return err
		}
		tx.Then(func() { e.log(p).Info("a person decided about a purchase", "bought", bought, "by", user) })
		// The word is taken down before disown and believe change the wallet: it says what stood against it at that moment.
		p.Word = wordOf(p, a, user, bought)
		if !bought {
			if err := e.disown(tx, &p, &a); err != nil {
				return err
			}
			return errors.Join(e.move(tx, &p, &a, Deny, store.DeniedByPerson), pingDecided(tx, p, user))
		}
		tx.Then(func() { e.unseen(id) })
		if err := believe(tx, &a, p, time.Now()); err != nil {
			return err
		}
		// Bought or not is decided; later looks would ask a question that was answered.
		endLooks(&p)
		p.OrderIDs = nil // those that its answer named were never found: it has none
		return errors.Join(e.move(tx, &p, &a, Close, "a person said that it was bought"), pingDecided(tx, p, user))
	})
}

// pingDecided has the phone ring of whoever has bought what somebody else has decided about: their message is only edited.
func pingDecided(tx *store.Tx, p store.Purchase, by int64) error {
	if p.User == by || p.Chat == by { // what somebody has bought who is gone stands with an owner
		return nil
	}
	return tx.Enqueue(&store.Outgoing{Chat: p.Chat, ID: p.ID + ".d" + string(p.Phase), Kind: store.Ping, Purchase: p.ID, Priority: store.NoticePriority})
}

// Question reads an undecided purchase for somebody who may decide about it. The errors are those of Decide.
func (e *Engine) Question(ctx context.Context, id string, chat, user int64) (store.Purchase, error) {
	p, err := e.cfg.Store.Purchase(ctx, id)
	if err != nil {
		return store.Purchase{}, err
	}
	a, err := e.cfg.Store.Account(ctx, p.Account)
	if err != nil {
		return store.Purchase{}, err
	}
	return p, mayDecide(a, p, chat, user)
}

// wordOf is what a person says of a purchase, and what they say it against.
func wordOf(p store.Purchase, a store.Account, user int64, bought bool) *store.Word {
	m, _ := a.Member(user)
	w := &store.Word{By: user, Name: m.Name}
	if p.Evidence != nil && !bought {
		w.Rows = p.Evidence.Rows
	}
	i := expected(a.Wallet, p.ID)
	// A "not bought" against a price that is gone is kept as such: giveBack gives no limit back for it.
	w.Gone = !bought && (p.SeemsPaid() || i >= 0 && !a.Wallet.Expected[i].Seen.IsZero())
	return w
}

// mayDecide tells whether somebody may decide about a purchase now, from a chat.
func mayDecide(a store.Account, p store.Purchase, chat, user int64) error {
	switch {
	case !a.Decides(p, user):
		return ErrNotAllowed
	// Rights before the phase: who may not decide learns nothing of what became of it.
	//
	// Two places may decide: the chat where it was bought, and the owner's private chat, whose id is the user's.
	case p.Chat != chat && chat != user, p.Phase != store.Undecided:
		return ErrStale
	}
	return nil
}
