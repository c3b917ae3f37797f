package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/api/orderid"
	"resellerbot/internal/store"
)

// named is orders as an answer, or a list, names them.
type named struct {
	orders   []store.Order // by what names them, and their codes as far as they show
	answered bool          // the answer to the purchase itself named them
}

// keys is the orders as the store knows them.
func (n named) keys() []string {
	keys := make([]string, len(n.orders))
	for i, o := range n.orders {
		keys[i] = o.ID
	}
	return keys
}

// price is what the orders cost together; named is false where one of them does not tell.
func (n named) price() (sum dzd.Amount, named bool) {
	for _, o := range n.orders {
		if o.Price.IsZero() {
			return dzd.Amount{}, false
		}
		sum = sum.Add(o.Price)
	}
	return sum, len(n.orders) > 0
}

// has reports whether an order is among them, however its id is spelled.
func (n named) has(o store.Order) bool {
	return slices.ContainsFunc(n.orders, func(x store.Order) bool { return orderid.Same(x.ServiceID(), o.ServiceID()) })
}

// answeredOrders is the orders that the answer to a purchase names.
func answeredOrders(v api.Verdict) named {
	n := named{answered: true}
	for _, id := range v.OrderIDs {
		n.orders = append(n.orders, asStored(v.Origin, api.Order{ID: id, Transaction: v.Transaction}))
	}
	return n
}

// asStored is an order as the store would have it, by what names it, with its code and what it cost.
func asStored(origin api.Origin, o api.Order) store.Order {
	out := store.Order{ID: store.OrderID(string(origin), o.ID), Origin: string(origin), Code: o.Code, Price: o.Price}
	if origin == api.FromArena {
		out.Other = o.Transaction
	}
	return out
}

// namedOrders asks for the orders that an uncertain answer named. all is false unless all of them exist, are nobody's,
// can be what was bought, and are not more than that. One that exists, is nobody's and cannot be what was bought speaks
// against saying anything.
func (v *evidence) namedOrders(ctx context.Context) (n named, all bool, err error) {
	p := v.of
	// OrderIDs of an uncertain purchase are those that its answer named; they are its own only once adopt has claimed them.
	if len(p.OrderIDs) == 0 || len(p.OrderIDs) > p.Quantity {
		return n, false, nil
	}
	all = true
	for _, key := range p.OrderIDs {
		seen, err := v.namedOrder(ctx, key)
		if err != nil {
			return n, false, nil //nolint:nilerr // it does not show, or not now: it proves nothing
		}
		o := asStored(api.Origin(p.Origin), api.Order{ID: seen.ID, Transaction: seen.Transaction, Code: seen.Code})
		o.Account = p.Account
		taken, err := v.taken(ctx, o)
		switch {
		case err != nil:
			return n, false, err
		// The answer may name one order twice, in two spellings: then it has not named as many as were bought.
		case taken || n.has(o):
			all = false
		case !v.mayBe(seen):
			v.misnamed++
			all = false
		default:
			n.orders = append(n.orders, o)
		}
	}
	// It is told at the first look alone: each later one would say the same.
	if !all && v.kept.Looks == 1 {
		v.engine.log(p).Error("an answer named orders that are not those of its purchase", "orders", len(p.OrderIDs), "of_other_items", v.misnamed)
	}
	return n, all, nil
}

// namedOrder asks for an order that an uncertain answer named.
func (v *evidence) namedOrder(ctx context.Context, key string) (api.Order, error) {
	id := store.Order{ID: key, Origin: v.of.Origin}.ServiceID()
	seen, err := v.service.Order(ctx, api.OrderRef{Origin: api.Origin(v.of.Origin), ID: id})
	// The id that was asked for stays, however the answer spells it: the claims are looked up by it.
	if seen.ID = id; err == nil && seen.SaysNothing() {
		return seen, &api.Error{Op: "order", Class: api.NotFound} // it proves nothing
	}
	return seen, err
}

// mostNamed is how many orders that an answer named are offered to a person: each costs a call.
const mostNamed = 20

// namedToPick lists the orders that an uncertain answer named and that may be the purchase's, though not all of them do, or there are
// more than that: where no list shows others, a person may know which they are.
func (v *evidence) namedToPick(ctx context.Context) (orders []api.Order, err error) {
	var away error
	for _, key := range v.of.OrderIDs[:min(len(v.of.OrderIDs), mostNamed)] {
		seen, err := v.namedOrder(ctx, key)
		switch api.ClassOf(err) {
		case api.Limited, api.Unauthorized, api.IPBlocked: // the others would not show either
			return nil, fmt.Errorf("read the orders that the answer named: %w", err)
		case api.Upstream: // of this one, or of all
			away = fmt.Errorf("read an order that the answer named: %w", err)
		}
		if err != nil || !v.mayBe(seen) || isEarlier(v.of, seen) {
			continue // what does not show now cannot be picked now
		}
		o := asStored(api.Origin(v.of.Origin), seen)
		o.Account = v.of.Account
		taken, err := v.taken(ctx, o)
		if err != nil {
			return nil, err
		}
		if !taken {
			orders = append(orders, seen)
		}
	}
	if len(orders) == 0 && away != nil {
		return nil, away
	}
	return orders, ctx.Err()
}

// taken reports whether an order belongs to a purchase already: its code, or its number under any of its names.
// The code is asked about first: a code is nobody else's, while two accounts may have one number.
func (v *evidence) taken(ctx context.Context, o store.Order) (bool, error) {
	st := v.engine.cfg.Store
	if _, err := st.CodeClaim(ctx, o.Code); !errors.Is(err, store.ErrNotFound) {
		return err == nil, err
	}
	find := func(account, id string) (store.Order, error) { return st.Order(ctx, account, id) }
	for _, name := range o.Names() {
		c, err := st.OrderClaim(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return false, err
		}
		if other, err := anotherOrder(find, c, o); err != nil || !other {
			return true, err
		}
	}
	return false, nil
}

// mayBe reports whether an order can be of the purchase, by what is said of it. Its price is no matter: what was
// charged may differ from what was shown, and people are told that.
func (v *evidence) mayBe(seen api.Order) bool {
	bought := itemOf(v.of)
	// The arena's orders name plans and no product, and an endpoint may leave a name out: what is not told excludes nothing.
	product := seen.ProductName == "" || api.Family(v.of.Family) == api.Arena || same(seen.ProductName, bought.product)
	variant := seen.VariantName == "" || same(seen.VariantName, bought.variant)
	at := madeAt(seen, clockOf(v.account, listOf(v.of)), v.of.SentAt)
	return product && variant && mayBeFor(seen, bought) && (at.IsZero() || !at.Before(v.of.SentAt.Add(-skew)))
}

// madeAt is when an order was made, by our clock; zero where that is not told. A date alone tells no more of an order of
// that day, and one that is still to come tells nothing.
func madeAt(o api.Order, list store.Lag, sent time.Time) time.Time {
	at, told := byOurClock(o, list)
	past := isDate(o.CreatedAt) && (!o.Zoneless || list.Clock) && at.Add(24*time.Hour).Before(sent)
	// No zone is further than farOff from ours: what lies beyond is no time that could be brought into ours.
	future := o.CreatedAt.After(time.Now().Add(farOff))
	if !told && !past || future {
		return time.Time{}
	}
	return at
}

// adopt makes orders a purchase's own, follows them, and takes the purchase out of the wallet. Orders that
// are somebody's already are nobody else's: free is false then, and nothing is changed.
func (e *Engine) adopt(tx *store.Tx, p *store.Purchase, a *store.Account, n named) (free bool, err error) {
	for _, o := range n.orders {
		o.Account = a.ID
		if free, err := e.free(tx, *p, o, n.answered); err != nil || !free {
			return false, err
		}
	}
	now := time.Now()
	p.OrderIDs = nil // an uncertain one has those that its answer named
	if err := putOrders(tx, *p, *a, n.orders); err != nil {
		return false, err
	}
	p.OrderIDs, p.Missing = n.keys(), p.Quantity-len(n.orders)
	if sum, named := n.price(); p.Missing > 0 && named && sum.Equal(p.Total) { // each may be of several units
		p.Missing = 0
	}
	if !n.answered {
		return true, debit(tx, a, *p, false, "", now)
	}
	return true, debit(tx, a, *p, true, toLearn(*a, *p), now)
}

// putOrders writes orders down as a purchase's own, behind those that it has, and has them looked at.
func putOrders(tx *store.Tx, p store.Purchase, a store.Account, orders []store.Order) error {
	now := time.Now()
	for i, named := range orders {
		o := store.Order{
			Account: a.ID, ID: named.ID, Purchase: p.ID, Origin: named.Origin, Other: named.Other, Topup: p.Topup, Personal: !p.Topup && isForSomebody(p), Manual: p.Manual,
			Item: store.ItemOf(p), Unit: len(p.OrderIDs) + i + 1, State: store.Waiting, Price: named.Price, CreatedAt: now, Due: now,
		}
		if err := tx.PutOrder(&o); err != nil {
			return err
		}
		// A claim of somebody else stays theirs: free has found that it is of another order with the same number, or that our answer proves
		// more.
		if err := tx.ClaimOrder(o); err != nil && !errors.Is(err, store.ErrClaimed) {
			return err
		}
	}
	return nil
}

// free reports whether an order may become a purchase's own: it is nobody's, under any of its names, or another account
// has one of that number and another code. An answer is a better proof than a list was.
func (e *Engine) free(tx *store.Tx, p store.Purchase, o store.Order, answered bool) (bool, error) {
	// An account never has one order twice, whatever claims say.
	if _, err := tx.Order(o.Account, o.ID); !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	for _, name := range o.Names() {
		c, err := tx.OrderClaim(name)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue
		case err != nil:
			return false, err
		case answered:
			err = e.numbersAlike(tx, p, name, c)
		default:
			var other bool
			if other, err = anotherOrder(tx.Order, c, o); !other {
				return false, err
			}
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
