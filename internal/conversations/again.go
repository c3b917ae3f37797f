package conversations

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// Parked is an update that could not be handled, as it is told to the operator: nothing that somebody wrote is
// in it, since it may be a key or a player.
type Parked struct {
	ID         int64
	At         time.Time
	Chat, User int64
	What       string // it is
	Does       string // what to handle it again would do
	Refused    string // why it is not handled again; empty where it is
}

// ErrRefusedAgain: a parked update is not handled again. Parked.Refused says why.
var ErrRefusedAgain = errors.New("it is not handled again")

// AllParked tells of the updates that could not be handled, up to a limit.
func (i *Inbox) AllParked(ctx context.Context, limit int) (all []Parked, err error) {
	rows, err := i.Store.ParkedUpdates(ctx, limit)
	if err != nil {
		return nil, err
	}
	for _, in := range rows {
		p, _, err := i.parked(in, parkedReader{
			purchase: func(id string) (store.Purchase, error) { return i.Store.Purchase(ctx, id) },
			list:     func(id string) (store.List, error) { return i.Store.List(ctx, id) },
		})
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Again has a parked update handled once more, and tells of it. ErrRefusedAgain, ErrNotFound.
func (i *Inbox) Again(ctx context.Context, id int64) (p Parked, err error) {
	// Until then the same update may be in the hands of the replay: it would be handled twice, side by side.
	if !i.replayed.Load() {
		p.What, p.Refused = "set aside", "the bot is still taking up what an earlier process has left; try it in a moment"
		return p, ErrRefusedAgain
	}
	var in store.Incoming
	var u *update
	err = i.Store.Update(ctx, func(tx *store.Tx) error {
		if in, err = tx.ParkedUpdate(id); err != nil {
			return err
		}
		if p, u, err = i.parked(in, parkedReader{purchase: tx.Purchase, list: tx.List}); err != nil {
			return err
		}
		if p.Refused != "" {
			return ErrRefusedAgain
		}
		// What an older version could not decode was parked without its chat.
		// Example: of three waits it begins with 2 tries. The try counts as the third before it is made (tried in bot.go); a failure is the
		// fourth, which parks it (giveUp).
		in.Chat, in.State, in.Tries = p.Chat, store.New, len(waits())-1 // for one try, even where that ends the process
		return tx.PutUpdate(&in)
	})
	if err != nil {
		return p, err
	}
	i.Log.Warn("a parked update is handled again, as the operator has asked", "update", id, "chat", p.Chat)
	// Where the bot stops, it is not taken. It is on disk as new by then, and the next start hands it on.
	i.Bot.put(ctx, arrival{in: in, update: u, again: true})
	return p, nil
}

// parkedReader reads what a parked tap is about, within a transaction or outside of any.
type parkedReader struct {
	purchase func(id string) (store.Purchase, error)
	list     func(id string) (store.List, error)
}

// state is the phase of the purchase, or of the list, that a button moves on, and whether it is past its summary; ErrNotFound
// where it is not there.
func (r parkedReader) state(b buttonRow, id string) (phase string, promised bool, err error) {
	if b.movesList {
		l, err := r.list(id)
		return string(l.Phase), l.Phase.Promised(), err
	}
	p, err := r.purchase(id)
	return string(p.Phase), p.Phase.Promised(), err
}

// parked says what a parked update is, and what to handle it again would do.
func (i *Inbox) parked(in store.Incoming, read parkedReader) (p Parked, u *update, err error) {
	p = Parked{ID: in.ID, At: in.At, Chat: in.Chat}
	if u, err = decodeUpdate(in.Raw); err != nil {
		p.What, p.Refused = "an update of a form that this version does not know", "a newer version may know it"
		return p, nil, nil //nolint:nilerr // that is what there is to say of it
	}
	p.Chat = chatOf(u)
	switch {
	case u.CallbackQuery != nil:
		p.User = u.CallbackQuery.From.ID
		return p, u, i.parkedTap(read, u.CallbackQuery, &p)
	case u.Message != nil:
		p.What, p.Does = "a message", "it counts as written now: an answer to the question that is open in its chat, or else as any text. It buys nothing without a tap"
		if u.Message.From != nil {
			p.User = u.Message.From.ID
		}
		if name := i.Bot.commandIn(u.Message.Text); name != "" {
			p.What, p.Does = "the command /"+name, "it is answered now, and ends a question that is open in its chat. It buys nothing without a tap"
		}
	default:
		p.What, p.Does = "what Telegram tells of a chat", "it is taken up as if it came now"
	}
	return p, u, nil
}

// commandIn is the command that a text begins with; "" for none that is known.
func (b *Bot) commandIn(text string) string {
	word, _, _ := strings.Cut(text, " ")
	name, slash := strings.CutPrefix(word, "/")
	name, _, _ = strings.Cut(name, "@")
	if _, known := b.commands[name]; !slash || !known {
		return ""
	}
	return name
}

// parkedTap says so of a tap. One that may spend is never made up for: whoever tapped was told that nothing was done, and
// taps again while the summary is good.
func (i *Inbox) parkedTap(read parkedReader, q *callback, p *Parked) error {
	action, ok := screen.ParseAction(q.Data)
	if !ok {
		p.What, p.Does = "a tap on a button that this version does not know", "the chat is shown where it stands"
		return nil
	}
	p.What, p.Does = fmt.Sprintf("a tap on the button %q", action.Verb), "it counts as tapped now. It buys nothing"
	button := i.Bot.buttons[action.Verb]
	if !button.moves && !button.movesList {
		return nil
	}
	what := "purchase"
	if button.movesList {
		what = "list"
	}
	phase, promised, err := read.state(button, action.Arg(0))
	if errors.Is(err, store.ErrNotFound) {
		p.Does = "nothing: its " + what + " is not there any more"
		return nil
	}
	if err != nil {
		return err
	}
	p.What += fmt.Sprintf(" of #%s, which is %s", store.Ref(action.Arg(0)), phase)
	if !promised {
		p.Refused = "it could buy, and whoever tapped was told that nothing was done: they tap again if they still want it"
		return nil
	}
	p.Does = "its " + what + " is past its summary, and is not bought by it: the tap counts as tapped now, and the message shows how it stands"
	return nil
}
