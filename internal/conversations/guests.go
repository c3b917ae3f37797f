package conversations

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// access is /access: a page of those whom the operator may take out. Nobody else has such a command.
func (t accessFlow) access(page int) error {
	// In a group the command is met with silence; in private, whoever is not the owner hears that there is none.
	if !t.private || t.userID != t.cfg.Access.Operator {
		if !t.private {
			return nil
		}
		return t.say(t.scr.Home().UnknownCommand("access"))
	}
	t.leave()
	list, out, err := t.guests()
	if err != nil {
		return err
	}
	return t.say(t.scr.Access().Page(screen.AccessView{InviteOnly: t.cfg.Access.InviteOnly, Chats: list, Page: page, Out: len(out)}))
}

// shutOuts shows those who were shut out.
func (t accessFlow) shutOuts(page int) error {
	_, out, err := t.guests()
	if err != nil {
		return err
	}
	return t.say(t.scr.Access().ShutOuts(out, page))
}

// letInAgain lets in a chat that was shut out, and tells a person so. No account is linked by it.
func (t accessFlow) letInAgain(chat int64) error {
	var done bool
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		done = false
		c, err := tx.Chat(chat)
		// An old button, tapped a second time, must not let anybody in who was shut out anew: the mark itself is asked.
		if err != nil || c.Out.IsZero() {
			return ignoreMissing(err)
		}
		done = true
		c.Admit(t.userID, "", now())
		// A group is not written to: it may not be there any more, and nobody in it has asked.
		if chat > 0 {
			if err := t.tell(tx, "", []int64{chat}, store.LetInNote, nil); err != nil {
				return err
			}
		}
		return tx.PutChat(&c)
	})
	if err != nil {
		return fmt.Errorf("let a chat in again: %w", err)
	}
	if !done {
		t.ack(screen.ToastStale)
	} else {
		t.cfg.Log.Info("a chat was let in again", "chat", chat)
	}
	return t.shutOuts(0)
}

// guests lists the chats that were let in, and where everybody may come, those that an account is linked to as well:
// shop by shop. out are those that were shut out.
func (t accessFlow) guests() (list, out []screen.AccessChat, err error) {
	shops := map[string]store.Account{}
	err = t.eachChat(func(c store.Chat) error {
		// A group that has become a supergroup is listed under its new id alone.
		if !c.Out.IsZero() && c.MovedTo == 0 {
			out = append(out, screen.AccessChat{ID: c.ID, Name: c.OutAs})
		}
		if !t.isGuest(c) {
			return nil
		}
		// Each account is read once, however many chats it has.
		shop, known := shops[c.Account]
		if !known {
			if shop, err = t.shopOf(c); err != nil {
				return err
			}
			shops[c.Account] = shop
		}
		list = append(list, guest(c, shop))
		return nil
	})
	slices.SortStableFunc(list, func(a, b screen.AccessChat) int { return cmp.Compare(a.Shop, b.Shop) })
	return list, out, err
}

// eachChat goes through all chats.
func (t accessFlow) eachChat(see func(store.Chat) error) error {
	for after, more := int64(0), true; more; {
		page, err := t.cfg.Store.Chats(t.ctx, after, chatsRead)
		if err != nil {
			return fmt.Errorf("list the chats: %w", err)
		}
		for _, c := range page {
			if err := see(c); err != nil {
				return err
			}
			after = c.ID
		}
		more = len(page) == chatsRead
	}
	return nil
}

// isGuest reports whether the operator may take a chat out.
func (t accessFlow) isGuest(c store.Chat) bool {
	in := !c.Admitted.IsZero() || !t.cfg.Access.InviteOnly && c.Account != ""
	return in && c.Out.IsZero() && c.MovedTo == 0 && c.ID != t.cfg.Access.Operator
}

// shopOf reads the account that is linked in a chat; a zero one where none is, or it is gone.
func (t accessFlow) shopOf(c store.Chat) (store.Account, error) {
	if c.Account == "" {
		return store.Account{}, nil
	}
	a, err := t.cfg.Store.Account(t.ctx, c.Account)
	if ignoreMissing(err) != nil {
		return a, fmt.Errorf("read the account: %w", err)
	}
	return a, nil
}

// guest is a chat as the operator sees it, by the account that is linked there.
func guest(c store.Chat, shop store.Account) screen.AccessChat {
	m, _ := shop.Member(c.ID)
	g := screen.AccessChat{ID: c.ID, Shop: shop.Name, Name: m.Name, Role: m.Role, At: c.Admitted}
	if shop.Place != nil && shop.Place.Chat == c.ID {
		g.Name = shop.Place.Title
	}
	return g
}

// accessTap runs what the buttons of /access mean.
func (t accessFlow) accessTap() error {
	switch t.action.Verb {
	case screen.VerbPass:
		return t.makePass()
	case screen.VerbShutOut:
		return t.shutOut(t.action.Int(0), t.action.Arg(1) == screen.Yes, t.action.Arg(2))
	case screen.VerbShutOuts:
		return t.shutOuts(int(t.action.Int(0)))
	case screen.VerbLetIn:
		return t.letInAgain(t.action.Int(0))
	}
	return t.access(int(t.action.Int(0)))
}

// makePass makes a link that lets one chat in. Its token is shown here and kept nowhere.
func (t accessFlow) makePass() error {
	// The mark tells it from the invitation into a team, which comes by the same link.
	token := passMark + rand.Text()
	until := now().Add(passLife)
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		// It is of no account: whoever comes by it brings their own key.
		return tx.AddInvite(&store.Account{}, store.Invite{Hash: store.TokenHash(token), By: t.userID, Made: now(), Expires: until})
	})
	if err != nil {
		return fmt.Errorf("make an invitation: %w", err)
	}
	return t.say(t.scr.Access().Pass("https://t.me/"+t.cfg.BotName()+"?start="+token, until))
}

// shutOut takes a chat out, once that is surely meant: a person leaves their team with it, and with its last owner the
// whole shop goes; a group is unlinked. What was bought still reaches whoever has bought it.
func (t accessFlow) shutOut(chat int64, sure bool, since string) error {
	c, err := t.cfg.Store.Chat(t.ctx, chat)
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && !t.isGuest(c):
		t.ack(screen.ToastStale)
		return t.access(0)
	case err != nil:
		return fmt.Errorf("read the chat: %w", err)
	case !sure || since != guest(c, store.Account{}).Since(): // one that was let in anew is asked about anew
		return t.askShutOut(c)
	}
	// Outside of the transaction, which does not scan.
	open, err := t.cfg.Store.OpenOf(t.ctx, chat)
	if err != nil {
		return err
	}
	shop, err := t.shopOf(c)
	if err != nil {
		return err
	}
	// Telegram is asked before the transaction: a transaction may run twice, and holds up all others while it runs.
	stays, shops, unsure := map[string]stay{}, []store.Account{}, map[string][]store.Purchase{}
	for _, id := range c.Accounts() {
		stays[id] = t.staysIn(id, chat)
		a, err := t.cfg.Store.Account(t.ctx, id)
		if ignoreMissing(err) != nil {
			return fmt.Errorf("read what a chat leaves: %w", err)
		}
		if unsure[id], err = teamFlow(t).openBy(chat, id); err != nil {
			return err
		}
		shops = append(shops, a)
	}
	err = t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		c, err := tx.Chat(chat)
		if err != nil {
			return err
		}
		return t.shutOutIn(tx, &c, guest(c, shop).Name, stays, unsure, open)
	})
	if err != nil {
		return fmt.Errorf("shut a chat out: %w", err)
	}
	t.cfg.Log.Info("a chat was shut out", "chat", chat)
	var errs []error
	for _, a := range shops {
		if chat > 0 { // a group has asked for nothing by itself
			errs = append(errs, teamFlow(t).endOffersOf(a, chat))
		}
	}
	return firstError(errors.Join(errs...), func() error { return t.access(0) })
}

// shutOutIn is shutOut within a transaction; as is what the chat is called, unsure are the purchases that were theirs to decide about, by the
// account, and open is how many of theirs are open.
func (t accessFlow) shutOutIn(tx *store.Tx, c *store.Chat, as string, stays map[string]stay, unsure map[string][]store.Purchase, open int) error {
	leave := func() error { return leaveAccount(tx, c, stays[c.Account], unsure[c.Account]) }
	if c.ID < 0 {
		leave = func() error { return t.closeGroup(tx, c) }
	}
	// Once for each account: leave takes the active one out, and the one that was active before is it then (Chat.Leave). A group has one.
	for range c.Accounts() {
		if err := leave(); err != nil {
			return err
		}
	}
	c.ShutOut(as, now())
	if c.ID > 0 {
		if err := t.tell(tx, "", []int64{c.ID}, store.ShutOutNote, map[string]string{"open": strconv.Itoa(open)}); err != nil {
			return err
		}
	}
	// A session is kept by chat and person, which in private are one number. Under that of a group there is none.
	return errors.Join(tx.DeleteSession(c.ID, c.ID), tx.PutChat(c))
}

// closeGroup unlinks a group that is shut out, and tells the owners of the account.
func (t accessFlow) closeGroup(tx *store.Tx, c *store.Chat) error {
	a, err := tx.Account(c.Account)
	if err != nil {
		return ignoreMissing(err)
	}
	group := ""
	if a.Place != nil && a.Place.Chat == c.ID {
		group = a.Place.Title
	}
	if err := expel(tx, &a, c); err != nil {
		return err
	}
	return errors.Join(tx.PutAccount(&a), t.tell(tx, a.ID, a.PrivateChats(store.Owner), store.PlaceClosedNote, map[string]string{"group": group}))
}

// askShutOut asks whether a chat is to be taken out, and tells what goes with it.
func (t accessFlow) askShutOut(c store.Chat) error {
	shop, err := t.shopOf(c)
	if err != nil {
		return err
	}
	team := 0
	if shop.Role(c.ID) == store.Owner && len(otherOwners(shop, c.ID)) == 0 {
		team = len(shop.Members())
	}
	open, err := t.cfg.Store.OpenOf(t.ctx, c.ID)
	if err != nil {
		return err
	}
	return t.say(t.scr.Access().ShutOutAsk(guest(c, shop), team, open))
}
