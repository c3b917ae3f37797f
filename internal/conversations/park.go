package conversations

import (
	"context"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/purchase"
	"resellerbot/internal/screen"
	"resellerbot/internal/store"
)

// parkedToldFor is for how long somebody is told that what they wrote or tapped could not be handled. Later they
// would take it for an answer to something else.
const parkedToldFor = 2 * time.Minute

// park sets an update aside for a person to look at, and answers what was written or tapped with a word that
// nothing was done, in one transaction.
func (b *Bot) park(ctx context.Context, a arrival) error {
	return b.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		// The row has the update as it came. An arrival that has waited in a queue has lost its text (Inbox.hand), and sorry reads the words
		// of a button in it. It is not parked where an earlier run of its flow has ended it after all: what is done is no matter for an
		// apology.
		in, parked, err := tx.ParkUpdate(a.in.ID)
		if err != nil || !parked || a.in.Chat == 0 {
			return err
		}
		if _, err := tx.Chat(a.in.Chat); err != nil {
			return ignoreMissing(err) // nobody whom we know
		}
		bought, err := b.shownAsItIs(tx, a.update)
		if err != nil || bought || time.Since(a.in.At) > parkedToldFor {
			return err
		}
		note, ok := sorry(a, in.Raw)
		if !ok {
			return nil
		}
		return tx.Enqueue(note)
	})
}

// shownAsItIs has the message of a purchase, or of a list, brought up to date where a tap on it was not handled to its end: it may
// have done all that it was to do, and nothing else may be said of it then.
func (b *Bot) shownAsItIs(tx *store.Tx, u *update) (bool, error) {
	if u.CallbackQuery == nil {
		return false, nil
	}
	action, ok := screen.ParseAction(u.CallbackQuery.Data)
	if ok && b.buttons[action.Verb].movesList {
		l, err := tx.List(action.Arg(0))
		if err != nil || !l.Phase.Promised() {
			return false, ignoreMissing(err)
		}
		return true, purchase.RefreshList(tx, l)
	}
	if !ok || !b.buttons[action.Verb].moves {
		return false, nil
	}
	p, err := tx.Purchase(action.Arg(0))
	// The tap has not moved a draft: that nothing was done is true of it.
	if err != nil || p.Phase == store.Drafted {
		return false, ignoreMissing(err)
	}
	chat, message, _ := messageOf(u.CallbackQuery)
	// A question to an owner, and a copy for others, are messages of their own: Refresh brings the one of the buyer up to date alone.
	for _, s := range p.Shown {
		if s.Chat == chat && s.Message == message && slices.Contains([]store.OutKind{store.Request, store.Decision, store.Copy}, s.As) {
			return true, tx.Enqueue(beside(p, s.As, chat))
		}
	}
	return true, tx.Enqueue(purchase.Refresh(p))
}

// sorry is the word that an update could not be handled: under the message that it answers, or with the name of the
// button that was tapped. ok is false where neither can be told: then it would answer nothing.
func sorry(a arrival, raw []byte) (note *store.Outgoing, ok bool) {
	// The outbox may hold the note back for longer than it is worth: the deliverer drops it behind this moment.
	args := map[string]string{store.UntilArg: a.in.At.Add(parkedToldFor).UTC().Format(time.RFC3339)}
	switch u := a.update; {
	case u.Message != nil:
		args[store.ReplyArg] = strconv.Itoa(u.Message.ID)
	case u.CallbackQuery != nil && u.CallbackQuery.Message != nil:
		args[store.ReplyArg] = strconv.Itoa(u.CallbackQuery.Message.ID)
		if args["button"], _ = tappedText(raw); args["button"] == "" {
			return nil, false
		}
	default:
		return nil, false
	}
	return store.NewNote(a.in.Chat, "parked."+strconv.FormatInt(a.in.ID, 10), store.ParkedNote, args), true
}
