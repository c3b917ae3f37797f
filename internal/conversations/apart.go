package conversations

import (
	"errors"
	"fmt"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// runApart runs what a command or a button leads to. What is owners' alone is shown in the owner's private chat where others of the
// team read along: by a balance, or by the rule of a price, they could tell what things cost. Here it is said where it went.
func (t *turn) runApart(apart bool, run func(*turn) error) error {
	if !apart || t.private || t.role != store.Owner || !t.shop.HasStaff() {
		return run(t)
	}
	p, err := t.privately()
	switch {
	case err != nil:
		return err
	case p == nil:
		return t.sentApart(false)
	}
	defer t.ackSoon()()
	err = run(p)
	switch {
	case telegram.Classify(err).Kind == telegram.Unreachable:
		return t.sentApart(false)
	case err != nil:
		return err
	// finish is not run for p: there is one update, and this turn notes it as done. What is left to keep is the question that p has opened.
	case p.changed:
		err = t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error { return p.putSession(tx) })
	}
	if err != nil {
		return fmt.Errorf("keep what is asked in private: %w", err)
	}
	return t.sentApart(true)
}

// privately is the turn as if the person had asked in their private chat; nil where they have none in which the account of this group
// is in use.
func (t *turn) privately() (*turn, error) {
	c, err := t.cfg.Store.Chat(t.ctx, t.userID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil //nolint:nilnil // that there is none is no error
	case err != nil:
		return nil, fmt.Errorf("read the private chat: %w", err)
	// What is tapped in private is about the account that is active there. A screen of another one would have the wrong buttons.
	case !c.Unreachable.IsZero(), c.Account != t.shop.ID:
		return nil, nil //nolint:nilnil // as above
	}
	// Without query, typed and tapped: nothing of the private chat is edited, and the callback query stays with the turn of the group.
	p := &turn{
		Bot: t.Bot, ctx: t.ctx, update: t.update, chatID: t.userID, userID: t.userID, private: true, name: t.name, speaks: t.speaks,
		text: t.text, action: t.action, chat: c, shop: t.shop, role: t.role, ackTaken: t.ackTaken, ackSent: t.ackSent,
	}
	p.action.Fresh = true // nothing of the private chat was tapped
	if p.session, err = t.cfg.Store.Session(t.ctx, p.chatID, p.userID); err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	p.setPrinters()
	return p, nil
}

// sentApart says in the group where what was asked for has gone, or that it has to be asked for in private.
func (t *turn) sentApart(sent bool) error {
	switch {
	case t.query == "":
		return t.say(t.scr.Places().Apart(sent))
	case sent:
		t.ack(screen.ToastApart)
	default:
		t.alert(screen.ToastAskApart)
	}
	return nil
}
