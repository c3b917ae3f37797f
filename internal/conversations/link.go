package conversations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/api/dzd"
	"resellerbot/internal/backoff"
	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

// linkNow links a key to the chat, and welcomes its account.
func (t keyFlow) linkNow(l linking, deleted bool) error {
	l.greets = true
	l.chat, l.person, l.language, l.message, l.stays = t.chatID, t.name, t.chat.Language, t.tapped, t.staysIn(t.chat.Account, t.userID)
	was, before := t.chat.Account, t.shop
	var err error
	if l.unsure, err = t.unsureLeft(before); err != nil { // before the chat is taken out, as where somebody unlinks
		return err
	}
	done, err := t.link(t.ctx, l, func(*store.Chat) bool { return true })
	if errors.Is(err, errStaysOut) { // they were removed this moment
		_, err = t.staysOut(accountID(l.key, l.who), deleted)
	}
	if err != nil || done.chat.Account == "" {
		return err
	}
	if was != "" && !done.chat.Has(was) {
		if err := teamFlow(t).endOffersOf(before, t.userID); err != nil {
			return err
		}
	}
	// Nothing that was read of the account of before may outlast the link.
	t.chat, t.shop, t.role, t.names = done.chat, store.Account{}, store.NoRole, nil
	if err := t.setLinkedAccount(); err != nil {
		return err
	}
	t.setPrinters()
	t.leave()
	unsure, err := t.ownUnsure()
	if err != nil {
		return err
	}
	if err := t.askReturned(unsure); err != nil {
		return err
	}
	v := screen.LinkedView{
		Account: l.who, Deleted: deleted, Carried: l.carry != "" && !l.again, Back: done.back, Drift: done.drift, Locked: t.shop.Locked, Nudge: done.nudge, Voided: done.voided, Uncertain: unsure, Owners: done.owners,
	}
	if !l.who.Lacks {
		v.Lacks = purchase.Lacks(t.shop.Wallet, l.who.Available, now())
	}
	v.Account.Name = t.shop.Called()
	if was != "" && !t.chat.Has(was) && goesOnWithout(before, t.userID) {
		v.Left = before.Called()
	}
	if was != t.chat.Account && t.chat.Has(was) {
		if v.Beside, err = t.called(was); err != nil {
			return err
		}
	}
	return t.say(t.scr.Keys().Linked(v))
}

// linking is a key that is linked to a chat.
type linking struct {
	chat    int64
	person  string // who brings it
	key     secret.Text
	who     api.Account
	stays   stay             // whether they go on reading the codes of the account that they leave by it
	unsure  []store.Purchase // of the account that they leave by it, which were theirs to decide about
	greets  bool             // the person sees that it was linked
	lets    bool             // who is in lets in those who come back with them
	carry   string           // the account that goes on under this key; empty where the key is of an account of its own
	again   bool             // that goes on under it already
	beside  bool             // the account that is active stays one of the chat's
	message int              // the one that the next screen replaces

	language string // of a chat that nothing is kept of yet: a stranger's first words may bring the key
}

// linked is what came of linking.
type linked struct {
	chat    store.Chat
	back    int            // people of a team that came back
	owners  []store.Member // others who own the account, where the person comes to it by the link
	renewed []string       // accounts that have another key now
	voided  bool           // something that was not confirmed ended by it
	nudge   bool           // that an alert could be set is to be said
	// drift is by how much the balance has moved beside what was bought, before the account was linked again; left is when it was left.
	drift dzd.Amount
	left  time.Time
}

// link ties a chat to the account that a key belongs to, if it may when it is looked at, and makes its person an
// owner: whoever has the key can do everything. The same account under another key keeps its purchases: the newer
// key takes over.
func (b *Bot) link(ctx context.Context, l linking, may func(*store.Chat) bool) (done linked, err error) {
	l.lets = b.cfg.Access.InviteOnly
	dropped, link := 0, func(tx *store.Tx) (err error) {
		done, err = linkIn(tx, l, may)
		return err
	}
	// The active account changes by it, so that what is not confirmed under the one of before has to end in the same transaction.
	if l.beside {
		dropped, err = b.cfg.Purchases.Switch(ctx, l.chat, l.message, link)
	} else {
		err = b.cfg.Store.Update(ctx, link)
	}
	if err != nil {
		return done, fmt.Errorf("link the chat: %w", err)
	}
	done.voided = dropped > 0
	if err := b.driftSince(ctx, &done); err != nil {
		return done, err
	}
	b.cfg.Log.Info("chat linked", "chat", l.chat, "account", done.chat.Account, "carried", l.carry != "", "back", done.back)
	if b.cfg.KeyChanged != nil {
		// Behind the commit: whoever is told reads the account, and has to find the new key in it.
		for _, account := range done.renewed {
			b.cfg.KeyChanged(account)
		}
	}
	return done, nil
}

// driftSince adds what was written down as moved from outside since an account was left: nobody could be told of it then. What a purchase
// has explained since is taken back by a correction, and a refund that came late is of its purchase.
func (b *Bot) driftSince(ctx context.Context, done *linked) error {
	if done.left.IsZero() {
		return nil
	}
	list, err := b.cfg.Store.Movements(ctx, done.chat.Account, mostMovements)
	if err != nil {
		return fmt.Errorf("read what has moved a balance: %w", err)
	}
	// The newest is first. A correction takes such money back where its purchase is booked behind it; else it is of the purchase's own price.
	// Example, newest first: p was bought; p was corrected by +500 DZD; -500 DZD came from outside. The last was p's price, and no drift.
	var taken []dzd.Amount
	booked := map[string]bool{}
	for _, m := range list {
		if !m.At.After(done.left) {
			break
		}
		back := slices.IndexFunc(taken, func(amount dzd.Amount) bool { return amount.Equal(m.Amount) })
		switch {
		case m.Kind == store.Bought:
			booked[m.Purchase] = true
		case m.Kind == store.Corrected && booked[m.Purchase]:
			taken = append(taken, dzd.Amount{}.Sub(m.Amount))
		case m.Kind != store.Outside || m.Purchase != "":
		case back >= 0:
			taken = slices.Delete(taken, back, back+1)
		default:
			done.drift = done.drift.Add(m.Amount)
		}
	}
	return nil
}

// linkIn is link within a transaction.
func linkIn(tx *store.Tx, l linking, may func(*store.Chat) bool) (done linked, err error) {
	// No check: it has these records read together, which a server's database answers in one round trip.
	tx.WantLink(l.chat, accountID(l.key, l.who))
	c, err := tx.Chat(l.chat)
	if errors.Is(err, store.ErrNotFound) {
		c, err = store.Chat{ID: l.chat, CreatedAt: time.Now()}, nil
	}
	c.Language = cmp.Or(c.Language, l.language)
	if done.chat = c; err != nil || !may(&c) {
		return done, err
	}
	id, err := sameAs(tx, accountID(l.key, l.who))
	if err == nil {
		err = admissible(tx, c, id)
	}
	if err == nil && l.carry != "" {
		done.renewed = append(done.renewed, l.carry)
		id, err = carry(tx, l, id)
	}
	if err != nil {
		return done, err
	}
	// The account before it is left in the same transaction, unless it is to stay.
	// An account that is one of theirs already is only made the active one below.
	if c.Account != "" && !c.Has(id) && !l.beside {
		if err := leaveAccount(tx, &c, l.stays, l.unsure); err != nil {
			return done, err
		}
	}
	if err := linkAccount(tx, id, l, &done); err != nil {
		return done, err
	}
	c.Activate(id)
	c.Removed = slices.DeleteFunc(c.Removed, func(other string) bool { return other == id })
	c.Back(id)
	if done.nudge, err = nudge(tx, &c, id, l); err != nil {
		return done, err
	}
	done.chat = c
	return done, tx.PutChat(&done.chat)
}

// linkAccount gives an account the key, and makes its person an owner.
func linkAccount(tx *store.Tx, id string, l linking, done *linked) error {
	a, err := tx.Account(id)
	if errors.Is(err, store.ErrNotFound) {
		a, err = store.Account{ID: id, LinkedAt: time.Now()}, nil
	}
	if err != nil {
		return err
	}
	if a.Key.Fingerprint() != l.key.Fingerprint() {
		// It was about the key of before.
		a.KeyTold = time.Time{}
		done.renewed = append(done.renewed, id)
	}
	if a.Retired {
		if !l.who.Lacks && l.greets { // else nobody would be told by the link
			done.drift = purchase.Resume(&a, l.who.Available, time.Now())
		}
		if a.Former != nil {
			done.left = a.Former.At
		}
	}
	a.Name, a.Key, a.Retired = l.who.Name, l.key, false
	// 0 where the service does not say: what was known stays.
	if l.who.UserID != 0 {
		a.UserID = l.who.UserID
	}
	comes := a.Role(l.chat) != store.Owner
	if err := own(tx, &a, l.chat, l.person); err != nil {
		return err
	}
	// Behind own: who links is in the team by then, and is not brought back as somebody else.
	if done.back, err = revive(tx, &a, l.chat, l.lets); err != nil {
		return err
	}
	if comes {
		done.owners = slices.DeleteFunc(slices.Clone(a.Members()), func(m store.Member) bool { return m.Role != store.Owner || m.User == l.chat })
	}
	// An owner sees the books: what they buy has to be in them too.
	return errors.Join(tx.PutAccount(&a), tx.JoinBook(id, l.chat))
}

// nudge reports whether a person who links a key is to be told that a low balance can be told of: once ever, and only where
// they have not set it.
func nudge(tx *store.Tx, c *store.Chat, account string, l linking) (bool, error) {
	if !l.greets || c.Nudged {
		return false, nil
	}
	al, err := tx.Alerts(c.ID, account)
	if err != nil {
		return false, err
	}
	c.Nudged = true
	return al.Thresholds[store.LowBalance].Amount.IsZero(), nil
}

// admissible is errStaysOut where the owners of an account have removed the person of a chat.
func admissible(tx *store.Tx, c store.Chat, account string) error {
	a, err := tx.Account(account)
	if err != nil {
		return ignoreMissing(err)
	}
	if isKeptOut(c, a) {
		return errStaysOut
	}
	return nil
}

// LinkHouseKey links the house key to the owner's chat, once: a chat that was unlinked later stays so, and
// one that is linked to another account. It tries until the service answers or ctx ends; a key that is refused is only logged.
func (b *Bot) LinkHouseKey(ctx context.Context, owner int64, key secret.Text) error {
	for failures := 1; ; failures++ {
		c, err := b.cfg.Store.Chat(ctx, owner)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("read the owner's chat: %w", err)
		}
		if c.House {
			return nil
		}
		who, err := b.cfg.Key(key).Account(ctx)
		if err == nil && c.Account != "" && c.Account != accountID(key, who) { // it is not replaced unasked
			b.cfg.Log.Warn("RESELLER_API_KEY was not linked: the owner's chat is linked to another account", "account", c.Account)
			return nil
		}
		if err == nil {
			_, err = b.link(ctx, linking{chat: owner, key: key, who: who}, func(c *store.Chat) bool {
				first := !c.House
				// Set by the question itself: linkIn puts the chat, so that a house key is linked once ever.
				c.House = true
				return first
			})
			return err
		}
		switch api.ClassOf(err) {
		// These pass: it is tried again below, after a second at first, and after five minutes at most.
		case api.Upstream, api.Limited:
		default:
			b.cfg.Log.Error("RESELLER_API_KEY was not linked", "err", err)
			return nil
		}
		if !backoff.Sleep(ctx, backoff.Doubled(time.Second, 5*time.Minute, failures)) {
			return nil
		}
	}
}

// accountID names the account of a key: by the service's user id, so that two keys of one wallet are
// one account, else by the key.
func accountID(key secret.Text, who api.Account) string {
	if who.UserID != 0 {
		return "u" + strconv.FormatInt(who.UserID, 10)
	}
	return "k" + key.Fingerprint()
}

// own makes the person of a private chat an owner, and tells those that there are.
func own(tx *store.Tx, a *store.Account, user int64, name string) error {
	m, _ := a.Member(user)
	was := m.Role
	if m.Since.IsZero() {
		m.Since = time.Now()
	}
	m.User, m.Role, m.By, m.Name = user, store.Owner, user, cmp.Or(name, m.Name)
	store.Admit(a, m)
	if was == store.Owner {
		return nil
	}
	// The moment of joining names the note: there is no update where the key comes by the configuration (LinkHouseKey).
	return tell(tx, a.ID, otherOwners(*a, user), strconv.FormatInt(m.Since.UnixMicro(), 36), store.JoinedNote, map[string]string{"person": name, "role": string(store.Owner), "key": "1"})
}
