package purchase

import (
	"context"
	"errors"
	"time"

	"resellerbot/internal/store"
)

// AskList asks the owners for a list that is above its buyer's limit.
func (e *Engine) AskList(ctx context.Context, t Tap) (store.List, error) {
	nonce, err := e.nonce()
	if err != nil {
		return store.List{}, err
	}
	return e.onList(ctx, t, func(tx *store.Tx, l *store.List, a *store.Account, now time.Time) error {
		if err := checkList(*l, t, now); err != nil {
			return err
		}
		total, _ := l.Total()
		// allowed asks a purchase for its buyer and its total alone: the whole list is measured as one.
		if err := allowed(*a, store.Purchase{User: l.User, Total: total}, e.Day(now)); err != nil && !errors.Is(err, ErrLimit) {
			return err
		}
		l.Phase, l.Message, l.ExpiresAt = store.ListAsked, t.Message, now.Add(askLife)
		l.Ask = &store.Ask{At: now, Nonce: nonce}
		return errors.Join(tx.PutList(l), tellList(tx, *l), askForList(tx, *l, a.PrivateChats(store.Owner)))
	})
}

// crowdedList is crowded for a list that owners are asked for.
func (e *Engine) crowdedList(ctx context.Context, id string) error {
	l, err := e.cfg.Store.List(ctx, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && l.Phase != store.ListAsked {
		return nil // the tap is too late, which is told by what has become of the list
	}
	if err != nil {
		return err
	}
	return e.crowdedChat(ctx, l.Chat)
}

// ApproveList takes an owner's ✅ on a list that was asked for; the errors are those of Approve, and ErrChanged.
func (e *Engine) ApproveList(ctx context.Context, t Tap) (store.List, error) {
	nonce, err := e.nonce()
	if err != nil {
		return store.List{}, err
	}
	if err := e.crowdedList(ctx, t.Purchase); err != nil {
		return store.List{}, err
	}
	changed := false
	l, err := e.onList(ctx, t, func(tx *store.Tx, l *store.List, a *store.Account, now time.Time) (err error) {
		if err := askedList(*l, *a, t, now); err != nil {
			return err
		}
		if err := locked(*a); err != nil {
			return err
		}
		if !a.Role(l.User).AtLeast(store.Seller) { // taken out of the team meanwhile
			return dropList(tx, l.ID, store.ReasonRemoved, true)
		}
		// It commits although nothing is bought: the owners have to see the marks before they tap again. begun makes ErrChanged of it.
		if changed, err = e.markRepeats(tx, l, *a, now); changed || err != nil {
			// Ask is copied, for whoever holds the list as it was read shares it.
			ask := *l.Ask
			ask.Nonce = nonce
			l.Ask = &ask
			return errors.Join(err, tx.PutList(l), tellList(tx, *l), askForList(tx, *l, nil))
		}
		l.Ask = decided(l.Ask, *a, t.User, true, now)
		return errors.Join(askForList(tx, *l, nil), e.beginList(tx, l, a, now))
	})
	return e.begun(l, t, changed, err)
}

// RefuseList takes an owner's no to a list that was asked for.
func (e *Engine) RefuseList(ctx context.Context, t Tap) (store.List, error) {
	return e.onList(ctx, t, func(tx *store.Tx, l *store.List, a *store.Account, now time.Time) error {
		if err := askedList(*l, *a, t, now); err != nil {
			return err
		}
		l.Ask = decided(l.Ask, *a, t.User, false, now)
		if err := tx.PutList(l); err != nil {
			return err
		}
		return dropList(tx, l.ID, store.ReasonRefused, true)
	})
}

// askedList tells whether a tap may decide on a list.
func askedList(l store.List, a store.Account, t Tap, now time.Time) error {
	return question{ask: l.Ask, message: l.ShownIn(store.ListRequest, t.Chat), open: l.Phase == store.ListAsked, until: l.ExpiresAt}.permits(a, t, now)
}
