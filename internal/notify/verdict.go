package notify

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"resellerbot/internal/store"
	"resellerbot/internal/telegram"
)

// errDefect is a message that cannot be made: trying it again at once would change nothing.
var errDefect = errors.New("defect")

// delivered notes that a row has arrived. One that was enqueued anew meanwhile stays and is done again.
func (d *Deliverer) delivered(ctx context.Context, v *delivery) {
	for _, w := range append([]*delivery{v}, v.with...) {
		d.cfg.Log.Info("message delivered", "chat", v.home.ID, "kind", string(w.row.Kind), "purchase", w.row.Purchase, "tries", w.row.Tries)
	}
	d.change(ctx, "note a delivery", func(tx *store.Tx) error {
		// One transaction: what the chat was told and that its row is gone must not come apart, or a code would be sent twice as new.
		if err := errors.Join(v.notePurchase(tx), v.noteList(tx, time.Now()), v.markPinged(tx), d.withdraw(tx, v), v.noteBoard(tx), v.noteTopic(tx)); err != nil {
			return err
		}
		if !v.home.Unreachable.IsZero() {
			if err := setReachable(tx, v.home.ID); err != nil {
				return err
			}
		}
		if err := unlessAnew(tx.Sent(v.row)); err != nil || !v.more {
			return err
		}
		// Behind Sent: it has the id of the row that has just gone.
		return tx.Enqueue(store.FileOf(v.purchase))
	})
}

// notePurchase stores what the chat was told of the purchase, where that has changed.
func (v *delivery) notePurchase(tx *store.Tx) error {
	if v.row.Purchase == "" {
		return nil
	}
	p, err := tx.Purchase(v.row.Purchase)
	if err != nil || v.purchase.Told == v.told && v.statusID == 0 && v.shown.Message == 0 {
		return unlessGone(err)
	}
	if v.shown.Message != 0 {
		store.NoteShown(&p, v.shown)
	}
	if v.statusID != 0 && p.Chat < 0 { // the group may have become a supergroup
		if err := tx.MoveWithGroup(&p, v.home.ID); err != nil {
			return err
		}
	}
	p.Told = p.Told.After(v.told, v.purchase.Told)
	if v.statusID != 0 {
		p.Message = v.statusID
	}
	return tx.PutPurchase(&p)
}

// setReachable notes that a chat takes messages.
func setReachable(tx *store.Tx, chat int64) error {
	c, err := tx.Chat(chat)
	if err != nil || c.Unreachable.IsZero() {
		return unlessGone(err)
	}
	c.Unreachable = time.Time{}
	return tx.PutChat(&c)
}

// failed decides on a row that did not arrive. until is when the chat is tried again, zero where only
// this row has to wait. The error is Telegram's, where nothing can be delivered any more.
func (d *Deliverer) failed(wire context.Context, v *delivery, cause error) (until time.Time, err error) {
	now, r := time.Now(), outcome(cause)
	log := d.cfg.Log.With("chat", v.home.ID, "kind", string(v.row.Kind), "purchase", v.row.Purchase, "tries", v.row.Tries)
	switch {
	// The token is not taken: no row is at fault, and none may lose a try or be set aside for it.
	case r.Kind == telegram.Fatal:
		return d.putBack(wire, v, now), cause
	case wire.Err() != nil: // stopped: not a try, but it may have arrived
		v.row.Sent = v.row.Sent || r.Kind == telegram.Ambiguous
		return d.putBack(wire, v, now), nil
	// A second more, as in telegram.budget.obey: Telegram counts in whole seconds.
	case r.After > 0: // Telegram's own wait is not a try either
		return d.putBack(wire, v, now.Add(r.After+time.Second)), nil
	}
	log.Warn("message did not arrive", "result", r.Kind.String(), "err", cause)
	switch r.Kind {
	case telegram.Migrated:
		d.migrate(wire, v.home.ID, r.To)
		return d.putBack(wire, v, now), nil
	case telegram.Unreachable:
		return d.rest(wire, v, now), nil
	// Zero: this row is set aside, and those behind it go on.
	case telegram.Poison, telegram.Gone:
		d.refused(wire, v, now)
		return time.Time{}, nil
	}
	return d.repeat(wire, v, r, now), nil
}

// outcome is what a failed try means. What did not come from Telegram was not sent.
func outcome(err error) telegram.Result {
	var answered *telegram.Error
	switch {
	case errors.As(err, &answered):
		return answered.Result
	case errors.Is(err, errDefect):
		return telegram.Result{Kind: telegram.Poison}
	}
	// A store that cannot be read, say. It is no refusal: the row comes again by repeat, and is never dropped for it.
	return telegram.Result{Kind: telegram.Again}
}

// repeat has a row tried again soon. A second ping that may have arrived is enough.
func (d *Deliverer) repeat(ctx context.Context, v *delivery, r telegram.Result, now time.Time) (until time.Time) {
	if (v.row.Kind == store.Ping || v.row.Kind == store.ListPing) && v.row.Sent && r.Kind == telegram.Ambiguous {
		d.drop(ctx, v.row)
		return time.Time{}
	}
	v.row.Tries++
	v.row.Sent = v.row.Sent || r.Kind == telegram.Ambiguous
	return d.putBack(ctx, v, now.Add(repeatAfter(v.row.Tries)))
}

// rest leaves a chat alone that takes no messages. Nothing is dropped: Telegram has been known to refuse
// healthy chats for minutes.
func (d *Deliverer) rest(ctx context.Context, v *delivery, now time.Time) (until time.Time) {
	d.change(ctx, "note that a chat rests", func(tx *store.Tx) error {
		if err := d.offerVault(tx, v); err != nil {
			return err
		}
		// Unreachable keeps the first moment. While it is set, isAside takes no row for one that others go past: the whole chat waits.
		c, err := tx.Chat(v.home.ID)
		if err != nil || !c.Unreachable.IsZero() {
			return unlessGone(err)
		}
		c.Unreachable = now
		return tx.PutChat(&c)
	})
	v.row.Tries++
	return d.putBack(ctx, v, now.Add(restAfter(v.row.Tries)))
}

// offerVault tells the owner of an account that codes of it could not be delivered to another chat, once
// for each message that holds some. The codes stay where they are.
func (d *Deliverer) offerVault(tx *store.Tx, v *delivery) error {
	// At the first refusal alone: a chat that rests is tried for days.
	if v.row.Tries > 0 || v.row.Kind != store.StatusMessage && v.row.Kind != store.Document || store.CountCodes(v.orders) == 0 {
		return nil
	}
	a, err := tx.Account(v.purchase.Account)
	if err != nil {
		return unlessGone(err)
	}
	owner := a.OwnerBut(v.purchase.Chat)
	if owner == 0 {
		return nil
	}
	chat := strconv.FormatInt(v.purchase.Chat, 10)
	return tx.Enqueue(store.NewNote(owner, "vault."+chat, store.VaultNote, map[string]string{"chat": chat}).Of(a.ID))
}

// mostRefusals is how often a row is tried although Telegram does not take it as it is.
const mostRefusals = 4

// refused sets a row aside that Telegram does not take as it is: nothing waits for it. What tells of a purchase or
// of money is tried for some days more, for an update of the bot may have cured it, and then leaves the outbox; the
// rest does so at once. Where it was to bring what was bought, people are told at the first refusal where that is
// kept.
func (d *Deliverer) refused(ctx context.Context, v *delivery, now time.Time) {
	brings := v.row.Purchase != "" && (v.row.Kind == store.StatusMessage || v.row.Kind == store.Document)
	money := brings || v.row.Kind == store.ListFile || v.row.Kind == store.ListCard || v.row.Kind == store.Support || v.row.Kind == store.Note && v.row.Priority <= store.NoticePriority
	v.row.Tries++
	// Counted apart from Tries, which a chat that is back sets to zero (revive): it does not make a refused message a new one.
	v.row.Refusals++
	if brings && v.row.Refusals == 1 {
		d.tellRefused(ctx, v)
	}
	if money && v.row.Refusals <= mostRefusals {
		d.putBack(ctx, v, now.Add(restAfter(v.row.Refusals)))
		return
	}
	d.cfg.Log.Error("message given up", "chat", v.home.ID, "kind", string(v.row.Kind), "purchase", v.row.Purchase, "refusals", v.row.Refusals)
	d.drop(ctx, v.row)
}

// tellRefused tells the chat, the owners and the operator that Telegram does not take the message that
// brings what was bought, and that it can be opened all the same.
func (d *Deliverer) tellRefused(ctx context.Context, v *delivery) {
	d.change(ctx, "tell that a message is refused", func(tx *store.Tx) error {
		a, err := tx.Account(v.purchase.Account)
		if unlessGone(err) != nil {
			return err
		}
		owners := a.PrivateChats(store.Owner)
		for _, chat := range d.toldRefused(a, v.row.Chat) {
			args := map[string]string{"ref": store.Ref(v.purchase.ID)}
			if chat != d.cfg.Operator || slices.Contains(owners, chat) || chat == v.row.Chat { // the operator may not see it
				args["purchase"] = v.purchase.ID
			}
			if err := tx.Enqueue(store.NewNote(chat, refusedNote(v.purchase.ID), store.UndeliverableNote, args).Of(a.ID)); err != nil {
				return err
			}
		}
		return nil
	})
}

// refusedNote is the id of the note that the message about a purchase is refused.
func refusedNote(purchase string) string { return purchase + ".r" }

// toldRefused lists the chats that are told where a message to one of them is refused.
func (d *Deliverer) toldRefused(a store.Account, chat int64) []int64 {
	all := slices.Compact(slices.Sorted(slices.Values(append(a.PrivateChats(store.Owner), chat, d.cfg.Operator))))
	return slices.DeleteFunc(all, func(chat int64) bool { return chat == 0 })
}

// withdraw takes back what has not been told yet of a refusal, now that the message has arrived after all: a topic that
// was closed for an hour, or a chat that took nothing meanwhile.
func (d *Deliverer) withdraw(tx *store.Tx, v *delivery) error {
	if v.row.Refusals == 0 || v.row.Purchase == "" {
		return nil
	}
	a, err := tx.Account(v.purchase.Account)
	if unlessGone(err) != nil {
		return err
	}
	for _, chat := range d.toldRefused(a, v.row.Chat) {
		note, err := tx.Outgoing(chat, refusedNote(v.purchase.ID))
		if err == nil && note.Kind == store.Note {
			err = tx.Sent(note)
		}
		if unlessGone(err) != nil {
			return err
		}
	}
	return nil
}

// migrate notes which supergroup a group has become, whether the store knows one, both or neither.
func (d *Deliverer) migrate(ctx context.Context, from, to int64) {
	d.change(ctx, "move a chat", func(tx *store.Tx) error {
		if err := tx.MoveChat(from, to); err != nil {
			return err
		}
		c, err := tx.Chat(from)
		switch {
		case errors.Is(err, store.ErrNotFound):
			c = store.Chat{ID: from, Language: d.cfg.Language}
		case err != nil || c.MovedTo == to:
			return err
		}
		c.MovedTo = to
		return tx.PutChat(&c)
	})
}

// putBack stores a row with what was learned, due at a moment, which it returns.
func (d *Deliverer) putBack(ctx context.Context, v *delivery, due time.Time) time.Time {
	v.row.Due = due
	d.change(ctx, "put a row back", func(tx *store.Tx) error { return tx.Retry(v.row) })
	return due
}

// drop gives a row up.
func (d *Deliverer) drop(ctx context.Context, row store.Outgoing) {
	// Sent is how a row leaves the outbox, whether or not it was.
	d.change(ctx, "drop a row", func(tx *store.Tx) error { return unlessAnew(tx.Sent(row)) })
}

// unlessAnew forgives that a row was enqueued anew since it was read: it stays, to be sent as it is now.
func unlessAnew(err error) error {
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	return err
}

// unlessGone forgives that there is nothing to note anything about.
func unlessGone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
