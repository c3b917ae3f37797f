package conversations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"resellerbot/internal/api"
	"resellerbot/internal/backoff"
	"resellerbot/internal/screen"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

const (
	flowKey  = "key"
	leastKey = 20 // characters of what is taken for a key though nobody asked for one
)

// key is /key: asks for the key, takes one that came along, or unlinks.
func (t keyFlow) key(rest string) error {
	switch {
	case strings.EqualFold(rest, "remove"):
		return t.keyRemove(false)
	case !t.private:
		return t.keyInGroup(rest != "")
	case rest != "":
		return t.linkTyped(rest)
	}
	var linked *string
	if t.chat.Account != "" {
		linked = &t.shop.Name
	}
	return t.ask(t.scr.Keys().Ask(linked), flowKey, "", nil)
}

// closeKeyQuestion closes an open question for a key, since something else is wanted: the next screen says so.
func (t *turn) closeKeyQuestion() {
	if t.session.Flow == flowKey {
		t.leave()
		t.dropped = true
	}
}

// keyInGroup refuses a key where others read along, and removes it from there if it may.
func (t keyFlow) keyInGroup(shown bool) error {
	deleted := false
	if shown {
		deleted = t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	}
	if t.role == store.NoRole && !t.silence.breaks(addressee{chat: t.chatID, person: t.userID}, firstQuiet, now()) {
		return nil // one stranger does not fill a group
	}
	return t.say(t.scr.Keys().InGroup(deleted))
}

// keyTyped takes the answer to the question for the key.
func (t keyFlow) keyTyped() error {
	if !t.private {
		t.leave()
		return t.keyInGroup(true)
	}
	return t.linkTyped(t.text)
}

// looksLikeKey reports whether a text that nobody asked for looks like a key: one long word of letters and digits, as
// no product is called.
func looksLikeKey(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) >= leastKey && keyShaped(text) && !strings.ContainsAny(text, "/@") &&
		strings.ContainsAny(text, "0123456789") && strings.ContainsFunc(text, unicode.IsLetter)
}

// keyPasted takes a key that came without /key. Somebody who has none yet means to link it. It is deleted wherever others
// might find it; what is the number or the code of a purchase is found.
func (t keyFlow) keyPasted() error {
	switch {
	case !t.private && strings.TrimSpace(t.text) != t.shop.Key.Reveal():
		return nil // it may be a code that people talk about
	case !t.private:
		return t.keyInGroup(true)
	case t.chat.Account == "":
		return t.linkTyped(t.text)
	}
	if shown, err := orderFlow(t).showFound(t.text); shown || err != nil {
		return err
	}
	deleted := t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	return t.say(t.scr.Keys().Pasted(deleted))
}

// linkTyped removes the message that holds the key, asks the service whose key it is, and links it. A
// key that is refused leaves nothing behind and the question open.
func (t keyFlow) linkTyped(text string) error {
	deleted := t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	text = strings.TrimSpace(text)
	if !keyShaped(text) {
		t.over = t.answers
		return t.ask(t.scr.Keys().Malformed(), flowKey, "", nil)
	}
	key := secret.New(text)
	who, err := patiently(t.ctx, func() (api.Account, error) { return t.cfg.Key(key).Account(t.ctx) })
	if err != nil {
		return t.keyRefused(err)
	}
	if no, err := t.onlyWithTeam(accountID(key, who)); no || err != nil {
		return err
	}
	if no, err := t.staysOut(accountID(key, who)); no || err != nil {
		return err
	}
	r, err := t.replaced(key, who)
	if err != nil {
		return err
	}
	if r.asks() {
		return t.askReplace(r, key, who, deleted)
	}
	return t.linkNow(linking{key: key, who: who}, deleted)
}

// onlyWithTeam refuses another account to somebody who may use the bot for as long as they are of their team.
func (t keyFlow) onlyWithTeam(account string) (bool, error) {
	if !t.cfg.Access.InviteOnly || t.chat.Through == "" {
		return false, nil
	}
	id, err := t.sameAs(account)
	if err != nil || id == t.chat.Through {
		return false, err
	}
	t.leave()
	return true, t.say(t.scr.Keys().OfTheTeam(t.shop.Name))
}

// errStaysOut keeps somebody from linking an account whose owners have removed them.
var errStaysOut = errors.New("removed by the owners of the account")

// isKeptOut reports whether the owners of an account, who are there, have removed the person of a chat from its team.
func isKeptOut(c store.Chat, a store.Account) bool {
	return slices.Contains(c.Removed, a.ID) && len(a.PrivateChats(store.Owner)) > 0
}

// staysOut refuses an account to somebody whom its owners have removed: they come back by an invitation. The key is
// theirs at the service all the same, so the owners are told, once in a while.
func (t keyFlow) staysOut(account string) (bool, error) {
	id, err := t.sameAs(account)
	if err != nil || !slices.Contains(t.chat.Removed, id) {
		return false, err
	}
	a, err := t.cfg.Store.Account(t.ctx, id)
	if err != nil || !isKeptOut(t.chat, a) {
		return false, ignoreMissing(err)
	}
	if t.silence.breaks(addressee{person: t.userID, ownersOf: a.ID}, groupQuiet, now()) {
		err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
			return t.tell(tx, a.PrivateChats(store.Owner), store.RemovedKeyNote, map[string]string{"person": t.name})
		})
		if err != nil {
			return true, fmt.Errorf("tell the owners of a key: %w", err)
		}
	}
	t.cfg.Log.Warn("somebody who was removed from a team has its key", "account", a.ID, "user", t.userID)
	t.leave()
	return true, t.say(t.scr.Keys().OfRemoved(a.Name))
}

// keyShaped reports whether a text can be a key at all: one word that fits into a header.
func keyShaped(s string) bool {
	return len(s) >= 4 && len(s) <= 512 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// linkNow links a key to the chat, and welcomes its account.
func (t keyFlow) linkNow(l linking, deleted bool) error {
	l.greets = true
	l.chat, l.person, l.language, l.stays = t.chatID, t.name, t.chat.Language, t.staysIn(t.chat.Account, t.userID)
	done, err := t.link(t.ctx, l, func(*store.Chat) bool { return true })
	if errors.Is(err, errStaysOut) { // they were removed this moment
		_, err = t.staysOut(accountID(l.key, l.who))
	}
	if err != nil || done.chat.Account == "" {
		return err
	}
	t.chat, t.shop, t.role = done.chat, store.Account{}, store.NoRole
	if err := t.enterLinked(); err != nil {
		return err
	}
	t.look()
	t.leave()
	return t.say(t.scr.Keys().Linked(screen.LinkedView{Account: l.who, Deleted: deleted, Carried: l.carry != "", Back: done.back, Locked: t.shop.Locked, Nudge: done.nudge}))
}

// linking is a key that is linked to a chat.
type linking struct {
	chat   int64
	person string // who brings it
	key    secret.Text
	who    api.Account
	stays  stay   // whether they go on reading the codes of the account that they leave by it
	greets bool   // the person sees that it was linked
	lets   bool   // who is in lets in those who come back with them
	carry  string // the account that goes on under this key; empty where the key is of an account of its own

	language string // of a chat that nothing is kept of yet: a stranger's first words may bring the key
}

// linked is what came of linking.
type linked struct {
	chat    store.Chat
	back    int      // people of a team that came back
	renewed []string // accounts that have another key now
	nudge   bool     // that an alert could be set is to be said
}

// link ties a chat to the account that a key belongs to, if it may when it is looked at, and makes its person an
// owner: whoever has the key can do everything. The same account under another key keeps its purchases: the newer
// key takes over.
func (b *Bot) link(ctx context.Context, l linking, may func(*store.Chat) bool) (done linked, err error) {
	l.lets = b.cfg.Access.InviteOnly
	err = b.cfg.Store.Update(ctx, func(tx *store.Tx) (err error) {
		done, err = linkIn(tx, l, may)
		return err
	})
	if err != nil {
		return done, fmt.Errorf("link the chat: %w", err)
	}
	b.cfg.Log.Info("chat linked", "chat", l.chat, "account", done.chat.Account, "carried", l.carry != "", "back", done.back)
	if b.cfg.KeyChanged != nil {
		for _, account := range done.renewed {
			b.cfg.KeyChanged(account)
		}
	}
	return done, nil
}

// linkIn is link within a unit.
func linkIn(tx *store.Tx, l linking, may func(*store.Chat) bool) (done linked, err error) {
	c, err := tx.Chat(l.chat)
	if errors.Is(err, store.ErrNotFound) {
		c, err = store.Chat{ID: l.chat, CreatedAt: time.Now()}, nil
	}
	c.Language = firstOf(c.Language, l.language)
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
	if c.Account != "" && c.Account != id {
		if err := release(tx, &c, l.stays); err != nil {
			return done, err
		}
	}
	if err := linkAccount(tx, id, l, &done); err != nil {
		return done, err
	}
	c.Account, c.Removed = id, slices.DeleteFunc(c.Removed, func(other string) bool { return other == id })
	c.Back(id)
	c.Back(l.carry)
	if done.nudge, err = nudge(tx, &c, l); err != nil {
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
		a.KeyTold = time.Time{}
		done.renewed = append(done.renewed, id)
	}
	if a.Retired {
		a.Wallet.Read = false // nobody has looked since
	}
	a.Name, a.Key, a.Retired = l.who.Name, l.key, false
	if l.who.UserID != 0 {
		a.UserID = l.who.UserID
	}
	if err := own(tx, &a, l.chat, l.person); err != nil {
		return err
	}
	if done.back, err = revive(tx, &a, l.chat, l.lets); err != nil {
		return err
	}
	return tx.PutAccount(&a)
}

// nudge reports whether a person who links a key is to be told that a low balance can be told of: once ever, and only where
// they have not set it.
func nudge(tx *store.Tx, c *store.Chat, l linking) (bool, error) {
	if !l.greets || c.Nudged {
		return false, nil
	}
	al, err := tx.Alerts(c.ID)
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

// LinkHouse links the house key to the owner's chat, once: a chat that was unlinked later stays so, and
// one that is linked to another account. It tries until the service answers or ctx ends; a key that is refused is only logged.
func (b *Bot) LinkHouse(ctx context.Context, owner int64, key secret.Text) error {
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
				c.House = true
				return first
			})
			return err
		}
		switch api.ClassOf(err) {
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

// keyRemove unlinks the chat from its account. A group is its owners' to unlink. What a team would lose by it is
// asked about first.
func (t keyFlow) keyRemove(sure bool) error {
	if !t.private {
		return placeFlow(t).placeOff()
	}
	if t.chat.Account == "" {
		return t.say(t.scr.Keys().None())
	}
	if !sure {
		if asked, err := t.askRemove(); asked || err != nil {
			return err
		}
	}
	stays := t.staysIn(t.chat.Account, t.userID)
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		c, err := tx.Chat(t.chatID)
		if err != nil || c.Account == "" {
			return err
		}
		if err := release(tx, &c, stays); err != nil {
			return err
		}
		c.Account = ""
		t.chat = c
		return tx.PutChat(&t.chat)
	})
	if err != nil {
		return fmt.Errorf("unlink the chat: %w", err)
	}
	t.leave()
	t.cfg.Log.Info("chat unlinked", "chat", t.chatID)
	t.shop, t.role = store.Account{}, store.NoRole
	t.look()
	return t.say(t.scr.Keys().Removed())
}

// askRemove asks whether an account is meant to be unlinked, where a team would lose by it or nobody knows yet whether a
// purchase went through.
func (t keyFlow) askRemove() (asked bool, err error) {
	ends := endsWith(t.shop, t.userID)
	unsure, err := t.uncertain(t.shop)
	if err != nil || !ends.any() && len(unsure) == 0 {
		return false, err
	}
	t.leave()
	view := ends.view(t.shop)
	view.Uncertain = unsure
	return true, t.say(t.scr.Keys().AskRemove(view))
}

// uncertain lists the purchases that the person is leaving of which nobody knows whether they went through: those of
// the whole account, or, where others go on with it, those of this chat.
func (t keyFlow) uncertain(a store.Account) (list []store.Purchase, err error) {
	chats := []int64{t.chatID}
	if a.Open == 0 {
		return nil, nil
	}
	if a.Role(t.userID) == store.Owner && len(otherOwners(a, t.userID)) == 0 {
		chats = slices.Concat(a.Chats, a.Past)
	}
	slices.Sort(chats)
	for _, chat := range slices.Compact(chats) {
		found, err := t.cfg.Store.ChatPurchases(t.ctx, chat, "", 4*ordersPage)
		if err != nil {
			return nil, fmt.Errorf("look for uncertain purchases: %w", err)
		}
		for _, p := range found {
			if p.Account == a.ID && (p.Phase == store.Unknown || p.Phase == store.Undecided) {
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// own makes the person of a private chat an owner, and tells those that there are.
func own(tx *store.Tx, a *store.Account, user int64, name string) error {
	m, _ := a.Member(user)
	was := m.Role
	if m.Since.IsZero() {
		m.Since = time.Now()
	}
	m.User, m.Role, m.By, m.Name = user, store.Owner, user, firstOf(name, m.Name)
	store.Admit(a, m)
	if was == store.Owner {
		return nil
	}
	return tell(tx, otherOwners(*a, user), strconv.FormatInt(m.Since.UnixMicro(), 36), store.JoinedNote, map[string]string{"person": name, "role": string(store.Owner)})
}

// release takes a chat, and the person whose it is, out of its account, which the chat remembers where it was theirs.
// The open invitations end with it. With its last owner the whole team goes, and comes back if the account is linked
// again before long.
func release(tx *store.Tx, c *store.Chat, stays stay) error {
	a, err := tx.Account(c.Account)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	m, _ := a.Member(c.ID)
	former := &store.Former{Team: a.Members(), Place: a.Place, Locked: a.Locked, At: time.Now()}
	if err := errors.Join(tx.EndInvites(&a), expel(tx, &a, c)); err != nil {
		return err
	}
	owners := a.PrivateChats(store.Owner)
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
	} else if err := errors.Join(tell(tx, owners, ref, store.LeftNote, map[string]string{"person": m.Name}), tellStay(tx, a, m, stays)); err != nil {
		return err
	}
	if a.Retired = len(a.Chats) == 0; a.Retired && a.Spends == 0 && !a.NeedsKey() {
		a.Key = secret.Text{} // nothing was ever bought with it: nothing can need it
	}
	return tx.PutAccount(&a)
}

// disband ends the team of an account that nobody owns any more, and tells everybody who was of it.
func disband(tx *store.Tx, a *store.Account, ref string) error {
	for _, chat := range slices.Clone(a.Chats) {
		if chat > 0 {
			if err := tell(tx, []int64{chat}, ref, store.ClosedNote, map[string]string{"account": a.Name}); err != nil {
				return err
			}
		}
		if err := unlink(tx, a, chat); err != nil {
			return err
		}
	}
	a.Place, a.Locked = nil, nil
	return nil
}
