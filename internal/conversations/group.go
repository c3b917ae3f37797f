package conversations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// placePayload is what the link that adds the bot to a group brings along. It is no secret: who may link a group
// is decided by who opens it.
const placePayload = "shop"

// placeRights are what Telegram proposes to let the bot do there: make topics, and pin the board of the day.
const placeRights = "&admin=manage_topics+pin_messages"

// isPlace reports whether all deliveries of an account go to where this happens.
func (t *turn) isPlace(a store.Account) bool {
	return a.Place != nil && a.Place.Chat == t.chatID && (a.Place.Thread == t.thread || a.Place.IsTopic(t.thread))
}

// place shows where all deliveries go as well.
func (t placeFlow) place() error {
	return t.inPrivate(func(a store.Account) error {
		out, err := t.isOut(a.Place)
		if err != nil {
			return err
		}
		return t.say(t.scr.Places().Page(a.Place, out, "https://t.me/"+t.cfg.BotName()+"?startgroup="+placePayload+placeRights))
	})
}

// isOut reports whether the bot is not in a place any more: what is for it waits until somebody adds the bot again.
func (t *turn) isOut(at *store.Place) (bool, error) {
	if at == nil {
		return false, nil
	}
	c, err := chatOrNone(t.ctx, t.cfg.Store, at.Chat)
	return !c.Unreachable.IsZero(), err
}

// placeHere has all deliveries of the person's account sent to this group, or this topic of it, as well. A group
// that was the place before is it no more. A group of another account is taken over by who stands above the one who has
// linked it, once that is surely meant.
func (t placeFlow) placeHere(sure bool) error {
	a, ok, err := t.linker()
	if err != nil || !ok {
		return err
	}
	if t.private {
		return t.place()
	}
	if t.action.Of != "" && t.action.Of != screen.AccountMark(a.ID) { // under a card that names another account
		t.alert(screen.ToastTeamOnly)
		return nil
	}
	// The account from which the group is taken goes into the transaction, so that nobody takes it from one that was never named.
	taken := ""
	if t.isAnothers(a) {
		sure = sure && t.action.Arg(1) == screen.Mark([]string{t.chat.Account}) // it was asked about this account
		if may, err := t.mayTake(); !sure || !may || err != nil {
			return t.offerTake(a, may, err)
		}
		taken = t.chat.Account
	}
	a, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error { return t.linkGroup(tx, a, taken) })
	if err != nil {
		return t.refused(err)
	}
	t.cfg.Log.Info("a group was linked", "account", a.ID, "chat", t.chatID, "by", t.userID, "instead", taken)
	t.setPrinters()
	return t.say(t.scr.Places().Set(a.Called(), *a.Place))
}

// linkGroup is placeHere within a transaction. taken is the account whose group it may be until now.
func (t placeFlow) linkGroup(tx *store.Tx, a *store.Account, taken string) error {
	c, err := tx.Chat(t.chatID)
	if err != nil {
		return err
	}
	switch {
	// It is a group of this account already: what was set in it stays.
	case c.Account == a.ID:
	// It was linked since the tap: nobody was asked whether it is to be taken from that account.
	case c.Account != "" && c.Account != taken:
		return errTaken
	default:
		if err := t.cleanGroup(tx, &c); err != nil {
			return err
		}
	}
	// Linked once more, the same group keeps whether it shows codes; another one begins with hiding them.
	full := a.Place != nil && a.Place.Chat == t.chatID && a.Place.Full
	if a.Place != nil && a.Place.Chat != t.chatID {
		if err := unlink(tx, a, a.Place.Chat, strconv.FormatInt(t.update, 10)); err != nil {
			return err
		}
	}
	next := store.Place{Chat: t.chatID, Thread: t.thread, Title: t.title, Full: full, By: t.userID, At: now()}
	if a.Place != nil && a.Place.Chat == t.chatID {
		// The topics that the bot has made in this group stay its own.
		next = a.Place.Again(next)
	}
	a.Place = &next
	if !slices.Contains(a.Chats, t.chatID) {
		a.Chats = append(slices.Clone(a.Chats), t.chatID)
	}
	c.Account = a.ID
	t.chat = c
	if t.forum {
		if err := tx.MakeTopics(a); err != nil {
			return err
		}
	}
	return errors.Join(tx.PutChat(&t.chat), tx.JoinBook(a.ID, t.chatID), t.tell(tx, a.ID, otherOwners(*a, t.userID), store.PlaceNote, map[string]string{"person": t.name, "group": t.title}))
}

// cleanGroup takes a group from the account that it is of, and forgets what others have set in it: nothing of theirs is
// there when an account is linked.
func (t placeFlow) cleanGroup(tx *store.Tx, c *store.Chat) error {
	if c.Account != "" {
		old, err := tx.Account(c.Account)
		if ignoreMissing(err) != nil {
			return err
		}
		if err == nil {
			err = errors.Join(expel(tx, &old, c), tx.PutAccount(&old),
				t.tell(tx, old.ID, old.PrivateChats(store.Owner), store.PlaceTakenNote, map[string]string{"person": t.name, "group": t.title}))
		}
		if ignoreMissing(err) != nil {
			return err
		}
	}
	own, err := tx.Chat(t.userID)
	if ignoreMissing(err) != nil {
		return err
	}
	// The group speaks as its owner does: what others have chosen there goes with the rest of theirs.
	if own.Language != "" {
		c.Language, c.Chosen = own.Language, false
	}
	if t.cfg.Access.InviteOnly && c.AdmittedBy != t.cfg.Access.Operator {
		c.Admit(t.userID, "", now()) // who is in brings it in
	}
	return nil
}

// isAnothers reports whether the group is linked to another account than one.
func (t placeFlow) isAnothers(a store.Account) bool {
	return t.chat.Account != "" && t.shop.ID != "" && t.chat.Account != a.ID
}

// mayTake reports whether the person stands above whoever has linked the group: its creator above all, an administrator
// above those who are none.
func (t placeFlow) mayTake() (bool, error) {
	// 0 where it is not known who has linked it: Ranks takes that for a member, above whom any administrator stands.
	by := int64(0)
	if t.shop.Place != nil && t.shop.Place.Chat == t.chatID {
		by = t.shop.Place.By
	}
	stands, err := t.cfg.Access.Ranks(t.ctx, t.chatID, t.userID, by)
	return err == nil && stands[0] > stands[1], err
}

// offerTake asks whether a group that is linked to another account is to be the person's, where they may decide that:
// what mayTake has told.
func (t placeFlow) offerTake(a store.Account, may bool, err error) error {
	switch {
	case err != nil:
		t.cfg.Log.Warn("Telegram does not tell who administers a group", "chat", t.chatID, "err", err)
		return t.say(t.scr.Places().Unsure())
	case !may:
		return t.say(t.scr.Places().Taken())
	}
	return t.say(t.scr.Places().AskTake(a.Called(), screen.Mark([]string{t.chat.Account})))
}

// placeOff has deliveries sent to the group no more: to this one, or, in private, to whichever it is.
func (t placeFlow) placeOff() error {
	if !t.private && t.chat.Account == "" {
		return t.noAccount()
	}
	a, ok, err := t.owned()
	if err != nil || !ok {
		return err
	}
	_, err = t.asOwner(a.ID, func(tx *store.Tx, a *store.Account) error {
		groups := slices.DeleteFunc(slices.Clone(a.Chats), func(chat int64) bool { return chat > 0 || !t.private && chat != t.chatID })
		title := t.title
		if a.Place != nil && slices.Contains(groups, a.Place.Chat) {
			title = a.Place.Title
		}
		for _, group := range groups {
			if err := unlink(tx, a, group, strconv.FormatInt(t.update, 10)); err != nil {
				return err
			}
		}
		if len(groups) == 0 {
			return nil
		}
		return t.tell(tx, a.ID, otherOwners(*a, t.userID), store.PlaceOffNote, map[string]string{"person": t.name, "group": title})
	})
	if err != nil {
		return t.refused(err)
	}
	if t.private {
		return t.place()
	}
	return t.say(t.scr.Places().Off(a))
}

// member notes that a person blocked the bot or came back, or that a group removed it or took it in again. A
// shop's owners are told of the latter, for somebody else may have done it.
func (b *Bot) member(ctx context.Context, a arrival, v visit, m *membershipChange) error {
	gone, was := isGone(m.NewChatMember), isGone(m.OldChatMember)
	c := v.here
	if !v.asks { // it was not read yet
		var err error
		if c, err = chatOrNone(ctx, b.cfg.Store, m.Chat.ID); err != nil {
			return err
		}
	}
	if c.ID == 0 { // a chat that never spoke to us
		return b.done(ctx, a.in.ID)
	}
	if mayMakeTopics(m) {
		if err := b.makeTopics(ctx, c); err != nil {
			return err
		}
	}
	err := b.changeChat(ctx, &c, func(c *store.Chat) {
		switch {
		case !gone:
			c.Unreachable = time.Time{}
		case c.Unreachable.IsZero():
			c.Unreachable = time.Now()
		}
	})
	// Telegram tells of each change of the bot's membership, as of its rights: only going and coming are told.
	if err == nil && gone != was && c.ID < 0 && c.Account != "" {
		err = b.placeMoved(ctx, c, a.in.ID, gone)
	}
	// Behind the commit: the deliverer is woken by it, and has to find the chat reachable.
	if err == nil && !gone {
		b.cfg.Reachable(c.ID)
	}
	return firstError(err, func() error { return b.done(ctx, a.in.ID) })
}

// mayMakeTopics reports whether the bot has just been given the right to make topics in a group that has some.
func mayMakeTopics(m *membershipChange) bool {
	may := func(m chatMember) bool { return m.Status == models.ChatMemberTypeAdministrator && m.CanManageTopics }
	return m.Chat.IsForum && may(m.NewChatMember) && !may(m.OldChatMember)
}

// makeTopics makes the topics of a group that is the place of its account, as when an owner asks for them: somebody has let the
// bot do so.
func (b *Bot) makeTopics(ctx context.Context, c store.Chat) error {
	if c.Account == "" {
		return nil
	}
	return b.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		a, err := tx.Account(c.Account)
		if err != nil || a.Place == nil || a.Place.Chat != c.ID || a.Place.Topics == nil {
			return ignoreMissing(err)
		}
		return errors.Join(tx.MakeTopics(&a), tx.PutAccount(&a))
	})
}

// isGone reports whether somebody is not in a chat.
func isGone(m chatMember) bool {
	return m.Status == models.ChatMemberTypeBanned || m.Status == models.ChatMemberTypeLeft
}

// placeMoved tells the owners that their group has put the bot out, or taken it in again. Who is in the group may
// have changed meanwhile, so codes are not shown to everybody there any more.
func (b *Bot) placeMoved(ctx context.Context, c store.Chat, update int64, gone bool) error {
	err := b.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		a, err := tx.Account(c.Account)
		if err != nil || a.Place == nil || a.Place.Chat != c.ID {
			return ignoreMissing(err)
		}
		at := *a.Place
		at.Full = false
		a.Place = &at
		if err := tx.PutAccount(&a); err != nil {
			return err
		}
		name := store.PlaceBackNote
		if gone {
			name = store.PlaceLostNote
		}
		return tell(tx, a.ID, a.PrivateChats(store.Owner), strconv.FormatInt(update, 10), name, map[string]string{"group": at.Title})
	})
	if err != nil {
		return fmt.Errorf("note what became of a group: %w", err)
	}
	return nil
}

// migrated moves everything of a group to the supergroup that it became: the chat and its place in the account in
// one transaction, and then its purchases, some at a time.
func (b *Bot) migrated(ctx context.Context, update, from, to int64) error {
	err := b.cfg.Store.Update(ctx, func(tx *store.Tx) error { return tx.MoveChat(from, to) })
	if err != nil {
		return fmt.Errorf("move chat %d to %d: %w", from, to, err)
	}
	// In pages of a hundred, each a transaction of its own. What was moved is in this chat's list no more, so the first page is
	// always the next one, and a stop in between goes on from here.
	for {
		list, err := b.cfg.Store.ChatPurchases(ctx, from, "", 100)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return b.done(ctx, update)
		}
		err = b.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
			for _, p := range list {
				now, err := tx.Purchase(p.ID)
				if err == nil && now.Chat == from {
					err = tx.MoveWithGroup(&now, to)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("move the purchases of chat %d: %w", from, err)
		}
	}
}

// isAnonymous reports whether an administrator of a group has written in its name.
func isAnonymous(m *message) bool {
	return m.SenderChat != nil && m.SenderChat.ID == m.Chat.ID && m.Chat.ID < 0 && m.ForwardOrigin == nil
}

// offerPlace answers an administrator who wants a group linked and does not show who they are: with a button, for
// a tap does show it.
func (b *Bot) offerPlace(ctx context.Context, a arrival, v visit, m *message) error {
	name, rest, ok := command(m.Text, b.cfg.BotName())
	if !ok || name != "team" && (name != "start" || rest != placePayload) {
		return b.done(ctx, a.in.ID)
	}
	// Without a person: what such a message comes from is a bot of Telegram's, which stands for all administrators.
	t, err := b.open(ctx, a, v, nil)
	if err != nil {
		return err
	}
	t.at(m)
	return firstError(t.say(t.scr.Places().TeamInGroup(t.shop, t.isPlace(t.shop))), t.finish)
}
