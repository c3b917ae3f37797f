package conversations

import (
	"errors"
	"slices"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// mostAccounts is how many accounts one person may be of.
const mostAccounts = 10

// page is /account: the accounts of the person, and which is active.
func (t accountFlow) page() error {
	switch {
	case !t.private: // a group is of one account, which its home names
		return homeFlow(t).start()
	case t.chat.Account == "":
		return t.noAccount()
	}
	t.leave()
	list, err := t.choices()
	if err != nil {
		return err
	}
	// Whoever may use the bot through their team alone is offered no other account: linkKey would refuse it (onlyWithTeam in key.go).
	return t.say(t.scr.Accounts().Page(list, len(list) < mostAccounts && (!t.cfg.Access.InviteOnly || t.chat.Through == "")))
}

// choices are the accounts of the person, the active one first.
func (t accountFlow) choices() (list []screen.AccountChoice, err error) {
	for _, id := range t.chat.Accounts() {
		c, err := t.choice(id)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// choice is one account of the person.
func (t *turn) choice(id string) (c screen.AccountChoice, err error) {
	a := t.shop
	if id != a.ID {
		if a, err = t.cfg.Store.Account(t.ctx, id); ignoreMissing(err) != nil {
			return c, err
		}
	}
	name, err := t.called(id)
	return screen.AccountChoice{Name: name, Mark: screen.AccountMark(id), Role: a.Role(t.userID), Active: id == t.chat.Account}, err
}

// called is what an account is called, among those of the person.
func (t *turn) called(id string) (name string, err error) {
	// All of them together: AccountNames tells accounts of one name apart, and has to see both for that.
	if _, known := t.names[id]; !known {
		if t.names, err = t.cfg.Store.AccountNames(t.ctx, append(t.chat.Accounts(), id)...); err != nil {
			return "", err
		}
	}
	return t.names[id], nil
}

// ofAccount is a screen of an account: somebody who has several sees which, and its buttons know it in any case. What was bought for another
// one, which they may have left, names that: where it is looked for, and who has paid, is there. A list of several names none. Whoever has one
// account may have another one by the time that they tap.
func (t *turn) ofAccount(id string, m screen.Message) (screen.Message, error) {
	if !t.private || id == "" {
		return m, nil
	}
	bought := id
	if len(t.shownOf) > 0 {
		bought = t.shownOf[0]
	}
	if len(t.shownOf) > 1 || len(t.chat.Others) == 0 && bought == id {
		return t.scr.Accounts().Of(id, "", m), nil
	}
	if t.switched != nil { // which says it
		m, t.switched = t.switched(m), nil
		return t.scr.Accounts().Of(id, "", m), nil
	}
	name, err := t.called(bought)
	return t.scr.Accounts().Of(id, name, m), err
}

// inPrivateOf is what goes from wherever this is to the person's private chat, of an account that need not be active there.
func (t *turn) inPrivateOf(c store.Chat, id string, m screen.Message) (screen.Message, error) {
	if len(c.Others) == 0 && (c.Account == "" || c.Account == id) {
		return m, nil
	}
	names, err := t.cfg.Store.AccountNames(t.ctx, append(c.Accounts(), id)...)
	return t.scr.Accounts().Of(id, names[id], m), err
}

// isElsewhere answers a tap on what is of another account of the person than the active one. What was shown before they had
// several is of nobody knows which, unless it names a purchase or a list.
func (t accountFlow) isElsewhere() (bool, error) {
	if !t.private || len(t.chat.Others) == 0 && t.action.Of == "" {
		return false, nil
	}
	account, purchase, named, err := t.namedBy()
	switch {
	case err != nil:
		return false, err
	case named && !slices.Contains(t.chat.Others, account):
		return false, nil // their own functions say who may
	case named:
		return true, t.elsewhere(account, purchase)
	case t.chat.Account != "" && t.action.Of == screen.AccountMark(t.chat.Account):
		return false, nil
	}
	i := slices.IndexFunc(t.chat.Others, func(id string) bool { return t.action.Of == screen.AccountMark(id) })
	if i >= 0 {
		return true, t.elsewhere(t.chat.Others[i], "")
	}
	return true, t.stale()
}

// namedBy is the account of the purchase, or the list, that the tapped button is about. What was never confirmed and is void has
// nothing that another account could show.
func (t accountFlow) namedBy() (account, purchase string, named bool, err error) {
	for _, id := range t.action.Args {
		if !store.IsID(id) {
			continue
		}
		p, err := t.cfg.Store.Purchase(t.ctx, id)
		if err == nil && p.Phase == store.Dropped && p.QueuedAt.IsZero() {
			return "", "", true, nil
		}
		if err == nil {
			return p.Account, id, true, nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return "", "", false, err
		}
		// An id does not tell whether it is a purchase's or a list's.
		l, err := t.cfg.Store.List(t.ctx, id)
		if err == nil && l.Phase == store.ListDropped {
			return "", "", true, nil
		}
		if err == nil {
			return l.Account, "", true, nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return "", "", false, err
		}
	}
	return "", "", false, nil
}

// elsewhere tells that something is another account's, with a button that switches to it.
func (t *turn) elsewhere(account, purchase string) error {
	of, err := t.choice(account)
	if err != nil {
		return err
	}
	active, err := t.called(t.chat.Account)
	if err != nil {
		return err
	}
	t.action.Fresh = true // what was tapped is the other account's, and stays
	return t.say(t.scr.Accounts().Elsewhere(of, active, purchase))
}

// tapped makes the account that a mark stands for the active one, and shows a purchase of it, or its home.
func (t accountFlow) tapped(mark, purchase string) error {
	if !t.private {
		return t.stale()
	}
	all := t.chat.Accounts()
	i := slices.IndexFunc(all, func(id string) bool { return screen.AccountMark(id) == mark })
	if i < 0 {
		return t.stale()
	}
	if all[i] != t.chat.Account { // else it was tapped twice
		voided, err := t.switchTo(all[i], nil)
		if errors.Is(err, errNoMember) {
			return t.stale()
		}
		if err != nil {
			return err
		}
		name, err := t.called(t.chat.Account)
		if err != nil {
			return err
		}
		// Whichever screen follows says it, once (ofAccount).
		t.switched = func(m screen.Message) screen.Message { return t.scr.Accounts().Switched(name, voided, m) }
	}
	if purchase != "" {
		return orderFlow(t).order(purchase)
	}
	return homeFlow(t).start()
}

// switchTo makes an account of the person the active one, with what else is to be done in the transaction. It reports whether something
// ended by it that was not confirmed. The turn goes on with that account.
func (t *turn) switchTo(id string, also func(*store.Tx, *store.Chat) error) (voided bool, err error) {
	var c store.Chat
	dropped, err := t.cfg.Purchases.Switch(t.ctx, t.chatID, t.tapped, func(tx *store.Tx) (err error) {
		if c, err = tx.Chat(t.chatID); err != nil {
			return err
		}
		if also != nil {
			if err := also(tx, &c); err != nil {
				return err
			}
		}
		a, err := tx.Account(id)
		if err != nil {
			return err
		}
		if _, member := a.Member(t.userID); !member {
			return errNoMember // they were taken out of it this moment
		}
		c.Activate(id)
		return tx.PutChat(&c)
	})
	if err != nil {
		return false, err
	}
	t.cfg.Log.Info("the active account was switched", "chat", t.chatID, "account", id, "dropped", dropped)
	// Nothing that was read of the account of before may outlast the switch: the rest of the turn shows and allows what is of the new one.
	t.chat, t.shop, t.role, t.names = c, store.Account{}, store.NoRole, nil
	t.leave()
	if err := t.setLinkedAccount(); err != nil {
		return false, err
	}
	t.setPrinters()
	return dropped > 0, nil
}
