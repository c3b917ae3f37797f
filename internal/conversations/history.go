package conversations

import (
	"errors"
	"slices"

	"resellerbot/internal/api"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// history shows a page of what the service remembers of a family's orders.
func (t orderFlow) history(f api.Family, page int) error {
	v := screen.HistoryView{Family: f, Page: page}
	return withService(t.turn, func(s Service) ([]api.Order, error) {
		list, offered, err := t.past(s, f)
		v.Offered = offered
		return list, err
	}, func(list []api.Order) error {
		v.List = list
		return t.say(t.scr.Orders().History(v))
	})
}

// past is what the service remembers of a family's orders, as far as each can be named, with their times by our clock;
// offered is false where it keeps no such list.
func (t orderFlow) past(s Service, f api.Family) (list []api.Order, offered bool, err error) {
	list, err = patiently(t.ctx, func() ([]api.Order, error) { return s.History(t.ctx, f, historyAge) })
	if api.ClassOf(err) == api.NotOffered {
		return nil, false, nil
	}
	list = purchase.InOurTime(t.shop, f, list) // a copy
	return slices.DeleteFunc(list, func(o api.Order) bool { return o.ID == "" }), true, err
}

// pastOrder opens an order of the service's history: the purchase that it belongs to, or, where none is known for it,
// the order with its code. Codes are shown in private alone.
func (t orderFlow) pastOrder(f api.Family, id string) error {
	claim, err := t.cfg.Store.OrderClaim(t.ctx, store.OrderID(string(pastOrigin(f)), id))
	switch {
	case err == nil:
		return t.order(claim.Purchase)
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return withService(t.turn, func(s Service) (api.Order, error) {
		list, _, err := t.past(s, f)
		i := slices.IndexFunc(list, func(o api.Order) bool { return o.ID == id })
		// err may be nil here. An order without an id is one that the list does not show any more.
		if i < 0 {
			return api.Order{}, err
		}
		return list[i], nil
	}, func(o api.Order) error {
		if o.ID == "" { // the list does not show it any more
			return t.history(f, 0)
		}
		return t.pastEntry(f, o)
	})
}

// pastEntry opens an entry of a history by its code: the history may number the orders of a purchase otherwise than the
// answer to the purchase did.
func (t orderFlow) pastEntry(f api.Family, o api.Order) error {
	claim, err := t.cfg.Store.CodeClaim(t.ctx, o.Code)
	switch {
	case err == nil:
		return t.order(claim.Purchase)
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	return t.say(t.scr.Orders().PastOrder(o, f, t.private))
}

// pastOrigin is how an order is followed that a history names.
func pastOrigin(f api.Family) api.Origin {
	switch f {
	case api.Arena:
		return api.FromArena
	case api.BattleRoyale:
		return api.FromBattleRoyale
	}
	return api.FromLegacy
}
