package purchase

import (
	"context"
	"errors"
	"fmt"

	"resellerbot/internal/store"
)

// Switch changes which account a private chat is at, and drops what its person has in hand there and has not confirmed, all in one
// transaction: no ✅ of before buys anything behind it. What was confirmed, or an owner is asked for, goes on. It tells how many
// summaries and lists were dropped. message is the one that the next screen replaces: nothing is edited there.
func (e *Engine) Switch(ctx context.Context, chat int64, message int, change func(*store.Tx) error) (dropped int, err error) {
	// They are listed outside of the transaction, which does not scan; each is read again in it. Nobody drafts anything meanwhile: what a
	// chat does, it does one after another.
	drafts, err := e.draftsBefore(ctx, Draft{Chat: chat, User: chat})
	if err != nil {
		return 0, fmt.Errorf("switch the account: %w", err)
	}
	lists, err := e.listsBefore(ctx, chat, chat)
	if err != nil {
		return 0, fmt.Errorf("switch the account: %w", err)
	}
	err = e.cfg.Store.Update(ctx, func(tx *store.Tx) error {
		// The transaction may run again.
		dropped = 0
		if err := change(tx); err != nil {
			return err
		}
		for _, p := range drafts {
			switch now, err := tx.Purchase(p.ID); {
			case err != nil:
				return err
			case now.Phase != store.Drafted: // its time was over meanwhile
				continue
			}
			if err := e.drop(tx, p.ID, store.ReasonCancelled, p.Message != message); err != nil {
				return err
			}
			dropped++
		}
		for _, l := range lists {
			if err := dropList(tx, l.ID, store.ReasonCancelled, l.Message != message); err != nil {
				return err
			}
			dropped++
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("switch the account: %w", err)
	}
	return dropped, nil
}

// atHand is ErrStale where a private chat is at another account than one: its person has switched, and what they were shown
// before is void. Rights are not asked here.
func atHand(tx *store.Tx, chat int64, account string) error {
	if chat <= 0 {
		return nil
	}
	c, err := tx.Chat(chat)
	if errors.Is(err, store.ErrNotFound) || err == nil && c.Account == "" {
		return nil // they are of no account any more, which their rights say
	}
	if err == nil && c.Account != account {
		err = ErrStale
	}
	return err
}
