package conversations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot/models"

	"resellerbot/internal/api"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

const (
	sessionLife = 24 * time.Hour         // how long an open question stays open
	ackPatience = 2 * time.Second        // then a tap is answered without knowing what comes of it
	ackLead     = 250 * time.Millisecond // how long a screen lets the answer to the tap go first
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
	forum   bool   // the group has topics
	title   string // of the group, hostile text
	name    string // of the person, hostile text
	speaks  string // the language of the person's private chat, for a group; "" where there is none

	text             string        // what was typed; empty for a tap
	phone            string        // whose contact was shared, as it is dialled; empty where none was
	typed            int           // the message that was typed; 0 for a tap
	typedAs          screen.Action // the button that does the same; none where there is none
	query            string        // the callback query; empty for a text
	tapped           int           // the message under which the tapped button stands
	action           screen.Action // what the tapped button means
	double           bool          // the tap is the second of a double tap, on what books
	ackBegun         atomic.Bool   // an answer to the callback query was begun, in this try
	ackTaken         *atomic.Bool  // the callback query is answered, by this try or an earlier one
	ackSent          chan struct{} // closed once the answer to the callback query is on its way to Telegram, or has failed
	chat             store.Chat
	shownOf          []string      // the accounts of the purchases on the screen; none where it shows none
	shop             store.Account // that is linked; zero where none is
	role             store.Role    // of the person in it
	session          store.Session
	changed          bool                                // the session has to be stored
	keyDropped       bool                                // a question for a key was left open, and the next screen has to say so
	answeredQuestion int                                 // the message of the question that what was typed has answered; 0 for none
	counted          *counting                           // the till that was counted when the update came, and whose count nobody has sent off; nil for none
	openQuestion     int                                 // the message of the question that was open when the update came, and could be answered by typing; 0 for none
	names            map[string]string                   // of the accounts of somebody who has several, as they are called
	inPlaceOf        int                                 // the message that the next screen replaces though nothing under it was tapped; 0 for none
	switched         func(screen.Message) screen.Message // what the next screen says of a switch; nil for nothing
	scr              screen.Printer
	own              screen.Printer // of what only the person sees: in a group, in their own language
}

// open is where the chat and the person of a visit stand, and what the person may do, by what was read of them. A chat
// that is new is made, in the person's language; but nothing is, for an update that is not on disk.
func (b *Bot) open(ctx context.Context, a arrival, v visit, from *models.User) (*turn, error) {
	t := &turn{Bot: b, ctx: ctx, update: a.in.ID, chatID: a.in.Chat, private: a.in.Chat > 0, chat: v.here, ackTaken: a.ackTaken, ackSent: make(chan struct{})}
	if from != nil {
		t.userID, t.name, t.speaks = from.ID, from.FirstName, v.person.Language
	}
	if err := t.meet(a, from); err != nil {
		return nil, err
	}
	var err error
	if t.session, err = sessionOf(ctx, b.cfg.Store, v, t.chatID, t.userID); err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	// The message stays known, so that its buttons still replace it; what it has asked is over.
	if t.session.Expires.Before(time.Now()) {
		t.session.Flow, t.session.Step, t.session.Data = "", "", nil
	}
	// Without Covered: the keyboard of a question that was covered still stands, and has to go once that is over (clearAnswered).
	if s := t.session; takesText(store.Session{Flow: s.Flow, Step: s.Step}) {
		t.openQuestion, t.counted = s.Message, countOf(s)
	}
	if t.chat.Account == v.shop.ID {
		err = t.setAccount(v.shop)
	} else { // it was linked this moment, or the account is gone, or is that of the person's private chat alone
		err = t.setLinkedAccount()
	}
	if err != nil {
		return nil, err
	}
	// What was asked for one account is not answered for another one.
	if s := &t.session; s.Account != "" && s.Account != t.chat.Account {
		t.leave()
	}
	t.setPrinters()
	return t, nil
}

// sessionOf is where somebody stands, as it was read with the visit.
func sessionOf(ctx context.Context, s *store.Store, v visit, chat, user int64) (store.Session, error) {
	if !v.asks { // nothing was read but the chat
		return s.Session(ctx, chat, user)
	}
	return v.known.Session(ctx, chat, user)
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
	// Of a stranger's line no record is made: the chat is then this turn's alone.
	if a.onDisk() {
		err = t.changeChat(t.ctx, &t.chat, func(c *store.Chat) { c.Language = cmp.Or(c.Language, t.languageOf(from)) })
	}
	if err != nil {
		return fmt.Errorf("note a chat: %w", err)
	}
	return nil
}

// setLinkedAccount reads the account that is linked here by now, and notes it.
func (t *turn) setLinkedAccount() error {
	if t.chat.Account == "" {
		return t.setAccount(store.Account{})
	}
	a, err := t.cfg.Store.Account(t.ctx, t.chat.Account)
	if ignoreMissing(err) != nil {
		return fmt.Errorf("read the account: %w", err)
	}
	return t.setAccount(a)
}

// setAccount notes the account that is linked here, and what the person is in it. Somebody who is not of its team finds their own private
// chat as if nothing were linked.
func (t *turn) setAccount(a store.Account) error {
	if t.shop = a; t.chat.Account == "" {
		return nil
	}
	m, member := t.shop.Member(t.userID)
	t.role = m.Role
	switch {
	case !member && t.private:
		// In this turn alone: nothing is written. The record is mended when they join a team (acceptInvite).
		t.chat.Account, t.chat.Others = "", nil
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

// setPrinters makes the screens fit for who sees them: a group is never the person alone.
func (t *turn) setPrinters() {
	reader := screen.ReaderOf(t.role)
	switch {
	case t.private:
	case t.shop.Place != nil && t.shop.Place.Chat == t.chatID && t.shop.Place.Full:
		reader = screen.ForShopInFull
	default:
		reader = screen.ForShop
	}
	fit := func(p screen.Printer) screen.Printer { return p.As(reader).For(t.chatID) }
	// An owner in a group with staff reads as staff does: they read the same message.
	if t.role != store.Owner || !t.private && t.shop.HasStaff() {
		costs := t.costsOf(t.shop.ID, t.role)
		fit = func(p screen.Printer) screen.Printer { return costs.here(p.As(reader).For(t.chatID)) }
	}
	if in := fit; t.private && t.role == store.NoRole {
		fit = func(p screen.Printer) screen.Printer { return in(p).WithoutBuying() }
	}
	scr, _ := t.cfg.Screens.For(t.chat.Language)
	t.scr = fit(scr)
	if t.own = t.scr; !t.private && t.speaks != "" {
		own, _ := t.cfg.Screens.For(t.speaks)
		t.own = fit(own)
	}
}

// changeChat applies a change to a chat's record, whatever else changed it since it was read.
func (b *Bot) changeChat(ctx context.Context, c *store.Chat, change func(*store.Chat)) error {
	var now store.Chat
	err := b.cfg.Store.Batch(ctx, func(tx *store.Tx) (err error) {
		now, err = tx.Chat(c.ID)
		if errors.Is(err, store.ErrNotFound) {
			now = *c
		} else if err != nil {
			return err
		}
		change(&now)
		return tx.PutChat(&now)
	})
	if err == nil {
		*c = now // behind the commit: a transaction that runs again would put the version of a run that was not kept
	}
	return err
}

// ack answers the callback query, once, beside whatever follows. It does nothing for a text.
func (t *turn) ack(toast screen.Toast) { t.answer(toast, false) }

// alert answers the callback query with something to be confirmed.
func (t *turn) alert(toast screen.Toast) { t.answer(toast, true) }

func (t *turn) answer(toast screen.Toast, alert bool) {
	text := ""
	// What follows has to wait for the limit of a group, in which everybody taps: only the answer can say so now.
	if toast == "" && !t.private && t.cfg.Messenger.Delay(t.chatID) > queuePatience {
		toast = screen.ToastGroupWaits
	}
	if toast != "" {
		text = t.own.Failures().Toast(toast)
	}
	t.answerText(text, alert)
}

// answerText answers the callback query, once, with a text that only the person sees.
func (t *turn) answerText(text string, alert bool) {
	// A query may be answered once; whoever is first says what.
	if t.query == "" || t.ackTaken.Load() || !t.ackBegun.CompareAndSwap(false, true) {
		return
	}
	// The answer may outlive the turn, whose context ends with it. Bot.Stop waits for sides.
	sent := sync.OnceFunc(func() { close(t.ackSent) })
	ctx := telegram.WhenWritten(context.WithoutCancel(t.ctx), sent)
	t.sides.Go(func() {
		// In any case: behindAnswer must not wait for an answer that has failed before it was written.
		defer sent()
		err := t.cfg.Messenger.Answer(ctx, t.query, text, alert)
		t.ackTaken.Store(err == nil) // one that failed is for the next try
		if err != nil {
			t.cfg.Log.Debug("answer a callback query", "update", t.update, "err", err)
		}
	})
}

// behindAnswer waits until the answer to the tap has left: the person's client shows that something happens until then. The
// answer itself is not waited for, nor is one that has to wait.
func (t *turn) behindAnswer() {
	if t.query == "" {
		return
	}
	timer := time.NewTimer(ackLead)
	defer timer.Stop()
	select {
	case <-t.ackSent:
	case <-timer.C:
	}
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

// ackFirst answers the callback query before what it asks for is read: the person's client shows that something happens. Who asks
// to see the same once more is answered by what comes of it, for where nothing is new only the answer can say so.
func (t *turn) ackFirst() (stop func()) {
	if t.action.LooksAgain() {
		soon := t.ackSoon()
		return func() {
			soon()
			t.ack("") // also of a try that fails: the next one comes seconds later
		}
	}
	t.ack("")
	return func() {}
}

// show puts a screen before the person: in place of the one whose button was tapped, or as a new
// message under what was typed, or where the button's message has to stay. It returns the message's id.
func (t *turn) show(m screen.Message) (int, error) {
	defer t.ackFirst()()
	if t.ackBegun.Load() {
		t.behindAnswer()
	}
	if t.keyDropped {
		m, t.keyDropped = t.scr.Keys().Dropped(m), false
	}
	m, err := t.ofAccount(t.shop.ID, m)
	if err != nil {
		return 0, err
	}
	// An edit cannot make a file of a text, nor give it keys to reply with. Fresh leaves alone what stands there, which may be codes.
	if at := cmp.Or(t.tapped, t.inPlaceOf); at != 0 && !t.action.Fresh && m.File == nil && m.Replies == nil {
		err := t.cfg.Messenger.Edit(t.ctx, t.chatID, at, m)
		switch {
		case errors.Is(err, telegram.ErrSame) && t.typed == 0:
			t.ack(screen.ToastUnchanged)
			return at, nil
		// What was typed is not met with silence: the same goes under it.
		case !errors.Is(err, telegram.ErrSame) && !errors.Is(err, telegram.ErrGone):
			return at, err
		}
	}
	// Also behind ErrGone: the message cannot be edited any more, and whoever has tapped is still to see the screen.
	return t.cfg.Messenger.Send(t.ctx, t.chatID, t.thread, m)
}

// say shows a screen that nothing follows.
func (t *turn) say(m screen.Message) error {
	_, err := t.show(m)
	return err
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
