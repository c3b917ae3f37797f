package conversations

import (
	"errors"
	"slices"

	"resellerbot/internal/purchase"
	"resellerbot/internal/store"
)

// mostOffers is how many of the latest purchases, and lists, of a chat are looked through for offers: those end after half an hour.
const mostOffers = 4 * ordersPage

// endOffers ends what somebody was offered, or has asked for, who may not buy any more: at once, so that neither they nor an owner
// taps a button that buys nothing. Whatever it leaves is refused when it is tapped.
func (t teamFlow) endOffers(a store.Account, user int64) error {
	var errs []error
	for _, chat := range offerChats(a, user) {
		errs = append(errs, t.endPurchases(a.ID, chat, user), t.endLists(a.ID, chat, user))
	}
	// All of them are tried: one chat that fails leaves no summary open in the other.
	return errors.Join(errs...)
}

// offerChats are the chats where somebody is offered what is for sale under an account.
func offerChats(a store.Account, user int64) []int64 {
	if a.Place == nil {
		return []int64{user}
	}
	return []int64{user, a.Place.Chat}
}

// endOffersOf is endOffers for everybody who leaves an account with somebody: the whole team, if that was its last owner. a is the account as it was.
func (t teamFlow) endOffersOf(a store.Account, leaver int64) error {
	var errs []error
	for _, user := range leavesWith(a, leaver) {
		errs = append(errs, t.endOffers(a, user))
	}
	return errors.Join(errs...)
}

// leavesWith is who leaves an account with somebody: they alone, or its whole team where they are its last owner.
func leavesWith(a store.Account, leaver int64) (users []int64) {
	if goesOnWithout(a, leaver) {
		return []int64{leaver}
	}
	for _, m := range a.Members() {
		users = append(users, m.User)
	}
	return users
}

// unsentOf counts what is not bought any more when somebody leaves an account, and was confirmed or asked for: purchases that wait for their
// turn or for an owner, and lines of lists.
func (t *turn) unsentOf(a store.Account, leaver int64) (n int, err error) {
	for _, user := range leavesWith(a, leaver) {
		for _, chat := range offerChats(a, user) {
			some, err := t.unsentIn(a.ID, chat, user)
			if err != nil {
				return n, err
			}
			n += some
		}
	}
	return n, nil
}

// unsentIn is unsentOf for one person in one chat.
func (t *turn) unsentIn(account string, chat, user int64) (n int, err error) {
	bought, err := t.offeredPurchases(account, chat, user)
	if err != nil {
		return n, err
	}
	for _, p := range bought {
		if p.Phase == store.Queued || p.Phase == store.Asked {
			n++
		}
	}
	lists, err := t.offeredLists(account, chat, user)
	for _, l := range lists {
		n += l.Unsent()
	}
	return n, err
}

// offeredPurchases are the latest purchases of somebody under an account in a chat.
func (t *turn) offeredPurchases(account string, chat, user int64) ([]store.Purchase, error) {
	list, err := t.cfg.Store.ChatPurchases(t.ctx, chat, "", mostOffers)
	return slices.DeleteFunc(list, func(p store.Purchase) bool { return p.Account != account || p.User != user }), err
}

// offeredLists are the latest lists of somebody under an account in a chat.
func (t *turn) offeredLists(account string, chat, user int64) ([]store.List, error) {
	lists, err := t.cfg.Store.ChatLists(t.ctx, chat, mostOffers)
	return slices.DeleteFunc(lists, func(l store.List) bool { return l.Account != account || l.User != user }), err
}

// endPurchases ends the summaries of somebody in a chat, what owners were asked about them, and what waits in line.
func (t teamFlow) endPurchases(account string, chat, user int64) error {
	list, err := t.offeredPurchases(account, chat, user)
	if err != nil {
		return err
	}
	for _, p := range list {
		switch {
		case p.Phase == store.Drafted, p.Phase == store.Asked:
			err = t.cfg.Purchases.Drop(t.ctx, p.ID, store.ReasonRemoved, true)
		case p.Phase == store.Queued && p.List == "": // the line of a list ends with its list, at its turn
			err = t.cfg.Purchases.EndForbidden(t.ctx, p.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// endLists ends the lists of somebody in a chat that nobody has confirmed, and has the cards of the others show who reads them.
func (t teamFlow) endLists(account string, chat, user int64) error {
	lists, err := t.offeredLists(account, chat, user)
	if err != nil {
		return err
	}
	for _, l := range lists {
		if l.Phase == store.ListEnded || l.Phase == store.ListDropped {
			continue
		}
		// One that is under way is not dropped by this: its card is to say that it goes on without them.
		err := t.cfg.Purchases.DropList(t.ctx, l.ID, store.ReasonRemoved, true)
		if err == nil && l.Phase.Promised() {
			err = t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return purchase.RefreshList(tx, l) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}
