package conversations

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/ledger"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// keyRemove unlinks the chat from its account. A group is its owners' to unlink. What a team would lose by it is
// asked about first, and again where that is something else by the time of the answer; named stands for what it was.
func (t keyFlow) keyRemove(sure bool, named string) error {
	if !t.private {
		return placeFlow(t).placeOff()
	}
	if t.chat.Account == "" {
		return t.say(t.scr.Keys().None())
	}
	if asked, err := t.askRemove(sure, named); asked || err != nil {
		return err
	}
	asked := t.chat.Account
	stays := t.staysIn(asked, t.userID)
	// Read before the chat is taken out: askOwnersLeft needs those that were the person's to decide about.
	unsure, err := t.unsureLeft(t.shop)
	if err != nil {
		return err
	}
	remove := func(tx *store.Tx) error {
		c, err := tx.Chat(t.chatID)
		// Somebody may have taken them out of it meanwhile: which one is active by now was not asked about.
		if err != nil || c.Account != asked {
			return err
		}
		if err := leaveAccount(tx, &c, stays, unsure); err != nil {
			return err
		}
		t.chat = c
		return tx.PutChat(&t.chat)
	}
	unlinked := func() error { return t.cfg.Store.Update(t.ctx, remove) }
	if len(t.chat.Others) > 0 { // they go on with another one
		unlinked = func() error {
			// What nobody has confirmed is dropped in the same transaction, as with any switch (purchase/switch.go).
			_, err := t.cfg.Purchases.Switch(t.ctx, t.chatID, t.tapped, remove)
			return err
		}
	}
	if err := unlinked(); err != nil {
		return fmt.Errorf("unlink the chat: %w", err)
	}
	t.leave()
	t.cfg.Log.Info("chat unlinked", "chat", t.chatID)
	was := t.shop
	// Behind the commit, as where somebody is taken out.
	return firstError(teamFlow(t).endOffersOf(was, t.userID), func() error { return t.removed(was) })
}

// keyKeep is the answer that an account stays linked, or that somebody stays in its team.
func (t keyFlow) keyKeep() error {
	t.leave()
	return t.say(t.scr.Keys().Kept(t.shop.Called(), goesOnWithout(t.shop, t.userID)))
}

// removed tells that an account was unlinked, or its team left. The turn goes on with the one that is active now, if there is one.
func (t keyFlow) removed(was store.Account) (err error) {
	t.shop, t.role, t.names = store.Account{}, store.NoRole, nil
	if err := t.setLinkedAccount(); err != nil {
		return err
	}
	t.setPrinters()
	next := ""
	if t.chat.Account != "" {
		if next, err = t.called(t.chat.Account); err != nil {
			return err
		}
	}
	return t.say(t.scr.Keys().Removed(was.Called(), goesOnWithout(was, t.userID), next))
}

// linkedSince stands for how the account is linked here: what was asked about one link is no answer about the next.
func (t keyFlow) linkedSince() string {
	m, _ := t.shop.Member(t.userID)
	return screen.Mark([]string{t.shop.ID, strconv.FormatInt(t.shop.LinkedAt.UnixNano(), 10), screen.Membership(m)})
}

// askRemove asks whether an account is meant to be unlinked, where a team would lose by it, something that was bought has not come to its
// end, or somebody would leave a team.
func (t keyFlow) askRemove(sure bool, named string) (asked bool, err error) {
	v, err := t.leaving(t.shop)
	if err != nil || sure && named == v.Named() || !v.Leaves && !v.Ends() && !v.LacksEnd() {
		return false, err
	}
	if sure {
		t.ack(screen.ToastNews)
	}
	v.Since = t.linkedSince()
	t.leave()
	return true, t.say(t.scr.Keys().AskRemove(v))
}

// leaving is what the person leaves behind who leaves an account.
func (t keyFlow) leaving(a store.Account) (v screen.EndsView, err error) {
	v = endsWith(a, t.userID).view(a)
	v.Leaves = goesOnWithout(a, t.userID) // they come back by an invitation or the key alone
	if err = t.unfinished(a, &v); err != nil {
		return v, err
	}
	v.Unrefunded, err = t.unrefunded(a)
	return v, err
}

// unfinished finds what the person is leaving that has not come to its end: purchases of which nobody knows whether they went through, those
// that are on their way, and what is not sent any more.
func (t keyFlow) unfinished(a store.Account, v *screen.EndsView) error {
	bought, err := t.leftPurchases(a)
	if err != nil {
		return err
	}
	for _, p := range bought {
		coming, err := t.isOnItsWay(p)
		switch {
		case err != nil:
			return err
		case coming:
			v.Waiting++
		case !isSure(p):
			v.Uncertain = append(v.Uncertain, p)
		}
	}
	v.Unsent, err = t.unsentOf(a, t.userID)
	return err
}

// unsureLeft lists the purchases that the person is leaving of which nobody knows whether they went through.
func (t keyFlow) unsureLeft(a store.Account) ([]store.Purchase, error) {
	bought, err := t.leftPurchases(a)
	return slices.DeleteFunc(bought, isSure), err
}

// ownUnsure lists what the person has bought with the account, and of which nobody knows whether it went through.
func (t keyFlow) ownUnsure() ([]store.Purchase, error) {
	bought, err := t.leftPurchases(t.shop)
	return slices.DeleteFunc(bought, func(p store.Purchase) bool { return isSure(p) || p.Chat != t.chatID && p.User != t.userID }), err
}

// isSure reports whether it is known what became of a purchase, or that nothing did.
func isSure(p store.Purchase) bool { return p.Phase != store.Unknown && p.Phase != store.Undecided }

// leftPurchases lists the latest purchases that the person is leaving, where any of the account has not come to its end.
func (t keyFlow) leftPurchases(a store.Account) (list []store.Purchase, err error) {
	if a.Open == 0 {
		return nil, nil
	}
	for _, chat := range t.leftChats(a) {
		found, err := t.cfg.Store.ChatPurchases(t.ctx, chat, "", 4*ordersPage)
		if err != nil {
			return nil, fmt.Errorf("look for unfinished purchases: %w", err)
		}
		list = append(list, slices.DeleteFunc(found, func(p store.Purchase) bool { return p.Account != a.ID })...)
	}
	return list, nil
}

// leftChats is the chats, each once, whose purchases the person is leaving: those of the whole account, or, where others go on with it,
// this one.
func (t keyFlow) leftChats(a store.Account) []int64 {
	if goesOnWithout(a, t.userID) {
		return []int64{t.chatID}
	}
	chats := slices.Concat(a.Chats, a.Past)
	slices.Sort(chats)
	return slices.Compact(chats)
}

// isOnItsWay reports whether a purchase was accepted and may still bring something. One whose orders have all ended stays accepted while a
// refund is awaited, and brings nothing.
func (t keyFlow) isOnItsWay(p store.Purchase) (bool, error) {
	if p.Phase != store.Accepted {
		return p.Phase == store.Submitting, nil
	}
	orders, err := t.cfg.Store.OrdersOf(t.ctx, p)
	if err != nil {
		return false, fmt.Errorf("read what is on its way: %w", err)
	}
	return len(orders) == 0 || p.SeeksMissing() || slices.ContainsFunc(orders, func(o store.Order) bool { return o.State == store.Waiting }), nil
}

// unrefunded lists the purchases that the person is leaving of which orders have failed and no refund was seen, with these orders.
func (t keyFlow) unrefunded(a store.Account) (list []screen.Bought, err error) {
	chats := t.leftChats(a)
	for _, id := range a.Refunds {
		o, err := t.cfg.Store.Order(t.ctx, a.ID, id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, fmt.Errorf("read what is to be refunded: %w", err)
		}
		if err != nil || !o.Refund.Awaited() {
			continue
		}
		if i := slices.IndexFunc(list, func(b screen.Bought) bool { return b.ID == o.Purchase }); i >= 0 {
			list[i].Orders = append(list[i].Orders, o)
			continue
		}
		p, err := t.cfg.Store.Purchase(t.ctx, o.Purchase)
		if err != nil {
			return nil, fmt.Errorf("read what is to be refunded: %w", err)
		}
		if slices.Contains(chats, p.Chat) {
			list = append(list, screen.Bought{Purchase: p, Orders: []store.Order{o}})
		}
	}
	return list, nil
}

// askReturned has the messages of what was bought here ask again, where somebody has become an owner anew: while they were none, these said that an
// owner is to decide. The next look at it would have them ask as well.
func (t keyFlow) askReturned(unsure []store.Purchase) error {
	if t.role != store.Owner {
		return nil
	}
	unsure = slices.DeleteFunc(slices.Clone(unsure), func(p store.Purchase) bool { return p.Chat != t.chatID || p.Phase != store.Undecided || p.List != "" })
	if len(unsure) == 0 {
		return nil
	}
	return t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		for _, p := range unsure {
			if err := tx.Enqueue(store.StatusOf(p)); err != nil {
				return err
			}
		}
		return nil
	})
}

// leaveAccount takes a chat, and the person whose it is, out of its account (release), whose owners are asked what of the purchases that nobody
// is sure of was the person's to decide about.
func leaveAccount(tx *store.Tx, c *store.Chat, stays stay, unsure []store.Purchase) error {
	left := c.Account
	if err := release(tx, c, stays); err != nil {
		return err
	}
	a, err := tx.Account(left)
	if err != nil {
		return ignoreMissing(err)
	}
	return askOwnersLeft(tx, a, unsure, false)
}

// release takes a chat, and the person whose it is, out of its account, which the chat remembers where it was theirs.
// The open invitations end with it. With its last owner the whole team goes, and comes back if the account is linked
// again before long.
func release(tx *store.Tx, c *store.Chat, stays stay) error {
	a, err := tx.Account(c.Account)
	if errors.Is(err, store.ErrNotFound) {
		c.Leave(c.Account)
		return nil
	}
	if err != nil {
		return err
	}
	m, _ := a.Member(c.ID)
	left := map[string]string{"person": m.Name}
	// The cash in the drawer of who leaves is the shop's: its owners are told how much that is.
	till, err := tx.Books().Balance(a.ID, ledger.In(ledger.Till, strconv.FormatInt(c.ID, 10)))
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return err
	}
	if till.Net() != 0 {
		left["till"] = strconv.FormatInt(int64(till.Net()), 10)
	}
	// Taken down before expel takes the person out of it.
	former := &store.Former{Team: a.Members(), Place: a.Place, Locked: a.Locked, At: time.Now()}
	if err := errors.Join(tx.EndInvites(&a), expel(tx, &a, c)); err != nil {
		return err
	}
	owners := a.PrivateChats(store.Owner)
	// Only what was theirs is remembered with the chat: a new key is held against that (replaced).
	if m.Role == store.Owner {
		c.Left(a.ID)
	}
	ref := strconv.FormatInt(time.Now().UnixMicro(), 36)
	if len(owners) == 0 {
		if m.Role == store.Owner {
			a.Former = former
		}
		if err := disband(tx, &a, ref); err != nil {
			return err
		}
	} else if err := errors.Join(tell(tx, a.ID, owners, ref, store.LeftNote, left), tellStay(tx, a, m, stays)); err != nil {
		return err
	}
	if a.Retired = len(a.Chats) == 0; a.Retired && a.Spends == 0 && !a.NeedsKey() {
		a.Key = secret.Text{} // nothing was ever bought with it: nothing can need it
	}
	return tx.PutAccount(&a)
}

// disband ends the team of an account that nobody owns any more, and tells everybody who was of it.
func disband(tx *store.Tx, a *store.Account, ref string) error {
	// A clone: unlink takes each chat out of the list that is walked. The note comes first, as it names the role, which ends with that.
	for _, chat := range slices.Clone(a.Chats) {
		if chat > 0 {
			if err := tell(tx, "", []int64{chat}, ref, store.ClosedNote, map[string]string{"account": a.Called(), "role": string(a.Role(chat))}); err != nil {
				return err
			}
		}
		if err := unlink(tx, a, chat, ref); err != nil {
			return err
		}
	}
	a.Place, a.Locked = nil, nil
	return nil
}
