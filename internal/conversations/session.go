package conversations

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// ask shows a screen whose question stays open: what is typed or tapped next belongs to it.
func (t *turn) ask(m screen.Message, flow, step string, data any) error {
	if !t.private && takesText(store.Session{Flow: flow, Step: step}) {
		m = t.scr.Catalogue().ByReply(m)
	}
	// The screen goes out before the question is kept: were it kept and not shown, an answer to nothing would count.
	id, err := t.show(m)
	if err != nil {
		return err
	}
	text, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("keep the state of %s: %w", flow, err)
	}
	s := &t.session
	s.Chat, s.User, s.Flow, s.Step, s.Account, s.Data, s.Message = t.chatID, t.userID, flow, step, t.chat.Account, text, id
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
		t.inPlaceOf = t.answeredQuestion
	}
}

// finish is the last act of a turn: where the person stands now, and that the update is done.
func (t *turn) finish() error {
	t.ack("")
	if err := t.keep(); err != nil {
		return err
	}
	// Behind that: a turn that could not be kept is made again, and its question is still open.
	t.clearAnswered()
	return nil
}

// keep writes down where the person stands now, and that the update is done.
func (t *turn) keep() error {
	if t.update == 0 { // a stranger's, of which nothing is kept
		return nil
	}
	if !t.changed {
		return t.done(t.ctx, t.update)
	}
	err := t.cfg.Store.Batch(t.ctx, func(tx *store.Tx) error {
		// In one commit: after a crash between two, what was typed would be taken for the answer to the next question as well.
		tx.WantUpdate(t.update, t.chatID, t.userID)
		if err := t.putSession(tx); err != nil {
			return err
		}
		return tx.UpdateDone(t.update)
	})
	if err != nil {
		return fmt.Errorf("finish the update: %w", err)
	}
	return nil
}

// clearAnswered takes the keyboard from a question that is no longer open, and still stands there: it was answered by
// typing, or another one was asked, or it was left. The turn counts whatever becomes of that.
func (t *turn) clearAnswered() {
	if t.openQuestion == 0 || t.openQuestion == t.session.Message || t.openQuestion == t.tapped {
		return
	}
	// It may outlive the turn; Bot.Stop waits for sides.
	ctx := context.WithoutCancel(t.ctx)
	// Without a word, what was counted would look kept. It is where the question was only asked once more.
	if now := countOf(t.session); t.counted != nil && (now == nil || now.Counter != t.counted.Counter || now.Counted != t.counted.Counted) {
		dropped := t.scr.Closing().NotKept(t.counted.Counter, t.counted.Counted)
		t.sides.Go(func() { t.noteUncleared(t.cfg.Messenger.Edit(ctx, t.chatID, t.openQuestion, dropped)) })
		return
	}
	at := shownAt{t.chatID, t.openQuestion}
	if !t.clears.begin(at) {
		return
	}
	// The call waits until the chat is quiet. A stop does not wait for it: the buttons of a keyboard that stays lead to the screen of now.
	ctx, cancel := context.WithTimeout(ctx, clearWithin)
	stop := context.AfterFunc(t.running, cancel)
	t.sides.Go(func() {
		defer t.clears.end(at)
		defer cancel()
		defer stop()
		t.noteUncleared(t.cfg.Messenger.Clear(ctx, at.chat, at.message))
	})
}

// noteUncleared logs that a question that is over still looks open.
func (t *turn) noteUncleared(err error) {
	if err != nil {
		t.cfg.Log.Debug("take the keyboard from a question", "update", t.update, "err", err)
	}
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

// putSession stores where the person stands, or forgets it where no question is open.
func (t *turn) putSession(tx *store.Tx) error {
	if t.session.Flow == "" {
		return tx.DeleteSession(t.chatID, t.userID)
	}
	// A copy: the put notes a version in it, and the transaction may run again.
	s := t.session
	return tx.PutSession(&s)
}
