package conversations

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// route classifies an update and runs the flow it belongs to.
func (b *Bot) route(ctx context.Context, a arrival) error {
	ctx, v, err := b.gate(ctx, &a)
	if err != nil {
		return err
	}
	// Behind the gate, which may have replaced it: a pass that was used is taken off the text (usePass).
	u := a.update
	switch {
	case u.CallbackQuery != nil:
		return b.callback(ctx, a, v, u.CallbackQuery)
	case u.Message != nil:
		return b.message(ctx, a, v, u.Message)
	case u.MyChatMember != nil:
		return b.member(ctx, a, v, u.MyChatMember)
	}
	return b.done(ctx, a.in.ID)
}

// done notes that an update needs nothing.
func (b *Bot) done(ctx context.Context, update int64) error {
	if update == 0 { // it is not on disk
		return nil
	}
	return b.cfg.Store.FinishUpdate(ctx, update)
}

// message handles what was typed. Bots, service messages and forwarded texts start nothing.
func (b *Bot) message(ctx context.Context, a arrival, v visit, m *message) error {
	if m.MigrateToChatID != 0 {
		return b.migrated(ctx, a.in.ID, m.Chat.ID, m.MigrateToChatID)
	}
	picked := m.UsersShared != nil && m.Chat.Type == models.ChatTypePrivate
	if m.From == nil || !picked && !brings(m) {
		return b.done(ctx, a.in.ID)
	}
	// Before bots are left out: what is written in a group's name comes from a bot of Telegram's.
	if isAnonymous(m) {
		return b.offerPlace(ctx, a, v, m)
	}
	if m.From.IsBot || isForwarded(m) {
		return b.done(ctx, a.in.ID)
	}
	isCommand := v.name != ""
	if ours, err := b.isForUs(ctx, m, isCommand); err != nil || !ours {
		return firstError(err, func() error { return b.done(ctx, a.in.ID) })
	}
	t, err := b.open(ctx, a, v, m.From)
	if err != nil {
		return err
	}
	t.text, t.typed = m.Text, m.ID
	t.at(m)
	defer t.showTyping()()
	if repliesTo(m, t.session) { // whatever was on the screen meanwhile
		// Not noted as a change: what takes the answer writes the session anyway, and an answer that is not taken leaves it as it was.
		t.session.Covered = false
	}
	// Whoever writes can be reached: without this, what waits for the chat would wait for its next try, hours later.
	if a.onDisk() && !t.chat.Unreachable.IsZero() {
		if err := b.changeChat(ctx, &t.chat, func(c *store.Chat) { c.Unreachable = time.Time{} }); err != nil {
			return err
		}
		b.cfg.Reachable(t.chatID)
	}
	// A file that comes while the logo is asked for is a logo, and else a list. A command in its caption is the file's only where it is
	// /buy.
	switch {
	case picked:
		t.cover()
		err = teamFlow{t}.picked(*m.UsersShared)
	case hasContact(m):
		err = customerFlow{t}.contact(*m.Contact)
	case hasPicture(m) && wantsLogo(t.session):
		err = saleFlow{t}.takeLogo(fileOf(m))
	case m.Document != nil && (!isCommand || v.name == "buy"):
		err = t.takeFile(m.Document)
	case isCommand:
		err = t.command(v.name, v.rest)
	case isPhoto(m):
		err = t.say(t.scr.Home().NoPicture())
	default:
		err = t.answerQuestion()
	}
	return firstError(err, t.finish)
}

// brings reports whether a message holds what a flow could take: a text, a file, a picture or a contact.
func brings(m *message) bool {
	return m.Text != "" || m.Document != nil || isPhoto(m) || hasContact(m)
}

// isForwarded reports whether somebody passes on what was written elsewhere. A contact is meant for the bot however it comes.
func isForwarded(m *message) bool { return m.ForwardOrigin != nil && !hasContact(m) }

// isForUs tells whether a message is for the bot. In a group people talk to each other: only a command, an answer to an open
// question of theirs, a file that replies to the bot's screen, and a key that others must not read are for us.
func (b *Bot) isForUs(ctx context.Context, m *message, isCommand bool) (bool, error) {
	if m.Chat.Type == models.ChatTypePrivate || isCommand {
		return true, nil
	}
	s, err := b.cfg.Store.Session(ctx, m.Chat.ID, m.From.ID)
	if m.Document != nil {
		return repliesTo(m, s), err
	}
	return takesText(s) || repliesTo(m, s) || looksLikeKey(m.Text), err
}

// takeFile takes up a file, which is a list of orders or nothing.
func (t *turn) takeFile(d *models.Document) error {
	if no, err := t.refuseBelow(store.Seller); no || err != nil {
		return err
	}
	if _, _, ok, err := t.account(); err != nil || !ok {
		return err
	}
	t.cover()
	return listFlow{t}.file(d)
}

// takesText reports whether a question is open that is answered by typing.
func takesText(s store.Session) bool {
	switch s.Flow {
	case "", flowBrowse:
		return false
	case flowPrices:
		return !s.Covered && s.Step != stepRule
	case flowBuy:
		return !s.Covered && (s.Step == stepQuantity || s.Step == stepInput)
	}
	return !s.Covered
}

// repliesTo reports whether a message answers the screen that somebody has in hand, by being a reply to it.
func repliesTo(m *message, s store.Session) bool {
	return m.ReplyToMessage != nil && s.Flow != "" && m.ReplyToMessage.ID == s.Message
}

// at notes which group, and which topic of it, something happens in.
func (t *turn) at(m *message) {
	if t.private {
		return
	}
	t.title, t.forum = m.Chat.Title, m.Chat.IsForum
	if m.IsTopicMessage {
		t.thread = m.MessageThreadID
	}
}

// command runs a command. One that opens a flow of its own leaves the question that was open.
func (t *turn) command(name, rest string) error {
	c, known := t.commands[name]
	if known {
		if no, err := t.forbids(c.right); no || err != nil {
			return err
		}
	}
	if !c.keepsKey {
		t.closeKeyQuestion()
	}
	t.cover()
	switch {
	case known:
		if rest == "" {
			t.typedAs = screen.Action{Verb: c.as}
		}
		return t.runApart(c.apart, func(t *turn) error { return c.run(t, rest) })
	// It may be meant for another bot of the group.
	case !t.private:
		return nil
	}
	return t.say(t.scr.Home().UnknownCommand(name))
}

// answerQuestion takes a typed line as the answer to the open question; without one it searches.
func (t *turn) answerQuestion() error {
	q, ok := t.questions[t.session.Flow]
	open := ok && t.session.Flow != "" && !t.session.Covered
	// Before all else: a key has to go from the chat whatever is open, and is never searched for or kept as an answer.
	if t.pastesKey(open) {
		t.cover()
		return keyFlow{t}.keyPasted()
	}
	if role, picks := t.cfg.Screens.Picks(t.text); picks && t.private {
		t.cover()
		return teamFlow{t}.pickTyped(role)
	}
	switch {
	case !open:
		q = t.questions[""]
	case takesText(t.session):
		t.answeredQuestion = t.session.Message
	}
	if no, err := t.forbids(q.right); no || err != nil {
		return err
	}
	return q.answer(t)
}

// pastesKey reports whether what was typed is a key that nobody asked for. An input of a product may look like anything,
// so that only the account's own key is told apart from one; no other question has such an answer.
func (t *turn) pastesKey(open bool) bool {
	switch {
	case open && t.session.Flow == flowKey:
		return false
	case open && t.session.Flow == flowBuy && t.session.Step == stepInput:
		return !t.shop.Key.IsZero() && strings.TrimSpace(t.text) == t.shop.Key.Reveal()
	}
	return looksLikeKey(t.text)
}

// callback handles a tapped button.
func (b *Bot) callback(ctx context.Context, a arrival, v visit, q *callback) error {
	chat, message, ok := messageOf(q)
	if !ok {
		return b.done(ctx, a.in.ID)
	}
	a.in.Chat = chat
	t, err := b.open(ctx, a, v, &q.From)
	if err != nil {
		return err
	}
	t.query, t.tapped, t.action = q.ID, message, v.action
	// Of other buttons no tap is noted: two of them are two wishes.
	t.double = b.buttons[v.action.Verb].books && b.doubles.isSecond(tapAt{chat, q.From.ID, message, q.Data}, a.in.ID, a.in.At)
	// An inaccessible message (date 0) does not tell which topic it is in.
	if q.Message.Date != 0 {
		t.at(q.Message)
	}
	defer t.showTyping()()
	return firstError(t.tap(), t.finish)
}

// tap runs what a button means, for those who may. A button that is not in the table means nothing.
func (t *turn) tap() error {
	if t.clears.has(shownAt{t.chatID, t.tapped}) {
		t.ack(screen.ToastStale)
		return nil
	}
	row, known := t.buttons[t.action.Verb]
	// Before the right: the role is that in the account that is active, and the button may be about another one.
	if !row.anywhere {
		if other, err := (accountFlow{t}).isElsewhere(); other || err != nil {
			return err
		}
	}
	// Before known is asked: the zero row is for everyone, and in a group that is the team's alone.
	if no, err := t.forbids(row.right); no || err != nil {
		return err
	}
	if !known {
		t.action.Fresh = true // what stands there may hold codes
		return t.stale()
	}
	if t.double {
		t.ack("")
		return nil
	}
	if t.session.Message != t.tapped {
		t.cover()
	}
	if !t.private && !row.inPlace && t.session.Message != t.tapped {
		t.action.Fresh = true // nobody's screen changes under their hands
	}
	return t.runApart(row.apart, func(at *turn) error { return row.run(at, t.action) })
}

// stale answers a button that means nothing any more: the current screen instead, unless what stands there now is what the person wants.
func (t *turn) stale() error {
	t.ack(screen.ToastStale)
	t.shownOf = nil // what follows is no purchase
	if moved, err := t.hasMovedOn(); err != nil || moved {
		return err
	}
	// Of somebody who has left a team: that a team's buttons do nothing any more is no reason to greet them as if they were new here.
	if t.private && t.role == store.NoRole && wasIn(t.chat) && slices.ContainsFunc(t.action.Args, store.IsID) {
		return nil
	}
	// In a group it may be somebody else's screen, and what names a purchase may stand under its codes: both stay.
	t.action.Fresh = t.action.Fresh || !t.private || slices.ContainsFunc(t.action.Args, store.IsID)
	return homeFlow{t}.start()
}

// hasMovedOn reports whether the message of a tapped button shows something else by now, as for the second of two taps, or a late
// one. It may be a code.
func (t *turn) hasMovedOn() (bool, error) {
	switch {
	// Of a stranger's update nothing is on disk that could be read below.
	case t.tapped == 0 || t.update == 0:
		return false, nil
	case t.session.Flow != "" && t.session.Message == t.tapped:
		return true, nil
	}
	// From disk: the arrival has lost its text where it was queued (Inbox.hand).
	in, err := t.cfg.Store.UndoneUpdate(t.ctx, t.update)
	if err != nil {
		return false, ignoreMissing(err)
	}
	text, shown := tappedText(in.Raw)
	return shown && text == "", nil
}

// firstError runs next unless err is set.
func firstError(err error, next func() error) error {
	if err != nil {
		return err
	}
	return next()
}
