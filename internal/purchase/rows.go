package purchase

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/orderid"
	"resellerbot/internal/store"
)

// gatherRows sorts a list of orders: those that were there before, that are ours already, that fit.
func (v *evidence) gatherRows(ctx context.Context, list []api.Order) error {
	// First: owner and explains below ask what it has counted.
	if err := v.gatherOwn(ctx, list); err != nil {
		return err
	}
	var fresh []row
	v.listed = list
	unreadable := 0
	p, clock := v.of, clockOf(v.account, listOf(v.of))
	for _, o := range list {
		if o.ID == "" {
			unreadable++
			continue
		}
		owner, err := v.owner(ctx, o)
		switch {
		case err != nil:
			return err
		// This case stands before those of owner: an order that was there is not its own, whoever has claimed it since.
		//
		// It was listed before the purchase, so it is not its own; but one that nobody here bought shows that others buy.
		case wasThere(p, o):
			lately := o.CreatedAt.IsZero() || v.now.Sub(o.CreatedAt) < sharedFor
			v.foreign = v.foreign || owner == nobody && v.isRecognizable(o) && lately && !v.explains(v.rowOf(o, clock))
			continue
		case owner == ours:
			continue
		case owner == another:
			v.found.shared = true
		}
		fresh = append(fresh, v.rowOf(o, clock))
	}
	m := fitting(fresh, itemOf(p), window{from: p.SentAt, to: p.AnsweredAt, now: v.now, lag: v.account.Lags[listLag(v.account, v.of)].Longest})
	ids := distinctIDs(m.candidates)
	// One id twice is no two orders: which of the two entries is meant nobody can tell.
	v.found.candidates, v.found.late, v.found.others = ids, m.late, len(m.others)+len(m.candidates)-len(ids)
	v.kept.Beside = m.others
	v.found.renamed = slices.ContainsFunc(fresh, v.mayBeRenamed)
	// Of no candidates at all this is true; whole asks for it only where there are as many as were bought.
	v.found.broken = !slices.ContainsFunc(list, func(o api.Order) bool { return slices.Contains(m.candidates, o.ID) && o.Stage() != api.Broken })
	// An entry that cannot be read now and was not there before may be anybody's order, ours included.
	if unreadable > p.Before.Unreadable {
		v.found.others += unreadable - p.Before.Unreadable
	}
	// As long as orders of ours may be new in the list, an unknown entry may be one of them: nobody is suspected.
	if !v.unseen && v.found.rivals == 0 {
		v.foreign = v.foreign || slices.ContainsFunc(fresh, func(r row) bool { // somebody bought something else meanwhile
			return !r.item.alike(itemOf(p)) && !v.explains(r)
		})
	}
	v.found.shared = v.found.shared || v.foreign
	return nil
}

// rowOf is an order of a list, to be compared with what was bought.
func (v *evidence) rowOf(o api.Order, list store.Lag) row {
	return row{id: o.ID, at: madeAt(o, list, v.of.SentAt), item: itemIn(v.of, o)}
}

// mayBeRenamed reports whether an order that is new in a list and nobody's may be the purchase's although the list calls it
// otherwise: the names of an item may change at any moment, or be others in lists.
//
// What speaks against it is asked first. Then the price decides where the list tells one, and else half of the name.
func (v *evidence) mayBeRenamed(r row) bool {
	bought := itemOf(v.of)
	switch {
	case r.item.alike(bought), r.item.player != "" && bought.player != "" && r.item.player != bought.player:
		return false
	case !r.at.IsZero() && r.at.Before(v.of.SentAt.Add(-skew)), slices.ContainsFunc(v.bought, r.item.alike):
		return false
	case slices.ContainsFunc(v.unresolved, func(p store.Purchase) bool { return r.item.alike(itemOf(p)) }):
		return false
	case r.item.price.IsZero():
		return same(r.item.product, bought.product) || same(r.item.variant, bought.variant)
	}
	return r.item.price.Equal(bought.price)
}

// explains reports whether an order that nobody has claimed may be one of a purchase of ours whose orders are not
// known. Each of them explains as many orders as it bought.
//
// It counts down, so each row is asked about once, those first that were there before the purchase: what explains these explains no new one.
func (v *evidence) explains(r row) bool {
	for i, p := range v.unresolved {
		if p.Quantity > 0 && r.item.alike(itemOf(p)) && (r.at.IsZero() || !r.at.Before(p.SentAt.Add(-skew))) {
			v.unresolved[i].Quantity--
			return true
		}
	}
	return false
}

// farOff is how far the times of a list may be from ours where its zone is not known: no zone is further.
const farOff = 24 * time.Hour

// fittingOrders lists the orders of a list that a person may take for the purchase's, newest first: of the same item and for the
// same player as far as it tells, nobody's yet, and not there before. What they cost is for the person to see. taken tells that
// others would fit, and may be those of accepted purchases of ours which are not seen in the list: they have the same
// number, or there are no more of that item.
func (v *evidence) fittingOrders(ctx context.Context, list []api.Order) (orders []api.Order, taken bool, err error) {
	p, bought, alike := v.of, itemOf(v.of), 0
	for _, o := range list {
		shown := itemIn(p, o)
		switch {
		case o.ID == "", !shown.alike(bought), isEarlier(p, o):
			continue
		}
		others, err := v.taken(ctx, v.listedOrder(o))
		if err != nil {
			return nil, false, err
		}
		if others {
			continue
		}
		alike++
		switch {
		case !mayBeFor(o, bought):
		case v.isNumbered(o):
			taken = true
		default:
			orders = append(orders, o)
		}
	}
	// There are no more of this item than our accepted purchases have a claim to. A person may know better of a unit that was not charged.
	if alike <= v.found.own-v.unsold {
		return nil, taken || len(orders) > 0, nil
	}
	newestFirst(orders)
	return eachOnce(orders), taken, nil
}

// otherwiseNamed lists the orders of a list that a person may take for the purchase's although the list calls them otherwise,
// newest first: at its price, or called half as it is where the list tells no price, nobody's yet, and not there before.
func (v *evidence) otherwiseNamed(ctx context.Context, list []api.Order) (orders []api.Order, err error) {
	bought, clock := itemOf(v.of), clockOf(v.account, listOf(v.of))
	for _, o := range list {
		if o.ID == "" || isEarlier(v.of, o) || !v.mayBeRenamed(v.rowOf(o, clock)) || !mayBeFor(o, bought) || v.isNumbered(o) {
			continue
		}
		others, err := v.taken(ctx, v.listedOrder(o))
		if err != nil {
			return nil, err
		}
		if !others {
			orders = append(orders, o)
		}
	}
	newestFirst(orders)
	// There are no more of them than our accepted purchases of this item may have made.
	if len(orders) <= v.found.own {
		return nil, nil
	}
	return eachOnce(orders), nil
}

// distinctIDs is ids, each once.
func distinctIDs(ids []string) (out []string) {
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// eachOnce is orders of a list of which each id stands there once: two entries of one cannot be picked apart.
func eachOnce(orders []api.Order) (out []api.Order) {
	for _, o := range orders {
		if !slices.ContainsFunc(out, func(x api.Order) bool { return x.ID == o.ID }) {
			out = append(out, o)
		}
	}
	return out
}

// newestFirst sorts orders of a list by when they were made.
func newestFirst(orders []api.Order) {
	slices.SortStableFunc(orders, func(a, b api.Order) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ID, a.ID))
	})
}

// isNumbered reports whether an order of a list has the number of one that another purchase has made, however each is
// spelled, and no code tells that they are two.
func (v *evidence) isNumbered(o api.Order) bool {
	return slices.ContainsFunc(v.unshown, func(own store.Order) bool {
		told := store.Telling(o.Code) && store.Telling(own.Code) // it is not shown, so they differ
		n := orderid.Number(o.ID)
		return n != "" && n == orderid.Number(own.ServiceID()) && !told
	})
}

// mayBeFor reports whether an order can be for the player that something was bought for, as far as it tells.
func mayBeFor(o api.Order, bought item) bool {
	return o.PlayerID == "" || bought.player == "" || o.ForPlayer(bought.player) != api.OtherPlayer
}

// itemIn is what an order of a list is of.
func itemIn(p store.Purchase, o api.Order) item {
	in := item{o.ProductName, o.VariantName, o.PlayerID, o.Price}
	if bought := itemOf(p).player; bought != "" && o.ForPlayer(bought) == api.SamePlayer {
		in.player = bought
	}
	if api.Family(p.Family) == api.Arena { // its list names plans alone
		in.product = p.Product
	}
	return in
}

// itemOf is what a purchase bought, as a list would show it.
func itemOf(p store.Purchase) item {
	bought := item{p.Product, p.Variant, "", p.Price}
	if p.Player != nil {
		bought.player = p.Player.ID
	}
	return bought
}

// rowOwner is whose an order of a list is.
type rowOwner uint8

const (
	nobody  rowOwner = iota
	ours             // of this account, bought by the bot
	another          // of another account that the bot knows: both have one wallet
)

// owner finds whose an order of a list is, by its names and by its code.
func (v *evidence) owner(ctx context.Context, o api.Order) (rowOwner, error) {
	claims := []func() (store.Claim, error){
		func() (store.Claim, error) { return v.engine.cfg.Store.CodeClaim(ctx, o.Code) },
	}
	// The code comes first: a list may number its entries by itself, and a number may be another order's. A code is nobody else's.
	for _, name := range v.listedOrder(o).Names() {
		claims = append(claims, func() (store.Claim, error) { return v.engine.cfg.Store.OrderClaim(ctx, name) })
	}
	for _, find := range claims {
		c, err := find()
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return nobody, err
		case c.Account == v.account.ID:
			return ours, nil
		default:
			return another, nil
		}
	}
	return nobody, nil
}

// listedOrder is an order of a list as the store would have it.
func (v *evidence) listedOrder(o api.Order) store.Order {
	out := asStored(originOfList(v.of), o)
	out.Account = v.account.ID
	return out
}

// listedOrders names orders that the list has shown.
func (v *evidence) listedOrders(ids []string) (n named) {
	for _, id := range ids {
		i := slices.IndexFunc(v.listed, func(o api.Order) bool { return o.ID == id })
		n.orders = append(n.orders, v.listedOrder(v.listed[i]))
	}
	return n
}

// isRecognizable reports whether an order of a list would be known for one of ours if it were one. Where all that is not seen in it is listed
// under the names that we know, its name tells; else only its code does, and that once nothing of ours is waited for.
func (v *evidence) isRecognizable(o api.Order) bool {
	named := !slices.ContainsFunc(v.unshown, func(own store.Order) bool { return !listedByName(v.of, own) })
	return speaksList(v.account, v.of) && named || store.Telling(o.Code) && !v.unseen && !v.waiting
}

// rowsOf names the orders of a list as they are remembered, and counts those that could not be read. ok is false
// where there are too many to remember, or not all there are.
func rowsOf(list []api.Order) (ids []string, unreadable int, ok bool) {
	for _, o := range list {
		if o.ID == "" {
			unreadable++
			continue
		}
		ids = append(ids, rowNames(o)...)
	}
	return ids, unreadable, len(list)-unreadable <= mostRows && !slices.ContainsFunc(list, isRest)
}

// isRest reports whether an entry of a list stands for those that it does not show.
func isRest(o api.Order) bool { return o.Rest }

// rowNames is what a list calls an order, as it is remembered.
func rowNames(o api.Order) []string {
	if o.Transaction == "" || o.Transaction == o.ID {
		return []string{rowID(o.ID)}
	}
	return []string{rowID(o.ID), rowID(o.Transaction)}
}

// wasThere reports whether a list held an order before a purchase was sent.
func wasThere(p store.Purchase, o api.Order) bool {
	return slices.ContainsFunc(rowNames(o), func(name string) bool { return slices.Contains(p.Before.Rows, name) })
}

// isEarlier reports whether an order was made before a purchase was sent: the list held it then, or dates it more than a zone earlier.
func isEarlier(p store.Purchase, o api.Order) bool {
	return wasThere(p, o) || !o.CreatedAt.IsZero() && o.CreatedAt.Before(p.SentAt.Add(-farOff))
}

// rowIDs is orders' ids as they are remembered.
func rowIDs(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = rowID(id)
	}
	return out
}

// rowID is an order's id as it is remembered, however it is spelled: a very long one by its hash.
// Rows that are on disk (Snapshot.Rows) are compared with it: with another form, each order of a list would look new.
func rowID(id string) string {
	id = orderid.Fold(id)
	if len(id) <= longestID {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// listOf is the family whose list of orders would show a purchase.
func listOf(p store.Purchase) api.Family {
	switch f := api.Family(p.Family); f {
	case api.Arena, api.BattleRoyale:
		return f
	}
	return api.Goods
}

// originOfList is how an order is followed that such a list names.
func originOfList(p store.Purchase) api.Origin {
	switch listOf(p) {
	case api.Arena:
		return api.FromArena
	case api.BattleRoyale:
		return api.FromBattleRoyale
	}
	return api.FromLegacy
}

// speaksList reports whether what is bought now is answered by the very endpoint whose list would show it, so that the list has such
// orders under the ids that answers name. It is about the account as it is now: of orders that were made before, listedByName tells.
func speaksList(a store.Account, p store.Purchase) bool {
	return listOf(p) != api.Goods || api.Generation(a.Generation) == api.Legacy
}

// listedByName reports whether the list that would show a purchase has an order of it under our name for it. The account may be of another
// generation by now than when the order was made: each numbers its own orders, and one number is two orders then.
func listedByName(p store.Purchase, o store.Order) bool { return o.Origin == string(originOfList(p)) }
