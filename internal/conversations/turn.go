package conversations

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	sessionLife = 24 * time.Hour  // how long an open question stays open
	ackPatience = 2 * time.Second // then a tap is answered without knowing what comes of it
)

// turn is one update on its way through a flow: who did what where, and where they stand.
type turn struct {
	*Bot

	ctx     context.Context //nolint:containedctx // a turn is as short as a call, and every step of it would pass it on
	update  int64
	chatID  int64
	userID  int64
	private bool
	thread  int    // the topic of the group that it happens in; 0 for none
	title   string // of the group, hostile text
	name    string // of the person, hostile text
	speaks  string // the language of the person's private chat, for a group; "" where there is none

	text    string        // what was typed; empty for a tap
	typed   int           // the message that was typed; 0 for a tap
	typedAs screen.Action // the button that does the same; none where there is none
	query   string        // the callback query; empty for a text
	tapped  int           // the message under which the tapped button stands
	action  screen.Action // what the tapped button means
	acked   atomic.Bool
	chat    store.Chat
	shop    store.Account // that is linked; zero where none is
	role    store.Role    // of the person in it
	session store.Session
	changed bool // the session has to be stored
	dropped bool // a question for a key was left open, and the next screen has to say so
	answers int  // the message of the open question that was answered by typing; 0 for none
	over    int  // the message that the next screen replaces though nothing under it was tapped; 0 for none
	scr     screen.Printer
	own     screen.Printer // of what only the person sees: in a group, in their own language
}

// open is where the chat and the person of a visit stand, and what the person may do, by what was read of them. A chat
// that is new is made, in the person's language; but nothing is, for an update that is not on disk.
func (b *Bot) open(ctx context.Context, a arrival, v visit, from *models.User) (*turn, error) {
	t := &turn{Bot: b, ctx: ctx, update: a.in.ID, chatID: a.in.Chat, private: a.in.Chat > 0, chat: v.here}
	if from != nil {
		t.userID, t.name, t.speaks = from.ID, from.FirstName, v.person.Language
	}
	if err := t.meet(a, from); err != nil {
		return nil, err
	}
	var err error
	if t.session, err = b.cfg.Store.Session(ctx, t.chatID, t.userID); err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	if t.session.Expires.Before(time.Now()) {
		t.session.Flow, t.session.Step, t.session.Data = "", "", nil
	}
	if t.chat.Account == v.shop.ID {
		err = t.enter(v.shop)
	} else { // it was linked this moment, or the account is gone, or is that of the person's private chat alone
		err = t.enterLinked()
	}
	if err != nil {
		return nil, err
	}
	t.look()
	return t, nil
}

// meet makes a chat that is new, or gives one its language that was linked before anybody spoke.
func (t *turn) meet(a arrival, from *models.User) (err error) {
	switch {
	case t.chat.ID == 0:
		t.chat = store.Chat{ID: t.chatID, Language: t.languageOf(from), CreatedAt: time.Now()}
	case t.chat.Language == "":
		t.chat.Language = t.languageOf(from)
	default:
		return nil
	}
	if a.onDisk() {
		err = t.changeChat(t.ctx, &t.chat, func(c *store.Chat) { c.Language = firstOf(c.Language, t.languageOf(from)) })
	}
	if err != nil {
		return fmt.Errorf("note a chat: %w", err)
	}
	return nil
}

// enterLinked reads the account that is linked here by now, and what the person is in it.
func (t *turn) enterLinked() error {
	if t.chat.Account == "" {
		return t.enter(store.Account{})
	}
	a, err := t.cfg.Store.Account(t.ctx, t.chat.Account)
	if ignoreMissing(err) != nil {
		return fmt.Errorf("read the account: %w", err)
	}
	return t.enter(a)
}

// enter is what the person is in the account that is linked here. Somebody who is not of its team finds their own private
// chat as if nothing were linked.
func (t *turn) enter(a store.Account) error {
	if t.shop = a; t.chat.Account == "" {
		return nil
	}
	m, member := t.shop.Member(t.userID)
	t.role = m.Role
	switch {
	case !member && t.private:
		t.chat.Account = ""
	case member && m.Name == "" && t.name != "": // whoever linked the key before there were teams, or by the configuration
		return t.introduce()
	}
	return nil
}

// introduce writes down what somebody of the team is called.
func (t *turn) introduce() error {
	err := t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
		a, err := tx.Account(t.shop.ID)
		if err != nil {
			return ignoreMissing(err)
		}
		m, ok := a.Member(t.userID)
		if !ok || m.Name != "" {
			return nil
		}
		m.Name = t.name
		store.Admit(&a, m)
		t.shop = a
		return tx.PutAccount(&a)
	})
	if err != nil {
		return fmt.Errorf("note a name: %w", err)
	}
	return nil
}

// look makes the screens fit for who sees them: a group is never the person alone.
func (t *turn) look() {
	reader := screen.ReaderOf(t.role)
	switch {
	case t.private:
	case t.shop.Place != nil && t.shop.Place.Chat == t.chatID && t.shop.Place.Full:
		reader = screen.ForShopInFull
	default:
		reader = screen.ForShop
	}
	scr, _ := t.cfg.Screens.For(t.chat.Language)
	t.scr = scr.As(reader).For(t.chatID)
	if t.own = t.scr; !t.private && t.speaks != "" {
		own, _ := t.cfg.Screens.For(t.speaks)
		t.own = own.As(reader).For(t.chatID)
	}
}

// changeChat applies a change to a chat's record, whatever else changed it since it was read.
func (b *Bot) changeChat(ctx context.Context, c *store.Chat, change func(*store.Chat)) error {
	return b.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		now, err := tx.Chat(c.ID)
		if errors.Is(err, store.ErrNotFound) {
			now = *c
		} else if err != nil {
			return err
		}
		change(&now)
		if err := tx.PutChat(&now); err != nil {
			return err
		}
		*c = now
		return nil
	})
}

// ack answers the callback query, once, beside whatever follows. It does nothing for a text.
func (t *turn) ack(toast screen.Toast) { t.answer(toast, false) }

// alert answers the callback query with something to be confirmed.
func (t *turn) alert(toast screen.Toast) { t.answer(toast, true) }

func (t *turn) answer(toast screen.Toast, alert bool) {
	text := ""
	if toast != "" {
		text = t.own.Failures().Toast(toast)
	}
	t.answerText(text, alert)
}

// answerText answers the callback query, once, with a text that only the person sees.
func (t *turn) answerText(text string, alert bool) {
	if t.query == "" || !t.acked.CompareAndSwap(false, true) {
		return
	}
	ctx := context.WithoutCancel(t.ctx)
	t.sides.Go(func() {
		if err := t.cfg.Messenger.Answer(ctx, t.query, text, alert); err != nil {
			t.cfg.Log.Debug("answer a callback query", "update", t.update, "err", err)
		}
	})
}

// ackSoon answers the callback query if what follows takes long. The work that it covers ends with stop.
func (t *turn) ackSoon() (stop func()) {
	done := make(chan struct{})
	timer := time.AfterFunc(ackPatience, func() {
		defer close(done)
		t.ack("")
	})
	return func() {
		if !timer.Stop() {
			<-done
		}
	}
}

// show puts a screen before the person: in place of the one whose button was tapped, or as a new
// message under what was typed, or where the button's message has to stay. It returns the message's id.
func (t *turn) show(m screen.Message) (int, error) {
	t.ack("")
	if t.dropped {
		m, t.dropped = t.scr.Keys().Dropped(m), false
	}
	if at := cmp.Or(t.tapped, t.over); at != 0 && !t.action.Fresh && m.File == nil {
		err := t.cfg.Messenger.Edit(t.ctx, t.chatID, at, m)
		if !errors.Is(err, telegram.ErrGone) {
			return at, err
		}
	}
	return t.cfg.Messenger.Send(t.ctx, t.chatID, t.thread, m)
}

// say shows a screen that nothing follows.
func (t *turn) say(m screen.Message) error {
	_, err := t.show(m)
	return err
}

// ask shows a screen whose question stays open: what is typed or tapped next belongs to it.
func (t *turn) ask(m screen.Message, flow, step string, data any) error {
	if !t.private && takesText(store.Session{Flow: flow, Step: step}) {
		m = t.scr.Catalogue().ByReply(m)
	}
	id, err := t.show(m)
	if err != nil {
		return err
	}
	text, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("keep the state of %s: %w", flow, err)
	}
	s := &t.session
	s.Chat, s.User, s.Flow, s.Step, s.Data, s.Message = t.chatID, t.userID, flow, step, text, id
	s.Expires, s.Covered = time.Now().Add(sessionLife), false
	t.changed = true
	return nil
}

// mistake is what a question keeps of the answer that it had last.
type mistake struct {
	Wrong screen.Problem `json:"Wrong,omitempty"` // what the question shows to be wrong with it
}

// correct has what is wrong with a typed answer shown in its question, which stays where it is. One that shows the
// same already is asked anew, under what was typed: where nothing changes, nobody was answered.
func (t *turn) correct(problem screen.Problem) {
	if problem == screen.NoProblem {
		return
	}
	var shown mistake
	if err := json.Unmarshal(t.session.Data, &shown); err != nil || shown.Wrong != problem {
		t.over = t.answers
	}
}

// clearAnswered takes the keyboard from a question that was answered by typing: what is asked next has its own. The answer
// counts whatever becomes of that.
func (t *turn) clearAnswered() {
	if t.answers == 0 || t.session.Message == t.answers {
		return
	}
	ctx := context.WithoutCancel(t.ctx)
	t.sides.Go(func() {
		if err := t.cfg.Messenger.Clear(ctx, t.chatID, t.answers); err != nil {
			t.cfg.Log.Debug("take the keyboard from a question", "update", t.update, "err", err)
		}
	})
}

// cover has the open question answered by its own buttons alone: what is typed after another screen is no answer to
// it.
func (t *turn) cover() {
	if t.session.Flow != "" && !t.session.Covered {
		t.session.Covered, t.changed = true, true
	}
}

// leave closes the open question, if there is one.
func (t *turn) leave() {
	if t.session.Flow != "" {
		t.session.Flow, t.session.Step, t.session.Data, t.session.Message, t.session.Covered = "", "", nil, 0, false
		t.changed = true
	}
}

// finish is the last act of a turn: where the person stands now, and that the update is done.
func (t *turn) finish() error {
	t.ack("")
	t.clearAnswered()
	if t.update == 0 { // a stranger's, of which nothing is kept
		return nil
	}
	err := t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
		if t.changed {
			if err := t.putSession(tx); err != nil {
				return err
			}
		}
		return tx.UpdateDone(t.update)
	})
	if err != nil {
		return fmt.Errorf("finish the update: %w", err)
	}
	return nil
}

// putSession stores where the person stands, or forgets it where no question is open.
func (t *turn) putSession(tx *store.Tx) error {
	if t.session.Flow == "" {
		return tx.DeleteSession(t.chatID, t.userID)
	}
	s := t.session
	return tx.PutSession(&s)
}

// account is the chat's account, and the service under its key. ok is false, and the person told,
// where none is linked.
func (t *turn) account() (a store.Account, s Service, ok bool, err error) {
	if t.chat.Account == "" || t.shop.ID == "" {
		return a, nil, false, t.noAccount()
	}
	return t.shop, t.cfg.Service(t.shop), true, nil
}

// failed tells that the service could not be read.
func (t *turn) failed(err error) error {
	var e *api.Error
	if !errors.As(err, &e) {
		return err
	}
	t.cfg.Log.Warn("the service cannot be read", "update", t.update, "chat", t.chatID, "err", err)
	return t.say(t.scr.Failures().Failure(e, t.wanted()))
}

// wanted is what leads to the screen that was wanted: the button that was tapped, or the one that does what was typed. A
// reading alone fails in this way, so that nothing is bought by it.
func (t *turn) wanted() screen.Action {
	if t.query != "" {
		a := t.action
		a.Fresh = false
		return a
	}
	return t.typedAs
}
