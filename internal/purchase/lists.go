package purchase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"resellerbot/internal/store"
)

const (
	listPatience = 30 * time.Minute        // for so long after its ✅ the lines of a list are still sent
	listGrace    = 5 * time.Second         // until a list whose card was not noted is taken up all the same
	cardRest     = 2500 * time.Millisecond // between two edits of a card
	listsRead    = 10                      // lists of a chat among which an earlier one is looked for
	fileWait     = 2 * time.Minute         // codes of a list wait so long for the rest of it
)

// ErrChanged: what a list would buy has changed since its card was shown, which shows it now. Nothing was bought.
var ErrChanged = errors.New("purchase: the list has changed")

// ListDraft is a list as it was read.
type ListDraft struct {
	Account string
	Chat    int64
	User    int64
	Buyer   string // the name of User
	Update  int64  // the update of Telegram that brought it
	Thread  int    // the topic of the chat that its card will be in; 0 for none
	Lines   []store.ListLine
}

// DraftList stores a list. Where the service has to be asked about players, ProcessDueLists does so, and its card gets a ✅ after
// that; else it has one now. As with Draft, what its buyer had in hand before is dropped.
func (e *Engine) DraftList(ctx context.Context, d ListDraft) (store.List, error) {
	now := time.Now()
	l := store.List{
		ID: store.NewID(now, e.cfg.Random), Account: d.Account, Chat: d.Chat, User: d.User, Buyer: d.Buyer, Update: d.Update, Thread: d.Thread,
		Phase: store.ListChecking, Lines: d.Lines, CreatedAt: now, Due: now.Add(listGrace),
	}
	if !slices.ContainsFunc(l.Lines, func(line store.ListLine) bool { return line.Check }) {
		if err := e.ready(ctx, &l); err != nil {
			return store.List{}, fmt.Errorf("draft a list: %w", err)
		}
	}
	l.CheckedBy = e.checkedBy(l, now)
	before, err := e.draftsBefore(ctx, Draft{Chat: d.Chat, User: d.User})
	if err != nil {
		return store.List{}, fmt.Errorf("draft a list: %w", err)
	}
	lists, err := e.listsBefore(ctx, d.Chat, d.User)
	if err != nil {
		return store.List{}, fmt.Errorf("draft a list: %w", err)
	}
	err = e.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		// In one transaction with the new list: there is no moment in which two cards of one person have a good ✅.
		for _, left := range before {
			if err := e.drop(tx, left.ID, store.ReasonCancelled, true); err != nil {
				return err
			}
		}
		for _, left := range lists {
			// Of the same update it is what an earlier try at it has left: the chat hears of the new one alone.
			if err := dropList(tx, left.ID, store.ReasonCancelled, left.Update != d.Update); err != nil {
				return err
			}
		}
		put := l
		return tx.PutList(&put)
	})
	if err != nil {
		return store.List{}, fmt.Errorf("draft a list: %w", err)
	}
	return l, nil
}

// ListShown notes which message is a list's card, and has its players asked about.
func (e *Engine) ListShown(ctx context.Context, id string, message int) error {
	return e.cfg.Store.Batch(ctx, func(tx *store.Tx) error {
		l, err := tx.List(id)
		if err != nil {
			return err
		}
		l.Message, l.EditedAt, l.Due = message, time.Now(), time.Now()
		return tx.PutList(&l)
	})
}

// listsBefore lists the lists that somebody has not confirmed in a chat.
func (e *Engine) listsBefore(ctx context.Context, chat, user int64) ([]store.List, error) {
	list, err := e.cfg.Store.ChatLists(ctx, chat, listsRead)
	return slices.DeleteFunc(list, func(l store.List) bool {
		return l.User != user || l.Phase != store.ListChecking && l.Phase != store.ListShown
	}), err
}

// ListWithMarked has the lines that are marked bought as well, or not. Its buyer is shown what that comes to, with a ✅ of
// its own.
func (e *Engine) ListWithMarked(ctx context.Context, t Tap, marked bool) (store.List, error) {
	nonce, err := e.nonce()
	if err != nil {
		return store.List{}, err
	}
	return e.onList(ctx, t, func(tx *store.Tx, l *store.List, a *store.Account, now time.Time) error {
		if err := checkList(*l, t, now); err != nil {
			return err
		}
		l.Marked, l.Nonce, l.ExpiresAt, l.EditedAt = marked, nonce, now.Add(draftLife), now
		e.weighList(l, *a, now)
		return tx.PutList(l)
	})
}

// ConfirmList takes a tap on a list's ✅: its first line joins the queue of its account, and each of the others when the one
// before it has left that. ErrChanged, and the errors of Confirm, say why a tap has bought nothing.
func (e *Engine) ConfirmList(ctx context.Context, t Tap) (store.List, error) {
	if err := e.crowdedChat(ctx, t.Chat); err != nil {
		return store.List{}, err
	}
	nonce, err := e.nonce()
	if err != nil {
		return store.List{}, err
	}
	changed, above := false, false
	l, err := e.onList(ctx, t, func(tx *store.Tx, l *store.List, a *store.Account, now time.Time) (err error) {
		changed, above = false, false // it may run again
		if err := checkList(*l, t, now); err != nil {
			return err
		}
		if changed, err = e.markRepeats(tx, l, *a, now); changed || err != nil {
			// It commits although nothing is bought, so that the card shows the marks. begun makes ErrChanged of it.
			// A new nonce: the ✅ that was under their thumb must not confirm what the card says by now.
			l.Nonce, l.ExpiresAt = nonce, now.Add(draftLife)
			return errors.Join(err, tx.PutList(l), tellList(tx, *l))
		}
		total, n := l.Total()
		if n == 0 {
			return ErrStale
		}
		day := e.Day(now)
		err = allowed(*a, store.Purchase{User: l.User, Total: total}, day)
		// Above is on the card: it offers to ask the owners in place of a ✅. So it is put, and the tap fails with ErrLimit behind the commit.
		if above = errors.Is(err, ErrLimit); above && !l.Above { // others were bought since
			l.Above = true
			return errors.Join(tx.PutList(l), tellList(tx, *l))
		}
		if err != nil {
			return err
		}
		l.Message = t.Message
		// The whole total at once, before the first line: otherwise two lists that are each below the limit are together above it.
		if m, ok := a.Member(l.User); ok && m.Role != store.Owner {
			store.Admit(a, m.Spend(total, day))
			l.Day = day
		}
		return e.beginList(tx, l, a, now)
	})
	if err == nil && above {
		return l, ErrLimit
	}
	return e.begun(l, t, changed, err)
}

// begun ends a tap that was to begin a list.
func (e *Engine) begun(l store.List, t Tap, changed bool, err error) (store.List, error) {
	if err == nil && changed {
		err = ErrChanged
	}
	if err != nil {
		return l, err
	}
	total, n := l.Total()
	e.cfg.Log.Info("list confirmed", "list", l.ID, "account", l.Account, "update", t.Update, "lines", n, "total", total.String(), "by", t.User)
	e.wake(l.Account)
	return l, nil
}

// DropList ends a list that nobody has confirmed. Its card is brought up to date if tell is set.
func (e *Engine) DropList(ctx context.Context, id, why string, tell bool) error {
	return e.cfg.Store.Update(ctx, func(tx *store.Tx) error { return dropList(tx, id, why, tell) })
}

// LeaveLists ends the lists that somebody has not confirmed in a chat, and reports whether there were any.
func (e *Engine) LeaveLists(ctx context.Context, chat, user int64) (left bool, err error) {
	lists, err := e.listsBefore(ctx, chat, user)
	if err != nil || len(lists) == 0 {
		return false, err
	}
	return true, e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		for _, l := range lists {
			if err := dropList(tx, l.ID, store.ReasonCancelled, true); err != nil {
				return err
			}
		}
		return nil
	})
}

// onList is one transaction on a list and its account. A tap on what is not there any more is stale.
func (e *Engine) onList(ctx context.Context, t Tap, fn func(*store.Tx, *store.List, *store.Account, time.Time) error) (l store.List, err error) {
	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		if l, err = tx.List(t.Purchase); err != nil {
			return err
		}
		a, err := tx.Account(l.Account)
		if err != nil {
			return err
		}
		if err := atHand(tx, t.Chat, a.ID); err != nil {
			return err
		}
		if err := fn(tx, &l, &a, time.Now()); err != nil {
			return err
		}
		// Read again: fn may have put another copy of it (dropList, or lineMoved behind nextLine).
		l, err = tx.List(t.Purchase)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = ErrStale
	}
	return l, err
}

// checkList tells whether a tap may confirm a list.
func checkList(l store.List, t Tap, now time.Time) error {
	return offer{chat: l.Chat, message: l.Message, user: l.User, nonce: l.Nonce, open: l.Phase == store.ListShown, until: l.ExpiresAt}.permits(t, now)
}

// dropList ends a list that nobody has confirmed, within a transaction.
func dropList(tx *store.Tx, id, why string, tell bool) error {
	l, err := tx.List(id)
	if err != nil || l.Phase.Promised() || l.Phase == store.ListDropped {
		return err
	}
	asked := l.Phase == store.ListAsked
	l.Phase, l.Why, l.EndedAt = store.ListDropped, why, time.Now()
	if err := tx.PutList(&l); err != nil {
		return err
	}
	if asked {
		if err := askForList(tx, l, nil); err != nil {
			return err
		}
	}
	if !tell && !asked {
		return nil
	}
	return tellList(tx, l)
}

// markRepeats marks the lines of which the same was bought since the card was shown, and reports whether there are any.
func (e *Engine) markRepeats(tx *store.Tx, l *store.List, a store.Account, now time.Time) (changed bool, err error) {
	for i := range l.Lines {
		line := &l.Lines[i]
		if !l.Buys(line) {
			continue
		}
		same, err := unasked(tx, purchaseOfLine(*l, *line), a, now)
		if err != nil {
			return false, err
		}
		if len(same) > 0 {
			markRepeat(line, same)
			changed = true
		}
	}
	if changed {
		l.Marked = false
		e.weighList(l, a, now)
	}
	return changed, nil
}

// weighList finds out what of a list can be paid for, and whether its buyer may.
func (e *Engine) weighList(l *store.List, a store.Account, now time.Time) {
	l.Reckon()
	total, _ := l.Total()
	l.Above = errors.Is(allowed(a, store.Purchase{User: l.User, Total: total}, e.Day(now)), ErrLimit)
}

// markRepeat marks a line of which the same was bought.
func markRepeat(line *store.ListLine, same []store.Purchase) {
	line.Same = nil
	for _, q := range same {
		line.Same = append(line.Same, q.ID)
		if q.Phase == store.Unknown || q.Phase == store.Undecided { // to be decided first
			line.Problem = store.ProblemOpen
		}
	}
	if line.Mark == "" {
		line.Mark = store.MarkRepeat
	}
}

// purchaseOfLine is what a line buys, as the guard against repeats compares it. What the list itself has bought before was on the
// card.
func purchaseOfLine(l store.List, line store.ListLine) store.Purchase {
	return store.Purchase{
		ProductID: line.ProductID, VariantID: line.VariantID, Family: line.Family, Inputs: line.Inputs, Player: line.Player,
		Chat: l.Chat, User: l.User, Quantity: line.Quantity,
		Same: append(l.Purchases(), line.Same...), CreatedAt: l.CreatedAt,
	}
}
