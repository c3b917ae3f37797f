package conversations

import (
	"errors"

	"resellerbot/internal/purchase"
	"resellerbot/internal/store"
)

// mostOffers is how many of the latest purchases, and lists, of a chat are looked through for offers: those end after half an hour.
const mostOffers = 4 * ordersPage

// endOffers ends what somebody was offered, or has asked for, who may not buy any more: at once, so that neither they nor an owner
// taps a button that buys nothing. Whatever it leaves is refused when it is tapped.
func (t teamFlow) endOffers(a store.Account, user int64) error {
	chats := []int64{user}
	if a.Place != nil {
		chats = append(chats, a.Place.Chat)
	}
	var errs []error
	for _, chat := range chats {
		errs = append(errs, t.endPurchases(a.ID, chat, user), t.endLists(a.ID, chat, user))
	}
	// All of them are tried: one chat that fails leaves no summary open in the other.
	return errors.Join(errs...)
}

// endOffersOf is endOffers for everybody who leaves an account with somebody: the whole team, if that was its last owner. a is the account as it was.
func (t teamFlow) endOffersOf(a store.Account, leaver int64) error {
	if goesOnWithout(a, leaver) {
		return t.endOffers(a, leaver)
	}
	var errs []error
	for _, m := range a.Members() {
		errs = append(errs, t.endOffers(a, m.User))
	}
	return errors.Join(errs...)
}

// endPurchases ends the summaries of somebody in a chat, what owners were asked about them, and what waits in line.
func (t teamFlow) endPurchases(account string, chat, user int64) error {
	list, err := t.cfg.Store.ChatPurchases(t.ctx, chat, "", mostOffers)
	if err != nil {
		return err
	}
	for _, p := range list {
		if p.Account != account || p.User != user {
			continue
		}
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
	lists, err := t.cfg.Store.ChatLists(t.ctx, chat, mostOffers)
	if err != nil {
		return err
	}
	for _, l := range lists {
		if l.Account != account || l.User != user || l.Phase == store.ListEnded || l.Phase == store.ListDropped {
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
