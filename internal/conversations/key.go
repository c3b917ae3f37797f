package conversations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"resellerbot/internal/api"
	"resellerbot/internal/secret"
	"resellerbot/internal/store"
)

const flowKey = "key"

// key is /key: asks for the key, takes one that came along, or unlinks.
func (t *turn) key(rest string) error {
	switch {
	case strings.EqualFold(rest, "remove"):
		return t.keyRemove()
	case !t.private:
		return t.keyInGroup(rest != "")
	case rest != "":
		return t.linkTyped(rest)
	}
	return t.ask(t.scr.KeyAsk(), flowKey, "", nil)
}

// keyInGroup refuses a key where others read along, and removes it from there if it may.
func (t *turn) keyInGroup(shown bool) error {
	deleted := false
	if shown {
		deleted = t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	}
	return t.say(t.scr.KeyInGroup(deleted))
}

// keyTyped takes the answer to the question for the key.
func (t *turn) keyTyped() error {
	if !t.private {
		t.leave()
		return t.keyInGroup(true)
	}
	return t.linkTyped(t.text)
}

// linkTyped removes the message that holds the key, asks the service whose key it is, and links it. A
// key that is refused leaves nothing behind and the question open.
func (t *turn) linkTyped(text string) error {
	deleted := t.cfg.Messenger.Delete(t.ctx, t.chatID, t.typed) == nil
	text = strings.TrimSpace(text)
	if !keyShaped(text) {
		return t.ask(t.scr.KeyMalformed(), flowKey, "", nil)
	}
	key := secret.New(text)
	who, err := t.cfg.Key(key).Account(t.ctx)
	if err != nil {
		var e *api.Error
		if !errors.As(err, &e) {
			return err
		}
		t.cfg.Log.Info("a key was refused", "chat", t.chatID, "err", err)
		return t.ask(t.scr.KeyRefused(e.Class), flowKey, "", nil)
	}
	if err := t.link(key, who); err != nil {
		return err
	}
	t.leave()
	return t.say(t.scr.KeyLinked(who, deleted))
}

// keyShaped reports whether a text can be a key at all: one word that fits into a header.
func keyShaped(s string) bool {
	return len(s) >= 4 && len(s) <= 512 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// link ties the chat to the account that a key belongs to.
func (t *turn) link(key secret.Text, who api.Account) (err error) {
	t.chat, err = t.Bot.link(t.ctx, t.chatID, t.name, key, who, func(*store.Chat) bool { return true })
	if err == nil {
		err = t.enter()
	}
	t.look()
	return err
}

// link ties a chat to the account that a key belongs to, if it may when it is looked at, and makes its person an
// owner: whoever has the key can do everything. The same account under another key keeps its purchases: the newer
// key takes over.
func (b *Bot) link(ctx context.Context, chat int64, person string, key secret.Text, who api.Account, may func(*store.Chat) bool) (c store.Chat, err error) {
	id := accountID(key, who)
	err = b.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		c, err = tx.Chat(chat)
		if errors.Is(err, store.ErrNotFound) {
			c, err = store.Chat{ID: chat, CreatedAt: time.Now()}, nil
		}
		if err != nil || !may(&c) {
			return err
		}
		if c.Account != "" && c.Account != id {
			if err := release(tx, c.Account, c.ID); err != nil {
				return err
			}
		}
		a, err := tx.Account(id)
		if errors.Is(err, store.ErrNotFound) {
			a, err = store.Account{ID: id, LinkedAt: time.Now()}, nil
		}
		if err != nil {
			return err
		}
		a.Name, a.UserID, a.Key, a.Retired = who.Name, who.UserID, key, false
		if err := own(tx, &a, c.ID, person); err != nil {
			return err
		}
		if err := tx.PutAccount(&a); err != nil {
			return err
		}
		c.Account, c.Removed = id, slices.DeleteFunc(c.Removed, func(other string) bool { return other == id })
		return tx.PutChat(&c)
	})
	if err != nil {
		return c, fmt.Errorf("link the chat: %w", err)
	}
	b.cfg.Log.Info("chat linked", "chat", chat, "account", c.Account)
	return c, nil
}

// LinkHouse links the house key to the owner's chat, once: a chat that was unlinked later stays so. It
// tries until the service answers or ctx ends; a key that is refused is only logged.
func (b *Bot) LinkHouse(ctx context.Context, owner int64, key secret.Text) error {
	for wait := time.Second; ; wait = min(2*wait, 5*time.Minute) {
		c, err := b.cfg.Store.Chat(ctx, owner)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("read the owner's chat: %w", err)
		}
		if c.House {
			return nil
		}
		who, err := b.cfg.Key(key).Account(ctx)
		if err == nil {
			_, err = b.link(ctx, owner, "", key, who, func(c *store.Chat) bool {
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
		select {
		case <-time.After(wait):
		case <-ctx.Done():
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

// keyRemove unlinks the chat from its account. A group is its owners' to unlink.
func (t *turn) keyRemove() error {
	if !t.private {
		return t.placeOff()
	}
	if t.chat.Account == "" {
		return t.say(t.scr.KeyNone())
	}
	err := t.cfg.Store.Update(t.ctx, func(tx *store.Tx) error {
		c, err := tx.Chat(t.chatID)
		if err != nil {
			return err
		}
		if err := release(tx, c.Account, c.ID); err != nil {
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
	return t.say(t.scr.KeyRemoved())
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
	return tell(tx, otherOwners(*a, user), strconv.FormatInt(m.Since.UnixMicro(), 36), "joined", map[string]string{"person": name, "role": string(store.Owner)})
}

// release takes a chat, and the person whose it is, out of an account. With its last owner the whole team goes,
// and the key, as soon as no purchase needs it any more.
func release(tx *store.Tx, account string, chat int64) error {
	a, err := tx.Account(account)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	m, _ := a.Member(chat)
	store.Part(&a, chat)
	owners := a.PrivateChats(store.Owner)
	ref := strconv.FormatInt(time.Now().UnixMicro(), 36)
	if len(owners) == 0 {
		if err := disband(tx, &a, ref); err != nil {
			return err
		}
	} else if err := tell(tx, owners, ref, "left", map[string]string{"person": m.Name}); err != nil {
		return err
	}
	if a.Retired = len(a.Chats) == 0; a.Retired && a.Open == 0 {
		return tx.DeleteAccount(a)
	}
	return tx.PutAccount(&a)
}

// disband ends the team of an account that nobody owns any more, and tells everybody who was of it.
func disband(tx *store.Tx, a *store.Account, ref string) error {
	for _, hash := range slices.Clone(a.Invites) {
		if err := tx.EndInvite(a, hash); err != nil {
			return err
		}
	}
	for _, chat := range slices.Clone(a.Chats) {
		if chat > 0 {
			if err := tell(tx, []int64{chat}, ref, "closed", map[string]string{"account": a.Name}); err != nil {
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
