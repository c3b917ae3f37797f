package conversations

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"resellerbot/internal/screen"
)

// queuePatience is how long a tap waits in the queue of its chat before it is answered without knowing what comes of it. The update before
// it may have to wait for Telegram's limit, and a tap is answered within ten seconds.
const queuePatience = 6 * time.Second

// lateTaps answers the taps that wait long for their turn, once each: what their turn would say over the chat is not said any more,
// what it shows there is shown.
type lateTaps struct {
	bot *Bot

	mu      sync.Mutex
	waiting map[*arrival]*time.Timer
	over    bool
}

// expect begins to wait with an update, if it is a tap.
func (l *lateTaps) expect(a *arrival) {
	if a.update == nil || a.update.CallbackQuery == nil {
		return
	}
	a.ackTaken = new(atomic.Bool)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.over {
		l.waiting[a] = time.AfterFunc(queuePatience, func() { l.answer(a) })
	}
}

// begun ends the wait with an update: its turn answers it, unless it was answered by now.
func (l *lateTaps) begun(a *arrival) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if timer := l.waiting[a]; timer != nil {
		timer.Stop()
		delete(l.waiting, a)
	}
}

// stop ends all waits: what waits then is handled at the next start.
func (l *lateTaps) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	for _, timer := range l.waiting {
		timer.Stop()
	}
	clear(l.waiting)
}

// answer answers a tap that still waits.
func (l *lateTaps) answer(a *arrival) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting[a] == nil {
		return
	}
	delete(l.waiting, a)
	// Noted before it is sent: the turn may begin at any moment, and a query takes one answer.
	a.ackTaken.Store(true)
	// Under the lock: Bot.Stop ends all waits (stop) before it waits for sides, and none begins behind that.
	l.bot.sides.Go(func() {
		if err := l.bot.answerLate(a.in.Chat, a.update.CallbackQuery); err != nil {
			a.ackTaken.Store(false) // its turn tries again
			l.bot.cfg.Log.Debug("answer a callback query that waits", "update", a.in.ID, "err", err)
		}
	})
}

// answerLate tells whoever has tapped that it is heard, in their own language.
func (b *Bot) answerLate(chat int64, q *callback) error {
	ctx, cancel := context.WithTimeout(b.ctx, turnTimeout)
	defer cancel()
	language := ""
	for _, id := range []int64{q.From.ID, chat} {
		c, err := b.cfg.Store.Chat(ctx, id)
		if ignoreMissing(err) != nil {
			return err
		}
		language = cmp.Or(language, c.Language)
	}
	scr, _ := b.cfg.Screens.For(cmp.Or(language, b.languageOf(&q.From)))
	return b.cfg.Messenger.Answer(ctx, q.ID, scr.Failures().Toast(screen.ToastQueued), false)
}
